/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tests the slices into which the core divides the drawing of class 0x1F. Also tests what
 * can happen between two slices: migrations, resets and changes of page tables.
 */
#include <string.h>

#include "chip/cost.h"
#include "chip/le.h"
#include "fp_asm.h"
#include "programs/class.h"
#include "programs_rig.h"

/* The maximum duration of a slice, as in test_slices.c. */
#define SLICE_NS_MAX    500000

/* Address of a large target of at most 16 MiB */
#define COLOR_LARGE     0x02000000u
#define TEXTURE         0x04000000u
#define VRAM_LARGE      0x2000000u
#define VRAM_OTHER      0x3000000u

/*
 * Durations in nanoseconds, measured on a CPU with AVX2 (make bench, core.vertex and
 * core.fp).
 */
#define VERTEX_NS       50
#define TRIANGLE_NS     150
#define BLOCK_NS        80          /* per block, if the program copies a colour */
#define TEXTURE_NS      90          /* per block; 300 if texels are far apart */

static unsigned block_ns, slices;
static uint64_t longest;

static void check_slice(void)
{
    const uint64_t ns = nv3_steps[NV3_STEP_VERTEX] * VERTEX_NS +
                        nv3_steps[NV3_STEP_TRIANGLE] * TRIANGLE_NS +
                        nv3_steps[NV3_STEP_BLOCK] * block_ns +
                        nv3_steps[NV3_STEP_TEXEL] * 2 + nv3_steps[NV3_STEP_BYTE] / 10;

    assert_in_range(ns, 0, SLICE_NS_MAX);
    longest = ns > longest ? ns : longest;
    slices++;
    memset(nv3_steps, 0, sizeof(nv3_steps));
}

static void run_slices(Graph *g)
{
    while (nv3_pgraph_step(g->s)) {
        check_slice();
    }
}

static void method(Graph *g, uint32_t mthd, uint32_t data)
{
    while (!nv3_pgraph_submit(g->s, GRAPH_CHID, SUBCH, mthd, data, g->ctx[SUBCH])) {
        assert_false(nv3_pgraph_idle(g->s));
        run_slices(g);
    }
    check_slice();
    run_slices(g);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_INVALID), 0);
    assert_int_equal(host_rd32(g->host, NV3_PDMA_INTR), 0);
}

static void map_large(Graph *g, uint32_t address, uint32_t vram, uint32_t size)
{
    for (uint32_t at = 0; at < size; at += 4096) {
        rig_map_page(g, address + at, (vram + at) | PTE_RW | NV3_DMAOBJ_PTE_VRAM);
    }
}

/* Sets a target of @side x @side pixels, and its viewport. */
static void set_target(Graph *g, unsigned side)
{
    map_large(g, COLOR_LARGE, VRAM_LARGE, side * side * 4);
    rig_set_state(g);
    rig_method(g, NV3_PM_SURFACE_CLIP_HORIZONTAL, side << 16);
    rig_method(g, NV3_PM_SURFACE_CLIP_VERTICAL, side << 16);
    rig_method(g, NV3_PM_SURFACE_PITCH, side * 4);
    rig_method(g, NV3_PM_SURFACE_COLOR_OFFSET, COLOR_LARGE);
    for (unsigned i = 0; i < 2; i++) {
        rig_method(g, NV3_PM_VIEWPORT_SCALE + 4 * i, rig_bits(side / 2));
        rig_method(g, NV3_PM_VIEWPORT_OFFSET + 4 * i, rig_bits(side / 2));
    }
}

static void begin_test(void)
{
    block_ns = BLOCK_NS;
    slices = longest = 0;
    memset(nv3_steps, 0, sizeof(nv3_steps));
}

static void end_test(Graph *g, unsigned min)
{
    while (nv3_run(g->s, 1)) {
        check_slice();
    }
    print_message("# %u slices, the longest %llu us by steps\n", slices,
                  (unsigned long long)longest / 1000);
    assert_in_range(slices, min, 1000000);
    graph_free(g);
}

/* Writes the vertices of a triangle strip. Each triangle covers half of the target. */
static void put_covering(Graph *g)
{
    for (unsigned i = 0; i < 64; i++) {
        const float position[4] = { i & 1 ? 1 : -1, i & 2 ? 1 : -1, 0, 1 };
        const float color[4] = { i / 64.0f, 1, 0, 1 };

        for (unsigned c = 0; c < 4; c++) {
            rig_put_word(g, PAGE(3) + i * sizeof(Vertex) + c * 4, rig_bits(position[c]));
            rig_put_word(g, PAGE(3) + i * sizeof(Vertex) + 16 + c * 4,
                         rig_bits(color[c]));
        }
    }
}

