/* SPDX-License-Identifier: MIT */
/*
 * Draws scenes at the limits of class 0x17. The driver must execute some of the draws with
 * llvmpipe.
 */
#include <stdio.h>

#include "gl-scenes.h"
#include "gl-shapes.h"

static const char vertex[] =
	"varying vec2 coord;\n"
	"void main() { gl_Position = gl_Vertex; coord = gl_MultiTexCoord0.xy;\n"
	"  gl_FrontColor = gl_Color; }\n";

/* Draws band @i of @count bands that are side by side. */
static void band(int i, int count)
{
	float width = 1.8f / count;

	rect(-0.9f + i * width, -0.9f, -0.92f + (i + 1) * width, 0.9f, 0);
}

/* Draws a band in the colour of the GLSL expression @color, in which t is a texel. */
static void shaded_band(int i, int count, const char *color)
{
	char source[512];

	snprintf(source, sizeof(source),
		 "varying vec2 coord; uniform sampler2D from;\n"
		 "void main() { vec4 t = texture2D(from, coord);\n"
		 "  gl_FragColor = %s; }", color);
	gl_program(vertex, source);
	band(i, count);
	glUseProgram(0);
}

static void combine(GLenum mode, GLenum source, GLenum operand)
{
	glTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_COMBINE);
	glTexEnvi(GL_TEXTURE_ENV, GL_COMBINE_RGB, mode);
	glTexEnvi(GL_TEXTURE_ENV, GL_SOURCE0_RGB, source);
	glTexEnvi(GL_TEXTURE_ENV, GL_OPERAND0_RGB, operand);
	glTexEnvi(GL_TEXTURE_ENV, GL_SOURCE1_RGB,
		  source == GL_TEXTURE ? GL_PRIMARY_COLOR : GL_TEXTURE);
}

/*
 * Draws to a small framebuffer with a depth buffer and then to the larger
 * window. The size of the small framebuffer must not clip the draws to the
 * window.
 */
void draw_smaller_target_before(void)
{
	GLuint pictures[2], framebuffer;
	GLint back;

	glGetIntegerv(GL_FRAMEBUFFER_BINDING, &back);
	glGenRenderbuffers(2, pictures);
	glGenFramebuffers(1, &framebuffer);
	glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
	for (int i = 0; i < 2; i++) {
		glBindRenderbuffer(GL_RENDERBUFFER, pictures[i]);
		glRenderbufferStorage(GL_RENDERBUFFER,
				      i ? GL_DEPTH_COMPONENT16 : GL_RGB8, 64, 48);
		glFramebufferRenderbuffer(GL_FRAMEBUFFER,
					  i ? GL_DEPTH_ATTACHMENT : GL_COLOR_ATTACHMENT0,
					  GL_RENDERBUFFER, pictures[i]);
	}
	glDrawBuffer(GL_COLOR_ATTACHMENT0);
	clear(0, 0, 0);
	glBindFramebuffer(GL_FRAMEBUFFER, back);
	clear(0.7f, 0.4f, 0.2f);
	glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
	clear(0, 0, 0);
	glBindFramebuffer(GL_FRAMEBUFFER, back);
	glColor3f(0.2f, 0.4f, 0.8f);
	rect(-0.2f, -0.5f, 0.9f, 0.9f, 0);
	glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
	clear(0, 0, 0);
	glBindFramebuffer(GL_FRAMEBUFFER, back);
	glClear(GL_DEPTH_BUFFER_BIT);
	glEnable(GL_DEPTH_TEST);
	glColor3f(0.3f, 0.9f, 0.3f);
	rect(-0.6f, -0.8f, 0.7f, 0.1f, 0.5f);
}

/*
 * Uses shaders that subtract texels, and shaders that multiply texels by a factor above
 * 1.
 */
