/* SPDX-License-Identifier: MIT */
#ifndef NV3_SHARE_H
#define NV3_SHARE_H

struct nv3_context;
struct nv3_resource;

/* @res was drawn to: if others may look at it they see that at the next flush. */
void
nv3_share_changed(struct nv3_context *ctx, struct nv3_resource *res);

/*
 * The framebuffer is about to change: what was drawn to it is to be seen by
 * others at the next flush.
 */
void
nv3_share_drawn(struct nv3_context *ctx);

/* What others see of what was drawn is brought up to date. */
void
nv3_share_flush(struct nv3_context *ctx);

/* Forgets what was drawn. */
void
nv3_share_fini(struct nv3_context *ctx);

#endif
