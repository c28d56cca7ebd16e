/* SPDX-License-Identifier: MIT */
/*
 * Translates pipe state to the terms of class 0x17, or finds the reason why
 * that is impossible.
 *
 * The centres of pixels and texels are at halves in GL and at integers in the
 * chip (docs/reference/chip/3d.md). This file and nv3_emit.c subtract the
 * difference.
 */
#include "draw/draw_context.h"
#include "util/format/u_format.h"
#include "util/u_inlines.h"
#include "util/u_math.h"

#include "base/nv3_context.h"
#include "base/nv3_screen.h"
#include "channel/nv3_chip.h"
#include "class17/nv3_blend.h"
#include "class17/nv3_clip.h"
#include "class17/nv3_draw_state.h"
#include "class17/nv3_texture.h"
#include "class17/nv3_validate.h"
#include "class17/nv3_vertex.h"
#include "compiler/nv3_expr.h"
#include "compiler/nv3_shader.h"
#include "resource/nv3_resource.h"
#include "sw/nv3_intermediate.h"

/*
 * The maximum absolute value of texture coordinates, in texels of the largest
 * level. The chip has 12.4 bits. Unless coordinates are clamped to the edge, a
 * margin is needed.
 */
#define COORD_MAX      2040.0f
#define COORD_EDGE_MAX 2047.5f

/*
 * The maximum uniform factor. Colours are bytes, so larger factors can't be
 * expressed.
 */
#define FACTOR_MAX (256.0f / 255.0f)

static const uint8_t chip_func[8] = {
   [PIPE_FUNC_NEVER] = NV3_D3D_CMP_NEVER,
   [PIPE_FUNC_LESS] = NV3_D3D_CMP_LESS,
   [PIPE_FUNC_EQUAL] = NV3_D3D_CMP_EQUAL,
   [PIPE_FUNC_LEQUAL] = NV3_D3D_CMP_LEQUAL,
   [PIPE_FUNC_GREATER] = NV3_D3D_CMP_GREATER,
   [PIPE_FUNC_NOTEQUAL] = NV3_D3D_CMP_NOTEQUAL,
   [PIPE_FUNC_GEQUAL] = NV3_D3D_CMP_GEQUAL,
   [PIPE_FUNC_ALWAYS] = NV3_D3D_CMP_ALWAYS,
};

/* ---- textures ---- */

/* The chip has one filter for magnification and minification. */
static bool
is_linear(const struct pipe_sampler_state *sampler)
{
   return sampler->mag_img_filter == PIPE_TEX_FILTER_LINEAR ||
          (sampler->min_img_filter == PIPE_TEX_FILTER_LINEAR &&
           sampler->min_mip_filter != PIPE_TEX_MIPFILTER_NONE);
}

static int
chip_wrap(const struct pipe_sampler_state *sampler, unsigned wrap)
{
   switch (wrap) {
   case PIPE_TEX_WRAP_REPEAT:
      return NV3_D3D_WRAP_WRAP;
   case PIPE_TEX_WRAP_MIRROR_REPEAT:
      return NV3_D3D_WRAP_MIRROR;
   case PIPE_TEX_WRAP_CLAMP:
      /*
       * A linear filter would interpolate texels at the edge with the border
       * colour.
       */
      return is_linear(sampler) ? -1 : NV3_D3D_WRAP_CLAMP;
   case PIPE_TEX_WRAP_CLAMP_TO_EDGE:
      return NV3_D3D_WRAP_CLAMP;
   default:
      return -1;
   }
}

/* Returns the filter and the bias for the selection of mipmap levels. */
static uint32_t
filter_word(const struct pipe_sampler_state *sampler)
{
   int bias = CLAMP((int)(sampler->lod_bias * 16.0f), -128, 127);

   return (uint32_t)(bias & 0xff) << 16;
}

