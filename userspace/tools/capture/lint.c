/* SPDX-License-Identifier: MIT */
#include "lint.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <nv3_class.h>
#include <nv3_drm.h>
#include <nv3_names.h>
#include <nv3_programs.h>

/* A batch with fewer words takes more time to start and end than to execute. */
#define SMALL_BATCH	16u
/* Unnecessary headers are reported if they are at least this percentage of a batch's words. */
#define HEADERS_PERCENT	10u
#define DRIVER_SUBCH	7u
/* Maximum size of a list in a message. It limits a message to 200 characters. */
#define LIST_TEXT	88u

/* @page: page of the documentation, or null */
static void __attribute__((format(printf, 5, 0)))
say(struct lint *l, enum lint_kind kind, uint32_t word, const char *page, const char *format,
    va_list args)
{
	if (kind == LINT_ERROR)
		l->errors++;
	else if (l->no_waste)
		return;
	else
		l->waste++;
	if (l->raw)
		printf("%s: offset %u: ", l->name, word * 4);
	else
		printf("%s: batch %u, word %u: ", l->name, l->batch, word);
	printf("%s: ", kind == LINT_ERROR ? "error" : "waste");
	vprintf(format, args);
	if (page)
		printf("; see %s", page);
	putchar('\n');
}

void lint_say(struct lint *l, enum lint_kind kind, uint32_t word, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	say(l, kind, word, NULL, format, args);
	va_end(args);
}

void lint_say_class(struct lint *l, enum lint_kind kind, uint32_t word, uint32_t class_id,
		    const char *format, ...)
{
	va_list args;

	va_start(args, format);
	say(l, kind, word, lint_page(class_id), format, args);
	va_end(args);
}

/* ---- buffers ---- */

void lint_use_buffer(struct lint *l, uint32_t word, uint32_t buffer, const char *what)
{
	uint32_t i;

	if (l->raw)
		return;
	for (i = 0; i < l->buffer_count && l->buffers[i].buffer != buffer; i++)
		;
	if (i < l->buffer_count) {
		l->used[i] = 1;
		return;
	}
	lint_say(l, LINT_ERROR, word,
		 "the batch does not list buffer %u of %s: its use is DRM_NV3_FAULT_PAGE", buffer,
		 what);
}

static bool uses_address_space(const struct lint *l)
{
	const struct stream_object *object;

	for (object = l->channel->objects; object; object = object->next) {
		if (object->class_id == NV3_CLASS_PROGRAMS)
			return true;
	}
	return false;
}

/*
 * Reports listed buffers that no object uses. Does not check batches that use an address space,
 * because the buffers that are mapped there need not belong to an object.
 */
static void check_unused_buffers(struct lint *l)
{
	uint32_t i;

	if (uses_address_space(l))
		return;
	for (i = 0; i < l->buffer_count; i++) {
		if (!l->used[i])
			lint_say(l, LINT_WASTE, 0,
				 "the batch lists buffer %u, which no object of its methods accesses: other clients of the buffer wait in vain",
				 l->buffers[i].buffer);
	}
}

/* ---- objects ---- */

/*
 * Writes a hint to @text if the class of another subchannel's object has the method, because the
 * program may have used the wrong subchannel.
 */
static void print_hint(struct lint *l, const struct stream_method *m, char *text, size_t size)
{
	char name[NV3_NAMES_TEXT];
	unsigned int i;

	*text = 0;
	for (i = 0; i < STREAM_SUBCHANNELS; i++) {
		const struct stream_object *object = l->channel->bound[i];
		const struct nv3_class_names *class =
			object ? nv3_names_class(object->class_id) : NULL;

		if (!class || i == m->subch || !nv3_names_method(class, m->mthd))
			continue;
		nv3_names_print_method(class, m->mthd, name, sizeof(name));
		snprintf(text, size, " (subchannel %u has an object of class %s, where it is %s)", i,
			 class->name, name);
		return;
	}
}

static void print_methods(const struct nv3_class_names *class, char *text, size_t size)
{
	char methods[LIST_TEXT];

	nv3_names_list_methods(class, methods, sizeof(methods));
	snprintf(text, size, ". It has %s", *methods ? methods : "no methods of its own");
}

