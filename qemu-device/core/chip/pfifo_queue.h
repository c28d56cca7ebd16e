/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counts of the methods in CACHE0 and CACHE1. */
#ifndef NV3_CHIP_PFIFO_QUEUE_H
#define NV3_CHIP_PFIFO_QUEUE_H

#include "chip/chip.h"

/*
 * Returns the Gray code of @count, a number of entries. PUT, GET and the indices of
 * entries are Gray codes.
 */
static inline uint32_t nv3_gray(uint32_t count)
{
    return count ^ count >> 1;
}

/* Returns the number of entries of CACHE1. One entry is always empty. */
static inline unsigned nv3_cache1_size(const NV3State *s)
{
    return s->config.revision == NV3_REVISION_C ? NV3_PFIFO_CACHE1_SIZE_C
                                                : NV3_PFIFO_CACHE1_SIZE_AB;
}

static inline unsigned nv3_cache1_used(const NV3State *s)
{
    const NV3Cache1 *c = &s->pfifo.cache1;

    return (c->put - c->get) & (nv3_cache1_size(s) - 1);
}

static inline unsigned nv3_cache1_free(const NV3State *s)
{
    return nv3_cache1_size(s) - 1 - nv3_cache1_used(s);
}

/*
 * Returns true if PFIFO is enabled and a cache with an enabled puller contains methods.
 */
static inline bool nv3_pfifo_has_methods(const NV3State *s)
{
    const NV3Pfifo *f = &s->pfifo;

    if (!(s->pmc.enable & NV3_PMC_ENABLE_PFIFO)) {
        return false;
    }
    return ((f->cache0.pull_ctrl & NV3_PFIFO_PULL_CTRL_ACCESS) &&
            f->cache0.put != f->cache0.get) ||
           ((f->cache1.pull_ctrl & NV3_PFIFO_PULL_CTRL_ACCESS) &&
            nv3_cache1_used(s));
}

#endif
