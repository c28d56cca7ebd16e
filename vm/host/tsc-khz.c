/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints the frequency in kHz of this host's time stamp counter, measured against
 * CLOCK_MONOTONIC_RAW. For vm/host/tsc.sh.
 */

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>
#include <x86intrin.h>

#define TRIES		1000
#define INTERVAL_NS	200000000

struct moment {
	uint64_t ticks;
	int64_t ns;
};

static int64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC_RAW, &t);
	return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

/*
 * Reads the time stamp counter TRIES times, each time between two reads of the clock. Returns the
 * values of the try with the shortest time between the reads of the clock.
 */
static struct moment read_clocks(void)
{
	struct moment best = { 0, 0 };
	int64_t min_ns = INT64_MAX;
	int i;

	for (i = 0; i < TRIES; i++) {
		const int64_t before = now();
		const uint64_t ticks = __rdtsc();
		const int64_t took = now() - before;

		if (took < min_ns) {
			min_ns = took;
			best = (struct moment){ ticks, before + took / 2 };
		}
	}
	return best;
}

int main(void)
{
	const struct timespec interval = { 0, INTERVAL_NS };
	struct moment start = read_clocks(), end;

	nanosleep(&interval, NULL);
	end = read_clocks();
	printf("%" PRIu64 "\n", (uint64_t)((double)(end.ticks - start.ticks) * 1e6 /
					   (double)(end.ns - start.ns) + 0.5));
	return 0;
}
