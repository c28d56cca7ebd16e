/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Implements the pool of raster threads (threads.h).
 */
#include <stdatomic.h>
#include <stdlib.h>

#include "chip/crew.h"
#include "raster/raster.h"
#include "raster/raster_int.h"
#include "raster/threads.h"

/* The colours and depths of a tile together fill half of most CPUs' L1 cache. */
#define TILE_WIDTH      128
#define TILE_HEIGHT     32
#define TILE_COLUMNS    (NV3_RASTER_MAX_X / TILE_WIDTH)
#define TILE_ROWS       (NV3_RASTER_MAX_X / TILE_HEIGHT)
#define TILES           (TILE_COLUMNS * TILE_ROWS)

#define BATCH_TRIANGLES 256
#define BATCH_STATES    16
/*
 * If a batch has fewer pixels, the calling thread draws it alone, because waking a worker
 * may take longer than drawing.
 */
#define WAKE_PIXELS     (16u << 10)
/*
 * A batch is drawn as soon as it has this number of pixels, so that its pixels become
 * visible soon.
 */
#define BATCH_PIXELS    (1u << 20)

typedef struct PoolTriangle {
    NV3RasterTri tri;
    NV3Rect rect;
    unsigned state;
} PoolTriangle;

typedef struct PoolTile {
    atomic_bool taken;      /* a thread has started to draw the tile */
    unsigned count;
    uint16_t triangle[BATCH_TRIANGLES];
} PoolTile;

struct NV3RasterPool {
    /*
     * The batch. The caller of the pool writes the batch. The workers read the batch only
     * during nv3_crew_run().
     */
    unsigned states, triangles, tiles;
    uint64_t estimate;      /* upper bound of the number of pixels */
    NV3RasterState state[BATCH_STATES];
    PoolTriangle triangle[BATCH_TRIANGLES];
    uint16_t used[TILES];   /* tiles that are not empty */
    PoolTile tile[TILES];
    /* pixels of drawn batches, not yet returned by nv3_raster_pool_join() */
    uint64_t done;

    atomic_uint free_tiles; /* number of tiles in @used that no thread has taken */
    atomic_uint_fast64_t pixels;

    NV3Crew *crew;
};

static uint32_t draw_tile(const NV3RasterPool *p, unsigned n)
{
    const PoolTile *tile = &p->tile[n];
    const int32_t x = n % TILE_COLUMNS * TILE_WIDTH;
    const int32_t y = n / TILE_COLUMNS * TILE_HEIGHT;
    const NV3Rect bounds = { x, y, x + TILE_WIDTH, y + TILE_HEIGHT };
    uint32_t pixels = 0;

    for (unsigned i = 0; i < tile->count; i++) {
        const PoolTriangle *t = &p->triangle[tile->triangle[i]];
        NV3Rect rect = nv3_rect_intersect(t->rect, bounds);

        pixels += nv3_raster_draw(&p->state[t->state], &t->tri, &rect);
    }
    return pixels;
}

/*
 * Returns the number of the thread that owns tile @n. The owner draws the tile, unless
 * another thread, which has no tiles of its own left, takes it first. Horizontally
 * adjacent tiles have the same owner, because CPUs prefetch pixels beyond the end of a
 * tile's lines. If different threads drew the tiles, each thread would evict these pixels
 * from the other's cache (make bench, core.threads2).
 */
static unsigned tile_owner(const NV3RasterPool *p, unsigned n)
{
    return n / TILE_COLUMNS % nv3_crew_threads(p->crew);
}

/* Draws tile @n, unless another thread has taken the tile. */
static uint32_t take_tile(NV3RasterPool *p, unsigned n)
{
    atomic_bool *taken = &p->tile[n].taken;

    if (atomic_load(taken) || atomic_exchange(taken, true)) {
        return 0;
    }
    atomic_fetch_sub(&p->free_tiles, 1);
    return draw_tile(p, n);
}

/*
 * Draws tiles of the batch until threads have taken all tiles. Thread @thread starts with
 * its own tiles, which may still be in the cache of its CPU since the previous batch.
 * Afterwards, it takes other threads' tiles from last to first, because their owners take
 * them from first to last.
 */
static void draw_tiles(void *opaque, unsigned thread)
{
    NV3RasterPool *p = opaque;
    uint64_t pixels = 0;

    for (unsigned i = 0; i < p->tiles; i++) {
        if (tile_owner(p, p->used[i]) == thread) {
            pixels += take_tile(p, p->used[i]);
        }
    }
    for (unsigned i = p->tiles; i-- && atomic_load(&p->free_tiles);) {
        pixels += take_tile(p, p->used[i]);
    }
    atomic_fetch_add(&p->pixels, pixels);
}

NV3RasterPool *nv3_raster_pool_new(unsigned threads)
{
    NV3RasterPool *p = calloc(1, sizeof(*p));

    if (!p) {
        return NULL;
    }
    if (threads > NV3_RASTER_THREADS_MAX) {
        threads = NV3_RASTER_THREADS_MAX;
    }
    p->crew = nv3_crew_new(threads, draw_tiles, p);
    if (!p->crew) {
        free(p);
        return NULL;
    }
    return p;
}

