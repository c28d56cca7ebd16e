/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pixel operations for a block of 8 x 8 pixels or for a strip of it, which has two lines,
 * for one SIMD level. Included after pixel/lanes.h. Masks have bit y * 8 + x for the pixel
 * at x, y of the block or strip. Functions have an argument @vectors, PIX_VECTORS or
 * PIX_STRIP_VECTORS, which is constant where they are inlined.
 */
#include <stdbool.h>

#include "chip/le.h"
#include "pixel/pixops.h"

#define PIX_BLOCK       64
#define PIX_VECTORS     (PIX_BLOCK / LANES)
#define PIX_STRIP_VECTORS (NV3_PIXOPS_STRIP / LANES)

/* Values of all pixels of a block, as integers. */
typedef struct PixWords {
    uint32_t pixel[PIX_BLOCK];
} __attribute__((aligned(64))) PixWords;

/* ---- memory ------------------------------------------------------------ */

/*
 * False if no pixel of the block at @x, @y is in the surface's memory. @bytes: of a
 * pixel.
 */
LANES_INLINE bool pix_place(NV3PixopsPlace *p, const NV3PixopsSurface *s, unsigned bytes,
                            int32_t x, int32_t y)
{
    uint64_t offset, last;

    if (x < 0 || y < 0 || x >= s->width || y >= s->height) {
        return false;
    }
    p->columns = s->width - x < 8 ? s->width - x : 8;
    p->lines = s->height - y < 8 ? s->height - y : 8;
    offset = (uint64_t)y * s->pitch + (uint64_t)x * bytes;
    last = offset + (uint64_t)(p->lines - 1) * s->pitch + p->columns * bytes;
    while (p->lines && last > s->size) {
        p->lines--;
        last -= s->pitch;
    }
    p->base = s->base + offset;
    p->pitch = s->pitch;
    return p->lines;
}

/* The place of strip @n of the block at @p, which may have no lines. */
LANES_INLINE NV3PixopsPlace pix_strip_place(const NV3PixopsPlace *p, unsigned n)
{
    NV3PixopsPlace strip = *p;

    strip.base += (size_t)(2 * n) * p->pitch;
    strip.lines = p->lines <= 2 * n ? 0 : p->lines - 2 * n < 2 ? p->lines - 2 * n : 2;
    return strip;
}

/* Bits of the pixels that are in the surface. */
LANES_INLINE uint64_t pix_place_mask(const NV3PixopsPlace *p)
{
    uint64_t columns = (0xffu >> (8 - p->columns)) * 0x0101010101010101ull;

    return p->lines == 8 ? columns : columns & ((1ull << (8 * p->lines)) - 1);
}

/* Eight pixels of a line. The copies let the compiler use vectors. */
LANES_INLINE void pix_load_line(uint32_t *row, const uint8_t *line, unsigned bytes)
{
    uint16_t half[8];
    uint32_t word[8];

    if (bytes == 2) {
        memcpy(half, line, sizeof(half));
        for (unsigned x = 0; x < 8; x++) {
            row[x] = NV3_LE16(half[x]);
        }
    } else {
        memcpy(word, line, sizeof(word));
        for (unsigned x = 0; x < 8; x++) {
            row[x] = NV3_LE32(word[x]);
        }
    }
}

LANES_INLINE void pix_store_line(uint8_t *line, const uint32_t *row, unsigned bytes)
{
    uint16_t half[8];
    uint32_t word[8];

    if (bytes == 2) {
        for (unsigned x = 0; x < 8; x++) {
            half[x] = NV3_LE16((uint16_t)row[x]);
        }
        memcpy(line, half, sizeof(half));
    } else {
        for (unsigned x = 0; x < 8; x++) {
            word[x] = NV3_LE32(row[x]);
        }
        memcpy(line, word, sizeof(word));
    }
}

static LANES_TARGET void pix_load(PixWords *to, const NV3PixopsPlace *p, unsigned bytes)
{
    const uint8_t *line = p->base;

    for (unsigned y = 0; y < p->lines; y++, line += p->pitch) {
        uint32_t *row = &to->pixel[y * 8];

        if (p->columns == 8 && bytes == 2) {
            pix_load_line(row, line, 2);
        } else if (p->columns == 8) {
            pix_load_line(row, line, 4);
        } else {
            for (unsigned x = 0; x < p->columns; x++) {
                row[x] = bytes == 2 ? nv3_lduw(line + x * 2) : nv3_ldl(line + x * 4);
            }
        }
    }
}

