/* SPDX-License-Identifier: MIT */
#ifndef DEMO_CLIENT_H
#define DEMO_CLIENT_H

#include <stdbool.h>

#include "scene.h"

/*
 * Runs a client: opens @node, and draws @scene on each request from the compositor at the other end
 * of @sock. Draws with class 0x1F if @programs is true, otherwise with class 0x17. Returns the exit
 * status of the process.
 */
int client_run(const struct scene *scene, const char *node, bool programs,
	       int sock);

/*
 * Draws the picture at @time seconds without a compositor. @pixels receives the pixels as X1R5G5B5,
 * with the width and height of the scene. Returns the number of triangles, or a negative errno.
 */
int client_picture(const struct scene *scene, const char *node, bool programs,
		   float time, uint16_t *pixels);

#endif
