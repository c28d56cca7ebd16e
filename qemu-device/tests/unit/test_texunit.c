/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Compares the texture unit at all SIMD levels with a reference implementation. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "fp/fp_code.h"
#include "fp_asm.h"
#include "texture/texreference.h"

#define LANES       NV3_FP_LANES
#define MEMORY      (1u << 20)
/*
 * Maximum error of a component: one step of the filter's weights for each axis, plus
 * rounding errors.
 */
#define TOLERANCE   (3.0 / 256 + 0.001)

static uint8_t memory[MEMORY];
static uint32_t seed = 1;

static uint32_t random_bits(void)
{
    seed = seed * 1664525 + 1013904223;
    return seed >> 8 ^ seed >> 20;
}

static float random_between(float low, float high)
{
    return low + (high - low) * (random_bits() & 0xffff) / 65535;
}

/* The coordinates s, t and r, and the bias or level of detail, of a block's pixels. */
typedef struct Coords {
    float c[4][LANES];
} Coords;

typedef struct Colors {
    float c[4][LANES];
} Colors;

static void run_fast(Colors *out, const NV3TexUnit *unit, const Coords *in,
                     unsigned opcode, NV3FpLevel level)
{
    static FpAsm a;
    NV3FpThread *thread = nv3_fp_thread_new();
    NV3FpDraw draw = { .unit = { unit }, .level = level };
    NV3FpError error;
    unsigned position;
    NV3FpCode *code;

    a.count = 0;
    fp_tex(&a, opcode, 0, fp_d(0, "xyzw"), fp_in(NV3_FP_TEXCOORD0, "xyzw"));
    fp_end(&a);
    draw.code = code = nv3_fp_code_new(a.words, a.count, 0, &error, &position);
    assert_non_null(code);
    nv3_fp_begin(thread, &draw);
    for (unsigned i = 0; i < code->input_count; i++) {
        memcpy(thread->file[code->input[i].slot].pixel, in->c[code->input[i].component],
               sizeof(in->c[0]));
    }
    nv3_fp_execute(thread, code->op + code->uniform_count, code->count, level);
    for (unsigned c = 0; c < 4; c++) {
        memcpy(out->c[c], thread->file[code->color[c]].pixel, sizeof(out->c[c]));
    }
    nv3_fp_code_free(code);
    nv3_fp_thread_free(thread);
}

static void run_reference(Colors *out, const NV3TexUnit *unit, const Coords *in,
                          unsigned lod)
{
    for (unsigned q = 0; q < LANES / 4; q++) {
        const unsigned first = q / 4 * 16 + q % 4 * 2;
        const unsigned pixel[4] = { first, first + 1, first + 8, first + 9 };
        NV3TexQuad quad = { .lod = lod };

        for (unsigned p = 0; p < 4; p++) {
            for (unsigned c = 0; c < 4; c++) {
                quad.coord[c][p] = in->c[c][pixel[p]];
            }
        }
        nv3_tex_reference(unit, &quad);
        for (unsigned p = 0; p < 4; p++) {
            for (unsigned c = 0; c < 4; c++) {
                out->c[c][pixel[p]] = quad.result[c][p];
            }
        }
    }
}

static void check(const NV3TexUnit *unit, const Coords *in, unsigned opcode, unsigned lod,
                  const char *what)
{
    Colors expected, first;

    run_reference(&expected, unit, in, lod);
    for (unsigned level = 0; level <= nv3_fp_best_level(); level++) {
        Colors result;

        run_fast(&result, unit, in, opcode, level);
        for (unsigned c = 0; c < 4; c++) {
            for (unsigned p = 0; p < LANES; p++) {
                if (!(fabs(result.c[c][p] - expected.c[c][p]) <= TOLERANCE)) {
                    fail_msg("%s, level %u, format %u, dim %u, wraps %u %u %u, "
                             "size %u %u %u: at %g %g %g %g component %u is %g, not %g",
                             what, level, unit->image.format, unit->image.dim,
                             unit->sampler.wrap[0], unit->sampler.wrap[1],
                             unit->sampler.wrap[2],
                             unit->image.width, unit->image.height, unit->image.depth,
                             in->c[0][p], in->c[1][p], in->c[2][p], in->c[3][p], c,
                             result.c[c][p], expected.c[c][p]);
                }
            }
        }
        if (level == 0) {
            first = result;
        }
        assert_memory_equal(&result, &first, sizeof(result));
    }
}

