/* SPDX-License-Identifier: MIT */
#ifndef NV3_VBUF_H
#define NV3_VBUF_H

struct nv3_context;
struct nv3_draw_state;
struct vbuf_render;

/* Creates the draw module's back end. Returns NULL without memory. */
struct vbuf_render *
nv3_render_create(struct nv3_context *ctx);

/*
 * Sets the layout of the draw module's vertices. The draw module must already
 * have the current state.
 */
void
nv3_vbuf_set_layout(struct nv3_context *ctx, struct nv3_draw_state *state);

#endif
