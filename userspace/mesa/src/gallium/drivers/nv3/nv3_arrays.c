/* SPDX-License-Identifier: MIT */
/*
 * Draws of triangles without the draw module: vertices are fetched into arrays,
 * a component each, run through a program of both shaders (nv3_program.h) and
 * put into the chip's form, 64 at a time. A vertex is done once however many
 * triangles it is in.
 */
#include "util/format/u_format.h"
#include "util/os_memory.h"
#include "util/u_inlines.h"
#include "util/u_math.h"
#include "util/u_memory.h"

#include "nv3_arrays.h"
#include "nv3_clip.h"
#include "nv3_context.h"
#include "nv3_draw.h"
#include "nv3_emit.h"
#include "nv3_lanes.h"
#include "nv3_link.h"
#include "nv3_mesh.h"
#include "nv3_resource.h"
#include "nv3_vec.h"
#include "nv3_vs.h"

/* More vertices than this, or such sparse ones, are the draw module's. */
#define MAX_VERTICES (1u << 18)

/* What a pass does to vertices, and what that was made for. */
struct pass {
   struct nv3_program program;
   const struct nv3_shader_info *shader;   /* NULL: for nothing */
   enum nv3_color_source color_source;
   int fog_op;
   const char *reason;
   bool computed;                /* by that program, whoever draws it */
};

struct index_range {
   uint32_t least, most;
};

/*
 * What the vertices' places and the triangles that are to be seen were made from:
 * the next draw's are often the same, as a game draws a surface layer by layer, and
 * a second pass's always are. The bytes are compared.
 */
struct kept {
   bool valid;
   enum mesa_prim prim;
   unsigned count, index_size, cull;
   bool flat_first;
   struct nv3_projection projection;
   unsigned load_count;
   struct layout {
      enum pipe_format format;
      unsigned stride;
   } layouts[NV3_MAX_LOADS / 2];  /* how the bytes are read, for each load */
   uint8_t *bytes;               /* of the attributes that make the place */
   unsigned bytes_size, bytes_max;
};

struct nv3_arrays {
   struct pass passes[NV3_MAX_PASSES];
   struct nv3_program place, next_place;
   const char *place_reason;
   bool place_known;             /* that the program is the state's */
   float vs_values[NV3_MAX_OPS];
   struct nv3_vertices vertices;
   struct nv3_triangles triangles;
   struct kept kept;
   uint32_t *indices;
   unsigned indices_max;
   /* What they were read from. */
   uint8_t *raw;
   unsigned raw_size, index_size;
   struct index_range range;
   float (*regs)[NV3_LANES];
   struct nv3_lanes *lanes;
   struct nv3_meshes *meshes;
   struct nv3_linker *linker;
};

struct nv3_arrays *
nv3_arrays_create(struct nv3_context *ctx)
{
   struct nv3_arrays *arrays = CALLOC_STRUCT(nv3_arrays);

   if (!arrays)
      return NULL;
   arrays->regs = os_malloc_aligned(NV3_MAX_REGS * sizeof(*arrays->regs), 64);
   arrays->lanes = os_malloc_aligned(sizeof(*arrays->lanes), 64);
   arrays->meshes = nv3_meshes_create();
   arrays->linker = nv3_linker_create();
   if (!arrays->regs || !arrays->lanes || !arrays->meshes || !arrays->linker) {
      nv3_arrays_destroy(arrays);
      return NULL;
   }
   memset(arrays->regs, 0, NV3_MAX_REGS * sizeof(*arrays->regs));
   return arrays;
}

void
nv3_arrays_destroy(struct nv3_arrays *arrays)
{
   if (!arrays)
      return;
   nv3_meshes_destroy(arrays->meshes);
   nv3_linker_destroy(arrays->linker);
   nv3_vertices_free(&arrays->vertices);
   FREE(arrays->triangles.list);
   FREE(arrays->kept.bytes);
   FREE(arrays->indices);
   FREE(arrays->raw);
   os_free_aligned(arrays->regs);
   os_free_aligned(arrays->lanes);
   FREE(arrays);
}

/* ---- state ---- */

/* Whether the fragment shader computes with colours: elsewhere bytes clamp them. */
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

