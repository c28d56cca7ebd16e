/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compares the core's pixel operations with a slow reference. The reference computes one
 * bit at a time. It interprets the letters in the names of operations as operands: D
 * (destination), S (source) and P (pattern).
 */
#include "graph.h"

#include "2d/rop.h"

static const char *const op_names[] = {
    [0x01] = "SDD", "DSD", "SSD", "DDS", "SDS", "DSS", "SSS", "SSS", "PSS",
    "SPS", "PPS", "SSP", "PSP", "SPP",
    [0x10] = "DSP", "SDP", "DPS", "PDS", "SPD", "PSD",
};

static void set_options(Graph *g, unsigned op, uint32_t options)
{
    g->s->pgraph.ctx_switch = op << NV3_GROBJ_OP_SHIFT | options;
}

/*
 * Computes one bit of the result of a raster operation, from the bits @d, @s and @p of
 * the operands. The result is the bit of @rop whose index consists of the operands that
 * the letters of @name select, lowest bit first.
 */
static unsigned named_bit(const char *name, uint8_t rop, unsigned d, unsigned s,
                          unsigned p)
{
    unsigned index = 0;

    for (unsigned i = 0; i < 3; i++) {
        unsigned bit = name[i] == 'D' ? d : name[i] == 'S' ? s : p;

        index |= bit << i;
    }
    return rop >> index & 1;
}

static uint32_t named_rop(const char *name, uint8_t rop, uint32_t d, uint32_t s,
                          uint32_t p, unsigned bits)
{
    uint32_t res = 0;

    for (unsigned i = 0; i < bits; i++) {
        res |= named_bit(name, rop, d >> i & 1, s >> i & 1, p >> i & 1) << i;
    }
    return res;
}

/*
 * Tests each operation of op_names[] with each of the 256 values of register ROP, for 8
 * bits per pixel.
 */
static void test_rop_by_name(void **state)
{
    Graph *g = *state;
    NV3Pgraph *gr = &g->s->pgraph;
    uint32_t seed = 3;

    for (unsigned op = 1; op < sizeof(op_names) / sizeof(op_names[0]); op++) {
        if (!op_names[op]) {
            continue;
        }
        set_options(g, op, NV3_GROBJ_FORMAT_Y8);
        for (unsigned rop = 0; rop < 256; rop++) {
            NV3Rop r;
            uint32_t d = graph_rand(&seed) & 0xff, s = graph_rand(&seed);
            uint32_t p = graph_rand(&seed) & 0xff;

            gr->rop = rop;
            gr->pattern_rgb[0] = p << 2;
            gr->pattern_a[0] = 1;
            nv3_rop_init(&r, gr, NV3_SURF_Y8, NV3_MODE_Y8);
            assert_int_equal(nv3_rop_pixel(&r, 0, 0, d, nv3_color_expand(gr, s)),
                             named_rop(op_names[op], rop, d, s, p, 8));
        }
    }
}

/* Tests well-known ROP3 codes, for 15 bits per pixel. */
static void test_known_rops(void **state)
{
    Graph *g = *state;
    NV3Pgraph *gr = &g->s->pgraph;
    const uint32_t d = 0x2d5a, s = 0x7123, p = 0x5555;
    const struct {
        uint8_t rop;
        uint32_t want;
    } known[] = {
        { 0x00, 0 }, { 0xff, 0x7fff }, { 0xcc, s }, { 0xaa, d }, { 0xf0, p },
        { 0x66, d ^ s }, { 0x88, d & s }, { 0xee, d | s }, { 0x55, ~d },
        { 0x33, ~s }, { 0x5a, d ^ p }, { 0xc0, s & p }, { 0x44, s & ~d },
    };

    set_options(g, 0x10, NV3_GROBJ_FORMAT_R5G5B5);
    gr->pattern_rgb[0] = (p >> 10 & 31) << 25 | (p >> 5 & 31) << 15 |
                         (p & 31) << 5;
    gr->pattern_a[0] = 0xff;
    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
        NV3Rop r;

        gr->rop = known[i].rop;
        nv3_rop_init(&r, gr, NV3_SURF_X1R5G5B5, NV3_MODE_RGB5);
        assert_int_equal(nv3_rop_pixel(&r, 0, 0, d, nv3_color_expand(gr, s)),
                         known[i].want & 0x7fff);
    }
}

