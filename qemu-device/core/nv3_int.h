/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Inside the chip: the state of every block and what the blocks ask of each
 * other. A block is one .c file and one struct here or in its own header; each
 * answers for its own range of BAR0 (the table in nv3.c).
 */
#ifndef NV3_INT_H
#define NV3_INT_H

#include <string.h>

#include "nv3.h"
#include "nv3_regs.h"
#include "nv3_class.h"
#include "display.h"
#include "le.h"
#include "pfifo.h"
#include "pgraph.h"
#include "pvideo.h"

typedef struct NV3Pmc {
    uint32_t intr_soft;     /* bit 31 of INTR, set by software */
    uint32_t intr_en;
    uint32_t enable;
    bool irq_level;         /* what irq_set() was last told */
} NV3Pmc;

typedef struct NV3Pbus {
    uint32_t debug[4];
    uint32_t intr;
    uint32_t intr_en;
} NV3Pbus;

typedef struct NV3Ptimer {
    uint32_t intr;
    uint32_t intr_en;
    uint32_t numerator;
    uint32_t denominator;
    uint32_t alarm;
    uint64_t base_ticks;    /* the counter at base_ns */
    uint64_t base_ns;
    uint64_t seen_ticks;    /* matches with ALARM up to here are in INTR */
} NV3Ptimer;

typedef struct NV3Pfb {
    uint32_t delay_1;
    uint32_t debug_0;
    uint32_t green_0;
    uint32_t rtl;
    uint32_t config[2];
} NV3Pfb;

#define NV3_PME_REGISTERS       47

typedef struct NV3Pme {
    uint32_t reg[NV3_PME_REGISTERS];    /* in the order of pme.c's table */
} NV3Pme;

typedef struct NV3Prm {
    uint32_t intr_en;
    uint32_t config;
    uint32_t ramin_size;    /* PRAM's */
} NV3Prm;

typedef struct NV3Pextdev {
    uint32_t override;      /* what revision C was told to show, or 0 */
} NV3Pextdev;

typedef struct NV3Pvirt {
    uint32_t counter_high;  /* latched by a read of a counter's low word */
    uint32_t intr;
    uint32_t intr_en;
} NV3Pvirt;

/* Whether the time that passes is the engine's. */
typedef enum NV3Work {
    NV3_WORK_NONE,          /* nv3_run() isn't at work */
    NV3_WORK_UNTIMED,       /* it has not drawn yet: nv3_run_few() */
    NV3_WORK_TIMED,
} NV3Work;

struct NV3State {
    NV3Config config;
    NV3Ops ops;
    void *opaque;
    uint8_t *vram;
    uint32_t vram_size;
    uint64_t counters[NV3_PVIRT_COUNTER_COUNT];
    uint64_t work_start;
    NV3Work work;
    uint64_t cost;          /* of this slice so far: nv3_charge() */
    struct NV3RasterPool *raster_pool;  /* null: no threads of the chip's own */

    NV3Pmc pmc;
    NV3Pbus pbus;
    NV3Ptimer ptimer;
    NV3Pfb pfb;
    NV3Pme pme;
    NV3Prm prm;
    uint32_t straps;        /* as the card is wired */
    NV3Pextdev pextdev;
    NV3Pvirt pvirt;
    NV3Pfifo pfifo;
    NV3Pgraph pgraph;
    NV3Display display;
    NV3Pvideo pvideo;
};

/*
 * A slice of work, one call of nv3_run(), ends after so many methods, or when it has cost
 * this much. Costs are in nanoseconds, as they are on a current CPU with AVX2: a rough
 * guide, but one for each thing that takes time, so that no shape of a guest's choosing
 * (lines of one pixel, lines that are clipped away) makes a slice longer than a few
 * of these. The unit test slices counts what is done in one.
 */
#define NV3_SLICE_COST      (128u << 10)

/* Set-up of a method that draws, whatever it draws. */
#define NV3_COST_DRAW       256
/* A line of pixels, on one surface. */
#define NV3_COST_LINE       8
/* A pixel that is read, computed and written by itself, on one surface. */
#define NV3_COST_PIXEL      24
/* A transfer by a DMA object: looking it and its first page up, and the bus. */
#define NV3_COST_DMA        512
/* The same for a byte of a stride. */
#define NV3_COST_DMA_BYTE   128
/* An entry of a page table. */
#define NV3_COST_PAGE       16

/* @bytes of pixels or memory that are moved or set in one go. */
static inline uint64_t nv3_cost_bytes(uint64_t bytes)
{
    return bytes / 8;
}

static inline void nv3_charge(NV3State *s, uint64_t cost)
{
    s->cost += cost;
}

static inline bool nv3_slice_over(const NV3State *s)
{
    return s->cost >= NV3_SLICE_COST;
}

