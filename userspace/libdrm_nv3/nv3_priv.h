/* SPDX-License-Identifier: MIT */
#ifndef NV3_PRIV_H
#define NV3_PRIV_H

#include <pthread.h>
#include <stdatomic.h>

#include <xf86drm.h>

#include "nv3.h"

#define NV3_EXPORT __attribute__((visibility("default")))

struct nv3_device {
	atomic_uint refs;
	int fd;
	bool owns_fd;
	uint32_t submit_max;		/* in bytes */
	uint32_t *classes;
	uint32_t class_count;
	/*
	 * Table of the file's buffers, indexed by GEM handle. A file has only one handle for a
	 * buffer, so a buffer has only one nv3_bo. Threads hold the lock while they use the table,
	 * and while they drop the last reference to a buffer.
	 */
	pthread_mutex_t bos_lock;
	struct nv3_bo **bos;
	uint32_t bos_size;
};

struct nv3_bo {
	atomic_uint refs;
	struct nv3_device *dev;
	uint32_t handle;
	uint64_t size;
	_Atomic(void *) map;
};

struct nv3_channel {
	atomic_uint refs;
	struct nv3_device *dev;
	uint32_t id;
	uint32_t type;
	uint32_t flags;			/* DRM_NV3_CHANNEL_LONG_RUNNING */
	volatile uint32_t *aperture;	/* USER aperture of a PIO channel */
	/* Held while a pushbuffer stores a batch, so that batches are not interleaved. */
	pthread_mutex_t pio_lock;
	atomic_uint next_name;
};

#define NV3_OBJECT_NEEDS	3	/* two DMA objects, and the DMA object for notifications */

struct nv3_object {
	atomic_uint refs;
	struct nv3_channel *chan;
	uint32_t name;
	uint32_t class_id;
	/* Buffer of a DMA object or a surface */
	struct nv3_bo *bo;
	uint32_t access;		/* DRM_NV3_BUFFER_* */
	uint32_t slot;			/* of a surface */
	/*
	 * For objects of all other classes: the DMA objects and the surface slots that the object's
	 * methods access
	 */
	struct nv3_object *needs[NV3_OBJECT_NEEDS];
	uint32_t slots;			/* mask */
};

/* Calls drmIoctl(), which restarts interrupted calls. Returns 0 or a negative errno. */
int nv3_ioctl(int fd, unsigned long request, void *arg);
/*
 * Returns the CLOCK_MONOTONIC time at @timeout_ns from now, or INT64_MAX if the sum would overflow.
 */
int64_t nv3_deadline(int64_t timeout_ns);

#endif
