/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * PVIRT: a block with the registers of all features that real chips do not have. The
 * property `virt=off` removes PVIRT. Before a driver uses such a feature, it must check
 * the feature's bit in FEATURES.
 */
#include "blocks.h"
#include "bus/bus.h"
#include "chip/state_table.h"
#include "display/display.h"
#include "graph/class.h"

/*
 * A read of a counter's low word latches the counter's high word. A read of the high word
 * returns the latched high word.
 */
static uint32_t nv3_pvirt_read_counter(NV3State *s, uint32_t addr)
{
    uint32_t index = (addr - NV3_PVIRT_COUNTER(0)) / 8;

    if (addr & 4) {
        return s->pvirt.counter_high;
    }
    s->pvirt.counter_high = s->counters[index] >> 32;
    return s->counters[index];
}

/*
 * Returns class 0x1F, the only class with registers in PVIRT, or null if the chip lacks
 * it.
 */
static const NV3Class *nv3_pvirt_class(NV3State *s)
{
    return s->config.programs ? s->classes[NV3_CLASS_PROGRAMS] : NULL;
}

uint32_t nv3_pvirt_read(NV3State *s, uint32_t addr)
{
    const NV3Class *class = nv3_pvirt_class(s);
    uint32_t val;

    if (!s->config.virt) {
        return nv3_unimp_read(s, "PVIRT (off)", addr);
    }
    if (addr >= NV3_PVIRT_COUNTER(0) &&
        addr < NV3_PVIRT_COUNTER(NV3_PVIRT_COUNTER_COUNT)) {
        return nv3_pvirt_read_counter(s, addr);
    }
    switch (addr) {
    case NV3_PVIRT_MAGIC:
        return NV3_PVIRT_MAGIC_VALUE;
    case NV3_PVIRT_VERSION:
        return NV3_PVIRT_VERSION_1;
    case NV3_PVIRT_FEATURES:
        return NV3_PVIRT_FEATURE_CRC | NV3_PVIRT_FEATURE_COUNTERS |
               NV3_PVIRT_FEATURE_CLASSES | NV3_PVIRT_FEATURE_MONITOR |
               (s->config.programs ? NV3_PVIRT_FEATURE_PROGRAMS |
                                     NV3_PVIRT_FEATURE_MULTISAMPLE : 0);
    case NV3_PVIRT_FRAME:
        return nv3_display_frame(s);
    case NV3_PVIRT_CRC:
        return nv3_display_crc(s);
    case NV3_PVIRT_CRC_FRAME:
        return nv3_display_crc_frame(s);
    case NV3_PVIRT_CLASSES:
        return (nv3_classes() & ~s->config.without_classes) |
               (uint32_t)s->config.programs << NV3_CLASS_PROGRAMS;
    case NV3_PVIRT_INTR:
        return s->pvirt.intr;
    case NV3_PVIRT_INTR_EN:
        return s->pvirt.intr_en;
    case NV3_PVIRT_VRAM_SIZE:
        if (s->config.programs) {
            return s->vram_size;
        }
        break;
    default:
        break;
    }
    if (class && class->pvirt_read(s, addr, &val)) {
        return val;
    }
    return nv3_unimp_read(s, "PVIRT", addr);
}

void nv3_pvirt_write(NV3State *s, uint32_t addr, uint32_t val)
{
    const NV3Class *class = nv3_pvirt_class(s);

    if (!s->config.virt) {
        nv3_unimp_write(s, "PVIRT (off)", addr, val);
        return;
    }
    switch (addr) {
    case NV3_PVIRT_INTR:
        s->pvirt.intr &= ~val;
        nv3_update_irq(s);
        break;
    case NV3_PVIRT_INTR_EN:
        s->pvirt.intr_en = val & (NV3_PVIRT_INTR_MONITOR |
                                  (s->config.programs ? NV3_PVIRT_INTR_GRCTX : 0));
        nv3_update_irq(s);
        break;
    default:
        if (!class || !class->pvirt_write(s, addr, val)) {
            nv3_log(s, GUEST_ERROR, "PVIRT: 0x%06x is read only (<- 0x%08x)",
                    addr, val);
        }
        break;
    }
}

bool nv3_pvirt_irq(NV3State *s)
{
    return s->pvirt.intr & s->pvirt.intr_en;
}

void nv3_monitor_changed(NV3State *s)
{
    if (s->config.virt) {
        s->pvirt.intr |= NV3_PVIRT_INTR_MONITOR;
        nv3_update_irq(s);
    }
}

void nv3_pvirt_reset(NV3State *s)
{
    s->pvirt = (NV3Pvirt) {};
}

static const NV3StateField pvirt_fields[] = {
    NV3_SAVE(counters),
    NV3_SAVE(pvirt.counter_high),
    NV3_SAVE(pvirt.intr),
    NV3_SAVE(pvirt.intr_en),
};

static bool pvirt_needed(void *opaque)
{
    const NV3Image *image = opaque;

    return image->chip.config.virt;
}

const NV3StateBlock nv3_pvirt_state =
    NV3_STATE_BLOCK("pvirt", pvirt_fields, .needed = pvirt_needed);
