/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shades deferred quads. Compiled for one SIMD level. Included by fp_shade_loops.h.
 *
 * A strip consists of four quads. A strip has the same layout as two lines of a block,
 * so that derivatives are computed in the same way. Quads are deferred until four strips
 * are complete. The strips may contain quads of different triangles. Then each quad is
 * interpolated with its triangle's planes, and the program runs once for all quads.
 *
 * Pixels must change memory in the order of their triangles. Early depth and stencil
 * tests run before quads are deferred. Late tests and blending run after the program,
 * in the order of the strips. Before a whole block is shaded, all deferred quads are
 * shaded if one of them is in the block.
 */

/*
 * A block with more covered quads is not split into deferred quads (make bench,
 * core.tri25.programs).
 */
#define FP_STRIP_QUADS_MAX  12

/*
 * Returns the covered quads of a block. Bit y * 8 + x represents the quad whose first
 * pixel is at x, y.
 */
LANES_INLINE uint64_t fp_quads(uint64_t mask)
{
    mask |= mask >> 1;
    return (mask | mask >> 8) & 0x0055005500550055;
}

/* ---- interpolation of deferred quads --------------------------------------- */

#define FP_QUAD_VECTORS (NV3_FP_QUADS / LANES)

/* A value for each pixel of a vector of quads. */
typedef struct FpQuadValues {
    LaneF upper[2], lower[2];         /* left and right pixel */
} FpQuadValues;

/* Triangles and positions of the quads in a vector. */
typedef struct FpQuadLanes {
    LaneI triangle;
    /*
     * x, y: offset of the block from the triangle's reference pixel; column, row:
     * position in the block
     */
    LaneF x, y, column, row;
} FpQuadLanes;

/*
 * The triangle groups of the quads that are shaded together. With 8 lanes, a lookup takes
 * a single permutation if all quads belong to one group.
 */
typedef enum FpQuadGroup {
    FP_QUADS_FIRST,
    FP_QUADS_SECOND,
    FP_QUADS_BOTH,
} FpQuadGroup;

/*
 * Returns a vector of the elements of @table at the indices @index. @group is a constant
 * after inlining.
 */
LANES_INLINE LaneF fp_permute(const float table[NV3_FP_TRIANGLES], LaneI index,
                              FpQuadGroup group)
{
#if LANES == 16
    return (LaneF)_mm512_permutexvar_ps((__m512i)index, _mm512_load_ps(table));
#elif LANES == 8
    const __m256 first = _mm256_load_ps(table);
    const __m256 second = _mm256_load_ps(table + NV3_FP_GROUP);

    if (group != FP_QUADS_BOTH) {
        return (LaneF)_mm256_permutevar8x32_ps(group == FP_QUADS_FIRST ? first : second,
                                               (__m256i)index);
    }
    return lane_select(index >= NV3_FP_GROUP,
                       (LaneF)_mm256_permutevar8x32_ps(second, (__m256i)index),
                       (LaneF)_mm256_permutevar8x32_ps(first, (__m256i)index));
#else
    return (LaneF) { table[index[0]], table[index[1]], table[index[2]],
                     table[index[3]] };
#endif
}

/* Returns the group of the first 16 quads, which are in the order of their groups. */
LANES_INLINE FpQuadGroup fp_quad_group(const NV3FpQuads *q)
{
    const int32_t first = q->triangle[0] / NV3_FP_GROUP;
    const int32_t last = q->triangle[NV3_FP_QUADS - 1] / NV3_FP_GROUP;

    return LANES != 8 || first != last ? FP_QUADS_BOTH : (FpQuadGroup)first;
}

/*
 * Returns vector @i of @words. @words has one 32-bit element for each quad, in the order
 * of strips. Vectors of four lanes keep this order. In wider vectors, each group of eight
 * lanes holds quads 0 and 1 of two strips, followed by quads 2 and 3 of these strips.
 * This order saves permutations in fp_store_quads().
 */
