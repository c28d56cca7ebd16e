/* SPDX-License-Identifier: MIT */
#include "tracker.h"

#include <stdlib.h>
#include <string.h>

#include <nv3_class.h>

#define RECORD(t, type, ...)                                                              \
	do {                                                                              \
		const uint32_t record_words[] = { __VA_ARGS__ };                          \
		capture_write(&(t)->writer, type, record_words,                           \
			      sizeof(record_words) / sizeof(record_words[0]), NULL, 0);   \
	} while (0)

#define LOW(value)	((uint32_t)(value))
#define HIGH(value)	((uint32_t)((value) >> 32))

/*
 * Allocates zeroed memory. Ends the program if memory is exhausted, because the library can't work
 * without its lists.
 */
static void *allocate(size_t size)
{
	void *memory = calloc(1, size);

	if (!memory) {
		capture_say("out of memory");
		abort();
	}
	return memory;
}

/* ---- files ---- */

struct tracked_file *tracker_file_new(struct tracker *t)
{
	struct tracked_file *file = allocate(sizeof(*file));

	file->id = ++t->files;
	file->refs = 1;
	t->full |= file->id >= CAPTURE_FILES_MAX;
	return file;
}

static void free_buffer(struct tracker *t, struct tracked_buffer *buffer)
{
	if (buffer->map)
		t->calls.munmap(buffer->map, buffer->size);
	free(buffer->known);
	free(buffer);
}

static void free_channel(struct tracked_channel *channel)
{
	while (channel->dmas) {
		struct tracked_dma *next = channel->dmas->next;

		free(channel->dmas);
		channel->dmas = next;
	}
	free(channel);
}

static void free_vm(struct tracked_vm *vm)
{
	while (vm->mappings) {
		struct tracked_mapping *next = vm->mappings->next;

		free(vm->mappings);
		vm->mappings = next;
	}
	free(vm);
}

void tracker_file_free(struct tracker *t, struct tracked_file *file)
{
	RECORD(t, CAPTURE_FILE_CLOSE, file->id);
	while (file->channels) {
		struct tracked_channel *next = file->channels->next;

		free_channel(file->channels);
		file->channels = next;
	}
	while (file->vms) {
		struct tracked_vm *next = file->vms->next;

		free_vm(file->vms);
		file->vms = next;
	}
	while (file->buffers) {
		struct tracked_buffer *next = file->buffers->next;

		free_buffer(t, file->buffers);
		file->buffers = next;
	}
	free(file);
}

/* ---- buffers ---- */

struct tracked_buffer *tracker_find_buffer(struct tracked_file *file, uint32_t handle)
{
	struct tracked_buffer *buffer;

	for (buffer = file->buffers; buffer && handle; buffer = buffer->next) {
		if (buffer->handle == handle)
			return buffer;
	}
	return NULL;
}

void tracker_buffer(struct tracker *t, struct tracked_file *file, uint32_t handle, uint64_t size,
		    uint32_t domains)
{
	struct tracked_buffer *buffer;

	if (tracker_find_buffer(file, handle))
		return;
	if (size > CAPTURE_BUFFER_MAX) {
		capture_say("a buffer of %llu bytes is too large for a capture: its contents will be missing",
			    (unsigned long long)size);
		return;
	}
	if (t->buffers + 1 >= CAPTURE_BUFFERS_MAX) {
		t->full = true;
		return;
	}
	buffer = allocate(sizeof(*buffer));
	buffer->id = ++t->buffers;
	buffer->handle = handle;
	buffer->size = size;
	buffer->domains = domains;
	buffer->next = file->buffers;
	file->buffers = buffer;
	RECORD(t, CAPTURE_BUFFER, file->id, buffer->id, domains, LOW(size), HIGH(size));
}

/* Removes the buffer from the model if it has neither a handle nor mappings. */
static void drop_buffer(struct tracker *t, struct tracked_file *file,
			struct tracked_buffer *buffer)
{
	struct tracked_channel *channel;
	struct tracked_buffer **link;
	struct tracked_dma *dma;

