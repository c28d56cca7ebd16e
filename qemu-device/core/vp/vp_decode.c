/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decodes and checks vertex programs. vp_program.h lists the sources of the encoding.
 */
#include "vp/vp_program.h"

/* Bit s of an element is set if the operation reads source s. */
static const uint8_t vector_sources[NV3_VP_VECTOR_OPS] = {
    [NV3_VP_VMOV] = 1,
    [NV3_VP_MUL] = 3,
    [NV3_VP_ADD] = 5,
    [NV3_VP_MAD] = 7,
    [NV3_VP_DP3] = 3,
    [NV3_VP_DPH] = 3,
    [NV3_VP_DP4] = 3,
    [NV3_VP_DST] = 3,
    [NV3_VP_MIN] = 3,
    [NV3_VP_MAX] = 3,
    [NV3_VP_SLT] = 3,
    [NV3_VP_SGE] = 3,
    [NV3_VP_ARL] = 1,
    [NV3_VP_FRC] = 1,
    [NV3_VP_FLR] = 1,
    [NV3_VP_SEQ] = 3,
    [NV3_VP_SGT] = 3,
    [NV3_VP_SLE] = 3,
    [NV3_VP_SNE] = 3,
    [NV3_VP_SSG] = 1,
    [NV3_VP_TXL] = 1,
};

/*
 * Returns the field of @count bits (1 to 15) that starts at bit @first of the
 * instruction. Bit 0 is the lowest bit of the instruction's last word.
 */
static unsigned field(const uint32_t words[NV3_VP_INSN_WORDS], unsigned first,
                      unsigned count)
{
    unsigned word = NV3_VP_INSN_WORDS - 1 - first / 32;
    uint64_t pair = words[word];

    if (word > 0) {
        pair |= (uint64_t)words[word - 1] << 32;
    }
    return pair >> first % 32 & ((1u << count) - 1);
}

/* Reverses the bits of a mask, because x is the highest bit in the encoding. */
static uint8_t mask(unsigned encoded)
{
    return (encoded & 8) >> 3 | (encoded & 4) >> 1 |
           (encoded & 2) << 1 | (encoded & 1) << 3;
}

static void decode_source(NV3VpSource *src, unsigned encoded)
{
    src->bank = encoded & 3;
    src->temp = encoded >> 2 & 15;
    for (unsigned i = 0; i < 4; i++) {
        src->component[i] = encoded >> (12 - 2 * i) & 3;
    }
    src->negate = encoded >> 14 & 1;
}

static bool temp_exists(unsigned temp)
{
    return temp < NV3_VP_NV2A_TEMPS || (temp >= NV3_VP_EXT_TEMP && temp < NV3_VP_TEMPS);
}

static bool vector_op_exists(unsigned op, bool extended)
{
    return op < NV3_VP_NV2A_VECTOR_OPS ||
           (extended && (op <= NV3_VP_SSG || op == NV3_VP_TXL));
}

static bool scalar_op_exists(unsigned op)
{
    return op <= NV3_VP_LIT || (op >= NV3_VP_LG2 && op <= NV3_VP_COS);
}

static bool source_exists(const NV3VpSource *src)
{
    switch (src->bank) {
    case NV3_VP_BANK_NONE:
        return false;
    case NV3_VP_BANK_TEMP:
        return temp_exists(src->temp) || src->temp == NV3_VP_TEMP_POS;
    default:
        return true;
    }
}

/*
 * Decodes the sources that the operations read. Returns false if a source does not
 * exist.
 */
static bool decode_sources(NV3VpInsn *insn, const uint32_t words[NV3_VP_INSN_WORDS])
{
    static const uint8_t first_bit[3] = { 58, 43, 28 };
    unsigned used = vector_sources[insn->vector_op];

    if (insn->scalar_op != NV3_VP_SNOP) {
        used |= 1u << 2;
    }
    for (unsigned s = 0; s < 3; s++) {
        insn->src[s] = (NV3VpSource) { .bank = NV3_VP_BANK_NONE };
        if (used & 1u << s) {
            decode_source(&insn->src[s], field(words, first_bit[s], 15));
            insn->src[s].temp += words[0] & NV3_VP_EXT_SRC_TEMP(s) ? NV3_VP_EXT_TEMP : 0;
            insn->src[s].absolute = words[0] & NV3_VP_EXT_ABS(s);
            if (!source_exists(&insn->src[s])) {
                return false;
            }
        }
    }
    return true;
}

/* Decodes the texture unit of TXL. Returns false if the unit does not exist. */
static bool decode_unit(NV3VpInsn *insn, const uint32_t words[NV3_VP_INSN_WORDS])
{
    insn->unit = insn->vector_op == NV3_VP_TXL ? field(words, 45, 4) : 0;
    return insn->unit < NV3_VP_UNITS;
}

