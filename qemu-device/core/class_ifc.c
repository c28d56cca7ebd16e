/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Class 0x11, IFC: an image from the CPU, pixels in the method's data.
 *
 * Methods and registers: envytools hwtest/pgraph_class_ifc.cc and
 * pgraph_mthd_xy.cc (MthdIfcSize). How pixels fill the image is known of NV1 only
 * (MthdIfcDataTest there): packed without padding, line after line, and beyond
 * the last line the image goes on to the right. The place of the next pixel is
 * kept in vertex 2, so a context switch in the middle of an image is harmless.
 */
#include "class.h"
#include "pgraph_rop.h"
#include "pgraph_xy.h"

/* Vertices. */
#define IFC_NEXT    2       /* column and line of the next pixel */
#define IFC_IN      3       /* width, minus height, of the data */
#define IFC_POINT   4
#define IFC_OUT     5       /* width and height of what is drawn */
#define IFC_HEIGHT  7       /* y: height of the data */

static void ifc_size_out(NV3State *s, uint32_t data)
{
    NV3Pgraph *g = &s->pgraph;

    g->vtx_x[IFC_OUT] = data & 0xffff;
    g->vtx_y[IFC_OUT] = data >> 16;
    g->valid |= NV3_VALID_X(IFC_OUT) | NV3_VALID_Y(IFC_OUT);
}

static void ifc_size_in(NV3State *s, uint32_t data)
{
    NV3Pgraph *g = &s->pgraph;

    g->vtx_x[IFC_IN] = data & 0xffff;
    g->vtx_y[IFC_IN] = -(data >> 16);
    g->vtx_y[IFC_HEIGHT] = data >> 16;
    g->misc24[0] = data & 0xffff;
    g->valid |= NV3_VALID_X(IFC_IN) | NV3_VALID_Y(IFC_HEIGHT);
    nv3_vtx_compare(s, NV3_X, IFC_IN, false);
    nv3_vtx_compare(s, NV3_Y, IFC_HEIGHT, false);
    nv3_image_set_zero(g, !(data & 0xffff) || !(data >> 16));
    g->xy_misc[3] &= ~0x1000;   /* BITMAP's narrow images only */
}

static void ifc_size(NV3State *s, uint32_t mthd, uint32_t data)
{
    NV3Pgraph *g = &s->pgraph;

    if (mthd == NV3_IFC_SIZE_OUT) {
        ifc_size_out(s, data);
    } else {
        ifc_size_in(s, data);
    }
    g->xy_misc[1] &= ~NV3_XY1_STARTED;
    g->xy_misc[2] |= NV3_XY1_STARTED;
    g->xy_misc[3] &= ~0x100;
    nv3_vtx_clear_index(g);
}

/* The first data word after a point or a size. */
static void ifc_start(NV3Pgraph *g)
{
    g->xy_misc[1] |= NV3_XY1_STARTED;
    g->vtx_x[IFC_NEXT] = 0;
    g->vtx_y[IFC_NEXT] = 0;
    g->iclip[NV3_X] = (g->vtx_x[IFC_POINT] + g->vtx_x[IFC_OUT]) &
                      NV3_COORD_MASK;
    g->iclip[NV3_Y] = (g->vtx_y[IFC_POINT] + g->vtx_y[IFC_OUT]) &
                      NV3_COORD_MASK;
}

/* The place of the next pixel, and one further. */
static void ifc_advance(NV3Pgraph *g, int32_t *x, int32_t *y)
{
    *x = g->vtx_x[IFC_POINT] + g->vtx_x[IFC_NEXT];
    *y = g->vtx_y[IFC_POINT] + g->vtx_y[IFC_NEXT];
    if (++g->vtx_x[IFC_NEXT] < g->vtx_x[IFC_IN]) {
        return;
    }
    g->vtx_x[IFC_NEXT] = 0;
    if (++g->vtx_y[IFC_NEXT] < g->vtx_y[IFC_HEIGHT]) {
        return;
    }
    g->vtx_y[IFC_NEXT] = 0;
    g->vtx_x[IFC_POINT] += g->vtx_x[IFC_IN];
}

