/* SPDX-License-Identifier: MIT */
#ifndef NV3_PIPE_H
#define NV3_PIPE_H

#include <stdbool.h>

struct nv3_context;
struct nv3_screen;
struct pipe_context;
struct pipe_screen;

/*
 * The functions by which the files of this folder initialize struct
 * pipe_screen and struct pipe_context.
 */

struct pipe_context *
nv3_context_create(struct pipe_screen *screen, void *priv, unsigned flags);

void
nv3_init_state(struct nv3_context *ctx);
void
nv3_init_query(struct nv3_context *ctx);
void
nv3_query_fini(struct nv3_context *ctx);
/* Returns false without memory. */
bool
nv3_init_draw(struct nv3_context *ctx);
void
nv3_init_clear(struct nv3_context *ctx);
void
nv3_init_flush(struct nv3_context *ctx);

#endif
