/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Translates fragment programs for the fast executor (fp_code.h).
 *
 * The builder makes a graph of values: a value is an operation on earlier values, so
 * their order is an order of execution. The emitter then drops values that no result
 * depends on, joins neighbours with the same operation, and assigns slots.
 */
#include <stdlib.h>
#include <string.h>

#include "fp/fp_code.h"

/* Values of a program; fits 16 bits with their slots */
#define NODE_MAX        30000
#define HASH_SIZE       4096
#define NODE_NONE       0xffff
#define NODE_SOURCES    10          /* texture operations have most */

/* Leaves of the graph, besides the executor's operations. */
enum {
    LEAF_CONSTANT = NV3_FP_OP_KINDS,
    LEAF_LITERAL,
    LEAF_INPUT,
    LEAF_TEXEL,         /* a component of a texture operation, its only source */
};

typedef struct Node {
    uint8_t kind;
    uint8_t n;          /* of DOT and KIL: operands */
    uint8_t unit, lod;  /* of TEX; @lod is also KIL's test */
    bool uniform;       /* the same for all pixels */
    bool live;
    uint32_t word;      /* literal, place of a constant, input, or texel component */
    uint16_t src[NODE_SOURCES];
    uint16_t next;      /* with the same hash */
    uint16_t slot;
    unsigned last_use;  /* number of the operation that reads it last */
    unsigned op;        /* of TEX: number of the operation */
} Node;

typedef struct Builder {
    Node *node;
    unsigned count;
    bool overflow;
    uint16_t hash[HASH_SIZE];
    uint16_t reg[NV3_FP_REGISTERS][4];
    uint16_t condition[4];
} Builder;

/* ---- values ------------------------------------------------------------ */

static unsigned source_count(const Node *n)
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

static bool is_uniform(const Builder *b, const Node *n)
{
    if (n->kind == LEAF_CONSTANT || n->kind == LEAF_LITERAL) {
        return true;
    }
    if (n->kind == LEAF_INPUT || n->kind == NV3_FP_OP_TEX ||
        n->kind == LEAF_TEXEL || n->kind == NV3_FP_OP_KIL) {
        return false;
    }
    for (unsigned s = 0; s < source_count(n); s++) {
        if (!b->node[n->src[s]].uniform) {
            return false;
        }
    }
    return true;
}

static bool same_node(const Node *a, const Node *b)
{
    return a->kind == b->kind && a->n == b->n && a->unit == b->unit &&
           a->lod == b->lod && a->word == b->word &&
           !memcmp(a->src, b->src, sizeof(a->src));
}

static unsigned hash_node(const Node *n)
{
    uint32_t h = n->kind * 31 + n->n * 7 + n->unit * 3 + n->lod + n->word;

    for (unsigned s = 0; s < NODE_SOURCES; s++) {
        h = h * 0x9e3779b1u + n->src[s];
    }
    return (h ^ h >> 15) % HASH_SIZE;
}

