/* SPDX-License-Identifier: MIT */
/*
 * Selection of blends, and of passes over the same triangles for blends that
 * class 0x17 lacks.
 *
 * The chip multiplies with 4 bits of the 5-bit destination and truncates the
 * result (docs/reference/chip/3d.md), so products and blends by alpha are too
 * dark. White fog compensates for this, because it brightens dark colours and
 * leaves white unchanged. In a product of two textures the brighter one is
 * drawn first, because this order loses less. Before a product with the
 * destination, another pass brightens the destination. The amounts minimize the
 * error over pairs of colours
 * (docs/decisions/0014-compensating-truncated-products.md).
 */
#include "util/u_dump.h"

#include "base/nv3_context.h"
#include "class17/nv3_blend.h"
#include "class17/nv3_draw_state.h"
#include "compiler/nv3_expr.h"
#include "compiler/nv3_shader.h"
#include "resource/nv3_resource.h"
#include "sw/nv3_deferred_blend.h"
#include "sw/nv3_sw_blend.h"

#define MASK_RGB (PIPE_MASK_R | PIPE_MASK_G | PIPE_MASK_B)

/* These amounts are in units of 1/255. A step of 5 bits is 8 units. */
#define BRIGHTEN       11
#define FIRST_BIAS 12
/* Compensates for half a step of the product if the first factor is 255. */
#define SECOND_BIAS     3.5f
#define SECOND_BIAS_MAX 16.0f

/*
 * Compensates for half a step and for the truncation of alpha. Tuned with
 * frames of OpenArena in comparison with llvmpipe
 * (docs/decisions/0014-compensating-truncated-products.md).
 */
#define ALPHA_LOSS 5.0f

#define SOURCE(x) (NV3_D3D_SOURCE_##x << NV3_D3D_CONFIG_SOURCE_SHIFT)

#define BLEND_ADD (SOURCE(ALPHA_ONE) | NV3_D3D_CONFIG_ROP_ADD)
#define BLEND_PRODUCT (SOURCE(ALPHA_ONE) | NV3_D3D_CONFIG_BETA_DST_COLOR | \
                       NV3_D3D_CONFIG_DST_ZERO)
#define BLEND_INVERSE_PRODUCT (SOURCE(COLOR_INVERSE) | \
                               NV3_D3D_CONFIG_BETA_DST_COLOR | \
                               NV3_D3D_CONFIG_DST_ZERO)

struct blend_map {
   uint8_t src, dst;
   uint32_t config;
   enum nv3_alpha_use alpha;
   bool doubled;
};

/*
 * The chip computes dst + (src - dst) * factor, or src + dst. The factor is
 * alpha or the destination colour. Either side can be replaced by 0.
 */
static const struct blend_map blend_maps[] = {
   { PIPE_BLENDFACTOR_SRC_ALPHA, PIPE_BLENDFACTOR_INV_SRC_ALPHA,
     SOURCE(NORMAL) },
   { PIPE_BLENDFACTOR_INV_SRC_ALPHA, PIPE_BLENDFACTOR_SRC_ALPHA,
     SOURCE(ALPHA_INVERSE) },
   { PIPE_BLENDFACTOR_SRC_ALPHA, PIPE_BLENDFACTOR_ZERO,
     SOURCE(NORMAL) | NV3_D3D_CONFIG_DST_ZERO },
   { PIPE_BLENDFACTOR_ZERO, PIPE_BLENDFACTOR_INV_SRC_ALPHA,
     SOURCE(NORMAL) | NV3_D3D_CONFIG_SRC_ZERO },
   { PIPE_BLENDFACTOR_ONE, PIPE_BLENDFACTOR_ONE,
     BLEND_ADD },
   { PIPE_BLENDFACTOR_SRC_ALPHA, PIPE_BLENDFACTOR_ONE,
     BLEND_ADD, NV3_ALPHA_MULTIPLIED },
   /* Premultiplied colours are first divided by alpha. */
   { PIPE_BLENDFACTOR_ONE, PIPE_BLENDFACTOR_INV_SRC_ALPHA,
     SOURCE(NORMAL), NV3_ALPHA_DIVIDED },
   { PIPE_BLENDFACTOR_DST_COLOR, PIPE_BLENDFACTOR_ZERO, BLEND_PRODUCT },
   { PIPE_BLENDFACTOR_ZERO, PIPE_BLENDFACTOR_SRC_COLOR, BLEND_PRODUCT },
   { PIPE_BLENDFACTOR_ZERO, PIPE_BLENDFACTOR_INV_SRC_COLOR,
     BLEND_INVERSE_PRODUCT },
   /*
    * This blend is twice the product. The texels are doubled and saturated,
    * because the chip can't multiply the destination by more than 1.
    */
   { PIPE_BLENDFACTOR_DST_COLOR, PIPE_BLENDFACTOR_SRC_COLOR, BLEND_PRODUCT,
     .doubled = true },
};

