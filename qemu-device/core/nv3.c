/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Creates and resets a chip, passes BAR0 accesses to the blocks, and runs the engine. */
#include <stdlib.h>

#include "blocks.h"
#include "bus/bus.h"
#include "chip/cost.h"
#include "chip/state_table.h"
#include "display/display.h"
#include "display/pvideo.h"
#include "fifo/pfifo.h"
#include "graph/pgraph.h"
#include "raster/threads.h"

/*
 * A block's range of BAR0. A block with 32-bit registers has @read and @write. A block
 * with 8-bit registers has @read8 and @write8. An unused range has no functions.
 */
typedef struct NV3Range {
    uint32_t start;
    uint32_t end;
    const char *name;
    uint32_t enable;        /* bit of PMC_ENABLE that must be set for accesses, or 0 */
    uint32_t (*read)(NV3State *s, uint32_t addr);
    void (*write)(NV3State *s, uint32_t addr, uint32_t val);
    uint8_t (*read8)(NV3State *s, uint32_t addr);
    void (*write8)(NV3State *s, uint32_t addr, uint8_t val);
} NV3Range;

/*
 * While the ROM's shadow copy is enabled, the ROM itself is disabled (envytools,
 * hw/bus/bars).
 */
static uint8_t nv3_prom_read(NV3State *s, uint32_t addr)
{
    return s->ops.rom_read && !nv3_rom_shadowed(s) ?
           s->ops.rom_read(s->opaque, addr - NV3_PROM) : 0xff;
}

static void nv3_prom_write(NV3State *s, uint32_t addr, uint8_t val)
{
    nv3_log(s, GUEST_ERROR, "PROM is read only: 0x%06x <- 0x%02x", addr, val);
}

/*
 * PALT accesses external memory. No known board has external memory, so reads return all
 * ones.
 */
static uint8_t nv3_palt_read(NV3State *s, uint32_t addr)
{
    return 0xff;
}

static void nv3_palt_write(NV3State *s, uint32_t addr, uint8_t val)
{
}

