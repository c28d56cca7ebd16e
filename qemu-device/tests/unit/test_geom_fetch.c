/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests vertex fetch: formats, strides, divisors, and accesses at the ends of memory. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "chip/le.h"
#include "geom_rig.h"

static float seen[4];

static void see(void *opaque, const NV3FpTriangle *tri, int32_t x, int32_t y)
{
    for (unsigned c = 0; c < 4; c++) {
        seen[c] = tri->input[NV3_FP_COLOR0][c].value;
    }
}

/* Draws a point whose colour (attribute 3) is element @number of @array. */
static NV3GeomError fetch(GeomRig *rig, const NV3GeomArray *array, uint32_t number)
{
    NV3GeomError error;

    rig_vertex(rig, 10, 10, 0.5, 1, 0);
    rig->st.array[0].stride = 0;
    rig->st.array[3] = *array;
    rig->st.flat = true;
    rig_set(rig);
    memset(seen, 0xff, sizeof(seen));
    assert_int_equal(nv3_geom_begin(rig->g, NV3_GEOM_POINTS), NV3_GEOM_OK);
    assert_int_equal(nv3_geom_elements(rig->g, &number, 1), NV3_GEOM_OK);
    assert_int_equal(nv3_geom_end(rig->g), NV3_GEOM_OK);
    error = nv3_geom_flush(rig->g);
    rig_clear(rig);
    return error;
}

static GeomRig *see_rig(void)
{
    GeomRig *rig = rig_new(1);

    rig->pixel = see;
    for (unsigned i = 1; i < NV3_VP_ATTRIBUTES; i++) {
        rig->st.array[i].components = 0;
    }
    return rig;
}

static float norm(int x, int largest)
{
    return x < -largest ? -1.0f : x / (float)largest;
}

/*
 * Returns the value of the IEEE 754 binary16 number @x, computed by the definition of the
 * format.
 */
static float half(unsigned x)
{
    int exponent = x >> 10 & 31, fraction = x & 1023;
    double value = exponent ? ldexp(1024 + fraction, exponent - 25) :
                   ldexp(fraction, -24);

    if (exponent == 31) {
        value = fraction ? NAN : INFINITY;
    }
    return x & 0x8000 ? -value : value;
}

static float expected(unsigned type, const uint8_t *bytes, unsigned c)
{
    uint16_t u16 = bytes[2 * c] | bytes[2 * c + 1] << 8;
    uint32_t word = bytes[0] | bytes[1] << 8 | bytes[2] << 16 | (uint32_t)bytes[3] << 24;
    float f;

    switch (type) {
    case NV3_GEOM_UBYTE_BGRA:
        return bytes[c == 0 ? 2 : c == 2 ? 0 : c] / 255.0f;
    case NV3_GEOM_SHORT_NORM:
        return norm((int16_t)u16, 32767);
    case NV3_GEOM_FLOAT:
        word = nv3_ldl(bytes + 4 * c);
        memcpy(&f, &word, sizeof(f));
        return f;
    case NV3_GEOM_HALF:
        return half(u16);
    case NV3_GEOM_UBYTE_NORM:
        return bytes[c] / 255.0f;
    case NV3_GEOM_SHORT:
        return (int16_t)u16;
    case NV3_GEOM_PACKED_NORM:
        return c == 0 ? norm((int32_t)(word << 21) >> 21, 1023) :
               c == 1 ? norm((int32_t)(word << 10) >> 21, 1023) :
               c == 2 ? norm((int32_t)word >> 22, 511) : 1;
    case NV3_GEOM_UBYTE:
        return bytes[c];
    case NV3_GEOM_USHORT_NORM:
        return u16 / 65535.0f;
    case NV3_GEOM_USHORT:
        return u16;
    case NV3_GEOM_BYTE_NORM:
        return norm((int8_t)bytes[c], 127);
    default:
        return (int8_t)bytes[c];
    }
}

static void check_element(GeomRig *rig, const NV3GeomArray *a, const uint8_t *bytes)
{
    for (unsigned c = 0; c < 4; c++) {
        bool given = c < a->components || a->type == NV3_GEOM_PACKED_NORM;
        float want = given ? expected(a->type, bytes, c) : c == 3;

        if (isnan(want)) {
            assert_true(isnan(seen[c]));
        } else {
            assert_true(seen[c] == want);
        }
    }
}

