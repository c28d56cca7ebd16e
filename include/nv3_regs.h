/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Registers of the RIVA 128 (NV3) in BAR0, with a section for each block.
 *
 * The device model and the kernel driver share this file, so it contains only preprocessor
 * constants. Register names are those of envytools' rnndb with the prefix NV3_. Offsets are in
 * bytes from the start of BAR0.
 *
 * Sources, unless a line names another source: envytools rnndb (bus/pmc.xml, bus/ptimer.xml,
 * fifo/nv1_pfifo.xml, graph/nv3_pgraph.xml, graph/nv3_pdma.xml, memory/nv3_pfb.xml,
 * display/nv3_pramdac.xml, display/nv_vga.xml, io/pstraps.xml), and the masks that envytools'
 * hwtest found on real cards. "86Box blog" means "NVIDIA emulation journey, part 1: RIVA 128 / NV3
 * architecture history and basic overview", 86box.net, February 25, 2025.
 */
#ifndef NV3_REGS_H
#define NV3_REGS_H

/* PCI identity (The PCI ID Repository; 86Box blog for the revisions) */
#define NV3_PCI_VENDOR_ID		0x12d2
#define NV3_PCI_DEVICE_ID		0x0018
#define NV3_PCI_DEVICE_ID_ACPI		0x0019	/* revision C with ACPI */
#define NV3_PCI_REVISION_A		0x00
#define NV3_PCI_REVISION_B		0x10
#define NV3_PCI_REVISION_C		0x20

/*
 * BARs: BAR0 contains the registers. BAR1 contains VRAM at 0 and RAMIN at 0xc00000. The virtual
 * chip can have more than 8 MiB of VRAM (PVIRT_VRAM_SIZE). In this case BAR1 is larger: its lower
 * half starts with the same layout, and its upper half starts with all of VRAM.
 */
#define NV3_BAR0_SIZE			0x01000000
#define NV3_BAR1_SIZE			0x01000000
#define NV3_BAR1_RAMIN			0x00c00000
#define NV3_BAR1_VRAM_MAX		0x00800000	/* maximum size of VRAM at 0 */
#define NV3_RAMIN_SIZE			0x00100000
/* RAMIN is the last megabyte of VRAM, with its 16-byte blocks in descending order. */
#define NV3_RAMIN_TO_VRAM(a, vram_size)	((a) ^ ((vram_size) - 16))

/* ---- PMC: master control ------------------------------------------------ */
#define NV3_PMC_BOOT_0			0x000000
#define   NV3_PMC_BOOT_0_REV_A		0x00030100
#define   NV3_PMC_BOOT_0_REV_B		0x00030110
#define   NV3_PMC_BOOT_0_REV_C		0x00030120
#define NV3_PMC_INTR			0x000100
#define   NV3_PMC_INTR_PAUDIO		0x00000001
#define   NV3_PMC_INTR_PMEDIA		0x00000010
#define   NV3_PMC_INTR_PFIFO		0x00000100
#define   NV3_PMC_INTR_PGRAPH		0x00001000
#define   NV3_PMC_INTR_PDMA		0x00002000
#define   NV3_PMC_INTR_PVIDEO		0x00010000
#define   NV3_PMC_INTR_PTIMER		0x00100000
#define   NV3_PMC_INTR_PFB		0x01000000
#define   NV3_PMC_INTR_PBUS		0x10000000
#define   NV3_PMC_INTR_PVIRT		0x40000000	/* not on real chips */
#define   NV3_PMC_INTR_SOFTWARE		0x80000000
#define NV3_PMC_INTR_EN			0x000140
#define   NV3_PMC_INTR_EN_HARDWARE	0x00000001
#define   NV3_PMC_INTR_EN_SOFTWARE	0x00000002
#define NV3_PMC_ENABLE			0x000200
#define   NV3_PMC_ENABLE_PAUDIO		0x00000001
#define   NV3_PMC_ENABLE_PMEDIA		0x00000010
#define   NV3_PMC_ENABLE_PFIFO		0x00000100
#define   NV3_PMC_ENABLE_PGRAPH		0x00001000
#define   NV3_PMC_ENABLE_PTIMER		0x00010000
#define   NV3_PMC_ENABLE_PFB		0x00100000
#define   NV3_PMC_ENABLE_PCRTC		0x01000000
#define   NV3_PMC_ENABLE_PVIDEO		0x10000000

/* ---- PBUS: bus interface; the PCI configuration space mirror ------------- */
#define NV3_PBUS_DEBUG_0		0x001080
#define NV3_PBUS_DEBUG_1		0x001084
#define NV3_PBUS_DEBUG_2		0x001088
#define NV3_PBUS_DEBUG_3		0x00108c
#define NV3_PBUS_INTR			0x001100
#define NV3_PBUS_INTR_EN		0x001140
#define   NV3_PBUS_INTR_BUS_ERROR	0x00000001
#define NV3_PBUS_PCI			0x001800	/* 256 bytes */
/* PCI configuration space, NV_PBUS_PCI_NV_20 (nouveau, nouveau_bios.h) */
#define NV3_PCI_ROM_SHADOW		0x50
#define   NV3_PCI_ROM_SHADOW_ON		0x01	/* the expansion ROM BAR maps RAMIN */

