/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Computes the edges of a triangle, its mip level and the plane of each attribute.
 *
 * Edges are exact. A gradient is the change of a value per sixteenth of a pixel. It is
 * computed in doubles, whose 53 bits hold every numerator exactly. The result is rounded
 * to fixed point.
 *
 * setup_avx2.c includes this file to generate AVX2 code, which computes four attributes
 * at once. The results are the same, because the compiler must not fuse multiplications
 * with additions (-ffp-contract=off, meson.build).
 *
 * The including file defines:
 *
 * SETUP_TARGET         attributes of every function
 * SETUP_FUNCTION       the name of the function
 * SETUP_WIDEN8(b)      converts four bytes to 32 bits
 * SETUP_WIDEN16(s)     converts four signed numbers of 16 bits to 32 bits
 * SETUP_DOUBLE(i)      converts four numbers of 32 bits to doubles
 * SETUP_SMALL(t)       additional set-up of a triangle of at most 8 by 8 pixels
 */
#include <math.h>
#include <string.h>

#include "raster/raster_int.h"

#define INLINE inline __attribute__((always_inline)) SETUP_TARGET

/*
 * The triangle's shape. The unit of coordinates is 1/16 of a pixel (12.4), and @area is
 * twice the triangle's area in squares of this unit.
 */
typedef struct NV3Shape {
    double x1, y1, x2, y2;  /* the second and third vertex, relative to the first */
    double area, inv_area;
    int32_t x0, y0;
    bool thin;              /* gradients may not fit 32.32 */
} NV3Shape;

/* Four attributes at the three vertices. */
typedef double NV3Attrs[3][4];

/* Returns 2^@e, which must be a normal double. */
static INLINE double nv3_pow2(int e)
{
    uint64_t bits = (uint64_t)(e + 1023) << 52;
    double d;

    memcpy(&d, &bits, sizeof(d));
    return d;
}

/* Returns floor(log2(@d)). @d must be a positive, normal double. */
static INLINE int nv3_log2(double d)
{
    uint64_t bits;

    memcpy(&bits, &d, sizeof(bits));
    return (int)(bits >> 52 & 0x7ff) - 1023;
}

typedef double NV3Double4 __attribute__((vector_size(32)));
typedef uint8_t NV3Byte4 __attribute__((vector_size(4)));
typedef int16_t NV3Short4 __attribute__((vector_size(8)));
typedef int32_t NV3Int4 __attribute__((vector_size(16)));
typedef int32_t NV3Int8 __attribute__((vector_size(32)));
typedef int64_t NV3Long4 __attribute__((vector_size(32)));

/* Indices of u and v in nv3_coords() and in vectors of attributes */
enum { U = NV3_ATTR_U, V = NV3_ATTR_V };

/* Index of the low 32-bit half of a double in memory. */
#define NV3_LOW     (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)

_Static_assert(offsetof(NV3RasterVertex, y) == offsetof(NV3RasterVertex, x) + 2 &&
               offsetof(NV3RasterVertex, u) == offsetof(NV3RasterVertex, x) + 4 &&
               offsetof(NV3RasterVertex, v) == offsetof(NV3RasterVertex, x) + 6,
               "coordinates are four numbers in a row");
/* nv3_setup_colors() loads the four bytes as one word. */
_Static_assert(offsetof(NV3RasterVertex, a) == offsetof(NV3RasterVertex, r) + 3,
               "colours are four bytes in a row");

static INLINE int64_t nv3_fix32(double d)
{
    return (int64_t)(d * 0x1p32);
}

/* Converts to 32.32 modulo 2^64, rounding towards zero. */
static SETUP_TARGET int64_t nv3_fix32_wrap(double d)
{
    uint64_t size;

    d -= trunc(d / 0x1p32) * 0x1p32;
    size = fabs(d) * 0x1p32;
    return d < 0 ? -size : size;
}

