/* SPDX-License-Identifier: MIT */
/* Creates and examines instructions and sources of programs (nv3c_ir.h). */
#include "codegen/nv3c_ir.h"

#include <stdarg.h>

#include "util/bitscan.h"
#include "util/ralloc.h"
#include "util/u_math.h"

/*
 * The opcodes are those of nv3c_fs_encoding.h and nv3c_vs_encoding.h. The
 * columns are the members of struct nv3c_op_info.
 */
const struct nv3c_op_info nv3c_ops[NV3C_OPS] = {
   [NV3C_MOV] = { "MOV", 1, { 0 }, 0x01, 1, { 0 } },
   [NV3C_MUL] = { "MUL", 2, { 0 }, 0x02, 2, { 0, 1 } },
   [NV3C_ADD] = { "ADD", 2, { 0 }, 0x03, 3, { 0, 2 } },
   [NV3C_MAD] = { "MAD", 3, { 0 }, 0x04, 4, { 0, 1, 2 } },
   [NV3C_DP2] = { "DP2", 2, { 3, 3 }, 0x38, 0 },
   [NV3C_DP3] = { "DP3", 2, { 7, 7 }, 0x05, 5, { 0, 1 } },
   [NV3C_DP4] = { "DP4", 2, { 15, 15 }, 0x06, 7, { 0, 1 } },
   [NV3C_DPH] = { "DPH", 2, { 7, 15 }, 0x00, 6, { 0, 1 } },
   [NV3C_MIN] = { "MIN", 2, { 0 }, 0x08, 9, { 0, 1 } },
   [NV3C_MAX] = { "MAX", 2, { 0 }, 0x09, 10, { 0, 1 } },
   [NV3C_SLT] = { "SLT", 2, { 0 }, 0x0a, 11, { 0, 1 } },
   [NV3C_SGE] = { "SGE", 2, { 0 }, 0x0b, 12, { 0, 1 } },
   [NV3C_SGT] = { "SGT", 2, { 0 }, 0x0d, 18, { 0, 1 } },
   [NV3C_SLE] = { "SLE", 2, { 0 }, 0x0c, 19, { 0, 1 } },
   [NV3C_SEQ] = { "SEQ", 2, { 0 }, 0x0f, 16, { 0, 1 } },
   [NV3C_SNE] = { "SNE", 2, { 0 }, 0x0e, 20, { 0, 1 } },
   [NV3C_FRC] = { "FRC", 1, { 0 }, 0x10, 14, { 0 } },
   [NV3C_FLR] = { "FLR", 1, { 0 }, 0x11, 15, { 0 } },
   [NV3C_SSG] = { "SSG", 1, { 0 }, 0x00, 22, { 0 } },
   [NV3C_ARL] = { "ARL", 1, { 1 }, 0x00, 13, { 0 } },
   [NV3C_RCP] = { "RCP", 1, { 1 }, 0x1a, 2, { 2 }, true },
   [NV3C_RSQ] = { "RSQ", 1, { 1 }, 0x1b, 4, { 2 }, true },
   [NV3C_EX2] = { "EX2", 1, { 1 }, 0x1c, 14, { 2 }, true },
   [NV3C_LG2] = { "LG2", 1, { 1 }, 0x1d, 13, { 2 }, true },
   [NV3C_SIN] = { "SIN", 1, { 1 }, 0x23, 15, { 2 }, true },
   [NV3C_COS] = { "COS", 1, { 1 }, 0x22, 16, { 2 }, true },
   [NV3C_POW] = { "POW", 2, { 1, 1 }, 0x26, 0 },
   [NV3C_DIV] = { "DIV", 2, { 0, 1 }, 0x3a, 0 },
   [NV3C_LRP] = { "LRP", 3, { 0 }, 0x1f, 0 },
   [NV3C_DDX] = { "DDX", 1, { 0 }, 0x15, 0 },
   [NV3C_DDY] = { "DDY", 1, { 0 }, 0x16, 0 },
   /*
    * The coordinates that these operations read depend on the texture target
    * (nv3c_tex_lanes()).
    */
   [NV3C_TEX] = { "TEX", 1, { 15 }, 0x17, 0 },
   [NV3C_TXP] = { "TXP", 1, { 15 }, 0x18, 0 },
   [NV3C_TXB] = { "TXB", 1, { 15 }, 0x31, 0 },
   [NV3C_TXL] = { "TXL", 1, { 15 }, 0x2f, 25, { 0 } },
   [NV3C_TXD] = { "TXD", 3, { 15, 7, 7 }, 0x19, 0 },
   [NV3C_KIL] = { "KIL", 1, { 1 }, 0x12, 0 },
   [NV3C_SEL] = { "SEL", 3, { 0 }, 0x00, 0 },
};

struct nv3c_program *
nv3c_program_create(gl_shader_stage stage)
{
   struct nv3c_program *p = rzalloc(NULL, struct nv3c_program);

   if (!p)
      return NULL;
   p->stage = stage;
   p->mem = p;
   p->reuse_moves = true;
   list_inithead(&p->insns);
   util_dynarray_init(&p->temps, p);
   return p;
}

void
nv3c_program_destroy(struct nv3c_program *p)
{
   ralloc_free(p);
}

