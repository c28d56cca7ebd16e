/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs a fuzzer without libFuzzer, so that any compiler can build it. The inputs are the
 * files on the command line. If there are none, the program generates a fixed number of
 * pseudo-random inputs, which are the same in each run.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "fuzz.h"

#define INPUTS          400
#define INPUT_MAX       8192

static uint64_t seed = 1;

/*
 * The generator of Knuth's MMIX. Only the high bits of the generator's state are used,
 * because the low bits have short periods.
 */
static uint32_t next(void)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return seed >> 33;
}

static int replay_file(const char *name)
{
    static uint8_t data[1 << 20];
    FILE *file = fopen(name, "rb");
    size_t size;

    if (!file) {
        perror(name);
        return 1;
    }
    size = fread(data, 1, sizeof(data), file);
    fclose(file);
    LLVMFuzzerTestOneInput(data, size);
    return 0;
}

int main(int argc, char **argv)
{
    static uint8_t data[INPUT_MAX];

    for (int i = 1; i < argc; i++) {
        if (replay_file(argv[i])) {
            return 1;
        }
    }
    for (unsigned i = 0; argc == 1 && i < INPUTS; i++) {
        size_t size = next() % INPUT_MAX;

        for (size_t j = 0; j < size; j++) {
            data[j] = next();
        }
        LLVMFuzzerTestOneInput(data, size);
    }
    return 0;
}
