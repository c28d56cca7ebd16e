/* SPDX-License-Identifier: MIT */
/*
 * Assigns registers to the temporaries of a program without control flow. A
 * temporary is in use from the first instruction that writes it to the last
 * instruction that reads or writes it.
 *
 * Scalars share registers, because vertex programs have only 28 registers. In
 * TGSI, a scalar is component x of a temporary. It can move to any component of
 * a register, and the instruction that computes the scalar then writes this
 * component. A vector stays in the components that TGSI uses.
 */
#include "codegen/nv3c_tgsi.h"

#include "tgsi/tgsi_info.h"
#include "util/bitscan.h"
#include "util/ralloc.h"
#include "util/u_math.h"

struct temp {
   unsigned first, last;  /* indices of instructions */
   uint8_t mask;          /* components that instructions write */
   bool fixed;            /* the components can't move to others */
   uint16_t reg;
   uint8_t component;     /* of the register, unless @fixed */
};

struct allocator {
   struct temp *temps;
   /*
    * For each component of each register: the index of the last instruction
    * that uses it.
    */
   unsigned (*busy)[4];
   unsigned reg_count;
};

static void
find_ranges(struct allocator *a, const struct nv3c_translator *t)
{
   unsigned ip = 0;

   util_dynarray_foreach(&t->insns, struct nv3c_insn, insn) {
      for (unsigned s = 0; s < 3; s++) {
         if (insn->src[s].file == TGSI_FILE_TEMPORARY)
            a->temps[insn->src[s].index].last = ip;
      }
      if (insn->file == TGSI_FILE_TEMPORARY) {
         struct temp *temp = &a->temps[insn->index];

         if (!temp->mask)
            temp->first = ip;
         temp->last = ip;
         temp->mask |= insn->mask;
         /* Texture instructions write each component of a texel in place. */
         temp->fixed |= temp->mask != TGSI_WRITEMASK_X ||
                        tgsi_get_opcode_info(insn->op)->is_tex;
      }
      ip++;
   }
}

/*
 * Returns the mask of the components of a register that are free when
 * instruction @ip writes its result.
 */
static unsigned
free_components(const struct allocator *a, unsigned reg, unsigned ip)
{
   unsigned mask = 0;

   for (unsigned c = 0; c < 4; c++)
      mask |= a->busy[reg][c] <= ip ? 1u << c : 0;
   return mask;
}

/* Assigns the first register with enough free components. */
static void
assign(struct allocator *a, struct temp *temp)
{
   unsigned mask = free_components(a, 0, temp->first);

   temp->reg = 0;
   while (temp->fixed ? temp->mask & ~mask : !mask)
      mask = free_components(a, ++temp->reg, temp->first);
   temp->component = ffs(mask) - 1;
   u_foreach_bit(c, temp->fixed ? temp->mask : 1u << temp->component)
      a->busy[temp->reg][c] = temp->last;
   a->reg_count = MAX2(a->reg_count, temp->reg + 1u);
}

static void
replace_temps(const struct allocator *a, struct nv3c_insn *insn)
{
   for (unsigned s = 0; s < 3; s++) {
      struct nv3c_src *src = &insn->src[s];
      const struct temp *temp;

      if (src->file != TGSI_FILE_TEMPORARY)
         continue;
      temp = &a->temps[src->index];
      src->index = temp->reg;
      for (unsigned i = 0; i < 4 && !temp->fixed; i++)
         src->swizzle[i] = temp->component;
   }
   if (insn->file == TGSI_FILE_TEMPORARY) {
      const struct temp *temp = &a->temps[insn->index];

      insn->index = temp->reg;
      if (temp->fixed)
         return;
      insn->mask = 1u << temp->component;
      /*
       * In TGSI, the instruction computes component x from the sources'
       * components x. Read these as all components.
       */
      for (unsigned s = 0; s < 3; s++) {
         if (!(nv3c_ops[insn->op].lanes[s] & ~TGSI_WRITEMASK_X))
            insn->src[s] = nv3c_splat(insn->src[s], 0);
      }
   }
}

void
nv3c_assign_registers(struct nv3c_translator *t)
{
   struct allocator a = {
      .temps = rzalloc_array(t->program->mem, struct temp, t->temps + 1),
      .busy = rzalloc_size(t->program->mem, (t->temps + 1) * sizeof(*a.busy)),
   };
   unsigned ip = 0;

   find_ranges(&a, t);
   util_dynarray_foreach(&t->insns, struct nv3c_insn, insn) {
      if (insn->file == TGSI_FILE_TEMPORARY &&
          a.temps[insn->index].first == ip)
         assign(&a, &a.temps[insn->index]);
      ip++;
   }
   util_dynarray_foreach(&t->insns, struct nv3c_insn, insn)
      replace_temps(&a, insn);
   t->temps = a.reg_count;
   ralloc_free(a.temps);
   ralloc_free(a.busy);
}
