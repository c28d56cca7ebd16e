/* SPDX-License-Identifier: MIT */
/*
 * Reads captures (format.h). The reader checks the sizes and checksums of records, so its callers
 * need to check only whether the values are valid. An error message contains the name of the file,
 * the offset in the file, and a remedy.
 */
#include <endian.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <zlib.h>

#include "format.h"

#define FILE_MAX	(1ull << 30)

static const char *const type_names[CAPTURE_TYPES] = {
	[CAPTURE_PROGRAM] = "PROGRAM",
	[CAPTURE_FILE_CLOSE] = "FILE_CLOSE",
	[CAPTURE_CHANNEL] = "CHANNEL",
	[CAPTURE_CHANNEL_DESTROY] = "CHANNEL_DESTROY",
	[CAPTURE_OBJECT] = "OBJECT",
	[CAPTURE_OBJECT_DESTROY] = "OBJECT_DESTROY",
	[CAPTURE_BUFFER] = "BUFFER",
	[CAPTURE_BUFFER_CLOSE] = "BUFFER_CLOSE",
	[CAPTURE_VM] = "VM",
	[CAPTURE_VM_DESTROY] = "VM_DESTROY",
	[CAPTURE_VM_BIND] = "VM_BIND",
	[CAPTURE_MEMORY] = "MEMORY",
	[CAPTURE_BATCH] = "BATCH",
	[CAPTURE_RESULT] = "RESULT",
	[CAPTURE_END] = "END",
};

/* Minimum and maximum number of words of a payload. UINT32_MAX means no maximum. */
static const struct {
	uint32_t min, max;
} type_sizes[CAPTURE_TYPES] = {
	[CAPTURE_PROGRAM] = { 1, UINT32_MAX },
	[CAPTURE_FILE_CLOSE] = { 1, 1 },
	[CAPTURE_CHANNEL] = { 4, 4 },
	[CAPTURE_CHANNEL_DESTROY] = { 2, 2 },
	[CAPTURE_OBJECT] = { 4, 64 },
	[CAPTURE_OBJECT_DESTROY] = { 3, 3 },
	[CAPTURE_BUFFER] = { 5, 5 },
	[CAPTURE_BUFFER_CLOSE] = { 2, 2 },
	[CAPTURE_VM] = { 2, 2 },
	[CAPTURE_VM_DESTROY] = { 2, 2 },
	[CAPTURE_VM_BIND] = { 11, 11 },
	[CAPTURE_MEMORY] = { 4, UINT32_MAX },
	[CAPTURE_BATCH] = { 4, UINT32_MAX },
	[CAPTURE_RESULT] = { 4, UINT32_MAX },
	[CAPTURE_END] = { 2, 2 },
};

const char *capture_type_name(enum capture_type type)
{
	return type < CAPTURE_TYPES && type_names[type] ? type_names[type] : "unknown";
}

/* Sets the error message. Returns -1. */
static int __attribute__((format(printf, 3, 4)))
fail(struct capture_reader *r, size_t offset, const char *format, ...)
{
	char text[CAPTURE_ERROR_SIZE / 2];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	snprintf(r->error, sizeof(r->error), "%.200s: offset %zu: %s", r->name, offset, text);
	return -1;
}

static uint32_t word_at(const struct capture_reader *r, size_t offset)
{
	uint32_t word;

	memcpy(&word, r->data + offset, sizeof(word));
	return le32toh(word);
}

static bool check_header(struct capture_reader *r)
{
	if (r->size < CAPTURE_HEADER_SIZE || memcmp(r->data, CAPTURE_MAGIC, 8)) {
		fail(r, 0, "this is not a capture: name a file that nv3-capture has written");
		return false;
	}
	if (word_at(r, 8) != CAPTURE_VERSION) {
		fail(r, 8, "the capture has version %u, and this program reads version %u: use the nv3-replay and nv3-lint of the nv3-capture that wrote it",
		     word_at(r, 8), CAPTURE_VERSION);
		return false;
	}
	capture_rewind(r);
	return true;
}

static bool read_file(struct capture_reader *r, FILE *file)
{
	long size;

	if (fseek(file, 0, SEEK_END) || (size = ftell(file)) < 0 || fseek(file, 0, SEEK_SET))
		return false;
	if ((unsigned long)size > FILE_MAX) {
		errno = EFBIG;
		return false;
	}
	r->data = malloc(size ? size : 1);
	if (!r->data)
		return false;
	r->size = fread(r->data, 1, size, file);
	return r->size == (size_t)size;
}

bool capture_open(struct capture_reader *r, const char *name)
{
	FILE *file = fopen(name, "rb");
	bool ok;

	memset(r, 0, sizeof(*r));
	r->name = name;
	errno = file ? 0 : errno;
	ok = file && read_file(r, file);
	if (!ok)
		snprintf(r->error, sizeof(r->error), "%.200s: %s", name,
			 strerror(errno ? errno : EIO));
	if (file)
		fclose(file);
	return ok && check_header(r);
}

