/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sorts triangles and clears into bins, and draws the bins with several threads.
 *
 * Worker threads access only g->drawn, and only if g->started is set. Meanwhile, the
 * calling thread may fill the other batch. A thread draws one bin, or one part of a bin,
 * at a time. The thread draws the bin's triangles in the order of submission.
 */
#include <stdlib.h>

#include "geometry/geom_int.h"

/* Work that costs less than this takes less time than waking another thread. */
#define WAKE_COST   (NV3_GEOM_BATCH_COST / 8)
/* Cost of setting up a triangle in a bin. */
#define COST_SETUP  48
/* A bin has LINES rows of LINES blocks each. */
#define LINES       (NV3_GEOM_BIN / NV3_FP_BLOCK)
#define BLOCK_QUADS (NV3_FP_BLOCK * NV3_FP_BLOCK / 4)

/* ---- filling bins ---------------------------------------------------------- */

/* Adds the cost of nv3_fp_begin() to a bin whose previous triangle has another draw. */
static void account_draw(GeomBatch *b, GeomBin *bin, const GeomTriangle *t)
{
    if (bin->draw != t->draw && !(t->flags & GEOM_TRI_CLEAR)) {
        bin->draw = t->draw;
        bin->begin_cost += b->draw[t->draw].begin_cost;
        b->cost += b->draw[t->draw].begin_cost;
    }
}

void nv3_geom_push(GeomBatch *b, unsigned n, unsigned triangle, uint32_t cost)
{
    GeomBin *bin = &b->bin[n];

    if (bin->head == GEOM_NO_LINK) {
        b->used[b->bins++] = n;
        bin->head = bin->tail = b->links++;
        bin->used = 0;
        bin->draw = GEOM_DRAWS;
        bin->cost = bin->begin_cost = 0;
        atomic_store_explicit(&bin->taken, 0, memory_order_relaxed);
        b->link[bin->head].next = GEOM_NO_LINK;
    } else if (bin->used == GEOM_LINK_ENTRIES) {
        unsigned next = b->links++;

        b->link[bin->tail].next = next;
        b->link[next].next = GEOM_NO_LINK;
        bin->tail = next;
        bin->used = 0;
    }
    b->link[bin->tail].triangle[bin->used++] = triangle;
    account_draw(b, bin, &b->triangle[triangle]);
    bin->cost += cost;
    b->cost += cost;
    b->largest_cost = cost > b->largest_cost ? cost : b->largest_cost;
}

/* Returns true if one edge or the bounding box excludes all pixels of bin @x, @y. */
static bool misses(const GeomBatch *b, const GeomTriangle *t, int32_t x, int32_t y)
{
    NV3GeomEdges edges;

    if (b->draw[t->draw].st.multisample) {
        return nv3_geom_misses_samples(b, t, x * NV3_GEOM_BIN, y * NV3_GEOM_BIN);
    }
    return !nv3_geom_edges(b, t, x * NV3_GEOM_BIN, y * NV3_GEOM_BIN, &edges);
}

/*
 * Along one axis of a bin, returns the number of quads that contain any of the pixels
 * @from to @to. @bin: first pixel of the bin.
 */
static unsigned quads(int32_t bin, int32_t from, int32_t to)
{
    from = nv3_geom_max(from - bin, 0) / 2;
    to = nv3_geom_min(to - bin, NV3_GEOM_BIN - 1) / 2;
    return to - from + 1;
}

bool nv3_geom_box(NV3GeomRect *box, const GeomBatch *b, const uint16_t slot[3],
                  const NV3GeomState *st)
{
    const unsigned v0 = slot[0], v1 = slot[1], v2 = slot[2];
    const NV3GeomRect *scissor = &st->scissor;
    /*
     * Rounding with these offsets selects the pixels whose centres are in the box. With
     * multisampling, it selects all pixels that overlap the box.
     */
    const int32_t low = st->multisample ? 0 : GEOM_ONE / 2 - 1;
    const int32_t high = st->multisample ? GEOM_ONE - 1 : GEOM_ONE / 2;
    const int32_t one = NV3_GEOM_SUBPIXEL_BITS;
    int32_t x0 = (nv3_geom_min(nv3_geom_min(b->x[v0], b->x[v1]), b->x[v2]) + low) >> one;
    int32_t y0 = (nv3_geom_min(nv3_geom_min(b->y[v0], b->y[v1]), b->y[v2]) + low) >> one;
    int32_t x1 = (nv3_geom_max(nv3_geom_max(b->x[v0], b->x[v1]), b->x[v2]) + high) >> one;
    int32_t y1 = (nv3_geom_max(nv3_geom_max(b->y[v0], b->y[v1]), b->y[v2]) + high) >> one;

    *box = (NV3GeomRect) {
        nv3_geom_max(x0, scissor->x0), nv3_geom_max(y0, scissor->y0),
        nv3_geom_min(x1, scissor->x1), nv3_geom_min(y1, scissor->y1),
    };
    return box->x0 < box->x1 && box->y0 < box->y1;
}

