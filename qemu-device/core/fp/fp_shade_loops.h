/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shading of blocks, for one SIMD level: interpolation, program, pixel operations. */

/* A plane's value at all pixels of the block at @x, @y. */
LANES_INLINE void fp_plane(LaneF *to, const NV3FpPlane *p, float x, float y)
{
    static const float column[16] __attribute__((aligned(64))) = {
        0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7,
    };
    static const float row[16] __attribute__((aligned(64))) = {
        0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1,
    };
    const LaneF dx = lane_splat(p->dx), dy = lane_splat(p->dy);
    const LaneF corner = lane_splat(p->value + (x * p->dx + y * p->dy));
    const LaneF across[2] = {
        *(const LaneF *)&column[0] * dx, *(const LaneF *)&column[LANES % 8] * dx,
    };
    LaneF result[FP_VECTORS];

    for (unsigned i = 0; i < FP_VECTORS; i++) {
        LaneF cy = *(const LaneF *)row + (float)(i * LANES / 8);

        result[i] = (corner + cy * dy) + across[i % 2];
    }
    for (unsigned i = 0; i < FP_VECTORS; i++) {
        to[i] = result[i];
    }
}

LANES_INLINE void fp_fill(LaneF *to, float value)
{
    for (unsigned i = 0; i < FP_VECTORS; i++) {
        to[i] = lane_splat(value);
    }
}

/* One component of the window position. */
static LANES_TARGET void fp_position(LaneF *to, const NV3FpTriangle *tri, unsigned c,
                                     int32_t x, int32_t y)
{
    const float dx = x - tri->x, dy = y - tri->y;
    const NV3FpPlane window[2] = { { x + 0.5f, 1, 0 }, { y + 0.5f, 0, 1 } };

    if (c < 2) {
        fp_plane(to, &window[c], 0, 0);
    } else {
        fp_plane(to, c == 2 ? &tri->z : &tri->rhw, dx, dy);
    }
}

/* The input's plane, multiplied by @w: 1, or w where that is the same everywhere. */
LANES_INLINE NV3FpPlane fp_scaled_plane(const NV3FpPlane *p, float w)
{
    return (NV3FpPlane) { p->value * w, p->dx * w, p->dy * w };
}

/* Writes the inputs that the program reads to their slots. */
static LANES_TARGET void fp_interpolate(NV3FpThread *t, const NV3FpTriangle *tri,
                                        int32_t x, int32_t y)
{
    const NV3FpCode *code = t->draw->code;
    const float dx = x - tri->x, dy = y - tri->y;
    const float affine_w = tri->affine && tri->rhw.value != 1 ? 1 / tri->rhw.value : 1;
    const bool perspective = !tri->affine && (code->varyings & ~tri->linear);
    LaneF w[FP_VECTORS];

    if (perspective) {
        fp_plane(w, &tri->rhw, dx, dy);
        for (unsigned v = 0; v < FP_VECTORS; v++) {
            w[v] = 1.0f / w[v];
        }
    }
    for (unsigned i = 0; i < code->input_count; i++) {
        const NV3FpCodeInput *in = &code->input[i];
        const bool linear = tri->linear & 1u << in->input;
        LaneF *to = (LaneF *)t->file[in->slot].pixel;
        LaneF value[FP_VECTORS];
        NV3FpPlane plane;

        if (in->input == NV3_FP_POSITION) {
            fp_position(to, tri, in->component, x, y);
            continue;
        }
        if (in->input == NV3_FP_FACING) {
            fp_fill(to, in->component ? 0 : tri->front ? 1 : -1);
            continue;
        }
        plane = fp_scaled_plane(&tri->input[in->input][in->component],
                                linear ? 1 : affine_w);
        fp_plane(value, &plane, dx, dy);
        for (unsigned v = 0; v < FP_VECTORS; v++) {
            if (perspective && !linear) {
                value[v] *= w[v];
            }
            to[v] = value[v];
        }
    }
}

/* Mixes @color with the fog colour, and points @color to the @result. */
static LANES_TARGET void fp_fog(NV3FpThread *t, const NV3FpTriangle *tri, int32_t x,
                                int32_t y, const float *color[4], NV3FpSlot result[3])
{
    const NV3PixopsState *s = &t->draw->pixops;
    const float dx = x - tri->x, dy = y - tri->y;
    NV3FpSlot factor, rhw;

    fp_plane((LaneF *)factor.pixel, &tri->input[NV3_FP_FOG][0], dx, dy);
    fp_plane((LaneF *)rhw.pixel, &tri->rhw, tri->affine ? 0 : dx, tri->affine ? 0 : dy);
    for (unsigned i = 0; i < FP_VECTORS; i++) {
        LaneF f = ((const LaneF *)factor.pixel)[i];

        if (!(tri->linear & 1u << NV3_FP_FOG)) {
            f = f / (tri->affine ? lane_splat(tri->rhw.value) :
                                   ((const LaneF *)rhw.pixel)[i]);
        }
        f = lane_saturate(f);
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

LANES_TARGET unsigned FP_NAME(nv3_fp_shade)(NV3FpThread *t, const NV3FpTriangle *tri,
                                            int32_t x, int32_t y, uint64_t mask)
{
    const NV3FpDraw *draw = t->draw;
    const NV3FpCode *code = draw->code;
    const NV3PixopsState *s = &draw->pixops;
    const bool zeta = s->zeta_format != NV3_PIXOPS_ZETA_NONE &&
                      (s->depth_test ||
                       (s->stencil_test && s->zeta_format == NV3_PIXOPS_Z24S8));
    const bool stencil = s->stencil_test && s->zeta_format == NV3_PIXOPS_Z24S8;
    const bool drops = code->kills || s->alpha_test;
    const bool replaces = code->depth != NV3_FP_NO_SLOT;
    const bool colors = s->color_format != NV3_PIXOPS_COLOR_NONE;
    const float *color[4];
    NV3FpSlot z, fogged[3];
    PixPlace place;

    if (colors) {
        if (!pix_color_place(&place, s, x, y)) {
            return 0;
        }
        mask &= pix_place_mask(&place);
    }
    if (!mask) {
        return 0;
    }

    if (zeta && !replaces) {
        fp_plane((LaneF *)z.pixel, &tri->z, x - tri->x, y - tri->y);
        /* Early: to be final, no later test may drop pixels. */
        if (!drops) {
            mask = pix_zeta(s, tri->front, x, y, z.pixel, mask, true);
        } else if (!stencil) {
            mask = pix_zeta(s, tri->front, x, y, z.pixel, mask, false);
        }
        if (!mask) {
            return 0;
        }
    }
    fp_interpolate(t, tri, x, y);
    t->killed = 0;
    FP_NAME(nv3_fp_execute)(t, code->op + code->uniform_count, code->count);
    mask &= ~t->killed;
    for (unsigned c = 0; c < 4; c++) {
        color[c] = t->file[code->color[c]].pixel;
    }
    if (s->alpha_test) {
        mask = pix_alpha_test(s, color[3], mask);
    }
    if (zeta && (replaces || drops) && mask) {
        const float *depth = replaces ? t->file[code->depth].pixel : z.pixel;

        mask = pix_zeta(s, tri->front, x, y, depth, mask, true);
    }
    if (mask && colors) {
        if (s->fog) {
            fp_fog(t, tri, x, y, color, fogged);
        }
        pix_color(s, &place, color, mask);
    }
    return __builtin_popcountll(mask);
}
