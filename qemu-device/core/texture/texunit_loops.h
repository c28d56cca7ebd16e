/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tex_sample() executes a texture operation for a block of 8 x 8 pixels. The source file
 * of each SIMD level includes this header after pixel/lanes.h.
 *
 * Before coordinates address a texel, they are clamped to the decoded level with its
 * border. Therefore, they cannot cause an access outside the level. A NaN is clamped to
 * the lowest coordinate.
 */
#include "texture/tex_lod_loops.h"
#include "texture/texunit_int.h"

/* Fixed-point coordinates (tex_fixed()). A fraction is a bilinear weight. */
#define TEX_FRACTION_BITS   8
#define TEX_ONE             (1 << TEX_FRACTION_BITS)
#define TEX_FRACTION_MASK   NV3_TEX_WEIGHT_ONE

/* The texel indices and weights along one axis, for a vector of pixels. */
typedef struct TexAxis {
    /*
     * index of the first texel: from -1 to the level's size (with a linear filter, to its
     * size - 1)
     */
    LaneI texel;
    LaneI weight;       /* weight of the next texel: 0 to NV3_TEX_WEIGHT_ONE */
} TexAxis;

/* Coordinates of a vector of pixels, and the indices of their cube faces. */
typedef struct TexPlace {
    LaneF coord[3];
    LaneI face;
} TexPlace;

/*
 * Returns a triangle wave with period 2: @s if @s is from 0 to 1, and 2 - @s if @s is
 * from 1 to 2.
 */
LANES_INLINE LaneF tex_mirror(LaneF s)
{
    LaneF half = s * 0.5f, t = (half - lane_floor(half)) * 2.0f;

    return lane_min(t, 2.0f - t);
}

/*
 * Applies the wrap mode to coordinate @s, and converts the coordinate to texels or, for
 * a linear filter, to fixed-point units (tex_fixed()). The result may be outside the
 * level. @linear is a constant after inlining.
 */
LANES_INLINE LaneF tex_wrap(LaneF s, unsigned wrap, int32_t size, bool linear)
{
    const float scale = linear ? size * TEX_ONE : size;
    const float offset = linear ? TEX_ONE - TEX_ONE / 2 : 0;
    const LaneF low = lane_splat(linear ? TEX_ONE : 0);
    const LaneF high = lane_splat(linear ? scale : scale - 0.5f);
    LaneF u;

    switch (wrap) {
    case NV3_TEX_REPEAT:
        u = (s - lane_floor(s)) * scale + offset;
        return linear ? u : lane_min(u, high);
    case NV3_TEX_MIRRORED_REPEAT:
        s = tex_mirror(s);
        break;
    case NV3_TEX_MIRROR_CLAMP_TO_EDGE:
        s = lane_abs(s);
        break;
    case NV3_TEX_CLAMP_TO_EDGE:
        break;
    case NV3_TEX_MIRROR_CLAMP_TO_BORDER:
        return lane_abs(s) * scale + offset;
    case NV3_TEX_CLAMP_TO_BORDER:
        return s * scale + offset;
    case NV3_TEX_MIRROR_CLAMP:
        s = lane_abs(s);
        /* fall through */
    default:
        if (linear) {
            return lane_min(lane_max(s, lane_splat(0)), lane_splat(1)) * scale + offset;
        }
        break;
    }
    return lane_min(lane_max(s * scale + offset, low), high);
}

/* Returns true if tex_wrap() already limits coordinates to the level's texels. */
LANES_INLINE bool tex_is_bounded(unsigned wrap)
{
    return wrap == NV3_TEX_CLAMP_TO_EDGE || wrap == NV3_TEX_MIRRORED_REPEAT ||
           wrap == NV3_TEX_MIRROR_CLAMP_TO_EDGE;
}

/*
 * Returns a coordinate for a linear filter as a fixed-point number in units of
 * 1 / TEX_ONE texel. 0 is the centre of texel -1. The integer part therefore is the index
 * of the first texel plus 1, and the fraction is the weight of the next texel.
 */
LANES_INLINE LaneI tex_fixed(LaneF s, unsigned wrap, int32_t size)
{
    LaneF u = tex_wrap(s, wrap, size, true);

    if (!tex_is_bounded(wrap)) {
        u = lane_max(u, lane_splat(0));
        if (wrap != NV3_TEX_REPEAT) {
            u = lane_min(u, lane_splat((size + 1) * TEX_ONE - 1));
        }
    }
    return lane_to_int(u);
}

LANES_INLINE TexAxis tex_axis_linear(LaneF s, unsigned wrap, int32_t size)
{
    const LaneI u = tex_fixed(s, wrap, size);

    return (TexAxis) { (u >> TEX_FRACTION_BITS) - 1, u & TEX_FRACTION_MASK };
}

/*
 * Returns the index of the nearest texel. Only wrap modes that use the border colour can
 * return an index outside the level.
 */
