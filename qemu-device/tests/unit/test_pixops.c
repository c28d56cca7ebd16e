/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tests pixel operations and interpolation. Shades blocks of triangles with random states
 * at all SIMD levels. Compares the pixels with a reference that computes one pixel at a
 * time.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "fp/fp.h"
#include "fp_asm.h"

#define MEMORY  8192

static uint32_t seed = 1;

static uint32_t random_bits(void)
{
    seed = seed * 1664525 + 1013904223;
    return seed >> 8 ^ seed >> 20;
}

static float random_between(float low, float high)
{
    return low + (high - low) * (random_bits() & 0xffff) / 65535;
}

typedef struct Memory {
    uint8_t color[MEMORY], zeta[MEMORY];
} Memory;

static NV3FpCode *assemble(void (*program)(FpAsm *a), uint32_t control)
{
    static FpAsm a;
    NV3FpError error;
    unsigned position;
    NV3FpCode *code;

    a.count = 0;
    program(&a);
    fp_end(&a);
    code = nv3_fp_code_new(a.words, a.count, control, &error, &position);
    assert_non_null(code);
    return code;
}

/* Shades a single block. */
static void shade_block(NV3FpThread *thread, const NV3FpTriangle *tri, int32_t x,
                        int32_t y, uint64_t mask)
{
    NV3FpTriangles group = { 0 };
    NV3FpBlocks blocks = {
        .x = { x }, .y = { y }, .mask = { { mask } }, .count = 1,
    };

    nv3_fp_set_triangle(&group, 0, tri);
    nv3_fp_begin_group(thread);
    nv3_fp_shade_blocks(thread, &group, &blocks);
}

static void copy_color(FpAsm *a)
{
    fp_op1(a, NV3_FP_MOV, fp_d(0, "xyzw"), fp_in(NV3_FP_COLOR0, "xyzw"));
}

/*
 * Assembles a program that kills pixels whose red component is less than 0.3, and copies
 * the colour.
 */
static void copy_and_kill(FpAsm *a)
{
    fp_op2(a, NV3_FP_ADD, fp_flags(fp_d(1, "x"), FP_SET_COND),
           fp_in(NV3_FP_COLOR0, "xyzw"), fp_k(-0.3f, 0, 0, 0));
    fp_emit(a, NV3_FP_KIL, 0, 1, fp_d(0, ""), fp_none(), fp_none(), fp_none());
    copy_color(a);
}

/*
 * Assembles a program that copies the colour, and replaces the depth by the green
 * component.
 */
static void copy_and_replace(FpAsm *a)
{
    fp_op1(a, NV3_FP_MOV, fp_d(1, "z"), fp_in(NV3_FP_COLOR0, "y"));
    copy_color(a);
}

static const struct {
    unsigned bytes, bits[4], shift[4];
} formats[] = {
    [NV3_PIXOPS_X1R5G5B5] = { 2, { 5, 5, 5, 0 }, { 10, 5, 0, 0 } },
    [NV3_PIXOPS_R5G6B5] = { 2, { 5, 6, 5, 0 }, { 11, 5, 0, 0 } },
    [NV3_PIXOPS_X8R8G8B8] = { 4, { 8, 8, 8, 0 }, { 16, 8, 0, 0 } },
    [NV3_PIXOPS_A8R8G8B8] = { 4, { 8, 8, 8, 8 }, { 16, 8, 0, 24 } },
};

static uint32_t load(const uint8_t *p, unsigned bytes)
{
    uint32_t v = 0;

    for (unsigned i = 0; i < bytes; i++) {
        v |= (uint32_t)p[i] << (8 * i);
    }
    return v;
}

static void store(uint8_t *p, unsigned bytes, uint32_t v)
{
    for (unsigned i = 0; i < bytes; i++) {
        p[i] = v >> (8 * i);
    }
}

static bool compare(unsigned func, double a, double b)
{
    return (func & 1 && a < b) || (func & 2 && a == b) || (func & 4 && a > b);
}

static double bound(double x)
{
    return x > 0 ? x < 1 ? x : 1 : 0;
}

static unsigned stencil_op(unsigned op, unsigned stored, unsigned ref)
{
    switch (op) {
    case NV3_PIXOPS_ZERO:
        return 0;
    case NV3_PIXOPS_REPLACE:
        return ref;
    case NV3_PIXOPS_INCR:
        return stored < 255 ? stored + 1 : 255;
    case NV3_PIXOPS_DECR:
        return stored ? stored - 1 : 0;
    case NV3_PIXOPS_INVERT:
        return ~stored & 255;
    case NV3_PIXOPS_INCR_WRAP:
        return (stored + 1) & 255;
    case NV3_PIXOPS_DECR_WRAP:
        return (stored - 1) & 255;
    default:
        return stored;
    }
}

