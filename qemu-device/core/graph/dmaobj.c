/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * DMA objects (dmaobj.h). Layout: envytools rnndb/graph/nv3_pdma.xml.
 * docs/reference/chip/pgraph.md describes offsets with and without a page table, and
 * the faults.
 */
#include "bus/bus.h"
#include "chip/cost.h"
#include "chip/event.h"
#include "graph/dmaobj.h"

#define DMA_PAGE_SIZE   4096u
#define DMA_PAGE_SHIFT  12
#define TLB_VALID       1u
/* The cost of reading two levels of page tables. */
#define COST_WALK       256

typedef struct DmaObj {
    uint32_t addr;          /* in RAMIN */
    uint32_t flags;
    uint32_t limit;
    uint32_t adjust;
    unsigned target;
} DmaObj;

/* A contiguous range of bytes in the target (VRAM or system memory) of a DMA object. */
typedef struct DmaRun {
    uint32_t addr;
    uint32_t len;
    unsigned target;
} DmaRun;

static bool fail(NV3Fault *fault, uint32_t reason, uint32_t inst,
                 uint32_t offset)
{
    *fault = (NV3Fault) {
        .reason = reason, .inst = inst, .offset = offset,
    };
    return false;
}

/* Loads a DMA object into @obj, and into PDMA's registers, which software can read. */
static void load(NV3State *s, uint32_t inst, DmaObj *obj)
{
    NV3Pdma *dma = &s->pgraph.dma;

    obj->addr = inst << 4;
    obj->flags = nv3_ramin_rd32(s, obj->addr + NV3_DMAOBJ_FLAGS);
    obj->limit = nv3_ramin_rd32(s, obj->addr + NV3_DMAOBJ_LIMIT);
    obj->adjust = obj->flags & NV3_DMAOBJ_ADJUST;
    obj->target = (obj->flags & NV3_DMAOBJ_TARGET) >> NV3_DMAOBJ_TARGET_SHIFT;
    dma->inst = inst;
    dma->flags = obj->flags & 0x03010fff;
    dma->limit = obj->limit;
}

static bool target_holds(NV3State *s, unsigned target, uint64_t addr, uint32_t len)
{
    switch (target) {
    case NV3_DMAOBJ_TARGET_VRAM:
        return addr + len <= s->vram_size;
    case NV3_DMAOBJ_TARGET_PCI:
    case NV3_DMAOBJ_TARGET_AGP:
        return addr + len <= 1ull << 32;
    default:
        return false;
    }
}

/* ---- two-level page tables ----------------------------------------------------- */

static bool has_directory(NV3State *s, const DmaObj *obj)
{
    return s->config.programs && obj->flags & NV3_DMAOBJ_DIRECTORY;
}

/*
 * Returns the page table entry for @page of the object, or 0 (not present) if no entry
 * exists.
 */
static uint32_t walk_directory(NV3State *s, uint32_t directory, uint32_t page)
{
    uint32_t word;

    nv3_account(s, COST_WALK);
    if (!nv3_dma_read(s, directory +
                      page / NV3_DMAOBJ_TABLE_ENTRIES * 4, &word, 4)) {
        return 0;
    }
    word = nv3_ldl(&word);
    if (!(word & NV3_DMAOBJ_DIR_PRESENT) ||
        !nv3_dma_read(s, (word & NV3_DMAOBJ_PTE_FRAME) +
                      page % NV3_DMAOBJ_TABLE_ENTRIES * 4, &word, 4)) {
        return 0;
    }
    return nv3_ldl(&word);
}

static uint32_t directory_entry(NV3State *s, const DmaObj *obj, uint32_t page)
{
    NV3DmaTlb *tlb = &s->pgraph.tlb[page % NV3_DMA_TLB_SIZE];
    const uint32_t directory = nv3_ramin_rd32(s, obj->addr + NV3_DMAOBJ_DIR) &
                               NV3_DMAOBJ_PTE_FRAME;
    const uint32_t tag = directory | TLB_VALID;

    if (tlb->tag != tag || tlb->page != page) {
        *tlb = (NV3DmaTlb) {
            .tag = tag, .page = page, .pte = walk_directory(s, directory, page),
        };
    }
    return tlb->pte;
}

void nv3_dmaobj_invalidate(NV3State *s)
{
    memset(s->pgraph.tlb, 0, sizeof(s->pgraph.tlb));
}

/* ---- accesses ------------------------------------------------------------------- */

/*
 * Sets @run to a range of at most @len contiguous bytes that starts at @offset of the
 * object. If the object has a page table, the range does not extend beyond the page that
 * contains @offset. @offset must be within the object's limit. Returns false and sets
 * @fault if the page is not accessible.
 */