/* Stores the pixels of @mask, and writes no others. */
static LANES_TARGET void pix_store(const PixWords *from, const NV3PixopsPlace *p,
                                   unsigned bytes, uint64_t mask)
{
    const uint32_t *row = from->pixel;
    uint8_t *line = p->base;

    for (; mask; line += p->pitch, mask >>= 8, row += 8) {
        unsigned bits = mask & 0xff;

        if (bits == 0xff && bytes == 2) {
            pix_store_line(line, row, 2);
        } else if (bits == 0xff) {
            pix_store_line(line, row, 4);
        } else {
            for (; bits; bits &= bits - 1) {
                unsigned x = __builtin_ctz(bits);

                if (bytes == 2) {
                    nv3_stw(line + x * 2, row[x]);
                } else {
                    nv3_stl(line + x * 4, row[x]);
                }
            }
        }
    }
}

/* ---- depth and stencil ------------------------------------------------- */

/* Where @a compares to @b as @func says; of numbers below 2^31. */
LANES_INLINE LaneI pix_compare(unsigned func, LaneI a, LaneI b)
{
    LaneI pass = { 0 };

    pass |= lane_all(func & 1) & (a < b);
    pass |= lane_all(func & 2) & (a == b);
    pass |= lane_all(func & 4) & (a > b);
    return pass;
}

LANES_INLINE LaneI pix_stencil_op(unsigned op, LaneI stored, unsigned ref)
{
    switch (op) {
    case NV3_PIXOPS_ZERO:
        return lane_isplat(0);
    case NV3_PIXOPS_REPLACE:
        return lane_isplat(ref);
    case NV3_PIXOPS_INCR:
        return stored - (stored < 255);
    case NV3_PIXOPS_DECR:
        return stored + (stored > 0);
    case NV3_PIXOPS_INVERT:
        return ~stored & 255;
    case NV3_PIXOPS_INCR_WRAP:
        return (stored + 1) & 255;
    case NV3_PIXOPS_DECR_WRAP:
        return (stored - 1) & 255;
    default:
        return stored;
    }
}

/* Bits of pixels as a vector's lanes; @i: the vector's number. */
LANES_INLINE LaneI pix_lanes(uint64_t mask, unsigned i)
{
    return lane_from_bits(mask >> (i * LANES) & ((1u << LANES) - 1));
}

LANES_INLINE uint64_t pix_bits(LaneI lanes, unsigned i)
{
    return (uint64_t)lane_bits(lanes) << (i * LANES);
}

/*
 * Depth test, without stencil: the mask of pixels that pass. @scale: of depth 1. @shift:
 * of depth in a word.
 */
LANES_INLINE uint64_t pix_depth_test(const NV3PixopsState *s, PixWords *words,
                                     const float *z, uint64_t mask, float scale,
                                     int max, unsigned shift, unsigned vectors)
{
    const unsigned func = s->depth_func;
    uint64_t pass = 0;

    for (unsigned i = 0; i < vectors; i++) {
        LaneI *word = (LaneI *)words->pixel + i;
        LaneI new = lane_imin(lane_to_int(lane_saturate(((const LaneF *)z)[i]) * scale),
                              lane_isplat(max));
        LaneI stored = (LaneI)((LaneU)*word >> shift);
        LaneI ok = pix_compare(func, new, stored) & pix_lanes(mask, i);

        pass |= pix_bits(ok, i);
        *word = lane_iselect(ok, new << shift | (*word & ((1 << shift) - 1)), *word);
    }
    return pass;
}

