/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tests how much memory class 0x1F uses for decoded textures, and for how long. Also
 * tests which state values the class accepts.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "chip/le.h"
#include "nv3_class.h"
#include "nv3_names.h"
#include "programs_flat.h"
#include "texture/texunit_int.h"

#define MEMORY      (1u << 20)
#define COLOR       0x00000
#define ZETA        0x20000
#define FRAGMENT    0x40000
#define TEXTURE     0x80000
#define SIZE        64              /* pixels per side of the target */

static uint8_t memory[MEMORY];
static FlatMemory ram = { .bytes = memory, .size = MEMORY };

static NV3ProgramsResult try(NV3Programs *p, uint32_t method, uint32_t data)
{
    return nv3_programs_method(p, method, data);
}

static void m(NV3Programs *p, uint32_t method, uint32_t data)
{
    assert_int_equal(try(p, method, data), NV3_PROGRAMS_OK);
}

/*
 * Writes a fragment program to memory. The program adds the texel at 0, 0 of each of the
 * first @units texture units to the colour.
 */
static void put_fragment_program(unsigned units)
{
    FpAsm a = { 0 };

    fp_op1(&a, NV3_FP_MOV, fp_d(0, "xyzw"), fp_in(NV3_FP_COLOR0, "xyzw"));
    for (unsigned i = 0; i < units; i++) {
        fp_tex(&a, NV3_FP_TEX, i, fp_d(1, "xyzw"), fp_in(NV3_FP_TEXCOORD0, "xyzw"));
        fp_op2(&a, NV3_FP_ADD, fp_d(0, "xyzw"), fp_r(0, "xyzw"), fp_r(1, "xyzw"));
    }
    flat_put_fragment_program(&ram, FRAGMENT, &a);
}

static NV3Programs *new_programs(unsigned units)
{
    const NV3ProgramsMemory accessors = { FLAT_ACCESSORS(&ram) };
    NV3Programs *p = nv3_programs_new(&accessors, 1);
    VpAsm a = { 0 };

    assert_non_null(p);
    memset(memory, 0, MEMORY);
    m(p, NV3_PM_SURFACE_CLIP_HORIZONTAL, SIZE << 16);
    m(p, NV3_PM_SURFACE_CLIP_VERTICAL, SIZE << 16);
    m(p, NV3_PM_SURFACE_FORMAT, 8 | 1 << NV3_PM_FORMAT_TYPE_SHIFT);
    m(p, NV3_PM_SURFACE_PITCH, SIZE * 4);
    m(p, NV3_PM_SURFACE_COLOR_OFFSET, COLOR);
    for (unsigned i = 0; i < 2; i++) {
        m(p, NV3_PM_VIEWPORT_SCALE + 4 * i, flat_bits(SIZE / 2));
        m(p, NV3_PM_VIEWPORT_OFFSET + 4 * i, flat_bits(SIZE / 2));
    }
    vp_copy(&a, NV3_GEOM_O_POSITION, 0);
    vp_copy(&a, NV3_GEOM_O_COLOR0, 3);
    vp_copy(&a, NV3_GEOM_O_TEXCOORD0, 9);
    flat_set_vertex_program(p, &a);
    put_fragment_program(units);
    m(p, NV3_PM_FP_ACTIVE_PROGRAM, FRAGMENT);
    return p;
}

/*
 * Sets a texture of @side x @side texels of 8 bits at @offset. @pitch: bytes from line
 * to line.
 */
static void set_texture(NV3Programs *p, unsigned unit, uint32_t offset, unsigned side,
                        unsigned pitch)
{
    const uint32_t words = NV3_PM_TEX + unit * NV3_PM_TEX_WORDS * 4;

    m(p, words + 4 * NV3_PM_TEX_OFFSET, offset);
    m(p, words + 4 * NV3_PM_TEX_FORMAT, 1 << 13 | 1 << 8 | 2 << 4 | 1 << 16);
    m(p, words + 4 * NV3_PM_TEX_WRAP, 0x00030303);
    m(p, words + 4 * NV3_PM_TEX_ENABLE, 0x80000000u);
    m(p, words + 4 * NV3_PM_TEX_FILTER, 1 << 16 | 1 << 24);
    m(p, words + 4 * NV3_PM_TEX_NPOT_SIZE, side << 16 | side);
    m(p, NV3_PM_TEX_SIZE1 + 4 * unit, 1u << 20 | pitch);
}

/* Sends vertex @i of a triangle strip. The position is a function of @i. */
static void vertex(NV3Programs *p, unsigned i)
{
    m(p, NV3_PM_VERTEX4F, flat_bits((int)(i * 5 % 7) / 3.0f - 1));
    m(p, NV3_PM_VERTEX4F + 4, flat_bits((int)(i * 3 % 8) / 4.0f - 1));
    m(p, NV3_PM_VERTEX4F + 8, flat_bits(0));
    m(p, NV3_PM_VERTEX4F + 12, flat_bits(1));
}

