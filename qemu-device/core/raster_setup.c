/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Setting up a triangle: its edges, its mip level and the plane of each attribute.
 *
 * Edges are exact. Gradients are computed in doubles, whose 53 bits hold every
 * numerator exactly, and rounded once to 32 bits of fraction a sixteenth of a pixel.
 */
#include <math.h>
#include <string.h>

#include "raster_int.h"

/* What setting up needs to know of the triangle's shape: in 12.4 and its square. */
typedef struct NV3Shape {
    double x1, y1, x2, y2;  /* from the first vertex to the other two */
    double inv_area;
    int32_t x0, y0;
} NV3Shape;

/* 2^@e; @e within a double's range. */
static inline double nv3_pow2(int e)
{
    uint64_t bits = (uint64_t)(e + 1023) << 52;
    double d;

    memcpy(&d, &bits, sizeof(d));
    return d;
}

/* floor(log2(d)) of a positive, normal double. */
static inline int nv3_log2(double d)
{
    uint64_t bits;

    memcpy(&bits, &d, sizeof(bits));
    return (int)(bits >> 52 & 0x7ff) - 1023;
}

/*
 * @d as 32.32, modulo 2^64. Only the thinnest slivers get beyond 32 bits; what
 * falls off at the top does not matter, as it comes back when the value is
 * wanted at a pixel of the triangle.
 */
static inline int64_t nv3_fix32(double d)
{
    if (fabs(d) >= 0x1p30) {
        d -= floor(d * 0x1p-32) * 0x1p32;
        return (int64_t)(uint64_t)(d * 0x1p32);
    }
    return (int64_t)(d * 0x1p32);
}

/* The plane through three values, as 32.32 at pixel 0, 0 and its steps. */
static inline void nv3_plane(const NV3Shape *s, double a0, double a1, double a2,
                             int64_t *base, int64_t *dx, int64_t *dy)
{
    double d1 = a1 - a0, d2 = a2 - a0;
    uint64_t gx = nv3_fix32((d1 * s->y2 - d2 * s->y1) * s->inv_area);
    uint64_t gy = nv3_fix32((d2 * s->x1 - d1 * s->x2) * s->inv_area);

    *base = (uint64_t)nv3_fix32(a0) - gx * s->x0 - gy * s->y0;
    *dx = gx * 16;
    *dy = gy * 16;
}

static inline void nv3_color_plane(NV3RasterTri *t, const NV3Shape *s,
                                   unsigned i, int c0, int c1, int c2)
{
    int64_t base, dx, dy;

    nv3_plane(s, c0 * 128, c1 * 128, c2 * 128, &base, &dx, &dy);
    t->cbase[i] = base >> 16;
    t->cdx[i] = dx >> 16;
    t->cdy[i] = dy >> 16;
}

static int32_t nv3_ceil16(int32_t x)
{
    return (x + 15) >> 4;
}

/* Sorts the corners and finds the lines and columns; false when there are none. */
static bool nv3_setup_edges(NV3RasterTri *t, const NV3RasterVertex *const v[3],
                            bool clockwise)
{
    /* Which vertex is the top, the middle, the bottom one. */
    unsigned top = 0, mid = 1, bottom = 2, tmp;
    int32_t x0, x1;

#define NV3_SWAP(a, b) (tmp = (a), (a) = (b), (b) = tmp)
    if (v[mid]->y < v[top]->y) {
        NV3_SWAP(mid, top);
        clockwise = !clockwise;
    }
    if (v[bottom]->y < v[mid]->y) {
        NV3_SWAP(bottom, mid);
        clockwise = !clockwise;
        if (v[mid]->y < v[top]->y) {
            NV3_SWAP(mid, top);
            clockwise = !clockwise;
        }
    }
#undef NV3_SWAP
    t->x[0] = v[top]->x;
    t->y[0] = v[top]->y;
    t->x[1] = v[mid]->x;
    t->y[1] = v[mid]->y;
    t->x[2] = v[bottom]->x;
    t->y[2] = v[bottom]->y;
    /* Clockwise from the top, the middle vertex is on the right. */
    t->long_left = clockwise;

    t->row0 = nv3_ceil16(t->y[0]);
    t->row_mid = nv3_ceil16(t->y[1]);
    t->row1 = nv3_ceil16(t->y[2]);
    x0 = t->x[0] < t->x[1] ? t->x[0] : t->x[1];
    x1 = t->x[0] > t->x[1] ? t->x[0] : t->x[1];
    t->col0 = nv3_ceil16(t->x[2] < x0 ? t->x[2] : x0);
    t->col1 = nv3_ceil16(t->x[2] > x1 ? t->x[2] : x1);
    return t->row0 < t->row1 && t->col0 < t->col1;
}

