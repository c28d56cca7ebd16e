/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The state of a chip, and the wrappers with which all blocks call the host's functions.
 * Each folder's header declares the functions of its blocks. vm/checks/folders/core.txt
 * lists the permitted dependencies between folders.
 */
#ifndef NV3_CHIP_CHIP_H
#define NV3_CHIP_CHIP_H

#include <string.h>

#include "chip/bus_state.h"
#include "chip/display_state.h"
#include "chip/pfifo_state.h"
#include "chip/pgraph_state.h"
#include "chip/le.h"
#include "api/nv3.h"
#include "nv3_class.h"
#include "nv3_regs.h"

/* Determines whether time counts as the engine's busy time. */
typedef enum NV3Work {
    NV3_WORK_NONE,          /* nv3_run() is not running */
    NV3_WORK_UNTIMED,       /* nv3_run_untimed() has not drawn yet */
    NV3_WORK_TIMED,
} NV3Work;

struct NV3State {
    /*
     * Tables and functions of folders that depend on this folder. nv3.c sets these
     * pointers in a new chip.
     */
    const struct NV3Engine *engines;        /* bus/bus.h */
    unsigned engine_count;
    const NV3Class *const *classes;         /* classes by number: graph/class.h */
    NV3JobRun *const *job_run;              /* jobs by NV3JobKind: graph/job.h */
    uint32_t (*mmio_read)(NV3State *s, uint32_t addr, unsigned size);
    void (*mmio_write)(NV3State *s, uint32_t addr, uint32_t val, unsigned size);

    NV3Config config;
    NV3Ops ops;
    void *opaque;
    uint32_t events;        /* mask of the enabled kinds of events: chip/event.h */
    uint64_t event_object;  /* object of the last OBJECT event, or 0 */
    uint8_t *vram;
    uint32_t vram_size;
    uint32_t vram_reach;    /* bytes of VRAM that surfaces and the display can address */
    uint64_t counters[NV3_PVIRT_COUNTER_COUNT];
    uint64_t work_start;
    NV3Work work;
    uint64_t cost;          /* cost of this slice so far: nv3_account() */
    struct NV3RasterPool *raster_pool;  /* worker threads; null if there are none */

    NV3Pmc pmc;
    NV3Pbus pbus;
    NV3Ptimer ptimer;
    NV3Pfb pfb;
    NV3Pme pme;
    NV3Prm prm;
    uint32_t straps;        /* straps set by the board's resistors */
    NV3Pextdev pextdev;
    NV3Pvirt pvirt;
    NV3Pfifo pfifo;
    NV3Pgraph pgraph;
    NV3Display display;
    NV3Pvideo pvideo;
};

/*
 * Declares the functions for 32-bit register accesses and for the reset of a block. @addr
 * is an offset in BAR0.
 */
#define NV3_BLOCK(name) \
    uint32_t nv3_##name##_read(NV3State *s, uint32_t addr); \
    void nv3_##name##_write(NV3State *s, uint32_t addr, uint32_t val); \
    void nv3_##name##_reset(NV3State *s)

/* Asks the host to call nv3_run(). */
void nv3_kick(NV3State *s);
/* Returns the host's clock in nanoseconds. */
uint64_t nv3_clock(NV3State *s);
/* Starts the measurement of the engine's busy time. Called before each drawing step. */
void nv3_work_begin(NV3State *s);
/* Returns the clock for the engine's busy time (work_ns of NV3Ops) in nanoseconds. */
uint64_t nv3_work_clock(NV3State *s);
/* Reports to the host that the chip has written @len bytes of VRAM at @offset. */
void nv3_vram_dirty(NV3State *s, uint32_t offset, uint32_t len);

/* Log an access to a register that the model lacks. nv3_unimp_read() returns 0. */
uint32_t nv3_unimp_read(NV3State *s, const char *block, uint32_t addr);
void nv3_unimp_write(NV3State *s, const char *block, uint32_t addr,
                     uint32_t val);

#define nv3_log(s, level, ...) \
    do { \
        if ((s)->ops.log) { \
            (s)->ops.log((s)->opaque, NV3_LOG_##level, __VA_ARGS__); \
        } \
    } while (0)

static inline uint32_t nv3_bits(uint32_t val, unsigned shift, unsigned count)
{
    return val >> shift & ((1u << count) - 1);
}

#endif
