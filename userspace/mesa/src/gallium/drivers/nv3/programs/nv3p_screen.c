/* SPDX-License-Identifier: MIT */
/*
 * Implements the screen, which supports OpenGL 2.1, OpenGL ES 2.0, and those
 * features of later versions that the hardware has.
 */
#include <unistd.h>

#include "draw/draw_context.h"
#include "util/disk_cache.h"
#include "util/u_memory.h"
#include "util/u_transfer_helper.h"

#include "base/nv3_screen.h"
#include "base/nv3p_context.h"
#include "codegen/nv3c.h"
#include "programs/nv3p_methods.h"

/*
 * A texture has at most 24 Mi texels (qemu-device/core/texture/texunit.h), so
 * cube maps and 3D textures have fewer levels than 2D textures.
 */
#define CUBE_LEVELS 11
#define LEVELS_3D 9
/*
 * The number of uniform vec4s. With 1,024 vec4s, the state tracker would offer
 * uniform buffers, which fragment programs can't read.
 */
#define FS_UNIFORMS 512

static void
nv3p_screen_destroy(struct pipe_screen *pscreen)
{
   struct nv3p_screen *screen = nv3p_screen(pscreen);

   disk_cache_destroy(screen->disk_cache);
   nv3p_screen_fini_reports(screen);
   nv3p_screen_fini_bos(screen);
   u_transfer_helper_destroy(screen->base.transfer_helper);
   nv3_device_unref(screen->dev);
   close(screen->fd);
   FREE(screen);
}

static const char *
nv3p_screen_name(struct pipe_screen *pscreen)
{
   return "RIVA 128 (nv3, class 0x1f)";
}

static int
nv3p_screen_fd(struct pipe_screen *pscreen)
{
   return nv3p_screen(pscreen)->fd;
}

static int
nv3p_screen_shader_param(struct pipe_screen *pscreen,
                         enum pipe_shader_type shader,
                         enum pipe_shader_cap param)
{
   const bool vs = shader == PIPE_SHADER_VERTEX;

   if (!vs && shader != PIPE_SHADER_FRAGMENT)
      return 0;
   switch (param) {
   case PIPE_SHADER_CAP_MAX_INSTRUCTIONS:
   case PIPE_SHADER_CAP_MAX_ALU_INSTRUCTIONS:
      return vs ? NV3C_VS_INSNS : NV3C_FS_INSNS;
   case PIPE_SHADER_CAP_MAX_TEX_INSTRUCTIONS:
   case PIPE_SHADER_CAP_MAX_TEX_INDIRECTIONS:
      return vs ? 0 : NV3C_FS_INSNS;
   case PIPE_SHADER_CAP_MAX_CONTROL_FLOW_DEPTH:
      return 64;
   case PIPE_SHADER_CAP_MAX_INPUTS:
      return vs ? NV3C_VS_ATTRIBUTES : NV3C_TEXCOORDS + 2;
   case PIPE_SHADER_CAP_MAX_OUTPUTS:
      return vs ? 16 : 2;
   case PIPE_SHADER_CAP_MAX_CONST_BUFFER0_SIZE:
      return (vs ? NV3C_VS_UNIFORMS : FS_UNIFORMS) * 4 * sizeof(float);
   case PIPE_SHADER_CAP_MAX_CONST_BUFFERS:
      return 1;
   case PIPE_SHADER_CAP_INDIRECT_CONST_ADDR:
      return vs;
   case PIPE_SHADER_CAP_MAX_TEMPS:
      return vs ? 28 : 48;
   case PIPE_SHADER_CAP_MAX_TEXTURE_SAMPLERS:
   case PIPE_SHADER_CAP_MAX_SAMPLER_VIEWS:
      /*
       * The draw module supports textures only in shaders that LLVM compiles.
       */
      return !vs || draw_get_option_use_llvm() ? NV3C_UNITS : 0;
   case PIPE_SHADER_CAP_SUPPORTED_IRS:
      return 1 << PIPE_SHADER_IR_NIR | 1 << PIPE_SHADER_IR_TGSI;
   default:
      return 0;
   }
}

static const void *
nv3p_screen_compiler_options(struct pipe_screen *pscreen,
                             enum pipe_shader_ir ir,
                             enum pipe_shader_type shader)
{
   return nv3c_options(shader == PIPE_SHADER_FRAGMENT ? MESA_SHADER_FRAGMENT :
                                                        MESA_SHADER_VERTEX);
}

static char *
nv3p_screen_finalize_nir(struct pipe_screen *pscreen, struct nir_shader *nir)
{
   nv3c_finalize_nir(nir);
   return NULL;
}

/*
 * True if the screen supports resources with @samples samples per pixel. Only
 * render targets can be multisampled, because shaders can't read single
 * samples.
 */
static bool
samples_supported(const struct nv3p_screen *screen,
                  enum pipe_texture_target target, unsigned samples,
                  unsigned storage_samples, unsigned bind)
{
   return samples <= 1 ||
          (screen->multisample && samples == NV3P_SAMPLES &&
           storage_samples == samples &&
           (target == PIPE_TEXTURE_2D || target == PIPE_TEXTURE_RECT) &&
           !(bind & PIPE_BIND_SAMPLER_VIEW));
}

