/* SPDX-License-Identifier: MIT */
/*
 * Draws small scenes, each of which tests one feature of OpenGL. The scenes avoid positions on
 * edges of pixels and colours halfway between two representable values, because drivers may round
 * these differently.
 */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "gl-scenes.h"
#include "gl-shapes.h"

static void draw_clear(void)
{
	clear(0.2f, 0.4f, 0.8f);
	glEnable(GL_SCISSOR_TEST);
	glScissor(40, 30, 80, 60);
	clear(0.9f, 0.1f, 0.3f);
}

static void draw_flat(void)
{
	clear(0, 0, 0);
	glShadeModel(GL_FLAT);
	glBegin(GL_TRIANGLE_STRIP);
	for (int i = 0; i < 12; i++) {
		glColor3f((i & 3) / 3.0f, (i % 5) / 4.0f, (i & 1));
		glVertex2f(-0.9f + i * 0.16f, i & 1 ? 0.8f : -0.7f);
	}
	glEnd();
}

static void draw_gouraud(void)
{
	clear(0.1f, 0.1f, 0.1f);
	glBegin(GL_TRIANGLES);
	glColor3f(1, 0, 0);
	glVertex2f(-0.9f, -0.8f);
	glColor3f(0, 1, 0);
	glVertex2f(0.9f, -0.7f);
	glColor3f(0, 0, 1);
	glVertex2f(0.1f, 0.9f);
	glEnd();
}

static void draw_depth(void)
{
	clear(0, 0, 0);
	glEnable(GL_DEPTH_TEST);
	for (int i = 0; i < 3; i++) {
		float a = i * 2.1f, c = cosf(a), s = sinf(a);

		glColor3f(i == 0, i == 1, i == 2);
		glBegin(GL_QUADS);
		glVertex3f(-0.8f * c - 0.3f * s, -0.8f * s + 0.3f * c, -0.8f);
		glVertex3f(-0.8f * c + 0.3f * s, -0.8f * s - 0.3f * c, -0.8f);
		glVertex3f(0.8f * c + 0.3f * s, 0.8f * s - 0.3f * c, 0.8f);
		glVertex3f(0.8f * c - 0.3f * s, 0.8f * s + 0.3f * c, 0.8f);
		glEnd();
	}
}

static void draw_nearest(void)
{
	clear(0, 0, 0);
	texture(GL_RGB, 16, 16, false);
	rect(-0.9f, -0.9f, 0.9f, 0.9f, 0);
}

static void draw_linear(void)
{
	clear(0, 0, 0);
	texture(GL_RGB, 16, 16, false);
	filter(GL_LINEAR, GL_LINEAR);
	wrap(GL_CLAMP_TO_EDGE);
	rect(-0.9f, -0.9f, 0.9f, 0.9f, 0);
}

static void draw_mipmap(void)
{
	clear(0, 0, 0);
	texture(GL_RGB, 256, 256, true);
	filter(GL_NEAREST_MIPMAP_NEAREST, GL_NEAREST);
	for (int i = 0; i < 5; i++) {
		float size = 0.8f / (1 << i), x = -0.95f + 1.9f * (1 - powf(0.5f, i));

		rect(x, -0.6f, x + size, -0.6f + size * 4 / 3, 0);
	}
}

static void draw_modulate(void)
{
	clear(0, 0, 0);
	texture(GL_RGB, 64, 64, false);
	filter(GL_LINEAR, GL_LINEAR);
	glBegin(GL_QUADS);
	/*
	 * The colours are an affine function of the position, so the picture does not
	 * depend on how the driver splits the quad into triangles.
	 */
	glColor3f(1, 1, 0.2f);
	glTexCoord2f(0, 0);
	glVertex2f(-0.9f, -0.9f);
	glColor3f(1, 0.5f, 0.2f);
	glTexCoord2f(2, 0);
	glVertex2f(0.9f, -0.9f);
	glColor3f(0.2f, 0.5f, 1);
	glTexCoord2f(2, 2);
	glVertex2f(0.9f, 0.9f);
	glColor3f(0.2f, 1, 1);
	glTexCoord2f(0, 2);
	glVertex2f(-0.9f, 0.9f);
	glEnd();
}

static void draw_replace(void)
{
	clear(0, 0, 0);
	texture(GL_RGB, 64, 64, false);
	glTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_REPLACE);
	glColor3f(1, 0, 0);
	rect(-0.9f, -0.9f, 0.9f, 0.9f, 0);
}

static void draw_luminance(void)
{
	clear(0, 0, 0);
	texture(GL_LUMINANCE, 64, 64, false);
	glColor3f(1, 0.8f, 0.4f);
	rect(-0.9f, -0.9f, 0.9f, 0.9f, 0);
}

static void draw_rectangular_texture(void)
{
	clear(0, 0, 0);
	texture(GL_RGB, 128, 16, false);
	glBegin(GL_QUADS);
	glTexCoord2f(-0.5f, -1);
	glVertex2f(-0.9f, -0.9f);
	glTexCoord2f(1.5f, -1);
	glVertex2f(0.9f, -0.9f);
	glTexCoord2f(1.5f, 3);
	glVertex2f(0.9f, 0.9f);
	glTexCoord2f(-0.5f, 3);
	glVertex2f(-0.9f, 0.9f);
	glEnd();
}