/* A shader with an opaque grey. */
#define GREY_SHADER(grey) {                                                     \
   .expr = {                                                                    \
      .count = 2,                                                               \
      .ops = {                                                                  \
         { .code = NV3_OP_CONST, .degree = NV3_UNIFORM, .value = grey / 255.0f }, \
         { .code = NV3_OP_CONST, .degree = NV3_UNIFORM, .value = 1.0f },        \
      },                                                                        \
   },                                                                           \
   .color = { 0, 0, 0, 1 },                                                     \
   .lookup = { .coord_q = -1 },                                                 \
   .fog = -1,                                                                   \
   .alpha_func = PIPE_FUNC_ALWAYS,                                              \
}

/* The shader of the pass that brightens the destination before a product. */
static const struct nv3_shader_info brighten_shader = GREY_SHADER(BRIGHTEN);

/* The shader of the depth pass, which writes no colour. */
static const struct nv3_shader_info black_shader = GREY_SHADER(0);

/* Replaces factors with the destination's alpha, which reads as 1. */
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

static bool
is_opaque(const struct pipe_rt_blend_state *rt)
{
   return !rt->blend_enable || !(rt->colormask & MASK_RGB) ||
          (without_alpha(rt->rgb_src_factor) == PIPE_BLENDFACTOR_ONE &&
           without_alpha(rt->rgb_dst_factor) == PIPE_BLENDFACTOR_ZERO &&
           rt->rgb_func == PIPE_BLEND_ADD);
}

static const struct blend_map *
find_map(const struct pipe_rt_blend_state *rt)
{
   for (unsigned i = 0; i < ARRAY_SIZE(blend_maps); i++) {
      if (blend_maps[i].src == without_alpha(rt->rgb_src_factor) &&
          blend_maps[i].dst == without_alpha(rt->rgb_dst_factor))
         return &blend_maps[i];
   }
   return NULL;
}

/* True if class 0x17 does not have the blend, so the CPU must blend. */
static bool
needs_sw_blend(const struct pipe_rt_blend_state *rt)
{
   unsigned mask = rt->colormask & MASK_RGB;

   if (mask && mask != MASK_RGB)
      return true;
   return !is_opaque(rt) && (rt->rgb_func != PIPE_BLEND_ADD || !find_map(rt));
}

static bool
is_product(uint32_t config)
{
   return config == BLEND_PRODUCT || config == BLEND_INVERSE_PRODUCT;
}

/* ---- blending by the CPU ---- */

static const char *
name_factors(struct nv3_context *ctx, const struct pipe_rt_blend_state *rt)
{
   snprintf(ctx->factors, sizeof(ctx->factors), "blend factors (%s, %s)",
            util_str_blend_factor(rt->rgb_src_factor, true),
            util_str_blend_factor(rt->rgb_dst_factor, true));
   return ctx->factors;
}

/*
 * Returns the reason why the CPU can't blend, or NULL. @tests is set if the
 * draw has an alpha test.
 */