/* Selects the range of levels, relative to the view's first level. */
static const char *
texture_levels(const struct pipe_sampler_state *sampler,
               struct nv3_texture_key *key)
{
   float min = CLAMP(sampler->min_lod, 0.0f, 15.0f);
   float max = CLAMP(sampler->max_lod, min, 15.0f);

   if (sampler->min_mip_filter == PIPE_TEX_MIPFILTER_NONE)
      return NULL;
   /*
    * The chip can't interpolate between mipmap levels (no trilinear
    * filtering). A level of detail that is clamped to a value between two
    * levels would be visibly wrong.
    */
   if (sampler->min_mip_filter == PIPE_TEX_MIPFILTER_LINEAR &&
       (min != floorf(min) || max != floorf(max)))
      return "level of detail clamped between two levels";
   key->first_level = min + 0.5f;
   key->last_level = max + 0.5f;
   return NULL;
}

static const char *
texture_key(const struct nv3_shader_info *shader,
            const struct pipe_sampler_state *sampler,
            const struct nv3_blend_mode *blend,
            const struct nv3_alpha_test *test, struct nv3_texture_key *key)
{
   int wrap_s = chip_wrap(sampler, sampler->wrap_s);
   int wrap_t = chip_wrap(sampler, sampler->wrap_t);

   if (wrap_s < 0 || wrap_t < 0)
      return "unsupported texture wrap mode";
   if (sampler->compare_mode != PIPE_TEX_COMPARE_NONE)
      return "shadow texture";
   memset(key, 0, sizeof(*key));
   memcpy(key->swizzle, shader->swizzle, sizeof(key->swizzle));
   key->wrap[0] = wrap_s;
   key->wrap[1] = wrap_t;
   if (blend->doubled) {
      key->mode = NV3_TEXTURE_DOUBLED;
   } else if (blend->alpha == NV3_ALPHA_MULTIPLIED) {
      key->mode = NV3_TEXTURE_PREMULTIPLIED;
   } else if (blend->alpha == NV3_ALPHA_DIVIDED) {
      key->mode = NV3_TEXTURE_DIVIDED;
   } else if (blend->opaque && test->func == PIPE_FUNC_ALWAYS) {
      /* Alpha is not used. */
      key->swizzle[3] = PIPE_SWIZZLE_1;
   } else if (blend->opaque) {
      key->mode = NV3_TEXTURE_CUT;
      key->threshold = CLAMP((int)(test->ref * 255.0f + 0.5f), 1, 255);
   }
   return texture_levels(sampler, key);
}

static enum nv3_color_slot
color_slot(const struct nv3_context *ctx, const struct nv3_draw_state *state)
{
   return ctx->blends_in_sw && state->role == NV3_PASS_FIRST ? NV3_SLOT_DRAWN
                                                             : NV3_SLOT_COLOR;
}

/* Selects a white texel, because class 0x17 always needs a texture. */
static const char *
no_texture(struct nv3_context *ctx, struct nv3_draw_state *state, bool zeta)
{
   struct nv3_slab *slab = nv3_texture_white(ctx);

   nv3_texture_hold(ctx, &state->place, NULL);
   state->d3d =
      slab ? nv3_chip_d3d(ctx, slab, color_slot(ctx, state), zeta) : NULL;
   if (!state->d3d)
      return "no memory for a texture";
   state->words[0] = 0;
   state->words[1] = NV3_D3D_TEX_A4R4G4B4 << NV3_D3D_TEX_FORMAT_SHIFT;
   state->words[2] = 0;
   state->words[NV3_STATE_CONFIG] = NV3_D3D_INTERP_ZOH_CORNER;
   state->words[NV3_STATE_CONFIG] |=
      NV3_D3D_WRAP_WRAP << NV3_D3D_CONFIG_WRAP_U_SHIFT |
      NV3_D3D_WRAP_WRAP << NV3_D3D_CONFIG_WRAP_V_SHIFT;
   return NULL;
}

