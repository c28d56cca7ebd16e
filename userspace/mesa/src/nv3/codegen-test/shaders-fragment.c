/* SPDX-License-Identifier: MIT */
/* Fragment shaders. Each shader tests one group of operations. */
#include "shaders.h"

static const char vertices[] =
   "#version 120\n"
   "attribute vec4 a, b, c;\n"
   "varying vec4 x, y;\n"
   "varying vec2 z;\n"
   "void main() {\n"
   "   gl_Position = a;\n"
   "   gl_FrontColor = b;\n"
   "   gl_FrontSecondaryColor = c;\n"
   "   gl_FogFragCoord = a.z;\n"
   "   gl_TexCoord[0] = b;\n"
   "   gl_TexCoord[5] = c;\n"
   "   x = b; y = c; z = a.xy;\n"
   "}\n";

#define HEAD \
   "#version 120\n" \
   "#extension GL_ARB_shader_texture_lod : enable\n" \
   "varying vec4 x, y;\n" \
   "varying vec2 z;\n" \
   "uniform vec4 u, w;\n" \
   "uniform sampler2D s2, t2;\n" \
   "uniform sampler1D s1;\n" \
   "uniform sampler3D s3;\n" \
   "uniform samplerCube sc;\n" \
   "uniform sampler2DShadow d2;\n" \
   "uniform sampler1DShadow d1;\n"

#define COMPUTES(body) vertices, HEAD "void main() {\n" body "}\n"

