/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tests multisampling through the methods of class 0x1F. test_samples.c tests it through
 * the functions of the geometry and fragment engines.
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
#include "programs_flat.h"

#define SIZE        64              /* pixels per side of the target */
#define PITCH       (SIZE * 2 * 4)
#define BYTES       (SIZE * 2 * PITCH)
#define MEMORY      (1u << 20)
#define COLOR       0x00000
#define ZETA        0x20000
#define RESOLVED    0x40000         /* a target with one sample */
#define COPY        0x60000         /* program that copies the colour */
#define SAMPLE      0x60100         /* program that samples texture unit 0 */
#define REPORT      0x70000

#define ON          NV3_PROGRAMS_MULTISAMPLE
#define MODE(n)     (8 | 2 << NV3_PM_FORMAT_ZETA_SHIFT | \
                     NV3_PM_FORMAT_TYPE_PITCH << NV3_PM_FORMAT_TYPE_SHIFT | \
                     (uint32_t)(n) << NV3_PM_FORMAT_SAMPLES_SHIFT)
#define SQUARE      MODE(NV3_PM_FORMAT_SQUARE_OFFSET_4)
#define ROTATED     MODE(NV3_PM_FORMAT_SQUARE_ROTATED_4)

static uint8_t memory[MEMORY];
static FlatMemory ram = { .bytes = memory, .size = MEMORY };
static NV3Programs *p;

static const NV3ProgramsMemory accessors = {
    FLAT_ACCESSORS(&ram)
};

static void m(uint32_t method, uint32_t data)
{
    flat_method(p, method, data);
}

static void set_programs(void)
{
    FpAsm copy = { 0 }, sample = { 0 };
    VpAsm a = { 0 };

    vp_copy(&a, NV3_GEOM_O_POSITION, 0);
    vp_copy(&a, NV3_GEOM_O_COLOR0, 3);
    vp_copy(&a, NV3_GEOM_O_TEXCOORD0, 9);
    flat_set_vertex_program(p, &a);
    fp_op1(&copy, NV3_FP_MOV, fp_d(0, "xyzw"), fp_in(NV3_FP_COLOR0, "xyzw"));
    flat_put_fragment_program(&ram, COPY, &copy);
    fp_tex(&sample, NV3_FP_TEX, 0, fp_d(0, "xyzw"), fp_in(NV3_FP_TEXCOORD0, "xyzw"));
    flat_put_fragment_program(&ram, SAMPLE, &sample);
    m(NV3_PM_FP_ACTIVE_PROGRAM, COPY);
}

static void set_size(unsigned size)
{
    m(NV3_PM_SURFACE_CLIP_HORIZONTAL, size << 16);
    m(NV3_PM_SURFACE_CLIP_VERTICAL, size << 16);
    for (unsigned i = 0; i < 2; i++) {
        m(NV3_PM_VIEWPORT_SCALE + 4 * i, flat_bits(size / 2));
        m(NV3_PM_VIEWPORT_OFFSET + 4 * i, flat_bits(size / 2));
    }
}

/* Creates an instance of the class with a cleared target. */
static int begin(void **state)
{
    memset(memory, 0, MEMORY);
    p = nv3_programs_new(&accessors, 2);
    set_programs();
    set_size(SIZE);
    m(NV3_PM_SURFACE_FORMAT, SQUARE);
    m(NV3_PM_SURFACE_PITCH, PITCH | PITCH << 16);
    m(NV3_PM_SURFACE_COLOR_OFFSET, COLOR);
    m(NV3_PM_SURFACE_ZETA_OFFSET, ZETA);
    m(NV3_PM_ZSTENCIL_CLEAR_VALUE, 0xffffff00);
    m(NV3_PM_CLEAR_SURFACE, NV3_PM_CLEAR_Z | NV3_PM_CLEAR_STENCIL);
    return 0;
}

static int end(void **state)
{
    nv3_programs_free(p);
    return 0;
}

