/* SPDX-License-Identifier: MIT */
/* Implements samplers and views, and emits the words of texture units. */
#include "util/format/u_format.h"
#include "util/format_srgb.h"
#include "util/u_inlines.h"
#include "util/u_math.h"
#include "util/u_memory.h"
#include "util/u_pack_color.h"
#include "util/u_pstipple.h"

#include "base/nv3p_context.h"
#include "codegen/nv3c.h"
#include "programs/nv3p_methods.h"
#include "programs/nv3p_program.h"

/* ---- samplers ---- */

static uint32_t
wrap_mode(unsigned wrap)
{
   static const uint8_t modes[] = {
      [PIPE_TEX_WRAP_REPEAT] = 1,
      [PIPE_TEX_WRAP_MIRROR_REPEAT] = 2,
      [PIPE_TEX_WRAP_CLAMP_TO_EDGE] = 3,
      [PIPE_TEX_WRAP_CLAMP_TO_BORDER] = 4,
      [PIPE_TEX_WRAP_CLAMP] = 5,
      [PIPE_TEX_WRAP_MIRROR_CLAMP_TO_EDGE] = 6,
      [PIPE_TEX_WRAP_MIRROR_CLAMP_TO_BORDER] = 7,
      [PIPE_TEX_WRAP_MIRROR_CLAMP] = 8,
   };

   return modes[wrap];
}

/*
 * Returns the class's number for the comparison. The texture unit compares with
 * swapped operands. The class has no number for "never", so the fragment shader
 * implements this comparison (nv3p_program.c).
 */
static uint32_t
compare_func(const struct pipe_sampler_state *state)
{
   static const uint8_t funcs[] = {
      [PIPE_FUNC_NEVER] = 0,    [PIPE_FUNC_LESS] = 4,
      [PIPE_FUNC_EQUAL] = 2,    [PIPE_FUNC_LEQUAL] = 6,
      [PIPE_FUNC_GREATER] = 1,  [PIPE_FUNC_NOTEQUAL] = 5,
      [PIPE_FUNC_GEQUAL] = 3,   [PIPE_FUNC_ALWAYS] = 7,
   };

   return state->compare_mode == PIPE_TEX_COMPARE_R_TO_TEXTURE ?
          funcs[state->compare_func] : 0;
}

static uint32_t
min_filter(const struct pipe_sampler_state *state)
{
   static const uint8_t mips[] = {
      [PIPE_TEX_MIPFILTER_NONE] = 1,
      [PIPE_TEX_MIPFILTER_NEAREST] = 3,
      [PIPE_TEX_MIPFILTER_LINEAR] = 5,
   };

   return mips[state->min_mip_filter] + state->min_img_filter;
}

static void *
nv3p_create_sampler(struct pipe_context *pipe,
                    const struct pipe_sampler_state *state)
{
   return mem_dup(state, sizeof(*state));
}

static void
nv3p_bind_samplers(struct pipe_context *pipe, enum pipe_shader_type shader,
                   unsigned start, unsigned count, void **samplers)
{
   struct nv3p_context *ctx = nv3p_context(pipe);

   for (unsigned i = 0; i < count; i++)
      ctx->textures[shader].samplers[start + i] = samplers ? samplers[i] : NULL;
   ctx->dirty |= NV3P_NEW_TEXTURES;
}

/* ---- views ---- */

static struct pipe_sampler_view *
nv3p_create_view(struct pipe_context *pipe, struct pipe_resource *texture,
                 const struct pipe_sampler_view *templ)
{
   struct nv3p_view *view = CALLOC_STRUCT(nv3p_view);

   if (!view)
      return NULL;
   view->base = *templ;
   view->base.context = pipe;
   view->base.texture = NULL;
   pipe_reference_init(&view->base.reference, 1);
   pipe_resource_reference(&view->base.texture, texture);
   util_format_compose_swizzles(nv3p_texture_format(templ->format)->swizzle,
                                (const uint8_t[4]){ templ->swizzle_r,
                                                    templ->swizzle_g,
                                                    templ->swizzle_b,
                                                    templ->swizzle_a },
                                view->swizzle);
   return &view->base;
}

