/* SPDX-License-Identifier: MIT */
/*
 * Classification of fragment shaders. The analysis follows each channel of
 * the output back to its inputs (nv3_symbolic.c). The state tracker expresses
 * fixed function as shaders, so this path also handles fixed function.
 */
#include "compiler/nir/nir.h"
#include "util/log.h"
#include "util/u_memory.h"

#include "compiler/nv3_expr.h"
#include "compiler/nv3_fog.h"
#include "compiler/nv3_nir.h"
#include "compiler/nv3_shader.h"
#include "compiler/nv3_symbolic.h"

/* ---- channels of the output ---- */

/*
 * Returns *@pass, and allocates it on the first call. The new pass has no
 * texture.
 */
static struct nv3_shader_info *
add_pass(struct nv3_analysis *a, struct nv3_shader_info **pass)
{
   if (*pass)
      return *pass;
   *pass = CALLOC_STRUCT(nv3_shader_info);
   if (!*pass) {
      nv3_analysis_fail(a, "no memory");
      return NULL;
   }
   (*pass)->fog = (*pass)->lookup.coord_q = (*pass)->max_factor = -1;
   (*pass)->alpha_func = PIPE_FUNC_ALWAYS;
   for (unsigned c = 0; c < 4; c++)
      (*pass)->swizzle[c] = PIPE_SWIZZLE_1;
   return *pass;
}

/*
 * Sets the second pass for channel @c. Its factor or summand is a texel of the
 * other texture, or a colour, for example a separate specular colour.
 */
static bool
second_channel(struct nv3_analysis *a, unsigned c, const struct nv3_value *v)
{
   struct nv3_shader_info *second = add_pass(a, &a->info->second);
   bool adds = v->other < 0 || v->other_scale >= 0;

   if (!second)
      return false;
   if (c && adds != a->info->second_adds) {
      nv3_analysis_fail(a, "shader combines channels differently");
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
      nv3_analysis_fail(a, "colour not affine in the varyings");
      return false;
   }
   return true;
}

static bool
textured_channel(struct nv3_analysis *a, unsigned c, struct nv3_value v,
                 struct nv3_fog *fog)
{
   struct nv3_shader_info *info = a->info;

   if (a->has_texel && v.texture != a->first_texture) {
      nv3_analysis_fail(a, "shader combines channels differently");
      return false;
   }
   a->first_texture = v.texture;
   a->has_texel = true;
   nv3_fog_extract(&info->expr, &v, fog);
   if (v.clamped_factor >= 0 && v.clamped_factor != fog->factor) {
      nv3_analysis_fail(a, "shader computes with clamped texels");
      return false;
   }
   info->swizzle[c] = PIPE_SWIZZLE_X + v.texel;
   info->color[c] = v.scale;
   nv3_analysis_scale(a, v.scale);
   nv3_analysis_scale(a, v.other_scale);
   if (v.offset >= 0 && v.other >= 0) {
      nv3_analysis_fail(a, "shader adds a colour to two texels");
      return false;
   }
   if (v.other >= 0 || v.offset >= 0) {
      if (c < 3)
         return second_channel(a, c, &v);
      info->alpha_in_part = true;
   }
   if (c < 3 && info->second) {
      nv3_analysis_fail(a, "shader combines channels differently");
      return false;
   }
   return true;
}

static bool
plain_channel(struct nv3_analysis *a, unsigned c, struct nv3_value v,
              struct nv3_fog *fog)
{
   struct nv3_shader_info *info = a->info;

   info->swizzle[c] = PIPE_SWIZZLE_1;
   info->color[c] = v.offset;
   if (info->expr.ops[v.offset].degree == NV3_OTHER)
      nv3_fog_extract_plain(&info->expr, &info->color[c], fog);
   if (c < 3 && info->second) {
      nv3_analysis_fail(a, "shader combines channels differently");
      return false;
   }
   return true;
}

static bool
channel(struct nv3_analysis *a, unsigned c)
{
   struct nv3_shader_info *info = a->info;
   struct nv3_value v = nv3_scalar_value(a, a->color[c]);
   struct nv3_fog fog = { -1, -1 };

   if (!v.known)
      return false;
   if (v.texel >= 0 ? !textured_channel(a, c, v, &fog) :
                      !plain_channel(a, c, v, &fog))
      return false;
   if (c < 3) {
      if (c && fog.factor != info->fog) {
         nv3_analysis_fail(a, "shader combines channels differently");
         return false;
      }
      info->fog = fog.factor;
      info->fog_color[c] = fog.color;
   } else if (fog.factor >= 0) {
      nv3_analysis_fail(a, "shader with fog in alpha");
      return false;
   }
   if (info->color[c] < 0 ||
       info->expr.ops[info->color[c]].degree == NV3_OTHER) {
      nv3_analysis_fail(a, "colour not affine in the varyings");
      return false;
   }
   return true;
}

/*
 * Copies the inputs and operations of @info to @pass, after all of them are
 * known.
 */
static void
share_inputs(struct nv3_shader_info *pass, const struct nv3_shader_info *info)
{
   memcpy(pass->inputs, info->inputs, sizeof(info->inputs));
   pass->input_count = info->input_count;
   pass->expr = info->expr;
}

