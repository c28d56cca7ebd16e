/* SPDX-License-Identifier: MIT */
/*
 * Textures as the chip reads them: square, 16 bits a texel, in Morton order, the
 * levels one after another from the largest (docs/chip-3d.md).
 *
 * They live in large buffers of system memory, as an object of class 0x17
 * reaches one buffer: many textures in a buffer means few changes of object. A
 * texture that changes is copied to a new place, so nobody waits for the chip;
 * old places are used again when the chip is done with their buffer.
 */
#include "util/format/u_format.h"
#include "util/u_inlines.h"
#include "util/u_math.h"
#include "util/u_memory.h"

#include "nv3_chip.h"
#include "nv3_context.h"
#include "nv3_resource.h"
#include "nv3_share.h"
#include "nv3_texture.h"

#define SLAB_SIZE     (4u << 20)
/* Of offsets; and the heap wants none to be 0, where the white texel is. */
#define TEXTURE_ALIGN 256u
#define MAX_VARIANTS  4

struct freed_range {
   struct list_head link;
   uint64_t offset, size;
};

/* ---- memory ---- */

struct nv3_texture_heap *
nv3_texture_heap_create(void)
{
   struct nv3_texture_heap *heap = CALLOC_STRUCT(nv3_texture_heap);

   if (heap)
      simple_mtx_init(&heap->lock, mtx_plain);
   return heap;
}

static void
reuse_freed(struct nv3_slab *slab)
{
   list_for_each_entry_safe(struct freed_range, range, &slab->freed, link) {
      util_vma_heap_free(&slab->space, range->offset, range->size);
      list_del(&range->link);
      FREE(range);
   }
}

void
nv3_texture_heap_destroy(struct nv3_texture_heap *heap)
{
   for (unsigned i = 0; i < heap->count; i++) {
      reuse_freed(heap->slabs[i]);
      util_vma_heap_finish(&heap->slabs[i]->space);
      nv3_bo_unref(heap->slabs[i]->bo);
      FREE(heap->slabs[i]);
   }
   simple_mtx_destroy(&heap->lock);
   FREE(heap);
}

static struct nv3_slab *
create_slab(struct nv3_screen *screen, uint64_t least)
{
   struct nv3_slab *slab;
   void *map;

   if (screen->heap->count == NV3_MAX_SLABS)
      return NULL;
   slab = CALLOC_STRUCT(nv3_slab);
   if (!slab)
      return NULL;
   slab->size = MAX2(align64(least + TEXTURE_ALIGN, 4096), SLAB_SIZE);
   if (nv3_bo_new(screen->dev, slab->size, DRM_NV3_GEM_SYSTEM, &slab->bo)) {
      FREE(slab);
      return NULL;
   }
   if (nv3_bo_map(slab->bo, &map)) {
      nv3_bo_unref(slab->bo);
      FREE(slab);
      return NULL;
   }
   slab->map = map;
   *(uint16_t *)map = 0xffff;
   list_inithead(&slab->freed);
   util_vma_heap_init(&slab->space, TEXTURE_ALIGN, slab->size - TEXTURE_ALIGN);
   slab->index = screen->heap->count;
   screen->heap->slabs[screen->heap->count++] = slab;
   return slab;
}

struct nv3_slab *
nv3_texture_white(struct nv3_context *ctx)
{
   struct nv3_texture_heap *heap = ctx->screen->heap;
   struct nv3_slab *slab;

   simple_mtx_lock(&heap->lock);
   slab = heap->count ? heap->slabs[0] : create_slab(ctx->screen, 0);
   simple_mtx_unlock(&heap->lock);
   return slab;
}

static bool
place_in(struct nv3_texture *tex, struct nv3_slab *slab)
{
   tex->offset = util_vma_heap_alloc(&slab->space, tex->size, TEXTURE_ALIGN);
   if (!tex->offset)
      return false;
   tex->slab = slab;
   return true;
}

static bool
place(struct nv3_context *ctx, struct nv3_texture *tex)
{
   struct nv3_texture_heap *heap = ctx->screen->heap;
   struct nv3_slab *slab;

   for (unsigned i = 0; i < heap->count; i++) {
      if (place_in(tex, heap->slabs[i]))
         return true;
   }
   /* What was freed, where the chip is done with all of it. */
   nv3_chip_flush(ctx);
   for (unsigned i = 0; i < heap->count; i++) {
      slab = heap->slabs[i];
      if (list_is_empty(&slab->freed) ||
          nv3_bo_wait(slab->bo, DRM_NV3_GEM_WAIT_WRITE, 0))
         continue;
      reuse_freed(slab);
      if (place_in(tex, slab))
         return true;
   }
   slab = create_slab(ctx->screen, tex->size);
   return slab && place_in(tex, slab);
}

