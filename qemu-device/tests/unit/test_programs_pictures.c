/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Checks that class 0x1F draws the same pictures on every host. The CRCs of the pictures
 * must equal constants, for every byte order, word size, compiler, SIMD level and number
 * of threads. The suite vm/checks/suites/cross.sh runs this test on hosts other than
 * x86-64. All inputs of the scenes are integers divided by powers of two, which are exact
 * floats on every host.
 *
 * If a change to the core or to a scene changes the pictures, the constants must be
 * replaced. A failing test prints the new constants.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "display/display.h"
#include "programs_flat.h"
#include "raster_rig.h"

#define COUNT(array)    (sizeof(array) / sizeof((array)[0]))

#define WIDTH           136             /* pixels; not a multiple of a bin's width */
#define HEIGHT          104
#define PITCH           (2 * WIDTH * 4) /* for four samples per pixel */
#define TARGET_SIZE     (2 * HEIGHT * PITCH)

#define MEMORY          (2u << 20)
#define COLOR           0x000000u
#define ZETA            0x080000u
#define PROGRAM         0x100000u
#define TEXTURE         0x110000u
#define RESOLVED        0x150000u
#define ARRAYS          0x1c0000u

#define SIDE            128             /* texels per side of textures */
#define LEVELS          8

#define R5G6B5          3
#define A8R8G8B8        8
#define FORMAT(color, samples) \
    ((color) | 2 << NV3_PM_FORMAT_ZETA_SHIFT | \
     NV3_PM_FORMAT_TYPE_PITCH << NV3_PM_FORMAT_TYPE_SHIFT | \
     (uint32_t)(samples) << NV3_PM_FORMAT_SAMPLES_SHIFT)

/* Values of OpenGL's enumerations. */
#define GL_ONE                      1
#define GL_SRC_COLOR                0x300
#define GL_SRC_ALPHA                0x302
#define GL_ONE_MINUS_SRC_ALPHA      0x303
#define GL_DST_ALPHA                0x304
#define GL_ONE_MINUS_DST_COLOR      0x307
#define GL_SRC_ALPHA_SATURATE       0x308
#define GL_CONSTANT_COLOR           0x8001
#define GL_FUNC_ADD                 0x8006
#define GL_MAX                      0x8008
#define GL_FUNC_REVERSE_SUBTRACT    0x800b
#define GL_NEVER                    0x200   /* followed by the other comparisons */
#define GL_LEQUAL                   0x203
#define GL_GREATER                  0x204
#define GL_NOTEQUAL                 0x205
#define GL_KEEP                     0x1e00
#define GL_INCR                     0x1e02
#define GL_INCR_WRAP                0x8507

typedef struct Vertex {
    float position[4];
    float color[4];
    float texcoord[4];
} Vertex;

static uint8_t memory[MEMORY];
static FlatMemory ram = { .bytes = memory, .size = MEMORY };
static NV3Programs *p;

/* ---- methods ----------------------------------------------------------------- */

static void m(uint32_t method, uint32_t data)
{
    flat_method(p, method, data);
}

static void set_constant(unsigned number, float x, float y, float z, float w)
{
    flat_set_constant(p, number, x, y, z, w);
}

static void set_vertex_program(VpAsm *a)
{
    flat_set_vertex_program(p, a);
}

static void set_fragment_program(FpAsm *a)
{
    flat_put_fragment_program(&ram, PROGRAM, a);
    m(NV3_PM_FP_ACTIVE_PROGRAM, PROGRAM);
}

/*
 * Sets a vertex program that copies its inputs to its outputs, and a fragment program
 * that copies the colour.
 */
static void set_copies(void)
{
    VpAsm vp = { 0 };
    FpAsm fp = { 0 };

    vp_copy(&vp, NV3_GEOM_O_POSITION, 0);
    vp_copy(&vp, NV3_GEOM_O_COLOR0, 3);
    vp_copy(&vp, NV3_GEOM_O_TEXCOORD0, 9);
    set_vertex_program(&vp);
    fp_op1(&fp, NV3_FP_MOV, fp_d(0, "xyzw"), fp_in(NV3_FP_COLOR0, "xyzw"));
    set_fragment_program(&fp);
}

