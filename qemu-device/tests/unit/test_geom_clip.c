/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compares clipped triangles with a reference that does not clip. For each pixel, the
 * reference computes the clip coordinates of the point of the triangle that is projected
 * to the pixel's centre. The reference then checks in double precision whether this point
 * is on the inner side of all clip planes.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "geom_rig.h"
#include "geometry/geom_int.h"

/*
 * The tests do not compare pixels whose distance from a clip plane or an edge is below
 * MARGIN.
 */
#define MARGIN  2e-3

typedef struct Scene {
    double v[3][4];             /* clip space */
    double distance[3];         /* to user plane 4 */
    bool plane, clamp, zero_to_one;
} Scene;

static double determinant(const double a[3], const double b[3], const double c[3])
{
    return a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) +
           a[2] * (b[0] * c[1] - b[1] * c[0]);
}

/*
 * Returns 1 if the pixel's centre is inside the clipped triangle, -1 if it is outside, or
 * 0 if it is within MARGIN of an edge or a clip plane. Sets @weight to the weights of the
 * vertices: up to a common factor, the solution of sum(weight[i] * (x[i], y[i], w[i])) =
 * (X, Y, 1), where X and Y are the normalized device coordinates of the pixel's centre.
 */
static int seen(const Scene *s, int px, int py, double weight[3])
{
    double p[3] = { (px + 0.5) / (RIG_SIZE / 2) - 1, (py + 0.5) / (RIG_SIZE / 2) - 1, 1 };
    double m[3][3], all, smallest = 1, sum = 0, point[4] = { 0 }, plane = 0, limit[3];
    int result = 1;

    for (unsigned i = 0; i < 3; i++) {
        m[i][0] = s->v[i][0];
        m[i][1] = s->v[i][1];
        m[i][2] = s->v[i][3];
    }
    all = determinant(m[0], m[1], m[2]);
    weight[0] = determinant(p, m[1], m[2]) / all;
    weight[1] = determinant(m[0], p, m[2]) / all;
    weight[2] = determinant(m[0], m[1], p) / all;
    for (unsigned i = 0; i < 3; i++) {
        sum += fabs(weight[i]);
    }
    for (unsigned i = 0; i < 3; i++) {
        weight[i] /= sum;
        smallest = fmin(smallest, weight[i]);
        for (unsigned c = 0; c < 4; c++) {
            point[c] += weight[i] * s->v[i][c];
        }
        plane += weight[i] * s->distance[i];
    }
    limit[0] = point[2] + (s->zero_to_one ? 0 : point[3]);
    limit[1] = point[3] - point[2];
    limit[2] = plane;
    if (fabs(smallest) < MARGIN || fabs(point[3]) < MARGIN) {
        result = 0;
    } else if (smallest < 0 || point[3] < 0) {
        return -1;
    }
    for (unsigned i = 0; i < 3; i++) {
        if (i < 2 ? s->clamp : !s->plane) {
            continue;
        }
        if (fabs(limit[i]) < MARGIN) {
            result = 0;
        } else if (limit[i] < 0) {
            return -1;
        }
    }
    return result;
}

static void random_scene(Scene *s)
{
    s->plane = rig_random() & 1;
    s->clamp = rig_random() & 1;
    s->zero_to_one = rig_random() & 1;
    for (unsigned i = 0; i < 3; i++) {
        double far = rig_random() % 4 ? 2 : 40;

        for (unsigned c = 0; c < 3; c++) {
            s->v[i][c] = (float)rig_uniform(-far, far);
        }
        s->v[i][3] = (float)rig_uniform(-1, 3);
        s->distance[i] = (float)rig_uniform(-1, 2);
    }
}

static void draw_scene(GeomRig *rig, const Scene *s)
{
    rig_clear(rig);
    rig->st.clip_planes = s->plane ? 1u << 4 : 0;
    rig->st.depth_clamp = s->clamp;
    rig->st.depth_zero_to_one = s->zero_to_one;
    rig_set(rig);
    for (unsigned i = 0; i < 3; i++) {
        RigVertex *v = &rig->vertex[rig->vertices++];

        memset(v, 0, sizeof(*v));
        for (unsigned c = 0; c < 4; c++) {
            rig_store(&v->output[0][c], s->v[i][c]);
        }
        rig_store(&v->output[NV3_GEOM_O_COLOR0][0], i + 1);
        rig_store(&v->output[NV3_GEOM_O_POINT_SIZE][2], s->distance[i]);
    }
    rig_draw(rig, NV3_GEOM_TRIANGLES);
}

