/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Vertices: registers for the coordinates that methods set, and flags for these
 * coordinates. prep.c checks the flags before drawing. Sources: envytools
 * nvhw/pgraph_xy.c, pgraph_xy3.c and hwtest/pgraph_mthd_xy.cc.
 */
#ifndef NV3_GRAPH_VERTEX_H
#define NV3_GRAPH_VERTEX_H

#include "chip/chip.h"

typedef enum NV3Axis {
    NV3_X,
    NV3_Y,
} NV3Axis;

static inline int32_t nv3_sext(uint32_t val, unsigned bits)
{
    return (int32_t)(val << (32 - bits)) >> (32 - bits);
}

static inline int32_t nv3_lo16(uint32_t val)
{
    return (int16_t)val;
}

static inline int32_t nv3_hi16(uint32_t val)
{
    return (int16_t)(val >> 16);
}

static inline uint32_t *nv3_vtx(NV3Pgraph *g, NV3Axis axis, unsigned i)
{
    return axis == NV3_X ? &g->vtx_x[i] : &g->vtx_y[i];
}

/* Returns the index of the next vertex (XY_MISC_0). */
unsigned nv3_vtx_index(const NV3Pgraph *g);
void nv3_vtx_clear_index(NV3Pgraph *g);
void nv3_vtx_bump_index(NV3Pgraph *g);

/*
 * Returns a mask that states the position of @coord relative to the clip bounds. Bit 0:
 * below the lower bound. Bit 1: equal to the lower bound. Bit 2: above the upper bound.
 * Bit 3: equal to the upper bound. Ignores the output clip if @canvas_only is true.
 */
uint32_t nv3_clip_status(NV3State *s, int32_t coord, NV3Axis axis,
                         bool canvas_only);

/* Properties of a coordinate, from which nv3_vtx_note() computes the vertex's flags. */
typedef struct NV3VtxFlags {
    bool carry;             /* unsigned overflow */
    bool oob;               /* outside -0x8000 to 0x7fff */
    bool overflow;          /* signed overflow, for SIFC */
} NV3VtxFlags;

void nv3_vtx_note(NV3State *s, NV3Axis axis, unsigned i, NV3VtxFlags flags,
                  uint32_t clip_status);

/*
 * nv3_vtx_add() sets a coordinate of vertex @i to @a + @b + @c, saturated if the sum
 * overflows.
 */
typedef struct NV3VtxSum {
    uint32_t a, b, c;
    bool canvas_only;
    bool quiet;             /* do not change the flags */
} NV3VtxSum;

void nv3_vtx_add(NV3State *s, NV3Axis axis, unsigned i, NV3VtxSum sum);

/*
 * Compares a coordinate of vertex @i with zero and stores the result in X_MISC or
 * Y_MISC. Ignores bit 31 of the coordinate if @no_sign is true.
 */
void nv3_vtx_compare(NV3State *s, NV3Axis axis, unsigned i, bool no_sign);

/* Sets the flag that marks an image without pixels, or clears it if @zero is false. */
void nv3_image_set_zero(NV3Pgraph *g, bool zero);

/*
 * The kind of a method that sets a point. The method's data has x in the low half and y
 * in the high half, unless @noclip is true. @first: the first point of a primitive.
 * @poly: a point of a polyline or polytriangle. @image: the corner of an image
 * (vertex 4). @noclip: a point of a GDI rectangle without clip, with x in the high half.
 */
typedef struct NV3VtxKind {
    bool first;
    bool poly;
    bool image;
    bool noclip;
} NV3VtxKind;

void nv3_vtx_method(NV3State *s, uint32_t data, NV3VtxKind kind);
/* Execute the two methods that set a point with 32-bit coordinates: first x, then y. */
void nv3_vtx_method_x32(NV3State *s, uint32_t data, NV3VtxKind kind);
void nv3_vtx_method_y32(NV3State *s, uint32_t data, NV3VtxKind kind);

/* Execute writes by software to the registers VTX_X, VTX_Y and ICLIP. */
void nv3_vtx_write(NV3State *s, NV3Axis axis, unsigned i, uint32_t val);
void nv3_iclip_write(NV3State *s, NV3Axis axis, uint32_t val);

/*
 * nv3_clip_method() sets a part of the user clip (@which 0) or output clip (1): corner
 * 0, corner 1, or the size.
 */
typedef enum NV3ClipPart {
    NV3_CORNER_MIN,
    NV3_CORNER_MAX,
    NV3_CORNER_SIZE,
} NV3ClipPart;

void nv3_clip_method(NV3State *s, unsigned which, NV3ClipPart part,
                     uint32_t data);

/*
 * Executes a write by software to a bound of the user clip (@which 0) or output clip (1).
 * @upper: the register of the upper bound is written. The registers of the two bounds
 * form a queue: a write to either register copies the upper bound to the lower bound, and
 * sets the upper bound to @val. Software must therefore write the lower bound first.
 */
void nv3_clip_write(NV3State *s, unsigned which, NV3Axis axis, bool upper,
                    uint32_t val);

#endif
