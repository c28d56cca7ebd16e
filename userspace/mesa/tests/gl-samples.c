/* SPDX-License-Identifier: MIT */
/*
 * Draws scenes to a framebuffer with four samples per pixel. A blit resolves this framebuffer to
 * the window.
 */
#include <math.h>

#include "gl-scenes.h"
#include "gl-shapes.h"

#define SAMPLES 4
#define WIDTH 192
#define HEIGHT 144

struct target {
	GLuint framebuffer, buffers[2];
	GLint window;
};

/*
 * Binds a framebuffer whose colour and depth buffers have four samples per pixel. Returns
 * false if the driver does not support such a framebuffer.
 */
static bool begin(struct target *t)
{
	GLint max = 0;

	clear(0, 0, 0);
	glGetIntegerv(GL_MAX_SAMPLES, &max);
	if (max < SAMPLES)
		return false;
	glGetIntegerv(GL_FRAMEBUFFER_BINDING, &t->window);
	glGenFramebuffers(1, &t->framebuffer);
	glBindFramebuffer(GL_FRAMEBUFFER, t->framebuffer);
	glGenRenderbuffers(2, t->buffers);
	for (int i = 0; i < 2; i++) {
		glBindRenderbuffer(GL_RENDERBUFFER, t->buffers[i]);
		glRenderbufferStorageMultisample(GL_RENDERBUFFER, SAMPLES,
						 i ? GL_DEPTH24_STENCIL8 : GL_RGBA8,
						 WIDTH, HEIGHT);
		glFramebufferRenderbuffer(GL_FRAMEBUFFER,
					  i ? GL_DEPTH_STENCIL_ATTACHMENT :
					      GL_COLOR_ATTACHMENT0,
					  GL_RENDERBUFFER, t->buffers[i]);
	}
	clear(0.05f, 0.1f, 0.2f);
	return true;
}

static void end(struct target *t)
{
	glBindFramebuffer(GL_READ_FRAMEBUFFER, t->framebuffer);
	glBindFramebuffer(GL_DRAW_FRAMEBUFFER, t->window);
	glBlitFramebuffer(0, 0, WIDTH, HEIGHT, 0, 0, WIDTH, HEIGHT, GL_COLOR_BUFFER_BIT,
			  GL_NEAREST);
	glBindFramebuffer(GL_FRAMEBUFFER, t->window);
	glDeleteFramebuffers(1, &t->framebuffer);
	glDeleteRenderbuffers(2, t->buffers);
}

/* Draws triangles around a point. The triangles' edges have many different slopes. */
static void star(float x, float y, float radius, int rays)
{
	glBegin(GL_TRIANGLES);
	for (int i = 0; i < rays; i++) {
		const float a = i * 6.2832f / rays + 0.05f, b = a + 3.1416f / rays;

		glColor3f(1, 0.3f + 0.7f * i / rays, i & 1);
		glVertex2f(x, y);
		glVertex2f(x + radius * cosf(a), y + radius * 1.3f * sinf(a));
		glVertex2f(x + radius * cosf(b), y + radius * 1.3f * sinf(b));
	}
	glEnd();
}

void draw_samples_triangles(void)
{
	struct target t;

	if (!begin(&t))
		return;
	star(-0.5f, 0.3f, 0.45f, 12);
	star(0.5f, 0.3f, 0.45f, 40);
	glEnable(GL_BLEND);
	glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
	glColor4f(0.9f, 0.2f, 0.3f, 0.6f);
	glBegin(GL_TRIANGLES);
	glVertex2f(-0.95f, -0.9f);
	glVertex2f(0.95f, -0.8f);
	glVertex2f(-0.1f, 0.1f);
	glEnd();
	end(&t);
}

void draw_samples_lines(void)
{
	struct target t;

	if (!begin(&t))
		return;
	for (int i = 0; i < 11; i++) {
		const float a = i * 0.57f + 0.1f;

		glLineWidth(1 + i % 4);
		glColor3f(1, 1 - i / 11.0f, i / 11.0f);
		glBegin(GL_LINES);
		glVertex2f(0.05f * cosf(a), 0.05f * sinf(a));
		glVertex2f(0.9f * cosf(a), 0.9f * sinf(a));
		glEnd();
	}
	end(&t);
}

/*
 * Draws intersecting polygons. Each sample must show the polygon that is nearest to the viewer at
 * the sample.
 */
void draw_samples_depth(void)
{
	struct target t;

	if (!begin(&t))
		return;
	glEnable(GL_DEPTH_TEST);
	for (int i = 0; i < 5; i++) {
		const float a = i * 1.3f, c = cosf(a), s = sinf(a);

		glColor3f(i & 1, i / 4.0f, 1 - i / 4.0f);
		glBegin(GL_QUADS);
		glVertex3f(-0.9f * c - 0.4f * s, -0.9f * s + 0.4f * c, -0.9f);
		glVertex3f(-0.9f * c + 0.4f * s, -0.9f * s - 0.4f * c, -0.7f);
		glVertex3f(0.9f * c + 0.4f * s, 0.9f * s - 0.4f * c, 0.9f);
		glVertex3f(0.9f * c - 0.4f * s, 0.9f * s + 0.4f * c, 0.7f);
		glEnd();
	}
	end(&t);
}

/* Draws with sample masks, with alpha to coverage, and without multisampling. */
void draw_samples_coverage(void)
{
	struct target t;

	if (!begin(&t))
		return;
	glColor3f(1, 0.8f, 0.4f);
	glEnable(GL_SAMPLE_COVERAGE);
	glSampleCoverage(0.5f, GL_FALSE);
	rect(-0.9f, 0.1f, -0.5f, 0.9f, 0);
	glSampleCoverage(0.25f, GL_TRUE);
	rect(-0.4f, 0.1f, 0, 0.9f, 0);
	glDisable(GL_SAMPLE_COVERAGE);
	glEnable(GL_SAMPLE_ALPHA_TO_COVERAGE);
	glColor4f(0.2f, 0.9f, 0.4f, 0.5f);
	rect(0.1f, 0.1f, 0.5f, 0.9f, 0);
	glColor4f(0.2f, 0.9f, 0.4f, 1);
	rect(0.6f, 0.1f, 0.9f, 0.9f, 0);
	glDisable(GL_SAMPLE_ALPHA_TO_COVERAGE);
	star(-0.5f, -0.5f, 0.3f, 9);
	glDisable(GL_MULTISAMPLE);
	star(0.5f, -0.5f, 0.3f, 9);
	end(&t);
	glEnable(GL_MULTISAMPLE);
}
