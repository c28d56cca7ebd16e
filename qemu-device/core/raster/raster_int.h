/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Definitions that the set-up of triangles and the span loops share.
 *
 * An attribute is a plane over the pixels: value(x, y) = base + x * dx + y * dy. @base,
 * @dx and @dy are fixed-point integers, which wrap around on overflow. Stepping from
 * pixel to pixel is therefore exact, and drawing may start at any pixel.
 *
 * The span loops process a line in blocks of 16 pixels. Blocks begin at multiples of 16,
 * so that the value at a pixel does not depend on where drawing starts. The loops compute
 * the value at the block's first pixel, and truncate it to an integer. To this integer
 * they add a rounded offset for each pixel of the block.
 *
 * A triangle of at most 8 by 8 pixels is a single block, which starts at the triangle's
 * first column and line. For such a triangle, base, dx and dy are rounded to integers,
 * too. The resulting error is at most 8 units in the last place. The formats are:
 *
 *   z               30 bits: the chip's 24 bits, and 6 bits of fraction.
 *   m = 1 / w       Scaled so that the largest of the three vertices has 30 bits.
 *   u * m, v * m    Scaled by a common factor, so that the largest value has 30 bits.
 *   colours, fog    8.7, with the sign bit as a guard. Colours are stored as
 *                   255 - colour. A texel t is multiplied by a colour c as
 *                   t - t * (1 - c), which is exactly t if c is 1.
 *
 * Texture coordinates have 7 bits of fraction. The components of texels are widened to
 * 8.8. Components of 5 or 6 bits are only shifted left, as on NV3 (hwtest's
 * pgraph_expand_color). The lower bits of the result are 0. For components of 4 bits, the
 * bits are repeated instead, so that 15 becomes full intensity.
 */
#ifndef NV3_RASTER_RASTER_INT_H
#define NV3_RASTER_RASTER_INT_H

#include <float.h>
#include <string.h>

#include "chip/simd.h"
#include "chip/le.h"
#include "raster/types.h"
#include "nv3_class.h"

/*
 * Options in meson.build make the compiler round each result to the precision of its
 * type. Without these options, some compilers keep results at a higher precision, which
 * changes the picture.
 */
_Static_assert(FLT_EVAL_METHOD == 0, "floats are not rounded to their own precision");

#define NV3_RASTER_BLOCK        16
#define NV3_RASTER_SMALL        8
#define NV3_TEX_FRAC            7
#define NV3_TEX_ONE             (1 << NV3_TEX_FRAC)
#define NV3_TEX_LOG2_MAX        11
/*
 * Coordinates of vertices are signed 12.4 numbers, so the x coordinate of a pixel is at
 * most 2047.
 */
#define NV3_RASTER_MAX_X        2048

/*
 * Indices in the arrays of NV3RasterTri: first those of base, dx and dy, then those of
 * cbase, cdx and cdy.
 */
enum { NV3_ATTR_Z, NV3_ATTR_M, NV3_ATTR_U, NV3_ATTR_V };
enum { NV3_COL_R, NV3_COL_G, NV3_COL_B, NV3_COL_A, NV3_COL_FOG, NV3_COL_COUNT };

#define NV3_RASTER_F_COLOR      (1u << 0)   /* colours are written */
#define NV3_RASTER_F_ZETA       (1u << 1)   /* there is a depth buffer */
#define NV3_RASTER_F_ZWRITE     (1u << 2)   /* depth is written */
#define NV3_RASTER_F_EARLY_Z    (1u << 3)   /* no writes if the depth test fails */
#define NV3_RASTER_F_BILINEAR   (1u << 4)
#define NV3_RASTER_F_HALF       (1u << 5)   /* nearest: rounds, not floors */
#define NV3_RASTER_F_FMT_565    (1u << 6)
#define NV3_RASTER_F_FMT_4444   (1u << 7)
#define NV3_RASTER_F_KEY        (1u << 8)
#define NV3_RASTER_F_TEX_ALPHA  (1u << 9)   /* texels have alpha */
#define NV3_RASTER_F_VTX_ALPHA  (1u << 10)
#define NV3_RASTER_F_ALPHA      (1u << 11)  /* alpha may differ from 1 */
#define NV3_RASTER_F_ALPHA_TEST (1u << 12)
#define NV3_RASTER_F_ALPHA_WREN (1u << 13)  /* writing depends on alpha */
#define NV3_RASTER_F_BLEND      (1u << 14)  /* the pixel's old value matters */
#define NV3_RASTER_F_ADD        (1u << 15)
#define NV3_RASTER_F_BETA_DST   (1u << 16)  /* factor: the old colour */
#define NV3_RASTER_F_FOG        (1u << 17)
#define NV3_RASTER_F_INV_COLOR  (1u << 18)
#define NV3_RASTER_F_INV_ALPHA  (1u << 19)
#define NV3_RASTER_F_Z_PERSP    (1u << 20)
#define NV3_RASTER_F_DITHER     (1u << 21)
/*
 * Wrap modes. If neither bit of a direction (U or V) is set, the texture repeats in this
 * direction.
 */
