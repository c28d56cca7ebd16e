/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Inside class 0x17: what it keeps from triangle to triangle, and what d3d.c
 * (methods, registers, drawing) and stream.c (vertices in a row) ask of each
 * other.
 */
#ifndef NV3_3D_D3D_INT_H
#define NV3_3D_D3D_INT_H

#include <string.h>

#include "3d/d3d.h"
#include "3d/texture.h"
#include "graph/dmaobj.h"
#include "raster/threads.h"

#define NV3_D3D_MAX_CLIP    16
#define NV3_D3D_SLOTS       16

/* Every register that how a triangle is drawn depends on. */
typedef struct D3dKey {
    uint32_t dither;
    uint32_t ctx_switch;
    uint32_t class;
    uint32_t tex_format, tex_filter, fog_color, config, alpha;
    uint32_t surf_offset[NV3_PGRAPH_SURFACES];
    uint32_t surf_pitch[NV3_PGRAPH_SURFACES];
    uint32_t surf_config;
    uint32_t canvas_min, canvas_max;
    uint32_t uclip_min[2], uclip_max[2];
    uint32_t cliprect_min[2], cliprect_max[2], cliprect_ctrl;
} D3dKey;

/*
 * Vertices that came one after another with nothing between them, while
 * pgraph.stream is set: what they do to the registers is done when it ends, by
 * nv3_d3d_end_stream().
 */
typedef struct D3dStream {
    /* Of a vertex's words: the largest float, and what makes others fixed point. */
    int32_t bound[NV3_D3D_VERTEX_WORDS];
    float scale[NV3_D3D_VERTEX_WORDS];
    uint32_t chid, subch, ctx;
    uint32_t valid;         /* a bit for each slot: there is a vertex */
    uint32_t placed;        /* it came since the stream began: it is in @words */
    uint32_t known;         /* it is in @vertex */
    uint32_t words[NV3_D3D_SLOTS][NV3_D3D_VERTEX_WORDS];
    NV3RasterVertex vertex[NV3_D3D_SLOTS];
    uint32_t mthd;          /* the last one's FOG_TRI */
    unsigned last;          /* its slot */
    void (*draw)(NV3State *s, uint32_t tri, unsigned which);
} D3dStream;

typedef struct NV3D3d {
    D3dKey key;             /* what the rest was made from */
    NV3RasterState raster;
    unsigned color_count;
    NV3RasterSurface color[NV3_PGRAPH_SURFACES];
    NV3RasterSurface zeta;
    unsigned clip_count;
    NV3Rect clip[NV3_D3D_MAX_CLIP]; /* disjoint */
    NV3Rect bounds;         /* around all of them */

    bool pooled;            /* triangles go to the pool: the state allows it */
    uint32_t share;         /* of a slice's cost that a pixel has, of 256 */

    NV3TextureCache textures;
    NV3State *chip;         /* for the rasterizer's texture callback */
    NV3Fault fault;         /* why it failed */
    bool faulted;
    bool pending;           /* the texture takes another slice: to be drawn again */
    uint64_t epoch;         /* of the last vertex: NV3Pgraph.epoch then */
    /* Drawn to and not yet told to the host, of the surfaces above. */
    NV3Rect dirty;

    D3dStream stream;
} NV3D3d;

/* ---- floats to the chip's fixed point ------------------------------------- */

static inline uint32_t nv3_d3d_mantissa(uint32_t val)
{
    return (val & 0x7fffff) | 0x800000;
}

static inline int nv3_d3d_exponent(uint32_t val)
{
    return (int)(val >> 23 & 0xff) - 0x7f;
}

/* 12.4, towards zero; what is too large, NaN included, becomes the bound. */
static inline uint16_t nv3_d3d_fixed(uint32_t val, int exp)
{
    bool negative = val >> 31;
    uint32_t fixed;

    if (exp > 10) {
        return 0x7fff + negative;
    }
    if (exp < -4) {
        return 0;
    }
    fixed = nv3_d3d_mantissa(val) >> (19 - exp);
    return negative ? -fixed : fixed;
}

static inline uint16_t nv3_d3d_convert_xy(uint32_t val)
{
    return nv3_d3d_fixed(val, nv3_d3d_exponent(val));
}

/* Texture coordinates: 1.0 is the base level's size. */
static inline uint16_t nv3_d3d_convert_uv(uint32_t val, unsigned log2)
{
    return nv3_d3d_fixed(val, nv3_d3d_exponent(val) + (int)log2);
}

/*
 * 24 bits, 1.0 and more are all ones. The latch has them inverted. Of positive floats the
 * order is that of their bits, NaNs are the largest.
 */
static inline uint32_t nv3_d3d_convert_z(uint32_t val)
{
    const uint32_t below_one = 0x3f7fffff;
    uint32_t bits = val >> 31 ? 0 : val < below_one ? val : below_one;
    float f;

    memcpy(&f, &bits, sizeof(f));
    return (int32_t)(f * 0x1p24f);
}

/* The base level's size, as TEX_FORMAT has it now. */
static inline unsigned nv3_d3d_tex_log2(const NV3Pgraph *g)
{
    return g->misc32[0] >> 28;
}

/* A vertex's three words of indices: does triangle @t name three different ones? */
static inline bool nv3_d3d_is_triangle(uint32_t tri, unsigned t)
{
    unsigned a = tri >> (t * 12) & 0xf;
    unsigned b = tri >> (t * 12 + 4) & 0xf;
    unsigned c = tri >> (t * 12 + 8) & 0xf;

    return a != b && b != c && a != c;
}

static inline unsigned nv3_d3d_corner(uint32_t tri, unsigned t, unsigned i)
{
    return tri >> (t * 12 + i * 4) & 0xf;
}

/* d3d.c */
/* All of a vertex's words into the registers, without drawing. */
void nv3_d3d_latch(NV3State *s, const uint32_t words[NV3_D3D_VERTEX_WORDS]);
/* Slot @i as the registers have it. */
void nv3_d3d_get_vertex(const NV3Pgraph *g, unsigned i, NV3RasterVertex *v);
/* A triangle on the one surface. False, and nothing is drawn: too large at once. */
bool nv3_d3d_draw(NV3State *s, NV3D3d *d, const NV3RasterVertex *const v[3]);
/*
 * FOG_TRI and the methods after it. True when it was drawn, and others might be drawn as
 * it was.
 */
bool nv3_d3d_vertex(NV3State *s, const uint32_t words[NV3_D3D_VERTEX_WORDS]);
/* Draws the registers' vertex in slices, from triangle @t on. */
void nv3_d3d_start_job(NV3State *s, NV3D3d *d, unsigned t);

/* stream.c: writes the registers of the stream that is open. */
void nv3_d3d_end_stream(NV3State *s);

#endif
