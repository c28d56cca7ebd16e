/* SPDX-License-Identifier: MIT */
/*
 * Freezes the resource manager by its debugfs file `hold`, for tests of events between two of its
 * steps.
 */
#ifndef IGT_NV3_HOLD_H
#define IGT_NV3_HOLD_H

#include "igt_nv3_pio.h"

/*
 * Opens the file. Skips the test without it. Closing the file resumes the resource manager, also at
 * the end of the process, so no child of fork() may keep it open.
 */
int igt_nv3_hold_open(int fd);
/* @what: "nothing"; "turns": no channel is preempted; "all": also no trap is handled. */
void igt_nv3_hold(int hold, const char *what);

/*
 * Makes @pio the owner of the chip, with the puller stopped at a trap that the resource manager
 * doesn't handle while frozen. Returns the number of methods that still fit into CACHE1.
 */
uint32_t igt_nv3_hold_puller(int hold, struct igt_nv3_pio *pio);

/* RAMRO has 8 KiB. One entry stays unused. */
#define IGT_NV3_RAMRO	1023

#endif
