/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The state of the small blocks: PMC, PBUS, PTIMER, PFB, PME, PRM, PEXTDEV and PVIRT. */
#ifndef NV3_CHIP_BUS_STATE_H
#define NV3_CHIP_BUS_STATE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct NV3Pmc {
    uint32_t intr_soft;     /* bit 31 of INTR, set by software */
    uint32_t intr_en;
    uint32_t enable;
    bool irq_level;         /* level that irq_set() last set */
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
    uint64_t seen_ticks;    /* the counter at its last comparison with ALARM */
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
    uint32_t reg[NV3_PME_REGISTERS];    /* in the order of the table in pme.c */
} NV3Pme;

typedef struct NV3Prm {
    uint32_t intr_en;
    uint32_t config;
    uint32_t ramin_size;    /* value of PRAM's size register */
} NV3Prm;

typedef struct NV3Pextdev {
    uint32_t override;      /* straps set by software (only revision C), or 0 */
} NV3Pextdev;

typedef struct NV3Pvirt {
    /* high word of a counter, latched by a read of its low word */
    uint32_t counter_high;
    uint32_t intr;
    uint32_t intr_en;
    uint32_t grctx;         /* NV3_PVIRT_GRCTX: context image address, and error bits */
} NV3Pvirt;

#endif
