/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef NV3_APERTURE_H
#define NV3_APERTURE_H

#include <linux/mutex.h>

#include <drm/drm_gem.h>

struct drm_file;
struct nv3_channel;

/** struct nv3_aperture - the USER aperture of a PIO channel, 64 KiB of BAR0 */
struct nv3_aperture {
	/**
	 * @gem: the GEM object of the aperture, which provides the mmap() offset and the reference
	 * count
	 */
	struct drm_gem_object gem;
	/** @file: the only file that may map the aperture. The pointer is never dereferenced */
	struct drm_file *file;
	/** @lock: held while page table entries are created, see nv3_aperture_unmap() */
	struct mutex lock;
	/** @gone: the aperture is revoked, so that stores have no effect; guarded by @lock */
	bool gone;
	/** @touched: mask of the pages that the client has accessed; guarded by @lock */
	unsigned long touched;
	/** @dummy: page that replaces the aperture if @gone is set, or after an unplug */
	struct page *dummy;
};

int nv3_aperture_init(struct nv3_channel *chan, struct drm_file *file);
u64 nv3_aperture_mmap_offset(struct nv3_channel *chan);
void nv3_aperture_close(struct nv3_channel *chan);
void nv3_aperture_unmap(struct nv3_channel *chan);
void nv3_aperture_revoke(struct nv3_channel *chan);

#endif
