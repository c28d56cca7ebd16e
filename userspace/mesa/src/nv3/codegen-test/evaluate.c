/* SPDX-License-Identifier: MIT */
#include "evaluate.h"

#include <stdlib.h>
#include <string.h>

#include "compiler/nir/nir_constant_expressions.h"
#include "util/bitscan.h"
#include "util/u_math.h"

#define ALL ((1u << LANES) - 1)
/* The maximum number of loop iterations. All tests need fewer iterations. */
#define LOOP_MAX 10000

struct value {
   nir_const_value lane[LANES][NIR_MAX_VEC_COMPONENTS];
};

struct run {
   struct evaluate *e;
   struct value *def;               /* values of SSA definitions, by index */
   /* last block that each lane has executed, for phis */
   const nir_block *last[LANES];
   /* masks of lanes that have left the loop or the iteration */
   unsigned broken, continued;
};

static const struct value *
get(const struct run *r, const nir_src *src)
{
   return &r->def[src->ssa->index];
}

static float
get_float(const struct run *r, const nir_src *src, unsigned lane, unsigned c)
{
   return get(r, src)->lane[lane][c].f32;
}

/* ---- operations -------------------------------------------------------- */

/* Evaluates an operation for the lanes in @mask. */
static void
run_alu(struct run *r, const nir_alu_instr *alu, unsigned mask)
{
   const nir_op_info *info = &nir_op_infos[alu->op];
   unsigned bits = alu->def.bit_size;

   /*
    * Determine the number of bits in the same way as
    * nir_opt_constant_folding().
    */
   if (info->output_type & NIR_ALU_TYPE_SIZE_MASK)
      bits = 0;
   for (unsigned s = 0; s < info->num_inputs; s++) {
      if (!(info->input_types[s] & NIR_ALU_TYPE_SIZE_MASK))
         bits = alu->src[s].src.ssa->bit_size;
   }
   if (!bits)
      bits = 32;
   u_foreach_bit(lane, mask) {
      nir_const_value storage[NIR_MAX_VEC_COMPONENTS][NIR_MAX_VEC_COMPONENTS];
      nir_const_value *src[NIR_MAX_VEC_COMPONENTS];

      for (unsigned s = 0; s < info->num_inputs; s++) {
         const struct value *v = get(r, &alu->src[s].src);

         for (unsigned c = 0; c < nir_ssa_alu_instr_src_components(alu, s); c++)
            storage[s][c] = v->lane[lane][alu->src[s].swizzle[c]];
         src[s] = storage[s];
      }
      nir_eval_const_opcode(alu->op, r->def[alu->def.index].lane[lane],
                            alu->def.num_components, bits, src, 0);
   }
}

static void
run_load_const(struct run *r, const nir_load_const_instr *load)
{
   for (unsigned lane = 0; lane < LANES; lane++)
      memcpy(r->def[load->def.index].lane[lane], load->value,
             load->def.num_components * sizeof(nir_const_value));
}

/*
 * Computes fine derivatives along y if @vertical is set, otherwise along x.
 * Lane 1 is to the right of lane 0, and lane 2 is below lane 0.
 */
static void
run_derivative(struct run *r, const nir_def *def, const nir_src *src,
               const uint8_t *swizzle, bool vertical)
{
   for (unsigned lane = 0; lane < LANES; lane++) {
      unsigned first = vertical ? lane & 1 : lane & 2;
      unsigned second = first + (vertical ? 2 : 1);

      for (unsigned c = 0; c < def->num_components; c++) {
         unsigned from = swizzle ? swizzle[c] : c;

         r->def[def->index].lane[lane][c].f32 =
            get_float(r, src, second, from) - get_float(r, src, first, from);
      }
   }
}

/* ---- intrinsics -------------------------------------------------------- */

