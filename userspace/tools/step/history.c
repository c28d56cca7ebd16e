/* SPDX-License-Identifier: MIT */
#include "history.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define VRAM_PAGES	(MACHINE_VRAM_SIZE / MACHINE_PAGE)

struct saved_page {
	unsigned int users;
	uint8_t data[MACHINE_PAGE];
};

static uint8_t *memory_of(const struct world *world, unsigned int page)
{
	return page < VRAM_PAGES ? world->machine.vram + page * MACHINE_PAGE :
	       world->machine.memory + (page - VRAM_PAGES) * MACHINE_PAGE;
}

static struct saved_page *save_page(const struct world *world, unsigned int page,
				    const struct saved *before)
{
	const uint8_t *data = memory_of(world, page);
	struct saved_page *saved;

	if (before && !memcmp(before->page[page]->data, data, MACHINE_PAGE)) {
		before->page[page]->users++;
		return before->page[page];
	}
	saved = malloc(sizeof(*saved));
	if (saved) {
		saved->users = 1;
		memcpy(saved->data, data, MACHINE_PAGE);
	}
	return saved;
}

struct saved *saved_new(struct world *world, const struct saved *before)
{
	struct saved *saved = calloc(1, sizeof(*saved));
	bool ok = saved;
	unsigned int i;

	if (saved)
		saved->image = nv3_image_new(world->machine.chip);
	ok = saved && saved->image;
	for (i = 0; ok && i < SAVED_PAGES; i++) {
		saved->page[i] = save_page(world, i, before);
		ok = saved->page[i];
	}
	if (!ok) {
		saved_free(saved);
		return NULL;
	}
	nv3_image_save(saved->image, world->machine.chip);
	saved->rm = world->rm.state;
	saved->clock = world->machine.clock;
	saved->engine = world->engine;
	saved->answer = world->answer;
	return saved;
}

void saved_free(struct saved *saved)
{
	unsigned int i;

	if (!saved)
		return;
	for (i = 0; i < SAVED_PAGES; i++) {
		if (saved->page[i] && !--saved->page[i]->users)
			free(saved->page[i]);
	}
	nv3_image_free(saved->image);
	free(saved);
}

bool saved_load(const struct saved *saved, struct world *world)
{
	NV3LoadError error;
	unsigned int i;

	for (i = 0; i < SAVED_PAGES; i++)
		memcpy(memory_of(world, i), saved->page[i]->data, MACHINE_PAGE);
	world->machine.clock = saved->clock;
	if (!nv3_image_load(world->machine.chip, saved->image, &error)) {
		fprintf(stderr, "nv3-step: the saved state can't be loaded: %s\n", error.text);
		return false;
	}
	world->machine.clock = saved->clock;
	world->rm.state = saved->rm;
	world->engine = saved->engine;
	world->answer = saved->answer;
	return true;
}

uint8_t saved_vram(const struct saved *saved, uint32_t offset)
{
	return saved->page[offset / MACHINE_PAGE]->data[offset % MACHINE_PAGE];
}

uint8_t saved_memory(const struct saved *saved, uint32_t offset)
{
	return saved_vram(saved, MACHINE_VRAM_SIZE + offset);
}

bool saved_vram_changed(const struct saved *saved, const struct world *world, uint32_t offset)
{
	unsigned int page = offset / MACHINE_PAGE;

	return memcmp(saved->page[page]->data, memory_of(world, page), MACHINE_PAGE);
}

bool saved_memory_changed(const struct saved *saved, const struct world *world, uint32_t offset)
{
	return saved_vram_changed(saved, world, MACHINE_VRAM_SIZE + offset);
}
