/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Instantiates the coverage function with portable vectors of 4 lanes, and selects the
 * function for a SIMD level.
 */
#define COVER_WIDTH         4
#define COVER_TARGET
#define COVER_FUNCTION      nv3_geom_cover_generic

#if defined(__SSE2__)
#include <emmintrin.h>
#define COVER_SIGNS(v)      ((unsigned)_mm_movemask_ps((__m128)(v)))
#else
#define COVER_SIGNS(v)      cover_signs(v)
#endif

#include "geometry/geom_coverage.h"

#if !defined(__SSE2__)
typedef uint32_t CoverSigns __attribute__((vector_size(16)));

static inline unsigned cover_signs(CoverSigns v)
{
    return v[0] >> 31 | v[1] >> 31 << 1 | v[2] >> 31 << 2 | v[3] >> 31 << 3;
}
#undef COVER_SIGNS
#define COVER_SIGNS(v)      cover_signs((CoverSigns)(v))
#endif

#include "geometry/geom_coverage_loops.h"

unsigned nv3_geom_cover(NV3VpLevel level, const NV3GeomEdges *edges,
                        NV3GeomCovered covered[64])
{
    switch (level) {
#ifdef NV3_VP_HAVE_X86
    case NV3_VP_AVX512:
        return nv3_geom_cover_avx512(edges, covered);
    case NV3_VP_AVX2:
        return nv3_geom_cover_avx2(edges, covered);
#endif
    default:
        return nv3_geom_cover_generic(edges, covered);
    }
}
