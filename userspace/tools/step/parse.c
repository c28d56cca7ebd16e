/* SPDX-License-Identifier: MIT */
#include "parse.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "nv3_class.h"

#define VRAM_END	(MACHINE_VRAM_SIZE - NV3_RAMIN_SIZE)
#define OPERATION_SHIFT	NV3_GROBJ_OP_SHIFT

void parse_error(struct parser *p, const char *format, ...)
{
	va_list args;

	fprintf(stderr, "%s:%u: ", p->path, p->line);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
	p->errors++;
}

bool parse_split(struct parser *p, const char *text)
{
	char *rest;

	free(p->copy);
	p->copy = strdup(text);
	p->words = 0;
	if (!p->copy) {
		parse_error(p, "out of memory");
		return false;
	}
	rest = p->copy;
	while (p->words < PARSE_WORDS_MAX) {
		char *word = strtok_r(rest, " \t", &rest);

		if (!word)
			return true;
		p->word[p->words++] = word;
	}
	parse_error(p, "a line has at most %u words: continue on another line",
		    PARSE_WORDS_MAX - 1);
	return false;
}

void parse_finish(struct parser *p)
{
	free(p->copy);
	free(p->objects);
}

/* ---- words ---- */

static bool is_number(const char *text)
{
	return *text >= '0' && *text <= '9';
}

/* Reads a number from 0 to @max. Returns false after a message. */
static bool read_number(struct parser *p, const char *what, const char *text, uint32_t max,
			uint32_t *value)
{
	unsigned long long n;
	char *end;

	n = strtoull(text, &end, 0);
	if (!is_number(text) || *end) {
		parse_error(p, "%s: '%.40s' is not a number", what, text);
		return false;
	}
	if (n > max) {
		parse_error(p, "%s: %.40s is more than 0x%x", what, text, max);
		return false;
	}
	*value = n;
	return true;
}

/*
 * Checks that @min to @max words follow the first word of the statement. Returns false after a
 * message.
 */
static bool check_words(struct parser *p, unsigned int min, unsigned int max, const char *usage)
{
	if (p->words - 1 >= min && p->words - 1 <= max)
		return true;
	parse_error(p, "usage: %s", usage);
	return false;
}

static bool check_channel(struct parser *p)
{
	if (!p->any_channel)
		parse_error(p, "there is no channel yet: write 'channel 1' first");
	return p->any_channel;
}

/*
 * Writes word @first and all following words to @text, separated by spaces, so that they can be
 * parsed as one value.
 */
static void join(struct parser *p, unsigned int first, char *text, size_t size)
{
	size_t used = 0;
	unsigned int i;

	*text = '\0';
	for (i = first; i < p->words && used < size; i++)
		used += snprintf(text + used, size - used, "%s%s", i > first ? " " : "",
				 p->word[i]);
}

/* Returns the text after "@name=", or null if @word does not begin with "@name=". */
static const char *option(const char *word, const char *name)
{
	size_t length = strlen(name);

	return !strncmp(word, name, length) && word[length] == '=' ? word + length + 1 : NULL;
}

/* ---- channels, memory and objects ---- */

void parse_channel(struct parser *p, struct statement *s)
{
	uint32_t chid;

	if (!check_words(p, 1, 2, "channel NUMBER [dma]") ||
	    !read_number(p, "channel", p->word[1], NV3_USER_CHANNELS - 1, &chid))
		return;
	if (p->words == 3 && strcmp(p->word[2], "dma")) {
		parse_error(p, "'%.40s' is not 'dma'", p->word[2]);
		return;
	}
	s->channel.chid = chid;
	s->channel.dma = p->words == 3;
	if (!p->has_channel[chid]) {
		p->is_dma[chid] = s->channel.dma;
	} else if (s->channel.dma && !p->is_dma[chid]) {
		parse_error(p, "channel %u exists and has no DMA: write 'channel %u dma' where it is created",
			    chid, chid);
		return;
	}
	p->has_channel[chid] = true;
	p->any_channel = true;
	p->chid = chid;
}

static bool read_format(struct parser *p, const char *text, struct rm_surface *info,
			uint32_t *bytes)
{
	static const struct {
		const char *name;
		uint32_t format, bytes;
	} formats[] = {
		{ "Y8", NV3_SURF_Y8, 1 }, { "Y16", NV3_SURF_Y16, 2 },
		{ "X1R5G5B5", NV3_SURF_X1R5G5B5, 2 }, { "X8R8G8B8", NV3_SURF_X8R8G8B8, 4 },
	};
	struct nv3_names_hint hint;
	unsigned int i;

	nv3_names_hint_begin(&hint, text);
	for (i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
		if (!strcasecmp(text, formats[i].name)) {
			info->format = formats[i].format;
			*bytes = formats[i].bytes;
			return true;
		}
		nv3_names_hint_add(&hint, formats[i].name);
	}
	parse_error(p, "'%.40s' is no format%s", text, nv3_names_hint_text(&hint));
	return false;
}

