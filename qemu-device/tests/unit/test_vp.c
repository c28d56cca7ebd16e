/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tests the arithmetic, the decoder and the reference interpreter of vertex programs.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "vp/vp_float.h"
#include "vp/vp_program.h"

typedef enum VpOperation {
    MUL, ADD, SUM3, SUM4, MIN, MAX, SLT, SGE, RCP, RCC, RSQ, EXP, LOG, LIT,
} VpOperation;

typedef struct VpVector {
    VpOperation op;
    uint32_t operand[4];
    uint32_t result[4];
} VpVector;

#include "vp_vectors.h"

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

/* ---- arithmetic ---- */

/* Executes an operation. Returns the number of components of @result. */
static int operate(VpOperation op, const uint32_t in[4], uint32_t result[4])
{
    bool less = nv3_vp_less(in[0], in[1]);

    switch (op) {
    case MUL:
        result[0] = nv3_vp_mul(in[0], in[1]);
        return 1;
    case ADD:
    case SUM3:
    case SUM4:
        result[0] = nv3_vp_sum(in, op == ADD ? 2 : op == SUM3 ? 3 : 4);
        return 1;
    case MIN:
    case MAX:
        result[0] = less == (op == MIN) ? in[0] : in[1];
        return 1;
    case SLT:
    case SGE:
        result[0] = less == (op == SLT) ? NV3_VP_ONE : 0;
        return 1;
    case RCP:
        result[0] = nv3_vp_rcp(in[0]);
        return 1;
    case RCC:
        result[0] = nv3_vp_rcc(in[0]);
        return 1;
    case RSQ:
        result[0] = nv3_vp_rsq(in[0]);
        return 1;
    case EXP:
        nv3_vp_exp(result, in[0]);
        return 4;
    case LOG:
        nv3_vp_log(result, in[0]);
        return 4;
    case LIT:
        nv3_vp_lit(result, in);
        return 4;
    }
    return 0;
}

static void cards_results(void **state)
{
    for (size_t i = 0; i < sizeof(vp_vectors) / sizeof(vp_vectors[0]); i++) {
        const VpVector *v = &vp_vectors[i];
        uint32_t result[4];
        int count = operate(v->op, v->operand, result);

        for (int c = 0; c < count; c++) {
            if (result[c] != v->result[c]) {
                fail_msg("vector %zu (operation %d): component %d is 0x%08x, not 0x%08x",
                         i, v->op, c, result[c], v->result[c]);
            }
        }
    }
}

/*
 * The expected values are the output of abaire's nxdk_vsh_tests on an Xbox, with six
 * significant digits. Disabled tests of nv2a_vsh_cpu (test/operations/test_basic.cpp)
 * contain the same values.
 */
static void xbox_results(void **state)
{
    const struct {
        float x, result[3];
    } log[] = {
        { -5.864211e16f, { 55.0f, 1.62765f, 55.7028f } },
        { -0.0f, { -INFINITY, 1.0f, -INFINITY } },
        { -INFINITY, { INFINITY, 1.0f, INFINITY } },
    };
    /*
     * Two large products cancel out. The sum keeps five bits below the last bit of these
     * products.
     */
    const float a[3] = { 0.123457f, -0.000423457f, -8.901235e25f };
    const float b[3] = { -6.243211e15f, -8.901235e25f, 0.000423457f };
    uint32_t result[4], product[3];

    for (int i = 0; i < 3; i++) {
        nv3_vp_log(result, bits(log[i].x));
        for (int c = 0; c < 3; c++) {
            float want = log[i].result[c];

            assert_true(number(result[c]) == want ||
                        fabsf(number(result[c]) / want - 1) < 0.000005f);
        }
    }
    for (int i = 0; i < 3; i++) {
        product[i] = nv3_vp_mul(bits(a[i]), bits(b[i]));
    }
    assert_int_equal(nv3_vp_sum(product, 3), bits(-7.036874418e14f));
}

/*
 * Checks the accuracy that the chip's designers specify (Lindholm et al., 3.7.3 and 4.3).
 * Reciprocals are within 1.5 bits of IEEE precision. Exponentials and logarithms have an
 * accuracy of about 11 bits.
 */
