/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * core.fp.*: Fragment programs draw 640 x 480 pixels with 32 bits per pixel and without
 * depth. Compares one thread of the core with one thread of llvmpipe, which runs the same
 * shader.
 *
 * The programs are simple (one texture times a colour), phong (lighting of each pixel)
 * and taps9 (nine samples of one texture). Draws of the core and of llvmpipe alternate.
 * The result is the ratio of their shortest CPU times. The core and llvmpipe must draw
 * similar pictures. NV3_SIMD=scalar, avx2 or avx512 selects the SIMD level of the core.
 *
 * core.fp.simple.class compares the program simple with the rasterizer of class 0x17,
 * which draws the same picture in the same run. The two sides differ in their precision
 * and in their tasks. The rasterizer computes colours with 8.8 bits, reads texels of 16
 * bits, and dithers to a target with 16 bits per pixel. The program computes with floats,
 * and reads and writes 32 bits per texel and pixel. The rasterizer sets up two triangles
 * for each layer, divides at each pixel by w (which is 1), and draws lines of pixels. The
 * program gets planes of the attributes and complete blocks, and needs no division. For
 * both sides, the conversion of the texture is not part of the time.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../unit/fp_asm.h"
#include "bench.h"
#include "bench_class17.h"
#include "bench_scene.h"
#include "chip/le.h"
#include "fp/fp.h"
#include "native/native.h"

#define ROUNDS      21
#define LAYERS      4
#define TEX_SIDE    (1 << SCENE_TEX_LOG2)

/* D3D_CONFIG of class 0x17 without depth and blending, as the programs draw */
#define CONFIG17    (CLASS17_CONFIG | \
                     NV3_D3D_CMP_ALWAYS << NV3_D3D_CONFIG_Z_FUNC_SHIFT | \
                     NV3_D3D_WRITE_NEVER << NV3_D3D_CONFIG_Z_WRITE_SHIFT | \
                     NV3_D3D_WRITE_ALWAYS << NV3_D3D_CONFIG_COLOR_WRITE_SHIFT)

static uint32_t pixels[SCENE_WIDTH * SCENE_HEIGHT];
static uint32_t texels[TEX_SIDE * TEX_SIDE];

static void make_texels(void)
{
    for (unsigned y = 0; y < TEX_SIDE; y++) {
        for (unsigned x = 0; x < TEX_SIDE; x++) {
            texels[y * TEX_SIDE + x] = 0xff000000 | (x ^ y) << 16 | x << 8 |
                                       (y * 3 & 255);
        }
    }
}

/* Reduces a component from 8 bits to @bits. */
static unsigned reduce(uint32_t component, unsigned bits)
{
    return ((component & 255) * ((1 << bits) - 1) + 127) / 255;
}

/* Converts the texels to R5G6B5. */
static void make_texels16(uint16_t *to)
{
    for (unsigned i = 0; i < TEX_SIDE * TEX_SIDE; i++) {
        to[i] = reduce(texels[i] >> 16, 5) << 11 | reduce(texels[i] >> 8, 6) << 5 |
                reduce(texels[i], 5);
    }
}

/* ---- programs ---------------------------------------------------------- */

#define TEXCOORD(n)     (NV3_FP_TEXCOORD0 + (n))

/* Inputs: texture coordinate 0, colour 0. */
static void simple_program(FpAsm *a)
{
    fp_tex(a, NV3_FP_TEX, 0, fp_d(0, "xyzw"), fp_in(TEXCOORD(0), "xyzw"));
    fp_op2(a, NV3_FP_MUL, fp_d(0, "xyzw"), fp_r(0, "xyzw"), fp_in(NV3_FP_COLOR0, "xyzw"));
}

static const char simple_shader[] =
    "void main()\n"
    "{\n"
    "    gl_FragColor = texture2D(sampler, texcoord) * color;\n"
    "}\n";

