/* SPDX-License-Identifier: MIT */
/*
 * Format conversion by the CPU. Window formats use lookup tables, because
 * arithmetic is slow on an emulated CPU.
 */
#include "util/format/u_format.h"
#include "util/macros.h"
#include "util/u_thread.h"
#include "c11/threads.h"

#include "resource/nv3_convert.h"

#define MAX_WIDTH 2048

bool
nv3_can_convert(enum pipe_format format)
{
   switch (format) {
   case PIPE_FORMAT_B8G8R8A8_UNORM:
   case PIPE_FORMAT_B8G8R8X8_UNORM:
   case PIPE_FORMAT_R8G8B8A8_UNORM:
   case PIPE_FORMAT_R8G8B8X8_UNORM:
   case PIPE_FORMAT_B5G6R5_UNORM:
   case PIPE_FORMAT_B5G5R5A1_UNORM:
   case PIPE_FORMAT_B5G5R5X1_UNORM:
   case PIPE_FORMAT_Z16_UNORM:
   case PIPE_FORMAT_Z24X8_UNORM:
   case PIPE_FORMAT_Z24_UNORM_S8_UINT:
   case PIPE_FORMAT_X8Z24_UNORM:
   case PIPE_FORMAT_S8_UINT_Z24_UNORM:
   case PIPE_FORMAT_Z32_UNORM:
      return true;
   default:
      return false;
   }
}

static uint32_t table_bgra[1 << 15], table_rgba[1 << 15];

static void
make_tables(void)
{
   for (unsigned i = 0; i < 1 << 15; i++) {
      unsigned r = i >> 10, g = i >> 5 & 0x1f, b = i & 0x1f;

      r = r << 3 | r >> 2;
      g = g << 3 | g >> 2;
      b = b << 3 | b >> 2;
      table_bgra[i] = 0xff000000u | r << 16 | g << 8 | b;
      table_rgba[i] = 0xff000000u | b << 16 | g << 8 | r;
   }
}

static const uint32_t *
table_for(enum pipe_format format)
{
   static once_flag once = ONCE_FLAG_INIT;

   switch (format) {
   case PIPE_FORMAT_B8G8R8A8_UNORM:
   case PIPE_FORMAT_B8G8R8X8_UNORM:
      call_once(&once, make_tables);
      return table_bgra;
   case PIPE_FORMAT_R8G8B8A8_UNORM:
   case PIPE_FORMAT_R8G8B8X8_UNORM:
      call_once(&once, make_tables);
      return table_rgba;
   default:
      return NULL;
   }
}

/* Bit 0 of the 6-bit green is a copy of its highest bit. */
static void
line_to_r5g6b5(uint16_t *dst, const uint16_t *src, unsigned width)
{
   for (unsigned x = 0; x < width; x++)
      dst[x] = (src[x] & 0x7fe0) << 1 | (src[x] >> 4 & 0x20) | (src[x] & 0x1f);
}

static void
line_from_r5g6b5(uint16_t *dst, const uint16_t *src, unsigned width)
{
   for (unsigned x = 0; x < width; x++)
      dst[x] = (src[x] >> 1 & 0x7fe0) | (src[x] & 0x1f);
}

void
nv3_convert_from_chip(enum pipe_format format, void *dst, unsigned dst_pitch,
                      const void *src, unsigned src_pitch, unsigned width,
                      unsigned height)
{
   const uint32_t *table = table_for(format);
   uint32_t depth[MAX_WIDTH];

   for (unsigned y = 0; y < height; y++) {
      const uint16_t *in = src;

      if (table) {
         uint32_t *out = dst;

         for (unsigned x = 0; x < width; x++)
            out[x] = table[in[x] & 0x7fff];
      } else if (format == PIPE_FORMAT_B5G6R5_UNORM) {
         line_to_r5g6b5(dst, in, width);
      } else if (util_format_is_depth_or_stencil(format)) {
         for (unsigned x = 0; x < width; x++)
            depth[x] = in[x] * 0x10001u;
         util_format_pack_z_32unorm(format, dst, depth, width);
      } else {
         util_format_translate(format, dst, dst_pitch, 0, 0,
                               PIPE_FORMAT_B5G5R5X1_UNORM, in, src_pitch,
                               0, 0, width, 1);
      }
      dst = (uint8_t *)dst + dst_pitch;
      src = (const uint8_t *)src + src_pitch;
   }
}

void
nv3_convert_to_chip(void *dst, unsigned dst_pitch, enum pipe_format format,
                    const void *src, unsigned src_pitch, unsigned width,
                    unsigned height)
{
   const uint32_t *table = table_for(format);
   bool bgra = table && table == table_bgra;
   uint32_t depth[MAX_WIDTH];

   for (unsigned y = 0; y < height; y++) {
      uint16_t *out = dst;

      if (table) {
         const uint32_t *in = src;

         for (unsigned x = 0; x < width; x++) {
            uint32_t c0 = in[x] >> 3 & 0x1f, c2 = in[x] >> 19 & 0x1f;

            out[x] = (bgra ? c2 << 10 | c0 : c0 << 10 | c2) |
                     (in[x] >> 6 & 0x3e0);
         }
      } else if (format == PIPE_FORMAT_B5G6R5_UNORM) {
         line_from_r5g6b5(out, src, width);
      } else if (util_format_is_depth_or_stencil(format)) {
         util_format_unpack_z_32unorm(format, depth, src, width);
         for (unsigned x = 0; x < width; x++)
            out[x] = depth[x] >> 16;
      } else {
         util_format_translate(PIPE_FORMAT_B5G5R5X1_UNORM, out, dst_pitch,
                               0, 0, format, src, src_pitch, 0, 0, width, 1);
      }
      dst = (uint8_t *)dst + dst_pitch;
      src = (const uint8_t *)src + src_pitch;
   }
}