static unsigned mip_size(unsigned size, unsigned l)
{
    return size >> l ? size >> l : 1;
}

/* Returns an image in @memory with @levels mipmap levels of random texels. */
static NV3TexImage random_image(unsigned format, unsigned dim, unsigned levels)
{
    static const uint8_t bytes[NV3_TEX_FORMATS] = {
        4, 4, 2, 2, 2, 1, 1, 2, 1, 8, 16, 16, 2, 4,
    };
    const bool blocks = format >= NV3_TEX_DXT1 && format <= NV3_TEX_DXT5;
    NV3TexImage image = {
        .base = memory, .size = MEMORY, .format = format, .dim = dim, .levels = levels,
        .width = 1 + random_bits() % 40, .height = 1 + random_bits() % 40,
        .depth = dim == NV3_TEX_3D ? 1 + random_bits() % 9 : 1,
    };
    unsigned largest, at = 0;

    if (dim == NV3_TEX_CUBE) {
        image.height = image.width;
    }
    largest = image.width > image.height ? image.width : image.height;
    largest = image.depth > largest ? image.depth : largest;
    while (largest >> (image.levels - 1) == 0) {
        image.levels--;
    }
    for (unsigned l = 0; l < image.levels; l++) {
        unsigned w = mip_size(image.width, l), h = mip_size(image.height, l);

        if (blocks) {
            w = (w + 3) / 4;
            h = (h + 3) / 4;
        }
        image.level[l] = (NV3TexLevel) { at, w * bytes[format], w * bytes[format] * h };
        at += image.level[l].slice * (dim == NV3_TEX_CUBE ? 6 :
              dim == NV3_TEX_3D ? mip_size(image.depth, l) : 1);
    }
    assert_true(at <= MEMORY);
    for (unsigned i = 0; i < at; i++) {
        memory[i] = random_bits();
    }
    return image;
}

static NV3TexSampler random_sampler(bool linear, unsigned mip)
{
    NV3TexSampler s = {
        .min_linear = linear, .mag_linear = linear, .mip = mip, .lod_min = -1000,
        .lod_max = 1000,
    };

    for (unsigned i = 0; i < 3; i++) {
        s.wrap[i] = random_bits() % NV3_TEX_WRAPS;
    }
    for (unsigned i = 0; i < 4; i++) {
        s.border[i] = (random_bits() & 255) / 255.0f;
    }
    return s;
}

/*
 * Returns a random coordinate. The coordinate is not close to a boundary between texels,
 * where the choice of the nearest texel would be uncertain.
 */
static float safe_coordinate(unsigned size)
{
    int texel = (int)(random_bits() % (6 * size)) - 3 * (int)size;

    return (texel + random_between(0.1f, 0.9f)) / size;
}

static void every_format(void **state)
{
    for (unsigned round = 0; round < 800; round++) {
        const unsigned format = round % NV3_TEX_FORMATS;
        const bool depth = format >= NV3_TEX_Z16, linear = random_bits() & 1;
        const unsigned dim = random_bits() % (depth ? 2 : 3);
        NV3TexImage image = random_image(format, dim, 1);
        NV3TexSampler sampler = random_sampler(linear, NV3_TEX_MIP_NONE);
        NV3TexUnit *unit = nv3_texunit_new(&image, &sampler);
        Coords in;

        assert_non_null(unit);
        for (unsigned p = 0; p < LANES; p++) {
            in.c[0][p] = safe_coordinate(image.width);
            in.c[1][p] = safe_coordinate(image.height);
            in.c[2][p] = safe_coordinate(image.depth);
            in.c[3][p] = 0;
            if (dim == NV3_TEX_CUBE) {
                /*
                 * Choose a face of the cube, and coordinates on this face that are not
                 * close to a boundary between texels.
                 */
                unsigned axis = random_bits() % 3;
                float major = random_bits() & 1 ? 1 : -1;

                for (unsigned c = 0; c < 3; c++) {
                    in.c[c][p] = c == axis ? major :
                        2 * ((random_bits() % image.width +
                              random_between(0.1f, 0.9f)) / image.width) - 1;
                }
            }
        }
        check(unit, &in, NV3_FP_TEX, NV3_TEX_LOD_IMPLICIT, "format");
        nv3_texunit_free(unit);
    }
}

