/* SPDX-License-Identifier: MIT */
/*
 * Conversion of pictures to the chip's texels in Morton order.
 *
 * A compositor copies the pictures of other processes in every frame. These
 * pictures have 8 bits of blue, green and red and no alpha. There is a
 * vectorized path for this format.
 */
#include <string.h>

#include "util/u_math.h"

#include "base/nv3_screen.h"
#include "base/nv3_vec.h"
#include "class17/nv3_texels.h"
#include "class17/nv3_texture.h"

/* Inserts a 0 between all bits, for an address in Morton order. */
static uint32_t
spread(uint32_t i)
{
   i = (i | i << 8) & 0x00ff00ff;
   i = (i | i << 4) & 0x0f0f0f0f;
   i = (i | i << 2) & 0x33333333;
   return (i | i << 1) & 0x55555555;
}

/*
 * Returns the column or line of a picture of @size that is copied to column
 * or line @i of the square. The wrap mode determines it for @i beyond the
 * picture.
 */
static unsigned
picture_texel(unsigned i, unsigned size, unsigned wrap)
{
   if (i < size)
      return i;
   switch (wrap) {
   case NV3_D3D_WRAP_MIRROR:
      i %= 2 * size;
      return i < size ? i : 2 * size - 1 - i;
   case NV3_D3D_WRAP_CLAMP:
      return size - 1;
   default:
      return i % size;
   }
}

static uint8_t
component(const uint8_t *texel, uint8_t swizzle)
{
   switch (swizzle) {
   case PIPE_SWIZZLE_0:
      return 0;
   case PIPE_SWIZZLE_1:
      return 255;
   default:
      return texel[swizzle - PIPE_SWIZZLE_X];
   }
}

/*
 * Rounds a value to @bits. The chip expands 5 and 6 bits with zeros, and 4
 * bits exactly.
 */
static unsigned
to_bits(unsigned value, unsigned bits)
{
   unsigned max = (1u << bits) - 1;

   return MIN2((value + (0x80u >> bits)) >> (8 - bits), max);
}

static uint16_t
pack_texel(const uint8_t c[4], unsigned format)
{
   switch (format) {
   case NV3_D3D_TEX_R5G6B5:
      return to_bits(c[0], 5) << 11 | to_bits(c[1], 6) << 5 | to_bits(c[2], 5);
   case NV3_D3D_TEX_A4R4G4B4:
      return (c[3] * 15 + 127) / 255 << 12 | (c[0] * 15 + 127) / 255 << 8 |
             (c[1] * 15 + 127) / 255 << 4 | (c[2] * 15 + 127) / 255;
   default:
      return (c[3] >> 7) << 15 | to_bits(c[0], 5) << 10 |
             to_bits(c[1], 5) << 5 | to_bits(c[2], 5);
   }
}

static void
swizzle_components(uint8_t *rgba, unsigned count, const uint8_t swizzle[4])
{
   static const uint8_t same[4] = { PIPE_SWIZZLE_X, PIPE_SWIZZLE_Y,
                                    PIPE_SWIZZLE_Z, PIPE_SWIZZLE_W };

   if (!memcmp(swizzle, same, sizeof(same)))
      return;
   for (unsigned i = 0; i < count; i++) {
      uint8_t in[4];

      memcpy(in, rgba + i * 4, 4);
      for (unsigned c = 0; c < 4; c++)
         rgba[i * 4 + c] = component(in, swizzle[c]);
   }
}

/* Changes a texel as the mode of @key requires. */
static void
apply_mode(uint8_t t[4], const struct nv3_texture_key *key)
{
   switch (key->mode) {
   case NV3_TEXTURE_CUT:
      t[3] = t[3] >= key->threshold ? 255 : 0;
      break;
   case NV3_TEXTURE_PREMULTIPLIED:
      for (unsigned c = 0; c < 3; c++)
         t[c] = (t[c] * t[3] + 127) / 255;
      t[3] = 255;
      break;
   case NV3_TEXTURE_DIVIDED:
      for (unsigned c = 0; c < 3 && t[3]; c++)
         t[c] = MIN2((t[c] * 255 + t[3] / 2) / t[3], 255);
      break;
   case NV3_TEXTURE_DOUBLED:
      for (unsigned c = 0; c < 3; c++)
         t[c] = MIN2(t[c] * 2, 255);
      t[3] = 255;
      break;
   default:
      break;
   }
}