static void
free_place(struct nv3_texture *tex)
{
   struct freed_range *range;

   if (!tex->slab)
      return;
   range = MALLOC_STRUCT(freed_range);
   /* Without memory even for that, the place is lost. */
   if (range) {
      range->offset = tex->offset;
      range->size = tex->size;
      list_addtail(&range->link, &tex->slab->freed);
   }
   tex->slab = NULL;
}

void
nv3_textures_destroy(struct nv3_resource *res)
{
   while (res->textures) {
      struct nv3_texture *tex = res->textures;

      res->textures = tex->next;
      simple_mtx_lock(&tex->heap->lock);
      free_place(tex);
      simple_mtx_unlock(&tex->heap->lock);
      FREE(tex);
   }
}

/* ---- texels ---- */

/* Every second bit, for the address of a texel. */
static uint32_t
spread(uint32_t i)
{
   i = (i | i << 8) & 0x00ff00ff;
   i = (i | i << 4) & 0x0f0f0f0f;
   i = (i | i << 2) & 0x33333333;
   return (i | i << 1) & 0x55555555;
}

/* Where texel @i of the square is in the picture, which has @size of them. */
static unsigned
picture_texel(unsigned i, unsigned size, unsigned wrap)
{
   if (i < size)
      return i;
   switch (wrap) {
   case NV3_D3D_WRAP_MIRROR:
      i %= 2 * size;
      return i < size ? i : 2 * size - 1 - i;
   case NV3_D3D_WRAP_CLAMP:
      return size - 1;
   default:
      return i % size;
   }
}

static uint8_t
component(const uint8_t *texel, uint8_t swizzle)
{
   switch (swizzle) {
   case PIPE_SWIZZLE_0:
      return 0;
   case PIPE_SWIZZLE_1:
      return 255;
   default:
      return texel[swizzle - PIPE_SWIZZLE_X];
   }
}

/* Rounded; the chip widens 5 and 6 bits with zeros, and 4 bits fully. */
static unsigned
to_bits(unsigned value, unsigned bits)
{
   unsigned max = (1u << bits) - 1;

   return MIN2((value + (0x80u >> bits)) >> (8 - bits), max);
}

static uint16_t
pack_texel(const uint8_t c[4], unsigned format)
{
   switch (format) {
   case NV3_D3D_TEX_R5G6B5:
      return to_bits(c[0], 5) << 11 | to_bits(c[1], 6) << 5 | to_bits(c[2], 5);
   case NV3_D3D_TEX_A4R4G4B4:
      return (c[3] * 15 + 127) / 255 << 12 | (c[0] * 15 + 127) / 255 << 8 |
             (c[1] * 15 + 127) / 255 << 4 | (c[2] * 15 + 127) / 255;
   default:
      return (c[3] >> 7) << 15 | to_bits(c[0], 5) << 10 |
             to_bits(c[1], 5) << 5 | to_bits(c[2], 5);
   }
}

/* RGBA of 8 bits, as the shader is to see it. In place. */
static void
arrange(uint8_t *rgba, unsigned count, const struct nv3_texture_key *key)
{
   bool same = key->swizzle[0] == PIPE_SWIZZLE_X &&
               key->swizzle[1] == PIPE_SWIZZLE_Y &&
               key->swizzle[2] == PIPE_SWIZZLE_Z &&
               key->swizzle[3] == PIPE_SWIZZLE_W;

   for (unsigned i = 0; i < count && !same; i++) {
      uint8_t in[4];

      memcpy(in, rgba + i * 4, 4);
      for (unsigned c = 0; c < 4; c++)
         rgba[i * 4 + c] = component(in, key->swizzle[c]);
   }
   if (key->mode == NV3_TEXTURE_CUT) {
      for (unsigned i = 0; i < count; i++)
         rgba[i * 4 + 3] = rgba[i * 4 + 3] >= key->threshold ? 255 : 0;
   } else if (key->mode == NV3_TEXTURE_PREMULTIPLIED) {
      for (unsigned i = 0; i < count; i++) {
         uint8_t *t = rgba + i * 4;

         for (unsigned c = 0; c < 3; c++)
            t[c] = (t[c] * t[3] + 127) / 255;
         t[3] = 255;
      }
   } else if (key->mode == NV3_TEXTURE_DIVIDED) {
      for (unsigned i = 0; i < count; i++) {
         uint8_t *t = rgba + i * 4;

         for (unsigned c = 0; c < 3 && t[3]; c++)
            t[c] = MIN2((t[c] * 255 + t[3] / 2) / t[3], 255);
      }
   }
}

