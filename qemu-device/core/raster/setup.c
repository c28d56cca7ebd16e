/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sets up triangles without SIMD, or with AVX2 (setup_avx2.c). */
#include "raster/raster.h"

#define SETUP_TARGET
#define SETUP_FUNCTION      nv3_setup_any
#define SETUP_WIDEN8(b)     __builtin_convertvector(b, NV3Int4)
#define SETUP_WIDEN16(s)    __builtin_convertvector(s, NV3Int4)
#define SETUP_DOUBLE(i)     __builtin_convertvector(i, NV3Double4)
#define SETUP_SMALL(t)

#include "raster/setup_loops.h"

bool nv3_raster_setup(const NV3RasterState *st, const NV3RasterVertex *v0,
                      const NV3RasterVertex *v1, const NV3RasterVertex *v2,
                      NV3RasterTri *t)
{
#ifdef NV3_HAVE_AVX2
    if (st->mode.simd != NV3_SIMD_SCALAR) {
        return nv3_setup_avx2(st, v0, v1, v2, t);
    }
#endif
    return nv3_setup_any(st, v0, v1, v2, t);
}
