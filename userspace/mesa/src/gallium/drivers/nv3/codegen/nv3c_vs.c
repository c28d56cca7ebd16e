/* SPDX-License-Identifier: MIT */
/*
 * Translates TGSI to vertex programs.
 *
 * Uniform vec4 i is in constant register i, so that A0 can select any uniform.
 * Immediates follow the uniforms.
 */
#include <float.h>
#include <string.h>

#include "codegen/nv3c_nir.h"
#include "codegen/nv3c_tgsi.h"
#include "util/bitscan.h"
#include "util/macros.h"
#include "util/ralloc.h"

/*
 * The maximum number of unused uniforms between two used uniforms of a range.
 * Loading so few unused uniforms costs less than beginning another range.
 */
#define GAP_MAX 2

/* The temporary registers are R0 to R11 and R16 to R31. */
#define TEMPS     28
#define LOW_TEMPS 12
#define HIGH_TEMP 16

/* ---- encoding ---------------------------------------------------------- */

/*
 * Words 1 to 3 of an instruction have the NV2A's encoding (envytools,
 * docs/hw/graph/xf/isa.rst). docs/reference/chip/programs.md describes word 0.
 */

/* A field is described by its lowest bit. Bit 0 is the lowest bit of word 3. */
#define FIELD(word, bit)    (32 * (3 - (word)) + (bit))

#define VP_EXTENDED         FIELD(0, 31)
#define VP_SCALAR_SATURATE  FIELD(0, 12)
#define VP_VECTOR_SATURATE  FIELD(0, 11)
#define VP_SRC_ABS(s)       FIELD(0, 8 + (s))
#define VP_SCALAR_OP_HIGH   FIELD(0, 6)  /* 2 bits */
#define VP_VECTOR_OP_HIGH   FIELD(0, 5)
#define VP_DST_HIGH         FIELD(0, 4)
#define VP_SRC_TEMP_HIGH(s) FIELD(0, 1 + (s))
#define VP_CONST_HIGH       FIELD(0, 0)

#define VP_SCALAR_OP        FIELD(1, 25) /* 3 bits */
#define VP_VECTOR_OP        FIELD(1, 21) /* 4 bits */
#define VP_CONST            FIELD(1, 13) /* 8 bits */
#define VP_ATTRIBUTE        FIELD(1, 9)  /* 4 bits */

/* A source has 15 bits. Source 0 starts at bit 26 of word 2. */
#define VP_SRC(s, bit)      (FIELD(2, 26) - 15 * (s) + (bit))
#define VP_SRC_NEG(s)       VP_SRC(s, 14)
#define VP_SRC_SWIZZLE(s)   VP_SRC(s, 6) /* 2 bits per component, w is lowest */
#define VP_SRC_TEMP(s)      VP_SRC(s, 2) /* 4 bits */
#define VP_SRC_BANK(s)      VP_SRC(s, 0) /* 2 bits */

/* x is the highest bit of a mask. */
#define VP_VECTOR_MASK      FIELD(3, 24) /* 4 bits */
#define VP_DST              FIELD(3, 20) /* 4 bits */
#define VP_SCALAR_MASK      FIELD(3, 16) /* 4 bits */
#define VP_OUTPUT_MASK      FIELD(3, 12) /* 4 bits */
#define VP_TO_OUTPUT        FIELD(3, 11)
#define VP_OUTPUT           FIELD(3, 3)  /* 8 bits */
#define VP_OUTPUT_SCALAR    FIELD(3, 2)
#define VP_INDEXED          FIELD(3, 1)
#define VP_LAST             FIELD(3, 0)

enum {
   BANK_TEMP = 1,
   BANK_ATTRIBUTE = 2,
   BANK_CONST = 3,
};

/* The source whose register field contains the texture unit of TXL. */
#define VP_UNIT_SRC      1
/*
 * Instructions without the extended encoding can read only constants below this
 * number.
 */
#define VP_LOW_CONSTANTS 192

