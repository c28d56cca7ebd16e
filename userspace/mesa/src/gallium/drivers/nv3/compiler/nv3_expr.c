/* SPDX-License-Identifier: MIT */
/*
 * Lists of operations on floats: construction, constant folding, bounds and
 * evaluation.
 */
#include <math.h>
#include <string.h>

#include "util/macros.h"
#include "util/u_math.h"

#include "compiler/nv3_expr.h"

/* Multiplies bounds. The product of 0 and infinity is 0. */
static float
times(float a, float b)
{
   return a == 0.0f || b == 0.0f ? 0.0f : a * b;
}

static void
bound_product(struct nv3_op *op, const struct nv3_op *a, const struct nv3_op *b)
{
   float ends[4] = {
      times(a->min, b->min), times(a->min, b->max),
      times(a->max, b->min), times(a->max, b->max),
   };

   op->min = MIN2(MIN2(ends[0], ends[1]), MIN2(ends[2], ends[3]));
   op->max = MAX2(MAX2(ends[0], ends[1]), MAX2(ends[2], ends[3]));
}

static void
bound(const struct nv3_expr *expr, struct nv3_op *op)
{
   const struct nv3_op *a, *b, *c;

   op->min = -INFINITY;
   op->max = INFINITY;
   if (op->code == NV3_OP_CONST)
      op->min = op->max = op->value;
   if (op->code <= NV3_OP_VARYING)
      return;
   a = &expr->ops[op->a];
   b = &expr->ops[op->b];
   c = &expr->ops[op->c];
   switch (op->code) {
   case NV3_OP_NEG:
      op->min = -a->max;
      op->max = -a->min;
      break;
   case NV3_OP_ABS:
   case NV3_OP_SQRT:
   case NV3_OP_RSQ:
   case NV3_OP_EXP2:
   case NV3_OP_POW:
      op->min = 0.0f;
      break;
   case NV3_OP_SAT:
      op->min = SATURATE(a->min);
      op->max = SATURATE(a->max);
      break;
   case NV3_OP_ADD:
      op->min = a->min + b->min;
      op->max = a->max + b->max;
      break;
   case NV3_OP_MUL:
      bound_product(op, a, b);
      break;
   case NV3_OP_MIN:
      op->min = MIN2(a->min, b->min);
      op->max = MIN2(a->max, b->max);
      break;
   case NV3_OP_MAX:
      op->min = MAX2(a->min, b->min);
      op->max = MAX2(a->max, b->max);
      break;
   case NV3_OP_LESS:
   case NV3_OP_GEQUAL:
   case NV3_OP_EQUAL:
      op->min = 0.0f;
      op->max = 1.0f;
      break;
   case NV3_OP_SELECT:
      op->min = MIN2(b->min, c->min);
      op->max = MAX2(b->max, c->max);
      break;
   default:
      break;
   }
}

static int
push_op(struct nv3_expr *expr, struct nv3_op op)
{
   /* Reuse an identical operation. Channels of a colour often share terms. */
   for (unsigned i = 0; i < expr->count; i++) {
      const struct nv3_op *old = &expr->ops[i];

      if (old->code == op.code && old->a == op.a && old->b == op.b &&
          old->c == op.c && old->value == op.value)
         return i;
   }
   if (expr->count == NV3_MAX_OPS) {
      expr->full = true;
      return -1;
   }
   bound(expr, &op);
   expr->ops[expr->count] = op;
   return expr->count++;
}

int
nv3_expr_const(struct nv3_expr *expr, float value)
{
   return push_op(expr, (struct nv3_op) {
      .code = NV3_OP_CONST, .degree = NV3_UNIFORM, .value = value });
}

int
nv3_expr_uniform(struct nv3_expr *expr, unsigned offset)
{
   if (offset > INT16_MAX)
      return -1;
   return push_op(expr, (struct nv3_op) {
      .code = NV3_OP_UNIFORM, .degree = NV3_UNIFORM, .a = offset });
}

int
nv3_expr_varying(struct nv3_expr *expr, unsigned input, unsigned component)
{
   return push_op(expr, (struct nv3_op) {
      .code = NV3_OP_VARYING, .degree = NV3_AFFINE, .a = input,
      .b = component });
}

void
nv3_expr_bound(struct nv3_expr *expr, int op, float min, float max)
{
   if (op < 0)
      return;
   expr->ops[op].min = min;
   expr->ops[op].max = max;
}

bool
nv3_expr_is_unit(const struct nv3_expr *expr, int op)
{
   return expr->ops[op].min >= 0.0f && expr->ops[op].max <= 1.0f;
}

bool
nv3_expr_is_const(const struct nv3_expr *expr, int op, float value)
{
   return op >= 0 && expr->ops[op].code == NV3_OP_CONST &&
          expr->ops[op].value == value;
}

