/* SPDX-License-Identifier: MIT */
#ifndef DEMO_CLIENT_H
#define DEMO_CLIENT_H

#include <stdbool.h>

#include "scene.h"

struct client_options {
	bool programs;		/* draw with class 0x1F, otherwise with class 0x17 */
	uint32_t detail;	/* of the mesh, 1 to DETAIL_MAX */
};

/*
 * Runs a client: opens @node, and draws @scene on each request from the compositor at the other end
 * of @sock. Returns the exit status of the process.
 */
int client_run(const struct scene *scene, const char *node,
	       const struct client_options *options, int sock);

/*
 * Draws the picture at @time seconds without a compositor. @pixels receives the pixels as X1R5G5B5,
 * with the width and height of the scene. Returns the number of triangles, or a negative errno.
 */
int client_picture(const struct scene *scene, const char *node,
		   const struct client_options *options, float time, uint16_t *pixels);

#endif
