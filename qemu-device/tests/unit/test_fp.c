/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tests the decoder of fragment programs, and compares the results of translated programs
 * with those of the reference executor.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#ifdef __linux__
#include <sys/prctl.h>

/* Linux 6.3, include/uapi/linux/prctl.h */
#ifndef PR_SET_MDWE
#define PR_SET_MDWE                 65
#define PR_MDWE_REFUSE_EXEC_GAIN    1
#endif
#endif

#include "fp/fp_code.h"
#include "fp_asm.h"
#include "native/native.h"

#define LANES   NV3_FP_LANES

static uint32_t seed = 1;

static uint32_t random_bits(void)
{
    uint32_t high;

    seed = seed * 1664525 + 1013904223;
    high = seed & 0xffff0000;
    seed = seed * 1664525 + 1013904223;
    return high | seed >> 16;
}

static float number(uint32_t pattern)
{
    float x;

    memcpy(&x, &pattern, sizeof(x));
    return x;
}

/* Returns a special value such as NaN, or a float with random bits. */
static float anything(void)
{
    static const uint32_t special[] = {
        0, 0x80000000, 0x7f800000, 0xff800000, 0x7fc00000, 0x3f800000, 0xbf800000, 1,
    };
    unsigned choice = random_bits() % 16;

    return number(choice < 8 ? special[choice] : random_bits());
}

/* Returns a random float with an exponent from -8 to 8. */
static float moderate(void)
{
    return number((random_bits() & 0x807fffff) | (119 + random_bits() % 17) << 23);
}

/* A program, its inputs, and the results of both executors. */
typedef struct Rig {
    FpAsm a;
    NV3FpInsn insns[NV3_FP_INSNS];
    unsigned count;
    NV3FpCode *code;                /* interpreted */
    NV3FpCode *native[NV3_FP_LEVELS];   /* compiled for each level */
    NV3FpThread *thread;
    const uint32_t *words;          /* NV3FpDraw.words */
    float input[NV3_FP_INPUTS][4][LANES];
    float expected[4][LANES];
    uint64_t expected_killed;
    float result[4][LANES];
    uint64_t killed;
    const NV3TexUnit *unit[NV3_FP_UNITS];
} Rig;

static Rig rig;

static void fill(float (*operand)(void))
{
    for (unsigned i = 0; i < NV3_FP_INPUTS; i++) {
        for (unsigned c = 0; c < 4; c++) {
            for (unsigned p = 0; p < LANES; p++) {
                rig.input[i][c][p] = operand();
            }
        }
    }
}

static void load(void)
{
    NV3FpError error;
    unsigned position;

    fp_end(&rig.a);
    assert_int_equal(nv3_fp_decode_program(rig.insns, &rig.count, rig.a.words,
                                           rig.a.count, &position), NV3_FP_OK);
    rig.code = nv3_fp_code_new(rig.a.words, rig.a.count, 0, &error, &position);
    assert_non_null(rig.code);
    for (unsigned level = 0; level <= nv3_fp_best_level(); level++) {
        rig.native[level] = nv3_fp_code_new(rig.a.words, rig.a.count, 0, &error,
                                            &position);
        assert_non_null(rig.native[level]);
        nv3_native_compile_fp(rig.native[level], level);
    }
    rig.thread = nv3_fp_thread_new();
    assert_non_null(rig.thread);
}

static void unload(void)
{
    nv3_fp_thread_free(rig.thread);
    nv3_fp_code_free(rig.code);
    for (unsigned level = 0; level <= nv3_fp_best_level(); level++) {
        nv3_fp_code_free(rig.native[level]);
    }
    rig.a.count = 0;
}

