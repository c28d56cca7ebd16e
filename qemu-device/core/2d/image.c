/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Draws images whose pixels are the data of methods. Implements classes IFC and BITMAP,
 * and the functions that class GDI also uses (image.h).
 */
#include "2d/classes.h"
#include "2d/image.h"
#include "chip/cost.h"
#include "graph/pgraph.h"

/* Use of the vertices: */
#define IMAGE_NEXT      2   /* column and line of the next pixel */
#define IMAGE_IN        3   /* width and negated height of the image in the data */
#define IMAGE_POINT     4
#define IMAGE_OUT       5   /* width and height of the drawn image */
#define IMAGE_HEIGHT    7   /* y: height of the data */

#define XY3_NARROW      0x1000  /* the bitmap has fewer than 32 columns */

static void size_out(NV3Pgraph *g, uint32_t data)
{
    g->vtx_x[IMAGE_OUT] = data & 0xffff;
    g->vtx_y[IMAGE_OUT] = data >> 16;
    g->valid |= NV3_VALID_X(IMAGE_OUT) | NV3_VALID_Y(IMAGE_OUT);
}

static void size_in(NV3State *s, bool also_out, bool bitmap, uint32_t data)
{
    NV3Pgraph *g = &s->pgraph;
    uint32_t width = data & 0xffff, height = data >> 16;

    g->vtx_x[IMAGE_IN] = width;
    g->vtx_y[IMAGE_IN] = -height;
    g->vtx_y[IMAGE_HEIGHT] = height;
    if (!also_out) {
        g->misc24[0] = width;
    }
    g->valid |= NV3_VALID_X(IMAGE_IN) | NV3_VALID_Y(IMAGE_HEIGHT);
    nv3_vtx_compare(s, NV3_X, IMAGE_IN, false);
    nv3_vtx_compare(s, NV3_Y, IMAGE_HEIGHT, false);
    nv3_image_set_zero(g, !width || !height);
    g->xy_misc[3] &= ~XY3_NARROW;
    if (bitmap && width < 0x20) {
        g->xy_misc[3] |= XY3_NARROW;
    }
}

void nv3_image_size(NV3State *s, unsigned which, bool bitmap, uint32_t data)
{
    NV3Pgraph *g = &s->pgraph;

    if (which & NV3_IMAGE_OUT) {
        size_out(g, data);
    }
    if (which & NV3_IMAGE_IN) {
        size_in(s, which & NV3_IMAGE_OUT, bitmap, data);
    }
    g->xy_misc[1] &= ~NV3_XY1_STARTED;
    g->xy_misc[2] |= NV3_XY1_STARTED;
    g->xy_misc[3] &= ~0x100;
    nv3_vtx_clear_index(g);
}

/*
 * Starts an image. Called for the first data word after a method that sets the point or a
 * size.
 */
static void start(NV3Pgraph *g)
{
    g->xy_misc[1] |= NV3_XY1_STARTED;
    g->vtx_x[IMAGE_NEXT] = 0;
    g->vtx_y[IMAGE_NEXT] = 0;
    g->iclip[NV3_X] = (g->vtx_x[IMAGE_POINT] + g->vtx_x[IMAGE_OUT]) &
                      NV3_COORD_MASK;
    g->iclip[NV3_Y] = (g->vtx_y[IMAGE_POINT] + g->vtx_y[IMAGE_OUT]) &
                      NV3_COORD_MASK;
}

bool nv3_image_begin(NV3State *s, NV3Target *t, uint32_t need,
                     NV3ColorMode mode)
{
    NV3Pgraph *g = &s->pgraph;
    NV3Rect image;

    if (!nv3_pgraph_prep_image(s, need) ||
        g->xy_misc[0] & NV3_XY0_IMAGE_ZERO) {
        return false;
    }
    if (!(g->xy_misc[1] & NV3_XY1_STARTED)) {
        start(g);
    }
    if (!nv3_target_init(s, t, mode)) {
        return false;
    }
    image = (NV3Rect) {
        INT32_MIN, INT32_MIN, nv3_sext(g->iclip[NV3_X], 18),
        nv3_sext(g->iclip[NV3_Y], 18),
    };
    t->clip.bounds = nv3_rect_intersect(t->clip.bounds, image);
    return true;
}

void nv3_image_put(NV3State *s, NV3Target *t, NV3Color color)
{
    NV3Pgraph *g = &s->pgraph;

    nv3_target_put(s, t, g->vtx_x[IMAGE_POINT] + g->vtx_x[IMAGE_NEXT],
                   g->vtx_y[IMAGE_POINT] + g->vtx_y[IMAGE_NEXT], color);
    if (++g->vtx_x[IMAGE_NEXT] < g->vtx_x[IMAGE_IN]) {
        return;
    }
    g->vtx_x[IMAGE_NEXT] = 0;
    if (++g->vtx_y[IMAGE_NEXT] < g->vtx_y[IMAGE_HEIGHT]) {
        return;
    }
    g->vtx_y[IMAGE_NEXT] = 0;
    g->vtx_x[IMAGE_POINT] += g->vtx_x[IMAGE_IN];
}

void nv3_bitmap_color_0(NV3State *s, uint32_t data)
{
    NV3Pgraph *g = &s->pgraph;

    g->bitmap_color_0 = nv3_color_pack(nv3_color_expand(g, data));
    g->valid |= NV3_VALID_BITMAP_0;
}

