/* SPDX-License-Identifier: MIT */
/*
 * A library for LD_PRELOAD that hides all modes other than 640x480. glmark2's
 * DRM programs select the largest mode, at which 8 MiB of VRAM hold only one
 * framebuffer.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

#include <xf86drmMode.h>

static void keep_small(drmModeConnectorPtr connector)
{
	int i, kept = 0;

	for (i = 0; i < connector->count_modes; i++) {
		if (connector->modes[i].hdisplay == 640 &&
		    connector->modes[i].vdisplay == 480)
			connector->modes[kept++] = connector->modes[i];
	}
	if (kept)
		connector->count_modes = kept;
}

drmModeConnectorPtr drmModeGetConnector(int fd, uint32_t id)
{
	drmModeConnectorPtr (*real)(int, uint32_t) =
		(void *)dlsym(RTLD_NEXT, "drmModeGetConnector");
	drmModeConnectorPtr connector = real(fd, id);

	if (connector)
		keep_small(connector);
	return connector;
}