/*
 * Adds the triangle with index b->triangles to all bins that it may cover. @x0, @x1:
 * first and last column of its bounding box. @y0, @y1: first and last row of this box.
 */
static void push_to_bins(NV3Geom *g, int32_t x0, int32_t y0, int32_t x1, int32_t y1)
{
    GeomBatch *b = g->batch;
    const bool multisample = g->draw->st.multisample;
    const bool large = (x1 / NV3_GEOM_BIN - x0 / NV3_GEOM_BIN + 1) *
                       (y1 / NV3_GEOM_BIN - y0 / NV3_GEOM_BIN + 1) > 4;

    for (int32_t y = y0 / NV3_GEOM_BIN; y <= y1 / NV3_GEOM_BIN; y++) {
        const uint64_t line_cost = (uint64_t)quads(y * NV3_GEOM_BIN, y0, y1) *
                                   g->draw->block_cost;

        for (int32_t x = x0 / NV3_GEOM_BIN; x <= x1 / NV3_GEOM_BIN; x++) {
            g->tested_bins += !large ? 0 : multisample ? NV3_PIXOPS_SAMPLES : 1;
            if (!large || !misses(b, &b->triangle[b->triangles], x, y)) {
                nv3_geom_push(b, y * GEOM_BIN_COLUMNS + x, b->triangles, COST_SETUP +
                              quads(x * NV3_GEOM_BIN, x0, x1) * line_cost / BLOCK_QUADS);
            }
        }
    }
}

void nv3_geom_bin(NV3Geom *g, const GeomTriangle *t)
{
    GeomBatch *b = g->batch;
    uint32_t x0, y0, x1, y1;
    NV3GeomRect box;

    if (!nv3_geom_box(&box, b, t->slot, &g->draw->st)) {
        return;
    }
    /* The scissor is within the target, so no coordinate is negative. */
    x0 = box.x0;
    y0 = box.y0;
    x1 = box.x1 - 1;
    y1 = box.y1 - 1;
    b->triangle[b->triangles] = *t;
    b->triangle[b->triangles].draw = g->draw - b->draw;
    if (((x0 ^ x1) | (y0 ^ y1)) < NV3_GEOM_BIN) {
        /* Most small triangles are in a single bin. */
        const uint64_t count = (x1 / 2 - x0 / 2 + 1) * (y1 / 2 - y0 / 2 + 1);

        nv3_geom_push(b, y0 / NV3_GEOM_BIN * GEOM_BIN_COLUMNS + x0 / NV3_GEOM_BIN,
                      b->triangles, COST_SETUP +
                      count * g->draw->block_cost / BLOCK_QUADS);
    } else {
        push_to_bins(g, x0, y0, x1, y1);
    }
    b->triangles++;
    g->counters.triangles++;
}

/* ---- drawing a bin --------------------------------------------------------- */

/* State of one thread while it draws. */
typedef struct BinThread {
    NV3Geom *g;
    NV3FpThread *fp;
    const GeomDraw *draw;       /* the draw for which @fp is prepared */
    NV3FpBlocks list;           /* blocks of the current group that are not shaded yet */
    uint64_t blocks, samples, cleared;
} BinThread;

/*
 * Returns a mask of the columns (or rows) [@from, @to) of a block that starts at column
 * (or row) @first.
 */
static unsigned range_bits(int32_t first, int32_t from, int32_t to)
{
    from = nv3_geom_max(from - first, 0);
    to = nv3_geom_min(to - first, NV3_FP_BLOCK);
    return from < to ? (1u << to) - (1u << from) : 0;
}

/* Returns the mask of pixels of the block at @x, @y that are in @r. */
static uint64_t scissor_mask(const NV3GeomRect *r, int32_t x, int32_t y)
{
    const uint64_t columns = range_bits(x, r->x0, r->x1);
    const unsigned rows = range_bits(y, r->y0, r->y1);
    uint64_t mask = 0;

    for (unsigned i = 0; i < NV3_FP_BLOCK; i++) {
        mask |= rows & 1u << i ? columns << (i * NV3_FP_BLOCK) : 0;
    }
    return mask;
}

