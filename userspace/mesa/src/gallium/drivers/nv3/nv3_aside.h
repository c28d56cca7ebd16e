/* SPDX-License-Identifier: MIT */
#ifndef NV3_ASIDE_H
#define NV3_ASIDE_H

#include <stdbool.h>
#include <stdint.h>

#include "nv3_layers.h"

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
   unsigned parts;               /* there are */
};

/* For parts of @scratch, whole ones even. False: no memory. */
bool
nv3_aside_prepare(struct nv3_context *ctx, struct nv3_aside *aside,
                  const struct nv3_target *scratch);
void
nv3_aside_fini(struct nv3_aside *aside);

/* How many parts of the size of @box there can be, at least one. */
unsigned
nv3_aside_room(const struct nv3_target *scratch, const struct nv3_box *box);

/* Puts @box, in whole lanes, aside as the next part, and makes it bare. False: no memory. */
bool
nv3_aside_take(struct nv3_context *ctx, struct nv3_aside *aside,
               const struct nv3_target *scratch, const struct nv3_box *box);

/* Line @y of part @i, all of which are of @box's size, from its first pixel on. */
uint16_t *
nv3_aside_line(const struct nv3_aside *aside, const struct nv3_target *scratch,
               const struct nv3_box *box, unsigned i, unsigned y);

#endif
