/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Implements streams, sequences of vertices of class 0x17 that do not write registers.
 *
 * A triangle takes up to 24 methods, which write about 30 registers. Of the vertices in a
 * slot, software can observe only the last. While complete vertices arrive, this file
 * therefore stores their words, and draws triangles from these words without writing
 * registers. A stream ends before any other method, before any access to a register, and
 * at the end of nv3_run(). nv3_d3d_end_stream() then writes the registers. This function
 * runs the code that is also used without a stream, so the registers get the same values.
 */
#include <string.h>

#include "3d/d3d_int.h"
#include "chip/simd.h"
#include "graph/pgraph.h"
#include "raster/raster_int.h"

#ifdef NV3_HAVE_AVX2
#include <immintrin.h>
#elif defined(__SSE2__)
#include <emmintrin.h>
#endif

#define INLINE inline __attribute__((always_inline))

void nv3_d3d_end_stream(NV3State *s)
{
    NV3Pgraph *g = &s->pgraph;
    const D3dStream *st = &g->d3d->stream;
    const uint32_t *last = st->words[st->last];

    g->stream = NULL;
    if (!st->placed) {
        return;
    }
    for (unsigned i = 0; i < NV3_D3D_SLOTS; i++) {
        if (i != st->last && st->placed >> i & 1) {
            nv3_d3d_latch(s, st->words[i]);
        }
    }
    nv3_d3d_latch(s, last);
    nv3_pgraph_latch(s, st->chid, st->subch,
                     st->mthd + NV3_D3D_V(0) - NV3_D3D_FOG_TRI(0),
                     last[NV3_D3D_VERTEX_WORDS - 1], st->ctx);
}

typedef int32_t Int4 __attribute__((vector_size(16)));
typedef float Float4 __attribute__((vector_size(16)));
typedef int16_t Short8 __attribute__((vector_size(16)));

/* Returns the eight numbers in @a and @b, saturated to signed 16 bits. */
static INLINE Short8 saturate(Int4 a, Int4 b)
{
#if defined(__SSE2__)
    return (Short8)_mm_packs_epi32((__m128i)a, (__m128i)b);
#else
    Short8 out;

    for (unsigned i = 0; i < 8; i++) {
        int32_t n = i < 4 ? a[i] : b[i - 4];

        out[i] = n > INT16_MAX ? INT16_MAX : n < INT16_MIN ? INT16_MIN : n;
    }
    return out;
#endif
}

/*
 * Converts four words of a vertex to fixed point, rounding towards zero. @from: the first
 * word. Scaling by a power of two is exact. The bit patterns of positive floats have the
 * same order as the floats, and NaNs are last. One comparison of integers therefore
 * clamps the magnitude of each value to its bound. saturate() clamps x, y, u and v to 16
 * bits, so their bounds may exceed 16 bits.
 */
static INLINE Int4 fixed(const D3dStream *st, const uint32_t *words, unsigned from)
{
    Int4 in, bound, size, large;
    Float4 f, scale;

    memcpy(&in, words + from, sizeof(in));
    memcpy(&bound, st->bound + from, sizeof(bound));
    memcpy(&scale, st->scale + from, sizeof(scale));
    size = in & INT32_MAX;
    large = size > bound;
    f = (Float4)((in ^ size) | (size & ~large) | (bound & large));
    return __builtin_convertvector(f * scale, Int4);
}

_Static_assert(offsetof(NV3RasterVertex, x) + 2 == offsetof(NV3RasterVertex, y) &&
               offsetof(NV3RasterVertex, x) + 4 == offsetof(NV3RasterVertex, u) &&
               offsetof(NV3RasterVertex, x) + 6 == offsetof(NV3RasterVertex, v),
               "coordinates are four numbers in a row");
_Static_assert(offsetof(NV3RasterVertex, a) == offsetof(NV3RasterVertex, r) + 3,
               "colours are four bytes in a row");

/* Converts the words for 1/w, colour and fog. */
static INLINE void convert_rest(const uint32_t words[NV3_D3D_VERTEX_WORDS],
                                NV3RasterVertex *v)
{
    const uint32_t color = words[1];

    v->m = words[5] >> 6 & 0x1ffffff;
    /* Store red, green, blue, and the top 7 bits of alpha, in this order. */
    nv3_stl(&v->r, __builtin_bswap32(color) >> 8 | color >> 25 << 24);
    v->fog = words[0] >> 24;
}

/*
 * Converts the words of a vertex. The result is the same as that of nv3_d3d_latch() and
 * then nv3_d3d_get_vertex().
 */
typedef void Convert(const D3dStream *st, const uint32_t words[NV3_D3D_VERTEX_WORDS],
                     NV3RasterVertex *v);