static void
set_floats(struct run *r, const nir_def *def,
           const float value[4][LANES], unsigned first)
{
   for (unsigned lane = 0; lane < LANES; lane++) {
      for (unsigned c = 0; c < def->num_components; c++)
         r->def[def->index].lane[lane][c].f32 = value[first + c][lane];
   }
}

static void
set_front_face(struct run *r, const nir_def *def)
{
   for (unsigned lane = 0; lane < LANES; lane++) {
      if (def->bit_size == 1)
         r->def[def->index].lane[lane][0].b = r->e->front;
      else
         r->def[def->index].lane[lane][0].i32 = r->e->front ? ~0 : 0;
   }
}

static unsigned
io_slot(const struct run *r, nir_intrinsic_instr *intr, unsigned base)
{
   return base + get(r, nir_get_io_offset_src(intr))->lane[0][0].u32;
}

static void
load_input(struct run *r, nir_intrinsic_instr *intr)
{
   bool vertex = r->e->nir->info.stage == MESA_SHADER_VERTEX;
   unsigned slot = io_slot(r, intr, vertex ?
                           nir_intrinsic_base(intr) :
                           nir_intrinsic_io_semantics(intr).location);

   if (!vertex && slot == VARYING_SLOT_FACE)
      set_front_face(r, &intr->def);
   else
      set_floats(r, &intr->def, r->e->input[slot],
                 nir_intrinsic_component(intr));
}

/* Loads a uniform. The buffer contains integers and booleans as floats. */
static void
load_uniform(struct run *r, const nir_intrinsic_instr *intr)
{
   nir_alu_type type =
      nir_alu_type_get_base_type(nir_intrinsic_dest_type(intr));

   for (unsigned lane = 0; lane < LANES; lane++) {
      unsigned at = nir_intrinsic_base(intr) +
                    get(r, &intr->src[0])->lane[lane][0].u32;

      for (unsigned c = 0; c < intr->def.num_components; c++) {
         nir_const_value *to = &r->def[intr->def.index].lane[lane][c];
         float x = at < UNIFORMS ? r->e->uniforms[at][c] : 0;

         if (type == nir_type_float)
            to->f32 = x;
         else if (intr->def.bit_size == 1)
            to->b = x != 0;
         else
            to->i32 = x;
      }
   }
}

static void
store_output(struct run *r, nir_intrinsic_instr *intr, unsigned mask)
{
   unsigned slot = io_slot(r, intr, nir_intrinsic_io_semantics(intr).location);
   unsigned first = nir_intrinsic_component(intr);

   u_foreach_bit(c, nir_intrinsic_write_mask(intr)) {
      u_foreach_bit(lane, mask)
         r->e->output[slot][first + c][lane] =
            get_float(r, &intr->src[0], lane, c);
      r->e->written[slot] |= 1u << (first + c);
   }
}

static void
kill_lanes(struct run *r, const nir_src *condition, unsigned mask)
{
   u_foreach_bit(lane, mask) {
      if (!condition || get(r, condition)->lane[lane][0].b)
         r->e->killed |= 1u << lane;
   }
}

static void
run_intrinsic(struct run *r, nir_intrinsic_instr *intr, unsigned mask)
{
   switch (intr->intrinsic) {
   case nir_intrinsic_load_input:
   case nir_intrinsic_load_interpolated_input:
      load_input(r, intr);
      break;
   case nir_intrinsic_load_barycentric_pixel:
   case nir_intrinsic_load_barycentric_centroid:
      break;
   case nir_intrinsic_load_frag_coord:
      set_floats(r, &intr->def, r->e->input[VARYING_SLOT_POS], 0);
      break;
   case nir_intrinsic_load_point_coord:
      set_floats(r, &intr->def, r->e->point_coord, 0);
      break;
   case nir_intrinsic_load_front_face:
      set_front_face(r, &intr->def);
      break;
   case nir_intrinsic_load_uniform:
      load_uniform(r, intr);
      break;
   case nir_intrinsic_store_output:
      store_output(r, intr, mask);
      break;
   case nir_intrinsic_terminate:
   case nir_intrinsic_demote:
      kill_lanes(r, NULL, mask);
      break;
   case nir_intrinsic_terminate_if:
   case nir_intrinsic_demote_if:
      kill_lanes(r, &intr->src[0], mask);
      break;
   case nir_intrinsic_ddx:
   case nir_intrinsic_ddx_fine:
   case nir_intrinsic_ddx_coarse:
      run_derivative(r, &intr->def, &intr->src[0], NULL, false);
      break;
   case nir_intrinsic_ddy:
   case nir_intrinsic_ddy_fine:
   case nir_intrinsic_ddy_coarse:
      run_derivative(r, &intr->def, &intr->src[0], NULL, true);
      break;
   default:
      r->e->unknown = nir_intrinsic_infos[intr->intrinsic].name;
      break;
   }
}

