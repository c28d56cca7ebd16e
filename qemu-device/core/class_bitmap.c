/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Class 0x12, BITMAP: an image of one bit a pixel from the CPU, in two colours.
 * Methods: envytools hwtest/pgraph_class_ifc.cc (Bitmap). Silicon expands a
 * word by the options of before the method that brought it (hwtest calls it a bug).
 */
#include "class.h"
#include "pgraph_image.h"

static NV3MthdResult bitmap_method(NV3State *s, uint32_t mthd, uint32_t data)
{
    switch (mthd) {
    case NV3_BITMAP_COLOR_0:
        nv3_bitmap_color_0(s, data);
        return NV3_MTHD_OK;
    case NV3_BITMAP_COLOR_1:
        nv3_bitmap_color_1(s, data);
        return NV3_MTHD_OK;
    case NV3_BITMAP_POINT:
        nv3_vtx_method(s, data, (NV3VtxKind) { .first = true, .image = true });
        return NV3_MTHD_OK;
    case NV3_BITMAP_SIZE_OUT:
        nv3_image_size(s, NV3_IMAGE_OUT, true, data);
        return NV3_MTHD_OK;
    case NV3_BITMAP_SIZE_IN:
        nv3_image_size(s, NV3_IMAGE_IN, true, data);
        return NV3_MTHD_OK;
    default:
        break;
    }
    if (mthd >= NV3_BITMAP_DATA(0) && mthd < NV3_BITMAP_DATA(32)) {
        nv3_bitmap_data(s, true, data);
        return NV3_MTHD_OK;
    }
    return NV3_MTHD_BAD_METHOD;
}

const NV3Class nv3_class_bitmap = {
    .id = NV3_CLASS_BITMAP, .name = "BITMAP", .method = bitmap_method,
};
