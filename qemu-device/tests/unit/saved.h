/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The saved state of a chip as an array of bytes, for tests that compare, change or
 * migrate it. Each block has a byte that is 1 if the block is present, followed by the
 * values in the order and width of its table. QEMU uses the same tables, which
 * test-nv3-vmstate.c tests.
 */
#ifndef NV3_TEST_SAVED_H
#define NV3_TEST_SAVED_H

#include "api/nv3_state.h"

/*
 * Returns the size of a chip's state in bytes. A missing block is filled with zeroes.
 */
size_t saved_size(void);
/* Offset of block @index. */
size_t saved_block(unsigned index);
void saved_take(NV3State *s, uint8_t *buf);
bool saved_put(NV3State *s, const uint8_t *buf, NV3LoadError *error);

#endif
