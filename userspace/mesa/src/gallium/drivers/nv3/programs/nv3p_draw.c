/* SPDX-License-Identifier: MIT */
/*
 * Draws. The chip reads vertices and indices from buffers. u_vbuf uploads
 * vertex arrays from the application's memory, and translates formats that
 * class 0x1f lacks.
 */
#include "util/format/u_format.h"
#include "util/u_draw.h"
#include "util/u_helpers.h"
#include "util/u_inlines.h"
#include "util/u_math.h"
#include "util/u_prim.h"
#include "util/u_vbuf.h"

#include "programs/nv3p_methods.h"
#include "programs/nv3p_program.h"

/*
 * The maximum number of vertices in a piece of a draw. The methods for a piece
 * and for all state must fit into one batch. The kernel allows batches of up to
 * 127 KiB.
 */
#define PIECE (1u << 20)
#define PIECE_WORDS (2 * (PIECE / NV3P_INDEX_BATCH_MAX) + 16)

/* BEGIN_END takes the value of enum mesa_prim plus 1. */
static_assert(MESA_PRIM_POINTS == 0 && MESA_PRIM_POLYGON == 9, "");

struct indices {
   struct nv3p_resource *res;
   uint32_t offset;  /* offset of the first index in @res */
   unsigned size;    /* bytes per index, or 0 without indices */
};

static void
emit_arrays(struct nv3p_context *ctx)
{
   const struct nv3p_velems *velems = ctx->velems;
   const uint16_t attributes = ctx->vs_variant->vs.attributes;
   uint32_t offsets[NV3P_ATTRIBUTES] = { 0 }, formats[NV3P_ATTRIBUTES] = { 0 };
   uint32_t divisors[NV3P_ATTRIBUTES] = { 0 };

   for (unsigned i = 0; i < velems->count; i++) {
      const struct pipe_vertex_element *element = &velems->elements[i];
      const struct pipe_vertex_buffer *vb =
         &ctx->vbufs[element->vertex_buffer_index];
      struct nv3p_resource *res;

      if (!(attributes & 1 << i) || !vb->buffer.resource)
         continue;
      res = nv3p_resource(vb->buffer.resource);
      offsets[i] = nv3p_resource_address(res, 0, 0) + vb->buffer_offset +
                   element->src_offset;
      formats[i] = nv3p_vertex_format(element->src_format) |
                   element->src_stride << NV3_PM_ARRAY_STRIDE_SHIFT;
      divisors[i] = element->instance_divisor;
      nv3p_batch_use(ctx, res->bo, false);
   }
   nv3p_emit_run(ctx, NV3_PM_ARRAY_OFFSET, offsets, NV3P_ATTRIBUTES);
   nv3p_emit_run(ctx, NV3_PM_ARRAY_FORMAT, formats, NV3P_ATTRIBUTES);
   nv3p_emit_run(ctx, NV3_PM_ARRAY_DIVISOR, divisors, NV3P_ATTRIBUTES);
   ctx->dirty &= ~NV3P_NEW_ARRAYS;
}

/*
 * Reserves room for a piece of the draw, emits the dirty state, and adds the
 * buffers of the draw to the batch. Returns false if the context has lost its
 * channel.
 */
static bool
emit_state(struct nv3p_context *ctx, enum mesa_prim prim,
           const struct indices *indices)
{
   if (!nv3p_reserve(ctx, NV3P_STATE_WORDS + PIECE_WORDS))
      return false;
   if (ctx->batch_seen != ctx->batch.id)
      ctx->dirty |= NV3P_NEW_FRAMEBUFFER | NV3P_NEW_TEXTURES | NV3P_NEW_FS |
                    NV3P_NEW_ARRAYS;
   ctx->batch_seen = ctx->batch.id;
   nv3p_emit_draw_state(ctx, prim);
   if (ctx->dirty & NV3P_NEW_ARRAYS)
      emit_arrays(ctx);
   if (indices->size)
      nv3p_batch_use(ctx, indices->res->bo, false);
   return true;
}

