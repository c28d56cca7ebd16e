/* SPDX-License-Identifier: MIT */
/*
 * Implements tests of nv3-gl-checks in which the contexts of several threads share textures and
 * buffers.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <EGL/egl.h>
#include <EGL/eglext.h>

#include "gl-checks.h"

struct peer {
	pthread_t thread;
	EGLContext context;
	int number;
	int wrong;
};

static bool matches(struct color seen, struct color wanted)
{
	/* Class 0x17 rounds the colours of a drawn texture to 5 bits twice, and dithers them. */
	const int tolerance = has_programs() ? 0 : 24;

	if (abs(seen.r - wanted.r) <= tolerance && abs(seen.g - wanted.g) <= tolerance &&
	    abs(seen.b - wanted.b) <= tolerance)
		return true;
	printf("# %d %d %d instead of %d %d %d\n", seen.r, seen.g, seen.b, wanted.r, wanted.g,
	       wanted.b);
	return false;
}

static void set_color(struct color c)
{
	glColor3f(c.r / 255.0f, c.g / 255.0f, c.b / 255.0f);
}

/* Return the colour and the left edge of the rectangle in round @i. */
static struct color color_of(int i)
{
	return (struct color) { i * 37 & 255, i * 91 & 255, i * 13 & 255 };
}

static float edge_of(int i)
{
	return (i % 63 - 31) / 32.0f;
}

/*
 * Returns true if the pixel at the left edge @x of a rectangle has the colour
 * @c, and the pixel to the left of this edge is black.
 */
static bool shows_rectangle(struct color c, float x)
{
	const struct color black = { 0 };
	const int edge = (x + 1) / 2 * SIZE;

	return matches(pixel(edge, SIZE / 2), c) && matches(pixel(edge - 1, SIZE / 2), black);
}

/* Writes the vertices of a rectangle to the bound buffer at @offset. The left edge is at @x. */
static void write_rectangle(size_t offset, float x)
{
	const float corners[4][2] = { { x, -1 }, { 1, -1 }, { 1, 1 }, { x, 1 } };

	glBufferSubData(GL_ARRAY_BUFFER, offset, sizeof(corners), corners);
}

static void draw_rectangle(size_t offset)
{
	glEnableClientState(GL_VERTEX_ARRAY);
	glVertexPointer(2, GL_FLOAT, 0, (void *)offset);
	glDrawArrays(GL_QUADS, 0, 4);
	glDisableClientState(GL_VERTEX_ARRAY);
}

/* Runs @run in @count threads, each with its own context. Returns the number of errors. */
static int run_peers(void *(*run)(void *), int count)
{
	struct peer peers[8] = { 0 };
	int wrong = 0;

	for (int i = 0; i < count; i++) {
		peers[i].number = i;
		peers[i].context = new_context(context);
		if (pthread_create(&peers[i].thread, NULL, run, &peers[i]))
			die("no thread");
	}
	for (int i = 0; i < count; i++) {
		pthread_join(peers[i].thread, NULL);
		eglDestroyContext(display, peers[i].context);
		wrong += peers[i].wrong;
	}
	printf("# %d wrong\n", wrong);
	return wrong;
}

static GLuint new_buffer(size_t size)
{
	GLuint name;

	glGenBuffers(1, &name);
	glBindBuffer(GL_ARRAY_BUFFER, name);
	glBufferData(GL_ARRAY_BUFFER, size, NULL, GL_DYNAMIC_DRAW);
	glBindBuffer(GL_ARRAY_BUFFER, 0);
	return name;
}

/* ---- a stream of textures and buffers ---- */

#define STREAMS 2
#define SLOTS 3
#define ROUNDS 200
#define TEXELS 16

/* A texture and a buffer that one peer writes and another peer draws with. */
struct slot {
	GLuint texture, buffer;
	GLsync written, drawn;
};

