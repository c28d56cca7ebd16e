/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Class 0x10, BLIT: copies a rectangle of one surface to one or more surfaces.
 *
 * The field SURFACE_IDX of the object's options selects the source surface. Source pixels
 * are interpreted in the destination's format. Pixels outside the source canvas are 0.
 * Sources: envytools hwtest/pgraph_class_solid.cc (methods) and hwtest/pgraph_rop.cc,
 * RopBlitTest (pixels).
 */
#include "2d/classes.h"
#include "2d/rop.h"
#include "2d/shapes.h"
#include "chip/cost.h"
#include "graph/pgraph.h"
#include "graph/surface.h"

#define WIDTH_MAX       2048
#define COST_READ       64          /* fixed cost of read_line() */

typedef struct Blit {
    NV3Clip clip;
    NV3Rop rop;
    NV3Surface source;
    NV3Rect source_canvas;
    NV3Surface surf[NV3_PGRAPH_SURFACES];
    unsigned surfaces;
    unsigned cpp;
    bool copy;
    uint32_t keep, set;     /* a copy stores (source word & keep) | set */
    uint8_t line[WIDTH_MAX * 4];
} Blit;

static void copy_masks(Blit *b)
{
    static const uint32_t keep[] = {
        [NV3_SURF_Y16] = 0xffffffff,
        [NV3_SURF_Y8] = 0xffffffff,
        [NV3_SURF_X1R5G5B5] = 0x7fff7fff,
        [NV3_SURF_X8R8G8B8] = 0x3fffffff,
    };

    b->keep = NV3_LE32(keep[b->surf[0].format]);
    b->set = NV3_LE32(b->cpp == 2 ? b->rop.bypass * 0x10001 : b->rop.bypass);
}

static bool blit_init(NV3State *s, Blit *b)
{
    NV3Pgraph *g = &s->pgraph;
    unsigned format;

    b->surfaces = nv3_surface_destinations(s, b->surf);
    if (!b->surfaces) {
        return false;
    }
    format = b->surf[0].format;
    b->cpp = b->surf[0].cpp;
    nv3_clip_get(s, &b->clip);
    nv3_rop_init(&b->rop, g, format, nv3_color_from_pixel(format, 0).mode);
    b->copy = nv3_rop_is_copy(&b->rop);
    copy_masks(b);
    nv3_surface_get(s, g->ctx_switch >> NV3_GROBJ_SURFACE_SHIFT & 3,
                    &b->source);
    b->source.cpp = b->cpp;
    b->source_canvas = nv3_clip_source(s);
    return true;
}

/* Reads source pixels [@x0, @x1) of line @y into @b->line. */
static void read_line(NV3State *s, Blit *b, int32_t x0, int32_t x1, int32_t y)
{
    const NV3Rect *c = &b->source_canvas;
    int32_t from = x0 > c->x0 ? x0 : c->x0;
    int32_t to = x1 < c->x1 ? x1 : c->x1;
    const uint8_t *p = NULL;

    if (from < to && y >= c->y0 && y < c->y1) {
        p = nv3_surface_line(s, &b->source, from, y, to - from);
    }
    if (!p) {
        memset(b->line, 0, (x1 - x0) * b->cpp);
        return;
    }
    memset(b->line, 0, (from - x0) * b->cpp);
    memcpy(b->line + (from - x0) * b->cpp, p, (to - from) * b->cpp);
    memset(b->line + (to - x0) * b->cpp, 0, (x1 - to) * b->cpp);
}

/* Parameters for copying lines. No destination line overlaps its source line. */
typedef struct Copy {
    uint8_t *dst;
    const uint8_t *src;
    ptrdiff_t pitch;        /* bytes; the same for source and destination */
    size_t bytes;
    uint32_t lines;
    uint32_t keep, set;
} Copy;

