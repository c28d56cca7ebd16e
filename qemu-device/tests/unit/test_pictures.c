/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Checks that the core draws the same pictures on every host. The CRCs of the pictures
 * must equal constants, for every byte order, word size, compiler and instruction set.
 * The suite vm/checks/suites/cross.sh runs this test on hosts other than x86-64. The test
 * code uses no floating point.
 *
 * If a change to the core or to tests/fuzz/fuzz_draw.c changes the pictures, the
 * constants must be replaced. A failing test prints the new constants.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../fuzz/fuzz_host.h"
#include "display/display.h"
#include "nv3_class.h"
#include "raster/raster_int.h"
#include "raster_rig.h"

#define COUNT(array)    (sizeof(array) / sizeof((array)[0]))

/* ---- triangles ------------------------------------------------------------- */

#define WIDTH   160
#define HEIGHT  96
#define ROUNDS  60
#define LOG2    5

typedef enum Shape { SMALL, MEDIUM, LARGE, SLIVER, SHAPES } Shape;

static const uint32_t triangle_crcs[4][SHAPES] = {
    [NV3_D3D_TEX_A1R5G5B5] = { 0x218c15ed, 0x6aa1ffb5, 0x0f094fc4, 0xb916e93e },
    [NV3_D3D_TEX_X1R5G5B5] = { 0x44944887, 0x304d5ddc, 0xc8a10abf, 0xa343730b },
    [NV3_D3D_TEX_A4R4G4B4] = { 0xb1a08d38, 0x8055ca36, 0x00dd2418, 0x7dc2f00a },
    [NV3_D3D_TEX_R5G6B5] = { 0x4cf72181, 0xf27ca4ff, 0x7086a9ca, 0x2b1733eb },
};

/* Sets registers to random values, with most of which triangles write pixels. */
static void random_state(RasterRig *rig, unsigned format, uint64_t *seed)
{
    const unsigned max = rig_range(seed, 0, LOG2);

    rig->st.config = rig_random(seed);
    if (rig_range(seed, 0, 3)) {
        rig->st.config &= ~(7u << NV3_D3D_CONFIG_COLOR_WRITE_SHIFT);
        rig->st.config |= NV3_D3D_WRITE_ALWAYS << NV3_D3D_CONFIG_COLOR_WRITE_SHIFT;
    }
    if (rig_range(seed, 0, 1)) {
        rig->st.config &= ~0xfu;
        rig->st.config |= NV3_D3D_INTERP_FOH_CENTER;
    }
    rig->st.alpha = rig_range(seed, 0, 1) ? NV3_D3D_CMP_ALWAYS << 8 :
                                            rig_random(seed) & 0xfff;
    rig->st.tex_filter = rig_random(seed) & 0xff1f1f;
    rig->st.fog_color = rig_random(seed) & 0xffffff;
    rig->st.dither = rig_range(seed, 0, 1);
    rig_format(rig, format, rig_range(seed, 0, max), max);
    if (rig_range(seed, 0, 3) == 0) {
        rig->st.tex_format |= NV3_D3D_TEX_KEY_ENABLE | (rig_random(seed) & 0xffff);
    }
}

static int16_t clamp16(int32_t n)
{
    return n < INT16_MIN ? INT16_MIN : n > INT16_MAX ? INT16_MAX : n;
}

static void random_triangle(NV3RasterVertex v[3], Shape shape, uint64_t *seed)
{
    static const int size[SHAPES] = {
        [SMALL] = 62, [MEDIUM] = 400, [LARGE] = 30000, [SLIVER] = 1000,
    };
    const int cx = rig_range(seed, -8, WIDTH + 8) * 16;
    const int cy = rig_range(seed, -8, HEIGHT + 8) * 16;
    const bool fog = rig_range(seed, 0, 1), persp = rig_range(seed, 0, 3);

    for (unsigned i = 0; i < 3; i++) {
        const int x = cx + rig_range(seed, -size[shape], size[shape]);
        const int y = cy + rig_range(seed, -size[shape], size[shape]);
        /* a float from 2^-10 to 2, in the format of D3D_RHW */
        const uint32_t m = rig_range(seed, 117 << 17, (127 << 17) | 0x1ffff);

        const uint64_t uvz = rig_random(seed), rgbaf = rig_random(seed);

        v[i] = (NV3RasterVertex) {
            .x = clamp16(x), .y = clamp16(y),
            .u = uvz, .v = uvz >> 16, .z = uvz >> 32 & 0xffffff,
            .m = persp ? m : 127 << 17,
            .r = rgbaf, .g = rgbaf >> 8, .b = rgbaf >> 16, .a = rgbaf >> 24 & 0x7f,
            .fog = fog ? rgbaf >> 32 : 0,
        };
    }
    if (shape == SLIVER) {
        v[2].x = clamp16((v[0].x + v[1].x) / 2 + rig_range(seed, -2, 2));
        v[2].y = clamp16((v[0].y + v[1].y) / 2 + rig_range(seed, -2, 2));
    }
}

