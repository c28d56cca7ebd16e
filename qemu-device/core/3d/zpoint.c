/* SPDX-License-Identifier: GPL-2.0-or-later AND MIT */
/*
 * Class 0x18, ZPOINT: draws a row of points with depth test and alpha test. Each point is
 * to the right of the previous point. Direct3D's software rasterizer drew spans with this
 * class. The methods are from envytools, hwtest/pgraph_class_d3d0.cc (ZPoint). The pixels
 * are from hwtest/pgraph_rop.cc (RopZPointTest) and nvhw/pgraph_d3d_nv3.c.
 */
/*
 * The notice of envytools for nvhw/pgraph_d3d_nv3.c:
 *
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
#include "2d/shapes.h"
#include "2d/target.h"
#include "3d/d3d.h"
#include "chip/cost.h"
#include "graph/pgraph.h"
#include "graph/surface.h"

#define ZETA_SURFACE    3
#define CONFIG_MASK     0xf77fbdf3u

static const NV3MthdArray points = { NV3_ZPOINT_COLOR(0), 256, 2 };

static unsigned field(uint32_t val, unsigned shift, unsigned bits)
{
    return nv3_bits(val, shift, bits);
}

static bool compare(unsigned func, uint32_t a, uint32_t b)
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

static bool writes(unsigned when, bool zeta, bool alpha)
{
    switch (when) {
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

/* Blends @src into @dst. The factor is in 16ths, but 15 means 1.0. */
static unsigned blend(unsigned factor, unsigned dst, unsigned src)
{
    if (factor == 0xf) {
        return src;
    }
    return (dst * (0x10 - factor) + src * factor) >> 4;
}

static unsigned combine(uint32_t config, unsigned alpha, unsigned dst,
                        unsigned src)
{
    unsigned factor = config & NV3_D3D_CONFIG_BETA_DST_COLOR ? dst : alpha;
    unsigned sum;

    if (config & NV3_D3D_CONFIG_ROP_ADD) {
        sum = src + dst;
        return sum > 0x1f ? 0x1f : sum;
    }
    if (config & NV3_D3D_CONFIG_SRC_ZERO) {
        src = 0;
    }
    if (config & NV3_D3D_CONFIG_DST_ZERO) {
        dst = 0;
    }
    return blend(factor >> 1, dst, src);
}

static unsigned to_5_bits(const NV3Pgraph *g, unsigned val, int32_t x,
                          int32_t y, bool green)
{
    return g->debug[3] & NV3_PGRAPH_DEBUG_3_DITHER_3D ?
           nv3_dither_10to5(val, x, y, green) : val >> 5;
}

static uint32_t point_pixel(const NV3Pgraph *g, int32_t x, int32_t y,
                            uint32_t old, NV3Color c)
{
    uint32_t config = g->d3d_config;
    unsigned alpha = nv3_dither_10to5(c.a << 2, x, y, false);

    return combine(config, alpha, old >> 10 & 0x1f,
                   to_5_bits(g, c.r, x, y, false)) << 10 |
           combine(config, alpha, old >> 5 & 0x1f,
                   to_5_bits(g, c.g, x, y, true)) << 5 |
           combine(config, alpha, old & 0x1f, to_5_bits(g, c.b, x, y, false));
}

static void put_colors(NV3State *s, const NV3Target *t, int32_t x, int32_t y,
                       NV3Color color)
{
    for (unsigned j = 0; j < t->surfaces; j++) {
        unsigned cpp = t->surf[j].cpp;
        uint8_t *p = nv3_surface_line(s, &t->surf[j], x, y, 1);

        if (p) {
            uint32_t old = nv3_pixel_load(p, cpp);

            nv3_pixel_store(p, cpp, point_pixel(&s->pgraph, x, y, old, color));
        }
    }
}

static bool has_depth_color(const NV3Pgraph *g)
{
    return g->ctx_switch >> (NV3_GROBJ_DST_SHIFT + ZETA_SURFACE) & 1;
}

/*
 * Draws a point. Surface 3 contains the depth. A depth value has as many bytes as a pixel
 * of the first colour surface.
 */