/*
 * Executes the stencil and depth tests of one pixel with the depth @z, and updates its
 * value in the zeta surface at @p. Returns true if the pixel passes.
 */
static bool test_zeta(const NV3PixopsState *s, bool front, uint8_t *p, float z)
{
    const NV3PixopsStencil *st = &s->stencil[!front];
    const bool z24 = s->zeta_format == NV3_PIXOPS_Z24S8;
    const uint32_t word = load(p, z24 ? 4 : 2), max = z24 ? 0xffffff : 0xffff;
    const double depth = !s->depth_clamp ? bound(z) :
                         z > s->depth_min ? z < s->depth_max ? z : s->depth_max :
                         s->depth_min;
    uint32_t new = depth * (max + 1.0), stored = z24 ? word >> 8 : word, stencil;
    bool near;

    new = new > max ? max : new;
    near = !s->depth_test || compare(s->depth_func, new, stored);
    if (!z24) {
        if (near && s->depth_test && s->depth_write) {
            store(p, 2, new);
        }
        return near;
    }
    stencil = word & 255;
    if (s->stencil_test) {
        bool fits = compare(st->func, st->ref & st->mask, stencil & st->mask);
        unsigned changed = stencil_op(!fits ? st->fail : near ? st->zpass : st->zfail,
                                      stencil, st->ref);

        stencil = (stencil & ~st->write_mask) | (changed & st->write_mask);
        near = near && fits;
    }
    if (near && s->depth_test && s->depth_write) {
        stored = new;
    }
    store(p, 4, stored << 8 | stencil);
    return near;
}

static double factor(const NV3PixopsState *s, unsigned f, const double src[4],
                     const double dst[4], unsigned c)
{
    const double constant = s->blend_color[c], alpha = s->blend_color[3];

    switch (f) {
    case NV3_PIXOPS_F_ZERO:
        return 0;
    case NV3_PIXOPS_F_ONE:
        return 1;
    case NV3_PIXOPS_F_SRC_COLOR:
        return src[c];
    case NV3_PIXOPS_F_ONE_MINUS_SRC_COLOR:
        return 1 - src[c];
    case NV3_PIXOPS_F_SRC_ALPHA:
        return src[3];
    case NV3_PIXOPS_F_ONE_MINUS_SRC_ALPHA:
        return 1 - src[3];
    case NV3_PIXOPS_F_DST_ALPHA:
        return dst[3];
    case NV3_PIXOPS_F_ONE_MINUS_DST_ALPHA:
        return 1 - dst[3];
    case NV3_PIXOPS_F_DST_COLOR:
        return dst[c];
    case NV3_PIXOPS_F_ONE_MINUS_DST_COLOR:
        return 1 - dst[c];
    case NV3_PIXOPS_F_SRC_ALPHA_SATURATE:
        return c == 3 ? 1 : fmin(src[3], 1 - dst[3]);
    case NV3_PIXOPS_F_CONST_COLOR:
        return constant;
    case NV3_PIXOPS_F_ONE_MINUS_CONST_COLOR:
        return 1 - constant;
    case NV3_PIXOPS_F_CONST_ALPHA:
        return alpha;
    default:
        return 1 - alpha;
    }
}

static double blend(const NV3PixopsState *s, const double src[4], const double dst[4],
                    unsigned c)
{
    unsigned equation = c == 3 ? s->blend_equation_alpha : s->blend_equation;
    double a = src[c] * factor(s, c == 3 ? s->blend_src_alpha : s->blend_src,
                               src, dst, c);
    double b = dst[c] * factor(s, c == 3 ? s->blend_dst_alpha : s->blend_dst,
                               src, dst, c);

    switch (equation) {
    case NV3_PIXOPS_EQ_SUBTRACT:
        return a - b;
    case NV3_PIXOPS_EQ_REVERSE_SUBTRACT:
        return b - a;
    case NV3_PIXOPS_EQ_MIN:
        return fmin(src[c], dst[c]);
    case NV3_PIXOPS_EQ_MAX:
        return fmax(src[c], dst[c]);
    default:
        return a + b;
    }
}

