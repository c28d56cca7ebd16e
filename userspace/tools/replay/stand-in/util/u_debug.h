/* SPDX-License-Identifier: MIT */
/* In place of Mesa's header of this name: what the nv3 drm-shim uses */
#ifndef NV3_REPLAY_U_DEBUG_H
#define NV3_REPLAY_U_DEBUG_H

#include <stdint.h>

/* The options are variables of the environment. */
const char *debug_get_option(const char *name, const char *value);
int64_t debug_get_num_option(const char *name, int64_t value);

#endif