typedef struct IfcTarget {
    NV3Clip clip;
    NV3Rop rop;
    NV3Surface surf[NV3_PGRAPH_SURFACES];
    unsigned surfaces;
} IfcTarget;

static void put_pixel(NV3State *s, const IfcTarget *t, int32_t x, int32_t y,
                      NV3Color color)
{
    NV3Rect pixel = { x, y, x + 1, y + 1 };
    NV3Rect in = nv3_rect_intersect(pixel, t->clip.bounds);
    NV3Span span[NV3_CLIP_SPANS];

    if (nv3_rect_empty(&in) || !nv3_clip_line(&t->clip, y, x, x + 1, span)) {
        return;
    }
    s->counters[NV3_PVIRT_COUNTER_PIXELS]++;
    for (unsigned j = 0; j < t->surfaces; j++) {
        unsigned cpp = t->surf[j].cpp;
        uint8_t *p = nv3_surface_line(s, &t->surf[j], x, y, 1);

        if (p) {
            nv3_pixel_store(p, cpp, nv3_rop_pixel(&t->rop, x, y,
                                                  nv3_pixel_load(p, cpp),
                                                  color));
            nv3_surface_dirty(s, &t->surf[j], &pixel);
        }
    }
}

static void ifc_pixels(NV3State *s, uint32_t data)
{
    NV3Pgraph *g = &s->pgraph;
    unsigned bytes = nv3_color_bytes(g);
    NV3Rect image;
    IfcTarget t;

    t.surfaces = nv3_surface_destinations(s, t.surf);
    nv3_clip_get(s, &t.clip);
    image = (NV3Rect) {
        INT32_MIN, INT32_MIN, nv3_sext(g->iclip[NV3_X], 18),
        nv3_sext(g->iclip[NV3_Y], 18),
    };
    t.clip.bounds = nv3_rect_intersect(t.clip.bounds, image);
    nv3_rop_init(&t.rop, g, t.surfaces ? t.surf[0].format : NV3_SURF_Y8,
                 nv3_color_expand(g, 0).mode);
    for (unsigned i = 0; i < 4; i += bytes) {
        int32_t x, y;

        ifc_advance(g, &x, &y);
        put_pixel(s, &t, x, y, nv3_color_expand(g, data >> 8 * i));
    }
    g->epoch++;
}

static void ifc_data(NV3State *s, uint32_t data)
{
    NV3Pgraph *g = &s->pgraph;

    g->xy_misc[3] &= ~0x10;
    g->misc32[0] = data;
    if (!nv3_pgraph_prep_draw(s, false, false) ||
        g->xy_misc[0] & NV3_XY0_IMAGE_ZERO) {
        return;
    }
    if (!(g->xy_misc[1] & NV3_XY1_STARTED)) {
        ifc_start(g);
    }
    ifc_pixels(s, data);
}

static NV3MthdResult ifc_method(NV3State *s, uint32_t mthd, uint32_t data)
{
    switch (mthd) {
    case NV3_IFC_POINT:
        nv3_vtx_method(s, data, (NV3VtxKind) { .first = true, .image = true });
        return NV3_MTHD_OK;
    case NV3_IFC_SIZE_OUT:
    case NV3_IFC_SIZE_IN:
        ifc_size(s, mthd, data);
        return NV3_MTHD_OK;
    default:
        break;
    }
    /* 32 words are documented (rnndb); hwtest has all to the end valid. */
    if (mthd >= NV3_IFC_DATA(0)) {
        ifc_data(s, data);
        return NV3_MTHD_OK;
    }
    return NV3_MTHD_BAD_METHOD;
}

const NV3Class nv3_class_ifc = {
    .id = NV3_CLASS_IFC, .name = "IFC", .method = ifc_method,
};