static void draw(Graph *g, unsigned primitive, unsigned first, unsigned count)
{
    method(g, NV3_PM_BEGIN_END, primitive);
    method(g, NV3_PM_DRAW_ARRAYS, first | (count - 1) << NV3_PM_DRAW_COUNT_SHIFT);
    method(g, NV3_PM_BEGIN_END, 0);
}

static uint32_t large_pixel(Graph *g, unsigned side, unsigned x, unsigned y)
{
    return nv3_ldl(g->host->vram + VRAM_LARGE + (y * side + x) * 4);
}

/* ---- draws that take a long time ------------------------------------------- */

static void test_large_triangles(void **state)
{
    Graph *g = rig_new(0);

    set_target(g, 1024);
    put_covering(g);
    begin_test();
    draw(g, NV3_GEOM_TRIANGLE_STRIP, 0, 32);
    method(g, NV3_PM_WAIT_FOR_IDLE, 0);
    assert_int_equal(large_pixel(g, 1024, 1023, 1023) >> 24, 255);
    end_test(g, 10);
}

/* The fragment program samples a texture 60 times for each pixel. */
static void test_long_program(void **state)
{
    Graph *g = rig_new(0);
    FpAsm fp = { 0 };

    set_target(g, 256);
    put_covering(g);
    map_large(g, TEXTURE, VRAM_OTHER, 4096);
    fp_tex(&fp, NV3_FP_TEX, 0, fp_d(0, "xyzw"), fp_in(NV3_FP_COLOR0, "xyzw"));
    for (unsigned i = 1; i < 60; i++) {
        fp_tex(&fp, NV3_FP_TEX, 0, fp_d(0, "xyzw"), fp_r(0, "xyzw"));
    }
    fp_end(&fp);
    assert_in_range(fp.count, 1, 1024);
    for (unsigned i = 0; i < fp.count; i++) {
        rig_put_word(g, PAGE(0) + 4 * i, fp.words[i]);
    }
    rig_method(g, NV3_PM_FP_ACTIVE_PROGRAM, PROGRAM);
    rig_method(g, NV3_PM_TEX + NV3_PM_TEX_OFFSET * 4, TEXTURE);
    rig_method(g, NV3_PM_TEX + NV3_PM_TEX_FORMAT * 4, 0x00012520);
    rig_method(g, NV3_PM_TEX + NV3_PM_TEX_WRAP * 4, 0x00010101);
    rig_method(g, NV3_PM_TEX + NV3_PM_TEX_FILTER * 4, 0x02020000);
    rig_method(g, NV3_PM_TEX + NV3_PM_TEX_NPOT_SIZE * 4, 32 << 16 | 32);
    rig_method(g, NV3_PM_TEX + NV3_PM_TEX_ENABLE * 4, 1u << 31);
    begin_test();
    block_ns = BLOCK_NS + 60 * TEXTURE_NS;
    draw(g, NV3_GEOM_TRIANGLE_STRIP, 0, 4);
    method(g, NV3_PM_WAIT_FOR_IDLE, 0);
    end_test(g, 20);
}

/*
 * Draws many triangles without area, so that almost all of the work is the processing of
 * vertices.
 */
static void test_many_vertices(void **state)
{
    Graph *g = rig_new(0);

    set_target(g, 64);
    put_covering(g);
    begin_test();
    method(g, NV3_PM_BEGIN_END, NV3_GEOM_TRIANGLE_STRIP);
    for (unsigned i = 0; i < 500; i++) {
        method(g, NV3_PM_DRAW_ARRAYS, 127u << NV3_PM_DRAW_COUNT_SHIFT);
    }
    method(g, NV3_PM_BEGIN_END, 0);
    end_test(g, 1000);
}

static void test_clear(void **state)
{
    Graph *g = rig_new(0);

    set_target(g, 2048);
    rig_method(g, NV3_PM_COLOR_CLEAR_VALUE, 0x12345678);
    begin_test();
    method(g, NV3_PM_CLEAR_SURFACE, NV3_PM_CLEAR_COLORS);
    method(g, NV3_PM_WAIT_FOR_IDLE, 0);
    assert_int_equal(large_pixel(g, 2048, 2047, 2047), 0x12345678);
    assert_int_equal(large_pixel(g, 2048, 0, 0), 0x12345678);
    end_test(g, 5);
}

