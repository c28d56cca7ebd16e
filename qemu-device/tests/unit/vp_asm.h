/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Assembles vertex programs for tests and benchmarks. vp/vp_program.h describes the
 * encoding.
 */
#ifndef NV3_TEST_VP_ASM_H
#define NV3_TEST_VP_ASM_H

#include <string.h>

#include "vp/vp_program.h"

typedef struct VpAsm {
    uint32_t words[NV3_VP_INSNS][NV3_VP_INSN_WORDS];
    unsigned count;
} VpAsm;

/* An operand: the bank and the number of the register that it reads, and its swizzle. */
typedef struct VpSrc {
    NV3VpBank bank;
    unsigned number;
    const char *swizzle;
} VpSrc;

#define VP_V(i, swizzle)    ((VpSrc) { NV3_VP_BANK_ATTRIBUTE, i, swizzle })
#define VP_C(i, swizzle)    ((VpSrc) { NV3_VP_BANK_CONSTANT, i, swizzle })
#define VP_R(i, swizzle)    ((VpSrc) { NV3_VP_BANK_TEMP, i, swizzle })
#define VP_NONE             ((VpSrc) { NV3_VP_BANK_TEMP, 0, "xyzw" })

/*
 * Stores @value in an instruction, with the lowest bit of @value at bit @first. Bit 0 is
 * the lowest bit of the last word.
 */
static inline void vp_put(uint32_t *words, unsigned first, uint64_t value)
{
    for (unsigned bit = 0; value >> bit; bit++) {
        if (value >> bit & 1) {
            words[NV3_VP_INSN_WORDS - 1 - (first + bit) / 32] |= 1u << (first + bit) % 32;
        }
    }
}

static inline unsigned vp_mask(const char *mask)
{
    unsigned bits = 0;

    for (; *mask; mask++) {
        bits |= 8u >> (*mask == 'w' ? 3 : *mask - 'x');
    }
    return bits;
}

static inline void vp_source(uint32_t *words, unsigned first, VpSrc s)
{
    unsigned length = strlen(s.swizzle), bits = s.bank;

    if (s.bank == NV3_VP_BANK_TEMP) {
        bits |= s.number << 2;
    } else {
        vp_put(words, s.bank == NV3_VP_BANK_CONSTANT ? 77 : 73, s.number);
    }
    for (unsigned i = 0; i < 4; i++) {
        char c = s.swizzle[i < length ? i : length - 1];

        bits |= (c == 'w' ? 3u : (unsigned)(c - 'x')) << (12 - 2 * i);
    }
    vp_put(words, first, bits);
}

/*
 * Appends an instruction that writes output @output, or temporary register @temp if
 * @output is -1. Returns the words of the instruction.
 */
static inline uint32_t *vp_start(VpAsm *a, int output, unsigned temp, const char *mask,
                                 VpSrc s0, VpSrc s1, VpSrc s2)
{
    uint32_t *words = a->words[a->count++];

    memset(words, 0, NV3_VP_INSN_WORDS * sizeof(*words));
    vp_source(words, 58, s0);
    vp_source(words, 43, s1);
    vp_source(words, 28, s2);
    if (output >= 0) {
        vp_put(words, 12, vp_mask(mask));
        vp_put(words, 11, 1);
        vp_put(words, 3, output);
    } else {
        vp_put(words, 20, temp);
    }
    return words;
}

static inline void vp_vector(VpAsm *a, NV3VpVectorOp op, int output, unsigned temp,
                             const char *mask, VpSrc s0, VpSrc s1, VpSrc s2)
{
    uint32_t *words = vp_start(a, output, temp, mask, s0, s1, s2);

    vp_put(words, 85, op);
    if (output < 0) {
        vp_put(words, 24, vp_mask(mask));
    }
}

static inline void vp_scalar(VpAsm *a, NV3VpScalarOp op, int output, unsigned temp,
                             const char *mask, VpSrc s2)
{
    uint32_t *words = vp_start(a, output, temp, mask, VP_NONE, VP_NONE, s2);

    vp_put(words, 89, op);
    if (output < 0) {
        vp_put(words, 16, vp_mask(mask));
    } else {
        vp_put(words, 2, 1);
    }
}

/* Appends an instruction that copies an attribute to an output. */
static inline void vp_copy(VpAsm *a, unsigned output, unsigned attribute)
{
    vp_vector(a, NV3_VP_VMOV, output, 0, "xyzw", VP_V(attribute, "xyzw"), VP_NONE,
              VP_NONE);
}

/* Marks the last instruction of @a as the end of the program. */
static inline void vp_end(VpAsm *a)
{
    a->words[a->count - 1][3] |= 1;
}

#endif