/*
 * Operations RPOP_DS and RPOP_SP have only two operands. The operand bits (d, s) form a
 * number n from 0 to 3. The result for n depends only on those bits of register ROP whose
 * number has n bits set (0; 1, 2, 4; 3, 5, 6; 7).
 */
static void test_rpop(void **state)
{
    Graph *g = *state;
    NV3Pgraph *gr = &g->s->pgraph;
    static const uint8_t group[4] = { 0x01, 0x16, 0x68, 0x80 };
    NV3Rop r;

    for (unsigned i = 0; i < 4; i++) {
        for (unsigned b = 0; b < 8; b++) {
            unsigned on;

            if (!(group[i] >> b & 1)) {
                continue;
            }
            gr->rop = 1u << b;
            /*
             * With d = 1100b and s = 1010b, bit n of the result is the result for (d, s)
             * = n.
             */
            set_options(g, 0x00, NV3_GROBJ_FORMAT_Y8);
            nv3_rop_init(&r, gr, NV3_SURF_Y8, NV3_MODE_Y8);
            on = nv3_rop_pixel(&r, 0, 0, 0xc, nv3_color_expand(gr, 0xa)) & 0xf;
            assert_int_equal(on, 1u << i);
            /*
             * RPOP_SP must have the same result with a pattern of 1100b and a source of
             * 1010b.
             */
            set_options(g, 0x0f, NV3_GROBJ_FORMAT_Y8);
            gr->pattern_rgb[0] = 0xc << 2;
            gr->pattern_a[0] = 1;
            nv3_rop_init(&r, gr, NV3_SURF_Y8, NV3_MODE_Y8);
            on = nv3_rop_pixel(&r, 0, 0, 0, nv3_color_expand(gr, 0xa)) & 0xf;
            assert_int_equal(on, 1u << i);
        }
    }
}

static void test_undefined_op(void **state)
{
    Graph *g = *state;
    static const unsigned op[] = { 0x16, 0x18, 0x1b, 0x1c, 0x1e, 0x1f };
    NV3Rop r;

    for (size_t i = 0; i < sizeof(op) / sizeof(op[0]); i++) {
        set_options(g, op[i], NV3_GROBJ_FORMAT_Y8);
        nv3_rop_init(&r, &g->s->pgraph, NV3_SURF_Y8, NV3_MODE_Y8);
        assert_int_equal(nv3_rop_pixel(&r, 0, 0, 0x5a,
                                       nv3_color_expand(&g->s->pgraph, 0)),
                         0x5a);
    }
}

/* For each colour format and each surface format, checks the value that a copy stores. */
static void test_formats(void **state)
{
    Graph *g = *state;
    static const struct {
        unsigned format, surf;
        uint32_t color, want;
    } t[] = {
        { NV3_GROBJ_FORMAT_R5G5B5, NV3_SURF_X1R5G5B5, 0xffff1234, 0x1234 },
        { NV3_GROBJ_FORMAT_R5G5B5, NV3_SURF_X1R5G5B5, 0xffff, 0x7fff },
        { NV3_GROBJ_FORMAT_R5G5B5, NV3_SURF_X8R8G8B8, 0x7c00, 0x00f80000 },
        { NV3_GROBJ_FORMAT_R5G5B5, NV3_SURF_Y8, 0x1234, 0x34 },
        { NV3_GROBJ_FORMAT_R8G8B8, NV3_SURF_X8R8G8B8, 0xff123456, 0x00123456 },
        { NV3_GROBJ_FORMAT_R10G10B10, NV3_SURF_X8R8G8B8, 0x3fffffff,
          0x3fffffff },
        { NV3_GROBJ_FORMAT_R10G10B10, NV3_SURF_X8R8G8B8, 0x00300c03,
          0x3f000000 },
        { NV3_GROBJ_FORMAT_Y8, NV3_SURF_Y8, 0xabcd, 0xcd },
        { NV3_GROBJ_FORMAT_Y8, NV3_SURF_X8R8G8B8, 0xabcd, 0x00cdcdcd },
        { NV3_GROBJ_FORMAT_Y16, NV3_SURF_Y16, 0x1234abcd, 0xabcd },
        { NV3_GROBJ_FORMAT_Y16, NV3_SURF_X8R8G8B8, 0xabcd,
          0x3fababab },
        { 5, NV3_SURF_X8R8G8B8, 0x80654321, 0x00654321 },
    };
    NV3Rop r;

    for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
        NV3Color c;

        set_options(g, NV3_GROBJ_OP_SRCCOPY, t[i].format);
        c = nv3_color_expand(&g->s->pgraph, t[i].color);
        nv3_rop_init(&r, &g->s->pgraph, t[i].surf, c.mode);
        assert_int_equal(nv3_rop_pixel(&r, 0, 0, 0xffffffff, c), t[i].want);
    }
}

