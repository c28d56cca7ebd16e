/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef NV3_COREDUMP_H
#define NV3_COREDUMP_H

#include <linux/sizes.h>
#include <linux/types.h>
#include <linux/workqueue.h>

struct nv3_channel;
struct nv3_fault;
struct nv3_rm;

#define NV3_COREDUMP_MAX	SZ_16K

/**
 * struct nv3_coredump - one dump in the making
 *
 * It is allocated with the resource manager, as a fault is no place to allocate memory.
 */
struct nv3_coredump {
	/* Below: nv3_rm.lock. */

	/** @size: bytes of @data; not 0 while @work has still to hand it over */
	u32 size;
	/** @next: jiffies before which no other dump is made; @any: there was one */
	unsigned long next;
	bool any;
	/** @resets: resets of the chip that user space hasn't been told of */
	u32 resets;

	/** @work: hands @data over, and tells user space of resets */
	struct work_struct work;
	/** @data: the dump, NV3_COREDUMP_MAX bytes; @work reads it while @size isn't 0 */
	u8 *data;
};

int nv3_coredump_init(struct nv3_rm *rm);
void nv3_coredump_fini(struct nv3_rm *rm);
void nv3_coredump_release(struct nv3_rm *rm);
void nv3_coredump_fault(struct nv3_channel *chan, const struct nv3_fault *fault);
void nv3_coredump_reset(struct nv3_rm *rm);

#endif
