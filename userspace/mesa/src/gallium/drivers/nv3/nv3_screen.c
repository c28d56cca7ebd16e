/* SPDX-License-Identifier: MIT */
/*
 * The screen and its capabilities. The driver offers OpenGL 2.1 and OpenGL ES
 * 2.0. Only llvmpipe could draw later features, and state trackers would use
 * them instead of features that the hardware has.
 */
#include <unistd.h>

#include "pipe/p_screen.h"
#include "frontend/sw_winsys.h"
#include "drm-uapi/drm_fourcc.h"
#include "llvmpipe/lp_public.h"
#include "util/disk_cache.h"
#include "util/format/u_format.h"
#include "util/mesa-sha1.h"
#include "util/u_debug.h"
#include "util/u_memory.h"
#include "util/u_screen.h"

#include "base/nv3_context.h"
#include "base/nv3_screen.h"
#include "channel/nv3_fence.h"
#include "channel/nv3_sw_winsys.h"
#include "class17/nv3_texture.h"
#include "base/nv3p_screen.h"
#include "resource/nv3_resource.h"

#include "nv3_pipe.h"
#include "nv3_public.h"

static const struct debug_named_value nv3_debug_options[] = {
   { "fallback", NV3_DEBUG_FALLBACK,
     "print why draws use software, once per reason" },
   { "shader", NV3_DEBUG_SHADER, "print how shaders are classified" },
   { "stats", NV3_DEBUG_STATS, "print counters when a context is destroyed" },
   { "soft", NV3_DEBUG_SOFT,
     "draw everything in software, at full precision" },
   { "class17", NV3_DEBUG_CLASS17, "do not use class 0x1f" },
   { "vs", NV3_DEBUG_VS, "print vertex programs of class 0x1f" },
   { "fs", NV3_DEBUG_FS, "print fragment programs of class 0x1f" },
   DEBUG_NAMED_VALUE_END
};

DEBUG_GET_ONCE_FLAGS_OPTION(nv3_debug, "NV3_DEBUG", nv3_debug_options, 0)

static void
nv3_screen_destroy(struct pipe_screen *pscreen)
{
   struct nv3_screen *screen = nv3_screen(pscreen);

   disk_cache_destroy(screen->disk_cache);
   nv3_texture_heap_destroy(screen->heap);
   screen->inner->destroy(screen->inner);
   screen->ws->destroy(screen->ws);
   nv3_device_unref(screen->dev);
   close(screen->fd);
   FREE(screen);
}

static const char *
nv3_screen_name(struct pipe_screen *pscreen)
{
   return "RIVA 128 (nv3)";
}

static const char *
nv3_screen_vendor(struct pipe_screen *pscreen)
{
   return "Mesa";
}

static const char *
nv3_screen_device_vendor(struct pipe_screen *pscreen)
{
   return "NVIDIA";
}

static int
nv3_screen_fd(struct pipe_screen *pscreen)
{
   return nv3_screen(pscreen)->fd;
}

/*
 * Returns llvmpipe's shader capabilities without features beyond OpenGL 2.1.
 * llvmpipe's NIR uses native integers.
 */
