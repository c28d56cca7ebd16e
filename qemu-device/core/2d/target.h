/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Declares functions that draw single pixels with the surfaces, clip and operation of the
 * current object.
 */
#ifndef NV3_2D_TARGET_H
#define NV3_2D_TARGET_H

#include "2d/rop.h"
#include "graph/surface.h"

typedef struct NV3Target {
    NV3Clip clip;
    NV3Rop rop;
    NV3Surface surf[NV3_PGRAPH_SURFACES];
    unsigned surfaces;
    NV3Rect drawn;          /* bounds of all pixels drawn since nv3_target_init() */
} NV3Target;

/* @mode: mode of the colours to draw. Returns false if the object has no surface. */
bool nv3_target_init(NV3State *s, NV3Target *t, NV3ColorMode mode);
/* Returns true if the pixel is inside the clip. */
bool nv3_target_passes(const NV3Target *t, int32_t x, int32_t y);
void nv3_target_put(NV3State *s, NV3Target *t, int32_t x, int32_t y,
                    NV3Color color);
/*
 * Returns a pointer through which the caller must store pixels [@x0, @x1) of line @y, or
 * null if the caller must draw each pixel with nv3_target_put().
 */
uint8_t *nv3_target_line(NV3State *s, NV3Target *t, int32_t x0, int32_t x1,
                         int32_t y);
/* Reports the drawn pixels to the host. */
void nv3_target_done(NV3State *s, NV3Target *t);

#endif