static void test_formats(void **state)
{
    static uint8_t memory[4096 + 16];
    GeomRig *rig = see_rig();

    for (unsigned type = 0; type < NV3_GEOM_TYPES; type++) {
        for (unsigned components = 1; components <= 4; components++) {
            if (type == NV3_GEOM_UBYTE_BGRA && components != 4) {
                continue;
            }
            for (unsigned i = 0; i < 64; i++) {
                /* The stride and the offset are random. The stride may be 0. */
                NV3GeomArray a = {
                    .base = memory, .size = sizeof(memory), .type = type,
                    .components = components, .offset = rig_random() % 64,
                    .stride = rig_random() % 64,
                };
                uint32_t number = rig_random() % 60;

                for (unsigned n = 0; n < sizeof(memory); n++) {
                    memory[n] = rig_random();
                }
                if (type == NV3_GEOM_FLOAT) {
                    a.offset &= ~3u;
                    a.stride &= ~3u;
                    for (unsigned n = 0; n < sizeof(memory) / 4; n++) {
                        rig_store((float *)memory + n, rig_uniform(-10, 10));
                    }
                }
                assert_int_equal(fetch(rig, &a, number), NV3_GEOM_OK);
                check_element(rig, &a, memory + a.offset + number * a.stride);
            }
        }
    }
    rig_free(rig);
}

static void test_all_halves(void **state)
{
    static uint16_t memory[65536];
    GeomRig *rig = see_rig();
    NV3GeomArray a = {
        .base = (uint8_t *)memory, .size = sizeof(memory), .type = NV3_GEOM_HALF,
        .components = 4, .stride = 8,
    };

    for (unsigned i = 0; i < 65536; i++) {
        nv3_stw(&memory[i], i);
    }
    for (unsigned i = 0; i < 16384; i++) {
        assert_int_equal(fetch(rig, &a, i), NV3_GEOM_OK);
        check_element(rig, &a, (uint8_t *)(memory + 4 * i));
    }
    rig_free(rig);
}

/*
 * Tests fetches of an array's last complete element, and of elements beyond the array's
 * end.
 */
static void test_ranges(void **state)
{
    static uint8_t memory[64];
    GeomRig *rig = see_rig();

    for (unsigned type = 0; type < NV3_GEOM_TYPES; type++) {
        static const unsigned bytes[NV3_GEOM_TYPES] = {
            4, 8, 16, 8, 4, 8, 4, 4, 8, 8, 4, 4
        };
        NV3GeomArray a = {
            .base = memory, .size = 5 + 3 * 17 + bytes[type] - 17 * (bytes[type] == 16),
            .type = type, .components = 4, .stride = 17, .offset = 5,
        };
        unsigned last = bytes[type] == 16 ? 2 : 3;

        assert_int_equal(fetch(rig, &a, last), NV3_GEOM_OK);
        assert_int_equal(fetch(rig, &a, last + 1), NV3_GEOM_OUT_OF_RANGE);
        assert_int_equal(fetch(rig, &a, UINT32_MAX), NV3_GEOM_OUT_OF_RANGE);
        a.size--;
        assert_int_equal(fetch(rig, &a, last), NV3_GEOM_OUT_OF_RANGE);
        a.size = 0;
        assert_int_equal(fetch(rig, &a, 0), NV3_GEOM_OUT_OF_RANGE);
    }
    rig_free(rig);
}

static void test_divisors_and_constants(void **state)
{
    static float memory[4];
    GeomRig *rig = see_rig();
    NV3GeomArray a = {
        .base = (const uint8_t *)memory, .size = sizeof(memory), .type = NV3_GEOM_FLOAT,
        .components = 1, .stride = 4, .divisor = 3,
    };

    for (unsigned i = 0; i < 4; i++) {
        rig_store(&memory[i], 10 + i);
    }
    for (uint32_t instance = 0; instance < 12; instance++) {
        rig->st.instance = instance;
        assert_int_equal(fetch(rig, &a, 1000), NV3_GEOM_OK);
        assert_true(seen[0] == 10 + instance / 3);
        assert_true(seen[1] == 0 && seen[2] == 0 && seen[3] == 1);
    }
    rig->st.instance = 12;
    assert_int_equal(fetch(rig, &a, 0), NV3_GEOM_OUT_OF_RANGE);
    a.components = 0;
    memcpy(rig->st.attribute[3], (float[]) { 1, 2, 3, 4 }, 16);
    assert_int_equal(fetch(rig, &a, 1000), NV3_GEOM_OK);
    assert_true(seen[0] == 1 && seen[1] == 2 && seen[2] == 3 && seen[3] == 4);
    rig_free(rig);
}

/*
 * Memory that the engine can read but cannot map. A read fails if it includes a byte in
 * the range from @hole to @hole_end - 1.
 */
