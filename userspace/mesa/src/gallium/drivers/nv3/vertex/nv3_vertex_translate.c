/* SPDX-License-Identifier: MIT */
/*
 * Vertex translation: the driver's own path for triangles, without the draw
 * module. It fetches attributes into arrays, runs programs of both shaders
 * (nv3_program.h), and converts the results to the chip's terms, 64 vertices at
 * a time. Each vertex is processed once, no matter how many triangles use it.
 */
#include "util/format/u_format.h"
#include "util/os_memory.h"
#include "util/u_inlines.h"
#include "util/u_math.h"
#include "util/u_memory.h"

#include "base/nv3_context.h"
#include "base/nv3_vec.h"
#include "channel/nv3_chip.h"
#include "class17/nv3_blend.h"
#include "class17/nv3_clip.h"
#include "class17/nv3_draw_state.h"
#include "class17/nv3_emit.h"
#include "class17/nv3_vertex.h"
#include "compiler/nv3_expr.h"
#include "compiler/nv3_shader.h"
#include "compiler/nv3_vs.h"
#include "resource/nv3_resource.h"
#include "sw/nv3_deferred_blend.h"
#include "vertex/nv3_attributes.h"
#include "vertex/nv3_program.h"
#include "vertex/nv3_soa.h"
#include "vertex/nv3_variants.h"
#include "vertex/nv3_vertex_cache.h"
#include "vertex/nv3_vertex_translate.h"

/*
 * The maximum number of vertices. The draw module executes draws with more
 * vertices or with sparse indices.
 */
#define MAX_VERTICES (1u << 18)

/* The program of a pass, and the state that it was linked for. */
struct pass {
   struct nv3_program program;
   const struct nv3_shader_info *shader;  /* NULL if the program is not valid */
   enum nv3_color_source color_source;
   int fog_op;
   const char *reason;
   bool computed;  /* the program exists, even if the draw module draws */
};

/*
 * The inputs of the current positions and visible triangles. The next draw
 * often has the same inputs, because games draw several layers with the same
 * arrays. The second pass of a draw always has the same inputs. Attributes
 * are compared byte by byte.
 */
struct last_draw {
   bool valid;
   enum mesa_prim prim;
   unsigned count, index_size, cull;
   bool flat_first;
   struct nv3_projection projection;
   unsigned load_count;
   struct layout {
      enum pipe_format format;
      unsigned stride;
   } layouts[NV3_MAX_LOADS / 2];  /* format and stride for each load */
   uint8_t *bytes;                /* attributes for positions */
   unsigned bytes_size, bytes_max;
};

struct nv3_translate {
   struct pass passes[NV3_MAX_PASSES];
   struct nv3_program position, next_position;
   const char *position_reason;
   bool position_known;  /* the position program is up to date */
   float vs_values[NV3_MAX_OPS];
   struct nv3_vertices vertices;
   struct nv3_triangles triangles;
   struct last_draw last;
   uint32_t *indices;
   unsigned indices_max;
   /* The indices of the draw, unconverted. */
   uint8_t *raw;
   unsigned raw_size, index_size;
   struct nv3_index_range range;
   float (*regs)[NV3_SOA_WIDTH];
   struct nv3_soa *soa;
   struct nv3_vertex_cache *cache;
   struct nv3_variants *variants;
};

struct nv3_translate *
nv3_translate_create(struct nv3_context *ctx)
{
   struct nv3_translate *translate = CALLOC_STRUCT(nv3_translate);

   if (!translate)
      return NULL;
   translate->regs =
      os_malloc_aligned(NV3_MAX_REGS * sizeof(*translate->regs), 64);
   translate->soa = os_malloc_aligned(sizeof(*translate->soa), 64);
   translate->cache = nv3_vertex_cache_create();
   translate->variants = nv3_variants_create();
   if (!translate->regs || !translate->soa || !translate->cache ||
       !translate->variants) {
      nv3_translate_destroy(translate);
      return NULL;
   }
   memset(translate->regs, 0, NV3_MAX_REGS * sizeof(*translate->regs));
   return translate;
}

void
nv3_translate_destroy(struct nv3_translate *translate)
{
   if (!translate)
      return;
   nv3_vertex_cache_destroy(translate->cache);
   nv3_variants_destroy(translate->variants);
   nv3_vertices_free(&translate->vertices);
   FREE(translate->triangles.list);
   FREE(translate->last.bytes);
   FREE(translate->indices);
   FREE(translate->raw);
   os_free_aligned(translate->regs);
   os_free_aligned(translate->soa);
   FREE(translate);
}

