/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shades deferred pixels of draws that do not need whole quads. Compiled once for each
 * SIMD level.
 *
 * Pixels are deferred until 64 of them can be shaded together. Colours are stored in the
 * order in which the pixels were deferred.
 */

/* Appends the pixels of @mask in the block at @x, @y, which triangle @n covers. */
LANES_INLINE void fp_append_pixels(NV3FpThread *t, unsigned n, int32_t x, int32_t y,
                                   uint64_t mask)
{
    NV3FpDeferred *d = &t->deferred;
    const uint32_t block = y << 16 | x;
    uint32_t *to = d->place + d->count;

    memset(d->triangle + d->count, n, NV3_FP_LANES);
    d->count += __builtin_popcountll(mask);
#if LANES == 16
    const LaneU inside = {
        FP_INSIDE(0), FP_INSIDE(1), FP_INSIDE(2), FP_INSIDE(3),
        FP_INSIDE(4), FP_INSIDE(5), FP_INSIDE(6), FP_INSIDE(7),
        FP_INSIDE(8), FP_INSIDE(9), FP_INSIDE(10), FP_INSIDE(11),
        FP_INSIDE(12), FP_INSIDE(13), FP_INSIDE(14), FP_INSIDE(15),
    };

    for (unsigned i = 0; i < NV3_FP_LANES; i += LANES) {
        const LaneU place = inside + (block + FP_INSIDE(i));
        const __mmask16 some = mask >> i;

        _mm512_storeu_si512(to, _mm512_maskz_compress_epi32(some, (__m512i)place));
        to += __builtin_popcount(some);
    }
#elif LANES == 8
    for (unsigned row = 0; row < 8; row++) {
        const unsigned some = mask >> (row * 8) & 0xff;
        const LaneU place = (LaneU)fp_bytes(t->bit_numbers[some]) + (block + (row << 16));

        _mm256_storeu_si256((void *)to, (__m256i)place);
        to += __builtin_popcount(some);
    }
#else
    for (; mask; mask &= mask - 1) {
        *to++ = block + FP_INSIDE(__builtin_ctzll(mask));
    }
#endif
}

/* Evaluates a plane, with the same results as fp_block_plane(). */
LANES_INLINE LaneF fp_pixel_plane(const NV3FpPlanes *p, const FpDeferredLanes *l)
{
    const LaneF line = fp_lookup(p->value, l) + l->row * fp_lookup(p->dy, l);

    return line + l->column * fp_lookup(p->dx, l);
}

/* Interpolates the program's inputs, and the fog factor if fog is enabled. */
LANES_INLINE void fp_interpolate_pixels(NV3FpThread *t, const FpDeferredLanes *l,
                                        NV3FpSlot *fog)
{
    const unsigned divided = t->draw->code->varyings & ~t->linear;
    /* Local copies, because the compiler must assume that stores change the originals. */
    const unsigned count = t->live_count;
    NV3FpSlot *const file = t->file;
    LaneF w[FP_VECTORS];

    for (unsigned v = 0; divided && v < FP_VECTORS; v++) {
        w[v] = 1.0f / fp_pixel_plane(&t->rhw, &l[v]);
    }
    for (unsigned i = 0; i < count; i++) {
        LaneF *to = (LaneF *)file[t->live[i].slot].pixel;

        if (divided & 1u << t->live[i].input) {
            for (unsigned v = 0; v < FP_VECTORS; v++) {
                to[v] = fp_pixel_plane(&t->input[i], &l[v]) * w[v];
            }
        } else {
            for (unsigned v = 0; v < FP_VECTORS; v++) {
                to[v] = fp_pixel_plane(&t->input[i], &l[v]);
            }
        }
    }
    for (unsigned v = 0; t->draw->pixops.fog && v < FP_VECTORS; v++) {
        LaneF f = fp_pixel_plane(&t->fog, &l[v]);

        if (!(t->linear & 1u << NV3_FP_FOG)) {
            f = f / fp_pixel_plane(&t->fog_rhw, &l[v]);
        }
        ((LaneF *)fog->pixel)[v] = lane_saturate(f);
    }
}

/* Returns the dither offsets of the deferred pixels. @to: buffer for the offsets. */
LANES_INLINE const PixFloats *fp_pixel_dither(PixFloats *to, const NV3FpThread *t)
{
    const NV3PixopsState *s = &t->draw->pixops;

    if (!pix_dithers(s)) {
        return &pix_dither[NV3_PIXOPS_DITHER_NONE];
    }
    for (unsigned i = 0; i < NV3_FP_LANES; i++) {
        const unsigned at = fp_dither_index(t->deferred.place[i]);

        to->pixel[i] = pix_dither[s->dither].pixel[at];
    }
    return to;
}

/* Stores the colours of the pixels in @mask. */
LANES_INLINE void fp_store_pixels(const NV3FpThread *t, const float *const color[4],
                                  uint64_t mask)
{
    const NV3PixopsState *s = &t->draw->pixops;
    const unsigned bytes = nv3_pixops_color_bytes(s);
    uint32_t offset[NV3_FP_LANES] __attribute__((aligned(64)));
    PixFloats pattern;
    PixWords words;

    pix_color_words(s, color, fp_pixel_dither(&pattern, t), NULL, &words, PIX_VECTORS);
    for (unsigned v = 0; v < FP_VECTORS; v++) {
        ((LaneU *)offset)[v] = fp_offsets(((const LaneU *)t->deferred.place)[v],
                                          s->color.pitch, bytes);
    }
    pix_store_pixels(s, offset, &words, mask);
}

/* Shades the first 64 deferred pixels, or all of them if fewer are deferred. */
static LANES_TARGET void fp_shade_pixels(NV3FpThread *t)
{
    const NV3PixopsState *s = &t->draw->pixops;
    NV3FpDeferred *d = &t->deferred;
    const unsigned count = d->count < NV3_FP_LANES ? d->count : NV3_FP_LANES;
    FpDeferredLanes lanes[FP_VECTORS];
    NV3FpSlot fog, fogged[3];
    const float *color[4];
    uint64_t mask;

    /* If fewer than 64 pixels are deferred, the remaining lanes repeat the last pixel. */
    memset(d->triangle + count, d->triangle[count - 1], NV3_FP_LANES - count);
    for (unsigned i = count; i < NV3_FP_LANES; i++) {
        d->place[i] = d->place[count - 1];
    }
    for (unsigned v = 0; v < FP_VECTORS; v++) {
        lanes[v] = fp_deferred_lanes(t, ((const LaneI *)d->place)[v],
                                     fp_bytes(d->triangle + v * LANES),
                                     d->triangle[v * LANES]);
    }
    fp_interpolate_pixels(t, lanes, &fog);
    fp_run(t, &fog, color, fogged);
    mask = UINT64_MAX >> (NV3_FP_LANES - count) & ~t->killed;
    if (s->alpha_test) {
        mask = pix_alpha_test(s, color[3], mask, PIX_VECTORS);
    }
    if (s->color_format != NV3_PIXOPS_COLOR_NONE) {
        fp_store_pixels(t, color, mask);
    }
    t->samples += __builtin_popcountll(mask);
    d->count -= count;
    memcpy(d->place, d->place + NV3_FP_LANES, sizeof(d->place) / 2);
    memcpy(d->triangle, d->triangle + NV3_FP_LANES, NV3_FP_LANES);
}