static void accuracy(void **state)
{
    const double reciprocal = M_SQRT2 * 2 / (1 << 23);

    for (uint32_t x = bits(0.001f); x < bits(1000.0f); x += 9973) {
        double exact = number(x);
        uint32_t result[4];

        assert_true(fabs(number(nv3_vp_rcp(x)) * exact - 1) < reciprocal);
        assert_true(fabs(number(nv3_vp_rsq(x)) * sqrt(exact) - 1) < reciprocal);
        nv3_vp_log(result, x);
        assert_true(fabs(number(result[2]) - log2(exact)) < 1.0 / (1 << 11));
        if (exact < 100) {
            nv3_vp_exp(result, x);
            assert_true(fabs(number(result[2]) / exp2(exact) - 1) < 1.0 / (1 << 11));
        }
    }
}

static void address(void **state)
{
    const struct {
        float x;
        int address;
    } loads[] = {
        { 0, 0 }, { 10.12345f, 10 }, { 9.9995f, 10 }, { 9.998f, 9 }, { -0.0005f, 0 },
        { -0.002f, -1 }, { -3, -3 }, { -3.5f, -4 }, { 1e30f, 32767 }, { -1e30f, -32768 },
        { INFINITY, 32767 }, { NAN, 0 },
    };

    for (size_t i = 0; i < sizeof(loads) / sizeof(loads[0]); i++) {
        assert_int_equal(nv3_vp_address(bits(loads[i].x)), loads[i].address);
    }
}

/* ---- programs ---- */

#define XYZW        0x1b        /* the identity swizzle */
#define MASK_XYZW   15

typedef struct Encode {
    unsigned vop, sop;
    unsigned src[3];
    unsigned attribute, constant;
    unsigned temp, vector_mask, scalar_mask;
    unsigned output, output_mask;
    bool indexed, output_scalar, to_constant, last;
} Encode;

static unsigned source(unsigned bank, unsigned temp, unsigned swizzle, bool negate)
{
    return bank | temp << 2 | swizzle << 6 | (unsigned)negate << 14;
}

#define TEMP(n)     source(NV3_VP_BANK_TEMP, n, XYZW, false)
#define ATTRIBUTE   source(NV3_VP_BANK_ATTRIBUTE, 0, XYZW, false)
#define CONSTANT    source(NV3_VP_BANK_CONSTANT, 0, XYZW, false)

/*
 * Encodes an instruction as described in the table in docs/hw/graph/xf/isa.rst of
 * envytools.
 */
static void encode(uint32_t words[4], Encode e)
{
    words[0] = 0;
    words[1] = e.src[0] >> 6 | e.attribute << 9 | e.constant << 13 | e.vop << 21 |
               e.sop << 25;
    words[2] = e.src[2] >> 4 | e.src[1] << 11 | (e.src[0] & 63) << 26;
    words[3] = e.last | (uint32_t)e.indexed << 1 | (uint32_t)e.output_scalar << 2 |
               e.output << 3 | (uint32_t)!e.to_constant << 11 | e.output_mask << 12 |
               e.scalar_mask << 16 | e.temp << 20 | e.vector_mask << 24 |
               (e.src[2] & 15) << 28;
}

static NV3VpError decode(NV3VpInsn *insn, Encode e)
{
    uint32_t words[4];

    encode(words, e);
    return nv3_vp_decode(insn, words);
}

/* Decodes and runs @count instructions (at most 8), which must be valid. */
static void run(NV3VpRegisters *r, const Encode *program, unsigned count,
                const uint32_t constants[NV3_VP_CONSTANTS][4])
{
    uint32_t words[8 * 4];
    NV3VpInsn insns[8];
    unsigned decoded;

    for (unsigned i = 0; i < count; i++) {
        Encode e = program[i];

        e.last = i == count - 1;
        encode(words + 4 * i, e);
    }
    assert_int_equal(nv3_vp_decode_program(insns, &decoded, words, 8), NV3_VP_OK);
    assert_int_equal(decoded, count);
    nv3_vp_run(r, insns, count, constants);
}

static void set(uint32_t to[4], float x, float y, float z, float w)
{
    to[0] = bits(x);
    to[1] = bits(y);
    to[2] = bits(z);
    to[3] = bits(w);
}

static void assert_vector(const uint32_t v[4], float x, float y, float z, float w)
{
    uint32_t want[4];

    set(want, x, y, z, w);
    assert_memory_equal(v, want, sizeof(want));
}

static uint32_t constants[NV3_VP_CONSTANTS][4];

