/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Drawing of single pixels, for classes whose pixels arrive one at a time: the current
 * object's surfaces, clip and operation.
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
    NV3Rect drawn;          /* contains all pixels drawn since nv3_target_init() */
} NV3Target;

/* @mode: of the following colours. Returns false if there is no surface to draw to. */
bool nv3_target_init(NV3State *s, NV3Target *t, NV3ColorMode mode);
/* Returns true if the clips allow the pixel. */
bool nv3_target_passes(const NV3Target *t, int32_t x, int32_t y);
void nv3_target_put(NV3State *s, NV3Target *t, int32_t x, int32_t y,
                    NV3Color color);
/*
 * Returns the address at which pixels [@x0, @x1) of line @y may be stored directly, and
 * counts them as drawn. Returns NULL if each must be drawn separately.
 */
uint8_t *nv3_target_line(NV3State *s, NV3Target *t, int32_t x0, int32_t x1,
                         int32_t y);
/* Reports the drawn pixels to the host. */
void nv3_target_done(NV3State *s, NV3Target *t);

#endif
