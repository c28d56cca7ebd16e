/* SPDX-License-Identifier: MIT */
/*
 * Analyses and interprets fragment shaders. The state tracker translates
 * fixed-function state to shaders, so this file also handles fixed-function
 * draws.
 */
#include "compiler/nir/nir_constant_expressions.h"
#include "tgsi/tgsi_from_mesa.h"
#include "util/log.h"
#include "util/u_memory.h"

#include "class17/nv3_shader.h"

/* ---- preparation ---- */

static int
count_slots(const struct glsl_type *type, bool bindless)
{
   return glsl_count_attribute_slots(type, false);
}

static void
prepare(nir_shader *nir)
{
   bool progress;

   /*
    * The NIR accesses inputs and outputs through variables, as
    * llvmpipe requires. Convert these accesses to intrinsics.
    */
   NIR_PASS(progress, nir, nir_lower_io,
            nir_var_shader_in | nir_var_shader_out, count_slots,
            nir_lower_io_use_interpolated_input_intrinsics);
   NIR_PASS(progress, nir, nir_lower_alu_to_scalar, NULL, NULL);
   do {
      progress = false;
      NIR_PASS(progress, nir, nir_copy_prop);
      NIR_PASS(progress, nir, nir_opt_peephole_select, 8, true, true);
      NIR_PASS(progress, nir, nir_opt_dce);
      NIR_PASS(progress, nir, nir_opt_dead_cf);
      NIR_PASS(progress, nir, nir_opt_cse);
      NIR_PASS(progress, nir, nir_opt_constant_folding);
      NIR_PASS(progress, nir, nir_opt_algebraic);
   } while (progress);
   nir_index_ssa_defs(nir_shader_get_entrypoint(nir));
}

/* ---- analysis ---- */

/* How a value depends on the varyings. */
enum degree {
   UNIFORM,
   AFFINE,
   OTHER,
   PER_PIXEL,  /* depends on the texel other than by a factor */
};

struct value {
   uint8_t degree;
   int8_t texel;  /* the component of the texel that is a factor, or -1 */
};

struct analysis {
   struct nv3_shader *shader;
   struct value *values;  /* in the order of nv3_shader.values */
   const nir_intrinsic_instr *discard;
};

static bool
fail(struct analysis *a, const char *reason)
{
   a->shader->reason = reason;
   return false;
}

static struct value *
value_of(const struct analysis *a, nir_scalar s)
{
   return &a->values[s.def->index * NV3_COMPONENTS + s.comp];
}

static nir_scalar
operand(nir_scalar s, unsigned i)
{
   return nir_scalar_chase_movs(nir_scalar_chase_alu_src(s, i));
}

static bool
is_op(nir_scalar s, nir_op op)
{
   return nir_scalar_is_alu(s) && nir_scalar_alu_op(s) == op;
}

/* True for the instructions that nir_scalar_chase_movs() follows. */
static bool
is_move(const nir_alu_instr *alu)
{
   return alu->op == nir_op_mov || nir_op_is_vec(alu->op);
}

static bool
visit_alu(struct analysis *a, nir_alu_instr *alu)
{
   const nir_op op = alu->op;
   nir_scalar s = nir_get_scalar(&alu->def, 0);
   struct value *value = value_of(a, s);
   unsigned varying = 0;
   bool product = true;

   if (is_move(alu))
      return true;
   if (alu->def.num_components != 1 ||
       (alu->def.bit_size != 32 && alu->def.bit_size != 1))
      return fail(a, "shader with vectors or integers");
   for (unsigned i = 0; i < nir_op_infos[op].num_inputs; i++) {
      const struct value *src = value_of(a, operand(s, i));

      varying += src->degree != UNIFORM;
      value->degree = MAX2(value->degree, src->degree);
      if (src->texel < 0)
         continue;
      product &= value->texel < 0 && (op == nir_op_fmul || op == nir_op_fneg);
      value->texel = src->texel;
   }
   if (value->degree == AFFINE && op != nir_op_fadd && op != nir_op_fsub &&
       op != nir_op_fneg && !(op == nir_op_fmul && varying == 1))
      value->degree = OTHER;
   if (!product)
      *value = (struct value) { PER_PIXEL, -1 };
   /* Let run_alu() skip such values, because no vertex value needs them. */
   alu->instr.pass_flags = value->degree == PER_PIXEL;
   return true;
}