/*
 * Tests a texture in VRAM, and a texture in system memory. The core copies a texture in
 * system memory before it decodes the texture.
 */
static void test_texture(void **state)
{
    for (unsigned copied = 0; copied < 2; copied++) {
        Graph *g = rig_new(0);
        FpAsm fp = { 0 };

        set_target(g, 64);
        put_covering(g);
        if (copied) {
            for (uint32_t at = 0; at < 4 << 20; at += 4096) {
                rig_map_page(g, TEXTURE + at, PAGE(8) | PTE_RW);
            }
            rig_put_word(g, PAGE(8) + 4092, 0xff123456);
        } else {
            map_large(g, TEXTURE, VRAM_OTHER, 4 << 20);
            nv3_stl(g->host->vram + VRAM_OTHER + (4 << 20) - 4, 0xff123456);
        }
        fp_tex(&fp, NV3_FP_TEX, 0, fp_d(0, "xyzw"), fp_in(NV3_FP_COLOR0, "yyyy"));
        fp_end(&fp);
        for (unsigned i = 0; i < fp.count; i++) {
            rig_put_word(g, PAGE(0) + 4 * i, fp.words[i]);
        }
        rig_method(g, NV3_PM_FP_ACTIVE_PROGRAM, PROGRAM);
        rig_method(g, NV3_PM_TEX + NV3_PM_TEX_OFFSET * 4, TEXTURE);
        rig_method(g, NV3_PM_TEX + NV3_PM_TEX_FORMAT * 4, 0x00012520);
        rig_method(g, NV3_PM_TEX + NV3_PM_TEX_WRAP * 4, 0x00030303);
        rig_method(g, NV3_PM_TEX + NV3_PM_TEX_FILTER * 4, 0x01010000);
        rig_method(g, NV3_PM_TEX + NV3_PM_TEX_NPOT_SIZE * 4, 1024 << 16 | 1024);
        rig_method(g, NV3_PM_TEX + NV3_PM_TEX_ENABLE * 4, 1u << 31);
        begin_test();
        draw(g, NV3_GEOM_TRIANGLE_STRIP, 0, 4);
        method(g, NV3_PM_WAIT_FOR_IDLE, 0);
        /*
         * The program uses the green component of the colour for both texture
         * coordinates. This component is 1, so the coordinates select the last texel.
         */
        assert_int_equal(large_pixel(g, 64, 5, 5), 0xff123456);
        end_test(g, 8);
    }
}

/*
 * The core translates a fragment program in the slice of the method that needs the
 * program, so many programs must take many slices.
 */
static void test_translation(void **state)
{
    const unsigned insns = 500, words = insns * 8;
    FpAsm *fp = test_calloc(1, sizeof(*fp));
    Graph *g = rig_new(0);
    int64_t left;

    set_target(g, 64);
    put_covering(g);
    for (unsigned i = 0; i < insns; i++) {
        fp_op2(fp, NV3_FP_MUL, fp_d(i % 8, "xyzw"), fp_r((i + 3) % 8, "xyzw"),
               fp_k(i, 1, 2, 3));
    }
    fp_end(fp);
    assert_int_equal(fp->count, words);
    for (uint32_t at = 0; at < words * 4; at += 4096) {
        rig_map_page(g, TEXTURE + at, (PAGE(8) + at) | PTE_RW);
    }
    for (unsigned i = 0; i < words; i++) {
        rig_put_word(g, PAGE(8) + 4 * i, fp->words[i]);
    }
    rig_method(g, NV3_PM_FP_ACTIVE_PROGRAM, TEXTURE);
    for (unsigned i = 0; i < 2; i++) {
        rig_method(g, NV3_PM_BEGIN_END, NV3_GEOM_TRIANGLES);
        left = nv3_programs_slice_left(nv3_programs_engines(g->s));
        /*
         * The second draw uses the same program, so the program is not translated again.
         */
        if (i) {
            assert_true(left > 0);
        } else {
            assert_true(left < (int64_t)NV3_GEOM_BATCH_COST - words * 100);
        }
        rig_method(g, NV3_PM_BEGIN_END, 0);
        rig_method(g, NV3_PM_BLEND_COLOR, i);
    }
    graph_free(g);
    test_free(fp);
}

/* ---- between two slices ------------------------------------------------------------ */

