/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef NV3_VGA_REGS_H
#define NV3_VGA_REGS_H

#include <linux/types.h>

struct drm_color_lut;
struct drm_display_mode;
struct nv3_device;

u8 nv3_crtc_rd(struct nv3_device *nv3, u8 index);
void nv3_crtc_wr(struct nv3_device *nv3, u8 index, u8 val);
void nv3_crtc_mask(struct nv3_device *nv3, u8 index, u8 clear, u8 set);

unsigned int nv3_crtc_line(struct nv3_device *nv3);

void nv3_vga_unlock(struct nv3_device *nv3);
void nv3_vga_blank(struct nv3_device *nv3, bool blank);
void nv3_vga_set_linear(struct nv3_device *nv3,
			const struct drm_display_mode *mode);
void nv3_vga_set_timing(struct nv3_device *nv3,
			const struct drm_display_mode *mode);
void nv3_vga_set_palette(struct nv3_device *nv3, const struct drm_color_lut *lut);

#endif
