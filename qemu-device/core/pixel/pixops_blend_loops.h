/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Blends colours and applies logic operations. Compiled for one SIMD level. Included by
 * pixops_loops.h.
 */

/* The components r, g, b, a of a vector of pixels. */
typedef struct PixColor {
    LaneF c[4];
} PixColor;

LANES_INLINE PixColor pix_unpack(const PixFormat *f, LaneI word)
{
    PixColor r;

    for (unsigned c = 0; c < 4; c++) {
        const int max = (1 << f->bits[c]) - 1;

        if (max) {
            r.c[c] = lane_to_float((LaneI)((LaneU)word >> f->shift[c]) & max) *
                     (1.0f / max);
        } else {
            r.c[c] = lane_splat(1);
        }
    }
    return r;
}

/* Returns the value of the blend factor @factor (NV3PixopsFactor) for component @c. */
LANES_INLINE LaneF pix_factor(const NV3PixopsState *s, unsigned factor,
                              const PixColor *src, const PixColor *dst, unsigned c)
{
    switch (factor) {
    case NV3_PIXOPS_F_ZERO:
        return lane_splat(0);
    case NV3_PIXOPS_F_SRC_COLOR:
        return src->c[c];
    case NV3_PIXOPS_F_ONE_MINUS_SRC_COLOR:
        return 1.0f - src->c[c];
    case NV3_PIXOPS_F_SRC_ALPHA:
        return src->c[3];
    case NV3_PIXOPS_F_ONE_MINUS_SRC_ALPHA:
        return 1.0f - src->c[3];
    case NV3_PIXOPS_F_DST_ALPHA:
        return dst->c[3];
    case NV3_PIXOPS_F_ONE_MINUS_DST_ALPHA:
        return 1.0f - dst->c[3];
    case NV3_PIXOPS_F_DST_COLOR:
        return dst->c[c];
    case NV3_PIXOPS_F_ONE_MINUS_DST_COLOR:
        return 1.0f - dst->c[c];
    case NV3_PIXOPS_F_SRC_ALPHA_SATURATE:
        return c == 3 ? lane_splat(1) : lane_min(src->c[3], 1.0f - dst->c[3]);
    case NV3_PIXOPS_F_CONST_COLOR:
        return lane_splat(s->blend_color[c]);
    case NV3_PIXOPS_F_ONE_MINUS_CONST_COLOR:
        return lane_splat(1 - s->blend_color[c]);
    case NV3_PIXOPS_F_CONST_ALPHA:
        return lane_splat(s->blend_color[3]);
    case NV3_PIXOPS_F_ONE_MINUS_CONST_ALPHA:
        return lane_splat(1 - s->blend_color[3]);
    default:
        return lane_splat(1);
    }
}

LANES_INLINE LaneF pix_equation(unsigned equation, LaneF src, LaneF dst, LaneF src_factor,
                                LaneF dst_factor)
{
    switch (equation) {
    case NV3_PIXOPS_EQ_SUBTRACT:
        return src * src_factor - dst * dst_factor;
    case NV3_PIXOPS_EQ_REVERSE_SUBTRACT:
        return dst * dst_factor - src * src_factor;
    case NV3_PIXOPS_EQ_MIN:
        return lane_min(src, dst);
    case NV3_PIXOPS_EQ_MAX:
        return lane_max(src, dst);
    default:
        return src * src_factor + dst * dst_factor;
    }
}

/*
 * Blends @color with the stored pixels @word. Stores the blended colours in @result, in
 * the format that pix_pack() accepts. Not inlined, because the factors of all blend
 * functions take much code.
 */
static LANES_TARGET __attribute__((noinline))
void pix_blend(const NV3PixopsState *s, const float *const color[4], const PixWords *word,
               float result[4][PIX_BLOCK], unsigned vectors)
{
    const PixFormat *f = &pix_formats[s->color_format];

    for (unsigned i = 0; i < vectors; i++) {
        PixColor dst = pix_unpack(f, ((const LaneI *)word->pixel)[i]), src;

        for (unsigned c = 0; c < 4; c++) {
            src.c[c] = lane_saturate(((const LaneF *)color[c])[i]);
        }
        for (unsigned c = 0; c < 3; c++) {
            ((LaneF *)result[c])[i] =
                pix_equation(s->blend_equation, src.c[c], dst.c[c],
                             pix_factor(s, s->blend_src, &src, &dst, c),
                             pix_factor(s, s->blend_dst, &src, &dst, c));
        }
        ((LaneF *)result[3])[i] =
            pix_equation(s->blend_equation_alpha, src.c[3], dst.c[3],
                         pix_factor(s, s->blend_src_alpha, &src, &dst, 3),
                         pix_factor(s, s->blend_dst_alpha, &src, &dst, 3));
    }
}

