/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tests each kind of state of the rasterizer separately. The expected values have been
 * computed by hand, or ref_rop() computes them with hwtest's arithmetic. Each test runs
 * with the scalar loops and with the SIMD loops.
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

#define SIZE    48

static const NV3Simd isas[] = { NV3_SIMD_SCALAR, NV3_SIMD_AUTO };

#define FOR_EACH_ISA(rig) \
    for (unsigned isa_ = 0; isa_ < 2; isa_++) \
        for (rig_init(rig, SIZE, SIZE), (rig)->st.simd = isas[isa_], \
             (rig)->st.zeta.base = NULL; (rig)->color; \
             rig_free(rig), (rig)->color = NULL)

static void set_field(uint32_t *reg, unsigned shift, uint32_t mask,
                      uint32_t val)
{
    *reg = (*reg & ~(mask << shift)) | val << shift;
}

static void set_source(RasterRig *rig, unsigned source)
{
    set_field(&rig->st.config, NV3_D3D_CONFIG_SOURCE_SHIFT, 3, source);
}

static void set_interp(RasterRig *rig, unsigned interp)
{
    set_field(&rig->st.config, 0, 3, interp);
}

static void set_write(RasterRig *rig, unsigned color, unsigned zeta)
{
    set_field(&rig->st.config, NV3_D3D_CONFIG_COLOR_WRITE_SHIFT, 7, color);
    set_field(&rig->st.config, NV3_D3D_CONFIG_Z_WRITE_SHIFT, 7, zeta);
}

/* Draws a square that is larger than the surface, as two triangles. */
static void draw_square(RasterRig *rig, const NV3RasterVertex corner[4])
{
    const NV3RasterVertex a[3] = { corner[0], corner[1], corner[2] };
    const NV3RasterVertex b[3] = { corner[2], corner[1], corner[3] };

    rig_draw(rig, a);
    rig_draw(rig, b);
}

/*
 * Fills the whole surface with the source @s. The fog colour is that of @s, and the
 * vertices have a fog factor of 255, so the source colour of each pixel is the fog
 * colour.
 */
static void draw_flat(RasterRig *rig, RefSource s)
{
    NV3RasterVertex v[4];

    for (unsigned i = 0; i < 4; i++) {
        v[i] = (NV3RasterVertex) {
            .x = i & 1 ? SIZE * 16 : -16, .y = i & 2 ? SIZE * 16 : -16,
            .z = (uint32_t)s.z << 8 | 0x80, .m = rig_rhw(1), .a = s.a >> 1,
            .r = 255, .g = 255, .b = 255, .fog = 255,
        };
    }
    rig->st.fog_color = s.r << 16 | s.g << 8 | s.b;
    draw_square(rig, v);
}

/*
 * Converts a 7-bit alpha to an 8-bit source alpha, by repeating the top bit as the lowest
 * bit.
 */
static uint8_t alpha7(unsigned a)
{
    return a << 1 | a >> 6;
}

static void use_vertex_alpha(RasterRig *rig)
{
    set_source(rig, NV3_D3D_SOURCE_NORMAL);
    rig->st.config |= NV3_D3D_CONFIG_ALPHA;
}

static void expect_rop(RasterRig *rig, RefSource s, RefTarget old)
{
    bool zeta = rig->st.zeta.base;

    rig_clear(rig, old.color, old.zeta);
    draw_flat(rig, s);
    for (unsigned y = 0; y < SIZE; y++) {
        for (unsigned x = 0; x < SIZE; x++) {
            RefTarget want = ref_rop(&rig->st, zeta, x, y, s, old);

            if (rig_pixel(rig, x, y) != want.color ||
                rig_depth(rig, x, y) != want.zeta) {
                fail_msg("%u, %u: %02x %02x %02x %02x at %04x on %04x, %04x "
                         "made %04x, %04x, not %04x, %04x", x, y, s.r, s.g,
                         s.b, s.a, s.z, old.color, old.zeta,
                         rig_pixel(rig, x, y), rig_depth(rig, x, y),
                         want.color, want.zeta);
            }
        }
    }
}

