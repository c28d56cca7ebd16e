/* SPDX-License-Identifier: MIT */
/* Encodes vertex programs (nv3c_vs_encoding.h). */
#include "codegen/nv3c_stage.h"

#include <stdlib.h>
#include <string.h>

#include "codegen/nv3c_vs_encoding.h"
#include "util/bitscan.h"
#include "util/macros.h"

static unsigned
encode_swizzle(const struct nv3c_program *p, const struct nv3c_src *src)
{
   unsigned swizzle = 0;

   for (unsigned i = 0; i < 4; i++) {
      unsigned c = src->swizzle[i];

      if (src->file == NV3C_FILE_TEMP)
         c = nv3c_temp(p, src->index)->channel[c];
      swizzle |= c << 2 * (3 - i);
   }
   return swizzle;
}

static void
encode_source(const struct nv3c_program *p, uint32_t *words, unsigned field,
              const struct nv3c_src *src)
{
   unsigned bank = 0, temp = 0;

   switch (src->file) {
   case NV3C_FILE_TEMP:
      bank = NV3C_VS_BANK_TEMP;
      temp = nv3c_temp(p, src->index)->reg;
      break;
   case NV3C_FILE_INPUT:
      bank = NV3C_VS_BANK_ATTRIBUTE;
      words[1] &= ~(15u << 9);
      nv3c_vs_set_field(words, NV3C_VS_ATTRIBUTE, src->index);
      break;
   case NV3C_FILE_CONST:
      bank = NV3C_VS_BANK_CONST;
      words[1] &= ~(255u << 13);
      nv3c_vs_set_field(words, NV3C_VS_CONST, src->index);
      nv3c_vs_set_field(words, NV3C_VS_CONST_HIGH, src->index >> 8);
      if (src->address)
         nv3c_vs_set_field(words, NV3C_VS_INDEXED, 1);
      if (src->index >= NV3C_VS_LOW_CONSTANTS || src->address)
         nv3c_vs_set_field(words, NV3C_VS_EXTENDED, 1);
      break;
   default:
      unreachable("a source without a file");
   }
   nv3c_vs_set_field(words, NV3C_VS_SRC_HIGH(field), temp >> 4);
   nv3c_vs_set_field(words, NV3C_VS_ABS(field), src->abs);
   nv3c_vs_set_src_field(words, field,
                         bank << NV3C_VS_SRC_BANK |
                         (temp & 15) << NV3C_VS_SRC_TEMP |
                         encode_swizzle(p, src) << NV3C_VS_SRC_SWIZZLE |
                         (unsigned)src->neg << NV3C_VS_SRC_NEG);
}

/*
 * Encodes the mask and register of the result of @insn in the fields of the
 * scalar unit if @scalar is set, otherwise in those of the vector unit. If
 * @alone is not set, the instruction's register field belongs to another
 * result and is not changed.
 */
static void
encode_result(const struct nv3c_program *p, uint32_t *words,
              const struct nv3c_insn *insn, bool scalar, bool alone)
{
   unsigned mask = 0;

   if (insn->mask) {
      const struct nv3c_temp *temp = nv3c_temp(p, insn->temp);

      for (unsigned i = 0; i < 4; i++) {
         if (insn->mask & 1u << i)
            mask |= 1u << temp->channel[i];
      }
      if (alone) {
         nv3c_vs_set_field(words, NV3C_VS_DST, temp->reg);
         nv3c_vs_set_field(words, NV3C_VS_DST_HIGH, temp->reg >> 4);
      }
   }
   mask = nv3c_vs_reverse_mask(mask);
   if (scalar)
      nv3c_vs_set_field(words, NV3C_VS_SCALAR_MASK, mask);
   else
      nv3c_vs_set_field(words, NV3C_VS_VECTOR_MASK, mask);
   if (insn->output_mask) {
      nv3c_vs_set_field(words, NV3C_VS_OUTPUT_MASK,
                        nv3c_vs_reverse_mask(insn->output_mask));
      nv3c_vs_set_field(words, NV3C_VS_TO_OUTPUT, 1);
      nv3c_vs_set_field(words, NV3C_VS_OUTPUT, insn->output);
      nv3c_vs_set_field(words, NV3C_VS_OUTPUT_SCALAR, scalar);
   }
}

/*
 * Returns source @s with its lanes moved to the components of the destination
 * register. Lane i of the result is in component channel[i] of this register,
 * so each source must also provide lane i in component channel[i]. Other
 * components of the swizzle repeat the component of the first lane that is
 * read.
 */
