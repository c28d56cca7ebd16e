/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Converts textures to the format of the span loops. */
#ifndef NV3_RASTER_TABLES_H
#define NV3_RASTER_TABLES_H

#include <stddef.h>
#include <stdint.h>

/*
 * Converts a mip level of 2^@log2 by 2^@log2 texels to the format of the span loops.
 * Texels in @raw are in the chip's swizzled order.
 *
 * @dst has nv3_texture_pairs_size() bytes, in linear order. Each 32-bit word contains a
 * texel in its low half, and the texel of the next line in its high half. Two
 * neighbouring words thus contain the four texels that a bilinear filter needs. Each line
 * ends with a copy of its first word.
 */
void nv3_texture_pairs(uint32_t *dst, const uint16_t *raw, unsigned log2);
/* Converts only lines [@from, @to). */
void nv3_texture_pairs_lines(uint32_t *dst, const uint16_t *raw, unsigned log2,
                             uint32_t from, uint32_t to);
size_t nv3_texture_pairs_size(unsigned log2);

#endif
