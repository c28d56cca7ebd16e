/* SPDX-License-Identifier: MIT */
/* Replaces Mesa's header of the same name with the parts that the nv3 drm-shim uses. */
#ifndef NV3_REPLAY_OS_TIME_H
#define NV3_REPLAY_OS_TIME_H

#include <stdint.h>

/* The chips' time. It passes only between batches, so that a replay can be repeated exactly. */
int64_t os_time_get_nano(void);

#endif
