/* SPDX-License-Identifier: MIT */
/* Translates TGSI to fragment programs. */
#include <string.h>

#include "codegen/nv3c_nir.h"
#include "codegen/nv3c_tgsi.h"
#include "tgsi/tgsi_scan.h"
#include "util/bitscan.h"
#include "util/macros.h"
#include "util/ralloc.h"

/* Included last, because it defines macros such as abs(). */
#include "nouveau/nv30/nvfx_shader.h"

/*
 * Fragment programs have the encoding of NV40 (nvfx_shader.h). See also
 * docs/reference/chip/fragment.md.
 */
#define TEMPS       48
#define COLOR_TEMP  0 /* the colour result */
#define DEPTH_TEMP  1 /* z is the depth result */
#define IDENTITY    0xe4 /* the swizzle xyzw */

/* An unused source is encoded as input 0, as in nvfx. */
#define NO_SRC      (NVFX_FP_REG_TYPE_INPUT | \
                     IDENTITY << NVFX_FP_REG_SWZ_ALL_SHIFT)

/* ---- constants --------------------------------------------------------- */

/* The scalars of an inline constant. */
struct scalars {
   unsigned count;
   int16_t source[4];  /* as in struct nv3c_fs_constant */
   uint32_t value[4];  /* the bits of an immediate, otherwise 0 */
};

static int
add_scalar(const struct nv3c_translator *t, struct scalars *set,
           const struct nv3c_src *src, unsigned lane)
{
   const bool uniform = src->file == TGSI_FILE_CONSTANT;
   const int source = uniform ? 4 * src->index + src->swizzle[lane] : -1;
   const uint32_t value = uniform ? 0 : fui(nv3c_immediate_value(t, src, lane));

   for (unsigned i = 0; i < set->count; i++) {
      if (set->source[i] == source && set->value[i] == value)
         return i;
   }
   if (set->count == 4)
      return -1;
   set->source[set->count] = source;
   set->value[set->count] = value;
   return set->count++;
}

/*
 * Adds the scalars that source @s of @insn reads to @set. Sets @components[i]
 * to the index in @set of the scalar that component i reads. Returns false if
 * @set has no room.
 */
static bool
add_scalars(const struct nv3c_translator *t, struct scalars *set,
            const struct nv3c_insn *insn, unsigned s, uint8_t components[4])
{
   u_foreach_bit(i, nv3c_read_lanes(insn, s)) {
      const int component = add_scalar(t, set, &insn->src[s], i);

      if (component < 0)
         return false;
      components[i] = component;
   }
   return true;
}

/* An instruction can read only one inline constant. */
static bool
constant_fits(const struct nv3c_translator *t, const struct nv3c_insn *insn,
              unsigned s)
{
   struct scalars set = { .count = 0 };
   uint8_t components[4];

   for (unsigned r = 0; r <= s; r++) {
      if (nv3c_is_constant(&insn->src[r]) &&
          !add_scalars(t, &set, insn, r, components))
         return false;
   }
   return true;
}

/* ---- encoding ---------------------------------------------------------- */

static unsigned
result_register(const struct nv3c_translator *t, const struct nv3c_insn *insn)
{
   if (insn->file == TGSI_FILE_TEMPORARY)
      return t->first_temp + insn->index;
   return insn->index == t->depth ? DEPTH_TEMP : COLOR_TEMP;
}

static uint32_t
encode_result(const struct nv3c_translator *t, const struct nv3c_insn *insn)
{
   const uint32_t no_result = NV40_FP_OP_OUT_NONE | NV40_FP_OP_OUT_REG_MASK;
   uint32_t word = (uint32_t)insn->mask << NVFX_FP_OP_OUTMASK_SHIFT;

   if (!insn->mask)
      return no_result;
   if (insn->file == TGSI_FILE_NULL)
      return word | no_result | NVFX_FP_OP_COND_WRITE_ENABLE;
   return word | result_register(t, insn) << NVFX_FP_OP_OUT_REG_SHIFT |
          (insn->saturate ? NVFX_FP_OP_OUT_SAT : 0);
}

