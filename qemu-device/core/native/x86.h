/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Encodes vector instructions of x86-64: AVX2 with 256-bit vectors (VEX encoding), or
 * AVX-512 with 512-bit vectors (EVEX encoding).
 *
 * Source of the encodings: Intel 64 and IA-32 Architectures Software Developer's Manual,
 * volume 2, sections 2.3 (VEX) and 2.7 (EVEX), and the pages of the instructions.
 */
#ifndef NV3_NATIVE_X86_H
#define NV3_NATIVE_X86_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Code under construction. The caller sets @wide and initializes the other fields to 0.
 * After an allocation has failed, functions append nothing. nv3_x86_free() frees @code.
 *
 * Vector registers have numbers up to 15, or up to 31 with AVX-512.
 */
typedef struct NV3X86 {
    uint8_t *code;
    size_t size, room;
    bool wide;              /* AVX-512, otherwise AVX2 */
    bool failed;            /* an allocation has failed, @code is incomplete */
} NV3X86;

/* Numbers of general registers. */
enum {
    NV3_X86_RAX = 0,
    NV3_X86_RCX = 1,
    NV3_X86_RDI = 7,
};

/*
 * A source operand: a vector register, a vector in memory at address RAX + @offset, or a
 * vector at @offset from the start of the code.
 */
typedef struct NV3X86Source {
    enum { NV3_X86_REGISTER, NV3_X86_RAX_OFFSET, NV3_X86_CODE_OFFSET } kind;
    int32_t offset;         /* in bytes, or the number of the register */
} NV3X86Source;

/* Instructions with two sources. MIN and MAX return source b if a source is a NaN. */
typedef enum NV3X86Op {
    NV3_X86_ADD = 0x58,
    NV3_X86_MUL = 0x59,
    NV3_X86_SUB = 0x5c,
    NV3_X86_MIN = 0x5d,
    NV3_X86_DIV = 0x5e,
    NV3_X86_MAX = 0x5f,
    NV3_X86_AND = 0x54,
    NV3_X86_XOR = 0x57,
} NV3X86Op;

/* Comparisons. If a source is a NaN, NE is true and all others are false. */
typedef enum NV3X86Compare {
    NV3_X86_EQ = 0x00,
    NV3_X86_LT = 0x11,
    NV3_X86_LE = 0x12,
    NV3_X86_NE = 0x04,
    NV3_X86_NE_ORDERED = 0x0c,  /* like NE, but false for a NaN */
    NV3_X86_GE = 0x1d,
    NV3_X86_GT = 0x1e,
} NV3X86Compare;

void nv3_x86_free(NV3X86 *x);

/* Appends @size bytes to the code, for example constants. */
void nv3_x86_bytes(NV3X86 *x, const void *bytes, size_t size);

/* Each of these functions appends one operation. @to, @a and @no: vector registers. */

/* @to = @a @op @b */
void nv3_x86_op(NV3X86 *x, NV3X86Op op, unsigned to, unsigned a, NV3X86Source b);
void nv3_x86_sqrt(NV3X86 *x, unsigned to, NV3X86Source from);
void nv3_x86_floor(NV3X86 *x, unsigned to, NV3X86Source from);
/* A source in memory must be aligned to the size of a vector. */
void nv3_x86_load(NV3X86 *x, unsigned to, NV3X86Source from);
/* Stores vector register @from at address RAX + @offset, with the same alignment. */
void nv3_x86_store(NV3X86 *x, unsigned from, int32_t offset);
/* @to = @a @test @b ? @yes : @no. @to must differ from the registers of @yes and @no. */
void nv3_x86_select(NV3X86 *x, NV3X86Compare test, unsigned to, unsigned a,
                    NV3X86Source b, NV3X86Source yes, unsigned no);

/*
 * Starts a function void f(float *vectors). The body of the function runs once for each
 * vector in the @bytes bytes at its argument. @bytes must be a multiple of the size of a
 * vector. In the body, RAX is the address of the current vector. Returns the offset of
 * the body from the start of the code, for nv3_x86_end().
 */
size_t nv3_x86_begin(NV3X86 *x, uint32_t bytes);
/* Ends the function whose body is at offset @body. */
void nv3_x86_end(NV3X86 *x, size_t body);

#endif
