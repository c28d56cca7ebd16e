/* SPDX-License-Identifier: MIT */
/*
 * Draws the demo's scenes with class 0x17 and with class 0x1F, and compares the pictures. For class
 * 0x17, the CPU transforms and lights vertices. For class 0x1F, programs on the chip transform and
 * light vertices. The two pictures of a scene thus come from independent code. The scene may cover
 * at most the fraction OUTLINE_MAX of the pixels in only one of the two pictures. Only class 0x1F
 * draws bumps and gloss, so the test compares the mean colours of squares of SQUARE x SQUARE pixels
 * instead of single pixels.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "client.h"

#define SQUARE		16		/* pixels per side */
/* Maximum fraction of pixels that the scene covers in only one of the two pictures */
#define OUTLINE_MAX	0.006
/*
 * Maximum mean difference between the colours of corresponding squares, in components from 0 to 31
 */
#define COLOR_MAX	2.0

static const float times[] = { 0.0f, 1.7f, 5.3f };

struct figures {
	double outline, color;
	double covered;		/* fraction of pixels that the scene covers in both pictures */
};

static uint16_t background(const struct scene *scene)
{
	uint32_t c = scene->fog_color;

	return (c >> 9 & 0x7c00) | (c >> 6 & 0x3e0) | (c >> 3 & 0x1f);
}

static void compare_outlines(struct figures *f, const struct scene *scene, const uint16_t *a,
			     const uint16_t *b)
{
	const uint32_t pixels = scene->width * scene->height;
	const uint16_t clear = background(scene);
	uint32_t i, one = 0, both = 0;

	for (i = 0; i < pixels; i++) {
		one += ((a[i] & 0x7fff) != clear) != ((b[i] & 0x7fff) != clear);
		both += (a[i] & 0x7fff) != clear && (b[i] & 0x7fff) != clear;
	}
	f->outline = (double)one / pixels;
	f->covered = (double)both / pixels;
}

/* Returns the mean value of a colour component in a square. */
static double mean(const uint16_t *pixels, uint32_t pitch, uint32_t x, uint32_t y, int shift)
{
	uint32_t i, sum = 0;

	for (i = 0; i < SQUARE * SQUARE; i++)
		sum += pixels[(y + i / SQUARE) * pitch + x + i % SQUARE] >> shift & 31;
	return (double)sum / (SQUARE * SQUARE);
}

static void compare_colors(struct figures *f, const struct scene *scene, const uint16_t *a,
			   const uint16_t *b)
{
	uint32_t x, y, count = 0;
	double sum = 0;
	int shift;

	for (y = 0; y + SQUARE <= scene->height; y += SQUARE) {
		for (x = 0; x + SQUARE <= scene->width; x += SQUARE) {
			for (shift = 0; shift < 15; shift += 5) {
				double d = mean(a, scene->width, x, y, shift) -
					   mean(b, scene->width, x, y, shift);

				sum += d < 0 ? -d : d;
				count++;
			}
		}
	}
	f->color = sum / count;
}

static bool test(const struct scene *scene, float time, uint32_t detail)
{
	const struct client_options class_17 = { false, detail }, programs = { true, detail };
	const uint32_t pixels = scene->width * scene->height;
	uint16_t *a = calloc(pixels, sizeof(*a)), *b = calloc(pixels, sizeof(*b));
	struct figures f = { 1, 31, 0 };

	if (a && b && client_picture(scene, NULL, &class_17, time, a) > 0 &&
	    client_picture(scene, NULL, &programs, time, b) > 0) {
		compare_outlines(&f, scene, a, b);
		compare_colors(&f, scene, a, b);
	}
	free(a);
	free(b);
	printf("# %s at %.1f s, detail %u: outlines differ by %.4f, colours by %.2f, covered %.2f\n",
	       scene->name, time, detail, f.outline, f.color, f.covered);
	return f.outline <= OUTLINE_MAX && f.color <= COLOR_MAX && f.covered > 0.1;
}

int main(void)
{
	const int count = sizeof(times) / sizeof(times[0]);
	int i, j, failed = 0;

	printf("1..%d\n", SCENES * (count + 1));
	for (i = 0; i < SCENES; i++) {
		for (j = 0; j <= count; j++) {
			/* The last test of a scene uses the most detailed mesh. */
			float time = times[j % count];
			uint32_t detail = j < count ? 1 : DETAIL_MAX;
			bool ok = test(&scenes[i], time, detail);

			printf("%s %d - %s-%.1f-%u\n", ok ? "ok" : "not ok",
			       i * (count + 1) + j + 1, scenes[i].name, time, detail);
			failed |= !ok;
		}
	}
	return failed;
}
