/* SPDX-License-Identifier: MIT */
/*
 * nv3-gl-bench measures the speed of OpenGL at 640x480. The program prints a line for
 * each figure: name, value and unit, separated by tabs. Each measurement takes about
 * two seconds.
 */
#include <stdio.h>
#include <stdlib.h>

#include "gl-util.h"

#define WIDTH 640
#define HEIGHT 480
#define SECONDS 2.0

static void make_texture(void)
{
	static uint8_t texels[256 * 256 * 4];
	int i;

	for (i = 0; i < 256 * 256; i++) {
		texels[i * 4] = i;
		texels[i * 4 + 1] = i >> 8;
		texels[i * 4 + 2] = i ^ i >> 8;
		texels[i * 4 + 3] = 128;
	}
	gl_texture(256, GL_RGBA, texels);
	glEnable(GL_TEXTURE_2D);
}

/*
 * Draws a rectangle over the whole picture @count times. Each rectangle is nearer than
 * the previous one, so that the depth test passes.
 */
static double fill(int count)
{
	int i;

	glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
	for (i = 0; i < count; i++) {
		float z = 1 - (i + 1) * 2.0f / (count + 1);

		glBegin(GL_QUADS);
		glColor3f(1, 1, 1);
		glTexCoord2f(0, 0);
		glVertex3f(-1, -1, z);
		glColor3f(1, 0, 1);
		glTexCoord2f(2, 0);
		glVertex3f(1, -1, z);
		glColor3f(1, 1, 0);
		glTexCoord2f(2, 2);
		glVertex3f(1, 1, z);
		glColor3f(0, 1, 1);
		glTexCoord2f(0, 2);
		glVertex3f(-1, 1, z);
		glEnd();
	}
	glFinish();
	return count * (double)(WIDTH * HEIGHT) / 1e6;
}

/* Draws triangles of 25 pixels in strips, with texture, colour and depth. */
#define COLUMNS 90
#define ROWS 68

static double triangles(int count)
{
	static float at[(ROWS + 1) * (COLUMNS + 1) * 3];
	static float shade[(ROWS + 1) * (COLUMNS + 1) * 3];
	static float coord[(ROWS + 1) * (COLUMNS + 1) * 2];
	static uint16_t index[ROWS * (COLUMNS + 1) * 2];
	int x, y, n = 0, i;

	for (y = 0; y <= ROWS; y++) {
		for (x = 0; x <= COLUMNS; x++) {
			int v = y * (COLUMNS + 1) + x;

			at[v * 3] = x * 2.0f / COLUMNS - 1;
			at[v * 3 + 1] = y * 2.0f / ROWS - 1;
			at[v * 3 + 2] = (x ^ y) & 1 ? 0.1f : 0;
			shade[v * 3] = shade[v * 3 + 1] = x / (float)COLUMNS;
			shade[v * 3 + 2] = y / (float)ROWS;
			coord[v * 2] = x / 16.0f;
			coord[v * 2 + 1] = y / 16.0f;
		}
	}
	for (y = 0; y < ROWS; y++) {
		for (x = 0; x <= COLUMNS; x++) {
			index[n++] = y * (COLUMNS + 1) + x;
			index[n++] = (y + 1) * (COLUMNS + 1) + x;
		}
	}
	glEnableClientState(GL_VERTEX_ARRAY);
	glEnableClientState(GL_COLOR_ARRAY);
	glEnableClientState(GL_TEXTURE_COORD_ARRAY);
	glVertexPointer(3, GL_FLOAT, 0, at);
	glColorPointer(3, GL_FLOAT, 0, shade);
	glTexCoordPointer(2, GL_FLOAT, 0, coord);
	for (i = 0; i < count; i++) {
		glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
		for (y = 0; y < ROWS; y++)
			glDrawElements(GL_TRIANGLE_STRIP, (COLUMNS + 1) * 2,
				       GL_UNSIGNED_SHORT,
				       index + y * (COLUMNS + 1) * 2);
	}
	glFinish();
	return count * (double)(ROWS * COLUMNS * 2) / 1e6;
}

static void measure(const char *name, const char *unit, double (*run)(int))
{
	double start, spent, work;
	int count = 1;

	run(1);		/* compiles the shaders */
	do {
		start = seconds();
		work = run(count);
		spent = seconds() - start;
		if (spent < SECONDS / 2)
			count = spent < SECONDS / 16 ? count * 8 :
				(int)(count * SECONDS / spent + 1);
	} while (spent < SECONDS / 2);
	printf("%s\t%.4f\t%s\n", name, work / spent, unit);
	fflush(stdout);
}

int main(void)
{
	gl_begin(WIDTH, HEIGHT);
	fprintf(stderr, "%s\n", (const char *)glGetString(GL_RENDERER));
	make_texture();
	glEnable(GL_DEPTH_TEST);
	measure("gl.fill", "Mpixel/s", fill);
	glEnable(GL_BLEND);
	glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
	measure("gl.blend", "Mpixel/s", fill);
	glDisable(GL_BLEND);
	measure("gl.tri25", "Mtri/s", triangles);
	gl_end();
	return 0;
}
