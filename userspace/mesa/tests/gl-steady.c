/* SPDX-License-Identifier: MIT */
/*
 * nv3-gl-steady SECONDS: repeatedly draws the same frames off screen, while other processes load or
 * disturb the chip. Compares the picture of each frame with the first picture of the same frame.
 * Prints the number of frames, the number of wrong frames, and a checksum of the first pictures.
 * The checksum must be the same in all processes. Fails if a frame was wrong.
 *
 * nv3-gl-steady victims SECONDS: starts processes that draw these frames, and kills one
 * of these processes per second at a random moment. Prints the number of killed
 * processes.
 */
#include <dlfcn.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
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

/* Draws @frame and returns its picture, which the caller frees. */
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

/*
 * Number of victims. A victim takes seconds to start, so other victims start while one victim
 * draws.
 */
#define VICTIMS 4

struct victim {
	pid_t pid;
	int ready;	/* becomes readable after the first frame */
	int go;		/* written to make the victim continue */
};

static void draw_until_killed(int ready, int go)
{
	char byte;
	long count;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	begin();
	for (count = 0;; count++) {
		struct picture pic = picture_of(count % FRAMES);

		free(pic.rgba);
		if (!count && (write(ready, "", 1) != 1 ||
			       read(go, &byte, 1) != 1))
			_exit(1);
	}
}

static void open_pipe(int ends[2])
{
	if (pipe(ends)) {
		perror("pipe");
		exit(2);
	}
}

static struct victim start_victim(void)
{
	struct victim victim;
	int ready[2], go[2];

	open_pipe(ready);
	open_pipe(go);
	victim.pid = fork();
	if (victim.pid < 0) {
		perror("fork");
		exit(2);
	}
	if (!victim.pid)
		draw_until_killed(ready[1], go[0]);
	close(ready[1]);
	close(go[0]);
	victim.ready = ready[0];
	victim.go = go[1];
	return victim;
}

static void end_victim(const struct victim *victim)
{
	kill(victim->pid, SIGKILL);
	waitpid(victim->pid, NULL, 0);
	close(victim->ready);
	close(victim->go);
}

/*
 * Waits until a victim is ready and returns it. Returns NULL if no victim is ready at
 * the time @until.
 */
static struct victim *find_ready(struct victim *victims, double until)
{
	struct pollfd ready[VICTIMS];
	int i;

	for (i = 0; i < VICTIMS; i++)
		ready[i] = (struct pollfd) { victims[i].ready, POLLIN, 0 };
	while (seconds() < until) {
		if (poll(ready, VICTIMS, 100) < 1)
			continue;
		for (i = 0; !ready[i].revents; i++)
			;
		return &victims[i];
	}
	return NULL;
}

/* Makes a victim draw. Returns false if the victim has already ended. */
static bool set_off(const struct victim *victim)
{
	char byte;

	if (read(victim->ready, &byte, 1) == 1 && write(victim->go, "", 1) == 1)
		return true;
	fprintf(stderr, "a victim ended by itself\n");
	return false;
}

static int kill_victims(double duration)
{
	double until = seconds() + duration, last = seconds();
	struct victim victims[VICTIMS], *victim;
	bool ok = true;
	long killed = 0;
	int i;

	/*
	 * Before forking, load the library that takes the longest time to load. Loading this
	 * library does not open a device.
	 */
	dlopen("libEGL_mesa.so.0", RTLD_NOW | RTLD_GLOBAL);
	for (i = 0; i < VICTIMS; i++)
		victims[i] = start_victim();
	while (ok && (victim = find_ready(victims, until))) {
		ok = set_off(victim);
		/* Kill at most one victim per second, at a random moment within a frame. */
		do
			usleep(rand() % 100000);
		while (seconds() < last + 1);
		end_victim(victim);
		last = seconds();
		killed += ok;
		*victim = start_victim();
	}
	for (i = 0; i < VICTIMS; i++)
		end_victim(&victims[i]);
	printf("%ld killed while they drew\n", killed);
	return !ok || !killed;
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
