/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Translates vertex programs for the fast interpreter in three steps. The first step
 * translates the instructions to a list of operations on numbered values. The second step
 * removes operations on which no output depends. The third step assigns slots of the
 * register file (NV3VpFile) to the remaining values.
 */
#include <string.h>

#include "vp/vp_exec.h"

/*
 * Numbers of values. The components of attributes and the literals 0 and 1 have the
 * numbers of their slots. The components of all constants follow, and then the results.
 */
#define VALUE_CONSTANTS NV3_VP_SLOT_CONSTANTS
#define VALUE_RESULTS   (VALUE_CONSTANTS + 4 * NV3_VP_CONSTANTS)
#define VALUES          (VALUE_RESULTS + 12 * NV3_VP_INSNS)

typedef struct Translator {
    NV3VpCode *code;
    const NV3VpInsn *insn;
    unsigned values;
    /* The current values of registers. */
    uint16_t temp[NV3_VP_TEMPS][4], output[NV3_VP_OUTPUTS][4], address;
    uint16_t fetched[4];        /* components of a constant indexed by A0 */
} Translator;

static const uint8_t result_count[NV3_VP_OP_KINDS] = {
    [NV3_VP_OP_EXP] = 4, [NV3_VP_OP_LOG] = 4, [NV3_VP_OP_LIT] = 4, [NV3_VP_OP_TXL] = 4,
    [NV3_VP_OP_FETCH] = 4,
};

static unsigned results_of(const NV3VpOp *op)
{
    return result_count[op->kind] ? result_count[op->kind] : 1;
}

/* ---- operations -------------------------------------------------------------- */

static NV3VpOp *add_op(Translator *t, unsigned kind)
{
    NV3VpOp *op = &t->code->op[t->code->count++];

    *op = (NV3VpOp) { .kind = kind };
    for (unsigned i = 0; i < results_of(op); i++) {
        op->dst[i] = t->values++;
    }
    return op;
}

static unsigned source_value(const Translator *t, const NV3VpSource *src, unsigned c)
{
    const NV3VpInsn *insn = t->insn;
    const unsigned from = src->component[c];

    switch (src->bank) {
    case NV3_VP_BANK_TEMP:
        return src->temp == NV3_VP_TEMP_POS ? t->output[0][from] :
                                              t->temp[src->temp][from];
    case NV3_VP_BANK_ATTRIBUTE:
        return NV3_VP_SLOT_ATTRIBUTES + 4 * insn->attribute + from;
    case NV3_VP_BANK_CONSTANT:
        if (insn->indexed) {
            return t->fetched[from];
        }
        if (insn->constant < insn->constants) {
            return VALUE_CONSTANTS + 4 * insn->constant + from;
        }
        return NV3_VP_SLOT_ZERO;
    default:
        return NV3_VP_SLOT_ZERO;
    }
}

/* Appends component @c of the instruction's source @s to the sources of @op. */
static void add_source(const Translator *t, NV3VpOp *op, unsigned s, unsigned c)
{
    const NV3VpSource *src = &t->insn->src[s];

    op->absolute |= src->absolute << op->sources;
    op->negate |= src->negate << op->sources;
    op->src[op->sources++] = source_value(t, src, c);
}

static unsigned finish_op(NV3VpOp *op, bool saturate)
{
    op->saturate = saturate;
    op->plain = !op->absolute && !op->negate && !saturate;
    return op->dst[0];
}

static unsigned move(Translator *t, unsigned s, unsigned c, bool saturate)
{
    const NV3VpSource *src = &t->insn->src[s];
    NV3VpOp *op;

    if (!src->absolute && !src->negate && !saturate) {
        return source_value(t, src, c);
    }
    op = add_op(t, NV3_VP_OP_MOV);
    add_source(t, op, s, c);
    return finish_op(op, saturate);
}

/*
 * Adds an operation of @kind on component @c of the sources in the mask @sources. Returns
 * the number of its result.
 */
static unsigned by_component(Translator *t, unsigned kind, unsigned sources, unsigned c)
{
    NV3VpOp *op = add_op(t, kind);

    for (unsigned s = 0; s < 3; s++) {
        if (sources & 1u << s) {
            add_source(t, op, s, c);
        }
    }
    if (kind == NV3_VP_OP_ADD && op->negate == 2 && !op->absolute) {
        op->kind = NV3_VP_OP_SUB;
        op->negate = 0;
    }
    return finish_op(op, t->insn->vector_saturate);
}

