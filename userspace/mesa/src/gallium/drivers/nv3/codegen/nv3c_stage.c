/* SPDX-License-Identifier: MIT */
/* The compilation of a variant, of either stage. */
#include "codegen/nv3c_stage.h"

#include <stdlib.h>
#include <string.h>

#include "codegen/nv3c_nir.h"

/* Ways to compile, each with fewer registers and more instructions. */
enum {
   REUSE_MOVES,
   REPEAT_MOVES,
   SCHEDULE,
   ATTEMPTS
};

static char *
try_compile(nir_shader *nir, nv3c_compile_fn compile, void *data,
            unsigned attempt, bool *again)
{
   struct nv3c_program *p = nv3c_program_create(nir->info.stage);
   char *error = NULL;

   if (!p)
      return strdup("no memory");
   if (attempt == SCHEDULE)
      nv3c_schedule_nir(nir);
   p->reuse_moves = attempt == REUSE_MOVES;
   compile(p, nir, data);
   *again = p->out_of_registers;
   if (p->error)
      error = strdup(p->error);
   nv3c_program_destroy(p);
   return error;
}

char *
nv3c_compile_nir(nir_shader *nir, nv3c_compile_fn compile, void *data)
{
   const char *why = nv3c_lower_nir(nir);
   char *error = NULL;
   bool again = true;

   if (why)
      return strdup(why);
   for (unsigned i = 0; again && i < ATTEMPTS; i++) {
      free(error);
      error = try_compile(nir, compile, data, i, &again);
   }
   return error;
}