static void convert_any(const D3dStream *st, const uint32_t words[NV3_D3D_VERTEX_WORDS],
                        NV3RasterVertex *v)
{
    const Int4 xy = fixed(st, words, 0), zuv = fixed(st, words, 4);
    Int4 pairs = (Int4)saturate(xy, zuv);

    pairs = __builtin_shufflevector(pairs, pairs, 1, 3, 1, 3);
    memcpy(&v->x, &pairs, 4 * sizeof(v->x));
    v->z = zuv[0] > 0 ? zuv[0] : 0;
    convert_rest(words, v);
}

#ifdef NV3_HAVE_AVX2
/* Like convert_any(), but converts all floats in a single vector. */
static __attribute__((target("avx2")))
void convert_avx2(const D3dStream *st, const uint32_t words[NV3_D3D_VERTEX_WORDS],
                  NV3RasterVertex *v)
{
    const __m256i bound = _mm256_loadu_si256((const void *)st->bound);
    const __m256i all = _mm256_set1_epi32(INT32_MAX);
    /*
     * place() has just stored the words in two halves. A single load would have to wait
     * for both stores, so load the halves.
     */
    __m256i in = _mm256_inserti128_si256(
        _mm256_castsi128_si256(_mm_loadu_si128((const void *)words)),
        _mm_loadu_si128((const void *)(words + 4)), 1);
    __m256i f = _mm256_or_si256(_mm256_andnot_si256(all, in),
        _mm256_min_epi32(_mm256_and_si256(in, all), bound));
    __m256i n = _mm256_cvttps_epi32(_mm256_mul_ps(_mm256_castsi256_ps(f),
                                                  _mm256_loadu_ps(st->scale)));
    __m128i xy = _mm256_castsi256_si128(n), zuv = _mm256_extracti128_si256(n, 1);

    _mm_storel_epi64((void *)&v->x,
                     _mm_shuffle_epi32(_mm_packs_epi32(xy, zuv), 0xdd));
    v->z = _mm_cvtsi128_si32(_mm_max_epi32(zuv, _mm_setzero_si128()));
    convert_rest(words, v);
}
#endif

/*
 * Sets @v to the vertices in the three slots of @indices. Converts the vertices that have
 * not been converted yet.
 */
static INLINE void get_corners(const NV3Pgraph *g, D3dStream *st, uint32_t indices,
                               const NV3RasterVertex *v[3], Convert *convert)
{
    for (unsigned i = 0; i < 3; i++) {
        const unsigned slot = indices >> (4 * i) & 0xf;

        v[i] = &st->vertex[slot];
        if (st->known >> slot & 1) {
            continue;
        }
        st->known |= 1u << slot;
        if (st->placed >> slot & 1) {
            convert(st, st->words[slot], &st->vertex[slot]);
        } else {
            nv3_d3d_get_vertex(g, slot, &st->vertex[slot]);
        }
    }
}

/*
 * Draws triangle t of the FOG_TRI word @tri for each set bit t of @which. The slots of
 * these triangles must contain vertices.
 */
static INLINE void draw(NV3State *s, uint32_t tri, unsigned which, Convert *convert)
{
    NV3D3d *d = s->pgraph.d3d;
    const NV3RasterVertex *v[3];

    for (unsigned t = 0; which >> t; t++) {
        if (!(which >> t & 1)) {
            continue;
        }
        get_corners(&s->pgraph, &d->stream, tri >> (t * 12), v, convert);
        if (!nv3_d3d_draw(s, d, v)) {
            nv3_pgraph_end_stream(s);
            nv3_d3d_start_job(s, d, t);
            return;
        }
    }
}

#ifdef NV3_HAVE_AVX2
static __attribute__((target("avx2")))
void draw_avx2(NV3State *s, uint32_t tri, unsigned which)
{
    draw(s, tri, which, convert_avx2);
}
#endif

static void draw_any(NV3State *s, uint32_t tri, unsigned which)
{
    draw(s, tri, which, convert_any);
}

static void open_stream(NV3State *s, uint32_t chid, uint32_t subch, uint32_t ctx)
{
    NV3Pgraph *g = &s->pgraph;
    D3dStream *st = &g->d3d->stream;
    const unsigned log2 = nv3_d3d_tex_log2(g);
    const int32_t float_4096 = 0x45800000, below_one = 0x3f7fffff;
    const int32_t uv_bound = float_4096 - ((int32_t)log2 << 23);
    const float texels = 16u << log2;
    const int32_t bound[NV3_D3D_VERTEX_WORDS] = {
        [2] = float_4096, [3] = float_4096, [4] = below_one,
        [6] = uv_bound, [7] = uv_bound,
    };
    const float scale[NV3_D3D_VERTEX_WORDS] = {
        [2] = 16, [3] = 16, [4] = 0x1p24f, [6] = texels, [7] = texels,
    };

    memcpy(st->bound, bound, sizeof(bound));
    memcpy(st->scale, scale, sizeof(scale));
    st->chid = chid;
    st->subch = subch;
    st->ctx = ctx;
    st->valid = g->valid & 0xffff;
    st->placed = 0;
    st->known = 0;
    st->draw = draw_any;
#ifdef NV3_HAVE_AVX2
    if (g->d3d->raster.mode.simd != NV3_SIMD_SCALAR) {
        st->draw = draw_avx2;
    }
#endif
    g->stream = &nv3_class_d3d;
}

