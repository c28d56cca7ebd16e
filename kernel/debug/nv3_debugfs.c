// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: debugfs files of the device
 *
 * The file `chip` shows the identity of the chip. The files `vram` and `tt` show the state of TTM's
 * managers of VRAM and of system memory. The file `migrations` shows statistics of buffer
 * migrations.
 */

#include <linux/seq_file.h>

#include <drm/drm_debugfs.h>
#include <drm/drm_device.h>
#include <drm/drm_file.h>
#include <drm/ttm/ttm_device.h>
#include <drm/ttm/ttm_resource.h>

#include "mem/nv3_bo.h"
#include "mem/nv3_migrate.h"
#include "nv3_debug.h"

static int nv3_debugfs_chip(struct seq_file *m, void *data)
{
	struct drm_debugfs_entry *entry = m->private;
	struct nv3_device *nv3 = to_nv3(entry->dev);

	seq_printf(m, "id          0x%08x (revision %c)\n", nv3->chip_id,
		   'A' + (nv3->revision >> 4));
	seq_printf(m, "vram        %u KiB, %u KiB for buffers\n",
		   nv3->vram_size >> 10, nv3->vram_available >> 10);
	seq_printf(m, "crystal     %u kHz\n", nv3->crystal_khz);
	seq_printf(m, "pvirt       %s, features 0x%x\n",
		   nv3->virt ? "yes" : "no", nv3->virt_features);
	return 0;
}

static int nv3_debugfs_migrations(struct seq_file *m, void *data)
{
	struct drm_debugfs_entry *entry = m->private;

	nv3_migrate_show(to_nv3(entry->dev), m);
	return 0;
}

/**
 * nv3_debugfs_init() - &struct drm_driver.debugfs_init
 * @minor: the primary minor
 */
void nv3_debugfs_init(struct drm_minor *minor)
{
	struct drm_device *drm = minor->dev;
	struct nv3_device *nv3 = to_nv3(drm);

	drm_debugfs_add_file(drm, "chip", nv3_debugfs_chip, NULL);
	drm_debugfs_add_file(drm, "migrations", nv3_debugfs_migrations, NULL);
	ttm_resource_manager_create_debugfs(ttm_manager_type(&nv3->ttm, TTM_PL_VRAM),
					    minor->debugfs_root, "vram");
	ttm_resource_manager_create_debugfs(ttm_manager_type(&nv3->ttm, TTM_PL_TT),
					    minor->debugfs_root, "tt");
	nv3_rm_debugfs_init(minor);
}
