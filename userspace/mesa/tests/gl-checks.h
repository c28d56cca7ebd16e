/* SPDX-License-Identifier: MIT */
/* Declarations that the files of nv3-gl-checks share. */
#ifndef GL_CHECKS_H
#define GL_CHECKS_H

#include <stdbool.h>

#include <EGL/egl.h>

#include "gl-util.h"

#define SIZE 128
#define LARGE 512

struct color {
	int r, g, b;
};

extern EGLDisplay display;
extern EGLConfig config;
/* The context of the running test. */
extern EGLContext context;
extern const struct color red, green, blue;

/* Prints @what and ends the program. */
void die(const char *what);
EGLContext new_context(EGLContext share);
void make_current(EGLContext which);
/* Binds a new framebuffer of @size x @size pixels, and returns its name. */
GLuint bind_framebuffer(int size);
void clear(float r, float g, float b);
/*
 * Draws a quad from vertex arrays. Mesa passes such a draw to the driver at once, but
 * collects the vertices between glBegin() and glEnd().
 */
void quad(float x0, float y0, float x1, float y1);
struct color pixel(int x, int y);
bool is_near(struct color a, struct color b);
/* Returns @count, or @count / 10 if the test runs in the guest, where tests are slower. */
int repeats(int count);
/*
 * Fills a texture with the colour @c, binds it and returns its name. If @name is 0, creates the
 * texture.
 */
GLuint plain_texture(GLuint name, int size, struct color c);

/* ---- gl-shared.c: tests ---- */

bool shared_stream(void);
bool shared_parts(void);
bool shared_memory(void);
bool shared_target(void);
bool shared_texture_memory(void);
bool shared_by_threads(void);

/* ---- gl-lost.c: tests ---- */

bool lost_channel(void);
bool robust_access(void);
bool out_of_memory(void);
bool lost_batch(void);

#endif
