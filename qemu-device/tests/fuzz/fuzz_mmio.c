/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fuzzes the chip like a hostile guest. The input is a sequence of actions: register
 * accesses, writes of RAMIN and system memory, methods by PIO and by DMA, and steps of
 * the clock and the engine. The actions can reach all blocks of the chip. For any input,
 * the chip must respond, must become idle, and must not write outside its VRAM. libFuzzer
 * calls the entry point LLVMFuzzerTestOneInput(). Without libFuzzer, replay.c calls it.
 */
#include "fuzz_host.h"

#define MEM_PAGES       (MEM_SIZE / 4096)

/* RAMIN's layout (docs/decisions/0004-layout-of-ramin.md). */
#define RAMRO           0x8000
#define RAMFC           0xa000
#define PAGE_TABLE      0x20000
#define GROBJ(i)        (0xb000 + (i) * 16)
#define DMAOBJ(i)       (0x30000 + (i) * 0x100)
#define NAME(i)         (0x1001u + (i))
#define OBJECTS         32
#define DMAOBJS         8


/* Sets up PFIFO and PGRAPH as a driver does. */
static void set_up(void)
{
    fuzz_wr32(NV3_PMC_ENABLE, 0xffffffff);
    fuzz_wr32(NV3_PMC_INTR_EN, 3);
    fuzz_wr32(NV3_PFIFO_RAMHT, 3 << NV3_PFIFO_RAMHT_SIZE_SHIFT);
    fuzz_wr32(NV3_PFIFO_RAMRO, RAMRO | NV3_PFIFO_RAMRO_SIZE_8K);
    fuzz_wr32(NV3_PFIFO_RAMFC, RAMFC);
    fuzz_wr32(NV3_PFIFO_INTR_EN, NV3_PFIFO_INTR_ALL);
    fuzz_wr32(NV3_PFIFO_CACHE1_PUSH_ACCESS, 1);
    fuzz_wr32(NV3_PFIFO_CACHE1_PULL_CTRL, 1);
    fuzz_wr32(NV3_PFIFO_CACHES, 1);
    fuzz_wr32(NV3_PFIFO_CACHE1_DMA_TARGET, NV3_PFIFO_DMA_TARGET_PCI);
    fuzz_wr32(NV3_PFIFO_CACHE1_DMA_PT_INST, PAGE_TABLE);
    for (uint32_t page = 0; page < MEM_PAGES; page++) {
        nv3_ramin_write(fuzz.s, PAGE_TABLE + page * 4,
                        (MEM_BASE + page * 4096) | NV3_DMAOBJ_PTE_PRESENT, 4);
    }
    fuzz_wr32(NV3_PGRAPH_DEBUG_1,
         NV3_PGRAPH_DEBUG_1_CTX_SWITCH | NV3_PGRAPH_DEBUG_1_DMA_LOAD);
    fuzz_wr32(NV3_PGRAPH_DEBUG_2, NV3_PGRAPH_DEBUG_2_VOLATILE_EN);
    fuzz_wr32(NV3_PGRAPH_CTX_CONTROL, NV3_PGRAPH_CTX_CONTROL_CHID_VALID);
    fuzz_wr32(NV3_PGRAPH_DST_CANVAS_MAX, NV3_PGRAPH_CANVAS_MASK);
    fuzz_wr32(NV3_PGRAPH_SRC_CANVAS_MAX, NV3_PGRAPH_CANVAS_MASK);
    for (unsigned i = 0; i < 4; i++) {
        fuzz_wr32(NV3_PGRAPH_SURF_OFFSET(i), i * 0x40000);
        fuzz_wr32(NV3_PGRAPH_SURF_PITCH(i), 0x500);
    }
    fuzz_wr32(NV3_PGRAPH_SURF_CONFIG, 0x6666);
    fuzz_wr32(NV3_PGRAPH_INTR_EN, NV3_PGRAPH_INTR_ALL);
    fuzz_wr32(NV3_PGRAPH_FIFO_ENABLE, 1);
}

/* Creates a graphics object and enters its handle into RAMHT. */
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
    uint32_t i = fuzz_take(1) % OBJECTS, class_id = fuzz_take(1) & 0x1f;
    uint32_t options = fuzz_take(4), dma = fuzz_take(1) % DMAOBJS;
    uint32_t notify = fuzz_take(1) % DMAOBJS;

    put_object(i, class_id << NV3_CTX_CLASS_SHIFT |
               (fuzz_take(1) < 16 ? 0 : NV3_CTX_HARDWARE), options, dma, notify);
}

