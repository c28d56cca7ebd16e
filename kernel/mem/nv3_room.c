// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: Waiting for room for buffers
 *
 * TTM makes room for a buffer by evicting other buffers, which it must lock. If another task holds
 * such a lock, waiting for it could cause a deadlock. TTM therefore does not wait, and reports that
 * memory is full, although the other task may soon release its locks. User space could only repeat
 * its ioctl, so the driver retries instead.
 *
 * A task calls nv3_room_place() with a function that locks and places the buffers of the task. If
 * this function finds no room, it releases all locks. nv3_room_place() then waits until no other
 * task places buffers, and calls the function again. If the function fails again, and no other task
 * has begun to place buffers in the meantime, the error is final, with one exception. A flip unpins
 * the previous frame buffer one frame later, so nv3_room_place() waits up to NV3_ROOM_UNPIN_MS for
 * a buffer to be unpinned, and then retries.
 *
 * While a task retries, other tasks wait for up to NV3_ROOM_YIELD_MS before they place buffers.
 * This wait is limited, because the task that retries may wait for a fence of another device.
 *
 * nv3_room_place() takes nv3_room.alone_lock and then locks of buffers, so its caller must not hold
 * a lock of a buffer. nv3_room_place() waits for fences, so code on which a fence depends must not
 * call it.
 */

#include <linux/jiffies.h>

#include <drm/drm_managed.h>
#include <drm/drm_print.h>

#include "device/nv3_device.h"
#include "nv3_room.h"

/* The maximum time for which other tasks wait, before they place buffers, while a task retries. */
#define NV3_ROOM_YIELD_MS	20
/*
 * The maximum time for which a task that retries waits for the other tasks to release their locks.
 */
#define NV3_ROOM_DRAIN_MS	100
/*
 * The maximum time to wait until a buffer is unpinned: 15 frames at 60 Hz. A flip unpins the
 * previous frame buffer after one frame, or later on a busy host.
 */
#define NV3_ROOM_UNPIN_MS	250
/*
 * The time after which a task stops retrying. Fences of other devices should signal within this
 * time.
 */
#define NV3_ROOM_LIMIT_MS	10000

/*
 * Checks the count of pinned buffers. All buffers have been freed, so a count other than 0 means
 * that a pin or an unpin was not counted.
 */
static void nv3_room_fini(struct drm_device *drm, void *data)
{
	drm_WARN_ON(drm, atomic_read(&to_nv3(drm)->room.pins));
}

/**
 * nv3_room_init() - initialise nv3_device.room
 * @nv3: the device
 *
 * Context: process context, in probe.
 * Return: 0 or a negative errno.
 */
int nv3_room_init(struct nv3_device *nv3)
{
	int ret;

	init_waitqueue_head(&nv3->room.wait);
	ret = drmm_mutex_init(&nv3->drm, &nv3->room.alone_lock);
	if (ret)
		return ret;

	return drmm_add_action(&nv3->drm, nv3_room_fini, NULL);
}

/**
 * nv3_room_enter() - announce that the caller is going to place buffers
 * @nv3: the device
 *
 * The caller must call nv3_room_leave() after it has released the locks of the buffers.
 *
 * Context: process context; sleeps for at most NV3_ROOM_YIELD_MS.
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
 * nv3_room_leave() - announce that the caller has released the locks of its buffers
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
 * nv3_room_pinned() - record that a buffer was pinned
 * @nv3: the device
 *
 * Context: any.
 */
void nv3_room_pinned(struct nv3_device *nv3)
{
	atomic_inc(&nv3->room.pins);
}

/**
 * nv3_room_unpinned() - record that a buffer was unpinned, and wake the tasks that wait for room
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

/*
 * Calls @place once more, while nv3_room.alone makes other tasks wait. Sets @final to true if no
 * other task has placed buffers during the call. In this case, an error of @place is final.
 */
static int nv3_room_try_alone(struct nv3_room *room, bool killable, nv3_room_fn place,
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

	/*
	 * nv3_room_enter() increments @users before @entries. If another task calls
	 * nv3_room_enter() during this call, at least one of the two counters therefore shows it.
	 */
	entries = atomic_read(&room->entries);
	*final = nv3_room_is_idle(room);
	atomic_inc(&room->users);
	ret = place(data, true);
	if (ret)
		atomic_dec(&room->users);
	if (atomic_read(&room->entries) != entries)
		*final = false;

out:
	WRITE_ONCE(room->alone, false);
	wake_up_all(&room->wait);
	return ret;
}

/*
 * Waits until nv3_room.unpins differs from @unpins, that is, until a buffer has been unpinned.
 * Returns false if no buffer is pinned, or after a timeout.
 */
static bool nv3_room_wait_unpinned(struct nv3_room *room, int unpins)
{
	return atomic_read(&room->pins) &&
	       wait_event_timeout(room->wait, atomic_read(&room->unpins) != unpins,
				  msecs_to_jiffies(NV3_ROOM_UNPIN_MS));
}

/* Called with nv3_room.alone_lock held. */
static int nv3_room_place_alone(struct nv3_room *room, bool killable, nv3_room_fn place,
				void *data)
{
	unsigned long limit = jiffies + msecs_to_jiffies(NV3_ROOM_LIMIT_MS);
	unsigned long unpin_limit = 0;
	bool final = false;
	int ret, unpins;

	do {
		unpins = atomic_read(&room->unpins);
		ret = nv3_room_try_alone(room, killable, place, data, &final);
		if (!nv3_room_is_full(ret))
			return ret;
		if (!final)
			continue;

		/*
		 * Set the time limit only once. Otherwise a client that keeps flipping could extend
		 * the wait forever.
		 */
		if (!unpin_limit)
			unpin_limit = jiffies + msecs_to_jiffies(NV3_ROOM_UNPIN_MS);
		if (time_after(jiffies, unpin_limit) || !nv3_room_wait_unpinned(room, unpins))
			return ret;
	} while (time_before(jiffies, limit));

	return ret;
}

/**
 * nv3_room_place() - lock and place buffers, and retry if there is no room
 * @nv3: the device
 * @killable: whether a fatal signal ends the waits
 * @place: locks and places the buffers, and releases the locks if it fails
 * @data: argument of @place
 *
 * On success the caller must call nv3_room_leave() after it has released the locks.
 *
 * Context: process context; no buffer is locked. Waits for fences and for other tasks.
 * Return: 0, or the error of @place. -ENOMEM, -ENOSPC and -EBUSY mean that retrying has not helped.
 * A signal results in -EINTR or -ERESTARTSYS.
 */
int nv3_room_place(struct nv3_device *nv3, bool killable, nv3_room_fn place, void *data)
{
	struct nv3_room *room = &nv3->room;
	int ret;

	nv3_room_enter(nv3);
	ret = place(data, false);
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
