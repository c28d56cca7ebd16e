/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Class 0x06, PATTERN: 64 bits of two colours, for operations with a P in their
 * name. Methods: envytools hwtest/pgraph_class_ctx.cc. Formats (methods 0x300 and
 * 0x304 of later chips) are options of the object here.
 */
#include "class.h"
#include "pgraph_rop.h"

static void pattern_color(NV3Pgraph *g, unsigned i, uint32_t data)
{
    NV3Color c = nv3_color_expand(g, data);

    g->pattern_rgb[i] = (uint32_t)c.r << 20 | (uint32_t)c.g << 10 | c.b;
    g->pattern_a[i] = c.a;
}

static NV3MthdResult pattern_method(NV3State *s, uint32_t mthd, uint32_t data)
{
    NV3Pgraph *g = &s->pgraph;

    switch (mthd) {
    case NV3_PATTERN_SHAPE:
        g->pattern_shape = data & 3;
        return data <= 2 ? NV3_MTHD_OK : NV3_MTHD_BAD_DATA;
    case NV3_PATTERN_COLOR(0):
    case NV3_PATTERN_COLOR(1):
        pattern_color(g, (mthd - NV3_PATTERN_COLOR(0)) / 4, data);
        return NV3_MTHD_OK;
    case NV3_PATTERN_BITMAP(0):
    case NV3_PATTERN_BITMAP(1):
        /* A bug of the chip's: a switch of objects comes too late for this. */
        g->pattern_mono[(mthd - NV3_PATTERN_BITMAP(0)) / 4] =
            nv3_mono_expand(g->before.options, data);
        return NV3_MTHD_OK;
    default:
        return NV3_MTHD_BAD_METHOD;
    }
}

const NV3Class nv3_class_pattern = {
    .id = NV3_CLASS_PATTERN, .name = "PATTERN", .method = pattern_method,
};