/*
 * Records whether the object of a subchannel is unknown. Returns true if the state is the same as
 * before.
 */
static bool mark_unknown(struct lint *l, uint32_t subch, bool unknown)
{
	const uint32_t bit = 1u << subch;
	const bool before = l->unknown_subchs & bit;

	l->unknown_subchs = unknown ? l->unknown_subchs | bit : l->unknown_subchs & ~bit;
	return before == unknown;
}

static void check_bind(struct lint *l, const struct stream_method *m)
{
	mark_unknown(l, m->subch, !m->object);
	if (!m->object && l->raw)
		lint_say(l, LINT_ERROR, m->word,
			 "the class of handle 0x%x is not known: name it with --object 0x%x=CLASS",
			 m->data, m->data);
	else if (!m->object)
		lint_say(l, LINT_ERROR, m->word,
			 "no object has the handle 0x%x: this is DRM_NV3_FAULT_NAME", m->data);
	else if (m->object->class_id == DRM_NV3_CLASS_DMA)
		lint_say(l, LINT_ERROR, m->word,
			 "a DMA object can't be bound to a subchannel: other objects name it in their arguments");
	if (m->subch == DRIVER_SUBCH)
		lint_say(l, LINT_ERROR, m->word,
			 "the driver uses subchannel %u between batches: bind to subchannels 0 to %u",
			 m->subch, DRIVER_SUBCH - 1);
}

/* Writes the names of an enumeration's values to @text, which has @size bytes. */
static void print_names(const struct nv3_field *field, char *text, size_t size)
{
	const struct nv3_value_name *name;

	*text = 0;
	for (name = field->values; name->name; name++)
		nv3_names_list_add(text, size, name->name);
}

/*
 * Checks the enumerations in a method's argument. The chip accepts only values that have a name
 * (test_names.c of the chip core checks this). State of class PROGRAMS is an exception: the chip
 * checks a value only when the value is used (lint_programs.c).
 */
static void check_values(struct lint *l, const struct stream_method *m,
			 const struct nv3_class_names *class, const struct nv3_word *word)
{
	char method[NV3_NAMES_TEXT], names[LIST_TEXT];
	const struct nv3_field *field;

	if (word->software || (class->id == NV3_CLASS_PROGRAMS && m->mthd != NV3_PM_BEGIN_END))
		return;
	for (field = word->fields; field && field->bits; field++) {
		const uint32_t mask = field->bits == 32 ? UINT32_MAX : (1u << field->bits) - 1;
		const uint32_t value = m->data >> field->shift & mask;

		if (field->kind != NV3_FIELD_ENUM || nv3_names_value(field, value))
			continue;
		nv3_names_print_method(class, m->mthd, method, sizeof(method));
		print_names(field, names, sizeof(names));
		lint_say_class(l, LINT_ERROR, m->word, class->id,
			       "%s %s%s%s has no value 0x%x: this is DRM_NV3_FAULT_DATA. It has %s",
			       class->name, method, field->name ? " " : "",
			       field->name ? field->name : "", value, names);
	}
}

static void check_method(struct lint *l, const struct stream_method *m)
{
	const struct nv3_word *word;
	const struct nv3_class_names *class;
	char hint[2 * NV3_NAMES_TEXT];

	if (m->mthd == NV3_MTHD_OBJECT) {
		check_bind(l, m);
		return;
	}
	if (!m->object && l->raw) {
		if (!mark_unknown(l, m->subch, true))
			lint_say(l, LINT_ERROR, m->word,
				 "the class on subchannel %u is not known: name it with --bind %u=CLASS",
				 m->subch, m->subch);
		return;
	}
	if (!m->object) {
		lint_say(l, LINT_ERROR, m->word,
			 "method 0x%04x has no object: bind one to subchannel %u with method 0",
			 m->mthd, m->subch);
		return;
	}
	class = nv3_names_class(m->object->class_id);
	if (!class) {
		lint_say(l, LINT_ERROR, m->word, "there is no class 0x%02x", m->object->class_id);
		return;
	}
	word = nv3_names_method(class, m->mthd);
	if (word) {
		check_values(l, m, class, word);
		return;
	}
	print_hint(l, m, hint, sizeof(hint));
	if (!*hint)
		print_methods(class, hint, sizeof(hint));
	lint_say_class(l, LINT_ERROR, m->word, class->id,
		       "class %s has no method 0x%04x: this is DRM_NV3_FAULT_METHOD%s", class->name,
		       m->mthd, hint);
}