static void run_reference(void)
{
    rig.expected_killed = 0;
    for (unsigned q = 0; q < LANES / 4; q++) {
        const unsigned first = q / 4 * 16 + q % 4 * 2;
        const unsigned pixel[4] = { first, first + 1, first + 8, first + 9 };
        static NV3FpQuad quad;

        memset(&quad, 0, sizeof(quad));
        for (unsigned i = 0; i < NV3_FP_INPUTS; i++) {
            for (unsigned c = 0; c < 4; c++) {
                for (unsigned p = 0; p < 4; p++) {
                    quad.input[i][c][p] = rig.input[i][c][pixel[p]];
                }
            }
        }
        nv3_fp_run(&quad, rig.insns, rig.count, rig.a.words, rig.unit);
        for (unsigned p = 0; p < 4; p++) {
            for (unsigned c = 0; c < 4; c++) {
                rig.expected[c][pixel[p]] = quad.reg[0][c][p];
            }
            rig.expected_killed |= (uint64_t)(quad.killed >> p & 1) << pixel[p];
        }
    }
}

static void run_fast(NV3FpLevel level, const NV3FpCode *code)
{
    NV3FpDraw draw = { .code = code, .words = rig.words, .level = level };

    memcpy(draw.unit, rig.unit, sizeof(draw.unit));
    nv3_fp_begin(rig.thread, &draw);
    for (unsigned i = 0; i < code->input_count; i++) {
        const NV3FpCodeInput *in = &code->input[i];

        memcpy(rig.thread->file[in->slot].pixel, rig.input[in->input][in->component],
               sizeof(rig.input[0][0]));
    }
    rig.thread->killed = 0;
    nv3_fp_run_code(rig.thread);
    for (unsigned c = 0; c < 4; c++) {
        memcpy(rig.result[c], rig.thread->file[code->color[c]].pixel,
               sizeof(rig.result[c]));
    }
    rig.killed = rig.thread->killed;
}

/* Returns true if the bits of both numbers are equal, or if both are NaNs. */
static bool same(float a, float b)
{
    return !memcmp(&a, &b, sizeof(a)) || (isnan(a) && isnan(b));
}

static void assert_expected(unsigned level, const char *how)
{
    assert_true(rig.killed == rig.expected_killed);
    for (unsigned c = 0; c < 4; c++) {
        for (unsigned p = 0; p < LANES; p++) {
            if (!same(rig.result[c][p], rig.expected[c][p])) {
                fail_msg("level %u, %s, component %u, pixel %u: %a, not %a", level, how,
                         c, p, rig.result[c][p], rig.expected[c][p]);
            }
        }
    }
}

static void assert_exact(void)
{
    run_reference();
    for (unsigned level = 0; level <= nv3_fp_best_level(); level++) {
        run_fast(level, rig.code);
        assert_expected(level, "interpreted");
        run_fast(level, rig.native[level]);
        assert_expected(level, "compiled");
    }
}

/* Number of registers that random instructions use. */
static unsigned registers = 4;

static FpSrc random_source(void)
{
    static const char *const swizzle[] = { "xyzw", "wzyx", "xxxx", "yzwx", "wwww" };
    FpSrc s;

    switch (random_bits() % 4) {
    case 0:
        s = fp_k(moderate(), moderate(), 0, 1);
        break;
    case 1:
        s = fp_in(NV3_FP_COLOR0, swizzle[random_bits() % 5]);
        break;
    default:
        s = fp_r(random_bits() % registers, swizzle[random_bits() % 5]);
        break;
    }
    if (random_bits() % 3 == 0) {
        s = fp_neg(s);
    }
    return random_bits() % 8 ? s : fp_abs(s);
}

/*
 * Opcode and number of sources of each operation whose results must be exactly those of
 * the reference.
 */