/* ---- state ---- */

/*
 * True if the fragment shader computes with colours. If it does not, the
 * conversion to bytes clamps them.
 */
static bool
computes_with_colors(const struct nv3_draw_state *state)
{
   const struct nv3_shader_info *fs = state->shader;

   for (unsigned i = 0; i < fs->expr.count; i++) {
      const struct nv3_op *op = &fs->expr.ops[i];

      if (op->code == NV3_OP_VARYING &&
          fs->inputs[op->a].semantic == TGSI_SEMANTIC_COLOR)
         return state->color_source == NV3_COLOR_EXPR;
   }
   return false;
}

/* Returns the reason why vertices can't be computed, or NULL. */
static const char *
refuse(const struct nv3_context *ctx, const struct nv3_draw_state *state)
{
   const struct pipe_rasterizer_state *rast = &ctx->rast->base;

   if (!ctx->vs->info)
      return "no memory";
   if (ctx->vs->info->reason)
      return ctx->vs->info->reason;
   if (rast->light_twoside)
      return "two-sided colours";
   if (rast->clamp_vertex_color && computes_with_colors(state))
      return "clamped vertex colours in arithmetic";
   for (unsigned i = 0; i < ctx->velems->count; i++) {
      if (ctx->velems->elements[i].instance_divisor)
         return "instances";
   }
   return NULL;
}

/* Returns the reason why vertices can be computed but not drawn, or NULL. */
static const char *
refuse_to_draw(const struct nv3_context *ctx)
{
   const struct pipe_rasterizer_state *rast = &ctx->rast->base;

   if (rast->fill_front != PIPE_POLYGON_MODE_FILL ||
       rast->fill_back != PIPE_POLYGON_MODE_FILL)
      return "unfilled polygons";
   if (rast->offset_tri)
      return "polygon offset";
   if (rast->clip_plane_enable)
      return "clip planes";
   if (!rast->depth_clip_near || !rast->depth_clip_far)
      return "depth clipping disabled";
   return NULL;
}

static const char *
check_loads(const struct nv3_context *ctx, const struct nv3_program *program)
{
   if (program->load_count > NV3_MAX_LOADS / 2)
      return "too many attributes";
   for (unsigned i = 0; i < program->load_count; i++) {
      if (program->loads[i].element >= ctx->velems->count)
         return "missing vertex attributes";
   }
   return NULL;
}

static const char *
link_program(struct nv3_context *ctx, const struct nv3_draw_state *state,
             struct nv3_program *program)
{
   struct nv3_translate *translate = ctx->translate;
   const struct nv3_shader_info *fs = state->shader;
   const struct nv3_vs_info *vs = ctx->vs->info;
   int ops[NV3_RESULTS];
   const char *reason;

   for (unsigned i = 0; i < NV3_RESULTS; i++)
      ops[i] = -1;
   if (state->color_source != NV3_COLOR_UNIFORM) {
      for (unsigned c = 0; c < 4; c++)
         ops[NV3_RESULT_RED + c] = fs->color[c];
   }
   if (fs->textured) {
      ops[NV3_RESULT_U] = fs->lookup.coord[0];
      ops[NV3_RESULT_V] = fs->lookup.coord[1];
      ops[NV3_RESULT_Q] = fs->lookup.coord_q;
   }
   ops[NV3_RESULT_FOG] = state->fog_op;
   reason = nv3_variants_get(translate->variants, program, vs,
                             translate->vs_values, fs, state->values, ops);
   return reason ? reason : check_loads(ctx, program);
}

/*
 * Links the position program. If the program has changed, the positions of
 * the last draw become invalid.
 */
static const char *
link_position(struct nv3_context *ctx)
{
   static const int none[NV3_RESULTS];
   struct nv3_translate *translate = ctx->translate;
   const struct nv3_vs_info *vs = ctx->vs->info;
   const void *constants;
   const char *reason;
   unsigned size;

   constants = nv3_constants_map(&ctx->constants[NV3_STAGE_VS][0], &size);
   nv3_expr_uniforms(&vs->expr, translate->vs_values, constants, size);
   reason = nv3_variants_get(translate->variants, &translate->next_position,
                             vs, translate->vs_values, NULL, NULL, none);
   if (reason)
      return reason;
   if (!nv3_program_equal(&translate->position, &translate->next_position)) {
      nv3_program_copy(&translate->position, &translate->next_position);
      translate->last.valid = false;
   }
   return check_loads(ctx, &translate->position);
}

static struct pass *
pass_of(const struct nv3_context *ctx, const struct nv3_draw_state *state)
{
   return &ctx->translate->passes[state - ctx->states];
}