static void operations(void **state)
{
    const struct {
        unsigned vop, sop;
        float result[4];
    } ops[] = {
        { NV3_VP_VMOV, 0, { 1, 2, 3, 4 } },
        { NV3_VP_MUL, 0, { 8, 14, 18, 20 } },
        { NV3_VP_ADD, 0, { 1.5f, 4, 5, 2 } },
        { NV3_VP_MAD, 0, { 8.5f, 16, 20, 18 } },
        { NV3_VP_DP3, 0, { 40, 40, 40, 40 } },
        { NV3_VP_DPH, 0, { 45, 45, 45, 45 } },
        { NV3_VP_DP4, 0, { 60, 60, 60, 60 } },
        { NV3_VP_DST, 0, { 1, 14, 3, 5 } },
        { NV3_VP_MIN, 0, { 1, 2, 3, 4 } },
        { NV3_VP_MAX, 0, { 8, 7, 6, 5 } },
        { NV3_VP_SLT, 0, { 1, 1, 1, 1 } },
        { NV3_VP_SGE, 0, { 0, 0, 0, 0 } },
        { 0, NV3_VP_SMOV, { 0.5f, 2, 2, -2 } },
        { 0, NV3_VP_RCP, { 2, 2, 2, 2 } },
        { 0, NV3_VP_RCC, { 2, 2, 2, 2 } },
        { 0, NV3_VP_LOG, { -1, 1, -1, 1 } },
        { 0, NV3_VP_LIT, { 1, 0.5f, 0.25f, 1 } },
    };

    for (size_t i = 0; i < sizeof(ops) / sizeof(ops[0]); i++) {
        NV3VpRegisters r = { .address = 0 };

        set(r.attribute[5], 1, 2, 3, 4);
        set(constants[191], 8, 7, 6, 5);
        set(r.temp[11], 0.5f, 2, 2, -2);
        run(&r, &(Encode) {
            .vop = ops[i].vop, .sop = ops[i].sop,
            .src = { ATTRIBUTE, CONSTANT, TEMP(11) },
            .attribute = 5, .constant = 191, .output = 9, .output_mask = MASK_XYZW,
            .output_scalar = ops[i].sop != 0,
        }, 1, constants);
        assert_vector(r.output[9], ops[i].result[0], ops[i].result[1], ops[i].result[2],
                      ops[i].result[3]);
    }
}

/*
 * In an instruction with a vector and a scalar operation, both operations must read their
 * sources before one of them writes its result. The scalar operation writes R1.
 */
static void pairs(void **state)
{
    NV3VpRegisters r = { .address = 0 };

    set(r.temp[1], 4, 5, 6, 7);
    set(r.temp[2], 1, 1, 1, 1);
    run(&r, &(Encode) {
        .vop = NV3_VP_ADD, .sop = NV3_VP_RCP, .src = { TEMP(2), 0, TEMP(1) },
        .temp = 3, .vector_mask = 8 | 1, .scalar_mask = 4,
        .output = 3, .output_mask = 2, .output_scalar = true,
    }, 1, constants);
    assert_vector(r.temp[3], 5, 0, 0, 8);
    assert_vector(r.temp[1], 4, 0.25f, 6, 7);
    assert_vector(r.output[3], 0, 0, 0.25f, 0);
}

/*
 * In an instruction without a vector operation, the scalar operation must write the
 * instruction's destination register instead of R1.
 */
static void scalar_alone(void **state)
{
    NV3VpRegisters r = { .address = 0 };

    set(r.temp[2], -0.0f, 0, 0, 0);
    run(&r, &(Encode) {
        .sop = NV3_VP_RCP, .src = { 0, 0, TEMP(2) }, .temp = 7, .scalar_mask = MASK_XYZW,
    }, 1, constants);
    assert_vector(r.temp[7], -INFINITY, -INFINITY, -INFINITY, -INFINITY);
}

static void modifiers(void **state)
{
    NV3VpRegisters r = { .address = 0 };
    unsigned wzyy = source(NV3_VP_BANK_ATTRIBUTE, 0, 3 << 6 | 2 << 4 | 1 << 2 | 1, true);

    set(r.attribute[15], 1, 2, 3, 4);
    run(&r, &(Encode) {
        .vop = NV3_VP_VMOV, .src = { wzyy }, .attribute = 15, .temp = 0,
        .vector_mask = MASK_XYZW,
    }, 1, constants);
    assert_vector(r.temp[0], -4, -3, -2, -2);
}

/* A read of R12 must return the position that previous instructions have written. */
static void position_is_readable(void **state)
{
    const Encode program[] = {
        { .vop = NV3_VP_VMOV, .src = { ATTRIBUTE }, .output = 0, .output_mask = 8 | 4 },
        { .vop = NV3_VP_ADD, .src = { TEMP(12), 0, TEMP(12) }, .output = 0,
          .output_mask = MASK_XYZW },
    };
    NV3VpRegisters r = { .address = 0 };

    set(r.attribute[0], 1, 2, 3, 4);
    run(&r, program, 2, constants);
    assert_vector(r.output[0], 2, 4, 0, 0);
}

