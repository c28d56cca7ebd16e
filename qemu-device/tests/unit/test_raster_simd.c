/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The SIMD span loops must draw exactly the same pixels as the scalar loops, and a
 * triangle that is drawn in pieces must have the same pixels as one that is drawn as a
 * whole. The states are random, and some states are invalid. Surfaces have no spare
 * memory before their first pixel or after their last pixel.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "nv3_class.h"
#include "raster_rig.h"

#define WIDTH   117
#define HEIGHT  61

/* NV3_TEST_ROUNDS multiplies the number of rounds. */
static unsigned rounds(unsigned n)
{
    const char *env = getenv("NV3_TEST_ROUNDS");

    return env ? n * (unsigned)strtoul(env, NULL, 0) : n;
}

static void random_state(RasterRig *rig, uint64_t *seed)
{
    unsigned max = rig_range(seed, 0, 6), min = rig_range(seed, 0, max);

    /*
     * Three quarters of the states use only modes that drivers use. The other values are
     * arbitrary.
     */
    rig->st.config = rig_random(seed);
    if (rig_range(seed, 0, 3)) {
        rig->st.config &= 0xf77fbdf3;
    }
    if (rig_range(seed, 0, 1)) {
        rig->st.config &= ~(7u << NV3_D3D_CONFIG_COLOR_WRITE_SHIFT);
        rig->st.config |= rig_range(seed, 1, 4) <<
                          NV3_D3D_CONFIG_COLOR_WRITE_SHIFT;
    }
    if (rig_range(seed, 0, 3) == 0) {
        rig->st.config &= ~0xfu;
        rig->st.config |= NV3_D3D_INTERP_FOH_CENTER;
    }
    rig->st.alpha = rig_range(seed, 0, 1) ? NV3_D3D_CMP_ALWAYS << 8 :
                                            rig_random(seed) & 0xfff;
    rig->st.tex_filter = rig_random(seed) & 0xff1f1f;
    rig->st.fog_color = rig_random(seed) & 0xffffff;
    rig->st.dither = rig_range(seed, 0, 1);
    rig_format(rig, rig_range(seed, 0, 3), min, max);
    if (rig_range(seed, 0, 3) == 0) {
        /* Use the value of a texel as the colour key. */
        rig->st.tex_format |= NV3_D3D_TEX_KEY_ENABLE | rig_texel(rig, max, 0);
    }
    rig->st.zeta.base = rig_range(seed, 0, 3) ? (uint8_t *)rig->zeta : NULL;
    rig->st.color.base = rig_range(seed, 0, 9) ? (uint8_t *)rig->color : NULL;
}

static uint32_t random_rhw(uint64_t *seed, int kind)
{
    switch (kind) {
    case 0:
        return rig_rhw(1.0f);
    case 1:
        return rig_random(seed) & 0x1ffffff;
    default:
        return rig_rhw(1.0f / (1 + (rig_random(seed) & 0xffff) / 1024.0f));
    }
}

static void random_triangle(NV3RasterVertex v[3], uint64_t *seed)
{
    int kind = rig_range(seed, 0, 9), rhw = rig_range(seed, 0, 3);
    bool flat = rig_range(seed, 0, 3) == 0, fog = rig_range(seed, 0, 2) == 0;
    int size = kind == 0 ? 32767 : kind == 2 ? 4000 :
               kind == 1 || kind >= 8 ? 64 : 800;
    int cx = rig_range(seed, -20 * 16, (WIDTH + 20) * 16);
    int cy = rig_range(seed, -20 * 16, (HEIGHT + 20) * 16);

    for (unsigned i = 0; i < 3; i++) {
        int x = cx + rig_range(seed, -size, size);
        int y = cy + rig_range(seed, -size, size);

        v[i] = (NV3RasterVertex) {
            .x = x < -32768 ? -32768 : x > 32767 ? 32767 : x,
            .y = y < -32768 ? -32768 : y > 32767 ? 32767 : y,
            .u = rig_random(seed),
            .v = rig_random(seed) >> (kind == 3 ? 52 : 48),
            .z = rig_random(seed) & 0xffffff,
            .m = random_rhw(seed, rhw),
            .r = rig_random(seed),
            .g = rig_random(seed),
            .b = rig_random(seed),
            .a = flat ? 0x7f : rig_random(seed) & 0x7f,
            .fog = fog ? rig_random(seed) : 0,
        };
    }
    if (kind == 4) {
        /* A sliver: the third vertex is close to the line through the other two. */
        v[2].x = (v[0].x + v[1].x) / 2 + rig_range(seed, -1, 1);
        v[2].y = (v[0].y + v[1].y) / 2 + rig_range(seed, -1, 1);
    }
}

