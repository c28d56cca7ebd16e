/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Class 0x17, D3D: draws textured triangles with depth. Its state corresponds to that of
 * Direct3D 5.
 *
 * Sources: envytools hwtest/pgraph_class_d3d0.cc, nvhw/pgraph_d3d_nv3.c and
 * nvhw/pgraph.c, which were compared with real cards. These sources define the registers
 * that methods set, the conversion of floats to fixed point, invalid data, and the
 * triangles that a vertex draws. raster.h and docs/reference/chip/3d.md describe how the
 * model draws triangles.
 */
#include <stdlib.h>

#include "3d/d3d.h"
#include "3d/d3d_int.h"
#include "chip/cost.h"
#include "graph/pgraph.h"
#include "graph/surface.h"
#include "graph/vertex.h"

/* Bits of VALID for the methods of a vertex, and for the methods that set state. */
#define VALID_FOG_TRI       (1u << 16)
#define VALID_COLOR         (1u << 17)
#define VALID_RHW           (1u << 18)
#define VALID_Z             (1u << 19)
#define VALID_Y             (1u << 20)
#define VALID_X             (1u << 21)
#define VALID_U             (1u << 22)
#define VALID_VERTEX        0x007f0000
#define VALID_TEX_OFFSET    (1u << 23)
#define VALID_TEX_FORMAT    (1u << 24)
#define VALID_TEX_FILTER    (1u << 25)
#define VALID_FOG_COLOR     (1u << 27)

#define TEX_FORMAT_MASK     0xff31ffff
#define CONFIG_MASK         0xf77fbdf3
#define ALPHA_MASK          0x00000fff

/*
 * Costs of a triangle and of a line. A pixel of the triangle's bounds costs 1. Without
 * SIMD, the costs of lines and pixels are multiplied by COST_SCALAR. With several
 * threads, these costs are divided by the number of threads. If the triangles of a vertex
 * cost more than COST_JOB, they are drawn in slices.
 */
#define COST_TRIANGLE       64
#define COST_LINE           16
#define COST_SCALAR         8
#define COST_JOB            (NV3_SLICE_COST / 4)
#define SHARE_ONE           256

