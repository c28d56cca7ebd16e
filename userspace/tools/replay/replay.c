/* SPDX-License-Identifier: MIT */
#include "replay.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <zlib.h>

/*
 * Number of the buffer that holds the words of batches. Buffers of a capture have smaller numbers.
 */
#define WORDS_BUFFER	CAPTURE_BUFFERS_MAX
#define BATCH_NS	1000000

/* Sets the error message. Returns false. */
static bool __attribute__((format(printf, 2, 3)))
fail(struct replay *r, const char *format, ...)
{
	char text[CAPTURE_ERROR_SIZE / 2];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	snprintf(r->error, sizeof(r->error), "%.200s: offset %llu: %s: %s", r->reader->name,
		 (unsigned long long)r->record.offset, capture_type_name(r->record.type), text);
	return false;
}

static bool check(struct replay *r, int ret)
{
	return !ret || fail(r, "the device refuses it: %s", strerror(-ret));
}

/* ---- buffers and address spaces ---- */

static bool create_buffer(struct replay *r, uint32_t file, uint32_t number, uint64_t size,
			  uint32_t domains)
{
	struct drm_nv3_gem_create args = { .size = size, .domains = domains };

	device_set_next(number);
	return check(r, device_ioctl(file, DRM_NV3_GEM_CREATE, &args));
}

static bool run_buffer(struct replay *r, const uint32_t *words)
{
	uint64_t size = capture_u64(words + 3);

	if (!words[1] || words[1] >= CAPTURE_BUFFERS_MAX || device_buffer(words[0], words[1]))
		return fail(r, "%u is no number of a new buffer", words[1]);
	if (size > CAPTURE_BUFFER_MAX)
		return fail(r, "a buffer of %llu bytes is too large", (unsigned long long)size);
	return create_buffer(r, words[0], words[1], size, words[2]);
}

static bool run_memory(struct replay *r, const uint32_t *words, uint32_t count)
{
	struct nv3_shim_bo *bo = device_buffer(words[0], words[1]);
	uint64_t size = (uint64_t)(count - 3) * 4;

	if (!bo || words[2] > bo->base.size || size > bo->base.size - words[2])
		return fail(r, "buffer %u has no bytes %u to %llu", words[1], words[2],
			    (unsigned long long)(words[2] + size));
	memcpy(nv3_shim_bo_home(bo) + words[2], words + 3, size);
	if (r->watcher && r->watcher->memory)
		r->watcher->memory(r, words[0], words[1]);
	return true;
}

static bool run_vm(struct replay *r, const uint32_t *words)
{
	struct drm_nv3_vm_create args = { 0 };

	if (!words[1] || nv3_shim_vm_find(drm_shim_fd_lookup(words[0]), words[1]))
		return fail(r, "%u is no number of a new address space", words[1]);
	device_set_next(words[1]);
	return check(r, device_ioctl(words[0], DRM_NV3_VM_CREATE, &args));
}

static bool run_vm_bind(struct replay *r, const uint32_t *words)
{
	struct drm_nv3_vm_bind args = {
		.vm = words[1],
		.op = words[2],
		.handle = words[3],
		.flags = words[4],
		.address = capture_u64(words + 5),
		.offset = capture_u64(words + 7),
		.size = capture_u64(words + 9),
	};

	if (!check(r, device_ioctl(words[0], DRM_NV3_VM_BIND, &args)))
		return false;
	return target_bind(words) || fail(r, "out of memory");
}

/* ---- channels and objects ---- */

static bool run_channel(struct replay *r, const uint32_t *words)
{
	struct drm_nv3_channel_create args = { .type = words[2], .flags = words[3] };

	device_set_next(words[1]);
	return check(r, device_ioctl(words[0], DRM_NV3_CHANNEL_CREATE, &args));
}

static bool run_object(struct replay *r, const uint32_t *words, uint32_t count)
{
	struct drm_nv3_object_instantiate args = {
		.channel = words[1],
		.class_id = words[2],
		.name = words[3],
		.args_size = (count - 4) * 4,
		.args = (uintptr_t)(words + 4),
	};

	return check(r, device_ioctl(words[0], DRM_NV3_OBJECT_INSTANTIATE, &args));
}

static bool run_object_destroy(struct replay *r, const uint32_t *words)
{
	struct drm_nv3_object_destroy args = { .channel = words[1], .name = words[2] };

	return check(r, device_ioctl(words[0], DRM_NV3_OBJECT_DESTROY, &args));
}

/* ---- batches ---- */

