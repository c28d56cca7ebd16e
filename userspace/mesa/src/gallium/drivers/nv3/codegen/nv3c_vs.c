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
#include "tgsi/tgsi_dump.h"
#include "tgsi/tgsi_parse.h"
#include "util/bitset.h"
#include "util/macros.h"
#include "util/ralloc.h"

/*
 * The maximum number of unused uniforms between two used uniforms of a range.
 * Loading so few unused uniforms costs less than beginning another range.
 */
#define GAP_MAX 2

struct vs_data {
   const struct nv3c_vs_key *key;
   struct nv3c_vs *vs;
   BITSET_DECLARE(used, NV3C_VS_CONSTANTS); /* uniforms to load */
};

/* ---- encoding ---------------------------------------------------------- */

static unsigned
temp_register(unsigned temp)
{
   return temp < NV3C_VS_LOW_TEMPS ? temp :
                                     NV3C_VS_HIGH_TEMP + temp - NV3C_VS_LOW_TEMPS;
}

/*
 * Returns the constant register that @src reads, and marks the uniforms that
 * the driver must load for it.
 */
static unsigned
constant_register(struct nv3c_translator *t, const struct nv3c_src *src)
{
   struct vs_data *data = t->data;
   const unsigned reg = src->file == TGSI_FILE_IMMEDIATE ?
                        t->uniforms + src->index : src->index;

   if (MAX2(reg + 1, t->uniforms) > NV3C_VS_CONSTANTS)
      nv3c_error(t, "more than %u constants", NV3C_VS_CONSTANTS);
   else if (src->indirect)
      BITSET_SET_RANGE(data->used, 0, t->uniforms - 1);
   else if (src->file == TGSI_FILE_CONSTANT)
      BITSET_SET(data->used, reg);
   return reg;
}

