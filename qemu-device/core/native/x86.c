/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Encodes vector instructions of x86-64 (x86.h). */
#include "native/x86.h"

#include <stdlib.h>
#include <string.h>

#define ROOM_MIN        4096

/* Values of the fields of VEX and EVEX prefixes: opcode maps, and the prefix 0x66. */
#define MAP_0F          1
#define MAP_0F38        2
#define MAP_0F3A        3
#define PREFIX_66       1

/* Instructions that are not in NV3X86Op. */
#define LOAD            0x28    /* MAP_0F */
#define STORE           0x29
#define SQRT            0x51
#define COMPARE         0xc2
#define ROUND           0x08    /* MAP_0F3A */
#define BLEND_VEX       0x4a    /* MAP_0F3A */
#define BLEND_EVEX      0x65    /* MAP_0F38 */

/* Immediate operand of ROUND: rounds towards minus infinity, raises no exceptions. */
#define ROUND_FLOOR     0x09

#define NO_REGISTER     0       /* register field of instructions with one source */
#define MASK_REGISTER   1       /* AVX-512 register k1, for results of comparisons */

typedef struct Encoding {
    uint8_t map, prefix, opcode;
    uint8_t mask;               /* EVEX: number of the mask register, or 0 */
    bool has_immediate;
    uint8_t immediate;
} Encoding;

void nv3_x86_free(NV3X86 *x)
{
    free(x->code);
    *x = (NV3X86) { 0 };
}

void nv3_x86_bytes(NV3X86 *x, const void *bytes, size_t size)
{
    if (x->size + size > x->room && !x->failed) {
        const size_t room = 2 * x->room + size + ROOM_MIN;
        uint8_t *code = realloc(x->code, room);

        if (code) {
            x->code = code;
            x->room = room;
        } else {
            x->failed = true;
        }
    }
    if (!x->failed) {
        memcpy(x->code + x->size, bytes, size);
        x->size += size;
    }
}

static void add_byte(NV3X86 *x, uint8_t byte)
{
    nv3_x86_bytes(x, &byte, 1);
}

static void add_word(NV3X86 *x, int32_t word)
{
    const uint32_t w = word;
    const uint8_t bytes[4] = { w, w >> 8, w >> 16, w >> 24 };

    nv3_x86_bytes(x, bytes, sizeof(bytes));
}

/*
 * Appends the ModRM byte and, if @rm is in memory, the displacement. @after: number of
 * bytes between the displacement and the end of the instruction.
 */
static void add_operands(NV3X86 *x, unsigned reg, NV3X86Source rm, unsigned after)
{
    const unsigned field = (reg & 7) << 3;

    switch (rm.kind) {
    case NV3_X86_REGISTER:
        add_byte(x, 0xc0 | field | (rm.offset & 7));
        break;
    case NV3_X86_RAX_OFFSET:
        add_byte(x, 0x80 | field | NV3_X86_RAX);
        add_word(x, rm.offset);
        break;
    case NV3_X86_CODE_OFFSET:
        /* relative to the end of the instruction */
        add_byte(x, field | 5);
        add_word(x, rm.offset - (int32_t)(x->size + 4 + after));
        break;
    }
}

static void add_vex(NV3X86 *x, const Encoding *e, unsigned reg, unsigned a,
                    NV3X86Source rm)
{
    const unsigned b = rm.kind == NV3_X86_REGISTER ? rm.offset : 0;

    add_byte(x, 0xc4);
    add_byte(x, (reg & 8 ? 0 : 0x80) | 0x40 | (b & 8 ? 0 : 0x20) | e->map);
    add_byte(x, (~a & 15) << 3 | 4 | e->prefix);
}

static void add_evex(NV3X86 *x, const Encoding *e, unsigned reg, unsigned a,
                     NV3X86Source rm)
{
    const unsigned b = rm.kind == NV3_X86_REGISTER ? rm.offset : 0;

    add_byte(x, 0x62);
    add_byte(x, (reg & 8 ? 0 : 0x80) | (b & 16 ? 0 : 0x40) | (b & 8 ? 0 : 0x20) |
                (reg & 16 ? 0 : 0x10) | e->map);
    add_byte(x, (~a & 15) << 3 | 4 | e->prefix);
    add_byte(x, 0x40 | (a & 16 ? 0 : 8) | e->mask);
}

