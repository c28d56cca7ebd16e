/* SPDX-License-Identifier: MIT */
/*
 * Clears. The hardware clears colour and depth by filling rectangles. The inner
 * context clears the stencil, and buffers to which the hardware can't draw.
 */
#include "util/format/u_format.h"
#include "util/u_framebuffer.h"
#include "util/u_inlines.h"
#include "util/u_math.h"
#include "util/u_surface.h"

#include "class17/nv3_chip.h"
#include "class17/nv3_class17.h"
#include "class17/nv3_inner.h"
#include "class17/nv3_resource.h"

struct rect {
   unsigned x, y, width, height;
};

static bool
clear_rect(const struct pipe_framebuffer_state *fb,
           const struct pipe_scissor_state *scissor, struct rect *rect)
{
   unsigned x1 = fb->width, y1 = fb->height;

   *rect = (struct rect) { 0 };
   if (scissor) {
      rect->x = MIN2(scissor->minx, x1);
      rect->y = MIN2(scissor->miny, y1);
      x1 = MIN2(x1, scissor->maxx);
      y1 = MIN2(y1, scissor->maxy);
   }
   if (x1 <= rect->x || y1 <= rect->y)
      return false;
   rect->width = x1 - rect->x;
   rect->height = y1 - rect->y;
   return true;
}

static bool
contains(const struct rect *rect, const struct pipe_resource *resource)
{
   return !rect->x && !rect->y && rect->width >= resource->width0 &&
          rect->height >= resource->height0;
}

/* Returns true if the hardware can clear @surface, or if @surface is NULL. */
static bool
can_clear(struct nv3_context *ctx, struct pipe_surface *surface)
{
   struct nv3_resource *res;

   if (!surface)
      return true;
   res = nv3_resource(surface->texture);
   return !ctx->chip->lost && !ctx->chip->no_memory && !ctx->conditional &&
          nv3_resource_can_target(res) && !nv3_resource_has_alpha(res);
}

static struct nv3_target *
target_for(struct nv3_context *ctx, struct nv3_resource *res,
           const struct rect *rect)
{
   return contains(rect, &res->base) ? nv3_resource_target_discard(ctx, res) :
                                     nv3_resource_target(ctx, res);
}

static bool
fill(struct nv3_context *ctx, struct pipe_surface *surface,
     const struct rect *rect, uint16_t value)
{
   struct nv3_resource *res = nv3_resource(surface->texture);
   struct nv3_target *target = target_for(ctx, res, rect);
   bool zeta = target && target->zeta;

   if (!target)
      return false;
   /* Pending draws of the inner context must precede the clear. */
   nv3_inner_finish(ctx);
   if (!nv3_chip_select(ctx, zeta ? NULL : target, zeta ? target : NULL) ||
       !nv3_chip_fill(ctx, zeta, value, rect->x, rect->y, rect->width,
                      rect->height))
      return false;
   nv3_resource_target_written(ctx, res);
   ctx->count.chip_clears++;
   return true;
}

static uint16_t
pack_color(const union pipe_color_union *color)
{
   unsigned c[3];

   for (unsigned i = 0; i < 3; i++)
      c[i] = SATURATE(color->f[i]) * 31.0f + 0.5f;
   return c[0] << 10 | c[1] << 5 | c[2];
}

static void
inner_clear(struct nv3_context *ctx, unsigned buffers,
            const struct pipe_scissor_state *scissor,
            const union pipe_color_union *color, double depth, unsigned stencil)
{
   nv3_inner_validate(ctx);
   ctx->inner->clear(ctx->inner, buffers, scissor, color, depth, stencil);
   nv3_inner_drew(ctx, buffers);
   ctx->count.soft_clears++;
}

/*
 * Clears the stencil, which only the canonical copy has. If @buffers contains
 * PIPE_CLEAR_DEPTH, also clears the depth of the canonical copy. This avoids
 * a later conversion of the depth.
 */
static void
clear_canonical(struct nv3_context *ctx, const struct rect *rect,
                unsigned buffers, double depth, unsigned stencil)
{
   struct nv3_resource *res = nv3_resource(ctx->fb.zsbuf->texture);
   struct pipe_surface templ = *ctx->fb.zsbuf, *surface;

   nv3_inner_finish(ctx);
   surface = ctx->inner->create_surface(ctx->inner, res->canonical, &templ);
   if (!surface)
      return;
   ctx->inner->clear_depth_stencil(ctx->inner, surface, buffers, depth, stencil,
                                   rect->x, rect->y, rect->width, rect->height,
                                   false);
   ctx->inner_busy = true;
   nv3_inner_finish(ctx);
   pipe_surface_reference(&surface, NULL);
}

/*
 * Clears depth with the hardware and stencil with the inner context. Returns
 * false if the depth has not been cleared.
 */
static bool
clear_zeta(struct nv3_context *ctx, const struct rect *rect, unsigned buffers,
           double depth, unsigned stencil)
{
   struct nv3_resource *res = nv3_resource(ctx->fb.zsbuf->texture);
   bool both = buffers == PIPE_CLEAR_DEPTHSTENCIL && contains(rect, &res->base);

   if (buffers & PIPE_CLEAR_STENCIL)
      clear_canonical(ctx, rect, both ? buffers : PIPE_CLEAR_STENCIL, depth,
                      stencil);
   if (!(buffers & PIPE_CLEAR_DEPTH))
      return true;
   if (!fill(ctx, ctx->fb.zsbuf, rect, SATURATE(depth) * 65535.0 + 0.5))
      return false;
   if (both)
      res->canonical_stale = false;
   return true;
}

static void
nv3_clear(struct pipe_context *pipe, unsigned buffers,
          const struct pipe_scissor_state *scissor,
          const union pipe_color_union *color, double depth, unsigned stencil)
{
   struct nv3_context *ctx = nv3_context(pipe);
   /*
    * Only the inner context draws to several colour buffers, so the inner
    * context also clears such buffers.
    */
   struct pipe_surface *cbuf = ctx->fb.nr_cbufs == 1 ? ctx->fb.cbufs[0] : NULL;
   struct pipe_surface *zsbuf = ctx->fb.zsbuf;
   unsigned rest = ctx->fb.nr_cbufs > 1 ? buffers & PIPE_CLEAR_COLOR : 0;
   struct rect rect;

   if (!clear_rect(&ctx->fb, scissor, &rect))
      return;
   if (buffers & PIPE_CLEAR_COLOR && cbuf &&
       !(can_clear(ctx, cbuf) && fill(ctx, cbuf, &rect, pack_color(color))))
      rest |= buffers & PIPE_CLEAR_COLOR;
   if (buffers & PIPE_CLEAR_DEPTHSTENCIL && zsbuf) {
      /*
       * Let the hardware clear depth only if the hardware can also draw to
       * the colour buffer.
       */
      if (!can_clear(ctx, zsbuf) || !can_clear(ctx, cbuf))
         rest |= buffers & PIPE_CLEAR_DEPTHSTENCIL;
      else if (!clear_zeta(ctx, &rect, buffers & PIPE_CLEAR_DEPTHSTENCIL, depth,
                           stencil))
         rest |= PIPE_CLEAR_DEPTH;
   }
   if (rest)
      inner_clear(ctx, rest, scissor, color, depth, stencil);
}

void
nv3_init_clear(struct nv3_context *ctx)
{
   /*
    * Do not set clear_texture(), so that the state tracker clears textures by
    * mapping them.
    */
   ctx->base.clear = nv3_clear;
}
