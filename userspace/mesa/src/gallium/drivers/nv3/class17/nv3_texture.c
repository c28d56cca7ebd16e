/* SPDX-License-Identifier: MIT */
/*
 * Textures in the chip's layout: square, 16 bits per texel, in Morton order,
 * with the levels one after another from the largest
 * (docs/reference/chip/3d.md).
 *
 * An object of class 0x17 can access one buffer. Many textures share a large
 * buffer in system memory, so that selecting a texture rarely needs another
 * object. A changed texture is copied to a new place, so the CPU does not
 * wait for the hardware. Old places are reused when no batch in flight uses
 * the buffer.
 */
#include "util/format/u_format.h"
#include "util/u_inlines.h"
#include "util/u_dynarray.h"
#include "util/u_math.h"
#include "util/u_memory.h"

#include "base/nv3_context.h"
#include "base/nv3_screen.h"
#include "channel/nv3_chip.h"
#include "class17/nv3_texels.h"
#include "class17/nv3_texture.h"
#include "resource/nv3_resource.h"

#define SLAB_SIZE     (4u << 20)
/*
 * The alignment of offsets. Offset 0 is the white texel, and the allocator uses
 * 0 for failure.
 */
#define TEXTURE_ALIGN 256u
#define MAX_VARIANTS  4

/* ---- memory ---- */

struct nv3_texture_heap *
nv3_texture_heap_create(void)
{
   struct nv3_texture_heap *heap = CALLOC_STRUCT(nv3_texture_heap);

   if (heap)
      simple_mtx_init(&heap->lock, mtx_plain);
   return heap;
}

/* The functions below require the heap's lock unless they acquire it. */

static void
reuse_freed(struct nv3_slab *slab)
{
   list_for_each_entry_safe(struct nv3_place, place, &slab->freed, link) {
      util_vma_heap_free(&slab->space, place->offset, place->size);
      list_del(&place->link);
      FREE(place);
   }
}

static void
empty_slab(struct nv3_slab *slab)
{
   reuse_freed(slab);
   util_vma_heap_finish(&slab->space);
   nv3_bo_unref(slab->bo);
}

void
nv3_texture_heap_destroy(struct nv3_texture_heap *heap)
{
   for (unsigned i = 0; i < heap->count; i++) {
      empty_slab(heap->slabs[i]);
      FREE(heap->slabs[i]);
   }
   simple_mtx_destroy(&heap->lock);
   FREE(heap);
}

/*
 * Gives @slab a new buffer with room for @min bytes. On failure @slab is
 * unchanged.
 */
static bool
fill_slab(struct nv3_screen *screen, struct nv3_slab *slab, uint64_t min)
{
   uint64_t size = MAX2(align64(min + TEXTURE_ALIGN, 4096), SLAB_SIZE);
   struct nv3_bo *bo;
   void *map;

   if (nv3_bo_new(screen->dev, size, DRM_NV3_GEM_SYSTEM, &bo))
      return false;
   if (nv3_bo_map(bo, &map)) {
      nv3_bo_unref(bo);
      return false;
   }
   if (slab->bo)
      empty_slab(slab);
   slab->bo = bo;
   slab->map = map;
   slab->size = size;
   slab->generation++;
   *(uint16_t *)map = 0xffff;
   util_vma_heap_init(&slab->space, TEXTURE_ALIGN, size - TEXTURE_ALIGN);
   return true;
}

