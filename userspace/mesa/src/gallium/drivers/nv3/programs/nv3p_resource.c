/* SPDX-License-Identifier: MIT */
/*
 * Implements the layout, the storage, the import and the export of resources.
 */
#include "drm-uapi/drm_fourcc.h"
#include "pipe/p_screen.h"
#include "frontend/winsys_handle.h"
#include "util/format/u_format.h"
#include "util/u_inlines.h"
#include "util/u_math.h"
#include "util/u_memory.h"

#include "base/nv3_screen.h"
#include "base/nv3p_context.h"
#include "base/nv3p_screen.h"

/*
 * The PIPE_BIND_* flags of resources whose memory other processes or the
 * display may use.
 */
#define BIND_SHARED                                                           \
   (PIPE_BIND_SHARED | PIPE_BIND_SCANOUT | PIPE_BIND_DISPLAY_TARGET)
#define BIND_TARGET (PIPE_BIND_RENDER_TARGET | PIPE_BIND_DEPTH_STENCIL)

/* ---- layout ---- */

/* Sets the offsets of all levels, and returns the size in bytes. */
static uint64_t
lay_out(struct nv3p_resource *res)
{
   const struct pipe_resource *base = &res->base;
   uint64_t at = 0;

   if (base->target == PIPE_BUFFER)
      return base->width0;
   for (unsigned i = 0; i <= base->last_level; i++) {
      struct nv3p_level *level = &res->levels[i];
      const unsigned scale = nv3p_is_sampled(base) ? 2 : 1;
      unsigned columns = u_minify(base->width0, i) * scale;
      unsigned lines = u_minify(base->height0, i) * scale;

      lines = util_format_get_nblocksy(base->format, lines);
      level->offset = at;
      level->pitch = align(util_format_get_stride(base->format, columns),
                           NV3P_PITCH_ALIGN);
      level->slice = level->pitch * lines;
      at += (uint64_t)level->slice * u_minify(base->depth0, i);
   }
   if (base->target == PIPE_TEXTURE_CUBE) {
      res->face = align64(at, NV3P_FACE_ALIGN);
      at = 6ull * res->face;
   }
   return at;
}

/*
 * Returns the domain for a new resource. Textures begin in system memory and
 * move to VRAM when they become render targets. PIPE_BIND_RENDER_TARGET does
 * not show which textures will be render targets, because state trackers set
 * this flag for all textures whose format allows it.
 */
static uint32_t
choose_domain(const struct pipe_resource *templ)
{
   if (templ->target == PIPE_BUFFER)
      return DRM_NV3_GEM_SYSTEM;
   if (templ->bind & BIND_SHARED ||
       (templ->bind & BIND_TARGET && !(templ->bind & PIPE_BIND_SAMPLER_VIEW)))
      return DRM_NV3_GEM_VRAM;
   return DRM_NV3_GEM_SYSTEM;
}

/* ---- storage ---- */

static void
resource_destroy(struct pipe_screen *pscreen, struct pipe_resource *presource)
{
   struct nv3p_resource *res = nv3p_resource(presource);

   nv3p_bo_reference(&res->bo, NULL);
   nv3p_bo_reference(&res->moved, NULL);
   util_range_destroy(&res->valid);
   FREE(res);
}

static struct nv3p_resource *
resource_new(struct pipe_screen *pscreen, const struct pipe_resource *templ)
{
   struct nv3p_resource *res = CALLOC_STRUCT(nv3p_resource);

   if (!res)
      return NULL;
   res->base = *templ;
   res->base.screen = pscreen;
   res->base.next = NULL;
   pipe_reference_init(&res->base.reference, 1);
   util_range_init(&res->valid);
   return res;
}

/*
 * Returns true if class 0x1f supports the sample count of @templ. Multisampled
 * resources have one level, one layer and at most NV3P_SAMPLED_SIZE pixels per
 * side.
 */
static bool
samples_fit(const struct nv3p_screen *screen,
            const struct pipe_resource *templ)
{
   return !nv3p_is_sampled(templ) ||
          (screen->multisample && templ->nr_samples == NV3P_SAMPLES &&
           templ->width0 <= NV3P_SAMPLED_SIZE &&
           templ->height0 <= NV3P_SAMPLED_SIZE && templ->last_level == 0 &&
           templ->array_size == 1);
}

static struct pipe_resource *
resource_create(struct pipe_screen *pscreen, const struct pipe_resource *templ)
{
   struct nv3p_resource *res;
   uint64_t size;

   if (!samples_fit(nv3p_screen(pscreen), templ))
      return NULL;
   res = resource_new(pscreen, templ);
   if (!res)
      return NULL;
   size = lay_out(res);
   res->size = size;
   if (size <= INT32_MAX)
      res->bo = nv3p_bo_create(nv3p_screen(pscreen), MAX2(size, 1),
                               choose_domain(templ));
   if (!res->bo) {
      resource_destroy(pscreen, &res->base);
      return NULL;
   }
   return &res->base;
}

static bool
replace_storage(struct nv3p_context *ctx, struct nv3p_resource *res,
                uint32_t domains, bool keep)
{
   struct nv3p_bo *bo = nv3p_bo_create(ctx->screen, res->size, domains);
   struct nv3p_bo *old = res->bo;
   bool allowed;

   if (!bo)
      return false;
   if (keep)
      nv3p_bo_sync(ctx, old, false, true);
   simple_mtx_lock(&ctx->screen->storage_lock);
   allowed = !res->shared_by_contexts ||
             (domains == DRM_NV3_GEM_VRAM && !res->moved);
   if (allowed) {
      if (keep)
         memcpy(bo->map, (uint8_t *)old->map + res->offset, res->size);
      if (res->shared_by_contexts)
         nv3p_bo_reference(&res->moved, old);
      res->bo = bo;
      res->offset = 0;
      bo = old;
   }
   simple_mtx_unlock(&ctx->screen->storage_lock);
   nv3p_bo_reference(&bo, NULL);
   /*
    * Texture units may have cached texels of another texture at the new
    * address. Make the next draw invalidate these texels.
    */
   if (allowed && res->written)
      nv3p_resource_written(res);
   nv3p_rebind(ctx, res);
   return allowed;
}

