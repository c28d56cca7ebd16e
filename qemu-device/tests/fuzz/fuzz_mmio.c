/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A hostile guest: the input is a program of register accesses, RAMIN and system
 * memory contents, methods by PIO and by DMA, and steps of time and engine. All
 * blocks are reached. Whatever it does, the chip must answer, must come to rest,
 * and must touch nothing but its VRAM.
 *
 * Libfuzzer's entry is LLVMFuzzerTestOneInput(); replay.c calls it without.
 */
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "nv3.h"
#include "nv3_class.h"
#include "nv3_regs.h"

#define MEM_BASE        0x10000000u
#define MEM_SIZE        0x10000u
#define MEM_PAGES       (MEM_SIZE / 4096)
#define VRAM_MAX        (8u << 20)
#define GUARD           4096

/* RAMIN, as docs/architecture.md divides it. */
#define RAMRO           0x8000
#define RAMFC           0xa000
#define PAGE_TABLE      0x20000
#define GROBJ(i)        (0xb000 + (i) * 16)
#define DMAOBJ(i)       (0x30000 + (i) * 0x100)
#define NAME(i)         (0x1001u + (i))
#define OBJECTS         32
#define DMAOBJS         8

/* Longer than any program needs: it is a hang. */
#define RUN_CALLS       2000000
#define RUN_BUDGET      256

typedef struct Fuzz {
    NV3State *s;
    NV3Config config;
    const uint8_t *in;
    size_t left;
    uint64_t now;
    uint64_t timer[NV3_TIMER_COUNT];
    bool irq;
    uint8_t mem[MEM_SIZE];
    uint32_t vram_size;
} Fuzz;

static Fuzz fuzz;
static uint8_t vram_guarded[VRAM_MAX + 2 * GUARD];
static uint8_t *const vram = vram_guarded + GUARD;

static void require(bool ok, const char *what)
{
    if (!ok) {
        fprintf(stderr, "fuzz_mmio: %s\n", what);
        abort();
    }
}

/* The input; zeroes after its end. */
static uint32_t take(unsigned bytes)
{
    uint32_t val = 0;

    for (unsigned i = 0; i < bytes && fuzz.left; i++, fuzz.left--) {
        val |= (uint32_t)*fuzz.in++ << i * 8;
    }
    return val;
}

/* Values that matter more often than others. */
static uint32_t take_value(void)
{
    switch (take(1) & 7) {
    case 0:
        return 0;
    case 1:
        return 0xffffffff;
    case 2:
        return 1u << (take(1) & 31);
    case 3:
        return take(1);
    case 4:
        return take(2) << 16 | 1;
    default:
        return take(4);
    }
}

static uint64_t op_clock(void *opaque)
{
    return fuzz.now;
}

static void op_timer_set(void *opaque, NV3Timer timer, uint64_t ns)
{
    require(timer < NV3_TIMER_COUNT, "no such timer");
    fuzz.timer[timer] = ns;
}

static uint8_t *bus(uint32_t addr, size_t len)
{
    uint64_t offset = (uint64_t)addr - MEM_BASE;

    require(len <= MEM_SIZE, "a bus access is larger than any page");
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
    require(level != fuzz.irq, "INTA told twice of the same level");
    fuzz.irq = level;
}

static void op_vram_dirty(void *opaque, uint32_t offset, uint32_t len)
{
    require((uint64_t)offset + len <= fuzz.vram_size,
            "more VRAM dirty than there is");
}

static uint8_t op_vga_read(void *opaque, uint16_t port)
{
    require(port >= 0x3b0 && port <= 0x3df, "not VGA's port");
    return 0x5a;
}

static void op_vga_write(void *opaque, uint16_t port, uint8_t val)
{
    require(port >= 0x3b0 && port <= 0x3df, "not VGA's port");
}

/* Formats what it is given, so that a bad argument is found. */
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
    .log = op_log,
};

static void wr32(uint32_t addr, uint32_t val)
{
    nv3_mmio_write(fuzz.s, addr, val, 4);
}

static void run(unsigned calls)
{
    while (nv3_run(fuzz.s, RUN_BUDGET)) {
        if (!--calls) {
            return;
        }
    }
}

static void run_to_rest(void)
{
    unsigned calls = 0;

    while (nv3_run(fuzz.s, RUN_BUDGET)) {
        require(++calls < RUN_CALLS, "the engine does not come to rest");
    }
}