static void test_dither(void **state)
{
    RasterRig rig;

    FOR_EACH_ISA(&rig) {
        for (unsigned c = 0; c < 256; c++) {
            RefSource s = { c, (c + 3) & 255, (c + 5) & 255, 255, 0 };

            rig.st.dither = true;
            expect_rop(&rig, s, (RefTarget) { 0x1234, 0 });
            rig.st.dither = false;
            expect_rop(&rig, s, (RefTarget) { 0x1234, 0 });
        }
    }
}

static void test_blend_modes(void **state)
{
    uint64_t seed = 21;
    RasterRig rig;

    FOR_EACH_ISA(&rig) {
        use_vertex_alpha(&rig);
        for (unsigned mode = 0; mode < 16; mode++) {
            set_field(&rig.st.config, 28, 0xf, mode);
            for (unsigned a = 0; a < 128; a++) {
                RefSource s = { .r = rig_random(&seed),
                                .g = rig_random(&seed),
                                .b = rig_random(&seed), .a = alpha7(a) };

                rig.st.dither = a & 1;
                expect_rop(&rig, s,
                           (RefTarget) { rig_random(&seed) & 0x7fff, 0 });
            }
        }
    }
}

static void test_alpha_test(void **state)
{
    RasterRig rig;

    FOR_EACH_ISA(&rig) {
        use_vertex_alpha(&rig);
        for (unsigned func = 0; func < 16; func++) {
            for (unsigned ref = 0; ref < 256; ref += 15) {
                for (int a = -1; a < 2; a++) {
                    unsigned v = (ref >> 1) + a;
                    RefSource s = { 200, 100, 50, 0, 0 };

                    if (v < 128) {
                        s.a = alpha7(v);
                        rig.st.alpha = func << 8 | ref;
                        expect_rop(&rig, s, (RefTarget) { 0x0f0f, 0 });
                    }
                }
            }
        }
        /* With the source mode ALPHA_ONE, the source alpha is always 1. */
        set_source(&rig, NV3_D3D_SOURCE_ALPHA_ONE);
        for (unsigned func = 0; func < 16; func++) {
            rig.st.alpha = func << 8 | 0xff;
            expect_rop(&rig, (RefSource) { 9, 99, 199, 255, 0 },
                       (RefTarget) { 0x0f0f, 0 });
            rig.st.alpha = func << 8 | 0x7f;
            expect_rop(&rig, (RefSource) { 9, 99, 199, 255, 0 },
                       (RefTarget) { 0x0f0f, 0 });
        }
    }
}

static void test_depth_and_write_enables(void **state)
{
    static const uint16_t depths[] = { 0, 1, 0x7fff, 0x8000, 0xfffe, 0xffff };
    static const uint8_t alphas[] = { 0, 3, 4, 5, 8, 9, 127 };
    RasterRig rig;

    FOR_EACH_ISA(&rig) {
        rig.st.zeta.base = (uint8_t *)rig.zeta;
        use_vertex_alpha(&rig);
        for (unsigned i = 0; i < 16 * 64 * 6; i++) {
            unsigned func = i % 16, modes = i / 16 % 64, z = i / 16 / 64;
            RefSource s = { 10, 20, 30, alpha7(alphas[i % 7]), depths[z] };

            set_field(&rig.st.config, NV3_D3D_CONFIG_Z_FUNC_SHIFT, 0xf, func);
            set_write(&rig, modes & 7, modes >> 3);
            expect_rop(&rig, s, (RefTarget) { 0x5555, depths[(i + 1) % 6] });
            expect_rop(&rig, s, (RefTarget) { 0x5555, depths[z] });
        }
    }
}

/*
 * If there is no zeta surface, all pixels must pass the depth test. If there is no colour
 * surface, the rasterizer must not write colours.
 */