/* Returns true if drawing @color over the stored pixel @old may result in @pixel. */
static bool pixel_fits(const NV3PixopsState *s, uint32_t pixel, uint32_t old,
                       const float color[4])
{
    double src[4], dst[4];

    for (unsigned c = 0; c < 4; c++) {
        const unsigned max = (1u << formats[s->color_format].bits[c]) - 1;

        src[c] = bound(color[c]);
        dst[c] = max ? (double)(old >> formats[s->color_format].shift[c] & max) / max : 1;
    }
    for (unsigned c = 0; c < 4; c++) {
        const unsigned max = (1u << formats[s->color_format].bits[c]) - 1;
        const unsigned shift = formats[s->color_format].shift[c];
        double value = s->blend && !s->logic ? blend(s, src, dst, c) : src[c];
        bool fits = false;

        value = bound(value) * max;
        /* Dithering and rounding may select either of the two nearest values. */
        for (double v = fmax(0, floor(value - 0.01)); !fits && v <= ceil(value + 0.01);
             v++) {
            uint32_t new = v, d = old >> shift & max;

            if (s->logic) {
                new = ((s->logic_op & 1 ? new & d : 0) |
                       (s->logic_op & 2 ? new & ~d : 0) |
                       (s->logic_op & 4 ? ~new & d : 0) |
                       (s->logic_op & 8 ? ~new & ~d : 0)) & max;
            }
            if (!(s->color_mask & 1u << c)) {
                new = d;
            }
            fits = (pixel >> shift & max) == new;
        }
        if (max && !fits) {
            return false;
        }
    }
    return true;
}

/* Sets one of the blend functions for which the engine has loops of its own. */
static void set_usual_blend(NV3PixopsState *s)
{
    s->blend = true;
    s->blend_src = random_bits() & 1 ? NV3_PIXOPS_F_SRC_ALPHA : NV3_PIXOPS_F_ONE;
    s->blend_dst = NV3_PIXOPS_F_ONE_MINUS_SRC_ALPHA;
    s->blend_equation = NV3_PIXOPS_EQ_ADD;
    s->blend_src_alpha = s->blend_src;
    s->blend_dst_alpha = s->blend_dst;
    s->blend_equation_alpha = s->blend_equation;
}

static NV3PixopsState random_state(Memory *m)
{
    NV3PixopsState s = {
        .color_format = random_bits() % 5,
        .zeta_format = random_bits() % 3,
        .depth_test = random_bits() & 1,
        .depth_write = random_bits() & 1,
        .depth_func = random_bits() % 8,
        .depth_clamp = random_bits() % 4 == 0,
        .depth_min = random_between(0, 0.5f),
        .depth_max = random_between(0.5f, 1),
        .stencil_test = random_bits() & 1,
        .alpha_test = random_bits() % 4 == 0,
        .alpha_func = random_bits() % 8,
        .alpha_ref = random_between(0, 1),
        .blend = random_bits() & 1,
        .blend_src = random_bits() % NV3_PIXOPS_FACTORS,
        .blend_dst = random_bits() % NV3_PIXOPS_FACTORS,
        .blend_equation = random_bits() % NV3_PIXOPS_EQUATIONS,
        .blend_src_alpha = random_bits() % NV3_PIXOPS_FACTORS,
        .blend_dst_alpha = random_bits() % NV3_PIXOPS_FACTORS,
        .blend_equation_alpha = random_bits() % NV3_PIXOPS_EQUATIONS,
        .logic = random_bits() % 4 == 0,
        .logic_op = random_bits() % 16,
        .color_mask = random_bits() % 3 ? 15 : random_bits() % 16,
        .dither = random_bits() % NV3_PIXOPS_DITHERS,
    };
    const uint16_t width = 1 + random_bits() % 24, height = 1 + random_bits() % 24;

    if (random_bits() % 4 == 0) {
        set_usual_blend(&s);
    }
    for (unsigned i = 0; i < 4; i++) {
        s.blend_color[i] = random_between(0, 1);
    }
    for (unsigned i = 0; i < 2; i++) {
        s.stencil[i] = (NV3PixopsStencil) {
            .func = random_bits() % 8, .ref = random_bits(), .mask = random_bits(),
            .write_mask = random_bits(), .fail = random_bits() % 8,
            .zfail = random_bits() % 8, .zpass = random_bits() % 8,
        };
    }
    s.color = (NV3PixopsSurface) { m->color, MEMORY, 100 + random_bits() % 8, width,
                                   height };
    s.zeta = (NV3PixopsSurface) {
        m->zeta, MEMORY, 100 + random_bits() % 8, width, height
    };
    return s;
}

static float at(const NV3FpPlane *p, int32_t x, int32_t y)
{
    return p->value + y * p->dy + x * p->dx;
}