bool capture_open_memory(struct capture_reader *r, const char *name, const void *data, size_t size)
{
	memset(r, 0, sizeof(*r));
	r->name = name;
	r->data = malloc(size ? size : 1);
	if (!r->data) {
		snprintf(r->error, sizeof(r->error), "%.200s: %s", name, strerror(ENOMEM));
		return false;
	}
	if (size)
		memcpy(r->data, data, size);
	r->size = size;
	return check_header(r);
}

void capture_rewind(struct capture_reader *r)
{
	r->at = CAPTURE_HEADER_SIZE;
	r->records = 0;
	r->batches = 0;
	r->ended = false;
}

void capture_close(struct capture_reader *r)
{
	free(r->data);
	free(r->payload);
	r->data = NULL;
	r->payload = NULL;
}

/*
 * Decompresses the payload @stored, if it is compressed, and stores its @size bytes in r->payload.
 */
static int unpack(struct capture_reader *r, const uint8_t *stored, uint32_t stored_size,
		  uint32_t size)
{
	uLongf unpacked = size;

	free(r->payload);
	r->payload = malloc(size ? size : 1);
	if (!r->payload)
		return fail(r, r->at, "there is not enough memory for %u bytes", size);
	if (stored_size == size)
		memcpy(r->payload, stored, size);
	else if (uncompress((Bytef *)r->payload, &unpacked, stored, stored_size) != Z_OK ||
		 unpacked != size)
		return fail(r, r->at, "the record can't be decompressed: make the capture again");
	return 0;
}

/* Checks that the counts in a payload agree with its size. */
static int check_counts(struct capture_reader *r, enum capture_type type, uint32_t count)
{
	const uint32_t *words = r->payload;
	uint64_t needed;

	if (count < type_sizes[type].min || count > type_sizes[type].max)
		return fail(r, r->at, "a record %s has %u words: make the capture again",
			    capture_type_name(type), count);
	needed = type == CAPTURE_BATCH	? 4 + 2ull * words[2] + words[3] :
		 type == CAPTURE_RESULT ? 4 + 2ull * words[3] :
					  count;
	if (needed != count)
		return fail(r, r->at, "a record %s of %u words needs %llu: make the capture again",
			    capture_type_name(type), count, (unsigned long long)needed);
	return 0;
}

/*
 * Converts the words of the payload to the host's byte order. Memory and names consist of bytes,
 * which stay unchanged.
 */
static void to_host(struct capture_reader *r, enum capture_type type, uint32_t count)
{
	uint32_t i, numbers = type == CAPTURE_MEMORY  ? 3 :
			      type == CAPTURE_PROGRAM ? 1 : count;

	for (i = 0; i < numbers && i < count; i++)
		r->payload[i] = le32toh(r->payload[i]);
}

static int check_end(struct capture_reader *r)
{
	if (r->payload[0] != r->records || r->payload[1] != r->batches)
		return fail(r, r->at, "records are missing: the capture has %u of %u: make the capture again",
			    r->records, r->payload[0]);
	r->ended = true;
	return 0;
}

int capture_next(struct capture_reader *r, struct capture_record *record)
{
	uint32_t type, stored_size, size;
	const uint8_t *head;

	if (r->ended)
		return 0;
	if (r->size - r->at < CAPTURE_RECORD_SIZE)
		return fail(r, r->at, "the capture is truncated: copy it again, or make it again and let nv3-capture end");
	head = r->data + r->at;
	type = word_at(r, r->at);
	stored_size = word_at(r, r->at + 4);
	size = word_at(r, r->at + 8);
	if (stored_size > r->size - r->at - CAPTURE_RECORD_SIZE)
		return fail(r, r->at, "the capture is truncated or damaged: the record needs %u bytes, and %zu follow: copy it again, or make it again",
			    stored_size, r->size - r->at - CAPTURE_RECORD_SIZE);
	if (crc32(crc32(0, head, 12), head + CAPTURE_RECORD_SIZE, stored_size) !=
	    word_at(r, r->at + 12))
		return fail(r, r->at, "the checksum of the record is wrong, so the file is damaged: copy it again, or make the capture again");
	if (!type || type >= CAPTURE_TYPES || size % 4 || size > CAPTURE_PAYLOAD_MAX)
		return fail(r, r->at, "there is no record of type %u with %u bytes: make the capture again",
			    type, size);
	if (unpack(r, head + CAPTURE_RECORD_SIZE, stored_size, size))
		return -1;
	to_host(r, type, size / 4);
	if (check_counts(r, type, size / 4) || (type == CAPTURE_END && check_end(r)))
		return -1;

	record->type = type;
	record->offset = r->at;
	record->words = r->payload;
	record->count = size / 4;
	r->at += CAPTURE_RECORD_SIZE + stored_size;
	r->records++;
	r->batches += type == CAPTURE_BATCH;
	if (r->ended && r->at != r->size)
		return fail(r, r->at, "there are %zu bytes after the end of the capture: remove them",
			    r->size - r->at);
	return r->ended ? 0 : 1;
}