static void test_missing_surfaces(void **state)
{
    RasterRig rig;

    FOR_EACH_ISA(&rig) {
        set_field(&rig.st.config, NV3_D3D_CONFIG_Z_FUNC_SHIFT, 0xf,
                  NV3_D3D_CMP_NEVER);
        expect_rop(&rig, (RefSource) { 1, 2, 3, 255, 7 },
                   (RefTarget) { 0x1111, 0x2222 });
        assert_int_not_equal(rig_pixel(&rig, 1, 1), 0x1111);
        rig.st.zeta.base = (uint8_t *)rig.zeta;
        rig.st.color.base = NULL;
        set_field(&rig.st.config, NV3_D3D_CONFIG_Z_FUNC_SHIFT, 0xf,
                  NV3_D3D_CMP_ALWAYS);
        rig_clear(&rig, 0x1111, 0x2222);
        draw_flat(&rig, (RefSource) { 1, 2, 3, 255, 0x77 });
        assert_int_equal(rig_pixel(&rig, 1, 1), 0x1111);
        assert_int_equal(rig_depth(&rig, 1, 1), 0x77);
    }
}

/*
 * The centres of pixels have whole coordinates. A centre on a top or left edge is inside
 * the triangle.
 */
static void test_fill_rule(void **state)
{
    static const struct {
        NV3RasterVertex v[3];
        uint32_t pixels;
    } cases[] = {
        /*
         * Each edge passes through pixel centres. Pixels on the top and left edges are
         * drawn, and pixels on the slanted edge are not.
         */
        { { { .x = 64, .y = 64 }, { .x = 128, .y = 64 },
            { .x = 64, .y = 128 } }, 4 + 3 + 2 + 1 },
        /*
         * The first triangle, moved down by 1/16 pixel, loses its first line and gains a
         * line at the bottom.
         */
        { { { .x = 64, .y = 65 }, { .x = 128, .y = 65 },
            { .x = 64, .y = 129 } }, 4 + 3 + 2 + 1 },
        /* The first triangle, moved left by 1/16 pixel, covers the same pixels. */
        { { { .x = 63, .y = 64 }, { .x = 127, .y = 64 },
            { .x = 63, .y = 128 } }, 4 + 3 + 2 + 1 },
        /*
         * The first triangle, moved right by 1/16 pixel, loses its first column and gains
         * a column on the right.
         */
        { { { .x = 65, .y = 64 }, { .x = 129, .y = 64 },
            { .x = 65, .y = 128 } }, 4 + 3 + 2 + 1 },
        /*
         * A triangle that is 1/16 pixel larger contains the pixels on the slanted edge.
         */
        { { { .x = 64, .y = 64 }, { .x = 129, .y = 64 },
            { .x = 64, .y = 129 } }, 5 + 4 + 3 + 2 + 1 },
        /* The triangle covers no pixel centre. */
        { { { .x = 65, .y = 65 }, { .x = 79, .y = 65 },
            { .x = 65, .y = 79 } }, 0 },
    };
    RasterRig rig;

    FOR_EACH_ISA(&rig) {
        for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
            rig_clear(&rig, 0, 0);
            assert_int_equal(rig_draw(&rig, cases[i].v), cases[i].pixels);
        }
        rig_clear(&rig, 0xffff, 0);
        rig_draw(&rig, cases[0].v);
        assert_int_equal(rig_pixel(&rig, 4, 4), 0);
        assert_int_equal(rig_pixel(&rig, 8, 4), 0xffff);
        assert_int_equal(rig_pixel(&rig, 4, 8), 0xffff);
        assert_int_equal(rig_pixel(&rig, 7, 4), 0);
        assert_int_equal(rig_pixel(&rig, 3, 4), 0xffff);
    }
}

