/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * PME, the mediaport (PMEDIA in envytools). The port connects the chip to a video or MPEG
 * decoder through a data bus (CCIR 656) and a control bus (VMI). The modelled boards have
 * no decoder, so the port behaves as if no device were attached. Registers keep their
 * values, no picture is received, no buffer is consumed, and reads from the VMI bus
 * return ones.
 *
 * Registers: 86Box, nv3_pme.c (INTR, INTR_EN) and vid_nv4_defines.h (of NV4).
 */
#include "bus/bus.h"
#include "chip/state_table.h"

#define PME_INTR_EN             0x200140
#define PME_INTR_EN_MASK        0x00011111
#define PME_VMI_POLL            0x200488
#define PME_EXTERNAL            0x200600
#define PME_EXTERNAL_END        0x200a00

#define ADDRESS_MASK            0xfffffff0
#define STATE_MASK              0x01111111

/*
 * Registers without an effect, in the order of NV3Pme.reg. Reads return the value that
 * was written last.
 */
static const struct {
    uint32_t addr;
    uint32_t mask;
} registers[NV3_PME_REGISTERS] = {
    { 0x200080, 0x00000011 },       /* DEBUG_0 */
    { 0x200084, 0x00000113 },       /* DEBUG_1 */
    { PME_INTR_EN, PME_INTR_EN_MASK },
    { 0x200200, 0x00011313 },       /* CONFIG_0: bus mode, captured data */
    { 0x200204, 0x00000011 },       /* CONFIG_1: buffers in system memory */
    { 0x200208, 0xff000011 },       /* NULL_DATA */
    /* compressed video: two buffers, and the owner of each buffer */
    { 0x200300, ADDRESS_MASK }, { 0x200304, ADDRESS_MASK },
    { 0x200308, ADDRESS_MASK }, { 0x20030c, ADDRESS_MASK },
    { 0x200310, 0xfffff000 }, { 0x200314, 0xfffff000 },
    { 0x200318, STATE_MASK }, { 0x20031c, 0x00110000 },
    { 0x200320, 0x00001111 },
    /* audio */
    { 0x200340, ADDRESS_MASK }, { 0x200344, ADDRESS_MASK },
    { 0x200348, ADDRESS_MASK }, { 0x20034c, ADDRESS_MASK },
    { 0x200350, 0xfffffc00 }, { 0x200354, 0xfffffc00 },
    { 0x200358, STATE_MASK }, { 0x20035c, 0x00110000 },
    { 0x200360, 0x00001111 },
    /* data that a video source sends during the vertical blank */
    { 0x200380, ADDRESS_MASK }, { 0x200384, ADDRESS_MASK },
    { 0x200388, 0x0000fff0 }, { 0x20038c, 0x0000fff0 },
    { 0x200390, ADDRESS_MASK }, { 0x200394, ADDRESS_MASK },
    { 0x200398, STATE_MASK }, { 0x20039c, 0x00111100 },
    { 0x2003a0, 0x00000011 }, { 0x2003a4, 0x001f001f },
    /* pictures */
    { 0x200400, ADDRESS_MASK }, { 0x200404, ADDRESS_MASK },
    { 0x200408, 0x0000fff0 }, { 0x20040c, 0x0000fff0 },
    { 0x200410, ADDRESS_MASK }, { 0x200414, ADDRESS_MASK },
    { 0x200418, STATE_MASK }, { 0x20041c, 0x00111100 },
    { 0x200420, 0x00000011 },
    { 0x200424, 0x0fff0fff }, { 0x200428, 0x0fff0fff },
    { 0x20042c, 0x000001ff },
    { 0x200480, ADDRESS_MASK },     /* FIFO_LINE_START */
};

static int find_register(uint32_t addr)
{
    for (unsigned i = 0; i < NV3_PME_REGISTERS; i++) {
        if (registers[i].addr == addr) {
            return i;
        }
    }
    return -1;
}

uint32_t nv3_pme_read(NV3State *s, uint32_t addr)
{
    int i = find_register(addr);

    if (i >= 0) {
        return s->pme.reg[i];
    }
    if (addr >= PME_EXTERNAL && addr < PME_EXTERNAL_END) {
        return UINT32_MAX;
    }
    switch (addr) {
    case NV3_PME_INTR:      /* no event occurs */
    case 0x200324:          /* positions in the unused buffers */
    case 0x200364:
    case 0x200484:
    case PME_VMI_POLL:
        return 0;
    default:
        return nv3_unimp_read(s, "PME", addr);
    }
}

void nv3_pme_write(NV3State *s, uint32_t addr, uint32_t val)
{
    int i = find_register(addr);

    if (i >= 0) {
        s->pme.reg[i] = val & registers[i].mask;
    } else if (addr != NV3_PME_INTR && addr != PME_VMI_POLL &&
               (addr < PME_EXTERNAL || addr >= PME_EXTERNAL_END)) {
        nv3_unimp_write(s, "PME", addr, val);
    }
}

void nv3_pme_reset(NV3State *s)
{
    memset(&s->pme, 0, sizeof(s->pme));
}

static const NV3StateField pme_fields[] = {
    NV3_SAVE(pme.reg),
};

const NV3StateBlock nv3_pme_state = NV3_STATE_BLOCK("pme", pme_fields);
