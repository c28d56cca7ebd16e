/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parts of shading that do not depend on the number of samples: interpolation, the call
 * of the program, and the order of tests. Compiled for one SIMD level.
 */
#include "fp/fp_code.h"

#define FP_VECTORS          (NV3_FP_LANES / LANES)

/* Makes the compiler load single values from an array that was stored as vectors. */
#define FP_IN_MEMORY(array)     __asm__("" : "+m" (array))

/* ---- interpolation --------------------------------------------------------- */

/* A block to interpolate for. */
typedef struct FpPixels {
    const NV3FpTriangle *tri;
    float x, y;                 /* from the triangle's reference pixel */
} FpPixels;

/* For vector @i, returns a vector with the element of @left for each pixel's line. */
LANES_INLINE LaneF fp_lines(const float *left, unsigned i)
{
#if LANES == 16
    __m512 upper = _mm512_castps256_ps512(_mm256_set1_ps(left[2 * i]));

    return (LaneF)_mm512_insertf32x8(upper, _mm256_set1_ps(left[2 * i + 1]), 1);
#else
    return lane_splat(left[i * LANES / 8]);
#endif
}

LANES_INLINE void fp_block_plane(LaneF *to, const NV3FpPlane *p, float x, float y)
{
    static const float number[16] __attribute__((aligned(64))) = {
        0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7,
    };
    const LaneF dx = lane_splat(p->dx), dy = lane_splat(p->dy);
    const LaneF corner = lane_splat(p->value) + (x * dx + y * dy);
    const LaneF across[2] = {
        *(const LaneF *)&number[0] * dx, *(const LaneF *)&number[LANES % 8] * dx,
    };
    /* value at the left end of each line of the block */
    float left[LANES > NV3_FP_BLOCK ? LANES : NV3_FP_BLOCK] __attribute__((aligned(64)));

    for (unsigned i = 0; i < NV3_FP_BLOCK; i += LANES) {
        *(LaneF *)&left[i] = corner + *(const LaneF *)&number[i] * dy;
    }
    FP_IN_MEMORY(left);
    for (unsigned i = 0; i < FP_VECTORS; i++) {
        to[i] = fp_lines(left, i) + across[i % 2];
    }
}

LANES_INLINE void fp_plane(LaneF *to, const NV3FpPlane *p, const FpPixels *at)
{
    fp_block_plane(to, p, at->x, at->y);
}

LANES_INLINE void fp_fill(LaneF *to, float value)
{
    for (unsigned i = 0; i < FP_VECTORS; i++) {
        to[i] = lane_splat(value);
    }
}

/* Returns the plane of component @c of the window position. */
LANES_INLINE NV3FpPlane fp_position_plane(const NV3FpTriangle *tri, unsigned c)
{
    switch (c) {
    case 0:
        return (NV3FpPlane) { tri->x + 0.5f, 1, 0 };
    case 1:
        return (NV3FpPlane) { tri->y + 0.5f, 0, 1 };
    case 2:
        return tri->z;
    default:
        return tri->rhw;
    }
}

/* Returns the plane multiplied by @w. */
LANES_INLINE NV3FpPlane fp_scaled_plane(const NV3FpPlane *p, float w)
{
    return (NV3FpPlane) { p->value * w, p->dx * w, p->dy * w };
}

/*
 * Returns the plane of input component @in. The caller must divide the plane's values
 * by 1/w, unless the input is linear or the triangle is affine.
 */
LANES_INLINE NV3FpPlane fp_varying_plane(const NV3FpTriangle *tri,
                                         const NV3FpCodeInput *in)
{
    const bool scaled = !(tri->linear & 1u << in->input) && tri->affine &&
                        tri->rhw.value != 1;

    return fp_scaled_plane(&tri->input[in->input][in->component],
                           scaled ? 1 / tri->rhw.value : 1);
}

/* Computes the fog factor of each pixel, from 0 to 1. */
LANES_INLINE void fp_fog_factor(LaneF *to, const FpPixels *at)
{
    const NV3FpTriangle *tri = at->tri;
    LaneF rhw[FP_VECTORS];

    fp_plane(to, &tri->input[NV3_FP_FOG][0], at);
    if (tri->affine) {
        fp_fill(rhw, tri->rhw.value);
    } else {
        fp_plane(rhw, &tri->rhw, at);
    }
    for (unsigned i = 0; i < FP_VECTORS; i++) {
        LaneF f = to[i];

        if (!(tri->linear & 1u << NV3_FP_FOG)) {
            f = f / rhw[i];
        }
        to[i] = lane_saturate(f);
    }
}

/*
 * Computes w of each pixel. Returns false if the program reads no input that needs w.
 */
