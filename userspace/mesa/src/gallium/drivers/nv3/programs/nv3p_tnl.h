/* SPDX-License-Identifier: MIT */
/*
 * Draws with vertices or primitives that Mesa's draw module computes. The
 * class lacks edge flags, stippled and smooth lines, and smooth points. Its
 * vertex programs are limited in size and in the number of textures. The chip
 * does not check the bounds of vertex buffers.
 */
#ifndef NV3P_TNL_H
#define NV3P_TNL_H

#include <stdbool.h>
#include <stdint.h>

#include "util/macros.h"

enum mesa_prim;
struct nv3p_context;
struct pipe_draw_info;
struct pipe_draw_start_count_bias;
struct vbuf_render;

/* The reasons why a draw needs the draw module. */
enum nv3p_tnl_reason {
   NV3P_TNL_NONE,
   NV3P_TNL_LIMITS,
   NV3P_TNL_BOUNDS,
   NV3P_TNL_EDGE_FLAGS,
   NV3P_TNL_LINE_STIPPLE,
   NV3P_TNL_SMOOTH_LINES,
   NV3P_TNL_SMOOTH_POINTS,
};

/*
 * Returns the reason why the bound state needs the draw module for primitives
 * of type @prim, or NV3P_TNL_NONE.
 */
enum nv3p_tnl_reason
nv3p_tnl_needed(const struct nv3p_context *ctx, enum mesa_prim prim);

void
nv3p_tnl_draw(struct nv3p_context *ctx, enum nv3p_tnl_reason reason,
              const struct pipe_draw_info *info, unsigned drawid_offset,
              const struct pipe_draw_start_count_bias *draws,
              unsigned num_draws);

void
nv3p_tnl_destroy(struct nv3p_context *ctx);

/* ---- nv3p_render.c: primitives from the draw module ---- */

/* The kind of primitives that become quads for nv3p_nir_smooth(). */
enum nv3p_smooth {
   NV3P_SMOOTH_NONE,
   NV3P_SMOOTH_LINES,
   NV3P_SMOOTH_POINTS,
};

/* The layout of the draw module's vertices. */
struct nv3p_render_layout {
   unsigned attributes;
   /* for each attribute, the index of the draw module's output */
   uint8_t outputs[16];
   int size;             /* the attribute that holds the point size, or -1 */
   /* if not NONE, vertices have an additional attribute */
   enum nv3p_smooth smooth;
};

struct vbuf_render *
nv3p_render_create(struct nv3p_context *ctx);

void
nv3p_render_set_layout(struct vbuf_render *render,
                       const struct nv3p_render_layout *layout);

#endif
