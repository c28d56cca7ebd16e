/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Translates fragment programs for the fast executor (fp_code.h). This file builds the
 * graph of a program's values (fp_graph.h). fp_emit.c converts the graph to operations.
 */
#include <stdlib.h>
#include <string.h>

#include "chip/exec.h"
#include "fp/fp_code.h"
#include "fp/fp_graph.h"

/* ---- values ------------------------------------------------------------ */

unsigned nv3_fp_source_count(const FpNode *n)
{
    switch (n->kind) {
    case NV3_FP_OP_ADD:
    case NV3_FP_OP_SUB:
    case NV3_FP_OP_MUL:
    case NV3_FP_OP_DIV:
    case NV3_FP_OP_MIN:
    case NV3_FP_OP_MAX:
    case NV3_FP_OP_SLT:
    case NV3_FP_OP_SGE:
    case NV3_FP_OP_SEQ:
    case NV3_FP_OP_SNE:
    case NV3_FP_OP_POW:
        return 2;
    case NV3_FP_OP_MAD:
    case NV3_FP_OP_MSUB:
    case NV3_FP_OP_NMAD:
    case NV3_FP_OP_SEL_LT:
    case NV3_FP_OP_SEL_EQ:
    case NV3_FP_OP_SEL_LE:
    case NV3_FP_OP_SEL_GT:
    case NV3_FP_OP_SEL_NE:
    case NV3_FP_OP_SEL_GE:
        return 3;
    case NV3_FP_OP_DOT:
    case NV3_FP_OP_RSQ_DOT:
        return 2 * n->n;
    case NV3_FP_OP_TEX:
        return NODE_SOURCES;
    case NV3_FP_OP_KIL:
        return n->n;
    case LEAF_CONSTANT:
    case LEAF_LITERAL:
    case LEAF_INPUT:
        return 0;
    default:
        return 1;
    }
}

static bool is_uniform(const FpBuilder *b, const FpNode *n)
{
    if (n->kind == LEAF_CONSTANT || n->kind == LEAF_LITERAL) {
        return true;
    }
    if (n->kind == LEAF_INPUT || n->kind == NV3_FP_OP_TEX ||
        n->kind == LEAF_TEXEL || n->kind == NV3_FP_OP_KIL) {
        return false;
    }
    for (unsigned s = 0; s < nv3_fp_source_count(n); s++) {
        if (!b->node[n->src[s]].uniform) {
            return false;
        }
    }
    return true;
}

static bool same_node(const FpNode *a, const FpNode *b)
{
    return a->kind == b->kind && a->n == b->n && a->unit == b->unit &&
           a->lod == b->lod && a->word == b->word &&
           !memcmp(a->src, b->src, sizeof(a->src));
}

static unsigned hash_node(const FpNode *n)
{
    uint32_t h = n->kind * 31 + n->n * 7 + n->unit * 3 + n->lod + n->word;

    for (unsigned s = 0; s < NODE_SOURCES; s++) {
        h = h * 0x9e3779b1u + n->src[s];
    }
    return (h ^ h >> 15) % HASH_SIZE;
}

/* Adds a node, or returns an existing node with the same value. */
static uint16_t add_node(FpBuilder *b, const FpNode *new)
{
    unsigned h = hash_node(new);
    FpNode *n;

    if (new->kind != NV3_FP_OP_KIL) {
        for (unsigned i = b->hash[h]; i != NODE_NONE; i = b->node[i].next) {
            if (same_node(&b->node[i], new)) {
                return i;
            }
        }
    }
    if (b->count == NODE_MAX) {
        b->overflow = true;
        return 0;
    }
    n = &b->node[b->count];
    *n = *new;
    n->uniform = is_uniform(b, n);
    n->slot = NV3_FP_NO_SLOT;
    n->live = false;
    n->next = b->hash[h];
    b->hash[h] = b->count;
    return b->count++;
}

static uint16_t literal(FpBuilder *b, float value)
{
    FpNode n = { .kind = LEAF_LITERAL };

    memcpy(&n.word, &value, sizeof(value));
    return add_node(b, &n);
}

