/* SPDX-License-Identifier: MIT */
/*
 * Analyses and evaluates fragment shaders. The state tracker translates
 * fixed-function state to shaders, so this file also handles fixed-function
 * draws. Both the analysis and the evaluation of a value follow the value back
 * to the shader's inputs.
 */
#include "compiler/nir/nir_constant_expressions.h"

#include "class17/nv3_class17.h"

/*
 * The maximum number of steps in the analysis of a shader. The analysis visits
 * a value each time that it is used, so the number of steps limits the time of
 * an evaluation.
 */
#define STEPS_MAX 1000

/* ---- preparation ---- */

static int
count_slots(const struct glsl_type *type, bool bindless)
{
   return glsl_count_attribute_slots(type, false);
}

/* Converts accesses to varyings and colours from variables to intrinsics. */
static void
prepare(nir_shader *nir)
{
   bool progress;

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
}

/* ---- values ---- */

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

static bool
is_texel(nir_scalar s)
{
   return s.def->parent_instr->type == nir_instr_type_tex;
}

/* True if @s is @x * y. Sets *@y. */
static bool
is_multiple(nir_scalar s, nir_scalar x, nir_scalar *y)
{
   for (unsigned i = 0; i < 2 && is_op(s, nir_op_fmul); i++) {
      if (nir_scalar_equal(operand(s, i), x)) {
         *y = operand(s, !i);
         return true;
      }
   }
   return false;
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
   enum degree degree;
   int texel;  /* the component of the texel that is a factor, or -1 */
};

struct analysis {
   struct nv3_shader *shader;
   const nir_intrinsic_instr *discard;
   unsigned steps;
};

static bool
fail(struct analysis *a, const char *reason)
{
   a->shader->reason = reason;
   return false;
}

static struct value
classify(struct analysis *a, nir_scalar s);

static struct value
classify_alu(struct analysis *a, nir_scalar s)
{
   const nir_op op = nir_scalar_alu_op(s);
   struct value value = { UNIFORM, -1 };
   unsigned varying = 0;

   for (unsigned i = 0; i < nir_op_infos[op].num_inputs; i++) {
      struct value src = classify(a, operand(s, i));

      varying += src.degree != UNIFORM;
      value.degree = MAX2(value.degree, src.degree);
      if (src.texel < 0)
         continue;
      if (value.texel >= 0 || (op != nir_op_fmul && op != nir_op_fneg))
         return (struct value) { PER_PIXEL, -1 };
      value.texel = src.texel;
   }
   if (value.degree == AFFINE && op != nir_op_fadd && op != nir_op_fsub &&
       op != nir_op_fneg && !(op == nir_op_fmul && varying == 1))
      value.degree = OTHER;
   return value;
}

static struct value
classify_intrinsic(nir_intrinsic_instr *intr)
{
   enum degree degree = PER_PIXEL;

   if (intr->intrinsic == nir_intrinsic_load_ubo &&
       nir_src_is_const(intr->src[0]) && !nir_src_as_uint(intr->src[0]) &&
       nir_src_is_const(intr->src[1]))
      degree = UNIFORM;
   else if ((intr->intrinsic == nir_intrinsic_load_input ||
             intr->intrinsic == nir_intrinsic_load_interpolated_input) &&
            nir_src_is_const(*nir_get_io_offset_src(intr)))
      degree = AFFINE;
   return (struct value) { degree, -1 };
}

/* Returns how @s depends on the shader's inputs. */
static struct value
classify(struct analysis *a, nir_scalar s)
{
   if (++a->steps > STEPS_MAX ||
       (s.def->bit_size != 32 && s.def->bit_size != 1))
      return (struct value) { PER_PIXEL, -1 };
   if (nir_scalar_is_alu(s))
      return classify_alu(a, s);
   if (is_texel(s))
      return (struct value) { UNIFORM, s.comp };
   if (nir_scalar_is_intrinsic(s))
      return classify_intrinsic(nir_instr_as_intrinsic(s.def->parent_instr));
   return (struct value) { UNIFORM, -1 };
}

/* True if @s is independent of the texel, and at most of degree @max. */
static bool
is_at_most(struct analysis *a, nir_scalar s, enum degree max)
{
   struct value value = classify(a, s);

   return value.degree <= max && value.texel < 0;
}

/* ---- instructions ---- */

