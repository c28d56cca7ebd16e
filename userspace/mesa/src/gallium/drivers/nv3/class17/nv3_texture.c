/* SPDX-License-Identifier: MIT */
/*
 * Copies textures to the chip's layout (docs/reference/chip/3d.md). All
 * levels are square and consist of 16-bit texels in Morton order. The levels
 * are consecutive, and the largest level is the first.
 *
 * Each context has its own copies of textures, and each copy has its own
 * buffer in system memory. If a texture changes, it gets a new version. The
 * next draw with the texture copies it to a new buffer. The CPU therefore does
 * not wait for the chip. Outdated copies remain until make_room() frees them as
 * the least recently used copies.
 */
#include "llvmpipe/lp_texture.h"
#include "util/format/u_format.h"
#include "util/hash_table.h"
#include "util/u_inlines.h"
#include "util/u_math.h"
#include "util/u_memory.h"

#include "class17/nv3_class17.h"

/*
 * Limits of the textures in a context. Each texture has up to two DMA objects,
 * and the kernel allows 1,024 DMA objects per channel.
 */
#define TEXTURES_MAX 256
#define BYTES_MAX    (64u << 20)

/* ---- versions ---- */

static uintptr_t
version_of(struct nv3_screen *screen, struct pipe_resource *resource)
{
   struct hash_entry *entry;
   uintptr_t version;

   simple_mtx_lock(&screen->lock);
   entry = _mesa_hash_table_search(screen->versions, resource);
   if (!entry)
      entry = _mesa_hash_table_insert(screen->versions, resource,
                                      (void *)++screen->last_version);
   version = (uintptr_t)entry->data;
   simple_mtx_unlock(&screen->lock);
   return version;
}

void
nv3_texture_changed(struct nv3_screen *screen, struct pipe_resource *resource)
{
   simple_mtx_lock(&screen->lock);
   _mesa_hash_table_remove_key(screen->versions, resource);
   simple_mtx_unlock(&screen->lock);
}

void
nv3_textures_shared_changed(struct nv3_screen *screen)
{
   simple_mtx_lock(&screen->lock);
   hash_table_foreach(screen->versions, entry) {
      if (llvmpipe_resource_const(entry->key)->dt)
         _mesa_hash_table_remove(screen->versions, entry);
   }
   simple_mtx_unlock(&screen->lock);
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
 * Returns the column of a level that supplies column @i of the square
 * texture, where @size is the width of the level. Or returns the line that
 * supplies line @i, where @size is the height of the level. If @i is not less
 * than @size, the wrap mode @wrap determines the result.
 */
static unsigned
picture_texel(unsigned i, unsigned size, unsigned wrap)
{
   if (i < size)
      return i;
   return wrap == NV3_D3D_WRAP_CLAMP ? size - 1 : i % size;
}

/* Applies the swizzle and the alpha threshold of @key to RGBA texels. */
static void
arrange(uint8_t *rgba, unsigned count, const struct nv3_texture_key *key)
{
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
   }
}

/*
 * Returns the format with 4 bits of alpha if any alpha is neither 0 nor 1,
 * otherwise the format with 5 bits per colour.
 */
