/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests DMA objects: limits, pages, protection, targets, and each kind of fault. */
#include "graph.h"

#include "graph/dmaobj.h"

#define OBJ         0xe000u         /* RAMIN address of the object */
#define INST        (OBJ >> 4)
#define PAGE        4096u

static uint8_t buf[8 * PAGE];

static void put_object(Graph *g, uint32_t flags, uint32_t limit)
{
    host_ramin_wr32(g->host, OBJ + NV3_DMAOBJ_FLAGS, flags);
    host_ramin_wr32(g->host, OBJ + NV3_DMAOBJ_LIMIT, limit);
}

static void put_pte(Graph *g, unsigned i, uint32_t pte)
{
    host_ramin_wr32(g->host, OBJ + NV3_DMAOBJ_PTE(i), pte);
}

/* Maps pages of VRAM in descending order, so that no two pages are contiguous. */
static void paged_vram(Graph *g, unsigned pages, uint32_t adjust,
                       uint32_t limit)
{
    put_object(g, NV3_DMAOBJ_PAGED | adjust, limit);
    for (unsigned i = 0; i < pages; i++) {
        put_pte(g, i, (0x300000 - i * 2 * PAGE) | NV3_DMAOBJ_PTE_PRESENT |
                NV3_DMAOBJ_PTE_WRITE);
    }
}

static void assert_fault(bool ok, const NV3Fault *fault, uint32_t reason,
                         uint32_t offset)
{
    assert_false(ok);
    assert_int_equal(fault->reason, reason);
    assert_int_equal(fault->offset, offset);
}

static void test_paged(void **state)
{
    Graph *g = *state;
    NV3Fault fault;

    paged_vram(g, 3, 0x10, 2 * PAGE - 1);
    for (unsigned i = 0; i < 2 * PAGE; i++) {
        buf[i] = i * 7;
    }
    assert_true(nv3_dmaobj_write(g->s, INST, 0, buf, 2 * PAGE, &fault));
    assert_memory_equal(g->host->vram + 0x300010, buf, PAGE - 0x10);
    assert_memory_equal(g->host->vram + 0x2fe000, buf + PAGE - 0x10, PAGE);
    assert_memory_equal(g->host->vram + 0x2fc000, buf + 2 * PAGE - 0x10, 0x10);
    memset(buf, 0, sizeof(buf));
    assert_true(nv3_dmaobj_read(g->s, INST, PAGE - 0x20, buf, 0x20, &fault));
    assert_int_equal(buf[0], (uint8_t)((PAGE - 0x20) * 7));
    assert_int_equal(buf[0x1f], (uint8_t)((PAGE - 1) * 7));
}

static void test_linear(void **state)
{
    Graph *g = *state;
    NV3Fault fault;

    put_object(g, 0x123, 5 * PAGE - 1);
    put_pte(g, 0, 0x200000 | NV3_DMAOBJ_PTE_PRESENT | NV3_DMAOBJ_PTE_WRITE);
    put_pte(g, 1, 0);
    memset(buf, 0xa5, sizeof(buf));
    assert_true(nv3_dmaobj_write(g->s, INST, PAGE, buf, 4 * PAGE, &fault));
    assert_int_equal(g->host->vram[0x201122], 0);
    assert_int_equal(g->host->vram[0x201123], 0xa5);
    assert_int_equal(g->host->vram[0x205122], 0xa5);
    assert_int_equal(g->host->vram[0x205123], 0);
}

static void test_limit(void **state)
{
    Graph *g = *state;
    NV3Fault fault;

    paged_vram(g, 2, 0, 99);
    assert_true(nv3_dmaobj_read(g->s, INST, 0, buf, 100, &fault));
    assert_true(nv3_dmaobj_read(g->s, INST, 99, buf, 1, &fault));
    assert_fault(nv3_dmaobj_read(g->s, INST, 0, buf, 101, &fault), &fault,
                 NV3_PDMA_INTR_LIMIT, 100);
    assert_fault(nv3_dmaobj_read(g->s, INST, 100, buf, 1, &fault), &fault,
                 NV3_PDMA_INTR_LIMIT, 100);
    assert_fault(nv3_dmaobj_read(g->s, INST, 0xffffffff, buf, 2, &fault),
                 &fault, NV3_PDMA_INTR_LIMIT, 0xffffffff);
    assert_fault(nv3_dmaobj_check(g->s, INST, 1, 0xffffffff, true, &fault),
                 &fault, NV3_PDMA_INTR_LIMIT, 100);
    /* If an object's limit is 0xffffffff, its size must not wrap to 0. */
    put_object(g, 0, 0xffffffff);
    put_pte(g, 0, NV3_DMAOBJ_PTE_PRESENT);
    assert_false(nv3_dmaobj_check(g->s, INST, 0xfffffff0, 0x10, false, &fault));
    assert_int_equal(fault.reason, NV3_PDMA_INTR_PROTECTION);
}

