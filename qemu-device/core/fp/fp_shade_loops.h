/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shading of blocks, for one SIMD level: interpolation, program, pixel operations.
 *
 * A program always runs for 64 pixels. Blocks with pixels in all four strips (two lines
 * each) are shaded at once. Of other blocks, most of which are of small triangles or at
 * edges, the strips with pixels wait until there are four of them. The order in which
 * pixels change memory stays that of the triangles: depth and stencil tests take place
 * when the strip comes or, like blending, in the order of the strips.
 */

#define FP_STRIP_VECTORS    (NV3_PIXOPS_STRIP / LANES)

/* Makes the compiler load from an array what it has stored there as vectors. */
#define FP_IN_MEMORY(array)     __asm__("" : "+m" (array))

/* For each pixel of vector @i of a block, the value @left of its line. */
LANES_INLINE LaneF fp_lines(const float *left, unsigned i)
{
#if LANES == 16
    __m512 upper = _mm512_castps256_ps512(_mm256_set1_ps(left[2 * i]));

    return (LaneF)_mm512_insertf32x8(upper, _mm256_set1_ps(left[2 * i + 1]), 1);
#else
    return lane_splat(left[i * LANES / 8]);
#endif
}

/*
 * A plane's value in @count vectors of the block at @x, @y, from vector @first on.
 * @count is constant where this is inlined.
 */
LANES_INLINE void fp_plane(LaneF *to, const NV3FpPlane *p, float x, float y,
                           unsigned first, unsigned count)
{
    static const float number[16] __attribute__((aligned(64))) = {
        0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7,
    };
    const LaneF dx = lane_splat(p->dx), dy = lane_splat(p->dy);
    const LaneF corner = lane_splat(p->value + (x * p->dx + y * p->dy));
    const LaneF across[2] = {
        *(const LaneF *)&number[0] * dx, *(const LaneF *)&number[LANES % 8] * dx,
    };
    /* The values at the left end of each line of the block. */
    float left[LANES > NV3_FP_BLOCK ? LANES : NV3_FP_BLOCK] __attribute__((aligned(64)));

    for (unsigned i = 0; i < NV3_FP_BLOCK; i += LANES) {
        *(LaneF *)&left[i] = corner + *(const LaneF *)&number[i] * dy;
    }
    FP_IN_MEMORY(left);
    for (unsigned i = 0; i < count; i++) {
        to[i] = fp_lines(left, first + i) + across[i % 2];
    }
}

LANES_INLINE void fp_fill(LaneF *to, float value, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        to[i] = lane_splat(value);
    }
}

/* One component of the window position. */
LANES_INLINE void fp_position(LaneF *to, const NV3FpTriangle *tri, unsigned c, int32_t x,
                              int32_t y, unsigned first, unsigned count)
{
    const float dx = x - tri->x, dy = y - tri->y;
    const NV3FpPlane window[2] = { { x + 0.5f, 1, 0 }, { y + 0.5f, 0, 1 } };

    if (c < 2) {
        fp_plane(to, &window[c], 0, 0, first, count);
    } else {
        fp_plane(to, c == 2 ? &tri->z : &tri->rhw, dx, dy, first, count);
    }
}

/* The input's plane, multiplied by @w: 1, or w where that is the same everywhere. */
LANES_INLINE NV3FpPlane fp_scaled_plane(const NV3FpPlane *p, float w)
{
    return (NV3FpPlane) { p->value * w, p->dx * w, p->dy * w };
}

/* The fog factor, from 0 to 1. */
LANES_INLINE void fp_fog_factor(LaneF *to, const NV3FpTriangle *tri, float dx, float dy,
                                unsigned first, unsigned count)
{
    LaneF rhw[FP_VECTORS];

    fp_plane(to, &tri->input[NV3_FP_FOG][0], dx, dy, first, count);
    fp_plane(rhw, &tri->rhw, tri->affine ? 0 : dx, tri->affine ? 0 : dy, first, count);
    for (unsigned i = 0; i < count; i++) {
        LaneF f = to[i];

        if (!(tri->linear & 1u << NV3_FP_FOG)) {
            f = f / (tri->affine ? lane_splat(tri->rhw.value) : rhw[i]);
        }
        to[i] = lane_saturate(f);
    }
}