static void fill_surfaces(RasterRig *rig, uint64_t seed)
{
    for (size_t i = 0; i < rig->st.color.size / 2; i++) {
        nv3_stw(&rig->color[i], rig_random(&seed));
        nv3_stw(&rig->zeta[i], rig_random(&seed));
    }
}

typedef struct Pair {
    RasterRig a, b;
} Pair;

static void pair_init(Pair *p, uint64_t *seed)
{
    rig_init(&p->a, WIDTH, HEIGHT);
    rig_init(&p->b, WIDTH, HEIGHT);
    for (unsigned i = 0; i <= 6; i++) {
        uint64_t same = *seed + i;

        rig_texture_random(&p->a, i, &same);
        same = *seed + i;
        rig_texture_random(&p->b, i, &same);
    }
}

static void pair_free(Pair *p)
{
    rig_free(&p->a);
    rig_free(&p->b);
}

static void pair_state(Pair *p, uint64_t *seed)
{
    uint64_t same = *seed;

    random_state(&p->a, &same);
    random_state(&p->b, seed);
    fill_surfaces(&p->a, *seed);
    fill_surfaces(&p->b, *seed);
}

static void assert_same(const Pair *p, unsigned round)
{
    if (memcmp(p->a.color, p->b.color, p->a.st.color.size) ||
        memcmp(p->a.zeta, p->b.zeta, p->a.st.zeta.size)) {
        size_t i = 0;

        while (p->a.color[i] == p->b.color[i] &&
               p->a.zeta[i] == p->b.zeta[i]) {
            i++;
        }
        fail_msg("round %u: pixel %zu, %zu: colour %04x and %04x, depth %04x "
                 "and %04x (config %08x, texture %08x, alpha %03x)", round,
                 i % (p->a.st.color.pitch / 2), i / (p->a.st.color.pitch / 2),
                 p->a.color[i], p->b.color[i], p->a.zeta[i], p->b.zeta[i],
                 p->a.st.config, p->a.st.tex_format, p->a.st.alpha);
    }
}

static void simd_is_scalar(NV3Simd simd)
{
    uint64_t seed = simd, drawn = 0;
    Pair p;

    if (!nv3_simd_available(simd)) {
        skip();
    }
    pair_init(&p, &seed);
    p.a.st.simd = NV3_SIMD_SCALAR;
    p.b.st.simd = simd;
    for (unsigned i = 0; i < rounds(4000); i++) {
        pair_state(&p, &seed);
        for (unsigned j = 0; j < 4; j++) {
            NV3RasterVertex v[3];
            uint32_t n;

            random_triangle(v, &seed);
            n = rig_draw(&p.a, v);
            assert_int_equal(n, rig_draw(&p.b, v));
            drawn += n;
        }
        assert_same(&p, i);
    }
    /* Fail if most of the random triangles were invisible. */
    assert_true(drawn > 1000 * 1000);
    pair_free(&p);
}

static void test_neon_is_scalar(void **state)
{
    simd_is_scalar(NV3_SIMD_NEON);
}

static void test_avx2_is_scalar(void **state)
{
    simd_is_scalar(NV3_SIMD_AVX2);
}

static void test_avx512_is_scalar(void **state)
{
    simd_is_scalar(NV3_SIMD_AVX512);
}

static void test_avx512vbmi2_is_scalar(void **state)
{
    simd_is_scalar(NV3_SIMD_AVX512_VBMI2);
}

/*
 * Divides [0, WIDTH) x [0, HEIGHT) into random rectangles, and draws the part of the
 * triangle in each rectangle. Returns the number of drawn pixels.
 */
static uint32_t draw_in_pieces(const NV3RasterState *st,
                               const NV3RasterTri *tri, uint64_t *seed)
{
    int x[5] = { 0, 0, 0, 0, WIDTH }, y[4] = { 0, 0, 0, HEIGHT };
    uint32_t pixels = 0;

    for (unsigned i = 1; i < 4; i++) {
        x[i] = rig_range(seed, x[i - 1], WIDTH);
    }
    for (unsigned i = 1; i < 3; i++) {
        y[i] = rig_range(seed, y[i - 1], HEIGHT);
    }
    for (unsigned i = 12; i-- > 0;) {
        const NV3Rect r = { x[i % 4], y[i / 4], x[i % 4 + 1], y[i / 4 + 1] };

        pixels += nv3_raster_draw(st, tri, &r);
    }
    return pixels;
}

