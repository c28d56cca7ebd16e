/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Projects a group of vertices. Compiled once for each SIMD level. The including file
 * defines:
 *
 * PROJECT_WIDTH        number of lanes of a vector: 4, 8 or 16.
 * PROJECT_TARGET       attributes of every function.
 * PROJECT_SIGN(x)      true if the highest bit of any lane is set.
 * PROJECT_FUNCTION     name of the function.
 */
#include <math.h>

#include "geometry/geom_int.h"

#define PROJECT_INLINE  inline __attribute__((always_inline)) PROJECT_TARGET
/* Adding and then subtracting PROJECT_ROUND rounds a float below 2^22 to an integer. */
#define PROJECT_ROUND   0x1.8p23f
/* The smallest and the largest positive normal numbers. */
#define PROJECT_SMALLEST 0x00800000u
#define PROJECT_LARGEST 0x7f7fffffu

typedef float ProjectF __attribute__((vector_size(4 * PROJECT_WIDTH), may_alias));
typedef uint32_t ProjectU __attribute__((vector_size(4 * PROJECT_WIDTH), may_alias));
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

/*
 * Converts coordinates that are within the guard band to fixed point. @x: coordinates
 * times GEOM_ONE.
 */
static PROJECT_INLINE ProjectI project_inner(ProjectF x)
{
    /* The lowest bits of this sum hold the rounded number. */
    const ProjectF sum = x + PROJECT_ROUND;

    return (ProjectI)sum - (ProjectI)project_splat(PROJECT_ROUND);
}

/*
 * Returns true if all vertices are inside the view volume and every w is a normal number.
 * May return false for a vertex at the edge of the volume. The function compares the bits
 * of non-negative floats as integers, which have the same order as the floats, with NaNs
 * last. A comparison fails if the highest bit of the difference is set.
 */
static PROJECT_INLINE bool project_is_inside(ProjectF x, ProjectF y, ProjectF z,
                                             ProjectF w, bool zero_to_one)
{
    const ProjectU above = (ProjectU)w - PROJECT_SMALLEST;
    const ProjectU range = above | ((PROJECT_LARGEST - PROJECT_SMALLEST) - above);
    const ProjectU outside = ((ProjectU)w - ((ProjectU)x & INT32_MAX)) |
                             ((ProjectU)w - ((ProjectU)y & INT32_MAX)) |
                             ((ProjectU)w - ((ProjectU)z & INT32_MAX));

    return !PROJECT_SIGN(range | outside | (zero_to_one ? (ProjectU)z : range));
}

/* Returns true if vertices inside the view volume are also inside the guard band. */
static PROJECT_INLINE bool project_is_guarded(const NV3GeomState *st)
{
    const float x = fabsf(st->scale[0]) + fabsf(st->translate[0]);
    const float y = fabsf(st->scale[1]) + fabsf(st->translate[1]);

    return x < GEOM_GUARD - 1 && y < GEOM_GUARD - 1;
}

/*
 * Projects vector @i of a group. The vertices may also be outside the view volume. Not
 * inline, so that the loop for vertices inside this volume keeps its constants in
 * registers.
 */
static __attribute__((noinline)) PROJECT_TARGET
void project_any(const GeomProjected *out, const NV3GeomState *st,
                 const float *const position[4], unsigned i)
{
    const float near_w = st->depth_zero_to_one ? 0.0f : -1.0f;
    const int32_t near_code = st->depth_clamp ? 0 : GEOM_OUT_NEAR;
    const int32_t far_code = st->depth_clamp ? 0 : GEOM_OUT_FAR;
    const ProjectF x = ((const ProjectF *)position[0])[i];
    const ProjectF y = ((const ProjectF *)position[1])[i];
    const ProjectF z = ((const ProjectF *)position[2])[i];
    const ProjectF w = ((const ProjectF *)position[3])[i];
    const ProjectF rhw = 1.0f / w;
    const ProjectF sx = x * rhw * st->scale[0] + st->translate[0];
    const ProjectF sy = y * rhw * st->scale[1] + st->translate[1];
    /* If any coordinate is an infinity or a NaN, this sum is a NaN. */
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

PROJECT_TARGET void PROJECT_FUNCTION(const GeomProjected *out, const NV3GeomState *st,
                                     const float *const position[4], unsigned count)
{
    const GeomProjected to = *out;
    const ProjectF *const px = (const ProjectF *)position[0];
    const ProjectF *const py = (const ProjectF *)position[1];
    const ProjectF *const pz = (const ProjectF *)position[2];
    const ProjectF *const pw = (const ProjectF *)position[3];
    /* Products with GEOM_ONE, a power of 2, are exact. */
    const ProjectF scale_x = project_splat(st->scale[0] * GEOM_ONE);
    const ProjectF scale_y = project_splat(st->scale[1] * GEOM_ONE);
    const ProjectF scale_z = project_splat(st->scale[2]);
    const ProjectF translate_x = project_splat(st->translate[0] * GEOM_ONE);
    const ProjectF translate_y = project_splat(st->translate[1] * GEOM_ONE);
    const ProjectF translate_z = project_splat(st->translate[2]);
    const bool guarded = project_is_guarded(st), zero_to_one = st->depth_zero_to_one;

    for (unsigned i = 0; i < (count + PROJECT_WIDTH - 1) / PROJECT_WIDTH; i++) {
        const ProjectF x = px[i], y = py[i], z = pz[i], w = pw[i];
        const ProjectF rhw = 1.0f / w;

        if (!guarded || !project_is_inside(x, y, z, w, zero_to_one)) {
            project_any(out, st, position, i);
            continue;
        }
        ((ProjectI *)to.code)[i] = (ProjectI) { 0 };
        ((ProjectI *)to.x)[i] = project_inner(x * rhw * scale_x + translate_x);
        ((ProjectI *)to.y)[i] = project_inner(y * rhw * scale_y + translate_y);
        ((ProjectF *)to.z)[i] = z * rhw * scale_z + translate_z;
        ((ProjectF *)to.rhw)[i] = rhw;
    }
}
