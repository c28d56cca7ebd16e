/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Draws single pixels (target.h). */
#include "2d/target.h"
#include "graph/surface.h"

bool nv3_target_init(NV3State *s, NV3Target *t, NV3ColorMode mode)
{
    t->surfaces = nv3_surface_destinations(s, t->surf);
    t->drawn = (NV3Rect) { INT32_MAX, INT32_MAX, INT32_MIN, INT32_MIN };
    if (!t->surfaces) {
        return false;
    }
    nv3_clip_get(s, &t->clip);
    nv3_rop_init(&t->rop, &s->pgraph, t->surf[0].format, mode);
    return true;
}

bool nv3_target_passes(const NV3Target *t, int32_t x, int32_t y)
{
    const NV3Clip *clip = &t->clip;
    const NV3Rect *b = &clip->bounds;
    NV3Span span[NV3_CLIP_SPANS];

    return x >= b->x0 && x < b->x1 && y >= b->y0 && y < b->y1 &&
           (!clip->count || nv3_clip_line(clip, y, x, x + 1, span));
}

static void include(NV3Rect *r, int32_t x, int32_t y)
{
    r->x0 = x < r->x0 ? x : r->x0;
    r->y0 = y < r->y0 ? y : r->y0;
    r->x1 = x >= r->x1 ? x + 1 : r->x1;
    r->y1 = y >= r->y1 ? y + 1 : r->y1;
}

void nv3_target_put(NV3State *s, NV3Target *t, int32_t x, int32_t y,
                    NV3Color color)
{
    if (!nv3_target_passes(t, x, y)) {
        return;
    }
    s->counters[NV3_PVIRT_COUNTER_PIXELS]++;
    include(&t->drawn, x, y);
    for (unsigned j = 0; j < t->surfaces; j++) {
        unsigned cpp = t->surf[j].cpp;
        uint8_t *p = nv3_surface_line(s, &t->surf[j], x, y, 1);

        if (p) {
            uint32_t old = nv3_pixel_load(p, cpp);

            nv3_pixel_store(p, cpp, nv3_rop_pixel(&t->rop, x, y, old, color));
        }
    }
}

uint8_t *nv3_target_line(NV3State *s, NV3Target *t, int32_t x0, int32_t x1,
                         int32_t y)
{
    const NV3Rect *b = &t->clip.bounds;
    uint8_t *p;

    if (t->surfaces != 1 || t->clip.count || x0 >= x1 || x0 < b->x0 ||
        x1 > b->x1 || y < b->y0 || y >= b->y1) {
        return NULL;
    }
    p = nv3_surface_line(s, &t->surf[0], x0, y, x1 - x0);
    if (p) {
        s->counters[NV3_PVIRT_COUNTER_PIXELS] += x1 - x0;
        include(&t->drawn, x0, y);
        include(&t->drawn, x1 - 1, y);
    }
    return p;
}

void nv3_target_done(NV3State *s, NV3Target *t)
{
    for (unsigned j = 0; j < t->surfaces; j++) {
        nv3_surface_dirty(s, &t->surf[j], &t->drawn);
    }
    if (!nv3_rect_empty(&t->drawn)) {
        s->pgraph.epoch++;
    }
}
