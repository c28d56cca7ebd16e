/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The reference implementation of the texture unit (texreference.h). */
#include <math.h>
#include <string.h>

#include "texture/texdecode.h"
#include "texture/texreference.h"

/*
 * The normalized coordinates s, t and r of a pixel, and its face if the image is a cube.
 */
typedef struct Place {
    double coord[3];
    unsigned face;
} Place;

static double bound(double x, double low, double high)
{
    return !(x > low) ? low : x > high ? high : x;
}

static int modulo(int i, int size)
{
    i %= size;
    return i < 0 ? i + size : i;
}

static bool is_mirror_clamp(unsigned wrap)
{
    return wrap == NV3_TEX_MIRROR_CLAMP_TO_EDGE ||
           wrap == NV3_TEX_MIRROR_CLAMP_TO_BORDER ||
           wrap == NV3_TEX_MIRROR_CLAMP;
}

/* The coordinate in texels. */
static double wrapped(double s, unsigned wrap, int size, bool linear)
{
    if (isnan(s) || isinf(s)) {
        return -1;
    }
    if (is_mirror_clamp(wrap)) {
        s = fabs(s);
    }
    if (wrap == NV3_TEX_CLAMP || wrap == NV3_TEX_MIRROR_CLAMP) {
        s = bound(s, 0, 1);
    }
    if (wrap == NV3_TEX_REPEAT) {
        s -= floor(s);
    }
    if (wrap == NV3_TEX_MIRRORED_REPEAT) {
        s -= 2 * floor(s / 2);
    }
    return bound(s * size - (linear ? 0.5 : 0), -2.0 * size, 3.0 * size);
}

/*
 * Returns the index of the texel that a wrap mode selects for index @i, which may be
 * outside the image, or -1 for the border colour.
 */
static int wrap_texel(int i, unsigned wrap, int size, bool linear)
{
    switch (wrap) {
    case NV3_TEX_REPEAT:
        return modulo(i, size);
    case NV3_TEX_MIRRORED_REPEAT:
        i = modulo(i, 2 * size);
        return i < size ? i : 2 * size - 1 - i;
    case NV3_TEX_CLAMP:
    case NV3_TEX_MIRROR_CLAMP:
        if (!linear) {
            return i < 0 ? 0 : i < size ? i : size - 1;
        }
        /* fall through */
    case NV3_TEX_CLAMP_TO_BORDER:
    case NV3_TEX_MIRROR_CLAMP_TO_BORDER:
        return i >= 0 && i < size ? i : -1;
    default:
        return i < 0 ? 0 : i < size ? i : size - 1;
    }
}

static double compare(unsigned func, float ref, float texel)
{
    return (func & 1 && ref < texel) || (func & 2 && ref == texel) ||
           (func & 4 && ref > texel);
}

