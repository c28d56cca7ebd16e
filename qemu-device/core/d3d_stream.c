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
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "nv3_int.h"
#include "d3d.h"

void nv3_d3d_open(NV3State *s, uint32_t chid, uint32_t subch, uint32_t ctx)
{
    NV3Pgraph *g = &s->pgraph;
    D3dStream *st = &g->d3d->stream;
    const unsigned log2 = nv3_d3d_tex_log2(g);
    const int32_t float_4096 = 0x45800000;
    const int32_t uv_bound = float_4096 - ((int32_t)log2 << 23);
    const float texels = 16u << log2;

    st->bound = (D3dInt4) { float_4096, float_4096, uv_bound, uv_bound };
    st->scale = (D3dFloat4) { 16, 16, texels, texels };
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

typedef int16_t Short4 __attribute__((vector_size(8)));

/* Held to 16 bits. */
static Short4 saturate(D3dInt4 v)
{
#if defined(__SSE2__)
    const __m128i low = _mm_packs_epi32((__m128i)v, (__m128i)v);
    Short4 out;

    memcpy(&out, &low, sizeof(out));
    return out;
#else
    const D3dInt4 above = v > INT16_MAX, below = v < INT16_MIN;

    v = (v & ~(above | below)) | (INT16_MAX & above) | (INT16_MIN & below);
    return __builtin_convertvector(v, Short4);
#endif
}

/*
 * nv3_d3d_fixed() of all four coordinates at once. Scaling by a power of two is exact,
 * and what is less than a sixteenth becomes 0 by being cut off. Of floats without a
 * sign the order is that of their bits, so what is too large, NaNs too, is brought down
 * to something that is still too large for 16 bits.
 */
static void convert_coordinates(const D3dStream *st,
                                const uint32_t words[NV3_D3D_VERTEX_WORDS],
                                NV3RasterVertex *v)
{
    /* One by one, as they have just been written: larger loads would wait for that. */
    const D3dInt4 in = { words[2], words[3], words[6], words[7] };
    const D3dInt4 size = in & INT32_MAX, large = size > st->bound;
    const D3dFloat4 f = (D3dFloat4)((in ^ size) | (size & ~large) | (st->bound & large));
    const Short4 out = saturate(__builtin_convertvector(f * st->scale, D3dInt4));

    memcpy(&v->x, &out, sizeof(out));
}

_Static_assert(offsetof(NV3RasterVertex, x) + 2 == offsetof(NV3RasterVertex, y) &&
               offsetof(NV3RasterVertex, x) + 4 == offsetof(NV3RasterVertex, u) &&
               offsetof(NV3RasterVertex, x) + 6 == offsetof(NV3RasterVertex, v),
               "coordinates are four numbers in a row");
_Static_assert(offsetof(NV3RasterVertex, a) == offsetof(NV3RasterVertex, r) + 3,
               "colours are four bytes in a row");

/* What nv3_d3d_get_vertex() would find after nv3_d3d_latch(). */
static void convert(const D3dStream *st, const uint32_t words[NV3_D3D_VERTEX_WORDS],
                    NV3RasterVertex *v)
{
    const uint32_t color = words[1];

    convert_coordinates(st, words, v);
    v->z = nv3_d3d_convert_z(words[4]);
    v->m = words[5] >> 6 & 0x1ffffff;
    /* Red, green, blue, alpha; its 7 bits are the top ones. */
    nv3_stl(&v->r, __builtin_bswap32(color) >> 8 | color >> 25 << 24);
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
    return valid >> nv3_d3d_corner(tri, t, 0) & valid >> nv3_d3d_corner(tri, t, 1) &
           valid >> nv3_d3d_corner(tri, t, 2) & 1;
}

static bool has_triangle(uint32_t tri, unsigned t)
{
    return tri >> (t * 12 + 4) && nv3_d3d_is_triangle(tri, t);
}

/*
 * What a vertex that has been placed draws: @which has a bit for each triangle. Apart,
 * as most vertices draw nothing.
 */
static __attribute__((noinline)) void draw_streamed(NV3State *s, uint32_t tri,
                                                    unsigned which)
{
    NV3Pgraph *g = &s->pgraph;

    s->counters[NV3_PVIRT_COUNTER_TRIANGLES] += (which & 1) + (which >> 1);
    for (unsigned t = 0; which >> t; t++) {
        const NV3RasterVertex *v[3];

        if (!(which >> t & 1)) {
            continue;
        }
        for (unsigned i = 0; i < 3; i++) {
            v[i] = corner(g, &g->d3d->stream, nv3_d3d_corner(tri, t, i));
        }
        if (!nv3_d3d_draw(s, g->d3d, v)) {
            nv3_d3d_close(s);
            nv3_d3d_start_job(s, g->d3d, t);
            break;
        }
    }
}

bool nv3_d3d_stream(NV3State *s, uint32_t chid, uint32_t subch, uint32_t mthd,
                    const uint32_t words[NV3_D3D_VERTEX_WORDS], uint32_t ctx)
{
    D3dStream *st = &s->pgraph.d3d->stream;
    const uint32_t tri = words[0] & 0xffffff;
    const unsigned slot = tri & 0xf;
    const uint32_t valid = st->valid | 1u << slot;
    unsigned which = 0;

    if (st->chid != chid || st->subch != subch || st->ctx != ctx) {
        return false;
    }
    for (unsigned t = 0; t < 2; t++) {
        if (!has_triangle(tri, t)) {
            continue;
        }
        if (!complete(tri, t, valid)) {
            return false;
        }
        which |= 1u << t;
    }
    memcpy(st->words[slot], words, sizeof(st->words[slot]));
    convert(st, words, &st->vertex[slot]);
    st->mthd = mthd;
    st->last = slot;
    st->valid = valid;
    st->placed |= 1u << slot;
    st->known |= 1u << slot;
    s->counters[NV3_PVIRT_COUNTER_METHODS] += NV3_D3D_VERTEX_WORDS;
    if (which) {
        draw_streamed(s, tri, which);
    }
    return true;
}
