/* SPDX-License-Identifier: MIT */
/*
 * Queries.
 *
 * The hardware measures time. A notification contains PTIMER's time after the
 * preceding methods (docs/reference/chip/pgraph.md). Class 0x0d copies this
 * time to a timestamp in the query's buffer. The CPU reads the timestamp
 * after the batch. The inner context implements all other queries, and
 * executes all draws while a query counts pixels.
 *
 * The driver waits for draws of the inner context before it submits a later
 * batch, so timestamps are in the order of draws.
 */
#include "util/os_time.h"
#include "util/u_inlines.h"
#include "util/u_memory.h"

#include "class17/nv3_chip.h"
#include "class17/nv3_class17.h"
#include "class17/nv3_inner.h"

/*
 * The size of a notification, which begins with PTIMER's time in nanoseconds.
 * The buffer of a query contains the destination of notifications, followed
 * by the timestamps of the query's begin and end.
 */
#define TIMESTAMP_SIZE 16
enum { NOTIFICATION, BEGIN, END, TIMESTAMPS };

struct nv3_query {
   struct pipe_query *inner;  /* NULL for times */
   unsigned type;

   struct nv3_bo *bo;
   uint8_t *map;
   struct nv3_object *copy;  /* NULL: the CPU measures time */
   /*
    * For each timestamp: the number of the batch that writes it, or 0 if the
    * CPU has measured the time; and the time, when it is known.
    */
   uint64_t batch[TIMESTAMPS], time[TIMESTAMPS];
};

/* ---- timestamps ---- */

static void
init_time(struct nv3_context *ctx, struct nv3_query *query)
{
   struct nv3_graph info = { .operation = NV3_OPERATION_COPY };
   void *map;

   if (!nv3_device_has_class(ctx->screen->dev, NV3_CLASS_M2MF) ||
       nv3_bo_new(ctx->screen->dev, TIMESTAMPS * TIMESTAMP_SIZE,
                  DRM_NV3_GEM_SYSTEM, &query->bo))
      return;
   if (nv3_bo_map(query->bo, &map))
      return;
   query->map = map;
   query->copy = nv3_chip_object(ctx, NV3_CLASS_M2MF, &info, query->bo,
                                 query->bo);
}

static bool
push_timestamp(struct nv3_context *ctx, const struct nv3_query *query,
               unsigned which)
{
   struct nv3_pushbuf *push = ctx->chip->push;
   const struct nv3_lines lines = {
      .to = which * TIMESTAMP_SIZE,
      .from_pitch = TIMESTAMP_SIZE,
      .to_pitch = TIMESTAMP_SIZE,
      .length = TIMESTAMP_SIZE,
      .count = 1,
      .step = 1,
   };

   if (ctx->chip->lost || !query->copy || nv3_pushbuf_space(push, 20) ||
       nv3_pushbuf_select(push, NV3_SUBCH_COPY, query->copy))
      return false;
   nv3_push_method(push, NV3_SUBCH_COPY, NV3_MTHD_NOTIFY, 0);
   /*
    * The chip writes the notification after the next method, which must not
    * be a bind.
    */
   nv3_push_method(push, NV3_SUBCH_COPY, NV3_M2MF_OFFSET_IN, 0);
   return nv3_chip_copy(ctx, query->copy, &lines) && nv3_chip_flush(ctx);
}

/* Requests a timestamp of the end of all earlier work. */
static void
set_timestamp(struct nv3_context *ctx, struct nv3_query *query, unsigned which)
{
   struct nv3_pushbuf *push = ctx->chip->push;

   nv3_inner_finish(ctx);
   query->batch[which] = 0;
   if (push_timestamp(ctx, query, which)) {
      query->batch[which] = nv3_pushbuf_seq(push);
      return;
   }
   nv3_pushbuf_wait(push, nv3_pushbuf_seq(push), INT64_MAX);
   query->time[which] = os_time_get_nano();
}

/* Reads a timestamp. Returns false if the time is not known yet. */
static bool
get_timestamp(struct nv3_context *ctx, struct nv3_query *query, unsigned which,
              bool wait)
{
   if (!query->batch[which])
      return true;
   if (nv3_pushbuf_wait(ctx->chip->push, query->batch[which],
                        wait ? INT64_MAX : 0) && !wait)
      return false;
   memcpy(&query->time[which], query->map + which * TIMESTAMP_SIZE,
          sizeof(query->time[which]));
   return true;
}

static void
free_time(struct nv3_query *query)
{
   nv3_object_unref(query->copy);
   nv3_bo_unref(query->bo);
}

static uint64_t
nv3_get_timestamp(struct pipe_context *pipe)
{
   struct nv3_context *ctx = nv3_context(pipe);
   struct nv3_query query = { .type = PIPE_QUERY_TIMESTAMP };

   init_time(ctx, &query);
   set_timestamp(ctx, &query, END);
   get_timestamp(ctx, &query, END, true);
   free_time(&query);
   return query.time[END];
}

/* ---- queries ---- */

static bool
is_of_time(unsigned type)
{
   return type == PIPE_QUERY_TIMESTAMP || type == PIPE_QUERY_TIME_ELAPSED ||
          type == PIPE_QUERY_GPU_FINISHED;
}

/*
 * True if the query counts pixels. The chip does not count pixels, so the
 * inner context executes such queries.
 */
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
   if (is_of_time(type)) {
      init_time(ctx, query);
      return (struct pipe_query *)query;
   }
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
   free_time(query);
   FREE(query);
}

static bool
nv3_begin_query(struct pipe_context *pipe, struct pipe_query *q)
{
   struct nv3_context *ctx = nv3_context(pipe);
   struct nv3_query *query = (struct nv3_query *)q;

   if (is_of_time(query->type)) {
      set_timestamp(ctx, query, BEGIN);
      return true;
   }
   ctx->pixel_queries += counts_pixels(query);
   ctx->dirty = true;
   return ctx->inner->begin_query(ctx->inner, query->inner);
}

static bool
nv3_end_query(struct pipe_context *pipe, struct pipe_query *q)
{
   struct nv3_context *ctx = nv3_context(pipe);
   struct nv3_query *query = (struct nv3_query *)q;

   if (is_of_time(query->type)) {
      set_timestamp(ctx, query, END);
      return true;
   }
   if (counts_pixels(query) && ctx->pixel_queries)
      ctx->pixel_queries--;
   ctx->dirty = true;
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
   if (!get_timestamp(ctx, query, END, wait))
      return false;
   get_timestamp(ctx, query, BEGIN, true);
   if (query->type == PIPE_QUERY_GPU_FINISHED)
      result->b = true;
   else if (query->type == PIPE_QUERY_TIMESTAMP)
      result->u64 = query->time[END];
   else if (!query->batch[BEGIN] == !query->batch[END])
      result->u64 = query->time[END] - query->time[BEGIN];
   else  /* one time is PTIMER's, the other the CPU's */
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
   ctx->dirty = true;
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