static const char *
refuse_sw_blend(struct nv3_context *ctx, bool tests)
{
   const struct pipe_rt_blend_state *rt = &ctx->blend->base.rt[0];
   const struct pipe_rasterizer_state *rast = &ctx->rast->base;
   const struct pipe_depth_stencil_alpha_state *dsa = &ctx->dsa->base;
   struct nv3_sw_blend blend;

   if (!nv3_sw_blend_init(&blend, rt, &ctx->blend_color))
      return rt->rgb_func == PIPE_BLEND_MIN || rt->rgb_func == PIPE_BLEND_MAX ?
             "GL_MIN or GL_MAX" : name_factors(ctx, rt);
   if (tests)
      return "alpha test with this blending";
   if (ctx->fs->info->second)
      return "two passes with blending";
   if (rast->fill_front != PIPE_POLYGON_MODE_FILL ||
       rast->fill_back != PIPE_POLYGON_MODE_FILL)
      return "lines or points with CPU blending";
   /* Later levels would be tested against depth values of the same draw. */
   if (dsa->depth_enabled && dsa->depth_writemask &&
       dsa->depth_func == PIPE_FUNC_NOTEQUAL)
      return "depth test for inequality with CPU blending";
   return NULL;
}

/*
 * Only twice a product joins deferred blends. Class 0x17 can draw other
 * products.
 */
bool
nv3_blend_joins_deferred(struct nv3_context *ctx)
{
   const struct pipe_surface *cbuf = ctx->fb.nr_cbufs ? ctx->fb.cbufs[0] : NULL;
   const struct pipe_rt_blend_state *rt = &ctx->blend->base.rt[0];
   const struct nv3_shader_info *shader = ctx->fs->info;
   const struct blend_map *map;

   if (!ctx->deferred->count || !shader || is_opaque(rt) ||
       needs_sw_blend(rt) || !cbuf ||
       nv3_resource(cbuf->texture)->target != ctx->deferred->target)
      return false;
   map = find_map(rt);
   return map->doubled &&
          !refuse_sw_blend(ctx, ctx->dsa->base.alpha_enabled ||
                                   shader->alpha_func != PIPE_FUNC_ALWAYS);
}

/* ---- passes ---- */

/* Returns the average brightness of the texture of @shader, 0 to 255. */
static unsigned
brightness(const struct nv3_context *ctx, const struct nv3_shader_info *shader)
{
   const struct pipe_sampler_view *view =
      shader->textured ? ctx->views[NV3_STAGE_FS][shader->lookup.view] : NULL;

   return view ? nv3_resource(view->texture)->brightness : 255;
}

/*
 * Returns the shader or its variant with exchanged textures. Selects the
 * order that loses less.
 */
static const struct nv3_shader_info *
in_order(const struct nv3_context *ctx)
{
   const struct nv3_shader_info *shader = ctx->fs->info;

   if (shader->swapped && is_opaque(&ctx->blend->base.rt[0]) &&
       !ctx->dsa->base.alpha_enabled &&
       brightness(ctx, shader) < brightness(ctx, shader->second))
      return shader->swapped;
   return shader;
}

unsigned
nv3_blend_passes(struct nv3_context *ctx,
                 enum nv3_role roles[NV3_MAX_PASSES])
{
   const struct pipe_rt_blend_state *rt = &ctx->blend->base.rt[0];
   const struct nv3_shader_info *shader = ctx->fs->info;
   const struct blend_map *map = is_opaque(rt) ? NULL : find_map(rt);
   unsigned count = 0;

   /*
    * Decide once for all passes, because validating a pass may copy a texture
    * and thereby change its brightness.
    */
   ctx->shader = in_order(ctx);
   ctx->blends_in_sw = ctx->joins_deferred || needs_sw_blend(rt);
   if (!ctx->blends_in_sw && map && is_product(map->config))
      roles[count++] = NV3_PASS_BRIGHTEN;
   roles[count++] = NV3_PASS_FIRST;
   if (shader->second)
      roles[count++] = NV3_PASS_SECOND;
   if (shader->fog_pass)
      roles[count++] = NV3_PASS_FOG;
   if (ctx->blends_in_sw && ctx->dsa->base.depth_enabled &&
       ctx->dsa->base.depth_writemask)
      roles[count++] = NV3_PASS_DEPTH;
   return count;
}