void draw_texel_arithmetic(void)
{
	clear(0.2f, 0.3f, 0.2f);
	texture(GL_RGB, 64, 64, false);
	glEnable(GL_DEPTH_TEST);
	shaded_band(0, 6, "vec4(1.0 - t.rgb, 1.0)");
	shaded_band(1, 6, "t * 2.0");
	shaded_band(2, 6, "clamp(t * 4.0, 0.0, 1.0) * 0.5");
	glColor3f(0.9f, 0.6f, 0.8f);
	combine(GL_REPLACE, GL_TEXTURE, GL_ONE_MINUS_SRC_COLOR);
	band(3, 6);
	combine(GL_SUBTRACT, GL_PRIMARY_COLOR, GL_SRC_COLOR);
	band(4, 6);
	combine(GL_MODULATE, GL_TEXTURE, GL_SRC_COLOR);
	glTexEnvf(GL_TEXTURE_ENV, GL_RGB_SCALE, 2);
	band(5, 6);
}

/*
 * Uses blends and alpha tests with alpha values that are not the product of a texel's component and
 * a constant.
 */
void draw_alpha_arithmetic(void)
{
	clear(0.2f, 0.5f, 0.3f);
	texture(GL_RGBA, 64, 64, false);
	glEnable(GL_BLEND);
	glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
	shaded_band(0, 6, "vec4(t.rgb, 1.0 - t.a)");
	shaded_band(1, 6, "vec4(t.rgb, t.a * 0.5 + 0.5)");
	glDisable(GL_BLEND);
	glEnable(GL_ALPHA_TEST);
	glAlphaFunc(GL_GREATER, 0.1f);
	glColor4f(1, 0.5f, 0.9f, 0.5f);
	band(2, 6);
	glDisable(GL_TEXTURE_2D);
	band(3, 6);
	glEnable(GL_TEXTURE_2D);
	glAlphaFunc(GL_LESS, 0.6f);
	band(4, 6);
	glAlphaFunc(GL_GEQUAL, 0.6f);
	band(5, 6);
}

/* The second texture must not change pixels that the alpha test rejects. */
void draw_alpha_test_two_textures(void)
{
	clear(0.9f, 0.8f, 0.5f);
	glEnable(GL_ALPHA_TEST);
	glAlphaFunc(GL_GREATER, 0.5f);
	two_textures(GL_RGBA);
}

/*
 * Draws with alpha blending in fog, and blends premultiplied colours whose components exceed their
 * alpha.
 */
void draw_blend_in_fog(void)
{
	const float color[4] = { 0.6f, 0.5f, 0.4f, 1 };

	clear(0.1f, 0.2f, 0.3f);
	texture(GL_RGBA, 64, 64, false);
	glEnable(GL_FOG);
	glFogi(GL_FOG_MODE, GL_LINEAR);
	glFogf(GL_FOG_START, -1);
	glFogf(GL_FOG_END, 2);
	glFogfv(GL_FOG_COLOR, color);
	glEnable(GL_BLEND);
	glBlendFunc(GL_SRC_ALPHA, GL_ONE);
	band(0, 3);
	glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
	band(1, 3);
	glDisable(GL_FOG);
	glDisable(GL_TEXTURE_2D);
	glColor4f(0.8f, 0.7f, 0.2f, 0);
	band(2, 3);
}

/* Uses colours above 1. GL clamps these colours before a fragment shader reads them. */
void draw_bright_colors(void)
{
	clear(0, 0, 0);
	gl_program("void main() { gl_Position = gl_Vertex;\n"
		   "  gl_FrontColor = gl_Color * 2.0; }\n",
		   "void main() { gl_FragColor = gl_Color * 0.5; }");
	glColor3f(0.9f, 0.7f, 0.3f);
	band(0, 1);
}

/*
 * Uses the same vertex shader with fragment shaders that declare their inputs in
 * different orders.
 */
