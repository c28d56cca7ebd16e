/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the classes that draw in one colour share: POINT, LINE, LIN, TRI, RECT,
 * GDI. Methods and registers: envytools hwtest/pgraph_class_solid.cc.
 */
#ifndef NV3_2D_SHAPES_H
#define NV3_2D_SHAPES_H

#include "graph/vertex.h"

/*
 * Whether vertices [0, @count) are within 16 bits. Methods see to it; but software
 * may write the registers, and arithmetic must not overflow for that.
 */
bool nv3_solid_in_range(const NV3Pgraph *g, unsigned count);

/* A colour method. */
void nv3_solid_color(NV3State *s, uint32_t data);
/* Fills what of @r is within the clip with the colour. */
void nv3_solid_rect(NV3State *s, NV3Rect r);

/*
 * One method of an array: item @index of it, word @word of the item. False when
 * @mthd is not in the array.
 */
typedef struct NV3MthdArray {
    uint32_t first;
    unsigned count;         /* items */
    unsigned words;         /* an item */
} NV3MthdArray;

static inline bool nv3_mthd_in(uint32_t mthd, NV3MthdArray a, unsigned *word)
{
    uint32_t offset = mthd - a.first;

    if (mthd < a.first || offset >= a.count * a.words * 4) {
        return false;
    }
    *word = offset / 4 % a.words;
    return true;
}

#endif
