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
#include "codegen/nv3c_vs_encoding.h"
#include "util/macros.h"
#include "util/ralloc.h"

/*
 * The maximum number of unused uniforms between two used uniforms of a range.
 * Loading so few unused uniforms costs less than beginning another range.
 */
#define GAP_MAX 2

/* ---- encoding ---------------------------------------------------------- */

static unsigned
temp_register(unsigned temp)
{
   if (temp < NV3C_VS_LOW_TEMPS)
      return temp;
   return NV3C_VS_HIGH_TEMP + temp - NV3C_VS_LOW_TEMPS;
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
   unsigned bank = 0, temp = 0, swizzle = 0, constant;

   switch (src->file) {
   case TGSI_FILE_TEMPORARY:
      bank = NV3C_VS_BANK_TEMP;
      temp = temp_register(src->index);
      break;
   case TGSI_FILE_INPUT:
      bank = NV3C_VS_BANK_ATTRIBUTE;
      nv3c_vs_set_field(words, NV3C_VS_ATTRIBUTE, src->index);
      t->program->attributes |= 1u << src->index;
      break;
   case TGSI_FILE_CONSTANT:
   case TGSI_FILE_IMMEDIATE:
      bank = NV3C_VS_BANK_CONST;
      constant = constant_register(t, src);
      nv3c_vs_set_field(words, NV3C_VS_CONST, constant);
      nv3c_vs_set_field(words, NV3C_VS_CONST_HIGH, constant >> 8);
      nv3c_vs_set_field(words, NV3C_VS_INDEXED, src->indirect);
      if (constant >= NV3C_VS_LOW_CONSTANTS || src->indirect)
         nv3c_vs_set_field(words, NV3C_VS_EXTENDED, 1);
      break;
   default:
      nv3c_error(t, "no source of file %u", src->file);
      break;
   }
   for (unsigned i = 0; i < 4; i++)
      swizzle |= src->swizzle[i] << 2 * (3 - i);
   nv3c_vs_set_field(words, NV3C_VS_SRC_HIGH(field), temp >> 4);
   nv3c_vs_set_field(words, NV3C_VS_ABS(field), src->abs);
   nv3c_vs_set_src_field(words, field,
                         bank << NV3C_VS_SRC_BANK |
                         (temp & 15) << NV3C_VS_SRC_TEMP |
                         swizzle << NV3C_VS_SRC_SWIZZLE |
                         (unsigned)src->neg << NV3C_VS_SRC_NEG);
}

static void
encode_result(struct nv3c_translator *t, uint32_t *words,
              const struct nv3c_insn *insn)
{
   const bool scalar = nv3c_op(insn->op)->scalar;
   const unsigned mask = nv3c_vs_reverse_mask(insn->mask);
   const unsigned reg = temp_register(insn->index);

   if (insn->file == TGSI_FILE_OUTPUT) {
      nv3c_vs_set_field(words, NV3C_VS_OUTPUT_MASK, mask);
      nv3c_vs_set_field(words, NV3C_VS_TO_OUTPUT, 1);
      nv3c_vs_set_field(words, NV3C_VS_OUTPUT, insn->index);
      nv3c_vs_set_field(words, NV3C_VS_OUTPUT_SCALAR, scalar);
      if (insn->index == NV3C_VS_OUTPUT_SIZE)
         t->program->writes_point_size |= insn->mask & 1;
   } else if (insn->file == TGSI_FILE_TEMPORARY) {
      nv3c_vs_set_field(words, NV3C_VS_DST, reg);
      nv3c_vs_set_field(words, NV3C_VS_DST_HIGH, reg >> 4);
      nv3c_vs_set_field(words, NV3C_VS_SCALAR_MASK, scalar ? mask : 0);
      nv3c_vs_set_field(words, NV3C_VS_VECTOR_MASK, scalar ? 0 : mask);
   }
}

