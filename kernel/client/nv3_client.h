/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef NV3_CLIENT_H
#define NV3_CLIENT_H

#include <linux/bitmap.h>
#include <linux/kref.h>
#include <linux/sched.h>
#include <linux/spinlock.h>
#include <linux/types.h>
#include <linux/uidgid.h>
#include <linux/wait.h>

#include "device/nv3_device.h"

/* An all-zero context word refers to channel 0, so the driver never allocates this channel. */
#define NV3_RM_CHANNELS		(NV3_USER_CHANNELS - 1)

/**
 * struct nv3_client - the account of one open DRM file
 *
 * The file and each of its channels hold a reference, because the last batches of a channel may
 * complete after the file has been closed.
 */
struct nv3_client {
	struct kref ref;
	/** @uid: the user who opened the file */
	kuid_t uid;
	/** @pid: the process that opened the file */
	pid_t pid;
	/** @comm: the name of process @pid, for debugging */
	char comm[TASK_COMM_LEN];

	/* Guarded by nv3_rm.lock. */

	/** @batches: number of completed batches */
	u64 batches;
	/** @switches: number of times that PFIFO was switched to a channel of the file */
	u64 switches;
	/** @runouts: number of methods that overflowed to RAMRO */
	u64 runouts;
	/**
	 * @engine_ns: total time, in nanoseconds, for which channels of the file have used the chip
	 */
	u64 engine_ns;
};

/* The allocator of channel numbers. */
struct nv3_chids {
	/** @lock: guards all other fields except @wait */
	spinlock_t lock;
	DECLARE_BITMAP(used, NV3_USER_CHANNELS);
	/** @uid: the user of each channel number that is in use */
	kuid_t uid[NV3_USER_CHANNELS];
	/** @ending: number of closed channels that have not released their channel numbers yet */
	unsigned int ending;
	/** @wait: woken when a number has been released */
	wait_queue_head_t wait;
};

struct nv3_client *nv3_client_create(void);
void nv3_client_put(struct nv3_client *client);

static inline struct nv3_client *nv3_client_get(struct nv3_client *client)
{
	if (client)
		kref_get(&client->ref);
	return client;
}

void nv3_chids_init(struct nv3_chids *chids);
int nv3_chids_get(struct nv3_device *nv3, struct nv3_chids *chids, struct nv3_client *client);
void nv3_chids_end(struct nv3_chids *chids);
void nv3_chids_put(struct nv3_chids *chids, u32 chid, bool ended);

#endif