static const uint8_t exact_ops[][2] = {
    { NV3_FP_MOV, 1 }, { NV3_FP_MUL, 2 }, { NV3_FP_ADD, 2 }, { NV3_FP_MAD, 3 },
    { NV3_FP_DP3, 2 }, { NV3_FP_DP4, 2 }, { NV3_FP_DST, 2 }, { NV3_FP_MIN, 2 },
    { NV3_FP_MAX, 2 }, { NV3_FP_SLT, 2 }, { NV3_FP_SGE, 2 }, { NV3_FP_SLE, 2 },
    { NV3_FP_SGT, 2 }, { NV3_FP_SNE, 2 }, { NV3_FP_SEQ, 2 }, { NV3_FP_FRC, 1 },
    { NV3_FP_FLR, 1 }, { NV3_FP_DDX, 1 }, { NV3_FP_DDY, 1 }, { NV3_FP_RCP, 1 },
    { NV3_FP_RSQ, 1 }, { NV3_FP_LRP, 3 }, { NV3_FP_STR, 0 }, { NV3_FP_SFL, 0 },
    { NV3_FP_DP2A, 3 }, { NV3_FP_DP2, 2 }, { NV3_FP_NRM, 1 }, { NV3_FP_DIV, 2 },
    { NV3_FP_DIVRSQ, 2 },
};
#define EXACT_OPS   (sizeof(exact_ops) / sizeof(exact_ops[0]))

/*
 * Emits an instruction with random sources. An instruction can encode only one input and
 * one constant, so all sources that are inputs read the same input, and all sources that
 * are constants read the same constant.
 */
static void emit_random(unsigned opcode, unsigned sources)
{
    static const char *const mask[] = { "xyzw", "xyz", "w", "xz", "y" };
    FpSrc s[3] = { fp_none(), fp_none(), fp_none() };
    FpDst d = fp_d(random_bits() % registers, mask[random_bits() % 5]);
    unsigned test = random_bits() % 3 ? 7 : random_bits() % 8;

    for (unsigned i = 0; i < sources; i++) {
        s[i] = random_source();
    }
    for (unsigned i = 1; i < sources; i++) {
        for (unsigned k = 0; k < i; k++) {
            if (s[i].is_constant && s[k].is_constant) {
                memcpy(s[i].constant, s[k].constant, sizeof(s[i].constant));
            }
        }
    }
    if (random_bits() % 4 == 0) {
        d = fp_flags(d, FP_SATURATE);
    }
    if (random_bits() % 4 == 0) {
        d = fp_flags(d, FP_SET_COND);
    }
    if (random_bits() % 8 == 0) {
        d = fp_flags(d, FP_NO_RESULT | FP_SET_COND);
    }
    fp_emit(&rig.a, opcode, 0, test, d, s[0], s[1], s[2]);
    if (random_bits() % 6 == 0) {
        static const uint8_t scale[] = { 1, 2, 3, 5, 6, 7 };

        rig.a.words[rig.a.last + 2] |= (uint32_t)scale[random_bits() % 6] << 28;
    }
}

static void exact_operations(void **state)
{
    for (unsigned i = 0; i < EXACT_OPS; i++) {
        for (unsigned round = 0; round < 60; round++) {
            fp_op1(&rig.a, NV3_FP_MOV, fp_d(1, "xyzw"), fp_in(NV3_FP_COLOR1, "xyzw"));
            fp_op1(&rig.a, NV3_FP_MOV, fp_d(2, "xyzw"), fp_in(NV3_FP_FOG, "xyzw"));
            fp_op1(&rig.a, NV3_FP_MOV, fp_d(0, "xyzw"), fp_in(NV3_FP_FOG, "wzyx"));
            emit_random(exact_ops[i][0], exact_ops[i][1]);
            fp_op1(&rig.a, NV3_FP_MOV, fp_d(0, "xyzw"),
                   fp_r(rig.a.words[rig.a.last] >> 1 & 3, "xyzw"));
            load();
            fill(round % 2 ? anything : moderate);
            assert_exact();
            unload();
        }
    }
}

static void exact_programs(void **state)
{
    for (unsigned round = 0; round < 300; round++) {
        const bool long_program = round % 5 == 0;
        unsigned length = 1 + random_bits() % (long_program ? 400 : 60);

        /* Values of long programs do not fit in the host's registers. */
        registers = long_program ? 24 : 4;
        fp_op1(&rig.a, NV3_FP_MOV, fp_d(1, "xyzw"), fp_in(NV3_FP_COLOR1, "xyzw"));
        for (unsigned i = 0; i < length; i++) {
            unsigned op = random_bits() % EXACT_OPS;

            if (random_bits() % 50 == 0) {
                fp_emit(&rig.a, NV3_FP_KIL, 0, random_bits() % 8, fp_d(0, ""), fp_none(),
                        fp_none(), fp_none());
            }
            emit_random(exact_ops[op][0], exact_ops[op][1]);
        }
        load();
        fill(round % 2 ? anything : moderate);
        assert_exact();
        unload();
    }
    registers = 4;
}

