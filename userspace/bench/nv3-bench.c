/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "bench.h"

double bench_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

void bench_check(int ret, const char *what)
{
	if (ret >= 0)
		return;
	fprintf(stderr, "nv3-bench: %s: %s\n", what, strerror(-ret));
	exit(1);
}

void bench_print(const char *name, double value, const char *unit,
		 const char *against, double against_value)
{
	printf("%s\t%.1f\t%s\t%s %.1f\t%.3f\n", name, value, unit, against,
	       against_value, value / against_value);
	fflush(stdout);
}

static const struct {
	const char *name;
	void (*run)(void);
} benchmarks[] = {
	{ "submit", bench_submit },
	{ "switch", bench_switch },
	{ "pio.methods", bench_pio_methods },
	{ "pio.latency", bench_pio_latency },
	{ "pio.work", bench_pio_work },
};

/* Returns true if @name begins with one of the arguments, or if the program has no arguments. */
static int wanted(const char *name, int argc, char **argv)
{
	int i;

	for (i = 1; i < argc; i++) {
		if (!strncmp(name, argv[i], strlen(argv[i])))
			return 1;
	}
	return argc == 1;
}

int main(int argc, char **argv)
{
	size_t i;

	for (i = 0; i < sizeof(benchmarks) / sizeof(benchmarks[0]); i++) {
		if (wanted(benchmarks[i].name, argc, argv))
			benchmarks[i].run();
	}
	return 0;
}
