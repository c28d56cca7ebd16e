/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compares each pixel of the rasterizer with ref_raster.c, for random triangles in all
 * states. Coverage must be exact. The depth may differ by 1 of 65,536. A component of the
 * source colour may differ by 2 of 255, in addition to the error of the filter's 7-bit
 * weights. For at least one source within these bounds, the final stages (tests,
 * dithering, blending) must result in exactly the drawn pixel. The test skips pixels for
 * which the choice of a texel is uncertain. NV3_TEST_ROUNDS multiplies the number of
 * rounds.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "nv3_class.h"
#include "ref_raster.h"

#define WIDTH   64
#define HEIGHT  48
#define LEVELS  7

static unsigned rounds(unsigned n)
{
    const char *env = getenv("NV3_TEST_ROUNDS");

    return env ? n * (unsigned)strtoul(env, NULL, 0) : n;
}

typedef struct Tally {
    unsigned long pixels, checked;
} Tally;

static uint32_t random_config(uint64_t *seed)
{
    return (uint32_t)rig_range(seed, 0, 2) |
           rig_range(seed, 0, 3) << NV3_D3D_CONFIG_WRAP_U_SHIFT |
           rig_range(seed, 0, 3) << NV3_D3D_CONFIG_WRAP_V_SHIFT |
           rig_range(seed, 0, 1) * NV3_D3D_CONFIG_ALPHA |
           rig_range(seed, 0, 3) << NV3_D3D_CONFIG_SOURCE_SHIFT |
           rig_range(seed, 1, 3) << NV3_D3D_CONFIG_CULL_SHIFT |
           rig_range(seed, 0, 1) * NV3_D3D_CONFIG_Z_PERSPECTIVE |
           rig_range(seed, 1, 8) << NV3_D3D_CONFIG_Z_FUNC_SHIFT |
           rig_range(seed, 0, 4) << NV3_D3D_CONFIG_Z_WRITE_SHIFT |
           rig_range(seed, 0, 4) << NV3_D3D_CONFIG_COLOR_WRITE_SHIFT |
           (uint32_t)rig_range(seed, 0, 15) << 28;
}

static void random_state(RasterRig *rig, uint64_t *seed)
{
    unsigned max = rig_range(seed, 0, LEVELS - 1);

    rig->st.config = random_config(seed);
    rig->st.alpha = rig_range(seed, 1, 8) << 8 | rig_range(seed, 0, 255);
    if (rig_range(seed, 0, 1)) {
        rig->st.alpha = NV3_D3D_CMP_ALWAYS << 8;
    }
    rig->st.tex_filter = rig_range(seed, 0, 1) ?
                         (uint32_t)rig_random(seed) & 0xffffff : 0;
    rig->st.fog_color = rig_random(seed) & 0xffffff;
    rig->st.dither = rig_range(seed, 0, 1);
    rig_format(rig, rig_range(seed, 0, 3), rig_range(seed, 0, max), max);
    if (rig_range(seed, 0, 3) == 0) {
        rig->st.tex_format |= NV3_D3D_TEX_KEY_ENABLE | rig_texel(rig, max, 0);
    }
    rig->st.zeta.base = rig_range(seed, 0, 4) ? (uint8_t *)rig->zeta : NULL;
}

static void random_triangle(const RasterRig *rig, NV3RasterVertex v[3],
                            uint64_t *seed)
{
    unsigned max = rig->st.tex_format >> NV3_D3D_TEX_SIZE_MAX_SHIFT;
    int kind = rig_range(seed, 0, 7);
    /*
     * Half of the triangles are so small that the rasterizer uses its separate loops for
     * small triangles.
     */
    int size = kind < 4 ? 64 : kind < 7 ? 600 : rig_range(seed, 20, 16000);
    int cx = kind < 4 ? rig_range(seed, 0, WIDTH * 16) : WIDTH * 8;
    int cy = kind < 4 ? rig_range(seed, 0, HEIGHT * 16) : HEIGHT * 8;
    /*
     * Maximum magnitude of texture coordinates, in 1/16 of a texel: up to two repetitions
     * of the texture on each side of 0.
     */
    int tex = (32 << max) < 32767 ? 32 << max : 32767;
    bool perspective = rig_range(seed, 0, 1), fog = rig_range(seed, 0, 1);
    bool opaque = rig_range(seed, 0, 1);

    for (unsigned i = 0; i < 3; i++) {
        float w = perspective ? rig_range(seed, 64, 2048) / 64.0f : 1;

        v[i] = (NV3RasterVertex) {
            .x = rig_range(seed, -size, size) + cx,
            .y = rig_range(seed, -size, size) + cy,
            .u = rig_range(seed, -tex, tex),
            .v = rig_range(seed, -tex, tex),
            .z = rig_random(seed) & 0xffffff,
            .m = rig_rhw(1 / w),
            .r = rig_random(seed), .g = rig_random(seed),
            .b = rig_random(seed),
            .a = opaque ? 0x7f : rig_random(seed) & 0x7f,
            .fog = fog ? rig_random(seed) : 0,
        };
    }
}