static struct nv3_slab *
create_slab(struct nv3_screen *screen, uint64_t min)
{
   struct nv3_texture_heap *heap = screen->heap;
   struct nv3_slab *slab;

   if (heap->count == NV3_MAX_SLABS)
      return NULL;
   slab = CALLOC_STRUCT(nv3_slab);
   if (!slab)
      return NULL;
   list_inithead(&slab->places);
   list_inithead(&slab->freed);
   if (!fill_slab(screen, slab, min)) {
      FREE(slab);
      return NULL;
   }
   slab->index = heap->count;
   heap->slabs[heap->count++] = slab;
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
place_in(struct nv3_place *place, struct nv3_slab *slab)
{
   place->offset =
      util_vma_heap_alloc(&slab->space, place->size, TEXTURE_ALIGN);
   if (!place->offset)
      return false;
   place->slab = slab;
   list_addtail(&place->link, &slab->places);
   return true;
}

static bool
place_anywhere(struct nv3_texture_heap *heap, struct nv3_place *place)
{
   for (unsigned i = 0; i < heap->count; i++) {
      if (place_in(place, heap->slabs[i]))
         return true;
   }
   return false;
}

/* Reuses freed places of a slab that no batch in flight uses. */
static bool
place_in_freed(struct nv3_texture_heap *heap, struct nv3_place *place)
{
   for (unsigned i = 0; i < heap->count; i++) {
      struct nv3_slab *slab = heap->slabs[i];

      if (list_is_empty(&slab->freed) ||
          nv3_bo_wait(slab->bo, DRM_NV3_GEM_WAIT_WRITE, 0))
         continue;
      reuse_freed(slab);
      if (place_in(place, slab))
         return true;
   }
   return false;
}

static bool
may_evict(const struct nv3_slab *slab)
{
   list_for_each_entry(struct nv3_place, place, &slab->places, link) {
      if (place->users > 1)
         return false;
   }
   return true;
}

static void
evict(struct nv3_slab *slab)
{
   list_for_each_entry_safe(struct nv3_place, place, &slab->places, link) {
      util_vma_heap_free(&slab->space, place->offset, place->size);
      list_delinit(&place->link);
      place->slab = NULL;
   }
   reuse_freed(slab);
}

/*
 * Evicts the least recently used slab in which no texture is in use, when no
 * batch in flight uses it. Prefers a slab that is large enough. Otherwise the
 * slab gets a larger buffer. The first slab must be large enough, because it
 * contains the white texel, which has no reference count.
 */
static bool
place_by_eviction(struct nv3_screen *screen, struct nv3_place *place)
{
   struct nv3_texture_heap *heap = screen->heap;
   struct nv3_slab *oldest = NULL;
   bool large = false;

   for (unsigned i = 0; i < heap->count; i++) {
      struct nv3_slab *slab = heap->slabs[i];
      bool fits = place->size <= slab->size - TEXTURE_ALIGN;

      if (!may_evict(slab) || (!fits && !i) || (large && !fits))
         continue;
      if (!oldest || (fits && !large) || slab->used < oldest->used)
         oldest = slab;
      large = fits;
   }
   if (!oldest)
      return false;
   nv3_bo_wait(oldest->bo, DRM_NV3_GEM_WAIT_WRITE, INT64_MAX);
   evict(oldest);
   if (!large && !fill_slab(screen, oldest, place->size))
      return false;
   return place_in(place, oldest);
}

static void
end_use(struct nv3_place *place)
{
   if (--place->users)
      return;
   if (place->slab) {
      list_del(&place->link);
      list_addtail(&place->link, &place->slab->freed);
   } else {
      FREE(place);
   }
}

/* Frees the place of a texture. Acquires the lock. */
static void
free_place(struct nv3_texture *tex)
{
   if (!tex->place)
      return;
   simple_mtx_lock(&tex->heap->lock);
   end_use(tex->place);
   simple_mtx_unlock(&tex->heap->lock);
   tex->place = NULL;
}

/*
 * Allocates a place for the texture. Acquires the lock and may flush. The
 * place gets a second reference for the caller, so that it is not evicted
 * before the texture is copied.
 */
static bool
make_place(struct nv3_context *ctx, struct nv3_texture *tex)
{
   struct nv3_texture_heap *heap = ctx->screen->heap;
   struct nv3_place *place = CALLOC_STRUCT(nv3_place);
   bool placed;

   if (!place)
      return false;
   place->size = tex->size;
   place->users = 2;
   simple_mtx_lock(&heap->lock);
   placed = place_anywhere(heap, place);
   simple_mtx_unlock(&heap->lock);
   if (!placed) {
      nv3_chip_flush(ctx);
      nv3_texture_release(ctx, false);
      simple_mtx_lock(&heap->lock);
      placed = place_in_freed(heap, place);
      if (!placed) {
         struct nv3_slab *slab = create_slab(ctx->screen, tex->size);

         placed = slab ? place_in(place, slab) :
                         place_by_eviction(ctx->screen, place);
      }
      simple_mtx_unlock(&heap->lock);
   }
   if (!placed) {
      FREE(place);
      return false;
   }
   tex->place = place;
   return true;
}

void
nv3_textures_destroy(struct nv3_resource *res)
{
   while (res->textures) {
      struct nv3_texture *tex = res->textures;

      res->textures = tex->next;
      free_place(tex);
      FREE(tex);
   }
}

/* ---- references of a context ---- */

struct held {
   struct nv3_place *place;
   uint64_t batch;  /* the last batch that may have used it */
};

void
nv3_texture_hold(struct nv3_context *ctx, struct nv3_place **slot,
                 struct nv3_place *place)
{
   const struct held held = { *slot, nv3_pushbuf_seq(ctx->chip->push) };

   if (*slot && (!ctx->held.size ||
                 util_dynarray_top_ptr(&ctx->held, struct held)->batch !=
                    held.batch))
      nv3_texture_release(ctx, false);
   if (*slot)
      util_dynarray_append(&ctx->held, struct held, held);
   *slot = place;
}

void
nv3_texture_release(struct nv3_context *ctx, bool all)
{
   struct nv3_texture_heap *heap = ctx->screen->heap;
   uint64_t now =
      ctx->chip && ctx->chip->push ? nv3_pushbuf_seq(ctx->chip->push) : 0;
   struct held *kept = util_dynarray_begin(&ctx->held);

   if (!ctx->held.size)
      return;
   simple_mtx_lock(&heap->lock);
   util_dynarray_foreach(&ctx->held, struct held, held) {
      if (all || held->batch < now)
         end_use(held->place);
      else
         *kept++ = *held;
   }
   simple_mtx_unlock(&heap->lock);
   ctx->held.size = (uint8_t *)kept - (uint8_t *)ctx->held.data;
}

/* ---- copies ---- */

/* A level of the canonical copy, mapped. */
struct level {
   enum pipe_format format;
   const void *map;
   unsigned stride, width, height;
};

static const char *
copy_level(uint16_t *dst, unsigned size, const struct level *level,
           struct nv3_texture *tex, bool first)
{
   unsigned width = level->width, height = level->height;
   unsigned count = width * height;
   const char *reason = NULL;
   uint8_t *rgba;

   if (nv3_texels_can_copy(level->format, &tex->key, size)) {
      tex->format = NV3_D3D_TEX_R5G6B5;
      nv3_texels_copy(dst, size, level->map, level->stride, width, height, tex);
      return NULL;
   }
   rgba = MALLOC(count * 4);
   if (!rgba)
      return "no memory for a texture";
   util_format_unpack_rgba_8unorm_rect(level->format, rgba, width * 4,
                                       level->map, level->stride, width,
                                       height);
   if (tex->key.mode == NV3_TEXTURE_DIVIDED &&
       nv3_texels_exceed_alpha(rgba, count)) {
      reason = "premultiplied texture brighter than its alpha";
   } else {
      nv3_texels_arrange(rgba, count, &tex->key);
      if (first)
         tex->format = nv3_texels_format(rgba, count);
      nv3_texels_swizzle(dst, size, rgba, width, height, tex);
   }
   FREE(rgba);
   return reason;
}

static const char *
copy_levels(struct nv3_context *ctx, struct nv3_resource *res,
            const struct pipe_sampler_view *view, struct nv3_texture *tex)
{
   struct pipe_context *inner = ctx->inner;
   uint16_t *dst = (uint16_t *)(tex->place->slab->map + tex->place->offset);
   const char *reason = NULL;

   for (int log2 = tex->log2; log2 >= tex->log2_min && !reason; log2--) {
      unsigned at = tex->key.first_level + tex->log2 - log2;
      struct level level = {
         .format = view->format,
         .width = u_minify(res->base.width0, at),
         .height = u_minify(res->base.height0, at),
      };
      struct pipe_transfer *transfer;
      struct pipe_box box;

      u_box_2d_zslice(0, 0, view->u.tex.first_layer, level.width, level.height,
                      &box);
      level.map = inner->texture_map(inner, res->canonical, at, PIPE_MAP_READ,
                                     &box, &transfer);
      if (!level.map)
         return "no memory for a texture";
      level.stride = transfer->stride;
      reason = copy_level(dst, 1u << log2, &level, tex, log2 == tex->log2);
      inner->texture_unmap(inner, transfer);
      dst += 1u << (2 * log2);
   }
   return reason;
}

static struct nv3_texture_use
use_of(const struct nv3_texture *tex)
{
   return (struct nv3_texture_use) {
      .place = tex->place,
      .slab = tex->place->slab,
      .offset = tex->place->offset,
      .format = tex->format,
      .log2 = tex->log2,
      .log2_min = tex->log2_min,
      .scale = { tex->scale[0], tex->scale[1] },
   };
}

/* Adds a reference for the caller. Returns false if the texture was evicted. */
static bool
use_texture(const struct nv3_texture *tex, struct nv3_texture_use *use)
{
   struct nv3_texture_heap *heap = tex->heap;
   bool there;

   simple_mtx_lock(&heap->lock);
   there = tex->place && tex->place->slab;
   if (there) {
      tex->place->users++;
      tex->place->slab->used = ++heap->clock;
      *use = use_of(tex);
   }
   simple_mtx_unlock(&heap->lock);
   return there;
}

/*
 * Copies the texture and adds a reference for the caller. Returns NULL or the
 * reason for a failure.
 */
static const char *
copy_texture(struct nv3_context *ctx, struct nv3_resource *res,
             const struct pipe_sampler_view *view, struct nv3_texture *tex,
             struct nv3_texture_use *use)
{
   struct nv3_texture_heap *heap = tex->heap;
   const uint16_t *texels;
   const char *reason;

   free_place(tex);
   if (!make_place(ctx, tex))
      return "no memory for a texture";
   reason = copy_levels(ctx, res, view, tex);
   if (reason) {
      simple_mtx_lock(&heap->lock);
      end_use(tex->place);
      simple_mtx_unlock(&heap->lock);
      free_place(tex);
      return reason;
   }
   simple_mtx_lock(&heap->lock);
   tex->place->slab->used = ++heap->clock;
   simple_mtx_unlock(&heap->lock);
   *use = use_of(tex);
   texels = (uint16_t *)(tex->place->slab->map + tex->place->offset);
   res->brightness =
      nv3_texels_brightness(texels, 1u << tex->log2, tex->format);
   nv3_texels_loss(texels, 1u << tex->log2, tex->format, res->loss);
   tex->serial = res->serial;
   ctx->count.textures++;
   return NULL;
}

/* ---- lookup ---- */

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

static void
set_size(struct nv3_texture *tex, const struct pipe_resource *base)
{
   unsigned width = u_minify(base->width0, tex->key.first_level);
   unsigned height = u_minify(base->height0, tex->key.first_level);
   unsigned min = MIN2(width, height);
   unsigned levels = tex->key.last_level - tex->key.first_level;

   tex->log2 = util_logbase2_ceil(MAX2(width, height));
   tex->scale[0] = (float)width / (1u << tex->log2);
   tex->scale[1] = (float)height / (1u << tex->log2);
   /* The shorter side of a level is at least one texel. */
   levels = MIN2(levels, util_logbase2(min));
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
         /*
          * Move to the front, so that the last one is the least recently used.
          */
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
         free_place(tex);
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

/* Combines the view's swizzle with the shader's. */
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

static const char *
get_locked(struct nv3_context *ctx, struct nv3_resource *res,
           const struct pipe_sampler_view *view,
           const struct nv3_texture_key *key, struct nv3_texture_use *use)
{
   struct nv3_texture *tex;

   nv3_resource_refresh(ctx, res);
   tex = find(res, key);
   if (tex && tex->serial == res->serial && !res->canonical_stale &&
       use_texture(tex, use))
      return NULL;
   nv3_resource_sync_canonical(ctx, res);
   if (!tex)
      tex = make(ctx, res, key);
   if (!tex)
      return "no memory for a texture";
   if (tex->serial == res->serial && use_texture(tex, use))
      return NULL;
   return copy_texture(ctx, res, view, tex, use);
}

const char *
nv3_texture_get(struct nv3_context *ctx, struct pipe_sampler_view *view,
                struct nv3_texture_key *key, struct nv3_texture_use *use)
{
   struct nv3_resource *res = nv3_resource(view->texture);
   const char *reason;

   key->format = view->format;
   key->first_level = MIN2(key->first_level + view->u.tex.first_level,
                           view->u.tex.last_level);
   key->last_level = MIN2(key->last_level + view->u.tex.first_level,
                          view->u.tex.last_level);
   add_view_swizzle(key, view);
   reason = refuse(view, key);
   if (reason)
      return reason;
   simple_mtx_lock(&res->textures_lock);
   reason = get_locked(ctx, res, view, key, use);
   simple_mtx_unlock(&res->textures_lock);
   return reason;
}