LANES_INLINE LaneI tex_axis_nearest(LaneF s, unsigned wrap, int32_t size)
{
    LaneF u = tex_wrap(s, wrap, size, false);

    if (wrap == NV3_TEX_CLAMP_TO_BORDER || wrap == NV3_TEX_MIRROR_CLAMP_TO_BORDER) {
        u = lane_min(lane_max(u, lane_splat(-1)), lane_splat(size));
    }
    return lane_to_int(lane_floor(u));
}

/* ---- fetching ---------------------------------------------------------- */

/* Returns the texels at @index. */
LANES_INLINE LaneI tex_fetch(const NV3TexDecoded *level, LaneI index)
{
    return lane_gather(&level->texel->upper, index * 2);
}

/* Stores the components r, g, b, a of @texel in @result, as numbers from 0 to 1. */
LANES_INLINE void tex_unpack(LaneI texel, LaneF result[4])
{
    static const unsigned shift[4] = { 16, 8, 0, 24 };

    texel ^= (int32_t)NV3_TEX_BIAS;
    for (unsigned c = 0; c < 4; c++) {
        result[c] = lane_to_float((LaneI)((LaneU)texel >> shift[c]) & 255) *
                    (1.0f / 255);
    }
}

/*
 * Result of a bilinear filter if the component is 1.0 (255) in all four texels: 255 times
 * the sum of the weights along one axis, times the sum of the weights along the other
 * axis.
 */
#define TEX_SUM_ONE (255 * NV3_TEX_WEIGHT_ONE * NV3_TEX_WEIGHT_ONE)

/*
 * Forces the compiler to load elements of @array from memory, because extracting them
 * from a register is slower.
 */
#define TEX_IN_MEMORY(array)    __asm__("" : "+m" (array))

#if LANES > 4
#if LANES == 16
#define TEX_V(op)       _mm512_##op
typedef __m512i TexVec;

LANES_INLINE TexVec tex_constant(const void *bytes)
{
    return _mm512_broadcast_i32x4(_mm_loadu_si128(bytes));
}
#else
#define TEX_V(op)       _mm256_##op
typedef __m256i TexVec;

LANES_INLINE TexVec tex_constant(const void *bytes)
{
    return _mm256_broadcastsi128_si256(_mm_loadu_si128(bytes));
}
#endif

/* Loads the four texels of a bilinear filter for two pixels. */
LANES_INLINE __m256i tex_load_two(const NV3TexPair *p, int32_t first, int32_t second)
{
    return _mm256_inserti128_si256(
        _mm256_castsi128_si256(_mm_loadu_si128((const void *)(p + first))),
        _mm_loadu_si128((const void *)(p + second)), 1);
}

/*
 * Loads the four texels of a bilinear filter for every fourth pixel (i[0], i[4] and so
 * on). On most hosts, separate loads are faster than gather instructions.
 */
LANES_INLINE TexVec tex_load(const NV3TexPair *p, const int32_t *i)
{
#if LANES == 16
    return _mm512_inserti64x4(_mm512_castsi256_si512(tex_load_two(p, i[0], i[4])),
                              tex_load_two(p, i[8], i[12]), 1);
#else
    return tex_load_two(p, i[0], i[4]);
#endif
}

/*
 * Applies a bilinear filter to four texels for each pixel of a vector. @i: indices of the
 * upper left texels, counted from @p. The lowest 8 bits of @u and @v are the weights of
 * the right and of the lower texels. The other bits have no effect.
 */
