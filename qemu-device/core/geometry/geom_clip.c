/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Clips triangles and lines in clip space with the Sutherland-Hodgman algorithm.
 *
 * A primitive is clipped only if it crosses the near plane, the far plane, a user plane
 * or the plane w = 0, or if it leaves the guard band. The coverage functions handle the
 * edges of the screen. A new vertex is always interpolated from the inner end of an edge
 * to its outer end. Therefore two triangles with a common edge get the same new vertex.
 */
#include <string.h>

#include "geometry/geom_int.h"

/* Clip planes. PLANE_GUARD is the first of the guard band's four planes. */
enum {
    PLANE_NEAR,
    PLANE_FAR,
    PLANE_W,
    PLANE_GUARD,
    PLANE_USER = PLANE_GUARD + 4,
    PLANES = PLANE_USER + NV3_GEOM_CLIP_PLANES
};

/* The minimum w of projected vertices. */
#define W_MIN   (0x1p-40)

static double output(const GeomBatch *b, unsigned slot, unsigned number, unsigned c)
{
    return *nv3_geom_output(b, slot, number, c);
}

/*
 * Returns the distance of a vertex from a plane. The distance is negative if the vertex
 * is outside.
 */
static double distance(const GeomBatch *b, const NV3GeomState *st, unsigned slot,
                       unsigned plane)
{
    const double w = output(b, slot, NV3_GEOM_O_POSITION, 3);
    const unsigned axis = (plane - PLANE_GUARD) / 2, user = plane - PLANE_USER;
    double z, at;

    switch (plane) {
    case PLANE_NEAR:
        z = output(b, slot, NV3_GEOM_O_POSITION, 2);
        return st->depth_zero_to_one ? z : z + w;
    case PLANE_FAR:
        return w - output(b, slot, NV3_GEOM_O_POSITION, 2);
    case PLANE_W:
        return w - W_MIN;
    case PLANE_GUARD:
    case PLANE_GUARD + 1:
    case PLANE_GUARD + 2:
    case PLANE_GUARD + 3:
        at = output(b, slot, NV3_GEOM_O_POSITION, axis) * st->scale[axis] +
             st->translate[axis] * w;
        return (GEOM_GUARD - 1) * w + ((plane - PLANE_GUARD) % 2 ? -at : at);
    default:
        return output(b, slot, user < 3 ? NV3_GEOM_O_FOG : NV3_GEOM_O_POINT_SIZE,
                      1 + user % 3);
    }
}

/*
 * Returns the mask of the planes at which a primitive must be clipped. @codes: all
 * GEOM_OUT_* codes of its vertices.
 */
static unsigned planes_of(unsigned codes)
{
    unsigned planes = 0;

    if (codes & GEOM_OUT_NEAR) {
        planes |= 1u << PLANE_NEAR;
    }
    if (codes & GEOM_OUT_FAR) {
        planes |= 1u << PLANE_FAR;
    }
    if (codes & GEOM_OUT_W) {
        planes |= 1u << PLANE_W;
    }
    if (codes & (GEOM_OUT_GUARD | GEOM_OUT_W)) {
        planes |= 15u << PLANE_GUARD;
    }
    for (unsigned i = 0; i < NV3_GEOM_CLIP_PLANES; i++) {
        if (codes & GEOM_OUT_PLANE(i)) {
            planes |= 1u << (PLANE_USER + i);
        }
    }
    return planes;
}

/*
 * Creates the vertex at the intersection of an edge and a plane. @d_inner, @d_outer:
 * distances of the edge's ends from the plane. Returns the new vertex's slot, or
 * GEOM_NO_LINK if no slot is free.
 */
static unsigned cut(GeomBatch *b, const GeomDraw *draw, unsigned inner, double d_inner,
                    unsigned outer, double d_outer)
{
    const double t = d_inner / (d_inner - d_outer);
    unsigned slot = nv3_geom_extra_slot(b);

    if (slot == GEOM_NO_LINK) {
        return slot;
    }
    for (unsigned i = 0; i < draw->output_count; i++) {
        for (unsigned c = 0; c < 4; c++) {
            double from = output(b, inner, draw->output[i], c);
            double to = output(b, outer, draw->output[i], c);

            *nv3_geom_output(b, slot, draw->output[i], c) = from + t * (to - from);
        }
    }
    nv3_geom_project_one(b, draw, slot);
    return slot;
}

typedef struct Polygon {
    uint16_t slot[GEOM_POLYGON_MAX];
    unsigned count, edges;
} Polygon;

static void add(Polygon *p, unsigned slot, bool outline)
{
    if (p->count < GEOM_POLYGON_MAX && slot != GEOM_NO_LINK) {
        p->edges |= (unsigned)outline << p->count;
        p->slot[p->count++] = slot;
    }
}

/* Clips @p by @plane. A polygon with two vertices is a line. */
static void clip_plane(GeomBatch *b, const GeomDraw *draw, Polygon *p, unsigned plane)
{
    const Polygon from = *p;
    const unsigned sides = from.count == 2 ? 1 : from.count;
    double d[GEOM_POLYGON_MAX];

    for (unsigned i = 0; i < from.count; i++) {
        d[i] = distance(b, &draw->st, from.slot[i], plane);
    }
    p->count = p->edges = 0;
    for (unsigned i = 0; i < sides; i++) {
        unsigned next = (i + 1) % from.count;
        bool outline = from.edges & 1u << i;

        if (d[i] >= 0) {
            add(p, from.slot[i], outline);
            if (d[next] < 0) {
                /*
                 * The next edge is in the clip plane, so it does not belong to the
                 * outline.
                 */
                add(p, cut(b, draw, from.slot[i], d[i], from.slot[next], d[next]), false);
            }
        } else if (d[next] >= 0) {
            add(p, cut(b, draw, from.slot[next], d[next], from.slot[i], d[i]), outline);
        }
    }
    if (from.count == 2 && d[1] >= 0) {
        add(p, from.slot[1], false);
    }
}

unsigned nv3_geom_clip(GeomBatch *b, const GeomDraw *draw, uint16_t *slot, unsigned count,
                       unsigned *edges)
{
    Polygon p = { .count = count, .edges = *edges };
    unsigned codes = 0, planes;

    for (unsigned i = 0; i < count; i++) {
        codes |= b->code[slot[i]];
        p.slot[i] = slot[i];
    }
    for (planes = planes_of(codes); planes && p.count; planes &= planes - 1) {
        clip_plane(b, draw, &p, __builtin_ctz(planes));
    }
    /*
     * Because of rounding, a vertex may remain just outside a plane. This is harmless
     * unless the vertex cannot be projected. A primitive with a vertex that cannot be
     * projected is dropped.
     */
    for (unsigned i = 0; i < p.count; i++) {
        if (b->code[p.slot[i]] & (GEOM_NOT_A_NUMBER | GEOM_OUT_W)) {
            return 0;
        }
    }
    memcpy(slot, p.slot, p.count * sizeof(*slot));
    *edges = p.edges;
    return p.count;
}
