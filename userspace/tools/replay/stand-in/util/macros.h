/* SPDX-License-Identifier: MIT */
/*
 * Replaces Mesa's header of the same name with the parts that the nv3 drm-shim
 * uses.
 */
#ifndef NV3_REPLAY_MACROS_H
#define NV3_REPLAY_MACROS_H

#define MIN2(a, b)		((a) < (b) ? (a) : (b))
#define MAX2(a, b)		((a) > (b) ? (a) : (b))
#define ARRAY_SIZE(a)		(sizeof(a) / sizeof((a)[0]))
#define DIV_ROUND_UP(a, b)	(((a) + (b) - 1) / (b))

#endif
