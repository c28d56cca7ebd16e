/* SPDX-License-Identifier: MIT */
/* Computes the symbolic values of a fragment shader's NIR instructions. */
#include "compiler/nir/nir.h"
#include "tgsi/tgsi_from_mesa.h"

#include "compiler/nv3_expr.h"
#include "compiler/nv3_shader.h"
#include "compiler/nv3_symbolic.h"

static const struct nv3_value unknown;

struct nv3_value
nv3_analysis_fail(struct nv3_analysis *a, const char *reason)
{
   if (!a->info->reason)
      a->info->reason = reason;
   return unknown;
}

static struct nv3_value
plain(struct nv3_analysis *a, int op)
{
   if (op < 0)
      return nv3_analysis_fail(a, "too many operations");
   return (struct nv3_value) { .known = true, .texel = -1, .other = -1,
                               .scale = -1, .other_scale = -1, .offset = op,
                               .clamped_factor = -1 };
}

static struct nv3_value
of_texel(unsigned texture, int texel, int scale, int offset)
{
   return (struct nv3_value){ .known = true,
                              .texture = texture,
                              .texel = texel,
                              .other = -1,
                              .scale = scale,
                              .other_scale = -1,
                              .offset = offset,
                              .clamped_factor = -1 };
}

/* ---- arithmetic ---- */

/*
 * Returns the uniform part of a factor. Varying parts count as 1, which is
 * their maximum.
 */
static int
uniform_part(struct nv3_expr *expr, int op)
{
   const struct nv3_op *factor = &expr->ops[op];

   if (factor->degree == NV3_UNIFORM)
      return op;
   if (factor->code == NV3_OP_MUL)
      return nv3_expr_binary(expr, NV3_OP_MUL, uniform_part(expr, factor->a),
                             uniform_part(expr, factor->b));
   return nv3_expr_const(expr, 1.0f);
}

void
nv3_analysis_scale(struct nv3_analysis *a, int op)
{
   struct nv3_expr *expr = &a->info->expr;
   int part = op < 0 ? -1 : uniform_part(expr, op);

   if (part >= 0)
      a->info->max_factor =
         a->info->max_factor < 0
            ? part
            : nv3_expr_binary(expr, NV3_OP_MAX, a->info->max_factor, part);
}

static bool
is_positive(const struct nv3_analysis *a, int op)
{
   return op < 0 || a->info->expr.ops[op].min >= 0.0f;
}

/*
 * Clamps a texel's value. Class 0x17 clamps only the final colour. The clamp
 * must therefore have no effect, or only fog or brightening may follow it.
 * nv3_validate.c rejects a uniform factor above 1 when its value is known.
 */
static struct nv3_value
clamp_texel(struct nv3_analysis *a, struct nv3_value x)
{
   const struct nv3_expr *expr = &a->info->expr;

   if (x.clamped_factor >= 0)
      return nv3_analysis_fail(a, "shader computes with clamped texels");
   nv3_analysis_scale(a, x.scale);
   nv3_analysis_scale(a, x.other_scale);
   x.clamped = x.offset >= 0 || x.other_scale >= 0 ||
               (expr->ops[x.scale].degree != NV3_UNIFORM &&
                !nv3_expr_is_unit(expr, x.scale));
   return x;
}

static int
mul_or_none(struct nv3_analysis *a, int x, int by)
{
   return x < 0 ? -1 : nv3_expr_binary(&a->info->expr, NV3_OP_MUL, x, by);
}

/*
 * Multiplies two values with one texel of each texture and without summands.
 */
static struct nv3_value
multiply_texels(struct nv3_analysis *a, struct nv3_value x, struct nv3_value y)
{
   struct nv3_value product;

   if (x.other >= 0 || y.other >= 0 || x.texture == y.texture ||
       x.offset >= 0 || y.offset >= 0 || x.clamped || y.clamped)
      return nv3_analysis_fail(a, "shader multiplies texels");
   product = of_texel(0, x.texture ? y.texel : x.texel,
                      nv3_expr_binary(&a->info->expr, NV3_OP_MUL, x.scale,
                                      y.scale), -1);
   product.other = x.texture ? x.texel : y.texel;
   return product;
}