/* Passes the blocks of the list to the function that nv3_geom_set_shade() has set. */
static void call_shade(BinThread *thread, const GeomGroup *group)
{
    NV3Geom *g = thread->g;
    const NV3FpBlocks *b = &thread->list;
    const bool multisample = g->drawn->draw[group->triangle[0]->draw].st.multisample;
    NV3FpTriangle tri;

    for (unsigned i = 0; i < b->count; i++) {
        nv3_geom_get_triangle(&tri, g->drawn, group, b->triangle[i]);
        for (unsigned n = 0; n < (multisample ? NV3_PIXOPS_SAMPLES : 1); n++) {
            thread->samples += g->shade(g->shade_opaque, &tri, b->x[i], b->y[i],
                                        b->mask[i][n]);
        }
    }
}

/* Shades all blocks of the list. */
static void shade_list(BinThread *thread, const GeomGroup *group)
{
    thread->blocks += thread->list.count;
    if (thread->g->shade) {
        call_shade(thread, group);
    } else if (thread->list.count) {
        nv3_fp_shade_blocks(thread->fp, &group->fp, &thread->list);
    }
    thread->list.count = 0;
}

/*
 * Adds a block of triangle @i to the list. Returns a pointer to its masks, which the
 * caller must set.
 */
static uint64_t *add_block(BinThread *thread, const GeomGroup *group, unsigned i,
                           int32_t x, int32_t y)
{
    NV3FpBlocks *b = &thread->list;

    if (b->count == NV3_FP_GROUP) {
        shade_list(thread, group);
    }
    b->triangle[b->count] = i;
    b->x[b->count] = x;
    b->y[b->count] = y;
    return b->mask[b->count++];
}

/* Returns true if the block at @x, @y of a bin belongs to part @part of the bin. */
static bool in_part(const NV3Geom *g, unsigned x, unsigned y, unsigned part)
{
    const unsigned line = y / NV3_FP_BLOCK, column = x / NV3_FP_BLOCK;

    return g->parts == 1 || part == (g->parts == LINES ? line : line * LINES + column);
}

/* Draws a triangle to a target with several samples for each pixel. */
static void draw_sampled(BinThread *thread, const GeomGroup *group, unsigned i,
                         int32_t bin_x, int32_t bin_y, unsigned part)
{
    const GeomBatch *b = thread->g->drawn;
    const GeomTriangle *t = group->triangle[i];
    const GeomDraw *draw = &b->draw[t->draw];
    GeomSampled sampled[64];
    unsigned count;

    count = nv3_geom_cover_samples(thread->g->level, b, t, bin_x, bin_y, sampled);
    for (unsigned n = 0; n < count; n++) {
        const int32_t x = bin_x + sampled[n].x, y = bin_y + sampled[n].y;
        const uint64_t inside = scissor_mask(&draw->st.scissor, x, y);
        uint64_t *mask;

        if (!inside || !in_part(thread->g, sampled[n].x, sampled[n].y, part)) {
            continue;
        }
        mask = add_block(thread, group, i, x, y);
        for (unsigned k = 0; k < NV3_PIXOPS_SAMPLES; k++) {
            mask[k] = sampled[n].mask[k] & inside;
        }
    }
}

/*
 * Sets @edges to the edges of triangle @i. Returns false if an edge or the bounding box
 * excludes all pixels of the bin. If the bin is divided into parts, several blocks are
 * used, because a single block may overlap several parts.
 */
static bool get_edges(NV3GeomEdges *edges, const NV3Geom *g, const GeomGroup *group,
                      unsigned i, int32_t bin_x, int32_t bin_y)
{
    if (!group->hit[i]) {
        return false;
    }
    if (!group->small[i]) {
        return nv3_geom_edges(g->drawn, group->triangle[i], bin_x, bin_y, edges);
    }
    for (unsigned n = 0; n < 3; n++) {
        edges->a[n] = group->a[n][i];
        edges->b[n] = group->b[n][i];
        edges->c[n] = group->c[n][i];
    }
    edges->block_x0 = group->block_x0[i];
    edges->block_y0 = group->block_y0[i];
    edges->block_x1 = group->block_x1[i];
    edges->block_y1 = group->block_y1[i];
    edges->single = group->single[i] && g->parts == 1;
    edges->single_x = group->single_x[i];
    edges->single_y = group->single_y[i];
    return true;
}

