/* SPDX-License-Identifier: GPL-2.0-or-later AND MIT */
/*
 * The checks before drawing: all methods of the primitive have been received, its
 * coordinates are in range, and the object can draw to surfaces of the current formats.
 * For each class, the required bits of VALID and the valid combinations of formats are
 * from envytools nvhw/pgraph.c (pgraph_prep_draw()), which was tested on real cards.
 */
/*
 * The notice of envytools for nvhw/pgraph.c:
 *
 * Copyright (C) 2012 Marcelina Kościelnicka <mwk@0x04.net>
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
#include "graph/pgraph.h"
#include "graph/vertex.h"

#define VALID_LINE      (NV3_VALID_VERTICES | NV3_VALID_COLOR | 0x0303)
#define VALID_POLYLINE  (NV3_VALID_VERTICES | NV3_VALID_COLOR | 0x3030)
#define VALID_TRI       (NV3_VALID_VERTICES | NV3_VALID_COLOR | 0x0707)
#define VALID_POLYTRI   (NV3_VALID_VERTICES | NV3_VALID_COLOR | 0x7070)
#define VALID_D3D_STATE 0x0f800000

static unsigned surf_config(const NV3Pgraph *g, unsigned i)
{
    return g->surf_config >> (i * 4) & 7;
}

static unsigned color_format(const NV3Pgraph *g)
{
    return g->ctx_switch & NV3_GROBJ_COLOR_FORMAT;
}

static unsigned source_surface(const NV3Pgraph *g)
{
    return g->ctx_switch >> NV3_GROBJ_SURFACE_SHIFT & 3;
}

static unsigned dest_mask(const NV3Pgraph *g)
{
    return g->ctx_switch >> NV3_GROBJ_DST_SHIFT & 0xf;
}

/*
 * Returns true if all destination surfaces of an ITM object are valid, and its source
 * surface has the object's colour format. ITM does not support Y16.
 */
static bool itm_format_ok(const NV3Pgraph *g)
{
    unsigned want = NV3_SURF_X8R8G8B8;
    unsigned mask = dest_mask(g);

    switch (color_format(g)) {
    case NV3_GROBJ_FORMAT_R5G5B5:
        want = NV3_SURF_X1R5G5B5;
        break;
    case NV3_GROBJ_FORMAT_Y8:
        want = NV3_SURF_Y8;
        break;
    case NV3_GROBJ_FORMAT_Y16:
        return false;
    }
    for (unsigned i = 0; i < NV3_PGRAPH_SURFACES; i++) {
        if (mask & 1u << i && !(surf_config(g, i) & 4)) {
            return false;
        }
    }
    return (surf_config(g, source_surface(g)) & 3) == want;
}

/*
 * Returns the configuration (format and valid bit) of the first destination surface, or
 * of surface 3 if the object has no destination. Sets *@same to true if all destination
 * surfaces have the same configuration.
 */
static unsigned dest_config(const NV3Pgraph *g, unsigned *count, bool *same)
{
    unsigned mask = dest_mask(g) ? dest_mask(g) : 8;
    unsigned config = 0;

    *count = 0;
    *same = true;
    for (unsigned i = 0; i < NV3_PGRAPH_SURFACES; i++) {
        if (!(mask & 1u << i)) {
            continue;
        }
        if (!(*count)++) {
            config = surf_config(g, i);
        } else if (config != surf_config(g, i)) {
            *same = false;
        }
    }
    return config;
}

static bool blit_format_ok(const NV3Pgraph *g, unsigned config, unsigned count)
{
    unsigned source = surf_config(g, source_surface(g));

    if (config < 4 && dest_mask(g)) {
        return false;
    }
    if (count == 1) {
        return (source & 3) == (config & 3);
    }
    return source == (config & 3) || source == config;
}

/*
 * Returns true if the object can draw to Y16 surfaces. All classes except for GDI can
 * copy Y16 pixels (SRCCOPY) to them, without a colour key or plane mask.
 */
