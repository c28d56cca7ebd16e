/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tests targets with four samples for each pixel. Compares coverage and depth with
 * references that compute each sample separately. Pixel operations must have the same
 * results as on targets with one sample per pixel, which test_pixops.c tests.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "chip/le.h"
#include "fp_asm.h"
#include "geom_rig.h"

#define ONE         256                 /* a pixel in fixed point */
#define WIDTH       100                 /* pixels; not a multiple of a block's width */
#define HEIGHT      90
#define SAMPLES     NV3_PIXOPS_SAMPLES
#define PITCH       (WIDTH * 2 * 4 + 8)
#define BYTES       (HEIGHT * 2 * PITCH)
#define GUARD       64                  /* guard bytes after a surface */
#define TRIANGLES   200

typedef struct Target {
    uint8_t color[BYTES + GUARD], zeta[BYTES + GUARD];
} Target;

typedef struct Triangle {
    int64_t x[3], y[3];                 /* in fixed point */
    double z[3];
} Triangle;

static NV3FpCode *new_code(void)
{
    FpAsm a = { 0 };
    NV3FpError error;
    unsigned position;

    fp_op1(&a, NV3_FP_MOV, fp_d(0, "xyzw"), fp_in(NV3_FP_COLOR0, "xyzw"));
    fp_end(&a);
    return nv3_fp_code_new(a.words, a.count, 0, &error, &position);
}

static const NV3PixopsSample patterns[][SAMPLES] = {
    { { -64, -64 }, { 64, -64 }, { -64, 64 }, { 64, 64 } },
    { { -32, -96 }, { 96, -32 }, { -96, 32 }, { 32, 96 } },
    { { -128, -128 }, { 127, 127 }, { 0, 1 }, { 3, -77 } },
};

#define PATTERNS    (sizeof(patterns) / sizeof(patterns[0]))

/* Returns a draw to target @t, with four samples at the positions @sample. */
static NV3FpDraw new_draw(const NV3FpCode *code, Target *t,
                          const NV3PixopsSample sample[SAMPLES])
{
    NV3FpDraw draw = {
        .code = code,
        .pixops = {
            .color = { t->color, BYTES, PITCH, WIDTH, HEIGHT },
            .zeta = { t->zeta, BYTES, PITCH, WIDTH, HEIGHT },
            .color_format = NV3_PIXOPS_A8R8G8B8, .zeta_format = NV3_PIXOPS_ZETA_NONE,
            .color_mask = 15, .multisample = true, .sample_mask = 15,
        },
    };

    memcpy(draw.pixops.sample, sample, sizeof(draw.pixops.sample));
    return draw;
}

/*
 * Returns a rig that shades the covered pixels with @draw. @level: SIMD level. @threads:
 * number of threads.
 */
static GeomRig *new_rig(unsigned level, unsigned threads, NV3FpDraw *draw)
{
    GeomRig *rig = rig_new(threads);

    draw->level = level;
    nv3_geom_set_level(rig->g, level);
    nv3_geom_set_shade(rig->g, NULL, NULL);
    rig->st.draw = draw;
    rig->st.multisample = draw->pixops.multisample;
    rig->st.inputs[NV3_FP_COLOR0] = 15;
    memcpy(rig->st.sample, draw->pixops.sample, sizeof(rig->st.sample));
    rig_set(rig);
    return rig;
}

static uint64_t samples_of(const GeomRig *rig)
{
    NV3GeomCounters counters;

    nv3_geom_counters(rig->g, &counters);
    return counters.samples;
}

static void random_triangle(Triangle *t)
{
    const int64_t range = 1ll << (6 + rig_random() % 11);
    const unsigned snap = rig_random() % 4;

    for (unsigned i = 0; i < 3; i++) {
        if (i) {
            t->x[i] = t->x[0] + (int64_t)(rig_random() % (2 * range)) - range;
            t->y[i] = t->y[0] + (int64_t)(rig_random() % (2 * range)) - range;
        } else {
            t->x[0] = rig_random() % (WIDTH * ONE);
            t->y[0] = rig_random() % (HEIGHT * ONE);
        }
        /*
         * The borders of pixels, and the samples of two patterns, are at multiples of 1/8
         * of a pixel. Therefore, move the vertices of half of the triangles to such
         * multiples.
         */
        if (snap < 2) {
            t->x[i] = t->x[i] & ~31ll;
            t->y[i] = t->y[i] & ~31ll;
        }
        t->z[i] = rig_uniform(0, 1);
    }
}

