/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests the methods of class 0x1F without PGRAPH. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "chip/le.h"
#include "programs_scene.h"

/*
 * Records draws that fill several batches. One of eight triangles is large, so that some
 * batches end within a chunk, and others between two chunks. The depth function changes
 * between the draws.
 */
static void long_scene(void)
{
    begin_scene();
    for (unsigned i = 0; i < VERTICES; i += 3) {
        const float x = random_float(), y = random_float(), z = random_float();
        const float size = i % 8 ? 0.1f : 1;

        for (unsigned n = 0; n < 3; n++) {
            put_vertex(i + n, x + size * random_float(), y + size * random_float(), z,
                       random_bits());
        }
    }
    m(NV3_PM_DEPTH_TEST_ENABLE, 1);
    for (unsigned i = 0; i < 40; i++) {
        m(NV3_PM_DEPTH_FUNC, i % 2 ? 0x205 : 0x202 + i % 3);
        m(NV3_PM_BEGIN_END, NV3_GEOM_TRIANGLES);
        for (unsigned n = 0; n < 50; n++) {
            m(NV3_PM_DRAW_ARRAYS, (VERTICES - 1) << NV3_PM_DRAW_COUNT_SHIFT);
        }
        m(NV3_PM_BEGIN_END, 0);
    }
}

/* ---- tests -------------------------------------------------------------------- */

static void test_clear_and_quad(void **state)
{
    for (unsigned pieces = 0; pieces < 2; pieces++) {
        ram.in_pieces = !pieces;
        begin_scene();
        put_vertex(0, -0.5f, 0.5f, 0, 0xff8000ff);
        put_vertex(1, 0.5f, 0.5f, 0, 0xff8000ff);
        put_vertex(2, 0.5f, -0.5f, 0, 0xff8000ff);
        put_vertex(3, -0.5f, -0.5f, 0, 0xff8000ff);
        m(NV3_PM_BEGIN_END, NV3_GEOM_QUADS);
        m(NV3_PM_DRAW_ARRAYS, 3u << NV3_PM_DRAW_COUNT_SHIFT);
        m(NV3_PM_BEGIN_END, 0);
        run(1, NEVER);
        for (unsigned y = 0; y < SIZE; y++) {
            for (unsigned x = 0; x < SIZE; x++) {
                bool in = x >= 32 && x < 96 && y >= 32 && y < 96;

                assert_int_equal(pixel(x, y), in ? 0xffff8000 : 0xff102030);
            }
        }
    }
}

/*
 * Draws the scene's vertices. @way selects the methods with which they are drawn, and
 * does not affect the picture.
 */
static void draw_vertices(unsigned way)
{
    m(NV3_PM_BEGIN_END, NV3_GEOM_TRIANGLES);
    for (unsigned i = 0; i < VERTICES; i++) {
        uint32_t words[sizeof(Vertex) / 4];

        for (unsigned n = 0; n < sizeof(Vertex) / 4; n++) {
            words[n] = nv3_ldl(memory + ARRAYS + i * sizeof(Vertex) + n * 4);
        }
        switch (way) {
        case 0:
            m(NV3_PM_DRAW_ARRAYS, i);
            break;
        case 1:
            m(NV3_PM_ARRAY_ELEMENT32, i);
            break;
        case 2:
            if (i % 2) {
                m(NV3_PM_ARRAY_ELEMENT16, (i - 1) | i << 16);
            }
            break;
        case 3:
            for (unsigned n = 0; n < 7; n++) {
                m(NV3_PM_INLINE_ARRAY, words[n]);
            }
            break;
        case 4:
            m(NV3_PM_VERTEX_DATA4UB + 4 * 3, words[4]);
            m(NV3_PM_VERTEX_DATA2F + 8 * 9, words[5]);
            m(NV3_PM_VERTEX_DATA2F + 8 * 9 + 4, words[6]);
            for (unsigned n = 0; n < 4; n++) {
                m((i & 1 ? NV3_PM_VERTEX4F : NV3_PM_VERTEX_DATA4F) + 4 * n, words[n]);
            }
            break;
        default:
            if (i % 60 == 59) {
                m(NV3_PM_INDEX_BATCH, (i - 59) | 59u << NV3_PM_DRAW_COUNT_SHIFT);
            }
            break;
        }
    }
    m(NV3_PM_BEGIN_END, 0);
}

