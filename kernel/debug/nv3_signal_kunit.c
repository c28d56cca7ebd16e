// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * KUnit tests of code on which fences depend. The tests check that this code is annotated for
 * lockdep, and that the fence of a PIO timeslice signals even if the aperture can't be unmapped.
 */

#include <kunit/test.h>

#include <linux/dma-fence.h>
#include <linux/fs.h>
#include <linux/lockdep.h>

#include "nv3_kunit.h"
#include "pio/nv3_pio.h"
#include "rm/nv3_fence.h"
#include "rm/nv3_job.h"
#include "rm/nv3_object.h"
#include "rm/nv3_rm.h"

/* ---- a channel without a chip ---- */

static void nv3_test_drop_image(struct nv3_rm *rm, struct nv3_channel *chan)
{
}

static const struct nv3_class_ops nv3_test_class_ops = {
	.drop_image = nv3_test_drop_image,
};

static const struct nv3_rm_hooks nv3_test_hooks = {
	.class = &nv3_test_class_ops,
	.pio = IS_ENABLED(CONFIG_DRM_NV3_PIO) ? &nv3_pio_hooks : NULL,
};

/* Creates a channel whose registers and instance memory are ordinary memory. */
static struct nv3_channel *nv3_test_channel(struct kunit *test, u32 type)
{
	struct nv3_channel *chan = kunit_kzalloc(test, sizeof(*chan), GFP_KERNEL);
	struct nv3_rm *rm = nv3_test_rm(test);

	KUNIT_ASSERT_NOT_NULL(test, chan);
	rm->hooks = &nv3_test_hooks;
	rm->nv3->mmio = nv3_test_bar(test, NV3_PDMA_TLB_PTE + PAGE_SIZE);
	rm->nv3->cache1_size = NV3_PFIFO_CACHE1_SIZE_C;
	rm->sched_wq = system_dfl_wq;
	rm->signal_wq = system_dfl_wq;
	rm->unmap_wq = system_dfl_wq;
	init_waitqueue_head(&rm->idle);
	INIT_LIST_HEAD(&rm->pio_requested);

	/* The test never drops this reference, so that no worker ends the channel. */
	kref_init(&chan->ref);
	chan->rm = rm;
	chan->chid = 1;
	chan->type = type;
	chan->fence_context.context = dma_fence_context_alloc(1);
	xa_init_flags(&chan->objects, XA_FLAGS_LOCK_IRQ);
	spin_lock_init(&chan->outs_lock);
	init_waitqueue_head(&chan->retire_wait);
	INIT_LIST_HEAD(&chan->dying);
	INIT_LIST_HEAD(&chan->watchers);
	INIT_LIST_HEAD(&chan->notifier_waits);
	INIT_LIST_HEAD(&chan->queue.link);
	INIT_LIST_HEAD(&chan->queue.jobs);
	INIT_WORK(&chan->reap, nv3_rm_reap_work);
	return chan;
}

static void nv3_test_retire(struct nv3_job *job)
{
}

static const struct nv3_job_ops nv3_test_job_ops = {
	.retire = nv3_test_retire,
};

/* Initialises @job as a job of @chan, and makes it the running job. */
static void nv3_test_job_run(struct kunit *test, struct nv3_job *job, struct nv3_channel *chan)
{
	job->chan = chan;
	job->seqno = 1;
	job->fence = nv3_fence_create(chan);
	KUNIT_ASSERT_NOT_NULL(test, job->fence);
	list_add_tail(&job->link, &chan->queue.jobs);
	chan->rm->running = job;
	chan->rm->running_since = ktime_get();
	atomic_set(&chan->rm->jobs, 1);
}

/* ---- annotations ---- */

/*
 * Returns true if the caller is between dma_fence_begin_signalling() and
 * dma_fence_end_signalling(). lockdep treats such a section as a lock that the task holds.
 */
static bool nv3_test_is_signalling(void)
{
#ifdef CONFIG_LOCKDEP
	int i;

	for (i = 0; i < current->lockdep_depth; i++)
		if (!strcmp(current->held_locks[i].instance->name, "dma_fence_map"))
			return true;
#endif
	return false;
}

static void nv3_test_require_lockdep(struct kunit *test)
{
	bool cookie = dma_fence_begin_signalling();
	bool works = nv3_test_is_signalling();

	dma_fence_end_signalling(cookie);
	if (!works)
		kunit_skip(test, "needs lockdep");
}

/* Records whether the object was removed in an annotated section. */
struct nv3_test_object {
	struct nv3_object base;
	unsigned int forgotten;
	bool signalling;
};