static void
set_coordinates(struct nv3_draw_state *state, const struct nv3_texture_key *key,
                const struct nv3_texture_use *tex, bool linear)
{
   float size = 1u << tex->log2;

   for (unsigned i = 0; i < 2; i++) {
      unsigned wrap = key->wrap[i];

      state->coord_scale[i] = tex->scale[i];
      state->coord_bias[i] = linear ? -0.5f / size : 0.0f;
      state->coord_limit[i] = (wrap == NV3_D3D_WRAP_CLAMP ? COORD_EDGE_MAX :
                                                            COORD_MAX) / size;
      state->coord_edge[i] = (size - 1.0f) / size;
      state->coord_period[i] = wrap == NV3_D3D_WRAP_WRAP ? 1 :
                               wrap == NV3_D3D_WRAP_MIRROR ? 2 : 0;
   }
}

static const char *
texture(struct nv3_context *ctx, struct nv3_draw_state *state,
        const struct nv3_blend_mode *blend, const struct nv3_alpha_test *test,
        bool zeta)
{
   const struct nv3_shader_info *shader = state->shader;
   const struct pipe_sampler_state *sampler;
   struct pipe_sampler_view *view;
   struct nv3_texture_key key;
   struct nv3_texture_use tex;
   const char *reason;
   bool linear;

   if (!shader->textured)
      return no_texture(ctx, state, zeta);
   view = ctx->views[NV3_STAGE_FS][shader->lookup.view];
   if (!view || !ctx->samplers[NV3_STAGE_FS][shader->lookup.sampler])
      return "missing texture";
   if (shader->max_factor >= 0 &&
       state->values[shader->max_factor] > FACTOR_MAX)
      return "texel times a factor above 1";
   sampler = &ctx->samplers[NV3_STAGE_FS][shader->lookup.sampler]->base;
   reason = texture_key(shader, sampler, blend, test, &key);
   if (reason)
      return reason;
   for (unsigned i = 0; i < ctx->fb.nr_cbufs; i++) {
      if (ctx->fb.cbufs[i] && ctx->fb.cbufs[i]->texture == view->texture)
         return "texture is a render target of the draw";
   }
   reason = nv3_texture_get(ctx, view, &key, &tex);
   if (reason)
      return reason;
   nv3_texture_hold(ctx, &state->place, tex.place);
   state->d3d = nv3_chip_d3d(ctx, tex.slab, color_slot(ctx, state), zeta);
   if (!state->d3d)
      return "no memory for a texture";

   linear = is_linear(sampler);
   set_coordinates(state, &key, &tex, linear);
   /*
    * The period of a mirrored texture, twice its size, exceeds the chip's
    * coordinates.
    */
   if (tex.log2 == NV3_TEXTURE_LEVELS - 1 &&
       (key.wrap[0] == NV3_D3D_WRAP_MIRROR ||
        key.wrap[1] == NV3_D3D_WRAP_MIRROR))
      return "mirrored texture of the maximum size";
   state->words[0] = tex.offset;
   state->words[1] = (uint32_t)tex.format << NV3_D3D_TEX_FORMAT_SHIFT |
                     (uint32_t)tex.log2_min << NV3_D3D_TEX_SIZE_MIN_SHIFT |
                     (uint32_t)tex.log2 << NV3_D3D_TEX_SIZE_MAX_SHIFT;
   state->words[2] = filter_word(sampler);
   state->words[NV3_STATE_CONFIG] = (linear ? NV3_D3D_INTERP_FOH_CENTER :
                               NV3_D3D_INTERP_ZOH_CORNER) |
                     key.wrap[0] << NV3_D3D_CONFIG_WRAP_U_SHIFT |
                     key.wrap[1] << NV3_D3D_CONFIG_WRAP_V_SHIFT;
   return NULL;
}

/* ---- configuration word ---- */

/*
 * Returns the culling bits. The y axis of the chip points down, as in Gallium,
 * so the orientations are the same.
 */
