/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What benchmarks share: a clock, and the line that they print. */
#ifndef NV3_BENCH_H
#define NV3_BENCH_H

#include <stdint.h>
#include <stdio.h>
#include <time.h>

static inline double bench_now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec / 1e9;
}

/*
 * Name, value, unit, what it is measured against with its value, ratio. Both
 * were measured in this run.
 */
static inline void bench_print(const char *name, double value, const char *unit,
                               const char *against, double against_value)
{
    printf("%s\t%.1f\t%s\t%s %.1f\t%.3f\n", name, value, unit, against,
           against_value, value / against_value);
}

#endif
