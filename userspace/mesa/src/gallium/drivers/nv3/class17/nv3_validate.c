/* SPDX-License-Identifier: MIT */
/*
 * Translates pipe state to arguments of the methods of class 0x17, or finds
 * the reason why class 0x17 can't draw with the state.
 *
 * Pixel and texel centres have half-integer coordinates in GL and integer
 * coordinates in the chip (docs/reference/chip/3d.md). This file therefore
 * subtracts half a texel from texture coordinates, and nv3_render.c subtracts
 * half a pixel from positions.
 */
#include "llvmpipe/lp_texture.h"
#include "util/format/u_format.h"
#include "util/u_math.h"
#include "util/u_prim.h"

#include "class17/nv3_class17.h"
#include "class17/nv3_shader.h"

#define MASK_RGB (PIPE_MASK_R | PIPE_MASK_G | PIPE_MASK_B)

/*
 * The maximum absolute value of texture coordinates, in texels of the largest
 * level. The chip's coordinates are fixed-point numbers of 12.4 bits.
 * COORD_EDGE_MAX applies to coordinates that are clamped to the edge.
 * COORD_MAX applies to all other coordinates and includes a margin.
 */
#define COORD_MAX      2040.0f
#define COORD_EDGE_MAX 2047.5f

/* Indices of words in nv3_draw_state.words. */
enum {
   WORD_OFFSET,
   WORD_FORMAT,
   WORD_FILTER,
   WORD_FOG_COLOR,
   WORD_CONFIG,
   WORD_ALPHA,
};

/* The chip's values of comparisons have the order of PIPE_FUNC_*. */
#define CHIP_FUNC(func) (NV3_D3D_CMP_NEVER + (func))

/* ---- blends ---- */

#define SOURCE(x) (NV3_D3D_SOURCE_##x << NV3_D3D_CONFIG_SOURCE_SHIFT)

/*
 * The chip computes dst + (src - dst) * alpha, or src + dst. CONFIG can replace
 * either operand by 0. The chip can also use the destination as a factor, but
 * reduces this factor to 4 bits, which is not precise enough for GL.
 */
static const struct {
   uint8_t src, dst;
   uint32_t config;
} blends[] = {
   { PIPE_BLENDFACTOR_SRC_ALPHA, PIPE_BLENDFACTOR_INV_SRC_ALPHA,
     SOURCE(NORMAL) },
   { PIPE_BLENDFACTOR_INV_SRC_ALPHA, PIPE_BLENDFACTOR_SRC_ALPHA,
     SOURCE(ALPHA_INVERSE) },
   { PIPE_BLENDFACTOR_SRC_ALPHA, PIPE_BLENDFACTOR_ZERO,
     SOURCE(NORMAL) | NV3_D3D_CONFIG_DST_ZERO },
   { PIPE_BLENDFACTOR_ZERO, PIPE_BLENDFACTOR_INV_SRC_ALPHA,
     SOURCE(NORMAL) | NV3_D3D_CONFIG_SRC_ZERO },
   { PIPE_BLENDFACTOR_ONE, PIPE_BLENDFACTOR_ONE,
     SOURCE(ALPHA_ONE) | NV3_D3D_CONFIG_ROP_ADD },
};

/*
 * Sets *@config to the bits of CONFIG that select the blend, or that disable
 * blending. Returns NULL, or the reason why class 0x17 can't blend.
 */
