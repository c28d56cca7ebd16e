/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shades deferred quads. Compiled once for each SIMD level. Included by fp_shade_loops.h.
 *
 * A strip consists of four quads. It has the same layout as two rows of a block, so that
 * the same code computes derivatives for strips and blocks. Quads are deferred until four
 * strips are complete. After that, each quad is interpolated with the planes of its own
 * triangle, and the program runs once for the quads of all triangles.
 *
 * Pixels must change memory in the order of their triangles. Early depth and stencil
 * tests run before quads are deferred. Late tests and blending run after the program, in
 * the order of the strips. If a block that is shaded immediately contains deferred quads,
 * all deferred quads are shaded first.
 */

/* ---- interpolation of deferred quads --------------------------------------- */

#define FP_QUAD_VECTORS (NV3_FP_QUADS / LANES)

/* Values of the pixels of LANES quads. Each vector holds one pixel of every quad. */
typedef struct FpQuadValues {
    LaneF upper[2], lower[2];         /* left and right pixel of the row */
} FpQuadValues;

/*
 * Permutes @words, a vector with one element for each quad, in the order of strips.
 * Vectors of four lanes keep their order. In the result of wider vectors, each group of
 * eight lanes has quads 0 and 1 of two strips, then quads 2 and 3 of these strips. This
 * saves permutations in fp_store_quads().
 */
LANES_INLINE LaneI fp_order(LaneI words)
{
#if LANES == 16
    const __m512i order = _mm512_setr_epi64(0, 2, 1, 3, 4, 6, 5, 7);

    return (LaneI)_mm512_permutexvar_epi64(order, (__m512i)words);
#elif LANES == 8
    return (LaneI)_mm256_permute4x64_epi64((__m256i)words, _MM_SHUFFLE(3, 1, 2, 0));
#else
    return words;
#endif
}

/* Evaluates a plane with the values @value, like fp_block_plane(). */
LANES_INLINE FpQuadValues fp_quad_values(LaneF value, const NV3FpPlanes *p,
                                         const FpDeferredLanes *l)
{
    const LaneF dx = fp_lookup(p->dx, l), dy = fp_lookup(p->dy, l);
    const LaneF upper = value + l->row * dy, lower = value + (l->row + 1.0f) * dy;
    const LaneF left = l->column * dx, right = (l->column + 1.0f) * dx;

    return (FpQuadValues) { { upper + left, upper + right },
                            { lower + left, lower + right } };
}

LANES_INLINE FpQuadValues fp_quad_plane(const NV3FpPlanes *p, const FpDeferredLanes *l)
{
    return fp_quad_values(fp_lookup(p->value, l), p, l);
}

/* Evaluates a depth, like fp_block_depth(). */
LANES_INLINE FpQuadValues fp_quad_depth(const NV3FpPlanes *p, const FpDeferredLanes *l)
{
    const LaneF value = fp_lookup(p->value, l);
    FpQuadValues v = fp_quad_values(lane_splat(0), p, l);

    for (unsigned n = 0; n < 2; n++) {
        v.upper[n] += value;
        v.lower[n] += value;
    }
    return v;
}

/*
 * Stores @v, the values of vector @i, in @to. The order is that of the pixels in strips.
 */
