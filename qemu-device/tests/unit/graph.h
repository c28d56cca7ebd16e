/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Declares functions for unit tests that submit methods to PGRAPH directly, without
 * PFIFO. The fixture graph_setup() creates a chip whose PGRAPH accepts methods of channel
 * GRAPH_CHID, with data checks and all interrupts enabled. Surface 0 has 256 x 128 pixels
 * of X1R5G5B5 at GRAPH_SURF(0). The canvases also have 256 x 128 pixels.
 */
#ifndef NV3_TEST_GRAPH_H
#define NV3_TEST_GRAPH_H

#include "host.h"

#include "core.h"

#define GRAPH_CHID      5
#define GRAPH_WIDTH     256
#define GRAPH_HEIGHT    128
#define GRAPH_PITCH     1024        /* enough for 32 bits per pixel */
#define GRAPH_SURF(i)   (0x100000u + (i) * 0x40000u)

/* RAMIN address of the object that graph_bind() creates for subchannel @subch. */
#define GRAPH_OBJECT(subch)     (0xc000u + (subch) * 0x100u)
/* Options of an object that copies its source to surface 0. */
#define GRAPH_COPY  (NV3_GROBJ_OP_SRCCOPY << NV3_GROBJ_OP_SHIFT | \
                     1u << NV3_GROBJ_DST_SHIFT)

typedef struct Graph {
    Host *host;
    NV3State *s;
    uint32_t ctx[8];        /* context words of the subchannels */
} Graph;

int graph_setup(void **state);
int graph_teardown(void **state);
Graph *graph_new_config(const NV3Config *config);
void graph_free(Graph *g);

/* Describes an object that graph_bind() or graph_object() creates in RAMIN. */
typedef struct GraphObject {
    unsigned class;
    uint32_t options;
    uint32_t dma;           /* instance numbers: byte offsets in RAMIN / 16 */
    uint32_t notify;
    uint32_t m2mf;
} GraphObject;

/* Creates an object in RAMIN and binds it to @subch by method 0. */
void graph_bind(Graph *g, unsigned subch, GraphObject object);
/* Creates an object in RAMIN without binding it. */
void graph_object(Graph *g, unsigned subch, GraphObject object);
/* Executes a method completely. Returns false if PGRAPH refuses the method. */
bool graph_try(Graph *g, unsigned subch, uint32_t mthd, uint32_t data);
/* Executes a method. Fails if PGRAPH refuses the method or reports an error. */
void graph_mthd(Graph *g, unsigned subch, uint32_t mthd, uint32_t data);
/* Acknowledges all interrupts and restarts PGRAPH. */
void graph_resume(Graph *g);

/* Sets the format of surfaces 0 to 3 to @format (NV3_SURF_*). */
void graph_formats(Graph *g, unsigned format);
uint32_t graph_pixel(Graph *g, unsigned surf, unsigned x, unsigned y,
                     unsigned cpp);
void graph_set_pixel(Graph *g, unsigned surf, unsigned x, unsigned y,
                     unsigned cpp, uint32_t val);
/*
 * Fails unless all pixels of surface 0 in @r equal @val, and all other pixels of this
 * surface equal @elsewhere.
 */
void graph_assert_only(Graph *g, NV3Rect r, unsigned cpp, uint32_t val,
                       uint32_t elsewhere);

static inline uint32_t graph_xy(int x, int y)
{
    return (uint32_t)y << 16 | (x & 0xffff);
}

/* Returns a pseudo-random number. The sequence is the same in each run. */
static inline uint32_t graph_rand(uint32_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 17;
    *seed ^= *seed << 5;
    return *seed;
}

#endif