static bool next_run(NV3State *s, const DmaObj *obj, uint32_t offset,
                     uint32_t len, bool write, DmaRun *run, NV3Fault *fault)
{
    NV3Pdma *dma = &s->pgraph.dma;
    uint32_t inst = obj->addr >> 4;
    uint64_t virt = (uint64_t)offset + obj->adjust;
    const bool directory = has_directory(s, obj);
    const bool paged = directory || obj->flags & NV3_DMAOBJ_PAGED;
    const uint32_t index = paged ? virt >> DMA_PAGE_SHIFT : 0;
    unsigned target = obj->target;
    uint64_t addr;
    uint32_t pte;

    if (directory) {
        pte = directory_entry(s, obj, index);
        target = pte & NV3_DMAOBJ_PTE_VRAM ? NV3_DMAOBJ_TARGET_VRAM :
                 NV3_DMAOBJ_TARGET_PCI;
    } else {
        if (obj->addr + NV3_DMAOBJ_PTE((uint64_t)index) + 4 > NV3_RAMIN_SIZE) {
            return fail(fault, NV3_PDMA_INTR_PRESENT, inst, offset);
        }
        pte = nv3_ramin_rd32(s, obj->addr + NV3_DMAOBJ_PTE(index));
    }
    dma->pte = pte & 0xfffff003;
    dma->tag = virt & NV3_DMAOBJ_PTE_FRAME;
    if (!(pte & NV3_DMAOBJ_PTE_PRESENT)) {
        return fail(fault, NV3_PDMA_INTR_PRESENT, inst, offset);
    }
    if (write && !(pte & NV3_DMAOBJ_PTE_WRITE)) {
        return fail(fault, NV3_PDMA_INTR_PROTECTION, inst, offset);
    }
    if (paged) {
        uint32_t in_page = virt & (DMA_PAGE_SIZE - 1);

        addr = (uint64_t)(pte & NV3_DMAOBJ_PTE_FRAME) + in_page;
        if (len > DMA_PAGE_SIZE - in_page) {
            len = DMA_PAGE_SIZE - in_page;
        }
    } else {
        addr = (uint64_t)(pte & NV3_DMAOBJ_PTE_FRAME) + virt;
    }
    if (!target_holds(s, target, addr, len)) {
        return fail(fault, NV3_PDMA_INTR_PROTECTION, inst, offset);
    }
    dma->addr_virt = virt;
    dma->addr_phys = addr;
    *run = (DmaRun) { .addr = addr, .len = len, .target = target };
    return true;
}

/*
 * Loads the object, and checks that the instance is valid and that the range is within
 * the limit. Does not check the pages. Returns false and sets @fault if a check fails.
 */
static bool open_range(NV3State *s, uint32_t inst, uint32_t offset,
                       uint32_t len, DmaObj *obj, NV3Fault *fault)
{
    if (!inst) {
        return fail(fault, NV3_PDMA_INTR_INST_NULL, inst, offset);
    }
    load(s, inst & 0xffff, obj);
    if (offset > obj->limit) {
        return fail(fault, NV3_PDMA_INTR_LIMIT, inst, offset);
    }
    if (len && len - 1 > obj->limit - offset) {
        return fail(fault, NV3_PDMA_INTR_LIMIT, inst, obj->limit + 1);
    }
    return true;
}

static bool check_pages(NV3State *s, const DmaObj *obj, uint32_t offset,
                        uint32_t len, bool write, NV3Fault *fault)
{
    DmaRun run;

    for (; len; offset += run.len, len -= run.len) {
        if (!next_run(s, obj, offset, len, write, &run, fault)) {
            return false;
        }
    }
    return true;
}

bool nv3_dmaobj_check(NV3State *s, uint32_t inst, uint32_t offset,
                      uint32_t len, bool write, NV3Fault *fault)
{
    DmaObj obj;

    return open_range(s, inst, offset, len, &obj, fault) &&
           check_pages(s, &obj, offset, len, write, fault);
}

static bool move_run(NV3State *s, const DmaRun *run, void *buf, bool write)
{
    if (run->target != NV3_DMAOBJ_TARGET_VRAM) {
        return write ? nv3_dma_write(s, run->addr, buf, run->len) :
               nv3_dma_read(s, run->addr, buf, run->len);
    }
    s->counters[NV3_PVIRT_COUNTER_DMA_BYTES] += run->len;
    nv3_step(BYTE, run->len);
    if (write) {
        memcpy(s->vram + run->addr, buf, run->len);
        nv3_vram_dirty(s, run->addr, run->len);
    } else {
        memcpy(buf, s->vram + run->addr, run->len);
    }
    return true;
}

