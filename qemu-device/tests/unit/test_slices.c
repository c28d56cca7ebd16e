/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A call of nv3_run() must execute at most one slice of work, even if the caller permits
 * many methods, or if methods are expensive.
 */
#include <time.h>

#include "graph.h"
#include "mode.h"
#include "saved.h"

#define NAME        0x1001
#define OBJ         0xd000u         /* addresses in RAMIN */
#define DMA_OBJ     0xe000u
#define PUSH_PT     0x20000u
#define SOURCE      (HOST_MEM_BASE + 0x100000)
#define METHODS     4096            /* more methods than any batch of these tests has */

#define OP_BLEND_S  0x1d
#define FIXED_ONE   (1u << 20)

static HostPush start(Graph *g, unsigned class, uint32_t options)
{
    HostPush push;

    host_fifo_setup(g->host);
    host_push_init(g->host, &push, PUSH_PT);
    host_dmaobj(g->host, DMA_OBJ, NV3_DMAOBJ_TARGET_PCI, SOURCE, 0x1000, false);
    host_grobj(g->host, GRAPH_CHID, NAME, class, OBJ, options, DMA_OBJ >> 4);
    graph_formats(g, NV3_SURF_X8R8G8B8);
    host_wr32(g->host, NV3_PGRAPH_DST_CANVAS_MAX, graph_xy(512, 512));
    host_push1(&push, 0, NV3_MTHD_OBJECT, NAME);
    return push;
}

/*
 * Runs the whole batch. Returns the number of nv3_run() calls that this takes. Fails if a
 * call draws more than @max pixels.
 */
static unsigned calls_for(HostPush *push, uint64_t max)
{
    NV3State *s = push->host->chip;
    uint64_t *pixels = &s->counters[NV3_PVIRT_COUNTER_PIXELS];
    uint64_t *methods = &s->counters[NV3_PVIRT_COUNTER_METHODS];
    unsigned calls = 0;
    bool more;

    *methods = 0;
    host_push_start(push, GRAPH_CHID);
    do {
        *pixels = 0;
        more = nv3_run(s, METHODS);
        calls++;
        assert_in_range(*pixels, 0, max);
    } while (more);
    assert_in_range(*methods, 1, METHODS - 1);
    assert_int_equal(host_rd32(push->host, NV3_PFIFO_CACHE1_DMA_CTRL), 0);
    assert_int_equal(host_rd32(push->host, NV3_PGRAPH_INTR), 0);
    return calls;
}

/*
 * Returns the maximum number of pixels that a slice draws on @surfaces surfaces, if each
 * pixel is computed separately.
 */
static uint64_t pixels_a_slice(unsigned surfaces)
{
    return NV3_SLICE_COST / NV3_COST_PIXEL / surfaces;
}

/*
 * The last method of each SIFM draw reads and writes all pixels of the draw. The other
 * methods only set state.
 */
static void test_sifm(void **state)
{
    const unsigned size = 250, draws = 10;
    Graph *g = *state;
    HostPush push = start(g, NV3_CLASS_SIFM, GRAPH_COPY | NV3_GROBJ_FORMAT_R5G5B5);
    const uint32_t head[] = {
        0, graph_xy(size, size),                        /* clip */
        0, graph_xy(size, size), FIXED_ONE, FIXED_ONE,  /* out */
    };

    host_push(&push, 0, NV3_SIFM_CLIP_POINT, 6, head);
    for (unsigned i = 0; i < draws; i++) {
        const uint32_t source[] = { graph_xy(8, 8), 64, 0, 0 };

        host_push(&push, 0, NV3_SIFM_SIZE_IN, 4, source);
    }
    const unsigned min = draws * size * size / pixels_a_slice(2);

    assert_in_range(calls_for(&push, pixels_a_slice(2) + size), min,
                    min * 5 / 4);
}

/*
 * The number of slices must depend on the number of pixels, not on the number of
 * rectangles.
 */
static void test_rect(void **state)
{
    Graph *g = *state;
    HostPush push = start(g, NV3_CLASS_RECT,
                          OP_BLEND_S << NV3_GROBJ_OP_SHIFT |
                          3u << NV3_GROBJ_DST_SHIFT | NV3_GROBJ_FORMAT_R8G8B8);

    host_push1(&push, 0, NV3_RECT_COLOR, 0x80123456);
    for (unsigned i = 0; i < 64; i++) {
        const uint32_t rect[] = { graph_xy(i, i), graph_xy(128, 128) };

        host_push(&push, 0, NV3_RECT_POINT(0), 2, rect);
    }
    const unsigned min = 64 * 128 * 128 / pixels_a_slice(2);

    assert_in_range(calls_for(&push, pixels_a_slice(2) + 128), min, min * 5 / 4);
}

