/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * PEXTDEV: the straps, configuration bits that resistors on the board set at power-on. On
 * revision C (RIVA 128 ZX) software can override the straps. According to 86Box, BIOSes
 * of the ZX use this override.
 */
#include "bus/bus.h"
#include "chip/state_table.h"

uint32_t nv3_pextdev_read(NV3State *s, uint32_t addr)
{
    if (addr != NV3_PEXTDEV_BOOT_0) {
        return nv3_unimp_read(s, "PEXTDEV", addr);
    }
    return s->pextdev.override ? s->pextdev.override : s->straps;
}

void nv3_pextdev_write(NV3State *s, uint32_t addr, uint32_t val)
{
    if (addr != NV3_PEXTDEV_BOOT_0) {
        nv3_unimp_write(s, "PEXTDEV", addr, val);
    } else if (s->config.revision == NV3_REVISION_C) {
        s->pextdev.override = val & NV3_STRAPS_OVERRIDE ? val : 0;
    } else {
        nv3_log(s, GUEST_ERROR, "straps are read only before revision C");
    }
}

uint32_t nv3_crystal_hz(const NV3State *s)
{
    return s->straps & NV3_STRAPS_CRYSTAL_14318 ? 14318180 : 13500000;
}

/* The frequency is crystal * N / M / 2^P (envytools docs/hw/display/nv3/pramdac.rst). */
uint64_t nv3_pll_hz(const NV3State *s, uint32_t pll)
{
    uint32_t m = pll & NV3_PLL_M;
    uint32_t n = (pll & NV3_PLL_N) >> NV3_PLL_N_SHIFT;
    uint32_t p = (pll & NV3_PLL_P) >> NV3_PLL_P_SHIFT;

    return m ? ((uint64_t)nv3_crystal_hz(s) * n / m) >> p : 0;
}

/* Sets the straps that most cards have: 66 MHz PCI and a crystal of 13.5 MHz. */
void nv3_pextdev_reset(NV3State *s)
{
    s->straps = NV3_STRAPS_PCI_66MHZ | NV3_STRAPS_SUB_BIOS;
    if (s->vram_size > 2 << 20) {
        s->straps |= NV3_STRAPS_RAM_WIDTH_128;
    }
    if (s->config.acpi) {
        s->straps |= NV3_STRAPS_PM_CAP;
    }
    s->pextdev.override = 0;
}

static const NV3StateField pextdev_fields[] = {
    NV3_SAVE(straps),
    NV3_SAVE(pextdev.override),
};

const NV3StateBlock nv3_pextdev_state =
    NV3_STATE_BLOCK("pextdev", pextdev_fields);
