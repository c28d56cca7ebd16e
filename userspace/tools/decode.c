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

#include "decode.h"
#include "nv3.h"

/* Maximum size of a dump. The driver's dumps have at most 16 KiB. */
#define DUMP_MAX	(1u << 20)

struct dump {
	const char *path;
	const uint8_t *data;
	size_t size;
};

/* Registers that a dump may contain. @count of them are @stride bytes apart. */
static const struct {
	uint32_t offset;
	const char *name;
	uint32_t count, stride;
} registers[] = {
	{ 0x000100, "PMC_INTR", 1, 4 },
	{ 0x000200, "PMC_ENABLE", 1, 4 },
	{ 0x002080, "PFIFO_CACHE_ERROR", 1, 4 },
	{ 0x002100, "PFIFO_INTR", 1, 4 },
	{ 0x002140, "PFIFO_INTR_EN", 1, 4 },
	{ 0x002200, "PFIFO_CONFIG", 1, 4 },
	{ 0x002210, "PFIFO_RAMHT", 1, 4 },
	{ 0x002214, "PFIFO_RAMFC", 1, 4 },
	{ 0x002218, "PFIFO_RAMRO", 1, 4 },
	{ 0x002400, "PFIFO_RUNOUT_STATUS", 1, 4 },
	{ 0x002410, "PFIFO_RUNOUT_PUT", 1, 4 },
	{ 0x002420, "PFIFO_RUNOUT_GET", 1, 4 },
	{ 0x002500, "PFIFO_CACHES", 1, 4 },
	{ 0x003010, "PFIFO_CACHE0_PUT", 1, 4 },
	{ 0x003014, "PFIFO_CACHE0_STATUS", 1, 4 },
	{ 0x003070, "PFIFO_CACHE0_GET", 1, 4 },
	{ 0x003200, "PFIFO_CACHE1_PUSH_ACCESS", 1, 4 },
	{ 0x003204, "PFIFO_CACHE1_PUSH_CHID", 1, 4 },
	{ 0x003210, "PFIFO_CACHE1_PUT", 1, 4 },
	{ 0x003214, "PFIFO_CACHE1_STATUS", 1, 4 },
	{ 0x003218, "PFIFO_CACHE1_DMA_STATE", 1, 4 },
	{ 0x003220, "PFIFO_CACHE1_DMA_CTRL", 1, 4 },
	{ 0x003224, "PFIFO_CACHE1_DMA_COUNT", 1, 4 },
	{ 0x003228, "PFIFO_CACHE1_DMA_GET", 1, 4 },
	{ 0x00322c, "PFIFO_CACHE1_DMA_TARGET", 1, 4 },
	{ 0x003230, "PFIFO_CACHE1_DMA_TLB_TAG", 1, 4 },
	{ 0x003234, "PFIFO_CACHE1_DMA_TLB_PTE", 1, 4 },
	{ 0x003238, "PFIFO_CACHE1_DMA_PT_INST", 1, 4 },
	{ 0x003240, "PFIFO_CACHE1_PULL_CTRL", 1, 4 },
	{ 0x003250, "PFIFO_CACHE1_PULL_STATE", 1, 4 },
	{ 0x003270, "PFIFO_CACHE1_GET", 1, 4 },
	{ 0x003280, "PFIFO_CACHE1_CTX", 8, 16 },
	{ 0x400080, "PGRAPH_DEBUG_0", 1, 4 },
	{ 0x400084, "PGRAPH_DEBUG_1", 1, 4 },
	{ 0x400088, "PGRAPH_DEBUG_2", 1, 4 },
	{ 0x40008c, "PGRAPH_DEBUG_3", 1, 4 },
	{ 0x400100, "PGRAPH_INTR", 1, 4 },
	{ 0x400104, "PGRAPH_INVALID", 1, 4 },
	{ 0x400140, "PGRAPH_INTR_EN", 1, 4 },
	{ 0x400144, "PGRAPH_INVALID_EN", 1, 4 },
	{ 0x400180, "PGRAPH_CTX_SWITCH", 1, 4 },
	{ 0x400190, "PGRAPH_CTX_CONTROL", 1, 4 },
	{ 0x400194, "PGRAPH_CTX_USER", 1, 4 },
	{ 0x4001a0, "PGRAPH_CTX_CACHE", 8, 4 },
	{ 0x400400, "PGRAPH_VTX_X", 32, 4 },
	{ 0x400480, "PGRAPH_VTX_Y", 32, 4 },
	{ 0x400500, "PGRAPH_X_MISC", 1, 4 },
	{ 0x400504, "PGRAPH_Y_MISC", 1, 4 },
	{ 0x400508, "PGRAPH_VALID", 1, 4 },
	{ 0x40050c, "PGRAPH_MISC32_0", 1, 4 },
	{ 0x400510, "PGRAPH_MISC24_0", 1, 4 },
	{ 0x400514, "PGRAPH_XY_MISC_0", 1, 4 },
	{ 0x400518, "PGRAPH_XY_MISC_1", 1, 4 },
	{ 0x40051c, "PGRAPH_XY_MISC_2", 1, 4 },
	{ 0x400520, "PGRAPH_XY_MISC_3", 1, 4 },
	{ 0x400524, "PGRAPH_X_CLIP_STATUS", 2, 4 },
	{ 0x40052c, "PGRAPH_Y_CLIP_STATUS", 2, 4 },
	{ 0x400534, "PGRAPH_ICLIP_XMAX", 1, 4 },
	{ 0x400538, "PGRAPH_ICLIP_YMAX", 1, 4 },
	{ 0x40053c, "PGRAPH_UCLIP_XMIN", 1, 4 },
	{ 0x400540, "PGRAPH_UCLIP_YMIN", 1, 4 },
	{ 0x400544, "PGRAPH_UCLIP_XMAX", 1, 4 },
	{ 0x400548, "PGRAPH_UCLIP_YMAX", 1, 4 },
	{ 0x40054c, "PGRAPH_MISC32_1", 1, 4 },
	{ 0x400550, "PGRAPH_SRC_CANVAS_MIN", 1, 4 },
	{ 0x400554, "PGRAPH_SRC_CANVAS_MAX", 1, 4 },
	{ 0x400558, "PGRAPH_DST_CANVAS_MIN", 1, 4 },
	{ 0x40055c, "PGRAPH_DST_CANVAS_MAX", 1, 4 },
	{ 0x400560, "PGRAPH_OCLIP_XMIN", 1, 4 },
	{ 0x400564, "PGRAPH_OCLIP_YMIN", 1, 4 },
	{ 0x400568, "PGRAPH_OCLIP_XMAX", 1, 4 },
	{ 0x40056c, "PGRAPH_OCLIP_YMAX", 1, 4 },
	{ 0x400570, "PGRAPH_MISC24_1", 1, 4 },
	{ 0x400580, "PGRAPH_VTX_Z", 16, 4 },
	{ 0x4005c0, "PGRAPH_D3D_XY", 1, 4 },
	{ 0x4005c4, "PGRAPH_D3D_UV", 1, 4 },
	{ 0x4005c8, "PGRAPH_D3D_Z", 1, 4 },
	{ 0x4005cc, "PGRAPH_D3D_RGB", 1, 4 },
	{ 0x4005d0, "PGRAPH_D3D_FOG_TRI", 1, 4 },
	{ 0x4005d4, "PGRAPH_D3D_RHW", 1, 4 },
	{ 0x400600, "PGRAPH_PATTERN_RGB", 2, 8 },
	{ 0x400604, "PGRAPH_PATTERN_A", 2, 8 },
	{ 0x400610, "PGRAPH_PATTERN_MONO", 2, 4 },
	{ 0x400618, "PGRAPH_PATTERN_SHAPE", 1, 4 },
	{ 0x40061c, "PGRAPH_BITMAP_COLOR_0", 1, 4 },
	{ 0x400624, "PGRAPH_ROP", 1, 4 },
	{ 0x40062c, "PGRAPH_CHROMA", 1, 4 },
	{ 0x400630, "PGRAPH_SURF_OFFSET", 4, 4 },
	{ 0x400640, "PGRAPH_BETA", 1, 4 },
	{ 0x400644, "PGRAPH_D3D_CONFIG", 1, 4 },
	{ 0x400650, "PGRAPH_SURF_PITCH", 4, 4 },
	{ 0x400680, "PGRAPH_DMA_INST", 1, 4 },
	{ 0x400684, "PGRAPH_NOTIFY", 1, 4 },
	{ 0x400688, "PGRAPH_GROBJ_INST", 1, 4 },
	{ 0x40068c, "PGRAPH_M2MF_INST", 1, 4 },
	{ 0x4006a4, "PGRAPH_FIFO_ENABLE", 1, 4 },
	{ 0x4006a8, "PGRAPH_SURF_CONFIG", 1, 4 },
	{ 0x4006b0, "PGRAPH_STATUS", 1, 4 },
	{ 0x4006b4, "PGRAPH_TRAPPED_ADDR", 1, 4 },
	{ 0x4006b8, "PGRAPH_TRAPPED_DATA", 1, 4 },
	{ 0x4006bc, "PGRAPH_TRAPPED_INST", 1, 4 },
	{ 0x4006c8, "PGRAPH_D3D_ALPHA", 1, 4 },
	{ 0x401100, "PDMA_INTR", 1, 4 },
	{ 0x401140, "PDMA_INTR_EN", 1, 4 },
	{ 0x401200, "PDMA_CONTINUE", 1, 4 },
	{ 0x401210, "PDMA_FLAGS", 1, 4 },
	{ 0x401220, "PDMA_LIMIT", 1, 4 },
	{ 0x401230, "PDMA_TLB_PTE", 1, 4 },
	{ 0x401240, "PDMA_TLB_TAG", 1, 4 },
	{ 0x401250, "PDMA_ADDR", 1, 4 },
	{ 0x401270, "PDMA_BYTES", 1, 4 },
	{ 0x401280, "PDMA_INST", 1, 4 },
	{ 0x401290, "PDMA_LINES", 1, 4 },
	{ 0x401800, "PDMA_OFFSET", 3, 16 },
	{ 0x401830, "PDMA_PITCH", 1, 4 },
	{ 0x401840, "PDMA_FORMAT", 1, 4 },
};

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))

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

