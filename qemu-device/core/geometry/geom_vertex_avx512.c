/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Instantiates, for AVX-512, the functions that fetch floats, project vertices and cull
 * triangles.
 */
#include "geometry/geom_int.h"

#ifdef NV3_VP_HAVE_X86
#include <immintrin.h>

#define FETCH_WIDTH         16
#define FETCH_TARGET        __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl")))
#define FETCH_FUNCTION      nv3_geom_fetch_floats_avx512
#define PROJECT_WIDTH       16
#define PROJECT_TARGET      __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl")))
#define PROJECT_SIGN(x)     (_mm512_movepi32_mask((__m512i)(x)) != 0)
#define PROJECT_FUNCTION    nv3_geom_project_avx512
#define CULL_WIDTH          16
#define CULL_THIRD          11
#define CULL_TARGET         __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl")))
#define CULL_ANY(x)         (_mm512_test_epi32_mask((__m512i)(x), (__m512i)(x)) != 0)
#define CULL_FUNCTION       nv3_geom_cull_avx512

#include "geometry/geom_cull_loops.h"
#include "geometry/geom_fetch_loops.h"
#include "geometry/geom_project_loops.h"
#endif
