/* SPDX-License-Identifier: MIT */
/*
 * Replaces Mesa's header of the same name with the parts that the nv3 drm-shim
 * uses.
 */
#ifndef NV3_REPLAY_BITSET_H
#define NV3_REPLAY_BITSET_H

#include <stdint.h>

#define BITSET_DECLARE(name, bits)	uint32_t name[((bits) + 31) / 32]
#define BITSET_SET(name, bit)		((name)[(bit) / 32] |= 1u << (bit) % 32)
#define BITSET_TEST(name, bit)		((name)[(bit) / 32] >> (bit) % 32 & 1)

#endif
