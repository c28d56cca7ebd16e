// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: debugfs files of the resource manager
 *
 * The file `channels` shows all channels with their objects, and statistics. The file `counters`
 * shows the performance counters of PVIRT, which count the work of all clients. Reading `switch`
 * tests whether PGRAPH's state is loaded correctly (nv3_switch_test.c). Writing to `freeze` freezes
 * the resource manager (nv3_freeze.c).
 */

#include <linux/seq_file.h>

#include <drm/drm_debugfs.h>
#include <drm/drm_drv.h>
#include <drm/drm_file.h>

#include "nv3_debug.h"
#include "rm/nv3_job.h"
#include "rm/nv3_object.h"
#include "rm/nv3_rm.h"

/*
 * Prints an object, unless it is the fence object. No other interface shows whether the chip or the
 * driver executes the methods of an object.
 */
static void nv3_rm_show_object(struct seq_file *m, struct nv3_channel *chan,
			       struct nv3_object *obj)
{
	if (obj == chan->fence_context.object)
		return;

	seq_printf(m, "  object %08x: class %02x %s, %s", obj->key.handle, obj->class->id,
		   obj->class->name, !obj->key.ctx ? "memory" :
		   obj->key.ctx & NV3_CTX_HARDWARE ? "hardware" : "software");
	if (drm_mm_node_allocated(&obj->inst.node))
		seq_printf(m, ", instance %04x", nv3_ramin_inst(&obj->inst));
	if (!list_empty(&obj->dying))
		seq_puts(m, ", destroyed");
	seq_putc(m, '\n');
}

static void nv3_rm_show_channel(struct seq_file *m, struct nv3_channel *chan)
{
	struct nv3_rm *rm = chan->rm;
	struct nv3_object *obj;
	unsigned long handle;

	spin_lock_irq(&rm->lock);
	seq_printf(m, "channel %u, %s: batches submitted %llu retired %llu completed %llu%s%s%s%s%s%s%s%s\n",
		   chan->chid, chan->type == DRM_NV3_CHANNEL_PIO ? "PIO" : "DMA",
		   chan->submitted, chan->retired, chan->completed,
		   chan->long_running ? ", long-running" : "",
		   nv3_sched_evicted_job(chan) ? ", evicted" : "",
		   rm->pfifo == chan ? ", in PFIFO" : "", rm->pgraph == chan ? ", in PGRAPH" : "",
		   chan->queue.preempted.valid ? ", preempted" : "",
		   list_empty(&chan->queue.link) ? "" : ", ready",
		   chan->queue.waits ? ", blocked" : "", chan->closed ? ", closed" : "");
	seq_printf(m, "  waited for at most %u timeslices, priority %d\n", chan->queue.waited,
		   chan->queue.priority);
	if (chan->client)
		seq_printf(m, "  opened by %s, process %d, user %u\n", chan->client->comm,
			   chan->client->pid,
			   from_kuid_munged(&init_user_ns, chan->client->uid));
	if (chan->fault.reason)
		seq_printf(m, "  fault %u: subchannel %u, class %02x, method %04x, data %08x\n",
			   chan->fault.reason, chan->fault.subch, chan->fault.class_id,
			   chan->fault.mthd, chan->fault.data);
	xa_for_each(&chan->objects, handle, obj)
		nv3_rm_show_object(m, chan, obj);
	spin_unlock_irq(&rm->lock);
}

static void nv3_rm_show_cost(struct seq_file *m, const char *block,
			     const struct nv3_switch_cost *cost)
{
	seq_printf(m, "%s switched %llu times, %llu ns each\n", block, cost->count,
		   cost->count ? div64_u64(cost->ns, cost->count) : 0);
}

