/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Instantiates the fragment engine's loops for AVX2. */
#include "fp/fp_code.h"

#ifdef NV3_FP_HAVE_X86
#define LANES           8
#define LANES_TARGET    __attribute__((target("avx2")))
#define FP_NAME(name)   name##_avx2

#include "pixel/lanes.h"
#include "pixel/lanes_math.h"
#include "texture/texunit_loops.h"
#include "pixel/pixops_loops.h"
#include "pixel/pixops_blocks.h"
#include "fp/fp_exec_loops.h"
#include "fp/fp_shade_loops.h"
#endif
