/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef NV3_DEVICE_H
#define NV3_DEVICE_H

#include <linux/atomic.h>
#include <linux/io.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/wait.h>

#include <drm/drm_device.h>
#include <drm/drm_file.h>
#include <drm/nv3_drm.h>
#include <drm/ttm/ttm_device.h>

#include "nv3_regs.h"

struct nv3_copy_ops;
struct nv3_kms;
struct nv3_rm;

#define NV3_DRIVER_NAME		"nv3"
#define NV3_DRIVER_DESC		"RIVA 128"
#define NV3_DRIVER_MAJOR	1
#define NV3_DRIVER_MINOR	0

/*
 * The address of each cursor image in RAMIN is a multiple of 2 KiB. RAMIN contains two cursor
 * images, so that the driver never writes to the image that is on the screen. The resource manager
 * uses the parts of RAMIN below and above the images.
 */
#define NV3_RAMIN_CURSOR(i)	(0xb000 + (i) * 0x800)
#define NV3_RAMIN_CURSORS	2
#define NV3_RAMIN_POOL		0xc000
#define NV3_RAMIN_POOL_END	NV3_RAMIN_SIZE

/*
 * Buffer migrations by the CPU: their number, the number of pages, and the total time in
 * nanoseconds.
 */
struct nv3_migrate_stats {
	atomic64_t count;
	atomic64_t pages;
	atomic64_t ns;
};

/**
 * struct nv3_room - coordinates tasks that place buffers, see mem/nv3_room.c
 */
struct nv3_room {
	/**
	 * @users: number of tasks that place buffers, or hold the locks of buffers that they have
	 * placed
	 */
	atomic_t users;
	/** @entries: number of times that a task has begun to place buffers */
	atomic_t entries;
	/**
	 * @alone_lock: held by a task that retries placing buffers while no other task places
	 * buffers
	 */
	struct mutex alone_lock;
	/** @alone: a task retries alone, so other tasks wait before they place buffers */
	bool alone;
	/** @pins: number of pinned buffers */
	atomic_t pins;
	/** @unpins: number of times that a buffer was unpinned */
	atomic_t unpins;
	/** @wait: woken when @users or @unpins changes and when @alone is cleared */
	wait_queue_head_t wait;
};

/**
 * struct nv3_device - one RIVA 128
 *
 * The fields are grouped by the folder whose code uses them. The fields of the first group are
 * constant after nv3_device_init().
 */
struct nv3_device {
	struct drm_device drm;

	/* Constant. */

	/** @mmio: BAR0 */
	void __iomem *mmio;
	/**
	 * @vram: write-combining mapping of VRAM without RAMIN; removed after the last file is
	 * closed
	 */
	void __iomem *vram;
	/** @ramin: RAMIN in BAR1, NV3_RAMIN_SIZE bytes */
	void __iomem *ramin;
	/** @vram_base: bus address of the first byte of VRAM, in BAR1 */
	resource_size_t vram_base;
	/** @vram_size: size of VRAM in bytes, RAMIN included */
	u32 vram_size;
	/** @vram_available: size in bytes of the VRAM that buffers may use, which ends at RAMIN */
	u32 vram_available;
	/**
	 * @vram_low: size in bytes of the part of @vram_available that surfaces and the CRTC can
	 * address
	 */
	u32 vram_low;
	/** @chip_id: PMC_BOOT_0 */
	u32 chip_id;
	/** @revision: NV3_PCI_REVISION_* */
	u8 revision;
	/** @crystal_khz: reference frequency of the PLLs */
	u32 crystal_khz;
	/** @virt: the chip has a PVIRT block */
	bool virt;
	/** @virt_features: the value of register PVIRT_FEATURES, or 0 without PVIRT */
	u32 virt_features;
	/** @cache1_size: number of entries of CACHE1 */
	unsigned int cache1_size;

	/* mem/ */

	/** @ttm: TTM's managers of VRAM and of the system memory that is mapped for the chip */
	struct ttm_device ttm;
	/** @migrate_stats: migrations made by the CPU */
	struct nv3_migrate_stats migrate_stats;
	/** @room: coordinates tasks that place buffers */
	struct nv3_room room;
	/** @copy_ops: functions that let the chip copy buffers, or NULL if the chip can't copy */
	const struct nv3_copy_ops *copy_ops;

	/** @mapped_lock: guards @mapped and @unmapped; taken with a buffer's lock held */
	struct mutex mapped_lock;
	/** @mapped: list of struct nv3_tt whose pages are mapped for the chip */
	struct list_head mapped;
	/** @unmapped: the device is unbound, and pages must not be mapped for the chip */
	bool unmapped;

	/**
	 * @imports_lock: guards @imports and @imports_unmapped; taken before the locks of buffers
	 */
	struct mutex imports_lock;
	/** @imports: buffers of other devices that are mapped for the chip */
	struct list_head imports;
	bool imports_unmapped;

	/* vm/ */

	/** @vms_lock: guards @vms */
	struct mutex vms_lock;
	/** @vms: address spaces that have page tables */
	struct list_head vms;

	/* hw/, guarded by nv3_rm.lock. */

	/** @cache0_put: the value last written to PUT of CACHE0 */
	u32 cache0_put;

	/** @clock_traced: time of the last nv3_clock event, CLOCK_MONOTONIC in nanoseconds */
	u64 clock_traced;

	/* kms/ and rm/ */

	struct nv3_kms *kms;
	struct nv3_rm *rm;
};

static inline struct nv3_device *ttm_to_nv3(struct ttm_device *ttm)
{
	return container_of(ttm, struct nv3_device, ttm);
}

static inline struct nv3_device *to_nv3(struct drm_device *drm)
{
	return container_of(drm, struct nv3_device, drm);
}

/*
 * Register access. The chip may be unplugged at any time. All callers except the driver's interrupt
 * handler and jobs must therefore be between drm_dev_enter() and drm_dev_exit().
 */
static inline u32 nv3_rd32(struct nv3_device *nv3, u32 reg)
{
	return readl(nv3->mmio + reg);
}

static inline void nv3_wr32(struct nv3_device *nv3, u32 reg, u32 val)
{
	writel(val, nv3->mmio + reg);
}

/* Returns the time of PTIMER in nanoseconds. */
static inline u64 nv3_ptimer_read(struct nv3_device *nv3)
{
	u32 high, low;

	do {
		high = nv3_rd32(nv3, NV3_PTIMER_TIME_1);
		low = nv3_rd32(nv3, NV3_PTIMER_TIME_0);
	} while (high != nv3_rd32(nv3, NV3_PTIMER_TIME_1));

	return (u64)high << 32 | low;
}

static inline u8 nv3_rd08(struct nv3_device *nv3, u32 reg)
{
	return readb(nv3->mmio + reg);
}

static inline void nv3_wr08(struct nv3_device *nv3, u32 reg, u8 val)
{
	writeb(val, nv3->mmio + reg);
}

static inline u32 nv3_mask32(struct nv3_device *nv3, u32 reg, u32 clear, u32 set)
{
	u32 old = nv3_rd32(nv3, reg);

	nv3_wr32(nv3, reg, (old & ~clear) | set);
	return old;
}

/* @addr is a byte address in RAMIN. */
static inline u32 nv3_ramin_rd32(struct nv3_device *nv3, u32 addr)
{
	return readl(nv3->ramin + addr);
}

static inline void nv3_ramin_wr32(struct nv3_device *nv3, u32 addr, u32 val)
{
	writel(val, nv3->ramin + addr);
}

int nv3_device_init(struct nv3_device *nv3);
void nv3_device_enable(struct nv3_device *nv3);

#endif
