/* SPDX-License-Identifier: MIT */
/*
 * Translates pipe state to arguments of the methods of class 0x17, or finds
 * the reason why class 0x17 can't draw with the state.
 *
 * Pixel and texel centres have half-integer coordinates in GL and integer
 * coordinates in the chip (docs/reference/chip/3d.md). This file and
 * nv3_render.c subtract 0.5.
 */
#include "util/u_inlines.h"
#include "util/u_math.h"

#include "class17/nv3_chip.h"
#include "class17/nv3_class17.h"
#include "class17/nv3_resource.h"
#include "class17/nv3_shader.h"
#include "class17/nv3_texture.h"

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
 * If @factor uses the destination's alpha, which is always 1, returns the
 * equivalent constant factor. Otherwise returns @factor.
 */
static unsigned
without_alpha(unsigned factor)
{
   switch (factor) {
   case PIPE_BLENDFACTOR_DST_ALPHA:
      return PIPE_BLENDFACTOR_ONE;
   case PIPE_BLENDFACTOR_INV_DST_ALPHA:
   case PIPE_BLENDFACTOR_SRC_ALPHA_SATURATE:
      return PIPE_BLENDFACTOR_ZERO;
   default:
      return factor;
   }
}

/*
 * Sets *@config to the bits of CONFIG that select the blend, or that disable
 * blending. Returns NULL, or the reason why class 0x17 can't blend.
 */
static const char *
find_blend(const struct nv3_context *ctx, uint32_t *config)
{
   const struct pipe_rt_blend_state *rt = &ctx->blend->base.rt[0];
   unsigned src = without_alpha(rt->rgb_src_factor);
   unsigned dst = without_alpha(rt->rgb_dst_factor);

   *config = SOURCE(ALPHA_ONE);
   if (ctx->blend->base.logicop_enable &&
       ctx->blend->base.logicop_func != PIPE_LOGICOP_COPY)
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
         return NULL;
      }
   }
   return "blend factors";
}

static bool
is_opaque(uint32_t config)
{
   return config == SOURCE(ALPHA_ONE);
}

/* ---- alpha test ---- */

struct alpha_test {
   enum pipe_compare_func func;
   float ref;
};

/*
 * Implements the alpha test of an opaque draw: reduces the texture's alpha to
 * 0 or 1 (nv3_texture_key.threshold), and blends the colour with this alpha.
 * The result is exact if the test passes values above a reference, and if
 * alpha depends only on the texel. Returns NULL, or the reason why class 0x17
 * can't draw.
 */
static const char *
opaque_test(struct nv3_draw_state *state, const struct nv3_interpreter *in,
            struct alpha_test *test)
{
   const struct nv3_shader *shader = state->shader;
   bool greater = test->func == PIPE_FUNC_GREATER;
   float alpha;

   if (test->func == PIPE_FUNC_GEQUAL && test->ref <= 0.0f)
      test->func = PIPE_FUNC_ALWAYS;
   if (test->func == PIPE_FUNC_ALWAYS || test->func == PIPE_FUNC_NEVER)
      return NULL;
   if (!greater && test->func != PIPE_FUNC_GEQUAL)
      return "alpha test that keeps small values";
   if (shader->swizzle[3] != PIPE_SWIZZLE_1) {
      state->opaque = true;
      return NULL;
   }
   if (nv3_shader_degree(shader, shader->color[3]) != NV3_UNIFORM)
      return "alpha test of an interpolated alpha";
   alpha = SATURATE(nv3_interpreter_get((struct nv3_interpreter *)in,
                                        shader->color[3]));
   test->func = (greater ? alpha > test->ref : alpha >= test->ref) ?
                PIPE_FUNC_ALWAYS : PIPE_FUNC_NEVER;
   return NULL;
}

/*
 * Sets @test to the alpha test of the shader or of the state. If @test
 * requires another blend, also changes @blend, the bits of CONFIG that select
 * the blend. Returns NULL, or the reason why class 0x17 can't draw.
 */
static const char *
alpha_test(struct nv3_context *ctx, struct nv3_interpreter *in,
           struct alpha_test *test, uint32_t *blend)
{
   struct nv3_draw_state *state = &ctx->state;
   const struct pipe_depth_stencil_alpha_state *dsa = &ctx->dsa->base;
   uint32_t source = *blend & SOURCE(ALPHA_ONE);
   const char *reason = NULL;