/* Sends a vertex at window coordinates @x, @y. */
static void vertex(float x, float y, uint32_t rgba)
{
    const float at[4] = { x / (SIZE / 2) - 1, y / (SIZE / 2) - 1, 0, 1 };

    m(NV3_PM_VERTEX_DATA4UB + 4 * 3, rgba);
    for (unsigned i = 0; i < 4; i++) {
        m(NV3_PM_VERTEX4F + 4 * i, flat_bits(at[i]));
    }
}

static void rectangle(float x0, float y0, float x1, float y1, uint32_t rgba)
{
    m(NV3_PM_BEGIN_END, NV3_GEOM_QUADS);
    vertex(x0, y0, rgba);
    vertex(x1, y0, rgba);
    vertex(x1, y1, rgba);
    vertex(x0, y1, rgba);
    m(NV3_PM_BEGIN_END, 0);
}

static void finish(void)
{
    assert_int_equal(nv3_programs_flush(p), NV3_PROGRAMS_OK);
}

static uint32_t sample(uint32_t surface, unsigned x, unsigned y, unsigned i)
{
    return nv3_ldl(memory + surface + (2 * y + i / 2) * PITCH + (2 * x + i % 2) * 4);
}

/* Returns the mask of those samples of pixel @x, @y whose colour is not 0. */
static unsigned covered(unsigned x, unsigned y)
{
    unsigned mask = 0;

    for (unsigned i = 0; i < 4; i++) {
        mask |= sample(COLOR, x, y, i) ? 1u << i : 0;
    }
    return mask;
}

static unsigned count_samples(void)
{
    unsigned count = 0;

    for (unsigned i = 0; i < SIZE * SIZE; i++) {
        count += __builtin_popcount(covered(i % SIZE, i / SIZE));
    }
    return count;
}

/* ---- tests -------------------------------------------------------------------- */

/*
 * Determines the positions of samples by drawing rectangles with edges in the middle
 * between two multiples of 1/8 of a pixel.
 */
static void test_positions(void **state)
{
    static const struct {
        uint32_t format;
        float x[4], y[4];
    } mode[] = {
        { SQUARE, { 0.25f, 0.75f, 0.25f, 0.75f }, { 0.25f, 0.25f, 0.75f, 0.75f } },
        { ROTATED, { 0.375f, 0.875f, 0.125f, 0.625f },
                   { 0.125f, 0.375f, 0.625f, 0.875f } },
    };

    for (unsigned k = 0; k < 2; k++) {
        for (unsigned eighth = 0; eighth < 8; eighth++) {
            const float at = eighth / 8.0f + 1 / 16.0f;
            unsigned right = 0, below = 0;

            memset(memory + COLOR, 0, BYTES);
            m(NV3_PM_SURFACE_FORMAT, mode[k].format);
            rectangle(10 + at, 10, 20, 20, UINT32_MAX);
            rectangle(30, 10 + at, 40, 20, UINT32_MAX);
            finish();
            for (unsigned i = 0; i < 4; i++) {
                right |= mode[k].x[i] > at ? 1u << i : 0;
                below |= mode[k].y[i] > at ? 1u << i : 0;
            }
            assert_int_equal(covered(10, 15), right);
            assert_int_equal(covered(35, 10), below);
            assert_int_equal(covered(15, 15), 15);
            assert_int_equal(covered(9, 15) | covered(20, 15), 0);
        }
    }
}

/*
 * If MULTISAMPLE_ENABLE is 0, a triangle covers all samples of each pixel whose centre it
 * covers.
 */
static void test_disabled(void **state)
{
    m(NV3_PM_SURFACE_FORMAT, ROTATED);
    m(NV3_PM_MULTISAMPLE_CONTROL, NV3_PM_ALPHA_TO_COVERAGE);
    rectangle(10.4375f, 10, 20.4375f, 20, 0x00ffffff);
    rectangle(30.5625f, 10, 40.5625f, 20, 0x00ffffff);
    finish();
    for (unsigned y = 0; y < SIZE; y++) {
        for (unsigned x = 0; x < SIZE; x++) {
            const bool in = y >= 10 && y < 20 &&
                            ((x >= 10 && x < 20) || (x >= 31 && x < 41));

            assert_int_equal(covered(x, y), in ? 15 : 0);
        }
    }
}

