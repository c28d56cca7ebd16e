/* SPDX-License-Identifier: MIT */
#ifndef NV3_EXPR_H
#define NV3_EXPR_H

#include <stdbool.h>
#include <stdint.h>

/*
 * The arithmetic of a shader on constants, uniforms and varyings, as a list of
 * operations on floats. In a vertex shader, NV3_OP_VARYING is an attribute. An
 * operation may use results of earlier operations.
 *
 * Uniform operations are computed once per draw, and all other operations
 * once per vertex. For a fragment shader this is correct if the result is
 * affine in the varyings.
 */
enum nv3_op_code {
   NV3_OP_CONST,
   NV3_OP_UNIFORM,  /* a: byte offset in constant buffer 0 */
   NV3_OP_VARYING,  /* a: input, b: component */
   NV3_OP_NEG,
   NV3_OP_ABS,
   NV3_OP_SAT,
   NV3_OP_RCP,
   NV3_OP_RSQ,
   NV3_OP_SQRT,
   NV3_OP_EXP2,
   NV3_OP_LOG2,
   NV3_OP_FLOOR,
   NV3_OP_ADD,
   NV3_OP_MUL,
   NV3_OP_MIN,
   NV3_OP_MAX,
   NV3_OP_POW,
   /* The result of a comparison is 1 or 0. */
   NV3_OP_LESS,
   NV3_OP_GEQUAL,
   NV3_OP_EQUAL,
   NV3_OP_SELECT,  /* a != 0 ? b : c */
};

/* How a result depends on the varyings. */
enum nv3_degree {
   NV3_UNIFORM,
   NV3_AFFINE,
   NV3_OTHER,
};

struct nv3_op {
   uint8_t code;
   uint8_t degree;
   int16_t a, b, c;  /* indices of operands, except as above */
   float value;      /* of NV3_OP_CONST */
   float min, max;   /* bounds of the result for all uniforms */
};

#define NV3_MAX_OPS 384

struct nv3_expr {
   unsigned count;
   bool full;  /* an operation did not fit */
   struct nv3_op ops[NV3_MAX_OPS];
};

/*
 * Each of these functions adds an operation, unless the list contains the
 * same operation, and returns its index. It returns -1 if an operand is -1 or
 * the list is full.
 */
int nv3_expr_const(struct nv3_expr *expr, float value);
int nv3_expr_uniform(struct nv3_expr *expr, unsigned offset);
int nv3_expr_varying(struct nv3_expr *expr, unsigned input, unsigned component);
int nv3_expr_unary(struct nv3_expr *expr, enum nv3_op_code code, int a);
int nv3_expr_binary(struct nv3_expr *expr, enum nv3_op_code code, int a, int b);
int nv3_expr_select(struct nv3_expr *expr, int a, int b, int c);
/* Declares that @op, a varying, is between @min and @max. */
void nv3_expr_bound(struct nv3_expr *expr, int op, float min, float max);
/*
 * True if the result is always between 0 and 1, so that clamping it has no
 * effect.
 */
bool nv3_expr_is_unit(const struct nv3_expr *expr, int op);
bool nv3_expr_is_const(const struct nv3_expr *expr, int op, float value);

/* Computes one operation. */
float nv3_expr_compute(enum nv3_op_code code, float a, float b, float c);

/*
 * Computes the uniform operations and stores their results in @values.
 * Uniforms beyond the first @size bytes of @constants are 0.
 */
void nv3_expr_uniforms(const struct nv3_expr *expr, float *values,
                       const void *constants, unsigned size);
/*
 * Computes the operations up to @last that are not uniform. @inputs[i] is
 * varying i.
 */
void nv3_expr_vertex(const struct nv3_expr *expr, float *values, int last,
                     const float *const *inputs);

#endif