static struct {
	struct slot slots[SLOTS];
	sem_t full, empty;
} streams[STREAMS];

static void wait_for(GLsync *sync)
{
	if (*sync) {
		glWaitSync(*sync, 0, GL_TIMEOUT_IGNORED);
		glDeleteSync(*sync);
	}
	*sync = NULL;
}

static GLsync new_sync(void)
{
	GLsync sync = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);

	glFlush();
	return sync;
}

static void upload(GLuint texture, struct color c)
{
	uint8_t texels[TEXELS * TEXELS][4];

	for (int i = 0; i < TEXELS * TEXELS; i++) {
		texels[i][0] = c.r;
		texels[i][1] = c.g;
		texels[i][2] = c.b;
		texels[i][3] = 255;
	}
	glBindTexture(GL_TEXTURE_2D, texture);
	glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, TEXELS, TEXELS, GL_RGBA, GL_UNSIGNED_BYTE,
			texels);
}

static void paint(GLuint texture, struct color c)
{
	glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
	set_color(c);
	quad(-1, -1, 1, 1);
}

static void write_slot(struct slot *slot, int i)
{
	wait_for(&slot->drawn);
	if (i / SLOTS % 2)
		upload(slot->texture, color_of(i));
	else
		paint(slot->texture, color_of(i));
	glBindBuffer(GL_ARRAY_BUFFER, slot->buffer);
	write_rectangle(0, edge_of(i));
	glBindBuffer(GL_ARRAY_BUFFER, 0);
	slot->written = new_sync();
}

static bool draw_slot(struct slot *slot, int i)
{
	wait_for(&slot->written);
	clear(0, 0, 0);
	glBindTexture(GL_TEXTURE_2D, slot->texture);
	glBindBuffer(GL_ARRAY_BUFFER, slot->buffer);
	draw_rectangle(0);
	slot->drawn = new_sync();
	return shows_rectangle(color_of(i), edge_of(i));
}

static void *take_part_in_stream(void *arg)
{
	struct peer *peer = arg;
	const int stream = peer->number / 2;
	const bool draws = peer->number % 2;

	make_current(peer->context);
	bind_framebuffer(draws ? SIZE : TEXELS);
	if (draws)
		glEnable(GL_TEXTURE_2D);
	for (int i = 0; i < ROUNDS; i++) {
		struct slot *slot = &streams[stream].slots[i % SLOTS];

		sem_wait(draws ? &streams[stream].full : &streams[stream].empty);
		if (draws)
			peer->wrong += !draw_slot(slot, i);
		else
			write_slot(slot, i);
		sem_post(draws ? &streams[stream].empty : &streams[stream].full);
	}
	peer->wrong += glGetError() != GL_NO_ERROR;
	make_current(EGL_NO_CONTEXT);
	return NULL;
}

/*
 * Starts pairs of threads that share textures and buffers: one thread of a pair writes them, and
 * the other draws with them. Fences order the writes and the draws.
 */
bool shared_stream(void)
{
	for (int i = 0; i < STREAMS * SLOTS; i++) {
		struct slot *slot = &streams[i / SLOTS].slots[i % SLOTS];

		slot->texture = plain_texture(0, TEXELS, green);
		slot->buffer = new_buffer(8 * sizeof(float));
	}
	for (int i = 0; i < STREAMS; i++) {
		sem_init(&streams[i].full, 0, 0);
		sem_init(&streams[i].empty, 0, SLOTS);
	}
	glFinish();
	return !run_peers(take_part_in_stream, 2 * STREAMS);
}

/* ---- parts of a buffer ---- */

#define PARTS 4
#define PART 4096
#define UPDATES 4000

static GLuint divided;

