/* SPDX-License-Identifier: MIT */
/* Helpers for tests that do random things while a client draws. */
#ifndef IGT_NV3_CHAOS_H
#define IGT_NV3_CHAOS_H

#include <stdint.h>
#include <time.h>

#include "igt_nv3.h"

/* A process's random numbers, determined by the seed. */
void igt_nv3_random_seed(uint64_t seed);
uint32_t igt_nv3_random_word(void);
/* Returns a number from 0 to @n - 1. */
uint32_t igt_nv3_random_below(uint32_t n);
/* Returns a number that is often an edge case. */
uint32_t igt_nv3_random_value(void);

/* Returns the seconds of CLOCK_MONOTONIC. */
time_t igt_nv3_now(void);

/* A random workload, which runs in processes of its own. */
struct igt_nv3_chaos {
	uint64_t seed;
	uint32_t processes;
	time_t seconds;
	void (*run)(int fd, time_t end, const void *data);
	const void *data;
};

/*
 * Runs the workload while a client draws. Asserts that each of the client's pictures is exact, and
 * that the kernel logs no warning.
 */
void igt_nv3_chaos(int fd, const struct igt_nv3_chaos *chaos);
/* Returns the number in the environment variable @name, or @otherwise. */
uint64_t igt_nv3_number(const char *name, uint64_t otherwise);

/* Opens the kernel log at its end. Skips the test without one. */
int igt_nv3_log_open(void);
/* Closes the log, and asserts that no warning has been logged since it was opened. */
void igt_nv3_log_assert_clean(int log);

#endif
