/* SPDX-License-Identifier: MIT */
/*
 * A library for LD_PRELOAD that lets a program for GBM and KMS run without a display.
 * The environment variable NV3_WINDOW ("WIDTHxHEIGHT") is the size of the EGL pbuffer
 * that replaces the program's window. The functions of GBM and KMS succeed without effect.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/gl.h>
#include <gbm.h>
#include <xf86drm.h>
#include <xf86drmMode.h>

#define MAX_ATTRIBUTES 64

/* ---- the window ---- */

static void window_size(int *width, int *height)
{
	const char *text = getenv("NV3_WINDOW");

	if (!text || sscanf(text, "%dx%d", width, height) != 2) {
		*width = 640;
		*height = 480;
	}
}

typedef void *(*symbol_fn)(void *library, const char *name);

/* Returns the dlsym() of the C library. */
static symbol_fn real_dlsym(void)
{
	static symbol_fn real;

	if (!real)
		real = (symbol_fn)dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.2.5");
	return real;
}

/* Returns a function of libEGL. */
static void *egl(const char *name)
{
	static void *library;

	if (!library)
		library = dlopen("libEGL.so.1", RTLD_LAZY);
	return library ? real_dlsym()(library, name) : NULL;
}

EGLDisplay eglGetPlatformDisplay(EGLenum platform, void *native,
				 const EGLAttrib *attributes)
{
	PFNEGLGETPLATFORMDISPLAYPROC get = egl("eglGetPlatformDisplay");

	return get(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
}

EGLDisplay eglGetPlatformDisplayEXT(EGLenum platform, void *native,
				    const EGLint *attributes)
{
	return eglGetPlatformDisplay(platform, native, NULL);
}

EGLDisplay eglGetDisplay(EGLNativeDisplayType native)
{
	return eglGetPlatformDisplay(EGL_PLATFORM_GBM_MESA, NULL, NULL);
}

EGLBoolean eglChooseConfig(EGLDisplay display, const EGLint *attributes,
			   EGLConfig *configs, EGLint size, EGLint *count)
{
	PFNEGLCHOOSECONFIGPROC choose = egl("eglChooseConfig");
	EGLint wishes[MAX_ATTRIBUTES] = { EGL_SURFACE_TYPE, EGL_PBUFFER_BIT };
	unsigned int i = 2;

	for (; attributes && *attributes != EGL_NONE && i < MAX_ATTRIBUTES - 2;
	     attributes += 2) {
		if (attributes[0] == EGL_SURFACE_TYPE)
			continue;
		wishes[i++] = attributes[0];
		wishes[i++] = attributes[1];
	}
	wishes[i] = EGL_NONE;
	return choose(display, wishes, configs, size, count);
}

EGLSurface eglCreateWindowSurface(EGLDisplay display, EGLConfig config,
				  EGLNativeWindowType window,
				  const EGLint *attributes)
{
	PFNEGLCREATEPBUFFERSURFACEPROC create = egl("eglCreatePbufferSurface");
	EGLint size[] = { EGL_WIDTH, 0, EGL_HEIGHT, 0, EGL_NONE };

	window_size(&size[1], &size[3]);
	return create(display, config, size);
}

/*
 * Replaces eglSwapBuffers(), which does nothing for a pbuffer. Submits the frame with
 * glFlush().
 */
static EGLBoolean swap(EGLDisplay display, EGLSurface surface)
{
	PFNEGLGETPROCADDRESSPROC get = egl("eglGetProcAddress");
	void (*flush)(void) = (void (*)(void))get("glFlush");

	flush();
	return EGL_TRUE;
}

EGLBoolean eglSwapBuffers(EGLDisplay display, EGLSurface surface)
{
	return swap(display, surface);
}

/*
 * Returns the replacement of the function @name, or NULL if the function is not replaced. The
 * replacement is in this library, or in a library that is preloaded before this one.
 */
static void *replacement(const char *name)
{
	static const char *const names[] = {
		"eglGetPlatformDisplay", "eglGetPlatformDisplayEXT",
		"eglGetDisplay", "eglChooseConfig", "eglCreateWindowSurface",
		"eglSwapBuffers", "eglGetProcAddress",
	};
	unsigned int i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (!strcmp(name, names[i]))
			return real_dlsym()(RTLD_DEFAULT, name);
	}
	return NULL;
}

/*
 * Replaces functions for programs that open libEGL at run time. Also replaces the eglSwapBuffers()
 * that nv3-frames calls.
 */
void *dlsym(void *library, const char *name)
{
	void *found = NULL;

	if (library == RTLD_NEXT && !strcmp(name, "eglSwapBuffers"))
		found = (void *)swap; /* nv3-frames may define it */
	else if (library != RTLD_NEXT)
		found = replacement(name);
	return found ? found : real_dlsym()(library, name);
}

