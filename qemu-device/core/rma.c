/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Real-mode access: 32 bits at ports 0x3d0 to 0x3d3 by which a BIOS in real mode
 * reaches BAR0 and VRAM. CRTC register 0x38 turns it on (bit 0) and says what
 * the port is (bits 3:1).
 *
 * Facts: envytools docs/hw/display/nv3/pcrtc.rst; the signature and what each
 * number selects, 86Box nv3_pbus.c.
 */
#include "nv3_int.h"

#define RMA_ENABLE          0x01
#define RMA_SELECT_SHIFT    1
#define RMA_SELECT_MASK     7

enum {
    RMA_SIGNATURE = 0,
    RMA_ADDRESS = 1,
    RMA_DATA = 2,
    RMA_DATA_2 = 3,
    RMA_DATA_NEXT = 4,      /* the address then moves on by 4 */
};

#define RMA_SIGNATURE_VALUE 0x2b16d065u

/* Above BAR0 in its address space: BAR1. */
static uint32_t target_read(NV3State *s, uint32_t addr)
{
    uint32_t offset = addr - NV3_BAR0_SIZE;

    if (addr < NV3_BAR0_SIZE) {
        return nv3_mmio_read(s, addr, 4);
    }
    if (offset < s->vram_size) {
        const uint8_t *p = s->vram + offset;

        return p[0] | p[1] << 8 | p[2] << 16 | (uint32_t)p[3] << 24;
    }
    if (offset - NV3_BAR1_RAMIN < NV3_RAMIN_SIZE) {
        return nv3_ramin_read(s, offset - NV3_BAR1_RAMIN, 4);
    }
    return 0;
}

static void target_write(NV3State *s, uint32_t addr, uint32_t val)
{
    uint32_t offset = addr - NV3_BAR0_SIZE;

    if (addr < NV3_BAR0_SIZE) {
        nv3_mmio_write(s, addr, val, 4);
    } else if (offset < s->vram_size) {
        uint8_t *p = s->vram + offset;

        p[0] = val;
        p[1] = val >> 8;
        p[2] = val >> 16;
        p[3] = val >> 24;
        nv3_vram_dirty(s, offset, 4);
    } else if (offset - NV3_BAR1_RAMIN < NV3_RAMIN_SIZE) {
        nv3_ramin_write(s, offset - NV3_BAR1_RAMIN, val, 4);
    }
}

static bool enabled(const NV3State *s)
{
    return s->display.crtc[NV3_CRTC_RMA] & RMA_ENABLE;
}

static unsigned selected(const NV3State *s)
{
    return s->display.crtc[NV3_CRTC_RMA] >> RMA_SELECT_SHIFT & RMA_SELECT_MASK;
}

/* The four ports are the bytes of one register; its first byte fetches it. */
static void fetch(NV3State *s)
{
    NV3Rma *rma = &s->display.rma;

    if (!rma->busy) {
        rma->busy = true;
        rma->data = target_read(s, rma->address & ~3u);
        rma->busy = false;
    }
}

static void store(NV3State *s)
{
    NV3Rma *rma = &s->display.rma;

    if (rma->busy) {
        nv3_log(s, GUEST_ERROR, "rma: access to its own port");
        return;
    }
    rma->busy = true;
    target_write(s, rma->address & ~3u, rma->data);
    rma->busy = false;
    if (selected(s) == RMA_DATA_NEXT) {
        rma->address += 4;
    }
}

bool nv3_rma_read(NV3State *s, uint16_t port, uint8_t *val)
{
    NV3Rma *rma = &s->display.rma;
    unsigned byte = port & 3;

    if (!enabled(s)) {
        return false;
    }
    switch (selected(s)) {
    case RMA_SIGNATURE:
        *val = RMA_SIGNATURE_VALUE >> byte * 8;
        break;
    case RMA_ADDRESS:
        *val = rma->address >> byte * 8;
        break;
    case RMA_DATA:
    case RMA_DATA_2:
    case RMA_DATA_NEXT:
        if (byte == 0) {
            fetch(s);
        }
        *val = rma->data >> byte * 8;
        if (byte == 3 && selected(s) == RMA_DATA_NEXT) {
            rma->address += 4;
        }
        break;
    default:
        nv3_log(s, UNIMP, "rma: read of register %u", selected(s));
        *val = 0;
        break;
    }
    return true;
}

bool nv3_rma_write(NV3State *s, uint16_t port, uint8_t val)
{
    NV3Rma *rma = &s->display.rma;
    unsigned byte = port & 3;
    uint32_t mask = 0xffu << byte * 8;

    if (!enabled(s)) {
        return false;
    }
    switch (selected(s)) {
    case RMA_SIGNATURE:
        break;
    case RMA_ADDRESS:
        rma->address = (rma->address & ~mask) | (uint32_t)val << byte * 8;
        break;
    case RMA_DATA:
    case RMA_DATA_2:
    case RMA_DATA_NEXT:
        rma->data = (rma->data & ~mask) | (uint32_t)val << byte * 8;
        if (byte == 3) {
            store(s);
        }
        break;
    default:
        nv3_log(s, UNIMP, "rma: write to register %u", selected(s));
        break;
    }
    return true;
}
