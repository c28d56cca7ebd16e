/* SPDX-License-Identifier: MIT */
/*
 * Implements the screen, which is llvmpipe's with some functions replaced, and
 * its winsys. The driver offers OpenGL 2.1 and OpenGL ES 2.0. The chip can't
 * execute features of later versions. If the driver exposed such a feature,
 * state trackers would use the feature, and llvmpipe would have to execute the
 * draws. The driver therefore hides most of llvmpipe's features.
 */
#include <unistd.h>

#include <xf86drm.h>

#include "llvmpipe/lp_public.h"
#include "llvmpipe/lp_texture.h"
#include "util/disk_cache.h"
#include "util/format/u_format.h"
#include "util/os_time.h"
#include "util/u_memory.h"

#include "class17/nv3_class17.h"

/* ---- winsys ---- */

/*
 * The memory of a resource that is shared: a buffer that other processes and
 * the display can use. @map is the address of the resource's first pixel.
 */
struct nv3_displaytarget {
   struct nv3_bo *bo;
   uint8_t *map;
   unsigned stride, offset;
};

static int
nv3_winsys_fd(struct sw_winsys *winsys)
{
   return ((struct nv3_screen *)winsys)->fd;
}

static bool
nv3_winsys_format_supported(struct sw_winsys *winsys, unsigned usage,
                            enum pipe_format format)
{
   return true;
}

/* Takes over the reference to @bo, even on failure. Returns NULL on failure. */
static struct sw_displaytarget *
displaytarget_new(struct nv3_bo *bo, unsigned stride, unsigned offset)
{
   struct nv3_displaytarget *dt = MALLOC_STRUCT(nv3_displaytarget);
   void *map;

   if (!dt || nv3_bo_map(bo, &map)) {
      nv3_bo_unref(bo);
      FREE(dt);
      return NULL;
   }
   *dt = (struct nv3_displaytarget) { bo, (uint8_t *)map + offset, stride,
                                      offset };
   return (struct sw_displaytarget *)dt;
}

static struct sw_displaytarget *
nv3_displaytarget_create(struct sw_winsys *winsys, unsigned usage,
                         enum pipe_format format, unsigned width,
                         unsigned height, unsigned alignment,
                         const void *front_private, unsigned *stride)
{
   struct nv3_bo *bo;

   *stride = align(util_format_get_stride(format, width), alignment);
   if (nv3_bo_new(((struct nv3_screen *)winsys)->dev,
                  (uint64_t)*stride * height,
                  DRM_NV3_GEM_VRAM | DRM_NV3_GEM_SYSTEM, &bo))
      return NULL;
   return displaytarget_new(bo, *stride, 0);
}

static struct sw_displaytarget *
nv3_displaytarget_from_handle(struct sw_winsys *winsys,
                              const struct pipe_resource *templ,
                              struct winsys_handle *whandle, unsigned *stride)
{
   struct nv3_bo *bo = nv3_handle_import(((struct nv3_screen *)winsys)->dev,
                                         whandle);
   /* llvmpipe writes blocks of 4x4 pixels to render targets. */
   bool drawn = templ->bind & PIPE_BIND_RENDER_TARGET;
   uint64_t lines = drawn ? align(templ->height0, 4) : templ->height0;

   if (!bo)
      return NULL;
   if (whandle->stride < util_format_get_stride(templ->format, templ->width0) ||
       whandle->offset + whandle->stride * lines > nv3_bo_size(bo)) {
      nv3_bo_unref(bo);
      return NULL;
   }
   *stride = whandle->stride;
   return displaytarget_new(bo, whandle->stride, whandle->offset);
}

static bool
nv3_displaytarget_get_handle(struct sw_winsys *winsys,
                             struct sw_displaytarget *base,
                             struct winsys_handle *whandle)
{
   struct nv3_displaytarget *dt = (struct nv3_displaytarget *)base;

   return nv3_handle_export(dt->bo, dt->stride, dt->offset, whandle);
}

/*
 * Waits for the chip's accesses to the buffer, which can be those of other
 * processes.
 */
static void *
nv3_displaytarget_map(struct sw_winsys *winsys, struct sw_displaytarget *base,
                      unsigned flags)
{
   struct nv3_displaytarget *dt = (struct nv3_displaytarget *)base;

   nv3_bo_wait(dt->bo, flags & PIPE_MAP_WRITE ? DRM_NV3_GEM_WAIT_WRITE : 0,
               INT64_MAX);
   return dt->map;
}