static void
nv3p_view_destroy(struct pipe_context *pipe, struct pipe_sampler_view *view)
{
   pipe_resource_reference(&view->texture, NULL);
   FREE(view);
}

static void
nv3p_set_views(struct pipe_context *pipe, enum pipe_shader_type shader,
               unsigned start, unsigned count, unsigned unbind_trailing,
               bool take_ownership, struct pipe_sampler_view **views)
{
   struct nv3p_context *ctx = nv3p_context(pipe);
   struct nv3p_textures *textures = &ctx->textures[shader];

   for (unsigned i = 0; i < count + unbind_trailing; i++) {
      struct pipe_sampler_view *view = views && i < count ? views[i] : NULL;

      if (view)
         nv3p_resource_claim(ctx, nv3p_resource(view->texture));
      pipe_sampler_view_reference(&textures->views[start + i], view);
      if (take_ownership)
         pipe_sampler_view_reference(&view, NULL);
   }
   ctx->dirty |= NV3P_NEW_TEXTURES;
}

/* ---- polygon stipple ---- */

bool
nv3p_prepare_stipple(struct nv3p_context *ctx)
{
   struct pipe_context *pipe = &ctx->base;
   struct pipe_resource *texture;

   if (!ctx->stipple_sampler)
      ctx->stipple_sampler = util_pstipple_create_sampler(pipe);
   if (ctx->stipple_view)
      return ctx->stipple_sampler != NULL;
   texture = util_pstipple_create_stipple_texture(pipe, ctx->stipple.stipple);
   if (texture)
      ctx->stipple_view = util_pstipple_create_sampler_view(pipe, texture);
   pipe_resource_reference(&texture, NULL);
   ctx->dirty |= NV3P_NEW_TEXTURES;
   return ctx->stipple_view && ctx->stipple_sampler;
}

/* ---- units ---- */

/*
 * Returns the border colour as a texel in the component order of the view's
 * format. For an sRGB view, converts the colour to sRGB, because the texture
 * unit converts texels from sRGB.
 */
static uint32_t
border_color(const struct pipe_sampler_state *sampler, enum pipe_format format)
{
   const uint8_t *swizzle = nv3p_texture_format(format)->swizzle;
   const bool srgb = util_format_is_srgb(format);
   const float *color = sampler->border_color.f;
   uint8_t rgba[4] = { 0 };

   for (unsigned i = 0; i < 4; i++) {
      if (swizzle[i] > PIPE_SWIZZLE_W)
         continue;
      rgba[swizzle[i]] = srgb && i < 3 ?
                            util_format_linear_float_to_srgb_8unorm(color[i]) :
                            float_to_ubyte(color[i]);
   }
   return rgba[3] << 24 | rgba[0] << 16 | rgba[1] << 8 | rgba[2];
}

/*
 * Returns the word WRAP for a view with @dims dimensions. Clamps unused
 * coordinates to the edge, so that they do not select the border.
 */
static uint32_t
wrap_word(const struct pipe_sampler_state *sampler, enum pipe_format format,
          unsigned dims)
{
   const unsigned edge = PIPE_TEX_WRAP_CLAMP_TO_EDGE;
   const unsigned wrap_t = dims > 1 ? sampler->wrap_t : edge;
   const unsigned wrap_r = dims > 2 ? sampler->wrap_r : edge;

   return wrap_mode(sampler->wrap_s) |
          wrap_mode(wrap_t) << NV3P_TEX_WRAP_T_SHIFT |
          wrap_mode(wrap_r) << NV3P_TEX_WRAP_R_SHIFT |
          compare_func(sampler) << NV3P_TEX_WRAP_RCOMP_SHIFT |
          (util_format_is_srgb(format) ? NV3P_TEX_WRAP_SRGB : 0);
}