/* ---- textures ---------------------------------------------------------- */

static void
get_tex_source(struct run *r, struct evaluate_tex *t, const nir_tex_instr *tex,
               const nir_tex_src *src, float projector[LANES])
{
   for (unsigned lane = 0; lane < LANES; lane++) {
      unsigned count = src->src.ssa->num_components;

      for (unsigned c = 0; c < count && c < 4; c++) {
         float x = get_float(r, &src->src, lane, c);

         switch (src->src_type) {
         case nir_tex_src_coord:
            t->coord[c][lane] = x;
            break;
         case nir_tex_src_projector:
            projector[lane] = x;
            break;
         case nir_tex_src_comparator:
            t->coord[2][lane] = x;
            break;
         case nir_tex_src_bias:
         case nir_tex_src_lod:
            t->w[lane] = x;
            break;
         case nir_tex_src_ddx:
            t->gradient[0][MIN2(c, 2)][lane] = x;
            break;
         case nir_tex_src_ddy:
            t->gradient[1][MIN2(c, 2)][lane] = x;
            break;
         default:
            r->e->unknown = "a source of a texture access";
            break;
         }
      }
   }
}

static void
run_tex(struct run *r, const nir_tex_instr *tex)
{
   struct evaluate_tex t = {
      .op = tex->op,
      .unit = tex->texture_index,
      .shadow = tex->is_shadow,
   };
   float projector[LANES] = { 1, 1, 1, 1 };

   for (unsigned i = 0; i < tex->num_srcs; i++)
      get_tex_source(r, &t, tex, &tex->src[i], projector);
   if (tex->sampler_dim == GLSL_SAMPLER_DIM_1D) {
      for (unsigned lane = 0; lane < LANES; lane++)
         t.coord[1][lane] = 0.5f * projector[lane];
   }
   for (unsigned c = 0; c < 3; c++) {
      for (unsigned lane = 0; lane < LANES; lane++)
         t.coord[c][lane] /= projector[lane];
   }
   r->e->tex(r->e->data, &t);
   set_floats(r, &tex->def, t.result, 0);
}

/* ---- control flow ------------------------------------------------------ */

static void
run_phi(struct run *r, nir_phi_instr *phi, unsigned mask, struct value *to)
{
   u_foreach_bit(lane, mask) {
      nir_foreach_phi_src(src, phi) {
         if (src->pred == r->last[lane])
            memcpy(to->lane[lane], get(r, &src->src)->lane[lane],
                   sizeof(to->lane[lane]));
      }
   }
}

/*
 * Executes the phis of a block. All phis must read their sources before any
 * phi writes its result.
 */
static void
run_phis(struct run *r, nir_block *block, unsigned mask)
{
   struct value results[64];
   unsigned count = 0, i = 0;

   nir_foreach_phi(phi, block) {
      if (count < ARRAY_SIZE(results))
         run_phi(r, phi, mask, &results[count++]);
      else
         r->e->unknown = "many phis";
   }
   nir_foreach_phi(phi, block) {
      if (i == count)
         break;
      u_foreach_bit(lane, mask)
         memcpy(r->def[phi->def.index].lane[lane], results[i].lane[lane],
                sizeof(results[i].lane[lane]));
      i++;
   }
}

