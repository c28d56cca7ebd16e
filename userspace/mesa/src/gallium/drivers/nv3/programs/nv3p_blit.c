/* SPDX-License-Identifier: MIT */
/*
 * Implements clears, blits and copies of regions. The CPU copies a region if
 * class 0x1f can't draw the copy.
 */
#include "util/format/u_format.h"
#include "util/log.h"
#include "util/u_blitter.h"
#include "util/u_inlines.h"
#include "util/u_math.h"
#include "util/u_pack_color.h"
#include "util/u_surface.h"

#include "base/nv3p_context.h"
#include "programs/nv3p_methods.h"


/* ---- clears ---- */

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
   nv3p_emit_rect(ctx, NV3_PM_SCISSOR_HORIZ, scissor ? scissor->minx : 0,
                  scissor ? scissor->miny : 0,
                  scissor ? scissor->maxx : fb->width,
                  scissor ? scissor->maxy : fb->height);
   ctx->dirty |= NV3P_NEW_RASTERIZER;
   if (buffers & PIPE_CLEAR_COLOR0 && fb->cbufs[0]) {
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

/* ---- blits ---- */

static void
save_state(struct nv3p_context *ctx, bool conditional)
{
   struct nv3p_textures *textures = &ctx->textures[PIPE_SHADER_FRAGMENT];
   struct blitter_context *blitter = ctx->blitter;

   util_blitter_save_vertex_buffers(blitter, ctx->vbufs, ctx->vbuf_count);
   util_blitter_save_vertex_elements(blitter, ctx->velems);
   util_blitter_save_vertex_shader(blitter, ctx->vs);
   util_blitter_save_rasterizer(blitter, ctx->rast);
   util_blitter_save_viewport(blitter, &ctx->viewport);
   util_blitter_save_scissor(blitter, &ctx->scissor);
   util_blitter_save_fragment_shader(blitter, ctx->fs);
   util_blitter_save_blend(blitter, ctx->blend);
   util_blitter_save_depth_stencil_alpha(blitter, ctx->dsa);
   util_blitter_save_stencil_ref(blitter, &ctx->stencil_ref);
   util_blitter_save_sample_mask(blitter, ctx->sample_mask, 0);
   util_blitter_save_framebuffer(blitter, &ctx->fb);
   util_blitter_save_fragment_sampler_states(blitter, NV3P_UNITS,
                                             (void **)textures->samplers);
   util_blitter_save_fragment_sampler_views(blitter, NV3P_UNITS,
                                            textures->views);
   util_blitter_save_fragment_constant_buffer_slot(
      blitter, &ctx->constants[PIPE_SHADER_FRAGMENT]);
   if (!conditional)
      util_blitter_save_render_condition(
         blitter, (struct pipe_query *)ctx->condition, ctx->condition_value,
         ctx->condition_mode);
}

/*
 * Replaces the formats of a depth or stencil blit by colour formats of the
 * same size, because fragment programs do not write stencil. In the 32-bit
 * colour format, depth is in green, red and alpha, and stencil is in blue.
 * Must not be called for filtered blits of depth only.
 */
static void
cast_to_color(struct pipe_blit_info *blit)
{
   const bool depth = blit->mask & PIPE_MASK_Z;
   const bool stencil = blit->mask & PIPE_MASK_S;

   if (util_format_get_blocksize(blit->dst.format) == 2) {
      blit->src.format = blit->dst.format = PIPE_FORMAT_B5G6R5_UNORM;
      blit->mask = depth ? (PIPE_MASK_R | PIPE_MASK_G | PIPE_MASK_B) : 0;
      return;
   }
   blit->src.format = blit->dst.format = PIPE_FORMAT_B8G8R8A8_UNORM;
   blit->mask = (depth ? PIPE_MASK_R | PIPE_MASK_G | PIPE_MASK_A : 0) |
                (stencil ? PIPE_MASK_B : 0);
}

/* Executes a blit between resources with one sample per pixel. */
static void
blit_pixels(struct pipe_context *pipe, const struct pipe_blit_info *info)
{
   struct nv3p_context *ctx = nv3p_context(pipe);
   struct pipe_blit_info blit = *info;

   if (util_try_blit_via_copy_region(pipe, &blit,
                                     info->render_condition_enable &&
                                        ctx->condition))
      return;
   if (blit.mask & PIPE_MASK_ZS &&
       (blit.mask & PIPE_MASK_S || blit.filter == PIPE_TEX_FILTER_NEAREST) &&
       util_format_get_blocksize(blit.src.format) ==
          util_format_get_blocksize(blit.dst.format))
      cast_to_color(&blit);
   if (!blit.mask)
      return;
   if (!util_blitter_is_blit_supported(ctx->blitter, &blit)) {
      mesa_loge("nv3: can't blit %s to %s",
                util_format_short_name(info->src.format),
                util_format_short_name(info->dst.format));
      return;
   }
   save_state(ctx, blit.render_condition_enable);
   util_blitter_blit(ctx->blitter, &blit, NULL);
}

static void
scale_box(struct pipe_box *box)
{
   box->x *= 2;
   box->y *= 2;
   box->width *= 2;
   box->height *= 2;
}

/*
 * Reduces one axis of a box of samples to the samples of @count pixels,
 * starting at pixel @first. Excludes the second sample of the last pixel. The
 * centre of each destination pixel therefore corresponds to a position in the
 * source pixel's first sample instead of between two samples.
 */
static void
choose_first_samples(int *at, int *size, int first, int count)
{
   if (*size > 0) {
      *at += 2 * first;
      *size = 2 * count - 1;
   } else {
      *at -= 2 * first + 1;
      *size = -(2 * count - 1);
   }
}

/*
 * Copies only the first sample of each pixel. OpenGL allows this for depth
 * and stencil. Divides the blit into pieces of at most RESOLVE_PIECE pixels per
 * side, so that errors of texture coordinates are too small to select a
 * neighbouring sample.
 */
#define RESOLVE_PIECE 256

static void
resolve_first_samples(struct pipe_context *pipe,
                      const struct pipe_blit_info *info)
{
   const struct pipe_box *box = &info->dst.box;

   for (int y = 0; y < box->height; y += RESOLVE_PIECE) {
      for (int x = 0; x < box->width; x += RESOLVE_PIECE) {
         struct pipe_blit_info piece = *info;

         piece.dst.box.x += x;
         piece.dst.box.y += y;
         piece.dst.box.width = MIN2(RESOLVE_PIECE, box->width - x);
         piece.dst.box.height = MIN2(RESOLVE_PIECE, box->height - y);
         choose_first_samples(&piece.src.box.x, &piece.src.box.width, x,
                              piece.dst.box.width);
         choose_first_samples(&piece.src.box.y, &piece.src.box.height, y,
                              piece.dst.box.height);
         blit_pixels(pipe, &piece);
      }
   }
}

/*
 * Resolves a multisampled source. The source of @info is an alias whose
 * pixels are the samples. When a blit halves the width and the height, the
 * linear filter computes the mean of each pixel's samples.
 */
static void
resolve(struct pipe_context *pipe, struct pipe_blit_info *info)
{
   const struct pipe_box *src = &info->src.box, *dst = &info->dst.box;

   if (info->mask & PIPE_MASK_RGBA && !info->sample0_only) {
      info->filter = PIPE_TEX_FILTER_LINEAR;
      blit_pixels(pipe, info);
   } else if (abs(src->width) == 2 * dst->width &&
              abs(src->height) == 2 * dst->height) {
      resolve_first_samples(pipe, info);
   } else {
      blit_pixels(pipe, info);
   }
}

/* Executes a blit from or to a multisampled resource. */
static void
blit_samples(struct nv3p_context *ctx, const struct pipe_blit_info *info)
{
   struct pipe_blit_info blit = *info;
   struct pipe_resource *src = NULL, *dst = NULL;

   if (nv3p_is_sampled(info->src.resource)) {
      src = nv3p_resource_alias(info->src.resource);
      blit.src.resource = src;
      scale_box(&blit.src.box);
   }
   /*
    * Move the resource to VRAM before creating the alias, because a move
    * replaces the storage of the resource but not the storage of the alias.
    */
   if (nv3p_is_sampled(info->dst.resource) &&
       nv3p_resource_make_target(ctx, nv3p_resource(info->dst.resource)))
      dst = nv3p_resource_alias(info->dst.resource);
   if (nv3p_is_sampled(info->dst.resource)) {
      blit.dst.resource = dst;
      blit.filter = PIPE_TEX_FILTER_NEAREST;
      scale_box(&blit.dst.box);
      blit.scissor.minx *= 2;
      blit.scissor.miny *= 2;
      blit.scissor.maxx *= 2;
      blit.scissor.maxy *= 2;
   }
   if (!nv3p_is_sampled(info->dst.resource) && src)
      resolve(&ctx->base, &blit);
   else if (blit.src.resource && blit.dst.resource)
      blit_pixels(&ctx->base, &blit);
   if (dst)
      nv3p_resource_written(nv3p_resource(info->dst.resource));
   pipe_resource_reference(&src, NULL);
   pipe_resource_reference(&dst, NULL);
}

static void
nv3p_blit(struct pipe_context *pipe, const struct pipe_blit_info *info)
{
   if (nv3p_is_sampled(info->src.resource) ||
       nv3p_is_sampled(info->dst.resource))
      blit_samples(nv3p_context(pipe), info);
   else
      blit_pixels(pipe, info);
}

/* Copies all samples of a region's pixels. */
static void
copy_samples(struct pipe_context *pipe, struct pipe_resource *dst, unsigned x,
             unsigned y, struct pipe_resource *src, const struct pipe_box *box)
{
   const bool zeta = util_format_is_depth_or_stencil(src->format);
   struct pipe_blit_info info = {
      .src = { .resource = src, .format = src->format, .box = *box },
      .dst = { .resource = dst, .format = dst->format, .box = *box },
      .mask = zeta ? PIPE_MASK_ZS : PIPE_MASK_RGBA,
      .filter = PIPE_TEX_FILTER_NEAREST,
   };

   info.dst.box.x = x;
   info.dst.box.y = y;
   nv3p_blit(pipe, &info);
}

static void
nv3p_copy_region(struct pipe_context *pipe, struct pipe_resource *dst,
                 unsigned dst_level, unsigned x, unsigned y, unsigned z,
                 struct pipe_resource *src, unsigned src_level,
                 const struct pipe_box *box)
{
   struct nv3p_context *ctx = nv3p_context(pipe);

   if (nv3p_is_sampled(src) || nv3p_is_sampled(dst)) {
      copy_samples(pipe, dst, x, y, src, box);
      return;
   }
   if (dst->target == PIPE_BUFFER || src->target == PIPE_BUFFER ||
       util_format_is_depth_or_stencil(dst->format) ||
       !util_blitter_is_copy_supported(ctx->blitter, dst, src)) {
      util_resource_copy_region(pipe, dst, dst_level, x, y, z, src, src_level,
                                box);
      return;
   }
   save_state(ctx, false);
   util_blitter_copy_texture(ctx->blitter, dst, dst_level, x, y, z, src,
                             src_level, box);
}

void
nv3p_init_blit(struct nv3p_context *ctx)
{
   struct pipe_context *pipe = &ctx->base;

   pipe->clear = nv3p_clear;
   pipe->blit = nv3p_blit;
   pipe->resource_copy_region = nv3p_copy_region;
}
