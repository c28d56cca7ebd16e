/* SPDX-License-Identifier: MIT */
/* Emits the bound state as methods. */
#include "util/u_framebuffer.h"
#include "util/u_helpers.h"
#include "util/u_inlines.h"
#include "util/u_math.h"
#include "util/u_prim.h"

#include "nouveau/nouveau_gldefs.h"

#include "base/nv3p_context.h"
#include "programs/nv3p_methods.h"
#include "programs/nv3p_program.h"

/*
 * OpenGL enumerants that nouveau_gldefs.h lacks. The class's methods take the
 * same values.
 */
#define GL_FRONT 0x0404
#define GL_BACK 0x0405
#define GL_FRONT_AND_BACK 0x0408
#define GL_CW 0x0900
#define GL_CCW 0x0901
#define GL_FLAT 0x1d00
#define GL_SMOOTH 0x1d01

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
target(const struct pipe_surface *surface)
{
   return surface ? nv3p_resource(surface->texture) : NULL;
}

/*
 * Moves a target to VRAM. Adds the target's size to *@missing if the batch has
 * not listed the target's buffer yet. Returns false if memory is exhausted.
 */
static bool
prepare_target(struct nv3p_context *ctx, struct nv3p_resource *res,
               uint64_t *missing)
{
   if (res && !nv3p_resource_make_target(ctx, res))
      return false;
   if (res && !(nv3p_batch_usage(ctx, res->bo) & NV3P_USE_LISTED))
      *missing += res->bo->base.size;
   return true;
}

/*
 * A target that the batch does not list yet (see must_list()) requires a flush
 * in two cases: the target does not fit in VRAM in addition to the listed
 * buffers, or the batch may already read the target without listing it.
 */
bool
nv3p_prepare_targets(struct nv3p_context *ctx)
{
   const struct nv3p_batch *batch = &ctx->batch;
   uint64_t missing = 0;

   if (!prepare_target(ctx, target(ctx->fb.cbufs[0]), &missing) ||
       !prepare_target(ctx, target(ctx->fb.zsbuf), &missing))
      return false;
   if (missing && batch->vram &&
       (batch->reads_unlisted || batch->vram + missing > ctx->screen->vram))
      nv3p_flush(ctx, 0);
   return true;
}

/* Adds the target to the batch. Sets its pitch and address in bytes. */
static void
use_target(struct nv3p_context *ctx, const struct pipe_surface *surface,
           uint32_t *pitch, uint32_t *address)
{
   const struct nv3p_resource *res = target(surface);

   *pitch = res->levels[surface->u.tex.level].pitch;
   *address = nv3p_resource_address(res, surface->u.tex.level,
                                    surface->u.tex.first_layer);
   nv3p_batch_use(ctx, res->bo, true);
}

static bool
targets_are_sampled(const struct nv3p_context *ctx)
{
   return util_framebuffer_get_num_samples(&ctx->fb) > 1;
}

void
nv3p_emit_framebuffer(struct nv3p_context *ctx)
{
   const struct pipe_framebuffer_state *fb = &ctx->fb;
   uint32_t format = NV3P_SURFACE_FORMAT_PITCH;
   uint32_t pitches[2] = { 0 }, addresses[2] = { 0 };

   if (targets_are_sampled(ctx))
      format |= NV3_PM_FORMAT_SQUARE_ROTATED_4 << NV3_PM_FORMAT_SAMPLES_SHIFT;
   if (fb->cbufs[0]) {
      format |= nv3p_color_format(fb->cbufs[0]->format);
      use_target(ctx, fb->cbufs[0], &pitches[0], &addresses[0]);
   }
   if (fb->zsbuf) {
      format |= nv3p_zeta_format(fb->zsbuf->format) << NV3_PM_FORMAT_ZETA_SHIFT;
      use_target(ctx, fb->zsbuf, &pitches[1], &addresses[1]);
   }
   nv3p_emit_run(ctx, NV3_PM_SURFACE_CLIP_HORIZONTAL,
                 (const uint32_t[]){ fb->width << 16, fb->height << 16, format,
                                     pitches[0] | pitches[1] << 16,
                                     addresses[0], addresses[1] }, 6);
   ctx->dirty &= ~NV3P_NEW_FRAMEBUFFER;
}

void
nv3p_targets_written(struct nv3p_context *ctx)
{
   if (ctx->fb.cbufs[0])
      nv3p_resource_written(target(ctx->fb.cbufs[0]));
   if (ctx->fb.zsbuf)
      nv3p_resource_written(target(ctx->fb.zsbuf));
}

