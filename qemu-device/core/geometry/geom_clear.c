/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Clears rectangles of the targets. Like a triangle, a clear is added to the bins that it
 * covers, so that all threads share its work, and no drawing has to finish first. When a
 * thread draws the bin's triangles afterwards, the cleared pixels are in its CPU's cache.
 */
#include <string.h>

#include "chip/le.h"
#include "geometry/geom_int.h"

/* Cost of clearing a line of a bin, plus 1 for each PIXELS_PER_COST pixels. */
#define COST_LINE       8
#define PIXELS_PER_COST 2

static NV3GeomRect intersect(const NV3GeomRect *a, const NV3GeomRect *b)
{
    return (NV3GeomRect) {
        nv3_geom_max(a->x0, b->x0), nv3_geom_max(a->y0, b->y0),
        nv3_geom_min(a->x1, b->x1), nv3_geom_min(a->y1, b->y1),
    };
}

bool nv3_geom_can_clear(const NV3Geom *g)
{
    const GeomBatch *b = g->batch;

    return b->clears < GEOM_CLEARS && b->triangles < GEOM_TRIANGLES &&
           b->links + GEOM_BINS <= GEOM_LINKS && !nv3_geom_is_full(g);
}

void nv3_geom_clear(NV3Geom *g, const NV3GeomClear *clear)
{
    const int32_t size = NV3_GEOM_BIN, samples = clear->scale * clear->scale;
    const NV3GeomRect *r = &clear->rect;
    GeomBatch *b = g->batch;

    b->clear[b->clears] = *clear;
    b->triangle[b->triangles] = (GeomTriangle) {
        .slot = { b->clears++ }, .flags = GEOM_TRI_CLEAR,
    };
    for (int32_t y = r->y0 / size * size; y < r->y1; y += size) {
        for (int32_t x = r->x0 / size * size; x < r->x1; x += size) {
            const NV3GeomRect bin = { x, y, x + size, y + size };
            const NV3GeomRect part = intersect(r, &bin);

            nv3_geom_push(b, y / size * GEOM_BIN_COLUMNS + x / size, b->triangles,
                          samples * (part.y1 - part.y0) *
                          (COST_LINE + (part.x1 - part.x0) / PIXELS_PER_COST));
        }
    }
    b->triangles++;
}

/* In each of @count pixels, replaces the bits in @mask by those of @value. */
static void fill_line(uint8_t *line, unsigned bytes, int32_t count, uint32_t value,
                      uint32_t mask)
{
    value &= mask;
    if (bytes == 4) {
        for (int32_t x = 0; x < count; x++) {
            nv3_stl(line + 4 * x, (nv3_ldl(line + 4 * x) & ~mask) | value);
        }
    } else {
        for (int32_t x = 0; x < count; x++) {
            nv3_stw(line + 2 * x, (nv3_lduw(line + 2 * x) & ~mask) | value);
        }
    }
}

static void fill(const NV3GeomFill *f, const NV3GeomRect *r)
{
    const uint32_t all = f->bytes == 4 ? UINT32_MAX : UINT16_MAX;
    uint8_t *first = f->base + (uint64_t)r->y0 * f->pitch + r->x0 * f->bytes;

    for (int32_t y = r->y0; y < r->y1; y++) {
        uint8_t *line = first + (uint64_t)(y - r->y0) * f->pitch;

        /* If all bits of a pixel change, all lines are equal: copy the first line. */
        if (y > r->y0 && (f->mask & all) == all) {
            memcpy(line, first, (r->x1 - r->x0) * f->bytes);
        } else {
            fill_line(line, f->bytes, r->x1 - r->x0, f->value, f->mask);
        }
    }
}

uint64_t nv3_geom_clear_part(const NV3GeomClear *clear, const NV3GeomRect *part)
{
    const int32_t scale = clear->scale;
    NV3GeomRect r = intersect(&clear->rect, part);
    uint64_t cleared = 0;

    if (r.x0 >= r.x1 || r.y0 >= r.y1) {
        return 0;
    }
    r = (NV3GeomRect) { r.x0 * scale, r.y0 * scale, r.x1 * scale, r.y1 * scale };
    for (unsigned i = 0; i < 2; i++) {
        if (clear->fill[i].mask) {
            fill(&clear->fill[i], &r);
            cleared += (uint64_t)(r.x1 - r.x0) * (r.y1 - r.y0);
        }
    }
    return cleared;
}
