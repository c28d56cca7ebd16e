// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: CRTC
 *
 * The CRTC generates the timing of the display. This file sets the mode, the pixel clock and the
 * palette, and implements the events, the counter and the time stamps of vertical blanks.
 */

#include <linux/delay.h>

#include <drm/drm_atomic.h>
#include <drm/drm_atomic_helper.h>
#include <drm/drm_color_mgmt.h>
#include <drm/drm_crtc.h>
#include <drm/drm_drv.h>
#include <drm/drm_fourcc.h>
#include <drm/drm_framebuffer.h>
#include <drm/drm_modeset_helper_vtables.h>
#include <drm/drm_print.h>
#include <drm/drm_vblank.h>

#include "device/nv3_compat.h"
#include "nv3_crc.h"
#include "nv3_kms_priv.h"
#include "nv3_mode.h"
#include "nv3_pll.h"
#include "nv3_vga_regs.h"
#include "rm/nv3_rm.h"

/* Both PLLs use the values in their registers. VPLL generates the pixel clock (riva_hw.c). */
#define NV3_PLL_CONTROL_PROGRAMMED \
	(NV3_PLL_CONTROL_MPLL_PROG | NV3_PLL_CONTROL_VPLL_PROG | \
	 NV3_PLL_CONTROL_VCLK_DB2)

/* Burst size and watermark of the memory controller's FIFO for the CRTC (riva_hw.c). */
#define NV3_ARB_BURST_DEFAULT		0x02
#define NV3_ARB_WATERMARK_DEFAULT	0x24

/*
 * A time before a vertical blank, in microseconds. During this time, the driver does not start to
 * write registers that the chip latches when the vertical blank begins.
 */
#define NV3_EVADE_US			200

#define NV3_REPAINT_1_SYNC_OFF		0xc0
#define NV3_REPAINT_1_ON		0x02
#define NV3_REPAINT_1_BELOW_1280	0x04

static enum drm_mode_status
nv3_crtc_mode_valid(struct drm_crtc *crtc, const struct drm_display_mode *mode)
{
	return nv3_mode_check(to_nv3(crtc->dev)->crystal_khz, mode);
}

static int nv3_crtc_atomic_check(struct drm_crtc *crtc,
				 struct drm_atomic_commit *state)
{
	struct drm_crtc_state *crtc_state =
		drm_atomic_get_new_crtc_state(state, crtc);
	int ret;

	if (crtc_state->gamma_lut &&
	    drm_color_lut_size(crtc_state->gamma_lut) != NV3_LUT_SIZE) {
		drm_dbg_kms(crtc->dev, "GAMMA_LUT of %d entries\n",
			    drm_color_lut_size(crtc_state->gamma_lut));
		return -EINVAL;
	}

	if (!crtc_state->enable || !drm_atomic_crtc_needs_modeset(crtc_state))
		return 0;

	ret = nv3_mode_adjust(to_nv3(crtc->dev)->crystal_khz,
			      &crtc_state->adjusted_mode);
	if (ret)
		drm_dbg_kms(crtc->dev, "no PLL setting for %d kHz\n",
			    crtc_state->mode.clock);
	return ret;
}

static bool nv3_crtc_has_picture(struct drm_crtc *crtc)
{
	return crtc->primary->state->visible;
}

/*
 * True colours pass through the palette only if user space has set a gamma ramp. Without a gamma
 * ramp, the device model can show the frame buffer without conversion.
 */
static void nv3_crtc_set_colors(struct nv3_device *nv3,
				const struct drm_crtc_state *crtc_state,
				const struct drm_format_info *format)
{
	u32 general = NV3_GENERAL_BPC_8 | NV3_GENERAL_VGA_STATE;

	if (format->format == DRM_FORMAT_RGB565)
		general |= NV3_GENERAL_ALT_MODE;
	if (format->format != DRM_FORMAT_C8 && crtc_state->gamma_lut)
		general |= NV3_GENERAL_PIXMIX_ON;

	nv3_wr32(nv3, NV3_PRAMDAC_GENERAL, general);
}

