/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Implements the operations of the fast executor. Each function executes one operation
 * for 64 pixels. The file is compiled once for each SIMD level. FP_NAME(x) appends the
 * level's name to x.
 */
#include "fp/fp_interpolate_loops.h"

/*
 * @file is @t->file. The pointer is an argument, so that the compiler need not reload
 * it after each store.
 */
typedef void FpOpFn(NV3FpThread *t, NV3FpSlot *file, const NV3FpOp *op);

LANES_INLINE const LaneF *fp_source(const NV3FpSlot *file, const NV3FpOp *op,
                                    unsigned s, unsigned c)
{
    return (const LaneF *)file[op->src[s][c]].pixel;
}

LANES_INLINE LaneF *fp_result(NV3FpSlot *file, const NV3FpOp *op, unsigned c)
{
    return (LaneF *)file[op->dst[c]].pixel;
}

LANES_INLINE LaneF fp_bool(LaneI mask)
{
    return (LaneF)(mask & (LaneI)lane_splat(1));
}

LANES_INLINE LaneF fp_rsq(LaneF x)
{
    return 1.0f / lane_sqrt(lane_abs(x));
}

/*
 * Defines an operation that computes EXPRESSION of a, b and c for each component. No
 * source shares its slot with a result, because fp_emit.c assigns the slots of results
 * before it frees the slots of sources.
 */
#define FP_BY_COMPONENT(name, sources, expression)                          \
static LANES_TARGET void fp_op_##name(NV3FpThread *t, NV3FpSlot *file,       \
                                       const NV3FpOp *op)                   \
{                                                                           \
    for (unsigned n = 0; n < op->n; n++) {                                  \
        const LaneF *pa = fp_source(file, op, 0, n);                           \
        const LaneF *pb = sources > 1 ? fp_source(file, op, 1, n) : pa;        \
        const LaneF *pc = sources > 2 ? fp_source(file, op, 2, n) : pa;        \
        LaneF *to = fp_result(file, op, n);                                    \
                                                                            \
        for (unsigned i = 0; i < FP_VECTORS; i++) {                         \
            LaneF a = pa[i], b = pb[i], c = pc[i];                          \
                                                                            \
            (void)b;                                                        \
            (void)c;                                                        \
            to[i] = expression;                                             \
        }                                                                   \
    }                                                                       \
}

FP_BY_COMPONENT(add, 2, a + b)
FP_BY_COMPONENT(sub, 2, a - b)
FP_BY_COMPONENT(mul, 2, a * b)
FP_BY_COMPONENT(mad, 3, a * b + c)
FP_BY_COMPONENT(msub, 3, a * b - c)
FP_BY_COMPONENT(nmad, 3, c - a * b)
FP_BY_COMPONENT(div, 2, a / b)
FP_BY_COMPONENT(min, 2, lane_min(a, b))
FP_BY_COMPONENT(max, 2, lane_max(a, b))
FP_BY_COMPONENT(slt, 2, fp_bool(a < b))
FP_BY_COMPONENT(sge, 2, fp_bool(a >= b))
FP_BY_COMPONENT(seq, 2, fp_bool(a == b))
FP_BY_COMPONENT(sne, 2, fp_bool(a != b))
FP_BY_COMPONENT(neg, 1, (LaneF)((LaneI)a ^ lane_isplat(INT32_MIN)))
FP_BY_COMPONENT(abs, 1, lane_abs(a))
FP_BY_COMPONENT(sat, 1, lane_saturate(a))
FP_BY_COMPONENT(frc, 1, a - lane_floor(a))
FP_BY_COMPONENT(flr, 1, lane_floor(a))
FP_BY_COMPONENT(rcp, 1, 1.0f / a)
FP_BY_COMPONENT(rsq, 1, fp_rsq(a))
FP_BY_COMPONENT(ex2, 1, lane_ex2(a))
FP_BY_COMPONENT(lg2, 1, lane_lg2(a))
FP_BY_COMPONENT(sin, 1, lane_sine(a, 0))
FP_BY_COMPONENT(cos, 1, lane_sine(a, 1))
FP_BY_COMPONENT(pow, 2, lane_ex2(b * lane_lg2(a)))
FP_BY_COMPONENT(sel_lt, 3, lane_select(a < 0.0f, b, c))
FP_BY_COMPONENT(sel_eq, 3, lane_select(a == 0.0f, b, c))
FP_BY_COMPONENT(sel_le, 3, lane_select(a <= 0.0f, b, c))
FP_BY_COMPONENT(sel_gt, 3, lane_select(a > 0.0f, b, c))
FP_BY_COMPONENT(sel_ne, 3, lane_select((a < 0.0f) | (a > 0.0f), b, c))
FP_BY_COMPONENT(sel_ge, 3, lane_select(a >= 0.0f, b, c))

