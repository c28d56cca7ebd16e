/* SPDX-License-Identifier: MIT */
#ifndef DEMO_CLIENT_H
#define DEMO_CLIENT_H

#include "scene.h"

/*
 * A client process: opens @node for itself and draws its scene whenever the
 * compositor at the other end of @sock asks. Returns the exit status.
 */
int client_run(const struct scene *scene, const char *node, int sock);

#endif
