/* SPDX-License-Identifier: MIT */
/*
 * Pipe state. These functions store state and mark it as changed. The inner
 * context and the draw module receive changed state before their next draw.
 * State objects are created in both immediately.
 */
#include "compiler/nir/nir.h"
#include "draw/draw_context.h"
#include "util/u_framebuffer.h"
#include "util/u_helpers.h"
#include "util/u_inlines.h"
#include "util/u_memory.h"

#include "base/nv3_context.h"
#include "base/nv3_screen.h"
#include "channel/nv3_chip.h"
#include "compiler/nv3_shader.h"
#include "compiler/nv3_vs.h"
#include "resource/nv3_resource.h"
#include "resource/nv3_shared.h"
#include "vertex/nv3_vertex_translate.h"

#include "nv3_pipe.h"

static void
set_new(struct nv3_context *ctx, uint32_t what)
{
   ctx->dirty |= what;
   ctx->draw_dirty |= what;
   ctx->inner_dirty |= what;
}

/*
 * Functions to create, delete and bind a state object with its inner object.
 * The inner context also uses its bound objects for copies, so an object is
 * unbound before it is deleted.
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

#define DELETE_FUNCTION(name, type, flag)                                      \
   static void nv3_delete_##name(struct pipe_context *pipe, void *data)        \
   {                                                                           \
      struct nv3_context *ctx = nv3_context(pipe);                             \
      struct type *cso = data;                                                 \
                                                                               \
      ctx->inner->bind_##name##_state(ctx->inner, NULL);                       \
      ctx->inner_dirty |= flag;                                                \
      ctx->inner->delete_##name##_state(ctx->inner, cso->inner);               \
      FREE(cso);                                                               \
   }

#define BIND_FUNCTION(name, member, flag)                                      \
   static void nv3_bind_##name(struct pipe_context *pipe, void *cso)           \
   {                                                                           \
      struct nv3_context *ctx = nv3_context(pipe);                             \
                                                                               \
      if (ctx->member == cso)                                                  \
         return;                                                               \
      ctx->member = cso;                                                       \
      set_new(ctx, flag);                                                      \
   }

CREATE_FUNCTION(blend, nv3_blend, pipe_blend_state)
DELETE_FUNCTION(blend, nv3_blend, NV3_NEW_BLEND)
BIND_FUNCTION(blend, blend, NV3_NEW_BLEND)
CREATE_FUNCTION(depth_stencil_alpha, nv3_dsa, pipe_depth_stencil_alpha_state)
DELETE_FUNCTION(depth_stencil_alpha, nv3_dsa, NV3_NEW_DSA)
BIND_FUNCTION(depth_stencil_alpha, dsa, NV3_NEW_DSA)
CREATE_FUNCTION(rasterizer, nv3_rasterizer, pipe_rasterizer_state)
DELETE_FUNCTION(rasterizer, nv3_rasterizer, NV3_NEW_RASTERIZER)
BIND_FUNCTION(rasterizer, rast, NV3_NEW_RASTERIZER)
CREATE_FUNCTION(sampler, nv3_sampler, pipe_sampler_state)

static void
nv3_delete_sampler(struct pipe_context *pipe, void *data)
{
   struct pipe_context *inner = nv3_context(pipe)->inner;
   struct nv3_sampler *sampler = data;

   inner->delete_sampler_state(inner, sampler->inner);
   FREE(sampler);
}

/* ---- shaders ---- */

/* Copies a shader for a consumer that changes it. */
static struct pipe_shader_state
shader_copy(const struct pipe_shader_state *templ)
{
   struct pipe_shader_state copy = *templ;

   if (templ->type == PIPE_SHADER_IR_NIR)
      copy.ir.nir = nir_shader_clone(NULL, templ->ir.nir);
   return copy;
}

static bool
uses_textures(const struct pipe_shader_state *templ)
{
   const struct nir_shader *nir = templ->ir.nir;

   return templ->type == PIPE_SHADER_IR_NIR &&
          !BITSET_IS_EMPTY(nir->info.textures_used);
}

static bool
prints_shaders(const struct nv3_context *ctx)
{
   return ctx->screen->debug & NV3_DEBUG_SHADER;
}

