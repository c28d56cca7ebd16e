/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fuzzes the loading of a state that QEMU's VMState has read from a hostile migration
 * stream. Any block may be missing, and a value may be any bit pattern of its type. The
 * input is either a whole state, or changes to the state of a working chip. The chip may
 * accept or refuse the state. In both cases, it must still run, respond to accesses and
 * scan out, and the fuzzer must be able to save, load and reset it. It must not write
 * outside VRAM. libFuzzer calls the entry point LLVMFuzzerTestOneInput(). Without
 * libFuzzer, replay.c calls it.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "api/nv3.h"
#include "nv3_class.h"
#include "nv3_regs.h"
#include "saved.h"

#define VRAM_SIZE       (2u << 20)
#define GUARD           4096
#define STATE_MAX      0x10000
#define SLICES          8

typedef struct Fuzz {
    NV3State *s;
    const uint8_t *in;
    size_t left;
    uint64_t now;
    bool irq;
} Fuzz;

static Fuzz fuzz;
static uint8_t vram_guarded[VRAM_SIZE + 2 * GUARD];
static uint8_t *const vram = vram_guarded + GUARD;

static void require(bool ok, const char *what)
{
    if (!ok) {
        fprintf(stderr, "fuzz_state: %s\n", what);
        abort();
    }
}

/* Returns the next @bytes bytes of the input. Bytes after the end of the input are 0. */
static uint32_t take(unsigned bytes)
{
    uint32_t val = 0;

    for (unsigned i = 0; i < bytes && fuzz.left; i++, fuzz.left--) {
        val |= (uint32_t)*fuzz.in++ << i * 8;
    }
    return val;
}

static uint64_t op_clock(void *opaque)
{
    return fuzz.now;
}

/* Reads from every bus address succeed. The data depend on the address. */
static bool op_dma_read(void *opaque, uint32_t addr, void *buf, size_t len)
{
    memset(buf, addr >> 12, len);
    return true;
}

static bool op_dma_write(void *opaque, uint32_t addr, const void *buf,
                         size_t len)
{
    return true;
}

static void op_irq_set(void *opaque, bool level)
{
    require(level != fuzz.irq, "INTA told twice of the same level");
    fuzz.irq = level;
}

static void op_vram_dirty(void *opaque, uint32_t offset, uint32_t len)
{
    require((uint64_t)offset + len <= VRAM_SIZE,
            "more VRAM dirty than there is");
}

static const NV3Ops ops = {
    .clock_ns = op_clock,
    .dma_read = op_dma_read,
    .dma_write = op_dma_write,
    .irq_set = op_irq_set,
    .vram_dirty = op_vram_dirty,
};

static void wr32(uint32_t addr, uint32_t val)
{
    nv3_mmio_write(fuzz.s, addr, val, 4);
}

/*
 * Prepares PGRAPH for drawing and fills PFIFO with methods, so that the saved state
 * contains every block.
 */
static void set_up(void)
{
    wr32(NV3_PMC_ENABLE, 0xffffffff);
    wr32(NV3_PMC_INTR_EN, 3);
    wr32(NV3_PFIFO_RAMHT, 3 << NV3_PFIFO_RAMHT_SIZE_SHIFT);
    wr32(NV3_PFIFO_CACHE1_PUSH_ACCESS, 1);
    wr32(NV3_PFIFO_CACHES, 1);
    wr32(NV3_PGRAPH_CTX_CONTROL, NV3_PGRAPH_CTX_CONTROL_CHID_VALID);
    wr32(NV3_PGRAPH_CTX_USER, take(1) % 0x20 << 16);
    wr32(NV3_PGRAPH_CTX_SWITCH, NV3_GROBJ_OP_SRCCOPY << NV3_GROBJ_OP_SHIFT |
         1u << NV3_GROBJ_DST_SHIFT);
    wr32(NV3_PGRAPH_DST_CANVAS_MAX, NV3_PGRAPH_CANVAS_MASK);
    wr32(NV3_PGRAPH_SRC_CANVAS_MAX, NV3_PGRAPH_CANVAS_MASK);
    wr32(NV3_PGRAPH_SURF_PITCH(0), 0x500);
    wr32(NV3_PGRAPH_SURF_CONFIG, 0x6666);
    wr32(NV3_PGRAPH_INTR_EN, NV3_PGRAPH_INTR_ALL);
    wr32(NV3_PGRAPH_FIFO_ENABLE, 1);
    for (uint32_t i = 0; i < 8; i++) {
        wr32(NV3_USER_ADDR(0, i, 0x300 + i * 4), i);
    }
    wr32(NV3_PFIFO_CACHE1_PULL_CTRL, 1);
}

