/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compares coverage and plane equations with references that compute each pixel
 * separately.
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

#define ONE     256             /* a pixel in fixed point */

typedef struct Corner {
    int64_t x, y;               /* in fixed point */
} Corner;

/*
 * Returns true if the centre of pixel @x, @y is on the inner side of the edge from @a to
 * @b. A centre exactly on the edge is inside if the edge is a left edge or a top edge.
 */
static bool inside(const Corner *a, const Corner *b, int x, int y)
{
    int64_t dx = b->x - a->x, dy = b->y - a->y;
    int64_t value = dx * (y * ONE + ONE / 2 - a->y) - dy * (x * ONE + ONE / 2 - a->x);

    /*
     * In clockwise triangles, edges that go up are left edges, and horizontal edges that
     * go right are top edges.
     */
    return value > 0 || (value == 0 && (dy < 0 || (dy == 0 && dx > 0)));
}

static bool covers(const Corner c[3], int x, int y)
{
    int64_t area = (c[1].x - c[0].x) * (c[2].y - c[0].y) -
                   (c[2].x - c[0].x) * (c[1].y - c[0].y);
    const Corner *v1 = area > 0 ? &c[1] : &c[2], *v2 = area > 0 ? &c[2] : &c[1];

    return area && inside(&c[0], v1, x, y) && inside(v1, v2, x, y) &&
           inside(v2, &c[0], x, y);
}

static void add_corner(GeomRig *rig, const Corner *c, float color)
{
    rig_vertex(rig, c->x / (double)ONE, c->y / (double)ONE, 0.5, 1, color);
}

/*
 * Returns a random corner. If @near is not NULL, both coordinates differ from those of
 * @near by at most a random power of two.
 */
static Corner random_corner(const Corner *near)
{
    int64_t range = 1ll << (4 + rig_random() % 14);
    Corner c = { (int)(rig_random() % 65536), (int)(rig_random() % 65536) };

    if (near) {
        c.x = near->x + (int64_t)(rig_random() % (2 * range)) - range;
        c.y = near->y + (int64_t)(rig_random() % (2 * range)) - range;
    }
    /*
     * Move a quarter of the corners exactly to the centre of a pixel, and a quarter
     * exactly to a border between pixels.
     */
    switch (rig_random() % 4) {
    case 0:
        c.x = (c.x & ~255ll) | 128;
        c.y = (c.y & ~255ll) | 128;
        break;
    case 1:
        c.x &= ~255ll;
        break;
    }
    return c;
}

static void test_random_triangles(void **state)
{
    for (unsigned level = 0; level <= nv3_vp_best_level(); level++) {
        GeomRig *rig = rig_new(1);

        nv3_geom_set_level(rig->g, level);
        for (unsigned i = 0; i < 3000; i++) {
            Corner c[3];

            rig_clear(rig);
            c[0] = random_corner(NULL);
            c[1] = random_corner(&c[0]);
            c[2] = random_corner(&c[0]);
            for (unsigned k = 0; k < 3; k++) {
                add_corner(rig, &c[k], 1);
            }
            rig_draw(rig, NV3_GEOM_TRIANGLES);
            for (int y = 0; y < RIG_SIZE; y++) {
                for (int x = 0; x < RIG_SIZE; x++) {
                    if (rig->count[y][x] != covers(c, x, y)) {
                        fail_msg("level %u, triangle %u, pixel %d %d", level, i, x, y);
                    }
                }
            }
        }
        rig_free(rig);
    }
}

/*
 * Draws a grid of quads whose corners are displaced at random. Each quad consists of two
 * triangles. The engine must draw each pixel once.
 */
#define GRID    12

