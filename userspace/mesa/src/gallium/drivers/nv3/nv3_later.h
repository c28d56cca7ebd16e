/* SPDX-License-Identifier: MIT */
#ifndef NV3_LATER_H
#define NV3_LATER_H

#include <stdbool.h>
#include <stdint.h>

#include "nv3_cover.h"
#include "nv3_mix.h"

struct nv3_context;
struct nv3_target;

/* Parts that there may be at a time. */
#define NV3_LATER_MAX 256

/* A part of a layer of a draw, which was put aside. */
struct nv3_later_part {
   struct nv3_mix mix;
   struct nv3_box box;
   unsigned at;                 /* the bytes before it */
};

struct nv3_later {
   struct nv3_later_part parts[NV3_LATER_MAX];
   unsigned count;
   struct nv3_cover cover;      /* of all; of those before, if there are none */
   struct nv3_target *target;   /* that all are blended into */
};

void
nv3_later_fini(struct nv3_later *later);

/* Whether there may be another part in @box, of what is drawn to @target. */
bool
nv3_later_takes(const struct nv3_context *ctx, const struct nv3_target *target,
                const struct nv3_box *box);

/*
 * Puts aside what was drawn to the scratch in @box, to be blended into @target. There is
 * room for it. False: no memory.
 */
bool
nv3_later_take(struct nv3_context *ctx, struct nv3_target *target,
               const struct nv3_box *box);

/*
 * All layers of a draw, whose triangles are @cover, have been taken. False: there is no
 * room for those, and all that was put off is to be blended now.
 */
bool
nv3_later_add(struct nv3_later *later, const struct nv3_cover *cover);

/* Whether something was put off where a triangle, @corners in sixteenths, may be drawn. */
bool
nv3_later_meets(const struct nv3_later *later, const int16_t corners[3][2]);

/*
 * Whether half of the triangles of @cover, at least, are where something was put off, be
 * it that it has just been blended.
 */
bool
nv3_later_is_under(const struct nv3_later *later, const struct nv3_cover *cover);

/* Submits, waits for and blends all that was put off. False: a batch was lost. */
bool
nv3_later_settle(struct nv3_context *ctx);

/* The same, when all of it has been submitted, and with it lost unless @ok. */
void
nv3_later_finish(struct nv3_context *ctx, bool ok);

#endif
