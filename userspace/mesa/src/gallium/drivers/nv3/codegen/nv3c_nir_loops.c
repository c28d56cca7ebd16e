/* SPDX-License-Identifier: MIT */
/*
 * Unrolls the loops that nir_opt_loop_unroll() leaves: loops around loops, loops
 * with many exits, and loops whose number of iterations is not known.
 *
 * The body is repeated, each time in a branch on a flag that is set where the
 * loop is left. Constant folding removes the branches of a loop whose number of
 * iterations is known after all. A barrier follows the last repetition, in such
 * a branch, too: if it is still there after optimizations, the loop might have
 * gone on.
 */
#include "codegen/nv3c_nir.h"

#include "compiler/nir/nir_builder.h"
#include "compiler/nir/nir_control_flow.h"

/* Iterations at most, if the number is not known. */
#define UNKNOWN_MAX 128

#define MARKER nir_intrinsic_begin_invocation_interlock

struct unroll {
   nir_builder b;
   nir_def *left; /* register: the loop has been left */
   nir_def *skip; /* register: the rest of the iteration is skipped */
};

/* ---- jumps ------------------------------------------------------------ */

static void
set_flag(nir_builder *b, nir_def *reg, bool value)
{
   nir_store_reg(b, nir_imm_bool(b, value), reg);
}

static nir_if *
push_unless(nir_builder *b, nir_def *reg)
{
   return nir_push_if(b, nir_inot(b, nir_load_reg(b, reg)));
}

static bool
lower_jumps(struct unroll *u, struct exec_list *list);

static bool
lower_jump(struct unroll *u, nir_block *block)
{
   nir_instr *last = nir_block_last_instr(block);

   if (!last || last->type != nir_instr_type_jump)
      return false;
   u->b.cursor = nir_before_instr(last);
   if (nir_instr_as_jump(last)->type == nir_jump_break)
      set_flag(&u->b, u->left, true);
   set_flag(&u->b, u->skip, true);
   nir_instr_remove(last);
   return true;
}

/* Lets all that follows @nif in @list run only if it has not been skipped. */
static void
guard_rest(struct unroll *u, struct exec_list *list, nir_if *nif)
{
   nir_cf_list rest;
   nir_if *guard;

   nir_cf_extract(&rest, nir_after_cf_node(&nif->cf_node),
                  nir_after_cf_list(list));
   u->b.cursor = nir_after_cf_node(&nif->cf_node);
   guard = push_unless(&u->b, u->skip);
   nir_pop_if(&u->b, guard);
   nir_cf_reinsert(&rest, nir_before_cf_list(&guard->then_list));
   lower_jumps(u, &guard->then_list);
}

/* Replaces jumps of an iteration. Returns true if there were any. */
static bool
lower_jumps(struct unroll *u, struct exec_list *list)
{
   foreach_list_typed(nir_cf_node, node, node, list) {
      if (node->type == nir_cf_node_block) {
         if (lower_jump(u, nir_cf_node_as_block(node)))
            return true;
      } else if (node->type == nir_cf_node_if) {
         nir_if *nif = nir_cf_node_as_if(node);
         bool jumps = lower_jumps(u, &nif->then_list);

         jumps |= lower_jumps(u, &nif->else_list);
         if (jumps) {
            guard_rest(u, list, nif);
            return true;
         }
      }
      /* Jumps in an inner loop are its own. */
   }
   return false;
}

/* ---- repetition -------------------------------------------------------- */

static unsigned
count_instrs(struct exec_list *list)
{
   unsigned count = 0;

   foreach_list_typed(nir_cf_node, node, node, list) {
      nir_foreach_block_in_cf_node(block, node) {
         nir_foreach_instr(instr, block) {
            count += instr->type == nir_instr_type_alu ||
                     instr->type == nir_instr_type_tex;
         }
      }
   }
   return count;
}

