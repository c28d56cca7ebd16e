/* SPDX-License-Identifier: MIT */
/* Translation of pipe state to the terms of class 0x17. */
#ifndef NV3_VALIDATE_H
#define NV3_VALIDATE_H

#include <stdbool.h>

struct nv3_context;

/*
 * Translates the pipe state to ctx->state. Returns NULL, or the reason why
 * class 0x17 can't draw.
 */
const char *
nv3_validate(struct nv3_context *ctx);

/* Updates the render copies of ctx->state. Returns false without memory. */
bool
nv3_validate_targets(struct nv3_context *ctx);

#endif
