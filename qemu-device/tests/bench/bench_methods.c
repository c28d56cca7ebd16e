/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * core.methods: the rate at which methods of a pushbuffer in system memory pass through
 * the DMA pusher, CACHE1, the puller and PGRAPH's dispatch. The methods are of class
 * PATTERN, in runs of four, and only set registers. The benchmark therefore measures the
 * cost of a method without drawing. The reference is the rate of a memcpy of the same
 * pushbuffer, also in methods per second.
 *
 * core.methods_traced: the rate of core.methods while the core reports the events that
 * "make trace" records, compared with the rate without events. The suite
 * vm/checks/suites/trace-cost.sh also runs core.methods with a core that is compiled with
 * NV3_NO_EVENTS, which cannot report events, and compares the rates.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "api/nv3.h"
#include "nv3_class.h"
#include "nv3_regs.h"

#define VRAM_SIZE       (8 << 20)
#define PUSH_BASE       0x10000000u
#define PUSH_WORDS      (256 * 1024)
#define RUN_METHODS     4
#define RUN_WORDS       (RUN_METHODS + 1)
#define RUNS            (PUSH_WORDS / RUN_WORDS)
#define NAME            0x1001
#define RAMRO           0x8000
#define RAMFC           0xa000
#define OBJECT          0xb000
#define PAGE_TABLE      0x10000
#define SECONDS         1.0
#define TRACED          (1u << NV3_EVENT_OBJECT | 1u << NV3_EVENT_BATCH | \
                         1u << NV3_EVENT_BATCH_END | 1u << NV3_EVENT_NOTIFY | \
                         1u << NV3_EVENT_STOP | 1u << NV3_EVENT_CHANNEL | \
                         1u << NV3_EVENT_CONTEXT | 1u << NV3_EVENT_INTERRUPT)

static uint32_t push[PUSH_WORDS];
static uint32_t copy[PUSH_WORDS];

static bool bus_read(void *opaque, uint32_t addr, void *buf, size_t len)
{
    uint64_t offset = (uint64_t)addr - PUSH_BASE;

    if (addr < PUSH_BASE || offset + len > sizeof(push)) {
        return false;
    }
    memcpy(buf, (uint8_t *)push + offset, len);
    return true;
}

static unsigned reported;

static void count_event(void *opaque, const NV3Event *event)
{
    reported++;
}

static void wr32(NV3State *s, uint32_t addr, uint32_t val)
{
    nv3_mmio_write(s, addr, val, 4);
}

static void check(bool ok, const char *what)
{
    if (!ok) {
        fprintf(stderr, "bench_methods: %s\n", what);
        exit(1);
    }
}

static void set_up(NV3State *s)
{
    uint32_t entry = NV3_RAMHT_HASH(NAME, 0) * 16 * NV3_RAMHT_ENTRY_SIZE;

    wr32(s, NV3_PMC_ENABLE, 0xffffffff);
    wr32(s, NV3_PFIFO_RAMHT, 3 << NV3_PFIFO_RAMHT_SIZE_SHIFT);
    wr32(s, NV3_PFIFO_RAMRO, RAMRO | NV3_PFIFO_RAMRO_SIZE_8K);
    wr32(s, NV3_PFIFO_RAMFC, RAMFC);
    wr32(s, NV3_PFIFO_CACHE1_PUSH_CHID, NV3_PFIFO_CACHE1_CHID_DMA);
    wr32(s, NV3_PFIFO_CACHE1_PUSH_ACCESS, 1);
    wr32(s, NV3_PFIFO_CACHE1_PULL_CTRL, 1);
    wr32(s, NV3_PFIFO_CACHE1_DMA_TARGET, NV3_PFIFO_DMA_TARGET_PCI);
    wr32(s, NV3_PFIFO_CACHE1_DMA_PT_INST, PAGE_TABLE);
    wr32(s, NV3_PGRAPH_DEBUG_1, NV3_PGRAPH_DEBUG_1_CTX_SWITCH);
    wr32(s, NV3_PGRAPH_CTX_CONTROL, NV3_PGRAPH_CTX_CONTROL_CHID_VALID);
    wr32(s, NV3_PGRAPH_FIFO_ENABLE, 1);
    nv3_ramin_write(s, entry, NAME, 4);
    nv3_ramin_write(s, entry + 4, NV3_CTX_VALID | NV3_CTX_HARDWARE |
                    NV3_CTX_CLASS_GRAPH |
                    NV3_CLASS_PATTERN << NV3_CTX_CLASS_SHIFT | OBJECT >> 4, 4);
    for (uint32_t page = 0; page < sizeof(push) / 4096; page++) {
        nv3_ramin_write(s, PAGE_TABLE + page * 4,
                        (PUSH_BASE + page * 4096) | NV3_DMAOBJ_PTE_PRESENT, 4);
    }
}