const struct shader fragment_shaders[] = {
   { "fs-arithmetic",
     COMPUTES("gl_FragColor = (x + y * 2.0) / (abs(x.wzyx) + 0.5) - u;\n") },
   { "fs-divisions",
     COMPUTES("gl_FragColor = x / (abs(y) + 0.5) + y / (u.x * u.x + 1.0);\n") },
   { "fs-scalar-divisions",
     COMPUTES("float a = x.x / (abs(y.y) + 0.5), b = x.z / (abs(y.w) + 0.5);\n"
              "float c = a / (abs(b) + 0.5), d = b / (abs(a) + 0.5);\n"
              "gl_FragColor = vec4(a * d, c / (abs(d) + 0.5), b * c, a);\n") },
   { "fs-inputs",
     COMPUTES("gl_FragColor = x * y + gl_Color * gl_SecondaryColor\n"
              "  + gl_TexCoord[0] * gl_TexCoord[5].x + z.xyxy\n"
              "  + gl_FogFragCoord;\n") },
   { "fs-constants",
     COMPUTES("gl_FragColor = x * vec4(1.0, 2.0, 3.0, 4.0)\n"
              "  + vec4(u.x, 0.5, w.y, 7.0);\n"
              "gl_FragColor = gl_FragColor * u + w;\n"
              "gl_FragColor.z += 3.0 * u.w - 5.0 * w.x;\n") },
   { "fs-modifiers",
     COMPUTES("gl_FragColor = -abs(x) * -y + abs(-u.wzyx);\n"
              "gl_FragColor.xy = clamp(gl_FragColor.xy + z, 0.0, 1.0);\n") },
   { "fs-dot",
     COMPUTES("gl_FragColor = vec4(dot(x, u), dot(x.xyz, y.zyx), dot(z, y.wz),\n"
              "                    dot(vec4(x.xyz, 1.0), w));\n") },
   { "fs-rounding",
     COMPUTES("gl_FragColor = floor(x) + ceil(y * 3.0) + fract(x.wzyx)\n"
              "  + vec4(ivec4(y * 5.0));\n") },
   { "fs-sign", COMPUTES("gl_FragColor = sign(x) + sign(y.xxyy) * 2.0;\n") },
   { "fs-exponents",
     COMPUTES("gl_FragColor = vec4(exp2(x.x), log2(abs(x.y) + 0.1), exp(y.z),\n"
              "                    log(abs(y.w) + 0.2));\n"
              "gl_FragColor *= pow(abs(x) + 0.1, y);\n") },
   { "fs-powers",
     COMPUTES("gl_FragColor = pow(abs(x) + 0.1, vec4(1.0, 3.0, 7.0, 12.0))\n"
              "  + pow(abs(y) + 0.1, vec4(5.0, 17.0, 31.0, 2.5));\n") },
   { "fs-roots",
     COMPUTES("gl_FragColor = sqrt(abs(x)) + inversesqrt(abs(y) + 0.25);\n"
              "gl_FragColor.w = sqrt(x.x - x.x);\n") },
   { "fs-angles",
     COMPUTES("gl_FragColor = sin(x * 4.0) + cos(y * 7.0);\n"
              "gl_FragColor.z += tan(x.x * 0.5);\n"
              "gl_FragColor.w += atan(x.y, y.z) + asin(y.x * 0.4);\n") },
   { "fs-mixing",
     COMPUTES("gl_FragColor = mix(x, y, u) + mix(u, w, x.x) + clamp(y, u, u + 1.0)\n"
              "  + smoothstep(-1.0, 1.0, x) + step(x, y) * 2.0;\n") },
   { "fs-mod",
     COMPUTES("gl_FragColor = mod(x, 0.75) + mod(y, x) + mod(floor(x * 20.0), 3.0);\n") },
   { "fs-geometric",
     COMPUTES("vec3 n = normalize(y.xyz);\n"
              "gl_FragColor.xyz = cross(x.xyz, y.yzx) + reflect(x.xyz, n)\n"
              "  + refract(normalize(x.xyz), n, 0.7)\n"
              "  + faceforward(n, x.xyz, u.xyz);\n"
              "gl_FragColor.w = length(x.xyz) + distance(x, y);\n") },
   { "fs-comparisons",
     COMPUTES("gl_FragColor = vec4(lessThan(x, y)) + 2.0 * vec4(equal(floor(x), floor(y)));\n"
              "if (any(lessThan(x, vec4(-1.5)))) gl_FragColor.x += 16.0;\n"
              "if (all(greaterThan(y, vec4(-1.8)))) gl_FragColor.y += 16.0;\n"
              "if (x.xyz == y.xyz || !(x.x < 0.0 && y.y > 0.0))\n"
              "   gl_FragColor.z += 16.0;\n"
              "gl_FragColor.w += x.w < 0.0 ^^ y.w < 0.0 ? 1.0 : 5.0;\n") },
   { "fs-selects",
     COMPUTES("vec4 v = x.x > 0.0 ? y : u;\n"
              "v.x = x.y > 0.5 ? 0.0 : v.x;\n"
              "v.y = x.z > 0.5 ? v.y : 0.0;\n"
              "v.z = y.x < x.x ? v.z : 3.0;\n"
              "v.w = y.x < u.x ? w.x : u.w;\n"
              "gl_FragColor = v;\n") },
   { "fs-select-vector",
     COMPUTES("bvec4 m = lessThan(x, y);\n"
              "gl_FragColor = vec4(m.x ? x.x : y.w, m.y ? u.y : x.z,\n"
              "                    m.z ? 1.0 : y.y, m.w ? z.x : w.w);\n"
              "gl_FragColor += m.y ? x : y;\n") },
   { "fs-select-chain",
     COMPUTES("vec4 v = x;\n"
              "if (y.x > 0.0) v = v * 2.0;\n"
              "if (y.y > 0.0) v = v.wzyx + 1.0;\n"
              "if (y.z > 0.0 && v.x > 0.0) v.x = v.y;\n"
              "gl_FragColor = v + x;\n") },
   { "fs-select-infinity",
     COMPUTES("float zero = x.x - x.x;\n"
              "gl_FragColor = vec4(zero == 0.0 ? x.y : x.z / zero);\n") },
   { "fs-branches",
     COMPUTES("gl_FragColor = vec4(0.0);\n"
              "if (x.x > 0.0) {\n"
              "   if (x.y > 0.0) gl_FragColor = y;\n"
              "   else { gl_FragColor = u; gl_FragColor.x = x.w; }\n"
              "   gl_FragColor.y += 1.0;\n"
              "} else if (x.z < 0.5) {\n"
              "   gl_FragColor.zw = sin(x.xy);\n"
              "}\n") },
   { "fs-loop",
     COMPUTES("vec4 v = x;\n"
              "for (int i = 0; i < 12; i++) {\n"
              "   if (v.x > 3.0) break;\n"
              "   if (y.y * float(i) > 2.0) continue;\n"
              "   v += abs(y) + float(i) * 0.1;\n"
              "}\n"
              "gl_FragColor = v;\n") },
   { "fs-loop-unknown",
     vertices, HEAD "uniform int n;\n"
     "void main() {\n"
     "   vec4 v = x;\n"
     "   for (int i = 0; i < n; i++) {\n"
     "      for (int j = 0; j <= i; j++) v = v * 0.9 + y;\n"
     "      if (v.x < -3.0) discard;\n"
     "      if (v.y > 3.0) break;\n"
     "      v += texture2D(s2, v.xy);\n"
     "   }\n"
     "   gl_FragColor = v;\n"
     "}\n" },
   { "fs-loop-nested",
     COMPUTES("int n = int(abs(x.x) * 2.0), m = int(abs(y.x) * 2.0);\n"
              "vec4 v = vec4(0.0);\n"
              "for (int i = 0; i < n; i++) {\n"
              "   for (int j = 0; j < m; j++) v = v * 0.5 + float(j) * y;\n"
              "   for (int j = 0; j < n; j++) v = v.yzwx;\n"
              "}\n"
              "gl_FragColor = v;\n") },
   { "fs-loop-uniform",
     vertices, HEAD "uniform int n; uniform float limit;\n"
     "void main() {\n"
     "   vec4 v = x;\n"
     "   for (float i = 0.0; i < abs(limit) * 20.0; i += 1.0) {\n"
     "      for (int j = 0; j <= n; j++) v = v * 0.9 + y;\n"
     "      v += texture2D(s2, v.xy);\n"
     "   }\n"
     "   gl_FragColor = v;\n"
     "}\n", .inlines = true },
   { "fs-mandelbrot",
     COMPUTES("vec2 k = z * 0.7, p = vec2(0.0);\n"
              "float n = 0.0;\n"
              "for (int i = 0; i < 24; i++) {\n"
              "   p = vec2(p.x * p.x - p.y * p.y, 2.0 * p.x * p.y) + k;\n"
              "   if (dot(p, p) > 4.0) break;\n"
              "   n += 1.0;\n"
              "}\n"
              "gl_FragColor = vec4(n / 24.0);\n") },
   { "fs-integers",
     COMPUTES("int i = int(x.x * 10.0), j = int(y.y * 4.0) * 2 + 11;\n"
              "int k = i * j - 3;\n"
              "gl_FragColor = vec4(i + j, k, k / j, (i * 7) / 3);\n"
              "if (i < j) gl_FragColor.x += 100.0;\n"
              "if (i == 3 || k >= 20) gl_FragColor.y -= 50.0;\n") },
   { "fs-uniform-array",
     vertices, HEAD "uniform vec4 t[6]; uniform float f[4];\n"
     "void main() {\n"
     "   int i = int(abs(x.x) * 1.9);\n"
     "   gl_FragColor = t[i] + t[i + 2] * f[3 - i];\n"
     "}\n" },
   { "fs-local-array",
     COMPUTES("vec2 t[4];\n"
              "for (int i = 0; i < 4; i++) t[i] = x.xy * float(i) + y.zw;\n"
              "int k = int(abs(x.x) * 1.9);\n"
              "t[k].x = 9.0;\n"
              "gl_FragColor = vec4(t[0].x, t[k].y, t[3].x, t[3 - k].x);\n") },
   { "fs-varying-index",
     vertices, HEAD "void main() {\n"
     "   int i = int(abs(x.x) * 1.9);\n"
     "   gl_FragColor = vec4(x[i], y[3 - i], gl_Color[i], u[i]);\n"
     "}\n" },
   { "fs-derivatives",
     COMPUTES("gl_FragColor = dFdx(x) + dFdy(y) * 2.0 + fwidth(x.wzyx * y);\n") },
   { "fs-discard",
     COMPUTES("if (x.x < 0.0) discard;\n"
              "gl_FragColor = y;\n") },
   { "fs-discard-nested",
     COMPUTES("vec4 v = y;\n"
              "if (x.x > 0.0) {\n"
              "   if (x.y > 0.0) discard;\n"
              "   v *= 2.0;\n"
              "   if (all(lessThan(v.xy, x.zw))) discard;\n"
              "}\n"
              "gl_FragColor = v;\n") },
   { "fs-discard-all",
     COMPUTES("gl_FragColor = x; discard;\n") },
   { "fs-depth",
     COMPUTES("gl_FragColor = x; gl_FragDepth = y.x * 0.5;\n") },
   { "fs-depth-of-color",
     COMPUTES("vec4 v = x * y; gl_FragColor = v; gl_FragDepth = v.w;\n") },
   { "fs-position",
     COMPUTES("gl_FragColor = vec4(gl_FragCoord.xy * 0.01, gl_FragCoord.zw);\n") },
   { "fs-face",
     COMPUTES("gl_FragColor = gl_FrontFacing ? x : y;\n"
              "if (!gl_FrontFacing) gl_FragColor.x += 1.0;\n") },
   { "fs-point-coord",
     COMPUTES("gl_FragColor = vec4(gl_PointCoord, x.xy);\n") },
   { "fs-data", COMPUTES("gl_FragData[0] = x.wzyx;\n") },
   { "fs-textures",
     COMPUTES("gl_FragColor = texture2D(s2, z) + texture2D(t2, x.wz) * x\n"
              "  + texture3D(s3, y.xyz) + textureCube(sc, x.xyz)\n"
              "  + texture1D(s1, y.w);\n") },
   { "fs-texture-projection",
     COMPUTES("gl_FragColor = texture2DProj(s2, x.xyz + vec3(0.0, 0.0, 4.0))\n"
              "  + texture2DProj(t2, y + vec4(0.0, 0.0, 0.0, 4.0))\n"
              "  + texture1DProj(s1, x.xy + 4.0)\n"
              "  + texture3DProj(s3, x + vec4(0.0, 0.0, 0.0, 4.0));\n") },
   { "fs-texture-bias",
     COMPUTES("gl_FragColor = texture2D(s2, z, 0.5) + textureCube(sc, x.xyz, x.w)\n"
              "  + texture2DProj(t2, y.xyz + vec3(0.0, 0.0, 4.0), 1.0)\n"
              "  + texture3D(s3, y.xyz, y.w);\n") },
   { "fs-texture-level",
     COMPUTES("gl_FragColor = texture2DLod(s2, z, 0.5) + textureCubeLod(sc, x.xyz, y.x)\n"
              "  + texture2DProjLod(t2, y.xyz + vec3(0.0, 0.0, 4.0), 1.0);\n") },
   { "fs-texture-gradient",
     COMPUTES("gl_FragColor = texture2DGradARB(s2, z, x.xy, y.zw)\n"
              "  + textureCubeGradARB(sc, x.xyz, y.xyz, u.xyz)\n"
              "  + texture3DGradARB(s3, y.xyz, w.xyz, x.xyz);\n") },
   { "fs-texture-shadow",
     COMPUTES("gl_FragColor = shadow2D(d2, x.xyz) + shadow1D(d1, y.xyz)\n"
              "  + shadow2DProj(d2, x + vec4(0.0, 0.0, 0.0, 4.0))\n"
              "  + shadow1DProj(d1, y + vec4(0.0, 0.0, 0.0, 4.0))\n"
              "  + shadow2D(d2, y.xyz, 0.5);\n") },
   { "fs-texture-dependent",
     COMPUTES("vec4 v = texture2D(s2, z);\n"
              "v = texture2D(t2, v.xy + 0.1 * x.xy);\n"
              "gl_FragColor = textureCube(sc, v.xyz * 2.0 - 1.0) * v.w;\n") },
   { "fs-texture-branch",
     COMPUTES("vec4 v = x;\n"
              "if (x.x > 0.0) v = texture2D(s2, z);\n"
              "else if (y.x > 0.0) v = texture2DLod(t2, z * 2.0, 0.0);\n"
              "gl_FragColor = v;\n") },
   { "fs-sampler-array",
     vertices, HEAD "uniform sampler2D many[4];\n"
     "void main() {\n"
     "   vec4 v = vec4(0.0);\n"
     "   for (int i = 0; i < 4; i++) v += texture2D(many[i], z * float(i + 1));\n"
     "   gl_FragColor = v;\n"
     "}\n" },
   { "fs-uniform-types",
     vertices, HEAD "uniform int i; uniform bool p; uniform ivec3 j; uniform bvec2 q;\n"
     "void main() {\n"
     "   gl_FragColor = p ? x * float(i) : y;\n"
     "   gl_FragColor.x += float(j.y * 2 + j.z);\n"
     "   if (q.y && i < j.x) gl_FragColor.w = 7.0;\n"
     "}\n" },
   { "fs-constant", COMPUTES("gl_FragColor = vec4(0.25, 0.5, 0.75, 1.0);\n") },
   { "fs-uniform", COMPUTES("gl_FragColor = u;\n") },
   { "fs-nothing", COMPUTES("") },
   { "fs-pressure",
     COMPUTES("vec4 t[44];\n"
              "for (int i = 0; i < 44; i++) t[i] = sin(x * float(i + 1));\n"
              "vec4 v = vec4(0.0);\n"
              "for (int i = 0; i < 44; i++) v += t[43 - i] * t[i] * y;\n"
              "gl_FragColor = v;\n") },
   /* Mesa's late algebraic optimizations nest the absolute values. */
   { "fs-nested-abs",
     COMPUTES("gl_FragColor = y / (abs(x * abs(x)) + 0.5) + abs(-abs(y) * x);\n") },
   { NULL },
};
