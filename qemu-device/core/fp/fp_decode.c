/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Decodes fragment programs. fp_program.h describes the encoding and its sources. */
#include <string.h>

#include "fp/fp_insn.h"

/* Word 0. */
#define W0_END              (1u << 0)
#define W0_REG(w)           ((w) >> 1 & 0x3f)
#define W0_HALF             (1u << 7)
#define W0_SET_CONDITION    (1u << 8)
#define W0_MASK(w)          ((w) >> 9 & 0xf)
#define W0_INPUT(w)         ((w) >> 13 & 0xf)
#define W0_UNIT(w)          ((w) >> 17 & 0xf)
#define W0_EXPAND           (1u << 21)
#define W0_OPCODE(w)        ((w) >> 24 & 0x3f)
#define W0_NO_RESULT        (1u << 30)
#define W0_SATURATE         (1u << 31)

/* Fields of word 1, in addition to source 0. */
#define W1_TEST(w)          ((w) >> 18 & 7)
#define W1_TEST_SWIZZLE(w)  ((w) >> 21 & 0xff)
#define W1_ABSOLUTE         (1u << 29)
#define W1_CONDITIONS       (3u << 30)      /* the second condition register */

/* Fields of word 2, in addition to source 1. */
#define W2_ABSOLUTE         (1u << 18)
#define W2_SCALE(w)         ((w) >> 28 & 7)
#define W2_BRANCH           (1u << 31)

/* Fields of word 3, in addition to source 2. */
#define W3_ABSOLUTE         (1u << 18)
#define W3_INDEXED          (1u << 30)
#define W3_NOT_PERSPECTIVE  (1u << 31)

/* Fields of every source. */
#define SRC_BANK(w)         ((w) & 3)
#define SRC_REG(w)          ((w) >> 2 & 0x3f)
#define SRC_HALF            (1u << 8)
#define SRC_SWIZZLE(w)      ((w) >> 9 & 0xff)
#define SRC_NEGATE          (1u << 17)

/*
 * Returns the number of sources of an operation, or 0xff if the operation does not
 * exist.
 */
static uint8_t source_count(unsigned opcode)
{
    switch (opcode) {
    case NV3_FP_NOP:
    case NV3_FP_KIL:
    case NV3_FP_STR:
    case NV3_FP_SFL:
        return 0;
    case NV3_FP_MOV:
    case NV3_FP_FRC:
    case NV3_FP_FLR:
    case NV3_FP_DDX:
    case NV3_FP_DDY:
    case NV3_FP_TEX:
    case NV3_FP_TXP:
    case NV3_FP_TXB:
    case NV3_FP_TXL:
    case NV3_FP_RCP:
    case NV3_FP_RSQ:
    case NV3_FP_EX2:
    case NV3_FP_LG2:
    case NV3_FP_LIT:
    case NV3_FP_COS:
    case NV3_FP_SIN:
    case NV3_FP_NRM:
        return 1;
    case NV3_FP_MUL:
    case NV3_FP_ADD:
    case NV3_FP_DP2:
    case NV3_FP_DP3:
    case NV3_FP_DP4:
    case NV3_FP_DST:
    case NV3_FP_MIN:
    case NV3_FP_MAX:
    case NV3_FP_SLT:
    case NV3_FP_SGE:
    case NV3_FP_SLE:
    case NV3_FP_SGT:
    case NV3_FP_SNE:
    case NV3_FP_SEQ:
    case NV3_FP_POW:
    case NV3_FP_DIV:
    case NV3_FP_DIVRSQ:
        return 2;
    case NV3_FP_MAD:
    case NV3_FP_LRP:
    case NV3_FP_DP2A:
    case NV3_FP_TXD:
        return 3;
    default:
        return 0xff;
    }
}

/* Finds a register by its number. Returns false if the register does not exist. */
static bool register_number(uint8_t *reg, unsigned number, bool half)
{
    if (half) {
        *reg = number & 1 ? NV3_FP_TEMPS + number / 2 : number / 2;
        return true;
    }
    *reg = number;
    return number < NV3_FP_TEMPS;
}

static void swizzle(uint8_t component[4], unsigned bits)
{
    for (unsigned c = 0; c < 4; c++) {
        component[c] = bits >> (2 * c) & 3;
    }
}

static NV3FpError decode_source(NV3FpSource *src, uint32_t word, bool absolute)
{
    *src = (NV3FpSource) {
        .bank = SRC_BANK(word),
        .negate = word & SRC_NEGATE,
        .absolute = absolute,
    };
    swizzle(src->component, SRC_SWIZZLE(word));
    if (src->bank == NV3_FP_BANK_NONE ||
        (src->bank == NV3_FP_BANK_TEMP &&
         !register_number(&src->reg, SRC_REG(word), word & SRC_HALF))) {
        return NV3_FP_BAD_SOURCE;
    }
    return NV3_FP_OK;
}