static bool y16_format_ok(const NV3Pgraph *g, uint32_t class)
{
    bool copy = nv3_pgraph_operation(g) == NV3_GROBJ_OP_SRCCOPY &&
                !(g->ctx_switch & (NV3_GROBJ_CHROMA | NV3_GROBJ_PLANE));

    return class != NV3_CLASS_GDI && copy &&
           color_format(g) == NV3_GROBJ_FORMAT_Y16;
}

static bool draw_format_ok(const NV3Pgraph *g, uint32_t class)
{
    unsigned count;
    bool same;
    unsigned config = dest_config(g, &count, &same);
    unsigned format = config & 3;
    bool valid = config & 4;

    if (!same || (config == 0 && dest_mask(g))) {
        return false;
    }
    switch (class) {
    case NV3_CLASS_D3D:
    case NV3_CLASS_ZPOINT:
        if (format != NV3_SURF_X1R5G5B5 || (!valid && dest_mask(g))) {
            return false;
        }
        break;
    default:
        break;
    }
    if (class == NV3_CLASS_SIFM) {
        if (!valid && dest_mask(g)) {
            return false;
        }
    } else if (class == NV3_CLASS_BLIT) {
        if (!blit_format_ok(g, config, count)) {
            return false;
        }
    } else if (format == NV3_SURF_Y16 && !y16_format_ok(g, class)) {
        return false;
    }
    return format != NV3_SURF_Y8 ||
           (color_format(g) == NV3_GROBJ_FORMAT_Y8 && class != NV3_CLASS_SIFM);
}

static bool formats_ok(const NV3Pgraph *g, uint32_t class)
{
    switch (class) {
    case NV3_CLASS_M2MF:
        return true;
    case NV3_CLASS_ITM:
        return itm_format_ok(g);
    default:
        return draw_format_ok(g, class);
    }
}

static uint32_t check_clip(const NV3Pgraph *g, uint32_t class, bool noclip)
{
    bool half;

    switch (class) {
    case NV3_CLASS_M2MF:
        return 0;
    case NV3_CLASS_GDI:
    case NV3_CLASS_SIFM:
    case NV3_CLASS_SIFC:
        half = !noclip && g->valid & NV3_VALID_OCLIP_HALF;
        break;
    default:
        half = g->valid & NV3_VALID_CLIP_HALF && g->ctx_switch & NV3_GROBJ_CLIP;
        break;
    }
    return half ? NV3_PGRAPH_INTR_MISSING_METHOD : 0;
}

/*
 * A D3D vertex draws up to two triangles. MISC24_1 contains the numbers of their
 * vertices. Returns true if the texture state and all of these vertices have been
 * received.
 */
static bool d3d_complete(const NV3Pgraph *g)
{
    for (unsigned t = 0; t < 2; t++) {
        uint32_t tri = g->misc24[1] >> (t * 12);
        unsigned a = tri & 0xf, b = tri >> 4 & 0xf, c = tri >> 8 & 0xf;
        uint32_t need = 1u << a | 1u << b | 1u << c | VALID_D3D_STATE;

        if (a != b && b != c && a != c && (g->valid & need) != need) {
            return false;
        }
    }
    return true;
}

static bool has(const NV3Pgraph *g, uint32_t bits)
{
    return (g->valid & bits) == bits;
}

static bool sifm_complete(const NV3Pgraph *g)
{
    return has(g, 0x100033) && (has(g, 0xf00) || has(g, 0x3f000));
}

