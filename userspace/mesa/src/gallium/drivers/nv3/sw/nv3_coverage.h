/* SPDX-License-Identifier: MIT */
/*
 * Sets of triangles, which are compared to decide whether draws touch the
 * same pixels.
 */
#ifndef NV3_COVERAGE_H
#define NV3_COVERAGE_H

#include <stdbool.h>
#include <stdint.h>

/* A rectangle of the pixels with x0 <= x < x1 and y0 <= y < y1. */
struct nv3_box {
   unsigned x0, y0, x1, y1;
};

static inline bool
nv3_box_is_empty(const struct nv3_box *box)
{
   return box->x0 >= box->x1 || box->y0 >= box->y1;
}

/* A bounding box, in sixteenths of a pixel. */
struct nv3_bounds {
   int16_t min[2], max[2];
};

/* Returns the pixels of @within that a triangle in @bounds can cover. */
struct nv3_box
nv3_bounds_box(const struct nv3_bounds *bounds, const struct nv3_box *within);

static inline bool
nv3_bounds_overlap(const struct nv3_bounds *a, const struct nv3_bounds *b)
{
   return a->min[0] < b->max[0] && b->min[0] < a->max[0] &&
          a->min[1] < b->max[1] && b->min[1] < a->max[1];
}

struct nv3_coverage_triangle {
   int16_t corners[3][2];  /* in sixteenths of a pixel */
   struct nv3_bounds bounds;
};

struct nv3_coverage_triangle
nv3_coverage_triangle(const int16_t corners[3][2]);

/*
 * True if two triangles with overlapping bounds overlap. Both must have an
 * area.
 */
bool nv3_coverage_triangles_overlap(const struct nv3_coverage_triangle *a,
                                    const struct nv3_coverage_triangle *b);

/*
 * The number of successive triangles that share a bounding box. Successive
 * triangles of a model tend to be close to each other.
 */
#define NV3_COVERAGE_RUN 16

/* A set of triangles. */
struct nv3_coverage {
   struct nv3_coverage_triangle *list;
   unsigned count, max;
   struct nv3_bounds *runs;   /* one for each NV3_COVERAGE_RUN triangles */
   struct nv3_bounds bounds;  /* of all triangles */
};

void
nv3_coverage_fini(struct nv3_coverage *coverage);

static inline void
nv3_coverage_clear(struct nv3_coverage *coverage)
{
   coverage->count = 0;
}

/* Returns false without memory. */
bool nv3_coverage_add(struct nv3_coverage *coverage,
                      const struct nv3_coverage_triangle *triangle);

/* True if a triangle of the set overlaps @triangle. */
bool
nv3_coverage_overlaps(const struct nv3_coverage *coverage,
                      const struct nv3_coverage_triangle *triangle);

#endif
