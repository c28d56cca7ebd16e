// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: Connector
 *
 * A VGA connector behind the DAC. Its DDC lines are two bits of a CRTC register,
 * which i2c-algo-bit drives. A monitor that does not answer there may still be
 * one, so it is not called disconnected.
 */

#include <drm/drm_atomic_state_helper.h>
#include <drm/drm_drv.h>
#include <drm/drm_edid.h>
#include <drm/drm_managed.h>
#include <drm/drm_modeset_helper_vtables.h>
#include <drm/drm_print.h>
#include <drm/drm_probe_helper.h>

#include "nv3_kms.h"
#include "nv3_vga_regs.h"

/* Half a period of the DDC clock, and how long a monitor may stretch it. */
#define NV3_DDC_UDELAY		5
#define NV3_DDC_TIMEOUT_US	2200

/* Bit 0 of the register lets the chip drive the lines. */
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

static int nv3_connector_detect(struct drm_connector *connector,
				struct drm_modeset_acquire_ctx *ctx, bool force)
{
	return drm_probe_ddc(connector->ddc) ? connector_status_connected :
					       connector_status_unknown;
}

static int nv3_connector_get_modes(struct drm_connector *connector)
{
	int count = drm_connector_helper_get_modes(connector);

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

	drm_connector_helper_add(&kms->connector, &nv3_connector_helper_funcs);
	kms->connector.polled = DRM_CONNECTOR_POLL_CONNECT |
				DRM_CONNECTOR_POLL_DISCONNECT;
	return drm_connector_attach_encoder(&kms->connector, &kms->encoder);
}