static const struct nv3_program *
program_of(const struct nv3_context *ctx)
{
   return &pass_of(ctx, ctx->state)->program;
}

void
nv3_translate_invalidate(struct nv3_translate *translate, bool position)
{
   if (position)
      translate->position_known = false;
   for (unsigned i = 0; i < NV3_MAX_PASSES; i++)
      translate->passes[i].shader = NULL;
}

void
nv3_translate_forget_variants(struct nv3_translate *translate)
{
   nv3_variants_clear(translate->variants);
}

const char *
nv3_translate_validate(struct nv3_context *ctx,
                       const struct nv3_draw_state *state)
{
   struct pass *pass = pass_of(ctx, state);
   const char *reason = refuse(ctx, state);

   pass->computed = false;
   if (reason)
      return reason;
   if (!ctx->translate->position_known) {
      ctx->translate->position_reason = link_position(ctx);
      ctx->translate->position_known = true;
   }
   if (ctx->translate->position_reason)
      return ctx->translate->position_reason;
   if (pass->shader != state->shader || pass->fog_op != state->fog_op ||
       pass->color_source != state->color_source) {
      pass->shader = state->shader;
      pass->fog_op = state->fog_op;
      pass->color_source = state->color_source;
      pass->reason = link_program(ctx, state, &pass->program);
   }
   pass->computed = !pass->reason;
   return pass->reason ? pass->reason : refuse_to_draw(ctx);
}

/* ---- conversion of results ---- */

static const float *
result(const struct nv3_context *ctx, const struct nv3_program *program,
       enum nv3_result which)
{
   int reg = program->results[which];

   return reg < 0 ? NULL : ctx->translate->regs[reg];
}

/* Sets values that no program computes. */
static void
prepare_soa(const struct nv3_draw_state *state, struct nv3_soa *out)
{
   for (unsigned i = 0; i < NV3_SOA_WIDTH; i++) {
      out->color[i] = state->uniform_color;
      out->fog[i] = state->uniform_fog;
      out->u[i] = out->v[i] = 0.0f;
      out->flags[i] = 0;
   }
}

/*
 * Converts the results of the pass's program. Returns false if rhw is
 * unchanged.
 */
static bool
convert_soa(const struct nv3_context *ctx, const float *rhws,
            struct nv3_soa *out, unsigned lanes)
{
   const struct nv3_draw_state *state = ctx->state;
   const struct nv3_program *program = program_of(ctx);
   const float *q = result(ctx, program, NV3_RESULT_Q);

   if (result(ctx, program, NV3_RESULT_RED))
      nv3_soa_color(result(ctx, program, NV3_RESULT_RED),
                    result(ctx, program, NV3_RESULT_GREEN),
                    result(ctx, program, NV3_RESULT_BLUE),
                    result(ctx, program, NV3_RESULT_ALPHA), state->alpha, out,
                    lanes);
   if (result(ctx, program, NV3_RESULT_FOG))
      nv3_soa_fog(result(ctx, program, NV3_RESULT_FOG), out, lanes);
   for (unsigned i = 0; i < lanes && state->brightens; i++)
      out->fog[i] = nv3_draw_brighten(state, out->color[i]);
   if (result(ctx, program, NV3_RESULT_U))
      nv3_soa_coordinates(state, result(ctx, program, NV3_RESULT_U),
                          result(ctx, program, NV3_RESULT_V), q, rhws, out,
                          lanes);
   return q != NULL;
}

/* The ranges of a colour channel at the vertices of a draw. */
enum {
   CHANNEL_BELOW = 1 << 0,  /* < 0 */
   CHANNEL_ABOVE = 1 << 1,  /* > 1 */
   CHANNEL_LESS = 1 << 2,   /* < 1 */
   CHANNEL_MORE = 1 << 3,   /* > 0 */
};

/* Clamping by less than half a step of 8 bits is invisible. */
#define CHANNEL_ROOM (0.5f / 255.0f)

/* Records the ranges in which the values are. Compares floats as integers. */
static void
check_channel(const float *values, unsigned count, uint8_t *seen)
{
   const int32_t room = fui(CHANNEL_ROOM), below_one = fui(1.0f - CHANNEL_ROOM),
                 above_one = fui(1.0f + CHANNEL_ROOM);
   unsigned any = *seen;

   for (unsigned i = 0; i < count; i++) {
      int32_t bits = fui(values[i]);

      any |= bits < 0 && (bits & INT32_MAX) > room ? CHANNEL_BELOW : 0;
      any |= bits > above_one ? CHANNEL_ABOVE : 0;
      any |= bits < below_one ? CHANNEL_LESS : 0;
      any |= bits > room ? CHANNEL_MORE : 0;
   }
   *seen = any;
}

