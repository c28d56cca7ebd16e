/* SPDX-License-Identifier: MIT */
/*
 * The winsys of the inner screen. Its display targets are buffers of the nv3,
 * which are mapped for the lifetime of the resource. llvmpipe and the hardware
 * thus draw to the same memory.
 */
#include <stdbool.h>
#include <stdint.h>

#include "frontend/sw_winsys.h"
#include "frontend/winsys_handle.h"
#include "util/u_memory.h"

#include <nv3.h>

#include "channel/nv3_sw_winsys.h"

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
   const struct nv3_memory *mem = whandle->com_obj;
   struct nv3_memory *copy = MALLOC_STRUCT(nv3_memory);

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
   return ((struct nv3_memory *)dt)->map;
}

static void
nv3_sw_unmap(struct sw_winsys *ws, struct sw_displaytarget *dt)
{
}

static void
nv3_sw_free(struct sw_winsys *ws, struct sw_displaytarget *dt)
{
   nv3_bo_unref(((struct nv3_memory *)dt)->bo);
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
