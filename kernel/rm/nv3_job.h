/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef NV3_JOB_H
#define NV3_JOB_H

#include "nv3_rm_types.h"

struct drm_exec;

extern const struct drm_sched_backend_ops nv3_job_backend_ops;

unsigned long nv3_rm_lock(struct nv3_rm *rm) __acquires(&rm->lock);
void nv3_rm_unlock(struct nv3_rm *rm, unsigned long flags) __releases(&rm->lock);

struct nv3_job *nv3_job_create(struct nv3_channel *chan, u64 client_id);
void nv3_job_destroy(struct nv3_job *job);
void nv3_job_put(struct nv3_job *job);
int nv3_job_place(struct nv3_job *job, struct drm_exec *exec, unsigned int fences, bool retry);
void nv3_job_arm(struct nv3_job *job);
void nv3_job_push(struct nv3_job *job);
void nv3_job_begin(struct nv3_job *job);
void nv3_batch_begin(struct nv3_job *job);
void nv3_batch_retire(struct nv3_job *job);
void nv3_job_complete(struct nv3_job *job, int error);
void nv3_job_finish(struct nv3_rm *rm, int error);

/* nv3_job_sync.c */
void nv3_job_signal(struct nv3_job *job);
int nv3_job_sync_add(struct nv3_job *job, struct nv3_bo *bo, bool write);
int nv3_job_sync_order(struct nv3_job *job);
void nv3_job_sync_for_device(struct nv3_job *job);
bool nv3_job_sync_for_cpu(struct nv3_job *job);

/* nv3_hang_check.c */
void nv3_job_check_done(struct nv3_job *job);
void nv3_job_check_progress(struct nv3_job *job);
void nv3_job_check_hang(struct nv3_job *job);
void nv3_hang_check_start(struct nv3_job *job);
void nv3_hang_check_update(struct nv3_job *job);
bool nv3_hang_check_rearm(struct nv3_job *job);

/* nv3_long_running.c */
struct nv3_preempt_fence *nv3_preempt_fence_create(struct nv3_rm *rm);
void nv3_preempt_fence_attach(struct nv3_preempt_fence *fence, struct nv3_job *job);
void nv3_preempt_fence_release(struct nv3_job *job);
void nv3_preempt_fences_signal(struct list_head *list);
void nv3_resume_init(struct nv3_channel *chan);
void nv3_resume_fini(struct nv3_channel *chan);
void nv3_resume_queue(struct nv3_channel *chan);

#endif
