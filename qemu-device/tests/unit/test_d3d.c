/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tests class 0x17 through PGRAPH: the registers that each method sets, refused values,
 * vertices that draw triangles, clipping, textures in VRAM and in system memory, and
 * unreadable textures. The expected values of registers are from envytools,
 * hwtest/pgraph_class_d3d0.cc.
 */
#include "graph.h"

#include "chip/le.h"

#define SUBCH       2
#define TEX_VRAM    0x400000u       /* location of textures in VRAM */
#define TEX_INST    0x10000u        /* RAMIN address of the DMA object for TEX_VRAM */
#define MEM_INST    0x20000u /* RAMIN address of the DMA object for system memory */
#define TEX_BYTES   0x100000u

#define OPTIONS     (NV3_GROBJ_OP_SRCCOPY << NV3_GROBJ_OP_SHIFT | \
                     1u << NV3_GROBJ_DST_SHIFT)
#define CONFIG      (NV3_D3D_INTERP_ZOH_CORNER | \
                     NV3_D3D_WRAP_WRAP << NV3_D3D_CONFIG_WRAP_U_SHIFT | \
                     NV3_D3D_WRAP_WRAP << NV3_D3D_CONFIG_WRAP_V_SHIFT | \
                     NV3_D3D_SOURCE_ALPHA_ONE << \
                     NV3_D3D_CONFIG_SOURCE_SHIFT | \
                     NV3_D3D_CULL_NONE << NV3_D3D_CONFIG_CULL_SHIFT | \
                     NV3_D3D_CMP_LESS << NV3_D3D_CONFIG_Z_FUNC_SHIFT | \
                     NV3_D3D_WRITE_Z << NV3_D3D_CONFIG_Z_WRITE_SHIFT | \
                     NV3_D3D_WRITE_Z << NV3_D3D_CONFIG_COLOR_WRITE_SHIFT)

static uint32_t bits(float f)
{
    uint32_t u;

    memcpy(&u, &f, sizeof(u));
    return u;
}

static void mthd(Graph *g, uint32_t mthd, uint32_t data)
{
    graph_mthd(g, SUBCH, mthd, data);
}

/*
 * Sends invalid data. Fails unless PGRAPH accepts the method and reports the invalid
 * data. Restarts PGRAPH.
 */
static void bad_data(Graph *g, uint32_t mthd, uint32_t data)
{
    assert_true(graph_try(g, SUBCH, mthd, data));
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_INVALID),
                     NV3_PGRAPH_INVALID_DATA);
    graph_resume(g);
}

static void bind_with(Graph *g, uint32_t options, uint32_t inst)
{
    /*
     * Bind another object first, because PGRAPH loads DMA objects only when the object
     * changes.
     */
    graph_bind(g, SUBCH + 1, (GraphObject) {
        .class = NV3_CLASS_D3D, .options = OPTIONS,
    });
    graph_bind(g, SUBCH, (GraphObject) {
        .class = NV3_CLASS_D3D, .options = options, .dma = inst >> 4,
    });
}

static void put_texel(Graph *g, uint32_t offset, unsigned i, uint16_t texel)
{
    nv3_stw(g->host->vram + TEX_VRAM + offset + i * 2, texel);
}

/* Binds an object and sets up drawing with a texture of one white texel. */
static void start(Graph *g, uint32_t options, uint32_t inst)
{
    bind_with(g, options, inst);
    put_texel(g, 0, 0, 0x7fff);
    mthd(g, NV3_D3D_TEX_OFFSET, 0);
    mthd(g, NV3_D3D_TEX_FORMAT,
         NV3_D3D_TEX_X1R5G5B5 << NV3_D3D_TEX_FORMAT_SHIFT);
    mthd(g, NV3_D3D_TEX_FILTER, 0);
    mthd(g, NV3_D3D_FOG_COLOR, 0);
    mthd(g, NV3_D3D_CONFIG, CONFIG);
    mthd(g, NV3_D3D_ALPHA, NV3_D3D_CMP_ALWAYS << 8);
}

static void setup(Graph *g)
{
    host_dmaobj(g->host, TEX_INST, NV3_DMAOBJ_TARGET_VRAM, TEX_VRAM,
                TEX_BYTES, false);
    host_dmaobj(g->host, MEM_INST, NV3_DMAOBJ_TARGET_PCI, HOST_MEM_BASE,
                TEX_BYTES, false);
    start(g, OPTIONS, TEX_INST);
}

typedef struct Vertex {
    float x, y, z, u, v;
    uint32_t color;
} Vertex;

/*
 * Sends the vertex @v to vertex slot @w. @tri: argument of FOG_TRI, with the slots of the
 * triangle's three vertices.
 */
static void vertex(Graph *g, unsigned w, uint32_t tri, Vertex v)
{
    mthd(g, NV3_D3D_FOG_TRI(w), tri);
    mthd(g, NV3_D3D_COLOR(w), v.color);
    mthd(g, NV3_D3D_X(w), bits(v.x));
    mthd(g, NV3_D3D_Y(w), bits(v.y));
    mthd(g, NV3_D3D_Z(w), bits(v.z));
    mthd(g, NV3_D3D_RHW(w), bits(1));
    mthd(g, NV3_D3D_U(w), bits(v.u));
    mthd(g, NV3_D3D_V(w), bits(v.v));
}

