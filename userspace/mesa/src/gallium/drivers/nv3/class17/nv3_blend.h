/* SPDX-License-Identifier: MIT */
#ifndef NV3_BLEND_H
#define NV3_BLEND_H

#include <stdbool.h>
#include <stdint.h>

#include "pipe/p_defines.h"
#include "util/u_math.h"

struct nv3_context;
struct nv3_draw_state;
struct nv3_shader_info;

/* What is done to colours before the chip blends them. */
enum nv3_alpha_use {
   NV3_ALPHA_AS_IS,
   NV3_ALPHA_MULTIPLIED,
   NV3_ALPHA_DIVIDED,
};

static inline float
nv3_use_alpha(enum nv3_alpha_use use, float color, float alpha)
{
   switch (use) {
   case NV3_ALPHA_MULTIPLIED:
      return color * SATURATE(alpha);
   case NV3_ALPHA_DIVIDED:
      return alpha > 0.0f ? color / alpha : 0.0f;
   default:
      return color;
   }
}

struct nv3_alpha_test {
   enum pipe_compare_func func;
   float ref;
};

struct nv3_blend_mode {
   uint32_t config;           /* bits of NV3_D3D_CONFIG */
   enum nv3_alpha_use alpha;
   bool opaque;
   bool doubled;              /* the texels are */
};

/* What the chip can't do with colours, which may be known by vertex alone. */
#define NV3_TRANSLUCENT "test of alpha with a translucent colour"
#define NV3_BRIGHTER_THAN_ALPHA     "colour that is brighter than its alpha"
#define NV3_CLAMPED     "colour that leaves 0 to 1 between vertices"

/* What a pass over a draw's triangles is for, in their order. */
enum nv3_role {
   NV3_PASS_BRIGHTEN,             /* raises what is there, which a product lowers */
   NV3_PASS_FIRST,            /* what the shader computes, or a part of it */
   NV3_PASS_SECOND,           /* what that is multiplied by, or is added to it */
   NV3_PASS_FOG,             /* fog over both */
   NV3_PASS_DEPTH,            /* depth alone, when the CPU has blended */
};

#define NV3_MAX_PASSES 4

/*
 * Whether a draw of triangles, which the chip could blend, had better be put off
 * (nv3_deferred.h), as what was put off is likely to be where it is.
 */
bool
nv3_blend_joins_deferred(struct nv3_context *ctx);

/*
 * Which passes the state comes to, in their order; how many. Chooses the form of
 * the shader, ctx->shader, that the functions below go by.
 */
unsigned
nv3_blend_passes(struct nv3_context *ctx,
                 enum nv3_role roles[NV3_MAX_PASSES]);

/* What a pass computes. */
const struct nv3_shader_info *
nv3_blend_shader(const struct nv3_context *ctx, enum nv3_role role);

/*
 * How the pass of @state, whose shader's uniforms are known, is tested and blended;
 * or why it can't be.
 */
const char *
nv3_blend_validate(struct nv3_context *ctx, const struct nv3_draw_state *state,
                   struct nv3_alpha_test *test, struct nv3_blend_mode *mode);

/* Whether a pass writes colours. */
bool
nv3_blend_writes(const struct nv3_context *ctx, enum nv3_role role);

/* How much fog, of 255 and white, makes up for what products lose. */
unsigned
nv3_blend_bias(const struct nv3_context *ctx, enum nv3_role role);

/* The max white fog, of 255, on what is blended by alpha. */
#define NV3_BRIGHTEN_MAX 128

/*
 * What makes up for what pass @state loses if it is blended by alpha: white fog of
 * @brighten[0] over a vertex's alpha, or of @brighten[1] where that is 255. False: it isn't.
 */
bool
nv3_blend_brighten(const struct nv3_context *ctx, const struct nv3_draw_state *state,
                   const struct nv3_blend_mode *mode, uint16_t brighten[2]);

#endif
