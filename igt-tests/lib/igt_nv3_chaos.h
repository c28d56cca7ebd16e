/* SPDX-License-Identifier: MIT */
/* For tests that try things at random while others draw on. */
#ifndef IGT_NV3_CHAOS_H
#define IGT_NV3_CHAOS_H

#include <stdint.h>
#include <time.h>

/* A process' own numbers: the same for the same seed. */
void igt_nv3_random_seed(uint64_t seed);
uint32_t igt_nv3_random_word(void);
/* 0 to @n - 1. */
uint32_t igt_nv3_random_below(uint32_t n);
/* Often one at which something goes wrong. */
uint32_t igt_nv3_random_value(void);

/* Seconds of a clock that is never set. */
time_t igt_nv3_now(void);

/* The kernel log from here on; skips without one. */
int igt_nv3_log_open(void);
/* Closes it. Nothing of level "warning" or above has been said. */
void igt_nv3_log_assert_clean(int log);

#endif
