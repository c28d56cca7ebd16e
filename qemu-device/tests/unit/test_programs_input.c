/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tests changes of the arrays, attributes, constants and indexing of class 0x1F between
 * draws.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "programs_scene.h"

/* Changes one of the values with which vertices are fetched, assembled or transformed. */
static void change_input(unsigned i)
{
    switch (random_bits() % 6) {
    case 0:
        m(NV3_PM_ARRAY_OFFSET + 4 * 3,
          ARRAYS + offsetof(Vertex, color) + i % 7 * sizeof(Vertex));
        break;
    case 1:
        /* Without an array, attribute 3 has the value that the second method sets. */
        m(NV3_PM_ARRAY_FORMAT + 4 * 3, i % 2 ? 0 :
          NV3_GEOM_UBYTE_NORM | 4 << NV3_PM_ARRAY_SIZE_SHIFT |
          sizeof(Vertex) << NV3_PM_ARRAY_STRIDE_SHIFT);
        m(NV3_PM_VERTEX_DATA4UB + 4 * 3, random_bits());
        break;
    case 2:
        m(NV3_PM_TRANSFORM_CONSTANT_LOAD, 5);
        for (unsigned c = 0; c < 4; c++) {
            m(NV3_PM_TRANSFORM_CONSTANT + 4 * c,
              flat_bits(c == 3 ? 1 : 0.5f + random_bits() % 8 / 16.0f));
        }
        break;
    case 3:
        m(NV3_PM_ARRAY_DIVISOR + 4 * 3, random_bits() % 2);
        m(NV3_PM_INSTANCE, random_bits() % VERTICES);
        break;
    case 4:
        m(NV3_PM_RESTART_ENABLE, i % 2);
        m(NV3_PM_RESTART_INDEX, random_bits() % 4 + 8);
        break;
    default:
        m(NV3_PM_ELEMENT_BASE, random_bits() % 8);
        break;
    }
}

/*
 * Records small draws with different inputs. If @new_state is true, another register also
 * changes before each draw, without an effect on triangles.
 */
static void input_scene(uint32_t seed, bool new_state)
{
    VpAsm a = { 0 };

    begin_scene();
    vp_vector(&a, NV3_VP_MUL, NV3_GEOM_O_POSITION, 0, "xyzw", VP_V(0, "xyzw"),
              VP_C(5, "xyzw"), VP_NONE);
    vp_copy(&a, NV3_GEOM_O_COLOR0, 3);
    vp_end(&a);
    m(NV3_PM_TRANSFORM_PROGRAM_LOAD, 0);
    for (unsigned i = 0; i < a.count * 4; i++) {
        m(NV3_PM_TRANSFORM_PROGRAM + i % 32 * 4, a.words[i / 4][i % 4]);
    }
    random_seed = seed;
    put_random_vertices();
    for (unsigned i = 0; i < 100; i++) {
        change_input(i);
        if (new_state) {
            m(NV3_PM_POINT_SIZE, 8 + i);
        }
        m(NV3_PM_BEGIN_END, NV3_GEOM_TRIANGLE_STRIP);
        for (unsigned n = 0; n < 20; n++) {
            m(NV3_PM_ARRAY_ELEMENT32, n);
        }
        m(NV3_PM_BEGIN_END, 0);
    }
}

/*
 * Draws whose inputs differ are shaded together if the rest of their state is equal. The
 * picture must be the same as if each draw had its own state.
 */
static void test_inputs(void **state)
{
    for (unsigned round = 0; round < 20; round++) {
        const uint32_t seed = random_bits();

        input_scene(seed, true);
        run(1, NEVER);
        keep();
        for (unsigned threads = 1; threads <= 2; threads++) {
            input_scene(seed, false);
            run(threads, threads == 1 ? NEVER : call_count / 2);
            assert_kept();
        }
    }
}

static NV3ProgramsResult sliced(NV3Programs *p, const Call *call, int64_t slice)
{
    NV3ProgramsResult result;

    do {
        nv3_programs_set_slice(p, slice);
        result = nv3_programs_method(p, call->method, call->data);
    } while (result == NV3_PROGRAMS_AGAIN);
    return result;
}

/*
 * If a vertex is outside of the memory, the method that draws must not report the fault
 * before it has drawn everything else, no matter how short the slices are.
 */
static void test_fault(void **state)
{
    for (int64_t slice = 1; slice < 10000000; slice *= 10) {
        NV3Programs *p = nv3_programs_new(&accessors, 2);
        NV3ProgramsResult result = NV3_PROGRAMS_OK;

        assert_non_null(p);
        begin_scene();
        put_vertex(0, -1, -1, 0, 0xffffffff);
        put_vertex(1, 3, -1, 0, 0xffffffff);
        put_vertex(2, -1, 3, 0, 0xffffffff);
        m(NV3_PM_BEGIN_END, NV3_GEOM_TRIANGLES);
        for (unsigned i = 0; i < 300; i++) {
            m(NV3_PM_ARRAY_ELEMENT32, i % 3);
        }
        m(NV3_PM_BEGIN_END, 0);
        m(NV3_PM_TRANSFORM_CONSTANT_LOAD, 7);
        m(NV3_PM_TRANSFORM_CONSTANT, 0);
        m(NV3_PM_BEGIN_END, NV3_GEOM_TRIANGLES);
        for (unsigned i = 0; i < 3; i++) {
            m(NV3_PM_ARRAY_ELEMENT32, MEMORY);
        }
        m(NV3_PM_BEGIN_END, 0);
        m(NV3_PM_WAIT_FOR_IDLE, 0);
        for (unsigned i = 0; i < call_count; i++) {
            assert_int_equal(result, NV3_PROGRAMS_OK);
            result = sliced(p, &calls[i], slice);
        }
        assert_int_equal(result, NV3_PROGRAMS_FAULT);
        assert_false(nv3_programs_has_work(p));
        assert_int_equal(pixel(0, 0), 0xffffffff);
        assert_int_equal(pixel(SIZE - 1, SIZE - 1), 0xffffffff);
        nv3_programs_free(p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_inputs),
        cmocka_unit_test(test_fault),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