LANES_INLINE void tex_filter_at(const NV3TexPair *p, const int32_t *i, LaneI u, LaneI v,
                                LaneF result[4])
{
    /*
     * Sorts the bytes of four texels by component. The order within a component is upper
     * left, upper right, lower left, lower right.
     */
    static const uint8_t by_channel[16] = {
        0, 8, 4, 12, 1, 9, 5, 13, 2, 10, 6, 14, 3, 11, 7, 15,
    };
    /* Repeats the lowest byte of each pixel's 32 bits. */
    static const uint8_t by_pixel[16] = {
        0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8, 12, 12, 12, 12,
    };
    /* Extends this byte to 16 bits, and repeats it. -1 selects zero. */
    static const int8_t by_line[16] = {
        0, -1, 0, -1, 4, -1, 4, -1, 8, -1, 8, -1, 12, -1, 12, -1,
    };
    const TexVec order = tex_constant(by_channel);
    TexVec w, t[4], bg[2], ra[2], sum[4];

    /*
     * In @w, the 32 bits of a pixel hold each weight twice: 255 - u in bytes 0 and 2, and
     * u in bytes 1 and 3.
     */
    w = (TexVec)((LaneU)TEX_V(shuffle_epi8)((TexVec)u, tex_constant(by_pixel)) ^
                 0x00ff00ff);
    t[0] = TEX_V(shuffle_epi8)(tex_load(p, i), order);
    t[1] = TEX_V(shuffle_epi8)(tex_load(p, i + 1), order);
    t[2] = TEX_V(shuffle_epi8)(tex_load(p, i + 2), order);
    t[3] = TEX_V(shuffle_epi8)(tex_load(p, i + 3), order);
    /*
     * Filter along the lines. The result for each component is 16 bits for the upper
     * line, followed by 16 bits for the lower line.
     */
    t[0] = TEX_V(maddubs_epi16)(TEX_V(shuffle_epi32)(w, 0x00), t[0]);
    t[1] = TEX_V(maddubs_epi16)(TEX_V(shuffle_epi32)(w, 0x55), t[1]);
    t[2] = TEX_V(maddubs_epi16)(TEX_V(shuffle_epi32)(w, 0xaa), t[2]);
    t[3] = TEX_V(maddubs_epi16)(TEX_V(shuffle_epi32)(w, 0xff), t[3]);
    /* Collect the results of each component, in the order of the pixels. */
    bg[0] = TEX_V(unpacklo_epi32)(t[0], t[1]);
    bg[1] = TEX_V(unpacklo_epi32)(t[2], t[3]);
    ra[0] = TEX_V(unpackhi_epi32)(t[0], t[1]);
    ra[1] = TEX_V(unpackhi_epi32)(t[2], t[3]);
    sum[0] = TEX_V(unpacklo_epi64)(ra[0], ra[1]);
    sum[1] = TEX_V(unpackhi_epi64)(bg[0], bg[1]);
    sum[2] = TEX_V(unpacklo_epi64)(bg[0], bg[1]);
    sum[3] = TEX_V(unpackhi_epi64)(ra[0], ra[1]);
    /*
     * Filter between the lines. In @w, the 32 bits of a pixel contain the 16-bit weights
     * 255 - v and v.
     */
    w = (TexVec)((LaneU)TEX_V(shuffle_epi8)((TexVec)v, tex_constant(by_line)) ^ 0xff);
    for (unsigned c = 0; c < 4; c++) {
        LaneI s = (LaneI)TEX_V(madd_epi16)(sum[c], w) +
                  128 * NV3_TEX_WEIGHT_ONE * NV3_TEX_WEIGHT_ONE;

        result[c] = lane_to_float(s) * (1.0f / TEX_SUM_ONE);
    }
}
#else
typedef uint8_t TexBytes __attribute__((vector_size(8)));
typedef uint16_t TexHalves __attribute__((vector_size(16)));
typedef uint16_t TexFour __attribute__((vector_size(8)));

/* Byte offsets of r, g, b and a in a texel. */
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
static const unsigned tex_byte[4] = { 1, 2, 3, 0 };
#else
static const unsigned tex_byte[4] = { 2, 1, 0, 3 };
#endif

/* Returns the components of a texel and of the texel below it, extended to 16 bits. */
LANES_INLINE TexHalves tex_widen(const NV3TexPair *p)
{
    TexBytes b;

    memcpy(&b, p, sizeof(b));
    return __builtin_convertvector(b ^ 0x80, TexHalves);
}

LANES_INLINE void tex_filter_at(const NV3TexPair *p, const int32_t *i, LaneI u, LaneI v,
                                LaneF result[4])
{
    LaneF pixel[LANES];

    u &= TEX_FRACTION_MASK;
    v &= TEX_FRACTION_MASK;
    for (unsigned l = 0; l < LANES; l++) {
        const uint16_t left = NV3_TEX_WEIGHT_ONE - u[l], right = u[l];
        const TexHalves lines = tex_widen(p + i[l]) * left +
                                tex_widen(p + i[l] + 1) * right;
        TexFour half[2];
        LaneF upper, lower;

        memcpy(half, &lines, sizeof(half));
        upper = lane_to_float(__builtin_convertvector(half[0], LaneI));
        lower = lane_to_float(__builtin_convertvector(half[1], LaneI));
        /* The sum is below 2^24, so a float holds it exactly. */
        pixel[l] = (upper * (float)(NV3_TEX_WEIGHT_ONE - v[l]) + lower * (float)v[l]) *
                   (1.0f / TEX_SUM_ONE);
    }
    for (unsigned c = 0; c < 4; c++) {
        const unsigned b = tex_byte[c];

        result[c] = (LaneF) { pixel[0][b], pixel[1][b], pixel[2][b], pixel[3][b] };
    }
}
#endif

/*
 * Applies a bilinear filter to four texels for each pixel. @index: indices of the upper
 * left texels.
 */
LANES_INLINE void tex_filter(const NV3TexDecoded *level, LaneI index, LaneI wu, LaneI wv,
                             LaneF result[4])
{
    int32_t i[LANES] __attribute__((aligned(64)));

    *(LaneI *)i = index;
    TEX_IN_MEMORY(i);
    tex_filter_at(level->texel, i, wu, wv, result);
}

/* ---- fetching sRGB texels ------------------------------------------------ */

/*
 * Stores the components r, g, b, a of the texels at @index in @result, as numbers from 0
 * to 1.
 */
LANES_INLINE void tex_fetch_color(const NV3TexUnit *unit, const NV3TexDecoded *level,
                                  LaneI index, LaneF result[4])
{
    LaneI texel = tex_fetch(level, index);

    tex_unpack(texel, result);
    if (unit->srgb) {
        texel ^= (int32_t)NV3_TEX_BIAS;
        for (unsigned c = 0; c < 3; c++) {
            const LaneI component = (LaneI)((LaneU)texel >> (16 - 8 * c)) & 255;

            result[c] = (LaneF)lane_gather(unit->linear, component);
        }
    }
}