/* ---- a primitive in progress --------------------------------------------------- */

/*
 * Draws a strip of @count vertices. Before vertex @at, method @drop invalidates the
 * decoded texture.
 */
static void draw_strip(NV3Programs *p, unsigned count, unsigned at, uint32_t drop)
{
    m(p, NV3_PM_BEGIN_END, NV3_GEOM_TRIANGLE_STRIP);
    for (unsigned i = 0; i < count; i++) {
        if (i == at) {
            m(p, NV3_PM_TEX_CACHE_OFFSET, TEXTURE);
            m(p, drop, 1);
        }
        vertex(p, i);
    }
    m(p, NV3_PM_BEGIN_END, 0);
    m(p, NV3_PM_WAIT_FOR_IDLE, 0);
}

static void test_drop_in_primitive(void **state)
{
    static const uint32_t drops[] = { NV3_PM_TEX_CACHE_CTL, NV3_PM_TEX_CACHE_SIZE };
    static uint8_t want[SIZE * SIZE * 4];
    const unsigned count = 9;

    for (unsigned i = 0; i < 2 * (count + 1); i++) {
        const unsigned at = i / 2;
        NV3Programs *p = new_programs(1);

        ram.in_pieces = !(i & 1);
        memset(memory + TEXTURE, 0x40, 64);
        set_texture(p, 0, TEXTURE, 8, 8);
        draw_strip(p, count, at ? at - 1 : UINT32_MAX, drops[i & 1]);
        if (!i) {
            memcpy(want, memory + COLOR, sizeof(want));
            assert_int_equal(nv3_ldl(want + (SIZE / 2 * SIZE + SIZE / 2) * 4),
                             0xff404040);
        }
        assert_memory_equal(memory + COLOR, want, sizeof(want));
        nv3_programs_free(p);
    }
}

/* ---- limits -------------------------------------------------------------------- */

#define SIDE        64
/*
 * Size in bytes of a decoded texture in host memory, without the copy of the image's
 * memory
 */
#define DECODED     ((66 * 66 + 1) * 8 + 66 * 66 * 4)

static void set_limits(NV3Programs *p, uint64_t cached, uint64_t draw)
{
    NV3ProgramsLimits limits = NV3_PROGRAMS_LIMITS;

    limits.cached = cached;
    limits.draw = draw;
    nv3_programs_set_limits(p, &limits);
}

static void draw_triangle(NV3Programs *p, NV3ProgramsResult want)
{
    assert_int_equal(try(p, NV3_PM_BEGIN_END, NV3_GEOM_TRIANGLES), want);
    if (!want) {
        for (unsigned i = 0; i < 3; i++) {
            vertex(p, i);
        }
        m(p, NV3_PM_BEGIN_END, 0);
    }
}

/*
 * If the size of the decoded textures exceeds the cache's limit, the cache must drop the
 * least recently used textures, but no texture that the current draw uses.
 */
static void test_cached(void **state)
{
    NV3ProgramsCounters before, after;

    for (unsigned pieces = 0; pieces < 2; pieces++) {
        NV3Programs *p = new_programs(1);

        ram.in_pieces = !pieces;
        set_limits(p, 4 * (DECODED + SIDE * SIDE), UINT64_MAX);
        for (unsigned i = 0; i < 20; i++) {
            set_texture(p, 0, TEXTURE + 64 * i, SIDE, SIDE);
            draw_triangle(p, NV3_PROGRAMS_OK);
            /* The copy of the texture's memory has been freed. */
            assert_int_equal(nv3_programs_texture_bytes(p),
                             (i < 4 ? i + 1 : 4) * DECODED);
        }
        nv3_programs_counters(p, &before);
        for (unsigned i = 16; i < 20; i++) {
            set_texture(p, 0, TEXTURE + 64 * i, SIDE, SIDE);
            draw_triangle(p, NV3_PROGRAMS_OK);
        }
        nv3_programs_counters(p, &after);
        assert_int_equal(before.texels, after.texels);
        nv3_programs_free(p);
    }
}

/*
 * The textures of a single draw may exceed the cache's limit, because a separate limit
 * applies to the textures of one draw.
 */
