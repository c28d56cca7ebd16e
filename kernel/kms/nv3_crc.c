// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: CRC of the picture
 *
 * IGT compares frames by their CRCs. Real chips can't compute CRCs. The PVIRT block of the emulated
 * chip computes the CRC at the end of each frame, with cursor and palette applied, and then raises
 * the vertical blank interrupt. If the driver does not read the CRC for a number of frames, PVIRT
 * stops computing the CRC (docs/reference/chip/display.md). The driver reads the CRC at each
 * vertical blank while user space has the CRC file open.
 */

#include <linux/string.h>

#include <drm/drm_crtc.h>
#include <drm/drm_drv.h>
#include <drm/drm_print.h>
#include <drm/drm_vblank.h>

#include "nv3_crc.h"
#include "nv3_kms_priv.h"

#define NV3_CRC_WORDS	1

/*
 * The maximum number of attempts to read a CRC in one interrupt. If all attempts fail, the handler
 * of the next interrupt tries again.
 */
#define NV3_CRC_TRIES	4

static const char * const nv3_crc_sources[] = { "auto" };

/**
 * nv3_crc_supported() - check whether the device can compute CRCs
 * @nv3: the device
 *
 * Context: any.
 * Return: true if the device has a PVIRT block with NV3_PVIRT_FEATURE_CRC.
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
 * @count: set to the number of sources
 *
 * Return: the names of the sources.
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
 * @source: name of a source
 * @values_cnt: set to the number of words of a CRC
 *
 * Return: 0, -EINVAL for an unknown name, or -ENODEV if CRCs are not supported.
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
 * @source: name of a source, or NULL to stop reporting CRCs
 *
 * The vertical blank interrupt reads the CRC, so the function keeps this interrupt enabled. The
 * chip computes the CRCs of the next frames only after a read of the CRC. The function therefore
 * reads the CRC, so that user space gets the CRC of the next frame.
 *
 * Context: process context.
 * Return: 0, -EINVAL for an unknown name, or -ENODEV if CRCs are not supported.
 */
int nv3_crc_set_source(struct drm_crtc *crtc, const char *source)
{
	struct nv3_device *nv3 = to_nv3(crtc->dev);
	struct nv3_kms *kms = nv3->kms;
	const bool on = source;
	int ret;

	ret = nv3_crc_parse(crtc, source);
	if (ret || on == READ_ONCE(kms->crc_on))
		return ret;

	if (on) {
		ret = drm_crtc_vblank_get(crtc);
		if (ret)
			return ret;
		kms->crc_frame = nv3_rd32(nv3, NV3_PVIRT_FRAME);
		nv3_rd32(nv3, NV3_PVIRT_CRC);
	}
	/* Pairs with the acquire in nv3_crc_frame_end(). */
	smp_store_release(&kms->crc_on, on);
	if (!on)
		drm_crtc_vblank_put(crtc);

	return 0;
}

/* The chip's newest CRC, and the chip's and DRM's counts of vertical blanks when it was read */
struct nv3_crc_sample {
	u32 now;		/* the chip's count */
	u64 count;		/* DRM's count */
	u32 frame;		/* the chip's count at the end of the CRC's frame */
	u32 crc;
};

/*
 * Returns false if a vertical blank began or a CRC was completed while the function read the
 * registers.
 */
static bool nv3_crc_read(struct nv3_device *nv3, struct nv3_crc_sample *sample)
{
	sample->now = nv3_rd32(nv3, NV3_PVIRT_FRAME);
	sample->count = drm_crtc_accurate_vblank_count(&nv3->kms->crtc);
	sample->frame = nv3_rd32(nv3, NV3_PVIRT_CRC_FRAME);
	sample->crc = nv3_rd32(nv3, NV3_PVIRT_CRC);
	return nv3_rd32(nv3, NV3_PVIRT_FRAME) == sample->now &&
	       nv3_rd32(nv3, NV3_PVIRT_CRC_FRAME) == sample->frame;
}

/**
 * nv3_crc_frame_end() - report the CRC of the frame that has ended
 * @nv3: the device
 *
 * The interrupt may be so late that the next vertical blank has begun. In this case, DRM's count
 * includes this vertical blank, but the CRC belongs to an earlier frame. Another interrupt follows
 * when the next CRC is complete.
 *
 * Context: hard interrupt, after the vertical blank has been counted.
 */
void nv3_crc_frame_end(struct nv3_device *nv3)
{
	struct nv3_kms *kms = nv3->kms;
	struct nv3_crc_sample sample;
	unsigned int tries = NV3_CRC_TRIES;

	/* Pairs with the release in nv3_crc_set_source(). */
	if (!smp_load_acquire(&kms->crc_on))
		return;

	while (!nv3_crc_read(nv3, &sample))
		if (!--tries)
			return;
	if (sample.now - sample.frame >= sample.now - kms->crc_frame)
		return;

	kms->crc_frame = sample.frame;
	drm_crtc_add_crc_entry(&kms->crtc, true, sample.count - (sample.now - sample.frame),
			       &sample.crc);
}
