/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The seam between the resource manager and the rest of the driver: what the rest may call, and
 * what the folders above rm/ register with it (struct nv3_rm_hooks).
 */
#ifndef NV3_RM_H
#define NV3_RM_H

#include <linux/irqreturn.h>
#include <linux/types.h>

struct drm_device;
struct drm_file;
struct drm_minor;
struct drm_printer;
struct nv3_bo;
struct nv3_channel;
struct nv3_device;
struct nv3_fault;
struct nv3_job;
struct nv3_object;
struct nv3_rm;

/**
 * struct nv3_class_ops - hooks of class/: the classes, and what they have in PGRAPH and RAMIN
 *
 * All but @init_classes, @prepare and the last three are called with nv3_rm.lock held.
 */
struct nv3_class_ops {
	/** @init_classes: finds out which classes the chip has, and fills nv3_rm.classes */
	void (*init_classes)(struct nv3_rm *rm);
	/** @prepare: writes the page tables that a job needs. Its buffers are placed and locked */
	void (*prepare)(struct nv3_job *job);
	/** @begin: opens the DMA objects that the job may use, and closes the others */
	void (*begin)(struct nv3_job *job);
	/** @apply_surfaces: writes the surfaces of the channel, which owns PGRAPH */
	void (*apply_surfaces)(struct nv3_channel *chan);
	/** @reset_surfaces: writes that there are no surfaces, after a reset */
	void (*reset_surfaces)(struct nv3_rm *rm);
	/** @init_migration: makes the kernel's own channel, which copies buffers. 0 or an errno */
	int (*init_migration)(struct nv3_rm *rm);
	/** @fini_migration: closes it. The chip is gone, and every batch has ended */
	void (*fini_migration)(struct nv3_rm *rm);
	/** @release_migration: frees its memory */
	void (*release_migration)(struct nv3_rm *rm);
};

/**
 * struct nv3_pio_ops - hooks of pio/: channels whose clients store methods to the chip
 *
 * NULL where the driver is built without CONFIG_DRM_NV3_PIO. There are no PIO channels then.
 */
struct nv3_pio_ops {
	/** @init: allocates nv3_channel.pio. 0 or an errno */
	int (*init)(struct nv3_channel *chan);
	/** @fini: frees it, after the last job and the last mapping of the channel */
	void (*fini)(struct nv3_channel *chan);
	/** @open: makes the USER aperture, which @file may map. 0 or an errno */
	int (*open)(struct nv3_channel *chan, struct drm_file *file);
	/** @mmap_offset: where @file maps it */
	u64 (*mmap_offset)(struct nv3_channel *chan);
	/** @revoke: unmaps the aperture for ever. Sleeps */
	void (*revoke)(struct nv3_channel *chan);
	/** @close: the client closes the channel. The aperture may still be mapped */
	void (*close)(struct nv3_channel *chan);
	/** @end_early: ends the timeslice. Needs nv3_channel.lock. Sleeps */
	void (*end_early)(struct nv3_channel *chan);
	/** @add_memory: adds an object with nv3_class.memory. 0, or -ENOSPC if there are too many */
	int (*add_memory)(struct nv3_object *obj);
	/** @remove_memory: undoes @add_memory. nv3_rm.lock is held */
	void (*remove_memory)(struct nv3_object *obj);
	/**
	 * @interrupt: ends the timeslices that use one of @count buffers, which are locked, as a
	 * batch that names them is about to be armed. Returns the channel whose timeslice was
	 * on the chip, with a reference, or NULL.
	 */
	struct nv3_channel *(*interrupt)(struct nv3_rm *rm, struct nv3_bo **bos, u32 count);
	/** @runout: methods of the running PIO channel are in RAMRO. nv3_rm.lock is held */
	void (*runout)(struct nv3_rm *rm, u32 intr);
};

/**
 * struct nv3_debug_ops - hooks of debug/
 *
 * NULL where the driver is built without CONFIG_DRM_NV3_DEBUG.
 */
struct nv3_debug_ops {
	/** @init: allocates what @fault needs. 0 or an errno */
	int (*init)(struct nv3_rm *rm);
	/** @fini: no fault is recorded any more */
	void (*fini)(struct nv3_rm *rm);
	/** @release: undoes @init */
	void (*release)(struct nv3_rm *rm);
	/** @fault: records a channel that is about to be ended. nv3_rm.lock is held */
	void (*fault)(struct nv3_channel *chan, const struct nv3_fault *fault);
};

/** struct nv3_rm_hooks - what the folders above rm/ register at nv3_rm_init() */
struct nv3_rm_hooks {
	const struct nv3_class_ops *class;
	const struct nv3_pio_ops *pio;
	const struct nv3_debug_ops *debug;
	/** @vblank: the vertical blank has begun. Any context, without locks */
	void (*vblank)(struct nv3_device *nv3);
};

int nv3_rm_init(struct nv3_device *nv3, const struct nv3_rm_hooks *hooks);
void nv3_rm_fini(struct nv3_device *nv3);
int nv3_rm_wait_idle(struct nv3_device *nv3);
void nv3_rm_quiesce(struct nv3_device *nv3);
int nv3_rm_suspend(struct nv3_device *nv3);
void nv3_rm_resume(struct nv3_device *nv3);

irqreturn_t nv3_rm_irq(struct nv3_device *nv3, u32 pmc_intr);
void nv3_rm_vblank_enable(struct nv3_device *nv3, bool on);

int nv3_rm_getparam(struct nv3_device *nv3, struct drm_file *file, u32 param, u64 *value);
void nv3_rm_show_fdinfo(struct drm_printer *p, struct drm_file *file);

#endif
