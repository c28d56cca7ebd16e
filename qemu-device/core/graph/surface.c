/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The four surfaces in VRAM that PGRAPH draws to and reads from. The selection of an
 * object's surfaces follows envytools nvhw/pgraph.c (nv03_pgraph_surf_format()) and
 * hwtest/pgraph_rop.cc. As on silicon, drawing by 2D classes ignores the valid bits of
 * SURF_CONFIG. Only the optional format check (prep.c) evaluates these bits.
 */
#include "chip/cost.h"
#include "graph/surface.h"

static uint8_t bytes_per_pixel(unsigned format)
{
    switch (format) {
    case NV3_SURF_Y8:
        return 1;
    case NV3_SURF_X8R8G8B8:
        return 4;
    default:
        return 2;
    }
}

void nv3_surface_get(NV3State *s, unsigned index, NV3Surface *surf)
{
    NV3Pgraph *g = &s->pgraph;

    surf->format = g->surf_config >> (index * 4) & 3;
    surf->cpp = bytes_per_pixel(surf->format);
    surf->offset = g->surf_offset[index];
    surf->pitch = g->surf_pitch[index];
}

/*
 * PGRAPH computes each pixel once, so it uses the format of the first destination surface
 * for all destination surfaces.
 */
unsigned nv3_surface_destinations(NV3State *s,
                                  NV3Surface out[NV3_PGRAPH_SURFACES])
{
    unsigned n = 0;

    for (unsigned i = 0; i < NV3_PGRAPH_SURFACES; i++) {
        if (s->pgraph.ctx_switch >> (NV3_GROBJ_DST_SHIFT + i) & 1) {
            nv3_surface_get(s, i, &out[n]);
            out[n].format = out[0].format;
            out[n].cpp = out[0].cpp;
            n++;
        }
    }
    return n;
}

uint8_t *nv3_surface_line(NV3State *s, const NV3Surface *surf, int32_t x,
                          int32_t y, uint32_t count)
{
    uint64_t start = surf->offset + (uint64_t)y * surf->pitch +
                     (uint64_t)x * surf->cpp;

    nv3_step(LINE, 1);
    if (x < 0 || y < 0 || start + (uint64_t)count * surf->cpp > s->vram_reach) {
        return NULL;
    }
    return s->vram + start;
}

void nv3_surface_dirty(NV3State *s, const NV3Surface *surf, const NV3Rect *r)
{
    uint64_t start, end;

    if (nv3_rect_empty(r)) {
        return;
    }
    start = surf->offset + (uint64_t)r->y0 * surf->pitch +
            (uint64_t)r->x0 * surf->cpp;
    end = surf->offset + (uint64_t)(r->y1 - 1) * surf->pitch +
          (uint64_t)r->x1 * surf->cpp;
    if (end > s->vram_reach) {
        end = s->vram_reach;
    }
    if (start < end) {
        nv3_vram_dirty(s, start, end - start);
    }
}
