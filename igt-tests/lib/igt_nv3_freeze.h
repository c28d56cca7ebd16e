/* SPDX-License-Identifier: MIT */
/*
 * Freezes the resource manager by its debugfs file `freeze`, for tests of events between two of its
 * steps.
 */
#ifndef IGT_NV3_FREEZE_H
#define IGT_NV3_FREEZE_H

#include "igt_nv3_pio.h"

enum igt_nv3_freeze {
	IGT_NV3_FREEZE_OFF,
	IGT_NV3_FREEZE_TIMESLICES,	/* No channel is preempted. */
	IGT_NV3_FREEZE_ALL,		/* Additionally, no trap is handled. */
};

/*
 * Opens the file. Skips the test without it. Closing the file resumes the resource manager, also at
 * the end of the process, so no child of fork() may keep it open.
 */
int igt_nv3_freeze_open(int fd);
void igt_nv3_freeze(int freeze, enum igt_nv3_freeze level);

/*
 * Makes @pio the owner of the chip, with the puller stopped at a trap that the resource manager
 * doesn't handle while frozen. Returns the number of methods that still fit into CACHE1.
 */
uint32_t igt_nv3_freeze_puller(int freeze, struct igt_nv3_pio *pio);

/* RAMRO has 8 KiB. One entry stays unused. */
#define IGT_NV3_RAMRO	1023

#endif
