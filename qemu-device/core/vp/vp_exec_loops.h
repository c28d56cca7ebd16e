/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The fast interpreter's loops, for one SIMD level. A file that includes this defines
 *
 * VP_WIDTH     lanes of the level's vectors: 4, 8 or 16
 * VP_TARGET    attributes of every function
 * VP_EXECUTE   the name of the function that runs a program
 * VP_SQRT(x)   the correctly rounded square root of a vector
 */
#include <string.h>

#include "vp/vp_exec.h"
#include "vp/vp_float.h"

#define VP_VECTORS      (NV3_VP_LANES / VP_WIDTH)
#define VP_INLINE       inline __attribute__((always_inline)) VP_TARGET

typedef float VpF __attribute__((vector_size(4 * VP_WIDTH), may_alias));
typedef int32_t VpI __attribute__((vector_size(4 * VP_WIDTH), may_alias));

/* The scalar operation's result, while the vector operation still reads its sources. */
typedef struct VpResult {
    NV3VpComponent component[4];
} VpResult;

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

static VP_INLINE VpF vp_load(const NV3VpComponent *from, unsigned i)
{
    return ((const VpF *)from->lane)[i];
}

static VP_INLINE void vp_store(NV3VpComponent *to, unsigned i, VpF x)
{
    ((VpF *)to->lane)[i] = x;
}

/* Returns vector @i of component @c of source @s. */
static VP_INLINE VpF vp_source(const NV3VpFile *file, const NV3VpOp *op, unsigned s,
                               unsigned c, unsigned i)
{
    VpF x = vp_load(&file->reg[0][0] + op->src[s][c], i);

    return (VpF)(((VpI)x & vp_isplat(op->kept[s])) ^ vp_isplat(op->sign[s]));
}

/* A NaN is clamped to 0. */
static VP_INLINE VpF vp_saturate(VpF x)
{
    x = vp_select(x > vp_splat(0), x, vp_splat(0));
    return vp_select(x < vp_splat(1), x, vp_splat(1));
}

/*
 * Writes vector @i of the vector operation's result, after all of its sources for these
 * lanes have been read.
 */
static VP_INLINE void vp_write_vector(NV3VpFile *file, const NV3VpOp *op, unsigned i,
                                      const VpF result[4])
{
    for (unsigned c = 0; c < 4; c++) {
        VpF x = op->vector_saturate ? vp_saturate(result[c]) : result[c];

        if (op->vector_mask & 1u << c) {
            vp_store(&file->reg[op->vector_temp][c], i, x);
        }
        if (op->vector_output & 1u << c) {
            vp_store(&file->reg[op->output][c], i, x);
        }
    }
}

/* The product of 0 and anything is +0. */
static VP_INLINE VpF vp_mul(VpF a, VpF b)
{
    VpI zero = (a == 0) | (b == 0);

    return (VpF)((VpI)(a * b) & ~zero);
}

/*
 * Returns a number's position in the order of nv3_vp_less(). All NaNs have the same
 * position.
 */
static VP_INLINE VpI vp_key(VpF x)
{
    VpI pattern = (VpI)vp_select(x != x, (VpF)vp_isplat(NV3_VP_NAN), x);

    return pattern ^ ((pattern >> 31) & vp_isplat(INT32_MAX));
}

/* Numbers from 2^23 on are integers. Infinities and NaNs do not change. */
static VP_INLINE VpF vp_floor(VpF x)
{
    VpI small = (VpF)((VpI)x & vp_isplat(INT32_MAX)) < vp_splat(0x1p23f);
    VpF whole = __builtin_convertvector(
        __builtin_convertvector(vp_select(small, x, vp_splat(0)), VpI), VpF);

    whole -= vp_select(whole > x, vp_splat(1), vp_splat(0));
    return vp_select(small, whole, x);
}

/* Both zeroes are equal, and so are all NaNs. */
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
    VpF one = (VpF)((VpI)vp_splat(1) | (vp_key(x) & vp_isplat(NV3_VP_SIGN)));

    return vp_select(x == 0, vp_splat(0), one);
}

