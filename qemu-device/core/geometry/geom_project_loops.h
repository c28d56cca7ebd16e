/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Projects a group of vertices. Compiled for one SIMD level. The including file defines
 *
 * PROJECT_WIDTH        number of lanes of a vector: 4, 8 or 16.
 * PROJECT_TARGET       attributes of every function.
 * PROJECT_FUNCTION     name of the function.
 */
#include "geometry/geom_int.h"

#define PROJECT_INLINE  inline __attribute__((always_inline)) PROJECT_TARGET
/* Adding and then subtracting PROJECT_ROUND rounds a float below 2^22 to an integer. */
#define PROJECT_ROUND   0x1.8p23f

typedef float ProjectF __attribute__((vector_size(4 * PROJECT_WIDTH), may_alias));
typedef int32_t ProjectI __attribute__((vector_size(4 * PROJECT_WIDTH), may_alias));

static PROJECT_INLINE ProjectF project_splat(float x)
{
    return x - (ProjectF) { 0 };
}

static PROJECT_INLINE ProjectF project_select(ProjectI mask, ProjectF yes, ProjectF no)
{
    return (ProjectF)(((ProjectI)yes & mask) | ((ProjectI)no & ~mask));
}

/* Converts coordinates to fixed point. A NaN becomes the lower bound. */
static PROJECT_INLINE ProjectI project_fixed(ProjectF x)
{
    const ProjectF low = project_splat(-GEOM_GUARD), high = project_splat(GEOM_GUARD);

    x = project_select(x > low, x, low);
    x = project_select(x < high, x, high);
    return __builtin_convertvector(x * (float)GEOM_ONE + PROJECT_ROUND - PROJECT_ROUND,
                                   ProjectI);
}

static PROJECT_INLINE ProjectI project_beyond(ProjectF x)
{
    ProjectF magnitude = (ProjectF)((ProjectI)x & INT32_MAX);

    return ~(magnitude <= project_splat(GEOM_GUARD));
}

PROJECT_TARGET void PROJECT_FUNCTION(const GeomProjected *out, const NV3GeomState *st,
                                     const float *const position[4])
{
    const float near_w = st->depth_zero_to_one ? 0.0f : -1.0f;
    const int32_t near_code = st->depth_clamp ? 0 : GEOM_OUT_NEAR;
    const int32_t far_code = st->depth_clamp ? 0 : GEOM_OUT_FAR;

    for (unsigned i = 0; i < NV3_VP_LANES / PROJECT_WIDTH; i++) {
        const ProjectF x = ((const ProjectF *)position[0])[i];
        const ProjectF y = ((const ProjectF *)position[1])[i];
        const ProjectF z = ((const ProjectF *)position[2])[i];
        const ProjectF w = ((const ProjectF *)position[3])[i];
        const ProjectF rhw = 1.0f / w;
        const ProjectF sx = x * rhw * st->scale[0] + st->translate[0];
        const ProjectF sy = y * rhw * st->scale[1] + st->translate[1];
        /* If a coordinate is an infinity or a NaN, the sum is a NaN. */
        const ProjectF strange = (x - x) + (y - y) + (z - z) + (w - w);

        ((ProjectI *)out->code)[i] =
            ((x < -w) & GEOM_OUT_LEFT) | ((x > w) & GEOM_OUT_RIGHT) |
            ((y < -w) & GEOM_OUT_TOP) | ((y > w) & GEOM_OUT_BOTTOM) |
            ((z < near_w * w) & near_code) | ((z > w) & far_code) |
            (~(w > project_splat(0)) & GEOM_OUT_W) |
            ((project_beyond(sx) | project_beyond(sy)) & GEOM_OUT_GUARD) |
            (~(strange == project_splat(0)) & GEOM_NOT_A_NUMBER);
        ((ProjectI *)out->x)[i] = project_fixed(sx);
        ((ProjectI *)out->y)[i] = project_fixed(sy);
        ((ProjectF *)out->z)[i] = z * rhw * st->scale[2] + st->translate[2];
        ((ProjectF *)out->rhw)[i] = rhw;
    }
}
