/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * RAMIN: the last megabyte of VRAM, with its 16-byte blocks in descending order. The
 * VRAM address is the RAMIN address xor (VRAM size - 16).
 */
#include "bus/bus.h"
#include "chip/cost.h"

static uint32_t nv3_ramin_offset(NV3State *s, uint32_t addr)
{
    return NV3_RAMIN_TO_VRAM(addr & (NV3_RAMIN_SIZE - 1), s->vram_size);
}

uint32_t nv3_ramin_rd32(NV3State *s, uint32_t addr)
{
    nv3_step(LOOKUP, 1);
    return nv3_ldl(s->vram + nv3_ramin_offset(s, addr & ~3u));
}

void nv3_ramin_wr32(NV3State *s, uint32_t addr, uint32_t val)
{
    uint32_t offset = nv3_ramin_offset(s, addr & ~3u);

    nv3_stl(s->vram + offset, val);
    /*
     * The host itself tracks the CPU's direct writes to VRAM, but not its writes through
     * RAMIN.
     */
    nv3_vram_dirty(s, offset, 4);
}

uint32_t nv3_ramin_read(NV3State *s, uint32_t addr, unsigned size)
{
    const uint8_t *p = s->vram + nv3_ramin_offset(s, addr & ~(size - 1));

    switch (size) {
    case 1:
        return p[0];
    case 2:
        return p[0] | p[1] << 8;
    default:
        return nv3_ldl(p);
    }
}

void nv3_ramin_write(NV3State *s, uint32_t addr, uint32_t val, unsigned size)
{
    uint32_t offset = nv3_ramin_offset(s, addr & ~(size - 1));

    for (unsigned i = 0; i < size; i++) {
        s->vram[offset + i] = val >> i * 8;
    }
    nv3_vram_dirty(s, offset, size);
}
