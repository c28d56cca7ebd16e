/* SPDX-License-Identifier: MIT */
/* Scenes with blending. */
#include <string.h>

#include "gl-scenes.h"
#include "gl-shapes.h"

static void blended(GLenum src, GLenum dst)
{
	clear(0.2f, 0.3f, 0.6f);
	glEnable(GL_BLEND);
	glBlendFunc(src, dst);
	for (int i = 0; i < 4; i++) {
		glColor4f(i & 1 ? 0.75f : 0.25f, 0.5f, i & 2 ? 0.75f : 0,
			  0.2f + 0.25f * i);
		rect(-0.9f + 0.3f * i, -0.9f + 0.2f * i, 0.3f * i, 0.4f + 0.1f * i,
		     0);
	}
}

void draw_blend_alpha(void)
{
	blended(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
}

void draw_blend_add(void)
{
	blended(GL_ONE, GL_ONE);
}

void draw_blend_alpha_add(void)
{
	blended(GL_SRC_ALPHA, GL_ONE);
}

void draw_blend_modulate(void)
{
	blended(GL_DST_COLOR, GL_ZERO);
}

void draw_blend_texture(void)
{
	clear(0.2f, 0.3f, 0.6f);
	texture(GL_RGBA, 64, 64, false);
	filter(GL_LINEAR, GL_LINEAR);
	glEnable(GL_BLEND);
	glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
	glColor4f(1, 1, 1, 0.6f);
	rect(-0.9f, -0.9f, 0.9f, 0.9f, 0);
}

/*
 * Draws layers of smoke. Each layer changes the picture by less than the chip's
 * truncation error.
 */
void draw_blend_smoke(void)
{
	clear(0.06f, 0.05f, 0.08f);
	texture(GL_RGBA, 64, 64, false);
	filter(GL_LINEAR, GL_LINEAR);
	glEnable(GL_BLEND);
	glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
	for (int i = 0; i < 6; i++) {
		glColor4f(0.7f, 0.65f, 0.6f, 0.1f + 0.02f * i);
		rect(-0.9f + 0.05f * i, -0.9f, 0.6f + 0.05f * i, 0.9f, 0);
	}
}

/* With class 0x17, llvmpipe executes this blend on the CPU. */
void draw_blend_brighten(void)
{
	blended(GL_DST_COLOR, GL_ONE);
}

/* Draws overlapping textured quads in one draw. A rectangle hides parts of the quads. */
void draw_blend_overlap(void)
{
	clear(0.3f, 0.3f, 0.35f);
	glEnable(GL_DEPTH_TEST);
	glColor3f(0.6f, 0.5f, 0.2f);
	rect(-0.5f, -0.2f, 0.4f, 0.9f, -0.5f);
	texture(GL_RGB, 64, 64, false);
	glEnable(GL_BLEND);
	glBlendFunc(GL_DST_COLOR, GL_ONE);
	glDepthMask(GL_FALSE);
	glBegin(GL_QUADS);
	for (int i = 0; i < 12; i++) {
		float x = i % 4 == 1 || i % 4 == 2, y = i % 4 >= 2;

		glColor3f(1, 1 - 0.3f * (i / 4), 0.7f);
		glTexCoord2f(x, y);
		glVertex3f(x - 0.9f + 0.3f * (i / 4), y - 0.9f + 0.2f * (i / 4), 0);
	}
	glEnd();
}

/* Draws two overlapping squares in one draw. */
static void small_squares(float x, float y, float size)
{
	const float v[8][2] = {
		{ x, y }, { x + size, y }, { x + size, y + size }, { x, y + size },
		{ x + size / 2, y + size / 3 }, { x + size * 1.5f, y + size / 3 },
		{ x + size * 1.5f, y + size * 1.2f }, { x + size / 2, y + size * 1.2f },
	};

	glEnableClientState(GL_VERTEX_ARRAY);
	glVertexPointer(2, GL_FLOAT, 0, v);
	glDrawArrays(GL_QUADS, 0, 8);
	glDisableClientState(GL_VERTEX_ARRAY);
}

/*
 * Draws many small squares with a blend that class 0x17 lacks, and then draws opaque
 * rectangles over some of the squares.
 */
void draw_blend_small(void)
{
	clear(0.3f, 0.4f, 0.35f);
	glColor3f(0.6f, 0.4f, 0.2f);
	rect(-0.8f, -0.6f, 0.5f, 0.7f, 0);
	glBlendFunc(GL_DST_COLOR, GL_ONE);
	for (int i = 0; i < 100; i++) {
		float x = -0.95f + 0.19f * (i % 10), y = -0.95f + 0.19f * (i / 10);

		glEnable(GL_BLEND);
		glColor3f(0.9f, 0.5f, 0.05f * (i % 20));
		small_squares(x, y, 0.12f);
		if (i % 7)
			continue;
		/*
		 * Only the first rectangle overlaps the squares that were drawn
		 * last.
		 */
		glDisable(GL_BLEND);
		glColor3f(0.2f, 0.3f, 0.7f);
		rect(x + 0.03f, y - 0.02f, x + 0.06f, y + 0.15f, 0);
		rect(0.96f, y, 1, y + 0.1f, 0);
	}
	/*
	 * With a scissor, clear an area that covers some of the squares, and then draw
	 * more squares.
	 */
	glEnable(GL_SCISSOR_TEST);
	glScissor(20, 30, 90, 25);
	clear(0.5f, 0.2f, 0.3f);
	glEnable(GL_BLEND);
	glColor3f(0.8f, 0.8f, 0.3f);
	for (int i = 0; i < 6; i++)
		small_squares(-0.9f + 0.1f * i, -0.85f + 0.1f * i, 0.15f);
	glDisable(GL_SCISSOR_TEST);
}

/*
 * Draws a ball with blending, depth test and culling, and then a rectangle that
 * intersects the ball.
 */
void draw_blend_depth(void)
{
	static float vertices[12 * 24 * 6][6];
	int count = ball(vertices, 12);

	clear(0.4f, 0.3f, 0.5f);
	glEnable(GL_DEPTH_TEST);
	glEnable(GL_CULL_FACE);
	glCullFace(GL_FRONT);
	glEnable(GL_BLEND);
	glBlendFunc(GL_DST_COLOR, GL_ONE);
	perspective_matrix();
	glLoadIdentity();
	glTranslatef(0, 0, -3);
	glEnableClientState(GL_VERTEX_ARRAY);
	glVertexPointer(3, GL_FLOAT, sizeof(vertices[0]), vertices);
	glColor3f(0.8f, 0.6f, 0.2f);
	glDrawArrays(GL_TRIANGLES, 0, count);
	glDisableClientState(GL_VERTEX_ARRAY);
	glDisable(GL_CULL_FACE);
	glColor3f(0.3f, 0.9f, 0.9f);
	rect(-2, -0.5f, 2, 0.5f, 0);
}

/* Draws overlapping squares at the depths @z in one draw. */
static void squares_at(const float *z, int count)
{
	glBegin(GL_QUADS);
	for (int i = 0; i < count; i++) {
		float x = -0.9f + 1.1f * i / count, y = -0.8f + 0.9f * i / count;

		glColor3f(0.8f, 0.3f + 0.5f * i / count, 0.4f);
		glVertex3f(x, y, z[i]);
		glVertex3f(x + 0.6f, y, z[i]);
		glVertex3f(x + 0.6f, y + 0.7f, z[i]);
		glVertex3f(x, y + 0.7f, z[i]);
	}
	glEnd();
}

/* Draws squares that write depth. Some squares are partly behind earlier squares. */
void draw_blend_self_overlap(void)
{
	const float z[] = { 0.2f, 0.5f, 0, 0.3f, -0.4f, -0.2f, -0.6f };

	clear(0.3f, 0.4f, 0.5f);
	glEnable(GL_DEPTH_TEST);
	glEnable(GL_BLEND);
	glBlendFunc(GL_DST_COLOR, GL_ONE);
	squares_at(z, 7);
}

/* Draws many overlapping squares in one draw. */
void draw_blend_many_levels(void)
{
	const float z[80] = { 0 };

	clear(0.3f, 0.4f, 0.5f);
	glEnable(GL_BLEND);
	glBlendFunc(GL_ONE_MINUS_DST_COLOR, GL_ONE_MINUS_SRC_COLOR);
	squares_at(z, 80);
}

/* Draws @count small squares side by side, in a scattered order. */
static void scattered_squares(int count)
{
	const int columns = 240;

	glBegin(GL_QUADS);
	for (int i = 0; i < count; i++) {
		int at = (int)((long)i * 7919 % count);
		float x = -0.95f + 1.9f * (at % columns) / columns;
		float y = -0.95f + 0.018f * (at / columns);

		glColor3f(0.8f, 0.2f + 0.6f * at / count, 0.4f);
		glVertex2f(x, y);
		glVertex2f(x + 1.9f / columns, y);
		glVertex2f(x + 1.9f / columns, y + 0.018f);
		glVertex2f(x, y + 0.018f);
	}
	glEnd();
}

/*
 * Blends many triangles in one draw. Then draws a rectangle over some of the triangles.
 */
void draw_blend_many_triangles(void)
{
	clear(0.3f, 0.4f, 0.5f);
	glEnable(GL_BLEND);
	glBlendFunc(GL_DST_COLOR, GL_ONE);
	scattered_squares(6000);
	glDisable(GL_BLEND);
	glColor3f(0.9f, 0.2f, 0.1f);
	rect(-0.5f, -0.8f, -0.3f, -0.6f, 0);
}

/* Draws overlapping squares with several blends that use the destination as a factor. */
void draw_blend_deferred_product(void)
{
	const float z[80] = { 0 };

	clear(0.3f, 0.35f, 0.3f);
	glEnable(GL_BLEND);
	texture(GL_RGB, 64, 64, false);
	filter(GL_LINEAR, GL_LINEAR);
	for (int i = 0; i < 4; i++) {
		glBlendFunc(GL_DST_COLOR, GL_ONE);
		glColor3f(0.4f, 0.6f, 0.5f);
		rect(-0.9f + 0.3f * i, -0.9f, -0.3f + 0.3f * i, 0.2f, 0);
		glBlendFunc(GL_DST_COLOR, GL_SRC_COLOR);
		glColor3f(1, 0.9f, 0.8f);
		rect(-0.7f + 0.3f * i, -0.7f, -0.4f + 0.3f * i, 0.9f, 0);
	}
	glDisable(GL_TEXTURE_2D);
	glBlendFunc(GL_ZERO, GL_SRC_COLOR);
	glBegin(GL_LINES);
	glVertex2f(-0.9f, -0.8f);
	glVertex2f(0.9f, 0.1f);
	glEnd();
	texture(GL_RGB, 64, 64, false);
	glBlendFunc(GL_DST_COLOR, GL_ONE);
	rect(-0.2f, -0.2f, 0.8f, 0.8f, 0);
	glBlendFunc(GL_DST_COLOR, GL_SRC_COLOR);
	glEnable(GL_SCISSOR_TEST);
	glScissor(100, 60, 30, 20);
	squares_at(z, 80);
	glDisable(GL_SCISSOR_TEST);
}

/* Draws overlapping quads that extend behind the viewer. */
void draw_blend_clipped(void)
{
	clear(0.3f, 0.4f, 0.5f);
	texture(GL_RGB, 64, 64, false);
	filter(GL_LINEAR, GL_LINEAR);
	glEnable(GL_BLEND);
	glBlendFunc(GL_DST_COLOR, GL_ONE);
	perspective_matrix();
	glBegin(GL_QUADS);
	for (int i = 0; i < 8; i++) {
		float x = i % 4 == 1 || i % 4 == 2, z = i % 4 >= 2;

		glColor3f(0.8f, 0.8f - 0.5f * (i / 4), 0.6f);
		glTexCoord2f(x, z);
		glVertex3f((i < 4 ? -2 : -0.5f) + 2.5f * x, i < 4 ? -0.8f : -0.5f,
			   2 - 8 * z);
	}
	glEnd();
}

void draw_blend_masks(void)
{
	clear(0.2f, 0.3f, 0.6f);
	for (int i = 0; i < 4; i++) {
		glColorMask(i != 0, i != 1, i != 2, 1);
		glColor3f(0.8f, 0.7f, 0.1f);
		rect(-0.9f + 0.3f * i, -0.9f + 0.2f * i, 0.3f * i, 0.4f + 0.1f * i,
		     0);
	}
	glEnable(GL_BLEND);
	glBlendFunc(GL_ONE_MINUS_DST_COLOR, GL_ONE_MINUS_SRC_COLOR);
	glColorMask(1, 0, 1, 1);
	rect(-0.9f, 0.5f, 0.9f, 0.9f, 0);
}

void draw_blend_equations(void)
{
	clear(0.5f, 0.4f, 0.6f);
	glEnable(GL_BLEND);
	for (int i = 0; i < 4; i++) {
		glBlendEquation(i & 1 ? GL_FUNC_SUBTRACT :
					GL_FUNC_REVERSE_SUBTRACT);
		glBlendFunc(i & 2 ? GL_CONSTANT_COLOR : GL_ONE,
			    i & 2 ? GL_ONE_MINUS_SRC_COLOR : GL_ONE);
		glBlendColor(0.7f, 0.4f, 0.9f, 0.3f);
		glColor3f(0.2f, 0.7f, 0.3f);
		rect(-0.9f + 0.45f * i, -0.9f, -0.5f + 0.45f * i, 0.9f, 0);
	}
}

/*
 * Multiplies a dark image by lighter colours. In dark pixels, the 5-bit
 * components of class 0x17 have few significant bits.
 */
void draw_blend_dark(void)
{
	clear(0, 0, 0);
	texture(GL_RGB, 64, 64, false);
	filter(GL_LINEAR, GL_LINEAR);
	glColor3f(0.2f, 0.15f, 0.1f);
	rect(-0.9f, -0.9f, 0.9f, 0.9f, 0);
	glEnable(GL_BLEND);
	glBlendFunc(GL_DST_COLOR, GL_ZERO);
	glDisable(GL_TEXTURE_2D);
	for (int i = 0; i < 6; i++) {
		float grey = 0.4f + 0.12f * i;

		glColor3f(grey, grey, grey);
		rect(-0.9f + 0.3f * i, -0.9f, -0.6f + 0.3f * i, 0.9f, 0);
	}
	glBlendFunc(GL_ZERO, GL_ONE_MINUS_SRC_COLOR);
	glColor3f(0.2f, 0.3f, 0.4f);
	rect(-0.9f, 0, 0.9f, 0.9f, 0);
}

/* Blends premultiplied colours, as compositors do. */
void draw_blend_premultiplied(void)
{
	static uint8_t texels[64 * 64 * 4];

	clear(0.1f, 0.3f, 0.5f);
	texture(GL_RGBA, 64, 64, false);
	for (int i = 0; i < 64 * 64; i++) {
		int alpha = (i & 63) * 4 + 3;

		texels[i * 4] = alpha;
		texels[i * 4 + 1] = alpha * (i >> 6) / 63;
		texels[i * 4 + 2] = alpha / 3;
		texels[i * 4 + 3] = alpha;
	}
	glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 64, 64, 0, GL_RGBA,
		     GL_UNSIGNED_BYTE, texels);
	glEnable(GL_BLEND);
	glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
	rect(-0.9f, -0.9f, 0.4f, 0.4f, 0);
	glColor4f(0.5f, 0.5f, 0.5f, 0.5f);
	rect(-0.3f, -0.3f, 0.9f, 0.9f, 0);
}