static uint64_t triangles(Graph *g)
{
    return g->s->counters[NV3_PVIRT_COUNTER_TRIANGLES];
}

static uint64_t pixels(Graph *g)
{
    return g->s->counters[NV3_PVIRT_COUNTER_PIXELS];
}

/* Draws [@x0, @x1) x [@y0, @y1) as two triangles. The last vertex draws both. */
static void square(Graph *g, float x0, float y0, float x1, float y1, float z,
                   uint32_t color)
{
    vertex(g, 0, 0x000, (Vertex) { x0, y0, z, 0, 0, color });
    vertex(g, 1, 0x001, (Vertex) { x1, y0, z, 1, 0, color });
    vertex(g, 2, 0x002, (Vertex) { x0, y1, z, 0, 1, color });
    vertex(g, 3, 0x310 << 12 | 0x203,
           (Vertex) { x1, y1, z, 1, 1, color });
}

static void only(Graph *g, NV3Rect r, uint32_t val)
{
    graph_assert_only(g, r, 2, val, 0);
}

/* ---- methods and registers --------------------------------------------- */

static void test_state_methods(void **state)
{
    Graph *g = *state;
    NV3Pgraph *p = &g->s->pgraph;

    bind_with(g, OPTIONS, 0);
    assert_int_equal(p->valid & 0x0f800000, 0);
    mthd(g, NV3_D3D_TEX_OFFSET, 0x12345678);
    assert_int_equal(p->dma.offset[0], 0x12345678);
    assert_int_equal(p->valid & 0x0f800000, 0x00800000);
    mthd(g, NV3_D3D_TEX_FORMAT, 0xb831ffff);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_MISC32_0), 0xb831ffff);
    assert_int_equal(p->valid & 0x0f800000, 0x01800000);
    mthd(g, NV3_D3D_TEX_FILTER, 0xffffffff);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_MISC32_1), 0xffffffff);
    assert_int_equal(p->valid & 0x0f800000, 0x03800000);
    mthd(g, NV3_D3D_FOG_COLOR, 0xff123456);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_MISC24_0), 0x123456);
    assert_int_equal(p->valid & 0x0f800000, 0x0b800000);
    mthd(g, NV3_D3D_CONFIG, CONFIG);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_D3D_CONFIG), CONFIG);
    assert_int_equal(p->valid & 0x0f800000, 0x0f800000);
    mthd(g, NV3_D3D_ALPHA, 0x17f);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_D3D_ALPHA), 0x17f);
}

static void test_bad_values(void **state)
{
    static const uint32_t format[] = {
        0x00020000, 0x00040000, 0x00080000, 0x00400000, 0x00800000,
        0x0c000000, 0xc0000000, 0xffffffff,
    };
    static const uint32_t config[] = {
        CONFIG ^ 3, CONFIG | 4, CONFIG | 8, CONFIG | 0x200, CONFIG | 0x4000,
        CONFIG & ~0x3000, CONFIG & ~0xf0000, CONFIG | 0x90000,
        CONFIG | 0x00800000, (CONFIG & ~0x700000) | 0x500000,
        (CONFIG & ~0x07000000) | 0x05000000, CONFIG | 0x08000000,
    };
    Graph *g = *state;

    bind_with(g, OPTIONS, 0);
    for (unsigned i = 0; i < sizeof(format) / sizeof(format[0]); i++) {
        bad_data(g, NV3_D3D_TEX_FORMAT, format[i]);
        assert_int_equal(host_rd32(g->host, NV3_PGRAPH_MISC32_0), format[i]);
    }
    for (unsigned i = 0; i < sizeof(config) / sizeof(config[0]); i++) {
        bad_data(g, NV3_D3D_CONFIG, config[i]);
        assert_int_equal(host_rd32(g->host, NV3_PGRAPH_D3D_CONFIG),
                         config[i] & 0xf77fbdf3);
    }
    bad_data(g, NV3_D3D_ALPHA, 0x0ff);
    bad_data(g, NV3_D3D_ALPHA, 0x900);
    bad_data(g, NV3_D3D_ALPHA, 0x1800);
}

static void test_no_such_method(void **state)
{
    static const uint32_t bad[] = { 0x108, 0x180, 0x184, 0x200, 0x300, 0x31c,
                                    0x400, 0xffc };
    Graph *g = *state;

    bind_with(g, OPTIONS, 0);
    for (unsigned i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        assert_true(graph_try(g, SUBCH, bad[i], 0));
        assert_int_equal(host_rd32(g->host, NV3_PGRAPH_INVALID),
                         NV3_PGRAPH_INVALID_METHOD);
        graph_resume(g);
    }
}

/*
 * The expected values are the results of hwtest's conversion from float to fixed point.
 */