/* With stencil: depth 24 and stencil 8. @words: what is to be stored for @mask. */
static LANES_TARGET __attribute__((noinline))
uint64_t pix_stencil_test(const NV3PixopsState *s, bool front, PixWords *words,
                          const float *z, uint64_t mask, bool write_z,
                          unsigned vectors)
{
    const NV3PixopsStencil *st = &s->stencil[front ? 0 : 1];
    const int write = st->write_mask;
    uint64_t passed = 0;

    for (unsigned i = 0; i < vectors; i++) {
        LaneI *word = (LaneI *)words->pixel + i;
        LaneI new = lane_imin(lane_to_int(lane_saturate(((const LaneF *)z)[i]) *
                                          0x1p24f), lane_isplat(0xffffff));
        LaneI stored = (LaneI)((LaneU)*word >> 8), stencil = *word & 255;
        LaneI fits = pix_compare(st->func, lane_isplat(st->ref & st->mask),
                                 stencil & st->mask);
        LaneI near = pix_compare(s->depth_test ? s->depth_func : NV3_PIXOPS_ALWAYS,
                                 new, stored);
        LaneI pass = fits & near, lanes = pix_lanes(mask, i);
        LaneI changed = lane_iselect(fits,
            lane_iselect(near, pix_stencil_op(st->zpass, stencil, st->ref),
                         pix_stencil_op(st->zfail, stencil, st->ref)),
            pix_stencil_op(st->fail, stencil, st->ref));
        LaneI z_written = write_z ? lane_iselect(pass, new, stored) : stored;

        stencil = (stencil & ~write) | (changed & write);
        *word = lane_iselect(lanes, z_written << 8 | stencil, *word);
        passed |= pix_bits(pass & lanes, i);
    }
    return passed;
}

/*
 * Depth and stencil tests: the mask of pixels that pass. @mask: of pixels that are in the
 * surface. @store: also writes what the tests change; without it, no stencil test may be
 * on.
 */
LANES_INLINE uint64_t pix_zeta(const NV3PixopsState *s, bool front,
                               const NV3PixopsPlace *p, const float *z, uint64_t mask,
                               bool store, unsigned vectors)
{
    const unsigned bytes = nv3_pixops_zeta_bytes(s);
    const bool stencil = s->stencil_test && s->zeta_format == NV3_PIXOPS_Z24S8;
    const bool write_z = s->depth_test && s->depth_write;
    uint64_t pass, written;
    PixWords words;

    pix_load(&words, p, bytes);
    if (stencil) {
        pass = pix_stencil_test(s, front, &words, z, mask, write_z, vectors);
        written = mask;
    } else if (bytes == 2) {
        pass = written = pix_depth_test(s, &words, z, mask, 0x1p16f, 0xffff, 0, vectors);
    } else {
        pass = written = pix_depth_test(s, &words, z, mask, 0x1p24f, 0xffffff, 8,
                                        vectors);
    }
    if (store && (stencil || write_z) && written) {
        pix_store(&words, p, bytes, written);
    }
    return pass;
}

static LANES_TARGET uint64_t pix_zeta_block(const NV3PixopsState *s, bool front,
                                            const NV3PixopsPlace *p, const float *z,
                                            uint64_t mask, bool store)
{
    return pix_zeta(s, front, p, z, mask, store, PIX_VECTORS);
}

static LANES_TARGET unsigned pix_zeta_strip(const NV3PixopsState *s, bool front,
                                            const NV3PixopsPlace *p, const float *z,
                                            unsigned mask, bool store)
{
    return pix_zeta(s, front, p, z, mask, store, PIX_STRIP_VECTORS);
}

/* ---- alpha test and fog ------------------------------------------------ */

LANES_INLINE uint64_t pix_alpha_test(const NV3PixopsState *s, const float *alpha,
                                     uint64_t mask, unsigned vectors)
{
    uint64_t pass = 0;

    if (s->alpha_func == NV3_PIXOPS_ALWAYS) {
        return mask;
    }
    for (unsigned i = 0; i < vectors; i++) {
        LaneF a = lane_saturate(((const LaneF *)alpha)[i]);
        LaneI ok = { 0 };

        ok |= lane_all(s->alpha_func & 1) & (a < s->alpha_ref);
        ok |= lane_all(s->alpha_func & 2) & (a == s->alpha_ref);
        ok |= lane_all(s->alpha_func & 4) & (a > s->alpha_ref);
        pass |= pix_bits(ok, i);
    }
    return mask & pass;
}

/* ---- colour formats ---------------------------------------------------- */

/* Bits and places of red, green, blue and alpha. */
typedef struct PixFormat {
    uint8_t bytes;
    uint8_t bits[4], shift[4];
} PixFormat;