/*
 * Writes the inputs that the program reads to their slots, from vector @at on: @count
 * vectors of the block at @x, @y from vector @first on.
 */
LANES_INLINE void fp_interpolate(NV3FpThread *t, const NV3FpTriangle *tri, int32_t x,
                                 int32_t y, unsigned first, unsigned count, unsigned at)
{
    const NV3FpCode *code = t->draw->code;
    const float dx = x - tri->x, dy = y - tri->y;
    const float affine_w = tri->affine && tri->rhw.value != 1 ? 1 / tri->rhw.value : 1;
    const bool perspective = !tri->affine && (code->varyings & ~tri->linear);
    LaneF w[FP_VECTORS];

    if (perspective) {
        fp_plane(w, &tri->rhw, dx, dy, first, count);
        for (unsigned v = 0; v < count; v++) {
            w[v] = 1.0f / w[v];
        }
    }
    for (unsigned i = 0; i < code->input_count; i++) {
        const NV3FpCodeInput *in = &code->input[i];
        const bool linear = tri->linear & 1u << in->input;
        LaneF *to = (LaneF *)t->file[in->slot].pixel + at;
        LaneF value[FP_VECTORS];
        NV3FpPlane plane;

        if (in->input == NV3_FP_POSITION) {
            fp_position(to, tri, in->component, x, y, first, count);
            continue;
        }
        if (in->input == NV3_FP_FACING) {
            fp_fill(to, in->component ? 0 : tri->front ? 1 : -1, count);
            continue;
        }
        plane = fp_scaled_plane(&tri->input[in->input][in->component],
                                linear ? 1 : affine_w);
        fp_plane(value, &plane, dx, dy, first, count);
        for (unsigned v = 0; v < count; v++) {
            if (perspective && !linear) {
                value[v] *= w[v];
            }
            to[v] = value[v];
        }
    }
    if (t->draw->pixops.fog) {
        fp_fog_factor((LaneF *)t->fog.pixel + at, tri, dx, dy, first, count);
    }
}

static LANES_TARGET void fp_interpolate_block(NV3FpThread *t, const NV3FpTriangle *tri,
                                              int32_t x, int32_t y)
{
    fp_interpolate(t, tri, x, y, 0, FP_VECTORS, 0);
}

/* @at: index of the strip among those that wait. */
static LANES_TARGET void fp_interpolate_strip(NV3FpThread *t, const NV3FpTriangle *tri,
                                              int32_t x, int32_t y, unsigned strip,
                                              unsigned at)
{
    fp_interpolate(t, tri, x, y, strip * FP_STRIP_VECTORS, FP_STRIP_VECTORS,
                   at * FP_STRIP_VECTORS);
}

/* Mixes @color with the fog colour, and points @color to the @result. */
static LANES_TARGET void fp_fog(const NV3FpThread *t, const float *color[4],
                                NV3FpSlot result[3])
{
    const NV3PixopsState *s = &t->draw->pixops;

    for (unsigned i = 0; i < FP_VECTORS; i++) {
        const LaneF f = ((const LaneF *)t->fog.pixel)[i];

        for (unsigned c = 0; c < 3; c++) {
            LaneF from = lane_saturate(((const LaneF *)color[c])[i]);

            ((LaneF *)result[c].pixel)[i] = s->fog_color[c] +
                                            (from - s->fog_color[c]) * f;
        }
    }
    for (unsigned c = 0; c < 3; c++) {
        color[c] = result[c].pixel;
    }
}

/* When a draw tests depth and stencil. */
typedef enum FpZeta {
    FP_ZETA_NONE,
    FP_ZETA_EARLY,          /* before the program runs */
    FP_ZETA_TWICE,          /* before, without storing the result, and after */
    FP_ZETA_LATE,           /* after the program, which may drop pixels or write depth */
} FpZeta;

