/* SPDX-License-Identifier: MIT */
/* Implements the translation from TGSI that is common to both stages. */
#include "codegen/nv3c_tgsi.h"

#include <stdarg.h>
#include <string.h>

#include "codegen/nv3c_nir.h"
#include "nir/nir_to_tgsi.h"
#include "pipe/p_screen.h"
#include "tgsi/tgsi_dump.h"
#include "tgsi/tgsi_info.h"
#include "tgsi/tgsi_parse.h"
#include "tgsi/tgsi_scan.h"
#include "util/bitscan.h"
#include "util/ralloc.h"
#include "util/u_math.h"

/*
 * The minimum budget, in instructions, for loops whose number of iterations is
 * not known.
 */
#define BUDGET_MIN 16

/*
 * The opcodes are NVFX_FP_OP_OPCODE_*, NVFX_VP_INST_VEC_OP_* and
 * NVFX_VP_INST_SCA_OP_* of nouveau/nv30/nvfx_shader.h. The columns are the
 * members of struct nv3c_op_info.
 */
const struct nv3c_op_info nv3c_ops[TGSI_OPCODE_LAST] = {
   [TGSI_OPCODE_MOV] = { 1, { 0 }, 0x01, 1, { 0 } },
   [TGSI_OPCODE_MUL] = { 2, { 0 }, 0x02, 2, { 0, 1 } },
   [TGSI_OPCODE_ADD] = { 2, { 0 }, 0x03, 3, { 0, 2 } },
   [TGSI_OPCODE_MAD] = { 3, { 0 }, 0x04, 4, { 0, 1, 2 } },
   [TGSI_OPCODE_DP2] = { 2, { 3, 3 }, 0x38, 0 },
   [TGSI_OPCODE_DP3] = { 2, { 7, 7 }, 0x05, 5, { 0, 1 } },
   [TGSI_OPCODE_DP4] = { 2, { 15, 15 }, 0x06, 7, { 0, 1 } },
   [TGSI_OPCODE_MIN] = { 2, { 0 }, 0x08, 9, { 0, 1 } },
   [TGSI_OPCODE_MAX] = { 2, { 0 }, 0x09, 10, { 0, 1 } },
   [TGSI_OPCODE_SLT] = { 2, { 0 }, 0x0a, 11, { 0, 1 } },
   [TGSI_OPCODE_SGE] = { 2, { 0 }, 0x0b, 12, { 0, 1 } },
   [TGSI_OPCODE_SGT] = { 2, { 0 }, 0x0d, 18, { 0, 1 } },
   [TGSI_OPCODE_SLE] = { 2, { 0 }, 0x0c, 19, { 0, 1 } },
   [TGSI_OPCODE_SEQ] = { 2, { 0 }, 0x0f, 16, { 0, 1 } },
   [TGSI_OPCODE_SNE] = { 2, { 0 }, 0x0e, 20, { 0, 1 } },
   [TGSI_OPCODE_FRC] = { 1, { 0 }, 0x10, 14, { 0 } },
   [TGSI_OPCODE_FLR] = { 1, { 0 }, 0x11, 15, { 0 } },
   [TGSI_OPCODE_SSG] = { 1, { 0 }, 0x00, 22, { 0 } },
   [TGSI_OPCODE_ARL] = { 1, { 1 }, 0x00, 13, { 0 } },
   [TGSI_OPCODE_RCP] = { 1, { 1 }, 0x1a, 2, { 2 }, true },
   [TGSI_OPCODE_RSQ] = { 1, { 1 }, 0x1b, 4, { 2 }, true },
   [TGSI_OPCODE_EX2] = { 1, { 1 }, 0x1c, 14, { 2 }, true },
   [TGSI_OPCODE_LG2] = { 1, { 1 }, 0x1d, 13, { 2 }, true },
   [TGSI_OPCODE_SIN] = { 1, { 1 }, 0x23, 15, { 2 }, true },
   [TGSI_OPCODE_COS] = { 1, { 1 }, 0x22, 16, { 2 }, true },
   [TGSI_OPCODE_POW] = { 2, { 1, 1 }, 0x26, 0 },
   [TGSI_OPCODE_DIV] = { 2, { 0, 1 }, 0x3a, 0 },
   [TGSI_OPCODE_LRP] = { 3, { 0 }, 0x1f, 0 },
   [TGSI_OPCODE_DDX] = { 1, { 0 }, 0x15, 0 },
   [TGSI_OPCODE_DDX_FINE] = { 1, { 0 }, 0x15, 0 },
   [TGSI_OPCODE_DDY] = { 1, { 0 }, 0x16, 0 },
   [TGSI_OPCODE_DDY_FINE] = { 1, { 0 }, 0x16, 0 },
   [TGSI_OPCODE_TEX] = { 1, { 15 }, 0x17, 0 },
   [TGSI_OPCODE_TXP] = { 1, { 15 }, 0x18, 0 },
   [TGSI_OPCODE_TXB] = { 1, { 15 }, 0x31, 0 },
   [TGSI_OPCODE_TXL] = { 1, { 15 }, 0x2f, 25, { 0 } },
   [TGSI_OPCODE_TXD] = { 3, { 15, 7, 7 }, 0x19, 0 },
   [TGSI_OPCODE_KILL] = { 0, { 0 }, 0x12, 0 },
};