/*
 * Creates DMA objects, and an object of each class. The input selects the objects'
 * destination surfaces.
 */
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
                           1u << (NV3_GROBJ_DST_SHIFT + fuzz_take(1) % 4);

        put_object(i, i << NV3_CTX_CLASS_SHIFT | NV3_CTX_HARDWARE, options,
                   i % DMAOBJS, (i + 1) % DMAOBJS);
    }
}

/*
 * Returns the address of a page of VRAM: one of the first 31 pages, or the page with the
 * DMA objects and their page tables.
 */
static uint32_t vram_page(uint32_t bits)
{
    return bits >> 3 == 0x1f ?
           NV3_RAMIN_TO_VRAM(DMAOBJ(0), fuzz.config.vram_size) & ~0xfffu :
           (bits >> 3) * 4096;
}

static void make_dmaobj(void)
{
    uint32_t inst = DMAOBJ(fuzz_take(1) % DMAOBJS);
    uint32_t flags = fuzz_take(4), limit = fuzz_take(1) & 1 ? fuzz_take(4) : MEM_SIZE - 1;

    nv3_ramin_write(fuzz.s, inst + NV3_DMAOBJ_FLAGS, flags, 4);
    nv3_ramin_write(fuzz.s, inst + NV3_DMAOBJ_LIMIT, limit, 4);
    for (uint32_t page = 0; page < MEM_PAGES; page++) {
        uint32_t bits = fuzz_take(1);
        uint32_t addr = bits & 4 ? MEM_BASE + (bits >> 3) * 4096
                                 : vram_page(bits);

        nv3_ramin_write(fuzz.s, inst + NV3_DMAOBJ_PTE(page), addr + (bits & 3),
                        4);
    }
}

/* Injects a method through CACHE0, as a driver does. */
static void inject(void)
{
    uint32_t put = nv3_mmio_read(fuzz.s, NV3_PFIFO_CACHE0_GET, 4) ^ 4;

    fuzz_wr32(NV3_PFIFO_CACHE0_PUSH_CHID, fuzz_take(1) & 1);
    if (fuzz_take(1) & 1) {
        fuzz_wr32(NV3_PFIFO_CACHE0_CTX, fuzz_take(4));
    }
    fuzz_wr32(NV3_PFIFO_CACHE0_ADDR, fuzz_take(2));
    fuzz_wr32(NV3_PFIFO_CACHE0_DATA, fuzz_take(1) & 1 ? NAME(fuzz_take(1) % OBJECTS)
                                            : fuzz_value());
    fuzz_wr32(NV3_PFIFO_CACHE0_PUT, put);
    fuzz_wr32(NV3_PFIFO_CACHE0_PULL_CTRL, 1);
    fuzz_run_to_rest();
}

static void method(void)
{
    uint32_t where = fuzz_take(3);

    /*
     * Send most methods to channel 0, because RAMHT contains only handles of this
     * channel.
     */
    fuzz_wr32(NV3_USER + (where & 0x400000 ? where & 0x7ffffc : where & 0xfffc),
         fuzz_value());
}

/* Sends methods at consecutive addresses by PIO. */
static void methods(void)
{
    uint32_t first = fuzz_take(2) & 0xfffc, count = fuzz_take(1) & 63;

    for (uint32_t i = 0; i < count; i++) {
        fuzz_wr32(NV3_USER + (first & 0xe000) + ((first + i * 4) & 0x1ffc),
             fuzz_value());
        fuzz_run(4);
    }
}

/* Acknowledges all interrupts and restarts a stopped engine, as a driver does. */
static void acknowledge(void)
{
    fuzz_wr32(NV3_PFIFO_INTR, 0xffffffff);
    fuzz_wr32(NV3_PGRAPH_INTR, 0xffffffff);
    fuzz_wr32(NV3_PGRAPH_INVALID, 0xffffffff);
    fuzz_wr32(NV3_PDMA_INTR, 0xffffffff);
    fuzz_wr32(NV3_PGRAPH_CTX_CONTROL, NV3_PGRAPH_CTX_CONTROL_CHID_VALID);
    fuzz_wr32(NV3_PFIFO_CACHE1_PULL_CTRL, 1);
    fuzz_wr32(NV3_PGRAPH_FIFO_ENABLE, 1);
}

/*
 * Drops all pending methods, and makes channel 0 the current channel of PFIFO and PGRAPH.
 */
