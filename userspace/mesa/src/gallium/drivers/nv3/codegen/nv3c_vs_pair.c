/* SPDX-License-Identifier: MIT */
/*
 * Pairs operations of vertex programs. An instruction can execute both a vector
 * operation and a scalar operation. The two operations share one attribute, one
 * constant and one output. The scalar operation reads the instruction's source
 * 2, and can write only R1 and the output.
 */
#include "codegen/nv3c_stage.h"

#include "codegen/nv3c_vs_encoding.h"
#include "util/ralloc.h"

/* The indices of the first and the last instruction that use a temporary. */
struct range {
   unsigned first, last;
};

struct pairing {
   struct nv3c_program *p;
   struct range *range;               /* by temporary */
   struct util_dynarray in_scalar;    /* numbers of the temporaries in R1 */
};

static void
extend(struct range *range, unsigned ip)
{
   range->first = MIN2(range->first, ip);
   range->last = MAX2(range->last, ip);
}

static void
collect(struct pairing *pairing)
{
   struct nv3c_program *p = pairing->p;

   nv3c_number(p);
   pairing->range = rzalloc_array(p->mem, struct range, nv3c_temp_count(p) + 1);
   for (unsigned i = 0; i < nv3c_temp_count(p); i++)
      pairing->range[i].first = ~0u;
   nv3c_foreach_insn(p, insn) {
      if (insn->mask)
         extend(&pairing->range[insn->temp], insn->ip);
      for (unsigned s = 0; s < nv3c_ops[insn->op].sources; s++) {
         if (insn->src[s].file == NV3C_FILE_TEMP)
            extend(&pairing->range[insn->src[s].index], insn->ip);
      }
   }
}

/* ---- conditions -------------------------------------------------------- */

static bool
reads_temp(const struct nv3c_insn *insn, unsigned temp)
{
   for (unsigned s = 0; s < nv3c_ops[insn->op].sources; s++) {
      if (insn->src[s].file == NV3C_FILE_TEMP && insn->src[s].index == temp)
         return true;
   }
   return false;
}

/* True if @b reads a result of @a. */
static bool
feeds(const struct nv3c_insn *a, const struct nv3c_insn *b)
{
   return a->mask && reads_temp(b, a->temp);
}

static bool
same_source(const struct nv3c_src *a, const struct nv3c_src *b)
{
   for (unsigned i = 0; i < 4; i++) {
      if (a->swizzle[i] != b->swizzle[i])
         return false;
   }
   return a->file == b->file && a->index == b->index && a->neg == b->neg &&
          a->abs == b->abs && a->address == b->address;
}

/* True if the fields of one instruction can hold both sources. */
static bool
sources_fit(const struct nv3c_src *a, unsigned a_field, const struct nv3c_src *b,
            unsigned b_field)
{
   if (a_field == b_field && !same_source(a, b))
      return false;
   if (a->file != b->file ||
       (a->file != NV3C_FILE_INPUT && a->file != NV3C_FILE_CONST))
      return true;
   return a->index == b->index && a->address == b->address;
}

static bool
operations_fit(const struct nv3c_insn *vector, const struct nv3c_insn *scalar)
{
   if (nv3c_ops[vector->op].scalar || vector->paired ||
       vector->op == NV3C_ARL ||
       (vector->output_mask && scalar->output_mask))
      return false;
   for (unsigned s = 0; s < nv3c_ops[vector->op].sources; s++) {
      if (!sources_fit(&vector->src[s], nv3c_ops[vector->op].field[s],
                       &scalar->src[0], nv3c_ops[scalar->op].field[0]))
         return false;
   }
   return true;
}

/*
 * Assigns R1 to @temp, and extends the range of @temp to instruction @ip,
 * unless @temp already has a register. Returns false if R1 is not free.
 */
static bool
reserve(struct pairing *pairing, unsigned temp, unsigned ip)
{
   struct nv3c_temp *t = nv3c_temp(pairing->p, temp);
   struct range range = pairing->range[temp];

   if (t->reg != NV3C_NO_REG)
      return true;
   extend(&range, ip);
   util_dynarray_foreach(&pairing->in_scalar, unsigned, other) {
      const struct range *taken = &pairing->range[*other];

      if (range.first < taken->last && taken->first < range.last)
         return false;
   }
   pairing->range[temp] = range;
   t->reg = NV3C_VS_SCALAR_TEMP;
   util_dynarray_append(&pairing->in_scalar, unsigned, temp);
   return true;
}

/* ---- search ------------------------------------------------------------ */

static bool
try_pair(struct pairing *pairing, struct nv3c_insn *vector,
         struct nv3c_insn *scalar)
{
   if (!operations_fit(vector, scalar) ||
       (scalar->mask && !reserve(pairing, scalar->temp, vector->ip)))
      return false;
   list_del(&scalar->link);
   vector->paired = scalar;
   return true;
}

/*
 * Pairs a scalar operation with the closest earlier vector operation that can
 * share an instruction with it.
 */
static void
pair_above(struct pairing *pairing, struct nv3c_insn *scalar)
{
   list_for_each_entry_from_rev(struct nv3c_insn, insn, scalar->link.prev,
                                &pairing->p->insns, link) {
      if (feeds(insn, scalar) || (insn->paired && feeds(insn->paired, scalar)))
         return;
      if (scalar->src[0].address && insn->op == NV3C_ARL)
         return;
      if (try_pair(pairing, insn, scalar))
         return;
   }
}

void
nv3c_vs_pair(struct nv3c_program *p)
{
   struct pairing pairing = { .p = p };

   collect(&pairing);
   util_dynarray_init(&pairing.in_scalar, p->mem);
   nv3c_foreach_insn_safe(p, insn) {
      if (nv3c_ops[insn->op].scalar)
         pair_above(&pairing, insn);
   }
}