/* What is left of the slice. */
static inline uint64_t nv3_slice_left(const NV3State *s)
{
    return nv3_slice_over(s) ? 0 : NV3_SLICE_COST - s->cost;
}

/*
 * For unit tests: how often each kind of step that takes time was taken, wherever it
 * was and whatever was charged for it.
 */
typedef enum NV3Step {
    NV3_STEP_METHOD,        /* taken by PGRAPH */
    NV3_STEP_SETUP,         /* nv3_rop_init() */
    NV3_STEP_LINE,          /* a line of a surface found */
    NV3_STEP_PIXEL,         /* computed by itself */
    NV3_STEP_BYTE,          /* moved or set in one go */
    NV3_STEP_LOOKUP,        /* a word of RAMIN */
    NV3_STEP_BUS,           /* a bus master access */
    NV3_STEP_TRIANGLE,      /* class 0x17: set up */
    NV3_STEP_TRIANGLE_LINE, /* a line of a triangle's bounds */
    NV3_STEP_TRIANGLE_PIXEL,    /* drawn */
    NV3_STEP_TEXEL,         /* compared or decoded */
    NV3_STEP_PICTURE_LINE,  /* a line of what is on the screen */
    NV3_STEP_COUNT,
} NV3Step;

#ifdef NV3_COUNT_STEPS
extern uint64_t nv3_steps[NV3_STEP_COUNT];
#define nv3_step(kind, count) ((void)(nv3_steps[NV3_STEP_##kind] += (count)))
#else
#define nv3_step(kind, count) ((void)0)
#endif

/* A block's own registers: @addr is the offset in BAR0, 32 bits wide. */
#define NV3_BLOCK(name) \
    uint32_t nv3_##name##_read(NV3State *s, uint32_t addr); \
    void nv3_##name##_write(NV3State *s, uint32_t addr, uint32_t val); \
    void nv3_##name##_reset(NV3State *s)

NV3_BLOCK(pmc);
NV3_BLOCK(pbus);
NV3_BLOCK(ptimer);
NV3_BLOCK(prm);
NV3_BLOCK(pfb);
NV3_BLOCK(pme);
NV3_BLOCK(pextdev);
NV3_BLOCK(pvirt);
NV3_BLOCK(pfifo);
NV3_BLOCK(pgraph);      /* 0x400000-0x401fff, PDMA included */
NV3_BLOCK(pvideo);      /* 0x680000-0x6802ff */
NV3_BLOCK(pramdac);     /* 0x680300-0x680fff */

/* Reset with the block that has their state: PRM, the display. */
uint32_t nv3_pram_read(NV3State *s, uint32_t addr);
void nv3_pram_write(NV3State *s, uint32_t addr, uint32_t val);
uint32_t nv3_prma_read(NV3State *s, uint32_t addr);
void nv3_prma_write(NV3State *s, uint32_t addr, uint32_t val);

/* Blocks of byte registers. */
uint8_t nv3_prmcio_read(NV3State *s, uint32_t addr);
void nv3_prmcio_write(NV3State *s, uint32_t addr, uint8_t val);
uint8_t nv3_prmvio_read(NV3State *s, uint32_t addr);
void nv3_prmvio_write(NV3State *s, uint32_t addr, uint8_t val);
uint8_t nv3_user_dac_read(NV3State *s, uint32_t addr);
void nv3_user_dac_write(NV3State *s, uint32_t addr, uint8_t val);

/* USER windows: the PIO side of PFIFO's pusher. */
uint32_t nv3_user_read(NV3State *s, uint32_t addr, unsigned size);
void nv3_user_write(NV3State *s, uint32_t addr, uint32_t val, unsigned size);

/* pmc.c: every block calls this after any change of its INTR or INTR_EN. */
void nv3_update_irq(NV3State *s);
bool nv3_engine_enabled(NV3State *s, uint32_t pmc_enable_bit);

/* pbus.c: the bus refused an access; is the ROM's shadow in use? */
void nv3_pbus_error(NV3State *s);
bool nv3_rom_shadowed(const NV3State *s);

/* pvirt.c: what PVIRT_INTR & EN says now. */
bool nv3_pvirt_irq(NV3State *s);

/* ptimer.c: nanoseconds of PTIMER's 56-bit clock, as notifiers carry them. */
uint64_t nv3_ptimer_now(NV3State *s);
bool nv3_ptimer_irq(NV3State *s);
/* pramdac.c, before and after it changes MPLL: PTIMER counts memory clocks. */
void nv3_ptimer_hold(NV3State *s);
void nv3_ptimer_rearm(NV3State *s);

/* nv3_timer_expired() by timer: ptimer.c, display.c. */
void nv3_ptimer_expired(NV3State *s);
void nv3_display_expired(NV3State *s);

/* ramin.c: 32-bit words; @addr wraps at 1 MiB. */
uint32_t nv3_ramin_rd32(NV3State *s, uint32_t addr);
void nv3_ramin_wr32(NV3State *s, uint32_t addr, uint32_t val);