/* Light without alpha, as for a glow, has no colour that could be divided. */
static bool
is_brighter_than_alpha(const uint8_t *rgba, unsigned count)
{
   for (unsigned i = 0; i < count; i++) {
      const uint8_t *t = rgba + i * 4;

      if (MAX3(t[0], t[1], t[2]) > t[3])
         return true;
   }
   return false;
}

/* The format that keeps most of a picture. */
static unsigned
choose_format(const uint8_t *rgba, unsigned count)
{
   bool transparent = false;

   for (unsigned i = 0; i < count; i++) {
      uint8_t alpha = rgba[i * 4 + 3];

      if (alpha && alpha != 255)
         return NV3_D3D_TEX_A4R4G4B4;
      transparent |= !alpha;
   }
   return transparent ? NV3_D3D_TEX_A1R5G5B5 : NV3_D3D_TEX_R5G6B5;
}

static void
swizzle_level(uint16_t *dst, unsigned size, const uint8_t *rgba,
              unsigned width, unsigned height, const struct nv3_texture *tex)
{
   const uint32_t xmask = 0x55555555;

   for (unsigned y = 0; y < size; y++) {
      unsigned row = picture_texel(y, height, tex->key.wrap[1]);
      const uint8_t *line = rgba + row * width * 4;
      uint16_t *out = dst + (spread(y) << 1);
      uint32_t at = 0;

      for (unsigned x = 0; x < size; x++) {
         unsigned column = picture_texel(x, width, tex->key.wrap[0]);

         out[at] = pack_texel(line + column * 4, tex->format);
         /* The next x: its carries go past the bits of y. */
         at = (at - xmask) & xmask;
      }
   }
}

/* A level as RGBA of 8 bits, to be freed. */
static uint8_t *
read_level(struct nv3_context *ctx, struct nv3_resource *res,
           const struct pipe_sampler_view *view, unsigned level,
           unsigned width, unsigned height)
{
   struct pipe_context *inner = ctx->inner;
   struct pipe_transfer *transfer;
   struct pipe_box box;
   uint8_t *rgba = MALLOC(width * height * 4);
   void *map;

   if (!rgba)
      return NULL;
   u_box_2d_zslice(0, 0, view->u.tex.first_layer, width, height, &box);
   map = inner->texture_map(inner, res->master, level, PIPE_MAP_READ, &box,
                            &transfer);
   if (!map) {
      FREE(rgba);
      return NULL;
   }
   util_format_unpack_rgba_8unorm_rect(view->format, rgba, width * 4, map,
                                       transfer->stride, width, height);
   inner->texture_unmap(inner, transfer);
   return rgba;
}

/* NULL, or why there is no copy. */
static const char *
copy_texture(struct nv3_context *ctx, struct nv3_resource *res,
             const struct pipe_sampler_view *view, struct nv3_texture *tex)
{
   struct nv3_texture_heap *heap = ctx->screen->heap;
   uint16_t *dst = NULL;
   bool placed;

   simple_mtx_lock(&heap->lock);
   free_place(tex);
   placed = place(ctx, tex);
   simple_mtx_unlock(&heap->lock);
   if (!placed)
      return "no memory for a texture";

   dst = (uint16_t *)(tex->slab->map + tex->offset);
   for (unsigned i = 0; i <= (unsigned)(tex->log2 - tex->log2_min); i++) {
      unsigned level = tex->key.first_level + i, size = 1u << (tex->log2 - i);
      unsigned width = u_minify(res->base.width0, level);
      unsigned height = u_minify(res->base.height0, level);
      uint8_t *rgba = read_level(ctx, res, view, level, width, height);

      if (!rgba)
         return "no memory for a texture";
      if (tex->key.mode == NV3_TEXTURE_DIVIDED &&
          is_brighter_than_alpha(rgba, width * height)) {
         FREE(rgba);
         return "texture that is brighter than its alpha";
      }
      arrange(rgba, width * height, &tex->key);
      if (!i)
         tex->format = choose_format(rgba, width * height);
      swizzle_level(dst, size, rgba, width, height, tex);
      dst += size * size;
      FREE(rgba);
   }
   tex->serial = res->serial;
   ctx->count.textures++;
   return NULL;
}

/* ---- which ---- */

