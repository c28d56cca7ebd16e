/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compiles operations of fragment programs to instructions of x86-64.
 *
 * A compiled function executes a sequence of operations for one vector of pixels after
 * another. Values stay in registers from their computation to their last use in the
 * sequence. If no register is free, the value whose next use is the farthest leaves its
 * register. At the end of the sequence, the function stores all values that later
 * operations or stages read. Each value has a slot in memory for this purpose.
 */
#include "native/native.h"

#if defined(NV3_FP_HAVE_X86) && !defined(_WIN32)
#include <stdlib.h>
#include <string.h>

#include "chip/exec.h"
#include "fp/fp_graph.h"
#include "native/x86.h"

#define REGISTERS_MAX   32
#define NO_REGISTER     REGISTERS_MAX

/* Values in Uses, in addition to the indices of operations. */
#define NEVER           UINT32_MAX
#define LATER_STAGE     (UINT32_MAX - 1)

/* For each operand and result of an operation: the next operation that reads the slot. */
typedef struct Uses {
    uint32_t src[3][4], dst[4];
} Uses;

/* Constants at the start of the code, one vector each. */
enum {
    ZERO,
    ONE,
    SIGN,
    MAGNITUDE,
    CONSTANTS
};
#define CONSTANT_SIZE   64

typedef struct Register {
    uint16_t slot;          /* slot of the value in the register, or NV3_FP_NO_SLOT */
    bool dirty;             /* the value has not been stored in the slot yet */
    bool pinned;            /* in use by the current operation */
    uint32_t next;          /* next operation that reads the value */
} Register;

typedef struct Compiler {
    NV3FpCode *code;
    NV3X86 x86;
    const Uses *uses;       /* of each operation */
    uint8_t *where;         /* register of each slot's value, or NO_REGISTER */
    Register reg[REGISTERS_MAX];
    unsigned registers;
    unsigned op;            /* index of the current operation */
} Compiler;

/* ---- uses ------------------------------------------------------------------ */

/*
 * Sets the uses of each operation, from the last operation to the first. @next: temporary
 * array with an element for each slot, which receives the first operation that reads it.
 */
static uint32_t *count_back(Uses *uses, const NV3FpCode *code, uint32_t *next)
{
    for (unsigned s = 0; s < code->slots; s++) {
        next[s] = NEVER;
    }
    for (unsigned c = 0; c < 4; c++) {
        next[code->color[c]] = LATER_STAGE;
    }
    if (code->depth != NV3_FP_NO_SLOT) {
        next[code->depth] = LATER_STAGE;
    }
    for (unsigned i = code->count; i-- > 0; ) {
        const NV3FpOp *op = &code->op[code->uniform_count + i];

        for (unsigned c = 0; c < nv3_fp_op_results(op); c++) {
            if (op->dst[c] != NV3_FP_NO_SLOT) {
                uses[i].dst[c] = next[op->dst[c]];
                next[op->dst[c]] = NEVER;
            }
        }
        for (unsigned s = 0; s < 3; s++) {
            for (unsigned c = 0; c < nv3_fp_op_sources(op, s); c++) {
                uses[i].src[s][c] = next[op->src[s][c]];
            }
        }
        for (unsigned s = 0; s < 3; s++) {
            for (unsigned c = 0; c < nv3_fp_op_sources(op, s); c++) {
                next[op->src[s][c]] = i;
            }
        }
    }
    return next;
}

/*
 * Returns the uses of all operations, which the caller frees, or null if memory is
 * exhausted.
 */
static Uses *find_uses(const NV3FpCode *code)
{
    Uses *uses = malloc(code->count * sizeof(*uses));
    uint32_t *next = malloc(code->slots * sizeof(*next));

    if (uses && next) {
        count_back(uses, code, next);
    } else {
        free(uses);
        uses = NULL;
    }
    free(next);
    return uses;
}

/* ---- registers ------------------------------------------------------------- */

static NV3X86Source in_register(unsigned reg)
{
    return (NV3X86Source) { NV3_X86_REGISTER, reg };
}

static NV3X86Source constant(unsigned number)
{
    return (NV3X86Source) { NV3_X86_CODE_OFFSET, number * CONSTANT_SIZE };
}

static int32_t offset_of(uint16_t slot)
{
    return slot * sizeof(NV3FpSlot);
}

static NV3X86Source in_slot(uint16_t slot)
{
    return (NV3X86Source) { NV3_X86_RAX_OFFSET, offset_of(slot) };
}

