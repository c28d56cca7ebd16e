/* SPDX-License-Identifier: MIT */
/*
 * Runs two replays of a capture in separate processes, compares the checksums that they print, and
 * finds the first batch, method and pixel that differ.
 */
#ifndef NV3_REPLAY_LOCKSTEP_H
#define NV3_REPLAY_LOCKSTEP_H

#include "replay.h"

struct lockstep_side {
	const char *program;	/* an nv3-replay */
	const char *simd;	/* SIMD level */
};

/* Returns 0 if both replays are equal, 1 if they differ, or 2 after an error message. */
int lockstep_run(const char *capture, const struct lockstep_side sides[2]);

#endif
