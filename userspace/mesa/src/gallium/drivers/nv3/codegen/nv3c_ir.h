/* SPDX-License-Identifier: MIT */
/*
 * Declares the intermediate representation of programs: a list of
 * instructions without control flow.
 *
 * An instruction has up to four lanes, one for each component of its result.
 * Lane i writes component i of the destination and reads component swizzle[i]
 * of each source. Operations such as dot products instead compute every
 * component of the result from the same lanes of the sources
 * (nv3c_op_info.lanes).
 *
 * A temporary has up to four components. Each component has one definition, so
 * its value stays valid until the program's end. The destination of NV3C_SEL is
 * an exception: it has several definitions after nv3c_lower_selects().
 * Registers are assigned last.
 */
#ifndef NV3C_IR_H
#define NV3C_IR_H

#include <stdbool.h>
#include <stdint.h>

#include "compiler/shader_enums.h"
#include "util/list.h"
#include "util/u_dynarray.h"

#define NV3C_XYZW 15u

enum nv3c_op {
   NV3C_MOV,
   NV3C_MUL,
   NV3C_ADD,
   NV3C_MAD, /* a * b + c */
   NV3C_DP2,
   NV3C_DP3,
   NV3C_DP4,
   NV3C_DPH, /* DP3 + b.w */
   NV3C_MIN,
   NV3C_MAX,
   NV3C_SLT, /* 1 or 0 */
   NV3C_SGE,
   NV3C_SGT,
   NV3C_SLE,
   NV3C_SEQ,
   NV3C_SNE,
   NV3C_FRC,
   NV3C_FLR,
   NV3C_SSG, /* -1, 0 or 1 */
   NV3C_ARL, /* loads the address register A0 */
   NV3C_RCP,
   NV3C_RSQ,
   NV3C_EX2,
   NV3C_LG2,
   NV3C_SIN,
   NV3C_COS,
   NV3C_POW,
   NV3C_DIV, /* a / b.x */
   NV3C_LRP, /* a * (b - c) + c */
   NV3C_DDX,
   NV3C_DDY,
   NV3C_TEX,
   NV3C_TXP,
   NV3C_TXB,
   NV3C_TXL,
   NV3C_TXD,
   NV3C_KIL, /* kills the fragment if lane 0 of source 0 is not 0 */
   NV3C_SEL, /* a != 0 ? b : c; fragment programs, before nv3c_lower_selects() */
   NV3C_OPS
};

enum nv3c_file {
   NV3C_FILE_NONE,
   NV3C_FILE_TEMP,
   NV3C_FILE_INPUT, /* attribute of a vertex, or input of a fragment */
   NV3C_FILE_CONST,
   NV3C_FILE_OUTPUT,
};

/*
 * A scalar of a constant: the bits of an immediate float, or the index of a
 * float in the uniforms.
 */
struct nv3c_scalar {
   bool uniform;
   uint32_t value;
};

/*
 * The scalars of a constant register, of an inline constant, or of a temporary
 * to which constants have been moved.
 */
struct nv3c_scalars {
   struct nv3c_scalar scalar[4];
   unsigned count;
};

struct nv3c_src {
   enum nv3c_file file;
   unsigned index; /* temporary, input, or assigned constant register */
   uint8_t swizzle[4];
   struct nv3c_scalar lane[4]; /* CONST: the scalar that each lane reads */
   /* CONST: 0, or 1 + the index of A0's value in nv3c_select.addresses */
   uint16_t address;
   uint16_t array_base, array_size; /* the uniforms that A0 may select */
   bool neg;         /* after abs */
   bool abs;
};

/*
 * Tests of the condition register. The chip compares a condition with 0. Each
 * bit permits one result of this comparison: less, equal or greater.
 */
enum {
   NV3C_TEST_LT = 1,
   NV3C_TEST_EQ = 2,
   NV3C_TEST_GT = 4,
   NV3C_TEST_NE = 5,
   NV3C_TEST_ALWAYS = 7,
};

#define NV3C_NO_OUTPUT 0xff

struct nv3c_insn {
   struct list_head link;
   enum nv3c_op op;
   unsigned ip; /* index in the program, set by nv3c_number() */

   unsigned temp;  /* the temporary that receives the components in @mask */
   uint8_t mask;
   /*
    * the output that receives the components in @output_mask, or NV3C_NO_OUTPUT
    */
   uint8_t output;
   uint8_t output_mask;
   bool saturate;
   struct nv3c_src src[3];

   /* Members for texture operations. */
   uint8_t unit;
   /* enum glsl_sampler_dim; only for fragment programs */
   uint8_t dim;
   uint8_t coord_lanes;  /* of source 0 */

   /* Members for fragment programs. */
   bool set_condition;   /* @mask selects condition components */
   uint8_t test;
   uint8_t test_swizzle[4];

   /*
    * For vertex programs: the scalar operation that is encoded in the same
    * instruction, or NULL.
    */
   struct nv3c_insn *paired;
};

#define NV3C_NO_REG 0xffff

struct nv3c_temp {
   bool fixed;   /* component i must be component i of the register */
   uint16_t reg; /* assigned or required register, or NV3C_NO_REG */
   /* for each component, the register's component that holds it */
   uint8_t channel[4];
   bool to_end;  /* read after the last instruction */
};

struct nv3c_program {
   gl_shader_stage stage;
   void *mem;                  /* ralloc context of the program */
   struct list_head insns;
   unsigned insn_count;        /* after nv3c_number() */
   struct util_dynarray temps; /* struct nv3c_temp */
   /* NULL, or the reason why the program can't be compiled */
   const char *error;
   /* the error is that there are too few registers */
   bool out_of_registers;
   bool too_long;              /* the error is that the program is too long */
   /*
    * True if instructions may reuse temporaries to which nv3c_legalize() has
    * moved constants and inputs.
    */
   bool reuse_moves;
};

