/* SPDX-License-Identifier: MIT */
/*
 * A library for LD_PRELOAD that restricts EGL's configurations to 16 bits per pixel and 16 bits of
 * depth. The tests with Piglit use it.
 *
 * Otherwise, Piglit would get a configuration with 8 bits per colour and 24 bits of depth, and
 * expect a higher precision than the chip has. The library also makes Piglit use the tolerance for
 * 5-bit colours. Most tests request alpha and compare four channels. For these tests, the library
 * selects a configuration without alpha. It also makes Piglit use the tolerance for 1-bit alpha, so
 * that Piglit accepts any value of alpha.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <string.h>

#include <EGL/egl.h>

#define MAX_CONFIGS 256
#define MAX_ATTRIBUTES 64

static EGLBoolean (*next_choose)(EGLDisplay, const EGLint *, EGLConfig *,
				 EGLint, EGLint *);
static EGLBoolean (*get_attribute)(EGLDisplay, EGLConfig, EGLint, EGLint *);

static bool has_up_to(EGLDisplay display, EGLConfig config, EGLint attribute,
		    EGLint bits)
{
	EGLint value;

	return get_attribute(display, config, attribute, &value) &&
	       value <= bits;
}

static bool is_color(EGLint attribute)
{
	return attribute == EGL_BUFFER_SIZE || attribute == EGL_RED_SIZE ||
	       attribute == EGL_GREEN_SIZE || attribute == EGL_BLUE_SIZE ||
	       attribute == EGL_ALPHA_SIZE;
}

/*
 * Copies the requested attributes from @from to @to, except for colours and alpha. Reduces depth to
 * at most 16 bits.
 */
static void modest_wishes(const EGLint *from, EGLint *to)
{
	EGLint *end = to + MAX_ATTRIBUTES - 2;

	for (; from && *from != EGL_NONE && to < end; from += 2) {
		if (is_color(*from))
			continue;
		*to++ = from[0];
		*to++ = from[0] == EGL_DEPTH_SIZE && from[1] > 16 ? 16 : from[1];
	}
	*to = EGL_NONE;
}

static EGLBoolean choose(EGLDisplay display, const EGLint *attributes,
			 EGLConfig *configs, EGLint size, EGLint *count)
{
	EGLConfig found[MAX_CONFIGS];
	EGLint wishes[MAX_ATTRIBUTES], found_count, small = 0, depth, i;

	modest_wishes(attributes, wishes);
	if (!next_choose(display, wishes, found, MAX_CONFIGS, &found_count))
		return EGL_FALSE;
	/*
	 * No configuration has both a stencil and 16 bits of depth. Prefer up to 16 bits of depth,
	 * and accept up to 32.
	 */
	for (depth = 16; !small && depth <= 32; depth += 16) {
		for (i = 0; i < found_count; i++) {
			if (has_up_to(display, found[i], EGL_BUFFER_SIZE, 16) &&
			    has_up_to(display, found[i], EGL_DEPTH_SIZE, depth))
				found[small++] = found[i];
		}
	}
	if (!small)
		return next_choose(display, attributes, configs, size, count);
	if (configs) {
		small = small < size ? small : size;
		memcpy(configs, found, small * sizeof(*configs));
	}
	*count = small;
	return EGL_TRUE;
}

/*
 * Replaces eglChooseConfig() in programs that are linked with libEGL, such as
 * Debian's Waffle.
 */
EGLBoolean eglChooseConfig(EGLDisplay display, const EGLint *attributes,
			   EGLConfig *configs, EGLint size, EGLint *count)
{
	next_choose = dlsym(RTLD_NEXT, "eglChooseConfig");
	get_attribute = dlsym(RTLD_NEXT, "eglGetConfigAttrib");
	return choose(display, attributes, configs, size, count);
}

/* Replaces functions in programs that open libEGL at run time. */
void *dlsym(void *handle, const char *name)
{
	static void *(*next)(void *, const char *);

	if (!next)
		next = dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.2.5");
	if (handle == RTLD_NEXT || strcmp(name, "eglChooseConfig"))
		return next(handle, name);
	next_choose = next(handle, name);
	get_attribute = next(handle, "eglGetConfigAttrib");
	return next_choose ? choose : NULL;
}

static void __attribute__((constructor)) tell_piglit(void)
{
	void (*set)(int, int, int, int) =
		dlsym(RTLD_DEFAULT, "piglit_set_tolerance_for_bits");

	if (set)
		set(5, 5, 5, 1);
}
