/* SPDX-License-Identifier: MIT */
#include "shaders.h"

const char default_vs[] =
   "attribute vec4 position, value;\n"
   "varying vec4 v;\n"
   "void main() { gl_Position = position; v = value; }\n";

const char default_fs[] =
   "varying vec4 v;\n"
   "void main() { gl_FragColor = v; }\n";

const struct shader basic_shaders[] = {
   /*
    * The vertex program has three instructions, because the linker adds a
    * write of the point size.
    */
   { "pass", default_vs, default_fs, 3, 1 },
   { "transform",
     "attribute vec4 position;\n"
     "attribute vec3 normal;\n"
     "uniform mat4 matrix;\n"
     "varying vec4 v;\n"
     "void main() { gl_Position = matrix * position; v = vec4(normal, 1.0); }",
     NULL },
   { "phong",
     "attribute vec3 position, normal;\n"
     "uniform mat4 modelview, projection;\n"
     "uniform mat3 normals;\n"
     "varying vec3 n, p;\n"
     "void main() {\n"
     "   vec4 eye = modelview * vec4(position, 1.0);\n"
     "   n = normalize(normals * normal);\n"
     "   p = eye.xyz;\n"
     "   gl_Position = projection * eye;\n"
     "}\n",
     "varying vec3 n, p;\n"
     "uniform vec3 light;\n"
     "uniform vec4 ambient, diffuse, specular;\n"
     "uniform float shininess;\n"
     "void main() {\n"
     "   vec3 l = normalize(light - p), m = normalize(n);\n"
     "   vec3 h = normalize(l - normalize(p));\n"
     "   float d = max(dot(m, l), 0.0), s = 0.0;\n"
     "   if (d > 0.0)\n"
     "      s = pow(max(dot(m, h), 0.0), 4.0 + abs(shininess));\n"
     "   gl_FragColor = ambient + d * diffuse + s * specular;\n"
     "}\n" },
   { "texture-modulate",
     "attribute vec4 position, color;\n"
     "attribute vec2 coord;\n"
     "uniform mat4 matrix;\n"
     "varying vec2 c;\n"
     "void main() {\n"
     "   gl_Position = matrix * position;\n"
     "   gl_FrontColor = color;\n"
     "   c = coord;\n"
     "}\n",
     "varying vec2 c;\n"
     "uniform sampler2D image;\n"
     "void main() { gl_FragColor = texture2D(image, c) * gl_Color; }\n", 0, 2 },
   { NULL },
};
