/* SPDX-License-Identifier: MIT */
/*
 * Implements the functions that set pipe state. The driver stores each change
 * for class 0x17, and passes the change to the inner context and to the draw
 * module if they use the state. The framebuffer and the textures have several
 * copies. Just before a draw, nv3_inner.c selects the copies for the inner
 * context.
 */
#include "compiler/nir/nir.h"
#include "draw/draw_context.h"
#include "util/u_framebuffer.h"
#include "util/u_helpers.h"
#include "util/u_inlines.h"
#include "util/u_memory.h"
#include "util/u_upload_mgr.h"

#include "class17/nv3_chip.h"
#include "class17/nv3_class17.h"
#include "class17/nv3_resource.h"
#include "class17/nv3_shader.h"

/* ---- state objects ---- */

/*
 * Functions to create, bind and delete a state object with its inner object.
 * The inner context also uses its bound objects when it copies resources, so
 * each delete function unbinds the object first.
 */
#define CREATE_FUNCTION(name, type, state)                                     \
   static void *nv3_create_##name(struct pipe_context *pipe,                   \
                                  const struct state *templ)                   \
   {                                                                           \
      struct pipe_context *inner = nv3_context(pipe)->inner;                   \
      struct type *cso = CALLOC_STRUCT(type);                                  \
                                                                               \
      if (!cso)                                                                \
         return NULL;                                                          \
      cso->base = *templ;                                                      \
      cso->inner = inner->create_##name##_state(inner, templ);                 \
      return cso;                                                              \
   }

#define BIND_FUNCTIONS(name, type, member)                                     \
   static void nv3_bind_##name(struct pipe_context *pipe, void *data)          \
   {                                                                           \
      struct nv3_context *ctx = nv3_context(pipe);                             \
      struct type *cso = data;                                                 \
                                                                               \
      ctx->member = cso;                                                       \
      ctx->dirty = true;                                                       \
      ctx->inner->bind_##name##_state(ctx->inner, cso ? cso->inner : NULL);    \
   }                                                                           \
                                                                               \
   static void nv3_delete_##name(struct pipe_context *pipe, void *data)        \
   {                                                                           \
      struct nv3_context *ctx = nv3_context(pipe);                             \
      struct type *cso = data;                                                 \
                                                                               \
      if (ctx->member == cso)                                                  \
         nv3_bind_##name(pipe, NULL);                                          \
      ctx->inner->delete_##name##_state(ctx->inner, cso->inner);               \
      FREE(cso);                                                               \
   }

CREATE_FUNCTION(blend, nv3_blend, pipe_blend_state)
BIND_FUNCTIONS(blend, nv3_blend, blend)
CREATE_FUNCTION(depth_stencil_alpha, nv3_dsa, pipe_depth_stencil_alpha_state)
BIND_FUNCTIONS(depth_stencil_alpha, nv3_dsa, dsa)
CREATE_FUNCTION(rasterizer, nv3_rasterizer, pipe_rasterizer_state)
BIND_FUNCTIONS(rasterizer, nv3_rasterizer, rast)
CREATE_FUNCTION(sampler, nv3_sampler, pipe_sampler_state)
BIND_FUNCTIONS(fs, nv3_fs, fs)
BIND_FUNCTIONS(vs, nv3_vs, vs)
BIND_FUNCTIONS(vertex_elements, nv3_velems, velems)

static void
nv3_bind_rasterizer_and_module(struct pipe_context *pipe, void *data)
{
   struct nv3_rasterizer *rast = data;

   nv3_bind_rasterizer(pipe, data);
   if (rast)
      draw_set_rasterizer_state(nv3_context(pipe)->draw, &rast->base, rast);
}

static void
nv3_bind_samplers(struct pipe_context *pipe, enum pipe_shader_type shader,
                  unsigned start, unsigned count, void **samplers)
{
   struct nv3_context *ctx = nv3_context(pipe);
   void *inner[PIPE_MAX_SAMPLERS];

   for (unsigned i = 0; i < count; i++) {
      struct nv3_sampler *sampler = samplers ? samplers[i] : NULL;

      inner[i] = sampler ? sampler->inner : NULL;
      if (shader == PIPE_SHADER_FRAGMENT)
         ctx->samplers[start + i] = sampler;
   }
   ctx->dirty = true;
   ctx->inner->bind_sampler_states(ctx->inner, shader, start, count, inner);
}

