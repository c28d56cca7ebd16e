/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fuzz_host.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "display/display.h"
#include "saved.h"

#define VRAM_MAX        (8u << 20)
#define GUARD           4096

/*
 * Maximum size of a bus access. Class 0x1F reads a whole vertex array with one access if
 * the array's pages are contiguous.
 */
#define BUS_MAX         (4u << 20)

/*
 * Number of nv3_run() calls after which the engine must be idle. No input needs that many
 * calls unless the engine hangs.
 */
#define RUN_CALLS       2000000
#define RUN_BUDGET      256

Fuzz fuzz;
static uint8_t vram_guarded[VRAM_MAX + 2 * GUARD];
static uint8_t *const vram = vram_guarded + GUARD;

void fuzz_require(bool ok, const char *what)
{
    if (!ok) {
        fprintf(stderr, "fuzz: %s\n", what);
        abort();
    }
}

/* Returns the next @bytes bytes of the input. Bytes after the end of the input are 0. */
uint32_t fuzz_take(unsigned bytes)
{
    uint32_t val = 0;

    for (unsigned i = 0; i < bytes && fuzz.left; i++, fuzz.left--) {
        val |= (uint32_t)*fuzz.in++ << i * 8;
    }
    return val;
}

uint32_t fuzz_value(void)
{
    switch (fuzz_take(1) & 7) {
    case 0:
        return 0;
    case 1:
        return 0xffffffff;
    case 2:
        return 1u << (fuzz_take(1) & 31);
    case 3:
        return fuzz_take(1);
    case 4:
        return fuzz_take(2) << 16 | 1;
    default:
        return fuzz_take(4);
    }
}

static uint64_t op_clock(void *opaque)
{
    return fuzz.now;
}

static void op_timer_set(void *opaque, NV3Timer timer, uint64_t ns)
{
    fuzz_require(timer < NV3_TIMER_COUNT, "no such timer");
    fuzz.timer[timer] = ns;
}

static uint8_t *bus(uint32_t addr, size_t len)
{
    uint64_t offset = (uint64_t)addr - MEM_BASE;

    fuzz_require(len <= BUS_MAX, "a bus access is larger than any transfer");
    if (addr >= PAGES_BASE && (uint64_t)addr - PAGES_BASE + len <= PAGES_SIZE) {
        return fuzz.pages ? fuzz.pages + (addr - PAGES_BASE) : NULL;
    }
    return addr >= MEM_BASE && offset + len <= MEM_SIZE ? fuzz.mem + offset
                                                        : NULL;
}

static bool op_dma_read(void *opaque, uint32_t addr, void *buf, size_t len)
{
    const uint8_t *src = bus(addr, len);

    if (src) {
        memcpy(buf, src, len);
    }
    return src;
}

static bool op_dma_write(void *opaque, uint32_t addr, const void *buf,
                         size_t len)
{
    uint8_t *dst = bus(addr, len);

    if (dst) {
        memcpy(dst, buf, len);
    }
    return dst;
}

static void op_irq_set(void *opaque, bool level)
{
    fuzz_require(level != fuzz.irq, "INTA told twice of the same level");
    fuzz.irq = level;
}

static void op_vram_dirty(void *opaque, uint32_t offset, uint32_t len)
{
    fuzz_require((uint64_t)offset + len <= fuzz.vram_size,
            "more VRAM dirty than there is");
}

static uint8_t op_vga_read(void *opaque, uint16_t port)
{
    fuzz_require(port >= 0x3b0 && port <= 0x3df, "not VGA's port");
    return 0x5a;
}

static void op_vga_write(void *opaque, uint16_t port, uint8_t val)
{
    fuzz_require(port >= 0x3b0 && port <= 0x3df, "not VGA's port");
}

static uint8_t op_vga_mem_read(void *opaque, uint32_t offset)
{
    fuzz_require(offset < 0x20000, "beyond VGA's window");
    return 0xa5;
}

static void op_vga_mem_write(void *opaque, uint32_t offset, uint8_t val)
{
    fuzz_require(offset < 0x20000, "beyond VGA's window");
}

static uint8_t op_pci_config_read(void *opaque, uint8_t offset)
{
    return fuzz.pci_config[offset];
}