LANES_INLINE void fp_store_quads(float *to, const FpQuadValues *v, unsigned i)
{
    LaneF *first = (LaneF *)to + 4 * i;

#if LANES == 16
    /* Each half of a stored vector is a row of a strip. */
    const __m512 upper02 = _mm512_unpacklo_ps((__m512)v->upper[0], (__m512)v->upper[1]);
    const __m512 lower02 = _mm512_unpacklo_ps((__m512)v->lower[0], (__m512)v->lower[1]);
    const __m512 upper13 = _mm512_unpackhi_ps((__m512)v->upper[0], (__m512)v->upper[1]);
    const __m512 lower13 = _mm512_unpackhi_ps((__m512)v->lower[0], (__m512)v->lower[1]);

    first[0] = (LaneF)_mm512_shuffle_f32x4(upper02, lower02, _MM_SHUFFLE(1, 0, 1, 0));
    first[1] = (LaneF)_mm512_shuffle_f32x4(upper13, lower13, _MM_SHUFFLE(1, 0, 1, 0));
    first[2] = (LaneF)_mm512_shuffle_f32x4(upper02, lower02, _MM_SHUFFLE(3, 2, 3, 2));
    first[3] = (LaneF)_mm512_shuffle_f32x4(upper13, lower13, _MM_SHUFFLE(3, 2, 3, 2));
#elif LANES == 8
    first[0] = (LaneF)_mm256_unpacklo_ps((__m256)v->upper[0], (__m256)v->upper[1]);
    first[1] = (LaneF)_mm256_unpacklo_ps((__m256)v->lower[0], (__m256)v->lower[1]);
    first[2] = (LaneF)_mm256_unpackhi_ps((__m256)v->upper[0], (__m256)v->upper[1]);
    first[3] = (LaneF)_mm256_unpackhi_ps((__m256)v->lower[0], (__m256)v->lower[1]);
#else
    first[0] = __builtin_shufflevector(v->upper[0], v->upper[1], 0, 4, 1, 5);
    first[1] = __builtin_shufflevector(v->upper[0], v->upper[1], 2, 6, 3, 7);
    first[2] = __builtin_shufflevector(v->lower[0], v->lower[1], 0, 4, 1, 5);
    first[3] = __builtin_shufflevector(v->lower[0], v->lower[1], 2, 6, 3, 7);
#endif
}

/*
 * Interpolates one input component for all quads. @w: w of each vector, or null for
 * inputs without perspective.
 */
LANES_INLINE void fp_interpolate_quads(float *to, const NV3FpPlanes *p,
                                       const FpDeferredLanes *l, const FpQuadValues *w)
{
    for (unsigned i = 0; i < FP_QUAD_VECTORS; i++) {
        FpQuadValues v = fp_quad_plane(p, &l[i]);

        for (unsigned n = 0; w && n < 2; n++) {
            v.upper[n] *= w[i].upper[n];
            v.lower[n] *= w[i].lower[n];
        }
        fp_store_quads(to, &v, i);
    }
}

LANES_INLINE void fp_fog_factor_quads(float *to, const NV3FpThread *t,
                                      const FpDeferredLanes *l)
{
    const bool linear = t->linear & 1u << NV3_FP_FOG;
    NV3FpSlot rhw;

    fp_interpolate_quads(to, &t->fog, l, NULL);
    fp_interpolate_quads(rhw.pixel, &t->fog_rhw, l, NULL);
    for (unsigned i = 0; i < FP_VECTORS; i++) {
        LaneF f = ((LaneF *)to)[i];

        if (!linear) {
            f = f / ((const LaneF *)rhw.pixel)[i];
        }
        ((LaneF *)to)[i] = lane_saturate(f);
    }
}

/*
 * Interpolates the program's inputs for the first 16 deferred quads. If the draw has late
 * tests, also interpolates the depths @z.
 */
static LANES_TARGET void fp_interpolate_strips(NV3FpThread *t, NV3FpSlot *fog,
                                               NV3FpSlot *z)
{
    const NV3FpCode *code = t->draw->code;
    const NV3FpDeferred *d = &t->deferred;
    FpDeferredLanes lanes[FP_QUAD_VECTORS];
    FpQuadValues w[FP_QUAD_VECTORS];

    for (unsigned i = 0; i < FP_QUAD_VECTORS; i++) {
        lanes[i] = fp_deferred_lanes(t, fp_order(((const LaneI *)d->place)[i]),
                                     fp_order(fp_bytes(d->triangle + i * LANES)),
                                     d->triangle[i * LANES]);
    }
    if (code->varyings & ~t->linear) {
        for (unsigned i = 0; i < FP_QUAD_VECTORS; i++) {
            const FpQuadValues rhw = fp_quad_plane(&t->rhw, &lanes[i]);

            for (unsigned n = 0; n < 2; n++) {
                w[i].upper[n] = 1.0f / rhw.upper[n];
                w[i].lower[n] = 1.0f / rhw.lower[n];
            }
        }
    }
    for (unsigned i = 0; i < t->live_count; i++) {
        const NV3FpCodeInput *in = &t->live[i];
        const bool divided = code->varyings & ~t->linear & 1u << in->input;

        fp_interpolate_quads(t->file[in->slot].pixel, &t->input[i], lanes,
                             divided ? w : NULL);
    }
    if (t->draw->pixops.fog) {
        fp_fog_factor_quads(fog->pixel, t, lanes);
    }
    for (unsigned i = 0; t->zeta >= NV3_FP_ZETA_TWICE && i < FP_QUAD_VECTORS; i++) {
        const FpQuadValues depth = fp_quad_depth(&t->z, &lanes[i]);

        fp_store_quads(z->pixel, &depth, i);
    }
}