static bool
visit_input(struct analysis *a, nir_intrinsic_instr *intr)
{
   struct nv3_shader *shader = a->shader;
   const nir_src *offset = nir_get_io_offset_src(intr);
   unsigned location = nir_intrinsic_io_semantics(intr).location;
   bool flat = intr->intrinsic == nir_intrinsic_load_input;
   unsigned semantic, index, i;

   if (!nir_src_is_const(*offset))
      return fail(a, "indirectly addressed varyings");
   location += nir_src_as_uint(*offset);
   if (location == VARYING_SLOT_POS || location == VARYING_SLOT_FACE ||
       location == VARYING_SLOT_PNTC)
      return fail(a, "shader uses the position or side of fragments");
   if (!flat) {
      nir_intrinsic_instr *bary = nir_src_as_intrinsic(intr->src[0]);

      if (bary->intrinsic != nir_intrinsic_load_barycentric_pixel)
         return fail(a, "unsupported interpolation");
      flat = nir_intrinsic_interp_mode(bary) == INTERP_MODE_FLAT;
   }
   tgsi_get_gl_varying_semantic(location, true, &semantic, &index);
   for (i = 0; i < shader->input_count; i++) {
      if (shader->inputs[i].semantic == semantic &&
          shader->inputs[i].index == index)
         break;
   }
   if (i == NV3_MAX_INPUTS)
      return fail(a, "too many varyings");
   if (i == shader->input_count)
      shader->inputs[shader->input_count++] =
         (struct nv3_shader_input) { semantic, index, flat };
   /* Store the input's index for the interpreter. */
   intr->instr.pass_flags = i;
   return true;
}

static bool
visit_output(struct analysis *a, const nir_intrinsic_instr *intr)
{
   unsigned location = nir_intrinsic_io_semantics(intr).location;

   /* The driver supports only one colour buffer. */
   if (location != FRAG_RESULT_COLOR && location < FRAG_RESULT_DATA0)
      return fail(a, "output other than a colour");
   for (unsigned i = 0; i < intr->src[0].ssa->num_components; i++) {
      if (nir_intrinsic_write_mask(intr) & 1u << i &&
          location <= FRAG_RESULT_DATA0)
         a->shader->color[nir_intrinsic_component(intr) + i] =
            nir_scalar_chase_movs(nir_get_scalar(intr->src[0].ssa, i));
   }
   return true;
}

static bool
visit_intrinsic(struct analysis *a, nir_intrinsic_instr *intr)
{
   switch (intr->intrinsic) {
   case nir_intrinsic_load_input:
   case nir_intrinsic_load_interpolated_input:
      for (unsigned i = 0; i < intr->def.num_components; i++)
         value_of(a, nir_get_scalar(&intr->def, i))->degree = AFFINE;
      return visit_input(a, intr);
   case nir_intrinsic_load_barycentric_pixel:
      return true;
   case nir_intrinsic_load_ubo:
      return (nir_src_is_const(intr->src[0]) &&
              !nir_src_as_uint(intr->src[0]) &&
              nir_src_is_const(intr->src[1])) ||
             fail(a, "indirectly addressed uniforms");
   case nir_intrinsic_store_output:
      return visit_output(a, intr);
   case nir_intrinsic_terminate_if:
   case nir_intrinsic_demote_if:
      if (a->discard)
         return fail(a, "more than one discard");
      a->discard = intr;
      return true;
   default:
      return fail(a, nir_intrinsic_infos[intr->intrinsic].name);
   }
}