void nv3_bitmap_color_1(NV3State *s, uint32_t data)
{
    s->pgraph.misc32[1] = data;
    s->pgraph.valid |= NV3_VALID_BITMAP_1;
}

void nv3_bitmap_data(NV3State *s, bool two_colors, uint32_t data)
{
    NV3Pgraph *g = &s->pgraph;
    NV3Color one = nv3_color_expand(g, g->misc32[1]);
    NV3Color zero = nv3_color_unpack(g, g->bitmap_color_0);
    uint32_t need = NV3_IMAGE_VALID | NV3_VALID_BITMAP_1;
    NV3Target t;

    if (two_colors) {
        need |= NV3_VALID_BITMAP_0;
    } else {
        zero.a = 0;
    }
    if (nv3_pgraph_class(g) == NV3_CLASS_GDI) {
        need |= NV3_VALID_OCLIP;
    }
    if (!(g->xy_misc[3] & XY3_NARROW)) {
        g->xy_misc[3] &= ~0x10;
    }
    g->misc32[0] = nv3_mono_expand(g->before.options, data);
    if (!nv3_image_begin(s, &t, need, one.mode)) {
        return;
    }
    nv3_account(s, NV3_COST_DRAW + 32 * t.surfaces * NV3_COST_PIXEL);
    for (unsigned i = 0; i < 32; i++) {
        nv3_image_put(s, &t, g->misc32[0] >> i & 1 ? one : zero);
    }
    nv3_target_done(s, &t);
}

/* ---- class 0x11, IFC ------------------------------------------------------- */

/* An image whose pixels have 8, 16 or 32 bits (hwtest/pgraph_class_ifc.cc). */

static void ifc_data(NV3State *s, uint32_t data)
{
    NV3Pgraph *g = &s->pgraph;
    unsigned bytes = nv3_color_bytes(g);
    NV3Target t;

    g->xy_misc[3] &= ~0x10;
    g->misc32[0] = data;
    if (!nv3_image_begin(s, &t, NV3_IMAGE_VALID,
                         nv3_color_expand(g, 0).mode)) {
        return;
    }
    nv3_account(s, NV3_COST_DRAW + 4 / bytes * t.surfaces * NV3_COST_PIXEL);
    for (unsigned i = 0; i < 4; i += bytes) {
        nv3_image_put(s, &t, nv3_color_expand(g, data >> 8 * i));
    }
    nv3_target_done(s, &t);
}

static NV3MthdResult ifc_method(NV3State *s, uint32_t mthd, uint32_t data)
{
    switch (mthd) {
    case NV3_IFC_POINT:
        nv3_vtx_method(s, data, (NV3VtxKind) { .first = true, .image = true });
        return NV3_MTHD_OK;
    case NV3_IFC_SIZE_OUT:
        nv3_image_size(s, NV3_IMAGE_OUT, false, data);
        return NV3_MTHD_OK;
    case NV3_IFC_SIZE_IN:
        nv3_image_size(s, NV3_IMAGE_IN, false, data);
        return NV3_MTHD_OK;
    default:
        break;
    }
    /*
     * rnndb documents 32 data methods. hwtest found that all higher method addresses
     * are valid, too.
     */
    if (mthd >= NV3_IFC_DATA(0)) {
        ifc_data(s, data);
        return NV3_MTHD_OK;
    }
    return NV3_MTHD_BAD_METHOD;
}

const NV3Class nv3_class_ifc = {
    .id = NV3_CLASS_IFC, .name = "IFC", .method = ifc_method,
};

/* ---- class 0x12, BITMAP ---------------------------------------------------- */

/*
 * An image of one-bit pixels in two colours (hwtest/pgraph_class_ifc.cc, Bitmap). If a
 * data method switches objects, silicon expands the data with the options of the previous
 * object. hwtest calls this behaviour a bug.
 */

static NV3MthdResult bitmap_method(NV3State *s, uint32_t mthd, uint32_t data)
{
    switch (mthd) {
    case NV3_BITMAP_COLOR_0:
        nv3_bitmap_color_0(s, data);
        return NV3_MTHD_OK;
    case NV3_BITMAP_COLOR_1:
        nv3_bitmap_color_1(s, data);
        return NV3_MTHD_OK;
    case NV3_BITMAP_POINT:
        nv3_vtx_method(s, data, (NV3VtxKind) { .first = true, .image = true });
        return NV3_MTHD_OK;
    case NV3_BITMAP_SIZE_OUT:
        nv3_image_size(s, NV3_IMAGE_OUT, true, data);
        return NV3_MTHD_OK;
    case NV3_BITMAP_SIZE_IN:
        nv3_image_size(s, NV3_IMAGE_IN, true, data);
        return NV3_MTHD_OK;
    default:
        break;
    }
    if (mthd >= NV3_BITMAP_DATA(0) && mthd < NV3_BITMAP_DATA(32)) {
        nv3_bitmap_data(s, true, data);
        return NV3_MTHD_OK;
    }
    return NV3_MTHD_BAD_METHOD;
}

const NV3Class nv3_class_bitmap = {
    .id = NV3_CLASS_BITMAP, .name = "BITMAP", .method = bitmap_method,
};
