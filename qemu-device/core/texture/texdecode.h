/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Texel formats. */
#ifndef NV3_TEXDECODE_H
#define NV3_TEXDECODE_H

#include "texture/texunit.h"

/*
 * Decodes @count lines, from line @first on, of slice (face) @z of level @l to lines of
 * @pitch words. The texels have the format of texunit_int.h. @to is the destination of
 * line 0. @first and @count are multiples of 4, except for a @count that ends at the
 * last line of the level. Bytes outside the image's memory read as 0.
 */
void nv3_tex_decode(uint32_t *to, int32_t pitch, const NV3TexImage *image, unsigned l,
                    unsigned z, unsigned first, unsigned count);

/*
 * Returns a texel, for the reference: A8R8G8B8 or, for depth formats, the bits of a
 * float from 0 to 1. @x and @y are within the level.
 */
uint32_t nv3_tex_decode_one(const NV3TexImage *image, unsigned l, unsigned x, unsigned y,
                            unsigned z);

#endif