static void
free_nir(const struct pipe_shader_state *templ)
{
   if (templ->type == PIPE_SHADER_IR_NIR)
      ralloc_free(templ->ir.nir);
}

static void *
nv3_create_vs(struct pipe_context *pipe, const struct pipe_shader_state *templ)
{
   struct nv3_context *ctx = nv3_context(pipe);
   struct nv3_vs *vs = CALLOC_STRUCT(nv3_vs);
   struct pipe_shader_state copy;

   if (!vs)
      return NULL;
   vs->samples = uses_textures(templ);
   copy = shader_copy(templ);
   vs->info = nv3_vs_analyse(&copy, prints_shaders(ctx));
   copy = shader_copy(templ);
   vs->draw = draw_create_vertex_shader(ctx->draw, &copy);
   copy = shader_copy(templ);
   vs->inner = ctx->inner->create_vs_state(ctx->inner, &copy);
   free_nir(templ);
   return vs;
}

BIND_FUNCTION(vs, vs, NV3_NEW_VS)

static void
nv3_delete_vs(struct pipe_context *pipe, void *data)
{
   struct nv3_context *ctx = nv3_context(pipe);
   struct nv3_vs *vs = data;

   /* The draw module would still use its bound shader after it is freed. */
   draw_bind_vertex_shader(ctx->draw, NULL);
   ctx->inner->bind_vs_state(ctx->inner, NULL);
   ctx->draw_dirty |= NV3_NEW_VS;
   ctx->inner_dirty |= NV3_NEW_VS;
   draw_delete_vertex_shader(ctx->draw, vs->draw);
   ctx->inner->delete_vs_state(ctx->inner, vs->inner);
   nv3_translate_forget_variants(ctx->translate);
   nv3_vs_free(vs->info);
   FREE(vs);
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
   fs->info = nv3_shader_analyse(&copy, prints_shaders(ctx));
   copy = shader_copy(templ);
   fs->inner = ctx->inner->create_fs_state(ctx->inner, &copy);
   free_nir(templ);
   return fs;
}

BIND_FUNCTION(fs, fs, NV3_NEW_FS)

static void
nv3_delete_fs(struct pipe_context *pipe, void *data)
{
   struct nv3_context *ctx = nv3_context(pipe);
   struct nv3_fs *fs = data;

   ctx->inner->bind_fs_state(ctx->inner, NULL);
   ctx->inner_dirty |= NV3_NEW_FS;
   ctx->inner->delete_fs_state(ctx->inner, fs->inner);
   nv3_translate_forget_variants(ctx->translate);
   nv3_shader_free(fs->info);
   FREE(fs);
}

/* ---- vertices ---- */

static void *
nv3_create_velems(struct pipe_context *pipe, unsigned count,
                  const struct pipe_vertex_element *elements)
{
   struct nv3_context *ctx = nv3_context(pipe);
   struct nv3_velems *velems = CALLOC_STRUCT(nv3_velems);

   if (!velems)
      return NULL;
   velems->count = count;
   memcpy(velems->elements, elements, count * sizeof(*elements));
   velems->inner = ctx->inner->create_vertex_elements_state(ctx->inner, count,
                                                            elements);
   return velems;
}

BIND_FUNCTION(velems, velems, NV3_NEW_VELEMS)
DELETE_FUNCTION(vertex_elements, nv3_velems, NV3_NEW_VELEMS)

static void
nv3_set_vertex_buffers(struct pipe_context *pipe, unsigned count,
                       const struct pipe_vertex_buffer *buffers)
{
   struct nv3_context *ctx = nv3_context(pipe);

   util_set_vertex_buffers_count(ctx->vertex_buffers, &ctx->vertex_buffer_count,
                                 buffers, count, true);
   set_new(ctx, NV3_NEW_VBUFS);
}

/* ---- constants ---- */

static int
stage_of(enum pipe_shader_type shader)
{
   switch (shader) {
   case PIPE_SHADER_VERTEX:
      return NV3_STAGE_VS;
   case PIPE_SHADER_FRAGMENT:
      return NV3_STAGE_FS;
   default:
      return -1;
   }
}

/*
 * Copies a user buffer, which may change after the next call. The driver reads
 * uniforms at draws.
 */
