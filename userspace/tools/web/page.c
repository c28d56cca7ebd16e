/* SPDX-License-Identifier: MIT */
#include "page.h"

#include <stdio.h>
#include <stdlib.h>

#include "picture.h"
#include "script.h"
#include "session.h"

/* The name of the script in messages */
#define SCRIPT_NAME	"script"

static struct script script;
static struct session session;
static bool loaded;
static uint8_t *pixels;

char *page_text(size_t size)
{
	return malloc(size ? size : 1);
}

static void unload(void)
{
	if (!loaded)
		return;
	session_fini(&session);
	script_free(&script);
	loaded = false;
}

static bool read_text(char *text, size_t size)
{
	FILE *file = fmemopen(text, size, "r");
	bool ok;

	if (!file) {
		fprintf(stderr, SCRIPT_NAME ":1: the script has no statement\n");
		return false;
	}
	ok = script_read(&script, SCRIPT_NAME, file);
	fclose(file);
	return ok;
}

unsigned int page_load(char *text, size_t size)
{
	bool ok;

	unload();
	ok = read_text(text, size);
	free(text);
	if (!ok)
		return 0;
	if (!session_init(&session, &script, NV3_SIMD_AUTO)) {
		script_free(&script);
		return 0;
	}
	session.keep = true;
	loaded = true;
	return script.count;
}

unsigned int page_line(unsigned int statement)
{
	return loaded && statement < script.count ? script.statements[statement].line : 0;
}

unsigned int page_next(void)
{
	return loaded ? session.next : 0;
}

bool page_forward(void)
{
	return loaded && session.next < script.count && session_forward(&session);
}

bool page_back(void)
{
	bool ok = loaded && session_back(&session);

	fflush(stdout);
	return ok;
}

void page_show(enum page_part part)
{
	if (!loaded)
		return;
	switch (part) {
	case PAGE_CACHE1:
		observe_print_cache1(&session.world, &session.now, stdout);
		break;
	case PAGE_RAMHT:
		observe_print_ramht(&session.now, stdout);
		break;
	case PAGE_RAMFC:
		observe_print_ramfc(&session.now, stdout);
		break;
	case PAGE_RAMRO:
		observe_print_ramro(&session.world, &session.now, stdout);
		break;
	case PAGE_REGISTERS:
		observe_print_registers(&session.now, NULL, stdout);
		break;
	}
	fflush(stdout);
}

/* ---- pictures ---- */

/* Returns the surface in a slot of the current channel, or null. */
static const struct rm_surface *find_surface(unsigned int slot)
{
	const struct rm_surface *surface;

	if (!loaded || slot >= RM_SURFACES)
		return NULL;
	surface = &rm_current(&session.world.rm)->surface[slot];
	return surface->exists ? surface : NULL;
}

uint32_t page_surface(unsigned int slot)
{
	const struct rm_surface *surface = find_surface(slot);

	return surface ? surface->height << 16 | surface->width : 0;
}

const uint8_t *page_pixels(unsigned int slot)
{
	const struct rm_surface *surface = find_surface(slot);

	free(pixels);
	pixels = surface ? picture_rgb(&session.world.machine, surface, 1) : NULL;
	return pixels;
}

/* Sets only the CRC. The page shows the picture itself, so no file is written. */
bool picture_write(const struct machine *m, const struct rm_surface *surface, const char *file,
		   uint32_t scale, uint32_t *crc)
{
	return picture_crc(m, surface, crc);
}
