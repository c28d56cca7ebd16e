/* SPDX-License-Identifier: MIT */
/* Disassembles vertex programs (nv3c_vs_encoding.h). */
#include "codegen/nv3c.h"

#include "codegen/nv3c_stage.h"
#include "codegen/nv3c_vs_encoding.h"
#include "util/macros.h"

static const char *const outputs[] = {
   "oPos", "o1",   "o2",   "oCol0", "oCol1", "oFog", "oPts",
   "oBack0", "oBack1", "oTex0", "oTex1", "oTex2", "oTex3", "oTex4",
   "oTex5", "oTex6", "oTex7", "oTex8", "oTex9",
};

static void
print_source(FILE *to, const uint32_t *words, unsigned s)
{
   unsigned src = nv3c_vs_src_field(words, s);
   unsigned swizzle = src >> NV3C_VS_SRC_SWIZZLE & 255;
   unsigned constant = nv3c_vs_field(words, NV3C_VS_CONST) |
                       nv3c_vs_field(words, NV3C_VS_CONST_HIGH) << 8;
   bool absolute = nv3c_vs_field(words, NV3C_VS_ABS(s));

   fprintf(to, "%s%s", src >> NV3C_VS_SRC_NEG & 1 ? "-" : "",
           absolute ? "|" : "");
   switch (src >> NV3C_VS_SRC_BANK & 3) {
   case NV3C_VS_BANK_TEMP:
      fprintf(to, "R%u", (src >> NV3C_VS_SRC_TEMP & 15) |
                         nv3c_vs_field(words, NV3C_VS_SRC_HIGH(s)) << 4);
      break;
   case NV3C_VS_BANK_ATTRIBUTE:
      fprintf(to, "v[%u]", nv3c_vs_field(words, NV3C_VS_ATTRIBUTE));
      break;
   case NV3C_VS_BANK_CONST:
      fprintf(to, "c[%s%u]",
              nv3c_vs_field(words, NV3C_VS_INDEXED) ? "A0 + " : "", constant);
      break;
   default:
      fputs("?", to);
      break;
   }
   nv3c_print_swizzle(to, swizzle >> 6 | (swizzle >> 2 & 0xc) |
                          (swizzle << 2 & 0x30) | (swizzle << 6 & 0xc0));
   fputs(absolute ? "|" : "", to);
}

struct result {
   unsigned temp, temp_mask, output, output_mask;
   bool saturate;
};

static void
print_operation(FILE *to, const uint32_t *words, unsigned number, bool scalar,
                const struct result *result)
{
   const char *separator = " ";
   enum nv3c_op op = 0;

   while (nv3c_ops[op].vs != number || nv3c_ops[op].scalar != scalar)
      op++;
   fprintf(to, "%s%s", nv3c_ops[op].name, result->saturate ? "_SAT" : "");
   if (op == NV3C_ARL) {
      fputs(" A0", to);
      separator = ", ";
   }
   if (result->temp_mask) {
      fprintf(to, " R%u", result->temp);
      nv3c_print_mask(to, result->temp_mask);
      separator = ", ";
   }
   if (result->output_mask) {
      fprintf(to, "%s%s", separator,
              result->output < ARRAY_SIZE(outputs) ? outputs[result->output] :
                                                     "?");
      nv3c_print_mask(to, result->output_mask);
      separator = ", ";
   }
   for (unsigned s = 0; s < nv3c_ops[op].sources; s++) {
      fputs(separator, to);
      print_source(to, words, nv3c_ops[op].field[s]);
      separator = ", ";
   }
   if (op == NV3C_TXL)
      fprintf(to, ", tex%u", nv3c_vs_src_field(words, NV3C_VS_UNIT_SRC) >>
                             NV3C_VS_SRC_TEMP & 15);
}

static void
print_insn(FILE *to, const uint32_t *words)
{
   unsigned vector = nv3c_vs_field(words, NV3C_VS_VECTOR_OP) |
                     nv3c_vs_field(words, NV3C_VS_VECTOR_HIGH) << 4;
   unsigned scalar = nv3c_vs_field(words, NV3C_VS_SCALAR_OP) |
                     nv3c_vs_field(words, NV3C_VS_SCALAR_HIGH) << 3;
   unsigned temp = nv3c_vs_field(words, NV3C_VS_DST) |
                   nv3c_vs_field(words, NV3C_VS_DST_HIGH) << 4;
   unsigned output_mask =
      nv3c_vs_reverse_mask(nv3c_vs_field(words, NV3C_VS_OUTPUT_MASK));
   bool output_scalar = nv3c_vs_field(words, NV3C_VS_OUTPUT_SCALAR);
   struct result result = {
      .output = nv3c_vs_field(words, NV3C_VS_OUTPUT),
   };

   if (vector) {
      result.temp = temp;
      result.temp_mask =
         nv3c_vs_reverse_mask(nv3c_vs_field(words, NV3C_VS_VECTOR_MASK));
      result.output_mask = output_scalar ? 0 : output_mask;
      result.saturate = nv3c_vs_field(words, NV3C_VS_VECTOR_SATURATE);
      print_operation(to, words, vector, false, &result);
   }
   if (scalar) {
      if (vector)
         fputs(" + ", to);
      result.temp = vector ? NV3C_VS_SCALAR_TEMP : temp;
      result.temp_mask =
         nv3c_vs_reverse_mask(nv3c_vs_field(words, NV3C_VS_SCALAR_MASK));
      result.output_mask = output_scalar ? output_mask : 0;
      result.saturate = nv3c_vs_field(words, NV3C_VS_SCALAR_SATURATE);
      print_operation(to, words, scalar, true, &result);
   }
}

void
nv3c_print_vs(FILE *to, const struct nv3c_vs *vs)
{
   fprintf(to, "vertex program: %u instructions, %u registers\n",
           vs->stats.instructions, vs->stats.registers);
   for (unsigned i = 0; i < vs->uniform_range_count; i++) {
      const struct nv3c_vs_uniforms *range = &vs->uniforms[i];

      fprintf(to, "  c[%u] to c[%u] = uniforms %u on\n", range->reg,
              range->reg + range->count - 1, range->uniform);
   }
   for (unsigned i = 0; i < vs->immediate_count; i++) {
      const struct nv3c_vs_immediate *imm = &vs->immediates[i];

      fprintf(to, "  c[%u] = %g, %g, %g, %g\n", imm->reg, imm->value[0],
              imm->value[1], imm->value[2], imm->value[3]);
   }
   for (unsigned i = 0; i < vs->insn_count; i++) {
      fprintf(to, "  %3u: ", i);
      print_insn(to, vs->words + i * NV3C_INSN_WORDS);
      fputc('\n', to);
   }
}
