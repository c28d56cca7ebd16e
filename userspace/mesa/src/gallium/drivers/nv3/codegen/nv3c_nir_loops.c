/* SPDX-License-Identifier: MIT */
/*
 * Unrolls loops, because the class has no control flow.
 *
 * nv3c_nir_unroll_loop() unrolls loops that nir_opt_loop_unroll() does not
 * unroll: loops that contain loops, loops with several exits, and loops whose
 * number of iterations is not known.
 *
 * Copies of the loop's body replace the loop. Each copy is in a branch that is
 * taken unless a flag is set. A jump that leaves the loop sets the flag. If the
 * number of iterations turns out to be known, constant folding removes these
 * branches. After the last copy, another such branch contains a barrier. If the
 * barrier still exists after optimizations, the loop may need more iterations
 * than there are copies.
 *
 * The number of iterations often depends only on uniforms. In this case, a
 * driver can compile a variant for each combination of these uniforms' values
 * (nv3c_inline_uniforms()).
 */
#include "codegen/nv3c.h"
#include "codegen/nv3c_nir.h"

#include "compiler/nir/nir_builder.h"
#include "compiler/nir/nir_control_flow.h"
#include "util/set.h"

/*
 * The maximum number of copies of a loop's body if the number of iterations is
 * not known.
 */
#define UNKNOWN_MAX 128

#define MARKER nir_intrinsic_begin_invocation_interlock

struct unroll {
   nir_builder b;
   nir_def *left; /* register: true if the loop has been left */
   nir_def *skip; /* register: true if the rest of the iteration is skipped */
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

/*
 * Moves the nodes that follow @nif in @list into a branch, which is taken
 * unless @u->skip is set.
 */
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

/*
 * Replaces the jumps in @list, a part of an iteration, by assignments to
 * flags. Returns true if @list contained a jump.
 */
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
      /* Jumps in an inner loop do not affect this loop. */
   }
   return false;
}

/* ---- repetition -------------------------------------------------------- */

static unsigned
count_instrs(nir_loop *loop)
{
   unsigned count = 0;

   nir_foreach_block_in_cf_node(block, &loop->cf_node) {
      nir_foreach_instr(instr, block) {
         count += instr->type == nir_instr_type_alu ||
                  instr->type == nir_instr_type_tex;
      }
   }
   return count;
}

/* Returns how deeply loops in @list are nested, or 0 if there are none. */
static unsigned
nesting_depth(struct exec_list *list)
{
   unsigned depth = 0;

   foreach_list_typed(nir_cf_node, node, node, list) {
      unsigned d = 0;

      if (node->type == nir_cf_node_loop)
         d = 1 + nesting_depth(&nir_cf_node_as_loop(node)->body);
      if (node->type == nir_cf_node_if)
         d = MAX2(nesting_depth(&nir_cf_node_as_if(node)->then_list),
                  nesting_depth(&nir_cf_node_as_if(node)->else_list));
      depth = MAX2(depth, d);
   }
   return depth;
}

/*
 * Returns the number of copies of the loop's body. If the maximum number of
 * iterations is not known, the copies together have about @budget instructions,
 * provided that inner loops have as many iterations as this loop.
 */
static unsigned
count_iterations(nir_loop *loop, unsigned budget)
{
   unsigned cost = count_instrs(loop);
   unsigned depth = 1 + nesting_depth(&loop->body);

   if (loop->info->limiting_terminator && loop->info->max_trip_count)
      return MIN2(loop->info->max_trip_count, budget) + 1;
   return CLAMP(powf((float)budget / MAX2(cost, 1), 1.0f / depth), 2,
                UNKNOWN_MAX);
}

static void
repeat(struct unroll *u, nir_loop *loop, unsigned iterations)
{
   nir_cf_list body;

   nir_cf_list_extract(&body, &loop->body);
   u->b.cursor = nir_before_cf_node(&loop->cf_node);
   set_flag(&u->b, u->left, false);
   for (unsigned i = 0; i < iterations; i++) {
      nir_if *nif;

      u->b.cursor = nir_before_cf_node(&loop->cf_node);
      nif = push_unless(&u->b, u->left);
      set_flag(&u->b, u->skip, false);
      nir_pop_if(&u->b, nif);
      nir_cf_list_clone_and_reinsert(&body, loop->cf_node.parent,
                                     nir_after_cf_list(&nif->then_list), NULL);
   }
   u->b.cursor = nir_before_cf_node(&loop->cf_node);
   push_unless(&u->b, u->left);
   nir_begin_invocation_interlock(&u->b);
   nir_pop_if(&u->b, NULL);
   nir_cf_delete(&body);
   nir_cf_node_remove(&loop->cf_node);
}

/* ---- loops ------------------------------------------------------------- */

/*
 * Returns the first outermost loop, or NULL. Sets @count to the number of
 * outermost loops.
 */
static nir_loop *
find_loop(nir_function_impl *impl, unsigned *count)
{
   nir_block *block = nir_start_block(impl);
   nir_loop *first = NULL;

   *count = 0;
   while (block) {
      nir_loop *loop = nir_block_get_following_loop(block);

      if (loop) {
         (*count)++;
         first = first ? first : loop;
         block = nir_cf_node_cf_tree_next(&loop->cf_node);
      } else {
         block = nir_block_cf_tree_next(block);
      }
   }
   return first;
}

