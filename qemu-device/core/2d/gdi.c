/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Class 0x0c, GDI. Windows uses this class to draw text. The class has five interfaces, A
 * to E, each with its own methods:
 *
 * A: rectangles without a clip, defined by a point and a size
 * B: clipped rectangles, defined by two corners
 * C: clipped bitmaps in one colour
 * D: clipped bitmaps in one colour, with separate sizes of data and output
 * E: clipped bitmaps in two colours
 *
 * Methods: envytools hwtest/pgraph_class_solid.cc (GdiNv3).
 */
#include "2d/classes.h"
#include "2d/image.h"
#include "2d/shapes.h"
#include "graph/pgraph.h"

#define DATA_WORDS  128

static const NV3MthdArray a_rects = { NV3_GDI_A_POINT(0), 64, 2 };
static const NV3MthdArray b_rects = { NV3_GDI_B_POINT_0(0), 64, 2 };

static void draw_rect(NV3State *s, bool noclip)
{
    NV3Pgraph *g = &s->pgraph;

    if (nv3_pgraph_prep_draw(s, false, noclip)) {
        nv3_solid_rect(s, (NV3Rect) {
            g->vtx_x[0], g->vtx_y[0], g->vtx_x[1], g->vtx_y[1],
        });
    }
}

/*
 * Sets the size of a rectangle. The high half of @data is the width. Only the canvas
 * clips the rectangle.
 */
static void a_size(NV3State *s, uint32_t data)
{
    NV3Pgraph *g = &s->pgraph;
    uint32_t steps = 0x20;

    nv3_vtx_add(s, NV3_X, 1, (NV3VtxSum) {
        .a = g->vtx_x[0], .b = data >> 16, .canvas_only = true,
    });
    nv3_vtx_add(s, NV3_Y, 1, (NV3VtxSum) {
        .a = g->vtx_y[0], .b = data & 0xffff, .canvas_only = true,
    });
    if (g->xy_misc[3] & 0x1000) {
        steps = 4 / nv3_color_bytes_by(g->before.class, g->before.options);
    }
    g->vtx_x[2] -= steps;
    nv3_vtx_compare(s, NV3_X, 2, false);
    g->vtx_x[2] += steps;
    nv3_vtx_compare(s, NV3_Y, 2, false);
    g->valid |= NV3_VALID_X(1) | NV3_VALID_Y(1);
    g->xy_misc[2] |= NV3_XY1_STARTED;
    nv3_vtx_bump_index(g);
}

static bool gdi_rect(NV3State *s, uint32_t mthd, uint32_t data)
{
    unsigned word;

    if (nv3_mthd_in(mthd, a_rects, &word)) {
        if (!word) {
            nv3_vtx_method(s, data, (NV3VtxKind) {
                .first = true, .noclip = true,
            });
        } else {
            a_size(s, data);
            draw_rect(s, true);
        }
    } else if (nv3_mthd_in(mthd, b_rects, &word)) {
        nv3_vtx_method(s, data, (NV3VtxKind) { .first = !word });
        if (word) {
            draw_rect(s, false);
        }
    } else {
        return false;
    }
    return true;
}

static bool gdi_clip(NV3State *s, uint32_t mthd, uint32_t data)
{
    switch (mthd) {
    case NV3_GDI_B_CLIP_0:
    case NV3_GDI_C_CLIP_0:
    case NV3_GDI_D_CLIP_0:
    case NV3_GDI_E_CLIP_0:
        nv3_clip_method(s, 1, NV3_CORNER_MIN, data);
        return true;
    case NV3_GDI_B_CLIP_1:
    case NV3_GDI_C_CLIP_1:
    case NV3_GDI_D_CLIP_1:
    case NV3_GDI_E_CLIP_1:
        nv3_clip_method(s, 1, NV3_CORNER_MAX, data);
        return true;
    default:
        return false;
    }
}

static bool gdi_color(NV3State *s, uint32_t mthd, uint32_t data)
{
    switch (mthd) {
    case NV3_GDI_A_COLOR:
    case NV3_GDI_B_COLOR:
        nv3_solid_color(s, data);
        return true;
    case NV3_GDI_C_COLOR:
    case NV3_GDI_D_COLOR:
    case NV3_GDI_E_COLOR_1:
        nv3_bitmap_color_1(s, data);
        return true;
    case NV3_GDI_E_COLOR_0:
        nv3_bitmap_color_0(s, data);
        return true;
    default:
        return false;
    }
}

static bool gdi_place(NV3State *s, uint32_t mthd, uint32_t data)
{
    switch (mthd) {
    case NV3_GDI_C_SIZE:
        nv3_image_size(s, NV3_IMAGE_IN | NV3_IMAGE_OUT, true, data);
        return true;
    case NV3_GDI_D_SIZE_IN:
    case NV3_GDI_E_SIZE_IN:
        nv3_image_size(s, NV3_IMAGE_IN, true, data);
        return true;
    case NV3_GDI_D_SIZE_OUT:
    case NV3_GDI_E_SIZE_OUT:
        nv3_image_size(s, NV3_IMAGE_OUT, true, data);
        return true;
    case NV3_GDI_C_POINT:
    case NV3_GDI_D_POINT:
    case NV3_GDI_E_POINT:
        nv3_vtx_method(s, data, (NV3VtxKind) { .first = true, .image = true });
        return true;
    default:
        return false;
    }
}

static bool gdi_data(NV3State *s, uint32_t mthd, uint32_t data)
{
    static const NV3MthdArray one_color = { NV3_GDI_C_DATA(0), DATA_WORDS, 1 };
    static const NV3MthdArray two_sizes = { NV3_GDI_D_DATA(0), DATA_WORDS, 1 };
    static const NV3MthdArray two_colors = { NV3_GDI_E_DATA(0), DATA_WORDS, 1 };
    unsigned word;

    if (nv3_mthd_in(mthd, one_color, &word) ||
        nv3_mthd_in(mthd, two_sizes, &word)) {
        nv3_bitmap_data(s, false, data);
        return true;
    }
    if (nv3_mthd_in(mthd, two_colors, &word)) {
        nv3_bitmap_data(s, true, data);
        return true;
    }
    return false;
}

static NV3MthdResult gdi_method(NV3State *s, uint32_t mthd, uint32_t data)
{
    bool known = gdi_rect(s, mthd, data) || gdi_data(s, mthd, data) ||
                 gdi_clip(s, mthd, data) || gdi_color(s, mthd, data) ||
                 gdi_place(s, mthd, data);

    return known ? NV3_MTHD_OK : NV3_MTHD_BAD_METHOD;
}

const NV3Class nv3_class_gdi = {
    .id = NV3_CLASS_GDI, .name = "GDI", .method = gdi_method,
};
