/* SPDX-License-Identifier: MIT */
/*
 * Shaders that resemble the shaders of benchmarks, with filters, bump maps,
 * shadows and noise.
 */
#include "shaders.h"

static const char lit_vertices[] =
   "#version 120\n"
   "attribute vec3 position, normal, tangent;\n"
   "attribute vec2 coord;\n"
   "uniform mat4 modelview, projection;\n"
   "varying vec3 n, t, p;\n"
   "varying vec2 c;\n"
   "void main() {\n"
   "   vec4 eye = modelview * vec4(position, 1.0);\n"
   "   n = mat3(modelview) * normal;\n"
   "   t = mat3(modelview) * tangent;\n"
   "   p = eye.xyz;\n"
   "   c = coord;\n"
   "   gl_Position = projection * eye;\n"
   "}\n";

#define LIT "#version 120\nvarying vec3 n, t, p;\nvarying vec2 c;\n"

const struct shader scene_shaders[] = {
   { "scene-convolution", NULL,
     "varying vec4 v;\n"
     "uniform sampler2D image;\n"
     "uniform float weights[9];\n"
     "void main() {\n"
     "   vec4 sum = vec4(0.0);\n"
     "   for (int y = 0; y < 3; y++)\n"
     "      for (int x = 0; x < 3; x++)\n"
     "         sum += weights[y * 3 + x] * texture2D(image, v.xy\n"
     "            + vec2(float(x - 1), float(y - 1)) * 0.004);\n"
     "   gl_FragColor = vec4(sum.rgb, 1.0);\n"
     "}\n" },
   { "scene-bump", lit_vertices,
     LIT "uniform sampler2D bumps;\n"
     "uniform vec3 light;\n"
     "void main() {\n"
     "   vec3 z = normalize(n), x = normalize(t), y = cross(z, x);\n"
     "   vec3 b = texture2D(bumps, c).xyz * 2.0 - 1.0;\n"
     "   vec3 m = normalize(mat3(x, y, z) * (b + vec3(0.0, 0.0, 2.0)));\n"
     "   float d = max(dot(m, normalize(light - p)), 0.0);\n"
     "   gl_FragColor = vec4(vec3(0.1 + 0.8 * d), 1.0);\n"
     "}\n" },
   { "scene-cel", lit_vertices,
     LIT "uniform vec3 light;\n"
     "uniform vec4 color;\n"
     "void main() {\n"
     "   float d = dot(normalize(n), normalize(light));\n"
     "   float shade = 0.2;\n"
     "   if (d > 0.9) shade = 1.0;\n"
     "   else if (d > 0.5) shade = 0.7;\n"
     "   else if (d > 0.1) shade = 0.4;\n"
     "   gl_FragColor = vec4(color.rgb * shade, 1.0) + 0.01 * vec4(t + p, c.x);\n"
     "}\n" },
   { "scene-shadow", NULL,
     "varying vec4 v;\n"
     "uniform sampler2DShadow map;\n"
     "uniform vec4 color;\n"
     "void main() {\n"
     "   float lit = 0.0;\n"
     "   for (float i = -1.5; i < 2.0; i += 1.0)\n"
     "      lit += shadow2D(map, v.xyz + vec3(i * 0.01, i * 0.02, 0.0)).x;\n"
     "   gl_FragColor = vec4(color.rgb * (0.3 + 0.7 * lit / 4.0), color.a);\n"
     "}\n" },
   { "scene-waves",
     "attribute vec4 position;\n"
     "uniform mat4 matrix;\n"
     "uniform float time;\n"
     "varying vec4 v;\n"
     "void main() {\n"
     "   vec4 q = position;\n"
     "   float phase = time + q.x * 3.0;\n"
     "   q.y += 0.2 * sin(phase) + 0.1 * cos(phase * 2.1 + q.z);\n"
     "   v = vec4(0.5 + 0.5 * cos(phase), q.y, fract(phase), 1.0);\n"
     "   gl_Position = matrix * q;\n"
     "}\n", NULL },
   { "scene-noise", NULL,
     "varying vec4 v;\n"
     "float corner(vec2 q) { return fract(q.x * 0.37 + q.y * 0.61 + q.x * q.y * 0.13); }\n"
     "float noise(vec2 q) {\n"
     "   vec2 i = floor(q), f = fract(q);\n"
     "   f = f * f * (3.0 - 2.0 * f);\n"
     "   return mix(mix(corner(i), corner(i + vec2(1.0, 0.0)), f.x),\n"
     "              mix(corner(i + vec2(0.0, 1.0)), corner(i + 1.0), f.x), f.y);\n"
     "}\n"
     "void main() {\n"
     "   float sum = 0.0, size = 1.0;\n"
     "   for (int i = 0; i < 4; i++) {\n"
     "      sum += noise(v.xy * 2.0 / size) * size;\n"
     "      size *= 0.5;\n"
     "   }\n"
     "   gl_FragColor = vec4(sum);\n"
     "}\n" },
   { NULL },
};
