/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Costs of the engine's work, which limit the length of a slice. */
#ifndef NV3_CHIP_COST_H
#define NV3_CHIP_COST_H

#include "chip/chip.h"

/*
 * The cost at which a slice, one call of nv3_run(), ends. Costs are roughly nanoseconds
 * on a CPU with AVX2. Every step that takes time has a cost, even a line that has one
 * pixel or is outside the clip. The cost of a slice is therefore at most a small multiple
 * of this value, whatever the guest draws. The unit test "slices" verifies this limit.
 */
#define NV3_SLICE_COST      (128u << 10)

/* The cost of setting up a method that draws. */
#define NV3_COST_DRAW       256
/* The cost of one line of pixels on one surface. */
#define NV3_COST_LINE       8
/* The cost of one pixel on one surface, if pixels are computed individually. */
#define NV3_COST_PIXEL      24
/*
 * The cost of a transfer through a DMA object: the lookup of the first page and the bus
 * access.
 */
#define NV3_COST_DMA        512
/* The cost of one byte, if a transfer writes bytes with a stride. */
#define NV3_COST_DMA_BYTE   128
/* The cost of reading a page table entry. */
#define NV3_COST_PAGE       16

/* Returns the cost of copying or filling a block of @bytes bytes. */
static inline uint64_t nv3_cost_bytes(uint64_t bytes)
{
    return bytes / 8;
}

/* Adds @cost to the cost of the current slice. */
static inline void nv3_account(NV3State *s, uint64_t cost)
{
    s->cost += cost;
}

static inline bool nv3_slice_over(const NV3State *s)
{
    return s->cost >= NV3_SLICE_COST;
}

/* Returns the cost that remains in the slice, or 0 if the slice is over. */
static inline uint64_t nv3_slice_left(const NV3State *s)
{
    return nv3_slice_over(s) ? 0 : NV3_SLICE_COST - s->cost;
}

/*
 * Kinds of work steps. Unit tests count the steps of each slice, to check that the work
 * of a slice is limited.
 */
typedef enum NV3Step {
    NV3_STEP_METHOD,        /* accepted by PGRAPH */
    NV3_STEP_SETUP,         /* nv3_rop_init() */
    NV3_STEP_LINE,          /* nv3_surface_line() */
    NV3_STEP_PIXEL,         /* a pixel computed individually */
    NV3_STEP_BYTE,          /* a byte of a block that is copied or filled */
    NV3_STEP_LOOKUP,        /* a word of RAMIN */
    NV3_STEP_BUS,           /* a bus master access */
    NV3_STEP_TRIANGLE,      /* class 0x17: set up */
    NV3_STEP_TRIANGLE_LINE, /* a line of a triangle's bounds */
    NV3_STEP_TRIANGLE_PIXEL,    /* a pixel of a triangle's bounds */
    NV3_STEP_TEXEL,         /* compared or decoded */
    NV3_STEP_PICTURE_LINE,  /* a line of the picture on the screen */
    NV3_STEP_VERTEX,        /* class 0x1F: transformed */
    NV3_STEP_BLOCK,         /* class 0x1F: a shaded block of 8 x 8 pixels */
    NV3_STEP_COUNT,
} NV3Step;

#ifdef NV3_COUNT_STEPS
extern uint64_t nv3_steps[NV3_STEP_COUNT];
#define nv3_step(kind, count) ((void)(nv3_steps[NV3_STEP_##kind] += (count)))
#else
#define nv3_step(kind, count) ((void)0)
#endif

#endif