static bool
visit_output(struct analysis *a, const nir_intrinsic_instr *intr)
{
   unsigned location = nir_intrinsic_io_semantics(intr).location;

   if (location != FRAG_RESULT_COLOR && location < FRAG_RESULT_DATA0)
      return fail(a, "output other than a colour");
   /* The driver supports only one colour buffer. */
   for (unsigned i = 0; i < intr->src[0].ssa->num_components; i++) {
      if (nir_intrinsic_write_mask(intr) & 1u << i &&
          location <= FRAG_RESULT_DATA0)
         a->shader->color[nir_intrinsic_component(intr) + i] =
            nir_scalar_resolved(intr->src[0].ssa, i);
   }
   return true;
}

/* Finds instructions with an effect. */
static bool
visit_intrinsic(struct analysis *a, const nir_intrinsic_instr *intr)
{
   if (intr->intrinsic == nir_intrinsic_store_output)
      return visit_output(a, intr);
   if (intr->intrinsic == nir_intrinsic_terminate_if ||
       intr->intrinsic == nir_intrinsic_demote_if) {
      if (a->discard)
         return fail(a, "more than one discard");
      a->discard = intr;
      return true;
   }
   return nir_intrinsic_infos[intr->intrinsic].has_dest ||
          fail(a, nir_intrinsic_infos[intr->intrinsic].name);
}

static bool
visit_tex(struct analysis *a, const nir_tex_instr *tex)
{
   bool plain = tex->op == nir_texop_tex && !tex->is_shadow && !tex->is_array &&
                tex->sampler_dim == GLSL_SAMPLER_DIM_2D;

   if (a->shader->tex)
      return fail(a, "more than one texture lookup");
   a->shader->tex = tex;
   for (unsigned i = 0; i < tex->num_srcs; i++)
      plain &= tex->src[i].src_type == nir_tex_src_coord ||
               tex->src[i].src_type == nir_tex_src_texture_deref ||
               tex->src[i].src_type == nir_tex_src_sampler_deref;
   return plain || fail(a, "unsupported kind of texture lookup");
}

static bool
visit(struct analysis *a, nir_instr *instr)
{
   if (instr->type == nir_instr_type_intrinsic)
      return visit_intrinsic(a, nir_instr_as_intrinsic(instr));
   if (instr->type == nir_instr_type_tex)
      return visit_tex(a, nir_instr_as_tex(instr));
   return nir_instr_def(instr) || fail(a, "shader with control flow");
}

/* ---- texture coordinates ---- */

/* True if @s is x / q. Sets *@x and *@q. */
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

static bool
find_coordinates(struct analysis *a)
{
   struct nv3_shader *shader = a->shader;
   const nir_tex_instr *tex = shader->tex;
   int coord = nir_tex_instr_src_index(tex, nir_tex_src_coord);
   nir_scalar x[2], q[2];

   for (unsigned i = 0; i < 2; i++)
      shader->coord[i] = nir_scalar_resolved(tex->src[coord].src.ssa, i);
   if (is_quotient(shader->coord[0], &x[0], &q[0]) &&
       is_quotient(shader->coord[1], &x[1], &q[1]) &&
       nir_scalar_equal(q[0], q[1])) {
      shader->projective = true;
      shader->q = q[0];
      memcpy(shader->coord, x, sizeof(x));
   }
   return (is_at_most(a, shader->coord[0], AFFINE) &&
           is_at_most(a, shader->coord[1], AFFINE) &&
           (!shader->projective || is_at_most(a, shader->q, AFFINE))) ||
          fail(a, "shader computes texture coordinates");
}

/* ---- fog ---- */

/* True if @s is 1 - x, in the form that NIR's optimizations produce. */
static bool
is_complement(nir_scalar s, nir_scalar *x)
{
   for (unsigned i = 0; i < 2 && is_op(s, nir_op_fadd); i++) {
      nir_scalar one = operand(s, i), minus = operand(s, !i);

      if (nir_scalar_is_const(one) && nir_scalar_as_float(one) == 1.0f &&
          is_op(minus, nir_op_fneg)) {
         *x = operand(minus, 0);
         return true;
      }
   }
   return false;
}

/*
 * If component @c of the colour is color * f + fog_color * (1 - f), replaces it
 * by color. All components must have the same f.
 */
