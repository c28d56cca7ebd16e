/* SPDX-License-Identifier: MIT */
/*
 * nv3-codegen-test compiles shaders and compares the results of the programs
 * with an evaluation of the shaders. The output is TAP.
 *
 *    nv3-codegen-test [NAME...]              compares all shaders, or the named ones
 *    nv3-codegen-test --print NAME           prints the programs of a shader
 *    nv3-codegen-test --files VERT FRAG      compares shaders in files, and prints them
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compare.h"
#include "compiler/glsl_types.h"
#include "glsl.h"
#include "shaders.h"
#include "util/macros.h"

#define RUNS 16

static bool
run(const struct shader *shader, bool print, char message[512])
{
   struct glsl_program program;
   struct compare c = { .vs = NULL };
   bool passed = false;

   glsl_compile(&program, shader->vs ? shader->vs : default_vs,
                shader->fs ? shader->fs : default_fs);
   if (program.log)
      snprintf(message, 512, "%s", program.log);
   if (program.log)
      goto out;
   c.vs = program.vs;
   c.fs = program.fs;
   c.inlines = shader->inlines;
   passed = compare_compile(&c) && compare_run(&c, RUNS, 1);
   if (print) {
      nv3c_print(stdout, &c.vs_code);
      nv3c_print(stdout, &c.fs_code);
   }
   if (passed && ((shader->vs_max &&
                   c.vs_code.stats.instructions > shader->vs_max) ||
                  (shader->fs_max &&
                   c.fs_code.stats.instructions > shader->fs_max))) {
      snprintf(c.message, sizeof(c.message), "too many instructions: %u, %u",
               c.vs_code.stats.instructions, c.fs_code.stats.instructions);
      passed = false;
   }
   snprintf(message, 512, "%s", c.message);
   compare_finish(&c);
out:
   glsl_free(&program);
   return passed;
}

static char *
read_file(const char *name)
{
   FILE *file = fopen(name, "r");
   char *text = calloc(1, 1 << 20);

   if (!file || !fread(text, 1, (1 << 20) - 1, file)) {
      perror(name);
      exit(2);
   }
   fclose(file);
   return text;
}

static int
run_files(const char *vs, const char *fs)
{
   struct shader shader = { vs, read_file(vs), read_file(fs) };
   char message[512];
   bool passed = run(&shader, true, message);

   printf("%s %s: %s\n", vs, fs, passed ? "passed" : message);
   return !passed;
}

static bool
is_wanted(const char *name, int count, char **names)
{
   for (int i = 0; i < count; i++) {
      if (!strcmp(name, names[i]))
         return true;
   }
   return !count;
}

int
main(int argc, char **argv)
{
   const struct shader *const lists[] = {
      basic_shaders, vertex_shaders, fragment_shaders, scene_shaders,
   };
   bool print = argc > 1 && !strcmp(argv[1], "--print");
   unsigned number = 0, failed = 0;

   glsl_type_singleton_init_or_ref();
   if (argc == 4 && !strcmp(argv[1], "--files"))
      return run_files(argv[2], argv[3]);
   argc -= 1 + print;
   argv += 1 + print;
   for (unsigned l = 0; l < ARRAY_SIZE(lists); l++) {
      for (const struct shader *s = lists[l]; s->name; s++) {
         char message[512];

         if (!is_wanted(s->name, argc, argv))
            continue;
         number++;
         if (run(s, print, message)) {
            printf("ok %u - %s\n", number, s->name);
         } else {
            printf("not ok %u - %s\n# %s\n", number, s->name, message);
            failed++;
         }
         fflush(stdout);
      }
   }
   printf("1..%u\n", number);
   return failed != 0;
}