#define NV3_RASTER_F_MIRROR_U   (1u << 22)
#define NV3_RASTER_F_CLAMP_U    (1u << 23)
#define NV3_RASTER_F_MIRROR_V   (1u << 24)
#define NV3_RASTER_F_CLAMP_V    (1u << 25)
#define NV3_RASTER_F_WRAP_MASK  (0xfu << 22)
#define NV3_RASTER_F_SMALL      (1u << 26)  /* at most 8 by 8 pixels */

/*
 * Dithering reduces a component of 8 bits to 5. Let s be the value of the component's low
 * three bits, and g be 1 for green and 0 for the other components. The component is
 * rounded up if bit s of nv3_raster_dither[g][y % 16][x % 16] is set.
 */
extern const uint8_t nv3_raster_dither[2][16][16];

/*
 * The bytes of nv3_raster_dither[] for a line. Each 16-bit element contains the bytes of
 * two channels: red and blue (@rb), or green and alpha (@ga). If dithering is disabled,
 * the loops use nv3_raster_dither_lines[0], in which only the bytes of alpha are not 0.
 * Alpha is always dithered.
 */
typedef struct NV3DitherLine {
    uint16_t rb[16];
    uint16_t ga[16 + NV3_RASTER_SMALL];     /* the first 8 are repeated */
} NV3DitherLine;

extern const NV3DitherLine nv3_raster_dither_lines[2][16];

/*
 * The pattern of nv3_raster_dither[] as four tables of 16 bytes. For red, blue and alpha,
 * the byte of a pixel is:
 *
 *   code = x[column % 16] ^ y[row % 16]
 *   byte = outcome[pattern[code >> 4] | (code & 7)]
 *
 * For green, bit 3 of the index into @outcome is inverted.
 */
typedef struct NV3DitherCells {
    uint8_t x[16], y[16], pattern[16], outcome[16];
} NV3DitherCells __attribute__((aligned(16)));

extern const NV3DitherCells nv3_raster_dither_cells;

/*
 * Constants of the AVX2 loops. nv3_constant32() returns a vector that has one of these
 * constants in all elements.
 */
#define NV3_SIMD_CONSTANTS(C) { \
    C(0x0000007f), C(0x00000080), C(0x00800080), C(0x001f001f), C(0x00ff00ff), \
    C(0x03e003e0), C(0x07e007e0), C(0x7c007c00), C(0xff00ff00), C(0x00080008), \
    C(0x1f1f1f1f), C(0x01010101), C(0x02020202), C(0x03030303), C(0x04040404), \
    C(0x05050505), C(0x06060606), C(0x07070707), \
}

extern const uint32_t nv3_simd_constants[][8]
    __attribute__((aligned(32), visibility("hidden")));

/* @x: the first pixel at or to the right of the edge on the current line. */
typedef struct NV3RasterEdge {
    int32_t x;
    int32_t rem;            /* remainder of the division by @den that results in @x */
    int32_t step, step_rem;
    int32_t den;
} NV3RasterEdge;

typedef struct NV3RasterWalk {
    NV3RasterEdge edge[2];  /* left, right */
    int32_t row, end;
    int32_t mid;            /* the line where the second short edge begins, or @end */
} NV3RasterWalk;

/*
 * Returns floor(@num / @den), and the remainder in @rem. @inv is approximately 1 / @den.
 * The error of @num * @inv is less than one, so one correction makes the quotient exact.
 * A division of 64-bit integers is several times slower.
 */
static inline int32_t nv3_floor_div(int64_t num, int32_t den, double inv,
                                    int32_t *rem)
{
    int32_t q = num * inv;
    int64_t r = num - (int64_t)q * den;

    if (r < 0) {
        q--;
        r += den;
    } else if (r >= den) {
        q++;
        r -= den;
    }
    *rem = r;
    return q;
}

static inline void nv3_edge_init(NV3RasterEdge *e, const NV3RasterTri *t,
                                 unsigned top, unsigned bottom, int32_t row)
{
    int32_t dx = t->x[bottom] - t->x[top];
    int32_t dy = t->y[bottom] - t->y[top];
    int64_t num = (int64_t)t->x[top] * dy +
                  (int64_t)(row * 16 - t->y[top]) * dx;
    double inv = 1.0 / dy;

    e->den = dy * 16;
    /*
     * Rounds up. A pixel exactly on a left edge is inside the triangle, and a pixel
     * exactly on a right edge is outside.
     */
    e->x = nv3_floor_div(num + e->den - 1, e->den, inv / 16, &e->rem);
    e->step = nv3_floor_div(dx, dy, inv, &e->step_rem);
    e->step_rem *= 16;
}