static void test_against_reference(void **state)
{
    GeomRig *rig = rig_new(1);
    unsigned compared = 0, covered = 0, colors = 0, wrong_colors = 0;

    for (unsigned i = 0; i < 1500; i++) {
        Scene s;

        random_scene(&s);
        draw_scene(rig, &s);
        for (int y = 0; y < RIG_SIZE; y += 3) {
            for (int x = 0; x < RIG_SIZE; x += 3) {
                double weight[3], color;
                int want = seen(&s, x, y, weight);

                if (!want) {
                    continue;
                }
                compared++;
                covered += want > 0;
                if ((want > 0) != rig->count[y][x]) {
                    fail_msg("scene %u, pixel %d %d: want %d", i, x, y, want);
                }
                if (want > 0) {
                    color = weight[0] + 2 * weight[1] + 3 * weight[2];
                    colors++;
                    wrong_colors += fabs(color - rig->color[y][x]) > 1.0 / 64;
                }
            }
        }
    }
    assert_true(compared > 1000000 && covered > 100000);
    /*
     * Permit a few wrong colours, because the shape of a thin triangle changes
     * considerably when its vertices are rounded to fixed point.
     */
    assert_true(wrong_colors < colors / 200);
    rig_free(rig);
}

/* Clipped triangles with a common edge must draw each pixel once. */
static void test_shared_edges(void **state)
{
    GeomRig *rig = rig_new(1);

    for (unsigned i = 0; i < 500; i++) {
        float corner[4][4];

        /*
         * The triangles form a floor that extends from behind the eye to a large
         * distance.
         */
        for (unsigned k = 0; k < 4; k++) {
            corner[k][0] = (k & 1 ? 300 : -300) + rig_uniform(-50, 50);
            corner[k][1] = 5;
            corner[k][2] = corner[k][3] = k & 2 ? 400 : -30;
            corner[k][2] -= 1;
        }
        rig_clear(rig);
        for (unsigned k = 0; k < 6; k++) {
            static const unsigned order[6] = { 0, 1, 2, 2, 1, 3 };
            RigVertex *v = &rig->vertex[rig->vertices++];

            memset(v, 0, sizeof(*v));
            for (unsigned c = 0; c < 4; c++) {
                rig_store(&v->output[0][c], corner[order[k]][c]);
            }
        }
        rig_draw(rig, NV3_GEOM_TRIANGLES);
        for (unsigned y = RIG_SIZE / 2 + 10; y < RIG_SIZE; y++) {
            for (unsigned x = 0; x < RIG_SIZE; x++) {
                assert_int_equal(rig->count[y][x], 1);
            }
        }
    }
    rig_free(rig);
}

/*
 * Tests a line and a point. The line's second vertex and the point are first inside and
 * then outside the view volume.
 */
static void test_lines_and_points(void **state)
{
    GeomRig *rig = rig_new(1);

    for (unsigned beyond = 0; beyond < 2; beyond++) {
        unsigned pixels = 0;

        rig_clear(rig);
        rig_vertex(rig, 10.5, 20.5, 0.5, 1, 1);
        rig_vertex(rig, 110.5, 20.5, beyond ? 1.5 : 0.5, 1, 1);
        rig_draw(rig, NV3_GEOM_LINES);
        for (unsigned x = 0; x < RIG_SIZE; x++) {
            pixels += rig->count[20][x];
        }
        assert_int_equal(pixels, beyond ? 50 : 100);
        rig_clear(rig);
        rig_vertex(rig, 10.5, 20.5, beyond ? 1.5 : 0.5, 1, 1);
        rig_draw(rig, NV3_GEOM_POINTS);
        assert_int_equal(rig->count[20][10], !beyond);
    }
    rig_free(rig);
}

/* Infinities, NaNs and very large numbers must not hang or crash the engine. */
static void test_strange_numbers(void **state)
{
    static const float strange[] = {
        0, -0.0f, 1, -1, 1e-40f, 1e38f, -1e38f, INFINITY, -INFINITY, NAN, 8191, 1e10f,
    };
    GeomRig *rig = rig_new(1);

    for (unsigned i = 0; i < 20000; i++) {
        NV3GeomPrimitive primitive = 1 + rig_random() % (NV3_GEOM_PRIMITIVES - 1);

        if (i % 50 == 0) {
            rig->st.polygon_mode[0] = rig_random() % 3;
            rig->st.polygon_mode[1] = rig_random() % 3;
            rig->st.clip_planes = rig_random() % 64;
            rig->st.depth_clamp = rig_random() & 1;
            rig->st.offset_fill = rig->st.offset_line = rig_random() & 1;
            rig->st.offset_factor = strange[rig_random() % 12];
            rig->st.line_width = strange[rig_random() % 12];
            rig->st.point_size = strange[rig_random() % 12];
            rig->st.point_size_output = rig_random() & 1;
            rig->st.sprite = 1;
            rig->st.scale[0] = rig_random() % 8 ? 128 : strange[rig_random() % 12];
            rig->st.inputs[NV3_FP_TEXCOORD0] = 15;
            rig_set(rig);
        }
        rig->vertices = 0;
        for (unsigned k = 0; k < 5; k++) {
            RigVertex *v = &rig->vertex[rig->vertices++];

            for (unsigned n = 0; n < RIG_OUTPUTS * 4; n++) {
                rig_store(&v->output[n / 4][n % 4],
                          rig_random() & 1 ? rig_uniform(-2, 2) :
                                             strange[rig_random() % 12]);
            }
        }
        rig_draw(rig, primitive);
    }
    rig_free(rig);
}

