/* SPDX-License-Identifier: MIT */
/*
 * Linking and running vertex programs (nv3_program.h).
 *
 * Why like this: in an emulated guest every floating point operation is a call,
 * some 5 ns for one number but 20 for eight at once, while loads, stores and
 * whole numbers cost 1 (docs/mesa.md has the table). So work is by vectors of
 * eight, with what does not depend on the vertex taken out first, and
 * comparisons with nought are done on the bits.
 */
#include <math.h>
#include <string.h>

#include "util/macros.h"
#include "util/u_math.h"

#include "nv3_program.h"
#include "nv3_vec.h"

/*
 * Instructions are NV3_OP_* on registers, and these, of which the first four
 * have a number for their second operand.
 */
enum {
   INST_MUL_VALUE = NV3_OP_SELECT + 1,
   INST_ADD_VALUE,
   INST_MAX_VALUE,
   INST_MIN_VALUE,
   INST_MAD,          /* a * b + c */
   INST_MAD_VALUE,    /* a * value + c */
   INST_FILL,         /* value */
};

#define MAX_NODES (2 * NV3_MAX_OPS)

/* An operation of either shader while they are linked. */
struct node {
   const struct nv3_op *op;
   bool uniform;
   float value;
   int16_t same;      /* as this one; itself if it is computed */
   int16_t a, b, c;   /* nodes */
   int16_t fused;     /* into a MAD: the operand that is the product, or -1 */
   int16_t reg;
   uint16_t uses;
   bool needed;
};

struct linker {
   struct nv3_program *program;
   struct node nodes[MAX_NODES];
   unsigned count;
   bool full;
};

static bool
is_unary(unsigned code)
{
   return code < NV3_OP_ADD;
}

/* ---- nodes: what is left of each operation ---- */

static void
make_uniform(struct linker *l, int n, float value)
{
   l->nodes[n].uniform = true;
   l->nodes[n].value = value;
}

static bool
uniform_is(const struct linker *l, int n, float value)
{
   return l->nodes[n].uniform && l->nodes[n].value == value;
}

/* The node that says the same and is computed, or uniform. */
static int
resolve(const struct linker *l, int n)
{
   return l->nodes[n].same;
}

static void
simplify(struct linker *l, int n)
{
   struct node *node = &l->nodes[n];
   unsigned code = node->op->code;
   int a = node->a, b = node->b, c = node->c;
   bool unary = is_unary(code);

   if (l->nodes[a].uniform && (unary || l->nodes[b].uniform) &&
       (code != NV3_OP_SELECT || l->nodes[c].uniform)) {
      make_uniform(l, n, nv3_expr_compute(code, l->nodes[a].value,
                                          unary ? 0 : l->nodes[b].value,
                                          code == NV3_OP_SELECT ?
                                          l->nodes[c].value : 0));
      return;
   }
   if (code == NV3_OP_SELECT && l->nodes[a].uniform) {
      node->same = l->nodes[a].value != 0.0f ? b : c;
      *node = (struct node) { .op = node->op, .same = node->same,
                              .uniform = l->nodes[node->same].uniform,
                              .value = l->nodes[node->same].value,
                              .fused = -1, .reg = -1 };
      return;
   }
   /* What is uniform comes second. */
   if (!unary && code <= NV3_OP_MAX && l->nodes[a].uniform) {
      node->a = b;
      node->b = a;
      a = node->a;
      b = node->b;
   }
   if (code == NV3_OP_MUL && uniform_is(l, b, 0.0f))
      make_uniform(l, n, 0.0f);
   else if ((code == NV3_OP_MUL && uniform_is(l, b, 1.0f)) ||
            (code == NV3_OP_ADD && uniform_is(l, b, 0.0f)))
      node->same = a;
}

static int
add_node(struct linker *l, const struct nv3_op *op)
{
   struct node *node = &l->nodes[l->count];

   *node = (struct node) { .op = op, .same = l->count, .fused = -1, .reg = -1 };
   return l->count++;
}

static void
add_operation(struct linker *l, const struct nv3_op *op, unsigned base)
{
   int n = add_node(l, op);
   struct node *node = &l->nodes[n];

   node->a = resolve(l, base + op->a);
   node->b = node->a;
   node->c = node->a;
   if (!is_unary(op->code))
      node->b = resolve(l, base + op->b);
   if (op->code == NV3_OP_SELECT)
      node->c = resolve(l, base + op->c);
   simplify(l, n);
}

static void
add_vertex_shader(struct linker *l, const struct nv3_vs_info *vs,
                  const float *values)
{
   for (unsigned i = 0; i < vs->expr.count; i++) {
      const struct nv3_op *op = &vs->expr.ops[i];

      if (op->degree == NV3_UNIFORM)
         make_uniform(l, add_node(l, op), values[i]);
      else if (op->code == NV3_OP_VARYING)
         add_node(l, op);
      else
         add_operation(l, op, 0);
   }
}

