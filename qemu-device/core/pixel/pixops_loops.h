/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Executes pixel operations on a block of 8 x 8 pixels or a strip of four quads. Compiled
 * for one SIMD level. Included after pixel/lanes.h.
 *
 * Bit y * 8 + x of a mask represents pixel (x, y) of the block or strip. The argument
 * @vectors is the number of vectors: PIX_VECTORS for a block, or PIX_STRIP_VECTORS for
 * a strip. @vectors is a constant in all inlined functions.
 */
#include <stdbool.h>

#include "chip/le.h"
#include "pixel/pixops.h"

#define PIX_BLOCK       64
#define PIX_VECTORS     (PIX_BLOCK / LANES)
#define PIX_STRIP_VECTORS (NV3_PIXOPS_STRIP / LANES)

/* An integer for each pixel of a block or strip. */
typedef struct PixWords {
    uint32_t pixel[PIX_BLOCK];
} __attribute__((aligned(64))) PixWords;

/* A float for each pixel of a block or strip. */
typedef struct PixFloats {
    float pixel[PIX_BLOCK];
} __attribute__((aligned(64))) PixFloats;

/* The location of a block or a strip in a surface's memory. */
typedef struct PixPlace {
    const NV3PixopsPlace *block;    /* null for a strip */
    const NV3PixopsQuads *quads;
} PixPlace;

/* ---- memory ------------------------------------------------------------ */

/*
 * Computes the address and the size of the block at @x, @y. Clips the block to the
 * surface and to the surface's memory. Returns false if the clipped block is empty.
 * @bytes: size of a pixel.
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

/* Returns the mask of the block's pixels that are within the surface. */
LANES_INLINE uint64_t pix_place_mask(const NV3PixopsPlace *p)
{
    uint64_t columns = (0xffu >> (8 - p->columns)) * 0x0101010101010101ull;

    return p->lines == 8 ? columns : columns & ((1ull << (8 * p->lines)) - 1);
}

/* Eight pixels of a line, with 16 or 32 bits each. */
typedef uint16_t PixHalves __attribute__((vector_size(16)));
typedef uint32_t PixLine __attribute__((vector_size(32)));

/*
 * Converts pixels from the host's byte order to little endian, or from little endian to
 * the host's byte order.
 */
LANES_INLINE PixHalves pix_le_halves(PixHalves x)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    return x << 8 | x >> 8;
#else
    return x;
#endif
}

LANES_INLINE void pix_load_line(uint32_t *row, const uint8_t *line, unsigned bytes)
{
    uint32_t word[8];

    if (bytes == 2) {
        PixHalves half;
        PixLine whole;

        memcpy(&half, line, sizeof(half));
        whole = __builtin_convertvector(pix_le_halves(half), PixLine);
        memcpy(row, &whole, sizeof(whole));
    } else {
        memcpy(word, line, sizeof(word));
        for (unsigned x = 0; x < 8; x++) {
            row[x] = NV3_LE32(word[x]);
        }
    }
}

LANES_INLINE void pix_store_line(uint8_t *line, const uint32_t *row, unsigned bytes)
{
    uint32_t word[8];

    if (bytes == 2) {
        PixHalves half;
        PixLine whole;

        memcpy(&whole, row, sizeof(whole));
        half = pix_le_halves(__builtin_convertvector(whole, PixHalves));
        memcpy(line, &half, sizeof(half));
    } else {
        for (unsigned x = 0; x < 8; x++) {
            word[x] = NV3_LE32(row[x]);
        }
        memcpy(line, word, sizeof(word));
    }
}

#if LANES >= 8
/* Number of a block's lines that fit in one vector. */
#define PIX_LINES   (LANES / 8)