/* What is not computed of vertices. */
static const char *
refuse(const struct nv3_context *ctx, const struct nv3_draw_state *state)
{
   const struct pipe_rasterizer_state *rast = &ctx->rast->base;

   if (!ctx->vs->info)
      return "no memory";
   if (ctx->vs->info->reason)
      return ctx->vs->info->reason;
   if (rast->light_twoside)
      return "colours of two sides";
   if (rast->clamp_vertex_color && computes_with_colors(state))
      return "colours that are clamped first";
   for (unsigned i = 0; i < ctx->velems->count; i++) {
      if (ctx->velems->elements[i].instance_divisor)
         return "instances";
   }
   return NULL;
}

/* What is computed, and yet not drawn. */
static const char *
refuse_to_draw(const struct nv3_context *ctx)
{
   const struct pipe_rasterizer_state *rast = &ctx->rast->base;

   if (rast->fill_front != PIPE_POLYGON_MODE_FILL ||
       rast->fill_back != PIPE_POLYGON_MODE_FILL)
      return "polygons that are not filled";
   if (rast->offset_tri)
      return "polygon offset";
   if (rast->clip_plane_enable)
      return "clip planes";
   if (!rast->depth_clip_near || !rast->depth_clip_far)
      return "no clipping by depth";
   return NULL;
}

static const char *
check_loads(const struct nv3_context *ctx, const struct nv3_program *program)
{
   if (program->load_count > NV3_MAX_LOADS / 2)
      return "many attributes";
   for (unsigned i = 0; i < program->load_count; i++) {
      if (program->loads[i].element >= ctx->velems->count)
         return "attributes that are not there";
   }
   return NULL;
}

static const char *
link_program(struct nv3_context *ctx, const struct nv3_draw_state *state,
             struct nv3_program *program)
{
   struct nv3_arrays *arrays = ctx->arrays;
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
   reason = nv3_link(arrays->linker, program, vs, arrays->vs_values, fs, state->values,
                     ops);
   return reason ? reason : check_loads(ctx, program);
}

/* The program for the position. If it is another, what it has made is not kept. */
static const char *
link_place(struct nv3_context *ctx)
{
   static const int none[NV3_RESULTS];
   struct nv3_arrays *arrays = ctx->arrays;
   const struct nv3_vs_info *vs = ctx->vs->info;
   const void *constants;
   const char *reason;
   unsigned size;

   constants = nv3_constants_map(&ctx->constants[NV3_STAGE_VS][0], &size);
   nv3_expr_uniforms(&vs->expr, arrays->vs_values, constants, size);
   reason = nv3_link(arrays->linker, &arrays->next_place, vs, arrays->vs_values, NULL,
                     NULL, none);
   if (reason)
      return reason;
   if (!nv3_program_equal(&arrays->place, &arrays->next_place)) {
      nv3_program_copy(&arrays->place, &arrays->next_place);
      arrays->kept.valid = false;
   }
   return check_loads(ctx, &arrays->place);
}

static struct pass *
pass_of(const struct nv3_context *ctx, const struct nv3_draw_state *state)
{
   return &ctx->arrays->passes[state - ctx->states];
}

static const struct nv3_program *
program_of(const struct nv3_context *ctx)
{
   return &pass_of(ctx, ctx->state)->program;
}

void
nv3_arrays_invalidate(struct nv3_arrays *arrays, bool place)
{
   if (place)
      arrays->place_known = false;
   for (unsigned i = 0; i < NV3_MAX_PASSES; i++)
      arrays->passes[i].shader = NULL;
}

void
nv3_arrays_forget(struct nv3_arrays *arrays)
{
   nv3_linker_forget(arrays->linker);
}