static void empty(Compiler *c, unsigned reg)
{
    Register *r = &c->reg[reg];

    if (r->slot != NV3_FP_NO_SLOT) {
        c->where[r->slot] = NO_REGISTER;
    }
    *r = (Register) { .slot = NV3_FP_NO_SLOT, .next = NEVER };
}

static void store(Compiler *c, unsigned reg)
{
    Register *r = &c->reg[reg];

    if (r->dirty) {
        nv3_x86_store(&c->x86, reg, offset_of(r->slot));
        r->dirty = false;
    }
}

/* Returns an empty register, and pins it. Empties a register if none is empty. */
static unsigned take_register(Compiler *c)
{
    unsigned best = NO_REGISTER;

    for (unsigned i = 0; i < c->registers; i++) {
        const Register *r = &c->reg[i];

        if (!r->pinned && r->slot == NV3_FP_NO_SLOT) {
            best = i;
            break;
        }
        if (!r->pinned && (best == NO_REGISTER || r->next > c->reg[best].next)) {
            best = i;
        }
    }
    store(c, best);
    empty(c, best);
    c->reg[best].pinned = true;
    return best;
}

/* Returns a register that holds the value of @slot, and pins it. */
static unsigned load(Compiler *c, uint16_t slot)
{
    unsigned reg = c->where[slot];

    if (reg == NO_REGISTER) {
        reg = take_register(c);
        nv3_x86_load(&c->x86, reg, in_slot(slot));
        c->reg[reg].slot = slot;
        c->reg[reg].next = c->op;
        c->where[slot] = reg;
    }
    c->reg[reg].pinned = true;
    return reg;
}

static unsigned load_constant(Compiler *c, unsigned number)
{
    unsigned reg = take_register(c);

    nv3_x86_load(&c->x86, reg, constant(number));
    return reg;
}

/*
 * Returns the value of @slot as a source operand. Loads the value to a register only if
 * the sequence, which ends before operation @end, reads the value again. @next: the next
 * operation that reads the value.
 */
static NV3X86Source source(Compiler *c, uint16_t slot, uint32_t next, unsigned end)
{
    if (c->where[slot] == NO_REGISTER && next >= end) {
        return in_slot(slot);
    }
    return in_register(load(c, slot));
}

/* Records that @reg contains result @n of the current operation. */
static void set_result(Compiler *c, const NV3FpOp *op, unsigned n, unsigned reg)
{
    const uint16_t slot = op->dst[n];

    if (c->where[slot] != NO_REGISTER) {
        empty(c, c->where[slot]);
    }
    c->where[slot] = reg;
    c->reg[reg].slot = slot;
    c->reg[reg].dirty = true;
    c->reg[reg].next = c->uses[c->op].dst[n];
}

static void unpin(Compiler *c)
{
    for (unsigned i = 0; i < c->registers; i++) {
        c->reg[i].pinned = false;
    }
}

/*
 * Updates the next uses of the current operation's operands, and empties the registers
 * whose values nothing reads again.
 */
static void end_op(Compiler *c, const NV3FpOp *op)
{
    for (unsigned s = 0; s < 3; s++) {
        for (unsigned n = 0; n < nv3_fp_op_sources(op, s); n++) {
            const unsigned reg = c->where[op->src[s][n]];

            if (reg != NO_REGISTER) {
                c->reg[reg].next = c->uses[c->op].src[s][n];
            }
        }
    }
    for (unsigned i = 0; i < c->registers; i++) {
        if (c->reg[i].slot == NV3_FP_NO_SLOT || c->reg[i].next == NEVER) {
            empty(c, i);
        }
    }
}

/* ---- operations ------------------------------------------------------------ */

static bool is_compiled(const NV3FpOp *op)
{
    switch (op->kind) {
    case NV3_FP_OP_EX2:
    case NV3_FP_OP_LG2:
    case NV3_FP_OP_SIN:
    case NV3_FP_OP_COS:
    case NV3_FP_OP_POW:
    case NV3_FP_OP_DDX:
    case NV3_FP_OP_DDY:
    case NV3_FP_OP_TEX:
    case NV3_FP_OP_KIL:
        return false;
    default:
        return true;
    }
}

