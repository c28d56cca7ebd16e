/* SPDX-License-Identifier: MIT */
/*
 * Implements state objects and bound state, except for textures and shaders.
 *
 * A state object contains the methods that set the state. nv3p_emit.c emits
 * methods that depend on several objects.
 */
#include "util/u_framebuffer.h"
#include "util/u_helpers.h"
#include "util/u_inlines.h"
#include "util/u_math.h"
#include "util/u_memory.h"

#include "nouveau/nouveau_gldefs.h"

#include "base/nv3p_context.h"
#include "programs/nv3p_format.h"
#include "programs/nv3p_methods.h"
#include "programs/nv3p_state.h"

/*
 * OpenGL enumerants that nouveau_gldefs.h lacks. The class's methods take the
 * same values.
 */
#define GL_FRONT 0x0404
#define GL_BACK 0x0405
#define GL_FRONT_AND_BACK 0x0408
#define GL_CW 0x0900
#define GL_CCW 0x0901
#define GL_FLAT 0x1d00
#define GL_SMOOTH 0x1d01

/*
 * Adds the header of a run of @count methods to @commands. The caller must
 * afterwards add @count words with put().
 */
static void
put_run(struct nv3p_commands *commands, unsigned method, unsigned count)
{
   commands->word[commands->count++] = count << 16 | method;
}

static void
put(struct nv3p_commands *commands, uint32_t word)
{
   assert(commands->count < NV3P_COMMANDS_MAX);
   commands->word[commands->count++] = word;
}

static void
put_method(struct nv3p_commands *commands, unsigned method, uint32_t word)
{
   put_run(commands, method, 1);
   put(commands, word);
}

/* ---- blend ---- */

static void *
nv3p_create_blend(struct pipe_context *pipe,
                  const struct pipe_blend_state *state)
{
   struct nv3p_blend *blend = CALLOC_STRUCT(nv3p_blend);
   const struct pipe_rt_blend_state *rt = &state->rt[0];
   struct nv3p_commands *c;

   if (!blend)
      return NULL;
   blend->base = *state;
   c = &blend->commands;
   put_method(c, NV3_PM_BLEND_ENABLE, rt->blend_enable);
   if (rt->blend_enable) {
      put_method(c, NV3_PM_BLEND_SEPARATE_ALPHA, 1);
      put_run(c, NV3_PM_BLEND_FUNC_SFACTOR, 2);
      put(c, nvgl_blend_func(rt->rgb_src_factor) |
             nvgl_blend_func(rt->alpha_src_factor) << 16);
      put(c, nvgl_blend_func(rt->rgb_dst_factor) |
             nvgl_blend_func(rt->alpha_dst_factor) << 16);
      put_method(c, NV3_PM_BLEND_EQUATION,
                 nvgl_blend_eqn(rt->rgb_func) |
                 nvgl_blend_eqn(rt->alpha_func) << 16);
   }
   put_run(c, NV3_PM_LOGIC_OP_ENABLE, 2);
   put(c, state->logicop_enable);
   put(c, nvgl_logicop_func(state->logicop_func));
   put_method(c, NV3_PM_DITHER_ENABLE, state->dither);
   return blend;
}

/* ---- depth, stencil, alpha ---- */

/*
 * Adds the stencil methods, except for the reference value, which is separate
 * state.
 */
static void
put_stencil(struct nv3p_commands *c, unsigned method,
            const struct pipe_stencil_state *stencil)
{
   put_run(c, method, 2);
   put(c, stencil->writemask);
   put(c, nvgl_comparison_op(stencil->func));
   put_run(c, method + NV3P_STENCIL_FUNC_MASK, 4);
   put(c, stencil->valuemask);
   put(c, nvgl_stencil_op(stencil->fail_op));
   put(c, nvgl_stencil_op(stencil->zfail_op));
   put(c, nvgl_stencil_op(stencil->zpass_op));
}

static void *
nv3p_create_dsa(struct pipe_context *pipe,
                const struct pipe_depth_stencil_alpha_state *state)
{
   struct nv3p_dsa *dsa = CALLOC_STRUCT(nv3p_dsa);
   struct nv3p_commands *c;

   if (!dsa)
      return NULL;
   dsa->base = *state;
   c = &dsa->commands;
   put_method(c, NV3_PM_DEPTH_TEST_ENABLE, state->depth_enabled);
   if (state->depth_enabled) {
      put_method(c, NV3_PM_DEPTH_FUNC, nvgl_comparison_op(state->depth_func));
      put_method(c, NV3_PM_DEPTH_MASK, state->depth_writemask);
   }
   put_method(c, NV3_PM_STENCIL_TEST_ENABLE, state->stencil[0].enabled);
   if (state->stencil[0].enabled) {
      put_stencil(c, NV3_PM_STENCIL_MASK, &state->stencil[0]);
      put_method(c, NV3_PM_STENCIL_TWO_SIDE_ENABLE, state->stencil[1].enabled);
      if (state->stencil[1].enabled)
         put_stencil(c, NV3_PM_BACK_STENCIL_MASK, &state->stencil[1]);
   }
   put_method(c, NV3_PM_ALPHA_TEST_ENABLE, state->alpha_enabled);
   if (state->alpha_enabled) {
      put_run(c, NV3_PM_ALPHA_FUNC, 2);
      put(c, nvgl_comparison_op(state->alpha_func));
      put(c, float_to_ubyte(state->alpha_ref_value));
   }
   return dsa;
}