LANES_INLINE bool fp_find_w(LaneF *w, const NV3FpCode *code, const FpPixels *at)
{
    const NV3FpTriangle *tri = at->tri;

    if (tri->affine || !(code->varyings & ~tri->linear)) {
        return false;
    }
    fp_plane(w, &tri->rhw, at);
    for (unsigned v = 0; v < FP_VECTORS; v++) {
        w[v] = 1.0f / w[v];
    }
    return true;
}

/*
 * The plane of input component @in, to be divided by 1/w if the input is divided by w and
 * the triangle does not have the same w everywhere.
 */
LANES_INLINE NV3FpPlane fp_input_plane(const NV3FpCodeInput *in, const NV3FpTriangle *tri)
{
    if (in->input == NV3_FP_POSITION) {
        return fp_position_plane(tri, in->component);
    }
    if (in->input == NV3_FP_FACING) {
        return (NV3FpPlane) { in->component ? 0 : tri->front ? 1 : -1, 0, 0 };
    }
    return fp_varying_plane(tri, in);
}

/*
 * Interpolates the inputs that the program reads, for a block. @prepared: their planes
 * are those of the thread's last triangle, otherwise they are computed here.
 */
LANES_INLINE void fp_interpolate_inputs(NV3FpThread *t, const FpPixels *at,
                                        NV3FpSlot *fog, bool prepared)
{
    const NV3FpCode *code = t->draw->code;
    LaneF w[FP_VECTORS];
    const unsigned divided = fp_find_w(w, code, at) ?
                             code->varyings & ~at->tri->linear : 0;
    /* Copies, because the compiler must assume that results overwrite the originals. */
    const unsigned count = code->input_count, last = t->triangles - 1;
    NV3FpSlot *const file = t->file;

    for (unsigned i = 0; i < count; i++) {
        const NV3FpCodeInput in = code->input[i];
        const NV3FpPlanes *p = &t->input[i];
        const NV3FpPlane plane = prepared ?
            (NV3FpPlane) { p->value[last], p->dx[last], p->dy[last] } :
            fp_input_plane(&in, at->tri);
        LaneF *to = (LaneF *)file[in.slot].pixel;

        fp_plane(to, &plane, at);
        for (unsigned v = 0; divided & 1u << in.input && v < FP_VECTORS; v++) {
            to[v] *= w[v];
        }
    }
    if (t->draw->pixops.fog) {
        fp_fog_factor((LaneF *)fog->pixel, at);
    }
}

/* ---- program --------------------------------------------------------------- */

/*
 * Blends @color with the fog colour by the factors @fog, and points @color to @result.
 */
static LANES_TARGET void fp_fog(const NV3FpThread *t, const NV3FpSlot *fog,
                                const float *color[4], NV3FpSlot result[3])
{
    const NV3PixopsState *s = &t->draw->pixops;

    for (unsigned i = 0; i < FP_VECTORS; i++) {
        const LaneF f = ((const LaneF *)fog->pixel)[i];

        for (unsigned c = 0; c < 3; c++) {
            LaneF from = lane_saturate(((const LaneF *)color[c])[i]);

            ((LaneF *)result[c].pixel)[i] = s->fog_color[c] +
                                            (from - s->fog_color[c]) * f;
        }
    }
    for (unsigned c = 0; c < 3; c++) {
        color[c] = result[c].pixel;
    }
}

/*
 * Returns true if the program need not run, because the draw writes at most depth and
 * stencil from the triangle.
 */
LANES_INLINE bool fp_is_without_effect(const NV3FpDraw *draw)
{
    const NV3PixopsState *s = &draw->pixops;

    return s->color_format == NV3_PIXOPS_COLOR_NONE && !s->alpha_test &&
           !draw->code->kills && draw->code->depth == NV3_FP_NO_SLOT;
}

/*
 * Runs the program, applies fog with the factors @fog, and points @color to the
 * results.
 */
LANES_INLINE void fp_run(NV3FpThread *t, const NV3FpSlot *fog, const float *color[4],
                         NV3FpSlot fogged[3])
{
    const NV3FpCode *code = t->draw->code;

    t->killed = 0;
    FP_NAME(nv3_fp_execute)(t, code->op + code->uniform_count, code->count);
    for (unsigned c = 0; c < 4; c++) {
        color[c] = t->file[code->color[c]].pixel;
    }
    if (t->draw->pixops.fog) {
        fp_fog(t, fog, color, fogged);
    }
}

/*
 * Returns the depths that late tests compare. @z: depths of the triangle, which the
 * program may replace.
 */
LANES_INLINE const float *fp_late_depth(const NV3FpThread *t, const NV3FpSlot *z)
{
    const NV3FpCode *code = t->draw->code;

    return code->depth != NV3_FP_NO_SLOT ? t->file[code->depth].pixel : z->pixel;
}

/* A block, and its memory in the surfaces. */
typedef struct FpBlock {
    int32_t x, y;
    NV3PixopsPlace color, zeta;
} FpBlock;
