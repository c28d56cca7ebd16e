/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Instantiates the coverage and triangle set-up functions for AVX2. */
#include "geometry/geom_coverage.h"

#ifdef NV3_VP_HAVE_X86
#include <immintrin.h>

#define COVER_WIDTH         8
#define COVER_TARGET        __attribute__((target("avx2")))
#define COVER_FUNCTION      nv3_geom_cover_avx2
#define COVER_SIGNS(v)      ((unsigned)_mm256_movemask_ps((__m256)(v)))

#include "geometry/geom_coverage_loops.h"

#define SETUP_TARGET        COVER_TARGET
#define SETUP_FUNCTION      nv3_geom_setup_avx2

#include "geometry/geom_setup_loops.h"
#endif
