/* SPDX-License-Identifier: MIT */
#ifndef NV3_SYNC_H
#define NV3_SYNC_H

#include <stdbool.h>
#include <stdint.h>

#include "util/os_time.h"
#include "util/u_cpu_detect.h"

/*
 * The time to poll before sleeping, in ns. Most waits within a frame are
 * shorter than this time. Tuned with glmark2 texture and OpenArena of
 * `make bench-gl`.
 */
#define NV3_POLL_NS 2000000

/*
 * Returns true if the caller should poll again instead of sleeping. A
 * sleeping thread wakes up with a delay, especially in a VM. Most waits are
 * shorter than this delay. On a single CPU, always returns false, because
 * polling would delay the kernel's submission of the batch. The caller must
 * set *@since to 0 before the first call.
 */
static inline bool
nv3_keep_polling(int64_t *since)
{
   if (!*since)
      *since = os_time_get_nano();
   return util_get_cpu_caps()->nr_cpus > 1 &&
          os_time_get_nano() - *since < NV3_POLL_NS;
}

#endif