void
nv3c_error(struct nv3c_translator *t, const char *format, ...)
{
   va_list args;

   if (t->program->error)
      return;
   va_start(args, format);
   t->program->error = ralloc_vasprintf(t->program->mem, format, args);
   va_end(args);
}

static const struct nv3c_stage *
get_stage(const struct nir_shader *nir)
{
   return nir->info.stage == MESA_SHADER_VERTEX ? &nv3c_vs_stage :
                                                  &nv3c_fs_stage;
}

/* ---- sources ----------------------------------------------------------- */

unsigned
nv3c_read_lanes(const struct nv3c_insn *insn, unsigned s)
{
   const unsigned lanes = nv3c_ops[insn->op].lanes[s];

   return lanes ? lanes : insn->mask;
}

struct nv3c_src
nv3c_splat(struct nv3c_src src, unsigned lane)
{
   memset(src.swizzle, src.swizzle[lane], 4);
   return src;
}

struct nv3c_src
nv3c_immediate(struct nv3c_translator *t, float value)
{
   struct nv3c_src src = { .file = TGSI_FILE_IMMEDIATE };

   util_dynarray_foreach(&t->immediates, float, known) {
      if (fui(*known) == fui(value)) {
         unsigned i = known - (float *)t->immediates.data;

         src.index = i / 4;
         memset(src.swizzle, i % 4, 4);
         return src;
      }
   }
   src.index = util_dynarray_num_elements(&t->immediates, float) / 4;
   for (unsigned i = 0; i < 4; i++)
      util_dynarray_append(&t->immediates, float, value);
   return src;
}

float
nv3c_immediate_value(const struct nv3c_translator *t,
                     const struct nv3c_src *src, unsigned lane)
{
   return *util_dynarray_element(&t->immediates, float,
                                 4 * src->index + src->swizzle[lane]);
}

/* ---- emission ---------------------------------------------------------- */

/* True if the instruction can read source @s in addition to earlier sources. */
static bool
source_fits(const struct nv3c_translator *t, const struct nv3c_insn *insn,
            unsigned s)
{
   for (unsigned r = 0; r < s; r++) {
      if (insn->src[s].file == TGSI_FILE_INPUT &&
          insn->src[r].file == TGSI_FILE_INPUT &&
          insn->src[s].index != insn->src[r].index)
         return false;
   }
   return !nv3c_is_constant(&insn->src[s]) ||
          t->ops->constant_fits(t, insn, s);
}

void
nv3c_emit(struct nv3c_translator *t, const struct nv3c_insn *insn)
{
   struct nv3c_insn legal = *insn;

   for (unsigned s = 0; s < nv3c_ops[insn->op].sources; s++) {
      struct nv3c_src *src = &legal.src[s], plain = *src;

      if (source_fits(t, &legal, s))
         continue;
      plain.neg = plain.abs = false;
      plain = nv3c_emit_temp(t, TGSI_OPCODE_MOV, nv3c_read_lanes(insn, s),
                             plain, nv3c_none);
      plain.neg = src->neg;
      plain.abs = src->abs;
      *src = plain;
   }
   t->program->stats.instructions++;
   t->program->stats.textures += tgsi_get_opcode_info(insn->op)->is_tex;
   t->last = util_dynarray_num_elements(&t->words, uint32_t);
   t->ops->encode(t, &legal);
}

struct nv3c_src
nv3c_new_temp(struct nv3c_translator *t)
{
   return (struct nv3c_src){
      .file = TGSI_FILE_TEMPORARY,
      .index = t->temps + t->extra_temps++,
      .swizzle = { 0, 1, 2, 3 },
   };
}

