/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Projection of vertices with AVX2. */
#include "geometry/geom_int.h"

#ifdef NV3_VP_HAVE_X86
#define PROJECT_WIDTH       8
#define PROJECT_TARGET      __attribute__((target("avx2")))
#define PROJECT_FUNCTION    nv3_geom_project_avx2

#include "geometry/geom_project_loops.h"
#endif
