/* SPDX-License-Identifier: MIT */
/*
 * Implements state objects and bound state, except for textures and shaders.
 * nv3p_emit.c translates the state to methods.
 */
#include "util/u_framebuffer.h"
#include "util/u_helpers.h"
#include "util/u_memory.h"

#include "base/nv3p_context.h"
#include "programs/nv3p_methods.h"

/* ---- state objects ---- */

/*
 * Define the functions that create and bind an object, which is a copy of the
 * pipe_*_state.
 */
#define CREATE_FUNCTION(name, type)                                            \
   static void *nv3p_create_##name(struct pipe_context *pipe,                  \
                                   const struct type *state)                   \
   {                                                                           \
      return mem_dup(state, sizeof(*state));                                   \
   }
#define BIND_FUNCTION(name, member, flag)                                      \
   static void nv3p_bind_##name(struct pipe_context *pipe, void *state)        \
   {                                                                           \
      nv3p_context(pipe)->member = state;                                      \
      nv3p_context(pipe)->dirty |= flag;                                       \
   }

CREATE_FUNCTION(blend, pipe_blend_state)
CREATE_FUNCTION(dsa, pipe_depth_stencil_alpha_state)
CREATE_FUNCTION(rasterizer, pipe_rasterizer_state)
BIND_FUNCTION(blend, blend, NV3P_NEW_BLEND)
BIND_FUNCTION(dsa, dsa, NV3P_NEW_DSA)
BIND_FUNCTION(rasterizer, rast, NV3P_NEW_RASTERIZER)
BIND_FUNCTION(velems, velems, NV3P_NEW_ARRAYS)
BIND_FUNCTION(vs, vs, NV3P_NEW_VS)
BIND_FUNCTION(fs, fs, NV3P_NEW_FS)

static void *
nv3p_create_velems(struct pipe_context *pipe, unsigned count,
                   const struct pipe_vertex_element *elements)
{
   struct nv3p_velems *velems = CALLOC_STRUCT(nv3p_velems);

   if (!velems)
      return NULL;
   velems->count = count;
   memcpy(velems->elements, elements, count * sizeof(*elements));
   return velems;
}

void
nv3p_delete_state(struct pipe_context *pipe, void *state)
{
   FREE(state);
}

/* ---- parameters ---- */

static void
nv3p_set_vertex_buffers(struct pipe_context *pipe, unsigned count,
                        const struct pipe_vertex_buffer *buffers)
{
   struct nv3p_context *ctx = nv3p_context(pipe);

   util_set_vertex_buffers_count(ctx->vbufs, &ctx->vbuf_count, buffers, count,
                                 true);
   for (unsigned i = 0; i < count; i++) {
      if (ctx->vbufs[i].buffer.resource)
         nv3p_resource_claim(ctx, nv3p_resource(ctx->vbufs[i].buffer.resource));
   }
   ctx->dirty |= NV3P_NEW_ARRAYS;
}

static void
nv3p_set_blend_color(struct pipe_context *pipe,
                     const struct pipe_blend_color *color)
{
   nv3p_context(pipe)->blend_color = *color;
   nv3p_context(pipe)->dirty |= NV3P_NEW_BLEND;
}

static void
nv3p_set_stencil_ref(struct pipe_context *pipe,
                     const struct pipe_stencil_ref ref)
{
   nv3p_context(pipe)->stencil_ref = ref;
   nv3p_context(pipe)->dirty |= NV3P_NEW_DSA;
}

static void
nv3p_set_sample_mask(struct pipe_context *pipe, unsigned mask)
{
   nv3p_context(pipe)->sample_mask = mask;
   nv3p_context(pipe)->dirty |= NV3P_NEW_BLEND;
}

/*
 * Does nothing, because the state tracker computes clip distances
 * (caps->clip_planes is 0).
 */
static void
nv3p_set_clip(struct pipe_context *pipe, const struct pipe_clip_state *clip)
{
}

static void
nv3p_set_polygon_stipple(struct pipe_context *pipe,
                         const struct pipe_poly_stipple *stipple)
{
   nv3p_context(pipe)->stipple = *stipple;
   pipe_sampler_view_reference(&nv3p_context(pipe)->stipple_view, NULL);
}

