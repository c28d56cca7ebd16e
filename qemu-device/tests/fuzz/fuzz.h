/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef NV3_FUZZ_H
#define NV3_FUZZ_H

#include <stddef.h>
#include <stdint.h>

/* Libfuzzer's name for what runs one input. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