/* ---- rasterizer ---- */

static void
put_faces(struct nv3p_commands *c, const struct pipe_rasterizer_state *state)
{
   put_method(c, NV3_PM_CULL_FACE_ENABLE, state->cull_face != PIPE_FACE_NONE);
   put_run(c, NV3_PM_CULL_FACE, 2);
   put(c, state->cull_face == PIPE_FACE_FRONT_AND_BACK ? GL_FRONT_AND_BACK :
          state->cull_face == PIPE_FACE_FRONT ? GL_FRONT : GL_BACK);
   put(c, state->front_ccw ? GL_CCW : GL_CW);
   put_run(c, NV3_PM_FRONT_POLYGON_MODE, 2);
   put(c, nvgl_polygon_mode(state->fill_front));
   put(c, nvgl_polygon_mode(state->fill_back));
   put_method(c, NV3_PM_TWO_SIDE_LIGHT_ENABLE, state->light_twoside);
}

/*
 * One unit of the polygon offset must change the depth visibly. The chip
 * interpolates depth with 24 bits of precision, so one step of a 24-bit depth
 * buffer may not suffice. A unit is therefore two steps, as in Mesa's nv30
 * driver.
 */
static void
put_depth(struct nv3p_commands *c, const struct pipe_rasterizer_state *state)
{
   put_run(c, NV3_PM_POLY_OFFSET_POINT_ENABLE, 3);
   put(c, state->offset_point);
   put(c, state->offset_line);
   put(c, state->offset_tri);
   if (state->offset_point || state->offset_line || state->offset_tri) {
      put_run(c, NV3_PM_POLYGON_OFFSET_SCALE, 2);
      put(c, fui(state->offset_scale));
      put(c, fui(2.0f * state->offset_units));
   }
   put_method(c, NV3_PM_ZMIN_MAX_CONTROL,
              state->depth_clip_near ? 0 : NV3_PM_ZCLAMP);
   put_method(c, NV3_PM_DEPTH_CLIP_MODE, state->clip_halfz);
}

static void *
nv3p_create_rasterizer(struct pipe_context *pipe,
                       const struct pipe_rasterizer_state *state)
{
   struct nv3p_rasterizer *rast = CALLOC_STRUCT(nv3p_rasterizer);
   struct nv3p_commands *c;
   uint32_t planes = 0;

   if (!rast)
      return NULL;
   rast->base = *state;
   c = &rast->commands;
   put_faces(c, state);
   put_depth(c, state);
   put_method(c, NV3_PM_SHADE_MODE, state->flatshade ? GL_FLAT : GL_SMOOTH);
   put_method(c, NV3_PM_FLATSHADE_FIRST, state->flatshade_first);
   put_method(c, NV3_PM_LINE_WIDTH, MAX2(state->line_width, 1.0f) * 8.0f);
   put_method(c, NV3_PM_POINT_SIZE, state->point_size * 8.0f);
   u_foreach_bit(i, state->clip_plane_enable)
      planes |= 2 << 4 * i;
   put_method(c, NV3_PM_CLIP_PLANES_ENABLE, planes);
   return rast;
}

#define BIND_FUNCTION(name, member, flag)                                      \
   static void nv3p_bind_##name(struct pipe_context *pipe, void *state)        \
   {                                                                           \
      nv3p_context(pipe)->member = state;                                      \
      nv3p_context(pipe)->dirty |= flag;                                       \
   }

BIND_FUNCTION(blend, blend, NV3P_NEW_BLEND)
BIND_FUNCTION(dsa, dsa, NV3P_NEW_DSA)
BIND_FUNCTION(rasterizer, rast, NV3P_NEW_RASTERIZER)
BIND_FUNCTION(velems, velems, NV3P_NEW_VELEMS)

static void
nv3p_delete_state(struct pipe_context *pipe, void *state)
{
   FREE(state);
}

static void
nv3p_delete_rasterizer(struct pipe_context *pipe, void *state)
{
   struct nv3p_rasterizer *rast = state;

   FREE(rast->after_module);
   FREE(rast);
}

/* ---- vertices ---- */