static void *use_part(void *arg)
{
	struct peer *peer = arg;
	const size_t offset = peer->number * PART;

	make_current(peer->context);
	bind_framebuffer(SIZE);
	glBindBuffer(GL_ARRAY_BUFFER, divided);
	for (int i = 0; i < repeats(UPDATES); i++) {
		clear(0, 0, 0);
		set_color(color_of(i));
		write_rectangle(offset, edge_of(i));
		draw_rectangle(offset);
		if (i % 4 == 0)
			peer->wrong += !shows_rectangle(color_of(i), edge_of(i));
	}
	peer->wrong += glGetError() != GL_NO_ERROR;
	make_current(EGL_NO_CONTEXT);
	return NULL;
}

/* Starts threads. Each thread changes its own part of a buffer, and draws with this part. */
bool shared_parts(void)
{
	divided = new_buffer(PARTS * PART);
	glFinish();
	return !run_peers(use_part, PARTS);
}

/* ---- short-lived textures ---- */

#define TEXTURES 5000

static void *replace_textures(void *arg)
{
	struct peer *peer = arg;

	make_current(peer->context);
	bind_framebuffer(TEXELS);
	for (int i = 0; i < repeats(TEXTURES); i++) {
		GLuint texture = plain_texture(0, TEXELS + i % 97, green);

		paint(texture, color_of(i));
		peer->wrong += !matches(pixel(TEXELS / 2, TEXELS / 2), color_of(i));
		glDeleteTextures(1, &texture);
	}
	peer->wrong += glGetError() != GL_NO_ERROR;
	make_current(EGL_NO_CONTEXT);
	return NULL;
}

/* Starts threads that create textures, draw to them and delete them. */
bool shared_memory(void)
{
	return !run_peers(replace_textures, 4);
}

/* ---- a texture that is drawn to ---- */

static struct {
	pthread_barrier_t barrier;
	GLuint texture;
	struct color seen[3];
} target;

static void *see_target(void *arg)
{
	struct peer *peer = arg;

	make_current(peer->context);
	bind_framebuffer(SIZE);
	glEnable(GL_TEXTURE_2D);
	for (int i = 0; i < 3; i++) {
		pthread_barrier_wait(&target.barrier);
		glBindTexture(GL_TEXTURE_2D, target.texture);
		quad(-1, -1, 1, 1);
		target.seen[i] = pixel(SIZE / 2, SIZE / 2);
		pthread_barrier_wait(&target.barrier);
	}
	make_current(EGL_NO_CONTEXT);
	return NULL;
}

/*
 * Draws to a texture. A peer draws with the texture before and after this thread calls glFinish().
 * After glFinish(), the peer must see the new contents.
 */
bool shared_target(void)
{
	struct peer peer = { .context = new_context(context) };

	pthread_barrier_init(&target.barrier, NULL, 2);
	target.texture = plain_texture(0, TEXELS, blue);
	bind_framebuffer(TEXELS);
	paint(target.texture, red);
	glFinish();
	if (pthread_create(&peer.thread, NULL, see_target, &peer))
		die("no thread");
	pthread_barrier_wait(&target.barrier);
	pthread_barrier_wait(&target.barrier);
	paint(target.texture, green);
	pthread_barrier_wait(&target.barrier);
	pthread_barrier_wait(&target.barrier);
	glFinish();
	pthread_barrier_wait(&target.barrier);
	pthread_barrier_wait(&target.barrier);
	pthread_join(peer.thread, NULL);
	eglDestroyContext(display, peer.context);
	pthread_barrier_destroy(&target.barrier);
	for (int i = 0; i < 3; i++)
		printf("# %d %d %d\n", target.seen[i].r, target.seen[i].g, target.seen[i].b);
	return is_near(target.seen[0], red) && is_near(target.seen[2], green);
}

/* ---- memory of a texture that another context changes ---- */

#define TEXTURE 512
/*
 * Number of other textures. Together, these textures are larger than the buffer that
 * contains the first texture.
 */
#define OTHERS 40

static GLuint changed;

/*
 * Changes a texture that the first context has used for a draw, and creates other
 * textures.
 */
