/* SPDX-License-Identifier: MIT */
/*
 * A fake kernel driver for tests of libdrm_nv3. The fake driver records calls without checking
 * them. It returns an error only if a test has requested one.
 */
#ifndef FAKE_KERNEL_H
#define FAKE_KERNEL_H

#include <stdint.h>

#include "nv3.h"

#define FAKE_SUBMIT_MAX		0x10000
#define FAKE_MAX		64

struct fake_batch {
	uint32_t words[FAKE_SUBMIT_MAX / 4];
	uint32_t count;
	struct drm_nv3_buffer buffers[FAKE_MAX];
	uint32_t buffer_count;
	struct drm_nv3_sync in[FAKE_MAX];
	uint32_t in_count;
	struct drm_nv3_sync out[FAKE_MAX];
	uint32_t out_count;
};

struct fake_kernel {
	int fd;
	const char *driver;
	/* The next @fail_count ioctls with the number @fail_request fail with @fail_errno. */
	unsigned long fail_request;
	int fail_errno;
	uint32_t fail_count;		/* 0 means one failure */

	uint32_t next_handle;
	uint32_t import_handle;		/* the result of PRIME_FD_TO_HANDLE */
	uint32_t closed[FAKE_MAX];
	uint32_t closed_count;

	uint32_t names[FAKE_MAX];	/* of existing objects */
	uint32_t name_count;

	struct fake_batch batches[4];
	uint32_t batch_count;

	uint32_t transfers;		/* number of SYNCOBJ_TRANSFER and _SIGNAL calls */
	uint32_t signals;
	uint32_t channels;		/* number of open channels */
	int32_t priority;		/* priority of the last created channel */
	struct drm_nv3_channel_flush flushes[4];
	uint32_t flush_count;
	uint32_t waits;			/* number of SYNCOBJ_TIMELINE_WAIT calls */
	/* Flags of the last CHANNEL_CREATE, SYNCOBJ_TRANSFER and SYNCOBJ_TIMELINE_WAIT */
	uint32_t channel_flags;
	uint32_t transfer_flags;
	uint32_t wait_flags;
};

extern struct fake_kernel fake;

void fake_reset(void);
void fake_close(void);

#endif
