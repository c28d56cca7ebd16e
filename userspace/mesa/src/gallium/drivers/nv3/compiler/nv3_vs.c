/* SPDX-License-Identifier: MIT */
/*
 * Vertex shaders as lists of operations. A shader without branches is one NIR
 * block, whose instructions are visited in order. The value of an unsupported
 * instruction is -1, which is an error only if an output depends on it.
 */
#include "compiler/nir/nir.h"
#include "compiler/nir/nir_builder.h"
#include "tgsi/tgsi_from_mesa.h"
#include "util/log.h"
#include "util/u_memory.h"

#include "compiler/nv3_expr.h"
#include "compiler/nv3_nir.h"
#include "compiler/nv3_vs.h"

struct analysis {
   struct nv3_vs_info *info;
   int16_t *ops;  /* for each component of each SSA value */
};

static void
fail(struct analysis *a, const char *reason)
{
   if (!a->info->reason)
      a->info->reason = reason;
}

static int16_t *
ops_of(struct analysis *a, const nir_def *def)
{
   return &a->ops[def->index * NIR_MAX_VEC_COMPONENTS];
}

static int
source(struct analysis *a, const nir_alu_instr *alu, unsigned src, unsigned c)
{
   return ops_of(a, alu->src[src].src.ssa)[alu->src[src].swizzle[c]];
}

static int
not_op(struct nv3_expr *expr, int x)
{
   return nv3_expr_binary(expr, NV3_OP_EQUAL, x, nv3_expr_const(expr, 0.0f));
}

static int
lerp_op(struct nv3_expr *expr, int x, int y, int t)
{
   int rest = nv3_expr_binary(expr, NV3_OP_ADD, y,
                              nv3_expr_unary(expr, NV3_OP_NEG, x));

   return nv3_expr_binary(expr, NV3_OP_ADD, x,
                          nv3_expr_binary(expr, NV3_OP_MUL, rest, t));
}

/* Adds a dot product of @count components. */
static int
dot_op(struct analysis *a, const nir_alu_instr *alu, unsigned count)
{
   struct nv3_expr *expr = &a->info->expr;
   int sum = -1;

   for (unsigned i = 0; i < count; i++) {
      int product = nv3_expr_binary(expr, NV3_OP_MUL, source(a, alu, 0, i),
                                    source(a, alu, 1, i));

      sum = i ? nv3_expr_binary(expr, NV3_OP_ADD, sum, product) : product;
   }
   return sum;
}

static int
alu_op(struct analysis *a, const nir_alu_instr *alu, unsigned c)
{
   struct nv3_expr *expr = &a->info->expr;
   unsigned count = nir_op_infos[alu->op].num_inputs;
   int x = source(a, alu, 0, c);
   int y = count > 1 ? source(a, alu, 1, c) : -1;
   int z = count > 2 ? source(a, alu, 2, c) : -1;

   switch (alu->op) {
   case nir_op_mov:
   /* Booleans are represented as 1.0 and 0.0. */
   case nir_op_b2f32:
      return x;
   case nir_op_fneg:
      return nv3_expr_unary(expr, NV3_OP_NEG, x);
   case nir_op_fabs:
      return nv3_expr_unary(expr, NV3_OP_ABS, x);
   case nir_op_fsat:
      return nv3_expr_unary(expr, NV3_OP_SAT, x);
   case nir_op_frcp:
      return nv3_expr_unary(expr, NV3_OP_RCP, x);
   case nir_op_frsq:
      return nv3_expr_unary(expr, NV3_OP_RSQ, x);
   case nir_op_fsqrt:
      return nv3_expr_unary(expr, NV3_OP_SQRT, x);
   case nir_op_fexp2:
      return nv3_expr_unary(expr, NV3_OP_EXP2, x);
   case nir_op_flog2:
      return nv3_expr_unary(expr, NV3_OP_LOG2, x);
   case nir_op_ffloor:
      return nv3_expr_unary(expr, NV3_OP_FLOOR, x);
   case nir_op_ffract:
      return nv3_expr_binary(expr, NV3_OP_ADD, x,
                             nv3_expr_unary(expr, NV3_OP_NEG,
                                            nv3_expr_unary(expr, NV3_OP_FLOOR,
                                                           x)));
   case nir_op_fadd:
      return nv3_expr_binary(expr, NV3_OP_ADD, x, y);
   case nir_op_fsub:
      return nv3_expr_binary(expr, NV3_OP_ADD, x,
                             nv3_expr_unary(expr, NV3_OP_NEG, y));
   case nir_op_fmul:
   case nir_op_iand:
      return nv3_expr_binary(expr, NV3_OP_MUL, x, y);
   case nir_op_fdiv:
      return nv3_expr_binary(expr, NV3_OP_MUL, x,
                             nv3_expr_unary(expr, NV3_OP_RCP, y));
   case nir_op_ffma:
      return nv3_expr_binary(expr, NV3_OP_ADD,
                             nv3_expr_binary(expr, NV3_OP_MUL, x, y), z);
   case nir_op_flrp:
      return lerp_op(expr, x, y, z);
   case nir_op_fmin:
      return nv3_expr_binary(expr, NV3_OP_MIN, x, y);
   case nir_op_fmax:
   case nir_op_ior:
      return nv3_expr_binary(expr, NV3_OP_MAX, x, y);
   case nir_op_fpow:
      return nv3_expr_binary(expr, NV3_OP_POW, x, y);
   case nir_op_flt:
   case nir_op_flt32:
   case nir_op_slt:
      return nv3_expr_binary(expr, NV3_OP_LESS, x, y);
   case nir_op_fge:
   case nir_op_fge32:
   case nir_op_sge:
      return nv3_expr_binary(expr, NV3_OP_GEQUAL, x, y);
   case nir_op_feq:
   case nir_op_feq32:
   case nir_op_seq:
      return nv3_expr_binary(expr, NV3_OP_EQUAL, x, y);
   case nir_op_fneu:
   case nir_op_fneu32:
   case nir_op_sne:
      return not_op(expr, nv3_expr_binary(expr, NV3_OP_EQUAL, x, y));
   case nir_op_inot:
      return not_op(expr, x);
   case nir_op_bcsel:
   case nir_op_b32csel:
      return nv3_expr_select(expr, x, y, z);
   default:
      return -1;
   }
}