static void draw_odd_texture_size(void)
{
	clear(0, 0, 0);
	texture(GL_RGB, 100, 60, false);
	wrap(GL_CLAMP_TO_EDGE);
	rect(-0.9f, -0.9f, 0.9f, 0.9f, 0);
}

/* Draws with texture coordinates beyond the chip's range. */
static void draw_far_coordinates(void)
{
	clear(0, 0, 0);
	texture(GL_RGB, 64, 64, false);
	glBegin(GL_QUADS);
	glTexCoord2f(1000, 5000);
	glVertex2f(-0.9f, -0.9f);
	glTexCoord2f(1002, 5000);
	glVertex2f(0.9f, -0.9f);
	glTexCoord2f(1002, 5002);
	glVertex2f(0.9f, 0.9f);
	glTexCoord2f(1000, 5002);
	glVertex2f(-0.9f, 0.9f);
	glEnd();
}

static void set_camera(float tilt)
{
	glMatrixMode(GL_PROJECTION);
	glFrustum(-1, 1, -0.75, 0.75, 1, 20);
	glMatrixMode(GL_MODELVIEW);
	glTranslatef(0, -0.7f, -3);
	glRotatef(tilt, 1, 0, 0);
}

static void draw_perspective(void)
{
	clear(0.3f, 0.5f, 0.9f);
	glEnable(GL_DEPTH_TEST);
	texture(GL_RGB, 64, 64, false);
	filter(GL_LINEAR, GL_LINEAR);
	set_camera(-75);
	/* The floor extends behind the eye, so it is clipped. */
	glBegin(GL_QUADS);
	glTexCoord2f(0, 0);
	glVertex2f(-4, -4);
	glTexCoord2f(4, 0);
	glVertex2f(4, -4);
	glTexCoord2f(4, 4);
	glVertex2f(4, 6);
	glTexCoord2f(0, 4);
	glVertex2f(-4, 6);
	glEnd();
}

static void draw_fog(GLenum mode)
{
	const float color[4] = { 0.8f, 0.8f, 0.7f, 1 };

	clear(0.8f, 0.8f, 0.7f);
	glEnable(GL_FOG);
	glFogi(GL_FOG_MODE, mode);
	glFogf(GL_FOG_START, 2);
	glFogf(GL_FOG_END, 7);
	glFogf(GL_FOG_DENSITY, 0.25f);
	glFogfv(GL_FOG_COLOR, color);
	set_camera(-70);
	glColor3f(0.8f, 0.1f, 0.1f);
	/* Draw narrow strips, because the chip interpolates fog between vertices. */
	for (int y = 0; y < 16; y++)
		rect(-3, -2 + y * 0.5f, 3, -1.5f + y * 0.5f, 0);
}

static void draw_fog_linear(void)
{
	draw_fog(GL_LINEAR);
}

static void draw_fog_exp2(void)
{
	draw_fog(GL_EXP2);
}

static void draw_alpha_test(void)
{
	clear(0.1f, 0.3f, 0.1f);
	texture(GL_RGBA, 64, 64, false);
	glEnable(GL_ALPHA_TEST);
	glAlphaFunc(GL_GREATER, 0.5f);
	rect(-0.9f, -0.9f, 0.9f, 0.9f, 0);
}

static void draw_cull(void)
{
	clear(0, 0, 0);
	glEnable(GL_CULL_FACE);
	glColor3f(0, 1, 0);
	rect(-0.9f, -0.9f, -0.1f, 0.9f, 0);
	glColor3f(1, 0, 0);
	rect(0.9f, -0.9f, 0.1f, 0.9f, 0);	/* back face */
	glCullFace(GL_FRONT);
	glColor3f(0, 0, 1);
	rect(0.8f, -0.5f, 0.2f, 0.5f, 0);
}

static void draw_scissor(void)
{
	clear(0, 0, 0);
	glEnable(GL_SCISSOR_TEST);
	glScissor(30, 40, 70, 50);
	glColor3f(1, 1, 0);
	rect(-0.9f, -0.9f, 0.9f, 0.9f, 0);
}

static void draw_primitives(void)
{
	static const GLenum modes[] = {
		GL_TRIANGLES, GL_TRIANGLE_FAN, GL_POLYGON, GL_QUADS,
		GL_QUAD_STRIP, GL_TRIANGLE_STRIP,
	};

	clear(0, 0, 0);
	for (int m = 0; m < 6; m++) {
		glBegin(modes[m]);
		for (int i = 0; i < 8; i++) {
			float a = i * 0.785f, x = -0.66f + 0.66f * (m % 3);

			glColor3f(m & 1, i / 7.0f, 1 - m / 5.0f);
			if (m >= 4)
				glVertex2f(x - 0.28f + 0.08f * i,
					   (m < 3 ? -0.5f : 0.5f) + (i & 1 ? 0.3f : -0.3f));
			else
				glVertex2f(x + 0.3f * cosf(a),
					   (m < 3 ? -0.5f : 0.5f) + 0.4f * sinf(a));
		}
		glEnd();
	}
}

