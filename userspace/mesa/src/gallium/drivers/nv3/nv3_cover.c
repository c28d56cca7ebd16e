/* SPDX-License-Identifier: MIT */
/*
 * Which triangles are in each other's way: those that share some of their area. Sides may
 * touch, as a pixel on one is that triangle's alone for which it is on the left or at the
 * top (docs/reference/chip/3d.md).
 */
#include "util/macros.h"
#include "util/u_math.h"
#include "util/u_memory.h"

#include "nv3_cover.h"

/* ---- bounds ---- */

struct nv3_box
nv3_bounds_box(const struct nv3_bounds *bounds, const struct nv3_box *within)
{
   return (struct nv3_box) {
      .x0 = MAX2(within->x0, MAX2(bounds->least[0], 0) >> 4),
      .y0 = MAX2(within->y0, MAX2(bounds->least[1], 0) >> 4),
      .x1 = MIN2(within->x1, MAX2((bounds->most[0] >> 4) + 1, 0)),
      .y1 = MIN2(within->y1, MAX2((bounds->most[1] >> 4) + 1, 0)),
   };
}

static void
include(struct nv3_bounds *bounds, const struct nv3_bounds *more, bool first)
{
   if (first) {
      *bounds = *more;
      return;
   }
   for (unsigned i = 0; i < 2; i++) {
      bounds->least[i] = MIN2(bounds->least[i], more->least[i]);
      bounds->most[i] = MAX2(bounds->most[i], more->most[i]);
   }
}

/* ---- areas ---- */

struct nv3_cover_triangle
nv3_cover_triangle(const int16_t c[3][2])
{
   struct nv3_cover_triangle triangle;

   memcpy(triangle.corners, c, sizeof(triangle.corners));
   for (unsigned i = 0; i < 2; i++) {
      triangle.bounds.least[i] = MIN3(c[0][i], c[1][i], c[2][i]);
      triangle.bounds.most[i] = MAX3(c[0][i], c[1][i], c[2][i]);
   }
   return triangle;
}

/* Twice the area of a triangle, with the sign of which way around its corners are. */
static int64_t
area(const int16_t a[2], const int16_t b[2], const int16_t c[2])
{
   return (int64_t)(b[0] - a[0]) * (c[1] - a[1]) -
          (int64_t)(c[0] - a[0]) * (b[1] - a[1]);
}

/* Whether all of @other is beyond one of the sides of @c. */
static bool
is_beyond_a_side(const int16_t c[3][2], const int16_t other[3][2])
{
   bool turned = area(c[0], c[1], c[2]) < 0;

   for (unsigned i = 0; i < 3; i++) {
      const int16_t *from = c[i], *to = c[(i + 1) % 3];
      const int16_t *a = turned ? to : from, *b = turned ? from : to;

      if (area(a, b, other[0]) <= 0 && area(a, b, other[1]) <= 0 &&
          area(a, b, other[2]) <= 0)
         return true;
   }
   return false;
}

bool
nv3_cover_share(const struct nv3_cover_triangle *a, const struct nv3_cover_triangle *b)
{
   return !is_beyond_a_side(a->corners, b->corners) &&
          !is_beyond_a_side(b->corners, a->corners);
}

/* ---- many ---- */

void
nv3_cover_fini(struct nv3_cover *cover)
{
   FREE(cover->list);
   FREE(cover->runs);
}

static bool
grow(struct nv3_cover *cover)
{
   unsigned old = cover->max, max = MAX2(2 * old, 256);
   void *list = REALLOC(cover->list, old * sizeof(*cover->list),
                        max * sizeof(*cover->list));
   void *runs;

   if (!list)
      return false;
   cover->list = list;
   runs = REALLOC(cover->runs, old / NV3_COVER_RUN * sizeof(*cover->runs),
                  max / NV3_COVER_RUN * sizeof(*cover->runs));
   if (!runs)
      return false;
   cover->runs = runs;
   cover->max = max;
   return true;
}

bool
nv3_cover_add(struct nv3_cover *cover, const struct nv3_cover_triangle *triangle)
{
   unsigned at = cover->count;

   if (at == cover->max && !grow(cover))
      return false;
   cover->list[at] = *triangle;
   include(&cover->runs[at / NV3_COVER_RUN], &triangle->bounds,
           at % NV3_COVER_RUN == 0);
   include(&cover->bounds, &triangle->bounds, at == 0);
   cover->count++;
   return true;
}

static bool
run_meets(const struct nv3_cover *cover, unsigned run,
          const struct nv3_cover_triangle *triangle)
{
   unsigned end = MIN2((run + 1) * NV3_COVER_RUN, cover->count);

   for (unsigned i = run * NV3_COVER_RUN; i < end; i++) {
      if (nv3_bounds_meet(&cover->list[i].bounds, &triangle->bounds) &&
          nv3_cover_share(&cover->list[i], triangle))
         return true;
   }
   return false;
}

bool
nv3_cover_meets(const struct nv3_cover *cover,
                const struct nv3_cover_triangle *triangle)
{
   if (!cover->count || !nv3_bounds_meet(&cover->bounds, &triangle->bounds))
      return false;
   for (unsigned i = 0; i < DIV_ROUND_UP(cover->count, NV3_COVER_RUN); i++) {
      if (nv3_bounds_meet(&cover->runs[i], &triangle->bounds) &&
          run_meets(cover, i, triangle))
         return true;
   }
   return false;
}