/*
 * Places a surface in the next free part of VRAM, unless the statement gives an offset (@placed).
 */
static bool place_surface(struct parser *p, struct rm_surface *info, uint32_t bytes, bool placed)
{
	uint64_t end;

	if (!info->pitch)
		info->pitch = (info->width * bytes + 31) & ~31u;
	if (info->pitch < info->width * bytes || info->pitch & ~NV3_PGRAPH_SURF_PITCH_MASK) {
		parse_error(p, "the pitch is a multiple of 16 below 8192 that holds a line");
		return false;
	}
	if (!placed)
		info->offset = p->vram;
	end = info->offset + (uint64_t)info->pitch * info->height;
	if (info->offset % 16 || end > VRAM_END) {
		parse_error(p, "a surface begins at a multiple of 16 and ends below 0x%x",
			    VRAM_END);
		return false;
	}
	if (end > p->vram)
		p->vram = (end + MACHINE_PAGE - 1) & ~(MACHINE_PAGE - 1);
	return true;
}

/*
 * Reports the unknown option @word and suggests a valid one. @names: names of options, ending with
 * a null pointer. @fields: fields whose names are also options, or null
 */
static void unknown_option(struct parser *p, const char *word, const char *const *names,
			   const struct nv3_field *fields)
{
	struct nv3_names_hint hint;

	nv3_names_hint_begin(&hint, word);
	for (; *names; names++)
		nv3_names_hint_add(&hint, *names);
	for (; fields && fields->bits; fields++)
		nv3_names_hint_add(&hint, fields->name);
	parse_error(p, "there is no option '%.40s'%s", word, nv3_names_hint_text(&hint));
}

void parse_surface(struct parser *p, struct statement *s)
{
	static const char *const surface_options[] = { "at=OFFSET", "pitch=BYTES", NULL };
	struct rm_surface *info = &s->surface.info;
	bool placed = false;
	uint32_t bytes;
	unsigned int i;
	int length = 0;

	if (!check_words(p, 3, 5, "surface SLOT FORMAT WIDTHxHEIGHT [at=OFFSET] [pitch=BYTES]") ||
	    !check_channel(p) ||
	    !read_number(p, "slot", p->word[1], RM_SURFACES - 1, &s->surface.slot) ||
	    !read_format(p, p->word[2], info, &bytes))
		return;
	if (sscanf(p->word[3], "%5ux%5u%n", &info->width, &info->height, &length) != 2 ||
	    p->word[3][length] || !info->width || !info->height || info->width > 2047 ||
	    info->height > 2047) {
		parse_error(p, "'%.40s' is no size from 1x1 to 2047x2047", p->word[3]);
		return;
	}
	for (i = 4; i < p->words; i++) {
		const char *at = option(p->word[i], "at"), *pitch = option(p->word[i], "pitch");

		if (!at && !pitch)
			unknown_option(p, p->word[i], surface_options, NULL);
		if (at)
			placed = read_number(p, "at", at, VRAM_END - 16, &info->offset);
		if (pitch)
			read_number(p, "pitch", pitch, 8176, &info->pitch);
	}
	info->exists = place_surface(p, info, bytes, placed);
	p->has_surface[p->chid][s->surface.slot] = true;
}

static bool is_dma(const struct parsed_object *obj)
{
	return !strcmp(obj->class->name, "DMA");
}

static struct parsed_object *find_object(struct parser *p, uint32_t handle)
{
	unsigned int i;

	for (i = 0; i < p->object_count; i++) {
		if (p->objects[i].chid == p->chid && p->objects[i].handle == handle)
			return &p->objects[i];
	}
	return NULL;
}

/*
 * Reports a missing object. Lists the channel's DMA objects if @dma is true, and its other objects
 * if @dma is false.
 */