/* Inputs: the normal in texture coordinate 1, the position in texture coordinate 2. */
static void phong_program(FpAsm *a)
{
    const unsigned n = 1, l = 2, v = 3, r = 4;

    /* n = normalize(normal) */
    fp_op2(a, NV3_FP_DP3, fp_d(n, "w"), fp_in(TEXCOORD(1), "xyzw"),
           fp_in(TEXCOORD(1), "xyzw"));
    fp_op1(a, NV3_FP_RSQ, fp_d(n, "w"), fp_r(n, "w"));
    fp_op2(a, NV3_FP_MUL, fp_d(n, "xyz"), fp_in(TEXCOORD(1), "xyzw"), fp_r(n, "w"));
    /* l = normalize(light - position) */
    fp_op2(a, NV3_FP_ADD, fp_d(l, "xyz"), fp_k(2, 3, 4, 0),
           fp_neg(fp_in(TEXCOORD(2), "xyzw")));
    fp_op2(a, NV3_FP_DP3, fp_d(l, "w"), fp_r(l, "xyzw"), fp_r(l, "xyzw"));
    fp_op1(a, NV3_FP_RSQ, fp_d(l, "w"), fp_r(l, "w"));
    fp_op2(a, NV3_FP_MUL, fp_d(l, "xyz"), fp_r(l, "xyzw"), fp_r(l, "w"));
    /* v = normalize(-position) */
    fp_op2(a, NV3_FP_DP3, fp_d(v, "w"), fp_in(TEXCOORD(2), "xyzw"),
           fp_in(TEXCOORD(2), "xyzw"));
    fp_op1(a, NV3_FP_RSQ, fp_d(v, "w"), fp_r(v, "w"));
    fp_op2(a, NV3_FP_MUL, fp_d(v, "xyz"), fp_neg(fp_in(TEXCOORD(2), "xyzw")),
           fp_r(v, "w"));
    /* r = reflect(-l, n) = 2 (n . l) n - l */
    fp_op2(a, NV3_FP_DP3, fp_d(r, "w"), fp_r(n, "xyzw"), fp_r(l, "xyzw"));
    fp_op2(a, NV3_FP_MUL, fp_d(r, "xyz"), fp_r(n, "xyzw"), fp_r(r, "w"));
    fp_op(a, NV3_FP_MAD, fp_d(r, "xyz"), fp_r(r, "xyzw"), fp_k(2, 2, 2, 2),
          fp_neg(fp_r(l, "xyzw")));
    /* specular: max(r . v, 0) to the power of 16 */
    fp_op2(a, NV3_FP_DP3, fp_d(v, "w"), fp_r(r, "xyzw"), fp_r(v, "xyzw"));
    fp_op2(a, NV3_FP_MAX, fp_d(v, "w"), fp_r(v, "w"), fp_k(0.0001f, 0, 0, 0.0001f));
    fp_op1(a, NV3_FP_LG2, fp_d(v, "w"), fp_r(v, "w"));
    fp_op2(a, NV3_FP_MUL, fp_d(v, "w"), fp_r(v, "w"), fp_k(16, 16, 16, 16));
    fp_op1(a, NV3_FP_EX2, fp_d(v, "w"), fp_r(v, "w"));
    /* diffuse, ambient and specular light */
    fp_op2(a, NV3_FP_MAX, fp_d(r, "w"), fp_r(r, "w"), fp_k(0, 0, 0, 0));
    fp_op(a, NV3_FP_MAD, fp_d(0, "xyz"), fp_r(r, "w"), fp_in(NV3_FP_COLOR0, "xyzw"),
          fp_k(0.1f, 0.1f, 0.1f, 0));
    fp_op(a, NV3_FP_MAD, fp_d(0, "xyz"), fp_r(v, "w"), fp_k(0.8f, 0.7f, 0.6f, 0),
          fp_r(0, "xyzw"));
    fp_op1(a, NV3_FP_MOV, fp_d(0, "w"), fp_k(1, 1, 1, 1));
}

