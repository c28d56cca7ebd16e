/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Instantiates the coverage and triangle set-up functions for AVX-512. */
#include "geometry/geom_coverage.h"

#ifdef NV3_VP_HAVE_X86
#include <immintrin.h>

#define COVER_WIDTH         16
#define COVER_TARGET        __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl")))
#define COVER_FUNCTION      nv3_geom_cover_avx512
#define COVER_SIGNS(v)      ((unsigned)_mm512_movepi32_mask((__m512i)(v)))

#include "geometry/geom_coverage_loops.h"

#define SETUP_TARGET        COVER_TARGET
#define SETUP_FUNCTION      nv3_geom_setup_avx512

#include "geometry/geom_setup_loops.h"
#endif
