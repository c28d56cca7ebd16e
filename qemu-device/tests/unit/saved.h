/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The saved state of a chip as an array of bytes, for tests that compare, change or
 * migrate it. Each block has one byte that says whether it is present, and then its
 * values in the order and width of its table. test-nv3-vmstate.c tests QEMU's use of
 * the same tables.
 */
#ifndef NV3_TEST_SAVED_H
#define NV3_TEST_SAVED_H

#include "api/nv3_state.h"

/* Size of a chip's state in bytes. A missing block is filled with zeroes. */
size_t saved_size(void);
/* Offset of block @index. */
size_t saved_block(unsigned index);
void saved_take(NV3State *s, uint8_t *buf);
bool saved_put(NV3State *s, const uint8_t *buf, NV3LoadError *error);

#endif
