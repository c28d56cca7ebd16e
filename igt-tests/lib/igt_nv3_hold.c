/* SPDX-License-Identifier: MIT */
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "igt.h"
#include "igt_nv3_hold.h"

int igt_nv3_hold_open(int fd)
{
	return igt_nv3_debugfs(fd, "hold", O_WRONLY);
}

void igt_nv3_hold(int hold, const char *what)
{
	igt_assert_eq(write(hold, what, strlen(what)), strlen(what));
}

uint32_t igt_nv3_hold_puller(int hold, struct igt_nv3_pio *pio)
{
	uint32_t room;

	/* This load begins a PIO timeslice, which doesn't end while frozen. */
	igt_nv3_hold(hold, "turns");
	room = pio->window[IGT_NV3_FREE / 4] / 4;
	igt_assert(room > 1);
	igt_nv3_hold(hold, "all");
	/* The object is of a software class, so the chip interrupts and waits. */
	igt_nv3_poke(pio, IGT_NV3_SUB_COLOR, NV3_MTHD_OBJECT, IGT_NV3_COLOR);
	pio->room = 0;
	return room - 1;
}
