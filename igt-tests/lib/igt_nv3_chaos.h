/* SPDX-License-Identifier: MIT */
/* For tests that try things at random while others draw on. */
#ifndef IGT_NV3_CHAOS_H
#define IGT_NV3_CHAOS_H

#include <stdint.h>
#include <time.h>

#include "igt_nv3.h"

/* A process' own numbers: the same for the same seed. */
void igt_nv3_random_seed(uint64_t seed);
uint32_t igt_nv3_random_word(void);
/* 0 to @n - 1. */
uint32_t igt_nv3_random_below(uint32_t n);
/* Often one at which something goes wrong. */
uint32_t igt_nv3_random_value(void);

/* Seconds of a clock that is never set. */
time_t igt_nv3_now(void);

/* What is to happen at random in processes of its own. */
struct igt_nv3_chaos {
	uint64_t seed;
	uint32_t processes;
	time_t seconds;
	void (*run)(int fd, time_t end, const void *data);
	const void *data;
};

/*
 * Runs it, while a client draws one picture after the other, each of which must be
 * exact, and the kernel has nothing to complain of.
 */
void igt_nv3_chaos(int fd, const struct igt_nv3_chaos *chaos);
/* The environment's variable @name, or @otherwise. */
uint64_t igt_nv3_number(const char *name, uint64_t otherwise);

/* The kernel log from here on; skips without one. */
int igt_nv3_log_open(void);
/* Closes it. Nothing of level "warning" or above has been said. */
void igt_nv3_log_assert_clean(int log);

#endif
