/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The loops of the fast interpreter, for one SIMD level. The including file defines:
 *
 * VP_WIDTH     number of lanes of a vector: 4, 8 or 16.
 * VP_TARGET    attributes of every function.
 * VP_EXECUTE   name of the function that runs a program.
 * VP_SQRT(x)   correctly rounded square root of a vector.
 * VP_ANY(mask) true if a lane of a mask is set.
 *
 * Most operations are plain: no source has a negation or an absolute value, and the
 * result is not saturated. Plain operations have separate loops, which assume that there
 * are no infinities or NaNs. If a lane of the result is a NaN, or if a lane of an operand
 * of MIN, MAX or an ordering comparison is a NaN, the operation is repeated with the
 * exact rules. Both loops compute the same finite results.
 */
#include <string.h>

#include "vp/vp_exec.h"
#include "vp/vp_float.h"

#define VP_INLINE       inline __attribute__((always_inline)) VP_TARGET

typedef float VpF __attribute__((vector_size(4 * VP_WIDTH), may_alias));
typedef int32_t VpI __attribute__((vector_size(4 * VP_WIDTH), may_alias));

static VP_INLINE VpF vp_splat(float x)
{
    return x - (VpF) { 0 };
}

static VP_INLINE VpI vp_isplat(int32_t x)
{
    return x - (VpI) { 0 };
}

static VP_INLINE VpF vp_select(VpI mask, VpF yes, VpF no)
{
    return (VpF)(((VpI)yes & mask) | ((VpI)no & ~mask));
}

/*
 * Applies the absolute value and the negation of source @s of @op to @v, the value of the
 * slot. Returns @v if @plain is true.
 */
static VP_INLINE VpF vp_source(const NV3VpOp *op, bool plain, unsigned s, VpF v)
{
    VpI x = (VpI)v;

    if (plain) {
        return v;
    }
    x &= op->absolute & 1u << s ? vp_isplat(INT32_MAX) : vp_isplat(-1);
    x ^= op->negate & 1u << s ? vp_isplat(NV3_VP_SIGN) : vp_isplat(0);
    return (VpF)x;
}

/* Clamps to 0 to 1. A NaN becomes 0. */
static VP_INLINE VpF vp_saturate(VpF x)
{
    x = vp_select(x > vp_splat(0), x, vp_splat(0));
    return vp_select(x < vp_splat(1), x, vp_splat(1));
}

/*
 * Returns @a * @b, which may be -0. If @exact is true, 0 times anything is 0. Otherwise,
 * 0 times an infinity or a NaN is a NaN.
 */
static VP_INLINE VpF vp_mul(VpF a, VpF b, bool exact)
{
    if (exact) {
        return (VpF)((VpI)(a * b) & ~((a == 0) | (b == 0)));
    }
    return a * b;
}

/*
 * Converts numbers to integers that compare in the order of nv3_vp_less(). If @exact is
 * true, all NaNs become the same integer.
 */
static VP_INLINE VpI vp_key(VpF x, bool exact)
{
    VpI pattern = (VpI)x;

    if (exact) {
        pattern = (VpI)vp_select(x != x, (VpF)vp_isplat(NV3_VP_NAN), x);
    }
    return pattern ^ ((pattern >> 31) & vp_isplat(INT32_MAX));
}

static VP_INLINE VpI vp_less(VpF a, VpF b, bool exact)
{
    return vp_key(a, exact) < vp_key(b, exact);
}

/*
 * Rounds down. Numbers of magnitude 2^23 or more are integers already. Infinities and
 * NaNs do not change.
 */
static VP_INLINE VpF vp_floor(VpF x)
{
    VpI small = (VpF)((VpI)x & vp_isplat(INT32_MAX)) < vp_splat(0x1p23f);
    VpF whole = __builtin_convertvector(
        __builtin_convertvector(vp_select(small, x, vp_splat(0)), VpI), VpF);

    whole -= vp_select(whole > x, vp_splat(1), vp_splat(0));
    return vp_select(small, whole, x);
}

/*
 * Returns a mask of the lanes with equal numbers. -0 equals +0, and all NaNs are equal.
 */
static VP_INLINE VpI vp_equal(VpF a, VpF b)
{
    return (a == b) | ((a != a) & (b != b));
}