static VP_INLINE VpF vp_by_component(unsigned op, VpF a, VpF b, VpF c)
{
    switch (op) {
    case NV3_VP_FRC:
        return a - vp_floor(a);
    case NV3_VP_FLR:
        return vp_floor(a);
    case NV3_VP_SEQ:
        return vp_set(vp_equal(a, b));
    case NV3_VP_SNE:
        return vp_set(~vp_equal(a, b));
    case NV3_VP_SGT:
        return vp_set(vp_key(b) < vp_key(a));
    case NV3_VP_SLE:
        return vp_set(~(vp_key(b) < vp_key(a)));
    case NV3_VP_STR:
        return vp_splat(1);
    case NV3_VP_SFL:
        return vp_splat(0);
    case NV3_VP_SSG:
        return vp_sign(a);
    case NV3_VP_MUL:
        return vp_mul(a, b);
    case NV3_VP_ADD:
        /* A sum is never -0. */
        return a + c + 0.0f;
    case NV3_VP_MAD:
        return vp_mul(a, b) + c;
    case NV3_VP_MIN:
        return vp_select(vp_key(a) < vp_key(b), a, b);
    case NV3_VP_MAX:
        return vp_select(vp_key(a) < vp_key(b), b, a);
    case NV3_VP_SLT:
        return vp_select(vp_key(a) < vp_key(b), vp_splat(1), vp_splat(0));
    case NV3_VP_SGE:
        return vp_select(vp_key(a) < vp_key(b), vp_splat(0), vp_splat(1));
    default:
        return a;
    }
}

/* @kind and its sources are constants wherever this is inlined. */
static VP_INLINE void vp_components(NV3VpFile *file, const NV3VpOp *op, unsigned kind,
                                    bool two, bool three)
{
    unsigned mask = op->vector_mask | op->vector_output;

    for (unsigned i = 0; i < VP_VECTORS; i++) {
        VpF result[4] = { 0 };

        for (unsigned c = 0; c < 4; c++) {
            if (mask & 1u << c) {
                VpF x = vp_source(file, op, 0, c, i);
                VpF y = two ? vp_source(file, op, 1, c, i) : x;
                VpF z = three ? vp_source(file, op, 2, c, i) : x;

                result[c] = vp_by_component(kind, x, y, z);
            }
        }
        vp_write_vector(file, op, i, result);
    }
}

static VP_INLINE VpF vp_product(const NV3VpFile *file, const NV3VpOp *op, unsigned c,
                                unsigned i)
{
    return vp_mul(vp_source(file, op, 0, c, i), vp_source(file, op, 1, c, i));
}

static VP_INLINE void vp_dot(NV3VpFile *file, const NV3VpOp *op, unsigned kind)
{
    for (unsigned i = 0; i < VP_VECTORS; i++) {
        VpF sum = vp_product(file, op, 0, i) + vp_product(file, op, 1, i);
        VpF rest = vp_product(file, op, 2, i);

        if (kind == NV3_VP_DPH) {
            rest += vp_source(file, op, 1, 3, i);
        } else if (kind == NV3_VP_DP4) {
            rest += vp_product(file, op, 3, i);
        }
        sum += rest;
        vp_write_vector(file, op, i, (VpF[]) { sum, sum, sum, sum });
    }
}

static VP_INLINE void vp_dst(NV3VpFile *file, const NV3VpOp *op)
{
    for (unsigned i = 0; i < VP_VECTORS; i++) {
        const VpF result[4] = {
            vp_splat(1), vp_product(file, op, 1, i), vp_source(file, op, 0, 2, i),
            vp_source(file, op, 1, 3, i),
        };

        vp_write_vector(file, op, i, result);
    }
}

static VP_INLINE uint32_t vp_source_lane(const NV3VpFile *file, const NV3VpOp *op,
                                         unsigned s, unsigned c, unsigned lane)
{
    uint32_t x;

    memcpy(&x, &(&file->reg[0][0] + op->src[s][c])->lane[lane], sizeof(x));
    /* Every NaN becomes NV3_VP_NAN, because the sign of a NaN depends on the host. */
    return nv3_vp_is_nan(x) ? NV3_VP_NAN : (x & op->kept[s]) ^ op->sign[s];
}

static VP_INLINE void vp_load_address(NV3VpFile *file, const NV3VpOp *op)
{
    for (unsigned lane = 0; lane < NV3_VP_LANES; lane++) {
        file->address[lane] = nv3_vp_address(vp_source_lane(file, op, 0, 0, lane));
    }
}

static VP_INLINE void vp_sample(NV3VpFile *file, const NV3VpOp *op)
{
    NV3VpComponent coord[4], texel[4] = { 0 };

    for (unsigned i = 0; i < VP_VECTORS; i++) {
        for (unsigned c = 0; c < 4; c++) {
            vp_store(&coord[c], i, vp_source(file, op, 0, c, i));
        }
        vp_store(&texel[3], i, vp_splat(1));
    }
    if (file->sample) {
        file->sample(file->sample_opaque, op->unit, coord, texel);
    }
    for (unsigned i = 0; i < VP_VECTORS; i++) {
        const VpF result[4] = {
            vp_load(&texel[0], i), vp_load(&texel[1], i), vp_load(&texel[2], i),
            vp_load(&texel[3], i),
        };

        vp_write_vector(file, op, i, result);
    }
}

