/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Instantiates the fast interpreter with AVX2. */
#include "vp/vp_exec.h"

#ifdef NV3_VP_HAVE_X86
#include <immintrin.h>

#define VP_WIDTH        8
#define VP_TARGET       __attribute__((target("avx2")))
#define VP_EXECUTE      nv3_vp_execute_avx2
#define VP_SQRT(x)      ((VpF)_mm256_sqrt_ps((__m256)(x)))
#define VP_ANY(mask)    (!_mm256_testz_si256((__m256i)(mask), (__m256i)(mask)))

#include "vp/vp_exec_loops.h"
#endif