static void test_culling(void **state)
{
    const NV3RasterVertex cw[3] = {
        { .x = 0, .y = 0 }, { .x = 160, .y = 0 }, { .x = 0, .y = 160 },
    };
    const NV3RasterVertex ccw[3] = { cw[0], cw[2], cw[1] };
    RasterRig rig;

    FOR_EACH_ISA(&rig) {
        for (unsigned cull = 0; cull < 4; cull++) {
            set_field(&rig.st.config, NV3_D3D_CONFIG_CULL_SHIFT, 3, cull);
            assert_int_equal(rig_draw(&rig, cw),
                             cull == NV3_D3D_CULL_CW ? 0 : 55);
            assert_int_equal(rig_draw(&rig, ccw),
                             cull == NV3_D3D_CULL_CCW ? 0 : 55);
        }
    }
}

/* Sets an X1R5G5B5 texture whose texel x, y is 32 * y + x. */
static void identity_texture(RasterRig *rig, unsigned log2)
{
    uint16_t linear[64 * 64];

    for (unsigned i = 0; i < 1u << (2 * log2); i++) {
        unsigned x = i & ((1u << log2) - 1), y = i >> log2;

        linear[i] = y << 5 | x;
    }
    rig_texture_linear(rig, log2, linear);
}

static void draw_texture(RasterRig *rig, int u, int v, int scale)
{
    NV3RasterVertex corner[4];

    for (unsigned i = 0; i < 4; i++) {
        corner[i] = (NV3RasterVertex) {
            .x = i & 1 ? SIZE * 16 : 0, .y = i & 2 ? SIZE * 16 : 0,
            .u = u + (i & 1 ? SIZE * scale : 0),
            .v = v + (i & 2 ? SIZE * scale : 0),
            .m = rig_rhw(1), .a = 127, .r = 255, .g = 255, .b = 255,
        };
    }
    draw_square(rig, corner);
}

static unsigned wrapped(unsigned mode, int i, int n)
{
    int turn;

    if (mode == NV3_D3D_WRAP_CLAMP) {
        return i < 0 ? 0 : i >= n ? n - 1 : i;
    }
    turn = ((i % (2 * n)) + 2 * n) % (2 * n);
    if (mode == NV3_D3D_WRAP_MIRROR) {
        return turn < n ? turn : 2 * n - 1 - turn;
    }
    return turn % n;
}

static void test_wrap_modes(void **state)
{
    RasterRig rig;

    FOR_EACH_ISA(&rig) {
        identity_texture(&rig, 3);
        rig_format(&rig, NV3_D3D_TEX_X1R5G5B5, 3, 3);
        for (unsigned i = 0; i < 16 * 3; i++) {
            unsigned wu = i & 3, wv = i >> 2 & 3, interp = i >> 4;

            /*
             * Skip cylindrical wrapping: because the square spans more than half of the
             * texture, it would interpolate in the opposite direction.
             */
            if (wu == NV3_D3D_WRAP_CYLINDRICAL ||
                wv == NV3_D3D_WRAP_CYLINDRICAL) {
                continue;
            }
            set_field(&rig.st.config, NV3_D3D_CONFIG_WRAP_U_SHIFT, 3, wu);
            set_field(&rig.st.config, NV3_D3D_CONFIG_WRAP_V_SHIFT, 3, wv);
            set_interp(&rig, interp);
            draw_texture(&rig, -20 * 16, -21 * 16, 16);
            for (int y = 0; y < SIZE; y++) {
                for (int x = 0; x < SIZE; x++) {
                    assert_int_equal(rig_pixel(&rig, x, y),
                                     wrapped(wv, y - 21, 8) << 5 |
                                     wrapped(wu, x - 20, 8));
                }
            }
        }
    }
}

/*
 * Cylindrical wrapping interpolates along the shorter way around the texture. From 7/8 to
 * 1/8 of the texture, this way crosses 0.
 */
