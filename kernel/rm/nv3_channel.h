/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef NV3_CHANNEL_H
#define NV3_CHANNEL_H

#include "nv3_rm_types.h"

struct nv3_channel *nv3_channel_create(struct nv3_rm *rm, u32 type, u32 flags,
				       struct drm_file *file);
void nv3_channel_close(struct nv3_channel *chan);
void nv3_channel_stop(struct nv3_channel *chan);
int nv3_channel_wait_retired(struct nv3_channel *chan, u64 batch);

#endif