/*
 * The top bit of each drawn 16-bit or 32-bit pixel must be the object's option
 * CLUT_BYPASS.
 */
static void test_bypass(void **state)
{
    Graph *g = *state;
    NV3Rop r;

    set_options(g, NV3_GROBJ_OP_SRCCOPY, NV3_GROBJ_FORMAT_R5G5B5 | 0x200);
    nv3_rop_init(&r, &g->s->pgraph, NV3_SURF_X1R5G5B5, NV3_MODE_RGB5);
    assert_int_equal(nv3_rop_pixel(&r, 0, 0, 0,
                                   nv3_color_expand(&g->s->pgraph, 0x1234)),
                     0x9234);
    nv3_rop_init(&r, &g->s->pgraph, NV3_SURF_X8R8G8B8, NV3_MODE_RGB5);
    assert_int_equal(nv3_rop_pixel(&r, 0, 0, 0,
                                   nv3_color_expand(&g->s->pgraph, 0x1f)),
                     0x800000f8);
    nv3_rop_init(&r, &g->s->pgraph, NV3_SURF_Y8, NV3_MODE_RGB5);
    assert_int_equal(nv3_rop_pixel(&r, 0, 0, 0,
                                   nv3_color_expand(&g->s->pgraph, 0x1f)),
                     0x1f);
}

/*
 * If the object has the option ALPHA, a colour with an alpha of 0 must not be drawn.
 * Otherwise, the alpha of a colour has no effect.
 */
static void test_alpha(void **state)
{
    Graph *g = *state;
    static const struct {
        unsigned format;
        uint32_t clear, opaque;
    } t[] = {
        { NV3_GROBJ_FORMAT_R5G5B5, 0x7fff, 0x8000 },
        { NV3_GROBJ_FORMAT_R8G8B8, 0x00ffffff, 0x01000000 },
        { NV3_GROBJ_FORMAT_R10G10B10, 0x3fffffff, 0x40000000 },
        { NV3_GROBJ_FORMAT_Y8, 0x00ff, 0x0100 },
        { NV3_GROBJ_FORMAT_Y16, 0x00ffffff, 0x01000000 },
    };
    const NV3Pgraph *gr = &g->s->pgraph;
    NV3Rop r;

    for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
        set_options(g, NV3_GROBJ_OP_SRCCOPY, t[i].format);
        nv3_rop_init(&r, gr, NV3_SURF_Y8, NV3_MODE_Y8);
        assert_int_equal(nv3_rop_pixel(&r, 0, 0, 0x77,
                                       nv3_color_expand(gr, t[i].clear)), 0xff);
        set_options(g, NV3_GROBJ_OP_SRCCOPY, t[i].format | NV3_GROBJ_ALPHA);
        assert_int_equal(nv3_rop_pixel(&r, 0, 0, 0x77,
                                       nv3_color_expand(gr, t[i].clear)), 0x77);
        assert_int_equal(nv3_rop_pixel(&r, 0, 0, 0x77,
                                       nv3_color_expand(gr, t[i].opaque)), 0);
    }
}

