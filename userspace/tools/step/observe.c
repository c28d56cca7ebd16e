/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "observe.h"

#include <inttypes.h>
#include <string.h>
#include <strings.h>

#include "nv3_class.h"
#include "nv3_names.h"
#include "nv3_regs.h"

/* Format of the first column of an output line: the name of a part of the chip */
#define LABEL	"  %-10s"

/* Number of methods that are printed from each end of CACHE1 after a change */
#define CACHE1_ENDS	4

/* ---- observations ---- */

struct addresses {
	uint32_t offset[OBSERVE_REGISTERS_MAX];
	unsigned int count;
};

/*
 * Returns true for observed registers: those of PFIFO, PGRAPH and PDMA, and pending interrupts.
 * Excludes the entries of CACHE1, because print_cache1() prints them. Excludes STATUS, because
 * reading STATUS affects the engine.
 */
static bool is_observed(uint32_t offset)
{
	if (offset == NV3_PGRAPH_STATUS)
		return false;
	return offset == NV3_PMC_INTR ||
	       (offset >= 0x002000 && offset < NV3_PFIFO_CACHE1_ADDR_AB(0)) ||
	       (offset >= 0x400000 && offset < 0x402000);
}

static const struct addresses *observed(void)
{
	static struct addresses all;
	const struct nv3_word *word;
	unsigned int i;

	if (all.count)
		return &all;
	for (word = nv3_names_registers; word->name; word++) {
		for (i = 0; i == 0 || i < word->index[0].count; i++) {
			uint32_t offset = word->offset + i * word->index[0].stride;

			if (is_observed(offset) && all.count < OBSERVE_REGISTERS_MAX)
				all.offset[all.count++] = offset;
		}
	}
	return &all;
}

static uint32_t ungray(uint32_t code)
{
	code ^= code >> 4;
	code ^= code >> 2;
	code ^= code >> 1;
	return code;
}

static uint32_t cache1_pointer(struct machine *m, uint32_t reg)
{
	return ungray(machine_rd32(m, reg) >> 2 & (NV3_PFIFO_CACHE1_SIZE_C - 1));
}

static void observe_cache1(struct machine *m, struct observation *now)
{
	uint32_t get = cache1_pointer(m, NV3_PFIFO_CACHE1_GET);
	uint32_t put = cache1_pointer(m, NV3_PFIFO_CACHE1_PUT);

	now->cached = 0;
	for (; get != put; get = (get + 1) % NV3_PFIFO_CACHE1_SIZE_C) {
		uint32_t at = get ^ get >> 1;

		now->cache1[now->cached].addr = machine_rd32(m, NV3_PFIFO_CACHE1_ADDR_C(at));
		now->cache1[now->cached++].data = machine_rd32(m, NV3_PFIFO_CACHE1_DATA_C(at));
	}
}

static void observe_ramin(struct machine *m, uint32_t from, uint32_t *words, size_t size)
{
	size_t i;

	for (i = 0; i < size / 4; i++)
		words[i] = machine_ramin_rd32(m, from + i * 4);
}

static uint64_t observe_counter(struct machine *m, unsigned int counter)
{
	uint64_t low = machine_rd32(m, NV3_PVIRT_COUNTER(counter));

	return (uint64_t)machine_rd32(m, NV3_PVIRT_COUNTER(counter) + 4) << 32 | low;
}

void observe(struct world *world, struct observation *now)
{
	struct machine *m = &world->machine;
	unsigned int i;

	memset(now, 0, sizeof(*now));
	for (i = 0; i < observed()->count; i++)
		now->reg[i] = machine_rd32(m, observed()->offset[i]);
	now->methods = observe_counter(m, NV3_PVIRT_COUNTER_METHODS);
	now->pixels = observe_counter(m, NV3_PVIRT_COUNTER_PIXELS);
	observe_cache1(m, now);
	observe_ramin(m, RM_RAMHT, now->ramht, sizeof(now->ramht));
	observe_ramin(m, RM_RAMRO, now->ramro, sizeof(now->ramro));
	observe_ramin(m, RM_RAMFC, now->ramfc, sizeof(now->ramfc));
}

