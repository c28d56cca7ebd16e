/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef NV3_CLIENT_H
#define NV3_CLIENT_H

#include <linux/kref.h>
#include <linux/ktime.h>
#include <linux/sched.h>
#include <linux/types.h>
#include <linux/uidgid.h>

struct drm_file;
struct nv3_channel;
struct nv3_rm;

/**
 * struct nv3_client - the account of one open DRM file
 *
 * The file and each of its channels hold a reference, as the last batches of a channel may
 * complete after the file has been closed.
 */
struct nv3_client {
	struct kref ref;
	/** @uid: the user who opened the file */
	kuid_t uid;
	/** @pid: the process that opened the file, and @comm, its name: for debugging */
	pid_t pid;
	char comm[TASK_COMM_LEN];

	/* Below: nv3_rm.lock. */

	/** @batches: batches completed */
	u64 batches;
	/** @switches: times that PFIFO was switched to a channel of the file */
	u64 switches;
	/** @runouts: methods replayed from RAMRO */
	u64 runouts;
	/** @engine_ns: time for which channels of the file have had the chip, in nanoseconds */
	u64 engine_ns;
};

struct nv3_client *nv3_client_create(void);
void nv3_client_put(struct nv3_client *client);
void nv3_client_begin(struct nv3_channel *chan);
void nv3_client_end(struct nv3_channel *chan);
int nv3_client_get_chid(struct nv3_rm *rm, struct nv3_client *client);
void nv3_client_end_chid(struct nv3_rm *rm);
void nv3_client_put_chid(struct nv3_rm *rm, u32 chid, bool ended);
u64 nv3_client_param(struct nv3_rm *rm, struct nv3_client *client, u32 param);
struct nv3_client *nv3_client_of(struct drm_file *file);

static inline struct nv3_client *nv3_client_get(struct nv3_client *client)
{
	if (client)
		kref_get(&client->ref);
	return client;
}

#endif
