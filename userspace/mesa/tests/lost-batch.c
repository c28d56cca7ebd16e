/* SPDX-License-Identifier: MIT */
/*
 * A library for LD_PRELOAD that the tests of gl-lost.c control. After nv3_lose_batch(), one
 * submission fails as if VRAM were full. After nv3_refuse_buffers(1), the creation of buffers fails
 * as if memory were exhausted.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>

#include <nv3_drm.h>

static int countdown;
static int refuses;

/* Makes the submission after the next @skip submissions fail. */
void nv3_lose_batch(int skip);
/* Returns 0 once the submission that nv3_lose_batch() selected has failed. */
int nv3_lose_batch_pending(void);

void nv3_refuse_buffers(int refuse);

void nv3_refuse_buffers(int refuse)
{
	refuses = refuse;
}

void nv3_lose_batch(int skip)
{
	countdown = skip + 1;
}

int nv3_lose_batch_pending(void)
{
	return countdown;
}

int ioctl(int fd, unsigned long request, ...)
{
	int (*real)(int, unsigned long, ...) = (void *)dlsym(RTLD_NEXT, "ioctl");
	va_list args;
	void *arg;

	va_start(args, request);
	arg = va_arg(args, void *);
	va_end(args);
	if (request == DRM_IOCTL_NV3_SUBMIT && countdown && !--countdown) {
		errno = ENOSPC;
		return -1;
	}
	if (request == DRM_IOCTL_NV3_GEM_CREATE && refuses) {
		errno = ENOMEM;
		return -1;
	}
	return real(fd, request, arg);
}