static void
keep_user_buffer(struct nv3_constants *constants,
                 const struct pipe_constant_buffer *cb)
{
   if (cb->buffer_size > constants->copy_size) {
      FREE(constants->copy);
      constants->copy = MALLOC(cb->buffer_size);
      constants->copy_size = constants->copy ? cb->buffer_size : 0;
   }
   if (constants->copy)
      memcpy(constants->copy, (const uint8_t *)cb->user_buffer,
             cb->buffer_size);
}

static void
nv3_set_constant_buffer(struct pipe_context *pipe, enum pipe_shader_type shader,
                        uint index, bool take_ownership,
                        const struct pipe_constant_buffer *cb)
{
   struct nv3_context *ctx = nv3_context(pipe);
   int stage = stage_of(shader);
   struct nv3_constants *constants;

   if (stage < 0 || index >= NV3_CONST_BUFFERS)
      return;
   constants = &ctx->constants[stage][index];
   util_copy_constant_buffer(&constants->cb, cb, take_ownership);
   if (cb && cb->user_buffer) {
      keep_user_buffer(constants, cb);
      constants->cb.user_buffer = constants->copy;
   }
   set_new(ctx, stage == NV3_STAGE_VS ? NV3_NEW_CONST_VS : NV3_NEW_CONST_FS);
}

/* ---- textures ---- */

static void
nv3_bind_samplers(struct pipe_context *pipe, enum pipe_shader_type shader,
                  unsigned start, unsigned count, void **samplers)
{
   struct nv3_context *ctx = nv3_context(pipe);
   int stage = stage_of(shader);

   if (stage < 0)
      return;
   for (unsigned i = 0; i < count; i++)
      ctx->samplers[stage][start + i] = samplers ? samplers[i] : NULL;
   ctx->sampler_count[stage] = MAX2(ctx->sampler_count[stage], start + count);
   set_new(ctx, NV3_NEW_SAMPLERS);
}

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
   int stage = stage_of(shader);
   unsigned i;

   if (stage < 0)
      return;
   for (i = 0; i < count; i++) {
      struct pipe_sampler_view **slot = &ctx->views[stage][start + i];
      struct pipe_sampler_view *view = views ? views[i] : NULL;

      if (take_ownership) {
         pipe_sampler_view_reference(slot, NULL);
         *slot = view;
      } else {
         pipe_sampler_view_reference(slot, view);
      }
   }
   for (; i < count + unbind_trailing; i++)
      pipe_sampler_view_reference(&ctx->views[stage][start + i], NULL);
   ctx->view_count[stage] = MAX2(ctx->view_count[stage], start + i);
   set_new(ctx, NV3_NEW_VIEWS);
}

/* ---- framebuffer ---- */

static struct pipe_surface *
nv3_create_surface(struct pipe_context *pipe, struct pipe_resource *texture,
                   const struct pipe_surface *templ)
{
   struct nv3_surface_view *surface = CALLOC_STRUCT(nv3_surface_view);

   if (!surface)
      return NULL;
   surface->base = *templ;
   surface->base.texture = NULL;
   pipe_resource_reference(&surface->base.texture, texture);
   pipe_reference_init(&surface->base.reference, 1);
   surface->base.context = pipe;
   surface->base.width = u_minify(texture->width0, templ->u.tex.level);
   surface->base.height = u_minify(texture->height0, templ->u.tex.level);
   return &surface->base;
}

static void
nv3_destroy_surface(struct pipe_context *pipe, struct pipe_surface *psurface)
{
   struct nv3_surface_view *surface = nv3_surface_view(psurface);
   /*
    * Surfaces of another inner context are skipped, because that context may
    * have been destroyed.
    */
   struct pipe_context *inner = nv3_context(pipe)->inner;

   pipe_surface_release(inner, &surface->canonical);
   pipe_surface_release(inner, &surface->target);
   pipe_resource_reference(&surface->base.texture, NULL);
   FREE(surface);
}