static void nv3_crtc_set_gamma(struct nv3_device *nv3,
			       const struct drm_crtc_state *crtc_state)
{
	const struct drm_property_blob *lut = crtc_state->gamma_lut;

	nv3_vga_set_palette(nv3, lut ? lut->data : NULL);
}

/*
 * Sends the event of a commit at the next vertical blank, when the chip latches the new start
 * address. If vertical blanks are disabled, sends the event at once.
 */
static void nv3_crtc_arm_event(struct drm_crtc *crtc)
{
	struct drm_pending_vblank_event *event = crtc->state->event;

	if (!event)
		return;
	crtc->state->event = NULL;

	spin_lock_irq(&crtc->dev->event_lock);
	if (drm_crtc_vblank_get(crtc))
		drm_crtc_send_vblank_event(crtc, event);
	else
		drm_crtc_arm_vblank_event(crtc, event);
	spin_unlock_irq(&crtc->dev->event_lock);
}

/*
 * Returns true if the commit contains the primary plane or the overlay. At each vertical blank, the
 * chip latches several registers of these planes. If a vertical blank begins after the driver has
 * written only some of these registers, one frame is wrong.
 */
static bool nv3_crtc_changes_picture(struct nv3_device *nv3,
				     struct drm_atomic_commit *state)
{
	return drm_atomic_get_new_plane_state(state, &nv3->kms->primary) ||
	       drm_atomic_get_new_plane_state(state, &nv3->kms->overlay);
}

/* If the next vertical blank begins within NV3_EVADE_US, waits until it has begun. */
static void nv3_crtc_evade_vblank(struct nv3_device *nv3,
				  const struct drm_display_mode *mode)
{
	const unsigned int margin =
		DIV_ROUND_UP(NV3_EVADE_US * (mode->crtc_clock / 1000),
			     mode->crtc_htotal);
	const unsigned int blank = mode->crtc_vdisplay;
	unsigned int line = nv3_crtc_line(nv3);

	if (line < blank && line + margin >= blank)
		usleep_range(NV3_EVADE_US, 2 * NV3_EVADE_US);
}

static void nv3_crtc_atomic_begin(struct drm_crtc *crtc,
				  struct drm_atomic_commit *state)
{
	struct nv3_device *nv3 = to_nv3(crtc->dev);
	int idx;

	if (!drm_dev_enter(crtc->dev, &idx))
		return;
	if (drm_atomic_crtc_needs_modeset(crtc->state)) {
		nv3_vga_unlock(nv3);
		nv3_vga_blank(nv3, true);
	} else if (crtc->state->active && nv3_crtc_changes_picture(nv3, state)) {
		nv3_crtc_evade_vblank(nv3, &crtc->state->adjusted_mode);
	}
	drm_dev_exit(idx);
}

static void nv3_crtc_atomic_flush(struct drm_crtc *crtc,
				  struct drm_atomic_commit *state)
{
	struct nv3_device *nv3 = to_nv3(crtc->dev);
	const struct drm_crtc_state *crtc_state = crtc->state;
	const bool modeset = drm_atomic_crtc_needs_modeset(crtc_state);
	int idx;

	if (drm_dev_enter(crtc->dev, &idx)) {
		/* nv3_crtc_set_colors() may enable the palette, so write the palette first. */
		if (modeset || crtc_state->color_mgmt_changed)
			nv3_crtc_set_gamma(nv3, crtc_state);
		if (nv3_crtc_has_picture(crtc))
			nv3_crtc_set_colors(nv3, crtc_state,
					    crtc->primary->state->fb->format);
		drm_dev_exit(idx);
	}

	/* Vertical blanks are still disabled. nv3_crtc_atomic_enable() will arm the event. */
	if (modeset && crtc_state->active)
		return;

	nv3_crtc_arm_event(crtc);
}

