/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Class 0x1F through PGRAPH: two-level page tables, faults, context images, and its
 * absence. test_programs.c tests what the methods do.
 */
#include <stdlib.h>
#include <string.h>

#include "chip/le.h"
#include "fp_asm.h"
#include "graph.h"
#include "nv3_programs.h"
#include "programs/programs.h"
#include "saved.h"
#include "vp_asm.h"

#define SIZE        64              /* pixels a side of the target */

/* Addresses of the class, one page table each. */
#define COLOR       0x00400000u     /* in VRAM */
#define PROGRAM     0x00880000u     /* in system memory */
#define ARRAYS      0x00c03000u     /* spread over system memory */
#define READ_ONLY   0x01000000u     /* the target again */

/* System memory. */
#define DIRECTORY   HOST_MEM_BASE
#define TABLE(i)    (HOST_MEM_BASE + 0x1000u + (i) * 0x1000u)
#define PAGE(i)     (HOST_MEM_BASE + 0x20000u + (i) * 0x1000u)
#define IMAGE(i)    (HOST_MEM_BASE + 0x40000u + (i) * 0x10000u)

#define VRAM_TARGET 0x2800000u      /* out of the reach of other classes */
#define DMA_INST    0x0e000u        /* in RAMIN */
#define SUBCH       2

typedef struct Vertex {
    float position[4];
    float color[4];
} Vertex;

static uint32_t bits(float x)
{
    uint32_t word;

    memcpy(&word, &x, sizeof(word));
    return word;
}

static void put_word(Graph *g, uint32_t address, uint32_t word)
{
    nv3_stl(g->host->mem + (address - HOST_MEM_BASE), word);
}

static void map_page(Graph *g, uint32_t address, uint32_t entry)
{
    const uint32_t table = address >> 22;

    put_word(g, DIRECTORY + table * 4, TABLE(table) | NV3_DMAOBJ_DIR_PRESENT);
    put_word(g, TABLE(table) + (address >> 12 & 1023) * 4, entry);
}

static void map_all(Graph *g)
{
    const uint32_t rw = NV3_DMAOBJ_PTE_PRESENT | NV3_DMAOBJ_PTE_WRITE;

    for (uint32_t at = 0; at < SIZE * SIZE * 4; at += 4096) {
        map_page(g, COLOR + at, (VRAM_TARGET + at) | rw | NV3_DMAOBJ_PTE_VRAM);
        map_page(g, READ_ONLY + at,
                 (VRAM_TARGET + at) | NV3_DMAOBJ_PTE_PRESENT | NV3_DMAOBJ_PTE_VRAM);
    }
    map_page(g, PROGRAM, PAGE(0) | rw);
    /* The second page of the arrays comes before the first in system memory. */
    map_page(g, ARRAYS, PAGE(3) | rw);
    map_page(g, ARRAYS + 4096, PAGE(2) | rw);
}

static void m(Graph *g, uint32_t mthd, uint32_t data)
{
    graph_mthd(g, SUBCH, mthd, data);
}

static void set_image(Graph *g, uint32_t val)
{
    nv3_mmio_write(g->s, NV3_PVIRT_GRCTX, val, 4);
}

/* Binds an object of the class whose notifications go to DMA object @notify in RAMIN. */
static Graph *new_graph_notify(uint32_t notify)
{
    const NV3Config config = {
        .revision = NV3_REVISION_C, .vram_size = 64 << 20, .virt = true, .programs = true,
    };
    Graph *g = graph_new_config(&config);

    map_all(g);
    nv3_ramin_write(g->s, DMA_INST + NV3_DMAOBJ_FLAGS, NV3_DMAOBJ_DIRECTORY, 4);
    nv3_ramin_write(g->s, DMA_INST + NV3_DMAOBJ_LIMIT, UINT32_MAX, 4);
    nv3_ramin_write(g->s, DMA_INST + NV3_DMAOBJ_DIR, DIRECTORY, 4);
    set_image(g, IMAGE(0));
    graph_bind(g, SUBCH, (GraphObject) {
        .class = NV3_CLASS_PROGRAMS, .dma = DMA_INST >> 4, .notify = notify >> 4,
    });
    return g;
}

static Graph *new_graph(void)
{
    return new_graph_notify(0);
}