static void set_target(uint32_t offset, uint32_t format)
{
    m(NV3_PM_SURFACE_FORMAT, format);
    m(NV3_PM_SURFACE_COLOR_OFFSET, offset);
}

static void clear(uint32_t color, uint32_t zeta)
{
    m(NV3_PM_COLOR_CLEAR_VALUE, color);
    m(NV3_PM_ZSTENCIL_CLEAR_VALUE, zeta);
    m(NV3_PM_CLEAR_SURFACE, NV3_PM_CLEAR_COLORS | NV3_PM_CLEAR_Z | NV3_PM_CLEAR_STENCIL);
}

static void set_array(unsigned attribute, unsigned offset)
{
    m(NV3_PM_ARRAY_OFFSET + 4 * attribute, ARRAYS + offset);
    m(NV3_PM_ARRAY_FORMAT + 4 * attribute,
      NV3_GEOM_FLOAT | 4 << NV3_PM_ARRAY_SIZE_SHIFT |
      sizeof(Vertex) << NV3_PM_ARRAY_STRIDE_SHIFT);
}

static void begin(NV3Simd simd, unsigned threads)
{
    const NV3ProgramsMemory accessors = { FLAT_ACCESSORS(&ram) };

    memset(memory, 0, MEMORY);
    p = nv3_programs_new(&accessors, threads);
    assert_non_null(p);
    nv3_programs_set_simd(p, simd);
    m(NV3_PM_SURFACE_CLIP_HORIZONTAL, WIDTH << 16);
    m(NV3_PM_SURFACE_CLIP_VERTICAL, HEIGHT << 16);
    m(NV3_PM_SURFACE_PITCH, PITCH | (uint32_t)PITCH << 16);
    m(NV3_PM_SURFACE_ZETA_OFFSET, ZETA);
    m(NV3_PM_VIEWPORT_SCALE, flat_bits(WIDTH / 2));
    m(NV3_PM_VIEWPORT_SCALE + 4, flat_bits(HEIGHT / 2));
    m(NV3_PM_VIEWPORT_SCALE + 8, flat_bits(0.5f));
    m(NV3_PM_VIEWPORT_OFFSET, flat_bits(WIDTH / 2));
    m(NV3_PM_VIEWPORT_OFFSET + 4, flat_bits(HEIGHT / 2));
    m(NV3_PM_VIEWPORT_OFFSET + 8, flat_bits(0.5f));
    set_target(COLOR, FORMAT(A8R8G8B8, NV3_PM_FORMAT_CENTER_1));
    set_array(0, offsetof(Vertex, position));
    set_array(3, offsetof(Vertex, color));
    set_array(9, offsetof(Vertex, texcoord));
    set_copies();
    clear(0xff204060, 0xffffff00);
}

/* ---- vertices ---------------------------------------------------------------- */

/* Returns a random multiple of 1/256 in [@lo, @hi]. */
static float fraction(uint64_t *seed, int lo, int hi)
{
    return rig_range(seed, lo * 256, hi * 256) / 256.0f;
}

static void put_vertex(unsigned index, const Vertex *v)
{
    const float *const part[] = { v->position, v->color, v->texcoord };

    for (unsigned i = 0; i < sizeof(Vertex) / 4; i++) {
        nv3_stl(memory + ARRAYS + index * sizeof(Vertex) + 4 * i,
                flat_bits(part[i / 4][i % 4]));
    }
}

/*
 * Returns a random vertex that is inside or near the view volume. Its w is from 1 to 4.
 */
static Vertex random_vertex(uint64_t *seed)
{
    const float w = fraction(seed, 1, 4);
    Vertex v = { .position = { 0, 0, 0, w } };

    for (unsigned i = 0; i < 4; i++) {
        if (i < 3) {
            v.position[i] = fraction(seed, -5, 5) * w / 4;
        }
        v.color[i] = fraction(seed, 0, 1);
        v.texcoord[i] = fraction(seed, -2, 2);
    }
    return v;
}

static void draw(NV3GeomPrimitive primitive, unsigned count)
{
    m(NV3_PM_BEGIN_END, primitive);
    m(NV3_PM_DRAW_ARRAYS, (uint32_t)(count - 1) << NV3_PM_DRAW_COUNT_SHIFT);
    m(NV3_PM_BEGIN_END, 0);
    m(NV3_PM_WAIT_FOR_IDLE, 0);
}

