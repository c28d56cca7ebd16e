/* SPDX-License-Identifier: MIT */
#ifndef NV3_SW_BLEND_H
#define NV3_SW_BLEND_H

#include <stdbool.h>
#include <stdint.h>

#include "pipe/p_state.h"

/* In a picture of what a draw has drawn (nv3_intermediate.h): a pixel that it has not. */
#define NV3_NOT_DRAWN  0x8000

/* Pixels that are done at once. */
#define NV3_SW_BLEND_WIDTH 16

/* Of 32, by channel: ((source & src) + (old & dst) + add) ^ flip, and more. */
struct nv3_sw_blend_factor {
   uint16_t src, dst, flip, more;
   uint16_t add[3];
};

/* A blend, of X1R5G5B5. */
struct nv3_sw_blend {
   struct nv3_sw_blend_factor src, dst;
   int16_t src_sign, dst_sign;
   uint16_t mask;             /* of the bits that it writes */
};

/* False: there is no such one here. */
bool
nv3_sw_blend_init(struct nv3_sw_blend *mix, const struct pipe_rt_blend_state *rt,
                  const struct pipe_blend_color *constant);

/*
 * Whether what covers itself may be blended in any order: where the old colour is
 * multiplied, or is added to or taken from, always the same way.
 */
bool
nv3_sw_blend_commutes(const struct nv3_sw_blend *mix);

/* Lines of pixels, and the bytes from one to the next. */
struct nv3_sw_blend_lines {
   uint16_t *first;
   unsigned pitch;
};

/*
 * Blends @drawn into @old, @count lines of @width pixels each from line @y on, beginning
 * with a column that is a multiple of NV3_SW_BLEND_WIDTH; leaves @drawn bare. Both have room
 * for whole lanes.
 */
void
nv3_sw_blend_run(const struct nv3_sw_blend *mix, const struct nv3_sw_blend_lines *old,
                 const struct nv3_sw_blend_lines *drawn, unsigned y, unsigned count,
                 unsigned width);

#endif
