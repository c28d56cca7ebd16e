/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Class 0x05, CLIP: the user clip, of objects with the CLIP option. Methods:
 * envytools hwtest/pgraph_class_clip.cc.
 */
#include "class.h"
#include "pgraph_xy.h"

static NV3MthdResult clip_method(NV3State *s, uint32_t mthd, uint32_t data)
{
    switch (mthd) {
    case NV3_CLIP_POINT:
        nv3_clip_method(s, 0, NV3_CORNER_MIN, data);
        return NV3_MTHD_OK;
    case NV3_CLIP_SIZE:
        nv3_clip_method(s, 0, NV3_CORNER_SIZE, data);
        return NV3_MTHD_OK;
    default:
        return NV3_MTHD_BAD_METHOD;
    }
}

const NV3Class nv3_class_clip = {
    .id = NV3_CLASS_CLIP, .name = "CLIP", .method = clip_method,
};