/* ---- PFIFO ---------------------------------------------------------------- */
#define NV3_PFIFO_WAIT_RETRY		0x002040
#define NV3_PFIFO_CACHE_ERROR		0x002080
#define   NV3_PFIFO_CACHE_ERROR_0	0x00000001
#define   NV3_PFIFO_CACHE_ERROR_1	0x00000010
#define NV3_PFIFO_INTR			0x002100
#define NV3_PFIFO_INTR_EN		0x002140
#define   NV3_PFIFO_INTR_CACHE_ERROR	0x00000001
#define   NV3_PFIFO_INTR_RUNOUT		0x00000010
#define   NV3_PFIFO_INTR_RUNOUT_OVERFLOW 0x00000100
#define   NV3_PFIFO_INTR_DMA_PUSHER	0x00001000
#define   NV3_PFIFO_INTR_DMA_PTE	0x00010000
#define   NV3_PFIFO_INTR_ALL		0x00011111
#define NV3_PFIFO_CONFIG		0x002200
#define   NV3_PFIFO_CONFIG_MASK		0x00fc0300
#define NV3_PFIFO_RAMHT			0x002210
#define   NV3_PFIFO_RAMHT_ADDRESS	0x0000f000	/* RAMIN byte address */
#define   NV3_PFIFO_RAMHT_SIZE		0x00030000	/* 4 KiB << this */
#define   NV3_PFIFO_RAMHT_SIZE_SHIFT	16
#define NV3_PFIFO_RAMFC			0x002214
#define   NV3_PFIFO_RAMFC_ADDRESS	0x0000fe00
#define NV3_PFIFO_RAMRO			0x002218
#define   NV3_PFIFO_RAMRO_ADDRESS	0x0000fe00
#define   NV3_PFIFO_RAMRO_SIZE_8K	0x00010000	/* 0: 512 bytes */
#define NV3_PFIFO_RUNOUT_STATUS		0x002400
#define   NV3_PFIFO_RUNOUT_RANOUT	0x00000001
#define   NV3_PFIFO_RUNOUT_EMPTY	0x00000010
#define   NV3_PFIFO_RUNOUT_FULL		0x00000100
#define NV3_PFIFO_RUNOUT_PUT		0x002410
#define NV3_PFIFO_RUNOUT_GET		0x002420
#define NV3_PFIFO_CACHES		0x002500
#define   NV3_PFIFO_CACHES_REASSIGN	0x00000001
#define NV3_PFIFO_DEVICE		0x002800
#define   NV3_PFIFO_DEVICE_CHID		0x0000007f
#define   NV3_PFIFO_DEVICE_SWITCH	0x01000000

#define NV3_PFIFO_CACHE0_PUSH_ACCESS	0x003000
#define NV3_PFIFO_CACHE0_PUSH_CHID	0x003004
#define NV3_PFIFO_CACHE0_PUT		0x003010
#define NV3_PFIFO_CACHE0_STATUS		0x003014
#define NV3_PFIFO_CACHE0_PULL_CTRL	0x003040
#define NV3_PFIFO_CACHE0_GET		0x003070
#define NV3_PFIFO_CACHE0_CTX		0x003080
#define NV3_PFIFO_CACHE0_ADDR		0x003100
#define NV3_PFIFO_CACHE0_DATA		0x003104

#define NV3_PFIFO_CACHE1_PUSH_ACCESS	0x003200
#define NV3_PFIFO_CACHE1_PUSH_CHID	0x003204
#define   NV3_PFIFO_CACHE1_CHID		0x0000007f
#define   NV3_PFIFO_CACHE1_CHID_DMA	0x00000100	/* hwtest mask 0x17f */
#define NV3_PFIFO_CACHE1_PUT		0x003210
#define NV3_PFIFO_CACHE1_STATUS		0x003214
#define   NV3_PFIFO_CACHE_RANOUT	0x00000001
#define   NV3_PFIFO_CACHE_EMPTY		0x00000010
#define   NV3_PFIFO_CACHE_FULL		0x00000100
#define NV3_PFIFO_CACHE1_DMA_STATE	0x003218
#define   NV3_PFIFO_DMA_STATE_MTHD	0x00001ffc
#define   NV3_PFIFO_DMA_STATE_SUBCH	0x0000e000
#define   NV3_PFIFO_DMA_STATE_COUNT	0x1ffc0000
#define   NV3_PFIFO_DMA_STATE_ERROR	0x40000000
#define   NV3_PFIFO_DMA_STATE_MASK	0x5ffcfffc
#define NV3_PFIFO_CACHE1_DMA_CTRL	0x003220
#define   NV3_PFIFO_DMA_CTRL_ACCESS	0x00000001
#define   NV3_PFIFO_DMA_CTRL_BUSY	0x00000010
#define NV3_PFIFO_CACHE1_DMA_COUNT	0x003224	/* bytes left */
#define NV3_PFIFO_CACHE1_DMA_GET	0x003228	/* byte offset */
#define   NV3_PFIFO_CACHE1_DMA_MASK	0x00fffffc
#define NV3_PFIFO_CACHE1_DMA_TARGET	0x00322c
#define   NV3_PFIFO_DMA_TARGET_PCI	2
#define   NV3_PFIFO_DMA_TARGET_AGP	3
#define NV3_PFIFO_CACHE1_DMA_TLB_TAG	0x003230
#define NV3_PFIFO_CACHE1_DMA_TLB_PTE	0x003234
#define   NV3_PFIFO_CACHE1_DMA_TLB_PTE_MASK 0xfffff001
#define NV3_PFIFO_CACHE1_DMA_PT_INST	0x003238	/* RAMIN byte address */
#define   NV3_PFIFO_CACHE1_DMA_PT_MASK	0x000ffffc
#define NV3_PFIFO_CACHE1_PULL_CTRL	0x003240
#define   NV3_PFIFO_PULL_CTRL_ACCESS	0x00000001
#define   NV3_PFIFO_PULL_CTRL_HASH_FAILED 0x00000010
#define   NV3_PFIFO_PULL_CTRL_SOFTWARE	0x00000100
#define NV3_PFIFO_CACHE1_PULL_STATE	0x003250
#define   NV3_PFIFO_PULL_STATE_DIRTY	0x00000010
#define NV3_PFIFO_CACHE1_GET		0x003270
#define NV3_PFIFO_CACHE1_CTX(i)		(0x003280 + (i) * 16)
#define NV3_PFIFO_CACHE1_CTX_COUNT	8
/* Revisions A and B: 32 entries from 0x3300; revision C: 64 entries from 0x3400. */
#define NV3_PFIFO_CACHE1_ADDR_AB(i)	(0x003300 + (i) * 8)
#define NV3_PFIFO_CACHE1_DATA_AB(i)	(0x003304 + (i) * 8)
#define NV3_PFIFO_CACHE1_ADDR_C(i)	(0x003400 + (i) * 8)
#define NV3_PFIFO_CACHE1_DATA_C(i)	(0x003404 + (i) * 8)
#define NV3_PFIFO_CACHE1_SIZE_AB	32
#define NV3_PFIFO_CACHE1_SIZE_C		64

