// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: nv3
 *
 * A driver for the RIVA 128 (NV3), the chip on which NVIDIA's resource manager
 * and its virtual FIFOs took shape. A directory under it, rm/, is the resource
 * manager; the files beside this one are what it stands on: finding the chip
 * (nv3_device.c), memory (nv3_ttm.c, nv3_bo.c, nv3_gem.c), interrupts (nv3_irq.c)
 * and the display (nv3_kms.c and what it names).
 *
 * This file ties them to the PCI device. Whatever outlives an unbind because a
 * file or a dma-buf is still open (memory managers, mode objects) is released
 * with the last reference to the DRM device; what touches the chip stops when
 * the PCI device goes, and drm_dev_enter() keeps latecomers away.
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

#include "nv3_compat.h"
#include "nv3_drv.h"
#include "nv3_ioctl.h"
#include "nv3_prime.h"
#include "nv3_tt.h"

static const struct file_operations nv3_fops = {
	.owner = THIS_MODULE,
	DRM_GEM_FOPS,
	.show_fdinfo = drm_show_fdinfo,
};

/* Documentation/gpu/drm-usage-stats.rst. The core prints the driver, the device and the client. */
static void nv3_show_fdinfo(struct drm_printer *p, struct drm_file *file)
{
	nv3_rm_show_fdinfo(p, file);
	nv3_gem_show_fdinfo(p, file);
}

static const struct drm_driver nv3_driver = {
	.driver_features = DRIVER_GEM | DRIVER_MODESET | DRIVER_ATOMIC |
			   DRIVER_RENDER | DRIVER_SYNCOBJ |
			   DRIVER_SYNCOBJ_TIMELINE,
	.open = nv3_rm_open,
	.postclose = nv3_rm_postclose,
	.show_fdinfo = nv3_show_fdinfo,
	.debugfs_init = nv3_debugfs_init,
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

/* Brings up everything that nv3_fini() takes down. */
static int nv3_init(struct nv3_device *nv3)
{
	int ret;

	ret = nv3_ttm_init(nv3);
	if (ret)
		return ret;

	ret = nv3_rm_init(nv3);
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
	/* Buffers may outlive this. */
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

	/* Every mode has room for it, and it leaves VRAM to others. */
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
 * Another kernel may follow without a reset (kexec), and wants its memory for itself: so the chip
 * stops, whoever still has something for it, the screen goes dark, and nothing interrupts.
 *
 * Processes and workers go on meanwhile and may hold any lock of the display's, or wait for a
 * fence of another device's that never signals. So this takes no lock that sleeps, and waits for
 * nothing but an interrupt handler. Nothing is freed: the memory is the next kernel's.
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
