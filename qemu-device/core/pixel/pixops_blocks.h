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

/*
 * Pixels of deferred quads to merge with stored pixels, in the surface's format. Bits of
 * @keep are set for pixels that keep their values. @new is 0 for these pixels.
 */
typedef union PixMerge {
    uint16_t half[PIX_BLOCK];
    uint32_t word[PIX_BLOCK];
} __attribute__((aligned(64))) PixMerge;

/* Prepares pixels of 16 bits. */
LANES_INLINE void pix_merge_halves(PixMerge *new, PixMerge *keep, const PixWords *words,
                                   uint64_t mask)
{
#if LANES == 16
    for (unsigned i = 0; i < PIX_VECTORS; i++) {
        const __mmask16 bits = mask >> (i * LANES);

        _mm256_store_si256((void *)&new->half[i * LANES], _mm512_maskz_cvtepi32_epi16(
            bits, ((const __m512i *)words->pixel)[i]));
        _mm256_store_si256((void *)&keep->half[i * LANES], _mm256_movm_epi16(~bits));
    }
#elif LANES == 8
    for (unsigned i = 0; i < PIX_VECTORS; i += 2) {
        const __m256i *from = (const __m256i *)words->pixel + i;
        const __m256i keeps = _mm256_permute4x64_epi64(
            _mm256_packs_epi32((__m256i)pix_lanes(~mask, i),
                               (__m256i)pix_lanes(~mask, i + 1)), 0xd8);
        const __m256i both = _mm256_permute4x64_epi64(
            _mm256_packus_epi32(from[0], from[1]), 0xd8);

        _mm256_store_si256((void *)&keep->half[i * LANES], keeps);
        _mm256_store_si256((void *)&new->half[i * LANES],
                           _mm256_andnot_si256(keeps, both));
    }
#else
    for (unsigned i = 0; i < PIX_BLOCK; i++) {
        const bool set = mask >> i & 1;

        nv3_stw((uint8_t *)&new->half[i], set ? words->pixel[i] : 0);
        keep->half[i] = set ? 0 : 0xffff;
    }
#endif
}

/* Prepares pixels of 32 bits. */
LANES_INLINE void pix_merge_words(PixMerge *new, PixMerge *keep, const PixWords *words,
                                  uint64_t mask)
{
    for (unsigned i = 0; i < PIX_VECTORS; i++) {
        const LaneI lanes = pix_lanes(mask, i);

        ((LaneI *)new->word)[i] = ((const LaneI *)words->pixel)[i] & lanes;
        ((LaneI *)keep->word)[i] = ~lanes;
    }
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    for (unsigned i = 0; i < PIX_BLOCK; i++) {
        new->word[i] = NV3_LE32(new->word[i]);
    }
#endif
}

LANES_INLINE void pix_merge_pair(uint8_t *to, const uint16_t *new, const uint16_t *keep)
{
    uint32_t pair, add, kept;

    memcpy(&pair, to, sizeof(pair));
    memcpy(&add, new, sizeof(add));
    memcpy(&kept, keep, sizeof(kept));
    pair = (pair & kept) | add;
    memcpy(to, &pair, sizeof(pair));
}

LANES_INLINE void pix_merge_wide_pair(uint8_t *to, const uint32_t *new,
                                      const uint32_t *keep)
{
    uint64_t pair, add, kept;

    memcpy(&pair, to, sizeof(pair));
    memcpy(&add, new, sizeof(add));
    memcpy(&kept, keep, sizeof(kept));
    pair = (pair & kept) | add;
    memcpy(to, &pair, sizeof(pair));
}

/* Stores strips of 16-bit pixels, see pix_store_strips(). */
LANES_INLINE void pix_store_halves(const NV3PixopsSurface *s, const uint32_t *offset,
                                   const PixWords *words, uint64_t mask)
{
    const size_t pitch = s->pitch;
    PixMerge new, keep;

    pix_merge_halves(&new, &keep, words, mask);
    for (unsigned i = 0; i < PIX_BLOCK; i += NV3_PIXOPS_STRIP) {
        for (unsigned n = i; n < i + 2 * NV3_PIXOPS_QUADS; n += 2) {
            uint8_t *to = s->base + *offset++;

            pix_merge_pair(to, &new.half[n], &keep.half[n]);
            pix_merge_pair(to + pitch, &new.half[n + 8], &keep.half[n + 8]);
        }
    }
}

/* Stores strips of 32-bit pixels, see pix_store_strips(). */
LANES_INLINE void pix_store_words(const NV3PixopsSurface *s, const uint32_t *offset,
                                  const PixWords *words, uint64_t mask)
{
    const size_t pitch = s->pitch;
    PixMerge new, keep;

    pix_merge_words(&new, &keep, words, mask);
    for (unsigned i = 0; i < PIX_BLOCK; i += NV3_PIXOPS_STRIP) {
        for (unsigned n = i; n < i + 2 * NV3_PIXOPS_QUADS; n += 2) {
            uint8_t *to = s->base + *offset++;

            pix_merge_wide_pair(to, &new.word[n], &keep.word[n]);
            pix_merge_wide_pair(to + pitch, &new.word[n + 8], &keep.word[n + 8]);
        }
    }
}

/*
 * Stores the pixels of @mask in four strips, in the order of their quads. Other pixels of
 * the quads are read and stored again. @offset: of each quad in the surface. @words:
 * pixels in the format of the surface.
 */
static LANES_TARGET void pix_store_strips(const NV3PixopsState *s, const uint32_t *offset,
                                          const PixWords *words, uint64_t mask)
{
    if (pix_formats[s->color_format].bytes == 2) {
        pix_store_halves(&s->color, offset, words, mask);
    } else {
        pix_store_words(&s->color, offset, words, mask);
    }
}