static const char *
find_blend(struct nv3_draw_state *state, const struct pipe_blend_state *blend,
           uint32_t *config)
{
   const struct pipe_rt_blend_state *rt = &blend->rt[0];
   unsigned src = rt->rgb_src_factor, dst = rt->rgb_dst_factor;

   *config = SOURCE(ALPHA_ONE);
   if (blend->logicop_enable && blend->logicop_func != PIPE_LOGICOP_COPY)
      return "logic operation";
   if (!(rt->colormask & MASK_RGB))
      return NULL;
   if ((rt->colormask & MASK_RGB) != MASK_RGB)
      return "colour mask";
   if (!rt->blend_enable)
      return NULL;
   if (rt->rgb_func != PIPE_BLEND_ADD)
      return "blend equation";
   if (src == PIPE_BLENDFACTOR_ONE && dst == PIPE_BLENDFACTOR_ZERO)
      return NULL;
   for (unsigned i = 0; i < ARRAY_SIZE(blends); i++) {
      if (blends[i].src == src && blends[i].dst == dst) {
         *config = blends[i].config;
         state->blends = src != PIPE_BLENDFACTOR_ONE;
         return NULL;
      }
   }
   return "blend factors";
}

/* ---- alpha test ---- */

/*
 * Returns the smallest 8-bit alpha that is greater than @ref or, if @equal is
 * set, equal to @ref. Returns 256 if there is none.
 */
static unsigned
threshold(float ref, bool equal)
{
   unsigned alpha = 0;

   while (alpha < 256 && !(ubyte_to_float(alpha) > ref ||
                           (equal && ubyte_to_float(alpha) == ref)))
      alpha++;
   return alpha;
}

/*
 * Translates the alpha test of the shader or of the state. The chip tests alpha
 * only if it blends by alpha. If an opaque draw has a test, the driver
 * therefore enables blending, and reduces the alpha of the texture's copy to 0
 * or 1 (nv3_texture_key.threshold). The result is exact if alpha is the texel's
 * alpha. *@config selects a blend, which the function changes if necessary.
 * Returns NULL, or the reason why class 0x17 can't draw.
 */
static const char *
alpha_test(struct nv3_context *ctx, uint32_t *config)
{
   const struct pipe_depth_stencil_alpha_state *dsa =
      llvmpipe_context(ctx->pipe)->depth_stencil;
   const struct nv3_shader *shader = ctx->shader;
   struct nv3_draw_state *state = &ctx->state;
   enum pipe_compare_func func = shader->alpha_func;
   float ref = func == PIPE_FUNC_ALWAYS ?
               0.0f : nv3_shader_value(shader, shader->alpha_ref)->f32;

   if (dsa->alpha_enabled && dsa->alpha_func != PIPE_FUNC_ALWAYS) {
      if (func != PIPE_FUNC_ALWAYS)
         return "two alpha tests";
      func = dsa->alpha_func;
      ref = dsa->alpha_ref_value;
   }
   if (!(ref >= 0.0f && ref <= 1.0f))
      return "alpha test with a reference outside 0 to 1";
   state->words[WORD_ALPHA] = CHIP_FUNC(func) << 8 | float_to_ubyte(ref);
   state->uses_alpha = state->blends || func != PIPE_FUNC_ALWAYS;
   if (func == PIPE_FUNC_ALWAYS ||
       (*config & SOURCE(ALPHA_ONE)) == SOURCE(NORMAL))
      return NULL;
   if (*config != SOURCE(ALPHA_ONE))
      return "alpha test with this blending";
   if (func == PIPE_FUNC_GREATER || func == PIPE_FUNC_GEQUAL)
      state->threshold = threshold(ref, func == PIPE_FUNC_GEQUAL);
   *config = SOURCE(NORMAL);
   return state->threshold ? NULL : "alpha test that keeps small alphas";
}

/* ---- textures ---- */

/*
 * Returns true if the chip should use its linear filter. The chip has a
 * single filter for magnification and minification.
 */
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
   case PIPE_TEX_WRAP_CLAMP:
      /*
       * With a linear filter, GL interpolates between the texels at the edge
       * and the border colour.
       */
      return is_linear(sampler) ? -1 : NV3_D3D_WRAP_CLAMP;
   case PIPE_TEX_WRAP_CLAMP_TO_EDGE:
      return NV3_D3D_WRAP_CLAMP;
   default:
      return -1;
   }
}

