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

/* Number of components per vector in the table nv3_shader.scalars. */
#define COMPONENTS 4
/*
 * The lowest bits of an element of nv3_shader.scalars are a degree (enum
 * nv3_degree). The other bits are 0, or 1 plus the index of the texel's
 * component that is a factor of the scalar.
 */
#define DEGREE_BITS 2

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
    * The NIR accesses inputs and outputs through variables, as the inner
    * screen requires. Convert these accesses to intrinsics.
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

/* ---- scalars ---- */

struct analysis {
   struct nv3_shader *shader;
   const nir_intrinsic_instr *discard;
};

static bool
fail(struct analysis *a, const char *reason)
{
   if (!a->shader->reason)
      a->shader->reason = reason;
   return false;
}

static unsigned
index_of(nir_scalar s)
{
   return s.def->index * COMPONENTS + s.comp;
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

static bool
is_const(nir_scalar s, float value)
{
   return nir_scalar_is_const(s) && s.def->bit_size == 32 &&
          nir_scalar_as_float(s) == value;
}

/*
 * Returns the index of the operand that @s clamps at 0 or 1, or -1 if @s is
 * not such a clamp. The result of a clamp is affine if the clamp does not
 * change the value at any vertex. The interpreter checks this condition.
 */
static int
clamped_operand(nir_scalar s)
{
   nir_op op = nir_scalar_alu_op(s);

   if (op == nir_op_fsat)
      return 0;
   if (op != nir_op_fmin && op != nir_op_fmax)
      return -1;
   for (int i = 0; i < 2; i++) {
      if (is_const(operand(s, !i), op == nir_op_fmin ? 1.0f : 0.0f))
         return i;
   }
   return -1;
}

static enum nv3_degree
degree_of(const struct analysis *a, nir_scalar s)
{
   return nv3_shader_degree(a->shader, s);
}

/* Returns the component of the texel that is a factor of @s, or -1. */
static int
texel_of(const struct analysis *a, nir_scalar s)
{
   return (a->shader->scalars[index_of(s)] >> DEGREE_BITS) - 1;
}

static bool
visit(struct analysis *a, nir_scalar s);

static bool
visit_alu(struct analysis *a, nir_scalar s, enum nv3_degree *degree, int *texel)
{
   nir_op op = nir_scalar_alu_op(s);
   unsigned count = nir_op_infos[op].num_inputs, varying = 0;
   int kept = clamped_operand(s);

   *degree = NV3_UNIFORM;
   for (unsigned i = 0; i < count; i++) {
      nir_scalar src = operand(s, i);

      if (!visit(a, src))
         return false;
      varying += degree_of(a, src) != NV3_UNIFORM;
      *degree = MAX2(*degree, degree_of(a, src));
      if (texel_of(a, src) < 0)
         continue;
      if (*texel >= 0)
         return fail(a, "shader combines texels");
      if (op != nir_op_fmul && op != nir_op_fneg && kept != (int)i)
         return fail(a, "shader computes with texels");
      *texel = texel_of(a, src);
   }
   if (*degree != NV3_AFFINE || op == nir_op_fadd || op == nir_op_fsub ||
       op == nir_op_fneg || kept >= 0 || (op == nir_op_fmul && varying == 1))
      return true;
   *degree = NV3_OTHER;
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
visit_intrinsic(struct analysis *a, nir_intrinsic_instr *intr,
                enum nv3_degree *degree)
{
   switch (intr->intrinsic) {
   case nir_intrinsic_load_input:
   case nir_intrinsic_load_interpolated_input:
      *degree = NV3_AFFINE;
      return visit_input(a, intr);
   case nir_intrinsic_load_ubo:
      *degree = NV3_UNIFORM;
      if (nir_src_is_const(intr->src[0]) && !nir_src_as_uint(intr->src[0]) &&
          nir_src_is_const(intr->src[1]))
         return true;
      return fail(a, "indirectly addressed uniforms");
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

static bool
visit_tex(struct analysis *a, const nir_tex_instr *tex)
{
   struct nv3_shader *shader = a->shader;
   nir_scalar x[2], q[2];
   int coord = nir_tex_instr_src_index(tex, nir_tex_src_coord);

   if (shader->tex == tex)
      return true;
   if (shader->tex)
      return fail(a, "more than one texture lookup");
   if (!is_plain_lookup(tex))
      return fail(a, "unsupported kind of texture lookup");
   for (unsigned i = 0; i < 2; i++)
      shader->coord[i] = nir_scalar_chase_movs(
         nir_get_scalar(tex->src[coord].src.ssa, i));
   if (is_quotient(shader->coord[0], &x[0], &q[0]) &&
       is_quotient(shader->coord[1], &x[1], &q[1]) &&
       nir_scalar_equal(q[0], q[1])) {
      shader->projective = true;
      shader->q = q[0];
      memcpy(shader->coord, x, sizeof(x));
      if (!visit(a, q[0]) || degree_of(a, q[0]) > NV3_AFFINE)
         return fail(a, "shader computes texture coordinates");
   }
   for (unsigned i = 0; i < 2; i++) {
      if (!visit(a, shader->coord[i]) || texel_of(a, shader->coord[i]) >= 0 ||
          degree_of(a, shader->coord[i]) > NV3_AFFINE)
         return fail(a, "shader computes texture coordinates");
   }
   shader->tex = tex;
   return true;
}

/*
 * Sets the elements of nv3_shader.scalars for @s and the operands of @s.
 * Returns false if class 0x17 can't execute the shader.
 */
static bool
visit(struct analysis *a, nir_scalar s)
{
   enum nv3_degree degree = NV3_UNIFORM;
   int texel = -1;
   bool ok = true;

   if (s.comp >= COMPONENTS)
      return fail(a, "shader with long vectors");
   if (degree_of(a, s) != NV3_UNKNOWN)
      return true;
   if (s.def->bit_size != 32 && s.def->bit_size != 1)
      return fail(a, "shader with integers");
   switch (s.def->parent_instr->type) {
   case nir_instr_type_load_const:
   case nir_instr_type_undef:
      break;
   case nir_instr_type_alu:
      ok = visit_alu(a, s, &degree, &texel);
      break;
   case nir_instr_type_intrinsic:
      ok = visit_intrinsic(a, nir_instr_as_intrinsic(s.def->parent_instr),
                           &degree);
      break;
   case nir_instr_type_tex:
      ok = visit_tex(a, nir_instr_as_tex(s.def->parent_instr));
      texel = s.comp;
      break;
   default:
      return fail(a, "shader with control flow");
   }
   a->shader->scalars[index_of(s)] = degree | (texel + 1) << DEGREE_BITS;
   return ok;
}

/* ---- fog ---- */

static bool
is_complement(nir_scalar x, nir_scalar of)
{
   if (is_op(x, nir_op_fsub))
      return is_const(operand(x, 0), 1.0f) &&
             nir_scalar_equal(operand(x, 1), of);
   for (unsigned i = 0; i < 2 && is_op(x, nir_op_fadd); i++) {
      nir_scalar minus = operand(x, !i);

      if (is_const(operand(x, i), 1.0f) && is_op(minus, nir_op_fneg) &&
          nir_scalar_equal(operand(minus, 0), of))
         return true;
   }
   return false;
}

/*
 * If *@s is color * f + fog_color * (1 - f), sets *@s to color, sets @f and
 * @fog_color, and returns true.
 */
static bool
split_fog(struct analysis *a, nir_scalar *s, nir_scalar *f,
          nir_scalar *fog_color)
{
   for (unsigned i = 0; i < 8 && is_op(*s, nir_op_fadd); i++) {
      nir_scalar scaled = operand(*s, i & 1), rest = operand(*s, !(i & 1));
      unsigned j = i >> 1 & 1, k = i >> 2;

      if (!is_op(scaled, nir_op_fmul) || !is_op(rest, nir_op_fmul) ||
          !is_complement(operand(rest, k), operand(scaled, j)))
         continue;
      *f = operand(scaled, j);
      *fog_color = operand(rest, !k);
      *s = operand(scaled, !j);
      return true;
   }
   return false;
}

static bool
visit_fog(struct analysis *a, unsigned c, nir_scalar *color)
{
   struct nv3_shader *shader = a->shader;
   nir_scalar fog;
   bool fogged = split_fog(a, color, &fog, &shader->fog_color[c]);

   if (c && (fogged != shader->fogged ||
             (fogged && !nir_scalar_equal(fog, shader->fog))))
      return fail(a, "shader combines channels differently");
   if (!fogged)
      return true;
   shader->fogged = true;
   shader->fog = fog;
   if (!visit(a, fog) || !visit(a, shader->fog_color[c]))
      return false;
   return (texel_of(a, fog) < 0 && texel_of(a, shader->fog_color[c]) < 0 &&
           degree_of(a, shader->fog_color[c]) == NV3_UNIFORM) ||
          fail(a, "fog colour that is not uniform");
}

/* ---- the whole shader ---- */

static bool
visit_channel(struct analysis *a, unsigned c)
{
   struct nv3_shader *shader = a->shader;
   nir_scalar color = nir_scalar_chase_movs(shader->color[c]);

   if (c < 3 && !visit_fog(a, c, &color))
      return false;
   if (!visit(a, color))
      return false;
   if (degree_of(a, color) > NV3_AFFINE)
      return fail(a, "colour not affine in the varyings");
   shader->color[c] = color;
   shader->swizzle[c] = texel_of(a, color) < 0 ?
                        PIPE_SWIZZLE_1 : PIPE_SWIZZLE_X + texel_of(a, color);
   return true;
}

/*
 * Returns the comparison f for which f(b, a) equals @func(a, b).
 */
static enum pipe_compare_func
exchanged(enum pipe_compare_func func)
{
   return func == PIPE_FUNC_LESS ? PIPE_FUNC_GREATER :
          func == PIPE_FUNC_GEQUAL ? PIPE_FUNC_LEQUAL : func;
}

/*
 * Translates the discard to an alpha test if the discard's condition compares
 * alpha with a uniform value. Returns false for any other discard.
 */
static bool
visit_discard(struct analysis *a)
{
   struct nv3_shader *shader = a->shader;
   nir_scalar cond = nir_scalar_chase_movs(
      nir_get_scalar(a->discard->src[0].ssa, 0));
   bool keeps = false;  /* if the comparison is true */
   enum pipe_compare_func func;
   unsigned alpha;

   while (is_op(cond, nir_op_inot)) {
      cond = operand(cond, 0);
      keeps = !keeps;
   }
   if (!nir_scalar_is_alu(cond))
      return fail(a, "discard that is not an alpha test");
   switch (nir_scalar_alu_op(cond)) {
   case nir_op_flt:
   case nir_op_flt32:
      func = PIPE_FUNC_LESS;
      break;
   case nir_op_fge:
   case nir_op_fge32:
      func = PIPE_FUNC_GEQUAL;
      break;
   case nir_op_feq:
   case nir_op_feq32:
      func = PIPE_FUNC_EQUAL;
      break;
   case nir_op_fneu:
   case nir_op_fneu32:
      func = PIPE_FUNC_NOTEQUAL;
      break;
   default:
      return fail(a, "discard that is not an alpha test");
   }
   alpha = nir_scalar_equal(operand(cond, 0), shader->color[3]) ? 0 : 1;
   if (alpha)
      func = exchanged(func);
   shader->alpha_ref = operand(cond, !alpha);
   if (!nir_scalar_equal(operand(cond, alpha), shader->color[3]) ||
       !visit(a, shader->alpha_ref) || texel_of(a, shader->alpha_ref) >= 0 ||
       degree_of(a, shader->alpha_ref) != NV3_UNIFORM)
      return fail(a, "discard that is not an alpha test");
   /* The negation of PIPE_FUNC_* f is 7 - f. */
   shader->alpha_func = keeps ? func : 7 - func;
   return true;
}

/*
 * Analyses an instruction that writes an output or discards the fragment.
 * Returns false if class 0x17 has no equivalent of the instruction.
 */
static bool
visit_effect(struct analysis *a, nir_intrinsic_instr *intr)
{
   unsigned location;

   switch (intr->intrinsic) {
   case nir_intrinsic_store_output:
      location = nir_intrinsic_io_semantics(intr).location;
      if (location != FRAG_RESULT_COLOR && location != FRAG_RESULT_DATA0)
         return fail(a, "output other than a colour");
      for (unsigned i = 0; i < intr->src[0].ssa->num_components; i++) {
         if (nir_intrinsic_write_mask(intr) & 1u << i)
            a->shader->color[nir_intrinsic_component(intr) + i] =
               nir_get_scalar(intr->src[0].ssa, i);
      }
      return true;
   case nir_intrinsic_terminate_if:
   case nir_intrinsic_demote_if:
      if (a->discard)
         return fail(a, "more than one discard");
      a->discard = intr;
      return true;
   case nir_intrinsic_terminate:
   case nir_intrinsic_demote:
      return fail(a, "unconditional discard");
   default:
      return true;
   }
}

static void
visit_shader(struct analysis *a)
{
   nir_function_impl *impl = nir_shader_get_entrypoint(a->shader->nir);

   if (!exec_list_is_singular(&impl->body)) {
      fail(a, "shader with control flow");
      return;
   }
   nir_foreach_instr(instr, nir_start_block(impl)) {
      if (instr->type == nir_instr_type_intrinsic &&
          !visit_effect(a, nir_instr_as_intrinsic(instr)))
         return;
   }
   for (unsigned c = 0; c < 4; c++) {
      if (!a->shader->color[c].def) {
         fail(a, "incomplete colour");
         return;
      }
   }
   for (unsigned c = 0; c < 4; c++) {
      if (!visit_channel(a, c))
         return;
   }
   if (a->discard)
      visit_discard(a);
}

struct nv3_shader *
nv3_shader_create(const struct pipe_shader_state *templ, bool print)
{
   struct nv3_shader *shader = CALLOC_STRUCT(nv3_shader);
   struct analysis a = { .shader = shader };
   unsigned count;

   if (!shader)
      return NULL;
   shader->alpha_func = PIPE_FUNC_ALWAYS;
   if (templ->type != PIPE_SHADER_IR_NIR) {
      shader->reason = "shader in TGSI";
      return shader;
   }
   shader->nir = templ->ir.nir;
   prepare(shader->nir);
   count = nir_shader_get_entrypoint(shader->nir)->ssa_alloc * COMPONENTS;
   shader->scalars = CALLOC(MAX2(count, 1), sizeof(*shader->scalars));
   if (shader->scalars)
      visit_shader(&a);
   else
      fail(&a, "no memory");
   if (print) {
      mesa_logi("nv3: fragment shader %s: %s", shader->nir->info.name ?: "",
                shader->reason ?: "class 0x17");
      if (shader->reason)
         nir_print_shader(shader->nir, stderr);
   }
   return shader;
}

void
nv3_shader_destroy(struct nv3_shader *shader)
{
   if (!shader)
      return;
   ralloc_free(shader->nir);
   FREE(shader->scalars);
   FREE(shader);
}

enum nv3_degree
nv3_shader_degree(const struct nv3_shader *shader, nir_scalar scalar)
{
   return shader->scalars[index_of(scalar)] & BITFIELD_MASK(DEGREE_BITS);
}

/* ---- interpretation ---- */

bool
nv3_interpreter_begin(struct nv3_interpreter *in,
                      const struct nv3_shader *shader, const void *constants,
                      unsigned size)
{
   unsigned count =
      nir_shader_get_entrypoint(shader->nir)->ssa_alloc * COMPONENTS;

   if (count > in->max) {
      nv3_interpreter_fini(in);
      in->values = MALLOC(count * sizeof(*in->values));
      in->stamps = CALLOC(count, sizeof(*in->stamps));
      if (!in->values || !in->stamps) {
         nv3_interpreter_fini(in);
         return false;
      }
      in->max = count;
   }
   in->shader = shader;
   in->constants = constants;
   in->constants_size = size;
   in->clamped = false;
   nv3_interpreter_reset(in);
   return true;
}

void
nv3_interpreter_reset(struct nv3_interpreter *in)
{
   /*
    * After an overflow, clear all stamps, so that no old stamp equals a new
    * one.
    */
   if (!++in->stamp) {
      memset(in->stamps, 0, in->max * sizeof(*in->stamps));
      in->stamp = 1;
   }
}

static nir_const_value
interpret(struct nv3_interpreter *in, nir_scalar s);

static nir_const_value
interpret_alu(struct nv3_interpreter *in, nir_scalar s)
{
   nir_op op = nir_scalar_alu_op(s);
   nir_const_value src[NIR_MAX_VEC_COMPONENTS], dst = { 0 };
   nir_const_value *srcs[NIR_MAX_VEC_COMPONENTS];
   unsigned bits = s.def->bit_size;
   int kept = clamped_operand(s);

   for (unsigned i = 0; i < nir_op_infos[op].num_inputs; i++) {
      nir_scalar from = operand(s, i);

      src[i] = interpret(in, from);
      srcs[i] = &src[i];
      if (!nir_alu_type_get_type_size(nir_op_infos[op].input_types[i]))
         bits = from.def->bit_size;
   }
   nir_eval_const_opcode(op, &dst, 1, bits, srcs, 0);
   /*
    * A clamp of a uniform value is exact, unless the value is multiplied by a
    * texel.
    */
   if (kept >= 0 && dst.f32 != src[kept].f32 &&
       in->shader->scalars[index_of(s)] != NV3_UNIFORM)
      in->clamped = true;
   return dst;
}

static nir_const_value
interpret_intrinsic(struct nv3_interpreter *in, const nir_intrinsic_instr *intr,
                    unsigned component)
{
   nir_const_value value = { 0 };
   uint64_t at;

   if (intr->intrinsic != nir_intrinsic_load_ubo) {
      component += nir_intrinsic_component(intr);
      value.f32 = in->inputs[intr->instr.pass_flags][component];
      return value;
   }
   at = nir_src_as_uint(intr->src[1]) + component * 4ull;
   if (at + sizeof(float) <= in->constants_size)
      memcpy(&value.f32, in->constants + at, sizeof(float));
   return value;
}

static nir_const_value
interpret(struct nv3_interpreter *in, nir_scalar s)
{
   unsigned at = index_of(s);
   nir_instr *instr = s.def->parent_instr;

   if (in->stamps[at] == in->stamp)
      return in->values[at];
   switch (instr->type) {
   case nir_instr_type_load_const:
      return nir_instr_as_load_const(instr)->value[s.comp];
   case nir_instr_type_alu:
      in->values[at] = interpret_alu(in, s);
      break;
   case nir_instr_type_intrinsic:
      in->values[at] =
         interpret_intrinsic(in, nir_instr_as_intrinsic(instr), s.comp);
      break;
   case nir_instr_type_tex:
      return (nir_const_value) { .f32 = 1.0f };
   default:
      return (nir_const_value) { 0 };
   }
   in->stamps[at] = in->stamp;
   return in->values[at];
}

float
nv3_interpreter_get(struct nv3_interpreter *in, nir_scalar scalar)
{
   return interpret(in, scalar).f32;
}

void
nv3_interpreter_fini(struct nv3_interpreter *in)
{
   FREE(in->values);
   FREE(in->stamps);
   in->values = NULL;
   in->stamps = NULL;
   in->max = 0;
}