static void draw_random(NV3GeomPrimitive primitive, unsigned count, uint64_t *seed)
{
    for (unsigned i = 0; i < count; i++) {
        const Vertex v = random_vertex(seed);

        put_vertex(i, &v);
    }
    draw(primitive, count);
}

/*
 * Draws a rectangle that covers the target. @w[0]: w of the upper vertices, @w[1]: w of
 * the lower vertices.
 */
static void draw_screen(float u, float v, const float w[2], const float color[4])
{
    for (unsigned i = 0; i < 4; i++) {
        const bool right = i & 1, low = i >> 1;
        Vertex corner = {
            .position = { right ? 1 : -1, low ? 1 : -1, 0, 1 },
            .texcoord = { right ? u : 0, low ? v : 0, 0, 1 },
        };

        memcpy(corner.color, color, sizeof(corner.color));
        for (unsigned j = 0; j < 4; j++) {
            corner.position[j] *= w[low];
        }
        put_vertex(i, &corner);
    }
    draw(NV3_GEOM_TRIANGLE_STRIP, 4);
}

static const float flat[2] = { 1, 1 };
static const float white[4] = { 1, 1, 1, 1 };

/* ---- textures ---------------------------------------------------------------- */

/*
 * Stores a texture of SIDE x SIDE random texels of 32 bits, and all smaller mip levels.
 */
static void put_texture(uint64_t *seed)
{
    for (uint32_t at = TEXTURE; at < RESOLVED; at += 4) {
        nv3_stl(memory + at, rig_random(seed));
    }
}

static void set_texture(unsigned unit, uint32_t offset, unsigned width, unsigned height,
                        unsigned pitch, unsigned levels, uint32_t wrap, uint32_t filter)
{
    const uint32_t words = NV3_PM_TEX + unit * NV3_PM_TEX_WORDS * 4;

    m(words + 4 * NV3_PM_TEX_OFFSET, offset);
    m(words + 4 * NV3_PM_TEX_FORMAT, 1 << 13 | 5 << 8 | 2 << 4 | levels << 16);
    m(words + 4 * NV3_PM_TEX_WRAP, wrap);
    m(words + 4 * NV3_PM_TEX_ENABLE, 0x80000000u | 0xfff << 7);
    m(words + 4 * NV3_PM_TEX_FILTER, filter);
    m(words + 4 * NV3_PM_TEX_NPOT_SIZE, width << 16 | height);
    m(NV3_PM_TEX_SIZE1 + 4 * unit, 1u << 20 | pitch);
    m(NV3_PM_TEX_CACHE_CTL, 0);
}

static void set_filter(uint32_t filter)
{
    m(NV3_PM_TEX + 4 * NV3_PM_TEX_FILTER, filter);
}

#define REPEAT          0x00010101u
#define MIRRORED        0x00020202u
#define FILTER(min, mag) ((min) << 16 | (uint32_t)(mag) << 24)

/* ---- scenes ------------------------------------------------------------------ */

/*
 * Draws with a vertex program that transforms vertices by a matrix. The program computes
 * a colour with LIT, RSQ, EXP, LOG, FRC and indexed constants.
 */
