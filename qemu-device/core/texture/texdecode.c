/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decodes texels. A colour component with fewer than 8 bits is extended by repeating its
 * upper bits, as OpenGL requires. DXT formats follow OpenGL's
 * EXT_texture_compression_s3tc.
 */
#include <string.h>

#include "texture/texdecode.h"
#include "texture/texunit_int.h"

/* Reads @count bytes. Bytes outside the image's memory read as 0. */
static uint64_t read_bytes(const NV3TexImage *image, uint64_t offset, unsigned count)
{
    uint64_t value = 0;

    for (unsigned i = 0; i < count; i++) {
        if (offset + i < image->size) {
            value |= (uint64_t)image->base[offset + i] << (8 * i);
        }
    }
    return value;
}

static uint32_t pack(unsigned r, unsigned g, unsigned b, unsigned a)
{
    return a << 24 | r << 16 | g << 8 | b;
}

static unsigned expand4(unsigned v)
{
    return (v & 15) * 17;
}

static unsigned expand5(unsigned v)
{
    v &= 31;
    return v << 3 | v >> 2;
}

static unsigned expand6(unsigned v)
{
    v &= 63;
    return v << 2 | v >> 4;
}

static uint32_t float_bits(float f)
{
    uint32_t bits;

    memcpy(&bits, &f, sizeof(bits));
    return bits;
}

/*
 * Converts a colour of an uncompressed format to A8R8G8B8, or a depth to the bits of a
 * float.
 */
static inline uint32_t decode_texel(unsigned format, uint32_t v)
{
    switch (format) {
    case NV3_TEX_A8R8G8B8:
        return v;
    case NV3_TEX_X8R8G8B8:
        return v | 0xff000000;
    case NV3_TEX_R5G6B5:
        return pack(expand5(v >> 11), expand6(v >> 5), expand5(v), 255);
    case NV3_TEX_A1R5G5B5:
        return pack(expand5(v >> 10), expand5(v >> 5), expand5(v), v >> 15 & 1 ? 255 : 0);
    case NV3_TEX_A4R4G4B4:
        return pack(expand4(v >> 8), expand4(v >> 4), expand4(v), expand4(v >> 12));
    case NV3_TEX_L8:
        return pack(v, v, v, 255);
    case NV3_TEX_A8:
        return pack(0, 0, 0, v);
    case NV3_TEX_A8L8:
        return pack(v & 255, v & 255, v & 255, v >> 8);
    case NV3_TEX_I8:
        return pack(v, v, v, v);
    case NV3_TEX_Z16:
        return float_bits(v * (1.0f / 65535));
    default:
        return float_bits((v >> 8) * (1.0f / 16777215));
    }
}

static unsigned texel_bytes(unsigned format)
{
    switch (format) {
    case NV3_TEX_A8R8G8B8:
    case NV3_TEX_X8R8G8B8:
    case NV3_TEX_Z24S8:
        return 4;
    case NV3_TEX_L8:
    case NV3_TEX_A8:
    case NV3_TEX_I8:
        return 1;
    default:
        return 2;
    }
}

static bool is_compressed(unsigned format)
{
    return format == NV3_TEX_DXT1 || format == NV3_TEX_DXT3 || format == NV3_TEX_DXT5;
}

/* Returns (2 * @a + @b) / 3 for red, green and blue. Alpha is 255. */
static uint32_t third(uint32_t a, uint32_t b)
{
    uint32_t r = 0xff000000;

    for (unsigned shift = 0; shift < 24; shift += 8) {
        r |= (2 * (a >> shift & 255) + (b >> shift & 255)) / 3 << shift;
    }
    return r;
}

static uint32_t half(uint32_t a, uint32_t b)
{
    uint32_t r = 0xff000000;

    for (unsigned shift = 0; shift < 24; shift += 8) {
        r |= ((a >> shift & 255) + (b >> shift & 255)) / 2 << shift;
    }
    return r;
}

/*
 * Decodes the colours of a DXT block. The block consists of two colours of 16 bits,
 * followed by 2 bits for each texel. @four: even if the first colour is not the greater
 * one, the texels select from four opaque colours.
 */
static void decode_colors(uint32_t texel[16], uint64_t block, bool four)
{
    unsigned c0 = block & 0xffff, c1 = block >> 16 & 0xffff;
    uint32_t color[4];

    color[0] = decode_texel(NV3_TEX_R5G6B5, c0);
    color[1] = decode_texel(NV3_TEX_R5G6B5, c1);
    if (four || c0 > c1) {
        color[2] = third(color[0], color[1]);
        color[3] = third(color[1], color[0]);
    } else {
        color[2] = half(color[0], color[1]);
        color[3] = 0;
    }
    for (unsigned i = 0; i < 16; i++) {
        texel[i] = color[block >> (32 + 2 * i) & 3];
    }
}

/*
 * Returns the alpha of texel @i of a DXT5 block. The alpha part of the block consists of
 * two values of 8 bits, followed by 3 bits for each texel.
 */
static unsigned alpha5(uint64_t block, unsigned i)
{
    unsigned a0 = block & 255, a1 = block >> 8 & 255, code = block >> (16 + 3 * i) & 7;

    if (code < 2) {
        return code ? a1 : a0;
    }
    if (a0 > a1) {
        return ((8 - code) * a0 + (code - 1) * a1) / 7;
    }
    return code == 6 ? 0 : code == 7 ? 255 :
           ((6 - code) * a0 + (code - 1) * a1) / 5;
}

