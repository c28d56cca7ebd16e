/* SPDX-License-Identifier: MIT */
/*
 * Translates formats of textures, targets and vertices to formats of class
 * 0x1f.
 */
#include "pipe/p_defines.h"
#include "util/format/u_format.h"

#include "programs/nv3p_methods.h"

/* ---- textures ---- */

#define SWIZZLE(r, g, b, a)                                                   \
   {                                                                          \
      PIPE_SWIZZLE_##r, PIPE_SWIZZLE_##g, PIPE_SWIZZLE_##b, PIPE_SWIZZLE_##a  \
   }
#define AS_IT_IS SWIZZLE(X, Y, Z, W)
#define OPAQUE SWIZZLE(X, Y, Z, 1)
#define BGRA SWIZZLE(Z, Y, X, W)
#define BGRX SWIZZLE(Z, Y, X, 1)

#define TEXTURE(format, type, swizzle)                                        \
   [PIPE_FORMAT_##format] = { type, swizzle }

static const struct nv3p_texture_format textures[PIPE_FORMAT_COUNT] = {
   TEXTURE(B8G8R8A8_UNORM, 0x05, AS_IT_IS),
   TEXTURE(B8G8R8X8_UNORM, 0x1f, AS_IT_IS),
   TEXTURE(R8G8B8A8_UNORM, 0x05, BGRA),
   TEXTURE(R8G8B8X8_UNORM, 0x05, BGRX),
   TEXTURE(B5G6R5_UNORM, 0x04, AS_IT_IS),
   TEXTURE(B5G5R5A1_UNORM, 0x02, AS_IT_IS),
   TEXTURE(B5G5R5X1_UNORM, 0x02, OPAQUE),
   TEXTURE(B4G4R4A4_UNORM, 0x03, AS_IT_IS),
   TEXTURE(B4G4R4X4_UNORM, 0x03, OPAQUE),
   TEXTURE(L8_UNORM, 0x01, AS_IT_IS),
   TEXTURE(A8_UNORM, 0x1d, AS_IT_IS),
   TEXTURE(I8_UNORM, 0x1e, AS_IT_IS),
   TEXTURE(L8A8_UNORM, 0x0b, AS_IT_IS),
   TEXTURE(R8_UNORM, 0x01, SWIZZLE(X, 0, 0, 1)),
   TEXTURE(R8G8_UNORM, 0x0b, SWIZZLE(X, W, 0, 1)),

   TEXTURE(DXT1_RGB, 0x06, OPAQUE),
   TEXTURE(DXT1_RGBA, 0x06, AS_IT_IS),
   TEXTURE(DXT3_RGBA, 0x07, AS_IT_IS),
   TEXTURE(DXT5_RGBA, 0x08, AS_IT_IS),

   TEXTURE(Z16_UNORM, 0x12, AS_IT_IS),
   TEXTURE(X8Z24_UNORM, 0x10, AS_IT_IS),
   TEXTURE(S8_UINT_Z24_UNORM, 0x10, AS_IT_IS),
};

const struct nv3p_texture_format *
nv3p_texture_format(enum pipe_format format)
{
   /*
    * The unit does not convert alpha from sRGB, but stores the green of R8G8
    * as alpha.
    */
   if (format == PIPE_FORMAT_R8_SRGB || format == PIPE_FORMAT_R8G8_SRGB)
      return &textures[PIPE_FORMAT_NONE];
   return &textures[util_format_linear(format)];
}

/* ---- targets ---- */

uint32_t
nv3p_color_format(enum pipe_format format)
{
   switch (format) {
   case PIPE_FORMAT_B8G8R8A8_UNORM:
   case PIPE_FORMAT_R8G8B8A8_UNORM:
      return NV3P_SURFACE_FORMAT_A8R8G8B8;
   case PIPE_FORMAT_B8G8R8X8_UNORM:
   case PIPE_FORMAT_R8G8B8X8_UNORM:
      return NV3P_SURFACE_FORMAT_X8R8G8B8;
   case PIPE_FORMAT_B5G6R5_UNORM:
      return NV3P_SURFACE_FORMAT_R5G6B5;
   case PIPE_FORMAT_B5G5R5X1_UNORM:
      return NV3P_SURFACE_FORMAT_X1R5G5B5;
   default:
      return 0;
   }
}

bool
nv3p_swaps_red_blue(enum pipe_format format)
{
   return format == PIPE_FORMAT_R8G8B8A8_UNORM ||
          format == PIPE_FORMAT_R8G8B8X8_UNORM;
}

uint32_t
nv3p_zeta_format(enum pipe_format format)
{
   switch (format) {
   case PIPE_FORMAT_Z16_UNORM:
      return NV3P_SURFACE_FORMAT_Z16;
   case PIPE_FORMAT_X8Z24_UNORM:
   case PIPE_FORMAT_S8_UINT_Z24_UNORM:
      return NV3P_SURFACE_FORMAT_Z24S8;
   default:
      return 0;
   }
}

/* ---- vertices ---- */

/*
 * The element types are the class's numbers
 * (docs/reference/chip/programs.md), plus 1.
 */
enum {
   NONE,
   UBYTE_BGRA,
   SHORT_NORM,
   FLOAT,
   HALF,
   UBYTE_NORM,
   SHORT,
   PACKED_NORM,
   UBYTE,
   USHORT_NORM,
   USHORT,
   BYTE_NORM,
   BYTE,
};

#define VERTEX_4(bits, suffix, type)                                          \
   [PIPE_FORMAT_R##bits##_##suffix] = type,                                   \
   [PIPE_FORMAT_R##bits##G##bits##_##suffix] = type,                          \
   [PIPE_FORMAT_R##bits##G##bits##B##bits##_##suffix] = type,                 \
   [PIPE_FORMAT_R##bits##G##bits##B##bits##A##bits##_##suffix] = type

static const uint8_t vertices[PIPE_FORMAT_COUNT] = {
   [PIPE_FORMAT_B8G8R8A8_UNORM] = UBYTE_BGRA,
   VERTEX_4(32, FLOAT, FLOAT),
   VERTEX_4(16, FLOAT, HALF),
   VERTEX_4(16, SNORM, SHORT_NORM),
   VERTEX_4(16, SSCALED, SHORT),
   VERTEX_4(16, UNORM, USHORT_NORM),
   VERTEX_4(16, USCALED, USHORT),
   VERTEX_4(8, SNORM, BYTE_NORM),
   VERTEX_4(8, SSCALED, BYTE),
   VERTEX_4(8, UNORM, UBYTE_NORM),
   VERTEX_4(8, USCALED, UBYTE),
};

uint32_t
nv3p_vertex_format(enum pipe_format format)
{
   unsigned components = util_format_get_nr_components(format);

   return vertices[format] ? (vertices[format] - 1) |
                             components << NV3_PM_ARRAY_SIZE_SHIFT : 0;
}
