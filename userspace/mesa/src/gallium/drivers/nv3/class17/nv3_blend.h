/* SPDX-License-Identifier: MIT */
/* The alpha test and the blend of each pass. */
#ifndef NV3_BLEND_H
#define NV3_BLEND_H

#include <stdbool.h>
#include <stdint.h>

#include "pipe/p_defines.h"
#include "util/u_math.h"

struct nv3_context;
struct nv3_draw_state;
struct nv3_shader_info;

/* How colours are changed before the chip blends them. */
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
   uint32_t config;  /* bits of NV3_D3D_CONFIG */
   enum nv3_alpha_use alpha;
   bool opaque;
   bool doubled;     /* texels are doubled */
};

/* Reasons that depend on the colours of vertices. */
#define NV3_TRANSLUCENT "alpha test with a translucent colour"
#define NV3_BRIGHTER_THAN_ALPHA     "premultiplied colour brighter than its alpha"
#define NV3_CLAMPED     "interpolated colour outside 0 to 1"

/* The passes over the triangles of a draw, in this order. */
enum nv3_role {
   NV3_PASS_BRIGHTEN,  /* brightens the destination before a product */
   NV3_PASS_FIRST,     /* the shader, or its first term */
   NV3_PASS_SECOND,    /* the shader's second factor or summand */
   NV3_PASS_FOG,       /* fog over both terms */
   NV3_PASS_DEPTH,     /* only depth, after blending by the CPU */
};

#define NV3_MAX_PASSES 4

/*
 * True if a draw of triangles should be deferred although class 0x17 could
 * blend it, because it probably covers pixels with deferred blends.
 */
bool
nv3_blend_joins_deferred(struct nv3_context *ctx);

/*
 * Determines the passes for the current state and returns their number. Also
 * sets ctx->shader, which the functions below use.
 */
unsigned
nv3_blend_passes(struct nv3_context *ctx,
                 enum nv3_role roles[NV3_MAX_PASSES]);

/* The shader of a pass. */
const struct nv3_shader_info *
nv3_blend_shader(const struct nv3_context *ctx, enum nv3_role role);

/*
 * Determines the alpha test and the blend of the pass @state, whose uniform
 * values must be known. Returns NULL, or the reason why class 0x17 can't draw
 * the pass.
 */
const char *
nv3_blend_validate(struct nv3_context *ctx, const struct nv3_draw_state *state,
                   struct nv3_alpha_test *test, struct nv3_blend_mode *mode);

/* True if the pass writes colours. */
bool
nv3_blend_writes(const struct nv3_context *ctx, enum nv3_role role);

/*
 * Returns the white fog that compensates for the truncation of products, 0
 * to 255.
 */
unsigned
nv3_blend_bias(const struct nv3_context *ctx, enum nv3_role role);

/* The maximum of white fog for blends by alpha, 0 to 255. */
#define NV3_BRIGHTEN_MAX 128

/*
 * Determines the white fog that compensates for the truncation of a blend by
 * alpha: @brighten[0] divided by a vertex's alpha, or @brighten[1] if alpha is
 * 255. Returns false if the pass @state is not blended by alpha.
 */
bool
nv3_blend_brighten(const struct nv3_context *ctx,
                   const struct nv3_draw_state *state,
                   const struct nv3_blend_mode *mode,
                   uint16_t brighten[2]);

#endif
