// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: Hang check
 *
 * A long batch delays other channels only until the driver preempts the batch. The fence of the
 * batch must nevertheless signal, so a budget limits the chip time of each batch. A method can't be
 * preempted, and only a reset can stop it. The driver therefore also limits each method, in two
 * ways:
 *
 * - The work of each method is limited. For methods that draw, the canvas is the limit. The work of
 *   a copy by PDMA depends on the client's arguments, so a copy could be endless. A useful copy
 *   reads and writes each byte of VRAM at most once. PVIRT counts the bytes that PDMA transfers,
 *   and the driver limits this count for each method. This limit is independent of the speed of the
 *   chip and the host. An endless copy reaches the limit within milliseconds.
 * - Each method has a time limit, which is shorter while other channels are ready.
 *
 * The host may suspend the device model at any moment. If the chip has PVIRT, the driver therefore
 * measures chip time with PVIRT's busy-time counter. The scheduler's tick checks the limits every
 * NV3_HANG_CHECK_MS, or at every tick if the budget of the channel is smaller than
 * NV3_HANG_BUDGET_MS.
 */

#include <drm/drm_print.h>

#include "device/nv3_trace.h"
#include "nv3_fence.h"
#include "nv3_job.h"
#include "nv3_sched.h"

/*
 * The number of consecutive checks that must find the chip idle before the batch faults. The
 * notification of a completed batch may be late.
 */
#define NV3_JOB_IDLE_CHECKS	3

/* The maximum total number of bytes that PDMA may read and write for one method. */
#define NV3_HANG_BYTES		(2 * SZ_8M)
/*
 * The time limit of one method. On a slow host, this is enough for the test nv3_isolation, which
 * draws four million pixels with one method.
 */
#define NV3_HANG_METHOD_MS	3000
/* The time limit of one method while other channels are ready. */
#define NV3_HANG_OTHERS_MS	1500
/* The limit for the elapsed time of one method, in case PVIRT's counter has stopped. */
#define NV3_HANG_WALL_MS	10000
/*
 * The interval of the checks, unless the budget of the channel is smaller than NV3_HANG_BUDGET_MS.
 * A check of a busy chip reads six to nine registers. While the device model draws, each read
 * waits for about 0.1 ms.
 */
#define NV3_HANG_CHECK_MS	16
/* The maximum chip time, in nanoseconds, that is accounted to a job before its first check. */
#define NV3_HANG_FIRST_NS	(NV3_HANG_CHECK_MS * NSEC_PER_MSEC)

/*
 * The busy time of the chip, and the number of bytes that PDMA has transferred. The counters wrap,
 * so only the difference between two values is meaningful.
 */
struct nv3_usage {
	u32 ns;
	u32 bytes;
};

static bool nv3_hang_check_has_counters(struct nv3_rm *rm)
{
	return rm->nv3->virt_features & NV3_PVIRT_FEATURE_COUNTERS;
}

static struct nv3_usage nv3_hang_check_usage(struct nv3_rm *rm)
{
	struct nv3_device *nv3 = rm->nv3;

	if (!nv3_hang_check_has_counters(rm))
		return (struct nv3_usage) { .ns = ktime_get_ns() };

	return (struct nv3_usage) {
		.ns = nv3_rd32(nv3, NV3_PVIRT_COUNTER(NV3_PVIRT_COUNTER_BUSY_NS)),
		.bytes = nv3_rd32(nv3, NV3_PVIRT_COUNTER(NV3_PVIRT_COUNTER_DMA_BYTES)),
	};
}

/* Returns a number that changes whenever the chip begins another method of the batch. */
static u64 nv3_hang_check_progress(struct nv3_job *job)
{
	struct nv3_rm *rm = job->chan->rm;

	/* While PFIFO is stopped, no method begins, and the registers do not show the progress. */
	if (rm->preempting)
		return job->hang_check.progress;

	return nv3_pfifo_progress(rm->nv3) + (job->ops->backlog ? job->ops->backlog(job) : 0);
}

static void nv3_hang_check_add_time(struct nv3_hang_check *check, u32 ns)
{
	if (check->checked)
		check->ran_ns += ns - check->counted;
	else
		check->ran_ns += min_t(s64, NV3_HANG_FIRST_NS,
				       ktime_to_ns(ktime_sub(ktime_get(), check->begun)));
	check->counted = ns;
}

/**
 * nv3_hang_check_update() - update the progress and the chip time of the running batch
 * @job: the batch
 *
 * Context: nv3_rm.lock is held. Reads registers.
 */
void nv3_hang_check_update(struct nv3_job *job)
{
	struct nv3_usage usage = nv3_hang_check_usage(job->chan->rm);
	u64 progress = nv3_hang_check_progress(job);
	struct nv3_hang_check *check = &job->hang_check;

	lockdep_assert_held(&job->chan->rm->lock);

	nv3_hang_check_add_time(check, usage.ns);
	if (!check->checked || progress != check->progress) {
		check->progress = progress;
		check->since = ktime_get();
		check->since_ran_ns = check->ran_ns;
		check->since_bytes = usage.bytes;
	}
	check->bytes = usage.bytes - check->since_bytes;
	check->checked = true;
}