/* ---- projection ---- */

typedef struct Projected {
    int32_t x[NV3_VP_LANES], y[NV3_VP_LANES];
    float z[NV3_VP_LANES], rhw[NV3_VP_LANES];
    uint32_t code[NV3_VP_LANES];
} __attribute__((aligned(64))) Projected;

static void project(Projected *to, const NV3GeomState *st,
                    float (*position)[NV3_VP_LANES], NV3VpLevel level)
{
    NV3GeomProjectFn *const function[NV3_VP_LEVELS] = {
        nv3_geom_project_generic,
#ifdef NV3_VP_HAVE_X86
        nv3_geom_project_avx2, nv3_geom_project_avx512,
#endif
    };

    function[level](&(GeomProjected) { to->x, to->y, to->z, to->rhw, to->code }, st,
                    (const float *const[4]) {
                        position[0], position[1], position[2], position[3] },
                    NV3_VP_LANES);
}

/*
 * Returns a clip coordinate that is inside or at the edge of the view volume, and rarely
 * outside.
 */
static float near_volume(float w)
{
    static const float special[] = {
        0, -0.0f, 1, -1, 1.0000001f, -1.0000001f, 0.99999994f, 0x1p-126f, 1e-40f,
    };

    switch (rig_random() % 64) {
    case 0:
        return NAN;
    case 1:
        return -INFINITY;
    case 2 ... 9:
        return special[rig_random() % 9] * w;
    default:
        return rig_uniform(-1, 1) * w;
    }
}

/*
 * The projection of a vertex must not depend on whether the other vertices of its group
 * are inside or outside the view volume.
 */
static void test_projection(void **state)
{
    static float position[4][NV3_VP_LANES] __attribute__((aligned(64)));
    static const float w[] = {
        1, 3, 0x1p-126f, 1e-40f, 0x1p127f, 0x1.fffffep127f, INFINITY, -1, 7e-20f,
    };
    unsigned inside = 0;

    for (unsigned i = 0; i < 60000; i++) {
        const NV3VpLevel level = i % (nv3_vp_best_level() + 1);
        NV3GeomState st = {
            .scale = { rig_uniform(-2000, 2000), i % 9 ? 240 : 9000, 0.5f },
            .translate = { i % 5 ? 320 : rig_uniform(-10000, 10000), 0, 0.5f },
            .depth_zero_to_one = i & 64, .depth_clamp = i & 128,
        };
        Projected one, all;

        for (unsigned lane = 0; lane < NV3_VP_LANES; lane++) {
            const float at = i & 32 && lane % 8 == 3 ? w[rig_random() % 9] : 1;

            position[3][lane] = at;
            for (unsigned c = 0; c < 3; c++) {
                position[c][lane] = i & 16 ? near_volume(at) : rig_uniform(0, 1) * at;
            }
        }
        project(&all, &st, position, level);
        for (unsigned lane = 0; lane < NV3_VP_LANES; lane++) {
            float moved[4][NV3_VP_LANES] __attribute__((aligned(64)));

            inside += !all.code[lane];
            if (lane % 4 != i % 4) {
                continue;
            }
            /* Move all vertices except number @lane outside the view volume. */
            for (unsigned n = 0; n < NV3_VP_LANES; n++) {
                for (unsigned c = 0; c < 4; c++) {
                    moved[c][n] = n == lane ? position[c][n] : c < 3 ? 2 : 1;
                }
            }
            project(&one, &st, moved, NV3_VP_GENERIC);
            assert_int_equal(all.code[lane], one.code[lane]);
            assert_int_equal(all.x[lane], one.x[lane]);
            assert_int_equal(all.y[lane], one.y[lane]);
            assert_true(all.z[lane] == one.z[lane] || all.z[lane] != all.z[lane]);
            assert_true(all.rhw[lane] == one.rhw[lane] ||
                        all.rhw[lane] != all.rhw[lane]);
        }
    }
    assert_true(inside > 1000000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_against_reference),
        cmocka_unit_test(test_shared_edges),
        cmocka_unit_test(test_lines_and_points),
        cmocka_unit_test(test_strange_numbers),
        cmocka_unit_test(test_projection),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
