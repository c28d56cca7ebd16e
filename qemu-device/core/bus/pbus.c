/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * PBUS: access to the PCI configuration space through BAR0, the interrupt for failed bus
 * master accesses, and DEBUG registers. The bits of the DEBUG registers have no effect in
 * the model.
 */
#include "bus/bus.h"
#include "chip/cost.h"
#include "chip/state_table.h"

#define NV3_PBUS_PCI_END        (NV3_PBUS_PCI + 0x100)

/* Source of fields and defaults: rivatv's register notes. */
#define NV3_PBUS_DEBUG_0_MASK   0x0000ff11
#define NV3_PBUS_DEBUG_0_RESET  0x00003000
#define NV3_PBUS_DEBUG_1_MASK   0x0001ffff
#define NV3_PBUS_DEBUG_1_RESET  0x00001ce9

static uint32_t nv3_pbus_pci_read(NV3State *s, uint8_t offset)
{
    uint32_t val = 0;

    if (!s->ops.pci_config_read) {
        return UINT32_MAX;
    }
    for (unsigned i = 0; i < 4; i++) {
        val |= (uint32_t)s->ops.pci_config_read(s->opaque, offset + i) << i * 8;
    }
    return val;
}

static void nv3_pbus_pci_write(NV3State *s, uint8_t offset, uint32_t val)
{
    if (!s->ops.pci_config_write) {
        return;
    }
    for (unsigned i = 0; i < 4; i++) {
        s->ops.pci_config_write(s->opaque, offset + i, val >> i * 8);
    }
}

/*
 * Called when a bus master access has failed because the target or a bridge aborted it.
 */
static void pbus_error(NV3State *s)
{
    s->pbus.intr |= NV3_PBUS_INTR_BUS_ERROR;
    nv3_update_irq(s);
}

bool nv3_dma_read(NV3State *s, uint32_t addr, void *buf, size_t len)
{
    s->counters[NV3_PVIRT_COUNTER_DMA_BYTES] += len;
    nv3_step(BUS, 1);
    nv3_step(BYTE, len);
    if (s->ops.dma_read && s->ops.dma_read(s->opaque, addr, buf, len)) {
        return true;
    }
    pbus_error(s);
    return false;
}

bool nv3_dma_write(NV3State *s, uint32_t addr, const void *buf, size_t len)
{
    s->counters[NV3_PVIRT_COUNTER_DMA_BYTES] += len;
    nv3_step(BUS, 1);
    nv3_step(BYTE, len);
    if (s->ops.dma_write && s->ops.dma_write(s->opaque, addr, buf, len)) {
        return true;
    }
    pbus_error(s);
    return false;
}

bool nv3_rom_shadowed(const NV3State *s)
{
    return s->ops.pci_config_read &&
           (s->ops.pci_config_read(s->opaque, NV3_PCI_ROM_SHADOW) &
            NV3_PCI_ROM_SHADOW_ON);
}

bool nv3_pbus_irq(NV3State *s)
{
    return s->pbus.intr & s->pbus.intr_en;
}

uint32_t nv3_pbus_read(NV3State *s, uint32_t addr)
{
    if (addr >= NV3_PBUS_PCI && addr < NV3_PBUS_PCI_END) {
        return nv3_pbus_pci_read(s, addr - NV3_PBUS_PCI);
    }
    switch (addr) {
    case NV3_PBUS_DEBUG_0:
    case NV3_PBUS_DEBUG_1:
    case NV3_PBUS_DEBUG_2:
    case NV3_PBUS_DEBUG_3:
        return s->pbus.debug[(addr - NV3_PBUS_DEBUG_0) / 4];
    case NV3_PBUS_INTR:
        return s->pbus.intr;
    case NV3_PBUS_INTR_EN:
        return s->pbus.intr_en;
    default:
        return nv3_unimp_read(s, "PBUS", addr);
    }
}

void nv3_pbus_write(NV3State *s, uint32_t addr, uint32_t val)
{
    if (addr >= NV3_PBUS_PCI && addr < NV3_PBUS_PCI_END) {
        nv3_pbus_pci_write(s, addr - NV3_PBUS_PCI, val);
        return;
    }
    switch (addr) {
    case NV3_PBUS_DEBUG_0:
        s->pbus.debug[0] = val & NV3_PBUS_DEBUG_0_MASK;
        break;
    case NV3_PBUS_DEBUG_1:
        s->pbus.debug[1] = val & NV3_PBUS_DEBUG_1_MASK;
        break;
    case NV3_PBUS_DEBUG_2:
    case NV3_PBUS_DEBUG_3:
        s->pbus.debug[(addr - NV3_PBUS_DEBUG_0) / 4] = val;
        break;
    case NV3_PBUS_INTR:
        s->pbus.intr &= ~val;
        nv3_update_irq(s);
        break;
    case NV3_PBUS_INTR_EN:
        s->pbus.intr_en = val & NV3_PBUS_INTR_BUS_ERROR;
        nv3_update_irq(s);
        break;
    default:
        nv3_unimp_write(s, "PBUS", addr, val);
        break;
    }
}

void nv3_pbus_reset(NV3State *s)
{
    s->pbus = (NV3Pbus) {
        .debug = { NV3_PBUS_DEBUG_0_RESET, NV3_PBUS_DEBUG_1_RESET },
    };
}

static const NV3StateField pbus_fields[] = {
    NV3_SAVE(pbus.debug),
    NV3_SAVE_BITS(pbus.intr, NV3_PBUS_INTR_BUS_ERROR),
    NV3_SAVE_BITS(pbus.intr_en, NV3_PBUS_INTR_BUS_ERROR),
};

const NV3StateBlock nv3_pbus_state = NV3_STATE_BLOCK("pbus", pbus_fields);
