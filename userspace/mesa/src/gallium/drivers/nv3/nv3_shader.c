/* SPDX-License-Identifier: MIT */
/*
 * What a fragment shader computes, found by following each channel of its
 * output back to what it is made of. Fixed function, which the state tracker
 * writes as a shader, and GLSL that amounts to it come out the same.
 */
#include "compiler/nir/nir.h"
#include "compiler/nir/nir_builder.h"
#include "nir/tgsi_to_nir.h"
#include "tgsi/tgsi_from_mesa.h"
#include "util/log.h"
#include "util/u_memory.h"

#include "nv3_nir.h"
#include "nv3_screen.h"
#include "nv3_shader.h"

/*
 * A scalar: texel component @texel times @scale plus @offset, each an operation
 * or -1 for not there. Without a texel it is @offset. @other is a component of
 * the other texture, of which there is @other_scale; if there is none of that,
 * it is one more factor of the first.
 */
struct value {
   bool known;
   uint8_t texture;       /* that @texel is of */
   int8_t texel, other;
   int scale, other_scale, offset;
};

#define TEXTURES 2

struct analysis {
   struct nv3_screen *screen;
   nir_shader *nir;
   struct nv3_shader_info *info;
   const nir_tex_instr *tex[TEXTURES];
   struct nv3_lookup lookup[TEXTURES];
   struct value *values;     /* of each component of each SSA value */
   nir_scalar color[4];
   bool has_color, has_texel;
   uint8_t first_texture;
   const nir_intrinsic_instr *discard;
};

static const struct value unknown;

static struct value
fail(struct analysis *a, const char *reason)
{
   if (!a->info->reason)
      a->info->reason = reason;
   return unknown;
}

static struct value
plain(struct analysis *a, int op)
{
   if (op < 0)
      return fail(a, "shader with too much arithmetic");
   return (struct value) { .known = true, .texel = -1, .other = -1,
                           .scale = -1, .other_scale = -1, .offset = op };
}

static struct value
of_texel(unsigned texture, int texel, int scale, int offset)
{
   return (struct value) { .known = true, .texture = texture, .texel = texel,
                           .other = -1, .scale = scale, .other_scale = -1,
                           .offset = offset };
}

static struct value scalar_value(struct analysis *a, nir_scalar s);

/* ---- arithmetic ---- */

static int
mul_or_none(struct analysis *a, int x, int by)
{
   return x < 0 ? -1 : nv3_expr_binary(&a->info->expr, NV3_OP_MUL, x, by);
}

/* A texel of each texture, and nothing else to add. */
static struct value
multiply_texels(struct analysis *a, struct value x, struct value y)
{
   struct value product;

   if (x.other >= 0 || y.other >= 0 || x.texture == y.texture ||
       x.offset >= 0 || y.offset >= 0)
      return fail(a, "shader multiplies texels");
   product = of_texel(0, x.texture ? y.texel : x.texel,
                      nv3_expr_binary(&a->info->expr, NV3_OP_MUL, x.scale,
                                      y.scale), -1);
   product.other = x.texture ? x.texel : y.texel;
   return product;
}

static struct value
multiply(struct analysis *a, struct value x, struct value y)
{
   struct nv3_expr *expr = &a->info->expr;

   if (x.texel < 0 && y.texel < 0)
      return plain(a, nv3_expr_binary(expr, NV3_OP_MUL, x.offset, y.offset));
   if (x.texel >= 0 && y.texel >= 0)
      return multiply_texels(a, x, y);
   if (x.texel < 0) {
      struct value swap = x;

      x = y;
      y = swap;
   }
   x.scale = nv3_expr_binary(expr, NV3_OP_MUL, x.scale, y.offset);
   x.other_scale = mul_or_none(a, x.other_scale, y.offset);
   x.offset = mul_or_none(a, x.offset, y.offset);
   return x;
}