static void test_control(void **state)
{
    for (unsigned mask = 0; mask < 16; mask++) {
        memset(memory + COLOR, 0, BYTES);
        m(NV3_PM_MULTISAMPLE_CONTROL,
          mask << NV3_PM_SAMPLE_MASK_SHIFT | NV3_PM_MULTISAMPLE_ENABLE);
        rectangle(8, 8, 16, 16, UINT32_MAX);
        finish();
        assert_int_equal(covered(10, 10), mask);
    }
    /*
     * An alpha of 0x80 must cover half of the samples. ALPHA_TO_ONE applies afterwards.
     */
    for (unsigned one = 0; one < 2; one++) {
        memset(memory + COLOR, 0, BYTES);
        m(NV3_PM_MULTISAMPLE_CONTROL, ON | NV3_PM_ALPHA_TO_COVERAGE |
                                      (one ? NV3_PM_ALPHA_TO_ONE : 0));
        rectangle(8, 8, 16, 16, 0x80ffffff);
        finish();
        assert_int_equal(covered(10, 10), 3);
        assert_int_equal(sample(COLOR, 10, 10, 0), one ? 0xffffffff : 0x80ffffff);
    }
}

static void test_bad_formats(void **state)
{
    for (unsigned mode = 0; mode < 16; mode++) {
        const bool good = mode == 0 || mode == 2 || mode == 5;
        NV3ProgramsResult result;

        m(NV3_PM_SURFACE_FORMAT, MODE(mode));
        result = nv3_programs_method(p, NV3_PM_BEGIN_END, NV3_GEOM_POINTS);
        assert_int_equal(result, good ? NV3_PROGRAMS_OK : NV3_PROGRAMS_BAD_DATA);
        if (good) {
            m(NV3_PM_BEGIN_END, 0);
        }
        result = nv3_programs_method(p, NV3_PM_CLEAR_SURFACE, NV3_PM_CLEAR_Z);
        assert_int_equal(result, good ? NV3_PROGRAMS_OK : NV3_PROGRAMS_BAD_DATA);
    }
}

/*
 * A target is valid only if all of its samples are within the memory, and if a line of
 * samples is not longer than the pitch.
 */
static void test_bounds(void **state)
{
    m(NV3_PM_SURFACE_COLOR_OFFSET, MEMORY - BYTES);
    rectangle(0, 0, SIZE, SIZE, UINT32_MAX);
    m(NV3_PM_CLEAR_SURFACE, NV3_PM_CLEAR_COLORS);
    m(NV3_PM_SURFACE_COLOR_OFFSET, MEMORY - BYTES + 4);
    assert_int_equal(nv3_programs_method(p, NV3_PM_BEGIN_END, NV3_GEOM_QUADS),
                     NV3_PROGRAMS_FAULT);
    assert_int_equal(nv3_programs_fault(p), MEMORY - BYTES + 4);
    assert_int_equal(nv3_programs_method(p, NV3_PM_CLEAR_SURFACE, NV3_PM_CLEAR_COLORS),
                     NV3_PROGRAMS_FAULT);
    m(NV3_PM_SURFACE_COLOR_OFFSET, COLOR);
    m(NV3_PM_SURFACE_ZETA_OFFSET, MEMORY - BYTES + 4);
    assert_int_equal(nv3_programs_method(p, NV3_PM_BEGIN_END, NV3_GEOM_QUADS),
                     NV3_PROGRAMS_FAULT);
    m(NV3_PM_SURFACE_ZETA_OFFSET, ZETA);
    m(NV3_PM_SURFACE_PITCH, (PITCH - 4) | PITCH << 16);
    assert_int_equal(nv3_programs_method(p, NV3_PM_BEGIN_END, NV3_GEOM_QUADS),
                     NV3_PROGRAMS_BAD_DATA);
}