static unsigned
best_format(const uint8_t *rgba, unsigned count)
{
   for (unsigned i = 0; i < count; i++) {
      uint8_t alpha = rgba[i * 4 + 3];

      if (alpha && alpha != 255)
         return NV3_D3D_TEX_A4R4G4B4;
   }
   return NV3_D3D_TEX_A1R5G5B5;
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
 * @size texels. The wrap modes determine the padding.
 */
static void
store(uint16_t *dst, unsigned size, const uint8_t *rgba, unsigned width,
      unsigned height, const struct nv3_texture *tex)
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
 * first level determines the format of @tex. Returns false if memory is
 * exhausted.
 */
static bool
copy_level(struct nv3_context *ctx, struct pipe_resource *res,
           struct nv3_texture *tex, unsigned level, uint16_t *dst,
           unsigned size)
{
   struct pipe_context *pipe = ctx->pipe;
   unsigned width = u_minify(res->width0, level);
   unsigned height = u_minify(res->height0, level);
   uint8_t *rgba = MALLOC(width * height * 4);
   struct pipe_transfer *transfer;
   struct pipe_box box;
   const void *map;

   u_box_2d_zslice(0, 0, tex->key.layer, width, height, &box);
   map = rgba ? pipe->texture_map(pipe, res, level, PIPE_MAP_READ, &box,
                                  &transfer) : NULL;
   if (map) {
      util_format_unpack_rgba_8unorm_rect(tex->key.format, rgba, width * 4, map,
                                          transfer->stride, width, height);
      pipe->texture_unmap(pipe, transfer);
      arrange(rgba, width * height, &tex->key);
      if (level == tex->key.first_level)
         tex->format = best_format(rgba, width * height);
      store(dst, size, rgba, width, height, tex);
   }
   FREE(rgba);
   return map;
}

/* ---- textures ---- */

static void
free_texture(struct nv3_context *ctx, struct nv3_texture *tex)
{
   nv3_object_unref(tex->d3d[0]);
   nv3_object_unref(tex->d3d[1]);
   nv3_bo_unref(tex->bo);
   list_del(&tex->link);
   ctx->texture_count--;
   ctx->texture_bytes -= tex->size;
   FREE(tex);
}

void
nv3_texture_fini(struct nv3_context *ctx)
{
   list_for_each_entry_safe(struct nv3_texture, tex, &ctx->textures, link)
      free_texture(ctx, tex);
}

/*
 * Creates a texture with a buffer of @size bytes, and sets *@map to the
 * mapping of the buffer. Returns NULL if memory is exhausted.
 */
static struct nv3_texture *
new_texture(struct nv3_context *ctx, uint64_t size, void **map)
{
   struct nv3_texture *tex = CALLOC_STRUCT(nv3_texture);

   if (!tex)
      return NULL;
   if (nv3_bo_new(ctx->screen->dev, size, DRM_NV3_GEM_SYSTEM, &tex->bo)) {
      FREE(tex);
      return NULL;
   }
   tex->size = size;
   list_add(&tex->link, &ctx->textures);
   ctx->texture_count++;
   ctx->texture_bytes += size;
   if (nv3_bo_map(tex->bo, map)) {
      free_texture(ctx, tex);
      return NULL;
   }
   return tex;
}

static struct nv3_object *
object_of(struct nv3_context *ctx, struct nv3_texture *tex, bool zeta)
{
   struct nv3_channel *chan = ctx->chan;
   struct nv3_graph info = {
      .operation = NV3_OPERATION_COPY,
      .dst_slots = 1 << NV3_SLOT_COLOR,
      .flags = DRM_NV3_GRAPH_CLIP | (zeta ? DRM_NV3_GRAPH_ZETA : 0),
   };

   if (tex->d3d[zeta] ||
       nv3_dma_new(chan, 0, tex->bo, 0, nv3_bo_size(tex->bo), 0, &info.dma[0]))
      return tex->d3d[zeta];
   if (nv3_graph_new(chan, 0, NV3_CLASS_D3D, &info, &tex->d3d[zeta]))
      tex->d3d[zeta] = NULL;
   nv3_object_unref(info.dma[0]);
   return tex->d3d[zeta];
}

static struct nv3_texture *
find(struct nv3_context *ctx, const struct nv3_texture_key *key)
{
   list_for_each_entry(struct nv3_texture, tex, &ctx->textures, link) {
      if (!memcmp(&tex->key, key, sizeof(*key))) {
         list_move_to(&tex->link, &ctx->textures);
         return tex;
      }
   }
   return NULL;
}

/*
 * Frees the least recently used copies until a copy of @size bytes is within
 * the limits.
 */
static void
make_room(struct nv3_context *ctx, uint64_t size)
{
   list_for_each_entry_safe_rev(struct nv3_texture, tex, &ctx->textures, link) {
      if (ctx->texture_count < TEXTURES_MAX &&
          ctx->texture_bytes + size <= BYTES_MAX)
         return;
      free_texture(ctx, tex);
   }
}

static const char *
refuse(const struct pipe_sampler_view *view, const struct nv3_texture_key *key)
{
   const struct util_format_description *desc =
      util_format_description(view->format);
   unsigned width = u_minify(view->texture->width0, key->first_level);
   unsigned height = u_minify(view->texture->height0, key->first_level);

   if ((view->target != PIPE_TEXTURE_2D && view->target != PIPE_TEXTURE_RECT) ||
       view->texture->target != view->target)
      return "texture is not 2D";
   if (desc->colorspace != UTIL_FORMAT_COLORSPACE_RGB ||
       util_format_is_float(view->format) ||
       util_format_is_pure_integer(view->format) ||
       util_format_is_snorm(view->format))
      return "texture format without 8-bit colours";
   if (MAX2(width, height) > 1u << (NV3_TEXTURE_LEVELS - 1))
      return "texture too large";
   if ((!util_is_power_of_two_nonzero(width) &&
        key->wrap[0] != NV3_D3D_WRAP_CLAMP) ||
       (!util_is_power_of_two_nonzero(height) &&
        key->wrap[1] != NV3_D3D_WRAP_CLAMP))
      return "repeating texture with a size that is no power of two";
   return NULL;
}

static struct nv3_texture *
copy_texture(struct nv3_context *ctx, struct pipe_resource *res,
             const struct nv3_texture_key *key)
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
   struct nv3_texture *tex;
   uint64_t size = 0;
   uint16_t *dst;
   void *map;

   for (unsigned i = 0; i <= levels; i++)
      size += 2ull << (2 * (log2 - i));
   make_room(ctx, size);
   tex = new_texture(ctx, size, &map);
   if (!tex)
      return NULL;
   tex->key = *key;
   tex->log2 = log2;
   tex->log2_min = log2 - levels;
   tex->scale[0] = (float)width / (1u << log2);
   tex->scale[1] = (float)height / (1u << log2);
   dst = map;
   for (unsigned i = 0; i <= levels; i++) {
      if (!copy_level(ctx, res, tex, key->first_level + i, dst,
                      1u << (log2 - i))) {
         free_texture(ctx, tex);
         return NULL;
      }
      dst += 1u << (2 * (log2 - i));
   }
   ctx->count.textures++;
   return tex;
}