struct nv3c_src
nv3c_emit_temp(struct nv3c_translator *t, enum tgsi_opcode op, unsigned mask,
               struct nv3c_src a, struct nv3c_src b)
{
   const struct nv3c_src temp = nv3c_new_temp(t);
   const struct nv3c_insn insn = {
      .op = op,
      .file = temp.file,
      .index = temp.index,
      .mask = mask,
      .src = { a, b },
      .test = NV3C_TEST_ALWAYS,
   };

   nv3c_emit(t, &insn);
   return temp;
}

void
nv3c_emit_op(struct nv3c_translator *t, const struct nv3c_insn *insn,
             enum tgsi_opcode op, struct nv3c_src a, struct nv3c_src b,
             struct nv3c_src c)
{
   struct nv3c_insn other = *insn;

   other.op = op;
   other.src[0] = a;
   other.src[1] = b;
   other.src[2] = c;
   nv3c_emit(t, &other);
}

/* ---- tokens ------------------------------------------------------------ */

static struct nv3c_src
convert_source(const struct tgsi_full_src_register *from)
{
   return (struct nv3c_src){
      .file = from->Register.File,
      .index = from->Register.Index,
      .swizzle = { from->Register.SwizzleX, from->Register.SwizzleY,
                   from->Register.SwizzleZ, from->Register.SwizzleW },
      .neg = from->Register.Negate,
      .abs = from->Register.Absolute,
      .indirect = from->Register.Indirect,
   };
}

/*
 * Adds a texture to t->program->textures. @sampler is the last source of the
 * texture instruction @insn.
 */
static void
add_texture(struct nv3c_translator *t, const struct tgsi_full_instruction *insn,
            const struct tgsi_src_register *sampler)
{
   const unsigned target = insn->Texture.Texture;
   const unsigned targets =
      1u << TGSI_TEXTURE_2D | 1u << TGSI_TEXTURE_SHADOW2D |
      1u << TGSI_TEXTURE_RECT | 1u << TGSI_TEXTURE_SHADOWRECT |
      1u << TGSI_TEXTURE_3D | 1u << TGSI_TEXTURE_CUBE;

   if (sampler->Indirect || sampler->Index >= t->ops->units ||
       insn->Texture.NumOffsets || !(targets & 1u << target)) {
      nv3c_error(t, "no instruction for a kind of texture access");
      return;
   }
   t->program->textures |= 1u << sampler->Index;
   t->program->texture_targets[sampler->Index] = target;
}

static struct nv3c_insn
convert_insn(struct nv3c_translator *t,
             const struct tgsi_full_instruction *from)
{
   const struct tgsi_opcode_info *info =
      tgsi_get_opcode_info(from->Instruction.Opcode);
   struct nv3c_insn insn = {
      .op = from->Instruction.Opcode,
      .saturate = from->Instruction.Saturate,
      .test = NV3C_TEST_ALWAYS,
   };

   if (info->num_dst) {
      insn.file = from->Dst[0].Register.File;
      insn.index = from->Dst[0].Register.Index;
      insn.mask = from->Dst[0].Register.WriteMask;
   }
   for (unsigned s = 0; s < MIN2(info->num_src, 3); s++)
      insn.src[s] = convert_source(&from->Src[s]);
   if (info->is_tex) {
      const struct tgsi_src_register *sampler =
         &from->Src[info->num_src - 1].Register;

      insn.unit = sampler->Index;
      add_texture(t, from, sampler);
   }
   return insn;
}

/* Sets t->insns, t->immediates and the numbers of registers. */
static void
parse_tokens(struct nv3c_translator *t)
{
   struct tgsi_parse_context parse;
   struct tgsi_shader_info info;

   tgsi_scan_shader(t->program->tokens, &info);
   t->temps = info.file_max[TGSI_FILE_TEMPORARY] + 1;
   t->uniforms = info.const_file_max[0] + 1;
   if (t->ops->begin)
      t->ops->begin(t, &info);
   tgsi_parse_init(&parse, t->program->tokens);
   while (!tgsi_parse_end_of_tokens(&parse)) {
      tgsi_parse_token(&parse);
      if (parse.FullToken.Token.Type == TGSI_TOKEN_TYPE_IMMEDIATE) {
         for (unsigned i = 0; i < 4; i++)
            util_dynarray_append(&t->immediates, float,
                                 parse.FullToken.FullImmediate.u[i].Float);
      } else if (parse.FullToken.Token.Type == TGSI_TOKEN_TYPE_INSTRUCTION) {
         util_dynarray_append(&t->insns, struct nv3c_insn,
                              convert_insn(t,
                                           &parse.FullToken.FullInstruction));
      }
   }
   tgsi_parse_free(&parse);
}

