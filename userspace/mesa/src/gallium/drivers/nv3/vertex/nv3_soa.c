/* SPDX-License-Identifier: MIT */
/*
 * Conversion of the results of vertex programs to the chip's terms, eight
 * vertices at a time.
 */
#include <math.h>

#include "base/nv3_vec.h"
#include "class17/nv3_blend.h"
#include "class17/nv3_clip.h"
#include "class17/nv3_draw_state.h"
#include "class17/nv3_vertex.h"
#include "vertex/nv3_soa.h"

#define FOR_VECTORS for (unsigned i = 0; i < lanes; i += NV3_SOA_ALIGN)
#define AT(name, i)  (*(const nv3_vec *)(name + (i)))
#define BITS(name, i) (*(const nv3_ivec *)(name + (i)))
#define SET(name, i) (*(nv3_vec *)(name + (i)))
#define ISET(name, i) (*(nv3_ivec *)(name + (i)))

/* Adding this number rounds a float. Its lower bits are then the integer. */
#define ROUND_MAGIC 12582912.0f
#define ROUND_BITS  0x4b400000

/* Converts the range 0 to 1 to the range 0 to 255, and clamps. */
#define TO_BYTE(c) ({                                                        \
   nv3_vec scaled = (nv3_vec)NV3_POSITIVE(c) * 255.0f + ROUND_MAGIC;         \
   nv3_ivec whole = (nv3_ivec)scaled - ROUND_BITS;                           \
   NV3_CHOOSE(whole > 255, NV3_ISPLAT(255), whole);                          \
})

/*
 * Converts to the chip's 12.4 format by shifting the mantissa, since vector
 * conversions are slow under TCG. The result is undefined outside the chip's
 * range.
 */
#define TO_SIXTEENTHS(c) ({                                                  \
   nv3_ivec bits = (nv3_ivec)(c), sign = bits >> 31;                         \
   nv3_ivec down = 127 + 23 - 4 - (bits >> 23 & 0xff);                       \
   nv3_ivec whole = (bits & 0x7fffff) | 0x800000;                            \
   whole >>= NV3_CHOOSE(down > 31, NV3_ISPLAT(31), down) & 31;               \
   (whole ^ sign) - sign;                                                    \
})

NV3_VECTORS void
nv3_soa_project(const struct nv3_projection *p, const float *cx,
                const float *cy, const float *cz, const float *cw,
                float *rhws, struct nv3_soa *out, unsigned lanes)
{
   const int32_t sign = INT32_MIN, magnitude = INT32_MAX;

   FOR_VECTORS {
      nv3_vec x = AT(cx, i), y = AT(cy, i), z = AT(cz, i), w = AT(cw, i);
      nv3_vec rhw = 1.0f / w;
      nv3_vec gx = w * p->guard[0], gy = w * p->guard[1];
      /*
       * Two floats have the same order as their bits if one of them is not
       * negative. If w is negative, the flags below send the vertex to the
       * clipper.
       */
      nv3_ivec ix = (nv3_ivec)x, iy = (nv3_ivec)y, iz = (nv3_ivec)z;
      nv3_ivec iw = (nv3_ivec)w, flags;

      flags = ((ix ^ sign) > iw) & NV3_BEYOND_LEFT;
      flags |= (ix > iw) & NV3_BEYOND_RIGHT;
      flags |= ((iy ^ sign) > iw) & NV3_BEYOND_TOP;
      flags |= (iy > iw) & NV3_BEYOND_BOTTOM;
      if (p->half_z)
         flags |= (iz < 0) & NV3_BEYOND_NEAR;
      else
         flags |= ((iz ^ sign) > iw) & NV3_BEYOND_NEAR;
      flags |= (iz > iw) & NV3_BEYOND_FAR;
      flags |= (((ix & magnitude) > (nv3_ivec)gx) |
                ((iy & magnitude) > (nv3_ivec)gy)) & NV3_BEYOND_CHIP;
      flags = NV3_CHOOSE(iw <= 0, NV3_ISPLAT(NV3_BEYOND_CHIP), flags);
      ISET(out->flags, i) = flags;
      x = x * rhw * p->scale[0] + p->bias[0];
      y = y * rhw * p->scale[1] + p->bias[1];
      SET(out->x, i) = x;
      SET(out->y, i) = y;
      ISET(out->at_x, i) = TO_SIXTEENTHS(x);
      ISET(out->at_y, i) = TO_SIXTEENTHS(y);
      SET(out->z, i) = z * rhw * p->scale[2] + p->bias[2];
      SET(rhws, i) = rhw;
   }
}

NV3_VECTORS void
nv3_soa_color(const float *red, const float *green, const float *blue,
              const float *alpha, enum nv3_alpha_use use,
              struct nv3_soa *out, unsigned lanes)
{
   FOR_VECTORS {
      nv3_vec r = AT(red, i), g = AT(green, i), b = AT(blue, i);
      nv3_vec a = AT(alpha, i);

      if (use == NV3_ALPHA_DIVIDED) {
         nv3_vec factor = 1.0f / (nv3_vec)NV3_CHOOSE((nv3_ivec)a > 0, a,
                                                     NV3_SPLAT(INFINITY));

         r *= factor;
         g *= factor;
         b *= factor;
      } else if (use == NV3_ALPHA_MULTIPLIED) {
         nv3_ivec positive = NV3_POSITIVE(a);
         const int32_t one = 0x3f800000;
         nv3_vec factor = (nv3_vec)NV3_CHOOSE(positive > one, NV3_ISPLAT(one),
                                              positive);

         r *= factor;
         g *= factor;
         b *= factor;
      }
      ISET(out->color, i) = TO_BYTE(a) << 24 | TO_BYTE(r) << 16 |
                            TO_BYTE(g) << 8 | TO_BYTE(b);
   }
}

NV3_VECTORS void
nv3_soa_fog(const float *fog, struct nv3_soa *out, unsigned lanes)
{
   FOR_VECTORS ISET(out->fog, i) = (255 - TO_BYTE(AT(fog, i))) << 24;
}

NV3_VECTORS void
nv3_soa_coordinates(const struct nv3_draw_state *state, const float *u,
                    const float *v, const float *q, const float *rhws,
                    struct nv3_soa *out, unsigned lanes)
{
   nv3_ivec limit_u = (nv3_ivec)NV3_SPLAT(state->coord_limit[0]);
   nv3_ivec limit_v = (nv3_ivec)NV3_SPLAT(state->coord_limit[1]);

   FOR_VECTORS {
      nv3_vec s = AT(u, i), t = AT(v, i);

      if (q) {
         /* q is interpolated with the coordinates. */
         nv3_vec by = (nv3_vec)NV3_CHOOSE(BITS(q, i) > 0, AT(q, i),
                                          NV3_SPLAT(1.0f));
         nv3_vec r = 1.0f / by;

         s *= r;
         t *= r;
         SET(out->rhw, i) = AT(rhws, i) * by;
      }
      s = s * state->coord_scale[0] + state->coord_bias[0];
      t = t * state->coord_scale[1] + state->coord_bias[1];
      ISET(out->flags, i) = ((((nv3_ivec)s & INT32_MAX) > limit_u) |
                             (((nv3_ivec)t & INT32_MAX) > limit_v)) &
                            NV3_FAR_TEXELS;
      SET(out->u, i) = s;
      SET(out->v, i) = t;
   }
}
