/* SPDX-License-Identifier: MIT */
/*
 * Functions that delay the start of batches. A batch can start even after the exit of the client
 * that has submitted it.
 */
#ifndef IGT_NV3_LATE_H
#define IGT_NV3_LATE_H

#include "igt_nv3.h"

/*
 * A fence that signals when igt_nv3_late_end() is called, or after ten seconds. A client can't
 * choose when a fence of nv3 signals, so vgem provides this fence.
 */
struct igt_nv3_late {
	int vgem;
	uint32_t handle;
	uint32_t fence;
	int file;		/* a sync file */
};

/* Creates the fence. Skips the test if there is no vgem device. */
void igt_nv3_late_init(struct igt_nv3_late *late);
void igt_nv3_late_end(struct igt_nv3_late *late);
/*
 * Submits @batch, which waits for the fence of @late before it begins. @batch can belong to any nv3
 * file.
 */
void igt_nv3_late_submit(struct igt_nv3_late *late, struct igt_nv3_batch *batch);

/*
 * Forks a child process, which inherits @client's file. Closes the file in this process and kills
 * the child, so that the kernel releases the file. When the file is released, the driver drops the
 * client's batches that have not begun. No other process may have the file open or mapped.
 */
void igt_nv3_late_kill(struct igt_nv3_client *client);

#endif
