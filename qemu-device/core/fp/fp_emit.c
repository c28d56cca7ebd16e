/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Converts a graph of values to a list of operations for the fast executor. */
#include <stdlib.h>
#include <string.h>

#include "fp/fp_graph.h"

typedef struct Emitter {
    FpBuilder *b;
    NV3FpCode *code;
    unsigned ops;
    uint16_t *free_slot;
    unsigned free_count;
    unsigned slots;
    const uint16_t *result; /* the program's results */
} Emitter;

static void mark_live(FpBuilder *b, const uint16_t result[5])
{
    for (unsigned i = 0; i < 5; i++) {
        if (result[i] != NODE_NONE) {
            b->node[result[i]].live = true;
        }
    }
    for (unsigned i = b->count; i-- > 0; ) {
        FpNode *n = &b->node[i];

        n->live |= n->kind == NV3_FP_OP_KIL;
        for (unsigned s = 0; n->live && s < nv3_fp_source_count(n); s++) {
            b->node[n->src[s]].live = true;
        }
    }
}

static bool is_leaf(const FpNode *n)
{
    return n->kind >= NV3_FP_OP_KINDS;
}

/*
 * Returns the approximate latency of an operation, in cycles of the AVX-512 executor.
 * The scheduler computes the longest path to a result from these latencies.
 */
static unsigned latency(const FpNode *n)
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

/* Appends an operation that computes value @i, which is node @n. */
static void start_op(Emitter *e, FpNode *n, uint16_t i)
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
        for (unsigned s = 0; s < nv3_fp_source_count(n); s++) {
            op->src[s][0] = n->src[s];
        }
    }
}

/* Adds value @i to the last operation. Node @n must have the kind of this operation. */
static void join_op(Emitter *e, const FpNode *n, uint16_t i)
{
    NV3FpOp *op = &e->code->op[e->ops - 1];

    for (unsigned s = 0; s < nv3_fp_source_count(n); s++) {
        op->src[s][op->n] = n->src[s];
    }
    op->dst[op->n++] = i;
}

/*
 * The scheduler orders values so that each value follows the values that it reads.
 */
typedef struct Scheduler {
    unsigned *height;       /* of each value: longest path to a result, in cycles */
    unsigned *first_user;   /* first_user[i]: index in @user of value i's first user */
    uint16_t *user;         /* for each value, the values that read it */
    uint16_t *waiting;      /* of each value: number of sources not yet computed */
    uint16_t *ready;
    unsigned ready_count;
    bool divider_busy;      /* the last operation divides */
} Scheduler;

static bool is_scheduled(const FpNode *n, bool uniform)
{
    return n->live && n->uniform == uniform;
}

