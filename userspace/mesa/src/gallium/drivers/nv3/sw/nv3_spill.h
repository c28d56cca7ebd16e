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
 * The spill buffer: rectangles of the intermediate target in system memory.
 * After the copy, the hardware can draw to the intermediate target again, so
 * the CPU does not wait.
 */
struct nv3_spill {
   struct nv3_bo *bo;  /* a line of NV3_NOT_DRAWN, then the rectangles */
   uint8_t *map;
   struct nv3_object *copy, *clear;
   unsigned cleared_size, size;  /* bytes of that line, and for rectangles */
   unsigned used;                /* bytes of the current rectangles */
};

/*
 * Allocates the buffer for rectangles of @intermediate. Returns false without
 * memory.
 */
bool
nv3_spill_prepare(struct nv3_context *ctx, struct nv3_spill *spill,
                  const struct nv3_target *intermediate);
void
nv3_spill_fini(struct nv3_spill *spill);

/* True if @box fits. It always fits into an empty buffer. */
bool
nv3_spill_has_room(const struct nv3_spill *spill, const struct nv3_box *box);

/*
 * Appends @box of the intermediate target to the buffer and clears it in the
 * target. Returns false without memory.
 */
bool
nv3_spill_copy(struct nv3_context *ctx, struct nv3_spill *spill,
               const struct nv3_target *intermediate,
               const struct nv3_box *box);

/* Clears @box of the intermediate target. Returns false without memory. */
bool
nv3_spill_clear(struct nv3_context *ctx, struct nv3_spill *spill,
                const struct nv3_target *intermediate,
                const struct nv3_box *box);

/* Returns the lines of @box at offset @at of the rectangles. */
struct nv3_sw_blend_lines
nv3_spill_lines(const struct nv3_spill *spill,
                const struct nv3_box *box,
                unsigned at);

#endif
