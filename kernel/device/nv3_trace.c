// SPDX-License-Identifier: GPL-2.0-or-later
/* Defines the tracepoints. */

#include <drm/drm_device.h>
#include <drm/drm_file.h>

#include <drm/nv3_drm.h>

#define CREATE_TRACE_POINTS
#include "nv3_trace.h"
