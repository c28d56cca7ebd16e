// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: Hotplug
 *
 * A VGA connector has no pin that tells of a monitor, so DRM's helpers ask every now
 * and then whether one answers. The emulated chip's monitor prefers the size of the
 * window on the host, so it changes at any time, and PVIRT interrupts when it does.
 * Reading its EDID takes milliseconds and sleeps: that, and the uevent, is a work's.
 *
 * A machine that slept may wake before another monitor, and one that hibernated in
 * another process of QEMU's, which tells of nothing. So a wake counts as a change.
 */

#include <linux/interrupt.h>
#include <linux/pci.h>

#include <drm/drm_drv.h>
#include <drm/drm_probe_helper.h>

#include "nv3_hotplug.h"
#include "nv3_kms.h"

/**
 * nv3_hotplug_supported() - does the monitor follow a window on the host?
 * @nv3: the device
 */
bool nv3_hotplug_supported(struct nv3_device *nv3)
{
	return nv3->virt_features & NV3_PVIRT_FEATURE_MONITOR;
}

static void nv3_hotplug_work(struct work_struct *work)
{
	struct nv3_kms *kms = container_of(work, struct nv3_kms, hotplug);

	/* It may be as connected as before, and yet has other modes. */
	drm_kms_helper_hotplug_event(kms->connector.dev);
}

/**
 * nv3_hotplug_irq() - hard interrupt: is there another monitor?
 * @nv3: the device
 * @pmc_intr: PMC_INTR
 *
 * Context: hard interrupt.
 * Return: whether the interrupt was for this.
 */
bool nv3_hotplug_irq(struct nv3_device *nv3, u32 pmc_intr)
{
	if (!(pmc_intr & NV3_PMC_INTR_PVIRT))
		return false;

	nv3_wr32(nv3, NV3_PVIRT_INTR, NV3_PVIRT_INTR_MONITOR);
	if (nv3->kms) {
		atomic_inc(&nv3->kms->monitor);
		schedule_work(&nv3->kms->hotplug);
	}
	return true;
}

/**
 * nv3_hotplug_enable() - have PVIRT tell of other monitors, also after a reset
 * @nv3: the device
 *
 * Context: any.
 */
void nv3_hotplug_enable(struct nv3_device *nv3)
{
	if (nv3_hotplug_supported(nv3))
		nv3_wr32(nv3, NV3_PVIRT_INTR_EN, NV3_PVIRT_INTR_MONITOR);
}

/**
 * nv3_hotplug_suspend() - no event comes from here on
 * @nv3: the device
 *
 * Context: process context; waits for one that is under way.
 */
void nv3_hotplug_suspend(struct nv3_device *nv3)
{
	if (!nv3_hotplug_supported(nv3))
		return;

	nv3_wr32(nv3, NV3_PVIRT_INTR_EN, 0);
	nv3_rd32(nv3, NV3_PVIRT_INTR_EN);
	synchronize_irq(to_pci_dev(nv3->drm.dev)->irq);
	cancel_work_sync(&nv3->kms->hotplug);
}

/**
 * nv3_hotplug_resume() - events come again, and one for certain
 * @nv3: the device
 *
 * Context: process context.
 */
void nv3_hotplug_resume(struct nv3_device *nv3)
{
	if (!nv3_hotplug_supported(nv3))
		return;

	nv3_hotplug_enable(nv3);
	atomic_inc(&nv3->kms->monitor);
	schedule_work(&nv3->kms->hotplug);
}

/**
 * nv3_hotplug_init() - prepare for events
 * @nv3: the device
 */
void nv3_hotplug_init(struct nv3_device *nv3)
{
	INIT_WORK(&nv3->kms->hotplug, nv3_hotplug_work);
}

/**
 * nv3_hotplug_fini() - no event comes any more
 * @nv3: the device, which doesn't interrupt any more
 *
 * Context: process context; waits for one that is under way.
 */
void nv3_hotplug_fini(struct nv3_device *nv3)
{
	cancel_work_sync(&nv3->kms->hotplug);
}
