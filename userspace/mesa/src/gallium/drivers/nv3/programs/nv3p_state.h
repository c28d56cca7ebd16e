/* SPDX-License-Identifier: MIT */
/* State objects. */
#ifndef NV3P_STATE_H
#define NV3P_STATE_H

#include "pipe/p_state.h"

#include "base/nv3p_context.h"

#define NV3P_COMMANDS_MAX 48

/*
 * The methods that a state object sets, in runs of consecutive methods. A run
 * begins with a word that contains the number of methods (31:16) and the first
 * method (15:0). The values of the methods follow.
 */
struct nv3p_commands {
   unsigned count;
   uint32_t word[NV3P_COMMANDS_MAX];
};

struct nv3p_blend {
   struct pipe_blend_state base;
   struct nv3p_commands commands;
};

struct nv3p_dsa {
   struct pipe_depth_stencil_alpha_state base;
   struct nv3p_commands commands;
};

struct nv3p_rasterizer {
   struct pipe_rasterizer_state base;
   struct nv3p_commands commands;
   /* the state for primitives from the draw module (nv3p_tnl.c), or NULL */
   struct nv3p_rasterizer *after_module;
};

struct nv3p_velems {
   unsigned count;
   struct pipe_vertex_element elements[NV3P_ATTRIBUTES];
   uint32_t formats[NV3P_ATTRIBUTES];  /* words for ARRAY_FORMAT */
};

/* The words of a texture unit that depend only on the sampler. */
struct nv3p_sampler {
   struct pipe_sampler_state base;
   uint32_t wrap, filter;
};

/*
 * A sampler view, and the conversions that the view's format requires. Shaders
 * apply @swizzle, and the texture unit converts from sRGB.
 */
struct nv3p_view {
   struct pipe_sampler_view base;
   uint8_t swizzle[4];  /* PIPE_SWIZZLE_*, of the unit's result */
   bool srgb;
   /*
    * The value of screen->serial when the context last invalidated the texels
    * of this texture. A view belongs to one context.
    */
   uint64_t seen;
};

#endif