static void random_scene(unsigned way)
{
    begin_scene();
    put_random_vertices();
    m(NV3_PM_DEPTH_TEST_ENABLE, 1);
    if (way >= 5) {
        m(NV3_PM_IDXBUF_OFFSET, INDICES);
        m(NV3_PM_IDXBUF_FORMAT, (way - 5) << 4);
        for (unsigned i = 0; i < VERTICES; i++) {
            memory[INDICES + (i << (7 - way))] = i;
        }
    }
    draw_vertices(way);
}

static void test_ways_to_draw(void **state)
{
    for (unsigned way = 0; way < 8; way++) {
        ram.in_pieces = !(way & 1);
        /*
         * Compare all cases with the picture of the first case, because all cases draw
         * the same vertices.
         */
        if (!way) {
            random_scene(way);
            run(1, NEVER);
            keep();
        } else {
            static uint8_t arrays[VERTICES * sizeof(Vertex)];

            memcpy(arrays, memory + ARRAYS, sizeof(arrays));
            random_scene(way);
            memcpy(memory + ARRAYS, arrays, sizeof(arrays));
            call_count = 0;
            set_target();
            set_vertex_program();
            set_fragment_program(false);
            set_arrays();
            m(NV3_PM_DEPTH_TEST_ENABLE, 1);
            if (way >= 5) {
                m(NV3_PM_IDXBUF_OFFSET, INDICES);
                m(NV3_PM_IDXBUF_FORMAT, (way - 5) << 4);
            }
            draw_vertices(way);
            run(way % 4 + 1, NEVER);
            assert_kept();
        }
    }
}

/*
 * The core fetches vertices only after it has executed the methods that select them. It
 * must nevertheless process them with the program that was current when the primitive
 * began.
 */
static void test_program_start(void **state)
{
    VpAsm a = { 0 };

    begin_scene();
    /*
     * The second program draws the vertices to the right of the first program's picture.
     */
    vp_vector(&a, NV3_VP_ADD, NV3_GEOM_O_POSITION, 0, "xyzw", VP_V(0, "xyzw"), VP_NONE,
              VP_C(6, "xyzw"));
    vp_copy(&a, NV3_GEOM_O_COLOR0, 3);
    vp_end(&a);
    m(NV3_PM_TRANSFORM_PROGRAM_LOAD, 100);
    for (unsigned i = 0; i < a.count * 4; i++) {
        m(NV3_PM_TRANSFORM_PROGRAM + i % 32 * 4, a.words[i / 4][i % 4]);
    }
    m(NV3_PM_TRANSFORM_CONSTANT_LOAD, 6);
    for (unsigned i = 0; i < 4; i++) {
        m(NV3_PM_TRANSFORM_CONSTANT + 4 * i, flat_bits(i ? 0 : 1));
    }
    put_vertex(0, -1, 1, 0, 0xffffffff);
    put_vertex(1, 0, 1, 0, 0xffffffff);
    put_vertex(2, 0, -1, 0, 0xffffffff);
    put_vertex(3, -1, -1, 0, 0xffffffff);
    for (unsigned i = 0; i < 2; i++) {
        m(NV3_PM_TRANSFORM_PROGRAM_START, i ? 100 : 0);
        m(NV3_PM_BEGIN_END, NV3_GEOM_QUADS);
        m(NV3_PM_DRAW_ARRAYS, 3u << NV3_PM_DRAW_COUNT_SHIFT);
        m(NV3_PM_BEGIN_END, 0);
    }
    run(1, NEVER);
    for (unsigned x = 0; x < SIZE; x++) {
        assert_int_equal(pixel(x, SIZE / 2), 0xffffffff);
    }
}

/*
 * The picture must not depend on the method before which the context is saved and loaded.
 */
static void test_save_and_load(void **state)
{
    ram.in_pieces = false;
    for (unsigned way = 0; way < 5; way += 1) {
        random_scene(way);
        run(1, NEVER);
        keep();
        for (unsigned at = 0; at < call_count; at += way == 3 ? 7 : 3) {
            run(1, at);
            assert_kept();
        }
    }
}