LANES_INLINE LaneI fp_order(const void *words, unsigned i)
{
#if LANES == 16
    const __m512i order = _mm512_setr_epi64(0, 2, 1, 3, 4, 6, 5, 7);

    return (LaneI)_mm512_permutexvar_epi64(order, ((const __m512i *)words)[i]);
#elif LANES == 8
    const __m256i *from = words;

    return (LaneI)_mm256_permute4x64_epi64(from[i], _MM_SHUFFLE(3, 1, 2, 0));
#else
    return ((const LaneI *)words)[i];
#endif
}

LANES_INLINE void fp_find_quad_lanes(FpQuadLanes *l, const NV3FpThread *t, unsigned i,
                                     FpQuadGroup group)
{
    const LaneI place = fp_order(t->deferred.place, i);
    const LaneI x = place & 0xffff, y = place >> 16;

    l->triangle = fp_order(t->deferred.triangle, i);
    l->column = __builtin_convertvector(x & 7, LaneF);
    l->row = __builtin_convertvector(y & 7, LaneF);
    l->x = __builtin_convertvector(
        (x & ~7) - (LaneI)fp_permute((const float *)t->x, l->triangle, group),
        LaneF);
    l->y = __builtin_convertvector(
        (y & ~7) - (LaneI)fp_permute((const float *)t->y, l->triangle, group),
        LaneF);
}

/* Evaluates a plane, with the same results as fp_block_plane(). */
LANES_INLINE FpQuadValues fp_quad_plane(const NV3FpPlanes *p, const FpQuadLanes *l,
                                        FpQuadGroup group)
{
    const LaneF dx = fp_permute(p->dx, l->triangle, group);
    const LaneF dy = fp_permute(p->dy, l->triangle, group);
    const LaneF corner = fp_permute(p->value, l->triangle, group) +
                         (l->x * dx + l->y * dy);
    const LaneF upper = corner + l->row * dy, lower = corner + (l->row + 1.0f) * dy;
    const LaneF left = l->column * dx, right = (l->column + 1.0f) * dx;

    return (FpQuadValues) { { upper + left, upper + right },
                            { lower + left, lower + right } };
}

/* Stores the values of vector @i in the order of pixels in strips. */
LANES_INLINE void fp_store_quads(float *to, const FpQuadValues *v, unsigned i)
{
    LaneF *first = (LaneF *)to + 4 * i;

#if LANES == 16
    /* Each half of a vector is a line of a strip. */
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
                                       const FpQuadLanes *l, const FpQuadValues *w,
                                       FpQuadGroup group)
{
    for (unsigned i = 0; i < FP_QUAD_VECTORS; i++) {
        FpQuadValues v = fp_quad_plane(p, &l[i], group);

        for (unsigned n = 0; w && n < 2; n++) {
            v.upper[n] *= w[i].upper[n];
            v.lower[n] *= w[i].lower[n];
        }
        fp_store_quads(to, &v, i);
    }
}

LANES_INLINE void fp_fog_factor_quads(float *to, const NV3FpThread *t,
                                      const FpQuadLanes *l, FpQuadGroup group)
{
    const bool linear = t->linear & 1u << NV3_FP_FOG;
    NV3FpSlot rhw;

    fp_interpolate_quads(to, &t->fog, l, NULL, group);
    fp_interpolate_quads(rhw.pixel, &t->fog_rhw, l, NULL, group);
    for (unsigned i = 0; i < FP_VECTORS; i++) {
        LaneF f = ((LaneF *)to)[i];

        if (!linear) {
            f = f / ((const LaneF *)rhw.pixel)[i];
        }
        ((LaneF *)to)[i] = lane_saturate(f);
    }
}

