// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: Room for buffers
 *
 * TTM makes room for a buffer by evicting others, and it has to lock those. If another task holds
 * their locks, because it places buffers itself, TTM can't wait for it (the two might wait for each
 * other) and reports that there is no room. User space must not see that error, as it could only
 * try again.
 *
 * So all who place buffers do it in nv3_room_place(). When there is no room, the function that was
 * passed to it has released all locks. nv3_room_place() then waits until no other task places
 * buffers, and calls the function again. A failure that happens while nobody else places buffers is
 * final, except that buffers may be pinned: a frame buffer that a flip has just replaced is
 * unpinned a frame later, which nv3_room_place() waits for as well.
 *
 * Others only wait NV3_ROOM_YIELD_MS for a task that tries again. They can't be kept out for
 * longer, as the task may wait for a fence of another device. If they begin nevertheless, its next
 * failure isn't final.
 *
 * Locks: nv3_room_place() takes nv3_room.alone_lock, and the locks of buffers inside of it. No lock
 * of a buffer may be held by its caller. It waits for fences, so nothing that a fence waits for may
 * call it.
 */

#include <linux/jiffies.h>

#include <drm/drm_managed.h>

#include "device/nv3_device.h"
#include "nv3_room.h"

/* How long a task waits before it begins while another tries again: a few batches' placing. */
#define NV3_ROOM_YIELD_MS	20
/* How long a task that tries again waits for the others to finish before it goes on anyway. */
#define NV3_ROOM_DRAIN_MS	100
/* 15 frames at 60 Hz: a flip unpins a frame buffer after one frame, or later on a busy host. */
#define NV3_ROOM_UNPIN_MS	250
/* No device that keeps the rules of dma_fence has a fence that takes longer. */
#define NV3_ROOM_LIMIT_MS	10000

/**
 * nv3_room_init() - prepare the placing of buffers
 * @nv3: the device
 *
 * Context: process context, in probe.
 * Return: 0 or a negative errno.
 */
int nv3_room_init(struct nv3_device *nv3)
{
	init_waitqueue_head(&nv3->room.wait);
	return drmm_mutex_init(&nv3->drm, &nv3->room.alone_lock);
}

/**
 * nv3_room_enter() - begin to place buffers, without another attempt on failure
 * @nv3: the device
 *
 * The caller calls nv3_room_leave() when it has released the buffers' locks.
 *
 * Context: process context; sleeps for NV3_ROOM_YIELD_MS at most.
 */
void nv3_room_enter(struct nv3_device *nv3)
{
	struct nv3_room *room = &nv3->room;

	wait_event_timeout(room->wait, !READ_ONCE(room->alone),
			   msecs_to_jiffies(NV3_ROOM_YIELD_MS));
	atomic_inc(&room->users);
	atomic_inc(&room->entries);
}

/**
 * nv3_room_leave() - the buffers' locks are released
 * @nv3: the device
 *
 * Context: any.
 */
void nv3_room_leave(struct nv3_device *nv3)
{
	atomic_dec(&nv3->room.users);
	wake_up_all(&nv3->room.wait);
}

/**
 * nv3_room_pinned() - a buffer was pinned
 * @nv3: the device
 *
 * Context: any.
 */
void nv3_room_pinned(struct nv3_device *nv3)
{
	atomic_inc(&nv3->room.pins);
}

/**
 * nv3_room_unpinned() - a buffer was unpinned, and can be evicted
 * @nv3: the device
 *
 * Context: any.
 */
void nv3_room_unpinned(struct nv3_device *nv3)
{
	atomic_dec(&nv3->room.pins);
	atomic_inc(&nv3->room.unpins);
	wake_up_all(&nv3->room.wait);
}

static bool nv3_room_is_full(int error)
{
	return error == -ENOMEM || error == -ENOSPC || error == -EBUSY;
}

static bool nv3_room_is_idle(struct nv3_room *room)
{
	return !atomic_read(&room->users);
}

/* One more attempt. Sets @final if no other task placed buffers during it. */
static int nv3_room_try_alone(struct nv3_room *room, bool killable, int (*place)(void *data),
			      void *data, bool *final)
{
	const long timeout = msecs_to_jiffies(NV3_ROOM_DRAIN_MS);
	int ret, entries;
	long left = 0;

	WRITE_ONCE(room->alone, true);
	if (!killable)
		wait_event_timeout(room->wait, nv3_room_is_idle(room), timeout);
	else
		left = wait_event_killable_timeout(room->wait, nv3_room_is_idle(room), timeout);
	if (left < 0) {
		ret = left;
		goto out;
	}

	/* Whoever enters counts itself in users first. */
	entries = atomic_read(&room->entries);
	*final = nv3_room_is_idle(room);
	atomic_inc(&room->users);
	ret = place(data);
	if (ret)
		atomic_dec(&room->users);
	if (atomic_read(&room->entries) != entries)
		*final = false;

out:
	WRITE_ONCE(room->alone, false);
	wake_up_all(&room->wait);
	return ret;
}

/* Waits until a buffer has been unpinned since @unpins was read. False: none is. */
static bool nv3_room_wait_unpinned(struct nv3_room *room, int unpins)
{
	return atomic_read(&room->pins) &&
	       wait_event_timeout(room->wait, atomic_read(&room->unpins) != unpins,
				  msecs_to_jiffies(NV3_ROOM_UNPIN_MS));
}

/* With nv3_room.alone_lock. */
static int nv3_room_place_alone(struct nv3_room *room, bool killable, int (*place)(void *data),
				void *data)
{
	unsigned long limit = jiffies + msecs_to_jiffies(NV3_ROOM_LIMIT_MS);
	bool final = false;
	int ret, unpins;

	do {
		unpins = atomic_read(&room->unpins);
		ret = nv3_room_try_alone(room, killable, place, data, &final);
		if (!nv3_room_is_full(ret))
			return ret;
		if (final && !nv3_room_wait_unpinned(room, unpins))
			return ret;
	} while (time_before(jiffies, limit));

	return ret;
}

/**
 * nv3_room_place() - lock and place buffers, waiting for room if another task is in the way
 * @nv3: the device
 * @killable: a fatal signal ends the wait; others don't
 * @place: locks and places the buffers; if it fails it has released their locks. It may be called
 *	any number of times, until it succeeds or fails for good
 * @data: for @place
 *
 * Context: process context; no buffer is locked. Sleeps until there is room.
 * Return: 0, and the caller calls nv3_room_leave() when it has released the buffers' locks; or what
 * @place returned, -ENOMEM and -ENOSPC only if waiting can't help; or -EINTR or -ERESTARTSYS.
 */
int nv3_room_place(struct nv3_device *nv3, bool killable, int (*place)(void *data), void *data)
{
	struct nv3_room *room = &nv3->room;
	int ret;

	nv3_room_enter(nv3);
	ret = place(data);
	if (!ret)
		return 0;
	nv3_room_leave(nv3);
	if (!nv3_room_is_full(ret))
		return ret;

	if (!killable)
		mutex_lock(&room->alone_lock);
	else if (mutex_lock_killable(&room->alone_lock))
		return -EINTR;
	ret = nv3_room_place_alone(room, killable, place, data);
	mutex_unlock(&room->alone_lock);
	return ret;
}
