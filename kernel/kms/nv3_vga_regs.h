/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef NV3_VGA_REGS_H
#define NV3_VGA_REGS_H

#include <linux/types.h>

struct drm_color_lut;
struct drm_display_mode;
struct nv3_device;

/* CRTC registers, plain and extended; from any context. */
u8 nv3_crtc_rd(struct nv3_device *nv3, u8 index);
void nv3_crtc_wr(struct nv3_device *nv3, u8 index, u8 val);
void nv3_crtc_mask(struct nv3_device *nv3, u8 index, u8 clear, u8 set);

/* The line that is being scanned out; those after the picture are its blank. */
unsigned int nv3_crtc_line(struct nv3_device *nv3);

/* Makes the extended registers and CRTC 0 to 7 writable. */
void nv3_vga_unlock(struct nv3_device *nv3);
/* The screen is dark; syncs and the vertical blank go on. */
void nv3_vga_blank(struct nv3_device *nv3, bool blank);
/* The VGA's other registers, as linear frame buffers want them. */
void nv3_vga_set_linear(struct nv3_device *nv3,
			const struct drm_display_mode *mode);
/* CRTC timing; the crtc_ members of @mode, horizontally multiples of 8. */
void nv3_vga_set_timing(struct nv3_device *nv3,
			const struct drm_display_mode *mode);
/* 256 entries; null for a straight line. */
void nv3_vga_set_palette(struct nv3_device *nv3, const struct drm_color_lut *lut);

#endif
