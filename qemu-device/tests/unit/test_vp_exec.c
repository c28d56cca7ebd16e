/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The fast interpreter of vertex programs, compared with the reference. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "vp/vp_exec.h"
#include "vp/vp_float.h"

static uint32_t seed = 1;

static uint32_t random_bits(void)
{
    uint32_t high;

    seed = seed * 1664525 + 1013904223;
    high = seed & 0xffff0000;
    seed = seed * 1664525 + 1013904223;
    return high | seed >> 16;
}

static uint32_t bits(float x)
{
    uint32_t pattern;

    memcpy(&pattern, &x, sizeof(pattern));
    return pattern;
}

static float number(uint32_t pattern)
{
    float x;

    memcpy(&x, &pattern, sizeof(x));
    return x;
}

/* Integers with few bits, whose sums and products are exact. */
static uint32_t small_integer(void)
{
    return bits((int)(random_bits() % 9) - 4);
}

/* Any number with an exponent from -8 to 8. */
static uint32_t moderate(void)
{
    return (random_bits() & 0x807fffff) | (119 + random_bits() % 17) << 23;
}

/* Every kind of number. */
static uint32_t anything(void)
{
    static const uint32_t special[] = {
        0, 0x80000000, 0x7f800000, 0xff800000, 0x7fffffff, 0xffc00000, 0x3f800000,
    };
    unsigned choice = random_bits() % 16;

    return choice < 7 ? special[choice] : random_bits();
}

/* A group of vertices for both interpreters. */
typedef struct Rig {
    NV3VpFile file[NV3_VP_LEVELS];
    NV3VpRegisters vertex[NV3_VP_LANES];
    uint32_t constants[NV3_VP_CONSTANTS][4];
    NV3VpInsn insns[NV3_VP_INSNS];
    NV3VpCode code;
    unsigned count;
} Rig;

static Rig rig;

static void fill(uint32_t (*operand)(void))
{
    memset(&rig.vertex, 0, sizeof(rig.vertex));
    for (unsigned i = 0; i < NV3_VP_CONSTANTS * 4; i++) {
        rig.constants[i / 4][i % 4] = operand();
    }
    for (unsigned lane = 0; lane < NV3_VP_LANES; lane++) {
        for (unsigned i = 0; i < NV3_VP_ATTRIBUTES * 4; i++) {
            uint32_t x = operand();

            rig.vertex[lane].attribute[i / 4][i % 4] = x;
            for (unsigned level = 0; level < NV3_VP_LEVELS; level++) {
                memcpy(&rig.file[level].reg[i / 4][i % 4].lane[lane], &x, sizeof(x));
            }
        }
    }
}

static uint32_t fast(unsigned level, unsigned reg, unsigned c, unsigned lane)
{
    return bits(rig.file[level].reg[reg][c].lane[lane]);
}

/* Both interpreters sample this instead of textures. */
static void sample(void *opaque, unsigned unit, const float coord[4], float result[4])
{
    assert_ptr_equal(opaque, &rig);
    for (unsigned c = 0; c < 4; c++) {
        result[c] = coord[3 - c] * (1 << unit);
    }
}

static void sample_group(void *opaque, unsigned unit, const NV3VpComponent coord[4],
                         NV3VpComponent result[4])
{
    for (unsigned lane = 0; lane < NV3_VP_LANES; lane++) {
        const float at[4] = {
            coord[0].lane[lane], coord[1].lane[lane], coord[2].lane[lane],
            coord[3].lane[lane],
        };
        float texel[4];

        sample(opaque, unit, at, texel);
        for (unsigned c = 0; c < 4; c++) {
            result[c].lane[lane] = texel[c];
        }
    }
}

static void connect(NV3VpSampleFn *one, NV3VpSampleGroupFn *group)
{
    for (unsigned level = 0; level < NV3_VP_LEVELS; level++) {
        rig.file[level].sample = group;
        rig.file[level].sample_opaque = &rig;
    }
    for (unsigned lane = 0; lane < NV3_VP_LANES; lane++) {
        rig.vertex[lane].sample = one;
        rig.vertex[lane].sample_opaque = &rig;
    }
}

/*
 * Runs the program with the reference, and with the fast interpreter at each SIMD
 * level.
 */
static void run(void)
{
    nv3_vp_translate(&rig.code, rig.insns, rig.count);
    connect(sample, sample_group);
    for (unsigned level = 0; level <= nv3_vp_best_level(); level++) {
        nv3_vp_load_constants(&rig.file[level], &rig.code, rig.constants);
        nv3_vp_clear(&rig.file[level], &rig.code);
        nv3_vp_execute(&rig.file[level], &rig.code, rig.constants, level);
    }
    for (unsigned lane = 0; lane < NV3_VP_LANES; lane++) {
        nv3_vp_run(&rig.vertex[lane], rig.insns, rig.count, rig.constants);
    }
}