/* Method and subchannel in cache entries, pushbuffer headers and RAMRO entries. */
#define NV3_FIFO_ADDR_MTHD		0x00001ffc
#define NV3_FIFO_ADDR_SUBCH_SHIFT	13
#define NV3_FIFO_ADDR_SUBCH		0x0000e000
#define NV3_FIFO_ADDR_MASK		0x0000fffc

/* The header of a run of methods in a pushbuffer: count, subchannel, method. */
#define NV3_PUSH_COUNT_SHIFT		18
#define NV3_PUSH_COUNT_MAX		2047
#define NV3_PUSH_HDR(subch, mthd, count) \
	((count) << NV3_PUSH_COUNT_SHIFT | (subch) << NV3_FIFO_ADDR_SUBCH_SHIFT | (mthd))
#define NV3_PUSH_HDR_RESERVED		0xe0030003	/* must be zero */

/* The format of the puller's context words, and of the second word of a RAMHT entry. */
#define NV3_CTX_INST			0x0000ffff	/* RAMIN address / 16 */
#define NV3_CTX_CLASS_SHIFT		16
#define NV3_CTX_CLASS			0x007f0000	/* 0x40 | class for hardware classes */
#define NV3_CTX_CLASS_GRAPH		0x00400000	/* rivatv: types 0x41..0x5c */
#define NV3_CTX_HARDWARE		0x00800000	/* 0: a software object */
#define NV3_CTX_CHID_SHIFT		24
#define NV3_CTX_CHID			0x7f000000
#define NV3_CTX_VALID			0x80000000

/* ---- RAMHT, RAMFC, RAMRO (in the first 64 KiB of RAMIN) ------------------- */
#define NV3_RAMHT_BUCKETS		256
#define NV3_RAMHT_ENTRY_SIZE		8
/* The bucket is the XOR of the handle's four bytes and the channel (86Box blog, rivatv). */
#define NV3_RAMHT_HASH(name, chid) \
	((((name) ^ (name) >> 8 ^ (name) >> 16 ^ (name) >> 24) & 0xff) ^ ((chid) & 0x7f))
#define NV3_RAMFC_SIZE			0x1000
#define NV3_RAMFC_ENTRY_SIZE		0x20	/* eight context words */
#define NV3_RAMFC_CTX_SUBCH_SHIFT	28	/* last subchannel, in each word */
#define NV3_RAMRO_ENTRY_SIZE		8
#define NV3_RAMRO_CHID_SHIFT		16
#define NV3_RAMRO_READ			0x00800000
#define NV3_RAMRO_BYTE_MASK_SHIFT	24	/* inverted byte enables */
#define NV3_RAMRO_REASON_SHIFT		28
#define   NV3_RAMRO_ILLEGAL_ACCESS	0
#define   NV3_RAMRO_NO_CACHE		1
#define   NV3_RAMRO_CACHE_RAN_OUT	2
#define   NV3_RAMRO_FREE_OVERRUN	3
#define   NV3_RAMRO_CAUGHT_LYING	4
#define   NV3_RAMRO_RESERVED_ACCESS	5

/* ---- PTIMER ----------------------------------------------------------------- */
#define NV3_PTIMER_INTR			0x009100
#define NV3_PTIMER_INTR_EN		0x009140
#define   NV3_PTIMER_INTR_ALARM		0x00000001
#define NV3_PTIMER_NUMERATOR		0x009200
#define NV3_PTIMER_DENOMINATOR		0x009210
#define NV3_PTIMER_TIME_0		0x009400	/* bits 31:5: low 27 bits */
#define NV3_PTIMER_TIME_1		0x009410	/* bits 28:0: high 29 bits */
#define NV3_PTIMER_ALARM_0		0x009420	/* bits 31:5 */

/* ---- PVIRT: virtual features that no real chip has (docs/reference/chip/bus.md) ---- */
#define NV3_PVIRT			0x00e000
#define NV3_PVIRT_MAGIC			0x00e000
#define   NV3_PVIRT_MAGIC_VALUE		0x5633564e	/* "NV3V" */
#define NV3_PVIRT_VERSION		0x00e004
#define   NV3_PVIRT_VERSION_1		1
#define NV3_PVIRT_FEATURES		0x00e008
#define   NV3_PVIRT_FEATURE_CRC		0x00000001
#define   NV3_PVIRT_FEATURE_COUNTERS	0x00000002
#define   NV3_PVIRT_FEATURE_CLASSES	0x00000004
#define   NV3_PVIRT_FEATURE_MONITOR	0x00000008
#define   NV3_PVIRT_FEATURE_PROGRAMS	0x00000010	/* class 0x1f, registers 0xe030 to 0xe03c */
#define   NV3_PVIRT_FEATURE_MULTISAMPLE	0x00000020	/* class 0x1f has multisampling */
#define NV3_PVIRT_FRAME			0x00e010	/* frames scanned out */
#define NV3_PVIRT_CRC			0x00e014	/* CRC-32 of the last complete frame */
#define NV3_PVIRT_CLASSES		0x00e018	/* bit n: PGRAPH has class n */
#define NV3_PVIRT_CRC_FRAME		0x00e01c	/* FRAME when that frame ended */
#define NV3_PVIRT_INTR			0x00e020	/* write 1 to clear */
#define   NV3_PVIRT_INTR_MONITOR	0x00000001	/* the monitor's EDID has changed */
/* The chip could not store a context image. */
#define   NV3_PVIRT_INTR_GRCTX		0x00000002
#define NV3_PVIRT_INTR_EN		0x00e024
/* Writing any value invalidates the chip's cached page table entries. */
#define NV3_PVIRT_VM_INVALIDATE		0x00e030
#define NV3_PVIRT_GRCTX			0x00e034	/* bus address of the context image, or 0 */
#define   NV3_PVIRT_GRCTX_ADDRESS	0xfffff000
#define   NV3_PVIRT_GRCTX_NO_STORE	0x00000001 /* write: do not store the current state */
#define   NV3_PVIRT_GRCTX_INVALID	0x00000002	/* read: the image is not valid */
/* read: the bus read of the image failed */
#define   NV3_PVIRT_GRCTX_REFUSED	0x00000004
#define   NV3_PVIRT_GRCTX_ERROR		0x00000006
#define NV3_PVIRT_GRCTX_SIZE		0x00e038	/* bytes of an image */
#define NV3_PVIRT_VRAM_SIZE		0x00e03c	/* in bytes; may exceed 8 MiB */
/*
 * Performance counters, 64 bits each: low word, then high word. A read of the low word latches the
 * high word.
 */