static bool methods_complete(const NV3Pgraph *g, uint32_t class, bool poly,
                             bool noclip)
{
    switch (class) {
    case NV3_CLASS_POINT:
        return has(g, 0x010101);
    case NV3_CLASS_ZPOINT:
        return has(g, 0x4210000);
    case NV3_CLASS_LINE:
    case NV3_CLASS_LIN:
        return has(g, poly ? VALID_POLYLINE : VALID_LINE);
    case NV3_CLASS_TRI:
        return has(g, poly ? VALID_POLYTRI : VALID_TRI);
    case NV3_CLASS_RECT:
        return has(g, 0x10203);
    case NV3_CLASS_GDI:
        return has(g, 0x10203) && (noclip || has(g, NV3_VALID_OCLIP));
    case NV3_CLASS_BLIT:
        return has(g, 0x00003);
    case NV3_CLASS_ITM:
        return has(g, 0x2c25);
    case NV3_CLASS_M2MF:
        return has(g, 0xff);
    case NV3_CLASS_SIFM:
        return sifm_complete(g);
    case NV3_CLASS_D3D:
        return d3d_complete(g);
    default:
        return true;
    }
}

/*
 * Returns false if a coordinate of a rectangle's second corner does not fit in an
 * int16_t.
 */
static bool far_corner_ok(const NV3Pgraph *g, uint32_t class)
{
    if (class != NV3_CLASS_RECT && class != NV3_CLASS_GDI) {
        return true;
    }
    return (uint32_t)nv3_lo16(g->vtx_x[1]) == g->vtx_x[1] &&
           (uint32_t)nv3_lo16(g->vtx_y[1]) == g->vtx_y[1];
}

/*
 * Clears the bits of VALID for methods that software must send again for the next
 * primitive.
 */
static void consume(NV3Pgraph *g, uint32_t class, bool poly)
{
    unsigned i = nv3_vtx_index(g) & 3;

    switch (class) {
    case NV3_CLASS_POINT:
    case NV3_CLASS_RECT:
    case NV3_CLASS_BLIT:
        g->valid &= ~(0xffff | NV3_VALID_VERTICES);
        break;
    case NV3_CLASS_GDI:
        g->valid &= ~(0x0303 | NV3_VALID_VERTICES);
        break;
    case NV3_CLASS_LINE:
    case NV3_CLASS_LIN:
    case NV3_CLASS_TRI:
        g->valid &= poly ? ~(NV3_VALID_X(4 + i) | NV3_VALID_Y(4 + i)) : ~0x0f0fu;
        break;
    default:
        break;
    }
}

/* Executes the checks that do not depend on VALID. Returns bits of INTR. */
static uint32_t check_state(const NV3Pgraph *g, uint32_t class, bool noclip)
{
    uint32_t intr = check_clip(g, class, noclip);

    if (g->cliprect_ctrl & 0x100) {
        intr |= NV3_PGRAPH_INTR_CLIP_SOFTWARE;
    }
    if (class != NV3_CLASS_D3D && (g->x_misc | g->y_misc) & NV3_XYMISC_OOB) {
        intr |= NV3_PGRAPH_INTR_RANGE;
    }
    if (g->debug[3] & NV3_PGRAPH_DEBUG_3_FORMAT_CHECK &&
        !formats_ok(g, class)) {
        intr |= NV3_PGRAPH_INTR_MISSING_FORMAT;
    }
    return intr;
}

bool nv3_pgraph_prep_image(NV3State *s, uint32_t need)
{
    NV3Pgraph *g = &s->pgraph;
    uint32_t intr = check_state(g, nv3_pgraph_class(g), false);

    if (!has(g, need)) {
        intr |= NV3_PGRAPH_INTR_MISSING_METHOD;
    }
    if (intr) {
        nv3_pgraph_raise(s, intr);
    }
    return !intr;
}

bool nv3_pgraph_prep_draw(NV3State *s, bool poly, bool noclip)
{
    NV3Pgraph *g = &s->pgraph;
    uint32_t class = nv3_pgraph_class(g);
    uint32_t intr = check_state(g, class, noclip);

    if (!far_corner_ok(g, class)) {
        intr |= NV3_PGRAPH_INTR_RANGE;
    }
    if (!methods_complete(g, class, poly, noclip)) {
        intr |= NV3_PGRAPH_INTR_MISSING_METHOD;
    }
    if (intr) {
        nv3_pgraph_raise(s, intr);
        return false;
    }
    consume(g, class, poly);
    return true;
}