static void test_cylinder(void **state)
{
    NV3RasterVertex v[3] = {
        { .x = 0, .y = 0, .u = 14 * 8 }, { .x = 32 * 16, .y = 0, .u = 2 * 8 },
        { .x = 0, .y = 32 * 16, .u = 14 * 8 },
    };
    RasterRig rig;

    FOR_EACH_ISA(&rig) {
        identity_texture(&rig, 3);
        rig_format(&rig, NV3_D3D_TEX_X1R5G5B5, 3, 3);
        set_interp(&rig, NV3_D3D_INTERP_ZOH_CORNER);
        for (unsigned i = 0; i < 3; i++) {
            v[i].r = v[i].g = v[i].b = 255;
        }
        set_field(&rig.st.config, NV3_D3D_CONFIG_WRAP_U_SHIFT, 3,
                  NV3_D3D_WRAP_CYLINDRICAL);
        rig_draw(&rig, v);
        assert_int_equal(rig_pixel(&rig, 1, 0), 7);
        assert_int_equal(rig_pixel(&rig, 15, 0), 7);
        assert_int_equal(rig_pixel(&rig, 17, 0), 0);
        assert_int_equal(rig_pixel(&rig, 31, 0), 0);
        set_field(&rig.st.config, NV3_D3D_CONFIG_WRAP_U_SHIFT, 3,
                  NV3_D3D_WRAP_WRAP);
        rig_draw(&rig, v);
        assert_int_equal(rig_pixel(&rig, 16, 0), 4);
    }
}

/* Tests the three interpolators at texture coordinates of 3.25, 3.5 and 3.75 texels. */
static void test_interpolators(void **state)
{
    static const uint16_t want[3][3] = {
        [NV3_D3D_INTERP_ZOH_CORNER] = { 12, 12, 12 },
        [NV3_D3D_INTERP_ZOH_CENTER] = { 12, 16, 16 },
        [NV3_D3D_INTERP_FOH_CENTER] = { 13, 14, 15 },
    };
    uint16_t linear[64];
    RasterRig rig;

    for (unsigned i = 0; i < 64; i++) {
        /*
         * Neighbouring texels differ by 4, so that interpolation in steps of 1/4 of a
         * texel changes the result.
         */
        linear[i] = (i & 7) * 4;
    }
    FOR_EACH_ISA(&rig) {
        rig_texture_linear(&rig, 3, linear);
        rig_format(&rig, NV3_D3D_TEX_X1R5G5B5, 3, 3);
        for (unsigned interp = 0; interp < 3; interp++) {
            set_interp(&rig, interp);
            for (unsigned i = 0; i < 3; i++) {
                draw_texture(&rig, 3 * 16 + 4 + i * 4, 0, 16);
                assert_int_equal(rig_pixel(&rig, 0, 0), want[interp][i]);
            }
        }
    }
}

static uint16_t draw_texel(RasterRig *rig, unsigned format, uint16_t texel,
                           uint16_t old)
{
    rig->st.tex_format &= NV3_D3D_TEX_KEY_ENABLE | 0xffff;
    rig->st.tex_format |= format << NV3_D3D_TEX_FORMAT_SHIFT;
    rig_texture_flat(rig, 0, texel);
    rig_clear(rig, old, 0);
    draw_texture(rig, 0, 0, 16);
    return rig_pixel(rig, 5, 5);
}

static void test_texture_formats(void **state)
{
    RasterRig rig;

    FOR_EACH_ISA(&rig) {
        for (unsigned interp = 0; interp < 3; interp++) {
            set_interp(&rig, interp);
            set_source(&rig, NV3_D3D_SOURCE_NORMAL);
            for (unsigned t = 0; t < 0x10000; t += 0x101) {
                unsigned r = t >> 11, g = t >> 6 & 31, b = t & 31;

                assert_int_equal(draw_texel(&rig, NV3_D3D_TEX_X1R5G5B5, t, 0),
                                 t & 0x7fff);
                assert_int_equal(draw_texel(&rig, NV3_D3D_TEX_A1R5G5B5, t,
                                            0x2a2a),
                                 t & 0x8000 ? t & 0x7fff : 0x2a2a);
                assert_int_equal(draw_texel(&rig, NV3_D3D_TEX_R5G6B5, t, 0),
                                 r << 10 | g << 5 | b);
            }
            /*
             * The blend factor is the texel's 4-bit alpha. The rasterizer expands the
             * colour components to 8 bits.
             */
            set_source(&rig, NV3_D3D_SOURCE_ALPHA_ONE);
            assert_int_equal(draw_texel(&rig, NV3_D3D_TEX_A4R4G4B4, 0x0f84, 0),
                             31 << 10 | 17 << 5 | 8);
            set_source(&rig, NV3_D3D_SOURCE_NORMAL);
            for (unsigned a = 0; a < 16; a++) {
                unsigned f = ref_dither(a * 17, 5, 5, false) >> 1;

                f += f == 15;
                assert_int_equal(draw_texel(&rig, NV3_D3D_TEX_A4R4G4B4,
                                            a << 12 | 0xfff, 0),
                                 (31 * f / 16) * 0x421);
            }
        }
    }
}

