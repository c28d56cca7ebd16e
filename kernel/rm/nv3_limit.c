// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: Limits
 *
 * What takes long isn't wrong, as others have their turns meanwhile. But fences must signal, so
 * a batch has a budget of the chip's time. And only a single method can keep the others
 * waiting, since PGRAPH can't be stopped in the middle of one, short of a reset. So that is what
 * must not be without end, and there are two ways to tell.
 *
 * - Drawing is bounded by the canvas, and what PDMA copies by nothing but its count. No honest
 *   method moves more than all that a card has, once in and once out. PVIRT counts the bytes
 *   that PDMA has moved: the limit doesn't depend on how fast chip and host are, and one without
 *   end comes to it within milliseconds.
 * - Without PVIRT, and for whatever else the chip may do, there is a time, which is so long that
 *   no honest method comes near, and shorter when others wait.
 *
 * The time is the chip's own where PVIRT tells it, as the host of a VM may have other things to do
 * than to be a chip. It is looked at by the queue's tick, and not when batches begin and end, so
 * that submitting reads no register, unless the client has said that it wants a smaller budget.
 */

#include "nv3_channel.h"
#include "nv3_job.h"
#include "nv3_limit.h"
#include "nv3_queue.h"

/* What one method may move, read and written together. */
#define NV3_LIMIT_BYTES		(2 * SZ_8M)
/* How long the chip may be at one method: four million pixels, on a slow machine; */
#define NV3_LIMIT_METHOD_MS	3000
/* the same, while other channels wait; */
#define NV3_LIMIT_OTHERS_MS	1500
/* and by anybody's clock, if the chip's has stopped. */
#define NV3_LIMIT_WALL_MS	10000
/* A turn's time until it is first looked at: no more than a tick, however late that came. */
#define NV3_LIMIT_FIRST_NS	(4 * NSEC_PER_MSEC)

/* The chip's time and PDMA's bytes since some time, low words: only differences count. */
struct nv3_effort {
	u32 ns;
	u32 bytes;
};

static bool nv3_limit_counts(struct nv3_rm *rm)
{
	return rm->nv3->virt_features & NV3_PVIRT_FEATURE_COUNTERS;
}

static struct nv3_effort nv3_limit_effort(struct nv3_rm *rm)
{
	struct nv3_device *nv3 = rm->nv3;

	if (!nv3_limit_counts(rm))
		return (struct nv3_effort) { .ns = ktime_get_ns() };

	return (struct nv3_effort) {
		.ns = nv3_rd32(nv3, NV3_PVIRT_COUNTER(NV3_PVIRT_COUNTER_BUSY_NS)),
		.bytes = nv3_rd32(nv3, NV3_PVIRT_COUNTER(NV3_PVIRT_COUNTER_DMA_BYTES)),
	};
}

/* Something that differs whenever the chip has begun another method of the batch. */
static u64 nv3_limit_progress(struct nv3_job *job)
{
	struct nv3_rm *rm = job->chan->rm;

	/* None begins while PFIFO is held up. */
	if (nv3_queue_stopping(rm))
		return job->meter.progress;

	return nv3_switch_progress(rm) + (job->lease ? job->chan->lease.backlog.count : 0);
}

static void nv3_limit_count(struct nv3_meter *meter, u32 ns)
{
	if (meter->looked)
		meter->ran_ns += ns - meter->counted;
	else
		meter->ran_ns += min_t(s64, NV3_LIMIT_FIRST_NS,
				       ktime_to_ns(ktime_sub(ktime_get(), meter->begun)));
	meter->counted = ns;
}

/**
 * nv3_limit_look() - take down how far a batch is, and what that has cost
 * @job: the batch, which runs
 *
 * Context: nv3_rm.lock is held. Reads registers.
 */
void nv3_limit_look(struct nv3_job *job)
{
	struct nv3_effort effort = nv3_limit_effort(job->chan->rm);
	u64 progress = nv3_limit_progress(job);
	struct nv3_meter *meter = &job->meter;

	lockdep_assert_held(&job->chan->rm->lock);

	nv3_limit_count(meter, effort.ns);
	if (!meter->looked || progress != meter->progress) {
		meter->progress = progress;
		meter->since = ktime_get();
		meter->since_ran_ns = meter->ran_ns;
		meter->since_bytes = effort.bytes;
	}
	meter->bytes = effort.bytes - meter->since_bytes;
	meter->looked = true;
}

/**
 * nv3_limit_begin() - a batch has the chip from now on
 * @job: the batch
 *
 * What its time costs before the first tick is of interest only if its channel has a small budget,
 * so registers are read only then.
 *
 * Context: nv3_rm.lock is held.
 */
void nv3_limit_begin(struct nv3_job *job)
{
	job->meter.begun = ktime_get();
	job->meter.looked = false;
	if (job->chan->budget_ms < NV3_LIMIT_BUDGET_MS)
		nv3_limit_look(job);
}

/* How long the chip may be at one method of the batch. */
static u64 nv3_limit_method_ns(struct nv3_job *job)
{
	bool others = !list_empty(&job->chan->rm->ready);

	return (others ? NV3_LIMIT_OTHERS_MS : NV3_LIMIT_METHOD_MS) * (u64)NSEC_PER_MSEC;
}

/**
 * nv3_limit_exceeded() - has the running batch had all that it may have?
 * @job: the batch
 *
 * Context: nv3_rm.lock is held. Reads registers.
 */
bool nv3_limit_exceeded(struct nv3_job *job)
{
	struct nv3_meter *meter = &job->meter;

	nv3_limit_look(job);

	return meter->bytes > NV3_LIMIT_BYTES ||
	       meter->ran_ns >= job->chan->budget_ms * (u64)NSEC_PER_MSEC ||
	       meter->ran_ns - meter->since_ran_ns >= nv3_limit_method_ns(job) ||
	       ktime_ms_delta(ktime_get(), meter->since) >= NV3_LIMIT_WALL_MS;
}
