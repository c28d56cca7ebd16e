/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rectangles of pixels. */
#ifndef NV3_CHIP_RECT_H
#define NV3_CHIP_RECT_H

#include <stdbool.h>
#include <stdint.h>

/* A rectangle of pixels: columns [x0, x1) and lines [y0, y1). */
typedef struct NV3Rect {
    int32_t x0, y0, x1, y1;
} NV3Rect;

static inline bool nv3_rect_empty(const NV3Rect *r)
{
    return r->x0 >= r->x1 || r->y0 >= r->y1;
}

static inline NV3Rect nv3_rect_intersect(NV3Rect a, NV3Rect b)
{
    return (NV3Rect) {
        .x0 = a.x0 > b.x0 ? a.x0 : b.x0,
        .y0 = a.y0 > b.y0 ? a.y0 : b.y0,
        .x1 = a.x1 < b.x1 ? a.x1 : b.x1,
        .y1 = a.y1 < b.y1 ? a.y1 : b.y1,
    };
}

#endif