static uint32_t triangles_crc(NV3Simd simd, unsigned format, Shape shape)
{
    uint64_t seed = format * SHAPES + shape;
    uint32_t crc;
    RasterRig rig;

    rig_init(&rig, WIDTH, HEIGHT);
    rig.st.simd = simd;
    for (unsigned i = 0; i <= LOG2; i++) {
        rig_texture_random(&rig, i, &seed);
    }
    rig_clear(&rig, 0x35a7, 0x8000);
    for (unsigned i = 0; i < ROUNDS; i++) {
        random_state(&rig, format, &seed);
        for (unsigned j = 0; j < 20; j++) {
            NV3RasterVertex v[3];

            random_triangle(v, shape, &seed);
            rig_draw(&rig, v);
        }
    }
    crc = nv3_crc32(0, rig.color, rig.st.color.size);
    crc = nv3_crc32(crc, rig.zeta, rig.st.zeta.size);
    rig_free(&rig);
    return crc;
}

static void triangles(NV3Simd simd)
{
    unsigned wrong = 0;

    if (!nv3_simd_available(simd)) {
        skip();
    }
    for (unsigned format = 0; format < 4; format++) {
        for (unsigned shape = 0; shape < SHAPES; shape++) {
            uint32_t crc = triangles_crc(simd, format, shape);

            if (crc != triangle_crcs[format][shape]) {
                print_error("triangles of format %u, shape %u: 0x%08x, not 0x%08x\n",
                            format, shape, crc, triangle_crcs[format][shape]);
                wrong++;
            }
        }
    }
    assert_int_equal(wrong, 0);
}

RIG_EACH_ISA(test_triangles, triangles)

/* ---- triangle setup -------------------------------------------------------- */

#define SETUP_TRIANGLES     400000

/*
 * CRC of the results of triangle setup. The triangles are at most 8 x 8 pixels large,
 * because the set-up of such triangles has the largest rounding errors.
 */
static const uint32_t setup_crc = 0x3c5e6222;

static void put32(uint8_t **p, const int32_t *v, unsigned count)
{
    for (unsigned i = 0; i < count; i++, *p += 4) {
        nv3_stl(*p, v[i]);
    }
}

/*
 * Checks the results of triangle setup. If a compiler fuses multiplications with
 * additions, very few results change, and only by one, so that such an error seldom
 * changes a picture.
 */
static void test_setup(void **state)
{
    const NV3Simd simd = nv3_simd_select(NV3_SIMD_AUTO);
    uint64_t seed = 5;
    uint32_t crc = 0;
    RasterRig rig;

    rig_init(&rig, WIDTH, HEIGHT);
    rig_texture_random(&rig, LOG2, &seed);
    rig_format(&rig, NV3_D3D_TEX_R5G6B5, LOG2, LOG2);
    for (unsigned i = 0; i < SETUP_TRIANGLES; i++) {
        uint8_t numbers[3 * (4 + NV3_COL_FOG) * 4], *p = numbers;
        NV3RasterVertex v[3];
        NV3RasterTri tri;

        rig.st.simd = i & 1 ? simd : NV3_SIMD_SCALAR;
        nv3_raster_prepare(&rig.st);
        random_triangle(v, SMALL, &seed);
        if (!nv3_raster_setup(&rig.st, &v[0], &v[1], &v[2], &tri) ||
            !(tri.flags & NV3_RASTER_F_SMALL)) {
            continue;
        }
        for (unsigned j = 0; j < 3; j++) {
            put32(&p, tri.small.v[j], 4);
            put32(&p, tri.small.c[j], NV3_COL_FOG);
        }
        crc = nv3_crc32(crc, numbers, sizeof(numbers));
    }
    rig_free(&rig);
    if (crc != setup_crc) {
        print_error("set-up: 0x%08x, not 0x%08x\n", crc, setup_crc);
    }
    assert_int_equal(crc, setup_crc);
}

/* ---- every class ----------------------------------------------------------- */

#define INPUTS      8
#define INPUT_SIZE  4096

static const uint32_t class_crcs[] = {
    0xbffaccd7, 0xfae07b53, 0x5707d3cb, 0xead3a4a6, 0x8f91b966, 0x86fb5954,
    0x6405715d, 0x2fdefad6, 0xf0b14cde, 0x5ddb6079, 0x724cec43, 0xc3efff94,
};

/*
 * Returns the CRC of the memory after fuzz_draw.c has drawn with inputs that depend only
 * on @seed. The inputs use all classes with surfaces of all formats.
 */
static uint32_t classes_crc(uint64_t seed)
{
    static uint8_t data[INPUT_SIZE];
    uint32_t crc = 0;

    for (unsigned i = 0; i < INPUTS; i++) {
        for (unsigned j = 0; j < INPUT_SIZE; j++) {
            data[j] = rig_random(&seed);
        }
        LLVMFuzzerTestOneInput(data, INPUT_SIZE);
        crc = fuzz_memory_crc(crc);
    }
    return crc;
}

static void test_classes(void **state)
{
    unsigned wrong = 0;

    for (unsigned i = 0; i < COUNT(class_crcs); i++) {
        uint32_t crc = classes_crc(i);

        if (crc != class_crcs[i]) {
            print_error("classes, inputs from %u on: 0x%08x, not 0x%08x\n", i, crc,
                        class_crcs[i]);
            wrong++;
        }
    }
    assert_int_equal(wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_triangles_scalar),
        cmocka_unit_test(test_triangles_neon),
        cmocka_unit_test(test_triangles_avx2),
        cmocka_unit_test(test_triangles_avx512),
        cmocka_unit_test(test_triangles_avx512vbmi2),
        cmocka_unit_test(test_setup),
        cmocka_unit_test(test_classes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
