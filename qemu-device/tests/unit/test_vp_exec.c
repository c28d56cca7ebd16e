/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Compares the fast interpreter of vertex programs with the reference interpreter. */
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

/* Returns a whole number from -4 to 4 as a float, so that sums and products are exact. */
static uint32_t small_integer(void)
{
    return bits((int)(random_bits() % 9) - 4);
}

/* Returns a random float with an exponent from -8 to 8. */
static uint32_t moderate(void)
{
    return (random_bits() & 0x807fffff) | (119 + random_bits() % 17) << 23;
}

/* Returns a special value such as infinity, or random bits. */
static uint32_t anything(void)
{
    static const uint32_t special[] = {
        0, 0x80000000, 0x7f800000, 0xff800000, 0x7fffffff, 0xffc00000, 0x3f800000,
    };
    unsigned choice = random_bits() % 16;

    return choice < 7 ? special[choice] : random_bits();
}

/* A program, and a group of vertices for both interpreters. */
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
                memcpy(&rig.file[level].slot[i].lane[lane], &x, sizeof(x));
            }
        }
    }
}

static uint32_t fast(unsigned level, unsigned output, unsigned c, unsigned lane)
{
    return bits(rig.file[level].slot[rig.code.output[output][c]].lane[lane]);
}

/*
 * The function that both interpreters call to sample a texture. Its result depends only
 * on its arguments.
 */
static void sample(void *opaque, unsigned unit, const float coord[4], float result[4])
{
    assert_ptr_equal(opaque, &rig);
    for (unsigned c = 0; c < 4; c++) {
        result[c] = coord[3 - c] * (1 << unit);
    }
}