/* fp_interpolate_deferred() for quads of @group. */
LANES_INLINE void fp_interpolate_group(NV3FpThread *t, NV3FpSlot *fog, NV3FpSlot *z,
                                       FpQuadGroup group)
{
    const NV3FpCode *code = t->draw->code;
    FpQuadLanes lanes[FP_QUAD_VECTORS];
    FpQuadValues w[FP_QUAD_VECTORS];

    for (unsigned i = 0; i < FP_QUAD_VECTORS; i++) {
        fp_find_quad_lanes(&lanes[i], t, i, group);
    }
    if (code->varyings & ~t->linear) {
        for (unsigned i = 0; i < FP_QUAD_VECTORS; i++) {
            const FpQuadValues rhw = fp_quad_plane(&t->rhw, &lanes[i], group);

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
                             divided ? w : NULL, group);
    }
    if (t->draw->pixops.fog) {
        fp_fog_factor_quads(fog->pixel, t, lanes, group);
    }
    if (t->zeta >= NV3_FP_ZETA_TWICE) {
        fp_interpolate_quads(z->pixel, &t->z, lanes, NULL, group);
    }
}

/*
 * Interpolates the program's inputs for the first 16 deferred quads, and depths @z for
 * late tests.
 */
static LANES_TARGET void fp_interpolate_deferred(NV3FpThread *t, NV3FpSlot *fog,
                                                 NV3FpSlot *z)
{
    switch (fp_quad_group(&t->deferred)) {
    case FP_QUADS_FIRST:
        fp_interpolate_group(t, fog, z, FP_QUADS_FIRST);
        break;
    case FP_QUADS_SECOND:
        fp_interpolate_group(t, fog, z, FP_QUADS_SECOND);
        break;
    default:
        fp_interpolate_group(t, fog, z, FP_QUADS_BOTH);
        break;
    }
}

/* ---- shading of deferred quads --------------------------------------------- */

/* Adds @count quads without pixels. At least one quad must be deferred. */
LANES_INLINE void fp_add_empty_quads(NV3FpThread *t, unsigned count)
{
    NV3FpQuads *q = &t->deferred;

    for (unsigned end = t->quads + count; t->quads < end; t->quads++) {
        q->place[t->quads] = q->place[t->quads - 1];
        q->triangle[t->quads] = q->triangle[t->quads - 1];
        q->mask[t->quads] = 0;
    }
}

/* Returns the masks of the strips, with 16 bits for each strip. */
LANES_INLINE uint64_t fp_strip_masks(const NV3FpQuads *q)
{
    uint64_t mask = 0;

    for (unsigned i = 0; i < NV3_FP_STRIPS; i++) {
        const uint32_t *quad = &q->mask[i * NV3_PIXOPS_QUADS];

        mask |= (uint64_t)(quad[0] | quad[1] << 2 | quad[2] << 4 | quad[3] << 6)
                << (i * NV3_PIXOPS_STRIP);
    }
    return mask;
}

