/* SPDX-License-Identifier: MIT */
/* Declares functions for shaders, their variants, and their constants. */
#ifndef NV3P_PROGRAM_H
#define NV3P_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

struct draw_vertex_shader;
struct nir_shader;
struct nv3c_fs;
struct nv3p_context;
struct nv3p_shader;

/* Features that the driver adds to a fragment shader (nv3p_nir.h). */
enum {
   NV3P_FS_STIPPLE = 1 << 0,
   NV3P_FS_SMOOTH_LINES = 1 << 1,
   NV3P_FS_SMOOTH_POINTS = 1 << 2,
};

/* The input that receives the coverage of smooth lines and points. */
#define NV3P_COVERAGE_SLOT VARYING_SLOT_VAR31

/*
 * Choose the variants for the bound state, and compile them if necessary.
 * Return false if there is no shader, or if the class can't execute the
 * variant. The caller must call nv3p_update_fs() before nv3p_update_vs().
 * @features is the mask of the fragment variant's features (NV3P_FS_*). @vs
 * is the bound vertex shader, or a shader that replaces it.
 */
bool
nv3p_update_fs(struct nv3p_context *ctx, unsigned features);
bool
nv3p_update_vs(struct nv3p_context *ctx, struct nv3p_shader *vs);

/* Returns the current fragment program. */
const struct nv3c_fs *
nv3p_fs_code(const struct nv3p_context *ctx);

/* Returns the texture unit of the polygon stipple, or -1. */
int
nv3p_stipple_unit(const struct nv3p_context *ctx);

/* ---- the bound vertex shader ---- */

/*
 * True if the vertex engine can sample all textures of the bound vertex
 * shader.
 */
bool
nv3p_vs_textures_supported(const struct nv3p_context *ctx);

/*
 * True if the bound vertex shader writes edge flags, which select the polygon
 * edges to draw.
 */
bool
nv3p_vs_writes_edge_flags(const struct nv3p_context *ctx);

/* Bit i of the result is set if the current vertex program samples unit i. */
uint8_t
nv3p_vs_units(const struct nv3p_context *ctx);

/* Returns a copy of the bound vertex shader, which the caller frees. */
struct nir_shader *
nv3p_clone_vs(const struct nv3p_context *ctx);

/*
 * Returns the location where nv3p_tnl.c stores the draw module's version of the
 * bound vertex shader.
 */
struct draw_vertex_shader **
nv3p_draw_vs(struct nv3p_context *ctx);

/* ---- programs ---- */

/*
 * Returns the contents of constant buffer 0 of @stage (NV3P_STAGE_*), and sets
 * @count to the number of words in the buffer. Returns NULL if no buffer is
 * bound.
 */
const uint32_t *
nv3p_map_constants(const struct nv3p_context *ctx, unsigned stage,
                   unsigned *count);

/* Emits the chosen variants and their constants. */
void
nv3p_emit_programs(struct nv3p_context *ctx);

/*
 * Makes the next draw upload programs and constants again. Must be called when
 * the channel may have lost them.
 */
void
nv3p_forget_programs(struct nv3p_context *ctx);

/*
 * Bit i of the result is set if the current vertex program reads attribute i.
 */
uint16_t
nv3p_attributes(const struct nv3p_context *ctx);

bool
nv3p_writes_point_size(const struct nv3p_context *ctx);

/*
 * Bit i of the result is set if the chip replaces texture coordinate i of
 * points by point coordinates.
 */
uint32_t
nv3p_sprite_coords(const struct nv3p_context *ctx);

void
nv3p_program_fini(struct nv3p_context *ctx);

#endif
