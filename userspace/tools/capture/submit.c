/* SPDX-License-Identifier: MIT */
/*
 * Records batches. Before a batch, the library checks each buffer that the batch may read: it
 * compares each page with the contents that the page would have in a replay. If they differ, the
 * client or another process has written to the page, and the library records the page. After the
 * batch, the library waits for the chip and records checksums of the buffers that the chip has
 * written.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <zlib.h>

#include "tracker.h"

/* Maximum number of pages in a MEMORY record */
#define RUN_MAX		256u

/* ---- contents of buffers ---- */

static bool map_buffer(struct tracker *t, int fd, struct tracked_buffer *buffer)
{
	struct drm_nv3_gem_mmap args = { .handle = buffer->handle };
	void *map;

	if (buffer->map)
		return true;
	if (buffer->unreadable || !buffer->handle)
		return false;
	buffer->known = calloc(1, buffer->size);
	if (buffer->known && !t->calls.ioctl(fd, DRM_IOCTL_NV3_GEM_MMAP, &args)) {
		map = t->calls.mmap(NULL, buffer->size, PROT_READ, MAP_SHARED, fd, args.offset);
		if (map != MAP_FAILED) {
			buffer->map = map;
			return true;
		}
	}
	capture_say("buffer %u can't be read: %s: its contents will be missing", buffer->handle,
		    strerror(errno));
	free(buffer->known);
	buffer->known = NULL;
	buffer->unreadable = true;
	return false;
}

/*
 * Waits for the chip's writes to a buffer. If @flags is DRM_NV3_GEM_WAIT_WRITE, also waits for the
 * chip's reads from the buffer.
 */
static void wait_for(struct tracker *t, int fd, const struct tracked_buffer *buffer,
		     uint32_t flags)
{
	struct drm_nv3_gem_wait args = {
		.handle = buffer->handle, .flags = flags, .timeout_ns = INT64_MAX,
	};

	while (buffer->handle && t->calls.ioctl(fd, DRM_IOCTL_NV3_GEM_WAIT, &args) &&
	       errno == EINTR)
		continue;
}

static bool page_differs(const struct tracked_buffer *buffer, uint64_t page)
{
	uint64_t offset = page * TRACKER_PAGE;

	return memcmp(buffer->map + offset, buffer->known + offset, TRACKER_PAGE);
}

static void record_pages(struct tracker *t, struct tracked_file *file,
			 struct tracked_buffer *buffer, uint64_t first, uint64_t count)
{
	const uint64_t offset = first * TRACKER_PAGE;
	const uint32_t words[] = { file->id, buffer->id, offset };

	/*
	 * Record the copy instead of the buffer, because the client may write to the buffer at the
	 * same time.
	 */
	memcpy(buffer->known + offset, buffer->map + offset, count * TRACKER_PAGE);
	capture_write(&t->writer, CAPTURE_MEMORY, words, 3, buffer->known + offset,
		      count * TRACKER_PAGE);
}

static void record_changes(struct tracker *t, struct tracked_file *file, int fd,
			   struct tracked_buffer *buffer)
{
	uint64_t page, pages = buffer->size / TRACKER_PAGE, run = 0;

	wait_for(t, fd, buffer, 0);
	if (!map_buffer(t, fd, buffer))
		return;
	for (page = 0; page < pages; page++) {
		if (page_differs(buffer, page) && run < RUN_MAX) {
			run++;
			continue;
		}
		if (run)
			record_pages(t, file, buffer, page - run, run);
		run = page_differs(buffer, page);
	}
	if (run)
		record_pages(t, file, buffer, pages - run, run);
}

/* ---- before the ioctl ---- */

/*
 * Copies a segment to @words from the library's mapping of the buffer. Returns false if the segment
 * can't be read.
 */
static bool copy_segment(struct tracker *t, struct tracked_file *file, int fd,
			 const struct drm_nv3_segment *segment, uint32_t *words)
{
	struct tracked_buffer *buffer = tracker_find_buffer(file, segment->handle);

	if (!buffer || !map_buffer(t, fd, buffer) || segment->offset > buffer->size ||
	    segment->length > buffer->size - segment->offset)
		return false;
	memcpy(words, buffer->map + segment->offset, segment->length);
	return true;
}

static uint64_t count_words(const struct drm_nv3_submit *args)
{
	const struct drm_nv3_segment *segments = (const void *)(uintptr_t)args->segments;
	uint64_t words = 0;
	uint32_t i;

	for (i = 0; i < args->segment_count; i++)
		words += segments[i].length / 4;
	return words;
}

