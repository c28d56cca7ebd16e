/* SPDX-License-Identifier: MIT */
/*
 * Implements draws with the chip. The draw module runs vertex shaders, clips,
 * culls and copies flat varyings to all vertices of a triangle. During such a
 * draw, a stage of this file replaces llvmpipe's rasterization stage, the last
 * stage of the module's pipeline. The stage converts and collects the triangles
 * of the draw. After the module has finished, nv3_render_draw() sends the
 * triangles to the chip, unless class 0x17 can't draw one of them.
 *
 * The chip has 16 vertex slots. The first word of a vertex selects the slot
 * that stores the vertex. The same word also selects the slots of the vertices
 * of up to two triangles, which the chip then draws
 * (docs/reference/chip/3d.md).
 */
#include "draw/draw_context.h"
#include "util/u_math.h"

#include "class17/nv3_class17.h"

#define VERTEX_WORDS 8
/* The maximum number of triangles in the arguments of one method header. */
#define RUN          (NV3_D3D_VERTEX_COUNT / 3)

/*
 * The offset that is added to GL's coordinates. The chip's coordinates are
 * fixed-point numbers of 12.4 bits, and its pixel centres are at integer
 * coordinates. The offset is minus half a pixel, plus half of 1/16, so that the
 * truncation to 12.4 bits rounds to nearest.
 */
#define PIXEL_BIAS   (0.5f / 16.0f - 0.5f)

/*
 * The range of colour components that the driver accepts, because the chip
 * clamps them to 0 to 1, and the minimum that the driver accepts for an alpha
 * that must be 1. All limits allow for rounding errors.
 */
#define COLOR_MIN    (-1.0f / 512.0f)
#define COLOR_MAX    (256.0f / 255.0f)
#define OPAQUE_MIN   (254.0f / 255.0f)

/*
 * The chip reduces the alpha of a blend to 4 bits. Below BLENDED_ALPHA_MIN, the
 * resulting error exceeds an eighth of the change that the blend makes to the
 * destination.
 */
#define BLENDED_ALPHA_MIN 0.25f

/* The words of a vertex. */
struct vertex {
   uint32_t fog, color;
   float x, y, z, rhw, uv[2];
};

static void
refuse(struct nv3_render *render, const char *reason)
{
   if (!render->reason)
      render->reason = reason;
}

/* ---- conversion of vertices ---- */

static uint32_t
convert_color(struct nv3_render *render, const struct nv3_draw_state *state)
{
   float c[4];

   for (unsigned i = 0; i < 4; i++) {
      c[i] = nv3_shader_value(&state->inputs, state->shader->color[i]);
      /*
       * The chip clamps the colours of vertices. GL clamps the product of the
       * interpolated colour and the texel, so the results can differ.
       */
      if ((i < 3 || state->uses_alpha) &&
          !(c[i] >= COLOR_MIN && c[i] <= COLOR_MAX))
         refuse(render, "interpolated colour outside 0 to 1");
   }
   if (state->threshold && c[3] < OPAQUE_MIN)
      refuse(render, "alpha test with a translucent colour");
   if (state->blends && c[3] < BLENDED_ALPHA_MIN)
      refuse(render, "blending by a small alpha");
   return (uint32_t)float_to_ubyte(c[3]) << 24 | float_to_ubyte(c[0]) << 16 |
          float_to_ubyte(c[1]) << 8 | float_to_ubyte(c[2]);
}

static void
convert_coordinates(struct nv3_render *render, struct vertex *out,
                    const struct nv3_draw_state *state)
{
   const struct nv3_shader *shader = state->shader;
   float q = shader->projective ? nv3_shader_value(&state->inputs, shader->q) :
                                  1.0f;

   if (q <= 0.0f)
      refuse(render, "texture coordinates divided by 0 or less");
   /*
    * The chip divides coordinates by w. Multiply 1/w by q, so that the chip
    * also divides by q.
    */
   out->rhw *= q;
   for (unsigned i = 0; i < 2; i++)
      out->uv[i] = nv3_shader_value(&state->inputs, shader->coord[i]) / q *
                      state->coord_scale[i] + state->coord_bias[i];
}

static void
convert_vertex(struct nv3_render *render, const struct vertex_header *in,
               struct vertex *out)
{
   static const float nothing[4];
   struct nv3_draw_state *state = &render->ctx->state;
   const struct nv3_shader *shader = state->shader;
   const float *position = in->data[render->position];

   for (unsigned i = 0; i < render->varying_count; i++)
      state->inputs.varyings[i] = render->outputs[i] < 0 ?
                                     nothing : in->data[render->outputs[i]];
   *out = (struct vertex) {
      .color = convert_color(render, state),
      .x = position[0] + PIXEL_BIAS,
      .y = position[1] + PIXEL_BIAS,
      .z = position[2],
      .rhw = position[3],
   };
   /* The chip's fog factor is 1 minus GL's, in the highest 8 bits. */
   if (shader->fogged)
      out->fog = (255u - float_to_ubyte(nv3_shader_value(&state->inputs,
                                                         shader->fog))) << 24;
   if (shader->tex)
      convert_coordinates(render, out, state);
}

