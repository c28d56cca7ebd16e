/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Class 0x15, SIFC: scales an image whose pixels are the data of methods. Each pixel of
 * the image becomes a rectangle. Methods: envytools hwtest/pgraph_class_ifc.cc (Sifc).
 *
 * No documentation states which pixels silicon draws. In this model, source pixel n of a
 * line covers the surface pixels whose left edge is in [x + n * dx, x + (n + 1) * dx). x
 * is from method POINT, and dx is the value of DX_DU. The same rule applies to lines,
 * with y and DY_DV. Pixels are packed in data words as in class IFC. Data after the last
 * line is ignored. Vertex 2 holds the position of the next pixel.
 */
#include "2d/classes.h"
#include "2d/target.h"
#include "chip/cost.h"
#include "graph/pgraph.h"
#include "graph/surface.h"
#include "graph/vertex.h"

#define SIFC_NEXT       2
#define SIFC_IN         3
#define SIFC_POINT      4       /* 12.20 */
#define SIFC_STEP       5       /* 12.20: width and height of a source pixel */
#define SIFC_HEIGHT     7

#define SIFC_VALID      (0x0000b038u | NV3_VALID_OCLIP)
#define FRACTION        20
/* Rectangles with at most this number of pixels are drawn pixel by pixel. */
#define SMALL           32

/*
 * Rounds a fixed-point number up to an integer. Clamps the result to [-0x20000, 0x20000],
 * a range that contains all clip bounds.
 */
static int32_t ceiling(int64_t fixed)
{
    int64_t val = (fixed + (1 << FRACTION) - 1) >> FRACTION;

    return val < -0x20000 ? -0x20000 : val > 0x20000 ? 0x20000 : val;
}

/*
 * Returns the range of columns (or lines) of the surface that source pixel (or line) @n
 * covers. @n is the low 16 bits of a register, to which software may have written a
 * larger value.
 */
static NV3Span covered(uint32_t start, uint32_t step, uint16_t n)
{
    int64_t from = (int32_t)start + (int64_t)(int32_t)step * n;
    int64_t to = from + (int32_t)step;

    return (NV3Span) {
        ceiling(from < to ? from : to), ceiling(from < to ? to : from),
    };
}

/* Computes the rectangle of the next pixel. Returns false if the image is complete. */
static bool next_rect(NV3Pgraph *g, NV3Rect *r)
{
    NV3Span x, y;

    if (g->vtx_y[SIFC_NEXT] >= g->vtx_y[SIFC_HEIGHT]) {
        return false;
    }
    x = covered(g->vtx_x[SIFC_POINT], g->vtx_x[SIFC_STEP],
                g->vtx_x[SIFC_NEXT]);
    y = covered(g->vtx_y[SIFC_POINT], g->vtx_y[SIFC_STEP],
                g->vtx_y[SIFC_NEXT]);
    *r = (NV3Rect) { x.x0, y.x0, x.x1, y.x1 };
    if (++g->vtx_x[SIFC_NEXT] >= g->vtx_x[SIFC_IN]) {
        g->vtx_x[SIFC_NEXT] = 0;
        g->vtx_y[SIFC_NEXT]++;
    }
    return true;
}

static int64_t area(const NV3Rect *r)
{
    return (int64_t)(r->x1 - r->x0) * (r->y1 - r->y0);
}

static void put_small(NV3State *s, const NV3Rect *r, uint32_t color)
{
    NV3Color c = nv3_color_expand(&s->pgraph, color);
    NV3Target t;

    if (!nv3_target_init(s, &t, c.mode)) {
        return;
    }
    nv3_account(s, NV3_COST_DRAW + area(r) * t.surfaces * NV3_COST_PIXEL);
    for (int32_t y = r->y0; y < r->y1; y++) {
        for (int32_t x = r->x0; x < r->x1; x++) {
            nv3_target_put(s, &t, x, y, c);
        }
    }
    nv3_target_done(s, &t);
}

/*
 * Draws the pixels of a data word. job->byte is the index of the next pixel in the word.
 * job->rect is the rectangle of the previous pixel, or empty if that pixel has been
 * drawn.
 */
NV3JobResult nv3_sifc_run(NV3State *s, NV3Job *job)
{
    NV3Pgraph *g = &s->pgraph;
    unsigned bytes = nv3_color_bytes(g);
    NV3Clip clip;

    nv3_clip_get(s, &clip);
    for (;;) {
        NV3Rect r;

        if (!nv3_rect_empty(&job->rect)) {
            NV3JobResult result = nv3_fill_run(s, job);

            if (result == NV3_JOB_DONE) {
                job->rect = (NV3Rect) { 0 };
            }
            if (result == NV3_JOB_MORE || nv3_slice_over(s)) {
                return NV3_JOB_MORE;
            }
        }
        if (job->byte >= 4 / bytes || !next_rect(g, &r)) {
            return NV3_JOB_DONE;
        }
        job->color = g->misc32[0] >> (8 * bytes * job->byte++);
        job->line = 0;
        r = nv3_rect_intersect(r, clip.bounds);
        if (nv3_rect_empty(&r)) {
            continue;
        }
        if (area(&r) <= SMALL) {
            put_small(s, &r, job->color);
        } else {
            job->rect = r;
        }
    }
}