LANES_INLINE FpZeta fp_zeta(const NV3FpDraw *draw)
{
    const NV3PixopsState *s = &draw->pixops;
    const bool stencil = s->stencil_test && s->zeta_format == NV3_PIXOPS_Z24S8;

    if (s->zeta_format == NV3_PIXOPS_ZETA_NONE || !(s->depth_test || stencil)) {
        return FP_ZETA_NONE;
    }
    if (draw->code->depth != NV3_FP_NO_SLOT) {
        return FP_ZETA_LATE;
    }
    if (!draw->code->kills && !s->alpha_test) {
        return FP_ZETA_EARLY;
    }
    /*
     * A pixel that fails now must also fail when other pixels at its place, which wait,
     * have written their depth.
     */
    return stencil || s->depth_func == NV3_PIXOPS_NOTEQUAL ? FP_ZETA_LATE : FP_ZETA_TWICE;
}

/* True if the program has no effect, as in draws of depth alone. */
LANES_INLINE bool fp_is_without_effect(const NV3FpDraw *draw)
{
    const NV3PixopsState *s = &draw->pixops;

    return s->color_format == NV3_PIXOPS_COLOR_NONE && !s->alpha_test &&
           !draw->code->kills && draw->code->depth == NV3_FP_NO_SLOT;
}

/* Runs the program, and points @color to its results, with fog. */
LANES_INLINE void fp_run(NV3FpThread *t, const float *color[4], NV3FpSlot fogged[3])
{
    const NV3FpCode *code = t->draw->code;

    t->killed = 0;
    FP_NAME(nv3_fp_execute)(t, code->op + code->uniform_count, code->count);
    for (unsigned c = 0; c < 4; c++) {
        color[c] = t->file[code->color[c]].pixel;
    }
    if (t->draw->pixops.fog) {
        fp_fog(t, color, fogged);
    }
}

/* The depths that the tests after the program use. */
LANES_INLINE const float *fp_late_depth(const NV3FpThread *t)
{
    const NV3FpCode *code = t->draw->code;

    return code->depth != NV3_FP_NO_SLOT ? t->file[code->depth].pixel : t->z.pixel;
}

/* ---- blocks ---------------------------------------------------------------- */

static LANES_TARGET void fp_shade_block(NV3FpThread *t, const NV3FpTriangle *tri,
                                        int32_t x, int32_t y, const NV3FpStrip *places,
                                        uint64_t mask)
{
    const NV3PixopsState *s = &t->draw->pixops;
    const FpZeta zeta = fp_zeta(t->draw);
    const float *color[4];
    NV3FpSlot fogged[3];

    if (zeta != FP_ZETA_NONE) {
        fp_plane((LaneF *)t->z.pixel, &tri->z, x - tri->x, y - tri->y, 0, FP_VECTORS);
    }
    if (zeta == FP_ZETA_EARLY || zeta == FP_ZETA_TWICE) {
        mask = pix_zeta_block(s, tri->front, &places->zeta, t->z.pixel, mask,
                              zeta == FP_ZETA_EARLY);
        if (!mask) {
            return;
        }
    }
    if (fp_is_without_effect(t->draw)) {
        t->samples += __builtin_popcountll(mask);
        return;
    }
    fp_interpolate_block(t, tri, x, y);
    fp_run(t, color, fogged);
    mask &= ~t->killed;
    if (s->alpha_test) {
        mask = pix_alpha_test(s, color[3], mask, PIX_VECTORS);
    }
    if (mask && (zeta == FP_ZETA_TWICE || zeta == FP_ZETA_LATE)) {
        mask = pix_zeta_block(s, tri->front, &places->zeta, fp_late_depth(t), mask, true);
    }
    if (mask && s->color_format != NV3_PIXOPS_COLOR_NONE) {
        pix_color_block(s, &places->color, color, mask);
    }
    t->samples += __builtin_popcountll(mask);
}

/* ---- strips ---------------------------------------------------------------- */

