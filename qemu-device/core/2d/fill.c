/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fills rectangles and triangles with one colour, for classes RECT, POINT, TRI and GDI.
 * envytools docs/hw/graph/2d/solid.rst defines the pixels of a triangle by inequalities
 * for its edges. For each line, this file solves these inequalities for x.
 */
#include <wchar.h>

#include "2d/classes.h"
#include "2d/rop.h"
#include "2d/vector.h"
#include "chip/cost.h"
#include "graph/surface.h"

#define WIDTH_MAX       2048        /* of the canvas */
#define DITHER_PERIOD   16
#define PATTERN_PERIOD  64
#define COST_TRIANGLE   32          /* cost of computing the span of a line */
#define COST_CLIP       16          /* additional cost of a line with clip rectangles */
#define COST_BITS       10          /* cost of computing the operands of a pixel */

typedef struct Fill {
    NV3Clip clip;
    NV3Rop rop;
    NV3Color color;
    NV3Surface surf[NV3_PGRAPH_SURFACES];
    unsigned surfaces;
    unsigned cpp;
    /*
     * If @ready is true, the new pixels do not depend on the old pixels. They are
     * computed in advance, and stored in @line if they are dithered, else in @word.
     */
    bool ready;
    bool by_line;           /* the pixels in @line depend on y */
    uint8_t word[4];        /* one pixel, repeated to fill 32 bits */
    uint8_t line[WIDTH_MAX * 4];
    /*
     * Operands of bitwise operations, which compute (old & and) ^ xor. @and and @xor each
     * contain two copies of the operands for pixels 0 to 63 of a line, one after the
     * other. The 64 operands that start at any of these pixels are therefore consecutive.
     */
    NV3Simd simd;
    bool bitwise;
    bool patterned;         /* the operands depend on y */
    uint8_t and[2 * PATTERN_PERIOD * 4];
    uint8_t xor[2 * PATTERN_PERIOD * 4];
} Fill;

