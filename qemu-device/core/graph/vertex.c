/* SPDX-License-Identifier: GPL-2.0-or-later AND MIT */
/*
 * Vertices and their flags (vertex.h).
 *
 * As on real cards, software can read the flags, and the flags determine which interrupts
 * a primitive raises. The flags do not limit drawing: clip.c computes the bounds of each
 * primitive without them.
 */
/*
 * The notice of envytools for nvhw/pgraph_xy.c and nvhw/pgraph_xy3.c:
 *
 * Copyright (C) 2012-2016 Marcelina Kościelnicka <mwk@0x04.net>
 * All Rights Reserved.
 *
 * Permission is hereby granted, free of charge, to any person obtaining a
 * copy of this software and associated documentation files (the "Software"),
 * to deal in the Software without restriction, including without limitation
 * the rights to use, copy, modify, merge, publish, distribute, sublicense,
 * and/or sell copies of the Software, and to permit persons to whom the
 * Software is furnished to do so, subject to the following conditions:
 *
 * The above copyright notice and this permission notice (including the next
 * paragraph) shall be included in all copies or substantial portions of the
 * Software.
 *
 * THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
 * IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
 * FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT.  IN NO EVENT SHALL
 * THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR
 * OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE,
 * ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR
 * OTHER DEALINGS IN THE SOFTWARE.
 */
#include "graph/vertex.h"

#define COORD_MIN   (-0x8000)
#define COORD_MAX   0x7fff

/*
 * Bits of XY_MISC_1 (for the user clip) and XY_MISC_2 (for the output clip). Each bit of
 * XY1_CLIP_SELECT selects the source of a bound: the clip if the bit is set, else the
 * canvas.
 */
#define XY1_CLIP_SELECT     0x00177000
#define XY1_NULL            0x00000330
#define XY1_ICLIP           0x00144000

static void set_bits(uint32_t *reg, unsigned shift, unsigned count,
                     uint32_t val)
{
    uint32_t mask = (count < 32 ? (1u << count) - 1 : ~0u) << shift;

    *reg = (*reg & ~mask) | (val << shift & mask);
}

unsigned nv3_vtx_index(const NV3Pgraph *g)
{
    return g->xy_misc[0] >> NV3_XY0_VTX_SHIFT;
}

void nv3_vtx_clear_index(NV3Pgraph *g)
{
    set_bits(&g->xy_misc[0], NV3_XY0_VTX_SHIFT, 4, 0);
}

void nv3_vtx_bump_index(NV3Pgraph *g)
{
    unsigned i = nv3_vtx_index(g) + 1;

    switch (nv3_pgraph_class(g)) {
    case NV3_CLASS_TRI:
        i = i == 3 ? 0 : i;
        break;
    case NV3_CLASS_BLIT:
    case NV3_CLASS_ITM:
        i = i == 4 ? 0 : i;
        break;
    default:
        i &= 1;
        break;
    }
    set_bits(&g->xy_misc[0], NV3_XY0_VTX_SHIFT, 4, i);
}

/* Returns true if the class uses the output clip. Other classes use the user clip. */
static bool uses_oclip(uint32_t class)
{
    return class == NV3_CLASS_GDI || class == NV3_CLASS_SIFM ||
           class == NV3_CLASS_SIFC;
}

static int32_t canvas_coord(uint32_t canvas, NV3Axis axis)
{
    return axis == NV3_X ? canvas & 0xffff : canvas >> 16;
}

/*
 * Computes the clip bounds that determine the flags. The bounds that limit drawing differ
 * (clip.c).
 */
static void flag_bounds(NV3State *s, NV3Axis axis, bool canvas_only,
                        int32_t *min, int32_t *max)
{
    NV3Pgraph *g = &s->pgraph;
    bool oclip = uses_oclip(nv3_pgraph_class(g));
    int32_t mask = 0x7ff;
    uint32_t select;

    if (axis == NV3_Y) {
        mask = s->config.revision == NV3_REVISION_C ? 0x7fff : 0x3fff;
    }
    *min = canvas_coord(g->dst_canvas_min, axis);
    *max = canvas_coord(g->dst_canvas_max, axis);
    select = g->xy_misc[oclip ? 2 : 1] >> (12 + axis * 4);
    if (oclip && !canvas_only) {
        *min = select & 1 ? (int32_t)g->oclip_min[axis] : *min;
        *max = select & 2 ? (int32_t)g->oclip_max[axis] : *max;
    } else if (!oclip && g->ctx_switch & NV3_GROBJ_CLIP) {
        *min = select & 1 ? (int32_t)g->uclip_min[axis] : *min;
        *max = select & 2 ? (int32_t)g->uclip_max[axis] : *max;
    }
    *min &= mask;
    *max &= mask;
}

