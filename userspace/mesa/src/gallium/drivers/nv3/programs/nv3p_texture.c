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
#include "programs/nv3p_emit.h"
#include "programs/nv3p_format.h"
#include "programs/nv3p_methods.h"
#include "programs/nv3p_program.h"
#include "programs/nv3p_state.h"

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
   struct nv3p_sampler *sampler = CALLOC_STRUCT(nv3p_sampler);
   int bias = CLAMP(state->lod_bias, -16.0f, 15.99f) * 256.0f;

   if (!sampler)
      return NULL;
   sampler->base = *state;
   sampler->wrap = wrap_mode(state->wrap_s) |
                   wrap_mode(state->wrap_t) << NV3P_TEX_WRAP_T_SHIFT |
                   wrap_mode(state->wrap_r) << NV3P_TEX_WRAP_R_SHIFT |
                   compare_func(state) << NV3P_TEX_WRAP_RCOMP_SHIFT;
   sampler->filter = (bias & 0x1fff) |
                     min_filter(state) << NV3P_TEX_FILTER_MIN_SHIFT |
                     (1 + state->mag_img_filter) << NV3P_TEX_FILTER_MAG_SHIFT;
   return sampler;
}

static struct nv3p_textures *
textures_of(struct nv3p_context *ctx, enum pipe_shader_type shader)
{
   return &ctx->textures[shader == PIPE_SHADER_FRAGMENT ? NV3P_STAGE_FS :
                                                          NV3P_STAGE_VS];
}

static void
nv3p_bind_samplers(struct pipe_context *pipe, enum pipe_shader_type shader,
                   unsigned start, unsigned count, void **samplers)
{
   struct nv3p_context *ctx = nv3p_context(pipe);
   struct nv3p_textures *textures = textures_of(ctx, shader);

   for (unsigned i = 0; i < count; i++)
      textures->samplers[start + i] = samplers ? samplers[i] : NULL;
   textures->sampler_count = MAX2(textures->sampler_count, start + count);
   ctx->dirty |= NV3P_NEW_TEXTURES;
}

static void
nv3p_delete_sampler(struct pipe_context *pipe, void *sampler)
{
   FREE(sampler);
}

/* ---- views ---- */

static struct pipe_sampler_view *
nv3p_create_view(struct pipe_context *pipe, struct pipe_resource *texture,
                 const struct pipe_sampler_view *templ)
{
   struct nv3p_view *view = CALLOC_STRUCT(nv3p_view);
   const struct nv3p_texture_format *format;

   if (!view)
      return NULL;
   view->base = *templ;
   view->base.context = pipe;
   view->base.texture = NULL;
   pipe_reference_init(&view->base.reference, 1);
   pipe_resource_reference(&view->base.texture, texture);
   format = nv3p_texture_format(templ->format);
   util_format_compose_swizzles(format->swizzle,
                                (const uint8_t[4]){ templ->swizzle_r,
                                                    templ->swizzle_g,
                                                    templ->swizzle_b,
                                                    templ->swizzle_a },
                                view->swizzle);
   view->srgb = format->srgb;
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
   struct nv3p_textures *textures = textures_of(ctx, shader);

   for (unsigned i = 0; i < count + unbind_trailing; i++) {
      struct pipe_sampler_view **slot = &textures->views[start + i];
      struct pipe_sampler_view *view = views && i < count ? views[i] : NULL;

      if (view)
         nv3p_resource_claim(ctx, nv3p_resource(view->texture));
      if (take_ownership && view) {
         pipe_sampler_view_reference(slot, NULL);
         *slot = view;
      } else {
         pipe_sampler_view_reference(slot, view);
      }
   }
   textures->view_count = 0;
   for (unsigned i = 0; i < NV3P_UNITS; i++) {
      if (textures->views[i])
         textures->view_count = i + 1;
   }
   ctx->dirty |= NV3P_NEW_TEXTURES;
}

/* ---- polygon stipple ---- */

struct nv3p_stipple {
   struct pipe_resource *texture;
   struct pipe_sampler_view *view;
   struct nv3p_sampler *sampler;
   uint64_t seen;  /* same meaning as nv3p_view.seen */
};

void
nv3p_destroy_stipple(struct nv3p_context *ctx)
{
   struct nv3p_stipple *stipple = ctx->polygon_stipple;

   if (!stipple)
      return;
   pipe_sampler_view_reference(&stipple->view, NULL);
   pipe_resource_reference(&stipple->texture, NULL);
   FREE(stipple->sampler);
   FREE(stipple);
   ctx->polygon_stipple = NULL;
}

static bool
create_stipple(struct nv3p_context *ctx)
{
   struct pipe_context *pipe = &ctx->base;
   struct nv3p_stipple *stipple = CALLOC_STRUCT(nv3p_stipple);

   ctx->polygon_stipple = stipple;
   if (!stipple)
      return false;
   stipple->texture =
      util_pstipple_create_stipple_texture(pipe, ctx->stipple.stipple);
   if (stipple->texture)
      stipple->view = util_pstipple_create_sampler_view(pipe,
                                                        stipple->texture);
   stipple->sampler = util_pstipple_create_sampler(pipe);
   if (stipple->view && stipple->sampler)
      return true;
   nv3p_destroy_stipple(ctx);
   return false;
}

