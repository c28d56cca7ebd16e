/* SPDX-License-Identifier: MIT */
/*
 * Each instruction can read only:
 *
 * - one input (attribute);
 * - in vertex programs, one constant register, which is a vec4 of uniforms or
 *   has up to four immediates;
 * - in fragment programs, one inline constant of four scalars, which may be
 *   uniforms and immediates.
 *
 * If an instruction exceeds these limits, this pass moves the excess inputs and
 * constants to temporaries before the instruction. Inputs and constants do not
 * change, so later instructions may read the same temporaries.
 */
#include "codegen/nv3c_ir.h"

#include "util/bitscan.h"
#include "util/u_math.h"

/* A temporary that holds constants. Its component i is set.scalar[i]. */
struct moved_const {
   struct nv3c_insn *mov;
   struct nv3c_scalars set;
};

struct moved_input {
   struct nv3c_insn *mov;
   unsigned input;
};

struct legalizer {
   struct nv3c_program *p;
   struct util_dynarray consts; /* struct moved_const */
   struct util_dynarray inputs; /* struct moved_input */
};

/* ---- sets of scalars --------------------------------------------------- */

/*
 * True if one vertex instruction can read both constants. This requires that
 * both are in the same vec4 of uniforms, or that both are immediates.
 */
static bool
same_register(struct nv3c_scalar a, struct nv3c_scalar b)
{
   if (a.uniform != b.uniform)
      return false;
   return !a.uniform || a.value / 4 == b.value / 4;
}

/*
 * Adds to @set the scalars that @lanes of @src read. Returns false if one
 * constant can't contain all these scalars.
 */
static bool
add_scalars(const struct legalizer *l, struct nv3c_scalars *set,
            const struct nv3c_src *src, unsigned lanes)
{
   u_foreach_bit(i, lanes) {
      if ((l->p->stage == MESA_SHADER_VERTEX && set->count &&
           !same_register(set->scalar[0], src->lane[i])) ||
          nv3c_add_scalar(set, src->lane[i]) < 0)
         return false;
   }
   return true;
}

/* ---- moves ------------------------------------------------------------- */

static struct nv3c_insn *
insert_move(struct legalizer *l, struct nv3c_insn *before)
{
   struct nv3c_insn *mov = nv3c_new_insn(l->p, NV3C_MOV);

   mov->temp = nv3c_new_temp(l->p);
   list_addtail(&mov->link, &before->link);
   return mov;
}

static bool
is_moved(const struct legalizer *l, struct nv3c_scalar scalar)
{
   util_dynarray_foreach(&l->consts, struct moved_const, moved) {
      if (nv3c_find_scalar(&moved->set, scalar) >= 0)
         return true;
   }
   return false;
}

/*
 * Returns a temporary for the scalars that @lanes of @src read. Prefers an
 * existing temporary that contains the scalars or has room for them. The caller
 * must add each scalar with add_component().
 */
static struct moved_const *
move_scalars(struct legalizer *l, struct nv3c_insn *before,
             const struct nv3c_src *src, unsigned lanes)
{
   struct moved_const fresh = { NULL };

   util_dynarray_foreach(&l->consts, struct moved_const, moved) {
      struct nv3c_scalars set = moved->set;

      if (l->p->reuse_moves && add_scalars(l, &set, src, lanes))
         return moved;
   }
   fresh.mov = insert_move(l, before);
   fresh.mov->src[0] = (struct nv3c_src){ .file = NV3C_FILE_CONST };
   util_dynarray_append(&l->consts, struct moved_const, fresh);
   return util_dynarray_top_ptr(&l->consts, struct moved_const);
}

static unsigned
add_component(struct moved_const *moved, struct nv3c_scalar scalar)
{
   int component = nv3c_add_scalar(&moved->set, scalar);

   moved->mov->src[0].lane[component] = scalar;
   moved->mov->mask |= 1u << component;
   return component;
}

/*
 * Returns the mask of the lanes whose constants fit into one register
 * together with the first lane's constant.
 */
static unsigned
lanes_of_register(const struct legalizer *l, const struct nv3c_src *src,
                  unsigned lanes)
{
   unsigned result = 0;
   struct nv3c_scalars set = { .count = 0 };

   u_foreach_bit(i, lanes) {
      if (add_scalars(l, &set, src, 1u << i))
         result |= 1u << i;
   }
   return result;
}

/*
 * Moves constants from several registers to the components of one temporary.
 * Returns a source that reads the temporary.
 */
static struct nv3c_src
gather(struct legalizer *l, struct nv3c_insn *before,
       const struct nv3c_src *src, unsigned lanes)
{
   unsigned temp = nv3c_new_temp(l->p);
   struct nv3c_src result = nv3c_src_temp(temp);

   while (lanes) {
      struct nv3c_insn *mov = nv3c_new_insn(l->p, NV3C_MOV);

      mov->temp = temp;
      mov->mask = lanes_of_register(l, src, lanes);
      mov->src[0] = *src;
      mov->src[0].neg = mov->src[0].abs = false;
      list_addtail(&mov->link, &before->link);
      lanes &= ~mov->mask;
   }
   result.neg = src->neg;
   result.abs = src->abs;
   return result;
}

