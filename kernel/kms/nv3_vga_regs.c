// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: VGA registers
 *
 * The chip generates the timing with the CRTC of its VGA core. Extended registers hold the upper
 * bits of values that do not fit into the VGA registers. The driver accesses all of these registers
 * through BAR0 and never through I/O ports, so it does not need the legacy VGA addresses.
 *
 * The layout of the registers is taken from riva_dac.c of xf86-video-nv and from envytools' rnndb
 * (display/nv_vga.xml).
 */

#include <linux/kernel.h>

#include <drm/drm_color_mgmt.h>
#include <drm/drm_modes.h>

#include <video/vga.h>

#include "mem/nv3_bo.h"
#include "nv3_kms_priv.h"
#include "nv3_vga_regs.h"

/*
 * Addresses of VGA ports in BAR0: NV3_CIO() is for ports 0x3d4, 0x3c0 and 0x3da, NV3_VIO() for
 * ports 0x3c2, 0x3c4 and 0x3ce, and NV3_DIO() for ports 0x3c6 to 0x3c9.
 */
#define NV3_CIO(port)		(NV3_PRMCIO + (port))
#define NV3_VIO(port)		(NV3_PRMVIO + (port))
#define NV3_DIO(port)		(NV3_USER_DAC_PIXEL_MASK - VGA_PEL_MSK + (port))

/* Takes the lock that serialises the two steps of an indexed register access. */
static inline unsigned long nv3_vga_lock(struct nv3_device *nv3)
{
	unsigned long flags;

	spin_lock_irqsave(&nv3->kms->vga_lock, flags);
	return flags;
}

static inline void nv3_vga_release(struct nv3_device *nv3, unsigned long flags)
{
	spin_unlock_irqrestore(&nv3->kms->vga_lock, flags);
}

/**
 * nv3_crtc_rd() - read a CRTC register, standard or extended
 * @nv3: the device
 * @index: number of the register
 *
 * Context: any; takes nv3_kms.vga_lock.
 * Return: the value.
 */
u8 nv3_crtc_rd(struct nv3_device *nv3, u8 index)
{
	unsigned long flags = nv3_vga_lock(nv3);
	u8 val;

	nv3_wr08(nv3, NV3_CIO(VGA_CRT_IC), index);
	val = nv3_rd08(nv3, NV3_CIO(VGA_CRT_DC));
	nv3_vga_release(nv3, flags);
	return val;
}

/**
 * nv3_crtc_wr() - write a CRTC register, standard or extended
 * @nv3: the device
 * @index: number of the register
 * @val: the value
 *
 * Context: any; takes nv3_kms.vga_lock.
 */
void nv3_crtc_wr(struct nv3_device *nv3, u8 index, u8 val)
{
	unsigned long flags = nv3_vga_lock(nv3);

	nv3_wr08(nv3, NV3_CIO(VGA_CRT_IC), index);
	nv3_wr08(nv3, NV3_CIO(VGA_CRT_DC), val);
	nv3_vga_release(nv3, flags);
}

/**
 * nv3_crtc_mask() - change bits of a CRTC register
 * @nv3: the device
 * @index: number of the register
 * @clear: bits to clear
 * @set: bits to set afterwards
 *
 * Context: any; takes nv3_kms.vga_lock.
 */
void nv3_crtc_mask(struct nv3_device *nv3, u8 index, u8 clear, u8 set)
{
	unsigned long flags = nv3_vga_lock(nv3);
	u8 val;

	nv3_wr08(nv3, NV3_CIO(VGA_CRT_IC), index);
	val = nv3_rd08(nv3, NV3_CIO(VGA_CRT_DC));
	nv3_wr08(nv3, NV3_CIO(VGA_CRT_DC), (val & ~clear) | set);
	nv3_vga_release(nv3, flags);
}

static u8 nv3_seq_rd(struct nv3_device *nv3, u8 index)
{
	unsigned long flags = nv3_vga_lock(nv3);
	u8 val;

	nv3_wr08(nv3, NV3_VIO(VGA_SEQ_I), index);
	val = nv3_rd08(nv3, NV3_VIO(VGA_SEQ_D));
	nv3_vga_release(nv3, flags);
	return val;
}

