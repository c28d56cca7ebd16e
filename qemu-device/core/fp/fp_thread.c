/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Register files of threads, and the choice of the SIMD level. */
#include <stdlib.h>
#include <string.h>

#include "fp/fp_code.h"

/*
 * Number of slots of a register file. The number of a slot has 16 bits. The host
 * commits only pages that programs have used.
 */
#define SLOTS       65536

/* Costs of a block of 8 x 8 pixels, in nanoseconds (make bench, core.fp.*). */
#define COST_BLOCK  256     /* inputs, pixel operations */
#define COST_OP     8

/* Bits of nv3_fp_bit_numbers[@i] for bit @bit of @i. */
#define NUMBER(i, bit) \
    ((uint32_t)((i) >> (bit) & 1) * (bit) << \
     4 * __builtin_popcount((i) & ((1u << (bit)) - 1)))
#define NUMBERS(i) \
    (NUMBER(i, 1) | NUMBER(i, 2) | NUMBER(i, 3) | NUMBER(i, 4) | NUMBER(i, 5) | \
     NUMBER(i, 6) | NUMBER(i, 7))
#define NUMBERS_4(i)    NUMBERS(i), NUMBERS((i) + 1), NUMBERS((i) + 2), NUMBERS((i) + 3)
#define NUMBERS_16(i) \
    NUMBERS_4(i), NUMBERS_4((i) + 4), NUMBERS_4((i) + 8), NUMBERS_4((i) + 12)
#define NUMBERS_64(i) \
    NUMBERS_16(i), NUMBERS_16((i) + 16), NUMBERS_16((i) + 32), NUMBERS_16((i) + 48)

const uint32_t nv3_fp_bit_numbers[256] = {
    NUMBERS_64(0u), NUMBERS_64(64u), NUMBERS_64(128u), NUMBERS_64(192u),
};

NV3FpThread *nv3_fp_thread_new(void)
{
    NV3FpThread *thread = aligned_alloc(_Alignof(NV3FpThread), sizeof(*thread));

    if (!thread) {
        return NULL;
    }
    memset(thread, 0, sizeof(*thread));
    thread->file = aligned_alloc(sizeof(NV3FpSlot), SLOTS * sizeof(NV3FpSlot));
    if (!thread->file) {
        free(thread);
        return NULL;
    }
    return thread;
}

void nv3_fp_thread_free(NV3FpThread *thread)
{
    if (thread) {
        free(thread->file);
        free(thread);
    }
}

NV3FpLevel nv3_fp_best_level(void)
{
#ifdef NV3_FP_HAVE_X86
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw")) {
        return NV3_FP_AVX512;
    }
    if (__builtin_cpu_supports("avx2")) {
        return NV3_FP_AVX2;
    }
#endif
    return NV3_FP_GENERIC;
}

void nv3_fp_execute(NV3FpThread *thread, const NV3FpOp *op, unsigned count,
                    NV3FpLevel level)
{
    switch (level) {
#ifdef NV3_FP_HAVE_X86
    case NV3_FP_AVX512:
        nv3_fp_execute_avx512(thread, op, count);
        break;
    case NV3_FP_AVX2:
        nv3_fp_execute_avx2(thread, op, count);
        break;
#endif
    default:
        nv3_fp_execute_generic(thread, op, count);
        break;
    }
}

unsigned nv3_fp_draw_cost(const NV3FpDraw *draw)
{
    const NV3FpCode *code = draw->code;
    unsigned cost = COST_BLOCK;

    for (unsigned i = code->uniform_count; i < code->uniform_count + code->count; i++) {
        const NV3FpOp *op = &code->op[i];

        cost += op->kind == NV3_FP_OP_TEX && draw->unit[op->unit] ?
                nv3_texunit_cost(draw->unit[op->unit]) : COST_OP;
    }
    return cost;
}

void nv3_fp_shade_block(NV3FpThread *thread, const NV3FpTriangle *tri,
                        int32_t x, int32_t y, uint64_t mask)
{
    switch (thread->draw->level) {
#ifdef NV3_FP_HAVE_X86
    case NV3_FP_AVX512:
        nv3_fp_shade_avx512(thread, tri, x, y, mask);
        break;
    case NV3_FP_AVX2:
        nv3_fp_shade_avx2(thread, tri, x, y, mask);
        break;
#endif
    default:
        nv3_fp_shade_generic(thread, tri, x, y, mask);
        break;
    }
}

void nv3_fp_shade_samples(NV3FpThread *thread, const NV3FpTriangle *tri, int32_t x,
                          int32_t y, const uint64_t mask[NV3_PIXOPS_SAMPLES])
{
    switch (thread->draw->level) {
#ifdef NV3_FP_HAVE_X86
    case NV3_FP_AVX512:
        nv3_fp_shade_samples_avx512(thread, tri, x, y, mask);
        break;
    case NV3_FP_AVX2:
        nv3_fp_shade_samples_avx2(thread, tri, x, y, mask);
        break;
#endif
    default:
        nv3_fp_shade_samples_generic(thread, tri, x, y, mask);
        break;
    }
}