static struct value
add_texels(struct analysis *a, struct value x, struct value y, int offset)
{
   struct value sum;

   if (x.other >= 0 || y.other >= 0)
      return fail(a, "shader adds products of texels");
   if (x.texture == y.texture) {
      if (x.texel != y.texel)
         return fail(a, "shader adds components of texels");
      return of_texel(x.texture, x.texel,
                      nv3_expr_binary(&a->info->expr, NV3_OP_ADD, x.scale,
                                      y.scale), offset);
   }
   if (x.texture) {
      struct value swap = x;

      x = y;
      y = swap;
   }
   sum = of_texel(0, x.texel, x.scale, offset);
   sum.other = y.texel;
   sum.other_scale = y.scale;
   return sum;
}

static struct value
add(struct analysis *a, struct value x, struct value y)
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
   if (x.texel < 0)
      x = y;
   x.offset = offset;
   return x;
}

static struct value
negate(struct analysis *a, struct value x)
{
   struct nv3_expr *expr = &a->info->expr;

   if (x.scale >= 0)
      x.scale = nv3_expr_unary(expr, NV3_OP_NEG, x.scale);
   if (x.other_scale >= 0)
      x.other_scale = nv3_expr_unary(expr, NV3_OP_NEG, x.other_scale);
   if (x.offset >= 0)
      x.offset = nv3_expr_unary(expr, NV3_OP_NEG, x.offset);
   return x;
}

/* min(max(x, 0), 1), which is what saturation is made of, to a texel's value. */
static bool
clamps_texel(struct analysis *a, enum nv3_op_code code, struct value x,
             struct value y)
{
   return x.texel >= 0 && y.texel < 0 &&
          nv3_expr_is_const(&a->info->expr, y.offset,
                            code == NV3_OP_MIN ? 1.0f : 0.0f);
}

static struct value
min_max(struct analysis *a, enum nv3_op_code code, struct value x,
        struct value y)
{
   struct nv3_expr *expr = &a->info->expr;
   int one;

   /* The chip's colours are clamped anyway. */
   if (clamps_texel(a, code, x, y))
      return x;
   if (clamps_texel(a, code, y, x))
      return y;
   if (x.texel >= 0 || y.texel >= 0)
      return fail(a, "shader compares texels");

   /* min(max(x, 0), 1): as one operation, which stays affine. */
   if (code == NV3_OP_MIN && nv3_expr_is_const(expr, x.offset, 1.0f)) {
      struct value swap = x;

      x = y;
      y = swap;
   }
   if (code == NV3_OP_MIN && nv3_expr_is_const(expr, y.offset, 1.0f) &&
       expr->ops[x.offset].code == NV3_OP_MAX) {
      const struct nv3_op *max = &expr->ops[x.offset];

      one = nv3_expr_is_const(expr, max->b, 0.0f) ? max->a :
            nv3_expr_is_const(expr, max->a, 0.0f) ? max->b : -1;
      if (one >= 0)
         return plain(a, nv3_expr_unary(expr, NV3_OP_SAT, one));
   }
   if (code == NV3_OP_MAX && expr->ops[x.offset].code == NV3_OP_MIN &&
       nv3_expr_is_const(expr, y.offset, 0.0f)) {
      const struct nv3_op *min = &expr->ops[x.offset];

      one = nv3_expr_is_const(expr, min->b, 1.0f) ? min->a :
            nv3_expr_is_const(expr, min->a, 1.0f) ? min->b : -1;
      if (one >= 0)
         return plain(a, nv3_expr_unary(expr, NV3_OP_SAT, one));
   }
   return plain(a, nv3_expr_binary(expr, code, x.offset, y.offset));
}

static struct value
unary_value(struct analysis *a, enum nv3_op_code code, struct value x)
{
   if (x.texel >= 0)
      return code == NV3_OP_SAT ? x : fail(a, "shader computes with texels");
   return plain(a, nv3_expr_unary(&a->info->expr, code, x.offset));
}