static bool
is_plain_lookup(const nir_tex_instr *tex)
{
   if (tex->op != nir_texop_tex || tex->is_shadow || tex->is_array ||
       tex->sampler_dim != GLSL_SAMPLER_DIM_2D ||
       nir_tex_instr_src_index(tex, nir_tex_src_coord) < 0)
      return false;
   for (unsigned i = 0; i < tex->num_srcs; i++) {
      if (tex->src[i].src_type != nir_tex_src_coord &&
          tex->src[i].src_type != nir_tex_src_texture_deref &&
          tex->src[i].src_type != nir_tex_src_sampler_deref)
         return false;
   }
   return true;
}

/* If @s is x / q, sets *@x and *@q, and returns true. */
static bool
is_quotient(nir_scalar s, nir_scalar *x, nir_scalar *q)
{
   for (unsigned i = 0; i < 2 && is_op(s, nir_op_fmul); i++) {
      if (is_op(operand(s, i), nir_op_frcp)) {
         *x = operand(s, !i);
         *q = operand(operand(s, i), 0);
         return true;
      }
   }
   return false;
}

/* True if @s is affine in the varyings and independent of the texel. */
static bool
is_coordinate(const struct analysis *a, nir_scalar s)
{
   return value_of(a, s)->degree <= AFFINE && value_of(a, s)->texel < 0;
}

static bool
visit_tex(struct analysis *a, const nir_tex_instr *tex)
{
   struct nv3_shader *shader = a->shader;
   nir_scalar x[2], q[2];
   int coord = nir_tex_instr_src_index(tex, nir_tex_src_coord);

   if (shader->tex)
      return fail(a, "more than one texture lookup");
   if (!is_plain_lookup(tex))
      return fail(a, "unsupported kind of texture lookup");
   shader->tex = tex;
   for (unsigned i = 0; i < tex->def.num_components; i++) {
      nir_scalar s = nir_get_scalar((nir_def *)&tex->def, i);

      value_of(a, s)->texel = i;
      nv3_shader_value(shader, s)->f32 = 1.0f;
   }
   for (unsigned i = 0; i < 2; i++)
      shader->coord[i] = nir_scalar_chase_movs(
         nir_get_scalar(tex->src[coord].src.ssa, i));
   if (is_quotient(shader->coord[0], &x[0], &q[0]) &&
       is_quotient(shader->coord[1], &x[1], &q[1]) &&
       nir_scalar_equal(q[0], q[1])) {
      shader->projective = true;
      shader->q = q[0];
      memcpy(shader->coord, x, sizeof(x));
      if (!is_coordinate(a, q[0]))
         return fail(a, "shader computes texture coordinates");
   }
   return (is_coordinate(a, shader->coord[0]) &&
           is_coordinate(a, shader->coord[1])) ||
          fail(a, "shader computes texture coordinates");
}

/* ---- fog ---- */

/* True if @s is 1 - @x, in the form that NIR's optimizations produce. */
static bool
is_complement(nir_scalar s, nir_scalar x)
{
   for (unsigned i = 0; i < 2 && is_op(s, nir_op_fadd); i++) {
      nir_scalar one = operand(s, i), minus = operand(s, !i);

      if (nir_scalar_is_const(one) && nir_scalar_as_float(one) == 1.0f &&
          is_op(minus, nir_op_fneg) && nir_scalar_equal(operand(minus, 0), x))
         return true;
   }
   return false;
}

static bool
is_uniform(const struct analysis *a, nir_scalar s)
{
   return value_of(a, s)->degree == UNIFORM && value_of(a, s)->texel < 0;
}

/*
 * If component @c of the colour is color * f + fog_color * (1 - f), replaces it
 * by color. All components must have the same f.
 */