static uint32_t
filter_word(const struct pipe_sampler_state *sampler)
{
   const int bias = CLAMP(sampler->lod_bias, -16.0f, 15.99f) * 256.0f;

   return (bias & 0x1fff) |
          min_filter(sampler) << NV3P_TEX_FILTER_MIN_SHIFT |
          (1 + sampler->mag_img_filter) << NV3P_TEX_FILTER_MAG_SHIFT;
}

static unsigned
dimensions(enum pipe_texture_target target)
{
   return target == PIPE_TEXTURE_1D ? 1 : target == PIPE_TEXTURE_3D ? 3 : 2;
}

static uint32_t
to_lod(float lod)
{
   return CLAMP(lod, 0.0f, 15.99f) * 256.0f;
}

/*
 * Emits the words of a unit. In memory, all levels of a cube map's face
 * precede the next face, so the unit needs the size of all levels. For cube
 * maps, FORMAT therefore contains the view's first level, and the address is
 * that of level 0. The maximum level of detail excludes the levels after the
 * view's last level.
 */
static void
emit_unit(struct nv3p_context *ctx, unsigned method, unsigned size1_method,
          const struct pipe_sampler_state *sampler,
          const struct pipe_sampler_view *view)
{
   struct nv3p_resource *res = nv3p_resource(view->texture);
   const bool cube = res->base.target == PIPE_TEXTURE_CUBE;
   const unsigned first = view->u.tex.first_level;
   const unsigned last = view->u.tex.last_level;
   const unsigned base = cube ? 0 : first;
   const unsigned levels = cube ? res->base.last_level + 1 : last - base + 1;
   const unsigned dims = dimensions(res->base.target);
   const float max_lod = sampler->min_mip_filter == PIPE_TEX_MIPFILTER_NONE ?
                            sampler->max_lod :
                            MIN2(sampler->max_lod, last - first);
   const uint32_t words[NV3_PM_TEX_WORDS] = {
      [NV3_PM_TEX_OFFSET] = nv3p_resource_address(res, base, 0),
      [NV3_PM_TEX_FORMAT] =
         (cube ? NV3P_TEX_FORMAT_CUBIC : 0) |
         dims << NV3P_TEX_FORMAT_DIMS_SHIFT |
         nv3p_texture_format(view->format)->type << NV3P_TEX_FORMAT_TYPE_SHIFT |
         NV3P_TEX_FORMAT_LINEAR |
         (first - base) << NV3P_TEX_FORMAT_CUBE_BASE_SHIFT |
         levels << NV3P_TEX_FORMAT_LEVELS_SHIFT,
      [NV3_PM_TEX_WRAP] = wrap_word(sampler, view->format, dims),
      [NV3_PM_TEX_ENABLE] =
         NV3P_TEX_ENABLE_ON |
         to_lod(sampler->min_lod) << NV3P_TEX_ENABLE_MIN_LOD_SHIFT |
         to_lod(max_lod) << NV3P_TEX_ENABLE_MAX_LOD_SHIFT,
      [NV3_PM_TEX_FILTER] = filter_word(sampler),
      [NV3_PM_TEX_NPOT_SIZE] = u_minify(res->base.width0, base) << 16 |
                               u_minify(res->base.height0, base),
      [NV3_PM_TEX_BORDER_COLOR] = border_color(sampler, view->format),
   };

   nv3p_emit_run(ctx, method, words, ARRAY_SIZE(words));
   nv3p_emit(ctx, size1_method,
             u_minify(res->base.depth0, base) << NV3P_TEX_SIZE1_DEPTH_SHIFT |
             res->levels[base].pitch);
   nv3p_batch_use(ctx, res->bo, false);
}

/* Bit i of the result is set if the program of @stage samples unit i. */
static uint16_t
used_units(const struct nv3p_context *ctx, enum pipe_shader_type stage)
{
   return stage == PIPE_SHADER_FRAGMENT ? ctx->fs_variant->fs.textures :
                                          ctx->vs_variant->vs.textures;
}