/*
 * Computes the right value minus the left value for each pair of pixels in a row, and
 * stores the difference for both pixels.
 */
static LANES_TARGET void fp_op_ddx(NV3FpThread *t, NV3FpSlot *file, const NV3FpOp *op)
{
    for (unsigned n = 0; n < op->n; n++) {
        const float *from = file[op->src[0][n]].pixel;
        float *to = file[op->dst[n]].pixel;

        for (unsigned i = 0; i < NV3_FP_LANES; i += 2) {
            float change = from[i + 1] - from[i];

            to[i] = change;
            to[i + 1] = change;
        }
    }
}

/*
 * Computes the lower row minus the upper row for each pair of rows, and stores the
 * difference for both rows.
 */
static LANES_TARGET void fp_op_ddy(NV3FpThread *t, NV3FpSlot *file, const NV3FpOp *op)
{
    for (unsigned n = 0; n < op->n; n++) {
        const float *from = file[op->src[0][n]].pixel;
        float *to = file[op->dst[n]].pixel;

        for (unsigned y = 0; y < NV3_FP_LANES; y += 2 * NV3_FP_BLOCK) {
            for (unsigned i = y; i < y + NV3_FP_BLOCK; i++) {
                float change = from[i + NV3_FP_BLOCK] - from[i];

                to[i] = change;
                to[i + NV3_FP_BLOCK] = change;
            }
        }
    }
}

/*
 * Computes the sum of @terms products or, if @rsq is true, the reciprocal square root of
 * this sum. @terms and @rsq are constants after inlining.
 */
LANES_INLINE void fp_dot(NV3FpSlot *file, const NV3FpOp *op, unsigned terms, bool rsq)
{
    LaneF *to = fp_result(file, op, 0);
    const LaneF *a[4], *b[4];

    for (unsigned n = 0; n < terms; n++) {
        a[n] = fp_source(file, op, 0, n);
        b[n] = fp_source(file, op, 1, n);
    }
    for (unsigned i = 0; i < FP_VECTORS; i++) {
        LaneF sum = a[0][i] * b[0][i];

        for (unsigned n = 1; n < terms; n++) {
            sum += a[n][i] * b[n][i];
        }
        if (rsq) {
            sum = fp_rsq(sum);
        }
        to[i] = sum;
    }
}

LANES_INLINE void fp_dot_terms(NV3FpSlot *file, const NV3FpOp *op, bool rsq)
{
    switch (op->n) {
    case 2:
        fp_dot(file, op, 2, rsq);
        break;
    case 3:
        fp_dot(file, op, 3, rsq);
        break;
    default:
        fp_dot(file, op, 4, rsq);
        break;
    }
}

static LANES_TARGET void fp_op_dot(NV3FpThread *t, NV3FpSlot *file, const NV3FpOp *op)
{
    fp_dot_terms(file, op, false);
}

static LANES_TARGET void fp_op_rsq_dot(NV3FpThread *t, NV3FpSlot *file, const NV3FpOp *op)
{
    fp_dot_terms(file, op, true);
}

static LANES_TARGET void fp_op_nrm(NV3FpThread *t, NV3FpSlot *file, const NV3FpOp *op)
{
    const LaneF *a[3], *b[3], *c[3];
    LaneF *to[3];

    for (unsigned n = 0; n < 3; n++) {
        a[n] = fp_source(file, op, 0, n);
        b[n] = fp_source(file, op, 1, n);
        c[n] = fp_source(file, op, 2, n);
        to[n] = fp_result(file, op, n);
    }
    for (unsigned i = 0; i < FP_VECTORS; i++) {
        const LaneF sum = a[0][i] * b[0][i] + a[1][i] * b[1][i] + a[2][i] * b[2][i];
        const LaneF scale = fp_rsq(sum);

        for (unsigned n = 0; n < 3; n++) {
            to[n][i] = c[n][i] * scale;
        }
    }
}

static LANES_TARGET void fp_op_kil(NV3FpThread *t, NV3FpSlot *file, const NV3FpOp *op)
{
    for (unsigned n = 0; n < op->n; n++) {
        const LaneF *from = fp_source(file, op, 0, n);

        for (unsigned i = 0; i < FP_VECTORS; i++) {
            LaneF a = from[i];
            LaneI pass = { 0 };

            pass |= lane_all(op->lod & NV3_FP_TEST_LT) & (a < 0.0f);
            pass |= lane_all(op->lod & NV3_FP_TEST_EQ) & (a == 0.0f);
            pass |= lane_all(op->lod & NV3_FP_TEST_GT) & (a > 0.0f);
            t->killed |= (uint64_t)lane_bits(pass) << (i * LANES);
        }
    }
}

