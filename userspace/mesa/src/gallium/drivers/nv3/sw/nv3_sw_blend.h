/* SPDX-License-Identifier: MIT */
/* Blending by the CPU. */
#ifndef NV3_SW_BLEND_H
#define NV3_SW_BLEND_H

#include <stdbool.h>
#include <stdint.h>

#include "pipe/p_state.h"

/* A pixel of the intermediate target to which nothing was drawn. */
#define NV3_NOT_DRAWN  0x8000

/* Pixels per vector. */
#define NV3_SW_BLEND_WIDTH 16

/*
 * A factor in 32nds, per channel: (((source & src) + (old & dst) + add) ^ flip)
 * + more.
 */
struct nv3_sw_blend_factor {
   uint16_t src, dst, flip, more;
   uint16_t add[3];
};

/* A blend of X1R5G5B5 pixels. */
struct nv3_sw_blend {
   struct nv3_sw_blend_factor src, dst;
   int16_t src_sign, dst_sign;
   uint16_t mask;  /* bits that are written */
};

/* Returns false if the blend is not supported. */
bool
nv3_sw_blend_init(struct nv3_sw_blend *blend,
                  const struct pipe_rt_blend_state *rt,
                  const struct pipe_blend_color *constant);

/*
 * True if the order of overlapping triangles does not matter. This holds if
 * the blend only multiplies the destination, only adds to it, or only
 * subtracts from it.
 */
bool
nv3_sw_blend_commutes(const struct nv3_sw_blend *blend);

/* Lines of pixels. The pitch is in bytes. */
struct nv3_sw_blend_lines {
   uint16_t *first;
   unsigned pitch;
};

/*
 * Blends @drawn into @old and clears @drawn to NV3_NOT_DRAWN. @y is the number
 * of the first line, for dithering. The first column must be a multiple of
 * NV3_SW_BLEND_WIDTH, and lines are accessed in whole vectors.
 */
void
nv3_sw_blend_run(const struct nv3_sw_blend *blend,
                 const struct nv3_sw_blend_lines *old,
                 const struct nv3_sw_blend_lines *drawn, unsigned y,
                 unsigned count, unsigned width);

#endif
