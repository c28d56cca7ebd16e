/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prepares programs and constants for the fast interpreter, and selects its level. */
#include <string.h>

#include "vp/vp_exec.h"
#include "vp/vp_float.h"

/* Returns the constant's index in the file, which is assigned at its first use. */
static uint16_t constant_place(NV3VpCode *code, unsigned constant)
{
    for (unsigned i = 0; i < code->constant_count; i++) {
        if (code->constant[i] == constant) {
            return NV3_VP_FILE_CONSTANTS + i;
        }
    }
    code->constant[code->constant_count] = constant;
    return NV3_VP_FILE_CONSTANTS + code->constant_count++;
}

static uint16_t source_place(NV3VpCode *code, const NV3VpInsn *insn,
                             const NV3VpSource *src)
{
    switch (src->bank) {
    case NV3_VP_BANK_TEMP:
        return src->temp == NV3_VP_TEMP_POS ? NV3_VP_FILE_OUTPUTS :
                                              NV3_VP_FILE_TEMPS + src->temp;
    case NV3_VP_BANK_CONSTANT:
        return constant_place(code, insn->constant);
    default:
        code->attributes |= 1u << insn->attribute;
        return NV3_VP_FILE_ATTRIBUTES + insn->attribute;
    }
}

/* Constants that A0 selects, or that do not exist, are fetched for each lane. */
static bool is_fetched(const NV3VpInsn *insn, const NV3VpSource *src)
{
    return src->bank == NV3_VP_BANK_CONSTANT &&
           (insn->indexed || insn->constant >= insn->constants);
}

static void translate_sources(NV3VpCode *code, NV3VpOp *op, const NV3VpInsn *insn)
{
    for (unsigned s = 0; s < 3; s++) {
        const NV3VpSource *src = &insn->src[s];
        unsigned place;

        if (src->bank == NV3_VP_BANK_NONE) {
            continue;
        }
        if (is_fetched(insn, src)) {
            op->fetched |= 1u << s;
            place = NV3_VP_FILE_FETCHED + s;
        } else {
            place = source_place(code, insn, src);
        }
        for (unsigned c = 0; c < 4; c++) {
            op->src[s][c] = 4 * place + src->component[c];
        }
        op->kept[s] = src->absolute ? ~NV3_VP_SIGN : UINT32_MAX;
        op->sign[s] = src->negate ? NV3_VP_SIGN : 0;
    }
}

/* Finds the registers whose initial value is read or remains in an output. */
static void find_seen(NV3VpCode *code, const NV3VpInsn *insns, unsigned count)
{
    uint8_t temp[NV3_VP_TEMPS] = { 0 }, output[NV3_VP_OUTPUTS] = { 0 };

    for (unsigned i = 0; i < count; i++) {
        const NV3VpInsn *insn = &insns[i];

        for (unsigned s = 0; s < 3; s++) {
            const NV3VpSource *src = &insn->src[s];

            if (src->bank != NV3_VP_BANK_TEMP) {
                continue;
            }
            for (unsigned c = 0; c < 4; c++) {
                uint8_t bit = 1u << src->component[c];

                if (src->temp == NV3_VP_TEMP_POS) {
                    code->outputs_partial |= !(output[0] & bit);
                } else {
                    code->temps_read |= (uint32_t)!(temp[src->temp] & bit) << src->temp;
                }
            }
        }
        if (insn->vector_mask) {
            temp[insn->vector_temp] |= insn->vector_mask;
        }
        if (insn->scalar_mask) {
            temp[insn->scalar_temp] |= insn->scalar_mask;
        }
        if (insn->output_mask) {
            output[insn->output] |= insn->output_mask;
        }
    }
    for (unsigned i = 0; i < NV3_VP_OUTPUTS; i++) {
        if (output[i] && output[i] != 15) {
            code->outputs_partial |= 1u << i;
        }
    }
}

