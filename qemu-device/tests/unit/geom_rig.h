/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A geometry engine for tests: its vertex program copies attributes to outputs of the
 * same number, and covered pixels are recorded instead of shaded.
 */
#ifndef GEOM_RIG_H
#define GEOM_RIG_H

#include "geometry/geom.h"

#define RIG_SIZE        256             /* pixels a side of the target */
#define RIG_VERTICES    4096
#define RIG_OUTPUTS     16

typedef struct RigVertex {
    float output[RIG_OUTPUTS][4];
} RigVertex;

/* What the shade function does with a pixel. */
typedef void RigPixelFn(void *opaque, const NV3FpTriangle *tri, int32_t x, int32_t y);

typedef struct GeomRig {
    NV3Geom *g;
    NV3GeomState st;
    NV3VpInsn insns[RIG_OUTPUTS];
    NV3VpCode code;
    uint32_t constants[NV3_VP_CONSTANTS][4];
    RigVertex vertex[RIG_VERTICES];
    unsigned vertices;
    /* By pixel: how often it was drawn, and a number that depends on the order. */
    uint8_t count[RIG_SIZE][RIG_SIZE];
    uint32_t order[RIG_SIZE][RIG_SIZE];
    float color[RIG_SIZE][RIG_SIZE];    /* input COLOR0's x, as interpolated */
    RigPixelFn *pixel;
    void *opaque;
} GeomRig;

/* The rig is large, so there is one. Its state draws everything that is on the target. */
GeomRig *rig_new(unsigned threads);
void rig_free(GeomRig *rig);
/* Takes over changes of rig->st. */
void rig_set(GeomRig *rig);
void rig_clear(GeomRig *rig);
/* Appends a vertex by window coordinates, depth, w and a colour. */
void rig_vertex(GeomRig *rig, double x, double y, double z, double w, float color);
/* Draws all vertices as one primitive, and flushes. */
void rig_draw(GeomRig *rig, NV3GeomPrimitive primitive);

/* The value of a plane at a pixel's centre. */
double rig_plane(const NV3FpTriangle *tri, const NV3FpPlane *p, int32_t x, int32_t y);

uint32_t rig_random(void);
/* From @low to @high. */
double rig_uniform(double low, double high);

#endif
