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

typedef int32_t Int4 __attribute__((vector_size(16)));
typedef int16_t Short4 __attribute__((vector_size(8)));
typedef float Float4 __attribute__((vector_size(16)));

/*
 * nv3_d3d_fixed() of all four coordinates at once. Scaling by a power of two is exact,
 * and what is less than a sixteenth becomes 0 by being cut off.
 */
static void convert_coordinates(const uint32_t words[NV3_D3D_VERTEX_WORDS],
                                unsigned log2, NV3RasterVertex *v)
{
    const Int4 in = { words[2], words[3], words[6], words[7] };
    const float texels = 16u << log2;
    const Float4 scale = { 16, 16, texels, texels };
    const Int4 extra = { 0, 0, log2, log2 };
    const Int4 large = (in >> 23 & 0xff) + extra > 127 + 10;
    const Int4 bound = 0x7fff - (in >> 31);
    const Int4 rest = in & ~large;
    Int4 fixed;
    Short4 out;
    Float4 f;

    memcpy(&f, &rest, sizeof(f));
    fixed = __builtin_convertvector(f * scale, Int4);
    out = __builtin_convertvector((fixed & ~large) | (bound & large), Short4);
    memcpy(&v->x, &out, sizeof(out));
}

_Static_assert(offsetof(NV3RasterVertex, x) + 2 == offsetof(NV3RasterVertex, y) &&
               offsetof(NV3RasterVertex, x) + 4 == offsetof(NV3RasterVertex, u) &&
               offsetof(NV3RasterVertex, x) + 6 == offsetof(NV3RasterVertex, v),
               "coordinates are four numbers in a row");

/* What nv3_d3d_get_vertex() would find after nv3_d3d_latch(). */
static void convert(const uint32_t words[NV3_D3D_VERTEX_WORDS], unsigned log2,
                    NV3RasterVertex *v)
{
    const uint32_t color = words[1];
    const uint8_t rgba[4] = { color >> 16, color >> 8, color, color >> 25 };

    convert_coordinates(words, log2, v);
    v->z = nv3_d3d_convert_z(words[4]);
    v->m = words[5] >> 6 & 0x1ffffff;
    memcpy(&v->r, rgba, sizeof(rgba));
    v->fog = words[0] >> 24;
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
    bool is[2] = { false, false };

    if (st->chid != chid || st->subch != subch || st->ctx != ctx) {
        return false;
    }
    for (unsigned t = 0; tri >> (t * 12 + 4) && t < 2; t++) {
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
    if (!is[0] && !is[1]) {
        return true;
    }
    s->counters[NV3_PVIRT_COUNTER_TRIANGLES] += is[0] + is[1];
    for (unsigned t = 0; t < 2; t++) {
        const NV3RasterVertex *v[3];

        if (!is[t]) {
            continue;
        }
        for (unsigned i = 0; i < 3; i++) {
            v[i] = corner(g, st, nv3_d3d_corner(tri, t, i));
        }
        if (!nv3_d3d_draw(s, d, v)) {
            nv3_d3d_close(s);
            nv3_d3d_start_job(s, d, t);
            break;
        }
    }
    return true;
}