static double relative(double x)
{
    return fmax(fabs(x), 0x1p-126);
}

/* Checks the error bounds that fp_code.h states. */
static void bounds(void **state)
{
    for (unsigned round = 0; round < 200; round++) {
        for (unsigned p = 0; p < LANES; p++) {
            rig.input[NV3_FP_COLOR0][0][p] = (random_bits() >> 8) * 0x1p-16f - 128;
            rig.input[NV3_FP_COLOR0][1][p] = fabsf(number(random_bits() & 0x7f7fffff));
            rig.input[NV3_FP_COLOR0][2][p] = (random_bits() >> 8) * 0x1p-10f - 8192;
            rig.input[NV3_FP_COLOR0][3][p] = (random_bits() >> 8) * 0x1p-24f * 7 - 3.5f;
        }
        fp_op1(&rig.a, NV3_FP_EX2, fp_d(0, "x"), fp_in(NV3_FP_COLOR0, "x"));
        fp_op1(&rig.a, NV3_FP_LG2, fp_d(0, "y"), fp_in(NV3_FP_COLOR0, "y"));
        fp_op1(&rig.a, NV3_FP_SIN, fp_d(0, "z"),
               fp_in(NV3_FP_COLOR0, round % 2 ? "z" : "w"));
        fp_op1(&rig.a, NV3_FP_COS, fp_d(0, "w"),
               fp_in(NV3_FP_COLOR0, round % 2 ? "z" : "w"));
        load();
        run_reference();
        for (unsigned level = 0; level <= nv3_fp_best_level(); level++) {
            run_fast(level, rig.native[level]);
            for (unsigned p = 0; p < LANES; p++) {
                const float *x = rig.input[NV3_FP_COLOR0][0];
                double e0 = rig.expected[0][p], e1 = rig.expected[1][p];

                if (fabs(rig.result[0][p] - e0) > relative(e0) * 0x1p-21 ||
                    fabs(rig.result[1][p] - e1) > fmax(fabs(e1), 1) * 0x1p-22 ||
                    fabs(rig.result[2][p] - rig.expected[2][p]) > 0x1p-22 ||
                    fabs(rig.result[3][p] - rig.expected[3][p]) > 0x1p-22) {
                    fail_msg("level %u, pixel %u (%a): %a %a %a %a, not %a %a %a %a",
                             level, p, x[p], rig.result[0][p], rig.result[1][p],
                             rig.result[2][p], rig.result[3][p], e0, e1,
                             rig.expected[2][p], rig.expected[3][p]);
                }
            }
        }
        unload();
    }
}

/*
 * The errors of POW and LIT depend on the magnitude of log2(x) * y, which is at most 32
 * in this test.
 */
static void powers(void **state)
{
    for (unsigned round = 0; round < 100; round++) {
        for (unsigned p = 0; p < LANES; p++) {
            rig.input[NV3_FP_COLOR0][0][p] = ldexpf(1 + (random_bits() >> 9) * 0x1p-23f,
                                                    (int)(random_bits() % 8) - 4);
            rig.input[NV3_FP_COLOR0][1][p] = rig.input[NV3_FP_COLOR0][0][p];
            rig.input[NV3_FP_COLOR0][3][p] = (random_bits() >> 8) * 0x1p-20f - 8;
        }
        fp_op2(&rig.a, NV3_FP_POW, fp_d(0, "xyw"), fp_in(NV3_FP_COLOR0, "x"),
               fp_in(NV3_FP_COLOR0, "w"));
        fp_op1(&rig.a, NV3_FP_LIT, fp_d(0, "z"), fp_in(NV3_FP_COLOR0, "xyzw"));
        load();
        run_reference();
        for (unsigned level = 0; level <= nv3_fp_best_level(); level++) {
            run_fast(level, rig.native[level]);
            for (unsigned p = 0; p < LANES; p++) {
                for (unsigned c = 0; c < 4; c++) {
                    assert_true(fabs(rig.result[c][p] - rig.expected[c][p]) <=
                                rig.expected[c][p] * 0x1p-16);
                }
            }
        }
        unload();
    }
}