static bool is_computed(const FpBuilder *b, uint16_t x, unsigned kind)
{
    return b->node[x].kind == kind && !b->node[x].uniform;
}

/*
 * Adds an operation with one operand. Fuses common sequences of operations into a single
 * operation, so that no intermediate result is stored. An intermediate result that
 * another operation also reads is computed twice.
 */
static uint16_t op1(FpBuilder *b, unsigned kind, uint16_t x)
{
    if (kind == NV3_FP_OP_RSQ && is_computed(b, x, NV3_FP_OP_DOT)) {
        FpNode n = b->node[x];

        n.kind = NV3_FP_OP_RSQ_DOT;
        return add_node(b, &n);
    }
    if (kind == NV3_FP_OP_EX2 && is_computed(b, x, NV3_FP_OP_MUL)) {
        const uint16_t *factor = b->node[x].src;

        for (unsigned i = 0; i < 2; i++) {
            if (is_computed(b, factor[i], NV3_FP_OP_LG2)) {
                return add_node(b, &(FpNode) {
                    .kind = NV3_FP_OP_POW,
                    .src = { b->node[factor[i]].src[0], factor[!i] } });
            }
        }
    }
    return add_node(b, &(FpNode) { .kind = kind, .src = { x } });
}

static bool is_negated(const FpBuilder *b, uint16_t x)
{
    return b->node[x].kind == NV3_FP_OP_NEG;
}

static uint16_t negate(FpBuilder *b, uint16_t x)
{
    return is_negated(b, x) ? b->node[x].src[0] : op1(b, NV3_FP_OP_NEG, x);
}

static uint16_t op2(FpBuilder *b, unsigned kind, uint16_t x, uint16_t y)
{
    /*
     * An addition of a negated operand becomes a subtraction, so that no operation for
     * the negation is needed.
     */
    if (kind == NV3_FP_OP_ADD && is_negated(b, y)) {
        return op2(b, NV3_FP_OP_SUB, x, negate(b, y));
    }
    if (kind == NV3_FP_OP_ADD && is_negated(b, x)) {
        return op2(b, NV3_FP_OP_SUB, y, negate(b, x));
    }
    if (kind == NV3_FP_OP_MUL && is_negated(b, x) && is_negated(b, y)) {
        return op2(b, kind, negate(b, x), negate(b, y));
    }
    return add_node(b, &(FpNode) { .kind = kind, .src = { x, y } });
}

static uint16_t op3(FpBuilder *b, unsigned kind, uint16_t x, uint16_t y, uint16_t z)
{
    if (kind == NV3_FP_OP_MAD && is_negated(b, y)) {
        uint16_t swap = x;

        x = y;
        y = swap;
    }
    if (kind == NV3_FP_OP_MAD && is_negated(b, x)) {
        return op3(b, NV3_FP_OP_NMAD, negate(b, x), y, z);
    }
    if (kind == NV3_FP_OP_MAD && is_negated(b, z)) {
        return op3(b, NV3_FP_OP_MSUB, x, y, negate(b, z));
    }
    return add_node(b, &(FpNode) { .kind = kind, .src = { x, y, z } });
}

static uint16_t dot(FpBuilder *b, unsigned n, const uint16_t x[4], const uint16_t y[4])
{
    FpNode node = { .kind = NV3_FP_OP_DOT, .n = n };

    for (unsigned i = 0; i < n; i++) {
        node.src[i] = x[i];
        node.src[n + i] = y[i];
    }
    return add_node(b, &node);
}

/* ---- instructions ------------------------------------------------------ */

