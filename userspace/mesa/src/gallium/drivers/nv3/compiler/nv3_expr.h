/* SPDX-License-Identifier: MIT */
#ifndef NV3_EXPR_H
#define NV3_EXPR_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Arithmetic that a shader does on constants, uniforms and varyings (a vertex
 * shader: attributes), as a list of operations on floats: each may use the
 * results of those before. What varies within no triangle is computed once a
 * draw, the rest once a vertex, for a fragment shader too instead of once a
 * pixel, which is right as long as it is affine in the varyings.
 */
enum nv3_op_code {
   NV3_OP_CONST,
   NV3_OP_UNIFORM,   /* a: byte offset in constant buffer 0 */
   NV3_OP_VARYING,   /* a: input, b: component */
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
   /* Comparisons give 1 or 0. */
   NV3_OP_LESS,
   NV3_OP_GEQUAL,
   NV3_OP_EQUAL,
   NV3_OP_SELECT,    /* a is not 0: b, else c */
};

/* How a value depends on the varyings. */
enum nv3_degree {
   NV3_UNIFORM,
   NV3_AFFINE,
   NV3_OTHER,
};

struct nv3_op {
   uint8_t code;
   uint8_t degree;
   int16_t a, b, c;  /* operations, or as above */
   float value;      /* of NV3_OP_CONST */
   float min, max;   /* bounds of what it gives, whatever the uniforms */
};

#define NV3_MAX_OPS 384

struct nv3_expr {
   unsigned count;
   bool full;        /* there was no room */
   struct nv3_op ops[NV3_MAX_OPS];
};

/* Each gives the operation's index; -1 operands give -1. */
int nv3_expr_const(struct nv3_expr *expr, float value);
int nv3_expr_uniform(struct nv3_expr *expr, unsigned offset);
int nv3_expr_varying(struct nv3_expr *expr, unsigned input, unsigned component);
int nv3_expr_unary(struct nv3_expr *expr, enum nv3_op_code code, int a);
int nv3_expr_binary(struct nv3_expr *expr, enum nv3_op_code code, int a, int b);
int nv3_expr_select(struct nv3_expr *expr, int a, int b, int c);
/* What varies is known to be from @min to @max. */
void nv3_expr_bound(struct nv3_expr *expr, int op, float min, float max);
/* Whether it is from 0 to 1, so that clamping changes nothing. */
bool nv3_expr_is_unit(const struct nv3_expr *expr, int op);
bool nv3_expr_is_const(const struct nv3_expr *expr, int op, float value);

/* What one operation gives for its operands' values. */
float nv3_expr_compute(enum nv3_op_code code, float a, float b, float c);

/*
 * Computes the uniform operations into @values, reading at max @size bytes of
 * @constants.
 */
void nv3_expr_uniforms(const struct nv3_expr *expr, float *values,
                       const void *constants, unsigned size);
/* The others, up to operation @last; @inputs[i] is varying i. */
void nv3_expr_vertex(const struct nv3_expr *expr, float *values, int last,
                     const float *const *inputs);

#endif
