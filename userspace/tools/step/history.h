/* SPDX-License-Identifier: MIT */
/*
 * Saved states of the chip, its memory and the resource manager. The states share the pages of
 * memory that did not change between them, so each state needs little memory.
 */
#ifndef NV3_STEP_HISTORY_H
#define NV3_STEP_HISTORY_H

#include "rm.h"
#include "script.h"

#define SAVED_PAGES	((MACHINE_VRAM_SIZE + MACHINE_MEMORY_SIZE) / MACHINE_PAGE)

/* All state that changes while a script runs */
struct world {
	struct machine machine;
	struct rm rm;
	bool engine;			/* runs after each statement */
	enum answer_mode answer;	/* ALWAYS or NEVER */
};

struct saved_page;

struct saved {
	NV3Image *image;
	struct saved_page *page[SAVED_PAGES];
	struct rm_state rm;
	struct machine_clock clock;
	bool engine;
	enum answer_mode answer;
};

/*
 * Saves the current state. If @before is not null, the new saved state shares the pages that have
 * not changed since @before. Returns null if memory is exhausted.
 */
struct saved *saved_new(struct world *world, const struct saved *before);
void saved_free(struct saved *saved);
/* Returns to a state. Returns false after a message. */
bool saved_load(const struct saved *saved, struct world *world);

/* Return a saved byte of VRAM or of system memory. */
uint8_t saved_vram(const struct saved *saved, uint32_t offset);
uint8_t saved_memory(const struct saved *saved, uint32_t offset);
/* Return true if the page at this offset has changed since the state was saved. */
bool saved_vram_changed(const struct saved *saved, const struct world *world, uint32_t offset);
bool saved_memory_changed(const struct saved *saved, const struct world *world, uint32_t offset);

#endif