/* ---- shading of deferred quads --------------------------------------------- */

/*
 * Appends @count quads without covered pixels. At least one quad must already be
 * deferred.
 */
LANES_INLINE void fp_add_empty_quads(NV3FpThread *t, unsigned count)
{
    NV3FpDeferred *d = &t->deferred;

    for (unsigned end = d->count + count; d->count < end; d->count++) {
        d->place[d->count] = d->place[d->count - 1];
        d->triangle[d->count] = d->triangle[d->count - 1];
        d->mask[d->count] = 0;
    }
}

/* Returns the pixel masks of all strips. The mask of a strip has 16 bits. */
LANES_INLINE uint64_t fp_strip_masks(const NV3FpDeferred *d)
{
    uint64_t mask = 0;

    for (unsigned i = 0; i < NV3_FP_STRIPS; i++) {
        const uint32_t *quad = &d->mask[i * NV3_PIXOPS_QUADS];

        mask |= (uint64_t)(quad[0] | quad[1] << 2 | quad[2] << 4 | quad[3] << 6)
                << (i * NV3_PIXOPS_STRIP);
    }
    return mask;
}

/* Computes the addresses of four quads in a surface. @bytes: size of a pixel. */
LANES_INLINE void fp_find_quads(NV3PixopsQuads *to, const uint32_t *place,
                                const NV3PixopsSurface *s, unsigned bytes)
{
    to->pitch = s->pitch;
    for (unsigned i = 0; i < NV3_PIXOPS_QUADS; i++) {
        to->base[i] = s->base + (size_t)(place[i] >> 16) * s->pitch +
                      (place[i] & 0xffff) * bytes;
    }
}

/* Returns the dither offsets of all strips. @to: buffer for the offsets. */
LANES_INLINE const PixFloats *fp_find_dither(PixFloats *to, const NV3FpThread *t)
{
    const NV3PixopsState *s = &t->draw->pixops;

    if (!pix_dithers(s)) {
        return &pix_dither[NV3_PIXOPS_DITHER_NONE];
    }
    for (unsigned i = 0; i < NV3_FP_STRIPS; i++) {
        const uint32_t *place = &t->deferred.place[i * NV3_PIXOPS_QUADS];
        uint8_t at[NV3_PIXOPS_QUADS];

        for (unsigned n = 0; n < NV3_PIXOPS_QUADS; n++) {
            at[n] = fp_dither_index(place[n]);
        }
        pix_strip_dither(to->pixel + i * NV3_PIXOPS_STRIP, s->dither, at);
    }
    return to;
}

/*
 * For strip @i, executes the late tests, and stores colours if the draw reads the colour
 * surface. Returns the mask of the strip's pixels that
 * have passed all tests.
 */