static bool
is_truth(const struct nv3_expr *expr, int op)
{
   if (op < 0)
      return false;
   switch (expr->ops[op].code) {
   case NV3_OP_LESS:
   case NV3_OP_GEQUAL:
   case NV3_OP_EQUAL:
      return true;
   case NV3_OP_MUL:
   case NV3_OP_MAX:
      return is_truth(expr, expr->ops[op].a) && is_truth(expr, expr->ops[op].b);
   default:
      return false;
   }
}

/*
 * True if both operands and the result are floats or booleans. Integers are not
 * supported.
 */
static bool
is_followed(struct analysis *a, const nir_alu_instr *alu)
{
   const struct nv3_expr *expr = &a->info->expr;

   if (alu->def.bit_size != 32 && alu->def.bit_size != 1)
      return false;
   switch (alu->op) {
   case nir_op_iand:
   case nir_op_ior:
      return is_truth(expr, source(a, alu, 0, 0)) &&
             is_truth(expr, source(a, alu, 1, 0));
   case nir_op_inot:
      return is_truth(expr, source(a, alu, 0, 0));
   default:
      return true;
   }
}

static void
visit_alu(struct analysis *a, const nir_alu_instr *alu)
{
   int16_t *out = ops_of(a, &alu->def);

   if (!is_followed(a, alu))
      return;
   switch (alu->op) {
   case nir_op_vec2:
   case nir_op_vec3:
   case nir_op_vec4:
      for (unsigned c = 0; c < alu->def.num_components; c++)
         out[c] = source(a, alu, c, 0);
      return;
   case nir_op_fdot2:
   case nir_op_fdot3:
   case nir_op_fdot4:
      out[0] = dot_op(a, alu, nir_op_infos[alu->op].input_sizes[0]);
      return;
   default:
      break;
   }
   for (unsigned c = 0; c < alu->def.num_components; c++)
      out[c] = alu_op(a, alu, c);
}

static void
visit_constant(struct analysis *a, const nir_load_const_instr *load)
{
   int16_t *out = ops_of(a, &load->def);

   for (unsigned c = 0; c < load->def.num_components; c++) {
      if (load->def.bit_size == 32)
         out[c] = nv3_expr_const(&a->info->expr, load->value[c].f32);
      else if (load->def.bit_size == 1)
         out[c] = nv3_expr_const(&a->info->expr, load->value[c].b);
   }
}

static void
load_attribute(struct analysis *a, nir_intrinsic_instr *intr)
{
   const nir_src *offset = nir_get_io_offset_src(intr);
   int16_t *out = ops_of(a, &intr->def);
   unsigned element;

   if (!nir_src_is_const(*offset) || intr->def.bit_size != 32)
      return;
   element = nir_intrinsic_base(intr) + nir_src_as_uint(*offset);
   for (unsigned c = 0; c < intr->def.num_components; c++)
      out[c] = nv3_expr_varying(&a->info->expr, element,
                                nir_intrinsic_component(intr) + c);
}

static void
load_uniform(struct analysis *a, const nir_intrinsic_instr *intr)
{
   int16_t *out = ops_of(a, &intr->def);

   if (!nir_src_is_const(intr->src[0]) || nir_src_as_uint(intr->src[0]) ||
       !nir_src_is_const(intr->src[1]) || intr->def.bit_size != 32)
      return;
   for (unsigned c = 0; c < intr->def.num_components; c++)
      out[c] = nv3_expr_uniform(&a->info->expr,
                                nir_src_as_uint(intr->src[1]) + c * 4);
}

