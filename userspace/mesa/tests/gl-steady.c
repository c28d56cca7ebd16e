/* SPDX-License-Identifier: MIT */
/*
 * nv3-gl-steady SECONDS: draws the same few frames over and over, off screen,
 * reads each back and compares it with the first time that it was drawn. For
 * when others do their worst at the same time. Prints how many there were, how
 * many were wrong, and a sum over the first of each, which is the same for all
 * that run; fails if one was wrong.
 *
 * nv3-gl-steady victims SECONDS: processes that draw those frames and are killed,
 * one a second, wherever each is in a frame. Prints how many there were.
 */
#include <dlfcn.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

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

static void begin(void)
{
	gl_begin(WIDTH, HEIGHT);
	make_texture();
	glEnable(GL_DEPTH_TEST);
	glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
}

static int watch(double duration)
{
	struct picture first[FRAMES], pic;
	long count = 0, wrong = 0;
	uint32_t sum = 2166136261;
	double until = seconds() + duration;
	int i;

	begin();
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

/* ---- victims ---- */

struct victim {
	pid_t pid;
	int drawing;	/* readable once it has drawn a frame */
};

static void draw_until_killed(int drawing)
{
	long count;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	begin();
	for (count = 0;; count++) {
		struct picture pic = picture_of(count % FRAMES);

		free(pic.rgba);
		if (!count && write(drawing, "", 1) != 1)
			_exit(1);
	}
}

static struct victim start_victim(void)
{
	struct victim victim;
	int ends[2];

	if (pipe(ends)) {
		perror("pipe");
		exit(2);
	}
	victim.pid = fork();
	if (victim.pid < 0) {
		perror("fork");
		exit(2);
	}
	if (!victim.pid)
		draw_until_killed(ends[1]);
	close(ends[1]);
	victim.drawing = ends[0];
	return victim;
}

static void end_victim(const struct victim *victim)
{
	kill(victim->pid, SIGKILL);
	waitpid(victim->pid, NULL, 0);
	close(victim->drawing);
}

/* While one draws the next one gets ready. */
static int kill_victims(double duration)
{
	double until = seconds() + duration, last = 0;
	struct victim victim, next;
	long killed = 0;

	/* What takes longest to load is loaded once; no device is opened yet. */
	dlopen("libEGL_mesa.so.0", RTLD_NOW | RTLD_GLOBAL);
	victim = start_victim();
	next = start_victim();
	while (seconds() < until) {
		struct pollfd drawing = { victim.drawing, POLLIN, 0 };
		char byte;

		if (poll(&drawing, 1, 100) < 1)
			continue;
		if (read(victim.drawing, &byte, 1) != 1) {
			fprintf(stderr, "a victim ended by itself\n");
			break;
		}
		while (seconds() < last + 1)
			usleep(10000);
		end_victim(&victim);
		last = seconds();
		killed++;
		victim = next;
		next = start_victim();
	}
	end_victim(&victim);
	end_victim(&next);
	printf("%ld killed while they drew\n", killed);
	return seconds() < until || !killed;
}

int main(int argc, char **argv)
{
	if (argc == 3 && !strcmp(argv[1], "victims"))
		return kill_victims(atof(argv[2]));
	if (argc != 2) {
		fprintf(stderr, "usage: nv3-gl-steady [victims] SECONDS\n");
		return 2;
	}
	return watch(atof(argv[1]));
}