static const char phong_shader[] =
    "void main()\n"
    "{\n"
    "    vec3 n = normalize(normal);\n"
    "    vec3 l = normalize(vec3(2.0, 3.0, 4.0) - position3);\n"
    "    vec3 v = normalize(-position3);\n"
    "    float nl = dot(n, l);\n"
    "    vec3 r = 2.0 * nl * n - l;\n"
    "    float s = pow(max(dot(r, v), 0.0001), 16.0);\n"
    "    gl_FragColor = vec4(max(nl, 0.0) * color.rgb + vec3(0.1) +\n"
    "                        s * vec3(0.8, 0.7, 0.6), 1.0);\n"
    "}\n";

static const float tap_weight[9] = {
    0.0625f, 0.125f, 0.0625f, 0.125f, 0.25f, 0.125f, 0.0625f, 0.125f, 0.0625f,
};

static void taps9_program(FpAsm *a)
{
    for (unsigned i = 0; i < 9; i++) {
        float x = ((int)(i % 3) - 1) * 1.25f / TEX_SIDE;
        float y = ((int)(i / 3) - 1) * 1.25f / TEX_SIDE, w = tap_weight[i];

        fp_op2(a, NV3_FP_ADD, fp_d(1, "xy"), fp_in(TEXCOORD(0), "xyzw"),
               fp_k(x, y, 0, 0));
        fp_tex(a, NV3_FP_TEX, 0, fp_d(1, "xyzw"), fp_r(1, "xyzw"));
        if (i == 0) {
            fp_op2(a, NV3_FP_MUL, fp_d(0, "xyzw"), fp_r(1, "xyzw"), fp_k(w, w, w, w));
        } else {
            fp_op(a, NV3_FP_MAD, fp_d(0, "xyzw"), fp_r(1, "xyzw"), fp_k(w, w, w, w),
                  fp_r(0, "xyzw"));
        }
    }
}

static const char taps9_shader[] =
    "vec4 tap(float x, float y, float w)\n"
    "{\n"
    "    return texture2D(sampler, texcoord + vec2(x, y) * (1.25 / 256.0)) * w;\n"
    "}\n"
    "void main()\n"
    "{\n"
    "    gl_FragColor = tap(-1.0, -1.0, 0.0625) + tap(0.0, -1.0, 0.125) +\n"
    "        tap(1.0, -1.0, 0.0625) + tap(-1.0, 0.0, 0.125) + tap(0.0, 0.0, 0.25) +\n"
    "        tap(1.0, 0.0, 0.125) + tap(-1.0, 1.0, 0.0625) + tap(0.0, 1.0, 0.125) +\n"
    "        tap(1.0, 1.0, 0.0625);\n"
    "}\n";

/* ---- the core's side --------------------------------------------------- */

/*
 * across() returns the plane of a value that changes linearly from @from at the left side
 * of the screen to @to at the right side. down() does the same from top to bottom.
 */
static NV3FpPlane across(float from, float to)
{
    float step = (to - from) / SCENE_WIDTH;

    return (NV3FpPlane) { from + step / 2, step, 0 };
}

static NV3FpPlane down(float from, float to)
{
    float step = (to - from) / SCENE_HEIGHT;

    return (NV3FpPlane) { from + step / 2, 0, step };
}

/*
 * Returns a triangle whose attributes at each pixel are those of the quad that
 * program_vertex_shader in bench_llvmpipe.c draws.
 */
static NV3FpTriangle screen_triangle(void)
{
    NV3FpTriangle t = {
        .front = true, .affine = true, .rhw = { 1, 0, 0 }, .z = { 0.5f, 0, 0 },
    };

    t.input[TEXCOORD(0)][0] = across(0, 2.5f);
    t.input[TEXCOORD(0)][1] = down(0, 1.875f);
    t.input[TEXCOORD(1)][0] = across(-1, 1);
    t.input[TEXCOORD(1)][1] = down(-1, 1);
    t.input[TEXCOORD(1)][2] = (NV3FpPlane) { 1, 0, 0 };
    t.input[TEXCOORD(2)][0] = across(-2, 2);
    t.input[TEXCOORD(2)][1] = down(-2, 2);
    t.input[TEXCOORD(2)][2] = (NV3FpPlane) { -3, 0, 0 };
    t.input[NV3_FP_COLOR0][0] = across(0, 1);
    t.input[NV3_FP_COLOR0][1] = down(0, 1);
    t.input[NV3_FP_COLOR0][2] = (NV3FpPlane) { 0.5f, 0, 0 };
    t.input[NV3_FP_COLOR0][3] = (NV3FpPlane) { 1, 0, 0 };
    return t;
}