/* Loads PIX_LINES lines of a block. @bytes: size of a pixel. */
LANES_INLINE LaneI pix_load_lines(const uint8_t *line, uint32_t pitch, unsigned bytes)
{
#if LANES == 16
    if (bytes == 2) {
        return (LaneI)_mm512_cvtepu16_epi32(_mm256_inserti128_si256(
            _mm256_castsi128_si256(_mm_loadu_si128((const void *)line)),
            _mm_loadu_si128((const void *)(line + pitch)), 1));
    }
    return (LaneI)_mm512_inserti64x4(
        _mm512_castsi256_si512(_mm256_loadu_si256((const void *)line)),
        _mm256_loadu_si256((const void *)(line + pitch)), 1);
#else
    return bytes == 2 ?
        (LaneI)_mm256_cvtepu16_epi32(_mm_loadu_si128((const void *)line)) :
        (LaneI)_mm256_loadu_si256((const void *)line);
#endif
}
#endif

static LANES_TARGET void pix_load_block(PixWords *to, const NV3PixopsPlace *p,
                                        unsigned bytes)
{
    const uint8_t *line = p->base;

#if LANES >= 8
    if (p->columns == 8 && p->lines == 8) {
        LaneI *vector = (LaneI *)to->pixel;

        for (unsigned i = 0; i < PIX_VECTORS; i++, line += PIX_LINES * (size_t)p->pitch) {
            vector[i] = bytes == 2 ? pix_load_lines(line, p->pitch, 2) :
                                     pix_load_lines(line, p->pitch, 4);
        }
        return;
    }
#endif
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

/* Stores the pixels in @mask, without writing any other pixel. */
static LANES_TARGET void pix_store_block(const PixWords *from, const NV3PixopsPlace *p,
                                         unsigned bytes, uint64_t mask)
{
    const uint32_t *row = from->pixel;
    uint8_t *line = p->base;

    if (mask == UINT64_MAX) {
        for (unsigned y = 0; y < 8; y++, line += p->pitch) {
            if (bytes == 2) {
                pix_store_line(line, row + 8 * y, 2);
            } else {
                pix_store_line(line, row + 8 * y, 4);
            }
        }
        return;
    }
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

/*
 * Stores all pixels of each line that has at least one pixel in @mask. For the line's
 * other pixels, @from must therefore contain the values that the surface already has.
 */
static LANES_TARGET void pix_store_lines(const PixWords *from, const NV3PixopsPlace *p,
                                         unsigned bytes, uint64_t mask)
{
    const uint32_t *row = from->pixel;
    uint8_t *line = p->base;

    if (p->columns < 8) {
        pix_store_block(from, p, bytes, mask);
        return;
    }
    for (; mask; line += p->pitch, mask >>= 8, row += 8) {
        if (!(mask & 0xff)) {
            continue;
        }
        if (bytes == 2) {
            pix_store_line(line, row, 2);
        } else {
            pix_store_line(line, row, 4);
        }
    }
}

/*
 * Combines two 32-bit words into a 64-bit word. In memory, @left is at the lower address.
 */
LANES_INLINE uint64_t pix_pair(uint32_t left, uint32_t right)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    return (uint64_t)left << 32 | right;
#else
    return left | (uint64_t)right << 32;
#endif
}

typedef uint64_t PixPairs __attribute__((vector_size(4 * LANES)));

/*
 * Builds the vectors of a strip from the pairs of pixels in the upper and lower lines
 * of its quads. The vectors are built in registers, because a load of a vector from
 * memory would have to wait for the stores of its pairs.
 */
LANES_INLINE void pix_strip_vectors(LaneI to[PIX_STRIP_VECTORS],
                                    const uint64_t upper[NV3_PIXOPS_QUADS],
                                    const uint64_t lower[NV3_PIXOPS_QUADS])
{
#if LANES == 16
    to[0] = (LaneI)(PixPairs) { upper[0], upper[1], upper[2], upper[3],
                                lower[0], lower[1], lower[2], lower[3] };
#elif LANES == 8
    to[0] = (LaneI)(PixPairs) { upper[0], upper[1], upper[2], upper[3] };
    to[1] = (LaneI)(PixPairs) { lower[0], lower[1], lower[2], lower[3] };
#else
    to[0] = (LaneI)(PixPairs) { upper[0], upper[1] };
    to[1] = (LaneI)(PixPairs) { upper[2], upper[3] };
    to[2] = (LaneI)(PixPairs) { lower[0], lower[1] };
    to[3] = (LaneI)(PixPairs) { lower[2], lower[3] };
#endif
}

/* Loads two neighbouring pixels of a line. */
LANES_INLINE uint64_t pix_load_pair(const uint8_t *from, unsigned bytes)
{
    const uint32_t first = nv3_ldl(from);

    return bytes == 2 ? pix_pair(first & 0xffff, first >> 16) :
                        pix_pair(first, nv3_ldl(from + 4));
}

/* Stores each of two pixels if its bit is set in @mask (bit 0: the left pixel). */
LANES_INLINE void pix_store_pair(uint8_t *to, const uint32_t *from, unsigned bytes,
                                 unsigned mask)
{
    if (bytes == 2) {
        if (mask & 1) {
            nv3_stw(to, from[0]);
        }
        if (mask & 2) {
            nv3_stw(to + 2, from[1]);
        }
    } else {
        if (mask & 1) {
            nv3_stl(to, from[0]);
        }
        if (mask & 2) {
            nv3_stl(to + 4, from[1]);
        }
    }
}

LANES_INLINE void pix_load_quads(PixWords *to, const NV3PixopsQuads *q, unsigned bytes)
{
    uint64_t upper[NV3_PIXOPS_QUADS], lower[NV3_PIXOPS_QUADS];

    for (unsigned i = 0; i < NV3_PIXOPS_QUADS; i++) {
        upper[i] = pix_load_pair(q->base[i], bytes);
        lower[i] = pix_load_pair(q->base[i] + q->pitch, bytes);
    }
    pix_strip_vectors((LaneI *)to->pixel, upper, lower);
}

LANES_INLINE void pix_store_quads(const PixWords *from, const NV3PixopsQuads *q,
                                  unsigned bytes, unsigned mask)
{
    for (unsigned i = 0; i < NV3_PIXOPS_QUADS; i++) {
        pix_store_pair(q->base[i], &from->pixel[2 * i], bytes, mask >> 2 * i);
        pix_store_pair(q->base[i] + q->pitch, &from->pixel[8 + 2 * i], bytes,
                       mask >> (8 + 2 * i));
    }
}

LANES_INLINE void pix_load(PixWords *to, PixPlace p, unsigned bytes)
{
    if (p.block) {
        pix_load_block(to, p.block, bytes);
    } else if (bytes == 2) {
        pix_load_quads(to, p.quads, 2);
    } else {
        pix_load_quads(to, p.quads, 4);
    }
}

LANES_INLINE void pix_store(const PixWords *from, PixPlace p, unsigned bytes,
                            uint64_t mask)
{
    if (p.block) {
        pix_store_block(from, p.block, bytes, mask);
    } else if (bytes == 2) {
        pix_store_quads(from, p.quads, 2, mask);
    } else {
        pix_store_quads(from, p.quads, 4, mask);
    }
}

/* ---- depth and stencil ------------------------------------------------- */

/*
 * Returns all ones in the lanes in which the comparison @func of @a and @b is true, and
 * zero in all other lanes. Values must be below 2^31.
 */
LANES_INLINE LaneI pix_compare(unsigned func, LaneI a, LaneI b)
{
    LaneI pass = { 0 };

    /* The compiler removes this case unless @func is a constant. */
    if (__builtin_constant_p(func) && func == NV3_PIXOPS_LEQUAL) {
        return ~(a > b);
    }
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

/*
 * Returns all ones in the lanes of vector @i whose pixels are in @mask, and zero in all
 * other lanes.
 */
LANES_INLINE LaneI pix_lanes(uint64_t mask, unsigned i)
{
    return lane_from_bits(mask >> (i * LANES) & ((1u << LANES) - 1));
}

LANES_INLINE uint64_t pix_bits(LaneI lanes, unsigned i)
{
    return (uint64_t)lane_bits(lanes) << (i * LANES);
}

LANES_INLINE LaneF pix_limit_depth(const NV3PixopsState *s, LaneF z)
{
    return s->depth_clamp ? lane_min(lane_max(z, lane_splat(s->depth_min)),
                                     lane_splat(s->depth_max)) : lane_saturate(z);
}

/*
 * Executes the depth test, without a stencil test. Returns the mask of pixels that pass,
 * and replaces their depths in @words by the new depths. @scale: factor from a depth to a
 * stored value. @max: largest stored value. @shift: lowest bit of the depth in a word.
 */
LANES_INLINE uint64_t pix_depth_test(const NV3PixopsState *s, PixWords *words,
                                     const float *z, uint64_t mask, float scale,
                                     int max, unsigned shift, unsigned vectors)
{
    const unsigned func = s->depth_func;
    uint64_t pass = 0;

    for (unsigned i = 0; i < vectors; i++) {
        LaneI *word = (LaneI *)words->pixel + i;
        LaneF depth = pix_limit_depth(s, ((const LaneF *)z)[i]);
        LaneI new = lane_imin(lane_to_int(depth * scale), lane_isplat(max));
        LaneI stored = (LaneI)((LaneU)*word >> shift);
        LaneI ok = pix_compare(func, new, stored) & pix_lanes(mask, i);

        pass |= pix_bits(ok, i);
        *word = lane_iselect(ok, new << shift | (*word & ((1 << shift) - 1)), *word);
    }
    return pass;
}

/*
 * Executes the depth and stencil tests with 24 bits of depth and 8 bits of stencil.
 * @words contains the stored values, which the function replaces by the new values.
 */
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
        LaneF depth = pix_limit_depth(s, ((const LaneF *)z)[i]);
        LaneI new = lane_imin(lane_to_int(depth * 0x1p24f), lane_isplat(0xffffff));
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

/* Returns true if the depth and stencil tests can change stored values. */
LANES_INLINE bool pix_zeta_changes(const NV3PixopsState *s)
{
    return (s->stencil_test && s->zeta_format == NV3_PIXOPS_Z24S8) ||
           (s->depth_test && s->depth_write);
}

/*
 * Executes the depth and stencil tests on the stored values @words, and replaces these
 * values by the new values. Returns the mask of pixels that pass. Sets *@written to the
 * mask of pixels whose values may have changed.
 */
LANES_INLINE uint64_t pix_zeta_words(const NV3PixopsState *s, bool front, PixWords *words,
                                     const float *z, uint64_t mask, uint64_t *written,
                                     unsigned vectors)
{
    uint64_t pass;

    if (s->stencil_test && s->zeta_format == NV3_PIXOPS_Z24S8) {
        *written = mask;
        return pix_stencil_test(s, front, words, z, mask, s->depth_test && s->depth_write,
                                vectors);
    }
    if (nv3_pixops_zeta_bytes(s) == 2) {
        pass = pix_depth_test(s, words, z, mask, 0x1p16f, 0xffff, 0, vectors);
    } else {
        pass = pix_depth_test(s, words, z, mask, 0x1p24f, 0xffffff, 8, vectors);
    }
    *written = pass;
    return pass;
}

/*
 * Executes the depth and stencil tests. Returns the mask of pixels that pass. @mask: the
 * pixels to test, all within the surface. If @store is true, stores changed depth and
 * stencil values in the surface. If @store is false, the stencil test must be disabled.
 */
LANES_INLINE uint64_t pix_zeta(const NV3PixopsState *s, bool front,
                               PixPlace p, const float *z, uint64_t mask, bool store,
                               unsigned vectors)
{
    const unsigned bytes = nv3_pixops_zeta_bytes(s);
    uint64_t pass, written;
    PixWords words;

    pix_load(&words, p, bytes);
    pass = pix_zeta_words(s, front, &words, z, mask, &written, vectors);
    if (store && pix_zeta_changes(s) && written) {
        if (p.block) {
            pix_store_lines(&words, p.block, bytes, written);
        } else {
            pix_store(&words, p, bytes, written);
        }
    }
    return pass;
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

/*
 * Size of a pixel in bytes, and the number of bits and the lowest bit of each component
 * (r, g, b, a).
 */
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
 * The dither offset, in [0, 1], of the pixel with rank @n in a 4 x 4 square. As a
 * component increases, the pixels with higher ranks are rounded up first.
 */
#define PIX_STEP(n)     (((n) * 2 + 1) / 32.0f)

/*
 * Dither offsets of a block. pix_pack_format() scales a component to its integer range,
 * adds the offset and truncates the sum. In the magic square, the sums of all lines,
 * columns and diagonals are equal.
 */
static const PixFloats pix_dither[NV3_PIXOPS_DITHERS] = {
    [NV3_PIXOPS_DITHER_NONE] = { { [0 ... PIX_BLOCK - 1] = 0.5f } },
    [NV3_PIXOPS_DITHER_BAYER] = { {
        PIX_STEP(0), PIX_STEP(8), PIX_STEP(2), PIX_STEP(10),
        PIX_STEP(0), PIX_STEP(8), PIX_STEP(2), PIX_STEP(10),
        PIX_STEP(12), PIX_STEP(4), PIX_STEP(14), PIX_STEP(6),
        PIX_STEP(12), PIX_STEP(4), PIX_STEP(14), PIX_STEP(6),
        PIX_STEP(3), PIX_STEP(11), PIX_STEP(1), PIX_STEP(9),
        PIX_STEP(3), PIX_STEP(11), PIX_STEP(1), PIX_STEP(9),
        PIX_STEP(15), PIX_STEP(7), PIX_STEP(13), PIX_STEP(5),
        PIX_STEP(15), PIX_STEP(7), PIX_STEP(13), PIX_STEP(5),
        PIX_STEP(0), PIX_STEP(8), PIX_STEP(2), PIX_STEP(10),
        PIX_STEP(0), PIX_STEP(8), PIX_STEP(2), PIX_STEP(10),
        PIX_STEP(12), PIX_STEP(4), PIX_STEP(14), PIX_STEP(6),
        PIX_STEP(12), PIX_STEP(4), PIX_STEP(14), PIX_STEP(6),
        PIX_STEP(3), PIX_STEP(11), PIX_STEP(1), PIX_STEP(9),
        PIX_STEP(3), PIX_STEP(11), PIX_STEP(1), PIX_STEP(9),
        PIX_STEP(15), PIX_STEP(7), PIX_STEP(13), PIX_STEP(5),
        PIX_STEP(15), PIX_STEP(7), PIX_STEP(13), PIX_STEP(5),
    } },
    [NV3_PIXOPS_DITHER_MAGIC] = { {
        PIX_STEP(0), PIX_STEP(7), PIX_STEP(9), PIX_STEP(14),
        PIX_STEP(0), PIX_STEP(7), PIX_STEP(9), PIX_STEP(14),
        PIX_STEP(11), PIX_STEP(12), PIX_STEP(2), PIX_STEP(5),
        PIX_STEP(11), PIX_STEP(12), PIX_STEP(2), PIX_STEP(5),
        PIX_STEP(6), PIX_STEP(1), PIX_STEP(15), PIX_STEP(8),
        PIX_STEP(6), PIX_STEP(1), PIX_STEP(15), PIX_STEP(8),
        PIX_STEP(13), PIX_STEP(10), PIX_STEP(4), PIX_STEP(3),
        PIX_STEP(13), PIX_STEP(10), PIX_STEP(4), PIX_STEP(3),
        PIX_STEP(0), PIX_STEP(7), PIX_STEP(9), PIX_STEP(14),
        PIX_STEP(0), PIX_STEP(7), PIX_STEP(9), PIX_STEP(14),
        PIX_STEP(11), PIX_STEP(12), PIX_STEP(2), PIX_STEP(5),
        PIX_STEP(11), PIX_STEP(12), PIX_STEP(2), PIX_STEP(5),
        PIX_STEP(6), PIX_STEP(1), PIX_STEP(15), PIX_STEP(8),
        PIX_STEP(6), PIX_STEP(1), PIX_STEP(15), PIX_STEP(8),
        PIX_STEP(13), PIX_STEP(10), PIX_STEP(4), PIX_STEP(3),
        PIX_STEP(13), PIX_STEP(10), PIX_STEP(4), PIX_STEP(3),
    } },
};

/* Returns true if dithering is enabled and the colour format supports it. */
LANES_INLINE bool pix_dithers(const NV3PixopsState *s)
{
    return s->dither != NV3_PIXOPS_DITHER_NONE && pix_formats[s->color_format].bytes == 2;
}

/*
 * Computes the dither offsets of a strip. The offset for the first pixel of quad i is
 * element @pattern[i] of pix_dither[@mode].
 */
LANES_INLINE void pix_strip_dither(float to[NV3_PIXOPS_STRIP], unsigned mode,
                                   const uint8_t pattern[NV3_PIXOPS_QUADS])
{
    const float *from = pix_dither[mode].pixel;
    uint64_t upper[NV3_PIXOPS_QUADS], lower[NV3_PIXOPS_QUADS];

    for (unsigned i = 0; i < NV3_PIXOPS_QUADS; i++) {
        memcpy(&upper[i], from + pattern[i], sizeof(upper[i]));
        memcpy(&lower[i], from + pattern[i] + 8, sizeof(lower[i]));
    }
    pix_strip_vectors((LaneI *)to, upper, lower);
}

/*
 * Clamps colours to the range 0 to 1, and packs them in format @f. @f is constant after
 * inlining.
 */
LANES_INLINE void pix_pack_format(const PixFormat *f, const float *const color[4],
                                  const PixFloats *dither, PixWords *to,
                                  unsigned vectors)
{
    for (unsigned i = 0; i < vectors; i++) {
        LaneF d = ((const LaneF *)dither->pixel)[i];
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

#if LANES > 4
#if LANES == 16
#define PIX_V(op)       _mm512_##op
typedef __m512i PixVec;

LANES_INLINE PixVec pix_repeat(__m128i v)
{
    return _mm512_broadcast_i32x4(v);
}
#else
#define PIX_V(op)       _mm256_##op
typedef __m256i PixVec;

LANES_INLINE PixVec pix_repeat(__m128i v)
{
    return _mm256_broadcastsi128_si256(v);
}
#endif

/*
 * Packs the components r, g, b, a of a vector of pixels in a format with 8 bits per
 * component. The components are in units of 1/255, and must be below 2^31. The function
 * rounds them, and clamps them to the range 0 to 255. A NaN becomes 0. @alpha is false if
 * the format has no alpha.
 *
 * lane_round() converts NaNs and numbers below the range of an int32_t to INT32_MIN.
 */
LANES_INLINE LaneI pix_pack_vector(const LaneF color[4], bool alpha)
{
    const PixVec order = pix_repeat(_mm_setr_epi8(0, 8, 4, 12, 1, 9, 5, 13,
                                                  2, 10, 6, 14, 3, 11, 7, 15));
    const PixVec br = PIX_V(packs_epi32)((PixVec)lane_round(color[2]),
                                         (PixVec)lane_round(color[0]));
    const PixVec ga = PIX_V(packs_epi32)((PixVec)lane_round(color[1]), alpha ?
                                         (PixVec)lane_round(color[3]) : (PixVec) { 0 });

    return (LaneI)PIX_V(shuffle_epi8)(PIX_V(packus_epi16)(br, ga), order);
}
#else
LANES_INLINE LaneI pix_pack_vector(const LaneF color[4], bool alpha)
{
    LaneI word = { 0 };

    for (unsigned c = 0; c < (alpha ? 4 : 3); c++) {
        word |= lane_round(lane_min(lane_max(color[c], lane_splat(0)),
                                    lane_splat(255))) <<
                pix_formats[NV3_PIXOPS_A8R8G8B8].shift[c];
    }
    return word;
}
#endif

/* Packs vector @i of @color in a format with 8 bits per component. */
LANES_INLINE LaneI pix_pack_bytes(const float *const color[4], unsigned i, bool alpha)
{
    LaneF c[4];

    for (unsigned n = 0; n < 4; n++) {
        c[n] = lane_min(lane_splat(1), ((const LaneF *)color[n])[i]) * 255.0f;
    }
    return pix_pack_vector(c, alpha);
}

/* Like pix_pack_format() for formats with 8 bits per component. */
LANES_INLINE void pix_pack_words(const float *const color[4], bool alpha, PixWords *to,
                                 unsigned vectors)
{
    for (unsigned i = 0; i < vectors; i++) {
        ((LaneI *)to->pixel)[i] = pix_pack_bytes(color, i, alpha);
    }
}

LANES_INLINE void pix_pack(const NV3PixopsState *s, const float *const color[4],
                           const PixFloats *dither, PixWords *to, unsigned vectors)
{
    switch (s->color_format) {
    case NV3_PIXOPS_X1R5G5B5:
        pix_pack_format(&pix_formats[NV3_PIXOPS_X1R5G5B5], color, dither, to, vectors);
        break;
    case NV3_PIXOPS_R5G6B5:
        pix_pack_format(&pix_formats[NV3_PIXOPS_R5G6B5], color, dither, to, vectors);
        break;
    case NV3_PIXOPS_X8R8G8B8:
        pix_pack_words(color, false, to, vectors);
        break;
    default:
        pix_pack_words(color, true, to, vectors);
        break;
    }
}

#include "pixel/pixops_blend_loops.h"

/* ---- colours in memory --------------------------------------------------- */

/*
 * Returns the mask of a pixel's bits that are written: those of the components that
 * @color_mask enables, and all bits that the format does not use.
 */
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

/* Computes the address of the block at @x, @y in the colour surface, like pix_place(). */
LANES_INLINE bool pix_color_place(NV3PixopsPlace *p, const NV3PixopsState *s, int32_t x,
                                  int32_t y)
{
    return pix_place(p, &s->color, pix_formats[s->color_format].bytes, x, y);
}

/*
 * Computes the new pixels in the surface's format. @old: the pixels that the surface
 * contains. The function reads @old only if nv3_pixops_reads_color() returns true.
 */
LANES_INLINE void pix_color_words(const NV3PixopsState *s, const float *const color[4],
                                  const PixFloats *dither, const PixWords *old,
                                  PixWords *new, unsigned vectors)
{
    const PixFormat *f = &pix_formats[s->color_format];
    const uint32_t write = pix_write_bits(f, s->color_mask);

    if (!s->blend || s->logic) {
        pix_pack(s, color, dither, new, vectors);
    } else if (f->bytes == 4 && pix_is_over(s)) {
        pix_blend_over(s, color, old, new, vectors);
    } else {
        float result[4][PIX_BLOCK] __attribute__((aligned(64)));

        pix_blend(s, color, old, result, vectors);
        pix_pack(s, (const float *const[4]) {
            result[0], result[1], result[2], result[3] }, dither, new, vectors);
    }
    if (s->logic && s->logic_op != NV3_PIXOPS_LOGIC_COPY) {
        pix_logic(s->logic_op, new, old, vectors);
    }
    if (write != UINT32_MAX) {
        for (unsigned i = 0; i < vectors * LANES; i++) {
            new->pixel[i] = (new->pixel[i] & write) | (old->pixel[i] & ~write);
        }
    }
}

/*
 * Applies blending or the logic operation to the pixels in @mask, and stores them. All
 * these pixels must be within the surface.
 */
LANES_INLINE void pix_color(const NV3PixopsState *s, PixPlace p,
                            const float *const color[4], const PixFloats *dither,
                            uint64_t mask, unsigned vectors)
{
    const unsigned bytes = pix_formats[s->color_format].bytes;
    PixWords new, old;

    if (nv3_pixops_reads_color(s)) {
        pix_load(&old, p, bytes);
    }
    pix_color_words(s, color, dither, &old, &new, vectors);
    pix_store(&new, p, bytes, mask);
}