static void op_pci_config_write(void *opaque, uint8_t offset, uint8_t val)
{
    fuzz.pci_config[offset] = val;
}

static uint8_t op_rom_read(void *opaque, uint32_t offset)
{
    fuzz_require(offset < 0x10000, "beyond any ROM");
    return offset;
}

/* Formats the message, so that a sanitizer detects invalid arguments, and discards it. */
__attribute__((format(printf, 3, 4)))
static void op_log(void *opaque, NV3LogLevel level, const char *fmt, ...)
{
    char line[512];
    va_list args;

    va_start(args, fmt);
    vsnprintf(line, sizeof(line), fmt, args);
    va_end(args);
}

static const NV3Ops ops = {
    .clock_ns = op_clock,
    .timer_set = op_timer_set,
    .dma_read = op_dma_read,
    .dma_write = op_dma_write,
    .irq_set = op_irq_set,
    .vram_dirty = op_vram_dirty,
    .vga_read = op_vga_read,
    .vga_write = op_vga_write,
    .vga_mem_read = op_vga_mem_read,
    .vga_mem_write = op_vga_mem_write,
    .pci_config_read = op_pci_config_read,
    .pci_config_write = op_pci_config_write,
    .rom_read = op_rom_read,
    .log = op_log,
};

void fuzz_wr32(uint32_t addr, uint32_t val)
{
    nv3_mmio_write(fuzz.s, addr, val, 4);
}

void fuzz_run(unsigned calls)
{
    while (nv3_run(fuzz.s, RUN_BUDGET)) {
        if (!--calls) {
            return;
        }
    }
}

void fuzz_run_to_rest(void)
{
    unsigned calls = 0;

    while (nv3_run(fuzz.s, RUN_BUDGET)) {
        fuzz_require(++calls < RUN_CALLS, "the engine does not come to rest");
    }
}

void fuzz_acknowledge(void)
{
    fuzz_wr32(NV3_PFIFO_INTR, 0xffffffff);
    fuzz_wr32(NV3_PGRAPH_INTR, 0xffffffff);
    fuzz_wr32(NV3_PGRAPH_INVALID, 0xffffffff);
    fuzz_wr32(NV3_PDMA_INTR, 0xffffffff);
    fuzz_wr32(NV3_PFIFO_RUNOUT_GET,
              nv3_mmio_read(fuzz.s, NV3_PFIFO_RUNOUT_PUT, 4));
    fuzz_wr32(NV3_PFIFO_CACHE1_GET,
              nv3_mmio_read(fuzz.s, NV3_PFIFO_CACHE1_PUT, 4));
    fuzz_wr32(NV3_PGRAPH_CTX_USER,
              nv3_mmio_read(fuzz.s, NV3_PGRAPH_CTX_USER, 4) &
              ~NV3_PGRAPH_CTX_USER_CHID);
    fuzz_wr32(NV3_PGRAPH_CTX_CONTROL, NV3_PGRAPH_CTX_CONTROL_CHID_VALID);
    fuzz_wr32(NV3_PFIFO_CACHE1_PULL_CTRL, 1);
    fuzz_wr32(NV3_PGRAPH_FIFO_ENABLE, 1);
}

void fuzz_method(uint32_t subch, uint32_t mthd, uint32_t data)
{
    fuzz_wr32(NV3_USER_ADDR(0, subch, mthd & 0x1ffc), data);
    fuzz_run_to_rest();
    fuzz_answer();
}

void fuzz_answer(void)
{
    if (!nv3_mmio_read(fuzz.s, NV3_PGRAPH_FIFO_ENABLE, 4) ||
        !(nv3_mmio_read(fuzz.s, NV3_PFIFO_CACHE1_PULL_CTRL, 4) & 1)) {
        fuzz_acknowledge();
    }
}

void fuzz_advance(void)
{
    fuzz.now += (uint64_t)fuzz_take(4) << (fuzz_take(1) & 15);
    for (unsigned i = 0; i < NV3_TIMER_COUNT; i++) {
        if (fuzz.timer[i] <= fuzz.now) {
            fuzz.timer[i] = UINT64_MAX;
            nv3_timer_expired(fuzz.s, i);
        }
    }
}

