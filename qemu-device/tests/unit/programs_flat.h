/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Declares functions for tests and benchmarks that call class 0x1F directly, without
 * PGRAPH. The class's memory is a FlatMemory, so the argument of an offset method is an
 * offset in it.
 */
#ifndef PROGRAMS_FLAT_H
#define PROGRAMS_FLAT_H

#include "fp_asm.h"
#include "programs/programs.h"
#include "vp_asm.h"

typedef struct FlatMemory {
    uint8_t *bytes;
    uint32_t size;
    bool in_pieces;             /* flat_map() fails for reads: pages not contiguous */
} FlatMemory;

/* The members of NV3ProgramsMemory. @opaque: a FlatMemory. */
uint8_t *flat_map(void *opaque, uint32_t offset, uint32_t len, bool write);
bool flat_read(void *opaque, uint32_t offset, void *to, uint32_t len);
bool flat_write(void *opaque, uint32_t offset, const void *from, uint32_t len);

#define FLAT_ACCESSORS(flat) \
    .map = flat_map, .read = flat_read, .write = flat_write, .opaque = (flat)

uint32_t flat_bits(float x);

/* Executes a method. If the method fails, prints the method and ends the process. */
void flat_method(NV3Programs *p, uint32_t method, uint32_t data);
void flat_set_constant(NV3Programs *p, unsigned number, float x, float y, float z,
                       float w);

/* Marks the end of the program @a, and makes @a the current vertex program. */
void flat_set_vertex_program(NV3Programs *p, VpAsm *a);

/* Marks the end of the program @a, and writes @a to the memory of @flat at @offset. */
void flat_put_fragment_program(FlatMemory *flat, uint32_t offset, FpAsm *a);

#endif