static bool
visit_fog(struct analysis *a, unsigned c)
{
   struct nv3_shader *shader = a->shader;
   nir_scalar sum = shader->color[c];
   bool fogged = false;

   /* Try all orders of the operands. */
   for (unsigned i = 0; i < 8 && !fogged && is_op(sum, nir_op_fadd); i++) {
      nir_scalar scaled = operand(sum, i & 1), rest = operand(sum, !(i & 1));
      unsigned j = i >> 1 & 1, k = i >> 2;
      nir_scalar f;

      if (!is_op(scaled, nir_op_fmul) || !is_op(rest, nir_op_fmul))
         continue;
      f = operand(scaled, j);
      if ((c && !nir_scalar_equal(f, shader->fog)) ||
          !is_complement(operand(rest, k), f) ||
          value_of(a, f)->degree > OTHER || value_of(a, f)->texel >= 0 ||
          !is_uniform(a, operand(rest, !k)))
         continue;
      fogged = true;
      shader->fog = f;
      shader->fog_color[c] = operand(rest, !k);
      shader->color[c] = operand(scaled, !j);
   }
   if (c && fogged != shader->fogged)
      return fail(a, "different fog per component");
   shader->fogged = fogged;
   return true;
}

/* ---- alpha test ---- */

/*
 * Translates the discard to an alpha test if the discard's condition compares
 * alpha with a uniform value.
 */
static bool
visit_discard(struct analysis *a)
{
   struct nv3_shader *shader = a->shader;
   nir_scalar cond = nir_scalar_chase_movs(
      nir_get_scalar(a->discard->src[0].ssa, 0));
   bool keeps = false;  /* true: keeps the pixels that pass the comparison */
   bool less, first;
   enum pipe_compare_func func;

   for (; is_op(cond, nir_op_inot); cond = operand(cond, 0))
      keeps = !keeps;
   less = is_op(cond, nir_op_flt32);
   if (!less && !is_op(cond, nir_op_fge32))
      return fail(a, "discard that is not an alpha test");
   first = nir_scalar_equal(operand(cond, 0), shader->color[3]);
   shader->alpha_ref = operand(cond, first);
   if (!nir_scalar_equal(operand(cond, !first), shader->color[3]) ||
       !is_uniform(a, shader->alpha_ref))
      return fail(a, "discard that is not an alpha test");
   if (first)
      func = less ? PIPE_FUNC_LESS : PIPE_FUNC_GEQUAL;
   else
      func = less ? PIPE_FUNC_GREATER : PIPE_FUNC_LEQUAL;
   /* 7 - func is the comparison that is true exactly where func is false. */
   shader->alpha_func = keeps ? func : 7 - func;
   return true;
}

/* ---- the whole shader ---- */

static bool
visit(struct analysis *a, nir_instr *instr)
{
   const nir_load_const_instr *load;

   switch (instr->type) {
   case nir_instr_type_load_const:
      load = nir_instr_as_load_const(instr);
      for (unsigned i = 0; i < load->def.num_components; i++)
         *nv3_shader_value(a->shader,
                           nir_get_scalar((nir_def *)&load->def, i)) =
            load->value[i];
      return true;
   case nir_instr_type_undef:
   case nir_instr_type_deref:
      return true;
   case nir_instr_type_alu:
      return visit_alu(a, nir_instr_as_alu(instr));
   case nir_instr_type_intrinsic:
      return visit_intrinsic(a, nir_instr_as_intrinsic(instr));
   case nir_instr_type_tex:
      return visit_tex(a, nir_instr_as_tex(instr));
   default:
      return fail(a, "shader with control flow");
   }
}

static bool
analyse(struct analysis *a)
{
   struct nv3_shader *shader = a->shader;
   nir_function_impl *impl = nir_shader_get_entrypoint(shader->nir);

   if (!exec_list_is_singular(&impl->body))
      return fail(a, "shader with control flow");
   nir_foreach_instr(instr, nir_start_block(impl)) {
      nir_def *def = nir_instr_def(instr);

      if (def && def->num_components > NV3_COMPONENTS)
         return fail(a, "shader with long vectors");
      if (!visit(a, instr))
         return false;
   }
   for (unsigned c = 0; c < 4; c++) {
      if (!shader->color[c].def)
         return fail(a, "incomplete colour");
   }
   if (!visit_fog(a, 0) || !visit_fog(a, 1) || !visit_fog(a, 2) ||
       (a->discard && !visit_discard(a)))
      return false;
   for (unsigned c = 0; c < 4; c++) {
      const struct value *value = value_of(a, shader->color[c]);

      if (value->degree > AFFINE)
         return fail(a, "colour not affine in the varyings");
      shader->swizzle[c] = value->texel < 0 ? PIPE_SWIZZLE_1 :
                                              PIPE_SWIZZLE_X + value->texel;
   }
   return true;
}

