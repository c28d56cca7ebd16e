/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef NV3_CRC_H
#define NV3_CRC_H

#include <linux/types.h>

struct drm_crtc;
struct nv3_device;

bool nv3_crc_supported(struct nv3_device *nv3);

const char *const *nv3_crc_get_sources(struct drm_crtc *crtc, size_t *count);
int nv3_crc_verify_source(struct drm_crtc *crtc, const char *source,
			  size_t *values_cnt);
int nv3_crc_set_source(struct drm_crtc *crtc, const char *source);

void nv3_crc_frame_end(struct nv3_device *nv3);

#endif
