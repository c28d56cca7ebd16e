/* SPDX-License-Identifier: MIT */
/*
 * The format of captures. A capture records the calls of one process to the nv3 driver, and the
 * contents of the buffers that its batches list. docs/reference/capture.md describes the format.
 *
 * A capture is a header followed by records. Numbers are little-endian 32-bit words. A 64-bit value
 * consists of two words, the low word first. Structures and constants have the same names as in
 * nv3_drm.h. Buffers are identified by numbers, because handles may be reused.
 */
#ifndef NV3_CAPTURE_FORMAT_H
#define NV3_CAPTURE_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define CAPTURE_MAGIC		"NV3CAPT\n"
#define CAPTURE_VERSION		1u
#define CAPTURE_HEADER_SIZE	16u	/* magic, version, 0 */
#define CAPTURE_RECORD_SIZE	16u	/* type, stored bytes, bytes, CRC-32 */

/* Limits that prevent a damaged file from exhausting the reader's memory */
#define CAPTURE_PAYLOAD_MAX	(64u << 20)
#define CAPTURE_BUFFER_MAX	(256u << 20)
#define CAPTURE_BUFFERS_MAX	(1u << 20)
#define CAPTURE_FILES_MAX	64u

enum capture_type {
	CAPTURE_PROGRAM = 1,		/* struct capture_program, then the name */
	CAPTURE_FILE_CLOSE,		/* file */
	CAPTURE_CHANNEL,		/* file, channel, type, flags */
	CAPTURE_CHANNEL_DESTROY,	/* file, channel */
	CAPTURE_OBJECT,			/* file, channel, class, handle, then its arguments */
	CAPTURE_OBJECT_DESTROY,		/* file, channel, handle */
	CAPTURE_BUFFER,			/* file, buffer, domains, size */
	CAPTURE_BUFFER_CLOSE,		/* file, buffer */
	CAPTURE_VM,			/* file, vm */
	CAPTURE_VM_DESTROY,		/* file, vm */
	CAPTURE_VM_BIND,		/* file, vm, op, buffer, flags, address, offset, size */
	CAPTURE_MEMORY,			/* file, buffer, offset, then bytes */
	CAPTURE_BATCH,			/* struct capture_batch, buffers, words */
	CAPTURE_RESULT,			/* struct capture_result, checks */
	CAPTURE_END,			/* number of preceding records, number of batches */
	CAPTURE_TYPES
};

struct capture_program {
	uint32_t vram_size;	/* bytes */
};

/*
 * In a BATCH record, a listed buffer and its flags. In a RESULT record, a written buffer and its
 * checksum.
 */
struct capture_pair {
	uint32_t buffer;
	uint32_t value;		/* DRM_NV3_BUFFER_*, or a CRC-32 */
};

struct capture_batch {
	uint32_t file, channel;
	uint32_t buffer_count;	/* struct capture_pair */
	uint32_t word_count;
};

struct capture_result {
	uint32_t file, channel;
	uint32_t fault;		/* DRM_NV3_FAULT_* */
	uint32_t check_count;	/* struct capture_pair */
};

/* ---- writing ---- */

struct capture_writer {
	FILE *file;
	uint32_t records, batches;
	int error;		/* errno of the first failure, or 0 */
};

/* Writes the header. */
void capture_begin(struct capture_writer *w, FILE *file);
/*
 * Writes a record. The payload is @count words, followed by @size bytes and by padding to whole
 * words.
 */
void capture_write(struct capture_writer *w, enum capture_type type, const uint32_t *words,
		   uint32_t count, const void *bytes, uint32_t size);
/* Writes the last record. Returns 0 or a negative errno. */
int capture_finish(struct capture_writer *w);

/* ---- reading ---- */

#define CAPTURE_ERROR_SIZE	512

struct capture_reader {
	const char *name;
	uint8_t *data;
	size_t size, at;
	uint32_t *payload;	/* payload of the current record, in the host's byte order */
	uint32_t records, batches;
	bool ended;
	char error[CAPTURE_ERROR_SIZE];
};

struct capture_record {
	enum capture_type type;
	uint64_t offset;	/* in the file */
	/*
	 * The words of the payload. In a MEMORY record, bytes of memory follow the first three
	 * words.
	 */
	const uint32_t *words;
	uint32_t count;
};

/* Reads a file into memory and checks its header. Returns false after setting @r->error. */
bool capture_open(struct capture_reader *r, const char *name);
/* Copies a capture in memory and checks its header. Returns false after setting @r->error. */
bool capture_open_memory(struct capture_reader *r, const char *name, const void *data,
			 size_t size);
/*
 * Reads the next record. Returns 1 for a record, 0 after the last record, or -1 after setting
 * @r->error. The record is valid until the next call.
 */
int capture_next(struct capture_reader *r, struct capture_record *record);
/* Makes capture_next() start again at the first record. */
void capture_rewind(struct capture_reader *r);
void capture_close(struct capture_reader *r);

/* Returns the name of a record type, for messages. */
const char *capture_type_name(enum capture_type type);

static inline uint64_t capture_u64(const uint32_t *words)
{
	return words[0] | (uint64_t)words[1] << 32;
}

#endif
