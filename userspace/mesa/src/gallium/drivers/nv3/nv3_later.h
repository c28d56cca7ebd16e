/* SPDX-License-Identifier: MIT */
#ifndef NV3_LATER_H
#define NV3_LATER_H

#include <stdbool.h>
#include <stdint.h>

#include "nv3_layers.h"
#include "nv3_mix.h"

struct nv3_context;
struct nv3_target;

/* Draws that there may be at a time. */
#define NV3_LATER_MAX 64

/* A draw that was put aside, layer by layer. */
struct nv3_later_draw {
   struct nv3_mix mix;
   struct nv3_box box;
   unsigned at, layers;         /* its parts: the bytes before them, and how many */
};

struct nv3_later {
   struct nv3_later_draw draws[NV3_LATER_MAX];
   unsigned count;
   struct nv3_target *target;   /* that all are blended into */
};

/* Whether there may be another draw, into @target. */
bool
nv3_later_takes(const struct nv3_later *later, const struct nv3_target *target);

/*
 * What was drawn to the scratch, in its box, may be blended into @target later. If there
 * are more @layers than one they are to be drawn again, one by one. nv3_later_take() then
 * puts each aside. False: it can't be put off, and the scratch is as it was.
 */
bool
nv3_later_begin(struct nv3_context *ctx, struct nv3_target *target, unsigned *layers);
void
nv3_later_take(struct nv3_context *ctx);

/*
 * Whether something was put off where a triangle, @corners in sixteenths of a pixel, may
 * be drawn.
 */
bool
nv3_later_meets(const struct nv3_later *later, const int16_t corners[3][2]);

/* Submits, waits for and blends all that was put off. False: a batch was lost. */
bool
nv3_later_settle(struct nv3_context *ctx);

/* The same, when all of it has been submitted, and with it lost unless @ok. */
void
nv3_later_finish(struct nv3_context *ctx, bool ok);

#endif