static void draw_lines(void)
{
	clear(0, 0, 0);
	glLineWidth(5);
	glBegin(GL_LINES);
	for (int i = 0; i < 8; i++) {
		glColor3f(1, i / 7.0f, 0);
		glVertex2f(0, 0);
		glVertex2f(0.9f * cosf(i * 0.785f + 0.2f), 0.9f * sinf(i * 0.785f + 0.2f));
	}
	glEnd();
	glPointSize(9);
	glBegin(GL_POINTS);
	for (int i = 0; i < 8; i++) {
		glColor3f(0, i / 7.0f, 1);
		glVertex2f(0.7f * cosf(i * 0.785f), 0.7f * sinf(i * 0.785f));
	}
	glEnd();
}

static void draw_lighting(void)
{
	const float at[4] = { 0.5f, 0.7f, 1, 0 };

	clear(0, 0, 0);
	glEnable(GL_DEPTH_TEST);
	glEnable(GL_LIGHTING);
	glEnable(GL_LIGHT0);
	glLightfv(GL_LIGHT0, GL_POSITION, at);
	glEnable(GL_COLOR_MATERIAL);
	glColor3f(0.9f, 0.5f, 0.2f);
	for (int j = 0; j < 12; j++) {
		glBegin(GL_QUAD_STRIP);
		for (int i = 0; i <= 24; i++) {
			for (int k = 0; k < 2; k++) {
				float a = i * 0.2618f, b = (j + k) * 0.2618f - 1.571f;
				float n[3] = { cosf(a) * cosf(b), sinf(b),
					       sinf(a) * cosf(b) };

				glNormal3fv(n);
				glVertex3f(0.7f * n[0], 0.9f * n[1], -0.7f * n[2]);
			}
		}
		glEnd();
	}
}

static const char plain_vertex[] =
	"attribute vec4 at; attribute vec2 tex; varying vec2 coord;\n"
	"varying vec4 shade;\n"
	"void main() { gl_Position = at; coord = tex;\n"
	"  shade = vec4(0.5 + 0.5 * at.xy, 1.0, 1.0); }\n";

static void glsl_rect(void)
{
	static const float at[] = {
		-0.9f, -0.9f, 0.9f, -0.9f, -0.9f, 0.9f, 0.9f, 0.9f };
	static const float tex[] = { 0, 0, 1, 0, 0, 1, 1, 1 };
	GLint program;

	glGetIntegerv(GL_CURRENT_PROGRAM, &program);
	glEnableVertexAttribArray(glGetAttribLocation(program, "at"));
	glVertexAttribPointer(glGetAttribLocation(program, "at"), 2, GL_FLOAT, 0,
			      0, at);
	if (glGetAttribLocation(program, "tex") >= 0) {
		glEnableVertexAttribArray(glGetAttribLocation(program, "tex"));
		glVertexAttribPointer(glGetAttribLocation(program, "tex"), 2,
				      GL_FLOAT, 0, 0, tex);
	}
	glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

static void draw_glsl_color(void)
{
	clear(0, 0, 0);
	gl_program(plain_vertex, "varying vec4 shade; uniform vec4 k;\n"
		   "void main() { gl_FragColor = shade * k + vec4(0.1, 0, 0, 0); }");
	glUniform4f(0, 0.5f, 0.8f, 0.6f, 1);
	glsl_rect();
}

static void draw_glsl_texture(void)
{
	clear(0, 0, 0);
	texture(GL_RGB, 64, 64, false);
	gl_program(plain_vertex, "varying vec4 shade; varying vec2 coord;\n"
		   "uniform sampler2D t;\n"
		   "void main() { gl_FragColor = texture2D(t, coord * 2.0) * shade; }");
	glsl_rect();
}

static void draw_glsl_discard(void)
{
	clear(0.1f, 0.3f, 0.1f);
	texture(GL_RGBA, 64, 64, false);
	gl_program(plain_vertex, "varying vec2 coord; uniform sampler2D t;\n"
		   "void main() { vec4 c = texture2D(t, coord);\n"
		   "  if (c.a < 0.5) discard; gl_FragColor = c; }");
	glsl_rect();
}

/* With class 0x17, the chip and llvmpipe draw to the same colour and depth buffers. */
static void draw_fallback(void)
{
	clear(0.1f, 0.1f, 0.3f);
	glEnable(GL_DEPTH_TEST);
	glColor3f(0.9f, 0.9f, 0.1f);
	rect(-0.9f, -0.9f, 0.2f, 0.2f, -0.5f);
	gl_program(plain_vertex, "varying vec4 shade;\n"
		   "void main() { float d = length(shade.xy - 0.5);\n"
		   "  gl_FragColor = vec4(1.0 - d, d * d, 0.3, 1.0); }");
	glsl_rect();
	glUseProgram(0);
	glColor3f(0.1f, 0.8f, 0.2f);
	rect(-0.5f, -0.5f, 0.8f, 0.8f, -0.2f);
}

static void draw_stencil(void)
{
	clear(0, 0, 0);
	glClear(GL_STENCIL_BUFFER_BIT);
	glEnable(GL_DEPTH_TEST);
	glEnable(GL_STENCIL_TEST);
	glStencilFunc(GL_ALWAYS, 1, 1);
	glStencilOp(GL_KEEP, GL_KEEP, GL_REPLACE);
	glColor3f(0.2f, 0.2f, 0.8f);
	rect(-0.6f, -0.6f, 0.6f, 0.6f, 0.5f);
	glStencilFunc(GL_EQUAL, 0, 1);
	glColor3f(0.8f, 0.2f, 0.2f);
	rect(-0.9f, -0.3f, 0.9f, 0.3f, 0.2f);
	glDisable(GL_STENCIL_TEST);
	glColor3f(0.2f, 0.8f, 0.2f);
	rect(-0.3f, -0.9f, 0.3f, 0.9f, 0.4f);
}

static void draw_two_textures(void)
{
	clear(0, 0, 0);
	two_textures(GL_RGB);
}

static void draw_changed_texture(void)
{
	static uint32_t texel[16];

	clear(0, 0, 0);
	texture(GL_RGB, 4, 4, false);
	for (int i = 0; i < 6; i++) {
		memset(texel, 40 * i + 20, sizeof(texel));
		glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 4, 4, GL_RGBA,
				GL_UNSIGNED_BYTE, texel);
		rect(-0.9f + 0.3f * i, -0.8f, -0.65f + 0.3f * i, 0.8f, 0);
	}
}