/*
 * Invisible parts of lines must cost no work: the core must skip them instead of stepping
 * through their pixels.
 */
static void test_line(void **state)
{
    Graph *g = *state;
    HostPush push = start(g, NV3_CLASS_LINE, GRAPH_COPY | NV3_GROBJ_FORMAT_R8G8B8);

    host_push1(&push, 0, NV3_LINE_COLOR, 0x123456);
    for (unsigned i = 0; i < 16; i++) {
        const uint32_t line[] = { graph_xy(-32767, i), graph_xy(32767, i) };

        host_push(&push, 0, NV3_LINE_POINT(0, 0), 2, line);
    }
    assert_in_range(calls_for(&push, pixels_a_slice(1) + 1), 2, 4);
    assert_int_equal(graph_pixel(g, 0, 511, 15, 4), 0x123456);
}


/* ---- the slowest drawing of each class --------------------------------------- */

/*
 * Maximum duration of a slice in nanoseconds, on a host on which steps take as long as in
 * step_tenths[]. In QEMU, a register access waits for at most one running slice, and may
 * itself execute one slice.
 */
#define SLICE_NS_MAX    500000

/*
 * Height of the canvas. The surfaces overlap, because VRAM has no room for separate
 * surfaces of this height.
 */
#define TALL            32767
#define WIDE            2047
#define TALL_PITCH      128
#define BUS             (HOST_MEM_BASE + 0x100000)

#define OP_ROP_DSP      0x10
#define ROP_PATTERN     0x5a        /* destination xor pattern */
#define FOUR_SURFACES   (15u << NV3_GROBJ_DST_SHIFT)
#define ONE_SURFACE     (1u << NV3_GROBJ_DST_SHIFT)
#define BLEND_FOUR      (OP_BLEND_S << NV3_GROBJ_OP_SHIFT | FOUR_SURFACES | \
                         NV3_GROBJ_FORMAT_R8G8B8 | NV3_GROBJ_ALPHA)
#define PATTERN_ONE     (OP_ROP_DSP << NV3_GROBJ_OP_SHIFT | ONE_SURFACE | \
                         NV3_GROBJ_FORMAT_R8G8B8)
#define COPY_ONE        (GRAPH_COPY | NV3_GROBJ_FORMAT_R8G8B8)

/* Duration of each step in tenths of a nanosecond, measured on a 2.5 GHz CPU. */
static const unsigned step_tenths[NV3_STEP_COUNT] = {
    [NV3_STEP_METHOD] = 300,
    [NV3_STEP_SETUP] = 1000,
    [NV3_STEP_LINE] = 50,
    [NV3_STEP_PIXEL] = 250,
    [NV3_STEP_BYTE] = 1,
    [NV3_STEP_LOOKUP] = 40,
    [NV3_STEP_BUS] = 2000,      /* in QEMU */
    [NV3_STEP_TRIANGLE] = 1000,
    [NV3_STEP_TRIANGLE_LINE] = 200,
    [NV3_STEP_TRIANGLE_PIXEL] = 20,
    [NV3_STEP_TEXEL] = 20,
    [NV3_STEP_PICTURE_LINE] = 32000,    /* 1600 pixels, including the CRC */
};

static uint64_t steps_ns(void)
{
    uint64_t tenths = 0;

    for (unsigned i = 0; i < NV3_STEP_COUNT; i++) {
        tenths += nv3_steps[i] * step_tenths[i];
    }
    return tenths / 10;
}

typedef struct Shape {
    const char *name;
    unsigned class;
    uint32_t options;
    unsigned format;
    unsigned count;         /* how often @draw is called */
    void (*setup)(Graph *g, HostPush *p);
    void (*draw)(HostPush *p, unsigned i);
} Shape;

static void narrow_rect(HostPush *p, unsigned i)
{
    const uint32_t rect[] = { graph_xy(i % 16, 0), graph_xy(1, TALL) };

    host_push1(p, 0, NV3_RECT_COLOR, 0x80123456);
    host_push(p, 0, NV3_RECT_POINT(0), 2, rect);
}