static void nv3_test_forget(struct nv3_channel *chan, struct nv3_object *obj)
{
	struct nv3_test_object *t = container_of(obj, struct nv3_test_object, base);

	t->forgotten++;
	t->signalling = nv3_test_is_signalling();
}

static const struct nv3_class nv3_test_class = {
	.name = "test",
	.forget = nv3_test_forget,
};

/* Batches of the channel wait for nv3_rm_reap_work(), which must therefore be annotated. */
static void nv3_test_reap(struct kunit *test)
{
	struct nv3_channel *chan = nv3_test_channel(test, DRM_NV3_CHANNEL_DMA);
	struct nv3_test_object *t = kunit_kzalloc(test, sizeof(*t), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, t);
	nv3_test_require_lockdep(test);
	chan->rm->dead = true;
	chan->queue.reaping = true;
	/* The table holds the first reference. The test never drops the second reference. */
	kref_init(&t->base.ref);
	nv3_object_get(&t->base);
	t->base.chan = chan;
	t->base.class = &nv3_test_class;
	INIT_LIST_HEAD(&t->base.memory);
	list_add_tail(&t->base.dying, &chan->dying);

	nv3_channel_get(chan);
	nv3_rm_reap_work(&chan->reap);
	KUNIT_EXPECT_EQ(test, 1, t->forgotten);
	KUNIT_EXPECT_TRUE(test, t->signalling);
	KUNIT_EXPECT_FALSE(test, chan->queue.reaping);
}

/* Records whether a fence has signalled, and whether it has signalled in an annotated section. */
struct nv3_test_cb {
	struct dma_fence_cb base;
	bool signalled;
	bool signalling;
};

static void nv3_test_signalled(struct dma_fence *fence, struct dma_fence_cb *base)
{
	struct nv3_test_cb *cb = container_of(base, struct nv3_test_cb, base);

	cb->signalled = true;
	cb->signalling = nv3_test_is_signalling();
}

static void nv3_test_cb_add(struct kunit *test, struct nv3_test_cb *cb, struct dma_fence *fence)
{
	KUNIT_ASSERT_EQ(test, 0, dma_fence_add_callback(fence, &cb->base, nv3_test_signalled));
}

static void nv3_test_cb_expect(struct kunit *test, const struct nv3_test_cb *cb)
{
	KUNIT_EXPECT_TRUE(test, cb->signalled);
	KUNIT_EXPECT_TRUE(test, cb->signalling);
}

/* nv3_rm_quiesce() must signal the fence of the running batch, in an annotated section. */
static void nv3_test_quiesce(struct kunit *test)
{
	struct nv3_channel *chan = nv3_test_channel(test, DRM_NV3_CHANNEL_DMA);
	struct nv3_job *job = kunit_kzalloc(test, sizeof(*job), GFP_KERNEL);
	struct nv3_test_cb cb = { };

	KUNIT_ASSERT_NOT_NULL(test, job);
	nv3_test_require_lockdep(test);
	chan->rm->nv3->rm = chan->rm;
	job->ops = &nv3_test_job_ops;
	nv3_test_job_run(test, job, chan);
	nv3_test_cb_add(test, &cb, job->fence);

	nv3_rm_quiesce(chan->rm->nv3);
	nv3_test_cb_expect(test, &cb);
	KUNIT_EXPECT_EQ(test, -ENODEV, job->fence->error);
	KUNIT_EXPECT_PTR_EQ(test, NULL, chan->rm->running);
	dma_fence_put(job->fence);
}

/*
 * If the GPU scheduler drops a job, for example because its client was killed, free_job() signals
 * the fence of the job. A later job of the channel may wait for this fence.
 */
static void nv3_test_dropped_job(struct kunit *test)
{
	struct nv3_channel *chan = nv3_test_channel(test, DRM_NV3_CHANNEL_DMA);
	struct nv3_test_cb cb = { };
	struct dma_fence *fence;
	struct nv3_job *job;

	nv3_test_require_lockdep(test);
	KUNIT_ASSERT_EQ(test, 0, nv3_rm_init_sched(chan));
	job = nv3_job_create(chan, 0);
	KUNIT_ASSERT_FALSE(test, IS_ERR(job));
	job->ops = &nv3_test_job_ops;
	job->fence = nv3_fence_create(chan);
	KUNIT_ASSERT_NOT_NULL(test, job->fence);
	fence = dma_fence_get(job->fence);
	nv3_test_cb_add(test, &cb, fence);

	/* free_job() drops a reference to the channel and frees the job. */
	nv3_channel_get(chan);
	atomic_set(&chan->rm->jobs, 1);
	nv3_job_backend_ops.free_job(&job->base);
	nv3_test_cb_expect(test, &cb);
	KUNIT_EXPECT_EQ(test, -ECANCELED, fence->error);
	KUNIT_EXPECT_EQ(test, 0, atomic_read(&chan->rm->jobs));
	dma_fence_put(fence);

	drm_sched_entity_destroy(&chan->entity);
	drm_sched_fini(chan->sched);
	kfree(chan->rm->scheds[chan->chid]);
}

