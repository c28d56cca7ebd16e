/* SPDX-License-Identifier: MIT */
/*
 * Removes results that no instruction reads, and redundant MOV instructions
 * (see nv3c_optimize() in nv3c_ir.h).
 */
#include "codegen/nv3c_ir.h"

#include "util/bitscan.h"
#include "util/ralloc.h"

/* A source of an instruction. */
struct use {
   struct nv3c_insn *insn;
   unsigned s;
};

struct temp_info {
   struct util_dynarray defs; /* struct nv3c_insn * */
   struct util_dynarray uses; /* struct use */
};

struct optimizer {
   struct nv3c_program *p;
   struct temp_info *temps;
   /*
    * For each output register and component, the number of instructions that
    * write it.
    */
   uint8_t output_writes[32][4];
};

/* ---- unused results ---------------------------------------------------- */

static void
add_reads(const struct nv3c_insn *insn, uint8_t *read)
{
   for (unsigned s = 0; s < nv3c_ops[insn->op].sources; s++) {
      const struct nv3c_src *src = &insn->src[s];

      if (src->file == NV3C_FILE_TEMP)
         read[src->index] |= nv3c_components(src, nv3c_read_lanes(insn, s));
   }
}

static bool
reads_address(const struct nv3c_insn *insn)
{
   for (unsigned s = 0; s < nv3c_ops[insn->op].sources; s++) {
      if (insn->src[s].address)
         return true;
   }
   return false;
}

static void
remove_unused(struct nv3c_program *p)
{
   unsigned count = nv3c_temp_count(p);
   uint8_t *read = rzalloc_array(p->mem, uint8_t, count + 1);
   bool address_read = false;

   for (unsigned i = 0; i < count; i++)
      read[i] = nv3c_temp(p, i)->to_end ? NV3C_XYZW : 0;
   list_for_each_entry_safe_rev(struct nv3c_insn, insn, &p->insns, link) {
      bool live = insn->op == NV3C_KIL || insn->output_mask ||
                  insn->set_condition;

      if (insn->op == NV3C_ARL) {
         live = address_read;
         address_read = false;
      } else if (!insn->set_condition) {
         insn->mask &= read[insn->temp];
         live |= insn->mask != 0;
      }
      if (!live) {
         list_del(&insn->link);
         continue;
      }
      address_read |= reads_address(insn);
      add_reads(insn, read);
   }
   ralloc_free(read);
}

/* ---- definitions and uses ---------------------------------------------- */

static void
collect(struct optimizer *o)
{
   struct nv3c_program *p = o->p;

   nv3c_number(p);
   o->temps = rzalloc_array(p->mem, struct temp_info, nv3c_temp_count(p) + 1);
   for (unsigned i = 0; i < nv3c_temp_count(p); i++) {
      util_dynarray_init(&o->temps[i].defs, o->temps);
      util_dynarray_init(&o->temps[i].uses, o->temps);
   }
   nv3c_foreach_insn(p, insn) {
      if (insn->mask && !insn->set_condition)
         util_dynarray_append(&o->temps[insn->temp].defs, struct nv3c_insn *,
                              insn);
      u_foreach_bit(i, insn->output_mask)
         o->output_writes[insn->output][i]++;
      for (unsigned s = 0; s < nv3c_ops[insn->op].sources; s++) {
         const struct use use = { insn, s };

         if (insn->src[s].file == NV3C_FILE_TEMP)
            util_dynarray_append(&o->temps[insn->src[s].index].uses, struct use,
                                 use);
      }
   }
}

static unsigned
use_count(const struct temp_info *info)
{
   return util_dynarray_num_elements(&info->uses, struct use);
}

static void
remove_use(struct temp_info *info, const struct nv3c_insn *insn)
{
   util_dynarray_foreach(&info->uses, struct use, use) {
      if (use->insn == insn) {
         *use = util_dynarray_pop(&info->uses, struct use);
         return;
      }
   }
}

/* ---- moving lanes ------------------------------------------------------ */

/*
 * For each component of a temporary, the mask of the components to which it is
 * moved.
 */
struct lane_map {
   uint8_t lanes[4];
};

static bool
is_identity(const struct lane_map *map, unsigned components)
{
   u_foreach_bit(c, components) {
      if (map->lanes[c] != 1u << c)
         return false;
   }
   return true;
}