typedef struct Scattered {
    uint8_t bytes[65536];
    uint64_t hole, hole_end;
    unsigned reads;
} Scattered;

static const uint8_t *map_nothing(void *opaque, uint64_t offset, uint64_t len)
{
    return NULL;
}

static bool read_scattered(void *opaque, uint64_t offset, void *to, uint32_t len)
{
    Scattered *m = opaque;

    m->reads++;
    if (offset + len > sizeof(m->bytes) ||
        (offset < m->hole_end && offset + len > m->hole)) {
        return false;
    }
    memcpy(to, m->bytes + offset, len);
    return true;
}

#define STRIDE  20

/*
 * Draws @count points from an array of interleaved positions and colours. @number: index
 * of each point in the array.
 */
static NV3GeomError draw_scattered(GeomRig *rig, const uint32_t *number, unsigned count)
{
    NV3GeomError error;

    assert_int_equal(nv3_geom_begin(rig->g, NV3_GEOM_POINTS), NV3_GEOM_OK);
    assert_int_equal(nv3_geom_elements(rig->g, number, count), NV3_GEOM_OK);
    assert_int_equal(nv3_geom_end(rig->g), NV3_GEOM_OK);
    error = nv3_geom_flush(rig->g);
    assert_true(error || seen[1] == number[count - 1]);
    return error;
}

static void test_scattered(void **state)
{
    static Scattered m;
    GeomRig *rig = see_rig();
    const NV3GeomMemory memory = { map_nothing, read_scattered, &m };
    const uint32_t near[] = { 5, 7, 6, 9 }, far[] = { 0, 3000 };

    for (unsigned i = 0; i < sizeof(m.bytes) / STRIDE; i++) {
        float *v = (float *)(m.bytes + i * STRIDE);

        rig_store(&v[4], i);
    }
    rig->st.memory = &memory;
    rig->st.flat = true;
    rig->st.array[0] = (NV3GeomArray) {
        .type = NV3_GEOM_FLOAT, .components = 3, .stride = STRIDE,
    };
    rig->st.array[3] = (NV3GeomArray) {
        .type = NV3_GEOM_FLOAT, .components = 2, .stride = STRIDE, .offset = 12,
    };
    rig_set(rig);
    assert_int_equal(draw_scattered(rig, near, 4), NV3_GEOM_OK);
    assert_int_equal(m.reads, 1);
    /*
     * The elements are far apart, so the engine reads each element of each array
     * separately.
     */
    m.reads = 0;
    assert_int_equal(draw_scattered(rig, far, 2), NV3_GEOM_OK);
    assert_int_equal(m.reads, 4);
    m.hole = 8 * STRIDE;
    m.hole_end = 9 * STRIDE;
    assert_int_equal(draw_scattered(rig, near, 4), NV3_GEOM_OK);
    m.hole = 9 * STRIDE;
    m.hole_end = 10 * STRIDE;
    assert_int_equal(draw_scattered(rig, near, 4), NV3_GEOM_OUT_OF_RANGE);
    rig_free(rig);
}

/*
 * Tests an inline vertex, which consists of 3 floats, 4 bytes, and 3 shorts in two
 * words.
 */
static void test_inline(void **state)
{
    GeomRig *rig = see_rig();
    const uint32_t words[] = { 0, 0, 0, 0x04030201, 0x00070006, 0xffff0008 };

    rig->st.array[0] = (NV3GeomArray) { .type = NV3_GEOM_FLOAT, .components = 3 };
    rig->st.array[3] = (NV3GeomArray) { .type = NV3_GEOM_UBYTE, .components = 4 };
    rig->st.array[4] = (NV3GeomArray) { .type = NV3_GEOM_SHORT, .components = 3 };
    rig->st.inputs[NV3_FP_COLOR1] = 15;
    rig_set(rig);
    assert_int_equal(nv3_geom_inline_words(rig->g), 6);
    assert_int_equal(nv3_geom_begin(rig->g, NV3_GEOM_POINTS), NV3_GEOM_OK);
    assert_int_equal(nv3_geom_inline(rig->g, words), NV3_GEOM_OK);
    assert_int_equal(nv3_geom_end(rig->g), NV3_GEOM_OK);
    assert_int_equal(nv3_geom_flush(rig->g), NV3_GEOM_OK);
    assert_true(seen[0] == 1 && seen[1] == 2 && seen[2] == 3 && seen[3] == 4);
    rig_free(rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_formats),
        cmocka_unit_test(test_all_halves),
        cmocka_unit_test(test_ranges),
        cmocka_unit_test(test_divisors_and_constants),
        cmocka_unit_test(test_scattered),
        cmocka_unit_test(test_inline),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
