/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Executes pixel operations on a block or a strip of a target with one sample per pixel.
 * Compiled for one SIMD level. Included after pixel/pixops_loops.h.
 */

#if LANES >= 8
/*
 * Stores each line of @word in which at least one pixel has changed. @written has 8 bits
 * for each line. The bits of changed pixels are set.
 */
LANES_INLINE void pix_store_changed(uint8_t *line, uint32_t pitch, LaneI word,
                                    unsigned bytes, unsigned written)
{
#if LANES == 16
    const __m256i half = _mm512_cvtepi32_epi16((__m512i)word);

    if (written & 0xff) {
        if (bytes == 2) {
            _mm_storeu_si128((void *)line, _mm256_castsi256_si128(half));
        } else {
            _mm256_storeu_si256((void *)line, _mm512_castsi512_si256((__m512i)word));
        }
    }
    if (written >> 8) {
        if (bytes == 2) {
            _mm_storeu_si128((void *)(line + pitch), _mm256_extracti128_si256(half, 1));
        } else {
            _mm256_storeu_si256((void *)(line + pitch),
                                _mm512_extracti64x4_epi64((__m512i)word, 1));
        }
    }
#else
    if (!written) {
        return;
    }
    if (bytes == 2) {
        _mm_storeu_si128((void *)line, _mm_packus_epi32(
            _mm256_castsi256_si128((__m256i)word),
            _mm256_extracti128_si256((__m256i)word, 1)));
    } else {
        _mm256_storeu_si256((void *)line, (__m256i)word);
    }
#endif
}

/*
 * Executes the depth test for one vector of a block. @line: address of the vector's first
 * pixel in the depth buffer. @z: the new depths. @lanes: -1 in the elements of the pixels
 * to test, and 0 in others. Returns a mask with one bit for each pixel that passes. If
 * @store is true, stores the new depths of these pixels. @func and @bytes (2 or 4 per
 * pixel) are constants after inlining.
 */
LANES_INLINE unsigned pix_depth_vector(const NV3PixopsState *s, unsigned func,
                                       unsigned bytes, uint8_t *line, uint32_t pitch,
                                       LaneF z, LaneI lanes, bool store)
{
    const int shift = bytes == 2 ? 0 : 8, max = bytes == 2 ? 0xffff : 0xffffff;
    const LaneF low = lane_splat(s->depth_clamp ? s->depth_min : 0);
    const LaneF high = lane_splat(s->depth_clamp ? s->depth_max : 1);
    const LaneF depth = lane_min(lane_max(z, low), high);
    const LaneI new = lane_imin(lane_to_int(depth * (max + 1.0f)), lane_isplat(max));
    const LaneI word = pix_load_lines(line, pitch, bytes);
    const LaneI ok = pix_compare(func, new, (LaneI)((LaneU)word >> shift)) & lanes;
    const unsigned bits = lane_bits(ok);

    if (store) {
        const LaneI changed = new << shift | (word & ((1 << shift) - 1));

        pix_store_changed(line, pitch, lane_iselect(ok, changed, word), bytes, bits);
    }
    return bits;
}

/*
 * Executes the depth test for the pixels in @mask of a block that is completely in the
 * surface (see pix_depth_vector()). Returns the mask of pixels that pass. Skips vectors
 * without pixels in @mask, because small triangles cover few lines of a block. Tuned with
 * the scenes build, shading and bump-high-poly of `make bench-gl`.
 */
LANES_INLINE uint64_t pix_depth_block(const NV3PixopsState *s, unsigned func,
                                      unsigned bytes, const NV3PixopsPlace *p,
                                      const float *z, uint64_t mask, bool store)
{
    const uint64_t vector = UINT64_MAX >> (64 - LANES);
    uint8_t *line = p->base;
    uint64_t passed = 0;

    for (unsigned i = 0; i < PIX_VECTORS; i++, line += PIX_LINES * (size_t)p->pitch) {
        if (mask >> (i * LANES) & vector) {
            const uint64_t bits = pix_depth_vector(s, func, bytes, line, p->pitch,
                                                   ((const LaneF *)z)[i],
                                                   pix_lanes(mask, i), store);

            passed |= bits << (i * LANES);
        }
    }
    return passed;
}

/*
 * Calls the variant of pix_depth_block() for the state's depth function. @bytes is a
 * constant.
 */
LANES_INLINE uint64_t pix_depth_func(const NV3PixopsState *s, unsigned bytes,
                                     const NV3PixopsPlace *p, const float *z,
                                     uint64_t mask, bool store)
{
    switch (s->depth_func) {
    case NV3_PIXOPS_LESS:
        return pix_depth_block(s, NV3_PIXOPS_LESS, bytes, p, z, mask, store);
    case NV3_PIXOPS_LEQUAL:
        return pix_depth_block(s, NV3_PIXOPS_LEQUAL, bytes, p, z, mask, store);
    default:
        return pix_depth_block(s, s->depth_func, bytes, p, z, mask, store);
    }
}
#endif

static LANES_TARGET uint64_t pix_zeta_block(const NV3PixopsState *s, bool front,
                                            const NV3PixopsPlace *p, const float *z,
                                            uint64_t mask, bool store)
{
#if LANES >= 8
    const bool stencil = s->stencil_test && s->zeta_format == NV3_PIXOPS_Z24S8;

    if (!stencil && p->columns == 8 && p->lines == 8) {
        store &= s->depth_write;
        return nv3_pixops_zeta_bytes(s) == 2 ? pix_depth_func(s, 2, p, z, mask, store) :
                                               pix_depth_func(s, 4, p, z, mask, store);
    }
#endif
    return pix_zeta(s, front, (PixPlace) { .block = p }, z, mask, store, PIX_VECTORS);
}

