/* SPDX-License-Identifier: MIT */
/*
 * Implements draws with the chip. The draw module runs vertex shaders, clips
 * and culls. During such a draw, a stage of this file replaces llvmpipe's
 * rasterization stage, the last stage of the module's pipeline. The stage
 * converts the module's vertices and collects the triangles of the draw. After
 * the module has finished, nv3_render_draw() sends the triangles to the chip,
 * unless class 0x17 can't draw one of them.
 *
 * The chip has 16 vertex slots. The first word of a vertex selects the slot
 * that stores the vertex. The same word also selects the slots of the vertices
 * of up to two triangles, which the chip then draws
 * (docs/reference/chip/3d.md).
 */
#include "draw/draw_context.h"
#include "draw/draw_pipe.h"
#include "util/u_dynarray.h"
#include "util/u_math.h"
#include "util/u_memory.h"

#include "class17/nv3_class17.h"
#include "class17/nv3_shader.h"

/*
 * If the batch has at least this length in words (about 1,000 vertices), the
 * driver submits it before the next draw. The chip then draws while the CPU
 * prepares the next batch. Tuned with the OpenArena time demo of
 * `make bench-gl`.
 */
#define BATCH_WORDS 8192

#define VERTEX_WORDS 8
/* The maximum number of triangles in the arguments of one method header. */
#define RUN          (NV3_D3D_VERTEX_COUNT / 3)

/*
 * The chip's coordinates are fixed-point numbers of 12.4 bits. The chip's
 * pixel centres are at integer coordinates.
 */
#define SUBPIXELS    16.0f
/*
 * The offset that is added to GL's coordinates: minus half a pixel, because
 * the chip's pixel centres differ from GL's, plus half a subpixel, so that
 * the truncation to 12.4 bits rounds to nearest.
 */
#define PIXEL_BIAS   (0.5f / SUBPIXELS - 0.5f)

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
   float x, y, z, rhw, u, v;
};

struct nv3_render {
   struct draw_stage base;
   struct nv3_context *ctx;

   int position;  /* the vertex shader's output for the position */
   /* the vertex shader's output for each input of the fragment shader, or -1 */
   int outputs[NV3_MAX_INPUTS];

   /* converted vertices, indexed by vertex_header.vertex_id */
   struct util_dynarray vertices;
   struct util_dynarray triangles;  /* three vertices each */
   const char *reason;  /* why class 0x17 can't draw the triangles, or NULL */
};

static void
refuse(struct nv3_render *render, const char *reason)
{
   if (!render->reason)
      render->reason = reason;
}

/* ---- conversion of vertices ---- */

static float
value(const struct nv3_render *render, nir_scalar s)
{
   return nv3_shader_value(render->ctx->shader, s)->f32;
}