const char *
nv3_arrays_derive(struct nv3_context *ctx, const struct nv3_draw_state *state)
{
   struct pass *pass = pass_of(ctx, state);
   const char *reason = refuse(ctx, state);

   pass->computed = false;
   if (reason)
      return reason;
   if (!ctx->arrays->place_known) {
      ctx->arrays->place_reason = link_place(ctx);
      ctx->arrays->place_known = true;
   }
   if (ctx->arrays->place_reason)
      return ctx->arrays->place_reason;
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

/* ---- results in the chip's form ---- */

static const float *
result(const struct nv3_context *ctx, const struct nv3_program *program,
       enum nv3_result which)
{
   int reg = program->results[which];

   return reg < 0 ? NULL : ctx->arrays->regs[reg];
}

/* What no program writes. */
static void
prepare_lanes(const struct nv3_draw_state *state, struct nv3_lanes *out)
{
   for (unsigned i = 0; i < NV3_LANES; i++) {
      out->color[i] = state->uniform_color;
      out->fog[i] = state->uniform_fog;
      out->u[i] = out->v[i] = 0.0f;
      out->flags[i] = 0;
   }
}

/* What the pass's program has made; false if it leaves rhw as it is. */
static bool
convert_lanes(const struct nv3_context *ctx, const float *rhws,
              struct nv3_lanes *out, unsigned lanes)
{
   const struct nv3_draw_state *state = ctx->state;
   const struct nv3_program *program = program_of(ctx);
   const float *q = result(ctx, program, NV3_RESULT_Q);

   if (result(ctx, program, NV3_RESULT_RED))
      nv3_lanes_color(result(ctx, program, NV3_RESULT_RED),
                      result(ctx, program, NV3_RESULT_GREEN),
                      result(ctx, program, NV3_RESULT_BLUE),
                      result(ctx, program, NV3_RESULT_ALPHA), state->alpha, out,
                      lanes);
   if (result(ctx, program, NV3_RESULT_FOG))
      nv3_lanes_fog(result(ctx, program, NV3_RESULT_FOG), out, lanes);
   for (unsigned i = 0; i < lanes && state->lifts; i++)
      out->fog[i] = nv3_draw_lift(state, out->color[i]);
   if (result(ctx, program, NV3_RESULT_U))
      nv3_lanes_coordinates(state, result(ctx, program, NV3_RESULT_U),
                            result(ctx, program, NV3_RESULT_V), q, rhws, out,
                            lanes);
   return q != NULL;
}

/* Of a vertex's channel, by which of them a pixel between two might be clamped. */
enum {
   CHANNEL_BELOW = 1 << 0,   /* 0 */
   CHANNEL_ABOVE = 1 << 1,   /* 1 */
   CHANNEL_LESS = 1 << 2,    /* than 1 */
   CHANNEL_MORE = 1 << 3,    /* than 0 */
};

/* What is clamped is not seen if it is less than half a step of 8 bits. */
#define CHANNEL_ROOM (0.5f / 255.0f)

/* Whole numbers compare as the floats do. */
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
 * Whether a channel that is interpolated needs no clamping; or all of it does, and
 * nothing is computed with it: then that may be done at the vertices.
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
store_places(const struct nv3_context *ctx, const struct nv3_lanes *in,
             unsigned first, unsigned count)
{
   const struct nv3_program *program = &ctx->arrays->place;
   struct nv3_vertices *vertices = &ctx->arrays->vertices;
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
      /* Also where it is inside: others of its triangles may not be. */
      clip[i][0] = x[i];
      clip[i][1] = y[i];
      clip[i][2] = z[i];
      clip[i][3] = w[i];
      vertices->at[first + i][0] = in->at_x[i];
      vertices->at[first + i][1] = in->at_y[i];
      vertices->place_flags[first + i] = in->flags[i];
      vertices->flags[first + i] = in->flags[i];
      any |= in->flags[i];
      all &= in->flags[i];
   }
   vertices->any_place_flags |= any;
   vertices->all_place_flags &= all;
}

static void
store_lanes(const struct nv3_context *ctx, const struct nv3_lanes *in,
            const float *rhws, unsigned first, unsigned count)
{
   struct nv3_vertices *vertices = &ctx->arrays->vertices;
   struct nv3_chip_vertex *out = &vertices->chip[first];
   uint32_t any = 0;

   for (unsigned i = 0; i < count; i++, out++) {
      out->fog = in->fog[i];
      out->color = in->color[i];
      out->rhw = rhws[i];
      out->u = in->u[i];
      out->v = in->v[i];
      vertices->flags[first + i] = vertices->place_flags[first + i] |
                                   in->flags[i];
      any |= in->flags[i];
   }
   vertices->any_flags |= any;
}

/* ---- vertices ---- */

