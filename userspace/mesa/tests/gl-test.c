/* SPDX-License-Identifier: MIT */
/*
 * nv3-gl-test draws and compares scenes.
 *
 * nv3-gl-test draw DIR [NAME]
 *     Draws all scenes, or the scene NAME, to DIR/NAME.png. Stores the driver's messages
 *     in DIR/NAME.log.
 *
 * nv3-gl-test compare A B [NAME]
 *     Compares the pictures in A and B. Checks in A's logs that class 0x17 drew the
 *     scenes that it must draw. Prints TAP.
 *
 * nv3-gl-test close A B [NAME]
 *     Compares like "compare", but for class 0x1f. With this class, components have 8 bits,
 *     and the driver may use the draw module only for scenes that need it.
 *
 * nv3-gl-test similar A.png B.png [MIN]
 *     Prints the structural similarity of two pictures. Fails if the similarity is below
 *     MIN (0.95).
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gl-scenes.h"
#include "gl-util.h"

/* Pictures are small, because llvmpipe draws the reference pictures on an emulated CPU. */
#define WIDTH 192
#define HEIGHT 144

/*
 * The tolerance of a block, for values of 0 to 255. A step of a 5-bit component is 8.
 * The tolerance allows for one such step, and for the errors that dithering and 4-bit texel
 * components cause in a block's mean.
 */
#define STEP 12.0
#define PART 0.02
/*
 * The tolerance of the mean difference. Texture coordinates on the edge between two texels cause
 * small differences.
 */
#define CLOSE_MEAN 1.0

static void path_of(char path[4096], const char *dir, const char *name,
		    const char *ending)
{
	snprintf(path, 4096, "%s/%s.%s", dir, name, ending);
}

static void draw_scene(const struct gl_scene *scene, const char *dir)
{
	struct picture pic;
	char path[4096];
	int log;

	path_of(path, dir, scene->name, "log");
	log = open(path, O_CREAT | O_TRUNC | O_WRONLY, 0644);
	if (log < 0) {
		perror(path);
		exit(2);
	}
	fflush(stderr);
	dup2(log, STDERR_FILENO);
	close(log);

	gl_begin(WIDTH, HEIGHT);
	fprintf(stderr, "renderer: %s\n", (const char *)glGetString(GL_RENDERER));
	scene->draw();
	gl_read(&pic);
	gl_end();
	path_of(path, dir, scene->name, "png");
	picture_write(&pic, path);
	free(pic.rgba);
	printf("%s\n", scene->name);
	fflush(stdout);
}

static bool says_software(const char *dir, const char *name)
{
	char path[4096], line[512];
	bool found = false;
	FILE *log;

	path_of(path, dir, name, "log");
	log = fopen(path, "r");
	while (log && fgets(line, sizeof(line), log)) {
		if (strstr(line, "software fallback: ")) {
			printf("# %s", line);
			found = true;
		}
	}
	if (log)
		fclose(log);
	return found;
}

static bool compare_scene(const struct gl_scene *scene, const char *a,
			  const char *b, bool close, int number)
{
	double step = scene->step > 0 ? scene->step : STEP;
	double part = scene->part > 0 ? scene->part : PART;
	struct picture pics[2];
	struct difference diff;
	const char *dirs[2] = { a, b };
	char path[4096];
	bool hardware = close ? !scene->module : scene->chip;
	bool ok, software;
	int i;

	if (scene->programs && !close) {
		printf("ok %d - %s # SKIP class 0x17 has no such feature\n", number,
		       scene->name);
		return true;
	}
	for (i = 0; i < 2; i++) {
		path_of(path, dirs[i], scene->name, "png");
		picture_read(&pics[i], path);
	}
	diff = picture_compare(&pics[0], &pics[1], step);
	free(pics[0].rgba);
	free(pics[1].rgba);
	software = says_software(a, scene->name);
	ok = diff.worst_part <= part && !(software && hardware) &&
	     (!close || diff.mean <= CLOSE_MEAN);
	printf("%sok %d - %s (mean difference %.2f, %.1f%% of blocks by more than %.0f%s)\n",
	       ok ? "" : "not ", number, scene->name, diff.mean,
	       diff.worst_part * 100, step, software ? ", software" : "");
	return ok;
}

#define SIMILAR 0.95

static int similar(const char *a, const char *b, double min)
{
	struct picture pics[2];
	double value;

	picture_read(&pics[0], a);
	picture_read(&pics[1], b);
	value = picture_similarity(&pics[0], &pics[1]);
	printf("%.4f\n", value);
	free(pics[0].rgba);
	free(pics[1].rgba);
	return !(value >= min);
}

int main(int argc, char **argv)
{
	const struct gl_scene *scene;
	const char *name;
	bool ok = true;
	int count = 0;

	if ((argc == 3 || argc == 4) && !strcmp(argv[1], "draw")) {
		for (scene = gl_scenes; scene->name; scene++) {
			if (argc == 3 || !strcmp(argv[3], scene->name))
				draw_scene(scene, argv[2]);
		}
		return 0;
	}
	if ((argc == 4 || argc == 5) && !strcmp(argv[1], "similar"))
		return similar(argv[2], argv[3],
			       argc == 5 ? atof(argv[4]) : SIMILAR);
	if ((argc != 4 && argc != 5) ||
	    (strcmp(argv[1], "compare") && strcmp(argv[1], "close"))) {
		fprintf(stderr, "usage: nv3-gl-test draw DIR [NAME] | compare A B [NAME] | "
			"close A B [NAME] | similar A.png B.png [MIN]\n");
		return 2;
	}
	name = argc == 5 ? argv[4] : NULL;
	for (scene = gl_scenes; scene->name; scene++)
		count += !name || !strcmp(name, scene->name);
	printf("1..%d\n", count);
	count = 0;
	for (scene = gl_scenes; scene->name; scene++) {
		if (!name || !strcmp(name, scene->name))
			ok &= compare_scene(scene, argv[2], argv[3],
					    !strcmp(argv[1], "close"), ++count);
	}
	return !ok || !count;
}