static bool
is_stipple(const struct nv3p_context *ctx, enum pipe_shader_type stage,
           int unit)
{
   return stage == PIPE_SHADER_FRAGMENT &&
          unit == ctx->fs_variant->stipple_unit;
}

static struct pipe_sampler_view *
get_view(const struct nv3p_context *ctx, enum pipe_shader_type stage,
         unsigned unit)
{
   return is_stipple(ctx, stage, unit) ? ctx->stipple_view :
                                         ctx->textures[stage].views[unit];
}

/*
 * Emits the first @count units of a stage, and disables the unused units.
 * @words and @size1 are the methods for the first unit.
 */
static void
emit_units(struct nv3p_context *ctx, enum pipe_shader_type stage,
           unsigned count, unsigned words, unsigned size1)
{
   const uint16_t used = used_units(ctx, stage);

   for (unsigned i = 0; i < count; i++) {
      const struct pipe_sampler_view *view = get_view(ctx, stage, i);
      const struct pipe_sampler_state *sampler =
         is_stipple(ctx, stage, i) ? ctx->stipple_sampler :
                                     ctx->textures[stage].samplers[i];

      if (used & 1 << i && view && sampler)
         emit_unit(ctx, words + 4 * NV3_PM_TEX_WORDS * i, size1 + 4 * i,
                   sampler, view);
      else
         nv3p_emit(ctx,
                   words + 4 * (NV3_PM_TEX_WORDS * i + NV3_PM_TEX_ENABLE), 0);
   }
}

/*
 * Invalidates the texture units' decoded texels of the used textures that have
 * been written since the context last invalidated them.
 */
static void
invalidate_textures(struct nv3p_context *ctx, enum pipe_shader_type stage)
{
   u_foreach_bit(i, used_units(ctx, stage)) {
      struct nv3p_view *view = (struct nv3p_view *)get_view(ctx, stage, i);
      const struct nv3p_resource *res =
         view ? nv3p_resource(view->base.texture) : NULL;
      /*
       * A shared texture counts as changed, because other processes may change
       * it between batches.
       */
      const bool changed =
         res && res->bo->shared && ctx->dirty & NV3P_NEW_TEXTURES;

      if (!res ||
          (MAX2(res->written, res->bo->written) <= view->seen && !changed))
         continue;
      view->seen = p_atomic_read(&ctx->screen->serial);
      nv3p_emit(ctx, NV3_PM_TEX_CACHE_OFFSET, nv3p_resource_address(res, 0, 0));
      nv3p_method(ctx, NV3_PM_TEX_CACHE_SIZE, res->size);
   }
}

void
nv3p_emit_textures(struct nv3p_context *ctx)
{
   if (ctx->dirty & NV3P_NEW_TEXTURES)
      emit_units(ctx, PIPE_SHADER_FRAGMENT, NV3P_UNITS, NV3_PM_TEX,
                 NV3_PM_TEX_SIZE1);
   if (ctx->dirty & (NV3P_NEW_TEXTURES | NV3P_NEW_VS))
      emit_units(ctx, PIPE_SHADER_VERTEX, NV3C_VS_UNITS, NV3_PM_VTXTEX,
                 NV3_PM_VTXTEX_SIZE1);
   invalidate_textures(ctx, PIPE_SHADER_FRAGMENT);
   invalidate_textures(ctx, PIPE_SHADER_VERTEX);
}

void
nv3p_init_texture(struct nv3p_context *ctx)
{
   struct pipe_context *pipe = &ctx->base;

   pipe->create_sampler_state = nv3p_create_sampler;
   pipe->bind_sampler_states = nv3p_bind_samplers;
   pipe->delete_sampler_state = nv3p_delete_state;
   pipe->create_sampler_view = nv3p_create_view;
   pipe->sampler_view_destroy = nv3p_view_destroy;
   pipe->set_sampler_views = nv3p_set_views;
}
