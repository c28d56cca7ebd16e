/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shading of deferred quads, for one SIMD level. Included by fp_shade_loops.h.
 *
 * Four quads of one triangle make a strip. They are arranged like the four quads in two
 * lines of a block, so that derivatives are computed in the same way. A triangle's last
 * strip may have fewer quads. Inputs are interpolated when a strip is complete, and the
 * program runs for four strips at a time.
 *
 * Pixels change memory in the order of their triangles. Depth and stencil tests take
 * place when a strip is complete or, like blending, in the order of the strips. Before a
 * whole block is shaded, the pending strips with quads in that block are shaded.
 */

/* A block with more covered quads than this is shaded at once (core.tri25.programs). */
#define FP_STRIP_QUADS_MAX  12

/*
 * The covered quads of a block: bit y * 8 + x for the quad whose first pixel is at x, y.
 */
LANES_INLINE uint64_t fp_quads(uint64_t mask)
{
    mask |= mask >> 1;
    return (mask | mask >> 8) & 0x0055005500550055;
}

/* The block's bit in NV3FpThread.waiting_blocks. Blocks 64 pixels apart share one. */
LANES_INLINE uint64_t fp_block_bit(int32_t x, int32_t y)
{
    return 1ull << (y / 8 % 8 * 8 + x / 8 % 8);
}

/* Shades the pending strips. */
LANES_TARGET void FP_NAME(nv3_fp_shade_strips)(NV3FpThread *t)
{
    const NV3PixopsState *s = &t->draw->pixops;
    const NV3FpCode *code = t->draw->code;
    const FpZeta zeta = fp_zeta(t->draw);
    NV3FpSlot fogged[3];
    const float *color[4];

    for (unsigned i = 0; i < code->input_count; i++) {
        t->file[code->input[i].slot] = t->input[i];
    }
    fp_run(t, &t->fog, color, fogged);
    for (unsigned i = 0; i < t->strips; i++) {
        const NV3FpStrip *strip = &t->strip[i];
        const unsigned at = i * NV3_PIXOPS_STRIP;
        const float *const here[4] = {
            color[0] + at, color[1] + at, color[2] + at, color[3] + at,
        };
        unsigned mask = strip->mask & ~(t->killed >> at);

        if (s->alpha_test) {
            mask = pix_alpha_test(s, here[3], mask, PIX_STRIP_VECTORS);
        }
        if (mask && (zeta == FP_ZETA_TWICE || zeta == FP_ZETA_LATE)) {
            mask = pix_zeta_strip(s, strip->front, &strip->zeta,
                                  fp_late_depth(t, &t->z) + at, mask, true);
        }
        if (mask && s->color_format != NV3_PIXOPS_COLOR_NONE) {
            pix_color_strip(s, &strip->color, strip->pattern, here, mask);
        }
        t->samples += __builtin_popcount(mask);
    }
    t->strips = 0;
    t->waiting_blocks = 0;
}

/* The places of the triangle's pending quads in a surface. @bytes: of a pixel. */
LANES_INLINE void fp_find_quads(NV3PixopsQuads *to, const NV3FpThread *t,
                                const NV3PixopsSurface *s, unsigned bytes)
{
    to->pitch = s->pitch;
    for (unsigned i = 0; i < NV3_PIXOPS_QUADS; i++) {
        const NV3FpQuadPlace *q = &t->quad[i < t->quads ? i : 0];

        to->base[i] = s->base + (size_t)q->y * s->pitch + (size_t)q->x * bytes;
    }
}

/* The places of the pixels of the triangle's pending quads. */
LANES_INLINE void fp_find_lanes(FpStripLanes *l, const NV3FpThread *t,
                                const NV3FpTriangle *tri)
{
    LaneI x[FP_STRIP_VECTORS], y[FP_STRIP_VECTORS];
    uint64_t columns[NV3_PIXOPS_QUADS], upper[NV3_PIXOPS_QUADS], lower[NV3_PIXOPS_QUADS];

    for (unsigned i = 0; i < NV3_PIXOPS_QUADS; i++) {
        const NV3FpQuadPlace *q = &t->quad[i < t->quads ? i : 0];

        columns[i] = pix_pair(q->x, q->x + 1);
        upper[i] = pix_pair(q->y, q->y);
        lower[i] = pix_pair(q->y + 1, q->y + 1);
    }
    pix_strip_vectors(x, columns, columns);
    pix_strip_vectors(y, upper, lower);
    for (unsigned i = 0; i < FP_STRIP_VECTORS; i++) {
        l->x[i] = lane_to_float((x[i] & ~7) - tri->x);
        l->y[i] = lane_to_float((y[i] & ~7) - tri->y);
        l->column[i] = lane_to_float(x[i] & 7);
        l->row[i] = lane_to_float(y[i] & 7);
    }
}

