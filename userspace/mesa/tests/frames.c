/* SPDX-License-Identifier: MIT */
/*
 * A library for LD_PRELOAD that saves frames of an unmodified program as pictures.
 *
 * NV3_FRAMES="10 100"   the frames to capture, counted from 1; the program ends
 *                       after the last one
 * NV3_FRAMES_TO=PATH    writes PATH-10.png, PATH-100.png
 * NV3_FRAMES_STEP=MS    makes runs reproducible: the program sees this much time
 *                       per frame, and random numbers are constant
 * NV3_FRAMES_FROM=TEXT  starts to count frames and time when the program has
 *                       printed TEXT
 * NV3_FRAMES_FOR=S      ends the program S seconds after the count has started
 * NV3_FRAMES_KEYS="5:58 9:73"  presses key 58 before frame 5, and key 73 before frame 9;
 *                       the keys have SFML's numbers: 58 is Enter, 73 is Up
 *
 * NV3_FRAMES_SIGNAL=N    ends the program by signal N instead of exit(), which runs the
 *                       program's own code
 * NV3_FRAMES_HIDE=TEXT  hides OpenGL functions whose names contain TEXT from programs that
 *                       use SFML
 *
 * To count frames, the library replaces the functions of GLX, EGL, SDL and SFML that
 * present a frame. When the program ends, the library prints the number of frames and
 * the real time.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include <GL/gl.h>
#include <png.h>

#define NSEC 1000000000ll

static atomic_llong frames;

/* ---- time ---- */

/*
 * If a program reads the clock this number of times within a frame, the library assumes
 * that the program waits for time to pass. The library then advances the program's
 * clock by a millisecond.
 */
#define PATIENCE 1000

static atomic_llong calls, waited_ms;

/* Reads the clock with the C library's function, which needs no system call. */
static int real_clock(clockid_t clock, struct timespec *ts)
{
	static int (*next)(clockid_t, struct timespec *);

	if (!next)
		next = dlsym(RTLD_NEXT, "clock_gettime");
	return next(clock, ts);
}

static long long real_time(clockid_t clock)
{
	struct timespec ts;

	real_clock(clock, &ts);
	return ts.tv_sec * NSEC + ts.tv_nsec;
}

static long long step(void)
{
	static long long ns = -1;

	if (ns < 0) {
		const char *text = getenv("NV3_FRAMES_STEP");

		ns = text ? atoi(text) * 1000000ll : 0;
	}
	return ns;
}

/*
 * Returns the time that the program sees, in nanoseconds since the start of the
 * program.
 */
static long long shown_time(void)
{
	if (atomic_fetch_add(&calls, 1) % PATIENCE == PATIENCE - 1)
		waited_ms++;
	return frames * step() + waited_ms * 1000000;
}

/*
 * Returns true if the caller is a driver. Mesa and the chip model see the real time. If
 * shown_time() counted their calls, the program's time would depend on the driver.
 */
static bool is_driver(const void *caller)
{
	Dl_info library;

	return dladdr(caller, &library) && library.dli_fname &&
	       (strstr(library.dli_fname, "gallium") ||
		strstr(library.dli_fname, "drm_shim"));
}

/*
 * The date that programs see. The date is constant, because programs use the date as a
 * seed of random numbers.
 */
#define EPOCH (1000000000 * NSEC)

static long long now(clockid_t clock)
{
	return clock == CLOCK_REALTIME ? EPOCH + shown_time() :
					 NSEC + shown_time();
}

int clock_gettime(clockid_t clock, struct timespec *ts)
{
	long long ns;

	if (!step() || is_driver(__builtin_return_address(0)) ||
	    (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC &&
	     clock != CLOCK_MONOTONIC_RAW))
		return real_clock(clock, ts);
	ns = now(clock);
	ts->tv_sec = ns / NSEC;
	ts->tv_nsec = ns % NSEC;
	return 0;
}

int gettimeofday(struct timeval *tv, void *zone)
{
	long long ns = step() ? now(CLOCK_REALTIME) : real_time(CLOCK_REALTIME);

	tv->tv_sec = ns / NSEC;
	tv->tv_usec = ns % NSEC / 1000;
	return 0;
}

time_t time(time_t *result)
{
	time_t seconds = (step() ? now(CLOCK_REALTIME) :
				   real_time(CLOCK_REALTIME)) / NSEC;

	if (result)
		*result = seconds;
	return seconds;
}

/* ---- random numbers ---- */

/*
 * Replaces /dev/urandom by /dev/zero, because programs seed random numbers from /dev/urandom.
 * OpenArena, for example, uses random numbers for debris.
 */
FILE *fopen(const char *path, const char *mode)
{
	FILE *(*next)(const char *, const char *) = dlsym(RTLD_NEXT, "fopen");

	if (step() && !strcmp(path, "/dev/urandom"))
		path = "/dev/zero";
	return next(path, mode);
}

/* ---- pictures ---- */

static long long started;
static atomic_bool counting;

static bool is_counting(void)
{
	if (!counting && !getenv("NV3_FRAMES_FROM"))
		counting = true;
	return counting;
}

/*
 * Writes @text to @file, and searches @text for the text of NV3_FRAMES_FROM. Games print the
 * messages of their console with this function.
 */
int fputs(const char *text, FILE *file)
{
	int (*next)(const char *, FILE *) = dlsym(RTLD_NEXT, "fputs");
	const char *from = getenv("NV3_FRAMES_FROM");

	if (!counting && from && strstr(text, from))
		counting = true;
	return next(text, file);
}

static double seconds_counted(void)
{
	return (real_time(CLOCK_MONOTONIC) - started) / (double)NSEC;
}