static const PixFormat pix_formats[] = {
    [NV3_PIXOPS_X1R5G5B5] = { 2, { 5, 5, 5, 0 }, { 10, 5, 0, 15 } },
    [NV3_PIXOPS_R5G6B5] = { 2, { 5, 6, 5, 0 }, { 11, 5, 0, 16 } },
    [NV3_PIXOPS_X8R8G8B8] = { 4, { 8, 8, 8, 0 }, { 16, 8, 0, 24 } },
    [NV3_PIXOPS_A8R8G8B8] = { 4, { 8, 8, 8, 8 }, { 16, 8, 0, 24 } },
};

/*
 * The order in which the pixels of a 4 x 4 square step up as a colour grows. In the magic
 * square, lines, columns and diagonals have the same sum.
 */
static const uint8_t pix_dither_bayer[4][4] = {
    { 0, 8, 2, 10 }, { 12, 4, 14, 6 }, { 3, 11, 1, 9 }, { 15, 7, 13, 5 },
};
static const uint8_t pix_dither_magic[4][4] = {
    { 0, 7, 9, 14 }, { 11, 12, 2, 5 }, { 6, 1, 15, 8 }, { 13, 10, 4, 3 },
};

LANES_INLINE LaneF pix_dither(unsigned mode, unsigned i)
{
    const uint8_t (*matrix)[4] = mode == NV3_PIXOPS_DITHER_MAGIC ? pix_dither_magic :
                                                                   pix_dither_bayer;
    LaneF d;

    if (mode == NV3_PIXOPS_DITHER_NONE) {
        return lane_splat(0.5f);
    }
    for (unsigned l = 0; l < LANES; l++) {
        unsigned pixel = i * LANES + l;

        d[l] = (matrix[pixel / 8 % 4][pixel % 4] * 2 + 1) * (1.0f / 32);
    }
    return d;
}

/*
 * Packs colours from 0 to 1 (others are clamped). @f and @line, the first line in a block,
 * are constant when inlined.
 */
LANES_INLINE void pix_pack_lines(const NV3PixopsState *s, const PixFormat *f,
                                 const float *const color[4], PixWords *to,
                                 unsigned vectors, unsigned line)
{
    const unsigned dither = f->bytes == 2 ? s->dither : NV3_PIXOPS_DITHER_NONE;

    for (unsigned i = 0; i < vectors; i++) {
        LaneF d = pix_dither(dither, line * 8 / LANES + i);
        LaneI word = { 0 };

        for (unsigned c = 0; c < 4; c++) {
            if (f->bits[c]) {
                const float max = (1 << f->bits[c]) - 1;
                LaneF v = lane_saturate(((const LaneF *)color[c])[i]);

                word |= lane_to_int(v * max + d) << f->shift[c];
            }
        }
        ((LaneI *)to->pixel)[i] = word;
    }
}

/* @odd: a strip with an odd number. The pattern of dithering repeats after two strips. */
LANES_INLINE void pix_pack_format(const NV3PixopsState *s, const PixFormat *f,
                                  const float *const color[4], PixWords *to,
                                  unsigned vectors, bool odd)
{
    if (f->bytes == 2 && odd) {
        pix_pack_lines(s, f, color, to, vectors, 2);
    } else {
        pix_pack_lines(s, f, color, to, vectors, 0);
    }
}

LANES_INLINE void pix_pack(const NV3PixopsState *s, const float *const color[4],
                           PixWords *to, unsigned vectors, bool odd)
{
    switch (s->color_format) {
    case NV3_PIXOPS_X1R5G5B5:
        pix_pack_format(s, &pix_formats[NV3_PIXOPS_X1R5G5B5], color, to, vectors, odd);
        break;
    case NV3_PIXOPS_R5G6B5:
        pix_pack_format(s, &pix_formats[NV3_PIXOPS_R5G6B5], color, to, vectors, odd);
        break;
    case NV3_PIXOPS_X8R8G8B8:
        pix_pack_format(s, &pix_formats[NV3_PIXOPS_X8R8G8B8], color, to, vectors, odd);
        break;
    default:
        pix_pack_format(s, &pix_formats[NV3_PIXOPS_A8R8G8B8], color, to, vectors, odd);
        break;
    }
}