/* Applies the swizzle and the modifiers of source @s, and stores its components in @v. */
static void read_source(FpBuilder *b, const NV3FpInsn *insn, unsigned s, uint16_t v[4])
{
    const NV3FpSource *src = &insn->src[s];

    for (unsigned c = 0; c < 4; c++) {
        unsigned from = src->component[c];

        switch (src->bank) {
        case NV3_FP_BANK_TEMP:
            v[c] = b->reg[src->reg][from];
            break;
        case NV3_FP_BANK_INPUT:
            v[c] = add_node(b, &(FpNode) {
                .kind = LEAF_INPUT, .word = insn->input * 4 + from });
            break;
        case NV3_FP_BANK_CONSTANT:
            v[c] = add_node(b, &(FpNode) {
                .kind = LEAF_CONSTANT, .word = insn->constant + from });
            break;
        default:
            v[c] = literal(b, 0);
            break;
        }
        if (src->absolute) {
            v[c] = op1(b, NV3_FP_OP_ABS, v[c]);
        }
        if (src->negate) {
            v[c] = negate(b, v[c]);
        }
    }
}

/* Adds an operation of @kind for each component in @mask. */
static void by_component(FpBuilder *b, unsigned mask, unsigned kind, unsigned sources,
                         uint16_t v[3][4], uint16_t r[4])
{
    for (unsigned c = 0; c < 4; c++) {
        if (!(mask & 1u << c)) {
            continue;
        }
        r[c] = sources == 1 ? op1(b, kind, v[0][c]) :
               sources == 2 ? op2(b, kind, v[0][c], v[1][c]) :
                              op3(b, kind, v[0][c], v[1][c], v[2][c]);
    }
}

static void replicate(uint16_t r[4], uint16_t x)
{
    r[0] = r[1] = r[2] = r[3] = x;
}

static uint16_t power(FpBuilder *b, uint16_t base, uint16_t exponent)
{
    return op1(b, NV3_FP_OP_EX2,
               op2(b, NV3_FP_OP_MUL, exponent, op1(b, NV3_FP_OP_LG2, base)));
}

static void build_lit(FpBuilder *b, const uint16_t v[4], uint16_t r[4])
{
    uint16_t zero = literal(b, 0);
    uint16_t base = op2(b, NV3_FP_OP_MAX, v[1], literal(b, NV3_FP_LIT_BASE_MIN));
    uint16_t exponent = op2(b, NV3_FP_OP_MAX, v[3], literal(b, -NV3_FP_LIT_POWER_MAX));

    exponent = op2(b, NV3_FP_OP_MIN, exponent, literal(b, NV3_FP_LIT_POWER_MAX));
    r[0] = r[3] = literal(b, 1);
    r[1] = op2(b, NV3_FP_OP_MAX, v[0], zero);
    r[2] = op3(b, NV3_FP_OP_SEL_GT, v[0], power(b, base, exponent), zero);
}

static void build_lrp(FpBuilder *b, unsigned mask, uint16_t v[3][4], uint16_t r[4])
{
    uint16_t difference[4] = { 0 };

    for (unsigned c = 0; c < 4; c++) {
        if (mask & 1u << c) {
            difference[c] = op2(b, NV3_FP_OP_SUB, v[1][c], v[2][c]);
        }
    }
    for (unsigned c = 0; c < 4; c++) {
        if (mask & 1u << c) {
            r[c] = op3(b, NV3_FP_OP_MAD, v[0][c], difference[c], v[2][c]);
        }
    }
}

static void build_nrm(FpBuilder *b, const uint16_t v[4], uint16_t r[4])
{
    uint16_t scale = op1(b, NV3_FP_OP_RSQ, dot(b, 3, v, v));

    for (unsigned c = 0; c < 4; c++) {
        r[c] = op2(b, NV3_FP_OP_MUL, v[c], scale);
    }
}

