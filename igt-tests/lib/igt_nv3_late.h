/* SPDX-License-Identifier: MIT */
/* Delays the start of batches, even until after the end of their client. */
#ifndef IGT_NV3_LATE_H
#define IGT_NV3_LATE_H

#include "igt_nv3.h"

/*
 * A fence that signals at igt_nv3_late_end(), or after ten seconds. It is a fence of vgem, because
 * a client can't delay fences of nv3.
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
 * Submits a batch that begins when the fence has signalled. The batch and the fence may belong to
 * different files.
 */
void igt_nv3_late_submit(struct igt_nv3_late *late, struct igt_nv3_batch *batch);

/*
 * Closes the file of @client by killing a process that owns the file. The driver then drops the
 * batches that have not begun. No other process may map memory of that file.
 */
void igt_nv3_late_kill(struct igt_nv3_client *client);

#endif