/* True if random instructions are extended ones. */
static bool extended;

/* Creates random instructions with operations below the limits, but no reciprocals. */
static void random_program(unsigned length, unsigned sops)
{
    rig.count = 0;
    while (rig.count < length) {
        uint32_t word0 = extended ? NV3_VP_EXT | (random_bits() & NV3_VP_EXT_ALL) : 0;
        uint32_t words[NV3_VP_INSN_WORDS] = { word0, random_bits(), random_bits(),
                                              random_bits() };
        NV3VpInsn *insn = &rig.insns[rig.count];

        if (nv3_vp_decode(insn, words)) {
            continue;
        }
        /* Often a register that a previous instruction has written. */
        insn->vector_temp = insn->vector_temp & NV3_VP_EXT_TEMP ?
                            NV3_VP_EXT_TEMP + insn->vector_temp % 3 :
                            insn->vector_temp % 3;
        for (unsigned s = 0; s < 3; s++) {
            insn->src[s].temp = random_bits() % 4 ? insn->src[s].temp % 3 :
                                                    NV3_VP_TEMP_POS;
        }
        if (sops & 1u << insn->scalar_op) {
            rig.count++;
        }
    }
}

static bool is_nan(uint32_t x)
{
    return nv3_vp_is_nan(x);
}

/* Compares all registers between levels. Constants and attributes must not change. */
static void assert_levels_agree(void)
{
    for (unsigned level = 1; level <= nv3_vp_best_level(); level++) {
        for (unsigned i = 0; i < NV3_VP_FILE_CONSTANTS * 4 * NV3_VP_LANES; i++) {
            unsigned reg = i / NV3_VP_LANES / 4, c = i / NV3_VP_LANES % 4;
            uint32_t want = fast(0, reg, c, i % NV3_VP_LANES);
            uint32_t got = fast(level, reg, c, i % NV3_VP_LANES);

            if (got != want && !(is_nan(got) && is_nan(want))) {
                fail_msg("level %u: register %u.%u is 0x%08x, not 0x%08x", level, reg, c,
                         got, want);
            }
        }
    }
}

#define ALL_SCALAR  0xff
#define EXACT       (1u << NV3_VP_SNOP | 1u << NV3_VP_SMOV)
#define BY_TABLE    (EXACT | 1u << NV3_VP_EXP | 1u << NV3_VP_LOG | 1u << NV3_VP_LIT)

/* All levels give the same bits, for any numbers. */
static void levels_agree(void **state)
{
    for (int i = 0; i < 3000; i++) {
        fill(i % 2 ? anything : moderate);
        random_program(1 + i % 12, ALL_SCALAR);
        run();
        assert_levels_agree();
    }
}

static void compare_register(unsigned place, const uint32_t want[4], unsigned lane)
{
    for (unsigned c = 0; c < 4; c++) {
        uint32_t got = fast(0, place, c, lane);

        if (got != want[c] && !(is_nan(got) && is_nan(want[c]))) {
            fail_msg("register %u.%u of vertex %u is 0x%08x, not 0x%08x", place, c, lane,
                     got, want[c]);
        }
    }
}

static void compare_registers(void)
{
    for (unsigned lane = 0; lane < NV3_VP_LANES; lane++) {
        const NV3VpRegisters *r = &rig.vertex[lane];

        for (unsigned i = 0; i < NV3_VP_TEMPS; i++) {
            compare_register(NV3_VP_FILE_TEMPS + i, r->temp[i], lane);
        }
        for (unsigned i = 0; i < NV3_VP_OUTPUTS; i++) {
            if (rig.code.outputs & 1u << i) {
                compare_register(NV3_VP_FILE_OUTPUTS + i, r->output[i], lane);
            }
        }
    }
}

/*
 * With numbers that need no rounding, the fast interpreter gives exactly the
 * reference's results. This covers sources, swizzles, masks, pairs, A0 and the order of
 * writes.
 */
static void exact_programs(void **state)
{
    for (int i = 0; i < 20000; i++) {
        fill(small_integer);
        random_program(1 + i % 3, EXACT);
        run();
        compare_registers();
    }
}

/* Single instructions whose operations equal the reference's, on any numbers. */
static void exact_operations(void **state)
{
    const unsigned vector = 1u << NV3_VP_VNOP | 1u << NV3_VP_VMOV | 1u << NV3_VP_ARL;

    for (int i = 0; i < 20000; i++) {
        fill(moderate);
        do {
            random_program(1, BY_TABLE);
        } while (!(vector & 1u << rig.insns[0].vector_op));
        run();
        compare_registers();
    }
}

/*
 * Comparisons agree with the reference on infinities and signed zeroes, but not on
 * NaNs.
 */
