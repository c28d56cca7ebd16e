/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pixel by pixel drawing, for classes whose pixels come one at a time: where the
 * current object draws to, clipped, through its operation.
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
    NV3Rect drawn;          /* around all pixels since nv3_target_init() */
} NV3Target;

/* @mode: of the colours to come. False when there is no surface to draw to. */
bool nv3_target_init(NV3State *s, NV3Target *t, NV3ColorMode mode);
/* Whether the clips let a pixel be drawn. */
bool nv3_target_passes(const NV3Target *t, int32_t x, int32_t y);
void nv3_target_put(NV3State *s, NV3Target *t, int32_t x, int32_t y,
                    NV3Color color);
/*
 * Where pixels [@x0, @x1) of line @y may be stored as they are, which counts as
 * drawing them: NULL when each has to be put by itself.
 */
uint8_t *nv3_target_line(NV3State *s, NV3Target *t, int32_t x0, int32_t x1,
                         int32_t y);
/* Tells the host what was drawn. */
void nv3_target_done(NV3State *s, NV3Target *t);

#endif
