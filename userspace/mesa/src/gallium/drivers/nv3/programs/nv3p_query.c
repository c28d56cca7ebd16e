/* SPDX-License-Identifier: MIT */
/*
 * Implements queries and the render condition.
 *
 * GET_REPORT writes the time and the number of samples that have passed all
 * tests. The result of a query is the difference between two reports, so
 * queries may overlap. All contexts share one buffer of reports, because
 * addresses of reports have only 24 bits.
 */
#include "util/u_dynarray.h"
#include "util/u_memory.h"

#include "base/nv3p_context.h"
#include "programs/nv3p_methods.h"

#define REPORT_WORDS 64
/* The maximum number of intervals of all queries. */
#define INTERVALS 2048

/* A time and a number of samples. The chip writes reports to memory. */
struct report {
   uint64_t time;     /* ns */
   uint32_t samples;
   uint32_t unused;
};

/* An element of the buffer screen->reports. */
struct interval {
   struct report begin, end;
};

/*
 * A query has one interval of reports, and an additional interval for each time
 * that the query was paused.
 */
struct nv3p_query {
   /* in ctx->active_queries, if the query counts samples */
   struct list_head link;
   unsigned type;
   struct util_dynarray intervals;  /* indices in screen->reports (unsigned) */
   bool ready;  /* the reports have been written */
};

/* ---- intervals ---- */

bool
nv3p_screen_init_reports(struct nv3p_screen *screen)
{
   const unsigned bytes = INTERVALS * sizeof(struct interval);

   util_idalloc_mt_init(&screen->intervals, INTERVALS, false);
   screen->reports = nv3p_bo_create(screen, bytes, DRM_NV3_GEM_SYSTEM);
   return screen->reports && screen->reports->address + bytes <= 1 << 24;
}

void
nv3p_screen_fini_reports(struct nv3p_screen *screen)
{
   nv3p_bo_reference(&screen->reports, NULL);
   util_idalloc_mt_fini(&screen->intervals);
}

/*
 * Emits a method that writes a report at @offset of an interval. If the method
 * can't be emitted, the report keeps its previous value.
 */
static void
emit_report(struct nv3p_context *ctx, unsigned interval, unsigned offset)
{
   struct nv3p_bo *bo = ctx->screen->reports;

   if (!nv3p_reserve(ctx, REPORT_WORDS))
      return;
   nv3p_batch_use(ctx, bo, true);
   nv3p_method(ctx, NV3_PM_GET_REPORT,
               bo->address + interval * sizeof(struct interval) + offset);
}

static bool
begin_interval(struct nv3p_context *ctx, struct nv3p_query *query)
{
   const unsigned interval = util_idalloc_mt_alloc(&ctx->screen->intervals);

   if (interval >= INTERVALS) {
      util_idalloc_mt_free(&ctx->screen->intervals, interval);
      return false;
   }
   util_dynarray_append(&query->intervals, unsigned, interval);
   emit_report(ctx, interval, offsetof(struct interval, begin));
   return true;
}

static void
end_interval(struct nv3p_context *ctx, struct nv3p_query *query)
{
   if (query->intervals.size)
      emit_report(ctx, *util_dynarray_top_ptr(&query->intervals, unsigned),
                  offsetof(struct interval, end));
}

static void
free_intervals(struct nv3p_context *ctx, struct nv3p_query *query)
{
   /*
    * Wait, so that no batch in flight writes these reports after another
    * query has allocated them.
    */
   if (query->intervals.size && !query->ready)
      nv3p_bo_sync(ctx, ctx->screen->reports, true, true);
   util_dynarray_foreach(&query->intervals, unsigned, interval)
      util_idalloc_mt_free(&ctx->screen->intervals, *interval);
   util_dynarray_clear(&query->intervals);
}

/* ---- queries ---- */

static bool
counts_samples(unsigned type)
{
   return type == PIPE_QUERY_OCCLUSION_COUNTER ||
          type == PIPE_QUERY_OCCLUSION_PREDICATE ||
          type == PIPE_QUERY_OCCLUSION_PREDICATE_CONSERVATIVE;
}

static struct pipe_query *
nv3p_create_query(struct pipe_context *pipe, unsigned type, unsigned index)
{
   struct nv3p_query *query = CALLOC_STRUCT(nv3p_query);

   if (!query)
      return NULL;
   query->type = type;
   list_inithead(&query->link);
   util_dynarray_init(&query->intervals, NULL);
   return (struct pipe_query *)query;
}

static void
nv3p_destroy_query(struct pipe_context *pipe, struct pipe_query *q)
{
   struct nv3p_query *query = (struct nv3p_query *)q;

   list_del(&query->link);
   free_intervals(nv3p_context(pipe), query);
   util_dynarray_fini(&query->intervals);
   FREE(query);
}

