/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Textures in the form that the span loops read. */
#ifndef NV3_RASTER_TABLES_H
#define NV3_RASTER_TABLES_H

#include <stddef.h>
#include <stdint.h>

/*
 * A mip level as the span loops want it, from the @n * @n texels of @raw, in
 * swizzled order as the chip reads them: line by line, each texel with the one below
 * it in the high half, and each line with its first texel once more at the end,
 * so that 64 bits hold the four texels that bilinear filtering takes. @dst has
 * nv3_texture_pairs_size() bytes.
 */
void nv3_texture_pairs(uint32_t *dst, const uint16_t *raw, unsigned log2);
/* Only lines [@from, @to) of it. */
void nv3_texture_pairs_lines(uint32_t *dst, const uint16_t *raw, unsigned log2,
                             uint32_t from, uint32_t to);
size_t nv3_texture_pairs_size(unsigned log2);

#endif