#define NV3_PVIRT_COUNTER(i)		(0x00e100 + (i) * 8)
#define   NV3_PVIRT_COUNTER_METHODS	0
#define   NV3_PVIRT_COUNTER_PIXELS	1
#define   NV3_PVIRT_COUNTER_TRIANGLES	2
#define   NV3_PVIRT_COUNTER_SWITCHES	3
#define   NV3_PVIRT_COUNTER_DMA_BYTES	4
#define   NV3_PVIRT_COUNTER_BUSY_NS	5
#define   NV3_PVIRT_COUNTER_COUNT	6
#define NV3_PVIRT_END			0x00f000

/* ---- PRM, PRAM, PRMA: real mode support -------------------------------------- */
#define NV3_PRM				0x004000
#define NV3_PRM_INTR			0x004100
#define NV3_PRM_INTR_EN			0x004140
#define NV3_PRM_CONFIG			0x004200
#define NV3_PRAM			0x006000
#define NV3_PRAM_SIZE			0x006200
#define NV3_PRMA			0x007000
#define NV3_PRMA_SIGNATURE		0x007100
#define NV3_PRMA_ADDRESS		0x007104
#define NV3_PRMA_PARTIAL		0x00710c	/* data at PRMA_ADDRESS */
/* As PRMA_PARTIAL, but each access also increases PRMA_ADDRESS by 4. */
#define NV3_PRMA_PARTIAL_NEXT		0x007114
#define   NV3_RMA_SIGNATURE		0x2b16d065u

/* ---- PRMVIO: VGA sequencer, graphics controller, misc ----------------------- */
#define NV3_PRMFB			0x0a0000	/* VGA memory, 0xa0000 to 0xbffff */
#define NV3_PRMFB_SIZE			0x020000
#define NV3_PRMVIO			0x0c0000

/*
 * The lock of the extended CRTC registers: writing 0x57 unlocks them, and writing 0x99 locks them.
 * On NV3 the lock is a sequencer register (xf86-video-nv riva_hw.c, nv3LockUnlock()).
 */
#define NV3_SEQ_LOCK			0x06

/* ---- PFB: frame buffer interface -------------------------------------------- */
#define NV3_PFB_BOOT_0			0x100000
#define   NV3_PFB_BOOT_0_RAM_AMOUNT	0x00000003
#define   NV3_PFB_BOOT_0_RAM_8MB_C	0	/* revision C: 8 MB of SGRAM */
#define   NV3_PFB_BOOT_0_RAM_1MB	0
#define   NV3_PFB_BOOT_0_RAM_2MB	1
#define   NV3_PFB_BOOT_0_RAM_4MB	2
#define   NV3_PFB_BOOT_0_WIDTH_128	0x00000004
#define   NV3_PFB_BOOT_0_BANKS_4	0x00000008
#define   NV3_PFB_BOOT_0_8MB		0x00000020
#define NV3_PFB_DELAY_1			0x100044
#define NV3_PFB_DEBUG_0			0x100080
#define NV3_PFB_GREEN_0			0x1000c0
#define   NV3_PFB_GREEN_0_LEVEL		0x00000003	/* blocks in power down */
#define   NV3_PFB_GREEN_VIDEO_OFF	1
#define   NV3_PFB_GREEN_TIMING_OFF	2
#define   NV3_PFB_GREEN_MEMORY_OFF	3
#define NV3_PFB_RTL			0x100100
#define NV3_PFB_CONFIG_0		0x100200
#define NV3_PFB_CONFIG_1		0x100204

/* ---- PEXTDEV: straps ------------------------------------------------------- */
#define NV3_PEXTDEV_BOOT_0		0x101000
#define   NV3_STRAPS_PCI_66MHZ		0x00000001
#define   NV3_STRAPS_SUB_BIOS		0x00000002	/* subsystem ID from the BIOS */
#define   NV3_STRAPS_PM_CAP		0x00000008	/* revision C: has ACPI */
#define   NV3_STRAPS_RAM_WIDTH_128	0x00000010
#define   NV3_STRAPS_BUS_AGP		0x00000020
#define   NV3_STRAPS_CRYSTAL_14318	0x00000040	/* 0: 13.5 MHz */
#define   NV3_STRAPS_OVERRIDE		0x80000000

#define NV3_PROM			0x110000	/* 64 KiB, like NV3_PALT */
#define NV3_PALT			0x120000
#define NV3_PME				0x200000
#define NV3_PME_INTR			0x200100