LANES_INLINE void tex_blend(LaneF result[4], const LaneF next[4], LaneF weight)
{
    for (unsigned c = 0; c < 4; c++) {
        result[c] = result[c] + (next[c] - result[c]) * weight;
    }
}

/* Like tex_filter(), but converts the texels from sRGB before it filters them. */
static LANES_TARGET __attribute__((noinline))
void tex_filter_srgb(const NV3TexUnit *unit, const NV3TexDecoded *level, LaneI index,
                     LaneI wu, LaneI wv, LaneF result[4])
{
    const LaneF u = lane_to_float(wu) * (1.0f / NV3_TEX_WEIGHT_ONE);
    const LaneF v = lane_to_float(wv) * (1.0f / NV3_TEX_WEIGHT_ONE);
    LaneF lower[4], next[4];

    tex_fetch_color(unit, level, index, result);
    tex_fetch_color(unit, level, index + 1, next);
    tex_blend(result, next, u);
    tex_fetch_color(unit, level, index + level->pitch, lower);
    tex_fetch_color(unit, level, index + level->pitch + 1, next);
    tex_blend(lower, next, u);
    tex_blend(result, lower, v);
}

LANES_INLINE void tex_filter_color(const NV3TexUnit *unit, const NV3TexDecoded *level,
                                   LaneI index, LaneI wu, LaneI wv, LaneF result[4])
{
    if (unit->srgb) {
        tex_filter_srgb(unit, level, index, wu, wv, result);
    } else {
        tex_filter(level, index, wu, wv, result);
    }
}

/* ---- levels ------------------------------------------------------------ */

/* Samples a 2D image with a linear filter. */
LANES_INLINE void tex_linear_2d(const NV3TexDecoded *level, unsigned wrap_s,
                                unsigned wrap_t, LaneF s, LaneF t, LaneF result[4])
{
    TexAxis u = tex_axis_linear(s, wrap_s, level->size[0]);
    TexAxis v = tex_axis_linear(t, wrap_t, level->size[1]);

    tex_filter(level, v.texel * level->pitch + u.texel, u.weight, v.weight, result);
}

LANES_INLINE void tex_level_linear(const NV3TexUnit *unit, const NV3TexDecoded *level,
                                   const TexPlace *p, LaneF result[4])
{
    const unsigned dim = unit->image.dim;
    const bool cube = dim == NV3_TEX_CUBE;
    const uint8_t *wrap = unit->sampler.wrap;
    TexAxis u, v, w;
    LaneI index;

    if (dim == NV3_TEX_2D && !unit->srgb) {
        tex_linear_2d(level, wrap[0], wrap[1], p->coord[0], p->coord[1], result);
        return;
    }
    u = tex_axis_linear(p->coord[0], cube ? NV3_TEX_CLAMP_TO_EDGE : wrap[0],
                        level->size[0]);
    v = tex_axis_linear(p->coord[1], cube ? NV3_TEX_CLAMP_TO_EDGE : wrap[1],
                        level->size[1]);
    index = v.texel * level->pitch + u.texel;
    if (dim != NV3_TEX_3D) {
        tex_filter_color(unit, level, index + p->face * level->slice, u.weight, v.weight,
                         result);
        return;
    }
    w = tex_axis_linear(p->coord[2], wrap[2], level->size[2]);
    index += w.texel * level->slice;
    tex_filter_color(unit, level, index, u.weight, v.weight, result);
    if (lane_any(w.weight != 0)) {
        LaneF next[4], weight = lane_to_float(w.weight) * (1.0f / NV3_TEX_WEIGHT_ONE);

        /*
         * If the weight of a pixel is 0, use the current slice for this pixel, because
         * the next slice may not exist.
         */
        tex_filter_color(unit, level, index + ((w.weight != 0) & level->slice), u.weight,
                         v.weight, next);
        tex_blend(result, next, weight);
    }
}

/* Returns the index of the texel that is nearest to @s, @t in a slice. */
LANES_INLINE LaneI tex_nearest_2d(const NV3TexDecoded *level, unsigned wrap_s,
                                  unsigned wrap_t, LaneF s, LaneF t)
{
    return tex_axis_nearest(s, wrap_s, level->size[0]) +
           tex_axis_nearest(t, wrap_t, level->size[1]) * level->pitch;
}

LANES_INLINE void tex_level_nearest(const NV3TexUnit *unit, const NV3TexDecoded *level,
                                    const TexPlace *p, LaneF result[4])
{
    const uint8_t *wrap = unit->sampler.wrap;
    LaneI index;

    if (unit->image.dim == NV3_TEX_CUBE) {
        index = tex_nearest_2d(level, NV3_TEX_CLAMP_TO_EDGE, NV3_TEX_CLAMP_TO_EDGE,
                               p->coord[0], p->coord[1]) + p->face * level->slice;
    } else {
        index = tex_nearest_2d(level, wrap[0], wrap[1], p->coord[0], p->coord[1]);
        if (unit->image.dim == NV3_TEX_3D) {
            index += tex_axis_nearest(p->coord[2], wrap[2], level->size[2]) *
                     level->slice;
        }
    }
    tex_fetch_color(unit, level, index, result);
}

