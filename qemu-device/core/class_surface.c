/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Class 0x1c, SURFACE: one of the four surfaces that others draw to, the object's
 * options say which. Methods: envytools hwtest/pgraph_class_surf.cc (Surf).
 */
#include "class.h"

#define SURF_VALID  4

static unsigned surface_index(const NV3Pgraph *g)
{
    return g->ctx_switch >> NV3_GROBJ_SURFACE_SHIFT & 3;
}

/* Other values than the four are refused, and decoded by these bits. */
static NV3MthdResult surface_format(NV3Pgraph *g, uint32_t data)
{
    unsigned shift = surface_index(g) * 4;
    unsigned format = NV3_SURF_Y8;

    if (!(data & 0x01000000)) {
        format = NV3_SURF_X8R8G8B8;
    } else if (!(data & 0x00010000)) {
        format = NV3_SURF_X1R5G5B5;
    } else if (data & 1) {
        format = NV3_SURF_Y16;
    }
    g->surf_config &= ~(7u << shift);
    g->surf_config |= (format | SURF_VALID) << shift;
    switch (data) {
    case NV3_SURFACE_FORMAT_Y8:
    case NV3_SURFACE_FORMAT_Y16:
    case NV3_SURFACE_FORMAT_X1R5G5B5:
    case NV3_SURFACE_FORMAT_X8R8G8B8:
        return NV3_MTHD_OK;
    default:
        return NV3_MTHD_BAD_DATA;
    }
}

static uint32_t offset_mask(const NV3State *s)
{
    return s->config.revision == NV3_REVISION_C ?
           NV3_PGRAPH_SURF_OFFSET_MASK_8M : NV3_PGRAPH_SURF_OFFSET_MASK_4M;
}

static NV3MthdResult surface_method(NV3State *s, uint32_t mthd, uint32_t data)
{
    NV3Pgraph *g = &s->pgraph;

    switch (mthd) {
    case NV3_SURFACE_FORMAT:
        return surface_format(g, data);
    case NV3_SURFACE_PITCH:
        g->surf_pitch[surface_index(g)] = data & NV3_PGRAPH_SURF_PITCH_MASK;
        return NV3_MTHD_OK;
    case NV3_SURFACE_OFFSET:
        g->surf_offset[surface_index(g)] = data & offset_mask(s);
        return NV3_MTHD_OK;
    default:
        return NV3_MTHD_BAD_METHOD;
    }
}

const NV3Class nv3_class_surface = {
    .id = NV3_CLASS_SURFACE, .name = "SURFACE", .method = surface_method,
};
