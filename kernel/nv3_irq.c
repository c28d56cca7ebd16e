// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: Interrupts
 *
 * The chip has one level-triggered interrupt line, which it may share with other devices. The
 * handler reads PMC_INTR once and calls the parts of the driver that handle the pending interrupts.
 * The resource manager handles PFIFO, PGRAPH and PDMA. The vertical blank is an interrupt of
 * PGRAPH, so the resource manager passes it on to the display. nv3_hotplug.c handles PVIRT, which
 * reports changes of the monitor. The interrupts of all other blocks are disabled
 * (nv3_device_enable()).
 */

#include <linux/interrupt.h>
#include <linux/pci.h>

#include <drm/drm_print.h>

#include "kms/nv3_hotplug.h"
#include "nv3_drv.h"
#include "rm/nv3_rm.h"

/*
 * The bits of PMC_INTR that the resource manager handles. The vertical blank sets the bits of both
 * PGRAPH and PFB, so PFB is included.
 */
#define NV3_PMC_INTR_RM \
	(NV3_PMC_INTR_PFIFO | NV3_PMC_INTR_PGRAPH | NV3_PMC_INTR_PDMA | \
	 NV3_PMC_INTR_PFB)

static irqreturn_t nv3_irq_handler(int irq, void *arg)
{
	struct nv3_device *nv3 = arg;
	u32 intr = nv3_rd32(nv3, NV3_PMC_INTR);
	bool handled;

	/* Registers of a removed device read as all ones. */
	if (intr == U32_MAX)
		return IRQ_NONE;

	handled = nv3_hotplug_irq(nv3, intr);
	if (intr & NV3_PMC_INTR_RM)
		handled |= nv3_rm_irq(nv3, intr) == IRQ_HANDLED;

	return IRQ_RETVAL(handled);
}

/**
 * nv3_irq_enable() - enable the interrupts of the chip
 * @nv3: the device
 *
 * Context: any, after nv3_irq_init() has installed the handler.
 */
void nv3_irq_enable(struct nv3_device *nv3)
{
	nv3_hotplug_enable(nv3);
	nv3_wr32(nv3, NV3_PMC_INTR_EN, NV3_PMC_INTR_EN_HARDWARE);
}

/**
 * nv3_irq_disable() - disable the interrupts of the chip
 * @nv3: the device
 *
 * Context: process context; waits for a running handler.
 */
void nv3_irq_disable(struct nv3_device *nv3)
{
	struct pci_dev *pdev = to_pci_dev(nv3->drm.dev);

	nv3_wr32(nv3, NV3_PMC_INTR_EN, 0);
	nv3_rd32(nv3, NV3_PMC_INTR_EN);
	synchronize_irq(pdev->irq);
}

/**
 * nv3_irq_init() - install the interrupt handler, and enable the interrupts of the chip
 * @nv3: the device
 *
 * Context: process context.
 * Return: 0 or a negative errno.
 */
int nv3_irq_init(struct nv3_device *nv3)
{
	struct pci_dev *pdev = to_pci_dev(nv3->drm.dev);
	int ret;

	ret = request_irq(pdev->irq, nv3_irq_handler, IRQF_SHARED,
			  NV3_DRIVER_NAME, nv3);
	if (ret) {
		drm_err(&nv3->drm, "no interrupt %d: %d\n", pdev->irq, ret);
		return ret;
	}

	nv3_irq_enable(nv3);
	return 0;
}

/**
 * nv3_irq_fini() - undo nv3_irq_init()
 * @nv3: the device
 *
 * Context: process context; waits for a running handler.
 */
void nv3_irq_fini(struct nv3_device *nv3)
{
	struct pci_dev *pdev = to_pci_dev(nv3->drm.dev);

	nv3_irq_disable(nv3);
	free_irq(pdev->irq, nv3);
}
