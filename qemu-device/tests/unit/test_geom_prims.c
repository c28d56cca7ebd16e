/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tests the assembly of all kinds of primitives, and the pixels that the primitives draw.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "geom_rig.h"

static uint32_t picture[RIG_SIZE][RIG_SIZE];

static void keep_picture(const GeomRig *rig)
{
    memcpy(picture, rig->order, sizeof(picture));
}

static void random_vertices(GeomRig *rig, unsigned count)
{
    rig_clear(rig);
    for (unsigned i = 0; i < count; i++) {
        rig_vertex(rig, rig_random() % RIG_SIZE, rig_random() % RIG_SIZE, 0.5, 1,
                   rig_random() % 64);
    }
}

static void ok(NV3GeomError error)
{
    assert_int_equal(error, NV3_GEOM_OK);
}

/*
 * The expected points, lines or triangles, as indices of their vertices. The last vertex
 * of each of them is the provoking vertex.
 */
typedef struct Expected {
    unsigned corners, count;
    uint32_t element[3 * RIG_VERTICES];
} Expected;

static Expected expected;

static void expect(unsigned a, unsigned b, unsigned c)
{
    uint32_t v[3] = { a, b, c };

    for (unsigned i = 0; i < expected.corners; i++) {
        expected.element[expected.count++] = v[3 - expected.corners + i];
    }
}

/*
 * Computes the points, lines or triangles that @primitive draws from @n vertices (OpenGL
 * 2.1, section 2.6.1).
 */
static void expect_primitive(NV3GeomPrimitive primitive, unsigned n)
{
    expected.count = 0;
    expected.corners = primitive == NV3_GEOM_POINTS ? 1 :
                       primitive <= NV3_GEOM_LINE_STRIP ? 2 : 3;
    for (unsigned i = 0; i < n; i++) {
        switch (primitive) {
        case NV3_GEOM_POINTS:
            expect(0, 0, i);
            break;
        case NV3_GEOM_LINES:
            if (i % 2 == 1) {
                expect(0, i - 1, i);
            }
            break;
        case NV3_GEOM_LINE_LOOP:
        case NV3_GEOM_LINE_STRIP:
            if (i) {
                expect(0, i - 1, i);
            }
            break;
        case NV3_GEOM_TRIANGLES:
            if (i % 3 == 2) {
                expect(i - 2, i - 1, i);
            }
            break;
        case NV3_GEOM_TRIANGLE_STRIP:
            if (i >= 2) {
                expect(i % 2 ? i - 1 : i - 2, i % 2 ? i - 2 : i - 1, i);
            }
            break;
        case NV3_GEOM_TRIANGLE_FAN:
            if (i >= 2) {
                expect(0, i - 1, i);
            }
            break;
        case NV3_GEOM_QUADS:
            if (i % 4 == 3) {
                expect(i - 3, i - 2, i);
                expect(i - 2, i - 1, i);
            }
            break;
        case NV3_GEOM_QUAD_STRIP:
            if (i % 2 == 1 && i >= 3) {
                expect(i - 3, i - 2, i - 1);
                expect(i - 2, i, i - 1);
                /*
                 * A quad's provoking vertex is the last vertex of only one of its two
                 * triangles. The test therefore does not compare flat shading of quads.
                 */
            }
            break;
        case NV3_GEOM_POLYGON:
            if (i >= 2) {
                expect(i - 1, i, 0);
            }
            break;
        default:
            break;
        }
    }
    if (primitive == NV3_GEOM_LINE_LOOP && n >= 2) {
        expect(0, n - 1, 0);
    }
}

static void draw_expected(GeomRig *rig)
{
    static const NV3GeomPrimitive list[4] = {
        0, NV3_GEOM_POINTS, NV3_GEOM_LINES, NV3_GEOM_TRIANGLES,
    };

    memset(rig->order, 0, sizeof(rig->order));
    ok(nv3_geom_begin(rig->g, list[expected.corners]));
    ok(nv3_geom_elements(rig->g, expected.element, expected.count));
    ok(nv3_geom_end(rig->g));
    ok(nv3_geom_flush(rig->g));
    keep_picture(rig);
}

