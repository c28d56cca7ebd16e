/* SPDX-License-Identifier: MIT */
/* Scenes for what class 0x1f does in a way of its own. */
#include <stddef.h>

#include "gl-scenes.h"
#include "gl-shapes.h"

#define SIZE 64

/* A texture whose bytes are in the order red, green, blue and alpha. */
static GLuint rgba_target(GLuint *framebuffer)
{
	GLuint name;

	glGenTextures(1, &name);
	glBindTexture(GL_TEXTURE_2D, name);
	filter(GL_NEAREST, GL_NEAREST);
	glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, SIZE, SIZE, 0, GL_RGBA,
		     GL_UNSIGNED_BYTE, NULL);
	glGenFramebuffers(1, framebuffer);
	glBindFramebuffer(GL_FRAMEBUFFER, *framebuffer);
	glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0,
			       GL_TEXTURE_2D, name, 0);
	return name;
}

/* Draws to a texture by all state that names components of colours. */
void draw_rgba_target(void)
{
	GLuint framebuffer, name;
	GLint window;

	glGetIntegerv(GL_FRAMEBUFFER_BINDING, &window);
	clear(0, 0, 0);
	name = rgba_target(&framebuffer);
	glViewport(0, 0, SIZE, SIZE);
	glClearColor(0.9f, 0.5f, 0.1f, 1);
	glClear(GL_COLOR_BUFFER_BIT);
	glColor3f(0.1f, 0.3f, 0.9f);
	rect(-0.9f, -0.9f, -0.1f, -0.1f, 0);
	glColorMask(GL_TRUE, GL_FALSE, GL_FALSE, GL_TRUE);
	rect(0.1f, -0.9f, 0.9f, -0.1f, 0);
	glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
	glEnable(GL_BLEND);
	glBlendColor(0.9f, 0.2f, 0.4f, 1);
	glBlendFunc(GL_CONSTANT_COLOR, GL_ONE_MINUS_CONSTANT_COLOR);
	rect(-0.9f, 0.1f, -0.1f, 0.9f, 0);
	glBlendFunc(GL_DST_COLOR, GL_ONE_MINUS_SRC_COLOR);
	rect(0.1f, 0.1f, 0.9f, 0.9f, 0);
	glDisable(GL_BLEND);

	glBindFramebuffer(GL_FRAMEBUFFER, window);
	glViewport(0, 0, 192, 144);
	glBindTexture(GL_TEXTURE_2D, name);
	glEnable(GL_TEXTURE_2D);
	glColor3f(1, 1, 1);
	rect(-0.9f, -0.9f, 0.9f, 0.9f, 0);
	glDeleteFramebuffers(1, &framebuffer);
	glDeleteTextures(1, &name);
}
