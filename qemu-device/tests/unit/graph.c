/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "graph.h"

#include <stdlib.h>

#define DEBUG_1 (NV3_PGRAPH_DEBUG_1_CTX_SWITCH | NV3_PGRAPH_DEBUG_1_DMA_LOAD)

static void graph_registers(Graph *g)
{
    Host *h = g->host;
    uint32_t max = graph_xy(GRAPH_WIDTH, GRAPH_HEIGHT);

    host_wr32(h, NV3_PMC_ENABLE, 0xffffffff);
    host_wr32(h, NV3_PGRAPH_FIFO_ENABLE, 0);
    host_wr32(h, NV3_PGRAPH_DEBUG_1, DEBUG_1);
    host_wr32(h, NV3_PGRAPH_DEBUG_2, NV3_PGRAPH_DEBUG_2_VOLATILE_EN);
    host_wr32(h, NV3_PGRAPH_DEBUG_3, NV3_PGRAPH_DEBUG_3_DATA_CHECK);
    host_wr32(h, NV3_PGRAPH_INTR_EN, NV3_PGRAPH_INTR_ALL);
    host_wr32(h, NV3_PDMA_INTR_EN, NV3_PDMA_INTR_ALL);
    host_wr32(h, NV3_PGRAPH_CTX_USER, GRAPH_CHID << 24);
    host_wr32(h, NV3_PGRAPH_CTX_CONTROL, NV3_PGRAPH_CTX_CONTROL_DEVICE |
              NV3_PGRAPH_CTX_CONTROL_CHID_VALID);
    for (unsigned i = 0; i < NV3_PGRAPH_SURFACES; i++) {
        host_wr32(h, NV3_PGRAPH_SURF_OFFSET(i), GRAPH_SURF(i));
        host_wr32(h, NV3_PGRAPH_SURF_PITCH(i), GRAPH_PITCH);
    }
    graph_formats(g, NV3_SURF_X1R5G5B5);
    host_wr32(h, NV3_PGRAPH_SRC_CANVAS_MIN, 0);
    host_wr32(h, NV3_PGRAPH_SRC_CANVAS_MAX, max);
    host_wr32(h, NV3_PGRAPH_DST_CANVAS_MIN, 0);
    host_wr32(h, NV3_PGRAPH_DST_CANVAS_MAX, max);
    host_wr32(h, NV3_PGRAPH_FIFO_ENABLE, 1);
}

Graph *graph_new_config(const NV3Config *config)
{
    Graph *g = test_calloc(1, sizeof(*g));

    g->host = config ? host_new_config(config) : host_new();
    g->s = g->host->chip;
    graph_registers(g);
    return g;
}

void graph_free(Graph *g)
{
    host_free(g->host);
    test_free(g);
}

int graph_setup(void **state)
{
    *state = graph_new_config(NULL);
    return 0;
}

int graph_teardown(void **state)
{
    graph_free(*state);
    return 0;
}

void graph_object(Graph *g, unsigned subch, GraphObject object)
{
    uint32_t inst = GRAPH_OBJECT(subch);

    host_ramin_wr32(g->host, inst, object.options);
    host_ramin_wr32(g->host, inst + NV3_GROBJ_DMA,
                    object.notify << NV3_GROBJ_NOTIFY_SHIFT | object.dma);
    host_ramin_wr32(g->host, inst + NV3_GROBJ_M2MF, object.m2mf);
    g->ctx[subch] = inst >> 4 | object.class << NV3_CTX_CLASS_SHIFT |
                    NV3_CTX_CLASS_GRAPH | NV3_CTX_HARDWARE |
                    GRAPH_CHID << NV3_CTX_CHID_SHIFT | NV3_CTX_VALID;
}

void graph_bind(Graph *g, unsigned subch, GraphObject object)
{
    graph_object(g, subch, object);
    graph_mthd(g, subch, NV3_MTHD_OBJECT, 0x12345678);
}

bool graph_try(Graph *g, unsigned subch, uint32_t mthd, uint32_t data)
{
    bool taken = nv3_pgraph_submit(g->s, GRAPH_CHID, subch, mthd, data,
                                   g->ctx[subch]);

    while (nv3_pgraph_step(g->s)) {
        continue;
    }
    return taken;
}

void graph_mthd(Graph *g, unsigned subch, uint32_t mthd, uint32_t data)
{
    assert_true(graph_try(g, subch, mthd, data));
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_INTR) &
                     ~(NV3_PGRAPH_INTR_VBLANK | NV3_PGRAPH_INTR_NOTIFY), 0);
    assert_int_equal(host_rd32(g->host, NV3_PDMA_INTR), 0);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_FIFO_ENABLE), 1);
}

void graph_resume(Graph *g)
{
    host_wr32(g->host, NV3_PGRAPH_INTR, 0xffffffff);
    host_wr32(g->host, NV3_PGRAPH_INVALID, 0xffffffff);
    host_wr32(g->host, NV3_PDMA_INTR, 0xffffffff);
    host_wr32(g->host, NV3_PGRAPH_FIFO_ENABLE, 1);
}

void graph_formats(Graph *g, unsigned format)
{
    uint32_t config = 0;

    for (unsigned i = 0; i < NV3_PGRAPH_SURFACES; i++) {
        config |= NV3_PGRAPH_SURF_FORMAT(i, format) | NV3_PGRAPH_SURF_VALID(i);
    }
    host_wr32(g->host, NV3_PGRAPH_SURF_CONFIG, config);
}

static uint8_t *pixel_at(Graph *g, unsigned surf, unsigned x, unsigned y,
                         unsigned cpp)
{
    return g->host->vram + GRAPH_SURF(surf) + y * GRAPH_PITCH + x * cpp;
}

uint32_t graph_pixel(Graph *g, unsigned surf, unsigned x, unsigned y,
                     unsigned cpp)
{
    const uint8_t *p = pixel_at(g, surf, x, y, cpp);
    uint32_t val = 0;

    for (unsigned i = 0; i < cpp; i++) {
        val |= (uint32_t)p[i] << 8 * i;
    }
    return val;
}

void graph_set_pixel(Graph *g, unsigned surf, unsigned x, unsigned y,
                     unsigned cpp, uint32_t val)
{
    uint8_t *p = pixel_at(g, surf, x, y, cpp);

    for (unsigned i = 0; i < cpp; i++) {
        p[i] = val >> 8 * i;
    }
}

void graph_assert_only(Graph *g, NV3Rect r, unsigned cpp, uint32_t val,
                       uint32_t elsewhere)
{
    for (int y = 0; y < GRAPH_HEIGHT; y++) {
        for (int x = 0; x < GRAPH_WIDTH; x++) {
            bool in = x >= r.x0 && x < r.x1 && y >= r.y0 && y < r.y1;
            uint32_t want = in ? val : elsewhere;
            uint32_t got = graph_pixel(g, 0, x, y, cpp);

            if (got != want) {
                fail_msg("pixel %d, %d is 0x%x, not 0x%x", x, y, got, want);
            }
        }
    }
}