#define NV3_WORDS(first, size, label, block, pmc_enable) \
    { .start = (first), .end = (first) + (size), .name = (label), \
      .enable = (pmc_enable), \
      .read = nv3_##block##_read, .write = nv3_##block##_write }
#define NV3_BYTES(first, size, label, block) \
    { .start = (first), .end = (first) + (size), .name = (label), \
      .read8 = nv3_##block##_read, .write8 = nv3_##block##_write }

/* Sorted by address. The sizes of PRMFB, PROM and PALT are from envytools. */
static const NV3Range nv3_ranges[] = {
    NV3_WORDS(0x000000, 0x1000, "PMC", pmc, 0),
    NV3_WORDS(0x001000, 0x1000, "PBUS", pbus, 0),
    NV3_WORDS(0x002000, 0x2000, "PFIFO", pfifo, 0),
    NV3_WORDS(NV3_PRM, 0x1000, "PRM", prm, 0),
    NV3_WORDS(NV3_PRAM, 0x1000, "PRAM", pram, 0),
    NV3_WORDS(NV3_PRMA, 0x1000, "PRMA", prma, 0),
    NV3_WORDS(0x009000, 0x1000, "PTIMER", ptimer, NV3_PMC_ENABLE_PTIMER),
    NV3_WORDS(NV3_PVIRT, 0x1000, "PVIRT", pvirt, 0),
    NV3_BYTES(NV3_PRMFB, NV3_PRMFB_SIZE, "PRMFB", prmfb),
    NV3_BYTES(NV3_PRMVIO, 0x10000, "PRMVIO", prmvio),
    NV3_WORDS(0x100000, 0x1000, "PFB", pfb, 0),
    NV3_WORDS(0x101000, 0x1000, "PEXTDEV", pextdev, 0),
    NV3_BYTES(NV3_PROM, 0x10000, "PROM", prom),
    NV3_BYTES(NV3_PALT, 0x10000, "PALT", palt),
    NV3_WORDS(NV3_PME, 0x1000, "PME", pme, NV3_PMC_ENABLE_PMEDIA),
    NV3_WORDS(0x400000, 0x2000, "PGRAPH", pgraph, NV3_PMC_ENABLE_PGRAPH),
    NV3_BYTES(NV3_PRMCIO, NV3_PRMCIO_SIZE, "PRMCIO", prmcio),
    NV3_WORDS(NV3_PVIDEO, 0x300, "PVIDEO", pvideo, NV3_PMC_ENABLE_PVIDEO),
    NV3_WORDS(0x680300, 0xd00, "PRAMDAC", pramdac, 0),
    NV3_BYTES(NV3_USER_DAC, 0xe00, "USER_DAC", user_dac),
};

/* The engines' bits in PMC_INTR and PMC_ENABLE, and the engines' functions. */
static const NV3Engine nv3_engines[] = {
    {
        .intr = NV3_PMC_INTR_PFIFO, .pending = nv3_pfifo_irq,
        .enable = NV3_PMC_ENABLE_PFIFO, .disabled = nv3_pfifo_disable,
    }, {
        .intr = NV3_PMC_INTR_PGRAPH, .pending = nv3_pgraph_irq,
        .enable = NV3_PMC_ENABLE_PGRAPH, .disabled = nv3_pgraph_reset,
    }, {
        .intr = NV3_PMC_INTR_PFB, .pending = nv3_vblank_irq,
    }, {
        .intr = NV3_PMC_INTR_PDMA, .pending = nv3_pdma_irq,
    }, {
        .intr = NV3_PMC_INTR_PVIDEO, .pending = nv3_pvideo_irq,
        .enable = NV3_PMC_ENABLE_PVIDEO, .disabled = nv3_pvideo_reset,
    }, {
        .intr = NV3_PMC_INTR_PTIMER, .pending = nv3_ptimer_irq,
        .enable = NV3_PMC_ENABLE_PTIMER, .disabled = nv3_ptimer_reset,
    }, {
        .enable = NV3_PMC_ENABLE_PMEDIA, .disabled = nv3_pme_reset,
    }, {
        .intr = NV3_PMC_INTR_PBUS, .pending = nv3_pbus_irq,
    }, {
        .intr = NV3_PMC_INTR_PVIRT, .pending = nv3_pvirt_irq,
    },
};

static const NV3Range nv3_nowhere = { .name = "unmapped" };

static const NV3Range *nv3_find_range(uint32_t addr)
{
    unsigned low = 0, high = sizeof(nv3_ranges) / sizeof(nv3_ranges[0]);

    while (low < high) {
        unsigned mid = (low + high) / 2;

        if (addr < nv3_ranges[mid].start) {
            high = mid;
        } else if (addr >= nv3_ranges[mid].end) {
            low = mid + 1;
        } else {
            return &nv3_ranges[mid];
        }
    }
    return &nv3_nowhere;
}

/*
 * Returns true if the block at @range is inaccessible because its engine is disabled in
 * PMC_ENABLE (envytools, bus/pmc). When software disables an engine, pmc.c resets it.
 */
static bool nv3_range_hidden(NV3State *s, const NV3Range *range)
{
    return range->enable && !nv3_engine_enabled(s, range->enable);
}

static uint32_t nv3_range_read(NV3State *s, const NV3Range *range,
                               uint32_t addr)
{
    if (nv3_range_hidden(s, range)) {
        nv3_log(s, GUEST_ERROR, "%s is disabled: read of 0x%06x", range->name,
                addr);
        return 0;
    }
    if (!range->read) {
        return nv3_unimp_read(s, range->name, addr);
    }
    return range->read(s, addr);
}

static void nv3_range_write(NV3State *s, const NV3Range *range, uint32_t addr,
                            uint32_t val)
{
    if (nv3_range_hidden(s, range)) {
        nv3_log(s, GUEST_ERROR, "%s is disabled: 0x%06x <- 0x%08x",
                range->name, addr, val);
    } else if (!range->write) {
        nv3_unimp_write(s, range->name, addr, val);
    } else {
        range->write(s, addr, val);
    }
}

/*
 * Returns true if a partial write must write 0 to the other bytes of the register. This
 * is the case if writing ones clears bits, or if reading the register has a side effect.
 */
static bool nv3_other_bytes_are_zero(uint32_t addr)
{
    switch (addr) {
    case NV3_PBUS_INTR:
    case NV3_PFIFO_INTR:
    case NV3_PRM_INTR:
    case NV3_PRMA_PARTIAL:
    case NV3_PRMA_PARTIAL_NEXT:
    case NV3_PTIMER_INTR:
    case NV3_PVIRT_INTR:
    case NV3_PME_INTR:
    case NV3_PGRAPH_INTR:
    case NV3_PGRAPH_INVALID:
    case NV3_PDMA_INTR:
    case NV3_PVIDEO_INTR:
        return true;
    default:
        return false;
    }
}

/*
 * Writes one or two bytes of a 32-bit register. Silicon uses the byte enables of the bus.
 * The model reads the register, replaces the bytes and writes the result. If
 * nv3_other_bytes_are_zero() returns true, the model instead writes 0 to the other bytes.
 */
static void nv3_range_write_part(NV3State *s, const NV3Range *range,
                                 uint32_t addr, uint32_t val, unsigned size)
{
    uint32_t word = addr & ~3u;
    unsigned shift = (addr & 3) * 8;
    uint32_t mask = (size == 1 ? 0xffu : 0xffffu) << shift;
    uint32_t rest = 0;

    if (!nv3_other_bytes_are_zero(word)) {
        rest = nv3_range_read(s, range, word) & ~mask;
    }
    nv3_range_write(s, range, word, rest | (val << shift & mask));
}

static uint32_t nv3_size_mask(unsigned size)
{
    return size == 4 ? UINT32_MAX : (1u << size * 8) - 1;
}

uint32_t nv3_mmio_read(NV3State *s, uint32_t addr, unsigned size)
{
    const NV3Range *range;
    uint32_t val = 0;

    addr &= (NV3_BAR0_SIZE - 1) & ~(size - 1);
    if (addr >= NV3_USER) {
        return nv3_user_read(s, addr, size);
    }
    range = nv3_find_range(addr);
    if (range->read8) {
        for (unsigned i = 0; i < size; i++) {
            val |= (uint32_t)range->read8(s, addr + i) << i * 8;
        }
        return val;
    }
    val = nv3_range_read(s, range, addr & ~3u);
    return val >> (addr & 3) * 8 & nv3_size_mask(size);
}

NV3ReadKind nv3_mmio_read_kind(uint32_t addr)
{
    switch (addr & (NV3_BAR0_SIZE - 1) & ~3u) {
    case NV3_PGRAPH_STATUS:
    case NV3_PFIFO_CACHE0_STATUS:
    case NV3_PFIFO_CACHE0_GET:
    case NV3_PFIFO_CACHE1_STATUS:
    case NV3_PFIFO_CACHE1_GET:
    case NV3_PFIFO_CACHE1_DMA_CTRL:
    case NV3_PFIFO_CACHE1_DMA_COUNT:
        return NV3_READ_SYNCHRONOUS;
    case NV3_PMC_BOOT_0:
    case NV3_PTIMER_TIME_0:
    case NV3_PTIMER_TIME_1:
    case NV3_PFB_BOOT_0:
    case NV3_PFB_CONFIG_0:
    case NV3_PEXTDEV_BOOT_0:
    case NV3_PRAMDAC_CURSOR_POS:
    case NV3_PRAMDAC_MPLL:
    case NV3_PRAMDAC_VPLL:
    case NV3_PRAMDAC_PLL_CONTROL:
    case NV3_PRAMDAC_GENERAL:
    case NV3_PRMCIO + 0x3d4:        /* the CRTC's index and data */
        return NV3_READ_LOCKLESS;
    default:
        return NV3_READ_PLAIN;
    }
}

void nv3_mmio_write(NV3State *s, uint32_t addr, uint32_t val, unsigned size)
{
    const NV3Range *range;

    addr &= (NV3_BAR0_SIZE - 1) & ~(size - 1);
    if (addr >= NV3_USER) {
        nv3_user_write(s, addr, val, size);
        return;
    }
    range = nv3_find_range(addr);
    if (range->write8) {
        for (unsigned i = 0; i < size; i++) {
            range->write8(s, addr + i, val >> i * 8);
        }
    } else if (size == 4) {
        nv3_range_write(s, range, addr, val);
    } else {
        nv3_range_write_part(s, range, addr, val, size);
    }
}

void nv3_timer_expired(NV3State *s, NV3Timer timer)
{
    switch (timer) {
    case NV3_TIMER_ALARM:
        nv3_ptimer_expired(s);
        break;
    case NV3_TIMER_VBLANK:
        nv3_display_expired(s);
        break;
    case NV3_TIMER_COUNT:
        break;
    }
}

static bool nv3_work(NV3State *s, unsigned budget)
{
    bool more;

    s->cost = 0;
    /*
     * Complete the CRC of the last frame before drawing, because drawing may change the
     * pixels that the CRC covers.
     */
    if (nv3_display_crc_run(s)) {
        s->work = NV3_WORK_NONE;
        return true;
    }
    more = nv3_pgraph_step(s) || nv3_pfifo_run(s, budget);
    if (!more && !nv3_pgraph_idle(s)) {
        more = nv3_slice_over(s) || nv3_pgraph_step(s);
    }
    nv3_pgraph_end_run(s, more);
    more = more || !nv3_pgraph_idle(s);
    if (s->work == NV3_WORK_TIMED) {
        s->counters[NV3_PVIRT_COUNTER_BUSY_NS] +=
            nv3_work_clock(s) - s->work_start;
    }
    s->work = NV3_WORK_NONE;
    return more;
}

bool nv3_run(NV3State *s, unsigned budget)
{
    s->work = NV3_WORK_UNTIMED;
    nv3_work_begin(s);
    return nv3_work(s, budget);
}

bool nv3_run_untimed(NV3State *s, unsigned budget)
{
    s->work = NV3_WORK_UNTIMED;
    return nv3_work(s, budget);
}

void nv3_finish_drawing(NV3State *s)
{
    nv3_pgraph_finish(s);
    /* This may raise the interrupt of the vertical blank. */
    nv3_display_crc_finish(s);
}

/*
 * More than 8 MiB of VRAM requires class 0x1F, because the surfaces of all other classes
 * must be in the first 8 MiB.
 */
static bool nv3_vram_size_valid(const NV3Config *config)
{
    switch (config->vram_size >> 20) {
    case 2:
    case 4:
    case 8:
    case 16:
    case 32:
    case 64:
        return config->vram_size % (1 << 20) == 0 &&
               (config->vram_size <= 8 << 20 || config->programs);
    default:
        return false;
    }
}

static bool nv3_config_valid(const NV3Config *config, const char **error)
{
    const char *reason = NULL;

    if (config->revision > NV3_REVISION_C) {
        reason = "there is no such revision: it is A, B or C";
    } else if (!nv3_vram_size_valid(config)) {
        reason = "the size of VRAM is 2, 4 or 8 MiB, or up to 64 MiB with the class of "
                 "programs";
    } else if (config->vram_size >= 8 << 20 &&
               config->revision != NV3_REVISION_C) {
        reason = "only revision C takes 8 MiB of VRAM or more";
    } else if (config->acpi && config->revision != NV3_REVISION_C) {
        reason = "only revision C has ACPI";
    } else if (config->programs && !config->virt) {
        reason = "the class of programs needs PVIRT";
    } else if (config->without_classes & ~nv3_classes()) {
        reason = "the chip does not have a class that without-class lists";
    }
    if (reason && error) {
        *error = reason;
    }
    return !reason;
}

void nv3_wire(NV3State *s)
{
    s->engines = nv3_engines;
    s->engine_count = sizeof(nv3_engines) / sizeof(nv3_engines[0]);
    s->classes = nv3_class_table;
    s->job_run = nv3_job_table;
    s->mmio_read = nv3_mmio_read;
    s->mmio_write = nv3_mmio_write;
}

NV3State *nv3_new(const NV3Config *config, const NV3Ops *ops, void *opaque,
                  uint8_t *vram, const char **error)
{
    NV3State *s;

    if (!nv3_config_valid(config, error)) {
        return NULL;
    }
    s = calloc(1, sizeof(*s));
    if (!s) {
        if (error) {
            *error = "out of memory";
        }
        return NULL;
    }
    nv3_wire(s);
    s->config = *config;
    s->ops = *ops;
    s->opaque = opaque;
    s->vram = vram;
    s->vram_size = config->vram_size;
    s->vram_reach = config->vram_size < NV3_BAR1_VRAM_MAX ?
                    config->vram_size : NV3_BAR1_VRAM_MAX;
    if (config->raster_threads > 1) {
        /*
         * Create the worker threads here, and not at the first draw in the engine's
         * thread, because threads inherit the CPU affinity and the priority of their
         * creator.
         */
        s->raster_pool = nv3_raster_pool_new(config->raster_threads);
    }
    nv3_reset(s);
    return s;
}

void nv3_free(NV3State *s)
{
    if (!s) {
        return;
    }
    nv3_pgraph_free(s);
    if (s->raster_pool) {
        nv3_raster_pool_free(s->raster_pool);
    }
    free(s);
}

void nv3_reset(NV3State *s)
{
    memset(s->counters, 0, sizeof(s->counters));
    nv3_pextdev_reset(s);
    nv3_pbus_reset(s);
    nv3_pfb_reset(s);
    nv3_pme_reset(s);
    nv3_prm_reset(s);
    nv3_pvirt_reset(s);
    nv3_pmc_reset(s);
    nv3_display_reset(s);
    nv3_pramdac_reset(s);
    nv3_pvideo_reset(s);
    nv3_ptimer_reset(s);
    nv3_pfifo_reset(s);
    nv3_pgraph_reset(s);
    nv3_update_irq(s);
}

/* Saves the configuration that the guest can observe. The other members are not saved. */
static const NV3StateField chip_fields[] = {
    NV3_SAVE_CONFIG(config.revision),
    NV3_SAVE_CONFIG(config.vram_size),
    NV3_SAVE_CONFIG(config.virt),
    NV3_SAVE_CONFIG(config.acpi),
    NV3_SAVE_CONFIG(config.without_classes),
    NV3_NOT_SAVED(config.save_prefetch),
    NV3_NOT_SAVED(config.raster_threads),
    NV3_NOT_SAVED(config.simd),
    NV3_NOT_SAVED(engines),
    NV3_NOT_SAVED(engine_count),
    NV3_NOT_SAVED(classes),
    NV3_NOT_SAVED(job_run),
    NV3_NOT_SAVED(mmio_read),
    NV3_NOT_SAVED(mmio_write),
    NV3_NOT_SAVED(ops),
    NV3_NOT_SAVED(opaque),
    NV3_NOT_SAVED(events),
    NV3_NOT_SAVED(event_object),
    NV3_NOT_SAVED(vram),
    NV3_NOT_SAVED(vram_size),
    NV3_NOT_SAVED(vram_reach),
    NV3_NOT_SAVED(work_start),
    NV3_NOT_SAVED(work),
    NV3_NOT_SAVED(cost),
    NV3_NOT_SAVED(raster_pool),
};

const NV3StateBlock nv3_chip_state = NV3_STATE_BLOCK("chip", chip_fields);
