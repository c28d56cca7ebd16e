/* SPDX-License-Identifier: MIT */
/* nv3-info --decode: prints a device core dump as text. */
#include <ctype.h>
#include <endian.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <nv3_dump.h>
#include <nv3_names.h>

#include "decode.h"
#include "nv3.h"

/* Maximum size of a dump. The driver's dumps have at most 16 KiB. */
#define DUMP_MAX	(1u << 20)

#define SUBCHANNELS	8

/* PFIFO_CACHE1_CTX(0) and the distance to the next register */
#define CTX		0x003280
#define CTX_STRIDE	16

#define METHOD_OBJECT	0

struct dump {
	const char *path;
	const uint8_t *data;
	size_t size;

	/*
	 * The class of the object that the puller has bound to each subchannel, or null. The number
	 * of methods in CACHE1
	 */
	const struct nv3_class_names *class[SUBCHANNELS];
	size_t cached;
};

static int __attribute__((format(printf, 2, 3)))
complain(const struct dump *dump, const char *format, ...)
{
	va_list args;

	fprintf(stderr, "nv3-info: %s: ", dump->path);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
	return 1;
}

/* ---- sections ---- */

/* Prints the names of a method and its fields, if the class is known. */
static void print_names(const struct nv3_class_names *class, uint32_t mthd, uint32_t data)
{
	const struct nv3_word *word = nv3_names_method(class, mthd);
	char name[NV3_NAMES_TEXT], value[NV3_NAMES_TEXT];

	if (!class && !word)
		return;
	nv3_names_print_method(class, mthd, name, sizeof(name));
	nv3_names_print_value(word ? word->fields : NULL, data, value, sizeof(value));
	printf("  %s%s%s %s", class ? class->name : "", class ? "." : "", name, value);
}

static int print_fault(const struct dump *dump, const void *data, size_t size)
{
	const struct nv3_dump_fault *f = data;
	uint32_t flags, class_id, i;
	const char *class;

	if (size < sizeof(*f))
		return complain(dump, "the description of the fault has %zu bytes, not %zu",
				size, sizeof(*f));

	flags = le32toh(f->flags);
	class_id = le32toh(f->class_id);
	class = nv3_class_name(class_id);
	printf("fault:      %s (%" PRIu32 ")\n",
	       nv3_fault_name(le32toh(f->reason)), le32toh(f->reason));
	printf("class:      0x%02" PRIx32 " %s\n", class_id,
	       class_id && class ? class : "none");
	printf("method:     0x%04" PRIx32 " on subchannel %" PRIu32,
	       le32toh(f->method), le32toh(f->subch));
	if (nv3_names_class(class_id))
		print_names(nv3_names_class(class_id), le32toh(f->method), le32toh(f->data));
	printf("\n");
	printf("data:       0x%08" PRIx32 "\n", le32toh(f->data));
	printf("channel:    %" PRIu32 ", %s, batch %" PRIu64 ", %s\n",
	       le32toh(f->channel), flags & NV3_DUMP_PIO ? "PIO" : "DMA",
	       le64toh(f->batch),
	       flags & NV3_DUMP_ON_CHIP ? "on the chip" : "preempted");
	printf("chip time:  %.3f ms\n", le64toh(f->ran_ns) / 1e6);
	printf("process:    ");
	for (i = 0; i < sizeof(f->comm) && f->comm[i]; i++)
		putchar(isprint((unsigned char)f->comm[i]) ? f->comm[i] : '?');
	printf(", process %" PRIu32 ", user %" PRIu32 "\n", le32toh(f->pid),
	       le32toh(f->uid));
	printf("time:       %.6f s\n", le64toh(f->time_ns) / 1e9);
	printf("chip:       %08" PRIx32 "\n", le32toh(f->chip_id));
	return 0;
}

static void print_register(uint32_t offset, uint32_t value)
{
	const struct nv3_word *word = nv3_names_register(offset);
	char text[NV3_NAMES_TEXT];

	nv3_names_print_register(offset, text, sizeof(text));
	printf("  %-26s %06" PRIx32 "  %08" PRIx32, text, offset, value);
	if (word && word->fields && value) {
		nv3_names_print_value(word->fields, value, text, sizeof(text));
		printf("  %s", text);
	}
	printf("\n");
}

/*
 * Stores the class of a subchannel if the register is one of the puller's context words. If bit 22
 * (PGRAPH) of the word is set, bits 21 to 16 are the class.
 */
static void learn_class(struct dump *dump, uint32_t offset, uint32_t value)
{
	uint32_t subch = (offset - CTX) / CTX_STRIDE;

	if (offset < CTX || offset % CTX_STRIDE || subch >= SUBCHANNELS)
		return;
	dump->class[subch] = value & 1 << 22 ? nv3_names_class(value >> 16 & 0x3f) : NULL;
}

