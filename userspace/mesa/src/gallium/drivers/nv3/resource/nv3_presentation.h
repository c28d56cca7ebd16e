/* SPDX-License-Identifier: MIT */
#ifndef NV3_PRESENTATION_H
#define NV3_PRESENTATION_H

#include <stdbool.h>

struct nv3_context;
struct nv3_resource;

/*
 * Has the chip convert the target into the canonical, which others share. False if
 * that is for the CPU to do; else it is done when the batch is, and nobody
 * waits.
 */
bool
nv3_presentation_convert(struct nv3_context *ctx, struct nv3_resource *res);

/* Forgets objects on pictures that nobody else has any more. */
void
nv3_presentation_drop(struct nv3_context *ctx, bool all);

#endif