static void build_texture(FpBuilder *b, const NV3FpInsn *insn, uint16_t v[3][4],
                          uint16_t r[4])
{
    const uint16_t zero = literal(b, 0);
    FpNode n = { .kind = NV3_FP_OP_TEX, .unit = insn->unit };
    uint16_t texture;

    for (unsigned s = 0; s < NODE_SOURCES; s++) {
        n.src[s] = zero;
    }
    memcpy(n.src, v[0], 3 * sizeof(n.src[0]));
    switch (insn->opcode) {
    case NV3_FP_TXP:
        for (unsigned c = 0; c < 3; c++) {
            n.src[c] = op2(b, NV3_FP_OP_DIV, v[0][c], v[0][3]);
        }
        break;
    case NV3_FP_TXB:
        n.lod = NV3_TEX_LOD_BIAS;
        n.src[3] = v[0][3];
        break;
    case NV3_FP_TXL:
        n.lod = NV3_TEX_LOD_EXPLICIT;
        n.src[3] = v[0][3];
        break;
    case NV3_FP_TXD:
        n.lod = NV3_TEX_LOD_GRADIENT;
        memcpy(n.src + 4, v[1], 3 * sizeof(n.src[0]));
        memcpy(n.src + 7, v[2], 3 * sizeof(n.src[0]));
        break;
    }
    texture = add_node(b, &n);
    for (unsigned c = 0; c < 4; c++) {
        r[c] = add_node(b, &(FpNode) {
            .kind = LEAF_TEXEL, .word = c, .src = { texture } });
        if (insn->expand) {
            r[c] = op3(b, NV3_FP_OP_MAD, r[c], literal(b, 2), literal(b, -1));
        }
    }
}

static void build_kil(FpBuilder *b, const NV3FpInsn *insn)
{
    FpNode n = { .kind = NV3_FP_OP_KIL, .n = 4, .lod = insn->test };

    if (insn->test == NV3_FP_TEST_TR) {
        /* 0 = 0 */
        n.lod = NV3_FP_TEST_EQ;
        n.n = 1;
        n.src[0] = literal(b, 0);
    } else {
        for (unsigned c = 0; c < 4; c++) {
            n.src[c] = b->condition[insn->test_component[c]];
        }
    }
    if (insn->test) {
        add_node(b, &n);
    }
}