/* What is known of the whole triangle's alpha and fog; false: it draws nothing. */
static bool nv3_setup_flags(const NV3RasterState *st, NV3RasterTri *t,
                            const NV3RasterVertex *const v[3])
{
    const NV3RasterMode *m = &st->mode;
    uint32_t flags = m->flags;
    bool alpha;

    if (v[0]->fog | v[1]->fog | v[2]->fog) {
        flags |= NV3_RASTER_F_FOG;
    }
    if ((flags & NV3_RASTER_F_VTX_ALPHA) &&
        (v[0]->a & v[1]->a & v[2]->a & 0x7f) == 0x7f) {
        flags &= ~NV3_RASTER_F_VTX_ALPHA;
    }
    alpha = flags & (NV3_RASTER_F_TEX_ALPHA | NV3_RASTER_F_VTX_ALPHA |
                     NV3_RASTER_F_INV_ALPHA);
    if (alpha) {
        flags |= NV3_RASTER_F_ALPHA;
    } else {
        uint16_t ge = 0xff >= m->alpha_ref ? m->alpha_test.ge : 0;
        uint16_t eq = 0xff == m->alpha_ref ? m->alpha_test.eq : 0;

        if (!(ge ^ eq ^ m->alpha_test.inv)) {
            return false;
        }
        flags &= ~(NV3_RASTER_F_ALPHA_TEST | NV3_RASTER_F_ALPHA_WREN);
        if (!(flags & (NV3_RASTER_F_ADD | NV3_RASTER_F_BETA_DST)) &&
            m->src_mask) {
            flags &= ~NV3_RASTER_F_BLEND;
        }
    }
    if (!(flags & NV3_RASTER_F_COLOR)) {
        flags &= ~(NV3_RASTER_F_BLEND | NV3_RASTER_F_FOG);
    }
    t->flags = flags;
    return flags & (NV3_RASTER_F_COLOR | NV3_RASTER_F_ZWRITE);
}

/*
 * Cylindrical wrapping: of the ways around from the first vertex, the shorter
 * (Direct3D's D3DRENDERSTATE_WRAPU; NV4 turns the mode into its WRAPU bit, hwtest).
 */
static void nv3_setup_cylinder(int32_t c[3], unsigned log2)
{
    int32_t turn = 16 << log2;

    for (unsigned i = 1; i < 3; i++) {
        int32_t d = c[i] - c[0] + turn / 2;

        c[i] -= nv3_floor_div(d, turn) * turn;
    }
}

/*
 * The mip level whose texels are nearest to pixels in size, for the triangle as a
 * whole: floor(log4(texels / pixels) + 1/2).
 */
static unsigned nv3_setup_level(const NV3RasterState *st, const int32_t u[3],
                                const int32_t v[3], double area,
                                unsigned min, unsigned max)
{
    double texels = fabs((double)(u[1] - u[0]) * (v[2] - v[0]) -
                         (double)(u[2] - u[0]) * (v[1] - v[0]));
    int level;

    if (texels == 0 || min >= max) {
        return max;
    }
    level = (nv3_log2(texels * st->mode.lod_scale / fabs(area)) + 1) >> 1;
    if (level < 0) {
        return max;
    }
    return level > (int)(max - min) ? min : max - level;
}

