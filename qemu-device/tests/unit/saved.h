/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The saved state of a chip as an array of bytes, for tests that compare, change or
 * migrate it. A block begins with a byte that is 1 if the block is present. The values
 * follow, in the order and with the width that the block's state table specifies. QEMU
 * also uses these tables. test-nv3-vmstate.c tests QEMU's use of the tables.
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