/* Returns the NV3FpLevel for the SIMD level in NV3_SIMD. */
static NV3FpLevel bench_level(void)
{
    const NV3Simd simd = bench_isa();

    return simd >= NV3_SIMD_AVX512 ? NV3_FP_AVX512 :
           simd >= NV3_SIMD_AVX2 ? NV3_FP_AVX2 : NV3_FP_GENERIC;
}

static double core_draw(NV3FpThread *thread, const NV3FpDraw *draw)
{
    const NV3FpTriangle t = screen_triangle();
    NV3FpTriangles group = { 0 };
    NV3FpBlocks blocks = { 0 };
    double start;

    nv3_fp_set_triangle(&group, 0, &t);
    nv3_fp_begin_group(thread);
    start = scene_clock();
    for (unsigned layer = 0; layer < LAYERS; layer++) {
        nv3_fp_begin(thread, draw);
        for (int32_t i = 0; i < SCENE_WIDTH / 8 * SCENE_HEIGHT / 8; i += NV3_FP_GROUP) {
            for (int32_t n = 0; n < NV3_FP_GROUP; n++) {
                blocks.x[n] = (i + n) % (SCENE_WIDTH / 8) * 8;
                blocks.y[n] = (i + n) / (SCENE_WIDTH / 8) * 8;
                blocks.mask[n][0] = UINT64_MAX;
            }
            blocks.count = NV3_FP_GROUP;
            nv3_fp_shade_blocks(thread, &group, &blocks);
        }
        nv3_fp_finish(thread);
    }
    return scene_clock() - start;
}

/*
 * Fails unless the core and llvmpipe have drawn similar pictures. @name: the program's
 * name.
 */
static void compare(const char *name)
{
    static uint32_t other[SCENE_WIDTH * SCENE_HEIGHT];
    uint64_t difference = 0;

    llvmpipe_read32(other);
    for (unsigned i = 0; i < SCENE_WIDTH * SCENE_HEIGHT; i++) {
        for (unsigned shift = 0; shift < 24; shift += 8) {
            difference += abs((int)(pixels[i] >> shift & 255) -
                              (int)(other[i] >> shift & 255));
        }
    }
    if (difference > SCENE_WIDTH * SCENE_HEIGHT * 3) {
        fprintf(stderr, "bench_programs: %s: not llvmpipe's picture (off by %.2f of "
                "255)\n", name, difference / (SCENE_WIDTH * SCENE_HEIGHT * 3.0));
        exit(1);
    }
}

/*
 * Fails unless the core and the rasterizer of class 0x17 have drawn similar pictures: on
 * average, a component may differ by half a step of 5 bits. The rasterizer dithers, so
 * the pictures are not equal.
 */
static void compare_class17(const char *name, const Class17 *class17)
{
    const uint16_t *other = (const uint16_t *)(class17->vram + CLASS17_COLOR);
    uint64_t difference = 0;

    for (unsigned i = 0; i < SCENE_WIDTH * SCENE_HEIGHT; i++) {
        const uint16_t pixel = NV3_LE16(other[i]);

        for (unsigned c = 0; c < 3; c++) {
            difference += abs((int)reduce(pixels[i] >> 8 * c, 5) -
                              (pixel >> 5 * c & 31));
        }
    }
    if (difference * 2 > SCENE_WIDTH * SCENE_HEIGHT * 3) {
        fprintf(stderr, "bench_programs: %s: not class 0x17's picture (off by %.2f of "
                "31)\n", name, difference / (SCENE_WIDTH * SCENE_HEIGHT * 3.0));
        exit(1);
    }
}