static VP_INLINE VpF vp_set(VpI mask)
{
    return vp_select(mask, vp_splat(1), vp_splat(0));
}

static VP_INLINE VpF vp_sign(VpF x)
{
    VpF one = (VpF)((VpI)vp_splat(1) | (vp_key(x, true) & vp_isplat(NV3_VP_SIGN)));

    return vp_select(x == 0, vp_splat(0), one);
}

/* Clamps the magnitude of a reciprocal to [2^-64, 2^64]. A NaN does not change. */
static VP_INLINE VpF vp_clamp_reciprocal(VpF x)
{
    const VpF smallest = (VpF)vp_isplat(0x1f800000), largest = (VpF)vp_isplat(0x5f800000);
    VpI sign = (VpI)x & vp_isplat(NV3_VP_SIGN);
    VpF magnitude = (VpF)((VpI)x & vp_isplat(INT32_MAX));

    magnitude = vp_select(magnitude < smallest, smallest, magnitude);
    magnitude = vp_select(magnitude > largest, largest, magnitude);
    return (VpF)((VpI)magnitude | sign);
}

static VP_INLINE VpF vp_dot(unsigned kind, const VpF *x, bool exact)
{
    const VpF *y = x + (kind == NV3_VP_OP_DP4 ? 4 : 3);
    VpF rest = vp_mul(x[2], y[2], exact);

    if (kind == NV3_VP_OP_DPH) {
        rest += y[3];
    } else if (kind == NV3_VP_OP_DP4) {
        rest += vp_mul(x[3], y[3], exact);
    }
    return vp_mul(x[0], y[0], exact) + vp_mul(x[1], y[1], exact) + rest + 0.0f;
}

/* Computes an operation. @kind is a constant after inlining. */
static VP_INLINE VpF vp_compute(unsigned kind, const VpF *x, bool exact)
{
    switch (kind) {
    case NV3_VP_OP_MUL:
        /* The addition of 0 converts -0 to +0. */
        return vp_mul(x[0], x[1], exact) + 0.0f;
    case NV3_VP_OP_ADD:
        return x[0] + x[1] + 0.0f;
    case NV3_VP_OP_SUB:
        return x[0] - x[1] + 0.0f;
    case NV3_VP_OP_MAD:
        return vp_mul(x[0], x[1], exact) + x[2] + 0.0f;
    case NV3_VP_OP_DP3:
    case NV3_VP_OP_DPH:
    case NV3_VP_OP_DP4:
        return vp_dot(kind, x, exact);
    case NV3_VP_OP_MIN:
        return vp_select(vp_less(x[0], x[1], exact), x[0], x[1]);
    case NV3_VP_OP_MAX:
        return vp_select(vp_less(x[0], x[1], exact), x[1], x[0]);
    case NV3_VP_OP_SLT:
        return vp_set(vp_less(x[0], x[1], exact));
    case NV3_VP_OP_SGE:
        return vp_set(~vp_less(x[0], x[1], exact));
    case NV3_VP_OP_SGT:
        return vp_set(vp_less(x[1], x[0], exact));
    case NV3_VP_OP_SLE:
        return vp_set(~vp_less(x[1], x[0], exact));
    case NV3_VP_OP_SEQ:
        return vp_set(vp_equal(x[0], x[1]));
    case NV3_VP_OP_SNE:
        return vp_set(~vp_equal(x[0], x[1]));
    case NV3_VP_OP_SSG:
        return vp_sign(x[0]);
    case NV3_VP_OP_FRC:
        return x[0] - vp_floor(x[0]);
    case NV3_VP_OP_FLR:
        return vp_floor(x[0]);
    case NV3_VP_OP_RCP:
        return 1 / x[0];
    case NV3_VP_OP_RCC:
        return vp_clamp_reciprocal(1 / x[0]);
    case NV3_VP_OP_RSQ:
        return 1 / VP_SQRT((VpF)((VpI)x[0] & vp_isplat(INT32_MAX)));
    default:
        return x[0];
    }
}

static VP_INLINE bool vp_multiplies(unsigned kind)
{
    return kind == NV3_VP_OP_MUL || (kind >= NV3_VP_OP_MAD && kind <= NV3_VP_OP_DP4);
}

static VP_INLINE bool vp_orders(unsigned kind)
{
    return kind >= NV3_VP_OP_MIN && kind <= NV3_VP_OP_SLE;
}

