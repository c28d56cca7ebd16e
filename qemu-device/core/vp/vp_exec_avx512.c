/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Instantiates the fast interpreter with AVX-512. */
#include "vp/vp_exec.h"

#ifdef NV3_VP_HAVE_X86
#include <immintrin.h>

#define VP_WIDTH        16
#define VP_TARGET       __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl")))
#define VP_EXECUTE      nv3_vp_execute_avx512
#define VP_SQRT(x)      ((VpF)_mm512_sqrt_ps((__m512)(x)))
#define VP_ANY(mask)    (_mm512_movepi32_mask((__m512i)(mask)) != 0)

#include "vp/vp_exec_loops.h"
#endif