static void set_texture(void)
{
    for (unsigned i = 0; i < 16; i++) {
        uint32_t texel = (i % 4 + i / 4) & 1 ? 0xffffffff : 0xff000000;

        put_words(TEXTURE + i / 4 * 64 + i % 4 * 4, &texel, 1);
    }
    m(NV3_PM_TEX + 4 * NV3_PM_TEX_OFFSET, TEXTURE);
    m(NV3_PM_TEX + 4 * NV3_PM_TEX_FORMAT, 1 << 13 | 5 << 8 | 2 << 4 | 1 << 16);
    m(NV3_PM_TEX + 4 * NV3_PM_TEX_WRAP, 0x00030303);
    m(NV3_PM_TEX + 4 * NV3_PM_TEX_ENABLE, 0x80000000u | 0xfff << 7);
    m(NV3_PM_TEX + 4 * NV3_PM_TEX_FILTER, 1 << 16 | 1 << 24);
    m(NV3_PM_TEX + 4 * NV3_PM_TEX_NPOT_SIZE, 4 << 16 | 4);
    m(NV3_PM_TEX_SIZE1, 1u << 20 | 64);
}

/*
 * The picture must not depend on the number of threads, although workers draw one batch
 * while the caller fills another.
 */
static void test_long_scene(void **state)
{
    ram.in_pieces = false;
    long_scene();
    run(1, NEVER);
    keep();
    for (unsigned threads = 2; threads <= 4; threads++) {
        run(threads, NEVER);
        assert_kept();
        run(threads, call_count / threads);
        assert_kept();
    }
}

/* nv3_programs_drop() must also drop the batch that workers are drawing. */
static void test_drop(void **state)
{
    NV3Programs *p = nv3_programs_new(&accessors, 2);

    ram.in_pieces = false;
    long_scene();
    run(1, NEVER);
    keep();
    for (unsigned count = call_count / 16; count < call_count; count += call_count / 16) {
        for (unsigned i = 0; i < count; i++) {
            assert_int_equal(nv3_programs_method(p, calls[i].method, calls[i].data),
                             NV3_PROGRAMS_OK);
        }
        nv3_programs_drop(p);
        assert_false(nv3_programs_has_work(p));
    }
    for (unsigned i = 0; i < call_count; i++) {
        assert_int_equal(nv3_programs_method(p, calls[i].method, calls[i].data),
                         NV3_PROGRAMS_OK);
    }
    assert_int_equal(nv3_programs_flush(p), NV3_PROGRAMS_OK);
    assert_kept();
    nv3_programs_free(p);
}

static void test_texture_and_cache(void **state)
{
    for (unsigned pieces = 0; pieces < 2; pieces++) {
        ram.in_pieces = !pieces;
        begin_scene();
        set_fragment_program(true);
        set_texture();
        put_vertex(0, -1, 1, 0, 0xff00ffff);
        put_vertex(1, 1, 1, 0, 0xff00ffff);
        put_vertex(2, 1, -1, 0, 0xff00ffff);
        put_vertex(3, -1, -1, 0, 0xff00ffff);
        m(NV3_PM_TEX_CACHE_CTL, 1);
        m(NV3_PM_BEGIN_END, NV3_GEOM_QUADS);
        m(NV3_PM_DRAW_ARRAYS, 3u << NV3_PM_DRAW_COUNT_SHIFT);
        m(NV3_PM_BEGIN_END, 0);
        run(1, NEVER);
        for (unsigned y = 0; y < SIZE; y++) {
            for (unsigned x = 0; x < SIZE; x++) {
                /*
                 * t is 0 at the bottom of the quad, so row 0 of the texture is at the
                 * bottom.
                 */
                bool white = (x / 32 + (SIZE - 1 - y) / 32) & 1;

                assert_int_equal(pixel(x, y), white ? 0xffff00ff : 0xff000000);
            }
        }
    }
}

static void draw_quad(NV3Programs *p)
{
    nv3_programs_method(p, NV3_PM_BEGIN_END, NV3_GEOM_QUADS);
    nv3_programs_method(p, NV3_PM_DRAW_ARRAYS, 3u << NV3_PM_DRAW_COUNT_SHIFT);
    nv3_programs_method(p, NV3_PM_BEGIN_END, 0);
    assert_int_equal(nv3_programs_flush(p), NV3_PROGRAMS_OK);
}

#define VERTEX_UNIT     2
#define LEVEL_1         (4 * 64) /* offset of level 1 in a texture of 4 x 4 texels */

static uint32_t texel_of(unsigned level, unsigned s, unsigned t)
{
    return 0xff000000u | level << 20 | s << 12 | t << 4;
}