/*
 * Returns the column or line of pixels that contains an 18-bit coordinate. In class D3D,
 * the low 4 bits of a coordinate are a fraction.
 */
static int32_t clip_pixel(const NV3Pgraph *g, uint32_t coord)
{
    return nv3_pgraph_class(g) == NV3_CLASS_D3D ? nv3_sext(coord >> 4, 12) :
                                                  nv3_sext(coord, 18);
}

uint32_t nv3_clip_status(NV3State *s, int32_t coord, NV3Axis axis,
                         bool canvas_only)
{
    int32_t min, max;

    flag_bounds(s, axis, canvas_only, &min, &max);
    coord = clip_pixel(&s->pgraph, coord);
    return (coord < min) | (coord == min) << 1 | (coord > max) << 2 |
           (coord == max) << 3;
}

static bool notes_oob(uint32_t class)
{
    switch (class) {
    case NV3_CLASS_POINT:
    case NV3_CLASS_LINE:
    case NV3_CLASS_LIN:
    case NV3_CLASS_TRI:
    case NV3_CLASS_GDI:
    case NV3_CLASS_SIFM:
    case NV3_CLASS_BLIT:
    case NV3_CLASS_IFC:
    case NV3_CLASS_BITMAP:
    case NV3_CLASS_ITM:
    case NV3_CLASS_SIFC:
        return true;
    default:
        return false;
    }
}

void nv3_vtx_note(NV3State *s, NV3Axis axis, unsigned i, NV3VtxFlags flags,
                  uint32_t clip_status)
{
    NV3Pgraph *g = &s->pgraph;
    uint32_t class = nv3_pgraph_class(g);
    uint32_t *misc = axis == NV3_X ? &g->x_misc : &g->y_misc;
    uint32_t *status = axis == NV3_X ? g->x_clip_status : g->y_clip_status;

    if (notes_oob(class)) {
        bool oob = class == NV3_CLASS_SIFC ? flags.overflow : flags.oob;

        set_bits(misc, i & 3, 1, flags.carry);
        set_bits(misc, (i & 3) + 4, 1, oob);
    }
    if (class == NV3_CLASS_POINT || class == NV3_CLASS_ZPOINT) {
        set_bits(&status[0], 0, 8, clip_status | clip_status << 4);
    } else {
        set_bits(&status[i >> 3 & 1], (i & 7) * 4, 4, clip_status);
    }
}

static bool out_of_bounds(int32_t coord)
{
    return coord < COORD_MIN || coord > COORD_MAX;
}

void nv3_vtx_add(NV3State *s, NV3Axis axis, unsigned i, NV3VtxSum sum)
{
    uint64_t wide = (uint64_t)sum.a + sum.b + sum.c;
    uint32_t val = wide;
    uint32_t kept = val;

    if (sum.a >> 31 == sum.b >> 31 && sum.a >> 31 != val >> 31) {
        kept = sum.a >> 31 ? 0x80000000 : 0x7fffffff;
    }
    *nv3_vtx(&s->pgraph, axis, i) = kept;
    if (!sum.quiet) {
        NV3VtxFlags flags = {
            .carry = wide >> 32 & 1, .oob = out_of_bounds(val),
        };

        nv3_vtx_note(s, axis, i, flags,
                     nv3_clip_status(s, val, axis, sum.canvas_only));
    }
}

void nv3_vtx_compare(NV3State *s, NV3Axis axis, unsigned i, bool no_sign)
{
    NV3Pgraph *g = &s->pgraph;
    uint32_t val = *nv3_vtx(g, axis, i);

    if (no_sign) {
        val <<= 1;
    }
    set_bits(axis == NV3_X ? &g->x_misc : &g->y_misc, 28, 2,
             !val ? 0 : val >> 31 ? 1 : 2);
}

void nv3_image_set_zero(NV3Pgraph *g, bool zero)
{
    set_bits(&g->xy_misc[0], 20, 1, zero);
}

static bool is_line_or_tri(uint32_t class)
{
    return class == NV3_CLASS_LINE || class == NV3_CLASS_LIN ||
           class == NV3_CLASS_TRI;
}

/* Starts a new primitive. */
static void first_vertex(NV3Pgraph *g)
{
    uint32_t class = nv3_pgraph_class(g);

    nv3_vtx_clear_index(g);
    if (is_line_or_tri(class)) {
        g->valid &= ~0xffff;
        g->valid |= NV3_VALID_VERTICES;
    }
    if (class == NV3_CLASS_ZPOINT) {
        g->valid |= NV3_VALID_VERTICES;
    }
}

