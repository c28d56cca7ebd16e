/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * PMC: the identity of the chip, the enabled engines, and the interrupt line. Source:
 * envytools, bus/pmc.
 */
#include "bus/bus.h"
#include "chip/state_table.h"

/* Bits of PMC_ENABLE for the engines of NV3 (envytools, bus/pmc). */
#define NV3_PMC_ENABLE_MASK     0x11111111

/*
 * The engines that a card's BIOS enables: memory, timer and display. QEMU's VGA BIOS does
 * not initialize the chip, so a reset enables these engines (docs/reference/chip/bus.md).
 */
#define NV3_PMC_ENABLE_POSTED \
    (NV3_PMC_ENABLE_PTIMER | NV3_PMC_ENABLE_PFB | NV3_PMC_ENABLE_PCRTC)

static uint32_t nv3_pmc_boot_0(NV3State *s)
{
    switch (s->config.revision) {
    case NV3_REVISION_A:
        return NV3_PMC_BOOT_0_REV_A;
    case NV3_REVISION_B:
        return NV3_PMC_BOOT_0_REV_B;
    case NV3_REVISION_C:
        break;
    }
    return NV3_PMC_BOOT_0_REV_C;
}

static uint32_t nv3_pmc_intr(NV3State *s)
{
    uint32_t intr = s->pmc.intr_soft;

    for (unsigned i = 0; i < s->engine_count; i++) {
        const NV3Engine *e = &s->engines[i];

        if (e->pending && e->pending(s)) {
            intr |= e->intr;
        }
    }
    return intr;
}

void nv3_update_irq(NV3State *s)
{
    uint32_t intr = nv3_pmc_intr(s);
    bool level = false;

    if (s->pmc.intr_en & NV3_PMC_INTR_EN_HARDWARE) {
        level |= (intr & ~NV3_PMC_INTR_SOFTWARE) != 0;
    }
    if (s->pmc.intr_en & NV3_PMC_INTR_EN_SOFTWARE) {
        level |= (intr & NV3_PMC_INTR_SOFTWARE) != 0;
    }
    if (level != s->pmc.irq_level) {
        s->pmc.irq_level = level;
        if (s->ops.irq_set) {
            s->ops.irq_set(s->opaque, level);
        }
    }
}

bool nv3_engine_enabled(NV3State *s, uint32_t pmc_enable_bit)
{
    return s->pmc.enable & pmc_enable_bit;
}

static void nv3_pmc_write_enable(NV3State *s, uint32_t val)
{
    uint32_t off = s->pmc.enable & ~val;

    s->pmc.enable = val & NV3_PMC_ENABLE_MASK;
    for (unsigned i = 0; i < s->engine_count; i++) {
        if (off & s->engines[i].enable) {
            s->engines[i].disabled(s);
        }
    }
    nv3_update_irq(s);
    nv3_kick(s);
}

uint32_t nv3_pmc_read(NV3State *s, uint32_t addr)
{
    switch (addr) {
    case NV3_PMC_BOOT_0:
        return nv3_pmc_boot_0(s);
    case NV3_PMC_INTR:
        return nv3_pmc_intr(s);
    case NV3_PMC_INTR_EN:
        return s->pmc.intr_en;
    case NV3_PMC_ENABLE:
        return s->pmc.enable;
    default:
        return nv3_unimp_read(s, "PMC", addr);
    }
}

void nv3_pmc_write(NV3State *s, uint32_t addr, uint32_t val)
{
    switch (addr) {
    case NV3_PMC_BOOT_0:
        nv3_log(s, GUEST_ERROR, "PMC_BOOT_0 is read only");
        break;
    case NV3_PMC_INTR:
        /* Software can set and clear only one bit of INTR, the software interrupt. */
        s->pmc.intr_soft = val & NV3_PMC_INTR_SOFTWARE;
        nv3_update_irq(s);
        break;
    case NV3_PMC_INTR_EN:
        s->pmc.intr_en = val & (NV3_PMC_INTR_EN_HARDWARE |
                                NV3_PMC_INTR_EN_SOFTWARE);
        nv3_update_irq(s);
        break;
    case NV3_PMC_ENABLE:
        nv3_pmc_write_enable(s, val);
        break;
    default:
        nv3_unimp_write(s, "PMC", addr, val);
        break;
    }
}

/* Does not reset @irq_level: nv3_reset() later updates the interrupt line. */
void nv3_pmc_reset(NV3State *s)
{
    s->pmc.intr_soft = 0;
    s->pmc.intr_en = 0;
    s->pmc.enable = NV3_PMC_ENABLE_POSTED;
}

static const NV3StateField pmc_fields[] = {
    NV3_SAVE_BITS(pmc.intr_soft, NV3_PMC_INTR_SOFTWARE),
    NV3_SAVE_BITS(pmc.intr_en, NV3_PMC_INTR_EN_HARDWARE |
                  NV3_PMC_INTR_EN_SOFTWARE),
    NV3_SAVE_BITS(pmc.enable, NV3_PMC_ENABLE_MASK),
    NV3_NOT_SAVED(pmc.irq_level),       /* set by nv3_update_irq() after a load */
};

const NV3StateBlock nv3_pmc_state =
    NV3_STATE_BLOCK("pmc", pmc_fields, .loaded = nv3_update_irq);
