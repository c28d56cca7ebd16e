/* SPDX-License-Identifier: MIT */
/*
 * Implements the screen of the backend for class 0x17. The driver offers
 * OpenGL 2.1 and OpenGL ES 2.0. The hardware can't execute features of later
 * versions. If the driver exposed such a feature, state trackers would use
 * the feature, and llvmpipe would have to execute the draws. The driver
 * therefore hides most of these features.
 */
#include <unistd.h>

#include "pipe/p_screen.h"
#include "frontend/sw_winsys.h"
#include "llvmpipe/lp_public.h"
#include "util/disk_cache.h"
#include "util/format/u_format.h"
#include "util/u_memory.h"

#include "class17/nv3_class17.h"
#include "class17/nv3_resource.h"

static void
nv3_screen_destroy(struct pipe_screen *pscreen)
{
   struct nv3_screen *screen = nv3_screen(pscreen);

   disk_cache_destroy(screen->disk_cache);
   screen->inner->destroy(screen->inner);
   screen->ws->destroy(screen->ws);
   nv3_device_unref(screen->dev);
   close(screen->fd);
   FREE(screen);
}

static int
nv3_screen_fd(struct pipe_screen *pscreen)
{
   return nv3_screen(pscreen)->fd;
}

/*
 * Returns llvmpipe's value of the shader capability @param, restricted to the
 * features of OpenGL 2.1 and to the sizes of this driver's arrays.
 */
static int
nv3_screen_shader_param(struct pipe_screen *pscreen,
                        enum pipe_shader_type shader,
                        enum pipe_shader_cap param)
{
   struct pipe_screen *inner = nv3_screen(pscreen)->inner;

   if (shader != PIPE_SHADER_VERTEX && shader != PIPE_SHADER_FRAGMENT)
      return 0;
   switch (param) {
   case PIPE_SHADER_CAP_MAX_CONST_BUFFER0_SIZE:
      return 4096 * 4 * sizeof(float);
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
      return inner->get_shader_param(inner, shader, param);
   }
}

static const void *
nv3_screen_compiler_options(struct pipe_screen *pscreen,
                            enum pipe_shader_ir ir,
                            enum pipe_shader_type shader)
{
   struct pipe_screen *inner = nv3_screen(pscreen)->inner;

   return inner->get_compiler_options(inner, ir, shader);
}

static char *
nv3_screen_finalize_nir(struct pipe_screen *pscreen, struct nir_shader *nir)
{
   struct pipe_screen *inner = nv3_screen(pscreen)->inner;

   return inner->finalize_nir(inner, nir);
}

static bool
nv3_screen_format_supported(struct pipe_screen *pscreen,
                            enum pipe_format format,
                            enum pipe_texture_target target,
                            unsigned sample_count,
                            unsigned storage_sample_count, unsigned bind)
{
   struct pipe_screen *inner = nv3_screen(pscreen)->inner;

   if (sample_count > 1)
      return false;
   /* OpenGL 2.1 has neither integer formats nor images. */
   if (bind & (PIPE_BIND_SHADER_IMAGE | PIPE_BIND_SHADER_BUFFER) ||
       (util_format_is_pure_integer(format) &&
        !util_format_is_depth_or_stencil(format) &&
        bind & (PIPE_BIND_SAMPLER_VIEW | PIPE_BIND_RENDER_TARGET)))
      return false;
   /*
    * Limit window buffers to formats that can be displayed and that
    * nv3_resource.c can convert.
    */
   if (bind & (PIPE_BIND_SCANOUT | PIPE_BIND_DISPLAY_TARGET)) {
      switch (format) {
      case PIPE_FORMAT_B8G8R8A8_UNORM:
      case PIPE_FORMAT_B8G8R8X8_UNORM:
      case PIPE_FORMAT_R8G8B8A8_UNORM:
      case PIPE_FORMAT_R8G8B8X8_UNORM:
      case PIPE_FORMAT_B5G6R5_UNORM:
      case PIPE_FORMAT_B5G5R5X1_UNORM:
      case PIPE_FORMAT_B5G5R5A1_UNORM:
         break;
      default:
         if (!util_format_is_depth_or_stencil(format))
            return false;
      }
   }
   return inner->is_format_supported(inner, format, target, sample_count,
                                     storage_sample_count,
                                     bind & ~(PIPE_BIND_SCANOUT |
                                              PIPE_BIND_DISPLAY_TARGET |
                                              PIPE_BIND_SHARED));
}

static struct disk_cache *
nv3_screen_disk_cache(struct pipe_screen *pscreen)
{
   return nv3_screen(pscreen)->disk_cache;
}

/*
 * Sets the capabilities. The driver exposes a feature of a later version only
 * if programs for OpenGL 2.1 use it and the inner context implements it
 * correctly.
 */
static void
init_caps(struct nv3_screen *screen)
{
   struct pipe_caps *caps = (struct pipe_caps *)&screen->base.caps;

   nv3_screen_init_caps(&screen->base, screen->vram);

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
   caps->max_texture_3d_levels = NV3_TEXTURE_3D_LEVELS;
   caps->max_texture_lod_bias = 16.0f;
   caps->texture_float_linear = true;
   caps->texture_half_float_linear = true;

   /* ---- drawing ---- */
   caps->polygon_offset_clamp = true;
   caps->rasterizer_subpixel_bits = 4;
}

struct pipe_screen *
nv3_class17_screen_create(int fd, struct nv3_device *dev, uint32_t debug)
{
   struct nv3_screen *screen = CALLOC_STRUCT(nv3_screen);
   struct pipe_screen *base = &screen->base;

   if (!screen)
      goto fail_device;
   screen->fd = fd;
   screen->dev = dev;
   screen->debug = debug;
   if (nv3_device_param(dev, DRM_NV3_PARAM_VRAM_LOW, &screen->vram))
      goto fail_screen;
   screen->ws = nv3_sw_winsys_create();
   if (!screen->ws)
      goto fail_screen;
   screen->inner = llvmpipe_create_screen(screen->ws);
   if (!screen->inner)
      goto fail_winsys;

   base->destroy = nv3_screen_destroy;
   base->get_screen_fd = nv3_screen_fd;
   base->get_shader_param = nv3_screen_shader_param;
   base->get_compiler_options = nv3_screen_compiler_options;
   base->finalize_nir = nv3_screen_finalize_nir;
   base->is_format_supported = nv3_screen_format_supported;
   base->context_create = nv3_context_create;
   base->get_disk_shader_cache = nv3_screen_disk_cache;
   init_caps(screen);
   nv3_screen_init_common(base);
   nv3_screen_init_resource(screen);
   /* llvmpipe has a separate disk cache for its machine code. */
   screen->disk_cache = nv3_disk_cache_create("nv3");
   return base;

fail_winsys:
   screen->ws->destroy(screen->ws);
fail_screen:
   FREE(screen);
fail_device:
   nv3_device_unref(dev);
   close(fd);
   return NULL;
}
