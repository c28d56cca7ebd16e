/* SPDX-License-Identifier: MIT */
#ifndef NV3_VALIDATE_H
#define NV3_VALIDATE_H

struct nv3_context;

/*
 * Brings ctx->states up to date, one for each of ctx->passes. NULL, or why the
 * chip can't draw that. May flush.
 */
const char *
nv3_validate(struct nv3_context *ctx);

#endif