/* A value that is computed already is not computed again. */
static uint16_t add_node(Builder *b, const Node *new)
{
    unsigned h = hash_node(new);
    Node *n;

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

static uint16_t literal(Builder *b, float value)
{
    Node n = { .kind = LEAF_LITERAL };

    memcpy(&n.word, &value, sizeof(value));
    return add_node(b, &n);
}

static bool is_computed(const Builder *b, uint16_t x, unsigned kind)
{
    return b->node[x].kind == kind && !b->node[x].uniform;
}

/*
 * Chains that are common and long become one operation, which saves the way through
 * memory. A part that something else reads as well is computed twice.
 */
static uint16_t op1(Builder *b, unsigned kind, uint16_t x)
{
    if (kind == NV3_FP_OP_RSQ && is_computed(b, x, NV3_FP_OP_DOT)) {
        Node n = b->node[x];

        n.kind = NV3_FP_OP_RSQ_DOT;
        return add_node(b, &n);
    }
    if (kind == NV3_FP_OP_EX2 && is_computed(b, x, NV3_FP_OP_MUL)) {
        const uint16_t *factor = b->node[x].src;

        for (unsigned i = 0; i < 2; i++) {
            if (is_computed(b, factor[i], NV3_FP_OP_LG2)) {
                return add_node(b, &(Node) {
                    .kind = NV3_FP_OP_POW,
                    .src = { b->node[factor[i]].src[0], factor[!i] } });
            }
        }
    }
    return add_node(b, &(Node) { .kind = kind, .src = { x } });
}

static bool is_negated(const Builder *b, uint16_t x)
{
    return b->node[x].kind == NV3_FP_OP_NEG;
}

static uint16_t negate(Builder *b, uint16_t x)
{
    return is_negated(b, x) ? b->node[x].src[0] : op1(b, NV3_FP_OP_NEG, x);
}

static uint16_t op2(Builder *b, unsigned kind, uint16_t x, uint16_t y)
{
    /* Constants cost nothing to negate; other values do. */
    if (kind == NV3_FP_OP_ADD && is_negated(b, y)) {
        return op2(b, NV3_FP_OP_SUB, x, negate(b, y));
    }
    if (kind == NV3_FP_OP_ADD && is_negated(b, x)) {
        return op2(b, NV3_FP_OP_SUB, y, negate(b, x));
    }
    if (kind == NV3_FP_OP_MUL && is_negated(b, x) && is_negated(b, y)) {
        return op2(b, kind, negate(b, x), negate(b, y));
    }
    return add_node(b, &(Node) { .kind = kind, .src = { x, y } });
}

static uint16_t op3(Builder *b, unsigned kind, uint16_t x, uint16_t y, uint16_t z)
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
    return add_node(b, &(Node) { .kind = kind, .src = { x, y, z } });
}

static uint16_t dot(Builder *b, unsigned n, const uint16_t x[4], const uint16_t y[4])
{
    Node node = { .kind = NV3_FP_OP_DOT, .n = n };

    for (unsigned i = 0; i < n; i++) {
        node.src[i] = x[i];
        node.src[n + i] = y[i];
    }
    return add_node(b, &node);
}

/* ---- instructions ------------------------------------------------------ */