static void missing_object(struct parser *p, uint32_t handle, bool dma)
{
	struct nv3_names_hint hint;
	char text[16];
	unsigned int i;

	nv3_names_hint_begin(&hint, "");
	for (i = 0; i < p->object_count; i++) {
		if (p->objects[i].chid != p->chid || is_dma(&p->objects[i]) != dma)
			continue;
		snprintf(text, sizeof(text), "0x%x", p->objects[i].handle);
		nv3_names_hint_add(&hint, text);
	}
	if (!*hint.list)
		parse_error(p, "channel %u has no %sobject 0x%x: create one by '%s'", p->chid,
			    dma ? "DMA " : "", handle,
			    dma ? "dma HANDLE vram|memory OFFSET SIZE" : "object HANDLE CLASS");
	else
		parse_error(p, "channel %u has no %sobject 0x%x%s", p->chid, dma ? "DMA " : "",
			    handle, nv3_names_hint_text(&hint));
}

static bool add_object(struct parser *p, uint32_t handle, const struct nv3_class_names *class)
{
	struct parsed_object *all;

	if (!handle) {
		parse_error(p, "a handle is not 0: choose another one");
		return false;
	}
	if (find_object(p, handle)) {
		parse_error(p, "channel %u has an object 0x%x already: choose another handle",
			    p->chid, handle);
		return false;
	}
	all = realloc(p->objects, (p->object_count + 1) * sizeof(*all));
	if (!all) {
		parse_error(p, "out of memory");
		return false;
	}
	p->objects = all;
	all[p->object_count++] = (struct parsed_object) { p->chid, handle, class };
	return true;
}

void parse_dma(struct parser *p, struct statement *s)
{
	struct rm_dma_info *info = &s->dma;
	uint32_t end;

	if (!check_words(p, 4, 5, "dma HANDLE vram|memory OFFSET SIZE [write]") ||
	    !check_channel(p) ||
	    !read_number(p, "handle", p->word[1], UINT32_MAX, &info->handle))
		return;
	info->vram = !strcmp(p->word[2], "vram");
	if (!info->vram && strcmp(p->word[2], "memory")) {
		parse_error(p, "'%.40s' is neither 'vram' nor 'memory'", p->word[2]);
		return;
	}
	end = info->vram ? VRAM_END : RM_MEMORY_END;
	if (!read_number(p, "offset", p->word[3], end - 1, &info->offset) ||
	    !read_number(p, "size", p->word[4], end - info->offset, &info->size))
		return;
	if (!info->size) {
		parse_error(p, "size: 0 is too small: a DMA object has at least 1 byte");
		return;
	}
	info->write = p->words == 6;
	if (info->write && strcmp(p->word[5], "write"))
		parse_error(p, "'%.40s' is not 'write'", p->word[5]);
	add_object(p, info->handle, nv3_names_find_class("DMA"));
}

/* Parses an option of an object: the handle of a DMA object, "missing" or "software". */
static bool object_option(struct parser *p, const char *word, struct rm_object_info *info)
{
	static const struct {
		const char *name;
		size_t offset;
	} dmas[] = {
		{ "dma", offsetof(struct rm_object_info, dma) },
		{ "dma_out", offsetof(struct rm_object_info, dma_out) },
		{ "notify", offsetof(struct rm_object_info, notify) },
	};
	struct parsed_object *obj;
	uint32_t *handle;
	unsigned int i;

	if (!strcmp(word, "missing"))
		return info->missing = true;
	if (!strcmp(word, "software"))
		return info->software = true;
	for (i = 0; i < sizeof(dmas) / sizeof(dmas[0]); i++) {
		if (!option(word, dmas[i].name))
			continue;
		handle = (uint32_t *)((char *)info + dmas[i].offset);
		if (read_number(p, dmas[i].name, option(word, dmas[i].name), UINT32_MAX, handle)) {
			obj = find_object(p, *handle);
			if (!obj || !is_dma(obj))
				missing_object(p, *handle, true);
		}
		return true;
	}
	return false;
}

/*
 * Returns true if a word is part of a value: the name of a field, a number that sets all fields, or
 * "rest", which sets the bits outside all fields.
 */
static bool is_field(const struct nv3_field *fields, const char *word)
{
	const size_t length = strcspn(word, "=");

	if (is_number(word) || option(word, "rest"))
		return true;
	for (; fields->bits; fields++) {
		if (strlen(fields->name) == length && !strncasecmp(fields->name, word, length))
			return true;
	}
	return false;
}

