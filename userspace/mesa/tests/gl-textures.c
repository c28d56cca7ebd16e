/* SPDX-License-Identifier: MIT */
/*
 * Draws scenes with unusual texture coordinates, and scenes that exceed the driver's limits for
 * copies of textures.
 */
#include <math.h>
#include <stdlib.h>

#include "gl-scenes.h"
#include "gl-shapes.h"

#define PI 3.14159265f

#define LARGE 1024

/* Fills the default texture with colours that change smoothly in both directions. */
static void waves(GLenum mode)
{
	uint8_t *texels = malloc(LARGE * LARGE * 4), *t = texels;

	if (!texels)
		abort();
	for (int y = 0; y < LARGE; y++) {
		for (int x = 0; x < LARGE; x++, t += 4) {
			t[0] = x * 160 / LARGE + 40;
			t[1] = 128 + 90 * sinf(x * 2 * PI / LARGE);
			t[2] = 128 + 90 * cosf(y * 2 * PI / LARGE);
			t[3] = 255;
		}
	}
	glBindTexture(GL_TEXTURE_2D, 0);
	glTexImage2D(GL_TEXTURE_2D, 0, GL_RGB, LARGE, LARGE, 0, GL_RGBA,
		     GL_UNSIGNED_BYTE, texels);
	filter(GL_NEAREST, GL_NEAREST);
	wrap(mode);
	glEnable(GL_TEXTURE_2D);
	glColor4f(1, 1, 1, 1);
	free(texels);
}

/* Draws a quad with the given ranges of texture coordinates. */
static void far_quad(float y0, float y1, float from_s, float to_s, float from_t,
		     float to_t)
{
	glBegin(GL_QUADS);
	for (int i = 0; i < 4; i++) {
		float x = i == 1 || i == 2, y = i >= 2;

		glTexCoord2f(from_s + (to_s - from_s) * x, from_t + (to_t - from_t) * y);
		glVertex2f(1.8f * x - 0.9f, y0 + (y1 - y0) * y);
	}
	glEnd();
}

/*
 * Draws a quad that is 5,120 texels wide, and a quad whose texture coordinates
 * are far from 0.
 */
void draw_far_repeat(void)
{
	clear(0, 0, 0);
	waves(GL_REPEAT);
	far_quad(-0.9f, -0.1f, 0, 5, 0, 1);
	far_quad(0.1f, 0.9f, -107, -102, 31, 32);
}

void draw_far_mirror(void)
{
	clear(0, 0, 0);
	waves(GL_MIRRORED_REPEAT);
	far_quad(-0.9f, -0.1f, 0, 5, 0, 1);
	far_quad(0.1f, 0.9f, 3, -2, 31, 32);
}

void draw_far_clamp(void)
{
	clear(0, 0, 0);
	waves(GL_CLAMP_TO_EDGE);
	far_quad(-0.9f, -0.1f, -3, 3, 0, 1);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_REPEAT);
	far_quad(0.1f, 0.9f, 4, -1, 0, 5);
}

/* Draws a floor with perspective. */
void draw_far_perspective(void)
{
	static const float corners[4][2] = { { -2, 1 }, { 2, 1 }, { 2, 8 }, { -2, 8 } };

	clear(0, 0, 0);
	waves(GL_REPEAT);
	glBegin(GL_QUADS);
	for (int i = 0; i < 4; i++) {
		float x = corners[i][0], z = corners[i][1];

		glTexCoord2f(x * 0.5f, z * 0.7f);
		glVertex4f(x * 1.2f, -0.9f, 0, z);
	}
	glEnd();
}

/*
 * Draws with more textures than the driver caches for class 0x17. Each texture is used
 * twice.
 */
#define CELLS 6

void draw_texture_eviction(void)
{
	uint32_t *texels = malloc(LARGE * LARGE * sizeof(*texels));
	GLuint names[CELLS * CELLS];

	if (!texels)
		abort();
	clear(0, 0, 0);
	glEnable(GL_TEXTURE_2D);
	glColor4f(1, 1, 1, 1);
	glGenTextures(CELLS * CELLS, names);
	for (int i = 0; i < CELLS * CELLS; i++) {
		uint32_t color = i * 7 << 16 | (255 - i * 6) << 8 | (i * 37 & 0xff);

		for (int at = 0; at < LARGE * LARGE; at++)
			texels[at] = color;
		glBindTexture(GL_TEXTURE_2D, names[i]);
		filter(GL_NEAREST, GL_NEAREST);
		glTexImage2D(GL_TEXTURE_2D, 0, GL_RGB, LARGE, LARGE, 0, GL_BGRA,
			     GL_UNSIGNED_BYTE, texels);
	}
	free(texels);
	for (int i = 0; i < 2 * CELLS * CELLS; i++) {
		int cell = i % (CELLS * CELLS);
		float x = -0.96f + cell % CELLS * 0.32f, y = -0.96f + cell / CELLS * 0.32f;

		if (i >= CELLS * CELLS)
			y += 0.14f;
		glBindTexture(GL_TEXTURE_2D, names[cell]);
		rect(x, y, x + 0.28f, y + 0.11f, 0);
	}
	glDeleteTextures(CELLS * CELLS, names);
}

/*
 * Draws quads whose texture coordinates have two components, and quads whose texture is projected.
 */
void draw_projected_texture(void)
{
	clear(0, 0, 0);
	texture(GL_RGB, 64, 64, false);
	filter(GL_LINEAR, GL_LINEAR);
	for (int i = 0; i < 4; i++) {
		glBegin(GL_TRIANGLE_FAN);
		for (int n = 0; n < 4; n++) {
			float s = n == 1 || n == 2, t = n >= 2, q = 1 + i * t;

			if (i % 2)
				glTexCoord4f(s * q, t * q, 0, q);
			else
				glTexCoord2f(s, t);
			glVertex2f(-0.95f + 0.48f * (i + 0.95f * s), -0.9f + 1.8f * t);
		}
		glEnd();
	}
}