static void add(GeomRig *rig, const Triangle *t, float color)
{
    for (unsigned i = 0; i < 3; i++) {
        rig_vertex(rig, t->x[i] / (double)ONE, t->y[i] / (double)ONE, t->z[i], 1, color);
    }
}

static double cross(const Triangle *t, unsigned a, unsigned b, double x, double y)
{
    return (double)(t->x[b] - t->x[a]) * (y - t->y[a]) -
           (double)(t->y[b] - t->y[a]) * (x - t->x[a]);
}

/*
 * Returns true if the triangle, which is clockwise on the screen, covers position @x, @y.
 * Positions on edges that go up, and on horizontal edges that go right, are inside. If
 * @weight is not NULL, sets it to the barycentric coordinates of the position.
 */
static bool covers(const Triangle *t, double x, double y, double weight[3])
{
    const double area = cross(t, 0, 1, t->x[2], t->y[2]);

    for (unsigned i = 0; i < 3; i++) {
        const unsigned a = (i + 1) % 3, b = (i + 2) % 3;
        const double value = cross(t, a, b, x, y) * (area > 0 ? 1 : -1);
        const int64_t down = (t->y[b] - t->y[a]) * (area > 0 ? 1 : -1);
        const int64_t right = (t->x[b] - t->x[a]) * (area > 0 ? 1 : -1);

        if (!area || value < 0 ||
            (value == 0 && !(down < 0 || (down == 0 && right > 0)))) {
            return false;
        }
        if (weight) {
            weight[i] = value / fabs(area);
        }
    }
    return true;
}

/* Returns the stored value of sample @i of pixel @x, @y. */
static uint32_t word_of(const uint8_t *surface, unsigned x, unsigned y, unsigned i)
{
    return nv3_ldl(surface + (2 * y + i / 2) * PITCH + (2 * x + i % 2) * 4);
}

static void assert_guards(const Target *t)
{
    for (unsigned i = 0; i < GUARD; i++) {
        assert_int_equal(t->color[BYTES + i], 0);
        assert_int_equal(t->zeta[BYTES + i], 0);
    }
    /* The bytes after each line of the surface must not change. */
    for (unsigned y = 0; y < 2 * HEIGHT; y++) {
        for (unsigned i = WIDTH * 2 * 4; i < PITCH; i++) {
            assert_int_equal(t->color[y * PITCH + i], 0);
        }
    }
}

/* ---- coverage -------------------------------------------------------------------- */

static void check_coverage(const Target *t, const Triangle *tri, unsigned count,
                           const NV3PixopsSample sample[SAMPLES])
{
    for (unsigned i = 0; i < WIDTH * HEIGHT * SAMPLES; i++) {
        const unsigned n = i % SAMPLES, x = i / SAMPLES % WIDTH, y = i / SAMPLES / WIDTH;
        const double at_x = x * ONE + ONE / 2 + sample[n].x;
        const double at_y = y * ONE + ONE / 2 + sample[n].y;
        unsigned want = 0;

        for (unsigned k = 0; k < count; k++) {
            want = covers(&tri[k], at_x, at_y, NULL) ? k + 1 : want;
        }
        if (word_of(t->color, x, y, n) != want * 0x01010101u) {
            fail_msg("pixel %u %u, sample %u: 0x%08x, not of triangle %u", x, y, n,
                     word_of(t->color, x, y, n), want);
        }
    }
    assert_guards(t);
}

/* Each sample must have the colour of the last triangle that covers it. */
static void test_coverage(void **state)
{
    static Triangle tri[TRIANGLES];
    static Target t;
    NV3FpCode *code = new_code();

    for (unsigned round = 0; round < PATTERNS * 2; round++) {
        const NV3PixopsSample *sample = patterns[round % PATTERNS];

        for (unsigned i = 0; i < TRIANGLES; i++) {
            random_triangle(&tri[i]);
        }
        for (unsigned level = 0; level <= nv3_fp_best_level(); level++) {
            NV3FpDraw draw = new_draw(code, &t, sample);
            GeomRig *rig = new_rig(level, 1 + round % 3, &draw);

            memset(&t, 0, sizeof(t));
            for (unsigned i = 0; i < TRIANGLES; i++) {
                add(rig, &tri[i], (i + 1) / 255.0f);
            }
            rig_draw(rig, NV3_GEOM_TRIANGLES);
            check_coverage(&t, tri, TRIANGLES, sample);
            rig_free(rig);
        }
    }
    nv3_fp_code_free(code);
}

