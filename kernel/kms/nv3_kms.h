/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef NV3_KMS_H
#define NV3_KMS_H

#include <linux/atomic.h>
#include <linux/i2c-algo-bit.h>
#include <linux/i2c.h>
#include <linux/spinlock.h>
#include <linux/workqueue.h>

#include <drm/drm_connector.h>
#include <drm/drm_crtc.h>
#include <drm/drm_edid.h>
#include <drm/drm_encoder.h>
#include <drm/drm_plane.h>

#include "mem/nv3_bo.h"
#include "nv3_cursor.h"

/* Of a line in memory: 11 bits of 8 bytes. */
#define NV3_PITCH_ALIGN		8
#define NV3_PITCH_MAX		(0x7ff * NV3_PITCH_ALIGN)
#define NV3_LUT_SIZE		256

/* An EDID as read, for as long as the monitor is the same: mode_config.mutex. */
struct nv3_edid {
	/** @monitor: nv3_kms.monitor when it was read */
	int monitor;
	/** @known: blocks that have been */
	unsigned int known;
	u8 block[2][EDID_LENGTH];
};

struct drm_master;

struct nv3_kms {
	struct drm_plane primary;
	struct drm_plane overlay;
	struct drm_plane cursor;
	struct drm_crtc crtc;
	struct drm_encoder encoder;
	struct drm_connector connector;

	/** @colorkey: the overlay's property */
	struct drm_property *colorkey;

	struct i2c_adapter ddc;
	struct i2c_algo_bit_data ddc_algo;
	/** @ddc_lines: NV3_CRTC_DDC_WRITE as last written */
	u8 ddc_lines;

	/** @vga_lock: an index register and its data register go together */
	spinlock_t vga_lock;

	/** @monitor: counts the monitors that PVIRT told of */
	atomic_t monitor;
	struct nv3_edid edid;

	/** @hotplug: looks at the monitor again */
	struct work_struct hotplug;

	/** @gone: the CRTC is off for good, and so are its registers */
	bool gone;

	/** @crc_on: someone reads the CRC of each frame */
	bool crc_on;

	/** @cursor_slot: which of RAMIN's cursor images is on the screen */
	unsigned int cursor_slot;
	/** @cursor_images: what they hold */
	u32 cursor_images[NV3_RAMIN_CURSORS][NV3_CURSOR_WORDS];
};

/* Bytes a pixel of the frame buffers that clients should prefer. */
unsigned int nv3_kms_preferred_cpp(struct nv3_device *nv3);

/* nv3_primary.c, nv3_cursor.c, nv3_crtc.c, nv3_connector.c */
int nv3_primary_init(struct nv3_device *nv3);
int nv3_cursor_init(struct nv3_device *nv3);
void nv3_cursor_reset(struct nv3_device *nv3);
void nv3_cursor_hide(struct nv3_device *nv3);
int nv3_crtc_init(struct nv3_device *nv3);
void nv3_crtc_off(struct nv3_device *nv3);
int nv3_connector_init(struct nv3_device *nv3);

/* nv3_kms.c */
int nv3_kms_init(struct nv3_device *nv3);
void nv3_kms_quiesce(struct nv3_device *nv3);
void nv3_kms_fini(struct nv3_device *nv3);
void nv3_kms_vblank(struct nv3_device *nv3);

/* nv3_kms_flip.c: flips in the middle of a channel's drawing */
bool nv3_kms_may_flip(struct nv3_device *nv3, struct drm_master *master);
int nv3_kms_flip(struct nv3_device *nv3, u32 fb_id);
void nv3_kms_wait_blanks(struct nv3_device *nv3, u32 count, bool (*wanted)(void *data),
			 void *data);

#endif
