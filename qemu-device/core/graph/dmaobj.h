/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * DMA objects: bounded, page-tabled windows on VRAM or system memory that live
 * in RAMIN (include/nv3_regs.h, NV3_DMAOBJ_*). Everything that PGRAPH reads or
 * writes outside its surfaces goes through here.
 */
#ifndef NV3_GRAPH_DMAOBJ_H
#define NV3_GRAPH_DMAOBJ_H

#include <stdbool.h>
#include <stdint.h>

#include "api/nv3.h"

/* Why an access failed: a bit of PDMA_INTR, and where. */
typedef struct NV3Fault {
    uint32_t reason;        /* NV3_PDMA_INTR_* */
    uint32_t inst;
    uint32_t offset;        /* the first offset that could not be accessed */
} NV3Fault;

/*
 * Copies @len bytes at @offset of the object at RAMIN instance @inst (address /
 * 16). The whole range is checked before the first byte moves, so it is all or
 * nothing, save that a transfer may stop midway where a bus refuses system memory,
 * or where the page table changes meanwhile: VRAM holds it, so a vCPU may write to
 * it at any time, and so may this transfer. False, with @fault filled in, when a
 * byte of it is out of reach.
 */
bool nv3_dmaobj_read(NV3State *s, uint32_t inst, uint32_t offset,
                     void *buf, uint32_t len, NV3Fault *fault);
bool nv3_dmaobj_write(NV3State *s, uint32_t inst, uint32_t offset,
                      const void *buf, uint32_t len, NV3Fault *fault);

/*
 * Writes @count bytes of @buf, at least one, @inc bytes apart from each other. Stops at
 * the first page that can't be written to.
 */
bool nv3_dmaobj_scatter(NV3State *s, uint32_t inst, uint32_t offset,
                        const uint8_t *buf, uint32_t count, uint32_t inc,
                        NV3Fault *fault);

/* Checks a range without touching it. */
bool nv3_dmaobj_check(NV3State *s, uint32_t inst, uint32_t offset,
                      uint32_t len, bool write, NV3Fault *fault);

/*
 * A direct pointer to @len bytes at @offset when they lie in VRAM in one piece,
 * else null (then use nv3_dmaobj_read()). Valid until the guest or the chip
 * next runs; the bytes may change under it, as VRAM does.
 */
const uint8_t *nv3_dmaobj_map(NV3State *s, uint32_t inst, uint32_t offset,
                              uint32_t len);

/* Raises PDMA_INTR for @fault and stops PGRAPH. */
void nv3_pdma_fault(NV3State *s, const NV3Fault *fault, bool notify);

#endif
