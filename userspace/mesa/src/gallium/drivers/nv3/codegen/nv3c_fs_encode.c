/* SPDX-License-Identifier: MIT */
/* Encodes fragment programs (nv3c_fs_encoding.h). */
#include "codegen/nv3c_stage.h"

#include <stdlib.h>

#include "codegen/nv3c_fs_encoding.h"
#include "util/bitscan.h"
#include "util/macros.h"
#include "util/ralloc.h"

static const uint8_t opcodes[NV3C_OPS] = {
   [NV3C_MOV] = 0x01,
   [NV3C_MUL] = 0x02,
   [NV3C_ADD] = 0x03,
   [NV3C_MAD] = 0x04,
   [NV3C_DP3] = 0x05,
   [NV3C_DP4] = 0x06,
   [NV3C_MIN] = 0x08,
   [NV3C_MAX] = 0x09,
   [NV3C_SLT] = 0x0a,
   [NV3C_SGE] = 0x0b,
   [NV3C_SLE] = 0x0c,
   [NV3C_SGT] = 0x0d,
   [NV3C_SNE] = 0x0e,
   [NV3C_SEQ] = 0x0f,
   [NV3C_FRC] = 0x10,
   [NV3C_FLR] = 0x11,
   [NV3C_KIL] = 0x12,
   [NV3C_DDX] = 0x15,
   [NV3C_DDY] = 0x16,
   [NV3C_TEX] = 0x17,
   [NV3C_TXP] = 0x18,
   [NV3C_TXD] = 0x19,
   [NV3C_RCP] = 0x1a,
   [NV3C_RSQ] = 0x1b,
   [NV3C_EX2] = 0x1c,
   [NV3C_LG2] = 0x1d,
   [NV3C_LRP] = 0x1f,
   [NV3C_COS] = 0x22,
   [NV3C_SIN] = 0x23,
   [NV3C_POW] = 0x26,
   [NV3C_TXL] = 0x2f,
   [NV3C_TXB] = 0x31,
   [NV3C_DP2] = 0x38,
   [NV3C_DIV] = 0x3a,
};

/* The inline constant of an instruction. */
struct inline_const {
   struct nv3c_scalar scalar[4];
   unsigned count;
};

static unsigned
const_component(struct inline_const *constant, struct nv3c_scalar scalar)
{
   for (unsigned i = 0; i < constant->count; i++) {
      if (nv3c_same_scalar(constant->scalar[i], scalar))
         return i;
   }
   assert(constant->count < 4);
   constant->scalar[constant->count] = scalar;
   return constant->count++;
}

/*
 * Returns the component that lane @i of @src reads. Adds a constant's scalar
 * to the inline constant.
 */
static unsigned
component(const struct nv3c_program *p, struct inline_const *constant,
          const struct nv3c_src *src, unsigned i)
{
   if (src->file == NV3C_FILE_CONST)
      return const_component(constant, src->lane[i]);
   if (src->file == NV3C_FILE_TEMP)
      return nv3c_temp(p, src->index)->channel[src->swizzle[i]];
   return src->swizzle[i];
}

/*
 * Returns the component of the destination that receives lane @i of the
 * result.
 */
static unsigned
place(const struct nv3c_program *p, const struct nv3c_insn *insn, unsigned i)
{
   if (insn->set_condition || !(insn->mask & 1u << i))
      return i;
   return nv3c_temp(p, insn->temp)->channel[i];
}

static uint32_t
encode_source(const struct nv3c_program *p, const struct nv3c_insn *insn,
              unsigned s, struct inline_const *constant)
{
   const struct nv3c_src *src = &insn->src[s];
   unsigned lanes = nv3c_read_lanes(insn, s);
   bool lanewise = !nv3c_ops[insn->op].lanes[s];
   uint8_t swizzle[4] = { 0 };
   uint32_t word = 0;

   switch (src->file) {
   case NV3C_FILE_TEMP:
      word = NV3C_FS_BANK_TEMP |
             nv3c_temp(p, src->index)->reg << NV3C_FS_SRC_REG_SHIFT;
      break;
   case NV3C_FILE_INPUT:
      word = NV3C_FS_BANK_INPUT;
      break;
   case NV3C_FILE_CONST:
      word = NV3C_FS_BANK_CONST;
      break;
   default:
      unreachable("a source without a file");
   }
   /* Lanes that are not read repeat the first lane that is read. */
   u_foreach_bit(i, lanes) {
      unsigned to = lanewise ? place(p, insn, i) : i;
      unsigned from = component(p, constant, src, i);

      for (unsigned k = 0; i == ffs(lanes) - 1 && k < 4; k++)
         swizzle[k] = from;
      swizzle[to] = from;
   }
   for (unsigned i = 0; i < 4; i++)
      word |= swizzle[i] << (NV3C_FS_SRC_SWIZZLE_SHIFT + 2 * i);
   word |= src->neg ? NV3C_FS_SRC_NEG : 0;
   word |= src->abs ? NV3C_FS_SRC_ABS(s) : 0;
   return word;
}

