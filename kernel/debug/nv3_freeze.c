// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: Freezing the resource manager
 *
 * The resource manager handles an interrupt within microseconds and ends a timeslice within
 * milliseconds. A user could not inspect the registers in such a short time. The debugfs file
 * `freeze` freezes the resource manager while the file is open. The user writes the level of the
 * freeze to the file. At level "timeslices", a timeslice ends only when its channel has no batch
 * left. At level "all", the driver also leaves interrupts of the chip pending. As a result, PFIFO
 * and PGRAPH stay at the methods that have trapped, and RAMRO fills up. The user can inspect this
 * state, for example with `info nv3` in QEMU's monitor. Tests such as nv3_runout use a freeze to
 * force an order of events that otherwise depends on the speed of the machine. At level "methods",
 * the driver also stops the puller. When the user writes "step", the driver handles one trap or
 * lets the puller take one method (nv3_step.c).
 *
 * Closing the file, or writing "off", ends the freeze. If the process that has the file open is
 * killed, the kernel closes the file. During a freeze, the display continues to work, but batches
 * may not complete. Only root may therefore open the file. A suspend fails if the batches do not
 * complete.
 */

#include <linux/debugfs.h>
#include <linux/fs.h>
#include <linux/seq_file.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include <drm/drm_drv.h>
#include <drm/drm_file.h>

#include "hw/nv3_cache.h"
#include "nv3_debug.h"
#include "rm/nv3_job.h"
#include "rm/nv3_rm.h"

static const char * const nv3_freeze_names[] = {
	[NV3_FREEZE_NOTHING] = "off",
	[NV3_FREEZE_TIMESLICES] = "timeslices",
	[NV3_FREEZE_ALL] = "all",
	[NV3_FREEZE_METHODS] = "methods",
};

#define NV3_FREEZE_NAME_MAX	16

static int nv3_freeze_open(struct inode *inode, struct file *file)
{
	struct nv3_rm *rm = inode->i_private;

	/* Closing the file ends the freeze, so the file can be open only once at a time. */
	if (atomic_cmpxchg(&rm->freeze_open, 0, 1))
		return -EBUSY;
	drm_dev_get(&rm->nv3->drm);
	file->private_data = rm;
	return nonseekable_open(inode, file);
}

static int nv3_freeze_release(struct inode *inode, struct file *file)
{
	struct nv3_rm *rm = file->private_data;

	nv3_rm_set_freeze(rm, NV3_FREEZE_NOTHING);
	atomic_set(&rm->freeze_open, 0);
	drm_dev_put(&rm->nv3->drm);
	return 0;
}

static ssize_t nv3_freeze_write(struct file *file, const char __user *user, size_t count,
				loff_t *pos)
{
	struct nv3_rm *rm = file->private_data;
	char name[NV3_FREEZE_NAME_MAX] = "";
	int freeze;

	if (count >= sizeof(name))
		return -EINVAL;
	if (copy_from_user(name, user, count))
		return -EFAULT;
	if (sysfs_streq(name, "step"))
		return nv3_step(rm) ?: count;

	freeze = sysfs_match_string(nv3_freeze_names, name);
	if (freeze < 0)
		return freeze;
	nv3_rm_set_freeze(rm, freeze);
	return count;
}

/**
 * nv3_freeze_show() - print the level of the freeze, and where the chip has stopped
 * @rm: the resource manager
 * @m: the debugfs file
 *
 * Prints nothing if the level is NV3_FREEZE_NOTHING.
 * Context: process context; takes nv3_rm.lock.
 */
void nv3_freeze_show(struct nv3_rm *rm, struct seq_file *m)
{
	struct nv3_device *nv3 = rm->nv3;
	struct nv3_store next;
	u32 get, count;

	spin_lock_irq(&rm->lock);
	if (rm->dead || rm->freeze == NV3_FREEZE_NOTHING) {
		spin_unlock_irq(&rm->lock);
		return;
	}

	get = nv3_cache1_get(nv3);
	count = (nv3_cache1_put(nv3) - get) & (nv3->cache1_size - 1);
	seq_printf(m, "frozen: %s, PFIFO_INTR %08x, PGRAPH_INTR %08x, methods in CACHE1 %u\n",
		   nv3_freeze_names[rm->freeze], nv3_rd32(nv3, NV3_PFIFO_INTR),
		   nv3_rd32(nv3, NV3_PGRAPH_INTR) & ~NV3_PGRAPH_INTR_VBLANK, count);
	if (rm->running && count) {
		next = nv3_cache1_read(nv3, get);
		seq_printf(m, "next: channel %u, subchannel %u, method %04x, data %08x\n",
			   rm->running->chan->chid,
			   (next.addr & NV3_FIFO_ADDR_SUBCH) >> NV3_FIFO_ADDR_SUBCH_SHIFT,
			   next.addr & NV3_FIFO_ADDR_MTHD, next.data);
	}
	spin_unlock_irq(&rm->lock);
}

static const struct file_operations nv3_freeze_fops = {
	.owner = THIS_MODULE,
	.open = nv3_freeze_open,
	.release = nv3_freeze_release,
	.write = nv3_freeze_write,
};

/**
 * nv3_freeze_debugfs_init() - create the debugfs file `freeze`
 * @minor: the DRM minor
 *
 * Context: process context.
 */
void nv3_freeze_debugfs_init(struct drm_minor *minor)
{
	debugfs_create_file("freeze", 0200, minor->debugfs_root, to_rm(minor->dev),
			    &nv3_freeze_fops);
}