static bool copy_words(struct replay *r, const struct capture_batch *batch, const uint32_t *words)
{
	struct nv3_shim_bo *bo = device_buffer(batch->file, WORDS_BUFFER);

	if (batch->word_count > NV3_SHIM_SUBMIT_MAX / 4)
		return fail(r, "a batch of %u words is too long", batch->word_count);
	if (!bo && !create_buffer(r, batch->file, WORDS_BUFFER, NV3_SHIM_SUBMIT_MAX,
				  DRM_NV3_GEM_SYSTEM))
		return false;
	bo = device_buffer(batch->file, WORDS_BUFFER);
	memcpy(nv3_shim_bo_home(bo), words, batch->word_count * 4);
	return true;
}

static bool submit(struct replay *r, const struct capture_batch *batch,
		   const struct capture_pair *buffers)
{
	/* struct capture_pair has the layout of struct drm_nv3_buffer. */
	struct drm_nv3_segment segment = {
		.handle = WORDS_BUFFER, .length = batch->word_count * 4,
	};
	struct drm_nv3_submit args = {
		.channel = batch->channel,
		.segment_count = 1,
		.buffer_count = batch->buffer_count,
		.segments = (uintptr_t)&segment,
		.buffers = (uintptr_t)buffers,
		.segment_size = sizeof(segment),
		.buffer_size = sizeof(struct drm_nv3_buffer),
	};
	_Static_assert(sizeof(struct capture_pair) == sizeof(struct drm_nv3_buffer), "");

	device_pass(BATCH_NS);
	return check(r, device_ioctl(batch->file, DRM_NV3_SUBMIT, &args));
}

static void note_targets(struct replay *r)
{
	uint32_t i;

	for (i = 0; i < r->split.count; i++)
		target_method(r->channel, &r->split.methods[i], &r->target);
}

static bool run_batch(struct replay *r, const uint32_t *words)
{
	const struct capture_batch *batch = (const struct capture_batch *)words;
	const struct capture_pair *buffers = (const struct capture_pair *)(batch + 1);
	const uint32_t *stream = (const uint32_t *)(buffers + batch->buffer_count);
	const struct replay_watcher *watcher;
	bool ok;

	if (!copy_words(r, batch, stream))
		return false;
	free(r->split.methods);
	r->split.methods = NULL;
	r->channel = stream_find_channel(&r->model, batch->file, batch->channel);
	if (!stream_split(r->channel, stream, batch->word_count, &r->split))
		return fail(r, "out of memory");
	r->batch++;
	watcher = replay_in_range(r) ? r->watcher : NULL;
	if (watcher && watcher->begin)
		watcher->begin(r);
	if (watcher && watcher->method)
		step_begin(r);
	else
		note_targets(r);
	ok = submit(r, batch, buffers);
	if (watcher && watcher->method)
		step_end(r);
	r->methods += r->split.count;
	if (ok && watcher && watcher->end)
		watcher->end(r);
	return ok;
}

static void report_difference(struct replay *r, const struct capture_pair *pair, uint32_t crc)
{
	if (r->different++ < 10)
		fprintf(stderr, "nv3-replay: batch %u: buffer %u has CRC-32 %08x, the program's had %08x\n",
			r->batch, pair->buffer, crc, pair->value);
}

static bool run_result(struct replay *r, const uint32_t *words)
{
	const struct capture_result *result = (const struct capture_result *)words;
	const struct capture_pair *checks = (const struct capture_pair *)(result + 1);
	struct drm_nv3_channel_query query = { .channel = result->channel };
	uint32_t i;

	if (!check(r, device_ioctl(result->file, DRM_NV3_CHANNEL_QUERY, &query)))
		return false;
	if (query.fault != result->fault && !r->ignore_checks) {
		r->faults++;
		fprintf(stderr, "nv3-replay: batch %u: fault %u, the program's had fault %u (0: none)\n",
			r->batch, query.fault, result->fault);
	}
	for (i = 0; i < result->check_count && !r->ignore_checks; i++) {
		struct nv3_shim_bo *bo = device_buffer(result->file, checks[i].buffer);
		uint32_t crc;

		if (!bo)
			return fail(r, "there is no buffer %u", checks[i].buffer);
		crc = crc32(0, nv3_shim_bo_home(bo), bo->base.size);
		r->checks++;
		if (crc != checks[i].value)
			report_difference(r, &checks[i], crc);
	}
	return true;
}

/* ---- records ---- */

