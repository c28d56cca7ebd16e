// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: Accounts of clients
 *
 * Each open DRM file has an account, which records the work of the file's channels. GETPARAM and
 * fdinfo show the account to processes that have the file open. The sums over all files would
 * reveal the work of other clients, so only debugfs shows them.
 *
 * The engine time of a file is the time for which its channels have owned the chip. The time of a
 * batch or PIO timeslice counts from its start on PFIFO until it is retired or preempted. One
 * channel owns the chip at a time, so the sum of the engine times of all files is at most the
 * elapsed time. Each measurement needs two timestamps and no register access.
 *
 * The driver can use 127 channels of the chip, and each channel needs memory and a part of RAMIN. A
 * user can create another channel only while the user's files together have fewer channels than are
 * free. The first user can thus get about half of the channels, the next user about half of the
 * remaining channels, and so on. docs/decisions/0008-channels-per-user.md explains the reasons.
 */

#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/slab.h>

#include <drm/drm_drv.h>
#include <drm/drm_print.h>

#include "nv3_client.h"

/**
 * nv3_client_create() - create an account for the current process
 *
 * Context: may sleep.
 * Return: the account, with one reference for the caller, or NULL if memory is exhausted.
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
 * nv3_chids_init() - initialise the allocator of channel numbers, with all numbers free
 * @chids: the numbers
 */
void nv3_chids_init(struct nv3_chids *chids)
{
	spin_lock_init(&chids->lock);
	init_waitqueue_head(&chids->wait);
}

static unsigned int nv3_chids_count(struct nv3_chids *chids, kuid_t uid)
{
	unsigned int chid, count = 0;

	for_each_set_bit(chid, chids->used, NV3_USER_CHANNELS)
		count += uid_eq(chids->uid[chid], uid);
	return count;
}

/*
 * Returns the number of a new channel; -ENOSPC if no number is free, or -EMFILE if @limited is true
 * and the user has at least as many channels as are free.
 */
static int nv3_chids_alloc(struct nv3_chids *chids, kuid_t uid, bool limited)
{
	unsigned int free = NV3_RM_CHANNELS - bitmap_weight(chids->used, NV3_USER_CHANNELS);
	unsigned int chid;

	lockdep_assert_held(&chids->lock);

	if (!free)
		return -ENOSPC;
	if (limited && nv3_chids_count(chids, uid) >= free)
		return -EMFILE;

	chid = find_next_zero_bit(chids->used, NV3_USER_CHANNELS, 1);
	__set_bit(chid, chids->used);
	chids->uid[chid] = uid;
	return chid;
}

/*
 * Sets @ret to the result of nv3_chids_alloc(). Returns false if the caller should wait, because
 * @ret is an error but closed channels are about to release their numbers.
 */
static bool nv3_chids_try(struct nv3_chids *chids, kuid_t uid, bool limited, int *ret)
{
	bool final;

	spin_lock(&chids->lock);
	*ret = nv3_chids_alloc(chids, uid, limited);
	final = *ret > 0 || !chids->ending;
	spin_unlock(&chids->lock);

	return final;
}

/*
 * The interval, in jiffies, at which nv3_chids_get() checks for an unplugged device while it waits.
 */
#define NV3_CHIDS_CHECK		(HZ / 10)

/**
 * nv3_chids_get() - reserve a number for a new channel
 * @nv3: the device
 * @chids: the numbers
 * @client: the client that creates the channel, or NULL for the kernel
 *
 * If the user can't get a number, the function waits for closed channels that are about to release
 * their numbers.
 *
 * Context: process context, between drm_dev_enter() and drm_dev_exit(); may sleep.
 * Return: the number, 1 to 127, which the caller must release with nv3_chids_put(); -ENOSPC if all
 * numbers are in use; -EMFILE if the user has at least as many channels as are free; -ERESTARTSYS;
 * or -ENODEV if the device was unplugged.
 */
int nv3_chids_get(struct nv3_device *nv3, struct nv3_chids *chids, struct nv3_client *client)
{
	bool limited = client && !capable(CAP_SYS_NICE) && !capable(CAP_SYS_ADMIN);
	kuid_t uid = client ? client->uid : INVALID_UID;
	long left;
	int ret;

	do {
		left = wait_event_interruptible_timeout(chids->wait,
							nv3_chids_try(chids, uid, limited, &ret),
							NV3_CHIDS_CHECK);
		if (left < 0)
			return left;
		if (!left && drm_dev_is_unplugged(&nv3->drm))
			return -ENODEV;
	} while (!left);

	if (ret < 0)
		drm_dbg(&nv3->drm, "no channel for user %u: %d\n",
			from_kuid_munged(&init_user_ns, uid), ret);
	return ret;
}

/**
 * nv3_chids_end() - record that a closed channel will release its number soon
 * @chids: the numbers
 *
 * Context: process context.
 */
void nv3_chids_end(struct nv3_chids *chids)
{
	spin_lock(&chids->lock);
	chids->ending++;
	spin_unlock(&chids->lock);
}

/**
 * nv3_chids_put() - release the number of a channel
 * @chids: the numbers
 * @chid: the number
 * @ended: nv3_chids_end() was called for the channel
 *
 * Context: process context.
 */
void nv3_chids_put(struct nv3_chids *chids, u32 chid, bool ended)
{
	spin_lock(&chids->lock);
	__clear_bit(chid, chids->used);
	if (ended)
		chids->ending--;
	spin_unlock(&chids->lock);

	wake_up_all(&chids->wait);
}
