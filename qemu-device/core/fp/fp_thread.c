/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Manages the fragment engine's state of each thread, and calls the implementations for
 * the draw's SIMD level.
 */
#include <stdlib.h>
#include <string.h>

#include "fp/fp_code.h"

/*
 * Number of slots of a register file. Slot numbers have 16 bits. The host allocates only
 * the pages that programs have used.
 */
#define SLOTS       65536

/* Costs of a block of 8 x 8 pixels, in nanoseconds (make bench, core.fp.*). */
#define COST_BLOCK  64      /* inputs, pixel operations */
#define COST_OP     8

/* Cost of filling all lanes of a slot with a constant, in nanoseconds. */
#define COST_CONSTANT   4

static void list_bits(uint8_t numbers[8], unsigned bits)
{
    for (; bits; bits &= bits - 1) {
        *numbers++ = __builtin_ctz(bits);
    }
}

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
    for (unsigned i = 0; i < 256; i++) {
        list_bits(thread->bit_numbers[i], i);
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

void nv3_fp_run_code(NV3FpThread *thread)
{
    switch (thread->draw->level) {
#ifdef NV3_FP_HAVE_X86
    case NV3_FP_AVX512:
        nv3_fp_run_code_avx512(thread);
        break;
    case NV3_FP_AVX2:
        nv3_fp_run_code_avx2(thread);
        break;
#endif
    default:
        nv3_fp_run_code_generic(thread);
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

unsigned nv3_fp_begin_cost(const NV3FpDraw *draw)
{
    const NV3FpCode *code = draw->code;

    return code->constant_count * COST_CONSTANT + code->uniform_count * COST_OP;
}

void nv3_fp_begin_group(NV3FpThread *thread)
{
    thread->loaded = false;
}

void nv3_fp_shade_blocks(NV3FpThread *thread, const NV3FpTriangles *group,
                         NV3FpBlocks *blocks)
{
    const bool samples = thread->draw->pixops.multisample;

    switch (thread->draw->level) {
#ifdef NV3_FP_HAVE_X86
    case NV3_FP_AVX512:
        (samples ? nv3_fp_shade_samples_avx512 : nv3_fp_shade_avx512)(thread, group,
                                                                      blocks);
        break;
    case NV3_FP_AVX2:
        (samples ? nv3_fp_shade_samples_avx2 : nv3_fp_shade_avx2)(thread, group, blocks);
        break;
#endif
    default:
        (samples ? nv3_fp_shade_samples_generic : nv3_fp_shade_generic)(thread, group,
                                                                        blocks);
        break;
    }
}

/* Shades the deferred pixels, if any. */
static void flush(NV3FpThread *thread)
{
    if (!thread->deferred.count) {
        return;
    }
    switch (thread->draw->level) {
#ifdef NV3_FP_HAVE_X86
    case NV3_FP_AVX512:
        nv3_fp_shade_deferred_avx512(thread);
        break;
    case NV3_FP_AVX2:
        nv3_fp_shade_deferred_avx2(thread);
        break;
#endif
    default:
        nv3_fp_shade_deferred_generic(thread);
        break;
    }
}

static void set_planes(NV3FpGroupPlanes *to, unsigned i, const NV3FpPlane *plane)
{
    to->value[i] = plane->value;
    to->dx[i] = plane->dx;
    to->dy[i] = plane->dy;
}

void nv3_fp_set_triangle(NV3FpTriangles *group, unsigned i, const NV3FpTriangle *tri)
{
    group->x[i] = tri->x;
    group->y[i] = tri->y;
    group->front[i] = tri->front ? -1 : 0;
    group->affine[i] = tri->affine ? -1 : 0;
    group->linear = tri->linear;
    set_planes(&group->rhw, i, &tri->rhw);
    set_planes(&group->z, i, &tri->z);
    for (unsigned n = 0; n < NV3_FP_INPUTS; n++) {
        for (unsigned c = 0; c < 4; c++) {
            set_planes(&group->input[n][c], i, &tri->input[n][c]);
        }
    }
}

/* ---- draws ----------------------------------------------------------------- */

/* Limits @inner_width and @inner_height to the pixels that are in the memory of @s. */
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
     * Deferred pixels at the same position may still write their depths. A test may run
     * early only if a pixel that fails now would also fail after these writes.
     */
    return stencil || s->depth_func == NV3_PIXOPS_NOTEQUAL ? NV3_FP_ZETA_LATE :
                                                             NV3_FP_ZETA_TWICE;
}

/* Returns true if sampling one of @units depends on the third texture coordinate. */
static bool uses_third(const NV3FpDraw *draw, unsigned units)
{
    for (; units; units &= units - 1) {
        const NV3TexUnit *unit = draw->unit[__builtin_ctz(units)];

        if (unit && (unit->image.dim != NV3_TEX_2D || unit->depth)) {
            return true;
        }
    }
    return false;
}

/* Sets @live to the inputs that affect the draw's results. */
static void find_live_inputs(NV3FpThread *thread, const NV3FpDraw *draw)
{
    const NV3FpCode *code = draw->code;

    thread->live_count = 0;
    for (unsigned i = 0; i < code->input_count; i++) {
        const NV3FpCodeInput *in = &code->input[i];

        if (!in->third || uses_third(draw, in->third)) {
            thread->live[thread->live_count++] = *in;
        }
    }
}

/* Returns true if an operation needs differences between the pixels of a quad. */
static bool needs_quads(const NV3FpDraw *draw)
{
    const NV3FpCode *code = draw->code;

    for (unsigned i = code->uniform_count; i < code->uniform_count + code->count; i++) {
        const NV3FpOp *op = &code->op[i];
        const NV3TexUnit *unit = op->kind == NV3_FP_OP_TEX ? draw->unit[op->unit] : NULL;

        if (op->kind == NV3_FP_OP_DDX || op->kind == NV3_FP_OP_DDY ||
            (unit && unit->needs_lod &&
             (op->lod == NV3_TEX_LOD_IMPLICIT || op->lod == NV3_TEX_LOD_BIAS))) {
            return true;
        }
    }
    return false;
}

void nv3_fp_begin(NV3FpThread *thread, const NV3FpDraw *draw)
{
    const NV3FpCode *code = draw->code;

    flush(thread);
    thread->draw = draw;
    thread->loaded = false;
    thread->zeta = nv3_fp_zeta(draw);
    thread->reads = nv3_pixops_reads_color(&draw->pixops);
    thread->separate = thread->reads || thread->zeta >= NV3_FP_ZETA_TWICE;
    thread->quads = thread->separate || needs_quads(draw);
    find_inner(thread, &draw->pixops);
    find_live_inputs(thread, draw);
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
