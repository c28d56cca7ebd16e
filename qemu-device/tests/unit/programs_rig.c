/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "chip/le.h"
#include "fp_asm.h"
#include "programs_rig.h"
#include "saved.h"
#include "vp_asm.h"

uint32_t rig_bits(float x)
{
    uint32_t word;

    memcpy(&word, &x, sizeof(word));
    return word;
}

void rig_put_word(Graph *g, uint32_t address, uint32_t word)
{
    nv3_stl(g->host->mem + (address - HOST_MEM_BASE), word);
}

void rig_map_page(Graph *g, uint32_t address, uint32_t entry)
{
    const uint32_t table = address >> 22;

    rig_put_word(g, DIRECTORY + table * 4, TABLE(table) | NV3_DMAOBJ_DIR_PRESENT);
    rig_put_word(g, TABLE(table) + (address >> 12 & 1023) * 4, entry);
}

static void map_all(Graph *g)
{
    for (uint32_t at = 0; at < SIZE * SIZE * 4; at += 4096) {
        rig_map_page(g, COLOR + at, (VRAM_TARGET + at) | PTE_RW | NV3_DMAOBJ_PTE_VRAM);
        rig_map_page(g, READ_ONLY + at,
                 (VRAM_TARGET + at) | NV3_DMAOBJ_PTE_PRESENT | NV3_DMAOBJ_PTE_VRAM);
    }
    rig_map_page(g, PROGRAM, PAGE(0) | PTE_RW);
    /*
     * In system memory, the second page of the arrays precedes the first page, so the
     * pages are not contiguous.
     */
    rig_map_page(g, ARRAYS, PAGE(3) | PTE_RW);
    rig_map_page(g, ARRAYS + 4096, PAGE(2) | PTE_RW);
}

void rig_method(Graph *g, uint32_t mthd, uint32_t data)
{
    graph_mthd(g, SUBCH, mthd, data);
}

void rig_set_image(Graph *g, uint32_t val)
{
    nv3_mmio_write(g->s, NV3_PVIRT_GRCTX, val, 4);
}

Graph *rig_new(uint32_t notify)
{
    const NV3Config config = {
        .revision = NV3_REVISION_C, .vram_size = 64 << 20, .virt = true, .programs = true,
    };
    Graph *g = graph_new_config(&config);

    map_all(g);
    nv3_ramin_write(g->s, DMA_INST + NV3_DMAOBJ_FLAGS, NV3_DMAOBJ_DIRECTORY, 4);
    nv3_ramin_write(g->s, DMA_INST + NV3_DMAOBJ_LIMIT, UINT32_MAX, 4);
    nv3_ramin_write(g->s, DMA_INST + NV3_DMAOBJ_DIR, DIRECTORY, 4);
    rig_set_image(g, IMAGE(0));
    graph_bind(g, SUBCH, (GraphObject) {
        .class = NV3_CLASS_PROGRAMS, .dma = DMA_INST >> 4, .notify = notify >> 4,
    });
    return g;
}

Graph *rig_move(Graph *from)
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

void rig_set_state(Graph *g)
{
    VpAsm vp = { 0 };
    FpAsm fp = { 0 };

    rig_method(g, NV3_PM_SURFACE_CLIP_HORIZONTAL, SIZE << 16);
    rig_method(g, NV3_PM_SURFACE_CLIP_VERTICAL, SIZE << 16);
    rig_method(g, NV3_PM_SURFACE_FORMAT,
               8 | NV3_PM_FORMAT_TYPE_PITCH << NV3_PM_FORMAT_TYPE_SHIFT);
    rig_method(g, NV3_PM_SURFACE_PITCH, SIZE * 4);
    rig_method(g, NV3_PM_SURFACE_COLOR_OFFSET, COLOR);
    for (unsigned i = 0; i < 2; i++) {
        rig_method(g, NV3_PM_VIEWPORT_SCALE + 4 * i, rig_bits(SIZE / 2));
        rig_method(g, NV3_PM_VIEWPORT_OFFSET + 4 * i, rig_bits(SIZE / 2));
    }
    vp_copy(&vp, NV3_GEOM_O_POSITION, 0);
    vp_copy(&vp, NV3_GEOM_O_COLOR0, 3);
    vp_end(&vp);
    rig_method(g, NV3_PM_TRANSFORM_PROGRAM_LOAD, 0);
    for (unsigned i = 0; i < vp.count * 4; i++) {
        rig_method(g, NV3_PM_TRANSFORM_PROGRAM + i % 32 * 4, vp.words[i / 4][i % 4]);
    }
    rig_method(g, NV3_PM_TRANSFORM_PROGRAM_START, 0);
    fp_op1(&fp, NV3_FP_MOV, fp_d(0, "xyzw"), fp_in(NV3_FP_COLOR0, "xyzw"));
    fp_end(&fp);
    for (unsigned i = 0; i < fp.count; i++) {
        rig_put_word(g, PAGE(0) + 4 * i, fp.words[i]);
    }
    rig_method(g, NV3_PM_FP_ACTIVE_PROGRAM, PROGRAM);
    for (unsigned i = 0; i < 2; i++) {
        rig_method(g, NV3_PM_ARRAY_OFFSET + (i ? 12 : 0), ARRAYS + 16 * i);
        rig_method(g, NV3_PM_ARRAY_FORMAT + (i ? 12 : 0),
          NV3_GEOM_FLOAT | 4 << NV3_PM_ARRAY_SIZE_SHIFT |
          sizeof(Vertex) << NV3_PM_ARRAY_STRIDE_SHIFT);
    }
}
