/* SPDX-License-Identifier: MIT */
/*
 * Render targets: buffers to which both the hardware and the inner rasterizer
 * (llvmpipe) render. The winsys of the inner screen gives llvmpipe access to
 * the buffers.
 */
#include "pipe/p_screen.h"
#include "frontend/sw_winsys.h"
#include "frontend/winsys_handle.h"
#include "util/format/u_format.h"
#include "util/u_inlines.h"
#include "util/u_math.h"
#include "util/u_memory.h"

#include "class17/nv3_class17.h"
#include "class17/nv3_resource.h"

/* ---- winsys ---- */

/*
 * The memory of an inner resource. The winsys holds a reference to the buffer,
 * so the memory stays mapped until the inner context has finished its draws.
 */
struct memory {
   struct nv3_bo *bo;
   void *map;
   unsigned stride;
};

static void
nv3_sw_destroy(struct sw_winsys *ws)
{
   FREE(ws);
}

static bool
nv3_sw_format_supported(struct sw_winsys *ws, unsigned tex_usage,
                        enum pipe_format format)
{
   return true;
}

static struct sw_displaytarget *
nv3_sw_from_handle(struct sw_winsys *ws, const struct pipe_resource *templ,
                   struct winsys_handle *whandle, unsigned *stride)
{
   const struct memory *mem = whandle->com_obj;
   struct memory *copy = MALLOC_STRUCT(memory);

   if (!copy)
      return NULL;
   *copy = *mem;
   nv3_bo_ref(copy->bo);
   *stride = mem->stride;
   return (struct sw_displaytarget *)copy;
}

static void *
nv3_sw_map(struct sw_winsys *ws, struct sw_displaytarget *dt, unsigned flags)
{
   return ((struct memory *)dt)->map;
}

static void
nv3_sw_unmap(struct sw_winsys *ws, struct sw_displaytarget *dt)
{
}

static void
nv3_sw_free(struct sw_winsys *ws, struct sw_displaytarget *dt)
{
   nv3_bo_unref(((struct memory *)dt)->bo);
   FREE(dt);
}

struct sw_winsys *
nv3_sw_winsys_create(void)
{
   struct sw_winsys *ws = CALLOC_STRUCT(sw_winsys);

   if (!ws)
      return NULL;
   ws->destroy = nv3_sw_destroy;
   ws->is_displaytarget_format_supported = nv3_sw_format_supported;
   ws->displaytarget_from_handle = nv3_sw_from_handle;
   ws->displaytarget_map = nv3_sw_map;
   ws->displaytarget_unmap = nv3_sw_unmap;
   ws->displaytarget_destroy = nv3_sw_free;
   return ws;
}

/* ---- targets ---- */

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
   struct memory mem = { .bo = bo, .map = map, .stride = stride };
   struct winsys_handle whandle = { .stride = stride, .com_obj = &mem };
   struct pipe_resource inner = *templ;

   inner.format = format;
   inner.bind |= PIPE_BIND_DISPLAY_TARGET;
   inner.next = NULL;
   return screen->inner->resource_from_handle(screen->inner, &inner, &whandle,
                                              0);
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
nv3_target_create(struct nv3_screen *screen, const struct pipe_resource *templ)
{
   struct nv3_target *target = CALLOC_STRUCT(nv3_target);

   if (!target)
      return NULL;
   pipe_reference_init(&target->reference, 1);
   target->width = templ->width0;
   target->height = templ->height0;
   target->zeta = util_format_is_depth_or_stencil(templ->format);
   target->bo = nv3_picture_bo(screen, templ, sizeof(uint16_t), &target->map,
                               &target->pitch);
   if (target->bo)
      target->inner =
         nv3_wrap_memory(screen, templ,
                         target->zeta ? PIPE_FORMAT_Z16_UNORM :
                                        PIPE_FORMAT_B5G5R5X1_UNORM,
                         target->bo, target->map, target->pitch);
   if (!target->inner) {
      nv3_target_destroy(target);
      return NULL;
   }
   return target;
}