/* Sets a vertex texture with a level of 4 x 4 texels and a level of 2 x 2 texels. */
static void set_vertex_texture(void)
{
    const uint32_t words = NV3_PM_VTXTEX + VERTEX_UNIT * NV3_PM_TEX_WORDS * 4;

    for (unsigned i = 0; i < 20; i++) {
        unsigned level = i / 16, side = level ? 2 : 4;
        unsigned s = i % side, t = i % 16 / side;
        uint32_t texel = texel_of(level, s, t);

        put_words(TEXTURE + level * LEVEL_1 + t * 64 + s * 4, &texel, 1);
    }
    m(words + 4 * NV3_PM_TEX_OFFSET, TEXTURE);
    m(words + 4 * NV3_PM_TEX_FORMAT, 1 << 13 | 5 << 8 | 2 << 4 | 2 << 16);
    m(words + 4 * NV3_PM_TEX_WRAP, 0x00030303);
    m(words + 4 * NV3_PM_TEX_ENABLE, 0x80000000u | 0xfff << 7);
    m(words + 4 * NV3_PM_TEX_FILTER, 3 << 16 | 1 << 24);
    m(words + 4 * NV3_PM_TEX_NPOT_SIZE, 4 << 16 | 4);
    m(NV3_PM_VTXTEX_SIZE1 + 4 * VERTEX_UNIT, 1u << 20 | 64);
}

/*
 * Sets a vertex program that outputs a texel as the colour. @coord: swizzle of the
 * texture coordinates s, t, 0, 1.
 */
static void set_sampling_program(const char *coord)
{
    VpAsm a = { 0 };

    vp_copy(&a, NV3_GEOM_O_POSITION, 0);
    vp_vector(&a, NV3_VP_TXL & 15, NV3_GEOM_O_COLOR0, 0, "xyzw", VP_V(9, coord),
              VP_R(VERTEX_UNIT, "x"), VP_NONE);
    a.words[1][0] |= NV3_VP_EXT | NV3_VP_EXT_VECTOR_OP;
    vp_end(&a);
    m(NV3_PM_TRANSFORM_PROGRAM_LOAD, 0);
    for (unsigned i = 0; i < a.count * 4; i++) {
        m(NV3_PM_TRANSFORM_PROGRAM + i % 32 * 4, a.words[i / 4][i % 4]);
    }
}

/* Creates a point of one pixel for each texel of level 0. */
static void put_points(void)
{
    for (unsigned i = 0; i < 16; i++) {
        const Vertex v = {
            { (2 * i + 1.0f) / SIZE - 1, 1.0f / SIZE, 0, 1 }, { 0 },
            { (i % 4 + 0.5f) / 4, (i / 4 + 0.5f) / 4 },
        };
        uint32_t words[sizeof(v) / 4];

        memcpy(words, &v, sizeof(v));
        put_words(ARRAYS + i * sizeof(v), words, sizeof(v) / 4);
    }
}

static void draw_points(void)
{
    m(NV3_PM_BEGIN_END, NV3_GEOM_POINTS);
    m(NV3_PM_DRAW_ARRAYS, 15u << NV3_PM_DRAW_COUNT_SHIFT);
    m(NV3_PM_BEGIN_END, 0);
}

/*
 * The vertex program selects the mip level. If the texture unit is disabled, the texel is
 * black.
 */
static void test_vertex_texture(void **state)
{
    for (unsigned pieces = 0; pieces < 2; pieces++) {
        ram.in_pieces = !pieces;
        for (unsigned level = 0; level < 2; level++) {
            begin_scene();
            put_points();
            set_vertex_texture();
            set_sampling_program(level ? "xyzw" : "xyzz");
            draw_points();
            run(1, NEVER);
            for (unsigned i = 0; i < 16; i++) {
                assert_int_equal(pixel(i, SIZE / 2 - 1),
                                 texel_of(level, i % 4 >> level, i / 4 >> level));
            }
        }
        m(NV3_PM_VTXTEX + (VERTEX_UNIT * NV3_PM_TEX_WORDS + NV3_PM_TEX_ENABLE) * 4, 0);
        draw_points();
        run(1, NEVER);
        assert_int_equal(pixel(7, SIZE / 2 - 1), 0xff000000);
    }
}

/*
 * Creates an instance of the class, saves its context to @context, and draws a quad with
 * a black texture. Then writes white texels to the texture's memory, so that a later quad
 * is black only if the instance still uses the decoded texture. Returns the instance.
 */
