/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Class 0x01, BETA: the factor of blends. Methods: envytools
 * hwtest/pgraph_class_ctx.cc.
 */
#include "class.h"

static NV3MthdResult beta_method(NV3State *s, uint32_t mthd, uint32_t data)
{
    if (mthd != NV3_BETA_BETA) {
        return NV3_MTHD_BAD_METHOD;
    }
    /* Fixed point, 8 bits below the sign; negative is none. */
    s->pgraph.beta = data >> 31 ? 0 : data & 0x7f800000;
    return NV3_MTHD_OK;
}

const NV3Class nv3_class_beta = {
    .id = NV3_CLASS_BETA, .name = "BETA", .method = beta_method,
};