static const char *
texture_key(const struct nv3_context *ctx,
            const struct pipe_sampler_state *sampler,
            struct nv3_texture_key *key)
{
   int wrap_s = chip_wrap(sampler, sampler->wrap_s);
   int wrap_t = chip_wrap(sampler, sampler->wrap_t);

   if (wrap_s < 0 || wrap_t < 0)
      return "unsupported texture wrap mode";
   if (sampler->compare_mode != PIPE_TEX_COMPARE_NONE)
      return "shadow texture";
   memcpy(key->swizzle, ctx->shader->swizzle, sizeof(key->swizzle));
   key->wrap[0] = wrap_s;
   key->wrap[1] = wrap_t;
   if (!ctx->state.uses_alpha)
      key->swizzle[3] = PIPE_SWIZZLE_1;
   key->threshold = ctx->state.threshold;
   if (sampler->min_mip_filter == PIPE_TEX_MIPFILTER_NONE)
      return NULL;
   key->last_level = NV3_TEXTURE_LEVELS - 1;
   return sampler->min_lod > 0.0f || sampler->max_lod < key->last_level ?
          "clamped level of detail" : NULL;
}

static void
set_coordinates(struct nv3_draw_state *state, const struct nv3_texture_key *key,
                const struct nv3_texture *tex, bool linear)
{
   float size = 1u << tex->log2;

   for (unsigned i = 0; i < 2; i++) {
      unsigned wrap = key->wrap[i];

      state->coord_scale[i] = tex->scale[i];
      state->coord_bias[i] = linear ? -0.5f / size : 0.0f;
      state->coord_limit[i] = (wrap == NV3_D3D_WRAP_CLAMP ? COORD_EDGE_MAX :
                                                            COORD_MAX) / size;
      state->coord_repeats[i] = wrap == NV3_D3D_WRAP_WRAP;
   }
}

static const char *
texture(struct nv3_context *ctx)
{
   struct llvmpipe_context *lp = llvmpipe_context(ctx->pipe);
   struct nv3_draw_state *state = &ctx->state;
   const nir_tex_instr *lookup = ctx->shader->tex;
   const struct pipe_sampler_state *sampler = NULL;
   struct pipe_sampler_view *view = NULL;
   const struct nv3_texture *tex;
   struct nv3_texture_key key;
   const char *reason = NULL;
   bool linear = false;

   memset(&key, 0, sizeof(key));
   key.wrap[0] = key.wrap[1] = NV3_D3D_WRAP_WRAP;
   if (lookup) {
      view = lp->sampler_views[PIPE_SHADER_FRAGMENT][lookup->texture_index];
      sampler = lp->samplers[PIPE_SHADER_FRAGMENT][lookup->sampler_index];
      if (!view || !sampler)
         return "missing texture";
      if (lp->framebuffer.cbufs[0]->texture == view->texture)
         return "texture is a render target of the draw";
      linear = is_linear(sampler);
      state->words[WORD_FILTER] =
         (uint32_t)(CLAMP((int)(sampler->lod_bias * 16.0f), -128, 127) & 0xff)
         << 16;
      reason = texture_key(ctx, sampler, &key);
   }
   if (!reason)
      reason = nv3_texture_get(ctx, view, &key, state->zeta, &tex);
   if (reason)
      return reason;
   state->d3d = tex->d3d[state->zeta];
   set_coordinates(state, &key, tex, linear);
   state->words[WORD_FORMAT] =
      (uint32_t)tex->format << NV3_D3D_TEX_FORMAT_SHIFT |
      (uint32_t)tex->log2_min << NV3_D3D_TEX_SIZE_MIN_SHIFT |
      (uint32_t)tex->log2 << NV3_D3D_TEX_SIZE_MAX_SHIFT;
   state->words[WORD_CONFIG] =
      (linear ? NV3_D3D_INTERP_FOH_CENTER : NV3_D3D_INTERP_ZOH_CORNER) |
      key.wrap[0] << NV3_D3D_CONFIG_WRAP_U_SHIFT |
      key.wrap[1] << NV3_D3D_CONFIG_WRAP_V_SHIFT;
   return NULL;
}

