/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Implements the core's host (NV3Ops) for unit tests, with a clock that the tests set,
 * system memory, and records of the core's calls. cmocka allocates the Host and its VRAM,
 * so a test fails on memory leaks and on writes beyond the ends of VRAM.
 */
#ifndef NV3_TEST_HOST_H
#define NV3_TEST_HOST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "api/nv3.h"
#include "nv3_class.h"
#include "nv3_regs.h"

/* System memory: HOST_MEM_SIZE bytes at bus address HOST_MEM_BASE. */
#define HOST_MEM_BASE   0x10000000u
#define HOST_MEM_SIZE   0x00400000u

#define HOST_LOG_LEVELS (NV3_LOG_TRACE + 1)
#define HOST_LOG_LINE   256

typedef struct Host {
    NV3State *chip;
    NV3Config config;
    uint8_t *vram;
    uint8_t *mem;

    /* the clock, and expiry times of timers, in nanoseconds */
    uint64_t now;
    uint64_t timer[NV3_TIMER_COUNT];

    /* records of the core's calls */
    bool irq;
    unsigned irq_changes;
    unsigned kicks;
    unsigned dma_reads, dma_writes;
    uint64_t dma_bytes;
    unsigned dirty_calls;
    uint32_t dirty_start, dirty_end;    /* in VRAM; empty if start >= end */
    unsigned logs[HOST_LOG_LEVELS];
    char log[HOST_LOG_LEVELS][HOST_LOG_LINE];   /* last line of each level */

    /* accesses at this bus address and above are refused */
    uint32_t dma_limit;

    /* other parts of the card */
    uint8_t vga_port[0x30];             /* from port 0x3b0; readable */
    unsigned vga_writes;
    uint8_t vga_mem[0x20000];
    bool chip_window;                   /* the chip decodes the VGA aperture */
    uint8_t pci_config[256];
    uint8_t rom[0x10000];
    bool scl, sda;                      /* levels that the chip drives */
    bool ddc_pull_scl, ddc_pull_sda;    /* true if the monitor pulls the line low */
} Host;

/* Creates a host with a chip of revision C that has 8 MiB of VRAM and PVIRT. */
Host *host_new(void);
Host *host_new_config(const NV3Config *config);
void host_free(Host *h);
/*
 * The operations that host_new() passes to the core. Tests can copy the structure and
 * replace some of its members.
 */
extern const NV3Ops host_ops;

/* cmocka fixtures. *state is a Host from host_new(). */
int host_setup(void **state);
int host_teardown(void **state);

static inline uint32_t host_rd32(Host *h, uint32_t addr)
{
    return nv3_mmio_read(h->chip, addr, 4);
}

static inline void host_wr32(Host *h, uint32_t addr, uint32_t val)
{
    nv3_mmio_write(h->chip, addr, val, 4);
}

static inline uint8_t host_rd8(Host *h, uint32_t addr)
{
    return nv3_mmio_read(h->chip, addr, 1);
}

static inline void host_wr8(Host *h, uint32_t addr, uint8_t val)
{
    nv3_mmio_write(h->chip, addr, val, 1);
}

static inline uint32_t host_ramin_rd32(Host *h, uint32_t addr)
{
    return nv3_ramin_read(h->chip, addr, 4);
}

static inline void host_ramin_wr32(Host *h, uint32_t addr, uint32_t val)
{
    nv3_ramin_write(h->chip, addr, val, 4);
}

/* Reads system memory at a bus address. Fails if the address is outside system memory. */
uint32_t host_mem_rd32(Host *h, uint32_t addr);
void host_mem_wr32(Host *h, uint32_t addr, uint32_t val);
uint8_t *host_mem_ptr(Host *h, uint32_t addr, size_t len);

/*
 * Calls nv3_run() until it returns false. Returns the number of calls. Fails if work
 * remains after @max calls.
 */
unsigned host_run_max(Host *h, unsigned max);
unsigned host_run(Host *h);

/* Advances the clock by @ns, and runs the timers that expire, in the order of expiry. */
void host_advance(Host *h, uint64_t ns);

/* Clears the records of the core's calls, except the level of the interrupt line. */
void host_forget(Host *h);

/*
 * Sets up PFIFO with the layout of docs/decisions/0004-layout-of-ramin.md: RAMHT (32
 * KiB) at 0, RAMRO (8 KiB) at 0x8000, and RAMFC at 0xa000. Enables the pusher, the
 * puller and all interrupts.
 */
#define HOST_RAMHT      0x0000
#define HOST_RAMRO      0x8000
#define HOST_RAMFC      0xa000
#define HOST_INST       0xb000          /* RAMIN address of the first object */

void host_fifo_setup(Host *h);
/*
 * Enters the handle @name of channel @chid into RAMHT. @ctx is the entry's context word,
 * without the channel's number and the valid bit.
 */
void host_object(Host *h, unsigned chid, uint32_t name, uint32_t ctx);
/*
 * Creates a graphics object of @class_id in 16 bytes at offset @inst of RAMIN, and enters
 * its handle @name into RAMHT. @dma: the object's word NV3_GROBJ_DMA.
 */
void host_grobj(Host *h, unsigned chid, uint32_t name, unsigned class_id,
                uint32_t inst, uint32_t options, uint32_t dma);
/*
 * Creates a DMA object with a page table at offset @inst of RAMIN. The object describes
 * @len bytes at @base, which is a page-aligned bus address or offset in VRAM.
 */
void host_dmaobj(Host *h, uint32_t inst, uint32_t target, uint32_t base,
                 uint32_t len, bool writable);
/* Sends a method by PIO, without running the engine. */
void host_method(Host *h, unsigned chid, unsigned subch, uint32_t mthd,
                 uint32_t data);

/*
 * A pushbuffer at HOST_MEM_BASE. host_push_init() writes its page table at offset
 * @pt_inst of RAMIN. host_push() appends a header and @count words of data.
 * host_push_start() makes the DMA pusher read the whole pushbuffer for channel @chid.
 */
typedef struct HostPush {
    Host *host;
    uint32_t words;
} HostPush;

void host_push_init(Host *h, HostPush *push, uint32_t pt_inst);
void host_push_word(HostPush *push, uint32_t word);
void host_push(HostPush *push, unsigned subch, uint32_t mthd, unsigned count,
               const uint32_t *data);
void host_push1(HostPush *push, unsigned subch, uint32_t mthd, uint32_t data);
void host_push_start(HostPush *push, unsigned chid);

#endif