static int clamp(double d, int max)
{
    return d < 0 ? 0 : d > max ? max : (int)d;
}

/* A range of possible values of a colour component, alpha or depth of the source. */
typedef struct Range {
    int lo, hi;
} Range;

static Range around(double ideal, double slack, int max)
{
    return (Range) {
        clamp(floor(ideal - slack), max), clamp(floor(ideal + slack), max),
    };
}

/*
 * Returns true if component @i of @got is correct for at least one value of the source's
 * component @i in the range @c. @s: the alpha and the depth of the source.
 */
static bool channel_ok(const RasterRig *rig, int x, int y, unsigned i, Range c,
                       RefSource s, RefTarget old, RefTarget got)
{
    uint16_t mask = i == 0 ? 0xfc00 : i == 1 ? 0x03e0 : 0x001f;

    for (int val = c.lo; val <= c.hi; val++) {
        RefTarget want;

        s.r = s.g = s.b = val;
        want = ref_rop(&rig->st, rig->st.zeta.base, x, y, s, old);
        if (want.zeta == got.zeta && !((want.color ^ got.color) & mask)) {
            return true;
        }
    }
    return false;
}

static bool pixel_ok(const RasterRig *rig, int x, int y, const RefIdeal *ideal,
                     RefTarget old, RefTarget got)
{
    Range a = around(ideal->alpha, ideal->slack[3] + 2, 255);
    Range z = around(ideal->z, 1, 65535), c[3];

    for (unsigned i = 0; i < 3; i++) {
        c[i] = around(ideal->rgb[i] * 8, ideal->slack[i] * 8 + 2, 255);
    }
    for (int alpha = a.lo; alpha <= a.hi; alpha++) {
        for (int depth = z.lo; depth <= z.hi; depth++) {
            RefSource s = { .a = alpha, .z = depth };

            if (channel_ok(rig, x, y, 0, c[0], s, old, got) &&
                channel_ok(rig, x, y, 1, c[1], s, old, got) &&
                channel_ok(rig, x, y, 2, c[2], s, old, got)) {
                return true;
            }
        }
    }
    return false;
}

static void check_pixel(const RefTriangle *t, RasterRig *rig, int x, int y,
                        RefTarget old, Tally *tally)
{
    RefTarget got = { rig_pixel(rig, x, y), rig_depth(rig, x, y) };
    RefIdeal ideal;

    if (t->culled || !ref_covers(t->v, x, y)) {
        if (got.color != old.color || got.zeta != old.zeta) {
            fail_msg("pixel %d, %d is outside and was drawn", x, y);
        }
        return;
    }
    tally->pixels++;
    ref_ideal(t, x, y, &ideal);
    if (ideal.tie || t->level_tie) {
        return;
    }
    tally->checked++;
    if (!pixel_ok(rig, x, y, &ideal, old, got)) {
        fail_msg("pixel %d, %d: colour %04x -> %04x, depth %04x -> %04x; "
                 "ideally %.2f %.2f %.2f (+- %.2f %.2f %.2f) alpha %.2f "
                 "(+- %.2f) depth %.2f; config %08x texture %08x alpha %03x",
                 x, y, old.color, got.color, old.zeta, got.zeta,
                 ideal.rgb[0], ideal.rgb[1], ideal.rgb[2], ideal.slack[0],
                 ideal.slack[1], ideal.slack[2], ideal.alpha, ideal.slack[3],
                 ideal.z, rig->st.config, rig->st.tex_format, rig->st.alpha);
    }
}

static void setup_rig(RasterRig *rig, NV3Simd simd, uint64_t *seed)
{
    rig_init(rig, WIDTH, HEIGHT);
    rig->st.simd = simd;
    for (unsigned i = 0; i < LEVELS; i++) {
        rig_texture_random(rig, i, seed);
    }
}