static void
nv3_delete_sampler(struct pipe_context *pipe, void *data)
{
   struct pipe_context *inner = nv3_context(pipe)->inner;
   struct nv3_sampler *sampler = data;

   inner->delete_sampler_state(inner, sampler->inner);
   FREE(sampler);
}

/* ---- shaders ---- */

/*
 * Returns a copy of a shader. The recipient of the copy may change the copy's
 * NIR.
 */
static struct pipe_shader_state
shader_copy(const struct pipe_shader_state *templ)
{
   struct pipe_shader_state copy = *templ;

   if (templ->type == PIPE_SHADER_IR_NIR)
      copy.ir.nir = nir_shader_clone(NULL, templ->ir.nir);
   return copy;
}

static void *
nv3_create_vs(struct pipe_context *pipe, const struct pipe_shader_state *templ)
{
   struct nv3_context *ctx = nv3_context(pipe);
   struct nv3_vs *vs = CALLOC_STRUCT(nv3_vs);
   struct pipe_shader_state copy;

   if (!vs)
      return NULL;
   if (templ->type == PIPE_SHADER_IR_NIR) {
      const struct nir_shader *nir = templ->ir.nir;

      vs->samples = !BITSET_IS_EMPTY(nir->info.textures_used);
   }
   copy = shader_copy(templ);
   vs->draw = draw_create_vertex_shader(ctx->draw, &copy);
   vs->inner = ctx->inner->create_vs_state(ctx->inner, templ);
   return vs;
}

static void
nv3_bind_vs_and_module(struct pipe_context *pipe, void *data)
{
   struct nv3_vs *vs = data;

   nv3_bind_vs(pipe, data);
   draw_bind_vertex_shader(nv3_context(pipe)->draw, vs ? vs->draw : NULL);
}

static void
nv3_delete_vs_and_module(struct pipe_context *pipe, void *data)
{
   struct nv3_context *ctx = nv3_context(pipe);
   struct nv3_vs *vs = data;

   if (ctx->vs == vs)
      nv3_bind_vs_and_module(pipe, NULL);
   draw_delete_vertex_shader(ctx->draw, vs->draw);
   nv3_delete_vs(pipe, vs);
}

static void *
nv3_create_fs(struct pipe_context *pipe, const struct pipe_shader_state *templ)
{
   struct nv3_context *ctx = nv3_context(pipe);
   struct nv3_fs *fs = CALLOC_STRUCT(nv3_fs);
   struct pipe_shader_state copy;

   if (!fs)
      return NULL;
   copy = shader_copy(templ);
   fs->shader = nv3_shader_create(&copy,
                                  ctx->screen->debug & NV3_DEBUG_SHADER);
   fs->inner = ctx->inner->create_fs_state(ctx->inner, templ);
   return fs;
}

static void
nv3_delete_fs_and_shader(struct pipe_context *pipe, void *data)
{
   struct nv3_fs *fs = data;

   nv3_shader_destroy(fs->shader);
   nv3_delete_fs(pipe, fs);
}

/* ---- vertices and constants ---- */

static void *
nv3_create_velems(struct pipe_context *pipe, unsigned count,
                  const struct pipe_vertex_element *elements)
{
   struct pipe_context *inner = nv3_context(pipe)->inner;
   struct nv3_velems *velems = CALLOC_STRUCT(nv3_velems);

   if (!velems)
      return NULL;
   velems->count = count;
   memcpy(velems->elements, elements, count * sizeof(*elements));
   velems->inner = inner->create_vertex_elements_state(inner, count, elements);
   return velems;
}

static void
nv3_bind_velems_and_module(struct pipe_context *pipe, void *data)
{
   struct nv3_velems *velems = data;

   nv3_bind_vertex_elements(pipe, data);
   if (velems)
      draw_set_vertex_elements(nv3_context(pipe)->draw, velems->count,
                               velems->elements);
}

