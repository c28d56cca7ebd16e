/* SPDX-License-Identifier: MIT */
/*
 * Watchers of a replay, which produce lists, pictures, the history of a pixel, and checksums for
 * lockstep.c.
 */
#ifndef NV3_REPLAY_WATCH_H
#define NV3_REPLAY_WATCH_H

#include "replay.h"

/* Prints the methods. */
extern const struct replay_watcher watch_list;

/* Write pictures to a directory, after each drawing or after each batch. */
bool watch_pictures_init(const char *directory);
extern const struct replay_watcher watch_pictures_of_draws;
extern const struct replay_watcher watch_pictures_of_batches;

/*
 * Sets up watch_pixel, which collects the changes of a pixel of the target. Returns false after a
 * message if the target has no such pixel.
 */
bool watch_pixel_init(const struct target *target, uint32_t x, uint32_t y);
extern const struct replay_watcher watch_pixel;
/* Prints the changes, and frees them. */
void watch_pixel_report(void);

/*
 * Print a line for each batch, or for each method, with the checksum of all buffers that the batch
 * may write. lockstep.c reads these lines.
 */
extern const struct replay_watcher watch_checksums_of_batches;
extern const struct replay_watcher watch_checksums_of_methods;
/*
 * Sets up watch_dump, which writes the buffers to a file for lockstep.c. The watcher writes after
 * method @method of the batch, or after the last method if the batch has fewer methods.
 */
void watch_dump_init(uint32_t method, const char *file);
extern const struct replay_watcher watch_dump;

/* Header of a dump. A struct dump_buffer and the contents follow for each of @buffers buffers. */
struct dump_head {
	struct target target;
	uint32_t buffers;
};

struct dump_buffer {
	uint32_t number;
	uint32_t size;
};

#endif
