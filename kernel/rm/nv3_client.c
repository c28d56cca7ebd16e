// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: Accounts of clients
 *
 * Each open DRM file has an account of what its channels have done: GETPARAM and fdinfo show it
 * to whoever has the file. The sums over all files are in debugfs only, as they would tell a
 * client what the others do.
 *
 * The engine time of a file is the time for which its channels have had the chip: from the
 * moment that a batch or a PIO timeslice is given to PFIFO until it is retired or preempted.
 * One channel has the chip at a time, so the engine times of all files add up to at most the
 * time that has passed. Taking two timestamps costs no register access.
 *
 * The chip has 127 channels, and each holds memory and a part of RAMIN. A user, with all of his
 * files, gets another one only while he holds fewer than are free. So the first takes at most
 * half of them, the next half of what is left, and so on; docs/decisions has the reasons.
 */

#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/slab.h>

#include <drm/drm_device.h>
#include <drm/drm_drv.h>
#include <drm/drm_file.h>
#include <drm/drm_print.h>

#include "nv3_channel.h"
#include "nv3_client.h"
#include "nv3_job.h"

/**
 * nv3_client_create() - make an account for the current process
 *
 * Context: may sleep.
 * Return: the account, with one reference for the caller, or NULL without memory.
 */
struct nv3_client *nv3_client_create(void)
{
	struct nv3_client *client;

	client = kzalloc(sizeof(*client), GFP_KERNEL_ACCOUNT);
	if (!client)
		return NULL;

	kref_init(&client->ref);
	client->uid = current_euid();
	client->pid = task_tgid_nr(current);
	get_task_comm(client->comm, current);
	return client;
}

static void nv3_client_release(struct kref *ref)
{
	kfree(container_of(ref, struct nv3_client, ref));
}

/**
 * nv3_client_put() - drop a reference
 * @client: the account, or NULL
 *
 * Context: any.
 */
void nv3_client_put(struct nv3_client *client)
{
	if (client)
		kref_put(&client->ref, nv3_client_release);
}

/**
 * nv3_client_begin() - a channel is given the chip
 * @chan: the channel
 *
 * Context: nv3_rm.lock is held.
 */
void nv3_client_begin(struct nv3_channel *chan)
{
	lockdep_assert_held(&chan->rm->lock);

	chan->rm->running_since = ktime_get();
}

/**
 * nv3_client_end() - a channel loses the chip
 * @chan: the channel that had it since nv3_client_begin()
 *
 * Context: nv3_rm.lock is held.
 */
void nv3_client_end(struct nv3_channel *chan)
{
	struct nv3_rm *rm = chan->rm;
	s64 ns = ktime_to_ns(ktime_sub(ktime_get(), rm->running_since));

	lockdep_assert_held(&rm->lock);

	rm->engine_ns += ns;
	if (chan->client)
		chan->client->engine_ns += ns;
}

/* Includes the batch that is running now, so that the time of a long batch grows steadily. */
static u64 nv3_client_engine_ns(struct nv3_rm *rm, struct nv3_client *client)
{
	u64 ns = client->engine_ns;

	lockdep_assert_held(&rm->lock);

	if (rm->running && rm->running->chan->client == client)
		ns += ktime_to_ns(ktime_sub(ktime_get(), rm->running_since));
	return ns;
}

/**
 * nv3_client_of() - the account of a DRM file
 * @file: an open file of the driver
 *
 * Return: the account, which lasts at least as long as the file.
 */
struct nv3_client *nv3_client_of(struct drm_file *file)
{
	struct nv3_file *nv3_file = file->driver_priv;

	return nv3_file->client;
}

/**
 * nv3_client_param() - a statistic of a file
 * @rm: the resource manager
 * @client: the file's account
 * @param: DRM_NV3_PARAM_SWITCHES, _BATCHES, _RUNOUTS or _ENGINE_NS
 *
 * Context: process context; takes nv3_rm.lock.
 * Return: the value, never less than at an earlier call.
 */
u64 nv3_client_param(struct nv3_rm *rm, struct nv3_client *client, u32 param)
{
	u64 value = 0;

	spin_lock_irq(&rm->lock);
	switch (param) {
	case DRM_NV3_PARAM_SWITCHES:
		value = client->switches;
		break;
	case DRM_NV3_PARAM_BATCHES:
		value = client->batches;
		break;
	case DRM_NV3_PARAM_RUNOUTS:
		value = client->runouts;
		break;
	case DRM_NV3_PARAM_ENGINE_NS:
		value = nv3_client_engine_ns(rm, client);
		break;
	}
	spin_unlock_irq(&rm->lock);

	return value;
}