/* What a driver does before anything can run. */
static void set_up(void)
{
    wr32(NV3_PMC_ENABLE, 0xffffffff);
    wr32(NV3_PMC_INTR_EN, 3);
    wr32(NV3_PFIFO_RAMHT, 3 << NV3_PFIFO_RAMHT_SIZE_SHIFT);
    wr32(NV3_PFIFO_RAMRO, RAMRO | NV3_PFIFO_RAMRO_SIZE_8K);
    wr32(NV3_PFIFO_RAMFC, RAMFC);
    wr32(NV3_PFIFO_INTR_EN, NV3_PFIFO_INTR_ALL);
    wr32(NV3_PFIFO_CACHE1_PUSH_ACCESS, 1);
    wr32(NV3_PFIFO_CACHE1_PULL_CTRL, 1);
    wr32(NV3_PFIFO_CACHES, 1);
    wr32(NV3_PFIFO_CACHE1_DMA_TARGET, NV3_PFIFO_DMA_TARGET_PCI);
    wr32(NV3_PFIFO_CACHE1_DMA_PT_INST, PAGE_TABLE);
    for (uint32_t page = 0; page < MEM_PAGES; page++) {
        nv3_ramin_write(fuzz.s, PAGE_TABLE + page * 4,
                        (MEM_BASE + page * 4096) | NV3_DMAOBJ_PTE_PRESENT, 4);
    }
    wr32(NV3_PGRAPH_DEBUG_1,
         NV3_PGRAPH_DEBUG_1_CTX_SWITCH | NV3_PGRAPH_DEBUG_1_DMA_LOAD);
    wr32(NV3_PGRAPH_DEBUG_2, NV3_PGRAPH_DEBUG_2_VOLATILE_EN);
    wr32(NV3_PGRAPH_CTX_CONTROL, NV3_PGRAPH_CTX_CONTROL_CHID_VALID);
    wr32(NV3_PGRAPH_DST_CANVAS_MAX, NV3_PGRAPH_CANVAS_MASK);
    wr32(NV3_PGRAPH_SRC_CANVAS_MAX, NV3_PGRAPH_CANVAS_MASK);
    for (unsigned i = 0; i < 4; i++) {
        wr32(NV3_PGRAPH_SURF_OFFSET(i), i * 0x40000);
        wr32(NV3_PGRAPH_SURF_PITCH(i), 0x500);
    }
    wr32(NV3_PGRAPH_SURF_CONFIG, 0x6666);
    wr32(NV3_PGRAPH_INTR_EN, NV3_PGRAPH_INTR_ALL);
    wr32(NV3_PGRAPH_FIFO_ENABLE, 1);
}

/* A graphics object in RAMHT under a name of its own. */
static void put_object(uint32_t i, uint32_t ctx, uint32_t options,
                       uint32_t dma, uint32_t notify)
{
    uint32_t entry = NV3_RAMHT_HASH(NAME(i), 0) * 16 * NV3_RAMHT_ENTRY_SIZE;

    nv3_ramin_write(fuzz.s, GROBJ(i), options, 4);
    nv3_ramin_write(fuzz.s, GROBJ(i) + 4,
                    DMAOBJ(dma) >> 4 | DMAOBJ(notify) >> 4 << 16, 4);
    nv3_ramin_write(fuzz.s, GROBJ(i) + 8, DMAOBJ(notify) >> 4, 4);
    nv3_ramin_write(fuzz.s, entry, NAME(i), 4);
    nv3_ramin_write(fuzz.s, entry + 4,
                    NV3_CTX_VALID | NV3_CTX_CLASS_GRAPH | ctx | GROBJ(i) >> 4,
                    4);
}

static void make_object(void)
{
    uint32_t i = take(1) % OBJECTS, class_id = take(1) & 0x1f;
    uint32_t options = take(4), dma = take(1) % DMAOBJS;
    uint32_t notify = take(1) % DMAOBJS;

    put_object(i, class_id << NV3_CTX_CLASS_SHIFT |
               (take(1) < 16 ? 0 : NV3_CTX_HARDWARE), options, dma, notify);
}