/*
 * True if the channel can be clamped at the vertices. This is correct if the
 * interpolated channel needs no clamping, or if all of its values are clamped
 * and it is not used in further computations.
 */
static bool
channel_fits(const struct nv3_draw_state *state, uint8_t seen)
{
   if (state->shader->textured || state->shader->fog >= 0)
      return !(seen & (CHANNEL_BELOW | CHANNEL_ABOVE));
   return !((seen & CHANNEL_BELOW && seen & CHANNEL_MORE) ||
            (seen & CHANNEL_ABOVE && seen & CHANNEL_LESS));
}

static void
store_positions(const struct nv3_context *ctx, const struct nv3_soa *in,
                unsigned first, unsigned count)
{
   const struct nv3_program *program = &ctx->translate->position;
   struct nv3_vertices *vertices = &ctx->translate->vertices;
   struct nv3_chip_vertex *out = &vertices->chip[first];
   float (*clip)[4] = &vertices->clip[first];
   const float *x = result(ctx, program, NV3_RESULT_X);
   const float *y = result(ctx, program, NV3_RESULT_Y);
   const float *z = result(ctx, program, NV3_RESULT_Z);
   const float *w = result(ctx, program, NV3_RESULT_W);
   uint32_t any = 0, all = ~0u;

   for (unsigned i = 0; i < count; i++, out++) {
      out->x = in->x[i];
      out->y = in->y[i];
      out->z = in->z[i];
      /*
       * A triangle with a vertex inside the limits may need clipping as well.
       */
      clip[i][0] = x[i];
      clip[i][1] = y[i];
      clip[i][2] = z[i];
      clip[i][3] = w[i];
      vertices->at[first + i][0] = in->at_x[i];
      vertices->at[first + i][1] = in->at_y[i];
      vertices->position_flags[first + i] = in->flags[i];
      vertices->flags[first + i] = in->flags[i];
      any |= in->flags[i];
      all &= in->flags[i];
   }
   vertices->any_position_flags |= any;
   vertices->all_position_flags &= all;
}

static void
store_soa(const struct nv3_context *ctx, const struct nv3_soa *in,
          const float *rhws, unsigned first, unsigned count)
{
   struct nv3_vertices *vertices = &ctx->translate->vertices;
   struct nv3_chip_vertex *out = &vertices->chip[first];
   uint32_t any = 0;

   for (unsigned i = 0; i < count; i++, out++) {
      out->fog = in->fog[i];
      out->color = in->color[i];
      out->rhw = rhws[i];
      out->u = in->u[i];
      out->v = in->v[i];
      vertices->flags[first + i] = vertices->position_flags[first + i] |
                                   in->flags[i];
      any |= in->flags[i];
   }
   vertices->any_flags |= any;
}

/* ---- vertices ---- */

/*
 * Loads the attributes of @program for @count vertices, starting at the draw's
 * vertex @at. The first load of @program is load @skip of the draw. @mesh may
 * be NULL.
 */
static void
fetch(struct nv3_context *ctx, const struct nv3_program *program,
      const struct nv3_mesh *mesh, const struct nv3_mesh_draw *draw,
      unsigned skip, unsigned at, unsigned count)
{
   for (unsigned i = 0; i < program->load_count; i++) {
      const struct nv3_attribute *attr = draw->loads[skip + i].attr;
      float *reg = ctx->translate->regs[program->loads[i].reg];

      if (mesh && attr->stride)
         memcpy(reg, mesh->loads + (size_t)at * draw->load_count +
                     (skip + i) * NV3_SOA_WIDTH, NV3_SOA_WIDTH * sizeof(*reg));
      else
         nv3_attribute_fetch(attr, attr->data + (uint64_t)(draw->first + at) *
                                   attr->stride,
                             draw->loads[skip + i].component, reg, count);
   }
}