static struct nv3c_src
place_lanes(const struct nv3c_program *p, const struct nv3c_insn *insn,
            unsigned s)
{
   unsigned lanes = nv3c_read_lanes(insn, s);
   bool moved = !nv3c_ops[insn->op].lanes[s] && insn->mask;
   struct nv3c_src src = insn->src[s], placed = src;

   if (lanes)
      memset(placed.swizzle, src.swizzle[ffs(lanes) - 1], 4);
   u_foreach_bit(i, lanes) {
      unsigned to = i;

      if (moved && insn->mask & 1u << i)
         to = nv3c_temp(p, insn->temp)->channel[i];
      placed.swizzle[to] = src.swizzle[i];
   }
   return placed;
}

static void
encode_operation(const struct nv3c_program *p, uint32_t *words,
                 const struct nv3c_insn *insn, bool alone)
{
   const struct nv3c_op_info *info = &nv3c_ops[insn->op];
   bool scalar = info->scalar;

   if (scalar) {
      nv3c_vs_set_field(words, NV3C_VS_SCALAR_OP, info->vs);
      nv3c_vs_set_field(words, NV3C_VS_SCALAR_HIGH, info->vs >> 3);
      nv3c_vs_set_field(words, NV3C_VS_SCALAR_SATURATE, insn->saturate);
   } else {
      nv3c_vs_set_field(words, NV3C_VS_VECTOR_OP, info->vs);
      nv3c_vs_set_field(words, NV3C_VS_VECTOR_HIGH, info->vs >> 4);
      nv3c_vs_set_field(words, NV3C_VS_VECTOR_SATURATE, insn->saturate);
   }
   if (info->vs > (scalar ? 7 : 13))
      nv3c_vs_set_field(words, NV3C_VS_EXTENDED, 1);
   for (unsigned s = 0; s < info->sources; s++) {
      struct nv3c_src src = place_lanes(p, insn, s);

      encode_source(p, words, info->field[s], &src);
   }
   if (insn->op == NV3C_TXL)
      nv3c_vs_set_src_field(words, NV3C_VS_UNIT_SRC,
                            insn->unit << NV3C_VS_SRC_TEMP);
   encode_result(p, words, insn, scalar, alone);
}

static void
encode_insn(const struct nv3c_program *p, uint32_t *words,
            const struct nv3c_insn *insn)
{
   encode_operation(p, words, insn, true);
   if (insn->paired)
      encode_operation(p, words, insn->paired, false);
   if (words[0])
      nv3c_vs_set_field(words, NV3C_VS_EXTENDED, 1);
}

static void
find_attributes(const struct nv3c_insn *insn, struct nv3c_vs *vs)
{
   for (unsigned s = 0; s < nv3c_ops[insn->op].sources; s++) {
      if (insn->src[s].file == NV3C_FILE_INPUT)
         vs->attributes |= 1u << insn->src[s].index;
   }
   if (insn->paired)
      find_attributes(insn->paired, vs);
}

void
nv3c_vs_encode(struct nv3c_program *p, struct nv3c_vs *vs)
{
   uint32_t *words;

   /* Add an instruction, because an empty program can't be encoded. */
   if (list_is_empty(&p->insns)) {
      struct nv3c_insn *insn = nv3c_emit(p, NV3C_MOV, 0, 0, nv3c_src_input(0),
                                         nv3c_no_src(), nv3c_no_src());

      insn->output = 0;
   }
   nv3c_number(p);
   if (p->insn_count > NV3C_VS_INSNS) {
      p->too_long = true;
      nv3c_error(p, "%u instructions, more than %u", p->insn_count,
                 NV3C_VS_INSNS);
      return;
   }
   vs->words = calloc(p->insn_count, NV3C_INSN_WORDS * sizeof(uint32_t));
   if (!vs->words) {
      nv3c_error(p, "no memory");
      return;
   }
   words = vs->words;
   nv3c_foreach_insn(p, insn) {
      encode_insn(p, words, insn);
      find_attributes(insn, vs);
      vs->stats.textures += insn->op == NV3C_TXL;
      words += NV3C_INSN_WORDS;
   }
   nv3c_vs_set_field(words - NV3C_INSN_WORDS, NV3C_VS_LAST, 1);
   vs->insn_count = p->insn_count;
   vs->stats.instructions = p->insn_count;
}