static LANES_TARGET unsigned fp_finish_strip(NV3FpThread *t, unsigned i, const float *z,
                                             const float *const color[4],
                                             const PixFloats *dither, unsigned mask)
{
    const NV3FpDeferred *d = &t->deferred;
    const uint32_t *place = &d->place[i * NV3_PIXOPS_QUADS];
    const unsigned at = i * NV3_PIXOPS_STRIP;
    const NV3PixopsState *s = &t->draw->pixops;
    const bool front = t->front[d->triangle[i * NV3_PIXOPS_QUADS]];
    NV3PixopsQuads quads;

    if (mask && t->zeta >= NV3_FP_ZETA_TWICE) {
        fp_find_quads(&quads, place, &s->zeta, nv3_pixops_zeta_bytes(s));
        mask = pix_zeta_strip(s, front, &quads, z + at, mask, true);
    }
    if (mask && t->reads) {
        const float *const here[4] = {
            color[0] + at, color[1] + at, color[2] + at, color[3] + at,
        };

        fp_find_quads(&quads, place, &s->color, pix_formats[s->color_format].bytes);
        pix_color_strip(s, &quads, here, dither->pixel + at, mask);
    }
    return mask;
}

/*
 * Stores the colours of the first 16 quads. The draw must not read the colour surface.
 */
LANES_INLINE void fp_store_quads_colors(const NV3FpThread *t,
                                        const float *const color[4],
                                        const PixFloats *dither, uint64_t mask)
{
    const NV3PixopsState *s = &t->draw->pixops;
    uint32_t offset[NV3_FP_QUADS] __attribute__((aligned(64)));
    PixWords words;

    pix_color_words(s, color, dither, NULL, &words, PIX_VECTORS);
    for (unsigned i = 0; i < FP_QUAD_VECTORS; i++) {
        ((LaneU *)offset)[i] = fp_offsets(((const LaneU *)t->deferred.place)[i],
                                          s->color.pitch, nv3_pixops_color_bytes(s));
    }
    pix_store_strips(s, offset, &words, mask);
}

/* Removes the first 16 quads. */
LANES_INLINE void fp_remove_quads(NV3FpThread *t)
{
    NV3FpDeferred *d = &t->deferred;

    d->count -= NV3_FP_QUADS;
    memcpy(d->place, d->place + NV3_FP_QUADS, NV3_FP_QUADS * sizeof(d->place[0]));
    memcpy(d->triangle, d->triangle + NV3_FP_QUADS, NV3_FP_QUADS);
    memcpy(d->mask, d->mask + NV3_FP_QUADS, sizeof(d->mask) / 2);
}

/* Shades the first 16 deferred quads, or all of them if fewer are deferred. */
static LANES_TARGET void fp_shade_strips(NV3FpThread *t)
{
    const NV3PixopsState *s = &t->draw->pixops;
    const float *color[4], *depth;
    NV3FpSlot fog, fogged[3], z;
    const PixFloats *dither;
    PixFloats pattern;
    uint64_t mask;

    if (t->deferred.count < NV3_FP_QUADS) {
        fp_add_empty_quads(t, NV3_FP_QUADS - t->deferred.count);
    }
    fp_interpolate_strips(t, &fog, &z);
    fp_run(t, &fog, color, fogged);
    dither = fp_find_dither(&pattern, t);
    mask = fp_strip_masks(&t->deferred) & ~t->killed;
    if (s->alpha_test) {
        mask = pix_alpha_test(s, color[3], mask, PIX_VECTORS);
    }
    if (t->separate) {
        depth = fp_late_depth(t, &z);
        for (unsigned i = 0; i < NV3_FP_STRIPS; i++) {
            const unsigned at = i * NV3_PIXOPS_STRIP;
            const uint64_t strip = mask & 0xffffull << at;

            mask ^= strip ^ (uint64_t)fp_finish_strip(t, i, depth, color, dither,
                                                      strip >> at) << at;
        }
    }
    if (!t->reads && s->color_format != NV3_PIXOPS_COLOR_NONE) {
        fp_store_quads_colors(t, color, dither, mask);
    }
    t->samples += __builtin_popcountll(mask);
    fp_remove_quads(t);
}

/* ---- deferring quads --------------------------------------------------------- */

/*
 * Completes the last strip with empty quads if one of its quads must not share a strip
 * with the quads of @mask in the block at @x, @y, which triangle @n covers. This is the
 * case if two quads are at the same position, or if one belongs to a front face and the
 * other to a back face.
 */