static int print_registers(struct dump *dump, const char *what, const void *data, size_t size)
{
	const struct nv3_dump_register *r = data;
	size_t i;

	printf("\n%s:\n", what);
	for (i = 0; i < size / sizeof(*r); i++) {
		print_register(le32toh(r[i].offset), le32toh(r[i].value));
		learn_class(dump, le32toh(r[i].offset), le32toh(r[i].value));
	}
	return 0;
}

/*
 * Prints the methods of CACHE1 or RAMRO. @bound: true if the puller's context words describe the
 * objects of these methods, so that the decoder can name the methods.
 */
static int print_methods(const struct dump *dump, const char *what, const void *data,
			 size_t size, bool bound)
{
	const struct nv3_class_names *class[SUBCHANNELS] = { NULL };
	const struct nv3_dump_method *m = data;
	size_t i, count = size / sizeof(*m);

	if (bound)
		memcpy(class, dump->class, sizeof(class));
	printf("\n%s: %zu methods\n", what, count);
	for (i = 0; i < count; i++) {
		uint32_t addr = le32toh(m[i].addr), mthd = addr & 0x1ffc;
		uint32_t subch = addr >> 13 & 7;

		printf("  subchannel %" PRIu32 ", method 0x%04" PRIx32
		       ", data 0x%08" PRIx32, subch, mthd, le32toh(m[i].data));
		if (addr >> 16)
			printf(", flags 0x%04" PRIx32, addr >> 16);
		if (mthd == METHOD_OBJECT)
			class[subch] = NULL;
		print_names(class[subch], mthd, le32toh(m[i].data));
		printf("\n");
	}
	return 0;
}

/* ---- the ring ---- */

struct ring {
	const struct nv3_dump_ring *words;
	uint32_t count, start, get;

	/*
	 * The run (a header and its arguments) that contains the next word. @runs is true if the
	 * dump contains the start of the batch, so that its first word is a header.
	 */
	bool runs;
	uint32_t left, mthd, subch;

	/* Number of arguments so far */
	size_t seen;
	/*
	 * For each subchannel, the range of argument counts (@seen) in which the puller's class is
	 * valid, from @bound up to but excluding @rebound
	 */
	size_t bound[SUBCHANNELS], rebound[SUBCHANNELS];
};

/*
 * Returns true if @word is an argument, and advances to its method. Otherwise, @word is the header
 * of a run (nv3_push_header()), which the function reads.
 */
static bool next_word(struct ring *ring, uint32_t word)
{
	bool argument = ring->left > 0;

	if (argument) {
		ring->mthd += 4;
		ring->left--;
		ring->seen++;
	} else {
		ring->left = word >> 18 & 0x7ff;
		ring->subch = word >> 13 & 7;
		ring->mthd = (word & 0x1ffc) - 4;
	}
	return argument;
}

static void rewind_ring(struct ring *ring)
{
	ring->left = 0;
	ring->seen = 0;
}

/*
 * For each subchannel, the puller's class is valid from the last OBJECT method that the puller has
 * executed up to the next OBJECT method. CACHE1 contains the methods that the pusher has read and
 * the puller has not executed yet.
 */
static void find_bindings(const struct dump *dump, struct ring *ring)
{
	size_t pulled;
	uint32_t i;

	rewind_ring(ring);
	for (i = 0; i < ring->count && ring->start + i * 4 < ring->get; i++)
		next_word(ring, le32toh(ring->words->word[i]));
	pulled = ring->seen < dump->cached ? 0 : ring->seen - dump->cached;

	rewind_ring(ring);
	for (i = 0; i < SUBCHANNELS; i++)
		ring->rebound[i] = SIZE_MAX;
	for (i = 0; i < ring->count; i++) {
		if (!next_word(ring, le32toh(ring->words->word[i])) || ring->mthd != METHOD_OBJECT)
			continue;
		if (ring->seen <= pulled)
			ring->bound[ring->subch] = ring->seen;
		else if (ring->rebound[ring->subch] == SIZE_MAX)
			ring->rebound[ring->subch] = ring->seen;
	}
	rewind_ring(ring);
}

static const struct nv3_class_names *class_in_ring(const struct dump *dump,
						   const struct ring *ring)
{
	bool holds = ring->seen >= ring->bound[ring->subch] &&
		     ring->seen < ring->rebound[ring->subch];

	return holds ? dump->class[ring->subch] : NULL;
}

static void print_word(const struct dump *dump, struct ring *ring, uint32_t word)
{
	if (next_word(ring, word)) {
		printf("    0x%04" PRIx32, ring->mthd);
		print_names(class_in_ring(dump, ring), ring->mthd, word);
	} else {
		printf("  subchannel %" PRIu32 ", %" PRIu32 " from 0x%04" PRIx32, ring->subch,
		       ring->left, (ring->mthd + 4) & 0x1ffc);
	}
}

