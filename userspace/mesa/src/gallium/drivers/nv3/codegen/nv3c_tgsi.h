/* SPDX-License-Identifier: MIT */
/*
 * Declares the parts of the translation from TGSI to programs that are common
 * to both stages.
 *
 * nir_to_tgsi() produces vector instructions. The class has most operations
 * that it emits. The translator of each stage (nv3c_vs.c, nv3c_fs.c) replaces
 * the other operations, and encodes instructions.
 */
#ifndef NV3C_TGSI_H
#define NV3C_TGSI_H

#include "codegen/nv3c.h"
#include "pipe/p_shader_tokens.h"
#include "util/bitset.h"
#include "util/u_dynarray.h"

struct nir_shader;
struct tgsi_shader_info;

struct nv3c_src {
   unsigned file; /* TGSI_FILE_* */
   int index;
   uint8_t swizzle[4];
   bool neg;      /* negates the value, after abs */
   bool abs;
   bool indirect; /* A0 is added to the index of the constant */
};

/* The test of the condition register that always passes. */
#define NV3C_TEST_ALWAYS 7

struct nv3c_insn {
   enum tgsi_opcode op;
   /*
    * TGSI_FILE_TEMPORARY, _OUTPUT or _ADDRESS. Fragment programs: the condition
    * register if TGSI_FILE_NULL.
    */
   unsigned file;
   unsigned index;
   uint8_t mask;
   bool saturate;
   struct nv3c_src src[3];
   uint8_t unit;       /* of texture operations */
   /* Fragment programs: NVFX_FP_OP_COND_*: executes where the test passes. */
   uint8_t test;
};

struct nv3c_op_info {
   uint8_t sources;
   /*
    * For each source: 0 if component i of the result depends only on component
    * i of the source, otherwise the mask of the components on which every
    * component of the result depends.
    */
   uint8_t lanes[3];
   uint8_t fs;   /* opcode of fragment programs, or 0 */
   uint8_t vs;   /* opcode of vertex programs, or 0 */
   /* vertex programs: the field (0 to 2) that encodes each source */
   uint8_t field[3];
   bool scalar;  /* vertex programs: the scalar unit executes the operation */
};

struct nv3c_translator {
   const struct nv3c_stage *ops;
   struct nv3c_program *program;
   unsigned temps;     /* number of temporaries, later registers, in @insns */
   unsigned uniforms;  /* number of vec4s of uniforms */
   /* number of nv3c_new_temp() calls for the current TGSI instruction */
   unsigned extra_temps;
   struct util_dynarray insns; /* struct nv3c_insn, with operations of TGSI */
   struct util_dynarray immediates; /* float[4] */
   struct util_dynarray words;
   unsigned last;      /* word at which the last instruction starts */

   /* Vertex programs: the uniforms to load. */
   BITSET_DECLARE(used, NV3C_VS_CONSTANTS);

   /* The following members are for fragment programs. */
   struct util_dynarray constants; /* struct nv3c_fs_constant */
   unsigned first_temp; /* register of TGSI's temporary 0 */
   int depth;           /* TGSI's output for the depth, or -1 */
   /*
    * The condition register's components in @condition_mask hold the value of
    * @condition.
    */
   struct nv3c_src condition;
   unsigned condition_mask;
};

/* The functions and limits of a stage. */
struct nv3c_stage {
   unsigned temps_max, insns_max, units;
   /* nv3c_nir_assign_outputs() or nv3c_nir_assign_inputs() */
   const char *(*assign_io)(struct nir_shader *nir, const uint8_t *texcoord,
                            struct nv3c_program *program);
   /* Called before the first instruction, unless it is NULL. */
   void (*begin)(struct nv3c_translator *t,
                 const struct tgsi_shader_info *info);
   /*
    * Translates an instruction with nv3c_emit(). Returns false for an unknown
    * operation.
    */
   bool (*translate)(struct nv3c_translator *t, struct nv3c_insn *insn);
   /* True if @insn can read the constant @s in addition to earlier ones. */
   bool (*constant_fits)(const struct nv3c_translator *t,
                         const struct nv3c_insn *insn, unsigned s);
   void (*encode)(struct nv3c_translator *t, const struct nv3c_insn *insn);
   /* Called after the last instruction. */
   void (*end)(struct nv3c_translator *t);
};

extern const struct nv3c_stage nv3c_vs_stage, nv3c_fs_stage;

/* Replaces the temporaries in t->insns by registers (nv3c_registers.c). */
void
nv3c_assign_registers(struct nv3c_translator *t);

/* Sets t->program->error, unless it is set already. */
void PRINTFLIKE(2, 3)
nv3c_error(struct nv3c_translator *t, const char *format, ...);

/* All opcodes of an unknown operation are 0. */
extern const struct nv3c_op_info nv3c_ops[TGSI_OPCODE_LAST];

/*
 * Encodes @insn. An instruction can read only one input, and only one constant
 * register or inline constant. If @insn reads more of them, moves the others to
 * temporaries first.
 */
void
nv3c_emit(struct nv3c_translator *t, const struct nv3c_insn *insn);

/*
 * Returns a source that reads an unused temporary. The temporary keeps its
 * value until the end of the current TGSI instruction.
 */
struct nv3c_src
nv3c_new_temp(struct nv3c_translator *t);

/*
 * Emits @op, which writes the components in @mask of a new temporary. Returns a
 * source that reads the temporary.
 */
struct nv3c_src
nv3c_emit_temp(struct nv3c_translator *t, enum tgsi_opcode op, unsigned mask,
               struct nv3c_src a, struct nv3c_src b);

/* Emits @insn with another operation and other sources. */
void
nv3c_emit_op(struct nv3c_translator *t, const struct nv3c_insn *insn,
             enum tgsi_opcode op, struct nv3c_src a, struct nv3c_src b,
             struct nv3c_src c);

/* Returns the mask of the components of source @s that @insn reads. */
unsigned
nv3c_read_lanes(const struct nv3c_insn *insn, unsigned s);

/* Returns @src with component @lane in all four components. */
struct nv3c_src
nv3c_splat(struct nv3c_src src, unsigned lane);

/* Returns a source that reads the immediate @value in all components. */
struct nv3c_src
nv3c_immediate(struct nv3c_translator *t, float value);

/* Returns the value that component @lane of the immediate @src reads. */
float
nv3c_immediate_value(const struct nv3c_translator *t,
                     const struct nv3c_src *src, unsigned lane);

static const struct nv3c_src nv3c_none = { .file = TGSI_FILE_NULL };

static inline bool
nv3c_is_constant(const struct nv3c_src *src)
{
   return src->file == TGSI_FILE_CONSTANT || src->file == TGSI_FILE_IMMEDIATE;
}

#endif
