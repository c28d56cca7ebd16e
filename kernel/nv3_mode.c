// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: Modes
 *
 * Which modes the CRTC's registers and the video PLL can make, and what becomes of
 * the others. The CRTC counts pixels by eights, so a mode whose blanks are not such
 * multiples is rounded, and its clock with it: the frame rate stays what it was.
 */

#include <linux/math.h>
#include <linux/minmax.h>

#include <drm/drm_modes.h>

#include "nv3_mode.h"
#include "nv3_pll.h"

enum drm_mode_status nv3_mode_check(u32 crystal_khz,
				    const struct drm_display_mode *mode)
{
	struct nv3_pll pll;

	if (mode->hdisplay % 8)
		return MODE_H_ILLEGAL;
	if (mode->hdisplay > NV3_MODE_MAX || mode->htotal >= 4096)
		return MODE_BAD_HVALUE;
	if (mode->vdisplay > NV3_MODE_MAX || mode->vtotal > NV3_MODE_MAX)
		return MODE_BAD_VVALUE;
	if (nv3_pll_compute(crystal_khz, mode->clock, &pll))
		return mode->clock < NV3_VPLL_MIN_KHZ ? MODE_CLOCK_LOW :
							MODE_CLOCK_HIGH;

	return MODE_OK;
}

static int nv3_round_to_8(int pixels)
{
	return DIV_ROUND_CLOSEST(pixels, 8) * 8;
}

int nv3_mode_adjust(u32 crystal_khz, struct drm_display_mode *mode)
{
	struct nv3_pll pll;
	int ret;

	drm_mode_set_crtcinfo(mode, 0);

	mode->crtc_htotal = nv3_round_to_8(mode->crtc_htotal);
	mode->crtc_hsync_start = nv3_round_to_8(mode->crtc_hsync_start);
	mode->crtc_hsync_end = max(nv3_round_to_8(mode->crtc_hsync_end),
				   mode->crtc_hsync_start + 8);
	mode->crtc_clock = DIV_ROUND_CLOSEST(mode->crtc_clock * mode->crtc_htotal,
					     mode->htotal);

	ret = nv3_pll_compute(crystal_khz, mode->crtc_clock, &pll);
	if (ret)
		return ret;

	mode->crtc_clock = pll.khz;
	return 0;
}