/*
 * Adds a dot product, and sets all components of @result to its value. @first, @second:
 * number of components of source 0 and of source 1.
 */
static void dot(Translator *t, uint16_t result[4], unsigned kind, unsigned first,
                unsigned second)
{
    NV3VpOp *op = add_op(t, kind);

    for (unsigned c = 0; c < first; c++) {
        add_source(t, op, 0, c);
    }
    for (unsigned c = 0; c < second; c++) {
        add_source(t, op, 1, c);
    }
    finish_op(op, t->insn->vector_saturate);
    for (unsigned c = 0; c < 4; c++) {
        result[c] = op->dst[0];
    }
}

static void sample(Translator *t, uint16_t result[4])
{
    NV3VpOp *op = add_op(t, NV3_VP_OP_TXL);

    op->unit = t->insn->unit;
    for (unsigned c = 0; c < 4; c++) {
        add_source(t, op, 0, c);
    }
    finish_op(op, t->insn->vector_saturate);
    memcpy(result, op->dst, sizeof(op->dst));
}

static void load_address(Translator *t)
{
    NV3VpOp *op = add_op(t, NV3_VP_OP_ARL);

    add_source(t, op, 0, 0);
    t->address = finish_op(op, false);
}

static void fetch(Translator *t)
{
    NV3VpOp *op = add_op(t, NV3_VP_OP_FETCH);

    op->constant = t->insn->constant;
    op->constants = t->insn->constants;
    op->src[op->sources++] = t->address;
    finish_op(op, false);
    memcpy(t->fetched, op->dst, sizeof(t->fetched));
}

/* Vector operations that compute each component separately. */
static const struct {
    uint8_t kind, sources;      /* sources: mask of sources */
} component_op[] = {
    [NV3_VP_MUL] = { NV3_VP_OP_MUL, 3 }, [NV3_VP_ADD] = { NV3_VP_OP_ADD, 5 },
    [NV3_VP_MAD] = { NV3_VP_OP_MAD, 7 }, [NV3_VP_MIN] = { NV3_VP_OP_MIN, 3 },
    [NV3_VP_MAX] = { NV3_VP_OP_MAX, 3 }, [NV3_VP_SLT] = { NV3_VP_OP_SLT, 3 },
    [NV3_VP_SGE] = { NV3_VP_OP_SGE, 3 }, [NV3_VP_SGT] = { NV3_VP_OP_SGT, 3 },
    [NV3_VP_SLE] = { NV3_VP_OP_SLE, 3 }, [NV3_VP_SEQ] = { NV3_VP_OP_SEQ, 3 },
    [NV3_VP_SNE] = { NV3_VP_OP_SNE, 3 }, [NV3_VP_SSG] = { NV3_VP_OP_SSG, 1 },
    [NV3_VP_FRC] = { NV3_VP_OP_FRC, 1 }, [NV3_VP_FLR] = { NV3_VP_OP_FLR, 1 },
};

static unsigned vector_component(Translator *t, unsigned c)
{
    const bool saturate = t->insn->vector_saturate;

    switch (t->insn->vector_op) {
    case NV3_VP_STR:
        return NV3_VP_SLOT_ONE;
    case NV3_VP_SFL:
        return NV3_VP_SLOT_ZERO;
    case NV3_VP_VMOV:
        return move(t, 0, c, saturate);
    case NV3_VP_DST:
        return c == 0 ? NV3_VP_SLOT_ONE :
               c == 1 ? by_component(t, NV3_VP_OP_MUL, 3, 1) :
                        move(t, c == 2 ? 0 : 1, c, saturate);
    default:
        return by_component(t, component_op[t->insn->vector_op].kind,
                            component_op[t->insn->vector_op].sources, c);
    }
}

/*
 * Adds operations that compute the components in @mask of the instruction's vector
 * result. Sets @result to the numbers of the computed values.
 */