	if (buffer->handle || buffer->mappings)
		return;
	for (channel = file->channels; channel; channel = channel->next) {
		for (dma = channel->dmas; dma; dma = dma->next) {
			if (dma->buffer == buffer)
				dma->buffer = NULL;
		}
	}
	for (link = &file->buffers; *link != buffer; link = &(*link)->next)
		;
	*link = buffer->next;
	RECORD(t, CAPTURE_BUFFER_CLOSE, file->id, buffer->id);
	free_buffer(t, buffer);
}

void tracker_buffer_close(struct tracker *t, struct tracked_file *file, uint32_t handle)
{
	struct tracked_buffer *buffer = tracker_find_buffer(file, handle);

	if (!buffer)
		return;
	buffer->handle = 0;
	drop_buffer(t, file, buffer);
}

static uint32_t buffer_id(struct tracked_file *file, uint32_t handle)
{
	struct tracked_buffer *buffer = tracker_find_buffer(file, handle);

	return buffer ? buffer->id : 0;
}

/* ---- address spaces ---- */

static struct tracked_vm *find_vm(struct tracked_file *file, uint32_t id)
{
	struct tracked_vm *vm;

	for (vm = file->vms; vm; vm = vm->next) {
		if (vm->id == id)
			return vm;
	}
	return NULL;
}

void tracker_vm(struct tracker *t, struct tracked_file *file, uint32_t id)
{
	struct tracked_vm *vm = allocate(sizeof(*vm));

	vm->id = id;
	vm->next = file->vms;
	file->vms = vm;
	RECORD(t, CAPTURE_VM, file->id, id);
}

/* The address space remains in the list, because channels may still use it. */
void tracker_vm_destroy(struct tracker *t, struct tracked_file *file, uint32_t id)
{
	RECORD(t, CAPTURE_VM_DESTROY, file->id, id);
}

/*
 * Removes the mappings that are contained in a range from the model. Keeps mappings that are only
 * partly in the range.
 */
static void forget_mappings(struct tracker *t, struct tracked_file *file, struct tracked_vm *vm,
			    uint64_t start, uint64_t end)
{
	struct tracked_mapping **link = &vm->mappings;

	while (*link) {
		struct tracked_mapping *mapping = *link;

		if (mapping->address < start || mapping->address + mapping->size > end) {
			link = &mapping->next;
			continue;
		}
		*link = mapping->next;
		mapping->buffer->mappings--;
		drop_buffer(t, file, mapping->buffer);
		free(mapping);
	}
}

void tracker_vm_bind(struct tracker *t, struct tracked_file *file,
		     const struct drm_nv3_vm_bind *args)
{
	struct tracked_vm *vm = find_vm(file, args->vm);
	struct tracked_buffer *buffer = tracker_find_buffer(file, args->handle);
	struct tracked_mapping *mapping;

	RECORD(t, CAPTURE_VM_BIND, file->id, args->vm, args->op, buffer ? buffer->id : 0,
	       args->flags, LOW(args->address), HIGH(args->address), LOW(args->offset),
	       HIGH(args->offset), LOW(args->size), HIGH(args->size));
	if (!vm)
		return;
	if (buffer)
		buffer->mappings++;	/* first, so that forget_mappings() keeps the buffer */
	forget_mappings(t, file, vm, args->address, args->address + args->size);
	if (!buffer)
		return;
	mapping = allocate(sizeof(*mapping));
	mapping->buffer = buffer;
	mapping->address = args->address;
	mapping->size = args->size;
	mapping->next = vm->mappings;
	vm->mappings = mapping;
}

/* ---- channels and objects ---- */

struct tracked_channel *tracker_find_channel(struct tracked_file *file, uint32_t id)
{
	struct tracked_channel *channel;

	for (channel = file->channels; channel; channel = channel->next) {
		if (channel->id == id)
			return channel;
	}
	return NULL;
}