static void assert_picture(GeomRig *rig)
{
    assert_memory_equal(picture, rig->order, sizeof(picture));
    memset(rig->order, 0, sizeof(rig->order));
}

/*
 * The following functions draw the same @n vertices, but each uses another function of
 * the geometry engine.
 */
static void draw_by_arrays(GeomRig *rig, NV3GeomPrimitive primitive, unsigned n)
{
    unsigned part = n ? rig_random() % n : 0;

    ok(nv3_geom_begin(rig->g, primitive));
    ok(nv3_geom_arrays(rig->g, 0, part));
    ok(nv3_geom_arrays(rig->g, part, n - part));
    ok(nv3_geom_end(rig->g));
    ok(nv3_geom_flush(rig->g));
}

static void draw_by_indices(GeomRig *rig, NV3GeomPrimitive primitive, unsigned n,
                            unsigned bytes)
{
    uint8_t index[4 * RIG_VERTICES];

    for (unsigned i = 0; i < n; i++) {
        for (unsigned k = 0; k < bytes; k++) {
            index[i * bytes + k] = i >> 8 * k;
        }
    }
    ok(nv3_geom_begin(rig->g, primitive));
    ok(nv3_geom_indices(rig->g, index, n * bytes, 0, bytes, n, 0));
    ok(nv3_geom_end(rig->g));
    ok(nv3_geom_flush(rig->g));
}

static void draw_inline(GeomRig *rig, NV3GeomPrimitive primitive, unsigned n)
{
    ok(nv3_geom_begin(rig->g, primitive));
    for (unsigned i = 0; i < n; i++) {
        ok(nv3_geom_inline(rig->g, rig_words(rig, i)));
    }
    ok(nv3_geom_end(rig->g));
    ok(nv3_geom_flush(rig->g));
}

/* Before vertex @at, saves, aborts and restores the primitive in progress. */
static void draw_saved(GeomRig *rig, NV3GeomPrimitive primitive, unsigned n, unsigned at,
                       bool inlined)
{
    NV3GeomPending pending;

    ok(nv3_geom_begin(rig->g, primitive));
    for (unsigned i = 0; i < n; i++) {
        if (i == at) {
            ok(nv3_geom_save(rig->g, &pending));
            nv3_geom_abort(rig->g);
            ok(nv3_geom_set_state(rig->g, &rig->st));
            assert_true(nv3_geom_restore(rig->g, &pending));
        }
        ok(inlined ? nv3_geom_inline(rig->g, rig_words(rig, i)) :
                     nv3_geom_elements(rig->g, &i, 1));
    }
    ok(nv3_geom_end(rig->g));
    ok(nv3_geom_flush(rig->g));
}

static void check_primitive(GeomRig *rig, NV3GeomPrimitive primitive, unsigned n)
{
    random_vertices(rig, n);
    expect_primitive(primitive, n);
    draw_expected(rig);
    memset(rig->order, 0, sizeof(rig->order));

    draw_by_arrays(rig, primitive, n);
    assert_picture(rig);
    draw_by_indices(rig, primitive, n, 4);
    assert_picture(rig);
    draw_by_indices(rig, primitive, n, 2);
    assert_picture(rig);
    if (n <= 256) {
        draw_by_indices(rig, primitive, n, 1);
        assert_picture(rig);
    }
    draw_inline(rig, primitive, n);
    assert_picture(rig);
}

static void test_primitives(void **state)
{
    GeomRig *rig = rig_new(1);

    for (NV3GeomPrimitive p = NV3_GEOM_POINTS; p < NV3_GEOM_PRIMITIVES; p++) {
        /* Do not compare the colours of quads (expect_primitive()). */
        rig->st.flat = p != NV3_GEOM_QUADS && p != NV3_GEOM_QUAD_STRIP;
        rig_set(rig);
        for (unsigned n = 0; n < 14; n++) {
            if (rig->st.flat || n < 4) {
                check_primitive(rig, p, n);
            }
        }
    }
    rig_free(rig);
}

