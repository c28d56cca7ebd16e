/* SPDX-License-Identifier: MIT */
#ifndef NV3_COVER_H
#define NV3_COVER_H

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

/* The least and the most of corners, in sixteenths of a pixel. */
struct nv3_bounds {
   int16_t least[2], most[2];
};

/* The pixels of @within that what is in @bounds can have. */
struct nv3_box
nv3_bounds_box(const struct nv3_bounds *bounds, const struct nv3_box *within);

static inline bool
nv3_bounds_meet(const struct nv3_bounds *a, const struct nv3_bounds *b)
{
   return a->least[0] < b->most[0] && b->least[0] < a->most[0] &&
          a->least[1] < b->most[1] && b->least[1] < a->most[1];
}

struct nv3_cover_triangle {
   int16_t corners[3][2];      /* in sixteenths of a pixel */
   struct nv3_bounds bounds;
};

struct nv3_cover_triangle
nv3_cover_triangle(const int16_t corners[3][2]);

/* Whether two triangles with an area, whose bounds meet, share some of it. */
bool
nv3_cover_share(const struct nv3_cover_triangle *a, const struct nv3_cover_triangle *b);

/* So many triangles that came one after another, as a model's are near each other. */
#define NV3_COVER_RUN 16

/* What some triangles cover. */
struct nv3_cover {
   struct nv3_cover_triangle *list;
   unsigned count, max;
   struct nv3_bounds *runs;    /* each of a run of triangles */
   struct nv3_bounds bounds;   /* of all */
};

void
nv3_cover_fini(struct nv3_cover *cover);

static inline void
nv3_cover_clear(struct nv3_cover *cover)
{
   cover->count = 0;
}

/* False without memory. */
bool
nv3_cover_add(struct nv3_cover *cover, const struct nv3_cover_triangle *triangle);

/* Whether one of the triangles shares area with @triangle. */
bool
nv3_cover_meets(const struct nv3_cover *cover,
                const struct nv3_cover_triangle *triangle);

#endif
