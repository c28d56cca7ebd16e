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

#include "llvmpipe/lp_flush.h"
#include "util/hash_table.h"
#include "util/log.h"
#include "util/ralloc.h"
#include "util/set.h"
#include "util/u_inlines.h"

#include "class17/nv3_class17.h"

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
 * Finishes all draws, and releases the render copies, because other contexts
 * and processes may access the framebuffer's resources. A colour buffer can
 * also be a texture, so its copies become outdated.
 */
static void
nv3_flush(struct pipe_context *pipe, struct pipe_fence_handle **out,
          unsigned flags)
{
   struct nv3_context *ctx = nv3_context(pipe);
   const struct pipe_surface *color = nv3_target_surface(ctx, NV3_COLOR);

   nv3_targets_release(ctx);
   nv3_chip_finish(ctx);
   ctx->soft.flush(pipe, out, flags);
   llvmpipe_finish(pipe, "nv3");
   if (color)
      nv3_texture_changed(ctx->screen, color->texture);
}

static void
nv3_set_framebuffer(struct pipe_context *pipe,
                    const struct pipe_framebuffer_state *fb)
{
   struct nv3_context *ctx = nv3_context(pipe);
   const struct pipe_framebuffer_state *old =
      &llvmpipe_context(pipe)->framebuffer;

   if (!ctx->blits && !util_framebuffer_state_equal(old, fb)) {
      nv3_flush(pipe, NULL, 0);
      /* If memory is exhausted, the previous framebuffer lacks draws. */
      for (unsigned i = 0; i < NV3_TARGETS; i++)
         ctx->targets[i].valid = ctx->targets[i].newer = false;
   }
   ctx->soft.set_framebuffer_state(pipe, fb);
}

/* ---- draws and clears ---- */

static void
nv3_draw_vbo(struct pipe_context *pipe, const struct pipe_draw_info *info,
             unsigned drawid_offset,
             const struct pipe_draw_indirect_info *indirect,
             const struct pipe_draw_start_count_bias *draws, unsigned num_draws)
{
   struct nv3_context *ctx = nv3_context(pipe);
   const char *reason;

   if (!ctx->blits) {
      reason = indirect ? "indirect draw" : nv3_validate(ctx, info);
      if (!reason)
         reason = nv3_render_draw(ctx, info, drawid_offset, draws, num_draws);
      if (!reason)
         return;
      log_fallback(ctx, reason);
      ctx->soft_draws++;
      if (!nv3_targets_release(ctx))
         return;
   }
   ctx->soft.draw_vbo(pipe, info, drawid_offset, indirect, draws, num_draws);
}

static void
nv3_clear(struct pipe_context *pipe, unsigned buffers,
          const struct pipe_scissor_state *scissor,
          const union pipe_color_union *color, double depth, unsigned stencil)
{
   if (nv3_targets_release(nv3_context(pipe)))
      nv3_context(pipe)->soft.clear(pipe, buffers, scissor, color, depth,
                                    stencil);
}

/* ---- transfers and blits, by llvmpipe ---- */

static bool
is_target(struct nv3_context *ctx, const struct pipe_resource *resource,
          unsigned which)
{
   const struct pipe_surface *surface = nv3_target_surface(ctx, which);

   return surface && surface->texture == resource;
}

/* Must be called before the CPU or llvmpipe accesses @resource. */
static void
prepare(struct nv3_context *ctx, const struct pipe_resource *resource)
{
   if (is_target(ctx, resource, NV3_COLOR) ||
       is_target(ctx, resource, NV3_ZETA))
      nv3_targets_release(ctx);
}

static void *
nv3_texture_map(struct pipe_context *pipe, struct pipe_resource *resource,
                unsigned level, unsigned usage, const struct pipe_box *box,
                struct pipe_transfer **out)
{
   struct nv3_context *ctx = nv3_context(pipe);

   prepare(ctx, resource);
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

   prepare(ctx, info->src.resource);
   prepare(ctx, info->dst.resource);
   ctx->blits = true;
   ctx->soft.blit(pipe, info);
   ctx->blits = false;
   llvmpipe_finish(pipe, "nv3");
   nv3_texture_changed(ctx->screen, info->dst.resource);
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

   if (is_target(ctx, resource, NV3_ZETA))
      ctx->targets[NV3_ZETA].newer = false;
}

