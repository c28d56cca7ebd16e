/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sets up a geometry engine for tests. Its vertex program copies each attribute to the
 * output with the same number. The rig records covered pixels instead of shading them.
 */
#ifndef GEOM_RIG_H
#define GEOM_RIG_H

#include "geometry/geom.h"

#define RIG_SIZE        256             /* width and height of the target in pixels */
#define RIG_VERTICES    4096
#define RIG_OUTPUTS     16

/*
 * A vertex in the engine's vertex memory. Tests must write the members with rig_store().
 */
typedef struct RigVertex {
    float output[RIG_OUTPUTS][4];
} RigVertex;

/* Called for each covered pixel. */
typedef void RigPixelFn(void *opaque, const NV3FpTriangle *tri, int32_t x, int32_t y);

typedef struct GeomRig {
    NV3Geom *g;
    NV3GeomState st;
    NV3VpInsn insns[RIG_OUTPUTS];
    NV3VpCode code, position, others;
    uint32_t constants[NV3_VP_CONSTANTS][4];
    RigVertex vertex[RIG_VERTICES];
    unsigned vertices;
    /* for each pixel: the number of draws, and a hash of the colours in drawing order */
    uint8_t count[RIG_SIZE][RIG_SIZE];
    uint32_t order[RIG_SIZE][RIG_SIZE];
    float color[RIG_SIZE][RIG_SIZE];    /* interpolated x of input COLOR0 */
    RigPixelFn *pixel;
    void *opaque;
} GeomRig;

/*
 * Creates the rig. Only one rig can exist at a time, because all rigs use the same static
 * variable. The initial state does not cull any primitive, and clips nothing within the
 * target.
 */
GeomRig *rig_new(unsigned threads);
void rig_free(GeomRig *rig);
/*
 * If @split is true, the state contains the whole program and its two parts, of which one
 * computes the position, and the other computes the other outputs. The engine may use
 * these parts instead of the whole program.
 */
void rig_split_program(GeomRig *rig, bool split);
/* Passes rig->st to the engine. */
void rig_set(GeomRig *rig);
void rig_clear(GeomRig *rig);
/*
 * Appends a vertex with the window coordinates @x, @y and @z, the clip coordinate w = @w,
 * and @color in each component of COLOR0.
 */
void rig_vertex(GeomRig *rig, double x, double y, double z, double w, float color);
/* Stores a float as little-endian bytes, the byte order of vertex memory. */
void rig_store(float *at, float value);
/*
 * Returns the words of vertex @i for nv3_geom_inline(). The result is valid until the
 * next call.
 */
const uint32_t *rig_words(const GeomRig *rig, unsigned i);
/* Draws all of the rig's vertices as one primitive, and flushes the engine. */
void rig_draw(GeomRig *rig, NV3GeomPrimitive primitive);

/* Returns the value of the plane @p at the centre of pixel @x, @y. */
double rig_plane(const NV3FpTriangle *tri, const NV3FpPlane *p, int32_t x, int32_t y);

uint32_t rig_random(void);
/* Returns a random number from @low to @high. */
double rig_uniform(double low, double high);

#endif
