// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: Out syncobjs
 *
 * SUBMIT and CHANNEL_FLUSH accept out syncobjs. The driver passes the fence of the submitted work
 * to each of these syncobjs. Before the work is queued, nv3_out_sync_add() executes all steps that
 * can fail: it looks up the syncobj, and allocates memory for the timeline point. Passing the fence
 * to the syncobj can't fail, and does not sleep.
 */

#include <linux/dma-fence-chain.h>
#include <linux/slab.h>

#include <drm/drm_syncobj.h>

#include "nv3_out_sync.h"

/**
 * nv3_out_sync_add() - add a syncobj to a list
 * @list: the list
 * @file: the client's file
 * @handle: the handle of the syncobj
 * @point: the point on the timeline of the syncobj, or 0 for a binary syncobj
 *
 * Context: process context.
 * Return: 0, -ENOENT or -ENOMEM.
 */
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

/**
 * nv3_out_syncs_clear() - remove the fences of binary syncobjs
 * @list: the syncobjs, to which a new fence will be passed later
 *
 * A client that waits for the new fence (DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT) therefore does not
 * find the old fence.
 *
 * Context: any.
 */
void nv3_out_syncs_clear(struct list_head *list)
{
	struct nv3_out_sync *out;

	list_for_each_entry(out, list, link)
		if (!out->chain)
			drm_syncobj_replace_fence(out->syncobj, NULL);
}

/**
 * nv3_out_syncs_signal() - pass a fence to syncobjs, and free the list
 * @list: the syncobjs
 * @fence: the fence
 *
 * Context: any.
 */
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

/**
 * nv3_out_syncs_free() - free a list of syncobjs
 * @list: the list; may be empty
 *
 * Context: any.
 */
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
