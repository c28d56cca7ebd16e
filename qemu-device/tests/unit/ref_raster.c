/* SPDX-License-Identifier: GPL-2.0-or-later AND MIT */
/*
 * Implements the reference rasterizer of ref_raster.h. The final pixel stages follow
 * envytools. All other code in this file has been written for these tests.
 */
/*
 * The notice of envytools for nvhw/pgraph.c and nvhw/pgraph_d3d_nv3.c:
 *
 * Copyright (C) 2012 Marcelina Kościelnicka <mwk@0x04.net>
 * Copyright (C) 2016 Marcelina Kościelnicka <mwk@0x04.net>
 * All Rights Reserved.
 *
 * Permission is hereby granted, free of charge, to any person obtaining a
 * copy of this software and associated documentation files (the "Software"),
 * to deal in the Software without restriction, including without limitation
 * the rights to use, copy, modify, merge, publish, distribute, sublicense,
 * and/or sell copies of the Software, and to permit persons to whom the
 * Software is furnished to do so, subject to the following conditions:
 *
 * The above copyright notice and this permission notice (including the next
 * paragraph) shall be included in all copies or substantial portions of the
 * Software.
 *
 * THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
 * IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
 * FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT.  IN NO EVENT SHALL
 * THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR
 * OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE,
 * ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR
 * OTHER DEALINGS IN THE SOFTWARE.
 */
#include <math.h>
#include <string.h>

#include "nv3_class.h"
#include "ref_raster.h"

/* ---- the exact final stages ----------------------------------------------------- */

unsigned ref_dither(unsigned val8, unsigned x, unsigned y, bool green)
{
    static const bool pattern[4][4] = {
        { 0, 1, 1, 0 },
        { 0, 0, 1, 0 },
        { 0, 0, 1, 1 },
        { 1, 1, 1, 1 },
    };
    unsigned low = val8 & 7, val5 = val8 >> 3;
    bool odd_x = x & 1, odd_y = y & 1, diagonal = odd_x == odd_y;
    bool z = pattern[y >> 2 & 3][x >> 2 & 3] != green;
    bool zw = z != (((x ^ y) & 2) != 0), up;

    switch (low) {
    case 0:
        up = false;
        break;
    case 1:
        up = !odd_x && !odd_y && zw;
        break;
    case 2:
        up = diagonal && odd_x != z;
        break;
    case 3:
        up = diagonal && (!odd_x || zw);
        break;
    case 4:
        up = diagonal;
        break;
    case 5:
        up = diagonal || (odd_x && !odd_y && zw);
        break;
    case 6:
        up = diagonal || odd_y != z;
        break;
    default:
        up = odd_x || !odd_y || zw;
        break;
    }
    return val5 == 31 ? 31 : val5 + up;
}

bool ref_compare(unsigned func, unsigned a, unsigned b)
{
    switch (func) {
    case NV3_D3D_CMP_NEVER:
        return false;
    case NV3_D3D_CMP_LESS:
        return a < b;
    case NV3_D3D_CMP_EQUAL:
        return a == b;
    case 0:
    case NV3_D3D_CMP_LEQUAL:
        return a <= b;
    case NV3_D3D_CMP_GREATER:
        return a > b;
    case NV3_D3D_CMP_NOTEQUAL:
        return a != b;
    case NV3_D3D_CMP_GEQUAL:
        return a >= b;
    default:
        return true;
    }
}

static bool ref_enabled(unsigned mode, bool alpha, bool zeta)
{
    switch (mode) {
    case NV3_D3D_WRITE_ALPHA:
        return alpha;
    case NV3_D3D_WRITE_ALPHA_Z:
        return alpha && zeta;
    case NV3_D3D_WRITE_Z:
        return zeta;
    case NV3_D3D_WRITE_ALWAYS:
        return true;
    default:
        return false;
    }
}

static unsigned ref_blend(unsigned factor, unsigned dst, unsigned src)
{
    if (factor == 15) {
        return src;
    }
    return (dst * (16 - factor) + src * factor) / 16;
}

static uint16_t ref_color(const NV3RasterState *st, unsigned x, unsigned y,
                          RefSource s, unsigned alpha4, uint16_t old)
{
    const uint8_t in[3] = { s.r, s.g, s.b };
    uint16_t out = 0;

    for (unsigned i = 0; i < 3; i++) {
        unsigned src = st->dither ? ref_dither(in[i], x, y, i == 1) :
                                    in[i] >> 3;
        unsigned dst = old >> (10 - 5 * i) & 31, factor = alpha4;

        if (st->config & NV3_D3D_CONFIG_ROP_ADD) {
            src = src + dst > 31 ? 31 : src + dst;
        } else {
            if (st->config & NV3_D3D_CONFIG_BETA_DST_COLOR) {
                factor = dst / 2;
            }
            if (st->config & NV3_D3D_CONFIG_SRC_ZERO) {
                src = 0;
            }
            if (st->config & NV3_D3D_CONFIG_DST_ZERO) {
                dst = 0;
            }
            src = ref_blend(factor, dst, src);
        }
        out = out << 5 | src;
    }
    return out;
}

