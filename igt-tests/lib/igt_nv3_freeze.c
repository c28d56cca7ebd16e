/* SPDX-License-Identifier: MIT */
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "igt.h"
#include "igt_nv3_freeze.h"

static const char * const words[] = { "off", "timeslices", "all" };

int igt_nv3_freeze_open(int fd)
{
	return igt_nv3_debugfs(fd, "freeze", O_WRONLY);
}

void igt_nv3_freeze(int freeze, enum igt_nv3_freeze level)
{
	const char *word = words[level];

	igt_assert_eq(write(freeze, word, strlen(word)), strlen(word));
}

uint32_t igt_nv3_freeze_puller(int freeze, struct igt_nv3_pio *pio)
{
	uint32_t room;

	/*
	 * Reading the free count begins a PIO timeslice, which does not end while timeslices are
	 * frozen.
	 */
	igt_nv3_freeze(freeze, IGT_NV3_FREEZE_TIMESLICES);
	room = pio->aperture[IGT_NV3_FREE / 4] / 4;
	igt_assert(room > 1);
	igt_nv3_freeze(freeze, IGT_NV3_FREEZE_ALL);
	/*
	 * Surfaces are objects of a software class, so the puller stops at a method that binds a
	 * surface.
	 */
	igt_nv3_poke(pio, IGT_NV3_SUB_COLOR, NV3_MTHD_OBJECT, IGT_NV3_COLOR);
	pio->room = 0;
	return room - 1;
}