/* @reg = 1 / sqrt(|@reg|) */
static void reciprocal_root(Compiler *c, unsigned reg)
{
    unsigned one = load_constant(c, ONE);

    nv3_x86_op(&c->x86, NV3_X86_AND, reg, reg, constant(MAGNITUDE));
    nv3_x86_sqrt(&c->x86, reg, in_register(reg));
    nv3_x86_op(&c->x86, NV3_X86_DIV, reg, one, in_register(reg));
    c->reg[one].pinned = false;
}

/*
 * Compiles a dot product of @terms components of operands 0 and 1. Returns the register
 * of the sum, which is pinned.
 */
static unsigned dot(Compiler *c, const NV3FpOp *op, unsigned terms, unsigned end)
{
    const Uses *uses = &c->uses[c->op];
    unsigned sum = NO_REGISTER;

    for (unsigned n = 0; n < terms; n++) {
        const unsigned product = take_register(c);
        const unsigned a = load(c, op->src[0][n]);
        const NV3X86Source b = source(c, op->src[1][n], uses->src[1][n], end);

        nv3_x86_op(&c->x86, NV3_X86_MUL, product, a, b);
        if (n == 0) {
            sum = product;
        } else {
            nv3_x86_op(&c->x86, NV3_X86_ADD, sum, sum, in_register(product));
        }
        unpin(c);
        c->reg[sum].pinned = true;
    }
    return sum;
}

static void normalize(Compiler *c, const NV3FpOp *op, unsigned end)
{
    const unsigned scale = dot(c, op, 3, end);

    reciprocal_root(c, scale);
    for (unsigned n = 0; n < 3; n++) {
        const unsigned to = take_register(c);

        nv3_x86_op(&c->x86, NV3_X86_MUL, to, scale,
                   source(c, op->src[2][n], c->uses[c->op].src[2][n], end));
        set_result(c, op, n, to);
        unpin(c);
        c->reg[scale].pinned = true;
    }
    c->reg[scale].pinned = false;
}

/* Compiles an operation with two operands to a single instruction. */
static void binary(Compiler *c, const NV3FpOp *op, unsigned n, NV3X86Op kind,
                   unsigned end)
{
    const unsigned a = load(c, op->src[0][n]);
    const NV3X86Source b = source(c, op->src[1][n], c->uses[c->op].src[1][n], end);
    const unsigned to = take_register(c);

    nv3_x86_op(&c->x86, kind, to, a, b);
    set_result(c, op, n, to);
}

/* Compiles a * b + c, a * b - c or c - a * b. */
static void multiply_add(Compiler *c, const NV3FpOp *op, unsigned n, unsigned end)
{
    const Uses *uses = &c->uses[c->op];
    const unsigned a = load(c, op->src[0][n]);
    const NV3X86Source b = source(c, op->src[1][n], uses->src[1][n], end);
    const unsigned to = take_register(c);

    nv3_x86_op(&c->x86, NV3_X86_MUL, to, a, b);
    if (op->kind == NV3_FP_OP_NMAD) {
        nv3_x86_op(&c->x86, NV3_X86_SUB, to, load(c, op->src[2][n]), in_register(to));
    } else {
        nv3_x86_op(&c->x86, op->kind == NV3_FP_OP_MAD ? NV3_X86_ADD : NV3_X86_SUB, to, to,
                   source(c, op->src[2][n], uses->src[2][n], end));
    }
    set_result(c, op, n, to);
}

/* Compiles a @test b ? 1 : 0. */
static void set_on(Compiler *c, const NV3FpOp *op, unsigned n, NV3X86Compare test,
                   unsigned end)
{
    const unsigned a = load(c, op->src[0][n]);
    const NV3X86Source b = source(c, op->src[1][n], c->uses[c->op].src[1][n], end);
    const unsigned zero = load_constant(c, ZERO);
    const unsigned to = take_register(c);

    nv3_x86_select(&c->x86, test, to, a, b, constant(ONE), zero);
    set_result(c, op, n, to);
}

/* Compiles a @test 0 ? b : c. */
static void select_on(Compiler *c, const NV3FpOp *op, unsigned n, NV3X86Compare test,
                      unsigned end)
{
    const unsigned a = load(c, op->src[0][n]);
    const NV3X86Source yes = source(c, op->src[1][n], c->uses[c->op].src[1][n], end);
    const unsigned no = load(c, op->src[2][n]);
    const unsigned to = take_register(c);

    nv3_x86_select(&c->x86, test, to, a, constant(ZERO), yes, no);
    set_result(c, op, n, to);
}