/* One of each class, drawing to any surface, with memory behind its objects. */
static void make_first_objects(void)
{
    for (uint32_t i = 0; i < DMAOBJS; i++) {
        uint32_t target = i & 1 ? NV3_DMAOBJ_TARGET_PCI
                                : NV3_DMAOBJ_TARGET_VRAM;
        uint32_t base = i & 1 ? MEM_BASE : 0;

        nv3_ramin_write(fuzz.s, DMAOBJ(i) + NV3_DMAOBJ_FLAGS,
                        NV3_DMAOBJ_PAGED | target << NV3_DMAOBJ_TARGET_SHIFT,
                        4);
        nv3_ramin_write(fuzz.s, DMAOBJ(i) + NV3_DMAOBJ_LIMIT, MEM_SIZE - 1, 4);
        for (uint32_t page = 0; page < MEM_PAGES; page++) {
            nv3_ramin_write(fuzz.s, DMAOBJ(i) + NV3_DMAOBJ_PTE(page),
                            (base + page * 4096) | NV3_DMAOBJ_PTE_PRESENT |
                            NV3_DMAOBJ_PTE_WRITE, 4);
        }
    }
    for (uint32_t i = 0; i < OBJECTS; i++) {
        uint32_t options = NV3_GROBJ_OP_SRCCOPY << NV3_GROBJ_OP_SHIFT |
                           1u << (NV3_GROBJ_DST_SHIFT + take(1) % 4);

        put_object(i, i << NV3_CTX_CLASS_SHIFT | NV3_CTX_HARDWARE, options,
                   i % DMAOBJS, (i + 1) % DMAOBJS);
    }
}

static void make_dmaobj(void)
{
    uint32_t inst = DMAOBJ(take(1) % DMAOBJS);
    uint32_t flags = take(4), limit = take(1) & 1 ? take(4) : MEM_SIZE - 1;

    nv3_ramin_write(fuzz.s, inst + NV3_DMAOBJ_FLAGS, flags, 4);
    nv3_ramin_write(fuzz.s, inst + NV3_DMAOBJ_LIMIT, limit, 4);
    for (uint32_t page = 0; page < MEM_PAGES; page++) {
        uint32_t bits = take(1);
        uint32_t base = bits & 4 ? MEM_BASE : 0;

        nv3_ramin_write(fuzz.s, inst + NV3_DMAOBJ_PTE(page),
                        base + (bits >> 3) * 4096 + (bits & 3), 4);
    }
}

/* A method that the driver injects by CACHE0. */
static void inject(void)
{
    uint32_t put = nv3_mmio_read(fuzz.s, NV3_PFIFO_CACHE0_GET, 4) ^ 4;

    wr32(NV3_PFIFO_CACHE0_PUSH_CHID, take(1) & 1);
    if (take(1) & 1) {
        wr32(NV3_PFIFO_CACHE0_CTX, take(4));
    }
    wr32(NV3_PFIFO_CACHE0_ADDR, take(2));
    wr32(NV3_PFIFO_CACHE0_DATA, take(1) & 1 ? NAME(take(1) % OBJECTS)
                                            : take_value());
    wr32(NV3_PFIFO_CACHE0_PUT, put);
    wr32(NV3_PFIFO_CACHE0_PULL_CTRL, 1);
    run_to_rest();
}

static void method(void)
{
    uint32_t where = take(3);

    /* Mostly channel 0, whose objects are in RAMHT. */
    wr32(NV3_USER + (where & 0x400000 ? where & 0x7ffffc : where & 0xfffc),
         take_value());
}

/* A run of methods on consecutive addresses, by PIO. */
static void methods(void)
{
    uint32_t first = take(2) & 0xfffc, count = take(1) & 63;

    for (uint32_t i = 0; i < count; i++) {
        wr32(NV3_USER + (first & 0xe000) + ((first + i * 4) & 0x1ffc),
             take_value());
        run(4);
    }
}

/* What a driver does about a stopped engine. */
static void acknowledge(void)
{
    wr32(NV3_PFIFO_INTR, 0xffffffff);
    wr32(NV3_PGRAPH_INTR, 0xffffffff);
    wr32(NV3_PGRAPH_INVALID, 0xffffffff);
    wr32(NV3_PDMA_INTR, 0xffffffff);
    wr32(NV3_PGRAPH_CTX_CONTROL, NV3_PGRAPH_CTX_CONTROL_CHID_VALID);
    wr32(NV3_PFIFO_CACHE1_PULL_CTRL, 1);
    wr32(NV3_PGRAPH_FIFO_ENABLE, 1);
}

/* Drops what has not been run, and makes channel 0 able to go on. */
static void recover(void)
{
    uint32_t put = nv3_mmio_read(fuzz.s, NV3_PFIFO_CACHE1_PUT, 4);

    wr32(NV3_PMC_ENABLE, 0xffffffff);
    wr32(NV3_PFIFO_CACHE1_GET, put);
    wr32(NV3_PFIFO_RUNOUT_GET, nv3_mmio_read(fuzz.s, NV3_PFIFO_RUNOUT_PUT, 4));
    wr32(NV3_PGRAPH_CTX_USER, 0);
    wr32(NV3_PFIFO_CACHE1_PUSH_CHID, 0);
    wr32(NV3_PFIFO_CACHE1_PUSH_ACCESS, 1);
    acknowledge();
    run_to_rest();
}

