/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef NV3_SWITCH_REASON_H
#define NV3_SWITCH_REASON_H

/**
 * enum nv3_switch_reason - why a batch is preempted, or why PFIFO or PGRAPH is switched
 *
 * Only tracepoints use the reason.
 */
enum nv3_switch_reason {
	/* Switches of PFIFO: why PFIFO had no owner, or why the owner has lost PFIFO. */

	/** @NV3_SWITCH_RESET: PFIFO was reset: at start, after a suspend, or after a hang */
	NV3_SWITCH_RESET,
	/** @NV3_SWITCH_FAULT: the owner has faulted */
	NV3_SWITCH_FAULT,
	/** @NV3_SWITCH_CLOSED: the owner was closed */
	NV3_SWITCH_CLOSED,
	/** @NV3_SWITCH_IDLE: no batch of the owner is ready */
	NV3_SWITCH_IDLE,

	/* PFIFO and preemptions */

	/** @NV3_SWITCH_TIMESLICE: the timeslice has ended, and another channel is ready */
	NV3_SWITCH_TIMESLICE,
	/** @NV3_SWITCH_PRIORITY: a channel of higher priority is ready */
	NV3_SWITCH_PRIORITY,
	/**
	 * @NV3_SWITCH_MEMORY: another task waits for the buffers of the batch, or the buffers have
	 * been evicted
	 */
	NV3_SWITCH_MEMORY,
	/** @NV3_SWITCH_BLOCKED: a method of the batch blocks */
	NV3_SWITCH_BLOCKED,

	/* PGRAPH */

	/** @NV3_SWITCH_METHOD: a method of a channel that is not the owner has reached PGRAPH */
	NV3_SWITCH_METHOD,
	/** @NV3_SWITCH_SOFTWARE: a software class is about to draw with PGRAPH */
	NV3_SWITCH_SOFTWARE,
};

#endif