/* Tests primitives with more vertices than a chunk holds. */
static void test_long_primitives(void **state)
{
    GeomRig *rig = rig_new(1);

    rig->st.flat = true;
    rig_set(rig);
    for (NV3GeomPrimitive p = NV3_GEOM_POINTS; p < NV3_GEOM_PRIMITIVES; p++) {
        if (p != NV3_GEOM_QUADS && p != NV3_GEOM_QUAD_STRIP) {
            check_primitive(rig, p, 1007 + p);
            check_primitive(rig, p, 2500);
        }
    }
    rig_free(rig);
}

/*
 * Four quads, each with a constant colour, must draw the same pixels as one large quad.
 * The last vertex of each quad is its provoking vertex.
 */
static void test_quads(void **state)
{
    GeomRig *rig = rig_new(1);
    static const unsigned corner[2][4][2] = {
        { { 0, 0 }, { 1, 0 }, { 1, 1 }, { 0, 1 } },
        { { 0, 0 }, { 1, 0 }, { 0, 1 }, { 1, 1 } },
    };

    rig->st.flat = true;
    for (unsigned strip = 0; strip < 2; strip++) {
        for (unsigned first = 0; first < 2; first++) {
            rig->st.first_provokes = first;
            rig_set(rig);
            rig_clear(rig);
            for (unsigned i = 0; i < 4; i++) {
                rig_vertex(rig, 10 + 100 * corner[strip][i][0],
                           20 + 50 * corner[strip][i][1], 0.5, 1, i);
            }
            rig_draw(rig, strip ? NV3_GEOM_QUAD_STRIP : NV3_GEOM_QUADS);
            for (unsigned y = 0; y < RIG_SIZE; y++) {
                for (unsigned x = 0; x < RIG_SIZE; x++) {
                    bool in = x >= 10 && x < 110 && y >= 20 && y < 70;

                    assert_int_equal(rig->count[y][x], in);
                    assert_true(rig->color[y][x] == (in && !first ? 3 : 0));
                }
            }
        }
    }
    rig_free(rig);
}

static void test_save_and_restore(void **state)
{
    GeomRig *rig = rig_new(1);

    for (NV3GeomPrimitive p = NV3_GEOM_POINTS; p < NV3_GEOM_PRIMITIVES; p++) {
        for (unsigned n = 1; n < 20; n += 3) {
            random_vertices(rig, n);
            draw_by_arrays(rig, p, n);
            keep_picture(rig);
            for (unsigned at = 0; at < n; at++) {
                for (unsigned inlined = 0; inlined < 2; inlined++) {
                    memset(rig->order, 0, sizeof(rig->order));
                    draw_saved(rig, p, n, at, inlined);
                    assert_picture(rig);
                }
            }
        }
    }
    rig_free(rig);
}

static void test_restart(void **state)
{
    GeomRig *rig = rig_new(1);
    uint32_t index[64];

    rig->st.restart = true;
    rig->st.restart_index = 0xffff;
    rig_set(rig);
    for (NV3GeomPrimitive p = NV3_GEOM_POINTS; p < NV3_GEOM_PRIMITIVES; p++) {
        random_vertices(rig, 30);
        for (unsigned first = 0; first < 30; first += 10) {
            ok(nv3_geom_begin(rig->g, p));
            ok(nv3_geom_arrays(rig->g, first, 9));
            ok(nv3_geom_end(rig->g));
        }
        ok(nv3_geom_flush(rig->g));
        keep_picture(rig);
        memset(rig->order, 0, sizeof(rig->order));
        for (unsigned i = 0; i < 30; i++) {
            index[i] = i % 10 == 9 ? 0xffff : i;
        }
        ok(nv3_geom_begin(rig->g, p));
        ok(nv3_geom_elements(rig->g, index, 30));
        ok(nv3_geom_end(rig->g));
        ok(nv3_geom_flush(rig->g));
        assert_picture(rig);
    }
    rig_free(rig);
}

