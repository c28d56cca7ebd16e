/* SPDX-License-Identifier: MIT */
/* Implements contexts, pictures and comparisons for the OpenGL tests. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <png.h>

#include "gl-util.h"

static EGLDisplay display;
static EGLContext context;
static GLuint framebuffer, color, depth;
static int width, height;

static void die(const char *what)
{
	fprintf(stderr, "nv3-gl-test: %s\n", what);
	exit(2);
}

void picture_write(const struct picture *pic, const char *path)
{
	png_image image = {
		.version = PNG_IMAGE_VERSION,
		.width = pic->width,
		.height = pic->height,
		.format = PNG_FORMAT_RGBA,
	};

	/*
	 * The stride is negative, because @pic stores the bottom row first,
	 * and PNG the top row.
	 */
	if (!png_image_write_to_file(&image, path, 0, pic->rgba,
				     -pic->width * 4, NULL))
		die(path);
}

void picture_read(struct picture *pic, const char *path)
{
	png_image image = { .version = PNG_IMAGE_VERSION };

	if (!png_image_begin_read_from_file(&image, path))
		die(path);
	image.format = PNG_FORMAT_RGBA;
	pic->width = image.width;
	pic->height = image.height;
	pic->rgba = malloc(PNG_IMAGE_SIZE(image));
	if (!pic->rgba ||
	    !png_image_finish_read(&image, NULL, pic->rgba,
				   -pic->width * 4, NULL))
		die(path);
}

#define BLOCK 4

static double block_mean(const struct picture *pic, int x, int y, int c)
{
	int sum = 0, i, j;

	for (j = 0; j < BLOCK; j++)
		for (i = 0; i < BLOCK; i++)
			sum += pic->rgba[((y + j) * pic->width + x + i) * 4 + c];
	return sum / (double)(BLOCK * BLOCK);
}

struct difference picture_compare(const struct picture *a,
				  const struct picture *b, double step)
{
	struct difference diff = { 0 };
	int x, y, c, blocks = 0, bad = 0;

	for (y = 0; y + BLOCK <= a->height; y += BLOCK) {
		for (x = 0; x + BLOCK <= a->width; x += BLOCK) {
			bool far = false;

			for (c = 0; c < 3; c++) {
				double d = fabs(block_mean(a, x, y, c) -
						block_mean(b, x, y, c));

				diff.mean += d;
				far |= d > step;
			}
			blocks++;
			bad += far;
		}
	}
	diff.mean /= blocks * 3;
	diff.worst_part = bad / (double)blocks;
	return diff;
}

#define WINDOW 8
#define WINDOW_STEP 4
/*
 * Pictures are scaled down until their shorter side has about this many
 * pixels.
 */
#define SEEN 256

/* The luminance of a picture that is scaled down by @scale. */
struct plane {
	int width, height;
	double *at;
};

static struct plane luminance(const struct picture *pic, int scale)
{
	struct plane plane = { pic->width / scale, pic->height / scale };
	int x, y;

	plane.at = calloc((size_t)plane.width * plane.height + 1,
			  sizeof(*plane.at));
	if (!plane.at)
		die("no memory");
	for (y = 0; y < plane.height * scale; y++) {
		for (x = 0; x < plane.width * scale; x++) {
			const uint8_t *p = pic->rgba + (y * pic->width + x) * 4;

			plane.at[y / scale * plane.width + x / scale] +=
				(0.299 * p[0] + 0.587 * p[1] + 0.114 * p[2]) /
				(scale * scale);
		}
	}
	return plane;
}

static double window_similarity(const struct plane *a, const struct plane *b,
				int x, int y)
{
	const double c1 = 0.01 * 255 * 0.01 * 255, c2 = 0.03 * 255 * 0.03 * 255;
	const int count = WINDOW * WINDOW;
	double sa = 0, sb = 0, saa = 0, sbb = 0, sab = 0;
	double ma, mb, va, vb, cov;
	int i, j;

	for (j = y; j < y + WINDOW; j++) {
		for (i = x; i < x + WINDOW; i++) {
			double pa = a->at[j * a->width + i];
			double pb = b->at[j * b->width + i];

			sa += pa;
			sb += pb;
			saa += pa * pa;
			sbb += pb * pb;
			sab += pa * pb;
		}
	}
	ma = sa / count;
	mb = sb / count;
	va = saa / count - ma * ma;
	vb = sbb / count - mb * mb;
	cov = sab / count - ma * mb;
	return (2 * ma * mb + c1) * (2 * cov + c2) /
	       ((ma * ma + mb * mb + c1) * (va + vb + c2));
}

