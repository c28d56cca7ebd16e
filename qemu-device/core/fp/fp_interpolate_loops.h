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
    unsigned n;                 /* index of the triangle in NV3FpThread */
    float x, y;                 /* from the triangle's reference pixel */
} FpPixels;

LANES_INLINE FpPixels fp_pixels(const NV3FpThread *t, unsigned n, int32_t x, int32_t y)
{
    return (FpPixels) { n, x - t->x[n], y - t->y[n] };
}

LANES_INLINE NV3FpPlane fp_plane_of(const NV3FpPlanes *p, unsigned n)
{
    return (NV3FpPlane) { p->value[n], p->dx[n], p->dy[n] };
}

/* Returns, for each pixel of vector @i, the element of @left for the pixel's line. */
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

LANES_INLINE void fp_plane(LaneF *to, const NV3FpPlanes *p, const FpPixels *at)
{
    const NV3FpPlane plane = fp_plane_of(p, at->n);

    fp_block_plane(to, &plane, at->x, at->y);
}

/* Computes the fog factor of each pixel, from 0 to 1. */
LANES_INLINE void fp_fog_factor(const NV3FpThread *t, LaneF *to, const FpPixels *at)
{
    LaneF rhw[FP_VECTORS];

    fp_plane(to, &t->fog, at);
    fp_plane(rhw, &t->fog_rhw, at);
    for (unsigned i = 0; i < FP_VECTORS; i++) {
        LaneF f = to[i];

        if (!(t->linear & 1u << NV3_FP_FOG)) {
            f = f / rhw[i];
        }
        to[i] = lane_saturate(f);
    }
}

/* Computes w of each pixel. Returns false if no input needs w. */
LANES_INLINE bool fp_find_w(const NV3FpThread *t, LaneF *w, const FpPixels *at)
{
    if (t->affine[at->n] || !(t->draw->code->varyings & ~t->linear)) {
        return false;
    }
    fp_plane(w, &t->rhw, at);
    for (unsigned v = 0; v < FP_VECTORS; v++) {
        w[v] = 1.0f / w[v];
    }
    return true;
}

/* Interpolates the inputs in @live for a block. */
LANES_INLINE void fp_interpolate_inputs(NV3FpThread *t, const FpPixels *at,
                                        NV3FpSlot *fog)
{
    const NV3FpCode *code = t->draw->code;
    LaneF w[FP_VECTORS];
    const unsigned divided = fp_find_w(t, w, at) ? code->varyings & ~t->linear : 0;
    /* Copies, because the compiler must assume that results overwrite the originals. */
    const unsigned count = t->live_count;
    NV3FpSlot *const file = t->file;

    for (unsigned i = 0; i < count; i++) {
        const NV3FpCodeInput in = t->live[i];
        LaneF *to = (LaneF *)file[in.slot].pixel;

        fp_plane(to, &t->input[i], at);
        for (unsigned v = 0; divided & 1u << in.input && v < FP_VECTORS; v++) {
            to[v] *= w[v];
        }
    }
    if (t->draw->pixops.fog) {
        fp_fog_factor(t, (LaneF *)fog->pixel, at);
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
 * Returns true if the program need not run, because the draw writes no colour and has no
 * alpha test, and the program neither kills pixels nor writes depth.
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