/* The vertex shader's operation for a varying, or -1: it does not write it. */
static int
output_of(const struct nv3_vs_info *vs, const struct nv3_shader_info *fs,
          const struct nv3_op *varying)
{
   for (unsigned i = 0; i < vs->output_count; i++) {
      if (vs->outputs[i].semantic == fs->inputs[varying->a].semantic &&
          vs->outputs[i].index == fs->inputs[varying->a].index)
         return vs->outputs[i].op[varying->b];
   }
   return -1;
}

static void
add_fragment_shader(struct linker *l, const struct nv3_vs_info *vs,
                    const struct nv3_shader_info *fs, const float *values)
{
   unsigned base = l->count;

   for (unsigned i = 0; i < fs->expr.count; i++) {
      const struct nv3_op *op = &fs->expr.ops[i];

      if (op->degree == NV3_UNIFORM) {
         make_uniform(l, add_node(l, op), values[i]);
      } else if (op->code == NV3_OP_VARYING) {
         int n = add_node(l, op), output = output_of(vs, fs, op);

         if (output < 0) {
            make_uniform(l, n, op->b == 3 ? 1.0f : 0.0f);
         } else {
            l->nodes[n].same = resolve(l, output);
            l->nodes[n].uniform = l->nodes[l->nodes[n].same].uniform;
            l->nodes[n].value = l->nodes[l->nodes[n].same].value;
         }
      } else {
         add_operation(l, op, base);
      }
   }
}

/* ---- which of them are needed ---- */

static void
need(struct linker *l, int n)
{
   l->nodes[n].needed = true;
   l->nodes[n].uses++;
}

static void
mark_needed(struct linker *l)
{
   for (int n = l->count - 1; n >= 0; n--) {
      struct node *node = &l->nodes[n];

      if (!node->needed || node->uniform || node->op->code == NV3_OP_VARYING)
         continue;
      need(l, node->a);
      if (!is_unary(node->op->code))
         need(l, node->b);
      if (node->op->code == NV3_OP_SELECT)
         need(l, node->c);
   }
}

/* A product that only a sum wants is computed with it. */
static void
fuse(struct linker *l)
{
   for (unsigned n = 0; n < l->count; n++) {
      struct node *node = &l->nodes[n];

      if (!node->needed || node->uniform || node->op->code != NV3_OP_ADD)
         continue;
      for (unsigned i = 0; i < 2; i++) {
         int product = i ? node->a : node->b;
         const struct node *mul = &l->nodes[product];

         if (!mul->uniform && mul->op->code == NV3_OP_MUL && mul->uses == 1 &&
             node->a != node->b) {
            node->fused = product;
            l->nodes[product].needed = false;
            break;
         }
      }
   }
}

/* ---- instructions ---- */

static int
new_reg(struct linker *l)
{
   if (l->program->reg_count == NV3_MAX_REGS) {
      l->full = true;
      return 0;
   }
   return l->program->reg_count++;
}

static struct nv3_inst *
new_inst(struct linker *l, unsigned code, int dst)
{
   struct nv3_program *program = l->program;
   struct nv3_inst *inst;

   if (program->inst_count == ARRAY_SIZE(program->insts)) {
      l->full = true;
      return &program->insts[0];
   }
   inst = &program->insts[program->inst_count++];
   /* With its holes, as programs are compared. */
   memset(inst, 0, sizeof(*inst));
   inst->code = code;
   inst->dst = dst;
   return inst;
}

/* The register that a node is in; a uniform is put in one. */
static int
reg_of(struct linker *l, int n)
{
   struct node *node = &l->nodes[n];

   if (node->reg < 0) {
      node->reg = new_reg(l);
      new_inst(l, INST_FILL, node->reg)->value = node->value;
   }
   return node->reg;
}

static unsigned
code_with_value(unsigned code)
{
   switch (code) {
   case NV3_OP_MUL:
      return INST_MUL_VALUE;
   case NV3_OP_ADD:
      return INST_ADD_VALUE;
   case NV3_OP_MAX:
      return INST_MAX_VALUE;
   case NV3_OP_MIN:
      return INST_MIN_VALUE;
   default:
      return 0;
   }
}

static void
emit_fused(struct linker *l, struct node *node)
{
   const struct node *mul = &l->nodes[node->fused];
   int addend = node->fused == node->a ? node->b : node->a;
   bool value = l->nodes[mul->b].uniform;
   int a = reg_of(l, mul->a), b = value ? 0 : reg_of(l, mul->b);
   int c = reg_of(l, addend);
   struct nv3_inst *inst;

   node->reg = new_reg(l);
   inst = new_inst(l, value ? INST_MAD_VALUE : INST_MAD, node->reg);
   inst->a = a;
   inst->b = b;
   inst->c = c;
   inst->value = l->nodes[mul->b].value;
}