static void
translate_insn(struct nv3c_translator *t, struct nv3c_insn *insn)
{
   const struct nv3c_stage *ops = t->ops;
   struct nv3c_stats *stats = &t->program->stats;

   t->extra_temps = 0;
   if (insn->op != TGSI_OPCODE_END && !ops->translate(t, insn))
      nv3c_error(t, "no instruction for %s", tgsi_get_opcode_name(insn->op));
   stats->registers = MAX2(stats->registers,
                           t->first_temp + t->temps + t->extra_temps);
   t->program->too_large = stats->instructions > ops->insns_max ||
                           stats->registers > ops->temps_max;
   if (t->program->too_large)
      nv3c_error(t, "more than %u instructions or %u registers",
                 ops->insns_max, ops->temps_max);
}

/* Translates t->program->tokens. */
static void
translate(struct nv3c_translator *t)
{
   struct nv3c_program *program = t->program;

   util_dynarray_init(&t->insns, program->mem);
   util_dynarray_init(&t->immediates, program->mem);
   util_dynarray_init(&t->words, program->mem);
   parse_tokens(t);
   nv3c_assign_registers(t);
   util_dynarray_foreach(&t->insns, struct nv3c_insn, insn) {
      if (!program->error)
         translate_insn(t, insn);
   }
   if (program->error)
      return;
   if (!program->stats.instructions) {
      /* Add an instruction, because an empty program can't be encoded. */
      nv3c_emit_temp(t, TGSI_OPCODE_MOV, 1, nv3c_immediate(t, 0),
                     nv3c_none);
   }
   util_dynarray_fini(&t->insns);
   program->words = t->words.data;
   program->word_count = util_dynarray_num_elements(&t->words, uint32_t);
   t->ops->end(t);
}

/* ---- compilation ------------------------------------------------------- */

static int
no_shader_param(struct pipe_screen *screen, enum pipe_shader_type stage,
                enum pipe_shader_cap cap)
{
   return 0;
}

/*
 * nir_to_tgsi() gets the features of the hardware from a screen. The class has
 * none of these features: integers, control flow, indirectly addressed
 * temporaries, and square roots.
 */
static struct pipe_screen features = { .get_shader_param = no_shader_param };

/*
 * Compiles a shader. @budget is the argument of nv3c_lower_nir(). The other
 * arguments are those of nv3c_compile().
 */
static void
compile(struct nir_shader *nir, const uint8_t *texcoord, unsigned budget,
        struct nv3c_program *program)
{
   static const struct nir_to_tgsi_options options = {
      /* nv3c_assign_registers() assigns registers. */
      .unoptimized_ra = true,
      .ubo_vec4_max = NV3C_VS_CONSTANTS - 1,
   };
   struct nv3c_translator t = {
      .ops = get_stage(nir),
      .program = program,
   };
   struct nir_shader *lowered = nir_shader_clone(NULL, nir);

   program->error = nv3c_lower_nir(lowered, budget, &program->bounded_loops);
   if (!program->error)
      program->error = t.ops->assign_io(lowered, texcoord, program);
   if (program->error) {
      ralloc_free(lowered);
      return;
   }
   program->tokens = nir_to_tgsi_options(lowered, &features, &options);
   translate(&t);
}

bool
nv3c_compile(struct nir_shader *nir, const uint8_t *texcoord,
             struct nv3c_program *program)
{
   unsigned budget = get_stage(nir)->insns_max;

   memset(program, 0, sizeof(*program));
   do {
      nv3c_finish(program);
      program->mem = ralloc_context(NULL);
      compile(nir, texcoord, budget, program);
      budget /= 2;
   } while (program->too_large && program->bounded_loops &&
            budget >= BUDGET_MIN);
   return !program->error;
}

void
nv3c_finish(struct nv3c_program *program)
{
   tgsi_free_tokens(program->tokens);
   ralloc_free(program->mem);
   memset(program, 0, sizeof(*program));
}

void
nv3c_print(FILE *to, const struct nv3c_program *program)
{
   fprintf(to, "%u instructions, %u registers\n", program->stats.instructions,
           program->stats.registers);
   if (program->tokens)
      tgsi_dump_to_file(program->tokens, 0, to);
}
