/* SPDX-License-Identifier: MIT */
/*
 * Conditions of fragment programs. The engine has one condition register of
 * four components. An instruction may write this register instead of a
 * temporary. A later instruction can test this register, and writes only the
 * components whose conditions pass the test. The pass lowers NV3C_SEL to such
 * instructions:
 *
 *    SEL d, a, b, c   ->   MOV condition, a
 *                          MOV d, c
 *                          MOV d, b where the condition is not 0
 *
 * The first MOV is unnecessary if an instruction such as a comparison computes
 * a, and if a is read only as a condition. In this case, the pass repeats
 * this instruction with the condition register as its destination.
 */
#include "codegen/nv3c_ir.h"

#include <string.h>

#include "util/bitscan.h"
#include "util/ralloc.h"

struct conditions {
   struct nv3c_program *p;
   /*
    * For each temporary: its last definition, the number of its definitions,
    * and the number of its reads that are not conditions.
    */
   struct nv3c_insn **def;
   unsigned *def_count;
   unsigned *other_reads;

   /*
    * The contents of the condition register: each component holds the value
    * that lane 0 of @src reads. @age is the value of @time at the component's
    * last use.
    */
   struct {
      bool valid;
      struct nv3c_src src; /* lane 0 */
      unsigned age;
   } component[4];
   unsigned time;
};

static bool
is_condition(const struct nv3c_insn *insn, unsigned s)
{
   return s == 0 && (insn->op == NV3C_SEL || insn->op == NV3C_KIL);
}

static void
collect(struct conditions *c)
{
   struct nv3c_program *p = c->p;
   unsigned count = nv3c_temp_count(p) + 1;

   c->def = rzalloc_array(p->mem, struct nv3c_insn *, count);
   c->def_count = rzalloc_array(p->mem, unsigned, count);
   c->other_reads = rzalloc_array(p->mem, unsigned, count);
   nv3c_foreach_insn(p, insn) {
      if (insn->mask) {
         c->def[insn->temp] = insn;
         c->def_count[insn->temp]++;
      }
      for (unsigned s = 0; s < nv3c_ops[insn->op].sources; s++) {
         if (insn->src[s].file == NV3C_FILE_TEMP && !is_condition(insn, s))
            c->other_reads[insn->src[s].index]++;
      }
   }
}

/* ---- the condition register -------------------------------------------- */

static bool
reads_same(const struct nv3c_src *a, const struct nv3c_src *b)
{
   if (a->file != b->file || a->neg != b->neg || a->abs != b->abs)
      return false;
   if (a->file == NV3C_FILE_CONST)
      return nv3c_same_scalar(a->lane[0], b->lane[0]);
   return a->index == b->index && a->swizzle[0] == b->swizzle[0];
}

/*
 * Returns the component of the condition register that holds the value of lane
 * 0 of @src, or -1.
 */
static int
find_component(const struct conditions *c, const struct nv3c_src *src)
{
   for (unsigned i = 0; i < 4; i++) {
      if (c->component[i].valid && reads_same(&c->component[i].src, src))
         return i;
   }
   return -1;
}

/*
 * Returns the instruction that computes @src if it can be repeated with the
 * condition register as its destination, otherwise NULL.
 */
static const struct nv3c_insn *
repeatable(const struct conditions *c, const struct nv3c_src *src)
{
   const struct nv3c_insn *def;

   if (src->file != NV3C_FILE_TEMP || src->neg || src->abs ||
       c->other_reads[src->index] || c->def_count[src->index] != 1)
      return NULL;
   def = c->def[src->index];
   if (def->op == NV3C_SEL || def->test != NV3C_TEST_ALWAYS ||
       !nv3c_is_lanewise(def) ||
       nv3c_temp(c->p, src->index)->to_end)
      return NULL;
   return def;
}

/*
 * Inserts an instruction before @before that loads the components in @mask of
 * the condition register. Component i receives the value that lane i of @src
 * reads.
 */