static void test_xy_conversion(void **state)
{
    static const struct {
        uint32_t in;
        uint16_t out;
    } cases[] = {
        { 0x00000000, 0x0000 }, { 0x80000000, 0x0000 },     /* 0, -0 */
        { 0x3f800000, 0x0010 }, { 0xbf800000, 0xfff0 },     /* 1, -1 */
        { 0x3d800000, 0x0001 }, { 0x3d7fffff, 0x0000 },     /* 1/16, and less */
        { 0x3fc00000, 0x0018 }, { 0x3fbfffff, 0x0017 },     /* rounded towards 0 */
        { 0xbfbfffff, 0xffe9 }, { 0x44fff000, 0x7ff8 },
        { 0x45000000, 0x7fff }, { 0xc5000000, 0x8000 },     /* 2048 */
        { 0x7f800000, 0x7fff }, { 0xff800000, 0x8000 },     /* infinity */
        { 0x7fc00000, 0x7fff }, { 0xffffffff, 0x8000 },     /* NaN */
        { 0x00000001, 0x0000 }, { 0x42c88000, 0x0644 },     /* 100.25 */
    };
    Graph *g = *state;

    bind_with(g, OPTIONS, 0);
    for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        mthd(g, NV3_D3D_X(i), cases[i].in);
        mthd(g, NV3_D3D_Y(127 - i), cases[i].in);
        assert_int_equal(host_rd32(g->host, NV3_PGRAPH_D3D_XY),
                         cases[i].out * 0x10001u);
    }
}

static void test_uv_conversion(void **state)
{
    Graph *g = *state;

    bind_with(g, OPTIONS, 0);
    for (unsigned log2 = 0; log2 <= 11; log2++) {
        mthd(g, NV3_D3D_TEX_FORMAT, log2 << NV3_D3D_TEX_SIZE_MAX_SHIFT);
        mthd(g, NV3_D3D_U(0), bits(1));
        assert_int_equal(host_rd32(g->host, NV3_PGRAPH_D3D_UV) & 0xffff,
                         log2 == 11 ? 0x7fff : 16 << log2);
        mthd(g, NV3_D3D_U(0), bits(-0.5));
        assert_int_equal(host_rd32(g->host, NV3_PGRAPH_D3D_UV) & 0xffff,
                         (uint16_t)-(8 << log2));
        mthd(g, NV3_D3D_U(0), bits(1e9));
        assert_int_equal(host_rd32(g->host, NV3_PGRAPH_D3D_UV) & 0xffff,
                         0x7fff);
        mthd(g, NV3_D3D_U(0), 0xff800000);
        assert_int_equal(host_rd32(g->host, NV3_PGRAPH_D3D_UV) & 0xffff,
                         0x8000);
    }
}

/* The chip inverts the 24 bits of a depth, and stores them in three registers. */
static void test_z_conversion(void **state)
{
    static const struct {
        uint32_t in, out;
    } cases[] = {
        { 0x00000000, 0xffffff }, { 0x3f800000, 0x000000 },
        { 0x3f000000, 0x7fffff }, { 0xbf800000, 0xffffff },
        { 0x7f800000, 0x000000 }, { 0x3f7fffff, 0x000000 },
        { 0x33800000, 0xfffffe }, { 0x337fffff, 0xffffff },
        { 0x7fc00000, 0x000000 }, { 0xffc00000, 0xffffff },
    };
    Graph *g = *state;

    bind_with(g, OPTIONS, 0);
    mthd(g, NV3_D3D_RHW(3), 0xffffffff);
    mthd(g, NV3_D3D_COLOR(3), 0xffffffff);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_D3D_RGB) & 0x7fffffff,
                     0x7fffffff);
    for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        uint32_t rhw, rgb;

        mthd(g, NV3_D3D_Z(3), cases[i].in);
        rhw = host_rd32(g->host, NV3_PGRAPH_D3D_RHW);
        rgb = host_rd32(g->host, NV3_PGRAPH_D3D_RGB);
        assert_int_equal(host_rd32(g->host, NV3_PGRAPH_D3D_Z) |
                         rhw >> 25 << 16 | rgb >> 31 << 23, cases[i].out);
        assert_int_equal(rhw & 0x1ffffff, 0x1ffffff);
        assert_int_equal(rgb & 0x7fffffff, 0x7fffffff);
    }
}

