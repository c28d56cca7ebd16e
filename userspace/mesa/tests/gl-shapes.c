/* SPDX-License-Identifier: MIT */
/* Draws the shapes and creates the textures of the scenes. */
#include <math.h>
#include <stdint.h>

#include "gl-shapes.h"

void clear(float r, float g, float b)
{
	glClearColor(r, g, b, 1);
	glClearDepth(1);
	glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
}

void rect(float x0, float y0, float x1, float y1, float z)
{
	glBegin(GL_QUADS);
	glTexCoord2f(0, 0);
	glVertex3f(x0, y0, z);
	glTexCoord2f(1, 0);
	glVertex3f(x1, y0, z);
	glTexCoord2f(1, 1);
	glVertex3f(x1, y1, z);
	glTexCoord2f(0, 1);
	glVertex3f(x0, y1, z);
	glEnd();
}

GLuint texture(GLenum format, int width, int height, bool mipmaps)
{
	static uint8_t texels[256 * 256 * 4];
	GLuint name;
	int x, y;

	for (y = 0; y < height; y++) {
		for (x = 0; x < width; x++) {
			uint8_t *t = texels + (y * width + x) * 4;
			float dx = (x + 0.5f) / width - 0.5f;
			float dy = (y + 0.5f) / height - 0.5f;
			bool check = (x * 8 / width + y * 8 / height) & 1;

			t[0] = x * 255 / width;
			t[1] = y * 255 / height;
			t[2] = check ? 224 : 32;
			t[3] = dx * dx + dy * dy < 0.16f ? 255 : 0;
		}
	}
	glGenTextures(1, &name);
	glBindTexture(GL_TEXTURE_2D, name);
	glTexParameteri(GL_TEXTURE_2D, GL_GENERATE_MIPMAP, mipmaps);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER,
			mipmaps ? GL_LINEAR_MIPMAP_NEAREST : GL_NEAREST);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
	glTexImage2D(GL_TEXTURE_2D, 0, format, width, height, 0, GL_RGBA,
		     GL_UNSIGNED_BYTE, texels);
	glEnable(GL_TEXTURE_2D);
	glColor4f(1, 1, 1, 1);
	return name;
}

void two_textures(GLenum format)
{
	texture(format, 64, 64, false);
	glActiveTexture(GL_TEXTURE1);
	texture(GL_LUMINANCE, 16, 16, false);
	glBegin(GL_QUADS);
	for (int i = 0; i < 4; i++) {
		float x = i == 1 || i == 2, y = i >= 2;

		glMultiTexCoord2f(GL_TEXTURE0, x, y);
		glMultiTexCoord2f(GL_TEXTURE1, y, x);
		glVertex2f(1.8f * x - 0.9f, 1.8f * y - 0.9f);
	}
	glEnd();
}

void filter(GLenum min, GLenum mag)
{
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, min);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, mag);
}

void wrap(GLenum mode)
{
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, mode);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, mode);
}

void perspective_matrix(void)
{
	glMatrixMode(GL_PROJECTION);
	glLoadIdentity();
	glFrustum(-0.1, 0.1, -0.075, 0.075, 0.1, 20);
	glMatrixMode(GL_MODELVIEW);
}

int ball(float (*out)[6], int parts)
{
	int count = 0;

	for (int j = 0; j < parts; j++) {
		for (int i = 0; i < 2 * parts; i++) {
			static const int corner[6][2] = {
				{ 0, 0 }, { 1, 0 }, { 1, 1 }, { 0, 0 }, { 1, 1 }, { 0, 1 },
			};

			for (int k = 0; k < 6; k++) {
				float a = (i + corner[k][0]) * 3.14159f / parts;
				float b = (j + corner[k][1]) * 3.14159f / parts - 1.5708f;
				float *v = out[count++];

				v[0] = v[3] = cosf(a) * cosf(b);
				v[1] = v[4] = sinf(b);
				v[2] = v[5] = sinf(a) * cosf(b);
			}
		}
	}
	return count;
}
