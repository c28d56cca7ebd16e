// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: Hotplug
 *
 * A VGA connector has no pin that detects a monitor, so DRM's helpers poll the connector. The
 * preferred mode of the emulated monitor is the size of the window on the host. This size may
 * change at any time, and PVIRT raises an interrupt when it changes. A work item sends the event,
 * because DRM's clients in the kernel read the EDID when they receive the event. Reading the EDID
 * takes milliseconds and may sleep.
 *
 * The monitor may also change without an interrupt while the machine sleeps or hibernates, so the
 * driver treats each resume as a change.
 */

#include <linux/interrupt.h>
#include <linux/pci.h>

#include <drm/drm_drv.h>
#include <drm/drm_probe_helper.h>

#include "nv3_hotplug.h"
#include "nv3_kms_priv.h"

/**
 * nv3_hotplug_supported() - check whether PVIRT reports changes of the monitor
 * @nv3: the device
 *
 * Context: any.
 */
bool nv3_hotplug_supported(struct nv3_device *nv3)
{
	return nv3->virt_features & NV3_PVIRT_FEATURE_MONITOR;
}

static void nv3_hotplug_work(struct work_struct *work)
{
	struct nv3_kms *kms = container_of(work, struct nv3_kms, hotplug);

	/*
	 * The modes of the connector have changed, so send the event even if the status of the
	 * connector is the same.
	 */
	drm_kms_helper_hotplug_event(kms->connector.dev);
}

/**
 * nv3_hotplug_irq() - handle PVIRT's interrupt, which reports a change of the monitor
 * @nv3: the device
 * @pmc_intr: value of PMC_INTR
 *
 * Context: hard interrupt.
 * Return: true if PVIRT had raised the interrupt.
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
 * nv3_hotplug_enable() - enable PVIRT's interrupt, in probe or after a reset
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
 * nv3_hotplug_suspend() - disable the interrupt and cancel a pending event
 * @nv3: the device
 *
 * Context: process context; waits until a running work item has ended.
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
 * nv3_hotplug_resume() - enable the interrupt, and send an event
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
 * nv3_hotplug_init() - initialise the work item
 * @nv3: the device
 *
 * Context: process context, in probe, before interrupts are enabled.
 */
void nv3_hotplug_init(struct nv3_device *nv3)
{
	INIT_WORK(&nv3->kms->hotplug, nv3_hotplug_work);
}

/**
 * nv3_hotplug_fini() - cancel a pending event
 * @nv3: the device, with interrupts disabled
 *
 * Context: process context; waits until a running work item has ended.
 */
void nv3_hotplug_fini(struct nv3_device *nv3)
{
	cancel_work_sync(&nv3->kms->hotplug);
}