static void test_chroma(void **state)
{
    Graph *g = *state;
    NV3Pgraph *gr = &g->s->pgraph;
    NV3Rop r;

    set_options(g, NV3_GROBJ_OP_SRCCOPY,
                NV3_GROBJ_FORMAT_R5G5B5 | NV3_GROBJ_CHROMA);
    gr->chroma = nv3_color_pack(nv3_color_expand(gr, 0x2345));
    nv3_rop_init(&r, gr, NV3_SURF_X1R5G5B5, NV3_MODE_RGB5);
    assert_false(nv3_rop_is_copy(&r));
    assert_int_equal(nv3_rop_pixel(&r, 0, 0, 1, nv3_color_expand(gr, 0x2345)), 1);
    assert_int_equal(nv3_rop_pixel(&r, 0, 0, 1, nv3_color_expand(gr, 0x2344)),
                     0x2344);
    /* A colour key whose alpha is 0 must have no effect. */
    gr->chroma &= ~(1u << 30);
    nv3_rop_init(&r, gr, NV3_SURF_X1R5G5B5, NV3_MODE_RGB5);
    assert_true(nv3_rop_is_copy(&r));
    assert_int_equal(nv3_rop_pixel(&r, 0, 0, 1, nv3_color_expand(gr, 0x2345)),
                     0x2345);
}

/*
 * A pattern of 64 bits has three possible shapes. If a colour of the pattern has an alpha
 * of 0, pixels with this colour are not drawn.
 */
static void test_pattern(void **state)
{
    Graph *g = *state;
    NV3Pgraph *gr = &g->s->pgraph;
    NV3Rop r;

    set_options(g, 0x10, NV3_GROBJ_FORMAT_Y8);
    gr->rop = 0xf0;
    gr->pattern_rgb[0] = 0x11 << 2;
    gr->pattern_rgb[1] = 0xee << 2;
    gr->pattern_a[1] = 0xff;
    gr->pattern_mono[0] = 0x8040f00f;
    gr->pattern_mono[1] = 0x12345678;
    for (unsigned shape = 0; shape < 3; shape++) {
        gr->pattern_shape = shape;
        for (unsigned alpha = 0; alpha < 2; alpha++) {
            gr->pattern_a[0] = alpha;
            nv3_rop_init(&r, gr, NV3_SURF_Y8, NV3_MODE_Y8);
            for (unsigned y = 0; y < 70; y++) {
                for (unsigned x = 0; x < 70; x++) {
                    unsigned i = shape == 0 ? y % 8 * 8 + x % 8 :
                                 shape == 1 ? x % 64 : y % 64;
                    uint64_t mono = (uint64_t)gr->pattern_mono[1] << 32 |
                                    gr->pattern_mono[0];
                    uint32_t want = mono >> i & 1 ? 0xee : alpha ? 0x11 : 0x77;

                    assert_int_equal(nv3_rop_pixel(&r, x, y, 0x77,
                                                   nv3_color_expand(gr, 0)),
                                     want);
                }
            }
        }
    }
}

/*
 * With WRITE_ONLY_ROPS, an operation whose result is the destination must not change any
 * bit of the pixel, not even the top bit.
 */
static void test_keep(void **state)
{
    Graph *g = *state;
    NV3Pgraph *gr = &g->s->pgraph;
    NV3Rop r;

    set_options(g, 0x05, NV3_GROBJ_FORMAT_R5G5B5);
    gr->rop = 0xcc;     /* "SDS": bit 1 selects D */
    nv3_rop_init(&r, gr, NV3_SURF_X1R5G5B5, NV3_MODE_RGB5);
    assert_int_equal(nv3_rop_pixel(&r, 0, 0, 0xffff, nv3_color_expand(gr, 0)),
                     0x7fff);
    gr->debug[0] = 0x00100000;
    nv3_rop_init(&r, gr, NV3_SURF_X1R5G5B5, NV3_MODE_RGB5);
    assert_int_equal(nv3_rop_pixel(&r, 0, 0, 0xffff, nv3_color_expand(gr, 0)),
                     0xffff);
    gr->ctx_switch |= NV3_GROBJ_PLANE;
    nv3_rop_init(&r, gr, NV3_SURF_X1R5G5B5, NV3_MODE_RGB5);
    assert_int_equal(nv3_rop_pixel(&r, 0, 0, 0xffff, nv3_color_expand(gr, 0)),
                     0x7fff);
}

