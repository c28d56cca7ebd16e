/* SPDX-License-Identifier: MIT */
/*
 * Implements functions that the screens of both backends share.
 */
#include "pipe/p_screen.h"
#include "pipe/p_state.h"
#include "drm-uapi/drm_fourcc.h"
#include "frontend/winsys_handle.h"
#include "util/disk_cache.h"
#include "util/mesa-sha1.h"
#include "util/u_screen.h"

#include <nv3.h>

#include "base/nv3_screen.h"

void
nv3_screen_init_caps(struct pipe_screen *screen, uint64_t vram)
{
   struct pipe_caps *caps = (struct pipe_caps *)&screen->caps;

   u_init_pipe_screen_caps(screen, 1);

   /* ---- device ---- */
   caps->vendor_id = 0x12d2;
   caps->device_id = 0x0018;
   caps->video_memory = vram >> 20;
   caps->query_memory_info = true;
   caps->native_fence_fd = true;
   /*
    * A shader contains objects that belong to one context: the shader's
    * variants (class 0x1f), or llvmpipe's copy of the shader (class 0x17).
    */
   caps->shareable_shaders = false;

   /* ---- shaders ---- */
   caps->glsl_feature_level = 120;
   caps->glsl_feature_level_compatibility = 120;
   caps->fragment_shader_texture_lod = true;
   caps->fragment_shader_derivatives = true;
   caps->tgsi_texcoord = true;
   caps->fs_coord_origin_upper_left = true;
   caps->fs_coord_pixel_center_half_integer = true;
   caps->nir_images_as_deref = false;

   /* ---- textures ---- */
   caps->npot_textures = true;
   caps->texture_swizzle = true;
   /* Let the state tracker convert texels on the CPU. */
   caps->texture_transfer_modes = 0;

   /* ---- drawing ---- */
   caps->max_render_targets = 1;
   caps->mixed_framebuffer_sizes = true;
   caps->mixed_color_depth_bits = true;
   caps->blend_equation_separate = true;
   caps->clip_halfz = true;
   caps->depth_clip_disable = true;
   caps->min_line_width = caps->min_line_width_aa = 1.0f;
   caps->max_line_width = caps->max_line_width_aa = 255.0f;
   caps->line_width_granularity = 0.125f;
   caps->min_point_size = caps->min_point_size_aa = 1.0f;
   caps->max_point_size = caps->max_point_size_aa = 255.0f;
   caps->point_size_granularity = 0.125f;

   /* ---- queries ---- */
   caps->occlusion_query = true;
   caps->conditional_render = true;
   caps->query_timestamp = true;
   caps->query_time_elapsed = true;
   /* In ns. PTIMER counts in steps of 32 ns. */
   caps->timer_resolution = 32;
}

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

/*
 * Sets the sizes in @info, in KiB. The sizes include only VRAM, although most
 * textures are in system memory.
 */
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

/* Creates a linear resource that other processes can use. */
static struct pipe_resource *
nv3_screen_create_resource(struct pipe_screen *screen,
                           const struct pipe_resource *templ,
                           const uint64_t *modifiers, int count)
{
   struct pipe_resource shared = *templ;

   for (int i = 0; i < count; i++) {
      if (modifiers[i] == DRM_FORMAT_MOD_LINEAR ||
          modifiers[i] == DRM_FORMAT_MOD_INVALID) {
         shared.bind |= PIPE_BIND_SHARED;
         return screen->resource_create(screen, &shared);
      }
   }
   return NULL;
}

void
nv3_screen_init_common(struct pipe_screen *screen)
{
   screen->get_name = nv3_screen_name;
   screen->get_vendor = nv3_screen_vendor;
   screen->get_device_vendor = nv3_screen_device_vendor;
   screen->query_memory_info = nv3_screen_memory_info;
   screen->query_dmabuf_modifiers = nv3_screen_modifiers;
   screen->resource_create_with_modifiers = nv3_screen_create_resource;
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
