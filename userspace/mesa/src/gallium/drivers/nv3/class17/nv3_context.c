/* SPDX-License-Identifier: MIT */
/*
 * Implements contexts. A context is an llvmpipe context. This file replaces
 * those functions that must choose between the chip and llvmpipe, or that must
 * update copies of a picture.
 *
 * A flush waits until the chip and llvmpipe have finished all draws. The fence
 * of a flush can therefore be llvmpipe's, and is signaled when the flush
 * returns.
 */
#include <inttypes.h>

#include "pipe/p_state.h"
#include "llvmpipe/lp_query.h"
#include "util/hash_table.h"
#include "util/log.h"
#include "util/os_time.h"
#include "util/set.h"
#include "util/u_inlines.h"
#include "util/u_math.h"
#include "util/u_memory.h"
#include "util/u_pack_color.h"

#include "class17/nv3_class17.h"
#include "class17/nv3_shader.h"

/* If NV3_DEBUG=fallback is set, prints each reason once. */
static void
log_fallback(struct nv3_context *ctx, const char *reason)
{
   bool found;

   if (!(ctx->screen->debug & NV3_DEBUG_FALLBACK))
      return;
   _mesa_set_search_or_add(ctx->reasons, reason, &found);
   if (!found)
      mesa_logi("nv3: software fallback: %s", reason);
}

/* ---- framebuffer and flushes ---- */

/*
 * Flushes llvmpipe and waits until it has finished all draws. If @out is not
 * NULL, sets *@out to a signaled fence.
 */
static void
finish_soft(struct nv3_context *ctx, struct pipe_fence_handle **out)
{
   struct pipe_screen *screen = ctx->pipe->screen;
   struct pipe_fence_handle *fence = NULL;

   ctx->soft.flush(ctx->pipe, &fence, 0);
   screen->fence_finish(screen, NULL, fence, OS_TIMEOUT_INFINITE);
   if (out)
      screen->fence_reference(screen, out, fence);
   screen->fence_reference(screen, &fence, NULL);
}

/*
 * Finishes all draws, and converts the render copies to the resources of the
 * framebuffer, because other contexts and processes may read the resources.
 * Makes the render copies invalid, because others may then change the
 * resources. Sets *@out like finish_soft().
 */
static void
finish(struct nv3_context *ctx, struct pipe_fence_handle **out)
{
   const struct pipe_framebuffer_state *fb =
      &llvmpipe_context(ctx->pipe)->framebuffer;

   nv3_targets_discard(ctx);
   nv3_chip_finish(ctx);
   finish_soft(ctx, out);
   for (unsigned i = 0; ctx->soft_drawn && i < fb->nr_cbufs; i++) {
      if (fb->cbufs[i])
         nv3_texture_changed(ctx->screen, fb->cbufs[i]->texture);
   }
   ctx->soft_drawn = false;
}

static void
nv3_flush(struct pipe_context *pipe, struct pipe_fence_handle **out,
          unsigned flags)
{
   finish(nv3_context(pipe), out);
   nv3_textures_shared_changed(nv3_screen(pipe->screen));
}

static void
nv3_set_framebuffer(struct pipe_context *pipe,
                    const struct pipe_framebuffer_state *fb)
{
   struct nv3_context *ctx = nv3_context(pipe);

   if (!ctx->blits &&
       !util_framebuffer_state_equal(&llvmpipe_context(pipe)->framebuffer, fb))
      finish(ctx, NULL);
   ctx->soft.set_framebuffer_state(pipe, fb);
}

static bool
is_depth(struct nv3_context *ctx, const struct pipe_resource *resource)
{
   const struct pipe_surface *zsbuf =
      llvmpipe_context(ctx->pipe)->framebuffer.zsbuf;

   return zsbuf && zsbuf->texture == resource;
}

static void
nv3_flush_resource(struct pipe_context *pipe, struct pipe_resource *resource)
{
   nv3_targets_store(nv3_context(pipe));
   nv3_context(pipe)->soft.flush_resource(pipe, resource);
}