/* Tests exponentials and logarithms whose exact results are representable. */
static void exact_powers(void **state)
{
    for (unsigned p = 0; p < LANES; p++) {
        rig.input[NV3_FP_COLOR0][0][p] = (int)p * 4 - 128;
        rig.input[NV3_FP_COLOR0][1][p] = ldexpf(1, (int)p * 3 - 96);
        rig.input[NV3_FP_COLOR0][2][p] = p ? p == 1 ? INFINITY : p == 2 ? -1 : NAN : 0;
        rig.input[NV3_FP_COLOR0][3][p] = p ? p == 1 ? INFINITY : -INFINITY : 0;
    }
    fp_op1(&rig.a, NV3_FP_EX2, fp_d(0, "x"), fp_in(NV3_FP_COLOR0, "x"));
    fp_op1(&rig.a, NV3_FP_LG2, fp_d(0, "y"), fp_in(NV3_FP_COLOR0, "y"));
    fp_op1(&rig.a, NV3_FP_LG2, fp_d(0, "z"), fp_in(NV3_FP_COLOR0, "z"));
    fp_op1(&rig.a, NV3_FP_EX2, fp_d(0, "w"), fp_in(NV3_FP_COLOR0, "w"));
    load();
    assert_exact();
    unload();
}

/* Returns a texture unit with random texels. */
static NV3TexUnit *random_unit(void)
{
    static uint32_t texels[16 * 16];
    const NV3TexImage image = {
        .base = (const uint8_t *)texels, .size = sizeof(texels),
        .format = NV3_TEX_A8R8G8B8, .dim = NV3_TEX_2D, .levels = 1,
        .width = 16, .height = 16, .depth = 1, .level = { { 0, 64, 0 } },
    };
    const NV3TexSampler sampler = { .min_linear = true, .mag_linear = true };

    for (unsigned i = 0; i < 256; i++) {
        texels[i] = random_bits();
    }
    return nv3_texunit_new(&image, &sampler);
}

/*
 * All operations, including texture operations, must return the same bits at all SIMD
 * levels.
 */
static void levels_agree(void **state)
{
    static const uint8_t others[][2] = {
        { NV3_FP_EX2, 1 }, { NV3_FP_LG2, 1 }, { NV3_FP_SIN, 1 }, { NV3_FP_COS, 1 },
        { NV3_FP_POW, 2 }, { NV3_FP_LIT, 1 }, { NV3_FP_TEX, 1 }, { NV3_FP_TXP, 1 },
        { NV3_FP_TXB, 1 }, { NV3_FP_TXL, 1 }, { NV3_FP_TXD, 3 },
    };
    NV3TexUnit *unit = random_unit();

    rig.unit[0] = unit;
    for (unsigned round = 0; round < 300; round++) {
        const bool long_program = round % 5 == 0;
        unsigned length = 1 + random_bits() % (long_program ? 400 : 60);

        /* Values of long programs do not fit in the host's registers. */
        registers = long_program ? 24 : 4;
        fp_op1(&rig.a, NV3_FP_MOV, fp_d(1, "xyzw"), fp_in(NV3_FP_COLOR1, "xyzw"));
        for (unsigned i = 0; i < length; i++) {
            unsigned op = random_bits() % (EXACT_OPS + 11);
            const uint8_t *entry =
                op < EXACT_OPS ? exact_ops[op] : others[op - EXACT_OPS];

            emit_random(entry[0], entry[1]);
        }
        load();
        fill(round % 2 ? anything : moderate);
        run_fast(NV3_FP_GENERIC, rig.code);
        memcpy(rig.expected, rig.result, sizeof(rig.expected));
        for (unsigned level = 1; level <= nv3_fp_best_level(); level++) {
            run_fast(level, rig.native[level]);
            for (unsigned p = 0; p < 4 * LANES; p++) {
                assert_true(same(rig.result[p / LANES][p % LANES],
                                 rig.expected[p / LANES][p % LANES]));
            }
        }
        unload();
    }
    rig.unit[0] = NULL;
    nv3_texunit_free(unit);
}

