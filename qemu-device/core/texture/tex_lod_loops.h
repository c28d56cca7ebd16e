/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Functions that compute levels of detail and cube faces for a block of 8 x 8 pixels. The
 * source file of each SIMD level includes this header after pixel/lanes.h.
 */
#include "texture/texunit_int.h"

#define TEX_BLOCK       64      /* pixels of a block */
#define TEX_VECTORS     (TEX_BLOCK / LANES)

/* ---- level of detail --------------------------------------------------- */

/*
 * Returns log2 of the length of the longer vector in @change. The two vectors are the
 * changes of the coordinates in texels, from a pixel to its right neighbour and to its
 * lower neighbour.
 */
LANES_INLINE LaneF tex_lod(const LaneF change[2][3])
{
    LaneF length[2];

    for (unsigned d = 0; d < 2; d++) {
        length[d] = change[d][0] * change[d][0] + change[d][1] * change[d][1] +
                    change[d][2] * change[d][2];
    }
    return 0.5f * lane_lg2(lane_max(length[0], length[1]));
}

/*
 * For each axis, sets @scale to the factor that converts a change of the normalized
 * coordinate to texels of level 0.
 */
LANES_INLINE void tex_axis_scales(const NV3TexUnit *unit, float scale[3])
{
    const int32_t *size = unit->level[0].size;

    for (unsigned a = 0; a < 3; a++) {
        scale[a] = size[a];
    }
    if (unit->image.dim == NV3_TEX_2D) {
        scale[2] = 0;
    }
}

/*
 * Computes the level of detail from request->gradient. The caller applies the bias and
 * the bounds.
 */
static LANES_TARGET void tex_gradient_lod(const NV3TexUnit *unit,
                                          const NV3TexRequest *request,
                                          LaneF lod[TEX_VECTORS])
{
    const unsigned axes = unit->image.dim == NV3_TEX_2D ? 2 : 3;
    float scale[3];

    tex_axis_scales(unit, scale);
    for (unsigned i = 0; i < TEX_VECTORS; i++) {
        LaneF change[2][3] = { { { 0 } } };

        for (unsigned d = 0; d < 2; d++) {
            for (unsigned a = 0; a < axes; a++) {
                change[d][a] = ((const LaneF *)request->gradient[d][a])[i] * scale[a];
            }
        }
        lod[i] = tex_lod((const LaneF (*)[3])change);
    }
}

#define TEX_QUADS   (TEX_BLOCK / 4)

/*
 * Computes the level of detail of each quad. The caller applies the bias and the bounds.
 * The coordinates' changes are measured from the quad's first pixel to its right and
 * lower neighbours.
 */
static LANES_TARGET void tex_quad_lod(const NV3TexUnit *unit, const float *const coord[3],
                                      LaneF lod[TEX_VECTORS])
{
    const unsigned axes = unit->image.dim == NV3_TEX_2D ? 2 : 3;
    float change[2][3][TEX_QUADS] __attribute__((aligned(64)));
    float quad_lod[TEX_QUADS] __attribute__((aligned(64)));
    float *to = (float *)lod;
    float scale[3];

    tex_axis_scales(unit, scale);
    for (unsigned a = 0; a < axes; a++) {
        for (unsigned q = 0; q < TEX_QUADS; q++) {
            const float *first = coord[a] + q / 4 * 16 + q % 4 * 2;

            change[0][a][q] = first[1] - first[0];
            change[1][a][q] = first[8] - first[0];
        }
    }
    for (unsigned i = 0; i < TEX_QUADS / LANES; i++) {
        LaneF c[2][3] = { { { 0 } } };

        for (unsigned d = 0; d < 2; d++) {
            for (unsigned a = 0; a < axes; a++) {
                c[d][a] = ((const LaneF *)change[d][a])[i] * scale[a];
            }
        }
        ((LaneF *)quad_lod)[i] = tex_lod((const LaneF (*)[3])c);
    }
    for (unsigned q = 0; q < TEX_QUADS; q++) {
        float *first = to + q / 4 * 16 + q % 4 * 2;

        first[0] = first[1] = first[8] = first[9] = quad_lod[q];
    }
}

/*
 * For each quad, computes how the direction changes between the first pixel and its right
 * neighbour, and between the first pixel and its lower neighbour. All pixels of a quad
 * get the same changes.
 */
LANES_INLINE void tex_direction_changes(const float *const direction[3],
                                        float change[2][3][TEX_BLOCK])
{
    for (unsigned a = 0; a < 3; a++) {
        for (unsigned q = 0; q < TEX_QUADS; q++) {
            const unsigned first = q / 4 * 16 + q % 4 * 2;
            const float *from = direction[a] + first;

            for (unsigned d = 0; d < 2; d++) {
                float *to = change[d][a] + first;

                to[0] = to[1] = to[8] = to[9] = from[d ? 8 : 1] - from[0];
            }
        }
    }
}

/*
 * Computes the level of detail for a cube map. The caller applies the bias and the
 * bounds. The pixels of a quad may be on different faces, so each pixel's change of
 * direction is projected onto the face of this pixel. @major: see tex_cube().
 */