static uint32_t
cull_bits(const struct pipe_rasterizer_state *rast)
{
   unsigned cull = NV3_D3D_CULL_NONE;

   if (rast->cull_face == PIPE_FACE_FRONT)
      cull = rast->front_ccw ? NV3_D3D_CULL_CCW : NV3_D3D_CULL_CW;
   else if (rast->cull_face == PIPE_FACE_BACK)
      cull = rast->front_ccw ? NV3_D3D_CULL_CW : NV3_D3D_CULL_CCW;
   return cull << NV3_D3D_CONFIG_CULL_SHIFT;
}

/*
 * Returns the depth function of the first pass. If later passes draw where
 * depth is equal, the first pass must draw there as well. Otherwise only the
 * later passes would draw triangles within one step of depth.
 */
static enum pipe_compare_func
first_of_several(enum pipe_compare_func func)
{
   switch (func) {
   case PIPE_FUNC_LESS:
      return PIPE_FUNC_LEQUAL;
   case PIPE_FUNC_GREATER:
      return PIPE_FUNC_GEQUAL;
   default:
      return func;
   }
}

static uint32_t
depth_bits(const struct nv3_context *ctx, bool zeta, enum nv3_role role)
{
   const struct pipe_depth_stencil_alpha_state *dsa = &ctx->dsa->base;
   enum nv3_role writer = ctx->blends_in_sw ? NV3_PASS_DEPTH : NV3_PASS_FIRST;
   unsigned func = NV3_D3D_CMP_ALWAYS, write = NV3_D3D_WRITE_NEVER;

   if (zeta) {
      func = chip_func[dsa->depth_func];
      if (dsa->depth_writemask && role > writer) {
         func = NV3_D3D_CMP_EQUAL;
      } else if (dsa->depth_writemask && role == writer) {
         write = NV3_D3D_WRITE_Z;
         if (ctx->fs->info->second)
            func = chip_func[first_of_several(dsa->depth_func)];
      }
   }
   return func << NV3_D3D_CONFIG_Z_FUNC_SHIFT |
          write << NV3_D3D_CONFIG_Z_WRITE_SHIFT;
}

/*
 * Returns the write mode. With an alpha test, a pixel with alpha 0 that passes
 * must still write depth. Its colour is blended with weight 0.
 */
static uint32_t
color_bits(bool color)
{
   return (uint32_t)(color ? NV3_D3D_WRITE_Z : NV3_D3D_WRITE_NEVER) <<
          NV3_D3D_CONFIG_COLOR_WRITE_SHIFT;
}

static uint32_t
alpha_word(const struct nv3_alpha_test *test)
{
   unsigned ref = CLAMP((int)(test->ref * 255.0f + 0.5f), 0, 255);

   return ref | (uint32_t)chip_func[test->func] << 8;
}

static uint32_t
pack_rgba(const float c[4])
{
   uint32_t argb = float_to_ubyte(c[3]);

   for (unsigned i = 0; i < 3; i++)
      argb = argb << 8 | float_to_ubyte(c[i]);
   return argb;
}

/*
 * True if a colour is outside 0 to 1 before fog. GL clamps after fog, but the
 * chip clamps vertex colours.
 */
static bool
is_clamped_before_fog(const struct nv3_draw_state *state)
{
   const struct nv3_shader_info *shader = state->shader;

   for (unsigned c = 0; c < 3 && shader->fog >= 0; c++) {
      float value = state->values[shader->color[c]];

      if (shader->expr.ops[shader->color[c]].degree == NV3_UNIFORM &&
          (value < 0.0f || value > FACTOR_MAX))
         return true;
   }
   return false;
}

/*
 * Sets the fog of the shader, unless a separate pass draws this fog, or sets
 * the white fog that products need.
 */
