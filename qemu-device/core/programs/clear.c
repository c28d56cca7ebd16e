/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The method CLEAR_SURFACE fills the part of the targets within CLEAR_RECT. The clear
 * values are in the formats of the targets. The unit of CLEAR_RECT is the pixel. The
 * method clears all samples of each pixel.
 *
 * CLEAR_SURFACE reads the same registers as xemu's implementation
 * (hw/xbox/nv2a/pgraph/clear.c).
 */
#include "programs/programs_int.h"

/* The cost of adding a clear to the geometry engine's bins. */
#define COST_CLEAR      4096

/* Returns a mask of those bits of a pixel that belong to the channels in @flags. */
static uint32_t color_bits(unsigned format, uint32_t flags)
{
    static const struct {
        uint32_t channel[4];        /* red, green, blue, alpha */
    } bits[] = {
        [NV3_PIXOPS_X1R5G5B5] = { { 0x7c00, 0x3e0, 0x1f, 0x8000 } },
        [NV3_PIXOPS_R5G6B5] = { { 0xf800, 0x7e0, 0x1f, 0 } },
        [NV3_PIXOPS_X8R8G8B8] = { { 0xff0000, 0xff00, 0xff, 0xff000000 } },
        [NV3_PIXOPS_A8R8G8B8] = { { 0xff0000, 0xff00, 0xff, 0xff000000 } },
    };
    uint32_t mask = 0;

    for (unsigned i = 0; i < 4; i++) {
        mask |= flags & 0x10u << i ? bits[format].channel[i] : 0;
    }
    return mask;
}

static int32_t smaller(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

static int32_t larger(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

static NV3GeomFill color_fill(const NV3Programs *p, const NV3PixopsState *st,
                              uint32_t data)
{
    return (NV3GeomFill) {
        .base = st->color.base,
        .pitch = st->color.pitch,
        .bytes = st->color_format <= NV3_PIXOPS_R5G6B5 ? 2 : 4,
        .value = programs_word(p, NV3_PM_COLOR_CLEAR_VALUE),
        .mask = color_bits(st->color_format, data),
    };
}

static NV3GeomFill zeta_fill(const NV3Programs *p, const NV3PixopsState *st,
                             uint32_t data)
{
    NV3GeomFill f = {
        .base = st->zeta.base,
        .pitch = st->zeta.pitch,
        .bytes = st->zeta_format == NV3_PIXOPS_Z16 ? 2 : 4,
        .value = programs_word(p, NV3_PM_ZSTENCIL_CLEAR_VALUE),
    };

    if (st->zeta_format == NV3_PIXOPS_Z16) {
        f.mask = data & NV3_PM_CLEAR_Z ? 0xffff : 0;
    } else if (st->zeta_format == NV3_PIXOPS_Z24S8) {
        f.mask = (data & NV3_PM_CLEAR_Z ? 0xffffff00 : 0) |
                 (data & NV3_PM_CLEAR_STENCIL ? 0xff : 0);
    }
    return f;
}

/* Computes the pixels to clear. Returns false if there are none. */
static bool clear_rect(const NV3Programs *p, NV3GeomRect *r)
{
    const uint32_t h = programs_word(p, NV3_PM_CLEAR_RECT_HORIZONTAL);
    const uint32_t v = programs_word(p, NV3_PM_CLEAR_RECT_VERTICAL);

    *r = nv3_programs_clip(p);
    r->x0 = larger(r->x0, h & 0xffff);
    r->x1 = smaller(r->x1, (h >> 16) + 1);
    r->y0 = larger(r->y0, v & 0xffff);
    r->y1 = smaller(r->y1, (v >> 16) + 1);
    return r->x0 < r->x1 && r->y0 < r->y1;
}

/*
 * Processes the vertices of earlier draws. Draws them only if the geometry engine has no
 * room for a clear.
 */
static NV3ProgramsResult make_room(NV3Programs *p)
{
    NV3ProgramsResult result = nv3_programs_draw(p, false);

    return result || nv3_geom_can_clear(p->geom) ? result : nv3_programs_draw(p, true);
}

NV3ProgramsResult nv3_programs_clear(NV3Programs *p, uint32_t data)
{
    NV3GeomClear clear = { .scale = 1 };
    NV3PixopsState st = { 0 };
    NV3ProgramsResult result = make_room(p);

    if (!result) {
        result = nv3_programs_use_targets(p, &st);
    }
    if (result || !clear_rect(p, &clear.rect)) {
        return result;
    }
    if (st.multisample) {
        clear.scale = 2;
    }
    clear.fill[0] = color_fill(p, &st, data);
    clear.fill[1] = zeta_fill(p, &st, data);
    if (clear.fill[0].mask || clear.fill[1].mask) {
        nv3_geom_clear(p->geom, &clear);
        p->left -= COST_CLEAR;
    }
    return NV3_PROGRAMS_OK;
}