static void
encode_source(struct nv3c_translator *t, uint32_t *words, unsigned field,
              const struct nv3c_src *src)
{
   struct vs_data *data = t->data;
   unsigned bank = 0, temp = 0, swizzle = 0, constant;

   switch (src->file) {
   case TGSI_FILE_TEMPORARY:
      bank = NV3C_VS_BANK_TEMP;
      temp = temp_register(src->index);
      break;
   case TGSI_FILE_INPUT:
      bank = NV3C_VS_BANK_ATTRIBUTE;
      nv3c_vs_set_field(words, NV3C_VS_ATTRIBUTE, src->index);
      data->vs->attributes |= 1u << src->index;
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
encode_output(struct nv3c_vs *vs, uint32_t *words, const struct nv3c_insn *insn)
{
   nv3c_vs_set_field(words, NV3C_VS_OUTPUT_MASK,
                     nv3c_vs_reverse_mask(insn->mask));
   nv3c_vs_set_field(words, NV3C_VS_TO_OUTPUT, 1);
   nv3c_vs_set_field(words, NV3C_VS_OUTPUT, insn->index);
   nv3c_vs_set_field(words, NV3C_VS_OUTPUT_SCALAR, nv3c_op(insn->op)->scalar);
   vs->outputs |= 1u << insn->index;
   if (insn->index == NV3C_VS_OUTPUT_SIZE)
      vs->writes_point_size |= insn->mask & 1;
   if (insn->index == NV3C_VS_OUTPUT_FOG)
      vs->clip_distances |= insn->mask >> 1;
   if (insn->index == NV3C_VS_OUTPUT_SIZE)
      vs->clip_distances |= insn->mask >> 1 << 3;
}

static void
encode_result(struct nv3c_vs *vs, uint32_t *words, const struct nv3c_insn *insn)
{
   const unsigned mask = nv3c_vs_reverse_mask(insn->mask);
   const unsigned reg = temp_register(insn->index);

   if (insn->file == TGSI_FILE_OUTPUT)
      encode_output(vs, words, insn);
   if (insn->file != TGSI_FILE_TEMPORARY)
      return;
   nv3c_vs_set_field(words, NV3C_VS_DST, reg);
   nv3c_vs_set_field(words, NV3C_VS_DST_HIGH, reg >> 4);
   if (nv3c_op(insn->op)->scalar)
      nv3c_vs_set_field(words, NV3C_VS_SCALAR_MASK, mask);
   else
      nv3c_vs_set_field(words, NV3C_VS_VECTOR_MASK, mask);
}

static void
encode(struct nv3c_translator *t, const struct nv3c_insn *insn)
{
   const struct nv3c_op_info *info = nv3c_op(insn->op);
   uint32_t *words = util_dynarray_grow(&t->words, uint32_t, NV3C_INSN_WORDS);
   struct vs_data *data = t->data;

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
   encode_result(data->vs, words, insn);
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

/* ---- constants --------------------------------------------------------- */

static void
list_uniforms(const BITSET_WORD *used, struct nv3c_vs *vs)
{
   struct nv3c_vs_uniforms *range = NULL;

   vs->uniforms = rzalloc_array(vs->mem, struct nv3c_vs_uniforms,
                                NV3C_VS_CONSTANTS);
   for (unsigned i = 0; i < NV3C_VS_CONSTANTS; i++) {
      if (!BITSET_TEST(used, i))
         continue;
      if (!range || i > range->uniform + range->count + GAP_MAX) {
         range = &vs->uniforms[vs->uniform_range_count++];
         range->reg = range->uniform = i;
      }
      range->count = i + 1 - range->uniform;
   }
   for (unsigned i = 0; i < vs->uniform_range_count; i++)
      vs->stats.constants += vs->uniforms[i].count;
}

static void
list_immediates(const struct nv3c_translator *t, struct nv3c_vs *vs)
{
   const float *values = t->immediates.data;

   vs->immediate_count =
      util_dynarray_num_elements(&t->immediates, float) / 4;
   vs->immediates = rzalloc_array(vs->mem, struct nv3c_vs_immediate,
                                  vs->immediate_count);
   for (unsigned i = 0; i < vs->immediate_count; i++) {
      vs->immediates[i].reg = t->uniforms + i;
      memcpy(vs->immediates[i].value, values + 4 * i, 4 * sizeof(float));
   }
   vs->stats.immediates = 4 * vs->immediate_count;
   vs->stats.constants += vs->immediate_count;
}

/* ---- compilation ------------------------------------------------------- */

static const char *
prepare(nir_shader *nir, void *p_data)
{
   struct vs_data *data = p_data;

   *data->vs = (struct nv3c_vs){ .mem = data->vs->mem };
   memset(data->used, 0, sizeof(data->used));
   NIR_PASS(_, nir, nv3c_nir_assign_outputs, data->key);
   return nv3c_find_textures(nir, NV3C_VS_UNITS, &data->vs->textures);
}

static void
run(struct nv3c_translator *t)
{
   struct vs_data *data = t->data;
   struct nv3c_vs *vs = data->vs;

   t->stats = &vs->stats;
   t->temps_max = NV3C_VS_TEMPS;
   t->insns_max = NV3C_VS_INSNS;
   t->translate = translate;
   t->encode = encode;
   nv3c_translate(t);
   if (t->error)
      return;
   vs->tokens = t->tokens;
   vs->insn_count = t->insn_count;
   vs->words = t->words.data;
   nv3c_vs_set_field(vs->words + NV3C_INSN_WORDS * (vs->insn_count - 1),
                     NV3C_VS_LAST, 1);
   list_uniforms(data->used, vs);
   list_immediates(t, vs);
}

bool
nv3c_compile_vs(nir_shader *nir, const struct nv3c_vs_key *key,
                struct nv3c_vs *vs)
{
   struct vs_data data = { .key = key, .vs = vs };
   bool bounded = false;
   char *error;

   *vs = (struct nv3c_vs){ .mem = ralloc_context(NULL) };
   error = nv3c_compile(nir, vs->mem, prepare, run, &data, &bounded);
   vs->bounded_loops = bounded;
   vs->error = error;
   return !error;
}

void
nv3c_vs_finish(struct nv3c_vs *vs)
{
   tgsi_free_tokens(vs->tokens);
   ralloc_free(vs->mem);
   memset(vs, 0, sizeof(*vs));
}

void
nv3c_print_vs(FILE *to, const struct nv3c_vs *vs)
{
   fprintf(to, "vertex program: %u instructions, %u registers\n",
           vs->stats.instructions, vs->stats.registers);
   if (vs->tokens)
      tgsi_dump_to_file(vs->tokens, 0, to);
}
