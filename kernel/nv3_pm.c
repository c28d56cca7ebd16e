// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: Suspend
 *
 * During a suspend the chip may lose its power, and thus the contents of VRAM. nv3_pm_suspend()
 * turns the screen off, moves buffers to system memory, and stops the resource manager, in this
 * order. nv3_pm_resume() starts the resource manager and then the display. Buffers return to VRAM
 * when a batch or the display needs them there. RAMIN must keep its contents until the last step of
 * the suspend, because RAMIN contains page tables of the resource manager and the cursor images of
 * the display.
 */

#include <drm/drm_modeset_helper.h>
#include <drm/drm_print.h>
#include <drm/ttm/ttm_resource.h>

#include "kms/nv3_hotplug.h"
#include "kms/nv3_kms_priv.h"
#include "kms/nv3_vga_regs.h"
#include "nv3_drv.h"
#include "rm/nv3_rm.h"

static int nv3_pm_suspend(struct device *dev)
{
	struct nv3_device *nv3 = dev_get_drvdata(dev);
	struct ttm_resource_manager *vram = ttm_manager_type(&nv3->ttm, TTM_PL_VRAM);
	int ret;

	nv3_hotplug_suspend(nv3);
	ret = drm_mode_config_helper_suspend(&nv3->drm);
	if (ret)
		goto err_hotplug;

	/*
	 * Wait until all batches have ended before evicting buffers, because a batch of a
	 * long-running channel would move its buffers back to VRAM.
	 */
	ret = nv3_rm_wait_idle(nv3);
	if (ret)
		goto err_display;

	ret = ttm_resource_manager_evict_all(&nv3->ttm, vram);
	if (ret) {
		drm_err(&nv3->drm, "buffers don't leave VRAM: %d\n", ret);
		goto err_display;
	}

	ret = nv3_rm_suspend(nv3);
	if (ret)
		goto err_display;

	nv3_irq_disable(nv3);
	return 0;

err_display:
	drm_mode_config_helper_resume(&nv3->drm);
err_hotplug:
	nv3_hotplug_resume(nv3);
	return ret;
}

static int nv3_pm_resume(struct device *dev)
{
	struct nv3_device *nv3 = dev_get_drvdata(dev);
	int ret;

	nv3_device_enable(nv3);
	nv3_rm_resume(nv3);
	nv3_vga_unlock(nv3);
	nv3_cursor_reset(nv3);
	nv3_irq_enable(nv3);

	ret = drm_mode_config_helper_resume(&nv3->drm);
	nv3_hotplug_resume(nv3);
	return ret;
}

DEFINE_SIMPLE_DEV_PM_OPS(nv3_pm_ops, nv3_pm_suspend, nv3_pm_resume);
