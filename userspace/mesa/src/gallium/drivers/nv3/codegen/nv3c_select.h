/* SPDX-License-Identifier: MIT */
/*
 * Declares the parts of the translation from NIR to instructions that are
 * common to both stages.
 */
#ifndef NV3C_SELECT_H
#define NV3C_SELECT_H

#include "codegen/nv3c_ir.h"
#include "compiler/nir/nir.h"

struct nv3c_select {
   struct nv3c_program *p;
   nir_shader *nir;
   /* For each SSA definition (nir_def.index): the source that reads it. */
   struct nv3c_src *def;
   /*
    * For each SSA definition: the only instruction that computes it, or NULL.
    */
   struct nv3c_insn **producer;

   /*
    * The sources from which A0 is loaded. nv3c_src.address is 1 + an index into
    * this array.
    */
   struct util_dynarray addresses;
   unsigned address;  /* nv3c_src.address of the current value of A0 */

   /*
    * These functions translate instructions whose translation depends on the
    * stage. They return false for an unknown instruction.
    */
   bool (*intrinsic)(struct nv3c_select *sel, nir_intrinsic_instr *intr);
   bool (*tex)(struct nv3c_select *sel, nir_tex_instr *tex);
   bool (*alu)(struct nv3c_select *sel, nir_alu_instr *alu);
   void *data;
};

/* Translates all of sel->nir. Records errors in sel->p. */
void
nv3c_select_nir(struct nv3c_select *sel);

/*
 * Emits and returns an instruction. If the sources need another value of A0,
 * first loads this value.
 */
struct nv3c_insn *
nv3c_select_emit(struct nv3c_select *sel, enum nv3c_op op, unsigned temp,
                 unsigned mask, struct nv3c_src a, struct nv3c_src b,
                 struct nv3c_src c);

/* Emits the instruction that computes @def, and returns the instruction. */
struct nv3c_insn *
nv3c_select_def(struct nv3c_select *sel, nir_def *def, enum nv3c_op op,
                struct nv3c_src a, struct nv3c_src b, struct nv3c_src c);

/*
 * Emits an instruction that writes a new temporary, and returns a source that
 * reads the temporary.
 */
struct nv3c_src
nv3c_select_temp(struct nv3c_select *sel, unsigned mask, enum nv3c_op op,
                 struct nv3c_src a, struct nv3c_src b);

struct nv3c_src
nv3c_alu_src(const struct nv3c_select *sel, const nir_alu_instr *alu,
             unsigned s);

static inline struct nv3c_src
nv3c_select_src(const struct nv3c_select *sel, const nir_src *src)
{
   return sel->def[src->ssa->index];
}

/* Returns a source that reads the vec4 of uniforms at @base. */
struct nv3c_src
nv3c_select_uniform(unsigned base);

/*
 * Returns a source that reads uniform vec4 @base + A0, where A0 has the value
 * of @address. The array of uniforms that A0 indexes starts at vec4 @array
 * and has @size vec4s.
 */
struct nv3c_src
nv3c_select_indexed(struct nv3c_select *sel, unsigned base,
                    struct nv3c_src address, unsigned array, unsigned size);

/*
 * Returns the mask of the components of the coordinate source that @op
 * (NV3C_TEX to NV3C_TXD) reads. The components are s, t, r (or the reference
 * value), and one of projector, bias and level.
 */
unsigned
nv3c_tex_lanes(const nir_tex_instr *tex, enum nv3c_op op);

/*
 * Returns true if the class supports the sampler type of @tex: the dimension,
 * the array flag and the shadow flag.
 */
bool
nv3c_tex_has_target(const nir_tex_instr *tex);

/* Returns a source whose component i is component @first + i of @src. */
struct nv3c_src
nv3c_shift_components(struct nv3c_src src, unsigned first);

#endif
