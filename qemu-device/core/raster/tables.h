/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Textures in the span loops' format. */
#ifndef NV3_RASTER_TABLES_H
#define NV3_RASTER_TABLES_H

#include <stddef.h>
#include <stdint.h>

/*
 * Converts a mip level of @n * @n texels from @raw, in the chip's swizzled order, to
 * the span loops' format. This is in linear order, each texel has the one below it in
 * the high half, and each line repeats its first texel at its end. So 64 bits hold the
 * four texels of bilinear filtering. @dst has nv3_texture_pairs_size() bytes.
 */
void nv3_texture_pairs(uint32_t *dst, const uint16_t *raw, unsigned log2);
/* Converts only lines [@from, @to). */
void nv3_texture_pairs_lines(uint32_t *dst, const uint16_t *raw, unsigned log2,
                             uint32_t from, uint32_t to);
size_t nv3_texture_pairs_size(unsigned log2);

#endif
