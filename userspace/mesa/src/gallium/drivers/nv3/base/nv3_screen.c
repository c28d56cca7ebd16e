/* SPDX-License-Identifier: MIT */
/* What the screens of both backends have in common. */
#include "pipe/p_screen.h"
#include "pipe/p_state.h"
#include "util/disk_cache.h"
#include "util/mesa-sha1.h"

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

void
nv3_screen_init_common(struct pipe_screen *screen)
{
   screen->get_name = nv3_screen_name;
   screen->get_vendor = nv3_screen_vendor;
   screen->get_device_vendor = nv3_screen_device_vendor;
   screen->query_memory_info = nv3_screen_memory_info;
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