/* Components of a source after swizzle and modifiers. */
static void read_source(Builder *b, const NV3FpInsn *insn, unsigned s, uint16_t v[4])
{
    const NV3FpSource *src = &insn->src[s];

    for (unsigned c = 0; c < 4; c++) {
        unsigned from = src->component[c];

        switch (src->bank) {
        case NV3_FP_BANK_TEMP:
            v[c] = b->reg[src->reg][from];
            break;
        case NV3_FP_BANK_INPUT:
            v[c] = add_node(b, &(Node) {
                .kind = LEAF_INPUT, .word = insn->input * 4 + from });
            break;
        case NV3_FP_BANK_CONSTANT:
            v[c] = add_node(b, &(Node) {
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

/* The same operation on each component that the instruction writes. */
static void by_component(Builder *b, unsigned mask, unsigned kind, unsigned sources,
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

static uint16_t power(Builder *b, uint16_t base, uint16_t exponent)
{
    return op1(b, NV3_FP_OP_EX2,
               op2(b, NV3_FP_OP_MUL, exponent, op1(b, NV3_FP_OP_LG2, base)));
}

static void build_lit(Builder *b, const uint16_t v[4], uint16_t r[4])
{
    uint16_t zero = literal(b, 0);
    uint16_t base = op2(b, NV3_FP_OP_MAX, v[1], literal(b, NV3_FP_LIT_BASE_MIN));
    uint16_t exponent = op2(b, NV3_FP_OP_MAX, v[3], literal(b, -NV3_FP_LIT_POWER_MAX));

    exponent = op2(b, NV3_FP_OP_MIN, exponent, literal(b, NV3_FP_LIT_POWER_MAX));
    r[0] = r[3] = literal(b, 1);
    r[1] = op2(b, NV3_FP_OP_MAX, v[0], zero);
    r[2] = op3(b, NV3_FP_OP_SEL_GT, v[0], power(b, base, exponent), zero);
}

static void build_lrp(Builder *b, unsigned mask, uint16_t v[3][4], uint16_t r[4])
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

static void build_nrm(Builder *b, const uint16_t v[4], uint16_t r[4])
{
    uint16_t scale = op1(b, NV3_FP_OP_RSQ, dot(b, 3, v, v));

    for (unsigned c = 0; c < 4; c++) {
        r[c] = op2(b, NV3_FP_OP_MUL, v[c], scale);
    }
}

static void build_texture(Builder *b, const NV3FpInsn *insn, uint16_t v[3][4],
                          uint16_t r[4])
{
    const uint16_t zero = literal(b, 0);
    Node n = { .kind = NV3_FP_OP_TEX, .unit = insn->unit };
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
        r[c] = add_node(b, &(Node) {
            .kind = LEAF_TEXEL, .word = c, .src = { texture } });
        if (insn->expand) {
            r[c] = op3(b, NV3_FP_OP_MAD, r[c], literal(b, 2), literal(b, -1));
        }
    }
}

static void build_kil(Builder *b, const NV3FpInsn *insn)
{
    Node n = { .kind = NV3_FP_OP_KIL, .n = 4, .lod = insn->test };

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

/* What the instruction computes, before scale and saturation. */
static void build_result(Builder *b, const NV3FpInsn *insn, uint16_t v[3][4],
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

/* @new where the condition test holds, else @old. */
static uint16_t select_value(Builder *b, unsigned test, uint16_t condition, uint16_t new,
                             uint16_t old)
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

static void build_insn(Builder *b, const NV3FpInsn *insn)
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

/* ---- operations -------------------------------------------------------- */

typedef struct Emitter {
    Builder *b;
    NV3FpCode *code;
    unsigned ops;
    uint16_t *free_slot;
    unsigned free_count;
    unsigned slots;
} Emitter;

static void mark_live(Builder *b, const uint16_t result[5])
{
    for (unsigned i = 0; i < 5; i++) {
        if (result[i] != NODE_NONE) {
            b->node[result[i]].live = true;
        }
    }
    for (unsigned i = b->count; i-- > 0; ) {
        Node *n = &b->node[i];

        n->live |= n->kind == NV3_FP_OP_KIL;
        for (unsigned s = 0; n->live && s < source_count(n); s++) {
            b->node[n->src[s]].live = true;
        }
    }
}

static bool is_leaf(const Node *n)
{
    return n->kind >= NV3_FP_OP_KINDS;
}

/*
 * Roughly how long after an operation begins its results can be used, in cycles: of the
 * AVX-512 executor, for the order of operations.
 */
static unsigned latency(const Node *n)
{
    switch (n->kind) {
    case NV3_FP_OP_DIV:
    case NV3_FP_OP_RCP:
        return 16;
    case NV3_FP_OP_RSQ:
        return 32;
    case NV3_FP_OP_EX2:
    case NV3_FP_OP_LG2:
    case NV3_FP_OP_SIN:
    case NV3_FP_OP_COS:
        return 60;
    case NV3_FP_OP_DOT:
        return 12;
    case NV3_FP_OP_RSQ_DOT:
        return 40;
    case NV3_FP_OP_POW:
        return 110;
    case LEAF_TEXEL:
    case LEAF_INPUT:
        return 0;
    default:
        return 8;
    }
}

/* Starts the operation of @n, which is value @i. */
static void start_op(Emitter *e, Node *n, uint16_t i)
{
    NV3FpOp *op = &e->code->op[e->ops++];

    memset(op, 0, sizeof(*op));
    op->kind = n->kind;
    op->unit = n->unit;
    op->lod = n->lod;
    op->n = 1;
    op->dst[0] = i;
    if (n->kind == NV3_FP_OP_DOT || n->kind == NV3_FP_OP_RSQ_DOT) {
        op->n = n->n;
        memcpy(op->src[0], n->src, n->n * sizeof(n->src[0]));
        memcpy(op->src[1], n->src + n->n, n->n * sizeof(n->src[0]));
    } else if (n->kind == NV3_FP_OP_KIL) {
        op->n = n->n;
        memcpy(op->src[0], n->src, n->n * sizeof(n->src[0]));
        e->code->kills = true;
    } else if (n->kind == NV3_FP_OP_TEX) {
        memcpy(op->src[0], n->src, 4 * sizeof(n->src[0]));
        memcpy(op->src[1], n->src + 4, 3 * sizeof(n->src[0]));
        memcpy(op->src[2], n->src + 7, 3 * sizeof(n->src[0]));
        memset(op->dst, 0xff, sizeof(op->dst));
        e->code->units |= 1u << n->unit;
        n->op = e->ops - 1;
    } else {
        for (unsigned s = 0; s < source_count(n); s++) {
            op->src[s][0] = n->src[s];
        }
    }
}

/* Adds value @i, of the same operation, to the operation that was started last. */
static void join_op(Emitter *e, const Node *n, uint16_t i)
{
    NV3FpOp *op = &e->code->op[e->ops - 1];

    for (unsigned s = 0; s < source_count(n); s++) {
        op->src[s][op->n] = n->src[s];
    }
    op->dst[op->n++] = i;
}

/* Values that wait for others, and values that could be computed next. */
typedef struct Scheduler {
    unsigned *height;       /* by value: the longest way to a result, in cycles */
    unsigned *first_user;   /* by value, and one more: its first place in @user */
    uint16_t *user;         /* values that have a value as a source */
    uint16_t *waiting;      /* by value: its sources that are not computed yet */
    uint16_t *ready;
    unsigned ready_count;
} Scheduler;

static bool is_scheduled(const Node *n, bool uniform)
{
    return n->live && n->uniform == uniform;
}

static bool scheduler_init(Scheduler *s, const Builder *b, bool uniform)
{
    size_t edges = 0, at = 0;

    for (unsigned i = 0; i < b->count; i++) {
        edges += source_count(&b->node[i]);
    }
    s->height = calloc(b->count, sizeof(*s->height));
    s->first_user = calloc(b->count + 2, sizeof(*s->first_user));
    s->user = calloc(edges + 1, sizeof(*s->user));
    s->waiting = calloc(b->count, sizeof(*s->waiting));
    s->ready = calloc(b->count, sizeof(*s->ready));
    s->ready_count = 0;
    if (!s->height || !s->first_user || !s->user || !s->waiting || !s->ready) {
        return false;
    }
    for (unsigned i = b->count; i-- > 0; ) {
        const Node *n = &b->node[i];

        if (is_scheduled(n, uniform)) {
            s->height[i] += latency(n);
            for (unsigned k = 0; k < source_count(n); k++) {
                if (s->height[n->src[k]] < s->height[i]) {
                    s->height[n->src[k]] = s->height[i];
                }
                s->first_user[n->src[k]]++;
            }
        }
    }
    for (unsigned i = 0; i < b->count; i++) {
        unsigned users = s->first_user[i];

        s->first_user[i] = at;
        at += users;
    }
    s->first_user[b->count] = at;
    /* Each list's next free place is found by counting in @waiting of the source. */
    for (unsigned i = 0; i < b->count; i++) {
        const Node *n = &b->node[i];

        for (unsigned k = 0; is_scheduled(n, uniform) && k < source_count(n); k++) {
            uint16_t from = n->src[k];

            s->user[s->first_user[from] + s->waiting[from]++] = i;
        }
    }
    memset(s->waiting, 0, b->count * sizeof(*s->waiting));
    for (unsigned i = 0; i < b->count; i++) {
        const Node *n = &b->node[i];

        for (unsigned k = 0; is_scheduled(n, uniform) && k < source_count(n); k++) {
            s->waiting[i] += is_scheduled(&b->node[n->src[k]], uniform);
        }
    }
    return true;
}

static void scheduler_free(Scheduler *s)
{
    free(s->height);
    free(s->first_user);
    free(s->user);
    free(s->waiting);
    free(s->ready);
}

static void make_ready(Scheduler *s, const Builder *b, uint16_t i);

/* Value @i is computed: what waits for nothing else is ready. */
static void complete(Scheduler *s, const Builder *b, uint16_t i)
{
    for (unsigned u = s->first_user[i]; u < s->first_user[i + 1]; u++) {
        if (--s->waiting[s->user[u]] == 0) {
            make_ready(s, b, s->user[u]);
        }
    }
}

static void make_ready(Scheduler *s, const Builder *b, uint16_t i)
{
    if (is_leaf(&b->node[i])) {
        complete(s, b, i);
    } else {
        s->ready[s->ready_count++] = i;
    }
}

/*
 * Takes the ready value with the longest way to a result: any, or, unless @first is
 * NODE_NONE, one of the same operation. NODE_NONE: there is none.
 */
static uint16_t take_ready(Scheduler *s, const Builder *b, uint16_t first)
{
    unsigned best = s->ready_count;
    uint16_t value;

    for (unsigned r = 0; r < s->ready_count; r++) {
        if ((first == NODE_NONE || b->node[s->ready[r]].kind == b->node[first].kind) &&
            (best == s->ready_count ||
             s->height[s->ready[r]] > s->height[s->ready[best]] ||
             (s->height[s->ready[r]] == s->height[s->ready[best]] &&
              s->ready[r] < s->ready[best]))) {
            best = r;
        }
    }
    if (best == s->ready_count) {
        return NODE_NONE;
    }
    value = s->ready[best];
    s->ready[best] = s->ready[--s->ready_count];
    return value;
}

/*
 * Lists operations, those with the longest way to a result first, so that the CPU finds
 * independent ones next to each other. An operation takes up to four ready values. Their
 * numbers are in dst and src until slots replace them. @uniform: values that are the same
 * for all pixels, or those that are not.
 */
static bool list_ops(Emitter *e, bool uniform)
{
    Builder *b = e->b;
    Scheduler s;
    bool ok = scheduler_init(&s, b, uniform);

    for (unsigned i = 0; ok && i < b->count; i++) {
        if (is_scheduled(&b->node[i], uniform) && !s.waiting[i] &&
            !is_leaf(&b->node[i])) {
            s.ready[s.ready_count++] = i;
        }
    }
    for (unsigned i = 0; ok && i < b->count; i++) {
        if (is_scheduled(&b->node[i], uniform) && is_leaf(&b->node[i]) &&
            source_count(&b->node[i]) == 0) {
            complete(&s, b, i);
        }
    }
    while (ok && s.ready_count) {
        uint16_t member[4] = { take_ready(&s, b, NODE_NONE) };
        unsigned members = 1;

        start_op(e, &b->node[member[0]], member[0]);
        while (b->node[member[0]].kind < NV3_FP_OP_DOT && members < 4 &&
               (member[members] = take_ready(&s, b, member[0])) != NODE_NONE) {
            join_op(e, &b->node[member[members]], member[members]);
            members++;
        }
        for (unsigned m = 0; m < members; m++) {
            complete(&s, b, member[m]);
        }
    }
    scheduler_free(&s);
    return ok;
}

/* Gives texture operations their results' values. */
static void list_texels(Emitter *e)
{
    Builder *b = e->b;

    for (unsigned i = 0; i < b->count; i++) {
        const Node *n = &b->node[i];

        if (n->live && n->kind == LEAF_TEXEL) {
            e->code->op[b->node[n->src[0]].op].dst[n->word] = i;
        }
    }
}

static unsigned op_sources(const NV3FpOp *op, unsigned operand)
{
    const Node n = { .kind = op->kind, .n = op->n };

    switch (op->kind) {
    case NV3_FP_OP_TEX:
        return operand == 0 ? 4 : op->lod == NV3_TEX_LOD_GRADIENT ? 3 : 0;
    case NV3_FP_OP_KIL:
        return operand == 0 ? op->n : 0;
    case NV3_FP_OP_DOT:
    case NV3_FP_OP_RSQ_DOT:
        return operand < 2 ? op->n : 0;
    default:
        return operand < source_count(&n) ? op->n : 0;
    }
}

static unsigned op_results(const NV3FpOp *op)
{
    return op->kind == NV3_FP_OP_TEX ? 4 : op->kind == NV3_FP_OP_KIL ? 0 :
           op->kind == NV3_FP_OP_DOT || op->kind == NV3_FP_OP_RSQ_DOT ? 1 : op->n;
}

static uint16_t take_slot(Emitter *e)
{
    return e->free_count ? e->free_slot[--e->free_count] : e->slots++;
}

static void assign_slots(Emitter *e, const uint16_t result[5])
{
    NV3FpCode *code = e->code;
    Builder *b = e->b;

    for (unsigned i = 0; i < b->count; i++) {
        b->node[i].last_use = 0;
    }
    for (unsigned o = 0; o < e->ops; o++) {
        const NV3FpOp *op = &code->op[o];

        for (unsigned s = 0; s < 3; s++) {
            for (unsigned c = 0; c < op_sources(op, s); c++) {
                b->node[op->src[s][c]].last_use = o;
            }
        }
    }
    for (unsigned i = 0; i < 5; i++) {
        if (result[i] != NODE_NONE) {
            b->node[result[i]].last_use = UINT32_MAX;
        }
    }
    /* What the operations of a draw and of a block start from keeps its slot. */
    for (unsigned i = 0; i < b->count; i++) {
        Node *n = &b->node[i];

        if (!n->live) {
            continue;
        }
        if (n->kind == LEAF_INPUT) {
            unsigned input = n->word / 4, component = n->word % 4;

            n->slot = e->slots++;
            code->input[code->input_count++] =
                (NV3FpCodeInput) { input, component, n->slot };
            code->input_mask[input] |= 1u << component;
            if (input != NV3_FP_POSITION && input != NV3_FP_FACING) {
                code->varyings |= 1u << input;
            }
        } else if (n->uniform) {
            n->slot = e->slots++;
            n->last_use = UINT32_MAX;
            if (n->kind == LEAF_CONSTANT || n->kind == LEAF_LITERAL) {
                code->constant[code->constant_count++] = (NV3FpCodeConstant) {
                    n->slot, n->kind == LEAF_LITERAL, n->word };
            }
        }
    }
    for (unsigned o = 0; o < e->ops; o++) {
        NV3FpOp *op = &code->op[o];

        for (unsigned c = 0; c < op_results(op); c++) {
            Node *n = &b->node[op->dst[c]];

            if (op->dst[c] == NODE_NONE) {
                continue;
            }
            if (n->slot == NV3_FP_NO_SLOT) {
                n->slot = take_slot(e);
            }
            op->dst[c] = n->slot;
        }
        for (unsigned s = 0; s < 3; s++) {
            for (unsigned c = 0; c < op_sources(op, s); c++) {
                Node *n = &b->node[op->src[s][c]];

                op->src[s][c] = n->slot;
                if (n->last_use == o && !n->uniform) {
                    e->free_slot[e->free_count++] = n->slot;
                    n->last_use = UINT32_MAX;
                }
            }
        }
    }
}

static bool emit(Builder *b, NV3FpCode *code, const uint16_t result[5])
{
    Emitter e = { .b = b, .code = code };

    code->op = calloc(b->count + 1, sizeof(*code->op));
    code->constant = calloc(b->count + 1, sizeof(*code->constant));
    code->constant_value = calloc(b->count + 1, sizeof(*code->constant_value));
    e.free_slot = calloc(b->count + 1, sizeof(*e.free_slot));
    if (!code->op || !code->constant || !code->constant_value || !e.free_slot) {
        free(e.free_slot);
        return false;
    }
    mark_live(b, result);
    if (!list_ops(&e, true)) {
        free(e.free_slot);
        return false;
    }
    code->uniform_count = e.ops;
    if (!list_ops(&e, false)) {
        free(e.free_slot);
        return false;
    }
    code->count = e.ops - code->uniform_count;
    list_texels(&e);
    assign_slots(&e, result);
    code->slots = e.slots;
    for (unsigned c = 0; c < 4; c++) {
        code->color[c] = b->node[result[c]].slot;
    }
    code->depth = result[4] == NODE_NONE ? NV3_FP_NO_SLOT : b->node[result[4]].slot;
    free(e.free_slot);
    return true;
}

/* ---- programs ---------------------------------------------------------- */

static void builder_init(Builder *b)
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
    Builder *b = calloc(1, sizeof(*b));
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
            result[4] = (control & NV3_FP_CONTROL_DEPTH) == NV3_FP_CONTROL_DEPTH ?
                        b->reg[NV3_FP_DEPTH_TEMP][2] : NODE_NONE;
            ok = emit(b, code, result);
        }
        free(b->node);
    }
    free(b);
    return ok;
}

void nv3_fp_code_set_constants(NV3FpCode *code, const uint32_t *words)
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
        nv3_fp_code_set_constants(code, words);
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
