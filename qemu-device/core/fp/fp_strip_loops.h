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

#define FP_QUAD_LANES   (LANES < 8 ? LANES : 8)     /* quads of a vector */
#define FP_QUAD_VECTORS (NV3_FP_QUADS / FP_QUAD_LANES)

typedef float FpQuadF __attribute__((vector_size(4 * FP_QUAD_LANES), may_alias));
typedef int32_t FpQuadI __attribute__((vector_size(4 * FP_QUAD_LANES), may_alias));

/* A value for each pixel of a vector of quads. */
typedef struct FpQuadValues {
    FpQuadF upper[2], lower[2];         /* left and right pixel */
} FpQuadValues;

/* Triangles and positions of the quads in a vector. */
typedef struct FpQuadLanes {
    FpQuadI triangle;
    /*
     * x, y: from the triangle's reference pixel to the block; column, row: in the block
     */
    FpQuadF x, y, column, row;
} FpQuadLanes;

/* Returns a vector of the elements of @table at the indices @index. */
LANES_INLINE FpQuadF fp_permute(const float table[NV3_FP_TRIANGLES], FpQuadI index)
{
#if LANES >= 8
    return (FpQuadF)_mm256_permutevar8x32_ps(_mm256_load_ps(table), (__m256i)index);
#else
    return (FpQuadF) { table[index[0]], table[index[1]], table[index[2]],
                       table[index[3]] };
#endif
}

/*
 * Returns vector @i of @words. @words has one 32-bit element for each quad, in the
 * order of strips. Vectors of four lanes keep this order. Vectors of eight lanes have
 * quads 0 and 1 of two strips, followed by quads 2 and 3 of the same strips. This order
 * avoids permutations in fp_store_quads().
 */
LANES_INLINE FpQuadI fp_order(const void *words, unsigned i)
{
#if LANES >= 8
    const __m256i *from = words;

    return (FpQuadI)_mm256_permute4x64_epi64(from[i], _MM_SHUFFLE(3, 1, 2, 0));
#else
    return ((const FpQuadI *)words)[i];
#endif
}

LANES_INLINE void fp_find_quad_lanes(FpQuadLanes *l, const NV3FpThread *t, unsigned i)
{
    const FpQuadI place = fp_order(t->deferred.place, i);
    const FpQuadI x = place & 0xffff, y = place >> 16;

    l->triangle = fp_order(t->deferred.triangle, i);
    l->column = __builtin_convertvector(x & 7, FpQuadF);
    l->row = __builtin_convertvector(y & 7, FpQuadF);
    l->x = __builtin_convertvector(
        (x & ~7) - (FpQuadI)fp_permute((const float *)t->triangle_x, l->triangle),
        FpQuadF);
    l->y = __builtin_convertvector(
        (y & ~7) - (FpQuadI)fp_permute((const float *)t->triangle_y, l->triangle),
        FpQuadF);
}

/* Evaluates a plane, with the same results as fp_block_plane(). */
LANES_INLINE FpQuadValues fp_quad_plane(const NV3FpPlanes *p, const FpQuadLanes *l)
{
    const FpQuadF dx = fp_permute(p->dx, l->triangle);
    const FpQuadF dy = fp_permute(p->dy, l->triangle);
    const FpQuadF corner = fp_permute(p->value, l->triangle) + (l->x * dx + l->y * dy);
    const FpQuadF upper = corner + l->row * dy, lower = corner + (l->row + 1.0f) * dy;
    const FpQuadF left = l->column * dx, right = (l->column + 1.0f) * dx;

    return (FpQuadValues) { { upper + left, upper + right },
                            { lower + left, lower + right } };
}