static int *
output_ops(struct analysis *a, unsigned location)
{
   struct nv3_vs_info *info = a->info;
   unsigned semantic, index, i;

   switch (location) {
   case VARYING_SLOT_POS:
      return info->position;
   case VARYING_SLOT_CLIP_VERTEX:
   case VARYING_SLOT_CLIP_DIST0:
   case VARYING_SLOT_CLIP_DIST1:
      fail(a, "clip distances");
      return NULL;
   default:
      break;
   }
   tgsi_get_gl_varying_semantic(location, true, &semantic, &index);
   for (i = 0; i < info->output_count; i++) {
      if (info->outputs[i].semantic == semantic &&
          info->outputs[i].index == index)
         return info->outputs[i].op;
   }
   if (i == NV3_MAX_OUTPUTS) {
      fail(a, "too many outputs");
      return NULL;
   }
   info->outputs[i].semantic = semantic;
   info->outputs[i].index = index;
   memset(info->outputs[i].op, 0xff, sizeof(info->outputs[i].op));
   info->output_count++;
   return info->outputs[i].op;
}

static void
store_output(struct analysis *a, nir_intrinsic_instr *intr)
{
   const nir_src *offset = nir_get_io_offset_src(intr);
   unsigned location = nir_intrinsic_io_semantics(intr).location;
   const int16_t *in = ops_of(a, intr->src[0].ssa);
   int *out;

   if (!nir_src_is_const(*offset)) {
      fail(a, "indirectly addressed outputs");
      return;
   }
   location += nir_src_as_uint(*offset);
   /*
    * Only points and unfilled polygons use these outputs, and the draw module
    * draws both.
    */
   if (location == VARYING_SLOT_PSIZ || location == VARYING_SLOT_EDGE)
      return;
   out = output_ops(a, location);
   for (unsigned i = 0; out && i < intr->src[0].ssa->num_components; i++) {
      unsigned c = nir_intrinsic_component(intr) + i;

      if (!(nir_intrinsic_write_mask(intr) & 1u << i))
         continue;
      if (in[i] < 0)
         fail(a, "unsupported operation");
      out[c] = in[i];
   }
}

static void
visit_intrinsic(struct analysis *a, nir_intrinsic_instr *intr)
{
   switch (intr->intrinsic) {
   case nir_intrinsic_load_input:
      load_attribute(a, intr);
      break;
   case nir_intrinsic_load_ubo:
      load_uniform(a, intr);
      break;
   case nir_intrinsic_store_output:
      store_output(a, intr);
      break;
   default:
      break;
   }
}

static void
visit_shader(struct analysis *a, nir_function_impl *impl)
{
   if (!exec_list_is_singular(&impl->body)) {
      fail(a, "control flow");
      return;
   }
   nir_foreach_instr(instr, nir_start_block(impl)) {
      if (instr->type == nir_instr_type_alu)
         visit_alu(a, nir_instr_as_alu(instr));
      else if (instr->type == nir_instr_type_load_const)
         visit_constant(a, nir_instr_as_load_const(instr));
      else if (instr->type == nir_instr_type_intrinsic)
         visit_intrinsic(a, nir_instr_as_intrinsic(instr));
   }
   for (unsigned c = 0; c < 4; c++) {
      if (a->info->position[c] < 0)
         fail(a, "incomplete position");
   }
   if (a->info->expr.full)
      fail(a, "too many operations");
}

struct nv3_vs_info *
nv3_vs_analyse(const struct pipe_shader_state *templ, bool print)
{
   struct nv3_vs_info *info = CALLOC_STRUCT(nv3_vs_info);
   struct analysis a = { .info = info };
   nir_shader *nir = templ->ir.nir;
   nir_function_impl *impl;
   size_t count;

   if (!info)
      return NULL;
   memset(info->position, 0xff, sizeof(info->position));
   if (templ->type != PIPE_SHADER_IR_NIR) {
      info->reason = "TGSI";
      return info;
   }
   nv3_nir_prepare(nir, 0, false);
   impl = nir_shader_get_entrypoint(nir);
   count = (size_t)impl->ssa_alloc * NIR_MAX_VEC_COMPONENTS;
   a.ops = MALLOC(count * sizeof(*a.ops));
   if (a.ops) {
      memset(a.ops, 0xff, count * sizeof(*a.ops));
      visit_shader(&a, impl);
   } else {
      info->reason = "no memory";
   }
   if (print) {
      mesa_logi("nv3: vertex shader %s: %s", nir->info.name ?: "",
                info->reason ?: "vertex translation");
      if (info->reason)
         nir_print_shader(nir, stderr);
   }
   FREE(a.ops);
   ralloc_free(nir);
   return info;
}

void
nv3_vs_free(struct nv3_vs_info *info)
{
   FREE(info);
}