static void comparison(void **state)
{
    for (unsigned round = 0; round < 100; round++) {
        NV3TexImage image = random_image(round & 1 ? NV3_TEX_Z16 : NV3_TEX_Z24S8,
                                         NV3_TEX_2D, 1);
        NV3TexSampler sampler = random_sampler(random_bits() & 1, NV3_TEX_MIP_NONE);
        NV3TexUnit *unit;
        Coords in = { 0 };

        sampler.compare = true;
        sampler.compare_func = round % 8;
        unit = nv3_texunit_new(&image, &sampler);
        for (unsigned p = 0; p < LANES; p++) {
            in.c[0][p] = safe_coordinate(image.width);
            in.c[1][p] = safe_coordinate(image.height);
            in.c[2][p] = random_between(-0.5, 1.5);
        }
        check(unit, &in, NV3_FP_TEX, NV3_TEX_LOD_IMPLICIT, "compare");
        nv3_texunit_free(unit);
    }
}

/*
 * Texels must be converted from sRGB before the filter interpolates between texels and
 * mipmap levels.
 */
static void srgb_filtering(void **state)
{
    for (unsigned round = 0; round < 300; round++) {
        const unsigned format = round % NV3_TEX_Z16;
        NV3TexImage image = random_image(format, random_bits() % 3, 6);
        NV3TexSampler sampler = random_sampler(true, round % 3);
        NV3TexUnit *unit;
        Coords in;

        sampler.srgb = true;
        unit = nv3_texunit_new(&image, &sampler);
        for (unsigned p = 0; p < LANES; p++) {
            for (unsigned c = 0; c < 3; c++) {
                in.c[c][p] = random_between(-3, 3);
            }
            in.c[3][p] = (int)(random_bits() % 8) - 1 + random_between(-0.4f, 0.4f);
        }
        check(unit, &in, NV3_FP_TXL, NV3_TEX_LOD_EXPLICIT, "srgb");
        nv3_texunit_free(unit);
    }
}

/* The table for sRGB components must contain the floats nearest to the exact values. */
static void srgb_table(void **state)
{
    const NV3TexImage image = {
        .base = memory, .size = MEMORY, .format = NV3_TEX_L8, .width = 1, .height = 1,
        .depth = 1, .levels = 1,
    };
    const NV3TexSampler sampler = { .srgb = true };
    NV3TexUnit *unit = nv3_texunit_new(&image, &sampler);

    for (unsigned i = 0; i < 256; i++) {
        const double c = i / 255.0;
        const double want = c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
        float value;

        memcpy(&value, &unit->linear[i], sizeof(value));
        assert_true(fabs(value - want) <= 0x1p-24 * value);
    }
    nv3_texunit_free(unit);
}

/*
 * Tests explicit levels. Without trilinear filtering, the levels of detail are close to
 * whole numbers, so that the choice of the nearest mipmap level is certain.
 */
static void explicit_levels(void **state)
{
    for (unsigned round = 0; round < 300; round++) {
        const unsigned mip = 1 + round % 2;
        NV3TexImage image = random_image(NV3_TEX_A8R8G8B8, random_bits() % 3, 6);
        NV3TexSampler sampler = random_sampler(true, mip);
        NV3TexUnit *unit;
        Coords in;

        sampler.lod_bias = random_between(-1, 1);
        unit = nv3_texunit_new(&image, &sampler);
        for (unsigned p = 0; p < LANES; p++) {
            for (unsigned c = 0; c < 3; c++) {
                in.c[c][p] = random_between(-3, 3);
            }
            in.c[3][p] = mip == NV3_TEX_MIP_LINEAR ? random_between(-2, 7) :
                         (int)(random_bits() % 8) - 1 + random_between(-0.4f, 0.4f) -
                         sampler.lod_bias;
        }
        check(unit, &in, NV3_FP_TXL, NV3_TEX_LOD_EXPLICIT, "explicit");
        nv3_texunit_free(unit);
    }
}

