/* SPDX-License-Identifier: MIT */
/* Shaders, their variants, and their constants. */
#ifndef NV3P_PROGRAM_H
#define NV3P_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

struct nv3p_context;

/*
 * Chooses the variants for the bound state, and compiles them if necessary.
 * Returns false if there is none; then nothing can be drawn.
 */
bool
nv3p_update_programs(struct nv3p_context *ctx);

/* Emits the variants and their constants. */
void
nv3p_emit_programs(struct nv3p_context *ctx);

/* The class may have lost programs and constants. */
void
nv3p_forget_programs(struct nv3p_context *ctx);

/* Bit i: the current vertex program reads attribute i. */
uint16_t
nv3p_attributes(const struct nv3p_context *ctx);

bool
nv3p_writes_point_size(const struct nv3p_context *ctx);

/* Bit i: texture coordinate i is replaced for points. */
uint32_t
nv3p_sprite_coords(const struct nv3p_context *ctx);

void
nv3p_program_fini(struct nv3p_context *ctx);

#endif
