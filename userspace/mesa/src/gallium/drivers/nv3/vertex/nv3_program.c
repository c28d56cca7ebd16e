/* SPDX-License-Identifier: MIT */
/*
 * Execution of vertex programs.
 *
 * Under TCG each floating-point instruction is a function call, which takes
 * about 5 ns for one number and 20 ns for eight numbers. Loads, stores and
 * integer instructions take about 1 ns
 * (docs/decisions/0015-vector-programs-for-vertices.md). Instructions
 * therefore process vectors of eight, and comparisons with 0 use the bits of
 * floats as integers.
 */
#include <math.h>
#include <string.h>

#include "util/macros.h"
#include "util/u_math.h"

#include "base/nv3_vec.h"
#include "compiler/nv3_expr.h"
#include "vertex/nv3_program.h"

void
nv3_program_copy(struct nv3_program *to, const struct nv3_program *from)
{
   to->reg_count = from->reg_count;
   to->inst_count = from->inst_count;
   to->load_count = from->load_count;
   memcpy(to->loads, from->loads, from->load_count * sizeof(from->loads[0]));
   memcpy(to->insts, from->insts, from->inst_count * sizeof(from->insts[0]));
   memcpy(to->results, from->results, sizeof(from->results));
}

bool
nv3_program_equal(const struct nv3_program *a, const struct nv3_program *b)
{
   return a->inst_count == b->inst_count && a->load_count == b->load_count &&
          !memcmp(a->results, b->results, sizeof(a->results)) &&
          !memcmp(a->loads, b->loads, a->load_count * sizeof(a->loads[0])) &&
          !memcmp(a->insts, b->insts, a->inst_count * sizeof(a->insts[0]));
}

#define FOR_VECTORS for (unsigned i = 0; i < lanes; i += NV3_SOA_ALIGN)
#define DST  (*(nv3_vec *)(d + i))
#define A    (*(const nv3_vec *)(a + i))
#define B    (*(const nv3_vec *)(b + i))
#define C    (*(const nv3_vec *)(c + i))
#define IA   (*(const nv3_ivec *)(a + i))
#define IDST (*(nv3_ivec *)(d + i))
#define VALUE NV3_SPLAT(value)
/* 1.0f where the mask is set, otherwise 0.0f. */
#define TRUTH(mask) ((nv3_ivec)(mask) & 0x3f800000)

#define EACH(function)                       \
   for (unsigned i = 0; i < lanes; i++)      \
      d[i] = function

NV3_VECTORS void
nv3_program_run(const struct nv3_program *program, float (*regs)[NV3_SOA_WIDTH],
                unsigned lanes)
{
   for (unsigned n = 0; n < program->inst_count; n++) {
      const struct nv3_inst *inst = &program->insts[n];
      const float *a = regs[inst->a], *b = regs[inst->b], *c = regs[inst->c];
      float *d = regs[inst->dst], value = inst->value;

      switch (inst->code) {
      case NV3_OP_NEG:
         FOR_VECTORS IDST = IA ^ INT32_MIN;
         break;
      case NV3_OP_ABS:
         FOR_VECTORS IDST = IA & INT32_MAX;
         break;
      case NV3_OP_SAT: {
         const int32_t one = 0x3f800000;

         /* Non-negative floats have the same order as their bits. */
         FOR_VECTORS {
            nv3_ivec x = NV3_POSITIVE(IA);

            IDST = NV3_CHOOSE(x > one, NV3_ISPLAT(one), x);
         }
         break;
      }
      case NV3_OP_RCP:
         FOR_VECTORS DST = 1.0f / A;
         break;
      case NV3_OP_RSQ:
         EACH(1.0f / sqrtf(a[i]));
         break;
      case NV3_OP_SQRT:
         EACH(sqrtf(a[i]));
         break;
      case NV3_OP_EXP2:
         EACH(exp2f(a[i]));
         break;
      case NV3_OP_LOG2:
         EACH(log2f(a[i]));
         break;
      case NV3_OP_FLOOR:
         EACH(floorf(a[i]));
         break;
      case NV3_OP_POW:
         EACH(powf(a[i], b[i]));
         break;
      case NV3_OP_ADD:
         FOR_VECTORS DST = A + B;
         break;
      case NV3_OP_MUL:
         FOR_VECTORS DST = A * B;
         break;
      case NV3_OP_MIN:
         FOR_VECTORS IDST = NV3_CHOOSE(A < B, A, B);
         break;
      case NV3_OP_MAX:
         FOR_VECTORS IDST = NV3_CHOOSE(A > B, A, B);
         break;
      case NV3_OP_LESS:
         FOR_VECTORS IDST = TRUTH(A < B);
         break;
      case NV3_OP_GEQUAL:
         FOR_VECTORS IDST = TRUTH(A >= B);
         break;
      case NV3_OP_EQUAL:
         FOR_VECTORS IDST = TRUTH(A == B);
         break;
      case NV3_OP_SELECT:
         FOR_VECTORS IDST = NV3_CHOOSE((IA & INT32_MAX) != 0, B, C);
         break;
      case NV3_INST_MUL_VALUE:
         FOR_VECTORS DST = A * VALUE;
         break;
      case NV3_INST_ADD_VALUE:
         FOR_VECTORS DST = A + VALUE;
         break;
      case NV3_INST_MAX_VALUE:
         if (value == 0.0f)
            FOR_VECTORS IDST = NV3_POSITIVE(IA);
         else
            FOR_VECTORS IDST = NV3_CHOOSE(A > VALUE, A, VALUE);
         break;
      case NV3_INST_MIN_VALUE:
         FOR_VECTORS IDST = NV3_CHOOSE(A < VALUE, A, VALUE);
         break;
      case NV3_INST_MAD:
         FOR_VECTORS DST = A * B + C;
         break;
      case NV3_INST_MAD_VALUE:
         FOR_VECTORS DST = A * VALUE + C;
         break;
      case NV3_INST_FILL:
         FOR_VECTORS DST = VALUE;
         break;
      default:
         unreachable("unknown instruction");
      }
   }
}