static void test_draw_limit(void **state)
{
    for (unsigned units = 1; units <= NV3_FP_UNITS; units++) {
        NV3Programs *p = new_programs(units);

        ram.in_pieces = false;
        set_limits(p, DECODED, 10 * (DECODED + SIDE * SIDE));
        for (unsigned i = 0; i < units; i++) {
            set_texture(p, i, TEXTURE + 64 * i, SIDE, SIDE);
        }
        draw_triangle(p, units <= 10 ? NV3_PROGRAMS_OK : NV3_PROGRAMS_BAD_DATA);
        assert_in_range(nv3_programs_texture_bytes(p), DECODED,
                        10 * (DECODED + SIDE * SIDE));
        /* A draw with one texture is within the limit. */
        put_fragment_program(1);
        m(p, NV3_PM_FP_ACTIVE_PROGRAM, FRAGMENT);
        set_texture(p, 0, TEXTURE, SIDE, SIDE);
        draw_triangle(p, NV3_PROGRAMS_OK);
        nv3_programs_free(p);
    }
}

/* The limit applies to the size of an image, including the padding of its lines. */
static void test_pitch(void **state)
{
    NV3Programs *p = new_programs(1);

    ram.in_pieces = true;
    set_texture(p, 0, 0, 4096, 0xffc0);
    draw_triangle(p, NV3_PROGRAMS_BAD_DATA);
    assert_int_equal(nv3_programs_texture_bytes(p), 0);
    /* The size of this image is permitted, but the image is not within memory. */
    set_texture(p, 0, 0, 2048, 0xffc0);
    draw_triangle(p, NV3_PROGRAMS_FAULT);
    assert_int_equal(nv3_programs_texture_bytes(p), 0);
    nv3_programs_free(p);
}

/* ---- fields of a texture unit's words ------------------------------------------- */

#define CUBE        (1u << 2)
#define CUBE_BASE   (1u << 20)      /* of FORMAT */
#define SRGB        (1u << 20)      /* of WRAP, for red; the next two bits: green, blue */

/*
 * Sets a cube map whose faces have 2 x 2 texels. All texels of the second mip level are
 * @texel.
 */
static void set_cube(NV3Programs *p, unsigned base, uint8_t texel)
{
    const unsigned face = 256, level = 128;

    set_texture(p, 0, TEXTURE, 2, 64);
    m(p, NV3_PM_TEX + 4 * NV3_PM_TEX_FORMAT,
      1 << 13 | 1 << 8 | 2 << 4 | 2 << 16 | CUBE | base * CUBE_BASE);
    for (unsigned i = 0; i < 4; i++) {
        m(p, NV3_PM_VERTEX_DATA4F + 9 * 16 + 4 * i, flat_bits(1));
    }
    for (unsigned i = 0; i < 6; i++) {
        memory[TEXTURE + i * face + level] = texel;
    }
}

static bool target_has(uint8_t blue)
{
    for (unsigned i = 0; i < SIZE * SIZE; i++) {
        if (memory[COLOR + 4 * i] == blue) {
            return true;
        }
    }
    return false;
}

/* For cube maps, a field of the texture unit's word FORMAT selects the base level. */
static void test_cube_base(void **state)
{
    for (unsigned base = 0; base <= 2; base++) {
        NV3Programs *p = new_programs(1);

        ram.in_pieces = false;
        set_cube(p, base, 200);
        /* There is no third level. */
        draw_triangle(p, base < 2 ? NV3_PROGRAMS_OK : NV3_PROGRAMS_BAD_DATA);
        m(p, NV3_PM_WAIT_FOR_IDLE, 0);
        assert_int_equal(target_has(200), base == 1);
        nv3_programs_free(p);
    }
}

/*
 * A texture unit converts either all colour components from sRGB or none. Other
 * combinations are invalid.
 */
static void test_srgb(void **state)
{
    for (unsigned gamma = 0; gamma < 8; gamma++) {
        NV3Programs *p = new_programs(1);

        ram.in_pieces = false;
        set_texture(p, 0, TEXTURE, SIDE, SIDE);
        memset(memory + TEXTURE, 188, SIDE * SIDE);
        m(p, NV3_PM_TEX + 4 * NV3_PM_TEX_WRAP, 0x00030303 | gamma * SRGB);
        draw_triangle(p, gamma % 7 ? NV3_PROGRAMS_BAD_DATA : NV3_PROGRAMS_OK);
        m(p, NV3_PM_WAIT_FOR_IDLE, 0);
        assert_int_equal(target_has(188), gamma == 0);
        /* ((188 / 255 + 0.055) / 1.055)^2.4 is 0.503. */
        assert_int_equal(target_has(128), gamma == 7);
        nv3_programs_free(p);
    }
}

/* ---- decoding in steps ----------------------------------------------------------- */

