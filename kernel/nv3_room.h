/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef NV3_ROOM_H
#define NV3_ROOM_H

#include <linux/atomic.h>
#include <linux/mutex.h>
#include <linux/wait.h>

struct nv3_device;

/**
 * struct nv3_room - coordinates those who place buffers
 */
struct nv3_room {
	/** @users: tasks that place buffers, or hold the locks of buffers that they have placed */
	atomic_t users;
	/** @entries: how many tasks have begun to place buffers so far */
	atomic_t entries;
	/** @alone_lock: one task at a time tries again without others */
	struct mutex alone_lock;
	/** @alone: a task tries again, and others should wait a little before they begin */
	bool alone;
	/** @pins: buffers that are pinned, and @unpins: how often one was unpinned so far */
	atomic_t pins;
	atomic_t unpins;
	/** @wait: woken when @users falls, when @alone ends and when @unpins grows */
	wait_queue_head_t wait;
};

int nv3_room_init(struct nv3_device *nv3);
int nv3_room_place(struct nv3_device *nv3, bool killable, int (*place)(void *data), void *data);
void nv3_room_enter(struct nv3_device *nv3);
void nv3_room_leave(struct nv3_device *nv3);
void nv3_room_pinned(struct nv3_device *nv3);
void nv3_room_unpinned(struct nv3_device *nv3);

#endif