void
nv3c_error(struct nv3c_program *p, const char *format, ...)
{
   va_list args;

   if (p->error)
      return;
   va_start(args, format);
   p->error = ralloc_vasprintf(p->mem, format, args);
   va_end(args);
}

unsigned
nv3c_new_temp(struct nv3c_program *p)
{
   struct nv3c_temp temp = {
      .reg = NV3C_NO_REG,
      .channel = { 0, 1, 2, 3 },
   };

   util_dynarray_append(&p->temps, struct nv3c_temp, temp);
   return nv3c_temp_count(p) - 1;
}

struct nv3c_insn *
nv3c_new_insn(struct nv3c_program *p, enum nv3c_op op)
{
   struct nv3c_insn *insn = rzalloc(p->mem, struct nv3c_insn);

   insn->op = op;
   insn->output = NV3C_NO_OUTPUT;
   insn->test = NV3C_TEST_ALWAYS;
   for (unsigned i = 0; i < 4; i++)
      insn->test_swizzle[i] = i;
   return insn;
}

struct nv3c_insn *
nv3c_emit(struct nv3c_program *p, enum nv3c_op op, unsigned temp, unsigned mask,
          struct nv3c_src a, struct nv3c_src b, struct nv3c_src c)
{
   struct nv3c_insn *insn = nv3c_new_insn(p, op);

   insn->temp = temp;
   insn->mask = mask;
   insn->src[0] = a;
   insn->src[1] = b;
   insn->src[2] = c;
   list_addtail(&insn->link, &p->insns);
   return insn;
}

struct nv3c_src
nv3c_src_temp(unsigned temp)
{
   return (struct nv3c_src){
      .file = NV3C_FILE_TEMP,
      .index = temp,
      .swizzle = { 0, 1, 2, 3 },
   };
}

struct nv3c_src
nv3c_src_input(unsigned input)
{
   return (struct nv3c_src){
      .file = NV3C_FILE_INPUT,
      .index = input,
      .swizzle = { 0, 1, 2, 3 },
   };
}

struct nv3c_src
nv3c_src_imm(float value)
{
   struct nv3c_src src = { .file = NV3C_FILE_CONST };

   for (unsigned i = 0; i < 4; i++)
      src.lane[i].value = fui(value);
   return src;
}

struct nv3c_src
nv3c_swizzle(struct nv3c_src src, const uint8_t swizzle[4])
{
   struct nv3c_src result = src;

   for (unsigned i = 0; i < 4; i++) {
      result.swizzle[i] = src.swizzle[swizzle[i]];
      result.lane[i] = src.lane[swizzle[i]];
   }
   return result;
}

struct nv3c_src
nv3c_splat(struct nv3c_src src, unsigned lane)
{
   return nv3c_swizzle(src, (uint8_t[]){ lane, lane, lane, lane });
}

struct nv3c_src
nv3c_neg(struct nv3c_src src)
{
   src.neg = !src.neg;
   return src;
}

struct nv3c_src
nv3c_abs(struct nv3c_src src)
{
   src.abs = true;
   src.neg = false;
   return src;
}

unsigned
nv3c_read_lanes(const struct nv3c_insn *insn, unsigned s)
{
   const struct nv3c_op_info *info = &nv3c_ops[insn->op];

   if (s >= info->sources)
      return 0;
   if (s == 0 && insn->coord_lanes)
      return insn->coord_lanes;
   return info->lanes[s] ? info->lanes[s] : insn->mask | insn->output_mask;
}

bool
nv3c_reads_uniform(const struct nv3c_insn *insn, unsigned s)
{
   u_foreach_bit(i, nv3c_read_lanes(insn, s)) {
      if (insn->src[s].lane[i].uniform)
         return true;
   }
   return false;
}

unsigned
nv3c_components(const struct nv3c_src *src, unsigned lanes)
{
   unsigned components = 0;

   u_foreach_bit(i, lanes)
      components |= 1u << src->swizzle[i];
   return components;
}

int
nv3c_find_scalar(const struct nv3c_scalars *set, struct nv3c_scalar scalar)
{
   for (unsigned i = 0; i < set->count; i++) {
      if (nv3c_same_scalar(set->scalar[i], scalar))
         return i;
   }
   return -1;
}

int
nv3c_add_scalar(struct nv3c_scalars *set, struct nv3c_scalar scalar)
{
   int found = nv3c_find_scalar(set, scalar);

   if (found >= 0 || set->count == 4)
      return found;
   set->scalar[set->count] = scalar;
   return set->count++;
}

bool
nv3c_is_lanewise(const struct nv3c_insn *insn)
{
   const struct nv3c_op_info *info = &nv3c_ops[insn->op];

   for (unsigned s = 0; s < info->sources; s++) {
      if (info->lanes[s])
         return false;
   }
   return info->sources > 0;
}

bool
nv3c_may_move_lanes(const struct nv3c_insn *insn)
{
   return !nv3c_is_tex(insn->op);
}

void
nv3c_number(struct nv3c_program *p)
{
   p->insn_count = 0;
   nv3c_foreach_insn(p, insn)
      insn->ip = p->insn_count++;
}