const struct nv3_shader_info *
nv3_blend_shader(const struct nv3_context *ctx, enum nv3_role role)
{
   switch (role) {
   case NV3_PASS_BRIGHTEN:
      return &brighten_shader;
   case NV3_PASS_DEPTH:
      return &black_shader;
   case NV3_PASS_SECOND:
      return ctx->shader->second;
   case NV3_PASS_FOG:
      return ctx->fs->info->fog_pass;
   default:
      return ctx->shader;
   }
}

unsigned
nv3_blend_bias(const struct nv3_context *ctx, enum nv3_role role)
{
   const struct nv3_shader_info *shader = ctx->fs->info;
   float first;

   if (!shader->second || shader->second_adds)
      return 0;
   if (role == NV3_PASS_FIRST)
      return FIRST_BIAS;
   if (role != NV3_PASS_SECOND)
      return 0;
   first = MAX2(brightness(ctx, ctx->shader), 1);
   return MIN2(SECOND_BIAS * 255.0f / first, SECOND_BIAS_MAX);
}

bool
nv3_blend_brighten(const struct nv3_context *ctx,
                   const struct nv3_draw_state *state,
                   const struct nv3_blend_mode *mode, uint16_t brighten[2])
{
   const struct nv3_shader_info *shader = state->shader;
   const float *loss;

   if (state->role != NV3_PASS_FIRST || mode->opaque ||
       mode->config != SOURCE(NORMAL) || !shader->textured)
      return false;
   loss = nv3_resource(ctx->views[NV3_STAGE_FS][shader->lookup.view]->texture)
             ->loss;
   brighten[0] = ALPHA_LOSS * 255.0f * loss[0];
   brighten[1] = ALPHA_LOSS * loss[1];
   return true;
}

bool
nv3_blend_writes(const struct nv3_context *ctx, enum nv3_role role)
{
   return role != NV3_PASS_DEPTH &&
          ctx->blend->base.rt[0].colormask & MASK_RGB;
}

static bool
is_positive(const struct nv3_draw_state *state, int op)
{
   const struct nv3_shader_info *shader = state->shader;
   const struct nv3_op *o = &shader->expr.ops[op];

   if (o->degree == NV3_UNIFORM)
      return state->values[op] >= 0.0f;
   if (o->min >= 0.0f)
      return true;
   switch (o->code) {
   case NV3_OP_SAT:
      return true;
   case NV3_OP_VARYING:
      return shader->inputs[o->a].semantic == TGSI_SEMANTIC_COLOR;
   case NV3_OP_ADD:
   case NV3_OP_MUL:
      return is_positive(state, o->a) && is_positive(state, o->b);
   default:
      return false;
   }
}

/* True if no factor or summand of the pass can be negative. */
static bool
is_positive_pass(const struct nv3_draw_state *state)
{
   for (unsigned c = 0; c < 3; c++) {
      if (!is_positive(state, state->shader->color[c]))
         return false;
   }
   return true;
}

/*
 * Returns the reason why no second pass can follow a first pass with @blend, or
 * NULL. A second pass draws where depth equals the value from the first pass.
 * If no depth is written, the passes are drawn quad by quad, because the
 * triangles of a quad do not overlap. Products can be drawn in any order.
 */