/* ---- triangles ---- */

/*
 * Moves the texture coordinates @i of a triangle into the range of the chip's
 * coordinates, by whole repetitions of the texture.
 */
static void
move_coordinates(struct nv3_render *render, struct vertex v[3], unsigned i)
{
   const struct nv3_draw_state *state = &render->ctx->state;
   float limit = state->coord_limit[i], shift = 0.0f;
   float min = MIN3(v[0].uv[i], v[1].uv[i], v[2].uv[i]);
   float max = MAX3(v[0].uv[i], v[1].uv[i], v[2].uv[i]);

   if (min >= -limit && max <= limit)
      return;
   if (state->coord_repeats[i])
      shift = floorf((min + max) * 0.5f + 0.5f);
   if (!(min - shift >= -limit && max - shift <= limit))
      refuse(render, "texture coordinates beyond the chip's range");
   for (unsigned j = 0; j < 3; j++)
      v[j].uv[i] -= shift;
}

static void
nv3_stage_tri(struct draw_stage *stage, struct prim_header *prim)
{
   struct nv3_render *render = (struct nv3_render *)stage;
   struct vertex *v = util_dynarray_grow(&render->triangles, struct vertex, 3);

   if (!v) {
      refuse(render, "no memory for triangles");
      return;
   }
   for (unsigned i = 0; i < 3; i++)
      convert_vertex(render, prim->v[i], &v[i]);
   for (unsigned i = 0; i < 2 && render->ctx->state.shader->tex; i++)
      move_coordinates(render, v, i);
}

static void
nv3_stage_flush(struct draw_stage *stage, unsigned flags)
{
}

static void
nv3_stage_reset_stipple_counter(struct draw_stage *stage)
{
}

/* ---- methods ---- */

/* Sets the chip's clip rectangle to @scissor. */
static void
send_clip(struct nv3_context *ctx, const struct pipe_scissor_state *scissor)
{
   uint32_t width = scissor->maxx - MIN2(scissor->minx, scissor->maxx);
   uint32_t height = scissor->maxy - MIN2(scissor->miny, scissor->maxy);

   nv3_push_begin(ctx->push, NV3_SUBCH_CLIP, NV3_CLIP_POINT, 2);
   nv3_push(ctx->push, (uint32_t)scissor->miny << 16 | scissor->minx);
   nv3_push(ctx->push, height << 16 | width);
}

/*
 * Makes room in the batch for the state and @vertices vertices, and pushes the
 * state. Returns false if a batch is lost.
 */
static bool
send_state(struct nv3_context *ctx, unsigned vertices)
{
   const struct nv3_draw_state *state = &ctx->state;
   int ret = nv3_pushbuf_space(ctx->push,
                               NV3_WORDS + vertices * VERTEX_WORDS + 4);

   if (!ret)
      ret = nv3_pushbuf_select(ctx->push, NV3_SUBCH_D3D, state->d3d);
   if (ret) {
      nv3_chip_lose(ctx, -ret);
      return false;
   }
   nv3_push_begin(ctx->push, NV3_SUBCH_D3D, NV3_D3D_TEX_OFFSET, NV3_WORDS);
   for (unsigned i = 0; i < NV3_WORDS; i++)
      nv3_push(ctx->push, state->words[i]);
   return true;
}

static uint32_t
triangle_word(unsigned a, unsigned b, unsigned c)
{
   return a | b << 4 | c << 8;
}

/*
 * Sends a triangle. The first word of the last vertex makes the chip draw the
 * triangle in vertex slots 0 to 2.
 */
static void
send_triangle(struct nv3_pushbuf *push, const struct vertex v[3])
{
   for (unsigned i = 0; i < 3; i++) {
      uint32_t nothing = triangle_word(i, i, i);

      memcpy(push->cur, &v[i], sizeof(v[i]));
      *push->cur |= nothing << 12 | (i < 2 ? nothing : triangle_word(2, 0, 1));
      push->cur += VERTEX_WORDS;
   }
}

/* Pushes the state and the collected triangles, like send_state(). */
static bool
send_triangles(struct nv3_context *ctx)
{
   const struct util_dynarray *triangles = &ctx->render.triangles;
   const struct vertex *v = util_dynarray_begin(triangles);
   unsigned count = util_dynarray_num_elements(triangles, struct vertex) / 3;

   for (unsigned at = 0; at < count; at += RUN) {
      unsigned run = MIN2(count - at, RUN);

      if (!send_state(ctx, run * 3))
         return false;
      nv3_push_begin(ctx->push, NV3_SUBCH_D3D, NV3_D3D_FOG_TRI(0),
                     run * 3 * VERTEX_WORDS);
      for (unsigned i = 0; i < run; i++)
         send_triangle(ctx->push, v + (at + i) * 3);
   }
   return true;
}