static int print_ring(const struct dump *dump, const void *data, size_t size)
{
	const struct nv3_dump_ring *r = data;
	struct ring ring = { .words = r };
	uint32_t i;

	if (size < sizeof(*r) ||
	    le32toh(r->count) > (size - sizeof(*r)) / sizeof(r->word[0]))
		return complain(dump, "the ring has %zu bytes, too few for its words",
				size);

	ring.count = le32toh(r->count);
	ring.start = le32toh(r->start);
	ring.get = le32toh(r->get);
	ring.runs = ring.start == le32toh(r->batch);
	printf("\nring: %" PRIu32 " words, of a batch of %" PRIu32
	       " bytes at 0x%05" PRIx32 "\n", ring.count, le32toh(r->batch_size),
	       le32toh(r->batch));
	if (ring.runs)
		find_bindings(dump, &ring);
	for (i = 0; i < ring.count; i++) {
		uint32_t word = le32toh(r->word[i]), at = ring.start + i * 4;

		printf("%s %05" PRIx32 "  %08" PRIx32, at == ring.get ? "->" : "  ", at, word);
		if (ring.runs)
			print_word(dump, &ring, word);
		printf("\n");
	}
	if (ring.get == ring.start + ring.count * 4)
		printf("-> %05" PRIx32 "  the end\n", ring.get);
	return 0;
}

static int print_section(struct dump *dump, uint32_t type, const void *data, size_t size)
{
	switch (type) {
	case NV3_DUMP_FAULT:
		return print_fault(dump, data, size);
	case NV3_DUMP_REGISTERS:
		return print_registers(dump, "registers", data, size);
	case NV3_DUMP_STATE:
		return print_registers(dump, "drawing state of the channel", data, size);
	case NV3_DUMP_CACHE1:
		dump->cached = size / sizeof(struct nv3_dump_method);
		return print_methods(dump, "CACHE1", data, size, true);
	case NV3_DUMP_RAMRO:
		return print_methods(dump, "RAMRO", data, size, false);
	case NV3_DUMP_RING:
		return print_ring(dump, data, size);
	default:
		printf("\na section of type %" PRIu32 ", %zu bytes\n", type,
		       size);
		return 0;
	}
}

/* ---- the whole dump ---- */

static int check_header(const struct dump *dump)
{
	const struct nv3_dump_header *h = (const void *)dump->data;

	if (dump->size < sizeof(h->magic) ||
	    memcmp(h->magic, NV3_DUMP_MAGIC, sizeof(h->magic)))
		return complain(dump, "not a device core dump of nv3");
	if (dump->size < sizeof(*h))
		return complain(dump, "truncated: %zu bytes, less than the header",
				dump->size);
	if (le32toh(h->version) != NV3_DUMP_VERSION)
		return complain(dump, "version %" PRIu32 ", and only version %d is known",
				le32toh(h->version), NV3_DUMP_VERSION);
	if (le32toh(h->size) > dump->size)
		return complain(dump, "truncated: %zu of %" PRIu32 " bytes",
				dump->size, le32toh(h->size));
	if (le32toh(h->size) < dump->size)
		return complain(dump, "damaged: %zu bytes, its header says %"
				PRIu32, dump->size, le32toh(h->size));
	return 0;
}

static int print_sections(struct dump *dump)
{
	size_t at = sizeof(struct nv3_dump_header);

	while (at < dump->size) {
		const struct nv3_dump_section *s =
			(const void *)(dump->data + at);
		size_t left = dump->size - at, size;

		if (left < sizeof(*s) ||
		    le32toh(s->size) > left - sizeof(*s) ||
		    le32toh(s->size) % 8)
			return complain(dump, "damaged: the section at byte %zu exceeds the file",
					at);
		size = le32toh(s->size);
		if (print_section(dump, le32toh(s->type), s + 1, size))
			return 1;
		at += sizeof(*s) + size;
	}
	return 0;
}

/*
 * Reads a file of up to DUMP_MAX bytes. Does not use the size that stat() returns, because this
 * size is wrong in sysfs.
 */
static uint8_t *read_file(const char *path, size_t *size)
{
	FILE *file = fopen(path, "rbe");
	uint8_t *data;

	if (!file)
		return NULL;
	data = malloc(DUMP_MAX);
	if (data) {
		*size = fread(data, 1, DUMP_MAX, file);
		if (ferror(file)) {
			free(data);
			data = NULL;
			errno = EIO;
		}
	}
	fclose(file);
	return data;
}

int nv3_decode(const char *path)
{
	struct dump dump = { .path = path };
	uint8_t *data = read_file(path, &dump.size);
	int ret;

	dump.data = data;
	if (!data)
		return complain(&dump, "%s", strerror(errno));
	ret = check_header(&dump) || print_sections(&dump);
	free(data);
	return ret;
}
