/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Accesses to little-endian words of any alignment in VRAM and system memory. */
#ifndef NV3_LE_H
#define NV3_LE_H

#include <stdint.h>
#include <string.h>

#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define NV3_LE16(val)   __builtin_bswap16(val)
#define NV3_LE32(val)   __builtin_bswap32(val)
#else
#define NV3_LE16(val)   (val)
#define NV3_LE32(val)   (val)
#endif

static inline uint16_t nv3_lduw(const void *p)
{
    uint16_t val;

    memcpy(&val, p, sizeof(val));
    return NV3_LE16(val);
}

static inline void nv3_stw(void *p, uint16_t val)
{
    val = NV3_LE16(val);
    memcpy(p, &val, sizeof(val));
}

static inline uint32_t nv3_ldl(const void *p)
{
    uint32_t val;

    memcpy(&val, p, sizeof(val));
    return NV3_LE32(val);
}

static inline void nv3_stl(void *p, uint32_t val)
{
    val = NV3_LE32(val);
    memcpy(p, &val, sizeof(val));
}

#endif