/* Copies the rest of a line, starting at byte @i, which must be a multiple of 4. */
static void copy_rest(uint8_t *dst, const uint8_t *src, const Copy *c, size_t i)
{
    typedef uint32_t Vec
        __attribute__((vector_size(16), aligned(1), may_alias));

    for (; i + sizeof(Vec) <= c->bytes; i += sizeof(Vec)) {
        *(Vec *)(dst + i) = (*(const Vec *)(src + i) & c->keep) | c->set;
    }
    for (; i < c->bytes; i++) {
        dst[i] = (src[i] & ((const uint8_t *)&c->keep)[i & 3]) |
                 ((const uint8_t *)&c->set)[i & 3];
    }
}

/*
 * Each iteration of the inner loop copies four vectors of @size bytes each, so that the
 * loop is nearly as fast as memcpy() (core.blit of `make bench`).
 */
#define COPY_MASKED(name, simd, size) \
    static simd void name(const Copy *c) \
    { \
        typedef uint32_t Vec \
            __attribute__((vector_size(size), aligned(1), may_alias)); \
        const Vec keep = c->keep - (Vec) { 0 }, set = c->set - (Vec) { 0 }; \
        const size_t bytes = c->bytes; \
        const uint8_t *src = c->src; \
        uint8_t *dst = c->dst; \
        \
        for (uint32_t n = c->lines; n; n--) { \
            size_t i = 0; \
            \
            for (; i + 4 * size <= bytes; i += 4 * size) { \
                const Vec *from = (const Vec *)(src + i); \
                Vec *to = (Vec *)(dst + i); \
                Vec v0 = from[0], v1 = from[1], v2 = from[2], v3 = from[3]; \
                \
                to[0] = (v0 & keep) | set; \
                to[1] = (v1 & keep) | set; \
                to[2] = (v2 & keep) | set; \
                to[3] = (v3 & keep) | set; \
            } \
            if (i < bytes) { \
                copy_rest(dst, src, c, i); \
            } \
            src += c->pitch; \
            dst += c->pitch; \
        } \
    }

COPY_MASKED(copy_masked, , 16)
#if defined(__x86_64__)
COPY_MASKED(copy_masked_avx2, __attribute__((target("avx2"))), 32)
COPY_MASKED(copy_masked_avx512, __attribute__((target("avx512f"))), 64)
#endif

static void copy_lines(const Copy *c)
{
    nv3_step(LINE, c->lines);
    nv3_step(BYTE, c->lines * c->bytes);
    if (c->keep == 0xffffffff && !c->set) {
        for (uint32_t i = 0; i < c->lines; i++) {
            memcpy(c->dst + i * c->pitch, c->src + i * c->pitch, c->bytes);
        }
        return;
    }
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f")) {
        copy_masked_avx512(c);
        return;
    }
    if (__builtin_cpu_supports("avx2")) {
        copy_masked_avx2(c);
        return;
    }
#endif
    copy_masked(c);
}

static void rop_span(const Blit *b, uint8_t *p, const uint8_t *src,
                     NV3Span span, int32_t y)
{
    for (int32_t x = span.x0; x < span.x1; x++) {
        NV3Color color = nv3_color_from_pixel(b->rop.format,
                                              nv3_pixel_load(src, b->cpp));
        uint32_t old = nv3_pixel_load(p, b->cpp);

        nv3_pixel_store(p, b->cpp, nv3_rop_pixel(&b->rop, x, y, old, color));
        p += b->cpp;
        src += b->cpp;
    }
}

static void blit_line(NV3State *s, Blit *b, const NV3Job *job, int32_t y)
{
    const NV3Rect *r = &job->rect;
    NV3Span span[NV3_CLIP_SPANS];
    unsigned spans = nv3_clip_line(&b->clip, y, r->x0, r->x1, span);

    read_line(s, b, r->x0 + job->dx, r->x1 + job->dx, y + job->dy);
    for (unsigned i = 0; i < spans; i++) {
        uint32_t count = span[i].x1 - span[i].x0;
        const uint8_t *src = b->line + (span[i].x0 - r->x0) * b->cpp;

        s->counters[NV3_PVIRT_COUNTER_PIXELS] += count;
        for (unsigned j = 0; j < b->surfaces; j++) {
            uint8_t *p = nv3_surface_line(s, &b->surf[j], span[i].x0, y, count);

            if (!p) {
                continue;
            }
            if (b->copy) {
                copy_lines(&(Copy) {
                    .dst = p, .src = src, .bytes = count * b->cpp, .lines = 1,
                    .keep = b->keep, .set = b->set,
                });
            } else {
                rop_span(b, p, src, span[i], y);
            }
        }
    }
}

