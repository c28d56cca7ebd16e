/* SPDX-License-Identifier: MIT */
/*
 * Blending by the CPU in whole numbers, which cost an emulated one little
 * (docs/mesa.md).
 *
 * Colours are 0 to 31 and factors are too, so a sum of their products is divided by
 * 31. What is left over is dithered: each pixel adds a threshold before that. The
 * pattern is not the chip's, as colours that were rounded up would be once more.
 */
#include <string.h>

#include "util/blend.h"
#include "util/u_math.h"

#include "nv3_mix.h"
#include "nv3_vec.h"

typedef uint16_t lanes __attribute__((vector_size(2 * NV3_MIX_LANES), aligned(2),
                                      may_alias));
typedef int16_t signed_lanes __attribute__((vector_size(2 * NV3_MIX_LANES),
                                            aligned(2), may_alias));

#define ONE 31

/* ---- state ---- */

static bool
init_factor(struct nv3_mix_factor *factor, enum pipe_blendfactor what,
            const float constant[4])
{
   enum pipe_blendfactor plain = util_blendfactor_without_invert(what);
   bool alpha = plain == PIPE_BLENDFACTOR_CONST_ALPHA;

   *factor = (struct nv3_mix_factor) { .flip = plain == what ? 0 : ONE };
   switch (plain) {
   case PIPE_BLENDFACTOR_SRC_COLOR:
      factor->src = ONE;
      return true;
   case PIPE_BLENDFACTOR_DST_COLOR:
      factor->dst = ONE;
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
nv3_mix_init(struct nv3_mix *mix, const struct pipe_rt_blend_state *rt,
             const struct pipe_blend_color *constant)
{
   bool add = rt->rgb_func == PIPE_BLEND_ADD;

   if (!rt->blend_enable) {
      /* Some of the colours, as they are. */
      *mix = (struct nv3_mix) { .src.flip = ONE };
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
   mix->mask = (rt->colormask & PIPE_MASK_R ? ONE << 10 : 0) |
               (rt->colormask & PIPE_MASK_G ? ONE << 5 : 0) |
               (rt->colormask & PIPE_MASK_B ? ONE : 0);
   return true;
}

/* ---- pixels ---- */

/*
 * What a line of pixels adds. All quarters are in each square of two by two, and all
 * sixteenths in each of four by four; where in the square changes with the square, so
 * that none goes with one of the chip's own for long.
 */
static void
thresholds(uint16_t out[NV3_MIX_LANES], unsigned y)
{
   static const uint8_t order[2][2] = { { 0, 2 }, { 3, 1 } };

   for (unsigned x = 0; x < NV3_MIX_LANES; x++) {
      unsigned coarse = order[(y ^ x >> 1 ^ y >> 2) & 1][(x ^ y >> 1 ^ x >> 2) & 1];
      unsigned fine = order[y >> 1 & 1][x >> 1 & 1];

      out[x] = 2 * (4 * coarse + fine);
   }
}

static bool
is_bare(const uint16_t *drawn)
{
   uint64_t all = ~0ull, part;

   for (unsigned i = 0; i < NV3_MIX_LANES; i += 4) {
      memcpy(&part, &drawn[i], sizeof(part));
      all &= part;
   }
   return (all & 0x8000800080008000) == 0x8000800080008000;
}

#define FACTOR(f, c, s, d) (((((s) & (f).src) | ((d) & (f).dst)) | (f).add[c]) ^ \
                            (f).flip)

NV3_VECTORS void
nv3_mix_line(const struct nv3_mix *mix, uint16_t *old, uint16_t *drawn,
             unsigned y, unsigned count)
{
   uint16_t pattern[NV3_MIX_LANES];
   lanes threshold;

   thresholds(pattern, y);
   memcpy(&threshold, pattern, sizeof(threshold));
   for (unsigned i = 0; i < count; i += NV3_MIX_LANES) {
      lanes *to = (lanes *)&old[i], *from = (lanes *)&drawn[i];
      lanes keep, result;

      if (is_bare(&drawn[i]))
         continue;
      keep = (lanes)((signed_lanes)*from >> 15) | (uint16_t)~mix->mask;
      result = *to & keep;
      for (unsigned c = 0; c < 3; c++) {
         unsigned shift = 10 - 5 * c;
         lanes s = *from >> shift & ONE, d = *to >> shift & ONE;
         lanes fs = FACTOR(mix->src, c, s, d), fd = FACTOR(mix->dst, c, s, d);
         signed_lanes sum = (signed_lanes)(s * fs) * mix->src_sign +
                            (signed_lanes)(d * fd) * mix->dst_sign;
         lanes n = (lanes)(sum & ~(sum >> 15)) + threshold;

         /* Divided by 31, exactly up to 33. */
         n = (n * 33 + 33) >> 10;
         n = (n | (lanes)((signed_lanes)n > ONE)) & ONE;
         result |= n << shift & ~keep;
      }
      *to = result;
      *from = (lanes) { 0 } + NV3_MIX_BARE;
   }
}
