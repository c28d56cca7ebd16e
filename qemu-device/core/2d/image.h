/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Images whose pixels come in method data: IFC, BITMAP and GDI's text.
 *
 * Registers: envytools hwtest/pgraph_mthd_xy.cc (MthdIfcSize). How pixels fill
 * the image is known only for NV1 (its MthdIfcDataTest): packed without
 * padding, line after line, and after the last line the image continues to the
 * right. Vertex 2 stores the place of the next pixel, so a context switch in
 * the middle of an image is harmless.
 */
#ifndef NV3_2D_IMAGE_H
#define NV3_2D_IMAGE_H

#include "2d/target.h"
#include "graph/vertex.h"

typedef enum NV3ImageSize {
    NV3_IMAGE_IN = 1,       /* of the data */
    NV3_IMAGE_OUT = 2,      /* on the surface */
} NV3ImageSize;

/*
 * Executes a size method. @which: the size that it sets. @bitmap: pixels are single
 * bits.
 */
void nv3_image_size(NV3State *s, unsigned which, bool bitmap, uint32_t data);

/* Bits of VALID for a point and both sizes. */
#define NV3_IMAGE_VALID     0x0000b038u

/*
 * Starts a data method. Returns false if nothing is drawn because methods are missing
 * (bits @need of VALID; raises the interrupt), or because there are no pixels or
 * surfaces. Otherwise the caller draws the pixels and calls nv3_target_done().
 */
bool nv3_image_begin(NV3State *s, NV3Target *t, uint32_t need,
                     NV3ColorMode mode);
void nv3_image_put(NV3State *s, NV3Target *t, NV3Color color);

/*
 * Bitmaps: BITMAP_COLOR_0 is the colour of zeroes, and MISC32_1 is the colour of ones.
 * A data word has 32 pixels, bit 0 first after the expansion. Zeroes are drawn only if
 * @two_colors.
 */
void nv3_bitmap_color_0(NV3State *s, uint32_t data);
void nv3_bitmap_color_1(NV3State *s, uint32_t data);
void nv3_bitmap_data(NV3State *s, bool two_colors, uint32_t data);

#endif
