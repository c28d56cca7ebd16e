/* SPDX-License-Identifier: MIT */
#include "watch.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <zlib.h>

#include "nv3_names.h"

#define TEXT_SIZE	(3 * NV3_NAMES_TEXT)

/* ---- list ---- */

static void list_begin(struct replay *r)
{
	char text[TEXT_SIZE];
	uint32_t i;

	printf("batch %u: channel %u, %u methods\n", r->batch, r->channel->id, r->split.count);
	for (i = 0; i < r->split.count; i++) {
		stream_print(&r->split.methods[i], text, sizeof(text));
		printf("%7u  draw %-4u %u %s\n", r->split.methods[i].word,
		       r->split.methods[i].draw, r->split.methods[i].subch, text);
	}
}

const struct replay_watcher watch_list = { .begin = list_begin };

/* ---- pictures ---- */

static struct {
	const char *directory;
	uint32_t draw;
	bool drawn;		/* a method has drawn since the last picture */
	struct target target;
} pictures;

bool watch_pictures_init(const char *directory)
{
	pictures.directory = directory;
	if (!mkdir(directory, 0777) || errno == EEXIST)
		return true;
	fprintf(stderr, "nv3-replay: %s: %s\n", directory, strerror(errno));
	return false;
}

static void write_picture(const struct target *target, const char *name)
{
	char path[4096];
	const char *message;

	snprintf(path, sizeof(path), "%s/%s.png", pictures.directory, name);
	message = target_write_png(target, path);
	if (message) {
		fprintf(stderr, "nv3-replay: %s: %s\n", path, message);
		exit(1);
	}
	printf("%s: %ux%u %s of buffer %u\n", path, target->width, target->height,
	       target_format_name(target->format), target->buffer);
}

/* Called at the end of a drawing. Writes a picture if a method has drawn since the last picture. */
static void draw_ended(struct replay *r)
{
	char name[64];

	if (!pictures.drawn)
		return;
	snprintf(name, sizeof(name), "batch-%04u-draw-%04u", r->batch, pictures.draw);
	write_picture(&pictures.target, name);
	pictures.drawn = false;
}

static void picture_of_method(struct replay *r, uint32_t method)
{
	pictures.draw = r->split.methods[method].draw;
	if (r->written && target_pixels(&r->target)) {
		pictures.target = r->target;
		pictures.drawn = true;
	}
	if (method + 1 == r->split.count ||
	    r->split.methods[method + 1].draw != pictures.draw)
		draw_ended(r);
}

static void picture_of_batch(struct replay *r)
{
	char name[64];

	snprintf(name, sizeof(name), "batch-%04u", r->batch);
	if (target_pixels(&r->target))
		write_picture(&r->target, name);
}

const struct replay_watcher watch_pictures_of_draws = {
	.method = picture_of_method, .end = draw_ended,
};

const struct replay_watcher watch_pictures_of_batches = { .end = picture_of_batch };

/* ---- the history of a pixel ---- */

struct change {
	struct change *next;
	uint32_t batch, word, draw;	/* @batch is 0 for a write by the program */
	uint32_t from, to;
	char text[TEXT_SIZE];
};

static struct {
	struct target target;
	uint32_t x, y;
	bool known;			/* @value is valid */
	uint32_t value;
	struct change *first, **last;
} pixel;

bool watch_pixel_init(const struct target *target, uint32_t x, uint32_t y)
{
	pixel.target = *target;
	pixel.x = x;
	pixel.y = y;
	pixel.last = &pixel.first;
	if (target->buffer && x < target->width && y < target->height)
		return true;
	if (target->buffer)
		fprintf(stderr, "nv3-replay: the last target has no pixel %u,%u: it is %ux%u\n", x,
			y, target->width, target->height);
	else
		fprintf(stderr, "nv3-replay: the batches have no target, because nothing is drawn\n");
	return false;
}

/*
 * Reads the watched pixel. Returns false if the target's buffer does not exist, or does not contain
 * the whole target.
 */
static bool read_pixel(uint32_t *value)
{
	const uint8_t *pixels = target_pixels(&pixel.target);

	if (pixels)
		*value = target_value(&pixel.target, pixels, pixel.x, pixel.y);
	return pixels;
}

static void add_change(uint32_t value, struct replay *r, const struct stream_method *m)
{
	struct change *change = calloc(1, sizeof(*change));

	if (!change)
		return;
	change->from = pixel.value;
	change->to = value;
	if (m) {
		change->batch = r->batch;
		change->word = m->word;
		change->draw = m->draw;
		stream_print(m, change->text, sizeof(change->text));
	}
	*pixel.last = change;
	pixel.last = &change->next;
}

/*
 * Adds an entry to the list if the pixel has changed. @m: the method that has written to the pixel,
 * or NULL if the program has written to it
 */
static void check_pixel(struct replay *r, const struct stream_method *m)
{
	uint32_t value;

	if (!read_pixel(&value))
		return;
	if (pixel.known && value != pixel.value)
		add_change(value, r, m);
	pixel.known = true;
	pixel.value = value;
}

