/* SPDX-License-Identifier: MIT */
/*
 * Holding the resource manager still (debugfs `hold`), for tests of what comes up
 * between two things that it does.
 */
#ifndef IGT_NV3_HOLD_H
#define IGT_NV3_HOLD_H

#include "igt_nv3_pio.h"

/*
 * Skips without it. All goes on when it is closed, if only as the process ends: a
 * child of fork() should not have it.
 */
int igt_nv3_hold_open(int fd);
/* "nothing"; "turns": nobody loses the chip; "all": nor is it answered. */
void igt_nv3_hold(int hold, const char *what);

/*
 * Has @pio own the chip, and the puller stop at a method that nobody answers, until
 * @hold lets it. Returns how many more methods CACHE1 takes.
 */
uint32_t igt_nv3_hold_puller(int hold, struct igt_nv3_pio *pio);

/* RAMRO has 8 KiB, of which one entry stays unused. */
#define IGT_NV3_RAMRO	1023

#endif
