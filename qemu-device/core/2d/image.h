/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Functions for images whose pixels are the data of methods, in classes IFC, BITMAP and
 * GDI (text).
 *
 * Registers: envytools hwtest/pgraph_mthd_xy.cc (MthdIfcSize). The order of pixels in a
 * data word is known only for NV1 (MthdIfcDataTest of hwtest), so the model uses NV1's
 * order. Lines are sent one after the other, without padding. Data after the last line
 * draws another image, to the right of the first one. The X and Y registers of vertex 2
 * contain the position of the next pixel, so an image can continue after a context
 * switch.
 */
#ifndef NV3_2D_IMAGE_H
#define NV3_2D_IMAGE_H

#include "2d/target.h"
#include "graph/vertex.h"

typedef enum NV3ImageSize {
    NV3_IMAGE_IN = 1,       /* size of the image in the data */
    NV3_IMAGE_OUT = 2,      /* size of the drawn image */
} NV3ImageSize;

/*
 * Executes a size method. @which: the sizes that the method sets, NV3_IMAGE_*. @bitmap:
 * pixels have one bit.
 */
void nv3_image_size(NV3State *s, unsigned which, bool bitmap, uint32_t data);

/* Bits of VALID for the point and both sizes of an image. */
#define NV3_IMAGE_VALID     0x0000b038u

/*
 * Starts a data method. If the function returns true, the caller draws the pixels and
 * then calls nv3_target_done(). The function returns false if the image has no pixels, or
 * if the object has no surface. If a bit of @need is clear in VALID, the function raises
 * an interrupt and returns false.
 */
bool nv3_image_begin(NV3State *s, NV3Target *t, uint32_t need,
                     NV3ColorMode mode);
void nv3_image_put(NV3State *s, NV3Target *t, NV3Color color);

/*
 * Bitmaps. BITMAP_COLOR_0 is the colour of bits that are 0, and MISC32_1 is the colour
 * of bits that are 1. A data word has 32 pixels. After nv3_mono_expand() the first
 * pixel is bit 0. Bits that are 0 are drawn only if @two_colors is true.
 */
void nv3_bitmap_color_0(NV3State *s, uint32_t data);
void nv3_bitmap_color_1(NV3State *s, uint32_t data);
void nv3_bitmap_data(NV3State *s, bool two_colors, uint32_t data);

#endif
