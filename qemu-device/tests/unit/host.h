/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A host for the chip core in a plain process: a clock that tests move, memory
 * behind the bus, and records of what the chip did to the rest.
 *
 * A Host is made with cmocka's allocator, so what a test forgets to free, or
 * what the core writes past the end of VRAM, fails that test.
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

/* System memory: HOST_MEM_SIZE bytes on the bus from HOST_MEM_BASE. */
#define HOST_MEM_BASE   0x10000000u
#define HOST_MEM_SIZE   0x00400000u

#define HOST_LOG_LEVELS (NV3_LOG_TRACE + 1)
#define HOST_LOG_LINE   256

typedef struct Host {
    NV3State *chip;
    NV3Config config;
    uint8_t *vram;
    uint8_t *mem;

    /* the clock, in nanoseconds, and when each timer is due */
    uint64_t now;
    uint64_t timer[NV3_TIMER_COUNT];

    /* what the chip did */
    bool irq;
    unsigned irq_changes;
    unsigned kicks;
    unsigned dma_reads, dma_writes;
    uint64_t dma_bytes;
    unsigned dirty_calls;
    uint32_t dirty_start, dirty_end;    /* of VRAM; empty: start >= end */
    unsigned logs[HOST_LOG_LEVELS];
    char log[HOST_LOG_LEVELS][HOST_LOG_LINE];   /* the last line of each */

    /* the bus refuses accesses from here on (default: none) */
    uint32_t dma_limit;

    /* the rest of the card */
    uint8_t vga_port[0x30];             /* from 0x3b0: last written, read back */
    unsigned vga_writes;
    uint8_t vga_mem[0x20000];
    bool chip_window;                   /* VGA's window is the chip's */
    uint8_t pci_config[256];
    uint8_t rom[0x10000];
    bool scl, sda;                      /* as the chip drives them */
    bool ddc_pull_scl, ddc_pull_sda;    /* as the monitor pulls them low */
} Host;

/* Revision C with 8 MiB and PVIRT. */
Host *host_new(void);
Host *host_new_config(const NV3Config *config);
void host_free(Host *h);
/* The operations that host_new() gives the core, for tests that change some. */
extern const NV3Ops host_ops;

/* cmocka fixtures: *state is a Host made by host_new(). */
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

/* System memory, by bus address; fails the test when out of range. */
uint32_t host_mem_rd32(Host *h, uint32_t addr);
void host_mem_wr32(Host *h, uint32_t addr, uint32_t val);
uint8_t *host_mem_ptr(Host *h, uint32_t addr, size_t len);

/*
 * Runs the engine until it waits for the guest. Fails the test when that takes
 * more than @max methods' worth of calls. Returns how many calls it took.
 */
unsigned host_run_max(Host *h, unsigned max);
unsigned host_run(Host *h);

/* Moves the clock on by @ns, firing the timers that fall due, in order. */
void host_advance(Host *h, uint64_t ns);

/* Forgets what the chip did so far (not the IRQ level). */
void host_forget(Host *h);

/*
 * PFIFO, with the layout of docs/decisions/0004-layout-of-ramin.md: RAMHT of
 * 32 KiB at 0, RAMRO of 8 KiB at 0x8000, RAMFC at 0xa000; pusher, puller and
 * every interrupt on.
 */
#define HOST_RAMHT      0x0000
#define HOST_RAMRO      0x8000
#define HOST_RAMFC      0xa000
#define HOST_INST       0xb000          /* first RAMIN byte for instances */

void host_fifo_setup(Host *h);
/* Puts an object into RAMHT: @ctx without channel and valid bits. */
void host_object(Host *h, unsigned chid, uint32_t name, uint32_t ctx);
/*
 * A graphics object of @class_id: writes its options and DMA instances at
 * RAMIN byte @inst (16 bytes), and enters it under @name.
 */
void host_grobj(Host *h, unsigned chid, uint32_t name, unsigned class_id,
                uint32_t inst, uint32_t options, uint32_t dma);
/*
 * A DMA object at RAMIN byte @inst over @len bytes from bus address or VRAM
 * offset @base (page aligned), with a page table.
 */
void host_dmaobj(Host *h, uint32_t inst, uint32_t target, uint32_t base,
                 uint32_t len, bool writable);
/* A method by PIO; does not run the engine. */
void host_method(Host *h, unsigned chid, unsigned subch, uint32_t mthd,
                 uint32_t data);

/*
 * A pushbuffer at HOST_MEM_BASE, with its page table at RAMIN byte @pt_inst.
 * host_push() appends a run of methods; host_push_start() sets the DMA pusher
 * off on all of it for channel @chid.
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
