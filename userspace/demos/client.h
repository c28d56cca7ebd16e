/* SPDX-License-Identifier: MIT */
#ifndef DEMO_CLIENT_H
#define DEMO_CLIENT_H

#include "scene.h"

/*
 * Runs a client: opens @node, and draws its scene whenever the compositor at the other end of @sock
 * requests it. Returns the exit status of the process.
 */
int client_run(const struct scene *scene, const char *node, int sock);

#endif
