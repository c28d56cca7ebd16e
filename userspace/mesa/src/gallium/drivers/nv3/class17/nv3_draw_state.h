/* SPDX-License-Identifier: MIT */
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

/* Where a vertex's colour comes from: the cheapest that will do. */
enum nv3_color_source {
   NV3_COLOR_UNIFORM,
   NV3_COLOR_INPUT,
   NV3_COLOR_EXPR,
};

/* What the pipe state comes to for the chip (nv3_validate.c). */
struct nv3_draw_state {
   /* From NV3_D3D_TEX_OFFSET on. */
   uint32_t words[NV3_D3D_STATE];
   struct nv3_object *d3d;
   struct nv3_place *place;                    /* of the texture, or NULL */
   struct nv3_target *color, *zeta;
   struct nv3_resource *color_res, *zeta_res;  /* that are written */

   /* The draw module's vertices, as this driver has it store them. */
   struct vertex_info vinfo;
   unsigned input_offset[NV3_MAX_INPUTS];      /* in floats */

   enum nv3_role role;
   const struct nv3_shader_info *shader;
   float values[NV3_MAX_OPS];
   int last_op;                                /* that a vertex needs */
   enum nv3_color_source color_source;
   uint32_t uniform_color;
   unsigned color_input;
   /* Channels of vertices' colours that must not leave 0 to 1 between them. */
   uint8_t checked_channels;
   enum nv3_alpha_use alpha;
   bool flat;                                  /* colour of one vertex */
   bool flat_first;                            /* the first; else the last */

   int coord_input;                            /* x and y as they are, or -1 */
   float coord_scale[2], coord_bias[2];
   float coord_limit[2];                       /* that the chip has, either way */
   float coord_edge[2];                        /* of the last texel's centre */
   uint8_t coord_period[2];                    /* after which it repeats, or 0 */
   int fog_op;                                 /* or -1 */
   uint32_t uniform_fog;                       /* then; a vertex's word */
   bool brightens;                                 /* then: by its alpha */
   uint16_t brighten[2];                           /* times that, or if it is 255 */
   struct nv3_projection projection;
   const char *translate_reason;                  /* for the draw module, or NULL */
   float line_width, point_size;
   unsigned point_size_offset;                 /* in floats; 0: none */
};

/*
 * What may be drawn to: the scissor's rectangle, and the viewport's, as triangles
 * that reach beyond it are left to the chip to cut.
 */
void
nv3_draw_clip(const struct nv3_context *ctx, struct pipe_scissor_state *rect);

/* Has the chip draw where the state says. False: no memory, and nothing is drawn. */
bool
nv3_draw_begin(struct nv3_context *ctx);

/* The same again, once what was put off has been blended, if there is such. */
bool
nv3_draw_flush_deferred(struct nv3_context *ctx);

/*
 * An object of class 0x17 on textures in @slab that draws to @color; NULL without
 * memory.
 */
struct nv3_object *
nv3_chip_d3d(struct nv3_context *ctx, struct nv3_slab *slab,
             enum nv3_color_slot color, bool zeta);

/* The fog of a vertex of this colour, where the state brightens. */
static inline uint32_t
nv3_draw_brighten(const struct nv3_draw_state *state, uint32_t color)
{
   unsigned alpha = color >> 24;
   unsigned brighten = alpha == 255 ? state->brighten[1] :
                                  state->brighten[0] / MAX2(alpha, 1);

   return MIN2(brighten, NV3_BRIGHTEN_MAX) << 24;
}

#endif