LANES_INLINE LaneF tex_compare(unsigned func, LaneF ref, LaneF texel)
{
    LaneI pass = { 0 };

    pass |= lane_all(func & 1) & (ref < texel);
    pass |= lane_all(func & 2) & (ref == texel);
    pass |= lane_all(func & 4) & (ref > texel);
    return (LaneF)(pass & (LaneI)lane_splat(1));
}

/*
 * Returns a depth texel, or, if sampler->compare is set, the result of its comparison
 * with @ref.
 */
LANES_INLINE LaneF tex_depth_texel(const NV3TexSampler *sampler,
                                   const NV3TexDecoded *level, LaneI index, LaneF ref)
{
    LaneF texel = (LaneF)tex_fetch(level, index);

    return sampler->compare ? tex_compare(sampler->compare_func, ref, texel) : texel;
}

/*
 * Samples a depth format. If sampler->compare is set, a linear filter is applied to the
 * results of the comparisons. @slice: offset of the first texel of the face.
 */
LANES_INLINE void tex_depth_2d(const NV3TexSampler *sampler, const NV3TexDecoded *level,
                               bool linear, unsigned wrap_s, unsigned wrap_t,
                               const TexPlace *p, LaneI slice, LaneF result[4])
{
    const LaneF ref = lane_saturate(p->coord[2]);
    LaneF value;

    if (linear) {
        TexAxis u = tex_axis_linear(p->coord[0], wrap_s, level->size[0]);
        TexAxis v = tex_axis_linear(p->coord[1], wrap_t, level->size[1]);
        LaneI index = v.texel * level->pitch + u.texel + slice;
        LaneF wu = lane_to_float(u.weight) * (1.0f / NV3_TEX_WEIGHT_ONE);
        LaneF wv = lane_to_float(v.weight) * (1.0f / NV3_TEX_WEIGHT_ONE);
        LaneF a = tex_depth_texel(sampler, level, index, ref);
        LaneF b = tex_depth_texel(sampler, level, index + 1, ref);
        LaneF c = tex_depth_texel(sampler, level, index + level->pitch, ref);
        LaneF d = tex_depth_texel(sampler, level, index + level->pitch + 1, ref);

        a = a + (b - a) * wu;
        c = c + (d - c) * wu;
        value = a + (c - a) * wv;
    } else {
        LaneI index = tex_nearest_2d(level, wrap_s, wrap_t, p->coord[0], p->coord[1]);

        value = tex_depth_texel(sampler, level, index + slice, ref);
    }
    result[0] = result[1] = result[2] = value;
    result[3] = lane_splat(1);
}

/* Samples a 2D or cube image with a depth format. */
LANES_INLINE void tex_level_depth(const NV3TexUnit *unit, const NV3TexDecoded *level,
                                  const TexPlace *p, bool linear, LaneF result[4])
{
    const bool cube = unit->image.dim == NV3_TEX_CUBE;
    const unsigned wrap_s = cube ? NV3_TEX_CLAMP_TO_EDGE : unit->sampler.wrap[0];
    const unsigned wrap_t = cube ? NV3_TEX_CLAMP_TO_EDGE : unit->sampler.wrap[1];

    tex_depth_2d(&unit->sampler, level, linear, wrap_s, wrap_t, p,
                 p->face * level->slice, result);
}

static LANES_TARGET __attribute__((noinline))
void tex_level_other(const NV3TexUnit *unit, const NV3TexDecoded *level,
                     const TexPlace *p, bool linear, LaneF result[4])
{
    if (unit->depth) {
        tex_level_depth(unit, level, p, linear, result);
    } else if (linear) {
        tex_level_linear(unit, level, p, result);
    } else {
        tex_level_nearest(unit, level, p, result);
    }
}

/* Samples level @l. @mag: mask of the pixels that use the magnification filter. */
LANES_INLINE void tex_level(const NV3TexUnit *unit, unsigned l, LaneI mag,
                            const TexPlace *p, LaneF result[4])
{
    const NV3TexSampler *s = &unit->sampler;
    const NV3TexDecoded *level = &unit->level[l];

    if (s->min_linear == s->mag_linear) {
        tex_level_other(unit, level, p, s->min_linear, result);
    } else {
        LaneF other[4];

        tex_level_other(unit, level, p, s->mag_linear, other);
        tex_level_other(unit, level, p, s->min_linear, result);
        for (unsigned c = 0; c < 4; c++) {
            result[c] = lane_select(mag, other[c], result[c]);
        }
    }
}