static void indexed_constants(void **state)
{
    const struct {
        float a0;
        unsigned constant;
        float result;
    } reads[] = {
        { 2, 10, 12 }, { -3, 10, 7 }, { 181, 10, 191 }, { 182, 10, 0 }, { -11, 10, 0 },
        { 1e30f, 10, 0 }, { -1e30f, 10, 0 }, { 0, 200, 0 }, { -100, 255, 155 },
    };

    for (unsigned i = 0; i < NV3_VP_CONSTANTS; i++) {
        set(constants[i], i, i, i, i);
    }
    for (size_t i = 0; i < sizeof(reads) / sizeof(reads[0]); i++) {
        const Encode program[] = {
            { .vop = NV3_VP_ARL, .src = { ATTRIBUTE } },
            { .vop = NV3_VP_VMOV, .src = { CONSTANT }, .constant = reads[i].constant,
              .indexed = true, .output = 15, .output_mask = 8 },
        };
        NV3VpRegisters r = { .address = 0 };

        set(r.attribute[0], reads[i].a0, 0, 0, 0);
        run(&r, program, 2, constants);
        assert_vector(r.output[15], reads[i].result, 0, 0, 0);
    }
}

/*
 * For each invalid instruction, the decoder must return the correct error. Fields that
 * the instruction does not use may have any value.
 */
static void bad_instructions(void **state)
{
    const Encode good = {
        .vop = NV3_VP_VMOV, .src = { ATTRIBUTE }, .output = 0, .output_mask = 8,
    };
    uint32_t words[4] = { 1 };
    NV3VpInsn insn;
    Encode e;

    assert_int_equal(decode(&insn, good), NV3_VP_OK);
    assert_int_equal(nv3_vp_decode(&insn, words), NV3_VP_BAD_WORD0);
    for (unsigned vop = NV3_VP_NV2A_VECTOR_OPS; vop < 16; vop++) {
        e = good;
        e.vop = vop;
        assert_int_equal(decode(&insn, e), NV3_VP_BAD_OPCODE);
    }
    for (unsigned temp = 13; temp < 16; temp++) {
        e = good;
        e.src[0] = TEMP(temp);
        assert_int_equal(decode(&insn, e), NV3_VP_BAD_SOURCE);
        e = good;
        e.src[1] = e.src[2] = TEMP(temp);
        assert_int_equal(decode(&insn, e), NV3_VP_OK);
        e = good;
        e.temp = temp;
        assert_int_equal(decode(&insn, e), NV3_VP_OK);
        e.vector_mask = 1;
        assert_int_equal(decode(&insn, e), NV3_VP_BAD_TEMP);
    }
    e = good;
    e.src[0] = 0;
    assert_int_equal(decode(&insn, e), NV3_VP_BAD_SOURCE);
    e = good;
    e.sop = NV3_VP_RCP;
    assert_int_equal(decode(&insn, e), NV3_VP_BAD_SOURCE);
    e = good;
    e.output = NV3_VP_OUTPUTS;
    assert_int_equal(decode(&insn, e), NV3_VP_BAD_OUTPUT);
    e = good;
    e.to_constant = true;
    assert_int_equal(decode(&insn, e), NV3_VP_BAD_OUTPUT);
    e = good;
    e.vop = NV3_VP_ARL;
    assert_int_equal(decode(&insn, e), NV3_VP_BAD_ADDRESS);
}

/*
 * The decoder must reject unknown bits in word 0, and extension flags without NV3_VP_EXT.
 */
static void extensions(void **state)
{
    Encode e = { .vop = NV3_VP_VMOV, .src = { ATTRIBUTE }, .output_mask = 8 };
    uint32_t words[4];
    NV3VpInsn insn;

    encode(words, e);
    for (unsigned bit = 0; bit < 32; bit++) {
        bool known = NV3_VP_EXT_ALL & 1u << bit;

        words[0] = NV3_VP_EXT | 1u << bit;
        assert_int_equal(nv3_vp_decode(&insn, words) == NV3_VP_BAD_WORD0, !known);
        words[0] = 1u << bit;
        assert_int_equal(nv3_vp_decode(&insn, words) == NV3_VP_BAD_WORD0, bit != 31);
    }
    words[0] = NV3_VP_EXT | NV3_VP_EXT_CONSTANT;
    assert_int_equal(nv3_vp_decode(&insn, words), NV3_VP_OK);
    assert_int_equal(insn.constant, 256);
    assert_int_equal(insn.constants, NV3_VP_CONSTANTS);
    words[0] = 0;
    assert_int_equal(nv3_vp_decode(&insn, words), NV3_VP_OK);
    assert_int_equal(insn.constants, NV3_VP_NV2A_CONSTANTS);
}

