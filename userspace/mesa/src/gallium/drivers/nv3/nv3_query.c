/* SPDX-License-Identifier: MIT */
/*
 * Queries.
 *
 * The hardware measures time. A notification contains PTIMER's time after the
 * methods before it (docs/reference/chip/pgraph.md). Class 0x0d copies it to
 * the query's memory, where it can be read after the batch. The inner context
 * implements all other queries, and draws while a query counts pixels.
 *
 * Draws of the inner context are finished before a later batch is submitted, so
 * timestamps are in the order of draws.
 */
#include "util/bitset.h"
#include "util/os_time.h"
#include "util/u_inlines.h"
#include "util/u_memory.h"

#include "base/nv3_context.h"
#include "channel/nv3_chip.h"
#include "channel/nv3_m2mf.h"
#include "channel/nv3_sync.h"
#include "sw/nv3_deferred_blend.h"

#include "nv3_pipe.h"

/* The size of a notification, which begins with PTIMER's nanoseconds. */
#define TIMESTAMP_SIZE 16
/* Timestamps per block. The first is the destination of notifications. */
#define TIMESTAMPS     256

/* A block of timestamps, which the hardware writes. */
struct nv3_timestamps {
   struct nv3_timestamps *next;
   struct nv3_bo *bo;
   uint8_t *map;
   struct nv3_object *copy;
   BITSET_DECLARE(used, TIMESTAMPS);
};

/* A timestamp. Its value is known after its batch has been executed. */
struct timestamp {
   struct nv3_timestamps *block;  /* NULL: @time is known */
   unsigned index;
   uint64_t batch;           /* sequence number */
   uint64_t time;
   bool by_cpu;              /* CPU time, because there is no hardware time */
};

struct nv3_query {
   struct pipe_query *inner;  /* may be NULL */
   unsigned type;
   struct timestamp begin, end;
};

/* ---- timestamps ---- */

static void
free_block(struct nv3_timestamps *block)
{
   nv3_object_unref(block->copy);
   nv3_bo_unref(block->bo);
   FREE(block);
}

static struct nv3_timestamps *
new_block(struct nv3_context *ctx)
{
   struct nv3_timestamps *block;
   struct nv3_graph info = { .operation = NV3_OPERATION_COPY };
   void *map;

   if (!nv3_device_has_class(ctx->screen->dev, NV3_CLASS_M2MF))
      return NULL;
   block = CALLOC_STRUCT(nv3_timestamps);
   if (!block)
      return NULL;
   if (nv3_bo_new(ctx->screen->dev, TIMESTAMPS * TIMESTAMP_SIZE, DRM_NV3_GEM_SYSTEM,
                  &block->bo) ||
       nv3_bo_map(block->bo, &map)) {
      free_block(block);
      return NULL;
   }
   block->map = map;
   info.dma[0] = nv3_chip_dma(ctx, block->bo, 0);
   info.dma[1] = nv3_chip_dma(ctx, block->bo, DRM_NV3_DMA_WRITE);
   info.dma_notify = info.dma[1];
   if (!info.dma[0] || !info.dma[1] ||
       nv3_graph_new(ctx->chip->chan, 0, NV3_CLASS_M2MF, &info, &block->copy))
      block->copy = NULL;
   nv3_object_unref(info.dma[0]);
   nv3_object_unref(info.dma[1]);
   if (!block->copy) {
      free_block(block);
      return NULL;
   }
   BITSET_SET(block->used, 0);
   block->next = ctx->timestamps;
   ctx->timestamps = block;
   return block;
}

/*
 * Allocates memory for a timestamp. Returns false if the hardware can't write
 * it.
 */
static bool
alloc_timestamp(struct nv3_context *ctx, struct timestamp *stamp)
{
   for (struct nv3_timestamps *block = ctx->timestamps; block; block = block->next) {
      for (unsigned i = 1; i < TIMESTAMPS; i++) {
         if (!BITSET_TEST(block->used, i)) {
            stamp->block = block;
            stamp->index = i;
            break;
         }
      }
      if (stamp->block)
         break;
   }
   if (!stamp->block) {
      stamp->block = new_block(ctx);
      stamp->index = 1;
   }
   if (stamp->block)
      BITSET_SET(stamp->block->used, stamp->index);
   return stamp->block;
}

