/* SPDX-License-Identifier: MIT */
/*
 * Tests nv3-info --decode with generated dumps: the names of registers and methods, and the errors
 * for invalid files
 */
#include <endian.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <nv3_class.h>
#include <nv3_drm.h>
#include <nv3_dump.h>
#include <nv3_names.h>

#include "decode.h"

#define RECT_SUBCH	1
#define OTHER_SUBCH	2

struct buffer {
	uint8_t data[4096];
	size_t size;
};

static void put(struct buffer *buffer, const void *data, size_t size)
{
	assert_true(buffer->size + size <= sizeof(buffer->data));
	memcpy(buffer->data + buffer->size, data, size);
	buffer->size += size;
}

static void put_words(struct buffer *buffer, const uint32_t *words, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++) {
		uint32_t word = htole32(words[i]);

		put(buffer, &word, sizeof(word));
	}
}

/* Appends a section of @count words. @count must be even. */
static void put_section(struct buffer *buffer, uint32_t type, const uint32_t *words, size_t count)
{
	const uint32_t head[] = { type, count * 4 };

	assert_int_equal(count % 2, 0);
	put_words(buffer, head, 2);
	put_words(buffer, words, count);
}

static void begin(struct buffer *buffer)
{
	const uint32_t head[] = { NV3_DUMP_VERSION, 0 };

	buffer->size = 0;
	put(buffer, NV3_DUMP_MAGIC, 8);
	put_words(buffer, head, 2);
}

static void finish(struct buffer *buffer)
{
	uint32_t size = htole32(buffer->size);

	memcpy(buffer->data + 12, &size, sizeof(size));
}

/* Calls nv3_decode() on the dump. Returns the printed text, which the caller frees. */
static char *decode(const struct buffer *buffer, int *status)
{
	char path[] = "/tmp/nv3-decode-XXXXXX", out[] = "/tmp/nv3-decode-XXXXXX";
	int fd = mkstemp(path), out_fd = mkstemp(out), saved;
	char *text = calloc(1, 65536);

	assert_true(fd >= 0 && out_fd >= 0 && text);
	assert_int_equal(write(fd, buffer->data, buffer->size), buffer->size);
	fflush(stdout);
	saved = dup(1);
	dup2(out_fd, 1);
	*status = nv3_decode(path);
	fflush(stdout);
	dup2(saved, 1);
	assert_true(pread(out_fd, text, 65535, 0) >= 0);
	close(saved);
	close(fd);
	close(out_fd);
	unlink(path);
	unlink(out);
	return text;
}

static void assert_says(const char *text, const char *what)
{
	if (!strstr(text, what))
		fail_msg("no \"%s\" in:\n%s", what, text);
}

static void assert_says_not(const char *text, const char *what)
{
	if (strstr(text, what))
		fail_msg("\"%s\" in:\n%s", what, text);
}

static uint32_t header(uint32_t subch, uint32_t mthd, uint32_t count)
{
	return count << 18 | subch << 13 | mthd;
}

/*
 * Appends a section of registers. The context words of two subchannels contain class RECT and a
 * class that the decoder does not know.
 */
static void put_registers(struct buffer *buffer)
{
	const uint32_t registers[] = {
		0x400100, 0x00000011,
		0x400534, 0x0003fffe,
		0x003280 + RECT_SUBCH * 16, 0x00c70abc,
		0x003280 + OTHER_SUBCH * 16, 0,
		0x123456, 7,
	};

	put_section(buffer, NV3_DUMP_REGISTERS, registers, 10);
}

static void test_registers(void **state)
{
	struct buffer buffer;
	int status;
	char *text;

	begin(&buffer);
	put_registers(&buffer);
	finish(&buffer);
	text = decode(&buffer, &status);
	assert_int_equal(status, 0);
	assert_says(text, "  PGRAPH_INTR                400100  00000011  INVALID CTX_SWITCH\n");
	assert_says(text, "  PGRAPH_ICLIP_XMAX          400534  0003fffe  -2\n");
	assert_says(text, "  PFIFO_CACHE1_CTX(1)        003290  00c70abc  "
			  "instance=0xabc class=0x7 GRAPH HARDWARE\n");
	assert_says(text, "  0x123456                   123456  00000007\n");
	free(text);
}

static void test_cache(void **state)
{
	const uint32_t methods[] = {
		RECT_SUBCH << 13 | NV3_RECT_POINT(2), 0x00020001,
		OTHER_SUBCH << 13 | NV3_RECT_POINT(2), 0x00020001,
		OTHER_SUBCH << 13 | NV3_MTHD_NOTIFY, 1,
		RECT_SUBCH << 13 | 0x1f00, 5,
		RECT_SUBCH << 13 | NV3_MTHD_OBJECT, 0xbeef,
		RECT_SUBCH << 13 | NV3_RECT_POINT(2), 0x00020001,
	};
	struct buffer buffer;
	int status;
	char *text;

	begin(&buffer);
	put_registers(&buffer);
	put_section(&buffer, NV3_DUMP_CACHE1, methods, 12);
	finish(&buffer);
	text = decode(&buffer, &status);
	assert_int_equal(status, 0);
	assert_says(text, "CACHE1: 6 methods\n"
		"  subchannel 1, method 0x0410, data 0x00020001  RECT.POINT(2) x=1 y=2\n"
		"  subchannel 2, method 0x0410, data 0x00020001\n"
		"  subchannel 2, method 0x0104, data 0x00000001  NOTIFY 1\n"
		"  subchannel 1, method 0x1f00, data 0x00000005  RECT.0x1f00 0x00000005\n"
		"  subchannel 1, method 0x0000, data 0x0000beef  OBJECT 0x0000beef\n"
		"  subchannel 1, method 0x0410, data 0x00020001\n");
	free(text);
}

