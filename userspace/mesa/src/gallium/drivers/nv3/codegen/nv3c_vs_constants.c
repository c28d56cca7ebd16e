/* SPDX-License-Identifier: MIT */
/*
 * Assigns constant registers of vertex programs. Uniform vec4 i is in
 * register i, so that A0 can select any uniform. Immediates are packed into
 * the registers after the last uniform, and several instructions can use the
 * same register. An instruction reads only one constant register, so all
 * immediates of an instruction are in the same register.
 */
#include "codegen/nv3c_stage.h"

#include <stdlib.h>

#include "util/bitscan.h"
#include "util/bitset.h"
#include "util/ralloc.h"
#include "util/u_math.h"

/*
 * The maximum number of unused uniforms between two used uniforms of a range.
 * Loading the unused uniforms costs less than beginning another range.
 */
#define GAP_MAX 2

struct constants {
   struct nv3c_program *p;
   struct util_dynarray immediates; /* struct nv3c_scalars */
   BITSET_DECLARE(used, NV3C_VS_CONSTANTS); /* uniforms */
   unsigned first; /* register of the first immediate */
};

/* ---- uniforms ---------------------------------------------------------- */

static void
use_uniforms(struct constants *c, const struct nv3c_src *src, unsigned lanes)
{
   u_foreach_bit(i, lanes) {
      unsigned vec4 = src->lane[i].value / 4;

      if (vec4 >= NV3C_VS_CONSTANTS)
         nv3c_error(c->p, "more than %u uniforms", NV3C_VS_CONSTANTS);
      else
         BITSET_SET(c->used, vec4);
   }
}

/* Marks all uniforms of an array as used, because A0 may select any of them. */
static void
use_array(struct constants *c, const struct nv3c_src *src)
{
   for (unsigned i = 0; i < src->array_size; i++) {
      if (src->array_base + i < NV3C_VS_CONSTANTS)
         BITSET_SET(c->used, src->array_base + i);
   }
}

static void
list_uniforms(struct constants *c, struct nv3c_vs *vs)
{
   struct nv3c_vs_uniforms *range = NULL;

   vs->uniforms = calloc(NV3C_VS_CONSTANTS, sizeof(*vs->uniforms));
   if (!vs->uniforms) {
      nv3c_error(c->p, "no memory");
      return;
   }
   for (unsigned i = 0; i < NV3C_VS_CONSTANTS; i++) {
      if (!BITSET_TEST(c->used, i))
         continue;
      if (range && i <= range->uniform + range->count + GAP_MAX) {
         range->count = i + 1 - range->uniform;
      } else {
         range = &vs->uniforms[vs->uniform_range_count++];
         range->reg = range->uniform = i;
         range->count = 1;
      }
      c->first = i + 1;
   }
   for (unsigned i = 0; i < vs->uniform_range_count; i++)
      vs->stats.constants += vs->uniforms[i].count;
}

/* ---- immediates -------------------------------------------------------- */

/*
 * Adds to @imm the immediates that @insn reads. Returns false if @imm has no
 * room.
 */
static bool
add_immediates(struct nv3c_scalars *imm, const struct nv3c_insn *insn)
{
   for (unsigned s = 0; s < nv3c_ops[insn->op].sources; s++) {
      const struct nv3c_src *src = &insn->src[s];

      if (src->file != NV3C_FILE_CONST || nv3c_reads_uniform(insn, s))
         continue;
      u_foreach_bit(i, nv3c_read_lanes(insn, s)) {
         if (nv3c_add_scalar(imm, src->lane[i]) < 0)
            return false;
      }
   }
   return true;
}

/*
 * Adds the immediates of @insn to an element of c->immediates with room, or
 * to a new element. Returns the index of this element.
 */
static unsigned
find_register(struct constants *c, const struct nv3c_insn *insn)
{
   const struct nv3c_scalars none = { .count = 0 };
   unsigned i = 0;

   util_dynarray_foreach(&c->immediates, struct nv3c_scalars, imm) {
      struct nv3c_scalars extended = *imm;

      if (add_immediates(&extended, insn)) {
         *imm = extended;
         return i;
      }
      i++;
   }
   util_dynarray_append(&c->immediates, struct nv3c_scalars, none);
   add_immediates(util_dynarray_top_ptr(&c->immediates, struct nv3c_scalars),
                  insn);
   return i;
}

static void
list_immediates(struct constants *c, struct nv3c_vs *vs)
{
   unsigned count = util_dynarray_num_elements(&c->immediates,
                                               struct nv3c_scalars);

   if (c->first + count > NV3C_VS_CONSTANTS) {
      nv3c_error(c->p, "more than %u constants", NV3C_VS_CONSTANTS);
      return;
   }
   vs->immediates = calloc(MAX2(count, 1), sizeof(*vs->immediates));
   if (!vs->immediates) {
      nv3c_error(c->p, "no memory");
      return;
   }
   for (unsigned i = 0; i < count; i++) {
      const struct nv3c_scalars *imm =
         util_dynarray_element(&c->immediates, struct nv3c_scalars, i);

      vs->immediates[i].reg = c->first + i;
      for (unsigned k = 0; k < 4; k++)
         vs->immediates[i].value[k] = k < imm->count ? uif(imm->scalar[k].value) : 0;
      vs->stats.immediates += imm->count;
   }
   vs->immediate_count = count;
   vs->stats.constants += count;
}

/* ---- sources ----------------------------------------------------------- */

static void
assign_uniform(struct nv3c_src *src, unsigned lanes)
{
   src->index = src->lane[ffs(lanes) - 1].value / 4;
   u_foreach_bit(i, lanes)
      src->swizzle[i] = src->lane[i].value % 4;
}

static void
assign_immediate(struct constants *c, struct nv3c_src *src, unsigned lanes,
                 unsigned reg)
{
   const struct nv3c_scalars *imm =
      util_dynarray_element(&c->immediates, struct nv3c_scalars, reg);

   src->index = c->first + reg;
   u_foreach_bit(i, lanes)
      src->swizzle[i] = MAX2(nv3c_find_scalar(imm, src->lane[i]), 0);
}

static void
assign(struct constants *c, struct nv3c_insn *insn)
{
   unsigned reg = ~0u;

   for (unsigned s = 0; s < nv3c_ops[insn->op].sources; s++) {
      struct nv3c_src *src = &insn->src[s];
      unsigned lanes = nv3c_read_lanes(insn, s);

      if (src->file != NV3C_FILE_CONST)
         continue;
      for (unsigned i = 0; i < 4; i++)
         src->swizzle[i] = 0;
      if (nv3c_reads_uniform(insn, s)) {
         assign_uniform(src, lanes);
         continue;
      }
      if (reg == ~0u)
         reg = find_register(c, insn);
      assign_immediate(c, src, lanes, reg);
   }
}

void
nv3c_vs_assign_constants(struct nv3c_program *p, struct nv3c_vs *vs)
{
   struct constants c = { .p = p };

   util_dynarray_init(&c.immediates, p->mem);
   nv3c_foreach_insn(p, insn) {
      for (unsigned s = 0; s < nv3c_ops[insn->op].sources; s++) {
         const struct nv3c_src *src = &insn->src[s];

         if (src->file != NV3C_FILE_CONST || !nv3c_reads_uniform(insn, s))
            continue;
         if (src->address)
            use_array(&c, src);
         else
            use_uniforms(&c, src, nv3c_read_lanes(insn, s));
      }
   }
   list_uniforms(&c, vs);
   if (p->error)
      return;
   nv3c_foreach_insn(p, insn)
      assign(&c, insn);
   list_immediates(&c, vs);
}