static uint32_t ordered(void)
{
    uint32_t x;

    do {
        x = anything();
    } while (is_nan(x));
    return x;
}

static void comparisons(void **state)
{
    const unsigned vector = 1u << NV3_VP_MIN | 1u << NV3_VP_MAX | 1u << NV3_VP_SLT |
                            1u << NV3_VP_SGE;

    for (int i = 0; i < 20000; i++) {
        fill(ordered);
        do {
            random_program(1, EXACT);
        } while (!(vector & 1u << rig.insns[0].vector_op));
        run();
        compare_registers();
    }
}

#define RANKINE     (1u << NV3_VP_LG2 | 1u << NV3_VP_EX2 | 1u << NV3_VP_SIN | \
                     1u << NV3_VP_COS)

/* Extended instructions give the same bits at all levels, and equal the reference. */
static void extended_programs(void **state)
{
    extended = true;
    for (int i = 0; i < 3000; i++) {
        fill(i % 2 ? anything : moderate);
        random_program(1 + i % 12, ALL_SCALAR | RANKINE);
        run();
        assert_levels_agree();
    }
    for (int i = 0; i < 20000; i++) {
        fill(small_integer);
        random_program(1 + i % 3, EXACT);
        run();
        compare_registers();
    }
    for (int i = 0; i < 20000; i++) {
        fill(moderate);
        do {
            random_program(1, BY_TABLE | RANKINE);
        } while (rig.insns[0].vector_op < NV3_VP_NV2A_VECTOR_OPS &&
                 rig.insns[0].vector_op > NV3_VP_VMOV);
        run();
        compare_registers();
    }
    extended = false;
}

/* Each unit has its number, and without textures the result is 0, 0, 0, 1. */
static void textures(void **state)
{
    const uint32_t none[4] = { 0, 0, 0, NV3_VP_ONE };

    for (unsigned unit = 0; unit < NV3_VP_UNITS; unit++) {
        fill(moderate);
        rig.count = 1;
        rig.insns[0] = (NV3VpInsn) {
            .vector_op = NV3_VP_TXL, .unit = unit, .last = true,
            .src[0] = { .bank = NV3_VP_BANK_ATTRIBUTE, .component = { 3, 2, 1, 0 } },
            .output_mask = 15,
        };
        run();
        assert_int_equal(rig.code.units, 1u << unit);
        assert_int_equal(rig.code.samples, 1);
        compare_registers();
        for (unsigned c = 0; c < 4; c++) {
            assert_true(number(fast(0, NV3_VP_FILE_OUTPUTS, c, 5)) ==
                        number(rig.vertex[5].attribute[0][c]) * (1 << unit));
        }

        connect(NULL, NULL);
        nv3_vp_execute(&rig.file[0], &rig.code, rig.constants, NV3_VP_GENERIC);
        nv3_vp_run(&rig.vertex[3], rig.insns, rig.count, rig.constants);
        assert_memory_equal(rig.vertex[3].output[0], none, sizeof(none));
        compare_register(NV3_VP_FILE_OUTPUTS, none, 3);
    }
}

/* Registers that are not cleared do not affect the outputs. */
static void clearing(void **state)
{
    for (int i = 0; i < 3000; i++) {
        fill(moderate);
        random_program(1 + i % 12, ALL_SCALAR);
        run();
        memset(rig.file[1].reg[NV3_VP_FILE_TEMPS], 0x55,
               (NV3_VP_TEMPS + NV3_VP_OUTPUTS) * sizeof(rig.file[1].reg[0]));
        nv3_vp_load_constants(&rig.file[1], &rig.code, rig.constants);
        nv3_vp_clear_seen(&rig.file[1], &rig.code);
        nv3_vp_execute(&rig.file[1], &rig.code, rig.constants, NV3_VP_GENERIC);
        for (unsigned o = 0; o < NV3_VP_OUTPUTS; o++) {
            for (unsigned c = 0; c < 4 && rig.code.outputs & 1u << o; c++) {
                for (unsigned lane = 0; lane < NV3_VP_LANES; lane++) {
                    uint32_t want = fast(0, NV3_VP_FILE_OUTPUTS + o, c, lane);
                    uint32_t got = fast(1, NV3_VP_FILE_OUTPUTS + o, c, lane);

                    assert_true(got == want || (is_nan(got) && is_nan(want)));
                }
            }
        }
    }
}

/* ---- the bounds that vp_exec.h states ---- */

