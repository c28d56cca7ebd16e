/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Functions that all benchmarks share: a clock, the host's CPU and SIMD level, and the
 * output of results.
 */
#ifndef NV3_BENCH_H
#define NV3_BENCH_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "raster/raster.h"

static inline double bench_now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec / 1e9;
}

/* Returns the model name of the host's CPU as Linux prints it. */
static inline const char *bench_cpu(void)
{
    static char line[256];
    FILE *f = fopen("/proc/cpuinfo", "r");

    while (f && fgets(line, sizeof(line), f)) {
        char *name = strchr(line, ':');

        if (name && !strncmp(line, "model name", 10)) {
            fclose(f);
            name += strspn(name, ": ");
            name[strcspn(name, "\n")] = 0;
            return name;
        }
    }
    if (f) {
        fclose(f);
    }
    return "unknown CPU";
}

/*
 * Returns the SIMD level in the environment variable NV3_SIMD, or the host's fastest
 * level if the variable is not set. Exits if the level does not exist or the host lacks
 * it.
 */
static inline NV3Simd bench_isa(void)
{
    const char *name = getenv("NV3_SIMD");
    NV3Simd simd = NV3_SIMD_AUTO;

    if (name && (!nv3_simd_by_name(name, &simd) || !nv3_simd_available(simd))) {
        fprintf(stderr, "NV3_SIMD=%s: not a SIMD level of this host, which has", name);
        for (unsigned i = 0; i < NV3_SIMD_COUNT; i++) {
            if (nv3_simd_available(i)) {
                fprintf(stderr, " %s", nv3_simd_name(i));
            }
        }
        fprintf(stderr, "\n");
        exit(1);
    }
    return nv3_simd_select(simd);
}

/* Prints the conditions of the measurements: CPU, number of CPUs and SIMD level. */
static inline void bench_print_host(void)
{
    printf("# %s, %ld CPUs online, SIMD level %s\n", bench_cpu(),
           sysconf(_SC_NPROCESSORS_ONLN), nv3_simd_name(bench_isa()));
}

/*
 * Prints a row: name, value, unit, name and value of the reference, and the ratio. Both
 * values must have been measured in the same run of the benchmark.
 */
static inline void bench_print(const char *name, double value, const char *unit,
                               const char *against, double against_value)
{
    printf("%s\t%.1f\t%s\t%s %.1f\t%.3f\n", name, value, unit, against,
           against_value, value / against_value);
}

/*
 * Returns the highest SIMD level that the host has and that is below @simd, or
 * NV3_SIMD_AUTO if @simd is the lowest level.
 */
static inline NV3Simd bench_level_below(NV3Simd simd)
{
    do {
        simd--;
    } while (!nv3_simd_available(simd));
    return simd;
}

/*
 * Prints the row @name.LEVEL, which compares a SIMD level with the level below. "make
 * bench" fails if the ratio of such a row shows that the higher level is slower.
 */
static inline void bench_print_level(const char *name, NV3Simd simd, double value,
                                     const char *unit, double below)
{
    char row[64];

    snprintf(row, sizeof(row), "%s.%s", name, nv3_simd_name(simd));
    bench_print(row, value, unit, nv3_simd_name(bench_level_below(simd)), below);
}

#endif
