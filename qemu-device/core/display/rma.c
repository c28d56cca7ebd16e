/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Real-mode access (RMA): 32 bits at ports 0x3d0 to 0x3d3, through which a BIOS in real
 * mode accesses BAR0 and VRAM. CRTC register 0x38 enables RMA (bit 0) and selects the
 * register at the ports (bits 3:1). The block PRMA in BAR0 also contains some of these
 * registers. Sources: envytools docs/hw/display/nv3/pcrtc.rst, docs/hw/bus/prma.rst (list
 * of registers); 86Box nv3_pbus.c.
 */
#include "display/display.h"

#define RMA_ENABLE          0x01
#define RMA_SELECT_SHIFT    1
#define RMA_SELECT_MASK     7

enum {
    RMA_SIGNATURE = 0,
    RMA_ADDRESS = 1,
    RMA_DATA = 2,
    RMA_PARTIAL = 3,        /* like DATA, but accesses one byte at a time */
    RMA_DATA_NEXT = 4,      /* like DATA, but afterwards adds 4 to the address */
    RMA_PARTIAL_NEXT = 5,
};


/* Reads from BAR0. If @addr is beyond the size of BAR0, reads from BAR1. */
static uint32_t target_read(NV3State *s, uint32_t addr, unsigned size)
{
    uint32_t offset = addr - NV3_BAR0_SIZE;
    uint32_t val = 0;

    if (addr < NV3_BAR0_SIZE) {
        return s->mmio_read(s, addr, size);
    }
    if (offset < s->vram_reach) {
        for (unsigned i = 0; i < size; i++) {
            val |= (uint32_t)s->vram[offset + i] << i * 8;
        }
        return val;
    }
    if (offset - NV3_BAR1_RAMIN < NV3_RAMIN_SIZE) {
        return nv3_ramin_read(s, offset - NV3_BAR1_RAMIN, size);
    }
    return 0;
}

static void target_write(NV3State *s, uint32_t addr, uint32_t val,
                         unsigned size)
{
    uint32_t offset = addr - NV3_BAR0_SIZE;

    if (addr < NV3_BAR0_SIZE) {
        s->mmio_write(s, addr, val, size);
    } else if (offset < s->vram_reach) {
        for (unsigned i = 0; i < size; i++) {
            s->vram[offset + i] = val >> i * 8;
        }
        nv3_vram_dirty(s, offset, size);
    } else if (offset - NV3_BAR1_RAMIN < NV3_RAMIN_SIZE) {
        nv3_ramin_write(s, offset - NV3_BAR1_RAMIN, val, size);
    }
}

/*
 * Reads @size bytes at the address register's value plus @byte. The target can be RMA
 * itself. To prevent recursion, returns 0 if an RMA access is already in progress.
 */
static uint32_t fetch(NV3State *s, unsigned byte, unsigned size)
{
    NV3Rma *rma = &s->display.rma;
    uint32_t val;

    if (rma->busy) {
        nv3_log(s, GUEST_ERROR, "rma: access to its own port");
        return 0;
    }
    rma->busy = true;
    val = target_read(s, (rma->address & ~3u) + byte, size);
    rma->busy = false;
    return val;
}

static void store(NV3State *s, unsigned byte, uint32_t val, unsigned size)
{
    NV3Rma *rma = &s->display.rma;

    if (rma->busy) {
        nv3_log(s, GUEST_ERROR, "rma: access to its own port");
        return;
    }
    rma->busy = true;
    target_write(s, (rma->address & ~3u) + byte, val, size);
    rma->busy = false;
}

/* ---- the port ------------------------------------------------------------ */

static bool enabled(const NV3State *s)
{
    return s->display.crtc[NV3_CRTC_RMA] & RMA_ENABLE;
}

static unsigned selected(const NV3State *s)
{
    return s->display.crtc[NV3_CRTC_RMA] >> RMA_SELECT_SHIFT & RMA_SELECT_MASK;
}

/*
 * After an access to byte 3, adds 4 to the address register if DATA_NEXT or PARTIAL_NEXT
 * is selected.
 */