/* ---- depth ------------------------------------------------------------------------ */

/*
 * Returns 1 + the index of the nearest triangle at a position, or 0 if there is none or
 * if two triangles are almost equally near.
 */
static unsigned nearest(const Triangle *tri, unsigned count, double x, double y)
{
    double depth = 1, second = 2;
    unsigned which = 0;

    for (unsigned k = 0; k < count; k++) {
        double w[3], z;

        if (!covers(&tri[k], x, y, w)) {
            continue;
        }
        z = w[0] * tri[k].z[0] + w[1] * tri[k].z[1] + w[2] * tri[k].z[2];
        if (z < depth) {
            second = depth;
            depth = z;
            which = k + 1;
        } else {
            second = z < second ? z : second;
        }
    }
    return second - depth > 1e-5 ? which : 0;
}

/*
 * Each sample must have the colour of the triangle that is nearest at the sample's
 * position, even if triangles intersect.
 */
static void test_depth(void **state)
{
    static Triangle tri[24];
    static Target t;
    NV3FpCode *code = new_code();
    unsigned mixed = 0;

    for (unsigned round = 0; round < 24; round++) {
        const NV3PixopsSample *sample = patterns[round % 2];
        NV3FpDraw draw = new_draw(code, &t, sample);
        GeomRig *rig;

        draw.pixops.zeta_format = NV3_PIXOPS_Z24S8;
        draw.pixops.depth_test = draw.pixops.depth_write = true;
        draw.pixops.depth_func = NV3_PIXOPS_LESS;
        rig = new_rig(round % (nv3_fp_best_level() + 1), 1, &draw);
        memset(&t, 0, sizeof(t));
        memset(t.zeta, 0xff, BYTES);
        for (unsigned i = 0; i < 24; i++) {
            random_triangle(&tri[i]);
            add(rig, &tri[i], (i + 1) / 255.0f);
        }
        rig_draw(rig, NV3_GEOM_TRIANGLES);
        for (unsigned i = 0; i < WIDTH * HEIGHT * SAMPLES; i++) {
            const unsigned n = i % 4, x = i / 4 % WIDTH, y = i / 4 / WIDTH;
            const unsigned want = nearest(tri, 24, x * ONE + ONE / 2 + sample[n].x,
                                          y * ONE + ONE / 2 + sample[n].y);
            const uint32_t color = word_of(t.color, x, y, n);

            if (want && color != want * 0x01010101u) {
                fail_msg("pixel %u %u, sample %u: 0x%08x, not of triangle %u", x, y, n,
                         color, want);
            }
            mixed += want && color && word_of(t.color, x, y, 0) != color;
        }
        rig_free(rig);
    }
    assert_true(mixed > 1000);
    nv3_fp_code_free(code);
}

/* ---- pixel operations ---------------------------------------------------------- */

static NV3PixopsStencil random_stencil(void)
{
    return (NV3PixopsStencil) {
        .func = rig_random() % 8, .ref = rig_random(), .mask = rig_random(),
        .write_mask = rig_random(), .fail = rig_random() % 8, .zfail = rig_random() % 8,
        .zpass = rig_random() % 8,
    };
}