static void set_state(Graph *g)
{
    VpAsm vp = { 0 };
    FpAsm fp = { 0 };

    m(g, NV3_PM_SURFACE_CLIP_HORIZONTAL, SIZE << 16);
    m(g, NV3_PM_SURFACE_CLIP_VERTICAL, SIZE << 16);
    m(g, NV3_PM_SURFACE_FORMAT, 8 | NV3_PM_FORMAT_TYPE_PITCH << NV3_PM_FORMAT_TYPE_SHIFT);
    m(g, NV3_PM_SURFACE_PITCH, SIZE * 4);
    m(g, NV3_PM_SURFACE_COLOR_OFFSET, COLOR);
    for (unsigned i = 0; i < 2; i++) {
        m(g, NV3_PM_VIEWPORT_SCALE + 4 * i, bits(SIZE / 2));
        m(g, NV3_PM_VIEWPORT_OFFSET + 4 * i, bits(SIZE / 2));
    }
    vp_copy(&vp, NV3_GEOM_O_POSITION, 0);
    vp_copy(&vp, NV3_GEOM_O_COLOR0, 3);
    vp_end(&vp);
    m(g, NV3_PM_TRANSFORM_PROGRAM_LOAD, 0);
    for (unsigned i = 0; i < vp.count * 4; i++) {
        m(g, NV3_PM_TRANSFORM_PROGRAM + i % 32 * 4, vp.words[i / 4][i % 4]);
    }
    m(g, NV3_PM_TRANSFORM_PROGRAM_START, 0);
    fp_op1(&fp, NV3_FP_MOV, fp_d(0, "xyzw"), fp_in(NV3_FP_COLOR0, "xyzw"));
    fp_end(&fp);
    for (unsigned i = 0; i < fp.count; i++) {
        put_word(g, PAGE(0) + 4 * i, fp.words[i]);
    }
    m(g, NV3_PM_FP_ACTIVE_PROGRAM, PROGRAM);
    for (unsigned i = 0; i < 2; i++) {
        m(g, NV3_PM_ARRAY_OFFSET + (i ? 12 : 0), ARRAYS + 16 * i);
        m(g, NV3_PM_ARRAY_FORMAT + (i ? 12 : 0),
          NV3_GEOM_FLOAT | 4 << NV3_PM_ARRAY_SIZE_SHIFT |
          sizeof(Vertex) << NV3_PM_ARRAY_STRIDE_SHIFT);
    }
}

static void put_vertex(Graph *g, unsigned i, float x, float y, const float *color)
{
    Vertex v = { { x, y, 0, 1 }, { color[0], color[1], color[2], 1 } };
    uint32_t words[8];

    memcpy(words, &v, sizeof(words));
    for (unsigned n = 0; n < 8; n++) {
        uint32_t at = i * sizeof(v) + n * 4;

        put_word(g, (at < 4096 ? PAGE(3) : PAGE(2) - 4096) + at, words[n]);
    }
}

/* The first of the triangle's vertices is the last that its page has. */
#define FIRST   (4096 / sizeof(Vertex) - 1)

static void put_triangle(Graph *g)
{
    static const float color[3][3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };

    put_vertex(g, FIRST, -1, -1, color[0]);
    put_vertex(g, FIRST + 1, 1, -1, color[1]);
    put_vertex(g, FIRST + 2, -1, 1, color[2]);
}

static void draw(Graph *g)
{
    m(g, NV3_PM_BEGIN_END, NV3_GEOM_TRIANGLES);
    m(g, NV3_PM_DRAW_ARRAYS, FIRST | 2u << NV3_PM_DRAW_COUNT_SHIFT);
    m(g, NV3_PM_BEGIN_END, 0);
    m(g, NV3_PM_WAIT_FOR_IDLE, 0);
}

static uint32_t pixel(Graph *g, unsigned x, unsigned y)
{
    return nv3_ldl(g->host->vram + VRAM_TARGET + (y * SIZE + x) * 4);
}

/* Colours by barycentric coordinates of the pixel's centre, in floats. */
static void check_triangle(Graph *g)
{
    for (unsigned y = 0; y < SIZE; y++) {
        for (unsigned x = 0; x < SIZE; x++) {
            const double green = (x + 0.5) / SIZE, blue = (y + 0.5) / SIZE;
            const double want[3] = { blue, green, 1 - green - blue };
            const uint32_t value = pixel(g, x, y);

            if (green + blue >= 1) {
                assert_int_equal(value, 0);
                continue;
            }
            assert_int_equal(value >> 24, 255);
            for (unsigned c = 0; c < 3; c++) {
                assert_true(abs((int)(value >> 8 * c & 255) -
                                (int)(want[c] * 255 + 0.5)) <= 1);
            }
        }
    }
}

static void test_draw(void **state)
{
    Graph *g = new_graph();

    set_state(g);
    put_triangle(g);
    draw(g);
    check_triangle(g);
    graph_free(g);
}