static void put_point(NV3State *s, const NV3Target *t, int32_t x, int32_t y)
{
    NV3Pgraph *g = &s->pgraph;
    NV3Color color = nv3_color_expand(g, g->misc32[0]);
    bool has_zeta = g->ctx_switch & NV3_GROBJ_ZETA;
    uint32_t zeta = g->misc32[1] >> 16;
    bool alpha = nv3_dither_10to5(color.a << 2, x, y, false) >> 1;
    bool pass = true, colors;
    NV3Surface depth;
    uint8_t *z;

    if (!compare(field(g->d3d_alpha, 8, 4), g->misc32[0] >> 24,
                 field(g->d3d_alpha, 0, 8))) {
        return;
    }
    nv3_surface_get(s, ZETA_SURFACE, &depth);
    depth.cpp = t->surf[0].cpp;
    z = nv3_surface_line(s, &depth, x, y, 1);
    if (has_zeta && z) {
        pass = compare(field(g->d3d_config, NV3_D3D_CONFIG_Z_FUNC_SHIFT, 4),
                       zeta, nv3_pixel_load(z, depth.cpp));
    }
    colors = writes(field(g->d3d_config, NV3_D3D_CONFIG_COLOR_WRITE_SHIFT, 3),
                    pass, alpha);
    /*
     * If surface 3 is also a colour surface, do not store the depth, because the colour
     * would overwrite it.
     */
    if (has_zeta && z && !(colors && has_depth_color(g)) &&
        writes(field(g->d3d_config, NV3_D3D_CONFIG_Z_WRITE_SHIFT, 3), pass,
               alpha)) {
        nv3_pixel_store(z, depth.cpp, zeta);
        nv3_surface_dirty(s, &depth, &(NV3Rect) { x, y, x + 1, y + 1 });
    }
    if (colors) {
        put_colors(s, t, x, y, color);
    }
}

static void zpoint_draw(NV3State *s)
{
    NV3Pgraph *g = &s->pgraph;
    int32_t x = g->vtx_x[0], y = g->vtx_y[0];
    NV3Target t;

    if (!nv3_pgraph_prep_draw(s, false, false) || !nv3_solid_in_range(g, 1) ||
        !nv3_target_init(s, &t, NV3_MODE_RGB10) ||
        !nv3_target_passes(&t, x, y)) {
        return;
    }
    s->counters[NV3_PVIRT_COUNTER_PIXELS]++;
    nv3_account(s, NV3_COST_DRAW + (t.surfaces + 1) * NV3_COST_PIXEL);
    nv3_step(PIXEL, t.surfaces + 1);
    put_point(s, &t, x, y);
    t.drawn = (NV3Rect) { x, y, x + 1, y + 1 };
    nv3_target_done(s, &t);
}

static NV3MthdResult zpoint_config(NV3Pgraph *g, uint32_t data)
{
    unsigned func = field(data, NV3_D3D_CONFIG_Z_FUNC_SHIFT, 4);

    g->d3d_config = data & CONFIG_MASK;
    g->valid |= NV3_VALID_D3D_CONFIG;
    if (data & ~(CONFIG_MASK & 0xffff0000) || func < NV3_D3D_CMP_NEVER ||
        func > NV3_D3D_CMP_ALWAYS ||
        field(data, NV3_D3D_CONFIG_Z_WRITE_SHIFT, 3) > NV3_D3D_WRITE_ALWAYS ||
        field(data, NV3_D3D_CONFIG_COLOR_WRITE_SHIFT, 3) >
        NV3_D3D_WRITE_ALWAYS) {
        return NV3_MTHD_BAD_DATA;
    }
    return NV3_MTHD_OK;
}

static NV3MthdResult zpoint_alpha(NV3Pgraph *g, uint32_t data)
{
    unsigned func = data >> 8;

    g->d3d_alpha = data & 0xfff;
    return func >= NV3_D3D_CMP_NEVER && func <= NV3_D3D_CMP_ALWAYS ?
           NV3_MTHD_OK : NV3_MTHD_BAD_DATA;
}

static NV3MthdResult zpoint_method(NV3State *s, uint32_t mthd, uint32_t data)
{
    NV3Pgraph *g = &s->pgraph;
    unsigned word;

    switch (mthd) {
    case NV3_ZPOINT_CONFIG:
        return zpoint_config(g, data);
    case NV3_ZPOINT_ALPHA:
        return zpoint_alpha(g, data);
    case NV3_ZPOINT_POINT:
        nv3_vtx_method(s, data, (NV3VtxKind) { .first = true });
        return NV3_MTHD_OK;
    default:
        break;
    }
    if (!nv3_mthd_in(mthd, points, &word)) {
        return NV3_MTHD_BAD_METHOD;
    }
    if (!word) {
        nv3_solid_color(s, data);
        return NV3_MTHD_OK;
    }
    g->misc32[1] = (g->misc32[1] & 0xffff) | (data & 0xffff0000);
    zpoint_draw(s);
    nv3_vtx_add(s, NV3_X, 0, (NV3VtxSum) { .a = g->vtx_x[0], .b = 1 });
    return NV3_MTHD_OK;
}

const NV3Class nv3_class_zpoint = {
    .id = NV3_CLASS_ZPOINT, .name = "ZPOINT", .method = zpoint_method,
};
