/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Register files of threads, and the choice of the SIMD level. */
#include <stdlib.h>
#include <string.h>

#include "fp/fp_code.h"

/*
 * Number of slots of a register file. Slot numbers have 16 bits. The host commits only
 * pages that programs have used.
 */
#define SLOTS       65536

/* Costs of a block of 8 x 8 pixels, in nanoseconds (make bench, core.fp.*). */
#define COST_BLOCK  256     /* inputs, pixel operations */
#define COST_OP     8

static uint32_t bit_numbers(unsigned bits)
{
    uint32_t numbers = 0;

    for (unsigned shift = 0; bits; bits &= bits - 1, shift += 4) {
        numbers |= (uint32_t)__builtin_ctz(bits) << shift;
    }
    return numbers;
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
        thread->bit_numbers[i] = bit_numbers(i);
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

void nv3_fp_shade_member(NV3FpThread *thread, unsigned i, int32_t x, int32_t y,
                         uint64_t mask)
{
    const unsigned n = thread->group + i;

    switch (thread->draw->level) {
#ifdef NV3_FP_HAVE_X86
    case NV3_FP_AVX512:
        nv3_fp_shade_avx512(thread, n, x, y, mask);
        break;
    case NV3_FP_AVX2:
        nv3_fp_shade_avx2(thread, n, x, y, mask);
        break;
#endif
    default:
        nv3_fp_shade_generic(thread, n, x, y, mask);
        break;
    }
}

void nv3_fp_shade_samples(NV3FpThread *thread, unsigned i, int32_t x, int32_t y,
                          const uint64_t mask[NV3_PIXOPS_SAMPLES])
{
    const unsigned n = thread->group + i;

    switch (thread->draw->level) {
#ifdef NV3_FP_HAVE_X86
    case NV3_FP_AVX512:
        nv3_fp_shade_samples_avx512(thread, n, x, y, mask);
        break;
    case NV3_FP_AVX2:
        nv3_fp_shade_samples_avx2(thread, n, x, y, mask);
        break;
#endif
    default:
        nv3_fp_shade_samples_generic(thread, n, x, y, mask);
        break;
    }
}

/* Shades the deferred quads, if any, and removes all triangles. */
static void flush(NV3FpThread *thread)
{
    thread->current = false;
    thread->triangles = 0;
    if (!thread->quads) {
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

/* ---- triangles ------------------------------------------------------------- */

/* Copies planes, multiplied by @scale, to the group that begins at @first. */
static void copy_planes(NV3FpPlanes *to, unsigned first, const NV3FpGroupPlanes *from,
                        const float scale[NV3_FP_GROUP])
{
    for (unsigned i = 0; i < NV3_FP_GROUP; i++) {
        to->value[first + i] = from->value[i] * scale[i];
        to->dx[first + i] = from->dx[i] * scale[i];
        to->dy[first + i] = from->dy[i] * scale[i];
    }
}

/* Sets the planes of component @c of the window position. */
static void set_position(NV3FpPlanes *to, unsigned first, const NV3FpTriangles *g,
                         unsigned c)
{
    static const float one[NV3_FP_GROUP] = { 1, 1, 1, 1, 1, 1, 1, 1 };

    if (c >= 2) {
        copy_planes(to, first, c == 2 ? &g->z : &g->rhw, one);
        return;
    }
    for (unsigned i = 0; i < NV3_FP_GROUP; i++) {
        to->value[first + i] = (c ? g->y[i] : g->x[i]) + 0.5f;
        to->dx[first + i] = !c;
        to->dy[first + i] = c;
    }
}

/* Sets the planes of an input component. @scale: factor of inputs with perspective. */
static void set_input(NV3FpPlanes *to, unsigned first, const NV3FpTriangles *g,
                      const NV3FpCodeInput *in, const float scale[NV3_FP_GROUP])
{
    static const float one[NV3_FP_GROUP] = { 1, 1, 1, 1, 1, 1, 1, 1 };

    if (in->input == NV3_FP_POSITION) {
        set_position(to, first, g, in->component);
        return;
    }
    if (in->input == NV3_FP_FACING) {
        for (unsigned i = 0; i < NV3_FP_GROUP; i++) {
            to->value[first + i] = in->component ? 0 : g->front[i] ? 1 : -1;
            to->dx[first + i] = to->dy[first + i] = 0;
        }
        return;
    }
    copy_planes(to, first, &g->input[in->input][in->component],
                g->linear & 1u << in->input ? one : scale);
}

void nv3_fp_begin_group(NV3FpThread *thread, const NV3FpTriangles *group)
{
    static const float one[NV3_FP_GROUP] = { 1, 1, 1, 1, 1, 1, 1, 1 };
    const unsigned first = thread->triangles == NV3_FP_GROUP ? NV3_FP_GROUP : 0;
    float scale[NV3_FP_GROUP];

    /*
     * If the replaced group still has deferred quads, the oldest quad belongs to this
     * group.
     */
    if (thread->quads &&
        (thread->linear != group->linear ||
         (unsigned)thread->deferred.triangle[0] - first < NV3_FP_GROUP)) {
        flush(thread);
    }
    thread->group = first;
    thread->triangles = first + NV3_FP_GROUP;
    thread->linear = group->linear;
    memcpy(thread->x + first, group->x, sizeof(group->x));
    memcpy(thread->y + first, group->y, sizeof(group->y));
    memcpy(thread->front + first, group->front, sizeof(group->front));
    memcpy(thread->affine + first, group->affine, sizeof(group->affine));
    copy_planes(&thread->z, first, &group->z, one);
    for (unsigned i = 0; i < NV3_FP_GROUP; i++) {
        scale[i] = group->affine[i] ? 1 / group->rhw.value[i] : 1;
        thread->rhw.value[first + i] = group->affine[i] ? 1 : group->rhw.value[i];
        thread->rhw.dx[first + i] = group->affine[i] ? 0 : group->rhw.dx[i];
        thread->rhw.dy[first + i] = group->affine[i] ? 0 : group->rhw.dy[i];
    }
    for (unsigned i = 0; i < thread->live_count; i++) {
        set_input(&thread->input[i], first, group, &thread->live[i], scale);
    }
    if (thread->draw->pixops.fog) {
        copy_planes(&thread->fog, first, &group->input[NV3_FP_FOG][0], one);
        copy_planes(&thread->fog_rhw, first, &group->rhw, one);
    }
}

static void set_member(NV3FpGroupPlanes *to, const NV3FpPlane *plane)
{
    to->value[0] = plane->value;
    to->dx[0] = plane->dx;
    to->dy[0] = plane->dy;
}

/* Begins a group of which only the first triangle is used. */
static void begin_triangle(NV3FpThread *thread, const NV3FpTriangle *tri)
{
    NV3FpTriangles group = {
        .x = { tri->x }, .y = { tri->y }, .front = { tri->front ? -1 : 0 },
        .affine = { tri->affine ? -1 : 0 }, .linear = tri->linear,
    };

    set_member(&group.rhw, &tri->rhw);
    set_member(&group.z, &tri->z);
    for (unsigned i = 0; i < NV3_FP_INPUTS; i++) {
        for (unsigned c = 0; c < 4; c++) {
            set_member(&group.input[i][c], &tri->input[i][c]);
        }
    }
    nv3_fp_begin_group(thread, &group);
    thread->current = true;
}

void nv3_fp_shade_block(NV3FpThread *thread, const NV3FpTriangle *tri,
                        int32_t x, int32_t y, uint64_t mask)
{
    if (!thread->current) {
        begin_triangle(thread, tri);
    }
    nv3_fp_shade_member(thread, 0, x, y, mask);
}

void nv3_fp_end_triangle(NV3FpThread *thread)
{
    thread->current = false;
}

/* ---- draws ----------------------------------------------------------------- */

/* Limits inner_width and inner_height to the pixels that are in the surface's memory. */
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
     * A test may run early only if a pixel that fails would also fail later, after
     * deferred pixels at the same place have written their depths.
     */
    return stencil || s->depth_func == NV3_PIXOPS_NOTEQUAL ? NV3_FP_ZETA_LATE :
                                                             NV3_FP_ZETA_TWICE;
}

/* Returns true if one of @units reads the third coordinate of texture operations. */
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

/* Lists the inputs that affect the results. */
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

void nv3_fp_begin(NV3FpThread *thread, const NV3FpDraw *draw)
{
    const NV3FpCode *code = draw->code;

    flush(thread);
    thread->draw = draw;
    thread->zeta = nv3_fp_zeta(draw);
    thread->reads = nv3_pixops_reads_color(&draw->pixops);
    thread->separate = thread->reads || thread->zeta >= NV3_FP_ZETA_TWICE;
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