/* ---- blending ---------------------------------------------------------- */

/* The colours of a vector of pixels: r, g, b, a. */
typedef struct PixColor {
    LaneF c[4];
} PixColor;

LANES_INLINE PixColor pix_unpack(const PixFormat *f, LaneI word)
{
    PixColor r;

    for (unsigned c = 0; c < 4; c++) {
        const int max = (1 << f->bits[c]) - 1;

        if (max) {
            r.c[c] = lane_to_float((LaneI)((LaneU)word >> f->shift[c]) & max) *
                     (1.0f / max);
        } else {
            r.c[c] = lane_splat(1);
        }
    }
    return r;
}

/* The factor of component @c. */
LANES_INLINE LaneF pix_factor(const NV3PixopsState *s, unsigned factor,
                              const PixColor *src, const PixColor *dst, unsigned c)
{
    switch (factor) {
    case NV3_PIXOPS_F_ZERO:
        return lane_splat(0);
    case NV3_PIXOPS_F_SRC_COLOR:
        return src->c[c];
    case NV3_PIXOPS_F_ONE_MINUS_SRC_COLOR:
        return 1.0f - src->c[c];
    case NV3_PIXOPS_F_SRC_ALPHA:
        return src->c[3];
    case NV3_PIXOPS_F_ONE_MINUS_SRC_ALPHA:
        return 1.0f - src->c[3];
    case NV3_PIXOPS_F_DST_ALPHA:
        return dst->c[3];
    case NV3_PIXOPS_F_ONE_MINUS_DST_ALPHA:
        return 1.0f - dst->c[3];
    case NV3_PIXOPS_F_DST_COLOR:
        return dst->c[c];
    case NV3_PIXOPS_F_ONE_MINUS_DST_COLOR:
        return 1.0f - dst->c[c];
    case NV3_PIXOPS_F_SRC_ALPHA_SATURATE:
        return c == 3 ? lane_splat(1) : lane_min(src->c[3], 1.0f - dst->c[3]);
    case NV3_PIXOPS_F_CONST_COLOR:
        return lane_splat(s->blend_color[c]);
    case NV3_PIXOPS_F_ONE_MINUS_CONST_COLOR:
        return lane_splat(1 - s->blend_color[c]);
    case NV3_PIXOPS_F_CONST_ALPHA:
        return lane_splat(s->blend_color[3]);
    case NV3_PIXOPS_F_ONE_MINUS_CONST_ALPHA:
        return lane_splat(1 - s->blend_color[3]);
    default:
        return lane_splat(1);
    }
}

LANES_INLINE LaneF pix_equation(unsigned equation, LaneF src, LaneF dst, LaneF src_factor,
                                LaneF dst_factor)
{
    switch (equation) {
    case NV3_PIXOPS_EQ_SUBTRACT:
        return src * src_factor - dst * dst_factor;
    case NV3_PIXOPS_EQ_REVERSE_SUBTRACT:
        return dst * dst_factor - src * src_factor;
    case NV3_PIXOPS_EQ_MIN:
        return lane_min(src, dst);
    case NV3_PIXOPS_EQ_MAX:
        return lane_max(src, dst);
    default:
        return src * src_factor + dst * dst_factor;
    }
}

/* @result: blended colours, for pix_pack(). @word: the destination. */
LANES_INLINE void pix_blend(const NV3PixopsState *s, const float *const color[4],
                            const PixWords *word, float result[4][PIX_BLOCK],
                            unsigned vectors)
{
    const PixFormat *f = &pix_formats[s->color_format];
    const unsigned sf = s->blend_src, df = s->blend_dst;
    const bool usual = sf == NV3_PIXOPS_F_SRC_ALPHA &&
                       df == NV3_PIXOPS_F_ONE_MINUS_SRC_ALPHA &&
                       s->blend_equation == NV3_PIXOPS_EQ_ADD;

    for (unsigned i = 0; i < vectors; i++) {
        PixColor dst = pix_unpack(f, ((const LaneI *)word->pixel)[i]), src;

        for (unsigned c = 0; c < 4; c++) {
            src.c[c] = lane_saturate(((const LaneF *)color[c])[i]);
        }
        for (unsigned c = 0; c < 3; c++) {
            LaneF r;

            if (usual) {
                r = src.c[c] * src.c[3] + dst.c[c] * (1.0f - src.c[3]);
            } else {
                r = pix_equation(s->blend_equation, src.c[c], dst.c[c],
                                 pix_factor(s, sf, &src, &dst, c),
                                 pix_factor(s, df, &src, &dst, c));
            }
            ((LaneF *)result[c])[i] = r;
        }
        ((LaneF *)result[3])[i] =
            pix_equation(s->blend_equation_alpha, src.c[3], dst.c[3],
                         pix_factor(s, s->blend_src_alpha, &src, &dst, 3),
                         pix_factor(s, s->blend_dst_alpha, &src, &dst, 3));
    }
}

