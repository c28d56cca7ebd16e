/* SPDX-License-Identifier: MIT */
/*
 * A small assembler for the vertex and fragment programs of class 0x1F. Each line of a program is
 * an instruction. The assembler ignores text after #.
 *
 *	DP4 o0.x, v0, c0		# vertex program: position x
 *	MAD r1.xyz, r2.zxy, -r3.yzx, r1
 *	TEX r0, f4, t0			# fragment program: texture unit 0 at input 4
 *	MUL_SAT r0.xyz, r0, {1, 0.5, 0, 1}
 *
 * Temporary registers begin with r. Vertex programs also have attributes (v), constants (c) and
 * outputs (o). Fragment programs also have inputs (f), texture units (t), and constants in braces.
 * The result of a fragment program is r0. An instruction can use one attribute or input, and one
 * constant. In fragment programs, the suffix _SAT clamps results to [0, 1], and _BX2 maps results
 * of TEX from [0, 1] to [-1, 1].
 *
 * docs/reference/chip/programs.md and fragment.md describe the operations and the encoding.
 */
#ifndef DEMO_ASSEMBLE_H
#define DEMO_ASSEMBLE_H

#include <stdint.h>

/*
 * Assembles @text into @words, which has room for @max words. Returns the number of words, or the
 * negated number of the first line that is invalid or exceeds @max.
 */
int assemble_vertex(const char *text, uint32_t *words, uint32_t max);
int assemble_fragment(const char *text, uint32_t *words, uint32_t max);

#endif