   test->func = state->shader->alpha_func;
   test->ref = test->func == PIPE_FUNC_ALWAYS ? 0.0f :
               nv3_interpreter_get(in, state->shader->alpha_ref);
   if (dsa->alpha_enabled && dsa->alpha_func != PIPE_FUNC_ALWAYS) {
      if (test->func != PIPE_FUNC_ALWAYS)
         return "two alpha tests";
      test->func = dsa->alpha_func;
      test->ref = dsa->alpha_ref_value;
   }
   if (is_opaque(*blend)) {
      reason = opaque_test(state, in, test);
      if (test->func != PIPE_FUNC_ALWAYS)
         *blend = SOURCE(NORMAL);
   } else if (test->func != PIPE_FUNC_ALWAYS && source != SOURCE(NORMAL)) {
      return "alpha test with this blending";
   }
   state->blends = source != SOURCE(ALPHA_ONE);
   state->uses_alpha = test->func != PIPE_FUNC_ALWAYS ||
                       state->blends;
   return reason;
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
   case PIPE_TEX_WRAP_MIRROR_REPEAT:
      return NV3_D3D_WRAP_MIRROR;
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

/*
 * Sets the range of levels in @key, relative to the view's first level.
 * Returns NULL, or the reason why class 0x17 can't use the levels.
 */
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
texture_key(const struct nv3_draw_state *state,
            const struct pipe_sampler_state *sampler,
            const struct alpha_test *test, struct nv3_texture_key *key)
{
   int wrap_s = chip_wrap(sampler, sampler->wrap_s);
   int wrap_t = chip_wrap(sampler, sampler->wrap_t);

   if (wrap_s < 0 || wrap_t < 0)
      return "unsupported texture wrap mode";
   if (sampler->compare_mode != PIPE_TEX_COMPARE_NONE)
      return "shadow texture";
   memset(key, 0, sizeof(*key));
   memcpy(key->swizzle, state->shader->swizzle, sizeof(key->swizzle));
   key->wrap[0] = wrap_s;
   key->wrap[1] = wrap_t;
   if (!state->uses_alpha)
      key->swizzle[3] = PIPE_SWIZZLE_1;
   if (state->opaque)
      key->threshold = CLAMP((int)(test->ref * 255.0f + 0.5f), 1, 255);
   return texture_levels(sampler, key);
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
      state->coord_period[i] = wrap == NV3_D3D_WRAP_WRAP ? 1 :
                               wrap == NV3_D3D_WRAP_MIRROR ? 2 : 0;
   }
}

/*
 * Selects a texture of one white texel, because class 0x17 can't draw without
 * a texture. @zeta is set if the draw uses depth. Returns NULL, or an error
 * message.
 */
static const char *
no_texture(struct nv3_context *ctx, bool zeta)
{
   struct nv3_draw_state *state = &ctx->state;

   state->d3d = nv3_texture_white(ctx, zeta);
   state->words[WORD_FORMAT] = NV3_D3D_TEX_A4R4G4B4 << NV3_D3D_TEX_FORMAT_SHIFT;
   state->words[WORD_CONFIG] = NV3_D3D_INTERP_ZOH_CORNER |
      NV3_D3D_WRAP_WRAP << NV3_D3D_CONFIG_WRAP_U_SHIFT |
      NV3_D3D_WRAP_WRAP << NV3_D3D_CONFIG_WRAP_V_SHIFT;
   return state->d3d ? NULL : "no memory for a texture";
}