static void draw_many_vertices(void)
{
	static float at[65 * 65 * 2], shade[65 * 65 * 3];
	static uint16_t index[64 * 64 * 6];
	int n = 0;

	clear(0, 0, 0);
	for (int y = 0; y <= 64; y++) {
		for (int x = 0; x <= 64; x++) {
			int v = y * 65 + x;

			at[v * 2] = x / 36.0f - 0.9f;
			at[v * 2 + 1] = y / 36.0f - 0.9f;
			shade[v * 3] = x / 64.0f;
			shade[v * 3 + 1] = y / 64.0f;
			shade[v * 3 + 2] = (x ^ y) & 8 ? 1 : 0;
			if (x == 64 || y == 64)
				continue;
			index[n++] = v;
			index[n++] = v + 1;
			index[n++] = v + 65;
			index[n++] = v + 1;
			index[n++] = v + 66;
			index[n++] = v + 65;
		}
	}
	glEnableClientState(GL_VERTEX_ARRAY);
	glEnableClientState(GL_COLOR_ARRAY);
	glVertexPointer(2, GL_FLOAT, 0, at);
	glColorPointer(3, GL_FLOAT, 0, shade);
	glDrawElements(GL_TRIANGLES, n, GL_UNSIGNED_SHORT, index);
}

/* Draws a small light map over a texture with a depth test, as games do. */
static void draw_light_map(void)
{
	clear(0, 0, 0);
	texture(GL_RGB, 64, 64, false);
	glActiveTexture(GL_TEXTURE1);
	texture(GL_LUMINANCE, 16, 16, false);
	filter(GL_LINEAR, GL_LINEAR);
	glEnable(GL_DEPTH_TEST);
	for (int j = 0; j < 3; j++) {
		glBegin(GL_QUADS);
		for (int i = 0; i < 4; i++) {
			float x = i == 1 || i == 2, y = i >= 2;

			glColor3f(1, j == 1 ? 0.5f : 1, 1);
			glMultiTexCoord2f(GL_TEXTURE0, x, y);
			glMultiTexCoord2f(GL_TEXTURE1, y, 0.2f + 0.6f * x);
			glVertex3f(0.9f * x - 0.9f + 0.4f * j, 1.2f * y - 0.9f + 0.3f * j,
				   0.9f * x - 0.4f * j);
		}
		glEnd();
	}
}

/* Draws the scene of draw_light_map() with fog on the product of both textures. */
static void draw_light_map_fog(void)
{
	const float color[4] = { 0.7f, 0.6f, 0.5f, 1 };

	glEnable(GL_FOG);
	glFogi(GL_FOG_MODE, GL_LINEAR);
	glFogf(GL_FOG_START, -1);
	glFogf(GL_FOG_END, 1.5f);
	glFogfv(GL_FOG_COLOR, color);
	draw_light_map();
}

/* Draws overlapping quads with two textures in one draw, without a depth test. */
static void draw_two_textures_overlap(void)
{
	clear(0, 0, 0);
	texture(GL_RGB, 64, 64, false);
	glActiveTexture(GL_TEXTURE1);
	texture(GL_LUMINANCE, 16, 16, false);
	glBegin(GL_QUADS);
	for (int i = 0; i < 12; i++) {
		float x = i % 4 == 1 || i % 4 == 2, y = i % 4 >= 2;

		glMultiTexCoord2f(GL_TEXTURE0, x, y);
		glMultiTexCoord2f(GL_TEXTURE1, y, x);
		glVertex2f(x - 0.9f + 0.3f * (i / 4), y - 0.9f + 0.2f * (i / 4));
	}
	glEnd();
}

static void draw_texture_add(void)
{
	clear(0, 0, 0);
	texture(GL_RGB, 64, 64, false);
	glTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_ADD);
	glEnable(GL_DEPTH_TEST);
	glColor3f(0.4f, 0.1f, 0.2f);
	rect(-0.9f, -0.9f, 0.9f, 0.9f, 0);
}

