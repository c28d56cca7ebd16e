// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: nv3
 *
 * A driver for the RIVA 128 (NV3). The driver consists of these folders. Each folder uses only the
 * folders that precede it in the list:
 *
 * device/   struct nv3_device, register access, and identification of the chip
 * client/   usage accounts of open files, channel numbers, syncobjs
 * mem/      buffers: GEM, TTM, PRIME, migration
 * vm/       address spaces of class PROGRAMS
 * hw/       registers and tables of PFIFO, PGRAPH and RAMIN, without channels
 * rm/       the resource manager: channels, objects, submission, scheduling, switching, fences
 * class/    the classes of objects, and the migration engine
 * kms/      the display
 * sw/       software classes: semaphore, flip, rectangle (CONFIG_DRM_NV3_SW)
 * pio/      channels whose clients store methods to the chip (CONFIG_DRM_NV3_PIO)
 * debug/    debugfs, core dumps, KUnit (CONFIG_DRM_NV3_DEBUG)
 *
 * The files in the top folder implement the PCI driver, the interrupt handler, power management and
 * the ioctls.
 *
 * This file connects the other files to the PCI device. If a DRM file or a dma-buf is open when the
 * driver is unbound, the memory managers and mode objects remain. The last reference to the DRM
 * device releases them. When the PCI device is removed, the driver stops all code that accesses the
 * chip, and drm_dev_enter() prevents later accesses.
 */

#include <linux/aperture.h>
#include <linux/dma-mapping.h>
#include <linux/module.h>
#include <linux/pci.h>
#include <linux/pm.h>

#include <drm/drm_atomic_helper.h>
#include <drm/drm_drv.h>
#include <drm/drm_fbdev_ttm.h>
#include <drm/drm_fourcc.h>
#include <drm/drm_module.h>

#include "class/nv3_classes.h"
#include "debug/nv3_debug.h"
#include "device/nv3_compat.h"
#include "kms/nv3_kms.h"
#include "mem/nv3_gem.h"
#include "mem/nv3_prime.h"
#include "mem/nv3_tt.h"
#include "nv3_drv.h"
#include "nv3_ioctl.h"
#include "pio/nv3_pio.h"
#include "rm/nv3_rm.h"
#include "vm/nv3_vm.h"

static const struct nv3_rm_hooks nv3_hooks = {
	.class = &nv3_class_hooks,
	.pio = IS_ENABLED(CONFIG_DRM_NV3_PIO) ? &nv3_pio_hooks : NULL,
	.debug = IS_ENABLED(CONFIG_DRM_NV3_DEBUG) ? &nv3_debug_hooks : NULL,
	.vblank = nv3_kms_vblank,
};

static const struct file_operations nv3_fops = {
	.owner = THIS_MODULE,
	DRM_GEM_FOPS,
	.show_fdinfo = drm_show_fdinfo,
};

/*
 * Prints the driver's own keys to fdinfo (Documentation/gpu/drm-usage-stats.rst). DRM's core prints
 * the keys for the driver, the device and the client.
 */
static void nv3_show_fdinfo(struct drm_printer *p, struct drm_file *file)
{
	nv3_rm_show_fdinfo(p, file);
	nv3_gem_show_fdinfo(p, file);
}

static const struct drm_driver nv3_driver = {
	.driver_features = DRIVER_GEM | DRIVER_GEM_GPUVA | DRIVER_MODESET | DRIVER_ATOMIC |
			   DRIVER_RENDER | DRIVER_SYNCOBJ |
			   DRIVER_SYNCOBJ_TIMELINE,
	.open = nv3_file_open,
	.postclose = nv3_file_postclose,
	.show_fdinfo = nv3_show_fdinfo,
	.debugfs_init = IS_ENABLED(CONFIG_DRM_NV3_DEBUG) ? nv3_debugfs_init : NULL,
	.dumb_create = nv3_gem_dumb_create,
	.dumb_map_offset = nv3_gem_map_offset,
	.gem_prime_import = nv3_prime_import,
	.gem_prime_import_sg_table = nv3_prime_import_sg_table,
	DRM_FBDEV_TTM_DRIVER_OPS,
	.major = NV3_DRIVER_MAJOR,
	.minor = NV3_DRIVER_MINOR,
	.name = NV3_DRIVER_NAME,
	.desc = NV3_DRIVER_DESC,
	NV3_DRIVER_DATE_INIT
	.ioctls = nv3_ioctls,
	.num_ioctls = NV3_IOCTL_COUNT,
	.fops = &nv3_fops,
};