static struct value
alu_value(struct analysis *a, nir_scalar s)
{
   struct value src[3] = { 0 };
   nir_op op = nir_scalar_alu_op(s);
   unsigned count = nir_op_infos[op].num_inputs;

   if (count > 3)
      return fail(a, "shader with an operation that is not followed");
   for (unsigned i = 0; i < count; i++) {
      src[i] = scalar_value(a, nir_scalar_chase_alu_src(s, i));
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
      struct value product = multiply(a, src[0], src[1]);

      return product.known ? add(a, product, src[2]) : product;
   }
   case nir_op_fmin:
      return min_max(a, NV3_OP_MIN, src[0], src[1]);
   case nir_op_fmax:
      return min_max(a, NV3_OP_MAX, src[0], src[1]);
   case nir_op_fpow:
      if (src[0].texel >= 0 || src[1].texel >= 0)
         return fail(a, "shader computes with texels");
      return plain(a, nv3_expr_binary(&a->info->expr, NV3_OP_POW,
                                      src[0].offset, src[1].offset));
   default:
      return fail(a, nir_op_infos[op].name);
   }
}

/* ---- where values come from ---- */

static int
input_index(struct analysis *a, unsigned location, bool flat)
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

static struct value
input_value(struct analysis *a, nir_intrinsic_instr *intr, unsigned component)
{
   const nir_src *offset = nir_get_io_offset_src(intr);
   unsigned location = nir_intrinsic_io_semantics(intr).location;
   bool flat = intr->intrinsic == nir_intrinsic_load_input;
   int input;

   if (!nir_src_is_const(*offset))
      return fail(a, "shader with indexed varyings");
   location += nir_src_as_uint(*offset);
   if (location == VARYING_SLOT_POS || location == VARYING_SLOT_FACE ||
       location == VARYING_SLOT_PNTC)
      return fail(a, "shader uses the pixel's place or side");
   if (!flat) {
      nir_intrinsic_instr *bary = nir_src_as_intrinsic(intr->src[0]);

      if (bary->intrinsic != nir_intrinsic_load_barycentric_pixel)
         return fail(a, "shader with other interpolation");
      flat = nir_intrinsic_interp_mode(bary) == INTERP_MODE_FLAT;
   }
   input = input_index(a, location, flat);
   if (input < 0)
      return fail(a, "shader with many varyings");
   return plain(a, nv3_expr_varying(&a->info->expr, input,
                                    nir_intrinsic_component(intr) + component));
}

static struct value
uniform_value(struct analysis *a, nir_intrinsic_instr *intr, unsigned component)
{
   if (!nir_src_is_const(intr->src[0]) || nir_src_as_uint(intr->src[0]) ||
       !nir_src_is_const(intr->src[1]))
      return fail(a, "shader with indexed uniforms");
   return plain(a, nv3_expr_uniform(&a->info->expr,
                                    nir_src_as_uint(intr->src[1]) +
                                    component * 4));
}

static struct value
intrinsic_value(struct analysis *a, nir_intrinsic_instr *intr,
                unsigned component)
{
   switch (intr->intrinsic) {
   case nir_intrinsic_load_input:
   case nir_intrinsic_load_interpolated_input:
      return input_value(a, intr, component);
   case nir_intrinsic_load_ubo:
   case nir_intrinsic_load_ubo_vec4:
      if (intr->intrinsic == nir_intrinsic_load_ubo)
         return uniform_value(a, intr, component);
      FALLTHROUGH;
   default:
      return fail(a, nir_intrinsic_infos[intr->intrinsic].name);
   }
}

/* x / q, as projective coordinates are written: q, or -1. */
static int
divisor(struct analysis *a, int op)
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
dividend(struct analysis *a, int op)
{
   const struct nv3_expr *expr = &a->info->expr;
   const struct nv3_op *mul = &expr->ops[op];

   return expr->ops[mul->b].code == NV3_OP_RCP ? mul->a : mul->b;
}

