// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: The chip
 *
 * This file maps the two BARs and detects the revision, the size of VRAM, the crystal, and the
 * PVIRT block, which only the emulated chip has.
 *
 * Surfaces and the CRTC can address only the first 8 MiB of VRAM. An emulated chip may have more
 * VRAM, but only DMA objects and class PROGRAMS can use the additional VRAM. If the chip has more
 * than 8 MiB of VRAM, all of VRAM is mapped at the start of the upper half of BAR1.
 *
 * BAR0 and RAMIN are mapped until the PCI device is removed. Buffers in VRAM may be in use until
 * the last DRM file is closed, so VRAM stays mapped until then. The panic screen can't create a
 * mapping, so the driver maps all of VRAM except RAMIN in advance.
 */

#include <linux/pci.h>
#include <linux/sizes.h>

#include <drm/drm_managed.h>
#include <drm/drm_print.h>

#include "nv3_device.h"

static void nv3_unmap_vram(struct drm_device *drm, void *vram)
{
	iounmap((void __iomem __force *)vram);
}

static int nv3_map_vram(struct nv3_device *nv3)
{
	nv3->vram = ioremap_wc(nv3->vram_base, nv3->vram_available);
	if (!nv3->vram)
		return -ENOMEM;

	return drmm_add_action_or_reset(&nv3->drm, nv3_unmap_vram,
					(void __force *)nv3->vram);
}

static int nv3_map_bars(struct nv3_device *nv3)
{
	struct pci_dev *pdev = to_pci_dev(nv3->drm.dev);
	int ret;

	if (pci_resource_len(pdev, 0) < NV3_BAR0_SIZE ||
	    pci_resource_len(pdev, 1) < NV3_BAR1_SIZE) {
		drm_err(&nv3->drm, "BARs of %llu and %llu bytes are too small\n",
			(u64)pci_resource_len(pdev, 0),
			(u64)pci_resource_len(pdev, 1));
		return -ENODEV;
	}

	nv3->mmio = pcim_iomap_region(pdev, 0, NV3_DRIVER_NAME);
	if (IS_ERR(nv3->mmio))
		return PTR_ERR(nv3->mmio);

	ret = pcim_request_region(pdev, 1, NV3_DRIVER_NAME);
	if (ret)
		return ret;

	nv3->ramin = devm_ioremap(&pdev->dev, pci_resource_start(pdev, 1) + NV3_BAR1_RAMIN,
				  NV3_RAMIN_SIZE);
	if (!nv3->ramin)
		return -ENOMEM;

	return 0;
}

/* The meaning of PFB_BOOT_0 depends on the revision (rnndb, riva_hw.c). */
static u32 nv3_vram_size(u8 revision, u32 boot)
{
	u32 amount = boot & NV3_PFB_BOOT_0_RAM_AMOUNT;

	if (amount == NV3_PFB_BOOT_0_RAM_4MB)
		return SZ_4M;
	if (amount == NV3_PFB_BOOT_0_RAM_2MB)
		return SZ_2M;
	/* The remaining values are 0 (SGRAM) and 3 (SDRAM). On revision C, both mean 8 MiB. */
	if (revision == NV3_PCI_REVISION_C || boot & NV3_PFB_BOOT_0_8MB)
		return SZ_8M;
	return SZ_1M;
}

static int nv3_identify(struct nv3_device *nv3)
{
	nv3->chip_id = nv3_rd32(nv3, NV3_PMC_BOOT_0);
	nv3->revision = nv3->chip_id & 0xf0;
	if ((nv3->chip_id & ~0xffu) != (NV3_PMC_BOOT_0_REV_A & ~0xffu)) {
		drm_err(&nv3->drm, "chip 0x%08x is no NV3\n", nv3->chip_id);
		return -ENODEV;
	}

	nv3->cache1_size = nv3->revision >= NV3_PCI_REVISION_C ? NV3_PFIFO_CACHE1_SIZE_C :
								 NV3_PFIFO_CACHE1_SIZE_AB;
	if (nv3_rd32(nv3, NV3_PEXTDEV_BOOT_0) & NV3_STRAPS_CRYSTAL_14318)
		nv3->crystal_khz = 14318;
	else
		nv3->crystal_khz = 13500;

	return 0;
}

