/* SPDX-License-Identifier: MIT */
/*
 * PIO channels, for the nv3 tests: a client that draws by storing methods to
 * its mapped window.
 */
#ifndef IGT_NV3_PIO_H
#define IGT_NV3_PIO_H

#include "igt_nv3.h"

#define IGT_NV3_WINDOW		0x10000		/* bytes */
#define IGT_NV3_FREE		0x10		/* the free count, in bytes */
/* CACHE1 has 32 or 64 entries, of which one stays unused. */
#define IGT_NV3_FREE_MOST	(63 * 4)

/* A PIO channel, and 64x64 pixels of X1R5G5B5 to draw to. */
struct igt_nv3_pio {
	/* Its batch isn't used. Names and subchannels are those of a client. */
	struct igt_nv3_client client;
	uint64_t offset;
	volatile uint32_t *window;
	uint32_t room;		/* bytes that may be stored before asking */
	/* Of the turns flushed: a syncobj, and its newest point. */
	uint32_t timeline;
	uint64_t point;
};

int __igt_nv3_pio_create(int fd, uint32_t *channel, uint64_t *offset);
/* MAP_FAILED, or the window. */
void *__igt_nv3_window(int fd, uint64_t offset);
int __igt_nv3_flush(int fd, uint32_t channel, uint32_t syncobj, uint64_t point);

void igt_nv3_pio_init(struct igt_nv3_pio *pio, int fd);
/* With a long-running channel, which may have semaphores and flips. */
void igt_nv3_pio_init_lr(struct igt_nv3_pio *pio, int fd);
void igt_nv3_pio_fini(struct igt_nv3_pio *pio);

/* Stores a method without asking. */
static inline void igt_nv3_poke(struct igt_nv3_pio *pio, uint32_t subch,
				uint32_t mthd, uint32_t data)
{
	pio->window[(subch * 0x2000 + mthd) / 4] = data;
}

/* Asks until there is room, then stores it. */
static inline void igt_nv3_store(struct igt_nv3_pio *pio, uint32_t subch,
				 uint32_t mthd, uint32_t data)
{
	while (!pio->room)
		pio->room = pio->window[IGT_NV3_FREE / 4];
	pio->room -= 4;
	igt_nv3_poke(pio, subch, mthd, data);
}

void igt_nv3_pio_fill(struct igt_nv3_pio *pio, uint32_t x, uint32_t y,
		      uint32_t w, uint32_t h, uint32_t color);
/* Ends the turn without waiting; -EIO: the channel has faulted. */
int igt_nv3_pio_flush(struct igt_nv3_pio *pio);
/* Until all that was flushed is carried out, or has failed. */
void igt_nv3_pio_wait(const struct igt_nv3_pio *pio);
/* That it has not. */
void igt_nv3_pio_assert_busy(const struct igt_nv3_pio *pio);
/* Until all that was stored is carried out, or has failed. */
void igt_nv3_pio_run(struct igt_nv3_pio *pio);
/* The same, after which the channel must not have faulted. */
void igt_nv3_pio_run_ok(struct igt_nv3_pio *pio);
/* That it can still draw, and draws right: something else for each @seed. */
void igt_nv3_pio_assert_draws(struct igt_nv3_pio *pio, uint32_t seed);

#endif