static bool transfer(NV3State *s, uint32_t inst, uint32_t offset, uint8_t *buf,
                     uint32_t len, bool write, NV3Fault *fault)
{
    DmaObj obj;
    DmaRun run;

    if (!open_range(s, inst, offset, len, &obj, fault) ||
        !check_pages(s, &obj, offset, len, write, fault)) {
        return false;
    }
    while (len) {
        DmaRun more;

        /*
         * Since check_pages(), a vCPU or the transfer of earlier pages may have changed
         * the page table, so translate again.
         */
        if (!next_run(s, &obj, offset, len, write, &run, fault)) {
            return false;
        }
        /* Pages that are contiguous in the target are transferred together. */
        while (run.len < len &&
               next_run(s, &obj, offset + run.len, len - run.len, write, &more,
                        fault) &&
               more.target == run.target && more.addr == (uint64_t)run.addr + run.len) {
            run.len += more.len;
        }
        if (!move_run(s, &run, buf, write)) {
            return fail(fault, NV3_PDMA_INTR_PRESENT, inst, offset);
        }
        offset += run.len;
        buf += run.len;
        len -= run.len;
    }
    return true;
}

bool nv3_dmaobj_read(NV3State *s, uint32_t inst, uint32_t offset,
                     void *buf, uint32_t len, NV3Fault *fault)
{
    return transfer(s, inst, offset, buf, len, false, fault);
}

bool nv3_dmaobj_write(NV3State *s, uint32_t inst, uint32_t offset,
                      const void *buf, uint32_t len, NV3Fault *fault)
{
    return transfer(s, inst, offset, (uint8_t *)buf, len, true, fault);
}

/*
 * Writes one byte of @buf to every @inc-th byte of the range, starting with its first
 * byte. Returns false if a byte cannot be written.
 */
static bool scatter_run(NV3State *s, const DmaRun *run, const uint8_t *buf, uint32_t inc)
{
    if (run->target != NV3_DMAOBJ_TARGET_VRAM) {
        for (uint32_t i = 0; i < run->len; i += inc) {
            if (!nv3_dma_write(s, run->addr + i, buf++, 1)) {
                return false;
            }
        }
        return true;
    }
    s->counters[NV3_PVIRT_COUNTER_DMA_BYTES] += run->len;
    nv3_step(PIXEL, run->len / inc);
    for (uint32_t i = 0; i < run->len; i += inc) {
        s->vram[run->addr + i] = *buf++;
    }
    nv3_vram_dirty(s, run->addr, run->len);
    return true;
}

bool nv3_dmaobj_scatter(NV3State *s, uint32_t inst, uint32_t offset,
                        const uint8_t *buf, uint32_t count, uint32_t inc,
                        NV3Fault *fault)
{
    uint32_t len = (count - 1) * inc + 1;
    DmaObj obj;

    if (!open_range(s, inst, offset, len, &obj, fault)) {
        return false;
    }
    while (count) {
        DmaRun run;
        uint32_t done;

        if (!next_run(s, &obj, offset, len, true, &run, fault)) {
            return false;
        }
        if (!scatter_run(s, &run, buf, inc)) {
            return fail(fault, NV3_PDMA_INTR_PRESENT, inst, offset);
        }
        done = (run.len + inc - 1) / inc;
        buf += done;
        count -= done;
        offset += done * inc;
        len -= count ? done * inc : len;
    }
    return true;
}

uint8_t *nv3_dmaobj_map(NV3State *s, uint32_t inst, uint32_t offset, uint32_t len,
                        bool write)
{
    NV3Fault fault;
    DmaObj obj;
    DmaRun first, run;

    if (!len || !open_range(s, inst, offset, len, &obj, &fault) ||
        !next_run(s, &obj, offset, len, write, &first, &fault) ||
        first.target != NV3_DMAOBJ_TARGET_VRAM) {
        return NULL;
    }
    for (uint32_t done = first.len; done < len; done += run.len) {
        if (!next_run(s, &obj, offset + done, len - done, write, &run, &fault) ||
            run.target != NV3_DMAOBJ_TARGET_VRAM || run.addr != first.addr + done) {
            return NULL;
        }
    }
    return s->vram + first.addr;
}

void nv3_pdma_fault(NV3State *s, const NV3Fault *fault, bool notify)
{
    const uint32_t intr = fault->reason | (notify ? NV3_PDMA_INTR_NOTIFY : 0);
    NV3Pgraph *g = &s->pgraph;

    nv3_log(s, GUEST_ERROR, "pdma: fault 0x%05x at 0x%08x of object 0x%04x",
            fault->reason, fault->offset, fault->inst);
    g->dma.intr |= intr;
    nv3_event(s, INTERRUPT, .data = intr, .detail = NV3_PMC_INTR_PDMA);
    g->dma.inst = fault->inst & 0xffff;
    g->dma.addr_virt = fault->offset;
    g->fifo_enable = 0;
    nv3_update_irq(s);
}
