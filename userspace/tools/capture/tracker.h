/* SPDX-License-Identifier: MIT */
/*
 * The capture library's model of the process: open files of the device, with their channels,
 * buffers and address spaces. The functions record successful calls. The caller must serialize all
 * calls with a lock.
 */
#ifndef NV3_CAPTURE_TRACKER_H
#define NV3_CAPTURE_TRACKER_H

#include <stdbool.h>
#include <stdint.h>

#include <nv3_drm.h>

#include "format.h"

#define TRACKER_PAGE	4096u

struct tracked_buffer {
	struct tracked_buffer *next;
	uint32_t id;		/* in the capture */
	uint32_t handle;	/* 0: the client has closed the handle */
	uint32_t domains;
	uint32_t mappings;	/* in address spaces */
	uint64_t size;
	uint8_t *map;		/* the library's own mapping, or NULL */
	uint8_t *known;		/* the contents that the buffer has at this point of a replay */
	bool notifier;		/* the buffer contains timestamps, which differ in a replay */
	bool unreadable;
};

struct tracked_mapping {
	struct tracked_mapping *next;
	struct tracked_buffer *buffer;
	uint64_t address, size;
};

struct tracked_vm {
	struct tracked_vm *next;
	uint32_t id;
	struct tracked_mapping *mappings;
};

struct tracked_dma {
	struct tracked_dma *next;
	uint32_t handle;
	struct tracked_buffer *buffer;
};

struct tracked_channel {
	struct tracked_channel *next;
	uint32_t id;
	bool ignored;		/* its work can't be recorded */
	struct tracked_vm *vm;	/* address space of its objects of class PROGRAMS, or NULL */
	struct tracked_dma *dmas;
};

struct tracked_file {
	uint32_t id;
	unsigned int refs;	/* descriptors */
	struct tracked_buffer *buffers;
	struct tracked_vm *vms;
	struct tracked_channel *channels;
};

/* Functions of libc, or of a library that is preloaded after this one */
struct tracker_calls {
	int (*ioctl)(int fd, unsigned long request, ...);
	void *(*mmap)(void *addr, size_t length, int prot, int flags, int fd, int64_t offset);
	int (*munmap)(void *addr, size_t length);
};

struct tracker {
	struct tracker_calls calls;
	struct capture_writer writer;
	uint32_t files;		/* so far */
	uint32_t buffers;	/* so far */
	bool recording;
	bool full;		/* no number is left for another file or buffer */
	bool incomplete;	/* the process has a channel whose work can't be recorded */
};

/* Prints a message in the style of printf(), with the library's name and a newline. */
void capture_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

struct tracked_file *tracker_file_new(struct tracker *t);
void tracker_file_free(struct tracker *t, struct tracked_file *file);

/* Record calls that have succeeded. */
void tracker_channel(struct tracker *t, struct tracked_file *file,
		     const struct drm_nv3_channel_create *args);
void tracker_channel_destroy(struct tracker *t, struct tracked_file *file, uint32_t id);
void tracker_object(struct tracker *t, struct tracked_file *file,
		    const struct drm_nv3_object_instantiate *args);
void tracker_object_destroy(struct tracker *t, struct tracked_file *file,
			    const struct drm_nv3_object_destroy *args);
/* Records a new buffer, unless the model already contains the handle. */
void tracker_buffer(struct tracker *t, struct tracked_file *file, uint32_t handle, uint64_t size,
		    uint32_t domains);
void tracker_buffer_close(struct tracker *t, struct tracked_file *file, uint32_t handle);
void tracker_vm(struct tracker *t, struct tracked_file *file, uint32_t id);
void tracker_vm_destroy(struct tracker *t, struct tracked_file *file, uint32_t id);
void tracker_vm_bind(struct tracker *t, struct tracked_file *file,
		     const struct drm_nv3_vm_bind *args);

/* submit.c: records the SUBMIT ioctl, before and after the kernel executes it */

struct tracked_submit {
	struct tracked_channel *channel;
	uint32_t *payload;	/* struct capture_batch, buffers, words */
	uint32_t count;
};

/* Records the changed pages of the buffers that the batch may read. */
void tracker_submit_begin(struct tracker *t, struct tracked_file *file, int fd,
			  const struct drm_nv3_submit *args, struct tracked_submit *submit);
/*
 * Records the batch, waits until the chip has executed it, and records the result. @done: whether
 * the ioctl succeeded.
 */
void tracker_submit_end(struct tracker *t, struct tracked_file *file, int fd,
			const struct drm_nv3_submit *args, struct tracked_submit *submit,
			bool done);

struct tracked_buffer *tracker_find_buffer(struct tracked_file *file, uint32_t handle);
struct tracked_channel *tracker_find_channel(struct tracked_file *file, uint32_t id);

#endif
