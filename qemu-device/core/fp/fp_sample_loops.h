/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shades blocks with four samples for each pixel. Compiled once for each SIMD level.
 * Shading with one sample is in another translation unit, so that the compiler inlines
 * the shared functions in both.
 *
 * The program runs once for each pixel, at its centre. Each sample has its own
 * coverage, depth, stencil value and stored colour. No quad is deferred.
 */

/*
 * Returns the stage at which a draw with several samples tests depth and stencil. Never
 * returns NV3_FP_ZETA_TWICE.
 */
LANES_INLINE NV3FpZeta fp_sample_zeta(const NV3FpDraw *draw)
{
    const NV3FpZeta zeta = nv3_fp_zeta(draw);

    return zeta == NV3_FP_ZETA_TWICE ||
           (zeta == NV3_FP_ZETA_EARLY && draw->pixops.alpha_to_coverage) ?
           NV3_FP_ZETA_LATE : zeta;
}

/*
 * Computes the addresses of the block in the surfaces. Clears bits of @mask for samples
 * outside the surfaces or the sample mask. Returns false if no sample remains.
 */
LANES_INLINE bool fp_find_samples(const NV3FpDraw *draw, FpBlock *block,
                                  uint64_t mask[NV3_PIXOPS_SAMPLES])
{
    const NV3PixopsState *s = &draw->pixops;
    uint64_t inside = ~0ull, any = 0;

    if (s->color_format != NV3_PIXOPS_COLOR_NONE) {
        if (!pix_samples_place(&block->color, &s->color,
                               pix_formats[s->color_format].bytes, block->x, block->y)) {
            return false;
        }
        inside &= pix_place_mask(&block->color);
    }
    if (nv3_fp_zeta(draw) != NV3_FP_ZETA_NONE) {
        if (!pix_samples_place(&block->zeta, &s->zeta, nv3_pixops_zeta_bytes(s), block->x,
                               block->y)) {
            return false;
        }
        inside &= pix_place_mask(&block->zeta);
    }
    for (unsigned i = 0; i < NV3_PIXOPS_SAMPLES; i++) {
        mask[i] &= s->sample_mask & 1u << i ? inside : 0;
        any |= mask[i];
    }
    return any;
}

/* Computes the depths of all samples of block @n of @b. */
static LANES_TARGET void fp_sample_depths(const NV3FpThread *t,
                                          NV3FpSlot z[NV3_PIXOPS_SAMPLES],
                                          const NV3FpTriangles *g, const NV3FpBlocks *b,
                                          unsigned n)
{
    const NV3PixopsState *s = &t->draw->pixops;
    const unsigned tri = b->triangle[n];

    for (unsigned i = 0; i < NV3_PIXOPS_SAMPLES; i++) {
        const float value = g->z.value[tri] +
                            (s->sample[i].x * (1.0f / 256) * g->z.dx[tri] +
                             s->sample[i].y * (1.0f / 256) * g->z.dy[tri]);

        fp_depth_plane((LaneF *)z[i].pixel, value, g, b, n);
    }
}

/* Points @z[i] to the depths that late tests of sample i compare. */
LANES_INLINE void fp_sample_late_depths(const float *z[NV3_PIXOPS_SAMPLES],
                                        const NV3FpThread *t,
                                        const NV3FpSlot depth[NV3_PIXOPS_SAMPLES])
{
    for (unsigned i = 0; i < NV3_PIXOPS_SAMPLES; i++) {
        z[i] = fp_late_depth(t, &depth[i]);
    }
}

LANES_INLINE void fp_count_samples(NV3FpThread *t,
                                   const uint64_t mask[NV3_PIXOPS_SAMPLES])
{
    for (unsigned i = 0; i < NV3_PIXOPS_SAMPLES; i++) {
        t->samples += __builtin_popcountll(mask[i]);
    }
}

LANES_INLINE bool fp_any_sample(const uint64_t mask[NV3_PIXOPS_SAMPLES])
{
    return mask[0] | mask[1] | mask[2] | mask[3];
}