static void run_batch(NV3State *s, uint32_t words)
{
    bool more;

    wr32(s, NV3_PFIFO_CACHE1_DMA_STATE, 0);
    wr32(s, NV3_PFIFO_CACHE1_DMA_GET, 0);
    wr32(s, NV3_PFIFO_CACHE1_DMA_COUNT, words * 4);
    wr32(s, NV3_PFIFO_CACHE1_DMA_CTRL, NV3_PFIFO_DMA_CTRL_ACCESS);
    do {
        more = nv3_run(s, 4096);
    } while (more);
    check(nv3_mmio_read(s, NV3_PFIFO_CACHE1_DMA_CTRL, 4) == 0 &&
          nv3_mmio_read(s, NV3_PFIFO_CACHE1_STATUS, 4) == NV3_PFIFO_CACHE_EMPTY,
          "the batch did not run to its end");
}

static void bind_object(NV3State *s)
{
    push[0] = NV3_PUSH_HDR(0, NV3_MTHD_OBJECT, 1);
    push[1] = NAME;
    run_batch(s, 2);
}

static void fill_pushbuffer(void)
{
    for (uint32_t i = 0; i < RUNS; i++) {
        uint32_t *run = &push[i * RUN_WORDS];

        run[0] = NV3_PUSH_HDR(0, NV3_PATTERN_COLOR(0), RUN_METHODS);
        for (uint32_t j = 1; j < RUN_WORDS; j++) {
            run[j] = i * j;
        }
    }
}

/*
 * Executes the batch repeatedly for SECONDS seconds. Returns the rate of the fastest
 * execution, in thousands of methods per second.
 */
static double measure_core(NV3State *s)
{
    double end = bench_now() + SECONDS, best = 0;

    do {
        double start = bench_now(), rate;

        run_batch(s, RUNS * RUN_WORDS);
        rate = RUNS * RUN_METHODS / (bench_now() - start) / 1e3;
        best = rate > best ? rate : best;
    } while (bench_now() < end);
    return best;
}

static double measure_memcpy(void)
{
    double end = bench_now() + SECONDS / 4, best = 0;

    do {
        double start = bench_now(), rate;

        memcpy(copy, push, RUNS * RUN_WORDS * 4);
        __asm__ volatile("" : : "r"(copy) : "memory");
        rate = RUNS * RUN_METHODS / (bench_now() - start) / 1e3;
        best = rate > best ? rate : best;
    } while (bench_now() < end);
    return best;
}

int main(void)
{
    const NV3Config config = { .revision = NV3_REVISION_C,
                               .vram_size = VRAM_SIZE, .virt = true };
    const NV3Ops ops = { .dma_read = bus_read, .event = count_event };
    uint8_t *vram = calloc(1, VRAM_SIZE);
    NV3State *s;
    double core;

    check(vram, "out of memory");
    s = nv3_new(&config, &ops, NULL, vram, NULL);
    check(s, "no chip");
    set_up(s);
    bind_object(s);
    fill_pushbuffer();
    core = measure_core(s);
    /* Check that PGRAPH has executed the last method of the batch. */
    check(nv3_mmio_read(s, NV3_PGRAPH_PATTERN_MONO(1), 4) ==
          push[RUNS * RUN_WORDS - 1], "PGRAPH did not see the methods");
    bench_print("core.methods", core, "kmethods/s", "memcpy of the same words",
                measure_memcpy());
#ifndef NV3_NO_EVENTS
    nv3_set_events(s, TRACED);
    bench_print("core.methods_traced", measure_core(s), "kmethods/s", "core.methods",
                core);
    check(reported, "no events");
#endif
    nv3_free(s);
    free(vram);
    return 0;
}