static void draw_triangle(BinThread *thread, const GeomGroup *group, unsigned i,
                          int32_t bin_x, int32_t bin_y, unsigned part)
{
    const GeomBatch *b = thread->g->drawn;
    const NV3GeomRect *r = &b->draw[group->triangle[i]->draw].st.scissor;
    const bool inside = r->x0 <= bin_x && bin_x + NV3_GEOM_BIN <= r->x1 &&
                        r->y0 <= bin_y && bin_y + NV3_GEOM_BIN <= r->y1;
    NV3GeomCovered covered[64];
    NV3GeomEdges edges;
    unsigned count;

    if (!get_edges(&edges, thread->g, group, i, bin_x, bin_y)) {
        return;
    }
    count = nv3_geom_cover(thread->g->level, &edges, covered);
    for (unsigned n = 0; n < count; n++) {
        int32_t x = bin_x + covered[n].x, y = bin_y + covered[n].y;
        uint64_t mask = covered[n].mask;

        if (!in_part(thread->g, covered[n].x, covered[n].y, part)) {
            continue;
        }
        if (!inside) {
            mask &= scissor_mask(r, x, y);
        }
        if (mask) {
            *add_block(thread, group, i, x, y) = mask;
        }
    }
}

/*
 * Prefetches NV3_FP_BLOCK pixels of one column, from @x, @y downwards. The addresses need
 * not be in the surface.
 */
static void prefetch_lines(const NV3PixopsSurface *s, uint32_t x, uint32_t y,
                           unsigned bytes)
{
    const uintptr_t first = (uintptr_t)s->base + (uintptr_t)y * s->pitch + x * bytes;

    for (unsigned i = 0; i < NV3_FP_BLOCK; i++) {
        __builtin_prefetch((const void *)(first + (uintptr_t)i * s->pitch), 1);
    }
}

/*
 * Prefetches pixels of the surfaces, at the top left corner of the triangle's bounding
 * box. Most triangles are too narrow for the hardware prefetcher of the host's CPU (make
 * bench, core.tri25.programs).
 */
static void prefetch(const GeomBatch *b, const GeomTriangle *t)
{
    const unsigned v0 = t->slot[0], v1 = t->slot[1], v2 = t->slot[2];
    const NV3FpDraw *draw = b->draw[t->draw].st.draw;
    const int32_t x = nv3_geom_min(nv3_geom_min(b->x[v0], b->x[v1]), b->x[v2]) / GEOM_ONE;
    const int32_t y = nv3_geom_min(nv3_geom_min(b->y[v0], b->y[v1]), b->y[v2]) / GEOM_ONE;
    const NV3PixopsState *s;

    if (!draw || x < 0 || y < 0) {
        return;
    }
    s = &draw->pixops;
    prefetch_lines(&s->zeta, x, y, nv3_pixops_zeta_bytes(s));
    prefetch_lines(&s->color, x, y, nv3_pixops_color_bytes(s));
}

/*
 * Draws the triangles of @group, and empties the group. @x, @y: first pixel of the bin.
 */
static void draw_group(BinThread *thread, GeomGroup *group, int32_t x, int32_t y,
                       unsigned part)
{
    NV3Geom *g = thread->g;
    const GeomDraw *draw;

    if (!group->count) {
        return;
    }
    draw = &g->drawn->draw[group->triangle[0]->draw];
    nv3_geom_setup(g->level, g->drawn, group, x, y);
    if (!g->shade && thread->draw != draw) {
        nv3_fp_begin(thread->fp, draw->st.draw);
        thread->draw = draw;
    }
    nv3_fp_begin_group(thread->fp);
    for (unsigned i = 0; i < group->count; i++) {
        if (i + 1 < group->count) {
            prefetch(g->drawn, group->triangle[i + 1]);
        }
        if (draw->st.multisample) {
            draw_sampled(thread, group, i, x, y, part);
        } else {
            draw_triangle(thread, group, i, x, y, part);
        }
    }
    shade_list(thread, group);
    group->count = 0;
}

/* Returns true if @t can be added to @group, which is not empty. */
static bool fits(const GeomGroup *group, const GeomTriangle *t)
{
    return group->count < NV3_FP_GROUP && group->triangle[0]->draw == t->draw &&
           group->sprite == !!(t->flags & GEOM_TRI_SPRITE);
}

