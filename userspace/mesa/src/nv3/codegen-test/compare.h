/* SPDX-License-Identifier: MIT */
/*
 * Runs compiled programs on the reference interpreters of the chip core, and
 * compares the programs' results with an evaluation of the shaders' NIR.
 */
#ifndef NV3_CODEGEN_TEST_COMPARE_H
#define NV3_CODEGEN_TEST_COMPARE_H

#include "codegen/nv3c.h"
#include "evaluate.h"

struct compare {
   /*
    * linked shaders; the compiler gets clones, because it changes its input
    */
   nir_shader *vs, *fs;
   bool inlines;            /* see struct shader */
   struct nv3c_program vs_code, fs_code;
   char message[512];       /* describes a wrong result or a failure */
};

/*
 * Compiles both shaders, or only the fragment shader if c->inlines is set. In
 * this case, compare_run() compiles both shaders again, with the values of loop
 * uniforms as constants. On an error, sets the message and returns false.
 */
bool
compare_compile(struct compare *c);

/*
 * Runs @runs groups of four vertices and four fragments. The inputs and the
 * uniforms are random numbers, which depend only on @seed. If a result
 * differs, sets the message and returns false.
 */
bool
compare_run(struct compare *c, unsigned runs, unsigned seed);

void
compare_finish(struct compare *c);

#endif