/*
 * Avoids the conversion of a depth buffer whose contents the program no longer
 * needs.
 */
static void
nv3_invalidate_resource(struct pipe_context *pipe,
                        struct pipe_resource *resource)
{
   struct nv3_context *ctx = nv3_context(pipe);

   if (is_depth(ctx, resource))
      ctx->targets[NV3_ZETA].newer = false;
}

/* ---- draws and clears ---- */

/*
 * Must be called before llvmpipe draws to or clears the framebuffer. If a
 * colour buffer is also a texture, finish() then makes the texture's copies
 * outdated.
 */
static void
begin_soft(struct nv3_context *ctx)
{
   nv3_targets_discard(ctx);
   ctx->soft_drawn = true;
}

static void
nv3_draw_vbo(struct pipe_context *pipe, const struct pipe_draw_info *info,
             unsigned drawid_offset,
             const struct pipe_draw_indirect_info *indirect,
             const struct pipe_draw_start_count_bias *draws, unsigned num_draws)
{
   struct nv3_context *ctx = nv3_context(pipe);
   const char *reason;

   if (!ctx->blits) {
      reason = nv3_validate(ctx, info, indirect);
      if (!reason)
         reason = nv3_render_draw(ctx, info, drawid_offset, draws, num_draws);
      if (!reason)
         return;
      log_fallback(ctx, reason);
      begin_soft(ctx);
      ctx->count.soft_draws++;
   }
   ctx->soft.draw_vbo(pipe, info, drawid_offset, indirect, draws, num_draws);
}

/* Clears a render copy. Returns false if the batch is lost. */
static bool
clear_target(struct nv3_context *ctx, unsigned which, uint16_t value)
{
   struct nv3_target *target = &ctx->targets[which];

   if (!nv3_chip_fill(ctx, which == NV3_ZETA, value))
      return false;
   target->valid = target->newer = true;
   return true;
}

/*
 * Ignores @scissor, because the state tracker clears parts of a framebuffer by
 * drawing.
 */
static void
nv3_clear(struct pipe_context *pipe, unsigned buffers,
          const struct pipe_scissor_state *scissor,
          const union pipe_color_union *color, double depth, unsigned stencil)
{
   struct nv3_context *ctx = nv3_context(pipe);
   struct llvmpipe_context *lp = llvmpipe_context(pipe);
   bool chip = !ctx->lost && !lp->render_cond_query &&
               !nv3_targets_refuse(ctx) && nv3_targets_create(ctx);
   union util_color packed;

   if (!lp->framebuffer.zsbuf)
      buffers &= ~PIPE_CLEAR_DEPTHSTENCIL;
   /* The render copies have no stencil. */
   if (chip && buffers & PIPE_CLEAR_STENCIL) {
      begin_soft(ctx);
      ctx->soft.clear(pipe, buffers & PIPE_CLEAR_DEPTHSTENCIL, NULL, color,
                      depth, stencil);
      buffers &= ~PIPE_CLEAR_STENCIL;
   }
   util_pack_color(color->f, PIPE_FORMAT_B5G5R5X1_UNORM, &packed);
   if (chip && buffers & PIPE_CLEAR_COLOR &&
       clear_target(ctx, NV3_COLOR, packed.us))
      buffers &= ~PIPE_CLEAR_COLOR;
   if (chip && buffers & PIPE_CLEAR_DEPTH &&
       clear_target(ctx, NV3_ZETA, SATURATE(depth) * 65535.0 + 0.5))
      buffers &= ~PIPE_CLEAR_DEPTH;
   if (buffers) {
      begin_soft(ctx);
      ctx->soft.clear(pipe, buffers, NULL, color, depth, stencil);
   }
}

/* ---- transfers and blits, by llvmpipe ---- */

/*
 * Must be called before the CPU or llvmpipe accesses @resource. If @resource is
 * in the framebuffer, converts the render copies to the resources. If the
 * access is a write, also makes the render copies invalid.
 */