bool
nv3p_resource_make_target(struct nv3p_context *ctx, struct nv3p_resource *res)
{
   nv3p_resource_claim(ctx, res);
   if (res->bo->domains != DRM_NV3_GEM_VRAM)
      replace_storage(ctx, res, DRM_NV3_GEM_VRAM, res->written != 0);
   return res->bo->domains == DRM_NV3_GEM_VRAM;
}

bool
nv3p_resource_rename(struct nv3p_context *ctx, struct nv3p_resource *res,
                     bool keep)
{
   if (res->bo->shared || res->shared_by_contexts ||
       res->bo->domains != DRM_NV3_GEM_SYSTEM ||
       res->base.flags & PIPE_RESOURCE_FLAG_MAP_PERSISTENT)
      return false;
   return replace_storage(ctx, res, DRM_NV3_GEM_SYSTEM, keep);
}

struct pipe_resource *
nv3p_resource_alias(struct pipe_resource *resource)
{
   struct nv3p_resource *res = nv3p_resource(resource);
   struct pipe_resource templ = *resource;
   struct nv3p_resource *alias;

   templ.width0 *= 2;
   templ.height0 *= 2;
   templ.nr_samples = templ.nr_storage_samples = 0;
   alias = resource_new(resource->screen, &templ);
   if (!alias)
      return NULL;
   nv3p_bo_reference(&alias->bo, res->bo);
   alias->offset = res->offset;
   alias->size = res->size;
   alias->levels[0] = res->levels[0];
   alias->written = res->written;
   return &alias->base;
}

void
nv3p_resource_written(struct nv3p_resource *res)
{
   res->written = p_atomic_inc_return(&res->bo->screen->serial);
}

/* ---- import and export ---- */

static struct pipe_resource *
resource_from_handle(struct pipe_screen *pscreen,
                     const struct pipe_resource *templ,
                     struct winsys_handle *whandle, unsigned usage)
{
   struct nv3p_screen *screen = nv3p_screen(pscreen);
   struct nv3p_resource *res;
   struct nv3_bo *bo;
   uint64_t end;

   bo = nv3_handle_import(screen->dev, whandle);
   if (!bo)
      return NULL;
   res = resource_new(pscreen, templ);
   if (!res) {
      nv3_bo_unref(bo);
      return NULL;
   }
   res->base.bind |= PIPE_BIND_SHARED;
   res->size = lay_out(res);
   res->levels[0].pitch = whandle->stride;
   res->offset = whandle->offset;
   res->bo = nv3p_bo_from_bo(screen, bo);
   end = (uint64_t)whandle->stride *
            util_format_get_nblocksy(templ->format, templ->height0) +
         whandle->offset;
   if (!res->bo || end > res->bo->base.size ||
       whandle->stride < util_format_get_stride(templ->format, templ->width0)) {
      resource_destroy(pscreen, &res->base);
      return NULL;
   }
   nv3p_resource_written(res);
   return &res->base;
}

static bool
resource_get_handle(struct pipe_screen *pscreen, struct pipe_context *pipe,
                    struct pipe_resource *presource,
                    struct winsys_handle *whandle, unsigned usage)
{
   struct nv3p_resource *res = nv3p_resource(presource);

   res->bo->shared = true;
   return nv3_handle_export(res->bo->bo, res->levels[0].pitch, res->offset,
                            whandle);
}

static bool
resource_get_param(struct pipe_screen *pscreen, struct pipe_context *pipe,
                   struct pipe_resource *presource, unsigned plane,
                   unsigned layer, unsigned level,
                   enum pipe_resource_param param, unsigned handle_usage,
                   uint64_t *value)
{
   struct winsys_handle whandle = { .type = WINSYS_HANDLE_TYPE_KMS };
   struct nv3p_resource *res = nv3p_resource(presource);

   switch (param) {
   case PIPE_RESOURCE_PARAM_NPLANES:
      *value = 1;
      return true;
   case PIPE_RESOURCE_PARAM_STRIDE:
      *value = res->levels[level].pitch;
      return true;
   case PIPE_RESOURCE_PARAM_OFFSET:
      *value = nv3p_resource_offset(res, level, layer);
      return true;
   case PIPE_RESOURCE_PARAM_MODIFIER:
      *value = DRM_FORMAT_MOD_LINEAR;
      return true;
   case PIPE_RESOURCE_PARAM_HANDLE_TYPE_KMS:
      break;
   case PIPE_RESOURCE_PARAM_HANDLE_TYPE_FD:
      whandle.type = WINSYS_HANDLE_TYPE_FD;
      break;
   case PIPE_RESOURCE_PARAM_HANDLE_TYPE_SHARED:
      whandle.type = WINSYS_HANDLE_TYPE_SHARED;
      break;
   default:
      return false;
   }
   if (!resource_get_handle(pscreen, pipe, presource, &whandle, handle_usage))
      return false;
   *value = whandle.handle;
   return true;
}

void
nv3p_screen_init_resource(struct nv3p_screen *screen)
{
   screen->base.resource_create = resource_create;
   screen->base.resource_from_handle = resource_from_handle;
   screen->base.resource_get_handle = resource_get_handle;
   screen->base.resource_get_param = resource_get_param;
   screen->base.resource_destroy = resource_destroy;
}