/* Computes the positions of @count vertices. */
static void
run_positions(struct nv3_context *ctx, const struct nv3_mesh *mesh,
              const struct nv3_mesh_draw *draw, unsigned count)
{
   struct nv3_translate *translate = ctx->translate;
   const struct nv3_program *program = &translate->position;

   translate->vertices.any_position_flags = 0;
   translate->vertices.all_position_flags = 0xff;
   for (unsigned at = 0; at < count; at += NV3_SOA_WIDTH) {
      unsigned part = MIN2(count - at, NV3_SOA_WIDTH);
      unsigned lanes = align(part, NV3_SOA_ALIGN);

      fetch(ctx, program, mesh, draw, 0, at, part);
      nv3_program_run(program, translate->regs, lanes);
      nv3_soa_project(
         &ctx->state->projection, result(ctx, program, NV3_RESULT_X),
         result(ctx, program, NV3_RESULT_Y),
         result(ctx, program, NV3_RESULT_Z),
         result(ctx, program, NV3_RESULT_W),
         &translate->vertices.position_rhw[at], translate->soa, lanes);
      store_positions(ctx, translate->soa, at, part);
   }
   translate->vertices.any_flags = translate->vertices.any_position_flags;
}

/*
 * Computes all results except positions for the current pass. Returns false
 * if the interpolated colours would need clamping.
 */
static bool
run_pass(struct nv3_context *ctx, const struct nv3_mesh *mesh,
         const struct nv3_mesh_draw *draw, unsigned count)
{
   struct nv3_translate *translate = ctx->translate;
   const struct nv3_program *program = program_of(ctx);
   unsigned checked = ctx->state->checked_channels;
   uint8_t seen[4] = { 0 };
   bool fits = true;

   prepare_soa(ctx->state, translate->soa);
   translate->vertices.any_flags = translate->vertices.any_position_flags;
   translate->vertices.point_sizes = NULL;
   for (unsigned at = 0; at < count; at += NV3_SOA_WIDTH) {
      const float *rhws = &translate->vertices.position_rhw[at];
      unsigned part = MIN2(count - at, NV3_SOA_WIDTH);
      unsigned lanes = align(part, NV3_SOA_ALIGN);

      fetch(ctx, program, mesh, draw, translate->position.load_count, at, part);
      nv3_program_run(program, translate->regs, lanes);
      for (unsigned c = 0; c < 4; c++) {
         if (checked & 1 << c)
            check_channel(result(ctx, program, NV3_RESULT_RED + c), part,
                          &seen[c]);
      }
      if (convert_soa(ctx, rhws, translate->soa, lanes))
         rhws = translate->soa->rhw;
      store_soa(ctx, translate->soa, rhws, at, part);
   }
   for (unsigned c = 0; c < 4; c++)
      fits &= channel_fits(ctx->state, seen[c]);
   return fits;
}

/* Draws from the static vertex cache. Returns false if there is no mesh. */
static bool
draw_mesh(struct nv3_context *ctx, const struct nv3_mesh_draw *draw)
{
   struct nv3_vertices *vertices = &ctx->translate->vertices;
   struct nv3_mesh *mesh;

   /* Overlap levels require the same triangles in every pass. */
   if (ctx->blends_in_sw || !nv3_vertex_cache_allows(draw))
      return false;
   mesh = nv3_vertex_cache_get(ctx->translate->cache, ctx->emit, draw);
   if (!mesh)
      return false;
   if (!nv3_draw_flush_deferred(ctx))
      return true;
   ctx->translate->last.valid = false;
   if (!nv3_vertices_resize(vertices, mesh->vertex_count))
      return false;
   run_positions(ctx, mesh, draw, mesh->vertex_count);
   if (vertices->all_position_flags & NV3_BEYOND)
      return true;
   if (!run_pass(ctx, mesh, draw, mesh->vertex_count) && !ctx->checked_draw) {
      ctx->clamped_draw = true;
      return true;
   }
   if (ctx->state->flat ||
       vertices->any_flags & (NV3_MUST_CLIP | NV3_FAR_TEXELS))
      nv3_emit_primitives(ctx->emit, vertices, draw->prim, mesh->indices, 0,
                          draw->index_count);
   else
      nv3_emit_replay(ctx->emit, vertices, &mesh->schedule);
   return true;
}

/* ---- indices ---- */

static bool
resize_indices(struct nv3_translate *translate, unsigned count)
{
   if (count <= translate->indices_max)
      return true;
   count = align(count, 1024);
   FREE(translate->indices);
   FREE(translate->raw);
   translate->indices = MALLOC(count * sizeof(uint32_t));
   translate->raw = MALLOC(count * sizeof(uint32_t));
   translate->raw_size = 0;
   translate->indices_max = translate->indices && translate->raw ? count : 0;
   return translate->indices_max != 0;
}

/*
 * Reads the draw's indices to translate->indices, relative to their minimum.
 * Returns false without memory or if the index buffer is too small.
 */
static bool
get_indices(struct nv3_translate *translate, const struct pipe_draw_info *info,
            const struct pipe_draw_start_count_bias *draw,
            struct nv3_index_range *range)
{
   uint64_t offset = (uint64_t)draw->start * info->index_size;
   unsigned bytes = draw->count * info->index_size;
   const uint8_t *data = info->index.user;

