/* SPDX-License-Identifier: MIT */
/*
 * Checks the methods of a capture. A method that the chip or the driver refuses is an error. A
 * method that has no effect, or an avoidable cost, is reported as waste. nv3_drm.h,
 * docs/howto/libdrm.md and docs/reference/chip describe the rules.
 */
#ifndef NV3_CAPTURE_LINT_H
#define NV3_CAPTURE_LINT_H

#include "stream.h"

enum lint_kind { LINT_ERROR, LINT_WASTE };

struct lint {
	const char *name;		/* of the capture */
	struct stream_model model;
	uint32_t batch;			/* number of the current batch, counted from 1 */
	uint64_t methods;
	uint32_t errors, waste;		/* messages so far */
	bool no_waste;			/* prints errors only */
	/* lint_raw.c: the file is a pushbuffer without buffers, see struct lint_raw */
	bool raw;
	uint32_t unknown_subchs;	/* mask of subchannels whose object is unknown */

	/* The present batch */
	struct stream_channel *channel;
	const struct capture_pair *buffers;
	uint32_t buffer_count;
	uint8_t *used;			/* for each buffer */
	uint64_t changes;		/* number of MEMORY records so far */
};

/* Checks a record. Returns NULL, or a message about an impossible record. */
const char *lint_record(struct lint *l, const struct capture_record *record);
void lint_init(struct lint *l, const char *name);
void lint_fini(struct lint *l);

/*
 * Prints "NAME: batch N, word W: KIND: " and a message in the style of printf(). For a file without
 * batches, prints "offset O" in bytes instead of batch and word.
 */
void lint_say(struct lint *l, enum lint_kind kind, uint32_t word, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
/* Prints a message as lint_say() does, followed by the documentation page of the class. */
void lint_say_class(struct lint *l, enum lint_kind kind, uint32_t word, uint32_t class_id,
		    const char *format, ...) __attribute__((format(printf, 5, 6)));

/* lint_pages.c: returns the documentation page of a class, or null. */
const char *lint_page(uint32_t class_id);

/* Marks a buffer as used. Reports a buffer that the batch does not list. */
void lint_use_buffer(struct lint *l, uint32_t word, uint32_t buffer, const char *what);

/* lint_state.c: checks methods that set state */
struct lint_state;

struct lint_state *lint_state_new(void);
void lint_state_free(void *state);
void lint_state_begin(struct lint_state *state);
void lint_state_method(struct lint *l, struct lint_state *state, const struct stream_method *m);
void lint_state_end(struct lint *l, struct lint_state *state);

/* lint_programs.c: checks the values of class PROGRAMS. The caller frees the structure. */
struct lint_programs;

struct lint_programs *lint_programs_new(void);
void lint_programs_method(struct lint *l, struct lint_programs *p, const struct stream_method *m);

#endif
