/* SPDX-License-Identifier: MIT */
#ifndef GL_UTIL_H
#define GL_UTIL_H

#include <stdbool.h>
#include <stdint.h>

#include <GL/gl.h>
#include <GL/glext.h>

struct picture {
	int width, height;
	uint8_t *rgba;		/* bottom row first, as in GL */
};

/* Write or read a PNG file. Both functions exit on failure. */
void picture_write(const struct picture *pic, const char *path);
void picture_read(struct picture *pic, const char *path);

/*
 * Difference between two pictures of the same size. The comparison uses the means of blocks of 4x4
 * pixels, because averaging removes the dithering.
 */
struct difference {
	/* mean difference over all blocks and colour components, 0 to 255 */
	double mean;
	double worst_part;	/* fraction of blocks that differ by more than @step */
};

struct difference picture_compare(const struct picture *a,
				  const struct picture *b, double step);

/*
 * Returns the mean structural similarity (Wang et al., 2004) of the luminance. The result is 1 for
 * equal pictures. Windows are 8x8 pixels. As the authors advise, pictures are first scaled down
 * until the shorter side has about 256 pixels.
 */
double picture_similarity(const struct picture *a, const struct picture *b);

/* Returns a monotonic time. */
double seconds(void);

/* Returns true if the current context draws with class 0x1f of the nv3. */
bool has_programs(void);

/*
 * Creates an OpenGL 2.1 context with a framebuffer of RGB8, 24-bit depth and 8-bit
 * stencil, and makes the context current.
 */
void gl_begin(int width, int height);
void gl_end(void);
/* Reads the framebuffer. */
void gl_read(struct picture *pic);
/* Creates and binds a bilinear texture of @size by @size texels. */
void gl_texture(int size, GLenum format, const uint8_t *texels);
GLuint gl_program(const char *vertex, const char *fragment);

#endif