/*
 * The dump contains each subchannel's class at the time of the dump. Only the methods from the last
 * executed OBJECT up to the next OBJECT have this class, so the decoder names only these.
 */
static void test_ring(void **state)
{
	const uint32_t words[] = {
		0, 12, 28, 0, 48, 0,	/* start, words, position, batch and its size, padding */
		header(RECT_SUBCH, NV3_RECT_COLOR, 1), 1,
		header(RECT_SUBCH, NV3_MTHD_OBJECT, 1), 0x1001,
		header(RECT_SUBCH, NV3_RECT_POINT(0), 2), 0x00010002, 0x00030004,
		header(RECT_SUBCH, NV3_RECT_COLOR, 1), 0x7fff,
		header(RECT_SUBCH, NV3_MTHD_OBJECT, 1), 0x1002,
		header(RECT_SUBCH, NV3_RECT_COLOR, 1),
	};
	const uint32_t cached[] = { RECT_SUBCH << 13 | NV3_RECT_SIZE(0), 0x00030004 };
	struct buffer buffer;
	int status;
	char *text;

	begin(&buffer);
	put_registers(&buffer);
	put_section(&buffer, NV3_DUMP_CACHE1, cached, 2);
	put_section(&buffer, NV3_DUMP_RING, words, 18);
	finish(&buffer);
	text = decode(&buffer, &status);
	assert_int_equal(status, 0);
	assert_says(text,
		"   00000  00042304  subchannel 1, 1 from 0x0304\n"
		"   00004  00000001    0x0304\n"
		"   00008  00042000  subchannel 1, 1 from 0x0000\n"
		"   0000c  00001001    0x0000  RECT.OBJECT 0x00001001\n"
		"   00010  00082400  subchannel 1, 2 from 0x0400\n"
		"   00014  00010002    0x0400  RECT.POINT(0) x=2 y=1\n"
		"   00018  00030004    0x0404  RECT.SIZE(0) width=4 height=3\n"
		"-> 0001c  00042304  subchannel 1, 1 from 0x0304\n"
		"   00020  00007fff    0x0304  RECT.COLOR 0x00007fff\n"
		"   00024  00042000  subchannel 1, 1 from 0x0000\n"
		"   00028  00001002    0x0000  OBJECT 0x00001002\n"
		"   0002c  00042304  subchannel 1, 1 from 0x0304\n");
	assert_says_not(text, "the end");
	free(text);
}

/* A dump that was recorded after a preemption has no registers, and therefore no classes. */
static void test_unknown_classes(void **state)
{
	const uint32_t cached[] = { RECT_SUBCH << 13 | NV3_RECT_COLOR, 1 };
	struct buffer buffer;
	int status;
	char *text;

	begin(&buffer);
	put_section(&buffer, NV3_DUMP_CACHE1, cached, 2);
	finish(&buffer);
	text = decode(&buffer, &status);
	assert_int_equal(status, 0);
	assert_says_not(text, "RECT");
	free(text);
}

static void test_truncated(void **state)
{
	struct buffer buffer;
	size_t size;
	int status;

	begin(&buffer);
	put_registers(&buffer);
	finish(&buffer);
	for (size = 0; size < buffer.size; size += 5) {
		struct buffer part = buffer;

		part.size = size;
		free(decode(&part, &status));
		assert_int_equal(status, 1);
	}
}

/*
 * nv3_names_class() also finds the virtual classes, which no RIVA 128 has. The numbers of these
 * classes are from the uAPI.
 */
static void test_class_numbers(void **state)
{
	assert_string_equal(nv3_names_class(DRM_NV3_CLASS_DMA)->name, "DMA");
	assert_string_equal(nv3_names_class(DRM_NV3_CLASS_SEMAPHORE)->name, "SEMAPHORE");
	assert_string_equal(nv3_names_class(DRM_NV3_CLASS_FLIP)->name, "FLIP");
	assert_string_equal(nv3_names_class(DRM_NV3_CLASS_PROGRAMS)->name, "PROGRAMS");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_registers),
		cmocka_unit_test(test_cache),
		cmocka_unit_test(test_ring),
		cmocka_unit_test(test_unknown_classes),
		cmocka_unit_test(test_truncated),
		cmocka_unit_test(test_class_numbers),
	};

	return cmocka_run_group_tests_name("decode", tests, NULL, NULL);
}
