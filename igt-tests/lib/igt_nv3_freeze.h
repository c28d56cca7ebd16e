/* SPDX-License-Identifier: MIT */
/*
 * Functions that freeze the resource manager through its debugfs file `freeze`. During a freeze,
 * tests can cause events that the resource manager handles only after the freeze.
 */
#ifndef IGT_NV3_FREEZE_H
#define IGT_NV3_FREEZE_H

#include "igt_nv3_pio.h"

enum igt_nv3_freeze {
	IGT_NV3_FREEZE_OFF,
	IGT_NV3_FREEZE_TIMESLICES,	/* No timeslice ends. */
	IGT_NV3_FREEZE_ALL,		/* Additionally, no trap is handled. */
};

/*
 * Opens the file. Skips the test if the file does not exist. The resource manager resumes when the
 * last descriptor of the file is closed. A child process that inherits the descriptor must
 * therefore close it.
 */
int igt_nv3_freeze_open(int fd);
void igt_nv3_freeze(int freeze, enum igt_nv3_freeze level);

/*
 * Begins a PIO timeslice of @pio, and stops the puller at a trap. The frozen resource manager does
 * not handle the trap. Returns the number of methods that still fit into CACHE1.
 */
uint32_t igt_nv3_freeze_puller(int freeze, struct igt_nv3_pio *pio);

/* Number of methods that fit into RAMRO. RAMRO has 1024 entries, of which one stays unused. */
#define IGT_NV3_RAMRO	1023

#endif
