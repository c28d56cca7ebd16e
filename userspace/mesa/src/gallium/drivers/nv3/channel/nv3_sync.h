/* SPDX-License-Identifier: MIT */
#ifndef NV3_SYNC_H
#define NV3_SYNC_H

#include <stdbool.h>
#include <stdint.h>

#include "util/os_time.h"
#include "util/u_cpu_detect.h"

struct nv3_bo;
struct nv3_context;

/* As long as max of what is waited for in the middle of a frame takes, or a small frame. */
#define NV3_POLL_NS 2000000

/*
 * Whether to ask again at once if the chip is done, instead of sleeping until it is: to
 * be woken takes longer than max of what it does, in a VM above all. @since is 0 at
 * first. With one CPU it is wanted by the kernel, to hand the batch to the chip.
 */
static inline bool
nv3_keep_polling(int64_t *since)
{
   if (!*since)
      *since = os_time_get_nano();
   return util_get_cpu_caps()->nr_cpus > 1 &&
          os_time_get_nano() - *since < NV3_POLL_NS;
}

/* Waits until the chip no longer writes to @bo. */
void
nv3_chip_wait(struct nv3_bo *bo);

/* Waits until the inner context has drawn all that it was given. */
void
nv3_inner_finish(struct nv3_context *ctx);

#endif