RefTarget ref_rop(const NV3RasterState *st, bool has_zeta, unsigned x,
                  unsigned y, RefSource s, RefTarget old)
{
    unsigned alpha4 = ref_dither(s.a, x, y, false) >> 1;
    bool zeta = !has_zeta ||
                ref_compare(st->config >> NV3_D3D_CONFIG_Z_FUNC_SHIFT & 0xf,
                            s.z, old.zeta);
    RefTarget out = old;

    if (!ref_compare(st->alpha >> 8 & 0xf, s.a, st->alpha & 0xff)) {
        return out;
    }
    if (has_zeta &&
        ref_enabled(st->config >> NV3_D3D_CONFIG_Z_WRITE_SHIFT & 7, alpha4,
                    zeta)) {
        out.zeta = s.z;
    }
    if (ref_enabled(st->config >> NV3_D3D_CONFIG_COLOR_WRITE_SHIFT & 7,
                    alpha4, zeta)) {
        out.color = ref_color(st, x, y, s, alpha4, old.color);
    }
    return out;
}

/* ---- coverage, exactly ---------------------------------------------------------- */

static int64_t cross(const NV3RasterVertex *a, const NV3RasterVertex *b,
                     int64_t x, int64_t y)
{
    return (b->x - a->x) * (y - a->y) - (b->y - a->y) * (x - a->x);
}

bool ref_covers(const NV3RasterVertex v[3], int x, int y)
{
    const NV3RasterVertex *p[3] = { &v[0], &v[1], &v[2] };
    int64_t area = cross(p[0], p[1], p[2]->x, p[2]->y);

    if (area == 0) {
        return false;
    }
    if (area < 0) {
        /*
         * Order the vertices clockwise on the screen, so that the inside of the triangle
         * is to the right of each edge.
         */
        p[1] = &v[2];
        p[2] = &v[1];
    }
    for (unsigned i = 0; i < 3; i++) {
        const NV3RasterVertex *a = p[i], *b = p[(i + 1) % 3];
        int64_t e = cross(a, b, x * 16, y * 16);
        bool left = b->y < a->y, top = b->y == a->y && b->x > a->x;

        if (e < 0 || (e == 0 && !left && !top)) {
            return false;
        }
    }
    return true;
}

/* ---- ideal values of a pixel ----------------------------------------------------- */

static unsigned field(uint32_t reg, unsigned shift, unsigned mask)
{
    return reg >> shift & mask;
}

static double float_of_m(uint32_t m)
{
    uint32_t bits = m << 6;
    float f;

    /* Zero and denormals. */
    if (bits < 0x00800000) {
        return 0;
    }
    if (bits >= 0x7f800000) {
        /* As on the chip, infinities and NaNs have values of 2^128 and above. */
        return ldexp(1 + (bits & 0x7fffff) / 8388608.0, 128);
    }
    memcpy(&f, &bits, sizeof(f));
    return f;
}

/*
 * Applies cylindrical wrapping: adds multiples of @size to the coordinates of the second
 * and the third vertex, so that both differ from the first vertex's coordinate by at most
 * @size / 2.
 */
static void unroll(double c[3], double size)
{
    for (unsigned i = 1; i < 3; i++) {
        while (c[i] - c[0] >= size / 2) {
            c[i] -= size;
        }
        while (c[i] - c[0] < -size / 2) {
            c[i] += size;
        }
    }
}

static void choose_level(RefTriangle *t, double pixels)
{
    const NV3RasterState *st = &t->rig->st;
    int max = field(st->tex_format, NV3_D3D_TEX_SIZE_MAX_SHIFT, 0xf);
    int min = field(st->tex_format, NV3_D3D_TEX_SIZE_MIN_SHIFT, 0xf);
    double texels = fabs((t->u[1] - t->u[0]) * (t->w[2] - t->w[0]) -
                         (t->u[2] - t->u[0]) * (t->w[1] - t->w[0]));
    double level, rounded;

    t->log2 = max;
    t->level_tie = false;
    if (texels == 0 || min >= max) {
        return;
    }
    level = log2(texels / pixels) / 2 +
            (int8_t)field(st->tex_filter, 16, 0xff) / 16.0;
    rounded = floor(level + 0.5);
    t->level_tie = fabs(level + 0.5 - nearbyint(level + 0.5)) < 1 / 1e9;
    if (rounded > 0) {
        t->log2 = rounded > max - min ? min : max - (int)rounded;
    }
}