static void test_color_key(void **state)
{
    RasterRig rig;

    FOR_EACH_ISA(&rig) {
        for (unsigned interp = 0; interp < 3; interp++) {
            set_interp(&rig, interp);
            set_source(&rig, NV3_D3D_SOURCE_NORMAL);
            rig.st.tex_format = NV3_D3D_TEX_KEY_ENABLE | 0xf81f;
            for (unsigned f = 0; f < 4; f++) {
                rig.st.tex_format = NV3_D3D_TEX_KEY_ENABLE | 0xf81f;
                assert_int_equal(draw_texel(&rig, f, 0xf81f, 0x1357), 0x1357);
                rig.st.tex_format = NV3_D3D_TEX_KEY_ENABLE | 0xf81f;
                assert_int_not_equal(draw_texel(&rig, f, 0xf81e, 0x1357),
                                     0x1357);
                rig.st.tex_format = 0xf81f;
                assert_int_not_equal(draw_texel(&rig, f, 0xf81f, 0x1357),
                                     0x1357);
            }
            /* The rasterizer must not compare the unused bit of X1R5G5B5 with the key. */
            rig.st.tex_format = NV3_D3D_TEX_KEY_ENABLE | 0xf81f;
            assert_int_equal(draw_texel(&rig, NV3_D3D_TEX_X1R5G5B5, 0x781f,
                                        0x1357), 0x1357);
        }
    }
}

/*
 * A source mode inverts the colour, inverts alpha, sets alpha to 255, or changes nothing.
 */
static void test_source_modes(void **state)
{
    RasterRig rig;

    FOR_EACH_ISA(&rig) {
        const RefSource s = { 0x50, 0xa0, 0xf8, alpha7(0x20), 0 };
        const RefSource inverse = { 0xaf, 0x5f, 0x07, 255 - s.a, 0 };
        RefSource want;

        for (unsigned source = 0; source < 4; source++) {
            use_vertex_alpha(&rig);
            set_source(&rig, source);
            rig_clear(&rig, 0x3def, 0);
            draw_flat(&rig, s);
            want = source == NV3_D3D_SOURCE_COLOR_INVERSE ? inverse : s;
            if (source == NV3_D3D_SOURCE_ALPHA_INVERSE) {
                want.a = inverse.a;
            } else if (source == NV3_D3D_SOURCE_ALPHA_ONE) {
                want.a = 255;
            }
            assert_int_equal(rig_pixel(&rig, 9, 9),
                             ref_rop(&rig.st, false, 9, 9, want,
                                     (RefTarget) { 0x3def, 0 }).color);
        }
    }
}

/*
 * Halfway on the screen between vertices with w = 1 and w = 3, the texture coordinate
 * must have covered a quarter of its range.
 */