static void test_pages(void **state)
{
    Graph *g = *state;
    NV3Fault fault;

    paged_vram(g, 3, 0, 3 * PAGE - 1);
    put_pte(g, 1, 0x200000 | NV3_DMAOBJ_PTE_PRESENT);
    put_pte(g, 2, 0x201000 | NV3_DMAOBJ_PTE_WRITE);
    memset(buf, 0x11, sizeof(buf));
    /*
     * If one of the pages is missing or read-only, the access must not transfer any byte.
     */
    assert_fault(nv3_dmaobj_write(g->s, INST, 0, buf, 2 * PAGE, &fault), &fault,
                 NV3_PDMA_INTR_PROTECTION, PAGE);
    assert_int_equal(g->host->vram[0x300000], 0);
    assert_true(nv3_dmaobj_read(g->s, INST, 0, buf, 2 * PAGE, &fault));
    memset(buf, 0x11, sizeof(buf));
    assert_fault(nv3_dmaobj_read(g->s, INST, PAGE, buf, 2 * PAGE, &fault),
                 &fault, NV3_PDMA_INTR_PRESENT, 2 * PAGE);
    assert_int_equal(buf[0], 0x11);
    assert_int_equal(fault.inst, INST);
}

/*
 * The object's first page contains the object's page table, so a write to the first page
 * unmaps the second page.
 */
static void test_overwrites_table(void **state)
{
    Graph *g = *state;
    uint32_t table = NV3_RAMIN_TO_VRAM(OBJ, g->host->config.vram_size);
    NV3Fault fault;

    paged_vram(g, 2, 0, 2 * PAGE - 1);
    put_pte(g, 0, (table & ~(PAGE - 1)) | NV3_DMAOBJ_PTE_PRESENT |
            NV3_DMAOBJ_PTE_WRITE);
    memset(buf, 0, sizeof(buf));
    memset(buf + PAGE, 0x11, 0x10);
    assert_fault(nv3_dmaobj_write(g->s, INST, 0, buf, PAGE + 0x10, &fault),
                 &fault, NV3_PDMA_INTR_PRESENT, PAGE);
    assert_int_equal(fault.inst, INST);
    assert_int_equal(host_ramin_rd32(g->host, OBJ + NV3_DMAOBJ_PTE(1)), 0);
    assert_int_equal(g->host->vram[0x2fe000], 0);
}

static void test_null(void **state)
{
    Graph *g = *state;
    NV3Fault fault;

    assert_fault(nv3_dmaobj_read(g->s, 0, 0, buf, 1, &fault), &fault,
                 NV3_PDMA_INTR_INST_NULL, 0);
}

static void test_vram_end(void **state)
{
    Graph *g = *state;
    uint32_t size = g->host->config.vram_size;
    NV3Fault fault;

    put_object(g, 0, 0xffffff);
    put_pte(g, 0, (size - PAGE) | NV3_DMAOBJ_PTE_PRESENT | NV3_DMAOBJ_PTE_WRITE);
    assert_true(nv3_dmaobj_check(g->s, INST, 0, PAGE, true, &fault));
    assert_fault(nv3_dmaobj_check(g->s, INST, 0, PAGE + 1, true, &fault),
                 &fault, NV3_PDMA_INTR_PROTECTION, 0);
    put_object(g, NV3_DMAOBJ_PAGED, 0xffffff);
    put_pte(g, 0, size | NV3_DMAOBJ_PTE_PRESENT);
    assert_fault(nv3_dmaobj_check(g->s, INST, 0, 1, false, &fault), &fault,
                 NV3_PDMA_INTR_PROTECTION, 0);
    put_pte(g, 0, 0xfffff000 | NV3_DMAOBJ_PTE_PRESENT);
    assert_false(nv3_dmaobj_check(g->s, INST, 0, 1, false, &fault));
}

/* Page table entries beyond the end of RAMIN must be treated as not present. */
static void test_ramin_end(void **state)
{
    Graph *g = *state;
    const uint32_t last = NV3_RAMIN_SIZE - 16;
    NV3Fault fault;

    host_ramin_wr32(g->host, last, NV3_DMAOBJ_PAGED);
    host_ramin_wr32(g->host, last + 4, 0xffffffff);
    host_ramin_wr32(g->host, last + 8, 0x1000 | NV3_DMAOBJ_PTE_PRESENT);
    host_ramin_wr32(g->host, last + 12, 0x2000 | NV3_DMAOBJ_PTE_PRESENT);
    host_ramin_wr32(g->host, 0, 0x3000 | NV3_DMAOBJ_PTE_PRESENT);
    assert_true(nv3_dmaobj_check(g->s, last >> 4, 0, 2 * PAGE, false, &fault));
    assert_fault(nv3_dmaobj_check(g->s, last >> 4, 2 * PAGE, 1, false, &fault),
                 &fault, NV3_PDMA_INTR_PRESENT, 2 * PAGE);
    assert_false(nv3_dmaobj_check(g->s, last >> 4, 0xfffffff0, 16, false,
                                  &fault));
}