static void
emit_index_state(struct nv3p_context *ctx, const struct pipe_draw_info *info,
                 const struct indices *indices)
{
   static const uint8_t formats[] = {
      [1] = NV3P_IDXBUF_FORMAT_8,
      [2] = NV3P_IDXBUF_FORMAT_16,
      [4] = NV3P_IDXBUF_FORMAT_32,
   };
   const uint32_t words[2] = {
      nv3p_resource_address(indices->res, 0, 0) + indices->offset,
      formats[indices->size],
   };
   const uint32_t restart[2] = { info->primitive_restart,
                                 info->restart_index };

   nv3p_emit_run(ctx, NV3_PM_IDXBUF_OFFSET, words, 2);
   nv3p_emit_run(ctx, NV3_PM_RESTART_ENABLE, restart, 2);
}

/*
 * Emits the methods for vertices @first to @first + @count - 1 of a
 * primitive.
 */
static void
emit_vertices(struct nv3p_context *ctx, unsigned method, unsigned first,
              unsigned count)
{
   while (count) {
      unsigned run = MIN2(count, NV3P_INDEX_BATCH_MAX);

      nv3p_method(ctx, method,
                  first | (run - 1) << NV3_PM_DRAW_COUNT_SHIFT);
      first += run;
      count -= run;
   }
}

/*
 * Draws one instance. The chip adds @base to each index. In draws without
 * indices, @base is the first vertex.
 */
static void
draw_instance(struct nv3p_context *ctx, const struct pipe_draw_info *info,
              const struct indices *indices, unsigned instance, uint32_t base,
              unsigned count)
{
   unsigned method = indices->size ? NV3_PM_INDEX_BATCH : NV3_PM_DRAW_ARRAYS;

   if (!emit_state(ctx, info->mode, indices))
      return;
   if (indices->size)
      emit_index_state(ctx, info, indices);
   nv3p_emit(ctx, NV3_PM_INSTANCE, instance);
   nv3p_emit(ctx, NV3_PM_ELEMENT_BASE, base);
   nv3p_method(ctx, NV3_PM_BEGIN_END, info->mode + 1);
   for (unsigned first = 0; first < count; first += PIECE) {
      if (first && !emit_state(ctx, info->mode, indices))
         return;
      emit_vertices(ctx, method, first, MIN2(count - first, PIECE));
   }
   nv3p_method(ctx, NV3_PM_BEGIN_END, 0);
}

void
nv3p_draw(struct nv3p_context *ctx, const struct pipe_draw_info *info,
          const struct pipe_draw_start_count_bias *draw)
{
   struct indices indices = { .size = info->index_size };
   struct pipe_resource *uploaded = NULL;
   unsigned count = draw->count;

   if (info->index_size && info->has_user_indices) {
      if (!util_upload_index_buffer(&ctx->base, info, draw, &uploaded,
                                    &indices.offset, 4))
         return;
      indices.res = nv3p_resource(uploaded);
      indices.offset += draw->start * info->index_size;
   } else if (info->index_size) {
      indices.res = nv3p_resource(info->index.resource);
      nv3p_resource_claim(ctx, indices.res);
      indices.offset = draw->start * info->index_size;
   }
   /*
    * Do not read indices beyond the end of the buffer, because the read would
    * stop the channel.
    */
   if (indices.res)
      count = MIN2(count, (indices.res->base.width0 -
                           MIN2(indices.offset, indices.res->base.width0)) /
                             info->index_size);
   for (unsigned i = 0; i < info->instance_count && count; i++)
      draw_instance(ctx, info, &indices, info->start_instance + i,
                    info->index_size ? draw->index_bias : draw->start, count);
   pipe_resource_reference(&uploaded, NULL);
}

/*
 * Returns the features (NV3P_FS_*) that the fragment program needs for
 * primitives of type @prim.
 */
static unsigned
fs_features(const struct nv3p_context *ctx, enum mesa_prim prim,
            enum nv3p_tnl_reason reason)
{
   const struct pipe_rasterizer_state *rast = ctx->rast;
   unsigned features = 0;

   if (reason == NV3P_TNL_SMOOTH_LINES)
      features |= NV3P_FS_SMOOTH_LINES;
   if (reason == NV3P_TNL_SMOOTH_POINTS)
      features |= NV3P_FS_SMOOTH_POINTS;
   if (rast->poly_stipple_enable &&
       u_reduced_prim(prim) == MESA_PRIM_TRIANGLES &&
       rast->fill_front == PIPE_POLYGON_MODE_FILL)
      features |= NV3P_FS_STIPPLE;
   return features;
}