/*
 * Rounds gradients to 31 fraction bits, and converts them to 32.32. The integer part must
 * fit in 32 bits.
 */
static INLINE void nv3_fix31(int64_t out[4], const NV3Double4 *d)
{
    NV3Int4 high = __builtin_convertvector(*d, NV3Int4);
    NV3Double4 rest = *d - __builtin_convertvector(high, NV3Double4);
    NV3Int4 low = __builtin_convertvector(rest * 0x1p31, NV3Int4);
    NV3Long4 fixed = __builtin_convertvector(high, NV3Long4) * (1ll << 32) +
                     __builtin_convertvector(low, NV3Long4) * 2;

    memcpy(out, &fixed, sizeof(fixed));
}

static INLINE void nv3_gradients(const NV3Shape *s, const NV3Attrs a, NV3Double4 *gx,
                                 NV3Double4 *gy)
{
    NV3Double4 a0, d1, d2;

    memcpy(&a0, a[0], sizeof(a0));
    memcpy(&d1, a[1], sizeof(d1));
    memcpy(&d2, a[2], sizeof(d2));
    d1 -= a0;
    d2 -= a0;
    *gx = (d1 * s->y2 - d2 * s->y1) * s->inv_area;
    *gy = (d2 * s->x1 - d1 * s->x2) * s->inv_area;
}

/*
 * Computes the planes of four attributes from their values at the vertices. The gradients
 * of very thin triangles may not fit in 32.32. Their upper bits are lost, but because
 * numbers wrap around, this does not change the values at the triangle's pixels.
 */
static INLINE void nv3_planes(const NV3Shape *s, const NV3Attrs a, int64_t base[4],
                              int64_t dx[4], int64_t dy[4])
{
    NV3Double4 gx, gy;

    nv3_gradients(s, a, &gx, &gy);
    if (s->thin) {
        for (unsigned i = 0; i < 4; i++) {
            dx[i] = nv3_fix32_wrap(gx[i]);
            dy[i] = nv3_fix32_wrap(gy[i]);
        }
    } else {
        nv3_fix31(dx, &gx);
        nv3_fix31(dy, &gy);
    }
    for (unsigned i = 0; i < 4; i++) {
        uint64_t x = dx[i], y = dy[i];

        base[i] = (uint64_t)nv3_fix32(a[0][i]) - x * s->x0 - y * s->y0;
        dx[i] = x * 16;
        dy[i] = y * 16;
    }
}

/*
 * Computes colour planes as 16.16, which is precise enough for components of 5 bits.
 */
static INLINE void nv3_color_planes(const NV3Shape *s, const NV3Attrs a,
                                    int32_t base[4], int32_t dx[4], int32_t dy[4])
{
    NV3Double4 gx, gy;

    nv3_gradients(s, a, &gx, &gy);
    if (s->thin) {
        for (unsigned i = 0; i < 4; i++) {
            dx[i] = nv3_fix32_wrap(gx[i]) >> 16;
            dy[i] = nv3_fix32_wrap(gy[i]) >> 16;
        }
    } else {
        NV3Int4 x = __builtin_convertvector(gx * 0x1p16, NV3Int4);
        NV3Int4 y = __builtin_convertvector(gy * 0x1p16, NV3Int4);

        memcpy(dx, &x, sizeof(x));
        memcpy(dy, &y, sizeof(y));
    }
    for (unsigned i = 0; i < 4; i++) {
        uint32_t x = dx[i], y = dy[i];

        base[i] = (uint32_t)(int32_t)(a[0][i] * 0x1p16) - x * s->x0 -
                  y * s->y0;
        dx[i] = x * 16;
        dy[i] = y * 16;
    }
}

/*
 * Rounds to integers modulo 2^32. Adding 1.5 * 2^52 rounds to an integer, because the
 * sum's mantissa has no fraction bits. The arguments must be below 2^51.
 */
