/* SPDX-License-Identifier: MIT */
/*
 * Blending by the CPU in integers, which are fast on an emulated CPU
 * (docs/decisions/0015-vector-programs-for-vertices.md).
 *
 * The chip dithers 8 bits to 5 bits by a division by 8, so the colour 255
 * becomes 31.875 on average. If a colour is a factor, its value therefore
 * counts 32nds, and the value 31 stands for a factor of one. The sum of
 * products is dithered as well: a threshold is added to each pixel before the
 * division. The pattern of thresholds differs from the chip's dither pattern,
 * because the same pattern would round a colour up twice.
 */
#include <string.h>

#include "util/blend.h"
#include "util/u_math.h"

#include "base/nv3_vec.h"
#include "sw/nv3_sw_blend.h"

typedef uint16_t lanes __attribute__((vector_size(2 * NV3_SW_BLEND_WIDTH),
                                      aligned(2), may_alias));
typedef int16_t signed_lanes __attribute__((vector_size(2 * NV3_SW_BLEND_WIDTH),
                                            aligned(2), may_alias));

#define COLOR_MAX 31
#define ONE  32

/* ---- state ---- */

/* 32 - f == ~f + 33 */
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
   /* The destination has no alpha. It reads as 1. */
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
nv3_sw_blend_init(struct nv3_sw_blend *blend,
                  const struct pipe_rt_blend_state *rt,
                  const struct pipe_blend_color *constant)
{
   bool add = rt->rgb_func == PIPE_BLEND_ADD;

   if (!rt->blend_enable) {
      /* Without blending, only the colour mask needs the CPU. */
      *blend = (struct nv3_sw_blend) { 0 };
      invert(&blend->src);
   } else {
      if (!init_factor(&blend->src, rt->rgb_src_factor, constant->color) ||
          !init_factor(&blend->dst, rt->rgb_dst_factor, constant->color) ||
          (!add && rt->rgb_func != PIPE_BLEND_SUBTRACT &&
           rt->rgb_func != PIPE_BLEND_REVERSE_SUBTRACT))
         return false;
   }
   blend->src_sign = rt->blend_enable &&
                   rt->rgb_func == PIPE_BLEND_REVERSE_SUBTRACT ? -1 : 1;
   blend->dst_sign = rt->blend_enable &&
                   rt->rgb_func == PIPE_BLEND_SUBTRACT ? -1 : 1;
   blend->mask = (rt->colormask & PIPE_MASK_R ? COLOR_MAX << 10 : 0) |
               (rt->colormask & PIPE_MASK_G ? COLOR_MAX << 5 : 0) |
               (rt->colormask & PIPE_MASK_B ? COLOR_MAX : 0);
   return true;
}

static bool
is_uniform(const struct nv3_sw_blend_factor *factor, uint16_t what)
{
   return !factor->src && !factor->dst && !factor->flip &&
          factor->add[0] == what && factor->add[1] == what &&
          factor->add[2] == what;
}

bool
nv3_sw_blend_commutes(const struct nv3_sw_blend *blend)
{
   const struct nv3_sw_blend_factor *src = &blend->src, *dst = &blend->dst;

   if (blend->dst_sign < 0)
      return false;
   if (!src->dst)
      return is_uniform(dst, ONE);
   return blend->src_sign > 0 && !src->src && !src->flip &&
          (is_uniform(dst, ONE) || is_uniform(dst, 0));
}

/* ---- pixels ---- */

/* The pattern repeats after this number of lines. */
#define PATTERN 8

/*
 * Sets the thresholds of a line. Each aligned 2x2 square contains all multiples
 * of a quarter, and each 4x4 square all multiples of a sixteenth. The order of
 * the thresholds differs between squares, to avoid a correlation with the
 * chip's pattern.
 */
static void
thresholds(uint16_t out[NV3_SW_BLEND_WIDTH], unsigned y)
{
   static const uint8_t order[2][2] = { { 0, 2 }, { 3, 1 } };

   for (unsigned x = 0; x < NV3_SW_BLEND_WIDTH; x++) {
      unsigned coarse =
         order[(y ^ x >> 1 ^ y >> 2) & 1][(x ^ y >> 1 ^ x >> 2) & 1];
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

/* Converts a colour to a factor in 32nds. */
#define AS_FACTOR(c) ((c) - (lanes)((signed_lanes)(c) == COLOR_MAX))

#define FACTOR(f, c, s, d) \
   (((((s) & (f).src) + ((d) & (f).dst) + (f).add[c]) ^ (f).flip) + (f).more)

static inline lanes
blend_pixels(const struct nv3_sw_blend *blend, lanes old, lanes drawn,
             lanes threshold)
{
   lanes keep = (lanes)((signed_lanes)drawn >> 15) | (uint16_t)~blend->mask;
   lanes result = old & keep;

   for (unsigned c = 0; c < 3; c++) {
      unsigned shift = 10 - 5 * c;
      lanes s = drawn >> shift & COLOR_MAX, d = old >> shift & COLOR_MAX;
      lanes fs = FACTOR(blend->src, c, AS_FACTOR(s), AS_FACTOR(d));
      lanes fd = FACTOR(blend->dst, c, AS_FACTOR(s), AS_FACTOR(d));
      signed_lanes sum = (signed_lanes)(s * fs) * blend->src_sign +
                         (signed_lanes)(d * fd) * blend->dst_sign;
      lanes n = ((lanes)(sum & ~(sum >> 15)) + threshold) >> 5;

      n = (n | (lanes)((signed_lanes)n > COLOR_MAX)) & COLOR_MAX;
      result |= n << shift & ~keep;
   }
   return result;
}

NV3_VECTORS void
nv3_sw_blend_run(const struct nv3_sw_blend *blend,
                 const struct nv3_sw_blend_lines *old,
                 const struct nv3_sw_blend_lines *drawn, unsigned y,
                 unsigned count, unsigned width)
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
         *at = blend_pixels(blend, *at, *what, pattern[(y + i) % PATTERN]);
         *what = (lanes) { 0 } + NV3_NOT_DRAWN;
      }
   }
}