/* Computes the offsets of the first 16 quads in a surface. @bytes: size of a pixel. */
LANES_INLINE void fp_find_offsets(uint32_t offset[NV3_FP_QUADS], const NV3FpQuads *q,
                                  uint32_t pitch, unsigned bytes)
{
    for (unsigned i = 0; i < NV3_FP_QUADS / LANES; i++) {
        const LaneU place = ((const LaneU *)q->place)[i];

        ((LaneU *)offset)[i] = (place >> 16) * pitch + ((place & 0xffff) << bytes / 2);
    }
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

/* Returns the dither offsets of all strips. @to: buffer for them. */
LANES_INLINE const PixFloats *fp_find_dither(PixFloats *to, const NV3FpThread *t)
{
    const NV3PixopsState *s = &t->draw->pixops;

    if (!pix_dithers(s)) {
        return &pix_dither[NV3_PIXOPS_DITHER_NONE];
    }
    for (unsigned i = 0; i < NV3_FP_STRIPS; i++) {
        const uint32_t *place = &t->deferred.place[i * NV3_PIXOPS_QUADS];
        uint8_t pattern[NV3_PIXOPS_QUADS];

        for (unsigned n = 0; n < NV3_PIXOPS_QUADS; n++) {
            pattern[n] = (place[n] >> 16 & 3) * 8 + (place[n] & 3);
        }
        pix_strip_dither(to->pixel + i * NV3_PIXOPS_STRIP, s->dither, pattern);
    }
    return to;
}

/*
 * Executes late tests and the operations that read stored colours, for strip @i. Returns
 * the mask of the strip's pixels that have passed all tests.
 */
static LANES_TARGET unsigned fp_finish_strip(NV3FpThread *t, unsigned i, const float *z,
                                             const float *const color[4],
                                             const PixFloats *dither, unsigned mask)
{
    const unsigned at = i * NV3_PIXOPS_STRIP;
    const NV3PixopsState *s = &t->draw->pixops;
    const uint32_t *place = &t->deferred.place[i * NV3_PIXOPS_QUADS];
    const bool front = t->front[t->deferred.triangle[i * NV3_PIXOPS_QUADS]];
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
 * Stores the colours of the first 16 quads. The colours must not depend on stored
 * colours.
 */
LANES_INLINE void fp_store_colors(const NV3FpThread *t, const float *const color[4],
                                  const PixFloats *dither, uint64_t mask)
{
    const NV3PixopsState *s = &t->draw->pixops;
    uint32_t offset[NV3_FP_QUADS] __attribute__((aligned(64)));
    PixWords words;

    pix_color_words(s, color, dither, NULL, &words, PIX_VECTORS);
    fp_find_offsets(offset, &t->deferred, s->color.pitch, nv3_pixops_color_bytes(s));
    pix_store_strips(s, offset, &words, mask);
}

/* Removes the first 16 quads. */
LANES_INLINE void fp_remove_quads(NV3FpThread *t)
{
    NV3FpQuads *q = &t->deferred;

    t->quads -= NV3_FP_QUADS;
    if (t->quads) {
        memcpy(q->place, q->place + NV3_FP_QUADS, sizeof(q->place) / 2);
        memcpy(q->mask, q->mask + NV3_FP_QUADS, sizeof(q->mask) / 2);
        memcpy(q->triangle, q->triangle + NV3_FP_QUADS, sizeof(q->triangle) / 2);
    }
}

LANES_TARGET void FP_NAME(nv3_fp_shade_strips)(NV3FpThread *t)
{
    const NV3PixopsState *s = &t->draw->pixops;
    const float *color[4], *depth;
    NV3FpSlot fog, fogged[3], z;
    const PixFloats *dither;
    PixFloats pattern;
    uint64_t mask;

    if (t->quads < NV3_FP_QUADS) {
        fp_add_empty_quads(t, NV3_FP_QUADS - t->quads);
    }
    fp_interpolate_deferred(t, &fog, &z);
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
        fp_store_colors(t, color, dither, mask);
    }
    t->samples += __builtin_popcountll(mask);
    fp_remove_quads(t);
}

/*
 * Returns true if a quad of the block at @x, @y may be deferred. May also return true
 * because of a quad that is no longer deferred.
 */
LANES_INLINE bool fp_is_waiting(const NV3FpThread *t, int32_t x, int32_t y)
{
    const LaneI block = lane_isplat(y << 16 | x);
    LaneI found = { 0 };

    for (unsigned i = 0; i < NV3_FP_QUADS / LANES; i++) {
        found |= (((const LaneI *)t->deferred.place)[i] & ~0x70007) == block;
    }
    return t->quads && lane_bits(found);
}

/* ---- deferring quads --------------------------------------------------------- */

/*
 * Ends the incomplete strip if it contains a quad that must not share a strip with the
 * new quads of @mask: a quad at the same place, or a quad that faces the other way.
 * @place: position of the block.
 */
static LANES_TARGET void fp_separate_strip(NV3FpThread *t, unsigned n, uint32_t place,
                                           uint64_t mask)
{
    const NV3FpQuads *q = &t->deferred;
    const unsigned open = t->quads % NV3_PIXOPS_QUADS;

    for (unsigned i = t->quads - open; i < t->quads; i++) {
        const uint32_t inside = q->place[i] - place;
        const unsigned bit = (inside >> 16) * NV3_FP_BLOCK + (inside & 7);

        if (t->front[q->triangle[i]] != t->front[n] ||
            (!(inside & ~0x70007) && mask >> bit & 0x303)) {
            fp_add_empty_quads(t, NV3_PIXOPS_QUADS - open);
            break;
        }
    }
}

/* Appends the quads of a block of triangle @triangle. @place: position of the block. */
LANES_INLINE void fp_append_quads(NV3FpThread *t, int32_t triangle, uint32_t place,
                                  uint64_t mask)
{
    NV3FpQuads *q = &t->deferred;
#if LANES == 16
    const LaneU shift = { 0, 2, 4, 6, 16, 18, 20, 22, 0, 2, 4, 6, 16, 18, 20, 22 };
    const LaneI places = {
        0, 2, 4, 6, 0x20000, 0x20002, 0x20004, 0x20006,
        0x40000, 0x40002, 0x40004, 0x40006, 0x60000, 0x60002, 0x60004, 0x60006,
    };
    const __m512i lines = _mm512_inserti64x4(_mm512_set1_epi32(mask),
                                             _mm256_set1_epi32(mask >> 32), 1);
    const LaneU masks = ((LaneU)lines >> shift) & 0x303;
    const __mmask16 used = _mm512_test_epi32_mask((__m512i)masks, (__m512i)masks);

    _mm512_storeu_si512(&q->place[t->quads], _mm512_maskz_compress_epi32(
        used, (__m512i)(places + (int32_t)place)));
    _mm512_storeu_si512(&q->mask[t->quads],
                        _mm512_maskz_compress_epi32(used, (__m512i)masks));
    _mm512_storeu_si512(&q->triangle[t->quads], _mm512_set1_epi32(triangle));
    t->quads += __builtin_popcount(used);
#elif LANES == 8
    const LaneU shift = { 0, 2, 4, 6, 16, 18, 20, 22 };
    const LaneU number = { 0, 4, 8, 12, 16, 20, 24, 28 };
    const LaneI places = {
        0, 2, 4, 6, 0x20000, 0x20002, 0x20004, 0x20006,
    };

    for (unsigned i = 0; i < 2; i++) {
        const LaneU masks = ((LaneU)lane_isplat(mask >> 32 * i) >> shift) & 0x303;
        const unsigned used = lane_bits((LaneI)masks > 0);
        const __m256i order = (__m256i)((LaneU)lane_isplat(t->bit_numbers[used]) >>
                                        number);
        const LaneI here = places + (int32_t)(place + i * 0x40000);

        _mm256_storeu_si256((void *)&q->place[t->quads],
                            _mm256_permutevar8x32_epi32((__m256i)here, order));
        _mm256_storeu_si256((void *)&q->mask[t->quads],
                            _mm256_permutevar8x32_epi32((__m256i)masks, order));
        _mm256_storeu_si256((void *)&q->triangle[t->quads], _mm256_set1_epi32(triangle));
        t->quads += __builtin_popcount(used);
    }
#else
    for (uint64_t left = fp_quads(mask); left; left &= left - 1) {
        const unsigned bit = __builtin_ctzll(left);

        q->place[t->quads] = place + ((bit & 0x38) << 13 | (bit & 7));
        q->mask[t->quads] = mask >> bit & 0x303;
        q->triangle[t->quads++] = triangle;
    }
#endif
}

/* Defers the pixels of @mask in a block of triangle @n. */
LANES_INLINE void fp_defer(NV3FpThread *t, unsigned n, int32_t x, int32_t y,
                           uint64_t mask)
{
    const uint32_t place = (uint32_t)y << 16 | x;

    if (t->separate) {
        fp_separate_strip(t, n, place, mask);
    }
    fp_append_quads(t, n, place, mask);
    if (t->quads >= NV3_FP_QUADS) {
        FP_NAME(nv3_fp_shade_strips)(t);
    }
}