static void states_match(NV3Simd simd)
{
    static RefTarget old[HEIGHT][WIDTH];
    uint64_t seed = 11;
    Tally tally = { 0 };
    RasterRig rig;

    if (!nv3_simd_available(simd)) {
        skip();
    }
    setup_rig(&rig, simd, &seed);
    for (unsigned i = 0; i < rounds(2000); i++) {
        NV3RasterVertex v[3];
        RefTriangle t;

        random_state(&rig, &seed);
        random_triangle(&rig, v, &seed);
        for (int y = 0; y < HEIGHT; y++) {
            for (int x = 0; x < WIDTH; x++) {
                old[y][x] = (RefTarget) { rig_random(&seed) & 0x7fff,
                                          rig_random(&seed) };
                rig_set(&rig, x, y, old[y][x].color, old[y][x].zeta);
            }
        }
        rig_draw(&rig, v);
        ref_triangle(&t, &rig, v);
        for (int y = 0; y < HEIGHT; y++) {
            for (int x = 0; x < WIDTH; x++) {
                check_pixel(&t, &rig, x, y, old[y][x], &tally);
            }
        }
    }
    print_message("# %lu of %lu pixels checked\n", tally.checked,
                  tally.pixels);
    assert_true(tally.pixels > 100000);
    assert_true(tally.checked * 10 > tally.pixels * 8);
    rig_free(&rig);
}

RIG_EACH_ISA(test_states, states_match)

/*
 * Checks only coverage, for triangles whose size is from a few pixels to far more than
 * that of the surface.
 */
static void test_coverage(void **state)
{
    uint64_t seed = 12;
    unsigned long covered = 0;
    RasterRig rig;

    rig_init(&rig, WIDTH, HEIGHT);
    rig.st.zeta.base = NULL;
    for (unsigned i = 0; i < rounds(6000); i++) {
        int size = i % 3 == 0 ? 24 : i % 3 == 1 ? 500 : 30000;
        NV3RasterVertex v[3] = { 0 };
        uint32_t n = 0, drawn;

        for (unsigned j = 0; j < 3; j++) {
            v[j].x = rig_range(&seed, -size, size) + WIDTH * 8;
            v[j].y = rig_range(&seed, -size, size) + HEIGHT * 8;
            v[j].r = 255;
            if (i % 5 == 0) {
                /*
                 * Move the vertices to centres of pixels, so that edges also contain
                 * centres of pixels.
                 */
                v[j].x &= ~15;
                v[j].y &= ~15;
            }
        }
        rig_clear(&rig, 0, 0);
        drawn = rig_draw(&rig, v);
        for (int y = 0; y < HEIGHT; y++) {
            for (int x = 0; x < WIDTH; x++) {
                bool in = ref_covers(v, x, y);

                n += in;
                if (rig_pixel(&rig, x, y) != (in ? 0x7c00 : 0)) {
                    fail_msg("round %u, pixel %d, %d: %04x", i, x, y,
                             rig_pixel(&rig, x, y));
                }
            }
        }
        assert_int_equal(n, drawn);
        covered += n;
    }
    assert_true(covered > 100000);
    rig_free(&rig);
}

/*
 * If a fan of triangles covers a rectangle, each of the rectangle's pixels must be drawn
 * exactly once.
 */
static void test_shared_edges(void **state)
{
    uint64_t seed = 13;
    RasterRig rig;

    rig_init(&rig, WIDTH, HEIGHT);
    rig.st.zeta.base = NULL;
    rig.st.config |= NV3_D3D_CONFIG_ROP_ADD;
    rig_texture_flat(&rig, 0, 1 << 10 | 1 << 5 | 1);
    for (unsigned i = 0; i < rounds(300); i++) {
        NV3RasterVertex rim[8] = {
            { .x = 0, .y = 0 }, { .x = 300, .y = 0 },
            { .x = WIDTH * 16, .y = 0 }, { .x = WIDTH * 16, .y = 333 },
            { .x = WIDTH * 16, .y = HEIGHT * 16 },
            { .x = 500, .y = HEIGHT * 16 }, { .x = 0, .y = HEIGHT * 16 },
            { .x = 0, .y = 200 },
        };
        NV3RasterVertex centre = {
            .x = rig_range(&seed, 1, WIDTH * 16 - 1),
            .y = rig_range(&seed, 1, HEIGHT * 16 - 1),
        };

        rig_clear(&rig, 0, 0);
        for (unsigned j = 0; j < 8; j++) {
            NV3RasterVertex v[3] = { centre, rim[j], rim[(j + 1) % 8] };

            for (unsigned k = 0; k < 3; k++) {
                v[k].r = v[k].g = v[k].b = 255;
            }
            rig_draw(&rig, v);
        }
        for (int y = 0; y < HEIGHT; y++) {
            for (int x = 0; x < WIDTH; x++) {
                assert_int_equal(rig_pixel(&rig, x, y), 0x0421);
            }
        }
    }
    rig_free(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_coverage),
        cmocka_unit_test(test_shared_edges),
        cmocka_unit_test(test_states_scalar),
        cmocka_unit_test(test_states_neon),
        cmocka_unit_test(test_states_avx2),
        cmocka_unit_test(test_states_avx512),
        cmocka_unit_test(test_states_avx512vbmi2),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
