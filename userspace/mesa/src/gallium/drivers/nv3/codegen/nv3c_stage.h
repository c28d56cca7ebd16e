/* SPDX-License-Identifier: MIT */
/*
 * Declares functions that the compilers of both stages use.
 */
#ifndef NV3C_STAGE_H
#define NV3C_STAGE_H

#include "codegen/nv3c.h"
#include "codegen/nv3c_select.h"

/* Compiles lowered NIR. Records errors in @p. */
typedef void (*nv3c_compile_fn)(struct nv3c_program *p, nir_shader *nir,
                                void *data);

/*
 * Lowers @nir and calls @compile. If there are too few registers, tries again
 * in ways that may need fewer registers. Sets *@bounded to true if a loop may
 * need more iterations than the program contains, otherwise to false. Returns
 * NULL, or an error message, which the caller frees.
 */
char *
nv3c_compile_nir(nir_shader *nir, nv3c_compile_fn compile, void *data,
                 bool *bounded);

/*
 * For vertex programs: assigns constant registers to the constants that
 * instructions read, and lists the constants in @vs.
 */
void
nv3c_vs_assign_constants(struct nv3c_program *p, struct nv3c_vs *vs);

/*
 * For vertex programs: combines a scalar operation and a vector operation into
 * one instruction where possible.
 */
void
nv3c_vs_pair(struct nv3c_program *p);

/* Encode a program whose registers are assigned. */
void
nv3c_vs_encode(struct nv3c_program *p, struct nv3c_vs *vs);
void
nv3c_fs_encode(struct nv3c_program *p, struct nv3c_fs *fs);

/* Print a mask or a swizzle for disassembly, unless it has no effect. */
void
nv3c_print_mask(FILE *to, unsigned mask);
void
nv3c_print_swizzle(FILE *to, unsigned swizzle);

#endif