static unsigned drawn(const GeomRig *rig)
{
    unsigned pixels = 0;

    for (unsigned i = 0; i < RIG_SIZE * RIG_SIZE; i++) {
        pixels += rig->count[i / RIG_SIZE][i % RIG_SIZE];
    }
    return pixels;
}

static void draw_clockwise(GeomRig *rig, bool clockwise)
{
    rig_clear(rig);
    rig_vertex(rig, 10, 10, 0.5, 1, 1);
    rig_vertex(rig, clockwise ? 42 : 10, clockwise ? 10 : 42, 0.5, 1, 1);
    rig_vertex(rig, clockwise ? 10 : 42, clockwise ? 42 : 10, 0.5, 1, 1);
    for (unsigned i = 0; i < 3; i++) {
        rig_store(&rig->vertex[i].output[NV3_GEOM_O_BACK_COLOR0][0], 2);
    }
    rig_draw(rig, NV3_GEOM_TRIANGLES);
}

static void test_facing(void **state)
{
    GeomRig *rig = rig_new(1);

    for (unsigned i = 0; i < 16; i++) {
        bool clockwise = i & 1, front = ((i & 1) == 0) == ((i & 2) != 0);
        bool culled = front ? i & 4 : i & 8;

        rig->st.front_ccw = i & 2;
        rig->st.cull_front = i & 4;
        rig->st.cull_back = i & 8;
        rig->st.two_sided = true;
        rig_set(rig);
        draw_clockwise(rig, clockwise);
        assert_int_equal(rig->count[11][11], !culled);
        assert_true(culled || rig->color[11][11] == (front ? 1 : 2));
        rig->st.two_sided = false;
        rig_set(rig);
        draw_clockwise(rig, clockwise);
        assert_true(culled || rig->color[11][11] == 1);
    }
    rig_free(rig);
}

static void test_polygon_modes(void **state)
{
    GeomRig *rig = rig_new(1);
    static const int square[4][2] = { { 10, 10 }, { 50, 10 }, { 50, 30 }, { 10, 30 } };

    for (unsigned mode = NV3_GEOM_FILL; mode <= NV3_GEOM_POINT; mode++) {
        rig->st.polygon_mode[0] = rig->st.polygon_mode[1] = mode;
        rig_set(rig);
        for (NV3GeomPrimitive p = NV3_GEOM_QUADS; p <= NV3_GEOM_POLYGON; p += 2) {
            rig_clear(rig);
            for (unsigned i = 0; i < 4; i++) {
                rig_vertex(rig, square[i][0] + 0.5, square[i][1] + 0.5, 0.5, 1, 1);
            }
            rig_draw(rig, p);
            /*
             * In line mode, each side of the quad has as many pixels as its length, and
             * the engine must not draw the diagonal between the quad's two triangles.
             */
            assert_int_equal(drawn(rig), mode == NV3_GEOM_FILL ? 40 * 20 :
                                         mode == NV3_GEOM_LINE ? 2 * (40 + 20) : 4);
        }
    }
    rig_free(rig);
}

static void test_points(void **state)
{
    GeomRig *rig = rig_new(1);

    for (unsigned size = 1; size < 60; size++) {
        rig->st.point_size = size;
        rig->st.point_size_output = size & 1;
        rig_set(rig);
        rig_clear(rig);
        /* The centre of a point with an even size is between pixels. */
        rig_vertex(rig, size & 1 ? 99.5 : 99, size & 1 ? 49.5 : 49, 0.5, 1, 1);
        rig_store(&rig->vertex[0].output[NV3_GEOM_O_POINT_SIZE][0], size);
        rig_draw(rig, NV3_GEOM_POINTS);
        for (int y = 0; y < RIG_SIZE; y++) {
            for (int x = 0; x < RIG_SIZE; x++) {
                int x0 = 99 - (int)size / 2, y0 = 49 - (int)size / 2;
                bool in = x >= x0 && x < x0 + (int)size && y >= y0 && y < y0 + (int)size;

                assert_int_equal(rig->count[y][x], in);
            }
        }
    }
    rig_free(rig);
}