/* Shades the strips that wait. */
LANES_TARGET void FP_NAME(nv3_fp_shade_strips)(NV3FpThread *t)
{
    const NV3PixopsState *s = &t->draw->pixops;
    const FpZeta zeta = fp_zeta(t->draw);
    const float *color[4];
    NV3FpSlot fogged[3];

    fp_run(t, color, fogged);
    for (unsigned i = 0; i < t->waiting; i++) {
        const NV3FpStrip *strip = &t->strip[i];
        const unsigned at = i * NV3_PIXOPS_STRIP;
        const float *const here[4] = {
            color[0] + at, color[1] + at, color[2] + at, color[3] + at,
        };
        unsigned mask = strip->mask & ~(t->killed >> at);

        if (s->alpha_test) {
            mask = pix_alpha_test(s, here[3], mask, PIX_STRIP_VECTORS);
        }
        if (mask && (zeta == FP_ZETA_TWICE || zeta == FP_ZETA_LATE)) {
            mask = pix_zeta_strip(s, strip->front, &strip->zeta, fp_late_depth(t) + at,
                                  mask, true);
        }
        if (mask && s->color_format != NV3_PIXOPS_COLOR_NONE) {
            pix_color_strip(s, &strip->color, here, mask, strip->odd);
        }
        t->samples += __builtin_popcount(mask);
    }
    t->waiting = 0;
}

/* Adds strip @n of a block to those that wait, unless all of its pixels fail a test. */
static LANES_TARGET void fp_add_strip(NV3FpThread *t, const NV3FpTriangle *tri, int32_t x,
                                      int32_t y, const NV3FpStrip *places, unsigned n,
                                      unsigned mask)
{
    const FpZeta zeta = fp_zeta(t->draw);
    const unsigned at = t->waiting;
    NV3FpStrip *strip = &t->strip[at];

    strip->color = pix_strip_place(&places->color, n);
    strip->front = tri->front;
    strip->odd = n & 1;
    if (zeta != FP_ZETA_NONE) {
        float *z = t->z.pixel + at * NV3_PIXOPS_STRIP;

        strip->zeta = pix_strip_place(&places->zeta, n);
        fp_plane((LaneF *)z, &tri->z, x - tri->x, y - tri->y, n * FP_STRIP_VECTORS,
                 FP_STRIP_VECTORS);
        if (zeta != FP_ZETA_LATE) {
            mask = pix_zeta_strip(&t->draw->pixops, tri->front, &strip->zeta, z, mask,
                                  zeta == FP_ZETA_EARLY);
        }
    }
    if (mask) {
        strip->mask = mask;
        fp_interpolate_strip(t, tri, x, y, n, at);
        t->waiting++;
    }
}

LANES_TARGET void FP_NAME(nv3_fp_shade)(NV3FpThread *t, const NV3FpTriangle *tri,
                                        int32_t x, int32_t y, uint64_t mask)
{
    const NV3PixopsState *s = &t->draw->pixops;
    NV3FpStrip places;

    if (s->color_format != NV3_PIXOPS_COLOR_NONE) {
        if (!pix_color_place(&places.color, s, x, y)) {
            return;
        }
        mask &= pix_place_mask(&places.color);
    }
    if (fp_zeta(t->draw) != FP_ZETA_NONE) {
        if (!pix_place(&places.zeta, &s->zeta, nv3_pixops_zeta_bytes(s), x, y)) {
            return;
        }
        mask &= pix_place_mask(&places.zeta);
    }
    if (((uint16_t)mask && (uint16_t)(mask >> 16) && (uint16_t)(mask >> 32) &&
         mask >> 48) || fp_is_without_effect(t->draw)) {
        if (t->waiting) {
            FP_NAME(nv3_fp_shade_strips)(t);
        }
        fp_shade_block(t, tri, x, y, &places, mask);
        return;
    }
    for (unsigned n = 0; mask; n++, mask >>= NV3_PIXOPS_STRIP) {
        if ((uint16_t)mask) {
            fp_add_strip(t, tri, x, y, &places, n, (uint16_t)mask);
            if (t->waiting == NV3_FP_STRIPS) {
                FP_NAME(nv3_fp_shade_strips)(t);
            }
        }
    }
}