static void
nv3_set_vertex_buffers(struct pipe_context *pipe, unsigned count,
                       const struct pipe_vertex_buffer *buffers)
{
   struct nv3_context *ctx = nv3_context(pipe);
   struct pipe_vertex_buffer inner[PIPE_MAX_ATTRIBS];

   for (unsigned i = 0; i < count; i++) {
      inner[i] = buffers[i];
      /* set_vertex_buffers() takes over references. */
      if (!inner[i].is_user_buffer && inner[i].buffer.resource) {
         inner[i].buffer.resource = NULL;
         pipe_resource_reference(
            &inner[i].buffer.resource,
            nv3_resource(buffers[i].buffer.resource)->canonical);
      }
   }
   ctx->inner->set_vertex_buffers(ctx->inner, count, inner);
   util_set_vertex_buffers_count(ctx->vertex_buffers, &ctx->vertex_buffer_count,
                                 buffers, count, true);
   draw_set_vertex_buffers(ctx->draw, count, ctx->vertex_buffers);
}

static void
nv3_set_constant_buffer(struct pipe_context *pipe, enum pipe_shader_type shader,
                        uint index, bool take_ownership,
                        const struct pipe_constant_buffer *cb)
{
   struct nv3_context *ctx = nv3_context(pipe);
   int stage = shader == PIPE_SHADER_VERTEX ? NV3_STAGE_VS : NV3_STAGE_FS;
   struct pipe_constant_buffer *own = &ctx->constants[stage], inner = { 0 };

   util_copy_constant_buffer(own, cb, take_ownership);
   if (own->user_buffer) {
      u_upload_data(pipe->const_uploader, 0, own->buffer_size, 16,
                    own->user_buffer, &own->buffer_offset, &own->buffer);
      own->user_buffer = NULL;
   }
   /*
    * Pass the buffer as user memory, so that the inner context copies it. The
    * buffer itself may be freed before a fragment shader reads it.
    */
   inner.user_buffer = nv3_constants_map(own, &inner.buffer_size);
   ctx->inner->set_constant_buffer(ctx->inner, shader, index, false, &inner);
   if (shader == PIPE_SHADER_VERTEX)
      draw_set_mapped_constant_buffer(ctx->draw, shader, index,
                                      inner.user_buffer, inner.buffer_size);
   else
      ctx->dirty = true;
}

/* ---- textures ---- */

static struct pipe_sampler_view *
nv3_create_view(struct pipe_context *pipe, struct pipe_resource *texture,
                const struct pipe_sampler_view *templ)
{
   struct nv3_view *view = CALLOC_STRUCT(nv3_view);

   if (!view)
      return NULL;
   view->base = *templ;
   view->base.texture = NULL;
   pipe_resource_reference(&view->base.texture, texture);
   pipe_reference_init(&view->base.reference, 1);
   view->base.context = pipe;
   return &view->base;
}

static void
nv3_destroy_view(struct pipe_context *pipe, struct pipe_sampler_view *pview)
{
   struct nv3_view *view = (struct nv3_view *)pview;

   pipe_sampler_view_reference(&view->inner, NULL);
   pipe_resource_reference(&view->base.texture, NULL);
   FREE(view);
}

static void
nv3_set_views(struct pipe_context *pipe, enum pipe_shader_type shader,
              unsigned start, unsigned count, unsigned unbind_trailing,
              bool take_ownership, struct pipe_sampler_view **views)
{
   struct nv3_context *ctx = nv3_context(pipe);
   int stage = shader == PIPE_SHADER_VERTEX ? NV3_STAGE_VS : NV3_STAGE_FS;

   for (unsigned i = 0; i < count + unbind_trailing; i++) {
      struct pipe_sampler_view **slot = &ctx->views[stage][start + i];
      struct pipe_sampler_view *view = views && i < count ? views[i] : NULL;

      pipe_sampler_view_reference(slot, take_ownership ? NULL : view);
      *slot = view;
   }
   ctx->view_count[stage] = MAX2(ctx->view_count[stage],
                                 start + count + unbind_trailing);
   ctx->dirty = true;
}

/* ---- framebuffer ---- */

static void
nv3_set_framebuffer(struct pipe_context *pipe,
                    const struct pipe_framebuffer_state *fb)
{
   struct nv3_context *ctx = nv3_context(pipe);

   nv3_shared_drawn(ctx);
   util_copy_framebuffer_state(&ctx->fb, fb);
   /* Try the hardware again, because the new framebuffer may fit in VRAM. */
   ctx->chip->no_memory = false;
   ctx->dirty = ctx->inner_fb_dirty = true;
}

/* ---- other state ---- */

