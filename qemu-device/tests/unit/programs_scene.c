/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Implements programs_scene.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "chip/le.h"
#include "programs_scene.h"

#define CALLS_MAX   8192

/* ---- a memory ---------------------------------------------------------------- */

uint8_t memory[MEMORY];
FlatMemory ram = { .bytes = memory, .size = MEMORY };

uint64_t clock_ns(void *opaque)
{
    return 0x123456789ull;
}

/* The contents of the targets before a run, and the bytes that the class has reported. */
static uint8_t before[ARRAYS], reported[ARRAYS];

static void note_dirty(void *opaque, const uint8_t *from, uint32_t len)
{
    const size_t at = from - memory;

    if (at < sizeof(reported)) {
        memset(reported + at, 1,
               len < sizeof(reported) - at ? len : sizeof(reported) - at);
    }
}

static void assert_reported(void)
{
    for (size_t i = 0; i < sizeof(reported); i++) {
        assert_true(memory[i] == before[i] || reported[i]);
    }
}

const NV3ProgramsMemory accessors = {
    FLAT_ACCESSORS(&ram), .dirty = note_dirty, .clock = clock_ns,
};

/* ---- recorded methods --------------------------------------------------------- */

Call calls[CALLS_MAX];
unsigned call_count;

void m(uint32_t method, uint32_t data)
{
    assert_true(call_count < CALLS_MAX);
    calls[call_count++] = (Call) { method, data };
}

void put_words(uint32_t offset, const uint32_t *words, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        for (unsigned b = 0; b < 4; b++) {
            memory[offset + 4 * i + b] = words[i] >> 8 * b;
        }
    }
}

/*
 * Runs the recorded methods. Before method @at, saves the context and loads it in a new
 * instance of the class, which runs the remaining methods.
 */
void run(unsigned threads, unsigned at)
{
    NV3Programs *p = nv3_programs_new(&accessors, threads);
    static NV3ProgramsContext context;

    assert_non_null(p);
    memcpy(before, memory, sizeof(before));
    memset(reported, 0, sizeof(reported));
    for (unsigned i = 0; i < call_count; i++) {
        if (i == at) {
            assert_int_equal(nv3_programs_save(p, &context), NV3_PROGRAMS_OK);
            nv3_programs_free(p);
            p = nv3_programs_new(&accessors, threads);
            assert_true(nv3_programs_load(p, &context, 0, false));
        }
        if (nv3_programs_method(p, calls[i].method, calls[i].data)) {
            fail_msg("call %u: method 0x%04x, data 0x%08x", i, calls[i].method,
                     calls[i].data);
        }
    }
    assert_int_equal(nv3_programs_flush(p), NV3_PROGRAMS_OK);
    assert_reported();
    nv3_programs_free(p);
}

/* ---- scenes ------------------------------------------------------------------- */

void set_target(void)
{
    m(NV3_PM_SURFACE_CLIP_HORIZONTAL, SIZE << 16);
    m(NV3_PM_SURFACE_CLIP_VERTICAL, SIZE << 16);
    m(NV3_PM_SURFACE_FORMAT,
      8 | 2 << NV3_PM_FORMAT_ZETA_SHIFT | 1 << NV3_PM_FORMAT_TYPE_SHIFT);
    m(NV3_PM_SURFACE_PITCH, SIZE * 4 | SIZE * 4 << 16);
    m(NV3_PM_SURFACE_COLOR_OFFSET, COLOR);
    m(NV3_PM_SURFACE_ZETA_OFFSET, ZETA);
    m(NV3_PM_COLOR_CLEAR_VALUE, 0xff102030);
    m(NV3_PM_ZSTENCIL_CLEAR_VALUE, 0xffffff00);
    m(NV3_PM_CLEAR_SURFACE, NV3_PM_CLEAR_COLORS | NV3_PM_CLEAR_Z | NV3_PM_CLEAR_STENCIL);
    for (unsigned i = 0; i < 2; i++) {
        m(NV3_PM_VIEWPORT_SCALE + 4 * i, flat_bits(i ? -(SIZE / 2) : SIZE / 2));
        m(NV3_PM_VIEWPORT_OFFSET + 4 * i, flat_bits(SIZE / 2));
    }
}

void load_vertex_program(const VpAsm *a)
{
    m(NV3_PM_TRANSFORM_PROGRAM_LOAD, 0);
    for (unsigned i = 0; i < a->count * 4; i++) {
        m(NV3_PM_TRANSFORM_PROGRAM + i % 32 * 4, a->words[i / 4][i % 4]);
    }
    m(NV3_PM_TRANSFORM_PROGRAM_START, 0);
}

