// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: Device core dumps
 *
 * When a channel faults, the driver records the state of the chip at that moment in a dump. Root
 * can read the dump in /sys/class/devcoredump. include/nv3_dump.h describes the format, and
 * `nv3-info --decode` prints a dump as text.
 *
 * The driver detects most faults in the interrupt handler. It reads about 450 registers into
 * preallocated memory before it drops the rest of the batch. A worker passes the dump to user
 * space. The driver makes at most one dump per second. The kernel keeps only one dump of each
 * device, until the dump is deleted or five minutes have passed. A client that faults repeatedly
 * therefore costs little time, and does not replace the first dump.
 */

#include <linux/devcoredump.h>
#include <linux/jiffies.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/vmalloc.h>

#include <drm/drm_drv.h>

#include "nv3_debug.h"
#include "nv3_dump.h"
#include "rm/nv3_job.h"

/* The maximum size of a dump in bytes. */
#define NV3_COREDUMP_MAX	SZ_16K

/**
 * struct nv3_coredump - the dump of the last fault, until the dump is passed to user space
 *
 * No memory can be allocated when a fault occurs, so the structure is allocated together with the
 * resource manager.
 */
struct nv3_coredump {
	/** @rm: constant */
	struct nv3_rm *rm;

	/* Guarded by nv3_rm.lock. */

	/**
	 * @size: size of the dump in @data, in bytes, or 0 if @data contains no dump that @work
	 * must still pass to user space
	 */
	u32 size;
	/** @next: the earliest time of the next dump, in jiffies */
	unsigned long next;
	/** @any: the driver has made a dump, so @next is valid */
	bool any;

	/** @work: passes @data to user space */
	struct work_struct work;
	/** @data: NV3_COREDUMP_MAX bytes for the dump; while @size isn't 0, @work may read them */
	u8 *data;
};

/* The minimum time between two dumps, in jiffies. */
#define NV3_DUMP_INTERVAL	HZ

/*
 * The maximum numbers of words of the ring that a dump contains before and after the pusher's
 * position.
 */
#define NV3_DUMP_RING_BEFORE	256
#define NV3_DUMP_RING_AFTER	128
/* The maximum number of entries of RAMRO that a dump contains. */
#define NV3_DUMP_RAMRO_MAX	64

/* The registers that a dump contains. Reading these registers has no known side effect. */
static const u32 nv3_dump_regs[] = {
	NV3_PMC_INTR,
	NV3_PMC_ENABLE,
	NV3_PFIFO_CACHE_ERROR,
	NV3_PFIFO_INTR,
	NV3_PFIFO_INTR_EN,
	NV3_PFIFO_CONFIG,
	NV3_PFIFO_RAMHT,
	NV3_PFIFO_RAMFC,
	NV3_PFIFO_RAMRO,
	NV3_PFIFO_RUNOUT_STATUS,
	NV3_PFIFO_RUNOUT_PUT,
	NV3_PFIFO_RUNOUT_GET,
	NV3_PFIFO_CACHES,
	NV3_PFIFO_CACHE0_PUT,
	NV3_PFIFO_CACHE0_STATUS,
	NV3_PFIFO_CACHE0_GET,
	NV3_PFIFO_CACHE1_PUSH_ACCESS,
	NV3_PFIFO_CACHE1_PUSH_CHID,
	NV3_PFIFO_CACHE1_PUT,
	NV3_PFIFO_CACHE1_STATUS,
	NV3_PFIFO_CACHE1_DMA_STATE,
	NV3_PFIFO_CACHE1_DMA_CTRL,
	NV3_PFIFO_CACHE1_DMA_COUNT,
	NV3_PFIFO_CACHE1_DMA_GET,
	NV3_PFIFO_CACHE1_DMA_TARGET,
	NV3_PFIFO_CACHE1_DMA_PT_INST,
	NV3_PFIFO_CACHE1_PULL_CTRL,
	NV3_PFIFO_CACHE1_PULL_STATE,
	NV3_PFIFO_CACHE1_GET,
	NV3_PFIFO_CACHE1_CTX(0),
	NV3_PFIFO_CACHE1_CTX(1),
	NV3_PFIFO_CACHE1_CTX(2),
	NV3_PFIFO_CACHE1_CTX(3),
	NV3_PFIFO_CACHE1_CTX(4),
	NV3_PFIFO_CACHE1_CTX(5),
	NV3_PFIFO_CACHE1_CTX(6),
	NV3_PFIFO_CACHE1_CTX(7),
	NV3_PGRAPH_DEBUG_0,
	NV3_PGRAPH_DEBUG_1,
	NV3_PGRAPH_DEBUG_2,
	NV3_PGRAPH_DEBUG_3,
	NV3_PGRAPH_INTR,
	NV3_PGRAPH_INVALID,
	NV3_PGRAPH_INTR_EN,
	NV3_PGRAPH_CTX_CONTROL,
	NV3_PGRAPH_SRC_CANVAS_MIN,
	NV3_PGRAPH_SRC_CANVAS_MAX,
	NV3_PGRAPH_DST_CANVAS_MIN,
	NV3_PGRAPH_DST_CANVAS_MAX,
	NV3_PGRAPH_SURF_OFFSET(0),
	NV3_PGRAPH_SURF_OFFSET(1),
	NV3_PGRAPH_SURF_OFFSET(2),
	NV3_PGRAPH_SURF_OFFSET(3),
	NV3_PGRAPH_SURF_PITCH(0),
	NV3_PGRAPH_SURF_PITCH(1),
	NV3_PGRAPH_SURF_PITCH(2),
	NV3_PGRAPH_SURF_PITCH(3),
	NV3_PGRAPH_FIFO_ENABLE,
	NV3_PGRAPH_SURF_CONFIG,
	NV3_PGRAPH_STATUS,
	NV3_PGRAPH_TRAPPED_ADDR,
	NV3_PGRAPH_TRAPPED_DATA,
	NV3_PGRAPH_TRAPPED_INST,
	NV3_PDMA_INTR,
	NV3_PDMA_INTR_EN,
	NV3_PDMA_FLAGS,
	NV3_PDMA_LIMIT,
	NV3_PDMA_TLB_PTE,
	NV3_PDMA_TLB_TAG,
	NV3_PDMA_ADDR,
	NV3_PDMA_BYTES,
	NV3_PDMA_INST,
};