static int nv3_init(struct nv3_device *nv3)
{
	int ret;

	ret = nv3_ttm_init(nv3);
	if (ret)
		return ret;

	ret = nv3_vm_init(nv3);
	if (ret)
		return ret;

	ret = nv3_rm_init(nv3, &nv3_hooks);
	if (ret)
		return ret;

	ret = nv3_kms_init(nv3);
	if (ret)
		goto err_rm;

	ret = nv3_irq_init(nv3);
	if (ret)
		goto err_kms;

	return 0;

err_kms:
	nv3_kms_fini(nv3);
err_rm:
	nv3_rm_fini(nv3);
	return ret;
}

static void nv3_fini(struct nv3_device *nv3)
{
	nv3_irq_fini(nv3);
	nv3_kms_fini(nv3);
	nv3_rm_fini(nv3);
	/*
	 * Address spaces and buffers may outlive the PCI device, so free their page tables and DMA
	 * mappings here.
	 */
	nv3_vm_fini(nv3);
	nv3_prime_unmap_all(nv3);
	nv3_tt_unmap_all(nv3);
}

static int nv3_pci_enable(struct pci_dev *pdev)
{
	int ret;

	ret = pcim_enable_device(pdev);
	if (ret)
		return ret;

	ret = dma_set_mask_and_coherent(&pdev->dev, DMA_BIT_MASK(32));
	if (ret)
		return dev_err_probe(&pdev->dev, ret, "no 32-bit DMA\n");

	pci_set_master(pdev);
	return 0;
}

static int nv3_pci_probe(struct pci_dev *pdev, const struct pci_device_id *id)
{
	struct nv3_device *nv3;
	int ret;

	ret = aperture_remove_conflicting_pci_devices(pdev, nv3_driver.name);
	if (ret)
		return ret;

	nv3 = devm_drm_dev_alloc(&pdev->dev, &nv3_driver, struct nv3_device, drm);
	if (IS_ERR(nv3))
		return PTR_ERR(nv3);
	pci_set_drvdata(pdev, nv3);

	ret = nv3_pci_enable(pdev);
	if (ret)
		return ret;

	ret = nv3_device_init(nv3);
	if (ret)
		return ret;

	ret = nv3_init(nv3);
	if (ret)
		return ret;

	ret = drm_dev_register(&nv3->drm, 0);
	if (ret) {
		nv3_fini(nv3);
		return ret;
	}

	/*
	 * A frame buffer with 16 bits per pixel fits into low VRAM in every valid mode, and needs
	 * half as much VRAM as one with 32 bits.
	 */
	drm_client_setup_with_fourcc(&nv3->drm, DRM_FORMAT_RGB565);
	return 0;
}

static void nv3_pci_remove(struct pci_dev *pdev)
{
	struct nv3_device *nv3 = pci_get_drvdata(pdev);

	drm_dev_unplug(&nv3->drm);
	drm_atomic_helper_shutdown(&nv3->drm);
	nv3_fini(nv3);
}

/*
 * kexec starts another kernel without resetting the chip, so batches in flight could overwrite
 * memory of the new kernel. The function therefore stops the chip, turns the display off, and
 * disables the interrupts.
 *
 * Processes and workers are still running. They may hold any lock of the display, and may wait
 * forever for a fence of another device. The function therefore takes no sleeping lock, and waits
 * only for the interrupt handler. The function need not free memory, because the next kernel takes
 * over all memory.
 */
static void nv3_pci_shutdown(struct pci_dev *pdev)
{
	struct nv3_device *nv3 = pci_get_drvdata(pdev);

	nv3_irq_disable(nv3);
	nv3_rm_quiesce(nv3);
	nv3_kms_quiesce(nv3);
	pci_clear_master(pdev);
}

static const struct pci_device_id nv3_pci_table[] = {
	{ PCI_DEVICE(NV3_PCI_VENDOR_ID, NV3_PCI_DEVICE_ID) },
	{ PCI_DEVICE(NV3_PCI_VENDOR_ID, NV3_PCI_DEVICE_ID_ACPI) },
	{ }
};
MODULE_DEVICE_TABLE(pci, nv3_pci_table);

static struct pci_driver nv3_pci_driver = {
	.name = NV3_DRIVER_NAME,
	.id_table = nv3_pci_table,
	.probe = nv3_pci_probe,
	.remove = nv3_pci_remove,
	.shutdown = nv3_pci_shutdown,
	.driver.pm = pm_sleep_ptr(&nv3_pm_ops),
};

drm_module_pci_driver(nv3_pci_driver);

MODULE_AUTHOR("The nv3 project");
MODULE_DESCRIPTION("RIVA 128 (NV3) DRM driver");
MODULE_LICENSE("GPL");
NV3_IMPORT_NS("DMA_BUF");
