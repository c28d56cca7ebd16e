/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Small triangles on CPUs with AVX-512 but without VBMI2. */
#include "raster/small512.h"

#ifdef NV3_HAVE_AVX2
NV3Avx2Draw *const nv3_small_avx512[3][2][2] = NV3_SMALL_TABLE;
#endif