bool
nv3c_nir_unroll_loop(nir_shader *s, unsigned *budget)
{
   nir_function_impl *impl = nir_shader_get_entrypoint(s);
   struct unroll u = { .b = nir_builder_create(impl) };
   unsigned count, iterations, share;
   nir_loop *loop = find_loop(impl, &count);

   if (!loop)
      return false;
   nir_metadata_require(impl, nir_metadata_loop_analysis,
                        s->options->force_indirect_unrolling,
                        (int)s->options->force_indirect_unrolling_sampler);
   share = *budget / count;
   iterations = count_iterations(loop, share);
   /* If there are inner loops, their copies need the share. */
   if (!nesting_depth(&loop->body))
      *budget -= MIN2(iterations * count_instrs(loop), share);
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

/* ---- loop uniforms ----------------------------------------------------- */

struct collection {
   struct set *visited;  /* scalars: address of the nir_def + component */
   uint16_t *floats;
   unsigned count;
};

static bool
is_direct_uniform(const nir_intrinsic_instr *intr)
{
   return intr->intrinsic == nir_intrinsic_load_uniform &&
          nir_src_is_const(intr->src[0]);
}

/*
 * Returns the index of the float in buffer 0 that component 0 of @load reads.
 */
static unsigned
first_float(const nir_intrinsic_instr *load)
{
   return 4 * (nir_intrinsic_base(load) + nir_src_as_uint(load->src[0]));
}

static bool
add_float(struct collection *c, unsigned number)
{
   for (unsigned i = 0; i < c->count; i++) {
      if (c->floats[i] == number)
         return true;
   }
   if (c->count == NV3C_LOOP_UNIFORMS)
      return false;
   c->floats[c->count++] = number;
   return true;
}

/*
 * Adds to @c the uniforms on which @scalar depends. Returns false if @c is
 * full, or if @scalar also depends on values other than uniforms and constants.
 */
static bool
collect(struct collection *c, nir_scalar scalar)
{
   nir_intrinsic_instr *load;
   nir_instr *instr;
   unsigned sources;
   bool visited;

   scalar = nir_scalar_chase_movs(scalar);
   instr = scalar.def->parent_instr;
   _mesa_set_search_or_add(c->visited, (char *)scalar.def + scalar.comp,
                           &visited);
   if (visited)
      return true;
   switch (instr->type) {
   case nir_instr_type_load_const:
   case nir_instr_type_undef:
      return true;
   case nir_instr_type_alu:
      sources = nir_op_infos[nir_scalar_alu_op(scalar)].num_inputs;
      for (unsigned i = 0; i < sources; i++) {
         if (!collect(c, nir_scalar_chase_alu_src(scalar, i)))
            return false;
      }
      return true;
   case nir_instr_type_phi:
      nir_foreach_phi_src(src, nir_instr_as_phi(instr)) {
         if (!collect(c, nir_get_scalar(src->src.ssa, scalar.comp)))
            return false;
      }
      return true;
   case nir_instr_type_intrinsic:
      load = nir_instr_as_intrinsic(instr);
      return is_direct_uniform(load) &&
             add_float(c, first_float(load) + scalar.comp);
   default:
      return false;
   }
}

/*
 * Adds to @c the uniforms on which the jump at the end of @block depends.
 * Returns false for the same reasons as collect().
 */
static bool
collect_jump(struct collection *c, const nir_block *block)
{
   nir_cf_node *node = block->cf_node.parent;

   for (; node->type == nir_cf_node_if; node = node->parent) {
      const nir_src *condition = &nir_cf_node_as_if(node)->condition;

      if (!collect(c, nir_get_scalar(condition->ssa, 0)))
         return false;
   }
   return true;
}

unsigned
nv3c_find_loop_uniforms(nir_shader *s, uint16_t floats[NV3C_LOOP_UNIFORMS])
{
   nir_shader *scalar = nir_shader_clone(NULL, s);
   struct collection c = {
      .visited = _mesa_pointer_set_create(NULL),
      .floats = floats,
   };
   bool found = true;

   /* nir_scalar_chase_alu_src() does not follow dot products. */
   NIR_PASS(_, scalar, nir_lower_alu_to_scalar, NULL, NULL);
   nir_foreach_block(block, nir_shader_get_entrypoint(scalar)) {
      if (nir_block_ends_in_jump(block))
         found = found && collect_jump(&c, block);
   }
   _mesa_set_destroy(c.visited, NULL);
   ralloc_free(scalar);
   return found ? c.count : 0;
}

struct inlining {
   unsigned count;
   const uint16_t *floats;
   const uint32_t *values;
};

static bool
inline_load(nir_builder *b, nir_intrinsic_instr *load, void *data)
{
   const struct inlining *in = data;
   nir_def *result = &load->def;

   if (!is_direct_uniform(load))
      return false;
   b->cursor = nir_after_instr(&load->instr);
   for (unsigned i = 0; i < in->count; i++) {
      const unsigned component = in->floats[i] - first_float(load);
      const float value = uif(in->values[i]);
      nir_def *constant;

      if (component >= load->def.num_components)
         continue;
      /* Buffer 0 stores uniforms of all types as floats. */
      constant = nir_intrinsic_dest_type(load) == nir_type_float32 ?
                 nir_imm_float(b, value) : nir_imm_int(b, value);
      result = nir_vector_insert_imm(b, result, constant, component);
   }
   if (result == &load->def)
      return false;
   nir_def_rewrite_uses_after(&load->def, result, result->parent_instr);
   return true;
}

void
nv3c_inline_uniforms(nir_shader *s, unsigned count, const uint16_t *floats,
                     const uint32_t *values)
{
   struct inlining in = { count, floats, values };

   NIR_PASS(_, s, nir_shader_intrinsics_pass, inline_load,
            nir_metadata_control_flow, &in);
}