static void
set_field(uint32_t *words, unsigned field, uint64_t value)
{
   const unsigned word = 3 - field / 32;

   value <<= field % 32;
   words[word] |= value;
   if (value >> 32)
      words[word - 1] |= value >> 32;
}

static unsigned
temp_register(unsigned temp)
{
   if (temp < LOW_TEMPS)
      return temp;
   return HIGH_TEMP + temp - LOW_TEMPS;
}

/*
 * Returns the constant register that @src reads, and marks the uniforms that
 * the driver must load for it.
 */
static unsigned
constant_register(struct nv3c_translator *t, const struct nv3c_src *src)
{
   const unsigned reg = src->file == TGSI_FILE_IMMEDIATE ?
                        t->uniforms + src->index : src->index;

   if (MAX2(reg + 1, t->uniforms) > NV3C_VS_CONSTANTS)
      nv3c_error(t, "more than %u constants", NV3C_VS_CONSTANTS);
   else if (src->indirect)
      BITSET_SET_RANGE(t->used, 0, t->uniforms - 1);
   else if (src->file == TGSI_FILE_CONSTANT)
      BITSET_SET(t->used, reg);
   return reg;
}

static void
encode_source(struct nv3c_translator *t, uint32_t *words, unsigned field,
              const struct nv3c_src *src)
{
   unsigned reg;

   switch (src->file) {
   case TGSI_FILE_TEMPORARY:
      reg = temp_register(src->index);
      set_field(words, VP_SRC_BANK(field), BANK_TEMP);
      set_field(words, VP_SRC_TEMP(field), reg & 15);
      set_field(words, VP_SRC_TEMP_HIGH(field), reg >> 4);
      break;
   case TGSI_FILE_INPUT:
      set_field(words, VP_SRC_BANK(field), BANK_ATTRIBUTE);
      set_field(words, VP_ATTRIBUTE, src->index);
      t->program->attributes |= 1u << src->index;
      break;
   case TGSI_FILE_CONSTANT:
   case TGSI_FILE_IMMEDIATE:
      reg = constant_register(t, src);
      set_field(words, VP_SRC_BANK(field), BANK_CONST);
      set_field(words, VP_CONST, reg & 0xff);
      set_field(words, VP_CONST_HIGH, reg >> 8 & 1);
      set_field(words, VP_INDEXED, src->indirect);
      set_field(words, VP_EXTENDED, reg >= VP_LOW_CONSTANTS || src->indirect);
      break;
   default:
      nv3c_error(t, "no source of file %u", src->file);
      break;
   }
   for (unsigned i = 0; i < 4; i++)
      set_field(words, VP_SRC_SWIZZLE(field) + 2 * (3 - i), src->swizzle[i]);
   set_field(words, VP_SRC_ABS(field), src->abs);
   set_field(words, VP_SRC_NEG(field), src->neg);
}

static void
encode_result(struct nv3c_translator *t, uint32_t *words,
              const struct nv3c_insn *insn)
{
   const bool scalar = nv3c_ops[insn->op].scalar;
   const unsigned mask = util_bitreverse(insn->mask) >> 28;
   const unsigned reg = temp_register(insn->index);

   if (insn->file == TGSI_FILE_OUTPUT) {
      set_field(words, VP_OUTPUT_MASK, mask);
      set_field(words, VP_TO_OUTPUT, 1);
      set_field(words, VP_OUTPUT, insn->index);
      set_field(words, VP_OUTPUT_SCALAR, scalar);
      if (insn->index == NV3C_VS_OUTPUT_SIZE)
         t->program->writes_point_size |= insn->mask & 1;
   } else if (insn->file == TGSI_FILE_TEMPORARY) {
      set_field(words, VP_DST, reg & 15);
      set_field(words, VP_DST_HIGH, reg >> 4);
      set_field(words, scalar ? VP_SCALAR_MASK : VP_VECTOR_MASK, mask);
   }
}