/* ---- words ---- */

static void check_stream(struct lint *l, const struct stream_batch *batch, const uint32_t *words,
			 uint32_t count)
{
	if (batch->bad_word == UINT32_MAX)
		return;
	if (batch->missing)
		lint_say(l, LINT_ERROR, batch->bad_word,
			 "the header announces %u arguments more than the batch has: this is DRM_NV3_FAULT_STREAM",
			 batch->missing);
	else
		lint_say(l, LINT_ERROR, batch->bad_word,
			 "0x%08x is not a header, because reserved bits are set: this is DRM_NV3_FAULT_STREAM",
			 words[batch->bad_word]);
}

/*
 * Counts unnecessary headers. A header is unnecessary if its first method directly follows the last
 * method of the preceding header.
 */
static uint32_t count_needless(const struct stream_batch *batch)
{
	uint32_t i, count = 0;

	for (i = 1; i < batch->count; i++) {
		const struct stream_method *a = &batch->methods[i - 1], *b = a + 1;

		count += a->header != b->header && a->subch == b->subch && a->mthd + 4 == b->mthd &&
			 a->mthd != NV3_MTHD_OBJECT;
	}
	return count;
}

static void check_size(struct lint *l, const struct stream_batch *batch, uint32_t count)
{
	uint32_t needless = count_needless(batch);

	if (!batch->count)
		lint_say(l, LINT_WASTE, 0, "the batch has no method");
	else if (count < SMALL_BATCH)
		lint_say(l, LINT_WASTE, 0,
			 "the batch has only %u words: its start, its fence and its interrupt cost more than its work, so collect methods before SUBMIT",
			 count);
	if (needless && needless * 100 >= count * HEADERS_PERCENT)
		lint_say(l, LINT_WASTE, 0,
			 "%u of %u words are headers of methods that follow the one before: one header can announce a run of methods",
			 needless, count);
}

/* ---- records ---- */

static const char *check_batch(struct lint *l, const struct capture_record *record)
{
	const struct capture_batch *head = (const struct capture_batch *)record->words;
	const uint32_t *words = record->words + 4 + head->buffer_count * 2;
	struct lint_state *state;
	struct stream_batch batch;
	uint32_t i;

	l->batch++;
	l->channel = stream_find_channel(&l->model, head->file, head->channel);
	l->buffers = (const struct capture_pair *)(head + 1);
	l->buffer_count = head->buffer_count;
	free(l->used);
	l->used = calloc(head->buffer_count + 1, 1);
	if (!l->channel->data)
		l->channel->data = lint_state_new();
	state = l->channel->data;
	if (!l->used || !state || !stream_split(l->channel, words, head->word_count, &batch))
		return "out of memory";

	lint_state_begin(state);
	check_size(l, &batch, head->word_count);
	for (i = 0; i < batch.count; i++) {
		check_method(l, &batch.methods[i]);
		lint_state_method(l, state, &batch.methods[i]);
	}
	check_stream(l, &batch, words, head->word_count);
	lint_state_end(l, state);
	check_unused_buffers(l);
	l->methods += batch.count;
	free(batch.methods);
	return NULL;
}

const char *lint_record(struct lint *l, const struct capture_record *record)
{
	const char *message = stream_record(&l->model, record);

	if (message)
		return message;
	if (record->type == CAPTURE_MEMORY)
		l->changes++;
	return record->type == CAPTURE_BATCH ? check_batch(l, record) : NULL;
}

void lint_init(struct lint *l, const char *name)
{
	memset(l, 0, sizeof(*l));
	l->name = name;
	l->model.free_data = lint_state_free;
}

void lint_fini(struct lint *l)
{
	stream_free(&l->model);
	free(l->used);
}
