// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: Places
 *
 * Before a batch, or a lease, is armed, its buffers are brought where the chip reaches them. They
 * are locked all the while, and then stay there until its fence has signalled. Page tables follow
 * them at once (nv3_dmaobj.c).
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
 * What is there already may lie so that no room is left in one piece. So all
 * that can leave VRAM does, and comes back the largest first.
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
		if (!bo->tbo.pin_count && bo->domains & DRM_NV3_GEM_SYSTEM)
			ret = nv3_bo_validate(bo, DRM_NV3_GEM_SYSTEM);
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