/*
 * In each square of 16 x 16 pixels, the number of pixels that dithering rounds up must be
 * proportional to the value of the dropped bits. Dithering must not increase a component
 * by more than one, and must not change the maximum.
 */
static void test_dither(void **state)
{
    for (unsigned val = 0; val < 1024; val += 4) {
        for (unsigned green = 0; green < 2; green++) {
            unsigned ups = 0;

            for (unsigned i = 0; i < 256; i++) {
                unsigned got = nv3_dither_10to5(val, i % 16, i / 16, green);

                assert_in_range(got, val >> 5, val >= 992 ? 31 : (val >> 5) + 1);
                assert_int_equal(got, nv3_dither_10to5(val, i % 16 + 16,
                                                       i / 16 + 32, green));
                ups += got - (val >> 5);
            }
            assert_in_range(ups * 8 + 32, val >= 992 ? 0 : (val & 31) / 4 * 256,
                            val >= 992 ? 32 : (val & 31) / 4 * 256 + 64);
        }
    }
}

/*
 * nv3_rop_is_copy() must return false for a copy of 32-bit colours to a 16-bit surface,
 * because the colours are dithered.
 */
static void test_dithered_copy(void **state)
{
    Graph *g = *state;
    const NV3Pgraph *gr = &g->s->pgraph;
    NV3Rop r;

    set_options(g, NV3_GROBJ_OP_SRCCOPY, NV3_GROBJ_FORMAT_R8G8B8);
    nv3_rop_init(&r, gr, NV3_SURF_X1R5G5B5, NV3_MODE_RGB8);
    assert_false(nv3_rop_is_copy(&r));
    assert_int_equal(nv3_rop_pixel(&r, 0, 0, 0, nv3_color_expand(gr, 0xff0804)),
                     31 << 10 | 1 << 5 | 1);
    assert_int_equal(nv3_rop_pixel(&r, 1, 0, 0, nv3_color_expand(gr, 0xff0804)),
                     31 << 10 | 1 << 5 | 0);
}

static uint32_t blend_one(unsigned op, unsigned beta, uint32_t src, uint32_t dst,
                          Graph *g)
{
    NV3Rop r;

    set_options(g, op, NV3_GROBJ_FORMAT_R8G8B8 | NV3_GROBJ_ALPHA);
    g->s->pgraph.beta = beta << 23;
    nv3_rop_init(&r, &g->s->pgraph, NV3_SURF_X8R8G8B8, NV3_MODE_RGB8);
    return nv3_rop_pixel(&r, 0, 0, dst, nv3_color_expand(&g->s->pgraph, src)) &
           0xffffff;
}

static void test_blend(void **state)
{
    Graph *g = *state;
    const uint32_t dst = 0x204060;

    /* For operation 0x1d, the blend factor is the source's alpha. */
    assert_int_equal(blend_one(0x1d, 0, 0xff8090a0, dst, g), 0x8090a0);
    assert_int_equal(blend_one(0x1d, 0, 0x078090a0, dst, g), dst);
    assert_int_equal(blend_one(0x1d, 0, 0x808060a0, dst, g), 0x505080);
    /*
     * For operation 0x19, the blend factor is the source's alpha times BETA, and for
     * operation 0x1a, times 1 - BETA.
     */
    assert_int_equal(blend_one(0x19, 0xff, 0x808060a0, dst, g), 0x505080);
    assert_int_equal(blend_one(0x19, 0, 0xffffffff, dst, g), dst);
    assert_int_equal(blend_one(0x19, 0x80, 0xff8060a0, dst, g), 0x505080);
    assert_int_equal(blend_one(0x1a, 0xff, 0xffffffff, dst, g), dst);
    assert_int_equal(blend_one(0x1a, 0, 0x808060a0, dst, g), 0x505080);
    /* The product of the factors is a quarter of 0x100: (0x8 * 0x10) >> 1 = 0x40. */
    assert_int_equal(blend_one(0x19, 0x80, 0x808060a0, 0, g), 0x201828);
}