static void
nv3_set_framebuffer(struct pipe_context *pipe,
                    const struct pipe_framebuffer_state *fb)
{
   struct nv3_context *ctx = nv3_context(pipe);

   nv3_shared_drawn(ctx);
   util_copy_framebuffer_state(&ctx->fb, fb);
   /* The new framebuffer may fit in VRAM. */
   ctx->chip->no_memory = false;
   set_new(ctx, NV3_NEW_FRAMEBUFFER);
}

/* ---- other state ---- */

static void
nv3_set_viewports(struct pipe_context *pipe, unsigned start, unsigned count,
                  const struct pipe_viewport_state *viewports)
{
   struct nv3_context *ctx = nv3_context(pipe);

   ctx->viewport = viewports[0];
   set_new(ctx, NV3_NEW_VIEWPORT);
}

static void
nv3_set_scissors(struct pipe_context *pipe, unsigned start, unsigned count,
                 const struct pipe_scissor_state *scissors)
{
   struct nv3_context *ctx = nv3_context(pipe);

   ctx->scissor = scissors[0];
   set_new(ctx, NV3_NEW_SCISSOR);
}

static void
nv3_set_clip(struct pipe_context *pipe, const struct pipe_clip_state *clip)
{
   struct nv3_context *ctx = nv3_context(pipe);

   ctx->clip = *clip;
   set_new(ctx, NV3_NEW_CLIP);
}

static void
nv3_set_blend_color(struct pipe_context *pipe,
                    const struct pipe_blend_color *color)
{
   struct nv3_context *ctx = nv3_context(pipe);

   ctx->blend_color = *color;
   set_new(ctx, NV3_NEW_BLEND_COLOR);
}

static void
nv3_set_stencil_ref(struct pipe_context *pipe,
                    const struct pipe_stencil_ref ref)
{
   struct nv3_context *ctx = nv3_context(pipe);

   ctx->stencil_ref = ref;
   set_new(ctx, NV3_NEW_STENCIL_REF);
}

static void
nv3_set_stipple(struct pipe_context *pipe,
                const struct pipe_poly_stipple *stipple)
{
   struct nv3_context *ctx = nv3_context(pipe);

   ctx->stipple = *stipple;
   set_new(ctx, NV3_NEW_STIPPLE);
}

static void
nv3_set_sample_mask(struct pipe_context *pipe, unsigned mask)
{
   struct nv3_context *ctx = nv3_context(pipe);

   ctx->sample_mask = mask;
   set_new(ctx, NV3_NEW_SAMPLE_MASK);
}

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
   pipe->bind_rasterizer_state = nv3_bind_rasterizer;
   pipe->delete_rasterizer_state = nv3_delete_rasterizer;
   pipe->create_sampler_state = nv3_create_sampler;
   pipe->bind_sampler_states = nv3_bind_samplers;
   pipe->delete_sampler_state = nv3_delete_sampler;
   pipe->create_vs_state = nv3_create_vs;
   pipe->bind_vs_state = nv3_bind_vs;
   pipe->delete_vs_state = nv3_delete_vs;
   pipe->create_fs_state = nv3_create_fs;
   pipe->bind_fs_state = nv3_bind_fs;
   pipe->delete_fs_state = nv3_delete_fs;
   pipe->create_vertex_elements_state = nv3_create_velems;
   pipe->bind_vertex_elements_state = nv3_bind_velems;
   pipe->delete_vertex_elements_state = nv3_delete_vertex_elements;
   pipe->set_vertex_buffers = nv3_set_vertex_buffers;
   pipe->set_constant_buffer = nv3_set_constant_buffer;
   pipe->create_sampler_view = nv3_create_view;
   pipe->sampler_view_destroy = nv3_destroy_view;
   pipe->set_sampler_views = nv3_set_views;
   pipe->create_surface = nv3_create_surface;
   pipe->surface_destroy = nv3_destroy_surface;
   pipe->set_framebuffer_state = nv3_set_framebuffer;
   pipe->set_viewport_states = nv3_set_viewports;
   pipe->set_scissor_states = nv3_set_scissors;
   pipe->set_clip_state = nv3_set_clip;
   pipe->set_blend_color = nv3_set_blend_color;
   pipe->set_stencil_ref = nv3_set_stencil_ref;
   pipe->set_polygon_stipple = nv3_set_stipple;
   pipe->set_sample_mask = nv3_set_sample_mask;
}