/* Another channel draws in the middle of the triangle, with other state. */
static void test_switch(void **state)
{
    Graph *g = new_graph();

    set_state(g);
    put_triangle(g);
    m(g, NV3_PM_BEGIN_END, NV3_GEOM_TRIANGLES);
    m(g, NV3_PM_DRAW_ARRAYS, FIRST | 1u << NV3_PM_DRAW_COUNT_SHIFT);

    set_image(g, IMAGE(1));
    set_state(g);
    m(g, NV3_PM_SCISSOR_HORIZ, 0);
    draw(g);

    set_image(g, IMAGE(0));
    m(g, NV3_PM_DRAW_ARRAYS, FIRST + 2);
    m(g, NV3_PM_BEGIN_END, 0);
    m(g, NV3_PM_WAIT_FOR_IDLE, 0);
    check_triangle(g);

    /* A channel that has gone is not stored: what its image had before comes back. */
    set_image(g, IMAGE(1));
    set_image(g, IMAGE(0));
    m(g, NV3_PM_SURFACE_COLOR_OFFSET, 0x1234000);
    set_image(g, IMAGE(1) | NV3_PVIRT_GRCTX_NO_STORE);
    set_image(g, IMAGE(0));
    memset(g->host->vram + VRAM_TARGET, 0, SIZE * SIZE * 4);
    draw(g);
    check_triangle(g);
    graph_free(g);
}

/* Frees @from and returns a chip with its state and memory. */
static Graph *moved(Graph *from)
{
    Graph *to = graph_new_config(&from->host->config);
    uint8_t *buf = test_malloc(saved_size());
    NV3LoadError error;

    saved_take(from->s, buf);
    memcpy(to->host->vram, from->host->vram, from->host->config.vram_size);
    memcpy(to->host->mem, from->host->mem, HOST_MEM_SIZE);
    memcpy(to->ctx, from->ctx, sizeof(to->ctx));
    to->host->now = from->host->now;
    assert_true(saved_put(to->s, buf, &error));
    test_free(buf);
    graph_free(from);
    return to;
}

/* The state moves to another chip in the middle of the triangle, twice unused. */
static void test_migration(void **state)
{
    Graph *g = new_graph();

    set_state(g);
    put_triangle(g);
    m(g, NV3_PM_BEGIN_END, NV3_GEOM_TRIANGLES);
    m(g, NV3_PM_DRAW_ARRAYS, FIRST | 1u << NV3_PM_DRAW_COUNT_SHIFT);
    for (unsigned i = 0; i < 3; i++) {
        g = moved(g);
    }
    assert_int_equal(nv3_mmio_read(g->s, NV3_PVIRT_GRCTX, 4), IMAGE(0));
    m(g, NV3_PM_DRAW_ARRAYS, FIRST + 2);
    m(g, NV3_PM_BEGIN_END, 0);
    m(g, NV3_PM_WAIT_FOR_IDLE, 0);
    check_triangle(g);
    memset(g->host->vram + VRAM_TARGET, 0, SIZE * SIZE * 4);
    draw(g);
    check_triangle(g);
    graph_free(g);
}

static void assert_fault(Graph *g, uint32_t reason, uint32_t offset)
{
    assert_int_equal(nv3_mmio_read(g->s, NV3_PDMA_INTR, 4) & reason, reason);
    assert_int_equal(nv3_mmio_read(g->s, NV3_PDMA_ADDR, 4), offset);
    graph_resume(g);
}

static void test_faults(void **state)
{
    Graph *g = new_graph();

    set_state(g);
    put_triangle(g);

    /* A target that may not be written, and one that is not mapped. */
    m(g, NV3_PM_SURFACE_COLOR_OFFSET, READ_ONLY);
    graph_try(g, SUBCH, NV3_PM_BEGIN_END, NV3_GEOM_TRIANGLES);
    assert_fault(g, NV3_PDMA_INTR_PROTECTION, READ_ONLY);
    m(g, NV3_PM_SURFACE_COLOR_OFFSET, 0x7f000000);
    graph_try(g, SUBCH, NV3_PM_BEGIN_END, NV3_GEOM_TRIANGLES);
    assert_fault(g, NV3_PDMA_INTR_PROTECTION, 0x7f000000);

    /* A fragment program that is not mapped. */
    m(g, NV3_PM_SURFACE_COLOR_OFFSET, COLOR);
    m(g, NV3_PM_FP_ACTIVE_PROGRAM, PROGRAM + 0x10000);
    graph_try(g, SUBCH, NV3_PM_BEGIN_END, NV3_GEOM_TRIANGLES);
    assert_fault(g, NV3_PDMA_INTR_PRESENT, PROGRAM + 0x10000);

    /* Translations are cached until they are invalidated. */
    m(g, NV3_PM_FP_ACTIVE_PROGRAM, PROGRAM);
    draw(g);
    check_triangle(g);
    map_page(g, PROGRAM, 0);
    m(g, NV3_PM_FP_ACTIVE_PROGRAM, PROGRAM);
    draw(g);
    nv3_mmio_write(g->s, NV3_PVIRT_VM_INVALIDATE, 0, 4);
    m(g, NV3_PM_FP_ACTIVE_PROGRAM, PROGRAM);
    graph_try(g, SUBCH, NV3_PM_BEGIN_END, NV3_GEOM_TRIANGLES);
    assert_fault(g, NV3_PDMA_INTR_PRESENT, PROGRAM);
    graph_free(g);
}