static LANES_TARGET unsigned pix_zeta_strip(const NV3PixopsState *s, bool front,
                                            const NV3PixopsQuads *q, const float *z,
                                            unsigned mask, bool store)
{
    return pix_zeta(s, front, (PixPlace) { .quads = q }, z, mask, store,
                    PIX_STRIP_VECTORS);
}

#if LANES >= 8
/*
 * Packs the colours of a block's pixels, and stores all of them. Blends them first if
 * @blends is true (pix_over_vector()). @blends, @scaled and @alpha are constants after
 * inlining.
 */
LANES_INLINE void pix_color_lines(const NV3PixopsPlace *p, const float *const color[4],
                                  bool blends, bool scaled, bool alpha)
{
    uint8_t *line = p->base;

    for (unsigned i = 0; i < PIX_VECTORS; i++, line += PIX_LINES * (size_t)p->pitch) {
        const LaneI new = blends ?
            pix_over_vector(scaled, alpha, color, i, pix_load_lines(line, p->pitch, 4)) :
            pix_pack_bytes(color, i, alpha);

        pix_store_changed(line, p->pitch, new, 4, UINT16_MAX);
    }
}

/*
 * Calls the variant of pix_color_lines() for the state, if the state allows it. Returns
 * false otherwise.
 */
static LANES_TARGET __attribute__((noinline))
bool pix_color_whole(const NV3PixopsState *s, const NV3PixopsPlace *p,
                     const float *const color[4])
{
    const PixFormat *f = &pix_formats[s->color_format];
    const bool scaled = s->blend_src == NV3_PIXOPS_F_SRC_ALPHA, alpha = f->bits[3];

    if (f->bytes != 4 || s->logic || pix_write_bits(f, s->color_mask) != UINT32_MAX ||
        (s->blend && !pix_is_over(s))) {
        return false;
    }
    if (!s->blend && alpha) {
        pix_color_lines(p, color, false, false, true);
    } else if (!s->blend) {
        pix_color_lines(p, color, false, false, false);
    } else if (scaled && alpha) {
        pix_color_lines(p, color, true, true, true);
    } else if (scaled) {
        pix_color_lines(p, color, true, true, false);
    } else if (alpha) {
        pix_color_lines(p, color, true, false, true);
    } else {
        pix_color_lines(p, color, true, false, false);
    }
    return true;
}
#endif

static LANES_TARGET void pix_color_block(const NV3PixopsState *s, const NV3PixopsPlace *p,
                                         const float *const color[4],
                                         const PixFloats *dither, uint64_t mask)
{
#if LANES >= 8
    if (mask == UINT64_MAX && pix_color_whole(s, p, color)) {
        return;
    }
#endif
    pix_color(s, (PixPlace) { .block = p }, color, dither, mask, PIX_VECTORS);
}

static LANES_TARGET void pix_color_strip(const NV3PixopsState *s, const NV3PixopsQuads *q,
                                         const float *const color[4], const float *dither,
                                         unsigned mask)
{
    pix_color(s, (PixPlace) { .quads = q }, color, (const PixFloats *)dither, mask,
              PIX_STRIP_VECTORS);
}

/*
 * One of the two operands, @keep and @new, with which new pixels are merged into stored
 * pixels of the surface's format: (stored pixel & @keep) | @new. For pixels that keep
 * their values, all bits of @keep are set, and @new is 0.
 */
typedef union PixMerge {
    uint16_t half[PIX_BLOCK];
    uint32_t word[PIX_BLOCK];
} __attribute__((aligned(64))) PixMerge;

/* Computes the two operands for pixels of 16 bits. */
LANES_INLINE void pix_merge_halves(PixMerge *new, PixMerge *keep, const PixWords *words,
                                   uint64_t mask)
{
#if LANES == 16
    for (unsigned i = 0; i < PIX_VECTORS; i++) {
        const __mmask16 bits = mask >> (i * LANES);
        const __m512i word = _mm512_load_si512(&words->pixel[i * LANES]);

        _mm256_store_si256((void *)&new->half[i * LANES],
                           _mm512_maskz_cvtepi32_epi16(bits, word));
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

/* Computes the two operands for pixels of 32 bits. */
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
 * Stores those pixels of four strips that are in @mask, one quad after another. Reads the
 * other pixels of the quads, and stores them unchanged. @offset: byte offset of each quad
 * in the surface. @words: pixels in the format of the surface.
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

/*
 * Stores the pixels in @mask, in the order of their bits. @offset: byte offset of each
 * pixel in the surface. @words: pixels in the format of the surface.
 */
static LANES_TARGET void pix_store_pixels(const NV3PixopsState *s, const uint32_t *offset,
                                          const PixWords *words, uint64_t mask)
{
    uint8_t *base = s->color.base;
    const bool halves = nv3_pixops_color_bytes(s) == 2;

    if (mask == UINT64_MAX && halves) {
#pragma GCC unroll 8
        for (unsigned i = 0; i < PIX_BLOCK; i++) {
            nv3_stw(base + offset[i], words->pixel[i]);
        }
        return;
    }
    if (mask == UINT64_MAX) {
#pragma GCC unroll 8
        for (unsigned i = 0; i < PIX_BLOCK; i++) {
            nv3_stl(base + offset[i], words->pixel[i]);
        }
        return;
    }
    for (; mask; mask &= mask - 1) {
        const unsigned i = __builtin_ctzll(mask);

        if (halves) {
            nv3_stw(base + offset[i], words->pixel[i]);
        } else {
            nv3_stl(base + offset[i], words->pixel[i]);
        }
    }
}