static void nv3_seq_wr(struct nv3_device *nv3, u8 index, u8 val)
{
	unsigned long flags = nv3_vga_lock(nv3);

	nv3_wr08(nv3, NV3_VIO(VGA_SEQ_I), index);
	nv3_wr08(nv3, NV3_VIO(VGA_SEQ_D), val);
	nv3_vga_release(nv3, flags);
}

static void nv3_gfx_wr(struct nv3_device *nv3, u8 index, u8 val)
{
	unsigned long flags = nv3_vga_lock(nv3);

	nv3_wr08(nv3, NV3_VIO(VGA_GFX_I), index);
	nv3_wr08(nv3, NV3_VIO(VGA_GFX_D), val);
	nv3_vga_release(nv3, flags);
}

/*
 * Writes an attribute register. The write turns the display off until nv3_attr_enable() is called.
 */
static void nv3_attr_wr(struct nv3_device *nv3, u8 index, u8 val)
{
	unsigned long flags = nv3_vga_lock(nv3);

	/* A read of the status register makes the next write select the index. */
	nv3_rd08(nv3, NV3_CIO(VGA_IS1_RC));
	nv3_wr08(nv3, NV3_CIO(VGA_ATT_W), index);
	nv3_wr08(nv3, NV3_CIO(VGA_ATT_W), val);
	nv3_vga_release(nv3, flags);
}

static void nv3_attr_enable(struct nv3_device *nv3)
{
	unsigned long flags = nv3_vga_lock(nv3);

	nv3_rd08(nv3, NV3_CIO(VGA_IS1_RC));
	nv3_wr08(nv3, NV3_CIO(VGA_ATT_W), VGA_AR_ENABLE_DISPLAY);
	nv3_vga_release(nv3, flags);
}

/**
 * nv3_vga_unlock() - make the extended registers and CRTC registers 0 to 7 writable
 * @nv3: the device
 *
 * Context: any; takes nv3_kms.vga_lock.
 */
void nv3_vga_unlock(struct nv3_device *nv3)
{
	nv3_seq_wr(nv3, NV3_SEQ_LOCK, NV3_CRTC_UNLOCK_VALUE);
	nv3_crtc_mask(nv3, VGA_CRTC_V_SYNC_END, VGA_CR11_LOCK_CR0_CR7, 0);
}

/**
 * nv3_crtc_line() - read the number of the line that is scanned out
 * @nv3: the device
 *
 * Context: any; takes nv3_kms.vga_lock.
 * Return: the number, from 0. The lines of the vertical blank follow the visible lines.
 */
unsigned int nv3_crtc_line(struct nv3_device *nv3)
{
	u8 high = nv3_crtc_rd(nv3, NV3_CRTC_LINE_HIGH);
	u8 low = nv3_crtc_rd(nv3, NV3_CRTC_LINE_LOW);
	u8 again = nv3_crtc_rd(nv3, NV3_CRTC_LINE_HIGH);

	/* If the high byte has changed between its two reads, the low byte has just become 0. */
	if (again != high)
		return again << 8;

	return high << 8 | low;
}

/**
 * nv3_vga_blank() - turn the picture off or on
 * @nv3: the device
 * @blank: true to turn the picture off
 *
 * The sync signals and the vertical blank interrupts continue.
 *
 * Context: any; takes nv3_kms.vga_lock.
 */
void nv3_vga_blank(struct nv3_device *nv3, bool blank)
{
	u8 mode = nv3_seq_rd(nv3, VGA_SEQ_CLOCK_MODE) & ~VGA_SR01_SCREEN_OFF;

	nv3_seq_wr(nv3, VGA_SEQ_CLOCK_MODE,
		   mode | (blank ? VGA_SR01_SCREEN_OFF : 0));
}

static void nv3_vga_set_misc(struct nv3_device *nv3,
			     const struct drm_display_mode *mode)
{
	/* Values 2 and 3 of the clock select field select the video PLL. */
	u8 misc = VGA_MIS_COLOR | VGA_MIS_ENB_MEM_ACCESS |
		  VGA_MIS_ENB_PLL_LOAD | VGA_MIS_SEL_HIGH_PAGE;

	if (mode->flags & DRM_MODE_FLAG_NHSYNC)
		misc |= 0x40;
	if (mode->flags & DRM_MODE_FLAG_NVSYNC)
		misc |= 0x80;

	nv3_wr08(nv3, NV3_VIO(VGA_MIS_W), misc);
}