/*
 * If @wide_outside is true, the engine draws the visible part of a wide point or line
 * even if all of its vertices are left of, right of, above or below the view volume.
 */
static void test_wide_outside(void **state)
{
    GeomRig *rig = rig_new(1);

    rig->st.point_size = 20;
    for (unsigned keep = 0; keep < 2; keep++) {
        rig->st.line_width = 4;
        rig->st.wide_outside = keep;
        rig_set(rig);
        rig_clear(rig);
        rig_vertex(rig, -5, 50, 0.5, 1, 1);
        rig_draw(rig, NV3_GEOM_POINTS);
        assert_int_equal(drawn(rig), keep ? 5 * 20 : 0);
        rig_clear(rig);
        rig_vertex(rig, 40.5, -1, 0.5, 1, 1);
        rig_vertex(rig, 50.5, -1, 0.5, 1, 1);
        rig_draw(rig, NV3_GEOM_LINES);
        assert_int_equal(drawn(rig), keep ? 10 : 0);
        /* Beyond the far plane. */
        rig_clear(rig);
        rig_vertex(rig, 50, 50, 1.5, 1, 1);
        rig_draw(rig, NV3_GEOM_POINTS);
        assert_int_equal(drawn(rig), 0);
        rig_clear(rig);
        rig_vertex(rig, 40.5, 50, 1.5, 1, 1);
        rig_vertex(rig, 50.5, 50, 1.5, 1, 1);
        rig_draw(rig, NV3_GEOM_LINES);
        assert_int_equal(drawn(rig), 0);
    }
    rig_free(rig);
}

static void check_sprite(void *opaque, const NV3FpTriangle *tri, int32_t x, int32_t y)
{
    const bool *lower = opaque;
    double s = rig_plane(tri, &tri->input[NV3_FP_TEXCOORD0][0], x, y);
    double t = rig_plane(tri, &tri->input[NV3_FP_TEXCOORD0][1], x, y);
    double want = (y - 40 + 0.5) / 20;

    assert_true(tri->linear & 1u << NV3_FP_TEXCOORD0);
    assert_float_equal(s, (x - 60 + 0.5) / 20, 1e-5);
    assert_float_equal(t, *lower ? 1 - want : want, 1e-5);
}

static void test_sprites(void **state)
{
    GeomRig *rig = rig_new(1);

    rig->pixel = check_sprite;
    rig->opaque = &rig->st.sprite_lower_left;
    rig->st.point_size = 20;
    rig->st.sprite = 1;
    rig->st.inputs[NV3_FP_TEXCOORD0] = 3;
    for (unsigned lower = 0; lower < 2; lower++) {
        rig->st.sprite_lower_left = lower;
        rig_set(rig);
        rig_clear(rig);
        rig_vertex(rig, 70, 50, 0.5, 1, 1);
        rig_draw(rig, NV3_GEOM_POINTS);
        assert_int_equal(drawn(rig), 400);
    }
    rig_free(rig);
}

/*
 * A line has its full width in each column, or in each row if it is steep. The engine
 * does not draw the pixels at the line's end.
 */