/* ---- words ---- */

/*
 * Returns the bits of CONFIG that select tests and writes. Does not enable
 * culling, because the draw module culls triangles. Selects WRITE_Z instead of
 * WRITE_ALPHA_Z, because pixels with alpha 0 that pass the alpha test must
 * still write depth. A blend by alpha does not change the colour of such
 * pixels.
 */
static uint32_t
config_bits(const struct llvmpipe_context *lp, bool zeta)
{
   const struct pipe_depth_stencil_alpha_state *dsa = lp->depth_stencil;
   bool color = lp->blend->rt[0].colormask & MASK_RGB;
   bool depth = zeta && dsa->depth_writemask;
   unsigned func = zeta ? dsa->depth_func : PIPE_FUNC_ALWAYS;

   return NV3_D3D_CONFIG_ALPHA |
          NV3_D3D_CULL_NONE << NV3_D3D_CONFIG_CULL_SHIFT |
          CHIP_FUNC(func) << NV3_D3D_CONFIG_Z_FUNC_SHIFT |
          (depth ? NV3_D3D_WRITE_Z : NV3_D3D_WRITE_NEVER)
             << NV3_D3D_CONFIG_Z_WRITE_SHIFT |
          (uint32_t)(color ? NV3_D3D_WRITE_Z : NV3_D3D_WRITE_NEVER)
             << NV3_D3D_CONFIG_COLOR_WRITE_SHIFT;
}

static uint32_t
fog_color(const struct nv3_shader *shader)
{
   uint32_t rgb = 0;

   for (unsigned c = 0; c < 3 && shader->fogged; c++)
      rgb = rgb << 8 |
            float_to_ubyte(nv3_shader_value(shader, shader->fog_color[c])->f32);
   return rgb;
}

/* ---- colours ---- */

/*
 * Sets ctx->state.flat. Varyings are flat if the shader declares them as flat.
 * Colours are also flat if the state selects flat shading. Returns NULL, or the
 * reason why class 0x17 can't draw.
 */
static const char *
shading(struct nv3_context *ctx)
{
   struct nv3_draw_state *state = &ctx->state;
   const struct nv3_shader *shader = ctx->shader;
   bool flatshade = llvmpipe_context(ctx->pipe)->rasterizer->flatshade;
   bool flat = false, smooth = false;

   for (unsigned i = 0; i < shader->input_count; i++) {
      const struct nv3_shader_input *input = &shader->inputs[i];
      bool is_color = input->semantic == TGSI_SEMANTIC_COLOR;
      bool is_flat = input->flat || (is_color && flatshade);

      if (is_flat && !is_color)
         return "flat varying other than a colour";
      flat |= is_flat;
      smooth |= is_color && !is_flat;
   }
   if (flat && smooth)
      return "flat and smooth colours";
   state->flat = flat;
   return NULL;
}

/* ---- complete validation ---- */

/*
 * Returns NULL, or the reason why class 0x17 can't draw: an enabled feature, or
 * the shader.
 */