static void full_rect(HostPush *p, unsigned i)
{
    const uint32_t rect[] = { 0, graph_xy(WIDE, TALL / 16) };

    host_push1(p, 0, NV3_RECT_COLOR, 0x80123456);
    host_push(p, 0, NV3_RECT_POINT(0), 2, rect);
}

static void tiny_rect(HostPush *p, unsigned i)
{
    const uint32_t rect[] = { graph_xy(i % 64, i % 64), graph_xy(2, 2) };

    host_push(p, 0, NV3_RECT_POINT(0), 2, rect);
}

static void one_color(Graph *g, HostPush *p)
{
    host_push1(p, 0, NV3_RECT_COLOR, 0x80123456);
}

/* Sets clip rectangles that contain no part of the lines. */
static void clip_rects(Graph *g, HostPush *p)
{
    host_wr32(g->host, NV3_PGRAPH_CLIPRECT_CTRL, 2);
    host_wr32(g->host, NV3_PGRAPH_CLIPRECT_MIN(0), graph_xy(0, 0));
    host_wr32(g->host, NV3_PGRAPH_CLIPRECT_MAX(0), graph_xy(5, 5));
    host_wr32(g->host, NV3_PGRAPH_CLIPRECT_MIN(1), graph_xy(0, TALL - 5));
    host_wr32(g->host, NV3_PGRAPH_CLIPRECT_MAX(1), graph_xy(5, TALL - 1));
}

static void tall_triangle(HostPush *p, unsigned i)
{
    const uint32_t points[] = {
        graph_xy(0, -32768), graph_xy(2, 32767), graph_xy(i % 7, 32767),
    };

    host_push1(p, 0, NV3_TRI_COLOR, 0x80123456);
    host_push(p, 0, NV3_TRI_POINT(0), 3, points);
}

static void full_triangle(HostPush *p, unsigned i)
{
    const uint32_t points[] = {
        graph_xy(-32768, -32768), graph_xy(32767, 0), graph_xy(0, 32767),
    };

    host_push1(p, 0, NV3_TRI_COLOR, 0x80123456);
    host_push(p, 0, NV3_TRI_POINT(0), 3, points);
}

static void tall_line(HostPush *p, unsigned i)
{
    const uint32_t line[] = { graph_xy(0, -32767), graph_xy(i % 20, 32767) };

    host_push1(p, 0, NV3_LINE_COLOR, 0x80123456);
    host_push(p, 0, NV3_LINE_POINT(0, 0), 2, line);
}

static void far_line(HostPush *p, unsigned i)
{
    const uint32_t line[] = { graph_xy(-5, -32767), graph_xy(-2, 32767) };

    host_push1(p, 0, NV3_LINE_COLOR, 0x80123456);
    host_push(p, 0, NV3_LINE_POINT(0, 0), 2, line);
}

static void narrow_blit(HostPush *p, unsigned i)
{
    const uint32_t blit[] = {
        graph_xy(i % 8, i & 1), graph_xy(9, !(i & 1)), graph_xy(1, TALL - 1),
    };

    host_push(p, 0, NV3_BLIT_POINT_IN, 3, blit);
}

static void full_blit(HostPush *p, unsigned i)
{
    const uint32_t blit[] = { 0, graph_xy(1, 1), graph_xy(WIDE, TALL / 16) };

    host_push(p, 0, NV3_BLIT_POINT_IN, 3, blit);
}

static void sifm_size(HostPush *p, unsigned width, unsigned height)
{
    const uint32_t out[] = {
        0, graph_xy(width, height), 0, graph_xy(width, height), FIXED_ONE / 64,
        FIXED_ONE / 32,
    };

    host_push(p, 0, NV3_SIFM_CLIP_POINT, 6, out);
}

static void narrow_sifm(HostPush *p, unsigned i)
{
    const uint32_t source[] = { graph_xy(1024, 1024), 4096, 0, 0 };

    sifm_size(p, 1, TALL);
    host_push(p, 0, NV3_SIFM_SIZE_IN, 4, source);
}

static void full_sifm(HostPush *p, unsigned i)
{
    const uint32_t source[] = { graph_xy(1024, 1024), 4096, 0, 0 };

    sifm_size(p, WIDE, TALL / 64);
    host_push(p, 0, NV3_SIFM_SIZE_IN, 4, source);
}