/* ---- blending ---- */

static void
emit_blend(struct nv3p_context *ctx)
{
   const struct pipe_blend_state *blend = ctx->blend;
   const struct pipe_rt_blend_state *rt = &blend->rt[0];

   nv3p_emit(ctx, NV3_PM_BLEND_ENABLE, rt->blend_enable);
   if (rt->blend_enable) {
      nv3p_emit(ctx, NV3_PM_BLEND_SEPARATE_ALPHA, 1);
      nv3p_emit(ctx, NV3_PM_BLEND_FUNC_SFACTOR,
                nvgl_blend_func(rt->rgb_src_factor) |
                nvgl_blend_func(rt->alpha_src_factor) << 16);
      nv3p_emit(ctx, NV3_PM_BLEND_FUNC_DFACTOR,
                nvgl_blend_func(rt->rgb_dst_factor) |
                nvgl_blend_func(rt->alpha_dst_factor) << 16);
      nv3p_emit(ctx, NV3_PM_BLEND_EQUATION,
                nvgl_blend_eqn(rt->rgb_func) |
                nvgl_blend_eqn(rt->alpha_func) << 16);
   }
   nv3p_emit(ctx, NV3_PM_LOGIC_OP_ENABLE, blend->logicop_enable);
   nv3p_emit(ctx, NV3_PM_LOGIC_OP, nvgl_logicop_func(blend->logicop_func));
   nv3p_emit(ctx, NV3_PM_DITHER_ENABLE, blend->dither);
}

/*
 * Emits state that contains colour components. Swaps red and blue if
 * ctx->swaps_red_blue is set.
 */
