/* SPDX-License-Identifier: MIT */
/*
 * Translates the texture of a draw, and copies it to the chip's layout
 * (docs/reference/chip/3d.md). All levels are square and consist of 16-bit
 * texels in Morton order. The levels are consecutive, and the largest level is
 * the first.
 *
 * Each context has its own copies of textures, and each copy has its own
 * buffer in system memory. If a texture changes, it gets a new version. The
 * next draw with the texture copies it to a new buffer. The CPU therefore does
 * not wait for the chip. Outdated copies remain until the copies exceed a
 * limit. Then the context frees all of its copies.
 *
 * Texel centres have half-integer coordinates in GL and integer coordinates in
 * the chip. This file therefore subtracts half a texel from coordinates.
 */
#include "llvmpipe/lp_texture.h"
#include "util/format/u_format.h"
#include "util/u_atomic.h"
#include "util/u_inlines.h"
#include "util/u_math.h"
#include "util/u_memory.h"

#include "class17/nv3_class17.h"

/*
 * The limit of the textures in a context, in bytes. A smaller texture counts as
 * SIZE_MIN bytes, because each texture has two objects, and the kernel allows
 * 1,024 DMA objects per channel.
 */
#define BYTES_MAX (64u << 20)
#define SIZE_MIN  (BYTES_MAX / 256)

/*
 * The maximum absolute value of texture coordinates, in texels of the largest
 * level. The chip's coordinates are fixed-point numbers of 12.4 bits.
 * COORD_EDGE_MAX applies to coordinates that are clamped to the edge.
 * COORD_MAX applies to all other coordinates and includes a margin.
 */
#define COORD_MAX      2040.0f
#define COORD_EDGE_MAX 2047.5f

/* Identifies a copy. Padding must be 0, because memcmp() compares keys. */
struct key {
   uint32_t version;   /* of the resource, or 0 for the white texture */
   uint16_t format;    /* of the view */
   uint16_t threshold; /* if not 0: alphas below it become 0, others 1 */
   uint8_t swizzle[4];
   uint8_t wrap[2];    /* NV3_D3D_WRAP_* */
   uint8_t first_level, last_level;
};

struct texture {
   struct list_head link;
   struct key key;
   struct nv3_bo *bo;
   struct nv3_object *d3d;  /* an object of class 0x17 that reads the texture */
   uint64_t size;           /* counts towards BYTES_MAX */
   unsigned format;         /* NV3_D3D_TEX_* */
   unsigned log2, log2_min; /* of the largest and smallest level's size */
   /*
    * The part of the largest level that the texture fills. The rest is padding.
    */
   float part[2];
};

/* ---- versions ---- */

/*
 * The driver stores the version in llvmpipe_resource.timestamp, which llvmpipe
 * does not use. 0 means that the resource has no version yet.
 */
void
nv3_texture_changed(struct nv3_screen *screen, struct pipe_resource *resource)
{
   p_atomic_set(&llvmpipe_resource(resource)->timestamp,
                p_atomic_inc_return(&screen->last_version));
}

static uint32_t
version_of(struct nv3_screen *screen, struct pipe_resource *resource)
{
   struct llvmpipe_resource *lpr = llvmpipe_resource(resource);

   /* Other processes may change a display target at any time. */
   if (lpr->dt || !p_atomic_read(&lpr->timestamp))
      nv3_texture_changed(screen, resource);
   return p_atomic_read(&lpr->timestamp);
}

/* ---- texels ---- */

/*
 * Returns @i with a 0 bit inserted above each bit, for an address in Morton
 * order.
 */
static uint32_t
spread(uint32_t i)
{
   i = (i | i << 8) & 0x00ff00ff;
   i = (i | i << 4) & 0x0f0f0f0f;
   i = (i | i << 2) & 0x33333333;
   return (i | i << 1) & 0x55555555;
}

/*
 * Returns the column of a level of width @size that supplies column @i of the
 * square level. The wrap mode determines the padding. Also used for lines.
 */
static unsigned
picture_texel(unsigned i, unsigned size, unsigned wrap)
{
   return wrap == NV3_D3D_WRAP_CLAMP ? MIN2(i, size - 1) : i % size;
}

/*
 * Applies the swizzle and the alpha threshold of @key to RGBA texels. Returns
 * true if any alpha is then neither 0 nor 255.
 */
static bool
arrange(uint8_t *rgba, unsigned count, const struct key *key)
{
   bool translucent = false;

   for (unsigned i = 0; i < count; i++, rgba += 4) {
      const uint8_t in[] = {
         [PIPE_SWIZZLE_X] = rgba[0], [PIPE_SWIZZLE_Y] = rgba[1],
         [PIPE_SWIZZLE_Z] = rgba[2], [PIPE_SWIZZLE_W] = rgba[3],
         [PIPE_SWIZZLE_0] = 0, [PIPE_SWIZZLE_1] = 255,
      };

      for (unsigned c = 0; c < 4; c++)
         rgba[c] = in[key->swizzle[c]];
      if (key->threshold)
         rgba[3] = rgba[3] >= key->threshold ? 255 : 0;
      translucent |= rgba[3] && rgba[3] != 255;
   }
   return translucent;
}

