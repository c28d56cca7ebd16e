/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Class 0x11, IFC: an image from the CPU, pixels in the method's data. Methods:
 * envytools hwtest/pgraph_class_ifc.cc.
 */
#include "class.h"
#include "pgraph_image.h"

static void ifc_data(NV3State *s, uint32_t data)
{
    NV3Pgraph *g = &s->pgraph;
    unsigned bytes = nv3_color_bytes(g);
    NV3Target t;

    g->xy_misc[3] &= ~0x10;
    g->misc32[0] = data;
    if (!nv3_image_begin(s, &t, NV3_IMAGE_VALID,
                         nv3_color_expand(g, 0).mode)) {
        return;
    }
    nv3_charge(s, NV3_COST_DRAW + 4 / bytes * t.surfaces * NV3_COST_PIXEL);
    for (unsigned i = 0; i < 4; i += bytes) {
        nv3_image_put(s, &t, nv3_color_expand(g, data >> 8 * i));
    }
    nv3_target_done(s, &t);
}

static NV3MthdResult ifc_method(NV3State *s, uint32_t mthd, uint32_t data)
{
    switch (mthd) {
    case NV3_IFC_POINT:
        nv3_vtx_method(s, data, (NV3VtxKind) { .first = true, .image = true });
        return NV3_MTHD_OK;
    case NV3_IFC_SIZE_OUT:
        nv3_image_size(s, NV3_IMAGE_OUT, false, data);
        return NV3_MTHD_OK;
    case NV3_IFC_SIZE_IN:
        nv3_image_size(s, NV3_IMAGE_IN, false, data);
        return NV3_MTHD_OK;
    default:
        break;
    }
    /* 32 words are documented (rnndb); hwtest has all to the end valid. */
    if (mthd >= NV3_IFC_DATA(0)) {
        ifc_data(s, data);
        return NV3_MTHD_OK;
    }
    return NV3_MTHD_BAD_METHOD;
}

const NV3Class nv3_class_ifc = {
    .id = NV3_CLASS_IFC, .name = "IFC", .method = ifc_method,
};
