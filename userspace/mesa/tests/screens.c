/* SPDX-License-Identifier: MIT */
/*
 * Compares screenshots for vm/checks/suites/windows.sh. Coordinates are in pixels
 * from the top left corner.
 *
 * nv3-screens changed A.png B.png TOP
 *     Prints "X Y WIDTH HEIGHT" of the changed area below line TOP. Fails if nothing
 *     changed.
 *
 * nv3-screens moved A.png B.png X Y WIDTH HEIGHT DX DY
 *     Compares the area at X, Y of A with the area at X + DX, Y + DY of B. Prints their
 *     similarity.
 *
 * nv3-screens shows A.png X Y RRGGBB
 *     Succeeds if the pixel at X, Y has the colour RRGGBB.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gl-util.h"

/*
 * The tolerance of a component. In each picture, dithering changes a component by at most
 * one step of 8.
 */
#define STEP 16
#define SIMILAR 0.95

static const uint8_t *pixel(const struct picture *pic, int x, int y)
{
	return pic->rgba + ((size_t)(pic->height - 1 - y) * pic->width + x) * 4;
}

static bool differs(const struct picture *a, const struct picture *b, int x,
		    int y)
{
	const uint8_t *pa = pixel(a, x, y), *pb = pixel(b, x, y);

	return abs(pa[0] - pb[0]) > STEP || abs(pa[1] - pb[1]) > STEP ||
	       abs(pa[2] - pb[2]) > STEP;
}

static int changed(const struct picture *a, const struct picture *b, int top)
{
	int left = a->width, right = -1, first = a->height, last = -1, x, y;

	for (y = top; y < a->height; y++) {
		for (x = 0; x < a->width; x++) {
			if (!differs(a, b, x, y))
				continue;
			left = x < left ? x : left;
			right = x > right ? x : right;
			first = y < first ? y : first;
			last = y;
		}
	}
	if (right < 0)
		return 1;
	printf("%d %d %d %d\n", left, first, right - left + 1, last - first + 1);
	return 0;
}

/* Returns a copy of a part of @pic. The caller frees the copy. */
static struct picture part(const struct picture *pic, int x, int y, int width,
			   int height)
{
	struct picture out = { width, height, NULL };
	int line;

	if (x < 0 || y < 0 || width < 1 || height < 1 ||
	    x + width > pic->width || y + height > pic->height) {
		fprintf(stderr, "%dx%d at %d, %d is not all on the screen\n",
			width, height, x, y);
		exit(2);
	}
	out.rgba = malloc((size_t)width * height * 4);
	if (!out.rgba) {
		perror("nv3-screens");
		exit(2);
	}
	for (line = 0; line < height; line++)
		memcpy(out.rgba + (size_t)(height - 1 - line) * width * 4,
		       pixel(pic, x, y + line), (size_t)width * 4);
	return out;
}

static int moved(const struct picture *a, const struct picture *b, int x, int y,
		 int width, int height, int dx, int dy)
{
	struct picture was = part(a, x, y, width, height);
	struct picture is = part(b, x + dx, y + dy, width, height);
	double similarity = picture_similarity(&was, &is);

	printf("%.4f\n", similarity);
	free(was.rgba);
	free(is.rgba);
	return similarity < SIMILAR;
}

static int shows(const struct picture *pic, int x, int y, unsigned long rgb)
{
	struct picture at = part(pic, x, y, 1, 1);
	uint8_t wanted[4] = { rgb >> 16, rgb >> 8, rgb, 255 };
	struct picture other = { 1, 1, wanted };
	bool differ = differs(&at, &other, 0, 0);

	free(at.rgba);
	return differ;
}

int main(int argc, char **argv)
{
	struct picture pics[2];
	int n[6], i, status = 2;

	if (argc == 6 && !strcmp(argv[1], "shows")) {
		picture_read(&pics[0], argv[2]);
		status = shows(&pics[0], atoi(argv[3]), atoi(argv[4]),
			       strtoul(argv[5], NULL, 16));
		free(pics[0].rgba);
		return status;
	}
	if (argc < 5 || argc > 10) {
		fprintf(stderr, "usage: nv3-screens changed A B TOP | "
			"moved A B X Y WIDTH HEIGHT DX DY | shows A X Y RRGGBB\n");
		return 2;
	}
	for (i = 0; i < 2; i++)
		picture_read(&pics[i], argv[2 + i]);
	if (pics[0].width != pics[1].width || pics[0].height != pics[1].height) {
		fprintf(stderr, "the two are not of one size\n");
		return 2;
	}
	for (i = 4; i < argc; i++)
		n[i - 4] = atoi(argv[i]);
	if (argc == 5 && !strcmp(argv[1], "changed"))
		status = changed(&pics[0], &pics[1], n[0]);
	else if (argc == 10 && !strcmp(argv[1], "moved"))
		status = moved(&pics[0], &pics[1], n[0], n[1], n[2], n[3], n[4],
			       n[5]);
	for (i = 0; i < 2; i++)
		free(pics[i].rgba);
	return status;
}
