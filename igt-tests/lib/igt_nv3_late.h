/* SPDX-License-Identifier: MIT */
/*
 * Batches that begin late, and clients that are gone by then.
 */
#ifndef IGT_NV3_LATE_H
#define IGT_NV3_LATE_H

#include "igt_nv3.h"

/*
 * A fence that hasn't signalled for seconds, or until igt_nv3_late_end(). It is another device's,
 * vgem's: none of this driver's waits for a client.
 */
struct igt_nv3_late {
	int vgem;
	uint32_t handle;
	uint32_t fence;
	int file;		/* sync file */
};

/* Skips without vgem. */
void igt_nv3_late_init(struct igt_nv3_late *late);
void igt_nv3_late_end(struct igt_nv3_late *late);
/* Submits, of any file, what is to begin when the fence has signalled. */
void igt_nv3_late_submit(struct igt_nv3_late *late, struct igt_nv3_batch *batch);

/*
 * Closes @client's file, of which nothing else is mapped here, by the end of a process that is
 * killed: batches that haven't begun are dropped.
 */
void igt_nv3_late_kill(struct igt_nv3_client *client);

#endif
