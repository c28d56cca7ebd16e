/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Instantiates the fast interpreter with 4-float vectors, for hosts without AVX2. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#define VP_WIDTH        4
#define VP_TARGET
#define VP_EXECUTE      nv3_vp_execute_generic
#define VP_SQRT(x)      vp_sqrt(x)
#define VP_ANY(mask)    vp_any((VpAny)(mask))

typedef float VpSqrt __attribute__((vector_size(16)));

static inline VpSqrt vp_sqrt(VpSqrt x)
{
    return (VpSqrt) { sqrtf(x[0]), sqrtf(x[1]), sqrtf(x[2]), sqrtf(x[3]) };
}

typedef uint64_t VpAny __attribute__((vector_size(16)));

static inline bool vp_any(VpAny mask)
{
    return (mask[0] | mask[1]) != 0;
}

#include "vp/vp_exec_loops.h"
