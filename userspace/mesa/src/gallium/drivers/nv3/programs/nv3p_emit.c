/* SPDX-License-Identifier: MIT */
/* Emits the bound state as methods. */
#include "util/u_helpers.h"
#include "util/u_inlines.h"
#include "util/u_math.h"
#include "util/u_prim.h"

#include "base/nv3p_context.h"
#include "programs/nv3p_emit.h"
#include "programs/nv3p_format.h"
#include "programs/nv3p_methods.h"
#include "programs/nv3p_program.h"
#include "programs/nv3p_state.h"

void
nv3p_emit_run(struct nv3p_context *ctx, unsigned method, const uint32_t *words,
              unsigned count)
{
   struct nv3p_emitted *emitted = &ctx->emitted;
   const unsigned first = method / 4;
   bool same = true;

   for (unsigned i = 0; i < count; i++)
      same &= emitted->known[first + i] && emitted->word[first + i] == words[i];
   if (same)
      return;
   nv3p_methods(ctx, method, words, count);
   memcpy(&emitted->word[first], words, count * sizeof(*words));
   memset(&emitted->known[first], true, count);
}

static void
emit_commands(struct nv3p_context *ctx, const struct nv3p_commands *commands)
{
   for (unsigned i = 0; i < commands->count;) {
      unsigned count = commands->word[i] >> 16;

      nv3p_emit_run(ctx, commands->word[i] & 0xffff, &commands->word[i + 1],
                    count);
      i += 1 + count;
   }
}

void
nv3p_emit_all(struct nv3p_context *ctx)
{
   memset(ctx->emitted.known, 0, sizeof(ctx->emitted.known));
   memset(ctx->vp.known, 0, sizeof(ctx->vp.known));
   ctx->vp.insns = 0;
   ctx->vp.generation++;
   ctx->dirty = NV3P_NEW_ALL;
}

/* ---- framebuffer ---- */

static struct nv3p_resource *
color_target(const struct nv3p_context *ctx)
{
   struct pipe_surface *surface = ctx->fb.nr_cbufs ? ctx->fb.cbufs[0] : NULL;

   return surface ? nv3p_resource(surface->texture) : NULL;
}

static struct nv3p_resource *
zeta_target(const struct nv3p_context *ctx)
{
   return ctx->fb.zsbuf ? nv3p_resource(ctx->fb.zsbuf->texture) : NULL;
}

/*
 * Returns the size of a target's buffer if the batch has not listed the
 * buffer yet, otherwise 0.
 */
static uint64_t
missing_bytes(const struct nv3p_context *ctx, const struct nv3p_resource *res)
{
   return res && !(nv3p_batch_usage(ctx, res->bo) & NV3P_USE_LISTED) ?
          res->bo->base.size : 0;
}

/*
 * True if the batch must be flushed before it draws to these targets. A target
 * that the batch does not list yet (see must_list()) requires a flush in two
 * cases: the target does not fit in VRAM in addition to the listed buffers, or
 * the batch may already read the target without listing it.
 */
static bool
must_flush(const struct nv3p_context *ctx, const struct nv3p_resource *color,
           const struct nv3p_resource *zeta)
{
   const struct nv3p_batch *batch = &ctx->batch;
   const uint64_t missing = missing_bytes(ctx, color) + missing_bytes(ctx, zeta);

   return missing && batch->vram &&
          (batch->reads_unlisted || batch->vram + missing > ctx->screen->vram);
}

bool
nv3p_prepare_targets(struct nv3p_context *ctx)
{
   struct nv3p_resource *color = color_target(ctx), *zeta = zeta_target(ctx);

   if ((color && !nv3p_resource_make_target(ctx, color)) ||
       (zeta && !nv3p_resource_make_target(ctx, zeta)))
      return false;
   if (must_flush(ctx, color, zeta))
      nv3p_flush(ctx, 0);
   return true;
}

static uint32_t
surface_address(const struct pipe_surface *surface)
{
   return nv3p_resource_address(nv3p_resource(surface->texture),
                                surface->u.tex.level,
                                surface->u.tex.first_layer);
}

static uint32_t
surface_pitch(const struct pipe_surface *surface)
{
   return nv3p_resource(surface->texture)->levels[surface->u.tex.level].pitch;
}

static bool
targets_are_sampled(const struct nv3p_context *ctx)
{
   const struct nv3p_resource *color = color_target(ctx);
   const struct nv3p_resource *res = color ? color : zeta_target(ctx);

   return res && nv3p_is_sampled(&res->base);
}