/* Parses an object's options. By default, an object copies its source to surface 0. */
static void read_options(struct parser *p, struct rm_object_info *info)
{
	const struct nv3_field *fields = nv3_names_register(NV3_PGRAPH_CTX_SWITCH)->fields;
	static const char *const names[] = {
		"dma=HANDLE", "dma_out=HANDLE", "notify=HANDLE", "missing", "software", NULL
	};
	char text[NV3_NAMES_TEXT] = "", error[NV3_NAMES_ERROR];
	bool operation = false, slots = false;
	size_t used = 0;
	unsigned int i;

	for (i = 3; i < p->words; i++) {
		if (object_option(p, p->word[i], info))
			continue;
		if (!is_field(fields, p->word[i])) {
			unknown_option(p, p->word[i], names, fields);
			continue;
		}
		operation |= option(p->word[i], "operation") != NULL;
		slots |= option(p->word[i], "dst_slots") != NULL;
		if (used < sizeof(text))
			used += snprintf(text + used, sizeof(text) - used, "%s ", p->word[i]);
	}
	if (used >= sizeof(text))
		parse_error(p, "the options are too long");
	else if (used && !nv3_names_parse_value(fields, text, &info->options, error,
						sizeof(error)))
		parse_error(p, "%s", error);
	if (!operation)
		info->options |= NV3_GROBJ_OP_SRCCOPY << OPERATION_SHIFT;
	if (!slots)
		info->options |= 1u << NV3_GROBJ_DST_SHIFT;
}

void parse_object(struct parser *p, struct statement *s)
{
	const struct nv3_class_names *class;
	struct nv3_names_hint hint;

	if (p->words < 3) {
		parse_error(p, "usage: object HANDLE CLASS [OPTION...]");
		return;
	}
	if (!check_channel(p) ||
	    !read_number(p, "handle", p->word[1], UINT32_MAX, &s->object.handle))
		return;
	class = nv3_names_find_class(p->word[2]);
	if (!class || !class->hardware) {
		parse_error(p, "'%.40s' is no class of the chip%s", p->word[2],
			    nv3_names_hint_class(&hint, p->word[2], true));
		return;
	}
	s->object.class_id = class->id;
	read_options(p, &s->object);
	add_object(p, s->object.handle, class);
}

/* ---- methods and registers ---- */

/*
 * Binds an object to a subchannel. If @by_name is false, the statement contains the number of the
 * method OBJECT. In this case the handle need not belong to an object. If it does not, the class is
 * unknown.
 */
static void bind_object(struct parser *p, struct statement *s, bool by_name)
{
	struct parsed_object *obj = find_object(p, s->method.data);

	if (!obj && !by_name)
		p->bound[p->chid][s->method.subch] = NULL;
	else if (!obj)
		missing_object(p, s->method.data, false);
	else if (is_dma(obj))
		parse_error(p, "object 0x%x is a DMA object, which has no methods: name it in an option of another object",
			    s->method.data);
	else
		p->bound[p->chid][s->method.subch] = obj->class;
}

static bool read_method(struct parser *p, struct statement *s)
{
	const struct nv3_class_names *class = p->bound[p->chid][s->method.subch];
	struct nv3_names_hint hint;

	if (is_number(p->word[1])) {
		if (!read_number(p, "method", p->word[1], NV3_FIFO_ADDR_MTHD, &s->method.mthd))
			return false;
		if (s->method.mthd % 4)
			parse_error(p, "a method is a multiple of 4, for example 0x%04x",
				    s->method.mthd & ~3u);
		return s->method.mthd % 4 == 0;
	}
	if (strcasecmp(p->word[1], "OBJECT") && !class) {
		parse_error(p, "subchannel %u has no object yet: bind one by '%u OBJECT HANDLE'",
			    s->method.subch, s->method.subch);
		return false;
	}
	if (nv3_names_find_method(class, p->word[1], &s->method.mthd))
		return true;
	parse_error(p, "class %s has no method '%.40s'%s", class->name, p->word[1],
		    nv3_names_hint_method(&hint, class, p->word[1]));
	return false;
}

void parse_method(struct parser *p, struct statement *s)
{
	char text[NV3_NAMES_TEXT], error[NV3_NAMES_ERROR];
	const struct nv3_class_names *class;
	const struct nv3_word *word;

	if (p->words < 3) {
		parse_error(p, "usage: SUBCHANNEL METHOD VALUE [*TIMES]");
		return;
	}
	if (!check_channel(p) ||
	    !read_number(p, "subchannel", p->word[0], RM_SUBCHANNELS - 1, &s->method.subch) ||
	    !read_method(p, s))
		return;
	s->method.times = 1;
	if (p->word[p->words - 1][0] == '*' &&
	    !read_number(p, "times", p->word[--p->words] + 1, 4096, &s->method.times))
		return;
	class = p->bound[p->chid][s->method.subch];
	word = nv3_names_method(class, s->method.mthd);
	join(p, 2, text, sizeof(text));
	if (!nv3_names_parse_value(word ? word->fields : NULL, text, &s->method.data, error,
				   sizeof(error)))
		parse_error(p, "%s", error);
	else if (s->method.mthd == NV3_MTHD_OBJECT)
		bind_object(p, s, !is_number(p->word[1]));
}