/*
 * Compares the results of the operations that Rankine (NV30) adds with those of the
 * host's math library.
 */
static void rankine_operations(void **state)
{
    for (int i = -400000; i < 400000; i++) {
        float x = i / 1000.0f;
        double power = exp2(x), error;

        if (x > -126 && x < 128) {
            error = number(nv3_vp_ex2(bits(x))) / power - 1;
            assert_true(fabs(error) < 0x1p-22);
        }
        error = number(nv3_vp_sin(bits(x))) - sin(x);
        assert_true(fabs(error) < 0x1p-22);
        error = number(nv3_vp_cos(bits(x))) - cos(x);
        assert_true(fabs(error) < 0x1p-22);
        if (i) {
            error = number(nv3_vp_lg2(bits(x))) - log2(fabs(x));
            assert_true(fabs(error) <= 0x1p-22 * fmax(fabs(log2(fabs(x))), 0x1p-20));
        }
        assert_true(number(nv3_vp_floor(bits(x))) == floorf(x));
        assert_true(number(nv3_vp_fraction(bits(x))) == x - floorf(x));
    }
    assert_int_equal(nv3_vp_lg2(0), NV3_VP_INFINITY | NV3_VP_SIGN);
    assert_int_equal(nv3_vp_lg2(NV3_VP_ONE), 0);
    assert_int_equal(nv3_vp_ex2(0), NV3_VP_ONE);
    assert_int_equal(nv3_vp_ex2(bits(200)), NV3_VP_INFINITY);
    assert_int_equal(nv3_vp_ex2(bits(-200)), 0);
    assert_int_equal(nv3_vp_sin(NV3_VP_INFINITY), NV3_VP_NAN);
    assert_int_equal(nv3_vp_cos(0), NV3_VP_ONE);
}

static void programs_end(void **state)
{
    uint32_t words[NV3_VP_INSNS * 4] = { 0 };
    NV3VpInsn insns[NV3_VP_INSNS];
    unsigned count;

    assert_int_equal(nv3_vp_decode_program(insns, &count, words, NV3_VP_INSNS),
                     NV3_VP_NO_END);
    words[NV3_VP_INSNS * 4 - 1] = 1;
    assert_int_equal(nv3_vp_decode_program(insns, &count, words, NV3_VP_INSNS),
                     NV3_VP_OK);
    assert_int_equal(count, NV3_VP_INSNS);
    words[4 * 7] = 1;
    assert_int_equal(nv3_vp_decode_program(insns, &count, words, NV3_VP_INSNS),
                     NV3_VP_BAD_WORD0);
    assert_int_equal(count, 7);
    for (int error = NV3_VP_OK; error <= NV3_VP_NO_END; error++) {
        assert_non_null(nv3_vp_error_name(error));
    }
}

/* An instruction that the decoder accepts must not cause accesses outside arrays. */
static void random_words(void **state)
{
    static NV3VpRegisters r;
    uint32_t seed = 1, accepted = 0;

    for (int i = 0; i < 200000; i++) {
        uint32_t words[4] = { 0 };
        NV3VpInsn insn;

        for (int w = 1; w < 4; w++) {
            seed = seed * 1664525 + 1013904223;
            words[w] = seed >> 16;
            seed = seed * 1664525 + 1013904223;
            words[w] |= seed & 0xffff0000;
        }
        if (nv3_vp_decode(&insn, words) == NV3_VP_OK) {
            nv3_vp_run(&r, &insn, 1, constants);
            accepted++;
        }
    }
    assert_true(accepted > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cards_results),
        cmocka_unit_test(xbox_results),
        cmocka_unit_test(accuracy),
        cmocka_unit_test(address),
        cmocka_unit_test(operations),
        cmocka_unit_test(pairs),
        cmocka_unit_test(scalar_alone),
        cmocka_unit_test(modifiers),
        cmocka_unit_test(position_is_readable),
        cmocka_unit_test(indexed_constants),
        cmocka_unit_test(bad_instructions),
        cmocka_unit_test(extensions),
        cmocka_unit_test(rankine_operations),
        cmocka_unit_test(programs_end),
        cmocka_unit_test(random_words),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