/*
 * A batch may still write to this memory. That does no harm, because the next
 * timestamp in this memory belongs to a later batch.
 */
static void
free_timestamp(struct timestamp *stamp)
{
   if (stamp->block)
      BITSET_CLEAR(stamp->block->used, stamp->index);
   stamp->block = NULL;
}

static bool
push_timestamp(struct nv3_context *ctx, const struct timestamp *stamp)
{
   struct nv3_pushbuf *push = ctx->chip->push;
   const struct nv3_m2mf_lines lines = {
      .to = stamp->index * TIMESTAMP_SIZE,
      .from_pitch = TIMESTAMP_SIZE,
      .to_pitch = TIMESTAMP_SIZE,
      .length = TIMESTAMP_SIZE,
      .count = 1,
      .step = 1,
   };

   ctx->chip->d3d_current = false;
   if (nv3_pushbuf_space(push, 20) ||
       nv3_pushbuf_select(push, NV3_SUBCH_COPY, stamp->block->copy))
      return false;
   nv3_push_method(push, NV3_SUBCH_COPY, NV3_MTHD_NOTIFY, 0);
   /*
    * The notification is written after the next method, which must not be a
    * bind.
    */
   nv3_push_method(push, NV3_SUBCH_COPY, NV3_M2MF_OFFSET_IN, 0);
   return nv3_m2mf_copy(ctx, stamp->block->copy, &lines);
}

/* Requests the time at which all earlier work is finished. */
static void
set_timestamp(struct nv3_context *ctx, struct timestamp *stamp)
{
   struct nv3_pushbuf *push = ctx->chip->push;

   free_timestamp(stamp);
   nv3_inner_finish(ctx);
   nv3_deferred_flush(ctx);
   stamp->by_cpu = ctx->chip->lost || !alloc_timestamp(ctx, stamp) ||
                  !push_timestamp(ctx, stamp) || !nv3_chip_flush(ctx);
   stamp->batch = nv3_pushbuf_seq(push);
   if (!stamp->by_cpu)
      return;
   free_timestamp(stamp);
   nv3_pushbuf_wait(push, stamp->batch, INT64_MAX);
   stamp->time = os_time_get_nano();
}

/* Returns false if the time is not known yet. */
static bool
get_timestamp(struct nv3_context *ctx, struct timestamp *stamp, bool wait)
{
   if (!stamp->block)
      return true;
   if (nv3_pushbuf_wait(ctx->chip->push, stamp->batch, wait ? INT64_MAX : 0) &&
       !wait)
      return false;
   memcpy(&stamp->time, stamp->block->map + stamp->index * TIMESTAMP_SIZE,
          sizeof(stamp->time));
   free_timestamp(stamp);
   return true;
}

static uint64_t
nv3_get_timestamp(struct pipe_context *pipe)
{
   struct nv3_context *ctx = nv3_context(pipe);
   struct timestamp stamp = { 0 };

   set_timestamp(ctx, &stamp);
   get_timestamp(ctx, &stamp, true);
   return stamp.time;
}

/* ---- queries ---- */

static bool
is_of_time(unsigned type)
{
   return type == PIPE_QUERY_TIMESTAMP || type == PIPE_QUERY_TIME_ELAPSED ||
          type == PIPE_QUERY_GPU_FINISHED;
}

/* The chip does not count pixels. */
static bool
counts_pixels(const struct nv3_query *query)
{
   return query->type == PIPE_QUERY_OCCLUSION_COUNTER ||
          query->type == PIPE_QUERY_OCCLUSION_PREDICATE ||
          query->type == PIPE_QUERY_OCCLUSION_PREDICATE_CONSERVATIVE;
}

static struct pipe_query *
nv3_create_query(struct pipe_context *pipe, unsigned type, unsigned index)
{
   struct nv3_context *ctx = nv3_context(pipe);
   struct nv3_query *query = CALLOC_STRUCT(nv3_query);

   if (!query)
      return NULL;
   query->type = type;
   if (is_of_time(type))
      return (struct pipe_query *)query;
   query->inner = ctx->inner->create_query(ctx->inner, type, index);
   if (!query->inner) {
      FREE(query);
      return NULL;
   }
   return (struct pipe_query *)query;
}