/* Adds the nodes for the instruction's result, before scale and saturation. */
static void build_result(FpBuilder *b, const NV3FpInsn *insn, uint16_t v[3][4],
                         uint16_t r[4])
{
    static const uint8_t simple[][3] = {
        { NV3_FP_MUL, NV3_FP_OP_MUL, 2 }, { NV3_FP_ADD, NV3_FP_OP_ADD, 2 },
        { NV3_FP_MAD, NV3_FP_OP_MAD, 3 }, { NV3_FP_MIN, NV3_FP_OP_MIN, 2 },
        { NV3_FP_MAX, NV3_FP_OP_MAX, 2 }, { NV3_FP_SLT, NV3_FP_OP_SLT, 2 },
        { NV3_FP_SGE, NV3_FP_OP_SGE, 2 }, { NV3_FP_SNE, NV3_FP_OP_SNE, 2 },
        { NV3_FP_SEQ, NV3_FP_OP_SEQ, 2 }, { NV3_FP_FRC, NV3_FP_OP_FRC, 1 },
        { NV3_FP_FLR, NV3_FP_OP_FLR, 1 }, { NV3_FP_DDX, NV3_FP_OP_DDX, 1 },
        { NV3_FP_DDY, NV3_FP_OP_DDY, 1 },
    };

    for (unsigned i = 0; i < sizeof(simple) / sizeof(simple[0]); i++) {
        if (simple[i][0] == insn->opcode) {
            by_component(b, insn->mask, simple[i][1], simple[i][2], v, r);
            return;
        }
    }
    switch (insn->opcode) {
    case NV3_FP_MOV:
        memcpy(r, v[0], 4 * sizeof(r[0]));
        break;
    case NV3_FP_SGT:
        by_component(b, insn->mask, NV3_FP_OP_SLT, 2,
                     (uint16_t[3][4]) { { v[1][0], v[1][1], v[1][2], v[1][3] },
                                        { v[0][0], v[0][1], v[0][2], v[0][3] } }, r);
        break;
    case NV3_FP_SLE:
        by_component(b, insn->mask, NV3_FP_OP_SGE, 2,
                     (uint16_t[3][4]) { { v[1][0], v[1][1], v[1][2], v[1][3] },
                                        { v[0][0], v[0][1], v[0][2], v[0][3] } }, r);
        break;
    case NV3_FP_DP2:
        replicate(r, dot(b, 2, v[0], v[1]));
        break;
    case NV3_FP_DP3:
        replicate(r, dot(b, 3, v[0], v[1]));
        break;
    case NV3_FP_DP4:
        replicate(r, dot(b, 4, v[0], v[1]));
        break;
    case NV3_FP_DP2A:
        replicate(r, op2(b, NV3_FP_OP_ADD, dot(b, 2, v[0], v[1]), v[2][0]));
        break;
    case NV3_FP_DST:
        r[0] = literal(b, 1);
        r[1] = op2(b, NV3_FP_OP_MUL, v[0][1], v[1][1]);
        r[2] = v[0][2];
        r[3] = v[1][3];
        break;
    case NV3_FP_RCP:
        replicate(r, op1(b, NV3_FP_OP_RCP, v[0][0]));
        break;
    case NV3_FP_RSQ:
        replicate(r, op1(b, NV3_FP_OP_RSQ, v[0][0]));
        break;
    case NV3_FP_EX2:
        replicate(r, op1(b, NV3_FP_OP_EX2, v[0][0]));
        break;
    case NV3_FP_LG2:
        replicate(r, op1(b, NV3_FP_OP_LG2, v[0][0]));
        break;
    case NV3_FP_SIN:
        replicate(r, op1(b, NV3_FP_OP_SIN, v[0][0]));
        break;
    case NV3_FP_COS:
        replicate(r, op1(b, NV3_FP_OP_COS, v[0][0]));
        break;
    case NV3_FP_POW:
        replicate(r, power(b, v[0][0], v[1][0]));
        break;
    case NV3_FP_DIV:
    case NV3_FP_DIVRSQ:
        for (unsigned c = 0; c < 4; c++) {
            if (insn->mask & 1u << c) {
                r[c] = insn->opcode == NV3_FP_DIV ?
                       op2(b, NV3_FP_OP_DIV, v[0][c], v[1][0]) :
                       op2(b, NV3_FP_OP_MUL, v[0][c],
                           op1(b, NV3_FP_OP_RSQ, v[1][0]));
            }
        }
        break;
    case NV3_FP_LIT:
        build_lit(b, v[0], r);
        break;
    case NV3_FP_LRP:
        build_lrp(b, insn->mask, v, r);
        break;
    case NV3_FP_NRM:
        build_nrm(b, v[0], r);
        break;
    case NV3_FP_STR:
        replicate(r, literal(b, 1));
        break;
    case NV3_FP_SFL:
        replicate(r, literal(b, 0));
        break;
    default:
        build_texture(b, insn, v, r);
        break;
    }
}

/*
 * Returns a value that is @new for pixels that pass the condition test, and @old for
 * others.
 */
static uint16_t select_value(FpBuilder *b, unsigned test, uint16_t condition,
                             uint16_t new, uint16_t old)
{
    static const uint8_t kind[8] = {
        [1] = NV3_FP_OP_SEL_LT, [2] = NV3_FP_OP_SEL_EQ, [3] = NV3_FP_OP_SEL_LE,
        [4] = NV3_FP_OP_SEL_GT, [5] = NV3_FP_OP_SEL_NE, [6] = NV3_FP_OP_SEL_GE,
    };

    if (test == NV3_FP_TEST_TR || new == old) {
        return new;
    }
    return test ? op3(b, kind[test], condition, new, old) : old;
}