/* Submits a draw that takes several slices, and executes @steps slices. */
static void draw_partly(Graph *g, unsigned steps)
{
    draw(g, NV3_GEOM_TRIANGLE_STRIP, 0, 16);
    assert_true(nv3_pgraph_submit(g->s, GRAPH_CHID, SUBCH, NV3_PM_WAIT_FOR_IDLE, 0,
                                  g->ctx[SUBCH]));
    while (steps--) {
        assert_true(nv3_pgraph_step(g->s));
        check_slice();
    }
    assert_false(nv3_pgraph_idle(g->s));
}

static void test_move(void **state)
{
    const size_t size = 512 * 512 * 4;
    uint8_t *want = test_malloc(size);

    for (unsigned steps = 0; steps < 4; steps++) {
        Graph *g = rig_new(0);

        set_target(g, 512);
        put_covering(g);
        begin_test();
        draw_partly(g, steps);
        if (steps) {
            /* Finish drawing, as the host does before it saves VRAM. */
            nv3_finish_drawing(g->s);
            g = rig_move(g);
            memset(nv3_steps, 0, sizeof(nv3_steps));
        }
        run_slices(g);
        if (steps) {
            assert_memory_equal(g->host->vram + VRAM_LARGE, want, size);
        } else {
            memcpy(want, g->host->vram + VRAM_LARGE, size);
        }
        graph_free(g);
    }
    test_free(want);
}

/*
 * Before the host saves VRAM, the core finishes drawing. If this would take too long, the
 * core must drop the remaining drawing and report an error to the channel, and the chip
 * must continue to work.
 */
static void test_finish_limit(void **state)
{
    NV3ProgramsLimits limits = NV3_PROGRAMS_LIMITS;
    Graph *g = rig_new(0);

    set_target(g, 512);
    put_covering(g);
    limits.flush = 100 * BLOCK_NS;
    nv3_programs_set_limits(nv3_programs_engines(g->s), &limits);
    begin_test();
    draw_partly(g, 1);
    memset(nv3_steps, 0, sizeof(nv3_steps));
    nv3_finish_drawing(g->s);
    /* The core may draw a part of a bin beyond the limit. A bin has 64 blocks. */
    assert_in_range(nv3_steps[NV3_STEP_BLOCK], 0, 100 * 4);
    assert_true(nv3_pgraph_idle(g->s));
    assert_false(nv3_run(g->s, 1));
    assert_int_not_equal(host_rd32(g->host, NV3_PGRAPH_INVALID), 0);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_FIFO_ENABLE), 0);
    graph_resume(g);
    memset(nv3_steps, 0, sizeof(nv3_steps));
    draw(g, NV3_GEOM_TRIANGLE_STRIP, 0, 16);
    end_test(g, 3);
}

/* A reset must end unfinished drawing, no matter how much of it remains. */
static void test_reset(void **state)
{
    Graph *g = rig_new(0);

    set_target(g, 512);
    put_covering(g);
    begin_test();
    draw_partly(g, 1);
    memset(nv3_steps, 0, sizeof(nv3_steps));
    host_wr32(g->host, NV3_PGRAPH_DEBUG_0, NV3_PGRAPH_DEBUG_0_RESET);
    assert_int_equal(nv3_steps[NV3_STEP_BLOCK], 0);
    assert_true(nv3_pgraph_idle(g->s));
    assert_false(nv3_run(g->s, 1));
    graph_free(g);
}

/*
 * A change of the context must also end unfinished drawing. Drivers never change the
 * context while the chip draws.
 */
static void test_context(void **state)
{
    Graph *g = rig_new(0);

    set_target(g, 512);
    put_covering(g);
    begin_test();
    draw_partly(g, 1);
    memset(nv3_steps, 0, sizeof(nv3_steps));
    rig_set_image(g, IMAGE(1));
    assert_int_equal(nv3_steps[NV3_STEP_BLOCK], 0);
    assert_true(nv3_pgraph_idle(g->s));
    rig_set_image(g, IMAGE(0));
    draw(g, NV3_GEOM_TRIANGLE_STRIP, 0, 16);
    end_test(g, 3);
}

/*
 * If the pages of the target change before the last vertices of a triangle, the triangle
 * must be drawn to the new pages.
 */