static void random_pixops(NV3PixopsState *s)
{
    s->color_format = rig_random() % 5;
    s->zeta_format = rig_random() % 3;
    s->depth_test = rig_random() & 1;
    s->depth_write = rig_random() & 1;
    s->depth_func = rig_random() % 8;
    s->stencil_test = rig_random() & 1;
    s->stencil[0] = random_stencil();
    s->stencil[1] = random_stencil();
    s->alpha_test = !(rig_random() & 3);
    s->alpha_func = rig_random() % 8;
    s->alpha_ref = rig_uniform(0, 1);
    s->blend = rig_random() & 1;
    s->blend_src = rig_random() % NV3_PIXOPS_FACTORS;
    s->blend_dst = rig_random() % NV3_PIXOPS_FACTORS;
    s->blend_equation = rig_random() % NV3_PIXOPS_EQUATIONS;
    s->blend_src_alpha = rig_random() % NV3_PIXOPS_FACTORS;
    s->blend_dst_alpha = rig_random() % NV3_PIXOPS_FACTORS;
    s->blend_equation_alpha = rig_random() % NV3_PIXOPS_EQUATIONS;
    s->logic = !(rig_random() & 3);
    s->logic_op = rig_random() % 16;
    s->color_mask = rig_random() & 1 ? 15 : rig_random() % 16;
    s->dither = rig_random() % NV3_PIXOPS_DITHERS;
}

static unsigned bytes_of(const NV3PixopsState *s)
{
    return s->color_format <= NV3_PIXOPS_R5G6B5 ? 2 : 4;
}

/*
 * Copies sample @i of each pixel from surface @from to surface @to, which has one sample
 * per pixel.
 */
static void extract(uint8_t *to, const uint8_t *from, unsigned i, unsigned bytes)
{
    for (unsigned y = 0; y < HEIGHT; y++) {
        for (unsigned x = 0; x < WIDTH; x++) {
            memcpy(to + y * PITCH + x * bytes,
                   from + (2 * y + i / 2) * PITCH + (2 * x + i % 2) * bytes, bytes);
        }
    }
}

static void draw_triangles(NV3FpDraw *draw, unsigned level, unsigned threads,
                           const Triangle *tri, unsigned count, uint64_t *samples)
{
    GeomRig *rig = new_rig(level, threads, draw);

    for (unsigned i = 0; i < count; i++) {
        add(rig, &tri[i], (i * 37 % 64) / 63.0f);
    }
    rig_draw(rig, NV3_GEOM_TRIANGLES);
    *samples = samples_of(rig);
    rig_free(rig);
}

/*
 * If all samples are at the centres of their pixels, each sample must have the same value
 * as the same pixel of a target with one sample per pixel.
 */
static void test_pixel_operations(void **state)
{
    static const NV3PixopsSample centre[SAMPLES];
    static Triangle tri[40];
    static Target before, t, one, part;
    NV3FpCode *code = new_code();

    for (unsigned round = 0; round < 80; round++) {
        NV3FpDraw draw = new_draw(code, &t, centre), single = draw;
        uint64_t samples, sum = 0, count;

        random_pixops(&draw.pixops);
        single.pixops = draw.pixops;
        single.pixops.multisample = false;
        single.pixops.color.base = one.color;
        single.pixops.zeta.base = one.zeta;
        for (unsigned i = 0; i < BYTES; i++) {
            before.color[i] = rig_random();
            before.zeta[i] = rig_random();
        }
        for (unsigned i = 0; i < 40; i++) {
            random_triangle(&tri[i]);
        }
        t = before;
        draw_triangles(&draw, round % (nv3_fp_best_level() + 1), 1, tri, 40, &samples);
        for (unsigned i = 0; i < SAMPLES; i++) {
            extract(one.color, before.color, i, bytes_of(&draw.pixops));
            extract(one.zeta, before.zeta, i, nv3_pixops_zeta_bytes(&draw.pixops));
            part = one;
            draw_triangles(&single, 0, 1, tri, 40, &count);
            extract(part.color, t.color, i, bytes_of(&draw.pixops));
            extract(part.zeta, t.zeta, i, nv3_pixops_zeta_bytes(&draw.pixops));
            assert_memory_equal(&part, &one, sizeof(one));
            sum += count;
        }
        assert_int_equal(sum, samples);
    }
    nv3_fp_code_free(code);
}

/*
 * For any state, the picture must not depend on the SIMD level or on the number of
 * threads.
 */