/* Clears the write masks of a vector or scalar operation that is a NOP. */
static void drop_unused_results(NV3VpInsn *insn)
{
    if (insn->vector_op == NV3_VP_VNOP) {
        insn->vector_mask = 0;
    }
    if (insn->scalar_op == NV3_VP_SNOP) {
        insn->scalar_mask = 0;
    }
    if ((insn->output_scalar ? insn->scalar_op : insn->vector_op) == 0) {
        insn->output_mask = 0;
    }
}

NV3VpError nv3_vp_decode(NV3VpInsn *insn, const uint32_t words[NV3_VP_INSN_WORDS])
{
    const bool extended = words[0] & NV3_VP_EXT;
    bool to_output = field(words, 11, 1);
    unsigned output = field(words, 3, 8);

    if (words[0] && (!extended || (words[0] & ~NV3_VP_EXT_ALL))) {
        return NV3_VP_BAD_WORD0;
    }
    insn->vector_op = field(words, 85, 4) | (words[0] & NV3_VP_EXT_VECTOR_OP ? 16 : 0);
    insn->scalar_op = field(words, 89, 3) |
                      (words[0] >> NV3_VP_EXT_SCALAR_SHIFT & 3) << 3;
    if (!vector_op_exists(insn->vector_op, extended) ||
        !scalar_op_exists(insn->scalar_op)) {
        return NV3_VP_BAD_OPCODE;
    }

    insn->attribute = field(words, 73, 4);
    insn->constant = field(words, 77, 8) | (words[0] & NV3_VP_EXT_CONSTANT) << 8;
    insn->constants = extended ? NV3_VP_CONSTANTS : NV3_VP_NV2A_CONSTANTS;
    insn->vector_saturate = words[0] & NV3_VP_EXT_VECTOR_SAT;
    insn->scalar_saturate = words[0] & NV3_VP_EXT_SCALAR_SAT;
    insn->indexed = field(words, 1, 1);
    if (!decode_sources(insn, words) || !decode_unit(insn, words)) {
        return NV3_VP_BAD_SOURCE;
    }

    insn->vector_mask = mask(field(words, 24, 4));
    insn->scalar_mask = mask(field(words, 16, 4));
    insn->vector_temp = field(words, 20, 4) | (words[0] & NV3_VP_EXT_DST_TEMP ? 16 : 0);
    insn->scalar_temp = insn->vector_temp;
    if (insn->vector_op != NV3_VP_VNOP) {
        insn->scalar_temp = NV3_VP_SCALAR_TEMP;
    }
    insn->output = output;
    insn->output_mask = mask(field(words, 12, 4));
    insn->output_scalar = field(words, 2, 1);
    insn->last = field(words, 0, 1);
    drop_unused_results(insn);

    if ((insn->vector_mask && !temp_exists(insn->vector_temp)) ||
        (insn->scalar_mask && !temp_exists(insn->scalar_temp))) {
        return NV3_VP_BAD_TEMP;
    }
    /*
     * An output field can also select a constant, but only NV2A's state programs may
     * write constants. This engine does not execute state programs.
     */
    if (insn->output_mask && (!to_output || output >= NV3_VP_OUTPUTS)) {
        return NV3_VP_BAD_OUTPUT;
    }
    if (insn->vector_op == NV3_VP_ARL &&
        (insn->vector_mask || (insn->output_mask && !insn->output_scalar))) {
        return NV3_VP_BAD_ADDRESS;
    }
    return NV3_VP_OK;
}

NV3VpError nv3_vp_decode_program(NV3VpInsn *insns, unsigned *count,
                                 const uint32_t *words, unsigned max)
{
    for (unsigned i = 0; i < max; i++) {
        NV3VpError error = nv3_vp_decode(&insns[i], words + i * NV3_VP_INSN_WORDS);

        if (error) {
            *count = i;
            return error;
        }
        if (insns[i].last) {
            *count = i + 1;
            return NV3_VP_OK;
        }
    }
    *count = max;
    return NV3_VP_NO_END;
}

const char *nv3_vp_error_name(NV3VpError error)
{
    static const char *const names[] = {
        [NV3_VP_OK] = "no error",
        [NV3_VP_BAD_WORD0] = "an unknown extension in the first word of an instruction",
        [NV3_VP_BAD_OPCODE] = "unknown vector operation",
        [NV3_VP_BAD_SOURCE] = "a source register or texture unit that does not exist",
        [NV3_VP_BAD_TEMP] = "a temporary register that does not exist",
        [NV3_VP_BAD_OUTPUT] = "an output register that does not exist",
        [NV3_VP_BAD_ADDRESS] = "ARL with another result than A0",
        [NV3_VP_NO_END] = "a program without an end",
    };

    return names[error];
}
