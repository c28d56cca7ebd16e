/* SPDX-License-Identifier: MIT */
#ifndef NV3_WAIT_H
#define NV3_WAIT_H

#include <stdbool.h>
#include <stdint.h>

#include "util/os_time.h"
#include "util/u_cpu_detect.h"

/* As long as most of what is waited for in the middle of a frame takes, or a small frame. */
#define NV3_AWAKE_NS 2000000

/*
 * Whether to ask again at once if the chip is done, instead of sleeping until it is: to
 * be woken takes longer than most of what it does, in a VM above all. @since is 0 at
 * first. With one CPU it is wanted by the kernel, to hand the batch to the chip.
 */
static inline bool
nv3_stay_awake(int64_t *since)
{
   if (!*since)
      *since = os_time_get_nano();
   return util_get_cpu_caps()->nr_cpus > 1 &&
          os_time_get_nano() - *since < NV3_AWAKE_NS;
}

#endif