static VP_INLINE void vp_vector(NV3VpFile *file, const NV3VpOp *op)
{
    switch (op->vector_op) {
    case NV3_VP_VNOP:
        break;
    case NV3_VP_VMOV:
        vp_components(file, op, NV3_VP_VMOV, false, false);
        break;
    case NV3_VP_MUL:
        vp_components(file, op, NV3_VP_MUL, true, false);
        break;
    case NV3_VP_ADD:
        vp_components(file, op, NV3_VP_ADD, false, true);
        break;
    case NV3_VP_MAD:
        vp_components(file, op, NV3_VP_MAD, true, true);
        break;
    case NV3_VP_DP3:
        vp_dot(file, op, NV3_VP_DP3);
        break;
    case NV3_VP_DPH:
        vp_dot(file, op, NV3_VP_DPH);
        break;
    case NV3_VP_DP4:
        vp_dot(file, op, NV3_VP_DP4);
        break;
    case NV3_VP_DST:
        vp_dst(file, op);
        break;
    case NV3_VP_MIN:
        vp_components(file, op, NV3_VP_MIN, true, false);
        break;
    case NV3_VP_MAX:
        vp_components(file, op, NV3_VP_MAX, true, false);
        break;
    case NV3_VP_SLT:
        vp_components(file, op, NV3_VP_SLT, true, false);
        break;
    case NV3_VP_SGE:
        vp_components(file, op, NV3_VP_SGE, true, false);
        break;
    case NV3_VP_ARL:
        vp_load_address(file, op);
        break;
    case NV3_VP_FRC:
        vp_components(file, op, NV3_VP_FRC, false, false);
        break;
    case NV3_VP_FLR:
        vp_components(file, op, NV3_VP_FLR, false, false);
        break;
    case NV3_VP_SEQ:
        vp_components(file, op, NV3_VP_SEQ, true, false);
        break;
    case NV3_VP_SNE:
        vp_components(file, op, NV3_VP_SNE, true, false);
        break;
    case NV3_VP_SGT:
        vp_components(file, op, NV3_VP_SGT, true, false);
        break;
    case NV3_VP_SLE:
        vp_components(file, op, NV3_VP_SLE, true, false);
        break;
    case NV3_VP_STR:
        vp_components(file, op, NV3_VP_STR, false, false);
        break;
    case NV3_VP_SFL:
        vp_components(file, op, NV3_VP_SFL, false, false);
        break;
    case NV3_VP_SSG:
        vp_components(file, op, NV3_VP_SSG, false, false);
        break;
    case NV3_VP_TXL:
        vp_sample(file, op);
        break;
    }
}

/* Clamps the magnitude of a reciprocal to 2^-64 ... 2^64. A NaN does not change. */
static VP_INLINE VpF vp_clamp_reciprocal(VpF x)
{
    const VpF smallest = (VpF)vp_isplat(0x1f800000), largest = (VpF)vp_isplat(0x5f800000);
    VpI sign = (VpI)x & vp_isplat(NV3_VP_SIGN);
    VpF magnitude = (VpF)((VpI)x & vp_isplat(INT32_MAX));

    magnitude = vp_select(magnitude < smallest, smallest, magnitude);
    magnitude = vp_select(magnitude > largest, largest, magnitude);
    return (VpF)((VpI)magnitude | sign);
}

static VP_INLINE VpF vp_reciprocal(unsigned op, VpF x)
{
    switch (op) {
    case NV3_VP_RCP:
        return 1 / x;
    case NV3_VP_RCC:
        return vp_clamp_reciprocal(1 / x);
    default:
        return 1 / VP_SQRT((VpF)((VpI)x & vp_isplat(INT32_MAX)));
    }
}

static VP_INLINE void vp_reciprocals(VpResult *r, const NV3VpFile *file,
                                     const NV3VpOp *op, unsigned kind)
{
    for (unsigned i = 0; i < VP_VECTORS; i++) {
        VpF x = vp_reciprocal(kind, vp_source(file, op, 2, 0, i));

        for (unsigned c = 0; c < 4; c++) {
            vp_store(&r->component[c], i, x);
        }
    }
}

