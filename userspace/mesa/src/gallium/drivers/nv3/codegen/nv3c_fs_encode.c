/* SPDX-License-Identifier: MIT */
/* Encodes fragment programs (nv3c_fs_encoding.h). */
#include "codegen/nv3c_stage.h"

#include <stdlib.h>

#include "codegen/nv3c_fs_encoding.h"
#include "util/bitscan.h"
#include "util/macros.h"
#include "util/ralloc.h"

/*
 * Returns the register component that lane @i of @src reads. If @src is a
 * constant, adds the lane's scalar to @constant.
 */
static unsigned
component(const struct nv3c_program *p, struct nv3c_scalars *constant,
          const struct nv3c_src *src, unsigned i)
{
   if (src->file == NV3C_FILE_CONST)
      return nv3c_add_scalar(constant, src->lane[i]);
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
              unsigned s, struct nv3c_scalars *constant)
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
   /*
    * Fill unused components of the swizzle with the component of the first
    * lane.
    */
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
            uint32_t *words, struct nv3c_scalars *constant)
{
   constant->count = 0;
   words[0] = (uint32_t)nv3c_ops[insn->op].fs << NV3C_FS_OP_SHIFT |
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
 * Appends an inline constant to the program, and records which of its
 * components are uniforms.
 */
static void
add_constant(struct nv3c_fs *fs, const struct nv3c_scalars *constant)
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
      struct nv3c_scalars constant;

      last = fs->words + fs->word_count;
      encode_insn(p, insn, last, &constant);
      fs->word_count += NV3C_INSN_WORDS;
      if (constant.count)
         add_constant(fs, &constant);
      find_inputs(insn, fs);
      fs->stats.textures += nv3c_is_tex(insn->op);
   }
   *last |= NV3C_FS_END;
   fs->stats.instructions = p->insn_count;
}