static void planes_sifm(HostPush *p, unsigned i)
{
    const uint32_t source[] = {
        graph_xy(1024, 1024), 1024 | 512 << 16, 0, 0x100000, 0x180000, 0,
    };

    sifm_size(p, 1, TALL);
    host_push(p, 0, NV3_SIFM_SIZE_IN, 6, source);
}

static void setup_sifc(HostPush *p, unsigned step_y)
{
    const uint32_t head[] = {
        graph_xy(64, 2000), 0x7fffffff, step_y, 0, graph_xy(WIDE, TALL), 0,
    };

    host_push(p, 0, NV3_SIFC_SIZE_IN, 6, head);
}

static void tall_sifc_setup(Graph *g, HostPush *p)
{
    setup_sifc(p, 0x7fffffff);
}

static void tiny_sifc_setup(Graph *g, HostPush *p)
{
    const uint32_t head[] = {
        graph_xy(64, 2000), 5 * FIXED_ONE, 5 * FIXED_ONE, 0, graph_xy(WIDE, TALL), 0,
    };

    host_push(p, 0, NV3_SIFC_SIZE_IN, 6, head);
}

static void sifc_word(HostPush *p, unsigned i)
{
    host_push1(p, 0, NV3_SIFC_DATA(0), 0x80123456 + i);
}

static void ifc_setup(Graph *g, HostPush *p)
{
    const uint32_t head[] = { 0, graph_xy(64, 64), graph_xy(64, 64) };

    host_push(p, 0, NV3_IFC_POINT, 3, head);
}

static void ifc_word(HostPush *p, unsigned i)
{
    host_push1(p, 0, NV3_IFC_DATA(0), 0x80123456);
}

static void bitmap_setup(Graph *g, HostPush *p)
{
    const uint32_t head[] = {
        0x80123456, 0x80654321, 0, graph_xy(512, 512), graph_xy(512, 512),
    };

    host_push(p, 0, NV3_BITMAP_COLOR_0, 5, head);
}

static void bitmap_word(HostPush *p, unsigned i)
{
    host_push1(p, 0, NV3_BITMAP_DATA(0), 0x55aa1234 + i);
}

static void narrow_itm(HostPush *p, unsigned i)
{
    const uint32_t itm[] = { 0, graph_xy(1, 32767), 4, 0 };

    host_push(p, 0, NV3_ITM_POINT, 4, itm);
}

static void wide_itm(HostPush *p, unsigned i)
{
    const uint32_t itm[] = { 0, graph_xy(0x7fff, 32767), 0, 0 };

    host_push(p, 0, NV3_ITM_POINT, 4, itm);
}

static void m2mf(HostPush *p, uint32_t length, uint32_t count, uint32_t format)
{
    const uint32_t copy[] = { 0, 0, 4, 4, length, count, format, 0 };

    host_push(p, 0, NV3_M2MF_OFFSET_IN, 8, copy);
}

static void short_m2mf(HostPush *p, unsigned i)
{
    m2mf(p, 1, 2047, 0x101);
}

static void long_m2mf(HostPush *p, unsigned i)
{
    m2mf(p, 0x1f0000, 4, 0x101);
}

static void strided_m2mf(HostPush *p, unsigned i)
{
    m2mf(p, 0x70000, 2, 0x404);
}

static void zpoint_setup(Graph *g, HostPush *p)
{
    host_push1(p, 0, NV3_ZPOINT_CONFIG,
               NV3_D3D_CMP_ALWAYS << NV3_D3D_CONFIG_Z_FUNC_SHIFT |
               NV3_D3D_WRITE_ALWAYS << NV3_D3D_CONFIG_Z_WRITE_SHIFT |
               NV3_D3D_WRITE_ALWAYS << NV3_D3D_CONFIG_COLOR_WRITE_SHIFT);
    host_push1(p, 0, NV3_ZPOINT_ALPHA, NV3_D3D_CMP_ALWAYS << 8);
    host_push1(p, 0, NV3_ZPOINT_POINT, 0);
}

static void zpoint(HostPush *p, unsigned i)
{
    const uint32_t point[] = { 0x80123456, i << 16 };

    host_push(p, 0, NV3_ZPOINT_COLOR(0), 2, point);
}

/* Pushes the method NOTIFY, and a method after which the chip writes the notification. */
static void notified(HostPush *p, unsigned i)
{
    host_push1(p, 0, NV3_MTHD_NOTIFY, 0);
    host_push1(p, 0, NV3_RECT_COLOR, i);
}

