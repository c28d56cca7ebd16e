/* SPDX-License-Identifier: MIT */
/*
 * A client with a DMA or PIO channel that draws and checks pseudo-random pictures, for tests with
 * many clients. The rectangles of a picture reveal lost or reordered methods. The blits that scroll
 * the picture reveal repeated methods.
 */
#ifndef IGT_NV3_PAINTER_H
#define IGT_NV3_PAINTER_H

#include "igt_nv3_pio.h"

struct igt_nv3_painter {
	uint32_t type;		/* DRM_NV3_CHANNEL_* */
	struct igt_nv3_pio pio;	/* With a DMA channel, only pio.client is used. */
	uint64_t random;
	uint16_t want[IGT_NV3_CANVAS * IGT_NV3_CANVAS];
};

/* @seed selects the pictures. */
void igt_nv3_painter_init(struct igt_nv3_painter *p, int fd, uint32_t type,
			  uint64_t seed);
void igt_nv3_painter_fini(struct igt_nv3_painter *p);
/*
 * Starts to draw @strokes random strokes. A stroke is a rectangle, or a blit that scrolls the
 * picture. Does not wait until the chip has drawn the strokes.
 */
void igt_nv3_painter_start(struct igt_nv3_painter *p, uint32_t strokes);
/* Waits until the chip has drawn the picture, and compares each pixel with the expected colour. */
void igt_nv3_painter_check(struct igt_nv3_painter *p);
/* Like igt_nv3_painter_start(), but also checks the picture. */
void igt_nv3_painter_paint(struct igt_nv3_painter *p, uint32_t strokes);

#endif