static void
nv3p_set_scissors(struct pipe_context *pipe, unsigned start, unsigned count,
                  const struct pipe_scissor_state *scissors)
{
   nv3p_context(pipe)->scissor = scissors[0];
   nv3p_context(pipe)->dirty |= NV3P_NEW_RASTERIZER;
}

static void
nv3p_set_viewports(struct pipe_context *pipe, unsigned start, unsigned count,
                   const struct pipe_viewport_state *viewports)
{
   nv3p_context(pipe)->viewport = viewports[0];
   nv3p_context(pipe)->dirty |= NV3P_NEW_RASTERIZER;
}

/* ---- framebuffer ---- */

static void
nv3p_set_framebuffer(struct pipe_context *pipe,
                     const struct pipe_framebuffer_state *fb)
{
   struct nv3p_context *ctx = nv3p_context(pipe);
   const struct pipe_surface *color = fb->nr_cbufs ? fb->cbufs[0] : NULL;

   util_copy_framebuffer_state(&ctx->fb, fb);
   /*
    * The scissor depends on the size of the framebuffer. The blend colour, the
    * colour mask and the sample mask depend on its format. NV3P_NEW_FRAMEBUFFER
    * is not sufficient, because a clear resets this flag.
    */
   ctx->dirty |= NV3P_NEW_FRAMEBUFFER | NV3P_NEW_RASTERIZER | NV3P_NEW_BLEND;
   if (color && nv3p_swaps_red_blue(color->format) != ctx->swaps_red_blue) {
      ctx->swaps_red_blue = !ctx->swaps_red_blue;
      ctx->dirty |= NV3P_NEW_FS;
   }
}

void
nv3p_rebind(struct nv3p_context *ctx, struct nv3p_resource *res)
{
   struct pipe_resource *base = &res->base;

   if (base->target != PIPE_BUFFER) {
      ctx->dirty |= NV3P_NEW_TEXTURES | NV3P_NEW_FRAMEBUFFER;
      return;
   }
   ctx->dirty |= NV3P_NEW_ARRAYS;
   if (ctx->constants[PIPE_SHADER_VERTEX].buffer == base)
      ctx->dirty |= NV3P_NEW_CONST_VS;
   if (ctx->constants[PIPE_SHADER_FRAGMENT].buffer == base)
      ctx->dirty |= NV3P_NEW_CONST_FS;
}

void
nv3p_init_state(struct nv3p_context *ctx)
{
   struct pipe_context *pipe = &ctx->base;

   pipe->create_blend_state = nv3p_create_blend;
   pipe->bind_blend_state = nv3p_bind_blend;
   pipe->delete_blend_state = nv3p_delete_state;
   pipe->create_depth_stencil_alpha_state = nv3p_create_dsa;
   pipe->bind_depth_stencil_alpha_state = nv3p_bind_dsa;
   pipe->delete_depth_stencil_alpha_state = nv3p_delete_state;
   pipe->create_rasterizer_state = nv3p_create_rasterizer;
   pipe->bind_rasterizer_state = nv3p_bind_rasterizer;
   pipe->delete_rasterizer_state = nv3p_delete_state;
   pipe->create_vertex_elements_state = nv3p_create_velems;
   pipe->bind_vertex_elements_state = nv3p_bind_velems;
   pipe->delete_vertex_elements_state = nv3p_delete_state;
   pipe->bind_vs_state = nv3p_bind_vs;
   pipe->bind_fs_state = nv3p_bind_fs;
   pipe->set_vertex_buffers = nv3p_set_vertex_buffers;
   pipe->set_blend_color = nv3p_set_blend_color;
   pipe->set_stencil_ref = nv3p_set_stencil_ref;
   pipe->set_sample_mask = nv3p_set_sample_mask;
   pipe->set_clip_state = nv3p_set_clip;
   pipe->set_polygon_stipple = nv3p_set_polygon_stipple;
   pipe->set_scissor_states = nv3p_set_scissors;
   pipe->set_viewport_states = nv3p_set_viewports;
   pipe->set_framebuffer_state = nv3p_set_framebuffer;
   ctx->sample_mask = ~0;
}
