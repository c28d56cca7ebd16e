/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef NV3_DOMAINS_H
#define NV3_DOMAINS_H

#include <linux/types.h>

#include <drm/ttm/ttm_placement.h>

struct ttm_placement nv3_bo_placement(u32 domains, u64 size);
struct ttm_placement nv3_bo_evicted_placement(void);

#endif
