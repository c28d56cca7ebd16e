/* SPDX-License-Identifier: MIT */
/*
 * Draws scenes that delete or change objects that earlier draws still use. The pictures are simple,
 * because the scenes only test that nothing crashes.
 */
#include <stddef.h>
#include <string.h>

#include "gl-scenes.h"
#include "gl-shapes.h"

#define SIZE 64

/* A framebuffer with a colour buffer and optionally a depth buffer. */
struct canvas {
	GLuint framebuffer, color, depth;
};

static GLint bind_canvas(struct canvas *canvas, GLenum format, GLenum depth)
{
	GLint before;

	glGetIntegerv(GL_FRAMEBUFFER_BINDING, &before);
	glGenFramebuffers(1, &canvas->framebuffer);
	glBindFramebuffer(GL_FRAMEBUFFER, canvas->framebuffer);
	glGenRenderbuffers(1, &canvas->color);
	glBindRenderbuffer(GL_RENDERBUFFER, canvas->color);
	glRenderbufferStorage(GL_RENDERBUFFER, format, SIZE, SIZE);
	glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0,
				  GL_RENDERBUFFER, canvas->color);
	glGenRenderbuffers(1, &canvas->depth);
	if (depth) {
		glBindRenderbuffer(GL_RENDERBUFFER, canvas->depth);
		glRenderbufferStorage(GL_RENDERBUFFER, depth, SIZE, SIZE);
		glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT,
					  GL_RENDERBUFFER, canvas->depth);
	}
	return before;
}

static void delete_canvas(struct canvas *canvas)
{
	glDeleteFramebuffers(1, &canvas->framebuffer);
	glDeleteRenderbuffers(1, &canvas->color);
	glDeleteRenderbuffers(1, &canvas->depth);
}

/* Deletes a renderbuffer before the batch that draws to it is submitted. */
void draw_deleted_renderbuffer(void)
{
	struct canvas canvas;
	GLint window = bind_canvas(&canvas, GL_RGB8, 0);

	clear(1, 0, 0);
	glBindFramebuffer(GL_FRAMEBUFFER, window);
	clear(0.2f, 0.2f, 0.6f);
	delete_canvas(&canvas);
	glFlush();
	glColor3f(0.9f, 0.7f, 0.1f);
	rect(-0.7f, -0.7f, 0.7f, 0.7f, 0);
}

/* Draws to six pairs of colour and depth renderbuffers in one batch. */
void draw_many_renderbuffers(void)
{
	struct canvas canvas[6];
	GLint window = 0;
	int i;

	glEnable(GL_DEPTH_TEST);
	for (i = 0; i < 6; i++) {
		GLint before = bind_canvas(&canvas[i], GL_RGB8,
					   GL_DEPTH_COMPONENT16);

		window = i ? window : before;
		glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
		glColor3f(1, 0, i / 6.0f);
		rect(-0.5f, -0.5f, 0.5f, 0.5f, 0);
	}
	glFlush();
	glBindFramebuffer(GL_FRAMEBUFFER, window);
	clear(0.1f, 0.5f, 0.2f);
	glColor3f(0.8f, 0.3f, 0.9f);
	rect(-0.6f, -0.8f, 0.6f, 0.8f, 0);
	for (i = 0; i < 6; i++)
		delete_canvas(&canvas[i]);
}

/*
 * Copies between the window and a renderbuffer, with draws between the copies,
 * and deletes the renderbuffer.
 */
void draw_blits(void)
{
	struct canvas canvas;
	GLint window = bind_canvas(&canvas, GL_RGB8, 0);

	clear(0.8f, 0.2f, 0.1f);
	glColor3f(0.9f, 0.8f, 0.1f);
	rect(-0.8f, -0.8f, -0.6f, -0.4f, 0);
	glBindFramebuffer(GL_DRAW_FRAMEBUFFER, window);
	clear(0.1f, 0.3f, 0.5f);
	glBlitFramebuffer(0, 0, SIZE, SIZE, 10, 20, 10 + SIZE, 20 + SIZE,
			  GL_COLOR_BUFFER_BIT, GL_NEAREST);
	glColor3f(0.2f, 0.9f, 0.4f);
	rect(-0.7f, -0.6f, -0.2f, -0.2f, 0);
	glBindFramebuffer(GL_READ_FRAMEBUFFER, window);
	glBindFramebuffer(GL_DRAW_FRAMEBUFFER, canvas.framebuffer);
	glBlitFramebuffer(40, 30, 60, 70, 5, 7, 25, 47, GL_COLOR_BUFFER_BIT,
			  GL_NEAREST);
	glBindFramebuffer(GL_READ_FRAMEBUFFER, canvas.framebuffer);
	glBindFramebuffer(GL_DRAW_FRAMEBUFFER, window);
	glBlitFramebuffer(0, 0, SIZE, SIZE, 110, 60, 110 + SIZE, 60 + SIZE,
			  GL_COLOR_BUFFER_BIT, GL_LINEAR);
	glBindFramebuffer(GL_FRAMEBUFFER, window);
	delete_canvas(&canvas);
	glColor3f(1, 1, 1);
	rect(0.3f, 0.1f, 0.5f, 0.3f, 0);
}