static NV3Programs *draw_textured(NV3ProgramsContext *context)
{
    NV3Programs *p = nv3_programs_new(&accessors, 1);

    ram.in_pieces = false;
    begin_scene();
    set_fragment_program(true);
    set_texture();
    put_vertex(0, -1, 1, 0, 0xffffffff);
    put_vertex(1, 1, 1, 0, 0xffffffff);
    put_vertex(2, 1, -1, 0, 0xffffffff);
    put_vertex(3, -1, -1, 0, 0xffffffff);
    for (unsigned i = 0; i < call_count; i++) {
        assert_int_equal(nv3_programs_method(p, calls[i].method, calls[i].data),
                         NV3_PROGRAMS_OK);
    }
    assert_int_equal(nv3_programs_save(p, context), NV3_PROGRAMS_OK);
    draw_quad(p);
    assert_int_equal(pixel(0, SIZE - 1), 0xff000000);
    memset(memory + TEXTURE, 0xff, 4 * 64);
    return p;
}

/* Loads a context, draws a quad, and returns the colour of the quad. */
static uint32_t color_after_load(NV3Programs *p, const NV3ProgramsContext *context,
                                 uint32_t owner)
{
    assert_true(nv3_programs_load(p, context, owner, false));
    draw_quad(p);
    return pixel(0, SIZE - 1);
}

/*
 * A context must not use decoded textures of another context, or of an earlier context
 * with the same owner number. While another context is loaded, the decoded textures of a
 * context must remain in the cache.
 */
static void test_texture_of_other_context(void **state)
{
    static NV3ProgramsContext context, initial;
    NV3Programs *p = draw_textured(&context);

    assert_int_equal(color_after_load(p, &context, 0x1000), 0xffffffff);
    assert_int_equal(color_after_load(p, &context, 0), 0xff000000);
    nv3_programs_reset(&initial);
    assert_true(nv3_programs_load(p, &initial, 0, true));
    assert_int_equal(color_after_load(p, &context, 0), 0xffffffff);
    nv3_programs_free(p);
}

/*
 * TEX_CACHE_SIZE must invalidate only textures in the range of this size at
 * TEX_CACHE_OFFSET.
 */
static void test_texture_range(void **state)
{
    static NV3ProgramsContext context;
    NV3Programs *p = draw_textured(&context);
    static const struct {
        uint32_t offset, size, color;
    } range[] = {
        { TEXTURE - 64, 64, 0xff000000 },
        { TEXTURE + 4 * 64, 64, 0xff000000 },
        { TEXTURE + 4 * 64 - 1, 1, 0xffffffff },
    };

    for (unsigned i = 0; i < sizeof(range) / sizeof(range[0]); i++) {
        nv3_programs_method(p, NV3_PM_TEX_CACHE_OFFSET, range[i].offset);
        assert_int_equal(nv3_programs_method(p, NV3_PM_TEX_CACHE_SIZE, range[i].size),
                         NV3_PROGRAMS_OK);
        draw_quad(p);
        assert_int_equal(pixel(0, SIZE - 1), range[i].color);
    }
    nv3_programs_free(p);
}

/*
 * Fragment programs that differ only in inline constants must share one translation, but
 * each program must use its own constants.
 */
static void test_fragment_constants(void **state)
{
    static NV3ProgramsCounters counters;
    NV3Programs *p = nv3_programs_new(&accessors, 1);
    const unsigned draws = 8;

    begin_scene();
    for (unsigned i = 0; i < draws; i++) {
        const float x = -1 + 2.0f * i / draws;

        put_vertex(4 * i, x, 1, 0, ~0u);
        put_vertex(4 * i + 1, x + 2.0f / draws, 1, 0, ~0u);
        put_vertex(4 * i + 2, x + 2.0f / draws, -1, 0, ~0u);
        put_vertex(4 * i + 3, x, -1, 0, ~0u);
    }
    for (unsigned i = 0; i < call_count; i++) {
        nv3_programs_method(p, calls[i].method, calls[i].data);
    }
    for (unsigned i = 0; i < draws; i++) {
        FpAsm a = { 0 };

        fp_op2(&a, NV3_FP_MUL, fp_d(0, "xyzw"), fp_in(NV3_FP_COLOR0, "xyzw"),
               fp_k(i / 255.0f, 0, 0, 1));
        flat_put_fragment_program(&ram, FRAGMENT, &a);
        nv3_programs_method(p, NV3_PM_FP_ACTIVE_PROGRAM, FRAGMENT);
        nv3_programs_method(p, NV3_PM_BEGIN_END, NV3_GEOM_QUADS);
        nv3_programs_method(p, NV3_PM_DRAW_ARRAYS, 3u << NV3_PM_DRAW_COUNT_SHIFT | 4 * i);
        nv3_programs_method(p, NV3_PM_BEGIN_END, 0);
    }
    assert_int_equal(nv3_programs_flush(p), NV3_PROGRAMS_OK);
    for (unsigned i = 0; i < draws; i++) {
        assert_int_equal(pixel(i * SIZE / draws, SIZE / 2), 0xff000000 | i << 16);
    }
    nv3_programs_counters(p, &counters);
    assert_int_equal(counters.translated, 1);
    nv3_programs_free(p);
}