static double from_srgb(double c)
{
    return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

/*
 * Stores the colour of a texel in @color. @i: the index of the texel along each axis. -1
 * selects the border colour.
 */
static void fetch(const NV3TexUnit *unit, unsigned l, const int i[3], unsigned face,
                  double ref, double color[4])
{
    static const unsigned shift[4] = { 16, 8, 0, 24 };
    const bool border = i[0] < 0 || i[1] < 0 || i[2] < 0;
    uint32_t texel = border ? 0 : nv3_tex_decode_one(&unit->image, l, i[0], i[1],
        unit->image.dim == NV3_TEX_CUBE ? face : (unsigned)i[2]);

    if (unit->depth) {
        float depth = unit->sampler.border[0];

        if (!border) {
            memcpy(&depth, &texel, sizeof(depth));
        }
        color[0] = unit->sampler.compare ? compare(unit->sampler.compare_func,
                                                   bound(ref, 0, 1), depth) : depth;
        color[1] = color[2] = color[0];
        color[3] = 1;
        return;
    }
    for (unsigned c = 0; c < 4; c++) {
        color[c] = border ? bound(unit->sampler.border[c], 0, 1) :
                            (texel >> shift[c] & 255) / 255.0;
        if (unit->srgb && c < 3) {
            color[c] = from_srgb(color[c]);
        }
    }
}

static void sample_level(const NV3TexUnit *unit, unsigned l, bool linear, const Place *p,
                         double color[4])
{
    const unsigned axes = unit->image.dim == NV3_TEX_3D ? 3 : 2;
    const unsigned taps = linear ? 1u << axes : 1;
    double u[3] = { 0 }, sum[4] = { 0 };

    for (unsigned a = 0; a < axes; a++) {
        unsigned wrap = unit->image.dim == NV3_TEX_CUBE ? NV3_TEX_CLAMP_TO_EDGE :
                                                          unit->sampler.wrap[a];

        u[a] = wrapped(p->coord[a], wrap, unit->level[l].size[a], linear);
    }
    for (unsigned tap = 0; tap < taps; tap++) {
        double weight = 1, texel[4];
        int i[3] = { 0 };

        for (unsigned a = 0; a < axes; a++) {
            unsigned wrap = unit->image.dim == NV3_TEX_CUBE ? NV3_TEX_CLAMP_TO_EDGE :
                                                              unit->sampler.wrap[a];
            double fraction = u[a] - floor(u[a]);
            unsigned next = tap >> a & 1;

            i[a] = wrap_texel((int)floor(u[a]) + (int)next, wrap,
                              unit->level[l].size[a], linear);
            weight *= !linear ? 1 : next ? fraction : 1 - fraction;
        }
        fetch(unit, l, i, p->face, p->coord[2], texel);
        for (unsigned c = 0; c < 4; c++) {
            sum[c] += weight * texel[c];
        }
    }
    memcpy(color, sum, sizeof(sum));
}

/* @lod: bounded. */
static void sample_mipmap(const NV3TexUnit *unit, double lod, const Place *p,
                          double color[4])
{
    const NV3TexSampler *s = &unit->sampler;
    const bool linear = lod <= 0 ? s->mag_linear : s->min_linear;
    const double last = unit->image.levels - 1;
    double next[4], weight;

    if (s->mip == NV3_TEX_MIP_NONE || lod <= 0 || last == 0) {
        sample_level(unit, 0, linear, p, color);
        return;
    }
    lod = lod > last ? last : lod;
    if (s->mip == NV3_TEX_MIP_NEAREST) {
        sample_level(unit, lod <= 0.5 ? 0 : ceil(lod + 0.5) - 1, linear, p, color);
        return;
    }
    sample_level(unit, lod, linear, p, color);
    weight = lod - floor(lod);
    if (weight > 0) {
        sample_level(unit, lod + 1, linear, p, next);
        for (unsigned c = 0; c < 4; c++) {
            color[c] += (next[c] - color[c]) * weight;
        }
    }
}

/* OpenGL 2.1, table 3.19. */
static Place cube_place(const double v[3])
{
    const double x = fabs(v[0]), y = fabs(v[1]), z = fabs(v[2]);
    const unsigned axis = x >= y && x >= z ? 0 : y >= z ? 1 : 2;
    const bool negative = signbit(v[axis]);
    const double sign = negative ? -1 : 1;
    const double major = fabs(v[axis]);
    double s, t;

    switch (axis) {
    case 0:
        s = -sign * v[2];
        t = -v[1];
        break;
    case 1:
        s = v[0];
        t = sign * v[2];
        break;
    default:
        s = sign * v[0];
        t = -v[1];
        break;
    }
    return (Place) {
        .coord = { (s / major + 1) / 2, (t / major + 1) / 2, v[2] },
        .face = 2 * axis + negative,
    };
}

/*
 * Projects @change, a change of the direction @v, onto the cube face that @v hits. @axis:
 * the axis of this face.
 */
static void along_face(double change[3], const double v[3], unsigned axis)
{
    const double outwards = change[axis] / v[axis];

    for (unsigned a = 0; a < 3; a++) {
        change[a] = (change[a] - v[a] * outwards) / fabs(v[axis]);
    }
}

static double level_of_detail(const NV3TexUnit *unit, const NV3TexQuad *q,
                              const Place *place, unsigned pixel)
{
    const NV3TexSampler *s = &unit->sampler;
    const unsigned axes = unit->image.dim == NV3_TEX_2D ? 2 : 3;
    const bool cube = unit->image.dim == NV3_TEX_CUBE;
    const double v[3] = { q->coord[0][pixel], q->coord[1][pixel], q->coord[2][pixel] };
    double length[2] = { 0 }, lod;

    for (unsigned d = 0; d < 2; d++) {
        double change[3];

        for (unsigned a = 0; a < 3; a++) {
            change[a] = q->lod == NV3_TEX_LOD_GRADIENT ? q->gradient[d][a][pixel] :
                        q->coord[a][d ? 2 : 1] - q->coord[a][0];
        }
        if (cube) {
            along_face(change, v, place->face / 2);
        }
        for (unsigned a = 0; a < axes; a++) {
            double size = cube ? unit->level[0].size[0] / 2.0 : unit->level[0].size[a];

            length[d] += change[a] * size * change[a] * size;
        }
    }
    lod = 0.5 * log2(fmax(length[0], length[1]));
    if (q->lod == NV3_TEX_LOD_BIAS) {
        lod += q->coord[3][pixel];
    } else if (q->lod == NV3_TEX_LOD_EXPLICIT) {
        lod = q->coord[3][pixel];
    }
    return bound(lod + s->lod_bias, s->lod_min, s->lod_max);
}

void nv3_tex_reference(const NV3TexUnit *unit, NV3TexQuad *q)
{
    Place place[NV3_TEX_QUAD];

    for (unsigned p = 0; unit && p < NV3_TEX_QUAD; p++) {
        double v[3] = { q->coord[0][p], q->coord[1][p], q->coord[2][p] };

        place[p] = (Place) { .coord = { v[0], v[1], v[2] } };
        if (unit->image.dim == NV3_TEX_CUBE) {
            place[p] = cube_place(v);
        }
    }
    for (unsigned p = 0; p < NV3_TEX_QUAD; p++) {
        double color[4] = { 0, 0, 0, 1 };

        if (unit) {
            double lod = unit->needs_lod ? level_of_detail(unit, q, &place[p], p) : 0;

            sample_mipmap(unit, lod, &place[p], color);
        }
        for (unsigned c = 0; c < 4; c++) {
            q->result[c][p] = color[c];
        }
    }
}
