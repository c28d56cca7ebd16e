/* SPDX-License-Identifier: MIT */
/*
 * Divides the triangles of a draw into levels without overlaps. Depth is
 * ignored, so a hidden triangle counts as well.
 */
#include "util/bitscan.h"
#include "util/u_math.h"
#include "util/u_memory.h"

#include "sw/nv3_coverage.h"
#include "sw/nv3_overlap_levels.h"

/*
 * The maximum number of comparisons for a draw, which take about 50 ms. It
 * suffices for 16,000 triangles.
 */
#define CHECKS_MAX (8u << 20)

void
nv3_overlap_levels_clear(struct nv3_overlap_levels *levels, bool any_order)
{
   nv3_coverage_clear(&levels->coverage);
   levels->count = 0;
   levels->checks = 0;
   levels->any_order = any_order;
   levels->failed = false;
}

void
nv3_overlap_levels_fini(struct nv3_overlap_levels *levels)
{
   nv3_coverage_fini(&levels->coverage);
   FREE(levels->of);
}

/*
 * Adds the levels of the triangles in a run that overlap @triangle to the bits
 * of @others.
 */
static uint64_t
levels_of_run(struct nv3_overlap_levels *levels, unsigned run, uint64_t others,
              const struct nv3_coverage_triangle *triangle)
{
   const struct nv3_coverage *coverage = &levels->coverage;
   unsigned end = MIN2((run + 1) * NV3_COVERAGE_RUN, coverage->count);

   levels->checks += NV3_COVERAGE_RUN;
   for (unsigned i = run * NV3_COVERAGE_RUN; i < end; i++) {
      const struct nv3_coverage_triangle *other = &coverage->list[i];
      uint64_t bit = 1ull << levels->of[i];

      if (!(others & bit) &&
          nv3_bounds_overlap(&other->bounds, &triangle->bounds) &&
          nv3_coverage_triangles_overlap(other, triangle))
         others |= bit;
   }
   return others;
}

/*
 * Returns a level without overlapping triangles. If the order of triangles
 * matters, returns the level above those of all overlapping triangles.
 */
static unsigned
find_level(struct nv3_overlap_levels *levels,
           const struct nv3_coverage_triangle *triangle)
{
   const struct nv3_coverage *coverage = &levels->coverage;
   unsigned runs = DIV_ROUND_UP(coverage->count, NV3_COVERAGE_RUN);
   uint64_t others = 0;

   levels->checks += runs;
   for (unsigned i = 0; i < runs; i++) {
      if (nv3_bounds_overlap(&coverage->runs[i], &triangle->bounds))
         others = levels_of_run(levels, i, others, triangle);
   }
   return levels->any_order ? ffsll(~others) - 1 : util_last_bit64(others);
}

/* Makes the list of levels as long as the list of triangles. */
static bool
has_room(struct nv3_overlap_levels *levels)
{
   unsigned max = levels->coverage.max;
   void *of;

   if (levels->of_max == max)
      return true;
   of = REALLOC(levels->of, levels->of_max, max);
   if (!of)
      return false;
   levels->of = of;
   levels->of_max = max;
   return true;
}

static bool
append(struct nv3_overlap_levels *levels,
       const struct nv3_coverage_triangle *triangle, unsigned level)
{
   struct nv3_coverage *coverage = &levels->coverage;

   if (!nv3_coverage_add(coverage, triangle))
      return false;
   if (!has_room(levels)) {
      coverage->count--;
      return false;
   }
   levels->of[coverage->count - 1] = level;
   levels->count = MAX2(levels->count, level + 1);
   return true;
}

unsigned
nv3_overlap_levels_add(struct nv3_overlap_levels *levels,
                       const int16_t corners[3][2])
{
   const struct nv3_coverage_triangle triangle = nv3_coverage_triangle(corners);
   unsigned level;

   if (levels->failed)
      return 0;
   level = find_level(levels, &triangle);
   levels->failed = level >= NV3_MAX_OVERLAP_LEVELS ||
                    levels->checks > CHECKS_MAX ||
                    !append(levels, &triangle, level);
   return levels->failed ? 0 : level;
}
