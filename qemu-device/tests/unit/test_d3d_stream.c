/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compares two chips that receive the same methods of class 0x17. The puller of one chip
 * submits whole vertices to PGRAPH, and the puller of the other chip submits each vertex
 * word by word. At all times at which software can observe the chips, their saved states
 * (registers, job, counters) and their memory must be equal. The tests also send other
 * methods between vertices, omit words of vertices, and use large triangles and
 * unreadable textures.
 */
#include "graph.h"
#include "saved.h"

#define SUBCH       2
#define RECT_SUBCH  3
#define TEX_INST    0x10000u
#define TEX_BYTES   0x8000u
#define OPTIONS     (NV3_GROBJ_OP_SRCCOPY << NV3_GROBJ_OP_SHIFT | \
                     1u << NV3_GROBJ_DST_SHIFT | NV3_GROBJ_ZETA)
#define CONFIG      (NV3_D3D_INTERP_FOH_CENTER | NV3_D3D_CONFIG_ALPHA | \
                     NV3_D3D_WRAP_WRAP << NV3_D3D_CONFIG_WRAP_U_SHIFT | \
                     NV3_D3D_WRAP_WRAP << NV3_D3D_CONFIG_WRAP_V_SHIFT | \
                     NV3_D3D_CULL_NONE << NV3_D3D_CONFIG_CULL_SHIFT | \
                     NV3_D3D_CMP_LEQUAL << NV3_D3D_CONFIG_Z_FUNC_SHIFT | \
                     NV3_D3D_WRITE_Z << NV3_D3D_CONFIG_Z_WRITE_SHIFT | \
                     NV3_D3D_WRITE_Z << NV3_D3D_CONFIG_COLOR_WRITE_SHIFT)

/*
 * The two chips: g[0] receives vertices word by word, and g[1] receives whole vertices.
 */
typedef struct Pair {
    Graph *g[2];
    uint32_t seed;
    uint64_t whole;         /* number of whole vertices that g[1] accepted */
    uint64_t traps;
} Pair;

static Graph *new_graph(unsigned threads)
{
    const NV3Config config = {
        .revision = NV3_REVISION_C, .vram_size = 8 << 20, .virt = true,
        .raster_threads = threads,
    };
    Graph *g = graph_new_config(&config);
    uint32_t seed = 9;

    graph_formats(g, NV3_SURF_X1R5G5B5);
    host_wr32(g->host, NV3_PGRAPH_DST_CANVAS_MAX, 1000u << 16 | 500);
    memset(g->host->vram + GRAPH_SURF(3), 0xff, 0x200000);
    for (unsigned i = 0; i < TEX_BYTES; i++) {
        g->host->vram[i] = graph_rand(&seed);
    }
    host_dmaobj(g->host, TEX_INST, NV3_DMAOBJ_TARGET_VRAM, 0, TEX_BYTES, false);
    graph_bind(g, RECT_SUBCH, (GraphObject) {
        .class = NV3_CLASS_RECT, .options = GRAPH_COPY,
    });
    graph_bind(g, SUBCH, (GraphObject) {
        .class = NV3_CLASS_D3D, .options = OPTIONS, .dma = TEX_INST >> 4,
    });
    return g;
}

static void both(Pair *p, unsigned subch, uint32_t mthd, uint32_t data)
{
    graph_try(p->g[0], subch, mthd, data);
    graph_try(p->g[1], subch, mthd, data);
}

static void register_both(Pair *p, uint32_t addr, uint32_t val)
{
    host_wr32(p->g[0]->host, addr, val);
    host_wr32(p->g[1]->host, addr, val);
}

static void set_state(Pair *p)
{
    both(p, SUBCH, NV3_D3D_TEX_OFFSET, 0);
    both(p, SUBCH, NV3_D3D_TEX_FORMAT,
         6u << NV3_D3D_TEX_SIZE_MAX_SHIFT | 3u << NV3_D3D_TEX_SIZE_MIN_SHIFT);
    both(p, SUBCH, NV3_D3D_TEX_FILTER, 0);
    both(p, SUBCH, NV3_D3D_FOG_COLOR, 0x123456);
    both(p, SUBCH, NV3_D3D_CONFIG, CONFIG);
    both(p, SUBCH, NV3_D3D_ALPHA, NV3_D3D_CMP_ALWAYS << 8);
}

static void pair_setup(Pair *p, uint32_t seed, unsigned threads)
{
    *p = (Pair) { { new_graph(1), new_graph(threads) }, .seed = seed };
    set_state(p);
}