/* All sections together must fit into a dump, even if each section has its maximum size. */
static_assert(sizeof(struct nv3_dump_header) + 6 * sizeof(struct nv3_dump_section) +
	      sizeof(struct nv3_dump_fault) + sizeof(nv3_dump_regs) * 2 +
	      (NV3_GRAPH_WORDS + NV3_GRAPH_FETCHED) * sizeof(struct nv3_dump_register) +
	      (NV3_PFIFO_CACHE1_SIZE_C + NV3_DUMP_RAMRO_MAX) * sizeof(struct nv3_dump_method) +
	      sizeof(struct nv3_dump_ring) +
	      (NV3_DUMP_RING_BEFORE + NV3_DUMP_RING_AFTER + 1) * sizeof(u32) <= NV3_COREDUMP_MAX);

/* Appends @size zeroed bytes to the dump. Returns their address. */
static void *nv3_dump_append(struct nv3_coredump *dump, u32 size)
{
	void *data = dump->data + dump->size;

	memset(data, 0, size);
	dump->size += size;
	return data;
}

static struct nv3_dump_section *nv3_dump_begin(struct nv3_coredump *dump, u32 type)
{
	struct nv3_dump_section *section = nv3_dump_append(dump, sizeof(*section));

	section->type = cpu_to_le32(type);
	return section;
}

static void nv3_dump_end(struct nv3_coredump *dump, struct nv3_dump_section *section)
{
	u32 start = (u8 *)(section + 1) - dump->data;

	dump->size = ALIGN(dump->size, 8);
	section->size = cpu_to_le32(dump->size - start);
}

static void nv3_dump_pair(struct nv3_coredump *dump, u32 first, u32 second)
{
	__le32 *pair = nv3_dump_append(dump, 2 * sizeof(*pair));

	pair[0] = cpu_to_le32(first);
	pair[1] = cpu_to_le32(second);
}

static void nv3_dump_describe(struct nv3_coredump *dump, struct nv3_channel *chan,
			      const struct nv3_fault *fault, const struct nv3_job *job,
			      bool on_chip)
{
	struct nv3_dump_section *section = nv3_dump_begin(dump, NV3_DUMP_FAULT);
	struct nv3_dump_fault *out = nv3_dump_append(dump, sizeof(*out));
	const struct nv3_client *client = chan->client;

	out->time_ns = cpu_to_le64(ktime_get_ns());
	out->batch = cpu_to_le64(job ? job->seqno : 0);
	out->ran_ns = cpu_to_le64(job ? job->hang_check.ran_ns : 0);
	out->flags = cpu_to_le32((on_chip ? NV3_DUMP_ON_CHIP : 0) |
				 (chan->type == DRM_NV3_CHANNEL_PIO ? NV3_DUMP_PIO : 0));
	out->chip_id = cpu_to_le32(chan->rm->nv3->chip_id);
	out->channel = cpu_to_le32(chan->chid);
	out->reason = cpu_to_le32(fault->reason);
	out->subch = cpu_to_le32(fault->subch);
	out->method = cpu_to_le32(fault->mthd);
	out->data = cpu_to_le32(fault->data);
	out->class_id = cpu_to_le32(fault->class_id);
	if (client) {
		out->pid = cpu_to_le32(client->pid);
		out->uid = cpu_to_le32(from_kuid_munged(&init_user_ns, client->uid));
		strscpy(out->comm, client->comm, sizeof(out->comm));
	}
	nv3_dump_end(dump, section);
}