/*
 * Moves a constant that is indexed by A0 to a temporary, and returns a source
 * that reads the temporary. Later instructions do not reuse the temporary,
 * because A0 may change.
 */
static struct nv3c_src
move_indexed(struct legalizer *l, struct nv3c_insn *before,
             const struct nv3c_src *src, unsigned lanes)
{
   struct nv3c_insn *mov = insert_move(l, before);
   struct nv3c_src result = nv3c_src_temp(mov->temp);

   mov->mask = lanes;
   mov->src[0] = *src;
   mov->src[0].neg = mov->src[0].abs = false;
   result.neg = src->neg;
   result.abs = src->abs;
   return result;
}

static void
move_const(struct legalizer *l, struct nv3c_insn *insn, unsigned s)
{
   struct nv3c_src *src = &insn->src[s], result;
   unsigned lanes = nv3c_read_lanes(insn, s);
   struct nv3c_scalars set = { .count = 0 };
   struct moved_const *moved;

   if (src->address) {
      *src = move_indexed(l, insn, src, lanes);
      return;
   }
   if (!add_scalars(l, &set, src, lanes)) {
      *src = gather(l, insn, src, lanes);
      return;
   }
   moved = move_scalars(l, insn, src, lanes);
   result = nv3c_src_temp(moved->mov->temp);
   result.neg = src->neg;
   result.abs = src->abs;
   u_foreach_bit(i, lanes)
      result.swizzle[i] = add_component(moved, src->lane[i]);
   *src = result;
}

static void
move_input(struct legalizer *l, struct nv3c_insn *insn, unsigned s)
{
   struct nv3c_src *src = &insn->src[s];
   unsigned components = nv3c_components(src, nv3c_read_lanes(insn, s));
   struct moved_input *found = NULL, fresh = { .input = src->index };

   util_dynarray_foreach(&l->inputs, struct moved_input, moved) {
      if (l->p->reuse_moves && moved->input == src->index)
         found = moved;
   }
   if (!found) {
      fresh.mov = insert_move(l, insn);
      fresh.mov->src[0] = nv3c_src_input(src->index);
      util_dynarray_append(&l->inputs, struct moved_input, fresh);
      found = util_dynarray_top_ptr(&l->inputs, struct moved_input);
   }
   found->mov->mask |= components;
   src->file = NV3C_FILE_TEMP;
   src->index = found->mov->temp;
}

/* ---- instructions ------------------------------------------------------ */

static bool
has_all_moved(const struct legalizer *l, const struct nv3c_insn *insn,
              unsigned s)
{
   if (!l->p->reuse_moves || insn->src[s].address)
      return false;
   u_foreach_bit(i, nv3c_read_lanes(insn, s)) {
      if (!is_moved(l, insn->src[s].lane[i]))
         return false;
   }
   return true;
}

/*
 * True if one constant register or inline constant can contain all scalars
 * that the constant sources read.
 */
static bool
consts_fit(const struct legalizer *l, const struct nv3c_insn *insn)
{
   struct nv3c_scalars set = { .count = 0 };
   bool indexed = false;

   for (unsigned s = 0; s < nv3c_ops[insn->op].sources; s++) {
      if (insn->src[s].file != NV3C_FILE_CONST)
         continue;
      if (indexed || (insn->src[s].address && set.count))
         return false;
      indexed = insn->src[s].address;
      if (!add_scalars(l, &set, &insn->src[s], nv3c_read_lanes(insn, s)))
         return false;
   }
   return true;
}

/*
 * Returns the index of the constant source to move. Prefers a source whose
 * scalars have already been moved to a temporary. If there is no such source,
 * returns the last constant source.
 */
static unsigned
choose_const(const struct legalizer *l, const struct nv3c_insn *insn)
{
   unsigned last = 0;

   for (unsigned s = 0; s < nv3c_ops[insn->op].sources; s++) {
      if (insn->src[s].file != NV3C_FILE_CONST)
         continue;
      if (has_all_moved(l, insn, s))
         return s;
      last = s;
   }
   return last;
}

static void
legalize_consts(struct legalizer *l, struct nv3c_insn *insn)
{
   while (!consts_fit(l, insn))
      move_const(l, insn, choose_const(l, insn));
}

static void
legalize_inputs(struct legalizer *l, struct nv3c_insn *insn)
{
   const struct nv3c_src *first = NULL;

   for (unsigned s = 0; s < nv3c_ops[insn->op].sources; s++) {
      if (insn->src[s].file != NV3C_FILE_INPUT)
         continue;
      if (!first)
         first = &insn->src[s];
      else if (insn->src[s].index != first->index)
         move_input(l, insn, s);
   }
}

void
nv3c_legalize(struct nv3c_program *p)
{
   struct legalizer l = { .p = p };

   util_dynarray_init(&l.consts, p->mem);
   util_dynarray_init(&l.inputs, p->mem);
   nv3c_foreach_insn(p, insn) {
      legalize_consts(&l, insn);
      legalize_inputs(&l, insn);
   }
}