static INLINE void nv3_round32(int32_t out[4], const NV3Double4 *d)
{
    NV3Double4 sum = *d + 0x1.8p52;
    NV3Int8 bits;

    memcpy(&bits, &sum, sizeof(bits));
    bits = __builtin_shufflevector(bits, bits, NV3_LOW, NV3_LOW + 2, NV3_LOW + 4,
                                   NV3_LOW + 6, NV3_LOW, NV3_LOW + 2, NV3_LOW + 4,
                                   NV3_LOW + 6);
    memcpy(out, &bits, sizeof(out[0]) * 4);
}

/*
 * Computes the planes of four attributes of a small triangle. Stores the values at
 * (col0, row0) in @out. The steps to the right follow at @out + @stride, and the steps
 * down at @out + 2 * @stride.
 */
static INLINE void nv3_small_planes(const NV3Shape *s, const NV3RasterTri *t,
                                    const NV3Attrs a, int32_t *out, unsigned stride)
{
    NV3Double4 gx, gy, start;

    nv3_gradients(s, a, &gx, &gy);
    memcpy(&start, a[0], sizeof(start));
    start += gx * (double)(t->col0 * 16 - s->x0) +
             gy * (double)(t->row0 * 16 - s->y0);
    gx *= 16;
    gy *= 16;
    nv3_round32(out, &start);
    nv3_round32(out + stride, &gx);
    nv3_round32(out + 2 * stride, &gy);
}

static INLINE int32_t nv3_ceil16(int32_t x)
{
    return (x + 15) >> 4;
}

/*
 * Sorts the vertices, and determines the triangle's lines and columns. Returns false if
 * the triangle covers no pixel.
 */
