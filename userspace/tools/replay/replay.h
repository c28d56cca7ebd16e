/* SPDX-License-Identifier: MIT */
/*
 * Executes the records of a capture on the device (device.h), and reports batches, methods and
 * writes of the program to a watcher.
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

/* Callbacks. The replay calls begin(), method() and end() only for batches in its range. */
struct replay_watcher {
	/* Called before a batch. @replay->split contains the methods of the batch. */
	void (*begin)(struct replay *replay);
	/*
	 * Called after each method that PGRAPH has executed, with the method's index in
	 * @replay->split. If this member is NULL, the chip executes batches without interruption.
	 */
	void (*method)(struct replay *replay, uint32_t method);
	/* Called after a batch. */
	void (*end)(struct replay *replay);
	/* Called for a MEMORY record: the program has written to a buffer. */
	void (*memory)(struct replay *replay, uint32_t file, uint32_t buffer);
};

struct replay {
	struct capture_reader *reader;
	struct stream_model model;
	const struct replay_watcher *watcher;	/* or NULL */
	uint32_t first, last;			/* range of batches, numbered from 1 */
	bool ignore_checks;

	/* The current batch */
	struct capture_record record;
	struct stream_channel *channel;
	struct stream_batch split;
	/* number of the batch, starting with 1; 0 before the first batch */
	uint32_t batch;
	bool written;			/* the chip has written to memory since the last method() */
	struct target target; /* target of the last drawing method */

	/* Results */
	uint64_t methods;
	uint32_t checks, different, faults;
	char error[CAPTURE_ERROR_SIZE];
};

/* Executes all records, up to the last batch in the range. Returns false after setting @error. */
bool replay_run(struct replay *replay);
void replay_free(struct replay *replay);

/*
 * Finds the target of the last drawing in batches 1 to @last. Needs no device. Sets @target->buffer
 * to 0 if none of these batches draws. Returns false after a message.
 */
bool replay_find_target(struct capture_reader *reader, uint32_t last, struct target *target);

/* Returns true if the current batch is in the range @replay->first to @replay->last. */
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

/* Type of stream_channel.data: the state that determines a drawing's target */
struct target_channel;

void target_free(void *channel);
/* Records a VM_BIND. Returns false if memory is exhausted. */
bool target_bind(const uint32_t *words);
/* Frees all recorded VM_BINDs. */
void target_free_binds(void);
/*
 * Tracks the state that a method sets. If the method draws, sets @target to the surface that the
 * method draws to.
 */
void target_method(struct stream_channel *channel, const struct stream_method *method,
		   struct target *target);
uint32_t target_bytes(const struct target *target);	/* of a pixel */
const char *target_format_name(uint32_t format);
/* Returns the pixels of a target, or NULL if the target exceeds its buffer. */
const uint8_t *target_pixels(const struct target *target);
/* Returns the value of a pixel. The coordinates must be within the target. */
uint32_t target_value(const struct target *target, const uint8_t *pixels, uint32_t x, uint32_t y);
/* Writes a PNG. Returns NULL, or an error message. */
const char *target_write_png(const struct target *target, const char *file);

#endif
