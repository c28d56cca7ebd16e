/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The reference interpreter of fragment programs executes one instruction at a time for a
 * quad. fp_insn.h lists the rules. Exponentials, logarithms, sines and cosines are
 * computed with the C library's functions for doubles, and rounded to floats.
 */
#include <math.h>
#include <string.h>

#include "fp/fp_insn.h"
#include "texture/texreference.h"

typedef float Vec[4];

/* Returns log2(@x). If the magnitude of @x is below 2^-126, returns negative infinity. */
static float lg2(float x)
{
    if (fabsf(x) < 0x1p-126f) {
        return -INFINITY;
    }
    return x < 0 ? NAN : (float)log2(x);
}

/* Returns 2^@x, or 0 if the result is below 2^-126 or @x is a NaN. */
static float ex2(float x)
{
    double r = exp2(x);

    return r >= 0x1p-126 ? (float)r : 0;
}

static float rsq(float x)
{
    return 1.0f / sqrtf(fabsf(x));
}

static float min(float a, float b)
{
    return a < b ? a : b;
}

static float max(float a, float b)
{
    return a > b ? a : b;
}

static float dot(unsigned terms, const Vec a, const Vec b)
{
    float sum = a[0] * b[0];

    for (unsigned i = 1; i < terms; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

static void replicate(Vec r, float x)
{
    r[0] = r[1] = r[2] = r[3] = x;
}

static void lit(Vec r, const Vec a)
{
    float base = max(a[1], NV3_FP_LIT_BASE_MIN);
    float power = min(max(a[3], -NV3_FP_LIT_POWER_MAX), NV3_FP_LIT_POWER_MAX);

    r[0] = r[3] = 1;
    r[1] = max(a[0], 0);
    r[2] = a[0] > 0 ? ex2(power * lg2(base)) : 0;
}

static bool test_passes(unsigned test, float x)
{
    return test == NV3_FP_TEST_TR || (test & NV3_FP_TEST_LT && x < 0) ||
           (test & NV3_FP_TEST_EQ && x == 0) || (test & NV3_FP_TEST_GT && x > 0);
}

/* Computes one component of a result from the same component of each operand. */
static float by_component(unsigned opcode, float a, float b, float c)
{
    switch (opcode) {
    case NV3_FP_MUL:
        return a * b;
    case NV3_FP_ADD:
        return a + b;
    case NV3_FP_MAD:
        return a * b + c;
    case NV3_FP_MIN:
        return min(a, b);
    case NV3_FP_MAX:
        return max(a, b);
    case NV3_FP_SLT:
        return a < b;
    case NV3_FP_SGE:
        return a >= b;
    case NV3_FP_SLE:
        return a <= b;
    case NV3_FP_SGT:
        return a > b;
    case NV3_FP_SNE:
        return a != b;
    case NV3_FP_SEQ:
        return a == b;
    case NV3_FP_FRC:
        return a - floorf(a);
    case NV3_FP_FLR:
        return floorf(a);
    case NV3_FP_LRP:
        return a * (b - c) + c;
    case NV3_FP_STR:
        return 1;
    case NV3_FP_SFL:
        return 0;
    default:
        return a;
    }
}

/* Computes the result @r of any operation except texture operations and derivatives. */
static void compute(unsigned opcode, Vec r, const Vec a, const Vec b, const Vec c)
{
    switch (opcode) {
    case NV3_FP_DP2:
        replicate(r, dot(2, a, b));
        break;
    case NV3_FP_DP3:
        replicate(r, dot(3, a, b));
        break;
    case NV3_FP_DP4:
        replicate(r, dot(4, a, b));
        break;
    case NV3_FP_DP2A:
        replicate(r, dot(2, a, b) + c[0]);
        break;
    case NV3_FP_DST:
        r[0] = 1;
        r[1] = a[1] * b[1];
        r[2] = a[2];
        r[3] = b[3];
        break;
    case NV3_FP_RCP:
        replicate(r, 1 / a[0]);
        break;
    case NV3_FP_RSQ:
        replicate(r, rsq(a[0]));
        break;
    case NV3_FP_EX2:
        replicate(r, ex2(a[0]));
        break;
    case NV3_FP_LG2:
        replicate(r, lg2(a[0]));
        break;
    case NV3_FP_SIN:
        replicate(r, sin(a[0]));
        break;
    case NV3_FP_COS:
        replicate(r, cos(a[0]));
        break;
    case NV3_FP_POW:
        replicate(r, ex2(b[0] * lg2(a[0])));
        break;
    case NV3_FP_LIT:
        lit(r, a);
        break;
    default:
        for (unsigned i = 0; i < 4; i++) {
            r[i] = opcode == NV3_FP_NRM ? a[i] * rsq(dot(3, a, a)) :
                   opcode == NV3_FP_DIV ? a[i] / b[0] :
                   opcode == NV3_FP_DIVRSQ ? a[i] * rsq(b[0]) :
                   by_component(opcode, a[i], b[i], c[i]);
        }
        break;
    }
}

static void read_source(const NV3FpQuad *q, const NV3FpInsn *insn, unsigned s, unsigned p,
                        const uint32_t *words, Vec v)
{
    const NV3FpSource *src = &insn->src[s];

    for (unsigned i = 0; i < 4; i++) {
        const unsigned c = src->component[i];

        v[i] = 0;
        if (src->bank == NV3_FP_BANK_TEMP) {
            v[i] = q->reg[src->reg][c][p];
        } else if (src->bank == NV3_FP_BANK_INPUT) {
            v[i] = q->input[insn->input][c][p];
        } else if (src->bank == NV3_FP_BANK_CONSTANT) {
            memcpy(&v[i], &words[insn->constant + c], sizeof(v[i]));
        }
        v[i] = src->absolute ? fabsf(v[i]) : v[i];
        v[i] = src->negate ? -v[i] : v[i];
    }
}

static void sample(const NV3FpInsn *insn, const NV3TexUnit *unit, Vec v[3][NV3_FP_QUAD],
                   Vec r[NV3_FP_QUAD])
{
    static const uint8_t lod[64] = {
        [NV3_FP_TXB] = NV3_TEX_LOD_BIAS, [NV3_FP_TXL] = NV3_TEX_LOD_EXPLICIT,
        [NV3_FP_TXD] = NV3_TEX_LOD_GRADIENT,
    };
    NV3TexQuad quad = { .lod = lod[insn->opcode] };

    for (unsigned p = 0; p < NV3_FP_QUAD; p++) {
        for (unsigned c = 0; c < 3; c++) {
            quad.coord[c][p] = insn->opcode == NV3_FP_TXP ? v[0][p][c] / v[0][p][3] :
                                                            v[0][p][c];
            quad.gradient[0][c][p] = v[1][p][c];
            quad.gradient[1][c][p] = v[2][p][c];
        }
        quad.coord[3][p] = v[0][p][3];
    }
    nv3_tex_reference(unit, &quad);
    for (unsigned p = 0; p < NV3_FP_QUAD; p++) {
        for (unsigned c = 0; c < 4; c++) {
            r[p][c] = insn->expand ? quad.result[c][p] * 2 - 1 : quad.result[c][p];
        }
    }
}

static bool is_texture(unsigned opcode)
{
    return opcode == NV3_FP_TEX || opcode == NV3_FP_TXP || opcode == NV3_FP_TXB ||
           opcode == NV3_FP_TXL || opcode == NV3_FP_TXD;
}

static void kill(NV3FpQuad *q, const NV3FpInsn *insn)
{
    for (unsigned p = 0; p < NV3_FP_QUAD; p++) {
        for (unsigned c = 0; c < 4; c++) {
            float tested = q->condition[insn->test_component[c]][p];

            if (insn->test && test_passes(insn->test, tested)) {
                q->killed |= 1u << p;
            }
        }
    }
}

/*
 * Scales and saturates the result @r of pixel @p, and writes the components that pass
 * the condition test.
 */
static void write_result(NV3FpQuad *q, const NV3FpInsn *insn, unsigned p, Vec r)
{
    bool passes[4];

    for (unsigned c = 0; c < 4; c++) {
        passes[c] = test_passes(insn->test, q->condition[insn->test_component[c]][p]);
    }
    for (unsigned c = 0; c < 4; c++) {
        float x = r[c] * insn->scale;

        if (insn->saturate) {
            x = min(max(x, 0), 1);
        }
        if (!(insn->mask & 1u << c) || !passes[c]) {
            continue;
        }
        if (!insn->no_result) {
            q->reg[insn->reg][c][p] = x;
        }
        if (insn->set_condition) {
            q->condition[c][p] = x;
        }
    }
}

static void run(NV3FpQuad *q, const NV3FpInsn *insn, const uint32_t *words,
                const NV3TexUnit *const unit[NV3_FP_UNITS])
{
    Vec v[3][NV3_FP_QUAD], r[NV3_FP_QUAD];

    for (unsigned s = 0; s < 3; s++) {
        for (unsigned p = 0; p < NV3_FP_QUAD; p++) {
            read_source(q, insn, s, p, words, v[s][p]);
        }
    }
    for (unsigned p = 0; p < NV3_FP_QUAD; p++) {
        if (insn->opcode == NV3_FP_DDX || insn->opcode == NV3_FP_DDY) {
            const unsigned first = insn->opcode == NV3_FP_DDX ? p & 2 : p & 1;
            const unsigned second = first + (insn->opcode == NV3_FP_DDX ? 1 : 2);

            for (unsigned c = 0; c < 4; c++) {
                r[p][c] = v[0][second][c] - v[0][first][c];
            }
        } else if (!is_texture(insn->opcode)) {
            compute(insn->opcode, r[p], v[0][p], v[1][p], v[2][p]);
        }
    }
    if (is_texture(insn->opcode)) {
        sample(insn, unit[insn->unit], v, r);
    }
    for (unsigned p = 0; p < NV3_FP_QUAD; p++) {
        write_result(q, insn, p, r[p]);
    }
}

void nv3_fp_run(NV3FpQuad *quad, const NV3FpInsn *insns, unsigned count,
                const uint32_t *words, const NV3TexUnit *const unit[NV3_FP_UNITS])
{
    for (unsigned i = 0; i < count; i++) {
        if (insns[i].opcode == NV3_FP_KIL) {
            kill(quad, &insns[i]);
        } else if (insns[i].opcode != NV3_FP_NOP) {
            run(quad, &insns[i], words, unit);
        }
    }
}
