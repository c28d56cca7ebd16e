/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Draws small triangles on CPUs that have AVX-512 but not VBMI2. */
#include "raster/small512.h"

#ifdef NV3_HAVE_AVX2
NV3Avx2Draw *const nv3_small_avx512[3][2][2] = NV3_SMALL_TABLE;
#endif
