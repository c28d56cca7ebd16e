/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Projection of vertices with the vectors that every host has, and user clip planes. */
#define PROJECT_WIDTH       4
#define PROJECT_TARGET
#define PROJECT_FUNCTION    nv3_geom_project_generic

#include <string.h>

#include "geometry/geom_project_loops.h"

/* Clip distance @i: NV30 has them in outputs 5 and 6, from y on. */
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

static void project(GeomProjected *out, const NV3GeomState *st,
                    const float position[4][NV3_VP_LANES], NV3VpLevel level)
{
    switch (level) {
#ifdef NV3_VP_HAVE_X86
    case NV3_VP_AVX512:
        nv3_geom_project_avx512(out, st, position);
        break;
    case NV3_VP_AVX2:
        nv3_geom_project_avx2(out, st, position);
        break;
#endif
    default:
        nv3_geom_project_generic(out, st, position);
        break;
    }
}

void nv3_geom_project_one(GeomBatch *b, const GeomDraw *draw, unsigned slot)
{
    float position[4][NV3_VP_LANES] __attribute__((aligned(64))) = { { 0 } };
    GeomProjected out;

    for (unsigned c = 0; c < 4; c++) {
        position[c][0] = *nv3_geom_output(b, slot, NV3_GEOM_O_POSITION, c);
    }
    project(&out, &draw->st, position, NV3_VP_GENERIC);
    b->x[slot] = out.x[0];
    b->y[slot] = out.y[0];
    b->z[slot] = out.z[0];
    b->rhw[slot] = out.rhw[0];
    b->code[slot] = out.code[0];
    add_plane_codes(b, &draw->st, slot, 1);
}

void nv3_geom_project(GeomBatch *b, const GeomDraw *draw, unsigned slot, NV3VpLevel level)
{
    const float (*position)[NV3_VP_LANES] =
        (const void *)nv3_geom_output(b, slot, NV3_GEOM_O_POSITION, 0);
    GeomProjected out;

    project(&out, &draw->st, position, level);
    memcpy(b->x + slot, out.x, sizeof(out.x));
    memcpy(b->y + slot, out.y, sizeof(out.y));
    memcpy(b->z + slot, out.z, sizeof(out.z));
    memcpy(b->rhw + slot, out.rhw, sizeof(out.rhw));
    memcpy(b->code + slot, out.code, sizeof(out.code));
    add_plane_codes(b, &draw->st, slot, NV3_VP_LANES);
}