static void sifc_size(NV3State *s, uint32_t data)
{
    NV3Pgraph *g = &s->pgraph;
    uint32_t width = data & 0xffff, height = data >> 16;

    g->vtx_x[SIFC_IN] = width;
    g->vtx_y[SIFC_IN] = -height;
    g->vtx_y[SIFC_HEIGHT] = height;
    g->misc24[0] = width;
    g->valid |= NV3_VALID_X(SIFC_IN) | NV3_VALID_Y(SIFC_HEIGHT);
    nv3_vtx_compare(s, NV3_X, SIFC_IN, false);
    nv3_vtx_compare(s, NV3_Y, SIFC_IN, false);
    nv3_image_set_zero(g, !width || !height);
    g->xy_misc[1] &= ~NV3_XY1_STARTED;
    g->xy_misc[2] &= ~NV3_XY1_STARTED;
    g->xy_misc[3] &= ~0x100;
    nv3_vtx_clear_index(g);
}

static void sifc_step(NV3Pgraph *g, NV3Axis axis, uint32_t data)
{
    g->valid |= 1u << (axis == NV3_X ? 5 : 13);
    *nv3_vtx(g, axis, SIFC_STEP) = data;
    nv3_vtx_clear_index(g);
    g->xy_misc[1] &= ~NV3_XY1_STARTED;
    g->xy_misc[2] &= ~NV3_XY1_STARTED;
}

static void sifc_point(NV3State *s, uint32_t data)
{
    NV3Pgraph *g = &s->pgraph;

    g->valid |= 0x9018;
    g->valid &= ~NV3_VALID_NOCLIP;
    g->vtx_y[SIFC_IN] = -g->vtx_y[SIFC_HEIGHT];
    nv3_vtx_compare(s, NV3_X, SIFC_IN, false);
    nv3_vtx_compare(s, NV3_Y, SIFC_IN, false);
    /*
     * Store the negated height again, with saturation. The comparisons above use the
     * height that was negated without saturation.
     */
    nv3_vtx_add(s, NV3_Y, SIFC_IN, (NV3VtxSum) {
        .a = ~g->vtx_y[SIFC_HEIGHT], .b = 1, .quiet = true,
    });
    g->vtx_x[SIFC_POINT] = data << 16;
    g->vtx_y[SIFC_POINT] = data & 0xffff0000;
    nv3_vtx_clear_index(g);
    g->xy_misc[1] &= ~NV3_XY1_STARTED;
    g->xy_misc[2] &= ~NV3_XY1_STARTED;
    g->xy_misc[3] &= ~0x100;
    for (NV3Axis axis = NV3_X; axis <= NV3_Y; axis++) {
        int32_t whole = nv3_sext(data >> (axis * 16 + 4), 12);

        nv3_vtx_note(s, axis, 0, (NV3VtxFlags) { 0 },
                     nv3_clip_status(s, whole, axis, false));
    }
    nv3_image_set_zero(g, !g->vtx_x[SIFC_IN] || !g->vtx_y[SIFC_IN]);
}

static void sifc_data(NV3State *s, uint32_t data)
{
    NV3Pgraph *g = &s->pgraph;

    g->misc32[0] = data;
    if (!nv3_pgraph_prep_image(s, SIFC_VALID) ||
        g->xy_misc[0] & NV3_XY0_IMAGE_ZERO) {
        return;
    }
    if (!(g->xy_misc[1] & NV3_XY1_STARTED)) {
        g->xy_misc[1] |= NV3_XY1_STARTED;
        g->vtx_x[SIFC_NEXT] = 0;
        g->vtx_y[SIFC_NEXT] = 0;
    }
    nv3_job_start(s, &(NV3Job) { .kind = NV3_JOB_SIFC });
}

static NV3MthdResult sifc_method(NV3State *s, uint32_t mthd, uint32_t data)
{
    switch (mthd) {
    case NV3_SIFC_SIZE_IN:
        sifc_size(s, data);
        return NV3_MTHD_OK;
    case NV3_SIFC_DX_DU:
        sifc_step(&s->pgraph, NV3_X, data);
        return NV3_MTHD_OK;
    case NV3_SIFC_DY_DV:
        sifc_step(&s->pgraph, NV3_Y, data);
        return NV3_MTHD_OK;
    case NV3_SIFC_CLIP_POINT:
        nv3_clip_method(s, 1, NV3_CORNER_MIN, data);
        return NV3_MTHD_OK;
    case NV3_SIFC_CLIP_SIZE:
        nv3_clip_method(s, 1, NV3_CORNER_SIZE, data);
        return NV3_MTHD_OK;
    case NV3_SIFC_POINT:
        sifc_point(s, data);
        return NV3_MTHD_OK;
    default:
        break;
    }
    if (mthd >= NV3_SIFC_DATA(0)) {
        sifc_data(s, data);
        return NV3_MTHD_OK;
    }
    return NV3_MTHD_BAD_METHOD;
}

const NV3Class nv3_class_sifc = {
    .id = NV3_CLASS_SIFC, .name = "SIFC", .method = sifc_method,
};
