// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: Placing the buffers of a batch
 *
 * Before a batch or a lease is armed, nv3_job_place() moves its buffers to where the chip reaches
 * them, and has nv3_dmaobj_prepare() write their page tables. The buffers are locked meanwhile, and
 * stay in place until the batch's fence has signalled. nv3_room_place() calls it again if another
 * task was in the way.
 */

#include <drm/drm_print.h>

#include "nv3_channel.h"
#include "nv3_dmaobj.h"
#include "nv3_job.h"

/* A surface must be in VRAM; other buffers wherever there is room. */
static int nv3_place_bo(struct nv3_bo *bo)
{
	return nv3_bo_validate(bo, atomic_read(&bo->rm.surfaces) ? DRM_NV3_GEM_VRAM : bo->domains);
}

/*
 * The batch's buffers that are in VRAM already may divide the free room into pieces that are too
 * small for the others. So all of them are evicted, and placed again, the largest first.
 */
static int nv3_place_again(struct nv3_job *job)
{
	struct nv3_bo *largest = NULL;
	int ret = 0;
	u32 i;

	for (i = 0; i < job->bo_count && !ret; i++) {
		struct nv3_bo *bo = job->bos[i];

		if (!largest || bo->tbo.base.size > largest->tbo.base.size)
			largest = bo;
		if (!bo->tbo.pin_count && nv3_bo_in_vram(bo))
			ret = nv3_bo_evict(bo);
	}
	if (!ret && largest)
		ret = nv3_place_bo(largest);
	for (i = 0; i < job->bo_count && !ret; i++)
		ret = nv3_place_bo(job->bos[i]);
	return ret;
}

int nv3_job_place(struct nv3_job *job)
{
	int ret = 0;
	u32 i;

	for (i = 0; i < job->bo_count && !ret; i++)
		ret = nv3_place_bo(job->bos[i]);
	if (ret == -ENOMEM)
		ret = nv3_place_again(job);
	if (ret)
		drm_dbg(&job->chan->rm->nv3->drm, "channel %u: no room for its buffers: %d\n",
			job->chan->chid, ret);
	else
		nv3_dmaobj_prepare(job);
	return ret;
}