static bool
find_fog(struct analysis *a, unsigned c)
{
   struct nv3_shader *shader = a->shader;
   nir_scalar sum = shader->color[c], f;
   bool fogged = false;

   /* Try all orders of the operands. */
   for (unsigned i = 0; i < 4 && !fogged && is_op(sum, nir_op_fadd); i++) {
      nir_scalar rest = operand(sum, i & 1), color = operand(sum, !(i & 1));
      unsigned j = i >> 1;

      fogged = is_op(rest, nir_op_fmul) &&
               is_complement(operand(rest, j), &f) &&
               (!c || nir_scalar_equal(f, shader->fog)) &&
               is_multiple(color, f, &shader->color[c]) &&
               is_at_most(a, f, OTHER) &&
               is_at_most(a, operand(rest, !j), UNIFORM);
      if (fogged) {
         shader->fog = f;
         shader->fog_color[c] = operand(rest, !j);
      }
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
find_alpha_test(struct analysis *a)
{
   struct nv3_shader *shader = a->shader;
   nir_scalar cond = nir_scalar_resolved(a->discard->src[0].ssa, 0);
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
       !is_at_most(a, shader->alpha_ref, UNIFORM))
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
find_colors(struct analysis *a)
{
   struct nv3_shader *shader = a->shader;

   for (unsigned c = 0; c < 4; c++) {
      struct value value = classify(a, shader->color[c]);

      if (value.degree > AFFINE)
         return fail(a, "colour not affine in the varyings");
      shader->swizzle[c] = value.texel < 0 ? PIPE_SWIZZLE_1 :
                                             PIPE_SWIZZLE_X + value.texel;
   }
   return true;
}

static bool
analyse(struct analysis *a)
{
   struct nv3_shader *shader = a->shader;
   nir_function_impl *impl = nir_shader_get_entrypoint(shader->nir);

   if (!exec_list_is_singular(&impl->body))
      return fail(a, "shader with control flow");
   if (shader->nir->info.inputs_read & (VARYING_BIT_POS | VARYING_BIT_FACE |
                                        VARYING_BIT_PNTC))
      return fail(a, "shader uses the position or side of fragments");
   nir_foreach_instr(instr, nir_start_block(impl)) {
      if (!visit(a, instr))
         return false;
   }
   for (unsigned c = 0; c < 4; c++) {
      if (!shader->color[c].def)
         return fail(a, "incomplete colour");
   }
   return find_fog(a, 0) && find_fog(a, 1) && find_fog(a, 2) &&
          (!a->discard || find_alpha_test(a)) &&
          (!shader->tex || find_coordinates(a)) && find_colors(a);
}

struct nv3_shader *
nv3_shader_create(void *mem_ctx, const nir_shader *nir)
{
   struct nv3_shader *shader = rzalloc(mem_ctx, struct nv3_shader);
   struct analysis a = { .shader = shader };

   if (!shader)
      return NULL;
   shader->nir = nir_shader_clone(shader, nir);
   shader->alpha_func = PIPE_FUNC_ALWAYS;
   prepare(shader->nir);
   analyse(&a);
   return shader;
}

/* ---- evaluation ---- */

static nir_const_value
load(const struct nv3_shader_inputs *inputs, nir_scalar s)
{
   nir_intrinsic_instr *intr = nir_instr_as_intrinsic(s.def->parent_instr);
   nir_const_value value = { 0 };
   uint64_t at;

   if (intr->intrinsic == nir_intrinsic_load_ubo) {
      at = nir_src_as_uint(intr->src[1]) + s.comp * sizeof(float);
      if (at + sizeof(float) <= inputs->size)
         memcpy(&value.f32, inputs->uniforms + at, sizeof(float));
   } else {
      at = nir_intrinsic_base(intr) +
           nir_src_as_uint(*nir_get_io_offset_src(intr));
      value.f32 = inputs->varyings[at][nir_intrinsic_component(intr) + s.comp];
   }
   return value;
}

static nir_const_value
evaluate(const struct nv3_shader_inputs *inputs, nir_scalar s)
{
   nir_const_value operands[NIR_ALU_MAX_INPUTS], *srcs[NIR_ALU_MAX_INPUTS];
   nir_const_value value = { 0 };
   unsigned bits = s.def->bit_size;
   const nir_op_info *info;

   if (nir_scalar_is_const(s))
      return nir_scalar_as_const_value(s);
   if (nir_scalar_is_intrinsic(s))
      return load(inputs, s);
   if (is_texel(s))
      value.f32 = 1.0f;
   if (!nir_scalar_is_alu(s))
      return value;
   info = &nir_op_infos[nir_scalar_alu_op(s)];
   for (unsigned i = 0; i < info->num_inputs; i++) {
      nir_scalar src = operand(s, i);

      operands[i] = evaluate(inputs, src);
      srcs[i] = &operands[i];
      if (!nir_alu_type_get_type_size(info->input_types[i]))
         bits = src.def->bit_size;
   }
   nir_eval_const_opcode(nir_scalar_alu_op(s), &value, 1, bits, srcs, 0);
   return value;
}

float
nv3_shader_value(const struct nv3_shader_inputs *inputs, nir_scalar s)
{
   return evaluate(inputs, s).f32;
}
