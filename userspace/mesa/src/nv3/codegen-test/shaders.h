/* SPDX-License-Identifier: MIT */
/* The shaders of the test (shaders-*.c). */
#ifndef NV3_CODEGEN_TEST_SHADERS_H
#define NV3_CODEGEN_TEST_SHADERS_H

#include <stdbool.h>
#include <stddef.h>

struct shader {
   const char *name;
   const char *vs; /* NULL: a vertex shader that passes one varying */
   const char *fs; /* NULL: a fragment shader that reads this varying */
   /*
    * The maximum numbers of instructions of the compiled programs, or 0 for
    * no limit.
    */
   unsigned vs_max, fs_max;
   /*
    * True if the test replaces loop uniforms, which determine numbers of
    * iterations, by constants.
    */
   bool inlines;
};

/* Each list ends with a shader without a name. */
extern const struct shader basic_shaders[], vertex_shaders[], fragment_shaders[],
   scene_shaders[];

extern const char default_vs[], default_fs[];

#endif
