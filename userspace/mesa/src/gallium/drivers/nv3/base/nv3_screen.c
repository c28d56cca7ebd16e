/* SPDX-License-Identifier: MIT */
/* What the screens of both backends have in common. */
#include "pipe/p_screen.h"
#include "pipe/p_state.h"
#include "drm-uapi/drm_fourcc.h"
#include "frontend/winsys_handle.h"
#include "util/disk_cache.h"
#include "util/mesa-sha1.h"

#include <nv3.h>

#include "base/nv3_fence.h"
#include "base/nv3_screen.h"

static const char *
nv3_screen_name(struct pipe_screen *screen)
{
   return "RIVA 128 (nv3)";
}

static const char *
nv3_screen_vendor(struct pipe_screen *screen)
{
   return "Mesa";
}

static const char *
nv3_screen_device_vendor(struct pipe_screen *screen)
{
   return "NVIDIA";
}

/* In KiB. Only VRAM counts, although textures are in system memory. */
static void
nv3_screen_memory_info(struct pipe_screen *screen,
                       struct pipe_memory_info *info)
{
   memset(info, 0, sizeof(*info));
   info->total_device_memory = screen->caps.video_memory << 10;
   info->avail_device_memory = info->total_device_memory;
}

static void
nv3_screen_modifiers(struct pipe_screen *screen, enum pipe_format format,
                     int max, uint64_t *modifiers, unsigned *external_only,
                     int *count)
{
   *count = 1;
   if (max < 1)
      return;
   modifiers[0] = DRM_FORMAT_MOD_LINEAR;
   if (external_only)
      external_only[0] = 0;
}

void
nv3_screen_init_common(struct pipe_screen *screen)
{
   screen->get_name = nv3_screen_name;
   screen->get_vendor = nv3_screen_vendor;
   screen->get_device_vendor = nv3_screen_device_vendor;
   screen->query_memory_info = nv3_screen_memory_info;
   screen->query_dmabuf_modifiers = nv3_screen_modifiers;
   nv3_screen_init_fence(screen);
}

struct disk_cache *
nv3_disk_cache_create(const char *backend)
{
   struct mesa_sha1 ctx;
   uint8_t sha1[SHA1_DIGEST_LENGTH];
   char id[SHA1_DIGEST_STRING_LENGTH];

   _mesa_sha1_init(&ctx);
   if (!disk_cache_get_function_identifier(nv3_disk_cache_create, &ctx))
      return NULL;
   _mesa_sha1_final(&ctx, sha1);
   _mesa_sha1_format(id, sha1);
   return disk_cache_create(backend, id, 0);
}

struct nv3_bo *
nv3_handle_import(struct nv3_device *dev, const struct winsys_handle *whandle)
{
   struct nv3_bo *bo;
   int ret = -1;

   if (whandle->modifier != DRM_FORMAT_MOD_INVALID &&
       whandle->modifier != DRM_FORMAT_MOD_LINEAR)
      return NULL;
   if (whandle->type == WINSYS_HANDLE_TYPE_FD)
      ret = nv3_bo_import(dev, whandle->handle, &bo);
   else if (whandle->type == WINSYS_HANDLE_TYPE_SHARED)
      ret = nv3_bo_from_name(dev, whandle->handle, &bo);
   return ret ? NULL : bo;
}

bool
nv3_handle_export(struct nv3_bo *bo, unsigned stride, unsigned offset,
                  struct winsys_handle *whandle)
{
   uint32_t name;
   int fd;

   whandle->stride = stride;
   whandle->offset = offset;
   whandle->modifier = DRM_FORMAT_MOD_LINEAR;
   switch (whandle->type) {
   case WINSYS_HANDLE_TYPE_KMS:
      whandle->handle = nv3_bo_handle(bo);
      return true;
   case WINSYS_HANDLE_TYPE_FD:
      if (nv3_bo_export(bo, &fd))
         return false;
      whandle->handle = fd;
      return true;
   case WINSYS_HANDLE_TYPE_SHARED:
      if (nv3_bo_name(bo, &name))
         return false;
      whandle->handle = name;
      return true;
   default:
      return false;
   }
}