static const char *
refuse(const struct nv3_context *ctx, const struct pipe_draw_info *info)
{
   const struct llvmpipe_context *lp = llvmpipe_context(ctx->pipe);
   const struct pipe_rasterizer_state *rast = lp->rasterizer;
   const struct pipe_depth_stencil_alpha_state *dsa = lp->depth_stencil;
   const struct pipe_surface *cbuf = lp->framebuffer.cbufs[0];
   const struct pipe_viewport_state *vp = &lp->viewports[0];
   const struct {
      bool enabled;
      const char *name;
   } features[] = {
      { ctx->lost, "lost batch" },
      { u_reduced_prim(info->mode) != MESA_PRIM_TRIANGLES, "points or lines" },
      { rast->fill_front != PIPE_POLYGON_MODE_FILL ||
        rast->fill_back != PIPE_POLYGON_MODE_FILL, "unfilled polygons" },
      { rast->poly_stipple_enable, "polygon stipple" },
      { rast->poly_smooth, "smooth edges" },
      { rast->rasterizer_discard, "rasterizer discard" },
      { lp->active_occlusion_queries || lp->active_statistics_queries,
        "query" },
      { lp->render_cond_query, "conditional rendering" },
      { dsa->stencil[0].enabled, "stencil" },
      { dsa->depth_bounds_test, "depth bounds" },
      /*
       * GL clamps the depth of each pixel, but the chip would interpolate the
       * clamped depths of the vertices.
       */
      { ctx->state.zeta && !(rast->depth_clip_near && rast->depth_clip_far),
        "depth clamping" },
      { fabsf(vp->scale[0]) + fabsf(vp->translate[0]) > NV3_SURFACE_MAX ||
        fabsf(vp->scale[1]) + fabsf(vp->translate[1]) > NV3_SURFACE_MAX,
        "large viewport" },
      /*
       * The kernel enables dithering for the whole chip. Targets with 8 bits
       * per colour are dithered even without GL_DITHER
       * (docs/explanation/mesa.md).
       */
      { !lp->blend->dither &&
        util_format_get_component_bits(cbuf->format,
                                       UTIL_FORMAT_COLORSPACE_RGB, 0) < 8,
        "no dithering" },
   };

   for (unsigned i = 0; i < ARRAY_SIZE(features); i++) {
      if (features[i].enabled)
         return features[i].name;
   }
   return ctx->shader ? ctx->shader->reason : "shader in TGSI";
}

/*
 * Computes the values of the fragment shader that depend only on uniforms. Sets
 * ctx->state.constants.
 */
static void
run_shader(struct nv3_context *ctx)
{
   static const float nothing[4];
   const struct pipe_constant_buffer *cb =
      &llvmpipe_context(ctx->pipe)->constants[PIPE_SHADER_FRAGMENT][0];
   struct nv3_draw_state *state = &ctx->state;
   const float *inputs[NV3_MAX_INPUTS];

   if (cb->buffer) {
      state->constants =
         (uint8_t *)llvmpipe_resource_data(cb->buffer) + cb->buffer_offset;
      state->constants_size = cb->buffer_size;
   }
   for (unsigned i = 0; i < NV3_MAX_INPUTS; i++)
      inputs[i] = nothing;
   nv3_shader_run(ctx->shader, inputs, state->constants, state->constants_size);
}

const char *
nv3_validate(struct nv3_context *ctx, const struct pipe_draw_info *info,
             const struct pipe_draw_indirect_info *indirect)
{
   const struct llvmpipe_context *lp = llvmpipe_context(ctx->pipe);
   struct nv3_draw_state *state = &ctx->state;
   const char *reason;
   uint32_t blend;

   if (indirect || !lp->fs || !lp->vs || !lp->blend || !lp->depth_stencil ||
       !lp->rasterizer || !lp->velems)
      return "indirect draw or incomplete state";
   memset(state, 0, sizeof(*state));
   state->zeta = lp->framebuffer.zsbuf && lp->depth_stencil->depth_enabled;
   reason = nv3_targets_refuse(ctx);
   if (!reason)
      reason = refuse(ctx, info);
   if (reason)
      return reason;
   run_shader(ctx);
   reason = find_blend(state, lp->blend, &blend);
   if (!reason)
      reason = alpha_test(ctx, &blend);
   if (!reason)
      reason = shading(ctx);
   if (!reason)
      reason = texture(ctx);
   if (reason)
      return reason;
   state->words[WORD_FOG_COLOR] = fog_color(ctx->shader);
   state->words[WORD_CONFIG] |= blend | config_bits(lp, state->zeta);
   return NULL;
}