void draw_input_orders(void)
{
	static const GLenum formats[] = { GL_ALPHA, GL_LUMINANCE, GL_ALPHA, GL_RGB };

	clear(0.2f, 0.3f, 0.6f);
	glEnable(GL_BLEND);
	glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
	for (int i = 0; i < 4; i++) {
		texture(formats[i], 64, 64, false);
		glTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_REPLACE);
		glBegin(GL_QUADS);
		for (int corner = 0; corner < 4; corner++) {
			float x = corner == 1 || corner == 2, y = corner >= 2;

			glColor4f(1, x, 0.5f * y, 0.4f + 0.6f * y);
			glTexCoord2f(x, y);
			glVertex2f(-0.95f + 0.48f * i + 0.44f * x, -0.9f + 1.8f * y);
		}
		glEnd();
	}
}

/*
 * Shades with varyings whose values leave the range 0 to 1 at some pixels. Some shaders
 * use such a value as the colour, others as a factor of a texel.
 */
void draw_clamped_varyings(void)
{
	clear(0.2f, 0.3f, 0.2f);
	texture(GL_RGB, 64, 64, false);
	shaded_band(0, 7, "vec4(clamp(coord.yyy * 3.0 - 1.0, 0.0, 1.0), 1.0)");
	shaded_band(1, 7, "vec4(coord.yyy * 3.0 - 1.0, 1.0)");
	shaded_band(2, 7, "vec4(t.rgb * coord.y * 2.0, 1.0)");
	shaded_band(3, 7, "clamp(t + vec4(0.5), 0.0, 1.0) * vec4(coord.yyy, 1.0)");
	shaded_band(4, 7, "vec4(clamp(coord.yyy * 3.0 - 1.0, 0.0, 1.0) * 0.5 + 0.2, 1.0)");
	shaded_band(5, 7, "vec4(t.rgb * clamp(coord.y * 4.0 - 2.0, 0.0, 1.0), 1.0)");
	shaded_band(6, 7, "vec4(t.rgb * coord.y + (coord.yyy * 2.0 - 1.0), 1.0)");
}

/* Draws with depths beyond the near and far planes. GL clamps depth per pixel. */
void draw_depth_clamp(void)
{
	clear(0.2f, 0.2f, 0.3f);
	glEnable(GL_DEPTH_TEST);
	glEnable(GL_DEPTH_CLAMP);
	glColor3f(0.9f, 0.4f, 0.1f);
	glBegin(GL_QUADS);
	glVertex3f(-0.9f, -0.9f, -3);
	glVertex3f(0.9f, -0.9f, 3);
	glVertex3f(0.9f, 0.4f, 3);
	glVertex3f(-0.9f, 0.4f, -3);
	glColor3f(0.2f, 0.7f, 0.9f);
	glVertex3f(-0.6f, -0.6f, 0.25f);
	glVertex3f(0.7f, -0.6f, 0.25f);
	glVertex3f(0.7f, 0.9f, 0.25f);
	glVertex3f(-0.6f, 0.9f, 0.25f);
	glEnd();
	glDisable(GL_DEPTH_CLAMP);
	glColor3f(0.9f, 0.9f, 0.2f);
	rect(0.75f, -0.95f, 0.95f, 0.95f, 0.5f);
}

/*
 * Draws the same bytes twice: as normalized shorts and as shorts that are not
 * normalized.
 */
void draw_same_bytes(void)
{
	static const GLshort corners[] = { -1, -1, 1, -1, 1, 1, -1, 1 };
	GLuint program = gl_program("attribute vec2 at;\n"
		"void main() { gl_Position = vec4(at * 0.8, 0.0, 1.0); }\n",
		"void main() { gl_FragColor = vec4(0.9, 0.6, 0.2, 1.0); }\n");
	GLint at = glGetAttribLocation(program, "at");

	clear(0.1f, 0.3f, 0.4f);
	glEnableVertexAttribArray(at);
	/* The first quad is too small to cover the centre of a pixel. */
	glVertexAttribPointer(at, 2, GL_SHORT, GL_TRUE, 0, corners);
	glDrawArrays(GL_QUADS, 0, 4);
	glVertexAttribPointer(at, 2, GL_SHORT, GL_FALSE, 0, corners);
	glDrawArrays(GL_QUADS, 0, 4);
	glDisableVertexAttribArray(at);
	glUseProgram(0);
}
