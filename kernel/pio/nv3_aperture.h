/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef NV3_APERTURE_H
#define NV3_APERTURE_H

#include <linux/mutex.h>

#include <drm/drm_gem.h>

struct drm_file;
struct nv3_channel;

/** struct nv3_aperture - the 64 KiB of BAR0 of a PIO channel, which its client maps */
struct nv3_aperture {
	/** @gem: has the offset for mmap(), and its references determine the lifetime */
	struct drm_gem_object gem;
	/** @file: the file that may map it; compared, and never dereferenced */
	struct drm_file *file;
	/** @lock: held while page table entries are created, see nv3_aperture_unmap() */
	struct mutex lock;
	/** @gone: stores have no effect any more; under @lock */
	bool gone;
	/** @touched: used pages, whose page table entries are created together; under @lock */
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
