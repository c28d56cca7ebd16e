/* SPDX-License-Identifier: MIT */
/*
 * A picture that a test has drawn, and computes beside it. Nothing here knows how
 * the device or the driver come to theirs.
 */
#ifndef NV3_PICTURE_H
#define NV3_PICTURE_H

#include "igt_nv3.h"

#define SIDE	64

/* Names in the channel. */
enum {
	SURFACE = 0x10,
	SURFACE_1,
	ZETA,
	DMA,
	OBJECT,
	OTHER,
};

#define SUB_SURFACE	0
#define SUB		1

/* A channel, a surface of SIDE x SIDE in slot 0, and what should be on it. */
struct picture {
	int fd;
	uint32_t channel;
	struct igt_nv3_batch batch;
	struct igt_nv3_bo bo;
	uint32_t format;
	uint32_t cpp;
	uint32_t want[SIDE * SIDE];
};

struct format {
	const char *name;
	uint32_t surface;	/* DRM_NV3_FORMAT_* */
	uint32_t color;		/* DRM_NV3_COLOR_* of a source with the same pixels */
	uint32_t cpp;
	uint32_t mask;		/* bits of a pixel that mean something */
};

enum { Y8, Y16, X1R5G5B5, X8R8G8B8, FORMATS };

extern const struct format formats[FORMATS];

/* Black, and selected into slot 0 by the batch. @format is Y8 to X8R8G8B8. */
void picture_init(struct picture *p, int fd, uint32_t format);
void picture_fini(struct picture *p);
/* Makes and selects the object under test, which draws to slot 0. */
void picture_object(struct picture *p, uint32_t class_id,
		    uint32_t color_format, uint32_t flags, uint32_t dma);
/* What is there now. */
uint32_t picture_pixel(const struct picture *p, uint32_t x, uint32_t y);
/* Runs the batch, and compares. */
void picture_check(struct picture *p);

/* What should be drawn; outside of the picture nothing. */
void want_pixel(struct picture *p, int x, int y, uint32_t color);

/* Different everywhere, also after five bits of it are lost. */
uint32_t pattern(uint32_t x, uint32_t y, uint32_t color_format);
/* What pattern() becomes on the picture's surface: 5 bits are the upper 5 of 8. */
uint32_t converted(const struct picture *p, uint32_t x, uint32_t y);

/* A method of the object under test. */
static inline void mthd(struct picture *p, uint32_t method, uint32_t arg)
{
	igt_nv3_method(&p->batch, SUB, method, arg);
}

static inline uint32_t yx(int y, int x)
{
	return (uint32_t)y << 16 | (x & 0xffff);
}

#endif
