/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What differs between the kernels that the driver is built
 * for; the rest is in ../nv3_compat.h. Goes away with it.
 */
#ifndef NV3_RM_COMPAT_H
#define NV3_RM_COMPAT_H

#include <linux/hrtimer.h>

#include <drm/gpu_scheduler.h>

#ifndef NV3_SCHED_HAS_INIT_ARGS
struct drm_sched_init_args {
	const struct drm_sched_backend_ops *ops;
	struct workqueue_struct *submit_wq;
	u32 num_rqs;
	u32 credit_limit;
	long timeout;
	const char *name;
	struct device *dev;
};

static inline int nv3_sched_init(struct drm_gpu_scheduler *sched,
				 const struct drm_sched_init_args *args)
{
	return drm_sched_init(sched, args->ops, args->submit_wq, args->num_rqs,
			      args->credit_limit, 0, args->timeout, NULL, NULL, args->name,
			      args->dev);
}

#define drm_sched_init(sched, args)	nv3_sched_init(sched, args)
#endif

#ifndef NV3_HAS_HRTIMER_SETUP
static inline void hrtimer_setup(struct hrtimer *timer,
				 enum hrtimer_restart (*function)(struct hrtimer *timer),
				 clockid_t clock, enum hrtimer_mode mode)
{
	hrtimer_init(timer, clock, mode);
	timer->function = function;
}
#endif

#endif