/* Samples each pixel at its own level (@level). */
LANES_INLINE void tex_levels(const NV3TexUnit *unit, LaneI level, LaneI mag,
                             const TexPlace *p, LaneF result[4])
{
    unsigned first = level[0];

    tex_level(unit, first, mag, p, result);
    if (!lane_any(level != level[0])) {
        return;
    }
    for (unsigned l = 0; l < unit->image.levels; l++) {
        LaneI here = level == (int32_t)l;
        LaneF other[4];

        if (l != first && lane_any(here)) {
            tex_level(unit, l, mag, p, other);
            for (unsigned c = 0; c < 4; c++) {
                result[c] = lane_select(here, other[c], result[c]);
            }
        }
    }
}

/*
 * Returns the filter between levels: NV3_TEX_MIP_NONE for an image with one level, else
 * the sampler's filter.
 */
LANES_INLINE unsigned tex_mip(const NV3TexUnit *unit)
{
    return unit->image.levels > 1 ? unit->sampler.mip : NV3_TEX_MIP_NONE;
}

/*
 * Returns the level that a pixel samples, as a whole number, and sets *@weight to the
 * weight of the next level. @lod: level of detail within the bounds. @mip: result of
 * tex_mip().
 */
LANES_INLINE LaneF tex_split_lod(const NV3TexUnit *unit, unsigned mip, LaneF lod,
                                 LaneF *weight)
{
    const float last = unit->image.levels - 1;
    LaneF whole;

    *weight = lane_splat(0);
    if (mip == NV3_TEX_MIP_NONE) {
        return lane_splat(0);
    }
    lod = lane_min(lane_max(lod, lane_splat(0)), lane_splat(last));
    if (mip == NV3_TEX_MIP_NEAREST) {
        /*
         * OpenGL defines the level as ceil(lod + 0.5) - 1, so n + 0.5 selects level n.
         */
        return lane_max(-lane_floor(-(lod + 0.5f)) - 1.0f, lane_splat(0));
    }
    whole = lane_floor(lod);
    *weight = lod - whole;
    return whole;
}

LANES_INLINE LaneI tex_next_level(const NV3TexUnit *unit, LaneF whole)
{
    return lane_to_int(lane_min(whole + 1.0f, lane_splat(unit->image.levels - 1)));
}

/* Samples one or two levels for each pixel. @lod: level of detail within the bounds. */
LANES_INLINE void tex_mipmap(const NV3TexUnit *unit, LaneF lod, const TexPlace *p,
                             LaneF result[4])
{
    const unsigned mip = tex_mip(unit);
    const LaneI mag = lod <= 0.0f;
    LaneF weight, whole = tex_split_lod(unit, mip, lod, &weight), next[4];

    if (mip == NV3_TEX_MIP_NONE) {
        tex_level(unit, 0, mag, p, result);
        return;
    }
    tex_levels(unit, lane_to_int(whole), mag, p, result);
    if (!lane_any(weight > 0.0f)) {
        return;
    }
    tex_levels(unit, tex_next_level(unit, whole), mag, p, next);
    for (unsigned c = 0; c < 4; c++) {
        result[c] = result[c] + (next[c] - result[c]) * weight;
    }
}

/* ---- a block ----------------------------------------------------------- */

LANES_INLINE void tex_store(const NV3TexRequest *request, unsigned i,
                            const LaneF result[4])
{
    for (unsigned c = 0; c < 4; c++) {
        if (request->result[c]) {
            ((LaneF *)request->result[c])[i] = result[c];
        }
    }
}

/* Multiplies the samples that tex_store() has stored by the factors, if there are any. */
static LANES_TARGET void tex_multiply(const NV3TexRequest *request)
{
    for (unsigned c = 0; request->multiplies && c < 4; c++) {
        LaneF *to = (LaneF *)request->result[c];

        for (unsigned i = 0; to && i < TEX_VECTORS; i++) {
            to[i] *= ((const LaneF *)request->factor[c])[i];
        }
    }
}

/*
 * Loads and filters the texels at @index, which tex_filter_at() explains with the other
 * arguments. @multiplies: request->multiplies, a constant after inlining.
 */
LANES_INLINE void tex_filter_block(const NV3TexPair *first, const NV3TexRequest *q,
                                   const int32_t index[TEX_BLOCK],
                                   const LaneI u[TEX_VECTORS],
                                   const LaneI v[TEX_VECTORS], bool multiplies)
{
    for (unsigned i = 0; i < TEX_VECTORS; i++) {
        LaneF result[4];

        tex_filter_at(first, index + i * LANES, u[i], v[i], result);
        for (unsigned c = 0; multiplies && c < 4; c++) {
            result[c] *= ((const LaneF *)q->factor[c])[i];
        }
        tex_store(q, i, result);
    }
}

/*
 * Samples with a linear filter. One loop computes all addresses, and a second loop loads
 * the texels. A single loop would be slower, because the CPU's reorder window would hold
 * only a few iterations, and few loads would be in flight at once.
 */