/*
 * Returns true if the draw blends with one of the two usual functions for translucent
 * colours: the factors of the source are alpha or 1, and the factors of the destination
 * are 1 - alpha.
 */
LANES_INLINE bool pix_is_over(const NV3PixopsState *s)
{
    return (s->blend_src == NV3_PIXOPS_F_SRC_ALPHA || s->blend_src == NV3_PIXOPS_F_ONE) &&
           s->blend_src_alpha == s->blend_src &&
           s->blend_dst == NV3_PIXOPS_F_ONE_MINUS_SRC_ALPHA &&
           s->blend_dst_alpha == NV3_PIXOPS_F_ONE_MINUS_SRC_ALPHA &&
           s->blend_equation == NV3_PIXOPS_EQ_ADD &&
           s->blend_equation_alpha == NV3_PIXOPS_EQ_ADD;
}

/*
 * Blends vector @i of @color with @dst, and packs the results, for the functions of
 * pix_is_over(). @scaled: the factors of the source are alpha. @alpha: the target has
 * alpha. @scaled and @alpha are constants after inlining.
 */
LANES_INLINE LaneI pix_over_vector(bool scaled, bool alpha, const float *const color[4],
                                   unsigned i, LaneI dst)
{
    const LaneF a = lane_saturate(((const LaneF *)color[3])[i]);
    const LaneF src_factor = (scaled ? a : lane_splat(1)) * 255.0f;
    const LaneF dst_factor = 1.0f - a;
    LaneF blended[4];

    for (unsigned c = 0; c < (alpha ? 4 : 3); c++) {
        const unsigned shift = pix_formats[NV3_PIXOPS_A8R8G8B8].shift[c];
        const LaneI stored = (LaneI)((LaneU)dst >> shift) & 255;

        blended[c] = lane_saturate(((const LaneF *)color[c])[i]) * src_factor +
                     lane_to_float(stored) * dst_factor;
    }
    return pix_pack_vector(blended, alpha);
}

LANES_INLINE void pix_over_vectors(bool scaled, bool alpha, const float *const color[4],
                                   const PixWords *old, PixWords *new, unsigned vectors)
{
    for (unsigned i = 0; i < vectors; i++) {
        ((LaneI *)new->pixel)[i] = pix_over_vector(scaled, alpha, color, i,
                                                   ((const LaneI *)old->pixel)[i]);
    }
}

/*
 * Blends @color with @old, and packs the results in @new, for the functions of
 * pix_is_over() and targets with 32 bits per pixel. The results may differ from those of
 * pix_blend() and pix_pack() by rounding errors.
 */
static LANES_TARGET __attribute__((noinline))
void pix_blend_over(const NV3PixopsState *s, const float *const color[4],
                    const PixWords *old, PixWords *new, unsigned vectors)
{
    const bool scaled = s->blend_src == NV3_PIXOPS_F_SRC_ALPHA;

    if (s->color_format == NV3_PIXOPS_A8R8G8B8) {
        if (scaled) {
            pix_over_vectors(true, true, color, old, new, vectors);
        } else {
            pix_over_vectors(false, true, color, old, new, vectors);
        }
    } else if (scaled) {
        pix_over_vectors(true, false, color, old, new, vectors);
    } else {
        pix_over_vectors(false, false, color, old, new, vectors);
    }
}

/*
 * Executes the logic operation @op on the bits of @src and @dst, and stores the result in
 * @src. @op is a truth table. Bit 0 of @op is the result if the bits of source and
 * destination are both 1. Bit 1 is the result for source 1 and destination 0, bit 2 for
 * source 0 and destination 1, and bit 3 if both are 0.
 */
LANES_INLINE void pix_logic(unsigned op, PixWords *src, const PixWords *dst,
                            unsigned vectors)
{
    for (unsigned i = 0; i < vectors; i++) {
        LaneI s = ((LaneI *)src->pixel)[i], d = ((const LaneI *)dst->pixel)[i];
        LaneI r = { 0 };

        r |= lane_all(op & 1) & (s & d);
        r |= lane_all(op & 2) & (s & ~d);
        r |= lane_all(op & 4) & (~s & d);
        r |= lane_all(op & 8) & (~s & ~d);
        ((LaneI *)src->pixel)[i] = r;
    }
}
