/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The method CLEAR_SURFACE fills the part of the targets within CLEAR_RECT. The clear
 * values are in the formats of the targets. The unit of CLEAR_RECT is the pixel. The
 * method clears all samples of each pixel.
 *
 * CLEAR_SURFACE reads the same registers as xemu's implementation
 * (hw/xbox/nv2a/pgraph/clear.c).
 */
#include <string.h>

#include "chip/le.h"
#include "programs/programs_int.h"

/*
 * The cost of clearing a line is COST_LINE, plus 1 for each PIXELS_PER_COST pixels. See
 * nv3_programs_set_slice().
 */
#define COST_LINE       32
#define PIXELS_PER_COST 2

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

/* In each of @count pixels, replaces the bits in @mask by those of @value. */
static void fill_line(uint8_t *line, unsigned bytes, int32_t count, uint32_t value,
                      uint32_t mask)
{
    value &= mask;
    if (bytes == 4) {
        for (int32_t x = 0; x < count; x++) {
            nv3_stl(line + 4 * x, (nv3_ldl(line + 4 * x) & ~mask) | value);
        }
    } else {
        for (int32_t x = 0; x < count; x++) {
            nv3_stw(line + 2 * x, (nv3_lduw(line + 2 * x) & ~mask) | value);
        }
    }
}

/* In each pixel of @r, replaces the bits in @mask by those of @value. */
static void fill(NV3Programs *p, const NV3PixopsSurface *s, unsigned bytes,
                 const NV3GeomRect *r, uint32_t value, uint32_t mask)
{
    const uint32_t all = bytes == 4 ? UINT32_MAX : 0xffff;
    uint8_t *first = s->base + (uint64_t)r->y0 * s->pitch + r->x0 * bytes;

    for (int32_t y = r->y0; y < r->y1; y++) {
        uint8_t *line = first + (uint64_t)(y - r->y0) * s->pitch;

        /*
         * If @mask contains all bits of a pixel, all lines are equal: copy the first
         * line.
         */
        if (y > r->y0 && (mask & all) == all) {
            memcpy(line, first, (r->x1 - r->x0) * bytes);
        } else {
            fill_line(line, bytes, r->x1 - r->x0, value, mask);
        }
    }
    p->cleared += (uint64_t)(r->x1 - r->x0) * (r->y1 - r->y0);
    if (p->memory.dirty) {
        p->memory.dirty(p->memory.opaque, s->base + (uint64_t)r->y0 * s->pitch,
                        (r->y1 - r->y0) * s->pitch);
    }
}

static int32_t smaller(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

static int32_t larger(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

static void clear_lines(NV3Programs *p, const NV3PixopsState *st, const NV3GeomRect *r,
                        uint32_t data)
{
    const uint32_t zeta = programs_word(p, NV3_PM_ZSTENCIL_CLEAR_VALUE);

    if ((data & NV3_PM_CLEAR_COLORS) && st->color_format != NV3_PIXOPS_COLOR_NONE) {
        fill(p, &st->color, st->color_format <= NV3_PIXOPS_R5G6B5 ? 2 : 4, r,
             programs_word(p, NV3_PM_COLOR_CLEAR_VALUE),
             color_bits(st->color_format, data));
    }
    if (st->zeta_format == NV3_PIXOPS_Z16 && (data & NV3_PM_CLEAR_Z)) {
        fill(p, &st->zeta, 2, r, zeta, 0xffff);
    } else if (st->zeta_format == NV3_PIXOPS_Z24S8) {
        fill(p, &st->zeta, 4, r, zeta, (data & NV3_PM_CLEAR_Z ? 0xffffff00 : 0) |
                                       (data & NV3_PM_CLEAR_STENCIL ? 0xff : 0));
    }
}

/* Clears as many lines as the rest of the slice permits, but at least one. */
static NV3ProgramsResult clear_some(NV3Programs *p, const NV3PixopsState *st,
                                    NV3GeomRect r, uint32_t data)
{
    const int64_t cost = COST_LINE + (r.x1 - r.x0) / PIXELS_PER_COST;
    const int32_t end = r.y1;
    int64_t lines = p->left / cost;

    r.y0 += p->clear_line;
    lines = lines < 1 ? 1 : lines;
    r.y1 = lines < end - r.y0 ? r.y0 + lines : end;
    clear_lines(p, st, &r, data);
    p->left -= (r.y1 - r.y0) * cost;
    if (r.y1 < end) {
        p->clear_line += r.y1 - r.y0;
        return NV3_PROGRAMS_AGAIN;
    }
    p->clear_line = 0;
    return NV3_PROGRAMS_OK;
}

NV3ProgramsResult nv3_programs_clear(NV3Programs *p, uint32_t data)
{
    const uint32_t h = programs_word(p, NV3_PM_CLEAR_RECT_HORIZONTAL);
    const uint32_t v = programs_word(p, NV3_PM_CLEAR_RECT_VERTICAL);
    NV3GeomRect r = nv3_programs_clip(p);
    NV3PixopsState st = { 0 };
    NV3ProgramsResult result = nv3_programs_draw(p, true);

    if (result) {
        return result;
    }
    result = nv3_programs_targets(p, &st);
    if (result) {
        return result;
    }
    r.x0 = larger(r.x0, h & 0xffff);
    r.x1 = smaller(r.x1, (h >> 16) + 1);
    r.y0 = larger(r.y0, v & 0xffff);
    r.y1 = smaller(r.y1, (v >> 16) + 1);
    if (st.multisample) {
        r = (NV3GeomRect) { r.x0 * 2, r.y0 * 2, r.x1 * 2, r.y1 * 2 };
    }
    return r.x0 < r.x1 && r.y0 < r.y1 ? clear_some(p, &st, r, data) : NV3_PROGRAMS_OK;
}