/* Returns the pixels of part @part of the bin whose first pixel is @x, @y. */
static NV3GeomRect part_rect(const NV3Geom *g, int32_t x, int32_t y, unsigned part)
{
    const int32_t block = NV3_FP_BLOCK, bin = NV3_GEOM_BIN;

    if (g->parts == 1) {
        return (NV3GeomRect) { x, y, x + bin, y + bin };
    }
    if (g->parts == LINES) {
        y += part * block;
        return (NV3GeomRect) { x, y, x + bin, y + block };
    }
    x += part % LINES * block;
    y += part / LINES * block;
    return (NV3GeomRect) { x, y, x + block, y + block };
}

static void draw_bin(BinThread *thread, unsigned n, unsigned part)
{
    const GeomBatch *b = thread->g->drawn;
    const GeomBin *bin = &b->bin[n];
    const int32_t x = n % GEOM_BIN_COLUMNS * NV3_GEOM_BIN;
    const int32_t y = n / GEOM_BIN_COLUMNS * NV3_GEOM_BIN;
    const NV3GeomRect rect = part_rect(thread->g, x, y, part);
    GeomGroup group;

    group.count = 0;
    for (unsigned at = bin->head; at != GEOM_NO_LINK; at = b->link[at].next) {
        const GeomLink *link = &b->link[at];
        unsigned count = at == bin->tail ? bin->used : GEOM_LINK_ENTRIES;

        for (unsigned i = 0; i < count; i++) {
            const GeomTriangle *t = &b->triangle[link->triangle[i]];

            if (t->flags & GEOM_TRI_CLEAR) {
                draw_group(thread, &group, x, y, part);
                thread->samples += nv3_fp_finish(thread->fp);
                thread->cleared += nv3_geom_clear_part(&b->clear[t->slot[0]], &rect);
                continue;
            }
            if (group.count && !fits(&group, t)) {
                draw_group(thread, &group, x, y, part);
            }
            group.sprite = t->flags & GEOM_TRI_SPRITE;
            group.triangle[group.count++] = t;
        }
    }
    draw_group(thread, &group, x, y, part);
    thread->samples += nv3_fp_finish(thread->fp);
}

/*
 * Returns the number of the thread that owns bin @n. The owner draws the bin, unless
 * another thread has no bins left and takes it first. Bins side by side have the same
 * owner, like the rasterizer's tiles (raster/threads.c).
 */
static unsigned bin_owner(const NV3Geom *g, unsigned n)
{
    return n / GEOM_BIN_COLUMNS % g->threads;
}

/* Draws those parts of bin g->drawn->used[@i] before g->end that no thread has taken. */
static void draw_parts_of(BinThread *thread, unsigned i)
{
    NV3Geom *g = thread->g;
    const unsigned n = g->drawn->used[i], end = g->end - i * g->parts;
    atomic_uint *taken = &g->drawn->bin[n].taken;
    unsigned part = atomic_load(taken);

    while (part < g->parts && part < end) {
        if (atomic_compare_exchange_weak(taken, &part, part + 1)) {
            atomic_fetch_sub(&g->free_parts, 1);
            draw_bin(thread, n, part);
            part = atomic_load(taken);
        }
    }
}

/*
 * Draws parts of bins until no part before g->end is free. @number: index of the thread
 * in g->fp[], 0 for the calling thread. The thread starts with the bins that it owns,
 * because their pixels may still be in its CPU's cache from the previous batch.
 */
static void draw_some(NV3Geom *g, unsigned number)
{
    const unsigned first = g->first / g->parts, last = (g->end - 1) / g->parts;
    BinThread thread = { .g = g, .fp = g->fp[number] };

    for (unsigned i = first; i <= last; i++) {
        if (bin_owner(g, g->drawn->used[i]) == number) {
            draw_parts_of(&thread, i);
        }
    }
    for (unsigned i = last + 1; i-- > first && atomic_load(&g->free_parts);) {
        draw_parts_of(&thread, i);
    }
    atomic_fetch_add(&g->blocks, thread.blocks);
    atomic_fetch_add(&g->samples, thread.samples);
    atomic_fetch_add(&g->cleared, thread.cleared);
}

/* ---- threads --------------------------------------------------------------- */

static void draw_share(void *opaque, unsigned number)
{
    draw_some(opaque, number);
}