void
nv3_texels_arrange(uint8_t *rgba, unsigned count,
                   const struct nv3_texture_key *key)
{
   swizzle_components(rgba, count, key->swizzle);
   for (unsigned i = 0; i < count && key->mode != NV3_TEXTURE_PLAIN; i++)
      apply_mode(rgba + i * 4, key);
}

bool
nv3_texels_exceed_alpha(const uint8_t *rgba, unsigned count)
{
   for (unsigned i = 0; i < count; i++) {
      const uint8_t *t = rgba + i * 4;

      if (MAX3(t[0], t[1], t[2]) > t[3])
         return true;
   }
   return false;
}

unsigned
nv3_texels_format(const uint8_t *rgba, unsigned count)
{
   bool transparent = false;

   for (unsigned i = 0; i < count; i++) {
      uint8_t alpha = rgba[i * 4 + 3];

      if (alpha && alpha != 255)
         return NV3_D3D_TEX_A4R4G4B4;
      transparent |= !alpha;
   }
   return transparent ? NV3_D3D_TEX_A1R5G5B5 : NV3_D3D_TEX_R5G6B5;
}

void
nv3_texels_swizzle(uint16_t *dst, unsigned size, const uint8_t *rgba,
                   unsigned width, unsigned height,
                   const struct nv3_texture *tex)
{
   const uint32_t xmask = 0x55555555;

   for (unsigned y = 0; y < size; y++) {
      unsigned row = picture_texel(y, height, tex->key.wrap[1]);
      const uint8_t *line = rgba + row * width * 4;
      uint16_t *out = dst + (spread(y) << 1);
      uint32_t at = 0;

      for (unsigned x = 0; x < size; x++) {
         unsigned column = picture_texel(x, width, tex->key.wrap[0]);

         out[at] = pack_texel(line + column * 4, tex->format);
         /* Increment x: the carry skips the bits of y. */
         at = (at - xmask) & xmask;
      }
   }
}

/* The number of sampled texels. In Morton order they are spread evenly. */
#define SAMPLES 256

unsigned
nv3_texels_brightness(const uint16_t *texels, unsigned size, unsigned format)
{
   unsigned count = size * size, samples = MIN2(count, SAMPLES), sum = 0;

   for (unsigned i = 0; i < samples; i++) {
      unsigned texel = texels[i * (count / samples)];

      switch (format) {
      case NV3_D3D_TEX_R5G6B5:
         sum += (texel >> 11) * 8 + 2 * (texel >> 5 & 0x3f) * 4 +
                (texel & 0x1f) * 8;
         break;
      case NV3_D3D_TEX_A4R4G4B4:
         sum += (texel >> 8 & 15) * 17 + 2 * (texel >> 4 & 15) * 17 +
                (texel & 15) * 17;
         break;
      default:
         sum += (texel >> 10 & 0x1f) * 8 + 2 * (texel >> 5 & 0x1f) * 8 +
                (texel & 0x1f) * 8;
         break;
      }
   }
   return sum / (4 * samples);
}

/*
 * When a pixel with alpha a is blended, the result is too dark by 1, unless a
 * is 0 or 1. If its colour is brightened by x, the result is brighter by a *
 * x. The x with the minimal square error is sum(a of pixels that are too
 * dark) / sum(a * a).
 */
void
nv3_texels_loss(const uint16_t *texels, unsigned size, unsigned format,
                float loss[2])
{
   unsigned count = size * size, samples = MIN2(count, SAMPLES);
   unsigned some = 0, between = 0, squares = 0;

   loss[0] = 1.0f;
   loss[1] = 0.0f;
   if (format != NV3_D3D_TEX_A4R4G4B4)
      return;
   for (unsigned i = 0; i < samples; i++) {
      unsigned alpha = texels[i * (count / samples)] >> 12;

      some += alpha;
      between += alpha < 15 ? alpha : 0;
      squares += alpha * alpha;
   }
   if (squares) {
      loss[0] = some * 15.0f / squares;
      loss[1] = between * 15.0f / squares;
   }
}

