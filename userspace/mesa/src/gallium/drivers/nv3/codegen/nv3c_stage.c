/* SPDX-License-Identifier: MIT */
/*
 * Implements the parts of compilation and disassembly that are common to both
 * stages.
 */
#include "codegen/nv3c_stage.h"

#include <stdlib.h>
#include <string.h>

#include "codegen/nv3c_nir.h"
#include "util/ralloc.h"

/* The minimum budget for loops whose number of iterations is not known. */
#define BUDGET_MIN 16

/*
 * Ways to compile a program, in the order of the attempts. Each way may need
 * fewer registers but more instructions than the previous way.
 */
enum {
   REUSE_MOVES,
   REPEAT_MOVES,
   SCHEDULE,
   ATTEMPTS
};

/* Failures after which another attempt may succeed. */
struct failure {
   bool registers, length;
};

static char *
try_compile(nir_shader *nir, nv3c_compile_fn compile, void *data,
            unsigned attempt, struct failure *failure)
{
   struct nv3c_program *p = nv3c_program_create(nir->info.stage);
   char *error = NULL;

   if (!p)
      return strdup("no memory");
   if (attempt == SCHEDULE)
      nv3c_schedule_nir(nir);
   p->reuse_moves = attempt == REUSE_MOVES;
   compile(p, nir, data);
   failure->registers = p->out_of_registers;
   failure->length = p->too_long;
   if (p->error)
      error = strdup(p->error);
   nv3c_program_destroy(p);
   return error;
}

static char *
compile_lowered(nir_shader *nir, nv3c_compile_fn compile, void *data,
                struct failure *failure)
{
   char *error = NULL;

   failure->registers = true;
   for (unsigned i = 0; failure->registers && i < ATTEMPTS; i++) {
      free(error);
      error = try_compile(nir, compile, data, i, failure);
   }
   return error;
}

char *
nv3c_compile_nir(nir_shader *nir, nv3c_compile_fn compile, void *data,
                 bool *bounded)
{
   unsigned budget = nir->info.stage == MESA_SHADER_VERTEX ? NV3C_VS_INSNS :
                                                             NV3C_FS_INSNS;
   struct failure failure;
   char *error;
   bool again;

   do {
      nir_shader *lowered = nir_shader_clone(NULL, nir);
      const char *why = nv3c_lower_nir(lowered, budget, bounded);

      failure = (struct failure){ .length = false };
      error = why ? strdup(why) :
                    compile_lowered(lowered, compile, data, &failure);
      ralloc_free(lowered);
      /*
       * After a failure, halve the budget for loops whose number of iterations
       * is not known, and try again.
       */
      budget /= 2;
      again = error && *bounded && (failure.length || failure.registers) &&
              budget >= BUDGET_MIN;
      if (again)
         free(error);
   } while (again);
   return error;
}

void
nv3c_print_mask(FILE *to, unsigned mask)
{
   if (mask == 15)
      return;
   fputc('.', to);
   for (unsigned i = 0; i < 4; i++) {
      if (mask & 1u << i)
         fputc("xyzw"[i], to);
   }
}

void
nv3c_print_swizzle(FILE *to, unsigned swizzle)
{
   if (swizzle == 0xe4)
      return;
   fputc('.', to);
   for (unsigned i = 0; i < 4; i++) {
      fputc("xyzw"[swizzle >> 2 * i & 3], to);
      /* Print a swizzle of four equal components as one letter. */
      if (i == 0 && swizzle % 0x55 == 0)
         break;
   }
}