/*
 * Returns a texel in @format, with components that are rounded to 4 bits or
 * truncated to 5 bits. The chip appends zeros to 5-bit components and
 * truncates its results to 5 bits, so repeated copies preserve the colours.
 * The chip expands 4-bit components exactly.
 */
static uint16_t
pack_texel(const uint8_t c[4], unsigned format)
{
   if (format == NV3_D3D_TEX_A4R4G4B4)
      return (c[3] * 15 + 127) / 255 << 12 | (c[0] * 15 + 127) / 255 << 8 |
             (c[1] * 15 + 127) / 255 << 4 | (c[2] * 15 + 127) / 255;
   return c[3] >> 7 << 15 | c[0] >> 3 << 10 | c[1] >> 3 << 5 | c[2] >> 3;
}

/*
 * Writes a level of @width x @height RGBA texels to @dst, a level of @size x
 * @size texels.
 */
static void
store(uint16_t *dst, unsigned size, const uint8_t *rgba, unsigned width,
      unsigned height, const struct texture *tex)
{
   for (unsigned y = 0; y < size; y++) {
      unsigned row = picture_texel(y, height, tex->key.wrap[1]);
      const uint8_t *line = rgba + row * width * 4;
      uint16_t *out = dst + (spread(y) << 1);

      for (unsigned x = 0; x < size; x++) {
         unsigned column = picture_texel(x, width, tex->key.wrap[0]);

         out[spread(x)] = pack_texel(line + column * 4, tex->format);
      }
   }
}

/*
 * Copies level @level of @res to @dst, a level of @size x @size texels. The
 * first level determines the format of @tex: 4 bits of alpha if any alpha is
 * neither 0 nor 1, otherwise 5 bits per colour. Returns false if memory is
 * exhausted.
 */
static bool
copy_level(struct nv3_context *ctx, struct pipe_resource *res,
           struct texture *tex, unsigned level, uint16_t *dst, unsigned size)
{
   struct pipe_context *pipe = ctx->pipe;
   unsigned width = u_minify(res->width0, level);
   unsigned height = u_minify(res->height0, level);
   uint8_t *rgba = MALLOC(width * height * 4);
   struct pipe_transfer *transfer;
   struct pipe_box box;
   const void *map;
   bool translucent;

   u_box_2d(0, 0, width, height, &box);
   map = rgba ? pipe->texture_map(pipe, res, level, PIPE_MAP_READ, &box,
                                  &transfer) : NULL;
   if (map) {
      util_format_unpack_rgba_8unorm_rect(tex->key.format, rgba, width * 4, map,
                                          transfer->stride, width, height);
      pipe->texture_unmap(pipe, transfer);
      translucent = arrange(rgba, width * height, &tex->key);
      if (level == tex->key.first_level)
         tex->format = translucent ? NV3_D3D_TEX_A4R4G4B4 :
                                     NV3_D3D_TEX_A1R5G5B5;
      store(dst, size, rgba, width, height, tex);
   }
   FREE(rgba);
   return map;
}

/* ---- copies ---- */

static void
free_texture(struct nv3_context *ctx, struct texture *tex)
{
   nv3_object_unref(tex->d3d);
   nv3_bo_unref(tex->bo);
   list_del(&tex->link);
   ctx->texture_bytes -= tex->size;
   FREE(tex);
}

void
nv3_texture_fini(struct nv3_context *ctx)
{
   list_for_each_entry_safe(struct texture, tex, &ctx->textures, link)
      free_texture(ctx, tex);
}

/* Creates the object that reads the texture. Returns false on failure. */
static bool
create_object(struct nv3_context *ctx, struct texture *tex)
{
   struct nv3_graph info = {
      .operation = NV3_OPERATION_COPY,
      .dst_slots = 1 << NV3_COLOR_SLOT,
      .flags = DRM_NV3_GRAPH_CLIP | DRM_NV3_GRAPH_ZETA,
   };
   int ret;

   if (nv3_dma_new(ctx->chan, 0, tex->bo, 0, nv3_bo_size(tex->bo), 0,
                   &info.dma[0]))
      return false;
   ret = nv3_graph_new(ctx->chan, 0, NV3_CLASS_D3D, &info, &tex->d3d);
   nv3_object_unref(info.dma[0]);
   return !ret;
}