static void test_lines(void **state)
{
    GeomRig *rig = rig_new(1);

    for (unsigned i = 0; i < 2000; i++) {
        int x0 = rig_random() % 200 + 20, y0 = rig_random() % 200 + 20;
        int x1 = rig_random() % 200 + 20, y1 = rig_random() % 200 + 20;
        unsigned width = 1 + rig_random() % 5;
        int length = abs(x1 - x0) > abs(y1 - y0) ? abs(x1 - x0) : abs(y1 - y0);

        rig->st.line_width = width;
        rig_set(rig);
        rig_clear(rig);
        rig_vertex(rig, x0 + 0.5, y0 + 0.5, 0.5, 1, 1);
        rig_vertex(rig, x1 + 0.5, y1 + 0.5, 0.5, 1, 1);
        rig_draw(rig, NV3_GEOM_LINES);
        assert_int_equal(drawn(rig), length * width);
        if (length && width & 1) {
            assert_int_equal(rig->count[y0][x0], 1);
            assert_int_equal(rig->count[y1][x1], 0);
        }
    }
    rig_free(rig);
}

static double offset_seen;

static void see_offset(void *opaque, const NV3FpTriangle *tri, int32_t x, int32_t y)
{
    offset_seen = rig_plane(tri, &tri->z, x, y) - (0.25 + (x + 0.5) / 1024);
}

/*
 * The depth changes by 1/1024 per pixel. The polygon offset is twice this slope plus one
 * unit of 1/256.
 */
static void test_polygon_offset(void **state)
{
    GeomRig *rig = rig_new(1);

    rig->pixel = see_offset;
    rig->st.offset_factor = 2;
    rig->st.offset_units = 1.0f / 256;
    for (unsigned mode = NV3_GEOM_FILL; mode <= NV3_GEOM_POINT; mode++) {
        for (unsigned on = 0; on < 8; on++) {
            double want = on & 1u << mode ? 2.0 / 1024 + 1.0 / 256 : 0;

            rig->st.polygon_mode[0] = rig->st.polygon_mode[1] = mode;
            rig->st.offset_fill = on & 1;
            rig->st.offset_line = on & 2;
            rig->st.offset_point = on & 4;
            rig_set(rig);
            rig_clear(rig);
            rig_vertex(rig, 0, 0.5, 0.25, 1, 1);
            rig_vertex(rig, 256, 0.5, 0.5, 1, 1);
            rig_vertex(rig, 0, 128.5, 0.25, 1, 1);
            rig_draw(rig, NV3_GEOM_TRIANGLES);
            /*
             * The depth of a point is constant, so it may differ from the plane's depth
             * by up to the slope of one pixel.
             */
            assert_float_equal(offset_seen, want, mode == NV3_GEOM_POINT ? 1e-3 : 1e-5);
        }
    }
    rig_free(rig);
}

static void test_cache(void **state)
{
    GeomRig *rig = rig_new(1);
    NV3GeomCounters before, after;

    random_vertices(rig, 8);
    nv3_geom_counters(rig->g, &before);
    ok(nv3_geom_begin(rig->g, NV3_GEOM_TRIANGLES));
    for (uint32_t i = 0; i < 900; i++) {
        uint32_t index = i % 8;

        ok(nv3_geom_elements(rig->g, &index, 1));
    }
    ok(nv3_geom_end(rig->g));
    ok(nv3_geom_flush(rig->g));
    nv3_geom_counters(rig->g, &after);
    assert_int_equal(after.vertices - before.vertices, 8);
    assert_int_equal(after.primitives - before.primitives, 300);
    rig_free(rig);
}