/**
 * nv3_vga_set_linear() - set the VGA registers outside the CRTC for a linear frame buffer
 * @nv3: the device
 * @mode: the mode
 *
 * Context: any; takes nv3_kms.vga_lock.
 */
void nv3_vga_set_linear(struct nv3_device *nv3,
			const struct drm_display_mode *mode)
{
	static const u8 gfx[] = { 0, 0, 0, 0, 0, 0x40, 0x05, 0x0f, 0xff };
	u8 i;

	nv3_vga_set_misc(nv3, mode);

	/* Enable writes to all four planes, and chain the planes to linear memory. */
	nv3_seq_wr(nv3, VGA_SEQ_CLOCK_MODE,
		   VGA_SR01_CHAR_CLK_8DOTS | VGA_SR01_SCREEN_OFF);
	nv3_seq_wr(nv3, VGA_SEQ_PLANE_WRITE, VGA_SR02_ALL_PLANES);
	nv3_seq_wr(nv3, VGA_SEQ_CHARACTER_MAP, 0);
	nv3_seq_wr(nv3, VGA_SEQ_MEMORY_MODE,
		   VGA_SR04_EXT_MEM | VGA_SR04_SEQ_MODE | VGA_SR04_CHN_4M);

	for (i = 0; i < ARRAY_SIZE(gfx); i++)
		nv3_gfx_wr(nv3, i, gfx[i]);

	for (i = 0; i < 16; i++)
		nv3_attr_wr(nv3, i, i);
	nv3_attr_wr(nv3, VGA_ATC_MODE, 0x01);
	nv3_attr_wr(nv3, VGA_ATC_OVERSCAN, 0);
	nv3_attr_wr(nv3, VGA_ATC_PLANE_ENABLE, 0x0f);
	nv3_attr_wr(nv3, VGA_ATC_PEL, 0);
	nv3_attr_wr(nv3, VGA_ATC_COLOR_PAGE, 0);
	nv3_attr_enable(nv3);
}

/* Moves bit @from of @val to bit @to. */
static u8 nv3_bit(u32 val, unsigned int from, unsigned int to)
{
	return (val >> from & 1) << to;
}

static void nv3_vga_set_horizontal(struct nv3_device *nv3,
				   const struct drm_display_mode *mode)
{
	const u32 display = mode->crtc_hdisplay / 8 - 1;
	const u32 sync_start = mode->crtc_hsync_start / 8 - 1;
	const u32 sync_end = mode->crtc_hsync_end / 8 - 1;
	const u32 total = mode->crtc_htotal / 8 - 5;
	const u32 blank_start = display;
	const u32 blank_end = mode->crtc_htotal / 8 - 1;

	nv3_crtc_wr(nv3, VGA_CRTC_H_TOTAL, total);
	nv3_crtc_wr(nv3, VGA_CRTC_H_DISP, display);
	nv3_crtc_wr(nv3, VGA_CRTC_H_BLANK_START, blank_start);
	nv3_crtc_wr(nv3, VGA_CRTC_H_BLANK_END, 0x80 | (blank_end & 0x1f));
	nv3_crtc_wr(nv3, VGA_CRTC_H_SYNC_START, sync_start);
	nv3_crtc_wr(nv3, VGA_CRTC_H_SYNC_END,
		    nv3_bit(blank_end, 5, 7) | (sync_end & 0x1f));

	nv3_crtc_wr(nv3, NV3_CRTC_EXT_HORZ,
		    nv3_bit(total, 8, 0) | nv3_bit(display, 8, 1) |
		    nv3_bit(blank_start, 8, 2) | nv3_bit(sync_start, 8, 3));
}