/* Adds a pass that blends the fog colour with the amount of fog as alpha. */
static void
add_fog_pass(struct nv3_analysis *a)
{
   struct nv3_shader_info *info = a->info;
   struct nv3_shader_info *fog_pass = add_pass(a, &info->fog_pass);
   int rest;

   if (!fog_pass)
      return;
   share_inputs(fog_pass, info);
   rest = nv3_expr_unary(&fog_pass->expr, NV3_OP_NEG, info->fog);
   for (unsigned c = 0; c < 3; c++)
      fog_pass->color[c] = info->fog_color[c];
   fog_pass->color[3] =
      nv3_expr_binary(&fog_pass->expr, NV3_OP_ADD,
                      nv3_expr_const(&fog_pass->expr, 1.0f), rest);
   if (fog_pass->color[3] < 0)
      nv3_analysis_fail(a, "too many operations");
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

/*
 * Adds the variant with exchanged textures. It is optional, so a failed
 * allocation is not an error.
 */
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

/* Assigns the textures to the passes, after all channels are known. */
static void
assign_textures(struct nv3_analysis *a)
{
   struct nv3_shader_info *info = a->info, *second = info->second;

   info->textured = a->has_texel;
   info->lookup = a->lookup[a->first_texture];
   if (!second)
      return;
   second->lookup = a->lookup[!a->first_texture];
   /* The second pass is opaque. */
   second->color[3] = nv3_expr_const(&info->expr, 1.0f);
   share_inputs(second, info);
   if (info->fog >= 0)
      add_fog_pass(a);
   add_swapped(info);
}

/* ---- alpha tests ---- */

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
same_value(struct nv3_value x, struct nv3_value y)
{
   return x.texel == y.texel && x.texture == y.texture &&
          x.other == y.other && x.other_scale == y.other_scale &&
          x.scale == y.scale && x.offset == y.offset;
}

/* Recognizes a discard that compares alpha with a uniform value. */
static bool
discard_test(struct nv3_analysis *a)
{
   struct nv3_shader_info *info = a->info;
   nir_scalar cond = nir_scalar_chase_movs(
      nir_get_scalar(a->discard->src[0].ssa, 0));
   enum pipe_compare_func func;
   bool invert = true;          /* the chip's test selects the pixels to keep */
   struct nv3_value x, y, alpha;

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
   x = nv3_scalar_value(a, nir_scalar_chase_alu_src(cond, 0));
   y = nv3_scalar_value(a, nir_scalar_chase_alu_src(cond, 1));
   alpha = nv3_scalar_value(a, a->color[3]);
   if (!x.known || !y.known || !alpha.known)
      return false;
   if (same_value(y, alpha)) {
      struct nv3_value swap = x;

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
   nv3_analysis_fail(a, "discard that is not an alpha test");
   return false;
}

/* ---- the whole shader ---- */

static void
visit_intrinsic(struct nv3_analysis *a, nir_intrinsic_instr *intr)
{
   unsigned location;

   switch (intr->intrinsic) {
   case nir_intrinsic_store_output:
      location = nir_intrinsic_io_semantics(intr).location;
      if (location != FRAG_RESULT_COLOR && location != FRAG_RESULT_DATA0) {
         nv3_analysis_fail(a, "output other than a colour");
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
         nv3_analysis_fail(a, "more than one discard");
      a->discard = intr;
      break;
   case nir_intrinsic_terminate:
   case nir_intrinsic_demote:
      nv3_analysis_fail(a, "unconditional discard");
      break;
   default:
      break;
   }
}

static void
visit_shader(struct nv3_analysis *a)
{
   nir_function_impl *impl = nir_shader_get_entrypoint(a->nir);
   nir_block *block = nir_start_block(impl);

   if (!exec_list_is_singular(&impl->body)) {
      nv3_analysis_fail(a, "shader with control flow");
      return;
   }
   nir_foreach_instr(instr, block) {
      if (instr->type == nir_instr_type_intrinsic)
         visit_intrinsic(a, nir_instr_as_intrinsic(instr));
   }
   if (a->info->reason)
      return;
   for (unsigned c = 0; c < 4; c++) {
      if (!a->has_color || !a->color[c].def) {
         nv3_analysis_fail(a, "incomplete colour");
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
      nv3_analysis_fail(a, "too many operations");
}

struct nv3_shader_info *
nv3_shader_analyse(const struct pipe_shader_state *templ, bool print)
{
   struct nv3_shader_info *info = CALLOC_STRUCT(nv3_shader_info);
   struct nv3_analysis a = { .info = info };
   nir_function_impl *impl;

   if (!info)
      return NULL;
   info->fog = info->lookup.coord_q = info->max_factor = -1;
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
      visit_shader(&a);
   else
      info->reason = "no memory";
   if (print) {
      mesa_logi("nv3: fragment shader %s: %s", a.nir->info.name ?: "",
                info->reason ?: "class 0x17");
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
      FREE(info->fog_pass);
   }
   FREE(info);
}
