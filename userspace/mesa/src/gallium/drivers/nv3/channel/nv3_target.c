/* SPDX-License-Identifier: MIT */
/*
 * Render targets: pictures in VRAM that the hardware and the inner context draw
 * to.
 */
#include "pipe/p_screen.h"
#include "frontend/winsys_handle.h"
#include "util/format/u_format.h"
#include "util/u_inlines.h"
#include "util/u_math.h"
#include "util/u_memory.h"

#include "base/nv3_screen.h"
#include "channel/nv3_sw_winsys.h"
#include "channel/nv3_target.h"

void
nv3_target_destroy(struct nv3_target *target)
{
   pipe_resource_reference(&target->inner, NULL);
   nv3_bo_unref(target->bo);
   FREE(target);
}

struct pipe_resource *
nv3_wrap_memory(struct nv3_screen *screen, const struct pipe_resource *templ,
            enum pipe_format format, struct nv3_bo *bo, void *map,
            unsigned stride)
{
   struct nv3_memory mem = { .bo = bo, .map = map, .stride = stride };
   struct winsys_handle whandle = { .stride = stride, .com_obj = &mem };
   struct pipe_resource inner = *templ;

   inner.format = format;
   inner.bind |= PIPE_BIND_DISPLAY_TARGET;
   inner.next = NULL;
   return screen->inner->resource_from_handle(screen->inner, &inner, &whandle,
                                              0);
}

struct nv3_target *
nv3_target_from_bo(struct nv3_screen *screen, const struct pipe_resource *templ,
             struct nv3_bo *bo, void *map, unsigned pitch)
{
   struct nv3_target *target = CALLOC_STRUCT(nv3_target);

   if (!target) {
      nv3_bo_unref(bo);
      return NULL;
   }
   pipe_reference_init(&target->reference, 1);
   target->bo = bo;
   target->map = map;
   target->pitch = pitch;
   target->width = templ->width0;
   target->height = templ->height0;
   target->zeta = util_format_is_depth_or_stencil(templ->format);
   target->inner = nv3_wrap_memory(screen, templ,
                                   target->zeta ? PIPE_FORMAT_Z16_UNORM :
                                              PIPE_FORMAT_B5G5R5X1_UNORM,
                               bo, map, pitch);
   if (!target->inner) {
      nv3_target_destroy(target);
      return NULL;
   }
   return target;
}

struct nv3_bo *
nv3_picture_bo(struct nv3_screen *screen, const struct pipe_resource *templ,
           unsigned cpp, void **map, unsigned *pitch)
{
   struct nv3_bo *bo;

   *pitch = align(templ->width0 * cpp, NV3_PITCH_ALIGN);
   if (nv3_bo_new(screen->dev,
                  (uint64_t)*pitch * align(templ->height0, NV3_LINES_ALIGN),
                  DRM_NV3_GEM_VRAM | DRM_NV3_GEM_SYSTEM, &bo))
      return NULL;
   if (nv3_bo_map(bo, map)) {
      nv3_bo_unref(bo);
      return NULL;
   }
   return bo;
}

struct nv3_target *
nv3_target_create_like(struct nv3_screen *screen,
                       const struct pipe_resource *templ)
{
   unsigned pitch;
   void *map;
   struct nv3_bo *bo = nv3_picture_bo(screen, templ, 2, &map, &pitch);

   return bo ? nv3_target_from_bo(screen, templ, bo, map, pitch) : NULL;
}

struct nv3_target *
nv3_target_create(struct nv3_screen *screen, unsigned width, unsigned height)
{
   const struct pipe_resource templ = {
      .target = PIPE_TEXTURE_2D,
      .format = PIPE_FORMAT_B5G5R5X1_UNORM,
      .width0 = width,
      .height0 = height,
      .depth0 = 1,
      .array_size = 1,
      .bind = PIPE_BIND_RENDER_TARGET,
   };

   return nv3_target_create_like(screen, &templ);
}