static void draw_specular(void)
{
	const float at[4] = { 0.4f, 0.5f, 1, 0 }, white[4] = { 1, 1, 1, 1 };
	const float grey[4] = { 0.5f, 0.5f, 0.5f, 1 };

	clear(0, 0, 0);
	texture(GL_RGB, 64, 64, false);
	glEnable(GL_DEPTH_TEST);
	glEnable(GL_LIGHTING);
	glEnable(GL_LIGHT0);
	glLightfv(GL_LIGHT0, GL_POSITION, at);
	glMaterialfv(GL_FRONT, GL_SPECULAR, white);
	glMaterialfv(GL_FRONT, GL_AMBIENT_AND_DIFFUSE, grey);
	glMaterialf(GL_FRONT, GL_SHININESS, 12);
	glLightModeli(GL_LIGHT_MODEL_COLOR_CONTROL, GL_SEPARATE_SPECULAR_COLOR);
	for (int j = 0; j < 24; j++) {
		glBegin(GL_QUAD_STRIP);
		for (int i = 0; i <= 48; i++) {
			for (int k = 0; k < 2; k++) {
				float a = i * 0.1309f, b = (j + k) * 0.1309f - 1.571f;
				float n[3] = { cosf(a) * cosf(b), sinf(b),
					       sinf(a) * cosf(b) };

				glNormal3fv(n);
				glTexCoord2f(i / 12.0f, j / 12.0f);
				glVertex3f(0.7f * n[0], 0.9f * n[1], -0.7f * n[2]);
			}
		}
		glEnd();
	}
}

/* Draws a floor that begins behind the eye and is wider than the screen. */
static void draw_clipped(void)
{
	clear(0.3f, 0.5f, 0.8f);
	texture(GL_RGB, 64, 64, false);
	filter(GL_LINEAR, GL_LINEAR);
	wrap(GL_REPEAT);
	glEnable(GL_DEPTH_TEST);
	perspective_matrix();
	glBegin(GL_TRIANGLE_STRIP);
	for (int i = 0; i < 4; i++) {
		float x = i & 1 ? 30 : -30, z = i & 2 ? -18 : 5;

		glTexCoord2f(x / 10, z / 10);
		glVertex3f(x, -1, z);
	}
	glEnd();
	glDisable(GL_TEXTURE_2D);
	glShadeModel(GL_FLAT);
	glBegin(GL_TRIANGLES);
	glColor3f(1, 0, 0);
	glVertex3f(-8, 1, 3);
	glColor3f(0, 1, 0);
	glVertex3f(-1, 4, -30);
	glColor3f(0.9f, 0.8f, 0.1f);
	glVertex3f(-1, -0.5f, -3);
	glEnd();
}

/* Draws triangles that extend beyond the viewport, which is smaller than the window. */
static void draw_viewport(void)
{
	clear(0, 0, 0.2f);
	glViewport(40, 30, 100, 70);
	glColor3f(0.9f, 0.6f, 0.1f);
	rect(-3, -0.5f, 0.5f, 3, 0);
	glColor3f(0.1f, 0.8f, 0.3f);
	glBegin(GL_TRIANGLES);
	glVertex2f(-0.5f, -40);
	glVertex2f(50, 0.2f);
	glVertex2f(-0.2f, 0.6f);
	glEnd();
}

/*
 * Draws triangles whose legs are two thirds of a pixel long. Some triangles are beyond the edges of
 * the screen. The triangles of the last draw are culled.
 */
static void draw_small_triangles(void)
{
	enum { COLUMNS = 140, ROWS = 120 };
	static float vertices[ROWS][COLUMNS][2], colors[ROWS][COLUMNS][3];
	static GLuint indices[ROWS - 1][COLUMNS - 1][6];

	clear(0.2f, 0, 0);
	glMatrixMode(GL_PROJECTION);
	glLoadIdentity();
	glOrtho(0, 192, 0, 144, -1, 1);
	for (int j = 0; j < ROWS; j++) {
		for (int i = 0; i < COLUMNS; i++) {
			GLuint at = j * COLUMNS + i;

			vertices[j][i][0] = i * 0.66f - j * 0.11f - 20;
			vertices[j][i][1] = j * 0.66f + i * 0.11f + 20;
			colors[j][i][0] = i / (float)COLUMNS;
			colors[j][i][1] = j / (float)ROWS;
			if (i + 1 < COLUMNS && j + 1 < ROWS)
				memcpy(indices[j][i], (GLuint[]) {
					at, at + 1, at + COLUMNS + 1,
					at, at + COLUMNS + 1, at + COLUMNS },
				sizeof(indices[j][i]));
		}
	}
	glEnable(GL_CULL_FACE);
	glEnableClientState(GL_VERTEX_ARRAY);
	glEnableClientState(GL_COLOR_ARRAY);
	glVertexPointer(2, GL_FLOAT, 0, vertices);
	glColorPointer(3, GL_FLOAT, 0, colors);
	glDrawElements(GL_TRIANGLES, sizeof(indices) / sizeof(GLuint), GL_UNSIGNED_INT, indices);
	glTranslatef(80, 0, 0);
	glDrawElements(GL_TRIANGLES, sizeof(indices) / sizeof(GLuint) / 2,
			GL_UNSIGNED_INT, indices);
	glFrontFace(GL_CW);
	glDrawElements(GL_TRIANGLES, sizeof(indices) / sizeof(GLuint), GL_UNSIGNED_INT, indices);
}

/*
 * Draws repeatedly from the same arrays, with changes to the arrays or to the state between the
 * draws. No draw may use results that the driver cached before such a change.
 */
