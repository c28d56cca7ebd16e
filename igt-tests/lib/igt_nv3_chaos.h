/* SPDX-License-Identifier: MIT */
/* Helpers for tests that run a random workload while a client draws. */
#ifndef IGT_NV3_CHAOS_H
#define IGT_NV3_CHAOS_H

#include <stdint.h>
#include <time.h>

#include "igt_nv3.h"

/* Seeds the random number generator of this process. */
void igt_nv3_random_seed(uint64_t seed);
uint32_t igt_nv3_random_word(void);
/* Returns a random number from 0 to @n - 1. */
uint32_t igt_nv3_random_below(uint32_t n);
/* Returns a random number. Special values such as 0 and ~0 are frequent. */
uint32_t igt_nv3_random_value(void);

/* Returns the time of CLOCK_MONOTONIC in seconds. */
time_t igt_nv3_now(void);

/* A random workload, which runs in child processes. */
struct igt_nv3_chaos {
	uint64_t seed;
	uint32_t processes;
	time_t seconds;
	void (*run)(int fd, time_t end, const void *data);
	const void *data;
};

/*
 * Runs the workload while a client draws. Asserts that each of the client's pictures is correct,
 * and that the kernel logs no warning.
 */
void igt_nv3_chaos(int fd, const struct igt_nv3_chaos *chaos);
/*
 * Returns the value of the environment variable @name as a number, or @otherwise if the variable is
 * not set.
 */
uint64_t igt_nv3_number(const char *name, uint64_t otherwise);

/* Opens the kernel log at its end. Skips the test if there is no kernel log. */
int igt_nv3_log_open(void);
/* Closes the log, and asserts that the kernel has logged no warning since the log was opened. */
void igt_nv3_log_assert_clean(int log);

#endif