static void
nv3_displaytarget_unmap(struct sw_winsys *winsys, struct sw_displaytarget *base)
{
}

static void
nv3_displaytarget_destroy(struct sw_winsys *winsys,
                          struct sw_displaytarget *base)
{
   nv3_bo_unref(((struct nv3_displaytarget *)base)->bo);
   FREE(base);
}

static const struct sw_winsys nv3_winsys = {
   .get_fd = nv3_winsys_fd,
   .is_displaytarget_format_supported = nv3_winsys_format_supported,
   .displaytarget_create = nv3_displaytarget_create,
   .displaytarget_from_handle = nv3_displaytarget_from_handle,
   .displaytarget_get_handle = nv3_displaytarget_get_handle,
   .displaytarget_map = nv3_displaytarget_map,
   .displaytarget_unmap = nv3_displaytarget_unmap,
   .displaytarget_destroy = nv3_displaytarget_destroy,
};

/* ---- screen ---- */

static void
screen_free(struct nv3_screen *screen)
{
   nv3_device_unref(screen->dev);
   close(screen->fd);
   FREE(screen);
}

static void
nv3_screen_destroy(struct pipe_screen *pscreen)
{
   struct nv3_screen *screen = nv3_screen(pscreen);

   disk_cache_destroy(screen->disk_cache);
   screen->soft.destroy(pscreen);
   screen_free(screen);
}

/*
 * Returns llvmpipe's value of the shader capability @param, restricted to the
 * features of OpenGL 2.1.
 */
static int
nv3_screen_shader_param(struct pipe_screen *pscreen,
                        enum pipe_shader_type shader,
                        enum pipe_shader_cap param)
{
   if (shader != PIPE_SHADER_VERTEX && shader != PIPE_SHADER_FRAGMENT)
      return 0;
   switch (param) {
   case PIPE_SHADER_CAP_MAX_CONST_BUFFERS:
      return 1;
   case PIPE_SHADER_CAP_MAX_TEXTURE_SAMPLERS:
   case PIPE_SHADER_CAP_MAX_SAMPLER_VIEWS:
      return 16;
   case PIPE_SHADER_CAP_MAX_SHADER_BUFFERS:
   case PIPE_SHADER_CAP_MAX_SHADER_IMAGES:
   case PIPE_SHADER_CAP_MAX_HW_ATOMIC_COUNTERS:
   case PIPE_SHADER_CAP_MAX_HW_ATOMIC_COUNTER_BUFFERS:
   case PIPE_SHADER_CAP_FP16:
   case PIPE_SHADER_CAP_INT16:
      return 0;
   default:
      return nv3_screen(pscreen)->soft.get_shader_param(pscreen, shader, param);
   }
}

static bool
nv3_screen_format_supported(struct pipe_screen *pscreen,
                            enum pipe_format format,
                            enum pipe_texture_target target,
                            unsigned sample_count,
                            unsigned storage_sample_count, unsigned bind)
{
   if (sample_count > 1)
      return false;
   /* OpenGL 2.1 has neither integer formats nor images. */
   if (bind & (PIPE_BIND_SHADER_IMAGE | PIPE_BIND_SHADER_BUFFER) ||
       (util_format_is_pure_integer(format) &&
        !util_format_is_depth_or_stencil(format) &&
        bind & (PIPE_BIND_SAMPLER_VIEW | PIPE_BIND_RENDER_TARGET)))
      return false;
   /* Limit window buffers to formats that can be displayed and converted. */
   if (bind & (PIPE_BIND_SCANOUT | PIPE_BIND_DISPLAY_TARGET) &&
       !nv3_can_convert(format))
      return false;
   return nv3_screen(pscreen)->soft.is_format_supported(
      pscreen, format, target, sample_count, storage_sample_count, bind);
}

static struct disk_cache *
nv3_screen_disk_cache(struct pipe_screen *pscreen)
{
   return nv3_screen(pscreen)->disk_cache;
}

/* Exports only resources that are display targets. Returns false for others. */
static bool
nv3_resource_get_handle(struct pipe_screen *pscreen, struct pipe_context *pipe,
                        struct pipe_resource *resource,
                        struct winsys_handle *whandle, unsigned usage)
{
   return llvmpipe_resource(resource)->dt &&
          nv3_screen(pscreen)->soft.resource_get_handle(pscreen, pipe, resource,
                                                        whandle, usage);
}