static void move_on(NV3State *s, unsigned byte)
{
    unsigned what = selected(s);

    if (byte == 3 && (what == RMA_DATA_NEXT || what == RMA_PARTIAL_NEXT)) {
        s->display.rma.address += 4;
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
        *val = NV3_RMA_SIGNATURE >> byte * 8;
        break;
    case RMA_ADDRESS:
        *val = rma->address >> byte * 8;
        break;
    case RMA_DATA:
    case RMA_DATA_NEXT:
        /*
         * A read of the first port fetches all four bytes. Reads of the other ports
         * return the fetched bytes.
         */
        if (byte == 0) {
            rma->data = fetch(s, 0, 4);
        }
        *val = rma->data >> byte * 8;
        break;
    case RMA_PARTIAL:
    case RMA_PARTIAL_NEXT:
        *val = fetch(s, byte, 1);
        break;
    default:
        nv3_log(s, UNIMP, "rma: read of register %u", selected(s));
        *val = 0;
        break;
    }
    move_on(s, byte);
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
    case RMA_DATA_NEXT:
        rma->data = (rma->data & ~mask) | (uint32_t)val << byte * 8;
        if (byte == 3) {
            store(s, 0, rma->data, 4);
        }
        break;
    case RMA_PARTIAL:
    case RMA_PARTIAL_NEXT:
        store(s, byte, val, 1);
        break;
    default:
        nv3_log(s, UNIMP, "rma: write to register %u", selected(s));
        break;
    }
    move_on(s, byte);
    return true;
}

/*
 * Reads four bytes at once. For PARTIAL and PARTIAL_NEXT, executes a single access of
 * four bytes to the target. For the other registers, returns the same bytes as reads of
 * the four ports. Returns false if RMA is disabled.
 */
bool nv3_rma_read_32(NV3State *s, uint32_t *val)
{
    unsigned what = selected(s);
    uint8_t byte = 0;

    if (!enabled(s)) {
        return false;
    }
    *val = 0;
    if (what == RMA_PARTIAL || what == RMA_PARTIAL_NEXT) {
        *val = fetch(s, 0, 4);
        move_on(s, 3);
        return true;
    }
    for (unsigned i = 0; i < 4; i++) {
        nv3_rma_read(s, i, &byte);
        *val |= (uint32_t)byte << i * 8;
    }
    return true;
}

bool nv3_rma_write_32(NV3State *s, uint32_t val)
{
    unsigned what = selected(s);

    if (!enabled(s)) {
        return false;
    }
    if (what == RMA_PARTIAL || what == RMA_PARTIAL_NEXT) {
        store(s, 0, val, 4);
        move_on(s, 3);
        return true;
    }
    for (unsigned i = 0; i < 4; i++) {
        nv3_rma_write(s, i, val >> i * 8);
    }
    return true;
}

/* ---- PRMA ---------------------------------------------------------------- */

uint32_t nv3_prma_read(NV3State *s, uint32_t addr)
{
    uint32_t val;

    switch (addr) {
    case NV3_PRMA_SIGNATURE:
        return NV3_RMA_SIGNATURE;
    case NV3_PRMA_ADDRESS:
        return s->display.rma.address;
    case NV3_PRMA_PARTIAL:
        return fetch(s, 0, 4);
    case NV3_PRMA_PARTIAL_NEXT:
        val = fetch(s, 0, 4);
        s->display.rma.address += 4;
        return val;
    default:
        return nv3_unimp_read(s, "PRMA", addr);
    }
}

void nv3_prma_write(NV3State *s, uint32_t addr, uint32_t val)
{
    switch (addr) {
    case NV3_PRMA_SIGNATURE:
        nv3_log(s, GUEST_ERROR, "PRMA's signature is read only");
        break;
    case NV3_PRMA_ADDRESS:
        s->display.rma.address = val;
        break;
    case NV3_PRMA_PARTIAL:
        store(s, 0, val, 4);
        break;
    case NV3_PRMA_PARTIAL_NEXT:
        store(s, 0, val, 4);
        s->display.rma.address += 4;
        break;
    default:
        nv3_unimp_write(s, "PRMA", addr, val);
        break;
    }
}
