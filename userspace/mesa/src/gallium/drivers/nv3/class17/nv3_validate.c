/* SPDX-License-Identifier: MIT */
/*
 * Translates pipe state to arguments of the methods of class 0x17, or finds
 * the reason why class 0x17 can't draw with the state.
 */
#include "llvmpipe/lp_texture.h"
#include "util/format/u_format.h"
#include "util/u_math.h"
#include "util/u_prim.h"

#include "class17/nv3_class17.h"

#define MASK_RGB (PIPE_MASK_R | PIPE_MASK_G | PIPE_MASK_B)

/* The chip's values of comparisons have the order of PIPE_FUNC_*. */
#define CHIP_FUNC(func) (NV3_D3D_CMP_NEVER + (func))

/* ---- blends ---- */

#define SOURCE(x) (NV3_D3D_SOURCE_##x << NV3_D3D_CONFIG_SOURCE_SHIFT)

/*
 * The chip computes dst + (src - dst) * alpha, or src + dst. It can also use
 * the destination as a factor, but reduces this factor to 4 bits, which is not
 * precise enough for GL.
 */
static const struct {
   uint8_t src, dst;
   uint32_t config;
} blends[] = {
   { PIPE_BLENDFACTOR_ONE, PIPE_BLENDFACTOR_ZERO, SOURCE(ALPHA_ONE) },
   { PIPE_BLENDFACTOR_SRC_ALPHA, PIPE_BLENDFACTOR_INV_SRC_ALPHA,
     SOURCE(NORMAL) },
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

   *config = SOURCE(ALPHA_ONE);
   if (blend->logicop_enable && blend->logicop_func != PIPE_LOGICOP_COPY)
      return "logic operation";
   if (rt->colormask & MASK_RGB && (rt->colormask & MASK_RGB) != MASK_RGB)
      return "colour mask";
   if (!rt->blend_enable || !(rt->colormask & MASK_RGB))
      return NULL;
   if (rt->rgb_func != PIPE_BLEND_ADD)
      return "blend equation";
   for (unsigned i = 0; i < ARRAY_SIZE(blends); i++) {
      if (blends[i].src == rt->rgb_src_factor &&
          blends[i].dst == rt->rgb_dst_factor) {
         *config = blends[i].config;
         state->blends = *config == SOURCE(NORMAL);
         return NULL;
      }
   }
   return "blend factors";
}

/* ---- alpha test ---- */

/*
 * Translates the alpha test. The chip tests alpha only if it blends by alpha.
 * If an opaque draw has a test, the driver therefore enables blending, and
 * reduces the alpha of the texture's copy to 0 or 1
 * (nv3_draw_state.threshold). The result is exact if alpha is the texel's
 * alpha. *@config selects a blend, which the function changes if necessary.
 * Returns NULL, or the reason why class 0x17 can't draw.
 */
static const char *
alpha_test(struct nv3_draw_state *state,
           const struct pipe_depth_stencil_alpha_state *dsa, uint32_t *config)
{
   enum pipe_compare_func func =
      dsa->alpha_enabled ? dsa->alpha_func : PIPE_FUNC_ALWAYS;
   float ref = CLAMP(dsa->alpha_ref_value, 0.0f, 1.0f);

   state->words[NV3_WORD_ALPHA] = CHIP_FUNC(func) << 8 | float_to_ubyte(ref);
   state->uses_alpha = state->blends || func != PIPE_FUNC_ALWAYS;
   if (func == PIPE_FUNC_ALWAYS || state->blends)
      return NULL;
   if (*config != SOURCE(ALPHA_ONE))
      return "alpha test with this blending";
   /* The smallest 8-bit alpha that passes the test. */
   if (func == PIPE_FUNC_GREATER)
      state->threshold = floorf(ref * 255.0f) + 1.0f;
   else if (func == PIPE_FUNC_GEQUAL)
      state->threshold = ceilf(ref * 255.0f);
   *config = SOURCE(NORMAL);
   return state->threshold ? NULL : "alpha test that keeps small alphas";
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
fog_color(const struct nv3_draw_state *state)
{
   const nir_scalar *color = state->shader->fog_color;
   uint32_t rgb = 0;

   for (unsigned c = 0; c < 3 && state->shader->fogged; c++)
      rgb = rgb << 8 | float_to_ubyte(nv3_shader_value(&state->inputs,
                                                       color[c]));
   return rgb;
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
      { lp->active_occlusion_queries || lp->active_statistics_queries,
        "query" },
      { lp->render_cond_query, "conditional rendering" },
      { lp->depth_stencil->stencil[0].enabled, "stencil" },
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
   return ctx->state.shader ? ctx->state.shader->reason : "shader in TGSI";
}

const char *
nv3_validate(struct nv3_context *ctx, const struct pipe_draw_info *info)
{
   const struct llvmpipe_context *lp = llvmpipe_context(ctx->pipe);
   const struct pipe_constant_buffer *cb =
      &lp->constants[PIPE_SHADER_FRAGMENT][0];
   struct nv3_draw_state *state = &ctx->state;
   const char *reason;
   uint32_t blend;

   memset(state, 0, sizeof(*state));
   state->zeta = lp->framebuffer.zsbuf && lp->depth_stencil->depth_enabled;
   state->shader = ctx->shader;
   if (cb->buffer) {
      state->inputs.uniforms =
         (uint8_t *)llvmpipe_resource_data(cb->buffer) + cb->buffer_offset;
      state->inputs.size = cb->buffer_size;
   }
   reason = nv3_targets_refuse(ctx);
   if (!reason)
      reason = refuse(ctx, info);
   if (!reason)
      reason = find_blend(state, lp->blend, &blend);
   if (!reason)
      reason = alpha_test(state, lp->depth_stencil, &blend);
   if (!reason)
      reason = nv3_texture_validate(ctx);
   if (reason)
      return reason;
   state->words[NV3_WORD_FOG_COLOR] = fog_color(state);
   state->words[NV3_WORD_CONFIG] |= blend | config_bits(lp, state->zeta);
   return NULL;
}