double picture_similarity(const struct picture *a, const struct picture *b)
{
	int shorter = a->width < a->height ? a->width : a->height;
	int scale = (shorter + SEEN / 2) / SEEN;
	struct plane pa, pb;
	double sum = 0;
	int x, y, count = 0;

	if (a->width != b->width || a->height != b->height)
		return 0;
	pa = luminance(a, scale > 1 ? scale : 1);
	pb = luminance(b, scale > 1 ? scale : 1);
	for (y = 0; y + WINDOW <= pa.height; y += WINDOW_STEP) {
		for (x = 0; x + WINDOW <= pa.width; x += WINDOW_STEP) {
			sum += window_similarity(&pa, &pb, x, y);
			count++;
		}
	}
	free(pa.at);
	free(pb.at);
	return count ? sum / count : 0;
}

double seconds(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec + ts.tv_nsec * 1e-9;
}

bool has_programs(void)
{
	return strstr((const char *)glGetString(GL_RENDERER), "class 0x1f");
}

void gl_begin(int new_width, int new_height)
{
	PFNEGLGETPLATFORMDISPLAYEXTPROC get_display =
		(void *)eglGetProcAddress("eglGetPlatformDisplayEXT");
	EGLConfig config;
	EGLint count;

	width = new_width;
	height = new_height;
	if (!display) {
		display = get_display(EGL_PLATFORM_SURFACELESS_MESA,
				      EGL_DEFAULT_DISPLAY, NULL);
		if (!eglInitialize(display, NULL, NULL))
			die("no EGL display");
		eglBindAPI(EGL_OPENGL_API);
	}
	if (!eglChooseConfig(display, (EGLint[]) {
			EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT,
			EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_NONE },
			&config, 1, &count) || !count)
		die("no EGL config");
	context = eglCreateContext(display, config, EGL_NO_CONTEXT, NULL);
	if (!context || !eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE,
					context))
		die("no GL context");

	glGenFramebuffers(1, &framebuffer);
	glGenRenderbuffers(1, &color);
	glGenRenderbuffers(1, &depth);
	glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
	glBindRenderbuffer(GL_RENDERBUFFER, color);
	glRenderbufferStorage(GL_RENDERBUFFER, GL_RGB8, width, height);
	glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0,
				  GL_RENDERBUFFER, color);
	glBindRenderbuffer(GL_RENDERBUFFER, depth);
	glRenderbufferStorage(GL_RENDERBUFFER, GL_DEPTH24_STENCIL8, width,
			      height);
	glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_STENCIL_ATTACHMENT,
				  GL_RENDERBUFFER, depth);
	if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
		die("no framebuffer");
	glViewport(0, 0, width, height);
}

void gl_end(void)
{
	glDeleteFramebuffers(1, &framebuffer);
	glDeleteRenderbuffers(1, &color);
	glDeleteRenderbuffers(1, &depth);
	eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
	eglDestroyContext(display, context);
}

void gl_read(struct picture *pic)
{
	pic->width = width;
	pic->height = height;
	pic->rgba = malloc(width * height * 4);
	if (!pic->rgba)
		die("no memory");
	glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, pic->rgba);
	if (glGetError())
		die("a GL error");
}

void gl_texture(int size, GLenum format, const uint8_t *texels)
{
	GLuint name;

	glGenTextures(1, &name);
	glBindTexture(GL_TEXTURE_2D, name);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
	glTexImage2D(GL_TEXTURE_2D, 0, format, size, size, 0, format,
		     GL_UNSIGNED_BYTE, texels);
}

static GLuint shader(GLenum type, const char *text)
{
	GLuint name = glCreateShader(type);
	GLint ok;

	glShaderSource(name, 1, &text, NULL);
	glCompileShader(name);
	glGetShaderiv(name, GL_COMPILE_STATUS, &ok);
	if (!ok)
		die("a shader does not compile");
	return name;
}

GLuint gl_program(const char *vertex, const char *fragment)
{
	GLuint program = glCreateProgram();
	GLint ok;

	glAttachShader(program, shader(GL_VERTEX_SHADER, vertex));
	glAttachShader(program, shader(GL_FRAGMENT_SHADER, fragment));
	glLinkProgram(program);
	glGetProgramiv(program, GL_LINK_STATUS, &ok);
	if (!ok)
		die("a program does not link");
	glUseProgram(program);
	return program;
}
