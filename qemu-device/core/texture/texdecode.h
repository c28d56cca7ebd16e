/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Texel formats. */
#ifndef NV3_TEXDECODE_H
#define NV3_TEXDECODE_H

#include "texture/texunit.h"

/*
 * Decodes @count lines of slice or face @z of level @l, starting with line @first, to the
 * texel format of texunit_int.h. @to: destination of line 0, even if @first is not 0.
 * @pitch: distance between lines in texels. @first must be a multiple of 4. @count must
 * be a multiple of 4, unless the decoded lines include the level's last line. Bytes
 * outside the image's memory read as 0.
 */
void nv3_tex_decode(uint32_t *to, int32_t pitch, const NV3TexImage *image, unsigned l,
                    unsigned z, unsigned first, unsigned count);

/*
 * Decodes one texel, for texreference.c. Returns the texel as A8R8G8B8. For a depth
 * format, returns the bits of a float from 0 to 1. @x and @y must be within the level.
 */
uint32_t nv3_tex_decode_one(const NV3TexImage *image, unsigned l, unsigned x, unsigned y,
                            unsigned z);

#endif