static void nv3_dump_registers(struct nv3_coredump *dump, struct nv3_rm *rm)
{
	struct nv3_dump_section *section = nv3_dump_begin(dump, NV3_DUMP_REGISTERS);
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(nv3_dump_regs); i++)
		nv3_dump_pair(dump, nv3_dump_regs[i], nv3_rd32(rm->nv3, nv3_dump_regs[i]));
	nv3_dump_end(dump, section);
}

static void nv3_dump_graph(struct nv3_coredump *dump, struct nv3_channel *chan)
{
	struct nv3_rm *rm = chan->rm;
	const bool live = rm->pgraph == chan;
	unsigned int i;
	u32 reg;

	for (i = 0; i < NV3_GRAPH_FETCHED; i++) {
		reg = nv3_pgraph_fetched_reg(i);
		nv3_dump_pair(dump, reg, live ? nv3_rd32(rm->nv3, reg) : chan->graph.fetched[i]);
	}
	for (i = 0; i < NV3_GRAPH_WORDS; i++) {
		reg = nv3_pgraph_reg(i);
		nv3_dump_pair(dump, reg, live ? nv3_rd32(rm->nv3, reg) : chan->graph.word[i]);
	}
}

static void nv3_dump_state(struct nv3_coredump *dump, struct nv3_channel *chan)
{
	struct nv3_dump_section *section = nv3_dump_begin(dump, NV3_DUMP_STATE);

	nv3_dump_graph(dump, chan);
	nv3_dump_end(dump, section);
}

/*
 * If @on_chip is true, records the methods in CACHE1. Otherwise records the methods that were saved
 * from CACHE1 when the batch was preempted.
 */
static void nv3_dump_cache1(struct nv3_coredump *dump, struct nv3_channel *chan, bool on_chip)
{
	struct nv3_dump_section *section = nv3_dump_begin(dump, NV3_DUMP_CACHE1);
	const struct nv3_preempted *preempted = &chan->queue.preempted;
	struct nv3_rm *rm = chan->rm;
	unsigned int i, count = preempted->valid ? preempted->count : 0;
	u32 get = 0;

	if (on_chip) {
		get = nv3_cache1_get(rm->nv3);
		count = (nv3_cache1_put(rm->nv3) - get) & (rm->nv3->cache1_size - 1);
	}
	for (i = 0; i < count; i++) {
		struct nv3_store store = on_chip ? nv3_cache1_read(rm->nv3, get + i) :
						   preempted->entry[i];

		nv3_dump_pair(dump, store.addr, store.data);
	}
	nv3_dump_end(dump, section);
}

static void nv3_dump_ramro(struct nv3_coredump *dump, struct nv3_rm *rm)
{
	struct nv3_dump_section *section = nv3_dump_begin(dump, NV3_DUMP_RAMRO);
	u32 get = nv3_rd32(rm->nv3, NV3_PFIFO_RUNOUT_GET) % NV3_RAMRO_BYTES;
	u32 put = nv3_rd32(rm->nv3, NV3_PFIFO_RUNOUT_PUT) % NV3_RAMRO_BYTES;
	unsigned int i;

	for (i = 0; get != put && i < NV3_DUMP_RAMRO_MAX; i++) {
		nv3_dump_pair(dump, nv3_ramin_rd32(rm->nv3, NV3_RM_RAMRO + get),
			      nv3_ramin_rd32(rm->nv3, NV3_RM_RAMRO + get + 4));
		get = (get + NV3_RAMRO_ENTRY_SIZE) % NV3_RAMRO_BYTES;
	}
	nv3_dump_end(dump, section);
}

/* Records the words of the batch around the pusher's position. */
static void nv3_dump_ring(struct nv3_coredump *dump, struct nv3_channel *chan,
			  const struct nv3_job *job, bool on_chip)
{
	struct nv3_dump_section *section = nv3_dump_begin(dump, NV3_DUMP_RING);
	struct nv3_dump_ring *out = nv3_dump_append(dump, sizeof(*out));
	const u32 first = job->span.start / 4, end = (job->span.start + job->span.size) / 4;
	u32 get = job->span.start, from, to;

	if (on_chip)
		get = nv3_rd32(chan->rm->nv3, NV3_PFIFO_CACHE1_DMA_GET);
	else if (chan->queue.preempted.valid)
		get = chan->queue.preempted.dma_get;

	/* DMA_GET may contain any value, so clamp it to the batch. */
	from = clamp(get / 4, first, end);
	to = min(from + NV3_DUMP_RING_AFTER, end);
	from -= min(from - first, (u32)NV3_DUMP_RING_BEFORE);

	out->start = cpu_to_le32(from * 4);
	out->count = cpu_to_le32(to - from);
	out->get = cpu_to_le32(get);
	out->batch = cpu_to_le32(job->span.start);
	out->batch_size = cpu_to_le32(job->span.size);
	memcpy(nv3_dump_append(dump, (to - from) * 4), chan->ring.cpu + from, (to - from) * 4);
	if ((to - from) % 2)
		nv3_dump_append(dump, 4);
	nv3_dump_end(dump, section);
}

