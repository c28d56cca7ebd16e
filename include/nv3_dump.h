/* SPDX-License-Identifier: MIT */
/*
 * Device core dumps of nv3: what /sys/class/devcoredump/devcdN/data holds after
 * a channel has faulted. The driver writes them, nv3-info --decode reads them.
 *
 * A dump is a header and sections, each a struct nv3_dump_section with its
 * contents behind it. All numbers are little endian; everything is a multiple
 * of 8 bytes. A reader skips sections that it doesn't know. Version 1 stays as
 * it is: what is new comes in new sections.
 */
#ifndef NV3_DUMP_H
#define NV3_DUMP_H

#include <linux/types.h>

#define NV3_DUMP_MAGIC		"NV3DUMP"	/* with the zero at its end */
#define NV3_DUMP_VERSION	1

struct nv3_dump_header {
	char magic[8];
	__le32 version;
	__le32 size;		/* of the whole dump, in bytes */
};

#define NV3_DUMP_FAULT		1	/* struct nv3_dump_fault */
#define NV3_DUMP_REGISTERS	2	/* struct nv3_dump_register, as many as fit */
#define NV3_DUMP_STATE		3	/* the same: the channel's drawing state */
#define NV3_DUMP_CACHE1		4	/* struct nv3_dump_method, next one first */
#define NV3_DUMP_RAMRO		5	/* the same, oldest first, with all of word 0 */
#define NV3_DUMP_RING		6	/* struct nv3_dump_ring */

struct nv3_dump_section {
	__le32 type;		/* NV3_DUMP_* */
	__le32 size;		/* of what follows, in bytes */
};

/* The batch was on the chip, which REGISTERS, CACHE1 and RAMRO show then. */
#define NV3_DUMP_ON_CHIP	(1 << 0)
#define NV3_DUMP_PIO		(1 << 1)	/* of a PIO channel: there is no RING */

struct nv3_dump_fault {
	__le64 time_ns;		/* CLOCK_MONOTONIC */
	__le64 batch;		/* the channel's, counted from 1 */
	__le64 ran_ns;		/* the chip's time for it, as far as it was measured */
	__le32 flags;		/* NV3_DUMP_ON_CHIP, NV3_DUMP_PIO */
	__le32 chip_id;		/* PMC_BOOT_0 */
	__le32 channel;		/* by which the chip knows it */
	__le32 reason;		/* DRM_NV3_FAULT_* */
	__le32 subch;		/* of the method, if it was one */
	__le32 method;
	__le32 data;
	__le32 class_id;
	__le32 pid;		/* who opened the file; 0: the kernel */
	__le32 uid;
	char comm[16];
};

struct nv3_dump_register {
	__le32 offset;		/* in BAR0 */
	__le32 value;
};

struct nv3_dump_method {
	__le32 addr;		/* subchannel in bits 13 to 15, method below */
	__le32 data;
};

/* Words of the push ring, from byte @start on; the pusher's next is at @get. */
struct nv3_dump_ring {
	__le32 start;
	__le32 count;		/* words in @word; padding to 8 bytes follows */
	__le32 get;
	__le32 batch;		/* where the batch begins */
	__le32 batch_size;	/* its bytes */
	__le32 pad;
	__le32 word[];
};

#endif