static void build_insn(FpBuilder *b, const NV3FpInsn *insn)
{
    uint16_t v[3][4], r[4] = { 0 }, tested[4];

    if (insn->opcode == NV3_FP_NOP) {
        return;
    }
    if (insn->opcode == NV3_FP_KIL) {
        build_kil(b, insn);
        return;
    }
    if (!insn->mask || (insn->no_result && !insn->set_condition)) {
        return;
    }
    for (unsigned s = 0; s < insn->sources; s++) {
        read_source(b, insn, s, v[s]);
    }
    build_result(b, insn, v, r);
    for (unsigned c = 0; c < 4; c++) {
        if ((insn->mask & 1u << c) && insn->scale != 1) {
            r[c] = op2(b, NV3_FP_OP_MUL, r[c], literal(b, insn->scale));
        }
    }
    for (unsigned c = 0; c < 4; c++) {
        if ((insn->mask & 1u << c) && insn->saturate) {
            r[c] = op1(b, NV3_FP_OP_SAT, r[c]);
        }
    }
    for (unsigned c = 0; c < 4; c++) {
        tested[c] = b->condition[insn->test_component[c]];
    }
    for (unsigned c = 0; c < 4; c++) {
        if (!(insn->mask & 1u << c)) {
            continue;
        }
        if (!insn->no_result) {
            b->reg[insn->reg][c] = select_value(b, insn->test, tested[c], r[c],
                                                b->reg[insn->reg][c]);
        }
        if (insn->set_condition) {
            b->condition[c] = select_value(b, insn->test, tested[c], r[c],
                                           b->condition[c]);
        }
    }
}

/* ---- programs ---------------------------------------------------------- */

static void builder_init(FpBuilder *b)
{
    uint16_t zero;

    memset(b->hash, 0xff, sizeof(b->hash));
    zero = literal(b, 0);
    for (unsigned r = 0; r < NV3_FP_REGISTERS; r++) {
        replicate(b->reg[r], zero);
    }
    replicate(b->condition, zero);
}

static bool translate(NV3FpCode *code, const NV3FpInsn *insns, unsigned count,
                      uint32_t control, NV3FpError *error)
{
    FpBuilder *b = calloc(1, sizeof(*b));
    uint16_t result[5];
    bool ok = false;

    if (b) {
        b->node = malloc(NODE_MAX * sizeof(*b->node));
    }
    if (b && b->node) {
        builder_init(b);
        for (unsigned i = 0; i < count; i++) {
            build_insn(b, &insns[i]);
        }
        if (b->overflow) {
            *error = NV3_FP_TOO_LONG;
        } else {
            memcpy(result, b->reg[NV3_FP_COLOR_TEMP], 4 * sizeof(result[0]));
            if (control & NV3_FP_CONTROL_NO_ALPHA) {
                result[3] = result[0];
            }
            result[4] = (control & NV3_FP_CONTROL_DEPTH) == NV3_FP_CONTROL_DEPTH ?
                        b->reg[NV3_FP_DEPTH_TEMP][2] : NODE_NONE;
            ok = nv3_fp_emit(b, code, result);
        }
        free(b->node);
    }
    free(b);
    return ok;
}

static void set_constants(NV3FpCode *code, const uint32_t *words)
{
    for (unsigned i = 0; i < code->constant_count; i++) {
        const NV3FpCodeConstant *c = &code->constant[i];

        code->constant_value[i] = c->literal ? c->word : words[c->word];
    }
}

NV3FpCode *nv3_fp_code_new(const uint32_t *words, unsigned max, uint32_t control,
                           NV3FpError *error, unsigned *position)
{
    NV3FpInsn *insns = malloc(NV3_FP_INSNS * sizeof(*insns));
    NV3FpCode *code = calloc(1, sizeof(*code));
    unsigned count;

    *error = NV3_FP_OK;
    *position = 0;
    if (!insns || !code) {
        free(insns);
        free(code);
        return NULL;
    }
    *error = nv3_fp_decode_program(insns, &count, words, max, position);
    if (*error != NV3_FP_OK || !translate(code, insns, count, control, error)) {
        nv3_fp_code_free(code);
        code = NULL;
    } else {
        set_constants(code, words);
    }
    free(insns);
    return code;
}

void nv3_fp_code_free(NV3FpCode *code)
{
    if (code) {
        free(code->op);
        free(code->constant);
        free(code->constant_value);
        free(code->segment);
        nv3_exec_free(code->native, code->native_size);
        free(code);
    }
}

unsigned nv3_fp_code_inputs(const NV3FpCode *code, NV3FpInput input)
{
    return code->input_mask[input];
}

unsigned nv3_fp_code_units(const NV3FpCode *code)
{
    return code->units;
}
