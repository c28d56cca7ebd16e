/* SPDX-License-Identifier: MIT */
/*
 * Splits the words of a batch into methods, and finds the object of each method. A model of the
 * channel tracks objects, classes and bindings without a chip.
 */
#ifndef NV3_CAPTURE_STREAM_H
#define NV3_CAPTURE_STREAM_H

#include <stdbool.h>
#include <stdint.h>

#include "format.h"

#define STREAM_SUBCHANNELS	8u
#define STREAM_ARGS_MAX		60u

struct stream_object {
	struct stream_object *next;
	uint32_t handle, class_id;
	uint32_t arg_count;
	uint32_t args[STREAM_ARGS_MAX];	/* fields of the class's structure in nv3_drm.h */
	bool destroyed;			/* may still be bound */
};

struct stream_channel {
	struct stream_channel *next;
	uint32_t file, id;
	struct stream_object *objects;
	struct stream_object *bound[STREAM_SUBCHANNELS];
	void *data;			/* of the program */
};

/* The channels of a capture */
struct stream_model {
	struct stream_channel *channels;
	void (*free_data)(void *data);	/* or NULL */
};

/* Updates the model. Returns NULL, or a message about an impossible record. */
const char *stream_record(struct stream_model *model, const struct capture_record *record);
struct stream_channel *stream_find_channel(struct stream_model *model, uint32_t file,
					   uint32_t id);
struct stream_object *stream_find_object(struct stream_channel *channel, uint32_t handle);
void stream_free(struct stream_model *model);

struct stream_method {
	uint32_t word;		/* in the batch */
	uint32_t header;	/* index of the method's header in the batch */
	uint32_t subch, mthd, data;
	/* The object bound to the subchannel, or NULL. For a binding method, the new object. */
	struct stream_object *object;
	/* for a binding method, the object that was bound before, or NULL */
	struct stream_object *before;
	/*
	 * Index, within the batch, of the drawing to which the method belongs. In class PROGRAMS,
	 * the methods BEGIN_END 0 and CLEAR_SURFACE end a drawing. In other classes, a drawing ends
	 * at a method of another object.
	 */
	uint32_t draw;
};

struct stream_batch {
	struct stream_method *methods;
	uint32_t count;
	/* Index of the first header that is invalid or lacks arguments, or UINT32_MAX */
	uint32_t bad_word;
	uint32_t missing;	/* number of arguments that are missing after the last header */
	uint32_t headers;
};

/*
 * Splits the words of a batch into methods and updates the bindings. Returns false if memory is
 * exhausted.
 */
bool stream_split(struct stream_channel *channel, const uint32_t *words, uint32_t count,
		  struct stream_batch *batch);

/* Writes "CLASS METHOD value" to @text. */
void stream_print(const struct stream_method *method, char *text, size_t size);

#endif