/* The unit of CLEAR_RECT is the pixel, not the sample. */
static void test_clear(void **state)
{
    m(NV3_PM_COLOR_CLEAR_VALUE, 0x11223344);
    m(NV3_PM_ZSTENCIL_CLEAR_VALUE, 0x55667788);
    m(NV3_PM_CLEAR_RECT_HORIZONTAL, 5 | 20 << 16);
    m(NV3_PM_CLEAR_RECT_VERTICAL, 7 | 9 << 16);
    m(NV3_PM_CLEAR_SURFACE, NV3_PM_CLEAR_COLORS | NV3_PM_CLEAR_Z | NV3_PM_CLEAR_STENCIL);
    m(NV3_PM_WAIT_FOR_IDLE, 0);
    for (unsigned i = 0; i < SIZE * SIZE * 4; i++) {
        const unsigned x = i / 4 % SIZE, y = i / 4 / SIZE;
        const bool in = x >= 5 && x <= 20 && y >= 7 && y <= 9;

        assert_int_equal(sample(COLOR, x, y, i % 4), in ? 0x11223344 : 0);
        assert_int_equal(sample(ZETA, x, y, i % 4), in ? 0x55667788 : 0xffffff00);
    }
}

/* GET_REPORT must count samples, not pixels. */
static void test_report(void **state)
{
    m(NV3_PM_SURFACE_FORMAT, ROTATED);
    m(NV3_PM_CLEAR_REPORT_VALUE, 1);
    rectangle(3.3f, 5.8f, 30.1f, 40.6f, UINT32_MAX);
    m(NV3_PM_GET_REPORT, REPORT);
    assert_int_equal(nv3_ldl(memory + REPORT + 8), count_samples());
    assert_true(count_samples() > 3000);
}

/*
 * A multisampled line is a rectangle, so it must cover an area of its length times its
 * width.
 */
static void test_lines(void **state)
{
    static const float end_of[][2] = { { 50, 8 }, { 50, 25 }, { 50, 45 }, { 8, 50 } };

    m(NV3_PM_SURFACE_FORMAT, ROTATED);
    m(NV3_PM_LINE_WIDTH, 4 * 8);
    for (unsigned i = 0; i < 4; i++) {
        const double area = hypot(end_of[i][0] - 8, end_of[i][1] - 8) * 4;

        memset(memory + COLOR, 0, BYTES);
        m(NV3_PM_BEGIN_END, NV3_GEOM_LINES);
        vertex(8, 8, UINT32_MAX);
        vertex(end_of[i][0], end_of[i][1], UINT32_MAX);
        m(NV3_PM_BEGIN_END, 0);
        finish();
        if (fabs(count_samples() / 4.0 - area) > area / 50) {
            fail_msg("%u samples, not %g", count_samples(), area * 4);
        }
    }
}

/*
 * Resolves the multisampled target: draws it as a texture, scaled to half of its size
 * with a linear filter.
 */
static void resolve(void)
{
    m(NV3_PM_SURFACE_FORMAT, MODE(0));
    m(NV3_PM_SURFACE_COLOR_OFFSET, RESOLVED);
    m(NV3_PM_FP_ACTIVE_PROGRAM, SAMPLE);
    m(NV3_PM_TEX + 4 * NV3_PM_TEX_OFFSET, COLOR);
    m(NV3_PM_TEX + 4 * NV3_PM_TEX_FORMAT, 1 << 13 | 5 << 8 | 2 << 4 | 1 << 16);
    m(NV3_PM_TEX + 4 * NV3_PM_TEX_WRAP, 0x00030303);
    m(NV3_PM_TEX + 4 * NV3_PM_TEX_ENABLE, 0x80000000u | 0xfff << 7);
    m(NV3_PM_TEX + 4 * NV3_PM_TEX_FILTER, 2 << 16 | 2 << 24);
    m(NV3_PM_TEX + 4 * NV3_PM_TEX_NPOT_SIZE, SIZE * 2 << 16 | SIZE * 2);
    m(NV3_PM_TEX_SIZE1, 1u << 20 | PITCH);
    m(NV3_PM_TEX_CACHE_CTL, 1);
    m(NV3_PM_BEGIN_END, NV3_GEOM_QUADS);
    for (unsigned i = 0; i < 4; i++) {
        const unsigned s = i == 1 || i == 2, t = i >= 2;

        m(NV3_PM_VERTEX_DATA2F + 8 * 9, flat_bits(s));
        m(NV3_PM_VERTEX_DATA2F + 8 * 9 + 4, flat_bits(t));
        vertex(s * SIZE, t * SIZE, UINT32_MAX);
    }
    m(NV3_PM_BEGIN_END, 0);
    finish();
}