static void recover(void)
{
    uint32_t put = nv3_mmio_read(fuzz.s, NV3_PFIFO_CACHE1_PUT, 4);

    fuzz_wr32(NV3_PMC_ENABLE, 0xffffffff);
    fuzz_wr32(NV3_PFIFO_CACHE1_GET, put);
    fuzz_wr32(NV3_PFIFO_RUNOUT_GET, nv3_mmio_read(fuzz.s, NV3_PFIFO_RUNOUT_PUT, 4));
    fuzz_wr32(NV3_PGRAPH_CTX_USER, 0);
    fuzz_wr32(NV3_PFIFO_CACHE1_PUSH_CHID, 0);
    fuzz_wr32(NV3_PFIFO_CACHE1_PUSH_ACCESS, 1);
    acknowledge();
    fuzz_run_to_rest();
}

/* Advances GET past the method at which the puller has stopped. */
static void skip_trapped(void)
{
    uint32_t code = nv3_mmio_read(fuzz.s, NV3_PFIFO_CACHE1_GET, 4) >> 2 & 63;
    uint32_t entries = nv3_mmio_read(fuzz.s, NV3_PMC_BOOT_0, 4) ==
                       NV3_PMC_BOOT_0_REV_C ? 64 : 32;
    uint32_t count = code ^ code >> 1;

    count ^= count >> 2;
    count ^= count >> 4;
    count = (count + 1) & (entries - 1);
    fuzz_wr32(NV3_PFIFO_CACHE1_GET, (count ^ count >> 1) << 2);
}

/*
 * Runs the engine until it is idle or has stopped. Skips up to @traps methods at which
 * the puller stops.
 */
