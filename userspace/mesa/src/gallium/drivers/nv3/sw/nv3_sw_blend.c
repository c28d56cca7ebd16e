/* SPDX-License-Identifier: MIT */
/*
 * Blending by the CPU in whole numbers, which cost an emulated one little
 * (docs/explanation/mesa.md).
 *
 * Colours are what the chip dithers to 5 bits: an eighth of 255 on average, so as factors
 * they count 32nds, but for 31, which is one. What is left over of a sum of products is
 * dithered too: each pixel adds a threshold before it is divided. The pattern is not the
 * chip's, as colours that were rounded up would be once more.
 */
#include <string.h>

#include "util/blend.h"
#include "util/u_math.h"

#include "base/nv3_vec.h"
#include "sw/nv3_sw_blend.h"

typedef uint16_t lanes __attribute__((vector_size(2 * NV3_SW_BLEND_WIDTH), aligned(2),
                                      may_alias));
typedef int16_t signed_lanes __attribute__((vector_size(2 * NV3_SW_BLEND_WIDTH),
                                            aligned(2), may_alias));

#define MOST 31
#define ONE  32

/* ---- state ---- */

/* 32 - f is ~f + 33. */
static void
invert(struct nv3_sw_blend_factor *factor)
{
   factor->flip = UINT16_MAX;
   factor->more = ONE + 1;
}

static bool
init_factor(struct nv3_sw_blend_factor *factor, enum pipe_blendfactor what,
            const float constant[4])
{
   enum pipe_blendfactor plain = util_blendfactor_without_invert(what);
   bool alpha = plain == PIPE_BLENDFACTOR_CONST_ALPHA;

   *factor = (struct nv3_sw_blend_factor) { 0 };
   if (plain != what)
      invert(factor);
   switch (plain) {
   case PIPE_BLENDFACTOR_SRC_COLOR:
      factor->src = UINT16_MAX;
      return true;
   case PIPE_BLENDFACTOR_DST_COLOR:
      factor->dst = UINT16_MAX;
      return true;
   case PIPE_BLENDFACTOR_CONST_COLOR:
   case PIPE_BLENDFACTOR_CONST_ALPHA:
      for (unsigned i = 0; i < 3; i++)
         factor->add[i] = SATURATE(constant[alpha ? 3 : i]) * ONE + 0.5f;
      return true;
   /* What is drawn to has no alpha, which reads as 1. */
   case PIPE_BLENDFACTOR_ONE:
   case PIPE_BLENDFACTOR_DST_ALPHA:
      for (unsigned i = 0; i < 3; i++)
         factor->add[i] = ONE;
      return true;
   case PIPE_BLENDFACTOR_SRC_ALPHA_SATURATE:
      return true;
   default:
      return false;
   }
}

bool
nv3_sw_blend_init(struct nv3_sw_blend *mix, const struct pipe_rt_blend_state *rt,
                  const struct pipe_blend_color *constant)
{
   bool add = rt->rgb_func == PIPE_BLEND_ADD;

   if (!rt->blend_enable) {
      /* Some of the colours, as they are. */
      *mix = (struct nv3_sw_blend) { 0 };
      invert(&mix->src);
   } else {
      if (!init_factor(&mix->src, rt->rgb_src_factor, constant->color) ||
          !init_factor(&mix->dst, rt->rgb_dst_factor, constant->color) ||
          (!add && rt->rgb_func != PIPE_BLEND_SUBTRACT &&
           rt->rgb_func != PIPE_BLEND_REVERSE_SUBTRACT))
         return false;
   }
   mix->src_sign = rt->blend_enable &&
                   rt->rgb_func == PIPE_BLEND_REVERSE_SUBTRACT ? -1 : 1;
   mix->dst_sign = rt->blend_enable &&
                   rt->rgb_func == PIPE_BLEND_SUBTRACT ? -1 : 1;
   mix->mask = (rt->colormask & PIPE_MASK_R ? MOST << 10 : 0) |
               (rt->colormask & PIPE_MASK_G ? MOST << 5 : 0) |
               (rt->colormask & PIPE_MASK_B ? MOST : 0);
   return true;
}

static bool
is_uniform(const struct nv3_sw_blend_factor *factor, uint16_t what)
{
   return !factor->src && !factor->dst && !factor->flip && factor->add[0] == what &&
          factor->add[1] == what && factor->add[2] == what;
}