static void *
nv3p_create_velems(struct pipe_context *pipe, unsigned count,
                   const struct pipe_vertex_element *elements)
{
   struct nv3p_velems *velems = CALLOC_STRUCT(nv3p_velems);

   if (!velems)
      return NULL;
   velems->count = count;
   memcpy(velems->elements, elements, count * sizeof(*elements));
   for (unsigned i = 0; i < count; i++)
      velems->formats[i] = nv3p_vertex_format(elements[i].src_format) |
                           elements[i].src_stride <<
                              NV3_PM_ARRAY_STRIDE_SHIFT;
   return velems;
}

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
   ctx->dirty |= NV3P_NEW_VBUFS;
}

/* ---- parameters ---- */

static void
nv3p_set_blend_color(struct pipe_context *pipe,
                     const struct pipe_blend_color *color)
{
   struct nv3p_context *ctx = nv3p_context(pipe);

   ctx->blend_color = *color;
   ctx->dirty |= NV3P_NEW_BLEND_COLOR;
}

static void
nv3p_set_stencil_ref(struct pipe_context *pipe,
                     const struct pipe_stencil_ref ref)
{
   struct nv3p_context *ctx = nv3p_context(pipe);

   ctx->stencil_ref = ref;
   ctx->dirty |= NV3P_NEW_STENCIL_REF;
}

static void
nv3p_set_sample_mask(struct pipe_context *pipe, unsigned mask)
{
   struct nv3p_context *ctx = nv3p_context(pipe);

   ctx->sample_mask = mask;
   ctx->dirty |= NV3P_NEW_SAMPLE_MASK;
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
   struct nv3p_context *ctx = nv3p_context(pipe);

   ctx->stipple = *stipple;
   ctx->stipple_changed = true;
}

static void
nv3p_set_scissors(struct pipe_context *pipe, unsigned start, unsigned count,
                  const struct pipe_scissor_state *scissors)
{
   struct nv3p_context *ctx = nv3p_context(pipe);

   ctx->scissor = scissors[0];
   ctx->dirty |= NV3P_NEW_SCISSOR;
}

static void
nv3p_set_viewports(struct pipe_context *pipe, unsigned start, unsigned count,
                   const struct pipe_viewport_state *viewports)
{
   struct nv3p_context *ctx = nv3p_context(pipe);

   ctx->viewport = viewports[0];
   ctx->dirty |= NV3P_NEW_VIEWPORT;
}

/* ---- framebuffer ---- */

/*
 * Sets ctx->swaps_red_blue. If the value changes, sets the dirty flags of
 * state that depends on the order of colour components. NV3P_NEW_FRAMEBUFFER
 * is not sufficient, because a clear may emit the framebuffer and reset this
 * flag before the next draw.
 */
static void
set_swaps_red_blue(struct nv3p_context *ctx, bool swaps)
{
   if (swaps != ctx->swaps_red_blue)
      ctx->dirty |= NV3P_NEW_FS | NV3P_NEW_BLEND_COLOR;
   ctx->swaps_red_blue = swaps;
}

static void
nv3p_set_framebuffer(struct pipe_context *pipe,
                     const struct pipe_framebuffer_state *fb)
{
   struct nv3p_context *ctx = nv3p_context(pipe);

   util_copy_framebuffer_state(&ctx->fb, fb);
   /*
    * If the scissor is disabled, emit_scissor() uses the size of the
    * framebuffer.
    */
   ctx->dirty |= NV3P_NEW_FRAMEBUFFER | NV3P_NEW_SCISSOR;
   if (fb->nr_cbufs && fb->cbufs[0])
      set_swaps_red_blue(ctx, nv3p_swaps_red_blue(fb->cbufs[0]->format));
}

void
nv3p_rebind(struct nv3p_context *ctx, struct nv3p_resource *res)
{
   struct pipe_resource *base = &res->base;

   if (base->target != PIPE_BUFFER) {
      ctx->dirty |= NV3P_NEW_TEXTURES | NV3P_NEW_FRAMEBUFFER;
      return;
   }
   ctx->dirty |= NV3P_NEW_VBUFS;
   for (unsigned i = 0; i < NV3P_STAGES; i++) {
      if (ctx->constants[i].buffer == base)
         ctx->dirty |= NV3P_NEW_CONST_VS << i;
   }
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
   pipe->delete_rasterizer_state = nv3p_delete_rasterizer;
   pipe->create_vertex_elements_state = nv3p_create_velems;
   pipe->bind_vertex_elements_state = nv3p_bind_velems;
   pipe->delete_vertex_elements_state = nv3p_delete_state;
   pipe->set_vertex_buffers = nv3p_set_vertex_buffers;
   pipe->set_blend_color = nv3p_set_blend_color;
   pipe->set_stencil_ref = nv3p_set_stencil_ref;
   pipe->set_sample_mask = nv3p_set_sample_mask;
   pipe->set_clip_state = nv3p_set_clip;
   pipe->set_polygon_stipple = nv3p_set_polygon_stipple;
   pipe->set_scissor_states = nv3p_set_scissors;
   pipe->set_viewport_states = nv3p_set_viewports;
   pipe->set_framebuffer_state = nv3p_set_framebuffer;
}
