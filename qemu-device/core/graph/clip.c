/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Clipping by the canvas, the user clip and the clip rectangles. The canvas limits
 * drawing regardless of the user clip, and thus protects memory outside the surface.
 * Bounds are [min, max). Sources: envytools, docs/hw/graph/2d/solid.rst (bounds) and
 * nvhw/pgraph.c, pgraph_cliprect_pass() (clip rectangles).
 */
#include "graph/surface.h"
#include "graph/vertex.h"

#define CLIPRECT_COUNT      0x003
#define CLIPRECT_OCCLUDED   0x010

static NV3Rect corners(uint32_t min, uint32_t max)
{
    return (NV3Rect) {
        .x0 = min & 0xffff, .y0 = min >> 16, .x1 = max & 0xffff, .y1 = max >> 16,
    };
}

/* Returns the smallest rectangle that contains all clip rectangles. */
static NV3Rect around(const NV3Clip *clip)
{
    NV3Rect all = { 0 };

    for (unsigned i = 0; i < clip->count; i++) {
        const NV3Rect *r = &clip->rect[i];

        if (nv3_rect_empty(r)) {
            continue;
        }
        if (nv3_rect_empty(&all)) {
            all = *r;
            continue;
        }
        all.x0 = r->x0 < all.x0 ? r->x0 : all.x0;
        all.y0 = r->y0 < all.y0 ? r->y0 : all.y0;
        all.x1 = r->x1 > all.x1 ? r->x1 : all.x1;
        all.y1 = r->y1 > all.y1 ? r->y1 : all.y1;
    }
    return all;
}

static NV3Rect user_clip(const uint32_t min[2], const uint32_t max[2])
{
    return (NV3Rect) {
        .x0 = nv3_sext(min[NV3_X], 18), .y0 = nv3_sext(min[NV3_Y], 18),
        .x1 = nv3_sext(max[NV3_X], 18), .y1 = nv3_sext(max[NV3_Y], 18),
    };
}

void nv3_clip_get(NV3State *s, NV3Clip *clip)
{
    NV3Pgraph *g = &s->pgraph;
    unsigned count = g->cliprect_ctrl & CLIPRECT_COUNT;

    clip->bounds = corners(g->dst_canvas_min, g->dst_canvas_max);
    switch (nv3_pgraph_class(g)) {
    case NV3_CLASS_GDI:
        if (g->valid & NV3_VALID_NOCLIP) {
            break;
        }
        /* fall through */
    case NV3_CLASS_SIFM:
    case NV3_CLASS_SIFC:
        clip->bounds = nv3_rect_intersect(clip->bounds,
                                          user_clip(g->oclip_min,
                                                    g->oclip_max));
        break;
    default:
        if (g->ctx_switch & NV3_GROBJ_CLIP) {
            clip->bounds = nv3_rect_intersect(clip->bounds,
                                              user_clip(g->uclip_min,
                                                        g->uclip_max));
        }
        break;
    }
    clip->count = count > 2 ? 2 : count;
    clip->occluded = g->cliprect_ctrl & CLIPRECT_OCCLUDED;
    for (unsigned i = 0; i < 2; i++) {
        clip->rect[i] = corners(g->cliprect_min[i], g->cliprect_max[i]);
    }
    if (clip->count && !clip->occluded) {
        clip->bounds = nv3_rect_intersect(clip->bounds, around(clip));
    }
}

NV3Rect nv3_clip_source(NV3State *s)
{
    return corners(s->pgraph.src_canvas_min, s->pgraph.src_canvas_max);
}

static int32_t clamp(int32_t val, int32_t min, int32_t max)
{
    return val < min ? min : val > max ? max : val;
}

/*
 * Computes the parts of columns [@x0, @x1) of line @y that are inside the clip
 * rectangles. Stores the parts in @in, sorted and merged, and returns their number.
 */
static unsigned covered(const NV3Clip *clip, int32_t y, int32_t x0, int32_t x1,
                        NV3Span in[2])
{
    unsigned n = 0;

    for (unsigned i = 0; i < clip->count; i++) {
        const NV3Rect *r = &clip->rect[i];
        NV3Span span = { clamp(r->x0, x0, x1), clamp(r->x1, x0, x1) };

        if (y >= r->y0 && y < r->y1 && span.x0 < span.x1) {
            in[n++] = span;
        }
    }
    if (n == 2 && in[0].x0 > in[1].x0) {
        NV3Span first = in[1];

        in[1] = in[0];
        in[0] = first;
    }
    if (n == 2 && in[1].x0 <= in[0].x1) {
        in[0].x1 = in[0].x1 > in[1].x1 ? in[0].x1 : in[1].x1;
        n = 1;
    }
    return n;
}

unsigned nv3_clip_line(const NV3Clip *clip, int32_t y, int32_t x0, int32_t x1,
                       NV3Span out[NV3_CLIP_SPANS])
{
    NV3Span in[2];
    unsigned n, holes;

    if (!clip->count) {
        out[0] = (NV3Span) { x0, x1 };
        return x0 < x1;
    }
    if (!clip->occluded) {
        return covered(clip, y, x0, x1, out);
    }
    holes = covered(clip, y, x0, x1, in);
    n = 0;
    for (unsigned i = 0; i <= holes; i++) {
        NV3Span span = {
            i ? in[i - 1].x1 : x0, i < holes ? in[i].x0 : x1,
        };

        if (span.x0 < span.x1) {
            out[n++] = span;
        }
    }
    return n;
}
