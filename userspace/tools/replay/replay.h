/* SPDX-License-Identifier: MIT */
/*
 * Executes the records of a capture on the device (device.h), and tells a watcher what happens.
 */
#ifndef NV3_REPLAY_REPLAY_H
#define NV3_REPLAY_REPLAY_H

#include <stdbool.h>
#include <stdint.h>

#include "device.h"
#include "format.h"
#include "stream.h"

/* A surface that methods draw to */
struct target {
	uint32_t file, buffer;		/* 0: none */
	uint32_t offset, pitch;		/* bytes */
	uint32_t width, height;		/* pixels */
	uint32_t format;		/* enum target_format */
};

struct replay;

/* Functions are called only for batches in the range. */
struct replay_watcher {
	/* Before a batch, whose methods are in @replay->split. */
	void (*begin)(struct replay *replay);
	/*
	 * After each method that PGRAPH has executed, with the number of the method in
	 * @replay->split. NULL: the chip executes batches without interruption.
	 */
	void (*method)(struct replay *replay, uint32_t method);
	/* After a batch. */
	void (*end)(struct replay *replay);
	/* The program has written to a buffer. */
	void (*memory)(struct replay *replay, uint32_t file, uint32_t buffer);
};

struct replay {
	struct capture_reader *reader;
	struct stream_model model;
	const struct replay_watcher *watcher;	/* or NULL */
	uint32_t first, last;			/* batches in the range, from 1 on */
	bool ignore_checks;

	/* The present batch */
	struct capture_record record;
	struct stream_channel *channel;
	struct stream_batch split;
	uint32_t batch;				/* number, from 1 on; 0: none yet */
	bool written;				/* the chip has written since the last method() */
	struct target target; /* target of the present method, or of the last one */

	/* Results */
	uint64_t methods;
	uint32_t checks, different, faults;
	char error[CAPTURE_ERROR_SIZE];
};

/* Executes all records, up to the last batch in the range. Returns false after setting @error. */
bool replay_run(struct replay *replay);
void replay_free(struct replay *replay);

/*
 * Finds the last target up to batch @last without a device. @target->buffer is 0 if there is none.
 * Returns false after a message.
 */
bool replay_find_target(struct capture_reader *reader, uint32_t last, struct target *target);

/* True if the present batch is in the range. */
static inline bool replay_in_range(const struct replay *replay)
{
	return replay->batch >= replay->first && replay->batch <= replay->last;
}

/* step.c: runs a batch method by method. */
void step_begin(struct replay *replay);
void step_end(struct replay *replay);

/* target.c */

enum target_format {
	TARGET_Y8, TARGET_Y16, TARGET_X1R5G5B5, TARGET_X8R8G8B8,	/* DRM_NV3_FORMAT_* */
	TARGET_R5G6B5, TARGET_A8R8G8B8, TARGET_Z24S8,
	TARGET_FORMATS
};

/* The type of stream_channel.data: the methods so far that select targets */
struct target_channel;

void target_free(void *channel);
/* Notes a VM_BIND. Returns false if memory is exhausted. */
bool target_bind(const uint32_t *words);
/* Forgets all of them. */
void target_free_binds(void);
/*
 * Notes a method. Sets @target to what it draws to, or leaves it as it is if the method does not
 * draw.
 */
void target_method(struct stream_channel *channel, const struct stream_method *method,
		   struct target *target);
uint32_t target_bytes(const struct target *target);	/* of a pixel */
const char *target_format_name(uint32_t format);
/* The pixels of a target, or NULL if it isn't within its buffer. */
const uint8_t *target_pixels(const struct target *target);
/* The value of a pixel, whose coordinates are within the target */
uint32_t target_value(const struct target *target, const uint8_t *pixels, uint32_t x, uint32_t y);
/* Writes a PNG, whole or not at all. Returns NULL or a message. */
const char *target_write_png(const struct target *target, const char *file);

#endif
