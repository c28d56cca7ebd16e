/* SPDX-License-Identifier: MIT */
#ifndef NV3_SHARED_H
#define NV3_SHARED_H

struct nv3_context;
struct nv3_resource;

/*
 * Must follow every draw to @res. If other processes can see @res, the next
 * flush converts it.
 */
void
nv3_shared_changed(struct nv3_context *ctx, struct nv3_resource *res);

/*
 * Calls nv3_shared_changed() for the framebuffer's colour buffers. Must
 * precede every change of the framebuffer.
 */
void
nv3_shared_drawn(struct nv3_context *ctx);

/* Converts all pictures that other processes can see and that were drawn to. */
void
nv3_shared_flush(struct nv3_context *ctx);

/* Frees the list of pictures to convert. */
void
nv3_shared_fini(struct nv3_context *ctx);

#endif