/* Colours and depths are multiples of 2^-12, so that their planes are exact. */
static NV3FpPlane random_plane(void)
{
    return (NV3FpPlane) {
        (random_bits() & 4095) / 4096.0f, (int)(random_bits() % 401 - 200) / 4096.0f,
        (int)(random_bits() % 401 - 200) / 4096.0f,
    };
}

enum { COPY, KILL, REPLACE };

static bool tests_zeta(const NV3PixopsState *s)
{
    return s->zeta_format != NV3_PIXOPS_ZETA_NONE &&
           (s->depth_test ||
            (s->stencil_test && s->zeta_format == NV3_PIXOPS_Z24S8));
}

/*
 * Checks the memory @after a block of @tri has been shaded over the memory @before.
 * @samples: the reported number of samples that passed the tests.
 */
static void check_block(const NV3PixopsState *s, const Memory *before,
                        const Memory *after, const NV3FpTriangle *tri, unsigned program,
                        int32_t bx, int32_t by, uint64_t mask, unsigned samples)
{
    const unsigned bytes = formats[s->color_format].bytes;
    const unsigned zbytes = s->zeta_format == NV3_PIXOPS_Z16 ? 2 : 4;
    static Memory expected;
    unsigned count = 0;

    expected = *before;
    for (unsigned i = 0; i < 64; i++) {
        const int32_t x = bx + i % 8, y = by + i / 8;
        uint8_t *p, *z;
        float color[4];

        /* The size of the colour surface is also that of the zeta surface. */
        if (!(mask >> i & 1) ||
            ((s->color_format != NV3_PIXOPS_COLOR_NONE || tests_zeta(s)) &&
             (x >= s->color.width || y >= s->color.height))) {
            continue;
        }
        p = expected.color + y * s->color.pitch + x * bytes;
        z = expected.zeta + y * s->zeta.pitch + x * zbytes;
        for (unsigned c = 0; c < 4; c++) {
            color[c] = at(&tri->input[NV3_FP_COLOR0][c], x, y);
        }
        if ((program == KILL && color[0] + -0.3f < 0) ||
            (s->alpha_test && !compare(s->alpha_func, bound(color[3]), s->alpha_ref))) {
            continue;
        }
        if (tests_zeta(s) &&
            !test_zeta(s, tri->front, z, program == REPLACE ? color[1] :
                       at(&tri->z, x, y))) {
            continue;
        }
        count++;
        if (s->color_format == NV3_PIXOPS_COLOR_NONE) {
            continue;
        }
        if (!pixel_fits(s, load(after->color + (p - expected.color), bytes),
                        load(p, bytes), color)) {
            fail_msg("format %u, blend %u (%u %u %u, %u %u %u), logic %u %u: 0x%x over "
                     "0x%x of %g %g %g %g", s->color_format, s->blend, s->blend_src,
                     s->blend_dst, s->blend_equation, s->blend_src_alpha,
                     s->blend_dst_alpha, s->blend_equation_alpha, s->logic, s->logic_op,
                     load(after->color + (p - expected.color), bytes), load(p, bytes),
                     color[0], color[1], color[2], color[3]);
        }
        memcpy(p, after->color + (p - expected.color), bytes);
    }
    if (samples != count) {
        fail_msg("%u samples, not %u: program %u, depth %u %u, stencil %u, "
                 "alpha %u %u %g, formats %u %u", samples, count, program, s->depth_test,
                 s->depth_func, s->stencil_test, s->alpha_test, s->alpha_func,
                 s->alpha_ref, s->color_format, s->zeta_format);
    }
    assert_memory_equal(expected.color, after->color, MEMORY);
    assert_memory_equal(expected.zeta, after->zeta, MEMORY);
}

/*
 * Returns a random mask of a block's pixels: all pixels or random pixels, in all strips
 * or in random strips.
 */
static uint64_t random_mask(void)
{
    uint64_t mask = random_bits() & 1 ? UINT64_MAX :
                    (uint64_t)random_bits() << 40 ^ (uint64_t)random_bits() << 20 ^
                    random_bits();

    for (unsigned n = 0, keep = random_bits() & 1 ? 15 : random_bits() & 15; n < 4; n++) {
        if (!(keep & 1u << n)) {
            mask &= ~(0xffffull << n * NV3_PIXOPS_STRIP);
        }
    }
    return mask;
}

static NV3FpTriangle random_triangle(void)
{
    NV3FpTriangle tri = {
        .front = random_bits() & 1, .affine = true, .linear = 0xffff,
        .rhw = { 1, 0, 0 }, .z = random_plane(),
    };

    for (unsigned c = 0; c < 4; c++) {
        tri.input[NV3_FP_COLOR0][c] = random_plane();
    }
    tri.input[NV3_FP_FOG][0] = random_plane();
    return tri;
}