static struct nv3_texture *
white_texture(struct nv3_context *ctx, const struct nv3_texture_key *key)
{
   struct nv3_texture *tex;
   void *map;

   make_room(ctx, sizeof(uint16_t));
   tex = new_texture(ctx, sizeof(uint16_t), &map);
   if (!tex)
      return NULL;
   tex->key = *key;
   tex->format = NV3_D3D_TEX_A4R4G4B4;
   *(uint16_t *)map = 0xffff;
   return tex;
}

/* Completes @key for @view, as nv3_texture_get() describes. */
static void
apply_view(struct nv3_context *ctx, struct pipe_sampler_view *view,
           struct nv3_texture_key *key)
{
   const uint8_t own[4] = { view->swizzle_r, view->swizzle_g, view->swizzle_b,
                            view->swizzle_a };
   unsigned first = view->u.tex.first_level, last = view->u.tex.last_level;

   key->version = version_of(ctx->screen, view->texture);
   key->format = view->format;
   key->first_level = first;
   key->last_level = MIN2(key->last_level + first, last);
   key->layer = view->u.tex.first_layer;
   for (unsigned c = 0; c < 4; c++) {
      if (key->swizzle[c] <= PIPE_SWIZZLE_W)
         key->swizzle[c] = own[key->swizzle[c]];
   }
}

const char *
nv3_texture_get(struct nv3_context *ctx, struct pipe_sampler_view *view,
                struct nv3_texture_key *key, bool zeta,
                const struct nv3_texture **out)
{
   const char *reason = NULL;
   struct nv3_texture *tex;

   if (view) {
      apply_view(ctx, view, key);
      reason = refuse(view, key);
   }
   if (reason)
      return reason;
   tex = find(ctx, key);
   if (!tex)
      tex = view ? copy_texture(ctx, view->texture, key) :
                   white_texture(ctx, key);
   if (!tex || !object_of(ctx, tex, zeta))
      return "no memory for a texture";
   *out = tex;
   return NULL;
}