static LANES_TARGET void fp_separate_strip(NV3FpThread *t, unsigned n, int32_t x,
                                           int32_t y, uint64_t mask)
{
    const NV3FpDeferred *d = &t->deferred;
    const unsigned open = d->count % NV3_PIXOPS_QUADS;

    for (unsigned i = d->count - open; i < d->count; i++) {
        const unsigned column = (d->place[i] & 0xffff) - x, row = (d->place[i] >> 16) - y;

        if (t->front[d->triangle[i]] != t->front[n] ||
            (column < 8 && row < 8 && mask >> (row * 8 + column) & 0x303)) {
            fp_add_empty_quads(t, NV3_PIXOPS_QUADS - open);
            break;
        }
    }
}

/* Appends the quads with pixels in @mask of the block at @x, @y of triangle @n. */
LANES_INLINE void fp_append_quads(NV3FpThread *t, unsigned n, int32_t x, int32_t y,
                                  uint64_t mask)
{
    NV3FpDeferred *d = &t->deferred;
    const uint32_t block = y << 16 | x;
#if LANES == 16
    const LaneU shift = { 0, 2, 4, 6, 16, 18, 20, 22, 0, 2, 4, 6, 16, 18, 20, 22 };
    const LaneU place = (LaneU) {
        FP_INSIDE(0), FP_INSIDE(2), FP_INSIDE(4), FP_INSIDE(6),
        FP_INSIDE(16), FP_INSIDE(18), FP_INSIDE(20), FP_INSIDE(22),
        FP_INSIDE(32), FP_INSIDE(34), FP_INSIDE(36), FP_INSIDE(38),
        FP_INSIDE(48), FP_INSIDE(50), FP_INSIDE(52), FP_INSIDE(54),
    } + block;
    const __m512i lines = _mm512_inserti64x4(_mm512_set1_epi32(mask),
                                             _mm256_set1_epi32(mask >> 32), 1);
    const LaneU masks = ((LaneU)lines >> shift) & 0x303;
    const __mmask16 used = _mm512_test_epi32_mask((__m512i)masks, (__m512i)masks);

    memset(d->triangle + d->count, n, NV3_FP_QUADS);
    _mm512_storeu_si512(&d->place[d->count],
                        _mm512_maskz_compress_epi32(used, (__m512i)place));
    _mm512_storeu_si512(&d->mask[d->count],
                        _mm512_maskz_compress_epi32(used, (__m512i)masks));
    d->count += __builtin_popcount(used);
#elif LANES == 8
    const LaneU shift = { 0, 2, 4, 6, 16, 18, 20, 22 };
    const LaneU inside = {
        FP_INSIDE(0), FP_INSIDE(2), FP_INSIDE(4), FP_INSIDE(6),
        FP_INSIDE(16), FP_INSIDE(18), FP_INSIDE(20), FP_INSIDE(22),
    };

    memset(d->triangle + d->count, n, NV3_FP_QUADS);
    for (unsigned i = 0; i < 2; i++) {
        const LaneU masks = ((LaneU)lane_isplat(mask >> 32 * i) >> shift) & 0x303;
        const LaneU place = inside + (block + i * FP_INSIDE(32));
        const unsigned used = lane_bits((LaneI)masks > 0);
        const __m256i order = (__m256i)fp_bytes(t->bit_numbers[used]);

        _mm256_storeu_si256((void *)&d->place[d->count],
                            _mm256_permutevar8x32_epi32((__m256i)place, order));
        _mm256_storeu_si256((void *)&d->mask[d->count],
                            _mm256_permutevar8x32_epi32((__m256i)masks, order));
        d->count += __builtin_popcount(used);
    }
#else
    for (uint64_t left = fp_quads(mask); left; left &= left - 1) {
        const unsigned bit = __builtin_ctzll(left);

        d->place[d->count] = block + FP_INSIDE(bit);
        d->mask[d->count] = mask >> bit & 0x303;
        d->triangle[d->count++] = n;
    }
#endif
}
