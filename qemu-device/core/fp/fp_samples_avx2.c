/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Instantiates, for AVX2, the loops that shade multisampled targets. */
#include "fp/fp_code.h"

#ifdef NV3_FP_HAVE_X86
#define LANES           8
#define LANES_TARGET    __attribute__((target("avx2")))
#define FP_NAME(name)   name##_avx2

#include "pixel/lanes.h"
#include "pixel/pixops_loops.h"
#include "pixel/pixops_samples.h"
#include "fp/fp_interpolate_loops.h"
#include "fp/fp_sample_loops.h"
#endif
