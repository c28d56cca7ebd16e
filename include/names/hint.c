/* SPDX-License-Identifier: MIT */
/*
 * Messages about unknown names. A message suggests the most similar known name, or lists the known
 * names.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "tables.h"

/* Longer names are not compared. */
#define LENGTH_MAX	64u
/*
 * Two names are similar if their distance() is at most the length of the unknown name divided by
 * SIMILAR. The length excludes a prefix that both names share, such as PGRAPH_.
 */
#define SIMILAR		3u
#define COMMA		", "
#define DOTS		"..."

/* Returns the length of a name without the index "(...)" or the value "=..." */
static size_t stem_length(const char *name)
{
	return strcspn(name, "(=");
}

static unsigned int min(unsigned int a, unsigned int b)
{
	return a < b ? a : b;
}

/* Returns the Levenshtein distance between two names, ignoring case. */
static unsigned int distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
	unsigned int line[LENGTH_MAX + 1], i, j;

	for (j = 0; j <= b_length; j++)
		line[j] = j;
	for (i = 1; i <= a_length; i++) {
		unsigned int corner = line[0], above;

		line[0] = i;
		for (j = 1; j <= b_length; j++) {
			above = line[j];
			corner += toupper((unsigned char)a[i - 1]) !=
				  toupper((unsigned char)b[j - 1]);
			line[j] = min(corner, min(above, line[j - 1]) + 1);
			corner = above;
		}
	}
	return line[b_length];
}

void nv3_names_hint_begin(struct nv3_names_hint *hint, const char *unknown)
{
	memset(hint, 0, sizeof(*hint));
	hint->unknown = unknown;
}

void nv3_names_list_add(char *list, size_t size, const char *name)
{
	const size_t used = strlen(list), left = size - used;

	if (used >= sizeof(DOTS) - 1 && !strcmp(list + used - sizeof(DOTS) + 1, DOTS))
		return;
	/* Leave room for COMMA and DOTS after @name. */
	if (strlen(name) + sizeof(COMMA COMMA DOTS) > left)
		name = DOTS;
	snprintf(list + used, left, "%s%s", used ? COMMA : "", name);
}

/*
 * Ignoring case, returns the length of the longest common prefix that ends with an
 * underscore, or 0 if there is none.
 */
static size_t shared_length(const char *a, const char *b)
{
	size_t i, shared = 0;

	for (i = 0; a[i] && toupper((unsigned char)a[i]) == toupper((unsigned char)b[i]); i++) {
		if (a[i] == '_')
			shared = i + 1;
	}
	return shared;
}

/*
 * Stores @name in @hint if it is similar to the unknown name, and more similar than all earlier
 * names.
 */
static void compare(struct nv3_names_hint *hint, const char *name)
{
	const size_t a = stem_length(hint->unknown), b = stem_length(name);
	unsigned int d;

	if (a > LENGTH_MAX || b > LENGTH_MAX)
		return;
	d = distance(hint->unknown, a, name, b);
	if (d <= (a - shared_length(hint->unknown, name)) / SIMILAR &&
	    (!*hint->nearest || d < hint->distance)) {
		hint->distance = d;
		snprintf(hint->nearest, sizeof(hint->nearest), "%s", name);
	}
}

void nv3_names_hint_add(struct nv3_names_hint *hint, const char *name)
{
	compare(hint, name);
	nv3_names_list_add(hint->list, sizeof(hint->list), name);
}

const char *nv3_names_hint_text(struct nv3_names_hint *hint)
{
	/* If the distance is 0, the unknown name is an array's name without a valid index. */
	if (!hint->distance && strchr(hint->nearest, '('))
		snprintf(hint->text, sizeof(hint->text), ": choose from %s", hint->nearest);
	else if (*hint->nearest)
		snprintf(hint->text, sizeof(hint->text), ": did you mean %s?", hint->nearest);
	else if (*hint->list)
		snprintf(hint->text, sizeof(hint->text), ": choose from %s", hint->list);
	return hint->text;
}

/* ---- methods, registers and classes ---- */

static void print_index(const struct nv3_word *word, unsigned int first, unsigned int second,
			char *text, size_t size)
{
	if (word->index[1].count)
		snprintf(text, size, "%s(%u,%u)", word->name, first, second);
	else
		snprintf(text, size, "%s(%u)", word->name, first);
}

/*
 * Writes the name of a method or register. For an array, writes the names of the first and the last
 * element.
 */
static void print_range(const struct nv3_word *word, char *text, size_t size)
{
	const unsigned int count = word->index[0].count, second = word->index[1].count;
	char first[NV3_NAMES_TEXT / 2], last[NV3_NAMES_TEXT / 2];

	if (!count) {
		snprintf(text, size, "%s", word->name);
		return;
	}
	print_index(word, 0, 0, first, sizeof(first));
	print_index(word, count - 1, second ? second - 1 : 0, last, sizeof(last));
	snprintf(text, size, count > 1 || second > 1 ? "%s to %s" : "%s", first, last);
}

static void add_words(struct nv3_names_hint *hint, const struct nv3_word *words)
{
	char text[NV3_NAMES_TEXT];

	for (; words->name; words++) {
		print_range(words, text, sizeof(text));
		nv3_names_hint_add(hint, text);
	}
}

const char *nv3_names_hint_method(struct nv3_names_hint *hint, const struct nv3_class_names *class,
				  const char *unknown)
{
	nv3_names_hint_begin(hint, unknown);
	if (class)
		add_words(hint, class->methods);
	if (!class || class->hardware)
		add_words(hint, nv3_methods_hardware);
	add_words(hint, nv3_methods_object);
	return nv3_names_hint_text(hint);
}

/*
 * If no register has a similar name, the message lists the registers that share the longest prefix
 * with @unknown.
 */
const char *nv3_names_hint_register(struct nv3_names_hint *hint, const char *unknown)
{
	const struct nv3_word *word;
	char text[NV3_NAMES_TEXT];
	size_t longest = 0;

	nv3_names_hint_begin(hint, unknown);
	for (word = nv3_names_registers; word->name; word++) {
		const size_t length = shared_length(unknown, word->name);

		longest = length > longest ? length : longest;
	}
	for (word = nv3_names_registers; word->name; word++) {
		print_range(word, text, sizeof(text));
		compare(hint, text);
		if (shared_length(unknown, word->name) == longest)
			nv3_names_list_add(hint->list, sizeof(hint->list), text);
	}
	return nv3_names_hint_text(hint);
}

const char *nv3_names_hint_class(struct nv3_names_hint *hint, const char *unknown, bool hardware)
{
	const struct nv3_class_names *class;

	nv3_names_hint_begin(hint, unknown);
	for (class = nv3_names_classes; class->name; class++) {
		if (class->hardware || !hardware)
			nv3_names_hint_add(hint, class->name);
	}
	return nv3_names_hint_text(hint);
}

void nv3_names_list_methods(const struct nv3_class_names *class, char *text, size_t size)
{
	const struct nv3_word *word;
	char name[NV3_NAMES_TEXT];

	*text = '\0';
	for (word = class->methods; word->name; word++) {
		if (word->software)
			continue;
		print_range(word, name, sizeof(name));
		nv3_names_list_add(text, size, name);
	}
}