static void nv3_dump_take(struct nv3_coredump *dump, struct nv3_channel *chan,
			  const struct nv3_fault *fault)
{
	struct nv3_rm *rm = chan->rm;
	struct nv3_job *job = list_first_entry_or_null(&chan->queue.jobs, struct nv3_job, link);
	bool on_chip = rm->running && rm->running->chan == chan;
	struct nv3_dump_header *header;

	dump->size = 0;
	header = nv3_dump_append(dump, sizeof(*header));
	nv3_dump_describe(dump, chan, fault, job, on_chip);
	if (on_chip) {
		nv3_dump_registers(dump, rm);
		nv3_dump_ramro(dump, rm);
	}
	nv3_dump_state(dump, chan);
	nv3_dump_cache1(dump, chan, on_chip);
	if (job && !job->is_pio)
		nv3_dump_ring(dump, chan, job, on_chip);

	memcpy(header->magic, NV3_DUMP_MAGIC, sizeof(header->magic));
	header->version = cpu_to_le32(NV3_DUMP_VERSION);
	header->size = cpu_to_le32(dump->size);
}

/*
 * &struct nv3_debug_ops.fault: makes a dump, unless the previous dump was made less than a second
 * ago, or has not been passed to user space yet. Reads about 450 registers.
 */
static void nv3_coredump_fault(struct nv3_channel *chan, const struct nv3_fault *fault)
{
	struct nv3_rm *rm = chan->rm;
	struct nv3_coredump *dump = rm->dump;

	lockdep_assert_held(&rm->lock);

	if (!IS_ENABLED(CONFIG_DEV_COREDUMP) || rm->dead || dump->size)
		return;
	if (dump->any && time_before(jiffies, dump->next))
		return;

	nv3_dump_take(dump, chan, fault);
	dump->next = jiffies + NV3_DUMP_INTERVAL;
	dump->any = true;
	queue_work(rm->wq, &dump->work);
}

/*
 * Passes a copy of the dump to the devcoredump core, which frees the copy with vfree(). If the core
 * still has an older dump of the device, the core frees the new copy at once.
 */
static void nv3_dump_hand_over(struct nv3_rm *rm, u32 size)
{
	void *copy = vmalloc(size);

	if (!copy)
		return;
	memcpy(copy, rm->dump->data, size);
	dev_coredumpv(rm->nv3->drm.dev, copy, size, GFP_KERNEL);
}

static void nv3_dump_work(struct work_struct *work)
{
	struct nv3_coredump *dump = container_of(work, struct nv3_coredump, work);
	u32 size;

	spin_lock_irq(&dump->rm->lock);
	size = dump->size;
	spin_unlock_irq(&dump->rm->lock);

	if (!size)
		return;
	nv3_dump_hand_over(dump->rm, size);

	spin_lock_irq(&dump->rm->lock);
	dump->size = 0;
	spin_unlock_irq(&dump->rm->lock);
}

/* &struct nv3_debug_ops.release */
static void nv3_coredump_release(struct nv3_rm *rm)
{
	if (rm->dump)
		kfree(rm->dump->data);
	kfree(rm->dump);
}

/* &struct nv3_debug_ops.init */
static int nv3_coredump_init(struct nv3_rm *rm)
{
	rm->dump = kzalloc(sizeof(*rm->dump), GFP_KERNEL);
	if (!rm->dump)
		return -ENOMEM;

	rm->dump->rm = rm;
	INIT_WORK(&rm->dump->work, nv3_dump_work);
	rm->dump->data = kmalloc(NV3_COREDUMP_MAX, GFP_KERNEL);
	return rm->dump->data ? 0 : -ENOMEM;
}

/* &struct nv3_debug_ops.fini */
static void nv3_coredump_fini(struct nv3_rm *rm)
{
	cancel_work_sync(&rm->dump->work);
}

const struct nv3_debug_ops nv3_debug_hooks = {
	.init = nv3_coredump_init,
	.fini = nv3_coredump_fini,
	.release = nv3_coredump_release,
	.fault = nv3_coredump_fault,
};