static bool
coordinates(struct analysis *a, const nir_tex_instr *tex, unsigned src,
            struct nv3_lookup *lookup)
{
   const struct nv3_expr *expr = &a->info->expr;
   int q;

   for (unsigned i = 0; i < 2; i++) {
      struct value v = scalar_value(a, nir_get_scalar(tex->src[src].src.ssa, i));

      if (!v.known || v.texel >= 0) {
         fail(a, "shader looks up where a texel says");
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
      fail(a, "shader computes texture coordinates");
      return false;
   }
   return true;
}

static bool
plain_lookup(struct analysis *a, const nir_tex_instr *tex)
{
   if (tex->op != nir_texop_tex || tex->is_shadow || tex->is_array ||
       tex->sampler_dim != GLSL_SAMPLER_DIM_2D ||
       nir_tex_instr_src_index(tex, nir_tex_src_coord) < 0) {
      fail(a, "shader with another kind of look-up");
      return false;
   }
   for (unsigned i = 0; i < tex->num_srcs; i++) {
      switch (tex->src[i].src_type) {
      case nir_tex_src_coord:
      case nir_tex_src_texture_deref:
      case nir_tex_src_sampler_deref:
         break;
      default:
         fail(a, "shader with a look-up that has options");
         return false;
      }
   }
   return true;
}

static struct value
tex_value(struct analysis *a, const nir_tex_instr *tex, unsigned component)
{
   int one = nv3_expr_const(&a->info->expr, 1.0f);
   struct nv3_lookup *lookup;
   unsigned i;

   for (i = 0; i < TEXTURES && a->tex[i]; i++) {
      if (a->tex[i] == tex)
         return of_texel(i, component, one, -1);
   }
   if (i == TEXTURES)
      return fail(a, "shader with more than two textures");
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

static struct value
scalar_value(struct analysis *a, nir_scalar s)
{
   struct value *v;

   s = nir_scalar_chase_movs(s);
   v = &a->values[s.def->index * NIR_MAX_VEC_COMPONENTS + s.comp];
   if (v->known)
      return *v;
   if (s.def->bit_size != 32)
      return fail(a, "shader with other than floats");
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
      *v = fail(a, "shader with control flow");
      break;
   }
   return *v;
}

/* ---- fog ---- */

/* Whether one is 1 minus the other. */
static bool
is_complement(const struct nv3_expr *expr, int x, int y)
{
   for (unsigned i = 0; i < 2; i++) {
      const struct nv3_op *op = &expr->ops[x];

      if (op->code == NV3_OP_ADD) {
         int other = nv3_expr_is_const(expr, op->a, 1.0f) ? op->b :
                     nv3_expr_is_const(expr, op->b, 1.0f) ? op->a : -1;

         if (other >= 0 && expr->ops[other].code == NV3_OP_NEG &&
             expr->ops[other].a == y)
            return true;
      }
      int swap = x;

      x = y;
      y = swap;
   }
   return false;
}

/* @op as @factor * rest: rest, an operation for 1 if there is none, or -1. */
static int
without_factor(struct nv3_expr *expr, int op, int factor)
{
   const struct nv3_op *mul = &expr->ops[op];

   if (op == factor)
      return nv3_expr_const(expr, 1.0f);
   if (mul->code != NV3_OP_MUL)
      return -1;
   return mul->a == factor ? mul->b : mul->b == factor ? mul->a : -1;
}

/* Operations; -1 for none. */
struct fog {
   int factor, color;
};

/*
 * scale * texel + offset as colour * texel * f + fog * (1 - f). @scale is of
 * the colour alone after that.
 */
static bool
split_fog(struct nv3_expr *expr, int *scale, int offset, struct fog *fog)
{
   const struct nv3_op *mul = &expr->ops[offset];

   if (mul->code != NV3_OP_MUL)
      return false;
   for (unsigned i = 0; i < 2; i++) {
      int fog_color = i ? mul->b : mul->a, weight = i ? mul->a : mul->b;
      const struct nv3_op *product = &expr->ops[*scale];
      int factors[3] = { *scale, product->a, product->b };

      if (expr->ops[fog_color].degree != NV3_UNIFORM)
         continue;
      for (unsigned j = 0; j < (product->code == NV3_OP_MUL ? 3 : 1); j++) {
         if (is_complement(expr, factors[j], weight)) {
            *fog = (struct fog) { factors[j], fog_color };
            *scale = without_factor(expr, *scale, factors[j]);
            return true;
         }
      }
   }
   return false;
}

/* The same where two things are fogged together, of which @other is the second. */
static bool
split_sum_fog(struct nv3_expr *expr, int *scale, int *other, int offset,
              struct fog *fog)
{
   struct fog found;
   int first = *scale, second;