/*
 * To registers, what @program loads of up to NV3_LANES vertices from the draw's
 * vertex @at on: its loads are the draw's from @skip on. From the mesh, if there is one.
 */
static void
fetch(struct nv3_context *ctx, const struct nv3_program *program,
      const struct nv3_mesh *mesh, const struct nv3_mesh_draw *draw,
      unsigned skip, unsigned at, unsigned count)
{
   for (unsigned i = 0; i < program->load_count; i++) {
      const struct nv3_attribute *attr = draw->loads[skip + i].attr;
      float *reg = ctx->arrays->regs[program->loads[i].reg];

      if (mesh && attr->stride)
         memcpy(reg, mesh->loads + (size_t)at * draw->load_count +
                     (skip + i) * NV3_LANES, NV3_LANES * sizeof(*reg));
      else
         nv3_attribute_fetch(attr, attr->data + (uint64_t)(draw->first + at) *
                                   attr->stride,
                             draw->loads[skip + i].component, reg, count);
   }
}

/* Where @count vertices are. */
static void
run_places(struct nv3_context *ctx, const struct nv3_mesh *mesh,
           const struct nv3_mesh_draw *draw, unsigned count)
{
   struct nv3_arrays *arrays = ctx->arrays;
   const struct nv3_program *program = &arrays->place;

   arrays->vertices.any_place_flags = 0;
   arrays->vertices.all_place_flags = 0xff;
   for (unsigned at = 0; at < count; at += NV3_LANES) {
      unsigned part = MIN2(count - at, NV3_LANES);
      unsigned lanes = align(part, NV3_LANE_ALIGN);

      fetch(ctx, program, mesh, draw, 0, at, part);
      nv3_program_run(program, arrays->regs, lanes);
      nv3_lanes_project(&ctx->state->projection,
                        result(ctx, program, NV3_RESULT_X),
                        result(ctx, program, NV3_RESULT_Y),
                        result(ctx, program, NV3_RESULT_Z),
                        result(ctx, program, NV3_RESULT_W),
                        &arrays->vertices.place_rhw[at], arrays->lanes, lanes);
      store_places(ctx, arrays->lanes, at, part);
   }
   arrays->vertices.any_flags = arrays->vertices.any_place_flags;
}

/*
 * The rest of them, for this pass. False if colours would have to be clamped between
 * vertices.
 */
static bool
run_pass(struct nv3_context *ctx, const struct nv3_mesh *mesh,
         const struct nv3_mesh_draw *draw, unsigned count)
{
   struct nv3_arrays *arrays = ctx->arrays;
   const struct nv3_program *program = program_of(ctx);
   unsigned checked = ctx->state->checked_channels;
   uint8_t seen[4] = { 0 };
   bool fits = true;

   prepare_lanes(ctx->state, arrays->lanes);
   arrays->vertices.any_flags = arrays->vertices.any_place_flags;
   arrays->vertices.point_sizes = NULL;
   for (unsigned at = 0; at < count; at += NV3_LANES) {
      const float *rhws = &arrays->vertices.place_rhw[at];
      unsigned part = MIN2(count - at, NV3_LANES);
      unsigned lanes = align(part, NV3_LANE_ALIGN);

      fetch(ctx, program, mesh, draw, arrays->place.load_count, at, part);
      nv3_program_run(program, arrays->regs, lanes);
      for (unsigned c = 0; c < 4; c++) {
         if (checked & 1 << c)
            check_channel(result(ctx, program, NV3_RESULT_RED + c), part,
                          &seen[c]);
      }
      if (convert_lanes(ctx, rhws, arrays->lanes, lanes))
         rhws = arrays->lanes->rhw;
      store_lanes(ctx, arrays->lanes, rhws, at, part);
   }
   for (unsigned c = 0; c < 4; c++)
      fits &= channel_fits(ctx->state, seen[c]);
   return fits;
}