static void test_targets(void **state)
{
    Graph *g = *state;
    NV3Fault fault;

    for (unsigned target = 0; target < 4; target++) {
        bool system = target == NV3_DMAOBJ_TARGET_PCI ||
                      target == NV3_DMAOBJ_TARGET_AGP;

        put_object(g, NV3_DMAOBJ_PAGED | target << NV3_DMAOBJ_TARGET_SHIFT,
                   PAGE - 1);
        put_pte(g, 0, HOST_MEM_BASE | NV3_DMAOBJ_PTE_PRESENT |
                NV3_DMAOBJ_PTE_WRITE);
        memset(buf, 0x40 + target, PAGE);
        assert_int_equal(nv3_dmaobj_write(g->s, INST, 0, buf, PAGE, &fault),
                         system);
        if (system) {
            assert_int_equal(host_mem_rd32(g->host, HOST_MEM_BASE),
                             0x01010101u * (0x40 + target));
        } else {
            assert_int_equal(fault.reason, NV3_PDMA_INTR_PROTECTION);
        }
    }
}

/* A single bus access transfers all pages that are contiguous on the bus. */
static void test_coalesced(void **state)
{
    Graph *g = *state;
    NV3Fault fault;

    host_dmaobj(g->host, OBJ, NV3_DMAOBJ_TARGET_PCI, HOST_MEM_BASE, 8 * PAGE,
                true);
    host_forget(g->host);
    memset(buf, 0x77, sizeof(buf));
    assert_true(nv3_dmaobj_write(g->s, INST, 0x800, buf, 6 * PAGE, &fault));
    assert_int_equal(g->host->dma_writes, 1);
    assert_int_equal(g->host->dma_bytes, 6 * PAGE);
    assert_int_equal(host_mem_rd32(g->host, HOST_MEM_BASE + 0x7fc), 0);
    assert_int_equal(host_mem_rd32(g->host, HOST_MEM_BASE + 0x800), 0x77777777);
    assert_int_equal(g->s->counters[NV3_PVIRT_COUNTER_DMA_BYTES], 6 * PAGE);
}

static void test_bus_error(void **state)
{
    Graph *g = *state;
    NV3Fault fault;

    host_dmaobj(g->host, OBJ, NV3_DMAOBJ_TARGET_PCI, 0xf0000000, PAGE, true);
    assert_fault(nv3_dmaobj_read(g->s, INST, 8, buf, 4, &fault), &fault,
                 NV3_PDMA_INTR_PRESENT, 8);
    assert_false(nv3_dmaobj_write(g->s, INST, 8, buf, 4, &fault));
    /* An access may end at the last address of the bus. */
    host_dmaobj(g->host, OBJ, NV3_DMAOBJ_TARGET_PCI, 0xfffff000, 2 * PAGE, true);
    assert_true(nv3_dmaobj_check(g->s, INST, PAGE - 1, 1, true, &fault));
    put_object(g, NV3_DMAOBJ_TARGET_PCI << NV3_DMAOBJ_TARGET_SHIFT, 2 * PAGE);
    assert_false(nv3_dmaobj_check(g->s, INST, PAGE - 1, 2, true, &fault));
    /* An access must not wrap from the last page of the bus to page 0. */
    put_object(g, NV3_DMAOBJ_PAGED |
               NV3_DMAOBJ_TARGET_PCI << NV3_DMAOBJ_TARGET_SHIFT, 2 * PAGE - 1);
    put_pte(g, 1, NV3_DMAOBJ_PTE_PRESENT | NV3_DMAOBJ_PTE_WRITE);
    g->s->counters[NV3_PVIRT_COUNTER_DMA_BYTES] = 0;
    assert_false(nv3_dmaobj_write(g->s, INST, 0, buf, 2 * PAGE, &fault));
    assert_int_equal(g->s->counters[NV3_PVIRT_COUNTER_DMA_BYTES], PAGE);
}