/*
 * Executes the operations between the program and the depth test, in OpenGL's order:
 * kill, alpha to coverage, alpha to one, and alpha test.
 */
static LANES_TARGET void fp_sample_alpha(const NV3FpThread *t, const float *color[4],
                                         NV3FpSlot *one,
                                         uint64_t mask[NV3_PIXOPS_SAMPLES])
{
    const NV3PixopsState *s = &t->draw->pixops;

    for (unsigned i = 0; i < NV3_PIXOPS_SAMPLES; i++) {
        mask[i] &= ~t->killed;
    }
    if (s->alpha_to_coverage) {
        pix_alpha_to_coverage(color[3], mask);
    }
    if (s->alpha_to_one) {
        for (unsigned i = 0; i < FP_VECTORS; i++) {
            ((LaneF *)one->pixel)[i] = lane_splat(1);
        }
        color[3] = one->pixel;
    }
    if (s->alpha_test) {
        const uint64_t pass = pix_alpha_test(s, color[3], ~0ull, PIX_VECTORS);

        for (unsigned i = 0; i < NV3_PIXOPS_SAMPLES; i++) {
            mask[i] &= pass;
        }
    }
}

/*
 * Runs the program for a block, and executes all later operations. @n: index of the
 * triangle in the tables.
 */
static LANES_TARGET void fp_run_samples(NV3FpThread *t, unsigned n, const FpBlock *block,
                                        NV3FpSlot *depth,
                                        uint64_t mask[NV3_PIXOPS_SAMPLES])
{
    const NV3PixopsState *s = &t->draw->pixops;
    NV3FpSlot fog, fogged[3], one;
    const FpGrid grid = fp_block_grid(t, block, n);
    const float *color[4], *z[NV3_PIXOPS_SAMPLES];

    fp_interpolate_inputs(t, &grid, n, &fog);
    fp_run(t, &fog, color, fogged);
    fp_sample_alpha(t, color, &one, mask);
    if (fp_sample_zeta(t->draw) == NV3_FP_ZETA_LATE && fp_any_sample(mask)) {
        fp_sample_late_depths(z, t, depth);
        pix_zeta_samples(s, t->front[n], &block->zeta, z, mask);
    }
    if (s->color_format != NV3_PIXOPS_COLOR_NONE && fp_any_sample(mask)) {
        pix_color_samples(s, &block->color, color, mask);
    }
    fp_count_samples(t, mask);
}

/* Shades block @i of @b. */
static LANES_TARGET __attribute__((noinline))
void fp_shade_samples(NV3FpThread *t, const NV3FpTriangles *g, NV3FpBlocks *b, unsigned i)
{
    const unsigned n = t->first + b->triangle[i];
    const NV3PixopsState *s = &t->draw->pixops;
    const NV3FpZeta zeta = fp_sample_zeta(t->draw);
    NV3FpSlot depth[NV3_PIXOPS_SAMPLES];
    FpBlock block = { .x = b->x[i], .y = b->y[i] };
    uint64_t *mask = b->mask[i];

    if (!fp_find_samples(t->draw, &block, mask)) {
        return;
    }
    if (zeta != NV3_FP_ZETA_NONE) {
        fp_sample_depths(t, depth, g, b, i);
    }
    if (zeta == NV3_FP_ZETA_EARLY) {
        pix_zeta_samples(s, t->front[n], &block.zeta, (const float *const[]) {
            depth[0].pixel, depth[1].pixel, depth[2].pixel, depth[3].pixel }, mask);
        if (!fp_any_sample(mask)) {
            return;
        }
    }
    if (fp_is_without_effect(t->draw) && !s->alpha_to_coverage) {
        fp_count_samples(t, mask);
        return;
    }
    fp_run_samples(t, n, &block, depth, mask);
}

LANES_TARGET void FP_NAME(nv3_fp_shade_samples)(NV3FpThread *t, const NV3FpTriangles *g,
                                                NV3FpBlocks *b)
{
    if (!t->loaded) {
        fp_load_group(t, g);
    }
    for (unsigned i = 0; i < b->count; i++) {
        fp_shade_samples(t, g, b, i);
    }
}