/* True if it was drawn from what is kept of it. */
static bool
draw_mesh(struct nv3_context *ctx, const struct nv3_mesh_draw *draw)
{
   struct nv3_vertices *vertices = &ctx->arrays->vertices;
   struct nv3_mesh *mesh;

   /* What comes in layers must come again as it was. */
   if (ctx->mixes || !nv3_mesh_allowed(draw))
      return false;
   mesh = nv3_mesh_get(ctx->arrays->meshes, ctx->emit, draw);
   if (!mesh)
      return false;
   if (!nv3_draw_settle(ctx))
      return true;
   ctx->arrays->kept.valid = false;
   if (!nv3_vertices_resize(vertices, mesh->vertex_count))
      return false;
   run_places(ctx, mesh, draw, mesh->vertex_count);
   if (vertices->all_place_flags & NV3_BEYOND)
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

#define READ_INDICES(type)                                                   \
   do {                                                                      \
      const type *in = data;                                                 \
                                                                             \
      for (unsigned i = 0; i < count; i++) {                                 \
         uint32_t index = in[i];                                             \
                                                                             \
         out[i] = index;                                                     \
         least = MIN2(least, index);                                         \
         most = MAX2(most, index);                                           \
      }                                                                      \
   } while (0)

static struct index_range
read_indices(uint32_t *out, const void *data, unsigned size, unsigned count)
{
   uint32_t least = UINT32_MAX, most = 0;

   if (size == 1)
      READ_INDICES(uint8_t);
   else if (size == 2)
      READ_INDICES(uint16_t);
   else
      READ_INDICES(uint32_t);
   return (struct index_range) { least, most };
}

static bool
resize_indices(struct nv3_arrays *arrays, unsigned count)
{
   if (count <= arrays->indices_max)
      return true;
   count = align(count, 1024);
   FREE(arrays->indices);
   FREE(arrays->raw);
   arrays->indices = MALLOC(count * sizeof(uint32_t));
   arrays->raw = MALLOC(count * sizeof(uint32_t));
   arrays->raw_size = 0;
   arrays->indices_max = arrays->indices && arrays->raw ? count : 0;
   return arrays->indices_max != 0;
}

/* The draw's indices to arrays->indices; false without memory or beyond them. */
static bool
get_indices(struct nv3_arrays *arrays, const struct pipe_draw_info *info,
            const struct pipe_draw_start_count_bias *draw,
            struct index_range *range)
{
   uint64_t offset = (uint64_t)draw->start * info->index_size;
   unsigned bytes = draw->count * info->index_size;
   const uint8_t *data = info->index.user;

   if (!resize_indices(arrays, draw->count))
      return false;
   if (!info->has_user_indices) {
      if (offset + (uint64_t)draw->count * info->index_size >
          info->index.resource->width0)
         return false;
      data = nv3_resource(info->index.resource)->data;
   }
   data += offset;
   if (bytes != arrays->raw_size || info->index_size != arrays->index_size ||
       memcmp(arrays->raw, data, bytes)) {
      arrays->kept.valid = false;
      arrays->range = read_indices(arrays->indices, data, info->index_size,
                                   draw->count);
      for (unsigned i = 0; i < draw->count && arrays->range.least; i++)
         arrays->indices[i] -= arrays->range.least;
      memcpy(arrays->raw, data, bytes);
      arrays->raw_size = bytes;
      arrays->index_size = info->index_size;
   }
   *range = arrays->range;
   return true;
}

/* ---- what the next draw may have in common ---- */

/* More of them are not copied. */
#define KEPT_BYTES_MAX (256u << 10)

/* What is read of the attribute of load @i; 0: as of the load before. */
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

static struct kept
key_of(const struct nv3_context *ctx, const struct nv3_mesh_draw *draw)
{
   struct kept key = {
      .prim = draw->prim,
      .count = draw->index_count,
      .index_size = draw->index_size,
      .cull = ctx->state->words[NV3_STATE_CONFIG] >>
              NV3_D3D_CONFIG_CULL_SHIFT & 3,
      .flat_first = ctx->state->flat_first,
      .projection = ctx->state->projection,
      .load_count = ctx->arrays->place.load_count,
   };

   for (unsigned i = 0; i < key.load_count; i++) {
      key.layouts[i].format = draw->loads[i].attr->format;
      key.layouts[i].stride = draw->loads[i].attr->stride;
      key.bytes_size += bytes_of_load(draw, i);
   }
   return key;
}

/* Whether the draw's vertices are where the last one's were. */
static bool
is_kept(const struct nv3_context *ctx, const struct nv3_mesh_draw *draw)
{
   const struct kept *kept = &ctx->arrays->kept;
   struct kept key = key_of(ctx, draw);
   const uint8_t *bytes = kept->bytes;

   if (!kept->valid || key.prim != kept->prim || key.count != kept->count ||
       key.index_size != kept->index_size || key.cull != kept->cull ||
       key.flat_first != kept->flat_first || key.bytes_size != kept->bytes_size ||
       memcmp(&key.projection, &kept->projection,
              offsetof(struct nv3_projection, projective)) ||
       key.load_count != kept->load_count ||
       memcmp(key.layouts, kept->layouts,
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
keep(struct nv3_context *ctx, const struct nv3_mesh_draw *draw)
{
   struct kept *kept = &ctx->arrays->kept, key = key_of(ctx, draw);
   uint8_t *bytes = kept->bytes;

   key.bytes_max = kept->bytes_max;
   if (key.bytes_size > KEPT_BYTES_MAX)
      return;
   if (key.bytes_size > key.bytes_max) {
      FREE(bytes);
      bytes = MALLOC(key.bytes_size);
      key.bytes_max = bytes ? key.bytes_size : 0;
   }
   key.bytes = bytes;
   key.valid = bytes != NULL;
   *kept = key;
   for (unsigned i = 0; i < ctx->arrays->place.load_count && bytes; i++) {
      unsigned size = bytes_of_load(draw, i);

      memcpy(bytes, data_of_load(draw, i), size);
      bytes += size;
   }
}

/* ---- draws ---- */

/* Where the vertices are, and which triangles are to be seen; false without memory. */
static bool
find_places(struct nv3_context *ctx, const struct nv3_mesh_draw *draw)
{
   struct nv3_arrays *arrays = ctx->arrays;

   arrays->kept.valid = false;
   if (!nv3_vertices_resize(&arrays->vertices, draw->count))
      return false;
   run_places(ctx, NULL, draw, draw->count);
   arrays->triangles.count = 0;
   if (!(arrays->vertices.all_place_flags & NV3_BEYOND) &&
       !nv3_emit_find(ctx->emit, &arrays->vertices, draw->prim, draw->indices,
                      draw->index_count, &arrays->triangles))
      return false;
   keep(ctx, draw);
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

/* After those that are there. */
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

/* What the draw reads; false if some of it is not there. */
static bool
describe(struct nv3_context *ctx, const struct pipe_draw_info *info,
         const struct pipe_draw_start_count_bias *draw,
         struct nv3_attribute *attrs, struct nv3_mesh_draw *out)
{
   out->load_count = 0;
   if (!describe_loads(ctx, &ctx->arrays->place, attrs, out) ||
       !describe_loads(ctx, program_of(ctx), attrs, out))
      return false;
   out->prim = info->mode;
   out->index_count = draw->count;
   out->index_start = draw->start;
   out->index_size = info->index_size;
   out->indices = NULL;
   out->index_content = 0;
   if (info->index_size) {
      out->indices = ctx->arrays->indices;
      if (!info->has_user_indices)
         out->index_content =
            nv3_buffer_content(nv3_resource(info->index.resource));
   }
   return true;
}

/* Which vertices the draw has, and of what; false: that is the draw module's. */
static bool
prepare(struct nv3_context *ctx, const struct pipe_draw_info *info,
        const struct pipe_draw_start_count_bias *draw,
        struct nv3_attribute *attrs, struct nv3_mesh_draw *out)
{
   struct index_range range = { draw->start, draw->start + draw->count - 1 };
   int64_t first, count;

   if (info->index_size && !get_indices(ctx->arrays, info, draw, &range))
      return false;
   count = (int64_t)range.most - range.least + 1;
   first = (int64_t)range.least + (info->index_size ? draw->index_bias : 0);
   if (first < 0 || count > MAX_VERTICES || count > 3 * (int64_t)draw->count)
      return false;
   out->first = first;
   out->count = count;
   return describe(ctx, info, draw, attrs, out);
}

/* Whether some of the triangles are where a draw was put off. */
static bool
meets_later(const struct nv3_context *ctx)
{
   const struct nv3_vertices *vertices = &ctx->arrays->vertices;
   const struct nv3_triangles *triangles = &ctx->arrays->triangles;
   int16_t at[3][2];

   if (!ctx->later.count || ctx->mixes)
      return false;
   /* Those are where they are when they have been clipped. */
   if (vertices->any_place_flags & NV3_MUST_CLIP)
      return true;
   for (unsigned i = 0; i < triangles->count; i++) {
      for (unsigned c = 0; c < 3; c++)
         memcpy(at[c], vertices->at[triangles->list[i].corners[c]], sizeof(at[c]));
      if (nv3_later_meets(&ctx->later, at))
         return true;
   }
   return false;
}

static bool
is_for_arrays(const struct pipe_draw_info *info,
              const struct pipe_draw_start_count_bias *draw)
{
   return is_triangles(info->mode) && !info->primitive_restart &&
          info->instance_count == 1 && draw->count <= 4 * MAX_VERTICES;
}

bool
nv3_arrays_draw(struct nv3_context *ctx, const struct pipe_draw_info *info,
                const struct pipe_draw_start_count_bias *draw)
{
   struct nv3_arrays *arrays = ctx->arrays;
   struct nv3_attribute attrs[NV3_MAX_LOADS];
   struct nv3_mesh_draw mesh_draw;

   if (!is_for_arrays(info, draw))
      return false;
   if (draw->count < 3)
      return true;
   if (!prepare(ctx, info, draw, attrs, &mesh_draw))
      return false;
   if (draw_mesh(ctx, &mesh_draw))
      return true;
   if (!is_kept(ctx, &mesh_draw) && !find_places(ctx, &mesh_draw))
      return false;
   if (meets_later(ctx) && !nv3_draw_settle(ctx))
      return true;
   if (arrays->triangles.count) {
      if (!run_pass(ctx, NULL, &mesh_draw, mesh_draw.count) &&
          !ctx->checked_draw) {
         ctx->clamped_draw = true;
         return true;
      }
      nv3_emit_found(ctx->emit, &arrays->vertices, &arrays->triangles);
   }
   return true;
}

bool
nv3_arrays_checks_itself(const struct nv3_context *ctx,
                         const struct pipe_draw_info *info,
                         const struct pipe_draw_start_count_bias *draw)
{
   return !ctx->states[0].arrays_reason && is_for_arrays(info, draw);
}

/* By their alpha, for ctx->checks_vertices. */
static const char *
check_alpha(const struct nv3_context *ctx, enum nv3_alpha_use use, unsigned count)
{
   const struct nv3_vertices *vertices = &ctx->arrays->vertices;

   for (unsigned i = 0; i < count; i++) {
      uint32_t color = vertices->chip[i].color;
      unsigned alpha = color >> 24;

      if (use == NV3_ALPHA_DIVIDED &&
          MAX3(color >> 16 & 0xff, color >> 8 & 0xff, color & 0xff) > alpha)
         return NV3_GLOWING;
      if (use != NV3_ALPHA_DIVIDED && alpha < 255)
         return NV3_TRANSLUCENT;
   }
   return NULL;
}

/* The vertices of ctx->state, one of ctx->states. */
static const char *
check_pass(struct nv3_context *ctx, const struct pipe_draw_info *info,
           const struct pipe_draw_start_count_bias *draw)
{
   struct nv3_arrays *arrays = ctx->arrays;
   struct nv3_vertices *vertices = &arrays->vertices;
   enum nv3_alpha_use use = ctx->state->alpha;
   bool checks_alpha = ctx->checks_vertices && ctx->state == ctx->states;
   const char *reason = !checks_alpha ? NV3_CLAMPED :
                        use == NV3_ALPHA_DIVIDED ? NV3_GLOWING : NV3_TRANSLUCENT;
   struct nv3_attribute attrs[NV3_MAX_LOADS];
   struct nv3_mesh_draw mesh_draw;
   bool fits;

   if (!checks_alpha && !ctx->state->checked_channels)
      return NULL;
   if (!pass_of(ctx, ctx->state)->computed || !is_for_arrays(info, draw) ||
       !prepare(ctx, info, draw, attrs, &mesh_draw))
      return reason;
   arrays->kept.valid &= mesh_draw.count <= vertices->max;
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
nv3_arrays_check(struct nv3_context *ctx, const struct pipe_draw_info *info,
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