void nv3_vtx_method(NV3State *s, uint32_t data, NV3VtxKind kind)
{
    NV3Pgraph *g = &s->pgraph;
    uint32_t class = nv3_pgraph_class(g);
    /*
     * The second corner of a GDI rectangle is always vertex 1, and setting it changes
     * fewer flags than setting other vertices.
     */
    bool gdi_corner = class == NV3_CLASS_GDI && !kind.first;
    unsigned i, place;
    int32_t xy[2];

    if (kind.first) {
        first_vertex(g);
    }
    i = gdi_corner ? 1 : nv3_vtx_index(g);
    place = kind.image ? 4 : i;
    nv3_vtx_bump_index(g);
    g->xy_misc[1] &= ~NV3_XY1_STARTED;
    g->xy_misc[2] |= NV3_XY1_STARTED;
    if (!gdi_corner) {
        g->xy_misc[3] &= ~0x100;
        set_bits(&g->valid, 19, 1, kind.noclip);
    }
    if (kind.poly && g->valid & 0xf0f) {
        g->valid &= ~NV3_VALID_VERTICES;
    }
    if (!kind.poly) {
        g->valid |= NV3_VALID_X(place) | NV3_VALID_Y(place);
    }
    if (is_line_or_tri(class)) {
        g->valid |= NV3_VALID_X(4 | (i & 3)) | NV3_VALID_Y(4 | (i & 3));
    }
    xy[NV3_X] = kind.noclip ? nv3_hi16(data) : nv3_lo16(data);
    xy[NV3_Y] = kind.noclip ? nv3_lo16(data) : nv3_hi16(data);
    for (NV3Axis axis = NV3_X; axis <= NV3_Y; axis++) {
        *nv3_vtx(g, axis, place) = xy[axis];
        nv3_vtx_note(s, axis, i, (NV3VtxFlags) { 0 },
                     nv3_clip_status(s, xy[axis], axis, kind.noclip));
    }
}

static void coord_32(NV3State *s, NV3Axis axis, uint32_t data, NV3VtxKind kind)
{
    NV3Pgraph *g = &s->pgraph;
    unsigned i = nv3_vtx_index(g);
    unsigned first_bit = axis == NV3_X ? 0 : 8;
    NV3VtxFlags flags = { .oob = out_of_bounds(data) };

    if (axis == NV3_Y) {
        nv3_vtx_bump_index(g);
    }
    g->xy_misc[1] &= ~NV3_XY1_STARTED;
    g->xy_misc[2] |= NV3_XY1_STARTED;
    g->xy_misc[3] &= ~0x100;
    g->valid &= ~NV3_VALID_NOCLIP;
    if (kind.poly && g->valid & 0xf0f) {
        g->valid &= ~NV3_VALID_VERTICES;
    }
    if (!kind.poly) {
        g->valid |= 1u << (first_bit | i);
    }
    if (is_line_or_tri(nv3_pgraph_class(g))) {
        g->valid |= 1u << (first_bit | 4 | (i & 3));
    }
    *nv3_vtx(g, axis, i) = data;
    nv3_vtx_note(s, axis, i, flags, nv3_clip_status(s, data, axis, false));
}

void nv3_vtx_method_x32(NV3State *s, uint32_t data, NV3VtxKind kind)
{
    if (kind.first) {
        first_vertex(&s->pgraph);
    }
    coord_32(s, NV3_X, data, kind);
}

void nv3_vtx_method_y32(NV3State *s, uint32_t data, NV3VtxKind kind)
{
    coord_32(s, NV3_Y, data, kind);
}

/* Updates VALID and XY_MISC_* for a method that sets a clip corner. */
static void clip_prepare(NV3Pgraph *g, unsigned which, NV3ClipPart part)
{
    uint32_t half = 1u << (28 + which), done = 1u << (30 + which);

    g->xy_misc[1 + which] &= ~XY1_CLIP_SELECT;
    if (part == NV3_CORNER_MIN) {
        g->valid &= ~(NV3_VALID_NOCLIP | done);
        g->valid |= half;
        set_bits(&g->xy_misc[2], 0, 1, nv3_pgraph_class(g) != NV3_CLASS_SIFC);
        g->xy_misc[3] &= ~0x100;
    } else {
        set_bits(&g->valid, 30 + which, 1, !(g->valid & half));
        g->valid &= ~half;
        g->xy_misc[1 + which] &= ~XY1_NULL;
    }
    if (part != NV3_CORNER_SIZE) {
        g->xy_misc[1] &= ~NV3_XY1_STARTED;
    }
    if (which) {
        g->valid |= NV3_VALID_OCLIP;
    }
}

/*
 * Computes one coordinate of a clip corner from @half, a half of the method's data.
 * Vertex 13 holds the first corner, to which NV3_CORNER_SIZE adds the size.
 */