/* Waits for @fence. Returns a signaled sync file, or -1 on failure. */
static int
nv3_fence_fd(struct pipe_screen *pscreen, struct pipe_fence_handle *fence)
{
   int drm = nv3_screen(pscreen)->fd, fd = -1;
   uint32_t syncobj;

   pscreen->fence_finish(pscreen, NULL, fence, OS_TIMEOUT_INFINITE);
   if (drmSyncobjCreate(drm, DRM_SYNCOBJ_CREATE_SIGNALED, &syncobj))
      return -1;
   drmSyncobjExportSyncFile(drm, syncobj, &fd);
   drmSyncobjDestroy(drm, syncobj);
   return fd;
}

/*
 * Sets the capabilities. The driver exposes a feature of a later version only
 * if programs for OpenGL 2.1 use it and llvmpipe implements it correctly.
 */
static void
init_caps(struct pipe_screen *pscreen)
{
   struct pipe_caps *caps = (struct pipe_caps *)&pscreen->caps;

   memset(caps, 0, sizeof(*caps));
   nv3_screen_init_caps(pscreen, nv3_screen(pscreen)->vram);

   /* ---- device ---- */
   caps->uma = false;
   caps->dmabuf = DRM_PRIME_CAP_IMPORT | DRM_PRIME_CAP_EXPORT;
   caps->multi_draw_indirect_partial_stride = false;

   /* ---- shaders ---- */
   caps->max_varyings = 32;
   /*
    * Use llvmpipe's conventions for fragment coordinates, facing and uniforms.
    */
   caps->fs_coord_pixel_center_integer = true;
   caps->fs_face_is_integer_sysval = true;
   caps->packed_uniforms = true;
   caps->load_constbuf = true;

   /* ---- vertices and buffers ---- */
   caps->user_vertex_buffers = true;
   caps->vertex_color_clamped = true;
   caps->vertex_color_unclamped = true;
   caps->constant_buffer_offset_alignment = 16;
   /*
    * Buffers are in ordinary memory, and draw_vbo() has read the vertices when
    * it returns.
    */
   caps->allow_mapped_buffers_during_execution = true;

   /* ---- textures ---- */
   caps->max_texture_2d_size = 1 << (NV3_TEXTURE_LEVELS - 1);
   caps->max_texture_cube_levels = NV3_TEXTURE_LEVELS;
   caps->max_texture_3d_levels = 9;
   caps->max_texture_lod_bias = 16.0f;
   caps->texture_float_linear = true;
   caps->texture_half_float_linear = true;

   /* ---- drawing ---- */
   caps->polygon_offset_clamp = true;
   caps->rasterizer_subpixel_bits = 4;
   /* Let the state tracker subtract timestamps, which include chip draws. */
   caps->query_time_elapsed = false;
}

static void
replace_functions(struct pipe_screen *pscreen)
{
   pscreen->destroy = nv3_screen_destroy;
   pscreen->get_shader_param = nv3_screen_shader_param;
   pscreen->is_format_supported = nv3_screen_format_supported;
   pscreen->context_create = nv3_context_create;
   pscreen->get_disk_shader_cache = nv3_screen_disk_cache;
   pscreen->resource_get_handle = nv3_resource_get_handle;
   pscreen->resource_get_param = NULL;
   pscreen->flush_frontbuffer = NULL;
   pscreen->fence_get_fd = nv3_fence_fd;
}

struct pipe_screen *
nv3_class17_screen_create(int fd, struct nv3_device *dev, uint32_t debug)
{
   struct nv3_screen *screen = CALLOC_STRUCT(nv3_screen);
   struct pipe_screen *pscreen = NULL;

   if (!screen) {
      nv3_device_unref(dev);
      close(fd);
      return NULL;
   }
   screen->winsys = nv3_winsys;
   screen->fd = fd;
   screen->dev = dev;
   screen->debug = debug;
   if (!nv3_device_param(dev, DRM_NV3_PARAM_VRAM_LOW, &screen->vram))
      pscreen = llvmpipe_create_screen(&screen->winsys);
   if (!pscreen) {
      screen_free(screen);
      return NULL;
   }
   memcpy(&screen->soft, pscreen, sizeof(screen->soft));
   init_caps(pscreen);
   nv3_screen_init_common(pscreen);
   replace_functions(pscreen);
   /* llvmpipe has a separate disk cache for its machine code. */
   screen->disk_cache = nv3_disk_cache_create("nv3");
   return pscreen;
}