/* ---- PGRAPH ------------------------------------------------------------------ */
#define NV3_PGRAPH_DEBUG_0		0x400080
#define   NV3_PGRAPH_DEBUG_0_RESET	0x00000001	/* trigger, write only */
#define   NV3_PGRAPH_DEBUG_0_MASK	0x13311110
#define NV3_PGRAPH_DEBUG_1		0x400084
#define   NV3_PGRAPH_DEBUG_1_VOLATILE_RESET 0x00000001
#define   NV3_PGRAPH_DEBUG_1_DMA_LOAD	0x00010000	/* load DMA from the object */
#define   NV3_PGRAPH_DEBUG_1_CTX_SWITCH	0x00100000	/* load options from CTX_CACHE */
#define   NV3_PGRAPH_DEBUG_1_MASK	0x10113301
#define NV3_PGRAPH_DEBUG_2		0x400088
#define   NV3_PGRAPH_DEBUG_2_VOLATILE_EN 0x10000000
#define   NV3_PGRAPH_DEBUG_2_MASK	0x1133f111
#define NV3_PGRAPH_DEBUG_3		0x40008c
#define   NV3_PGRAPH_DEBUG_3_DITHER_3D	0x00008000
#define   NV3_PGRAPH_DEBUG_3_DATA_CHECK	0x00100000
#define   NV3_PGRAPH_DEBUG_3_DATA_FAIL	0x00200000
#define   NV3_PGRAPH_DEBUG_3_FORMAT_CHECK 0x00400000
#define   NV3_PGRAPH_DEBUG_3_MASK	0x1173ff31
#define NV3_PGRAPH_INTR			0x400100
#define   NV3_PGRAPH_INTR_INVALID	0x00000001
#define   NV3_PGRAPH_INTR_CTX_SWITCH	0x00000010
#define   NV3_PGRAPH_INTR_VBLANK	0x00000100
#define   NV3_PGRAPH_INTR_RANGE		0x00001000
#define   NV3_PGRAPH_INTR_MISSING_METHOD 0x00010000
#define   NV3_PGRAPH_INTR_MISSING_FORMAT 0x00100000
#define   NV3_PGRAPH_INTR_CLIP_SOFTWARE	0x01000000
#define   NV3_PGRAPH_INTR_NOTIFY	0x10000000
#define   NV3_PGRAPH_INTR_ALL		0x11111111
#define NV3_PGRAPH_INVALID		0x400104
#define   NV3_PGRAPH_INVALID_METHOD	0x00000001
#define   NV3_PGRAPH_INVALID_DATA	0x00000010
#define   NV3_PGRAPH_INVALID_NOTIFY	0x00000100
#define   NV3_PGRAPH_INVALID_DOUBLE_NOTIFY 0x00001000
#define   NV3_PGRAPH_INVALID_CTXSW_NOTIFY 0x00010000
#define   NV3_PGRAPH_INVALID_ALL	0x00011111
#define NV3_PGRAPH_INTR_EN		0x400140
#define NV3_PGRAPH_INVALID_EN		0x400144
#define NV3_PGRAPH_CTX_SWITCH		0x400180	/* current object's options */
#define   NV3_PGRAPH_CTX_SWITCH_MASK	0x3ff3f71f
#define NV3_PGRAPH_CTX_CONTROL		0x400190
#define   NV3_PGRAPH_CTX_CONTROL_MIN_TIME 0x00000003
#define   NV3_PGRAPH_CTX_CONTROL_EXPIRED 0x00000100
#define   NV3_PGRAPH_CTX_CONTROL_CHID_VALID 0x00010000
#define   NV3_PGRAPH_CTX_CONTROL_AVAILABLE 0x00100000
#define   NV3_PGRAPH_CTX_CONTROL_SWITCHING 0x01000000
#define   NV3_PGRAPH_CTX_CONTROL_DEVICE	0x10000000
#define NV3_PGRAPH_CTX_USER		0x400194
#define   NV3_PGRAPH_CTX_USER_SUBCH	0x0000e000
#define   NV3_PGRAPH_CTX_USER_CLASS	0x001f0000
#define   NV3_PGRAPH_CTX_USER_CHID	0x7f000000
#define NV3_PGRAPH_CTX_CACHE(i)		(0x4001a0 + (i) * 4)
#define NV3_PGRAPH_VTX_X(i)		(0x400400 + (i) * 4)
#define NV3_PGRAPH_VTX_Y(i)		(0x400480 + (i) * 4)
#define NV3_PGRAPH_VTX_COUNT		32
#define NV3_PGRAPH_X_MISC		0x400500
#define NV3_PGRAPH_Y_MISC		0x400504
#define NV3_PGRAPH_VALID		0x400508
#define   NV3_PGRAPH_VALID_X(i)		(1 << (i))	/* vertices, rnndb */
#define   NV3_PGRAPH_VALID_COLOR	0x00010000
#define NV3_PGRAPH_MISC32_0		0x40050c
#define NV3_PGRAPH_MISC24_0		0x400510
#define NV3_PGRAPH_XY_MISC_0		0x400514
#define NV3_PGRAPH_XY_MISC_1		0x400518
#define NV3_PGRAPH_XY_MISC_2		0x40051c
#define NV3_PGRAPH_XY_MISC_3		0x400520
#define NV3_PGRAPH_X_CLIP_STATUS(i)	(0x400524 + (i) * 4)
#define NV3_PGRAPH_Y_CLIP_STATUS(i)	(0x40052c + (i) * 4)
#define NV3_PGRAPH_ICLIP_XMAX		0x400534
#define NV3_PGRAPH_ICLIP_YMAX		0x400538
#define NV3_PGRAPH_UCLIP_XMIN		0x40053c
#define NV3_PGRAPH_UCLIP_YMIN		0x400540
#define NV3_PGRAPH_UCLIP_XMAX		0x400544
#define NV3_PGRAPH_UCLIP_YMAX		0x400548
#define NV3_PGRAPH_MISC32_1		0x40054c
/* Canvas bounds: x in bits 10:0, y in bits 29:16. */
#define NV3_PGRAPH_SRC_CANVAS_MIN	0x400550
#define NV3_PGRAPH_SRC_CANVAS_MAX	0x400554
#define NV3_PGRAPH_DST_CANVAS_MIN	0x400558
#define NV3_PGRAPH_DST_CANVAS_MAX	0x40055c
#define   NV3_PGRAPH_CANVAS_MASK	0x3fff07ff
#define NV3_PGRAPH_OCLIP_XMIN		0x400560
#define NV3_PGRAPH_OCLIP_YMIN		0x400564
#define NV3_PGRAPH_OCLIP_XMAX		0x400568
#define NV3_PGRAPH_OCLIP_YMAX		0x40056c
#define NV3_PGRAPH_MISC24_1		0x400570
#define NV3_PGRAPH_VTX_Z(i)		(0x400580 + (i) * 4)
#define NV3_PGRAPH_D3D_XY		0x4005c0
#define NV3_PGRAPH_D3D_UV		0x4005c4
#define NV3_PGRAPH_D3D_Z		0x4005c8
#define NV3_PGRAPH_D3D_RGB		0x4005cc
#define NV3_PGRAPH_D3D_FOG_TRI		0x4005d0
#define NV3_PGRAPH_D3D_RHW		0x4005d4
#define NV3_PGRAPH_PATTERN_RGB(i)	(0x400600 + (i) * 8)
#define NV3_PGRAPH_PATTERN_A(i)		(0x400604 + (i) * 8)
#define NV3_PGRAPH_PATTERN_MONO(i)	(0x400610 + (i) * 4)
#define NV3_PGRAPH_PATTERN_SHAPE	0x400618
#define NV3_PGRAPH_BITMAP_COLOR_0	0x40061c
#define NV3_PGRAPH_ROP			0x400624
#define NV3_PGRAPH_CHROMA		0x40062c
#define NV3_PGRAPH_SURF_OFFSET(i)	(0x400630 + (i) * 4)
#define   NV3_PGRAPH_SURF_OFFSET_MASK_4M 0x003ffff0
#define   NV3_PGRAPH_SURF_OFFSET_MASK_8M 0x007ffff0
#define NV3_PGRAPH_BETA			0x400640
#define NV3_PGRAPH_D3D_CONFIG		0x400644
#define NV3_PGRAPH_SURF_PITCH(i)	(0x400650 + (i) * 4)
#define   NV3_PGRAPH_SURF_PITCH_MASK	0x00001ff0
#define NV3_PGRAPH_DMA_INST		0x400680	/* bits 15:0 of the object's word 1 */
#define NV3_PGRAPH_NOTIFY		0x400684
#define   NV3_PGRAPH_NOTIFY_INST	0x0000ffff
#define   NV3_PGRAPH_NOTIFY_ARMED	0x00010000
#define   NV3_PGRAPH_NOTIFY_SELECT	0x00f00000
#define   NV3_PGRAPH_NOTIFY_SELECT_SHIFT 20
#define NV3_PGRAPH_GROBJ_INST		0x400688
#define NV3_PGRAPH_M2MF_INST		0x40068c
#define NV3_PGRAPH_CLIPRECT_MIN(i)	(0x400690 + (i) * 8)
#define NV3_PGRAPH_CLIPRECT_MAX(i)	(0x400694 + (i) * 8)
#define NV3_PGRAPH_CLIPRECT_CTRL	0x4006a0
#define NV3_PGRAPH_FIFO_ENABLE		0x4006a4
#define NV3_PGRAPH_SURF_CONFIG		0x4006a8
#define   NV3_PGRAPH_SURF_FORMAT(i, f)	((f) << ((i) * 4))
#define   NV3_PGRAPH_SURF_VALID(i)	(4 << ((i) * 4))
#define   NV3_SURF_Y16			0
#define   NV3_SURF_Y8			1
#define   NV3_SURF_X1R5G5B5		2
#define   NV3_SURF_X8R8G8B8		3
#define NV3_PGRAPH_STATUS		0x4006b0
#define   NV3_PGRAPH_STATUS_BUSY	0x00000001
#define NV3_PGRAPH_TRAPPED_ADDR		0x4006b4
#define NV3_PGRAPH_TRAPPED_DATA		0x4006b8
#define NV3_PGRAPH_TRAPPED_INST		0x4006bc
#define NV3_PGRAPH_D3D_ALPHA		0x4006c8