/**
 * nv3_hang_check_start() - begin to account the chip time of a job
 * @job: the batch
 *
 * The function reads registers only if the budget of the channel is smaller than
 * NV3_HANG_BUDGET_MS. Otherwise the first check estimates the chip time from the elapsed time.
 *
 * Context: nv3_rm.lock is held.
 */
void nv3_hang_check_start(struct nv3_job *job)
{
	job->hang_check.begun = ktime_get();
	job->hang_check.due = ktime_add_ms(job->hang_check.begun, NV3_HANG_CHECK_MS);
	job->hang_check.checked = false;
	if (job->chan->budget_ms < NV3_HANG_BUDGET_MS)
		nv3_hang_check_update(job);
}

/**
 * nv3_hang_check_rearm() - set the time of the next check if a check is due now
 * @job: the running batch
 *
 * Context: nv3_rm.lock is held.
 * Return: true if the tick should check the batch now.
 */
bool nv3_hang_check_rearm(struct nv3_job *job)
{
	struct nv3_hang_check *check = &job->hang_check;
	ktime_t now = ktime_get();

	lockdep_assert_held(&job->chan->rm->lock);

	if (job->chan->budget_ms >= NV3_HANG_BUDGET_MS && ktime_before(now, check->due))
		return false;
	check->due = ktime_add_ms(now, NV3_HANG_CHECK_MS);
	trace_nv3_batch_running(job->chan->rm->nv3, job->chan->chid, job->seqno, check->begun);
	return true;
}

/* Returns the time limit, in nanoseconds, of one method of the batch. */
static u64 nv3_hang_check_method_ns(struct nv3_job *job)
{
	bool others = !list_empty(&job->chan->rm->ready);

	return (others ? NV3_HANG_OTHERS_MS : NV3_HANG_METHOD_MS) * (u64)NSEC_PER_MSEC;
}

/* Returns true if the batch or its current method has exceeded a limit. Reads registers. */
static bool nv3_hang_check_expired(struct nv3_job *job)
{
	struct nv3_hang_check *check = &job->hang_check;

	nv3_hang_check_update(job);

	return check->bytes > NV3_HANG_BYTES ||
	       check->ran_ns >= job->chan->budget_ms * (u64)NSEC_PER_MSEC ||
	       check->ran_ns - check->since_ran_ns >= nv3_hang_check_method_ns(job) ||
	       ktime_ms_delta(ktime_get(), check->since) >= NV3_HANG_WALL_MS;
}

static void nv3_job_fault(struct nv3_job *job, u32 reason)
{
	const struct nv3_fault fault = { .reason = reason };

	nv3_fault_raise(job->chan->rm, &fault);
}

/**
 * nv3_job_check_hang() - end the running job with a fault if it has exceeded a limit
 * @job: the job
 *
 * Context: nv3_rm.lock is held. Reads registers.
 */
void nv3_job_check_hang(struct nv3_job *job)
{
	lockdep_assert_held(&job->chan->rm->lock);
	drm_WARN_ON(&job->chan->rm->nv3->drm, job->chan->rm->running != job);

	if (nv3_hang_check_expired(job))
		nv3_job_fault(job, DRM_NV3_FAULT_TIMEOUT);
}

/**
 * nv3_job_check_done() - finish the running job if its notification has been written
 * @job: the job
 *
 * The notification may have been written before its interrupt arrives. The function reads no
 * register, because register reads wait while the device model draws.
 *
 * Context: nv3_rm.lock is held.
 */
void nv3_job_check_done(struct nv3_job *job)
{
	lockdep_assert_held(&job->chan->rm->lock);
	drm_WARN_ON(&job->chan->rm->nv3->drm, job->chan->rm->running != job);

	/* A PIO timeslice has no tail. */
	if (!job->is_pio && nv3_fence_is_done(job->chan))
		nv3_job_finish(job->chan->rm, 0);
}

/**
 * nv3_job_check_progress() - check that the chip makes progress with the running job
 * @job: the job
 *
 * The function ignores PIO timeslices, because nv3_pio_tick() checks them.
 *
 * Context: nv3_rm.lock is held. Reads registers.
 */
void nv3_job_check_progress(struct nv3_job *job)
{
	struct nv3_rm *rm = job->chan->rm;

	lockdep_assert_held(&rm->lock);
	drm_WARN_ON(&rm->nv3->drm, rm->running != job);

	if (job->is_pio)
		return;

	if (!nv3_pfifo_is_idle(rm->nv3)) {
		job->idle = 0;
		nv3_job_check_hang(job);
	} else if (++job->idle >= NV3_JOB_IDLE_CHECKS) {
		nv3_job_fault(job, DRM_NV3_FAULT_STREAM);
	}
}
