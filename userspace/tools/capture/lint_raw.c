/* SPDX-License-Identifier: MIT */
/*
 * Checks pushbuffers that are not part of a capture: files of 32-bit words, least significant byte
 * first. Such a file has no objects, so the command line names the classes of handles and
 * subchannels.
 */
#include "lint_raw.h"

#include <endian.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <nv3_names.h>

#define FILE_MAX	(64u << 20)
/*
 * Handle of each object that is bound before the first word of the file executes. Clients can't
 * choose this handle.
 */
#define BOUND_HANDLE	0xffffffffu

static const char magic[] = CAPTURE_MAGIC;

/* ---- arguments ---- */

bool lint_raw_argument(struct lint_raw *raw, const char *text, bool bound)
{
	const struct nv3_class_names *class;
	struct lint_raw_object *object;
	struct nv3_names_hint hint;
	char *end;

	if (raw->count == LINT_RAW_OBJECTS) {
		fprintf(stderr, "nv3-lint: at most %u objects can be named\n", LINT_RAW_OBJECTS);
		return false;
	}
	object = &raw->objects[raw->count];
	errno = 0;
	object->handle = strtoul(text, &end, 0);
	if (errno || end == text || *end != '=') {
		fprintf(stderr, "nv3-lint: '%s': write %s=CLASS, for example %s\n", text,
			bound ? "SUBCHANNEL" : "HANDLE", bound ? "0=RECT" : "0x1001=RECT");
		return false;
	}
	class = nv3_names_find_class(end + 1);
	if (!class) {
		fprintf(stderr, "nv3-lint: '%s': there is no class %s%s\n", text, end + 1,
			nv3_names_hint_class(&hint, end + 1, false));
		return false;
	}
	if (bound && object->handle >= STREAM_SUBCHANNELS) {
		fprintf(stderr, "nv3-lint: '%s': subchannels have the numbers 0 to %u\n", text,
			STREAM_SUBCHANNELS - 1);
		return false;
	}
	object->class_id = class->id;
	object->bound = bound;
	raw->count++;
	return true;
}

/* ---- the file ---- */

static bool complain(const char *name, long long offset, const char *message)
{
	fprintf(stderr, "nv3-lint: %s: offset %lld: %s\n", name, offset, message);
	return false;
}

/* Reads the words of an open file up to its end into @words. */
static bool read_words(FILE *file, const char *name, uint32_t **words, uint32_t *count)
{
	char *bytes = malloc(FILE_MAX + 1);
	size_t size, i;

	*words = (uint32_t *)bytes;
	if (!bytes)
		return complain(name, 0, "out of memory");
	size = fread(bytes, 1, FILE_MAX + 1, file);
	if (ferror(file))
		return complain(name, size, strerror(errno));
	if (size > FILE_MAX)
		return complain(name, FILE_MAX, "the file is larger than 64 MiB: split it");
	if (!size)
		return complain(name, 0, "the file is empty: name a file of 32-bit words");
	if (size >= sizeof(magic) - 1 && !memcmp(bytes, magic, sizeof(magic) - 1))
		return complain(name, 0, "this is a capture: omit --raw");
	if (size % 4)
		return complain(name, size & ~(size_t)3,
				"the last word is incomplete: name a file of 32-bit words");
	*count = size / 4;
	for (i = 0; i < *count; i++)
		(*words)[i] = le32toh((*words)[i]);
	return true;
}

/* ---- the check ---- */

static const char *apply(struct lint *l, enum capture_type type, const uint32_t *words,
			 uint32_t count)
{
	const struct capture_record record = { .type = type, .words = words, .count = count };

	return lint_record(l, &record);
}

/* Creates a channel with the objects that the command line names. */
static const char *set_up(struct lint *l, const struct lint_raw *raw)
{
	const uint32_t channel[4] = { 1, 1, 0, 0 };
	const char *message = apply(l, CAPTURE_CHANNEL, channel, 4);
	struct stream_channel *c;
	uint32_t i;

	for (i = 0; i < raw->count && !message; i++) {
		const struct lint_raw_object *object = &raw->objects[i];
		const uint32_t handle = object->bound ? BOUND_HANDLE - object->handle :
							object->handle;
		const uint32_t words[4] = { 1, 1, object->class_id, handle };

		message = apply(l, CAPTURE_OBJECT, words, 4);
		if (message || !object->bound)
			continue;
		c = stream_find_channel(&l->model, 1, 1);
		c->bound[object->handle] = stream_find_object(c, handle);
	}
	return message;
}

static const char *check_words(struct lint *l, const uint32_t *words, uint32_t count)
{
	uint32_t *payload = calloc(4 + (size_t)count, 4);
	const char *message;

	if (!payload)
		return "out of memory";
	payload[0] = 1;
	payload[1] = 1;
	payload[3] = count;
	memcpy(payload + 4, words, (size_t)count * 4);
	message = apply(l, CAPTURE_BATCH, payload, 4 + count);
	free(payload);
	return message;
}

int lint_raw(struct lint *l, const struct lint_raw *raw, const char *name)
{
	FILE *file = fopen(name, "rb");
	const char *message;
	uint32_t *words = NULL, count = 0;
	bool good;

	if (!file) {
		fprintf(stderr, "nv3-lint: %s: %s\n", name, strerror(errno));
		return 2;
	}
	good = read_words(file, name, &words, &count);
	fclose(file);
	if (good) {
		l->raw = true;
		message = set_up(l, raw);
		if (!message)
			message = check_words(l, words, count);
		if (message) {
			fprintf(stderr, "nv3-lint: %s: %s\n", name, message);
			good = false;
		}
	}
	free(words);
	return good ? 0 : 2;
}