/* ---- queries and fragment shaders ---- */

/*
 * Finishes all draws, so that a timestamp includes the chip's draws. For other
 * queries, nv3_validate() selects llvmpipe while the query is active.
 */
static bool
nv3_end_query(struct pipe_context *pipe, struct pipe_query *query)
{
   struct nv3_context *ctx = nv3_context(pipe);
   bool ended;

   nv3_chip_finish(ctx);
   ended = ctx->soft.end_query(pipe, query);
   llvmpipe_finish(pipe, "nv3");
   return ended;
}

static struct nv3_shader *
find_shader(struct nv3_context *ctx, void *fs)
{
   struct hash_entry *entry =
      fs ? _mesa_hash_table_search(ctx->shaders, fs) : NULL;

   return entry ? entry->data : NULL;
}

static void *
nv3_create_fs(struct pipe_context *pipe, const struct pipe_shader_state *templ)
{
   struct nv3_context *ctx = nv3_context(pipe);
   struct nv3_shader *shader = NULL;
   void *fs;

   if (templ->type == PIPE_SHADER_IR_NIR)
      shader = nv3_shader_create(ctx, templ->ir.nir);
   fs = ctx->soft.create_fs_state(pipe, templ);
   if (fs)
      _mesa_hash_table_insert(ctx->shaders, fs, shader);
   return fs;
}

static void
nv3_bind_fs(struct pipe_context *pipe, void *fs)
{
   nv3_context(pipe)->shader = find_shader(nv3_context(pipe), fs);
   nv3_context(pipe)->soft.bind_fs_state(pipe, fs);
}

static void
nv3_delete_fs(struct pipe_context *pipe, void *fs)
{
   struct nv3_context *ctx = nv3_context(pipe);
   struct nv3_shader *shader = find_shader(ctx, fs);

   if (shader == ctx->shader)
      ctx->shader = NULL;
   ralloc_free(shader);
   _mesa_hash_table_remove_key(ctx->shaders, fs);
   ctx->soft.delete_fs_state(pipe, fs);
}

/* ---- creation and destruction ---- */

static void
nv3_context_destroy(struct pipe_context *pipe)
{
   struct nv3_context *ctx = nv3_context(pipe);

   if (ctx->screen->debug & NV3_DEBUG_STATS)
      mesa_logi("nv3: draws %" PRIu64 " chip, %" PRIu64 " software; %" PRIu64
                " pictures converted", ctx->chip_draws, ctx->soft_draws,
                ctx->conversions);
   if (ctx->push)
      pipe->flush(pipe, NULL, 0);
   if (ctx->render.flatshade)
      ctx->render.flatshade->destroy(ctx->render.flatshade);
   nv3_texture_fini(ctx);
   nv3_chip_fini(ctx);
   ctx->soft.destroy(pipe);
   ralloc_free(ctx);
}

static void
replace_functions(struct pipe_context *pipe)
{
   pipe->destroy = nv3_context_destroy;
   pipe->flush = nv3_flush;
   pipe->set_framebuffer_state = nv3_set_framebuffer;
   pipe->invalidate_resource = nv3_invalidate_resource;
   pipe->draw_vbo = nv3_draw_vbo;
   pipe->clear = nv3_clear;
   pipe->texture_map = nv3_texture_map;
   pipe->texture_unmap = nv3_texture_unmap;
   pipe->blit = nv3_blit;
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
   struct nv3_context *ctx = rzalloc(NULL, struct nv3_context);
   struct nv3_screen *screen = nv3_screen(pscreen);

   if (!ctx)
      return NULL;
   ctx->pipe = screen->soft.context_create(pscreen, ctx, flags);
   if (!ctx->pipe) {
      ralloc_free(ctx);
      return NULL;
   }
   ctx->soft = *ctx->pipe;
   ctx->screen = screen;
   replace_functions(ctx->pipe);
   list_inithead(&ctx->textures);
   ctx->shaders = _mesa_pointer_hash_table_create(ctx);
   ctx->reasons = _mesa_pointer_set_create(ctx);
   if (!nv3_render_init(ctx) || !nv3_chip_init(ctx)) {
      nv3_context_destroy(ctx->pipe);
      return NULL;
   }
   return ctx->pipe;
}
