/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Filling a rectangle with the solid colour: RECT, and what other classes break
 * down to rectangles.
 */
#include "pgraph_rop.h"

#define WIDTH_MAX       2048        /* of the canvas */
#define DITHER_PERIOD   16
#define SLICE_COPY      (2u << 20)  /* pixels */
#define SLICE_ROP       (128u << 10)

typedef struct Fill {
    NV3Clip clip;
    NV3Rop rop;
    NV3Color color;
    NV3Surface surf[NV3_PGRAPH_SURFACES];
    unsigned surfaces;
    unsigned cpp;
    /* A line of finished pixels, when they don't depend on what is there. */
    bool ready;
    bool by_line;           /* made anew for each line: dithered */
    uint8_t line[WIDTH_MAX * 4];
} Fill;

/* The line repeats itself from @period pixels on. */
static void repeat(Fill *f, unsigned period, unsigned count)
{
    unsigned done = period * f->cpp, bytes = count * f->cpp;

    while (done < bytes) {
        unsigned n = done < bytes - done ? done : bytes - done;

        memcpy(f->line + done, f->line, n);
        done += n;
    }
}

/* Pixels [0, @count) of the line at @x0, @y. */
static void make_line(Fill *f, int32_t x0, int32_t y, unsigned count)
{
    unsigned period = f->by_line ? DITHER_PERIOD : 1;

    for (unsigned i = 0; i < period; i++) {
        nv3_pixel_store(f->line + i * f->cpp, f->cpp,
                        nv3_rop_pixel(&f->rop, x0 + i, y, 0, f->color));
    }
    repeat(f, period, count);
}

static bool fill_init(NV3State *s, const NV3Job *job, Fill *f)
{
    NV3Pgraph *g = &s->pgraph;

    f->surfaces = nv3_surface_destinations(s, f->surf);
    f->color = nv3_color_expand(g, g->misc32[0]);
    if (!f->surfaces || !f->color.a) {
        return false;
    }
    nv3_clip_get(s, &f->clip);
    f->cpp = f->surf[0].cpp;
    nv3_rop_init(&f->rop, g, f->surf[0].format, f->color.mode);
    f->ready = f->rop.op == NV3_GROBJ_OP_SRCCOPY && !f->rop.chroma_on;
    f->by_line = f->rop.dither;
    if (f->ready && !f->by_line) {
        make_line(f, 0, 0, job->rect.x1 - job->rect.x0);
    }
    return true;
}

static void rop_span(const Fill *f, uint8_t *p, NV3Span span, int32_t y)
{
    for (int32_t x = span.x0; x < span.x1; x++, p += f->cpp) {
        uint32_t old = nv3_pixel_load(p, f->cpp);

        nv3_pixel_store(p, f->cpp, nv3_rop_pixel(&f->rop, x, y, old, f->color));
    }
}

static void fill_line(NV3State *s, Fill *f, const NV3Rect *r, int32_t y)
{
    NV3Span span[NV3_CLIP_SPANS];
    unsigned spans = nv3_clip_line(&f->clip, y, r->x0, r->x1, span);

    if (f->ready && f->by_line) {
        make_line(f, r->x0, y, r->x1 - r->x0);
    }
    for (unsigned i = 0; i < spans; i++) {
        uint32_t count = span[i].x1 - span[i].x0;

        s->counters[NV3_PVIRT_COUNTER_PIXELS] += count;
        for (unsigned j = 0; j < f->surfaces; j++) {
            uint8_t *p = nv3_surface_line(s, &f->surf[j], span[i].x0, y, count);

            if (!p) {
                continue;
            }
            if (f->ready) {
                memcpy(p, f->line + (span[i].x0 - r->x0) * f->cpp,
                       count * f->cpp);
            } else {
                rop_span(f, p, span[i], y);
            }
        }
    }
}

NV3JobResult nv3_fill_run(NV3State *s, NV3Job *job)
{
    NV3Rect r = job->rect;
    Fill f;

    if (!fill_init(s, job, &f)) {
        return NV3_JOB_DONE;
    }
    r.y0 += job->line;
    r.y1 = r.y0 + nv3_job_lines(job, f.ready ? SLICE_COPY : SLICE_ROP);
    for (int32_t y = r.y0; y < r.y1; y++) {
        fill_line(s, &f, &r, y);
    }
    for (unsigned j = 0; j < f.surfaces; j++) {
        nv3_surface_dirty(s, &f.surf[j], &r);
    }
    job->line += r.y1 - r.y0;
    return r.y1 == job->rect.y1 ? NV3_JOB_DONE : NV3_JOB_MORE;
}
