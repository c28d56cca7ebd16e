/* SPDX-License-Identifier: MIT */
/* Recognition of fog in the arithmetic of a fragment shader. */
#include "compiler/nv3_expr.h"
#include "compiler/nv3_fog.h"
#include "compiler/nv3_symbolic.h"

/* True if x == 1 - y or y == 1 - x. */
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

/*
 * If @op is @factor * rest, returns the operation rest, which may be a
 * constant 1. Otherwise returns -1.
 */
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

/*
 * Recognizes scale * texel + offset as colour * texel * f + fog * (1 - f). On
 * success *@scale becomes the colour.
 */
static bool
split_fog(struct nv3_expr *expr, int *scale, int offset, struct nv3_fog *fog)
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
            *fog = (struct nv3_fog) { factors[j], fog_color };
            *scale = without_factor(expr, *scale, factors[j]);
            return true;
         }
      }
   }
   return false;
}

/*
 * Does the same as split_fog() for two terms with common fog. @other is the
 * scale of the second term.
 */
static bool
split_sum_fog(struct nv3_expr *expr, int *scale, int *other, int offset,
              struct nv3_fog *fog)
{
   struct nv3_fog found;
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

/*
 * Does the same as split_sum_fog() if the second term has no texel and is
 * therefore part of the offset.
 */
static bool
split_offset_fog(struct nv3_expr *expr, struct nv3_value *v,
                 struct nv3_fog *fog)
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

bool
nv3_fog_extract_plain(struct nv3_expr *expr, int *scale, struct nv3_fog *fog)
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

void
nv3_fog_extract(struct nv3_expr *expr, struct nv3_value *v, struct nv3_fog *fog)
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