static struct lane_map
map_of_move(const struct nv3c_insn *mov, unsigned mask)
{
   struct lane_map map = { { 0 } };

   u_foreach_bit(i, mask)
      map.lanes[mov->src[0].swizzle[i]] |= 1u << i;
   return map;
}

static unsigned
map_mask(const struct lane_map *map, unsigned mask)
{
   unsigned result = 0;

   u_foreach_bit(c, mask)
      result |= map->lanes[c];
   return result;
}

/*
 * Moves the lanes of @insn's result that are in @mask to the destinations in
 * @map.
 */
static void
move_lanes(struct nv3c_insn *insn, const struct lane_map *map, unsigned mask)
{
   struct nv3c_insn old = *insn;

   u_foreach_bit(c, mask) {
      u_foreach_bit(i, map->lanes[c]) {
         insn->test_swizzle[i] = old.test_swizzle[c];
         for (unsigned s = 0; s < nv3c_ops[insn->op].sources; s++) {
            if (!nv3c_ops[insn->op].lanes[s]) {
               insn->src[s].swizzle[i] = old.src[s].swizzle[c];
               insn->src[s].lane[i] = old.src[s].lane[c];
            }
         }
      }
   }
}

/*
 * True if each component of @temp has a destination in @map, and the
 * instructions that compute @temp can write to these destinations.
 */
static bool
may_map(const struct optimizer *o, unsigned temp, const struct lane_map *map)
{
   const struct nv3c_temp *t = nv3c_temp(o->p, temp);

   if (t->reg != NV3C_NO_REG)
      return false;
   util_dynarray_foreach(&o->temps[temp].defs, struct nv3c_insn *, def) {
      u_foreach_bit(c, (*def)->mask) {
         if (!map->lanes[c])
            return false;
      }
      if ((t->fixed || (*def)->output_mask || !nv3c_may_move_lanes(*def)) &&
          !is_identity(map, (*def)->mask))
         return false;
   }
   return true;
}

/* ---- moves to temporaries ---------------------------------------------- */

static bool
is_plain_move(const struct nv3c_insn *insn)
{
   return insn->op == NV3C_MOV && insn->src[0].file == NV3C_FILE_TEMP &&
          !insn->src[0].neg && !insn->src[0].abs &&
          insn->test == NV3C_TEST_ALWAYS && !insn->set_condition;
}

/*
 * True if the destination of @mov and the temporary @from can be merged. All
 * components of @from must be computed before @mov, and the destination of @mov
 * must not change while instructions read @from. Any other instruction that
 * writes the components that @mov writes must be conditional and follow @mov.
 */
static bool
may_share(const struct optimizer *o, const struct nv3c_insn *mov, unsigned from)
{
   util_dynarray_foreach(&o->temps[from].defs, struct nv3c_insn *, def) {
      if ((*def)->ip > mov->ip)
         return false;
   }
   util_dynarray_foreach(&o->temps[mov->temp].defs, struct nv3c_insn *, def) {
      if (*def == mov || !((*def)->mask & mov->mask))
         continue;
      if ((*def)->ip < mov->ip || (*def)->test == NV3C_TEST_ALWAYS)
         return false;
      util_dynarray_foreach(&o->temps[from].uses, struct use, use) {
         if (use->insn->ip > (*def)->ip)
            return false;
      }
   }
   return true;
}

/*
 * Replaces the components of temporary @from by components of temporary @to,
 * as @map specifies.
 */
static void
merge_temps(struct optimizer *o, unsigned from, unsigned to,
            const struct lane_map *map)
{
   struct temp_info *old = &o->temps[from], *new = &o->temps[to];

   util_dynarray_foreach(&old->defs, struct nv3c_insn *, def) {
      move_lanes(*def, map, (*def)->mask);
      (*def)->temp = to;
      (*def)->mask = map_mask(map, (*def)->mask);
      util_dynarray_append(&new->defs, struct nv3c_insn *, *def);
   }
   util_dynarray_foreach(&old->uses, struct use, use) {
      struct nv3c_src *src = &use->insn->src[use->s];

      src->index = to;
      for (unsigned i = 0; i < 4; i++) {
         if (map->lanes[src->swizzle[i]])
            src->swizzle[i] = ffs(map->lanes[src->swizzle[i]]) - 1;
      }
      util_dynarray_append(&new->uses, struct use, *use);
   }
   nv3c_temp(o->p, to)->fixed |= nv3c_temp(o->p, from)->fixed;
   util_dynarray_clear(&old->defs);
   util_dynarray_clear(&old->uses);
}