/*
 * Executes @op for @count vectors. Returns true if @op must be repeated with the exact
 * rules. @kind, @sources, @plain and @exact are constants after inlining.
 */
static VP_INLINE bool vp_run(NV3VpFile *file, const NV3VpOp *op, unsigned count,
                             unsigned kind, unsigned sources, bool plain, bool exact)
{
    VpF *to = (VpF *)file->slot[op->dst[0]].lane;
    const VpF *from[NV3_VP_OP_SOURCES];
    VpI strange = vp_isplat(0);

    for (unsigned s = 0; s < sources; s++) {
        from[s] = (const VpF *)file->slot[op->src[s]].lane;
    }
    for (unsigned i = 0; i < count; i++) {
        VpF x[NV3_VP_OP_SOURCES], result;

        for (unsigned s = 0; s < sources; s++) {
            x[s] = vp_source(op, plain, s, from[s][i]);
        }
        result = vp_compute(kind, x, exact);
        if (vp_multiplies(kind)) {
            strange |= result != result;
        } else if (vp_orders(kind)) {
            strange |= (x[0] != x[0]) | (x[1] != x[1]);
        }
        to[i] = !plain && op->saturate ? vp_saturate(result) : result;
    }
    return !exact && (vp_multiplies(kind) || vp_orders(kind)) && VP_ANY(strange);
}

static VP_INLINE void vp_op(NV3VpFile *file, const NV3VpOp *op, unsigned count,
                            unsigned kind, unsigned sources)
{
    if (!op->plain || vp_run(file, op, count, kind, sources, true, false)) {
        vp_run(file, op, count, kind, sources, false, true);
    }
}

/*
 * Executes op->rows dot products with constants. Returns true if a result may be a NaN.
 * @first, @second: numbers of components of factor 0 and factor 1. They are constants
 * after inlining.
 */
static VP_INLINE bool vp_run_rows(NV3VpFile *file, const NV3VpOp *op, unsigned count,
                                  unsigned kind, unsigned first, unsigned second)
{
    const NV3VpOp *const end = op + op->rows;
    const VpF *from[4];
    VpI strange = vp_isplat(0);

    for (unsigned s = 0; s < first; s++) {
        from[s] = (const VpF *)file->slot[op->src[s]].lane;
    }
    for (const NV3VpOp *row = op; row < end; row++) {
        VpF *to = (VpF *)file->slot[row->dst[0]].lane;
        VpF x[NV3_VP_OP_SOURCES], sum = vp_splat(0);

        /* All vectors of a constant are equal, so one load is enough. */
        for (unsigned s = first; s < first + second; s++) {
            x[s] = *(const VpF *)file->slot[row->src[s]].lane;
        }
        for (unsigned i = 0; i < count; i++) {
            for (unsigned s = 0; s < first; s++) {
                x[s] = from[s][i];
            }
            to[i] = vp_dot(kind, x, false);
            sum += to[i];
        }
        /* The sum is a NaN if a result is a NaN. */
        strange |= sum != sum;
    }
    return VP_ANY(strange);
}

/*
 * Executes @op and, if op->rows is not 0, the operations that are executed together with
 * @op. Returns the number of these additional operations.
 */
static VP_INLINE unsigned vp_dots(NV3VpFile *file, const NV3VpOp *op, unsigned count,
                                  unsigned kind, unsigned first, unsigned second)
{
    if (!op->rows) {
        vp_op(file, op, count, kind, first + second);
        return 0;
    }
    if (vp_run_rows(file, op, count, kind, first, second)) {
        for (unsigned i = 0; i < op->rows; i++) {
            vp_run(file, op + i, count, kind, first + second, false, true);
        }
    }
    return op->rows - 1;
}

/* ---- operations by lane -------------------------------------------------------- */

static VP_INLINE uint32_t vp_source_lane(const NV3VpFile *file, const NV3VpOp *op,
                                         unsigned s, unsigned lane)
{
    uint32_t x;

    memcpy(&x, &file->slot[op->src[s]].lane[lane], sizeof(x));
    /*
     * The sign of a NaN depends on the host, so replace every NaN by NV3_VP_NAN.
     */
    if (nv3_vp_is_nan(x)) {
        return NV3_VP_NAN;
    }
    x &= op->absolute & 1u << s ? ~NV3_VP_SIGN : UINT32_MAX;
    return x ^ (op->negate & 1u << s ? NV3_VP_SIGN : 0);
}