static void test_report(void **state)
{
    ram.in_pieces = false;
    begin_scene();
    put_vertex(0, -1, 1, 0, ~0u);
    put_vertex(1, 0, 1, 0, ~0u);
    put_vertex(2, 0, 0, 0, ~0u);
    put_vertex(3, -1, 0, 0, ~0u);
    m(NV3_PM_CLEAR_REPORT_VALUE, 1);
    for (unsigned i = 0; i < 3; i++) {
        m(NV3_PM_BEGIN_END, NV3_GEOM_QUADS);
        m(NV3_PM_DRAW_ARRAYS, 3u << NV3_PM_DRAW_COUNT_SHIFT);
        m(NV3_PM_BEGIN_END, 0);
    }
    m(NV3_PM_GET_REPORT, REPORT | 1u << 24);
    run(1, NEVER);
    assert_int_equal(nv3_ldl(memory + REPORT), (uint32_t)clock_ns(NULL));
    assert_int_equal(nv3_ldl(memory + REPORT + 4), clock_ns(NULL) >> 32);
    assert_int_equal(nv3_ldl(memory + REPORT + 8), 3 * 64 * 64);
}

/*
 * Runs the recorded methods until one fails. Returns the result of this method, and sets
 * @offset to the offset of the access that caused the last fault.
 */
static NV3ProgramsResult first_failure(uint32_t *offset)
{
    NV3Programs *p = nv3_programs_new(&accessors, 1);
    NV3ProgramsResult result = NV3_PROGRAMS_OK;

    for (unsigned i = 0; i < call_count && !result; i++) {
        result = nv3_programs_method(p, calls[i].method, calls[i].data);
    }
    if (!result) {
        result = nv3_programs_flush(p);
    }
    *offset = nv3_programs_fault(p);
    nv3_programs_free(p);
    return result;
}

static void check_failure(uint32_t method, uint32_t data, NV3ProgramsResult want)
{
    uint32_t offset;

    begin_scene();
    m(method, data);
    /*
     * The state differs between the two primitives, so the core fetches the first
     * primitive's vertices when the second primitive begins.
     */
    for (unsigned i = 0; i < 2; i++) {
        m(NV3_PM_INSTANCE, i);
        m(NV3_PM_BEGIN_END, NV3_GEOM_TRIANGLES);
        m(NV3_PM_DRAW_ARRAYS, 2u << NV3_PM_DRAW_COUNT_SHIFT);
        m(NV3_PM_BEGIN_END, 0);
    }
    assert_int_equal(first_failure(&offset), want);
}

static void draw_triangle(unsigned first)
{
    m(NV3_PM_BEGIN_END, NV3_GEOM_TRIANGLES);
    m(NV3_PM_DRAW_ARRAYS, 2u << NV3_PM_DRAW_COUNT_SHIFT | first);
    m(NV3_PM_BEGIN_END, 0);
    m(NV3_PM_WAIT_FOR_IDLE, 0);
}

/*
 * The sum of ELEMENT_BASE and the index of a vertex exceeds 32 bits, so it wraps to 0.
 */
static void test_overflowing_elements(void **state)
{
    uint32_t offset;

    for (unsigned pieces = 0; pieces < 2; pieces++) {
        ram.in_pieces = !pieces;
        begin_scene();
        draw_triangle(4);
        m(NV3_PM_ELEMENT_BASE, UINT32_MAX);
        draw_triangle(0);
        assert_int_equal(first_failure(&offset), NV3_PROGRAMS_FAULT);
    }
}