static void fill_memory(Memory *m)
{
    for (unsigned i = 0; i < MEMORY; i++) {
        m->color[i] = random_bits();
        m->zeta[i] = random_bits();
    }
}

static void random_blocks(void **state)
{
    static Memory before, memory, first;
    NV3FpCode *code[] = {
        assemble(copy_color, 0), assemble(copy_and_kill, 0),
        assemble(copy_and_replace, NV3_FP_CONTROL_DEPTH),
    };
    NV3FpThread *thread = nv3_fp_thread_new();

    for (unsigned round = 0; round < 6000; round++) {
        const unsigned program = random_bits() % 3;
        NV3FpDraw draw = { .code = code[program], .pixops = random_state(&memory) };
        const NV3PixopsState *s = &draw.pixops;
        const int32_t x = random_bits() % 13 * 2, y = random_bits() % 13 * 2;
        const uint64_t mask = random_mask();
        const NV3FpTriangle tri = random_triangle();

        fill_memory(&before);
        for (unsigned level = 0; level <= nv3_fp_best_level(); level++) {
            unsigned samples;

            memory = before;
            draw.level = level;
            nv3_fp_begin(thread, &draw);
            shade_block(thread, &tri, x, y, mask);
            samples = nv3_fp_finish(thread);
            if (level == 0) {
                check_block(s, &before, &memory, &tri, program, x, y, mask, samples);
                first = memory;
            }
            assert_memory_equal(&memory, &first, sizeof(memory));
        }
    }
    for (unsigned i = 0; i < 3; i++) {
        nv3_fp_code_free(code[i]);
    }
    nv3_fp_thread_free(thread);
}

#define SEQUENCE    12

/* A sequence of blocks to shade. The blocks overlap. */
typedef struct Sequence {
    NV3FpTriangle tri[SEQUENCE];
    uint64_t mask[SEQUENCE];
    int32_t x[SEQUENCE];
} Sequence;

/*
 * Shades the sequence. If @finish is true, calls nv3_fp_finish() after every block.
 * Returns the number of samples that passed.
 */
static unsigned shade_sequence(NV3FpThread *thread, const NV3FpDraw *draw,
                               const Sequence *q, bool finish)
{
    unsigned samples = 0;

    nv3_fp_begin(thread, draw);
    for (unsigned i = 0; i < SEQUENCE; i++) {
        shade_block(thread, &q->tri[i], q->x[i], 8, q->mask[i]);
        if (finish) {
            samples += nv3_fp_finish(thread);
        }
    }
    return samples + nv3_fp_finish(thread);
}

static void window_inputs(FpAsm *a)
{
    fp_op2(a, NV3_FP_MUL, fp_d(0, "xyzw"), fp_in(NV3_FP_POSITION, "xyzw"),
           fp_k(1 / 32.0f, 1 / 32.0f, 1, 0.25f));
    fp_op2(a, NV3_FP_MUL, fp_d(1, "xyzw"), fp_in(NV3_FP_TEXCOORD0, "xyzw"),
           fp_in(NV3_FP_TEXCOORD0, "wzyx"));
    fp_op2(a, NV3_FP_MUL, fp_d(1, "x"), fp_r(1, "x"), fp_k(0.125f, 0, 0, 0));
    fp_op(a, NV3_FP_MAD, fp_d(0, "w"), fp_in(NV3_FP_FACING, "x"), fp_k(0, 0, 0, 0.125f),
          fp_r(0, "w"));
    fp_op1(a, NV3_FP_MOV, fp_d(0, "z"), fp_r(1, "x"));
}

/*
 * Assembles a program that adds the colour's horizontal derivative to the colour.
 * Derivatives require whole quads of pixels.
 */
static void color_and_change(FpAsm *a)
{
    fp_op1(a, NV3_FP_DDX, fp_d(0, "xyzw"), fp_in(NV3_FP_COLOR0, "xyzw"));
    fp_op2(a, NV3_FP_ADD, fp_d(0, "xyzw"), fp_in(NV3_FP_COLOR0, "xyzw"),
           fp_r(0, "xyzw"));
}

/*
 * Returns a random triangle, with or without perspective, so that a strip may contain
 * quads with perspective and quads without it.
 */