static void vertex_program(void)
{
    VpAsm a = { 0 };
    uint64_t seed = 1;

    set_constant(0, 0.75f, 0.125f, 0, 0);
    set_constant(1, -0.125f, 0.875f, 0.25f, 0);
    set_constant(2, 0.25f, 0, 0.5f, 0.125f);
    set_constant(3, 0.0625f, 0, 0.125f, 1);
    set_constant(4, 0.375f, 0.5f, 0.625f, 5);
    for (unsigned i = 0; i < 4; i++) {
        set_constant(8 + i, i / 8.0f, 0.25f - i / 8.0f, (i & 1) / 8.0f, 1);
    }
    for (unsigned i = 0; i < 4; i++) {
        vp_vector(&a, NV3_VP_DP4, NV3_GEOM_O_POSITION, 0, &"x\0y\0z\0w"[2 * i],
                  VP_V(0, "xyzw"), VP_C(i, "xyzw"), VP_NONE);
    }
    /*
     * R2 is the normal. R3.x is the diffuse term, R3.y the specular term, and R3.w the
     * exponent.
     */
    vp_vector(&a, NV3_VP_DP3, -1, 2, "w", VP_V(9, "xyz"), VP_V(9, "xyz"), VP_NONE);
    vp_scalar(&a, NV3_VP_RSQ, -1, 2, "w", VP_R(2, "w"));
    vp_vector(&a, NV3_VP_MUL, -1, 2, "xyz", VP_V(9, "xyz"), VP_R(2, "w"), VP_NONE);
    vp_vector(&a, NV3_VP_DP3, -1, 3, "xy", VP_R(2, "xyz"), VP_C(4, "xyz"), VP_NONE);
    vp_vector(&a, NV3_VP_VMOV, -1, 3, "w", VP_C(4, "w"), VP_NONE, VP_NONE);
    vp_scalar(&a, NV3_VP_LIT, -1, 4, "xyzw", VP_R(3, "xyzw"));
    vp_scalar(&a, NV3_VP_EXP, -1, 5, "xyz", VP_V(3, "x"));
    vp_scalar(&a, NV3_VP_LOG, -1, 6, "xyz", VP_V(3, "y"));
    vp_vector(&a, NV3_VP_MAD, -1, 7, "xyzw", VP_R(4, "yzyz"), VP_V(3, "xyzw"),
              VP_R(5, "yyyy"));
    vp_vector(&a, NV3_VP_MIN, -1, 8, "xyzw", VP_R(6, "yzxy"), VP_V(3, "wzyx"), VP_NONE);
    vp_scalar(&a, NV3_VP_RCP, -1, 9, "xyzw", VP_R(5, "z"));
    vp_vector(&a, NV3_VP_MAD, -1, 7, "xyzw", VP_R(8, "xyzw"), VP_R(9, "x"),
              VP_R(7, "xyzw"));
    vp_vector(&a, NV3_VP_FRC, -1, 7, "xyzw", VP_R(7, "xyzw"), VP_NONE, VP_NONE);
    a.words[a.count - 1][0] |= NV3_VP_EXT;
    vp_vector(&a, NV3_VP_MUL, -1, 10, "x", VP_V(3, "z"), VP_C(4, "w"), VP_NONE);
    vp_vector(&a, NV3_VP_ARL, -1, 0, "", VP_R(10, "x"), VP_NONE, VP_NONE);
    vp_vector(&a, NV3_VP_ADD, NV3_GEOM_O_COLOR0, 0, "xyzw", VP_R(7, "xyzw"), VP_NONE,
              VP_C(8, "xyzw"));
    a.words[a.count - 1][3] |= 2;       /* the constant's number is relative to A0 */
    set_vertex_program(&a);
    m(NV3_PM_DEPTH_TEST_ENABLE, 1);
    for (unsigned i = 0; i < 6; i++) {
        draw_random(i & 1 ? NV3_GEOM_TRIANGLE_STRIP : NV3_GEOM_TRIANGLES, 60, &seed);
    }
}

/*
 * Draws with a fragment program that uses arithmetic, transcendental functions and
 * derivatives.
 */