static bool make_payload(struct tracker *t, struct tracked_file *file, int fd,
			 const struct drm_nv3_submit *args, struct tracked_submit *submit)
{
	const struct drm_nv3_segment *segments = (const void *)(uintptr_t)args->segments;
	const struct drm_nv3_buffer *buffers = (const void *)(uintptr_t)args->buffers;
	uint64_t words = count_words(args);
	uint32_t i, *to;

	if (words > CAPTURE_PAYLOAD_MAX / 8 || args->buffer_count > CAPTURE_BUFFERS_MAX)
		return false;
	to = malloc((4 + args->buffer_count * 2 + words) * 4);
	if (!to)
		return false;
	submit->payload = to;
	*to++ = file->id;
	*to++ = args->channel;
	*to++ = args->buffer_count;
	*to++ = words;
	for (i = 0; i < args->buffer_count; i++) {
		struct tracked_buffer *buffer = tracker_find_buffer(file, buffers[i].handle);

		*to++ = buffer ? buffer->id : 0;
		*to++ = buffers[i].flags;
	}
	for (i = 0; i < args->segment_count; i++) {
		if (!copy_segment(t, file, fd, &segments[i], to))
			return false;
		to += segments[i].length / 4;
	}
	submit->count = to - submit->payload;
	return true;
}

void tracker_submit_begin(struct tracker *t, struct tracked_file *file, int fd,
			  const struct drm_nv3_submit *args, struct tracked_submit *submit)
{
	const struct drm_nv3_buffer *buffers = (const void *)(uintptr_t)args->buffers;
	struct tracked_mapping *mapping;
	uint32_t i;

	memset(submit, 0, sizeof(*submit));
	submit->channel = tracker_find_channel(file, args->channel);
	if (!submit->channel || submit->channel->ignored)
		return;
	if (!make_payload(t, file, fd, args, submit)) {
		free(submit->payload);
		submit->payload = NULL;
		return;
	}
	for (i = 0; i < args->buffer_count; i++) {
		struct tracked_buffer *buffer = tracker_find_buffer(file, buffers[i].handle);

		if (buffer)
			record_changes(t, file, fd, buffer);
	}
	mapping = submit->channel->vm ? submit->channel->vm->mappings : NULL;
	for (; mapping; mapping = mapping->next)
		record_changes(t, file, fd, mapping->buffer);
}

/* ---- after the ioctl ---- */

static uint32_t query_fault(struct tracker *t, int fd, uint32_t channel)
{
	struct drm_nv3_channel_query query = { .channel = channel };

	return t->calls.ioctl(fd, DRM_IOCTL_NV3_CHANNEL_QUERY, &query) ? 0 : query.fault;
}

/*
 * Sets @checks to the checksums of the listed buffers that the batch may have written. Returns the
 * number of checksums.
 */
static uint32_t check_buffers(struct tracker *t, struct tracked_file *file, int fd,
			      const struct drm_nv3_submit *args, struct capture_pair *checks)
{
	const struct drm_nv3_buffer *buffers = (const void *)(uintptr_t)args->buffers;
	uint32_t i, count = 0;

	for (i = 0; i < args->buffer_count; i++) {
		struct tracked_buffer *buffer = tracker_find_buffer(file, buffers[i].handle);

		if (!buffer || !(buffers[i].flags & DRM_NV3_BUFFER_WRITE) ||
		    !map_buffer(t, fd, buffer))
			continue;
		memcpy(buffer->known, buffer->map, buffer->size);
		/* Skip buffers that may contain timestamps, which differ in a replay. */
		if (buffer->notifier || !(buffer->domains & DRM_NV3_GEM_VRAM))
			continue;
		checks[count].buffer = buffer->id;
		checks[count++].value = crc32(0, buffer->known, buffer->size);
	}
	return count;
}

static void record_result(struct tracker *t, struct tracked_file *file, int fd,
			  const struct drm_nv3_submit *args)
{
	uint32_t *words = calloc(4 + args->buffer_count * 2, 4);

	if (!words) {
		capture_say("out of memory: a batch will not be checked");
		return;
	}
	words[0] = file->id;
	words[1] = args->channel;
	words[2] = query_fault(t, fd, args->channel);
	words[3] = check_buffers(t, file, fd, args, (struct capture_pair *)(words + 4));
	if (words[2])
		words[3] = 0;
	capture_write(&t->writer, CAPTURE_RESULT, words, 4 + words[3] * 2, NULL, 0);
	free(words);
}

void tracker_submit_end(struct tracker *t, struct tracked_file *file, int fd,
			const struct drm_nv3_submit *args, struct tracked_submit *submit, bool done)
{
	const struct drm_nv3_buffer *buffers = (const void *)(uintptr_t)args->buffers;
	uint32_t i;

	if (!submit->payload)
		return;
	if (done) {
		capture_write(&t->writer, CAPTURE_BATCH, submit->payload, submit->count, NULL, 0);
		for (i = 0; i < args->buffer_count; i++) {
			struct tracked_buffer *buffer =
				tracker_find_buffer(file, buffers[i].handle);

			if (buffer)
				wait_for(t, fd, buffer, DRM_NV3_GEM_WAIT_WRITE);
		}
		record_result(t, file, fd, args);
	}
	free(submit->payload);
}
