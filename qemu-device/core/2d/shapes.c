/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Implements classes RECT, POINT and TRI, and functions for other classes that draw in
 * one colour (shapes.h). Methods and registers: envytools hwtest/pgraph_class_solid.cc
 * and pgraph_mthd_xy.cc.
 */
#include "2d/classes.h"
#include "2d/shapes.h"
#include "graph/pgraph.h"
#include "graph/surface.h"

/* ---- shared by all --------------------------------------------------------- */

bool nv3_solid_in_range(const NV3Pgraph *g, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        if ((uint32_t)nv3_lo16(g->vtx_x[i]) != g->vtx_x[i] ||
            (uint32_t)nv3_lo16(g->vtx_y[i]) != g->vtx_y[i]) {
            return false;
        }
    }
    return true;
}

void nv3_solid_color(NV3State *s, uint32_t data)
{
    s->pgraph.misc32[0] = data;
    s->pgraph.valid |= NV3_VALID_COLOR;
}

void nv3_solid_rect(NV3State *s, NV3Rect r)
{
    NV3Job job = { .kind = NV3_JOB_FILL, .color = s->pgraph.misc32[0] };
    NV3Clip clip;

    nv3_clip_get(s, &clip);
    job.rect = nv3_rect_intersect(r, clip.bounds);
    nv3_job_start(s, &job);
}

/* ---- class 0x07, RECT ------------------------------------------------------ */

static const NV3MthdArray rects = { NV3_RECT_POINT(0), 16, 2 };

/* Sets the size. Vertex 1 becomes the corner opposite to vertex 0. */
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

/* ---- class 0x08, POINT ----------------------------------------------------- */

/*
 * Points with 16-bit or 32-bit coordinates. The points have the object's colour, or each
 * point has a colour of its own.
 */

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

/* ---- class 0x0b, TRI ------------------------------------------------------- */

/*
 * Single triangles and strips. The triangles have the object's colour, or each triangle
 * has a colour of its own. fill.c determines which pixels are drawn.
 */

static const NV3MthdArray triangle = { NV3_TRI_POINT(0), 1, 3 };
static const NV3MthdArray triangle_32 = { NV3_TRI_POINT32_X(0), 1, 6 };
static const NV3MthdArray strip = { NV3_TRI_STRIP(0), 32, 1 };
static const NV3MthdArray strip_32 = { NV3_TRI_STRIP32_X(0), 16, 2 };
static const NV3MthdArray color_triangle = { NV3_TRI_CTRI_COLOR(0), 8, 4 };
static const NV3MthdArray color_strip = { NV3_TRI_CSTRIP_COLOR(0), 16, 2 };

static const NV3VtxKind next = { .poly = true };

static int32_t min3(const int32_t v[3])
{
    int32_t m = v[0] < v[1] ? v[0] : v[1];

    return m < v[2] ? m : v[2];
}

static int32_t max3(const int32_t v[3])
{
    int32_t m = v[0] > v[1] ? v[0] : v[1];

    return m > v[2] ? m : v[2];
}

static void swap(int32_t *a, int32_t *b)
{
    int32_t t = *a;

    *a = *b;
    *b = t;
}

static void triangle_draw(NV3State *s, bool poly)
{
    NV3Pgraph *g = &s->pgraph;
    NV3Job job = {
        .kind = NV3_JOB_TRIANGLE,
        .color = g->misc32[0],
        .x = { g->vtx_x[0], g->vtx_x[1], g->vtx_x[2] },
        .y = { g->vtx_y[0], g->vtx_y[1], g->vtx_y[2] },
    };
    NV3Clip clip;
    int64_t cross;

    if (!nv3_pgraph_prep_draw(s, poly, false) || !nv3_solid_in_range(g, 3)) {
        return;
    }
    cross = (int64_t)(job.x[1] - job.x[0]) * (job.y[2] - job.y[0]) -
            (int64_t)(job.x[2] - job.x[0]) * (job.y[1] - job.y[0]);
    if (!cross) {
        return;
    }
    if (cross < 0) {
        swap(&job.x[1], &job.x[2]);
        swap(&job.y[1], &job.y[2]);
    }
    nv3_clip_get(s, &clip);
    job.rect = nv3_rect_intersect((NV3Rect) {
        min3(job.x), min3(job.y), max3(job.x), max3(job.y),
    }, clip.bounds);
    nv3_job_start(s, &job);
}

/* Sets corner @i of a single triangle. */
static void corner(NV3State *s, unsigned i, uint32_t data)
{
    nv3_vtx_method(s, data, (NV3VtxKind) { .first = i == 0 });
    if (i == 2) {
        triangle_draw(s, false);
    }
}

static void corner_32(NV3State *s, unsigned word, uint32_t data)
{
    NV3VtxKind kind = { .first = word < 2 };

    if (!(word & 1)) {
        nv3_vtx_method_x32(s, data, kind);
        return;
    }
    nv3_vtx_method_y32(s, data, kind);
    if (word == 5) {
        triangle_draw(s, false);
    }
}

/*
 * Executes a method of a strip: adds a corner, and draws the triangle of this corner and
 * the previous two corners. Returns false if @mthd is not a method of a strip.
 */
static bool tri_strip(NV3State *s, uint32_t mthd, uint32_t data)
{
    unsigned word;

    if (nv3_mthd_in(mthd, strip, &word)) {
        nv3_vtx_method(s, data, next);
        triangle_draw(s, true);
    } else if (nv3_mthd_in(mthd, strip_32, &word)) {
        if (!word) {
            nv3_vtx_method_x32(s, data, next);
        } else {
            nv3_vtx_method_y32(s, data, next);
            triangle_draw(s, true);
        }
    } else if (nv3_mthd_in(mthd, color_strip, &word)) {
        if (!word) {
            nv3_solid_color(s, data);
        } else {
            nv3_vtx_method(s, data, next);
            triangle_draw(s, true);
        }
    } else {
        return false;
    }
    return true;
}

static NV3MthdResult tri_method(NV3State *s, uint32_t mthd, uint32_t data)
{
    unsigned word;

    if (mthd == NV3_TRI_COLOR) {
        nv3_solid_color(s, data);
    } else if (nv3_mthd_in(mthd, triangle, &word)) {
        corner(s, word, data);
    } else if (nv3_mthd_in(mthd, triangle_32, &word)) {
        corner_32(s, word, data);
    } else if (nv3_mthd_in(mthd, color_triangle, &word)) {
        if (!word) {
            nv3_solid_color(s, data);
        } else {
            corner(s, word - 1, data);
        }
    } else if (!tri_strip(s, mthd, data)) {
        return NV3_MTHD_BAD_METHOD;
    }
    return NV3_MTHD_OK;
}

const NV3Class nv3_class_tri = {
    .id = NV3_CLASS_TRI, .name = "TRI", .method = tri_method,
};
