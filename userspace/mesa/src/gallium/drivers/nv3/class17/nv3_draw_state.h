/* SPDX-License-Identifier: MIT */
/* The state of a draw in the terms of class 0x17. */
#ifndef NV3_DRAW_STATE_H
#define NV3_DRAW_STATE_H

#include "draw/draw_vertex.h"
#include "util/u_math.h"

#include "channel/nv3_chip.h"
#include "class17/nv3_blend.h"
#include "class17/nv3_clip.h"
#include "compiler/nv3_shader.h"

struct nv3_context;
struct nv3_place;
struct nv3_resource;
struct nv3_slab;

/* The sources of a vertex's colour, the cheapest first. */
enum nv3_color_source {
   NV3_COLOR_UNIFORM,
   NV3_COLOR_INPUT,
   NV3_COLOR_EXPR,
};

/* The state of one pass (nv3_validate.c). */
struct nv3_draw_state {
   /* Arguments of the methods from NV3_D3D_TEX_OFFSET on. */
   uint32_t words[NV3_D3D_STATE];
   struct nv3_object *d3d;
   struct nv3_place *place;                    /* of the texture, or NULL */
   struct nv3_target *color, *zeta;
   struct nv3_resource *color_res, *zeta_res;  /* resources that are drawn to */

   /* The layout of vertices from the draw module. */
   struct vertex_info vinfo;
   unsigned input_offset[NV3_MAX_INPUTS];  /* in floats */

   enum nv3_role role;
   const struct nv3_shader_info *shader;
   float values[NV3_MAX_OPS];
   int last_op;  /* last operation that each vertex needs, or -1 */
   enum nv3_color_source color_source;
   uint32_t uniform_color;
   unsigned color_input;
   /* A bit for each colour channel that may be outside 0 to 1 at a vertex. */
   uint8_t checked_channels;
   enum nv3_alpha_use alpha;
   bool flat;        /* flat shading */
   bool flat_first;  /* the provoking vertex is the first one */

   int coord_input;               /* input with unchanged coordinates, or -1 */
   float coord_scale[2], coord_bias[2];
   float coord_limit[2];          /* maximum of the chip's coordinates */
   float coord_edge[2];           /* centre of the last texel */
   uint8_t coord_period[2];  /* period of the texture, or 0 if it is clamped */
   int fog_op;                    /* or -1 */
   uint32_t uniform_fog;          /* fog word of all vertices if fog_op is -1 */
   bool brightens;                /* the fog word depends on alpha instead */
   uint16_t brighten[2];          /* arguments of nv3_draw_brighten() */
   struct nv3_projection projection;
   const char *translate_reason;  /* why the draw module is used, or NULL */
   float line_width, point_size;
   unsigned point_size_offset;    /* in floats; 0: not per vertex */
};

/*
 * Sets @rect to the clip rectangle, which is the intersection of scissor and
 * viewport. The chip clips triangles that extend beyond the viewport.
 */
void
nv3_draw_clip(const struct nv3_context *ctx, struct pipe_scissor_state *rect);

/*
 * Selects the surfaces and the clip rectangle of ctx->state. Returns false
 * without memory. The caller must not draw in this case.
 */
bool
nv3_draw_begin(struct nv3_context *ctx);

/* Executes deferred blends, if any, and then calls nv3_draw_begin() again. */
bool
nv3_draw_flush_deferred(struct nv3_context *ctx);

/*
 * Returns an object of class 0x17 for textures in @slab that draws to @color.
 * Returns NULL without memory.
 */
struct nv3_object *
nv3_chip_d3d(struct nv3_context *ctx, struct nv3_slab *slab,
             enum nv3_color_slot color, bool zeta);

/*
 * Returns the fog word of a vertex that compensates for the truncation of
 * blends by alpha (nv3_blend_brighten).
 */
static inline uint32_t
nv3_draw_brighten(const struct nv3_draw_state *state, uint32_t color)
{
   unsigned alpha = color >> 24;
   unsigned brighten = alpha == 255 ? state->brighten[1] :
                                      state->brighten[0] / MAX2(alpha, 1);

   return MIN2(brighten, NV3_BRIGHTEN_MAX) << 24;
}

#endif
