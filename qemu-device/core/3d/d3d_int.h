/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Private interface of class 0x17: its state, and the functions that d3d.c (methods,
 * registers, drawing) and stream.c (streams of vertices) share.
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

/* Copies of all registers that affect how a triangle is drawn. */
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
 * A stream of consecutive vertices, valid while pgraph.stream is set. Its vertices change
 * registers only in nv3_d3d_end_stream().
 */
typedef struct D3dStream {
    /*
     * For each word of a vertex: the bit pattern of the largest float that the conversion
     * to fixed point accepts, and the factor of the conversion.
     */
    int32_t bound[NV3_D3D_VERTEX_WORDS];
    float scale[NV3_D3D_VERTEX_WORDS];
    uint32_t chid, subch, ctx;
    uint32_t valid;         /* mask of slots that contained a vertex before the stream */
    uint32_t placed;        /* mask of slots whose words are in @words */
    uint32_t known;         /* mask of slots whose converted vertices are in @vertex */
    uint32_t words[NV3_D3D_SLOTS][NV3_D3D_VERTEX_WORDS];
    NV3RasterVertex vertex[NV3_D3D_SLOTS];
    uint32_t mthd;          /* FOG_TRI of the last vertex */
    unsigned last;          /* slot of the last vertex */
    void (*draw)(NV3State *s, uint32_t tri, unsigned which);
} D3dStream;

typedef struct NV3D3d {
    D3dKey key;             /* registers that the following fields were computed from */
    NV3RasterState raster;
    unsigned color_count;
    NV3RasterSurface color[NV3_PGRAPH_SURFACES];
    NV3RasterSurface zeta;
    unsigned clip_count;
    NV3Rect clip[NV3_D3D_MAX_CLIP]; /* disjoint */
    NV3Rect bounds;         /* contains all rectangles of @clip */

    bool pooled;            /* triangles are queued for the threads of the raster pool */
    uint32_t share;         /* cost of a pixel in 256ths of a cost unit */

    NV3TextureCache textures;
    NV3State *chip;         /* for the rasterizer's texture callback */
    NV3Fault fault;         /* reason, if @faulted */
    bool faulted;
    bool pending;           /* the texture needs another slice */
    uint64_t epoch;         /* NV3Pgraph.epoch of the last vertex */
    /*
     * Bounds of the drawn pixels of @color and @zeta that have not been reported to the
     * host.
     */
    NV3Rect dirty;

    D3dStream stream;
} NV3D3d;

/* ---- conversion of floats to fixed point ---------------------------------- */

static inline uint32_t nv3_d3d_mantissa(uint32_t val)
{
    return (val & 0x7fffff) | 0x800000;
}

static inline int nv3_d3d_exponent(uint32_t val)
{
    return (int)(val >> 23 & 0xff) - 0x7f;
}

/*
 * Converts a float to 12.4, rounding towards zero. NaNs and values outside the range
 * become the largest 12.4 value, or the smallest if they are negative.
 */
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

/*
 * Converts a texture coordinate to texels in 12.4 format. 1.0 becomes the size of the
 * base level, 2^@log2.
 */
static inline uint16_t nv3_d3d_convert_uv(uint32_t val, unsigned log2)
{
    return nv3_d3d_fixed(val, nv3_d3d_exponent(val) + (int)log2);
}

/*
 * Converts a depth to 24 bits. 1.0 and larger values become all ones, and negative values
 * become 0. The register holds the result with all bits inverted. The function compares
 * the bit patterns of the floats as integers, so a positive NaN counts as larger than
 * 1.0.
 */
static inline uint32_t nv3_d3d_convert_z(uint32_t val)
{
    const uint32_t below_one = 0x3f7fffff;
    uint32_t bits = val >> 31 ? 0 : val < below_one ? val : below_one;
    float f;

    memcpy(&f, &bits, sizeof(f));
    return (int32_t)(f * 0x1p24f);
}

/* Returns log2 of the base level's width in texels, from TEX_FORMAT. */
static inline unsigned nv3_d3d_tex_log2(const NV3Pgraph *g)
{
    return g->misc32[0] >> 28;
}

/*
 * Returns true if the corners of triangle @t are in three different slots. @tri: low 24
 * bits of FOG_TRI.
 */
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
/* Stores all words of a vertex in the registers, without drawing. */
void nv3_d3d_latch(NV3State *s, const uint32_t words[NV3_D3D_VERTEX_WORDS]);
/* Reads the vertex of slot @i from the registers into @v. */
void nv3_d3d_get_vertex(const NV3Pgraph *g, unsigned i, NV3RasterVertex *v);
/*
 * Draws a triangle. There must be exactly one colour surface. Returns false, without
 * drawing, if the triangle is too large for one slice.
 */
bool nv3_d3d_draw(NV3State *s, NV3D3d *d, const NV3RasterVertex *const v[3]);
/*
 * Executes FOG_TRI and the seven methods after it. Returns true if the vertex was drawn
 * and a stream can start at the next vertex.
 */
bool nv3_d3d_vertex(NV3State *s, const uint32_t words[NV3_D3D_VERTEX_WORDS]);
/* Starts a job that draws the triangles of the current vertex, beginning with @t. */
void nv3_d3d_start_job(NV3State *s, NV3D3d *d, unsigned t);

/* stream.c: ends the stream and writes the effects of its vertices to the registers. */
void nv3_d3d_end_stream(NV3State *s);

#endif