   if (!resize_indices(translate, draw->count))
      return false;
   if (!info->has_user_indices) {
      if (offset + (uint64_t)draw->count * info->index_size >
          info->index.resource->width0)
         return false;
      data = nv3_resource(info->index.resource)->data;
   }
   data += offset;
   if (bytes != translate->raw_size ||
       info->index_size != translate->index_size ||
       memcmp(translate->raw, data, bytes)) {
      translate->last.valid = false;
      translate->range = nv3_indices_read(translate->indices, data,
                                          info->index_size, draw->count);
      for (unsigned i = 0; i < draw->count && translate->range.min; i++)
         translate->indices[i] -= translate->range.min;
      memcpy(translate->raw, data, bytes);
      translate->raw_size = bytes;
      translate->index_size = info->index_size;
   }
   *range = translate->range;
   return true;
}

/* ---- comparison with the last draw ---- */

/* The maximum number of bytes that are compared with the last draw. */
#define LAST_BYTES_MAX (256u << 10)

/*
 * Returns the number of bytes of load @i, or 0 if it has the same attribute
 * as the previous load.
 */
static unsigned
bytes_of_load(const struct nv3_mesh_draw *draw, unsigned i)
{
   const struct nv3_attribute *attr = draw->loads[i].attr;

   if (i && attr == draw->loads[i - 1].attr)
      return 0;
   return (draw->count - 1) * attr->stride +
          util_format_get_blocksize(attr->format);
}

static const uint8_t *
data_of_load(const struct nv3_mesh_draw *draw, unsigned i)
{
   const struct nv3_attribute *attr = draw->loads[i].attr;

   return attr->data + (uint64_t)draw->first * attr->stride;
}

static struct last_draw
key_of(const struct nv3_context *ctx, const struct nv3_mesh_draw *draw)
{
   struct last_draw key = {
      .prim = draw->prim,
      .count = draw->index_count,
      .index_size = draw->index_size,
      .cull = ctx->state->words[NV3_STATE_CONFIG] >>
              NV3_D3D_CONFIG_CULL_SHIFT & 3,
      .flat_first = ctx->state->flat_first,
      .projection = ctx->state->projection,
      .load_count = ctx->translate->position.load_count,
   };

   for (unsigned i = 0; i < key.load_count; i++) {
      key.layouts[i].format = draw->loads[i].attr->format;
      key.layouts[i].stride = draw->loads[i].attr->stride;
      key.bytes_size += bytes_of_load(draw, i);
   }
   return key;
}

/*
 * True if the draw has the same positions and visible triangles as the
 * previous draw.
 */
static bool
is_last_draw(const struct nv3_context *ctx, const struct nv3_mesh_draw *draw)
{
   const struct last_draw *last = &ctx->translate->last;
   struct last_draw key = key_of(ctx, draw);
   const uint8_t *bytes = last->bytes;

   if (!last->valid || key.prim != last->prim || key.count != last->count ||
       key.index_size != last->index_size || key.cull != last->cull ||
       key.flat_first != last->flat_first ||
       key.bytes_size != last->bytes_size ||
       memcmp(&key.projection, &last->projection,
              offsetof(struct nv3_projection, projective)) ||
       key.load_count != last->load_count ||
       memcmp(key.layouts, last->layouts,
              key.load_count * sizeof(key.layouts[0])))
      return false;
   for (unsigned i = 0; i < key.load_count; i++) {
      unsigned size = bytes_of_load(draw, i);

      if (memcmp(bytes, data_of_load(draw, i), size))
         return false;
      bytes += size;
   }
   return true;
}

static void
remember_draw(struct nv3_context *ctx, const struct nv3_mesh_draw *draw)
{
   struct last_draw *last = &ctx->translate->last, key = key_of(ctx, draw);
   uint8_t *bytes = last->bytes;

   key.bytes_max = last->bytes_max;
   if (key.bytes_size > LAST_BYTES_MAX)
      return;
   if (key.bytes_size > key.bytes_max) {
      FREE(bytes);
      bytes = MALLOC(key.bytes_size);
      key.bytes_max = bytes ? key.bytes_size : 0;
   }
   key.bytes = bytes;
   key.valid = bytes != NULL;
   *last = key;
   for (unsigned i = 0; i < ctx->translate->position.load_count && bytes; i++) {
      unsigned size = bytes_of_load(draw, i);

      memcpy(bytes, data_of_load(draw, i), size);
      bytes += size;
   }
}