static void test_vertex_latches(void **state)
{
    Graph *g = *state;
    NV3Pgraph *p = &g->s->pgraph;

    bind_with(g, OPTIONS, 0);
    p->valid |= 1 << 7;
    mthd(g, NV3_D3D_FOG_TRI(0), 0xab000007);
    assert_int_equal(p->valid & 0x007f0000, 0x00010000);
    mthd(g, NV3_D3D_COLOR(0), 0xfd123456);
    assert_int_equal(p->valid & (1 << 7), 0);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_D3D_RGB) & 0x7fffffff,
                     0x7e123456);
    mthd(g, NV3_D3D_X(0), bits(10.5));
    mthd(g, NV3_D3D_Y(0), bits(-3));
    mthd(g, NV3_D3D_Z(0), bits(0.25));
    mthd(g, NV3_D3D_RHW(0), bits(1));
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_D3D_RHW) & 0x1ffffff,
                     0x3f800000 >> 6);
    mthd(g, NV3_D3D_U(0), bits(2));
    assert_int_equal(p->valid & 0x007f0000, 0x007f0000);
    mthd(g, NV3_D3D_V(0), bits(3));
    assert_int_equal(p->valid & 0x007f0000, 0);
    assert_int_equal(p->valid & 0xffff, 1 << 7);
    assert_int_equal(p->vtx_x[7], 32 << 16 | 0x00a8);
    assert_int_equal(p->vtx_y[7], 48 << 16 | 0xffd0);
    assert_int_equal(p->vtx_z[7], 0xab0000 | 0xffff);
    assert_int_equal(p->misc24[1], 7);
    assert_int_equal(p->vtx_x[23], host_rd32(g->host, NV3_PGRAPH_D3D_RHW));
    assert_int_equal(p->vtx_y[23], host_rd32(g->host, NV3_PGRAPH_D3D_RGB));
}

/* ---- triangles --------------------------------------------------------- */

static void test_square(void **state)
{
    Graph *g = *state;

    setup(g);
    square(g, 10, 20, 40, 50, 0.5, 0xffff0000);
    only(g, (NV3Rect) { 10, 20, 40, 50 }, 0x7c00);
    assert_int_equal(triangles(g), 2);
    assert_int_equal(pixels(g), 900);
}

/*
 * Draws a triangle strip of 20 vertices, which uses the 16 vertex slots cyclically. From
 * the third vertex on, each vertex draws a triangle with the two previous vertices.
 */
static void test_strip(void **state)
{
    Graph *g = *state;

    setup(g);
    for (unsigned i = 0; i < 20; i++) {
        uint32_t tri = i & 15;

        if (i >= 2) {
            tri |= ((i - 1) & 15) << 4 | ((i - 2) & 15) << 8;
        }
        vertex(g, i, tri, (Vertex) {
            .x = 10 + i / 2 * 8, .y = i & 1 ? 40 : 8, .color = 0xff0000ff,
        });
    }
    assert_int_equal(triangles(g), 18);
    only(g, (NV3Rect) { 10, 8, 10 + 9 * 8, 40 }, 0x001f);
}

/*
 * If a triangle uses a vertex slot more than once, it draws nothing, and causes no error
 * even if the state is incomplete.
 */
static void test_no_triangle(void **state)
{
    static const uint32_t tri[] = { 0x000, 0x110, 0x010, 0x100, 0x330, 0x220 };
    Graph *g = *state;

    setup(g);
    square(g, 0, 0, 8, 8, 0, 0xffffffff);
    for (unsigned i = 0; i < sizeof(tri) / sizeof(tri[0]); i++) {
        uint64_t before = triangles(g);

        vertex(g, 0, tri[i] << 12 | tri[i], (Vertex) { .x = 100, .y = 100 });
        assert_int_equal(triangles(g), before);
    }
    /* After the bind, the state is incomplete. */
    bind_with(g, OPTIONS, 0);
    vertex(g, 0, 5, (Vertex) { .x = 1 });
    assert_int_equal(pixels(g), 64);
}

static void missing(Graph *g)
{
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_INTR),
                     NV3_PGRAPH_INTR_MISSING_METHOD);
    graph_resume(g);
}

static void test_missing_methods(void **state)
{
    static const uint32_t reg[] = { NV3_D3D_TEX_OFFSET, NV3_D3D_TEX_FORMAT,
                                    NV3_D3D_TEX_FILTER, NV3_D3D_FOG_COLOR,
                                    NV3_D3D_CONFIG };
    Graph *g = *state;
    uint64_t before;

    setup(g);
    square(g, 0, 0, 8, 8, 0, 0xffffffff);
    before = triangles(g);
    /* One of the triangle's vertex slots is empty. */
    mthd(g, NV3_D3D_FOG_TRI(0), 0x890);
    for (unsigned w = 1; w < 7; w++) {
        mthd(g, NV3_D3D_FOG_TRI(0) + w * 4, 0);
    }
    assert_true(graph_try(g, SUBCH, NV3_D3D_V(0), 0));
    missing(g);
    /* Each pass omits one word of the vertex. */
    for (unsigned skip = 1; skip < 7; skip++) {
        mthd(g, NV3_D3D_FOG_TRI(0), 0x210);
        for (unsigned w = 1; w < 7; w++) {
            if (w != skip) {
                mthd(g, NV3_D3D_FOG_TRI(0) + w * 4, 0);
            }
        }
        assert_true(graph_try(g, SUBCH, NV3_D3D_V(0), 0));
        missing(g);
    }
    /*
     * Each pass invalidates one register of the state. @reg has the same order as the
     * bits of VALID, as in test_state_methods().
     */
    for (unsigned i = 0; i < sizeof(reg) / sizeof(reg[0]); i++) {
        square(g, 0, 0, 8, 8, 0, 0xffffffff);
        before = triangles(g);
        g->s->pgraph.valid &= ~(1u << (23 + i));
        mthd(g, NV3_D3D_FOG_TRI(0), 0x210);
        for (unsigned w = 1; w < 7; w++) {
            mthd(g, NV3_D3D_FOG_TRI(0) + w * 4, 0);
        }
        assert_true(graph_try(g, SUBCH, NV3_D3D_V(0), 0));
        missing(g);
        assert_int_equal(triangles(g), before);
        g->s->pgraph.valid |= 0x0f800000;
    }
}

