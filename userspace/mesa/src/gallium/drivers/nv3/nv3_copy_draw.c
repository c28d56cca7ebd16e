/* SPDX-License-Identifier: MIT */
/*
 * Detects draws that are copies. They draw a rectangle of whole pixels with
 * one texel per pixel and an unmodified colour.
 */
#include <math.h>

#include "util/format/u_format.h"
#include "util/u_math.h"

#include "base/nv3_context.h"
#include "class17/nv3_draw_state.h"
#include "compiler/nv3_expr.h"
#include "compiler/nv3_shader.h"
#include "compiler/nv3_vs.h"
#include "resource/nv3_resource.h"
#include "vertex/nv3_attributes.h"

#include "nv3_copy_draw.h"

#define CORNERS  4
/* The tolerance of a coordinate, in pixels. */
#define NEAR     (1.0f / 64.0f)

/* Coordinates in pixels of the destination and in texels. */
struct corner {
   float x, y, u, v;
};

/* ---- state ---- */

/* True if the shader returns the texel in the first @channels channels. */
static bool
is_plain_texel(const struct nv3_shader_info *shader, unsigned channels)
{
   if (!shader || shader->reason || !shader->textured || shader->second ||
       shader->fog >= 0 || shader->alpha_func != PIPE_FUNC_ALWAYS)
      return false;
   for (unsigned c = 0; c < channels; c++) {
      if (shader->swizzle[c] != c ||
          !nv3_expr_is_const(&shader->expr, shader->color[c], 1.0f))
         return false;
   }
   return true;
}

static bool
writes_all(const struct nv3_context *ctx)
{
   const struct pipe_rasterizer_state *rast = &ctx->rast->base;
   const struct pipe_blend_state *blend = &ctx->blend->base;
   const struct pipe_depth_stencil_alpha_state *dsa = &ctx->dsa->base;

   return !blend->rt[0].blend_enable && !blend->logicop_enable &&
          blend->rt[0].colormask == PIPE_MASK_RGBA && !dsa->depth_enabled &&
          !dsa->stencil[0].enabled && !dsa->alpha_enabled &&
          rast->cull_face == PIPE_FACE_NONE && !rast->poly_stipple_enable &&
          rast->fill_front == PIPE_POLYGON_MODE_FILL &&
          rast->fill_back == PIPE_POLYGON_MODE_FILL &&
          !rast->clip_plane_enable && !rast->rasterizer_discard &&
          !ctx->pixel_queries && !ctx->conditional;
}

static bool
is_nearest(const struct pipe_sampler_state *sampler)
{
   return sampler->min_img_filter == PIPE_TEX_FILTER_NEAREST &&
          sampler->mag_img_filter == PIPE_TEX_FILTER_NEAREST &&
          sampler->min_mip_filter == PIPE_TEX_MIPFILTER_NONE &&
          !sampler->unnormalized_coords &&
          sampler->compare_mode == PIPE_TEX_COMPARE_NONE;
}

/* Returns the texture, or NULL if its format or sampling prevents a copy. */
static struct pipe_resource *
source_of(const struct nv3_context *ctx, const struct pipe_surface *to)
{
   const struct nv3_lookup *lookup = &ctx->fs->info->lookup;
   const struct pipe_sampler_view *view =
      ctx->views[NV3_STAGE_FS][lookup->view];
   const struct nv3_sampler *sampler =
      ctx->samplers[NV3_STAGE_FS][lookup->sampler];

   if (!view || !sampler || !is_nearest(&sampler->base) ||
       view->target != PIPE_TEXTURE_2D || view->u.tex.first_level ||
       view->texture->nr_samples > 1 || view->texture == to->texture ||
       view->format != view->texture->format ||
       to->format != to->texture->format || view->format != to->format ||
       view->swizzle_r != PIPE_SWIZZLE_X || view->swizzle_g != PIPE_SWIZZLE_Y ||
       view->swizzle_b != PIPE_SWIZZLE_Z ||
       (view->swizzle_a != PIPE_SWIZZLE_W && util_format_has_alpha(to->format)))
      return NULL;
   return view->texture;
}

/* ---- corners ---- */

