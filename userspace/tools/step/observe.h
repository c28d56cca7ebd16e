/* SPDX-License-Identifier: MIT */
/* Records snapshots of the chip's state (observations), and prints their differences. */
#ifndef NV3_STEP_OBSERVE_H
#define NV3_STEP_OBSERVE_H

#include <stdio.h>

#include "history.h"

#define OBSERVE_REGISTERS_MAX	512
#define OBSERVE_CACHE1_MAX	64

struct observation {
	uint32_t reg[OBSERVE_REGISTERS_MAX];
	/* numbers of methods that PGRAPH has executed, and of pixels that it has drawn */
	uint64_t methods, pixels;

	/* the entries of CACHE1, starting at GET */
	struct {
		uint32_t addr, data;
	} cache1[OBSERVE_CACHE1_MAX];
	unsigned int cached;

	uint32_t ramht[RM_RAMRO / 4];
	uint32_t ramro[RM_RAMRO_SIZE / 4];
	uint32_t ramfc[0x1000 / 4];
};

void observe(struct world *world, struct observation *now);
/* Prints the differences between @before and @now. */
void observe_print_changes(struct world *world, const struct observation *before,
			   const struct observation *now, FILE *out);
/*
 * Returns true if the current channel has a surface in @slot, and a pixel of this surface has
 * changed since a saved state.
 */
bool observe_surface_changed(struct world *world, const struct saved *before, unsigned int slot);
/* Prints the changes in surfaces and in memory since a saved state. */
void observe_print_memory(struct world *world, const struct saved *before, FILE *out);

/*
 * Each function prints one part of an observation. If @pattern is not null, only registers whose
 * names contain this text are printed. If @pattern is null, all registers that are not 0 are
 * printed.
 */
void observe_print_registers(const struct observation *now, const char *pattern, FILE *out);
void observe_print_cache1(struct world *world, const struct observation *now, FILE *out);
void observe_print_ramht(const struct observation *now, FILE *out);
void observe_print_ramfc(const struct observation *now, FILE *out);
void observe_print_ramro(struct world *world, const struct observation *now, FILE *out);

#endif
