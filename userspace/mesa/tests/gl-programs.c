/* SPDX-License-Identifier: MIT */
/* Draws scenes with features that only the backend for class 0x1f implements. */
#include <stddef.h>

#include "gl-scenes.h"
#include "gl-shapes.h"

#define SIZE 64

/*
 * Creates a texture whose bytes are in the order red, green, blue and alpha. Binds a new
 * framebuffer (@framebuffer) that draws to the texture. Returns the texture.
 */
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

/* Draws to an RGBA texture, and uses all state that depends on the order of colour components. */
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

/* Draws a grid. The vertex shader displaces each vertex by the value of a texel. */
void draw_vertex_texture(void)
{
	static const char moving[] =
		"uniform sampler2D from; varying vec4 color;\n"
		"void main() { color = texture2DLod(from, gl_MultiTexCoord0.xy, 0.0);\n"
		"  gl_Position = gl_Vertex + vec4(0.2 * color.xy - 0.1, 0.0, 0.0); }\n";
	static const char plain[] =
		"varying vec4 color; void main() { gl_FragColor = color; }\n";
	const int cells = 16;
	const float size = 1.6f / cells;

	clear(0, 0, 0);
	texture(GL_RGBA8, 64, 64, false);
	gl_program(moving, plain);
	for (int i = 0; i < cells * cells; i++) {
		const int x = i % cells, y = i / cells;

		glBegin(GL_TRIANGLE_STRIP);
		for (int corner = 0; corner < 4; corner++) {
			const int cx = x + corner % 2, cy = y + corner / 2;

			glTexCoord2f((cx + 0.5f) / (cells + 1),
				     (cy + 0.5f) / (cells + 1));
			glVertex2f(cx * size - 0.8f, cy * size - 0.8f);
		}
		glEnd();
	}
	glUseProgram(0);
}

/* Draws a star of lines. */
static void star(void)
{
	glBegin(GL_LINES);
	for (int i = 0; i < 16; i++) {
		glColor4f(1, i / 16.0f, 1 - i / 16.0f, 1);
		glVertex2f(0.1f * (i % 4) - 0.15f, 0.1f * (i / 4) - 0.15f);
		glVertex2f(0.6f * (i % 4) - 0.9f, 0.6f * (i / 4) - 0.9f);
	}
	glEnd();
}

void draw_stippled_lines(void)
{
	clear(0, 0, 0);
	glEnable(GL_LINE_STIPPLE);
	glLineStipple(2, 0x3f07);
	star();
	glLineWidth(4);
	glLineStipple(3, 0x5555);
	glColor3f(0, 1, 0);
	glBegin(GL_LINE_LOOP);
	glVertex2f(-0.9f, -0.8f);
	glVertex2f(0.9f, -0.7f);
	glVertex2f(0.7f, 0.9f);
	glEnd();
	/* Draw the outline of a quad. */
	glPolygonMode(GL_FRONT_AND_BACK, GL_LINE);
	glColor3f(0, 0.5f, 1);
	rect(-0.7f, -0.5f, 0.5f, 0.6f, 0);
	glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
	glDisable(GL_LINE_STIPPLE);
}

static void blend_alpha(void)
{
	glEnable(GL_BLEND);
	glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
}

void draw_smooth_lines(void)
{
	clear(0, 0, 0.3f);
	blend_alpha();
	glEnable(GL_LINE_SMOOTH);
	glLineWidth(1);
	star();
	glLineWidth(5);
	glColor3f(0.5f, 1, 0.5f);
	glBegin(GL_LINE_STRIP);
	glVertex2f(-0.9f, -0.4f);
	glVertex2f(0.9f, -0.3f);
	glVertex2f(0.1f, 0.9f);
	glEnd();
}

void draw_smooth_points(void)
{
	clear(0.2f, 0, 0);
	blend_alpha();
	glEnable(GL_POINT_SMOOTH);
	for (int i = 0; i < 25; i++) {
		glPointSize(1 + i);
		glBegin(GL_POINTS);
		glColor4f(0.5f, 1, i / 25.0f, 1);
		glVertex2f(0.4f * (i % 5) - 0.8f, 0.4f * (i / 5) - 0.79f);
		glEnd();
	}
}

void draw_stippled_polygons(void)
{
	GLubyte pattern[128];

	clear(0, 0, 0);
	for (int i = 0; i < 128; i++)
		pattern[i] = i / 16 % 2 ? 0xf0 : i * 7;
	glEnable(GL_POLYGON_STIPPLE);
	glPolygonStipple(pattern);
	texture(GL_RGB8, 64, 64, false);
	rect(-0.9f, -0.9f, 0.2f, 0.9f, 0);
	glDisable(GL_TEXTURE_2D);
	for (int i = 0; i < 128; i++)
		pattern[i] = i % 4 < 2 ? 0xff : 0x11;
	glPolygonStipple(pattern);
	glColor3f(1, 0.8f, 0.1f);
	rect(0.1f, -0.6f, 0.9f, 0.6f, 0);
	/* Polygon stipple does not apply to lines. */
	glColor3f(0, 1, 0);
	glBegin(GL_LINES);
	glVertex2f(-0.9f, -0.8f);
	glVertex2f(0.9f, 0.8f);
	glEnd();
}