static float
unary(enum nv3_op_code code, float a)
{
   switch (code) {
   case NV3_OP_NEG:
      return -a;
   case NV3_OP_ABS:
      return fabsf(a);
   case NV3_OP_SAT:
      return SATURATE(a);
   case NV3_OP_RCP:
      return 1.0f / a;
   case NV3_OP_RSQ:
      return 1.0f / sqrtf(a);
   case NV3_OP_SQRT:
      return sqrtf(a);
   case NV3_OP_EXP2:
      return exp2f(a);
   case NV3_OP_LOG2:
      return log2f(a);
   case NV3_OP_FLOOR:
      return floorf(a);
   default:
      unreachable("not a unary operation");
   }
}

static float
binary(enum nv3_op_code code, float a, float b)
{
   switch (code) {
   case NV3_OP_ADD:
      return a + b;
   case NV3_OP_MUL:
      return a * b;
   case NV3_OP_MIN:
      return MIN2(a, b);
   case NV3_OP_MAX:
      return MAX2(a, b);
   case NV3_OP_POW:
      return powf(a, b);
   case NV3_OP_LESS:
      return a < b;
   case NV3_OP_GEQUAL:
      return a >= b;
   case NV3_OP_EQUAL:
      return a == b;
   default:
      unreachable("not a binary operation");
   }
}

int
nv3_expr_unary(struct nv3_expr *expr, enum nv3_op_code code, int a)
{
   enum nv3_degree degree;

   if (a < 0)
      return -1;
   if (expr->ops[a].code == NV3_OP_CONST)
      return nv3_expr_const(expr, unary(code, expr->ops[a].value));
   degree = expr->ops[a].degree;
   if (code == NV3_OP_SAT && degree != NV3_UNIFORM && nv3_expr_is_unit(expr, a))
      return a;
   if (degree == NV3_AFFINE && code != NV3_OP_NEG)
      degree = NV3_OTHER;
   return push_op(expr, (struct nv3_op) {
      .code = code, .degree = degree, .a = a });
}

int
nv3_expr_binary(struct nv3_expr *expr, enum nv3_op_code code, int a, int b)
{
   enum nv3_degree da, db, degree;

   if (a < 0 || b < 0)
      return -1;
   da = expr->ops[a].degree;
   db = expr->ops[b].degree;
   if (expr->ops[a].code == NV3_OP_CONST && expr->ops[b].code == NV3_OP_CONST)
      return nv3_expr_const(expr, binary(code, expr->ops[a].value,
                                         expr->ops[b].value));
   if (code == NV3_OP_MUL && nv3_expr_is_const(expr, a, 1.0f))
      return b;
   if (code == NV3_OP_MUL && nv3_expr_is_const(expr, b, 1.0f))
      return a;
   if (code == NV3_OP_ADD && nv3_expr_is_const(expr, a, 0.0f))
      return b;
   if (code == NV3_OP_ADD && nv3_expr_is_const(expr, b, 0.0f))
      return a;

   degree = MAX2(da, db);
   if (degree == NV3_AFFINE && code != NV3_OP_ADD &&
       !(code == NV3_OP_MUL && (da == NV3_UNIFORM || db == NV3_UNIFORM)))
      degree = NV3_OTHER;
   return push_op(expr, (struct nv3_op) {
      .code = code, .degree = degree, .a = a, .b = b });
}

int
nv3_expr_select(struct nv3_expr *expr, int a, int b, int c)
{
   enum nv3_degree degree;

   if (a < 0 || b < 0 || c < 0)
      return -1;
   degree = MAX3(expr->ops[a].degree, expr->ops[b].degree, expr->ops[c].degree);
   if (degree == NV3_AFFINE)
      degree = NV3_OTHER;
   return push_op(expr, (struct nv3_op) {
      .code = NV3_OP_SELECT, .degree = degree, .a = a, .b = b, .c = c });
}

float
nv3_expr_compute(enum nv3_op_code code, float a, float b, float c)
{
   if (code == NV3_OP_SELECT)
      return a != 0.0f ? b : c;
   if (code >= NV3_OP_ADD)
      return binary(code, a, b);
   return unary(code, a);
}

static float
compute(const struct nv3_op *op, const float *values)
{
   return nv3_expr_compute(op->code, values[op->a], values[op->b],
                           values[op->c]);
}

void
nv3_expr_uniforms(const struct nv3_expr *expr, float *values,
                  const void *constants, unsigned size)
{
   for (unsigned i = 0; i < expr->count; i++) {
      const struct nv3_op *op = &expr->ops[i];

      if (op->degree != NV3_UNIFORM)
         continue;
      switch (op->code) {
      case NV3_OP_CONST:
         values[i] = op->value;
         break;
      case NV3_OP_UNIFORM:
         values[i] = 0.0f;
         if (op->a + sizeof(float) <= size)
            memcpy(&values[i], (const uint8_t *)constants + op->a,
                   sizeof(float));
         break;
      default:
         values[i] = compute(op, values);
         break;
      }
   }
}

void
nv3_expr_vertex(const struct nv3_expr *expr, float *values, int last,
                const float *const *inputs)
{
   for (int i = 0; i <= last; i++) {
      const struct nv3_op *op = &expr->ops[i];

      if (op->degree == NV3_UNIFORM)
         continue;
      values[i] = op->code == NV3_OP_VARYING ? inputs[op->a][op->b] :
                                               compute(op, values);
   }
}