/*
 * pfifo.c: runs pusher and puller for at most @budget methods; true when there
 * is more to do.
 */
bool nv3_pfifo_run(NV3State *s, unsigned budget);
/* What PFIFO_INTR & EN says now. */
bool nv3_pfifo_irq(NV3State *s);
/* Has a cache methods, and a puller that may take them? */
bool nv3_pfifo_has_methods(NV3State *s);
/* pmc.c: PMC_ENABLE's bit has been cleared. */
void nv3_pfifo_disable(NV3State *s);

/*
 * pgraph.c: takes one method, executing it. False when PGRAPH can't take it now
 * (FIFO access off, a trap, a context switch pending): the puller keeps it and
 * tries again when nv3_pgraph_ready() turns true. @ctx is the puller's context
 * word for @subch; @mthd 0 binds it.
 */
bool nv3_pgraph_submit(NV3State *s, uint32_t chid, uint32_t subch,
                       uint32_t mthd, uint32_t data, uint32_t ctx);
/*
 * d3d_stream.c: the same for all words of a class 0x17 vertex, from method @mthd
 * (FOG_TRI of any window) on. False, and nothing is done, when that is not all there
 * is to do with them: the caller then submits them one by one.
 */
#define NV3_D3D_VERTEX_WORDS    8
bool nv3_pgraph_submit_vertex(NV3State *s, uint32_t chid, uint32_t subch,
                              uint32_t mthd,
                              const uint32_t words[NV3_D3D_VERTEX_WORDS],
                              uint32_t ctx);
/* pgraph.c: the same for one that does not follow others in a row. */
bool nv3_pgraph_submit_apart(NV3State *s, uint32_t chid, uint32_t subch,
                             uint32_t mthd,
                             const uint32_t data[NV3_D3D_VERTEX_WORDS],
                             uint32_t ctx);
bool nv3_pgraph_ready(NV3State *s);
/*
 * Goes on with a method that takes long (submit() has returned true for it, and
 * ready() and idle() stay false until it is done). nv3_run() calls it before
 * and after nv3_pfifo_run(); false when there is nothing to go on with.
 */
bool nv3_pgraph_step(NV3State *s);
bool nv3_pgraph_idle(NV3State *s);
bool nv3_pgraph_irq(NV3State *s);
bool nv3_pdma_irq(NV3State *s);
/* display.c tells PGRAPH, whose interrupt it is on this chip. */
void nv3_pgraph_vblank(NV3State *s);

/*
 * class_d3d.c: FOG_TRI and the methods after it. True when it was drawn, and others
 * might be drawn as it was.
 */
bool nv3_d3d_vertex(NV3State *s, const uint32_t words[NV3_D3D_VERTEX_WORDS]);
/*
 * d3d_stream.c: after such a vertex, and while nothing but vertices comes, they are
 * taken without writing registers.
 */
void nv3_d3d_open(NV3State *s, uint32_t chid, uint32_t subch, uint32_t ctx);
void nv3_d3d_end_stream(NV3State *s);
/* Registers are what they should be after it. */
static inline void nv3_d3d_close(NV3State *s)
{
    if (s->pgraph.d3d_open) {
        nv3_d3d_end_stream(s);
    }
}
/* pgraph_object.c: TRAPPED_* show this method. */
void nv3_pgraph_latch(NV3State *s, uint32_t chid, uint32_t subch, uint32_t mthd,
                      uint32_t data, uint32_t ctx);
/* Frees s->pgraph.d3d, which may be null. */
void nv3_d3d_free(NV3State *s);
/*
 * Threads have the CPUs and the priority of the one that makes them. So that is the one
 * that makes the chip, and not whoever, perhaps a vCPU's, happens to draw first.
 */
void nv3_d3d_start_threads(NV3State *s);
void nv3_d3d_end_threads(NV3State *s);
/*
 * Draws the triangles that wait for the raster threads (pgraph.d3d_pending): to be
 * called before anything reads or writes what they do, or says that they are done.
 */
void nv3_d3d_settle(NV3State *s);
/* Closes and settles, and tells the host of VRAM that triangles were drawn to. */
void nv3_d3d_flush(NV3State *s);

void nv3_kick(NV3State *s);
/* Something is about to be drawn, which takes time: that is the engine's. */
void nv3_work_begin(NV3State *s);
uint64_t nv3_clock(NV3State *s);
/* Bus master accesses, counted; false when there is no bus or it refuses. */
bool nv3_dma_read(NV3State *s, uint32_t addr, void *buf, size_t len);
bool nv3_dma_write(NV3State *s, uint32_t addr, const void *buf, size_t len);
/* The chip has written @len bytes of VRAM at @offset. */
void nv3_vram_dirty(NV3State *s, uint32_t offset, uint32_t len);

/* A register that no block knows, or not yet: answered, and never silently. */
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