static void pair_free(Pair *p)
{
    graph_free(p->g[0]);
    graph_free(p->g[1]);
}

static uint32_t bits(float f)
{
    uint32_t u;

    memcpy(&u, &f, sizeof(u));
    return u;
}

static float unit(Pair *p)
{
    return (graph_rand(&p->seed) & 0xffff) / 65536.0f;
}

static void finish(Graph *g)
{
    while (!nv3_pgraph_idle(g->s)) {
        nv3_run(g->s, 1);
    }
    nv3_run(g->s, 0);
}

/* Compares the saved states of the two chips, and also their VRAM if @memory is true. */
static void compare(Pair *p, bool memory)
{
    size_t size = saved_size();
    uint8_t *buf[2];

    for (unsigned i = 0; i < 2; i++) {
        finish(p->g[i]);
        buf[i] = test_malloc(size);
        saved_take(p->g[i]->s, buf[i]);
    }
    assert_memory_equal(buf[0], buf[1], size);
    test_free(buf[0]);
    test_free(buf[1]);
    if (memory) {
        assert_memory_equal(p->g[0]->host->vram, p->g[1]->host->vram, 8 << 20);
    }
}

static void resume(Pair *p)
{
    if (!p->g[0]->s->pgraph.fifo_enable) {
        p->traps++;
        graph_resume(p->g[0]);
        graph_resume(p->g[1]);
    }
}

static void vertex(Pair *p, unsigned w, const uint32_t words[NV3_D3D_VERTEX_WORDS])
{
    Graph *g = p->g[1];

    for (unsigned i = 0; i < NV3_D3D_VERTEX_WORDS; i++) {
        graph_try(p->g[0], SUBCH, NV3_D3D_FOG_TRI(w) + i * 4, words[i]);
    }
    if (nv3_d3d_submit_vertex(g->s, GRAPH_CHID, SUBCH, NV3_D3D_FOG_TRI(w), words,
                                 g->ctx[SUBCH])) {
        p->whole++;
        while (!nv3_pgraph_idle(g->s)) {
            nv3_run(g->s, 1);
        }
        return;
    }
    for (unsigned i = 0; i < NV3_D3D_VERTEX_WORDS; i++) {
        graph_try(g, SUBCH, NV3_D3D_FOG_TRI(w) + i * 4, words[i]);
    }
}

/*
 * In 49 of 50 cases, returns the bits of a float from -0.1 * @size to 1.1 * @size,
 * otherwise arbitrary bits.
 */
static uint32_t coordinate(Pair *p, float size)
{
    return graph_rand(&p->seed) % 50 ? bits((unit(p) * 1.2f - 0.1f) * size) :
                                       graph_rand(&p->seed);
}

static void random_vertex(Pair *p, float size)
{
    uint32_t how = graph_rand(&p->seed) % 8;
    uint32_t slots = graph_rand(&p->seed) & 0x7777;
    uint32_t tri = how < 3 ? slots & 0xf :          /* sets its slot only */
                   how < 7 ? slots & 0xfff :
                   slots | (graph_rand(&p->seed) & 0x777) << 12;
    float x = unit(p) * 400, y = unit(p) * 900;
    uint32_t xw = coordinate(p, 1), yw = coordinate(p, 1);
    uint32_t words[NV3_D3D_VERTEX_WORDS];

    if (how < 6) {
        xw = bits(x + unit(p) * size);
        yw = bits(y + unit(p) * size);
    }
    /*
     * Use separate statements, because the order in which C evaluates the elements of an
     * initializer is not specified.
     */
    words[0] = tri | (graph_rand(&p->seed) & 1 ? 0 : graph_rand(&p->seed) << 24);
    words[1] = graph_rand(&p->seed);
    words[2] = xw;
    words[3] = yw;
    words[4] = coordinate(p, 1);
    words[5] = coordinate(p, 1);
    words[6] = coordinate(p, 3);
    words[7] = coordinate(p, 3);
    vertex(p, graph_rand(&p->seed) % NV3_D3D_VERTEX_COUNT, words);
}

/*
 * Called between vertices. Sends a random method to both chips, or writes a random
 * register of both.
 */
