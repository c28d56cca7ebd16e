/* SPDX-License-Identifier: MIT */
/*
 * Device core dumps of nv3: the contents of /sys/class/devcoredump/devcdN/data after a channel has
 * faulted. The driver writes these dumps, and nv3-info --decode reads them.
 *
 * A dump is a header and a sequence of sections. A section is a struct nv3_dump_section
 * followed by its contents. All numbers are little endian, and all sizes are multiples of
 * 8 bytes. New kinds of sections do not change the version number, so readers must skip
 * unknown sections.
 */
#ifndef NV3_DUMP_H
#define NV3_DUMP_H

#include <linux/types.h>

#define NV3_DUMP_MAGIC		"NV3DUMP"	/* with the terminating zero */
#define NV3_DUMP_VERSION	1

struct nv3_dump_header {
	char magic[8];
	__le32 version;
	__le32 size;		/* size of the whole dump, in bytes */
};

#define NV3_DUMP_FAULT		1	/* struct nv3_dump_fault */
#define NV3_DUMP_REGISTERS	2	/* struct nv3_dump_register, repeated to the end */
#define NV3_DUMP_STATE		3	/* struct nv3_dump_register: the channel's drawing state */
#define NV3_DUMP_CACHE1		4	/* struct nv3_dump_method, in order of execution */
#define NV3_DUMP_RAMRO		5	/* struct nv3_dump_method; @addr is word 0 of the entry */
#define NV3_DUMP_RING		6	/* struct nv3_dump_ring */

struct nv3_dump_section {
	__le32 type;		/* NV3_DUMP_* */
	__le32 size;		/* size of the contents, in bytes */
};

/* The faulting batch was on the chip, so REGISTERS, CACHE1 and RAMRO show its state. */
#define NV3_DUMP_ON_CHIP	(1 << 0)
#define NV3_DUMP_PIO		(1 << 1)	/* PIO channel: the dump has no section RING */

struct nv3_dump_fault {
	__le64 time_ns;		/* CLOCK_MONOTONIC */
	__le64 batch;		/* number of the faulting batch, from 1 */
	__le64 ran_ns;		/* chip time of the batch, measured by the hang check */
	__le32 flags;		/* NV3_DUMP_ON_CHIP, NV3_DUMP_PIO */
	__le32 chip_id;		/* PMC_BOOT_0 */
	__le32 channel;		/* number of the channel on the chip */
	__le32 reason;		/* DRM_NV3_FAULT_* */
	__le32 subch; /* subchannel of the method, if a method caused the fault */
	__le32 method;
	__le32 data;
	__le32 class_id;
	__le32 pid;		/* process that opened the DRM file; 0: kernel */
	__le32 uid;
	char comm[16];
};

struct nv3_dump_register {
	__le32 offset;		/* in BAR0 */
	__le32 value;
};

struct nv3_dump_method {
	__le32 addr;		/* subchannel in bits 13 to 15, method in bits 0 to 12 */
	__le32 data;
};

/*
 * Words of the ring. The first of these words is at byte @start of the ring. The pusher will next
 * read the word at byte @get.
 */
struct nv3_dump_ring {
	__le32 start;
	__le32 count;		/* number of words; @word is padded to 8 bytes */
	__le32 get;
	__le32 batch;		/* byte where the batch begins */
	__le32 batch_size;	/* in bytes */
	__le32 pad;
	__le32 word[];
};

#endif