static void test_shared_edges(void **state)
{
    GeomRig *rig = rig_new(1);

    for (unsigned round = 0; round < 100; round++) {
        Corner grid[GRID + 1][GRID + 1];
        const int64_t step = (RIG_SIZE + 64) * ONE / GRID;

        rig_clear(rig);
        for (int j = 0; j <= GRID; j++) {
            for (int i = 0; i <= GRID; i++) {
                bool border = i == 0 || j == 0 || i == GRID || j == GRID;

                grid[j][i].x = i * step - 32 * ONE;
                grid[j][i].y = j * step - 32 * ONE;
                if (!border) {
                    grid[j][i].x += (int64_t)(rig_random() % (step / 3));
                    grid[j][i].y += (int64_t)(rig_random() % (step / 3));
                }
                if (round & 1) {
                    grid[j][i].x = (grid[j][i].x & ~255ll) | 128;
                    grid[j][i].y = (grid[j][i].y & ~255ll) | 128;
                }
            }
        }
        for (unsigned j = 0; j < GRID; j++) {
            for (unsigned i = 0; i < GRID; i++) {
                const Corner *q[4] = {
                    &grid[j][i], &grid[j][i + 1], &grid[j + 1][i + 1], &grid[j + 1][i],
                };
                unsigned turn = rig_random() & 1;

                for (unsigned k = 0; k < 3; k++) {
                    add_corner(rig, q[(k + turn) % 4], 1);
                }
                add_corner(rig, q[turn], 1);
                add_corner(rig, q[2 + turn], 1);
                add_corner(rig, q[(3 + turn) % 4], 1);
            }
        }
        rig_draw(rig, NV3_GEOM_TRIANGLES);
        for (unsigned i = 0; i < RIG_SIZE * RIG_SIZE; i++) {
            assert_int_equal(rig->count[i / RIG_SIZE][i % RIG_SIZE], 1);
        }
    }
    rig_free(rig);
}

static void random_scene(GeomRig *rig, unsigned triangles)
{
    rig_clear(rig);
    for (unsigned i = 0; i < triangles; i++) {
        Corner c[3];

        c[0] = random_corner(NULL);
        c[1] = random_corner(&c[0]);
        c[2] = random_corner(&c[0]);
        for (unsigned k = 0; k < 3; k++) {
            rig_vertex(rig, c[k].x / (double)ONE, c[k].y / (double)ONE, 0.5,
                       1 + rig_random() % 8, rig_random() % 64);
        }
    }
}

/*
 * The picture and the order of drawing must not depend on the SIMD level or on the number
 * of threads.
 */
static void test_levels_and_threads(void **state)
{
    static uint32_t want[RIG_SIZE][RIG_SIZE];
    static RigVertex vertex[RIG_VERTICES];
    unsigned vertices = 0;

    for (unsigned level = 0; level <= nv3_vp_best_level(); level++) {
        for (unsigned threads = 1; threads <= 4; threads++) {
            GeomRig *rig = rig_new(threads);

            nv3_geom_set_level(rig->g, level);
            if (!vertices) {
                random_scene(rig, 1200);
                vertices = rig->vertices;
                memcpy(vertex, rig->vertex, sizeof(vertex));
            }
            rig_clear(rig);
            rig->vertices = vertices;
            memcpy(rig->vertex, vertex, sizeof(vertex));
            rig_draw(rig, NV3_GEOM_TRIANGLES);
            if (!level && threads == 1) {
                memcpy(want, rig->order, sizeof(want));
            }
            assert_memory_equal(want, rig->order, sizeof(want));
            rig_free(rig);
        }
    }
}

/*
 * Reference for planes, computed in doubles from the barycentric coordinates of a
 * pixel's centre.
 */
typedef struct PlaneCheck {
    double x[3], y[3], z[3], w[3], color[3];
    double worst_z, worst_color;
} PlaneCheck;