static bool
nv3p_screen_format_supported(struct pipe_screen *pscreen,
                             enum pipe_format format,
                             enum pipe_texture_target target,
                             unsigned sample_count,
                             unsigned storage_sample_count, unsigned bind)
{
   const unsigned color = PIPE_BIND_RENDER_TARGET | PIPE_BIND_BLENDABLE |
                          PIPE_BIND_DISPLAY_TARGET | PIPE_BIND_SCANOUT;
   const unsigned known = color | PIPE_BIND_DEPTH_STENCIL |
                          PIPE_BIND_SAMPLER_VIEW | PIPE_BIND_VERTEX_BUFFER |
                          PIPE_BIND_INDEX_BUFFER | PIPE_BIND_SHARED |
                          PIPE_BIND_LINEAR;

   /* The class has no array textures. */
   if (target > PIPE_TEXTURE_RECT || bind & ~known ||
       !samples_supported(nv3p_screen(pscreen), target, sample_count,
                          storage_sample_count, bind))
      return false;
   if (bind & PIPE_BIND_INDEX_BUFFER && format != PIPE_FORMAT_R8_UINT &&
       format != PIPE_FORMAT_R16_UINT && format != PIPE_FORMAT_R32_UINT)
      return false;
   return (!(bind & color) || nv3p_color_format(format)) &&
          (!(bind & PIPE_BIND_DEPTH_STENCIL) || nv3p_zeta_format(format)) &&
          (!(bind & PIPE_BIND_SAMPLER_VIEW) ||
           nv3p_texture_format(format)->type) &&
          (!(bind & PIPE_BIND_VERTEX_BUFFER) || nv3p_vertex_format(format));
}

static struct disk_cache *
nv3p_screen_disk_cache(struct pipe_screen *pscreen)
{
   return nv3p_screen(pscreen)->disk_cache;
}

static void
init_caps(struct nv3p_screen *screen)
{
   struct pipe_caps *caps = (struct pipe_caps *)&screen->base.caps;

   nv3_screen_init_caps(&screen->base, screen->vram);

   /* ---- device ---- */
   caps->device_reset_status_query = true;
   caps->robust_buffer_access_behavior = true;

   /* ---- shaders ---- */
   caps->max_varyings = NV3C_TEXCOORDS;
   /* The state tracker lowers user clip planes to clip distances. */
   caps->clip_planes = 0;

   /* ---- vertices ---- */
   caps->supported_prim_modes = BITFIELD_MASK(MESA_PRIM_POLYGON + 1);
   caps->supported_prim_modes_with_restart = caps->supported_prim_modes;
   caps->primitive_restart = true;
   caps->primitive_restart_fixed_index = true;
   caps->vertex_element_instance_divisor = true;
   caps->vertex_color_unclamped = true;
   caps->quads_follow_provoking_vertex_convention = true;

   /* ---- textures ---- */
   caps->max_texture_2d_size = 1 << (NV3P_LEVELS - 1);
   caps->max_texture_cube_levels = CUBE_LEVELS;
   caps->max_texture_3d_levels = LEVELS_3D;
   caps->max_texture_lod_bias = 15.0f;
   caps->texture_mirror_clamp = true;
   caps->texture_mirror_clamp_to_edge = true;

   /* ---- drawing ---- */
   caps->clear_scissored = true;
   caps->rasterizer_subpixel_bits = 8;

   /* ---- queries ---- */
   caps->conditional_render_inverted = true;
}

struct pipe_screen *
nv3p_screen_create(int fd, struct nv3_device *dev, uint32_t debug)
{
   struct nv3p_screen *screen = CALLOC_STRUCT(nv3p_screen);
   struct pipe_screen *base;
   uint64_t features;

   if (!screen) {
      nv3_device_unref(dev);
      close(fd);
      return NULL;
   }
   base = &screen->base;
   screen->fd = fd;
   screen->dev = dev;
   screen->debug = debug;
   if (nv3_device_param(dev, DRM_NV3_PARAM_VRAM_AVAILABLE, &screen->vram) ||
       nv3_device_param(dev, DRM_NV3_PARAM_VIRT_FEATURES, &features) ||
       !nv3p_screen_init_bos(screen) || !nv3p_screen_init_reports(screen)) {
      nv3p_screen_destroy(base);
      return NULL;
   }
   screen->multisample = features & NV3_PM_FEATURE_MULTISAMPLE;
   base->destroy = nv3p_screen_destroy;
   base->get_screen_fd = nv3p_screen_fd;
   base->get_shader_param = nv3p_screen_shader_param;
   base->get_compiler_options = nv3p_screen_compiler_options;
   base->finalize_nir = nv3p_screen_finalize_nir;
   base->is_format_supported = nv3p_screen_format_supported;
   base->context_create = nv3p_context_create;
   base->get_disk_shader_cache = nv3p_screen_disk_cache;
   init_caps(screen);
   nv3_screen_init_common(base);
   nv3p_screen_init_fence(base);
   base->get_name = nv3p_screen_name;
   screen->disk_cache = nv3_disk_cache_create("nv3-class1f");
   nv3p_screen_init_resource(screen);
   return base;
}