/* A decoding step may exceed the requested number of texels by at most four lines. */
static void test_steps(void **state)
{
    const NV3TexImage image = {
        .base = memory, .size = MEMORY, .format = NV3_TEX_L8, .dim = NV3_TEX_3D,
        .levels = 1, .width = 256, .height = 200, .depth = 1,
        .level = { { 0, 256, 256 * 200 } },
    };
    const NV3TexSampler sampler = { .wrap = { 0, 0, NV3_TEX_CLAMP_TO_BORDER } };
    const size_t texels = 3 * 258 * 202;
    NV3TexUnit *whole, *stepwise;
    uint64_t total = 0;
    bool done = false;

    for (unsigned i = 0; i < MEMORY; i++) {
        memory[i] = i * 37 >> 3;
    }
    whole = nv3_texunit_new(&image, &sampler);
    stepwise = nv3_texunit_begin(&image, &sampler);
    while (!done) {
        uint32_t step = 1000;

        done = nv3_texunit_decode(stepwise, &step);
        assert_in_range(step, 0, 1000 + 4 * 258);
        total += step;
    }
    assert_in_range(total, texels, 2 * texels);
    assert_memory_equal(stepwise->memory, whole->memory, texels * sizeof(NV3TexPair));
    nv3_texunit_free(whole);
    nv3_texunit_free(stepwise);
}

/* ---- named values ---------------------------------------------------------------- */

/* Returns true if @value - 1, @value or @value + 1 has a name, or if @value is small. */
static bool is_candidate(const struct nv3_field *field, uint32_t value)
{
    return value < 32 || nv3_names_value(field, value) ||
           nv3_names_value(field, value - 1) || nv3_names_value(field, value + 1);
}

/* Fails unless BEGIN_END accepts exactly the values of @field that have names. */
static void check_field(NV3Programs *p, const struct nv3_word *word, uint32_t before,
                        const struct nv3_field *field)
{
    const uint32_t max = field->bits >= 16 ? 0xffff : (1u << field->bits) - 1;

    for (uint32_t value = 0; value <= max; value++) {
        const bool named = nv3_names_value(field, value);

        if (is_candidate(field, value)) {
            m(p, word->offset, (before & ~(max << field->shift)) | value << field->shift);
            if (try(p, NV3_PM_BEGIN_END, NV3_GEOM_TRIANGLES) !=
                (named ? NV3_PROGRAMS_OK : NV3_PROGRAMS_BAD_DATA)) {
                fail_msg("%s %s 0x%x: it has %s name", word->name,
                         field->name ? field->name : "", value, named ? "a" : "no");
            }
            if (named) {
                m(p, NV3_PM_BEGIN_END, 0);
            }
        }
    }
    m(p, word->offset, before);
}

/*
 * BEGIN_END must accept exactly the values with names in
 * include/names/methods_programs.c, because nv3-lint reports the other values as errors.
 */
static void test_named_values(void **state)
{
    const struct nv3_word *word = nv3_names_class(NV3_CLASS_PROGRAMS)->methods;
    NV3Programs *p = new_programs(1);
    NV3ProgramsContext context;
    unsigned fields = 0;

    ram.in_pieces = false;
    m(p, NV3_PM_SURFACE_PITCH, (SIZE * 8) << 16 | SIZE * 8);
    m(p, NV3_PM_SURFACE_ZETA_OFFSET, ZETA);
    m(p, NV3_PM_BLEND_SEPARATE_ALPHA, 1);
    m(p, NV3_PM_BLEND_FUNC_DFACTOR, 1 << 16 | 1);
    m(p, NV3_PM_STENCIL_TWO_SIDE_ENABLE, 1);
    m(p, NV3_PM_ARRAY_FORMAT, 2 | 4 << NV3_PM_ARRAY_SIZE_SHIFT);
    set_texture(p, 0, TEXTURE, SIDE, 0);
    assert_int_equal(nv3_programs_save(p, &context), NV3_PROGRAMS_OK);
    for (; word->name; word++) {
        /*
         * BEGIN_END does not check IDXBUF_FORMAT. It does not check vertex textures
         * either, because the vertex program does not use them.
         */
        if (word->offset == NV3_PM_BEGIN_END || word->offset == NV3_PM_IDXBUF_FORMAT ||
            (word->offset >= NV3_PM_VTXTEX && word->offset < NV3_PM_VTXTEX + 0x80)) {
            continue;
        }
        for (const struct nv3_field *f = word->fields; f && f->bits; f++) {
            if (f->kind == NV3_FIELD_ENUM) {
                check_field(p, word, context.method[word->offset / 4], f);
                fields++;
            }
        }
    }
    assert_true(fields > 30);
    nv3_programs_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_named_values),
        cmocka_unit_test(test_drop_in_primitive),
        cmocka_unit_test(test_cached),
        cmocka_unit_test(test_draw_limit),
        cmocka_unit_test(test_pitch),
        cmocka_unit_test(test_cube_base),
        cmocka_unit_test(test_srgb),
        cmocka_unit_test(test_steps),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