static void vector(Translator *t, uint16_t result[4], unsigned mask)
{
    switch (t->insn->vector_op) {
    case NV3_VP_VNOP:
        break;
    case NV3_VP_ARL:
        load_address(t);
        break;
    case NV3_VP_DP3:
        dot(t, result, NV3_VP_OP_DP3, 3, 3);
        break;
    case NV3_VP_DPH:
        dot(t, result, NV3_VP_OP_DPH, 3, 4);
        break;
    case NV3_VP_DP4:
        dot(t, result, NV3_VP_OP_DP4, 4, 4);
        break;
    case NV3_VP_TXL:
        sample(t, result);
        break;
    default:
        for (unsigned c = 0; c < 4; c++) {
            if (mask & 1u << c) {
                result[c] = vector_component(t, c);
            }
        }
        break;
    }
}

static const uint8_t scalar_kind[] = {
    [NV3_VP_RCP] = NV3_VP_OP_RCP, [NV3_VP_RCC] = NV3_VP_OP_RCC,
    [NV3_VP_RSQ] = NV3_VP_OP_RSQ, [NV3_VP_EXP] = NV3_VP_OP_EXP,
    [NV3_VP_LOG] = NV3_VP_OP_LOG, [NV3_VP_LIT] = NV3_VP_OP_LIT,
    [NV3_VP_LG2] = NV3_VP_OP_LG2, [NV3_VP_EX2] = NV3_VP_OP_EX2,
    [NV3_VP_SIN] = NV3_VP_OP_SIN, [NV3_VP_COS] = NV3_VP_OP_COS,
};

static void scalar(Translator *t, uint16_t result[4], unsigned mask)
{
    const bool saturate = t->insn->scalar_saturate;
    NV3VpOp *op;

    if (t->insn->scalar_op == NV3_VP_SNOP) {
        return;
    }
    if (t->insn->scalar_op == NV3_VP_SMOV) {
        for (unsigned c = 0; c < 4; c++) {
            if (mask & 1u << c) {
                result[c] = move(t, 2, c, saturate);
            }
        }
        return;
    }
    op = add_op(t, scalar_kind[t->insn->scalar_op]);
    for (unsigned c = 0; c < (op->kind == NV3_VP_OP_LIT ? 4 : 1); c++) {
        add_source(t, op, 2, c);
    }
    finish_op(op, saturate);
    for (unsigned c = 0; c < 4; c++) {
        result[c] = op->dst[results_of(op) == 4 ? c : 0];
    }
}

/*
 * Sets the current values of a register's components in @mask to @value. If the register
 * does not exist, @mask must be 0.
 */
static void write_register(uint16_t (*reg)[4], unsigned number, const uint16_t value[4],
                           unsigned mask)
{
    for (unsigned c = 0; c < 4; c++) {
        if (mask & 1u << c) {
            reg[number][c] = value[c];
        }
    }
}

/*
 * Translates an instruction. The vector operation and the scalar operation both read
 * their sources before either of them writes a result. The function therefore translates
 * both before it updates registers.
 */
static void translate_insn(Translator *t, const NV3VpInsn *insn)
{
    const unsigned vector_output = insn->output_scalar ? 0 : insn->output_mask;
    const unsigned scalar_output = insn->output_scalar ? insn->output_mask : 0;
    uint16_t vector_result[4] = { 0 }, scalar_result[4] = { 0 };

    t->insn = insn;
    if (insn->indexed) {
        fetch(t);
    }
    vector(t, vector_result, insn->vector_mask | vector_output);
    scalar(t, scalar_result, insn->scalar_mask | scalar_output);
    write_register(t->temp, insn->vector_temp, vector_result, insn->vector_mask);
    write_register(t->output, insn->output, vector_result, vector_output);
    write_register(t->temp, insn->scalar_temp, scalar_result, insn->scalar_mask);
    write_register(t->output, insn->output, scalar_result, scalar_output);
    if (insn->output_mask) {
        t->code->outputs |= 1u << insn->output;
    }
}

/* ---- removal ------------------------------------------------------------------ */

/*
 * Removes operations on which no value in @used depends. Adds to @used the values that
 * the remaining operations read.
 */
static void remove_unused(NV3VpCode *code, bool used[VALUES])
{
    unsigned first = code->count;

    for (unsigned i = code->count; i-- > 0;) {
        const NV3VpOp *op = &code->op[i];
        bool needed = false;

        for (unsigned r = 0; r < results_of(op); r++) {
            needed |= used[op->dst[r]];
        }
        if (!needed) {
            continue;
        }
        for (unsigned s = 0; s < op->sources; s++) {
            used[op->src[s]] = true;
        }
        code->op[--first] = *op;
    }
    code->count -= first;
    memmove(code->op, code->op + first, code->count * sizeof(code->op[0]));
}