static void
load(struct conditions *c, struct nv3c_insn *before, struct nv3c_src src,
     unsigned mask)
{
   const struct nv3c_insn *def = repeatable(c, &src);
   struct nv3c_insn *insn =
      nv3c_new_insn(c->p, def ? def->op : NV3C_MOV);

   insn->set_condition = true;
   insn->mask = mask;
   if (def) {
      insn->saturate = def->saturate;
      for (unsigned s = 0; s < nv3c_ops[def->op].sources; s++)
         insn->src[s] = nv3c_swizzle(def->src[s], src.swizzle);
   } else {
      insn->src[0] = src;
   }
   list_addtail(&insn->link, &before->link);
   u_foreach_bit(i, mask) {
      c->component[i].valid = true;
      c->component[i].src = nv3c_splat(src, i);
      c->component[i].age = c->time;
   }
}

static unsigned
oldest_component(const struct conditions *c)
{
   unsigned oldest = 0;

   for (unsigned i = 0; i < 4; i++) {
      if (!c->component[i].valid)
         return i;
      if (c->component[i].age < c->component[oldest].age)
         oldest = i;
   }
   return oldest;
}

/*
 * For each lane in @lanes, sets @swizzle to the component of the condition
 * register that holds the value that this lane of @src reads. If a value is
 * not in the register, first loads the values with load().
 */
static void
prepare(struct conditions *c, struct nv3c_insn *before, struct nv3c_src src,
        unsigned lanes, uint8_t swizzle[4])
{
   struct nv3c_src first = nv3c_splat(src, ffs(lanes) - 1);
   bool scalar = true, found = true;

   c->time++;
   u_foreach_bit(i, lanes) {
      struct nv3c_src one = nv3c_splat(src, i);
      int component = find_component(c, &one);

      scalar &= reads_same(&one, &first);
      found &= component >= 0;
      swizzle[i] = MAX2(component, 0);
   }
   if (!found && scalar) {
      unsigned component = oldest_component(c);

      load(c, before, first, 1u << component);
      memset(swizzle, component, 4);
   } else if (!found) {
      load(c, before, src, lanes);
      u_foreach_bit(i, lanes)
         swizzle[i] = i;
   }
   u_foreach_bit(i, lanes)
      c->component[swizzle[i]].age = c->time;
   for (unsigned i = 0; i < 4; i++) {
      if (!(lanes & 1u << i))
         swizzle[i] = swizzle[ffs(lanes) - 1];
   }
}

/* ---- instructions ------------------------------------------------------ */

static void
lower_kill(struct conditions *c, struct nv3c_insn *insn)
{
   const struct nv3c_src *src = &insn->src[0];

   /*
    * A constant condition kills every fragment or none. Remove the instruction
    * if it kills none.
    */
   if (src->file == NV3C_FILE_CONST && !src->lane[0].uniform) {
      if (!src->lane[0].value)
         list_del(&insn->link);
      insn->test = NV3C_TEST_ALWAYS;
   } else {
      prepare(c, insn, *src, 1, insn->test_swizzle);
      memset(insn->test_swizzle, insn->test_swizzle[0], 4);
      insn->test = NV3C_TEST_NE;
   }
   insn->src[0] = nv3c_no_src();
}

static void
lower_select(struct conditions *c, struct nv3c_insn *insn)
{
   struct nv3c_insn *no = nv3c_new_insn(c->p, NV3C_MOV);

   prepare(c, insn, insn->src[0], insn->mask, insn->test_swizzle);
   no->temp = insn->temp;
   no->mask = insn->mask;
   no->saturate = insn->saturate;
   no->src[0] = insn->src[2];
   list_addtail(&no->link, &insn->link);
   insn->op = NV3C_MOV;
   insn->test = NV3C_TEST_NE;
   insn->src[0] = insn->src[1];
   insn->src[1] = insn->src[2] = nv3c_no_src();
}

void
nv3c_lower_selects(struct nv3c_program *p)
{
   struct conditions c = { .p = p };

   collect(&c);
   nv3c_foreach_insn_safe(p, insn) {
      if (insn->op == NV3C_KIL)
         lower_kill(&c, insn);
      else if (insn->op == NV3C_SEL)
         lower_select(&c, insn);
   }
}
