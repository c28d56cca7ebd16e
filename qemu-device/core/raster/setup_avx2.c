/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sets up triangles with AVX2.
 *
 * For a small triangle, nv3_small_ends() computes the ends of its lines before its planes
 * are computed. The number of pixels depends on these ends through a long chain of
 * dependent operations, which the CPU can execute in parallel with the computation of the
 * planes.
 */
#include "raster/raster_int.h"

#ifdef NV3_HAVE_AVX2
#include <immintrin.h>

#define EDGES inline __attribute__((always_inline, target("avx2")))

/*
 * The x coordinate of an edge on a line is (num + line * step) / den. x is relative to
 * col0, and line numbers are relative to row0. Element 0 is the edge from the top to the
 * bottom vertex, element 1 from top to middle, and element 2 from middle to bottom.
 */
typedef struct NV3SmallEdges {
    __m256i num, step;
    __m256 den;
} NV3SmallEdges;

/*
 * Loads three numbers one by one, because they have just been stored one by one, and the
 * CPU cannot forward several stores to a single load.
 */
static EDGES __m128i nv3_small_three(const int32_t v[3])
{
    return _mm_insert_epi32(_mm_insert_epi32(_mm_cvtsi32_si128(v[0]), v[1], 1), v[2], 2);
}

static EDGES NV3SmallEdges nv3_small_edges(const NV3RasterTri *t)
{
    const __m128i x = nv3_small_three(t->x), y = nv3_small_three(t->y);
    const __m128i x0 = _mm_shuffle_epi32(x, 0x10), x1 = _mm_shuffle_epi32(x, 0x26);
    const __m128i y0 = _mm_shuffle_epi32(y, 0x10), y1 = _mm_shuffle_epi32(y, 0x26);
    const __m128i dx = _mm_sub_epi32(x1, x0), dy = _mm_sub_epi32(y1, y0);
    const __m128i num = _mm_sub_epi32(
        _mm_mullo_epi32(_mm_sub_epi32(x0, _mm_set1_epi32(t->col0 * 16)), dy),
        _mm_mullo_epi32(_mm_sub_epi32(y0, _mm_set1_epi32(t->row0 * 16)), dx));

    return (NV3SmallEdges) {
        .num = _mm256_castsi128_si256(num),
        .step = _mm256_castsi128_si256(_mm_slli_epi32(dx, 4)),
        .den = _mm256_castps128_ps256(_mm_cvtepi32_ps(_mm_slli_epi32(dy, 4))),
    };
}

/*
 * For each of 8 lines, returns the first pixel at or to the right of an edge, like
 * NV3RasterEdge.x. @which: the index of the edge on each line. Numerator and denominator
 * are less than 2^24, so the division of floats cannot round a fractional quotient to an
 * integer.
 */
static EDGES __m256i nv3_small_ceil(const NV3SmallEdges *e, __m256i which,
                                          __m256i line)
{
    __m256i step = _mm256_permutevar8x32_epi32(e->step, which);
    __m256i num = _mm256_add_epi32(_mm256_permutevar8x32_epi32(e->num, which),
                                   _mm256_mullo_epi32(step, line));
    __m256 den = _mm256_permutevar8x32_ps(e->den, which);

    return _mm256_cvttps_epi32(_mm256_ceil_ps(
        _mm256_div_ps(_mm256_cvtepi32_ps(num), den)));
}

/*
 * Computes t->small.ends. On each line of the triangle, the edge with the smaller x is
 * the left end. On lines outside the triangle, the ends are undefined.
 */
static EDGES void nv3_small_ends(NV3RasterTri *t)
{
    const __m256i line = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    const NV3SmallEdges e = nv3_small_edges(t);
    /*
     * Index of the short edge: 2 on the lines of the lower short edge, 1 on all other
     * lines.
     */
    __m256i edge = _mm256_sub_epi32(_mm256_set1_epi32(1), _mm256_cmpgt_epi32(line,
        _mm256_set1_epi32(t->row_mid - t->row0 - 1)));
    __m256i a = nv3_small_ceil(&e, _mm256_setzero_si256(), line);
    __m256i b = nv3_small_ceil(&e, edge, line);
    __m256i ends = _mm256_packs_epi32(_mm256_min_epi32(a, b), _mm256_max_epi32(a, b));

    ends = _mm256_permutevar8x32_epi32(_mm256_packs_epi16(ends, ends),
                                       _mm256_setr_epi32(0, 4, 1, 5, 0, 4, 1, 5));
    _mm_storeu_si128((void *)t->small.ends, _mm256_castsi256_si128(ends));
}

/* Loads @size bytes. */
static EDGES __m128i nv3_setup_low(const void *p, size_t size)
{
    __m128i low = _mm_setzero_si128();

    memcpy(&low, p, size);
    return low;
}

#define SETUP_TARGET        __attribute__((target("avx2")))
#define SETUP_FUNCTION      nv3_setup_avx2
/* With __builtin_convertvector(), GCC would convert each vector in several parts. */
#define SETUP_WIDEN8(b)     (NV3Int4)_mm_cvtepu8_epi32(nv3_setup_low(&b, sizeof(b)))
#define SETUP_WIDEN16(s)    (NV3Int4)_mm_cvtepi16_epi32(nv3_setup_low(&s, sizeof(s)))
#define SETUP_DOUBLE(i)     (NV3Double4)_mm256_cvtepi32_pd((__m128i)(i))
#define SETUP_SMALL(t)      nv3_small_ends(t)

#include "raster/setup_loops.h"
#endif