void tracker_channel(struct tracker *t, struct tracked_file *file,
		     const struct drm_nv3_channel_create *args)
{
	struct tracked_channel *channel = allocate(sizeof(*channel));

	channel->id = args->channel;
	channel->ignored = args->type != DRM_NV3_CHANNEL_DMA || args->flags;
	channel->next = file->channels;
	file->channels = channel;
	t->incomplete |= channel->ignored;
	if (channel->ignored && args->type == DRM_NV3_CHANNEL_PIO)
		capture_say("channel %u is a PIO channel: no call of a function shows the methods that the program stores to the aperture",
			    args->channel);
	else if (channel->ignored)
		capture_say("channel %u is long-running: the library can't wait for its batches, which may wait for later calls",
			    args->channel);
	else
		RECORD(t, CAPTURE_CHANNEL, file->id, args->channel, args->type, args->flags);
}

void tracker_channel_destroy(struct tracker *t, struct tracked_file *file, uint32_t id)
{
	struct tracked_channel **link, *channel;

	for (link = &file->channels; *link && (*link)->id != id; link = &(*link)->next)
		;
	channel = *link;
	if (!channel)
		return;
	*link = channel->next;
	if (!channel->ignored)
		RECORD(t, CAPTURE_CHANNEL_DESTROY, file->id, id);
	free_channel(channel);
}

static void add_dma(struct tracked_file *file, struct tracked_channel *channel, uint32_t handle,
		    uint32_t buffer)
{
	struct tracked_dma *dma = allocate(sizeof(*dma));

	dma->handle = handle;
	dma->buffer = tracker_find_buffer(file, buffer);
	dma->next = channel->dmas;
	channel->dmas = dma;
}

/* Marks the buffer of the DMA object @handle as one that will contain notifications. */
static void mark_notifier(struct tracked_channel *channel, uint32_t handle)
{
	struct tracked_dma *dma;

	for (dma = channel->dmas; dma; dma = dma->next) {
		if (dma->handle == handle && dma->buffer)
			dma->buffer->notifier = true;
	}
}

#define ARGS_WORDS_MAX	60u

void tracker_object(struct tracker *t, struct tracked_file *file,
		    const struct drm_nv3_object_instantiate *args)
{
	struct tracked_channel *channel = tracker_find_channel(file, args->channel);
	uint32_t words[4 + ARGS_WORDS_MAX] = { file->id, args->channel, args->class_id,
					       args->name };
	uint32_t count = args->args_size / 4, *copy = words + 4;

	if (!channel || channel->ignored)
		return;
	if (count > ARGS_WORDS_MAX)
		count = ARGS_WORDS_MAX;
	memcpy(copy, (const void *)(uintptr_t)args->args, count * 4);
	switch (args->class_id) {
	case DRM_NV3_CLASS_DMA:
		add_dma(file, channel, args->name, copy[0]);
		copy[0] = buffer_id(file, copy[0]);
		break;
	case NV3_CLASS_SURFACE:
	case DRM_NV3_CLASS_SEMAPHORE:
		copy[0] = buffer_id(file, copy[0]);
		break;
	case DRM_NV3_CLASS_FLIP:
		break;
	case DRM_NV3_CLASS_PROGRAMS:
		channel->vm = find_vm(file, copy[0]);
		mark_notifier(channel, copy[2]);
		break;
	default:
		mark_notifier(channel, copy[7]);
		break;
	}
	capture_write(&t->writer, CAPTURE_OBJECT, words, 4 + count, NULL, 0);
}

void tracker_object_destroy(struct tracker *t, struct tracked_file *file,
			    const struct drm_nv3_object_destroy *args)
{
	struct tracked_channel *channel = tracker_find_channel(file, args->channel);
	struct tracked_dma **link;

	if (!channel || channel->ignored)
		return;
	for (link = &channel->dmas; *link; link = &(*link)->next) {
		struct tracked_dma *dma = *link;

		if (dma->handle == args->name) {
			*link = dma->next;
			free(dma);
			break;
		}
	}
	RECORD(t, CAPTURE_OBJECT_DESTROY, file->id, args->channel, args->name);
}