static void
encode(struct nv3c_translator *t, const struct nv3c_insn *insn)
{
   const struct nv3c_op_info *info = nv3c_op(insn->op);
   uint32_t *words = util_dynarray_grow(&t->words, uint32_t, NV3C_INSN_WORDS);

   memset(words, 0, NV3C_INSN_WORDS * sizeof(uint32_t));
   if (info->scalar) {
      nv3c_vs_set_field(words, NV3C_VS_SCALAR_OP, info->vs);
      nv3c_vs_set_field(words, NV3C_VS_SCALAR_HIGH, info->vs >> 3);
      nv3c_vs_set_field(words, NV3C_VS_SCALAR_SATURATE, insn->saturate);
   } else {
      nv3c_vs_set_field(words, NV3C_VS_VECTOR_OP, info->vs);
      nv3c_vs_set_field(words, NV3C_VS_VECTOR_HIGH, info->vs >> 4);
      nv3c_vs_set_field(words, NV3C_VS_VECTOR_SATURATE, insn->saturate);
   }
   for (unsigned s = 0; s < info->sources; s++)
      encode_source(t, words, info->field[s], &insn->src[s]);
   if (insn->op == TGSI_OPCODE_TXL)
      nv3c_vs_set_src_field(words, NV3C_VS_UNIT_SRC,
                            insn->unit << NV3C_VS_SRC_TEMP);
   encode_result(t, words, insn);
   if (words[0] || info->vs > (info->scalar ? 7 : 13))
      nv3c_vs_set_field(words, NV3C_VS_EXTENDED, 1);
}

/* ---- operations -------------------------------------------------------- */

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

   if (nv3c_is_immediate(t, insn, 1, 0)) {
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
   nv3c_emit_op(t, insn, op, a, b, nv3c_no_src());
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
   if (nv3c_is_immediate(t, insn, 2, 0)) {
      nv3c_emit_op(t, insn, TGSI_OPCODE_MUL, condition, yes, nv3c_no_src());
      return;
   }
   opposite = nv3c_emit_temp(t, TGSI_OPCODE_SEQ, insn->mask, condition,
                             nv3c_immediate(t, 0));
   if (nv3c_is_immediate(t, insn, 1, 0)) {
      nv3c_emit_op(t, insn, TGSI_OPCODE_MUL, opposite, insn->src[2],
                   nv3c_no_src());
      return;
   }
   no = nv3c_emit_temp(t, TGSI_OPCODE_MUL, insn->mask, opposite, insn->src[2]);
   nv3c_emit_op(t, insn, TGSI_OPCODE_MAD, condition, yes, no);
}

static bool
translate(struct nv3c_translator *t, struct nv3c_insn *insn)
{
   const struct nv3c_src none = nv3c_no_src();
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
                   none);
      return true;
   case TGSI_OPCODE_TRUNC:
      b = a;
      b.abs = true;
      b.neg = false;
      b = nv3c_emit_temp(t, TGSI_OPCODE_FLR, insn->mask, b, none);
      a = nv3c_emit_temp(t, TGSI_OPCODE_SSG, insn->mask, a, none);
      nv3c_emit_op(t, insn, TGSI_OPCODE_MUL, a, b, none);
      return true;
   default:
      if (!nv3c_op(insn->op)->vs)
         return false;
      nv3c_emit(t, insn);
      return true;
   }
}

/* ---- compilation ------------------------------------------------------- */

static const char *
assign_io(nir_shader *nir, const uint8_t *texcoord,
          struct nv3c_program *program)
{
   NIR_PASS(_, nir, nv3c_nir_assign_outputs, texcoord);
   return NULL;
}

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
list_immediates(const struct nv3c_translator *t, struct nv3c_program *program)
{
   const float *values = t->immediates.data;

   program->immediate_count =
      util_dynarray_num_elements(&t->immediates, float) / 4;
   program->immediates = rzalloc_array(program->mem, struct nv3c_vs_immediate,
                                       program->immediate_count);
   for (unsigned i = 0; i < program->immediate_count; i++) {
      program->immediates[i].reg = t->uniforms + i;
      memcpy(program->immediates[i].value, values + 4 * i, 4 * sizeof(float));
   }
   program->stats.immediates = 4 * program->immediate_count;
   program->stats.constants += program->immediate_count;
}

static void
end(struct nv3c_translator *t)
{
   nv3c_vs_set_field(t->program->words + t->last, NV3C_VS_LAST, 1);
   list_uniforms(t->used, t->program);
   list_immediates(t, t->program);
}

const struct nv3c_stage nv3c_vs_stage = {
   .temps_max = NV3C_VS_TEMPS,
   .insns_max = NV3C_VS_INSNS,
   .units = NV3C_VS_UNITS,
   .assign_io = assign_io,
   .translate = translate,
   .encode = encode,
   .end = end,
};
