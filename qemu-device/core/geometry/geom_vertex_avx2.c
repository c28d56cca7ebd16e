/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Instantiates, for AVX2, the functions that fetch floats, project vertices and cull
 * triangles.
 */
#include "geometry/geom_int.h"

#ifdef NV3_VP_HAVE_X86
#include <immintrin.h>

#define FETCH_WIDTH         8
#define FETCH_TARGET        __attribute__((target("avx2")))
#define FETCH_FUNCTION      nv3_geom_fetch_floats_avx2
#define PROJECT_WIDTH       8
#define PROJECT_TARGET      __attribute__((target("avx2")))
#define PROJECT_SIGN(x)     (_mm256_movemask_ps((__m256)(x)) != 0)
#define PROJECT_FUNCTION    nv3_geom_project_avx2
#define CULL_WIDTH          8
#define CULL_THIRD          3
#define CULL_TARGET         __attribute__((target("avx2")))
#define CULL_ANY(x)         (!_mm256_testz_si256((__m256i)(x), (__m256i)(x)))
#define CULL_FUNCTION       nv3_geom_cull_avx2

#include "geometry/geom_cull_loops.h"
#include "geometry/geom_fetch_loops.h"
#include "geometry/geom_project_loops.h"
#endif