static NV3FpTriangle random_perspective(void)
{
    NV3FpTriangle tri = random_triangle();

    tri.x = random_bits() % 16;
    tri.y = random_bits() % 16;
    tri.affine = random_bits() & 1;
    tri.linear = random_bits() % 4 ? 0 : 1u << NV3_FP_TEXCOORD0 | 1u << NV3_FP_FOG;
    tri.rhw = tri.affine ? (NV3FpPlane) { random_bits() & 1 ? 1 : 0.75f, 0, 0 } :
                           (NV3FpPlane) { 0.5f, 0.01f, 0.02f };
    for (unsigned c = 0; c < 4; c++) {
        tri.input[NV3_FP_TEXCOORD0][c] = random_plane();
    }
    return tri;
}

/* Deferred pixels and quads must change memory in the order in which they were added. */
static void order_of_pixels(void **state)
{
    static Memory before, memory, one_by_one;
    NV3FpCode *code[] = {
        assemble(copy_color, 0), assemble(copy_and_kill, 0),
        assemble(copy_and_replace, NV3_FP_CONTROL_DEPTH), assemble(window_inputs, 0),
        assemble(color_and_change, 0),
    };
    NV3FpThread *thread = nv3_fp_thread_new();

    for (unsigned round = 0; round < 4000; round++) {
        NV3FpDraw draw = { .code = code[round % 5], .pixops = random_state(&memory) };
        Sequence sequence;
        unsigned samples;

        draw.pixops.fog = random_bits() % 4 == 0;
        for (unsigned i = 0; i < SEQUENCE; i++) {
            sequence.tri[i] = round & 4 ? random_perspective() : random_triangle();
            sequence.mask[i] = random_mask() & random_mask();
            sequence.x[i] = random_bits() % 6 * 2;
        }
        fill_memory(&before);
        memory = before;
        samples = shade_sequence(thread, &draw, &sequence, true);
        one_by_one = memory;
        for (unsigned level = 0; level <= nv3_fp_best_level(); level++) {
            memory = before;
            draw.level = level;
            assert_int_equal(shade_sequence(thread, &draw, &sequence, false), samples);
            assert_memory_equal(&memory, &one_by_one, sizeof(memory));
        }
    }
    for (unsigned i = 0; i < 5; i++) {
        nv3_fp_code_free(code[i]);
    }
    nv3_fp_thread_free(thread);
}

/* Tests surfaces whose memory ends before their last line. */
static void short_memory(void **state)
{
    NV3FpCode *code = assemble(copy_color, 0);
    NV3FpThread *thread = nv3_fp_thread_new();
    NV3FpTriangle tri = { .affine = true, .linear = 0xffff, .rhw = { 1, 0, 0 } };

    for (unsigned size = 0; size < 700; size++) {
        uint8_t *color = malloc(size + 1), *zeta = malloc(size + 1);
        NV3FpDraw draw = {
            .code = code, .level = nv3_fp_best_level(),
            .pixops = {
                .color = { color, size, 67, 16, 9 },
                .zeta = { zeta, size, 64, 16, 9 },
                .color_format = 1 + size % 4, .zeta_format = size % 3,
                .depth_test = true, .depth_write = true, .depth_func = NV3_PIXOPS_ALWAYS,
                .blend = true, .color_mask = 15,
            },
        };

        nv3_fp_begin(thread, &draw);
        for (int32_t y = 0; y < 16; y += 8) {
            for (int32_t x = 0; x < 24; x += 8) {
                shade_block(thread, &tri, x, y, UINT64_MAX);
            }
        }
        nv3_fp_finish(thread);
        free(color);
        free(zeta);
    }
    nv3_fp_code_free(code);
    nv3_fp_thread_free(thread);
}

/*
 * Tests the fragment inputs for position and facing, and an attribute with perspective.
 */