void nv3_raster_pool_free(NV3RasterPool *p)
{
    if (p) {
        nv3_crew_free(p->crew);
        free(p);
    }
}

static void draw_batch(NV3RasterPool *p)
{
    if (!p->triangles) {
        return;
    }
    atomic_store(&p->pixels, 0);
    atomic_store(&p->free_tiles, p->tiles);
    if (p->tiles > 1 && p->estimate >= WAKE_PIXELS &&
        nv3_crew_threads(p->crew) > 1) {
        nv3_crew_run(p->crew);
    } else {
        draw_tiles(p, 0);
    }
    p->done += atomic_load(&p->pixels);
    for (unsigned i = 0; i < p->tiles; i++) {
        PoolTile *tile = &p->tile[p->used[i]];

        tile->count = 0;
        atomic_store(&tile->taken, false);
    }
    p->states = p->triangles = p->tiles = 0;
    p->estimate = 0;
}

uint64_t nv3_raster_pool_join(NV3RasterPool *p)
{
    uint64_t pixels;

    draw_batch(p);
    pixels = p->done;
    p->done = 0;
    return pixels;
}

/*
 * Computes the range of addresses from the start of surface @s to the last pixel of
 * @bounds.
 */
static void surface_range(const NV3RasterSurface *s, const NV3Rect *bounds,
                          uintptr_t *start, uintptr_t *end)
{
    uintptr_t base = (uintptr_t)s->base;
    uint64_t size = (uint64_t)(bounds->y1 - 1) * s->pitch + 2 * (uint64_t)bounds->x1;

    *start = base;
    *end = base + (size < s->size ? size : s->size);
}

bool nv3_raster_pool_can(const NV3RasterState *st, const NV3Rect *bounds)
{
    uintptr_t color[2], zeta[2];
    const uint32_t line = 2 * (uint32_t)bounds->x1;

    if (nv3_rect_empty(bounds) || bounds->x0 < 0 || bounds->y0 < 0 ||
        bounds->x1 > NV3_RASTER_MAX_X ||
        (st->color.base && st->color.pitch < line) ||
        (st->zeta.base && st->zeta.pitch < line)) {
        return false;
    }
    if (!st->color.base || !st->zeta.base) {
        return true;
    }
    surface_range(&st->color, bounds, &color[0], &color[1]);
    surface_range(&st->zeta, bounds, &zeta[0], &zeta[1]);
    return color[1] <= zeta[0] || zeta[1] <= color[0];
}

static bool same_surface(const NV3RasterSurface *a, const NV3RasterSurface *b)
{
    return a->base == b->base && a->pitch == b->pitch && a->size == b->size;
}

/*
 * Adds @st to the batch, unless it equals the batch's last state. Returns the state's
 * index.
 */
static unsigned push_state(NV3RasterPool *p, const NV3RasterState *st)
{
    const NV3RasterState *last = &p->state[p->states ? p->states - 1 : 0];

    if (p->states && !memcmp(last, st, sizeof(*st))) {
        return p->states - 1;
    }
    if (p->states && (p->states == BATCH_STATES ||
                      !same_surface(&last->color, &st->color) ||
                      !same_surface(&last->zeta, &st->zeta))) {
        draw_batch(p);
    }
    memcpy(&p->state[p->states], st, sizeof(*st));
    return p->states++;
}

static void push_tile(NV3RasterPool *p, unsigned n, unsigned triangle)
{
    PoolTile *tile = &p->tile[n];

    if (!tile->count) {
        p->used[p->tiles++] = n;
    }
    tile->triangle[tile->count++] = triangle;
}

void nv3_raster_pool_push(NV3RasterPool *p, const NV3RasterState *st,
                          const NV3RasterTri *tri, const NV3Rect *rect)
{
    NV3Rect r = nv3_rect_intersect(*rect, (NV3Rect) {
        tri->col0 > 0 ? tri->col0 : 0, tri->row0 > 0 ? tri->row0 : 0,
        tri->col1 < NV3_RASTER_MAX_X ? tri->col1 : NV3_RASTER_MAX_X,
        tri->row1 < NV3_RASTER_MAX_X ? tri->row1 : NV3_RASTER_MAX_X,
    });
    PoolTriangle *t;
    unsigned state;

    if (nv3_rect_empty(&r)) {
        return;
    }
    if (p->triangles == BATCH_TRIANGLES || p->estimate >= BATCH_PIXELS) {
        draw_batch(p);
    }
    state = push_state(p, st);
    t = &p->triangle[p->triangles];
    t->tri = *tri;
    t->rect = r;
    t->state = state;
    p->estimate += (uint64_t)(r.x1 - r.x0) * (r.y1 - r.y0);
    for (int32_t y = r.y0 / TILE_HEIGHT; y <= (r.y1 - 1) / TILE_HEIGHT; y++) {
        for (int32_t x = r.x0 / TILE_WIDTH; x <= (r.x1 - 1) / TILE_WIDTH; x++) {
            push_tile(p, y * TILE_COLUMNS + x, p->triangles);
        }
    }
    p->triangles++;
}
