/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Class 0x07, RECT: rectangles in one colour. Methods and what they leave in
 * registers: envytools hwtest/pgraph_class_solid.cc and pgraph_mthd_xy.cc.
 */
#include "class.h"
#include "pgraph_solid.h"

static const NV3MthdArray rects = { NV3_RECT_POINT(0), 16, 2 };

/* Vertex 1 is the far corner. */
static void rect_size(NV3State *s, uint32_t data)
{
    NV3Pgraph *g = &s->pgraph;

    for (NV3Axis axis = NV3_X; axis <= NV3_Y; axis++) {
        nv3_vtx_add(s, axis, 1, (NV3VtxSum) {
            .a = *nv3_vtx(g, axis, 0), .b = data >> (axis * 16) & 0xffff,
        });
        nv3_vtx_compare(s, axis, 8, true);
    }
    g->valid |= NV3_VALID_X(1) | NV3_VALID_Y(1);
    g->xy_misc[2] |= NV3_XY1_STARTED;
    nv3_vtx_bump_index(g);
}

static void rect_draw(NV3State *s)
{
    NV3Pgraph *g = &s->pgraph;

    if (nv3_pgraph_prep_draw(s, false, false)) {
        nv3_solid_rect(s, (NV3Rect) {
            g->vtx_x[0], g->vtx_y[0], g->vtx_x[1], g->vtx_y[1],
        });
    }
}

static NV3MthdResult rect_method(NV3State *s, uint32_t mthd, uint32_t data)
{
    unsigned word;

    if (mthd == NV3_RECT_COLOR) {
        nv3_solid_color(s, data);
        return NV3_MTHD_OK;
    }
    if (!nv3_mthd_in(mthd, rects, &word)) {
        return NV3_MTHD_BAD_METHOD;
    }
    if (!word) {
        nv3_vtx_method(s, data, (NV3VtxKind) { .first = true });
    } else {
        rect_size(s, data);
        rect_draw(s);
    }
    return NV3_MTHD_OK;
}

const NV3Class nv3_class_rect = {
    .id = NV3_CLASS_RECT, .name = "RECT", .method = rect_method,
};
