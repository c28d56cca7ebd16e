/* SPDX-License-Identifier: MIT */
/* Triangles of class 0x17 from the vertices of Mesa's draw module. */
#ifndef NV3_RENDER_H
#define NV3_RENDER_H

#include <stdbool.h>

struct nv3_context;
struct pipe_draw_info;
struct vbuf_render;

/* Creates the draw module's back end. Returns NULL without memory. */
struct vbuf_render *
nv3_render_create(struct nv3_context *ctx);

/*
 * Prepares for the primitives of a draw with ctx->state. They are collected
 * until nv3_render_end(). Returns false without memory.
 */
bool
nv3_render_begin(struct nv3_context *ctx);

/*
 * Returns the reason why class 0x17 can't draw the collected primitives, which
 * depends on their vertices, or NULL.
 */
const char *
nv3_render_refuse(struct nv3_context *ctx);

/* Sends the collected primitives. Returns false without memory. */
bool
nv3_render_end(struct nv3_context *ctx);

#endif
