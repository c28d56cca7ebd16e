/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shades blocks: interpolates, runs the program, and executes pixel operations.
 * Compiled for one SIMD level.
 *
 * A program always runs for 64 pixels: for a block, or for four strips of four quads
 * each. A block in which a triangle covers most quads is shaded at once. In other
 * blocks, the covered quads are deferred until 16 quads can be shaded together
 * (fp_strip_loops.h). Most deferred quads belong to small triangles or to edges.
 */
#include "fp/fp_strip_loops.h"

static LANES_TARGET void fp_shade_block(NV3FpThread *t, const NV3FpTriangle *tri,
                                        const FpBlock *block, uint64_t mask)
{
    const FpPixels at = { tri, block->x - tri->x, block->y - tri->y };
    const NV3PixopsState *s = &t->draw->pixops;
    const FpZeta zeta = fp_zeta(t->draw);
    NV3FpSlot z, fog, fogged[3];
    const float *color[4];

    if (zeta != FP_ZETA_NONE) {
        fp_plane((LaneF *)z.pixel, &tri->z, &at);
    }
    if (zeta == FP_ZETA_EARLY || zeta == FP_ZETA_TWICE) {
        mask = pix_zeta_block(s, tri->front, &block->zeta, z.pixel, mask,
                              zeta == FP_ZETA_EARLY);
        if (!mask) {
            return;
        }
    }
    if (fp_is_without_effect(t->draw)) {
        t->samples += __builtin_popcountll(mask);
        return;
    }
    if (!t->current) {
        fp_add_triangle(t, tri);
    }
    fp_interpolate_inputs(t, &at, &fog, true);
    fp_run(t, &fog, color, fogged);
    mask &= ~t->killed;
    if (s->alpha_test) {
        mask = pix_alpha_test(s, color[3], mask, PIX_VECTORS);
    }
    if (mask && (zeta == FP_ZETA_TWICE || zeta == FP_ZETA_LATE)) {
        mask = pix_zeta_block(s, tri->front, &block->zeta, fp_late_depth(t, &z), mask,
                              true);
    }
    if (mask && s->color_format != NV3_PIXOPS_COLOR_NONE) {
        pix_color_block(s, &block->color, color, mask);
    }
    t->samples += __builtin_popcountll(mask);
}

/*
 * Finds the block in the surfaces. Clears bits of @mask for pixels that are outside.
 * Returns false if no pixel remains.
 */
LANES_INLINE bool fp_find_block(const NV3FpDraw *draw, FpBlock *block, uint64_t *mask)
{
    const NV3PixopsState *s = &draw->pixops;

    if (s->color_format != NV3_PIXOPS_COLOR_NONE) {
        if (!pix_color_place(&block->color, s, block->x, block->y)) {
            return false;
        }
        *mask &= pix_place_mask(&block->color);
    }
    if (fp_zeta(draw) != FP_ZETA_NONE) {
        if (!pix_place(&block->zeta, &s->zeta, nv3_pixops_zeta_bytes(s), block->x,
                       block->y)) {
            return false;
        }
        *mask &= pix_place_mask(&block->zeta);
    }
    return *mask;
}

LANES_TARGET void FP_NAME(nv3_fp_shade)(NV3FpThread *t, const NV3FpTriangle *tri,
                                        int32_t x, int32_t y, uint64_t mask)
{
    const bool inner = x + 8 <= t->inner_width && y + 8 <= t->inner_height;
    const uint64_t quads = fp_quads(mask);
    FpBlock block = { .x = x, .y = y };

    if (inner && __builtin_popcountll(quads) <= FP_STRIP_QUADS_MAX) {
        fp_add_quads(t, tri, x, y, mask, quads);
        return;
    }
    if (!fp_find_block(t->draw, &block, &mask)) {
        return;
    }
    if (fp_is_waiting(t, x, y)) {
        FP_NAME(nv3_fp_shade_strips)(t);
    }
    fp_shade_block(t, tri, &block, mask);
}
