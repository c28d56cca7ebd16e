/* SPDX-License-Identifier: MIT */
#ifndef NV3_COVERAGE_H
#define NV3_COVERAGE_H

#include <stdbool.h>
#include <stdint.h>

/* Pixels from x0, y0 to before x1, y1. */
struct nv3_box {
   unsigned x0, y0, x1, y1;
};

static inline bool
nv3_box_is_empty(const struct nv3_box *box)
{
   return box->x0 >= box->x1 || box->y0 >= box->y1;
}

/* The min and the max of corners, in sixteenths of a pixel. */
struct nv3_bounds {
   int16_t min[2], max[2];
};

/* The pixels of @within that what is in @bounds can have. */
struct nv3_box
nv3_bounds_box(const struct nv3_bounds *bounds, const struct nv3_box *within);

static inline bool
nv3_bounds_overlap(const struct nv3_bounds *a, const struct nv3_bounds *b)
{
   return a->min[0] < b->max[0] && b->min[0] < a->max[0] &&
          a->min[1] < b->max[1] && b->min[1] < a->max[1];
}

struct nv3_coverage_triangle {
   int16_t corners[3][2];      /* in sixteenths of a pixel */
   struct nv3_bounds bounds;
};

struct nv3_coverage_triangle
nv3_coverage_triangle(const int16_t corners[3][2]);

/* Whether two triangles with an area, whose bounds meet, share some of it. */
bool nv3_coverage_triangles_overlap(const struct nv3_coverage_triangle *a,
                                    const struct nv3_coverage_triangle *b);

/* So many triangles that came one after another, as a model's are near each other. */
#define NV3_COVERAGE_RUN 16

/* What some triangles cover. */
struct nv3_coverage {
   struct nv3_coverage_triangle *list;
   unsigned count, max;
   struct nv3_bounds *runs;    /* each of a run of triangles */
   struct nv3_bounds bounds;   /* of all */
};

void
nv3_coverage_fini(struct nv3_coverage *coverage);

static inline void
nv3_coverage_clear(struct nv3_coverage *coverage)
{
   coverage->count = 0;
}

/* False without memory. */
bool nv3_coverage_add(struct nv3_coverage *coverage,
                      const struct nv3_coverage_triangle *triangle);

/* Whether one of the triangles shares area with @triangle. */
bool
nv3_coverage_overlaps(const struct nv3_coverage *coverage,
                      const struct nv3_coverage_triangle *triangle);

#endif