static VP_INLINE void vp_store_lane(NV3VpFile *file, const NV3VpOp *op, unsigned r,
                                    unsigned lane, uint32_t word)
{
    memcpy(&file->slot[op->dst[r]].lane[lane], &word, sizeof(word));
}

/*
 * Executes the operation with the reference's functions, separately for each lane of
 * @count vectors.
 */
static VP_TARGET void vp_by_lane(NV3VpFile *file, const NV3VpOp *op, unsigned count)
{
    const unsigned results = op->kind >= NV3_VP_OP_EXP ? 4 : 1;

    for (unsigned lane = 0; lane < count * VP_WIDTH; lane++) {
        uint32_t x[4] = { 0 }, result[4];

        for (unsigned s = 0; s < op->sources; s++) {
            x[s] = vp_source_lane(file, op, s, lane);
        }
        switch (op->kind) {
        case NV3_VP_OP_LG2:
            result[0] = nv3_vp_lg2(x[0]);
            break;
        case NV3_VP_OP_EX2:
            result[0] = nv3_vp_ex2(x[0]);
            break;
        case NV3_VP_OP_SIN:
            result[0] = nv3_vp_sin(x[0]);
            break;
        case NV3_VP_OP_COS:
            result[0] = nv3_vp_cos(x[0]);
            break;
        case NV3_VP_OP_ARL:
            result[0] = nv3_vp_address(x[0]);
            break;
        case NV3_VP_OP_EXP:
            nv3_vp_exp(result, x[0]);
            break;
        case NV3_VP_OP_LOG:
            nv3_vp_log(result, x[0]);
            break;
        default:
            nv3_vp_lit(result, x);
            break;
        }
        for (unsigned r = 0; r < results; r++) {
            vp_store_lane(file, op, r, lane, result[r]);
        }
    }
}

static VP_TARGET void vp_sample(NV3VpFile *file, const NV3VpOp *op, unsigned count)
{
    const NV3VpSlot *at[4];
    NV3VpSlot *texel[4], coord[4] = { 0 };

    for (unsigned c = 0; c < 4; c++) {
        at[c] = &coord[c];
        texel[c] = &file->slot[op->dst[c]];
        for (unsigned i = 0; i < count; i++) {
            ((VpF *)coord[c].lane)[i] = vp_source(op, false, c,
                ((const VpF *)file->slot[op->src[c]].lane)[i]);
            ((VpF *)texel[c]->lane)[i] = vp_splat(c == 3 ? 1 : 0);
        }
    }
    if (file->sample) {
        file->sample(file->sample_opaque, op->unit, at, texel);
    }
}

/*
 * Executes FETCH: reads a constant for each vertex. Constants that do not exist read as
 * 0.
 */
static VP_TARGET void vp_fetch(NV3VpFile *file, const NV3VpOp *op,
                               const uint32_t constants[NV3_VP_CONSTANTS][4],
                               unsigned count)
{
    static const uint32_t zero[4];

    for (unsigned lane = 0; lane < count * VP_WIDTH; lane++) {
        int32_t number;
        const uint32_t *from;

        memcpy(&number, &file->slot[op->src[0]].lane[lane], sizeof(number));
        number += op->constant;
        from = number >= 0 && number < op->constants ? constants[number] : zero;
        for (unsigned c = 0; c < 4; c++) {
            vp_store_lane(file, op, c, lane, from[c]);
        }
    }
}

static VP_TARGET void vp_saturate_results(NV3VpFile *file, const NV3VpOp *op,
                                          unsigned count)
{
    for (unsigned r = 0; r < (op->kind >= NV3_VP_OP_EXP ? 4 : 1); r++) {
        for (unsigned i = 0; i < count; i++) {
            VpF *x = &((VpF *)file->slot[op->dst[r]].lane)[i];

            *x = vp_saturate(*x);
        }
    }
}

