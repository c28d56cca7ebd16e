/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The fast interpreter with vectors that all hosts support. */
#include <math.h>

#define VP_WIDTH        4
#define VP_TARGET
#define VP_EXECUTE      nv3_vp_execute_generic
#define VP_SQRT(x)      vp_sqrt(x)

typedef float VpSqrt __attribute__((vector_size(16)));

static inline VpSqrt vp_sqrt(VpSqrt x)
{
    return (VpSqrt) { sqrtf(x[0]), sqrtf(x[1]), sqrtf(x[2]), sqrtf(x[3]) };
}

#include "vp/vp_exec_loops.h"