static void
remove_def(struct temp_info *info, const struct nv3c_insn *insn)
{
   util_dynarray_foreach(&info->defs, struct nv3c_insn *, def) {
      if (*def == insn) {
         *def = util_dynarray_pop(&info->defs, struct nv3c_insn *);
         return;
      }
   }
}

/*
 * Merges the temporary that @mov reads into the temporary that @mov writes.
 */
static void
merge_move(struct optimizer *o, struct nv3c_insn *mov)
{
   unsigned from = mov->src[0].index, to = mov->temp;
   struct lane_map map = map_of_move(mov, mov->mask);

   if (!is_plain_move(mov) || mov->saturate || mov->output_mask ||
       from == to || !may_map(o, from, &map) || !may_share(o, mov, from))
      return;
   remove_use(&o->temps[from], mov);
   remove_def(&o->temps[to], mov);
   list_del(&mov->link);
   merge_temps(o, from, to, &map);
}

/* ---- moves to outputs -------------------------------------------------- */

/*
 * Makes the instructions that compute @temp write the output of @mov instead.
 * No instruction other than @mov may read @temp.
 */
static void
redirect(struct optimizer *o, struct nv3c_insn *mov, unsigned temp,
         const struct lane_map *map)
{
   util_dynarray_foreach(&o->temps[temp].defs, struct nv3c_insn *, def) {
      move_lanes(*def, map, (*def)->mask);
      (*def)->output = mov->output;
      (*def)->output_mask = map_mask(map, (*def)->mask);
      (*def)->mask = 0;
      (*def)->saturate |= mov->saturate;
   }
   util_dynarray_clear(&o->temps[temp].defs);
   list_del(&mov->link);
}

/*
 * Makes the instructions that compute @temp write both @temp and the output
 * of @mov. Used if instructions other than @mov read @temp.
 */
static void
share(struct optimizer *o, struct nv3c_insn *mov, unsigned temp)
{
   util_dynarray_foreach(&o->temps[temp].defs, struct nv3c_insn *, def) {
      unsigned mask = (*def)->mask & mov->output_mask;

      if (mask) {
         (*def)->output = mov->output;
         (*def)->output_mask = mask;
      }
   }
   nv3c_temp(o->p, temp)->fixed = true;
   remove_use(&o->temps[temp], mov);
   list_del(&mov->link);
}

/* True if no instruction that computes @temp writes an output yet. */
static bool
has_no_output(const struct optimizer *o, unsigned temp)
{
   util_dynarray_foreach(&o->temps[temp].defs, struct nv3c_insn *, def) {
      if ((*def)->output_mask)
         return false;
   }
   return true;
}

static void
merge_output(struct optimizer *o, struct nv3c_insn *mov)
{
   unsigned temp = mov->src[0].index;
   struct lane_map map = map_of_move(mov, mov->output_mask);

   if (!is_plain_move(mov) || mov->mask || !has_no_output(o, temp))
      return;
   /*
    * Keep @mov if several instructions write the output, because the order of
    * their writes must not change.
    */
   u_foreach_bit(i, mov->output_mask) {
      if (o->output_writes[mov->output][i] > 1)
         return;
   }
   if (use_count(&o->temps[temp]) == 1) {
      if (may_map(o, temp, &map))
         redirect(o, mov, temp, &map);
   } else if (!mov->saturate && nv3c_temp(o->p, temp)->reg == NV3C_NO_REG &&
              is_identity(&map, nv3c_components(&mov->src[0],
                                                mov->output_mask))) {
      share(o, mov, temp);
   }
}

void
nv3c_optimize(struct nv3c_program *p)
{
   struct optimizer o = { .p = p };

   remove_unused(p);
   collect(&o);
   nv3c_foreach_insn_safe(p, insn) {
      if (insn->op != NV3C_MOV || insn->src[0].file != NV3C_FILE_TEMP)
         continue;
      if (insn->output_mask)
         merge_output(&o, insn);
      else if (insn->mask)
         merge_move(&o, insn);
   }
   ralloc_free(o.temps);
   remove_unused(p);
}
