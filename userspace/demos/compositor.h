/* SPDX-License-Identifier: MIT */
#ifndef DEMO_COMPOSITOR_H
#define DEMO_COMPOSITOR_H

#include <signal.h>
#include <stdbool.h>

#include "scene.h"

struct compositor_options {
	const char *node;	/* the primary node */
	uint32_t frames;	/* 0: no end */
	double seconds;		/* 0: no end */
	const char *png;	/* path of the last frame, or null */
	bool crc;		/* print the CRC of each frame */
	bool no_vsync;		/* compose frames without waiting for vertical blanks */
};

/*
 * Composes the pictures of the clients at the other ends of @socks until a limit in @options is
 * reached or *@stop is set. Returns 0, or a negative errno after printing a message.
 */
int compositor_run(const struct compositor_options *options,
		   const int socks[SCENES], const volatile sig_atomic_t *stop);

#endif