static bool
fetch_attributes(const struct nv3_context *ctx, uint64_t vertex,
                 float attributes[][4])
{
   for (unsigned i = 0; i < ctx->velems->count; i++) {
      struct nv3_attribute attr;

      if (!nv3_attribute_find(ctx, i, vertex, &attr))
         return false;
      util_format_unpack_rgba(attr.format, attributes[i],
                              attr.data + vertex * attr.stride, 1);
   }
   return true;
}

static float
value_of(const float *values, int op, float otherwise)
{
   return op < 0 ? otherwise : values[op];
}

/*
 * Determines the fragment shader's inputs from the values of the vertex shader.
 */
static void
link_varyings(const struct nv3_vs_info *vs, const float *values,
              const struct nv3_shader_info *fs, float varyings[][4])
{
   for (unsigned i = 0; i < fs->input_count; i++) {
      const int none[4] = { -1, -1, -1, -1 }, *ops = none;

      for (unsigned o = 0; o < vs->output_count; o++) {
         if (vs->outputs[o].semantic == fs->inputs[i].semantic &&
             vs->outputs[o].index == fs->inputs[i].index)
            ops = vs->outputs[o].op;
      }
      for (unsigned c = 0; c < 4; c++)
         varyings[i][c] = value_of(values, ops[c], c == 3 ? 1.0f : 0.0f);
   }
}

/* Returns false if w is not 1 or the depth is clipped. */
static bool
project(const struct nv3_context *ctx, const float position[4],
        struct corner *out)
{
   const struct pipe_viewport_state *vp = &ctx->viewport;

   if (position[3] != 1.0f || fabsf(position[2]) > 1.0f ||
       (ctx->rast->base.clip_halfz && position[2] < 0.0f))
      return false;
   out->x = position[0] * vp->scale[0] + vp->translate[0];
   out->y = position[1] * vp->scale[1] + vp->translate[1];
   return true;
}

static bool
find_corners(const struct nv3_context *ctx, uint64_t first,
             const struct pipe_resource *src, struct corner corners[CORNERS])
{
   const struct nv3_vs_info *vs = ctx->vs->info;
   const struct nv3_shader_info *fs = ctx->fs->info;
   float attributes[PIPE_MAX_ATTRIBS][4], varyings[NV3_MAX_INPUTS][4];
   float vs_values[NV3_MAX_OPS], fs_values[NV3_MAX_OPS], position[4];
   const float *inputs[PIPE_MAX_ATTRIBS], *passed[NV3_MAX_INPUTS];
   const void *constants;
   unsigned size;

   for (unsigned i = 0; i < PIPE_MAX_ATTRIBS; i++)
      inputs[i] = attributes[i];
   for (unsigned i = 0; i < NV3_MAX_INPUTS; i++)
      passed[i] = varyings[i];
   constants = nv3_constants_map(&ctx->constants[NV3_STAGE_VS][0], &size);
   nv3_expr_uniforms(&vs->expr, vs_values, constants, size);
   constants = nv3_constants_map(&ctx->constants[NV3_STAGE_FS][0], &size);
   nv3_expr_uniforms(&fs->expr, fs_values, constants, size);
   for (unsigned i = 0; i < CORNERS; i++) {
      if (!fetch_attributes(ctx, first + i, attributes))
         return false;
      nv3_expr_vertex(&vs->expr, vs_values, vs->expr.count - 1, inputs);
      link_varyings(vs, vs_values, fs, varyings);
      nv3_expr_vertex(&fs->expr, fs_values, fs->expr.count - 1, passed);
      for (unsigned c = 0; c < 4; c++)
         position[c] =
            value_of(vs_values, vs->position[c], c == 3 ? 1.0f : 0.0f);
      if (!project(ctx, position, &corners[i]) ||
          value_of(fs_values, fs->lookup.coord_q, 1.0f) != 1.0f)
         return false;
      corners[i].u = fs_values[fs->lookup.coord[0]] * src->width0;
      corners[i].v = fs_values[fs->lookup.coord[1]] * src->height0;
   }
   return true;
}

static bool
is_whole(float x)
{
   return fabsf(x - roundf(x)) < NEAR;
}

