/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Class 0x03, CHROMA: the colour that objects with the CHROMA option don't draw.
 * Methods: envytools hwtest/pgraph_class_ctx.cc.
 */
#include "class.h"
#include "pgraph_rop.h"

static NV3MthdResult chroma_method(NV3State *s, uint32_t mthd, uint32_t data)
{
    NV3Pgraph *g = &s->pgraph;

    if (mthd != NV3_CHROMA_COLOR) {
        return NV3_MTHD_BAD_METHOD;
    }
    g->chroma = nv3_color_pack(nv3_color_expand(g, data));
    return NV3_MTHD_OK;
}

const NV3Class nv3_class_chroma = {
    .id = NV3_CLASS_CHROMA, .name = "CHROMA", .method = chroma_method,
};