/* Compiles an operation with one operand. */
static void unary(Compiler *c, const NV3FpOp *op, unsigned n)
{
    const unsigned a = load(c, op->src[0][n]);
    const unsigned to = take_register(c);

    switch (op->kind) {
    case NV3_FP_OP_NEG:
        nv3_x86_op(&c->x86, NV3_X86_XOR, to, a, constant(SIGN));
        break;
    case NV3_FP_OP_ABS:
        nv3_x86_op(&c->x86, NV3_X86_AND, to, a, constant(MAGNITUDE));
        break;
    case NV3_FP_OP_SAT:
        /* A NaN becomes 0. */
        nv3_x86_op(&c->x86, NV3_X86_MAX, to, a, constant(ZERO));
        nv3_x86_op(&c->x86, NV3_X86_MIN, to, to, constant(ONE));
        break;
    case NV3_FP_OP_FLR:
        nv3_x86_floor(&c->x86, to, in_register(a));
        break;
    case NV3_FP_OP_FRC:
        nv3_x86_floor(&c->x86, to, in_register(a));
        nv3_x86_op(&c->x86, NV3_X86_SUB, to, a, in_register(to));
        break;
    case NV3_FP_OP_RCP:
        nv3_x86_load(&c->x86, to, constant(ONE));
        nv3_x86_op(&c->x86, NV3_X86_DIV, to, to, in_register(a));
        break;
    case NV3_FP_OP_RSQ:
        nv3_x86_op(&c->x86, NV3_X86_AND, to, a, constant(MAGNITUDE));
        reciprocal_root(c, to);
        break;
    }
    set_result(c, op, n, to);
}

/* Compiles component @n of an operation that computes each component separately. */
static void compile_component(Compiler *c, const NV3FpOp *op, unsigned n, unsigned end)
{
    switch (op->kind) {
    case NV3_FP_OP_ADD:
        binary(c, op, n, NV3_X86_ADD, end);
        break;
    case NV3_FP_OP_SUB:
        binary(c, op, n, NV3_X86_SUB, end);
        break;
    case NV3_FP_OP_MUL:
        binary(c, op, n, NV3_X86_MUL, end);
        break;
    case NV3_FP_OP_DIV:
        binary(c, op, n, NV3_X86_DIV, end);
        break;
    case NV3_FP_OP_MIN:
        binary(c, op, n, NV3_X86_MIN, end);
        break;
    case NV3_FP_OP_MAX:
        binary(c, op, n, NV3_X86_MAX, end);
        break;
    case NV3_FP_OP_MAD:
    case NV3_FP_OP_MSUB:
    case NV3_FP_OP_NMAD:
        multiply_add(c, op, n, end);
        break;
    case NV3_FP_OP_SLT:
        set_on(c, op, n, NV3_X86_LT, end);
        break;
    case NV3_FP_OP_SGE:
        set_on(c, op, n, NV3_X86_GE, end);
        break;
    case NV3_FP_OP_SEQ:
        set_on(c, op, n, NV3_X86_EQ, end);
        break;
    case NV3_FP_OP_SNE:
        set_on(c, op, n, NV3_X86_NE, end);
        break;
    case NV3_FP_OP_SEL_LT:
        select_on(c, op, n, NV3_X86_LT, end);
        break;
    case NV3_FP_OP_SEL_EQ:
        select_on(c, op, n, NV3_X86_EQ, end);
        break;
    case NV3_FP_OP_SEL_LE:
        select_on(c, op, n, NV3_X86_LE, end);
        break;
    case NV3_FP_OP_SEL_GT:
        select_on(c, op, n, NV3_X86_GT, end);
        break;
    case NV3_FP_OP_SEL_NE:
        select_on(c, op, n, NV3_X86_NE_ORDERED, end);
        break;
    case NV3_FP_OP_SEL_GE:
        select_on(c, op, n, NV3_X86_GE, end);
        break;
    default:
        unary(c, op, n);
        break;
    }
    unpin(c);
}

static void compile_op(Compiler *c, const NV3FpOp *op, unsigned end)
{
    unsigned sum;

    switch (op->kind) {
    case NV3_FP_OP_DOT:
    case NV3_FP_OP_RSQ_DOT:
        sum = dot(c, op, op->n, end);
        if (op->kind == NV3_FP_OP_RSQ_DOT) {
            reciprocal_root(c, sum);
        }
        set_result(c, op, 0, sum);
        break;
    case NV3_FP_OP_NRM:
        normalize(c, op, end);
        break;
    default:
        for (unsigned n = 0; n < op->n; n++) {
            compile_component(c, op, n, end);
        }
        break;
    }
    unpin(c);
    end_op(c, op);
}