/*
 * Copies the input to the saved state @buf. Blocks after the end of the input are marked
 * as missing.
 */
static void take_all(uint8_t *buf)
{
    size_t size = saved_size();

    memset(buf, 0, size);
    memcpy(buf, fuzz.in, fuzz.left < size ? fuzz.left : size);
}

/*
 * Saves the state of the working chip to @buf. Afterwards, inverts whether some blocks
 * are present, and overwrites up to 31 sequences of at most 7 bytes with the input.
 */
static void change(uint8_t *buf)
{
    size_t size = saved_size();
    uint32_t without = take(1) & 1 ? take(4) : 0;

    saved_take(fuzz.s, buf);
    for (unsigned i = 1; i < nv3_state_block_count; i++) {
        if (without >> i & 1) {
            buf[saved_block(i)] ^= 1;
        }
    }
    for (unsigned changes = take(1) % 32; changes; changes--) {
        size_t at = take(2) % size;

        for (unsigned n = take(1) % 8; n && at < size; n--) {
            buf[at++] = take(1);
        }
    }
}

static void scanout(void)
{
    static uint32_t line[65536];
    NV3Scanout out;

    nv3_scanout(fuzz.s, &out);
    require(out.width <= 65536, "a line is longer than in any mode");
    if (out.format != NV3_SCANOUT_VGA && out.height) {
        nv3_scanout_line(fuzz.s, &out, 0, line);
        nv3_scanout_line(fuzz.s, &out, out.height - 1, line);
    }
}

static void dump_line(void *ctx, const char *text)
{
    require(strlen(text) < 256, "a line of the dump is too long");
}

/* Performs operations of guests and hosts on the loaded chip. */
static void use(void)
{
    static const uint32_t pages[] = {
        0x000000, 0x001000, 0x002000, 0x003000, 0x009000, 0x00e000, 0x100000,
        0x101000, 0x400000, 0x401000, 0x601000, 0x680000, 0x681000, 0x800000,
    };
    static uint8_t state[STATE_MAX];
    NV3LoadError error;

    for (unsigned i = 0; i < SLICES && nv3_run(fuzz.s, 16); i++) {
        continue;
    }
    scanout();
    fuzz.now += 20000000;
    nv3_timer_expired(fuzz.s, NV3_TIMER_ALARM);
    nv3_timer_expired(fuzz.s, NV3_TIMER_VBLANK);
    for (unsigned i = 0; i < sizeof(pages) / sizeof(pages[0]); i++) {
        for (uint32_t addr = pages[i]; addr < pages[i] + 0x1000; addr += 4) {
            nv3_mmio_read(fuzz.s, addr, 4);
        }
    }
    nv3_dump(fuzz.s, dump_line, NULL);
    saved_take(fuzz.s, state);
    require(saved_put(fuzz.s, state, &error), "the saved state cannot be loaded");
}

static void check_guards(void)
{
    static const uint8_t zeroes[GUARD];

    require(!memcmp(vram_guarded, zeroes, GUARD) &&
            !memcmp(vram + VRAM_SIZE, zeroes, GUARD), "a write outside VRAM");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const NV3Config config = {
        .revision = NV3_REVISION_C, .vram_size = VRAM_SIZE, .virt = true,
        .save_prefetch = true, .programs = true,
    };
    static uint8_t buf[STATE_MAX];
    NV3LoadError error = { "" };
    bool raw, ok;

    memset(&fuzz, 0, sizeof(fuzz));
    memset(vram_guarded, 0, sizeof(vram_guarded));
    fuzz.in = data;
    fuzz.left = size;
    fuzz.now = 1000000000;
    require(saved_size() <= STATE_MAX, "a state that is too large");
    fuzz.s = nv3_new(&config, &ops, NULL, vram, NULL);
    require(fuzz.s, "no chip");
    raw = take(1) == 0xff;
    set_up();
    if (raw) {
        take_all(buf);
    } else {
        change(buf);
    }
    ok = saved_put(fuzz.s, buf, &error);
    require(ok || error.text[0], "refused without a reason");
    use();
    nv3_reset(fuzz.s);
    require(!fuzz.irq, "INTA is up after reset");
    nv3_free(fuzz.s);
    check_guards();
    return 0;
}
