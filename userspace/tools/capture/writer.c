/* SPDX-License-Identifier: MIT */
/* Writes captures (format.h). */
#include <endian.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <zlib.h>

#include "format.h"

static void put(struct capture_writer *w, const void *data, size_t size)
{
	if (!w->error && size && fwrite(data, size, 1, w->file) != 1)
		w->error = errno ? errno : EIO;
}

void capture_begin(struct capture_writer *w, FILE *file)
{
	const uint32_t version[2] = { htole32(CAPTURE_VERSION), 0 };

	memset(w, 0, sizeof(*w));
	w->file = file;
	put(w, CAPTURE_MAGIC, 8);
	put(w, version, sizeof(version));
}

/* Writes a record with a payload. Compresses the payload if the result is shorter. */
static void put_record(struct capture_writer *w, enum capture_type type, const uint8_t *payload,
		       uint32_t size)
{
	uLongf packed_size = compressBound(size);
	uint8_t *packed = malloc(packed_size);
	const uint8_t *stored = payload;
	uint32_t head[4], stored_size = size;
	uLong crc;

	if (!packed) {
		w->error = ENOMEM;
		return;
	}
	if (compress(packed, &packed_size, payload, size) == Z_OK && packed_size < size) {
		stored = packed;
		stored_size = packed_size;
	}
	head[0] = htole32(type);
	head[1] = htole32(stored_size);
	head[2] = htole32(size);
	crc = crc32(0, (const Bytef *)head, 12);
	head[3] = htole32(crc32(crc, stored, stored_size));
	put(w, head, sizeof(head));
	put(w, stored, stored_size);
	free(packed);
}

void capture_write(struct capture_writer *w, enum capture_type type, const uint32_t *words,
		   uint32_t count, const void *bytes, uint32_t size)
{
	uint32_t total = count * 4 + (size + 3) / 4 * 4, i;
	uint32_t *payload;

	if (w->error)
		return;
	payload = calloc(1, total ? total : 4);
	if (!payload) {
		w->error = ENOMEM;
		return;
	}
	for (i = 0; i < count; i++)
		payload[i] = htole32(words[i]);
	if (size)
		memcpy(payload + count, bytes, size);
	put_record(w, type, (const uint8_t *)payload, total);
	free(payload);
	w->records++;
	w->batches += type == CAPTURE_BATCH;
}

int capture_finish(struct capture_writer *w)
{
	const uint32_t end[2] = { w->records, w->batches };

	capture_write(w, CAPTURE_END, end, 2, NULL, 0);
	if (!w->error && fflush(w->file))
		w->error = errno;
	return -w->error;
}