__eglMustCastToProperFunctionPointerType eglGetProcAddress(const char *name)
{
	PFNEGLGETPROCADDRESSPROC get = egl("eglGetProcAddress");
	void *found = replacement(name);

	return found ? (__eglMustCastToProperFunctionPointerType)found : get(name);
}

/* ---- KMS: one connector with one mode ---- */

static uint32_t only_id = 1;
static drmModeModeInfo only_mode;

int drmOpen(const char *name, const char *bus)
{
	return open("/dev/zero", O_RDWR);
}

int drmSetMaster(int fd)
{
	return 0;
}

int drmDropMaster(int fd)
{
	return 0;
}

drmModeResPtr drmModeGetResources(int fd)
{
	drmModeResPtr resources = calloc(1, sizeof(*resources));

	resources->count_connectors = 1;
	resources->connectors = &only_id;
	resources->count_encoders = 1;
	resources->encoders = &only_id;
	resources->count_crtcs = 1;
	resources->crtcs = &only_id;
	return resources;
}

drmModeConnectorPtr drmModeGetConnector(int fd, uint32_t id)
{
	drmModeConnectorPtr connector = calloc(1, sizeof(*connector));
	int width, height;

	window_size(&width, &height);
	only_mode.hdisplay = width;
	only_mode.vdisplay = height;
	only_mode.vrefresh = 60;
	connector->connector_id = only_id;
	connector->connection = DRM_MODE_CONNECTED;
	connector->count_modes = 1;
	connector->modes = &only_mode;
	connector->count_encoders = 1;
	connector->encoders = &only_id;
	connector->encoder_id = only_id;
	return connector;
}

drmModeEncoderPtr drmModeGetEncoder(int fd, uint32_t id)
{
	drmModeEncoderPtr encoder = calloc(1, sizeof(*encoder));

	encoder->encoder_id = only_id;
	encoder->crtc_id = only_id;
	encoder->possible_crtcs = 1;
	return encoder;
}

drmModeCrtcPtr drmModeGetCrtc(int fd, uint32_t id)
{
	drmModeCrtcPtr crtc = calloc(1, sizeof(*crtc));

	crtc->crtc_id = only_id;
	return crtc;
}

void drmModeFreeResources(drmModeResPtr resources)
{
	free(resources);
}

void drmModeFreeConnector(drmModeConnectorPtr connector)
{
	free(connector);
}

void drmModeFreeEncoder(drmModeEncoderPtr encoder)
{
	free(encoder);
}

void drmModeFreeCrtc(drmModeCrtcPtr crtc)
{
	free(crtc);
}

int drmModeRmFB(int fd, uint32_t id)
{
	return 0;
}

int drmModeSetCrtc(int fd, uint32_t crtc, uint32_t fb, uint32_t x, uint32_t y,
		   uint32_t *connectors, int count, drmModeModeInfoPtr mode)
{
	return 0;
}

static void *flip_data; /* NULL: no flip is pending */

int drmModePageFlip(int fd, uint32_t crtc, uint32_t fb, uint32_t flags,
		    void *data)
{
	flip_data = data;
	return 0;
}

int drmHandleEvent(int fd, drmEventContextPtr context)
{
	void *data = flip_data;

	flip_data = NULL;
	if (data && context->page_flip_handler)
		context->page_flip_handler(fd, 0, 0, 0, data);
	return 0;
}

/* ---- GBM ---- */

/*
 * The single object that represents all objects of GBM. gbm_bo_get_user_data() also
 * returns this object, so that the program does not create a framebuffer.
 */
static uint64_t only_object[16];

struct gbm_device *gbm_create_device(int fd)
{
	return (struct gbm_device *)only_object;
}

void gbm_device_destroy(struct gbm_device *device)
{
}

struct gbm_surface *gbm_surface_create(struct gbm_device *device,
				       uint32_t width, uint32_t height,
				       uint32_t format, uint32_t flags)
{
	return (struct gbm_surface *)only_object;
}

void gbm_surface_destroy(struct gbm_surface *surface)
{
}

int gbm_surface_has_free_buffers(struct gbm_surface *surface)
{
	return 1;
}

struct gbm_bo *gbm_surface_lock_front_buffer(struct gbm_surface *surface)
{
	return (struct gbm_bo *)only_object;
}

void gbm_surface_release_buffer(struct gbm_surface *surface, struct gbm_bo *bo)
{
}

void *gbm_bo_get_user_data(struct gbm_bo *bo)
{
	return only_object;
}
