/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * PFB: reports the size of the memory, and powers down parts of the chip. The model does
 * not emulate the timing of SGRAM, so the timing registers have no effect. Fields:
 * rivatv's register notes, rnndb memory/nv3_pfb.xml.
 */
#include "chip/state_table.h"
#include "display/display.h"

/*
 * The model sets this value at a reset. On real cards, the BIOS writes it (86Box's
 * notes).
 */
#define NV3_PFB_CONFIG_0_POSTED 0x00001114

#define NV3_PFB_DELAY_1_MASK    0x00333333
#define NV3_PFB_DEBUG_0_MASK    0x70103f11
#define NV3_PFB_RTL_MASK        0x11333333
#define NV3_PFB_RTL_RESET       0x00111222
#define NV3_PFB_CONFIG_0_MASK   0x00fff33f

/* On revision C the layout of the fields differs. Both layouts are from rnndb. */
static uint32_t nv3_pfb_boot_0(NV3State *s)
{
    uint32_t width = NV3_PFB_BOOT_0_WIDTH_128;

    switch (s->vram_size) {
    case 2 << 20:
        return NV3_PFB_BOOT_0_RAM_2MB;  /* cards with 2 MiB have a 64-bit bus */
    case 4 << 20:
        return NV3_PFB_BOOT_0_RAM_4MB | width;
    default:
        return NV3_PFB_BOOT_0_RAM_8MB_C | width | NV3_PFB_BOOT_0_BANKS_4 |
               NV3_PFB_BOOT_0_8MB;
    }
}

uint32_t nv3_pfb_read(NV3State *s, uint32_t addr)
{
    switch (addr) {
    case NV3_PFB_BOOT_0:
        return nv3_pfb_boot_0(s);
    case NV3_PFB_DELAY_1:
        return s->pfb.delay_1;
    case NV3_PFB_DEBUG_0:
        return s->pfb.debug_0;
    case NV3_PFB_GREEN_0:
        return s->pfb.green_0;
    case NV3_PFB_RTL:
        return s->pfb.rtl;
    case NV3_PFB_CONFIG_0:
    case NV3_PFB_CONFIG_1:
        return s->pfb.config[(addr - NV3_PFB_CONFIG_0) / 4];
    default:
        return nv3_unimp_read(s, "PFB", addr);
    }
}

void nv3_pfb_write(NV3State *s, uint32_t addr, uint32_t val)
{
    switch (addr) {
    case NV3_PFB_BOOT_0:
        nv3_log(s, GUEST_ERROR, "PFB_BOOT_0 <- 0x%08x: memory can't be resized",
                val);
        break;
    case NV3_PFB_DELAY_1:
        s->pfb.delay_1 = val & NV3_PFB_DELAY_1_MASK;
        break;
    case NV3_PFB_DEBUG_0:
        s->pfb.debug_0 = val & NV3_PFB_DEBUG_0_MASK;
        break;
    case NV3_PFB_GREEN_0:
        s->pfb.green_0 = val & NV3_PFB_GREEN_0_LEVEL;
        nv3_display_retime(s);
        break;
    case NV3_PFB_RTL:
        s->pfb.rtl = val & NV3_PFB_RTL_MASK;
        break;
    case NV3_PFB_CONFIG_0:
        s->pfb.config[0] = val & NV3_PFB_CONFIG_0_MASK;
        break;
    case NV3_PFB_CONFIG_1:
        s->pfb.config[1] = val;
        break;
    default:
        nv3_unimp_write(s, "PFB", addr, val);
        break;
    }
}

void nv3_pfb_reset(NV3State *s)
{
    s->pfb = (NV3Pfb) {
        .rtl = NV3_PFB_RTL_RESET,
        .config = { NV3_PFB_CONFIG_0_POSTED },
    };
}

static const NV3StateField pfb_fields[] = {
    NV3_SAVE_BITS(pfb.delay_1, NV3_PFB_DELAY_1_MASK),
    NV3_SAVE_BITS(pfb.debug_0, NV3_PFB_DEBUG_0_MASK),
    NV3_SAVE_BITS(pfb.green_0, NV3_PFB_GREEN_0_LEVEL),
    NV3_SAVE_BITS(pfb.rtl, NV3_PFB_RTL_MASK),
    NV3_SAVE(pfb.config),
};

const NV3StateBlock nv3_pfb_state = NV3_STATE_BLOCK("pfb", pfb_fields);
