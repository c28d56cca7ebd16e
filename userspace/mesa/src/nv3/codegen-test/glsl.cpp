/* SPDX-License-Identifier: MIT */
#include "glsl.h"

#include <stdlib.h>
#include <string.h>

#include "compiler/glsl/ast.h"
#include "compiler/glsl/builtin_functions.h"
#include "compiler/glsl/gl_nir.h"
#include "compiler/glsl/gl_nir_linker.h"
#include "compiler/glsl/glsl_parser_extras.h"
#include "compiler/glsl/ir_optimization.h"
#include "compiler/glsl/linker_util.h"
#include "compiler/glsl/standalone_scaffolding.h"
#include "main/mtypes.h"
#include "program/program.h"

extern "C" {
#include "codegen/nv3c.h"
}

struct state {
   struct gl_context ctx;
   struct gl_shader_program *program;
};

/* Sets the limits of class 0x1f. */
static void
init_context(struct gl_context *ctx, bool es)
{
   initialize_context_to_defaults(ctx, es ? API_OPENGLES2 : API_OPENGL_COMPAT);
   _mesa_glsl_builtin_functions_init_or_ref();
   ctx->Version = es ? 20 : 21;
   ctx->Const.GLSLVersion = es ? 100 : 120;
   ctx->Const.MaxClipPlanes = 6;
   ctx->Const.MaxTextureUnits = 8;
   ctx->Const.MaxTextureCoordUnits = 8;
   ctx->Const.MaxVarying = NV3C_TEXCOORDS;
   ctx->Const.MaxCombinedTextureImageUnits = NV3C_UNITS + NV3C_VS_UNITS;
   ctx->Const.MaxUserAssignableUniformLocations = 4 * 4096;
   for (unsigned i = 0; i < MESA_SHADER_STAGES; i++) {
      struct gl_program_constants *c = &ctx->Const.Program[i];

      c->MaxAttribs = NV3C_VS_ATTRIBUTES;
      c->MaxUniformComponents = 4 * NV3C_VS_UNIFORMS;
      c->MaxCombinedUniformComponents = 4 * NV3C_VS_UNIFORMS;
      c->MaxInputComponents = 4 * NV3C_TEXCOORDS;
      c->MaxOutputComponents = 4 * NV3C_TEXCOORDS;
      c->MaxTextureImageUnits = i == MESA_SHADER_FRAGMENT ? NV3C_UNITS :
                                i == MESA_SHADER_VERTEX ? NV3C_VS_UNITS : 0;
      ctx->Const.ShaderCompilerOptions[i].NirOptions =
         nv3c_options((gl_shader_stage)i);
   }
}

static bool
add_shader(struct state *s, GLenum type, const char *source, char **log)
{
   struct gl_shader *shader =
      standalone_add_shader_source(&s->ctx, s->program, type, source);

   _mesa_glsl_compile_shader(&s->ctx, shader, NULL, false, false, true);
   if (!shader->CompileStatus)
      *log = strdup(shader->InfoLog ? shader->InfoLog : "not compiled");
   return shader->CompileStatus;
}

static bool
link(struct state *s, char **log)
{
   _mesa_clear_shader_program_data(&s->ctx, s->program);
   s->program->data->LinkStatus = LINKING_SUCCESS;
   link_shaders_init(&s->ctx, s->program);
   gl_nir_link_glsl(&s->ctx, s->program);
   if (!s->program->data->LinkStatus)
      *log = strdup(s->program->data->InfoLog);
   return s->program->data->LinkStatus;
}

static int
count_vec4s(const struct glsl_type *type, bool bindless)
{
   return glsl_count_vec4_slots(type, false, bindless);
}

/* Runs the passes that the state tracker runs after linking. */
static nir_shader *
finish(struct state *s, gl_shader_stage stage)
{
   nir_shader *nir = s->program->_LinkedShaders[stage]->Program->nir;
   unsigned location = 0;
   unsigned lowered = nir_var_function_temp;

   /* The driver's shader capabilities require this lowering. */
   if (stage == MESA_SHADER_FRAGMENT)
      lowered |= nir_var_uniform;
   nir_lower_indirect_derefs(nir, (nir_variable_mode)lowered, UINT32_MAX);
   nir_lower_vars_to_ssa(nir);
   nir_lower_system_values(nir);
   nir_foreach_uniform_variable(var, nir) {
      if (glsl_contains_opaque(var->type))
         continue;
      var->data.driver_location = location;
      location += count_vec4s(var->type, false);
   }
   nir->num_uniforms = location;
   nir_lower_io(nir, nir_var_uniform, count_vec4s, (nir_lower_io_options)0);
   gl_nir_lower_samplers(nir, s->program);
   return nir;
}

void
glsl_compile(struct glsl_program *program, const char *vs, const char *fs)
{
   struct state *s = (struct state *)calloc(1, sizeof(*s));
   bool es = strstr(fs, "precision ") || strstr(vs, "#version 100");

   *program = { NULL };
   program->state = s;
   init_context(&s->ctx, es);
   s->program = standalone_create_shader_program();
   if (!add_shader(s, GL_VERTEX_SHADER, vs, &program->log) ||
       !add_shader(s, GL_FRAGMENT_SHADER, fs, &program->log) ||
       !link(s, &program->log))
      return;
   program->vs = finish(s, MESA_SHADER_VERTEX);
   program->fs = finish(s, MESA_SHADER_FRAGMENT);
}

void
glsl_free(struct glsl_program *program)
{
   struct state *s = (struct state *)program->state;

   standalone_destroy_shader_program(s->program);
   _mesa_glsl_builtin_functions_decref();
   free(program->log);
   free(s);
}
