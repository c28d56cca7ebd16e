/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shades blocks: interpolates, runs the program, and executes pixel operations.
 * Compiled for one SIMD level.
 *
 * A program always runs for 64 pixels: for a block, or for four strips of four quads
 * each. A block in which most quads pass the early tests is shaded at once. In other
 * blocks, the passing quads are deferred until 16 quads can be shaded together
 * (fp_strip_loops.h). Most deferred quads belong to small triangles or to edges.
 */
#include "fp/fp_strip_loops.h"

/*
 * Runs the program for the pixels of @mask, and executes the remaining pixel operations.
 */
static LANES_TARGET void fp_shade_block(NV3FpThread *t, const FpPixels *at,
                                        const FpBlock *block, const NV3FpSlot *z,
                                        uint64_t mask)
{
    const NV3PixopsState *s = &t->draw->pixops;
    NV3FpSlot fog, fogged[3];
    const float *color[4];

    if (fp_is_waiting(t, block->x, block->y)) {
        FP_NAME(nv3_fp_shade_strips)(t);
    }
    fp_interpolate_inputs(t, at, &fog);
    fp_run(t, &fog, color, fogged);
    mask &= ~t->killed;
    if (s->alpha_test) {
        mask = pix_alpha_test(s, color[3], mask, PIX_VECTORS);
    }
    if (mask && t->zeta >= NV3_FP_ZETA_TWICE) {
        mask = pix_zeta_block(s, t->front[at->n], &block->zeta, fp_late_depth(t, z), mask,
                              true);
    }
    if (mask && s->color_format != NV3_PIXOPS_COLOR_NONE) {
        pix_color_block(s, &block->color, color, mask);
    }
    t->samples += __builtin_popcountll(mask);
}

/* Returns true if the block is completely in the surfaces. */
LANES_INLINE bool fp_is_inner(const NV3FpThread *t, int32_t x, int32_t y)
{
    return x + 8 <= t->inner_width && y + 8 <= t->inner_height;
}

/* Returns the address of a block that is completely in the surface. */
LANES_INLINE NV3PixopsPlace fp_inner_place(const NV3PixopsSurface *s, unsigned bytes,
                                           int32_t x, int32_t y)
{
    return (NV3PixopsPlace) { s->base + (size_t)y * s->pitch + (size_t)x * bytes,
                              s->pitch, 8, 8 };
}

/*
 * Computes the addresses of the block in the surfaces. Clears bits of @mask for pixels
 * outside the surfaces. @inner: fp_is_inner() of the block. Returns false if no pixel
 * remains.
 */
LANES_INLINE bool fp_find_block(const NV3FpThread *t, FpBlock *block, bool inner,
                                uint64_t *mask)
{
    const NV3PixopsState *s = &t->draw->pixops;

    if (inner) {
        block->color = fp_inner_place(&s->color, pix_formats[s->color_format].bytes,
                                      block->x, block->y);
        block->zeta = fp_inner_place(&s->zeta, nv3_pixops_zeta_bytes(s), block->x,
                                     block->y);
        return *mask;
    }
    if (s->color_format != NV3_PIXOPS_COLOR_NONE) {
        if (!pix_color_place(&block->color, s, block->x, block->y)) {
            return false;
        }
        *mask &= pix_place_mask(&block->color);
    }
    if (t->zeta != NV3_FP_ZETA_NONE) {
        if (!pix_place(&block->zeta, &s->zeta, nv3_pixops_zeta_bytes(s), block->x,
                       block->y)) {
            return false;
        }
        *mask &= pix_place_mask(&block->zeta);
    }
    return *mask;
}

LANES_TARGET void FP_NAME(nv3_fp_shade)(NV3FpThread *t, unsigned n, int32_t x, int32_t y,
                                        uint64_t mask)
{
    const FpPixels at = fp_pixels(t, n, x, y);
    const NV3PixopsState *s = &t->draw->pixops;
    const bool inner = fp_is_inner(t, x, y);
    FpBlock block = { .x = x, .y = y };
    NV3FpSlot z;

    if (!fp_find_block(t, &block, inner, &mask)) {
        return;
    }
    if (t->zeta != NV3_FP_ZETA_NONE) {
        fp_plane((LaneF *)z.pixel, &t->z, &at);
    }
    if (t->zeta == NV3_FP_ZETA_EARLY || t->zeta == NV3_FP_ZETA_TWICE) {
        mask = pix_zeta_block(s, t->front[n], &block.zeta, z.pixel, mask,
                              t->zeta == NV3_FP_ZETA_EARLY);
        if (!mask) {
            return;
        }
    }
    if (fp_is_without_effect(t->draw)) {
        t->samples += __builtin_popcountll(mask);
        return;
    }
    if (inner && __builtin_popcountll(fp_quads(mask)) <= FP_STRIP_QUADS_MAX) {
        fp_defer(t, n, x, y, mask);
    } else {
        fp_shade_block(t, &at, &block, &z, mask);
    }
}
