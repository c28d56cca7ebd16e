/* SPDX-License-Identifier: MIT */
/*
 * For LD_PRELOAD: submissions fail as if there were no room in VRAM, when the program asks
 * for that by nv3_lose_batch() (gl-checks.c).
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>

#include <nv3_drm.h>

static int countdown;

/* The submission after @skip others fails. */
void nv3_lose_batch(int skip);
/* How many of those that were asked for have not come yet. */
int nv3_lose_batch_pending(void);

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
	return real(fd, request, arg);
}