static LANES_TARGET void fp_op_tex(NV3FpThread *t, NV3FpSlot *file, const NV3FpOp *op)
{
    const NV3TexUnit *unit = t->draw->unit[op->unit];
    NV3TexRequest request;

    /*
     * Set only members that the operation uses, because an initializer would also clear
     * the others.
     */
    request.lod = op->lod;
    request.multiplies = op->n == 2;
    for (unsigned c = 0; c < 4; c++) {
        request.result[c] = op->dst[c] == NV3_FP_NO_SLOT ? NULL :
                            file[op->dst[c]].pixel;
        request.coord[c] = file[op->src[0][c]].pixel;
    }
    for (unsigned c = 0; op->lod == NV3_TEX_LOD_GRADIENT && c < 3; c++) {
        request.gradient[0][c] = file[op->src[1][c]].pixel;
        request.gradient[1][c] = file[op->src[2][c]].pixel;
    }
    for (unsigned c = 0; request.multiplies && c < 4; c++) {
        request.factor[c] = file[op->src[1][c]].pixel;
    }
    tex_sample(unit, &request);
}

LANES_TARGET void FP_NAME(nv3_fp_sample)(const NV3TexUnit *unit,
                                         const NV3TexRequest *request)
{
    tex_sample(unit, request);
}

static FpOpFn *const fp_op_fn[NV3_FP_OP_KINDS] = {
    [NV3_FP_OP_ADD] = fp_op_add,
    [NV3_FP_OP_SUB] = fp_op_sub,
    [NV3_FP_OP_MUL] = fp_op_mul,
    [NV3_FP_OP_MAD] = fp_op_mad,
    [NV3_FP_OP_MSUB] = fp_op_msub,
    [NV3_FP_OP_NMAD] = fp_op_nmad,
    [NV3_FP_OP_DIV] = fp_op_div,
    [NV3_FP_OP_MIN] = fp_op_min,
    [NV3_FP_OP_MAX] = fp_op_max,
    [NV3_FP_OP_SLT] = fp_op_slt,
    [NV3_FP_OP_SGE] = fp_op_sge,
    [NV3_FP_OP_SEQ] = fp_op_seq,
    [NV3_FP_OP_SNE] = fp_op_sne,
    [NV3_FP_OP_NEG] = fp_op_neg,
    [NV3_FP_OP_ABS] = fp_op_abs,
    [NV3_FP_OP_SAT] = fp_op_sat,
    [NV3_FP_OP_FRC] = fp_op_frc,
    [NV3_FP_OP_FLR] = fp_op_flr,
    [NV3_FP_OP_RCP] = fp_op_rcp,
    [NV3_FP_OP_RSQ] = fp_op_rsq,
    [NV3_FP_OP_EX2] = fp_op_ex2,
    [NV3_FP_OP_LG2] = fp_op_lg2,
    [NV3_FP_OP_SIN] = fp_op_sin,
    [NV3_FP_OP_COS] = fp_op_cos,
    [NV3_FP_OP_POW] = fp_op_pow,
    [NV3_FP_OP_SEL_LT] = fp_op_sel_lt,
    [NV3_FP_OP_SEL_EQ] = fp_op_sel_eq,
    [NV3_FP_OP_SEL_LE] = fp_op_sel_le,
    [NV3_FP_OP_SEL_GT] = fp_op_sel_gt,
    [NV3_FP_OP_SEL_NE] = fp_op_sel_ne,
    [NV3_FP_OP_SEL_GE] = fp_op_sel_ge,
    [NV3_FP_OP_DDX] = fp_op_ddx,
    [NV3_FP_OP_DDY] = fp_op_ddy,
    [NV3_FP_OP_DOT] = fp_op_dot,
    [NV3_FP_OP_RSQ_DOT] = fp_op_rsq_dot,
    [NV3_FP_OP_NRM] = fp_op_nrm,
    [NV3_FP_OP_TEX] = fp_op_tex,
    [NV3_FP_OP_KIL] = fp_op_kil,
};

LANES_TARGET void FP_NAME(nv3_fp_execute)(NV3FpThread *thread, const NV3FpOp *op,
                                          unsigned count)
{
    NV3FpSlot *file = thread->file;

    for (const NV3FpOp *end = op + count; op < end; op++) {
        fp_op_fn[op->kind](thread, file, op);
    }
}

LANES_TARGET void FP_NAME(nv3_fp_run_code)(NV3FpThread *thread)
{
    const NV3FpCode *code = thread->draw->code;

    if (!code->segment || code->native_level != thread->draw->level) {
        FP_NAME(nv3_fp_execute)(thread, code->op + code->uniform_count, code->count);
        return;
    }
    for (unsigned i = 0; i < code->segment_count; i++) {
        const NV3FpSegment *segment = &code->segment[i];

        if (segment->run) {
            segment->run(thread->file);
        } else {
            FP_NAME(nv3_fp_execute)(thread, segment->op, segment->count);
        }
    }
}
