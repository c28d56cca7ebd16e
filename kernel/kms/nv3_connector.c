// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: Connector
 *
 * The chip has one VGA connector behind its DAC. Two bits of a CRTC register drive the two lines of
 * the DDC bus, and i2c-algo-bit implements the protocol. A monitor without DDC does not answer on
 * this bus. In this case, the status of the connector is unknown, not disconnected.
 *
 * For each bit of the EDID, the driver needs several register accesses and a delay. If PVIRT
 * reports changes of the monitor (nv3_hotplug.c), the driver therefore caches the EDID.
 */

#include <drm/drm_atomic_state_helper.h>
#include <drm/drm_drv.h>
#include <drm/drm_edid.h>
#include <drm/drm_managed.h>
#include <drm/drm_modeset_helper_vtables.h>
#include <drm/drm_print.h>
#include <drm/drm_probe_helper.h>

#include "nv3_hotplug.h"
#include "nv3_kms_priv.h"
#include "nv3_vga_regs.h"

/*
 * Half a period of the DDC clock, and the maximum time for which a monitor may stretch the clock,
 * in microseconds.
 */
#define NV3_DDC_UDELAY		5
#define NV3_DDC_TIMEOUT_US	2200

/* The I2C address of E-DDC's segment pointer. */
#define NV3_DDC_SEGMENT_ADDR	0x30

/* Bit 0 of NV3_CRTC_DDC_WRITE enables the output to both lines. */
#define NV3_DDC_WRITE_ENABLE	0x01

static void nv3_ddc_set(struct nv3_device *nv3, u8 line, bool high)
{
	struct nv3_kms *kms = nv3->kms;
	int idx;

	if (high)
		kms->ddc_lines |= line;
	else
		kms->ddc_lines &= ~line;

	if (!drm_dev_enter(&nv3->drm, &idx))
		return;
	nv3_crtc_wr(nv3, NV3_CRTC_DDC_WRITE,
		    kms->ddc_lines | NV3_DDC_WRITE_ENABLE);
	drm_dev_exit(idx);
}

static int nv3_ddc_get(struct nv3_device *nv3, u8 line)
{
	int high = 1;
	int idx;

	if (!drm_dev_enter(&nv3->drm, &idx))
		return high;
	high = !!(nv3_crtc_rd(nv3, NV3_CRTC_DDC_READ) & line);
	drm_dev_exit(idx);
	return high;
}

static void nv3_ddc_set_sda(void *data, int high)
{
	nv3_ddc_set(data, NV3_DDC_WRITE_SDA, high);
}

static void nv3_ddc_set_scl(void *data, int high)
{
	nv3_ddc_set(data, NV3_DDC_WRITE_SCL, high);
}

static int nv3_ddc_get_sda(void *data)
{
	return nv3_ddc_get(data, NV3_DDC_READ_SDA);
}

static int nv3_ddc_get_scl(void *data)
{
	return nv3_ddc_get(data, NV3_DDC_READ_SCL);
}

static void nv3_ddc_release(struct drm_device *drm, void *adapter)
{
	i2c_del_adapter(adapter);
}

static int nv3_ddc_init(struct nv3_device *nv3)
{
	struct nv3_kms *kms = nv3->kms;
	int ret;

	kms->ddc_algo = (struct i2c_algo_bit_data){
		.data = nv3,
		.setsda = nv3_ddc_set_sda,
		.setscl = nv3_ddc_set_scl,
		.getsda = nv3_ddc_get_sda,
		.getscl = nv3_ddc_get_scl,
		.udelay = NV3_DDC_UDELAY,
		.timeout = usecs_to_jiffies(NV3_DDC_TIMEOUT_US),
	};
	kms->ddc.owner = THIS_MODULE;
	kms->ddc.dev.parent = nv3->drm.dev;
	kms->ddc.algo_data = &kms->ddc_algo;
	strscpy(kms->ddc.name, "nv3 DDC", sizeof(kms->ddc.name));

	ret = i2c_bit_add_bus(&kms->ddc);
	if (ret)
		return ret;

	return drmm_add_action_or_reset(&nv3->drm, nv3_ddc_release, &kms->ddc);
}

/* Reads a block of the EDID. An E-DDC segment has two blocks, and segment 0 needs no selection. */
static int nv3_ddc_read_block(struct i2c_adapter *ddc, u8 *buf, unsigned int block,
			      size_t len)
{
	u8 segment = block / 2;
	u8 offset = block % 2 * EDID_LENGTH;
	struct i2c_msg msgs[] = {
		{ .addr = NV3_DDC_SEGMENT_ADDR, .len = 1, .buf = &segment },
		{ .addr = DDC_ADDR, .len = 1, .buf = &offset },
		{ .addr = DDC_ADDR, .flags = I2C_M_RD, .len = len, .buf = buf },
	};
	const int skip = segment ? 0 : 1;
	const int count = ARRAY_SIZE(msgs) - skip;
	int ret = i2c_transfer(ddc, msgs + skip, count);

	if (ret < 0)
		return ret;
	return ret == count ? 0 : -EIO;
}

/*
 * Returns true if the checksum of the block is right. A block that was garbled on the bus has a
 * wrong checksum, and must not be cached.
 */
static bool nv3_edid_block_ok(const u8 block[EDID_LENGTH])
{
	unsigned int i;
	u8 sum = 0;

	for (i = 0; i < EDID_LENGTH; i++)
		sum += block[i];
	return !sum;
}