bool
nv3p_prepare_stipple(struct nv3p_context *ctx)
{
   struct nv3p_stipple *stipple = ctx->polygon_stipple;

   if (!stipple && !create_stipple(ctx))
      return false;
   if (stipple && ctx->stipple_changed)
      util_pstipple_update_stipple_texture(&ctx->base, stipple->texture,
                                           ctx->stipple.stipple);
   ctx->stipple_changed = false;
   return true;
}

/* ---- units ---- */

/*
 * Returns the border colour as a texel in the component order of the view's
 * format. For an sRGB view, converts the colour to sRGB, because the texture
 * unit converts texels from sRGB.
 */
static uint32_t
border_color(const struct nv3p_sampler *sampler, const struct nv3p_view *view)
{
   const uint8_t *swizzle = nv3p_texture_format(view->base.format)->swizzle;
   const float *color = sampler->base.border_color.f;
   uint8_t rgba[4] = { 0 };

   for (unsigned i = 0; i < 4; i++) {
      if (swizzle[i] <= PIPE_SWIZZLE_W)
         rgba[swizzle[i]] = view->srgb && i < 3 ?
                               util_format_linear_float_to_srgb_8unorm(color[i]) :
                               float_to_ubyte(color[i]);
   }
   return rgba[3] << 24 | rgba[0] << 16 | rgba[1] << 8 | rgba[2];
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

/* The methods that set a unit's first word and its TEX_SIZE1. */
struct unit_methods {
   uint32_t words, size1;
};

static struct unit_methods
fs_unit(unsigned unit)
{
   return (struct unit_methods){ NV3P_TEX(unit, 0), NV3P_TEX_SIZE1(unit) };
}

static struct unit_methods
vs_unit(unsigned unit)
{
   return (struct unit_methods){ NV3P_VTXTEX(unit, 0),
                                 NV3P_VTXTEX_SIZE1(unit) };
}

/*
 * Emits the words of a unit. In memory, all levels of a cube map's face
 * precede the next face, so the unit needs the size of all levels. For cube
 * maps, FORMAT therefore contains the view's first level, and the address is
 * that of level 0. The maximum level of detail excludes the levels after the
 * view's last level.
 */
static void
emit_unit(struct nv3p_context *ctx, struct unit_methods methods,
          const struct nv3p_sampler *sampler, const struct nv3p_view *view)
{
   struct nv3p_resource *res = nv3p_resource(view->base.texture);
   const bool cube = res->base.target == PIPE_TEXTURE_CUBE;
   const unsigned first = view->base.u.tex.first_level;
   const unsigned last = view->base.u.tex.last_level;
   const unsigned base = cube ? 0 : first;
   const unsigned levels = cube ? res->base.last_level + 1 : last - base + 1;
   const unsigned dims = dimensions(res->base.target);
   const struct pipe_sampler_state *state = &sampler->base;
   uint32_t wrap = sampler->wrap | (view->srgb ? NV3P_TEX_WRAP_SRGB : 0);
   float max_lod = MIN2(state->max_lod, last - first);
   uint32_t words[NV3_PM_TEX_WORDS], size1;

   if (state->min_mip_filter == PIPE_TEX_MIPFILTER_NONE)
      max_lod = MAX2(state->max_lod, 0.0f);
   /*
    * Clamp unused coordinates to the edge, so that they do not select the
    * border.
    */
   if (dims == 1)
      wrap = (wrap & ~(0xf << NV3P_TEX_WRAP_T_SHIFT)) |
             3 << NV3P_TEX_WRAP_T_SHIFT;
   if (dims < 3)
      wrap = (wrap & ~(0xf << NV3P_TEX_WRAP_R_SHIFT)) |
             3 << NV3P_TEX_WRAP_R_SHIFT;

   words[NV3_PM_TEX_OFFSET] = nv3p_resource_address(res, base, 0);
   words[NV3_PM_TEX_FORMAT] = (cube ? NV3P_TEX_FORMAT_CUBIC : 0) |
              dims << NV3P_TEX_FORMAT_DIMS_SHIFT |
              nv3p_texture_format(view->base.format)->type
                 << NV3P_TEX_FORMAT_TYPE_SHIFT |
              NV3P_TEX_FORMAT_LINEAR |
              (first - base) << NV3P_TEX_FORMAT_CUBE_BASE_SHIFT |
              levels << NV3P_TEX_FORMAT_LEVELS_SHIFT;
   words[NV3_PM_TEX_WRAP] = wrap;
   words[NV3_PM_TEX_ENABLE] = NV3P_TEX_ENABLE_ON |
              to_lod(state->min_lod) << NV3P_TEX_ENABLE_MIN_LOD_SHIFT |
              to_lod(max_lod) << NV3P_TEX_ENABLE_MAX_LOD_SHIFT;
   words[NV3_PM_TEX_SWIZZLE] = 0;
   words[NV3_PM_TEX_FILTER] = sampler->filter;
   words[NV3_PM_TEX_NPOT_SIZE] = u_minify(res->base.width0, base) << 16 |
              u_minify(res->base.height0, base);
   words[NV3_PM_TEX_BORDER_COLOR] = border_color(sampler, view);
   size1 = u_minify(res->base.depth0, base) << NV3P_TEX_SIZE1_DEPTH_SHIFT |
           res->levels[base].pitch;
   nv3p_emit_run(ctx, methods.words, words, ARRAY_SIZE(words));
   nv3p_emit_run(ctx, methods.size1, &size1, 1);
   nv3p_batch_use(ctx, res->bo, false);
}

static void
emit_units(struct nv3p_context *ctx)
{
   const struct nv3p_textures *textures = &ctx->textures[NV3P_STAGE_FS];
   const struct nv3p_stipple *stipple = ctx->polygon_stipple;
   const uint32_t off = 0;

   for (int i = 0; i < NV3P_UNITS; i++) {
      struct nv3p_view *view = (struct nv3p_view *)textures->views[i];
      const struct nv3p_sampler *sampler = textures->samplers[i];

      if (i == ctx->fs_variant->stipple_unit) {
         view = (struct nv3p_view *)stipple->view;
         sampler = stipple->sampler;
      }
      if (view && sampler)
         emit_unit(ctx, fs_unit(i), sampler, view);
      else
         nv3p_emit_run(ctx, NV3P_TEX(i, NV3_PM_TEX_ENABLE), &off, 1);
   }
}

static void
emit_vs_units(struct nv3p_context *ctx)
{
   const struct nv3p_textures *textures = &ctx->textures[NV3P_STAGE_VS];
   const uint32_t off = 0;

   for (unsigned i = 0; i < NV3C_VS_UNITS; i++) {
      const struct nv3p_view *view = (struct nv3p_view *)textures->views[i];
      const struct nv3p_sampler *sampler = textures->samplers[i];

      if (view && sampler && ctx->vs_variant->vs.textures.units & 1 << i)
         emit_unit(ctx, vs_unit(i), sampler, view);
      else
         nv3p_emit_run(ctx, NV3P_VTXTEX(i, NV3_PM_TEX_ENABLE), &off, 1);
   }
}

/*
 * Invalidates the texture units' decoded texels of @res if @res has been
 * written since screen->serial was *@seen.
 */
static void
invalidate(struct nv3p_context *ctx, const struct nv3p_resource *res,
           uint64_t *seen)
{
   /*
    * A shared texture counts as changed, because other processes may change
    * it between batches.
    */
   const bool changed = res->bo->shared && ctx->dirty & NV3P_NEW_TEXTURES;
   const uint32_t range[2] = { nv3p_resource_address(res, 0, 0), res->size };

   if (MAX2(res->written, res->bo->written) <= *seen && !changed)
      return;
   *seen = p_atomic_read(&ctx->screen->serial);
   nv3p_emit_run(ctx, NV3_PM_TEX_CACHE_OFFSET, range, 1);
   nv3p_method(ctx, NV3_PM_TEX_CACHE_SIZE, range[1]);
}

static void
invalidate_views(struct nv3p_context *ctx, const struct nv3p_textures *textures)
{
   for (unsigned i = 0; i < textures->view_count; i++) {
      struct nv3p_view *view = (struct nv3p_view *)textures->views[i];

      if (view)
         invalidate(ctx, nv3p_resource(view->base.texture), &view->seen);
   }
}

void
nv3p_emit_textures(struct nv3p_context *ctx)
{
   if (ctx->dirty & NV3P_NEW_TEXTURES)
      emit_units(ctx);
   if (ctx->dirty & (NV3P_NEW_TEXTURES | NV3P_NEW_VS))
      emit_vs_units(ctx);
   invalidate_views(ctx, &ctx->textures[NV3P_STAGE_FS]);
   if (ctx->vs_variant->vs.textures.units)
      invalidate_views(ctx, &ctx->textures[NV3P_STAGE_VS]);
   if (ctx->fs_variant->stipple_unit >= 0)
      invalidate(ctx, nv3p_resource(ctx->polygon_stipple->texture),
                 &ctx->polygon_stipple->seen);
}

void
nv3p_init_texture(struct nv3p_context *ctx)
{
   struct pipe_context *pipe = &ctx->base;

   pipe->create_sampler_state = nv3p_create_sampler;
   pipe->bind_sampler_states = nv3p_bind_samplers;
   pipe->delete_sampler_state = nv3p_delete_sampler;
   pipe->create_sampler_view = nv3p_create_view;
   pipe->sampler_view_destroy = nv3p_view_destroy;
   pipe->set_sampler_views = nv3p_set_views;
}