/* How often the body is repeated so that about @budget instructions result. */
static unsigned
count_iterations(const nir_loop *loop, unsigned budget)
{
   unsigned cost = count_instrs((struct exec_list *)&loop->body);

   if (loop->info->limiting_terminator && loop->info->max_trip_count)
      return MIN2(loop->info->max_trip_count, budget) + 1;
   return CLAMP(budget / MAX2(cost, 1), 2, UNKNOWN_MAX);
}

static void
repeat(struct unroll *u, nir_loop *loop, unsigned iterations)
{
   nir_cf_list body, copy;

   nir_cf_list_extract(&body, &loop->body);
   u->b.cursor = nir_before_cf_node(&loop->cf_node);
   set_flag(&u->b, u->left, false);
   for (unsigned i = 0; i < iterations; i++) {
      nir_if *nif;

      u->b.cursor = nir_before_cf_node(&loop->cf_node);
      nif = push_unless(&u->b, u->left);
      set_flag(&u->b, u->skip, false);
      nir_pop_if(&u->b, nif);
      nir_cf_list_clone(&copy, &body, loop->cf_node.parent, NULL);
      nir_cf_reinsert(&copy, nir_after_cf_list(&nif->then_list));
   }
   u->b.cursor = nir_before_cf_node(&loop->cf_node);
   push_unless(&u->b, u->left);
   nir_begin_invocation_interlock(&u->b);
   nir_pop_if(&u->b, NULL);
   nir_cf_delete(&body);
   nir_cf_node_remove(&loop->cf_node);
}

/* ---- loops --------------------------------------------------------------- */

static nir_loop *
find_loop(struct exec_list *list)
{
   foreach_list_typed(nir_cf_node, node, node, list) {
      nir_loop *loop = NULL;

      if (node->type == nir_cf_node_loop)
         return nir_cf_node_as_loop(node);
      if (node->type == nir_cf_node_if) {
         loop = find_loop(&nir_cf_node_as_if(node)->then_list);
         if (!loop)
            loop = find_loop(&nir_cf_node_as_if(node)->else_list);
      }
      if (loop)
         return loop;
   }
   return NULL;
}

static unsigned
count_loops(struct exec_list *list)
{
   unsigned count = 0;

   foreach_list_typed(nir_cf_node, node, node, list) {
      if (node->type == nir_cf_node_loop)
         count++;
      if (node->type == nir_cf_node_if)
         count += count_loops(&nir_cf_node_as_if(node)->then_list) +
                  count_loops(&nir_cf_node_as_if(node)->else_list);
   }
   return count;
}

bool
nv3c_nir_unroll_loop(nir_shader *s, unsigned budget)
{
   nir_function_impl *impl = nir_shader_get_entrypoint(s);
   nir_loop *loop = find_loop(&impl->body);
   struct unroll u = { .b = nir_builder_create(impl) };
   unsigned iterations;

   if (!loop)
      return false;
   nir_metadata_require(impl, nir_metadata_loop_analysis,
                        s->options->force_indirect_unrolling,
                        (int)s->options->force_indirect_unrolling_sampler);
   iterations = count_iterations(loop, budget / count_loops(&impl->body));
   nir_convert_loop_to_lcssa(loop);
   nir_convert_from_ssa(s, true, false);
   u.left = nir_decl_reg(&u.b, 1, 1, 0);
   u.skip = nir_decl_reg(&u.b, 1, 1, 0);
   lower_jumps(&u, &loop->body);
   repeat(&u, loop, iterations);
   nir_metadata_preserve(impl, nir_metadata_none);
   nir_lower_reg_intrinsics_to_ssa(s);
   return true;
}

static bool
remove_marker(nir_builder *b, nir_intrinsic_instr *intr, void *data)
{
   if (intr->intrinsic != MARKER)
      return false;
   nir_instr_remove(&intr->instr);
   return true;
}

bool
nv3c_nir_remove_loop_ends(nir_shader *s)
{
   return nir_shader_intrinsics_pass(s, remove_marker,
                                     nir_metadata_control_flow, NULL);
}