static void fragment_program(void)
{
    const FpSrc color = fp_in(NV3_FP_COLOR0, "xyzw");
    const FpSrc at = fp_in(NV3_FP_TEXCOORD0, "xyzw");
    FpAsm a = { 0 };
    uint64_t seed = 2;

    fp_op1(&a, NV3_FP_NRM, fp_d(2, "xyz"), at);
    fp_op2(&a, NV3_FP_DP3, fp_d(3, "x"), fp_r(2, "xyzw"), fp_k(0.25f, 0.5f, 0.75f, 0));
    fp_op1(&a, NV3_FP_SIN, fp_d(3, "y"), fp_in(NV3_FP_TEXCOORD0, "xxxx"));
    fp_op1(&a, NV3_FP_COS, fp_d(3, "z"), fp_in(NV3_FP_TEXCOORD0, "yyyy"));
    fp_op2(&a, NV3_FP_POW, fp_d(3, "w"), fp_in(NV3_FP_COLOR0, "wwww"),
           fp_k(2.5f, 2.5f, 2.5f, 2.5f));
    fp_op1(&a, NV3_FP_EX2, fp_d(4, "x"), fp_r(3, "yyyy"));
    fp_op1(&a, NV3_FP_LG2, fp_d(4, "y"), fp_r(4, "xxxx"));
    fp_op1(&a, NV3_FP_RSQ, fp_d(4, "z"), fp_in(NV3_FP_COLOR0, "yyyy"));
    fp_op2(&a, NV3_FP_DIV, fp_d(4, "w"), fp_in(NV3_FP_COLOR0, "zzzz"), fp_r(4, "zzzz"));
    fp_op1(&a, NV3_FP_DDX, fp_d(5, "xy"), at);
    fp_op1(&a, NV3_FP_DDY, fp_d(5, "zw"), at);
    fp_op(&a, NV3_FP_LRP, fp_d(6, "xyzw"), color, fp_r(3, "xyzw"), fp_r(4, "xyzw"));
    fp_op(&a, NV3_FP_MAD, fp_d(6, "xyzw"), fp_abs(fp_r(5, "xyzw")),
          fp_k(8, 8, 4, 4), fp_r(6, "xyzw"));
    fp_op2(&a, NV3_FP_SLT, fp_flags(fp_d(7, "xyzw"), FP_SET_COND), fp_r(3, "yyyy"),
           fp_in(NV3_FP_COLOR0, "yyyy"));
    fp_emit(&a, NV3_FP_FRC, 0, 4, fp_d(6, "xz"), at, fp_none(), fp_none());
    fp_op1(&a, NV3_FP_MOV, fp_flags(fp_d(0, "xyzw"), FP_SATURATE), fp_r(6, "xyzw"));
    set_fragment_program(&a);
    for (unsigned i = 0; i < 4; i++) {
        draw_random(NV3_GEOM_TRIANGLES, 48, &seed);
    }
}

/*
 * Draws a receding plane, and triangles with each minification filter, a biased level of
 * detail and projected coordinates.
 */
static void mipmaps(void)
{
    static const float far[2] = { 12, 1 };
    FpAsm texel = { 0 }, biased = { 0 };
    uint64_t seed = 3;

    put_texture(&seed);
    set_texture(0, TEXTURE, SIDE, SIDE, SIDE * 4, LEVELS, REPEAT, FILTER(6, 2));
    fp_tex(&texel, NV3_FP_TEX, 0, fp_d(0, "xyzw"), fp_in(NV3_FP_TEXCOORD0, "xyzw"));
    set_fragment_program(&texel);
    draw_screen(3, 3, far, white);
    fp_op2(&biased, NV3_FP_MUL, fp_d(1, "xyzw"), fp_in(NV3_FP_TEXCOORD0, "xyzw"),
           fp_k(2, 2, 1, 1));
    fp_tex(&biased, NV3_FP_TXB, 0, fp_d(0, "xyzw"), fp_r(1, "xyzw"));
    fp_tex(&biased, NV3_FP_TXP, 0, fp_d(2, "xyzw"), fp_r(1, "xyzw"));
    fp_op2(&biased, NV3_FP_MUL, fp_d(0, "xyz"), fp_r(0, "xyzw"), fp_r(2, "xyzw"));
    set_fragment_program(&biased);
    for (unsigned min = 1; min <= 6; min++) {
        set_filter(FILTER(min, min % 2 + 1));
        m(NV3_PM_TEX + 4 * NV3_PM_TEX_WRAP, min & 1 ? MIRRORED : REPEAT);
        draw_random(NV3_GEOM_TRIANGLES, 9, &seed);
    }
}

/* Draws overlapping triangles with several blend factors and blend equations. */
static void blend(uint32_t format)
{
    static const struct {
        uint32_t source, destination, equation;
    } modes[] = {
        { GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_FUNC_ADD },
        { GL_ONE_MINUS_DST_COLOR, GL_ONE, GL_FUNC_ADD },
        { GL_SRC_ALPHA_SATURATE, GL_DST_ALPHA, GL_FUNC_REVERSE_SUBTRACT },
        { GL_CONSTANT_COLOR, GL_SRC_COLOR, GL_FUNC_ADD },
        { GL_ONE, GL_ONE, GL_MAX },
    };
    uint64_t seed = 4;

    set_target(COLOR, format);
    clear(0x4208, 0xffffff00);
    m(NV3_PM_BLEND_ENABLE, 1);
    m(NV3_PM_BLEND_COLOR, 0x80c0a060);
    m(NV3_PM_DITHER_ENABLE, 1);
    for (unsigned i = 0; i < 2 * COUNT(modes); i++) {
        const unsigned mode = i % COUNT(modes);

        m(NV3_PM_BLEND_FUNC_SFACTOR, modes[mode].source | modes[mode].source << 16);
        m(NV3_PM_BLEND_FUNC_DFACTOR,
          modes[mode].destination | modes[mode].destination << 16);
        m(NV3_PM_BLEND_EQUATION, modes[mode].equation | modes[mode].equation << 16);
        m(NV3_PM_DITHER_MODE, i >= COUNT(modes));
        draw_random(NV3_GEOM_TRIANGLES, 24, &seed);
    }
}