static void pixel_begin(struct replay *r)
{
	check_pixel(r, NULL);
}

static void pixel_method(struct replay *r, uint32_t method)
{
	if (r->written)
		check_pixel(r, &r->split.methods[method]);
}

static void pixel_memory(struct replay *r, uint32_t file, uint32_t buffer)
{
	check_pixel(r, NULL);
}

const struct replay_watcher watch_pixel = {
	.begin = pixel_begin, .method = pixel_method, .memory = pixel_memory,
};

void watch_pixel_report(void)
{
	const struct target *t = &pixel.target;
	const int digits = target_bytes(t) * 2;
	const struct change *change;

	printf("pixel %u,%u of buffer %u (%ux%u %s):\n", pixel.x, pixel.y, t->buffer, t->width,
	       t->height, target_format_name(t->format));
	for (change = pixel.first; change; change = change->next) {
		if (change->batch)
			printf("  batch %u, word %u, draw %u: %0*x -> %0*x  %s\n", change->batch,
			       change->word, change->draw, digits, change->from, digits,
			       change->to, change->text);
		else
			printf("  the program or another one: %0*x -> %0*x\n", digits,
			       change->from, digits, change->to);
	}
	if (!pixel.first)
		printf("  nothing has changed it from %0*x\n", digits, pixel.value);
	while (pixel.first) {
		struct change *next = pixel.first->next;

		free(pixel.first);
		pixel.first = next;
	}
}

/* ---- checksums ---- */

/* Calls @function for each buffer that the current batch may write. */
static void for_each_buffer(const struct replay *r,
			    void (*function)(uint32_t number, const struct nv3_shim_bo *bo,
					     void *data),
			    void *data)
{
	const struct capture_batch *batch = (const struct capture_batch *)r->record.words;
	const struct capture_pair *buffers = (const struct capture_pair *)(batch + 1);
	uint32_t i;

	for (i = 0; i < batch->buffer_count; i++) {
		const struct nv3_shim_bo *bo = device_buffer(batch->file, buffers[i].buffer);

		if (bo && buffers[i].value & DRM_NV3_BUFFER_WRITE)
			function(buffers[i].buffer, bo, data);
	}
}

static void add_checksum(uint32_t number, const struct nv3_shim_bo *bo, void *data)
{
	uint32_t *crc = data;

	*crc = crc32(*crc, device_contents(bo), bo->base.size);
}

static uint32_t checksum(const struct replay *r)
{
	uint32_t crc = 0;

	for_each_buffer(r, add_checksum, &crc);
	return crc;
}

static uint32_t method_checksum;

static void checksum_begin(struct replay *r)
{
	method_checksum = checksum(r);
}

static void checksum_of_method(struct replay *r, uint32_t method)
{
	if (r->written)
		method_checksum = checksum(r);
	printf("method %u %08x\n", method, method_checksum);
}

static void checksum_of_batch(struct replay *r)
{
	printf("batch %u %08x\n", r->batch, checksum(r));
	fflush(stdout);
}

const struct replay_watcher watch_checksums_of_methods = {
	.begin = checksum_begin, .method = checksum_of_method, .end = checksum_of_batch,
};

const struct replay_watcher watch_checksums_of_batches = { .end = checksum_of_batch };

/* ---- dumps ---- */

static struct {
	uint32_t method;
	const char *file;
	bool done;
} dump;

void watch_dump_init(uint32_t method, const char *file)
{
	dump.method = method;
	dump.file = file;
}

static void count_buffer(uint32_t number, const struct nv3_shim_bo *bo, void *data)
{
	++*(uint32_t *)data;
}

static void write_buffer(uint32_t number, const struct nv3_shim_bo *bo, void *data)
{
	const struct dump_buffer head = { .number = number, .size = bo->base.size };

	fwrite(&head, sizeof(head), 1, data);
	fwrite(device_contents(bo), bo->base.size, 1, data);
}

static void write_dump(struct replay *r)
{
	struct dump_head head = { .target = r->target };
	FILE *file = fopen(dump.file, "wb");
	bool failed = !file;

	if (file) {
		for_each_buffer(r, count_buffer, &head.buffers);
		fwrite(&head, sizeof(head), 1, file);
		for_each_buffer(r, write_buffer, file);
		failed = ferror(file);
		failed |= fclose(file) != 0;
	}
	if (failed) {
		fprintf(stderr, "nv3-replay: %s: %s\n", dump.file, strerror(errno));
		exit(1);
	}
	dump.done = true;
}

static void dump_method(struct replay *r, uint32_t method)
{
	if (method >= dump.method && !dump.done)
		write_dump(r);
}

static void dump_end(struct replay *r)
{
	if (!dump.done)
		write_dump(r);
}

const struct replay_watcher watch_dump = { .method = dump_method, .end = dump_end };
