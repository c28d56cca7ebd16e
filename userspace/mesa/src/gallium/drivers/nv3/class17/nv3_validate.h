/* SPDX-License-Identifier: MIT */
#ifndef NV3_VALIDATE_H
#define NV3_VALIDATE_H

struct nv3_context;

/*
 * Updates ctx->states for ctx->passes passes. May flush. Returns NULL, or the
 * reason why class 0x17 can't draw with the current state.
 */
const char *
nv3_validate(struct nv3_context *ctx);

#endif
