/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Classes 0x09, LINE, and 0x0a, LIN: lines, one by one or connected; a LIN leaves
 * its second end out. Methods: envytools hwtest/pgraph_class_solid.cc; pixels:
 * docs/hw/graph/2d/solid.rst.
 */
#include <stdlib.h>

#include "class.h"
#include "pgraph_solid.h"
#include "pgraph_target.h"

#define SLICE_PIXELS    (128u << 10)

/* Runs of methods: each item is two ends, or the next corner of a line. */
static const NV3MthdArray lines = { NV3_LINE_POINT(0, 0), 16, 2 };
static const NV3MthdArray lines_32 = { NV3_LINE_POINT32_X(0, 0), 8, 4 };
static const NV3MthdArray polyline = { NV3_LINE_POLY(0), 32, 1 };
static const NV3MthdArray polyline_32 = { NV3_LINE_POLY32_X(0), 16, 2 };
static const NV3MthdArray color_polyline = { NV3_LINE_CPOLY_COLOR(0), 16, 2 };

static const NV3VtxKind first = { .first = true };
static const NV3VtxKind second;
static const NV3VtxKind next = { .poly = true };

typedef struct Line {
    int32_t major, major_end, minor;
    int32_t step;           /* of the major coordinate, with each pixel */
    int64_t d_major, d_minor;
    bool x_major;
} Line;

/* The walk goes along the major coordinate, and up in the minor one. */
static Line line_init(const int32_t x[2], const int32_t y[2])
{
    bool x_major = abs(x[0] - x[1]) > abs(y[0] - y[1]);
    const int32_t *major = x_major ? x : y, *minor = x_major ? y : x;
    unsigned from = minor[1] < minor[0];

    return (Line) {
        .x_major = x_major,
        .major = major[from],
        .major_end = major[!from],
        .minor = minor[from],
        .step = major[!from] > major[from] ? 1 : -1,
        .d_major = abs(major[1] - major[0]),
        .d_minor = minor[!from] - minor[from],
    };
}

static void line_pixels(NV3State *s, NV3Target *t, const int32_t x[2],
                        const int32_t y[2], bool skip_end)
{
    NV3Color color = nv3_color_expand(&s->pgraph, s->pgraph.misc32[0]);
    Line l = line_init(x, y);
    int64_t error = 0;

    /* Off the canvas too: it is walked along all the same. */
    nv3_charge(s, l.d_major + 1, SLICE_PIXELS);

    for (;; l.major += l.step) {
        int32_t px, py;

        if (error >= l.d_major && l.d_major) {
            l.minor++;
            error -= l.d_major * 2;
        }
        px = l.x_major ? l.major : l.minor;
        py = l.x_major ? l.minor : l.major;
        if (!skip_end || px != x[1] || py != y[1]) {
            nv3_target_put(s, t, px, py, color);
        }
        if (l.major == l.major_end) {
            break;
        }
        error += l.d_minor * 2;
    }
}

/* From vertex @from to the other. */
static void line_draw(NV3State *s, unsigned from, bool poly)
{
    NV3Pgraph *g = &s->pgraph;
    int32_t x[2] = { g->vtx_x[from], g->vtx_x[!from] };
    int32_t y[2] = { g->vtx_y[from], g->vtx_y[!from] };
    NV3Target t;

    if (!nv3_pgraph_prep_draw(s, poly, false) || !nv3_solid_in_range(g, 2) ||
        !nv3_target_init(s, &t, nv3_color_expand(g, 0).mode)) {
        return;
    }
    line_pixels(s, &t, x, y, nv3_pgraph_class(g) == NV3_CLASS_LIN);
    nv3_target_done(s, &t);
}

/* A corner of a connected line: from the vertex before. */
static void poly_draw(NV3State *s)
{
    line_draw(s, nv3_vtx_index(&s->pgraph) & 1, true);
}

static void line_word_32(NV3State *s, unsigned word, uint32_t data)
{
    NV3VtxKind kind = word < 2 ? first : second;

    if (!(word & 1)) {
        nv3_vtx_method_x32(s, data, kind);
        return;
    }
    nv3_vtx_method_y32(s, data, kind);
    if (word == 3) {
        line_draw(s, 0, false);
    }
}

static bool line_poly(NV3State *s, uint32_t mthd, uint32_t data)
{
    unsigned word;

    if (nv3_mthd_in(mthd, polyline, &word)) {
        nv3_vtx_method(s, data, next);
        poly_draw(s);
    } else if (nv3_mthd_in(mthd, polyline_32, &word)) {
        if (!word) {
            nv3_vtx_method_x32(s, data, next);
        } else {
            nv3_vtx_method_y32(s, data, next);
            poly_draw(s);
        }
    } else if (nv3_mthd_in(mthd, color_polyline, &word)) {
        if (!word) {
            nv3_solid_color(s, data);
        } else {
            nv3_vtx_method(s, data, next);
            poly_draw(s);
        }
    } else {
        return false;
    }
    return true;
}

static NV3MthdResult line_method(NV3State *s, uint32_t mthd, uint32_t data)
{
    unsigned word;

    if (mthd == NV3_LINE_COLOR) {
        nv3_solid_color(s, data);
    } else if (nv3_mthd_in(mthd, lines, &word)) {
        nv3_vtx_method(s, data, word ? second : first);
        if (word) {
            line_draw(s, 0, false);
        }
    } else if (nv3_mthd_in(mthd, lines_32, &word)) {
        line_word_32(s, word, data);
    } else if (!line_poly(s, mthd, data)) {
        return NV3_MTHD_BAD_METHOD;
    }
    return NV3_MTHD_OK;
}

const NV3Class nv3_class_line = {
    .id = NV3_CLASS_LINE, .name = "LINE", .method = line_method,
};

const NV3Class nv3_class_lin = {
    .id = NV3_CLASS_LIN, .name = "LIN", .method = line_method,
};