/* Pushes a method that makes the puller look up a handle in RAMHT. */
static void bound(HostPush *p, unsigned i)
{
    host_push1(p, i & 7, NV3_MTHD_OBJECT, NAME);
}

static uint32_t float_bits(float f)
{
    uint32_t u;

    memcpy(&u, &f, sizeof(u));
    return u;
}

static void d3d_vertex(HostPush *p, unsigned slot, uint32_t tri, float x, float y,
                       float u, float v)
{
    const uint32_t words[] = {
        tri | slot, 0x80808080, float_bits(x), float_bits(y), float_bits(0.5f),
        float_bits(1), float_bits(u), float_bits(v),
    };

    host_push(p, 0, NV3_D3D_FOG_TRI(slot), 8, words);
}

#define D3D_CONFIG  (NV3_D3D_INTERP_FOH_CENTER | \
                     NV3_D3D_WRAP_WRAP << NV3_D3D_CONFIG_WRAP_U_SHIFT | \
                     NV3_D3D_WRAP_WRAP << NV3_D3D_CONFIG_WRAP_V_SHIFT | \
                     NV3_D3D_CULL_NONE << NV3_D3D_CONFIG_CULL_SHIFT | \
                     NV3_D3D_CMP_ALWAYS << NV3_D3D_CONFIG_Z_FUNC_SHIFT | \
                     NV3_D3D_WRITE_ALWAYS << NV3_D3D_CONFIG_COLOR_WRITE_SHIFT)

static void d3d_state(HostPush *p, unsigned log2, uint32_t offset)
{
    const uint32_t words[] = {
        offset, NV3_D3D_TEX_R5G6B5 << NV3_D3D_TEX_FORMAT_SHIFT |
        log2 << NV3_D3D_TEX_SIZE_MIN_SHIFT | log2 << NV3_D3D_TEX_SIZE_MAX_SHIFT,
        0, 0, D3D_CONFIG, NV3_D3D_CMP_ALWAYS << 8,
    };

    host_push(p, 0, NV3_D3D_TEX_OFFSET, 6, words);
}

static void d3d_setup(Graph *g, HostPush *p)
{
    d3d_state(p, 4, 0);
}

static void thin_d3d(HostPush *p, unsigned i)
{
    d3d_vertex(p, 0, 0, i % 500, 0, 0, 0);
    d3d_vertex(p, 1, 0, i % 500 + 1.5f, 0, 1, 0);
    d3d_vertex(p, 2, 0x012012 << 4, i % 500 + 1.5f, 2047, 1, 1);
}

static void full_d3d(HostPush *p, unsigned i)
{
    d3d_vertex(p, 0, 0, -2000, -2000, 0, 0);
    d3d_vertex(p, 1, 0, 2047, -2000, 1, 0);
    d3d_vertex(p, 2, 0, -2000, 2047, 1, 1);
    d3d_vertex(p, 3, 0x321210, 2047, 2047, 1, 1);
}

/* Pushes triangles that are outside the canvas or have no area. */
static void empty_d3d(HostPush *p, unsigned i)
{
    d3d_vertex(p, 0, 0, -200, -20, 0, 0);
    d3d_vertex(p, 1, 0, -100, -20, 1, 0);
    d3d_vertex(p, 2, 0x102210, -200, -10, 1, 1);
}

static void texture_d3d(HostPush *p, unsigned i)
{
    d3d_state(p, 11, i % 2 * 4096);
    d3d_vertex(p, 0, 0, 0, 0, 0, 0);
    d3d_vertex(p, 1, 0, 5, 0, 1, 0);
    d3d_vertex(p, 2, 0x102210, 0, 5, 0, 1);
}

static void small_textures_d3d(HostPush *p, unsigned i)
{
    d3d_state(p, 3, i % 80 * 4096);
    d3d_vertex(p, 0, 0, 0, 0, 0, 0);
    d3d_vertex(p, 1, 0, 5, 0, 1, 0);
    d3d_vertex(p, 2, 0x102210, 0, 5, 0, 1);
}

#define RGB32   NV3_SURF_X8R8G8B8
#define RGB15   NV3_SURF_X1R5G5B5