static void pieces_are_whole(NV3Simd simd)
{
    uint64_t seed = 2;
    Pair p;

    if (!nv3_simd_available(simd)) {
        skip();
    }
    pair_init(&p, &seed);
    p.a.st.simd = simd;
    p.b.st.simd = simd;
    for (unsigned i = 0; i < rounds(3000); i++) {
        NV3RasterVertex v[3];
        NV3RasterTri tri;
        uint32_t n;

        pair_state(&p, &seed);
        random_triangle(v, &seed);
        n = rig_draw(&p.a, v);
        nv3_raster_prepare(&p.b.st);
        if (nv3_raster_setup(&p.b.st, &v[0], &v[1], &v[2], &tri)) {
            assert_int_equal(n, draw_in_pieces(&p.b.st, &tri, &seed));
        } else {
            assert_int_equal(n, 0);
        }
        assert_same(&p, i);
    }
    pair_free(&p);
}

RIG_EACH_ISA(test_pieces, pieces_are_whole)

/* Tests surfaces that are smaller than the clip rectangle. */
static void short_surface(NV3Simd simd)
{
    uint64_t seed = 3;
    Pair p;

    if (!nv3_simd_available(simd)) {
        skip();
    }
    pair_init(&p, &seed);
    p.b.st.simd = simd;
    for (unsigned i = 0; i < rounds(2000); i++) {
        NV3RasterVertex v[3];
        size_t size = rig_range(&seed, 0, WIDTH * HEIGHT * 2);
        uint16_t *color = malloc(size + 1), *zeta = malloc(size + 1);

        pair_state(&p, &seed);
        memset(color, 0x55, size);
        memset(zeta, 0x55, size);
        p.b.st.color = (NV3RasterSurface) {
            (uint8_t *)color, size, rig_range(&seed, 0, 32) * 16,
        };
        p.b.st.zeta = (NV3RasterSurface) {
            (uint8_t *)zeta, size, rig_range(&seed, 0, 32) * 16,
        };
        random_triangle(v, &seed);
        rig_draw(&p.b, v);
        free(color);
        free(zeta);
    }
    pair_free(&p);
}

RIG_EACH_ISA(test_short_surface, short_surface)

/*
 * Each SIMD level must have a name. If the host lacks a level, nv3_simd_select() must
 * return a lower level instead.
 */
static void test_names(void **state)
{
    for (NV3Simd i = NV3_SIMD_AUTO; i < NV3_SIMD_COUNT; i++) {
        NV3Simd found = NV3_SIMD_COUNT, used = nv3_simd_select(i);

        assert_true(nv3_simd_by_name(nv3_simd_name(i), &found));
        assert_int_equal(found, i);
        assert_true(used != NV3_SIMD_AUTO && nv3_simd_available(used));
        if (i != NV3_SIMD_AUTO) {
            assert_true(used <= i);
            assert_int_equal(used == i, nv3_simd_available(i));
        }
    }
    assert_false(nv3_simd_by_name("avx", &(NV3Simd) { 0 }));
    assert_false(nv3_simd_by_name("", &(NV3Simd) { 0 }));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_neon_is_scalar),
        cmocka_unit_test(test_avx2_is_scalar),
        cmocka_unit_test(test_avx512_is_scalar),
        cmocka_unit_test(test_avx512vbmi2_is_scalar),
        cmocka_unit_test(test_pieces_scalar),
        cmocka_unit_test(test_pieces_neon),
        cmocka_unit_test(test_pieces_avx2),
        cmocka_unit_test(test_pieces_avx512),
        cmocka_unit_test(test_pieces_avx512vbmi2),
        cmocka_unit_test(test_short_surface_scalar),
        cmocka_unit_test(test_short_surface_neon),
        cmocka_unit_test(test_short_surface_avx2),
        cmocka_unit_test(test_short_surface_avx512),
        cmocka_unit_test(test_short_surface_avx512vbmi2),
        cmocka_unit_test(test_names),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