static bool run_record(struct replay *r)
{
	const uint32_t *words = r->record.words;

	switch (r->record.type) {
	case CAPTURE_FILE_CLOSE:
		device_close(words[0]);
		return true;
	case CAPTURE_CHANNEL:
		return run_channel(r, words);
	case CAPTURE_CHANNEL_DESTROY: {
		struct drm_nv3_channel_destroy args = { .channel = words[1] };

		return check(r, device_ioctl(words[0], DRM_NV3_CHANNEL_DESTROY, &args));
	}
	case CAPTURE_OBJECT:
		return run_object(r, words, r->record.count);
	case CAPTURE_OBJECT_DESTROY:
		return run_object_destroy(r, words);
	case CAPTURE_BUFFER:
		return run_buffer(r, words);
	case CAPTURE_BUFFER_CLOSE:
		return check(r, device_close_handle(words[0], words[1]));
	case CAPTURE_VM:
		return run_vm(r, words);
	case CAPTURE_VM_DESTROY: {
		struct drm_nv3_vm_destroy args = { .vm = words[1] };

		return check(r, device_ioctl(words[0], DRM_NV3_VM_DESTROY, &args));
	}
	case CAPTURE_VM_BIND:
		return run_vm_bind(r, words);
	case CAPTURE_MEMORY:
		return run_memory(r, words, r->record.count);
	case CAPTURE_BATCH:
		return run_batch(r, words);
	case CAPTURE_RESULT:
		return run_result(r, words);
	default:
		return true;
	}
}

static bool run_program(struct replay *r)
{
	uint32_t vram = r->record.words[0];

	if (vram != 2 << 20 && vram != 4 << 20 && vram != 8 << 20 && vram != 16 << 20 &&
	    vram != 32 << 20 && vram != 64 << 20)
		return fail(r, "no chip has %u bytes of VRAM", vram);
	return device_init(vram) || fail(r, "the device can't be initialized");
}

static bool run_next(struct replay *r)
{
	const char *message;

	if (!r->batch && !nv3_shim.memory && r->record.type != CAPTURE_PROGRAM)
		return fail(r, "the first record must be PROGRAM");
	if (r->record.type == CAPTURE_PROGRAM)
		return nv3_shim.memory ? fail(r, "there is a second record PROGRAM") :
					 run_program(r);
	if (!r->record.words[0] || r->record.words[0] >= CAPTURE_FILES_MAX)
		return fail(r, "%u is no number of a file", r->record.words[0]);
	if (!device_open(r->record.words[0]))
		return fail(r, "out of memory");
	/*
	 * The device also detects errors that the model does not detect, so update the model only
	 * after the device has executed the record.
	 */
	if (r->record.type == CAPTURE_BATCH || r->record.type == CAPTURE_RESULT) {
		message = stream_record(&r->model, &r->record);
		return message ? fail(r, "%s", message) : run_record(r);
	}
	if (!run_record(r))
		return false;
	message = stream_record(&r->model, &r->record);
	return !message || fail(r, "%s", message);
}

bool replay_run(struct replay *r)
{
	int ret;

	r->model.free_data = target_free;
	while ((ret = capture_next(r->reader, &r->record)) > 0) {
		if (r->record.type == CAPTURE_BATCH && r->batch >= r->last)
			return true;
		if (!run_next(r))
			return false;
	}
	if (ret < 0)
		snprintf(r->error, sizeof(r->error), "%s", r->reader->error);
	return !ret;
}

void replay_free(struct replay *r)
{
	uint32_t i;

	free(r->split.methods);
	stream_free(&r->model);
	target_free_binds();
	for (i = 1; nv3_shim.memory && i < CAPTURE_FILES_MAX; i++)
		device_close(i);
}

/* Finds the target of the last drawing method in a batch. Returns NULL or a message. */
static const char *follow(struct stream_model *model, const struct capture_record *record,
			  struct target *target)
{
	const char *message = stream_record(model, record);
	const uint32_t *words = record->words;
	struct stream_channel *channel;
	struct stream_batch split;
	uint32_t i;

	if (!message && record->type == CAPTURE_VM_BIND && !target_bind(words))
		return "out of memory";
	if (message || record->type != CAPTURE_BATCH)
		return message;
	channel = stream_find_channel(model, words[0], words[1]);
	if (!stream_split(channel, words + 4 + words[2] * 2, words[3], &split))
		return "out of memory";
	for (i = 0; i < split.count; i++)
		target_method(channel, &split.methods[i], target);
	free(split.methods);
	return NULL;
}

bool replay_find_target(struct capture_reader *reader, uint32_t last, struct target *target)
{
	struct stream_model model = { .free_data = target_free };
	struct capture_record record;
	const char *message = NULL;

	memset(target, 0, sizeof(*target));
	while (!message && reader->batches < last && capture_next(reader, &record) > 0)
		message = follow(&model, &record, target);
	if (message)
		fprintf(stderr, "nv3-replay: %s: offset %llu: %s: %s\n", reader->name,
			(unsigned long long)record.offset, capture_type_name(record.type), message);
	stream_free(&model);
	target_free_binds();
	capture_rewind(reader);
	return !message;
}
