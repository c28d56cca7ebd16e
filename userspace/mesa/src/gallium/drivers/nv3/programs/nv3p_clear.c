/* SPDX-License-Identifier: MIT */
/* Clears of the framebuffer. */
#include "util/format/u_format.h"
#include "util/u_math.h"
#include "util/u_pack_color.h"

#include "base/nv3p_context.h"
#include "programs/nv3p_emit.h"
#include "programs/nv3p_methods.h"

#define CLEAR_WORDS 64

/*
 * Returns a clear depth as an integer of @bits bits, with the same rounding
 * as in the chip, so that the result equals the stored depth of a fragment
 * with the same depth.
 */
static uint32_t
pack_depth(double depth, unsigned bits)
{
   const uint32_t max = BITFIELD_MASK(bits);

   return MIN2(CLAMP((float)depth, 0.0f, 1.0f) * (max + 1.0f), max);
}

static uint32_t
pack_zeta(enum pipe_format format, double depth, unsigned stencil)
{
   if (format == PIPE_FORMAT_Z16_UNORM)
      return pack_depth(depth, 16);
   return pack_depth(depth, 24) << 8 | (stencil & 0xff);
}

static void
emit_clip(struct nv3p_context *ctx, const struct pipe_scissor_state *scissor)
{
   uint32_t words[2] = { ctx->fb.width << 16, ctx->fb.height << 16 };

   if (scissor) {
      words[0] = scissor->minx | (scissor->maxx - scissor->minx) << 16;
      words[1] = scissor->miny | (scissor->maxy - scissor->miny) << 16;
   }
   nv3p_emit_run(ctx, NV3_PM_SCISSOR_HORIZ, words, 2);
   ctx->dirty |= NV3P_NEW_SCISSOR;
}

static void
nv3p_clear(struct pipe_context *pipe, unsigned buffers,
           const struct pipe_scissor_state *scissor,
           const union pipe_color_union *color, double depth, unsigned stencil)
{
   struct nv3p_context *ctx = nv3p_context(pipe);
   const struct pipe_framebuffer_state *fb = &ctx->fb;
   union util_color packed = { 0 };
   uint32_t what = 0;

   if (!nv3p_check_condition(ctx) || !nv3p_prepare_targets(ctx) ||
       !nv3p_reserve(ctx, CLEAR_WORDS))
      return;
   nv3p_emit_framebuffer(ctx);
   emit_clip(ctx, scissor);
   if (buffers & PIPE_CLEAR_COLOR0 && fb->nr_cbufs && fb->cbufs[0]) {
      util_pack_color_union(fb->cbufs[0]->format, &packed, color);
      nv3p_emit(ctx, NV3_PM_COLOR_CLEAR_VALUE, packed.ui[0]);
      what |= NV3_PM_CLEAR_COLORS;
   }
   if (buffers & PIPE_CLEAR_DEPTHSTENCIL && fb->zsbuf) {
      nv3p_emit(ctx, NV3_PM_ZSTENCIL_CLEAR_VALUE,
                pack_zeta(fb->zsbuf->format, depth, stencil));
      what |= buffers & PIPE_CLEAR_DEPTH ? NV3_PM_CLEAR_Z : 0;
      what |= buffers & PIPE_CLEAR_STENCIL ? NV3_PM_CLEAR_STENCIL : 0;
   }
   nv3p_method(ctx, NV3_PM_CLEAR_SURFACE, what);
   nv3p_targets_written(ctx);
}

void
nv3p_init_clear(struct nv3p_context *ctx)
{
   ctx->base.clear = nv3p_clear;
}