static void
emit_colors(struct nv3p_context *ctx)
{
   const unsigned mask = ctx->blend->rt[0].colormask;
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

static void
emit_samples(struct nv3p_context *ctx)
{
   uint32_t word = (uint32_t)ctx->sample_mask << NV3_PM_SAMPLE_MASK_SHIFT;

   /*
    * Emit nothing for single-sampled targets. The chip would ignore the
    * method for such targets, and a chip without multisampling would reject
    * the method.
    */
   if (!targets_are_sampled(ctx))
      return;
   if (ctx->rast->multisample)
      word |= NV3_PM_MULTISAMPLE_ENABLE;
   if (ctx->blend->alpha_to_coverage)
      word |= NV3_PM_ALPHA_TO_COVERAGE;
   if (ctx->blend->alpha_to_one)
      word |= NV3_PM_ALPHA_TO_ONE;
   nv3p_emit(ctx, NV3_PM_MULTISAMPLE_CONTROL, word);
}

/* ---- depth, stencil, alpha ---- */

static void
emit_stencil(struct nv3p_context *ctx, unsigned method,
             const struct pipe_stencil_state *stencil, uint8_t reference)
{
   const uint32_t words[] = {
      stencil->writemask, nvgl_comparison_op(stencil->func),
      reference, stencil->valuemask, nvgl_stencil_op(stencil->fail_op),
      nvgl_stencil_op(stencil->zfail_op), nvgl_stencil_op(stencil->zpass_op),
   };

   nv3p_emit_run(ctx, method, words, ARRAY_SIZE(words));
}

static void
emit_dsa(struct nv3p_context *ctx)
{
   const struct pipe_depth_stencil_alpha_state *dsa = ctx->dsa;
   const uint8_t *references = ctx->stencil_ref.ref_value;

   nv3p_emit(ctx, NV3_PM_DEPTH_TEST_ENABLE, dsa->depth_enabled);
   if (dsa->depth_enabled) {
      nv3p_emit(ctx, NV3_PM_DEPTH_FUNC, nvgl_comparison_op(dsa->depth_func));
      nv3p_emit(ctx, NV3_PM_DEPTH_MASK, dsa->depth_writemask);
   }
   nv3p_emit(ctx, NV3_PM_STENCIL_TEST_ENABLE, dsa->stencil[0].enabled);
   if (dsa->stencil[0].enabled) {
      emit_stencil(ctx, NV3_PM_STENCIL_MASK, &dsa->stencil[0], references[0]);
      nv3p_emit(ctx, NV3_PM_STENCIL_TWO_SIDE_ENABLE, dsa->stencil[1].enabled);
   }
   if (dsa->stencil[0].enabled && dsa->stencil[1].enabled)
      emit_stencil(ctx, NV3_PM_BACK_STENCIL_MASK, &dsa->stencil[1],
                   references[1]);
   nv3p_emit(ctx, NV3_PM_ALPHA_TEST_ENABLE, dsa->alpha_enabled);
   if (dsa->alpha_enabled) {
      nv3p_emit(ctx, NV3_PM_ALPHA_FUNC, nvgl_comparison_op(dsa->alpha_func));
      nv3p_emit(ctx, NV3_PM_ALPHA_REF, float_to_ubyte(dsa->alpha_ref_value));
   }
}

/* ---- rasterizer ---- */

static void
emit_faces(struct nv3p_context *ctx)
{
   const struct pipe_rasterizer_state *rast = ctx->rast;

   nv3p_emit(ctx, NV3_PM_CULL_FACE_ENABLE, rast->cull_face != PIPE_FACE_NONE);
   nv3p_emit(ctx, NV3_PM_CULL_FACE,
             rast->cull_face == PIPE_FACE_FRONT_AND_BACK ? GL_FRONT_AND_BACK :
             rast->cull_face == PIPE_FACE_FRONT ? GL_FRONT : GL_BACK);
   nv3p_emit(ctx, NV3_PM_FRONT_FACE, rast->front_ccw ? GL_CCW : GL_CW);
   nv3p_emit(ctx, NV3_PM_FRONT_POLYGON_MODE,
             nvgl_polygon_mode(rast->fill_front));
   nv3p_emit(ctx, NV3_PM_BACK_POLYGON_MODE, nvgl_polygon_mode(rast->fill_back));
   nv3p_emit(ctx, NV3_PM_TWO_SIDE_LIGHT_ENABLE, rast->light_twoside);
}

/*
 * One unit of the polygon offset must change the depth visibly. The chip
 * interpolates depth with 24 bits of precision, so one step of a 24-bit depth
 * buffer may not suffice. A unit is therefore two steps, as in Mesa's nv30
 * driver.
 */
static void
emit_depth(struct nv3p_context *ctx)
{
   const struct pipe_rasterizer_state *rast = ctx->rast;

   nv3p_emit(ctx, NV3_PM_POLY_OFFSET_POINT_ENABLE, rast->offset_point);
   nv3p_emit(ctx, NV3_PM_POLY_OFFSET_LINE_ENABLE, rast->offset_line);
   nv3p_emit(ctx, NV3_PM_POLY_OFFSET_FILL_ENABLE, rast->offset_tri);
   if (rast->offset_point || rast->offset_line || rast->offset_tri) {
      nv3p_emit(ctx, NV3_PM_POLYGON_OFFSET_SCALE, fui(rast->offset_scale));
      nv3p_emit(ctx, NV3_PM_POLYGON_OFFSET_BIAS,
                fui(2.0f * rast->offset_units));
   }
   nv3p_emit(ctx, NV3_PM_ZMIN_MAX_CONTROL,
             rast->depth_clip_near ? 0 : NV3_PM_ZCLAMP);
   nv3p_emit(ctx, NV3_PM_DEPTH_CLIP_MODE, rast->clip_halfz);
}

void
nv3p_emit_rect(struct nv3p_context *ctx, unsigned method, unsigned x0,
               unsigned y0, unsigned x1, unsigned y1)
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

   if (ctx->rast->scissor)
      nv3p_emit_rect(ctx, NV3_PM_SCISSOR_HORIZ, scissor->minx, scissor->miny,
                     scissor->maxx, scissor->maxy);
   else
      nv3p_emit_rect(ctx, NV3_PM_SCISSOR_HORIZ, 0, 0, ctx->fb.width,
                     ctx->fb.height);
}

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

static void
emit_rasterizer(struct nv3p_context *ctx)
{
   const struct pipe_rasterizer_state *rast = ctx->rast;
   uint32_t planes = 0;

   emit_faces(ctx);
   emit_depth(ctx);
   nv3p_emit(ctx, NV3_PM_SHADE_MODE, rast->flatshade ? GL_FLAT : GL_SMOOTH);
   nv3p_emit(ctx, NV3_PM_FLATSHADE_FIRST, rast->flatshade_first);
   nv3p_emit(ctx, NV3_PM_LINE_WIDTH, MAX2(rast->line_width, 1.0f) * 8.0f);
   nv3p_emit(ctx, NV3_PM_POINT_SIZE, rast->point_size * 8.0f);
   u_foreach_bit(i, rast->clip_plane_enable)
      planes |= 2 << 4 * i;
   nv3p_emit(ctx, NV3_PM_CLIP_PLANES_ENABLE, planes);
   emit_scissor(ctx);
   emit_viewport(ctx);
}

/* ---- draws ---- */

