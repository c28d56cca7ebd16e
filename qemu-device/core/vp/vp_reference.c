/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The reference interpreter of vertex programs (nv3_vp_run()). It executes one vertex
 * at a time, with the arithmetic of silicon. It is written for clarity and for
 * comparisons, not for speed.
 */
#include <string.h>

#include "vp/vp_float.h"
#include "vp/vp_program.h"

static const uint32_t zero[4];

/*
 * Returns the instruction's constant. Constants that do not exist read as 0 (Lindholm et
 * al., section 3.7.3).
 */
static const uint32_t *constant(const NV3VpRegisters *r, const NV3VpInsn *insn,
                                const uint32_t constants[NV3_VP_CONSTANTS][4])
{
    int number = insn->constant + (insn->indexed ? r->address : 0);

    return number >= 0 && number < insn->constants ? constants[number] : zero;
}

static const uint32_t *source_register(const NV3VpRegisters *r, const NV3VpInsn *insn,
                                       const NV3VpSource *src,
                                       const uint32_t constants[NV3_VP_CONSTANTS][4])
{
    switch (src->bank) {
    case NV3_VP_BANK_TEMP:
        return src->temp == NV3_VP_TEMP_POS ? r->output[0] : r->temp[src->temp];
    case NV3_VP_BANK_ATTRIBUTE:
        return r->attribute[insn->attribute];
    case NV3_VP_BANK_CONSTANT:
        return constant(r, insn, constants);
    default:
        return zero;
    }
}

static void read_source(uint32_t value[4], const NV3VpRegisters *r,
                        const NV3VpInsn *insn, unsigned s,
                        const uint32_t constants[NV3_VP_CONSTANTS][4])
{
    const NV3VpSource *src = &insn->src[s];
    const uint32_t *from = source_register(r, insn, src, constants);

    for (unsigned i = 0; i < 4; i++) {
        value[i] = from[src->component[i]] & (src->absolute ? ~NV3_VP_SIGN : UINT32_MAX);
        value[i] ^= src->negate ? NV3_VP_SIGN : 0;
    }
}

static void replicate(uint32_t result[4], uint32_t x)
{
    result[0] = result[1] = result[2] = result[3] = x;
}

/*
 * Sets @result to the terms of a dot product of the first @count components of @a and @b.
 */
static void multiply(uint32_t result[4], const uint32_t a[4], const uint32_t b[4],
                     int count)
{
    for (int i = 0; i < count; i++) {
        result[i] = nv3_vp_mul(a[i], b[i]);
    }
}

static void dot_product(uint32_t result[4], NV3VpVectorOp op, const uint32_t a[4],
                        const uint32_t b[4])
{
    uint32_t product[4];

    multiply(product, a, b, op == NV3_VP_DP4 ? 4 : 3);
    if (op == NV3_VP_DPH) {
        product[3] = nv3_vp_mul(NV3_VP_ONE, b[3]);
    }
    replicate(result, nv3_vp_sum(product, op == NV3_VP_DP3 ? 3 : 4));
}

/* Returns true for equal numbers. -0 equals +0, and all NaNs are equal. */
static bool equal(uint32_t a, uint32_t b)
{
    if (nv3_vp_is_nan(a) && nv3_vp_is_nan(b)) {
        return true;
    }
    return a == b || ((a | b) & ~NV3_VP_SIGN) == 0;
}

static uint32_t sign(uint32_t x)
{
    if (equal(x, 0)) {
        return 0;
    }
    return nv3_vp_less(x, 0) ? NV3_VP_ONE | NV3_VP_SIGN : NV3_VP_ONE;
}

static uint32_t by_component(NV3VpVectorOp op, uint32_t a, uint32_t b, uint32_t c)
{
    switch (op) {
    case NV3_VP_FRC:
        return nv3_vp_fraction(a);
    case NV3_VP_FLR:
        return nv3_vp_floor(a);
    case NV3_VP_SEQ:
        return equal(a, b) ? NV3_VP_ONE : 0;
    case NV3_VP_SNE:
        return equal(a, b) ? 0 : NV3_VP_ONE;
    case NV3_VP_SGT:
        return nv3_vp_less(b, a) ? NV3_VP_ONE : 0;
    case NV3_VP_SLE:
        return nv3_vp_less(b, a) ? 0 : NV3_VP_ONE;
    case NV3_VP_STR:
        return NV3_VP_ONE;
    case NV3_VP_SFL:
        return 0;
    case NV3_VP_SSG:
        return sign(a);
    case NV3_VP_MUL:
        return nv3_vp_mul(a, b);
    case NV3_VP_ADD:
        return nv3_vp_sum((uint32_t[]) { a, c }, 2);
    case NV3_VP_MAD:
        return nv3_vp_sum((uint32_t[]) { nv3_vp_mul(a, b), c }, 2);
    case NV3_VP_MIN:
        return nv3_vp_less(a, b) ? a : b;
    case NV3_VP_MAX:
        return nv3_vp_less(a, b) ? b : a;
    case NV3_VP_SLT:
        return nv3_vp_less(a, b) ? NV3_VP_ONE : 0;
    case NV3_VP_SGE:
        return nv3_vp_less(a, b) ? 0 : NV3_VP_ONE;
    default:
        return a;
    }
}