/* ---- vectorized path without RGBA ---- */

#define MAX_SIZE (1u << (NV3_TEXTURE_LEVELS - 1))

bool
nv3_texels_can_copy(enum pipe_format format, const struct nv3_texture_key *key,
                    unsigned size)
{
   bool x8 = format == PIPE_FORMAT_B8G8R8X8_UNORM;

   return (x8 || format == PIPE_FORMAT_B8G8R8A8_UNORM) && size >= 2 &&
          key->mode == NV3_TEXTURE_PLAIN &&
          key->swizzle[0] == PIPE_SWIZZLE_X &&
          key->swizzle[1] == PIPE_SWIZZLE_Y &&
          key->swizzle[2] == PIPE_SWIZZLE_Z &&
          (key->swizzle[3] == PIPE_SWIZZLE_1 ||
           (x8 && key->swizzle[3] == PIPE_SWIZZLE_W));
}

typedef uint16_t nv3_texels __attribute__((vector_size(16), aligned(2)));
typedef uint32_t nv3_pixels __attribute__((vector_size(32), aligned(4)));

/* The 8-bit component that starts at bit @shift, rounded to @bits. */
#define ROUNDED(p, shift, bits) ({                                           \
   nv3_ivec wide = (((nv3_ivec)(p) >> (shift)) & 0xff) + (0x80 >> (bits));   \
   nv3_ivec narrow = wide >> (8 - (bits));                                   \
   NV3_CHOOSE(narrow > (1 << (bits)) - 1, NV3_ISPLAT((1 << (bits)) - 1),     \
              narrow);                                                       \
})

/* Converts a line to R5G6B5. */
NV3_VECTORS static void
convert_line(uint16_t *dst, const uint32_t *src, unsigned width)
{
   unsigned x = 0;

   for (; x + NV3_SOA_ALIGN <= width; x += NV3_SOA_ALIGN) {
      nv3_pixels p = *(const nv3_pixels *)(src + x);
      nv3_ivec texels = ROUNDED(p, 16, 5) << 11 | ROUNDED(p, 8, 6) << 5 |
                        ROUNDED(p, 0, 5);

      *(nv3_texels *)(dst + x) = __builtin_convertvector(texels, nv3_texels);
   }
   for (; x < width; x++)
      dst[x] = to_bits(src[x] >> 16 & 0xff, 5) << 11 |
               to_bits(src[x] >> 8 & 0xff, 6) << 5 | to_bits(src[x] & 0xff, 5);
}

/* Stores two lines. A block of 2x2 texels is 8 bytes in Morton order. */
static void
store_lines(uint16_t *dst, const uint16_t *upper, const uint16_t *lower,
            unsigned size)
{
   const uint32_t xmask = 0x55555555;
   uint32_t at = 0;

   for (unsigned x = 0; x < size; x += 2) {
      uint32_t first, second;
      uint64_t block;

      memcpy(&first, upper + x, sizeof(first));
      memcpy(&second, lower + x, sizeof(second));
      block = first | (uint64_t)second << 32;
      memcpy(dst + at * 4, &block, sizeof(block));
      /* Increment x: the carry skips the bits of y. */
      at = (at - xmask) & xmask;
   }
}

void
nv3_texels_copy(uint16_t *dst, unsigned size, const uint8_t *map,
                unsigned stride, unsigned width, unsigned height,
                const struct nv3_texture *tex)
{
   uint16_t lines[2][MAX_SIZE];
   unsigned held[2] = { UINT32_MAX, UINT32_MAX };

   for (unsigned y = 0; y < size; y += 2) {
      for (unsigned i = 0; i < 2; i++) {
         unsigned row = picture_texel(y + i, height, tex->key.wrap[1]);

         if (row == held[i])
            continue;
         held[i] = row;
         convert_line(lines[i],
                      (const uint32_t *)(map + (size_t)row * stride), width);
         for (unsigned x = width; x < size; x++)
            lines[i][x] = lines[i][picture_texel(x, width, tex->key.wrap[0])];
      }
      store_lines(dst + ((size_t)spread(y / 2) << 1) * 4, lines[0], lines[1],
                  size);
   }
}