void ref_triangle(RefTriangle *t, const RasterRig *rig,
                  const NV3RasterVertex v[3])
{
    const NV3RasterState *st = &rig->st;
    double size = ldexp(1, field(st->tex_format,
                                 NV3_D3D_TEX_SIZE_MAX_SHIFT, 0xf));
    double area = cross(&v[0], &v[1], v[2].x, v[2].y) / 256.0;
    unsigned cull = field(st->config, NV3_D3D_CONFIG_CULL_SHIFT, 3);

    t->rig = rig;
    memcpy(t->v, v, sizeof(t->v));
    for (unsigned i = 0; i < 3; i++) {
        t->u[i] = v[i].u / 16.0;
        t->w[i] = v[i].v / 16.0;
    }
    if (field(st->config, NV3_D3D_CONFIG_WRAP_U_SHIFT, 3) ==
        NV3_D3D_WRAP_CYLINDRICAL) {
        unroll(t->u, size);
    }
    if (field(st->config, NV3_D3D_CONFIG_WRAP_V_SHIFT, 3) ==
        NV3_D3D_WRAP_CYLINDRICAL) {
        unroll(t->w, size);
    }
    t->culled = area == 0 || (area > 0 && cull == NV3_D3D_CULL_CW) ||
                (area < 0 && cull == NV3_D3D_CULL_CCW);
    if (!t->culled) {
        choose_level(t, fabs(area));
    }
}

/*
 * Returns the index, from 0 to @n - 1, of the texel that coordinate @i selects in a
 * texture of @n texels.
 */
static int wrap_index(unsigned mode, long i, long n)
{
    switch (mode) {
    case NV3_D3D_WRAP_MIRROR:
        i = (i % (2 * n) + 2 * n) % (2 * n);
        return i < n ? i : 2 * n - 1 - i;
    case NV3_D3D_WRAP_CLAMP:
        return i < 0 ? 0 : i >= n ? n - 1 : i;
    default:
        return (i % n + n) % n;
    }
}

/*
 * Sets @out to the components of a texel: red, green and blue from 0 to 31.875, and alpha
 * from 0 to 255.
 */
static void texel(const RefTriangle *t, long i, long j, double out[4])
{
    const NV3RasterState *st = &t->rig->st;
    long n = 1l << t->log2;
    unsigned x = wrap_index(field(st->config, NV3_D3D_CONFIG_WRAP_U_SHIFT, 3),
                            i, n);
    unsigned y = wrap_index(field(st->config, NV3_D3D_CONFIG_WRAP_V_SHIFT, 3),
                            j, n);
    uint16_t raw = rig_texel(t->rig, t->log2, rig_swizzle(x, y));
    uint16_t key_mask = 0xffff;

    switch (field(st->tex_format, NV3_D3D_TEX_FORMAT_SHIFT, 3)) {
    case NV3_D3D_TEX_X1R5G5B5:
        key_mask = 0x7fff;
        /* fall through */
    case NV3_D3D_TEX_A1R5G5B5:
        out[0] = raw >> 10 & 31;
        out[1] = raw >> 5 & 31;
        out[2] = raw & 31;
        out[3] = key_mask == 0x7fff || raw & 0x8000 ? 255 : 0;
        break;
    case NV3_D3D_TEX_A4R4G4B4:
        out[0] = (raw >> 8 & 15) * 17 / 8.0;
        out[1] = (raw >> 4 & 15) * 17 / 8.0;
        out[2] = (raw & 15) * 17 / 8.0;
        out[3] = (raw >> 12) * 17;
        break;
    default:
        out[0] = raw >> 11;
        out[1] = (raw >> 5 & 63) / 2.0;
        out[2] = raw & 31;
        out[3] = 255;
        break;
    }
    if (st->tex_format & NV3_D3D_TEX_KEY_ENABLE &&
        (raw & key_mask) == (st->tex_format & key_mask)) {
        out[3] = 0;
    }
}

static bool near_whole(double d, double by)
{
    return fabs(d - nearbyint(d)) < by;
}

/*
 * If the distance (in texels) to a boundary between two texels is at most REF_TIE,
 * rounding may decide which of the two texels the rasterizer samples.
 */
#define REF_TIE 0.02