struct nv3c_op_info {
   const char *name;
   uint8_t sources;
   /*
    * For each source: 0 if component i of the result depends only on lane i,
    * otherwise the mask of the lanes on which every component depends.
    */
   uint8_t lanes[3];
   uint8_t fs;  /* opcode of fragment programs, or 0 */
   uint8_t vs;  /* opcode of vertex programs, or 0 */
   /* vertex programs: the field (0 to 2) that encodes each source */
   uint8_t field[3];
   bool scalar;  /* vertex programs: the scalar unit executes the operation */
};

extern const struct nv3c_op_info nv3c_ops[NV3C_OPS];

static inline bool
nv3c_is_tex(enum nv3c_op op)
{
   return op >= NV3C_TEX && op <= NV3C_TXD;
}

struct nv3c_program *
nv3c_program_create(gl_shader_stage stage);
void
nv3c_program_destroy(struct nv3c_program *p);

/* Records an error, unless one was recorded before. */
void PRINTFLIKE(2, 3)
nv3c_error(struct nv3c_program *p, const char *format, ...);

static inline struct nv3c_temp *
nv3c_temp(const struct nv3c_program *p, unsigned temp)
{
   return util_dynarray_element(&p->temps, struct nv3c_temp, temp);
}

static inline unsigned
nv3c_temp_count(const struct nv3c_program *p)
{
   return util_dynarray_num_elements(&p->temps, struct nv3c_temp);
}

unsigned
nv3c_new_temp(struct nv3c_program *p);

/* Creates an instruction without adding it to p->insns. */
struct nv3c_insn *
nv3c_new_insn(struct nv3c_program *p, enum nv3c_op op);

/*
 * Appends and returns an instruction that writes the components in @mask of
 * @temp.
 */
struct nv3c_insn *
nv3c_emit(struct nv3c_program *p, enum nv3c_op op, unsigned temp, unsigned mask,
          struct nv3c_src a, struct nv3c_src b, struct nv3c_src c);

/* ---- sources ----------------------------------------------------------- */

static inline struct nv3c_src
nv3c_no_src(void)
{
   return (struct nv3c_src){ .file = NV3C_FILE_NONE };
}

struct nv3c_src
nv3c_src_temp(unsigned temp);
struct nv3c_src
nv3c_src_input(unsigned input);
struct nv3c_src
nv3c_src_imm(float value);

/*
 * Returns a source whose lane i reads the same value as lane swizzle[i] of
 * @src.
 */
struct nv3c_src
nv3c_swizzle(struct nv3c_src src, const uint8_t swizzle[4]);
struct nv3c_src
nv3c_splat(struct nv3c_src src, unsigned lane);
struct nv3c_src
nv3c_neg(struct nv3c_src src);
struct nv3c_src
nv3c_abs(struct nv3c_src src);

/* Returns the mask of the lanes of source @s that @insn reads. */
unsigned
nv3c_read_lanes(const struct nv3c_insn *insn, unsigned s);

/*
 * Returns true if source @s of @insn reads uniforms, or false if the source
 * reads immediates. The source must be a constant.
 */
bool
nv3c_reads_uniform(const struct nv3c_insn *insn, unsigned s);

/*
 * Returns the mask of the components that @lanes of @src read. @src must be a
 * temporary or an input.
 */
unsigned
nv3c_components(const struct nv3c_src *src, unsigned lanes);

static inline bool
nv3c_same_scalar(struct nv3c_scalar a, struct nv3c_scalar b)
{
   return a.uniform == b.uniform && a.value == b.value;
}

/* Returns the component of @set that contains @scalar, or -1. */
int
nv3c_find_scalar(const struct nv3c_scalars *set, struct nv3c_scalar scalar);

/*
 * Returns the component of @set that contains @scalar. Adds @scalar to @set if
 * necessary. Returns -1 if @set has no room.
 */
int
nv3c_add_scalar(struct nv3c_scalars *set, struct nv3c_scalar scalar);

/*
 * True if @insn computes each lane of the result from the same lane of the
 * sources.
 */
bool
nv3c_is_lanewise(const struct nv3c_insn *insn);

/*
 * True if the lanes of the result can be moved to other components by
 * changing the swizzles of the sources.
 */
bool
nv3c_may_move_lanes(const struct nv3c_insn *insn);

/* ---- passes ------------------------------------------------------------ */

/* Numbers the instructions. */
void
nv3c_number(struct nv3c_program *p);

/*
 * Removes results that no instruction reads. Also removes a MOV if the
 * instruction that computes the moved value can write to the destination of
 * the MOV.
 */
void
nv3c_optimize(struct nv3c_program *p);

/*
 * For fragment programs: replaces NV3C_SEL by instructions with a condition.
 */
void
nv3c_lower_selects(struct nv3c_program *p);

/*
 * If an instruction reads more inputs or constants than the encoding permits,
 * moves the excess inputs and constants to temporaries.
 */
void
nv3c_legalize(struct nv3c_program *p);

/*
 * Assigns registers to temporaries. @regs contains the numbers of the @count
 * available registers. Returns the highest number in use + 1.
 */
unsigned
nv3c_assign_registers(struct nv3c_program *p, const uint16_t *regs,
                      unsigned count);

#define nv3c_foreach_insn(p, insn) \
   list_for_each_entry(struct nv3c_insn, insn, &(p)->insns, link)
#define nv3c_foreach_insn_safe(p, insn) \
   list_for_each_entry_safe(struct nv3c_insn, insn, &(p)->insns, link)

#endif