/* Operations on one number with the same result in all components. */
static VP_INLINE bool vp_replicated(unsigned op, uint32_t *result, uint32_t x)
{
    switch (op) {
    case NV3_VP_LG2:
        *result = nv3_vp_lg2(x);
        return true;
    case NV3_VP_EX2:
        *result = nv3_vp_ex2(x);
        return true;
    case NV3_VP_SIN:
        *result = nv3_vp_sin(x);
        return true;
    case NV3_VP_COS:
        *result = nv3_vp_cos(x);
        return true;
    default:
        return false;
    }
}

/* EXP, LOG, LIT and Rankine's operations: calls the reference for each lane. */
static VP_INLINE void vp_by_lane(VpResult *r, const NV3VpFile *file, const NV3VpOp *op)
{
    for (unsigned lane = 0; lane < NV3_VP_LANES; lane++) {
        uint32_t x[4], result[4];

        for (unsigned c = 0; c < 4; c++) {
            x[c] = vp_source_lane(file, op, 2, c, lane);
        }
        if (vp_replicated(op->scalar_op, result, x[0])) {
            result[1] = result[2] = result[3] = result[0];
        } else if (op->scalar_op == NV3_VP_EXP) {
            nv3_vp_exp(result, x[0]);
        } else if (op->scalar_op == NV3_VP_LOG) {
            nv3_vp_log(result, x[0]);
        } else {
            nv3_vp_lit(result, x);
        }
        for (unsigned c = 0; c < 4; c++) {
            memcpy(&r->component[c].lane[lane], &result[c], sizeof(result[c]));
        }
    }
}

static VP_INLINE void vp_move(VpResult *r, const NV3VpFile *file, const NV3VpOp *op)
{
    for (unsigned c = 0; c < 4; c++) {
        for (unsigned i = 0; i < VP_VECTORS; i++) {
            vp_store(&r->component[c], i, vp_source(file, op, 2, c, i));
        }
    }
}

static VP_INLINE void vp_scalar(VpResult *r, const NV3VpFile *file, const NV3VpOp *op)
{
    switch (op->scalar_op) {
    case NV3_VP_SMOV:
        vp_move(r, file, op);
        break;
    case NV3_VP_RCP:
        vp_reciprocals(r, file, op, NV3_VP_RCP);
        break;
    case NV3_VP_RCC:
        vp_reciprocals(r, file, op, NV3_VP_RCC);
        break;
    case NV3_VP_RSQ:
        vp_reciprocals(r, file, op, NV3_VP_RSQ);
        break;
    default:
        vp_by_lane(r, file, op);
        break;
    }
}

/* Fetches sources that use a different constant for each vertex. */
static VP_INLINE void vp_fetch(NV3VpFile *file, const NV3VpOp *op,
                               const uint32_t constants[NV3_VP_CONSTANTS][4])
{
    static const uint32_t zero[4];

    for (unsigned lane = 0; lane < NV3_VP_LANES; lane++) {
        int number = op->constant + (op->relative ? file->address[lane] : 0);
        bool exists = number >= 0 && number < op->constants;
        const uint32_t *from = exists ? constants[number] : zero;

        for (unsigned s = 0; s < 3; s++) {
            if (!(op->fetched & 1u << s)) {
                continue;
            }
            for (unsigned c = 0; c < 4; c++) {
                memcpy(&file->reg[NV3_VP_FILE_FETCHED + s][c].lane[lane], &from[c],
                       sizeof(from[c]));
            }
        }
    }
}

static VP_INLINE void vp_write_scalar(NV3VpFile *file, const NV3VpOp *op,
                                      VpResult *r)
{
    for (unsigned c = 0; c < 4; c++) {
        for (unsigned i = 0; op->scalar_saturate && i < VP_VECTORS; i++) {
            vp_store(&r->component[c], i, vp_saturate(vp_load(&r->component[c], i)));
        }
        if (op->scalar_mask & 1u << c) {
            file->reg[op->scalar_temp][c] = r->component[c];
        }
        if (op->scalar_output & 1u << c) {
            file->reg[op->output][c] = r->component[c];
        }
    }
}

VP_TARGET void VP_EXECUTE(NV3VpFile *file, const NV3VpCode *code,
                          const uint32_t constants[NV3_VP_CONSTANTS][4])
{
    VpResult scalar;

    for (unsigned i = 0; i < code->count; i++) {
        const NV3VpOp *op = &code->op[i];

        if (op->fetched) {
            vp_fetch(file, op, constants);
        }
        if (op->scalar_op == NV3_VP_SNOP) {
            vp_vector(file, op);
        } else {
            vp_scalar(&scalar, file, op);
            vp_vector(file, op);
            vp_write_scalar(file, op, &scalar);
        }
    }
}