static void test_mono(void **state)
{
    assert_int_equal(nv3_mono_expand(0, 0x01020380), 0x01020380);
    assert_int_equal(nv3_mono_expand(NV3_GROBJ_MONO_CGA6, 0x01020380),
                     0x8040c001);
}

/*
 * Sends methods that draw a rectangle, and compares each pixel with the result of
 * nv3_rop_pixel().
 */
static void check_rect(Graph *g, uint32_t *seed, unsigned surf)
{
    static const uint8_t cpp_of[] = { 2, 1, 2, 4 };
    unsigned cpp = cpp_of[surf];
    uint32_t color = graph_rand(seed) | 0xff000000, at = graph_rand(seed);
    unsigned x0 = at & 0x3f, y0 = at >> 8 & 0xf;
    unsigned w = 1 + (at >> 16 & 0x7f), h = 1 + (at >> 24 & 7);
    static uint8_t old[GRAPH_HEIGHT * GRAPH_PITCH];
    uint8_t *vram = g->host->vram + GRAPH_SURF(0);
    NV3Color c = nv3_color_expand(&g->s->pgraph, color);
    NV3Rop rop;

    for (unsigned i = 0; i < sizeof(old); i++) {
        vram[i] = graph_rand(seed);
    }
    memcpy(old, vram, sizeof(old));
    nv3_rop_init(&rop, &g->s->pgraph, surf, c.mode);
    graph_mthd(g, 0, NV3_RECT_COLOR, color);
    graph_mthd(g, 0, NV3_RECT_POINT(0), graph_xy(x0, y0));
    graph_mthd(g, 0, NV3_RECT_SIZE(0), graph_xy(w, h));
    for (unsigned y = 0; y < 40; y++) {
        for (unsigned x = 0; x < 210; x++) {
            unsigned at_byte = y * GRAPH_PITCH + x * cpp;
            uint32_t was = nv3_pixel_load(old + at_byte, cpp);

            if (x >= x0 && x < x0 + w && y >= y0 && y < y0 + h) {
                was = nv3_rop_pixel(&rop, x, y, was, c);
            }
            assert_int_equal(nv3_pixel_load(vram + at_byte, cpp), was);
        }
    }
}

/*
 * Compares drawn rectangles, for which the core has optimized loops, with the results of
 * nv3_rop_pixel(). The operations, patterns, formats and positions are random.
 */
static void test_rectangles(void **state)
{
    Graph *g = *state;
    uint32_t seed = 0x1234567;

    for (unsigned i = 0; i < 1500; i++) {
        unsigned surf = graph_rand(&seed) & 3;
        uint32_t bits = graph_rand(&seed);
        uint32_t options = (bits & 7) % 5 | (bits >> 16 & 0x1f) << 24 |
                           (bits & 0x2200) | 1u << NV3_GROBJ_DST_SHIFT;

        graph_formats(g, surf);
        graph_bind(g, 0, (GraphObject) {
            .class = NV3_CLASS_RECT, .options = options,
        });
        g->s->pgraph.rop = graph_rand(&seed) & 0xff;
        g->s->pgraph.beta = graph_rand(&seed) & 0x7f800000;
        g->s->pgraph.chroma = graph_rand(&seed) & 0x7fffffff;
        g->s->pgraph.pattern_shape = bits >> 24 & 3;
        for (unsigned j = 0; j < 2; j++) {
            g->s->pgraph.pattern_rgb[j] = graph_rand(&seed) & 0x3fffffff;
            g->s->pgraph.pattern_a[j] = graph_rand(&seed) & 0xff;
            g->s->pgraph.pattern_mono[j] = graph_rand(&seed);
        }
        check_rect(g, &seed, surf);
    }
}

#define T(name) \
    cmocka_unit_test_setup_teardown(name, graph_setup, graph_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        T(test_rop_by_name),
        T(test_known_rops),
        T(test_rpop),
        T(test_undefined_op),
        T(test_formats),
        T(test_bypass),
        T(test_alpha),
        T(test_chroma),
        T(test_pattern),
        T(test_keep),
        T(test_dither),
        T(test_dithered_copy),
        T(test_blend),
        T(test_mono),
        T(test_rectangles),
    };

    return cmocka_run_group_tests_name("pgraph_rop", tests, NULL, NULL);
}
