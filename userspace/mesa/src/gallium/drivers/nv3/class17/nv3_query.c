/* SPDX-License-Identifier: MIT */
/*
 * Queries. The inner context implements queries that count pixels, and
 * executes all draws while such a query is active. For a time query, the
 * driver waits until all earlier draws have finished, and then reads the
 * CPU's clock.
 */
#include "util/os_time.h"
#include "util/u_memory.h"

#include "class17/nv3_chip.h"
#include "class17/nv3_class17.h"
#include "class17/nv3_inner.h"

struct nv3_query {
   struct pipe_query *inner;  /* NULL for times */
   unsigned type;
   int64_t begin, end;        /* ns */
};

/* Waits for all earlier work. Then returns the CPU's time, in ns. */
static int64_t
finish(struct nv3_context *ctx)
{
   struct nv3_pushbuf *push = ctx->chip->push;

   nv3_inner_finish(ctx);
   nv3_chip_flush(ctx);
   nv3_pushbuf_wait(push, nv3_pushbuf_seq(push), INT64_MAX);
   return os_time_get_nano();
}

static uint64_t
nv3_get_timestamp(struct pipe_context *pipe)
{
   return finish(nv3_context(pipe));
}

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
   FREE(query);
}

static bool
nv3_begin_query(struct pipe_context *pipe, struct pipe_query *q)
{
   struct nv3_context *ctx = nv3_context(pipe);
   struct nv3_query *query = (struct nv3_query *)q;

   if (is_of_time(query->type)) {
      query->begin = finish(ctx);
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
      query->end = finish(ctx);
      return true;
   }
   if (counts_pixels(query) && ctx->pixel_queries)
      ctx->pixel_queries--;
   ctx->dirty = true;
   nv3_inner_finish(ctx);
   nv3_chip_flush(ctx);
   return ctx->inner->end_query(ctx->inner, query->inner);
}

static bool
nv3_query_result(struct pipe_context *pipe, struct pipe_query *q, bool wait,
                 union pipe_query_result *result)
{
   struct nv3_context *ctx = nv3_context(pipe);
   struct nv3_query *query = (struct nv3_query *)q;

   if (query->inner)
      return ctx->inner->get_query_result(ctx->inner, query->inner, wait,
                                          result);
   if (query->type == PIPE_QUERY_GPU_FINISHED)
      result->b = true;
   else if (query->type == PIPE_QUERY_TIMESTAMP)
      result->u64 = query->end;
   else
      result->u64 = query->end - query->begin;
   return true;
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