static void interpolation(void **state)
{
    static uint32_t pixels[32 * 32];
    NV3FpCode *code = assemble(window_inputs, 0);
    NV3FpThread *thread = nv3_fp_thread_new();
    NV3FpTriangle tri = {
        .x = 3, .y = 5, .rhw = { 0.5f, 0.01f, 0.02f }, .z = { 0.5f, 0, 0 },
    };

    assert_int_equal(nv3_fp_code_inputs(code, NV3_FP_TEXCOORD0), 9);
    assert_int_equal(nv3_fp_code_inputs(code, NV3_FP_POSITION), 11);
    tri.input[NV3_FP_TEXCOORD0][0] = (NV3FpPlane) { 0.6f, 0.03f, -0.01f };
    tri.input[NV3_FP_TEXCOORD0][3] = (NV3FpPlane) { 0.7f, 0.01f, 0.02f };
    for (unsigned level = 0; level <= nv3_fp_best_level(); level++) {
        for (unsigned front = 0; front < 2; front++) {
            NV3FpDraw draw = {
                .code = code, .level = level,
                .pixops = {
                    .color = { (uint8_t *)pixels, sizeof(pixels), 128, 32, 32 },
                    .color_format = NV3_PIXOPS_A8R8G8B8, .color_mask = 15,
                },
            };

            tri.front = front;
            nv3_fp_begin(thread, &draw);
            for (int32_t i = 0; i < 16; i++) {
                shade_block(thread, &tri, i % 4 * 8, i / 4 * 8, UINT64_MAX);
                assert_int_equal(nv3_fp_finish(thread), 64);
            }
            for (int32_t i = 0; i < 1024; i++) {
                const int32_t x = i % 32, y = i / 32;
                const uint32_t pixel = load((const uint8_t *)&pixels[i], 4);
                double rhw = 0.5 + 0.01 * (x - 3) + 0.02 * (y - 5);
                double s = (0.6 + 0.03 * (x - 3) - 0.01 * (y - 5)) / rhw;
                double q = (0.7 + 0.01 * (x - 3) + 0.02 * (y - 5)) / rhw;
                double a = rhw / 4 + (front ? 0.125 : -0.125);

                assert_true(fabs((pixel >> 16 & 255) - (x + 0.5) * 255 / 32) <= 0.51);
                assert_true(fabs((pixel >> 8 & 255) - (y + 0.5) * 255 / 32) <= 0.51);
                assert_true(fabs((pixel & 255) - bound(s * q / 8) * 255) <= 0.51);
                assert_true(fabs((pixel >> 24) - bound(a) * 255) <= 0.51);
            }
        }
    }
    nv3_fp_code_free(code);
    nv3_fp_thread_free(thread);
}

#define STEEP_X     64
#define STEEP_Y     96
#define STEEP_SIZE  128

/* A plane of depths whose slopes are far larger than the depths. */
static const NV3FpPlane steep = { 0.5f, 0.11f, -0.0755f };

/* Returns the mask of the block's pixels whose depths need not be clamped. */
static uint64_t steep_mask(void)
{
    uint64_t mask = 0;

    for (unsigned i = 0; i < 64; i++) {
        const double z = steep.value + (double)steep.dx * (STEEP_X + i % 8) +
                         (double)steep.dy * (STEEP_Y + i / 8);

        mask |= (uint64_t)(z > 0.01 && z < 0.99) << i;
    }
    return mask;
}

/* Shades a block. Returns the number of pixels that pass the depth test. */
static unsigned shade_steep(NV3FpThread *thread, NV3FpDraw *draw, unsigned func,
                            float offset, uint64_t mask)
{
    NV3FpTriangle tri = {
        .affine = true, .linear = 0xffff, .rhw = { 1, 0, 0 }, .z = steep,
    };

    tri.z.value += offset;
    tri.input[NV3_FP_COLOR0][0] = (NV3FpPlane) { 1, 0, 0 };
    draw->pixops.depth_func = func;
    nv3_fp_begin(thread, draw);
    shade_block(thread, &tri, STEEP_X, STEEP_Y, mask);
    return nv3_fp_finish(thread);
}

/* A small offset must change the depth of each pixel of a narrow triangle. */
static void steep_depths(void **state)
{
    static uint32_t zeta[STEEP_SIZE * STEEP_SIZE], color[STEEP_SIZE * STEEP_SIZE];
    NV3FpCode *code[] = { assemble(copy_color, 0), assemble(copy_and_kill, 0) };
    NV3FpThread *thread = nv3_fp_thread_new();

    for (unsigned i = 0; i < 4 * (nv3_fp_best_level() + 1); i++) {
        const uint64_t mask = steep_mask() & (i & 2 ? UINT64_MAX : 0x3c3c0000);
        const unsigned count = __builtin_popcountll(mask);
        NV3FpDraw draw = {
            .code = code[i & 1], .level = i / 4,
            .pixops = {
                .color = { (uint8_t *)color, sizeof(color), STEEP_SIZE * 4, STEEP_SIZE,
                           STEEP_SIZE },
                .zeta = { (uint8_t *)zeta, sizeof(zeta), STEEP_SIZE * 4, STEEP_SIZE,
                          STEEP_SIZE },
                .color_format = NV3_PIXOPS_A8R8G8B8, .color_mask = 15,
                .zeta_format = NV3_PIXOPS_Z24S8, .depth_test = true, .depth_write = true,
            },
        };

        assert_true(count > 4);
        assert_int_equal(shade_steep(thread, &draw, NV3_PIXOPS_ALWAYS, 0, mask), count);
        draw.pixops.depth_write = false;
        assert_int_equal(shade_steep(thread, &draw, NV3_PIXOPS_EQUAL, 0, mask), count);
        assert_int_equal(shade_steep(thread, &draw, NV3_PIXOPS_EQUAL, 0x1p-23f, mask), 0);
    }
    for (unsigned i = 0; i < 2; i++) {
        nv3_fp_code_free(code[i]);
    }
    nv3_fp_thread_free(thread);
}