void parse_submit(struct parser *p, struct statement *s)
{
	if (check_words(p, 0, 0, "submit") && check_channel(p) && !p->is_dma[p->chid])
		parse_error(p, "channel %u has no batches: write 'channel %u dma' where it is created",
			    p->chid, p->chid);
}

void parse_register(struct parser *p, struct statement *s)
{
	char text[NV3_NAMES_TEXT], error[NV3_NAMES_ERROR];
	struct nv3_names_hint hint;

	if (!nv3_names_find_register(p->word[0], &s->reg.offset)) {
		parse_error(p, "there is no register '%.40s'%s", p->word[0],
			    nv3_names_hint_register(&hint, p->word[0]));
		return;
	}
	join(p, 2, text, sizeof(text));
	if (!nv3_names_parse_value(nv3_names_register(s->reg.offset)->fields, text, &s->reg.value,
				   error, sizeof(error)))
		parse_error(p, "%s", error);
}

/* ---- other statements ---- */

/* Parses words, each with an optional repeat count "*N" after it. */
void parse_words(struct parser *p, struct statement *s)
{
	uint32_t end, left;
	unsigned int i;

	s->words.vram = !strcmp(p->word[0], "vram");
	end = s->words.vram ? VRAM_END : RM_MEMORY_END;
	if (p->words < 3) {
		parse_error(p, "usage: %s OFFSET WORD [*TIMES]...", p->word[0]);
		return;
	}
	if (!read_number(p, "offset", p->word[1], end - 4, &s->words.offset))
		return;
	if (s->words.offset % 4) {
		parse_error(p, "the offset is a multiple of 4, for example 0x%x",
			    s->words.offset & ~3u);
		return;
	}
	s->words.words = calloc(p->words, sizeof(*s->words.words));
	if (!s->words.words) {
		parse_error(p, "out of memory");
		return;
	}
	left = (end - s->words.offset) / 4;
	for (i = 2; i < p->words; i++) {
		struct script_word *w = &s->words.words[s->words.count++];

		w->count = 1;
		if (!read_number(p, "word", p->word[i], UINT32_MAX, &w->value))
			return;
		if (i + 1 < p->words && p->word[i + 1][0] == '*' &&
		    !read_number(p, "times", p->word[++i] + 1, end / 4, &w->count))
			return;
		if (w->count > left) {
			parse_error(p, "the words reach beyond 0x%x", end);
			return;
		}
		left -= w->count;
	}
}

void parse_answer(struct parser *p, struct statement *s)
{
	if (!check_words(p, 0, 1, "answer [always|never]"))
		return;
	s->answer = ANSWER_ONCE;
	if (p->words == 2 && !strcmp(p->word[1], "always"))
		s->answer = ANSWER_ALWAYS;
	else if (p->words == 2 && !strcmp(p->word[1], "never"))
		s->answer = ANSWER_NEVER;
	else if (p->words == 2)
		parse_error(p, "'%.40s' is neither 'always' nor 'never'", p->word[1]);
}

void parse_engine(struct parser *p, struct statement *s)
{
	if (!check_words(p, 1, 1, "engine on|off"))
		return;
	s->engine = !strcmp(p->word[1], "on");
	if (!s->engine && strcmp(p->word[1], "off"))
		parse_error(p, "'%.40s' is neither 'on' nor 'off'", p->word[1]);
}

void parse_run(struct parser *p, struct statement *s)
{
	s->run = 1;
	if (!check_words(p, 0, 1, "run [METHODS]"))
		return;
	if (p->words == 2 && read_number(p, "methods", p->word[1], 1000000, &s->run) && !s->run)
		parse_error(p, "the engine runs for at least one method: write a number from 1 on");
}

void parse_picture(struct parser *p, struct statement *s)
{
	if (!check_words(p, 1, 2, "picture FILE [SLOT]") || !check_channel(p))
		return;
	if (p->words == 3 &&
	    !read_number(p, "slot", p->word[2], RM_SURFACES - 1, &s->picture.slot))
		return;
	if (!p->has_surface[p->chid][s->picture.slot]) {
		parse_error(p, "channel %u has no surface in slot %u: create it by 'surface %u FORMAT WIDTHxHEIGHT'",
			    p->chid, s->picture.slot, s->picture.slot);
		return;
	}
	s->picture.file = strdup(p->word[1]);
	if (!s->picture.file)
		parse_error(p, "out of memory");
}
