/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Class 0x08, POINT: points in one colour or in one each, by 16 or 32 bits a
 * coordinate. Methods: envytools hwtest/pgraph_class_solid.cc.
 */
#include "class.h"
#include "pgraph_solid.h"

static const NV3MthdArray points = { NV3_POINT_POINT(0), 32, 1 };
static const NV3MthdArray points_32 = { NV3_POINT_POINT32_X(0), 16, 2 };
static const NV3MthdArray color_points = { NV3_POINT_CPOINT_COLOR(0), 16, 2 };

static const NV3VtxKind first = { .first = true };

static void point_draw(NV3State *s)
{
    NV3Pgraph *g = &s->pgraph;
    int32_t x = g->vtx_x[0], y = g->vtx_y[0];

    if (nv3_pgraph_prep_draw(s, false, false) && nv3_solid_in_range(g, 1)) {
        nv3_solid_rect(s, (NV3Rect) { x, y, x + 1, y + 1 });
    }
}

static NV3MthdResult point_method(NV3State *s, uint32_t mthd, uint32_t data)
{
    unsigned word;

    if (mthd == NV3_POINT_COLOR) {
        nv3_solid_color(s, data);
    } else if (nv3_mthd_in(mthd, points, &word)) {
        nv3_vtx_method(s, data, first);
        point_draw(s);
    } else if (nv3_mthd_in(mthd, points_32, &word)) {
        if (!word) {
            nv3_vtx_method_x32(s, data, first);
        } else {
            nv3_vtx_method_y32(s, data, first);
            point_draw(s);
        }
    } else if (nv3_mthd_in(mthd, color_points, &word)) {
        if (!word) {
            nv3_solid_color(s, data);
        } else {
            nv3_vtx_method(s, data, first);
            point_draw(s);
        }
    } else {
        return NV3_MTHD_BAD_METHOD;
    }
    return NV3_MTHD_OK;
}

const NV3Class nv3_class_point = {
    .id = NV3_CLASS_POINT, .name = "POINT", .method = point_method,
};
