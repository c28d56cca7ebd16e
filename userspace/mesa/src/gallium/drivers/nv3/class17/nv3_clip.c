/* SPDX-License-Identifier: MIT */
/*
 * Clipping in clip coordinates, one plane after another (Sutherland-Hodgman).
 * The chip itself clips at the sides of the viewport, within the limits of its
 * coordinates.
 */
#include "util/macros.h"
#include "util/u_math.h"

#include "class17/nv3_clip.h"
#include "class17/nv3_vertex.h"

/* Values that are linear in clip coordinates. U and V are multiplied by Q. */
enum { X, Y, Z, W, U, V, Q, LINEAR };

struct corner {
   float at[LINEAR];
   uint32_t fog, color;
};

#define PLANES 6

static float
distance_to(const struct nv3_projection *p, const struct corner *c,
            unsigned plane)
{
   switch (plane) {
   case 0:
      return p->half_z ? c->at[Z] : c->at[W] + c->at[Z];
   case 1:
      return c->at[W] - c->at[Z];
   case 2:
      return c->at[W] * p->guard[0] + c->at[X];
   case 3:
      return c->at[W] * p->guard[0] - c->at[X];
   case 4:
      return c->at[W] * p->guard[1] + c->at[Y];
   default:
      return c->at[W] * p->guard[1] - c->at[Y];
   }
}

static uint32_t
interpolate_bytes(uint32_t a, uint32_t b, float t)
{
   uint32_t out = 0;

   for (unsigned shift = 0; shift < 32; shift += 8) {
      int from = a >> shift & 0xff, to = b >> shift & 0xff;

      out |= (uint32_t)(from + (int)((to - from) * t + (to < from ? -0.5f :
                                                        0.5f))) << shift;
   }
   return out;
}

static struct corner
between(const struct corner *a, const struct corner *b, float t)
{
   struct corner c;

   for (unsigned i = 0; i < LINEAR; i++)
      c.at[i] = a->at[i] + (b->at[i] - a->at[i]) * t;
   c.fog = interpolate_bytes(a->fog, b->fog, t);
   c.color = interpolate_bytes(a->color, b->color, t);
   return c;
}

/*
 * Computes the distances of vertices from a plane. Returns true if none is
 * negative.
 */
static bool
distances(const struct nv3_projection *p, unsigned plane,
          const struct corner *in, unsigned count, float *out)
{
   bool all = true;

   for (unsigned i = 0; i < count; i++) {
      out[i] = distance_to(p, &in[i], plane);
      all &= out[i] >= 0.0f;
   }
   return all;
}

static unsigned
clip_plane(const struct corner *in, const float *distance, unsigned count,
           struct corner *out)
{
   unsigned count_out = 0;

   /* The bound is necessary, because rounding may make a polygon concave. */
   for (unsigned i = 0; i < count && count_out < NV3_CLIPPED_MAX; i++) {
      unsigned next = i + 1 == count ? 0 : i + 1;
      const struct corner *a = &in[i], *b = &in[next];
      float da = distance[i], db = distance[next];

      if (da >= 0.0f)
         out[count_out++] = *a;
      /*
       * Always interpolate from the inside to the outside, so that two
       * triangles with a common edge get the same point.
       */
      if (da >= 0.0f && db < 0.0f)
         out[count_out++] = between(a, b, da / (da - db));
      else if (da < 0.0f && db >= 0.0f)
         out[count_out++] = between(b, a, db / (db - da));
   }
   return count_out;
}

static struct corner
unproject(const struct nv3_projection *p, const struct nv3_vertices *vertices,
          uint32_t index)
{
   const struct nv3_chip_vertex *v = &vertices->chip[index];
   const float *clip = vertices->clip[index];
   struct corner c = { .fog = v->fog, .color = v->color };
   float q = p->projective && clip[W] != 0.0f ? v->rhw * clip[W] : 1.0f;

   for (unsigned i = X; i <= W; i++)
      c.at[i] = clip[i];
   c.at[U] = v->u * q;
   c.at[V] = v->v * q;
   c.at[Q] = q;
   return c;
}

static void
project(const struct nv3_projection *p, const struct corner *c,
        struct nv3_chip_vertex *out)
{
   float rhw = 1.0f / c->at[W];

   out->x = c->at[X] * rhw * p->scale[0] + p->bias[0];
   out->y = c->at[Y] * rhw * p->scale[1] + p->bias[1];
   out->z = c->at[Z] * rhw * p->scale[2] + p->bias[2];
   out->rhw = rhw * c->at[Q];
   out->u = c->at[U];
   out->v = c->at[V];
   if (p->projective) {
      out->u /= c->at[Q];
      out->v /= c->at[Q];
   }
   out->fog = c->fog;
   out->color = c->color;
}

unsigned
nv3_clip_triangle(const struct nv3_projection *projection,
                  const struct nv3_vertices *vertices,
                  const uint32_t corners[3],
                  struct nv3_chip_vertex out[NV3_CLIPPED_MAX])
{
   struct corner polygon[2][NV3_CLIPPED_MAX + 1];
   float distance[NV3_CLIPPED_MAX + 1];
   unsigned count = 3, from = 0;

   for (unsigned i = 0; i < 3; i++)
      polygon[0][i] = unproject(projection, vertices, corners[i]);
   for (unsigned plane = 0; plane < PLANES && count; plane++) {
      if (distances(projection, plane, polygon[from], count, distance))
         continue;
      count = clip_plane(polygon[from], distance, count, polygon[!from]);
      from = !from;
   }
   count = MIN2(count, NV3_CLIPPED_MAX);
   for (unsigned i = 0; i < count; i++) {
      /* Only the point of the eye remains, so nothing is drawn. */
      if (polygon[from][i].at[W] <= 0.0f)
         return 0;
      project(projection, &polygon[from][i], &out[i]);
   }
   return count < 3 ? 0 : count;
}
