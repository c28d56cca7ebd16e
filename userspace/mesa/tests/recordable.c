/* SPDX-License-Identifier: MIT */
/*
 * A library for LD_PRELOAD that makes traces of sway self-contained. sway's renderer (wlroots)
 * draws to framebuffer objects with the buffers of a screen, which apitrace does not record. The
 * library makes the renderer draw to the default framebuffer instead, which does not exist until
 * the trace is replayed. It also marks the end of each frame for apitrace, and lets wlroots use
 * drm-shim.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <string.h>

#include <EGL/egl.h>
#include <GL/gl.h>

/* ---- the framebuffer ---- */

static void ignore_image(GLenum target, void *image)
{
}

__eglMustCastToProperFunctionPointerType eglGetProcAddress(const char *name)
{
	__eglMustCastToProperFunctionPointerType (*next)(const char *) =
		dlsym(RTLD_NEXT, "eglGetProcAddress");

	if (!strcmp(name, "glEGLImageTargetRenderbufferStorageOES"))
		return (__eglMustCastToProperFunctionPointerType)ignore_image;
	return next(name);
}

void glBindFramebuffer(GLenum target, GLuint framebuffer)
{
}

void glFramebufferRenderbuffer(GLenum target, GLenum attachment,
			       GLenum renderbuffer_target, GLuint renderbuffer)
{
}

GLenum glCheckFramebufferStatus(GLenum target)
{
	return GL_FRAMEBUFFER_COMPLETE;
}

/* wlroots calls this function once, at the end of a frame. */
void glFlush(void)
{
	void (*next)(void) = dlsym(RTLD_NEXT, "glFlush");
	void (*end_frame)(void) = dlsym(RTLD_NEXT, "glFrameTerminatorGREMEDY");

	next();
	if (end_frame)
		end_frame();
}

/* ---- drm-shim ---- */

/* libdrm's function of this name reads files that drm-shim does not provide. */
char *drmGetRenderDeviceNameFromFd(int fd)
{
	return strdup("/dev/dri/renderD128");
}

/* Otherwise, wlroots would open the device again in a way that drm-shim does not support. */
int drmIsMaster(int fd)
{
	return 0;
}