static void test_failures(void **state)
{
    for (unsigned pieces = 0; pieces < 2; pieces++) {
        ram.in_pieces = !pieces;
        check_failure(NV3_PM_NO_OPERATION, 0, NV3_PROGRAMS_OK);
        check_failure(NV3_PM_ARRAY_OFFSET, MEMORY - 20, NV3_PROGRAMS_FAULT);
        check_failure(NV3_PM_ARRAY_OFFSET, UINT32_MAX - 3, NV3_PROGRAMS_FAULT);
        check_failure(NV3_PM_SURFACE_COLOR_OFFSET, MEMORY - 1024, NV3_PROGRAMS_FAULT);
        check_failure(NV3_PM_SURFACE_ZETA_OFFSET, MEMORY - 1024, NV3_PROGRAMS_FAULT);
        check_failure(NV3_PM_SURFACE_COLOR_OFFSET, 2, NV3_PROGRAMS_BAD_DATA);
        check_failure(NV3_PM_SURFACE_PITCH, 64, NV3_PROGRAMS_BAD_DATA);
        check_failure(NV3_PM_SURFACE_FORMAT, 0x15, NV3_PROGRAMS_BAD_DATA);
        check_failure(NV3_PM_FP_ACTIVE_PROGRAM, MEMORY, NV3_PROGRAMS_FAULT);
        check_failure(NV3_PM_TRANSFORM_PROGRAM_START, NV3_VP_INSNS,
                      NV3_PROGRAMS_BAD_DATA);
        check_failure(NV3_PM_TRANSFORM_PROGRAM_START, 10, NV3_PROGRAMS_BAD_DATA);
        check_failure(NV3_PM_ARRAY_FORMAT, 0x1f, NV3_PROGRAMS_BAD_DATA);
        check_failure(NV3_PM_DEPTH_FUNC, 0x999, NV3_PROGRAMS_BAD_DATA);
        check_failure(NV3_PM_BLEND_EQUATION, 0, NV3_PROGRAMS_BAD_DATA);
        check_failure(0x0104, 0, NV3_PROGRAMS_BAD_METHOD);
        check_failure(0x1ffc, 0, NV3_PROGRAMS_BAD_METHOD);
        check_failure(NV3_PM_BEGIN_END, NV3_GEOM_PRIMITIVES, NV3_PROGRAMS_BAD_DATA);
        check_failure(NV3_PM_DRAW_ARRAYS, 0, NV3_PROGRAMS_BAD_DATA);
        check_failure(NV3_PM_GET_REPORT, MEMORY - 8, NV3_PROGRAMS_FAULT);
    }
}

/*
 * Executes random methods with plausible or random data. Methods may fail, but must not
 * crash the core.
 */
static void test_random_methods(void **state)
{
    ram.in_pieces = false;
    for (unsigned round = 0; round < 300; round++) {
        NV3Programs *p = nv3_programs_new(&accessors, 1);

        begin_scene();
        put_random_vertices();
        set_texture();
        if (round % 2) {
            set_vertex_texture();
            set_sampling_program("xyzw");
        }
        for (unsigned i = 0; i < call_count; i++) {
            nv3_programs_method(p, calls[i].method, calls[i].data);
        }
        for (unsigned i = 0; i < 400; i++) {
            uint32_t method = random_bits() % NV3_PROGRAMS_METHODS & ~3u;
            uint32_t data = random_bits() >> random_bits() % 32;

            if (i % 8 == 0) {
                nv3_programs_method(p, NV3_PM_BEGIN_END, random_bits() % 11);
                nv3_programs_method(p, NV3_PM_DRAW_ARRAYS, random_bits() & 0x1f00001f);
                nv3_programs_method(p, NV3_PM_BEGIN_END, 0);
            }
            nv3_programs_method(p, method, data);
        }
        nv3_programs_flush(p);
        nv3_programs_free(p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_clear_and_quad),
        cmocka_unit_test(test_ways_to_draw),
        cmocka_unit_test(test_program_start),
        cmocka_unit_test(test_save_and_load),
        cmocka_unit_test(test_long_scene),
        cmocka_unit_test(test_drop),
        cmocka_unit_test(test_texture_and_cache),
        cmocka_unit_test(test_vertex_texture),
        cmocka_unit_test(test_texture_of_other_context),
        cmocka_unit_test(test_texture_range),
        cmocka_unit_test(test_fragment_constants),
        cmocka_unit_test(test_report),
        cmocka_unit_test(test_failures),
        cmocka_unit_test(test_overflowing_elements),
        cmocka_unit_test(test_random_methods),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
