/* SPDX-License-Identifier: MIT */
/*
 * Which triangles of a draw must wait for which, where more than one of them may be
 * drawn to a pixel. Of a large draw only pixels are looked at where that was seen, and
 * those are few: where two parts of a model meet, as depth has 16 bits, or where quads
 * cover each other. Of a small one all are.
 */
#include <string.h>

#include "util/u_math.h"
#include "util/u_memory.h"

#include "nv3_layers.h"

void
nv3_layers_fini(struct nv3_layers *layers)
{
   FREE(layers->corners);
   FREE(layers->of);
   FREE(layers->next);
}

static bool
grow(struct nv3_layers *layers)
{
   unsigned old = layers->triangles_max, max = MAX2(2 * old, 256);
   void *corners = REALLOC(layers->corners, old * sizeof(*layers->corners),
                           max * sizeof(*layers->corners));
   void *of;

   if (!corners)
      return false;
   layers->corners = corners;
   of = REALLOC(layers->of, old, max);
   if (!of)
      return false;
   layers->of = of;
   layers->triangles_max = max;
   return true;
}

void
nv3_layers_add(struct nv3_layers *layers, const int16_t corners[3][2])
{
   if (layers->triangles == layers->triangles_max && !grow(layers)) {
      layers->no_memory = true;
      return;
   }
   memcpy(layers->corners[layers->triangles++], corners,
          sizeof(*layers->corners));
}

bool
nv3_layers_begin(struct nv3_layers *layers, const struct nv3_box *box, bool all)
{
   unsigned pixels = (box->x1 - box->x0) * (box->y1 - box->y0);

   if (pixels > layers->pixels_max) {
      FREE(layers->next);
      layers->next = MALLOC(pixels);
      layers->pixels_max = layers->next ? pixels : 0;
   }
   if (!layers->next || layers->no_memory)
      return false;
   memset(layers->next, all ? 0 : NV3_NO_LAYER, pixels);
   layers->box = *box;
   return true;
}

/* ---- which pixels a triangle can have ---- */

struct nv3_box
nv3_layers_box(const struct nv3_box *within, const int16_t c[3][2])
{
   struct nv3_box box = *within;
   int least[2], most[2];

   for (unsigned i = 0; i < 2; i++) {
      least[i] = MAX2(MIN3(c[0][i], c[1][i], c[2][i]) >> 4, 0);
      most[i] = MAX2((MAX3(c[0][i], c[1][i], c[2][i]) >> 4) + 1, 0);
   }
   box.x0 = MAX2(box.x0, least[0]);
   box.y0 = MAX2(box.y0, least[1]);
   box.x1 = MIN2(box.x1, most[0]);
   box.y1 = MIN2(box.y1, most[1]);
   return box;
}

static int
way_around(const int16_t c[3][2])
{
   return (int64_t)(c[1][0] - c[0][0]) * (c[2][1] - c[0][1]) >
          (int64_t)(c[2][0] - c[0][0]) * (c[1][1] - c[0][1]) ? 1 : -1;
}

/*
 * On the inner side of a side, of a triangle whose corners turn @way. What lies on it is
 * in on the left and at the top, as the chip has it (docs/chip-3d.md).
 */
static bool
is_within(const int16_t from[2], const int16_t to[2], int x, int y, int way)
{
   int dx = (to[0] - from[0]) * way, dy = (to[1] - from[1]) * way;
   int64_t off = (int64_t)dx * (y - from[1]) - (int64_t)dy * (x - from[0]);

   return off > 0 || (off == 0 && (dy < 0 || (dy == 0 && dx > 0)));
}

static bool
covers(const int16_t c[3][2], int x, int y, int way)
{
   return is_within(c[0], c[1], x, y, way) && is_within(c[1], c[2], x, y, way) &&
          is_within(c[2], c[0], x, y, way);
}

unsigned
nv3_layers_pixels(const struct nv3_layers *layers, const struct nv3_box *within,
                  unsigned most)
{
   unsigned pixels = 0;

   for (unsigned i = 0; i < layers->triangles && pixels <= most; i++) {
      struct nv3_box box = nv3_layers_box(within, layers->corners[i]);

      if (box.x0 < box.x1 && box.y0 < box.y1)
         pixels += (box.x1 - box.x0) * (box.y1 - box.y0);
   }
   return pixels;
}

/* ---- layers ---- */

/*
 * Goes over the pixels in question that a triangle has. @layer NULL: the layer that all
 * of them come to, NV3_NO_LAYER without such a one; else they come to the next.
 */
static uint8_t
visit(struct nv3_layers *layers, const int16_t c[3][2], const uint8_t *layer)
{
   struct nv3_box box = nv3_layers_box(&layers->box, c);
   int way = way_around(c);
   uint8_t most = NV3_NO_LAYER;

   for (unsigned y = box.y0; y < box.y1; y++) {
      uint8_t *next = nv3_layers_line(layers, y) - layers->box.x0;

      for (unsigned x = box.x0; x < box.x1; x++) {
         if (next[x] == NV3_NO_LAYER || !covers(c, x * 16, y * 16, way))
            continue;
         if (layer)
            next[x] = *layer + 1;
         else if (most == NV3_NO_LAYER || next[x] > most)
            most = next[x];
      }
   }
   return most;
}

unsigned
nv3_layers_part(struct nv3_layers *layers)
{
   unsigned count = 0;

   for (unsigned i = 0; i < layers->triangles; i++) {
      const int16_t (*c)[2] = layers->corners[i];
      uint8_t layer = visit(layers, c, NULL);

      layers->of[i] = layer;
      if (layer == NV3_NO_LAYER)
         continue;
      if (layer == NV3_MAX_LAYERS)
         return NV3_MAX_LAYERS + 1;
      visit(layers, c, &layer);
      count = MAX2(count, layer + 1u);
   }
   return count;
}
