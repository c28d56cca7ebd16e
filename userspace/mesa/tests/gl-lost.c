/* SPDX-License-Identifier: MIT */
/*
 * Implements tests of nv3-gl-checks: batches and buffers that the kernel refuses, channels that
 * stop after a fault, and robust contexts.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <EGL/egl.h>
#include <EGL/eglext.h>

#include "gl-checks.h"

/* ---- lost channels ---- */

/* Creates a context that reports resets, and is robust if @robust is set. */
static EGLContext new_reporting_context(bool robust)
{
	const EGLint attributes[] = {
		EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY_KHR,
		EGL_LOSE_CONTEXT_ON_RESET_KHR, EGL_CONTEXT_FLAGS_KHR,
		robust ? EGL_CONTEXT_OPENGL_ROBUST_ACCESS_BIT_KHR : 0, EGL_NONE
	};
	EGLContext made = eglCreateContext(display, config, EGL_NO_CONTEXT, attributes);

	if (!made)
		die("no context that reports resets");
	return made;
}

/*
 * Draws a triangle with vertices far beyond the vertex buffer. With class 0x1F the channel
 * stops at the first unmapped page. Returns glGetError().
 */
static GLenum draw_beyond_buffer(void)
{
	static const uint32_t indices[] = { 0, 1, 100000000 };
	static const float vertices[2][4] = { { -1, -1, 0, 1 }, { 1, 1, 0, 1 } };
	GLuint buffers[2];

	glGenBuffers(2, buffers);
	glBindBuffer(GL_ARRAY_BUFFER, buffers[0]);
	glBufferData(GL_ARRAY_BUFFER, sizeof(vertices), vertices, GL_STATIC_DRAW);
	glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, buffers[1]);
	glBufferData(GL_ELEMENT_ARRAY_BUFFER, sizeof(indices), indices, GL_STATIC_DRAW);
	glEnableClientState(GL_VERTEX_ARRAY);
	glVertexPointer(4, GL_FLOAT, 0, NULL);
	glDrawElements(GL_TRIANGLES, 3, GL_UNSIGNED_INT, NULL);
	glFinish();
	glDisableClientState(GL_VERTEX_ARRAY);
	glBindBuffer(GL_ARRAY_BUFFER, 0);
	glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, 0);
	glDeleteBuffers(2, buffers);
	return glGetError();
}

static bool draws_green(void)
{
	struct color seen;

	bind_framebuffer(SIZE);
	clear(0, 0, 1);
	glColor3f(20 / 255.0f, 210 / 255.0f, 20 / 255.0f);
	quad(-1, -1, 1, 1);
	glColor3f(1, 1, 1);
	seen = pixel(SIZE / 2, SIZE / 2);
	if (!is_near(seen, green))
		printf("# %d %d %d instead of green\n", seen.r, seen.g, seen.b);
	return is_near(seen, green);
}

/*
 * Checks that only the context whose channel has stopped reports a reset, and that a new
 * context works. Also checks that a context without reset notification draws again after
 * a fault.
 */
bool lost_channel(void)
{
	EGLContext other = context, lost, fresh;
	bool ok = draws_green();
	GLenum status, again;

	if (!has_programs()) {
		printf("# class 0x17 reports no resets\n");
		return ok;
	}
	lost = new_reporting_context(false);
	make_current(lost);
	ok = draws_green() && ok;
	ok = glGetGraphicsResetStatusARB() == GL_NO_ERROR && ok;
	draw_beyond_buffer();
	status = again = glGetGraphicsResetStatusARB();
	/* Poll the status until the reset is complete, as a program does. */
	for (int i = 0; again != GL_NO_ERROR && i < 10; i++)
		again = glGetGraphicsResetStatusARB();
	printf("# status 0x%x, then 0x%x\n", status, again);
	ok = status == GL_GUILTY_CONTEXT_RESET_ARB && again == GL_NO_ERROR && ok;
	make_current(other);
	ok = draws_green() && ok;
	fresh = new_reporting_context(false);
	make_current(fresh);
	ok = draws_green() && glGetGraphicsResetStatusARB() == GL_NO_ERROR && ok;
	make_current(other);
	/* A context that reports no resets may lose one frame after a fault. */
	draw_beyond_buffer();
	draws_green();
	ok = draws_green() && ok;
	eglDestroyContext(display, lost);
	eglDestroyContext(display, fresh);
	return ok;
}

/* Checks that draw_beyond_buffer() does not stop the channel of a robust context. */
bool robust_access(void)
{
	EGLContext other = context, robust;
	bool ok;

	if (!has_programs()) {
		printf("# class 0x17 does not offer robust access\n");
		return true;
	}
	robust = new_reporting_context(true);
	make_current(robust);
	ok = draws_green();
	ok = draw_beyond_buffer() == GL_NO_ERROR && ok;
	ok = glGetGraphicsResetStatusARB() == GL_NO_ERROR && ok;
	ok = draws_green() && ok;
	make_current(other);
	eglDestroyContext(display, robust);
	return ok;
}

/* ---- no memory ---- */

/*
 * Returns true if the last call has reported GL_OUT_OF_MEMORY. Also returns true with class 0x17,
 * because for this class the driver keeps the data in the process's memory.
 */