static void
emit(struct linker *l, struct node *node)
{
   unsigned code = node->op->code;
   unsigned with_value = code_with_value(code);
   bool value = with_value && l->nodes[node->b].uniform;
   int a = reg_of(l, node->a);
   int b = value || is_unary(code) ? 0 : reg_of(l, node->b);
   int c = code == NV3_OP_SELECT ? reg_of(l, node->c) : 0;
   struct nv3_inst *inst;

   node->reg = new_reg(l);
   inst = new_inst(l, value ? with_value : code, node->reg);
   inst->a = a;
   inst->b = b;
   inst->c = c;
   inst->value = value ? l->nodes[node->b].value : 0.0f;
}

static void
emit_load(struct linker *l, struct node *node)
{
   struct nv3_program *program = l->program;

   if (program->load_count == NV3_MAX_LOADS) {
      l->full = true;
      return;
   }
   node->reg = new_reg(l);
   program->loads[program->load_count].element = node->op->a;
   program->loads[program->load_count].component = node->op->b;
   program->loads[program->load_count].reg = node->reg;
   program->load_count++;
}

static void
emit_all(struct linker *l)
{
   for (unsigned n = 0; n < l->count; n++) {
      struct node *node = &l->nodes[n];

      if (!node->needed || node->uniform || node->same != (int)n)
         continue;
      if (node->op->code == NV3_OP_VARYING)
         emit_load(l, node);
      else if (node->fused >= 0)
         emit_fused(l, node);
      else
         emit(l, node);
   }
}

const char *
nv3_program_link(struct nv3_program *program, const struct nv3_vs_info *vs,
                 const float *vs_values, const struct nv3_shader_info *fs,
                 const float *fs_values, const int fs_ops[NV3_RESULTS])
{
   struct linker l;
   int nodes[NV3_RESULTS];
   unsigned base;

   l.program = program;
   l.count = 0;
   l.full = false;
   program->reg_count = program->inst_count = program->load_count = 0;
   add_vertex_shader(&l, vs, vs_values);
   base = l.count;
   if (fs)
      add_fragment_shader(&l, vs, fs, fs_values);
   for (unsigned i = 0; i < NV3_RESULTS; i++) {
      int op = -1;

      if (!fs && i <= NV3_RESULT_W)
         op = vs->position[i];
      else if (fs && i > NV3_RESULT_W && fs_ops[i] >= 0)
         op = base + fs_ops[i];
      nodes[i] = op < 0 ? -1 : resolve(&l, op);
      if (nodes[i] >= 0)
         need(&l, nodes[i]);
   }
   mark_needed(&l);
   fuse(&l);
   emit_all(&l);
   for (unsigned i = 0; i < NV3_RESULTS; i++)
      program->results[i] = nodes[i] < 0 ? -1 : reg_of(&l, nodes[i]);
   return l.full ? "vertex shader with many values" : NULL;
}

bool
nv3_program_equal(const struct nv3_program *a, const struct nv3_program *b)
{
   return a->inst_count == b->inst_count && a->load_count == b->load_count &&
          !memcmp(a->results, b->results, sizeof(a->results)) &&
          !memcmp(a->loads, b->loads, a->load_count * sizeof(a->loads[0])) &&
          !memcmp(a->insts, b->insts, a->inst_count * sizeof(a->insts[0]));
}

/* ---- running ---- */

#define FOR_VECTORS for (unsigned i = 0; i < lanes; i += NV3_LANE_ALIGN)
#define DST  (*(nv3_vec *)(d + i))
#define A    (*(const nv3_vec *)(a + i))
#define B    (*(const nv3_vec *)(b + i))
#define C    (*(const nv3_vec *)(c + i))
#define IA   (*(const nv3_ivec *)(a + i))
#define IDST (*(nv3_ivec *)(d + i))
#define VALUE NV3_SPLAT(value)
/* Of 1.0f where the mask is set. */
#define TRUTH(mask) ((nv3_ivec)(mask) & 0x3f800000)

#define EACH(function)                       \
   for (unsigned i = 0; i < lanes; i++)      \
      d[i] = function

NV3_VECTORS void
nv3_program_run(const struct nv3_program *program, float (*regs)[NV3_LANES],
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

         /* Positive floats are in the order of their bits. */
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
      case INST_MUL_VALUE:
         FOR_VECTORS DST = A * VALUE;
         break;
      case INST_ADD_VALUE:
         FOR_VECTORS DST = A + VALUE;
         break;
      case INST_MAX_VALUE:
         if (value == 0.0f)
            FOR_VECTORS IDST = NV3_POSITIVE(IA);
         else
            FOR_VECTORS IDST = NV3_CHOOSE(A > VALUE, A, VALUE);
         break;
      case INST_MIN_VALUE:
         FOR_VECTORS IDST = NV3_CHOOSE(A < VALUE, A, VALUE);
         break;
      case INST_MAD:
         FOR_VECTORS DST = A * B + C;
         break;
      case INST_MAD_VALUE:
         FOR_VECTORS DST = A * VALUE + C;
         break;
      case INST_FILL:
         FOR_VECTORS DST = VALUE;
         break;
      default:
         unreachable("instruction that is not linked");
      }
   }
}