/* Tests levels of detail from derivatives, with and without a bias. */
static void implicit_levels(void **state)
{
    for (unsigned round = 0; round < 300; round++) {
        const bool bias = round & 1;
        NV3TexImage image = random_image(NV3_TEX_A8R8G8B8, random_bits() % 3, 6);
        NV3TexSampler sampler = random_sampler(true, NV3_TEX_MIP_LINEAR);
        NV3TexUnit *unit = nv3_texunit_new(&image, &sampler);
        const float scale = ldexpf(1, -(int)(random_bits() % 7));
        Coords in;

        for (unsigned c = 0; c < 4; c++) {
            float start = random_between(-1, 1), dx = random_between(-scale, scale);
            float dy = random_between(-scale, scale);

            for (unsigned p = 0; p < LANES; p++) {
                in.c[c][p] = start + p % 8 * dx + p / 8 * dy;
            }
        }
        check(unit, &in, bias ? NV3_FP_TXB : NV3_FP_TEX,
              bias ? NV3_TEX_LOD_BIAS : NV3_TEX_LOD_IMPLICIT, "implicit");
        nv3_texunit_free(unit);
    }
}

/*
 * At the edges of a cube, pixels of a quad may be on different faces of the cube map. For
 * pixels on the expected face, the level of detail must match the scale on this face.
 */
static void levels_across_faces(void **state)
{
    const unsigned levels = 6, size = 1u << (levels - 1);
    NV3TexImage image = {
        .base = memory, .size = MEMORY, .format = NV3_TEX_A8R8G8B8, .dim = NV3_TEX_CUBE,
        .levels = levels, .width = size, .height = size, .depth = 1,
    };
    NV3TexSampler sampler = {
        .mip = NV3_TEX_MIP_NEAREST, .lod_min = -1000, .lod_max = 1000,
    };
    NV3TexUnit *unit;
    unsigned at = 0;

    for (unsigned l = 0; l < levels; l++) {
        const unsigned w = size >> l;

        image.level[l] = (NV3TexLevel) { at, w * 4, w * w * 4 };
        memset(memory + at, l, 6 * image.level[l].slice);
        at += 6 * image.level[l].slice;
    }
    unit = nv3_texunit_new(&image, &sampler);
    for (unsigned round = 0; round < 6 * levels; round++) {
        const unsigned axis = round % 3, expected = round / 6;
        const float step = ldexpf(2, (int)expected) / size;
        Colors result;
        Coords in;

        for (unsigned p = 0; p < LANES; p++) {
            in.c[axis][p] = round % 6 < 3 ? 1 : -1;
            in.c[(axis + 1) % 3][p] = (p % 8 - 3.5f) * step;
            in.c[(axis + 2) % 3][p] = (p / 8 - 3.5f) * step;
            in.c[3][p] = 0;
        }
        for (unsigned level = 0; level <= nv3_fp_best_level(); level++) {
            run_fast(&result, unit, &in, NV3_FP_TEX, level);
            for (unsigned p = 0; p < LANES; p++) {
                if (fabsf(in.c[(axis + 1) % 3][p]) < 1 &&
                    fabsf(in.c[(axis + 2) % 3][p]) < 1) {
                    assert_int_equal(lrintf(255 * result.c[0][p]), expected);
                }
            }
        }
        check(unit, &in, NV3_FP_TEX, NV3_TEX_LOD_IMPLICIT, "across faces");
    }
    nv3_texunit_free(unit);
}

/*
 * For any coordinates and image, no access may be outside the image's memory. A sanitizer
 * detects such accesses.
 */
static void wild_coordinates(void **state)
{
    static const float wild[] = {
        NAN, INFINITY, -INFINITY, 1e30f, -1e30f, -1e-30f, 3e9f, -0.0f, 1, -1,
    };

    for (unsigned round = 0; round < 400; round++) {
        const unsigned format = random_bits() % NV3_TEX_FORMATS;
        NV3TexImage image = random_image(format, random_bits() %
                                         (format >= NV3_TEX_Z16 ? 2 : 3), 3);
        NV3TexSampler sampler = random_sampler(random_bits() & 1, random_bits() % 3);
        NV3TexUnit *unit;
        Colors first, result;
        Coords in;

        /* Place some levels partly or completely outside the memory. */
        image.size = random_bits() % 3 ? MEMORY : random_bits() % 4096;
        image.level[0].offset = random_bits() % 5 ? 0 : UINT32_MAX;
        image.level[0].pitch = random_bits() % 5 ? image.level[0].pitch : UINT32_MAX;
        sampler.mag_linear = random_bits() & 1;
        sampler.lod_bias = random_bits() & 1 ? NAN : 0;
        unit = nv3_texunit_new(&image, &sampler);
        assert_non_null(unit);
        for (unsigned i = 0; i < 4 * LANES; i++) {
            in.c[i / LANES][i % LANES] = random_bits() & 1 ? wild[random_bits() % 10] :
                                                             random_between(-9, 9);
        }
        for (unsigned level = 0; level <= nv3_fp_best_level(); level++) {
            run_fast(&result, unit, &in, random_bits() & 1 ? NV3_FP_TEX : NV3_FP_TEX,
                     level);
            for (unsigned i = 0; i < 4 * LANES; i++) {
                float v = result.c[i / LANES][i % LANES];

                assert_true(isnan(v) || (v >= 0 && v <= 1));
            }
            if (level == 0) {
                first = result;
            }
            for (unsigned i = 0; i < 4 * LANES; i++) {
                float a = result.c[i / LANES][i % LANES];
                float b = first.c[i / LANES][i % LANES];

                assert_true(a == b || (isnan(a) && isnan(b)));
            }
        }
        nv3_texunit_free(unit);
    }
}