static const char *
allow_second(struct nv3_context *ctx, const struct nv3_draw_state *state,
             const struct nv3_alpha_test *test,
             const struct nv3_blend_mode *blend)
{
   const struct pipe_depth_stencil_alpha_state *dsa = &ctx->dsa->base;
   const struct nv3_shader_info *shader = state->shader;

   /*
    * The chip would clamp a negative first term, so the sum would be too
    * bright.
    */
   if (shader->second_adds && !is_positive_pass(state))
      return "second pass after a negative term";
   if (!shader->second ||
       (blend->config == BLEND_PRODUCT && !shader->second_adds &&
        !shader->fog_pass))
      return NULL;
   if (!blend->opaque)
      return "two passes with blending";
   ctx->passes_by_quad = !state->zeta_res || !dsa->depth_writemask;
   /*
    * Without depth, the second pass can't skip the pixels that the alpha test
    * rejected.
    */
   if (ctx->passes_by_quad)
      return test->func == PIPE_FUNC_ALWAYS ? NULL
                                            : "alpha test with two passes";
   if (dsa->depth_func == PIPE_FUNC_NOTEQUAL ||
       dsa->depth_func == PIPE_FUNC_NEVER)
      return "two passes with this depth test";
   return NULL;
}

/* ---- first pass ---- */

/*
 * Sets @test to the alpha test of the state or of the shader. The chip can do
 * only one of them.
 */
static const char *
alpha_test(struct nv3_context *ctx, const struct nv3_draw_state *state,
           struct nv3_alpha_test *test)
{
   const struct pipe_depth_stencil_alpha_state *dsa = &ctx->dsa->base;
   bool by_state = dsa->alpha_enabled && dsa->alpha_func != PIPE_FUNC_ALWAYS;

   test->func = state->shader->alpha_func;
   test->ref = test->func == PIPE_FUNC_ALWAYS ?
               0.0f : state->values[state->shader->alpha_ref];
   if (by_state) {
      if (test->func != PIPE_FUNC_ALWAYS)
         return "two alpha tests";
      test->func = dsa->alpha_func;
      test->ref = dsa->alpha_ref_value;
   }
   return NULL;
}

/*
 * Implements an alpha test without blending: the texture's alpha is reduced to
 * 0 or 1 (nv3_texture.h), and the colour is blended by it. This is exact if
 * the test keeps greater values and alpha depends only on the texel. If alpha
 * is uniform, the driver evaluates the test.
 */
static const char *
opaque_test(struct nv3_context *ctx, const struct nv3_draw_state *state,
            struct nv3_alpha_test *test)
{
   const struct nv3_shader_info *shader = state->shader;
   bool greater = test->func == PIPE_FUNC_GREATER;
   int op = shader->color[3];
   float alpha;

   if (test->func == PIPE_FUNC_GEQUAL && test->ref <= 0.0f)
      test->func = PIPE_FUNC_ALWAYS;
   if (test->func == PIPE_FUNC_ALWAYS || test->func == PIPE_FUNC_NEVER)
      return NULL;
   if (!greater && test->func != PIPE_FUNC_GEQUAL)
      return "alpha test that keeps small values";
   ctx->checks_vertices = shader->expr.ops[op].degree != NV3_UNIFORM;
   if (ctx->checks_vertices)
      return NULL;
   alpha = SATURATE(state->values[op]);
   if (shader->textured && shader->swizzle[3] != PIPE_SWIZZLE_1)
      return alpha < 1.0f ? NV3_TRANSLUCENT : NULL;
   test->func = (greater ? alpha > test->ref : alpha >= test->ref) ?
                PIPE_FUNC_ALWAYS : PIPE_FUNC_NEVER;
   return NULL;
}

static const char *
first_blend(struct nv3_context *ctx, const struct nv3_draw_state *state,
            struct nv3_alpha_test *test, struct nv3_blend_mode *mode)
{
   const char *reason;
   const struct pipe_rt_blend_state *rt = &ctx->blend->base.rt[0];
   const struct blend_map *map;