/* Deletes a sync object right after a server-side wait for it (glWaitSync()). */
void draw_deleted_fence(void)
{
	clear(0.1f, 0.1f, 0.1f);
	for (int i = 0; i < 3; i++) {
		GLsync sync;

		glColor3f(i == 0, i == 1, i == 2);
		rect(-0.8f + 0.5f * i, -0.8f, -0.4f + 0.5f * i, 0.8f, 0);
		sync = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
		glFlush();
		glWaitSync(sync, 0, GL_TIMEOUT_IGNORED);
		glDeleteSync(sync);
	}
}

static const char vertex[] =
	"attribute vec4 at; varying vec2 place;\n"
	"void main() { gl_Position = at; place = at.xy; }\n";

/* A shader that class 0x17 can't execute. */
static const char rings[] =
	"varying vec2 place;\n"
	"void main() { float d = length(place);\n"
	"  gl_FragColor = vec4(1.0 - d * 0.6, d * d * 0.4, 0.3, 1.0); }\n";

static void corners(GLuint program, const float *at)
{
	GLint location = glGetAttribLocation(program, "at");

	glEnableVertexAttribArray(location);
	glVertexAttribPointer(location, 2, GL_FLOAT, 0, 0, at);
	glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
	glDisableVertexAttribArray(location);
}

static const float whole[] = { -0.9f, -0.9f, 0.9f, -0.9f, -0.9f, 0.9f, 0.9f, 0.9f };
static const float left[] = { -0.9f, -0.9f, -0.1f, -0.9f, -0.9f, 0.9f, -0.1f, 0.9f };
static const float right[] = { 0.1f, -0.9f, 0.9f, -0.9f, 0.1f, 0.9f, 0.9f, 0.9f };

/*
 * Deletes a texture and the depth buffer of its framebuffer while llvmpipe may still draw
 * to both.
 */
void draw_deleted_depth(void)
{
	GLuint program, image;
	struct canvas canvas;
	GLint viewport[4];
	GLint window = bind_canvas(&canvas, GL_RGB8, GL_DEPTH_COMPONENT16);

	glGenTextures(1, &image);
	glBindTexture(GL_TEXTURE_2D, image);
	glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, SIZE, SIZE, 0, GL_RGBA,
		     GL_UNSIGNED_BYTE, NULL);
	filter(GL_NEAREST, GL_NEAREST);
	glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0,
			       GL_TEXTURE_2D, image, 0);
	glGetIntegerv(GL_VIEWPORT, viewport);
	glViewport(0, 0, SIZE, SIZE);
	glEnable(GL_DEPTH_TEST);
	glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
	program = gl_program(vertex, rings);
	corners(program, whole);
	glUseProgram(0);
	glDisable(GL_DEPTH_TEST);
	glBindFramebuffer(GL_FRAMEBUFFER, window);
	delete_canvas(&canvas);

	glViewport(0, 0, viewport[2], viewport[3]);
	clear(0, 0, 0);
	glEnable(GL_TEXTURE_2D);
	glColor3f(1, 1, 1);
	rect(-0.9f, -0.9f, 0.9f, 0.9f, 0);
	glDeleteTextures(1, &image);
}

/* Deletes the program of llvmpipe's last draw before a scaling blit. */
void draw_deleted_program(void)
{
	GLuint program;

	clear(0.2f, 0, 0.2f);
	program = gl_program(vertex, rings);
	corners(program, left);
	glUseProgram(0);
	glDeleteProgram(program);
	glColor3f(0.2f, 0.8f, 0.4f);
	rect(0.1f, -0.9f, 0.9f, 0.9f, 0);
	glBlitFramebuffer(100, 20, 180, 60, 20, 20, 60, 40, GL_COLOR_BUFFER_BIT,
			  GL_NEAREST);
	program = gl_program(vertex, rings);
	corners(program, right);
	glUseProgram(0);
	glDeleteProgram(program);
}

/* Changes a uniform buffer between two draws, and deletes the buffer after both draws. */
void draw_uniform_block(void)
{
	const float red[] = { 0.9f, 0.2f, 0.1f, 1 }, green[] = { 0.1f, 0.8f, 0.2f, 1 };
	GLuint program, block;

	clear(0, 0, 0.3f);
	/*
	 * If the driver lacks uniform buffers, draw the same picture with plain uniforms, so that
	 * the pictures of all drivers can be compared.
	 */
	if (!strstr((const char *)glGetString(GL_EXTENSIONS), "GL_ARB_uniform_buffer_object")) {
		program = gl_program(vertex, "uniform vec4 shade;\n"
			"void main() { gl_FragColor = shade; }\n");
		glUseProgram(program);
		glUniform4fv(glGetUniformLocation(program, "shade"), 1, red);
		corners(program, left);
		glUseProgram(program);
		glUniform4fv(glGetUniformLocation(program, "shade"), 1, green);
		corners(program, right);
		glUseProgram(0);
		return;
	}
	program = gl_program(vertex,
		"#extension GL_ARB_uniform_buffer_object : require\n"
		"layout(std140) uniform shades { vec4 shade; };\n"
		"void main() { gl_FragColor = shade; }\n");
	glGenBuffers(1, &block);
	glBindBufferBase(GL_UNIFORM_BUFFER, 0, block);
	glBufferData(GL_UNIFORM_BUFFER, sizeof(red), red, GL_DYNAMIC_DRAW);
	corners(program, left);
	glBufferSubData(GL_UNIFORM_BUFFER, 0, sizeof(green), green);
	corners(program, right);
	glDeleteBuffers(1, &block);
	glUseProgram(0);
}