/* ---- registers ---- */

static void print_register(FILE *out, uint32_t offset, const uint32_t *before, uint32_t now)
{
	const struct nv3_word *word = nv3_names_register(offset);
	char text[NV3_NAMES_TEXT];

	nv3_names_print_register(offset, text, sizeof(text));
	fprintf(out, LABEL "%-26s", "register", text);
	if (before)
		fprintf(out, " %08" PRIx32 " ->", *before);
	fprintf(out, " %08" PRIx32, now);
	if (word->fields) {
		nv3_names_print_value(word->fields, now, text, sizeof(text));
		fprintf(out, "  %s", text);
	}
	fputc('\n', out);
}

void observe_print_registers(const struct observation *now, const char *pattern, FILE *out)
{
	char name[NV3_NAMES_TEXT];
	unsigned int i;

	for (i = 0; i < observed()->count; i++) {
		nv3_names_print_register(observed()->offset[i], name, sizeof(name));
		if (pattern ? strcasestr(name, pattern) != NULL : now->reg[i] != 0)
			print_register(out, observed()->offset[i], NULL, now->reg[i]);
	}
}

/* ---- methods in CACHE1 and RAMRO ---- */

static const struct nv3_class_names *class_of_ctx(uint32_t ctx)
{
	return ctx & NV3_CTX_CLASS_GRAPH ?
	       nv3_names_class(ctx >> NV3_CTX_CLASS_SHIFT & 0x3f) : NULL;
}

static void print_method(FILE *out, const struct nv3_class_names *class, uint32_t addr,
			 uint32_t data)
{
	uint32_t mthd = addr & NV3_FIFO_ADDR_MTHD;
	const struct nv3_word *word = nv3_names_method(class, mthd);
	char name[NV3_NAMES_TEXT], value[NV3_NAMES_TEXT];

	nv3_names_print_method(class, mthd, name, sizeof(name));
	nv3_names_print_value(word ? word->fields : NULL, data, value, sizeof(value));
	fprintf(out, "subchannel %" PRIu32 " %s%s%s %s",
		(addr & NV3_FIFO_ADDR_SUBCH) >> NV3_FIFO_ADDR_SUBCH_SHIFT,
		class ? class->name : "", class ? "." : "", name, value);
}

/* The class bound to each subchannel. A method OBJECT in CACHE1 or RAMRO changes the binding. */
struct bindings {
	struct world *world;
	const struct nv3_class_names *class[RM_SUBCHANNELS];
};

static struct bindings current_bindings(struct world *world)
{
	struct bindings b = { .world = world };
	unsigned int i;

	for (i = 0; i < RM_SUBCHANNELS; i++)
		b.class[i] = class_of_ctx(machine_rd32(&world->machine,
						       NV3_PFIFO_CACHE1_CTX(i)));
	return b;
}

static const struct nv3_class_names *bound_class(struct bindings *b, uint32_t chid, uint32_t addr,
						 uint32_t data)
{
	uint32_t subch = (addr & NV3_FIFO_ADDR_SUBCH) >> NV3_FIFO_ADDR_SUBCH_SHIFT;

	if ((addr & NV3_FIFO_ADDR_MTHD) == NV3_MTHD_OBJECT) {
		struct rm_object *obj = rm_find_object(&b->world->rm, chid, data);

		b->class[subch] = obj ? class_of_ctx(obj->ctx) : NULL;
	}
	return b->class[subch];
}

/* Prints the first @ends and the last @ends methods of CACHE1. */
static void print_cache1(struct world *world, const struct observation *now, unsigned int ends,
			 FILE *out)
{
	uint32_t chid = machine_rd32(&world->machine, NV3_PFIFO_CACHE1_PUSH_CHID) &
			NV3_PFIFO_CACHE1_CHID;
	struct bindings b = current_bindings(world);
	unsigned int i;

	for (i = 0; i < now->cached; i++) {
		uint32_t addr = now->cache1[i].addr, data = now->cache1[i].data;
		const struct nv3_class_names *class = bound_class(&b, chid, addr, data);

		if (i >= ends && i + ends < now->cached) {
			if (i == ends)
				fprintf(out, LABEL "... %u more\n", "CACHE1",
					now->cached - 2 * ends);
			continue;
		}
		fprintf(out, LABEL "%2u: ", "CACHE1", i);
		print_method(out, class, addr, data);
		fputc('\n', out);
	}
	if (!now->cached)
		fprintf(out, LABEL "empty\n", "CACHE1");
}