static int32_t clip_coord(NV3Pgraph *g, NV3Axis axis, NV3ClipPart part,
                          uint32_t half, NV3VtxFlags *flags)
{
    uint32_t *base = nv3_vtx(g, axis, 13);
    uint32_t val;

    if (part != NV3_CORNER_SIZE) {
        val = nv3_lo16(half);
        *base = val;
    } else {
        val = half + *base;
        flags->carry = val < half;
        flags->overflow = !(*base >> 31) && val >> 31;
        *base = flags->overflow ? 0x7fffffff : val;
    }
    flags->oob = part != NV3_CORNER_MAX && out_of_bounds(val);
    return val;
}

void nv3_clip_method(NV3State *s, unsigned which, NV3ClipPart part,
                     uint32_t data)
{
    NV3Pgraph *g = &s->pgraph;
    uint32_t *min = which ? g->oclip_min : g->uclip_min;
    uint32_t *max = which ? g->oclip_max : g->uclip_max;
    uint32_t *select = &g->xy_misc[1 + which];
    bool image_started = g->before.xy_misc_1 & NV3_XY1_STARTED;
    unsigned vtx = part == NV3_CORNER_MIN ? 0 : 1;

    clip_prepare(g, which, part);
    for (NV3Axis axis = NV3_X; axis <= NV3_Y; axis++) {
        NV3VtxFlags flags = { 0 };
        int32_t coord = clip_coord(g, axis, part,
                                   data >> (axis * 16) & 0xffff, &flags);
        uint32_t status;

        min[axis] = max[axis];
        max[axis] = coord & NV3_COORD_MASK;
        nv3_vtx_note(s, axis, vtx, flags,
                     nv3_clip_status(s, coord, axis, false));
        if (part == NV3_CORNER_SIZE) {
            if (nv3_pgraph_class(g) == NV3_CLASS_SIFC && image_started) {
                nv3_vtx_compare(s, axis, 5, false);
            } else {
                nv3_vtx_compare(s, axis, 8, true);
            }
        }
        if (vtx) {
            status = axis == NV3_X ? g->x_clip_status[0] : g->y_clip_status[0];
            set_bits(select, 8 + axis, 1, (status >> 2 | status >> 4) & 1);
            set_bits(select, 12 + axis * 4, 1, ~status & 1);
            set_bits(select, 13 + axis * 4, 1, ~(status >> 6) & 1);
        }
    }
}

/* A write to the register of any vertex changes the flags of vertex 8 (hwtest). */
void nv3_vtx_write(NV3State *s, NV3Axis axis, unsigned i, uint32_t val)
{
    NV3VtxFlags flags = { .oob = out_of_bounds(val) };

    *nv3_vtx(&s->pgraph, axis, i) = val;
    nv3_vtx_note(s, axis, 8, flags, nv3_clip_status(s, val, axis, false));
}

/*
 * Sets one coordinate of an image's edge (ICLIP), and the flags of the edge. The flags
 * state whether the edge is at or below the upper bound of the clip, and whether it is
 * below the lower bound.
 */
void nv3_iclip_write(NV3State *s, NV3Axis axis, uint32_t val)
{
    NV3Pgraph *g = &s->pgraph;
    int32_t coord = clip_pixel(g, val);
    int32_t min, max;

    g->iclip[axis] = val & NV3_COORD_MASK;
    for (unsigned i = 1; i <= 2; i++) {
        g->xy_misc[i] &= ~XY1_ICLIP;
    }
    flag_bounds(s, axis, false, &min, &max);
    for (unsigned i = 1; i <= 2; i++) {
        set_bits(&g->xy_misc[i], 14 + axis * 4, 1, coord <= max);
        if (axis == NV3_X) {
            set_bits(&g->xy_misc[i], 20, 1, coord <= max);
        }
        set_bits(&g->xy_misc[i], 4 + axis, 1, coord < min);
    }
}

void nv3_clip_write(NV3State *s, unsigned which, NV3Axis axis, bool upper,
                    uint32_t val)
{
    NV3Pgraph *g = &s->pgraph;
    uint32_t *bounds_min = which ? g->oclip_min : g->uclip_min;
    uint32_t *bounds_max = which ? g->oclip_max : g->uclip_max;
    uint32_t *select = &g->xy_misc[1 + which];
    uint32_t status = axis == NV3_X ? g->x_clip_status[0] : g->y_clip_status[0];
    int32_t min, max, coord;

    bounds_min[axis] = bounds_max[axis];
    bounds_max[axis] = val & NV3_COORD_MASK;
    *nv3_vtx(g, axis, 13) = val;
    *select &= ~XY1_CLIP_SELECT;
    if (!upper) {
        return;
    }
    flag_bounds(s, axis, false, &min, &max);
    coord = clip_pixel(g, val);
    set_bits(select, 4 + axis, 1, 0);
    set_bits(select, 8 + axis, 1,
             coord < min || (status & 4 && coord >= 0));
    set_bits(select, 12 + axis * 4, 1, ~status & 1);
    set_bits(select, 13 + axis * 4, 1, coord <= max);
}