static void sample_group(void *opaque, unsigned unit, const NV3VpSlot *const coord[4],
                         NV3VpSlot *const result[4])
{
    for (unsigned lane = 0; lane < NV3_VP_LANES; lane++) {
        const float at[4] = {
            coord[0]->lane[lane], coord[1]->lane[lane], coord[2]->lane[lane],
            coord[3]->lane[lane],
        };
        float texel[4];

        sample(opaque, unit, at, texel);
        for (unsigned c = 0; c < 4; c++) {
            result[c]->lane[lane] = texel[c];
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
 * Runs the program with the reference interpreter, and with the fast interpreter at each
 * SIMD level.
 */
static void run(void)
{
    nv3_vp_translate(&rig.code, rig.insns, rig.count, UINT32_MAX);
    connect(sample, sample_group);
    for (unsigned level = 0; level <= nv3_vp_best_level(); level++) {
        nv3_vp_load_constants(&rig.file[level], &rig.code, rig.constants);
        nv3_vp_execute(&rig.file[level], &rig.code, rig.constants, NV3_VP_LANES, level);
    }
    for (unsigned lane = 0; lane < NV3_VP_LANES; lane++) {
        nv3_vp_run(&rig.vertex[lane], rig.insns, rig.count, rig.constants);
    }
}

/* True if random_program() creates extended instructions. */
static bool extended;

/* Creates @length random instructions. @sops: mask of permitted scalar operations. */
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
        /*
         * Use few registers, so that instructions often read results of previous
         * instructions.
         */
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

/*
 * Copies temporary registers to outputs at the end of the program, so that the test can
 * compare the registers.
 */
static void observe_temps(void)
{
    for (unsigned temp = 0; temp < NV3_VP_TEMPS; temp++) {
        if (temp < NV3_VP_NV2A_TEMPS || (temp >= NV3_VP_EXT_TEMP && temp < 22)) {
            rig.insns[rig.count++] = (NV3VpInsn) {
                .vector_op = NV3_VP_VMOV,
                .src[0] = {
                    .bank = NV3_VP_BANK_TEMP, .temp = temp,
                    .component = { 0, 1, 2, 3 },
                },
                .output = temp < NV3_VP_NV2A_TEMPS ? 1 + temp : temp - 3,
                .output_mask = 15,
            };
        }
    }
}

static bool is_nan(uint32_t x)
{
    return nv3_vp_is_nan(x);
}

/*
 * Fails unless the outputs at all SIMD levels are the same, and the program has not
 * changed the attributes.
 */
static void assert_levels_agree(void)
{
    for (unsigned level = 1; level <= nv3_vp_best_level(); level++) {
        for (unsigned i = 0; i < NV3_VP_OUTPUTS * 4 * NV3_VP_LANES; i++) {
            unsigned output = i / NV3_VP_LANES / 4, c = i / NV3_VP_LANES % 4;
            uint32_t want = fast(0, output, c, i % NV3_VP_LANES);
            uint32_t got = fast(level, output, c, i % NV3_VP_LANES);

            if (got != want && !(is_nan(got) && is_nan(want))) {
                fail_msg("level %u: output %u.%u is 0x%08x, not 0x%08x", level, output, c,
                         got, want);
            }
        }
        assert_memory_equal(rig.file[level].slot, rig.file[0].slot,
                            4 * NV3_VP_ATTRIBUTES * sizeof(NV3VpSlot));
    }
}

#define ALL_SCALAR  0xff
#define EXACT       (1u << NV3_VP_SNOP | 1u << NV3_VP_SMOV)
#define BY_TABLE    (EXACT | 1u << NV3_VP_EXP | 1u << NV3_VP_LOG | 1u << NV3_VP_LIT)

/*
 * For any numbers, all SIMD levels must return the same bits, except that NaNs may
 * differ.
 */
static void levels_agree(void **state)
{
    for (int i = 0; i < 3000; i++) {
        fill(i % 2 ? anything : moderate);
        random_program(1 + i % 12, ALL_SCALAR);
        if (i % 4 < 2) {
            observe_temps();
        }
        run();
        assert_levels_agree();
    }
}

static void compare_output(unsigned output, const uint32_t want[4], unsigned lane)
{
    for (unsigned c = 0; c < 4; c++) {
        uint32_t got = fast(0, output, c, lane);

        if (got != want[c] && !(is_nan(got) && is_nan(want[c]))) {
            fail_msg("output %u.%u of vertex %u is 0x%08x, not 0x%08x", output, c, lane,
                     got, want[c]);
        }
    }
}

static void compare_outputs(void)
{
    for (unsigned lane = 0; lane < NV3_VP_LANES; lane++) {
        for (unsigned i = 0; i < NV3_VP_OUTPUTS; i++) {
            compare_output(i, rig.vertex[lane].output[i], lane);
        }
    }
}

/*
 * For numbers that need no rounding, both interpreters must return exactly the same
 * results. The programs test sources, swizzles, masks, pairs, A0 and the order of writes.
 */
static void exact_programs(void **state)
{
    for (int i = 0; i < 20000; i++) {
        fill(small_integer);
        random_program(1 + i % 3, EXACT);
        if (i % 4 < 2) {
            observe_temps();
        }
        run();
        compare_outputs();
    }
}

/*
 * Tests the operations whose results must equal those of the reference for any numbers.
 */
static void exact_operations(void **state)
{
    const unsigned vector = 1u << NV3_VP_VNOP | 1u << NV3_VP_VMOV | 1u << NV3_VP_ARL;

    for (int i = 0; i < 20000; i++) {
        fill(moderate);
        do {
            random_program(1, BY_TABLE);
        } while (!(vector & 1u << rig.insns[0].vector_op));
        run();
        compare_outputs();
    }
}

/*
 * Returns a number other than a NaN. Comparisons must have the results of the reference
 * for infinities and signed zeroes, but not for NaNs.
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
        compare_outputs();
    }
}

#define RANKINE     (1u << NV3_VP_LG2 | 1u << NV3_VP_EX2 | 1u << NV3_VP_SIN | \
                     1u << NV3_VP_COS)

/*
 * Extended instructions must have the same results at all SIMD levels and in the
 * reference.
 */
static void extended_programs(void **state)
{
    extended = true;
    for (int i = 0; i < 3000; i++) {
        fill(i % 2 ? anything : moderate);
        random_program(1 + i % 12, ALL_SCALAR | RANKINE);
        if (i % 4 < 2) {
            observe_temps();
        }
        run();
        assert_levels_agree();
    }
    for (int i = 0; i < 20000; i++) {
        fill(small_integer);
        random_program(1 + i % 3, EXACT);
        if (i % 4 < 2) {
            observe_temps();
        }
        run();
        compare_outputs();
    }
    for (int i = 0; i < 20000; i++) {
        fill(moderate);
        do {
            random_program(1, BY_TABLE | RANKINE);
        } while (rig.insns[0].vector_op < NV3_VP_NV2A_VECTOR_OPS &&
                 rig.insns[0].vector_op > NV3_VP_VMOV);
        run();
        compare_outputs();
    }
    extended = false;
}

/*
 * The interpreters must pass the number of the texture unit to the sample function. If
 * there is no sample function, the texel is 0, 0, 0, 1.
 */
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
        compare_outputs();
        for (unsigned c = 0; c < 4; c++) {
            assert_true(number(fast(0, 0, c, 5)) ==
                        number(rig.vertex[5].attribute[0][c]) * (1 << unit));
        }

        connect(NULL, NULL);
        nv3_vp_execute(&rig.file[0], &rig.code, rig.constants, NV3_VP_LANES,
                       NV3_VP_GENERIC);
        nv3_vp_run(&rig.vertex[3], rig.insns, rig.count, rig.constants);
        assert_memory_equal(rig.vertex[3].output[0], none, sizeof(none));
        compare_output(0, none, 3);
    }
}

/*
 * Neither the previous contents of the register file nor other vertices may affect a
 * vertex's outputs.
 */
static void clearing(void **state)
{
    for (int i = 0; i < 3000; i++) {
        fill(moderate);
        random_program(1 + i % 12, ALL_SCALAR);
        run();
        memset(rig.file[1].slot + NV3_VP_SLOT_ZERO, 0x55,
               (NV3_VP_SLOTS - NV3_VP_SLOT_ZERO) * sizeof(rig.file[1].slot[0]));
        for (unsigned c = 0; c < 4 * NV3_VP_ATTRIBUTES; c++) {
            rig.file[1].slot[c].lane[5] = NAN;
        }
        nv3_vp_load_constants(&rig.file[1], &rig.code, rig.constants);
        nv3_vp_execute(&rig.file[1], &rig.code, rig.constants, 5, NV3_VP_GENERIC);
        for (unsigned o = 0; o < NV3_VP_OUTPUTS * 4; o++) {
            for (unsigned lane = 0; lane < 5; lane++) {
                uint32_t want = fast(0, o / 4, o % 4, lane);
                uint32_t got = fast(1, o / 4, o % 4, lane);

                assert_true(got == want || (is_nan(got) && is_nan(want)));
            }
        }
    }
}

/*
 * The translation of a program for a subset of its outputs must have the same results as
 * the whole program, and must not have more operations.
 */
static void parts(void **state)
{
    static uint32_t want[NV3_VP_OUTPUTS][4][NV3_VP_LANES];

    for (int i = 0; i < 3000; i++) {
        const uint32_t outputs = random_bits();
        unsigned count;

        fill(i % 2 ? anything : moderate);
        random_program(1 + i % 24, ALL_SCALAR);
        run();
        count = rig.code.count;
        for (unsigned o = 0; o < NV3_VP_OUTPUTS * 4 * NV3_VP_LANES; o++) {
            const unsigned c = o / NV3_VP_LANES % 4, lane = o % NV3_VP_LANES;

            want[o / NV3_VP_LANES / 4][c][lane] = fast(0, o / NV3_VP_LANES / 4, c, lane);
        }
        nv3_vp_translate(&rig.code, rig.insns, rig.count, outputs);
        nv3_vp_load_constants(&rig.file[0], &rig.code, rig.constants);
        nv3_vp_execute(&rig.file[0], &rig.code, rig.constants, NV3_VP_LANES,
                       NV3_VP_GENERIC);
        assert_true(rig.code.count <= count);
        for (unsigned o = 0; o < NV3_VP_OUTPUTS * 4 * NV3_VP_LANES; o++) {
            const unsigned output = o / NV3_VP_LANES / 4, c = o / NV3_VP_LANES % 4;
            const uint32_t got = fast(0, output, c, o % NV3_VP_LANES);
            const uint32_t expected = want[output][c][o % NV3_VP_LANES];

            if (outputs & 1u << output) {
                assert_true(got == expected || (is_nan(got) && is_nan(expected)));
            } else {
                assert_int_equal(got, 0);
            }
        }
    }
}

/*
 * The translation for the position alone must not contain operations that only the colour
 * needs.
 */
static void removal(void **state)
{
    rig.count = 0;
    for (unsigned i = 0; i < 8; i++) {
        rig.insns[rig.count++] = (NV3VpInsn) {
            .vector_op = i < 4 ? NV3_VP_DP4 : NV3_VP_MUL,
            .src = {
                { .bank = NV3_VP_BANK_ATTRIBUTE, .component = { 0, 1, 2, 3 } },
                { .bank = NV3_VP_BANK_CONSTANT, .component = { 0, 1, 2, 3 } },
            },
            .attribute = i < 4 ? 0 : 3, .constant = i, .constants = NV3_VP_CONSTANTS,
            .output = i < 4 ? 0 : 3, .output_mask = i < 4 ? 1u << i : 15,
        };
    }
    nv3_vp_translate(&rig.code, rig.insns, rig.count, 1);
    assert_int_equal(rig.code.count, 4);
    assert_int_equal(rig.code.attributes, 1);
    assert_int_equal(rig.code.constant_count, 16);
    /*
     * The last product overwrites the results of the other products, so the translation
     * contains only the last product.
     */
    nv3_vp_translate(&rig.code, rig.insns, rig.count, UINT32_MAX);
    assert_int_equal(rig.code.count, 8);
    assert_int_equal(rig.code.attributes, 1 | 1 << 3);
}

/* ---- the bounds that vp_exec.h states ---- */

/*
 * Creates a program that copies attributes 0 to 2 to temporary registers, applies one
 * operation to these registers, and writes the result to output 1.
 */
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

/*
 * Component @c of the operation's result is a sum of terms. Returns the sum of the
 * magnitudes of these terms.
 */
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
                double got = number(fast(0, 1, c, lane));
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

/*
 * The product of 0 and any value, including infinity and NaN, must be +0, also in sums of
 * products.
 */
static void zero_wins(void **state)
{
    static const uint32_t factor[] = { 0x7f800000, 0xff800000, 0x7fc00000, 0x3f800000 };

    for (unsigned i = 0; i < 4; i++) {
        fill(moderate);
        for (unsigned level = 0; level < NV3_VP_LEVELS; level++) {
            for (unsigned lane = 0; lane < NV3_VP_LANES; lane++) {
                for (unsigned c = 0; c < 4; c++) {
                    rig.file[level].slot[c].lane[lane] = lane % 2 ? -0.0f : 0.0f;
                    rig.file[level].slot[4 + c].lane[lane] = number(factor[i]);
                }
            }
        }
        single(NV3_VP_DP4, NV3_VP_SNOP);
        run();
        for (unsigned level = 0; level <= nv3_vp_best_level(); level++) {
            for (unsigned lane = 0; lane < NV3_VP_LANES; lane++) {
                assert_int_equal(fast(level, 1, 0, lane), 0);
            }
        }
    }
}

/*
 * Creates a program of @count dot products, whose factors are constants and a few
 * attributes or registers.
 */
static void random_rows(unsigned count)
{
    NV3VpInsn insn = { 0 };

    rig.count = count;
    for (unsigned i = 0; i < count; i++) {
        if (i == 0 || random_bits() % 5 == 0) {
            insn.vector_op = NV3_VP_DP3 + random_bits() % 3;
            insn.src[0].bank = random_bits() % 2 ? NV3_VP_BANK_ATTRIBUTE :
                                                   NV3_VP_BANK_TEMP;
            insn.attribute = random_bits() % 4;
        }
        for (unsigned c = 0; c < 4; c++) {
            insn.src[0].component[c] = c;
            insn.src[1].component[c] = random_bits() % 4;
        }
        insn.src[1].bank = NV3_VP_BANK_CONSTANT;
        insn.src[1].negate = random_bits() % 16 == 0;
        insn.constants = NV3_VP_NV2A_CONSTANTS;
        insn.constant = random_bits() % 200;
        insn.vector_mask = insn.output_mask = 1u << random_bits() % 4;
        insn.output = random_bits() % 3;
        insn.last = i == count - 1;
        rig.insns[i] = insn;
    }
}

/*
 * Dot products must have the same results whether the interpreter executes them together
 * or one by one.
 */
static void rows(void **state)
{
    static uint32_t want[3][4][NV3_VP_LANES];
    unsigned together = 0;

    for (int i = 0; i < 3000; i++) {
        fill(i % 2 ? anything : moderate);
        random_rows(1 + i % 12);
        run();
        assert_levels_agree();
        for (unsigned o = 0; o < 12 * NV3_VP_LANES; o++) {
            const unsigned output = o / NV3_VP_LANES / 4, c = o / NV3_VP_LANES % 4;

            want[output][c][o % NV3_VP_LANES] = fast(0, output, c, o % NV3_VP_LANES);
        }
        for (unsigned n = 0; n < rig.code.count; n++) {
            together += rig.code.op[n].rows > 1;
            rig.code.op[n].rows = 0;
        }
        nv3_vp_execute(&rig.file[0], &rig.code, rig.constants, NV3_VP_LANES,
                       NV3_VP_GENERIC);
        for (unsigned o = 0; o < 12 * NV3_VP_LANES; o++) {
            const unsigned output = o / NV3_VP_LANES / 4, c = o / NV3_VP_LANES % 4;
            const uint32_t got = fast(0, output, c, o % NV3_VP_LANES);
            const uint32_t expected = want[output][c][o % NV3_VP_LANES];

            assert_true(got == expected || (is_nan(got) && is_nan(expected)));
        }
    }
    assert_true(together > 1000);
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
        cmocka_unit_test(parts),
        cmocka_unit_test(removal),
        cmocka_unit_test(bounds),
        cmocka_unit_test(zero_wins),
        cmocka_unit_test(rows),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
