/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef NV3_FUZZ_H
#define NV3_FUZZ_H

#include <stddef.h>
#include <stdint.h>

/* The entry point that libFuzzer calls for each input. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