static struct nv3_value
multiply(struct nv3_analysis *a, struct nv3_value x, struct nv3_value y)
{
   struct nv3_expr *expr = &a->info->expr;

   if (x.texel < 0 && y.texel < 0)
      return plain(a, nv3_expr_binary(expr, NV3_OP_MUL, x.offset, y.offset));
   if (x.texel >= 0 && y.texel >= 0)
      return multiply_texels(a, x, y);
   if (x.texel < 0) {
      struct nv3_value swap = x;

      x = y;
      y = swap;
   }
   if (x.clamped && !nv3_expr_is_const(expr, y.offset, 1.0f)) {
      if (x.clamped_factor >= 0 || expr->ops[y.offset].degree == NV3_UNIFORM)
         return nv3_analysis_fail(a, "shader computes with clamped texels");
      x.clamped_factor = y.offset;
   }
   x.scale = nv3_expr_binary(expr, NV3_OP_MUL, x.scale, y.offset);
   x.other_scale = mul_or_none(a, x.other_scale, y.offset);
   x.offset = mul_or_none(a, x.offset, y.offset);
   return x;
}

static struct nv3_value
add_texels(struct nv3_analysis *a, struct nv3_value x, struct nv3_value y,
           int offset)
{
   struct nv3_value sum;

   if (x.other >= 0 || y.other >= 0)
      return nv3_analysis_fail(a, "shader adds products of texels");
   if (x.clamped || y.clamped)
      return nv3_analysis_fail(a, "shader computes with clamped texels");
   if (x.texture == y.texture) {
      if (x.texel != y.texel)
         return nv3_analysis_fail(a, "shader adds components of one texel");
      return of_texel(x.texture, x.texel,
                      nv3_expr_binary(&a->info->expr, NV3_OP_ADD, x.scale,
                                      y.scale), offset);
   }
   if (x.texture) {
      struct nv3_value swap = x;

      x = y;
      y = swap;
   }
   sum = of_texel(0, x.texel, x.scale, offset);
   sum.other = y.texel;
   sum.other_scale = y.scale;
   return sum;
}

static struct nv3_value
add(struct nv3_analysis *a, struct nv3_value x, struct nv3_value y)
{
   struct nv3_expr *expr = &a->info->expr;
   int offset;

   if (x.offset < 0 || y.offset < 0)
      offset = MAX2(x.offset, y.offset);
   else
      offset = nv3_expr_binary(expr, NV3_OP_ADD, x.offset, y.offset);
   if (x.texel < 0 && y.texel < 0)
      return plain(a, offset);
   if (x.texel >= 0 && y.texel >= 0)
      return add_texels(a, x, y, offset);
   if (x.texel < 0) {
      struct nv3_value swap = x;

      x = y;
      y = swap;
   }
   /*
    * If the clamped value has a factor, this is the summand of fog, which
    * nv3_shader.c verifies.
    */
   if (x.clamped && x.clamped_factor < 0 &&
       !(is_positive(a, x.scale) && is_positive(a, x.other_scale) &&
         is_positive(a, x.offset) && is_positive(a, y.offset)))
      return nv3_analysis_fail(a, "shader computes with clamped texels");
   x.offset = offset;
   return x;
}

static struct nv3_value
negate(struct nv3_analysis *a, struct nv3_value x)
{
   struct nv3_expr *expr = &a->info->expr;

   if (x.clamped)
      return nv3_analysis_fail(a, "shader computes with clamped texels");
   if (x.scale >= 0)
      x.scale = nv3_expr_unary(expr, NV3_OP_NEG, x.scale);
   if (x.other_scale >= 0)
      x.other_scale = nv3_expr_unary(expr, NV3_OP_NEG, x.other_scale);
   if (x.offset >= 0)
      x.offset = nv3_expr_unary(expr, NV3_OP_NEG, x.offset);
   return x;
}

/*
 * True if the operation is a half of min(max(x, 0), 1), by which a shader may
 * express saturation.
 */
static bool
clamps_texel(struct nv3_analysis *a, enum nv3_op_code code, struct nv3_value x,
             struct nv3_value y)
{
   return x.texel >= 0 && y.texel < 0 &&
          nv3_expr_is_const(&a->info->expr, y.offset,
                            code == NV3_OP_MIN ? 1.0f : 0.0f);
}

/*
 * Clamping an interpolated colour between 0 and 1 has no effect if the
 * vertices' colours are clamped.
 */
static struct nv3_value
saturate(struct nv3_analysis *a, int op)
{
   struct nv3_expr *expr = &a->info->expr;

   if (op >= 0 && expr->ops[op].degree != NV3_UNIFORM &&
       nv3_expr_is_unit(expr, op))
      a->info->clamps_colors = true;
   return plain(a, nv3_expr_unary(expr, NV3_OP_SAT, op));
}

