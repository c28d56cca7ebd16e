/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fuzzes the reader of captures and nv3-lint (userspace/tools/capture). The fuzzer writes
 * a valid file header. If bit 0 of the first input byte is clear, the other bytes are the
 * rest of the file. Otherwise, they are a sequence of records: a byte with the type, a
 * byte with the number of words in the payload, and the payload. In this case, the fuzzer
 * writes a record header with a correct checksum before each payload.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <zlib.h>

#include "format.h"
#include "fuzz.h"
#include "lint.h"

#define FILE_MAX        (1u << 20)
#define TYPE            0x0f

static uint8_t file[FILE_MAX];
static size_t file_size;

static void put_word(size_t at, uint32_t word)
{
    for (unsigned i = 0; i < 4; i++) {
        file[at + i] = word >> 8 * i;
    }
}

static void put_header(void)
{
    memcpy(file, CAPTURE_MAGIC, 8);
    put_word(8, CAPTURE_VERSION);
    put_word(12, 0);
    file_size = CAPTURE_HEADER_SIZE;
}

static void put_record(uint32_t type, const uint8_t *payload, uint32_t size)
{
    uint8_t *head = file + file_size;

    put_word(file_size, type);
    put_word(file_size + 4, size);
    put_word(file_size + 8, size);
    memcpy(head + CAPTURE_RECORD_SIZE, payload, size);
    put_word(file_size + 12, crc32(crc32(0, head, 12), payload, size));
    file_size += CAPTURE_RECORD_SIZE + size;
}

static void put_records(const uint8_t *data, size_t size)
{
    while (size >= 2) {
        uint32_t payload = data[1] * 4u;
        uint32_t type = data[0] & TYPE;

        data += 2;
        size -= 2;
        payload = payload > size ? size & ~(size_t)3 : payload;
        if (file_size + CAPTURE_RECORD_SIZE + payload > FILE_MAX) {
            return;
        }
        put_record(type, data, payload);
        data += payload;
        size -= payload;
    }
}

/* Redirects standard output to /dev/null, to discard the output of nv3-lint. */
static void discard_output(void)
{
    static int null = -1;

    if (null < 0) {
        null = open("/dev/null", O_WRONLY);
        dup2(null, STDOUT_FILENO);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct capture_reader reader;
    struct capture_record record;
    struct lint lint;

    discard_output();
    put_header();
    if (size && data[0] & 1) {
        put_records(data + 1, size - 1);
    } else if (size && size <= FILE_MAX - file_size) {
        memcpy(file + file_size, data + 1, size - 1);
        file_size += size - 1;
    }
    lint_init(&lint, "fuzz");
    if (capture_open_memory(&reader, "fuzz", file, file_size)) {
        while (capture_next(&reader, &record) > 0 && !lint_record(&lint, &record)) {
            continue;
        }
    }
    lint_fini(&lint);
    capture_close(&reader);
    return 0;
}