/* ---- bounds ---- */

/* Returns the highest vertex number that the draw uses. */
static unsigned
last_vertex(struct nv3p_context *ctx, const struct pipe_draw_info *info,
            const struct pipe_draw_start_count_bias *draw)
{
   struct pipe_draw_start_count_bias inside = *draw;
   unsigned min, max;

   if (!info->index_size)
      return draw->start + draw->count - 1;
   if (!info->has_user_indices) {
      const unsigned count = info->index.resource->width0 / info->index_size;

      inside.start = MIN2(draw->start, count);
      inside.count = MIN2(draw->count, count - inside.start);
   }
   if (!inside.count)
      return 0;
   u_vbuf_get_minmax_index(&ctx->base, info, &inside, &min, &max);
   return max + draw->index_bias;
}

/* True if the draw reads beyond the end of a vertex buffer. */
static bool
exceeds_buffers(struct nv3p_context *ctx, const struct pipe_draw_info *info,
                const struct pipe_draw_start_count_bias *draw)
{
   const unsigned last = last_vertex(ctx, info, draw);

   for (unsigned i = 0; i < ctx->velems->count; i++) {
      const struct pipe_vertex_element *element = &ctx->velems->elements[i];
      const struct pipe_vertex_buffer *vb =
         &ctx->vbufs[element->vertex_buffer_index];
      const unsigned divisor = element->instance_divisor;
      const uint64_t index =
         divisor ? info->start_instance + (info->instance_count - 1) / divisor :
                   last;
      const uint64_t end = vb->buffer_offset + element->src_offset +
                           index * element->src_stride +
                           util_format_get_blocksize(element->src_format);

      if (vb->buffer.resource && end > vb->buffer.resource->width0)
         return true;
   }
   return false;
}

/*
 * Returns true if the context is robust and a draw reads beyond the end of a
 * vertex buffer. Such a draw needs the draw module, which checks bounds. The
 * chip would fault or read another buffer.
 */
static bool
must_check_bounds(struct nv3p_context *ctx, const struct pipe_draw_info *info,
                  const struct pipe_draw_start_count_bias *draws,
                  unsigned num_draws)
{
   if (!ctx->robust || !info->instance_count)
      return false;
   for (unsigned i = 0; i < num_draws; i++) {
      if (draws[i].count && exceeds_buffers(ctx, info, &draws[i]))
         return true;
   }
   return false;
}

static void
nv3p_draw_vbo(struct pipe_context *pipe, const struct pipe_draw_info *info,
              unsigned drawid_offset,
              const struct pipe_draw_indirect_info *indirect,
              const struct pipe_draw_start_count_bias *draws,
              unsigned num_draws)
{
   struct nv3p_context *ctx = nv3p_context(pipe);
   enum nv3p_tnl_reason reason;
   unsigned features;

   if (indirect && indirect->buffer) {
      util_draw_indirect(pipe, info, drawid_offset, indirect);
      return;
   }
   reason = nv3p_tnl_needed(ctx, info->mode);
   features = fs_features(ctx, info->mode, reason);
   if (ctx->rast->rasterizer_discard || !nv3p_check_condition(ctx) ||
       (features & NV3P_FS_STIPPLE && !nv3p_prepare_stipple(ctx)) ||
       !nv3p_update_fs(ctx, features) || !nv3p_prepare_targets(ctx))
      return;
   if (!reason && must_check_bounds(ctx, info, draws, num_draws))
      reason = NV3P_TNL_BOUNDS;
   if (!reason && !nv3p_update_vs(ctx, ctx->vs))
      reason = NV3P_TNL_LIMITS;
   ctx->draws++;
   if (reason) {
      nv3p_tnl_draw(ctx, reason, info, drawid_offset, draws, num_draws);
   } else {
      for (unsigned i = 0; i < num_draws; i++)
         nv3p_draw(ctx, info, &draws[i]);
   }
   nv3p_targets_written(ctx);
}

void
nv3p_init_draw(struct nv3p_context *ctx)
{
   ctx->base.draw_vbo = nv3p_draw_vbo;
}
