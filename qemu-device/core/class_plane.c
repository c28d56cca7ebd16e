/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Class 0x04, PLANE: NV1's plane mask. NV3 takes the method and does nothing with
 * it (envytools hwtest/pgraph_class_ctx.cc, MthdPlane).
 */
#include "class.h"

static NV3MthdResult plane_method(NV3State *s, uint32_t mthd, uint32_t data)
{
    return mthd == NV3_PLANE_MASK ? NV3_MTHD_OK : NV3_MTHD_BAD_METHOD;
}

const NV3Class nv3_class_plane = {
    .id = NV3_CLASS_PLANE, .name = "PLANE", .method = plane_method,
};