static const char *
texture(struct nv3_context *ctx, const struct alpha_test *test, bool zeta)
{
   struct nv3_draw_state *state = &ctx->state;
   const nir_tex_instr *lookup = state->shader->tex;
   const struct pipe_sampler_state *sampler;
   struct pipe_sampler_view *view;
   const struct nv3_texture *tex;
   struct nv3_texture_key key;
   const char *reason;

   if (!lookup)
      return no_texture(ctx, zeta);
   view = ctx->views[NV3_STAGE_FS][lookup->texture_index];
   if (!view || !ctx->samplers[lookup->sampler_index])
      return "missing texture";
   sampler = &ctx->samplers[lookup->sampler_index]->base;
   reason = texture_key(state, sampler, test, &key);
   if (reason)
      return reason;
   if (ctx->fb.cbufs[0]->texture == view->texture)
      return "texture is a render target of the draw";
   reason = nv3_texture_get(ctx, view, &key, zeta, &tex);
   if (reason)
      return reason;
   /*
    * The period of a mirrored texture is twice its size. At the maximum size,
    * the period exceeds the range of the chip's coordinates.
    */
   if (tex->log2 == NV3_TEXTURE_LEVELS - 1 &&
       (key.wrap[0] == NV3_D3D_WRAP_MIRROR ||
        key.wrap[1] == NV3_D3D_WRAP_MIRROR))
      return "mirrored texture of the maximum size";
   state->d3d = tex->d3d[zeta];
   set_coordinates(state, &key, tex, is_linear(sampler));
   state->words[WORD_FORMAT] =
      (uint32_t)tex->format << NV3_D3D_TEX_FORMAT_SHIFT |
      (uint32_t)tex->log2_min << NV3_D3D_TEX_SIZE_MIN_SHIFT |
      (uint32_t)tex->log2 << NV3_D3D_TEX_SIZE_MAX_SHIFT;
   state->words[WORD_FILTER] =
      (uint32_t)(CLAMP((int)(sampler->lod_bias * 16.0f), -128, 127) & 0xff)
      << 16;
   state->words[WORD_CONFIG] =
      (is_linear(sampler) ? NV3_D3D_INTERP_FOH_CENTER :
                            NV3_D3D_INTERP_ZOH_CORNER) |
      key.wrap[0] << NV3_D3D_CONFIG_WRAP_U_SHIFT |
      key.wrap[1] << NV3_D3D_CONFIG_WRAP_V_SHIFT;
   return NULL;
}

/* ---- words ---- */

/*
 * Returns the bits of CONFIG that select tests and writes. If @zeta is not
 * set, these bits disable the depth test. Does not enable culling, because
 * the draw module culls triangles. Selects WRITE_Z instead of WRITE_ALPHA_Z,
 * because a pixel with alpha 0 that passes the alpha test must still write
 * depth. The blend does not change the colour of such a pixel.
 */
static uint32_t
config_bits(const struct nv3_context *ctx, bool zeta)
{
   const struct pipe_depth_stencil_alpha_state *dsa = &ctx->dsa->base;
   bool color = ctx->blend->base.rt[0].colormask & MASK_RGB;
   bool depth = zeta && dsa->depth_writemask;
   unsigned func = zeta ? chip_func[dsa->depth_func] : NV3_D3D_CMP_ALWAYS;

   return NV3_D3D_CONFIG_ALPHA |
          NV3_D3D_CULL_NONE << NV3_D3D_CONFIG_CULL_SHIFT |
          func << NV3_D3D_CONFIG_Z_FUNC_SHIFT |
          (depth ? NV3_D3D_WRITE_Z : NV3_D3D_WRITE_NEVER)
             << NV3_D3D_CONFIG_Z_WRITE_SHIFT |
          (uint32_t)(color ? NV3_D3D_WRITE_Z : NV3_D3D_WRITE_NEVER)
             << NV3_D3D_CONFIG_COLOR_WRITE_SHIFT;
}

static uint32_t
fog_color(const struct nv3_shader *shader, struct nv3_interpreter *in)
{
   uint32_t rgb = 0;

   for (unsigned i = 0; i < 3 && shader->fogged; i++)
      rgb = rgb << 8 |
            float_to_ubyte(nv3_interpreter_get(in, shader->fog_color[i]));
   return rgb;
}

/* ---- colours ---- */

/*
 * Sets ctx->state.clamps and ctx->state.flat. Varyings are flat if the shader
 * declares them as flat. Colours are also flat if the state selects flat
 * shading. Returns NULL, or the reason why class 0x17 can't draw.
 */
static const char *
shading(struct nv3_context *ctx)
{
   struct nv3_draw_state *state = &ctx->state;
   const struct nv3_shader *shader = state->shader;
   bool flat = false, smooth = false;

   for (unsigned i = 0; i < shader->input_count; i++) {
      const struct nv3_shader_input *input = &shader->inputs[i];
      bool is_color = input->semantic == TGSI_SEMANTIC_COLOR;
      bool is_flat = input->flat || (is_color && ctx->rast->base.flatshade);

      if (is_flat && !is_color)
         return "flat varying other than a colour";
      flat |= is_flat;
      smooth |= is_color && !is_flat;
   }
   if (flat && smooth)
      return "flat and smooth colours";
   state->flat = flat;
   /*
    * GL clamps the same colour as the chip if the colour is constant in a
    * primitive, and is neither multiplied by a texel nor blended with fog.
    */
   for (unsigned c = 0; c < 4; c++)
      state->clamps[c] = shader->swizzle[c] == PIPE_SWIZZLE_1 &&
         !(c < 3 && shader->fogged) &&
         (flat ||
          nv3_shader_degree(shader, shader->color[c]) == NV3_UNIFORM);
   return NULL;
}