/* 1 / w of the three vertices, the largest in [2^29, 2^30). */
static void nv3_setup_m(const NV3RasterVertex *const v[3], double m[3])
{
    unsigned exp = 0;

    for (unsigned i = 0; i < 3; i++) {
        unsigned e = v[i]->m >> 17 & 0xff;

        exp = e > exp ? e : exp;
    }
    for (unsigned i = 0; i < 3; i++) {
        unsigned e = v[i]->m >> 17 & 0xff;

        /* A float's zero; its denormals go the same way. */
        m[i] = e ? (v[i]->m & 0x1ffff) | 0x20000 : 0;
        m[i] *= nv3_pow2(12 - (int)(exp - e));
    }
    if (!exp) {
        m[0] = m[1] = m[2] = 0x1p29;
    }
}

/* The scale that brings the largest of @count values into [2^29, 2^30). */
static double nv3_setup_scale(const double *a, unsigned count)
{
    double max = 0;

    for (unsigned i = 0; i < count; i++) {
        max = fabs(a[i]) > max ? fabs(a[i]) : max;
    }
    return max > 0 ? nv3_pow2(29 - nv3_log2(max)) : 1;
}

/* @m is there for texture coordinates and perspective depth. */
static void nv3_setup_z(const NV3RasterState *st, NV3RasterTri *t,
                        const NV3Shape *s,
                        const NV3RasterVertex *const v[3], const double m[3])
{
    double z[3] = { v[0]->z, v[1]->z, v[2]->z };
    double scale = 64;

    if (t->flags & NV3_RASTER_F_Z_PERSP) {
        for (unsigned i = 0; i < 3; i++) {
            z[i] *= m[i];
        }
        scale = nv3_setup_scale(z, 3);
    }
    t->z_scale = 1 / (scale * 256);
    nv3_plane(s, z[0] * scale, z[1] * scale, z[2] * scale,
              &t->base[NV3_ATTR_Z], &t->dx[NV3_ATTR_Z], &t->dy[NV3_ATTR_Z]);
}

static bool nv3_setup_texture(const NV3RasterState *st, NV3RasterTri *t,
                              const NV3Shape *s, double area,
                              const NV3RasterVertex *const v[3],
                              const double m[3])
{
    unsigned max = st->tex_format >> NV3_D3D_TEX_SIZE_MAX_SHIFT & 0xf;
    unsigned min = st->tex_format >> NV3_D3D_TEX_SIZE_MIN_SHIFT & 0xf;
    int32_t tu[3] = { v[0]->u, v[1]->u, v[2]->u };
    int32_t tv[3] = { v[0]->v, v[1]->v, v[2]->v };
    double uv[6], scale;

    max = max > NV3_TEX_LOG2_MAX ? NV3_TEX_LOG2_MAX : max;
    if ((st->config >> NV3_D3D_CONFIG_WRAP_U_SHIFT & 3) ==
        NV3_D3D_WRAP_CYLINDRICAL) {
        nv3_setup_cylinder(tu, max);
    }
    if ((st->config >> NV3_D3D_CONFIG_WRAP_V_SHIFT & 3) ==
        NV3_D3D_WRAP_CYLINDRICAL) {
        nv3_setup_cylinder(tv, max);
    }
    t->log2 = nv3_setup_level(st, tu, tv, area, min, max);
    t->pairs = st->texture(st->opaque, t->log2);
    if (!t->pairs) {
        return false;
    }
    for (unsigned i = 0; i < 3; i++) {
        uv[i] = tu[i] * m[i];
        uv[i + 3] = tv[i] * m[i];
    }
    scale = nv3_setup_scale(uv, 6);
    t->tex_scale = nv3_pow2(NV3_TEX_FRAC - 4 - (int)(max - t->log2)) / scale;
    nv3_plane(s, uv[0] * scale, uv[1] * scale, uv[2] * scale,
              &t->base[NV3_ATTR_U], &t->dx[NV3_ATTR_U], &t->dy[NV3_ATTR_U]);
    nv3_plane(s, uv[3] * scale, uv[4] * scale, uv[5] * scale,
              &t->base[NV3_ATTR_V], &t->dx[NV3_ATTR_V], &t->dy[NV3_ATTR_V]);
    return true;
}