LANES_INLINE void tex_sample_linear(const NV3TexDecoded *level, const NV3TexRequest *q,
                                    unsigned wrap_s, unsigned wrap_t)
{
    /* The integer parts of fixed-point coordinates begin at texel -1, -1. */
    const NV3TexPair *first = level->texel - level->pitch - 1;
    int32_t index[TEX_BLOCK] __attribute__((aligned(64)));
    LaneI u[TEX_VECTORS], v[TEX_VECTORS];

    for (unsigned i = 0; i < TEX_VECTORS; i++) {
        u[i] = tex_fixed(((const LaneF *)q->coord[0])[i], wrap_s, level->size[0]);
        v[i] = tex_fixed(((const LaneF *)q->coord[1])[i], wrap_t, level->size[1]);
        ((LaneI *)index)[i] = (v[i] >> TEX_FRACTION_BITS) * level->pitch +
                              (u[i] >> TEX_FRACTION_BITS);
    }
    TEX_IN_MEMORY(index);
    /* Keep the sum in one register, because the compiler would add at each load. */
    __asm__("" : "+r" (first));
    if (q->multiplies) {
        tex_filter_block(first, q, index, u, v, true);
    } else {
        tex_filter_block(first, q, index, u, v, false);
    }
}

/* Samples level @l of a 2D image with a colour format for all pixels. */
LANES_INLINE void tex_sample_2d(const NV3TexUnit *unit, unsigned l,
                                const NV3TexRequest *request, bool linear,
                                unsigned wrap_s, unsigned wrap_t)
{
    /*
     * Use local copies, because the compiler must assume that stores of results change
     * the originals, and would load the originals again after each store.
     */
    const NV3TexDecoded level = unit->level[l];
    const NV3TexRequest q = *request;

    if (linear) {
        tex_sample_linear(&level, &q, wrap_s, wrap_t);
        return;
    }
    for (unsigned i = 0; i < TEX_VECTORS; i++) {
        LaneF s = ((const LaneF *)q.coord[0])[i], t = ((const LaneF *)q.coord[1])[i];
        LaneF result[4];

        tex_unpack(tex_fetch(&level, tex_nearest_2d(&level, wrap_s, wrap_t, s, t)),
                   result);
        tex_store(&q, i, result);
    }
}

/*
 * Calls the loop that is compiled for the sampler's wrap modes. @linear is a constant
 * after inlining.
 */
LANES_INLINE void tex_sample_colors(const NV3TexUnit *unit, unsigned l,
                                    const NV3TexRequest *request, bool linear)
{
    const uint8_t *wrap = unit->sampler.wrap;

    if (wrap[0] == NV3_TEX_REPEAT && wrap[1] == NV3_TEX_REPEAT) {
        tex_sample_2d(unit, l, request, linear, NV3_TEX_REPEAT, NV3_TEX_REPEAT);
    } else if (wrap[0] == NV3_TEX_CLAMP_TO_EDGE && wrap[1] == NV3_TEX_CLAMP_TO_EDGE) {
        tex_sample_2d(unit, l, request, linear, NV3_TEX_CLAMP_TO_EDGE,
                      NV3_TEX_CLAMP_TO_EDGE);
    } else {
        tex_sample_2d(unit, l, request, linear, wrap[0], wrap[1]);
    }
}

/* Samples level @l of a 2D image with a depth format for all pixels. */
LANES_INLINE void tex_sample_depths(const NV3TexUnit *unit, unsigned l,
                                    const NV3TexRequest *request, bool linear)
{
    const NV3TexDecoded level = unit->level[l];
    const NV3TexSampler sampler = unit->sampler;
    const NV3TexRequest q = *request;

    for (unsigned i = 0; i < TEX_VECTORS; i++) {
        LaneF result[4];
        const TexPlace p = {
            .coord = {
                ((const LaneF *)q.coord[0])[i], ((const LaneF *)q.coord[1])[i],
                ((const LaneF *)q.coord[2])[i],
            },
        };

        tex_depth_2d(&sampler, &level, linear, sampler.wrap[0], sampler.wrap[1], &p,
                     lane_isplat(0), result);
        tex_store(&q, i, result);
    }
}

/* Samples level @l of a 2D sRGB image for all pixels. */
static LANES_TARGET __attribute__((noinline))
void tex_sample_srgb(const NV3TexUnit *unit, unsigned l, const NV3TexRequest *request,
                     bool linear)
{
    for (unsigned i = 0; i < TEX_VECTORS; i++) {
        LaneF result[4];
        const TexPlace p = {
            .coord = {
                ((const LaneF *)request->coord[0])[i],
                ((const LaneF *)request->coord[1])[i],
            },
        };

        tex_level_other(unit, &unit->level[l], &p, linear, result);
        tex_store(request, i, result);
    }
}

/*
 * Samples level @l of a 2D image, and multiplies the samples by the factors. The filter
 * is the same for all pixels.
 */
static LANES_TARGET void tex_sample_plain(const NV3TexUnit *unit, unsigned l,
                                          const NV3TexRequest *request, bool linear)
{
    if (unit->depth) {
        tex_sample_depths(unit, l, request, linear);
    } else if (unit->srgb) {
        tex_sample_srgb(unit, l, request, linear);
    } else if (linear) {
        /* tex_filter_block() already multiplies. */
        tex_sample_colors(unit, l, request, true);
        return;
    } else {
        tex_sample_colors(unit, l, request, false);
    }
    tex_multiply(request);
}

