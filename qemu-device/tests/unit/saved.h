/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Converts a chip's saved state to and from an array of bytes, for tests that compare,
 * change or migrate the state. Each block begins with a byte, which is 1 if the block is
 * present and 0 if it is missing. The block's values follow, in the order and with the
 * widths of the block's state table. QEMU also uses these tables. test-nv3-vmstate.c
 * tests QEMU's use of the tables.
 */
#ifndef NV3_TEST_SAVED_H
#define NV3_TEST_SAVED_H

#include "api/nv3_state.h"

/*
 * Returns the size of a chip's state in bytes. The size does not depend on the state,
 * because missing blocks are filled with zeroes.
 */
size_t saved_size(void);
/* Returns the offset of block @index in the saved state. */
size_t saved_block(unsigned index);
void saved_take(NV3State *s, uint8_t *buf);
bool saved_put(NV3State *s, const uint8_t *buf, NV3LoadError *error);

#endif