static struct nv3_value
min_max(struct nv3_analysis *a, enum nv3_op_code code, struct nv3_value x,
        struct nv3_value y)
{
   struct nv3_expr *expr = &a->info->expr;
   int one;

   if (clamps_texel(a, code, x, y))
      return clamp_texel(a, x);
   if (clamps_texel(a, code, y, x))
      return clamp_texel(a, y);
   if (x.texel >= 0 || y.texel >= 0)
      return nv3_analysis_fail(a, "shader compares texels");

   /* min(max(x, 0), 1) becomes one operation, so the result can stay affine. */
   if (code == NV3_OP_MIN && nv3_expr_is_const(expr, x.offset, 1.0f)) {
      struct nv3_value swap = x;

      x = y;
      y = swap;
   }
   if (code == NV3_OP_MIN && nv3_expr_is_const(expr, y.offset, 1.0f) &&
       expr->ops[x.offset].code == NV3_OP_MAX) {
      const struct nv3_op *max = &expr->ops[x.offset];

      one = nv3_expr_is_const(expr, max->b, 0.0f) ? max->a :
            nv3_expr_is_const(expr, max->a, 0.0f) ? max->b : -1;
      if (one >= 0)
         return saturate(a, one);
   }
   if (code == NV3_OP_MAX && expr->ops[x.offset].code == NV3_OP_MIN &&
       nv3_expr_is_const(expr, y.offset, 0.0f)) {
      const struct nv3_op *min = &expr->ops[x.offset];

      one = nv3_expr_is_const(expr, min->b, 1.0f) ? min->a :
            nv3_expr_is_const(expr, min->a, 1.0f) ? min->b : -1;
      if (one >= 0)
         return saturate(a, one);
   }
   return plain(a, nv3_expr_binary(expr, code, x.offset, y.offset));
}

static struct nv3_value
unary_value(struct nv3_analysis *a, enum nv3_op_code code, struct nv3_value x)
{
   if (x.texel >= 0)
      return code == NV3_OP_SAT ? clamp_texel(a, x) :
             nv3_analysis_fail(a, "shader computes with texels");
   if (code == NV3_OP_SAT)
      return saturate(a, x.offset);
   return plain(a, nv3_expr_unary(&a->info->expr, code, x.offset));
}

static struct nv3_value
alu_value(struct nv3_analysis *a, nir_scalar s)
{
   struct nv3_value src[3] = { 0 };
   nir_op op = nir_scalar_alu_op(s);
   unsigned count = nir_op_infos[op].num_inputs;

   if (count > 3)
      return nv3_analysis_fail(a, "shader with an unsupported operation");
   for (unsigned i = 0; i < count; i++) {
      src[i] = nv3_scalar_value(a, nir_scalar_chase_alu_src(s, i));
      if (!src[i].known)
         return unknown;
   }
   switch (op) {
   case nir_op_mov:
      return src[0];
   case nir_op_fneg:
      return negate(a, src[0]);
   case nir_op_fabs:
      return unary_value(a, NV3_OP_ABS, src[0]);
   case nir_op_fsat:
      return unary_value(a, NV3_OP_SAT, src[0]);
   case nir_op_frcp:
      return unary_value(a, NV3_OP_RCP, src[0]);
   case nir_op_frsq:
      return unary_value(a, NV3_OP_RSQ, src[0]);
   case nir_op_fsqrt:
      return unary_value(a, NV3_OP_SQRT, src[0]);
   case nir_op_fexp2:
      return unary_value(a, NV3_OP_EXP2, src[0]);
   case nir_op_flog2:
      return unary_value(a, NV3_OP_LOG2, src[0]);
   case nir_op_fadd:
      return add(a, src[0], src[1]);
   case nir_op_fsub:
      return add(a, src[0], negate(a, src[1]));
   case nir_op_fmul:
      return multiply(a, src[0], src[1]);
   case nir_op_ffma: {
      struct nv3_value product = multiply(a, src[0], src[1]);

      return product.known ? add(a, product, src[2]) : product;
   }
   case nir_op_fmin:
      return min_max(a, NV3_OP_MIN, src[0], src[1]);
   case nir_op_fmax:
      return min_max(a, NV3_OP_MAX, src[0], src[1]);
   case nir_op_fpow:
      if (src[0].texel >= 0 || src[1].texel >= 0)
         return nv3_analysis_fail(a, "shader computes with texels");
      return plain(a, nv3_expr_binary(&a->info->expr, NV3_OP_POW,
                                      src[0].offset, src[1].offset));
   default:
      return nv3_analysis_fail(a, nir_op_infos[op].name);
   }
}