static inline void nv3_edge_step(NV3RasterEdge *e)
{
    int32_t over;

    e->rem += e->step_rem;
    over = e->rem >= e->den;
    e->rem -= over ? e->den : 0;
    e->x += e->step + over;
}

/*
 * Initializes @w to the triangle's first line in [@row, @end). Returns false if there is
 * no such line.
 */
static inline bool nv3_walk_init(NV3RasterWalk *w, const NV3RasterTri *t,
                                 int32_t row, int32_t end)
{
    unsigned side = t->long_left ? 1 : 0;   /* side of the short edges */

    w->row = row > t->row0 ? row : t->row0;
    w->end = end < t->row1 ? end : t->row1;
    if (w->row >= w->end) {
        return false;
    }
    nv3_edge_init(&w->edge[!side], t, 0, 2, w->row);
    if (w->row < t->row_mid) {
        nv3_edge_init(&w->edge[side], t, 0, 1, w->row);
        w->mid = t->row_mid;
    } else {
        nv3_edge_init(&w->edge[side], t, 1, 2, w->row);
        w->mid = w->end;
    }
    return true;
}

/* Advances to the next line. Returns false after the last line. */
static inline bool nv3_walk_next(NV3RasterWalk *w, const NV3RasterTri *t)
{
    if (++w->row >= w->end) {
        return false;
    }
    nv3_edge_step(&w->edge[0]);
    nv3_edge_step(&w->edge[1]);
    if (w->row == w->mid) {
        nv3_edge_init(&w->edge[t->long_left ? 1 : 0], t, 1, 2, w->row);
    }
    return true;
}

static inline uint8_t *nv3_raster_row(const NV3RasterSurface *s, int32_t row)
{
    return s->base ? s->base + (size_t)row * s->pitch : NULL;
}

/*
 * Returns the number of pixels of line @row, at most NV3_RASTER_MAX_X, that are within
 * all surfaces in use.
 */
static inline int32_t nv3_raster_row_pixels(const NV3RasterState *st,
                                            uint32_t flags, int32_t row)
{
    const NV3RasterSurface *const surf[2] = {
        flags & NV3_RASTER_F_COLOR ? &st->color : NULL,
        flags & NV3_RASTER_F_ZETA ? &st->zeta : NULL,
    };
    int32_t n = NV3_RASTER_MAX_X;

    if (row < st->mode.safe_rows) {
        return n;
    }
    for (unsigned i = 0; i < 2; i++) {
        size_t start, left;

        if (!surf[i]) {
            continue;
        }
        start = (size_t)row * surf[i]->pitch;
        left = start < surf[i]->size ? (surf[i]->size - start) / 2 : 0;
        n = left < (size_t)n ? (int32_t)left : n;
    }
    return n;
}

/*
 * Returns the rounded offset of an attribute for pixel @lane of a block, as described
 * above.
 */
static inline uint32_t nv3_block_offset32(int64_t dx, unsigned lane)
{
    uint32_t hi = (uint64_t)dx >> 32, lo = dx;

    return hi * lane + (((lo >> 4) * lane) >> 28);
}

static inline uint16_t nv3_block_offset16(int32_t dx, unsigned lane)
{
    uint32_t hi = (uint32_t)dx >> 16, lo = (uint32_t)dx & 0xffff;

    return hi * lane + ((lo * lane) >> 16);
}

/* nv3_raster_setup() for a SIMD level */
bool nv3_setup_any(const NV3RasterState *st, const NV3RasterVertex *v0,
                   const NV3RasterVertex *v1, const NV3RasterVertex *v2,
                   NV3RasterTri *t);
#ifdef NV3_HAVE_AVX2
bool nv3_setup_avx2(const NV3RasterState *st, const NV3RasterVertex *v0,
                    const NV3RasterVertex *v1, const NV3RasterVertex *v2,
                    NV3RasterTri *t);
#endif

uint32_t nv3_raster_draw_scalar(const NV3RasterState *st,
                                const NV3RasterTri *t, const NV3Rect *rect);
#ifdef NV3_HAVE_AVX2
uint32_t nv3_raster_draw_avx2(const NV3RasterState *st,
                              const NV3RasterTri *t, const NV3Rect *rect);
#endif
#ifdef NV3_HAVE_NEON
uint32_t nv3_raster_draw_neon(const NV3RasterState *st,
                              const NV3RasterTri *t, const NV3Rect *rect);
#endif

#endif
