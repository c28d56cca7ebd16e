/* SPDX-License-Identifier: MIT */
/* Disassembles fragment programs (nv3c_fs_encoding.h). */
#include "codegen/nv3c.h"

#include "codegen/nv3c_fs_encoding.h"
#include "codegen/nv3c_stage.h"
#include "util/macros.h"
#include "util/u_math.h"

static const char *const inputs[16] = {
   "position", "color0", "color1", "fog",  "tex0", "tex1", "tex2", "tex3",
   "tex4",     "tex5",   "tex6",   "tex7", "tex8", "tex9", "face", "?",
};

static const char *const tests[8] = {
   "FL", "LT", "EQ", "LE", "GT", "NE", "GE", "TR",
};

static const char *const targets[] = {
   [GLSL_SAMPLER_DIM_1D] = "1D",     [GLSL_SAMPLER_DIM_2D] = "2D",
   [GLSL_SAMPLER_DIM_3D] = "3D",     [GLSL_SAMPLER_DIM_CUBE] = "CUBE",
   [GLSL_SAMPLER_DIM_RECT] = "RECT", [GLSL_SAMPLER_DIM_EXTERNAL] = "EXTERNAL",
};

/* Prints the constant that follows the instruction at word @at. */
static void
print_constant(FILE *to, const struct nv3c_fs *fs, unsigned at)
{
   const struct nv3c_fs_constant *patch = NULL;

   for (unsigned i = 0; i < fs->constant_count; i++) {
      if (fs->constants[i].word == at + NV3C_INSN_WORDS)
         patch = &fs->constants[i];
   }
   fputc('{', to);
   for (unsigned i = 0; i < 4; i++) {
      if (patch && patch->source[i] >= 0)
         fprintf(to, "u[%d].%c", patch->source[i] / 4,
                 "xyzw"[patch->source[i] % 4]);
      else
         fprintf(to, "%g", uif(fs->words[at + NV3C_INSN_WORDS + i]));
      fputs(i < 3 ? " " : "}", to);
   }
}

static void
print_source(FILE *to, const struct nv3c_fs *fs, unsigned at, unsigned s)
{
   uint32_t word = fs->words[at + 1 + s];
   bool absolute = word & NV3C_FS_SRC_ABS(s);

   fprintf(to, "%s%s", word & NV3C_FS_SRC_NEG ? "-" : "", absolute ? "|" : "");
   switch (word & 3) {
   case NV3C_FS_BANK_TEMP:
      fprintf(to, "R%u", word >> NV3C_FS_SRC_REG_SHIFT & 63);
      break;
   case NV3C_FS_BANK_INPUT:
      fputs(inputs[fs->words[at] >> NV3C_FS_INPUT_SHIFT & 15], to);
      break;
   case NV3C_FS_BANK_CONST:
      print_constant(to, fs, at);
      break;
   default:
      fputs("?", to);
      break;
   }
   nv3c_print_swizzle(to, word >> NV3C_FS_SRC_SWIZZLE_SHIFT & 255);
   fputs(absolute ? "|" : "", to);
}

static void
print_test(FILE *to, uint32_t word)
{
   unsigned test = word >> NV3C_FS_TEST_SHIFT & 7;

   if (test == 7)
      return;
   fprintf(to, " (%s", tests[test]);
   nv3c_print_swizzle(to, word >> NV3C_FS_TEST_SWIZZLE_SHIFT & 255);
   fputc(')', to);
}

static void
print_result(FILE *to, uint32_t word)
{
   if (word & NV3C_FS_NO_RESULT)
      fputs(word & NV3C_FS_SET_CONDITION ? " CC" : " -", to);
   else
      fprintf(to, " R%u", word >> NV3C_FS_DST_SHIFT & 63);
   nv3c_print_mask(to, word >> NV3C_FS_MASK_SHIFT & 15);
}

static void
print_insn(FILE *to, const struct nv3c_fs *fs, unsigned at)
{
   const uint32_t *words = fs->words + at;
   enum nv3c_op op = 0;

   while (nv3c_ops[op].fs != (words[0] >> NV3C_FS_OP_SHIFT & 63))
      op++;
   fprintf(to, "%s%s", nv3c_ops[op].name,
           words[0] & NV3C_FS_SATURATE ? "_SAT" : "");
   if (op != NV3C_KIL)
      print_result(to, words[0]);
   print_test(to, words[1]);
   /* KIL has no encoded source. */
   for (unsigned s = 0; op != NV3C_KIL && s < nv3c_ops[op].sources; s++) {
      fputs(", ", to);
      print_source(to, fs, at, s);
   }
   if (nv3c_is_tex(op)) {
      unsigned unit = words[0] >> NV3C_FS_UNIT_SHIFT & 15;

      fprintf(to, ", unit %u, %s%s", unit, fs->shadow >> unit & 1 ? "SHADOW" : "",
              targets[fs->targets[unit]]);
   }
}

void
nv3c_print_fs(FILE *to, const struct nv3c_fs *fs)
{
   unsigned at = 0;

   fprintf(to, "fragment program: %u instructions, %u registers%s%s\n",
           fs->stats.instructions, fs->stats.registers,
           fs->kills ? ", kills" : "", fs->writes_depth ? ", depth" : "");
   for (unsigned i = 0; i < NV3C_TEXCOORDS; i++) {
      if (fs->texcoord[i] != NV3C_NO_SLOT)
         fprintf(to, "  tex%u = %s\n", i,
                 gl_varying_slot_name_for_stage(fs->texcoord[i],
                                                MESA_SHADER_FRAGMENT));
   }
   for (unsigned i = 0; at < fs->word_count; i++) {
      bool constant = false;

      fprintf(to, "  %3u: ", i);
      print_insn(to, fs, at);
      fputc('\n', to);
      for (unsigned s = 1; s < NV3C_INSN_WORDS; s++)
         constant |= (fs->words[at + s] & 3) == NV3C_FS_BANK_CONST;
      at += constant ? 2 * NV3C_INSN_WORDS : NV3C_INSN_WORDS;
   }
}
