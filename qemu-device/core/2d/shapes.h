/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Functions for the classes that draw in one colour: POINT, LINE, LIN, TRI, RECT, GDI.
 * Methods and registers: envytools hwtest/pgraph_class_solid.cc.
 */
#ifndef NV3_2D_SHAPES_H
#define NV3_2D_SHAPES_H

#include "graph/vertex.h"

/*
 * Returns true if the coordinates of vertices [0, @count) fit in 16 bits, so that
 * arithmetic does not overflow. nv3_pgraph_prep_draw() rejects larger coordinates from
 * methods, but software can also write the registers directly.
 */
bool nv3_solid_in_range(const NV3Pgraph *g, unsigned count);

/* Executes a method that sets the colour. */
void nv3_solid_color(NV3State *s, uint32_t data);
/* Fills the part of @r that is inside the clip, with the object's colour. */
void nv3_solid_rect(NV3State *s, NV3Rect r);

/*
 * An array of items, each of which consists of @words consecutive methods. nv3_mthd_in()
 * returns true if the array contains @mthd, and sets *@word to the index of
 * @mthd in its item.
 */
typedef struct NV3MthdArray {
    uint32_t first;
    unsigned count;         /* number of items */
    unsigned words;         /* words per item */
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