static bool
nv3p_begin_query(struct pipe_context *pipe, struct pipe_query *q)
{
   struct nv3p_context *ctx = nv3p_context(pipe);
   struct nv3p_query *query = (struct nv3p_query *)q;

   free_intervals(ctx, query);
   query->ready = false;
   if (counts_samples(query->type)) {
      list_del(&query->link);
      list_addtail(&query->link, &ctx->active_queries);
   }
   return begin_interval(ctx, query);
}

static bool
nv3p_end_query(struct pipe_context *pipe, struct pipe_query *q)
{
   struct nv3p_context *ctx = nv3p_context(pipe);
   struct nv3p_query *query = (struct nv3p_query *)q;

   /* Queries of other types only have an end. */
   if (!counts_samples(query->type) && query->type != PIPE_QUERY_TIME_ELAPSED &&
       !nv3p_begin_query(pipe, q))
      return false;
   list_delinit(&query->link);
   end_interval(ctx, query);
   return true;
}

/*
 * If @enable is set, resumes the active queries that count samples, otherwise
 * pauses these queries.
 */
static void
nv3p_set_active_query_state(struct pipe_context *pipe, bool enable)
{
   struct nv3p_context *ctx = nv3p_context(pipe);

   list_for_each_entry(struct nv3p_query, query, &ctx->active_queries, link) {
      if (enable)
         begin_interval(ctx, query);
      else
         end_interval(ctx, query);
   }
}

static void
read_reports(const struct nv3p_context *ctx, const struct nv3p_query *query,
             union pipe_query_result *result)
{
   const struct interval *map = ctx->screen->reports->map;
   uint64_t samples = 0, elapsed = 0, time = 0;

   util_dynarray_foreach(&query->intervals, unsigned, interval) {
      const struct report *begin = &map[*interval].begin;
      const struct report *end = &map[*interval].end;

      samples += end->samples - begin->samples;
      elapsed += end->time - begin->time;
      time = end->time;
   }
   if (query->type == PIPE_QUERY_OCCLUSION_COUNTER)
      result->u64 = samples;
   else if (counts_samples(query->type))
      result->b = samples != 0;
   else if (query->type == PIPE_QUERY_TIME_ELAPSED)
      result->u64 = elapsed;
   else if (query->type == PIPE_QUERY_TIMESTAMP)
      result->u64 = time;
   else
      result->b = true;
}

static bool
nv3p_get_query_result(struct pipe_context *pipe, struct pipe_query *q,
                      bool wait, union pipe_query_result *result)
{
   struct nv3p_context *ctx = nv3p_context(pipe);
   struct nv3p_query *query = (struct nv3p_query *)q;

   query->ready = query->ready ||
                  nv3p_bo_sync(ctx, ctx->screen->reports, false, wait);
   if (query->ready)
      read_reports(ctx, query, result);
   return query->ready;
}

static uint64_t
nv3p_get_timestamp(struct pipe_context *pipe)
{
   union pipe_query_result result = { 0 };
   struct pipe_query *query = nv3p_create_query(pipe, PIPE_QUERY_TIMESTAMP, 0);

   if (!query)
      return 0;
   nv3p_end_query(pipe, query);
   nv3p_get_query_result(pipe, query, true, &result);
   nv3p_destroy_query(pipe, query);
   return result.u64;
}

/* ---- render condition ---- */

static void
nv3p_render_condition(struct pipe_context *pipe, struct pipe_query *query,
                      bool condition, enum pipe_render_cond_flag mode)
{
   struct nv3p_context *ctx = nv3p_context(pipe);

   ctx->condition = (struct nv3p_query *)query;
   ctx->condition_value = condition;
   ctx->condition_mode = mode;
}

bool
nv3p_check_condition(struct nv3p_context *ctx)
{
   const bool wait = ctx->condition_mode == PIPE_RENDER_COND_WAIT ||
                     ctx->condition_mode == PIPE_RENDER_COND_BY_REGION_WAIT;
   struct nv3p_query *query = ctx->condition;
   union pipe_query_result result = { 0 };
   bool passed;

   if (!query || !nv3p_get_query_result(&ctx->base, (struct pipe_query *)query,
                                        wait, &result))
      return true;
   passed = query->type == PIPE_QUERY_OCCLUSION_COUNTER ? result.u64 != 0 :
                                                          result.b;
   return passed != ctx->condition_value;
}

void
nv3p_init_query(struct nv3p_context *ctx)
{
   struct pipe_context *pipe = &ctx->base;

   list_inithead(&ctx->active_queries);
   pipe->create_query = nv3p_create_query;
   pipe->destroy_query = nv3p_destroy_query;
   pipe->begin_query = nv3p_begin_query;
   pipe->end_query = nv3p_end_query;
   pipe->get_query_result = nv3p_get_query_result;
   pipe->set_active_query_state = nv3p_set_active_query_state;
   pipe->render_condition = nv3p_render_condition;
   pipe->get_timestamp = nv3p_get_timestamp;
}
