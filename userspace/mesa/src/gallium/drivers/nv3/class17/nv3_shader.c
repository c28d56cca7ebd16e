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
   NIR_PASS(_, nir, nir_lower_io, nir_var_shader_in | nir_var_shader_out,
            count_slots, nir_lower_io_use_interpolated_input_intrinsics);
   NIR_PASS(_, nir, nir_lower_alu_to_scalar, NULL, NULL);
   NIR_PASS(_, nir, nir_copy_prop);
   NIR_PASS(_, nir, nir_opt_algebraic);
   NIR_PASS(_, nir, nir_opt_constant_folding);
   NIR_PASS(_, nir, nir_opt_cse);
   NIR_PASS(_, nir, nir_opt_dce);
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

/*
 * If @s is the result of @op, sets *@x and *@y to its operands, in the reverse
 * order if @swap is set, and returns true.
 */
static bool
match(nir_scalar s, nir_op op, bool swap, nir_scalar *x, nir_scalar *y)
{
   if (!is_op(s, op))
      return false;
   *x = operand(s, swap);
   *y = operand(s, !swap);
   return true;
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

/* True if @s is independent of the texel, and of degree @max or less. */
static bool
has_degree(struct analysis *a, nir_scalar s, enum degree max)
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
   if (instr->type == nir_instr_type_tex)
      return visit_tex(a, nir_instr_as_tex(instr));
   if (nir_instr_def(instr))
      return true;
   if (instr->type == nir_instr_type_intrinsic &&
       nir_instr_as_intrinsic(instr)->intrinsic == nir_intrinsic_store_output)
      return visit_output(a, nir_instr_as_intrinsic(instr));
   return fail(a, "discard, or other control flow");
}

/* ---- the whole shader ---- */

/* True if @s is x / q, in the form that NIR's passes produce. */
static bool
is_quotient(nir_scalar s, nir_scalar *x, nir_scalar *q)
{
   nir_scalar inverse;

   for (unsigned i = 0; i < 2; i++) {
      if (match(s, nir_op_fmul, i, x, &inverse) &&
          is_op(inverse, nir_op_frcp)) {
         *q = operand(inverse, 0);
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
   return (has_degree(a, shader->coord[0], AFFINE) &&
           has_degree(a, shader->coord[1], AFFINE) &&
           (!shader->projective || has_degree(a, shader->q, AFFINE))) ||
          fail(a, "shader computes texture coordinates");
}

/*
 * If component @c of the colour is color * f + fog_color * (1 - f), replaces it
 * by color. All components must have the same f.
 */
static bool
find_fog(struct analysis *a, unsigned c)
{
   struct nv3_shader *shader = a->shader;
   nir_scalar product, rest, color, f, fog_color, complement, one, minus;
   bool fogged = false;

   /* Each bit of @i is an order of operands. */
   for (unsigned i = 0; i < 16 && !fogged; i++) {
      fogged = match(shader->color[c], nir_op_fadd, i & 1, &product, &rest) &&
               match(product, nir_op_fmul, i & 2, &color, &f) &&
               match(rest, nir_op_fmul, i & 4, &fog_color, &complement) &&
               match(complement, nir_op_fadd, i & 8, &one, &minus) &&
               nir_scalar_is_const(one) && nir_scalar_as_float(one) == 1.0f &&
               is_op(minus, nir_op_fneg) &&
               nir_scalar_equal(operand(minus, 0), f) &&
               (!c || nir_scalar_equal(f, shader->fog)) &&
               has_degree(a, f, OTHER) && has_degree(a, fog_color, UNIFORM);
   }
   if (c && fogged != shader->fogged)
      return fail(a, "different fog per component");
   shader->fogged = fogged;
   if (fogged) {
      shader->fog = f;
      shader->fog_color[c] = fog_color;
      shader->color[c] = color;
   }
   return true;
}

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