/**
 * nv3_rm_show_fdinfo() - the engine time of a file, as fdinfo shows it
 * @p: where to print it
 * @file: the file
 *
 * PFIFO gives PGRAPH the work of one channel at a time, so there is one engine. The chip has no
 * counter of cycles, so there is no drm-cycles.
 *
 * Context: process context; takes nv3_rm.lock.
 */
void nv3_rm_show_fdinfo(struct drm_printer *p, struct drm_file *file)
{
	struct nv3_rm *rm = to_rm(file->minor->dev);

	drm_printf(p, "drm-engine-graph:\t%llu ns\n",
		   nv3_client_param(rm, nv3_client_of(file), DRM_NV3_PARAM_ENGINE_NS));
}

static unsigned int nv3_client_held(struct nv3_rm *rm, kuid_t uid)
{
	unsigned int chid, held = 0;

	for_each_set_bit(chid, rm->chids, NV3_USER_CHANNELS)
		held += uid_eq(rm->chid_uid[chid], uid);
	return held;
}

/* The number of a new channel; -ENOSPC without any, -EMFILE if the user holds too many. */
static int nv3_client_take_chid(struct nv3_rm *rm, kuid_t uid, bool limited)
{
	unsigned int free = NV3_RM_CHANNELS - bitmap_weight(rm->chids, NV3_USER_CHANNELS);
	unsigned int chid;

	lockdep_assert_held(&rm->channels_lock);

	if (!free)
		return -ENOSPC;
	if (limited && nv3_client_held(rm, uid) >= free)
		return -EMFILE;

	chid = find_next_zero_bit(rm->chids, NV3_USER_CHANNELS, 1);
	__set_bit(chid, rm->chids);
	rm->chid_uid[chid] = uid;
	return chid;
}

/* False while waiting may help, as there are channels that are about to end. */
static bool nv3_client_try_chid(struct nv3_rm *rm, kuid_t uid, bool limited, int *ret)
{
	bool settled;

	spin_lock(&rm->channels_lock);
	*ret = nv3_client_take_chid(rm, uid, limited);
	settled = *ret > 0 || !rm->ending;
	spin_unlock(&rm->channels_lock);

	return settled;
}

/* How often to check for an unplugged device while waiting for channels to end. */
#define NV3_CLIENT_CHECK	(HZ / 10)

/**
 * nv3_client_get_chid() - reserve a number for a new channel
 * @rm: the resource manager
 * @client: who wants it, or NULL for the kernel
 *
 * Waits for channels that are about to end if there is none.
 *
 * Context: process context, between drm_dev_enter() and drm_dev_exit(); may sleep.
 * Return: the number, 1 to 127, until nv3_client_put_chid(); -ENOSPC if all are in use, -EMFILE
 * if the user holds as many as are free, -ERESTARTSYS or -ENODEV.
 */
int nv3_client_get_chid(struct nv3_rm *rm, struct nv3_client *client)
{
	bool limited = client && !capable(CAP_SYS_NICE) && !capable(CAP_SYS_ADMIN);
	kuid_t uid = client ? client->uid : INVALID_UID;
	long left;
	int ret;

	do {
		left = wait_event_interruptible_timeout(rm->chid_wait,
							nv3_client_try_chid(rm, uid, limited,
									    &ret),
							NV3_CLIENT_CHECK);
		if (left < 0)
			return left;
		if (!left && drm_dev_is_unplugged(&rm->nv3->drm))
			return -ENODEV;
	} while (!left);

	if (ret < 0)
		drm_dbg(&rm->nv3->drm, "no channel for user %u: %d\n",
			from_kuid_munged(&init_user_ns, uid), ret);
	return ret;
}

/**
 * nv3_client_end_chid() - a channel is closed, and will release its number soon
 * @rm: the resource manager
 *
 * Context: process context.
 */
void nv3_client_end_chid(struct nv3_rm *rm)
{
	spin_lock(&rm->channels_lock);
	rm->ending++;
	spin_unlock(&rm->channels_lock);
}

/**
 * nv3_client_put_chid() - release the number of a channel
 * @rm: the resource manager
 * @chid: the number
 * @ended: nv3_client_end_chid() was called for the channel
 *
 * Context: process context.
 */
void nv3_client_put_chid(struct nv3_rm *rm, u32 chid, bool ended)
{
	spin_lock(&rm->channels_lock);
	__clear_bit(chid, rm->chids);
	if (ended)
		rm->ending--;
	spin_unlock(&rm->channels_lock);

	wake_up_all(&rm->chid_wait);
}