static uint32_t
encode_source(struct nv3c_translator *t, const struct nv3c_insn *insn,
              unsigned s, uint32_t *words, struct scalars *constant)
{
   const struct nv3c_src *src = &insn->src[s];
   uint8_t swizzle[4];
   uint32_t word = 0;

   memcpy(swizzle, src->swizzle, 4);
   switch (src->file) {
   case TGSI_FILE_TEMPORARY:
      word = NVFX_FP_REG_TYPE_TEMP |
             (t->first_temp + src->index) << NVFX_FP_REG_SRC_SHIFT;
      break;
   case TGSI_FILE_INPUT:
      word = NVFX_FP_REG_TYPE_INPUT;
      words[0] |= src->index << NVFX_FP_OP_INPUT_SRC_SHIFT;
      t->program->inputs |= 1u << src->index;
      break;
   case TGSI_FILE_CONSTANT:
   case TGSI_FILE_IMMEDIATE:
      word = NVFX_FP_REG_TYPE_CONST;
      memset(swizzle, 0, 4);
      add_scalars(t, constant, insn, s, swizzle);
      break;
   default:
      nv3c_error(t, "no source of file %u", src->file);
      break;
   }
   for (unsigned i = 0; i < 4; i++)
      word |= swizzle[i] << (NVFX_FP_REG_SWZ_ALL_SHIFT + 2 * i);
   if (src->neg)
      word |= NVFX_FP_REG_NEGATE;
   if (src->abs)
      word |= s == 0 ? NVFX_FP_OP_SRC0_ABS : NVFX_FP_OP_SRC1_ABS;
   return word;
}

/*
 * Appends an inline constant to the program, and records which of its
 * components are uniforms.
 */
static void
add_constant(struct nv3c_translator *t, const struct scalars *constant)
{
   struct nv3c_fs_constant patch = {
      .word = util_dynarray_num_elements(&t->words, uint32_t),
      .source = { -1, -1, -1, -1 },
   };
   bool uniform = false;

   for (unsigned i = 0; i < constant->count; i++) {
      patch.source[i] = constant->source[i];
      uniform |= patch.source[i] >= 0;
      t->program->stats.immediates += patch.source[i] < 0;
   }
   for (unsigned i = 0; i < 4; i++)
      util_dynarray_append(&t->words, uint32_t, constant->value[i]);
   t->program->stats.constants++;
   if (uniform)
      util_dynarray_append(&t->constants, struct nv3c_fs_constant, patch);
}

static void
encode(struct nv3c_translator *t, const struct nv3c_insn *insn)
{
   uint32_t words[NV3C_INSN_WORDS];
   struct scalars constant = { .count = 0 };

   if (insn->file == t->condition.file && insn->index == t->condition.index)
      t->condition_mask = 0;
   words[0] = (uint32_t)nv3c_ops[insn->op].fs << NVFX_FP_OP_OPCODE_SHIFT |
              insn->unit << NVFX_FP_OP_TEX_UNIT_SHIFT | encode_result(t, insn);
   for (unsigned s = 0; s < 3; s++)
      words[1 + s] = s >= nv3c_ops[insn->op].sources ? NO_SRC :
                     encode_source(t, insn, s, words, &constant);
   words[1] |= insn->test << NVFX_FP_OP_COND_SHIFT |
               IDENTITY << NVFX_FP_OP_COND_SWZ_ALL_SHIFT;
   for (unsigned i = 0; i < NV3C_INSN_WORDS; i++)
      util_dynarray_append(&t->words, uint32_t, words[i]);
   if (constant.count)
      add_constant(t, &constant);
}

/* ---- operations -------------------------------------------------------- */

static bool
reads_same(const struct nv3c_src *a, const struct nv3c_src *b, unsigned lanes)
{
   u_foreach_bit(i, lanes) {
      if (a->swizzle[i] != b->swizzle[i])
         return false;
   }
   return a->file == b->file && a->index == b->index && a->neg == b->neg &&
          a->abs == b->abs;
}

/*
 * Copies the components @mask of @src to the condition register, unless the
 * register already contains them.
 */
static void
set_condition(struct nv3c_translator *t, struct nv3c_src src, unsigned mask)
{
   const struct nv3c_insn insn = {
      .op = TGSI_OPCODE_MOV,
      .mask = mask,
      .src = { src },
      .test = NV3C_TEST_ALWAYS,
   };

   if (!(mask & ~t->condition_mask) && reads_same(&t->condition, &src, mask))
      return;
   nv3c_emit(t, &insn);
   t->condition = src;
   t->condition_mask = mask;
}

/* True if @insn writes the temporary that @src reads. */
static bool
overwrites(const struct nv3c_insn *insn, const struct nv3c_src *src)
{
   return src->file == TGSI_FILE_TEMPORARY && insn->file == src->file &&
          insn->index == src->index;
}

/* True if the destination of @insn already contains the value of @src. */
static bool
contains(const struct nv3c_insn *insn, const struct nv3c_src *src)
{
   const struct nv3c_src result = {
      .file = insn->file,
      .index = insn->index,
      .swizzle = { 0, 1, 2, 3 },
   };

   return insn->file == TGSI_FILE_TEMPORARY && !insn->saturate &&
          reads_same(&result, src, insn->mask);
}