/* Decodes the 16 texels of the block at @offset. */
static void decode_block(uint32_t texel[16], const NV3TexImage *image, uint64_t offset)
{
    uint64_t alpha;

    if (image->format == NV3_TEX_DXT1) {
        decode_colors(texel, read_bytes(image, offset, 8), false);
        return;
    }
    alpha = read_bytes(image, offset, 8);
    decode_colors(texel, read_bytes(image, offset + 8, 8), true);
    for (unsigned i = 0; i < 16; i++) {
        unsigned a = image->format == NV3_TEX_DXT3 ? expand4(alpha >> (4 * i)) :
                     alpha5(alpha, i);

        texel[i] = (texel[i] & 0xffffff) | a << 24;
    }
}

static uint64_t block_offset(const NV3TexImage *image, unsigned l, unsigned x, unsigned y,
                             unsigned z)
{
    const NV3TexLevel *level = &image->level[l];

    return level->offset + (uint64_t)z * level->slice + (uint64_t)(y / 4) * level->pitch +
           x / 4 * (image->format == NV3_TEX_DXT1 ? 8 : 16);
}

uint32_t nv3_tex_decode_one(const NV3TexImage *image, unsigned l, unsigned x, unsigned y,
                            unsigned z)
{
    const NV3TexLevel *level = &image->level[l];
    const unsigned bytes = texel_bytes(image->format);

    if (is_compressed(image->format)) {
        uint32_t texel[16];

        decode_block(texel, image, block_offset(image, l, x, y, z));
        return texel[y % 4 * 4 + x % 4];
    }
    return decode_texel(image->format,
        read_bytes(image, level->offset + (uint64_t)z * level->slice +
                   (uint64_t)y * level->pitch + x * bytes, bytes));
}

static void decode_blocks(uint32_t *to, int32_t pitch, const NV3TexImage *image,
                          unsigned l, unsigned z, unsigned w, unsigned first,
                          unsigned h)
{
    for (unsigned y = first; y < h; y += 4) {
        for (unsigned x = 0; x < w; x += 4) {
            uint32_t texel[16];

            decode_block(texel, image, block_offset(image, l, x, y, z));
            for (unsigned i = 0; i < 16; i++) {
                if (x + i % 4 < w && y + i / 4 < h) {
                    to[(size_t)(y + i / 4) * pitch + x + i % 4] =
                        texel[i] ^ NV3_TEX_BIAS;
                }
            }
        }
    }
}

/*
 * Decodes a line that is completely within the image's memory. @format is a constant
 * after inlining.
 */
static inline __attribute__((always_inline))
void decode_line(uint32_t *to, const uint8_t *from, unsigned w, unsigned format)
{
    const unsigned bytes = texel_bytes(format);
    const uint32_t bias = format == NV3_TEX_Z16 || format == NV3_TEX_Z24S8 ?
                          0 : NV3_TEX_BIAS;

    for (unsigned x = 0; x < w; x++) {
        uint32_t v = from[x * bytes];

        if (bytes > 1) {
            v |= from[x * bytes + 1] << 8;
        }
        if (bytes > 2) {
            v |= from[x * bytes + 2] << 16 | (uint32_t)from[x * bytes + 3] << 24;
        }
        to[x] = decode_texel(format, v) ^ bias;
    }
}

static void decode_whole_line(uint32_t *to, const uint8_t *from, unsigned w,
                              unsigned format)
{
    switch (format) {
#define LINE(f) case f: return decode_line(to, from, w, f)
    LINE(NV3_TEX_A8R8G8B8);
    LINE(NV3_TEX_X8R8G8B8);
    LINE(NV3_TEX_R5G6B5);
    LINE(NV3_TEX_A1R5G5B5);
    LINE(NV3_TEX_A4R4G4B4);
    LINE(NV3_TEX_L8);
    LINE(NV3_TEX_A8);
    LINE(NV3_TEX_A8L8);
    LINE(NV3_TEX_I8);
    LINE(NV3_TEX_Z16);
    LINE(NV3_TEX_Z24S8);
#undef LINE
    }
}

void nv3_tex_decode(uint32_t *to, int32_t pitch, const NV3TexImage *image, unsigned l,
                    unsigned z, unsigned first, unsigned count)
{
    const NV3TexLevel *level = &image->level[l];
    const unsigned w = image->width >> l ? image->width >> l : 1;
    const unsigned end = first + count;
    const unsigned bytes = texel_bytes(image->format);
    const uint32_t bias = image->format == NV3_TEX_Z16 || image->format == NV3_TEX_Z24S8 ?
                          0 : NV3_TEX_BIAS;

    if (is_compressed(image->format)) {
        decode_blocks(to, pitch, image, l, z, w, first, end);
        return;
    }
    to += (size_t)first * pitch;
    for (unsigned y = first; y < end; y++, to += pitch) {
        uint64_t offset = level->offset + (uint64_t)z * level->slice +
                          (uint64_t)y * level->pitch;

        if (offset + w * bytes <= image->size) {
            decode_whole_line(to, image->base + offset, w, image->format);
            continue;
        }
        for (unsigned x = 0; x < w; x++) {
            to[x] = nv3_tex_decode_one(image, l, x, y, z) ^ bias;
        }
    }
}
