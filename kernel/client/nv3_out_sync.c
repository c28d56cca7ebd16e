// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: Out syncobjs
 *
 * SUBMIT and CHANNEL_FLUSH take syncobjs that are to get the fence of the work. Everything that
 * can fail (looking one up, memory for its timeline point) is done by nv3_out_sync_add(), before
 * the work is queued; handing over the fence can't fail and doesn't sleep.
 */

#include <linux/dma-fence-chain.h>
#include <linux/slab.h>

#include <drm/drm_syncobj.h>

#include "nv3_out_sync.h"

/* Adds timeline point @point of the syncobj, or the syncobj itself for 0. -ENOENT, -ENOMEM. */
int nv3_out_sync_add(struct list_head *list, struct drm_file *file, u32 handle, u64 point)
{
	struct nv3_out_sync *out;

	out = kzalloc(sizeof(*out), GFP_KERNEL_ACCOUNT);
	if (!out)
		return -ENOMEM;

	out->point = point;
	out->syncobj = drm_syncobj_find(file, handle);
	if (!out->syncobj) {
		kfree(out);
		return -ENOENT;
	}
	list_add_tail(&out->link, list);

	if (point) {
		out->chain = dma_fence_chain_alloc();
		if (!out->chain)
			return -ENOMEM;
	}
	return 0;
}

/*
 * The fence comes later. A binary syncobj loses the fence that it has, so that a wait for the
 * next one (DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT) does not find an old one.
 */
void nv3_out_syncs_clear(struct list_head *list)
{
	struct nv3_out_sync *out;

	list_for_each_entry(out, list, link)
		if (!out->chain)
			drm_syncobj_replace_fence(out->syncobj, NULL);
}

/* Gives all of them @fence. */
void nv3_out_syncs_signal(struct list_head *list, struct dma_fence *fence)
{
	struct nv3_out_sync *out;

	list_for_each_entry(out, list, link) {
		if (out->chain) {
			drm_syncobj_add_point(out->syncobj, out->chain, fence, out->point);
			out->chain = NULL;
		} else {
			drm_syncobj_replace_fence(out->syncobj, fence);
		}
	}
	nv3_out_syncs_free(list);
}

void nv3_out_syncs_free(struct list_head *list)
{
	struct nv3_out_sync *out, *next;

	list_for_each_entry_safe(out, next, list, link) {
		list_del(&out->link);
		dma_fence_chain_free(out->chain);
		drm_syncobj_put(out->syncobj);
		kfree(out);
	}
}