/*
 * Translates a select: writes the components of @yes where @condition is less
 * than 0, and those of @no elsewhere.
 */
static void
select_value(struct nv3c_translator *t, const struct nv3c_insn *insn,
             struct nv3c_src condition, struct nv3c_src yes, struct nv3c_src no)
{
   struct nv3c_insn move = *insn;

   set_condition(t, condition, insn->mask);
   if (contains(insn, &yes)) {
      move.test = NVFX_FP_OP_COND_GE;
      nv3c_emit_op(t, &move, TGSI_OPCODE_MOV, no, nv3c_none, nv3c_none);
      return;
   }
   move.test = NVFX_FP_OP_COND_LT;
   if (!contains(insn, &no)) {
      if (overwrites(insn, &yes))
         yes = nv3c_emit_temp(t, TGSI_OPCODE_MOV, insn->mask, yes, nv3c_none);
      nv3c_emit_op(t, insn, TGSI_OPCODE_MOV, no, nv3c_none, nv3c_none);
   }
   nv3c_emit_op(t, &move, TGSI_OPCODE_MOV, yes, nv3c_none, nv3c_none);
}

/*
 * Divides each component separately, because the class's DIV divides by a
 * scalar. If the first quotients could overwrite a source of later divisions,
 * collects all quotients in a temporary first.
 */
static void
translate_division(struct nv3c_translator *t, const struct nv3c_insn *insn)
{
   const struct nv3c_src a = insn->src[0], b = insn->src[1];
   const bool moves = util_bitcount(insn->mask) > 1 &&
                      (overwrites(insn, &a) || overwrites(insn, &b));
   struct nv3c_insn part = *insn;
   struct nv3c_src result;

   if (moves) {
      result = nv3c_new_temp(t);
      part.file = result.file;
      part.index = result.index;
   }
   u_foreach_bit(i, insn->mask) {
      part.mask = 1u << i;
      nv3c_emit_op(t, &part, TGSI_OPCODE_DIV, a, nv3c_splat(b, i), nv3c_none);
   }
   if (moves)
      nv3c_emit_op(t, insn, TGSI_OPCODE_MOV, result, nv3c_none, nv3c_none);
}

static bool
translate(struct nv3c_translator *t, struct nv3c_insn *insn)
{
   struct nv3c_src a = insn->src[0], b;

   switch (insn->op) {
   case TGSI_OPCODE_CMP:
      select_value(t, insn, a, insn->src[1], insn->src[2]);
      return true;
   case TGSI_OPCODE_TRUNC:
      a.abs = true;
      a.neg = false;
      a = nv3c_emit_temp(t, TGSI_OPCODE_FLR, insn->mask, a, nv3c_none);
      b = a;
      b.neg = true;
      select_value(t, insn, insn->src[0], b, a);
      return true;
   case TGSI_OPCODE_DIV:
      translate_division(t, insn);
      return true;
   case TGSI_OPCODE_KILL_IF:
      set_condition(t, a, TGSI_WRITEMASK_XYZW);
      insn->op = TGSI_OPCODE_KILL;
      insn->test = NVFX_FP_OP_COND_LT;
      nv3c_emit(t, insn);
      return true;
   default:
      if (!nv3c_ops[insn->op].fs)
         return false;
      nv3c_emit(t, insn);
      return true;
   }
}

/* ---- compilation ------------------------------------------------------- */

static void
begin(struct nv3c_translator *t, const struct tgsi_shader_info *info)
{
   util_dynarray_init(&t->constants, t->program->mem);
   t->depth = -1;
   for (unsigned i = 0; i < info->num_outputs; i++) {
      if (info->output_semantic_name[i] == TGSI_SEMANTIC_POSITION)
         t->depth = i;
   }
   t->program->writes_depth = t->depth >= 0;
   t->first_temp = t->program->writes_depth ? DEPTH_TEMP + 1 :
                                              COLOR_TEMP + 1;
}

static void
end(struct nv3c_translator *t)
{
   struct nv3c_program *program = t->program;

   program->words[t->last] |= NVFX_FP_OP_PROGRAM_END;
   program->constants = t->constants.data;
   program->constant_count =
      util_dynarray_num_elements(&t->constants, struct nv3c_fs_constant);
}

const struct nv3c_stage nv3c_fs_stage = {
   .temps_max = TEMPS,
   .insns_max = NV3C_FS_INSNS,
   .units = NV3C_UNITS,
   .assign_io = nv3c_nir_assign_inputs,
   .begin = begin,
   .translate = translate,
   .constant_fits = constant_fits,
   .encode = encode,
   .end = end,
};