static int nv3_setup_alpha(const NV3RasterVertex *v)
{
    return 255 - ((v->a << 1 & 0xfe) | (v->a >> 6 & 1));
}

static void nv3_setup_colors(NV3RasterTri *t, const NV3Shape *s,
                             const NV3RasterVertex *const v[3])
{
    if (t->flags & NV3_RASTER_F_COLOR) {
        nv3_color_plane(t, s, NV3_COL_R,
                        255 - v[0]->r, 255 - v[1]->r, 255 - v[2]->r);
        nv3_color_plane(t, s, NV3_COL_G,
                        255 - v[0]->g, 255 - v[1]->g, 255 - v[2]->g);
        nv3_color_plane(t, s, NV3_COL_B,
                        255 - v[0]->b, 255 - v[1]->b, 255 - v[2]->b);
    }
    if (t->flags & NV3_RASTER_F_VTX_ALPHA) {
        nv3_color_plane(t, s, NV3_COL_A, nv3_setup_alpha(v[0]),
                        nv3_setup_alpha(v[1]), nv3_setup_alpha(v[2]));
    }
    if (t->flags & NV3_RASTER_F_FOG) {
        nv3_color_plane(t, s, NV3_COL_FOG,
                        v[0]->fog, v[1]->fog, v[2]->fog);
    }
}

bool nv3_raster_setup(const NV3RasterState *st, const NV3RasterVertex *v0,
                      const NV3RasterVertex *v1, const NV3RasterVertex *v2,
                      NV3RasterTri *t)
{
    const NV3RasterVertex *const v[3] = { v0, v1, v2 };
    int32_t x1 = v1->x - v0->x, y1 = v1->y - v0->y;
    int32_t x2 = v2->x - v0->x, y2 = v2->y - v0->y;
    int64_t area = (int64_t)x1 * y2 - (int64_t)x2 * y1;
    unsigned cull = st->config >> NV3_D3D_CONFIG_CULL_SHIFT & 3;
    NV3Shape s = {
        .x0 = v0->x, .y0 = v0->y, .x1 = x1, .y1 = y1, .x2 = x2, .y2 = y2,
    };
    double m[3];

    /* Positive: clockwise as seen, y growing downwards. */
    if (area == 0 ||
        cull == (area > 0 ? NV3_D3D_CULL_CW : NV3_D3D_CULL_CCW)) {
        return false;
    }
    *t = (NV3RasterTri) { 0 };
    if (!nv3_setup_edges(t, v, area > 0) || !nv3_setup_flags(st, t, v)) {
        return false;
    }
    s.inv_area = 1 / (double)area;
    nv3_setup_m(v, m);
    if (t->flags & NV3_RASTER_F_ZETA) {
        nv3_setup_z(st, t, &s, v, m);
    }
    if (t->flags & (NV3_RASTER_F_COLOR | NV3_RASTER_F_ALPHA_TEST |
                    NV3_RASTER_F_ALPHA_WREN)) {
        if (!nv3_setup_texture(st, t, &s, area, v, m)) {
            return false;
        }
        nv3_setup_colors(t, &s, v);
    }
    nv3_plane(&s, m[0], m[1], m[2],
              &t->base[NV3_ATTR_M], &t->dx[NV3_ATTR_M], &t->dy[NV3_ATTR_M]);
    return true;
}