static int32_t min(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

static int32_t max(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

/* ---- the drawing state ------------------------------------------------------- */

static void get_key(const NV3Pgraph *g, D3dKey *key)
{
    memset(key, 0, sizeof(*key));
    key->dither = g->debug[3] & NV3_PGRAPH_DEBUG_3_DITHER_3D;
    key->ctx_switch = g->ctx_switch;
    key->class = nv3_pgraph_class(g);
    key->tex_format = g->misc32[0];
    key->tex_filter = g->misc32[1];
    key->fog_color = g->misc24[0];
    key->config = g->d3d_config;
    key->alpha = g->d3d_alpha;
    memcpy(key->surf_offset, g->surf_offset, sizeof(key->surf_offset));
    memcpy(key->surf_pitch, g->surf_pitch, sizeof(key->surf_pitch));
    key->surf_config = g->surf_config;
    key->canvas_min = g->dst_canvas_min;
    key->canvas_max = g->dst_canvas_max;
    memcpy(key->uclip_min, g->uclip_min, sizeof(key->uclip_min));
    memcpy(key->uclip_max, g->uclip_max, sizeof(key->uclip_max));
    memcpy(key->cliprect_min, g->cliprect_min, sizeof(key->cliprect_min));
    memcpy(key->cliprect_max, g->cliprect_max, sizeof(key->cliprect_max));
    key->cliprect_ctrl = g->cliprect_ctrl;
}

/*
 * Returns surface @i, or an empty surface if surface @i is not valid, does not have 16
 * bits per pixel, or begins outside VRAM. Silicon's FORMAT_CHECK checks only the colour
 * surfaces. The model also ignores a depth surface whose valid bit is clear, so that the
 * resource manager can disable depth.
 */
static NV3RasterSurface get_surface(NV3State *s, unsigned i)
{
    NV3Surface surf;

    nv3_surface_get(s, i, &surf);
    if (!(s->pgraph.surf_config & NV3_PGRAPH_SURF_VALID(i)) ||
        surf.cpp != 2 || surf.offset >= s->vram_reach) {
        return (NV3RasterSurface) { 0 };
    }
    return (NV3RasterSurface) {
        .base = s->vram + surf.offset,
        .size = s->vram_reach - surf.offset,
        .pitch = surf.pitch,
    };
}

static void update_surfaces(NV3State *s, NV3D3d *d)
{
    uint32_t options = s->pgraph.ctx_switch;

    d->color_count = 0;
    for (unsigned i = 0; i < NV3_PGRAPH_SURFACES; i++) {
        if (options >> (NV3_GROBJ_DST_SHIFT + i) & 1) {
            d->color[d->color_count] = get_surface(s, i);
            if (d->color[d->color_count].base) {
                d->color_count++;
            }
        }
    }
    d->zeta = (NV3RasterSurface) { 0 };
    if (options & NV3_GROBJ_ZETA) {
        d->zeta = get_surface(s, NV3_PGRAPH_SURFACES - 1);
    }
}

/* Subtracts @hole from the rectangles of @d->clip. */
static void clip_subtract(NV3D3d *d, const NV3Rect *hole)
{
    NV3Rect out[NV3_D3D_MAX_CLIP];
    unsigned n = 0;

    for (unsigned i = 0; i < d->clip_count; i++) {
        NV3Rect r = d->clip[i], in = nv3_rect_intersect(r, *hole);
        const NV3Rect parts[4] = {
            { r.x0, r.y0, r.x1, in.y0 }, { r.x0, in.y1, r.x1, r.y1 },
            { r.x0, in.y0, in.x0, in.y1 }, { in.x1, in.y0, r.x1, in.y1 },
        };

        if (nv3_rect_empty(&in)) {
            out[n++] = r;
            continue;
        }
        for (unsigned j = 0; j < 4; j++) {
            if (!nv3_rect_empty(&parts[j])) {
                out[n++] = parts[j];
            }
        }
    }
    memcpy(d->clip, out, sizeof(out[0]) * n);
    d->clip_count = n;
}

/* Computes disjoint clip rectangles, so that each pixel is drawn once. */
static void update_clip(NV3State *s, NV3D3d *d)
{
    NV3Clip clip;

    nv3_clip_get(s, &clip);
    d->clip[0] = clip.bounds;
    d->clip_count = 1;
    if (clip.occluded) {
        for (unsigned i = 0; i < clip.count; i++) {
            clip_subtract(d, &clip.rect[i]);
        }
        return;
    }
    if (clip.count) {
        d->clip[0] = nv3_rect_intersect(clip.bounds, clip.rect[0]);
    }
    if (clip.count == 2) {
        NV3Rect first = clip.rect[0];

        d->clip[0] = nv3_rect_intersect(clip.bounds, clip.rect[1]);
        clip_subtract(d, &first);
        d->clip[d->clip_count++] = nv3_rect_intersect(clip.bounds, first);
    }
}

static const uint32_t *get_level(void *opaque, unsigned log2)
{
    NV3D3d *d = opaque;
    const uint32_t *pairs = nv3_texture_ready(&d->textures, log2);

    if (pairs) {
        return pairs;
    }
    /*
     * Deferred triangles may overwrite the texture, or use a cached level that
     * nv3_texture_level() replaces, so draw them first.
     */
    nv3_pgraph_flush(d->chip);
    pairs = nv3_texture_level(d->chip, &d->textures, log2, &d->fault);
    d->pending = !pairs && nv3_texture_pending(&d->textures);
    d->faulted = !pairs && !d->pending;
    return pairs;
}

/* Returns the smallest rectangle that contains all clip rectangles. */
static NV3Rect clip_bounds(const NV3D3d *d)
{
    NV3Rect all = d->clip[0];

    for (unsigned i = 1; i < d->clip_count; i++) {
        const NV3Rect *r = &d->clip[i];

        all.x0 = r->x0 < all.x0 ? r->x0 : all.x0;
        all.y0 = r->y0 < all.y0 ? r->y0 : all.y0;
        all.x1 = r->x1 > all.x1 ? r->x1 : all.x1;
        all.y1 = r->y1 > all.y1 ? r->y1 : all.y1;
    }
    return d->clip_count ? all : (NV3Rect) { 0 };
}

/* Reports to the host that pixels of @surf in @r have changed. */
static void flush_dirty(NV3State *s, const NV3RasterSurface *surf, const NV3Rect *r)
{
    uint64_t base, start, end;

    if (!surf->base) {
        return;
    }
    base = surf->base - s->vram;
    start = base + (uint64_t)r->y0 * surf->pitch + 2 * (uint64_t)r->x0;
    end = base + (uint64_t)(r->y1 - 1) * surf->pitch + 2 * (uint64_t)r->x1;
    end = end < s->vram_reach ? end : s->vram_reach;
    if (start < end) {
        nv3_vram_dirty(s, start, end - start);
    }
}

/*
 * Reports the dirty rectangle to the host. During a migration, the host may copy a
 * reported page immediately, so the function first waits until the raster pool has drawn
 * all triangles.
 */
static void flush_all_dirty(NV3State *s, NV3D3d *d)
{
    if (nv3_rect_empty(&d->dirty)) {
        return;
    }
    nv3_pgraph_flush(s);
    for (unsigned i = 0; i < d->color_count; i++) {
        flush_dirty(s, &d->color[i], &d->dirty);
    }
    flush_dirty(s, &d->zeta, &d->dirty);
    d->dirty = (NV3Rect) { 0 };
}

/* Returns true if the register values @a and @b may select different surfaces. */
static bool surfaces_differ(const D3dKey *a, const D3dKey *b)
{
    return a->ctx_switch != b->ctx_switch || a->surf_config != b->surf_config ||
           memcmp(a->surf_offset, b->surf_offset, sizeof(a->surf_offset)) ||
           memcmp(a->surf_pitch, b->surf_pitch, sizeof(a->surf_pitch));
}

/*
 * Updates @d after register changes. Textures that have been checked in @epoch are not
 * checked again.
 */
static void update(NV3State *s, NV3D3d *d, uint64_t epoch)
{
    NV3Pgraph *g = &s->pgraph;
    uint32_t threads;
    D3dKey key;

    nv3_texture_bind(&d->textures, g->dma_inst, g->dma.offset[0],
                     g->misc32[0], epoch);
    get_key(g, &key);
    if (!memcmp(&key, &d->key, sizeof(key))) {
        return;
    }
    if (surfaces_differ(&key, &d->key)) {
        flush_all_dirty(s, d);
    }
    d->key = key;
    update_surfaces(s, d);
    update_clip(s, d);
    d->raster = (NV3RasterState) {
        .tex_format = key.tex_format,
        .tex_filter = key.tex_filter,
        .fog_color = key.fog_color,
        .config = key.config,
        .alpha = key.alpha,
        .dither = key.dither,
        .simd = s->config.simd,
        .texture = get_level,
        .opaque = d,
        .color = d->color[0],
        .zeta = d->zeta,
    };
    nv3_raster_prepare(&d->raster);
    d->bounds = clip_bounds(d);
    d->pooled = s->raster_pool && d->color_count == 1 &&
                nv3_raster_pool_can(&d->raster, &d->bounds);
    threads = d->pooled ? s->config.raster_threads : 1;
    d->share = SHARE_ONE / threads * d->color_count *
               (d->raster.mode.simd == NV3_SIMD_SCALAR ? COST_SCALAR : 1);
}

static struct NV3D3d *get_d3d(NV3State *s, bool for_job)
{
    NV3D3d *d = s->pgraph.d3d;

    nv3_work_begin(s);
    if (!d) {
        d = calloc(1, sizeof(*d));
        if (!d) {
            return NULL;
        }
        d->chip = s;
        s->pgraph.d3d = d;
    }
    /*
     * A job keeps its epoch. Each read of STATUS starts another epoch, so a client that
     * polls STATUS would otherwise restart the check of a large texture with each read.
     */
    if (!for_job) {
        d->epoch = s->pgraph.epoch;
    }
    update(s, d, d->epoch);
    return d;
}

static void d3d_free(NV3State *s)
{
    if (s->pgraph.deferred == &nv3_class_d3d) {
        nv3_pgraph_flush(s);
    }
    if (s->pgraph.d3d) {
        s->pgraph.stream = NULL;
        nv3_texture_free(&s->pgraph.d3d->textures);
        free(s->pgraph.d3d);
        s->pgraph.d3d = NULL;
    }
}

/* ---- drawing ----------------------------------------------------------------- */

/* Extends the dirty rectangle by @r. @r must not be empty. */
static void note_dirty(NV3D3d *d, const NV3Rect *r)
{
    NV3Rect *all = &d->dirty;

    /* Most triangles are within the current dirty rectangle. */
    if (r->x0 >= all->x0 && r->y0 >= all->y0 && r->x1 <= all->x1 && r->y1 <= all->y1) {
        return;
    }
    if (nv3_rect_empty(all)) {
        *all = *r;
        return;
    }
    all->x0 = min(all->x0, r->x0);
    all->y0 = min(all->y0, r->y0);
    all->x1 = max(all->x1, r->x1);
    all->y1 = max(all->y1, r->y1);
}

static void d3d_flush(NV3State *s)
{
    if (s->pgraph.deferred) {
        s->pgraph.deferred = NULL;
        s->counters[NV3_PVIRT_COUNTER_PIXELS] +=
            nv3_raster_pool_join(s->raster_pool);
    }
}

/*
 * Called at the end of nv3_run(). Reports the pixels of all triangles of the slice to the
 * host in one call per surface.
 */
static void d3d_end_run(NV3State *s, bool more)
{
    NV3D3d *d = s->pgraph.d3d;

    if (!d) {
        return;
    }
    nv3_pgraph_end_stream(s);
    if (s->pgraph.deferred == &nv3_class_d3d) {
        nv3_pgraph_flush(s);
    }
    flush_all_dirty(s, d);
}

void nv3_d3d_get_vertex(const NV3Pgraph *g, unsigned i, NV3RasterVertex *v)
{
    uint32_t x = g->vtx_x[i], y = g->vtx_y[i], zf = g->vtx_z[i];
    uint32_t rhw = g->vtx_x[16 + i], color = g->vtx_y[16 + i];
    uint32_t z = (zf & 0xffff) | (rhw >> 25) << 16 | (color >> 31) << 23;

    *v = (NV3RasterVertex) {
        .x = x, .u = x >> 16, .y = y, .v = y >> 16,
        .z = ~z & 0xffffff,
        .m = rhw & 0x1ffffff,
        .r = color >> 16, .g = color >> 8, .b = color,
        .a = color >> 24 & 0x7f,
        .fog = zf >> 16,
    };
}

/*
 * Draws the part of a triangle that is inside @r, or queues it for the threads of the
 * raster pool. @r lies within the triangle's bounds.
 */
static inline void draw_rect(NV3State *s, NV3D3d *d, const NV3RasterTri *tri,
                             const NV3Rect *r)
{
    note_dirty(d, r);
    nv3_step(TRIANGLE_LINE, r->y1 - r->y0);
    nv3_step(TRIANGLE_PIXEL, (uint64_t)(r->y1 - r->y0) * (r->x1 - r->x0));
    if (d->pooled) {
        nv3_raster_pool_push(s->raster_pool, &d->raster, tri, r);
        s->pgraph.deferred = &nv3_class_d3d;
        return;
    }
    if (s->pgraph.deferred) {
        nv3_pgraph_flush(s);
    }
    s->counters[NV3_PVIRT_COUNTER_PIXELS] += nv3_raster_draw_part(&d->raster, tri, r);
}

static void draw_parts(NV3State *s, NV3D3d *d, const NV3RasterTri *tri,
                       const NV3Rect *r)
{
    for (unsigned i = 0; i < d->clip_count; i++) {
        NV3Rect part = nv3_rect_intersect(d->clip[i], *r);

        if (!nv3_rect_empty(&part)) {
            draw_rect(s, d, tri, &part);
        }
    }
}

/*
 * Draws the parts of the triangle that are within @r and the clip rectangles. @r lies
 * within d->bounds and within the bounds of the triangle.
 */
static inline void draw_clipped(NV3State *s, NV3D3d *d, const NV3RasterTri *tri,
                                const NV3Rect *r)
{
    if (nv3_rect_empty(r)) {
        return;
    }
    if (d->clip_count == 1) {
        draw_rect(s, d, tri, r);
    } else {
        draw_parts(s, d, tri, r);
    }
}

/*
 * Returns the intersection of the clip's bounds and the bounds from nv3_raster_setup().
 */
static NV3Rect tri_bounds(const NV3D3d *d, const NV3RasterTri *tri)
{
    return nv3_rect_intersect(d->bounds, (NV3Rect) {
        tri->col0, tri->row0, tri->col1, tri->row1,
    });
}

static void report_fault(NV3State *s, NV3D3d *d)
{
    if (d->faulted && d->fault.reason) {
        nv3_pgraph_end_stream(s);
        nv3_pdma_fault(s, &d->fault, false);
    }
}

/*
 * Draws lines [@line, @line + @lines) of the triangle with corners @v to the surface in
 * d->raster.
 */
static void draw_surface(NV3State *s, NV3D3d *d,
                         const NV3RasterVertex *const v[3], int32_t line,
                         int32_t lines)
{
    NV3RasterTri tri;

    nv3_step(TRIANGLE, 1);
    d->faulted = d->pending = false;
    if (nv3_raster_setup(&d->raster, v[0], v[1], v[2], &tri)) {
        NV3Rect r = tri_bounds(d, &tri);

        r.y0 = max(r.y0, line);
        r.y1 = min(r.y1, line + lines);
        draw_clipped(s, d, &tri, &r);
    }
    report_fault(s, d);
}

/*
 * Draws a triangle on each colour surface, one after the other. Only the draw to the last
 * surface writes depth, so that all draws test against the same old depths.
 */
static void draw_surfaces(NV3State *s, NV3D3d *d,
                          const NV3RasterVertex *const v[3],
                          int32_t line, int32_t lines)
{
    const uint32_t config = d->raster.config;

    d->raster.config &= ~(7u << NV3_D3D_CONFIG_Z_WRITE_SHIFT);
    for (unsigned i = 0; i < d->color_count; i++) {
        if (i + 1 == d->color_count) {
            d->raster.config = config;
        }
        d->raster.color = d->color[i];
        nv3_raster_prepare(&d->raster);
        draw_surface(s, d, v, line, lines);
        if (d->pending) {
            break;
        }
    }
    d->raster.config = config;
}

/* Reads the corners of triangle @t of the current vertex. */
static void get_triangle(const NV3Pgraph *g, unsigned t, NV3RasterVertex v[3],
                         const NV3RasterVertex *p[3])
{
    for (unsigned i = 0; i < 3; i++) {
        nv3_d3d_get_vertex(g, nv3_d3d_corner(g->misc24[1], t, i), &v[i]);
        p[i] = &v[i];
    }
}

/*
 * Draws lines [@line, @line + @lines) of triangle @t of the vertex. Without a colour
 * surface, draws nothing and writes no depth, like the chip (hwtest/pgraph_rop.cc).
 */
static void draw_triangle(NV3State *s, NV3D3d *d, unsigned t,
                          int32_t line, int32_t lines)
{
    NV3RasterVertex v[3];
    const NV3RasterVertex *p[3];

    get_triangle(&s->pgraph, t, v, p);
    if (d->color_count == 1) {
        draw_surface(s, d, p, line, lines);
    } else {
        draw_surfaces(s, d, p, line, lines);
    }
}

static bool is_triangle(const NV3Pgraph *g, unsigned t)
{
    return nv3_d3d_is_triangle(g->misc24[1], t);
}

/* Returns a rectangle that contains all pixels of a triangle within the clip. */
static NV3Rect triangle_bounds(const NV3D3d *d, const NV3RasterVertex *const v[3])
{
    int32_t x0 = min(min(v[0]->x, v[1]->x), v[2]->x);
    int32_t y0 = min(min(v[0]->y, v[1]->y), v[2]->y);
    int32_t x1 = max(max(v[0]->x, v[1]->x), v[2]->x);
    int32_t y1 = max(max(v[0]->y, v[1]->y), v[2]->y);

    return nv3_rect_intersect(d->bounds, (NV3Rect) {
        x0 >> 4, y0 >> 4, (x1 >> 4) + 1, (y1 >> 4) + 1,
    });
}

static uint64_t line_cost(const NV3D3d *d, const NV3Rect *r)
{
    uint64_t pixels = r->x1 - r->x0 + COST_LINE * d->clip_count;

    return pixels * d->share / SHARE_ONE + 1;
}

/* Returns the cost of a triangle with bounds @r. */
static uint64_t cost(const NV3D3d *d, const NV3Rect *r)
{
    return COST_TRIANGLE +
           (nv3_rect_empty(r) ? 0 : line_cost(d, r) * (r->y1 - r->y0));
}

bool nv3_d3d_draw(NV3State *s, NV3D3d *d, const NV3RasterVertex *const v[3])
{
    NV3RasterTri tri;
    uint64_t part;
    NV3Rect r;

    d->faulted = d->pending = false;
    nv3_step(TRIANGLE, 1);
    if (!nv3_raster_setup(&d->raster, v[0], v[1], v[2], &tri)) {
        nv3_account(s, COST_TRIANGLE);
        report_fault(s, d);
        return !d->pending;
    }
    r = tri_bounds(d, &tri);
    part = cost(d, &r);
    if (part > COST_JOB) {
        return false;
    }
    nv3_account(s, part);
    draw_clipped(s, d, &tri, &r);
    return true;
}

/*
 * Sets @job to draw the first triangle whose bounds are not empty, starting with triangle
 * @t of the vertex. Returns false if no such triangle exists.
 */
static bool next_triangle(const NV3Pgraph *g, const NV3D3d *d, NV3Job *job,
                          unsigned t)
{
    for (; t < 2; t++) {
        NV3RasterVertex v[3];
        const NV3RasterVertex *p[3];

        if (!is_triangle(g, t)) {
            continue;
        }
        job->line = 0;
        job->byte = t;
        get_triangle(g, t, v, p);
        job->rect = triangle_bounds(d, p);
        if (!nv3_rect_empty(&job->rect)) {
            return true;
        }
    }
    return false;
}

/*
 * The job and the registers describe the remaining work completely, so the chip's state
 * can be saved between any two slices.
 */
NV3JobResult nv3_d3d_run(NV3State *s, NV3Job *job)
{
    NV3D3d *d = get_d3d(s, true);
    uint32_t lines;

    if (!d) {
        return NV3_JOB_FAILED;
    }
    d->faulted = d->pending = false;
    lines = nv3_job_lines(s, job, line_cost(d, &job->rect));
    if (is_triangle(&s->pgraph, job->byte)) {
        draw_triangle(s, d, job->byte, job->rect.y0 + (int32_t)job->line, lines);
    }
    if (d->faulted) {
        return NV3_JOB_FAILED;
    }
    if (d->pending) {
        return NV3_JOB_MORE;
    }
    job->line += lines;
    if (job->line < (uint32_t)(job->rect.y1 - job->rect.y0)) {
        return NV3_JOB_MORE;
    }
    return next_triangle(&s->pgraph, d, job, job->byte + 1) ? NV3_JOB_MORE :
                                                              NV3_JOB_DONE;
}

/*
 * Does not call nv3_job_start(), which would start a new epoch. In a new epoch, the
 * texture cache checks all textures again.
 */
void nv3_d3d_start_job(NV3State *s, NV3D3d *d, unsigned t)
{
    NV3Job job = { .kind = NV3_JOB_D3D };

    if (next_triangle(&s->pgraph, d, &job, t)) {
        s->pgraph.job = job;
        nv3_job_run(s);
    }
}

/* Returns the cost of the triangles that the current vertex completes. */
static uint64_t vertex_cost(const NV3Pgraph *g, const NV3D3d *d)
{
    NV3RasterVertex v[3];
    const NV3RasterVertex *p[3];
    uint64_t all = 0;

    for (unsigned t = 0; t < 2; t++) {
        if (is_triangle(g, t)) {
            NV3Rect r;

            get_triangle(g, t, v, p);
            r = triangle_bounds(d, p);
            all += cost(d, &r);
        }
    }
    return all;
}

/*
 * Draws the triangles of the current vertex. Returns true if a stream can start at the
 * next vertex.
 */
static bool draw(NV3State *s)
{
    NV3Pgraph *g = &s->pgraph;
    uint64_t all;
    NV3D3d *d;

    if (!nv3_pgraph_prep_draw(s, false, false) ||
        (!is_triangle(g, 0) && !is_triangle(g, 1))) {
        return false;
    }
    d = get_d3d(s, false);
    if (!d) {
        return false;
    }
    s->counters[NV3_PVIRT_COUNTER_TRIANGLES] += is_triangle(g, 0) + is_triangle(g, 1);
    all = vertex_cost(g, d);
    if (all > COST_JOB) {
        nv3_d3d_start_job(s, d, 0);
        return false;
    }
    nv3_account(s, all);
    d->pending = false;
    for (unsigned t = 0; t < 2; t++) {
        if (is_triangle(g, t)) {
            draw_triangle(s, d, t, 0, NV3_RASTER_LINES);
        }
        if (d->pending) {
            nv3_d3d_start_job(s, d, t);
            return false;
        }
    }
    return g->fifo_enable && d->color_count == 1;
}

/* ---- methods ------------------------------------------------------------------ */

static unsigned vertex_slot(const NV3Pgraph *g)
{
    return g->d3d_fog_tri & 0xf;
}

/* Executes V, the last method of a vertex, and stores the vertex in its slot. */
static void place_vertex(NV3State *s, uint32_t data)
{
    NV3Pgraph *g = &s->pgraph;
    unsigned i = vertex_slot(g);
    uint32_t xy[2] = { g->d3d_xy & 0xffff, g->d3d_xy >> 16 };

    g->d3d_uv = (g->d3d_uv & 0xffff) |
                (uint32_t)nv3_d3d_convert_uv(data, nv3_d3d_tex_log2(g)) << 16;
    g->misc24[1] = g->d3d_fog_tri & 0xffffff;
    g->vtx_z[i] = g->d3d_fog_tri >> 24 << 16 | g->d3d_z;
    g->vtx_x[i] = xy[NV3_X] | g->d3d_uv << 16;
    g->vtx_y[i] = xy[NV3_Y] | (g->d3d_uv & 0xffff0000);
    for (NV3Axis axis = NV3_X; axis <= NV3_Y; axis++) {
        nv3_vtx_note(s, axis, i, (NV3VtxFlags) { 0 },
                     nv3_clip_status(s, (int16_t)xy[axis], axis, false));
    }
    g->vtx_x[16 + i] = g->d3d_rhw;
    g->vtx_y[16 + i] = g->d3d_rgb;
    if ((g->valid & VALID_VERTEX) == VALID_VERTEX) {
        g->valid &= ~VALID_VERTEX;
        g->valid |= 1u << i;
    }
}

static void latch_z(NV3Pgraph *g, uint32_t data)
{
    uint32_t z = ~nv3_d3d_convert_z(data) & 0xffffff;

    g->d3d_z = z & 0xffff;
    g->d3d_rhw = (g->d3d_rhw & 0x01ffffff) | (z >> 16 & 0x7f) << 25;
    g->d3d_rgb = (g->d3d_rgb & 0x7fffffff) | z >> 23 << 31;
}

static inline void vertex_method(NV3State *s, uint32_t mthd, uint32_t data)
{
    NV3Pgraph *g = &s->pgraph;
    uint32_t valid;

    switch (mthd & (NV3_D3D_VERTEX_STRIDE - 1)) {
    case NV3_D3D_FOG_TRI(0) & 0x1f:
        g->d3d_fog_tri = data;
        g->valid &= ~VALID_VERTEX;
        g->valid |= VALID_FOG_TRI;
        return;
    case NV3_D3D_COLOR(0) & 0x1f:
        /* Store 7 bits of alpha. The top bit of the register is a bit of the depth. */
        g->d3d_rgb = (g->d3d_rgb & 0x80000000) | (data & 0x00ffffff) |
                     (data >> 25) << 24;
        valid = VALID_COLOR;
        break;
    case NV3_D3D_X(0) & 0x1f:
        g->d3d_xy = (g->d3d_xy & 0xffff0000) | nv3_d3d_convert_xy(data);
        valid = VALID_X;
        break;
    case NV3_D3D_Y(0) & 0x1f:
        g->d3d_xy = (g->d3d_xy & 0xffff) | (uint32_t)nv3_d3d_convert_xy(data) << 16;
        valid = VALID_Y;
        break;
    case NV3_D3D_Z(0) & 0x1f:
        latch_z(g, data);
        valid = VALID_Z;
        break;
    case NV3_D3D_RHW(0) & 0x1f:
        /* Drop the sign and the 6 low bits of the mantissa. */
        g->d3d_rhw = (g->d3d_rhw & 0xfe000000) | (data >> 6 & 0x01ffffff);
        valid = VALID_RHW;
        break;
    case NV3_D3D_U(0) & 0x1f:
        g->d3d_uv = (g->d3d_uv & 0xffff0000) |
                    nv3_d3d_convert_uv(data, nv3_d3d_tex_log2(g));
        valid = VALID_U;
        break;
    default:
        place_vertex(s, data);
        return;
    }
    g->valid |= valid;
    g->valid &= ~(1u << vertex_slot(g));
}

void nv3_d3d_latch(NV3State *s, const uint32_t words[NV3_D3D_VERTEX_WORDS])
{
    /*
     * Each method number is a constant, so the compiler inlines only one case of the
     * switch in vertex_method().
     */
    vertex_method(s, NV3_D3D_FOG_TRI(0), words[0]);
    vertex_method(s, NV3_D3D_COLOR(0), words[1]);
    vertex_method(s, NV3_D3D_X(0), words[2]);
    vertex_method(s, NV3_D3D_Y(0), words[3]);
    vertex_method(s, NV3_D3D_Z(0), words[4]);
    vertex_method(s, NV3_D3D_RHW(0), words[5]);
    vertex_method(s, NV3_D3D_U(0), words[6]);
    vertex_method(s, NV3_D3D_V(0), words[7]);
}

bool nv3_d3d_vertex(NV3State *s, const uint32_t words[NV3_D3D_VERTEX_WORDS])
{
    nv3_d3d_latch(s, words);
    return draw(s);
}

static bool compare_ok(uint32_t func)
{
    return func >= NV3_D3D_CMP_NEVER && func <= NV3_D3D_CMP_ALWAYS;
}

static bool tex_format_ok(uint32_t data)
{
    return !(data & ~TEX_FORMAT_MASK) &&
           (data >> NV3_D3D_TEX_SIZE_MIN_SHIFT & 0xf) <= 11 &&
           data >> NV3_D3D_TEX_SIZE_MAX_SHIFT <= 11;
}

static bool config_ok(uint32_t data)
{
    return !(data & ~CONFIG_MASK) &&
           (data & NV3_D3D_CONFIG_INTERP) <= NV3_D3D_INTERP_FOH_CENTER &&
           (data >> NV3_D3D_CONFIG_CULL_SHIFT & 3) &&
           compare_ok(data >> NV3_D3D_CONFIG_Z_FUNC_SHIFT & 0xf) &&
           (data >> NV3_D3D_CONFIG_Z_WRITE_SHIFT & 7) <=
           NV3_D3D_WRITE_ALWAYS &&
           (data >> NV3_D3D_CONFIG_COLOR_WRITE_SHIFT & 7) <=
           NV3_D3D_WRITE_ALWAYS;
}

static void forget_textures(NV3State *s)
{
    if (s->pgraph.d3d) {
        nv3_texture_forget(&s->pgraph.d3d->textures);
    }
}

static NV3MthdResult d3d_method(NV3State *s, uint32_t mthd, uint32_t data)
{
    NV3Pgraph *g = &s->pgraph;
    bool ok = true;

    if (mthd >= NV3_D3D_FOG_TRI(0)) {
        vertex_method(s, mthd, data);
        if ((mthd & (NV3_D3D_VERTEX_STRIDE - 1)) == (NV3_D3D_V(0) & 0x1f)) {
            draw(s);
        }
        return NV3_MTHD_OK;
    }
    switch (mthd) {
    case NV3_D3D_TEX_OFFSET:
        g->dma.offset[0] = data;
        g->valid |= VALID_TEX_OFFSET;
        forget_textures(s);
        break;
    case NV3_D3D_TEX_FORMAT:
        g->misc32[0] = data;
        g->valid |= VALID_TEX_FORMAT;
        forget_textures(s);
        ok = tex_format_ok(data);
        break;
    case NV3_D3D_TEX_FILTER:
        g->misc32[1] = data;
        g->valid |= VALID_TEX_FILTER;
        break;
    case NV3_D3D_FOG_COLOR:
        g->misc24[0] = data & 0xffffff;
        g->valid |= VALID_FOG_COLOR;
        break;
    case NV3_D3D_CONFIG:
        g->d3d_config = data & CONFIG_MASK;
        g->valid |= NV3_VALID_D3D_CONFIG;
        ok = config_ok(data);
        break;
    case NV3_D3D_ALPHA:
        g->d3d_alpha = data & ALPHA_MASK;
        ok = !(data & ~ALPHA_MASK) && compare_ok(data >> 8 & 0xf);
        break;
    default:
        return NV3_MTHD_BAD_METHOD;
    }
    return ok ? NV3_MTHD_OK : NV3_MTHD_BAD_DATA;
}

const NV3Class nv3_class_d3d = {
    .id = NV3_CLASS_D3D, .name = "D3D", .uses_dma = true, .method = d3d_method,
    .flush = d3d_flush, .end_stream = nv3_d3d_end_stream, .end_run = d3d_end_run,
    .free = d3d_free,
};