   if (ctx->blend->base.logicop_enable &&
       ctx->blend->base.logicop_func != PIPE_LOGICOP_COPY)
      return "logic operation";
   if (ctx->blends_in_sw) {
      mode->opaque = true;
      mode->config = SOURCE(ALPHA_ONE);
      return refuse_sw_blend(ctx, test->func != PIPE_FUNC_ALWAYS);
   }
   if (is_opaque(rt)) {
      reason = opaque_test(ctx, state, test);
      mode->opaque = true;
      mode->config = test->func == PIPE_FUNC_ALWAYS ? SOURCE(ALPHA_ONE) :
                                                      SOURCE(NORMAL);
      return reason;
   }
   map = find_map(rt);
   if (map->doubled && !ctx->shader->textured)
      return name_factors(ctx, rt);
   if (test->func != PIPE_FUNC_ALWAYS &&
       (map->config & SOURCE(ALPHA_ONE)) != SOURCE(NORMAL))
      return "alpha test with this blending";
   mode->config = map->config;
   mode->alpha = map->alpha;
   mode->doubled = map->doubled;
   return NULL;
}

/*
 * Returns the reason why the chip's use of alpha would differ from GL's, or
 * NULL.
 */
static const char *
refuse_alpha(struct nv3_context *ctx, const struct nv3_draw_state *state,
             const struct nv3_alpha_test *test,
             const struct nv3_blend_mode *mode)
{
   const struct nv3_shader_info *shader = state->shader;
   uint32_t source = mode->config & SOURCE(ALPHA_ONE);
   bool used = test->func != PIPE_FUNC_ALWAYS ||
               mode->alpha != NV3_ALPHA_AS_IS || source == SOURCE(NORMAL) ||
               source == SOURCE(ALPHA_INVERSE);

   if (used && shader->alpha_in_part)
      return "alpha other than a texel times a number";
   /* The chip applies fog after the multiplication or division by alpha. */
   for (unsigned c = 0; c < 3; c++) {
      if (mode->alpha != NV3_ALPHA_AS_IS && shader->fog >= 0 &&
          state->values[shader->fog_color[c]] > 0.0f)
         return "fog with colours multiplied or divided by alpha";
   }
   if (mode->alpha != NV3_ALPHA_DIVIDED)
      return NULL;
   for (unsigned c = 0; c < 4; c++)
      ctx->checks_vertices |=
         shader->expr.ops[shader->color[c]].degree != NV3_UNIFORM;
   for (unsigned c = 0; c < 3 && !ctx->checks_vertices; c++) {
      if (state->values[shader->color[c]] >
          SATURATE(state->values[shader->color[3]]))
         return NV3_BRIGHTER_THAN_ALPHA;
   }
   return NULL;
}

/* ---- other passes ---- */

/*
 * Sets the blend of the second pass. Fails for a negative summand, which the
 * chip can't add.
 */
static const char *
second_blend(const struct nv3_context *ctx, const struct nv3_draw_state *state,
             struct nv3_blend_mode *mode)
{
   bool adds = ctx->fs->info->second_adds;

   mode->opaque = true;
   mode->config = adds ? BLEND_ADD : BLEND_PRODUCT;
   return adds && !is_positive_pass(state) ?
          "second pass with a negative term" : NULL;
}

const char *
nv3_blend_validate(struct nv3_context *ctx, const struct nv3_draw_state *state,
                   struct nv3_alpha_test *test, struct nv3_blend_mode *mode)
{
   const char *reason;

   *test = (struct nv3_alpha_test) { .func = PIPE_FUNC_ALWAYS };
   *mode = (struct nv3_blend_mode) { 0 };
   switch (state->role) {
   case NV3_PASS_BRIGHTEN:
   case NV3_PASS_DEPTH:
      mode->config = BLEND_ADD;
      return NULL;
   case NV3_PASS_SECOND:
      return second_blend(ctx, state, mode);
   case NV3_PASS_FOG:
      mode->config = SOURCE(NORMAL);
      return NULL;
   default:
      reason = alpha_test(ctx, state, test);
      if (!reason)
         reason = first_blend(ctx, state, test, mode);
      if (!reason)
         reason = refuse_alpha(ctx, state, test, mode);
      return reason ? reason : allow_second(ctx, state, test, mode);
   }
}