/* The colour of each resolved pixel must be the mean of the pixel's samples. */
static void test_resolve(void **state)
{
    unsigned between = 0;

    m(NV3_PM_SURFACE_FORMAT, ROTATED);
    for (unsigned i = 0; i < 12; i++) {
        m(NV3_PM_BEGIN_END, NV3_GEOM_TRIANGLES);
        for (unsigned k = 0; k < 3; k++) {
            vertex((i * 31 + k * 23 + k * k * i) % SIZE + 0.3f,
                   (i * 17 + k * 41 + k * k * 7) % SIZE + 0.7f, 0xff00ff00 * (i + 1));
        }
        m(NV3_PM_BEGIN_END, 0);
    }
    resolve();
    for (unsigned i = 0; i < SIZE * SIZE; i++) {
        const unsigned x = i % SIZE, y = i / SIZE;
        const uint32_t got = nv3_ldl(memory + RESOLVED + y * PITCH + x * 4);

        for (unsigned shift = 0; shift < 32; shift += 8) {
            unsigned sum = 0;

            for (unsigned n = 0; n < 4; n++) {
                sum += sample(COLOR, x, y, n) >> shift & 255;
            }
            between += sum % 1020 != 0;
            assert_true(fabs((got >> shift & 255) - sum / 4.0) <= 1);
        }
    }
    assert_true(between > 100);
}

/*
 * A context that is saved in the middle of a primitive must contain the multisampling
 * state.
 */
static void test_context(void **state)
{
    static NV3ProgramsContext context;
    static uint8_t want[BYTES];

    for (unsigned move = 0; move < 2; move++) {
        memset(memory + COLOR, 0, BYTES);
        m(NV3_PM_SURFACE_FORMAT, ROTATED);
        m(NV3_PM_MULTISAMPLE_CONTROL,
          7u << NV3_PM_SAMPLE_MASK_SHIFT | NV3_PM_MULTISAMPLE_ENABLE);
        m(NV3_PM_BEGIN_END, NV3_GEOM_TRIANGLE_STRIP);
        vertex(5, 5, UINT32_MAX);
        vertex(60, 9, UINT32_MAX);
        vertex(3, 50, UINT32_MAX);
        if (move) {
            assert_int_equal(nv3_programs_save(p, &context), NV3_PROGRAMS_OK);
            nv3_programs_free(p);
            p = nv3_programs_new(&accessors, 1);
            assert_true(nv3_programs_load(p, &context, 0, false));
        }
        vertex(40, 60, 0xff);
        m(NV3_PM_BEGIN_END, 0);
        finish();
        if (move) {
            assert_memory_equal(want, memory + COLOR, BYTES);
        }
        memcpy(want, memory + COLOR, BYTES);
    }
    assert_true(count_samples() > 2000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_positions, begin, end),
        cmocka_unit_test_setup_teardown(test_disabled, begin, end),
        cmocka_unit_test_setup_teardown(test_control, begin, end),
        cmocka_unit_test_setup_teardown(test_bad_formats, begin, end),
        cmocka_unit_test_setup_teardown(test_bounds, begin, end),
        cmocka_unit_test_setup_teardown(test_clear, begin, end),
        cmocka_unit_test_setup_teardown(test_report, begin, end),
        cmocka_unit_test_setup_teardown(test_lines, begin, end),
        cmocka_unit_test_setup_teardown(test_resolve, begin, end),
        cmocka_unit_test_setup_teardown(test_context, begin, end),
    };

    return cmocka_run_group_tests_name("programs_samples", tests, NULL, NULL);
}