static void sample_nearest(const RefTriangle *t, double u, double w,
                           RefIdeal *out, double rgba[4])
{
    if (field(t->rig->st.config, 0, 3) == NV3_D3D_INTERP_ZOH_CENTER) {
        u += 0.5;
        w += 0.5;
    }
    out->tie = near_whole(u, REF_TIE) || near_whole(w, REF_TIE);
    texel(t, floor(u), floor(w), rgba);
}

static void sample_bilinear(const RefTriangle *t, double u, double w,
                            RefIdeal *out, double rgba[4])
{
    double c[4][4], fu = u - floor(u), fw = w - floor(w);

    for (unsigned i = 0; i < 4; i++) {
        texel(t, floor(u) + (i & 1), floor(w) + (i >> 1), c[i]);
    }
    for (unsigned i = 0; i < 4; i++) {
        double lo = fmin(fmin(c[0][i], c[1][i]), fmin(c[2][i], c[3][i]));
        double hi = fmax(fmax(c[0][i], c[1][i]), fmax(c[2][i], c[3][i]));

        rgba[i] = (c[0][i] * (1 - fu) + c[1][i] * fu) * (1 - fw) +
                  (c[2][i] * (1 - fu) + c[3][i] * fu) * fw;
        out->slack[i] = (hi - lo) * 2 * (1 / 128.0 + REF_TIE / 4);
    }
    /*
     * Close to a texel's centre, rounding may make the rasterizer filter other texels
     * than the four that this reference filters.
     */
    out->tie = near_whole(u, REF_TIE) || near_whole(w, REF_TIE);
}

static void shade(const RefTriangle *t, const double l[3], RefIdeal *out,
                  double rgba[4])
{
    const NV3RasterState *st = &t->rig->st;
    double c[4] = { 0 }, fog = 0;
    unsigned source = field(st->config, NV3_D3D_CONFIG_SOURCE_SHIFT, 3);

    for (unsigned i = 0; i < 3; i++) {
        const NV3RasterVertex *v = &t->v[i];

        c[0] += l[i] * v->r;
        c[1] += l[i] * v->g;
        c[2] += l[i] * v->b;
        c[3] += l[i] * v->a / 127.0 * 255;
        fog += l[i] * v->fog / 255;
    }
    for (unsigned i = 0; i < 3; i++) {
        double f = field(st->fog_color, 16 - 8 * i, 0xff) / 8.0;

        rgba[i] *= c[i] / 255;
        rgba[i] = rgba[i] * (1 - fog) + f * fog;
        if (source == NV3_D3D_SOURCE_COLOR_INVERSE) {
            rgba[i] = 31.875 - rgba[i];
        }
        out->rgb[i] = rgba[i];
    }
    if (st->config & NV3_D3D_CONFIG_ALPHA) {
        rgba[3] *= c[3] / 255;
    }
    out->alpha = rgba[3];
    if (source == NV3_D3D_SOURCE_ALPHA_ONE) {
        out->alpha = 255;
        out->slack[3] = 0;
    } else if (source != NV3_D3D_SOURCE_NORMAL) {
        out->alpha = 255 - rgba[3];
    }
}

void ref_ideal(const RefTriangle *t, int x, int y, RefIdeal *out)
{
    const NV3RasterState *st = &t->rig->st;
    const NV3RasterVertex *v = t->v;
    double area = cross(&v[0], &v[1], v[2].x, v[2].y), l[3], p[3];
    double m = 0, u = 0, w = 0, z = 0, zp = 0, largest = 0, rgba[4];
    unsigned max = field(st->tex_format, NV3_D3D_TEX_SIZE_MAX_SHIFT, 0xf);

    memset(out, 0, sizeof(*out));
    for (unsigned i = 0; i < 3; i++) {
        l[i] = cross(&v[(i + 1) % 3], &v[(i + 2) % 3], x * 16, y * 16) / area;
        p[i] = float_of_m(v[i].m);
        largest = fmax(largest, p[i]);
    }
    for (unsigned i = 0; i < 3; i++) {
        p[i] = largest > 0 ? p[i] / largest : 1;
        m += l[i] * p[i];
        u += l[i] * p[i] * t->u[i];
        w += l[i] * p[i] * t->w[i];
        z += l[i] * v[i].z;
        zp += l[i] * p[i] * v[i].z;
    }
    out->z = (st->config & NV3_D3D_CONFIG_Z_PERSPECTIVE ? zp / m : z) / 256;
    u = ldexp(u / m, (int)t->log2 - (int)max);
    w = ldexp(w / m, (int)t->log2 - (int)max);
    if (field(st->config, 0, 3) >= NV3_D3D_INTERP_FOH_CENTER) {
        sample_bilinear(t, u, w, out, rgba);
    } else {
        sample_nearest(t, u, w, out, rgba);
    }
    shade(t, l, out, rgba);
}
