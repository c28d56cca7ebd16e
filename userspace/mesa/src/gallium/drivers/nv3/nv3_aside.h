/* SPDX-License-Identifier: MIT */
#ifndef NV3_ASIDE_H
#define NV3_ASIDE_H

#include <stdbool.h>
#include <stdint.h>

#include "nv3_layers.h"
#include "nv3_mix.h"

struct nv3_bo;
struct nv3_context;
struct nv3_object;
struct nv3_target;

/*
 * Parts of a scratch (nv3_scratch.h) that the chip puts aside in system memory, so that
 * it can go on drawing there with nobody waiting in between.
 */
struct nv3_aside {
   struct nv3_bo *bo;            /* a line of bare pixels, then the parts */
   uint8_t *map;
   struct nv3_object *take, *bare;
   unsigned before, size;        /* bytes of that line, and of all parts there may be */
   unsigned used;                /* bytes of parts that there are */
};

/* For parts of @scratch, whole ones even. False: no memory. */
bool
nv3_aside_prepare(struct nv3_context *ctx, struct nv3_aside *aside,
                  const struct nv3_target *scratch);
void
nv3_aside_fini(struct nv3_aside *aside);

/* Whether there is room for @box as well, as there is if nothing was put aside. */
bool
nv3_aside_has_room(const struct nv3_aside *aside, const struct nv3_box *box);

/*
 * Puts @box, in whole lanes, aside after the parts that there are, and makes it bare.
 * False: no memory.
 */
bool
nv3_aside_take(struct nv3_context *ctx, struct nv3_aside *aside,
               const struct nv3_target *scratch, const struct nv3_box *box);

/* Makes @box of the scratch bare. */
bool
nv3_aside_drop(struct nv3_context *ctx, struct nv3_aside *aside,
               const struct nv3_target *scratch, const struct nv3_box *box);

/* A part, of which @at bytes come before. */
struct nv3_mix_lines
nv3_aside_lines(const struct nv3_aside *aside, const struct nv3_box *box, unsigned at);

#endif