/*
 * Returns a pointer to the first pixel of @r on @surf, or null if a part of @r is
 * outside VRAM.
 */
static uint8_t *rect_base(NV3State *s, const NV3Surface *surf, const NV3Rect *r)
{
    uint32_t width = r->x1 - r->x0;

    return nv3_surface_line(s, surf, r->x0, r->y1 - 1, width) ?
           nv3_surface_line(s, surf, r->x0, r->y0, width) : NULL;
}

/*
 * Copies the pixels for the destination rectangle @r, a whole line at a time. Requires a
 * copy operation, one destination surface, no clip rectangle, and a source rectangle
 * inside the source canvas. Both rectangles must be inside VRAM, both surfaces must have
 * the same pitch, and no destination line may overlap its source line. If a condition is
 * not met, returns false without copying.
 */
static bool copy_plain(NV3State *s, const Blit *b, const NV3Job *job,
                       const NV3Rect *r)
{
    const NV3Rect from = {
        r->x0 + job->dx, r->y0 + job->dy, r->x1 + job->dx, r->y1 + job->dy,
    };
    const NV3Rect inside = nv3_rect_intersect(from, b->source_canvas);
    uint32_t width = r->x1 - r->x0, height = r->y1 - r->y0;
    Copy c = {
        .src = rect_base(s, &b->source, &from),
        .dst = rect_base(s, &b->surf[0], r),
        .pitch = b->source.pitch,
        .bytes = width * b->cpp,
        .lines = height,
        .keep = b->keep,
        .set = b->set,
    };

    if (!b->copy || b->surfaces != 1 || b->clip.count ||
        memcmp(&from, &inside, sizeof(from))) {
        return false;
    }
    /*
     * With equal pitches, either every destination line or none overlaps its source line,
     * so it suffices to check the first line.
     */
    if (!c.src || !c.dst || b->source.pitch != b->surf[0].pitch ||
        (c.src < c.dst + c.bytes && c.dst < c.src + c.bytes)) {
        return false;
    }
    if (job->upwards) {
        c.src += (height - 1) * c.pitch;
        c.dst += (height - 1) * c.pitch;
        c.pitch = -c.pitch;
    }
    copy_lines(&c);
    s->counters[NV3_PVIRT_COUNTER_PIXELS] += (uint64_t)width * height;
    return true;
}

static void blit_lines(NV3State *s, Blit *b, const NV3Job *job,
                       const NV3Rect *r)
{
    if (copy_plain(s, b, job, r)) {
        return;
    }
    for (int32_t i = 0; i < r->y1 - r->y0; i++) {
        blit_line(s, b, job, job->upwards ? r->y1 - 1 - i : r->y0 + i);
    }
}

/* Returns an upper bound for the cost of a line with @width pixels. */
static uint64_t line_cost(const Blit *b, uint32_t width)
{
    uint64_t bytes = nv3_cost_bytes((uint64_t)width * b->cpp);
    uint64_t each = NV3_COST_LINE;

    if (b->copy && b->surfaces == 1 && !b->clip.count) {
        return COST_READ / 4 + bytes;
    }
    each += b->copy ? bytes : width * NV3_COST_PIXEL;
    return COST_READ + bytes + each * b->surfaces;
}

NV3JobResult nv3_blit_run(NV3State *s, NV3Job *job)
{
    NV3Rect r = job->rect;
    uint32_t lines;
    Blit b;

    if (!blit_init(s, &b)) {
        return NV3_JOB_DONE;
    }
    lines = nv3_job_lines(s, job, line_cost(&b, r.x1 - r.x0));
    if (job->upwards) {
        r.y1 -= job->line;
        r.y0 = r.y1 - lines;
    } else {
        r.y0 += job->line;
        r.y1 = r.y0 + lines;
    }
    blit_lines(s, &b, job, &r);
    for (unsigned j = 0; j < b.surfaces; j++) {
        nv3_surface_dirty(s, &b.surf[j], &r);
    }
    job->line += lines;
    return job->line == (uint32_t)(job->rect.y1 - job->rect.y0) ?
           NV3_JOB_DONE : NV3_JOB_MORE;
}