static bool scheduler_init(Scheduler *s, const FpBuilder *b, bool uniform)
{
    size_t edges = 0, at = 0;

    for (unsigned i = 0; i < b->count; i++) {
        edges += nv3_fp_source_count(&b->node[i]);
    }
    s->height = calloc(b->count, sizeof(*s->height));
    s->first_user = calloc(b->count + 2, sizeof(*s->first_user));
    s->user = calloc(edges + 1, sizeof(*s->user));
    s->waiting = calloc(b->count, sizeof(*s->waiting));
    s->ready = calloc(b->count, sizeof(*s->ready));
    s->ready_count = 0;
    s->divider_busy = false;
    if (!s->height || !s->first_user || !s->user || !s->waiting || !s->ready) {
        return false;
    }
    for (unsigned i = b->count; i-- > 0; ) {
        const FpNode *n = &b->node[i];

        if (is_scheduled(n, uniform)) {
            s->height[i] += latency(n);
            for (unsigned k = 0; k < nv3_fp_source_count(n); k++) {
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
    /*
     * In this loop, @waiting[i] counts the users of value i that have been added to
     * @user.
     */
    for (unsigned i = 0; i < b->count; i++) {
        const FpNode *n = &b->node[i];

        for (unsigned k = 0; is_scheduled(n, uniform) && k < nv3_fp_source_count(n);
             k++) {
            uint16_t from = n->src[k];

            s->user[s->first_user[from] + s->waiting[from]++] = i;
        }
    }
    memset(s->waiting, 0, b->count * sizeof(*s->waiting));
    for (unsigned i = 0; i < b->count; i++) {
        const FpNode *n = &b->node[i];

        for (unsigned k = 0; is_scheduled(n, uniform) && k < nv3_fp_source_count(n);
             k++) {
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

static void make_ready(Scheduler *s, const FpBuilder *b, uint16_t i);

/*
 * Marks value @i as computed. A value whose last missing source was @i becomes ready.
 */
static void complete(Scheduler *s, const FpBuilder *b, uint16_t i)
{
    for (unsigned u = s->first_user[i]; u < s->first_user[i + 1]; u++) {
        if (--s->waiting[s->user[u]] == 0) {
            make_ready(s, b, s->user[u]);
        }
    }
}

static void make_ready(Scheduler *s, const FpBuilder *b, uint16_t i)
{
    if (is_leaf(&b->node[i])) {
        complete(s, b, i);
    } else {
        s->ready[s->ready_count++] = i;
    }
}

/* Returns true if the operation occupies the CPU's divider. */
static bool divides(const FpNode *n)
{
    return n->kind == NV3_FP_OP_DIV || n->kind == NV3_FP_OP_RCP ||
           n->kind == NV3_FP_OP_RSQ || n->kind == NV3_FP_OP_RSQ_DOT;
}

/* Returns true if value @i should be computed before value @k. */
static bool precedes(const Scheduler *s, const FpBuilder *b, uint16_t i, uint16_t k)
{
    if (s->divider_busy && divides(&b->node[i]) != divides(&b->node[k])) {
        return divides(&b->node[k]);
    }
    return s->height[i] > s->height[k] || (s->height[i] == s->height[k] && i < k);
}

/*
 * Removes the ready value that should be computed next, and returns it. If @first is not
 * NODE_NONE, considers only values with the same operation as @first. Returns NODE_NONE
 * if there is no such value.
 */
static uint16_t take_ready(Scheduler *s, const FpBuilder *b, uint16_t first)
{
    unsigned best = s->ready_count;
    uint16_t value;

    for (unsigned r = 0; r < s->ready_count; r++) {
        if ((first == NODE_NONE || b->node[s->ready[r]].kind == b->node[first].kind) &&
            (best == s->ready_count || precedes(s, b, s->ready[r], s->ready[best]))) {
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

/* Returns true if value @i is a result of the program. */
static bool is_result(const Emitter *e, uint16_t i)
{
    for (unsigned r = 0; r < 5; r++) {
        if (e->result[r] == i) {
            return true;
        }
    }
    return false;
}

/*
 * Returns true if value @i is an RSQ_DOT of three products, and only three
 * multiplications read value @i, as in GLSL's normalize(). In this case *@product lists
 * these multiplications.
 */
static bool is_normalization(const Emitter *e, const Scheduler *s, uint16_t i,
                             const uint16_t **product)
{
    const FpNode *node = e->b->node;

    *product = &s->user[s->first_user[i]];
    /* The scheduler does not know all users of a uniform value. */
    if (node[i].kind != NV3_FP_OP_RSQ_DOT || node[i].n != 3 || node[i].uniform ||
        s->first_user[i + 1] - s->first_user[i] != 3 || is_result(e, i)) {
        return false;
    }
    for (unsigned n = 0; n < 3; n++) {
        /* Only value @i is missing, so the other factor has already been computed. */
        if (node[(*product)[n]].kind != NV3_FP_OP_MUL || s->waiting[(*product)[n]] != 1) {
            return false;
        }
    }
    return true;
}

/*
 * Replaces the last operation, which computes value @i, by an operation that computes the
 * three values in @product.
 */
static void normalize(Emitter *e, uint16_t i, const uint16_t product[3])
{
    NV3FpOp *op = &e->code->op[e->ops - 1];

    op->kind = NV3_FP_OP_NRM;
    for (unsigned n = 0; n < 3; n++) {
        const uint16_t *factor = e->b->node[product[n]].src;

        op->src[2][n] = factor[factor[0] == i ? 1 : 0];
        op->dst[n] = product[n];
    }
}

/*
 * Returns the multiplication of component @texel of a sample: the only operation that
 * reads the component, if the other factor has already been computed. Returns NODE_NONE
 * if there is no such operation.
 */
static uint16_t multiplication(const Emitter *e, const Scheduler *s, uint16_t texel)
{
    const uint16_t user = s->user[s->first_user[texel]];

    if (s->first_user[texel + 1] - s->first_user[texel] != 1 || is_result(e, texel) ||
        s->waiting[user] != 1) {
        return NODE_NONE;
    }
    return e->b->node[user].kind == NV3_FP_OP_MUL ? user : NODE_NONE;
}

/*
 * If the last operation is texture operation @i, and every component of its sample is
 * multiplied by another value, such as a colour, lets the operation compute the products.
 * Marks the products as computed. Returns false if this is not the case.
 */
static bool multiply_sample(Emitter *e, Scheduler *s, uint16_t i)
{
    NV3FpOp *op = &e->code->op[e->ops - 1];
    const uint16_t *texel = &s->user[s->first_user[i]];
    const unsigned texels = s->first_user[i + 1] - s->first_user[i];
    uint16_t product[4];

    if (op->kind != NV3_FP_OP_TEX || op->lod == NV3_TEX_LOD_GRADIENT) {
        return false;
    }
    for (unsigned t = 0; t < texels; t++) {
        product[t] = multiplication(e, s, texel[t]);
        if (product[t] == NODE_NONE) {
            return false;
        }
    }
    op->n = 2;
    for (unsigned t = 0; t < texels; t++) {
        const uint16_t *factor = e->b->node[product[t]].src;
        const unsigned c = e->b->node[texel[t]].word;

        op->dst[c] = product[t];
        op->src[1][c] = factor[factor[0] == texel[t] ? 1 : 0];
    }
    /* The factors of unused components must be valid, too. */
    for (unsigned c = 0; c < 4; c++) {
        if (op->dst[c] == NODE_NONE) {
            op->src[1][c] = op->src[1][e->b->node[texel[0]].word];
        }
    }
    for (unsigned t = 0; t < texels; t++) {
        complete(s, e->b, product[t]);
    }
    return true;
}

/*
 * Lists the operations that compute uniform values if @uniform is true, else the
 * operations for all other values. The ready value with the longest path to a result is
 * computed first. Therefore most neighbouring operations are independent. A division is
 * not followed by another division if a different operation is ready, because the CPU can
 * execute that operation during the division (core.fp.phong). An operation computes up to
 * four values. In the list, @dst and @src are numbers of values, which assign_slots()
 * replaces with slots. Returns false if memory is exhausted.
 */
static bool list_ops(Emitter *e, bool uniform)
{
    FpBuilder *b = e->b;
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
            nv3_fp_source_count(&b->node[i]) == 0) {
            complete(&s, b, i);
        }
    }
    while (ok && s.ready_count) {
        uint16_t member[4] = { take_ready(&s, b, NODE_NONE) };
        const uint16_t *product;
        unsigned members = 1;

        start_op(e, &b->node[member[0]], member[0]);
        s.divider_busy = divides(&b->node[member[0]]);
        if (is_normalization(e, &s, member[0], &product)) {
            normalize(e, member[0], product);
            for (unsigned n = 0; n < 3; n++) {
                complete(&s, b, product[n]);
            }
            continue;
        }
        if (multiply_sample(e, &s, member[0])) {
            continue;
        }
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

/*
 * Sets @dst of texture operations to the numbers of their LEAF_TEXEL values. Operations
 * that multiply already have the numbers of the products in @dst.
 */
static void list_texels(Emitter *e)
{
    FpBuilder *b = e->b;

    for (unsigned i = 0; i < b->count; i++) {
        const FpNode *n = &b->node[i];

        if (n->live && n->kind == LEAF_TEXEL) {
            NV3FpOp *op = &e->code->op[b->node[n->src[0]].op];

            if (op->n == 1) {
                op->dst[n->word] = i;
            }
        }
    }
}

unsigned nv3_fp_op_sources(const NV3FpOp *op, unsigned operand)
{
    const FpNode n = { .kind = op->kind, .n = op->n };

    switch (op->kind) {
    case NV3_FP_OP_TEX:
        return operand && op->lod == NV3_TEX_LOD_GRADIENT ? 3 : operand < op->n ? 4 : 0;
    case NV3_FP_OP_KIL:
        return operand == 0 ? op->n : 0;
    case NV3_FP_OP_DOT:
    case NV3_FP_OP_RSQ_DOT:
        return operand < 2 ? op->n : 0;
    case NV3_FP_OP_NRM:
        return 3;
    default:
        return operand < nv3_fp_source_count(&n) ? op->n : 0;
    }
}

unsigned nv3_fp_op_results(const NV3FpOp *op)
{
    return op->kind == NV3_FP_OP_NRM ? 3 :
           op->kind == NV3_FP_OP_TEX ? 4 : op->kind == NV3_FP_OP_KIL ? 0 :
           op->kind == NV3_FP_OP_DOT || op->kind == NV3_FP_OP_RSQ_DOT ? 1 : op->n;
}

static uint16_t take_slot(Emitter *e)
{
    return e->free_count ? e->free_slot[--e->free_count] : e->slots++;
}

static void assign_slots(Emitter *e, const uint16_t result[5])
{
    NV3FpCode *code = e->code;
    FpBuilder *b = e->b;

    for (unsigned i = 0; i < b->count; i++) {
        b->node[i].last_use = 0;
    }
    for (unsigned o = 0; o < e->ops; o++) {
        const NV3FpOp *op = &code->op[o];

        for (unsigned s = 0; s < 3; s++) {
            for (unsigned c = 0; c < nv3_fp_op_sources(op, s); c++) {
                FpNode *n = &b->node[op->src[s][c]];

                n->last_use = o;
                if (op->kind == NV3_FP_OP_TEX && s == 0 && c == 2) {
                    n->third |= 1u << op->unit;
                } else {
                    n->used = true;
                }
            }
        }
    }
    for (unsigned i = 0; i < 5; i++) {
        if (result[i] != NODE_NONE) {
            b->node[result[i]].last_use = UINT32_MAX;
            b->node[result[i]].used = true;
        }
    }
    /*
     * Uniform values keep their slots. The slot of an input is freed after its last use.
     */
    for (unsigned i = 0; i < b->count; i++) {
        FpNode *n = &b->node[i];

        if (!n->live) {
            continue;
        }
        if (n->kind == LEAF_INPUT) {
            unsigned input = n->word / 4, component = n->word % 4;

            n->slot = e->slots++;
            code->input[code->input_count++] =
                (NV3FpCodeInput) { input, component, n->slot, n->used ? 0 : n->third };
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

        for (unsigned c = 0; c < nv3_fp_op_results(op); c++) {
            FpNode *n = &b->node[op->dst[c]];

            if (op->dst[c] == NODE_NONE) {
                continue;
            }
            if (n->slot == NV3_FP_NO_SLOT) {
                n->slot = take_slot(e);
            }
            op->dst[c] = n->slot;
        }
        for (unsigned s = 0; s < 3; s++) {
            for (unsigned c = 0; c < nv3_fp_op_sources(op, s); c++) {
                FpNode *n = &b->node[op->src[s][c]];

                op->src[s][c] = n->slot;
                if (n->last_use == o && !n->uniform) {
                    e->free_slot[e->free_count++] = n->slot;
                    n->last_use = UINT32_MAX;
                }
            }
        }
    }
}

bool nv3_fp_emit(FpBuilder *b, NV3FpCode *code, const uint16_t result[5])
{
    Emitter e = { .b = b, .code = code, .result = result };

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
