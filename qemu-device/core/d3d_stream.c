/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Vertices of class 0x17 in a row.
 *
 * A triangle is up to 24 methods, and of what they leave in some 30 registers (the
 * words as they came, vertices with their clip flags, TRAPPED_*) only the last
 * vertex in each slot is ever seen. So once a vertex has been drawn with and
 * nothing but whole vertices follows, their words are kept, triangles drawn from
 * them, and the registers written when somebody may look: before any other
 * method, any access to a register, and at the end of nv3_run(). They then are what
 * they would have been, as the same code writes them.
 */
#include <string.h>

#include "nv3_int.h"
#include "d3d.h"

void nv3_d3d_open(NV3State *s, uint32_t chid, uint32_t subch, uint32_t ctx)
{
    NV3Pgraph *g = &s->pgraph;
    D3dStream *st = &g->d3d->stream;

    st->chid = chid;
    st->subch = subch;
    st->ctx = ctx;
    st->valid = g->valid & 0xffff;
    st->placed = 0;
    st->known = 0;
    g->d3d_open = true;
}

void nv3_d3d_end_stream(NV3State *s)
{
    NV3Pgraph *g = &s->pgraph;
    const D3dStream *st = &g->d3d->stream;
    const uint32_t *last = st->words[st->last];

    g->d3d_open = false;
    if (!st->placed) {
        return;
    }
    for (unsigned i = 0; i < NV3_D3D_SLOTS; i++) {
        if (i != st->last && st->placed >> i & 1) {
            nv3_d3d_latch(s, st->words[i]);
        }
    }
    nv3_d3d_latch(s, last);
    nv3_pgraph_latch(s, st->chid, st->subch,
                     st->mthd + NV3_D3D_V(0) - NV3_D3D_FOG_TRI(0),
                     last[NV3_D3D_VERTEX_WORDS - 1], st->ctx);
}

/* What nv3_d3d_get_vertex() would find after nv3_d3d_latch(). */
static void convert(const uint32_t words[NV3_D3D_VERTEX_WORDS], unsigned log2,
                    NV3RasterVertex *v)
{
    const uint32_t color = words[1];

    *v = (NV3RasterVertex) {
        .x = nv3_d3d_convert_xy(words[2]),
        .y = nv3_d3d_convert_xy(words[3]),
        .z = nv3_d3d_convert_z(words[4]),
        .m = words[5] >> 6 & 0x1ffffff,
        .u = nv3_d3d_convert_uv(words[6], log2),
        .v = nv3_d3d_convert_uv(words[7], log2),
        .r = color >> 16, .g = color >> 8, .b = color, .a = color >> 25,
        .fog = words[0] >> 24,
    };
}

static const NV3RasterVertex *corner(const NV3Pgraph *g, D3dStream *st, unsigned i)
{
    if (!(st->known >> i & 1)) {
        nv3_d3d_get_vertex(g, i, &st->vertex[i]);
        st->known |= 1u << i;
    }
    return &st->vertex[i];
}

/* Are all corners of triangle @t there? */
static bool complete(uint32_t tri, unsigned t, uint32_t valid)
{
    uint32_t need = 1u << nv3_d3d_corner(tri, t, 0) |
                    1u << nv3_d3d_corner(tri, t, 1) |
                    1u << nv3_d3d_corner(tri, t, 2);

    return (valid & need) == need;
}

bool nv3_d3d_stream(NV3State *s, uint32_t chid, uint32_t subch, uint32_t mthd,
                    const uint32_t words[NV3_D3D_VERTEX_WORDS], uint32_t ctx)
{
    NV3Pgraph *g = &s->pgraph;
    NV3D3d *d = g->d3d;
    D3dStream *st = &d->stream;
    const uint32_t tri = words[0] & 0xffffff;
    const unsigned slot = tri & 0xf;
    const uint32_t valid = st->valid | 1u << slot;
    bool is[2];

    if (st->chid != chid || st->subch != subch || st->ctx != ctx) {
        return false;
    }
    for (unsigned t = 0; t < 2; t++) {
        is[t] = nv3_d3d_is_triangle(tri, t);
        if (is[t] && !complete(tri, t, valid)) {
            return false;
        }
    }
    memcpy(st->words[slot], words, sizeof(st->words[slot]));
    convert(words, nv3_d3d_tex_log2(g), &st->vertex[slot]);
    st->mthd = mthd;
    st->last = slot;
    st->valid = valid;
    st->placed |= 1u << slot;
    st->known |= 1u << slot;
    s->counters[NV3_PVIRT_COUNTER_METHODS] += NV3_D3D_VERTEX_WORDS;
    s->counters[NV3_PVIRT_COUNTER_TRIANGLES] += is[0] + is[1];
    for (unsigned t = 0; t < 2; t++) {
        const NV3RasterVertex *v[3];

        if (!is[t]) {
            continue;
        }
        for (unsigned i = 0; i < 3; i++) {
            v[i] = corner(g, st, nv3_d3d_corner(tri, t, i));
        }
        if (nv3_d3d_large(s, d, v)) {
            nv3_d3d_close(s);
            nv3_d3d_start_job(s, d, t);
            break;
        }
        nv3_d3d_draw(s, d, v);
    }
    return true;
}
