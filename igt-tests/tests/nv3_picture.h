/* SPDX-License-Identifier: MIT */
/*
 * A picture that a test draws with the chip and also computes. The computation shares no code with
 * the device or the driver.
 */
#ifndef NV3_PICTURE_H
#define NV3_PICTURE_H

#include "igt_nv3.h"

#define SIDE	64

/* Handles in the channel */
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

/* A channel, a surface of SIDE x SIDE pixels in slot 0, and the expected pixels */
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
	uint32_t color;		/* DRM_NV3_COLOR_* with the same pixel format as @surface */
	uint32_t cpp;
	uint32_t mask;		/* mask of the significant bits of a pixel */
};

enum { Y8, Y16, X1R5G5B5, X8R8G8B8, FORMATS };

extern const struct format formats[FORMATS];

/*
 * Creates a black picture, and adds to the batch a method that binds the picture's surface. @format
 * is an index in formats[], Y8 to X8R8G8B8.
 */
void picture_init(struct picture *p, int fd, uint32_t format);
void picture_fini(struct picture *p);
/* Creates and binds the object under test, which draws to slot 0. */
void picture_object(struct picture *p, uint32_t class_id,
		    uint32_t color_format, uint32_t flags, uint32_t dma);
/* Returns the pixel at @x, @y of the surface. */
uint32_t picture_pixel(const struct picture *p, uint32_t x, uint32_t y);
/* Runs the batch, and compares all pixels with the expected pixels. */
void picture_check(struct picture *p);

/* Sets an expected pixel. Ignores coordinates outside the picture. */
void want_pixel(struct picture *p, int x, int y, uint32_t color);

/*
 * Returns a colour that differs from the colours of neighbouring pixels, even if the components are
 * reduced to 5 bits.
 */
uint32_t pattern(uint32_t x, uint32_t y, uint32_t color_format);
/*
 * Returns pattern() in the format of the picture's surface. If the surface has components of 5
 * bits, they are the upper 5 bits of the components of pattern().
 */
uint32_t converted(const struct picture *p, uint32_t x, uint32_t y);

/* Adds to the batch a method of the object under test. */
static inline void mthd(struct picture *p, uint32_t method, uint32_t arg)
{
	igt_nv3_method(&p->batch, SUB, method, arg);
}

static inline uint32_t yx(int y, int x)
{
	return (uint32_t)y << 16 | (x & 0xffff);
}

#endif
