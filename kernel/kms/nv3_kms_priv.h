/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Declares the state of the display, and the functions that initialise its parts. */
#ifndef NV3_KMS_PRIV_H
#define NV3_KMS_PRIV_H

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

/* The pitch register has 11 bits and counts units of 8 bytes. */
#define NV3_PITCH_ALIGN		8
#define NV3_PITCH_MAX		(0x7ff * NV3_PITCH_ALIGN)
#define NV3_LUT_SIZE		256

/* A cached EDID. Guarded by mode_config.mutex. */
struct nv3_edid {
	/** @monitor: value of nv3_kms.monitor when the EDID was read */
	int monitor;
	/** @known: number of valid blocks in @block */
	unsigned int known;
	/** @block: the first blocks of the EDID */
	u8 block[2][EDID_LENGTH];
};

struct nv3_kms {
	struct drm_plane primary;
	struct drm_plane overlay;
	struct drm_plane cursor;
	struct drm_crtc crtc;
	struct drm_encoder encoder;
	struct drm_connector connector;

	/** @colorkey: the property "colorkey" of the overlay */
	struct drm_property *colorkey;

	struct i2c_adapter ddc;
	struct i2c_algo_bit_data ddc_algo;
	/** @ddc_lines: last value written to NV3_CRTC_DDC_WRITE */
	u8 ddc_lines;

	/** @vga_lock: serialises accesses to pairs of an index register and a data register */
	spinlock_t vga_lock;

	/** @monitor: number of monitor changes that PVIRT has reported */
	atomic_t monitor;
	/** @edid: cache of the monitor's EDID */
	struct nv3_edid edid;

	/**
	 * @hotplug: sends a uevent, and notifies DRM's clients in the kernel, after the monitor has
	 * changed
	 */
	struct work_struct hotplug;

	/** @gone: the device is removed, and its registers must not be accessed */
	bool gone;

	/** @crc_on: user space has the CRC file open */
	bool crc_on;
	/** @crc_frame: PVIRT's number of the last frame whose CRC was reported or ignored */
	u32 crc_frame;

	/** @cursor_slot: index of the cursor image in RAMIN that is shown */
	unsigned int cursor_slot;
	/** @cursor_images: copies of the two cursor images that RAMIN contains */
	u32 cursor_images[NV3_RAMIN_CURSORS][NV3_CURSOR_WORDS];
};

unsigned int nv3_kms_preferred_cpp(struct nv3_device *nv3);

/* nv3_primary.c, nv3_cursor.c, nv3_crtc.c, nv3_connector.c */
int nv3_primary_init(struct nv3_device *nv3);
int nv3_cursor_init(struct nv3_device *nv3);
void nv3_cursor_reset(struct nv3_device *nv3);
void nv3_cursor_hide(struct nv3_device *nv3);
int nv3_crtc_init(struct nv3_device *nv3);
void nv3_crtc_off(struct nv3_device *nv3);
int nv3_connector_init(struct nv3_device *nv3);

#endif