static void
prepare(struct nv3_context *ctx, const struct pipe_resource *resource,
        bool write)
{
   const struct pipe_framebuffer_state *fb =
      &llvmpipe_context(ctx->pipe)->framebuffer;

   if (!is_depth(ctx, resource) &&
       !(fb->nr_cbufs && fb->cbufs[0] && fb->cbufs[0]->texture == resource))
      return;
   nv3_targets_store(ctx);
   if (write)
      nv3_targets_discard(ctx);
}

static void *
nv3_texture_map(struct pipe_context *pipe, struct pipe_resource *resource,
                unsigned level, unsigned usage, const struct pipe_box *box,
                struct pipe_transfer **out)
{
   struct nv3_context *ctx = nv3_context(pipe);

   prepare(ctx, resource, usage & PIPE_MAP_WRITE);
   return ctx->soft.texture_map(pipe, resource, level, usage, box, out);
}

static void
nv3_texture_unmap(struct pipe_context *pipe, struct pipe_transfer *transfer)
{
   struct nv3_context *ctx = nv3_context(pipe);

   if (transfer->usage & PIPE_MAP_WRITE)
      nv3_texture_changed(ctx->screen, transfer->resource);
   ctx->soft.texture_unmap(pipe, transfer);
}

static void
nv3_blit(struct pipe_context *pipe, const struct pipe_blit_info *info)
{
   struct nv3_context *ctx = nv3_context(pipe);

   prepare(ctx, info->src.resource, false);
   prepare(ctx, info->dst.resource, true);
   ctx->blits = true;
   ctx->soft.blit(pipe, info);
   ctx->blits = false;
   finish_soft(ctx, NULL);
   nv3_texture_changed(ctx->screen, info->dst.resource);
}

/* ---- queries ---- */

static bool
is_of_time(const struct llvmpipe_query *query)
{
   return query->type == PIPE_QUERY_TIMESTAMP ||
          query->type == PIPE_QUERY_TIME_ELAPSED ||
          query->type == PIPE_QUERY_GPU_FINISHED;
}

/* Finishes all draws. Returns the time at which they are finished, in ns. */
static uint64_t
time_of_finish(struct nv3_context *ctx)
{
   nv3_chip_finish(ctx);
   finish_soft(ctx, NULL);
   return os_time_get_nano();
}

/*
 * This driver implements queries of times, which include the chip's draws.
 * llvmpipe implements all other queries. nv3_validate() therefore selects
 * llvmpipe while an occlusion or statistics query is active.
 */
static bool
nv3_begin_query(struct pipe_context *pipe, struct pipe_query *q)
{
   struct llvmpipe_query *query = (struct llvmpipe_query *)q;

   if (!is_of_time(query))
      return nv3_context(pipe)->soft.begin_query(pipe, q);
   query->start[0] = time_of_finish(nv3_context(pipe));
   return true;
}

static bool
nv3_end_query(struct pipe_context *pipe, struct pipe_query *q)
{
   struct llvmpipe_query *query = (struct llvmpipe_query *)q;

   if (!is_of_time(query))
      return nv3_context(pipe)->soft.end_query(pipe, q);
   query->end[0] = time_of_finish(nv3_context(pipe));
   return true;
}

/* ---- fragment shaders ---- */

static void *
nv3_create_fs(struct pipe_context *pipe, const struct pipe_shader_state *templ)
{
   struct nv3_context *ctx = nv3_context(pipe);
   struct nv3_shader *shader = NULL;
   void *fs;

   if (templ->type == PIPE_SHADER_IR_NIR)
      shader = nv3_shader_create(nir_shader_clone(NULL, templ->ir.nir),
                                 ctx->screen->debug & NV3_DEBUG_SHADER);
   fs = ctx->soft.create_fs_state(pipe, templ);
   if (fs && shader)
      _mesa_hash_table_insert(ctx->shaders, fs, shader);
   return fs;
}

static struct nv3_shader *
shader_of(struct nv3_context *ctx, void *fs)
{
   struct hash_entry *entry =
      fs ? _mesa_hash_table_search(ctx->shaders, fs) : NULL;

   return entry ? entry->data : NULL;
}