/* ---- an aperture that can't be unmapped ---- */

/* NV3_PIO_UNMAP_MS plus a margin for busy hosts */
#define NV3_TEST_UNMAP_TIMEOUT	(30 * HZ)

static void nv3_test_pio_fini(void *data)
{
	nv3_pio_hooks.fini(data);
}

/* Creates a PIO channel with an open timeslice that the next tick ends. */
static struct nv3_channel *nv3_test_pio(struct kunit *test, struct nv3_job *job)
{
	struct nv3_channel *chan = nv3_test_channel(test, DRM_NV3_CHANNEL_PIO);
	struct nv3_device *nv3 = chan->rm->nv3;

	nv3->drm.anon_inode = kunit_kzalloc(test, sizeof(*nv3->drm.anon_inode), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, nv3->drm.anon_inode);
	KUNIT_ASSERT_EQ(test, 0, nv3_pio_hooks.init(chan));
	KUNIT_ASSERT_EQ(test, 0, kunit_add_action_or_reset(test, nv3_test_pio_fini, chan));
	mutex_init(&chan->pio->aperture.lock);

	job->is_pio = true;
	job->ops = &nv3_pio_job_ops;
	nv3_test_job_run(test, job, chan);
	chan->rm->pfifo = chan;
	chan->pio->state = NV3_PIO_OPEN;
	chan->pio->job = job;
	chan->pio->since = jiffies - HZ;
	return chan;
}

/*
 * The test holds a lock that unmapping needs. A page fault handler that waits for memory, and thus
 * for a fence, may hold this lock. The fence of the timeslice must signal nevertheless.
 */
static void nv3_test_pio_stuck(struct kunit *test)
{
	struct nv3_job *job = kunit_kzalloc(test, sizeof(*job), GFP_KERNEL);
	struct nv3_channel *chan;
	struct nv3_pio *pio;
	long left;

	if (!IS_ENABLED(CONFIG_DRM_NV3_PIO))
		kunit_skip(test, "needs CONFIG_DRM_NV3_PIO");
	KUNIT_ASSERT_NOT_NULL(test, job);
	chan = nv3_test_pio(test, job);
	pio = chan->pio;

	mutex_lock(&pio->aperture.lock);
	queue_delayed_work(chan->rm->signal_wq, &pio->tick, 0);
	left = dma_fence_wait_timeout(job->fence, false, NV3_TEST_UNMAP_TIMEOUT);
	KUNIT_EXPECT_FALSE(test, pio->aperture.gone);
	KUNIT_EXPECT_EQ(test, 0, pio->unmapped);
	mutex_unlock(&pio->aperture.lock);

	KUNIT_ASSERT_GT(test, left, 0);
	KUNIT_EXPECT_EQ(test, -EIO, job->fence->error);
	KUNIT_EXPECT_EQ(test, DRM_NV3_FAULT_TIMEOUT, chan->fault.reason);
	KUNIT_EXPECT_TRUE(test, pio->stuck);
	KUNIT_EXPECT_PTR_EQ(test, NULL, chan->rm->running);

	/* When the lock is free again, the aperture is unmapped permanently. */
	flush_delayed_work(&pio->tick);
	flush_work(&pio->unmap);
	KUNIT_EXPECT_EQ(test, NV3_PIO_NONE, nv3_pio_state(chan));
	KUNIT_EXPECT_TRUE(test, pio->aperture.gone);
	dma_fence_put(job->fence);
}

static struct kunit_case nv3_signal_cases[] = {
	KUNIT_CASE(nv3_test_reap),
	KUNIT_CASE(nv3_test_quiesce),
	KUNIT_CASE(nv3_test_dropped_job),
	KUNIT_CASE_SLOW(nv3_test_pio_stuck),
	{}
};

static struct kunit_suite nv3_signal_suite = {
	.name = "nv3-signal",
	.test_cases = nv3_signal_cases,
};

kunit_test_suite(nv3_signal_suite);