static void
encode(struct nv3c_translator *t, const struct nv3c_insn *insn)
{
   const struct nv3c_op_info *info = &nv3c_ops[insn->op];
   uint32_t *words = util_dynarray_grow(&t->words, uint32_t, NV3C_INSN_WORDS);

   memset(words, 0, NV3C_INSN_WORDS * sizeof(uint32_t));
   if (info->scalar) {
      set_field(words, VP_SCALAR_OP, info->vs & 7);
      set_field(words, VP_SCALAR_OP_HIGH, info->vs >> 3);
      set_field(words, VP_SCALAR_SATURATE, insn->saturate);
   } else {
      set_field(words, VP_VECTOR_OP, info->vs & 15);
      set_field(words, VP_VECTOR_OP_HIGH, info->vs >> 4);
      set_field(words, VP_VECTOR_SATURATE, insn->saturate);
   }
   for (unsigned s = 0; s < info->sources; s++)
      encode_source(t, words, info->field[s], &insn->src[s]);
   if (insn->op == TGSI_OPCODE_TXL)
      set_field(words, VP_SRC_TEMP(VP_UNIT_SRC), insn->unit);
   encode_result(t, words, insn);
   if (words[0] || info->vs > (info->scalar ? 7 : 13))
      set_field(words, VP_EXTENDED, 1);
}

/* ---- operations -------------------------------------------------------- */

/* An instruction can read only one constant register. */
static bool
constant_fits(const struct nv3c_translator *t, const struct nv3c_insn *insn,
              unsigned s)
{
   const struct nv3c_src *src = &insn->src[s];

   for (unsigned r = 0; r < s; r++) {
      const struct nv3c_src *earlier = &insn->src[r];

      if (nv3c_is_constant(earlier) &&
          (earlier->file != src->file || earlier->index != src->index ||
           earlier->indirect != src->indirect))
         return false;
   }
   return true;
}

/*
 * True if all components that @insn reads of source @s are immediates equal to
 * @value.
 */
static bool
is_immediate(const struct nv3c_translator *t, const struct nv3c_insn *insn,
             unsigned s, float value)
{
   const struct nv3c_src *src = &insn->src[s];

   if (src->file != TGSI_FILE_IMMEDIATE)
      return false;
   u_foreach_bit(i, nv3c_read_lanes(insn, s)) {
      if (nv3c_immediate_value(t, src, i) != value)
         return false;
   }
   return true;
}

/*
 * Translates a < b and a >= b. The engine orders -0 before +0, but GL treats
 * them as equal. Two cases therefore need special treatment: b is the constant
 * 0, or a is negated.
 */
static void
translate_comparison(struct nv3c_translator *t, const struct nv3c_insn *insn)
{
   const bool less = insn->op == TGSI_OPCODE_SLT;
   struct nv3c_src a = insn->src[0], b = insn->src[1];
   enum tgsi_opcode op = insn->op;

   if (is_immediate(t, insn, 1, 0)) {
      /*
       * Replace -a < 0 by a > 0, and -a >= 0 by a <= 0. Replace a < 0 by
       * a <= -FLT_MIN, and a >= 0 by a > -FLT_MIN, because the engine treats
       * smaller magnitudes as 0.
       */
      op = less == a.neg ? TGSI_OPCODE_SGT : TGSI_OPCODE_SLE;
      b = nv3c_immediate(t, a.neg ? 0 : -FLT_MIN);
      a.neg = false;
   } else if (a.neg && !nv3c_is_constant(&a)) {
      /* Compare -a + 0 instead of -a, because the sum is never -0. */
      a = nv3c_emit_temp(t, TGSI_OPCODE_ADD, insn->mask, a,
                         nv3c_immediate(t, 0));
   }
   nv3c_emit_op(t, insn, op, a, b, nv3c_none);
}

/*
 * Translates a select to condition * yes + (1 - condition) * no, where
 * condition is 0 or 1. This works for infinities and NaNs, too, because in the
 * vertex engine the product of 0 and any value is 0. In CMP, source 0 is the
 * negated condition, because nir_to_tgsi() selects by values less than 0.
 */
