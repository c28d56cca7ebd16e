// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: Modes
 *
 * This file checks which modes the CRTC and the video PLL can generate, and adjusts modes that the
 * chip can only approximate. The CRTC counts groups of eight pixels, so horizontal timings are
 * rounded to multiples of eight. The pixel clock is scaled by the same factor as the horizontal
 * total, to preserve the frame rate.
 */

#include <linux/math.h>
#include <linux/minmax.h>

#include <drm/drm_modes.h>

#include "nv3_mode.h"
#include "nv3_pll.h"

/*
 * The maximum lengths of the horizontal sync pulse and of the horizontal blanking interval, in
 * pixels. The registers hold the lower 5 bits of the position at which the pulse ends, and the
 * lower 7 bits of the position at which the interval ends, in units of 8 pixels.
 */
#define NV3_HSYNC_MAX		(31 * 8)
#define NV3_HBLANK_MAX		(127 * 8)
/*
 * The maximum lengths of the vertical sync pulse and of the vertical blanking interval, in lines.
 * The registers hold the lower 4 bits of the line at which the pulse ends, and the lower 8 bits of
 * the line at which the interval ends.
 */
#define NV3_VSYNC_MAX		15
#define NV3_VBLANK_MAX		255

static int nv3_round_to_8(int pixels)
{
	return DIV_ROUND_CLOSEST(pixels, 8) * 8;
}

/**
 * nv3_mode_adjust() - set the crtc_ members of a mode to the timing that the chip generates
 * @crystal_khz: frequency of the crystal in kHz: 13500 or 14318
 * @mode: the mode
 *
 * DRM computes time stamps from these members.
 *
 * Context: any.
 * Return: 0, or -ERANGE if the video PLL can't generate the pixel clock.
 */
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

/*
 * Checks the lengths of blanking intervals and sync pulses. These lengths are limited, because the
 * registers hold only the lower bits of the end of an interval or pulse.
 */
static enum drm_mode_status nv3_mode_check_blanks(const struct drm_display_mode *mode)
{
	if (mode->crtc_hsync_start < mode->crtc_hdisplay ||
	    mode->crtc_hsync_end > mode->crtc_htotal)
		return MODE_HBLANK_NARROW;
	if (mode->crtc_htotal - mode->crtc_hdisplay > NV3_HBLANK_MAX)
		return MODE_HBLANK_WIDE;
	if (mode->crtc_hsync_end - mode->crtc_hsync_start > NV3_HSYNC_MAX)
		return MODE_HSYNC_WIDE;
	if (mode->crtc_vtotal - mode->crtc_vdisplay > NV3_VBLANK_MAX)
		return MODE_VBLANK_WIDE;
	if (mode->crtc_vsync_end - mode->crtc_vsync_start > NV3_VSYNC_MAX)
		return MODE_VSYNC_WIDE;

	return MODE_OK;
}

static enum drm_mode_status nv3_mode_check_size(const struct drm_display_mode *mode)
{
	if (mode->crtc_hdisplay % 8)
		return MODE_H_ILLEGAL;
	if (mode->crtc_hdisplay > NV3_MODE_MAX || mode->crtc_htotal >= 4096)
		return MODE_BAD_HVALUE;
	if (mode->crtc_vdisplay > NV3_MODE_MAX || mode->crtc_vtotal > NV3_MODE_MAX)
		return MODE_BAD_VVALUE;

	return MODE_OK;
}

/**
 * nv3_mode_check() - check whether the chip can generate a mode
 * @crystal_khz: frequency of the crystal in kHz: 13500 or 14318
 * @mode: the mode
 *
 * Context: any.
 * Return: MODE_OK, or the reason why the chip can't generate the mode.
 */
enum drm_mode_status nv3_mode_check(u32 crystal_khz,
				    const struct drm_display_mode *mode)
{
	struct drm_display_mode made;
	enum drm_mode_status status;

	if (mode->flags & DRM_MODE_FLAG_INTERLACE)
		return MODE_NO_INTERLACE;
	if (mode->vscan > 1)
		return MODE_NO_VSCAN;

	drm_mode_init(&made, mode);
	drm_mode_set_crtcinfo(&made, 0);
	status = nv3_mode_check_size(&made);
	if (status != MODE_OK)
		return status;
	if (nv3_mode_adjust(crystal_khz, &made))
		return mode->clock < NV3_VPLL_MIN_KHZ ? MODE_CLOCK_LOW :
							MODE_CLOCK_HIGH;

	return nv3_mode_check_blanks(&made);
}
