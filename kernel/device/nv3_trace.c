// SPDX-License-Identifier: GPL-2.0-or-later
/* Instantiates the tracepoints, and emits nv3_clock events. */

#include <drm/drm_device.h>
#include <drm/drm_file.h>

#include <drm/nv3_drm.h>

#define CREATE_TRACE_POINTS
#include "nv3_trace.h"

/* The minimum interval between nv3_clock events, in nanoseconds */
#define NV3_TRACE_CLOCK_NS	(10 * NSEC_PER_MSEC)

/**
 * nv3_trace_clock() - emit an nv3_clock event, if this event is enabled
 * @nv3: the device
 *
 * Does nothing if the last such event is less than NV3_TRACE_CLOCK_NS old.
 *
 * Context: nv3_rm.lock is held.
 */
void nv3_trace_clock(struct nv3_device *nv3)
{
	u64 before, ptimer;

	if (!trace_nv3_clock_enabled())
		return;

	before = ktime_get_ns();
	if (before - nv3->clock_traced < NV3_TRACE_CLOCK_NS)
		return;

	ptimer = nv3_ptimer_read(nv3);
	nv3->clock_traced = before;
	trace_nv3_clock(nv3, ptimer, before, ktime_get_ns() - before);
}