static void bad_units(void **state)
{
    const NV3TexImage good = random_image(NV3_TEX_A8R8G8B8, NV3_TEX_2D, 1);
    const NV3TexSampler sampler = { 0 };
    NV3TexSampler bad_sampler = { .wrap = { 0, NV3_TEX_WRAPS } };
    NV3TexUnit *unit = nv3_texunit_new(&good, &sampler);
    NV3TexImage bad;

    assert_non_null(unit);
    assert_false(nv3_texunit_set_sampler(unit, &bad_sampler));
    nv3_texunit_free(unit);
    assert_null(nv3_texunit_new(&good, &bad_sampler));
#define BAD(field, value) \
    do { \
        bad = good; \
        bad.field = value; \
        assert_null(nv3_texunit_new(&bad, &sampler)); \
    } while (0)
    BAD(format, NV3_TEX_FORMATS);
    BAD(dim, 3);
    BAD(width, 0);
    BAD(height, NV3_TEX_SIZE_MAX + 1);
    BAD(depth, 2);
    BAD(levels, 0);
    BAD(levels, NV3_TEX_LEVELS + 1);
    BAD(levels, 7);
#undef BAD
    bad = good;
    bad.dim = NV3_TEX_3D;
    bad.width = bad.height = NV3_TEX_SIZE_MAX;
    bad.depth = NV3_TEX_DEPTH_MAX;
    assert_null(nv3_texunit_new(&bad, &sampler));
}

/*
 * Changes of the image's memory take effect after nv3_texunit_invalidate(). New samplers
 * take effect immediately.
 */
static void invalidation(void **state)
{
    NV3TexImage image = random_image(NV3_TEX_I8, NV3_TEX_2D, 1);
    NV3TexSampler sampler = { 0 };
    NV3TexUnit *unit = nv3_texunit_new(&image, &sampler);
    Coords in = { 0 };
    Colors out;

    memory[0] = 255;
    nv3_texunit_invalidate(unit);
    run_fast(&out, unit, &in, NV3_FP_TEX, NV3_FP_GENERIC);
    assert_true(out.c[0][0] == 1 && out.c[3][63] == 1);
    memory[0] = 0;
    run_fast(&out, unit, &in, NV3_FP_TEX, NV3_FP_GENERIC);
    assert_true(out.c[0][0] == 1);
    nv3_texunit_invalidate(unit);
    run_fast(&out, unit, &in, NV3_FP_TEX, NV3_FP_GENERIC);
    assert_true(out.c[0][0] == 0);
    in.c[0][0] = -2;
    sampler.wrap[0] = NV3_TEX_CLAMP_TO_BORDER;
    sampler.border[0] = 1;
    assert_true(nv3_texunit_set_sampler(unit, &sampler));
    run_fast(&out, unit, &in, NV3_FP_TEX, NV3_FP_GENERIC);
    assert_true(out.c[0][0] == 1 && out.c[0][1] == 0);
    run_fast(&out, NULL, &in, NV3_FP_TEX, NV3_FP_GENERIC);
    assert_true(out.c[0][0] == 0 && out.c[3][0] == 1);
    nv3_texunit_free(unit);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_format),
        cmocka_unit_test(comparison),
        cmocka_unit_test(srgb_filtering),
        cmocka_unit_test(srgb_table),
        cmocka_unit_test(explicit_levels),
        cmocka_unit_test(implicit_levels),
        cmocka_unit_test(levels_across_faces),
        cmocka_unit_test(wild_coordinates),
        cmocka_unit_test(bad_units),
        cmocka_unit_test(invalidation),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