static void test_errors(void **state)
{
    GeomRig *rig = rig_new(1);
    NV3GeomState bad = rig->st;
    uint32_t index = 0;

    rig_vertex(rig, 1, 1, 0.5, 1, 1);
    assert_int_equal(nv3_geom_arrays(rig->g, 0, 1), NV3_GEOM_NOT_BEGUN);
    assert_int_equal(nv3_geom_elements(rig->g, &index, 1), NV3_GEOM_NOT_BEGUN);
    assert_int_equal(nv3_geom_end(rig->g), NV3_GEOM_NOT_BEGUN);
    assert_int_equal(nv3_geom_begin(rig->g, NV3_GEOM_PRIMITIVES), NV3_GEOM_BAD_PRIMITIVE);
    ok(nv3_geom_begin(rig->g, NV3_GEOM_LINES));
    assert_int_equal(nv3_geom_begin(rig->g, NV3_GEOM_LINES), NV3_GEOM_BAD_PRIMITIVE);
    assert_int_equal(nv3_geom_set_state(rig->g, &rig->st), NV3_GEOM_BAD_STATE);
    ok(nv3_geom_arrays(rig->g, 0, 1));
    assert_int_equal(nv3_geom_inline(rig->g, rig_words(rig, 0)),
                     NV3_GEOM_MIXED);
    ok(nv3_geom_end(rig->g));
    assert_int_equal(nv3_geom_indices(rig->g, NULL, 0, 0, 1, 1, 0), NV3_GEOM_NOT_BEGUN);
    ok(nv3_geom_begin(rig->g, NV3_GEOM_POINTS));
    assert_int_equal(nv3_geom_indices(rig->g, (uint8_t *)&index, 4, 0, 2, 3, 0),
                     NV3_GEOM_OUT_OF_RANGE);
    assert_int_equal(nv3_geom_indices(rig->g, (uint8_t *)&index, 4, 5, 1, 0, 0),
                     NV3_GEOM_OUT_OF_RANGE);
    ok(nv3_geom_arrays(rig->g, RIG_VERTICES, 1));
    ok(nv3_geom_end(rig->g));
    assert_int_equal(nv3_geom_flush(rig->g), NV3_GEOM_OUT_OF_RANGE);
    ok(nv3_geom_flush(rig->g));

    bad.scissor.x1 = NV3_GEOM_SIZE_MAX + 1;
    assert_int_equal(nv3_geom_set_state(rig->g, &bad), NV3_GEOM_BAD_STATE);
    bad = rig->st;
    bad.array[3].type = NV3_GEOM_TYPES;
    assert_int_equal(nv3_geom_set_state(rig->g, &bad), NV3_GEOM_BAD_STATE);
    bad = rig->st;
    bad.clip_planes = 64;
    assert_int_equal(nv3_geom_set_state(rig->g, &bad), NV3_GEOM_BAD_STATE);
    rig_free(rig);
}

/* ---- programs in two parts ---- */

/*
 * Draws the @count vertices whose indices are in @element, or the first @count vertices
 * of the arrays if @element is NULL.
 */
static void draw_elements(GeomRig *rig, NV3GeomPrimitive primitive,
                          const uint32_t *element, unsigned count)
{
    memset(rig->order, 0, sizeof(rig->order));
    rig_set(rig);
    ok(nv3_geom_begin(rig->g, primitive));
    if (element) {
        ok(nv3_geom_elements(rig->g, element, count));
    } else {
        ok(nv3_geom_arrays(rig->g, 0, count));
    }
    ok(nv3_geom_end(rig->g));
    ok(nv3_geom_flush(rig->g));
}

/*
 * Creates vertices inside and outside the target, in front of and behind the eye.
 * Consecutive vertices are close together, so that some triangles cover no pixel centre.
 * Some vertices have the same position, so that some triangles have no area.
 */
static void scattered_vertices(GeomRig *rig, unsigned count)
{
    double x = 0, y = 0;

    rig_clear(rig);
    for (unsigned i = 0; i < count; i++) {
        if (i % 4 == 0) {
            x = rig_uniform(-100, RIG_SIZE + 100);
            y = rig_uniform(-100, RIG_SIZE + 100);
        }
        rig_vertex(rig, x + rig_uniform(-1, 1) * (i & 16 ? 50 : 1),
                   y + rig_uniform(-1, 1) * (i & 16 ? 50 : 1), rig_uniform(-0.1, 1.1),
                   i % 32 == 5 ? -1 : rig_uniform(0.5, 2), rig_random() % 64);
        rig_store(&rig->vertex[i].output[NV3_GEOM_O_BACK_COLOR0][0], rig_random() % 64);
        if (i % 64 == 42) {
            memcpy(rig->vertex[i].output[NV3_GEOM_O_POSITION],
                   rig->vertex[i - 1].output[NV3_GEOM_O_POSITION],
                   sizeof(rig->vertex[i].output[NV3_GEOM_O_POSITION]));
        }
    }
}