/* The notification of a batch whose drawing faults is not written. */
static void test_notification(void **state)
{
    const uint32_t notify = HOST_MEM_BASE + 0x30000, inst = DMA_INST + 0x100;
    Graph *g = new_graph_notify(inst);

    host_dmaobj(g->host, inst, NV3_DMAOBJ_TARGET_PCI, notify, 4096, true);
    set_state(g);
    put_triangle(g);
    for (unsigned bad = 0; bad < 2; bad++) {
        put_word(g, notify + 12, 0x12345678);
        m(g, NV3_PM_ARRAY_OFFSET, bad ? 0x7f000000 : ARRAYS);
        m(g, NV3_PM_BEGIN_END, NV3_GEOM_TRIANGLES);
        m(g, NV3_PM_DRAW_ARRAYS, FIRST | 2u << NV3_PM_DRAW_COUNT_SHIFT);
        m(g, NV3_PM_BEGIN_END, 0);
        m(g, NV3_MTHD_NOTIFY, 0);
        graph_try(g, SUBCH, NV3_PM_NO_OPERATION, 0);
        assert_int_equal(nv3_ldl(g->host->mem + 0x3000c) == 0x12345678, bad);
        if (bad) {
            assert_fault(g, NV3_PDMA_INTR_PRESENT, 0x7f000000 + FIRST * sizeof(Vertex));
        }
    }
    graph_free(g);
}

static void assert_invalid(Graph *g, uint32_t mthd, uint32_t data, uint32_t invalid)
{
    graph_try(g, SUBCH, mthd, data);
    assert_int_equal(nv3_mmio_read(g->s, NV3_PGRAPH_INVALID, 4), invalid);
    graph_resume(g);
}

static void test_bad_methods(void **state)
{
    Graph *g = new_graph();

    set_state(g);
    assert_invalid(g, 0x1ffc, 0, NV3_PGRAPH_INVALID_METHOD);
    assert_invalid(g, NV3_PM_BEGIN_END, 77, NV3_PGRAPH_INVALID_DATA);
    /* No context image, or none that can be loaded. */
    set_image(g, 0);
    assert_invalid(g, NV3_PM_NO_OPERATION, 0, NV3_PGRAPH_INVALID_METHOD);
    put_word(g, IMAGE(1), 0x12345678);
    set_image(g, IMAGE(1));
    assert_int_equal(nv3_mmio_read(g->s, NV3_PVIRT_GRCTX, 4), 0);
    assert_invalid(g, NV3_PM_NO_OPERATION, 0, NV3_PGRAPH_INVALID_METHOD);
    graph_free(g);
}

static void test_absent(void **state)
{
    const NV3Config config = {
        .revision = NV3_REVISION_C, .vram_size = 8 << 20, .virt = true,
    };
    Graph *g = graph_new_config(&config);

    assert_false(nv3_mmio_read(g->s, NV3_PVIRT_FEATURES, 4) & NV3_PVIRT_FEATURE_PROGRAMS);
    assert_int_equal(nv3_mmio_read(g->s, NV3_PVIRT_CLASSES, 4), nv3_classes());
    set_image(g, IMAGE(0));
    assert_int_equal(nv3_mmio_read(g->s, NV3_PVIRT_GRCTX_SIZE, 4), 0);
    graph_bind(g, SUBCH, (GraphObject) { .class = NV3_CLASS_PROGRAMS });
    assert_invalid(g, NV3_PM_NO_OPERATION, 0, NV3_PGRAPH_INVALID_METHOD);
    graph_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_draw),
        cmocka_unit_test(test_switch),
        cmocka_unit_test(test_migration),
        cmocka_unit_test(test_faults),
        cmocka_unit_test(test_notification),
        cmocka_unit_test(test_bad_methods),
        cmocka_unit_test(test_absent),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