/* Returns a texture unit with random texels in three levels and a trilinear filter. */
static NV3TexUnit *mipmapped_unit(void)
{
    static uint32_t texels[8 * 8 + 4 * 4 + 2 * 2];
    const NV3TexImage image = {
        .base = (const uint8_t *)texels, .size = sizeof(texels),
        .format = NV3_TEX_A8R8G8B8, .dim = NV3_TEX_2D, .levels = 3,
        .width = 8, .height = 8, .depth = 1,
        .level = { { 0, 32, 0 }, { 256, 16, 0 }, { 320, 8, 0 } },
    };
    const NV3TexSampler sampler = {
        .min_linear = true, .mag_linear = false, .mip = NV3_TEX_MIP_LINEAR, .lod_max = 2,
    };

    for (unsigned i = 0; i < sizeof(texels) / sizeof(texels[0]); i++) {
        texels[i] = random_bits();
    }
    return nv3_texunit_new(&image, &sampler);
}

/*
 * A single operation samples a texture and multiplies the components in @mask. The
 * results are the same as those of two operations.
 */
static void check_product(unsigned opcode, const char *mask, NV3FpLevel level)
{
    float sample[4][LANES];

    fp_tex(&rig.a, opcode, 0, fp_d(0, mask), fp_in(NV3_FP_TEXCOORD0, "xyzw"));
    load();
    run_fast(level, rig.native[level]);
    memcpy(sample, rig.result, sizeof(sample));
    unload();

    fp_tex(&rig.a, opcode, 0, fp_d(1, mask), fp_in(NV3_FP_TEXCOORD0, "xyzw"));
    fp_op2(&rig.a, NV3_FP_MUL, fp_d(0, mask), fp_in(NV3_FP_COLOR0, "xyzw"),
           fp_r(1, "xyzw"));
    load();
    assert_int_equal(rig.code->count, 1);
    assert_int_equal(rig.code->op[rig.code->uniform_count].n, 2);
    run_fast(level, rig.native[level]);
    for (unsigned p = 0; p < 4 * LANES; p++) {
        const unsigned c = p / LANES, i = p % LANES;
        const float factor = strchr(mask, "xyzw"[c]) ? rig.input[NV3_FP_COLOR0][c][i] : 1;

        assert_true(same(rig.result[c][i], sample[c][i] * factor));
    }
    unload();
}

static void products_of_samples(void **state)
{
    static const char *const masks[] = { "xyzw", "xyz", "yw", "z" };
    NV3TexUnit *units[] = { random_unit(), mipmapped_unit(), NULL };

    for (unsigned u = 0; u < 3; u++) {
        rig.unit[0] = units[u];
        for (unsigned level = 0; level <= nv3_fp_best_level(); level++) {
            for (unsigned i = 0; i < 4; i++) {
                fill(i % 2 ? anything : moderate);
                check_product(NV3_FP_TEX, masks[i], level);
                for (unsigned p = 0; p < LANES; p++) {
                    /* levels 0 and 1 for all pixels, or all levels */
                    rig.input[NV3_FP_TEXCOORD0][3][p] = (i % 2 ? p % 8 : p) / 32.0f;
                }
                check_product(NV3_FP_TXL, masks[i], level);
            }
        }
        nv3_texunit_free(units[u]);
    }
    rig.unit[0] = NULL;
}

/* Returns a number from 0 to 1. */
static float fraction(void)
{
    return (random_bits() >> 8) * 0x1p-24f;
}

/*
 * Tests programs that multiply a sample, but also need the sample itself: a factor is the
 * sample's alpha or the component itself, or the alpha is a result of the program.
 */
