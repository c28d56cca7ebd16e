/* SPDX-License-Identifier: MIT */
/*
 * Translates GLSL to the NIR that Mesa's state tracker passes to the driver.
 */
#ifndef NV3_CODEGEN_TEST_GLSL_H
#define NV3_CODEGEN_TEST_GLSL_H

#include "compiler/nir/nir.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A linked program: NIR of both stages, with the compiler's options. */
struct glsl_program {
   nir_shader *vs, *fs;
   char *log;  /* the reason for a failure to compile or link, or NULL */
   void *state;
};

/*
 * Compiles and links the sources @vs and @fs. Sources without a #version are
 * GLSL 1.10. On an error, both shaders are NULL.
 */
void
glsl_compile(struct glsl_program *program, const char *vs, const char *fs);

void
glsl_free(struct glsl_program *program);

#ifdef __cplusplus
}
#endif

#endif