static const char *
refuse(const struct pipe_sampler_view *view, const struct nv3_texture_key *key)
{
   const struct util_format_description *desc =
      util_format_description(view->format);
   unsigned level = key->first_level;
   unsigned width = u_minify(view->texture->width0, level);
   unsigned height = u_minify(view->texture->height0, level);

   if ((view->target != PIPE_TEXTURE_2D && view->target != PIPE_TEXTURE_RECT) ||
       view->texture->target != view->target)
      return "texture that is not of two dimensions";
   if (desc->colorspace != UTIL_FORMAT_COLORSPACE_RGB ||
       util_format_is_float(view->format) ||
       util_format_is_pure_integer(view->format) ||
       util_format_is_snorm(view->format))
      return "texture of a format without 8-bit colours";
   if (MAX2(width, height) > 1u << (NV3_TEXTURE_LEVELS - 1))
      return "texture that is too large";
   if ((!util_is_power_of_two_nonzero(width) &&
        key->wrap[0] != NV3_D3D_WRAP_CLAMP) ||
       (!util_is_power_of_two_nonzero(height) &&
        key->wrap[1] != NV3_D3D_WRAP_CLAMP))
      return "texture that repeats and is no power of two";
   return NULL;
}

static void
set_size(struct nv3_texture *tex, const struct pipe_resource *base)
{
   unsigned width = u_minify(base->width0, tex->key.first_level);
   unsigned height = u_minify(base->height0, tex->key.first_level);
   unsigned least = MIN2(width, height);
   unsigned levels = tex->key.last_level - tex->key.first_level;

   tex->log2 = util_logbase2_ceil(MAX2(width, height));
   tex->scale[0] = (float)width / (1u << tex->log2);
   tex->scale[1] = (float)height / (1u << tex->log2);
   /* Below one texel the shorter side no longer shrinks with the square. */
   levels = MIN2(levels, util_logbase2(least));
   tex->log2_min = tex->log2 - levels;
   tex->size = 0;
   for (unsigned i = 0; i <= levels; i++)
      tex->size += 2ull << (2 * (tex->log2 - i));
}

static struct nv3_texture *
find(struct nv3_resource *res, const struct nv3_texture_key *key)
{
   struct nv3_texture **link = &res->textures, *tex;

   for (; *link; link = &(*link)->next) {
      tex = *link;
      if (!memcmp(&tex->key, key, sizeof(*key))) {
         /* To the front, so that the oldest is the last. */
         *link = tex->next;
         tex->next = res->textures;
         res->textures = tex;
         return tex;
      }
   }
   return NULL;
}

static void
drop_oldest(struct nv3_resource *res)
{
   struct nv3_texture **link = &res->textures;
   unsigned count = 0;

   for (; *link; link = &(*link)->next) {
      if (++count == MAX_VARIANTS) {
         struct nv3_texture *tex = *link;

         *link = NULL;
         simple_mtx_lock(&tex->heap->lock);
         free_place(tex);
         simple_mtx_unlock(&tex->heap->lock);
         FREE(tex);
         return;
      }
   }
}

static struct nv3_texture *
make(struct nv3_context *ctx, struct nv3_resource *res,
     const struct nv3_texture_key *key)
{
   struct nv3_texture *tex = CALLOC_STRUCT(nv3_texture);

   if (!tex)
      return NULL;
   drop_oldest(res);
   tex->heap = ctx->screen->heap;
   tex->key = *key;
   tex->serial = res->serial - 1;
   set_size(tex, &res->base);
   tex->next = res->textures;
   res->textures = tex;
   return tex;
}

/* The shader's swizzle after the view's. */
static void
add_view_swizzle(struct nv3_texture_key *key,
                 const struct pipe_sampler_view *view)
{
   const uint8_t own[4] = { view->swizzle_r, view->swizzle_g, view->swizzle_b,
                            view->swizzle_a };

   for (unsigned c = 0; c < 4; c++) {
      if (key->swizzle[c] <= PIPE_SWIZZLE_W)
         key->swizzle[c] = own[key->swizzle[c]];
   }
}

struct nv3_texture *
nv3_texture_get(struct nv3_context *ctx, struct pipe_sampler_view *view,
                struct nv3_texture_key *key, const char **reason)
{
   struct nv3_resource *res = nv3_resource(view->texture);
   struct nv3_texture *tex;

   key->format = view->format;
   key->first_level = view->u.tex.first_level;
   key->last_level = MAX2(key->last_level, key->first_level);
   key->last_level = MIN2(key->last_level, view->u.tex.last_level);
   add_view_swizzle(key, view);
   *reason = refuse(view, key);
   if (*reason)
      return NULL;
   nv3_share_refresh(ctx, res);
   nv3_resource_sync_master(ctx, res);
   tex = find(res, key);
   if (!tex)
      tex = make(ctx, res, key);
   if (!tex)
      *reason = "no memory for a texture";
   else if (tex->serial != res->serial || !tex->slab)
      *reason = copy_texture(ctx, res, view, tex);
   return *reason ? NULL : tex;
}