static int
nv3_screen_shader_param(struct pipe_screen *pscreen,
                        enum pipe_shader_type shader,
                        enum pipe_shader_cap param)
{
   if (shader != PIPE_SHADER_VERTEX && shader != PIPE_SHADER_FRAGMENT)
      return 0;
   switch (param) {
   case PIPE_SHADER_CAP_MAX_INSTRUCTIONS:
   case PIPE_SHADER_CAP_MAX_ALU_INSTRUCTIONS:
   case PIPE_SHADER_CAP_MAX_TEX_INSTRUCTIONS:
   case PIPE_SHADER_CAP_MAX_TEX_INDIRECTIONS:
      return 1 << 20;
   case PIPE_SHADER_CAP_MAX_CONTROL_FLOW_DEPTH:
      return 80;
   case PIPE_SHADER_CAP_MAX_INPUTS:
   case PIPE_SHADER_CAP_MAX_OUTPUTS:
      return 32;
   case PIPE_SHADER_CAP_MAX_CONST_BUFFER0_SIZE:
      return 4096 * 4 * sizeof(float);
   case PIPE_SHADER_CAP_MAX_CONST_BUFFERS:
      return NV3_CONST_BUFFERS;
   case PIPE_SHADER_CAP_MAX_TEMPS:
      return 4096;
   case PIPE_SHADER_CAP_MAX_TEXTURE_SAMPLERS:
   case PIPE_SHADER_CAP_MAX_SAMPLER_VIEWS:
      return 16;
   case PIPE_SHADER_CAP_CONT_SUPPORTED:
   case PIPE_SHADER_CAP_INDIRECT_TEMP_ADDR:
   case PIPE_SHADER_CAP_INDIRECT_CONST_ADDR:
   case PIPE_SHADER_CAP_INTEGERS:
   case PIPE_SHADER_CAP_TGSI_SQRT_SUPPORTED:
   case PIPE_SHADER_CAP_TGSI_ANY_INOUT_DECL_RANGE:
      return 1;
   case PIPE_SHADER_CAP_SUPPORTED_IRS:
      return 1 << PIPE_SHADER_IR_NIR | 1 << PIPE_SHADER_IR_TGSI;
   default:
      return 0;
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
   /* Integer formats and images belong to later versions of OpenGL. */
   if (bind & (PIPE_BIND_SHADER_IMAGE | PIPE_BIND_SHADER_BUFFER) ||
       (util_format_is_pure_integer(format) &&
        !util_format_is_depth_or_stencil(format) &&
        bind & (PIPE_BIND_SAMPLER_VIEW | PIPE_BIND_RENDER_TARGET)))
      return false;
   /*
    * Window buffers need formats that the display supports and the chip can
    * draw.
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

static void
nv3_screen_modifiers(struct pipe_screen *pscreen, enum pipe_format format,
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

/*
 * Returns sizes of memory in KiB. Textures are in system memory, from which
 * the hardware reads them.
 */
static void
nv3_screen_memory_info(struct pipe_screen *pscreen,
                       struct pipe_memory_info *info)
{
   memset(info, 0, sizeof(*info));
   info->total_device_memory = nv3_screen(pscreen)->vram >> 10;
   info->avail_device_memory = info->total_device_memory;
}

static struct disk_cache *
nv3_screen_disk_cache(struct pipe_screen *pscreen)
{
   return nv3_screen(pscreen)->disk_cache;
}

/*
 * Creates the cache for the state tracker's results, which depend on these
 * capabilities. llvmpipe has its own cache for machine code.
 */
static void
nv3_screen_init_disk_cache(struct nv3_screen *screen)
{
   struct mesa_sha1 ctx;
   uint8_t sha1[SHA1_DIGEST_LENGTH];
   char id[SHA1_DIGEST_STRING_LENGTH];

   _mesa_sha1_init(&ctx);
   if (!disk_cache_get_function_identifier(nv3_screen_init_disk_cache, &ctx))
      return;
   _mesa_sha1_final(&ctx, sha1);
   _mesa_sha1_format(id, sha1);
   screen->disk_cache = disk_cache_create("nv3", id, 0);
}

/*
 * Sets the capabilities: OpenGL 2.1, and later features that programs for
 * OpenGL 2.1 use and that the inner context draws correctly. Most of
 * Gallium's defaults are off.
 */
static void
nv3_screen_init_caps(struct nv3_screen *screen)
{
   struct pipe_caps *caps = (struct pipe_caps *)&screen->base.caps;

   u_init_pipe_screen_caps(&screen->base, 1);

   /* ---- device ---- */
   caps->vendor_id = 0x12d2;
   caps->device_id = 0x0018;
   caps->video_memory = screen->vram >> 20;
   caps->uma = false;
   caps->query_memory_info = true;
   caps->dmabuf = DRM_PRIME_CAP_IMPORT | DRM_PRIME_CAP_EXPORT;
   caps->native_fence_fd = true;
   /* Shaders belong to the draw module and inner context of a context. */
   caps->shareable_shaders = false;
   caps->multi_draw_indirect_partial_stride = false;

   /* ---- shaders ---- */
   caps->glsl_feature_level = 120;
   caps->glsl_feature_level_compatibility = 120;
   caps->fragment_shader_texture_lod = true;
   caps->fragment_shader_derivatives = true;
   caps->max_varyings = 32;
   /* These are llvmpipe's conventions for varyings, facing and uniforms. */
   caps->tgsi_texcoord = true;
   caps->fs_coord_origin_upper_left = true;
   caps->fs_coord_pixel_center_integer = true;
   caps->fs_coord_pixel_center_half_integer = true;
   caps->fs_face_is_integer_sysval = true;
   caps->packed_uniforms = true;
   caps->load_constbuf = true;
   caps->nir_images_as_deref = false;

   /* ---- vertices and buffers ---- */
   caps->user_vertex_buffers = true;
   caps->vertex_color_clamped = true;
   caps->vertex_color_unclamped = true;
   caps->constant_buffer_offset_alignment = 16;
   /*
    * Buffers are ordinary memory, and a draw reads its vertices before it
    * returns.
    */
   caps->allow_mapped_buffers_during_execution = true;

   /* ---- textures ---- */
   caps->npot_textures = true;
   caps->max_texture_2d_size = 1 << (NV3_TEXTURE_LEVELS - 1);
   caps->max_texture_cube_levels = NV3_TEXTURE_LEVELS;
   caps->max_texture_3d_levels = NV3_TEXTURE_3D_LEVELS;
   caps->max_texture_lod_bias = 16.0f;
   caps->texture_swizzle = true;
   caps->texture_float_linear = true;
   caps->texture_half_float_linear = true;
   /* The CPU writes textures. */
   caps->texture_transfer_modes = 0;

   /* ---- drawing ---- */
   caps->max_render_targets = 1;
   caps->mixed_framebuffer_sizes = true;
   caps->mixed_color_depth_bits = true;
   caps->blend_equation_separate = true;
   caps->clip_halfz = true;
   caps->depth_clip_disable = true;
   caps->polygon_offset_clamp = true;
   caps->rasterizer_subpixel_bits = 4;
   caps->min_line_width = caps->min_line_width_aa = 1.0f;
   caps->max_line_width = caps->max_line_width_aa = 255.0f;
   caps->line_width_granularity = 0.1f;
   caps->min_point_size = caps->min_point_size_aa = 1.0f;
   caps->max_point_size = caps->max_point_size_aa = 255.0f;
   caps->point_size_granularity = 0.1f;

   /* ---- queries ---- */
   caps->occlusion_query = true;
   caps->conditional_render = true;
   caps->query_timestamp = true;
   caps->query_time_elapsed = true;
   /* The lower 5 bits of PTIMER are always 0. */
   caps->timer_resolution = 32;
}

struct pipe_screen *
nv3_screen_create(int fd, const struct pipe_screen_config *config,
                  struct renderonly *ro)
{
   struct nv3_screen *screen = CALLOC_STRUCT(nv3_screen);

   if (!screen) {
      close(fd);
      return NULL;
   }
   screen->fd = fd;
   screen->debug = debug_get_option_nv3_debug();
   if (nv3_device_new(fd, &screen->dev))
      goto fail_fd;
   if (nv3_device_has_class(screen->dev, DRM_NV3_CLASS_PROGRAMS) &&
       !(screen->debug & NV3_DEBUG_CLASS17)) {
      struct pipe_screen *programs =
         nv3p_screen_create(fd, screen->dev, screen->debug);

      FREE(screen);
      return programs;
   }
   if (nv3_device_param(screen->dev, DRM_NV3_PARAM_VRAM_LOW,
                        &screen->vram))
      goto fail_device;
   screen->ws = nv3_sw_winsys_create();
   if (!screen->ws)
      goto fail_device;
   screen->inner = llvmpipe_create_screen(screen->ws);
   if (!screen->inner)
      goto fail_winsys;
   screen->heap = nv3_texture_heap_create();
   if (!screen->heap)
      goto fail_inner;

   screen->base.destroy = nv3_screen_destroy;
   screen->base.get_name = nv3_screen_name;
   screen->base.get_vendor = nv3_screen_vendor;
   screen->base.get_device_vendor = nv3_screen_device_vendor;
   screen->base.get_screen_fd = nv3_screen_fd;
   screen->base.get_shader_param = nv3_screen_shader_param;
   screen->base.get_compiler_options = nv3_screen_compiler_options;
   screen->base.finalize_nir = nv3_screen_finalize_nir;
   screen->base.is_format_supported = nv3_screen_format_supported;
   screen->base.query_dmabuf_modifiers = nv3_screen_modifiers;
   screen->base.query_memory_info = nv3_screen_memory_info;
   screen->base.context_create = nv3_context_create;
   screen->base.get_disk_shader_cache = nv3_screen_disk_cache;
   screen->free_textures = nv3_textures_destroy;
   nv3_screen_init_caps(screen);
   nv3_screen_init_disk_cache(screen);
   nv3_screen_init_resource(screen);
   nv3_screen_init_fence(&screen->base);
   return &screen->base;

fail_inner:
   screen->inner->destroy(screen->inner);
fail_winsys:
   screen->ws->destroy(screen->ws);
fail_device:
   nv3_device_unref(screen->dev);
fail_fd:
   close(fd);
   FREE(screen);
   return NULL;
}