static void
set_fog(const struct nv3_context *ctx, struct nv3_draw_state *state)
{
   const struct nv3_shader_info *shader = state->shader;
   unsigned bias = nv3_blend_bias(ctx, state->role);
   float c[4] = { 0 };

   state->uniform_fog = bias << 24;
   state->fog_op = shader->fog_pass ? -1 : shader->fog;
   state->last_op = state->fog_op;
   for (unsigned i = 0; i < 3; i++)
      c[i] = state->fog_op >= 0 ? state->values[shader->fog_color[i]] :
             bias ? 1.0f : 0.0f;
   state->words[3] = pack_rgba(c);
}

/*
 * Sets the white fog that blends by alpha need, after the source of the colour
 * is known.
 */
static void
set_brighten(const struct nv3_context *ctx, struct nv3_draw_state *state,
             const struct nv3_blend_mode *blend)
{
   state->brightens = state->fog_op < 0 &&
                  nv3_blend_brighten(ctx, state, blend, state->brighten);
   if (!state->brightens)
      return;
   state->words[3] = 0xffffff;
   if (state->color_source == NV3_COLOR_UNIFORM) {
      state->uniform_fog = nv3_draw_brighten(state, state->uniform_color);
      state->brightens = false;
   }
}

/* ---- vertices ---- */

static void
projection(struct nv3_context *ctx, struct nv3_draw_state *state)
{
   const struct pipe_viewport_state *vp = &ctx->viewport;
   struct nv3_projection *p = &state->projection;

   for (unsigned i = 0; i < 3; i++) {
      p->scale[i] = vp->scale[i];
      p->bias[i] = vp->translate[i] + (i < 2 ? NV3_PIXEL_BIAS : 0.0f);
   }
   for (unsigned i = 0; i < 2; i++) {
      float room = NV3_SURFACE_MAX - fabsf(vp->translate[i]);

      /* The chip clips a viewport that exceeds its coordinates. */
      p->guard[i] = MAX2(room, 0.0f) / MAX2(fabsf(vp->scale[i]), 0.5f);
   }
   p->half_z = ctx->rast->base.clip_halfz;
   p->projective = state->shader->lookup.coord_q >= 0;
}

/*
 * Returns the input whose components 0 to @count - 1 are read by @ops in this
 * order, or -1 if there is none.
 */
static int
whole_input(const struct nv3_expr *expr, const int *ops, unsigned count)
{
   for (unsigned i = 0; i < count; i++) {
      const struct nv3_op *op = &expr->ops[ops[i]];

      if (op->code != NV3_OP_VARYING || op->b != i ||
          op->a != expr->ops[ops[0]].a)
         return -1;
   }
   return expr->ops[ops[0]].a;
}

/*
 * Determines the source of the vertex colour. @clamps is set if vertex
 * colours are clamped. @uses_alpha is set if the resulting alpha is used.
 */
static void
color_source(struct nv3_draw_state *state, bool clamps, bool uses_alpha)
{
   const struct nv3_shader_info *shader = state->shader;
   bool uniform = true;
   float c[4];
   int input;

   state->checked_channels = 0;
   for (unsigned i = 0; i < 4; i++)
      uniform &= shader->expr.ops[shader->color[i]].degree == NV3_UNIFORM;
   if (uniform) {
      for (unsigned i = 0; i < 4; i++)
         c[i] = state->values[shader->color[i]];
      for (unsigned i = 0; i < 3; i++)
         c[i] = nv3_use_alpha(state->alpha, c[i], c[3]);
      state->uniform_color = pack_rgba(c);
      state->color_source = NV3_COLOR_UNIFORM;
      return;
   }
   for (unsigned i = 0; i < 4; i++) {
      int op = shader->color[i];
      bool is_unit = shader->expr.ops[op].degree == NV3_UNIFORM ?
                     state->values[op] >= 0.0f && state->values[op] <= 1.0f :
                     nv3_expr_is_unit(&shader->expr, op) && clamps;

      if (!state->flat && (i < 3 || uses_alpha) && !is_unit)
         state->checked_channels |= 1 << i;
   }
   input = whole_input(&shader->expr, shader->color, 4);
   state->color_source = input >= 0 ? NV3_COLOR_INPUT : NV3_COLOR_EXPR;
   state->color_input = MAX2(input, 0);
   if (state->color_source == NV3_COLOR_EXPR) {
      for (unsigned i = 0; i < 4; i++)
         state->last_op = MAX2(state->last_op, shader->color[i]);
   }
}