static void nv3_edid_keep(struct nv3_edid *edid, const u8 *buf, unsigned int block)
{
	if (block != edid->known || block >= ARRAY_SIZE(edid->block) ||
	    !nv3_edid_block_ok(buf))
		return;

	memcpy(edid->block[block], buf, EDID_LENGTH);
	edid->known++;
}

/* For drm_edid_read_custom(): reads a block of the EDID from the cache or over DDC. */
static int nv3_edid_get_block(void *data, u8 *buf, unsigned int block, size_t len)
{
	struct nv3_kms *kms = data;
	struct nv3_edid *edid = &kms->edid;
	const int monitor = atomic_read(&kms->monitor);
	int ret;

	if (edid->monitor != monitor) {
		edid->known = 0;
		edid->monitor = monitor;
	}
	if (block < edid->known && len == EDID_LENGTH) {
		memcpy(buf, edid->block[block], len);
		return 0;
	}

	ret = nv3_ddc_read_block(&kms->ddc, buf, block, len);
	if (ret)
		return ret;

	if (len == EDID_LENGTH && nv3_hotplug_supported(to_nv3(kms->connector.dev)))
		nv3_edid_keep(edid, buf, block);
	return 0;
}

static int nv3_connector_detect(struct drm_connector *connector,
				struct drm_modeset_acquire_ctx *ctx, bool force)
{
	const struct nv3_kms *kms = to_nv3(connector->dev)->kms;

	if (kms->edid.known && kms->edid.monitor == atomic_read(&kms->monitor))
		return connector_status_connected;

	return drm_probe_ddc(connector->ddc) ? connector_status_connected :
					       connector_status_unknown;
}

static int nv3_connector_get_modes(struct drm_connector *connector)
{
	struct nv3_kms *kms = to_nv3(connector->dev)->kms;
	const struct drm_edid *edid;
	int count;

	edid = drm_edid_read_custom(connector, nv3_edid_get_block, kms);
	drm_edid_connector_update(connector, edid);
	drm_edid_free(edid);

	count = drm_edid_connector_add_modes(connector);
	if (!count) {
		count = drm_add_modes_noedid(connector, 1280, 1024);
		drm_set_preferred_mode(connector, 1024, 768);
	}

	return count;
}

static const struct drm_connector_helper_funcs nv3_connector_helper_funcs = {
	.get_modes = nv3_connector_get_modes,
	.detect_ctx = nv3_connector_detect,
};

static const struct drm_connector_funcs nv3_connector_funcs = {
	.reset = drm_atomic_helper_connector_reset,
	.fill_modes = drm_helper_probe_single_connector_modes,
	.destroy = drm_connector_cleanup,
	.atomic_duplicate_state = drm_atomic_helper_connector_duplicate_state,
	.atomic_destroy_state = drm_atomic_helper_connector_destroy_state,
};

/*
 * If the preferred mode of a monitor changes, a compositor keeps the current mode unless the
 * connector has the property "hotplug_mode_update". The preferred mode of the emulated monitor is
 * the size of a window on the host, so compositors should switch to the preferred mode. Mutter also
 * needs the properties "suggested X" and "suggested Y". The qxl driver creates the same three
 * properties.
 */
static int nv3_connector_attach_mode_update(struct nv3_device *nv3)
{
	struct drm_mode_object *connector = &nv3->kms->connector.base;
	struct drm_device *drm = &nv3->drm;
	struct drm_property *prop;
	int ret;

	if (!nv3_hotplug_supported(nv3))
		return 0;

	prop = drm_property_create_range(drm, DRM_MODE_PROP_IMMUTABLE,
					 "hotplug_mode_update", 0, 1);
	if (!prop)
		return -ENOMEM;
	ret = drm_mode_create_suggested_offset_properties(drm);
	if (ret)
		return ret;

	drm_object_attach_property(connector, prop, 1);
	drm_object_attach_property(connector, drm->mode_config.suggested_x_property, 0);
	drm_object_attach_property(connector, drm->mode_config.suggested_y_property, 0);
	return 0;
}

/**
 * nv3_connector_init() - create the connector and its DDC bus
 * @nv3: the device
 *
 * Context: process context, in probe.
 * Return: 0 or a negative errno.
 */
int nv3_connector_init(struct nv3_device *nv3)
{
	struct drm_device *drm = &nv3->drm;
	struct nv3_kms *kms = nv3->kms;
	int ret;

	ret = nv3_ddc_init(nv3);
	if (ret) {
		drm_err(drm, "no DDC: %d\n", ret);
		return ret;
	}

	ret = drmm_encoder_init(drm, &kms->encoder, NULL, DRM_MODE_ENCODER_DAC,
				NULL);
	if (ret)
		return ret;
	kms->encoder.possible_crtcs = drm_crtc_mask(&kms->crtc);

	ret = drm_connector_init_with_ddc(drm, &kms->connector,
					  &nv3_connector_funcs,
					  DRM_MODE_CONNECTOR_VGA, &kms->ddc);
	if (ret)
		return ret;

	ret = nv3_connector_attach_mode_update(nv3);
	if (ret)
		return ret;

	drm_connector_helper_add(&kms->connector, &nv3_connector_helper_funcs);
	kms->connector.doublescan_allowed = true;
	kms->connector.polled = DRM_CONNECTOR_POLL_CONNECT |
				DRM_CONNECTOR_POLL_DISCONNECT;
	return drm_connector_attach_encoder(&kms->connector, &kms->encoder);
}
