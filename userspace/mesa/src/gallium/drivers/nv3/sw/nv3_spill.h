/* SPDX-License-Identifier: MIT */
#ifndef NV3_SPILL_H
#define NV3_SPILL_H

#include <stdbool.h>
#include <stdint.h>

#include "sw/nv3_overlap_levels.h"
#include "sw/nv3_sw_blend.h"

struct nv3_bo;
struct nv3_context;
struct nv3_object;
struct nv3_target;

/*
 * Parts of a intermediate (nv3_intermediate.h) that the chip puts spill in system memory, so that
 * it can go on drawing there with nobody waiting in between.
 */
struct nv3_spill {
   struct nv3_bo *bo;            /* a line of bare pixels, then the parts */
   uint8_t *map;
   struct nv3_object *copy, *clear;
   unsigned cleared_size,
      size; /* bytes of that line, and of all parts there may be */
   unsigned used;                /* bytes of parts that there are */
};

/* For parts of @intermediate, whole ones even. False: no memory. */
bool
nv3_spill_prepare(struct nv3_context *ctx, struct nv3_spill *spill,
                  const struct nv3_target *intermediate);
void
nv3_spill_fini(struct nv3_spill *spill);

/* Whether there is room for @box as well, as there is if nothing was put spill. */
bool
nv3_spill_has_room(const struct nv3_spill *spill, const struct nv3_box *box);

/*
 * Puts @box, in whole lanes, spill after the parts that there are, and makes it bare.
 * False: no memory.
 */
bool
nv3_spill_copy(struct nv3_context *ctx, struct nv3_spill *spill,
               const struct nv3_target *intermediate, const struct nv3_box *box);

/* Makes @box of the intermediate bare. */
bool
nv3_spill_clear(struct nv3_context *ctx, struct nv3_spill *spill,
                const struct nv3_target *intermediate, const struct nv3_box *box);

/* A part, of which @at bytes come before. */
struct nv3_sw_blend_lines
nv3_spill_lines(const struct nv3_spill *spill, const struct nv3_box *box, unsigned at);

#endif