static void test_map(void **state)
{
    Graph *g = *state;

    host_dmaobj(g->host, OBJ, NV3_DMAOBJ_TARGET_VRAM, 0x200000, 4 * PAGE, true);
    assert_ptr_equal(nv3_dmaobj_map(g->s, INST, 0x10, 4 * PAGE - 0x10, true),
                     g->host->vram + 0x200010);
    assert_null(nv3_dmaobj_map(g->s, INST, 0x10, 4 * PAGE, false));
    assert_null(nv3_dmaobj_map(g->s, INST, 0, 0, false));
    assert_null(nv3_dmaobj_map(g->s, 0, 0, 1, false));
    /*
     * The object's pages are not contiguous, so nv3_dmaobj_map() can map only single
     * pages.
     */
    put_pte(g, 2, 0x300000 | NV3_DMAOBJ_PTE_PRESENT);
    assert_null(nv3_dmaobj_map(g->s, INST, 0, 3 * PAGE, false));
    assert_ptr_equal(nv3_dmaobj_map(g->s, INST, 2 * PAGE, PAGE, false),
                     g->host->vram + 0x300000);
    assert_null(nv3_dmaobj_map(g->s, INST, 2 * PAGE, PAGE, true));
    host_dmaobj(g->host, OBJ, NV3_DMAOBJ_TARGET_PCI, HOST_MEM_BASE, PAGE, true);
    assert_null(nv3_dmaobj_map(g->s, INST, 0, PAGE, false));
}

static void test_dirty(void **state)
{
    Graph *g = *state;
    NV3Fault fault;

    host_dmaobj(g->host, OBJ, NV3_DMAOBJ_TARGET_VRAM, 0x200000, PAGE, true);
    host_forget(g->host);
    assert_true(nv3_dmaobj_write(g->s, INST, 0x20, buf, 0x30, &fault));
    assert_int_equal(g->host->dirty_start, 0x200020);
    assert_int_equal(g->host->dirty_end, 0x200050);
    host_forget(g->host);
    assert_true(nv3_dmaobj_read(g->s, INST, 0x20, buf, 0x30, &fault));
    assert_int_equal(g->host->dirty_calls, 0);
}

static void test_fault_registers(void **state)
{
    Graph *g = *state;
    const NV3Fault fault = {
        .reason = NV3_PDMA_INTR_LIMIT, .inst = 0x1234, .offset = 0x5678,
    };

    nv3_pdma_fault(g->s, &fault, true);
    assert_int_equal(host_rd32(g->host, NV3_PDMA_INTR),
                     NV3_PDMA_INTR_LIMIT | NV3_PDMA_INTR_NOTIFY);
    assert_int_equal(host_rd32(g->host, NV3_PDMA_INST), 0x1234);
    assert_int_equal(host_rd32(g->host, NV3_PDMA_ADDR), 0x5678);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_FIFO_ENABLE), 0);
    host_wr32(g->host, NV3_PMC_INTR_EN, NV3_PMC_INTR_EN_HARDWARE);
    assert_int_equal(host_rd32(g->host, NV3_PMC_INTR), NV3_PMC_INTR_PDMA);
    assert_true(g->host->irq);
    host_wr32(g->host, NV3_PDMA_INTR, 0xffffffff);
    assert_false(g->host->irq);
}

/* For any contents of RAMIN, an access must complete, and must not write outside VRAM. */
static void test_random(void **state)
{
    Graph *g = *state;
    uint32_t seed = 1;
    NV3Fault fault;

    for (unsigned i = 0; i < 20000; i++) {
        uint32_t inst = graph_rand(&seed) & 0xffff;
        uint32_t len = graph_rand(&seed) % sizeof(buf);
        uint32_t offset = graph_rand(&seed) >> (graph_rand(&seed) & 31);

        for (unsigned j = 0; j < 6; j++) {
            uint32_t word = graph_rand(&seed) >> (graph_rand(&seed) & 31);

            host_ramin_wr32(g->host, (inst * 16 + j * 4) % NV3_RAMIN_SIZE,
                            word | (graph_rand(&seed) & 0x10003));
        }
        nv3_dmaobj_read(g->s, inst, offset, buf, len, &fault);
        nv3_dmaobj_write(g->s, inst, offset, buf, len, &fault);
        nv3_dmaobj_map(g->s, inst, offset, len, i & 1);
    }
}

#define T(name) \
    cmocka_unit_test_setup_teardown(name, graph_setup, graph_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        T(test_paged),
        T(test_linear),
        T(test_limit),
        T(test_pages),
        T(test_overwrites_table),
        T(test_null),
        T(test_vram_end),
        T(test_ramin_end),
        T(test_targets),
        T(test_coalesced),
        T(test_bus_error),
        T(test_map),
        T(test_dirty),
        T(test_fault_registers),
        T(test_random),
    };

    return cmocka_run_group_tests_name("dmaobj", tests, NULL, NULL);
}
