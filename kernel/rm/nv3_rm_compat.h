/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What differs in the GPU scheduler between the kernels that the driver is built
 * for; the rest is in ../nv3_compat.h. Goes away with it.
 */
#ifndef NV3_RM_COMPAT_H
#define NV3_RM_COMPAT_H

#include <drm/gpu_scheduler.h>

#ifndef NV3_SCHED_HAS_INIT_ARGS
struct drm_sched_init_args {
	const struct drm_sched_backend_ops *ops;
	u32 num_rqs;
	u32 credit_limit;
	long timeout;
	const char *name;
	struct device *dev;
};

static inline int nv3_sched_init(struct drm_gpu_scheduler *sched,
				 const struct drm_sched_init_args *args)
{
	return drm_sched_init(sched, args->ops, NULL, args->num_rqs, args->credit_limit, 0,
			      args->timeout, NULL, NULL, args->name, args->dev);
}

#define drm_sched_init(sched, args)	nv3_sched_init(sched, args)
#endif

/*
 * For timedout_job(): the scheduler has taken @job off its list, and shall have it back,
 * be it for more time, or because @fence has been signalled meanwhile, when the scheduler
 * has looked for the job in vain.
 */
static inline enum drm_gpu_sched_stat nv3_sched_reinsert(struct drm_sched_job *job,
							 struct dma_fence *fence)
{
#ifdef NV3_SCHED_HAS_NO_HANG
	return DRM_GPU_SCHED_STAT_NO_HANG;
#else
	struct drm_gpu_scheduler *sched = job->sched;

	spin_lock(&sched->job_list_lock);
	list_add(&job->list, &sched->pending_list);
	spin_unlock(&sched->job_list_lock);

	if (dma_fence_is_signaled(fence))
		queue_work(sched->submit_wq, &sched->work_free_job);
	return DRM_GPU_SCHED_STAT_NOMINAL;
#endif
}

#endif