/* Stores the values of vector @i in the order of pixels in strips. */
LANES_INLINE void fp_store_quads(float *to, const FpQuadValues *v, unsigned i)
{
#if LANES >= 8
    FpQuadF *first = (FpQuadF *)to + 4 * i;

    first[0] = (FpQuadF)_mm256_unpacklo_ps((__m256)v->upper[0], (__m256)v->upper[1]);
    first[1] = (FpQuadF)_mm256_unpacklo_ps((__m256)v->lower[0], (__m256)v->lower[1]);
    first[2] = (FpQuadF)_mm256_unpackhi_ps((__m256)v->upper[0], (__m256)v->upper[1]);
    first[3] = (FpQuadF)_mm256_unpackhi_ps((__m256)v->lower[0], (__m256)v->lower[1]);
#else
    FpQuadF *first = (FpQuadF *)to + 4 * i;

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
                                       const FpQuadLanes *l, const FpQuadValues *w)
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
                                      const FpQuadLanes *l)
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

/* Interpolates the program's inputs for all deferred quads. */
static LANES_TARGET void fp_interpolate_deferred(NV3FpThread *t, NV3FpSlot *fog)
{
    const NV3FpCode *code = t->draw->code;
    FpQuadLanes lanes[FP_QUAD_VECTORS];
    FpQuadValues w[FP_QUAD_VECTORS];

    for (unsigned i = 0; i < FP_QUAD_VECTORS; i++) {
        fp_find_quad_lanes(&lanes[i], t, i);
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
    for (unsigned i = 0; i < code->input_count; i++) {
        const NV3FpCodeInput *in = &code->input[i];
        const bool divided = code->varyings & ~t->linear & 1u << in->input;

        fp_interpolate_quads(t->file[in->slot].pixel, &t->input[i], lanes,
                             divided ? w : NULL);
    }
    if (t->draw->pixops.fog) {
        fp_fog_factor_quads(fog->pixel, t, lanes);
    }
}

/* ---- shading of deferred quads --------------------------------------------- */

/* Completes the open strip with empty quads. */
LANES_INLINE void fp_close_strip(NV3FpThread *t)
{
    const unsigned first = t->open * NV3_PIXOPS_QUADS;
    NV3FpQuads *q = &t->deferred;

    for (unsigned i = t->open_quads; i && i < NV3_PIXOPS_QUADS; i++) {
        q->place[first + i] = q->place[first];
        q->triangle[first + i] = q->triangle[first];
    }
    t->open_quads = 0;
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
    for (unsigned i = 0; i < t->strips; i++) {
        const uint32_t *place = &t->deferred.place[i * NV3_PIXOPS_QUADS];
        uint8_t pattern[NV3_PIXOPS_QUADS];

        for (unsigned n = 0; n < NV3_PIXOPS_QUADS; n++) {
            pattern[n] = (place[n] >> 16 & 3) * 8 + (place[n] & 3);
        }
        pix_strip_dither(to->pixel + i * NV3_PIXOPS_STRIP, s->dither, pattern);
    }
    return to;
}

/* Shades the deferred quads. */
LANES_TARGET void FP_NAME(nv3_fp_shade_strips)(NV3FpThread *t)
{
    const NV3PixopsState *s = &t->draw->pixops;
    const NV3FpQuads *q = &t->deferred;
    const FpZeta zeta = fp_zeta(t->draw);
    const bool stores = s->color_format != NV3_PIXOPS_COLOR_NONE;
    const bool reads = stores && pix_reads_color(s);
    NV3FpSlot fog, fogged[3];
    const PixFloats *dither;
    const float *color[4];
    PixFloats pattern;
    PixWords words;

    fp_close_strip(t);
    fp_interpolate_deferred(t, &fog);
    fp_run(t, &fog, color, fogged);
    dither = fp_find_dither(&pattern, t);
    if (stores && !reads) {
        pix_color_words(s, color, dither, NULL, &words, PIX_VECTORS);
    }
    for (unsigned i = 0; i < t->strips; i++) {
        const uint32_t *place = &q->place[i * NV3_PIXOPS_QUADS];
        const unsigned at = i * NV3_PIXOPS_STRIP;
        const float *const here[4] = {
            color[0] + at, color[1] + at, color[2] + at, color[3] + at,
        };
        unsigned mask = q->mask[i] & ~(t->killed >> at);
        NV3PixopsQuads quads;

        if (s->alpha_test) {
            mask = pix_alpha_test(s, here[3], mask, PIX_STRIP_VECTORS);
        }
        if (mask && (zeta == FP_ZETA_TWICE || zeta == FP_ZETA_LATE)) {
            fp_find_quads(&quads, place, &s->zeta, nv3_pixops_zeta_bytes(s));
            mask = pix_zeta_strip(s, q->front[i], &quads, fp_late_depth(t, &t->z) + at,
                                  mask, true);
        }
        if (mask && stores) {
            fp_find_quads(&quads, place, &s->color, pix_formats[s->color_format].bytes);
            if (reads) {
                pix_color_strip(s, &quads, here, dither->pixel + at, mask);
            } else {
                pix_store_strip(s, &quads, words.pixel + at, mask);
            }
        }
        t->samples += __builtin_popcount(mask);
    }
    t->strips = t->triangles = 0;
    t->current = false;
}

/*
 * Returns true if a quad of the block at @x, @y may be deferred. May also return true
 * because of a quad that is no longer deferred.
 */
LANES_INLINE bool fp_is_waiting(const NV3FpThread *t, int32_t x, int32_t y)
{
    const LaneI block = lane_isplat(y << 16 | x);
    LaneI found = { 0 };

    /* Other entries are old places. */
    for (unsigned i = 0; i < NV3_FP_QUADS / LANES; i++) {
        found |= (((const LaneI *)t->deferred.place)[i] & ~0x70007) == block;
    }
    return t->strips && lane_bits(found);
}

/* ---- deferring quads --------------------------------------------------------- */

LANES_INLINE void fp_set_plane(NV3FpPlanes *to, unsigned i, NV3FpPlane plane)
{
    to->value[i] = plane.value;
    to->dx[i] = plane.dx;
    to->dy[i] = plane.dy;
}

/* Shades the deferred quads, if any, and removes all triangles. */
LANES_INLINE void fp_flush(NV3FpThread *t)
{
    if (t->strips) {
        FP_NAME(nv3_fp_shade_strips)(t);
    }
    t->triangles = 0;
}

/* Adds the planes of @tri, which becomes the current triangle. */
static LANES_TARGET void fp_add_triangle(NV3FpThread *t, const NV3FpTriangle *tri)
{
    const NV3FpPlane same = { tri->rhw.value, 0, 0 }, one = { 1, 0, 0 };
    const NV3FpCode *code = t->draw->code;
    unsigned n;

    if (t->triangles && (t->triangles == NV3_FP_TRIANGLES || t->linear != tri->linear)) {
        fp_flush(t);
    }
    n = t->triangles++;
    t->current = true;
    t->linear = tri->linear;
    t->triangle_x[n] = tri->x;
    t->triangle_y[n] = tri->y;
    /* The planes of an affine triangle are already multiplied by w. */
    fp_set_plane(&t->rhw, n, tri->affine ? one : tri->rhw);
    for (unsigned i = 0; i < code->input_count; i++) {
        fp_set_plane(&t->input[i], n, fp_input_plane(&code->input[i], tri));
    }
    if (t->draw->pixops.fog) {
        fp_set_plane(&t->fog, n, tri->input[NV3_FP_FOG][0]);
        fp_set_plane(&t->fog_rhw, n, tri->affine ? same : tri->rhw);
    }
}

/* Starts a strip for quads of @tri, and returns its index. */
static LANES_TARGET unsigned fp_new_strip(NV3FpThread *t, const NV3FpTriangle *tri)
{
    if (t->strips == NV3_FP_STRIPS) {
        FP_NAME(nv3_fp_shade_strips)(t);
    }
    if (!t->current) {
        fp_add_triangle(t, tri);
    }
    t->deferred.mask[t->strips] = 0;
    t->deferred.front[t->strips] = tri->front;
    return t->strips++;
}

/*
 * Returns true if the open strip or a later one already has a quad at @place, or if the
 * quads of the open strip face the other way.
 */
LANES_INLINE bool fp_conflicts(const NV3FpThread *t, const NV3FpTriangle *tri,
                               uint32_t place)
{
    const LaneI here = lane_isplat(place);
    unsigned found = 0;

    for (unsigned i = 0; i < NV3_FP_QUADS / LANES; i++) {
        found |= lane_bits(((const LaneI *)t->deferred.place)[i] == here) << (i * LANES);
    }
    /* Only strips from the open one on matter. Entries after the last strip are old. */
    found >>= t->open * NV3_PIXOPS_QUADS;
    return (found & ((1u << (t->strips - t->open) * NV3_PIXOPS_QUADS) - 1)) ||
           t->deferred.front[t->open] != tri->front;
}

/* Quads of a block that are not deferred yet. */
typedef struct FpBlockQuads {
    uint32_t place;             /* y << 16 | x of the block's first pixel */
    uint64_t mask;              /* pixels that have passed the early tests */
    uint64_t quads;             /* see fp_quads() */
    const float *z;             /* depths of the block, or null if not needed */
} FpBlockQuads;

/* Moves the first quad of @b to position @i in @strip. */
LANES_INLINE void fp_take_quad(NV3FpThread *t, unsigned strip, unsigned i,
                               FpBlockQuads *b)
{
    const unsigned n = strip * NV3_PIXOPS_QUADS + i, bit = __builtin_ctzll(b->quads);
    NV3FpQuads *q = &t->deferred;

    b->quads &= b->quads - 1;
    q->place[n] = b->place + ((bit & 0x38) << 13 | (bit & 7));
    q->triangle[n] = t->triangles - 1;
    q->mask[strip] |= (b->mask >> bit & 0x303) << 2 * i;
    if (b->z) {
        float *to = &t->z.pixel[strip * NV3_PIXOPS_STRIP + 2 * i];

        memcpy(to, b->z + bit, 2 * sizeof(*to));
        memcpy(to + 8, b->z + bit + 8, 2 * sizeof(*to));
    }
}

/* Moves the first quad of @b to the open strip. */
LANES_INLINE void fp_defer_quad(NV3FpThread *t, const NV3FpTriangle *tri, FpBlockQuads *b)
{
    const unsigned bit = __builtin_ctzll(b->quads);
    const uint32_t place = b->place + ((bit & 0x38) << 13 | (bit & 7));

    if (t->open_quads && fp_conflicts(t, tri, place)) {
        fp_close_strip(t);
    }
    if (!t->current) {
        fp_add_triangle(t, tri);
    }
    if (!t->open_quads) {
        t->open = fp_new_strip(t, tri);
    }
    fp_take_quad(t, t->open, t->open_quads, b);
    t->open_quads = (t->open_quads + 1) % NV3_PIXOPS_QUADS;
}

/* Defers all quads of @b. Four quads form a strip. The rest goes to the open strip. */
LANES_INLINE void fp_defer_quads(NV3FpThread *t, const NV3FpTriangle *tri,
                                 FpBlockQuads *b)
{
    unsigned count = __builtin_popcountll(b->quads);

    for (; count >= NV3_PIXOPS_QUADS; count -= NV3_PIXOPS_QUADS) {
        const unsigned strip = fp_new_strip(t, tri);

        for (unsigned i = 0; i < NV3_PIXOPS_QUADS; i++) {
            fp_take_quad(t, strip, i, b);
        }
    }
    for (; count; count--) {
        fp_defer_quad(t, tri, b);
    }
}