/*
 * A program in two parts must draw the same picture as the whole program, and must
 * compute colours only for vertices of visible triangles.
 */
static void test_parts(void **state)
{
    static uint32_t element[3000];
    const unsigned draws = 160;         /* at each SIMD level */
    GeomRig *rig = rig_new(1);

    for (unsigned i = 0; i < draws * NV3_VP_LEVELS; i++) {
        const NV3GeomPrimitive primitive = NV3_GEOM_TRIANGLES + i % 6;
        const unsigned count = i % 7 ? 3 + rig_random() % 300 : 3000;
        const uint32_t *elements = i / 6 % 3 ? element : NULL;
        NV3GeomCounters first, second, third;

        rig->st.flat = i & 1;
        rig->st.two_sided = i & 2;
        rig->st.first_provokes = i & 4;
        rig->st.cull_back = i & 8;
        rig->st.cull_front = !(i & 8) || i % 64 == 8;
        rig->st.offset_fill = i & 16;
        rig->st.scissor.x1 = i & 32 ? RIG_SIZE : 77;
        nv3_geom_set_level(rig->g, NV3_VP_LEVELS - 1 - i / draws);
        scattered_vertices(rig, elements ? 1000 : count);
        for (unsigned n = 0; n < count; n++) {
            element[n] = i / 6 % 3 == 1 ? n % 1000 :
                         (n / 3 * 4 + rig_random() % 8) % 1000;
        }
        nv3_geom_counters(rig->g, &first);
        rig_split_program(rig, false);
        draw_elements(rig, primitive, elements, count);
        keep_picture(rig);
        nv3_geom_counters(rig->g, &second);
        rig_split_program(rig, true);
        draw_elements(rig, primitive, elements, count);
        nv3_geom_counters(rig->g, &third);
        assert_memory_equal(picture, rig->order, sizeof(picture));
        assert_int_equal(third.primitives - second.primitives,
                         second.primitives - first.primitives);
        assert_int_equal(third.triangles - second.triangles,
                         second.triangles - first.triangles);
        assert_int_equal(third.samples - second.samples, second.samples - first.samples);
    }
    rig_free(rig);
}

/*
 * An index beyond the end of an array must cause an error, even if no visible triangle
 * uses it.
 */
static void test_parts_out_of_range(void **state)
{
    GeomRig *rig = rig_new(1);

    random_vertices(rig, 3);
    rig_split_program(rig, true);
    rig->st.cull_front = rig->st.cull_back = true;
    rig->st.array[NV3_GEOM_O_COLOR0].size = 2 * sizeof(RigVertex);
    rig_set(rig);
    ok(nv3_geom_begin(rig->g, NV3_GEOM_TRIANGLES));
    ok(nv3_geom_arrays(rig->g, 0, 3));
    ok(nv3_geom_end(rig->g));
    assert_int_equal(nv3_geom_flush(rig->g), NV3_GEOM_OUT_OF_RANGE);
    rig_free(rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_primitives),
        cmocka_unit_test(test_long_primitives),
        cmocka_unit_test(test_quads),
        cmocka_unit_test(test_save_and_restore),
        cmocka_unit_test(test_restart),
        cmocka_unit_test(test_facing),
        cmocka_unit_test(test_polygon_modes),
        cmocka_unit_test(test_points),
        cmocka_unit_test(test_wide_outside),
        cmocka_unit_test(test_sprites),
        cmocka_unit_test(test_lines),
        cmocka_unit_test(test_polygon_offset),
        cmocka_unit_test(test_cache),
        cmocka_unit_test(test_errors),
        cmocka_unit_test(test_parts),
        cmocka_unit_test(test_parts_out_of_range),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
