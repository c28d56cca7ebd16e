/* SPDX-License-Identifier: MIT */
#ifndef DEMO_COMPOSITOR_H
#define DEMO_COMPOSITOR_H

#include <signal.h>
#include <stdbool.h>

#include "scene.h"

struct compositor_options {
	const char *node;	/* the primary one */
	uint32_t frames;	/* 0: no end */
	double seconds;		/* 0: no end */
	const char *png;	/* the last frame, or null */
	bool crc;		/* print that of each frame */
};

/*
 * Composes what the clients at the other ends of @socks draw, until it has done
 * what @options say or *@stop is set. Returns 0 or a negative errno, having
 * said on stderr what went wrong.
 */
int compositor_run(const struct compositor_options *options,
		   const int socks[SCENES], const volatile sig_atomic_t *stop);

#endif