/*
 * Executes a jump. Returns the mask of the lanes that continue with the next
 * node, which is always 0.
 */
static unsigned
run_jump(struct run *r, const nir_jump_instr *jump, unsigned mask)
{
   switch (jump->type) {
   case nir_jump_break:
      r->broken |= mask;
      break;
   case nir_jump_continue:
      r->continued |= mask;
      break;
   default:
      r->e->unknown = "a jump";
      break;
   }
   return 0;
}

static unsigned
run_block(struct run *r, nir_block *block, unsigned mask)
{
   unsigned next = mask;

   run_phis(r, block, mask);
   nir_foreach_instr(instr, block) {
      switch (instr->type) {
      case nir_instr_type_alu: {
         const nir_alu_instr *alu = nir_instr_as_alu(instr);

         run_alu(r, alu, mask);
         break;
      }
      case nir_instr_type_load_const:
         run_load_const(r, nir_instr_as_load_const(instr));
         break;
      case nir_instr_type_intrinsic:
         run_intrinsic(r, nir_instr_as_intrinsic(instr), mask);
         break;
      case nir_instr_type_tex:
         run_tex(r, nir_instr_as_tex(instr));
         break;
      case nir_instr_type_jump:
         next = run_jump(r, nir_instr_as_jump(instr), mask);
         break;
      case nir_instr_type_phi:
      case nir_instr_type_undef:
      case nir_instr_type_deref:
         break;
      default:
         r->e->unknown = "a type of instruction";
         break;
      }
   }
   u_foreach_bit(lane, mask)
      r->last[lane] = block;
   return next;
}

static unsigned
run_list(struct run *r, struct exec_list *list, unsigned mask);

static unsigned
run_if(struct run *r, nir_if *nif, unsigned mask)
{
   unsigned yes = 0;

   u_foreach_bit(lane, mask) {
      if (get(r, &nif->condition)->lane[lane][0].b)
         yes |= 1u << lane;
   }
   mask &= ~yes;
   if (yes)
      yes = run_list(r, &nif->then_list, yes);
   if (mask)
      mask = run_list(r, &nif->else_list, mask);
   return yes | mask;
}

static unsigned
run_loop(struct run *r, nir_loop *loop, unsigned mask)
{
   unsigned broken = r->broken, continued = r->continued, left = mask;

   r->broken = 0;
   for (unsigned i = 0; left && !r->e->unknown; i++) {
      r->continued = 0;
      left = run_list(r, &loop->body, left) | r->continued;
      if (i == LOOP_MAX)
         r->e->unknown = "a long loop";
   }
   mask = r->broken;
   r->broken = broken;
   r->continued = continued;
   return mask;
}

static unsigned
run_list(struct run *r, struct exec_list *list, unsigned mask)
{
   foreach_list_typed(nir_cf_node, node, node, list) {
      if (!mask || r->e->unknown)
         return 0;
      switch (node->type) {
      case nir_cf_node_block:
         mask = run_block(r, nir_cf_node_as_block(node), mask);
         break;
      case nir_cf_node_if:
         mask = run_if(r, nir_cf_node_as_if(node), mask);
         break;
      case nir_cf_node_loop:
         mask = run_loop(r, nir_cf_node_as_loop(node), mask);
         break;
      default:
         r->e->unknown = "a kind of control flow";
         break;
      }
   }
   return mask;
}

void
evaluate(struct evaluate *e)
{
   nir_function_impl *impl = nir_shader_get_entrypoint(e->nir);
   struct run r = {
      .e = e,
      .def = calloc(impl->ssa_alloc, sizeof(struct value)),
   };

   run_list(&r, &impl->body, ALL);
   free(r.def);
}