/* ---- draws ---- */

/* Computes positions and visible triangles. Returns false without memory. */
static bool
find_positions(struct nv3_context *ctx, const struct nv3_mesh_draw *draw)
{
   struct nv3_translate *translate = ctx->translate;

   translate->last.valid = false;
   if (!nv3_vertices_resize(&translate->vertices, draw->count))
      return false;
   run_positions(ctx, NULL, draw, draw->count);
   translate->triangles.count = 0;
   if (!(translate->vertices.all_position_flags & NV3_BEYOND) &&
       !nv3_emit_find(ctx->emit, &translate->vertices, draw->prim,
                      draw->indices, draw->index_count,
                      &translate->triangles))
      return false;
   remember_draw(ctx, draw);
   return true;
}

static bool
is_triangles(enum mesa_prim prim)
{
   switch (prim) {
   case MESA_PRIM_TRIANGLES:
   case MESA_PRIM_TRIANGLE_STRIP:
   case MESA_PRIM_TRIANGLE_FAN:
   case MESA_PRIM_POLYGON:
   case MESA_PRIM_QUADS:
   case MESA_PRIM_QUAD_STRIP:
      return true;
   default:
      return false;
   }
}

/* Appends the loads of @program. */
static bool
describe_loads(struct nv3_context *ctx, const struct nv3_program *program,
               struct nv3_attribute *attrs, struct nv3_mesh_draw *out)
{
   for (unsigned i = 0; i < program->load_count; i++, out->load_count++) {
      unsigned at = out->load_count, element = program->loads[i].element;
      bool again = i && element == program->loads[i - 1].element;

      out->loads[at].component = program->loads[i].component;
      out->loads[at].attr = again ? out->loads[at - 1].attr : &attrs[at];
      if (!again && !nv3_attribute_find(ctx, element,
                                        (uint64_t)out->first + out->count - 1,
                                        &attrs[at]))
         return false;
   }
   return true;
}

/* Describes the draw's inputs. Returns false if a buffer is too small. */
static bool
describe(struct nv3_context *ctx, const struct pipe_draw_info *info,
         const struct pipe_draw_start_count_bias *draw,
         struct nv3_attribute *attrs, struct nv3_mesh_draw *out)
{
   out->load_count = 0;
   if (!describe_loads(ctx, &ctx->translate->position, attrs, out) ||
       !describe_loads(ctx, program_of(ctx), attrs, out))
      return false;
   out->prim = info->mode;
   out->index_count = draw->count;
   out->index_start = draw->start;
   out->index_size = info->index_size;
   out->indices = NULL;
   out->index_content = 0;
   if (info->index_size) {
      out->indices = ctx->translate->indices;
      if (!info->has_user_indices)
         out->index_content =
            nv3_buffer_content(nv3_resource(info->index.resource));
   }
   return true;
}

/*
 * Describes the draw's vertices and inputs. Returns false if the draw module
 * must draw.
 */
static bool
prepare(struct nv3_context *ctx, const struct pipe_draw_info *info,
        const struct pipe_draw_start_count_bias *draw,
        struct nv3_attribute *attrs, struct nv3_mesh_draw *out)
{
   struct nv3_index_range range = { draw->start,
                                    draw->start + draw->count - 1 };
   int64_t first, count;

   if (info->index_size && !get_indices(ctx->translate, info, draw, &range))
      return false;
   count = (int64_t)range.max - range.min + 1;
   first = (int64_t)range.min + (info->index_size ? draw->index_bias : 0);
   if (first < 0 || count > MAX_VERTICES || count > 3 * (int64_t)draw->count)
      return false;
   out->first = first;
   out->count = count;
   return describe(ctx, info, draw, attrs, out);
}

/* True if a triangle may touch pixels with deferred blends. */
static bool
overlaps_deferred(const struct nv3_context *ctx)
{
   const struct nv3_vertices *vertices = &ctx->translate->vertices;
   const struct nv3_triangles *triangles = &ctx->translate->triangles;
   int16_t at[3][2];

   if (!ctx->deferred->count || ctx->blends_in_sw)
      return false;
   /* Clipping changes the positions of these triangles. */
   if (vertices->any_position_flags & NV3_MUST_CLIP)
      return true;
   for (unsigned i = 0; i < triangles->count; i++) {
      for (unsigned c = 0; c < 3; c++)
         memcpy(at[c], vertices->at[triangles->list[i].corners[c]],
                sizeof(at[c]));
      if (nv3_deferred_overlaps(ctx->deferred, at))
         return true;
   }
   return false;
}