static void print_register_name(uint32_t offset)
{
	char name[64] = "?";
	size_t i;

	for (i = 0; i < ARRAY_SIZE(registers); i++) {
		uint32_t from = offset - registers[i].offset;

		if (offset < registers[i].offset ||
		    from % registers[i].stride ||
		    from / registers[i].stride >= registers[i].count)
			continue;
		if (registers[i].count == 1)
			snprintf(name, sizeof(name), "%s", registers[i].name);
		else
			snprintf(name, sizeof(name), "%s(%" PRIu32 ")",
				 registers[i].name,
				 from / registers[i].stride);
	}
	printf("  %-26s", name);
}

/* ---- sections ---- */

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
	printf("method:     0x%04" PRIx32 " on subchannel %" PRIu32 "\n",
	       le32toh(f->method), le32toh(f->subch));
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

static int print_registers(const char *what, const void *data, size_t size)
{
	const struct nv3_dump_register *r = data;
	size_t i;

	printf("\n%s:\n", what);
	for (i = 0; i < size / sizeof(*r); i++) {
		print_register_name(le32toh(r[i].offset));
		printf(" %06" PRIx32 "  %08" PRIx32 "\n",
		       le32toh(r[i].offset), le32toh(r[i].value));
	}
	return 0;
}

static int print_methods(const char *what, const void *data, size_t size)
{
	const struct nv3_dump_method *m = data;
	size_t i, count = size / sizeof(*m);

	printf("\n%s: %zu methods\n", what, count);
	for (i = 0; i < count; i++) {
		uint32_t addr = le32toh(m[i].addr);

		printf("  subchannel %" PRIu32 ", method 0x%04" PRIx32
		       ", data 0x%08" PRIx32, addr >> 13 & 7, addr & 0x1ffc,
		       le32toh(m[i].data));
		if (addr >> 16)
			printf(", flags 0x%04" PRIx32, addr >> 16);
		printf("\n");
	}
	return 0;
}