/* Moves GET past the method that the puller has stopped at. */
static void skip_trapped(void)
{
    uint32_t code = nv3_mmio_read(fuzz.s, NV3_PFIFO_CACHE1_GET, 4) >> 2 & 63;
    uint32_t entries = nv3_mmio_read(fuzz.s, NV3_PMC_BOOT_0, 4) ==
                       NV3_PMC_BOOT_0_REV_C ? 64 : 32;
    uint32_t count = code ^ code >> 1;

    count ^= count >> 2;
    count ^= count >> 4;
    count = (count + 1) & (entries - 1);
    wr32(NV3_PFIFO_CACHE1_GET, (count ^ count >> 1) << 2);
}

/* Runs, and as a patient driver, past so many traps. */
static void run_past_traps(unsigned traps)
{
    for (;;) {
        run_to_rest();
        if (!traps-- || nv3_mmio_read(fuzz.s, NV3_PFIFO_CACHE1_STATUS, 4) &
                        NV3_PFIFO_CACHE_EMPTY) {
            break;
        }
        if (nv3_mmio_read(fuzz.s, NV3_PFIFO_CACHE1_PULL_CTRL, 4) &
            ~NV3_PFIFO_PULL_CTRL_ACCESS) {
            skip_trapped();
        }
        acknowledge();
    }
}

/* A header's method: where classes have theirs. */
static uint32_t take_method(void)
{
    static const uint32_t starts[] = { 0x100, 0x2fc, 0x300, 0x304, 0x400,
                                       0x400, 0x800, 0x1000 };
    uint32_t where = take(2);
    uint32_t subch = where & NV3_FIFO_ADDR_SUBCH;
    uint32_t start = starts[where & 7];

    if (where & 8) {
        return subch | (where >> 4 & 3 ? start
                                       : start + (take(1) & 0x3f) * 4);
    }
    return where & 0x10 ? subch | start : subch | (take(2) & 0x1ffc);
}

/* A pushbuffer: headers that are mostly right, and what they announce. */
static void batch(void)
{
    uint32_t words = 0, limit = (take(2) & 0x7ff) + 1;

    if (take(1) & 3) {
        recover();
    }
    while (words < limit && fuzz.left && words < MEM_SIZE / 4 - 64) {
        uint32_t count = take(1) & 63, bad = take(1);
        uint32_t header = NV3_PUSH_HDR(0, take_method(), count);

        if (bad == 0xff) {
            header = take(4);
        }
        memcpy(&fuzz.mem[words++ * 4], &header, 4);
        for (uint32_t i = 0; i < count; i++) {
            uint32_t val = take_value();

            memcpy(&fuzz.mem[words++ * 4], &val, 4);
        }
    }
    wr32(NV3_PFIFO_CACHE1_DMA_STATE, 0);
    wr32(NV3_PFIFO_CACHE1_DMA_GET, 0);
    wr32(NV3_PFIFO_CACHE1_DMA_COUNT, words * 4);
    wr32(NV3_PFIFO_CACHE1_DMA_CTRL, 1);
    run_past_traps(take(1));
}

/* Eight of them in the subchannels. */
static void bind_first_objects(void)
{
    for (unsigned subch = 0; subch < 8; subch++) {
        wr32(NV3_USER_ADDR(0, subch, NV3_MTHD_OBJECT),
             NAME(take(1) % OBJECTS));
    }
    run_past_traps(8);
}

static void bind(void)
{
    wr32(NV3_USER_ADDR(0, take(1) & 7, NV3_MTHD_OBJECT),
         NAME(take(1) % OBJECTS));
    run_past_traps(1);
}

static void access_any(void)
{
    unsigned size = 1u << take(1) % 3;
    uint32_t addr = take(3) & ~(size - 1);

    if (take(1) & 1) {
        nv3_mmio_write(fuzz.s, addr, take_value(), size);
    } else {
        nv3_mmio_read(fuzz.s, addr, size);
    }
}

/* The blocks' own pages, where most of BAR0's registers are. */
static void access_block(void)
{
    static const uint32_t pages[] = {
        0x000000, 0x001000, 0x002000, 0x003000, 0x009000, 0x00e000, 0x0c0000,
        0x100000, 0x101000, 0x400000, 0x401000, 0x601000, 0x680000, 0x681000,
        0x400000, 0x003000,
    };
    uint32_t page = pages[take(1) % (sizeof(pages) / sizeof(pages[0]))];
    uint32_t addr = page + (take(2) & 0xffc);

    if (take(1) & 3) {
        wr32(addr, take_value());
    } else {
        nv3_mmio_read(fuzz.s, addr, 4);
    }
}