void set_vertex_program(void)
{
    VpAsm a = { 0 };

    vp_copy(&a, NV3_GEOM_O_POSITION, 0);
    vp_copy(&a, NV3_GEOM_O_COLOR0, 3);
    vp_vector(&a, NV3_VP_MUL, NV3_GEOM_O_TEXCOORD0, 0, "xyzw", VP_V(9, "xyzw"),
              VP_C(5, "xyzw"), VP_NONE);
    vp_end(&a);
    load_vertex_program(&a);
    m(NV3_PM_TRANSFORM_CONSTANT_LOAD, 5);
    for (unsigned i = 0; i < 4; i++) {
        m(NV3_PM_TRANSFORM_CONSTANT + 4 * i, flat_bits(1));
    }
}

/*
 * Sets a fragment program whose result is the interpolated colour. If @textured is true,
 * the program multiplies the colour by a texel.
 */
void set_fragment_program(bool textured)
{
    FpAsm a = { 0 };

    if (textured) {
        fp_tex(&a, NV3_FP_TEX, 0, fp_d(0, "xyzw"), fp_in(NV3_FP_TEXCOORD0, "xyzw"));
        fp_op2(&a, NV3_FP_MUL, fp_d(0, "xyzw"), fp_r(0, "xyzw"),
               fp_in(NV3_FP_COLOR0, "xyzw"));
    } else {
        fp_op1(&a, NV3_FP_MOV, fp_d(0, "xyzw"), fp_in(NV3_FP_COLOR0, "xyzw"));
    }
    flat_put_fragment_program(&ram, FRAGMENT, &a);
    m(NV3_PM_FP_ACTIVE_PROGRAM, FRAGMENT);
}

void set_arrays(void)
{
    static const struct {
        uint8_t attribute, type, size;
        unsigned offset;
    } array[] = {
        { 0, NV3_GEOM_FLOAT, 4, offsetof(Vertex, position) },
        { 3, NV3_GEOM_UBYTE_NORM, 4, offsetof(Vertex, color) },
        { 9, NV3_GEOM_FLOAT, 2, offsetof(Vertex, tex) },
    };

    for (unsigned i = 0; i < 3; i++) {
        m(NV3_PM_ARRAY_OFFSET + 4 * array[i].attribute, ARRAYS + array[i].offset);
        m(NV3_PM_ARRAY_FORMAT + 4 * array[i].attribute, array[i].type |
          array[i].size << NV3_PM_ARRAY_SIZE_SHIFT |
          sizeof(Vertex) << NV3_PM_ARRAY_STRIDE_SHIFT);
    }
}

void begin_scene(void)
{
    memset(memory, 0, MEMORY);
    call_count = 0;
    set_target();
    set_vertex_program();
    set_fragment_program(false);
    set_arrays();
}

void put_vertex(unsigned i, float x, float y, float z, uint32_t rgba)
{
    Vertex v = { { x, y, z, 1 }, { rgba >> 24, rgba >> 16, rgba >> 8, rgba },
                 { (x + 1) / 2, (y + 1) / 2 } };
    uint32_t words[sizeof(v) / 4];

    memcpy(words, &v, sizeof(v));
    words[4] = nv3_ldl(v.color);
    put_words(ARRAYS + i * sizeof(v), words, sizeof(v) / 4);
}

uint32_t pixel(unsigned x, unsigned y)
{
    return nv3_ldl(memory + COLOR + (y * SIZE + x) * 4);
}

uint32_t random_seed = 1;

uint32_t random_bits(void)
{
    uint32_t high;

    random_seed = random_seed * 1664525 + 1013904223;
    high = random_seed & 0xffff0000;
    random_seed = random_seed * 1664525 + 1013904223;
    return high | random_seed >> 16;
}

float random_float(void)
{
    return random_bits() / 2147483648.0f - 1;
}

void put_random_vertices(void)
{
    for (unsigned i = 0; i < VERTICES; i++) {
        put_vertex(i, random_float(), random_float(), random_float(), random_bits());
    }
}

static uint8_t wanted[SIZE * SIZE * 8];

void keep(void)
{
    memcpy(wanted, memory + COLOR, SIZE * SIZE * 4);
    memcpy(wanted + SIZE * SIZE * 4, memory + ZETA, SIZE * SIZE * 4);
}

void assert_kept(void)
{
    assert_memory_equal(wanted, memory + COLOR, SIZE * SIZE * 4);
    assert_memory_equal(wanted + SIZE * SIZE * 4, memory + ZETA, SIZE * SIZE * 4);
}