/* Computes output 1 = operation(attributes 0 to 2), by temporary registers. */
static void single(unsigned vop, unsigned sop)
{
    const NV3VpSource attribute = {
        .bank = NV3_VP_BANK_ATTRIBUTE, .component = { 0, 1, 2, 3 },
    };

    memset(rig.insns, 0, sizeof(rig.insns));
    for (unsigned i = 0; i < 3; i++) {
        rig.insns[i] = (NV3VpInsn) {
            .vector_op = NV3_VP_VMOV, .src[0] = attribute, .attribute = i,
            .vector_temp = i, .vector_mask = 15,
        };
    }
    rig.insns[3] = (NV3VpInsn) {
        .vector_op = vop, .scalar_op = sop, .output = 1, .output_mask = 15,
        .output_scalar = sop != NV3_VP_SNOP,
    };
    for (unsigned s = 0; s < 3; s++) {
        rig.insns[3].src[s] = (NV3VpSource) {
            .bank = NV3_VP_BANK_TEMP, .temp = s, .component = { 0, 1, 2, 3 },
        };
    }
    rig.count = 4;
}

/* Returns the sum of magnitudes of the terms of component @c of the result. */
static double magnitude(unsigned vop, const NV3VpRegisters *r, unsigned c)
{
    double sum = 0;

    switch (vop) {
    case NV3_VP_ADD:
        return fabs(number(r->attribute[0][c])) + fabs(number(r->attribute[2][c]));
    case NV3_VP_MAD:
        return fabs((double)number(r->attribute[0][c]) * number(r->attribute[1][c])) +
               fabs(number(r->attribute[2][c]));
    default:
        for (unsigned i = 0; i < (vop == NV3_VP_DP3 ? 3 : 4); i++) {
            double x = i == 3 && vop == NV3_VP_DPH ? 1 : number(r->attribute[0][i]);

            sum += fabs(x * number(r->attribute[1][i]));
        }
        return sum;
    }
}

static void check_bound(unsigned vop, unsigned sop, bool sum)
{
    for (int i = 0; i < 2000; i++) {
        fill(moderate);
        single(vop, sop);
        run();
        for (unsigned lane = 0; lane < NV3_VP_LANES; lane++) {
            const NV3VpRegisters *r = &rig.vertex[lane];

            for (unsigned c = 0; c < 4; c++) {
                double want = number(r->output[1][c]);
                double got = number(fast(0, NV3_VP_FILE_OUTPUTS + 1, c, lane));
                double bound = sum ? magnitude(vop, r, c) / (1 << 21) :
                                     fabs(want) / (1 << 21);

                if (!(fabs(got - want) <= bound)) {
                    fail_msg("operation %u, %u: %.9g instead of %.9g", vop, sop, got,
                             want);
                }
            }
        }
    }
}

static void bounds(void **state)
{
    static const unsigned sums[] = {
        NV3_VP_ADD, NV3_VP_MAD, NV3_VP_DP3, NV3_VP_DPH, NV3_VP_DP4,
    };

    for (unsigned i = 0; i < sizeof(sums) / sizeof(sums[0]); i++) {
        check_bound(sums[i], NV3_VP_SNOP, true);
    }
    check_bound(NV3_VP_MUL, NV3_VP_SNOP, false);
    check_bound(NV3_VP_DST, NV3_VP_SNOP, false);
    check_bound(NV3_VP_VNOP, NV3_VP_RCP, false);
    check_bound(NV3_VP_VNOP, NV3_VP_RCC, false);
    check_bound(NV3_VP_VNOP, NV3_VP_RSQ, false);
}

/* In products and sums, 0 times anything is +0, and 1 times anything is unchanged. */
static void zero_wins(void **state)
{
    static const uint32_t factor[] = { 0x7f800000, 0xff800000, 0x7fc00000, 0x3f800000 };

    for (unsigned i = 0; i < 4; i++) {
        fill(moderate);
        for (unsigned level = 0; level < NV3_VP_LEVELS; level++) {
            for (unsigned lane = 0; lane < NV3_VP_LANES; lane++) {
                for (unsigned c = 0; c < 4; c++) {
                    rig.file[level].reg[0][c].lane[lane] = lane % 2 ? -0.0f : 0.0f;
                    rig.file[level].reg[1][c].lane[lane] = number(factor[i]);
                }
            }
        }
        single(NV3_VP_DP4, NV3_VP_SNOP);
        run();
        for (unsigned level = 0; level <= nv3_vp_best_level(); level++) {
            for (unsigned lane = 0; lane < NV3_VP_LANES; lane++) {
                assert_int_equal(fast(level, NV3_VP_FILE_OUTPUTS + 1, 0, lane), 0);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(levels_agree),
        cmocka_unit_test(exact_programs),
        cmocka_unit_test(exact_operations),
        cmocka_unit_test(comparisons),
        cmocka_unit_test(extended_programs),
        cmocka_unit_test(textures),
        cmocka_unit_test(clearing),
        cmocka_unit_test(bounds),
        cmocka_unit_test(zero_wins),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