/* ---- PDMA: PGRAPH's DMA engine ------------------------------------------------ */
#define NV3_PDMA_INTR			0x401100
#define NV3_PDMA_INTR_EN		0x401140
#define   NV3_PDMA_INTR_INST_NULL	0x00000001
#define   NV3_PDMA_INTR_PRESENT		0x00000010	/* page not present */
#define   NV3_PDMA_INTR_PROTECTION	0x00000100	/* page not writable */
#define   NV3_PDMA_INTR_LIMIT		0x00001000	/* beyond the object's end */
#define   NV3_PDMA_INTR_NOTIFY		0x00010000
#define   NV3_PDMA_INTR_ALL		0x00011111
#define NV3_PDMA_CONTINUE		0x401200
#define NV3_PDMA_FLAGS			0x401210
#define NV3_PDMA_LIMIT			0x401220
#define NV3_PDMA_TLB_PTE		0x401230
#define NV3_PDMA_TLB_TAG		0x401240
#define NV3_PDMA_ADDR			0x401250
#define NV3_PDMA_UNK260			0x401260
#define NV3_PDMA_BYTES			0x401270
#define NV3_PDMA_INST			0x401280
#define NV3_PDMA_LINES			0x401290
#define NV3_PDMA_UNK400			0x401400
#define NV3_PDMA_OFFSET(i)		(0x401800 + (i) * 16)
#define NV3_PDMA_PITCH			0x401830
#define NV3_PDMA_FORMAT			0x401840

/* A DMA object in RAMIN: flags, limit, then one PTE per 4 KiB page */
#define NV3_DMAOBJ_FLAGS		0
#define   NV3_DMAOBJ_ADJUST		0x00000fff	/* offset in the first page */
#define   NV3_DMAOBJ_PAGED		0x00010000	/* 0: one PTE, linear */
#define   NV3_DMAOBJ_DIRECTORY		0x00020000	/* PVIRT: two levels of page tables */
#define   NV3_DMAOBJ_TARGET_SHIFT	24
#define   NV3_DMAOBJ_TARGET		0x03000000
#define   NV3_DMAOBJ_TARGET_VRAM	0
#define   NV3_DMAOBJ_TARGET_CART	1
#define   NV3_DMAOBJ_TARGET_PCI		2
#define   NV3_DMAOBJ_TARGET_AGP		3
#define NV3_DMAOBJ_LIMIT		4		/* last valid byte offset */
#define NV3_DMAOBJ_PTE(i)		(8 + (i) * 4)
#define   NV3_DMAOBJ_PTE_PRESENT	0x00000001
#define   NV3_DMAOBJ_PTE_WRITE		0x00000002
#define   NV3_DMAOBJ_PTE_FRAME		0xfffff000
/*
 * NV3_DMAOBJ_DIRECTORY: the word after the limit is the bus address of a directory in system
 * memory. The directory has 1024 words, one word for each 4 MiB of the object. Each directory word
 * contains the bus address of a page table, and bit 0 is set if this page table is present. A page
 * table is a page of 1024 entries.
 */
#define NV3_DMAOBJ_DIR			8
#define   NV3_DMAOBJ_DIR_PRESENT	0x00000001
#define   NV3_DMAOBJ_PTE_VRAM		0x00000004	/* the frame is in VRAM */
#define   NV3_DMAOBJ_TABLE_ENTRIES	1024

