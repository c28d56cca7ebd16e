// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: Suspend and resume
 *
 * RAMIN is VRAM, and loses its contents with the power. Almost nothing is lost with it, as
 * what objects are is known outside: each class can write the words of its objects again, and
 * RAMHT fills as names are missed. Only which objects the subchannels have is nowhere but in
 * RAMFC, and is put away.
 */

#include <drm/drm_print.h>

#include "nv3_channel.h"
#include "nv3_object.h"

/* Programs are frozen by now; what they have submitted is still carried out. */
#define NV3_SUSPEND_TIMEOUT	(20 * HZ)

static void nv3_rm_suspend_channel(struct nv3_channel *chan)
{
	unsigned int i;

	spin_lock_irq(&chan->rm->lock);
	for (i = 0; i < NV3_PFIFO_CACHE1_CTX_COUNT; i++)
		chan->suspended[i] = nv3_ramfc_get(chan, i);
	spin_unlock_irq(&chan->rm->lock);
}

/**
 * nv3_rm_wait_idle() - wait until all that was submitted is over
 * @nv3: the device
 *
 * Programs are frozen. A batch of a long-running channel that is not over could bring its buffers
 * back into VRAM.
 *
 * Context: process context.
 * Return: 0, or -EBUSY after a while.
 */
int nv3_rm_wait_idle(struct nv3_device *nv3)
{
	struct nv3_rm *rm = nv3->rm;

	if (wait_event_timeout(rm->idle, !atomic_read(&rm->jobs), NV3_SUSPEND_TIMEOUT))
		return 0;

	drm_err(&nv3->drm, "batches don't end, no suspend\n");
	return -EBUSY;
}

/**
 * nv3_rm_suspend() - prepare for a time without power
 * @nv3: the device
 *
 * Programs are frozen, and buffers have left VRAM.
 *
 * Context: process context.
 * Return: 0, or -EBUSY when the chip doesn't come to rest.
 */
int nv3_rm_suspend(struct nv3_device *nv3)
{
	struct nv3_rm *rm = nv3->rm;
	struct nv3_channel *chan;
	u32 chid;
	int ret;

	ret = nv3_rm_wait_idle(nv3);
	if (ret)
		return ret;
	/* Objects that are destroyed have words in RAMIN. */
	flush_workqueue(rm->sched_wq);
	nv3_object_flush_free(rm);

	for (chid = 1; chid < NV3_USER_CHANNELS; chid++) {
		chan = nv3_rm_get_channel(rm, chid);
		if (!chan)
			continue;
		nv3_rm_suspend_channel(chan);
		nv3_channel_put(chan);
	}

	spin_lock_irq(&rm->lock);
	nv3_switch_fini(rm);
	spin_unlock_irq(&rm->lock);
	return 0;
}

static void nv3_rm_resume_channel(struct nv3_channel *chan)
{
	unsigned int i;

	if (chan->type == DRM_NV3_CHANNEL_DMA)
		nv3_ring_write_table(chan->rm, &chan->ring);

	spin_lock_irq(&chan->rm->lock);
	for (i = 0; i < NV3_PFIFO_CACHE1_CTX_COUNT; i++)
		nv3_ramfc_set(chan, i, chan->suspended[i]);
	spin_unlock_irq(&chan->rm->lock);
}

/**
 * nv3_rm_resume() - bring PFIFO and PGRAPH back after a time without power
 * @nv3: the device
 *
 * Before buffers are used again.
 *
 * Context: process context.
 */
void nv3_rm_resume(struct nv3_device *nv3)
{
	struct nv3_rm *rm = nv3->rm;
	struct nv3_channel *chan;
	struct nv3_object *obj;
	unsigned long inst;
	u32 chid;

	spin_lock_irq(&rm->lock);
	nv3_ramht_init(rm);
	nv3_switch_reset(rm);
	spin_unlock_irq(&rm->lock);

	xa_for_each(&rm->instances, inst, obj) {
		spin_lock_irq(&rm->lock);
		obj->class->write(obj);
		spin_unlock_irq(&rm->lock);
	}

	for (chid = 1; chid < NV3_USER_CHANNELS; chid++) {
		chan = nv3_rm_get_channel(rm, chid);
		if (!chan)
			continue;
		nv3_rm_resume_channel(chan);
		nv3_channel_put(chan);
	}
}