static int nv3_rm_show(struct seq_file *m, void *data)
{
	struct drm_info_node *node = m->private;
	struct nv3_rm *rm = to_rm(node->minor->dev);
	struct nv3_channel *chan;
	u32 chid;

	seq_printf(m, "switches %llu, batches %llu, preempted %llu, resets %llu, RAMHT entries %u misses %llu evictions %llu\n",
		   READ_ONCE(rm->switches), READ_ONCE(rm->batches), rm->preemptions, rm->resets,
		   NV3_RAMHT_BUCKETS * rm->ramht.depth, rm->ramht.misses, rm->ramht.evictions);
	seq_printf(m, "runouts %llu, busy for %llu ns\n", READ_ONCE(rm->runouts),
		   READ_ONCE(rm->engine_ns));

	nv3_freeze_show(rm, m);
	nv3_rm_show_cost(m, "PFIFO", &rm->pfifo_cost);
	nv3_rm_show_cost(m, "PGRAPH", &rm->pgraph_cost);
	nv3_rm_show_cost(m, "context images", &rm->image_cost);

	for (chid = 1; chid < NV3_USER_CHANNELS; chid++) {
		chan = nv3_rm_get_channel(rm, chid);
		if (!chan)
			continue;
		nv3_rm_show_channel(m, chan);
		nv3_channel_put(chan);
	}
	return 0;
}

static const char *const nv3_rm_counters[NV3_PVIRT_COUNTER_COUNT] = {
	[NV3_PVIRT_COUNTER_METHODS] = "methods",
	[NV3_PVIRT_COUNTER_PIXELS] = "pixels",
	[NV3_PVIRT_COUNTER_TRIANGLES] = "triangles",
	[NV3_PVIRT_COUNTER_SWITCHES] = "switches",
	[NV3_PVIRT_COUNTER_DMA_BYTES] = "dma-bytes",
	[NV3_PVIRT_COUNTER_BUSY_NS] = "busy-ns",
};

/*
 * Reads a counter of PVIRT. Reading the low word latches the high word, so the two reads need a
 * lock.
 */
static u64 nv3_rm_read_counter(struct nv3_rm *rm, unsigned int counter)
{
	u64 low, high;

	spin_lock_irq(&rm->lock);
	low = nv3_rd32(rm->nv3, NV3_PVIRT_COUNTER(counter));
	high = nv3_rd32(rm->nv3, NV3_PVIRT_COUNTER(counter) + 4);
	spin_unlock_irq(&rm->lock);
	return high << 32 | low;
}

static int nv3_rm_show_counters(struct seq_file *m, void *data)
{
	struct drm_info_node *node = m->private;
	struct nv3_rm *rm = to_rm(node->minor->dev);
	unsigned int i;
	int idx;

	if (!(rm->nv3->virt_features & NV3_PVIRT_FEATURE_COUNTERS))
		return -EOPNOTSUPP;
	if (!drm_dev_enter(node->minor->dev, &idx))
		return -ENODEV;

	for (i = 0; i < NV3_PVIRT_COUNTER_COUNT; i++)
		seq_printf(m, "%s %llu\n", nv3_rm_counters[i], nv3_rm_read_counter(rm, i));
	drm_dev_exit(idx);
	return 0;
}

static int nv3_rm_show_switch(struct seq_file *m, void *data)
{
	struct drm_info_node *node = m->private;

	return nv3_switch_test_show(to_rm(node->minor->dev), m);
}

static const struct drm_info_list nv3_rm_debugfs_list[] = {
	{ "channels", nv3_rm_show, 0, NULL },
	{ "counters", nv3_rm_show_counters, 0, NULL },
	{ "switch", nv3_rm_show_switch, 0, NULL },
};

/**
 * nv3_rm_debugfs_init() - create the debugfs files of the resource manager
 * @minor: the DRM minor
 *
 * Context: process context.
 */
void nv3_rm_debugfs_init(struct drm_minor *minor)
{
	drm_debugfs_create_files(nv3_rm_debugfs_list, ARRAY_SIZE(nv3_rm_debugfs_list),
				 minor->debugfs_root, minor);
	nv3_freeze_debugfs_init(minor);
}
