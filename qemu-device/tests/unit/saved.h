/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The saved state of a chip as plain bytes, for tests that compare, change or move
 * it: for each block one byte that says whether it is there, then its values in the
 * order and width of its table. What QEMU makes of the same tables is tested by
 * its own tests.
 */
#ifndef NV3_TEST_SAVED_H
#define NV3_TEST_SAVED_H

#include "api/nv3_state.h"

/* Bytes of any chip's state; a block that is not there has zeroes. */
size_t saved_size(void);
/* Where block @index begins. */
size_t saved_block(unsigned index);
void saved_take(NV3State *s, uint8_t *buf);
bool saved_put(NV3State *s, const uint8_t *buf, NV3LoadError *error);

#endif