/* ---- inputs, uniforms and texels ---- */

static int
input_index(struct nv3_analysis *a, unsigned location, bool flat)
{
   struct nv3_shader_info *info = a->info;
   unsigned semantic, index;

   tgsi_get_gl_varying_semantic(location, true, &semantic, &index);
   for (unsigned i = 0; i < info->input_count; i++) {
      if (info->inputs[i].semantic == semantic &&
          info->inputs[i].index == index)
         return i;
   }
   if (info->input_count == NV3_MAX_INPUTS)
      return -1;
   info->inputs[info->input_count].semantic = semantic;
   info->inputs[info->input_count].index = index;
   info->inputs[info->input_count].flat = flat;
   return info->input_count++;
}

static struct nv3_value
input_value(struct nv3_analysis *a, nir_intrinsic_instr *intr,
            unsigned component)
{
   const nir_src *offset = nir_get_io_offset_src(intr);
   unsigned location = nir_intrinsic_io_semantics(intr).location;
   bool flat = intr->intrinsic == nir_intrinsic_load_input;
   int input, op;

   if (!nir_src_is_const(*offset))
      return nv3_analysis_fail(a, "indirectly addressed varyings");
   location += nir_src_as_uint(*offset);
   if (location == VARYING_SLOT_POS || location == VARYING_SLOT_FACE ||
       location == VARYING_SLOT_PNTC)
      return nv3_analysis_fail(
         a, "shader uses the position or side of fragments");
   if (!flat) {
      nir_intrinsic_instr *bary = nir_src_as_intrinsic(intr->src[0]);

      if (bary->intrinsic != nir_intrinsic_load_barycentric_pixel)
         return nv3_analysis_fail(a, "unsupported interpolation");
      flat = nir_intrinsic_interp_mode(bary) == INTERP_MODE_FLAT;
   }
   input = input_index(a, location, flat);
   if (input < 0)
      return nv3_analysis_fail(a, "too many varyings");
   op = nv3_expr_varying(&a->info->expr, input,
                         nir_intrinsic_component(intr) + component);
   /*
    * These bounds hold if the rasterizer state clamps colours, which
    * nv3_validate.c verifies.
    */
   if (a->info->inputs[input].semantic == TGSI_SEMANTIC_COLOR)
      nv3_expr_bound(&a->info->expr, op, 0.0f, 1.0f);
   return plain(a, op);
}

static struct nv3_value
uniform_value(struct nv3_analysis *a, nir_intrinsic_instr *intr,
              unsigned component)
{
   if (!nir_src_is_const(intr->src[0]) || nir_src_as_uint(intr->src[0]) ||
       !nir_src_is_const(intr->src[1]))
      return nv3_analysis_fail(a, "indirectly addressed uniforms");
   return plain(a, nv3_expr_uniform(&a->info->expr,
                                    nir_src_as_uint(intr->src[1]) +
                                    component * 4));
}

static struct nv3_value
intrinsic_value(struct nv3_analysis *a, nir_intrinsic_instr *intr,
                unsigned component)
{
   switch (intr->intrinsic) {
   case nir_intrinsic_load_input:
   case nir_intrinsic_load_interpolated_input:
      return input_value(a, intr, component);
   case nir_intrinsic_load_ubo:
      return uniform_value(a, intr, component);
   default:
      return nv3_analysis_fail(a, nir_intrinsic_infos[intr->intrinsic].name);
   }
}

/* Returns q if @op is x / q, as in projective coordinates, or -1. */
static int
divisor(struct nv3_analysis *a, int op)
{
   const struct nv3_expr *expr = &a->info->expr;
   const struct nv3_op *mul = &expr->ops[op];

   if (mul->code != NV3_OP_MUL)
      return -1;
   if (expr->ops[mul->b].code == NV3_OP_RCP)
      return expr->ops[mul->b].a;
   return expr->ops[mul->a].code == NV3_OP_RCP ? expr->ops[mul->a].a : -1;
}

static int
dividend(struct nv3_analysis *a, int op)
{
   const struct nv3_expr *expr = &a->info->expr;
   const struct nv3_op *mul = &expr->ops[op];

   return expr->ops[mul->b].code == NV3_OP_RCP ? mul->a : mul->b;
}

