/* SPDX-License-Identifier: MIT */
/* Batches that begin late, also after their client is gone. */
#ifndef IGT_NV3_LATE_H
#define IGT_NV3_LATE_H

#include "igt_nv3.h"

/*
 * A fence that does not signal before igt_nv3_late_end(), or for ten seconds. It belongs to vgem,
 * because no fence of nv3's waits for a client.
 */
struct igt_nv3_late {
	int vgem;
	uint32_t handle;
	uint32_t fence;
	int file;		/* a sync file */
};

/* Creates the fence. Skips the test without vgem. */
void igt_nv3_late_init(struct igt_nv3_late *late);
void igt_nv3_late_end(struct igt_nv3_late *late);
/* Submits a batch that begins when the fence has signalled. Other files may own the batch. */
void igt_nv3_late_submit(struct igt_nv3_late *late, struct igt_nv3_batch *batch);

/*
 * Closes @client's file by killing a process that owns it, which drops batches that have not begun.
 * Nothing else may map memory of that file.
 */
void igt_nv3_late_kill(struct igt_nv3_client *client);

#endif