/* ---- slots -------------------------------------------------------------------- */

typedef struct Slots {
    uint16_t slot[VALUES];      /* of each value */
    uint16_t last_use[VALUES];  /* index of an operation */
    uint16_t free[NV3_VP_RESULTS_MAX];
    unsigned free_count, end;
} Slots;

static void add_constants(NV3VpCode *code, Slots *slots, const bool used[VALUES])
{
    code->constant_count = 0;
    for (unsigned i = 0; i < VALUE_CONSTANTS; i++) {
        slots->slot[i] = i;
    }
    for (unsigned i = 0; i < 4 * NV3_VP_CONSTANTS; i++) {
        if (used[VALUE_CONSTANTS + i]) {
            slots->slot[VALUE_CONSTANTS + i] = NV3_VP_SLOT_CONSTANTS +
                                               code->constant_count;
            code->constant[code->constant_count++] = i;
        }
    }
    slots->end = NV3_VP_SLOT_CONSTANTS + code->constant_count;
}

/*
 * Assigns slots to results. The interpreter may execute an operation twice
 * (vp_exec_loops.h), so a result never overwrites a source of the same operation.
 */
static void assign_slots(NV3VpCode *code, Slots *slots)
{
    for (unsigned i = 0; i < code->count; i++) {
        NV3VpOp *op = &code->op[i];
        const unsigned results = results_of(op);
        uint16_t value[NV3_VP_OP_RESULTS];

        for (unsigned r = 0; r < results; r++) {
            value[r] = op->dst[r];
            op->dst[r] = slots->free_count ? slots->free[--slots->free_count] :
                                             slots->end++;
            slots->slot[value[r]] = op->dst[r];
        }
        for (unsigned s = 0; s < op->sources; s++) {
            const unsigned source = op->src[s];

            op->src[s] = slots->slot[source];
            if (source >= VALUE_RESULTS && slots->last_use[source] == i) {
                slots->free[slots->free_count++] = op->src[s];
                /* Do not free the slot again if another source is the same value. */
                slots->last_use[source] = UINT16_MAX;
            }
        }
        for (unsigned r = 0; r < results; r++) {
            if (!slots->last_use[value[r]]) {
                slots->free[slots->free_count++] = op->dst[r];
            }
        }
    }
}

/* Returns the number of components of a dot product's source 0. */
static unsigned first_sources(const NV3VpOp *op)
{
    return op->kind == NV3_VP_OP_DP4 ? 4 : 3;
}

/*
 * Returns true if the operation is a dot product without modifiers and its source 1 is
 * constant.
 */
static bool is_row(const NV3VpCode *code, const NV3VpOp *op)
{
    const unsigned end = NV3_VP_SLOT_CONSTANTS + code->constant_count;
    bool constant = op->kind >= NV3_VP_OP_DP3 && op->kind <= NV3_VP_OP_DP4 && op->plain;

    for (unsigned s = first_sources(op); s < op->sources && constant; s++) {
        constant = op->src[s] >= NV3_VP_SLOT_ZERO && op->src[s] < end;
    }
    return constant;
}

/*
 * Finds consecutive dot products that can be executed together, and stores their number
 * in op->rows. No result overwrites a source: source 0 is in use until the last of these
 * operations, and slots of constants are never freed.
 */
static void find_rows(NV3VpCode *code)
{
    for (unsigned i = code->count; i-- > 0;) {
        NV3VpOp *op = &code->op[i];
        const NV3VpOp *next = i + 1 < code->count ? op + 1 : NULL;

        if (!is_row(code, op)) {
            continue;
        }
        op->rows = 1;
        if (next && next->rows && next->kind == op->kind &&
            !memcmp(next->src, op->src, first_sources(op) * sizeof(op->src[0]))) {
            op->rows += next->rows;
        }
    }
}