/* A graphics object in RAMIN: four words. */
#define NV3_GROBJ_OPTIONS		0
#define   NV3_GROBJ_COLOR_FORMAT	0x00000007
#define   NV3_GROBJ_FORMAT_R5G5B5	0
#define   NV3_GROBJ_FORMAT_R8G8B8	1
#define   NV3_GROBJ_FORMAT_R10G10B10	2
#define   NV3_GROBJ_FORMAT_Y8		3
#define   NV3_GROBJ_FORMAT_Y16		4
#define   NV3_GROBJ_ALPHA		0x00000008
#define   NV3_GROBJ_MONO_CGA6		0x00000100
#define   NV3_GROBJ_ZETA		0x00001000	/* depth is always in slot 3 */
#define   NV3_GROBJ_CHROMA		0x00002000
#define   NV3_GROBJ_PLANE		0x00004000	/* no effect on real chips */
#define   NV3_GROBJ_CLIP		0x00008000
#define   NV3_GROBJ_SURFACE_SHIFT	16		/* SURFACE: slot; BLIT, ITM: source slot */
#define   NV3_GROBJ_DST_SHIFT		20		/* mask of destination slots */
#define   NV3_GROBJ_OP_SHIFT		24
#define   NV3_GROBJ_OP_SRCCOPY		0x17
#define NV3_GROBJ_DMA			4
#define   NV3_GROBJ_DMA_INST		0x0000ffff
#define   NV3_GROBJ_NOTIFY_SHIFT	16
#define NV3_GROBJ_M2MF			8		/* M2MF: second DMA instance */

/* ---- PRMCIO: VGA CRTC, attribute controller; USER_DAC ------------------------- */
#define NV3_PRMCIO			0x601000
#define NV3_PRMCIO_SIZE			0x001000
/* Extended CRTC registers (xf86-video-nv riva_hw.c; rnndb display/nv_vga.xml). */
#define NV3_CRTC_REPAINT_0		0x19	/* 7:5: offset bits 10:8, 4:0: start bits 20:16 */
#define NV3_CRTC_REPAINT_1		0x1a
#define NV3_CRTC_ARB_BURST		0x1b
#define NV3_CRTC_WRITE_BANK		0x1d	/* 32 KiB bank of VRAM at 0xa0000 */
#define NV3_CRTC_READ_BANK		0x1e
#define NV3_CRTC_LOCK			0x1f	/* NV4 and later: see NV3_SEQ_LOCK */
#define   NV3_CRTC_UNLOCK_VALUE		0x57
#define   NV3_CRTC_LOCK_VALUE		0x99
#define NV3_CRTC_ARB_WATERMARK		0x20
/*
 * Bits 0 to 3 contain bit 10 of the vertical total, display end, sync start and blank start. Bit 4
 * contains bit 6 of the horizontal blank end. Bit 5 contains bit 11 of the offset (rivatv).
 */
#define NV3_CRTC_EXT_VERT		0x25
#define NV3_CRTC_PIXEL_FORMAT		0x28	/* 0: VGA, 1: 8 bpp, 2: 15 or 16 bpp, 3: 32 bpp */
/*
 * Bits 0 to 3 contain bit 8 of the horizontal total, display end, blank start and sync start. Bit 4
 * contains bit 8 of INTERLACE. Bits 6:5 contain bits 22:21 of the start address.
 */
#define NV3_CRTC_EXT_HORZ		0x2d
#define NV3_CRTC_CURSOR_2		0x2f
/* The cursor's RAMIN address and enable bit (rivatv, GRCURSOR0 and 1) */
#define NV3_CRTC_CURSOR_0		0x30	/* 5:0 address 21:16 */
#define NV3_CRTC_CURSOR_1		0x31	/* 7:3 address 15:11 */
#define   NV3_CURSOR_1_ENABLE		0x01
#define   NV3_CURSOR_1_SCAN_DOUBLE	0x02
#define NV3_CURSOR_SIZE			32	/* width and height in pixels of A1R5G5B5 */
#define NV3_CRTC_LINE_LOW		0x34	/* line being scanned out */
#define NV3_CRTC_LINE_HIGH		0x35
#define NV3_CRTC_RMA			0x38	/* bit 0 enable, 3:1 register */
#define NV3_CRTC_INTERLACE		0x39
#define NV3_CRTC_DDC_READ		0x3e	/* bit 2 SCL, bit 3 SDA */
#define   NV3_DDC_READ_SCL		0x04
#define   NV3_DDC_READ_SDA		0x08
#define NV3_CRTC_DDC_WRITE		0x3f	/* bit 5 SCL, bit 4 SDA, bit 0 enable */
#define   NV3_DDC_WRITE_SCL		0x20
#define   NV3_DDC_WRITE_SDA		0x10
#define NV3_CRTC_EXT_FIRST		0x19
#define NV3_CRTC_EXT_LAST		0x3f

/* ---- PVIDEO, PRAMDAC, USER_DAC --------------------------------------------- */
/*
 * The video overlay. Offsets and fields: 86Box, vid_nv4_defines.h (NV4 has the same block).
 * Programming: MPlayer's vidix/nvidia_vid.c for this chip, and nouveau's dispnv04/overlay.c. See
 * docs/reference/chip/display.md.
 */
