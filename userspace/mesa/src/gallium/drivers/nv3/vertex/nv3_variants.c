/* SPDX-License-Identifier: MIT */
/*
 * Cache of linked vertex programs.
 *
 * A linked program depends on which uniforms are 0 or 1. A game changes
 * matrices for every object, but few combinations of such uniforms occur. A
 * cached program is therefore reused with new constants. The cache records how
 * each constant is computed.
 */
#include <string.h>

#include "util/macros.h"
#include "util/u_math.h"
#include "util/u_memory.h"

#include "compiler/nv3_expr.h"
#include "compiler/nv3_shader.h"
#include "compiler/nv3_vs.h"
#include "vertex/nv3_program.h"
#include "vertex/nv3_variants.h"

#define MAX_NODES (2 * NV3_MAX_OPS)

/* A constant of a program, and how it is computed. */
struct uniform {
   enum { VS_VALUE, FS_VALUE, CONSTANT, COMPUTED } how;
   enum { NOUGHT, ONE, OTHER } is;
   int16_t node;
   int16_t from;     /* operation of the shader */
   uint8_t code;
   int16_t a, b, c;  /* nodes of the operands */
   float constant;
};

/* A program and its key. */
struct variant {
   const struct nv3_vs_info *vs;
   const struct nv3_shader_info *fs;
   int fs_ops[NV3_RESULTS];
   struct nv3_program program;
   const char *reason;
   int16_t sources[NV3_MAX_INSTS];  /* node of each instruction's constant */
   struct uniform uniforms[MAX_NODES];
   unsigned uniform_count;
};

#define VARIANTS_MAX 32

struct nv3_variants {
   struct variant list[VARIANTS_MAX];
   unsigned count, oldest;
};

/* An operation of either shader during linking. */
struct node {
   const struct nv3_op *op;
   bool uniform;
   int16_t same;     /* node with the same value, or this one */
   int16_t a, b, c;  /* nodes */
   int16_t fused;    /* the operand whose product is fused into a MAD, or -1 */
   int16_t reg;
   uint16_t uses;
   bool needed;
};

struct state {
   struct variant *variant;
   struct nv3_program *program;
   const float *vs_values, *fs_values;
   struct node nodes[MAX_NODES];
   float values[MAX_NODES];
   unsigned count;
   bool full;
};

static bool
is_unary(unsigned code)
{
   return code < NV3_OP_ADD;
}

/* ---- simplification ---- */

static float
compute(const struct uniform *u, const float *vs_values, const float *fs_values,
        const float *values)
{
   switch (u->how) {
   case VS_VALUE:
      return vs_values[u->from];
   case FS_VALUE:
      return fs_values[u->from];
   case CONSTANT:
      return u->constant;
   default:
      return nv3_expr_compute(u->code, values[u->a], values[u->b],
                              values[u->c]);
   }
}

/*
 * Classifies a constant. Constants of the same class lead to the same
 * program.
 */
static unsigned
kind_of(float value)
{
   return value == 0.0f ? NOUGHT : value == 1.0f ? ONE : OTHER;
}

static void
make_uniform(struct state *l, int n, struct uniform u)
{
   float value = compute(&u, l->vs_values, l->fs_values, l->values);

   u.node = n;
   u.is = kind_of(value);
   l->variant->uniforms[l->variant->uniform_count++] = u;
   l->nodes[n].uniform = true;
   l->values[n] = value;
}

static bool
uniform_is(const struct state *l, int n, float value)
{
   return l->nodes[n].uniform && l->values[n] == value;
}

/* Returns the node that computes the value of @n. */
static int
resolve(const struct state *l, int n)
{
   return l->nodes[n].same;
}

static void
simplify(struct state *l, int n)
{
   struct node *node = &l->nodes[n];
   unsigned code = node->op->code;
   int a = node->a, b = node->b, c = node->c;
   bool unary = is_unary(code);

   if (l->nodes[a].uniform && (unary || l->nodes[b].uniform) &&
       (code != NV3_OP_SELECT || l->nodes[c].uniform)) {
      make_uniform(l, n, (struct uniform) { .how = COMPUTED, .code = code,
                                            .a = a, .b = b, .c = c });
      return;
   }
   if (code == NV3_OP_SELECT && l->nodes[a].uniform) {
      node->same = l->values[a] != 0.0f ? b : c;
      return;
   }
   /* Make a uniform operand the second one. */
   if (!unary && code <= NV3_OP_MAX && l->nodes[a].uniform) {
      node->a = b;
      node->b = a;
      a = node->a;
      b = node->b;
   }
   if (code == NV3_OP_MUL && uniform_is(l, b, 0.0f))
      make_uniform(l, n, (struct uniform) { .how = CONSTANT });
   else if ((code == NV3_OP_MUL && uniform_is(l, b, 1.0f)) ||
            (code == NV3_OP_ADD && uniform_is(l, b, 0.0f)))
      node->same = a;
}