/*
 * Prints the words of runs. The first run starts at the beginning of the batch (nv3_push_header()).
 */
static int print_ring(const struct dump *dump, const void *data, size_t size)
{
	const struct nv3_dump_ring *r = data;
	uint32_t i, count, start, get, left = 0, mthd = 0, subch = 0;
	bool runs;

	if (size < sizeof(*r) ||
	    le32toh(r->count) > (size - sizeof(*r)) / sizeof(r->word[0]))
		return complain(dump, "the ring has %zu bytes, too few for its words",
				size);

	count = le32toh(r->count);
	start = le32toh(r->start);
	get = le32toh(r->get);
	runs = start == le32toh(r->batch);
	printf("\nring: %" PRIu32 " words, of a batch of %" PRIu32
	       " bytes at 0x%05" PRIx32 "\n", count, le32toh(r->batch_size),
	       le32toh(r->batch));
	for (i = 0; i < count; i++) {
		uint32_t word = le32toh(r->word[i]), at = start + i * 4;

		printf("%s %05" PRIx32 "  %08" PRIx32, at == get ? "->" : "  ",
		       at, word);
		if (runs && !left) {
			left = word >> 18 & 0x7ff;
			subch = word >> 13 & 7;
			mthd = word & 0x1ffc;
			printf("  subchannel %" PRIu32 ", %" PRIu32 " from 0x%04"
			       PRIx32, subch, left, mthd);
		} else if (runs) {
			printf("    0x%04" PRIx32, mthd);
			mthd += 4;
			left--;
		}
		printf("\n");
	}
	if (get == start + count * 4)
		printf("-> %05" PRIx32 "  the end\n", get);
	return 0;
}

static int print_section(const struct dump *dump, uint32_t type,
			 const void *data, size_t size)
{
	switch (type) {
	case NV3_DUMP_FAULT:
		return print_fault(dump, data, size);
	case NV3_DUMP_REGISTERS:
		return print_registers("registers", data, size);
	case NV3_DUMP_STATE:
		return print_registers("drawing state of the channel", data,
				       size);
	case NV3_DUMP_CACHE1:
		return print_methods("CACHE1", data, size);
	case NV3_DUMP_RAMRO:
		return print_methods("RAMRO", data, size);
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

static int print_sections(const struct dump *dump)
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

/* Reads the whole file, whose size may be unknown, as in sysfs. */
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