static void check_planes(void *opaque, const NV3FpTriangle *tri, int32_t px, int32_t py)
{
    PlaneCheck *p = opaque;
    double area = (p->x[1] - p->x[0]) * (p->y[2] - p->y[0]) -
                  (p->x[2] - p->x[0]) * (p->y[1] - p->y[0]);
    double x = px + 0.5, y = py + 0.5, b[3], z, rhw, color;

    b[1] = ((x - p->x[0]) * (p->y[2] - p->y[0]) -
            (p->x[2] - p->x[0]) * (y - p->y[0])) / area;
    b[2] = ((p->x[1] - p->x[0]) * (y - p->y[0]) -
            (x - p->x[0]) * (p->y[1] - p->y[0])) / area;
    b[0] = 1 - b[1] - b[2];
    z = b[0] * p->z[0] + b[1] * p->z[1] + b[2] * p->z[2];
    rhw = b[0] / p->w[0] + b[1] / p->w[1] + b[2] / p->w[2];
    color = (b[0] * p->color[0] / p->w[0] + b[1] * p->color[1] / p->w[1] +
             b[2] * p->color[2] / p->w[2]) / rhw;
    p->worst_z = fmax(p->worst_z, fabs(z - rig_plane(tri, &tri->z, px, py)));
    p->worst_color = fmax(p->worst_color, fabs(color -
        rig_plane(tri, &tri->input[NV3_FP_COLOR0][0], px, py) /
        rig_plane(tri, &tri->rhw, px, py)));
}

static void test_planes(void **state)
{
    GeomRig *rig = rig_new(1);
    PlaneCheck p = { 0 };

    rig->pixel = check_planes;
    rig->opaque = &p;
    for (unsigned i = 0; i < 500; i++) {
        rig_clear(rig);
        for (unsigned k = 0; k < 3; k++) {
            Corner c = random_corner(NULL);

            p.x[k] = c.x / (double)ONE;
            p.y[k] = c.y / (double)ONE;
            p.z[k] = rig_uniform(0, 1);
            p.w[k] = 1 + rig_random() % 8;
            p.color[k] = rig_random() % 256 / 255.0f;
            rig_vertex(rig, p.x[k], p.y[k], p.z[k], p.w[k], p.color[k]);
        }
        if (fabs((p.x[1] - p.x[0]) * (p.y[2] - p.y[0]) -
                 (p.x[2] - p.x[0]) * (p.y[1] - p.y[0])) > 100) {
            rig_draw(rig, NV3_GEOM_TRIANGLES);
        }
    }
    /*
     * The error of a depth must be below one unit of a 16-bit depth buffer, even for thin
     * triangles.
     */
    assert_true(p.worst_z < 1.0 / 65536);
    assert_true(p.worst_color < 1.0 / 4096);
    rig_free(rig);
}

/*
 * Tests random scissor rectangles, whose edges may be inside the engine's blocks of
 * pixels.
 */
static void test_scissor(void **state)
{
    GeomRig *rig = rig_new(1);

    for (unsigned i = 0; i < 200; i++) {
        NV3GeomRect *r = &rig->st.scissor;

        r->x0 = rig_random() % RIG_SIZE;
        r->y0 = rig_random() % RIG_SIZE;
        r->x1 = rig_random() % (RIG_SIZE + 1);
        r->y1 = rig_random() % (RIG_SIZE + 1);
        rig_clear(rig);
        rig_set(rig);
        rig_vertex(rig, -100, -100, 0.5, 1, 1);
        rig_vertex(rig, 800, -100, 0.5, 1, 1);
        rig_vertex(rig, -100, 800, 0.5, 1, 1);
        rig_draw(rig, NV3_GEOM_TRIANGLES);
        for (int y = 0; y < RIG_SIZE; y++) {
            for (int x = 0; x < RIG_SIZE; x++) {
                bool in = x >= r->x0 && x < r->x1 && y >= r->y0 && y < r->y1;

                assert_int_equal(rig->count[y][x], in);
            }
        }
    }
    rig_free(rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_triangles),
        cmocka_unit_test(test_shared_edges),
        cmocka_unit_test(test_levels_and_threads),
        cmocka_unit_test(test_planes),
        cmocka_unit_test(test_scissor),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