/*
 * Executes the methods of a vertex outside of a stream, and starts a stream if possible.
 * Returns false if the words of the vertex must be submitted one by one.
 */
static __attribute__((noinline))
bool submit_first(NV3State *s, uint32_t chid, uint32_t subch, uint32_t mthd,
                  const uint32_t data[NV3_D3D_VERTEX_WORDS], uint32_t ctx)
{
    NV3Pgraph *g = &s->pgraph;

    nv3_pgraph_end_stream(s);
    if (!nv3_pgraph_ready(s) ||
        !nv3_pgraph_is_plain(s, chid, subch, ctx, NV3_CLASS_D3D)) {
        return false;
    }
    nv3_pgraph_latch(s, chid, subch, mthd + NV3_D3D_V(0) - NV3_D3D_FOG_TRI(0),
                     data[NV3_D3D_VERTEX_WORDS - 1], ctx);
    g->ctx_control &= ~NV3_PGRAPH_CTX_CONTROL_SWITCHING;
    s->counters[NV3_PVIRT_COUNTER_METHODS] += NV3_D3D_VERTEX_WORDS;
    g->before.options = g->ctx_switch;
    g->before.class = NV3_CLASS_D3D;
    g->before.xy_misc_1 = g->xy_misc[1];
    if (nv3_d3d_vertex(s, data)) {
        open_stream(s, chid, subch, ctx);
    }
    return true;
}

static bool has_triangle(uint32_t tri, unsigned t)
{
    return tri >> (t * 12 + 4) && nv3_d3d_is_triangle(tri, t);
}

/* Returns true if all corners of triangle @t have been stored. */
static bool complete(uint32_t tri, unsigned t, uint32_t valid)
{
    return valid >> nv3_d3d_corner(tri, t, 0) & valid >> nv3_d3d_corner(tri, t, 1) &
           valid >> nv3_d3d_corner(tri, t, 2) & 1;
}

/*
 * Sets *@which to the mask of the triangles that the vertex draws. Returns false if a
 * corner of a triangle has not been stored.
 */
static bool find_triangles(uint32_t tri, uint32_t valid, unsigned *which)
{
    for (unsigned t = 0; t < 2; t++) {
        if (!has_triangle(tri, t)) {
            continue;
        }
        if (!complete(tri, t, valid)) {
            return false;
        }
        *which |= 1u << t;
    }
    return true;
}

static INLINE void place(NV3State *s, D3dStream *st, uint32_t mthd,
                         const uint32_t words[NV3_D3D_VERTEX_WORDS])
{
    const unsigned slot = words[0] & 0xf;
    const uint32_t bit = 1u << slot;

    memcpy(st->words[slot], words, sizeof(st->words[slot]));
    st->mthd = mthd;
    st->last = slot;
    st->placed |= bit;
    st->known &= ~bit;
    s->counters[NV3_PVIRT_COUNTER_METHODS] += NV3_D3D_VERTEX_WORDS;
}

/*
 * Stores a vertex and draws its triangles. If a slot of a triangle contains no vertex,
 * ends the stream instead, and returns the result of submit_first().
 */
static __attribute__((noinline))
bool place_and_draw(NV3State *s, uint32_t mthd,
                    const uint32_t words[NV3_D3D_VERTEX_WORDS])
{
    D3dStream *st = &s->pgraph.d3d->stream;
    const uint32_t tri = words[0] & 0xffffff;
    const uint32_t valid = st->valid | st->placed | 1u << (tri & 0xf);
    unsigned which = 0;

    if (!find_triangles(tri, valid, &which)) {
        return submit_first(s, st->chid, st->subch, mthd, words, st->ctx);
    }
    place(s, st, mthd, words);
    if (which) {
        s->counters[NV3_PVIRT_COUNTER_TRIANGLES] += (which & 1) + (which >> 1);
        st->draw(s, tri, which);
    }
    return true;
}

/* Most vertices draw nothing, so the code that draws is in a separate function. */
bool nv3_d3d_submit_vertex(NV3State *s, uint32_t chid, uint32_t subch,
                           uint32_t mthd,
                           const uint32_t words[NV3_D3D_VERTEX_WORDS],
                           uint32_t ctx)
{
    NV3Pgraph *g = &s->pgraph;

    chid &= NV3_PGRAPH_CTX_USER_CHID >> 24;
    subch &= NV3_FIFO_ADDR_SUBCH >> NV3_FIFO_ADDR_SUBCH_SHIFT;
    if (!g->stream || g->d3d->stream.chid != chid ||
        g->d3d->stream.subch != subch || g->d3d->stream.ctx != ctx) {
        return submit_first(s, chid, subch, mthd, words, ctx);
    }
    if (words[0] & 0xfffff0) {
        return place_and_draw(s, mthd, words);
    }
    place(s, &g->d3d->stream, mthd, words);
    return true;
}