struct nv3_shader *
nv3_shader_create(nir_shader *nir, bool print)
{
   struct nv3_shader *shader = CALLOC_STRUCT(nv3_shader);
   struct analysis a = { .shader = shader };
   unsigned count;

   if (!shader) {
      ralloc_free(nir);
      return NULL;
   }
   shader->nir = nir;
   shader->alpha_func = PIPE_FUNC_ALWAYS;
   prepare(nir);
   count = nir_shader_get_entrypoint(nir)->ssa_alloc * NV3_COMPONENTS;
   shader->values = rzalloc_array(nir, nir_const_value, count);
   a.values = MALLOC(MAX2(count, 1) * sizeof(*a.values));
   for (unsigned i = 0; a.values && i < count; i++)
      a.values[i] = (struct value) { UNIFORM, -1 };
   if (a.values && shader->values)
      analyse(&a);
   else
      fail(&a, "no memory");
   FREE(a.values);
   if (print) {
      mesa_logi("nv3: fragment shader %s: %s", nir->info.name ?: "",
                shader->reason ?: "class 0x17");
      if (shader->reason)
         nir_print_shader(nir, stderr);
   }
   return shader;
}

void
nv3_shader_destroy(struct nv3_shader *shader)
{
   if (!shader)
      return;
   ralloc_free(shader->nir);
   FREE(shader);
}

/* ---- interpretation ---- */

static void
run_alu(const struct nv3_shader *shader, nir_alu_instr *alu)
{
   nir_scalar s = nir_get_scalar(&alu->def, 0);
   nir_const_value *srcs[NIR_MAX_VEC_COMPONENTS];
   nir_const_value *dst = nv3_shader_value(shader, s);
   unsigned bits = alu->def.bit_size;

   if (is_move(alu) || alu->instr.pass_flags)
      return;
   for (unsigned i = 0; i < nir_op_infos[alu->op].num_inputs; i++) {
      nir_scalar from = operand(s, i);

      srcs[i] = nv3_shader_value(shader, from);
      if (!nir_alu_type_get_type_size(nir_op_infos[alu->op].input_types[i]))
         bits = from.def->bit_size;
   }
   nir_eval_const_opcode(alu->op, dst, 1, bits, srcs, 0);
}

static void
run_load(const struct nv3_shader *shader, nir_intrinsic_instr *intr,
         const float *const inputs[], const uint8_t *constants, unsigned size)
{
   bool uniform = intr->intrinsic == nir_intrinsic_load_ubo;

   if (!nir_intrinsic_infos[intr->intrinsic].has_dest ||
       intr->intrinsic == nir_intrinsic_load_barycentric_pixel)
      return;
   for (unsigned i = 0; i < intr->def.num_components; i++) {
      float *value =
         &nv3_shader_value(shader, nir_get_scalar(&intr->def, i))->f32;
      uint64_t at = uniform ? nir_src_as_uint(intr->src[1]) + i * 4ull : 0;

      if (!uniform)
         *value = inputs[intr->instr.pass_flags]
                        [nir_intrinsic_component(intr) + i];
      else if (at + sizeof(float) <= size)
         memcpy(value, constants + at, sizeof(float));
      else
         *value = 0.0f;
   }
}

void
nv3_shader_run(struct nv3_shader *shader, const float *const inputs[],
               const uint8_t *constants, unsigned size)
{
   nir_function_impl *impl = nir_shader_get_entrypoint(shader->nir);

   nir_foreach_instr(instr, nir_start_block(impl)) {
      if (instr->type == nir_instr_type_alu)
         run_alu(shader, nir_instr_as_alu(instr));
      else if (instr->type == nir_instr_type_intrinsic)
         run_load(shader, nir_instr_as_intrinsic(instr), inputs, constants,
                  size);
   }
}