static void draw_repeated_draws(void)
{
	static float vertices[4][3], texels[4][2];
	static uint8_t colors[4][4];
	static GLushort indices[6];
	const GLushort both[6] = { 0, 1, 2, 0, 2, 3 };

	clear(0, 0, 0.2f);
	glMatrixMode(GL_PROJECTION);
	glLoadIdentity();
	glOrtho(0, 192, 0, 144, -1, 1);
	glEnableClientState(GL_VERTEX_ARRAY);
	glEnableClientState(GL_COLOR_ARRAY);
	glVertexPointer(3, GL_FLOAT, 0, vertices);
	glColorPointer(4, GL_UNSIGNED_BYTE, 0, colors);
	glTexCoordPointer(2, GL_FLOAT, 0, texels);
	memcpy(indices, both, sizeof(indices));
	for (int i = 0; i < 4; i++) {
		vertices[i][0] = 4 + 36 * (i == 1 || i == 2);
		vertices[i][1] = 4 + 36 * (i >= 2);
		texels[i][0] = i == 1 || i == 2;
		texels[i][1] = i >= 2;
		memcpy(colors[i], (uint8_t[]) { 200, i * 40, 0, 255 }, 4);
	}
#define AGAIN() glDrawElements(GL_TRIANGLES, 6, GL_UNSIGNED_SHORT, indices)
	AGAIN();
	/*
	 * Draw the quad again at the same position, with additive blending and in other colours.
	 * Then draw the quad at another position, and then without one of its triangles.
	 */
	glEnable(GL_BLEND);
	glBlendFunc(GL_ONE, GL_ONE);
	for (int i = 0; i < 4; i++)
		memcpy(colors[i], (uint8_t[]) { 0, 100, i * 60, 255 }, 4);
	AGAIN();
	glDisable(GL_BLEND);
	glTranslatef(46, 0, 0);
	AGAIN();
	glTranslatef(46, 0, 0);
	memset(indices + 3, 0, 3 * sizeof(*indices));
	AGAIN();
	memcpy(indices, both, sizeof(indices));
	/*
	 * Move one corner. After that, cull the quad as a back face, and then make it a
	 * front face.
	 */
	glTranslatef(46, 0, 0);
	vertices[2][1] = 60;
	AGAIN();
	glEnable(GL_CULL_FACE);
	glFrontFace(GL_CW);
	memset(colors, 255, sizeof(colors));
	AGAIN();
	glTranslatef(-138, 46, 0);
	AGAIN();
	glFrontFace(GL_CCW);
	AGAIN();
	glDisable(GL_CULL_FACE);
	/*
	 * Use another viewport and another primitive. Then move two vertices beyond the
	 * near plane and back.
	 */
	glViewport(46, 0, 96, 144);
	AGAIN();
	glViewport(0, 0, 192, 144);
	glTranslatef(92, 0, 0);
	glDrawElements(GL_TRIANGLE_STRIP, 6, GL_UNSIGNED_SHORT, indices);
	glTranslatef(46, 0, 0);
	vertices[2][2] = vertices[3][2] = 2.2f;
	AGAIN();
	vertices[2][2] = vertices[3][2] = 0;
	vertices[2][1] = 40;
	glTranslatef(-138, 50, 0);
	AGAIN();
	/* Use texture coordinates near 0, and then texture coordinates far from 0. */
	texture(GL_RGB, 16, 16, false);
	filter(GL_LINEAR, GL_LINEAR);
	glEnableClientState(GL_TEXTURE_COORD_ARRAY);
	glTranslatef(46, 0, 0);
	AGAIN();
	glTranslatef(46, 0, 0);
	AGAIN();
	glEnable(GL_BLEND);
	for (int i = 0; i < 4; i++)
		texels[i][0] += 200;
	AGAIN();
	/* Two textures. */
	glDisable(GL_BLEND);
	glActiveTexture(GL_TEXTURE1);
	texture(GL_LUMINANCE, 16, 16, false);
	filter(GL_LINEAR, GL_LINEAR);
	glClientActiveTexture(GL_TEXTURE1);
	glEnableClientState(GL_TEXTURE_COORD_ARRAY);
	glTexCoordPointer(2, GL_FLOAT, 0, texels);
	glEnable(GL_DEPTH_TEST);
	glTranslatef(46, 0, 0);
	vertices[1][2] = -1.8f;
	AGAIN();
#undef AGAIN
}