void
nv3p_emit_framebuffer(struct nv3p_context *ctx)
{
   const struct pipe_framebuffer_state *fb = &ctx->fb;
   struct nv3p_resource *color = color_target(ctx), *zeta = zeta_target(ctx);
   uint32_t words[6] = { fb->width << 16, fb->height << 16,
                         NV3P_SURFACE_FORMAT_PITCH };

   if (targets_are_sampled(ctx))
      words[2] |= NV3_PM_FORMAT_SQUARE_ROTATED_4 << NV3_PM_FORMAT_SAMPLES_SHIFT;
   if (color) {
      words[2] |= nv3p_color_format(fb->cbufs[0]->format);
      words[3] |= surface_pitch(fb->cbufs[0]);
      words[4] = surface_address(fb->cbufs[0]);
      nv3p_batch_use(ctx, color->bo, true);
   }
   if (zeta) {
      words[2] |= nv3p_zeta_format(fb->zsbuf->format)
                  << NV3_PM_FORMAT_ZETA_SHIFT;
      words[3] |= surface_pitch(fb->zsbuf) << 16;
      words[5] = surface_address(fb->zsbuf);
      nv3p_batch_use(ctx, zeta->bo, true);
   }
   nv3p_emit_run(ctx, NV3_PM_SURFACE_CLIP_HORIZONTAL, words, 6);
   ctx->dirty &= ~NV3P_NEW_FRAMEBUFFER;
}

void
nv3p_targets_written(struct nv3p_context *ctx)
{
   struct nv3p_resource *color = color_target(ctx), *zeta = zeta_target(ctx);

   if (color)
      nv3p_resource_written(color);
   if (zeta)
      nv3p_resource_written(zeta);
}

/* ---- rectangles ---- */

/*
 * Emits a rectangle. @method sets x and width, and the next method sets y
 * and height.
 */
static void
emit_rect(struct nv3p_context *ctx, unsigned method, unsigned x0, unsigned y0,
          unsigned x1, unsigned y1)
{
   const uint32_t words[2] = {
      x0 | (MAX2(x0, x1) - x0) << 16,
      y0 | (MAX2(y0, y1) - y0) << 16,
   };

   nv3p_emit_run(ctx, method, words, 2);
}

static void
emit_scissor(struct nv3p_context *ctx)
{
   const struct pipe_scissor_state *scissor = &ctx->scissor;

   if (ctx->rast->base.scissor)
      emit_rect(ctx, NV3_PM_SCISSOR_HORIZ, scissor->minx, scissor->miny,
                scissor->maxx, scissor->maxy);
   else
      emit_rect(ctx, NV3_PM_SCISSOR_HORIZ, 0, 0, ctx->fb.width, ctx->fb.height);
}

/*
 * Returns the number of pixels by which primitives may extend beyond the
 * viewport.
 */
static float
overhang(const struct nv3p_context *ctx, enum mesa_prim prim)
{
   const struct pipe_rasterizer_state *rast = &ctx->rast->base;
   enum mesa_prim reduced = u_reduced_prim(prim);
   bool points = reduced == MESA_PRIM_POINTS;
   bool lines = reduced == MESA_PRIM_LINES;

   /* In OpenGL ES, points and lines have no pixels outside the viewport. */
   if (rast->point_line_tri_clip)
      return 0.0f;
   if (reduced == MESA_PRIM_TRIANGLES) {
      points = rast->fill_front == PIPE_POLYGON_MODE_POINT ||
               rast->fill_back == PIPE_POLYGON_MODE_POINT;
      lines = rast->fill_front == PIPE_POLYGON_MODE_LINE ||
              rast->fill_back == PIPE_POLYGON_MODE_LINE;
   }
   return points ? 4096.0f : lines ? ceilf(rast->line_width / 2.0f) : 0.0f;
}

/*
 * Emits VIEWPORT. The chip clips primitives to the guard band, and discards
 * pixels outside VIEWPORT.
 */
static void
emit_viewport_rect(struct nv3p_context *ctx, enum mesa_prim prim)
{
   const struct pipe_viewport_state *viewport = &ctx->viewport;
   const float extra = overhang(ctx, prim);
   uint16_t from[2], to[2];

   for (unsigned i = 0; i < 2; i++) {
      float half = fabsf(viewport->scale[i]) + extra;

      from[i] = CLAMP(roundf(viewport->translate[i] - half), 0.0f, 4096.0f);
      to[i] = CLAMP(roundf(viewport->translate[i] + half), 0.0f, 4096.0f);
   }
   emit_rect(ctx, NV3_PM_VIEWPORT_HORIZ, from[0], from[1], to[0], to[1]);
}

/* ---- draws ---- */

static void
emit_viewport(struct nv3p_context *ctx)
{
   static const struct pipe_viewport_state copies = {
      .scale = { NV3P_COPY_SCALE, NV3P_COPY_SCALE, 1 },
      .translate = { NV3P_COPY_SCALE, NV3P_COPY_SCALE, 0 },
   };
   const struct pipe_viewport_state *viewport =
      ctx->window_coordinates ? &copies : &ctx->viewport;

   nv3p_emit_run(ctx, NV3_PM_VIEWPORT_OFFSET,
                 (const uint32_t *)viewport->translate, 3);
   nv3p_emit_run(ctx, NV3_PM_VIEWPORT_SCALE,
                 (const uint32_t *)viewport->scale, 3);
}

/*
 * Bit i of the result is set if the chip replaces texture coordinate i of
 * points by point coordinates.
 */