/* True if the corners form a rectangle with one texel per pixel. */
static bool
is_rectangle(const struct corner c[CORNERS])
{
   float du = c[0].u - c[0].x, dv = c[0].v - c[0].y;
   bool flat = fabsf(c[0].y - c[1].y) < NEAR;

   for (unsigned i = 0; i < CORNERS; i++) {
      const struct corner *next = &c[(i + 1) % CORNERS];
      bool along_x = (i & 1) != flat;

      if (!is_whole(c[i].x) || !is_whole(c[i].y) || !is_whole(c[i].u) ||
          !is_whole(c[i].v) || fabsf(c[i].u - c[i].x - du) > NEAR ||
          fabsf(c[i].v - c[i].y - dv) > NEAR ||
          fabsf(along_x ? next->y - c[i].y : next->x - c[i].x) > NEAR)
         return false;
   }
   return true;
}

/* ---- draw ---- */

static bool
find_rectangle(const struct nv3_context *ctx, const struct pipe_draw_info *info,
               const struct pipe_draw_start_count_bias *draw,
               const struct pipe_resource *src,
               struct corner *min, struct corner *max)
{
   struct corner c[CORNERS];

   if (!find_corners(ctx, draw->start, src, c))
      return false;
   if (info->mode == MESA_PRIM_TRIANGLE_STRIP) {
      struct corner last = c[2];

      c[2] = c[3];
      c[3] = last;
   }
   if (!is_rectangle(c))
      return false;
   *min = *max = c[0];
   /* c[2] is the corner opposite to c[0]. */
   min->x = MIN2(c[0].x, c[2].x);
   min->y = MIN2(c[0].y, c[2].y);
   min->u = MIN2(c[0].u, c[2].u);
   min->v = MIN2(c[0].v, c[2].v);
   max->x = MAX2(c[0].x, c[2].x);
   max->y = MAX2(c[0].y, c[2].y);
   return true;
}

static bool
is_one_quad(const struct pipe_draw_info *info,
            const struct pipe_draw_start_count_bias *draw)
{
   return draw->count == CORNERS && !info->index_size &&
          info->instance_count == 1 &&
          (info->mode == MESA_PRIM_QUADS || info->mode == MESA_PRIM_POLYGON ||
           info->mode == MESA_PRIM_TRIANGLE_FAN ||
           info->mode == MESA_PRIM_TRIANGLE_STRIP);
}

bool
nv3_copy_draw(struct nv3_context *ctx, const struct pipe_draw_info *info,
              const struct pipe_draw_start_count_bias *draw)
{
   struct pipe_surface *to = ctx->fb.nr_cbufs == 1 ? ctx->fb.cbufs[0] : NULL;
   struct pipe_scissor_state clip;
   struct corner min, max;
   struct pipe_resource *src;
   int x0, y0, x1, y1, dx, dy;
   struct pipe_box box;

   if (!is_one_quad(info, draw) || !to || to->u.tex.level ||
       to->u.tex.first_layer || to->texture->nr_samples > 1 ||
       !is_plain_texel(ctx->fs->info,
                       util_format_has_alpha(to->format) ? 4 : 3) ||
       !ctx->vs->info || ctx->vs->info->reason || !writes_all(ctx))
      return false;
   src = source_of(ctx, to);
   if (!src || !find_rectangle(ctx, info, draw, src, &min, &max))
      return false;
   nv3_draw_clip(ctx, &clip);
   dx = roundf(min.u - min.x);
   dy = roundf(min.v - min.y);
   x0 = MAX2((int)roundf(min.x), (int)clip.minx);
   y0 = MAX2((int)roundf(min.y), (int)clip.miny);
   x1 = MIN3((int)roundf(max.x), (int)clip.maxx, (int)to->texture->width0);
   y1 = MIN3((int)roundf(max.y), (int)clip.maxy, (int)to->texture->height0);
   if (x0 >= x1 || y0 >= y1)
      return true;
   /* The wrap mode determines texels outside the texture. */
   if (x0 + dx < 0 || y0 + dy < 0 || x1 + dx > (int)src->width0 ||
       y1 + dy > (int)src->height0)
      return false;
   u_box_2d(x0 + dx, y0 + dy, x1 - x0, y1 - y0, &box);
   ctx->base.resource_copy_region(&ctx->base, to->texture, 0, x0, y0, 0, src, 0,
                                  &box);
   ctx->count.copied_draws++;
   return true;
}
