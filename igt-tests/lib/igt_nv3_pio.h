/* SPDX-License-Identifier: MIT */
/* A client with a PIO channel, which draws by storing methods to its USER aperture. */
#ifndef IGT_NV3_PIO_H
#define IGT_NV3_PIO_H

#include "igt_nv3.h"

#define IGT_NV3_APERTURE		0x10000		/* in bytes */
/* byte offset of the free count in the aperture */
#define IGT_NV3_FREE		0x10
/* The maximum free count. CACHE1 has at most 64 entries, of which one stays unused. */
#define IGT_NV3_FREE_MAX	(63 * 4)

/* A client with a PIO channel, and a surface of 64x64 pixels in X1R5G5B5 */
struct igt_nv3_pio {
	/*
	 * The client's objects have the same handles and subchannels as after
	 * igt_nv3_client_init(). The client's batch is unused.
	 */
	struct igt_nv3_client client;
	uint64_t offset;
	volatile uint32_t *aperture;
	/* number of bytes that may be stored before the next read of the free count */
	uint32_t room;
	/* Each flush signals a point of this timeline syncobj. The newest flush signals @point. */
	uint32_t timeline;
	uint64_t point;
};

/* Returns false if the driver is built without CONFIG_DRM_NV3_PIO. */
bool igt_nv3_has_pio(int fd);
/* Skips the test if the driver is built without CONFIG_DRM_NV3_PIO. */
void igt_nv3_require_pio(int fd);
int __igt_nv3_pio_create(int fd, uint32_t *channel, uint64_t *offset);
/* Maps the USER aperture. Returns MAP_FAILED on errors. */
void *__igt_nv3_aperture(int fd, uint64_t offset);
int __igt_nv3_flush(int fd, uint32_t channel, uint32_t syncobj, uint64_t point);

void igt_nv3_pio_init(struct igt_nv3_pio *pio, int fd);
/*
 * Creates a client with a long-running channel. Only long-running channels support semaphores and
 * flips.
 */
void igt_nv3_pio_init_lr(struct igt_nv3_pio *pio, int fd);
void igt_nv3_pio_fini(struct igt_nv3_pio *pio);

/* Stores a method without reading the free count. */
static inline void igt_nv3_poke(struct igt_nv3_pio *pio, uint32_t subch,
				uint32_t mthd, uint32_t data)
{
	pio->aperture[(subch * 0x2000 + mthd) / 4] = data;
}

/* Waits until the free count shows room for a method, and stores the method. */
static inline void igt_nv3_store(struct igt_nv3_pio *pio, uint32_t subch,
				 uint32_t mthd, uint32_t data)
{
	while (!pio->room)
		pio->room = pio->aperture[IGT_NV3_FREE / 4];
	pio->room -= 4;
	igt_nv3_poke(pio, subch, mthd, data);
}

void igt_nv3_pio_fill(struct igt_nv3_pio *pio, uint32_t x, uint32_t y,
		      uint32_t w, uint32_t h, uint32_t color);
/* Flushes the channel without waiting. Returns -EIO if the channel has faulted. */
int igt_nv3_pio_flush(struct igt_nv3_pio *pio);
/* Waits until all flushed methods have completed or failed. */
void igt_nv3_pio_wait(const struct igt_nv3_pio *pio);
/* Asserts that the flushed methods have not completed. */
void igt_nv3_pio_assert_busy(const struct igt_nv3_pio *pio);
/* Flushes the channel, and waits until all stored methods have completed or failed. */
void igt_nv3_pio_run(struct igt_nv3_pio *pio);
/* Like igt_nv3_pio_run(), but also asserts that the channel has not faulted. */
void igt_nv3_pio_run_ok(struct igt_nv3_pio *pio);
/* Draws a picture that depends on @seed, and asserts that each pixel is correct. */
void igt_nv3_pio_assert_draws(struct igt_nv3_pio *pio, uint32_t seed);

#endif
