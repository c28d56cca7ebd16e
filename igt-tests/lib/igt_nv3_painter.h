/* SPDX-License-Identifier: MIT */
/*
 * A client that paints pictures which it knows, by either kind of channel, for
 * tests in which many do. Rectangles show what is lost or out of order; blits
 * that scroll the picture show what is done twice.
 */
#ifndef IGT_NV3_PAINTER_H
#define IGT_NV3_PAINTER_H

#include "igt_nv3_pio.h"

struct igt_nv3_painter {
	uint32_t type;		/* DRM_NV3_CHANNEL_* */
	struct igt_nv3_pio pio;	/* of which a DMA channel uses the client */
	uint64_t random;
	uint16_t want[IGT_NV3_CANVAS * IGT_NV3_CANVAS];
};

/* @seed: which pictures. */
void igt_nv3_painter_init(struct igt_nv3_painter *p, int fd, uint32_t type,
			  uint64_t seed);
void igt_nv3_painter_fini(struct igt_nv3_painter *p);
/* @strokes rectangles and scrolls, not waited for. */
void igt_nv3_painter_start(struct igt_nv3_painter *p, uint32_t strokes);
/* Waits for them, and compares each pixel. */
void igt_nv3_painter_check(struct igt_nv3_painter *p);
/* Both. */
void igt_nv3_painter_paint(struct igt_nv3_painter *p, uint32_t strokes);

#endif
