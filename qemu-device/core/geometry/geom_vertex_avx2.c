/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fetch of floats and projection of vertices with AVX2. */
#include "geometry/geom_int.h"

#ifdef NV3_VP_HAVE_X86
#define FETCH_WIDTH         8
#define FETCH_TARGET        __attribute__((target("avx2")))
#define FETCH_FUNCTION      nv3_geom_fetch_floats_avx2
#define PROJECT_WIDTH       8
#define PROJECT_TARGET      __attribute__((target("avx2")))
#define PROJECT_FUNCTION    nv3_geom_project_avx2

#include "geometry/geom_fetch_loops.h"
#include "geometry/geom_project_loops.h"
#endif
