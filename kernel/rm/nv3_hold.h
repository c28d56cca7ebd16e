/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef NV3_HOLD_H
#define NV3_HOLD_H

#include <linux/types.h>

struct drm_minor;
struct nv3_rm;

/* What the resource manager doesn't do for now: each has that of the one before, too. */
enum nv3_hold {
	NV3_HOLD_NOTHING,
	/** @NV3_HOLD_TURNS: nobody loses the chip before they let it go */
	NV3_HOLD_TURNS,
	/** @NV3_HOLD_ALL: nor is the chip answered when it asks */
	NV3_HOLD_ALL,
};

bool nv3_hold_keeps_turns(struct nv3_rm *rm);
bool nv3_hold_keeps_answers(struct nv3_rm *rm);
void nv3_hold_mask(struct nv3_rm *rm);
void nv3_hold_end(struct nv3_rm *rm);
void nv3_hold_debugfs_init(struct drm_minor *minor);

#endif