bool nv3_geom_start_workers(NV3Geom *g, unsigned threads)
{
    if (threads > NV3_GEOM_THREADS_MAX) {
        threads = NV3_GEOM_THREADS_MAX;
    }
    do {
        g->fp[g->threads] = nv3_fp_thread_new();
        if (!g->fp[g->threads]) {
            return false;
        }
    } while (++g->threads < threads);
    g->crew = nv3_crew_new(g->threads, draw_share, g);
    if (!g->crew) {
        return false;
    }
    g->threads = nv3_crew_threads(g->crew);
    return true;
}

void nv3_geom_stop_workers(NV3Geom *g)
{
    nv3_crew_free(g->crew);
    for (unsigned i = 0; i < NV3_GEOM_THREADS_MAX; i++) {
        nv3_fp_thread_free(g->fp[i]);
    }
}

/* ---- batches --------------------------------------------------------------- */

void nv3_geom_clear_bins(GeomBatch *b)
{
    for (unsigned i = 0; i < b->bins; i++) {
        b->bin[b->used[i]].head = GEOM_NO_LINK;
    }
    b->extra_slots = b->triangles = b->clears = b->links = b->bins = 0;
    b->cost = b->largest_cost = 0;
}

/*
 * Advances g->end over at least one part, and over further parts until the cost of all
 * these parts reaches @budget. Returns the cost.
 */
static int64_t choose_parts(NV3Geom *g, int64_t budget)
{
    const GeomBatch *b = g->drawn;
    int64_t cost = 0;

    do {
        const GeomBin *bin = &b->bin[b->used[g->end / g->parts]];

        cost += bin->cost / g->parts + bin->begin_cost;
        g->end++;
    } while (g->end < b->bins * g->parts && cost < budget);
    return cost;
}

/*
 * Chooses parts with a cost of about @budget for each thread, and lets the workers draw
 * these parts. Returns the cost for each thread.
 */
static int64_t start_parts(NV3Geom *g, int64_t budget)
{
    const unsigned threads = g->threads;
    int64_t cost;

    g->first = g->end;
    cost = choose_parts(g, budget > INT64_MAX / threads ? budget : budget * threads);
    atomic_store(&g->free_parts, g->end - g->first);
    g->started = true;
    g->shared = cost >= WAKE_COST && g->end - g->first > 1 && threads > 1;
    if (!g->shared) {
        return cost;
    }
    nv3_crew_start(g->crew);
    return cost / threads;
}

/* Draws those parts that no worker has taken, and waits for the workers. */
static void finish_parts(NV3Geom *g)
{
    if (g->shared) {
        nv3_crew_finish(g->crew);
    } else {
        draw_some(g, 0);
    }
    g->started = false;
    g->counters.blocks += atomic_exchange(&g->blocks, 0);
    g->counters.samples += atomic_exchange(&g->samples, 0);
    g->counters.cleared += atomic_exchange(&g->cleared, 0);
}

/*
 * If the cost of any triangle in a bin exceeds a limit, all bins are drawn in parts. The
 * limit is NV3_GEOM_BATCH_COST without workers. With workers, the limit is a quarter of
 * this value, so that the threads share the work evenly.
 */
static unsigned parts_of_bins(const NV3Geom *g)
{
    const uint32_t limit = NV3_GEOM_BATCH_COST / (g->threads > 1 ? 4 : 1);
    const uint32_t cost = g->drawn->largest_cost;

    return cost <= limit ? 1 : cost <= limit * LINES ? LINES : LINES * LINES;
}

void nv3_geom_start_bins(NV3Geom *g, int64_t *left)
{
    g->drawn = g->batch;
    g->parts = parts_of_bins(g);
    g->end = 0;
    if (g->drawn->bins) {
        const int64_t min = NV3_GEOM_BATCH_COST;

        *left -= start_parts(g, *left > min ? *left : min);
    }
}

bool nv3_geom_draw_bins(NV3Geom *g, int64_t *left)
{
    const GeomBatch *b = g->drawn;

    if (!g->started && g->end < b->bins * g->parts) {
        *left -= start_parts(g, *left);
    }
    if (g->started) {
        finish_parts(g);
    }
    return g->end == b->bins * g->parts;
}

void nv3_geom_drop_bins(NV3Geom *g)
{
    if (g->started) {
        finish_parts(g);
    }
    g->drawn = NULL;
    nv3_geom_clear_bins(g->batch);
    if (g->other) {
        nv3_geom_clear_bins(g->other);
    }
}