static void say(void)
{
	fprintf(stderr, "frames: %lld in %.2f s\n", (long long)frames,
		seconds_counted());
}

static void *gl(const char *name)
{
	static void *library;

	if (!library)
		library = dlopen("libGL.so.1", RTLD_LAZY);
	return library ? dlsym(library, name) : NULL;
}

static void take_picture(long long frame)
{
	void (*get)(GLenum, GLint *) = gl("glGetIntegerv");
	void (*read)(GLint, GLint, GLsizei, GLsizei, GLenum, GLenum, void *) =
		gl("glReadPixels");
	const char *to = getenv("NV3_FRAMES_TO");
	png_image image = {
		.version = PNG_IMAGE_VERSION,
		.format = PNG_FORMAT_RGBA,
	};
	GLint view[4];
	uint8_t *rgba;
	char path[4096];
	size_t i;

	if (!get || !read)
		return;
	get(GL_VIEWPORT, view);
	image.width = view[2];
	image.height = view[3];
	rgba = calloc((size_t)view[2] * view[3], 4);
	if (!rgba)
		return;
	read(view[0], view[1], view[2], view[3], GL_RGBA, GL_UNSIGNED_BYTE,
	     rgba);
	/* Ignore the alpha of windows, because windows are opaque. */
	for (i = 0; i < (size_t)view[2] * view[3]; i++)
		rgba[i * 4 + 3] = 255;
	snprintf(path, sizeof(path), "%s-%lld.png", to ? to : "frame", frame);
	if (!png_image_write_to_file(&image, path, 0, rgba, -view[2] * 4, NULL))
		fprintf(stderr, "frames: %s: %s\n", path, image.message);
	free(rgba);
}

static void before_swap(void)
{
	const char *list = getenv("NV3_FRAMES"), *limit = getenv("NV3_FRAMES_FOR");
	const char *number = getenv("NV3_FRAMES_SIGNAL");
	long long frame, wanted, last = 0;
	char *end;

	if (!is_counting())
		return;
	if (!started) {
		started = real_time(CLOCK_MONOTONIC);
		atexit(say);
	}
	frame = ++frames;
	calls = 0;
	while (list && *list) {
		wanted = strtoll(list, &end, 10);
		if (end == list)
			break;
		list = end;
		if (wanted == frame)
			take_picture(frame);
		if (wanted > last)
			last = wanted;
	}
	if ((last && frame >= last) || (limit && seconds_counted() >= atof(limit))) {
		if (number)
			raise(atoi(number));
		exit(0);
	}
}

/* ---- presentation functions ---- */

void glXSwapBuffers(void *display, unsigned long drawable);
unsigned int eglSwapBuffers(void *display, void *surface);
void SDL_GL_SwapWindow(void *window);
void SDL_GL_SwapBuffers(void);
void sfml_display(void *window) __asm__("_ZN2sf6Window7displayEv");

void glXSwapBuffers(void *display, unsigned long drawable)
{
	void (*next)(void *, unsigned long) = dlsym(RTLD_NEXT, "glXSwapBuffers");

	before_swap();
	next(display, drawable);
}

unsigned int eglSwapBuffers(void *display, void *surface)
{
	unsigned int (*next)(void *, void *) = dlsym(RTLD_NEXT, "eglSwapBuffers");

	before_swap();
	return next(display, surface);
}

void SDL_GL_SwapWindow(void *window)
{
	void (*next)(void *) = dlsym(RTLD_NEXT, "SDL_GL_SwapWindow");

	before_swap();
	next(window);
}

/* SDL 1.2 */
void SDL_GL_SwapBuffers(void)
{
	void (*next)(void) = dlsym(RTLD_NEXT, "SDL_GL_SwapBuffers");

	before_swap();
	next();
}

void sfml_display(void *window)
{
	void (*next)(void *) = dlsym(RTLD_NEXT, "_ZN2sf6Window7displayEv");

	before_swap();
	next(window);
}

/* ---- OpenGL functions ---- */

void *sfml_function(const char *name) __asm__("_ZN2sf7Context11getFunctionEPKc");

void *sfml_function(const char *name)
{
	void *(*next)(const char *) =
		dlsym(RTLD_NEXT, "_ZN2sf7Context11getFunctionEPKc");
	const char *hidden = getenv("NV3_FRAMES_HIDE");

	return hidden && strstr(name, hidden) ? NULL : next(name);
}

/* ---- keys ---- */

/* The members of SFML 2's sf::Event for key presses. */
struct sfml_event {
	int type;
	int code, scancode;
	bool alt, control, shift, system;
};

#define SFML_KEY_PRESSED 5

/*
 * Sets @code to the key of the next press that is due before the current frame. Returns false if no
 * press is due.
 */
static bool next_key(int *code)
{
	static const char *list;
	static bool begun;
	char *end;
	long long at;

	if (!begun)
		list = getenv("NV3_FRAMES_KEYS");
	begun = true;
	if (!list)
		return false;
	at = strtoll(list, &end, 10);
	if (end == list || *end != ':' || frames < at)
		return false;
	*code = strtol(end + 1, &end, 10);
	list = end;
	return true;
}

bool sfml_poll(void *window, struct sfml_event *event)
	__asm__("_ZN2sf10WindowBase9pollEventERNS_5EventE");

bool sfml_poll(void *window, struct sfml_event *event)
{
	bool (*next)(void *, struct sfml_event *) =
		dlsym(RTLD_NEXT, "_ZN2sf10WindowBase9pollEventERNS_5EventE");
	int code;

	if (!next_key(&code))
		return next(window, event);
	*event = (struct sfml_event) {
		.type = SFML_KEY_PRESSED, .code = code, .scancode = -1,
	};
	return true;
}