static int
add_node(struct state *l, const struct nv3_op *op)
{
   struct node *node = &l->nodes[l->count];

   *node = (struct node) { .op = op, .same = l->count, .fused = -1, .reg = -1 };
   return l->count++;
}

static void
add_operation(struct state *l, const struct nv3_op *op, unsigned base)
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
add_vertex_shader(struct state *l, const struct nv3_vs_info *vs)
{
   for (unsigned i = 0; i < vs->expr.count; i++) {
      const struct nv3_op *op = &vs->expr.ops[i];

      if (op->degree == NV3_UNIFORM)
         make_uniform(l, add_node(l, op),
                      (struct uniform) { .how = VS_VALUE, .from = i });
      else if (op->code == NV3_OP_VARYING)
         add_node(l, op);
      else
         add_operation(l, op, 0);
   }
}

/*
 * Returns the vertex shader's operation for a varying, or -1 if the shader
 * does not write it.
 */
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
add_fragment_shader(struct state *l, const struct nv3_vs_info *vs,
                    const struct nv3_shader_info *fs)
{
   unsigned base = l->count;

   for (unsigned i = 0; i < fs->expr.count; i++) {
      const struct nv3_op *op = &fs->expr.ops[i];

      if (op->degree == NV3_UNIFORM) {
         make_uniform(l, add_node(l, op),
                      (struct uniform) { .how = FS_VALUE, .from = i });
      } else if (op->code == NV3_OP_VARYING) {
         int n = add_node(l, op), output = output_of(vs, fs, op);

         if (output < 0) {
            make_uniform(l, n, (struct uniform) { .how = CONSTANT,
                                                  .constant = op->b == 3 });
         } else {
            l->nodes[n].same = resolve(l, output);
         }
      } else {
         add_operation(l, op, base);
      }
   }
}

/* ---- liveness ---- */

static void
need(struct state *l, int n)
{
   l->nodes[n].needed = true;
   l->nodes[n].uses++;
}

static void
mark_needed(struct state *l)
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

/* Fuses products that only one sum uses. */
static void
fuse(struct state *l)
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
new_reg(struct state *l)
{
   if (l->program->reg_count == NV3_MAX_REGS) {
      l->full = true;
      return 0;
   }
   return l->program->reg_count++;
}

static struct nv3_inst *
new_inst(struct state *l, unsigned code, int dst)
{
   struct nv3_program *program = l->program;
   struct nv3_inst *inst;

   if (program->inst_count == NV3_MAX_INSTS) {
      l->full = true;
      return &program->insts[0];
   }
   l->variant->sources[program->inst_count] = -1;
   inst = &program->insts[program->inst_count++];
   /* Also clear the padding, because programs are compared. */
   memset(inst, 0, sizeof(*inst));
   inst->code = code;
   inst->dst = dst;
   return inst;
}

/* Sets the constant of the last instruction. */
static void
set_value(struct state *l, int node)
{
   unsigned at = l->program->inst_count - 1;

   l->program->insts[at].value = l->values[node];
   l->variant->sources[at] = node;
}

/* Returns the register of a node. Loads a uniform into a new register. */
static int
reg_of(struct state *l, int n)
{
   struct node *node = &l->nodes[n];

   if (node->reg < 0) {
      node->reg = new_reg(l);
      new_inst(l, NV3_INST_FILL, node->reg);
      set_value(l, n);
   }
   return node->reg;
}

static unsigned
code_with_value(unsigned code)
{
   switch (code) {
   case NV3_OP_MUL:
      return NV3_INST_MUL_VALUE;
   case NV3_OP_ADD:
      return NV3_INST_ADD_VALUE;
   case NV3_OP_MAX:
      return NV3_INST_MAX_VALUE;
   case NV3_OP_MIN:
      return NV3_INST_MIN_VALUE;
   default:
      return 0;
   }
}

static void
emit_fused(struct state *l, struct node *node)
{
   const struct node *mul = &l->nodes[node->fused];
   int addend = node->fused == node->a ? node->b : node->a;
   bool value = l->nodes[mul->b].uniform;
   int a = reg_of(l, mul->a), b = value ? 0 : reg_of(l, mul->b);
   int c = reg_of(l, addend);
   struct nv3_inst *inst;

   node->reg = new_reg(l);
   inst = new_inst(l, value ? NV3_INST_MAD_VALUE : NV3_INST_MAD, node->reg);
   inst->a = a;
   inst->b = b;
   inst->c = c;
   if (value)
      set_value(l, mul->b);
}

