// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: CRC of the picture
 *
 * What IGT compares pictures by. Silicon can't compute it; the PVIRT block of the
 * emulated chip does, of each frame as it ends, cursor and palette included. It goes
 * on for some frames after a read (docs/reference/chip/display.md), so reading it with every
 * vertical blank keeps it up, and costs nothing when nobody asks.
 */

#include <linux/string.h>

#include <drm/drm_crtc.h>
#include <drm/drm_drv.h>
#include <drm/drm_print.h>
#include <drm/drm_vblank.h>

#include "nv3_crc.h"
#include "nv3_kms.h"

#define NV3_CRC_WORDS	1

static const char * const nv3_crc_sources[] = { "auto" };

/**
 * nv3_crc_supported() - is there a PVIRT block that computes CRCs?
 * @nv3: the device
 */
bool nv3_crc_supported(struct nv3_device *nv3)
{
	return nv3->virt_features & NV3_PVIRT_FEATURE_CRC;
}

static int nv3_crc_parse(struct drm_crtc *crtc, const char *source)
{
	if (!nv3_crc_supported(to_nv3(crtc->dev)))
		return -ENODEV;
	if (source && strcmp(source, nv3_crc_sources[0])) {
		drm_dbg_kms(crtc->dev, "no CRC source '%s'\n", source);
		return -EINVAL;
	}

	return 0;
}

/**
 * nv3_crc_get_sources() - &struct drm_crtc_funcs.get_crc_sources
 * @crtc: the CRTC
 * @count: how many there are
 *
 * Return: their names.
 */
const char *const *nv3_crc_get_sources(struct drm_crtc *crtc, size_t *count)
{
	*count = nv3_crc_supported(to_nv3(crtc->dev)) ?
		 ARRAY_SIZE(nv3_crc_sources) : 0;
	return nv3_crc_sources;
}

/**
 * nv3_crc_verify_source() - &struct drm_crtc_funcs.verify_crc_source
 * @crtc: the CRTC
 * @source: a name
 * @values_cnt: words of a CRC
 *
 * Return: 0, -EINVAL for another name, -ENODEV if it is not supported.
 */
int nv3_crc_verify_source(struct drm_crtc *crtc, const char *source,
			  size_t *values_cnt)
{
	*values_cnt = NV3_CRC_WORDS;
	return nv3_crc_parse(crtc, source);
}

/**
 * nv3_crc_set_source() - &struct drm_crtc_funcs.set_crc_source
 * @crtc: the CRTC
 * @source: a name, or NULL to stop
 *
 * Called with a null source to stop. Frames end only with the interrupt on.
 *
 * Context: process context.
 * Return: 0, -EINVAL for another name, -ENODEV if it is not supported.
 */
int nv3_crc_set_source(struct drm_crtc *crtc, const char *source)
{
	struct nv3_kms *kms = to_nv3(crtc->dev)->kms;
	const bool on = source;
	int ret;

	ret = nv3_crc_parse(crtc, source);
	if (ret || on == READ_ONCE(kms->crc_on))
		return ret;

	if (on) {
		ret = drm_crtc_vblank_get(crtc);
		if (ret)
			return ret;
	}
	WRITE_ONCE(kms->crc_on, on);
	if (!on)
		drm_crtc_vblank_put(crtc);

	return 0;
}

/**
 * nv3_crc_frame_end() - read the CRC of the frame that has ended
 * @nv3: the device
 *
 * Context: hard interrupt, after the vertical blank has been counted.
 */
void nv3_crc_frame_end(struct nv3_device *nv3)
{
	struct drm_crtc *crtc = &nv3->kms->crtc;
	u32 crc;

	if (!READ_ONCE(nv3->kms->crc_on))
		return;

	crc = nv3_rd32(nv3, NV3_PVIRT_CRC);
	drm_crtc_add_crc_entry(crtc, true, drm_crtc_vblank_count(crtc), &crc);
}