static bool no_memory_for(const char *what)
{
	const GLenum error = glGetError();

	if (!has_programs())
		return true;
	if (error != GL_OUT_OF_MEMORY)
		printf("# %s: error 0x%x\n", what, error);
	return error == GL_OUT_OF_MEMORY;
}

/*
 * Makes the creation of buffers fail in the middle of a frame. Functions that store data
 * must then report an error, and draws may be incomplete. The next frame must be correct.
 */
bool out_of_memory(void)
{
	void (*refuse)(int) = (void *)dlsym(RTLD_DEFAULT, "nv3_refuse_buffers");
	static float corners[64 << 10][4];
	GLuint texture, buffer, renderbuffer;
	GLint width;
	bool ok;

	if (!refuse) {
		printf("# without nv3-lost-batch.so\n");
		return false;
	}
	ok = draws_green();
	quad(-1, -1, 1, 0);
	glGenTextures(1, &texture);
	glBindTexture(GL_TEXTURE_2D, texture);
	glGenBuffers(1, &buffer);
	glBindBuffer(GL_ARRAY_BUFFER, buffer);
	glGenRenderbuffers(1, &renderbuffer);
	glBindRenderbuffer(GL_RENDERBUFFER, renderbuffer);
	refuse(1);
	glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 1000, 1000, 0, GL_RGBA, GL_UNSIGNED_BYTE,
		     NULL);
	ok = no_memory_for("texture") && ok;
	glBufferData(GL_ARRAY_BUFFER, 3 << 20, NULL, GL_STATIC_DRAW);
	ok = no_memory_for("buffer") && ok;
	glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, 1000, 1000);
	/* Mesa reports no error, but the renderbuffer is empty. */
	glGetRenderbufferParameteriv(GL_RENDERBUFFER, GL_RENDERBUFFER_WIDTH, &width);
	ok = (width == 0 || !has_programs()) && ok;
	glBindBuffer(GL_ARRAY_BUFFER, 0);
	glEnableClientState(GL_VERTEX_ARRAY);
	glVertexPointer(4, GL_FLOAT, 0, corners);
	glDrawArrays(GL_TRIANGLES, 0, sizeof(corners) / sizeof(corners[0]) / 3 * 3);
	glDisableClientState(GL_VERTEX_ARRAY);
	glFinish();
	refuse(0);
	while (glGetError())
		;
	glDeleteTextures(1, &texture);
	glDeleteBuffers(1, &buffer);
	glDeleteRenderbuffers(1, &renderbuffer);
	return draws_green() && ok;
}

/* ---- lost batches ---- */

#define GRID 60

/* Draws many triangles. With class 0x17, the draw does not fit into a single batch. */
static void brighter(float x0, float x1)
{
	static float corners[GRID * GRID * 4][2];
	int count = 0;

	for (int i = 0; i < GRID * GRID; i++) {
		float w = (x1 - x0) / GRID, h = 2.0f / GRID;
		float x = x0 + i % GRID * w, y = -1 + i / GRID * h;
		const float at[4][2] = { { x, y }, { x + w, y }, { x + w, y + h },
					 { x, y + h } };

		memcpy(corners[count], at, sizeof(at));
		count += 4;
	}
	glEnableClientState(GL_VERTEX_ARRAY);
	glVertexPointer(2, GL_FLOAT, 0, corners);
	glDrawArrays(GL_QUADS, 0, count);
	glDisableClientState(GL_VERTEX_ARRAY);
}

/* Checks that pictures of later draws contain nothing from a lost batch. */
bool lost_batch(void)
{
	void (*lose)(int) = (void *)dlsym(RTLD_DEFAULT, "nv3_lose_batch");
	int (*pending)(void) = (void *)dlsym(RTLD_DEFAULT, "nv3_lose_batch_pending");
	GLuint framebuffer;
	struct color seen;

	if (!lose || !pending) {
		printf("# without nv3-lost-batch.so\n");
		return false;
	}
	bind_framebuffer(LARGE);
	framebuffer = bind_framebuffer(LARGE);
	clear(0.4f, 0.4f, 0.4f);
	glEnable(GL_BLEND);
	glBlendFunc(GL_ONE, GL_ONE);
	glFinish();
	glColor3f(0.9f, 0.9f, 0.9f);
	lose(0);
	brighter(-1, 1);
	glFinish();
	if (pending()) {
		printf("# no batch was lost\n");
		return false;
	}
	/*
	 * Change the framebuffer, because after a lost batch, the backend for class 0x17 draws with
	 * llvmpipe until the framebuffer changes.
	 */
	bind_framebuffer(SIZE);
	clear(0, 0, 0);
	glFinish();
	glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
	glViewport(0, 0, LARGE, LARGE);
	glDisable(GL_BLEND);
	clear(0.4f, 0.4f, 0.4f);
	glEnable(GL_BLEND);
	glColor3f(0.5f, 0.5f, 0.5f);
	glBegin(GL_TRIANGLES);
	glVertex2f(-1, -1);
	glVertex2f(1, 1);
	glVertex2f(-1, 1);
	glEnd();
	glDisable(GL_BLEND);
	glColor3f(1, 1, 1);
	/*
	 * The lost grid covers this pixel. The later triangle does not cover the pixel, but the
	 * triangle's bounding box does.
	 */
	seen = pixel(LARGE * 3 / 4, LARGE / 8);
	printf("# %d %d %d\n", seen.r, seen.g, seen.b);
	return is_near(seen, (struct color) { 102, 102, 102 });
}