/*
 * Returns true if the copy must start with the last line, because the destination begins
 * within the VRAM range of the source. CPUs prefetch ascending addresses, so all other
 * copies start with the first line.
 */
static bool goes_up(NV3State *s, const NV3Job *job)
{
    const NV3Rect *r = &job->rect;
    NV3Surface source, dest[NV3_PGRAPH_SURFACES];
    int64_t from, to, end;

    if (!nv3_surface_destinations(s, dest)) {
        return false;
    }
    nv3_surface_get(s, s->pgraph.ctx_switch >> NV3_GROBJ_SURFACE_SHIFT & 3,
                    &source);
    from = (int64_t)source.offset + (int64_t)(r->y0 + job->dy) * source.pitch +
           (int64_t)(r->x0 + job->dx) * dest[0].cpp;
    end = from + (int64_t)(r->y1 - r->y0) * source.pitch +
          (int64_t)(r->x1 - r->x0) * dest[0].cpp;
    to = (int64_t)dest[0].offset + (int64_t)r->y0 * dest[0].pitch +
         (int64_t)r->x0 * dest[0].cpp;
    return to > from && to < end;
}

static void blit_draw(NV3State *s)
{
    NV3Pgraph *g = &s->pgraph;
    NV3Job job = { .kind = NV3_JOB_BLIT };
    NV3Clip clip;

    if (!nv3_pgraph_prep_draw(s, false, false) || !nv3_solid_in_range(g, 4)) {
        return;
    }
    nv3_clip_get(s, &clip);
    job.dx = g->vtx_x[0] - g->vtx_x[1];
    job.dy = g->vtx_y[0] - g->vtx_y[1];
    job.rect = nv3_rect_intersect((NV3Rect) {
        g->vtx_x[1], g->vtx_y[1], g->vtx_x[3], g->vtx_y[3],
    }, clip.bounds);
    job.upwards = goes_up(s, &job);
    nv3_job_start(s, &job);
}

/*
 * Sets the size of both rectangles. Vertices 0 and 2 are opposite corners of the source,
 * and vertices 1 and 3 are opposite corners of the destination.
 */
static void blit_size(NV3State *s, uint32_t data)
{
    NV3Pgraph *g = &s->pgraph;

    nv3_vtx_bump_index(g);
    nv3_vtx_bump_index(g);
    g->xy_misc[2] |= NV3_XY1_STARTED;
    for (unsigned i = 0; i < 2; i++) {
        for (NV3Axis axis = NV3_X; axis <= NV3_Y; axis++) {
            nv3_vtx_add(s, axis, 2 + i, (NV3VtxSum) {
                .a = *nv3_vtx(g, axis, i),
                .b = data >> (axis * 16) & 0xffff,
            });
        }
    }
    nv3_vtx_compare(s, NV3_X, 8, true);
    nv3_vtx_compare(s, NV3_Y, 8, true);
    g->valid |= 0xc0c;
}

static NV3MthdResult blit_method(NV3State *s, uint32_t mthd, uint32_t data)
{
    switch (mthd) {
    case NV3_BLIT_POINT_IN:
        nv3_vtx_method(s, data, (NV3VtxKind) { .first = true });
        return NV3_MTHD_OK;
    case NV3_BLIT_POINT_OUT:
        nv3_vtx_method(s, data, (NV3VtxKind) { 0 });
        return NV3_MTHD_OK;
    case NV3_BLIT_SIZE:
        blit_size(s, data);
        blit_draw(s);
        return NV3_MTHD_OK;
    default:
        return NV3_MTHD_BAD_METHOD;
    }
}

const NV3Class nv3_class_blit = {
    .id = NV3_CLASS_BLIT, .name = "BLIT", .method = blit_method,
};
