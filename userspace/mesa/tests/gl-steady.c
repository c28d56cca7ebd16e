/* SPDX-License-Identifier: MIT */
/*
 * nv3-gl-steady SECONDS: draws the same few frames over and over, off screen,
 * reads each back and compares it with the first time that it was drawn. For
 * when others do their worst at the same time. Prints how many there were, how
 * many were wrong, and a sum over the first of each, which is the same for all
 * that run; fails if one was wrong.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gl-util.h"

#define WIDTH 320
#define HEIGHT 240
#define FRAMES 12
#define TRIANGLES 200

static void make_texture(void)
{
	static uint8_t texels[64 * 64 * 3];
	int i;

	for (i = 0; i < 64 * 64; i++) {
		texels[i * 3] = (i & 63) * 4;
		texels[i * 3 + 1] = (i >> 6) * 4;
		texels[i * 3 + 2] = (i ^ i >> 3) & 8 ? 240 : 16;
	}
	gl_texture(64, GL_RGB, texels);
}

static float random_part(uint32_t *seed)
{
	*seed = *seed * 1664525 + 1013904223;
	return (*seed >> 8) / (float)(1 << 24);
}

static void draw(int frame)
{
	uint32_t seed = frame + 1;
	int i, corner;

	glClearColor(frame / (float)FRAMES, 0.3f, 0.5f, 1);
	glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
	for (i = 0; i < TRIANGLES; i++) {
		float x = random_part(&seed) * 2 - 1;
		float y = random_part(&seed) * 2 - 1;

		if (i & 1)
			glEnable(GL_TEXTURE_2D);
		else
			glDisable(GL_TEXTURE_2D);
		if (i % 5 == 0)
			glEnable(GL_BLEND);
		else
			glDisable(GL_BLEND);
		glBegin(GL_TRIANGLES);
		for (corner = 0; corner < 3; corner++) {
			glColor4f(random_part(&seed), random_part(&seed),
				  random_part(&seed), 0.5f);
			glTexCoord2f(random_part(&seed) * 2,
				     random_part(&seed) * 2);
			glVertex3f(x + random_part(&seed) * 0.6f - 0.3f,
				   y + random_part(&seed) * 0.6f - 0.3f,
				   random_part(&seed) * 2 - 1);
		}
		glEnd();
	}
}

static uint32_t sum_of(const struct picture *pic, uint32_t sum)
{
	int i;

	for (i = 0; i < pic->width * pic->height * 4; i++)
		sum = (sum ^ pic->rgba[i]) * 16777619;
	return sum;
}

/* Draws @frame; its picture is to be freed. */
static struct picture picture_of(int frame)
{
	struct picture pic;

	draw(frame);
	gl_read(&pic);
	return pic;
}

int main(int argc, char **argv)
{
	struct picture first[FRAMES], pic;
	long count = 0, wrong = 0;
	uint32_t sum = 2166136261;
	double until;
	int i;

	if (argc != 2) {
		fprintf(stderr, "usage: nv3-gl-steady SECONDS\n");
		return 2;
	}
	until = seconds() + atof(argv[1]);
	gl_begin(WIDTH, HEIGHT);
	make_texture();
	glEnable(GL_DEPTH_TEST);
	glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
	for (i = 0; i < FRAMES; i++) {
		first[i] = picture_of(i);
		sum = sum_of(&first[i], sum);
	}
	for (; seconds() < until; count++) {
		i = count % FRAMES;
		pic = picture_of(i);
		wrong += !!memcmp(pic.rgba, first[i].rgba, WIDTH * HEIGHT * 4);
		free(pic.rgba);
	}
	printf("%ld frames, %ld wrong, sum %08x\n", count, wrong, sum);
	for (i = 0; i < FRAMES; i++)
		free(first[i].rgba);
	gl_end();
	return wrong != 0;
}