static void stored_samples(void **state)
{
    static const char *const factor[] = { "wwww", "xyzw" };
    NV3TexUnit *unit = random_unit();

    rig.unit[0] = unit;
    for (unsigned i = 0; i < 3; i++) {
        fp_tex(&rig.a, NV3_FP_TEX, 0, fp_d(1, "xyzw"), fp_in(NV3_FP_TEXCOORD0, "xyzw"));
        fp_op2(&rig.a, NV3_FP_MUL, fp_d(0, "xyzw"), fp_r(1, "xyzw"),
               i < 2 ? fp_r(1, factor[i]) : fp_in(NV3_FP_COLOR0, "xyzw"));
        if (i == 2) {
            fp_op1(&rig.a, NV3_FP_MOV, fp_d(0, "w"), fp_r(1, "w"));
        }
        load();
        assert_int_equal(rig.code->op[rig.code->uniform_count].n, 1);
        fill(fraction);
        run_reference();
        for (unsigned level = 0; level <= nv3_fp_best_level(); level++) {
            run_fast(level, rig.native[level]);
            for (unsigned p = 0; p < 4 * LANES; p++) {
                /* twice the error of a sample (texture/texreference.h) */
                assert_true(fabsf(rig.expected[p / LANES][p % LANES] -
                                  rig.result[p / LANES][p % LANES]) <= 6.0f / 256);
            }
        }
        unload();
    }
    rig.unit[0] = NULL;
    nv3_texunit_free(unit);
}

/*
 * New constants in NV3FpDraw.words must take effect, also in operations whose sources are
 * all constants.
 */
static void constants_change(void **state)
{
    float one = 5, two = -3;

    fp_op2(&rig.a, NV3_FP_MUL, fp_d(1, "xyzw"), fp_k(2, 2, 2, 2), fp_k(2, 2, 2, 2));
    fp_op2(&rig.a, NV3_FP_ADD, fp_d(0, "xyzw"), fp_r(1, "xyzw"),
           fp_in(NV3_FP_COLOR0, "xyzw"));
    fp_op2(&rig.a, NV3_FP_ADD, fp_d(0, "x"), fp_r(0, "x"), fp_k(1, 1, 1, 1));
    load();
    fill(moderate);
    assert_exact();
    memcpy(&rig.a.words[4], &one, sizeof(one));
    memcpy(&rig.a.words[16], &two, sizeof(two));
    rig.words = rig.a.words;
    assert_exact();
    rig.words = NULL;
    unload();
}

static NV3FpError decode_words(const uint32_t *words, unsigned count, unsigned *position)
{
    NV3FpError error;
    NV3FpCode *code = nv3_fp_code_new(words, count, 0, &error, position);

    assert_true((code != NULL) == (error == NV3_FP_OK));
    nv3_fp_code_free(code);
    return error;
}

static void bad_programs(void **state)
{
    static const struct {
        unsigned word;
        uint32_t clear, set;
        NV3FpError error;
    } bad[] = {
        { 0, 0x3f000000, 0x3f000000, NV3_FP_BAD_OPCODE },
        { 0, 0x3f000000, 0x13000000, NV3_FP_BAD_OPCODE },
        { 2, 0, 1u << 31, NV3_FP_BAD_BRANCH },
        { 1, 3, 3, NV3_FP_BAD_SOURCE },
        { 1, 0xff, 48 << 2, NV3_FP_BAD_SOURCE },
        { 0, 15 << 13, 15 << 13, NV3_FP_BAD_SOURCE },
        { 0, 0x7e, 48 << 1, NV3_FP_BAD_DESTINATION },
        { 3, 0, 1u << 30, NV3_FP_BAD_INDEX },
        { 3, 0, 1u << 31, NV3_FP_BAD_INDEX },
        { 1, 0, 1u << 31, NV3_FP_BAD_CONDITION },
        { 2, 0, 4u << 28, NV3_FP_BAD_SCALE },
        { 0, 1, 0, NV3_FP_NO_END },
        { 2, 3, 2, NV3_FP_NO_END },     /* the constant is missing */
    };
    unsigned position;

    for (unsigned i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        FpAsm *a = &rig.a;

        a->count = 0;
        fp_op1(a, NV3_FP_MOV, fp_d(1, "x"), fp_k(1, 2, 3, 4));
        fp_op2(a, NV3_FP_MUL, fp_d(0, "xyzw"), fp_in(1, "xyzw"), fp_r(1, "xyzw"));
        fp_end(a);
        assert_int_equal(decode_words(a->words, a->count, &position), NV3_FP_OK);
        a->words[8 + bad[i].word] &= ~bad[i].clear;
        a->words[8 + bad[i].word] |= bad[i].set;
        assert_int_equal(decode_words(a->words, a->count, &position), bad[i].error);
        assert_int_equal(position, bad[i].error == NV3_FP_NO_END && bad[i].word == 0 ?
                                   12 : 8);
        assert_true(strlen(nv3_fp_error_name(bad[i].error)) > 0);
    }
    rig.a.count = 0;
}

