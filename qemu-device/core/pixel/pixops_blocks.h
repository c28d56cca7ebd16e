/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pixel operations on a block or a strip of a target with one sample for each pixel.
 * Compiled for one SIMD level. Included after pixel/pixops_loops.h.
 */

static LANES_TARGET uint64_t pix_zeta_block(const NV3PixopsState *s, bool front,
                                            const NV3PixopsPlace *p, const float *z,
                                            uint64_t mask, bool store)
{
    return pix_zeta(s, front, (PixPlace) { .block = p }, z, mask, store, PIX_VECTORS);
}

static LANES_TARGET unsigned pix_zeta_strip(const NV3PixopsState *s, bool front,
                                            const NV3PixopsQuads *q, const float *z,
                                            unsigned mask, bool store)
{
    return pix_zeta(s, front, (PixPlace) { .quads = q }, z, mask, store,
                    PIX_STRIP_VECTORS);
}

static LANES_TARGET void pix_color_block(const NV3PixopsState *s, const NV3PixopsPlace *p,
                                         const float *const color[4], uint64_t mask)
{
    pix_color(s, (PixPlace) { .block = p }, color, &pix_dither[s->dither], mask,
              PIX_VECTORS);
}

static LANES_TARGET void pix_color_strip(const NV3PixopsState *s, const NV3PixopsQuads *q,
                                         const float *const color[4], const float *dither,
                                         unsigned mask)
{
    pix_color(s, (PixPlace) { .quads = q }, color, (const PixFloats *)dither, mask,
              PIX_STRIP_VECTORS);
}

/* Stores a strip of pixels in the format of the surface. */
static LANES_TARGET void pix_store_strip(const NV3PixopsState *s, const NV3PixopsQuads *q,
                                         const uint32_t *pixel, unsigned mask)
{
    pix_store((const PixWords *)pixel, (PixPlace) { .quads = q },
              pix_formats[s->color_format].bytes, mask);
}