static unsigned min(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

/*
 * Computes @count dithered pixels of line @y, starting at column @x0. The pixels of a
 * line repeat with a period of DITHER_PERIOD.
 */
static void make_line(Fill *f, int32_t x0, int32_t y, unsigned count)
{
    const unsigned period = min(count, DITHER_PERIOD);
    unsigned done = period * f->cpp, bytes = count * f->cpp;

    for (unsigned i = 0; i < period; i++) {
        nv3_pixel_store(f->line + i * f->cpp, f->cpp,
                        nv3_rop_pixel(&f->rop, x0 + i, y, 0, f->color));
    }
    while (done < bytes) {
        unsigned n = done < bytes - done ? done : bytes - done;

        memcpy(f->line + done, f->line, n);
        done += n;
    }
}

/*
 * Computes the operands for @count pixels of line @y, starting at @x0. Operands repeat
 * every PATTERN_PERIOD pixels.
 */
static void make_bits(Fill *f, int32_t x0, int32_t y, unsigned count)
{
    count = min(count, PATTERN_PERIOD);
    for (unsigned i = 0; i < count; i++) {
        const unsigned x = (x0 + i) & (PATTERN_PERIOD - 1);
        uint32_t and, xor;

        nv3_rop_bits(&f->rop, x, y, f->color, &and, &xor);
        for (unsigned j = x; j < 2 * PATTERN_PERIOD; j += PATTERN_PERIOD) {
            nv3_pixel_store(f->and + j * f->cpp, f->cpp, and);
            nv3_pixel_store(f->xor + j * f->cpp, f->cpp, xor);
        }
    }
}

static void make_word(Fill *f)
{
    uint32_t pixel = nv3_rop_pixel(&f->rop, 0, 0, 0, f->color);

    for (unsigned i = 0; i < sizeof(f->word); i += f->cpp) {
        nv3_pixel_store(f->word + i, f->cpp, pixel);
    }
}

/*
 * Stores @count copies of @word. If wchar_t has 32 bits, uses wmemset(), which is faster
 * than a loop (core.rect of `make bench`).
 */
static void set_words(uint8_t *p, uint32_t word, size_t count)
{
#if __SIZEOF_WCHAR_T__ == 4
    wmemset((wchar_t *)p, word, count);
#else
    for (size_t i = 0; i < count; i++) {
        memcpy(p + i * 4, &word, sizeof(word));
    }
#endif
}

/*
 * Fills @bytes bytes with equal pixels. The unaligned bytes at both ends of the range are
 * stored separately.
 */
static void set_line(const Fill *f, uint8_t *p, size_t bytes)
{
    size_t head = -(uintptr_t)p & 3;
    uint8_t turned[4];
    uint32_t word;

    nv3_step(BYTE, bytes);
    head = head < bytes ? head : bytes;
    for (unsigned i = 0; i < 4; i++) {
        turned[i] = f->word[(i + head) & 3];
    }
    memcpy(p, f->word, head);
    p += head;
    bytes -= head;
    memcpy(&word, turned, sizeof(word));
    set_words(p, word, bytes / 4);
    memcpy(p + (bytes & ~(size_t)3), turned, bytes & 3);
}

static bool fill_init(NV3State *s, const NV3Job *job, Fill *f)
{
    NV3Pgraph *g = &s->pgraph;

    f->surfaces = nv3_surface_destinations(s, f->surf);
    f->color = nv3_color_expand(g, job->color);
    if (!f->surfaces || !f->color.a) {
        return false;
    }
    nv3_clip_get(s, &f->clip);
    f->cpp = f->surf[0].cpp;
    nv3_rop_init(&f->rop, g, f->surf[0].format, f->color.mode);
    f->ready = f->rop.op == NV3_GROBJ_OP_SRCCOPY && !f->rop.chroma_on;
    f->by_line = f->rop.dither;
    make_word(f);
    f->bitwise = !f->ready && nv3_rop_is_bitwise(&f->rop, &f->patterned);
    f->simd = nv3_simd_select(s->config.simd);
    if (f->bitwise && !f->patterned) {
        make_bits(f, 0, 0, PATTERN_PERIOD);
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

static void bitwise_span(const Fill *f, uint8_t *p, NV3Span span)
{
    const size_t period = PATTERN_PERIOD * f->cpp;
    size_t phase = (span.x0 & (PATTERN_PERIOD - 1)) * f->cpp;
    size_t bytes = (span.x1 - span.x0) * f->cpp;

    nv3_step(BYTE, 2 * bytes);
    nv3_vector_bitwise(f->simd, p, f->and + phase, f->xor + phase, bytes,
                     f->patterned ? period : NV3_VECTOR_WORDS);
}

static void fill_span(NV3State *s, Fill *f, const NV3Rect *r, NV3Span in,
                      int32_t y)
{
    NV3Span span[NV3_CLIP_SPANS];
    unsigned spans = nv3_clip_line(&f->clip, y, in.x0, in.x1, span);

    for (unsigned i = 0; i < spans; i++) {
        uint32_t count = span[i].x1 - span[i].x0;

        s->counters[NV3_PVIRT_COUNTER_PIXELS] += count;
        for (unsigned j = 0; j < f->surfaces; j++) {
            uint8_t *p = nv3_surface_line(s, &f->surf[j], span[i].x0, y, count);

            if (!p) {
                continue;
            }
            if (f->ready && !f->by_line) {
                set_line(f, p, count * f->cpp);
            } else if (f->ready) {
                nv3_step(BYTE, count * f->cpp);
                memcpy(p, f->line + (span[i].x0 - r->x0) * f->cpp,
                       count * f->cpp);
            } else if (f->bitwise) {
                bitwise_span(f, p, span[i]);
            } else {
                rop_span(f, p, span[i], y);
            }
        }
    }
}

static int64_t div_ceil(int64_t a, int64_t b)
{
    return a / b + (a % b > 0);
}

/*
 * Returns the span of pixels that the triangle covers on line @y. A pixel on an edge
 * belongs to the triangle if its right neighbour is inside. A pixel on a horizontal edge
 * belongs to the triangle if the pixel below is inside.
 */
static NV3Span triangle_span(const NV3Job *job, int32_t y)
{
    NV3Span span = { job->rect.x0, job->rect.x1 };

    nv3_step(LINE, 1);
    for (unsigned e = 0; e < 3; e++) {
        unsigned n = (e + 1) % 3;
        int64_t dx = job->x[n] - job->x[e], dy = job->y[n] - job->y[e];
        int64_t down = y - job->y[e];
        int64_t x;

        if (!dy) {
            int64_t side = dx * down;

            if (side < 0 || (!side && dx < 0)) {
                span.x1 = span.x0;
            }
            continue;
        }
        x = job->x[e] + (dy > 0 ? div_ceil(dx * down, dy) :
                         div_ceil(-dx * down, -dy));
        if (dy > 0) {
            span.x1 = x < span.x1 ? x : span.x1;
        } else {
            span.x0 = x > span.x0 ? x : span.x0;
        }
    }
    return span;
}

static void fill_line(NV3State *s, Fill *f, const NV3Job *job,
                      const NV3Rect *r, int32_t y)
{
    NV3Span span = { r->x0, r->x1 };

    if (job->kind == NV3_JOB_TRIANGLE) {
        span = triangle_span(job, y);
    }
    if (span.x0 >= span.x1) {
        return;
    }
    if (f->ready && f->by_line) {
        make_line(f, r->x0, y, r->x1 - r->x0);
    } else if (f->bitwise && f->patterned) {
        make_bits(f, span.x0, y, span.x1 - span.x0);
    }
    fill_span(s, f, r, span, y);
}

/*
 * Fills @r without calling fill_line() for each line. All pixels must have the same
 * value, and there must be no clip rectangle. Returns false, without drawing, if a line
 * is outside VRAM.
 */
static bool fill_plain(NV3State *s, const Fill *f, const NV3Surface *surf,
                       const NV3Rect *r)
{
    uint32_t width = r->x1 - r->x0, height = r->y1 - r->y0;
    size_t bytes = width * f->cpp;
    uint8_t *first = nv3_surface_line(s, surf, r->x0, r->y0, width);
    uint8_t *last = nv3_surface_line(s, surf, r->x0, r->y1 - 1, width);

    if (!first || !last) {
        return false;
    }
    if (surf->pitch == bytes) {
        set_line(f, first, bytes * height);
        return true;
    }
    nv3_step(LINE, height);
    for (uint32_t i = 0; i < height; i++) {
        set_line(f, first + (size_t)i * surf->pitch, bytes);
    }
    return true;
}

static void fill_rect(NV3State *s, Fill *f, const NV3Job *job,
                      const NV3Rect *r)
{
    unsigned left = 0;

    if (f->ready && !f->by_line && !f->clip.count &&
        job->kind != NV3_JOB_TRIANGLE) {
        for (unsigned j = 0; j < f->surfaces; j++) {
            if (!fill_plain(s, f, &f->surf[j], r)) {
                f->surf[left++] = f->surf[j];
            }
        }
        f->surfaces = left;
        if (!left) {
            s->counters[NV3_PVIRT_COUNTER_PIXELS] +=
                (uint64_t)(r->x1 - r->x0) * (r->y1 - r->y0);
            return;
        }
    }
    for (int32_t y = r->y0; y < r->y1; y++) {
        fill_line(s, f, job, r, y);
    }
}

static uint64_t line_cost(const Fill *f, const NV3Job *job, uint32_t width)
{
    uint64_t each = NV3_COST_LINE, cost = 0;

    if (f->ready || f->bitwise) {
        each += nv3_cost_bytes(width * f->cpp);
    } else {
        each += width * NV3_COST_PIXEL;
    }
    if (f->by_line && f->ready) {
        cost += min(width, DITHER_PERIOD) * NV3_COST_PIXEL;
    } else if (f->bitwise) {
        /* Bitwise operations also read the old pixels. */
        each += nv3_cost_bytes(width * f->cpp);
        cost += f->patterned ? min(width, PATTERN_PERIOD) * COST_BITS : 0;
    }
    cost += job->kind == NV3_JOB_TRIANGLE ? COST_TRIANGLE : 0;
    cost += f->clip.count ? COST_CLIP : 0;
    return cost + each * f->surfaces;
}

NV3JobResult nv3_fill_run(NV3State *s, NV3Job *job)
{
    NV3Surface surf[NV3_PGRAPH_SURFACES];
    NV3Rect r = job->rect;
    unsigned surfaces;
    Fill f;

    if (!fill_init(s, job, &f)) {
        return NV3_JOB_DONE;
    }
    r.y0 += job->line;
    surfaces = f.surfaces;
    r.y1 = r.y0 + nv3_job_lines(s, job, line_cost(&f, job, r.x1 - r.x0));
    memcpy(surf, f.surf, sizeof(surf));
    fill_rect(s, &f, job, &r);
    /*
     * During a migration, the host may copy a reported page immediately, so report the
     * pixels only after drawing them.
     */
    for (unsigned j = 0; j < surfaces; j++) {
        nv3_surface_dirty(s, &surf[j], &r);
    }
    job->line += r.y1 - r.y0;
    return r.y1 == job->rect.y1 ? NV3_JOB_DONE : NV3_JOB_MORE;
}
