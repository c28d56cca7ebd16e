/* SPDX-License-Identifier: MIT */
/*
 * The compiler of vertex and fragment programs for class 0x1f.
 *
 * A driver passes nv3c_options() to Mesa, calls nv3c_finalize_nir() once for a
 * shader, and nv3c_compile_vs() or nv3c_compile_fs() for each variant.
 *
 * Programs read uniforms of constant buffer 0 only, by load_uniform with offsets
 * in vec4s (pipe_caps.packed_uniforms is false). All uniforms are floats
 * (GLSL 1.20: integers and booleans have been converted).
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

#define NV3C_INSN_WORDS    4
#define NV3C_VS_INSNS      512
#define NV3C_VS_CONSTANTS  512
#define NV3C_VS_ATTRIBUTES 16
#define NV3C_FS_INSNS      1024
#define NV3C_UNITS         16
#define NV3C_TEXCOORDS     10
/*
 * The uniforms of a vertex shader that always leave room for immediates. The
 * driver may add up to NV3C_VS_CONSTANTS - NV3C_VS_UNIFORMS - 32 of its own.
 */
#define NV3C_VS_UNIFORMS   448

/* Of nv3c_fs.inputs. */
#define NV3C_INPUT_COLOR0  (1 << 1)
#define NV3C_INPUT_COLOR1  (1 << 2)
#define NV3C_INPUT_FOG     (1 << 3)

/* A texture coordinate that carries nothing. */
#define NV3C_NO_SLOT       0xff

/* For shader-db and debug output. */
struct nv3c_stats {
   unsigned instructions;
   unsigned registers;  /* the highest register number in use + 1 */
   unsigned constants;  /* constant registers, or inline constants */
   unsigned immediates; /* scalars among them that are not uniforms */
   unsigned textures;   /* texture instructions */
};

/* ---- vertex programs --------------------------------------------------- */

struct nv3c_vs_key {
   /* By texture coordinate: the VARYING_SLOT_* it carries (nv3c_fs.texcoord). */
   uint8_t texcoord[NV3C_TEXCOORDS];
};

/* Constant registers @reg on receive the vec4s @uniform on of buffer 0. */
struct nv3c_vs_uniforms {
   uint16_t reg, uniform, count;
};

/* Constant register @reg holds @value. */
struct nv3c_vs_immediate {
   uint16_t reg;
   float value[4];
};

struct nv3c_vs {
   /*
    * NV3C_INSN_WORDS for each of @insn_count instructions. The program works at
    * any TRANSFORM_PROGRAM_START.
    */
   uint32_t *words;
   unsigned insn_count;
   struct nv3c_vs_uniforms *uniforms;
   unsigned uniform_range_count;
   struct nv3c_vs_immediate *immediates;
   unsigned immediate_count;

   /* Bit i: reads attribute i, which has the shader's driver_location i. */
   uint16_t attributes;
   /* Bit i: writes output i of the class. */
   uint32_t outputs;
   /*
    * Bit i: writes clip distance i (0 to 5). CLIP_PLANES_ENABLE chooses those
    * that clip.
    */
   uint8_t clip_distances;
   bool writes_point_size;
   bool bounded_loops; /* see struct nv3c_fs */

   struct nv3c_stats stats;
   char *error; /* why the shader can't be compiled, or NULL */
};

/*
 * Compiles @nir, which it changes. The result is in @vs, which
 * nv3c_vs_finish() frees. Returns false after an error or without memory.
 */
bool
nv3c_compile_vs(struct nir_shader *nir, const struct nv3c_vs_key *key,
                struct nv3c_vs *vs);

void
nv3c_vs_finish(struct nv3c_vs *vs);

/* ---- fragment programs ------------------------------------------------- */

/*
 * The four words at @word of the program are an inline constant. Component i
 * receives the float source[i] of buffer 0 (component source[i] % 4 of vec4
 * source[i] / 4). A negative source leaves the word, an immediate, as it is.
 */
struct nv3c_fs_constant {
   uint16_t word;
   int16_t source[4];
};

struct nv3c_fs {
   /* The program as it is in memory, but for the uniforms. */
   uint32_t *words;
   unsigned word_count;
   /* Those inline constants that have uniforms. */
   struct nv3c_fs_constant *constants;
   unsigned constant_count;

   /*
    * By texture coordinate (inputs 4 to 13): the VARYING_SLOT_* that it carries,
    * or NV3C_NO_SLOT. VARYING_SLOT_PNTC is gl_PointCoord, by POINT_SPRITE.
    */
   uint8_t texcoord[NV3C_TEXCOORDS];
   /* Bit i: reads input i of the class (0 position, 1 and 2 colours, ...). */
   uint16_t inputs;
   uint16_t units;   /* bit i: samples unit i */
   uint16_t shadow;  /* bit i: unit i compares depths */
   uint8_t targets[NV3C_UNITS]; /* enum glsl_sampler_dim, by unit */
   bool kills;
   bool writes_depth; /* FP_CONTROL needs NV3_FP_CONTROL_DEPTH (0xe) */
   /*
    * The number of a loop's iterations is not known, so the program runs as many
    * as fit: there is no flow control. More have no effect.
    */
   bool bounded_loops;

   struct nv3c_stats stats;
   char *error;
};

/* As nv3c_compile_vs(). */
bool
nv3c_compile_fs(struct nir_shader *nir, struct nv3c_fs *fs);

void
nv3c_fs_finish(struct nv3c_fs *fs);

/* ---- NIR --------------------------------------------------------------- */

/* The options of MESA_SHADER_VERTEX and MESA_SHADER_FRAGMENT. */
const struct nir_shader_compiler_options *
nv3c_options(gl_shader_stage stage);

/* For pipe_screen.finalize_nir: lowers and optimizes what no variant changes. */
void
nv3c_finalize_nir(struct nir_shader *nir);

/* ---- loops ------------------------------------------------------------- */

#define NV3C_LOOP_UNIFORMS 8

/*
 * The floats of buffer 0 that decide how often the loops run that
 * nv3c_finalize_nir() has left in @nir. Returns their number, or 0 if there are
 * none or too many, or if something else decides, too.
 */
unsigned
nv3c_find_loop_uniforms(struct nir_shader *nir,
                        uint16_t floats[NV3C_LOOP_UNIFORMS]);

/* Replaces the floats by constants, before a variant is compiled. */
void
nv3c_inline_uniforms(struct nir_shader *nir, unsigned count,
                     const uint16_t *floats, const uint32_t *values);

/* ---- disassembly ------------------------------------------------------- */

void
nv3c_print_vs(FILE *to, const struct nv3c_vs *vs);
void
nv3c_print_fs(FILE *to, const struct nv3c_fs *fs);

#endif
