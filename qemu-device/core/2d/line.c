/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Classes 0x09, LINE, and 0x0a, LIN: draw single lines and polylines. LIN does not draw
 * the last pixel of a line. Sources: envytools hwtest/pgraph_class_solid.cc (methods) and
 * docs/hw/graph/2d/solid.rst (pixels).
 */
#include <stdlib.h>

#include "2d/classes.h"
#include "2d/shapes.h"
#include "2d/target.h"
#include "chip/cost.h"
#include "graph/pgraph.h"

/*
 * Arrays of methods. An item of an array has the methods for the two ends of a line, or
 * for the next point of a polyline.
 */
static const NV3MthdArray lines = { NV3_LINE_POINT(0, 0), 16, 2 };
static const NV3MthdArray lines_32 = { NV3_LINE_POINT32_X(0, 0), 8, 4 };
static const NV3MthdArray polyline = { NV3_LINE_POLY(0), 32, 1 };
static const NV3MthdArray polyline_32 = { NV3_LINE_POLY32_X(0), 16, 2 };
static const NV3MthdArray color_polyline = { NV3_LINE_CPOLY_COLOR(0), 16, 2 };

static const NV3VtxKind first = { .first = true };
static const NV3VtxKind second;
static const NV3VtxKind next = { .poly = true };

typedef struct Line {
    int32_t major, minor;   /* coordinates of the first pixel */
    int32_t step;           /* change of the major coordinate per pixel */
    int64_t d_major, d_minor;
    bool x_major;
} Line;

/* A range [from, to) of indices of a line's pixels. */
typedef struct Steps {
    int64_t from, to;
} Steps;

/* Chooses the major axis, and starts at the end with the smaller minor coordinate. */
static Line line_init(const int32_t x[2], const int32_t y[2])
{
    bool x_major = abs(x[0] - x[1]) > abs(y[0] - y[1]);
    const int32_t *major = x_major ? x : y, *minor = x_major ? y : x;
    unsigned from = minor[1] < minor[0];

    return (Line) {
        .x_major = x_major,
        .major = major[from],
        .minor = minor[from],
        .step = major[!from] > major[from] ? 1 : -1,
        .d_major = abs(major[1] - major[0]),
        .d_minor = minor[!from] - minor[from],
    };
}

/*
 * Returns the minor coordinate of pixel @i, relative to the first pixel. The result is
 * rounded to the nearest integer, upwards if two integers are equally near.
 */
static int32_t rise(const Line *l, int64_t i)
{
    return l->d_major ? (2 * l->d_minor * i + l->d_major) / (2 * l->d_major) : 0;
}

/* Returns the index of the first pixel for which rise() is at least @minor. */
static int64_t first_at(const Line *l, int64_t minor)
{
    if (minor <= 0) {
        return 0;
    }
    if (!l->d_minor) {
        return INT64_MAX;
    }
    return ((2 * minor - 1) * l->d_major + 2 * l->d_minor - 1) / (2 * l->d_minor);
}

/*
 * Returns the range of the line's pixels that are within the rectangle @b. The cost of
 * this computation does not depend on the length of the line.
 */
static Steps visible(const Line *l, const NV3Rect *b)
{
    int64_t major0 = l->x_major ? b->x0 : b->y0, major1 = l->x_major ? b->x1 : b->y1;
    int64_t minor0 = l->x_major ? b->y0 : b->x0, minor1 = l->x_major ? b->y1 : b->x1;
    Steps major = { major0 - l->major, major1 - l->major };
    Steps minor = { first_at(l, minor0 - l->minor), first_at(l, minor1 - l->minor) };
    Steps all = { 0, l->d_major + 1 };

    if (l->step < 0) {
        major = (Steps) { l->major - major1 + 1, l->major - major0 + 1 };
    }
    all.from = major.from > all.from ? major.from : all.from;
    all.from = minor.from > all.from ? minor.from : all.from;
    all.to = major.to < all.to ? major.to : all.to;
    all.to = minor.to < all.to ? minor.to : all.to;
    return all;
}

NV3JobResult nv3_line_run(NV3State *s, NV3Job *job)
{
    const NV3Color color = nv3_color_expand(&s->pgraph, job->color);
    const Line l = line_init(job->x, job->y);
    int64_t count;
    Steps steps;
    NV3Target t;

    if (!nv3_target_init(s, &t, color.mode)) {
        return NV3_JOB_DONE;
    }
    steps = visible(&l, &t.clip.bounds);
    steps.from = job->line > steps.from ? job->line : steps.from;
    /*
     * Return early if no pixel is within the clip, because the subtraction below may
     * overflow for an empty range.
     */
    if (steps.from >= steps.to) {
        return NV3_JOB_DONE;
    }
    count = nv3_slice_left(s) / (NV3_COST_PIXEL * t.surfaces) + 1;
    count = count < steps.to - steps.from ? count : steps.to - steps.from;
    nv3_account(s, count * NV3_COST_PIXEL * t.surfaces);
    for (int64_t i = steps.from; i < steps.from + count; i++) {
        int32_t major = l.major + l.step * (int32_t)i;
        int32_t minor = l.minor + rise(&l, i);
        int32_t x = l.x_major ? major : minor, y = l.x_major ? minor : major;

        if (!job->byte || x != job->x[1] || y != job->y[1]) {
            nv3_target_put(s, &t, x, y, color);
        }
    }
    nv3_target_done(s, &t);
    job->line = steps.from + count;
    return job->line < steps.to ? NV3_JOB_MORE : NV3_JOB_DONE;
}

/* Draws a line from vertex @from (0 or 1) to the other vertex. */
static void line_draw(NV3State *s, unsigned from, bool poly)
{
    NV3Pgraph *g = &s->pgraph;

    if (nv3_pgraph_prep_draw(s, poly, false) && nv3_solid_in_range(g, 2)) {
        nv3_job_start(s, &(NV3Job) {
            .kind = NV3_JOB_LINE,
            .color = g->misc32[0],
            .x = { g->vtx_x[from], g->vtx_x[!from] },
            .y = { g->vtx_y[from], g->vtx_y[!from] },
            .byte = nv3_pgraph_class(g) == NV3_CLASS_LIN,
        });
    }
}

/* Draws the segment of a polyline from the previous vertex to the current vertex. */
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