static const Shape shapes[] = {
    { "rect, 1 wide, pattern", NV3_CLASS_RECT, PATTERN_ONE, RGB32, 64, NULL,
      narrow_rect },
    { "rect, 1 wide, copy", NV3_CLASS_RECT, COPY_ONE, RGB32, 64, NULL, narrow_rect },
    { "rect, 1 wide, dithered", NV3_CLASS_RECT, COPY_ONE, RGB15, 8, NULL, narrow_rect },
    { "rect, 1 wide, clipped", NV3_CLASS_RECT, BLEND_FOUR, RGB32, 64, clip_rects,
      narrow_rect },
    { "rect, 1 wide, blended", NV3_CLASS_RECT, BLEND_FOUR, RGB32, 4, NULL, narrow_rect },
    { "rect, large, pattern", NV3_CLASS_RECT, PATTERN_ONE, RGB32, 4, NULL, full_rect },
    { "rect, large, copy", NV3_CLASS_RECT, COPY_ONE, RGB32, 8, NULL, full_rect },
    { "rect, large, blended", NV3_CLASS_RECT, BLEND_FOUR, RGB32, 1, NULL, full_rect },
    { "rect, 2 x 2", NV3_CLASS_RECT, BLEND_FOUR, RGB15, 2000, one_color, tiny_rect },
    { "triangle, thin", NV3_CLASS_TRI, PATTERN_ONE, RGB32, 16, NULL, tall_triangle },
    { "triangle, large", NV3_CLASS_TRI, COPY_ONE, RGB32, 1, NULL, full_triangle },
    { "line, blended", NV3_CLASS_LINE, BLEND_FOUR, RGB15, 16, NULL, tall_line },
    { "line, nowhere", NV3_CLASS_LINE, COPY_ONE, RGB32, 64, NULL, far_line },
    { "blit, 1 wide", NV3_CLASS_BLIT, COPY_ONE, RGB32, 64, NULL, narrow_blit },
    { "blit, large", NV3_CLASS_BLIT, COPY_ONE, RGB32, 4, NULL, full_blit },
    { "blit, 1 wide, blended", NV3_CLASS_BLIT, BLEND_FOUR, RGB32, 4, NULL, narrow_blit },
    { "blit, large, blended", NV3_CLASS_BLIT, BLEND_FOUR, RGB32, 1, NULL, full_blit },
    { "sifm, 1 wide", NV3_CLASS_SIFM, COPY_ONE, RGB32, 8, NULL, narrow_sifm },
    { "sifm, 1 wide, planes", NV3_CLASS_SIFM, GRAPH_COPY | 7, RGB32, 8, NULL,
      planes_sifm },
    { "sifm, large, blended", NV3_CLASS_SIFM, BLEND_FOUR, RGB32, 1, NULL, full_sifm },
    { "sifm, large, copy", NV3_CLASS_SIFM, COPY_ONE, RGB32, 1, NULL, full_sifm },
    { "sifc, large", NV3_CLASS_SIFC, PATTERN_ONE, RGB32, 4, tall_sifc_setup, sifc_word },
    { "sifc, 5 x 5, blended", NV3_CLASS_SIFC, BLEND_FOUR, RGB15, 2000, tiny_sifc_setup,
      sifc_word },
    { "ifc, blended", NV3_CLASS_IFC, BLEND_FOUR, RGB15, 2000, ifc_setup, ifc_word },
    { "bitmap, blended", NV3_CLASS_BITMAP, BLEND_FOUR, RGB15, 2000, bitmap_setup,
      bitmap_word },
    { "itm, 1 wide", NV3_CLASS_ITM, 0, RGB32, 4, NULL, narrow_itm },
    { "itm, wide", NV3_CLASS_ITM, 0, RGB32, 1, NULL, wide_itm },
    { "m2mf, 1 byte", NV3_CLASS_M2MF, 0, RGB32, 32, NULL, short_m2mf },
    { "m2mf, long", NV3_CLASS_M2MF, 0, RGB32, 4, NULL, long_m2mf },
    { "m2mf, strided", NV3_CLASS_M2MF, 0, RGB32, 1, NULL, strided_m2mf },
    { "zpoint", NV3_CLASS_ZPOINT, FOUR_SURFACES | NV3_GROBJ_ZETA, RGB15, 1500,
      zpoint_setup, zpoint },
    { "notifier", NV3_CLASS_RECT, COPY_ONE, RGB32, 2000, NULL, notified },
    { "bind", NV3_CLASS_RECT, COPY_ONE, RGB32, 2000, NULL, bound },
    { "d3d, thin", NV3_CLASS_D3D, GRAPH_COPY, RGB15, 150, d3d_setup, thin_d3d },
    { "d3d, large", NV3_CLASS_D3D, GRAPH_COPY, RGB15, 4, d3d_setup, full_d3d },
    { "d3d, large, 4 surfaces", NV3_CLASS_D3D,
      NV3_GROBJ_OP_SRCCOPY << NV3_GROBJ_OP_SHIFT | FOUR_SURFACES, RGB15, 4, d3d_setup,
      full_d3d },
    { "d3d, empty", NV3_CLASS_D3D, GRAPH_COPY, RGB15, 150, d3d_setup, empty_d3d },
    { "d3d, large textures", NV3_CLASS_D3D, GRAPH_COPY, RGB15, 8, d3d_setup,
      texture_d3d },
    { "d3d, small textures", NV3_CLASS_D3D, GRAPH_COPY, RGB15, 130, d3d_setup,
      small_textures_d3d },
};