static void test_levels_and_threads(void **state)
{
    static Triangle tri[TRIANGLES];
    static Target before, t, want;
    NV3FpCode *code = new_code();

    for (unsigned round = 0; round < 30; round++) {
        NV3FpDraw draw = new_draw(code, &t, patterns[round % PATTERNS]);
        uint64_t samples, first = 0;

        random_pixops(&draw.pixops);
        draw.pixops.sample_mask = rig_random() & 1 ? 15 : rig_random() & 15;
        draw.pixops.alpha_to_coverage = rig_random() & 1;
        draw.pixops.alpha_to_one = rig_random() & 1;
        for (unsigned i = 0; i < BYTES; i++) {
            before.color[i] = rig_random();
            before.zeta[i] = rig_random();
        }
        for (unsigned i = 0; i < TRIANGLES; i++) {
            random_triangle(&tri[i]);
        }
        for (unsigned n = 0; n < 3 * (nv3_fp_best_level() + 1u); n++) {
            t = before;
            draw_triangles(&draw, n / 3, 1 + n % 3, tri, TRIANGLES, &samples);
            if (!n) {
                want = t;
                first = samples;
            }
            assert_memory_equal(&t, &want, sizeof(t));
            assert_int_equal(samples, first);
        }
    }
    nv3_fp_code_free(code);
}

/* ---- coverage by alpha, mask ------------------------------------------------------- */

/*
 * Draws a rectangle over the whole target. Alpha increases from 0 at the left to 1 at the
 * right.
 */
static void draw_gradient(NV3FpDraw *draw, unsigned level)
{
    static const float corner[4][2] = {
        { 0, 0 }, { WIDTH, 0 }, { WIDTH, HEIGHT }, { 0, HEIGHT },
    };
    GeomRig *rig = new_rig(level, 1, draw);

    for (unsigned i = 0; i < 4; i++) {
        rig_vertex(rig, corner[i][0], corner[i][1], 0.5, 1, corner[i][0] / WIDTH);
    }
    rig_draw(rig, NV3_GEOM_QUADS);
    rig_free(rig);
}

/*
 * With alpha to coverage, the number of written samples must be four times alpha,
 * rounded.
 */
static void test_alpha_to_coverage(void **state)
{
    static Target t;
    NV3FpCode *code = new_code();

    for (unsigned level = 0; level <= nv3_fp_best_level(); level++) {
        NV3FpDraw draw = new_draw(code, &t, patterns[1]);

        draw.pixops.alpha_to_coverage = draw.pixops.alpha_to_one = true;
        /* Writes only alpha. */
        draw.pixops.color_mask = 8;
        memset(&t, 0, sizeof(t));
        draw_gradient(&draw, level);
        for (unsigned i = 0; i < WIDTH * HEIGHT; i++) {
            const unsigned x = i % WIDTH, y = i / WIDTH;
            const double want = (x + 0.5) / WIDTH * SAMPLES;
            unsigned count = 0;

            for (unsigned n = 0; n < SAMPLES; n++) {
                const uint32_t word = word_of(t.color, x, y, n);

                assert_true(word == 0 || word == 0xff000000);
                count += word != 0;
            }
            if (fabs(count - want) > 0.501) {
                fail_msg("pixel %u %u: %u samples, not %g", x, y, count, want);
            }
        }
    }
    nv3_fp_code_free(code);
}

static void test_sample_mask(void **state)
{
    static Target t;
    NV3FpCode *code = new_code();

    for (unsigned mask = 0; mask < 16; mask++) {
        NV3FpDraw draw = new_draw(code, &t, patterns[1]);

        draw.pixops.sample_mask = mask;
        memset(&t, 0, sizeof(t));
        draw.pixops.logic = true;
        draw.pixops.logic_op = 15;      /* GL_SET */
        draw_gradient(&draw, mask % (nv3_fp_best_level() + 1));
        for (unsigned i = 0; i < WIDTH * HEIGHT * SAMPLES; i++) {
            assert_int_equal(word_of(t.color, i / 4 % WIDTH, i / 4 / WIDTH, i % 4),
                             mask & 1u << i % 4 ? UINT32_MAX : 0);
        }
    }
    nv3_fp_code_free(code);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_coverage),
        cmocka_unit_test(test_depth),
        cmocka_unit_test(test_pixel_operations),
        cmocka_unit_test(test_levels_and_threads),
        cmocka_unit_test(test_alpha_to_coverage),
        cmocka_unit_test(test_sample_mask),
    };

    return cmocka_run_group_tests_name("samples", tests, NULL, NULL);
}