/*
 * OpenGL numbers logic operations by truth table: bit 0 of @op is the result where both
 * are 1, bit 1 where only the source is, bit 2 where only the destination is.
 */
LANES_INLINE void pix_logic(unsigned op, PixWords *src, const PixWords *dst,
                            unsigned vectors)
{
    for (unsigned i = 0; i < vectors; i++) {
        LaneI s = ((LaneI *)src->pixel)[i], d = ((const LaneI *)dst->pixel)[i];
        LaneI r = { 0 };

        r |= lane_all(op & 1) & (s & d);
        r |= lane_all(op & 2) & (s & ~d);
        r |= lane_all(op & 4) & (~s & d);
        r |= lane_all(op & 8) & (~s & ~d);
        ((LaneI *)src->pixel)[i] = r;
    }
}

/* The bits of a pixel that the colour mask lets through; unused ones are written, too. */
LANES_INLINE uint32_t pix_write_bits(const PixFormat *f, unsigned color_mask)
{
    uint32_t kept = 0;

    for (unsigned c = 0; c < 4; c++) {
        if (!(color_mask & 1u << c)) {
            kept |= ((1u << f->bits[c]) - 1) << f->shift[c];
        }
    }
    return ~kept;
}

/* Where the block at @x, @y is in the colour surface; see pix_place(). */
LANES_INLINE bool pix_color_place(NV3PixopsPlace *p, const NV3PixopsState *s, int32_t x,
                                  int32_t y)
{
    return pix_place(p, &s->color, pix_formats[s->color_format].bytes, x, y);
}

/* Blends and stores colours of the pixels of @mask, all of which are at @p. */
LANES_INLINE void pix_color(const NV3PixopsState *s, const NV3PixopsPlace *p,
                            const float *const color[4], uint64_t mask, unsigned vectors,
                            bool odd)
{
    const PixFormat *f = &pix_formats[s->color_format];
    const uint32_t write = pix_write_bits(f, s->color_mask);
    const bool blend = s->blend && !s->logic;
    const bool logic = s->logic && s->logic_op != NV3_PIXOPS_LOGIC_COPY;
    PixWords new, old;

    if (blend || logic || write != UINT32_MAX) {
        pix_load(&old, p, f->bytes);
    }
    if (blend) {
        float result[4][PIX_BLOCK] __attribute__((aligned(64)));

        pix_blend(s, color, &old, result, vectors);
        pix_pack(s, (const float *const[4]) {
            result[0], result[1], result[2], result[3] }, &new, vectors, odd);
    } else {
        pix_pack(s, color, &new, vectors, odd);
    }
    if (logic) {
        pix_logic(s->logic_op, &new, &old, vectors);
    }
    if (write != UINT32_MAX) {
        for (unsigned i = 0; i < vectors * LANES; i++) {
            new.pixel[i] = (new.pixel[i] & write) | (old.pixel[i] & ~write);
        }
    }
    pix_store(&new, p, f->bytes, mask);
}

static LANES_TARGET void pix_color_block(const NV3PixopsState *s, const NV3PixopsPlace *p,
                                         const float *const color[4], uint64_t mask)
{
    pix_color(s, p, color, mask, PIX_VECTORS, false);
}

static LANES_TARGET void pix_color_strip(const NV3PixopsState *s, const NV3PixopsPlace *p,
                                         const float *const color[4], unsigned mask,
                                         bool odd)
{
    pix_color(s, p, color, mask, PIX_STRIP_VECTORS, odd);
}