static void
emit(struct state *l, struct node *node)
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
   if (value)
      set_value(l, node->b);
}

static void
emit_load(struct state *l, struct node *node)
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
emit_all(struct state *l)
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

static void
link_program(struct variant *variant, const float *vs_values,
             const float *fs_values)
{
   struct nv3_program *program = &variant->program;
   struct state l = {
      .variant = variant, .program = program,
      .vs_values = vs_values, .fs_values = fs_values,
   };
   int nodes[NV3_RESULTS];
   unsigned base;

   program->reg_count = program->inst_count = program->load_count = 0;
   variant->uniform_count = 0;
   add_vertex_shader(&l, variant->vs);
   base = l.count;
   if (variant->fs)
      add_fragment_shader(&l, variant->vs, variant->fs);
   for (unsigned i = 0; i < NV3_RESULTS; i++) {
      int op = -1;

      if (!variant->fs && i <= NV3_RESULT_W)
         op = variant->vs->position[i];
      else if (variant->fs && i > NV3_RESULT_W && variant->fs_ops[i] >= 0)
         op = base + variant->fs_ops[i];
      nodes[i] = op < 0 ? -1 : resolve(&l, op);
      if (nodes[i] >= 0)
         need(&l, nodes[i]);
   }
   mark_needed(&l);
   fuse(&l);
   emit_all(&l);
   for (unsigned i = 0; i < NV3_RESULTS; i++)
      program->results[i] = nodes[i] < 0 ? -1 : reg_of(&l, nodes[i]);
   variant->reason = l.full ? "vertex shader with too many values" : NULL;
}

/* ---- cache ---- */

struct nv3_variants *
nv3_variants_create(void)
{
   return CALLOC_STRUCT(nv3_variants);
}

void
nv3_variants_destroy(struct nv3_variants *variants)
{
   FREE(variants);
}

void
nv3_variants_clear(struct nv3_variants *variants)
{
   variants->count = 0;
}

/*
 * Returns true if the program is also correct for these uniforms, and sets its
 * constants.
 */
static bool
update_values(struct variant *variant, const float *vs_values,
              const float *fs_values)
{
   struct nv3_program *program = &variant->program;
   float values[MAX_NODES];

   for (unsigned i = 0; i < variant->uniform_count; i++) {
      const struct uniform *u = &variant->uniforms[i];
      float value = compute(u, vs_values, fs_values, values);

      if (kind_of(value) != u->is)
         return false;
      values[u->node] = value;
   }
   for (unsigned i = 0; i < program->inst_count; i++) {
      if (variant->sources[i] >= 0)
         program->insts[i].value = values[variant->sources[i]];
   }
   return true;
}

static struct variant *
find(struct nv3_variants *variants, const struct nv3_vs_info *vs,
     const float *vs_values, const struct nv3_shader_info *fs,
     const float *fs_values, const int fs_ops[NV3_RESULTS])
{
   for (unsigned i = 0; i < variants->count; i++) {
      struct variant *variant = &variants->list[i];

      if (variant->vs == vs && variant->fs == fs &&
          !memcmp(variant->fs_ops, fs_ops, sizeof(variant->fs_ops)) &&
          update_values(variant, vs_values, fs_values))
         return variant;
   }
   return NULL;
}

/* Returns a free entry, or reuses the entry that was added first. */
static struct variant *
add(struct nv3_variants *variants)
{
   if (variants->count < VARIANTS_MAX)
      return &variants->list[variants->count++];
   variants->oldest %= VARIANTS_MAX;
   return &variants->list[variants->oldest++];
}

const char *
nv3_variants_get(struct nv3_variants *variants, struct nv3_program *program,
                 const struct nv3_vs_info *vs, const float *vs_values,
                 const struct nv3_shader_info *fs, const float *fs_values,
                 const int fs_ops[NV3_RESULTS])
{
   struct variant *variant =
      find(variants, vs, vs_values, fs, fs_values, fs_ops);

   if (!variant) {
      variant = add(variants);
      variant->vs = vs;
      variant->fs = fs;
      memcpy(variant->fs_ops, fs_ops, sizeof(variant->fs_ops));
      link_program(variant, vs_values, fs_values);
   }
   nv3_program_copy(program, &variant->program);
   return variant->reason;
}