void fuzz_scanout(void)
{
    static uint32_t line[65536];
    NV3Scanout out;

    nv3_scanout(fuzz.s, &out);
    fuzz_require(out.width <= 65536, "a line is longer than in any mode");
    if (out.format != NV3_SCANOUT_VGA && out.height) {
        nv3_scanout_line(fuzz.s, &out, fuzz_take(2) % out.height, line);
        nv3_scanout_line(fuzz.s, &out, out.height - 1, line);
    }
    nv3_scanout_changed(fuzz.s);
}

void fuzz_migrate(void)
{
    static uint8_t before[0x20000], after[sizeof(before)];
    size_t size = saved_size();
    NV3LoadError error;

    fuzz_require(size <= sizeof(before), "a state that is too large");
    saved_take(fuzz.s, before);
    nv3_free(fuzz.s);
    fuzz.irq = false;
    fuzz.s = nv3_new(&fuzz.config, &ops, NULL, vram, NULL);
    fuzz_require(fuzz.s, "no second chip");
    if (!saved_put(fuzz.s, before, &error)) {
        fuzz_require(false, error.text);
    }
    saved_take(fuzz.s, after);
    /*
     * Compare the state after one load with the state after two loads. The original state
     * may differ, because the first load delivers expired alarms.
     */
    saved_put(fuzz.s, after, &error);
    saved_take(fuzz.s, before);
    fuzz_require(!memcmp(before, after, size),
                 "the loaded state differs from the saved one");
}

static void dump_line(void *ctx, const char *text)
{
    fuzz_require(strlen(text) < 256, "a line of the dump is too long");
}

static void check_guards(void)
{
    static const uint8_t zeroes[GUARD];

    fuzz_require(!memcmp(vram_guarded, zeroes, GUARD) &&
            !memcmp(vram + fuzz.vram_size, zeroes, GUARD),
            "a write outside VRAM");
}

static void start(const uint8_t *data, size_t size, bool programs)
{
    static uint8_t pages[PAGES_SIZE];
    static const struct {
        NV3Revision revision;
        uint32_t vram_size;
    } cards[] = {
        { NV3_REVISION_A, 2 << 20 }, { NV3_REVISION_B, 2 << 20 },
        { NV3_REVISION_C, 2 << 20 }, { NV3_REVISION_C, 2 << 20 },
        { NV3_REVISION_B, 4 << 20 }, { NV3_REVISION_C, 4 << 20 },
        { NV3_REVISION_C, 8 << 20 }, { NV3_REVISION_C, 2 << 20 },
    };
    memset(&fuzz, 0, sizeof(fuzz));
    fuzz.in = data;
    fuzz.left = size;
    fuzz.config.revision = cards[fuzz_take(1) & 7].revision;
    fuzz.config.vram_size = cards[data && size ? data[0] & 7 : 0].vram_size;
    fuzz.config.virt = true;
    fuzz.config.programs = programs || (data && size && data[0] & 8);
    fuzz.config.save_prefetch = true;
    fuzz.config.raster_threads = data && size && data[0] & 16 ? 2 : 1;
    fuzz.vram_size = fuzz.config.vram_size;
    for (unsigned i = 0; i < NV3_TIMER_COUNT; i++) {
        fuzz.timer[i] = UINT64_MAX;
    }
    if (programs) {
        memset(pages, 0, sizeof(pages));
        fuzz.pages = pages;
    }
    memset(vram_guarded, 0, fuzz.vram_size + 2 * GUARD);

    fuzz.s = nv3_new(&fuzz.config, &ops, NULL, vram, NULL);
    fuzz_require(fuzz.s, "no chip");
}

void fuzz_start(const uint8_t *data, size_t size)
{
    start(data, size, false);
}

void fuzz_start_programs(const uint8_t *data, size_t size)
{
    start(data, size, true);
}

void fuzz_end(void)
{
    fuzz_run_to_rest();
    fuzz_scanout();
    nv3_dump(fuzz.s, dump_line, NULL);
    nv3_reset(fuzz.s);
    fuzz_require(!fuzz.irq, "INTA is up after reset");
    nv3_free(fuzz.s);
    check_guards();
}

uint32_t fuzz_memory_crc(uint32_t crc)
{
    crc = nv3_crc32(crc, vram, fuzz.vram_size);
    return nv3_crc32(crc, fuzz.mem, sizeof(fuzz.mem));
}