/*
 * Creates a DMA object of 16 MiB. The object's page table maps the same 2 MiB of the bus
 * repeatedly.
 */
static void bus_object(Host *h)
{
    host_ramin_wr32(h, DMA_OBJ + NV3_DMAOBJ_FLAGS, NV3_DMAOBJ_PAGED |
                    NV3_DMAOBJ_TARGET_PCI << NV3_DMAOBJ_TARGET_SHIFT);
    host_ramin_wr32(h, DMA_OBJ + NV3_DMAOBJ_LIMIT, (16 << 20) - 1);
    for (uint32_t page = 0; page < 4096; page++) {
        host_ramin_wr32(h, DMA_OBJ + NV3_DMAOBJ_PTE(page), (BUS + page % 512 * 4096) |
                        NV3_DMAOBJ_PTE_PRESENT | NV3_DMAOBJ_PTE_WRITE);
    }
}

/*
 * Sets up surfaces and a canvas with the maximum height, a pattern, and a DMA object on
 * the bus.
 */
static HostPush start_tall(Graph *g, const Shape *shape)
{
    HostPush push = start(g, shape->class, shape->options);

    graph_formats(g, shape->format);
    for (unsigned i = 0; i < NV3_PGRAPH_SURFACES; i++) {
        host_wr32(g->host, NV3_PGRAPH_SURF_OFFSET(i), i * 0x1000);
        host_wr32(g->host, NV3_PGRAPH_SURF_PITCH(i), TALL_PITCH);
    }
    host_wr32(g->host, NV3_PGRAPH_SRC_CANVAS_MAX, graph_xy(WIDE, TALL));
    host_wr32(g->host, NV3_PGRAPH_DST_CANVAS_MAX, graph_xy(WIDE, TALL));
    host_wr32(g->host, NV3_PGRAPH_ROP, ROP_PATTERN);
    host_wr32(g->host, NV3_PGRAPH_PATTERN_MONO(0), 0x12345678);
    host_wr32(g->host, NV3_PGRAPH_PATTERN_A(0), 0xff);
    host_wr32(g->host, NV3_PGRAPH_PATTERN_A(1), 0xff);
    host_wr32(g->host, NV3_PGRAPH_PATTERN_RGB(1), 0x3fffffff);
    bus_object(g->host);
    host_ramin_wr32(g->host, OBJ + NV3_GROBJ_DMA,
                    (DMA_OBJ >> 4) << NV3_GROBJ_NOTIFY_SHIFT | DMA_OBJ >> 4);
    host_ramin_wr32(g->host, OBJ + NV3_GROBJ_M2MF, DMA_OBJ >> 4);
    return push;
}

static double seconds(void)
{
    struct timespec ts;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
    return ts.tv_sec + ts.tv_nsec / 1000000000.0;
}

static void run_shape(Graph *g, const Shape *shape)
{
    HostPush push = start_tall(g, shape);
    double worst = 0, all = 0;
    uint64_t max = 0, sum = 0;
    unsigned calls = 0;
    bool more;

    if (shape->setup) {
        shape->setup(g, &push);
    }
    for (unsigned i = 0; i < shape->count; i++) {
        shape->draw(&push, i);
    }
    host_push_start(&push, GRAPH_CHID);
    do {
        double from = seconds(), took;

        memset(nv3_steps, 0, sizeof(nv3_steps));
        more = nv3_run(g->s, METHODS);
        max = steps_ns() > max ? steps_ns() : max;
        sum += steps_ns();
        took = seconds() - from;
        worst = took > worst ? took : worst;
        all += took;
        calls++;
    } while (more);
    print_message("%-24s %8.3f ms in %5u slices, longest %6.3f ms; by steps %8.3f ms, "
                  "%6.3f ms\n", shape->name, all * 1000, calls, worst * 1000,
                  sum / 1000000.0, max / 1000000.0);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_INTR), 0);
    assert_int_equal(host_rd32(g->host, NV3_PDMA_INTR), 0);
    assert_int_equal(host_rd32(g->host, NV3_PFIFO_CACHE1_DMA_CTRL), 0);
    assert_true(sum > 0);
    assert_in_range(max, 1, SLICE_NS_MAX);
}

