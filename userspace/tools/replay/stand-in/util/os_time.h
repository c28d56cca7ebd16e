/* SPDX-License-Identifier: MIT */
/* In place of Mesa's header of this name: what the nv3 drm-shim uses */
#ifndef NV3_REPLAY_OS_TIME_H
#define NV3_REPLAY_OS_TIME_H

#include <stdint.h>

/* The chips' time. It passes only between batches, so that a replay can be repeated exactly. */
int64_t os_time_get_nano(void);

#endif