/* ---- surfaces and clips ------------------------------------------------ */

static void test_canvas_and_clip(void **state)
{
    Graph *g = *state;

    setup(g);
    square(g, -50, -50, 1000, 1000, 0, 0xffffffff);
    only(g, (NV3Rect) { 0, 0, GRAPH_WIDTH, GRAPH_HEIGHT }, 0x7fff);
    memset(g->host->vram + GRAPH_SURF(0), 0, 0x40000);
    host_wr32(g->host, NV3_PGRAPH_UCLIP_XMIN, 5);
    host_wr32(g->host, NV3_PGRAPH_UCLIP_YMIN, 6);
    host_wr32(g->host, NV3_PGRAPH_UCLIP_XMAX, 100);
    host_wr32(g->host, NV3_PGRAPH_UCLIP_YMAX, 90);
    start(g, OPTIONS | NV3_GROBJ_CLIP, TEX_INST);
    square(g, -50, -50, 1000, 1000, 0, 0xffffffff);
    only(g, (NV3Rect) { 5, 6, 100, 90 }, 0x7fff);
}

static void clip_rect(Graph *g, unsigned i, NV3Rect r)
{
    host_wr32(g->host, NV3_PGRAPH_CLIPRECT_MIN(i), graph_xy(r.x0, r.y0));
    host_wr32(g->host, NV3_PGRAPH_CLIPRECT_MAX(i), graph_xy(r.x1, r.y1));
}

static bool inside(NV3Rect r, int x, int y)
{
    return x >= r.x0 && x < r.x1 && y >= r.y0 && y < r.y1;
}

/*
 * The chip must draw each pixel only once, even if two overlapping clip rectangles
 * contain it. Additive blending reveals pixels that are drawn twice.
 */
static void test_clip_rects(void **state)
{
    const NV3Rect a = { 10, 10, 60, 60 }, b = { 40, 30, 90, 80 };
    Graph *g = *state;

    setup(g);
    mthd(g, NV3_D3D_CONFIG, CONFIG | NV3_D3D_CONFIG_ROP_ADD);
    clip_rect(g, 0, a);
    clip_rect(g, 1, b);
    for (unsigned mode = 0; mode < 6; mode++) {
        unsigned count = mode % 3;
        bool occluded = mode >= 3;

        memset(g->host->vram + GRAPH_SURF(0), 0, 0x40000);
        host_wr32(g->host, NV3_PGRAPH_CLIPRECT_CTRL,
                  count | (occluded ? 0x10 : 0));
        square(g, 0, 0, 128, 128, 0, 0xff080808);
        for (int y = 0; y < GRAPH_HEIGHT; y++) {
            for (int x = 0; x < GRAPH_WIDTH; x++) {
                bool in = (count > 0 && inside(a, x, y)) ||
                          (count > 1 && inside(b, x, y));
                bool want = x < 128 && (occluded ? !in : in || !count);

                assert_int_equal(graph_pixel(g, 0, x, y, 2),
                                 want ? 0x0421 : 0);
            }
        }
    }
    host_wr32(g->host, NV3_PGRAPH_CLIPRECT_CTRL, 0);
}

static void test_depth_buffer(void **state)
{
    Graph *g = *state;

    setup(g);
    start(g, OPTIONS | NV3_GROBJ_ZETA, TEX_INST);
    memset(g->host->vram + GRAPH_SURF(3), 0xff, 0x20000);
    square(g, 0, 0, 20, 20, 0.5, 0xffff0000);
    assert_int_equal(graph_pixel(g, 3, 5, 5, 2), 0x8000);
    square(g, 10, 0, 30, 20, 0.75, 0xff00ff00);
    assert_int_equal(graph_pixel(g, 0, 15, 5, 2), 0x7c00);
    assert_int_equal(graph_pixel(g, 0, 25, 5, 2), 0x03e0);
    square(g, 0, 0, 30, 10, 0.25, 0xff0000ff);
    assert_int_equal(graph_pixel(g, 0, 15, 5, 2), 0x001f);
    assert_int_equal(graph_pixel(g, 0, 15, 15, 2), 0x7c00);
    assert_int_equal(graph_pixel(g, 3, 15, 5, 2), 0x4000);
    /* Drawing must not change a surface that is not marked as valid. */
    host_wr32(g->host, NV3_PGRAPH_SURF_CONFIG,
              host_rd32(g->host, NV3_PGRAPH_SURF_CONFIG) &
              ~NV3_PGRAPH_SURF_VALID(3));
    square(g, 0, 0, 30, 30, 0.9, 0xffffffff);
    assert_int_equal(graph_pixel(g, 0, 15, 5, 2), 0x7fff);
    assert_int_equal(graph_pixel(g, 3, 15, 5, 2), 0x4000);
}