/* Tests that all formats clamp colours to the range 0 to 1, and that a NaN becomes 0. */
static void clamping(void **state)
{
    static const struct {
        float value, clamped;
    } colors[] = {
        { NAN, 0 }, { -NAN, 0 }, { INFINITY, 1 }, { -INFINITY, 0 }, { 1e9f, 1 },
        { -1e9f, 0 }, { 1e38f, 1 }, { -1e38f, 0 }, { 1.5f, 1 }, { -0.5f, 0 },
        { -0.001f, 0 }, { -0.0f, 0 }, { 0.6f, 0.6f },
    };
    static uint32_t pixels[64];
    NV3FpCode *code = assemble(copy_color, 0);
    NV3FpThread *thread = nv3_fp_thread_new();
    NV3FpTriangle tri = { .affine = true, .linear = 0xffff, .rhw = { 1, 0, 0 } };
    const unsigned count = sizeof(colors) / sizeof(colors[0]);

    for (unsigned i = 0; i < count * 4 * (nv3_fp_best_level() + 1); i++) {
        const unsigned format = NV3_PIXOPS_X1R5G5B5 + i / count % 4;
        NV3FpDraw draw = {
            .code = code, .level = i / count / 4,
            .pixops = {
                .color = { (uint8_t *)pixels, sizeof(pixels), 32, 8, 8 },
                .color_format = format, .color_mask = 15,
            },
        };

        for (unsigned c = 0; c < 4; c++) {
            tri.input[NV3_FP_COLOR0][c].value = colors[(i + c) % count].value;
        }
        nv3_fp_begin(thread, &draw);
        shade_block(thread, &tri, 0, 0, UINT64_MAX);
        nv3_fp_finish(thread);
        for (unsigned c = 0; c < 4; c++) {
            const unsigned max = (1u << formats[format].bits[c]) - 1;
            const uint32_t pixel = load((const uint8_t *)pixels, formats[format].bytes);

            assert_int_equal(pixel >> formats[format].shift[c] & max,
                             (unsigned)(colors[(i + c) % count].clamped * max + 0.5f));
        }
    }
    nv3_fp_code_free(code);
    nv3_fp_thread_free(thread);
}

/*
 * Tests fog, which mixes the colour with the fog colour. The input FOG is the factor of
 * the colour.
 */
static void fog(void **state)
{
    static uint32_t pixels[64];
    NV3FpCode *code = assemble(copy_color, 0);
    NV3FpThread *thread = nv3_fp_thread_new();
    NV3FpTriangle tri = { .affine = true, .rhw = { 2, 0, 0 } };
    NV3FpDraw draw = {
        .code = code,
        .pixops = {
            .color = { (uint8_t *)pixels, sizeof(pixels), 32, 8, 8 },
            .color_format = NV3_PIXOPS_X8R8G8B8, .color_mask = 15,
            .fog = true, .fog_color = { 1, 0, 0.5f },
        },
    };

    tri.input[NV3_FP_COLOR0][1] = (NV3FpPlane) { 2, 0, 0 };
    tri.input[NV3_FP_FOG][0] = (NV3FpPlane) { -1, 0.5f, 0 };
    for (unsigned level = 0; level <= nv3_fp_best_level(); level++) {
        draw.level = level;
        nv3_fp_begin(thread, &draw);
        shade_block(thread, &tri, 0, 0, UINT64_MAX);
        nv3_fp_finish(thread);
        for (unsigned i = 0; i < 64; i++) {
            const uint32_t pixel = load((const uint8_t *)&pixels[i], 4);
            double f = bound((-1 + 0.5 * (i % 8)) / 2);

            assert_true(fabs((pixel >> 16 & 255) - 255 * (1 - f)) <= 0.51);
            assert_true(fabs((pixel >> 8 & 255) - 255 * f) <= 0.51);
            assert_true(fabs((pixel & 255) - 127.5 * (1 - f)) <= 0.51);
        }
    }
    nv3_fp_code_free(code);
    nv3_fp_thread_free(thread);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_blocks),
        cmocka_unit_test(order_of_pixels),
        cmocka_unit_test(short_memory),
        cmocka_unit_test(interpolation),
        cmocka_unit_test(steep_depths),
        cmocka_unit_test(clamping),
        cmocka_unit_test(fog),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