static void access_vga(void)
{
    uint16_t port = 0x3b0 + take(1) % 0x30;
    uint8_t val = take(1);

    if (!nv3_vga_port_write(fuzz.s, port, val)) {
        nv3_vga_port_read(fuzz.s, port, &val);
    }
}

static void access_ramin(void)
{
    unsigned size = 1u << take(1) % 3;
    uint32_t addr = take(3) & (NV3_RAMIN_SIZE - size);

    nv3_ramin_write(fuzz.s, addr, take_value(), size);
    nv3_ramin_read(fuzz.s, addr, size);
}

static void advance(void)
{
    fuzz.now += (uint64_t)take(4) << (take(1) & 15);
    for (unsigned i = 0; i < NV3_TIMER_COUNT; i++) {
        if (fuzz.timer[i] <= fuzz.now) {
            fuzz.timer[i] = UINT64_MAX;
            nv3_timer_expired(fuzz.s, i);
        }
    }
}

static void look(void)
{
    static uint32_t line[65536];
    NV3Scanout out;

    nv3_scanout(fuzz.s, &out);
    require(out.width <= 65536, "a line of more pixels than any mode has");
    if (out.format != NV3_SCANOUT_VGA && out.height) {
        nv3_scanout_line(fuzz.s, &out, take(2) % out.height, line);
        nv3_scanout_line(fuzz.s, &out, out.height - 1, line);
    }
    nv3_scanout_changed(fuzz.s);
}

/*
 * Goes on in another chip. Whatever a guest has made of this one can be saved and
 * loaded, and is then the same.
 */
static void move(void)
{
    static uint8_t before[0x10000], after[sizeof(before)];
    size_t size = nv3_state_size();
    NV3LoadError error;

    require(size <= sizeof(before), "a state larger than any");
    nv3_state_save(fuzz.s, before);
    nv3_free(fuzz.s);
    fuzz.irq = false;
    fuzz.s = nv3_new(&fuzz.config, &ops, NULL, vram, NULL);
    require(fuzz.s, "no second chip");
    if (!nv3_state_load(fuzz.s, before, size, &error)) {
        require(false, error.text);
    }
    nv3_state_save(fuzz.s, after);
    /* Alarms that were met are found by loading. */
    nv3_state_load(fuzz.s, after, size, &error);
    nv3_state_save(fuzz.s, before);
    require(!memcmp(before, after, size), "loaded is not what was saved");
}

static void dump_line(void *ctx, const char *text)
{
    require(strlen(text) < 256, "a line too long");
}

static void step(void)
{
    switch (take(1) & 15) {
    case 0:
        access_any();
        break;
    case 1:
        access_block();
        break;
    case 3:
        access_ramin();
        break;
    case 4:
        access_vga();
        break;
    case 5:
        make_object();
        break;
    case 6:
        make_dmaobj();
        break;
    case 7:
        bind();
        break;
    case 8:
        if (take(1) & 3) {
            method();
        } else {
            inject();
        }
        break;
    case 9:
        methods();
        break;
    case 2:
    case 10:
    case 11:
        batch();
        break;
    case 12:
        advance();
        break;
    case 13:
        recover();
        break;
    case 14:
        if (take(1) & 1) {
            look();
        } else {
            move();
        }
        break;
    default:
        run(take(1) + 1);
        break;
    }
}

static void check_guards(void)
{
    static const uint8_t zeroes[GUARD];

    require(!memcmp(vram_guarded, zeroes, GUARD) &&
            !memcmp(vram + fuzz.vram_size, zeroes, GUARD),
            "a write beside VRAM");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
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
    fuzz.config.revision = cards[take(1) & 7].revision;
    fuzz.config.vram_size = cards[data && size ? data[0] & 7 : 0].vram_size;
    fuzz.config.virt = true;
    fuzz.vram_size = fuzz.config.vram_size;
    for (unsigned i = 0; i < NV3_TIMER_COUNT; i++) {
        fuzz.timer[i] = UINT64_MAX;
    }
    memset(vram_guarded, 0, fuzz.vram_size + 2 * GUARD);

    fuzz.s = nv3_new(&fuzz.config, &ops, NULL, vram, NULL);
    require(fuzz.s, "no chip");
    set_up();
    make_first_objects();
    bind_first_objects();
    while (fuzz.left) {
        step();
    }
    run_to_rest();
    look();
    nv3_dump(fuzz.s, dump_line, NULL);
    nv3_reset(fuzz.s);
    require(!fuzz.irq, "INTA is up after reset");
    nv3_free(fuzz.s);
    check_guards();
    return 0;
}