static void test_many_surfaces(void **state)
{
    Graph *g = *state;

    setup(g);
    start(g, (OPTIONS & ~(0xfu << NV3_GROBJ_DST_SHIFT)) |
          6u << NV3_GROBJ_DST_SHIFT | NV3_GROBJ_ZETA, TEX_INST);
    memset(g->host->vram + GRAPH_SURF(3), 0xff, 0x20000);
    square(g, 0, 0, 20, 20, 0.5, 0xffff0000);
    assert_int_equal(graph_pixel(g, 0, 5, 5, 2), 0);
    assert_int_equal(graph_pixel(g, 1, 5, 5, 2), 0x7c00);
    assert_int_equal(graph_pixel(g, 2, 5, 5, 2), 0x7c00);
    assert_int_equal(graph_pixel(g, 3, 5, 5, 2), 0x8000);
    /* Without a colour surface, the chip must not write depths. */
    start(g, (OPTIONS & ~(0xfu << NV3_GROBJ_DST_SHIFT)) | NV3_GROBJ_ZETA,
          TEX_INST);
    square(g, 0, 0, 20, 20, 0.25, 0xffffffff);
    assert_int_equal(graph_pixel(g, 3, 5, 5, 2), 0x8000);
}

/*
 * Tests surfaces and clips that extend or start beyond the end of VRAM. Surfaces can
 * address only the first 8 MiB of VRAM.
 */
static void test_end_of_vram(void **state)
{
    Graph *g = *state;
    const uint32_t vram = 8 << 20;

    setup(g);
    host_wr32(g->host, NV3_PGRAPH_DST_CANVAS_MAX, NV3_PGRAPH_CANVAS_MASK);
    for (unsigned i = 0; i < 8; i++) {
        host_wr32(g->host, NV3_PGRAPH_SURF_OFFSET(0), vram - 16 - i * 4096);
        host_wr32(g->host, NV3_PGRAPH_SURF_PITCH(0), i * 16);
        square(g, -2048, -2048, 2047, 2047, 0, 0xffffffff);
    }
    assert_int_equal(graph_pixel(g, 0, 0, 0, 2), 0);
    assert_int_equal(g->host->vram[vram - 1], 0x7f);
    for (uint32_t i = vram; i + NV3_RAMIN_SIZE < g->host->config.vram_size; i++) {
        if (g->host->vram[i]) {
            fail_msg("byte 0x%x has been drawn to", i);
        }
    }
}

static int setup_large(void **state)
{
    const NV3Config config = {
        .revision = NV3_REVISION_C, .vram_size = 16 << 20, .virt = true, .programs = true,
    };

    *state = graph_new_config(&config);
    return 0;
}

static void test_dither_bit(void **state)
{
    Graph *g = *state;
    unsigned up = 0;

    setup(g);
    host_wr32(g->host, NV3_PGRAPH_DEBUG_3, NV3_PGRAPH_DEBUG_3_DATA_CHECK |
              NV3_PGRAPH_DEBUG_3_DITHER_3D);
    /*
     * A component of 0x88 is about 16.5 of 31, so dithering rounds about half of the
     * pixels up.
     */
    square(g, 0, 0, 16, 16, 0, 0xff888888);
    for (unsigned i = 0; i < 256; i++) {
        up += graph_pixel(g, 0, i % 16, i / 16, 2) == 0x4631;
    }
    assert_in_range(up, 1, 255);
    host_wr32(g->host, NV3_PGRAPH_DEBUG_3, NV3_PGRAPH_DEBUG_3_DATA_CHECK);
    square(g, 0, 0, 16, 16, 0, 0xff848484);
    only(g, (NV3Rect) { 0, 0, 16, 16 }, 16 * 0x421);
}

static void test_dirty(void **state)
{
    Graph *g = *state;

    setup(g);
    host_forget(g->host);
    square(g, 10, 20, 40, 50, 0.5, 0xffff0000);
    nv3_pgraph_end_run(g->s, false);
    assert_true(g->host->dirty_start <= GRAPH_SURF(0) + 20 * GRAPH_PITCH + 20);
    assert_true(g->host->dirty_end >= GRAPH_SURF(0) + 49 * GRAPH_PITCH + 80);
    assert_true(g->host->dirty_start >= GRAPH_SURF(0) + 20 * GRAPH_PITCH);
    assert_true(g->host->dirty_end <= GRAPH_SURF(0) + 50 * GRAPH_PITCH);
    host_forget(g->host);
    nv3_pgraph_end_run(g->s, false);
    assert_int_equal(g->host->dirty_calls, 0);
}

/* ---- textures ---------------------------------------------------------- */

/* Texels: red, green, blue, white. */
static const uint16_t colors_2x2[4] = { 0x7c00, 0x03e0, 0x001f, 0x7fff };

/* Stores a texture of 2 x 2 texels at @offset. */
static void put_2x2(Graph *g, uint32_t offset, const uint16_t t[4])
{
    for (unsigned i = 0; i < 4; i++) {
        put_texel(g, offset, i, t[i]);
    }
}