   if (!split_fog(expr, &first, offset, &found))
      return false;
   second = without_factor(expr, *other, found.factor);
   if (second < 0)
      return false;
   *scale = first;
   *other = second;
   *fog = found;
   return true;
}

/* The same where the second thing is without a texel, and so in the offset. */
static bool
split_offset_fog(struct nv3_expr *expr, struct value *v, struct fog *fog)
{
   const struct nv3_op sum = expr->ops[v->offset];

   if (sum.code != NV3_OP_ADD)
      return false;
   for (unsigned i = 0; i < 2; i++) {
      int rest = i ? sum.b : sum.a;

      if (split_sum_fog(expr, &v->scale, &rest, i ? sum.a : sum.b, fog)) {
         v->offset = rest;
         return true;
      }
   }
   return false;
}

/* The same for a channel without a texel, where all is in one sum. */
static bool
split_plain_fog(struct nv3_expr *expr, int *scale, struct fog *fog)
{
   const struct nv3_op sum = expr->ops[*scale];

   if (sum.code != NV3_OP_ADD)
      return false;
   for (unsigned i = 0; i < 2; i++) {
      int first = i ? sum.b : sum.a, second = i ? sum.a : sum.b;

      if (split_fog(expr, &first, second, fog)) {
         *scale = first;
         return true;
      }
   }
   return false;
}

/* ---- the output ---- */

/* One more pass, which has no texture so far. */
static struct nv3_shader_info *
add_pass(struct analysis *a, struct nv3_shader_info **pass)
{
   if (*pass)
      return *pass;
   *pass = CALLOC_STRUCT(nv3_shader_info);
   if (!*pass) {
      fail(a, "no memory");
      return NULL;
   }
   (*pass)->fog = (*pass)->lookup.coord_q = -1;
   (*pass)->alpha_func = PIPE_FUNC_ALWAYS;
   for (unsigned c = 0; c < 4; c++)
      (*pass)->swizzle[c] = PIPE_SWIZZLE_1;
   return *pass;
}

/*
 * What the first pass's channel is multiplied by, or what is added to it: a texel
 * of the other texture, or a colour (a separate specular one).
 */
static bool
second_channel(struct analysis *a, unsigned c, const struct value *v)
{
   struct nv3_shader_info *second = add_pass(a, &a->info->second);
   bool adds = v->other < 0 || v->other_scale >= 0;

   if (!second)
      return false;
   if (c && adds != a->info->second_adds) {
      fail(a, "shader mixes channels differently");
      return false;
   }
   a->info->second_adds = adds;
   if (v->other >= 0) {
      second->textured = true;
      second->swizzle[c] = PIPE_SWIZZLE_X + v->other;
   }
   second->color[c] = v->other < 0 ? v->offset :
                      adds ? v->other_scale :
                             nv3_expr_const(&a->info->expr, 1.0f);
   if (a->info->expr.ops[second->color[c]].degree == NV3_OTHER) {
      fail(a, "shader whose colour is not linear");
      return false;
   }
   return true;
}

/* The fog of a channel with a texel; what is left in @v is without it. */
static void
take_fog(struct nv3_expr *expr, struct value *v, struct fog *fog)
{
   bool found;

   if (v->offset < 0 || (v->other < 0 && split_offset_fog(expr, v, fog)))
      return;
   if (v->other >= 0 && v->other_scale >= 0)
      found = split_sum_fog(expr, &v->scale, &v->other_scale, v->offset, fog);
   else
      found = split_fog(expr, &v->scale, v->offset, fog);
   if (found)
      v->offset = -1;
}

static bool
textured_channel(struct analysis *a, unsigned c, struct value v,
                 struct fog *fog)
{
   struct nv3_shader_info *info = a->info;

