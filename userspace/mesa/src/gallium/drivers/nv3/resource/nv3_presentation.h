/* SPDX-License-Identifier: MIT */
#ifndef NV3_PRESENTATION_H
#define NV3_PRESENTATION_H

#include <stdbool.h>

struct nv3_context;
struct nv3_resource;

/*
 * Converts the render copy of @res to its canonical copy by the hardware. The
 * CPU does not wait. Returns false if the hardware can't convert it. The CPU
 * must then convert it.
 */
bool
nv3_presentation_convert(struct nv3_context *ctx, struct nv3_resource *res);

/*
 * Frees converters whose picture has no other user, or with @all every
 * converter.
 */
void
nv3_presentation_drop(struct nv3_context *ctx, bool all);

#endif