/*
 * While work is pending, register accesses must be fast: they must leave the work to
 * nv3_run(). The first read of the CRC requests the CRCs of the next frames, so the work
 * includes the CRC of a large picture.
 */
static void test_registers_between_slices(void **state)
{
    static const uint32_t ranges[][2] = {
        { 0x000000, 0x010000 }, { 0x100000, 0x102000 }, { 0x400000, 0x402000 },
        { 0x680000, 0x681000 }, { 0x800000, 0x800040 },
    };
    const Shape *shape = &shapes[0];
    Graph *g = graph_new_config(NULL);
    HostPush push = start_tall(g, shape);
    uint64_t lines = 0;

    mode_set(g->host, &mode_1600x1200);
    host_rd32(g->host, NV3_PVIRT_CRC);
    for (unsigned i = 0; i < shape->count; i++) {
        shape->draw(&push, i);
    }
    host_push_start(&push, GRAPH_CHID);
    for (unsigned i = 0; i < sizeof(ranges) / sizeof(ranges[0]); i++) {
        host_advance(g->host, MODE_1600X1200_NS);
        memset(nv3_steps, 0, sizeof(nv3_steps));
        assert_true(nv3_run(g->s, METHODS));
        assert_in_range(steps_ns(), 1, SLICE_NS_MAX);
        lines += nv3_steps[NV3_STEP_PICTURE_LINE];
        for (uint32_t addr = ranges[i][0]; addr < ranges[i][1]; addr += 4) {
            memset(nv3_steps, 0, sizeof(nv3_steps));
            host_rd32(g->host, addr);
            assert_in_range(steps_ns(), 0, 1000);
        }
    }
    assert_true(nv3_run(g->s, METHODS));
    assert_true(lines > 0);
    graph_free(g);
}

/* Saves and loads the chip after each slice of a line. */
static void test_line_saved(void **state)
{
    const Shape shape = { .class = NV3_CLASS_LINE, .options = BLEND_FOUR,
                          .format = RGB15 };
    Graph *whole = graph_new_config(NULL), *parts = graph_new_config(NULL);
    HostPush push = start_tall(whole, &shape);
    unsigned jobs = 0;

    tall_line(&push, 19);
    host_push_start(&push, GRAPH_CHID);
    host_run(whole->host);
    push = start_tall(parts, &shape);
    tall_line(&push, 19);
    host_push_start(&push, GRAPH_CHID);
    while (nv3_run(parts->s, METHODS)) {
        Graph *next = graph_new_config(NULL);
        uint8_t *buf = test_malloc(saved_size());
        NV3LoadError error;

        jobs += parts->s->pgraph.job.kind == NV3_JOB_LINE;
        saved_take(parts->s, buf);
        memcpy(next->host->vram, parts->host->vram, parts->host->config.vram_size);
        memcpy(next->host->mem, parts->host->mem, HOST_MEM_SIZE);
        assert_true(saved_put(next->s, buf, &error));
        test_free(buf);
        graph_free(parts);
        parts = next;
    }
    assert_in_range(jobs, 10, 100);
    assert_memory_equal(parts->host->vram, whole->host->vram,
                        whole->host->config.vram_size);
    graph_free(whole);
    graph_free(parts);
}

static void test_shapes(void **state)
{
    for (unsigned i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++) {
        Graph *g = graph_new_config(NULL);

        run_shape(g, &shapes[i]);
        graph_free(g);
    }
}

#define T(name) \
    cmocka_unit_test_setup_teardown(name, graph_setup, graph_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        T(test_sifm),
        T(test_rect),
        T(test_line),
        cmocka_unit_test(test_shapes),
        cmocka_unit_test(test_registers_between_slices),
        cmocka_unit_test(test_line_saved),
    };

    return cmocka_run_group_tests_name("slices", tests, NULL, NULL);
}
