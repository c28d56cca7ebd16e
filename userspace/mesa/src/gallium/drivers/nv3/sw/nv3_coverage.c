/* SPDX-License-Identifier: MIT */
/*
 * Tests whether triangles overlap, that is, share a part of their area.
 * Triangles with a common side do not overlap: by the chip's fill rule a pixel
 * on a side belongs to the triangle to its right or below it
 * (docs/reference/chip/3d.md).
 */
#include "util/macros.h"
#include "util/u_math.h"
#include "util/u_memory.h"

#include "sw/nv3_coverage.h"

/* ---- bounding boxes ---- */

struct nv3_box
nv3_bounds_box(const struct nv3_bounds *bounds, const struct nv3_box *within)
{
   return (struct nv3_box) {
      .x0 = MAX2(within->x0, MAX2(bounds->min[0], 0) >> 4),
      .y0 = MAX2(within->y0, MAX2(bounds->min[1], 0) >> 4),
      .x1 = MIN2(within->x1, MAX2((bounds->max[0] >> 4) + 1, 0)),
      .y1 = MIN2(within->y1, MAX2((bounds->max[1] >> 4) + 1, 0)),
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
      bounds->min[i] = MIN2(bounds->min[i], more->min[i]);
      bounds->max[i] = MAX2(bounds->max[i], more->max[i]);
   }
}

/* ---- two triangles ---- */

struct nv3_coverage_triangle
nv3_coverage_triangle(const int16_t c[3][2])
{
   struct nv3_coverage_triangle triangle;

   memcpy(triangle.corners, c, sizeof(triangle.corners));
   for (unsigned i = 0; i < 2; i++) {
      triangle.bounds.min[i] = MIN3(c[0][i], c[1][i], c[2][i]);
      triangle.bounds.max[i] = MAX3(c[0][i], c[1][i], c[2][i]);
   }
   return triangle;
}

/*
 * Returns twice the signed area of a triangle. The sign depends on its
 * orientation.
 */
static int64_t
area(const int16_t a[2], const int16_t b[2], const int16_t c[2])
{
   return (int64_t)(b[0] - a[0]) * (c[1] - a[1]) -
          (int64_t)(c[0] - a[0]) * (b[1] - a[1]);
}

/* True if a side of the triangle @c separates it from the triangle @other. */
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
nv3_coverage_triangles_overlap(const struct nv3_coverage_triangle *a,
                               const struct nv3_coverage_triangle *b)
{
   return !is_beyond_a_side(a->corners, b->corners) &&
          !is_beyond_a_side(b->corners, a->corners);
}

/* ---- sets of triangles ---- */

void
nv3_coverage_fini(struct nv3_coverage *coverage)
{
   FREE(coverage->list);
   FREE(coverage->runs);
}

static bool
grow(struct nv3_coverage *coverage)
{
   unsigned old = coverage->max, max = MAX2(2 * old, 256);
   void *list = REALLOC(coverage->list, old * sizeof(*coverage->list),
                        max * sizeof(*coverage->list));
   void *runs;

   if (!list)
      return false;
   coverage->list = list;
   runs = REALLOC(coverage->runs,
                  old / NV3_COVERAGE_RUN * sizeof(*coverage->runs),
                  max / NV3_COVERAGE_RUN * sizeof(*coverage->runs));
   if (!runs)
      return false;
   coverage->runs = runs;
   coverage->max = max;
   return true;
}

bool
nv3_coverage_add(struct nv3_coverage *coverage,
                 const struct nv3_coverage_triangle *triangle)
{
   unsigned at = coverage->count;

   if (at == coverage->max && !grow(coverage))
      return false;
   coverage->list[at] = *triangle;
   include(&coverage->runs[at / NV3_COVERAGE_RUN], &triangle->bounds,
           at % NV3_COVERAGE_RUN == 0);
   include(&coverage->bounds, &triangle->bounds, at == 0);
   coverage->count++;
   return true;
}

static bool
run_overlaps(const struct nv3_coverage *coverage, unsigned run,
             const struct nv3_coverage_triangle *triangle)
{
   unsigned end = MIN2((run + 1) * NV3_COVERAGE_RUN, coverage->count);

   for (unsigned i = run * NV3_COVERAGE_RUN; i < end; i++) {
      if (nv3_bounds_overlap(&coverage->list[i].bounds, &triangle->bounds) &&
          nv3_coverage_triangles_overlap(&coverage->list[i], triangle))
         return true;
   }
   return false;
}

bool
nv3_coverage_overlaps(const struct nv3_coverage *coverage,
                      const struct nv3_coverage_triangle *triangle)
{
   if (!coverage->count ||
       !nv3_bounds_overlap(&coverage->bounds, &triangle->bounds))
      return false;
   for (unsigned i = 0; i < DIV_ROUND_UP(coverage->count, NV3_COVERAGE_RUN);
        i++) {
      if (nv3_bounds_overlap(&coverage->runs[i], &triangle->bounds) &&
          run_overlaps(coverage, i, triangle))
         return true;
   }
   return false;
}
