/* SPDX-License-Identifier: MIT */
/* Replaces Mesa's header of the same name with the parts that the nv3 drm-shim uses. */
#ifndef NV3_REPLAY_OS_TIME_H
#define NV3_REPLAY_OS_TIME_H

#include <stdint.h>

/*
 * Returns the time on the chips' clock. The time advances only between batches, so that replays are
 * repeatable.
 */
int64_t os_time_get_nano(void);

#endif