/* Draws a rectangle with @scale texels per pixel. The first texel is (@s, @t). */
static void put(float x, float y, float w, float h, float s, float t, float scale,
		float width, float height)
{
	float corners[4][2], texels[4][2];

	for (int i = 0; i < 4; i++) {
		float dx = i & 1 ? w : 0, dy = i & 2 ? h : 0;

		corners[i][0] = x + dx;
		corners[i][1] = y + dy;
		texels[i][0] = (s + dx * scale) / width;
		texels[i][1] = (t + dy * scale) / height;
	}
	glVertexPointer(2, GL_FLOAT, 0, corners);
	glTexCoordPointer(2, GL_FLOAT, 0, texels);
	glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

/* Executes draws that a driver can execute as copies, and similar draws that are not copies. */
static void draw_copy_draws(void)
{
	clear(0, 0.1f, 0.3f);
	glMatrixMode(GL_PROJECTION);
	glLoadIdentity();
	glOrtho(0, 192, 0, 144, -1, 1);
	glEnableClientState(GL_VERTEX_ARRAY);
	glEnableClientState(GL_TEXTURE_COORD_ARRAY);
	glTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_REPLACE);
	texture(GL_RGB, 90, 50, false);
	put(-10, -5, 90, 50, 0, 0, 1, 90, 50);
	glEnable(GL_SCISSOR_TEST);
	glScissor(90, 10, 50, 20);
	put(85, 5, 60, 40, 20, 5, 1, 90, 50);
	glDisable(GL_SCISSOR_TEST);
	texture(GL_RGB, 64, 64, false);
	put(4, 50, 40, 40, 8, 16, 1, 64, 64);
	/*
	 * Draw a rectangle that extends beyond the texture. Then draw at twice the texture's size,
	 * at half of its size, upside down, and with a colour.
	 */
	put(48, 50, 40, 40, 40, 40, 1, 64, 64);
	put(92, 50, 40, 40, 0, 0, 0.5f, 64, 64);
	put(136, 50, 32, 32, 0, 0, 2, 64, 64);
	put(4, 136, 40, -40, 8, 64, 1, 64, 64);
	glTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_MODULATE);
	glColor3f(1, 0.5f, 0.2f);
	put(48, 96, 40, 40, 8, 16, 1, 64, 64);
	glColor3f(1, 1, 1);
	glDisable(GL_TEXTURE_2D);
	put(92, 96, 40, 40, 0, 0, 1, 64, 64);
}

/* Draws a mesh at many positions. Some copies are clipped or out of view. */
static void draw_cached_meshes(void)
{
	static float vertices[12 * 24 * 6][6];
	const float at[4] = { 0.5f, 0.7f, 1, 0 };
	int count = ball(vertices, 12);
	GLuint buffer;

	clear(0, 0, 0);
	glGenBuffers(1, &buffer);
	glBindBuffer(GL_ARRAY_BUFFER, buffer);
	glBufferData(GL_ARRAY_BUFFER, sizeof(vertices), vertices, GL_STATIC_DRAW);
	glEnableClientState(GL_VERTEX_ARRAY);
	glEnableClientState(GL_NORMAL_ARRAY);
	glVertexPointer(3, GL_FLOAT, sizeof(vertices[0]), NULL);
	glNormalPointer(GL_FLOAT, sizeof(vertices[0]), (void *)(3 * sizeof(float)));
	glEnable(GL_DEPTH_TEST);
	glEnable(GL_CULL_FACE);
	glCullFace(GL_FRONT);
	glEnable(GL_LIGHTING);
	glEnable(GL_LIGHT0);
	glEnable(GL_NORMALIZE);
	glEnable(GL_COLOR_MATERIAL);
	perspective_matrix();
	glLoadIdentity();
	glLightfv(GL_LIGHT0, GL_POSITION, at);
	for (int i = 0; i < 12; i++) {
		glColor3f(i % 3 / 2.0f, i % 4 / 3.0f, 0.7f);
		glLoadIdentity();
		glTranslatef((i % 4 - 1.4f) * 2.1f, (i / 4 - 1) * 2.0f,
			     i == 5 ? -0.8f : -5 - i % 3);
		glRotatef(i * 30, 0.3f, 1, 0.2f);
		/* The buffer changes between draws. */
		if (i == 8) {
			for (int v = 0; v < count; v++)
				vertices[v][1] *= 0.5f;
			glBufferSubData(GL_ARRAY_BUFFER, 0, sizeof(vertices),
					vertices);
		}
		glDrawArrays(GL_TRIANGLES, 0, count);
	}
}

/* Draws a rectangle in the plane of a wall, with a polygon offset. */
static void draw_polygon_offset(void)
{
	clear(0, 0, 0);
	glEnable(GL_DEPTH_TEST);
	perspective_matrix();
	glTranslatef(0, 0, -3);
	glRotatef(40, 0, 1, 0);
	glColor3f(0.6f, 0.6f, 0.5f);
	rect(-2, -1.5f, 2, 1.5f, 0);
	glEnable(GL_POLYGON_OFFSET_FILL);
	glPolygonOffset(-2, -4);
	glColor3f(0.9f, 0.2f, 0.2f);
	rect(-1, -0.7f, 1, 0.8f, 0);
}

#define CHIP .chip = true
#define MODULE .module = true
#define PROGRAMS .programs = true