static NV3FpError decode_sources(NV3FpInsn *insn, const uint32_t *words)
{
    const bool absolute[3] = {
        words[1] & W1_ABSOLUTE, words[2] & W2_ABSOLUTE, words[3] & W3_ABSOLUTE,
    };

    for (unsigned s = 0; s < 3; s++) {
        NV3FpError error;

        if (s >= insn->sources) {
            insn->src[s].bank = NV3_FP_BANK_NONE;
            continue;
        }
        error = decode_source(&insn->src[s], words[1 + s], absolute[s]);
        if (error != NV3_FP_OK) {
            return error;
        }
        if (insn->src[s].bank == NV3_FP_BANK_INPUT && insn->input > NV3_FP_FACING) {
            return NV3_FP_BAD_SOURCE;
        }
        /*
         * If any source is a constant, the constant's words follow the instruction, even
         * if the operation does not read this source.
         */
    }
    for (unsigned s = 0; s < 3; s++) {
        insn->has_constant |= SRC_BANK(words[1 + s]) == NV3_FP_BANK_CONSTANT;
    }
    return NV3_FP_OK;
}

NV3FpError nv3_fp_decode(NV3FpInsn *insn, unsigned *length, const uint32_t *words,
                         unsigned max)
{
    static const float scale[8] = { 1, 2, 4, 8, 0, 0.5f, 0.25f, 0.125f };
    NV3FpError error;

    if (max < NV3_FP_INSN_WORDS) {
        return NV3_FP_NO_END;
    }
    memset(insn, 0, sizeof(*insn));
    if (words[2] & W2_BRANCH) {
        return NV3_FP_BAD_BRANCH;
    }
    insn->opcode = W0_OPCODE(words[0]);
    insn->sources = source_count(insn->opcode);
    if (insn->sources == 0xff) {
        return NV3_FP_BAD_OPCODE;
    }
    if (words[1] & W1_CONDITIONS) {
        return NV3_FP_BAD_CONDITION;
    }
    if (words[3] & (W3_INDEXED | W3_NOT_PERSPECTIVE)) {
        return NV3_FP_BAD_INDEX;
    }
    insn->input = W0_INPUT(words[0]);
    insn->unit = W0_UNIT(words[0]);
    error = decode_sources(insn, words);
    if (error != NV3_FP_OK) {
        return error;
    }
    insn->no_result = words[0] & W0_NO_RESULT;
    insn->mask = W0_MASK(words[0]);
    if (!register_number(&insn->reg, W0_REG(words[0]), words[0] & W0_HALF)) {
        if (!insn->no_result && insn->mask) {
            return NV3_FP_BAD_DESTINATION;
        }
        insn->reg = 0;
    }
    insn->scale = scale[W2_SCALE(words[2])];
    if (insn->scale == 0) {
        return NV3_FP_BAD_SCALE;
    }
    insn->saturate = words[0] & W0_SATURATE;
    insn->expand = words[0] & W0_EXPAND;
    insn->set_condition = words[0] & W0_SET_CONDITION;
    insn->test = W1_TEST(words[1]);
    swizzle(insn->test_component, W1_TEST_SWIZZLE(words[1]));
    insn->last = words[0] & W0_END;
    insn->constant = NV3_FP_INSN_WORDS;
    *length = NV3_FP_INSN_WORDS * (insn->has_constant ? 2 : 1);
    return *length <= max ? NV3_FP_OK : NV3_FP_NO_END;
}

NV3FpError nv3_fp_decode_program(NV3FpInsn *insns, unsigned *count,
                                 const uint32_t *words, unsigned max,
                                 unsigned *position)
{
    unsigned at = 0;

    for (*count = 0; *count < NV3_FP_INSNS; (*count)++) {
        NV3FpInsn *insn = &insns[*count];
        unsigned length;
        NV3FpError error = nv3_fp_decode(insn, &length, words + at, max - at);

        if (error != NV3_FP_OK) {
            *position = at;
            return error;
        }
        insn->constant += at;
        at += length;
        if (insn->last) {
            (*count)++;
            return NV3_FP_OK;
        }
    }
    *position = at;
    return NV3_FP_NO_END;
}

const char *nv3_fp_error_name(NV3FpError error)
{
    static const char *const name[] = {
        [NV3_FP_OK] = "no error",
        [NV3_FP_BAD_OPCODE] = "unknown operation",
        [NV3_FP_BAD_BRANCH] = "flow control is not supported",
        [NV3_FP_BAD_SOURCE] = "operand of an unknown bank or register",
        [NV3_FP_BAD_DESTINATION] = "result for an unknown register",
        [NV3_FP_BAD_INDEX] = "indexed or uncorrected input",
        [NV3_FP_BAD_CONDITION] = "second condition register",
        [NV3_FP_BAD_SCALE] = "unknown result scale",
        [NV3_FP_NO_END] = "no last instruction",
        [NV3_FP_TOO_LONG] = "too long to translate",
    };

    return name[error];
}