void observe_print_cache1(struct world *world, const struct observation *now, FILE *out)
{
	print_cache1(world, now, OBSERVE_CACHE1_MAX, out);
}

static void print_runout(FILE *out, struct bindings *b, unsigned int entry, uint32_t word,
			 uint32_t data)
{
	static const char *const reasons[8] = {
		[NV3_RAMRO_ILLEGAL_ACCESS] = "illegal access",
		[NV3_RAMRO_NO_CACHE] = "no cache for the channel",
		[NV3_RAMRO_CACHE_RAN_OUT] = "follows an overflowed method",
		[NV3_RAMRO_FREE_OVERRUN] = "more than the free count",
		[NV3_RAMRO_RESERVED_ACCESS] = "reserved method",
	};
	const char *reason = reasons[word >> NV3_RAMRO_REASON_SHIFT & 7];
	uint32_t chid = word >> NV3_RAMRO_CHID_SHIFT & NV3_PFIFO_CACHE1_CHID;

	fprintf(out, LABEL "entry %u: channel %" PRIu32 " ", "RAMRO", entry, chid);
	print_method(out, bound_class(b, chid, word, data), word & NV3_FIFO_ADDR_MASK, data);
	fprintf(out, ": %s\n", reason ? reason : "no known reason");
}

/* Prints the entries of RAMRO from @get to @put. */
static void print_ramro(struct world *world, const struct observation *now, uint32_t get,
			uint32_t put, FILE *out)
{
	struct bindings b = current_bindings(world);
	unsigned int i;

	/* Methods in CACHE1 precede those in RAMRO. */
	for (i = 0; i < now->cached; i++)
		bound_class(&b, rm_current(&world->rm)->chid, now->cache1[i].addr,
			    now->cache1[i].data);
	for (; get != put; get = (get + NV3_RAMRO_ENTRY_SIZE) % RM_RAMRO_SIZE)
		print_runout(out, &b, get / NV3_RAMRO_ENTRY_SIZE, now->ramro[get / 4],
			     now->ramro[get / 4 + 1]);
}

static uint32_t find_register(const struct observation *now, uint32_t offset)
{
	unsigned int i;

	for (i = 0; i < observed()->count; i++) {
		if (observed()->offset[i] == offset)
			return now->reg[i];
	}
	return 0;
}

void observe_print_ramro(struct world *world, const struct observation *now, FILE *out)
{
	uint32_t get = find_register(now, NV3_PFIFO_RUNOUT_GET) % RM_RAMRO_SIZE;
	uint32_t put = find_register(now, NV3_PFIFO_RUNOUT_PUT) % RM_RAMRO_SIZE;

	print_ramro(world, now, get, put, out);
	if (get == put)
		fprintf(out, LABEL "empty\n", "RAMRO");
}

/* ---- RAMHT and RAMFC ---- */

static void print_ctx(FILE *out, uint32_t ctx)
{
	const struct nv3_class_names *class = class_of_ctx(ctx);

	fprintf(out, "%s%s at RAMIN 0x%05" PRIx32, ctx & NV3_CTX_HARDWARE ? "" : "software ",
		class ? class->name : "unknown class", (ctx & NV3_CTX_INST) << 4);
}

static void print_ramht(FILE *out, unsigned int entry, const uint32_t word[2])
{
	fprintf(out, LABEL "bucket 0x%02x entry %u: ", "RAMHT", entry / RM_RAMHT_DEPTH,
		entry % RM_RAMHT_DEPTH);
	if (!word[1]) {
		fprintf(out, "empty\n");
		return;
	}
	fprintf(out, "handle 0x%08" PRIx32 " of channel %" PRIu32 ", ", word[0],
		(word[1] & NV3_CTX_CHID) >> NV3_CTX_CHID_SHIFT);
	print_ctx(out, word[1]);
	fputc('\n', out);
}