static bool
coordinates(struct nv3_analysis *a, const nir_tex_instr *tex, unsigned src,
            struct nv3_lookup *lookup)
{
   const struct nv3_expr *expr = &a->info->expr;
   int q;

   for (unsigned i = 0; i < 2; i++) {
      struct nv3_value v =
         nv3_scalar_value(a, nir_get_scalar(tex->src[src].src.ssa, i));

      if (!v.known || v.texel >= 0) {
         nv3_analysis_fail(a, "dependent texture lookup");
         return false;
      }
      lookup->coord[i] = v.offset;
   }
   lookup->coord_q = -1;
   q = divisor(a, lookup->coord[0]);
   if (q >= 0 && divisor(a, lookup->coord[1]) == q &&
       expr->ops[q].degree <= NV3_AFFINE) {
      lookup->coord_q = q;
      lookup->coord[0] = dividend(a, lookup->coord[0]);
      lookup->coord[1] = dividend(a, lookup->coord[1]);
   }
   if (expr->ops[lookup->coord[0]].degree > NV3_AFFINE ||
       expr->ops[lookup->coord[1]].degree > NV3_AFFINE) {
      nv3_analysis_fail(a, "shader computes texture coordinates");
      return false;
   }
   return true;
}

static bool
plain_lookup(struct nv3_analysis *a, const nir_tex_instr *tex)
{
   if (tex->op != nir_texop_tex || tex->is_shadow || tex->is_array ||
       tex->sampler_dim != GLSL_SAMPLER_DIM_2D ||
       nir_tex_instr_src_index(tex, nir_tex_src_coord) < 0) {
      nv3_analysis_fail(a, "unsupported kind of texture lookup");
      return false;
   }
   for (unsigned i = 0; i < tex->num_srcs; i++) {
      switch (tex->src[i].src_type) {
      case nir_tex_src_coord:
      case nir_tex_src_texture_deref:
      case nir_tex_src_sampler_deref:
         break;
      default:
         nv3_analysis_fail(a, "texture lookup with bias, level or offset");
         return false;
      }
   }
   return true;
}

static struct nv3_value
tex_value(struct nv3_analysis *a, const nir_tex_instr *tex, unsigned component)
{
   int one = nv3_expr_const(&a->info->expr, 1.0f);
   struct nv3_lookup *lookup;
   unsigned i;

   for (i = 0; i < NV3_MAX_LOOKUPS && a->tex[i]; i++) {
      if (a->tex[i] == tex)
         return of_texel(i, component, one, -1);
   }
   if (i == NV3_MAX_LOOKUPS)
      return nv3_analysis_fail(a, "more than two texture lookups");
   if (!plain_lookup(a, tex))
      return unknown;
   a->tex[i] = tex;
   lookup = &a->lookup[i];
   lookup->sampler = tex->sampler_index;
   lookup->view = tex->texture_index;
   if (!coordinates(a, tex, nir_tex_instr_src_index(tex, nir_tex_src_coord),
                    lookup))
      return unknown;
   return of_texel(i, component, one, -1);
}

struct nv3_value
nv3_scalar_value(struct nv3_analysis *a, nir_scalar s)
{
   struct nv3_value *v;

   s = nir_scalar_chase_movs(s);
   v = &a->values[s.def->index * NIR_MAX_VEC_COMPONENTS + s.comp];
   if (v->known)
      return *v;
   if (s.def->bit_size != 32)
      return nv3_analysis_fail(a, "shader with integers");
   switch (s.def->parent_instr->type) {
   case nir_instr_type_load_const:
      *v = plain(a, nv3_expr_const(&a->info->expr, nir_scalar_as_float(s)));
      break;
   case nir_instr_type_undef:
      *v = plain(a, nv3_expr_const(&a->info->expr, 0.0f));
      break;
   case nir_instr_type_alu:
      *v = alu_value(a, s);
      break;
   case nir_instr_type_intrinsic:
      *v = intrinsic_value(a, nir_instr_as_intrinsic(s.def->parent_instr),
                           s.comp);
      break;
   case nir_instr_type_tex:
      *v = tex_value(a, nir_instr_as_tex(s.def->parent_instr), s.comp);
      break;
   default:
      *v = nv3_analysis_fail(a, "shader with control flow");
      break;
   }
   return *v;
}