static void
nv3_bind_fs(struct pipe_context *pipe, void *fs)
{
   struct nv3_context *ctx = nv3_context(pipe);

   ctx->shader = shader_of(ctx, fs);
   ctx->soft.bind_fs_state(pipe, fs);
}

static void
nv3_delete_fs(struct pipe_context *pipe, void *fs)
{
   struct nv3_context *ctx = nv3_context(pipe);
   struct nv3_shader *shader = shader_of(ctx, fs);

   if (shader && shader == ctx->shader)
      nv3_bind_fs(pipe, NULL);
   nv3_shader_destroy(shader);
   _mesa_hash_table_remove_key(ctx->shaders, fs);
   ctx->soft.delete_fs_state(pipe, fs);
}

/* ---- creation and destruction ---- */

static void
log_counters(const struct nv3_counters *count)
{
   mesa_logi("nv3: draws %" PRIu64 " chip, %" PRIu64
             " software; %" PRIu64 " triangles; %" PRIu64
             " textures copied, %" PRIu64 " pictures converted",
             count->chip_draws, count->soft_draws, count->chip_triangles,
             count->textures, count->converted);
}

static void
nv3_context_destroy(struct pipe_context *pipe)
{
   struct nv3_context *ctx = nv3_context(pipe);

   if (ctx->screen->debug & NV3_DEBUG_STATS)
      log_counters(&ctx->count);
   if (ctx->push)
      pipe->flush(pipe, NULL, 0);
   nv3_render_destroy(ctx->render);
   nv3_texture_fini(ctx);
   nv3_targets_fini(ctx);
   nv3_chip_fini(ctx);
   hash_table_foreach(ctx->shaders, entry)
      nv3_shader_destroy(entry->data);
   _mesa_hash_table_destroy(ctx->shaders, NULL);
   _mesa_set_destroy(ctx->reasons, NULL);
   ctx->soft.destroy(pipe);
   FREE(ctx);
}

static void
replace_functions(struct pipe_context *pipe)
{
   pipe->destroy = nv3_context_destroy;
   pipe->flush = nv3_flush;
   pipe->set_framebuffer_state = nv3_set_framebuffer;
   pipe->flush_resource = nv3_flush_resource;
   pipe->invalidate_resource = nv3_invalidate_resource;
   pipe->draw_vbo = nv3_draw_vbo;
   pipe->clear = nv3_clear;
   pipe->texture_map = nv3_texture_map;
   pipe->texture_unmap = nv3_texture_unmap;
   pipe->blit = nv3_blit;
   pipe->begin_query = nv3_begin_query;
   pipe->end_query = nv3_end_query;
   pipe->create_fs_state = nv3_create_fs;
   pipe->bind_fs_state = nv3_bind_fs;
   pipe->delete_fs_state = nv3_delete_fs;
   /* Let the state tracker clear textures by mapping them. */
   pipe->clear_texture = NULL;
}

struct pipe_context *
nv3_context_create(struct pipe_screen *pscreen, void *priv, unsigned flags)
{
   struct nv3_context *ctx = CALLOC_STRUCT(nv3_context);
   struct nv3_screen *screen = nv3_screen(pscreen);

   if (!ctx)
      return NULL;
   ctx->pipe = screen->soft.context_create(pscreen, ctx, flags);
   if (!ctx->pipe) {
      FREE(ctx);
      return NULL;
   }
   ctx->soft = *ctx->pipe;
   ctx->screen = screen;
   replace_functions(ctx->pipe);
   list_inithead(&ctx->textures);
   ctx->shaders = _mesa_pointer_hash_table_create(NULL);
   ctx->reasons = _mesa_pointer_set_create(NULL);
   ctx->render = nv3_render_create(ctx);
   if (!ctx->render || !nv3_chip_init(ctx)) {
      nv3_context_destroy(ctx->pipe);
      return NULL;
   }
   return ctx->pipe;
}