static void
nv3_destroy_query(struct pipe_context *pipe, struct pipe_query *q)
{
   struct nv3_context *ctx = nv3_context(pipe);
   struct nv3_query *query = (struct nv3_query *)q;

   if (query->inner)
      ctx->inner->destroy_query(ctx->inner, query->inner);
   free_timestamp(&query->begin);
   free_timestamp(&query->end);
   FREE(query);
}

static bool
nv3_begin_query(struct pipe_context *pipe, struct pipe_query *q)
{
   struct nv3_context *ctx = nv3_context(pipe);
   struct nv3_query *query = (struct nv3_query *)q;

   if (is_of_time(query->type)) {
      set_timestamp(ctx, &query->begin);
      return true;
   }
   ctx->pixel_queries += counts_pixels(query);
   ctx->dirty |= NV3_NEW_QUERY;
   return ctx->inner->begin_query(ctx->inner, query->inner);
}

static bool
nv3_end_query(struct pipe_context *pipe, struct pipe_query *q)
{
   struct nv3_context *ctx = nv3_context(pipe);
   struct nv3_query *query = (struct nv3_query *)q;

   if (is_of_time(query->type)) {
      set_timestamp(ctx, &query->end);
      return true;
   }
   if (counts_pixels(query) && ctx->pixel_queries)
      ctx->pixel_queries--;
   ctx->dirty |= NV3_NEW_QUERY;
   /*
    * The inner context and the hardware must have finished the earlier draws.
    */
   nv3_inner_finish(ctx);
   nv3_chip_flush(ctx);
   return ctx->inner->end_query(ctx->inner, query->inner);
}

static bool
time_result(struct nv3_context *ctx, struct nv3_query *query, bool wait,
            union pipe_query_result *result)
{
   if (!get_timestamp(ctx, &query->end, wait))
      return false;
   get_timestamp(ctx, &query->begin, true);
   if (query->type == PIPE_QUERY_GPU_FINISHED)
      result->b = true;
   else if (query->type == PIPE_QUERY_TIMESTAMP)
      result->u64 = query->end.time;
   else if (query->begin.by_cpu == query->end.by_cpu)
      result->u64 = query->end.time - query->begin.time;
   else
      result->u64 = 0;
   return true;
}

static bool
nv3_query_result(struct pipe_context *pipe, struct pipe_query *q, bool wait,
                 union pipe_query_result *result)
{
   struct nv3_context *ctx = nv3_context(pipe);
   struct nv3_query *query = (struct nv3_query *)q;

   if (is_of_time(query->type))
      return time_result(ctx, query, wait, result);
   return ctx->inner->get_query_result(ctx->inner, query->inner, wait, result);
}

static void
nv3_set_active_queries(struct pipe_context *pipe, bool enable)
{
   struct nv3_context *ctx = nv3_context(pipe);

   ctx->inner->set_active_query_state(ctx->inner, enable);
}

static void
nv3_render_condition(struct pipe_context *pipe, struct pipe_query *q,
                     bool condition, enum pipe_render_cond_flag mode)
{
   struct nv3_context *ctx = nv3_context(pipe);

   ctx->conditional = q != NULL;
   ctx->dirty |= NV3_NEW_QUERY;
   ctx->inner->render_condition(ctx->inner,
                                q ? ((struct nv3_query *)q)->inner : NULL,
                                condition, mode);
}

void
nv3_init_query(struct nv3_context *ctx)
{
   struct pipe_context *pipe = &ctx->base;

   pipe->create_query = nv3_create_query;
   pipe->destroy_query = nv3_destroy_query;
   pipe->begin_query = nv3_begin_query;
   pipe->end_query = nv3_end_query;
   pipe->get_query_result = nv3_query_result;
   pipe->set_active_query_state = nv3_set_active_queries;
   pipe->render_condition = nv3_render_condition;
   pipe->get_timestamp = nv3_get_timestamp;
}

void
nv3_query_fini(struct nv3_context *ctx)
{
   while (ctx->timestamps) {
      struct nv3_timestamps *block = ctx->timestamps;

      ctx->timestamps = block->next;
      free_block(block);
   }
}