static void test_perspective(void **state)
{
    NV3RasterVertex v[3] = {
        { .x = 0, .y = 0 }, { .x = 32 * 16, .y = 0, .u = 32 * 16 },
        { .x = 0, .y = 32 * 16 },
    };
    RasterRig rig;

    FOR_EACH_ISA(&rig) {
        identity_texture(&rig, 5);
        rig_format(&rig, NV3_D3D_TEX_X1R5G5B5, 5, 5);
        set_interp(&rig, NV3_D3D_INTERP_ZOH_CENTER);
        for (unsigned i = 0; i < 3; i++) {
            v[i].r = v[i].g = v[i].b = 255;
            v[i].m = rig_rhw(i == 1 ? 1.0f / 3 : 1.0f);
        }
        rig_draw(&rig, v);
        assert_int_equal(rig_pixel(&rig, 16, 0) & 31, 8);
        for (int x = 0; x < 31; x++) {
            double a = x / 32.0, u = 32 * (a / 3) / (1 - a + a / 3);

            assert_in_range(rig_pixel(&rig, x, 0) & 31,
                            (int)floor(u + 0.49), (int)floor(u + 0.51));
        }
        /* If D3D_RHW is 0, the interpolation is linear on the screen. */
        v[0].m = v[1].m = v[2].m = 0;
        rig_draw(&rig, v);
        assert_int_equal(rig_pixel(&rig, 16, 0) & 31, 16);
    }
}

static void test_depth_interpolation(void **state)
{
    NV3RasterVertex v[3] = {
        { .x = 0, .y = 0, .z = 0, .m = rig_rhw(1.0f) },
        { .x = 32 * 16, .y = 0, .z = 0xffffff, .m = rig_rhw(1.0f / 3) },
        { .x = 0, .y = 32 * 16, .z = 0, .m = rig_rhw(1.0f) },
    };
    RasterRig rig;

    FOR_EACH_ISA(&rig) {
        rig.st.zeta.base = (uint8_t *)rig.zeta;
        rig_draw(&rig, v);
        assert_in_range(rig_depth(&rig, 16, 0), 0x7fff, 0x8000);
        assert_in_range(rig_depth(&rig, 31, 0), 0xf7fe, 0xf800);
        rig_clear(&rig, 0, 0xffff);
        rig.st.config |= NV3_D3D_CONFIG_Z_PERSPECTIVE;
        rig_draw(&rig, v);
        assert_in_range(rig_depth(&rig, 16, 0), 0x3fff, 0x4000);
    }
}

/*
 * The rasterizer must select the mip level by the number of texels per pixel and
 * SIZE_ADJUST, within the limits of SIZE_MIN and SIZE_MAX.
 */
static void test_mip_levels(void **state)
{
    static const struct {
        int scale;              /* 1/16 texels per pixel */
        int8_t adjust;          /* in 1/16 levels */
        unsigned min, level;
    } cases[] = {
        { 16, 0, 0, 0 }, { 8, 0, 0, 0 }, { 22, 0, 0, 0 }, { 23, 0, 0, 1 },
        { 32, 0, 0, 1 }, { 64, 0, 0, 2 }, { 640, 0, 0, 5 }, { 64, 0, 4, 1 },
        { 16, 16, 0, 1 }, { 16, 7, 0, 0 }, { 16, 9, 0, 1 }, { 64, -16, 0, 1 },
        { 16, 127, 0, 5 }, { 640, -128, 0, 0 },
    };
    RasterRig rig;

    FOR_EACH_ISA(&rig) {
        for (unsigned log2 = 0; log2 <= 5; log2++) {
            rig_texture_flat(&rig, log2, log2 + 1);
        }
        for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
            rig.st.tex_filter = (uint8_t)cases[i].adjust << 16 | 0x1f1f;
            rig_format(&rig, NV3_D3D_TEX_X1R5G5B5, cases[i].min, 5);
            draw_texture(&rig, 0, 0, cases[i].scale);
            assert_int_equal(rig_pixel(&rig, 7, 7),
                             6 - (int)cases[i].level);
        }
    }
}

/* A Gouraud gradient must be monotonic and reach its end values. */
static void test_gouraud(void **state)
{
    NV3RasterVertex v[4];
    RasterRig rig;

    FOR_EACH_ISA(&rig) {
        for (unsigned i = 0; i < 4; i++) {
            v[i] = (NV3RasterVertex) {
                .x = i & 1 ? 32 * 16 : 0, .y = i & 2 ? SIZE * 16 : 0,
                .r = i & 1 ? 255 : 0, .g = i & 1 ? 0 : 255, .b = 128,
            };
        }
        draw_square(&rig, v);
        for (unsigned x = 0; x < 32; x++) {
            unsigned p = rig_pixel(&rig, x, 20);

            assert_in_range(p >> 10, x ? x - 1 : 0, x);
            assert_in_range((p >> 5 & 31) + 1, 32 - x - (x > 0), 33 - x - !x);
            assert_in_range(p & 31, 15, 16);
        }
    }
}