static void
translate_select(struct nv3c_translator *t, const struct nv3c_insn *insn)
{
   struct nv3c_src condition = insn->src[0], yes = insn->src[1], opposite, no;

   condition.neg = condition.abs = false;
   if (is_immediate(t, insn, 2, 0)) {
      nv3c_emit_op(t, insn, TGSI_OPCODE_MUL, condition, yes, nv3c_none);
      return;
   }
   opposite = nv3c_emit_temp(t, TGSI_OPCODE_SEQ, insn->mask, condition,
                             nv3c_immediate(t, 0));
   if (is_immediate(t, insn, 1, 0)) {
      nv3c_emit_op(t, insn, TGSI_OPCODE_MUL, opposite, insn->src[2],
                   nv3c_none);
      return;
   }
   no = nv3c_emit_temp(t, TGSI_OPCODE_MUL, insn->mask, opposite, insn->src[2]);
   nv3c_emit_op(t, insn, TGSI_OPCODE_MAD, condition, yes, no);
}

static bool
translate(struct nv3c_translator *t, struct nv3c_insn *insn)
{
   struct nv3c_src a = insn->src[0], b = insn->src[1];

   switch (insn->op) {
   case TGSI_OPCODE_SLT:
   case TGSI_OPCODE_SGE:
      translate_comparison(t, insn);
      return true;
   case TGSI_OPCODE_CMP:
      translate_select(t, insn);
      return true;
   case TGSI_OPCODE_DP2:
      a = nv3c_emit_temp(t, TGSI_OPCODE_MUL, 3, a, b);
      nv3c_emit_op(t, insn, TGSI_OPCODE_ADD, nv3c_splat(a, 0), nv3c_splat(a, 1),
                   nv3c_none);
      return true;
   case TGSI_OPCODE_TRUNC:
      b = a;
      b.abs = true;
      b.neg = false;
      b = nv3c_emit_temp(t, TGSI_OPCODE_FLR, insn->mask, b, nv3c_none);
      a = nv3c_emit_temp(t, TGSI_OPCODE_SSG, insn->mask, a, nv3c_none);
      nv3c_emit_op(t, insn, TGSI_OPCODE_MUL, a, b, nv3c_none);
      return true;
   default:
      if (!nv3c_ops[insn->op].vs)
         return false;
      nv3c_emit(t, insn);
      return true;
   }
}

/* ---- compilation ------------------------------------------------------- */

static void
list_uniforms(const BITSET_WORD *used, struct nv3c_program *program)
{
   struct nv3c_vs_uniforms *range = NULL;

   program->uniforms = rzalloc_array(program->mem, struct nv3c_vs_uniforms,
                                     NV3C_VS_CONSTANTS);
   for (unsigned i = 0; i < NV3C_VS_CONSTANTS; i++) {
      if (!BITSET_TEST(used, i))
         continue;
      if (!range || i > range->uniform + range->count + GAP_MAX) {
         range = &program->uniforms[program->uniform_range_count++];
         range->reg = range->uniform = i;
      }
      program->stats.constants += i + 1 - range->uniform - range->count;
      range->count = i + 1 - range->uniform;
   }
}

static void
end(struct nv3c_translator *t)
{
   struct nv3c_program *program = t->program;

   set_field(program->words + t->last, VP_LAST, 1);
   list_uniforms(t->used, program);
   program->immediates = t->immediates.data;
   program->first_immediate = t->uniforms;
   program->immediate_count =
      util_dynarray_num_elements(&t->immediates, float) / 4;
   program->stats.immediates = 4 * program->immediate_count;
   program->stats.constants += program->immediate_count;
}

const struct nv3c_stage nv3c_vs_stage = {
   .temps_max = TEMPS,
   .insns_max = NV3C_VS_INSNS,
   .units = NV3C_VS_UNITS,
   .assign_io = nv3c_nir_assign_outputs,
   .translate = translate,
   .constant_fits = constant_fits,
   .encode = encode,
   .end = end,
};