static void nv3_crtc_set_clock(struct nv3_device *nv3, u32 khz)
{
	struct nv3_pll pll;

	/* nv3_mode_adjust() has checked the clock, so the call can't fail. */
	if (drm_WARN_ON(&nv3->drm, nv3_pll_compute(nv3->crystal_khz, khz, &pll)))
		return;

	nv3_wr32(nv3, NV3_PRAMDAC_VPLL, nv3_pll_value(&pll));
	nv3_wr32(nv3, NV3_PRAMDAC_PLL_CONTROL, NV3_PLL_CONTROL_PROGRAMMED);
}

static void nv3_crtc_set_mode(struct nv3_device *nv3,
			      const struct drm_display_mode *mode)
{
	nv3_vga_set_linear(nv3, mode);
	nv3_crtc_set_clock(nv3, mode->crtc_clock);
	nv3_vga_set_timing(nv3, mode);
	nv3_crtc_wr(nv3, NV3_CRTC_ARB_BURST, NV3_ARB_BURST_DEFAULT);
	nv3_crtc_wr(nv3, NV3_CRTC_ARB_WATERMARK, NV3_ARB_WATERMARK_DEFAULT);
	nv3_crtc_wr(nv3, NV3_CRTC_REPAINT_1,
		    NV3_REPAINT_1_ON |
		    (mode->hdisplay < 1280 ? NV3_REPAINT_1_BELOW_1280 : 0));
}

static void nv3_crtc_atomic_enable(struct drm_crtc *crtc,
				   struct drm_atomic_commit *state)
{
	struct nv3_device *nv3 = to_nv3(crtc->dev);
	int idx;

	if (drm_dev_enter(crtc->dev, &idx)) {
		nv3_crtc_set_mode(nv3, &crtc->state->adjusted_mode);
		nv3_vga_blank(nv3, !nv3_crtc_has_picture(crtc));
		drm_dev_exit(idx);
	}

	drm_crtc_set_max_vblank_count(crtc, nv3->virt ? U32_MAX : 0);
	drm_crtc_vblank_on(crtc);
	nv3_crtc_arm_event(crtc);
}

/* Turns off the picture and the sync signals. */
void nv3_crtc_off(struct nv3_device *nv3)
{
	nv3_vga_blank(nv3, true);
	nv3_crtc_mask(nv3, NV3_CRTC_REPAINT_1, 0, NV3_REPAINT_1_SYNC_OFF);
}

static void nv3_crtc_atomic_disable(struct drm_crtc *crtc,
				    struct drm_atomic_commit *state)
{
	struct nv3_device *nv3 = to_nv3(crtc->dev);
	int idx;

	drm_crtc_vblank_off(crtc);

	if (drm_dev_enter(crtc->dev, &idx)) {
		nv3_crtc_off(nv3);
		drm_dev_exit(idx);
	}
}

/*
 * DRM numbers the lines of the vertical blank with negative numbers, and the first visible line
 * with 0.
 */
static bool nv3_crtc_get_scanout_position(struct drm_crtc *crtc, bool in_vblank_irq,
					  int *vpos, int *hpos,
					  ktime_t *stime, ktime_t *etime,
					  const struct drm_display_mode *mode)
{
	unsigned int line;
	int idx;

	if (!drm_dev_enter(crtc->dev, &idx))
		return false;

	if (stime)
		*stime = ktime_get();
	line = nv3_crtc_line(to_nv3(crtc->dev));
	if (etime)
		*etime = ktime_get();
	drm_dev_exit(idx);

	*hpos = 0;
	*vpos = line;
	if (line >= mode->crtc_vdisplay)
		*vpos -= mode->crtc_vtotal;

	return true;
}

/*
 * The emulated chip counts vertical blanks, so the count is right even if interrupts are late. For
 * real chips, DRM computes the count from time stamps. An unbind unplugs the device before a commit
 * disables the CRTC, and this commit waits for the last frame. The function therefore can't use
 * drm_dev_enter().
 */
