/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef NV3_SUBMIT_H
#define NV3_SUBMIT_H

#include <drm/drm_exec.h>

#include "nv3_job.h"

/*
 * The maximum number of fences that one batch adds to a buffer. If the batch lists the buffer more
 * than once, dma_resv keeps a fence for each usage that nv3_submit_usage() returns.
 */
#define NV3_SUBMIT_USAGES	3
/* In addition, placing the buffer adds the fence of an eviction and the fence of a copy. */
#define NV3_SUBMIT_FENCES	(NV3_SUBMIT_USAGES + 2)

/** struct nv3_submit - a SUBMIT in progress, whose arguments have been copied and checked */
struct nv3_submit {
	struct drm_device *drm;
	struct drm_file *file;
	const struct drm_nv3_submit *args;
	/** @job: the batch, or NULL after it was pushed. nv3_job.bos are the buffers in @buffers */
	struct nv3_job *job;

	struct drm_nv3_segment *segments;
	/** @segment_bos: the buffers of @segments, with a reference to each */
	struct nv3_bo **segment_bos;
	struct drm_nv3_buffer *buffers;
	/** @size: total size of all segments in bytes */
	u32 size;
	/**
	 * @outs: list of struct nv3_out_sync for the out syncobjs, empty after the batch was pushed
	 */
	struct list_head outs;

	/**
	 * @preempt_fence: the preempt fence if the channel is long-running; NULL after the batch
	 * was pushed
	 */
	struct nv3_preempt_fence *preempt_fence;
	/** @interrupted: the PIO channel whose timeslice had to end, with a reference, or NULL */
	struct nv3_channel *interrupted;
	struct drm_exec exec;
};

int nv3_submit_batch(struct nv3_submit *submit);

#endif
