/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Vertices: the coordinates that methods store in registers, and the flags that are
 * checked before drawing, as in envytools nvhw/pgraph_xy.c, pgraph_xy3.c and
 * hwtest/pgraph_mthd_xy.cc.
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

/* Returns the coordinate of vertex @i. */
static inline uint32_t *nv3_vtx(NV3Pgraph *g, NV3Axis axis, unsigned i)
{
    return axis == NV3_X ? &g->vtx_x[i] : &g->vtx_y[i];
}

/* Returns the index of the next vertex (XY_MISC_0). */
unsigned nv3_vtx_index(const NV3Pgraph *g);
void nv3_vtx_clear_index(NV3Pgraph *g);
void nv3_vtx_bump_index(NV3Pgraph *g);

/*
 * Returns the position of @coord relative to the clip bounds: bit 0 below, 1 on the
 * lower, 2 above, 3 on the upper bound. @canvas_only ignores the output clip.
 */
uint32_t nv3_clip_status(NV3State *s, int32_t coord, NV3Axis axis,
                         bool canvas_only);

/* Stores properties of a coordinate: flags of vertex @flag, status of @i. */
typedef struct NV3VtxFlags {
    bool carry;             /* the sum wrapped */
    bool oob;               /* outside -0x8000 to 0x7fff */
    bool overflow;          /* signed overflow, for SIFC */
} NV3VtxFlags;

void nv3_vtx_note(NV3State *s, NV3Axis axis, unsigned i, NV3VtxFlags flags,
                  uint32_t clip_status);

/* Sets @i to @a + @b + @c, saturated if a + b overflows. */
typedef struct NV3VtxSum {
    uint32_t a, b, c;
    bool canvas_only;
    bool quiet;             /* do not change the flags */
} NV3VtxSum;

void nv3_vtx_add(NV3State *s, NV3Axis axis, unsigned i, NV3VtxSum sum);

/* Compares @i with zero, into X_MISC or Y_MISC. Ignores bit 31 if @no_sign. */
void nv3_vtx_compare(NV3State *s, NV3Axis axis, unsigned i, bool no_sign);

/* Sets or clears the flag of an image without pixels. */
void nv3_image_set_zero(NV3Pgraph *g, bool zero);

/*
 * A method with a point, which has y in its high half. @first: the first point of the
 * primitive. @image: the corner of an image (vertex 4). @noclip: GDI's, with x in the
 * high half.
 */
typedef struct NV3VtxKind {
    bool first;
    bool poly;
    bool image;
    bool noclip;
} NV3VtxKind;

void nv3_vtx_method(NV3State *s, uint32_t data, NV3VtxKind kind);
/* A point that two methods of 32 bits set, x first. */
void nv3_vtx_method_x32(NV3State *s, uint32_t data, NV3VtxKind kind);
void nv3_vtx_method_y32(NV3State *s, uint32_t data, NV3VtxKind kind);

/* Handle register writes by software to VTX_X, VTX_Y and ICLIP. */
void nv3_vtx_write(NV3State *s, NV3Axis axis, unsigned i, uint32_t val);
void nv3_iclip_write(NV3State *s, NV3Axis axis, uint32_t val);

/* User clip (@which 0) or output clip (1): corner 0, corner 1, or a size. */
typedef enum NV3ClipPart {
    NV3_CORNER_MIN,
    NV3_CORNER_MAX,
    NV3_CORNER_SIZE,
} NV3ClipPart;

void nv3_clip_method(NV3State *s, unsigned which, NV3ClipPart part,
                     uint32_t data);

/*
 * A write of UCLIP or OCLIP by software. The lower (or the @upper) bound is written.
 * Either write moves the upper bound to the lower one and stores the value as the upper
 * one, so software writes the lower bound first.
 */
void nv3_clip_write(NV3State *s, unsigned which, NV3Axis axis, bool upper,
                    uint32_t val);

#endif