   if (a->has_texel && v.texture != a->first_texture) {
      fail(a, "shader mixes channels differently");
      return false;
   }
   a->first_texture = v.texture;
   a->has_texel = true;
   take_fog(&info->expr, &v, fog);
   info->swizzle[c] = PIPE_SWIZZLE_X + v.texel;
   info->color[c] = v.scale;
   if (v.offset >= 0 && v.other >= 0) {
      fail(a, "shader adds to two texels");
      return false;
   }
   /* Alpha is for tests and blending, which such draws do without. */
   if (c < 3 && (v.other >= 0 || v.offset >= 0))
      return second_channel(a, c, &v);
   if (c < 3 && info->second) {
      fail(a, "shader mixes channels differently");
      return false;
   }
   return true;
}

static bool
plain_channel(struct analysis *a, unsigned c, struct value v, struct fog *fog)
{
   struct nv3_shader_info *info = a->info;

   info->swizzle[c] = PIPE_SWIZZLE_1;
   info->color[c] = v.offset;
   if (info->expr.ops[v.offset].degree == NV3_OTHER)
      split_plain_fog(&info->expr, &info->color[c], fog);
   if (c < 3 && info->second) {
      fail(a, "shader mixes channels differently");
      return false;
   }
   return true;
}

static bool
channel(struct analysis *a, unsigned c)
{
   struct nv3_shader_info *info = a->info;
   struct value v = scalar_value(a, a->color[c]);
   struct fog fog = { -1, -1 };

   if (!v.known)
      return false;
   if (v.texel >= 0 ? !textured_channel(a, c, v, &fog) :
                      !plain_channel(a, c, v, &fog))
      return false;
   if (c < 3) {
      if (c && fog.factor != info->fog) {
         fail(a, "shader mixes channels differently");
         return false;
      }
      info->fog = fog.factor;
      info->fog_color[c] = fog.color;
   } else if (fog.factor >= 0) {
      fail(a, "shader with fog in alpha");
      return false;
   }
   if (info->color[c] < 0 ||
       info->expr.ops[info->color[c]].degree == NV3_OTHER) {
      fail(a, "shader whose colour is not linear");
      return false;
   }
   return true;
}

/* What the passes have in common, once all is known. */
static void
share_inputs(struct nv3_shader_info *pass, const struct nv3_shader_info *info)
{
   memcpy(pass->inputs, info->inputs, sizeof(info->inputs));
   pass->input_count = info->input_count;
   pass->expr = info->expr;
}

/* Fog in a pass of its own: its colour, by how much of it there is. */
static void
add_veil(struct analysis *a)
{
   struct nv3_shader_info *info = a->info;
   struct nv3_shader_info *veil = add_pass(a, &info->veil);
   int rest;

   if (!veil)
      return;
   share_inputs(veil, info);
   rest = nv3_expr_unary(&veil->expr, NV3_OP_NEG, info->fog);
   for (unsigned c = 0; c < 3; c++)
      veil->color[c] = info->fog_color[c];
   veil->color[3] = nv3_expr_binary(&veil->expr, NV3_OP_ADD,
                                    nv3_expr_const(&veil->expr, 1.0f), rest);
   if (veil->color[3] < 0)
      fail(a, "shader with too much arithmetic");
}

static struct nv3_shader_info *
with_texture_of(const struct nv3_shader_info *pass,
                const struct nv3_shader_info *other)
{
   struct nv3_shader_info *swapped = MALLOC_STRUCT(nv3_shader_info);

   if (!swapped)
      return NULL;
   *swapped = *pass;
   swapped->lookup = other->lookup;
   memcpy(swapped->swizzle, other->swizzle, 3);
   return swapped;
}

/* For the driver to choose: without memory it can't. */
static void
add_swapped(struct nv3_shader_info *info)
{
   const struct nv3_shader_info *second = info->second;

   if (info->second_adds || !info->textured || !second->textured ||
       info->alpha_func != PIPE_FUNC_ALWAYS)
      return;
   info->swapped = with_texture_of(info, second);
   if (!info->swapped)
      return;
   info->swapped->second = with_texture_of(second, info);
   if (!info->swapped->second) {
      FREE(info->swapped);
      info->swapped = NULL;
   }
}

/* Which texture is whose, once all channels are known. */
static void
assign_textures(struct analysis *a)
{
   struct nv3_shader_info *info = a->info, *second = info->second;

   info->textured = a->has_texel;
   info->lookup = a->lookup[a->first_texture];
   if (!second)
      return;
   second->lookup = a->lookup[!a->first_texture];
   /* Opaque, so that its alpha is nobody's. */
   second->color[3] = nv3_expr_const(&info->expr, 1.0f);
   share_inputs(second, info);
   if (info->fog >= 0)
      add_veil(a);
   add_swapped(info);
}

/* ---- discarding by alpha ---- */

static enum pipe_compare_func
swapped(enum pipe_compare_func func)
{
   switch (func) {
   case PIPE_FUNC_LESS:
      return PIPE_FUNC_GREATER;
   case PIPE_FUNC_GEQUAL:
      return PIPE_FUNC_LEQUAL;
   default:
      return func;
   }
}

static enum pipe_compare_func
inverted(enum pipe_compare_func func)
{
   return 7 - func;
}

static bool
same_value(struct value x, struct value y)
{
   return x.texel == y.texel && x.texture == y.texture && x.other == y.other &&
          x.other_scale == y.other_scale && x.scale == y.scale && x.offset == y.offset;
}

/* Discards where alpha compares so with something uniform. */
static bool
discard_test(struct analysis *a)
{
   struct nv3_shader_info *info = a->info;
   nir_scalar cond = nir_scalar_chase_movs(
      nir_get_scalar(a->discard->src[0].ssa, 0));
   enum pipe_compare_func func;
   bool invert = true;          /* the chip's test is which to keep */
   struct value x, y, alpha;

   while (nir_scalar_is_alu(cond) && nir_scalar_alu_op(cond) == nir_op_inot) {
      cond = nir_scalar_chase_movs(nir_scalar_chase_alu_src(cond, 0));
      invert = !invert;
   }
   if (!nir_scalar_is_alu(cond))
      goto fail;
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
      goto fail;
   }
   x = scalar_value(a, nir_scalar_chase_alu_src(cond, 0));
   y = scalar_value(a, nir_scalar_chase_alu_src(cond, 1));
   alpha = scalar_value(a, a->color[3]);
   if (!x.known || !y.known || !alpha.known)
      return false;
   if (same_value(y, alpha)) {
      struct value swap = x;

      x = y;
      y = swap;
      func = swapped(func);
   }
   if (!same_value(x, alpha) || y.texel >= 0 ||
       info->expr.ops[y.offset].degree != NV3_UNIFORM)
      goto fail;
   info->alpha_func = invert ? inverted(func) : func;
   info->alpha_ref = y.offset;
   return true;

fail:
   fail(a, "shader discards by other than its alpha");
   return false;
}

