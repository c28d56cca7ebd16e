/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Projects vertices with the implementation of a SIMD level, and applies user clip
 * planes. Instantiates the projection loops with portable vectors of 4 lanes.
 */
#define PROJECT_WIDTH       4
#define PROJECT_TARGET
#define PROJECT_SIGN(x)     ((((x)[0] | (x)[1] | (x)[2] | (x)[3]) >> 31) != 0)
#define PROJECT_FUNCTION    nv3_geom_project_generic

#include "geometry/geom_project_loops.h"

/*
 * Returns clip distance @i. As on NV30, the clip distances are in y, z and w of outputs 5
 * and 6.
 */
static const float *clip_distance(const GeomBatch *b, unsigned slot, unsigned i)
{
    return nv3_geom_output(b, slot, i < 3 ? NV3_GEOM_O_FOG : NV3_GEOM_O_POINT_SIZE,
                           1 + i % 3);
}

static void add_plane_codes(GeomBatch *b, const NV3GeomState *st, unsigned slot,
                            unsigned count)
{
    for (unsigned planes = st->clip_planes; planes; planes &= planes - 1) {
        unsigned plane = __builtin_ctz(planes);
        const float *distance = clip_distance(b, slot, plane);

        for (unsigned i = 0; i < count; i++) {
            b->code[slot + i] |= distance[i] < 0 ? GEOM_OUT_PLANE(plane) : 0;
            b->code[slot + i] |= distance[i] == distance[i] ? 0 : GEOM_NOT_A_NUMBER;
        }
    }
}

static void project(const GeomProjected *out, const NV3GeomState *st,
                    const float *const position[4], unsigned count, NV3VpLevel level)
{
    switch (level) {
#ifdef NV3_VP_HAVE_X86
    case NV3_VP_AVX512:
        nv3_geom_project_avx512(out, st, position, count);
        break;
    case NV3_VP_AVX2:
        nv3_geom_project_avx2(out, st, position, count);
        break;
#endif
    default:
        nv3_geom_project_generic(out, st, position, count);
        break;
    }
}

void nv3_geom_project_one(GeomBatch *b, const GeomDraw *draw, unsigned slot)
{
    float position[4][PROJECT_WIDTH] __attribute__((aligned(64))) = { { 0 } };
    struct {
        int32_t x[PROJECT_WIDTH], y[PROJECT_WIDTH];
        float z[PROJECT_WIDTH], rhw[PROJECT_WIDTH];
        uint32_t code[PROJECT_WIDTH];
    } __attribute__((aligned(64))) group;

    for (unsigned c = 0; c < 4; c++) {
        position[c][0] = *nv3_geom_output(b, slot, NV3_GEOM_O_POSITION, c);
    }
    project(&(GeomProjected) { group.x, group.y, group.z, group.rhw, group.code },
            &draw->st, (const float *const[4]) {
                position[0], position[1], position[2], position[3] }, 1, NV3_VP_GENERIC);
    b->x[slot] = group.x[0];
    b->y[slot] = group.y[0];
    b->z[slot] = group.z[0];
    b->rhw[slot] = group.rhw[0];
    b->code[slot] = group.code[0];
    add_plane_codes(b, &draw->st, slot, 1);
}

void nv3_geom_project(GeomBatch *b, const GeomDraw *draw, unsigned slot,
                      const float *const position[4], unsigned count, NV3VpLevel level)
{
    project(&(GeomProjected) {
                b->x + slot, b->y + slot, b->z + slot, b->rhw + slot, b->code + slot,
            }, &draw->st, position, count, level);
    add_plane_codes(b, &draw->st, slot, count);
}
