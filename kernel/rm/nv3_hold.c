// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: Holding still
 *
 * The chip asks, and is answered within microseconds; a turn ends in milliseconds. Whoever
 * wants to see what stood in the registers in between has no time to look. So debugfs has a
 * file `hold`, which holds the resource manager, not the chip: as long as it is open and "turns"
 * was the last that was written to it, nobody loses the chip who doesn't let it go, and with
 * "all" the chip isn't answered either. PFIFO then stands on the method that it asked about,
 * PGRAPH on the one that it refused, and RAMRO fills, for as long as one likes to look (by
 * `info nv3` of QEMU's monitor, say). Tests come in this way to what otherwise depends on how
 * fast a machine is: nv3_runout.
 *
 * Closing the file, or "nothing", has all go on; so does a kill of whoever has it open. The
 * display goes on meanwhile, and so does what clients wait for without the chip; but their
 * batches don't, so this is for root and for a while. There is no suspend in it.
 */

#include <linux/debugfs.h>
#include <linux/fs.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include <drm/drm_drv.h>
#include <drm/drm_file.h>

#include "nv3_hold.h"
#include "nv3_job.h"
#include "nv3_limit.h"
#include "nv3_switch.h"

static const char * const nv3_hold_names[] = {
	[NV3_HOLD_NOTHING] = "nothing",
	[NV3_HOLD_TURNS] = "turns",
	[NV3_HOLD_ALL] = "all",
};

#define NV3_HOLD_NAME_MAX	16

/**
 * nv3_hold_keeps_turns() - does debugfs want whoever has the chip to keep it?
 * @rm: the resource manager
 *
 * Context: nv3_rm.lock is held.
 */
bool nv3_hold_keeps_turns(struct nv3_rm *rm)
{
	lockdep_assert_held(&rm->lock);
	return rm->hold >= NV3_HOLD_TURNS;
}

/**
 * nv3_hold_keeps_answers() - does debugfs want the chip not to be answered?
 * @rm: the resource manager
 *
 * Context: nv3_rm.lock is held.
 */
bool nv3_hold_keeps_answers(struct nv3_rm *rm)
{
	lockdep_assert_held(&rm->lock);
	return rm->hold >= NV3_HOLD_ALL;
}

/**
 * nv3_hold_mask() - set whether the chip may interrupt
 * @rm: the resource manager
 *
 * What it has to say stays in its registers while it may not.
 *
 * Context: nv3_rm.lock is held.
 */
void nv3_hold_mask(struct nv3_rm *rm)
{
	bool kept = nv3_hold_keeps_answers(rm);

	nv3_wr32(rm->nv3, NV3_PFIFO_INTR_EN, kept ? 0 : NV3_PFIFO_INTR_ALL);
	nv3_wr32(rm->nv3, NV3_PDMA_INTR_EN, kept ? 0 : NV3_PDMA_INTR_ALL);
	nv3_switch_enable_intr(rm);
}

static void nv3_hold_change(struct nv3_rm *rm, enum nv3_hold hold)
{
	lockdep_assert_held(&rm->lock);

	if (rm->dead || hold == rm->hold)
		return;
	rm->hold = hold;
	nv3_hold_mask(rm);
	/* It couldn't help taking so long. */
	if (hold == NV3_HOLD_NOTHING && rm->running)
		nv3_limit_begin(rm->running);
}

static void nv3_hold_set(struct nv3_rm *rm, enum nv3_hold hold)
{
	unsigned long flags;

	flags = nv3_rm_lock(rm);
	nv3_hold_change(rm, hold);
	nv3_rm_unlock(rm, flags);
}

/**
 * nv3_hold_end() - end what debugfs wants, as the driver leaves
 * @rm: the resource manager
 *
 * Context: any; takes nv3_rm.lock.
 */
void nv3_hold_end(struct nv3_rm *rm)
{
	nv3_hold_set(rm, NV3_HOLD_NOTHING);
}

static int nv3_hold_open(struct inode *inode, struct file *file)
{
	struct nv3_rm *rm = inode->i_private;

	/* One at a time: closing it ends it. */
	if (atomic_cmpxchg(&rm->hold_open, 0, 1))
		return -EBUSY;
	drm_dev_get(&rm->nv3->drm);
	file->private_data = rm;
	return nonseekable_open(inode, file);
}

static int nv3_hold_release(struct inode *inode, struct file *file)
{
	struct nv3_rm *rm = file->private_data;

	nv3_hold_set(rm, NV3_HOLD_NOTHING);
	atomic_set(&rm->hold_open, 0);
	drm_dev_put(&rm->nv3->drm);
	return 0;
}

static ssize_t nv3_hold_write(struct file *file, const char __user *user, size_t count,
			      loff_t *pos)
{
	struct nv3_rm *rm = file->private_data;
	char name[NV3_HOLD_NAME_MAX] = "";
	int hold;

	if (count >= sizeof(name))
		return -EINVAL;
	if (copy_from_user(name, user, count))
		return -EFAULT;

	hold = sysfs_match_string(nv3_hold_names, name);
	if (hold < 0)
		return hold;
	nv3_hold_set(rm, hold);
	return count;
}

static const struct file_operations nv3_hold_fops = {
	.owner = THIS_MODULE,
	.open = nv3_hold_open,
	.release = nv3_hold_release,
	.write = nv3_hold_write,
};

/**
 * nv3_hold_debugfs_init() - make the file in debugfs
 * @minor: the DRM minor
 *
 * Context: process context.
 */
void nv3_hold_debugfs_init(struct drm_minor *minor)
{
	debugfs_create_file("hold", 0200, minor->debugfs_root, to_rm(minor->dev), &nv3_hold_fops);
}