/* ---- draws ---- */

/* Prepares the stage for a draw. */
static void
begin(struct nv3_render *render, struct llvmpipe_context *lp)
{
   const struct tgsi_shader_info *info = &lp->fs->info.base;

   draw_prepare_shader_outputs(lp->draw);
   render->position = draw_find_shader_output(lp->draw,
                                              TGSI_SEMANTIC_POSITION, 0);
   render->varying_count = info->num_inputs;
   for (unsigned i = 0; i < info->num_inputs; i++)
      render->outputs[i] =
         draw_find_shader_output(lp->draw, info->input_semantic_name[i],
                                 info->input_semantic_index[i]);
   render->reason = NULL;
   util_dynarray_clear(&render->triangles);
}

/*
 * Collects the triangles of a draw. During the draw, the draw module has the
 * state for the chip. Afterwards, the function restores the state for llvmpipe.
 */
static void
collect(struct nv3_render *render, const struct pipe_draw_info *info,
        unsigned drawid_offset, const struct pipe_draw_start_count_bias *draws,
        unsigned num_draws)
{
   struct pipe_context *pipe = render->ctx->pipe;
   struct llvmpipe_context *lp = llvmpipe_context(pipe);
   const struct pipe_surface *zsbuf = lp->framebuffer.zsbuf;
   struct draw_context *draw = lp->draw;
   struct draw_stage *stage = draw->pipeline.rasterize;
   struct vbuf_render *emitter = draw->render;
   bool guard_band = draw->driver.guard_band_xy;
   uint64_t dirty = lp->dirty;

   draw_set_rasterize_stage(draw, render->flatshade);
   draw_set_render(draw, NULL);
   /*
    * Unlike the state that llvmpipe sets, this state enables the draw module's
    * polygon offset. llvmpipe computes the offset in its own rasterizer.
    */
   draw_set_rasterizer_state(draw, lp->rasterizer, (void *)lp->rasterizer);
   draw_set_zs_format(draw, PIPE_FORMAT_Z16_UNORM);
   draw_set_driver_clipping(draw, false, false, false,
                            draw->driver.bypass_clip_points_lines);
   begin(render, lp);
   /* Keep llvmpipe from compiling the fragment shader. */
   lp->dirty = 0;
   render->ctx->soft.draw_vbo(pipe, info, drawid_offset, NULL, draws,
                              num_draws);
   lp->dirty = dirty;

   draw_set_rasterize_stage(draw, stage);
   draw_set_render(draw, emitter);
   render->ctx->soft.bind_rasterizer_state(pipe, (void *)lp->rasterizer);
   draw_set_zs_format(draw, zsbuf ? zsbuf->format : PIPE_FORMAT_NONE);
   draw_set_driver_clipping(draw, false, false, guard_band,
                            draw->driver.bypass_clip_points_lines);
}

/*
 * Sends the collected triangles, and marks the render copies as newer than the
 * resources. Returns false if memory is exhausted or a batch is lost.
 */
static bool
draw_triangles(struct nv3_context *ctx)
{
   const struct llvmpipe_context *lp = llvmpipe_context(ctx->pipe);
   struct pipe_scissor_state all = { .maxx = lp->framebuffer.width,
                                     .maxy = lp->framebuffer.height };

   if (!nv3_targets_prepare(ctx))
      return false;
   send_clip(ctx, lp->rasterizer->scissor ? &lp->scissors[0] : &all);
   ctx->targets[NV3_COLOR].newer = true;
   if (ctx->state.zeta && lp->depth_stencil->depth_writemask)
      ctx->targets[NV3_ZETA].newer = true;
   return send_triangles(ctx);
}

const char *
nv3_render_draw(struct nv3_context *ctx, const struct pipe_draw_info *info,
                unsigned drawid_offset,
                const struct pipe_draw_start_count_bias *draws,
                unsigned num_draws)
{
   struct nv3_render *render = &ctx->render;

   collect(render, info, drawid_offset, draws, num_draws);
   if (render->reason)
      return render->reason;
   if (!draw_triangles(ctx))
      return "no memory for a batch";
   ctx->chip_draws++;
   return NULL;
}

bool
nv3_render_init(struct nv3_context *ctx)
{
   struct nv3_render *render = &ctx->render;

   render->ctx = ctx;
   render->base.draw = llvmpipe_context(ctx->pipe)->draw;
   render->base.tri = nv3_stage_tri;
   render->base.flush = nv3_stage_flush;
   render->base.reset_stipple_counter = nv3_stage_reset_stipple_counter;
   util_dynarray_init(&render->triangles, ctx);
   render->flatshade = draw_flatshade_stage(render->base.draw);
   if (!render->flatshade)
      return false;
   render->flatshade->next = &render->base;
   return true;
}