static void vector(uint32_t result[4], NV3VpVectorOp op, uint32_t src[3][4])
{
    switch (op) {
    case NV3_VP_DP3:
    case NV3_VP_DPH:
    case NV3_VP_DP4:
        dot_product(result, op, src[0], src[1]);
        break;
    case NV3_VP_DST:
        result[0] = NV3_VP_ONE;
        result[1] = nv3_vp_mul(src[0][1], src[1][1]);
        result[2] = src[0][2];
        result[3] = src[1][3];
        break;
    default:
        for (unsigned i = 0; i < 4; i++) {
            result[i] = by_component(op, src[0][i], src[1][i], src[2][i]);
        }
        break;
    }
}

static void sample(uint32_t result[4], const NV3VpRegisters *r, unsigned unit,
                   const uint32_t src[4])
{
    float coord[4], texel[4] = { 0, 0, 0, 1 };

    memcpy(coord, src, sizeof(coord));
    if (r->sample) {
        r->sample(r->sample_opaque, unit, coord, texel);
    }
    memcpy(result, texel, sizeof(texel));
}

static void scalar(uint32_t result[4], NV3VpScalarOp op, const uint32_t src[4])
{
    switch (op) {
    case NV3_VP_RCP:
        replicate(result, nv3_vp_rcp(src[0]));
        break;
    case NV3_VP_RCC:
        replicate(result, nv3_vp_rcc(src[0]));
        break;
    case NV3_VP_RSQ:
        replicate(result, nv3_vp_rsq(src[0]));
        break;
    case NV3_VP_EXP:
        nv3_vp_exp(result, src[0]);
        break;
    case NV3_VP_LOG:
        nv3_vp_log(result, src[0]);
        break;
    case NV3_VP_LIT:
        nv3_vp_lit(result, src);
        break;
    case NV3_VP_LG2:
        replicate(result, nv3_vp_lg2(src[0]));
        break;
    case NV3_VP_EX2:
        replicate(result, nv3_vp_ex2(src[0]));
        break;
    case NV3_VP_SIN:
        replicate(result, nv3_vp_sin(src[0]));
        break;
    case NV3_VP_COS:
        replicate(result, nv3_vp_cos(src[0]));
        break;
    default:
        memcpy(result, src, 4 * sizeof(*result));
        break;
    }
}

/* Clamps to 0 to 1. A NaN becomes 0. */
static void saturate(uint32_t value[4])
{
    for (unsigned i = 0; i < 4; i++) {
        if (nv3_vp_is_nan(value[i]) || value[i] & NV3_VP_SIGN) {
            value[i] = 0;
        } else if (nv3_vp_less(NV3_VP_ONE, value[i])) {
            value[i] = NV3_VP_ONE;
        }
    }
}

static void write_masked(uint32_t to[4], const uint32_t value[4], unsigned mask)
{
    for (unsigned i = 0; i < 4; i++) {
        if (mask & 1u << i) {
            to[i] = value[i];
        }
    }
}

static void run_insn(NV3VpRegisters *r, const NV3VpInsn *insn,
                     const uint32_t constants[NV3_VP_CONSTANTS][4])
{
    uint32_t src[3][4], vector_result[4], scalar_result[4];

    for (unsigned s = 0; s < 3; s++) {
        read_source(src[s], r, insn, s, constants);
    }
    if (insn->vector_op == NV3_VP_TXL) {
        sample(vector_result, r, insn->unit, src[0]);
    } else {
        vector(vector_result, insn->vector_op, src);
    }
    scalar(scalar_result, insn->scalar_op, src[2]);

    if (insn->vector_saturate) {
        saturate(vector_result);
    }
    if (insn->scalar_saturate) {
        saturate(scalar_result);
    }
    if (insn->vector_op == NV3_VP_ARL) {
        r->address = nv3_vp_address(src[0][0]);
    }
    if (insn->vector_mask) {
        write_masked(r->temp[insn->vector_temp], vector_result, insn->vector_mask);
    }
    if (insn->scalar_mask) {
        write_masked(r->temp[insn->scalar_temp], scalar_result, insn->scalar_mask);
    }
    if (insn->output_mask) {
        write_masked(r->output[insn->output],
                     insn->output_scalar ? scalar_result : vector_result,
                     insn->output_mask);
    }
}

void nv3_vp_run(NV3VpRegisters *r, const NV3VpInsn *insns, unsigned count,
                const uint32_t constants[NV3_VP_CONSTANTS][4])
{
    for (unsigned i = 0; i < count; i++) {
        run_insn(r, &insns[i], constants);
    }
}
