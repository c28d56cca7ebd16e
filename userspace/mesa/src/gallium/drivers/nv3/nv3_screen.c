/* SPDX-License-Identifier: MIT */
/*
 * The screen: what the driver offers. Since what the chip can't do is done by
 * the inner screen, llvmpipe, the offer is the inner screen's, cut down to
 * OpenGL 2.1 and OpenGL ES 2.0: each feature beyond those would only ever be
 * software's, and keeps state trackers from the paths that the chip has.
 */
#include <unistd.h>

#include "pipe/p_screen.h"
#include "frontend/sw_winsys.h"
#include "drm-uapi/drm_fourcc.h"
#include "llvmpipe/lp_public.h"
#include "util/format/u_format.h"
#include "util/u_debug.h"
#include "util/u_memory.h"
#include "util/u_screen.h"

#include "nv3_context.h"
#include "nv3_public.h"
#include "nv3_resource.h"
#include "nv3_screen.h"
#include "nv3_sw_winsys.h"
#include "nv3_texture.h"

static const struct debug_named_value nv3_debug_options[] = {
   { "fallback", NV3_DEBUG_FALLBACK, "say once per reason why a draw is software's" },
   { "shader", NV3_DEBUG_SHADER, "say what fragment shaders were taken for" },
   { "stats", NV3_DEBUG_STATS, "print counters as a context ends" },
   { "soft", NV3_DEBUG_SOFT, "software only, at full precision" },
   DEBUG_NAMED_VALUE_END
};

DEBUG_GET_ONCE_FLAGS_OPTION(nv3_debug, "NV3_DEBUG", nv3_debug_options, 0)

static void
nv3_screen_destroy(struct pipe_screen *pscreen)
{
   struct nv3_screen *screen = nv3_screen(pscreen);

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

static int
nv3_screen_shader_param(struct pipe_screen *pscreen,
                        enum pipe_shader_type shader,
                        enum pipe_shader_cap param)
{
   struct pipe_screen *inner = nv3_screen(pscreen)->inner;

   if (shader != PIPE_SHADER_VERTEX && shader != PIPE_SHADER_FRAGMENT)
      return 0;
   switch (param) {
   case PIPE_SHADER_CAP_MAX_SHADER_BUFFERS:
   case PIPE_SHADER_CAP_MAX_SHADER_IMAGES:
   case PIPE_SHADER_CAP_MAX_HW_ATOMIC_COUNTERS:
   case PIPE_SHADER_CAP_MAX_HW_ATOMIC_COUNTER_BUFFERS:
   /* Nothing is faster in 16 bits. */
   case PIPE_SHADER_CAP_FP16:
   case PIPE_SHADER_CAP_FP16_DERIVATIVES:
   case PIPE_SHADER_CAP_FP16_CONST_BUFFERS:
   case PIPE_SHADER_CAP_INT16:
   case PIPE_SHADER_CAP_GLSL_16BIT_CONSTS:
      return 0;
   case PIPE_SHADER_CAP_MAX_CONST_BUFFERS:
      return MIN2(inner->get_shader_param(inner, shader, param),
                  NV3_CONST_BUFFERS);
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
   /* Window buffers: what the display takes, and what the chip draws. */
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

static void
nv3_screen_memory_info(struct pipe_screen *pscreen,
                       struct pipe_memory_info *info)
{
   struct pipe_screen *inner = nv3_screen(pscreen)->inner;

   inner->query_memory_info(inner, info);
}

static void
nv3_screen_init_caps(struct nv3_screen *screen)
{
   struct pipe_caps *caps = (struct pipe_caps *)&screen->base.caps;

   *caps = screen->inner->caps;

   caps->glsl_feature_level = 120;
   caps->glsl_feature_level_compatibility = 120;
   caps->max_texture_2d_size = 1 << (NV3_TEXTURE_LEVELS - 1);
   caps->max_render_targets = 1;
   caps->max_dual_source_render_targets = 0;
   caps->max_viewports = 1;
   caps->max_texture_array_layers = 0;
   caps->max_stream_output_buffers = 0;
   caps->max_vertex_streams = 0;
   caps->multiview = 0;
   caps->compute = false;
   caps->doubles = false;
   caps->int64 = false;
   caps->vs_instanceid = false;
   caps->vertex_element_instance_divisor = false;
   caps->draw_indirect = false;
   caps->multi_draw_indirect = false;
   caps->multi_draw_indirect_params = false;
   caps->primitive_restart = false;
   caps->primitive_restart_fixed_index = false;
   caps->cube_map_array = false;
   caps->texture_buffer_objects = false;
   caps->texture_multisample = false;
   caps->sample_shading = false;
   caps->fbfetch = 0;
   caps->fbfetch_coherent = false;
   caps->fbfetch_zs = false;
   caps->indep_blend_enable = false;
   caps->indep_blend_func = false;
   caps->query_buffer_object = false;
   caps->query_pipeline_statistics = false;
   caps->query_so_overflow = false;
   caps->shader_stencil_export = false;
   caps->vs_layer_viewport = false;
   caps->tes_layer_viewport = false;
   caps->framebuffer_no_attachment = false;
   caps->image_store_formatted = false;
   caps->image_load_formatted = false;
   caps->resource_from_user_memory = false;
   caps->memobj = false;
   caps->gl_spirv = false;
   caps->device_reset_status_query = false;
   caps->sampler_reduction_minmax = false;
   caps->rasterizer_subpixel_bits = 4;

   /* Buffers are ordinary memory, and vertices are read as they are drawn. */
   caps->allow_mapped_buffers_during_execution = true;
   caps->native_fence_fd = true;
   caps->dmabuf = DRM_PRIME_CAP_IMPORT | DRM_PRIME_CAP_EXPORT;
   caps->accelerated = 1;
   caps->uma = false;
   caps->vendor_id = 0x12d2;
   caps->device_id = 0x0018;
   caps->video_memory = screen->vram >> 20;
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
   if (nv3_device_param(screen->dev, DRM_NV3_PARAM_VRAM_AVAILABLE,
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
   nv3_screen_init_caps(screen);
   nv3_screen_init_resource(screen);
   nv3_screen_init_fence(screen);
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
