/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The seam between the resource manager and the rest of the driver: all that
 * the one may ask of the other is here and in ../nv3_drv.h.
 */
#ifndef _NV3_RM_H_
#define _NV3_RM_H_

#include <linux/irqreturn.h>
#include <linux/list.h>
#include <linux/types.h>

struct dma_fence;
struct drm_device;
struct drm_file;
struct drm_minor;
struct drm_printer;
struct nv3_bo;
struct nv3_device;
struct seq_file;
struct ttm_tt;

/* What the resource manager keeps in each buffer, as struct nv3_bo's @rm. */
struct nv3_rm_bo {
	/* Bumped by nv3_rm_bo_moved(); page tables and surfaces compare it. */
	u32 generation;
	/* Surface objects made of the buffer: while any, it runs from VRAM. */
	atomic_t surfaces;
	/* The last batch that named the buffer; the last SUBMIT that did: nv3_lease.c. */
	u64 batch;
	u64 mark;
	/* Its semaphore: the number, all objects of it, and whether one left; nv3_rm.lock. */
	u32 semaphore;
	struct list_head semaphores;
	bool semaphore_left;
};

/*
 * Brings PFIFO and PGRAPH up. Needs register and RAMIN access and buffers;
 * nv3->rm is set on success. Interrupts may arrive from here on.
 */
int nv3_rm_init(struct nv3_device *nv3);
/*
 * Stops every channel and both blocks. Files may still be open: their channels
 * stay as husks without any hardware until they are closed.
 */
void nv3_rm_fini(struct nv3_device *nv3);
/* Programs are frozen: until what they have submitted is over. -EBUSY after a while. */
int nv3_rm_wait_idle(struct nv3_device *nv3);
/*
 * Stops both blocks for good, and ends the batch that runs. Nothing is waited for, and nothing
 * freed: for a machine that goes down. Interrupts are off.
 */
void nv3_rm_quiesce(struct nv3_device *nv3);
/*
 * Around a time without power, after buffers have left VRAM and before they are used
 * again. Programs are frozen. -EBUSY when the chip doesn't come to rest.
 */
int nv3_rm_suspend(struct nv3_device *nv3);
void nv3_rm_resume(struct nv3_device *nv3);
void nv3_rm_debugfs_init(struct drm_minor *minor);

/*
 * Hard interrupt: handles PFIFO, PGRAPH and PDMA as @pmc_intr says. PGRAPH
 * carries the vertical blank, which is handed on to nv3_kms_vblank().
 */
irqreturn_t nv3_rm_irq(struct nv3_device *nv3, u32 pmc_intr);
/* PGRAPH_INTR_EN is the resource manager's; this is the display's bit of it. */
void nv3_rm_vblank_enable(struct nv3_device *nv3, bool on);

/*
 * The buffer has new pages or a new place. Called with its reservation held,
 * when no batch that names it is running any more.
 */
void nv3_rm_bo_moved(struct nv3_bo *bo);

/*
 * Has the chip copy @pages pages between VRAM, from byte @vram on, and @tt, or fill VRAM
 * with zeroes if @tt is null. Both stay as they are until the fence that is returned signals;
 * when it does, the copy has been made, by the processor if the chip was lost. Copies are
 * made in the order of the calls. Sleeps. -ENODEV: the chip can't, -E2BIG, -ENOMEM.
 */
struct dma_fence *nv3_rm_copy(struct nv3_device *nv3, u32 vram, struct ttm_tt *tt,
			      unsigned int pages, bool to_vram);
/* The fence context of all copies. */
u64 nv3_rm_copy_context(struct nv3_device *nv3);
/* For debugfs: how many there have been. */
void nv3_rm_copy_show(struct nv3_device *nv3, struct seq_file *m);

int nv3_rm_getparam(struct nv3_device *nv3, struct drm_file *file, u32 param, u64 *value);
/* fdinfo: what the file's channels have had of the chip. */
void nv3_rm_show_fdinfo(struct drm_printer *p, struct drm_file *file);

/* struct drm_driver's open and postclose; drm_file->driver_priv is ours. */
int nv3_rm_open(struct drm_device *drm, struct drm_file *file);
void nv3_rm_postclose(struct drm_device *drm, struct drm_file *file);

int nv3_rm_class_enumerate_ioctl(struct drm_device *drm, void *data, struct drm_file *file);
int nv3_rm_channel_create_ioctl(struct drm_device *drm, void *data, struct drm_file *file);
int nv3_rm_channel_destroy_ioctl(struct drm_device *drm, void *data, struct drm_file *file);
int nv3_rm_channel_flush_ioctl(struct drm_device *drm, void *data, struct drm_file *file);
int nv3_rm_channel_query_ioctl(struct drm_device *drm, void *data, struct drm_file *file);
int nv3_rm_object_instantiate_ioctl(struct drm_device *drm, void *data, struct drm_file *file);
int nv3_rm_object_destroy_ioctl(struct drm_device *drm, void *data, struct drm_file *file);
int nv3_rm_notifier_fence_ioctl(struct drm_device *drm, void *data, struct drm_file *file);
int nv3_rm_submit_ioctl(struct drm_device *drm, void *data, struct drm_file *file);

#endif