/*
 * Creates a texture with a buffer of @size bytes, and sets *@map to the
 * mapping of the buffer. If the limit is exceeded, frees all other textures.
 * Returns NULL if memory is exhausted.
 */
static struct texture *
new_texture(struct nv3_context *ctx, const struct key *key, uint64_t size,
            void **map)
{
   struct texture *tex = CALLOC_STRUCT(texture);

   if (!tex)
      return NULL;
   tex->key = *key;
   tex->size = MAX2(size, SIZE_MIN);
   if (ctx->texture_bytes + tex->size > BYTES_MAX)
      nv3_texture_fini(ctx);
   list_add(&tex->link, &ctx->textures);
   ctx->texture_bytes += tex->size;
   if (nv3_bo_new(ctx->screen->dev, size, DRM_NV3_GEM_SYSTEM, &tex->bo) ||
       nv3_bo_map(tex->bo, map) || !create_object(ctx, tex)) {
      free_texture(ctx, tex);
      return NULL;
   }
   return tex;
}

static struct texture *
copy_texture(struct nv3_context *ctx, struct pipe_resource *res,
             const struct key *key)
{
   unsigned width = u_minify(res->width0, key->first_level);
   unsigned height = u_minify(res->height0, key->first_level);
   unsigned log2 = util_logbase2_ceil(MAX2(width, height));
   /*
    * Stop at the first level whose shorter side is one texel. Beyond this
    * level, only the longer side shrinks, but the chip halves both sides.
    */
   unsigned levels = MIN2(key->last_level - key->first_level,
                          util_logbase2(MIN2(width, height)));
   struct texture *tex;
   uint64_t size = 0;
   uint16_t *dst;
   void *map;

   for (unsigned i = 0; i <= levels; i++)
      size += 2ull << (2 * (log2 - i));
   tex = new_texture(ctx, key, size, &map);
   if (!tex)
      return NULL;
   tex->log2 = log2;
   tex->log2_min = log2 - levels;
   tex->part[0] = (float)width / (1u << log2);
   tex->part[1] = (float)height / (1u << log2);
   dst = map;
   for (unsigned i = 0; i <= levels; i++) {
      if (!copy_level(ctx, res, tex, key->first_level + i, dst,
                      1u << (log2 - i))) {
         free_texture(ctx, tex);
         return NULL;
      }
      dst += 1u << (2 * (log2 - i));
   }
   return tex;
}

/* One white texel, because class 0x17 can't draw without a texture. */
static struct texture *
white_texture(struct nv3_context *ctx, const struct key *key)
{
   void *map;
   struct texture *tex = new_texture(ctx, key, sizeof(uint16_t), &map);

   if (!tex)
      return NULL;
   tex->format = NV3_D3D_TEX_A4R4G4B4;
   *(uint16_t *)map = 0xffff;
   return tex;
}

/*
 * Returns the copy of @res for @key, or the white texture if @res is NULL.
 * Returns NULL if memory is exhausted.
 */
static struct texture *
get_texture(struct nv3_context *ctx, struct pipe_resource *res,
            const struct key *key)
{
   list_for_each_entry(struct texture, tex, &ctx->textures, link) {
      if (!memcmp(&tex->key, key, sizeof(*key)))
         return tex;
   }
   return res ? copy_texture(ctx, res, key) : white_texture(ctx, key);
}

/* ---- state ---- */

/*
 * Returns true if the chip should use its linear filter. The chip has a
 * single filter for magnification and minification.
 */
static bool
is_linear(const struct pipe_sampler_state *sampler)
{
   return sampler->mag_img_filter == PIPE_TEX_FILTER_LINEAR ||
          (sampler->min_img_filter == PIPE_TEX_FILTER_LINEAR &&
           sampler->min_mip_filter != PIPE_TEX_MIPFILTER_NONE);
}

/* Sets *@out to the chip's wrap mode. Returns false if the chip has none. */
static bool
convert_wrap(const struct pipe_sampler_state *sampler, unsigned wrap,
             unsigned size, uint8_t *out)
{
   *out = wrap == PIPE_TEX_WRAP_REPEAT ? NV3_D3D_WRAP_WRAP : NV3_D3D_WRAP_CLAMP;
   /*
    * With PIPE_TEX_WRAP_CLAMP and a linear filter, GL interpolates between the
    * texels at the edge and the border colour.
    */
   return wrap == PIPE_TEX_WRAP_CLAMP_TO_EDGE ||
          (wrap == PIPE_TEX_WRAP_CLAMP && !is_linear(sampler)) ||
          (wrap == PIPE_TEX_WRAP_REPEAT && util_is_power_of_two_nonzero(size));
}

/*
 * Returns NULL, or the reason why the chip can't use a texture in the format of
 * @view.
 */
