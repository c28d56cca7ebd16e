/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * DMA objects: ranges of VRAM or system memory. Each object has a limit, and optionally a
 * page table. RAMIN contains the objects (include/nv3_regs.h, NV3_DMAOBJ_*). PGRAPH
 * accesses its surfaces directly, and all other memory through DMA objects.
 */
#ifndef NV3_GRAPH_DMAOBJ_H
#define NV3_GRAPH_DMAOBJ_H

#include <stdbool.h>
#include <stdint.h>

#include "api/nv3.h"

/* The reason and the offset of a failed access through a DMA object. */
typedef struct NV3Fault {
    uint32_t reason;        /* NV3_PDMA_INTR_* */
    uint32_t inst;
    uint32_t offset;        /* the first offset that could not be accessed */
} NV3Fault;

/*
 * Copy @len bytes from the object at RAMIN instance @inst (its address / 16) to @buf, or
 * from @buf to the object. The bytes in the object start at @offset. If a byte cannot be
 * accessed, these functions return false and set @fault.
 *
 * These functions check the whole range first, so a failed transfer has usually copied no
 * bytes. A transfer can stop midway only if an access to system memory fails on the bus,
 * or if the page table changes after the check. The page table is in VRAM, so a vCPU or
 * the transfer itself may change it.
 */
bool nv3_dmaobj_read(NV3State *s, uint32_t inst, uint32_t offset,
                     void *buf, uint32_t len, NV3Fault *fault);
bool nv3_dmaobj_write(NV3State *s, uint32_t inst, uint32_t offset,
                      const void *buf, uint32_t len, NV3Fault *fault);

/*
 * Writes @count bytes of @buf to the offsets @offset, @offset + @inc, and so on, of the
 * object. @count must not be 0. If a page is not writable, stops at this page, sets
 * @fault and returns false.
 */
bool nv3_dmaobj_scatter(NV3State *s, uint32_t inst, uint32_t offset,
                        const uint8_t *buf, uint32_t count, uint32_t inc,
                        NV3Fault *fault);

/*
 * Checks that @len bytes at @offset are readable, or writable if @write is true, without
 * accessing them. Returns false and sets @fault if a byte fails the check.
 */
bool nv3_dmaobj_check(NV3State *s, uint32_t inst, uint32_t offset,
                      uint32_t len, bool write, NV3Fault *fault);

/*
 * Returns a pointer to @len bytes at @offset. Returns null if the bytes are not
 * contiguous in VRAM, or if @write is true and they are not writable. If the result is
 * null, the caller must use nv3_dmaobj_read() or nv3_dmaobj_write(). The pointer always
 * stays valid, but if the guest changes the object or its page table, the bytes at the
 * pointer may no longer belong to the object. vCPUs may change the bytes at any time.
 */
uint8_t *nv3_dmaobj_map(NV3State *s, uint32_t inst, uint32_t offset, uint32_t len,
                        bool write);

/* Drops all cached entries of two-level page tables (NV3_DMAOBJ_DIRECTORY). */
void nv3_dmaobj_invalidate(NV3State *s);

/*
 * Raises PDMA's interrupt for @fault and stops PGRAPH. @notify: the fault occurred while
 * PGRAPH wrote a notification.
 */
void nv3_pdma_fault(NV3State *s, const NV3Fault *fault, bool notify);

#endif