/* ---- the whole ---- */

static void
look_at_intrinsic(struct analysis *a, nir_intrinsic_instr *intr)
{
   unsigned location;

   switch (intr->intrinsic) {
   case nir_intrinsic_store_output:
      location = nir_intrinsic_io_semantics(intr).location;
      if (location != FRAG_RESULT_COLOR && location != FRAG_RESULT_DATA0) {
         fail(a, "shader writes other than a colour");
         return;
      }
      for (unsigned i = 0; i < intr->src[0].ssa->num_components; i++) {
         unsigned c = nir_intrinsic_component(intr) + i;

         if (nir_intrinsic_write_mask(intr) & 1u << i)
            a->color[c] = nir_get_scalar(intr->src[0].ssa, i);
      }
      a->has_color = true;
      break;
   case nir_intrinsic_terminate_if:
   case nir_intrinsic_demote_if:
      if (a->discard)
         fail(a, "shader discards twice");
      a->discard = intr;
      break;
   case nir_intrinsic_terminate:
   case nir_intrinsic_demote:
      fail(a, "shader discards always");
      break;
   default:
      break;
   }
}

static void
look(struct analysis *a)
{
   nir_function_impl *impl = nir_shader_get_entrypoint(a->nir);
   nir_block *block = nir_start_block(impl);

   if (!exec_list_is_singular(&impl->body)) {
      fail(a, "shader with control flow");
      return;
   }
   nir_foreach_instr(instr, block) {
      if (instr->type == nir_instr_type_intrinsic)
         look_at_intrinsic(a, nir_instr_as_intrinsic(instr));
   }
   if (a->info->reason)
      return;
   for (unsigned c = 0; c < 4; c++) {
      if (!a->has_color || !a->color[c].def) {
         fail(a, "shader without a whole colour");
         return;
      }
   }
   for (unsigned c = 0; c < 4; c++) {
      if (!channel(a, c))
         return;
   }
   if (a->discard)
      discard_test(a);
   assign_textures(a);
   if (a->info->expr.full)
      fail(a, "shader with too much arithmetic");
}