static void *change_texture(void *arg)
{
	const struct peer *peer = arg;

	make_current(peer->context);
	bind_framebuffer(SIZE);
	glEnable(GL_TEXTURE_2D);
	plain_texture(changed, TEXTURE, green);
	quad(-1, -1, 1, 1);
	glFinish();
	for (int i = 0; i < OTHERS; i++) {
		plain_texture(0, TEXTURE, blue);
		quad(-1, -1, 1, 1);
		glFinish();
	}
	make_current(EGL_NO_CONTEXT);
	return NULL;
}

/*
 * Checks that the memory of a texture is not reused while the first context draws with
 * the texture and a second context changes it. The first context does not flush. Its
 * draws may therefore use the old or the new contents of the texture (OpenGL 3.0, D.3),
 * but never the contents of another texture.
 */
bool shared_texture_memory(void)
{
	struct color left, right;

	bind_framebuffer(SIZE);
	clear(1, 1, 1);
	glFinish();
	glEnable(GL_TEXTURE_2D);
	changed = plain_texture(0, TEXTURE, red);
	quad(-1, -1, 0, 1);
	run_peers(change_texture, 1);
	quad(0, -1, 1, 1);
	left = pixel(SIZE / 4, SIZE / 2);
	right = pixel(SIZE * 3 / 4, SIZE / 2);
	printf("# before: %d %d %d, after: %d %d %d\n", left.r, left.g, left.b, right.r,
	       right.g, right.b);
	glDisable(GL_TEXTURE_2D);
	return (is_near(left, red) || is_near(left, green)) &&
	       (is_near(right, red) || is_near(right, green));
}

/* ---- textures that threads read ---- */

#define SHARED 2
#define DRAWS 4000

static GLuint shared_names[SHARED];
static struct color shared_colors[SHARED];

/*
 * Draws with random combinations of wrap modes. Each combination needs a copy of the texture, and
 * the driver caches a limited number of copies.
 */
static void *draw_wrapped(void *arg)
{
	static const GLenum wraps[] = {
		GL_REPEAT, GL_MIRRORED_REPEAT, GL_CLAMP_TO_EDGE,
	};
	struct peer *peer = arg;
	unsigned seed = peer->number + 1;
	GLuint samplers[9];

	make_current(peer->context);
	bind_framebuffer(16);
	glEnable(GL_TEXTURE_2D);
	glGenSamplers(9, samplers);
	for (int i = 0; i < 9; i++) {
		glSamplerParameteri(samplers[i], GL_TEXTURE_WRAP_S, wraps[i % 3]);
		glSamplerParameteri(samplers[i], GL_TEXTURE_WRAP_T, wraps[i / 3]);
		glSamplerParameteri(samplers[i], GL_TEXTURE_MIN_FILTER, GL_NEAREST);
		glSamplerParameteri(samplers[i], GL_TEXTURE_MAG_FILTER, GL_NEAREST);
	}
	for (int i = 0; i < DRAWS; i++) {
		unsigned which = rand_r(&seed) % SHARED;
		struct color seen;

		glBindSampler(0, samplers[rand_r(&seed) % 9]);
		glBindTexture(GL_TEXTURE_2D, shared_names[which]);
		quad(-1, -1, 1, 1);
		if (i % 64)
			continue;
		seen = pixel(8, 8);
		if (!is_near(seen, shared_colors[which]))
			peer->wrong++;
	}
	make_current(EGL_NO_CONTEXT);
	return NULL;
}

/* Starts threads that draw with the same textures. Each thread has its own context. */
bool shared_by_threads(void)
{
	for (int i = 0; i < SHARED; i++) {
		shared_colors[i] = (struct color) { i * 200, 200 - i * 150, i * 37 };
		shared_names[i] = plain_texture(0, 8, shared_colors[i]);
	}
	glFinish();
	return !run_peers(draw_wrapped, 3);
}