static bool
is_translatable(const struct pipe_draw_info *info,
                const struct pipe_draw_start_count_bias *draw)
{
   return is_triangles(info->mode) && !info->primitive_restart &&
          info->instance_count == 1 && draw->count <= 4 * MAX_VERTICES;
}

bool
nv3_translate_draw(struct nv3_context *ctx, const struct pipe_draw_info *info,
                   const struct pipe_draw_start_count_bias *draw)
{
   struct nv3_translate *translate = ctx->translate;
   struct nv3_attribute attrs[NV3_MAX_LOADS];
   struct nv3_mesh_draw mesh_draw;

   if (!is_translatable(info, draw))
      return false;
   if (draw->count < 3)
      return true;
   if (!prepare(ctx, info, draw, attrs, &mesh_draw))
      return false;
   if (draw_mesh(ctx, &mesh_draw))
      return true;
   if (!is_last_draw(ctx, &mesh_draw) && !find_positions(ctx, &mesh_draw))
      return false;
   if (overlaps_deferred(ctx) && !nv3_draw_flush_deferred(ctx))
      return true;
   if (translate->triangles.count) {
      if (!run_pass(ctx, NULL, &mesh_draw, mesh_draw.count) &&
          !ctx->checked_draw) {
         ctx->clamped_draw = true;
         return true;
      }
      nv3_emit_found(ctx->emit, &translate->vertices, &translate->triangles);
   }
   return true;
}

bool
nv3_translate_checks_itself(const struct nv3_context *ctx,
                            const struct pipe_draw_info *info,
                            const struct pipe_draw_start_count_bias *draw)
{
   return !ctx->states[0].translate_reason && is_translatable(info, draw);
}

/* Checks the alpha of vertices, for ctx->checks_vertices. */
static const char *
check_alpha(const struct nv3_context *ctx, enum nv3_alpha_use use,
            unsigned count)
{
   const struct nv3_vertices *vertices = &ctx->translate->vertices;

   for (unsigned i = 0; i < count; i++) {
      uint32_t color = vertices->chip[i].color;
      unsigned alpha = color >> 24;

      if (use == NV3_ALPHA_DIVIDED &&
          MAX3(color >> 16 & 0xff, color >> 8 & 0xff, color & 0xff) > alpha)
         return NV3_BRIGHTER_THAN_ALPHA;
      if (use != NV3_ALPHA_DIVIDED && alpha < 255)
         return NV3_TRANSLUCENT;
   }
   return NULL;
}

/* Checks the vertices of the current pass. */
static const char *
check_pass(struct nv3_context *ctx, const struct pipe_draw_info *info,
           const struct pipe_draw_start_count_bias *draw)
{
   struct nv3_translate *translate = ctx->translate;
   struct nv3_vertices *vertices = &translate->vertices;
   enum nv3_alpha_use use = ctx->state->alpha;
   bool checks_alpha = ctx->checks_vertices && ctx->state == ctx->states;
   const char *reason = !checks_alpha              ? NV3_CLAMPED
                        : use == NV3_ALPHA_DIVIDED ? NV3_BRIGHTER_THAN_ALPHA
                                                   : NV3_TRANSLUCENT;
   struct nv3_attribute attrs[NV3_MAX_LOADS];
   struct nv3_mesh_draw mesh_draw;
   bool fits;

   if (!checks_alpha && !ctx->state->checked_channels)
      return NULL;
   if (!pass_of(ctx, ctx->state)->computed || !is_translatable(info, draw) ||
       !prepare(ctx, info, draw, attrs, &mesh_draw))
      return reason;
   translate->last.valid &= mesh_draw.count <= vertices->max;
   if (!nv3_vertices_resize(vertices, mesh_draw.count))
      return reason;
   ctx->state->alpha = NV3_ALPHA_AS_IS;
   fits = run_pass(ctx, NULL, &mesh_draw, mesh_draw.count);
   ctx->state->alpha = use;
   if (!fits)
      return NV3_CLAMPED;
   return checks_alpha ? check_alpha(ctx, use, mesh_draw.count) : NULL;
}

const char *
nv3_translate_check(struct nv3_context *ctx, const struct pipe_draw_info *info,
                    const struct pipe_draw_start_count_bias *draw)
{
   const char *reason = NULL;

   if (draw->count < 3 && is_triangles(info->mode))
      return NULL;
   for (unsigned i = 0; i < ctx->passes && !reason; i++) {
      ctx->state = &ctx->states[i];
      reason = check_pass(ctx, info, draw);
   }
   ctx->state = ctx->states;
   return reason;
}
