/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * PGRAPH for unit tests: methods go straight to it, without PFIFO.
 *
 * graph_setup() makes a chip whose PGRAPH takes methods from channel GRAPH_CHID,
 * checks data, loads options and DMA objects, and has every interrupt enabled;
 * surface 0 is 256 x 128, X1R5G5B5, at GRAPH_SURF(0), the canvases match it.
 */
#ifndef NV3_TEST_GRAPH_H
#define NV3_TEST_GRAPH_H

#include "host.h"

#include "core.h"

#define GRAPH_CHID      5
#define GRAPH_WIDTH     256
#define GRAPH_HEIGHT    128
#define GRAPH_PITCH     1024        /* room for 32 bits a pixel */
#define GRAPH_SURF(i)   (0x100000u + (i) * 0x40000u)

/* RAMIN bytes of the objects that graph_bind() makes, one a subchannel. */
#define GRAPH_OBJECT(subch)     (0xc000u + (subch) * 0x100u)
/* Options of an object that copies its source to surface 0. */
#define GRAPH_COPY  (NV3_GROBJ_OP_SRCCOPY << NV3_GROBJ_OP_SHIFT | \
                     1u << NV3_GROBJ_DST_SHIFT)

typedef struct Graph {
    Host *host;
    NV3State *s;
    uint32_t ctx[8];        /* what PFIFO would give with each method */
} Graph;

int graph_setup(void **state);
int graph_teardown(void **state);
Graph *graph_new_config(const NV3Config *config);
void graph_free(Graph *g);

/* An object of @class on @subch: words of its structure, then method 0. */
typedef struct GraphObject {
    unsigned class;
    uint32_t options;
    uint32_t dma;           /* instance numbers: RAMIN byte / 16 */
    uint32_t notify;
    uint32_t m2mf;
} GraphObject;

void graph_bind(Graph *g, unsigned subch, GraphObject object);
/* Only writes the structure. */
void graph_object(Graph *g, unsigned subch, GraphObject object);
/* One method, and what it left to do; false when PGRAPH did not take it. */
bool graph_try(Graph *g, unsigned subch, uint32_t mthd, uint32_t data);
/* A method that must be taken and raise nothing. */
void graph_mthd(Graph *g, unsigned subch, uint32_t mthd, uint32_t data);
/* Clears every interrupt and sets PGRAPH going again. */
void graph_resume(Graph *g);

/* The format of surfaces 0 to 3, bits as SURF_CONFIG. */
void graph_formats(Graph *g, unsigned format);
uint32_t graph_pixel(Graph *g, unsigned surf, unsigned x, unsigned y,
                     unsigned cpp);
void graph_set_pixel(Graph *g, unsigned surf, unsigned x, unsigned y,
                     unsigned cpp, uint32_t val);
/* Fails the test unless exactly the pixels of [x0, x1) x [y0, y1) are @val. */
void graph_assert_only(Graph *g, NV3Rect r, unsigned cpp, uint32_t val,
                       uint32_t elsewhere);

static inline uint32_t graph_xy(int x, int y)
{
    return (uint32_t)y << 16 | (x & 0xffff);
}

/* A generator for tests with many values: the same ones each time. */
static inline uint32_t graph_rand(uint32_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 17;
    *seed ^= *seed << 5;
    return *seed;
}

#endif