static void test_remap(void **state)
{
    Graph *g = rig_new(0);

    set_target(g, 64);
    put_covering(g);
    begin_test();
    method(g, NV3_PM_BEGIN_END, NV3_GEOM_TRIANGLES);
    method(g, NV3_PM_DRAW_ARRAYS, 1u << NV3_PM_DRAW_COUNT_SHIFT);
    while (nv3_run(g->s, 1)) {
        continue;
    }
    map_large(g, COLOR_LARGE, VRAM_OTHER, 64 * 64 * 4);
    host_wr32(g->host, NV3_PVIRT_VM_INVALIDATE, 0);
    method(g, NV3_PM_DRAW_ARRAYS, 2);
    method(g, NV3_PM_BEGIN_END, 0);
    method(g, NV3_PM_WAIT_FOR_IDLE, 0);
    for (unsigned i = 0; i < 64 * 64; i++) {
        assert_int_equal(nv3_ldl(g->host->vram + VRAM_LARGE + i * 4), 0);
    }
    assert_int_equal(nv3_ldl(g->host->vram + VRAM_OTHER) >> 24, 255);
    graph_free(g);
}

/*
 * If a method waits for drawing, the chip must write the method's notification after the
 * drawing. The deferred drawing that nv3_run() executes before it returns must not
 * complete the method.
 */
static void test_notification(void **state)
{
    const uint32_t notify = HOST_MEM_BASE + 0x30000, inst = DMA_INST + 0x100;
    Graph *g = rig_new(inst);

    host_dmaobj(g->host, inst, NV3_DMAOBJ_TARGET_PCI, notify, 4096, true);
    set_target(g, 512);
    put_covering(g);
    begin_test();
    draw(g, NV3_GEOM_TRIANGLE_STRIP, 0, 16);
    rig_put_word(g, notify + 12, 0x12345678);
    method(g, NV3_MTHD_NOTIFY, 0);
    while (nv3_run(g->s, 1)) {
        check_slice();
    }
    assert_int_equal(nv3_ldl(g->host->mem + 0x3000c), 0x12345678);
    method(g, NV3_PM_NO_OPERATION, 0);
    assert_int_equal(nv3_ldl(g->host->mem + 0x3000c), 0);

    draw(g, NV3_GEOM_TRIANGLE_STRIP, 0, 16);
    rig_put_word(g, notify + 12, 0x12345678);
    method(g, NV3_MTHD_NOTIFY, 0);
    assert_true(nv3_pgraph_submit(g->s, GRAPH_CHID, SUBCH, NV3_PM_WAIT_FOR_IDLE, 0,
                                  g->ctx[SUBCH]));
    assert_false(nv3_pgraph_idle(g->s));
    assert_int_equal(nv3_ldl(g->host->mem + 0x3000c), 0x12345678);
    run_slices(g);
    assert_int_equal(nv3_ldl(g->host->mem + 0x3000c), 0);
    graph_free(g);
}

/* Draws a triangle of class 0x17. */
static void draw_class_17(Graph *g)
{
    const uint32_t state[][2] = {
        { NV3_D3D_TEX_OFFSET, 0 },
        { NV3_D3D_TEX_FORMAT, NV3_D3D_TEX_X1R5G5B5 << NV3_D3D_TEX_FORMAT_SHIFT },
        { NV3_D3D_TEX_FILTER, 0 },
        { NV3_D3D_FOG_COLOR, 0 },
        { NV3_D3D_CONFIG, NV3_D3D_CULL_NONE << NV3_D3D_CONFIG_CULL_SHIFT |
                          NV3_D3D_CMP_ALWAYS << NV3_D3D_CONFIG_Z_FUNC_SHIFT },
        { NV3_D3D_ALPHA, NV3_D3D_CMP_ALWAYS << 8 },
    };

    graph_bind(g, SUBCH + 1, (GraphObject) {
        .class = NV3_CLASS_D3D,
        .options = NV3_GROBJ_OP_SRCCOPY << NV3_GROBJ_OP_SHIFT |
                   1u << NV3_GROBJ_DST_SHIFT,
    });
    graph_formats(g, NV3_SURF_X1R5G5B5);
    for (unsigned i = 0; i < sizeof(state) / sizeof(state[0]); i++) {
        graph_mthd(g, SUBCH + 1, state[i][0], state[i][1]);
    }
    for (unsigned i = 0; i < 3; i++) {
        graph_mthd(g, SUBCH + 1, NV3_D3D_FOG_TRI(i), i == 2 ? 0x012 : i);
        for (uint32_t word = 4; word < NV3_D3D_VERTEX_STRIDE; word += 4) {
            graph_mthd(g, SUBCH + 1, NV3_D3D_FOG_TRI(i) + word, 0);
        }
    }
    assert_non_null(g->s->pgraph.d3d);
}