const struct gl_scene gl_scenes[] = {
	{ "clear", draw_clear, CHIP },
	{ "flat", draw_flat, CHIP },
	{ "gouraud", draw_gouraud, CHIP },
	{ "depth", draw_depth, CHIP },
	{ "nearest", draw_nearest, CHIP },
	{ "linear", draw_linear, CHIP },
	{ "mipmap", draw_mipmap, CHIP },
	{ "modulate", draw_modulate, CHIP },
	{ "replace", draw_replace, CHIP },
	{ "luminance", draw_luminance, CHIP },
	/*
	 * The chip's texture coordinates have a resolution of 1/16 texel, so the edges
	 * of texels differ from llvmpipe's.
	 */
	{ "rectangular-texture", draw_rectangular_texture, CHIP, .part = 0.06 },
	{ "odd-texture-size", draw_odd_texture_size, CHIP },
	{ "far-coordinates", draw_far_coordinates, CHIP, .part = 0.06 },
	{ "far-repeat", draw_far_repeat },
	{ "far-mirror", draw_far_mirror },
	{ "far-clamp", draw_far_clamp },
	{ "far-perspective", draw_far_perspective },
	{ "projected-texture", draw_projected_texture },
	{ "texture-eviction", draw_texture_eviction, CHIP },
	{ "perspective", draw_perspective, CHIP, .part = 0.05 },
	{ "fog-linear", draw_fog_linear, CHIP },
	{ "fog-exp2", draw_fog_exp2, CHIP },
	{ "alpha-test", draw_alpha_test, CHIP },
	/* The chip's blend factors have 4 bits. */
	{ "blend-alpha", draw_blend_alpha, .step = 20 },
	{ "blend-add", draw_blend_add, CHIP },
	{ "blend-alpha-add", draw_blend_alpha_add },
	{ "blend-modulate", draw_blend_modulate },
	{ "blend-texture", draw_blend_texture, CHIP },
	{ "blend-smoke", draw_blend_smoke },
	{ "blend-brighten", draw_blend_brighten },
	{ "blend-overlap", draw_blend_overlap },
	{ "blend-small", draw_blend_small },
	{ "blend-depth", draw_blend_depth },
	{ "blend-self-overlap", draw_blend_self_overlap },
	{ "blend-many-levels", draw_blend_many_levels },
	{ "blend-many-triangles", draw_blend_many_triangles },
	{ "blend-deferred-product", draw_blend_deferred_product },
	{ "blend-clipped", draw_blend_clipped },
	{ "blend-masks", draw_blend_masks },
	{ "blend-equations", draw_blend_equations },
	{ "cull", draw_cull, CHIP },
	{ "scissor", draw_scissor, CHIP },
	{ "primitives", draw_primitives, CHIP },
	/* nv3 and llvmpipe may draw the ends of wide lines differently. */
	{ "lines", draw_lines, .part = 0.06 },
	{ "lighting", draw_lighting, CHIP },
	{ "glsl-color", draw_glsl_color, CHIP },
	{ "glsl-texture", draw_glsl_texture, CHIP, .part = 0.06 },
	{ "glsl-discard", draw_glsl_discard },
	{ "changed-texture", draw_changed_texture, CHIP },
	{ "many-vertices", draw_many_vertices, CHIP },
	{ "two-textures", draw_two_textures },
	{ "light-map", draw_light_map },
	{ "light-map-fog", draw_light_map_fog },
	{ "two-textures-overlap", draw_two_textures_overlap },
	{ "blend-dark", draw_blend_dark },
	{ "texture-add", draw_texture_add },
	{ "specular", draw_specular },
	{ "blend-premultiplied", draw_blend_premultiplied },
	{ "clipped", draw_clipped, CHIP, .part = 0.05 },
	{ "viewport", draw_viewport, CHIP },
	{ "small-triangles", draw_small_triangles, CHIP },
	{ "repeated-draws", draw_repeated_draws },
	{ "copy-draws", draw_copy_draws },
	{ "cached-meshes", draw_cached_meshes, CHIP, .part = 0.03 },
	{ "polygon-offset", draw_polygon_offset, CHIP },
	{ "smaller-target-before", draw_smaller_target_before, CHIP },
	{ "bright-colors", draw_bright_colors, CHIP },
	{ "input-orders", draw_input_orders, CHIP },
	{ "same-bytes", draw_same_bytes, CHIP },
	{ "clamped-varyings", draw_clamped_varyings },
	{ "depth-clamp", draw_depth_clamp },
	{ "texel-arithmetic", draw_texel_arithmetic },
	{ "alpha-arithmetic", draw_alpha_arithmetic },
	{ "alpha-test-two-textures", draw_alpha_test_two_textures },
	{ "blend-in-fog", draw_blend_in_fog },
	{ "fallback", draw_fallback },
	{ "stencil", draw_stencil },
	{ "deleted-renderbuffer", draw_deleted_renderbuffer, CHIP },
	{ "many-renderbuffers", draw_many_renderbuffers, CHIP },
	{ "blits", draw_blits, CHIP },
	{ "deleted-fence", draw_deleted_fence, CHIP },
	{ "deleted-depth", draw_deleted_depth },
	{ "deleted-program", draw_deleted_program },
	{ "uniform-block", draw_uniform_block },
	{ "rgba-target", draw_rgba_target },
	{ "vertex-texture", draw_vertex_texture, MODULE },
	/* nv3 and llvmpipe draw the ends of wide lines differently. */
	{ "stippled-lines", draw_stippled_lines, MODULE, .part = 0.1 },
	{ "smooth-lines", draw_smooth_lines, MODULE },
	/* llvmpipe draws smooth points as discs with sharp edges. */
	{ "smooth-points", draw_smooth_points, MODULE, .part = 0.04 },
	{ "stippled-polygons", draw_stippled_polygons },
	{ "samples-triangles", draw_samples_triangles, PROGRAMS },
	{ "samples-lines", draw_samples_lines, PROGRAMS },
	{ "samples-depth", draw_samples_depth, PROGRAMS },
	{ "samples-coverage", draw_samples_coverage, PROGRAMS },
	{ NULL, NULL },
};
