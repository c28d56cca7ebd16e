/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef NV3_DOMAINS_H
#define NV3_DOMAINS_H

#include <linux/bits.h>
#include <linux/mm.h>
#include <linux/types.h>

#include <drm/ttm/ttm_placement.h>

/* The size in pages of low VRAM, the part of VRAM that surfaces and the CRTC can address. */
#define NV3_LOW_PAGES	(NV3_BAR1_VRAM_MAX >> PAGE_SHIFT)

/* With DRM_NV3_GEM_VRAM: the buffer must be in low VRAM. */
#define NV3_GEM_LOW	BIT(31)
/* With DRM_NV3_GEM_VRAM: the buffer is placed above low VRAM if possible. */
#define NV3_GEM_HIGH	BIT(30)

struct ttm_placement nv3_bo_placement(u32 domains, u64 size);
struct ttm_placement nv3_bo_evicted_placement(void);

#endif
