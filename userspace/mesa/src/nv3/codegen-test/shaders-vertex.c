/* SPDX-License-Identifier: MIT */
/*
 * Vertex shaders. Each shader tests one group of operations of GLSL 1.20.
 */
#include "shaders.h"

#define HEAD \
   "#version 120\n" \
   "attribute vec4 a, b, c;\n" \
   "uniform vec4 u, w;\n" \
   "varying vec4 v;\n"

/*
 * A vertex shader that copies attribute a to the position. @body computes the
 * varying v.
 */
#define COMPUTES(body) \
   HEAD "void main() {\n gl_Position = a;\n" body "}\n", NULL

const struct shader vertex_shaders[] = {
   { "vs-arithmetic", COMPUTES("v = (a + b * 2.0) / (abs(c) + 0.5) - u;\n") },
   { "vs-two-uniforms", COMPUTES("v = u * w + a * u - w.wzyx;\n") },
   { "vs-two-attributes", COMPUTES("v = a * b + c * a.x - b.wwxy;\n") },
   { "vs-immediates",
     COMPUTES("v = a * vec4(1.0, 2.0, 3.0, 4.0) + vec4(-1.0, 0.5, 7.0, 8.0);\n"
              "v += u * vec4(0.1, 0.2, -3.0, -9.0);\n") },
   { "vs-modifiers",
     COMPUTES("v = -abs(a) * -b + abs(-c.wzyx) - (-u);\n"
              "v.xy = clamp(v.xy + a.zw, 0.0, 1.0);\n") },
   { "vs-saturate",
     COMPUTES("float f = clamp(dot(a, b), 0.0, 1.0);\n"
              "v = vec4(f, clamp(a.x * 2.0, 0.0, 1.0), f * c.x, 1.0);\n") },
   { "vs-dot",
     COMPUTES("v = vec4(dot(a, u), dot(a.xyz, b.zyx), dot(a.xy, c.wz),\n"
              "         dot(vec4(b.xyz, 1.0), w));\n") },
   { "vs-rounding",
     COMPUTES("v = floor(a) + ceil(b * 3.0) * 10.0 + fract(c) * 0.5\n"
              "    + vec4(ivec4(a * 5.0));\n") },
   { "vs-sign", COMPUTES("v = sign(a) + sign(b.xxyy) * 2.0 + sign(u - u);\n") },
   { "vs-exponents",
     COMPUTES("v = vec4(exp2(a.x), log2(abs(a.y) + 0.1), exp(b.z),\n"
              "         log(abs(c.w) + 0.2));\n"
              "v *= pow(abs(b) + 0.1, c);\n") },
   { "vs-roots",
     COMPUTES("v = sqrt(abs(a)) + inversesqrt(abs(b) + 0.25);\n"
              "v.w = sqrt(a.x - a.x);\n") },
   { "vs-angles",
     COMPUTES("v = sin(a * 4.0) + cos(b * 7.0);\n"
              "v.z += tan(c.x * 0.5);\n"
              "v.w += radians(c.y) + degrees(c.z);\n") },
   { "vs-arcs",
     COMPUTES("v = vec4(asin(clamp(a.x, -0.9, 0.9)), acos(a.y * 0.4),\n"
              "         atan(b.z), atan(c.x, c.y));\n") },
   { "vs-minmax",
     COMPUTES("v = min(a, max(b, c)) + clamp(a * 3.0, u.x - 2.0, w.y + 2.0);\n"
              "v += mix(a, b, 0.25) + mix(b, c, a.wwww);\n") },
   { "vs-steps",
     COMPUTES("v = step(a, b) + smoothstep(-1.0, 1.0, c)\n"
              "    + step(0.0, a) * 2.0 + step(-a, vec4(0.0)) * 4.0;\n") },
   { "vs-mod",
     COMPUTES("v = mod(a, 0.75) + mod(b, c) + mod(floor(a * 20.0), 3.0)\n"
              "    + mod(floor(b * 50.0) * 7.0, 7.0);\n") },
   { "vs-geometric",
     COMPUTES("vec3 n = normalize(b.xyz);\n"
              "v.xyz = cross(a.xyz, b.yzx) + reflect(a.xyz, n)\n"
              "      + refract(normalize(a.xyz), n, 0.7)\n"
              "      + faceforward(n, a.xyz, c.xyz);\n"
              "v.w = length(a.xyz) + distance(b, c) + length(c.xy);\n") },
   { "vs-comparisons",
     COMPUTES("v = vec4(lessThan(a, b)) + 2.0 * vec4(greaterThanEqual(a, c))\n"
              "  + 4.0 * vec4(equal(floor(a), floor(b)))\n"
              "  + 8.0 * vec4(notEqual(floor(b), floor(c)));\n"
              "if (any(lessThan(a, vec4(-1.5)))) v.x += 16.0;\n"
              "if (all(greaterThan(b, vec4(-1.8)))) v.y += 16.0;\n"
              "if (a.xyz == b.xyz || !(c.x < 0.0 && c.y > 0.0)) v.z += 16.0;\n"
              "if (a.w < 0.0 ^^ b.w < 0.0) v.w += 16.0;\n") },
   { "vs-zero-comparisons",
     COMPUTES("vec4 z = a - a;\n"
              "v = vec4(-z.x >= 0.0, -z.y < 0.0, z.z <= -z.z, -z.w < z.w);\n"
              "v += 2.0 * vec4(a.x < 0.0, a.y >= 0.0, 0.0 < -a.z, -a.w < b.w);\n") },
   { "vs-selects",
     COMPUTES("v = a.x > 0.0 ? b : c;\n"
              "v.x = a.y > 0.5 ? 0.0 : v.x;\n"
              "v.y = a.z > 0.5 ? v.y : 0.0;\n"
              "v.z = b.x < a.x ? v.z : 3.0;\n"
              "v.w = b.x == c.x ? 1.0 : u.w;\n") },
   { "vs-select-infinity",
     COMPUTES("float zero = a.x - a.x;\n"
              "v = vec4(zero == 0.0 ? a.y : a.z / zero);\n"
              "v.w = zero != 0.0 ? 1.0 / zero : b.w;\n") },
   { "vs-branches",
     COMPUTES("v = vec4(0.0);\n"
              "if (a.x > 0.0) {\n"
              "   if (a.y > 0.0) v = b; else { v = c; v.x = a.w; }\n"
              "   v.y += 1.0;\n"
              "} else if (a.z < 0.5) {\n"
              "   v.zw = sin(a.xy);\n"
              "}\n") },
   { "vs-loop",
     COMPUTES("v = a;\n"
              "for (int i = 0; i < 6; i++) v = v * 0.5 + float(i) * b;\n") },
   { "vs-loop-break",
     COMPUTES("v = vec4(0.0);\n"
              "for (int i = 0; i < 8; i++) {\n"
              "   if (v.x > 3.0) break;\n"
              "   if (a.y * float(i) > 2.0) continue;\n"
              "   v += abs(b) + float(i) * 0.1;\n"
              "}\n") },
   { "vs-loop-nested",
     COMPUTES("v = c;\n"
              "for (int i = 0; i < 3; i++)\n"
              "   for (int j = i; j < 4; j++)\n"
              "      v.x += a[i] * b[j];\n") },
   { "vs-loop-exits",
     COMPUTES("v = vec4(0.0);\n"
              "for (int i = 0; i < 6; i++) {\n"
              "   if (v.x > 2.0) break;\n"
              "   v += abs(b);\n"
              "   if (v.y > 2.5 && a.x > 0.0) { v.w = 7.0; break; }\n"
              "   for (int j = 0; j < 3; j++) {\n"
              "      if (v.z > c.y + float(j)) break;\n"
              "      v.z += 0.3;\n"
              "   }\n"
              "   if (v.z > 1.7) continue;\n"
              "   v.w += 1.0;\n"
              "   if (v.w > 5.0) break;\n"
              "}\n") },
   { "vs-loop-unknown",
     HEAD "uniform int n;\n"
     "void main() {\n"
     "   gl_Position = a; v = b;\n"
     "   for (int i = 0; i < n; i++) v = v * 0.9 + c;\n"
     "   int k = int(abs(a.x) * 5.0);\n"
     "   while (k > 0) { v.x += 1.0; k--; if (v.x > 5.0) break; }\n"
     "}\n", NULL },
   { "vs-loop-uniform",
     HEAD "uniform int n; uniform ivec2 m;\n"
     "void main() {\n"
     "   gl_Position = a; v = b;\n"
     "   for (int i = 3 - n; i < m.y * 9; i++) v = v * 0.9 + c * w.x;\n"
     "   for (int i = 0; i < 40; i++) { if (i == n + 20) break; v.x += 0.1; }\n"
     "}\n", NULL, .inlines = true },
   { "vs-loop-uniform-array",
     HEAD "uniform int n; uniform ivec2 m; uniform vec4 t[6];\n"
     "void main() {\n"
     "   gl_Position = a; v = b;\n"
     "   for (int i = 0; i < abs(n) + 2; i++) {\n"
     "      for (int j = 0; j < abs(m.x) + 1; j++)\n"
     "         if (i + j < 5) v = v * 0.9 + t[i + j] * t[i + j + 1].x;\n"
     "   }\n"
     "}\n", NULL, .inlines = true },
   { "vs-loop-while",
     COMPUTES("int i = 10;\n"
              "float s = 0.0;\n"
              "while (i > 3) { s += float(i) * a.x; i -= 2; }\n"
              "do { s += b.y; i--; } while (i > 0);\n"
              "v = vec4(s);\n") },
   { "vs-integers",
     COMPUTES("int i = int(a.x * 10.0), j = int(b.y * 4.0) * 2 + 11;\n"
              "int k = i * j - 3;\n"
              "v = vec4(i + j, k, k / j, (i * 7) / 3);\n"
              "if (i < j) v.x += 100.0;\n"
              "if (i == 3 || k >= 20) v.y -= 50.0;\n") },
   { "vs-integer-division",
     COMPUTES("int n = int(a.x * 500.0), m = int(abs(b.x) * 20.0) + 1;\n"
              "v = vec4(n / m, (n * m) / m, n / 3, (7 * m) / 7);\n") },
   { "vs-booleans",
     COMPUTES("bool p = a.x > 0.0, q = b.y > 0.0;\n"
              "bvec4 r = lessThan(a, c);\n"
              "v = vec4(p && q, p || q, p ^^ q, !p) + vec4(not(r));\n"
              "v += vec4(p == q, p != q, float(r.z), int(r.w));\n") },
   { "vs-matrices",
     HEAD "uniform mat4 m; uniform mat3 n; uniform mat2 k;\n"
     "void main() {\n"
     "   gl_Position = m * a;\n"
     "   mat4 t = m * mat4(u, w, b, c);\n"
     "   v = t * a + a * m + vec4(n * b.xyz, 1.0) * vec4(c.xyz * n, 1.0);\n"
     "   v.xy += k * a.xy + transpose(k) * b.xy;\n"
     "   v += matrixCompMult(m, t)[2] + outerProduct(a, b)[1];\n"
     "   v.zw += (mat2(m) * 2.0)[1] + mat4(3.0)[3].zw;\n"
     "}\n", NULL },
   { "vs-matrix-shapes",
     HEAD "uniform mat2x3 m; uniform mat4x2 n;\n"
     "void main() {\n"
     "   gl_Position = a;\n"
     "   v = vec4(m * a.xy, 1.0) + vec4(n * b, b.xyz * m);\n"
     "   v.xyz += (m * n)[3];\n"
     "}\n", NULL },
   { "vs-uniform-array",
     HEAD "uniform vec4 t[6];\n"
     "void main() {\n"
     "   int i = int(abs(a.x) * 2.5);\n"
     "   gl_Position = t[i] + t[2];\n"
     "   v = t[i + 1] * b + t[5 - i];\n"
     "}\n", NULL },
   { "vs-two-indices",
     HEAD "uniform vec4 t[6]; uniform float f[5];\n"
     "void main() {\n"
     "   int i = int(abs(a.x) * 2.4), j = int(abs(b.y) * 2.4);\n"
     "   gl_Position = t[i] * t[j] + t[i] * f[j];\n"
     "   v = t[j] - t[i] * f[i] + f[2];\n"
     "}\n", NULL },
   { "vs-indexed-components",
     HEAD "uniform float f[5]; uniform int n;\n"
     "void main() {\n"
     "   int i = int(abs(a.x) * 2.4), j = n;\n"
     "   gl_Position = a;\n"
     "   v = vec4(f[i], f[j], f[1], f[i + 1]) + vec4(b.x, f[j], 1.0, n);\n"
     "}\n", NULL },
   { "vs-matrix-palette",
     "attribute vec4 position, weights, indices;\n"
     "attribute vec3 normal;\n"
     "uniform mat4 bones[20];\n"
     "uniform mat4 view;\n"
     "varying vec4 v;\n"
     "void main() {\n"
     "   vec4 p = vec4(0.0), n = vec4(0.0);\n"
     "   for (int i = 0; i < 3; i++) {\n"
     "      mat4 m = bones[int(abs(indices[i]) * 9.9)];\n"
     "      p += m * position * weights[i];\n"
     "      n += m * vec4(normal, 0.0) * weights[i];\n"
     "   }\n"
     "   gl_Position = view * p;\n"
     "   v = vec4(normalize(n.xyz), 1.0);\n"
     "}\n", NULL },
   { "vs-local-array",
     COMPUTES("float t[5];\n"
              "for (int i = 0; i < 5; i++) t[i] = a.x * float(i) + b[i / 2];\n"
              "int k = int(abs(c.x) * 2.4);\n"
              "t[k] = 9.0;\n"
              "v = vec4(t[0], t[k], t[4], t[(k + 1) / 2]);\n") },
   { "vs-vector-index",
     COMPUTES("int i = int(abs(a.x) * 1.9);\n"
              "v = b;\n"
              "v[i] = 5.0 + c[3 - i] + u[i];\n") },
   { "vs-structures",
     HEAD "struct light { vec4 position; float power; vec3 color[2]; };\n"
     "uniform light lights[3];\n"
     "float f(light l, vec4 p, inout vec3 sum) {\n"
     "   sum += l.color[1] * l.power + l.color[0];\n"
     "   return dot(l.position, p);\n"
     "}\n"
     "void main() {\n"
     "   vec3 sum = vec3(0.0);\n"
     "   float s = 0.0;\n"
     "   gl_Position = a;\n"
     "   for (int i = 0; i < 3; i++) s += f(lights[i], b, sum);\n"
     "   v = vec4(sum, s);\n"
     "}\n", NULL },
   { "vs-uniform-types",
     HEAD "uniform int i; uniform bool p; uniform ivec3 j; uniform bvec2 q;\n"
     "void main() {\n"
     "   gl_Position = a;\n"
     "   v = p ? a * float(i) : b;\n"
     "   v.x += float(j.y * 2 + j.z);\n"
     "   if (q.y && i < j.x) v.w = 7.0;\n"
     "}\n", NULL },
   { "vs-fixed-function",
     "varying vec4 v;\n"
     "void main() {\n"
     "   vec4 eye = gl_ModelViewMatrix * gl_Vertex;\n"
     "   vec3 n = normalize(gl_NormalMatrix * gl_Normal);\n"
     "   gl_Position = gl_ModelViewProjectionMatrix * gl_Vertex;\n"
     "   gl_FrontColor = gl_Color * max(dot(n, gl_LightSource[0].position.xyz),\n"
     "                                  0.0) + gl_LightModel.ambient;\n"
     "   gl_BackColor = gl_Color * 0.5;\n"
     "   gl_FrontSecondaryColor = vec4(n, 1.0);\n"
     "   gl_BackSecondaryColor = gl_SecondaryColor;\n"
     "   gl_TexCoord[0] = gl_TextureMatrix[0] * gl_MultiTexCoord0;\n"
     "   gl_TexCoord[3] = gl_MultiTexCoord3.wzyx;\n"
     "   gl_FogFragCoord = abs(eye.z);\n"
     "   gl_PointSize = gl_Point.size / (abs(eye.w) + 1.0);\n"
     "   v = eye;\n"
     "}\n",
     "varying vec4 v;\n"
     "void main() {\n"
     "   gl_FragColor = gl_Color + gl_SecondaryColor * gl_TexCoord[0]\n"
     "      + gl_TexCoord[3] * gl_FogFragCoord + v;\n"
     "}\n" },
   { "vs-output-swizzles",
     COMPUTES("float d = dot(a, b);\n"
              "v.x = d; v.yz = vec2(d, sqrt(abs(d))); v.w = inversesqrt(abs(c.x) + 0.1);\n"
              "v = v.wzyx;\n") },
   { "vs-dead-code",
     COMPUTES("vec4 unused = sin(a) * cos(b);\n"
              "v = b; if (false) v = unused;\n") },
   { "vs-pressure",
     COMPUTES("vec4 t[24];\n"
              "for (int i = 0; i < 24; i++) t[i] = sin(a * float(i + 1));\n"
              "v = vec4(0.0);\n"
              "for (int i = 0; i < 24; i++) v += t[23 - i] * t[i] * b;\n") },
   { "vs-scalars",
     COMPUTES("float t[40];\n"
              "for (int i = 0; i < 40; i++) t[i] = fract(a.x * float(i) + 0.3);\n"
              "float s = 0.0;\n"
              "for (int i = 0; i < 40; i++) s = s * 0.5 + t[39 - i];\n"
              "v = vec4(s);\n") },
   { "vs-textures",
     "uniform sampler2D s0;\n"
     "uniform sampler3D s1;\n"
     "uniform samplerCube s2;\n"
     "varying vec4 v;\n"
     "void main() {\n"
     "   gl_Position = gl_Vertex;\n"
     "   v = texture2D(s0, gl_Vertex.xy) + texture3DLod(s1, gl_Vertex.yzw, 0.5)\n"
     "      * textureCube(s2, gl_Vertex.zxy + 3.0)\n"
     "      + texture2DProjLod(s0, vec3(gl_Vertex.yx, 2.0), 1.0).wzyx;\n"
     "}\n",
     "varying vec4 v;\n"
     "void main() { gl_FragColor = v; }\n" },
   { "vs-texture-dependent",
     "uniform sampler2D s0;\n"
     "uniform sampler2DShadow s3;\n"
     "varying vec4 v;\n"
     "void main() {\n"
     "   vec4 t = texture2DLod(s0, gl_Vertex.xy, 1.0);\n"
     "   gl_Position = gl_Vertex + vec4(0.0, 0.0, t.x, 0.0);\n"
     "   v = vec4(t.yzw, shadow2D(s3, vec3(0.25, 0.75, 0.3)).x);\n"
     "}\n",
     "varying vec4 v;\n"
     "void main() { gl_FragColor = v; }\n" },
   { NULL },
};