struct nv3_shader_info *
nv3_shader_analyse(struct nv3_screen *screen,
                   const struct pipe_shader_state *templ)
{
   struct nv3_shader_info *info = CALLOC_STRUCT(nv3_shader_info);
   struct analysis a = { .screen = screen, .info = info };
   nir_function_impl *impl;

   if (!info)
      return NULL;
   info->fog = info->lookup.coord_q = -1;
   info->alpha_func = PIPE_FUNC_ALWAYS;
   if (templ->type != PIPE_SHADER_IR_NIR) {
      info->reason = "shader in TGSI";
      return info;
   }
   a.nir = templ->ir.nir;
   nv3_nir_prepare(a.nir, nir_lower_io_use_interpolated_input_intrinsics,
                   true);
   impl = nir_shader_get_entrypoint(a.nir);
   a.values = CALLOC(impl->ssa_alloc * NIR_MAX_VEC_COMPONENTS,
                     sizeof(*a.values));
   if (a.values)
      look(&a);
   else
      info->reason = "no memory";
   if (screen->debug & NV3_DEBUG_SHADER) {
      mesa_logi("nv3: fragment shader %s: %s", a.nir->info.name ?: "",
                info->reason ?: "for the chip");
      if (info->reason)
         nir_print_shader(a.nir, stderr);
   }
   FREE(a.values);
   ralloc_free(a.nir);
   return info;
}

void
nv3_shader_free(struct nv3_shader_info *info)
{
   if (info) {
      if (info->swapped)
         FREE(info->swapped->second);
      FREE(info->swapped);
      FREE(info->second);
      FREE(info->veil);
   }
   FREE(info);
}