static void test_fog(void **state)
{
    NV3RasterVertex v[4];
    RasterRig rig;

    FOR_EACH_ISA(&rig) {
        rig.st.fog_color = 0x0000ff;
        for (unsigned i = 0; i < 4; i++) {
            v[i] = (NV3RasterVertex) {
                .x = i & 1 ? 32 * 16 : 0, .y = i & 2 ? SIZE * 16 : 0,
                .r = 255, .fog = i & 1 ? 255 : 0,
            };
        }
        draw_square(&rig, v);
        assert_int_equal(rig_pixel(&rig, 0, 0), 0x7c00);
        assert_in_range(rig_pixel(&rig, 16, 0) >> 10, 15, 16);
        assert_in_range(rig_pixel(&rig, 16, 0) & 31, 15, 16);
        assert_in_range(rig_pixel(&rig, 31, 0) >> 10, 0, 1);
        assert_in_range(rig_pixel(&rig, 31, 0) & 31, 30, 31);
    }
}

static void test_no_texture_no_triangle(void **state)
{
    const NV3RasterVertex v[3] = {
        { .x = 0, .y = 0 }, { .x = 160, .y = 0 }, { .x = 0, .y = 160 },
    };
    RasterRig rig;

    FOR_EACH_ISA(&rig) {
        rig_format(&rig, NV3_D3D_TEX_X1R5G5B5, 9, 9);
        rig_clear(&rig, 0x1111, 0);
        assert_int_equal(rig_draw(&rig, v), 0);
        assert_int_equal(rig_pixel(&rig, 1, 1), 0x1111);
    }
}

static void test_swizzle(void **state)
{
    uint16_t raw[64];
    uint32_t pairs[9 * 8];

    for (unsigned y = 0; y < 8; y++) {
        for (unsigned x = 0; x < 8; x++) {
            raw[rig_swizzle(x, y)] = NV3_LE16(y << 8 | x);
        }
    }
    assert_int_equal(rig_swizzle(1, 0), 1);
    assert_int_equal(rig_swizzle(0, 1), 2);
    assert_int_equal(rig_swizzle(5, 3), 0x1b);
    assert_int_equal(nv3_texture_pairs_size(3), sizeof(pairs));
    nv3_texture_pairs(pairs, raw, 3);
    for (unsigned y = 0; y < 8; y++) {
        for (unsigned x = 0; x < 9; x++) {
            assert_int_equal(pairs[y * 9 + x],
                             (y << 8 | (x & 7)) |
                             (((y + 1) & 7) << 8 | (x & 7)) << 16);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dither),
        cmocka_unit_test(test_blend_modes),
        cmocka_unit_test(test_alpha_test),
        cmocka_unit_test(test_depth_and_write_enables),
        cmocka_unit_test(test_missing_surfaces),
        cmocka_unit_test(test_fill_rule),
        cmocka_unit_test(test_culling),
        cmocka_unit_test(test_wrap_modes),
        cmocka_unit_test(test_cylinder),
        cmocka_unit_test(test_interpolators),
        cmocka_unit_test(test_texture_formats),
        cmocka_unit_test(test_color_key),
        cmocka_unit_test(test_source_modes),
        cmocka_unit_test(test_perspective),
        cmocka_unit_test(test_depth_interpolation),
        cmocka_unit_test(test_mip_levels),
        cmocka_unit_test(test_gouraud),
        cmocka_unit_test(test_fog),
        cmocka_unit_test(test_no_texture_no_triangle),
        cmocka_unit_test(test_swizzle),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