void observe_print_ramht(const struct observation *now, FILE *out)
{
	unsigned int i, entries = 0;

	for (i = 0; i < sizeof(now->ramht) / NV3_RAMHT_ENTRY_SIZE; i++) {
		if (!now->ramht[2 * i + 1])
			continue;
		print_ramht(out, i, &now->ramht[2 * i]);
		entries++;
	}
	if (!entries)
		fprintf(out, LABEL "empty\n", "RAMHT");
}

static void print_ramfc(FILE *out, unsigned int word, uint32_t ctx)
{
	const unsigned int words = NV3_RAMFC_ENTRY_SIZE / 4;

	fprintf(out, LABEL "channel %u subchannel %u: ", "RAMFC", word / words, word % words);
	if (ctx & (NV3_CTX_CLASS | NV3_CTX_INST))
		print_ctx(out, ctx);
	else
		fprintf(out, "no object");
	fprintf(out, ", last subchannel %" PRIu32 "\n", ctx >> NV3_RAMFC_CTX_SUBCH_SHIFT & 7);
}

void observe_print_ramfc(const struct observation *now, FILE *out)
{
	unsigned int i, words = 0;

	for (i = 0; i < sizeof(now->ramfc) / 4; i++) {
		if (!now->ramfc[i])
			continue;
		print_ramfc(out, i, now->ramfc[i]);
		words++;
	}
	if (!words)
		fprintf(out, LABEL "empty\n", "RAMFC");
}

/* ---- changes ---- */

static bool same_cache1(const struct observation *a, const struct observation *b)
{
	return a->cached == b->cached &&
	       !memcmp(a->cache1, b->cache1, a->cached * sizeof(a->cache1[0]));
}

static void print_work(const struct observation *before, const struct observation *now, FILE *out)
{
	uint64_t methods = now->methods - before->methods, pixels = now->pixels - before->pixels;

	/*
	 * If the number of executed methods has not increased, the statement has executed no
	 * method, or the session has stepped back. Print no counts in these cases.
	 */
	if (now->methods <= before->methods)
		return;
	fprintf(out, LABEL "%" PRIu64 " method%s executed", "PGRAPH", methods,
		methods == 1 ? "" : "s");
	if (pixels)
		fprintf(out, ", %" PRIu64 " pixels drawn", pixels);
	fputc('\n', out);
}

void observe_print_changes(struct world *world, const struct observation *before,
			   const struct observation *now, FILE *out)
{
	uint32_t was_put = find_register(before, NV3_PFIFO_RUNOUT_PUT) % RM_RAMRO_SIZE;
	uint32_t put = find_register(now, NV3_PFIFO_RUNOUT_PUT) % RM_RAMRO_SIZE;
	unsigned int i;

	print_work(before, now, out);
	if (!same_cache1(before, now))
		print_cache1(world, now, CACHE1_ENDS, out);
	if (now->methods >= before->methods)
		print_ramro(world, now, was_put, put, out);
	for (i = 0; i < sizeof(now->ramht) / NV3_RAMHT_ENTRY_SIZE; i++) {
		if (memcmp(&before->ramht[2 * i], &now->ramht[2 * i], NV3_RAMHT_ENTRY_SIZE))
			print_ramht(out, i, &now->ramht[2 * i]);
	}
	for (i = 0; i < sizeof(now->ramfc) / 4; i++) {
		if (before->ramfc[i] != now->ramfc[i])
			print_ramfc(out, i, now->ramfc[i]);
	}
	for (i = 0; i < observed()->count; i++) {
		if (before->reg[i] != now->reg[i])
			print_register(out, observed()->offset[i], &before->reg[i], now->reg[i]);
	}
}

/* ---- memory ---- */

