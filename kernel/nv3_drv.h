/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef NV3_DRV_H
#define NV3_DRV_H

#include <linux/io.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/pm.h>

#include <drm/drm_device.h>
#include <drm/drm_file.h>
#include <drm/nv3_drm.h>
#include <drm/ttm/ttm_device.h>

#include "nv3_bo.h"
#include "nv3_move.h"
#include "nv3_regs.h"
#include "nv3_room.h"
#include "rm/nv3_rm.h"

struct drm_master;
struct drm_printer;
struct nv3_kms;
struct nv3_rm;

#define NV3_DRIVER_NAME		"nv3"
#define NV3_DRIVER_DESC		"RIVA 128"
#define NV3_DRIVER_MAJOR	1
#define NV3_DRIVER_MINOR	0

/*
 * The chip takes a cursor's address as multiples of 2 KiB of RAMIN. There are
 * two images, so that the one on the screen is never written to. The resource
 * manager divides what is below and above them.
 */
#define NV3_RAMIN_CURSOR(i)	(0xb000 + (i) * 0x800)
#define NV3_RAMIN_CURSORS	2
#define NV3_RAMIN_POOL		0xc000
#define NV3_RAMIN_POOL_END	NV3_RAMIN_SIZE

struct nv3_device {
	struct drm_device drm;

	/** @mmio: BAR0 */
	void __iomem *mmio;
	/** @vram: VRAM without RAMIN, write combined, until the last file is closed */
	void __iomem *vram;
	/** @ramin: the window on RAMIN in BAR1, NV3_RAMIN_SIZE bytes */
	void __iomem *ramin;
	/** @vram_base: bus address of VRAM's first byte, in BAR1 */
	resource_size_t vram_base;
	/** @vram_size: all of VRAM, RAMIN included */
	u32 vram_size;
	/** @vram_available: bytes from 0 that buffers may use; RAMIN follows */
	u32 vram_available;
	/** @chip_id: PMC_BOOT_0 */
	u32 chip_id;
	/** @revision: NV3_PCI_REVISION_* */
	u8 revision;
	/** @crystal_khz: what the PLLs multiply */
	u32 crystal_khz;
	/** @virt: there is a PVIRT block */
	bool virt;
	/** @virt_features: PVIRT_FEATURES, or 0 without PVIRT */
	u32 virt_features;

	/** @ttm: memory managers: VRAM, and system memory that is mapped */
	struct ttm_device ttm;
	/** @moves: what the processor has moved between them */
	struct nv3_moves moves;
	/** @room: coordinates those who place buffers */
	struct nv3_room room;

	/** @mapped_lock: of @mapped and @unmapped; taken with a buffer's lock held */
	struct mutex mapped_lock;
	/** @mapped: struct nv3_tt whose pages the chip reaches */
	struct list_head mapped;
	/** @unmapped: the device is let go of, and has no more mappings */
	bool unmapped;

	/** @imports_lock: of @imports and @imports_unmapped; buffers are locked under it */
	struct mutex imports_lock;
	/** @imports: buffers of other devices that these have mapped for the chip */
	struct list_head imports;
	bool imports_unmapped;

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
 * Register access. Whoever calls from outside the driver's own interrupts and
 * jobs is between drm_dev_enter() and drm_dev_exit(): the chip may be gone.
 */
static inline u32 nv3_rd32(struct nv3_device *nv3, u32 reg)
{
	return readl(nv3->mmio + reg);
}

static inline void nv3_wr32(struct nv3_device *nv3, u32 reg, u32 val)
{
	writel(val, nv3->mmio + reg);
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

/* nv3_device.c */
int nv3_device_init(struct nv3_device *nv3);
/* Engines other than the resource manager's (PFIFO, PGRAPH) on. */
void nv3_device_enable(struct nv3_device *nv3);

/* nv3_irq.c */
int nv3_irq_init(struct nv3_device *nv3);
void nv3_irq_fini(struct nv3_device *nv3);
void nv3_irq_enable(struct nv3_device *nv3);
void nv3_irq_disable(struct nv3_device *nv3);

/* nv3_pm.c */
extern const struct dev_pm_ops nv3_pm_ops;

/* nv3_kms.c */
int nv3_kms_init(struct nv3_device *nv3);
void nv3_kms_quiesce(struct nv3_device *nv3);
void nv3_kms_fini(struct nv3_device *nv3);
/* The vertical blank has begun: called by the resource manager's PGRAPH handler. */
void nv3_kms_vblank(struct nv3_device *nv3);

/* nv3_kms_flip.c: flips in the middle of a channel's drawing */
bool nv3_kms_may_flip(struct nv3_device *nv3, struct drm_master *master);
int nv3_kms_flip(struct nv3_device *nv3, u32 fb_id);
void nv3_kms_wait_blanks(struct nv3_device *nv3, u32 count, bool (*wanted)(void *data),
			 void *data);

/* nv3_gem.c */
extern const struct drm_gem_object_funcs nv3_gem_funcs;
void nv3_gem_show_fdinfo(struct drm_printer *p, struct drm_file *file);
int nv3_gem_dumb_create(struct drm_file *file, struct drm_device *drm,
			struct drm_mode_create_dumb *args);
/* Where to mmap a buffer; -EINVAL for one of another device's. */
int nv3_gem_map_offset(struct drm_file *file, struct drm_device *drm, u32 handle,
		       u64 *offset);
int nv3_gem_create_ioctl(struct drm_device *drm, void *data, struct drm_file *file);
int nv3_gem_mmap_ioctl(struct drm_device *drm, void *data, struct drm_file *file);
int nv3_gem_wait_ioctl(struct drm_device *drm, void *data, struct drm_file *file);

/* nv3_debugfs.c */
void nv3_debugfs_init(struct drm_minor *minor);

#endif
