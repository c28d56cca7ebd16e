/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shades blocks: interpolates inputs, runs the program, and executes pixel operations.
 * Compiled once for each SIMD level.
 *
 * A program always runs for 64 pixels. A block in which most pixels pass the early tests
 * is shaded immediately. In other blocks, the pixels that pass are deferred until 64
 * pixels, or 16 quads, can be shaded together (fp_pixel_loops.h, fp_strip_loops.h). Most
 * deferred pixels belong to small triangles or to edges.
 */
#include "fp/fp_deferred_loops.h"

/*
 * A block with more covered quads or pixels than this is shaded immediately. The limits
 * are tuned with core.tri25.programs (make bench).
 */
#define FP_QUADS_MAX    12
#define FP_PIXELS_MAX   48

/*
 * Returns the mask of the covered quads of a block. Bit y * 8 + x is set if any pixel of
 * the quad with its first pixel at x, y is covered.
 */
LANES_INLINE uint64_t fp_quads(uint64_t mask)
{
    mask |= mask >> 1;
    return (mask | mask >> 8) & 0x0055005500550055;
}

#include "fp/fp_pixel_loops.h"
#include "fp/fp_strip_loops.h"

static LANES_TARGET void fp_shade_deferred(NV3FpThread *t)
{
    if (t->quads) {
        fp_shade_strips(t);
    } else {
        fp_shade_pixels(t);
    }
}

LANES_TARGET void FP_NAME(nv3_fp_shade_deferred)(NV3FpThread *t)
{
    fp_shade_deferred(t);
}

/* Returns true if the block is completely in the surfaces. */
LANES_INLINE bool fp_is_inner(const NV3FpThread *t, int32_t x, int32_t y)
{
    return x + 8 <= t->inner_width && y + 8 <= t->inner_height;
}

/*
 * Returns the address of a block that is completely in surface @s. @bytes: size of a
 * pixel. If there is no such surface, s->base is null, and the result must not be used.
 * Adding an offset to a null pointer would be undefined, so adds integers.
 */