static uint32_t
encode_result(const struct nv3c_program *p, const struct nv3c_insn *insn)
{
   uint32_t word = 0;

   u_foreach_bit(i, insn->mask)
      word |= 1u << (NV3C_FS_MASK_SHIFT + place(p, insn, i));
   if (insn->set_condition)
      word |= NV3C_FS_SET_CONDITION | NV3C_FS_NO_RESULT |
              0x3fu << NV3C_FS_DST_SHIFT;
   else if (insn->mask)
      word |= nv3c_temp(p, insn->temp)->reg << NV3C_FS_DST_SHIFT;
   else
      word |= NV3C_FS_NO_RESULT | 0x3fu << NV3C_FS_DST_SHIFT;
   return word;
}

static uint32_t
encode_test(const struct nv3c_program *p, const struct nv3c_insn *insn)
{
   uint32_t word = insn->test << NV3C_FS_TEST_SHIFT;
   uint8_t swizzle[4];

   for (unsigned i = 0; i < 4; i++)
      swizzle[i] = insn->test_swizzle[i];
   u_foreach_bit(i, insn->mask)
      swizzle[place(p, insn, i)] = insn->test_swizzle[i];
   for (unsigned i = 0; i < 4; i++)
      word |= swizzle[i] << (NV3C_FS_TEST_SWIZZLE_SHIFT + 2 * i);
   return word;
}

static void
encode_insn(const struct nv3c_program *p, const struct nv3c_insn *insn,
            uint32_t *words, struct inline_const *constant)
{
   constant->count = 0;
   words[0] = (uint32_t)opcodes[insn->op] << NV3C_FS_OP_SHIFT |
              insn->unit << NV3C_FS_UNIT_SHIFT | encode_result(p, insn);
   if (insn->saturate)
      words[0] |= NV3C_FS_SATURATE;
   for (unsigned s = 0; s < 3; s++) {
      words[1 + s] = NV3C_FS_NO_SRC;
      if (insn->src[s].file == NV3C_FILE_NONE)
         continue;
      words[1 + s] = encode_source(p, insn, s, constant);
      if (insn->src[s].file == NV3C_FILE_INPUT)
         words[0] = (words[0] & ~(15u << NV3C_FS_INPUT_SHIFT)) |
                    insn->src[s].index << NV3C_FS_INPUT_SHIFT;
   }
   words[1] |= encode_test(p, insn);
}

/*
 * Appends an inline constant to the program, and records the uniforms that it
 * contains.
 */
static void
add_constant(struct nv3c_fs *fs, const struct inline_const *constant)
{
   struct nv3c_fs_constant patch = {
      .word = fs->word_count,
      .source = { -1, -1, -1, -1 },
   };
   bool uniform = false;

   for (unsigned i = 0; i < 4; i++) {
      uint32_t *word = &fs->words[fs->word_count++];

      *word = 0;
      if (i >= constant->count)
         continue;
      if (constant->scalar[i].uniform) {
         patch.source[i] = constant->scalar[i].value;
         uniform = true;
      } else {
         *word = constant->scalar[i].value;
         fs->stats.immediates++;
      }
   }
   fs->stats.constants++;
   if (uniform)
      fs->constants[fs->constant_count++] = patch;
}

static bool
allocate(struct nv3c_program *p, struct nv3c_fs *fs)
{
   if (p->insn_count > NV3C_FS_INSNS) {
      p->too_long = true;
      nv3c_error(p, "%u instructions, more than %u", p->insn_count,
                 NV3C_FS_INSNS);
      return false;
   }
   fs->words = calloc(p->insn_count, 2 * NV3C_INSN_WORDS * sizeof(uint32_t));
   fs->constants = calloc(p->insn_count, sizeof(*fs->constants));
   if (!fs->words || !fs->constants) {
      nv3c_error(p, "no memory");
      return false;
   }
   return true;
}

static void
find_inputs(const struct nv3c_insn *insn, struct nv3c_fs *fs)
{
   for (unsigned s = 0; s < nv3c_ops[insn->op].sources; s++) {
      if (insn->src[s].file == NV3C_FILE_INPUT)
         fs->inputs |= 1u << insn->src[s].index;
   }
}

void
nv3c_fs_encode(struct nv3c_program *p, struct nv3c_fs *fs)
{
   uint32_t *last = NULL;

   /* Add an instruction, because an empty program can't be encoded. */
   if (list_is_empty(&p->insns))
      nv3c_emit(p, NV3C_MOV, 0, 0, nv3c_src_input(NV3C_FS_POSITION),
                nv3c_no_src(), nv3c_no_src());
   nv3c_number(p);
   if (!allocate(p, fs))
      return;
   nv3c_foreach_insn(p, insn) {
      struct inline_const constant;

      last = fs->words + fs->word_count;
      encode_insn(p, insn, last, &constant);
      fs->word_count += NV3C_INSN_WORDS;
      if (constant.count)
         add_constant(fs, &constant);
      find_inputs(insn, fs);
      fs->stats.textures += insn->op >= NV3C_TEX && insn->op <= NV3C_TXD;
   }
   *last |= NV3C_FS_END;
   fs->stats.instructions = p->insn_count;
}
