/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Executes pixel operations on a block of 8 x 8 pixels with four samples each. Compiled
 * for one SIMD level. Included after pixel/pixops_loops.h.
 *
 * The fragment program computes one colour for all samples of a pixel. Each sample has
 * its own depth, stencil value and stored colour. Bit y * 8 + x of @mask[i] represents
 * sample i of pixel (x, y).
 */

/* ---- memory ------------------------------------------------------------ */

/*
 * Like pix_place(), for samples. @columns and @lines are numbers of pixels. @base is the
 * address of the block's first sample, and @pitch is the distance between two lines of
 * samples in bytes.
 */
LANES_INLINE bool pix_samples_place(NV3PixopsPlace *p, const NV3PixopsSurface *s,
                                    unsigned bytes, int32_t x, int32_t y)
{
    uint64_t offset, last;

    if (x < 0 || y < 0 || x >= s->width || y >= s->height) {
        return false;
    }
    p->columns = s->width - x < 8 ? s->width - x : 8;
    p->lines = s->height - y < 8 ? s->height - y : 8;
    offset = (uint64_t)y * 2 * s->pitch + (uint64_t)x * 2 * bytes;
    last = offset + (uint64_t)(2 * p->lines - 1) * s->pitch + 2 * p->columns * bytes;
    while (p->lines && last > s->size) {
        p->lines--;
        last -= 2 * (uint64_t)s->pitch;
    }
    p->base = s->base + offset;
    p->pitch = s->pitch;
    return p->lines;
}

/* Loads the left and the right samples of eight pixels from one line of samples. */
LANES_INLINE void pix_load_sample_line(uint32_t *left, uint32_t *right,
                                       const uint8_t *line, unsigned bytes)
{
    uint16_t half[16];
    uint32_t word[16];

    if (bytes == 2) {
        memcpy(half, line, sizeof(half));
        for (unsigned x = 0; x < 8; x++) {
            left[x] = NV3_LE16(half[2 * x]);
            right[x] = NV3_LE16(half[2 * x + 1]);
        }
    } else {
        memcpy(word, line, sizeof(word));
        for (unsigned x = 0; x < 8; x++) {
            left[x] = NV3_LE32(word[2 * x]);
            right[x] = NV3_LE32(word[2 * x + 1]);
        }
    }
}

LANES_INLINE void pix_store_sample_line(uint8_t *line, const uint32_t *left,
                                        const uint32_t *right, unsigned bytes)
{
    uint16_t half[16];
    uint32_t word[16];

    if (bytes == 2) {
        for (unsigned x = 0; x < 8; x++) {
            half[2 * x] = NV3_LE16((uint16_t)left[x]);
            half[2 * x + 1] = NV3_LE16((uint16_t)right[x]);
        }
        memcpy(line, half, sizeof(half));
    } else {
        for (unsigned x = 0; x < 8; x++) {
            word[2 * x] = NV3_LE32(left[x]);
            word[2 * x + 1] = NV3_LE32(right[x]);
        }
        memcpy(line, word, sizeof(word));
    }
}

static LANES_TARGET void pix_load_samples(PixWords to[NV3_PIXOPS_SAMPLES],
                                          const NV3PixopsPlace *p, unsigned bytes)
{
    const uint8_t *line = p->base;

    for (unsigned y = 0; y < 2 * p->lines; y++, line += p->pitch) {
        uint32_t *left = &to[y % 2 * 2].pixel[y / 2 * 8];
        uint32_t *right = &to[y % 2 * 2 + 1].pixel[y / 2 * 8];

        if (p->columns == 8 && bytes == 2) {
            pix_load_sample_line(left, right, line, 2);
        } else if (p->columns == 8) {
            pix_load_sample_line(left, right, line, 4);
        } else {
            for (unsigned x = 0; x < p->columns; x++) {
                left[x] = bytes == 2 ? nv3_lduw(line + x * 4) : nv3_ldl(line + x * 8);
                right[x] = bytes == 2 ? nv3_lduw(line + x * 4 + 2) :
                                        nv3_ldl(line + x * 8 + 4);
            }
        }
    }
}

/*
 * Stores either the left or the right samples of a line of eight pixels. The sample of
 * pixel x is stored if bit x of @bits is set.
 */
LANES_INLINE void pix_store_sample_bits(uint8_t *first, const uint32_t *row,
                                        unsigned bytes, unsigned bits)
{
    for (; bits; bits &= bits - 1) {
        unsigned x = __builtin_ctz(bits);

        if (bytes == 2) {
            nv3_stw(first + x * 4, row[x]);
        } else {
            nv3_stl(first + x * 8, row[x]);
        }
    }
}