static uint32_t bytes_of(const struct rm_surface *s)
{
	return s->format == NV3_SURF_Y8 ? 1 : s->format == NV3_SURF_X8R8G8B8 ? 4 : 2;
}

static bool bytes_changed(struct world *world, const struct saved *before, uint32_t offset,
			  uint32_t bytes)
{
	uint32_t i;

	for (i = 0; i < bytes; i++) {
		if (saved_vram(before, offset + i) != world->machine.vram[offset + i])
			return true;
	}
	return false;
}

bool observe_surface_changed(struct world *world, const struct saved *before, unsigned int slot)
{
	const struct rm_surface *s = &rm_current(&world->rm)->surface[slot];
	uint32_t y;

	for (y = 0; s->exists && y < s->height; y++) {
		if (bytes_changed(world, before, s->offset + y * s->pitch,
				  s->width * bytes_of(s)))
			return true;
	}
	return false;
}

static void print_surface(struct world *world, const struct saved *before, unsigned int slot,
			  FILE *out)
{
	const struct rm_surface *s = &rm_current(&world->rm)->surface[slot];
	uint32_t x0 = s->width, y0 = s->height, x1 = 0, y1 = 0, x, y, count = 0;

	for (y = 0; y < s->height; y++) {
		for (x = 0; x < s->width; x++) {
			if (!bytes_changed(world, before, s->offset + y * s->pitch +
					   x * bytes_of(s), bytes_of(s)))
				continue;
			x0 = x < x0 ? x : x0;
			x1 = x > x1 ? x : x1;
			y0 = y < y0 ? y : y0;
			y1 = y > y1 ? y : y1;
			count++;
		}
	}
	if (count)
		fprintf(out, LABEL "%u: %" PRIu32 " pixels changed, from %" PRIu32 ",%" PRIu32
			" to %" PRIu32 ",%" PRIu32 "\n", "surface", slot, count, x0, y0, x1, y1);
}

static bool in_surface(const struct rm_channel *chan, uint32_t offset)
{
	unsigned int i;

	for (i = 0; i < RM_SURFACES; i++) {
		const struct rm_surface *s = &chan->surface[i];

		if (s->exists && offset >= s->offset && offset - s->offset < s->pitch * s->height)
			return true;
	}
	return false;
}

struct range {
	uint32_t first, last;
	bool any;
};

static void extend(struct range *range, uint32_t offset)
{
	if (!range->any)
		range->first = offset;
	range->last = offset;
	range->any = true;
}

static void print_range(FILE *out, const char *label, const struct range *range)
{
	if (range->any)
		fprintf(out, LABEL "changed between 0x%06" PRIx32 " and 0x%06" PRIx32 "\n", label,
			range->first, range->last);
}

void observe_print_memory(struct world *world, const struct saved *before, FILE *out)
{
	const struct rm_channel *chan = rm_current(&world->rm);
	uint32_t words = before->rm.channel[world->rm.state.current].words;
	struct range vram = { 0 }, memory = { 0 };
	uint32_t page, i;

	if (chan->words != words)
		fprintf(out, LABEL "%" PRIu32 " words\n", "batch", chan->words);

	for (i = 0; i < RM_SURFACES; i++) {
		if (chan->surface[i].exists)
			print_surface(world, before, i, out);
	}
	for (page = 0; page < MACHINE_VRAM_SIZE - NV3_RAMIN_SIZE; page += MACHINE_PAGE) {
		for (i = page; saved_vram_changed(before, world, page) &&
			       i < page + MACHINE_PAGE; i++) {
			if (saved_vram(before, i) != world->machine.vram[i] &&
			    !in_surface(chan, i))
				extend(&vram, i);
		}
	}
	for (page = 0; page < RM_MEMORY_END; page += MACHINE_PAGE) {
		for (i = page; saved_memory_changed(before, world, page) &&
			       i < page + MACHINE_PAGE; i++) {
			if (saved_memory(before, i) != world->machine.memory[i])
				extend(&memory, i);
		}
	}
	print_range(out, "VRAM", &vram);
	print_range(out, "memory", &memory);
}