/* Shades the deferred quads, if any, and removes all triangles. */
static void flush(NV3FpThread *thread)
{
    thread->current = false;
    if (!thread->quads) {
        thread->triangles = 0;
        return;
    }
    switch (thread->draw->level) {
#ifdef NV3_FP_HAVE_X86
    case NV3_FP_AVX512:
        nv3_fp_shade_strips_avx512(thread);
        break;
    case NV3_FP_AVX2:
        nv3_fp_shade_strips_avx2(thread);
        break;
#endif
    default:
        nv3_fp_shade_strips_generic(thread);
        break;
    }
}

void nv3_fp_end_triangle(NV3FpThread *thread)
{
    thread->current = false;
}

/* Limits the inner rectangle to the lines that are completely in the surface. */
static void limit_inner(NV3FpThread *thread, const NV3PixopsSurface *s, unsigned bytes)
{
    const uint32_t lines = s->pitch && s->pitch >= s->width * bytes ?
                           s->size / s->pitch : 0;
    const int32_t height = lines < s->height ? lines : s->height;

    if (s->width < thread->inner_width) {
        thread->inner_width = s->width;
    }
    if (height < thread->inner_height) {
        thread->inner_height = height;
    }
}

static void find_inner(NV3FpThread *thread, const NV3PixopsState *s)
{
    thread->inner_width = thread->inner_height = INT32_MAX;
    if (s->color_format != NV3_PIXOPS_COLOR_NONE) {
        limit_inner(thread, &s->color, nv3_pixops_color_bytes(s));
    }
    if (s->zeta_format != NV3_PIXOPS_ZETA_NONE && (s->depth_test || s->stencil_test)) {
        limit_inner(thread, &s->zeta, nv3_pixops_zeta_bytes(s));
    }
}

NV3FpZeta nv3_fp_zeta(const NV3FpDraw *draw)
{
    const NV3PixopsState *s = &draw->pixops;
    const bool stencil = s->stencil_test && s->zeta_format == NV3_PIXOPS_Z24S8;

    if (s->zeta_format == NV3_PIXOPS_ZETA_NONE || !(s->depth_test || stencil)) {
        return NV3_FP_ZETA_NONE;
    }
    if (draw->code->depth != NV3_FP_NO_SLOT) {
        return NV3_FP_ZETA_LATE;
    }
    if (!draw->code->kills && !s->alpha_test) {
        return NV3_FP_ZETA_EARLY;
    }
    /*
     * An early test requires that a pixel which fails also fails later, after deferred
     * pixels at the same place have written their depths.
     */
    return stencil || s->depth_func == NV3_PIXOPS_NOTEQUAL ? NV3_FP_ZETA_LATE :
                                                             NV3_FP_ZETA_TWICE;
}

void nv3_fp_begin(NV3FpThread *thread, const NV3FpDraw *draw)
{
    const NV3FpCode *code = draw->code;

    flush(thread);
    thread->draw = draw;
    thread->zeta = nv3_fp_zeta(draw);
    thread->reads = nv3_pixops_reads_color(&draw->pixops);
    thread->separate = thread->reads || thread->zeta >= NV3_FP_ZETA_TWICE;
    find_inner(thread, &draw->pixops);
    for (unsigned i = 0; i < code->constant_count; i++) {
        const NV3FpCodeConstant *c = &code->constant[i];
        const uint32_t *from = draw->words && !c->literal ? &draw->words[c->word] :
                                                            &code->constant_value[i];
        float *to = thread->file[c->slot].pixel;
        float value;

        memcpy(&value, from, sizeof(value));
        for (unsigned p = 0; p < NV3_FP_LANES; p++) {
            to[p] = value;
        }
    }
    nv3_fp_execute(thread, code->op, code->uniform_count, draw->level);
}

uint64_t nv3_fp_finish(NV3FpThread *thread)
{
    uint64_t samples;

    flush(thread);
    samples = thread->samples;
    thread->samples = 0;
    return samples;
}

void nv3_fp_sample(NV3FpLevel level, const NV3TexUnit *unit, const float *const coord[4],
                   float *const result[4])
{
    NV3TexRequest request = { .lod = NV3_TEX_LOD_EXPLICIT };

    for (unsigned c = 0; c < 4; c++) {
        request.coord[c] = coord[c];
        request.result[c] = result[c];
    }
    switch (level) {
#ifdef NV3_FP_HAVE_X86
    case NV3_FP_AVX512:
        nv3_fp_sample_avx512(unit, &request);
        break;
    case NV3_FP_AVX2:
        nv3_fp_sample_avx2(unit, &request);
        break;
#endif
    default:
        nv3_fp_sample_generic(unit, &request);
        break;
    }
}