static INLINE bool nv3_setup_edges(NV3RasterTri *t, const NV3RasterVertex *const v[3],
                                   bool clockwise)
{
    /* Indices of the top, middle and bottom vertices. */
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
    /* If top, middle and bottom are clockwise, the middle vertex is on the right. */
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

/*
 * Computes t->flags: the stages that the triangle needs. Returns false if the triangle
 * draws nothing.
 */
static INLINE bool nv3_setup_flags(const NV3RasterState *st, NV3RasterTri *t,
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
 * Applies cylindrical wrapping, which interpolates along the shorter way around the
 * texture. The function adds multiples of the texture's size to coordinate @i of the
 * second and third vertex. The results differ from the first vertex's coordinate by at
 * most half of the texture's size. The mode is assumed to be Direct3D's
 * D3DRENDERSTATE_WRAPU, because NV4 converts it to its bit WRAPU in hwtest.
 */
static INLINE void nv3_setup_cylinder(NV3Int4 p[3], unsigned i, unsigned log2)
{
    int32_t turn = 16 << log2;

    for (unsigned j = 1; j < 3; j++) {
        int32_t d = p[j][i] - p[0][i] + turn / 2;

        /* Subtracts multiples of @turn. */
        p[j][i] -= d & -turn;
    }
}

/*
 * Selects the mip level whose texels are closest to the size of a pixel, and returns log2
 * of this level's width. All pixels of a triangle use the same level,
 * floor(log4(t / p) + 1/2), where t is the triangle's area in texels of the base level,
 * scaled by SIZE_ADJUST, and p is its area in pixels. The result is clamped to the levels
 * that exist.
 */
static INLINE unsigned nv3_setup_level(const NV3RasterState *st, const NV3Int4 p[3],
                                       double area, unsigned min, unsigned max)
{
    double texels;
    int level;

    if (min >= max) {
        return max;
    }
    texels = fabs((double)(p[1][U] - p[0][U]) * (p[2][V] - p[0][V]) -
                  (double)(p[2][U] - p[0][U]) * (p[1][V] - p[0][V]));
    if (texels == 0) {
        return max;
    }
    level = (nv3_log2(texels * st->mode.lod_scale / fabs(area)) + 1) >> 1;
    if (level < 0) {
        return max;
    }
    return level > (int)(max - min) ? min : max - level;
}

/*
 * Stores 1 / w of the three vertices in @m, scaled so that the largest value is in [2^29,
 * 2^30). Denormal floats are treated as zero, and infinities as large numbers.
 */
static INLINE void nv3_setup_m(const NV3RasterVertex *const v[3], NV3Double4 *m)
{
    NV3Long4 bits = { v[0]->m, v[1]->m, v[2]->m };
    uint32_t max = v[0]->m > v[1]->m ? v[0]->m : v[1]->m;

    max = (v[2]->m > max ? v[2]->m : max) >> 17;
    if (!max) {
        *m = (NV3Double4) { 0x1p29, 0x1p29, 0x1p29, 0x1p29 };
        return;
    }
    /*
     * The addition scales the exponent. The mask replaces zeros and denormals by 0,
     * because this way of scaling is not valid for them.
     */
    bits = ((bits << 35) + ((int64_t)(1023 + 29 - max) << 52)) & (bits > 0x1ffff);
    memcpy(m, &bits, sizeof(bits));
}

/* Stores the larger of the magnitudes of @a and @b in each lane of @out. */
static INLINE void nv3_largest(NV3Double4 *out, const NV3Double4 *a,
                               const NV3Double4 *b)
{
    const NV3Long4 sign = { INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX };
    NV3Long4 x, y, greater;

    /*
     * The order of positive doubles is also the order of their bit patterns as integers.
     */
    memcpy(&x, a, sizeof(x));
    memcpy(&y, b, sizeof(y));
    x &= sign;
    y &= sign;
    greater = x > y;
    x = (x & greater) | (y & ~greater);
    memcpy(out, &x, sizeof(x));
}

/*
 * Returns e such that @max * 2^e is in [2^29, 2^30), or 0 if @max is 0.
 */
static INLINE int nv3_setup_scale(double max)
{
    return max > 0 ? 29 - nv3_log2(max) : 0;
}

/*
 * Applies cylindrical wrapping to the coordinates if it is enabled, and selects the
 * texture's mip level. Returns false if the level is not available.
 */
static INLINE bool nv3_setup_texture(const NV3RasterState *st, NV3RasterTri *t,
                                     double area, NV3Int4 p[3])
{
    unsigned max = st->tex_format >> NV3_D3D_TEX_SIZE_MAX_SHIFT & 0xf;
    unsigned min = st->tex_format >> NV3_D3D_TEX_SIZE_MIN_SHIFT & 0xf;

    max = max > NV3_TEX_LOG2_MAX ? NV3_TEX_LOG2_MAX : max;
    if ((st->config >> NV3_D3D_CONFIG_WRAP_U_SHIFT & 3) ==
        NV3_D3D_WRAP_CYLINDRICAL) {
        nv3_setup_cylinder(p, U, max);
    }
    if ((st->config >> NV3_D3D_CONFIG_WRAP_V_SHIFT & 3) ==
        NV3_D3D_WRAP_CYLINDRICAL) {
        nv3_setup_cylinder(p, V, max);
    }
    t->log2 = nv3_setup_level(st, p, area, min, max);
    t->tex_scale = nv3_pow2(NV3_TEX_FRAC - 4 - (int)(max - t->log2));
    t->pairs = st->texture(st->opaque, t->log2);
    return t->pairs;
}

/*
 * Computes depth, m, u * m and v * m of the vertices, and t->z_scale and t->tex_scale.
 */
static INLINE void nv3_setup_attrs(NV3RasterTri *t, const NV3RasterVertex *const v[3],
                                   const NV3Int4 p[3], NV3Attrs a)
{
    const bool persp = t->flags & NV3_RASTER_F_Z_PERSP;
    const NV3Double4 one = { 1, 1, 1, 1 };
    NV3Double4 m, d[3], max, scale;
    int uv, z = 6;

    nv3_setup_m(v, &m);
    d[0] = __builtin_shufflevector(m, m, 0, 0, 0, 0);
    d[1] = __builtin_shufflevector(m, m, 1, 1, 1, 1);
    d[2] = __builtin_shufflevector(m, m, 2, 2, 2, 2);
    for (unsigned i = 0; i < 3; i++) {
        NV3Int4 in = p[i];

        in[NV3_ATTR_Z] = v[i]->z;
        in[NV3_ATTR_M] = 1;
        if (!persp) {
            d[i] = __builtin_shufflevector(d[i], one, 4, 1, 2, 3);
        }
        d[i] *= SETUP_DOUBLE(in);
    }
    nv3_largest(&max, &d[0], &d[1]);
    nv3_largest(&max, &max, &d[2]);
    uv = nv3_setup_scale(max[NV3_ATTR_U] > max[NV3_ATTR_V] ? max[NV3_ATTR_U] :
                                                             max[NV3_ATTR_V]);
    /*
     * Multiply by 2^-@uv, because dividing by 2^@uv is slower. The product is exact,
     * because the factor is a power of 2.
     */
    t->tex_scale *= nv3_pow2(-uv);
    t->z_scale = 0;
    if (persp) {
        z = nv3_setup_scale(max[NV3_ATTR_Z]);
        t->z_scale = nv3_pow2(-z - 8);
    }
    scale = (NV3Double4) { nv3_pow2(z), 1, nv3_pow2(uv), nv3_pow2(uv) };
    for (unsigned i = 0; i < 3; i++) {
        d[i] *= scale;
        memcpy(a[i], &d[i], sizeof(d[i]));
    }
}

static INLINE void nv3_setup_colors(NV3RasterTri *t, const NV3Shape *s,
                                    const NV3RasterVertex *const v[3])
{
    NV3Attrs a;

    for (unsigned i = 0; i < 3; i++) {
        const NV3Int4 seven = { 0, 0, 0, -1 };
        NV3Double4 d;
        NV3Byte4 in;
        NV3Int4 c;

        memcpy(&in, &v[i]->r, sizeof(in));
        /* Alpha has 7 bits. The top bit is repeated as bit 0 of the 8-bit value. */
        c = SETUP_WIDEN8(in) & (255 ^ (seven & 0x80));
        c += seven & (c + (c >> 6));
        d = SETUP_DOUBLE((255 - c) * 128);
        memcpy(a[i], &d, sizeof(d));
    }
    if (t->flags & NV3_RASTER_F_SMALL) {
        nv3_small_planes(s, t, a, t->small.c[0], NV3_SMALL_COLORS);
    } else {
        nv3_color_planes(s, a, t->cbase, t->cdx, t->cdy);
    }
    if (t->flags & NV3_RASTER_F_FOG) {
        const NV3Attrs fog = {
            { v[0]->fog * 128 }, { v[1]->fog * 128 }, { v[2]->fog * 128 },
        };

        if (t->flags & NV3_RASTER_F_SMALL) {
            nv3_small_planes(s, t, fog, t->small.c[0] + NV3_COL_FOG,
                             NV3_SMALL_COLORS);
        } else {
            nv3_color_planes(s, fog, t->cbase + NV3_COL_FOG,
                             t->cdx + NV3_COL_FOG, t->cdy + NV3_COL_FOG);
        }
    }
}

/* Returns x, y, u and v of a vertex in elements 0, 1, U and V. */
static INLINE NV3Int4 nv3_coords(const NV3RasterVertex *v)
{
    NV3Short4 in;

    memcpy(&in, &v->x, sizeof(in));
    return SETUP_WIDEN16(in);
}

/* @p: nv3_coords() of the vertices */
static INLINE NV3Shape nv3_shape(const NV3Int4 p[3])
{
    const NV3Double4 d1 = SETUP_DOUBLE(p[1] - p[0]), d2 = SETUP_DOUBLE(p[2] - p[0]);
    NV3Shape s = {
        .x0 = p[0][0], .y0 = p[0][1],
        .x1 = d1[0], .y1 = d1[1], .x2 = d2[0], .y2 = d2[1],
    };

    /*
     * The area is positive if the vertices are clockwise on the screen (y points down).
     */
    s.area = s.x1 * s.y2 - s.x2 * s.y1;
    return s;
}

/*
 * Returns true if gradients may not fit in 32.32, given that the values of an attribute
 * at two vertices differ by at most 2^31.
 */
static INLINE bool nv3_thin(const NV3Shape *s)
{
    double extent = fabs(s->x1) + fabs(s->y1) + fabs(s->x2) + fabs(s->y2);

    return extent * 2 > fabs(s->area);
}

/*
 * Determines the triangle's shape, lines, columns and flags. Returns false if the
 * triangle draws nothing.
 */
static INLINE bool nv3_setup_begin(const NV3RasterState *st,
                                   const NV3RasterVertex *const v[3],
                                   const NV3Int4 p[3], NV3RasterTri *t, NV3Shape *s)
{
    unsigned cull = st->config >> NV3_D3D_CONFIG_CULL_SHIFT & 3;

    *s = nv3_shape(p);
    if (s->area == 0 ||
        cull == (s->area > 0 ? NV3_D3D_CULL_CW : NV3_D3D_CULL_CCW)) {
        return false;
    }
    if (!nv3_setup_edges(t, v, s->area > 0) || !nv3_setup_flags(st, t, v)) {
        return false;
    }
    if (t->col1 - t->col0 <= NV3_RASTER_SMALL &&
        t->row1 - t->row0 <= NV3_RASTER_SMALL) {
        t->flags |= NV3_RASTER_F_SMALL;
    }
    return true;
}

/* Computes the planes. Returns false if the texture's mip level is not available. */
static INLINE bool nv3_setup_planes(const NV3RasterState *st,
                                    const NV3RasterVertex *const v[3],
                                    NV3Int4 p[3], NV3RasterTri *t, NV3Shape *s)
{
    NV3Attrs a;

    t->pairs = NULL;
    t->log2 = 0;
    t->tex_scale = 1;
    s->inv_area = 1 / s->area;
    if (!(t->flags & NV3_RASTER_F_SMALL)) {
        s->thin = nv3_thin(s);
        memset(t->cbase, 0, sizeof(t->cbase));
        memset(t->cdx, 0, sizeof(t->cdx));
        memset(t->cdy, 0, sizeof(t->cdy));
    }
    if (t->flags & (NV3_RASTER_F_COLOR | NV3_RASTER_F_ALPHA_TEST |
                    NV3_RASTER_F_ALPHA_WREN)) {
        if (!nv3_setup_texture(st, t, s->area, p)) {
            return false;
        }
        nv3_setup_colors(t, s, v);
    }
    nv3_setup_attrs(t, v, p, a);
    if (t->flags & NV3_RASTER_F_SMALL) {
        nv3_small_planes(s, t, a, t->small.v[0], 4);
    } else {
        nv3_planes(s, a, t->base, t->dx, t->dy);
    }
    return true;
}

SETUP_TARGET
bool SETUP_FUNCTION(const NV3RasterState *st, const NV3RasterVertex *v0,
                    const NV3RasterVertex *v1, const NV3RasterVertex *v2,
                    NV3RasterTri *t)
{
    const NV3RasterVertex *const v[3] = { v0, v1, v2 };
    NV3Int4 p[3] = { nv3_coords(v0), nv3_coords(v1), nv3_coords(v2) };
    NV3Shape s;

    if (!nv3_setup_begin(st, v, p, t, &s)) {
        return false;
    }
    if (t->flags & NV3_RASTER_F_SMALL) {
        SETUP_SMALL(t);
    }
    return nv3_setup_planes(st, v, p, t, &s);
}