static void run_past_traps(unsigned traps)
{
    for (;;) {
        fuzz_run_to_rest();
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

/*
 * Returns a method's subchannel and offset for a header. The offset is in the range that
 * classes use.
 */
static uint32_t take_method(void)
{
    static const uint32_t starts[] = { 0x100, 0x2fc, 0x300, 0x304, 0x400,
                                       0x400, 0x800, 0x1000 };
    uint32_t where = fuzz_take(2);
    uint32_t subch = where & NV3_FIFO_ADDR_SUBCH;
    uint32_t start = starts[where & 7];

    if (where & 8) {
        return subch | (where >> 4 & 3 ? start
                                       : start + (fuzz_take(1) & 0x3f) * 4);
    }
    return where & 0x10 ? subch | start : subch | (fuzz_take(2) & 0x1ffc);
}

/* Runs a pushbuffer in which most headers are valid. */
static void batch(void)
{
    uint32_t words = 0, limit = (fuzz_take(2) & 0x7ff) + 1;

    if (fuzz_take(1) & 3) {
        recover();
    }
    while (words < limit && fuzz.left && words < MEM_SIZE / 4 - 64) {
        uint32_t count = fuzz_take(1) & 63, bad = fuzz_take(1);
        uint32_t header = NV3_PUSH_HDR(0, take_method(), count);

        if (bad == 0xff) {
            header = fuzz_take(4);
        }
        memcpy(&fuzz.mem[words++ * 4], &header, 4);
        for (uint32_t i = 0; i < count; i++) {
            uint32_t val = fuzz_value();

            memcpy(&fuzz.mem[words++ * 4], &val, 4);
        }
    }
    fuzz_wr32(NV3_PFIFO_CACHE1_DMA_STATE, 0);
    fuzz_wr32(NV3_PFIFO_CACHE1_DMA_GET, 0);
    fuzz_wr32(NV3_PFIFO_CACHE1_DMA_COUNT, words * 4);
    fuzz_wr32(NV3_PFIFO_CACHE1_DMA_CTRL, 1);
    run_past_traps(fuzz_take(1));
}

/* Binds an object to each of the eight subchannels. */
static void bind_first_objects(void)
{
    for (unsigned subch = 0; subch < 8; subch++) {
        fuzz_wr32(NV3_USER_ADDR(0, subch, NV3_MTHD_OBJECT),
             NAME(fuzz_take(1) % OBJECTS));
    }
    run_past_traps(8);
}

static void bind(void)
{
    fuzz_wr32(NV3_USER_ADDR(0, fuzz_take(1) & 7, NV3_MTHD_OBJECT),
         NAME(fuzz_take(1) % OBJECTS));
    run_past_traps(1);
}

static void access_any(void)
{
    unsigned size = 1u << fuzz_take(1) % 3;
    uint32_t addr = fuzz_take(3) & ~(size - 1);

    if (fuzz_take(1) & 1) {
        nv3_mmio_write(fuzz.s, addr, fuzz_value(), size);
    } else {
        nv3_mmio_read(fuzz.s, addr, size);
    }
}

/* Accesses a word of BAR0 in one of the pages that contain most of the registers. */
static void access_block(void)
{
    static const uint32_t pages[] = {
        0x000000, 0x001000, 0x002000, 0x003000, 0x009000, 0x00e000, 0x0c0000,
        0x100000, 0x101000, 0x400000, 0x401000, 0x601000, 0x680000, 0x681000,
        0x400000, 0x003000, 0x004000, 0x006000, 0x007000, 0x0a0000, 0x110000,
        0x120000, 0x200000, 0x680000,
    };
    uint32_t page = pages[fuzz_take(1) % (sizeof(pages) / sizeof(pages[0]))];
    uint32_t addr = page + (fuzz_take(2) & 0xffc);

    if (fuzz_take(1) & 3) {
        fuzz_wr32(addr, fuzz_value());
    } else {
        nv3_mmio_read(fuzz.s, addr, 4);
    }
}

static void crtc(uint8_t index, uint8_t val)
{
    nv3_vga_port_write(fuzz.s, 0x3c2, 1);
    nv3_vga_port_write(fuzz.s, 0x3c4, NV3_SEQ_LOCK);
    nv3_vga_port_write(fuzz.s, 0x3c5, NV3_CRTC_UNLOCK_VALUE);
    nv3_vga_port_write(fuzz.s, 0x3d4, index);
    nv3_vga_port_write(fuzz.s, 0x3d5, val);
}

/* Accesses a register, VRAM, RAMIN or an unused address through the real-mode port. */
static void access_rma(void)
{
    uint32_t addr = fuzz_take(1) & 1 ? fuzz_take(4) : fuzz_take(3), val;
    uint8_t what = fuzz_take(1), byte;

    crtc(NV3_CRTC_RMA, 1 << 1 | 1);
    nv3_rma_write_32(fuzz.s, addr);
    crtc(NV3_CRTC_RMA, (what & 7) << 1 | 1);
    if (what & 8) {
        nv3_rma_write_32(fuzz.s, fuzz_value());
        nv3_rma_read_32(fuzz.s, &val);
    }
    for (unsigned i = 0; i < 8; i++) {
        if (what & 0x10) {
            nv3_vga_port_write(fuzz.s, 0x3d0 + i % 4, fuzz_take(1));
        } else {
            nv3_vga_port_read(fuzz.s, 0x3d0 + i % 4, &byte);
        }
    }
}

/*
 * Sets a mode with registers from the input, optionally with an overlay, and scans out
 * two lines.
 */
static void set_mode(void)
{
    uint32_t bits = fuzz_take(4);

    for (unsigned i = 0; i < 4; i++) {
        crtc(fuzz_take(1) % NV3_CRTC_EXT_LAST, fuzz_take(1));
    }
    crtc(NV3_CRTC_PIXEL_FORMAT, bits & 3);
    crtc(0x17, 0xe3);
    fuzz_wr32(NV3_PRAMDAC_VPLL, 0x01381e);
    fuzz_wr32(NV3_PRAMDAC_PLL_CONTROL, NV3_PLL_CONTROL_VPLL_PROG);
    if (bits & 4) {
        fuzz_wr32(NV3_PMC_ENABLE, 0xffffffff);
        for (uint32_t reg = NV3_PVIDEO_STEP_SIZE; reg <= NV3_PVIDEO_OVERLAY;
             reg += 4) {
            fuzz_wr32(reg, fuzz_take(4));
        }
        fuzz_wr32(NV3_PVIDEO_OVERLAY, bits >> 4 | NV3_PVIDEO_OVERLAY_ON);
    }
    fuzz_scanout();
}

static void access_vga(void)
{
    uint16_t port = 0x3b0 + fuzz_take(1) % 0x30;
    uint8_t val = fuzz_take(1);

    if (!nv3_vga_port_write(fuzz.s, port, val)) {
        nv3_vga_port_read(fuzz.s, port, &val);
    }
}

static void access_ramin(void)
{
    unsigned size = 1u << fuzz_take(1) % 3;
    uint32_t addr = fuzz_take(3) & (NV3_RAMIN_SIZE - size);

    nv3_ramin_write(fuzz.s, addr, fuzz_value(), size);
    nv3_ramin_read(fuzz.s, addr, size);
}

static void step(void)
{
    switch (fuzz_take(1) & 15) {
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
        switch (fuzz_take(1) & 3) {
        case 0:
            access_rma();
            break;
        case 1:
            set_mode();
            break;
        default:
            access_vga();
            break;
        }
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
        if (fuzz_take(1) & 3) {
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
        fuzz_advance();
        break;
    case 13:
        recover();
        break;
    case 14:
        if (fuzz_take(1) & 1) {
            fuzz_scanout();
        } else {
            fuzz_migrate();
        }
        break;
    default:
        fuzz_run(fuzz_take(1) + 1);
        break;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_start(data, size);
    set_up();
    make_first_objects();
    bind_first_objects();
    while (fuzz.left) {
        step();
    }
    fuzz_end();
    return 0;
}
