/* SPDX-License-Identifier: MIT */
/*
 * A chip model with VRAM and system memory, inside the process of nv3-step. Other files access the
 * model only through the functions that this file declares. The model's clock advances only in
 * machine_pass(), so a run can be repeated exactly.
 */
#ifndef NV3_STEP_MACHINE_H
#define NV3_STEP_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "api/nv3.h"
#include "api/nv3_state.h"

#define MACHINE_VRAM_SIZE	(8u << 20)
/* System memory: bus addresses and size */
#define MACHINE_MEMORY_BASE	0x10000000u
#define MACHINE_MEMORY_SIZE	(4u << 20)
#define MACHINE_PAGE		4096u

/*
 * Limits of the log. The log contains the most recent messages that the chip has printed since
 * machine_forget_log() was called.
 */
#define MACHINE_LOG_LINES	8
#define MACHINE_LOG_SIZE	160

struct machine_clock {
	uint64_t now;				/* ns */
	uint64_t timer[NV3_TIMER_COUNT];	/* when timers expire; UINT64_MAX: never */
};

struct machine {
	NV3State *chip;
	uint8_t *vram;
	uint8_t *memory;
	struct machine_clock clock;
	bool irq;

	char log[MACHINE_LOG_LINES][MACHINE_LOG_SIZE];
	unsigned int logged;			/* may exceed MACHINE_LOG_LINES */
};

/* Creates a chip of revision C. Returns false after a message. */
bool machine_init(struct machine *m, NV3Simd simd);
void machine_fini(struct machine *m);

uint32_t machine_rd32(struct machine *m, uint32_t reg);
void machine_wr32(struct machine *m, uint32_t reg, uint32_t value);
uint32_t machine_ramin_rd32(struct machine *m, uint32_t addr);
void machine_ramin_wr32(struct machine *m, uint32_t addr, uint32_t value);
/* Write a word to VRAM or to system memory. The offset must be a multiple of 4 and in range. */
void machine_vram_wr32(struct machine *m, uint32_t offset, uint32_t value);
void machine_memory_wr32(struct machine *m, uint32_t offset, uint32_t value);

/*
 * Runs the engine until it waits for the host. Stops after @methods methods if @methods is not 0.
 */
void machine_run(struct machine *m, unsigned int methods);
/* Advances the clock by @ns and runs timers that expire. */
void machine_pass(struct machine *m, uint64_t ns);
void machine_forget_log(struct machine *m);

#endif