LANES_INLINE NV3PixopsPlace fp_inner_place(const NV3PixopsSurface *s, unsigned bytes,
                                           int32_t x, int32_t y)
{
    const uintptr_t offset = (uintptr_t)y * s->pitch + (uintptr_t)x * bytes;

    return (NV3PixopsPlace) { (uint8_t *)((uintptr_t)s->base + offset), s->pitch, 8, 8 };
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

/* Returns the dither offsets of a block. @to: buffer for the offsets. */
LANES_INLINE const PixFloats *fp_block_dither(PixFloats *to, const NV3PixopsState *s,
                                              const FpBlock *block)
{
    const uint32_t first = block->y << 16 | block->x;

    if (!pix_dithers(s) || fp_dither_index(first) == 0) {
        return &pix_dither[s->dither];
    }
    for (unsigned i = 0; i < NV3_FP_LANES; i++) {
        const unsigned at = fp_dither_index(first + FP_INSIDE(i));

        to->pixel[i] = pix_dither[s->dither].pixel[at];
    }
    return to;
}

/*
 * Runs the program for the pixels of @mask in the block at @x, @y, which triangle @n
 * covers, and executes the remaining pixel operations.
 */
static LANES_TARGET __attribute__((noinline))
void fp_shade_block(NV3FpThread *t, unsigned n, int32_t x, int32_t y, uint64_t mask)
{
    const NV3PixopsState *s = &t->draw->pixops;
    FpBlock block = { .x = x, .y = y };
    NV3FpSlot fog, fogged[3], z;
    const float *color[4];
    PixFloats pattern;
    FpGrid grid;

    if (!fp_find_block(t, &block, fp_is_inner(t, x, y), &mask)) {
        return;
    }
    if (fp_is_waiting(t, x, y)) {
        fp_shade_deferred(t);
    }
    grid = fp_block_grid(t, &block, n);
    fp_interpolate_inputs(t, &grid, n, &fog);
    fp_run(t, &fog, color, fogged);
    mask &= ~t->killed;
    if (s->alpha_test) {
        mask = pix_alpha_test(s, color[3], mask, PIX_VECTORS);
    }
    if (mask && t->zeta >= NV3_FP_ZETA_TWICE) {
        fp_block_depth((LaneF *)z.pixel, &grid, t->z.value[n], t->z.dx[n], t->z.dy[n]);
        mask = pix_zeta_block(s, t->front[n], &block.zeta, fp_late_depth(t, &z), mask,
                              true);
    }
    if (mask && s->color_format != NV3_PIXOPS_COLOR_NONE) {
        pix_color_block(s, &block.color, color, fp_block_dither(&pattern, s, &block),
                        mask);
    }
    t->samples += __builtin_popcountll(mask);
}

/* Defers the pixels of @mask in the block at @x, @y, which triangle @n covers. */
LANES_INLINE void fp_defer(NV3FpThread *t, unsigned n, int32_t x, int32_t y,
                           uint64_t mask)
{
    fp_make_room(t, n);
    if (!t->quads) {
        fp_append_pixels(t, n, x, y, mask);
        if (t->deferred.count < NV3_FP_LANES) {
            return;
        }
    } else {
        if (t->separate) {
            fp_separate_strip(t, n, x, y, mask);
        }
        fp_append_quads(t, n, x, y, mask);
        if (t->deferred.count < NV3_FP_QUADS) {
            return;
        }
    }
    fp_shade_deferred(t);
}

/*
 * Executes the early depth and stencil tests of a block. Returns the mask of the pixels
 * that pass.
 */
LANES_INLINE uint64_t fp_test_block(const NV3FpThread *t, const NV3FpTriangles *g,
                                    const NV3FpBlocks *b, unsigned i)
{
    const unsigned n = b->triangle[i];
    FpBlock block = { .x = b->x[i], .y = b->y[i] };
    uint64_t mask = b->mask[i][0];
    NV3FpSlot z;

    if (!fp_find_block(t, &block, fp_is_inner(t, block.x, block.y), &mask)) {
        return 0;
    }
    fp_depth_plane((LaneF *)z.pixel, g->z.value[n], g, b, i);
    return pix_zeta_block(&t->draw->pixops, g->front[n], &block.zeta, z.pixel, mask,
                          t->zeta == NV3_FP_ZETA_EARLY);
}

/* Executes the early tests. Removes a block if none of its pixels passes. */
LANES_INLINE void fp_test_blocks(const NV3FpThread *t, const NV3FpTriangles *g,
                                 NV3FpBlocks *b)
{
    unsigned count = 0;

    for (unsigned i = 0; i < b->count; i++) {
        const uint64_t mask = fp_test_block(t, g, b, i);

        b->triangle[count] = b->triangle[i];
        b->x[count] = b->x[i];
        b->y[count] = b->y[i];
        b->mask[count][0] = mask;
        count += mask != 0;
    }
    b->count = count;
}

/*
 * Stores the group in the tables. First shades the deferred pixels if they cannot be
 * shaded together with the group's pixels, or if the group would replace their triangles.
 */
LANES_INLINE void fp_enter_group(NV3FpThread *t, const NV3FpTriangles *g)
{
    const NV3FpDeferred *d = &t->deferred;

    t->first ^= NV3_FP_GROUP;
    /* Of all deferred pixels, those of the oldest triangles come first. */
    if (d->count && (t->linear != g->linear ||
                     ((d->triangle[0] ^ t->first) & NV3_FP_GROUP) == 0)) {
        fp_shade_deferred(t);
    }
    fp_load_group(t, g);
}

LANES_TARGET void FP_NAME(nv3_fp_shade)(NV3FpThread *t, const NV3FpTriangles *g,
                                        NV3FpBlocks *b)
{
    const bool drop = fp_is_without_effect(t->draw);

    if (t->zeta == NV3_FP_ZETA_EARLY || t->zeta == NV3_FP_ZETA_TWICE) {
        fp_test_blocks(t, g, b);
        if (!b->count) {
            return;
        }
    }
    if (!drop && !t->loaded) {
        fp_enter_group(t, g);
    }
    for (unsigned i = 0; i < b->count; i++) {
        const uint64_t mask = b->mask[i][0];
        const int32_t x = b->x[i], y = b->y[i];
        const unsigned n = t->first + b->triangle[i];

        if (drop) {
            t->samples += __builtin_popcountll(mask);
        } else if (fp_is_inner(t, x, y) &&
                   (t->quads ? __builtin_popcountll(fp_quads(mask)) <= FP_QUADS_MAX :
                               __builtin_popcountll(mask) <= FP_PIXELS_MAX)) {
            fp_defer(t, n, x, y, mask);
        } else {
            fp_shade_block(t, n, x, y, mask);
        }
    }
}