static uint32_t
sprite_coords(const struct nv3p_context *ctx)
{
   const struct pipe_rasterizer_state *rast = &ctx->rast->base;
   uint32_t coords = 0;

   for (unsigned i = 0; i < NV3C_TEXCOORDS; i++) {
      if (util_varying_is_point_coord(ctx->fs_variant->fs.texcoord[i],
                                      rast->sprite_coord_enable))
         coords |= 1 << i;
   }
   return rast->point_quad_rasterization ? coords : 0;
}

static void
emit_points(struct nv3p_context *ctx, enum mesa_prim prim)
{
   const struct pipe_rasterizer_state *rast = &ctx->rast->base;
   uint32_t sprite = sprite_coords(ctx) << NV3P_POINT_SPRITE_COORD_SHIFT;

   nv3p_emit(ctx, NV3_PM_POINT_PARAMS_ENABLE,
             rast->point_size_per_vertex &&
             ctx->vs_variant->vs.writes_point_size);
   if (sprite)
      sprite |= NV3P_POINT_SPRITE_ENABLE;
   if (rast->sprite_coord_mode == PIPE_SPRITE_COORD_LOWER_LEFT)
      sprite |= NV3P_POINT_SPRITE_LOWER_LEFT;
   if (rast->point_line_tri_clip)
      sprite |= NV3_PM_POINT_OUTSIDE;
   nv3p_emit(ctx, NV3_PM_POINT_SPRITE, sprite);
}

static void
emit_samples(struct nv3p_context *ctx)
{
   const struct pipe_blend_state *blend = &ctx->blend->base;
   uint32_t word = (uint32_t)ctx->sample_mask << NV3_PM_SAMPLE_MASK_SHIFT;

   /*
    * Emit nothing for single-sampled targets. The chip would ignore the
    * method for such targets, and a chip without multisampling would reject
    * the method.
    */
   if (!targets_are_sampled(ctx))
      return;
   if (ctx->rast->base.multisample)
      word |= NV3_PM_MULTISAMPLE_ENABLE;
   if (blend->alpha_to_coverage)
      word |= NV3_PM_ALPHA_TO_COVERAGE;
   if (blend->alpha_to_one)
      word |= NV3_PM_ALPHA_TO_ONE;
   nv3p_emit(ctx, NV3_PM_MULTISAMPLE_CONTROL, word);
}

/*
 * Emits state that contains colour components. Swaps red and blue if
 * ctx->swaps_red_blue is set.
 */
static void
emit_colors(struct nv3p_context *ctx)
{
   const unsigned mask = ctx->blend->base.rt[0].colormask;
   const float *color = ctx->blend_color.color;
   const unsigned red = ctx->swaps_red_blue ? 2 : 0, blue = 2 - red;

   nv3p_emit(ctx, NV3_PM_BLEND_COLOR,
             float_to_ubyte(color[3]) << 24 |
             float_to_ubyte(color[red]) << 16 |
             float_to_ubyte(color[1]) << 8 | float_to_ubyte(color[blue]));
   nv3p_emit(ctx, NV3_PM_COLOR_MASK,
             (mask & 1 << blue ? 1 : 0) | (mask & PIPE_MASK_G ? 1 << 8 : 0) |
             (mask & 1 << red ? 1 << 16 : 0) |
             (mask & PIPE_MASK_A ? 1 << 24 : 0));
}

void
nv3p_emit_draw_state(struct nv3p_context *ctx, enum mesa_prim prim)
{
   const uint32_t dirty = ctx->dirty;

   if (dirty & NV3P_NEW_FRAMEBUFFER)
      nv3p_emit_framebuffer(ctx);
   if (dirty & NV3P_NEW_BLEND)
      emit_commands(ctx, &ctx->blend->commands);
   if (dirty & NV3P_NEW_DSA)
      emit_commands(ctx, &ctx->dsa->commands);
   if (dirty & NV3P_NEW_RASTERIZER)
      emit_commands(ctx, &ctx->rast->commands);
   if (dirty & (NV3P_NEW_BLEND | NV3P_NEW_BLEND_COLOR))
      emit_colors(ctx);
   if (dirty & NV3P_NEW_STENCIL_REF) {
      nv3p_emit(ctx, NV3_PM_STENCIL_FUNC_REF, ctx->stencil_ref.ref_value[0]);
      nv3p_emit(ctx, NV3_PM_BACK_STENCIL_MASK + NV3P_STENCIL_REF,
                ctx->stencil_ref.ref_value[1]);
   }
   if (dirty & NV3P_NEW_VIEWPORT)
      emit_viewport(ctx);
   if (dirty & (NV3P_NEW_SCISSOR | NV3P_NEW_RASTERIZER))
      emit_scissor(ctx);
   if (dirty & (NV3P_NEW_FRAMEBUFFER | NV3P_NEW_RASTERIZER | NV3P_NEW_BLEND |
                NV3P_NEW_SAMPLE_MASK))
      emit_samples(ctx);
   emit_viewport_rect(ctx, prim);
   nv3p_emit_textures(ctx);
   nv3p_emit_programs(ctx);
   emit_points(ctx, prim);
   ctx->dirty &= NV3P_NEW_VBUFS | NV3P_NEW_VELEMS;
}