static VP_TARGET void vp_other(NV3VpFile *file, const NV3VpOp *op,
                               const uint32_t constants[NV3_VP_CONSTANTS][4],
                               unsigned count)
{
    switch (op->kind) {
    case NV3_VP_OP_TXL:
        vp_sample(file, op, count);
        break;
    case NV3_VP_OP_FETCH:
        vp_fetch(file, op, constants, count);
        break;
    default:
        vp_by_lane(file, op, count);
        break;
    }
    if (op->saturate) {
        vp_saturate_results(file, op, count);
    }
}

/* Runs the program for @count vectors. */
static VP_INLINE void vp_execute(NV3VpFile *file, const NV3VpCode *code,
                                 const uint32_t constants[NV3_VP_CONSTANTS][4],
                                 unsigned count)
{
    const NV3VpOp *const end = code->op + code->count;

    for (const NV3VpOp *op = code->op; op < end; op++) {
        switch (op->kind) {
        case NV3_VP_OP_MOV:
            vp_op(file, op, count, NV3_VP_OP_MOV, 1);
            break;
        case NV3_VP_OP_MUL:
            vp_op(file, op, count, NV3_VP_OP_MUL, 2);
            break;
        case NV3_VP_OP_ADD:
            vp_op(file, op, count, NV3_VP_OP_ADD, 2);
            break;
        case NV3_VP_OP_SUB:
            vp_op(file, op, count, NV3_VP_OP_SUB, 2);
            break;
        case NV3_VP_OP_MAD:
            vp_op(file, op, count, NV3_VP_OP_MAD, 3);
            break;
        case NV3_VP_OP_DP3:
            op += vp_dots(file, op, count, NV3_VP_OP_DP3, 3, 3);
            break;
        case NV3_VP_OP_DPH:
            op += vp_dots(file, op, count, NV3_VP_OP_DPH, 3, 4);
            break;
        case NV3_VP_OP_DP4:
            op += vp_dots(file, op, count, NV3_VP_OP_DP4, 4, 4);
            break;
        case NV3_VP_OP_MIN:
            vp_op(file, op, count, NV3_VP_OP_MIN, 2);
            break;
        case NV3_VP_OP_MAX:
            vp_op(file, op, count, NV3_VP_OP_MAX, 2);
            break;
        case NV3_VP_OP_SLT:
            vp_op(file, op, count, NV3_VP_OP_SLT, 2);
            break;
        case NV3_VP_OP_SGE:
            vp_op(file, op, count, NV3_VP_OP_SGE, 2);
            break;
        case NV3_VP_OP_SGT:
            vp_op(file, op, count, NV3_VP_OP_SGT, 2);
            break;
        case NV3_VP_OP_SLE:
            vp_op(file, op, count, NV3_VP_OP_SLE, 2);
            break;
        case NV3_VP_OP_SEQ:
            vp_op(file, op, count, NV3_VP_OP_SEQ, 2);
            break;
        case NV3_VP_OP_SNE:
            vp_op(file, op, count, NV3_VP_OP_SNE, 2);
            break;
        case NV3_VP_OP_SSG:
            vp_op(file, op, count, NV3_VP_OP_SSG, 1);
            break;
        case NV3_VP_OP_FRC:
            vp_op(file, op, count, NV3_VP_OP_FRC, 1);
            break;
        case NV3_VP_OP_FLR:
            vp_op(file, op, count, NV3_VP_OP_FLR, 1);
            break;
        case NV3_VP_OP_RCP:
            vp_op(file, op, count, NV3_VP_OP_RCP, 1);
            break;
        case NV3_VP_OP_RCC:
            vp_op(file, op, count, NV3_VP_OP_RCC, 1);
            break;
        case NV3_VP_OP_RSQ:
            vp_op(file, op, count, NV3_VP_OP_RSQ, 1);
            break;
        default:
            vp_other(file, op, constants, count);
            break;
        }
    }
}

VP_TARGET void VP_EXECUTE(NV3VpFile *file, const NV3VpCode *code,
                          const uint32_t constants[NV3_VP_CONSTANTS][4],
                          unsigned vertices)
{
    const unsigned all = NV3_VP_LANES / VP_WIDTH;
    const unsigned count = (vertices + VP_WIDTH - 1) / VP_WIDTH;

    /*
     * A call with a constant count lets the compiler unroll the loops (make bench,
     * core.vertex).
     */
    if (count == all) {
        vp_execute(file, code, constants, all);
    } else {
        vp_execute(file, code, constants, count);
    }
}