/* ---- complete validation ---- */

static const char *
framebuffer(struct nv3_context *ctx, bool zeta)
{
   struct nv3_draw_state *state = &ctx->state;
   struct pipe_surface *cbuf = ctx->fb.nr_cbufs ? ctx->fb.cbufs[0] : NULL;

   if (!cbuf)
      return "no colour buffer";
   if (ctx->fb.nr_cbufs > 1)
      return "multiple colour buffers";
   state->color_res = nv3_resource(cbuf->texture);
   if (!nv3_resource_can_target(state->color_res) || cbuf->u.tex.level ||
       cbuf->u.tex.first_layer)
      return "unsupported colour buffer";
   if (nv3_resource_has_alpha(state->color_res))
      return "colour buffer with alpha";
   /*
    * The kernel enables dithering for the whole chip. Targets with 8 bits per
    * colour are dithered even without GL_DITHER (docs/explanation/mesa.md).
    */
   if (!ctx->blend->base.dither && nv3_resource_is_coarse(state->color_res))
      return "no dithering";
   if (!zeta)
      return NULL;
   state->zeta_res = nv3_resource(ctx->fb.zsbuf->texture);
   return nv3_resource_can_target(state->zeta_res) ? NULL :
          "unsupported depth buffer";
}

bool
nv3_validate_targets(struct nv3_context *ctx)
{
   struct nv3_draw_state *state = &ctx->state;

   state->color = nv3_resource_target(ctx, state->color_res);
   if (state->zeta_res)
      state->zeta = nv3_resource_target(ctx, state->zeta_res);
   return state->color && (!state->zeta_res || state->zeta);
}

static const char *
other_state(struct nv3_context *ctx)
{
   const struct pipe_rasterizer_state *rast = &ctx->rast->base;

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
    * The draw module would divide a stippled line into short pieces, and
    * nv3_render.c would convert each piece to a quad. Some of these quads
    * would cover no pixel centre.
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
   /*
    * GL clamps the depth of each pixel, but the chip would interpolate the
    * clamped depths of the vertices.
    */
   if (ctx->fb.zsbuf && ctx->dsa->base.depth_enabled &&
       !(rast->depth_clip_near && rast->depth_clip_far))
      return "depth clamping";
   return NULL;
}

static const char *
validate(struct nv3_context *ctx, struct nv3_interpreter *in)
{
   struct nv3_draw_state *state = &ctx->state;
   bool zeta = ctx->fb.zsbuf && ctx->dsa->base.depth_enabled;
   struct alpha_test test;
   const char *reason;
   uint32_t blend;

   reason = framebuffer(ctx, zeta);
   if (!reason)
      reason = find_blend(ctx, &blend);
   if (!reason)
      reason = alpha_test(ctx, in, &test, &blend);
   if (!reason)
      reason = shading(ctx);
   if (!reason)
      reason = texture(ctx, &test, zeta);
   if (!reason && !nv3_validate_targets(ctx))
      reason = "no memory for a render target";
   if (reason)
      return reason;
   state->words[WORD_FOG_COLOR] = fog_color(state->shader, in);
   state->words[WORD_CONFIG] |= blend | config_bits(ctx, zeta);
   state->words[WORD_ALPHA] =
      CLAMP((int)(test.ref * 255.0f + 0.5f), 0, 255) |
      (uint32_t)chip_func[test.func] << 8;
   return NULL;
}

const char *
nv3_validate(struct nv3_context *ctx)
{
   struct nv3_interpreter in = { 0 };
   const char *reason = other_state(ctx);
   const void *constants;
   unsigned size;

   memset(&ctx->state, 0, sizeof(ctx->state));
   ctx->state.shader = ctx->fs->shader;
   if (!reason)
      reason = ctx->fs->shader ? ctx->fs->shader->reason : "no memory";
   if (reason)
      return reason;
   constants = nv3_constants_map(&ctx->constants[NV3_STAGE_FS], &size);
   if (!nv3_interpreter_begin(&in, ctx->state.shader, constants, size))
      return "no memory";
   reason = validate(ctx, &in);
   nv3_interpreter_fini(&in);
   return reason;
}