static void blending(void)
{
    blend(FORMAT(A8R8G8B8, NV3_PM_FORMAT_CENTER_1));
}

static void dithering(void)
{
    blend(FORMAT(R5G6B5, NV3_PM_FORMAT_CENTER_1));
}

/*
 * Draws intersecting triangles with the depth, stencil and alpha tests and a polygon
 * offset.
 */
static void depth(void)
{
    uint64_t seed = 5;

    m(NV3_PM_DEPTH_TEST_ENABLE, 1);
    m(NV3_PM_STENCIL_TEST_ENABLE, 1);
    m(NV3_PM_STENCIL_OP_FAIL, GL_INCR);
    m(NV3_PM_STENCIL_OP_ZFAIL, GL_INCR_WRAP);
    m(NV3_PM_STENCIL_OP_ZPASS, GL_KEEP);
    m(NV3_PM_ALPHA_TEST_ENABLE, 1);
    m(NV3_PM_ALPHA_FUNC, GL_GREATER);
    m(NV3_PM_POLYGON_OFFSET_SCALE, flat_bits(0.5f));
    m(NV3_PM_POLYGON_OFFSET_BIAS, flat_bits(64));
    for (unsigned i = 0; i < 12; i++) {
        m(NV3_PM_DEPTH_FUNC, i & 1 ? GL_LEQUAL : GL_NEVER + 1 + i % 7);
        m(NV3_PM_DEPTH_MASK, i % 3 != 2);
        m(NV3_PM_ALPHA_REF, 16 * i);
        m(NV3_PM_STENCIL_FUNC, i & 2 ? GL_NOTEQUAL : GL_GREATER + 3);
        m(NV3_PM_STENCIL_FUNC_REF, i);
        m(NV3_PM_POLY_OFFSET_FILL_ENABLE, i & 1);
        draw_random(NV3_GEOM_TRIANGLES, 24, &seed);
    }
}

/* Draws triangles whose fog factor is a function of the depth. */
static void fog(void)
{
    VpAsm a = { 0 };
    uint64_t seed = 6;

    set_constant(0, -0.125f, 0.625f, 0, 0);
    vp_copy(&a, NV3_GEOM_O_POSITION, 0);
    vp_copy(&a, NV3_GEOM_O_COLOR0, 3);
    vp_vector(&a, NV3_VP_VMOV, -1, 1, "x", VP_C(0, "y"), VP_NONE, VP_NONE);
    vp_vector(&a, NV3_VP_MAD, NV3_GEOM_O_FOG, 0, "x", VP_V(0, "z"), VP_C(0, "x"),
              VP_R(1, "x"));
    set_vertex_program(&a);
    m(NV3_PM_FOG_ENABLE, 1);
    m(NV3_PM_FOG_COLOR, 0xff3070b0);
    m(NV3_PM_DEPTH_TEST_ENABLE, 1);
    draw_random(NV3_GEOM_TRIANGLES, 120, &seed);
    m(NV3_PM_SHADE_MODE, 0x1d00);       /* GL_FLAT */
    draw_random(NV3_GEOM_TRIANGLE_FAN, 12, &seed);
}

/* Draws lines and points of several widths. */
static void lines(void)
{
    uint64_t seed = 7;

    for (unsigned i = 0; i < 6; i++) {
        m(NV3_PM_LINE_WIDTH, 8 + 11 * i);
        m(NV3_PM_POINT_SIZE, 8 + 13 * i);
        draw_random(i & 1 ? NV3_GEOM_LINE_STRIP : NV3_GEOM_LINES, 12, &seed);
        draw_random(NV3_GEOM_POINTS, 12, &seed);
    }
}

