/* SPDX-License-Identifier: MIT */
/*
 * Declares the compiler for vertex and fragment programs of class 0x1f.
 *
 * A driver passes nv3c_options() to Mesa. The driver calls nv3c_finalize_nir()
 * once for each shader, and nv3c_compile() for each variant of the shader.
 *
 * Shaders may read only constant buffer 0, using load_uniform with offsets in
 * vec4s (pipe_caps.packed_uniforms is false). All uniforms are floats,
 * because Mesa converts the integers and booleans of GLSL 1.20 to floats.
 *
 * Encodings: docs/reference/chip/programs.md and fragment.md.
 */
#ifndef NV3C_H
#define NV3C_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "compiler/shader_enums.h"

struct nir_shader;
struct nir_shader_compiler_options;
struct tgsi_token;

#define NV3C_INSN_WORDS    4
#define NV3C_VS_INSNS      512
#define NV3C_VS_CONSTANTS  512
#define NV3C_VS_ATTRIBUTES 16
#define NV3C_FS_INSNS      1024
#define NV3C_UNITS         16
#define NV3C_VS_UNITS      4
#define NV3C_TEXCOORDS     10
/*
 * The maximum number of uniform vec4s of a vertex shader. The other constant
 * registers hold immediates, and uniforms that the state tracker adds.
 */
#define NV3C_VS_UNIFORMS   448

/* Bits of nv3c_program.inputs. */
#define NV3C_INPUT_COLOR0  (1 << 1)
#define NV3C_INPUT_COLOR1  (1 << 2)
#define NV3C_INPUT_FOG     (1 << 3)

/* The value of nv3c_program.texcoord for an unused texture coordinate. */
#define NV3C_NO_SLOT       0xff

/* Statistics of a program, for shader-db and debug output. */
struct nv3c_stats {
   unsigned instructions;
   unsigned registers;  /* highest register number in use, plus 1 */
   unsigned constants;  /* constant registers, or inline constants */
   unsigned immediates; /* immediates in these constants */
   unsigned textures;   /* texture instructions */
};

/* ---- programs ---------------------------------------------------------- */

/*
 * The driver must copy @count vec4s of buffer 0, starting at vec4 @uniform, to
 * the constant registers starting at @reg.
 */
struct nv3c_vs_uniforms {
   uint16_t reg, uniform, count;
};

/*
 * An inline constant that contains uniforms. The constant occupies four words
 * of the program, starting at @word. Component i receives the float source[i]
 * of buffer 0 (component source[i] % 4 of vec4 source[i] / 4). If source[i] is
 * negative, the component is an immediate and does not change.
 */
struct nv3c_fs_constant {
   uint16_t word;
   int16_t source[4];
};

struct nv3c_program {
   void *mem; /* ralloc context of the members below */
   /*
    * The instructions, and the inline constants of a fragment program. Each
    * instruction has NV3C_INSN_WORDS words. The driver can load a vertex
    * program at any TRANSFORM_PROGRAM_START.
    */
   uint32_t *words;
   unsigned word_count;
   uint16_t textures; /* bit i is set if the program samples unit i */
   uint8_t texture_targets[NV3C_UNITS]; /* TGSI_TEXTURE_*, by unit */
   /*
    * True if a loop may need more iterations than the program contains. The
    * class has no control flow, so the program contains a limited number of
    * copies of the loop's body.
    */
   bool bounded_loops;
   const struct tgsi_token *tokens; /* the program in TGSI, for debug output */
   struct nv3c_stats stats;
   const char *error; /* why the shader can't be compiled, or NULL */
   bool too_large;    /* the error is the size of the program */

   /* The following members are for vertex programs. */
   struct nv3c_vs_uniforms *uniforms;
   unsigned uniform_range_count;
   /* Constant register @first_immediate + i holds immediates[i]. */
   const float (*immediates)[4];
   unsigned first_immediate, immediate_count;
   /*
    * Bit i is set if the program reads the attribute with driver_location i.
    */
   uint16_t attributes;
   bool writes_point_size;

   /* The following members are for fragment programs. */
   /*
    * The inline constants that contain uniforms, in the order of the words. The
    * driver must insert the values of the uniforms.
    */
   struct nv3c_fs_constant *constants;
   unsigned constant_count;
   /*
    * For each texture coordinate (inputs 4 to 13), the VARYING_SLOT_* that it
    * carries, or NV3C_NO_SLOT. VARYING_SLOT_PNTC stands for gl_PointCoord,
    * which POINT_SPRITE provides.
    */
   uint8_t texcoord[NV3C_TEXCOORDS];
   /*
    * Bit i is set if the program reads input i of the class (0 is the
    * position, 1 and 2 are colours).
    */
   uint16_t inputs;
   bool writes_depth; /* FP_CONTROL needs NV3_FP_CONTROL_DEPTH (0xe) */
};

/*
 * Compiles @nir, which must be finalized. Does not change @nir, and initializes
 * all of @program. @texcoord is the member of the fragment program for which a
 * vertex shader is compiled, and NULL for a fragment shader. On failure, sets
 * program->error to the reason and returns false. The caller must call
 * nv3c_finish() even on failure.
 */
bool
nv3c_compile(struct nir_shader *nir, const uint8_t *texcoord,
             struct nv3c_program *program);

void
nv3c_finish(struct nv3c_program *program);

/* Prints the program in TGSI. */
void
nv3c_print(FILE *to, const struct nv3c_program *program);

/* ---- NIR --------------------------------------------------------------- */

/*
 * Returns the options for @stage: MESA_SHADER_VERTEX or MESA_SHADER_FRAGMENT.
 */
const struct nir_shader_compiler_options *
nv3c_options(gl_shader_stage stage);

/*
 * For pipe_screen.finalize_nir: executes the passes that are common to all
 * variants of a shader.
 */
void
nv3c_finalize_nir(struct nir_shader *nir);

/* ---- loops ------------------------------------------------------------- */

#define NV3C_LOOP_UNIFORMS 8

/*
 * Finds the uniforms that determine the numbers of iterations of the loops in
 * @nir. Must be called after nv3c_finalize_nir(). For each of these uniforms,
 * @floats receives its offset in buffer 0, in units of floats. Returns the
 * number of these uniforms. Returns 0 if there are more than
 * NV3C_LOOP_UNIFORMS, or if a number of iterations also depends on values
 * other than uniforms.
 */
unsigned
nv3c_find_loop_uniforms(struct nir_shader *nir,
                        uint16_t floats[NV3C_LOOP_UNIFORMS]);

/*
 * Replaces each load of float floats[i] of buffer 0 by the constant values[i],
 * for i from 0 to @count - 1. Must be called before the variant is compiled.
 */
void
nv3c_inline_uniforms(struct nir_shader *nir, unsigned count,
                     const uint16_t *floats, const uint32_t *values);

#endif