/*
 * Determines whether the colour is flat. Varyings are flat if the shader
 * declares them as flat. Colours are also flat if the state selects flat
 * shading. Class 0x17 can't combine flat and smooth colours.
 */
static const char *
shading(struct nv3_context *ctx, struct nv3_draw_state *state)
{
   const struct nv3_shader_info *shader = state->shader;
   bool flat = false, smooth = false;

   for (unsigned i = 0; i < shader->expr.count; i++) {
      const struct nv3_op *op = &shader->expr.ops[i];
      bool is_color, is_flat;

      if (op->code != NV3_OP_VARYING)
         continue;
      is_color = shader->inputs[op->a].semantic == TGSI_SEMANTIC_COLOR;
      is_flat = shader->inputs[op->a].flat ||
                (is_color && ctx->rast->base.flatshade);
      if (is_flat && !is_color)
         return "flat varying other than a colour";
      if (is_color) {
         flat |= is_flat;
         smooth |= !is_flat;
      }
   }
   if (flat && smooth)
      return "flat and smooth colours";
   state->flat = flat;
   state->flat_first = ctx->rast->base.flatshade_first;
   return NULL;
}

static void
coordinate_source(struct nv3_draw_state *state)
{
   const struct nv3_shader_info *shader = state->shader;

   state->coord_input = -1;
   if (!shader->textured)
      return;
   if (shader->lookup.coord_q < 0)
      state->coord_input = whole_input(&shader->expr, shader->lookup.coord, 2);
   if (state->coord_input >= 0)
      return;
   for (unsigned i = 0; i < 2; i++)
      state->last_op = MAX2(state->last_op, shader->lookup.coord[i]);
   state->last_op = MAX2(state->last_op, shader->lookup.coord_q);
}

/* ---- complete validation ---- */

static const char *
framebuffer(struct nv3_context *ctx, struct nv3_draw_state *state, bool zeta)
{
   struct pipe_surface *cbuf = ctx->fb.nr_cbufs ? ctx->fb.cbufs[0] : NULL;
   struct nv3_resource *res;

   state->color_res = state->zeta_res = NULL;
   state->zeta = NULL;
   if (!cbuf)
      return "no colour buffer";
   if (ctx->fb.nr_cbufs > 1)
      return "multiple colour buffers";
   res = nv3_resource(cbuf->texture);
   if (!nv3_resource_can_target(res) || cbuf->u.tex.level ||
       cbuf->u.tex.first_layer)
      return "unsupported colour buffer";
   if (nv3_resource_has_alpha(res))
      return "colour buffer with alpha";
   state->color_res = res;
   if (!zeta)
      return NULL;
   res = nv3_resource(ctx->fb.zsbuf->texture);
   if (!nv3_resource_can_target(res))
      return "unsupported depth buffer";
   state->zeta_res = res;
   return NULL;
}

static const char *
targets(struct nv3_context *ctx, struct nv3_draw_state *state)
{
   state->color = nv3_resource_target(ctx, state->color_res);
   if (state->zeta_res)
      state->zeta = nv3_resource_target(ctx, state->zeta_res);
   if (!state->color || (state->zeta_res && !state->zeta))
      return "no memory for a render target";
   if (ctx->blends_in_sw && !nv3_intermediate_prepare(ctx, state->color))
      return "no memory for CPU blending";
   return NULL;
}

