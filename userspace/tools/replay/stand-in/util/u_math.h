/* SPDX-License-Identifier: MIT */
/*
 * Replaces Mesa's header of the same name with the parts that the nv3 drm-shim
 * uses.
 */
#ifndef NV3_REPLAY_U_MATH_H
#define NV3_REPLAY_U_MATH_H

#include <stdint.h>

#include "util/macros.h"

/* @alignment is a power of two. */
static inline uint64_t align64(uint64_t value, uint64_t alignment)
{
	return (value + alignment - 1) & ~(alignment - 1);
}

/* @n is not 0. */
static inline unsigned int util_logbase2(unsigned int n)
{
	return 31 - __builtin_clz(n);
}

#endif
