/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef NV3_TT_H
#define NV3_TT_H

#include <linux/types.h>

struct nv3_device;
struct sg_table;
struct ttm_buffer_object;
struct ttm_device;
struct ttm_operation_ctx;
struct ttm_tt;

/* Members of struct ttm_device_funcs. */
struct ttm_tt *nv3_tt_create(struct ttm_buffer_object *tbo, u32 page_flags);
int nv3_tt_populate(struct ttm_device *ttm, struct ttm_tt *tt, struct ttm_operation_ctx *ctx);
void nv3_tt_unpopulate(struct ttm_device *ttm, struct ttm_tt *tt);
void nv3_tt_destroy(struct ttm_device *ttm, struct ttm_tt *tt);

bool nv3_tt_is_bounced(struct nv3_device *nv3, struct sg_table *sgt);

void nv3_tt_unmap_all(struct nv3_device *nv3);

#endif