static void draw_2x2(Graph *g)
{
    mthd(g, NV3_D3D_TEX_FORMAT,
         1 << NV3_D3D_TEX_FORMAT_SHIFT | 1 << NV3_D3D_TEX_SIZE_MAX_SHIFT |
         1 << NV3_D3D_TEX_SIZE_MIN_SHIFT);
    square(g, 0, 0, 16, 16, 0, 0xffffffff);
}

static void expect_2x2(Graph *g, const uint16_t *t)
{
    assert_int_equal(graph_pixel(g, 0, 3, 3, 2), t[0]);
    assert_int_equal(graph_pixel(g, 0, 11, 3, 2), t[1]);
    assert_int_equal(graph_pixel(g, 0, 3, 11, 2), t[2]);
    assert_int_equal(graph_pixel(g, 0, 11, 11, 2), t[3]);
}

static void test_texture_vram(void **state)
{
    Graph *g = *state;

    setup(g);
    put_2x2(g, 0x1230, colors_2x2);
    mthd(g, NV3_D3D_TEX_OFFSET, 0x1230);
    draw_2x2(g);
    expect_2x2(g, colors_2x2);
}

/* Tests a texture whose pages are not contiguous on the bus. */
static void test_texture_paged(void **state)
{
    Graph *g = *state;
    uint8_t *mem;

    setup(g);
    start(g, OPTIONS, MEM_INST);
    mthd(g, NV3_D3D_TEX_OFFSET, 0xffc);
    /* The DMA object's second page is the fourth page of system memory. */
    host_ramin_wr32(g->host, MEM_INST + NV3_DMAOBJ_PTE(1),
                    (HOST_MEM_BASE + 0x3000) | NV3_DMAOBJ_PTE_PRESENT);
    mem = host_mem_ptr(g->host, HOST_MEM_BASE, 0x4000);
    nv3_stl(mem + 0xffc, 0x22221111);
    nv3_stl(mem + 0x3000, 0x44443333);
    draw_2x2(g);
    expect_2x2(g, (uint16_t[4]) { 0x1111, 0x2222, 0x3333, 0x4444 });
}

/*
 * When a CPU has written to a texture, the chip uses the new texels after the next method
 * TEX_OFFSET, or after a change of NV3Pgraph.epoch.
 */
static void test_texture_coherence(void **state)
{
    const uint16_t other[4] = { 0x0101, 0x0202, 0x0303, 0x0404 };
    Graph *g = *state;

    setup(g);
    put_2x2(g, 0x2000, colors_2x2);
    mthd(g, NV3_D3D_TEX_OFFSET, 0x2000);
    draw_2x2(g);
    expect_2x2(g, colors_2x2);
    put_2x2(g, 0x2000, other);
    mthd(g, NV3_D3D_TEX_OFFSET, 0x2000);
    draw_2x2(g);
    expect_2x2(g, other);
    put_2x2(g, 0x2000, colors_2x2);
    g->s->pgraph.epoch++;
    square(g, 0, 0, 16, 16, 0, 0xffffffff);
    expect_2x2(g, colors_2x2);
}

/*
 * Draws twice with each of 150 textures, which do not fit into the cache of decoded
 * textures together.
 */
static void test_many_textures(void **state)
{
    Graph *g = *state;

    setup(g);
    for (unsigned i = 0; i < 300; i++) {
        unsigned n = i % 150;

        put_texel(g, n * 64, 0, n * 7);
        mthd(g, NV3_D3D_TEX_OFFSET, n * 64);
        square(g, 0, 0, 4, 4, 0, 0xffffffff);
        assert_int_equal(graph_pixel(g, 0, 2, 2, 2), n * 7);
    }
}

static void test_mip_level(void **state)
{
    Graph *g = *state;

    setup(g);
    /* Store mip levels of 8 x 8, 4 x 4, 2 x 2 and 1 x 1 texels, in this order. */
    for (unsigned i = 0; i < 64 + 16 + 4 + 1; i++) {
        put_texel(g, 0x3000, i, i < 64 ? 8 : i < 80 ? 4 : i < 84 ? 2 : 1);
    }
    mthd(g, NV3_D3D_TEX_OFFSET, 0x3000);
    mthd(g, NV3_D3D_TEX_FORMAT, 1 << NV3_D3D_TEX_FORMAT_SHIFT |
         3 << NV3_D3D_TEX_SIZE_MAX_SHIFT);
    for (unsigned size = 1; size <= 8; size *= 2) {
        square(g, 0, 0, size, size, 0, 0xffffffff);
        assert_int_equal(graph_pixel(g, 0, 0, 0, 2), size);
    }
}