/*
 * Before nv3_run() returns, it executes deferred drawing of class 0x17. This drawing must
 * not affect a job that retries an interrupted method of class 0x1F.
 */
static void test_other_class(void **state)
{
    Graph *g = rig_new(0);
    unsigned repeated = 0;

    draw_class_17(g);
    set_target(g, 512);
    put_covering(g);
    begin_test();
    for (unsigned i = 0; i < 16; i++) {
        const uint32_t words[3][2] = {
            { NV3_PM_BEGIN_END, NV3_GEOM_TRIANGLE_STRIP },
            { NV3_PM_DRAW_ARRAYS, 63u << NV3_PM_DRAW_COUNT_SHIFT },
            { NV3_PM_BEGIN_END, 0 },
        };

        rig_method(g, NV3_PM_BLEND_COLOR, i);
        for (unsigned j = 0; j < 3; j++) {
            assert_true(nv3_pgraph_submit(g->s, GRAPH_CHID, SUBCH, words[j][0],
                                          words[j][1], g->ctx[SUBCH]));
            repeated += !j && !nv3_pgraph_idle(g->s);
            while (!nv3_pgraph_idle(g->s)) {
                nv3_run(g->s, 1);
            }
            assert_int_equal(host_rd32(g->host, NV3_PGRAPH_INVALID), 0);
        }
    }
    assert_in_range(repeated, 1, 16);
    graph_free(g);
}

/*
 * Tests that the core reports all pixels that it has drawn, also if the drawing ended
 * without a flush because the targets have changed, or if a reset has dropped a part.
 */
static void test_dirty(void **state)
{
    for (unsigned reset = 0; reset < 2; reset++) {
        Graph *g = rig_new(0);

        set_target(g, 512);
        put_covering(g);
        begin_test();
        host_forget(g->host);
        if (reset) {
            draw_partly(g, 2);
            host_wr32(g->host, NV3_PMC_ENABLE, ~NV3_PMC_ENABLE_PGRAPH);
        } else {
            draw(g, NV3_GEOM_TRIANGLE_STRIP, 0, 16);
            rig_method(g, NV3_PM_SURFACE_CLIP_HORIZONTAL, SIZE << 16);
            rig_method(g, NV3_PM_SURFACE_CLIP_VERTICAL, SIZE << 16);
            rig_method(g, NV3_PM_SURFACE_PITCH, SIZE * 4);
            rig_method(g, NV3_PM_SURFACE_COLOR_OFFSET, COLOR);
            draw(g, NV3_GEOM_TRIANGLE_STRIP, 0, 4);
            method(g, NV3_PM_WAIT_FOR_IDLE, 0);
        }
        assert_int_not_equal(large_pixel(g, 512, 0, 0), 0);
        assert_int_equal(g->host->dirty_start, VRAM_LARGE);
        assert_true(g->host->dirty_end >= VRAM_LARGE + 512 * 512 * 4);
        end_test(g, 2);
    }
}

/* Samples of a draw that a reset has dropped must not be counted for another context. */
static void test_dropped_samples(void **state)
{
    static NV3ProgramsContext context;
    Graph *g = rig_new(0);

    set_target(g, 512);
    put_covering(g);
    begin_test();
    draw_partly(g, 2);
    host_wr32(g->host, NV3_PMC_ENABLE, ~NV3_PMC_ENABLE_PGRAPH);
    host_wr32(g->host, NV3_PMC_ENABLE, ~0u);
    rig_set_image(g, IMAGE(1) | NV3_PVIRT_GRCTX_NO_STORE);
    assert_int_equal(nv3_programs_save(nv3_programs_engines(g->s), &context),
                     NV3_PROGRAMS_OK);
    assert_int_equal(context.samples, 0);
    end_test(g, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_large_triangles),
        cmocka_unit_test(test_long_program),
        cmocka_unit_test(test_many_vertices),
        cmocka_unit_test(test_clear),
        cmocka_unit_test(test_texture),
        cmocka_unit_test(test_translation),
        cmocka_unit_test(test_move),
        cmocka_unit_test(test_finish_limit),
        cmocka_unit_test(test_reset),
        cmocka_unit_test(test_context),
        cmocka_unit_test(test_remap),
        cmocka_unit_test(test_notification),
        cmocka_unit_test(test_other_class),
        cmocka_unit_test(test_dirty),
        cmocka_unit_test(test_dropped_samples),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