bool
nv3_sw_blend_commutes(const struct nv3_sw_blend *mix)
{
   const struct nv3_sw_blend_factor *src = &mix->src, *dst = &mix->dst;

   if (mix->dst_sign < 0)
      return false;
   if (!src->dst)
      return is_uniform(dst, ONE);
   return mix->src_sign > 0 && !src->src && !src->flip &&
          (is_uniform(dst, ONE) || is_uniform(dst, 0));
}

/* ---- pixels ---- */

/* Lines, and then what they add begins again. */
#define PATTERN 8

/*
 * What a line of pixels adds. All quarters are in each square of two by two, and all
 * sixteenths in each of four by four; where in the square changes with the square, so
 * that none goes with one of the chip's own for long.
 */
static void
thresholds(uint16_t out[NV3_SW_BLEND_WIDTH], unsigned y)
{
   static const uint8_t order[2][2] = { { 0, 2 }, { 3, 1 } };

   for (unsigned x = 0; x < NV3_SW_BLEND_WIDTH; x++) {
      unsigned coarse = order[(y ^ x >> 1 ^ y >> 2) & 1][(x ^ y >> 1 ^ x >> 2) & 1];
      unsigned fine = order[y >> 1 & 1][x >> 1 & 1];

      out[x] = 2 * (4 * coarse + fine) + 1;
   }
}

static bool
is_not_drawn(const uint16_t *drawn)
{
   uint64_t all = ~0ull, part;

   for (unsigned i = 0; i < NV3_SW_BLEND_WIDTH; i += 4) {
      memcpy(&part, &drawn[i], sizeof(part));
      all &= part;
   }
   return (all & 0x8000800080008000) == 0x8000800080008000;
}

/* A colour as a factor. */
#define OF_ONE(c) ((c) - (lanes)((signed_lanes)(c) == MOST))

#define FACTOR(f, c, s, d) \
   (((((s) & (f).src) + ((d) & (f).dst) + (f).add[c]) ^ (f).flip) + (f).more)

static inline lanes
blend_pixels(const struct nv3_sw_blend *mix, lanes old, lanes drawn, lanes threshold)
{
   lanes keep = (lanes)((signed_lanes)drawn >> 15) | (uint16_t)~mix->mask;
   lanes result = old & keep;

   for (unsigned c = 0; c < 3; c++) {
      unsigned shift = 10 - 5 * c;
      lanes s = drawn >> shift & MOST, d = old >> shift & MOST;
      lanes fs = FACTOR(mix->src, c, OF_ONE(s), OF_ONE(d));
      lanes fd = FACTOR(mix->dst, c, OF_ONE(s), OF_ONE(d));
      signed_lanes sum = (signed_lanes)(s * fs) * mix->src_sign +
                         (signed_lanes)(d * fd) * mix->dst_sign;
      lanes n = ((lanes)(sum & ~(sum >> 15)) + threshold) >> 5;

      n = (n | (lanes)((signed_lanes)n > MOST)) & MOST;
      result |= n << shift & ~keep;
   }
   return result;
}

NV3_VECTORS void
nv3_sw_blend_run(const struct nv3_sw_blend *mix, const struct nv3_sw_blend_lines *old,
                 const struct nv3_sw_blend_lines *drawn, unsigned y, unsigned count,
                 unsigned width)
{
   lanes pattern[PATTERN];

   for (unsigned i = 0; i < PATTERN; i++)
      thresholds((uint16_t *)&pattern[i], i);
   for (unsigned i = 0; i < count; i++) {
      uint16_t *to = (uint16_t *)((uint8_t *)old->first + i * old->pitch);
      uint16_t *from = (uint16_t *)((uint8_t *)drawn->first + i * drawn->pitch);

      for (unsigned x = 0; x < width; x += NV3_SW_BLEND_WIDTH) {
         lanes *at = (lanes *)&to[x], *what = (lanes *)&from[x];

         if (is_not_drawn(&from[x]))
            continue;
         *at = blend_pixels(mix, *at, *what, pattern[(y + i) % PATTERN]);
         *what = (lanes) { 0 } + NV3_NOT_DRAWN;
      }
   }
}