/* Tests a program with the maximum length and a constant in each instruction. */
static void longest_program(void **state)
{
    for (unsigned i = 0; i < NV3_FP_INSNS; i++) {
        fp_op(&rig.a, NV3_FP_MAD, fp_d(0, "xyzw"), fp_r(0, "wxyz"), fp_k(0.5f, i, 1, 2),
              fp_in(NV3_FP_COLOR0, "xyzw"));
    }
    load();
    fill(moderate);
    assert_exact();
    unload();
}

/*
 * The decoder must either decode random words to a program, or reject them with an error.
 */
static void random_words(void **state)
{
    unsigned ok = 0;

    for (unsigned round = 0; round < 20000; round++) {
        unsigned position;

        for (unsigned i = 0; i < 32; i++) {
            rig.a.words[i] = random_bits() & (i % 4 == 3 ? 0x3fffffff : UINT32_MAX) &
                             (i % 4 == 2 ? 0x0fffffff : UINT32_MAX) &
                             (i % 4 == 1 ? 0x3fffffff : UINT32_MAX);
        }
        ok += decode_words(rig.a.words, 32, &position) == NV3_FP_OK;
        assert_true(position <= 32);
    }
    assert_true(ok > 0);
}

/* Loads a program, and checks that it is compiled at each SIMD level, or at none. */
static void load_arithmetic(bool compiled)
{
    fp_op2(&rig.a, NV3_FP_MUL, fp_d(1, "xyzw"), fp_in(NV3_FP_COLOR0, "xyzw"),
           fp_in(NV3_FP_COLOR0, "wzyx"));
    fp_op2(&rig.a, NV3_FP_ADD, fp_d(0, "xyzw"), fp_r(1, "xyzw"), fp_r(1, "yzwx"));
    load();
    for (unsigned level = NV3_FP_AVX2; level <= nv3_fp_best_level(); level++) {
        assert_int_equal(rig.native[level]->native != NULL, compiled);
    }
}

/*
 * Arithmetic is compiled, unless the system refuses executable memory. The refusal cannot
 * be revoked, so this test is the last.
 */
static void executable_memory(void **state)
{
    load_arithmetic(true);
    unload();
#ifdef __linux__
    if (prctl(PR_SET_MDWE, PR_MDWE_REFUSE_EXEC_GAIN, 0, 0, 0)) {
        skip();
    }
    load_arithmetic(false);
    fill(moderate);
    assert_exact();
    unload();
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_programs),
        cmocka_unit_test(random_words),
        cmocka_unit_test(exact_operations),
        cmocka_unit_test(exact_programs),
        cmocka_unit_test(exact_powers),
        cmocka_unit_test(bounds),
        cmocka_unit_test(powers),
        cmocka_unit_test(levels_agree),
        cmocka_unit_test(products_of_samples),
        cmocka_unit_test(stored_samples),
        cmocka_unit_test(constants_change),
        cmocka_unit_test(longest_program),
        cmocka_unit_test(executable_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