static u32 nv3_crtc_get_vblank_counter(struct drm_crtc *crtc)
{
	struct nv3_device *nv3 = to_nv3(crtc->dev);

	if (!nv3->virt || READ_ONCE(nv3->kms->gone))
		return 0;

	return nv3_rd32(nv3, NV3_PVIRT_FRAME);
}

/*
 * Cursor updates are asynchronous, so an update may request a time stamp while another commit is
 * still setting the mode. DRM's helper would warn until the other commit has set the timing.
 */
static bool nv3_crtc_get_vblank_timestamp(struct drm_crtc *crtc, int *max_error,
					  ktime_t *time, bool in_vblank_irq)
{
	if (!crtc->dev->vblank[drm_crtc_index(crtc)].hwmode.crtc_clock)
		return false;

	return drm_crtc_vblank_helper_get_vblank_timestamp(crtc, max_error, time,
							   in_vblank_irq);
}

static int nv3_crtc_enable_vblank(struct drm_crtc *crtc)
{
	int idx;

	if (!drm_dev_enter(crtc->dev, &idx))
		return -ENODEV;
	nv3_rm_vblank_enable(to_nv3(crtc->dev), true);
	drm_dev_exit(idx);
	return 0;
}

static void nv3_crtc_disable_vblank(struct drm_crtc *crtc)
{
	int idx;

	if (!drm_dev_enter(crtc->dev, &idx))
		return;
	nv3_rm_vblank_enable(to_nv3(crtc->dev), false);
	drm_dev_exit(idx);
}

static const struct drm_crtc_helper_funcs nv3_crtc_helper_funcs = {
	.mode_valid = nv3_crtc_mode_valid,
	.atomic_check = nv3_crtc_atomic_check,
	.atomic_begin = nv3_crtc_atomic_begin,
	.atomic_flush = nv3_crtc_atomic_flush,
	.atomic_enable = nv3_crtc_atomic_enable,
	.atomic_disable = nv3_crtc_atomic_disable,
	.get_scanout_position = nv3_crtc_get_scanout_position,
};

static const struct drm_crtc_funcs nv3_crtc_funcs = {
	.reset = drm_atomic_helper_crtc_reset,
	.destroy = drm_crtc_cleanup,
	.set_config = drm_atomic_helper_set_config,
	.page_flip = drm_atomic_helper_page_flip,
	.atomic_duplicate_state = drm_atomic_helper_crtc_duplicate_state,
	.atomic_destroy_state = drm_atomic_helper_crtc_destroy_state,
	.get_crc_sources = nv3_crc_get_sources,
	.verify_crc_source = nv3_crc_verify_source,
	.set_crc_source = nv3_crc_set_source,
	.enable_vblank = nv3_crtc_enable_vblank,
	.disable_vblank = nv3_crtc_disable_vblank,
	.get_vblank_counter = nv3_crtc_get_vblank_counter,
	.get_vblank_timestamp = nv3_crtc_get_vblank_timestamp,
};

/**
 * nv3_crtc_init() - create the CRTC
 * @nv3: the device
 *
 * Context: process context, in probe, after the planes have been created.
 * Return: 0 or a negative errno.
 */
int nv3_crtc_init(struct nv3_device *nv3)
{
	struct nv3_kms *kms = nv3->kms;
	int ret;

	ret = drm_crtc_init_with_planes(&nv3->drm, &kms->crtc, &kms->primary,
					&kms->cursor, &nv3_crtc_funcs, NULL);
	if (ret)
		return ret;

	drm_crtc_helper_add(&kms->crtc, &nv3_crtc_helper_funcs);
	drm_mode_crtc_set_gamma_size(&kms->crtc, NV3_LUT_SIZE);
	drm_crtc_enable_color_mgmt(&kms->crtc, 0, false, NV3_LUT_SIZE);
	return 0;
}
