/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Assembles fragment programs for tests and benchmarks. fp_emit() and its wrappers each
 * append one instruction. fp/fp_program.h describes the encoding.
 */
#ifndef NV3_TEST_FP_ASM_H
#define NV3_TEST_FP_ASM_H

#include <string.h>

#include "fp/fp_program.h"

typedef struct FpAsm {
    uint32_t words[NV3_FP_WORDS];
    unsigned count;             /* in words */
    unsigned last;              /* start of the last instruction */
} FpAsm;

typedef struct FpSrc {
    uint32_t word;
    unsigned input;
    bool is_input, is_constant, absolute;
    float constant[4];
} FpSrc;

typedef struct FpDst {
    unsigned reg, mask;
    uint32_t flags;             /* flags of word 0, such as FP_SATURATE */
} FpDst;

#define FP_XYZW         0xe4u
#define FP_SATURATE     (1u << 31)
#define FP_NO_RESULT    (1u << 30)
#define FP_EXPAND       (1u << 21)
#define FP_SET_COND     (1u << 8)
#define FP_HALF         (1u << 7)

static inline unsigned fp_component(char c)
{
    return c == 'w' ? 3 : c - 'x';
}

static inline unsigned fp_swizzle_bits(const char *s)
{
    unsigned bits = 0, length = strlen(s);

    for (unsigned c = 0; c < 4; c++) {
        bits |= fp_component(s[c < length ? c : length - 1]) << (2 * c);
    }
    return bits;
}

static inline FpSrc fp_r(unsigned reg, const char *swizzle)
{
    return (FpSrc) { .word = reg << 2 | fp_swizzle_bits(swizzle) << 9 };
}

static inline FpSrc fp_in(unsigned input, const char *swizzle)
{
    return (FpSrc) { .word = 1 | fp_swizzle_bits(swizzle) << 9, .input = input,
                     .is_input = true };
}

static inline FpSrc fp_k(float x, float y, float z, float w)
{
    return (FpSrc) { .word = 2 | FP_XYZW << 9, .is_constant = true,
                     .constant = { x, y, z, w } };
}

static inline FpSrc fp_neg(FpSrc s)
{
    s.word ^= 1u << 17;
    return s;
}

static inline FpSrc fp_abs(FpSrc s)
{
    s.absolute = true;
    return s;
}

static inline FpDst fp_d(unsigned reg, const char *mask)
{
    FpDst d = { .reg = reg };

    for (; *mask; mask++) {
        d.mask |= 1u << fp_component(*mask);
    }
    return d;
}

static inline FpDst fp_flags(FpDst d, uint32_t flags)
{
    d.flags |= flags;
    return d;
}

/*
 * Appends an instruction. Pass fp_none() for each unused source.
 * @test: mask of the condition codes with which a component is written (7: always).
 */
static inline void fp_emit(FpAsm *a, unsigned opcode, unsigned unit, unsigned test,
                           FpDst dst, FpSrc s0, FpSrc s1, FpSrc s2)
{
    uint32_t *w = a->words + a->count;
    const FpSrc s[3] = { s0, s1, s2 };
    static const unsigned absolute[3] = { 29, 18, 18 };

    a->last = a->count;
    w[0] = opcode << 24 | dst.reg << 1 | dst.mask << 9 | unit << 17 | dst.flags;
    w[1] = test << 18 | FP_XYZW << 21;
    w[2] = w[3] = 0;
    a->count += 4;
    for (unsigned i = 0; i < 3; i++) {
        w[1 + i] |= s[i].word | (uint32_t)s[i].absolute << absolute[i];
        if (s[i].is_input) {
            w[0] |= s[i].input << 13;
        }
        if (s[i].is_constant) {
            memcpy(w + 4, s[i].constant, 16);
            a->count = a->last + 8;
        }
    }
}

static inline FpSrc fp_none(void)
{
    return (FpSrc) { .word = 1 | FP_XYZW << 9 };
}

static inline void fp_op(FpAsm *a, unsigned opcode, FpDst dst, FpSrc s0, FpSrc s1,
                         FpSrc s2)
{
    fp_emit(a, opcode, 0, 7, dst, s0, s1, s2);
}

static inline void fp_op1(FpAsm *a, unsigned opcode, FpDst dst, FpSrc s0)
{
    fp_op(a, opcode, dst, s0, fp_none(), fp_none());
}

static inline void fp_op2(FpAsm *a, unsigned opcode, FpDst dst, FpSrc s0, FpSrc s1)
{
    fp_op(a, opcode, dst, s0, s1, fp_none());
}

static inline void fp_tex(FpAsm *a, unsigned opcode, unsigned unit, FpDst dst, FpSrc s0)
{
    fp_emit(a, opcode, unit, 7, dst, s0, fp_none(), fp_none());
}

static inline void fp_end(FpAsm *a)
{
    a->words[a->last] |= 1;
}

#endif
