/* SPDX-License-Identifier: MIT */
/*
 * Replaces Mesa's header of the same name with the parts that the nv3 drm-shim
 * uses.
 */
#ifndef NV3_REPLAY_U_DEBUG_H
#define NV3_REPLAY_U_DEBUG_H

#include <stdint.h>

/* Options are environment variables. */
const char *debug_get_option(const char *name, const char *value);
int64_t debug_get_num_option(const char *name, int64_t value);

#endif