#define NV3_PVIDEO			0x680000
#define NV3_PVIDEO_INTR			0x680100
#define   NV3_PVIDEO_INTR_NOTIFY	0x00000001	/* a buffer is free */
#define NV3_PVIDEO_INTR_EN		0x680140
#define NV3_PVIDEO_STEP_SIZE		0x680200	/* 2048 * source pixels per screen pixel */
#define   NV3_PVIDEO_STEP_SIZE_X	0x00000fff
#define   NV3_PVIDEO_STEP_SIZE_Y	0x0fff0000
#define   NV3_PVIDEO_STEP_SIZE_ONE	0x800
#define NV3_PVIDEO_CONTROL_Y		0x680204
#define   NV3_PVIDEO_CONTROL_Y_BLUR	0x00000001	/* interpolate lines */
#define   NV3_PVIDEO_CONTROL_Y_LINE_FULL 0x00000010
#define NV3_PVIDEO_CONTROL_X		0x680208
#define   NV3_PVIDEO_CONTROL_X_HEAVY	0x00000001
#define   NV3_PVIDEO_CONTROL_X_SHARPEN	0x00000010
#define   NV3_PVIDEO_CONTROL_X_SMOOTH	0x00000100	/* interpolate pixels */
#define NV3_PVIDEO_START(i)		(0x68020c + (i) * 4)	/* offset in VRAM */
#define   NV3_PVIDEO_START_MASK		0x007ffffc
#define NV3_PVIDEO_PITCH(i)		(0x680214 + (i) * 4)	/* bytes */
#define   NV3_PVIDEO_PITCH_MASK		0x00001ff0
#define NV3_PVIDEO_OFFSET(i)		(0x68021c + (i) * 4)
#define   NV3_PVIDEO_OFFSET_X		0x00000001	/* start at the second pixel */
#define   NV3_PVIDEO_OFFSET_Y		0x00000030	/* in quarters of a line */
#define   NV3_PVIDEO_OFFSET_Y_SHIFT	4
#define NV3_PVIDEO_OE_STATE		0x680224	/* overlay engine */
#define   NV3_PVIDEO_OE_NOTIFY(i)	(0x00000001 << (i) * 4)
#define   NV3_PVIDEO_OE_ERROR(i)	(0x00000100 << (i) * 4)
#define   NV3_PVIDEO_IN_USE(i)		(0x00010000 << (i) * 4)
#define   NV3_PVIDEO_OE_CURRENT		0x01000000
#define NV3_PVIDEO_SU_STATE		0x680228	/* IN_USE bits of software */
#define NV3_PVIDEO_RM_STATE		0x68022c	/* NOTIFY bits of software */
/* Position and size on the screen, in pixels: x in 10:0, y in 26:16 */
#define NV3_PVIDEO_WINDOW_START		0x680230
#define NV3_PVIDEO_WINDOW_SIZE		0x680234
#define   NV3_PVIDEO_WINDOW_MASK	0x07ff07ff
#define NV3_PVIDEO_FIFO_THRES		0x680238
#define NV3_PVIDEO_FIFO_BURST		0x68023c
#define NV3_PVIDEO_KEY			0x680240	/* colour key in the format of the screen */
#define NV3_PVIDEO_OVERLAY		0x680244
#define   NV3_PVIDEO_OVERLAY_ON		0x00000001
#define   NV3_PVIDEO_OVERLAY_KEY_ON	0x00000010	/* show only where the screen equals KEY */
#define   NV3_PVIDEO_OVERLAY_YUY2	0x00000100	/* byte order Y U Y V; 0: U Y V Y */
#define NV3_PVIDEO_RED_CSC		0x680280
#define   NV3_PVIDEO_RED_CSC_NEUTRAL	0x69
#define NV3_PVIDEO_GREEN_CSC		0x680284
#define   NV3_PVIDEO_GREEN_CSC_NEUTRAL	0x3e
#define NV3_PVIDEO_BLUE_CSC		0x680288
#define   NV3_PVIDEO_BLUE_CSC_NEUTRAL	0x89
#define NV3_PVIDEO_CSC_ADJUST		0x68028c
/* Top left corner: x in bits 11:0, y in 27:16, both signed (rivatv) */
#define NV3_PRAMDAC_CURSOR_POS		0x680300
#define NV3_PRAMDAC_DLL			0x680500
#define NV3_PRAMDAC_MPLL		0x680504
#define NV3_PRAMDAC_VPLL		0x680508
#define   NV3_PLL_M			0x000000ff
#define   NV3_PLL_N_SHIFT		8
#define   NV3_PLL_N			0x0000ff00
#define   NV3_PLL_P_SHIFT		16
#define   NV3_PLL_P			0x00070000
#define NV3_PRAMDAC_PLL_CONTROL		0x68050c
#define   NV3_PLL_CONTROL_MPLL_PROG	0x00000100
#define   NV3_PLL_CONTROL_VPLL_PROG	0x00010000
#define   NV3_PLL_CONTROL_VPLL_BYPASS	0x00100000
#define   NV3_PLL_CONTROL_PCLK_SOURCE	0x03000000
#define   NV3_PLL_CONTROL_PCLK_XTAL	0x02000000
#define   NV3_PLL_CONTROL_VCLK_DB2	0x10000000
#define   NV3_PLL_CONTROL_PCLK_VIP	0x01000000
#define NV3_PRAMDAC_TV(i)		(0x680700 + (i) * 4)
#define   NV3_PRAMDAC_TV_COUNT		16
#define NV3_PRAMDAC_GENERAL		0x680600
#define   NV3_GENERAL_PIXMIX_ON		0x00000030	/* palette applies to true colour */
#define   NV3_GENERAL_VGA_STATE		0x00000100
#define   NV3_GENERAL_ALT_MODE		0x00001000	/* 16 bpp is R5G6B5 instead of X1R5G5B5 */
#define   NV3_GENERAL_BPC_8		0x00100000
#define   NV3_GENERAL_DAC_SLEEP		0x01000000
#define NV3_USER_DAC			0x681200
#define NV3_USER_DAC_PIXEL_MASK		0x6813c6
#define NV3_USER_DAC_READ_ADDR		0x6813c7
#define NV3_USER_DAC_WRITE_ADDR		0x6813c8
#define NV3_USER_DAC_DATA		0x6813c9

/* ---- USER: 128 virtual FIFOs of 8 subchannels ---------------------------------- */
#define NV3_USER			0x800000
#define NV3_USER_STRIDE			0x010000
#define NV3_USER_CHANNELS		128
#define NV3_USER_SUBCH_STRIDE		0x002000
#define NV3_USER_FREE			0x10		/* bytes free, read only */
#define NV3_USER_ADDR(chid, subch, mthd) \
	(NV3_USER + (chid) * NV3_USER_STRIDE + (subch) * NV3_USER_SUBCH_STRIDE + (mthd))

/* NvNotification, 16 bytes (86Box blog) */
#define NV3_NOTIFICATION_SIZE		16
#define NV3_NOTIFICATION_TIME_LO	0
#define NV3_NOTIFICATION_TIME_HI	4
#define NV3_NOTIFICATION_INFO32		8
#define NV3_NOTIFICATION_INFO16		12
#define NV3_NOTIFICATION_STATUS		14
#define   NV3_NOTIFICATION_DONE		0x0000
#define   NV3_NOTIFICATION_IN_PROGRESS	0x00ff

#endif