static void nv3_identify_virt(struct nv3_device *nv3)
{
	u32 version;

	if (nv3_rd32(nv3, NV3_PVIRT_MAGIC) != NV3_PVIRT_MAGIC_VALUE)
		return;

	version = nv3_rd32(nv3, NV3_PVIRT_VERSION);
	if (version < NV3_PVIRT_VERSION_1) {
		drm_warn(&nv3->drm, "PVIRT of version %u is not used\n", version);
		return;
	}
	nv3->virt = true;
	nv3->virt_features = nv3_rd32(nv3, NV3_PVIRT_FEATURES);
}

/*
 * Returns the size of VRAM in bytes if PVIRT reports more than 8 MiB, else 0.
 */
static u32 nv3_large_vram_size(struct nv3_device *nv3)
{
	u32 size;

	if (!(nv3->virt_features & NV3_PVIRT_FEATURE_PROGRAMS))
		return 0;
	size = nv3_rd32(nv3, NV3_PVIRT_VRAM_SIZE);
	return size > NV3_BAR1_VRAM_MAX ? size : 0;
}

/* Sets the size and the bus address of VRAM. */
static int nv3_find_vram(struct nv3_device *nv3)
{
	struct pci_dev *pdev = to_pci_dev(nv3->drm.dev);
	u32 boot = nv3_rd32(nv3, NV3_PFB_BOOT_0);
	u32 large = nv3_large_vram_size(nv3);

	nv3->vram_size = large ?: nv3_vram_size(nv3->revision, boot);
	nv3->vram_base = pci_resource_start(pdev, 1);
	if (large) {
		const resource_size_t half = pci_resource_len(pdev, 1) / 2;

		if (half < large) {
			drm_err(&nv3->drm, "BAR1 of %llu bytes is too small for VRAM of %u\n",
				(u64)pci_resource_len(pdev, 1), large);
			return -ENODEV;
		}
		nv3->vram_base += half;
	}

	nv3->vram_available = nv3->vram_size - NV3_RAMIN_SIZE;
	if (!nv3->vram_available) {
		drm_err(&nv3->drm, "no VRAM but RAMIN (PFB_BOOT_0 0x%08x)\n", boot);
		return -ENODEV;
	}
	nv3->vram_low = min_t(u32, nv3->vram_available, NV3_BAR1_VRAM_MAX);
	return 0;
}

/**
 * nv3_device_enable() - enable all blocks that the driver uses, except PFIFO and PGRAPH
 * @nv3: the device, in probe or after suspend
 *
 * Context: any.
 */
void nv3_device_enable(struct nv3_device *nv3)
{
	nv3_wr32(nv3, NV3_PMC_INTR_EN, 0);
	/*
	 * The driver has no handler for the interrupts of the following blocks, so these interrupts
	 * must not assert the interrupt line.
	 */
	nv3_wr32(nv3, NV3_PBUS_INTR_EN, 0);
	nv3_wr32(nv3, NV3_PTIMER_INTR_EN, 0);
	nv3_wr32(nv3, NV3_PVIDEO_INTR_EN, 0);
	nv3_mask32(nv3, NV3_PMC_ENABLE, 0,
		   NV3_PMC_ENABLE_PTIMER | NV3_PMC_ENABLE_PFB |
		   NV3_PMC_ENABLE_PCRTC | NV3_PMC_ENABLE_PVIDEO);
}

/**
 * nv3_device_init() - map the BARs, and identify the chip
 * @nv3: the device
 *
 * Context: process context, in probe.
 * Return: 0 or a negative errno.
 */
int nv3_device_init(struct nv3_device *nv3)
{
	int ret;

	ret = nv3_map_bars(nv3);
	if (ret)
		return ret;

	ret = nv3_identify(nv3);
	if (ret)
		return ret;

	nv3_identify_virt(nv3);
	ret = nv3_find_vram(nv3);
	if (ret)
		return ret;

	ret = nv3_map_vram(nv3);
	if (ret)
		return ret;

	nv3_device_enable(nv3);

	drm_info(&nv3->drm, "RIVA 128 revision %c, %u MiB of VRAM, crystal %u kHz%s\n",
		 'A' + (nv3->revision >> 4), nv3->vram_size >> 20,
		 nv3->crystal_khz, nv3->virt ? ", PVIRT" : "");
	return 0;
}
