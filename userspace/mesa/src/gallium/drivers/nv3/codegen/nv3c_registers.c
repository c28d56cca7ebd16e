/* SPDX-License-Identifier: MIT */
/*
 * Assigns registers. Programs have no control flow, so a component is in use
 * from the first instruction that writes it to the last instruction that
 * reads it. Temporaries that need a particular register come first. All others
 * follow in the order of their first definitions. Each gets the first register
 * with room. Temporaries with fewer than four components may share a
 * register.
 */
#include "codegen/nv3c_ir.h"

#include "util/bitscan.h"
#include "util/macros.h"
#include "util/ralloc.h"
#include "util/u_qsort.h"

#define REGS_MAX 64

/*
 * The range in which a component is in use: after instruction @first writes
 * its result, until instruction @last reads its sources.
 */
struct range {
   unsigned first, last;
};

struct temp_ranges {
   unsigned components; /* mask of components that are written */
   struct range range[4];
   unsigned first;
};

struct allocator {
   struct nv3c_program *p;
   const uint16_t *regs;
   unsigned count;
   struct temp_ranges *temps;
   /*
    * For each register of @regs and each of its components: the ranges
    * (struct range) in which temporaries use it.
    */
   struct util_dynarray taken[REGS_MAX][4];
   unsigned used;
};

/* ---- ranges ------------------------------------------------------------ */

static void
add_write(struct allocator *a, const struct nv3c_insn *insn, unsigned ip)
{
   struct temp_ranges *t;

   if (!insn->mask || insn->set_condition)
      return;
   t = &a->temps[insn->temp];
   u_foreach_bit(c, insn->mask) {
      if (!(t->components & 1u << c))
         t->range[c].first = ip;
      t->range[c].last = MAX2(t->range[c].last, ip + 1);
   }
   t->components |= insn->mask;
   t->first = MIN2(t->first, ip);
   if (!nv3c_may_move_lanes(insn))
      nv3c_temp(a->p, insn->temp)->fixed = true;
}

static void
add_reads(struct allocator *a, const struct nv3c_insn *insn, unsigned ip)
{
   for (unsigned s = 0; s < nv3c_ops[insn->op].sources; s++) {
      const struct nv3c_src *src = &insn->src[s];

      if (src->file != NV3C_FILE_TEMP)
         continue;
      u_foreach_bit(c, nv3c_components(src, nv3c_read_lanes(insn, s))) {
         struct range *range = &a->temps[src->index].range[c];

         range->last = MAX2(range->last, ip);
      }
   }
}

static void
find_ranges(struct allocator *a)
{
   struct nv3c_program *p = a->p;

   nv3c_number(p);
   a->temps = rzalloc_array(p->mem, struct temp_ranges, nv3c_temp_count(p) + 1);
   for (unsigned i = 0; i < nv3c_temp_count(p); i++)
      a->temps[i].first = ~0u;
   nv3c_foreach_insn(p, insn) {
      add_reads(a, insn, insn->ip);
      add_write(a, insn, insn->ip);
      if (insn->paired) {
         add_reads(a, insn->paired, insn->ip);
         add_write(a, insn->paired, insn->ip);
      }
   }
   for (unsigned i = 0; i < nv3c_temp_count(p); i++) {
      for (unsigned c = 0; nv3c_temp(p, i)->to_end && c < 4; c++)
         a->temps[i].range[c].last = p->insn_count;
   }
}

/* ---- places ------------------------------------------------------------ */

static bool
is_free(const struct allocator *a, unsigned place, unsigned channel,
        const struct range *range)
{
   util_dynarray_foreach(&a->taken[place][channel], struct range, taken) {
      if (range->first < taken->last && taken->first < range->last)
         return false;
   }
   return true;
}

/*
 * Assigns a free channel of the register a->regs[@place] to each component of
 * the temporary in the mask @left, and stores the channels in @channel. @busy
 * is the mask of the channels that the temporary's other components use. If
 * @fixed is set, the channel of component i must be i. Returns false if there
 * are not enough free channels.
 */
static bool
find_channels(const struct allocator *a, unsigned place,
              const struct temp_ranges *t, unsigned left, unsigned busy,
              bool fixed, uint8_t channel[4])
{
   unsigned c = ffs(left) - 1;

   if (!left)
      return true;
   for (unsigned i = 0; i < 4; i++) {
      /* First try the channel with the same number as the component. */
      unsigned to = (c + i) % 4;

      if (fixed && to != c)
         break;
      if (busy & 1u << to || !is_free(a, place, to, &t->range[c]))
         continue;
      channel[c] = to;
      if (find_channels(a, place, t, left & ~(1u << c), busy | 1u << to, fixed,
                        channel))
         return true;
   }
   return false;
}

static void
take(struct allocator *a, unsigned temp, unsigned place,
     const uint8_t channel[4])
{
   struct nv3c_temp *t = nv3c_temp(a->p, temp);

   t->reg = a->regs[place];
   u_foreach_bit(c, a->temps[temp].components) {
      t->channel[c] = channel[c];
      util_dynarray_append(&a->taken[place][channel[c]], struct range,
                           a->temps[temp].range[c]);
   }
   a->used = MAX2(a->used, t->reg + 1u);
}

static bool
assign(struct allocator *a, unsigned temp)
{
   struct nv3c_temp *t = nv3c_temp(a->p, temp);
   const struct temp_ranges *ranges = &a->temps[temp];
   uint8_t channel[4] = { 0, 1, 2, 3 };

   for (unsigned i = 0; i < a->count; i++) {
      if ((t->reg == NV3C_NO_REG || t->reg == a->regs[i]) &&
          find_channels(a, i, ranges, ranges->components, 0, t->fixed,
                        channel)) {
         take(a, temp, i, channel);
         return true;
      }
   }
   return false;
}

/*
 * Compares two temporaries for the order of assignment. Temporaries that need
 * a particular register come first. All others follow in the order of their
 * first definitions.
 */
static int
compare_temps(const void *x, const void *y, void *data)
{
   const struct allocator *a = data;
   unsigned i = *(const unsigned *)x, k = *(const unsigned *)y;
   bool i_free = nv3c_temp(a->p, i)->reg == NV3C_NO_REG;
   bool k_free = nv3c_temp(a->p, k)->reg == NV3C_NO_REG;

   if (i_free != k_free)
      return i_free - k_free;
   if (a->temps[i].first != a->temps[k].first)
      return a->temps[i].first < a->temps[k].first ? -1 : 1;
   return i < k ? -1 : 1;
}

unsigned
nv3c_assign_registers(struct nv3c_program *p, const uint16_t *regs,
                      unsigned count)
{
   struct allocator *a = rzalloc(p->mem, struct allocator);
   unsigned temps = nv3c_temp_count(p);
   unsigned *order = rzalloc_array(p->mem, unsigned, temps + 1);

   assert(count <= REGS_MAX);
   a->p = p;
   a->regs = regs;
   a->count = count;
   for (unsigned i = 0; i < count; i++) {
      for (unsigned c = 0; c < 4; c++)
         util_dynarray_init(&a->taken[i][c], a);
   }
   find_ranges(a);
   for (unsigned i = 0; i < temps; i++)
      order[i] = i;
   util_qsort_r(order, temps, sizeof(*order), compare_temps, a);
   for (unsigned i = 0; i < temps && !p->error; i++) {
      if (a->temps[order[i]].components && !assign(a, order[i])) {
         p->out_of_registers = true;
         nv3c_error(p, "more than %u registers", count);
      }
   }
   return a->used;
}