static void find_last_uses(Slots *slots, const NV3VpCode *code)
{
    for (unsigned i = 0; i < code->count; i++) {
        for (unsigned s = 0; s < code->op[i].sources; s++) {
            slots->last_use[code->op[i].src[s]] = i;
        }
    }
    for (unsigned i = 0; i < NV3_VP_OUTPUTS; i++) {
        for (unsigned c = 0; c < 4 && code->outputs & 1u << i; c++) {
            slots->last_use[code->output[i][c]] = UINT16_MAX;
        }
    }
}

static void find_inputs(NV3VpCode *code, const bool used[VALUES])
{
    for (unsigned i = 0; i < 4 * NV3_VP_ATTRIBUTES; i++) {
        code->attributes |= (used[NV3_VP_SLOT_ATTRIBUTES + i] ? 1u : 0) << i / 4;
    }
    for (unsigned i = 0; i < code->count; i++) {
        if (code->op[i].kind == NV3_VP_OP_TXL) {
            code->units |= 1u << code->op[i].unit;
            code->samples++;
        } else if (code->op[i].kind >= NV3_VP_OP_LG2) {
            code->scalars++;
        }
    }
}

static void set_registers(uint16_t (*reg)[4], unsigned count, unsigned value)
{
    for (unsigned i = 0; i < 4 * count; i++) {
        reg[i / 4][i % 4] = value;
    }
}

void nv3_vp_translate(NV3VpCode *code, const NV3VpInsn *insns, unsigned count,
                      uint32_t outputs)
{
    Translator t = {
        .code = code, .values = VALUE_RESULTS, .address = NV3_VP_SLOT_ZERO,
    };
    bool used[VALUES] = { false };
    Slots slots;

    code->count = code->attributes = code->units = code->outputs = 0;
    code->samples = code->scalars = 0;
    set_registers(t.temp, NV3_VP_TEMPS, NV3_VP_SLOT_ZERO);
    set_registers(t.output, NV3_VP_OUTPUTS, NV3_VP_SLOT_ZERO);
    for (unsigned i = 0; i < count; i++) {
        translate_insn(&t, &insns[i]);
    }
    code->outputs &= outputs;
    memcpy(code->output, t.output, sizeof(code->output));
    for (unsigned i = 0; i < NV3_VP_OUTPUTS; i++) {
        for (unsigned c = 0; c < 4 && code->outputs & 1u << i; c++) {
            used[code->output[i][c]] = true;
        }
    }
    remove_unused(code, used);
    find_inputs(code, used);

    memset(slots.last_use, 0, t.values * sizeof(slots.last_use[0]));
    slots.free_count = 0;
    find_last_uses(&slots, code);
    add_constants(code, &slots, used);
    assign_slots(code, &slots);
    find_rows(code);
    for (unsigned i = 0; i < NV3_VP_OUTPUTS; i++) {
        for (unsigned c = 0; c < 4; c++) {
            code->output[i][c] = code->outputs & 1u << i ?
                                 slots.slot[code->output[i][c]] : NV3_VP_SLOT_ZERO;
        }
    }
}

/* ---- running ------------------------------------------------------------------ */

static void fill(NV3VpSlot *slot, const void *word)
{
    for (unsigned lane = 0; lane < NV3_VP_LANES; lane++) {
        memcpy(&slot->lane[lane], word, sizeof(float));
    }
}

void nv3_vp_load_constants(NV3VpFile *file, const NV3VpCode *code,
                           const uint32_t constants[NV3_VP_CONSTANTS][4])
{
    const float zero = 0, one = 1;

    fill(&file->slot[NV3_VP_SLOT_ZERO], &zero);
    fill(&file->slot[NV3_VP_SLOT_ONE], &one);
    for (unsigned i = 0; i < code->constant_count; i++) {
        fill(&file->slot[NV3_VP_SLOT_CONSTANTS + i],
             &constants[code->constant[i] / 4][code->constant[i] % 4]);
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
                    const uint32_t constants[NV3_VP_CONSTANTS][4], unsigned vertices,
                    NV3VpLevel level)
{
    switch (level) {
#ifdef NV3_VP_HAVE_X86
    case NV3_VP_AVX512:
        nv3_vp_execute_avx512(file, code, constants, vertices);
        break;
    case NV3_VP_AVX2:
        nv3_vp_execute_avx2(file, code, constants, vertices);
        break;
#endif
    default:
        nv3_vp_execute_generic(file, code, constants, vertices);
        break;
    }
}