static uint32_t
convert_color(struct nv3_render *render)
{
   const struct nv3_draw_state *state = &render->ctx->state;
   const struct nv3_shader *shader = render->ctx->shader;
   /*
    * True if all pixels of a triangle have the colour of one vertex. To clamp
    * this colour, as the chip does, is then correct for GL.
    */
   bool constant = state->flat && !shader->tex && !shader->fogged;
   float c[4];

   for (unsigned i = 0; i < 4; i++) {
      c[i] = value(render, shader->color[i]);
      /*
       * The chip clamps the colours of vertices. GL clamps the product of the
       * interpolated colour and the texel, so the results can differ.
       */
      if ((i < 3 || state->uses_alpha) && !constant &&
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

/*
 * Returns the chip's fog factor in the highest 8 bits. The factor is 1 minus
 * GL's, and 0 without fog.
 */
static uint32_t
convert_fog(const struct nv3_render *render)
{
   const struct nv3_shader *shader = render->ctx->shader;

   if (!shader->fogged)
      return 0;
   return (uint32_t)(255 - float_to_ubyte(value(render, shader->fog))) << 24;
}

static void
convert_coordinates(struct nv3_render *render, struct vertex *out)
{
   const struct nv3_draw_state *state = &render->ctx->state;
   const struct nv3_shader *shader = render->ctx->shader;
   float u = value(render, shader->coord[0]);
   float v = value(render, shader->coord[1]);
   float q = shader->projective ? value(render, shader->q) : 1.0f;

   /*
    * The chip divides coordinates by w. Multiply 1/w by q, so that the chip
    * also divides by q.
    */
   if (q <= 0.0f)
      refuse(render, "texture coordinates divided by 0 or less");
   out->rhw *= q;
   out->u = u / q * state->coord_scale[0] + state->coord_bias[0];
   out->v = v / q * state->coord_scale[1] + state->coord_bias[1];
}

static void
convert_vertex(struct nv3_render *render, const struct vertex_header *in,
               struct vertex *out)
{
   static const float nothing[4];
   const float *inputs[NV3_MAX_INPUTS], *position = in->data[render->position];
   struct nv3_shader *shader = render->ctx->shader;

   for (unsigned i = 0; i < shader->input_count; i++)
      inputs[i] = render->outputs[i] < 0 ? nothing :
                                           in->data[render->outputs[i]];
   nv3_shader_run(shader, inputs, render->ctx->state.constants,
                  render->ctx->state.constants_size);
   *out = (struct vertex) {
      .fog = convert_fog(render),
      .color = convert_color(render),
      .x = position[0] + PIXEL_BIAS,
      .y = position[1] + PIXEL_BIAS,
      .z = position[2],
      .rhw = position[3],
   };
   if (shader->tex)
      convert_coordinates(render, out);
}

/*
 * Sets *@out to the converted vertex. Triangles share vertices, so the stage
 * stores the vertex for later triangles. Returns false if memory is exhausted.
 */
static bool
get_vertex(struct nv3_render *render, struct vertex_header *in,
           struct vertex *out)
{
   struct util_dynarray *vertices = &render->vertices;
   unsigned count = util_dynarray_num_elements(vertices, struct vertex);
   struct vertex *stored;

   if (in->vertex_id == UNDEFINED_VERTEX_ID) {
      if (count == UNDEFINED_VERTEX_ID) {
         draw_reset_vertex_ids(render->base.draw);
         util_dynarray_clear(vertices);
         count = 0;
      }
      stored = util_dynarray_grow(vertices, struct vertex, 1);
      if (!stored)
         return false;
      convert_vertex(render, in, stored);
      in->vertex_id = count;
   }
   *out = *util_dynarray_element(vertices, struct vertex, in->vertex_id);
   return true;
}

/* ---- triangles ---- */

/*
 * Moves the texture coordinates at @offset in the vertices into the range of
 * the chip's coordinates, by whole repetitions of the texture. If this is not
 * possible, sets render->reason.
 */
static void
move_coordinates(struct nv3_render *render, struct vertex v[3], size_t offset,
                 float limit, bool repeats)
{
   float *c[3], min = INFINITY, max = -INFINITY, shift;

   for (unsigned i = 0; i < 3; i++) {
      c[i] = (float *)((uint8_t *)&v[i] + offset);
      min = MIN2(min, *c[i]);
      max = MAX2(max, *c[i]);
   }
   if (min >= -limit && max <= limit)
      return;
   shift = repeats ? floorf((min + max) * 0.5f + 0.5f) : 0.0f;
   for (unsigned i = 0; i < 3; i++)
      *c[i] -= shift;
   if (!(min - shift >= -limit && max - shift <= limit))
      refuse(render, "texture coordinates beyond the chip's range");
}

/* Returns true if a triangle has no area in the chip's coordinates. */
static bool
is_degenerate(const struct vertex v[3])
{
   int64_t x[3], y[3];

   for (unsigned i = 0; i < 3; i++) {
      x[i] = v[i].x * SUBPIXELS;
      y[i] = v[i].y * SUBPIXELS;
   }
   return (x[1] - x[0]) * (y[2] - y[0]) == (x[2] - x[0]) * (y[1] - y[0]);
}

static void
nv3_stage_tri(struct draw_stage *stage, struct prim_header *prim)
{
   struct nv3_render *render = (struct nv3_render *)stage;
   const struct nv3_draw_state *state = &render->ctx->state;
   /* The vertex that determines the flat colour. */
   unsigned provoking = stage->draw->rasterizer->flatshade_first ? 0 : 2;
   struct vertex v[3], *out;

   for (unsigned i = 0; i < 3; i++) {
      if (!get_vertex(render, prim->v[i], &v[i])) {
         refuse(render, "no memory for vertices");
         return;
      }
   }
   if (state->flat)
      v[0].color = v[1].color = v[2].color = v[provoking].color;
   if (render->ctx->shader->tex) {
      move_coordinates(render, v, offsetof(struct vertex, u),
                       state->coord_limit[0], state->coord_repeats[0]);
      move_coordinates(render, v, offsetof(struct vertex, v),
                       state->coord_limit[1], state->coord_repeats[1]);
   }
   if (is_degenerate(v))
      return;
   out = util_dynarray_grow(&render->triangles, struct vertex, 3);
   if (out)
      memcpy(out, v, sizeof(v));
   else
      refuse(render, "no memory for triangles");
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
 * state. Returns false if the batch is lost or memory is exhausted.
 */
static bool
send_state(struct nv3_context *ctx, unsigned vertices)
{
   const struct nv3_draw_state *state = &ctx->state;

   if (nv3_pushbuf_space(ctx->push, NV3_D3D_STATE + vertices * VERTEX_WORDS + 4))
      return false;
   if (nv3_pushbuf_select(ctx->push, NV3_SUBCH_D3D, state->d3d))
      return false;
   nv3_push_begin(ctx->push, NV3_SUBCH_D3D, NV3_D3D_TEX_OFFSET, NV3_D3D_STATE);
   for (unsigned i = 0; i < NV3_D3D_STATE; i++)
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

/*
 * Pushes the state and the collected triangles. Returns false if the batch is
 * lost or memory is exhausted.
 */
static bool
send_triangles(struct nv3_context *ctx, const struct nv3_render *render)
{
   const struct vertex *v = util_dynarray_begin(&render->triangles);
   unsigned count =
      util_dynarray_num_elements(&render->triangles, struct vertex) / 3;

   for (unsigned at = 0; at < count; at += RUN) {
      unsigned run = MIN2(count - at, RUN);

      if (!send_state(ctx, run * 3))
         return false;
      nv3_push_begin(ctx->push, NV3_SUBCH_D3D, NV3_D3D_FOG_TRI(0),
                     run * 3 * VERTEX_WORDS);
      for (unsigned i = 0; i < run; i++)
         send_triangle(ctx->push, v + (at + i) * 3);
   }
   ctx->count.chip_triangles += count;
   return true;
}

/* ---- draws ---- */

/* Prepares the stage for a draw. */
static void
begin(struct nv3_render *render, struct llvmpipe_context *lp)
{
   const struct nv3_shader *shader = render->ctx->shader;

   draw_prepare_shader_outputs(lp->draw);
   render->position = draw_find_shader_output(lp->draw,
                                              TGSI_SEMANTIC_POSITION, 0);
   for (unsigned i = 0; i < shader->input_count; i++)
      render->outputs[i] = draw_find_shader_output(lp->draw,
                                                   shader->inputs[i].semantic,
                                                   shader->inputs[i].index);
   render->reason = NULL;
   util_dynarray_clear(&render->vertices);
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

   draw_set_rasterize_stage(draw, &render->base);
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
draw_triangles(struct nv3_context *ctx, const struct nv3_render *render)
{
   const struct llvmpipe_context *lp = llvmpipe_context(ctx->pipe);
   struct pipe_scissor_state all = { .maxx = lp->framebuffer.width,
                                     .maxy = lp->framebuffer.height };

   if (!nv3_targets_create(ctx) || !nv3_target_load(ctx, NV3_COLOR) ||
       (ctx->state.zeta && !nv3_target_load(ctx, NV3_ZETA)))
      return false;
   if (nv3_pushbuf_words(ctx->push) >= BATCH_WORDS && !nv3_chip_flush(ctx))
      return false;
   send_clip(ctx, lp->rasterizer->scissor ? &lp->scissors[0] : &all);
   ctx->targets[NV3_COLOR].newer = true;
   if (ctx->state.zeta && lp->depth_stencil->depth_writemask)
      ctx->targets[NV3_ZETA].newer = true;
   return send_triangles(ctx, render);
}

const char *
nv3_render_draw(struct nv3_context *ctx, const struct pipe_draw_info *info,
                unsigned drawid_offset,
                const struct pipe_draw_start_count_bias *draws,
                unsigned num_draws)
{
   struct nv3_render *render = ctx->render;

   collect(render, info, drawid_offset, draws, num_draws);
   if (render->reason)
      return render->reason;
   if (!draw_triangles(ctx, render))
      return "no memory for a batch";
   ctx->count.chip_draws++;
   return NULL;
}

void
nv3_render_destroy(struct nv3_render *render)
{
   if (!render)
      return;
   util_dynarray_fini(&render->vertices);
   util_dynarray_fini(&render->triangles);
   FREE(render);
}

struct nv3_render *
nv3_render_create(struct nv3_context *ctx)
{
   struct nv3_render *render = CALLOC_STRUCT(nv3_render);

   if (!render)
      return NULL;
   render->ctx = ctx;
   render->base.draw = llvmpipe_context(ctx->pipe)->draw;
   render->base.tri = nv3_stage_tri;
   render->base.flush = nv3_stage_flush;
   render->base.reset_stipple_counter = nv3_stage_reset_stipple_counter;
   util_dynarray_init(&render->vertices, NULL);
   util_dynarray_init(&render->triangles, NULL);
   return render;
}