static LANES_TARGET __attribute__((noinline))
void tex_cube_lod(const NV3TexUnit *unit, const NV3TexRequest *request,
                  const LaneF major[3][TEX_VECTORS], LaneF lod[TEX_VECTORS])
{
    float change[2][3][TEX_BLOCK] __attribute__((aligned(64)));
    const bool given = request->lod == NV3_TEX_LOD_GRADIENT;

    if (!given) {
        tex_direction_changes(request->coord, change);
    }
    for (unsigned i = 0; i < TEX_VECTORS; i++) {
        const LaneF x = ((const LaneF *)request->coord[0])[i];
        const LaneF y = ((const LaneF *)request->coord[1])[i];
        const LaneF z = ((const LaneF *)request->coord[2])[i];
        const LaneF ax = lane_abs(x), ay = lane_abs(y), az = lane_abs(z);
        const LaneI is_x = (ax >= ay) & (ax >= az), is_y = ~is_x & (ay >= az);
        const LaneF largest = lane_select(is_x, ax, lane_select(is_y, ay, az));
        /*
         * On a face, coordinates divided by @largest range from -1 to 1, so a distance of
         * 2 corresponds to size[0] texels.
         */
        const LaneF scale = 0.5f * unit->level[0].size[0] / largest;
        LaneF along[2][3];

        for (unsigned d = 0; d < 2; d++) {
            LaneF by[3], outwards;

            for (unsigned a = 0; a < 3; a++) {
                by[a] = ((const LaneF *)(given ? request->gradient[d][a] :
                                                 change[d][a]))[i];
            }
            outwards = lane_select(is_x, by[0] * major[0][i],
                                   lane_select(is_y, by[1] * major[1][i],
                                               by[2] * major[2][i]));
            for (unsigned a = 0; a < 3; a++) {
                along[d][a] = (by[a] - major[a][i] * outwards) * scale;
            }
        }
        lod[i] = tex_lod((const LaneF (*)[3])along);
    }
}

/*
 * Computes the level of detail, and applies the bias and the bounds. @major: see
 * tex_cube(); used only for cubes.
 */
static LANES_TARGET __attribute__((noinline))
void tex_find_lod(const NV3TexUnit *unit, const NV3TexRequest *request,
                  const LaneF major[3][TEX_VECTORS], LaneF lod[TEX_VECTORS])
{
    const NV3TexSampler *s = &unit->sampler;

    if (request->lod != NV3_TEX_LOD_EXPLICIT) {
        if (unit->image.dim == NV3_TEX_CUBE) {
            tex_cube_lod(unit, request, major, lod);
        } else if (request->lod == NV3_TEX_LOD_GRADIENT) {
            tex_gradient_lod(unit, request, lod);
        } else {
            tex_quad_lod(unit, request->coord, lod);
        }
    }
    for (unsigned i = 0; i < TEX_VECTORS; i++) {
        LaneF given = ((const LaneF *)request->coord[3])[i];

        if (request->lod == NV3_TEX_LOD_EXPLICIT) {
            lod[i] = given;
        } else if (request->lod == NV3_TEX_LOD_BIAS) {
            lod[i] += given;
        }
        lod[i] = lane_min(lane_max(lod[i] + s->lod_bias, lane_splat(s->lod_min)),
                          lane_splat(s->lod_max));
    }
}

/* ---- cubes ------------------------------------------------------------- */

/*
 * Computes the cube face that each direction hits, and the coordinates on this face, from
 * 0 to 1 (OpenGL 2.1, table 3.19). @major: the directions, divided by the magnitude of
 * their largest component.
 */
static LANES_TARGET __attribute__((noinline))
void tex_cube(const float *const direction[3], LaneF coord[2][TEX_VECTORS],
              LaneI face[TEX_VECTORS], LaneF major[3][TEX_VECTORS])
{
    for (unsigned i = 0; i < TEX_VECTORS; i++) {
        LaneF x = ((const LaneF *)direction[0])[i];
        LaneF y = ((const LaneF *)direction[1])[i];
        LaneF z = ((const LaneF *)direction[2])[i];
        LaneF ax = lane_abs(x), ay = lane_abs(y), az = lane_abs(z);
        LaneI is_x = (ax >= ay) & (ax >= az), is_y = ~is_x & (ay >= az);
        LaneF m = lane_select(is_x, x, lane_select(is_y, y, z));
        LaneI negative = (LaneI)m >> 31, sign = (LaneI)m & INT32_MIN;
        LaneF scale = 1.0f / lane_abs(m);
        LaneF s = lane_select(is_x, (LaneF)((LaneI)z ^ sign ^ INT32_MIN),
                              lane_select(is_y, x, (LaneF)((LaneI)x ^ sign)));
        LaneF t = lane_select(is_y, (LaneF)((LaneI)z ^ sign),
                              (LaneF)((LaneI)y ^ INT32_MIN));

        coord[0][i] = (s * scale + 1.0f) * 0.5f;
        coord[1][i] = (t * scale + 1.0f) * 0.5f;
        face[i] = (~is_x & lane_iselect(is_y, lane_isplat(2), lane_isplat(4))) +
                  (negative & 1);
        major[0][i] = x * scale;
        major[1][i] = y * scale;
        major[2][i] = z * scale;
    }
}