static double min(double a, double b)
{
    return a < b ? a : b;
}

/*
 * Measures a program and the shader that does the same. If @class17 is not null, also
 * compares the program with class 0x17, which must draw the same picture.
 */
static void measure(const char *name, void (*program)(FpAsm *a), const char *shader,
                    const NV3TexUnit *unit, bool llvmpipe, const Class17 *class17)
{
    static FpAsm a;
    const double work = LAYERS * SCENE_WIDTH * SCENE_HEIGHT / 1e6;
    double core = INFINITY, other = INFINITY, class = INFINITY;
    NV3FpThread *thread = nv3_fp_thread_new();
    NV3FpError error;
    unsigned position;
    char class_name[64];
    Scene screen;
    NV3FpDraw draw = {
        .unit = { unit },
        .level = bench_level(),
        .pixops = {
            .color = { (uint8_t *)pixels, sizeof(pixels), SCENE_WIDTH * 4, SCENE_WIDTH,
                       SCENE_HEIGHT },
            .color_format = NV3_PIXOPS_A8R8G8B8,
            .color_mask = 15,
        },
    };

    a.count = 0;
    program(&a);
    fp_end(&a);
    draw.code = nv3_fp_code_new(a.words, a.count, 0, &error, &position);
    if (!draw.code || !thread) {
        fprintf(stderr, "bench_programs: %s: %s at word %u\n", name,
                nv3_fp_error_name(error), position);
        exit(1);
    }
    nv3_native_compile_fp((NV3FpCode *)draw.code, draw.level);
    if (llvmpipe && !llvmpipe_program(shader)) {
        fprintf(stderr, "bench_programs: %s: llvmpipe does not take the shader\n", name);
        exit(1);
    }
    scene_screen(&screen, LAYERS);
    for (unsigned i = 0; i < ROUNDS; i++) {
        core = min(core, core_draw(thread, &draw));
        if (llvmpipe) {
            other = min(other, llvmpipe_draw_program(LAYERS));
        }
        if (class17) {
            class = min(class, class17_draw(class17, &screen));
        }
    }
    if (llvmpipe) {
        compare(name);
    }
    bench_print(name, work / core, "Mpixel/s", "llvmpipe", work / other);
    if (class17) {
        compare_class17(name, class17);
        snprintf(class_name, sizeof(class_name), "%s.class", name);
        bench_print(class_name, work / core, "Mpixel/s", "class 0x17", work / class);
    }
    scene_free(&screen);
    nv3_fp_code_free((NV3FpCode *)draw.code);
    nv3_fp_thread_free(thread);
}

int main(void)
{
    static uint16_t texels16[TEX_SIDE * TEX_SIDE];
    const NV3TexImage image = {
        .base = (const uint8_t *)texels, .size = sizeof(texels),
        .format = NV3_TEX_A8R8G8B8, .dim = NV3_TEX_2D, .levels = 1,
        .width = TEX_SIDE, .height = TEX_SIDE, .depth = 1,
        .level = { { 0, TEX_SIDE * 4, 0 } },
    };
    const NV3TexSampler sampler = { .min_linear = true, .mag_linear = true };
    NV3TexUnit *unit;
    Class17 class17;
    bool llvmpipe;

    bench_print_host();
    fflush(stdout);
    make_texels();
    make_texels16(texels16);
    class17_open(&class17, CONFIG17, bench_isa(), texels16);
    unit = nv3_texunit_new(&image, &sampler);
    llvmpipe = llvmpipe_open_programs(texels, TEX_SIDE);
    if (!llvmpipe) {
        fprintf(stderr, "bench_programs: no llvmpipe here to compare with\n");
    }
    measure("core.fp.simple", simple_program, simple_shader, unit, llvmpipe, &class17);
    measure("core.fp.phong", phong_program, phong_shader, unit, llvmpipe, NULL);
    measure("core.fp.taps9", taps9_program, taps9_shader, unit, llvmpipe, NULL);
    nv3_texunit_free(unit);
    class17_close(&class17);
    return 0;
}
