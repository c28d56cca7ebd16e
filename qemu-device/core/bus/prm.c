/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * PRM and PRAM: registers that remain from NV1, where PRM emulated sound cards in real
 * mode and PRAM set the size of RAMIN. No known software for this chip uses these
 * registers. Sources: envytools, rnndb bus/prm.xml and memory/nv1_pram.xml (of NV1);
 * 86Box, vid_nv3.h (INTR on this chip).
 */
#include "bus/bus.h"
#include "chip/state_table.h"

/*
 * One of these bits reports a logged port access. The meaning of the other two bits is
 * unknown.
 */
#define PRM_INTR_MASK       0x00111000
/* Bits for text mode and for the width of the DAC. */
#define PRM_CONFIG_MASK     0x00000011
/*
 * Size of RAMIN on NV1: 12, 20, 36 or 68 KiB. On NV3, registers of PFIFO set the sizes of
 * the areas in RAMIN instead.
 */
#define PRAM_SIZE_MASK      0x00000003

uint32_t nv3_prm_read(NV3State *s, uint32_t addr)
{
    switch (addr) {
    case NV3_PRM_INTR:      /* 0, because the model logs no port accesses */
        return 0;
    case NV3_PRM_INTR_EN:
        return s->prm.intr_en;
    case NV3_PRM_CONFIG:
        return s->prm.config;
    default:
        return nv3_unimp_read(s, "PRM", addr);
    }
}

void nv3_prm_write(NV3State *s, uint32_t addr, uint32_t val)
{
    switch (addr) {
    case NV3_PRM_INTR:
        break;
    case NV3_PRM_INTR_EN:
        s->prm.intr_en = val & PRM_INTR_MASK;
        break;
    case NV3_PRM_CONFIG:
        s->prm.config = val & PRM_CONFIG_MASK;
        break;
    default:
        nv3_unimp_write(s, "PRM", addr, val);
        break;
    }
}

void nv3_prm_reset(NV3State *s)
{
    memset(&s->prm, 0, sizeof(s->prm));
}

uint32_t nv3_pram_read(NV3State *s, uint32_t addr)
{
    return addr == NV3_PRAM_SIZE ? s->prm.ramin_size :
                                   nv3_unimp_read(s, "PRAM", addr);
}

void nv3_pram_write(NV3State *s, uint32_t addr, uint32_t val)
{
    if (addr == NV3_PRAM_SIZE) {
        s->prm.ramin_size = val & PRAM_SIZE_MASK;
    } else {
        nv3_unimp_write(s, "PRAM", addr, val);
    }
}

static const NV3StateField prm_fields[] = {
    NV3_SAVE_BITS(prm.intr_en, PRM_INTR_MASK),
    NV3_SAVE_BITS(prm.config, PRM_CONFIG_MASK),
    NV3_SAVE_BITS(prm.ramin_size, PRAM_SIZE_MASK),
};

const NV3StateBlock nv3_prm_state = NV3_STATE_BLOCK("prm", prm_fields);