void nv3_vp_translate(NV3VpCode *code, const NV3VpInsn *insns, unsigned count)
{
    memset(code, 0, sizeof(*code));
    code->count = count;
    for (unsigned i = 0; i < count; i++) {
        const NV3VpInsn *insn = &insns[i];
        NV3VpOp *op = &code->op[i];

        op->vector_op = insn->vector_op;
        op->scalar_op = insn->scalar_op;
        op->vector_mask = insn->vector_mask;
        op->scalar_mask = insn->scalar_mask;
        *(insn->output_scalar ? &op->scalar_output : &op->vector_output) =
            insn->output_mask;
        op->constant = insn->constant;
        op->constants = insn->constants;
        op->vector_saturate = insn->vector_saturate;
        op->scalar_saturate = insn->scalar_saturate;
        op->relative = insn->indexed;
        op->unit = insn->unit;
        if (insn->vector_op == NV3_VP_TXL) {
            code->units |= 1u << insn->unit;
            code->samples++;
        }
        op->vector_temp = NV3_VP_FILE_TEMPS + insn->vector_temp;
        op->scalar_temp = NV3_VP_FILE_TEMPS + insn->scalar_temp;
        op->output = NV3_VP_FILE_OUTPUTS + insn->output;
        if (insn->output_mask) {
            code->outputs |= 1u << insn->output;
        }
        translate_sources(code, op, insn);
    }
    find_seen(code, insns, count);
}

void nv3_vp_clear_seen(NV3VpFile *file, const NV3VpCode *code)
{
    for (uint32_t left = code->temps_read; left; left &= left - 1) {
        memset(file->reg[NV3_VP_FILE_TEMPS + __builtin_ctz(left)], 0,
               sizeof(file->reg[0]));
    }
    for (uint32_t left = code->outputs_partial; left; left &= left - 1) {
        memset(file->reg[NV3_VP_FILE_OUTPUTS + __builtin_ctz(left)], 0,
               sizeof(file->reg[0]));
    }
    memset(file->address, 0, sizeof(file->address));
}

void nv3_vp_clear(NV3VpFile *file, const NV3VpCode *code)
{
    memset(file->reg[NV3_VP_FILE_TEMPS], 0, NV3_VP_TEMPS * sizeof(file->reg[0]));
    /* Programs can read output 0. */
    for (unsigned i = 0; i < NV3_VP_OUTPUTS; i++) {
        if (i == 0 || (code->outputs & 1u << i)) {
            memset(file->reg[NV3_VP_FILE_OUTPUTS + i], 0, sizeof(file->reg[0]));
        }
    }
    memset(file->address, 0, sizeof(file->address));
}

void nv3_vp_load_constants(NV3VpFile *file, const NV3VpCode *code,
                           const uint32_t constants[NV3_VP_CONSTANTS][4])
{
    for (unsigned i = 0; i < code->constant_count; i++) {
        const uint32_t *constant = constants[code->constant[i]];

        for (unsigned c = 0; c < 4; c++) {
            NV3VpComponent *to = &file->reg[NV3_VP_FILE_CONSTANTS + i][c];

            for (unsigned lane = 0; lane < NV3_VP_LANES; lane++) {
                memcpy(&to->lane[lane], &constant[c], sizeof(float));
            }
        }
    }
}

NV3VpLevel nv3_vp_best_level(void)
{
#ifdef NV3_VP_HAVE_X86
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw")) {
        return NV3_VP_AVX512;
    }
    if (__builtin_cpu_supports("avx2")) {
        return NV3_VP_AVX2;
    }
#endif
    return NV3_VP_GENERIC;
}

void nv3_vp_execute(NV3VpFile *file, const NV3VpCode *code,
                    const uint32_t constants[NV3_VP_CONSTANTS][4], NV3VpLevel level)
{
    switch (level) {
#ifdef NV3_VP_HAVE_X86
    case NV3_VP_AVX512:
        nv3_vp_execute_avx512(file, code, constants);
        break;
    case NV3_VP_AVX2:
        nv3_vp_execute_avx2(file, code, constants);
        break;
#endif
    default:
        nv3_vp_execute_generic(file, code, constants);
        break;
    }
}