static void expect_fault(Graph *g, uint32_t reason)
{
    vertex(g, 0, 0x000, (Vertex) { .x = 0, .y = 0 });
    vertex(g, 1, 0x001, (Vertex) { .x = 8, .y = 0 });
    mthd(g, NV3_D3D_FOG_TRI(0), 0x102);
    mthd(g, NV3_D3D_COLOR(0), 0xffffffff);
    mthd(g, NV3_D3D_X(0), 0);
    mthd(g, NV3_D3D_Y(0), bits(8));
    mthd(g, NV3_D3D_Z(0), 0);
    mthd(g, NV3_D3D_RHW(0), bits(1));
    mthd(g, NV3_D3D_U(0), 0);
    assert_true(graph_try(g, SUBCH, NV3_D3D_V(0), 0));
    assert_int_equal(host_rd32(g->host, NV3_PDMA_INTR), reason);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_FIFO_ENABLE), 0);
    assert_int_equal(pixels(g), 0);
    graph_resume(g);
}

static void test_texture_faults(void **state)
{
    Graph *g = *state;

    setup(g);
    mthd(g, NV3_D3D_TEX_OFFSET, TEX_BYTES);
    expect_fault(g, NV3_PDMA_INTR_LIMIT);
    mthd(g, NV3_D3D_TEX_OFFSET, 0xfffffff0);
    expect_fault(g, NV3_PDMA_INTR_LIMIT);
    mthd(g, NV3_D3D_TEX_OFFSET, 0);
    mthd(g, NV3_D3D_TEX_FORMAT, 0xbb100000);
    expect_fault(g, NV3_PDMA_INTR_LIMIT);
    mthd(g, NV3_D3D_TEX_FORMAT, 0x00100000);
    host_ramin_wr32(g->host, TEX_INST + NV3_DMAOBJ_PTE(0), 0);
    g->s->pgraph.epoch++;
    expect_fault(g, NV3_PDMA_INTR_PRESENT);
    start(g, OPTIONS, 0);
    expect_fault(g, NV3_PDMA_INTR_INST_NULL);
}

/* ---- hostile ----------------------------------------------------------- */

/*
 * In seven of eight cases, returns a float from -512 to 512, otherwise arbitrary bits.
 */
static uint32_t random_word(uint32_t *seed)
{
    uint32_t data = graph_rand(seed);

    return data & 7 ? bits((int32_t)data / 4194304.0f) : data;
}

static void random_vertex(Graph *g, uint32_t *seed)
{
    unsigned w = graph_rand(seed) % NV3_D3D_VERTEX_COUNT;

    graph_try(g, SUBCH, NV3_D3D_FOG_TRI(w), graph_rand(seed));
    graph_try(g, SUBCH, NV3_D3D_COLOR(w), graph_rand(seed));
    for (unsigned i = 2; i < 8; i++) {
        graph_try(g, SUBCH, NV3_D3D_FOG_TRI(w) + i * 4, random_word(seed));
    }
}

static void random_state(Graph *g, uint32_t *seed)
{
    uint32_t mthd = graph_rand(seed), data = graph_rand(seed);

    mthd = mthd & 7 ? 0x304 + mthd % 6 * 4 : mthd & 0x1ffc;
    if (mthd == NV3_D3D_TEX_FORMAT && data & 1) {
        /* Limit the size, so that the texture is within the DMA object. */
        data &= 0x73ffffff;
    }
    if (mthd == NV3_D3D_TEX_OFFSET) {
        data &= 0x1ffff;
    }
    graph_try(g, SUBCH, mthd, data);
}

static void test_random_methods(void **state)
{
    Graph *g = *state;
    uint32_t seed = 1;

    setup(g);
    for (unsigned i = 0; i < 20000; i++) {
        if (graph_rand(&seed) & 7) {
            random_vertex(g, &seed);
        } else {
            random_state(g, &seed);
        }
        if (!host_rd32(g->host, NV3_PGRAPH_FIFO_ENABLE)) {
            g->s->pgraph.valid |= 0x0f80ffff;
            graph_resume(g);
        }
    }
    assert_true(pixels(g) > 1000000);
}

#define GRAPH_TEST(name) \
    cmocka_unit_test_setup_teardown(name, graph_setup, graph_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        GRAPH_TEST(test_state_methods),
        GRAPH_TEST(test_bad_values),
        GRAPH_TEST(test_no_such_method),
        GRAPH_TEST(test_xy_conversion),
        GRAPH_TEST(test_uv_conversion),
        GRAPH_TEST(test_z_conversion),
        GRAPH_TEST(test_vertex_latches),
        GRAPH_TEST(test_square),
        GRAPH_TEST(test_strip),
        GRAPH_TEST(test_no_triangle),
        GRAPH_TEST(test_missing_methods),
        GRAPH_TEST(test_canvas_and_clip),
        GRAPH_TEST(test_clip_rects),
        GRAPH_TEST(test_depth_buffer),
        GRAPH_TEST(test_many_surfaces),
        GRAPH_TEST(test_end_of_vram),
        { "test_end_of_reach", test_end_of_vram, setup_large, graph_teardown, NULL },
        GRAPH_TEST(test_dither_bit),
        GRAPH_TEST(test_dirty),
        GRAPH_TEST(test_texture_vram),
        GRAPH_TEST(test_texture_paged),
        GRAPH_TEST(test_texture_coherence),
        GRAPH_TEST(test_many_textures),
        GRAPH_TEST(test_mip_level),
        GRAPH_TEST(test_texture_faults),
        GRAPH_TEST(test_random_methods),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
