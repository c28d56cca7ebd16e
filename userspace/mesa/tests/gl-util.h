/* SPDX-License-Identifier: MIT */
#ifndef GL_UTIL_H
#define GL_UTIL_H

#include <stdbool.h>
#include <stdint.h>

#include <GL/gl.h>
#include <GL/glext.h>

struct picture {
	int width, height;
	uint8_t *rgba;		/* the first line is the lowest, as GL has it */
};

/* Both leave by the program's end when they fail. */
void picture_write(const struct picture *pic, const char *path);
void picture_read(struct picture *pic, const char *path);

/*
 * How far apart two pictures are, of the same size. Dithering is evened out
 * first, over blocks of 4 by 4 pixels.
 */
struct difference {
	double mean;		/* of all blocks and colours, 0 to 255 */
	double worst_part;	/* share of blocks that differ by more than @step */
};

struct difference picture_compare(const struct picture *a,
				  const struct picture *b, double step);

/*
 * Their mean structural similarity (Wang et al., 2004), 1 for the same: of
 * luminance, over windows of 8 by 8 pixels. As its authors advise, pictures are
 * first scaled down to some 256 pixels.
 */
double picture_similarity(const struct picture *a, const struct picture *b);

/* Seconds, from some moment on. */
double seconds(void);

/*
 * A context of desktop GL 2.1, current, and a framebuffer of its own with 8 bits
 * a colour and depth and stencil.
 */
void gl_begin(int width, int height);
void gl_end(void);
/* What it drew. */
void gl_read(struct picture *pic);
/* A bilinear texture of @size by @size texels of @format, bound. */
void gl_texture(int size, GLenum format, const uint8_t *texels);
GLuint gl_program(const char *vertex, const char *fragment);

#endif