/*
 * Draws triangles to a target with four samples per pixel, and then draws the mean of
 * each pixel's samples to another target.
 */
static void multisample(unsigned positions)
{
    FpAsm texel = { 0 };
    uint64_t seed = 8;

    set_target(COLOR, FORMAT(A8R8G8B8, positions));
    clear(0xff405060, 0xffffff00);
    m(NV3_PM_DEPTH_TEST_ENABLE, 1);
    for (unsigned i = 0; i < 6; i++) {
        m(NV3_PM_MULTISAMPLE_CONTROL,
          (0xfu ^ (i == 3)) << NV3_PM_SAMPLE_MASK_SHIFT | NV3_PM_MULTISAMPLE_ENABLE |
          (i & 1 ? NV3_PM_ALPHA_TO_COVERAGE : 0) | (i == 5 ? NV3_PM_ALPHA_TO_ONE : 0));
        draw_random(NV3_GEOM_TRIANGLES, 18, &seed);
        draw_random(NV3_GEOM_LINES, 4, &seed);
    }
    m(NV3_PM_DEPTH_TEST_ENABLE, 0);
    set_target(RESOLVED, FORMAT(A8R8G8B8, NV3_PM_FORMAT_CENTER_1));
    set_texture(0, COLOR, 2 * WIDTH, 2 * HEIGHT, PITCH, 1, REPEAT, FILTER(2, 2));
    fp_tex(&texel, NV3_FP_TEX, 0, fp_d(0, "xyzw"), fp_in(NV3_FP_TEXCOORD0, "xyzw"));
    set_fragment_program(&texel);
    draw_screen(1, 1, flat, white);
}

static void square_samples(void)
{
    multisample(NV3_PM_FORMAT_SQUARE_OFFSET_4);
}

static void rotated_samples(void)
{
    multisample(NV3_PM_FORMAT_SQUARE_ROTATED_4);
}

static const struct {
    const char *name;
    void (*draw)(void);
    uint32_t crc;
} scenes[] = {
    { "vertex program", vertex_program, 0xf35f063f },
    { "fragment program", fragment_program, 0xc9e9a91d },
    { "mipmaps", mipmaps, 0xaad66ce3 },
    { "blending", blending, 0x8bcc8ae0 },
    { "dithering", dithering, 0x3f7f5a3a },
    { "depth", depth, 0x104df346 },
    { "fog", fog, 0x7b9de7ad },
    { "lines", lines, 0x9d2b4941 },
    { "square samples", square_samples, 0x9804cf01 },
    { "rotated samples", rotated_samples, 0xbc0a8665 },
};

static uint32_t scene_crc(unsigned scene, NV3Simd simd, unsigned threads)
{
    uint32_t crc;

    begin(simd, threads);
    scenes[scene].draw();
    assert_int_equal(nv3_programs_flush(p), NV3_PROGRAMS_OK);
    nv3_programs_free(p);
    crc = nv3_crc32(0, memory + COLOR, TARGET_SIZE);
    crc = nv3_crc32(crc, memory + ZETA, TARGET_SIZE);
    return nv3_crc32(crc, memory + RESOLVED, HEIGHT * PITCH);
}

static void check_scenes(NV3Simd simd)
{
    unsigned wrong = 0;

    if (!nv3_simd_available(simd)) {
        skip();
    }
    for (unsigned i = 0; i < COUNT(scenes); i++) {
        for (unsigned threads = 1; threads <= 2; threads++) {
            const uint32_t crc = scene_crc(i, simd, threads);

            if (crc != scenes[i].crc) {
                print_error("%s, %u threads: 0x%08x, not 0x%08x\n", scenes[i].name,
                            threads, crc, scenes[i].crc);
                wrong++;
            }
        }
    }
    assert_int_equal(wrong, 0);
}

RIG_EACH_ISA(test_scenes, check_scenes)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scenes_scalar),
        cmocka_unit_test(test_scenes_neon),
        cmocka_unit_test(test_scenes_avx2),
        cmocka_unit_test(test_scenes_avx512),
        cmocka_unit_test(test_scenes_avx512vbmi2),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