/* ---- sequences ------------------------------------------------------------- */

/* Compiles the operations from @first to @end - 1 to one function. */
static void compile_sequence(Compiler *c, unsigned first, unsigned end)
{
    const NV3FpOp *op = c->code->op + c->code->uniform_count;
    const size_t body = nv3_x86_begin(&c->x86, sizeof(NV3FpSlot));

    for (unsigned i = 0; i < c->registers; i++) {
        c->reg[i] = (Register) { .slot = NV3_FP_NO_SLOT, .next = NEVER };
    }
    for (c->op = first; c->op < end; c->op++) {
        compile_op(c, &op[c->op], end);
    }
    for (unsigned i = 0; i < c->registers; i++) {
        store(c, i);
        empty(c, i);
    }
    nv3_x86_end(&c->x86, body);
}

/* Returns the end, exclusive, of the segment that starts at operation @first. */
static unsigned segment_end(const NV3FpOp *op, unsigned first, unsigned count)
{
    unsigned end = first + 1;

    while (end < count && is_compiled(&op[end]) == is_compiled(&op[first])) {
        end++;
    }
    return end;
}

/*
 * Divides the operations into segments. Sets @start[i] to the offset of the function of
 * segment i, if this segment is compiled.
 */
static void compile_segments(Compiler *c, size_t *start)
{
    NV3FpCode *code = c->code;
    const NV3FpOp *op = code->op + code->uniform_count;
    unsigned end;

    for (unsigned i = 0; i < code->count; i = end) {
        NV3FpSegment *segment = &code->segment[code->segment_count];

        end = segment_end(op, i, code->count);
        *segment = (NV3FpSegment) { .op = &op[i], .count = end - i };
        if (is_compiled(&op[i])) {
            start[code->segment_count] = c->x86.size;
            compile_sequence(c, i, end);
        }
        code->segment_count++;
    }
}

static void add_constants(NV3X86 *x)
{
    static const uint32_t value[CONSTANTS] = {
        [ZERO] = 0, [ONE] = 0x3f800000, [SIGN] = 0x80000000, [MAGNITUDE] = 0x7fffffff,
    };

    for (unsigned i = 0; i < CONSTANTS * (CONSTANT_SIZE / 4); i++) {
        nv3_x86_bytes(x, &value[i / (CONSTANT_SIZE / 4)], 4);
    }
}

/*
 * Copies the code to executable memory, and sets the segments' functions. On failure, all
 * segments remain interpreted.
 */
static void finish(Compiler *c, const size_t *start)
{
    NV3FpCode *code = c->code;

    if (!c->x86.failed && c->x86.size > CONSTANTS * CONSTANT_SIZE) {
        code->native = nv3_exec_new(c->x86.code, c->x86.size);
    }
    if (!code->native) {
        return;
    }
    code->native_size = c->x86.size;
    for (unsigned i = 0; i < code->segment_count; i++) {
        if (start[i]) {
            code->segment[i].run = (NV3FpNativeFn *)(void *)((uint8_t *)code->native +
                                                             start[i]);
        }
    }
}

void nv3_native_compile_fp(NV3FpCode *code, NV3FpLevel level)
{
    Compiler c = {
        .code = code,
        .x86.wide = level == NV3_FP_AVX512,
        .registers = level == NV3_FP_AVX512 ? 32 : 16,
    };
    size_t *start;
    Uses *uses;

    if (level == NV3_FP_GENERIC || !code->count) {
        return;
    }
    c.uses = uses = find_uses(code);
    c.where = malloc(code->slots);
    start = calloc(code->count, sizeof(*start));
    code->segment = calloc(code->count, sizeof(*code->segment));
    if (uses && c.where && start && code->segment) {
        memset(c.where, NO_REGISTER, code->slots);
        add_constants(&c.x86);
        compile_segments(&c, start);
        finish(&c, start);
        code->native_level = level;
    } else {
        free(code->segment);
        code->segment = NULL;
    }
    nv3_x86_free(&c.x86);
    free(start);
    free(c.where);
    free(uses);
}
#else
void nv3_native_compile_fp(NV3FpCode *code, NV3FpLevel level)
{
}
#endif