unsigned
nv3p_rasterized_types(const struct pipe_rasterizer_state *rast,
                      enum mesa_prim prim)
{
   static const uint8_t types[] = {
      [PIPE_POLYGON_MODE_FILL] = 1 << MESA_PRIM_TRIANGLES,
      [PIPE_POLYGON_MODE_LINE] = 1 << MESA_PRIM_LINES,
      [PIPE_POLYGON_MODE_POINT] = 1 << MESA_PRIM_POINTS,
   };
   const enum mesa_prim reduced = u_reduced_prim(prim);

   if (reduced != MESA_PRIM_TRIANGLES)
      return 1 << reduced;
   return types[rast->fill_front] | types[rast->fill_back];
}

/*
 * Returns the number of pixels by which primitives may extend beyond the
 * viewport.
 */
static float
overhang(const struct pipe_rasterizer_state *rast, enum mesa_prim prim)
{
   const unsigned types = nv3p_rasterized_types(rast, prim);

   /* In OpenGL ES, points and lines have no pixels outside the viewport. */
   if (rast->point_line_tri_clip)
      return 0.0f;
   return types & 1 << MESA_PRIM_POINTS ? 4096.0f :
          types & 1 << MESA_PRIM_LINES ? ceilf(rast->line_width / 2.0f) : 0.0f;
}

/*
 * Emits VIEWPORT. The chip clips primitives to the guard band, and discards
 * pixels outside VIEWPORT.
 */
static void
emit_viewport_rect(struct nv3p_context *ctx, enum mesa_prim prim)
{
   const struct pipe_viewport_state *viewport = &ctx->viewport;
   const float extra = overhang(ctx->rast, prim);
   uint16_t from[2], to[2];

   for (unsigned i = 0; i < 2; i++) {
      float half = fabsf(viewport->scale[i]) + extra;

      from[i] = CLAMP(roundf(viewport->translate[i] - half), 0.0f, 4096.0f);
      to[i] = CLAMP(roundf(viewport->translate[i] + half), 0.0f, 4096.0f);
   }
   nv3p_emit_rect(ctx, NV3_PM_VIEWPORT_HORIZ, from[0], from[1], to[0], to[1]);
}

/*
 * Bit i of the result is set if the chip replaces texture coordinate i of
 * points by point coordinates.
 */
static uint32_t
sprite_coords(const struct nv3p_context *ctx)
{
   const struct pipe_rasterizer_state *rast = ctx->rast;
   uint32_t coords = 0;

   for (unsigned i = 0; i < NV3C_TEXCOORDS; i++) {
      if (util_varying_is_point_coord(ctx->fs_variant->fs.texcoord[i],
                                      rast->sprite_coord_enable))
         coords |= 1 << i;
   }
   return rast->point_quad_rasterization ? coords : 0;
}

static void
emit_points(struct nv3p_context *ctx)
{
   const struct pipe_rasterizer_state *rast = ctx->rast;
   uint32_t sprite = sprite_coords(ctx) << NV3P_POINT_SPRITE_COORD_SHIFT;

   nv3p_emit(ctx, NV3_PM_POINT_PARAMS_ENABLE,
             rast->point_size_per_vertex &&
             nv3p_vs_writes(ctx, VARYING_SLOT_PSIZ));
   if (sprite)
      sprite |= NV3P_POINT_SPRITE_ENABLE;
   if (rast->sprite_coord_mode == PIPE_SPRITE_COORD_LOWER_LEFT)
      sprite |= NV3P_POINT_SPRITE_LOWER_LEFT;
   if (rast->point_line_tri_clip)
      sprite |= NV3_PM_POINT_OUTSIDE;
   nv3p_emit(ctx, NV3_PM_POINT_SPRITE, sprite);
}

void
nv3p_emit_draw_state(struct nv3p_context *ctx, enum mesa_prim prim)
{
   const uint32_t dirty = ctx->dirty;

   if (dirty & NV3P_NEW_FRAMEBUFFER)
      nv3p_emit_framebuffer(ctx);
   if (dirty & NV3P_NEW_BLEND) {
      emit_blend(ctx);
      emit_colors(ctx);
   }
   if (dirty & (NV3P_NEW_BLEND | NV3P_NEW_RASTERIZER))
      emit_samples(ctx);
   if (dirty & NV3P_NEW_DSA)
      emit_dsa(ctx);
   if (dirty & NV3P_NEW_RASTERIZER)
      emit_rasterizer(ctx);
   emit_viewport_rect(ctx, prim);
   nv3p_emit_textures(ctx);
   nv3p_emit_programs(ctx);
   emit_points(ctx);
   ctx->dirty &= NV3P_NEW_ARRAYS;
}