static void something_else(Pair *p)
{
    switch (graph_rand(&p->seed) % 10) {
    case 0:
        both(p, SUBCH, NV3_D3D_TEX_FORMAT, graph_rand(&p->seed) & 0x63330000);
        break;
    case 1:
        /* The offset may be beyond the end of the DMA object. */
        both(p, SUBCH, NV3_D3D_TEX_OFFSET, graph_rand(&p->seed) % (TEX_BYTES * 2));
        break;
    case 2:
        both(p, SUBCH, NV3_D3D_CONFIG, CONFIG ^ (graph_rand(&p->seed) & 0xf0000000));
        break;
    case 3:
        both(p, SUBCH, NV3_D3D_X(3), graph_rand(&p->seed));
        break;
    case 4:
        both(p, RECT_SUBCH, NV3_RECT_COLOR, graph_rand(&p->seed));
        both(p, RECT_SUBCH, NV3_RECT_POINT(0), 0x00100010);
        both(p, RECT_SUBCH, NV3_RECT_SIZE(0), 0x00200020);
        break;
    case 5:
        /* Invalidates all slots. */
        register_both(p, NV3_PGRAPH_VALID, 0x0f800000);
        break;
    case 6:
        register_both(p, NV3_PGRAPH_UCLIP_XMAX, graph_rand(&p->seed) % 500);
        break;
    case 7:
        register_both(p, NV3_PGRAPH_SURF_OFFSET(0),
                      GRAPH_SURF(0) + graph_rand(&p->seed) % 256 * 16);
        break;
    case 8:
        both(p, SUBCH, NV3_MTHD_OBJECT, 1);
        break;
    default:
        set_state(p);
        break;
    }
}

static void run(Pair *p, float size, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        for (unsigned n = graph_rand(&p->seed) % 40; n-- > 0;) {
            random_vertex(p, size);
            resume(p);
        }
        if (graph_rand(&p->seed) & 1) {
            compare(p, i % 64 == 0);
        }
        if (graph_rand(&p->seed) & 1) {
            something_else(p);
            resume(p);
        }
    }
    compare(p, true);
}

static void test_same(void **state)
{
    static const float sizes[4] = { 10, 80, 2000, 5 };

    for (unsigned i = 0; i < 4; i++) {
        Pair p;

        pair_setup(&p, 31 * i + 1, 1);
        run(&p, sizes[i], sizes[i] > 1000 ? 40 : 300);
        assert_true(p.whole > 100);
        assert_true(p.traps > 10);
        pair_free(&p);
    }
}

/*
 * With raster threads, the pixel counters of both chips must be equal when all drawing
 * has completed.
 */
static void test_threads(void **state)
{
    Pair p;

    pair_setup(&p, 77, 3);
    for (unsigned i = 0; i < 2000; i++) {
        random_vertex(&p, 40);
        resume(&p);
    }
    finish(p.g[0]);
    finish(p.g[1]);
    assert_memory_equal(p.g[0]->host->vram, p.g[1]->host->vram, 8 << 20);
    assert_int_equal(p.g[0]->s->counters[NV3_PVIRT_COUNTER_PIXELS],
                     p.g[1]->s->counters[NV3_PVIRT_COUNTER_PIXELS]);
    pair_free(&p);
}

/*
 * A read of a register between two vertices must return the value after the first vertex.
 */
static void test_registers_in_the_middle(void **state)
{
    static const uint32_t regs[] = {
        NV3_PGRAPH_TRAPPED_ADDR, NV3_PGRAPH_TRAPPED_DATA, NV3_PGRAPH_TRAPPED_INST,
        NV3_PGRAPH_VALID, NV3_PGRAPH_MISC24_1, NV3_PGRAPH_D3D_XY,
        NV3_PGRAPH_D3D_UV, NV3_PGRAPH_D3D_RGB, NV3_PGRAPH_D3D_FOG_TRI,
        NV3_PGRAPH_D3D_RHW, NV3_PGRAPH_D3D_Z, NV3_PGRAPH_VTX_X(3),
        NV3_PGRAPH_VTX_Y(19), NV3_PGRAPH_VTX_Z(7), NV3_PGRAPH_X_CLIP_STATUS(0),
        NV3_PGRAPH_Y_CLIP_STATUS(0),
    };
    bool open = false;
    Pair p;

    pair_setup(&p, 5, 1);
    for (unsigned i = 0; i < 4000; i++) {
        uint32_t reg = regs[i % (sizeof(regs) / sizeof(regs[0]))];

        random_vertex(&p, 20);
        resume(&p);
        if (i % 5 == 0) {
            open |= p.g[1]->s->pgraph.stream != NULL;
            assert_int_equal(host_rd32(p.g[0]->host, reg),
                             host_rd32(p.g[1]->host, reg));
        }
    }
    assert_true(open);
    pair_free(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same),
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_registers_in_the_middle),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
