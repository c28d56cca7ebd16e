/* SPDX-License-Identifier: MIT */
/*
 * For LD_PRELOAD: a connector has its 640x480 modes only. glmark2's DRM programs
 * always take the largest mode, of which 8 MiB of VRAM hold one picture.
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
