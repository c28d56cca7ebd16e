/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * PRAMDAC: PLLs, RAMDAC control, and the cursor's position. Masks: rnndb
 * display/nv3_pramdac.xml and rivatv's notes ("RAMDAC"). The board has no TV encoder, so
 * the TV timing registers at 0x680700 have no effect.
 */
#include "bus/bus.h"
#include "display/display.h"

#define CURSOR_POS_MASK     0x0fff0fff
#define PLL_MASK            (NV3_PLL_M | NV3_PLL_N | NV3_PLL_P)
#define PLL_CONTROL_MASK    0x13111111
#define GENERAL_MASK        0x111f1133
#define TV_MASK             0x000007ff

/*
 * Reset values of MPLL, for a memory clock of 100 MHz. QEMU's VGA BIOS does not program
 * this clock, unlike the BIOS of a real board. M must not be 0, because xf86-video-nv
 * divides by M.
 */
#define MPLL_13500          (200 << NV3_PLL_N_SHIFT | 27)
#define MPLL_14318          (77 << NV3_PLL_N_SHIFT | 11)

static bool is_tv(uint32_t addr)
{
    return addr >= NV3_PRAMDAC_TV(0) &&
           addr < NV3_PRAMDAC_TV(NV3_PRAMDAC_TV_COUNT);
}

uint32_t nv3_pramdac_read(NV3State *s, uint32_t addr)
{
    const NV3Display *d = &s->display;

    if (is_tv(addr)) {
        return d->tv[(addr - NV3_PRAMDAC_TV(0)) / 4];
    }
    switch (addr) {
    case NV3_PRAMDAC_CURSOR_POS:
        return d->cursor_pos;
    case NV3_PRAMDAC_DLL:
        return d->dll;
    case NV3_PRAMDAC_MPLL:
        return d->mpll;
    case NV3_PRAMDAC_VPLL:
        return d->vpll;
    case NV3_PRAMDAC_PLL_CONTROL:
        return d->pll_control;
    case NV3_PRAMDAC_GENERAL:
        return d->general;
    default:
        nv3_log(s, UNIMP, "pramdac: read of 0x%06x", addr);
        return 0;
    }
}

void nv3_pramdac_write(NV3State *s, uint32_t addr, uint32_t val)
{
    NV3Display *d = &s->display;

    if (is_tv(addr)) {
        d->tv[(addr - NV3_PRAMDAC_TV(0)) / 4] = val & TV_MASK;
        return;
    }
    switch (addr) {
    case NV3_PRAMDAC_CURSOR_POS:
        d->cursor_pos = val & CURSOR_POS_MASK;
        break;
    case NV3_PRAMDAC_DLL:
        d->dll = val & PLL_MASK;
        break;
    case NV3_PRAMDAC_MPLL:
        nv3_ptimer_hold(s);
        d->mpll = val & PLL_MASK;
        nv3_ptimer_rearm(s);
        break;
    case NV3_PRAMDAC_VPLL:
        d->vpll = val & PLL_MASK;
        nv3_display_retime(s);
        break;
    case NV3_PRAMDAC_PLL_CONTROL:
        d->pll_control = val & PLL_CONTROL_MASK;
        nv3_display_retime(s);
        break;
    case NV3_PRAMDAC_GENERAL:
        d->general = val & GENERAL_MASK;
        d->changed = true;
        break;
    default:
        nv3_log(s, UNIMP, "pramdac: write of 0x%08x to 0x%06x", val, addr);
        break;
    }
}

void nv3_pramdac_reset(NV3State *s)
{
    s->display.mpll = s->straps & NV3_STRAPS_CRYSTAL_14318 ?
                      MPLL_14318 : MPLL_13500;
}
