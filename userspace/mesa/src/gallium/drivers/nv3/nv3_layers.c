/* SPDX-License-Identifier: MIT */
/*
 * Which triangles of a draw must wait for which: those that share some of their area,
 * whether one hides the other or not.
 */
#include "util/bitscan.h"
#include "util/u_math.h"
#include "util/u_memory.h"

#include "nv3_layers.h"

/* Bounds that are compared for a draw at most: some 50 ms, of 16,000 triangles. */
#define LOOKS_MAX (8u << 20)

void
nv3_layers_clear(struct nv3_layers *layers, bool any_order)
{
   nv3_cover_clear(&layers->cover);
   layers->count = 0;
   layers->looks = 0;
   layers->any_order = any_order;
   layers->failed = false;
}

void
nv3_layers_fini(struct nv3_layers *layers)
{
   nv3_cover_fini(&layers->cover);
   FREE(layers->of);
}

/* The layers of those of a run that @triangle shares area with, and of @others, as bits. */
static uint64_t
layers_of_run(struct nv3_layers *layers, unsigned run, uint64_t others,
              const struct nv3_cover_triangle *triangle)
{
   const struct nv3_cover *cover = &layers->cover;
   unsigned end = MIN2((run + 1) * NV3_COVER_RUN, cover->count);

   layers->looks += NV3_COVER_RUN;
   for (unsigned i = run * NV3_COVER_RUN; i < end; i++) {
      const struct nv3_cover_triangle *other = &cover->list[i];
      uint64_t bit = 1ull << layers->of[i];

      if (!(others & bit) && nv3_bounds_meet(&other->bounds, &triangle->bounds) &&
          nv3_cover_share(other, triangle))
         others |= bit;
   }
   return others;
}

/* Beyond all that there may be if it shares area with each of those. */
static unsigned
find_layer(struct nv3_layers *layers, const struct nv3_cover_triangle *triangle)
{
   const struct nv3_cover *cover = &layers->cover;
   unsigned runs = DIV_ROUND_UP(cover->count, NV3_COVER_RUN);
   uint64_t others = 0;

   layers->looks += runs;
   for (unsigned i = 0; i < runs; i++) {
      if (nv3_bounds_meet(&cover->runs[i], &triangle->bounds))
         others = layers_of_run(layers, i, others, triangle);
   }
   return layers->any_order ? ffsll(~others) - 1 : util_last_bit64(others);
}

/* As much room as the cover has. */
static bool
has_room(struct nv3_layers *layers)
{
   unsigned max = layers->cover.max;
   void *of;

   if (layers->of_max == max)
      return true;
   of = REALLOC(layers->of, layers->of_max, max);
   if (!of)
      return false;
   layers->of = of;
   layers->of_max = max;
   return true;
}

static bool
append(struct nv3_layers *layers, const struct nv3_cover_triangle *triangle,
       unsigned layer)
{
   struct nv3_cover *cover = &layers->cover;

   if (!nv3_cover_add(cover, triangle))
      return false;
   if (!has_room(layers)) {
      cover->count--;
      return false;
   }
   layers->of[cover->count - 1] = layer;
   layers->count = MAX2(layers->count, layer + 1);
   return true;
}

unsigned
nv3_layers_add(struct nv3_layers *layers, const int16_t corners[3][2])
{
   const struct nv3_cover_triangle triangle = nv3_cover_triangle(corners);
   unsigned layer;

   if (layers->failed)
      return 0;
   layer = find_layer(layers, &triangle);
   layers->failed = layer >= NV3_MAX_LAYERS || layers->looks > LOOKS_MAX ||
                    !append(layers, &triangle, layer);
   return layers->failed ? 0 : layer;
}
