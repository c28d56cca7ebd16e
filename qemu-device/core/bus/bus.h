/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The bus side of the chip: PMC, PBUS, PTIMER, PME, PRM, PEXTDEV, RAMIN, and accesses as
 * bus master.
 */
#ifndef NV3_BUS_BUS_H
#define NV3_BUS_BUS_H

#include "chip/chip.h"
#include "api/nv3_state.h"

NV3_BLOCK(pmc);
NV3_BLOCK(pbus);
NV3_BLOCK(ptimer);
NV3_BLOCK(prm);
NV3_BLOCK(pme);
NV3_BLOCK(pextdev);

/* Registers of PRAM. nv3_prm_reset() resets them, too. */
uint32_t nv3_pram_read(NV3State *s, uint32_t addr);
void nv3_pram_write(NV3State *s, uint32_t addr, uint32_t val);

/* ---- pmc.c ----------------------------------------------------------------- */

/*
 * An engine's bits in PMC_INTR (@intr) and PMC_ENABLE (@enable). Each is 0 if the engine
 * has no bit in that register.
 */
typedef struct NV3Engine {
    uint32_t intr;
    bool (*pending)(NV3State *s);       /* an enabled interrupt is pending */
    uint32_t enable;
    void (*disabled)(NV3State *s);      /* called after @enable has been cleared */
} NV3Engine;

/*
 * Updates the interrupt line. Must be called after the pending or enabled interrupts of a
 * block have changed.
 */
void nv3_update_irq(NV3State *s);
bool nv3_engine_enabled(NV3State *s, uint32_t pmc_enable_bit);

/* ---- pbus.c ---------------------------------------------------------------- */

bool nv3_pbus_irq(NV3State *s);
/*
 * Returns true if the shadow copy of the ROM is enabled, which disables the ROM itself.
 */
bool nv3_rom_shadowed(const NV3State *s);
/*
 * Read or write memory as bus master, and add @len to the counter DMA_BYTES. If the
 * host's function is null or fails, these functions set the bus error in PBUS_INTR and
 * return false.
 */
bool nv3_dma_read(NV3State *s, uint32_t addr, void *buf, size_t len);
bool nv3_dma_write(NV3State *s, uint32_t addr, const void *buf, size_t len);

/* ---- pextdev.c ------------------------------------------------------------- */

/* Returns the frequency of the board's crystal in Hz. */
uint32_t nv3_crystal_hz(const NV3State *s);
/*
 * Returns the output frequency in Hz of a PLL whose register has the value @pll, or 0 if
 * the PLL is stopped.
 */
uint64_t nv3_pll_hz(const NV3State *s, uint32_t pll);

/* ---- ptimer.c -------------------------------------------------------------- */

/* Returns PTIMER's time in nanoseconds, which PGRAPH writes to notifications. */
uint64_t nv3_ptimer_now(NV3State *s);
bool nv3_ptimer_irq(NV3State *s);
/*
 * PTIMER's rate depends on the memory clock. Callers that change MPLL must first call
 * nv3_ptimer_hold(), and afterwards call nv3_ptimer_rearm().
 */
void nv3_ptimer_hold(NV3State *s);
void nv3_ptimer_rearm(NV3State *s);
/* Handles nv3_timer_expired() for NV3_TIMER_ALARM. */
void nv3_ptimer_expired(NV3State *s);

/* ---- ramin.c: @addr wraps at 1 MiB ------------------------------------------ */

uint32_t nv3_ramin_rd32(NV3State *s, uint32_t addr);
void nv3_ramin_wr32(NV3State *s, uint32_t addr, uint32_t val);

/* Tables of the saved state. */
extern const NV3StateBlock nv3_pmc_state;
extern const NV3StateBlock nv3_pbus_state;
extern const NV3StateBlock nv3_ptimer_state;
extern const NV3StateBlock nv3_prm_state;
extern const NV3StateBlock nv3_pme_state;
extern const NV3StateBlock nv3_pextdev_state;

#endif