static const char *
refuse(const struct nv3_context *ctx, const struct pipe_sampler_view *view)
{
   const struct util_format_description *desc =
      util_format_description(view->format);

   if (nv3_target_surface(ctx, NV3_COLOR)->texture == view->texture)
      return "texture is a render target of the draw";
   if (view->target != PIPE_TEXTURE_2D ||
       view->texture->target != PIPE_TEXTURE_2D)
      return "texture is not 2D";
   if (MAX2(view->texture->width0, view->texture->height0) >
       1u << (NV3_TEXTURE_LEVELS - 1))
      return "texture too large";
   if (desc->colorspace != UTIL_FORMAT_COLORSPACE_RGB ||
       !util_format_fits_8unorm(desc))
      return "texture format without 8-bit colours";
   return NULL;
}

/* Returns NULL, or the reason why the chip can't use the texture. */
static const char *
make_key(struct nv3_context *ctx, const struct pipe_sampler_view *view,
         const struct pipe_sampler_state *sampler, struct key *key)
{
   const uint8_t own[4] = { view->swizzle_r, view->swizzle_g, view->swizzle_b,
                            view->swizzle_a };
   unsigned first = view->u.tex.first_level;

   key->version = version_of(ctx->screen, view->texture);
   key->format = view->format;
   key->threshold = ctx->state.threshold;
   util_format_compose_swizzles(own, ctx->state.shader->swizzle, key->swizzle);
   if (!ctx->state.uses_alpha)
      key->swizzle[3] = PIPE_SWIZZLE_1;
   key->first_level = key->last_level = first;
   if (!convert_wrap(sampler, sampler->wrap_s,
                     u_minify(view->texture->width0, first), &key->wrap[0]) ||
       !convert_wrap(sampler, sampler->wrap_t,
                     u_minify(view->texture->height0, first), &key->wrap[1]))
      return "unsupported wrap mode for a texture of this size";
   if (sampler->min_mip_filter == PIPE_TEX_MIPFILTER_NONE)
      return NULL;
   key->last_level = view->u.tex.last_level;
   return sampler->min_lod > 0.0f ||
          sampler->max_lod < NV3_TEXTURE_LEVELS - 1 ?
          "clamped level of detail" : NULL;
}

static void
set_coordinates(struct nv3_draw_state *state, const struct texture *tex,
                bool linear)
{
   float size = 1u << tex->log2;

   for (unsigned i = 0; i < 2; i++) {
      bool repeats = tex->key.wrap[i] == NV3_D3D_WRAP_WRAP;

      state->coord_scale[i] = tex->part[i];
      state->coord_bias[i] = linear ? -0.5f / size : 0.0f;
      state->coord_limit[i] = (repeats ? COORD_MAX : COORD_EDGE_MAX) / size;
      state->coord_repeats[i] = repeats;
   }
}

const char *
nv3_texture_validate(struct nv3_context *ctx)
{
   struct llvmpipe_context *lp = llvmpipe_context(ctx->pipe);
   struct nv3_draw_state *state = &ctx->state;
   const nir_tex_instr *lookup = state->shader->tex;
   const struct pipe_sampler_state *sampler;
   struct pipe_sampler_view *view = NULL;
   const char *reason = NULL;
   struct texture *tex;
   bool linear = false;
   struct key key;

   memset(&key, 0, sizeof(key));
   if (lookup) {
      view = lp->sampler_views[PIPE_SHADER_FRAGMENT][lookup->texture_index];
      sampler = lp->samplers[PIPE_SHADER_FRAGMENT][lookup->sampler_index];
      if (!view || !sampler)
         return "missing texture";
      reason = refuse(ctx, view);
      if (!reason)
         reason = make_key(ctx, view, sampler, &key);
      if (reason)
         return reason;
      linear = is_linear(sampler);
      state->words[NV3_WORD_FILTER] =
         (CLAMP((int)(sampler->lod_bias * 16.0f), -128, 127) & 0xff) << 16;
   }
   tex = get_texture(ctx, view ? view->texture : NULL, &key);
   if (!tex)
      return "no memory for a texture";
   state->d3d = tex->d3d;
   set_coordinates(state, tex, linear);
   state->words[NV3_WORD_FORMAT] =
      tex->format << NV3_D3D_TEX_FORMAT_SHIFT |
      tex->log2_min << NV3_D3D_TEX_SIZE_MIN_SHIFT |
      tex->log2 << NV3_D3D_TEX_SIZE_MAX_SHIFT;
   state->words[NV3_WORD_CONFIG] |=
      (linear ? NV3_D3D_INTERP_FOH_CENTER : NV3_D3D_INTERP_ZOH_CORNER) |
      key.wrap[0] << NV3_D3D_CONFIG_WRAP_U_SHIFT |
      key.wrap[1] << NV3_D3D_CONFIG_WRAP_V_SHIFT;
   return NULL;
}