static const char *
other_state(struct nv3_context *ctx)
{
   const struct pipe_rasterizer_state *rast = &ctx->rast->base;

   if (ctx->screen->debug & NV3_DEBUG_SOFT)
      return "NV3_DEBUG=soft";
   if (ctx->chip->lost)
      return "channel stopped";
   if (ctx->chip->no_memory)
      return "render targets exceed VRAM";
   if (ctx->pixel_queries)
      return "occlusion query";
   if (ctx->conditional)
      return "conditional rendering";
   if (ctx->vs->samples)
      return "textures in the vertex shader";
   if (rast->poly_stipple_enable)
      return "polygon stipple";
   /*
    * The pieces of stippled lines are one pixel long, and some of their quads
    * would contain no pixel centre.
    */
   if (rast->line_stipple_enable)
      return "line stipple";
   if (rast->line_smooth || rast->point_smooth || rast->poly_smooth)
      return "smooth edges";
   if (rast->sprite_coord_enable)
      return "point sprites";
   if (rast->rasterizer_discard)
      return "rasterizer discard";
   if (ctx->dsa->base.stencil[0].enabled)
      return "stencil";
   if (ctx->dsa->base.depth_bounds_test)
      return "depth bounds";
   /* The chip would interpolate the clamped depth of the vertices. */
   if (ctx->fb.zsbuf && ctx->dsa->base.depth_enabled &&
       !(rast->depth_clip_near && rast->depth_clip_far))
      return "depth clamping";
   return NULL;
}

static const char *
validate_pass(struct nv3_context *ctx, struct nv3_draw_state *state)
{
   bool zeta = ctx->fb.zsbuf && ctx->dsa->base.depth_enabled;
   struct nv3_alpha_test test;
   struct nv3_blend_mode blend;
   const char *reason;
   const void *constants;
   unsigned size;

   constants = nv3_constants_map(&ctx->constants[NV3_STAGE_FS][0], &size);
   nv3_expr_uniforms(&state->shader->expr, state->values, constants, size);
   if (!ctx->rast->base.clamp_vertex_color && state->shader->clamps_colors)
      return "vertex colours clamped only by the shader";
   reason = framebuffer(ctx, state, zeta);
   if (!reason)
      reason = nv3_blend_validate(ctx, state, &test, &blend);
   if (!reason)
      reason = shading(ctx, state);
   if (!reason)
      reason = texture(ctx, state, &blend, &test, zeta);
   if (!reason)
      reason = targets(ctx, state);
   if (reason)
      return reason;

   state->alpha = blend.alpha;
   if (is_clamped_before_fog(state))
      return "fogged colour outside 0 to 1";
   set_fog(ctx, state);
   color_source(state, ctx->rast->base.clamp_vertex_color,
                !blend.opaque || test.func != PIPE_FUNC_ALWAYS);
   set_brighten(ctx, state, &blend);
   coordinate_source(state);
   projection(ctx, state);
   state->line_width = ctx->rast->base.line_width;
   state->point_size = ctx->rast->base.point_size;
   state->words[NV3_STATE_CONFIG] |= NV3_D3D_CONFIG_ALPHA | blend.config |
                      cull_bits(&ctx->rast->base) |
                      depth_bits(ctx, zeta, state->role) |
                      color_bits(nv3_blend_writes(ctx, state->role));
   state->words[5] = alpha_word(&test);
   return NULL;
}

const char *
nv3_validate(struct nv3_context *ctx)
{
   const struct nv3_shader_info *shader = ctx->fs->info;
   const char *reason = other_state(ctx);
   enum nv3_role roles[NV3_MAX_PASSES];

   if (reason)
      return reason;
   if (!shader)
      return "no memory";
   if (shader->reason)
      return shader->reason;
   ctx->passes = nv3_blend_passes(ctx, roles);
   ctx->passes_by_quad = ctx->checks_vertices = false;
   for (unsigned i = 0; i < ctx->passes && !reason; i++) {
      ctx->states[i].role = roles[i];
      ctx->states[i].shader = nv3_blend_shader(ctx, roles[i]);
      reason = validate_pass(ctx, &ctx->states[i]);
   }
   return reason;
}