static void add_insn(NV3X86 *x, const Encoding *e, unsigned reg, unsigned a,
                     NV3X86Source rm)
{
    (x->wide ? add_evex : add_vex)(x, e, reg, a, rm);
    add_byte(x, e->opcode);
    add_operands(x, reg, rm, e->has_immediate);
    if (e->has_immediate) {
        add_byte(x, e->immediate);
    }
}

void nv3_x86_op(NV3X86 *x, NV3X86Op op, unsigned to, unsigned a, NV3X86Source b)
{
    add_insn(x, &(Encoding) { .map = MAP_0F, .opcode = op }, to, a, b);
}

void nv3_x86_sqrt(NV3X86 *x, unsigned to, NV3X86Source from)
{
    add_insn(x, &(Encoding) { .map = MAP_0F, .opcode = SQRT }, to, NO_REGISTER, from);
}

void nv3_x86_floor(NV3X86 *x, unsigned to, NV3X86Source from)
{
    const Encoding round = {
        .map = MAP_0F3A, .prefix = PREFIX_66, .opcode = ROUND,
        .has_immediate = true, .immediate = ROUND_FLOOR,
    };

    add_insn(x, &round, to, NO_REGISTER, from);
}

void nv3_x86_load(NV3X86 *x, unsigned to, NV3X86Source from)
{
    add_insn(x, &(Encoding) { .map = MAP_0F, .opcode = LOAD }, to, NO_REGISTER, from);
}

void nv3_x86_store(NV3X86 *x, unsigned from, int32_t offset)
{
    add_insn(x, &(Encoding) { .map = MAP_0F, .opcode = STORE }, from, NO_REGISTER,
             (NV3X86Source) { NV3_X86_RAX_OFFSET, offset });
}

void nv3_x86_select(NV3X86 *x, NV3X86Compare test, unsigned to, unsigned a,
                    NV3X86Source b, NV3X86Source yes, unsigned no)
{
    const Encoding compare = {
        .map = MAP_0F, .opcode = COMPARE, .has_immediate = true, .immediate = test,
    };
    const Encoding blend_vex = {
        .map = MAP_0F3A, .prefix = PREFIX_66, .opcode = BLEND_VEX,
        .has_immediate = true, .immediate = to << 4,
    };
    const Encoding blend_evex = {
        .map = MAP_0F38, .prefix = PREFIX_66, .opcode = BLEND_EVEX, .mask = MASK_REGISTER,
    };

    if (x->wide) {
        add_insn(x, &compare, MASK_REGISTER, a, b);
        add_insn(x, &blend_evex, to, no, yes);
    } else {
        add_insn(x, &compare, to, a, b);
        add_insn(x, &blend_vex, to, no, yes);
    }
}

size_t nv3_x86_begin(NV3X86 *x, uint32_t bytes)
{
    static const uint8_t copy[] = { 0x48, 0x89, 0xf8 };     /* mov rax, rdi */
    static const uint8_t end[] = { 0x48, 0x8d, 0x8f };      /* lea rcx, [rdi + bytes] */

    nv3_x86_bytes(x, copy, sizeof(copy));
    nv3_x86_bytes(x, end, sizeof(end));
    add_word(x, bytes);
    return x->size;
}

void nv3_x86_end(NV3X86 *x, size_t body)
{
    const uint8_t add[] = { 0x48, 0x83, 0xc0, x->wide ? 64 : 32 };  /* add rax, size */
    static const uint8_t compare[] = { 0x48, 0x39, 0xc8 };  /* cmp rax, rcx */
    static const uint8_t jump[] = { 0x0f, 0x85 };           /* jne body */
    static const uint8_t leave[] = { 0xc5, 0xf8, 0x77, 0xc3 };      /* vzeroupper; ret */

    nv3_x86_bytes(x, add, sizeof(add));
    nv3_x86_bytes(x, compare, sizeof(compare));
    nv3_x86_bytes(x, jump, sizeof(jump));
    add_word(x, (int32_t)body - (int32_t)(x->size + 4));
    nv3_x86_bytes(x, leave, sizeof(leave));
}
