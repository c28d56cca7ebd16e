/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Class 0x02, ROP: the raster operation, of pattern, source and destination.
 * Methods: envytools hwtest/pgraph_class_ctx.cc.
 */
#include "class.h"

static NV3MthdResult rop_method(NV3State *s, uint32_t mthd, uint32_t data)
{
    if (mthd != NV3_ROP_ROP) {
        return NV3_MTHD_BAD_METHOD;
    }
    /* Not checked on NV3 (on NV1 it is): the low byte counts. */
    s->pgraph.rop = data & 0xff;
    return NV3_MTHD_OK;
}

const NV3Class nv3_class_rop = {
    .id = NV3_CLASS_ROP, .name = "ROP", .method = rop_method,
};