static void
nv3_set_viewports(struct pipe_context *pipe, unsigned start, unsigned count,
                  const struct pipe_viewport_state *vp)
{
   struct nv3_context *ctx = nv3_context(pipe);
   bool guard = true;

   ctx->viewport = *vp;
   ctx->inner->set_viewport_states(ctx->inner, 0, 1, vp);
   draw_set_viewport_states(ctx->draw, 0, 1, vp);
   /*
    * The draw module's guard band is twice as wide and twice as high as the
    * viewport. Use it only if it is within the range of the chip's coordinates.
    */
   for (unsigned i = 0; i < 2; i++)
      guard &= fabsf(vp->scale[i]) * 2.0f + fabsf(vp->translate[i]) <
               NV3_SURFACE_MAX;
   draw_set_driver_clipping(ctx->draw, false, false, guard, false);
}

static void
nv3_set_scissors(struct pipe_context *pipe, unsigned start, unsigned count,
                 const struct pipe_scissor_state *scissors)
{
   struct nv3_context *ctx = nv3_context(pipe);

   ctx->scissor = scissors[0];
   ctx->inner->set_scissor_states(ctx->inner, 0, 1, scissors);
}

static void
nv3_set_clip(struct pipe_context *pipe, const struct pipe_clip_state *clip)
{
   struct nv3_context *ctx = nv3_context(pipe);

   draw_set_clip_state(ctx->draw, clip);
   ctx->inner->set_clip_state(ctx->inner, clip);
}

/* Functions for state that only the inner context uses. */
#define INNER_FUNCTION(name, type)                                             \
   static void nv3_set_##name(struct pipe_context *pipe, type value)           \
   {                                                                           \
      struct pipe_context *inner = nv3_context(pipe)->inner;                   \
                                                                               \
      inner->set_##name(inner, value);                                         \
   }

INNER_FUNCTION(blend_color, const struct pipe_blend_color *)
INNER_FUNCTION(stencil_ref, const struct pipe_stencil_ref)
INNER_FUNCTION(polygon_stipple, const struct pipe_poly_stipple *)
INNER_FUNCTION(sample_mask, unsigned)

void
nv3_init_state(struct nv3_context *ctx)
{
   struct pipe_context *pipe = &ctx->base;

   pipe->create_blend_state = nv3_create_blend;
   pipe->bind_blend_state = nv3_bind_blend;
   pipe->delete_blend_state = nv3_delete_blend;
   pipe->create_depth_stencil_alpha_state = nv3_create_depth_stencil_alpha;
   pipe->bind_depth_stencil_alpha_state = nv3_bind_depth_stencil_alpha;
   pipe->delete_depth_stencil_alpha_state = nv3_delete_depth_stencil_alpha;
   pipe->create_rasterizer_state = nv3_create_rasterizer;
   pipe->bind_rasterizer_state = nv3_bind_rasterizer_and_module;
   pipe->delete_rasterizer_state = nv3_delete_rasterizer;
   pipe->create_sampler_state = nv3_create_sampler;
   pipe->bind_sampler_states = nv3_bind_samplers;
   pipe->delete_sampler_state = nv3_delete_sampler;
   pipe->create_vs_state = nv3_create_vs;
   pipe->bind_vs_state = nv3_bind_vs_and_module;
   pipe->delete_vs_state = nv3_delete_vs_and_module;
   pipe->create_fs_state = nv3_create_fs;
   pipe->bind_fs_state = nv3_bind_fs;
   pipe->delete_fs_state = nv3_delete_fs_and_shader;
   pipe->create_vertex_elements_state = nv3_create_velems;
   pipe->bind_vertex_elements_state = nv3_bind_velems_and_module;
   pipe->delete_vertex_elements_state = nv3_delete_vertex_elements;
   pipe->set_vertex_buffers = nv3_set_vertex_buffers;
   pipe->set_constant_buffer = nv3_set_constant_buffer;
   pipe->create_sampler_view = nv3_create_view;
   pipe->sampler_view_destroy = nv3_destroy_view;
   pipe->set_sampler_views = nv3_set_views;
   pipe->set_framebuffer_state = nv3_set_framebuffer;
   pipe->set_viewport_states = nv3_set_viewports;
   pipe->set_scissor_states = nv3_set_scissors;
   pipe->set_clip_state = nv3_set_clip;
   pipe->set_blend_color = nv3_set_blend_color;
   pipe->set_stencil_ref = nv3_set_stencil_ref;
   pipe->set_polygon_stipple = nv3_set_polygon_stipple;
   pipe->set_sample_mask = nv3_set_sample_mask;
}