LANES_INLINE unsigned fp_strip_mask(const NV3FpThread *t)
{
    unsigned mask = 0;

    for (unsigned i = 0; i < t->quads; i++) {
        mask |= ((t->quad[i].mask & 3) | (t->quad[i].mask & 12) << 6) << 2 * i;
    }
    return mask;
}

/* Interpolates the inputs that the program reads, for pending strip @at. */
static LANES_TARGET void fp_interpolate_strip(NV3FpThread *t, const FpPixels *pixels,
                                              unsigned at)
{
    const unsigned first = at * NV3_PIXOPS_STRIP;
    const NV3FpCode *code = t->draw->code;
    LaneF w[FP_VECTORS];
    const bool perspective = fp_find_w(w, code, pixels);

    for (unsigned i = 0; i < code->input_count; i++) {
        fp_interpolate((LaneF *)&t->input[i].pixel[first], &code->input[i],
                       perspective ? w : NULL, pixels);
    }
    if (t->draw->pixops.fog) {
        fp_fog_factor((LaneF *)&t->fog.pixel[first], pixels);
    }
}

/* Makes a strip of the triangle's pending quads, unless all pixels fail a test. */
static LANES_TARGET void fp_make_strip(NV3FpThread *t, const NV3FpTriangle *tri)
{
    const NV3PixopsState *s = &t->draw->pixops;
    const unsigned at = t->strips;
    const FpZeta zeta = fp_zeta(t->draw);
    NV3FpStrip *strip = &t->strip[at];
    unsigned mask = fp_strip_mask(t);
    FpStripLanes lanes;
    const FpPixels pixels = { tri, &lanes, 0, 0 };

    fp_find_lanes(&lanes, t, tri);
    if (zeta != FP_ZETA_NONE) {
        float *z = &t->z.pixel[at * NV3_PIXOPS_STRIP];

        fp_find_quads(&strip->zeta, t, &s->zeta, nv3_pixops_zeta_bytes(s));
        fp_plane((LaneF *)z, &tri->z, &pixels);
        if (zeta != FP_ZETA_LATE) {
            mask = pix_zeta_strip(s, tri->front, &strip->zeta, z, mask,
                                  zeta == FP_ZETA_EARLY);
        }
    }
    if (!mask || fp_is_without_effect(t->draw)) {
        t->samples += __builtin_popcount(mask);
        t->quads = 0;
        return;
    }
    fp_find_quads(&strip->color, t, &s->color, pix_formats[s->color_format].bytes);
    for (unsigned i = 0; i < NV3_PIXOPS_QUADS; i++) {
        const NV3FpQuadPlace *q = &t->quad[i < t->quads ? i : 0];

        strip->pattern[i] = (q->y & 3) * 8 + (q->x & 3);
        t->waiting_blocks |= fp_block_bit(q->x, q->y);
    }
    strip->mask = mask;
    strip->front = tri->front;
    fp_interpolate_strip(t, &pixels, at);
    t->quads = 0;
    t->strips++;
    if (t->strips == NV3_FP_STRIPS) {
        FP_NAME(nv3_fp_shade_strips)(t);
    }
}

LANES_TARGET void FP_NAME(nv3_fp_end_triangle)(NV3FpThread *t, const NV3FpTriangle *tri)
{
    fp_make_strip(t, tri);
}

/* Adds the quads @quads of the block at @x, @y with pixels @mask to the pending quads. */
static LANES_TARGET void fp_add_quads(NV3FpThread *t, const NV3FpTriangle *tri, int32_t x,
                                      int32_t y, uint64_t mask, uint64_t quads)
{
    for (; quads; quads &= quads - 1) {
        const unsigned bit = __builtin_ctzll(quads);
        const unsigned pixels = mask >> bit & 0x303;

        t->quad[t->quads++] = (NV3FpQuadPlace) {
            x + bit % 8, y + bit / 8, (pixels & 3) | pixels >> 6,
        };
        if (t->quads == NV3_PIXOPS_QUADS) {
            fp_make_strip(t, tri);
        }
    }
}
