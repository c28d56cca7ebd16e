/* SPDX-License-Identifier: MIT */
/* In place of Mesa's header of this name: what the nv3 drm-shim uses */
#ifndef NV3_REPLAY_MACROS_H
#define NV3_REPLAY_MACROS_H

#define MIN2(a, b)		((a) < (b) ? (a) : (b))
#define MAX2(a, b)		((a) > (b) ? (a) : (b))
#define ARRAY_SIZE(a)		(sizeof(a) / sizeof((a)[0]))
#define DIV_ROUND_UP(a, b)	(((a) + (b) - 1) / (b))

#endif