/*
 * Stores the samples in @mask, without writing any other sample. @from[i]: values of
 * sample i.
 */
static LANES_TARGET void pix_store_samples(const PixWords *const from[NV3_PIXOPS_SAMPLES],
                                           const NV3PixopsPlace *p, unsigned bytes,
                                           const uint64_t mask[NV3_PIXOPS_SAMPLES])
{
    uint8_t *line = p->base;

    for (unsigned y = 0; y < 2 * p->lines; y++, line += p->pitch) {
        const unsigned i = y % 2 * 2, first = y / 2 * 8;
        const uint32_t *left = &from[i]->pixel[first];
        const uint32_t *right = &from[i + 1]->pixel[first];
        const unsigned left_bits = mask[i] >> first & 0xff;
        const unsigned right_bits = mask[i + 1] >> first & 0xff;

        if ((left_bits & right_bits) != 0xff) {
            pix_store_sample_bits(line, left, bytes, left_bits);
            pix_store_sample_bits(line + bytes, right, bytes, right_bits);
        } else if (bytes == 2) {
            pix_store_sample_line(line, left, right, 2);
        } else {
            pix_store_sample_line(line, left, right, 4);
        }
    }
}

/* ---- operations -------------------------------------------------------- */

/*
 * Executes the depth and stencil tests for each sample in @mask, and stores changed
 * values. Clears the bits of @mask for the samples that fail. @z[i]: depths of sample i.
 */
static LANES_TARGET void pix_zeta_samples(const NV3PixopsState *s, bool front,
                                          const NV3PixopsPlace *p,
                                          const float *const z[NV3_PIXOPS_SAMPLES],
                                          uint64_t mask[NV3_PIXOPS_SAMPLES])
{
    const unsigned bytes = nv3_pixops_zeta_bytes(s);
    uint64_t written[NV3_PIXOPS_SAMPLES];
    PixWords words[NV3_PIXOPS_SAMPLES];

    pix_load_samples(words, p, bytes);
    for (unsigned i = 0; i < NV3_PIXOPS_SAMPLES; i++) {
        mask[i] = pix_zeta_words(s, front, &words[i], z[i], mask[i], &written[i],
                                 PIX_VECTORS);
    }
    if (pix_zeta_changes(s)) {
        pix_store_samples((const PixWords *const[]) {
            &words[0], &words[1], &words[2], &words[3] }, p, bytes, written);
    }
}

/*
 * Implements alpha to coverage: keeps sample i in @mask if alpha is at least
 * (i + 1/2) / 4. The fraction of samples that are kept is therefore alpha, rounded to a
 * multiple of 1/4.
 */
LANES_INLINE void pix_alpha_to_coverage(const float *alpha,
                                        uint64_t mask[NV3_PIXOPS_SAMPLES])
{
    for (unsigned i = 0; i < NV3_PIXOPS_SAMPLES; i++) {
        const float lowest = (i + 0.5f) / NV3_PIXOPS_SAMPLES;
        uint64_t pass = 0;

        for (unsigned v = 0; v < PIX_VECTORS; v++) {
            pass |= pix_bits(lane_saturate(((const LaneF *)alpha)[v]) >= lowest, v);
        }
        mask[i] &= pass;
    }
}

/* Applies blending or the logic operation to the samples in @mask, and stores them. */
static LANES_TARGET void pix_color_samples(const NV3PixopsState *s,
                                           const NV3PixopsPlace *p,
                                           const float *const color[4],
                                           const uint64_t mask[NV3_PIXOPS_SAMPLES])
{
    const unsigned bytes = pix_formats[s->color_format].bytes;
    const PixFloats *dither = &pix_dither[s->dither];
    PixWords old[NV3_PIXOPS_SAMPLES], new[NV3_PIXOPS_SAMPLES];

    if (!nv3_pixops_reads_color(s)) {
        pix_color_words(s, color, dither, NULL, &new[0], PIX_VECTORS);
        pix_store_samples((const PixWords *const[]) {
            &new[0], &new[0], &new[0], &new[0] }, p, bytes, mask);
        return;
    }
    pix_load_samples(old, p, bytes);
    for (unsigned i = 0; i < NV3_PIXOPS_SAMPLES; i++) {
        if (mask[i]) {
            pix_color_words(s, color, dither, &old[i], &new[i], PIX_VECTORS);
        }
    }
    pix_store_samples((const PixWords *const[]) {
        &new[0], &new[1], &new[2], &new[3] }, p, bytes, mask);
}
