/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The surfaces to which PGRAPH draws, and the clip that limits drawing. */
#ifndef NV3_GRAPH_SURFACE_H
#define NV3_GRAPH_SURFACE_H

#include "chip/chip.h"

/* One of the four surfaces, in VRAM. */
typedef struct NV3Surface {
    uint8_t format;         /* NV3_SURF_* */
    uint8_t cpp;            /* bytes per pixel */
    uint32_t offset;        /* address of pixel 0, 0 */
    uint32_t pitch;         /* bytes */
} NV3Surface;

/* surface.c */
void nv3_surface_get(NV3State *s, unsigned index, NV3Surface *surf);
/* Finds the destination surfaces of the current object. Returns their number. */
unsigned nv3_surface_destinations(NV3State *s,
                                  NV3Surface out[NV3_PGRAPH_SURFACES]);
/*
 * Returns a pointer to pixels [@x, @x + @count) of line @y, or null if one of these
 * pixels is outside VRAM. If the result is null, the caller must skip the line, so
 * drawing never wraps around at the end of VRAM.
 */
uint8_t *nv3_surface_line(NV3State *s, const NV3Surface *surf, int32_t x,
                          int32_t y, uint32_t count);
/* Reports to the host that the pixels of @surf in @r have changed. */
void nv3_surface_dirty(NV3State *s, const NV3Surface *surf, const NV3Rect *r);

/* clip.c: the clip of the current object. */
typedef struct NV3Clip {
    NV3Rect bounds;         /* intersection of canvas and user clip */
    unsigned count;         /* number of clip rectangles in @rect (CLIPRECT_CTRL) */
    bool occluded;          /* draw only outside of the clip rectangles */
    NV3Rect rect[2];
} NV3Clip;

typedef struct NV3Span {
    int32_t x0, x1;
} NV3Span;

#define NV3_CLIP_SPANS  3

void nv3_clip_get(NV3State *s, NV3Clip *clip);
/* Returns the source canvas. */
NV3Rect nv3_clip_source(NV3State *s);
/*
 * Computes the parts of [@x0, @x1) of line @y that are inside the clip. Stores them in
 * @out, sorted from left to right, and returns their number. The range must be within
 * clip->bounds.
 */
unsigned nv3_clip_line(const NV3Clip *clip, int32_t y, int32_t x0, int32_t x1,
                       NV3Span out[NV3_CLIP_SPANS]);

#endif