/*
 * The filter and the levels that all pixels of a block use, and each pixel's weight of
 * level @next.
 */
typedef struct TexCommon {
    bool linear;            /* the filter within a level */
    unsigned level, next;   /* the levels that are interpolated */
    bool blends;            /* @weight is not 0 in at least one lane */
    LaneF weight[TEX_VECTORS];
} TexCommon;

/*
 * Computes @common. Returns false if pixels sample different levels or use different
 * filters.
 */
LANES_INLINE bool tex_find_common(const NV3TexUnit *unit, const LaneF lod[TEX_VECTORS],
                                  TexCommon *common)
{
    const NV3TexSampler *s = &unit->sampler;
    const unsigned mip = tex_mip(unit);
    LaneI magnified = { 0 }, minified = { 0 }, differs = { 0 }, blends = { 0 };
    const LaneF first = lane_splat(tex_split_lod(unit, mip, lod[0], common->weight)[0]);

    for (unsigned i = 0; i < TEX_VECTORS; i++) {
        const LaneI mag = lod[i] <= 0.0f;

        magnified |= mag;
        minified |= ~mag;
        differs |= tex_split_lod(unit, mip, lod[i], &common->weight[i]) != first;
        blends |= common->weight[i] > 0.0f;
    }
    common->linear = lane_any(magnified) ? s->mag_linear : s->min_linear;
    common->level = lane_to_int(first)[0];
    common->next = tex_next_level(unit, first)[0];
    common->blends = lane_any(blends);
    return !lane_any(differs) && (s->min_linear == s->mag_linear ||
                                  !(lane_any(magnified) && lane_any(minified)));
}

static LANES_TARGET void tex_sample_common(const NV3TexUnit *unit,
                                           const NV3TexRequest *request,
                                           const TexCommon *common)
{
    float next[4][TEX_BLOCK] __attribute__((aligned(64)));
    NV3TexRequest first = *request, second;

    if (!common->blends) {
        tex_sample_plain(unit, common->level, request, common->linear);
        return;
    }
    /* The levels are blended before the factors apply. */
    first.multiplies = false;
    second = first;
    for (unsigned c = 0; c < 4; c++) {
        second.result[c] = request->result[c] ? next[c] : NULL;
    }
    tex_sample_plain(unit, common->next, &second, common->linear);
    tex_sample_plain(unit, common->level, &first, common->linear);
    for (unsigned c = 0; c < 4; c++) {
        LaneF *to = (LaneF *)request->result[c];

        for (unsigned i = 0; to && i < TEX_VECTORS; i++) {
            to[i] = to[i] + (((const LaneF *)next[c])[i] - to[i]) * common->weight[i];
        }
    }
    tex_multiply(request);
}

static LANES_TARGET __attribute__((noinline))
void tex_sample_any(const NV3TexUnit *unit, const NV3TexRequest *request)
{
    const float *coord[3] = { request->coord[0], request->coord[1], request->coord[2] };
    LaneF st[2][TEX_VECTORS], major[3][TEX_VECTORS], lod[TEX_VECTORS];
    LaneI face[TEX_VECTORS];
    const bool cube = unit->image.dim == NV3_TEX_CUBE;
    TexCommon common;

    if (cube) {
        tex_cube(coord, st, face, major);
    }
    if (unit->needs_lod) {
        tex_find_lod(unit, request, (const LaneF (*)[TEX_VECTORS])major, lod);
        if (unit->image.dim == NV3_TEX_2D && tex_find_common(unit, lod, &common)) {
            tex_sample_common(unit, request, &common);
            return;
        }
    }
    for (unsigned i = 0; i < TEX_VECTORS; i++) {
        LaneF result[4];
        TexPlace p = {
            .coord = {
                cube ? st[0][i] : ((const LaneF *)coord[0])[i],
                cube ? st[1][i] : ((const LaneF *)coord[1])[i],
                ((const LaneF *)coord[2])[i],
            },
        };

        if (cube) {
            p.face = face[i];
        }
        tex_mipmap(unit, unit->needs_lod ? lod[i] : lane_splat(0), &p, result);
        tex_store(request, i, result);
    }
    tex_multiply(request);
}

/* Executes a texture operation. If @unit is null, the sample is 0, 0, 0, 1. */
LANES_INLINE void tex_sample(const NV3TexUnit *unit, const NV3TexRequest *request)
{
    if (!unit) {
        const LaneF none[4] = { [3] = lane_splat(1) };

        for (unsigned i = 0; i < TEX_VECTORS; i++) {
            tex_store(request, i, none);
        }
        tex_multiply(request);
    } else if (unit->image.dim == NV3_TEX_2D && !unit->needs_lod) {
        tex_sample_plain(unit, 0, request, unit->sampler.min_linear);
    } else {
        tex_sample_any(unit, request);
    }
}