static void nv3_vga_set_vertical(struct nv3_device *nv3,
				 const struct drm_display_mode *mode)
{
	const u32 display = mode->crtc_vdisplay - 1;
	const u32 sync_start = mode->crtc_vsync_start - 1;
	const u32 sync_end = mode->crtc_vsync_end - 1;
	const u32 total = mode->crtc_vtotal - 2;
	const u32 blank_start = display;
	const u32 blank_end = mode->crtc_vtotal - 1;
	const u32 h_blank_end = mode->crtc_htotal / 8 - 1;

	nv3_crtc_wr(nv3, VGA_CRTC_V_TOTAL, total);
	nv3_crtc_wr(nv3, VGA_CRTC_OVERFLOW,
		    nv3_bit(total, 8, 0) | nv3_bit(display, 8, 1) |
		    nv3_bit(sync_start, 8, 2) | nv3_bit(blank_start, 8, 3) |
		    0x10 | nv3_bit(total, 9, 5) | nv3_bit(display, 9, 6) |
		    nv3_bit(sync_start, 9, 7));
	nv3_crtc_wr(nv3, VGA_CRTC_PRESET_ROW, 0);
	nv3_crtc_wr(nv3, VGA_CRTC_MAX_SCAN,
		    0x40 | nv3_bit(blank_start, 9, 5) |
		    (mode->flags & DRM_MODE_FLAG_DBLSCAN ? 0x80 : 0));
	nv3_crtc_wr(nv3, VGA_CRTC_V_SYNC_START, sync_start);
	/* Bit 5 disables the vertical interrupt of the VGA core. */
	nv3_crtc_wr(nv3, VGA_CRTC_V_SYNC_END, 0x20 | (sync_end & 0x0f));
	nv3_crtc_wr(nv3, VGA_CRTC_V_DISP_END, display);
	nv3_crtc_wr(nv3, VGA_CRTC_V_BLANK_START, blank_start);
	nv3_crtc_wr(nv3, VGA_CRTC_V_BLANK_END, blank_end);

	nv3_crtc_wr(nv3, NV3_CRTC_EXT_VERT,
		    nv3_bit(total, 10, 0) | nv3_bit(display, 10, 1) |
		    nv3_bit(sync_start, 10, 2) | nv3_bit(blank_start, 10, 3) |
		    nv3_bit(h_blank_end, 6, 4));
}

/**
 * nv3_vga_set_timing() - set the CRTC's timing
 * @nv3: the device
 * @mode: the mode, whose horizontal crtc_ members are multiples of 8
 *
 * Context: any; takes nv3_kms.vga_lock.
 */
void nv3_vga_set_timing(struct nv3_device *nv3,
			const struct drm_display_mode *mode)
{
	nv3_vga_set_horizontal(nv3, mode);
	nv3_vga_set_vertical(nv3, mode);

	nv3_crtc_wr(nv3, VGA_CRTC_CURSOR_START, 0x20);
	nv3_crtc_wr(nv3, VGA_CRTC_UNDERLINE, 0);
	nv3_crtc_wr(nv3, VGA_CRTC_MODE, 0xc3);
	nv3_crtc_wr(nv3, VGA_CRTC_LINE_COMPARE, 0xff);
	/*
	 * 0xff disables interlacing. Any other value enables interlacing, and is the vertical total
	 * of the interlaced mode.
	 */
	nv3_crtc_wr(nv3, NV3_CRTC_INTERLACE, 0xff);
}

/**
 * nv3_vga_set_palette() - set the palette
 * @nv3: the device
 * @lut: the 256 entries of the palette, or NULL for the identity
 *
 * Context: any.
 */
void nv3_vga_set_palette(struct nv3_device *nv3, const struct drm_color_lut *lut)
{
	unsigned int i;

	nv3_wr08(nv3, NV3_DIO(VGA_PEL_MSK), 0xff);
	nv3_wr08(nv3, NV3_DIO(VGA_PEL_IW), 0);
	for (i = 0; i < NV3_LUT_SIZE; i++) {
		nv3_wr08(nv3, NV3_DIO(VGA_PEL_D),
			 lut ? drm_color_lut_extract(lut[i].red, 8) : i);
		nv3_wr08(nv3, NV3_DIO(VGA_PEL_D),
			 lut ? drm_color_lut_extract(lut[i].green, 8) : i);
		nv3_wr08(nv3, NV3_DIO(VGA_PEL_D),
			 lut ? drm_color_lut_extract(lut[i].blue, 8) : i);
	}
}
