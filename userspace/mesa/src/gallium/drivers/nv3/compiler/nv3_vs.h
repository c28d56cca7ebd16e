/* SPDX-License-Identifier: MIT */
#ifndef NV3_VS_H
#define NV3_VS_H

#include "pipe/p_state.h"

#include "compiler/nv3_expr.h"

#define NV3_MAX_OUTPUTS 16

/*
 * A vertex shader without branches, which nv3_program.c executes. The draw
 * module executes all other vertex shaders. NV3_OP_VARYING is an attribute: a
 * is the vertex element, and b is the component. Components that are not
 * written are -1.
 */
struct nv3_vs_info {
   const char *reason;  /* why it is not supported, or NULL */
   struct nv3_expr expr;
   int position[4];
   unsigned output_count;
   struct {
      uint8_t semantic, index;  /* TGSI's */
      int op[4];
   } outputs[NV3_MAX_OUTPUTS];
};

/*
 * Analyses a vertex shader and frees its NIR. If @print is set, prints the
 * result. Returns NULL only without memory.
 */
struct nv3_vs_info *
nv3_vs_analyse(const struct pipe_shader_state *templ, bool print);

void
nv3_vs_free(struct nv3_vs_info *info);

#endif
