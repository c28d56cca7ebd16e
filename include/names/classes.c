/* SPDX-License-Identifier: MIT */
/* The table of classes, and functions that find classes, methods and registers. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "tables.h"

/* Methods of every class whose objects can be bound to a subchannel */
const struct nv3_word nv3_methods_object[] = {
	NV3_W("OBJECT", 0x000, NULL), NV3_W_END
};

/* Methods of every class of PGRAPH. The chip traps on SET_NOTIFY_DMA. */
const struct nv3_word nv3_methods_hardware[] = {
	NV3_W("NOTIFY", 0x104, nv3_format_unsigned),
	NV3_W_SOFTWARE("SET_NOTIFY_DMA", 0x180),
	NV3_W_END
};

/* Classes SEMAPHORE and FLIP of the resource manager (nv3_class.h) */
static const struct nv3_word semaphore_methods[] = {
	NV3_W("ACQUIRE", 0x300, nv3_format_unsigned),
	NV3_W("RELEASE", 0x304, nv3_format_unsigned),
	NV3_W_END
};

static const struct nv3_word flip_methods[] = {
	NV3_W("WAIT", 0x300, nv3_format_unsigned),
	NV3_W("FLIP", 0x304, nv3_format_unsigned),
	NV3_W_END
};

static const struct nv3_word no_methods[] = { NV3_W_END };

#define HARDWARE(label, number, list) \
	{ .name = (label), .id = (number), .hardware = true, .methods = (list) }
#define SOFTWARE(label, number, list) \
	{ .name = (label), .id = (number), .methods = (list) }

const struct nv3_class_names nv3_names_classes[] = {
	HARDWARE("BETA", 0x01, nv3_methods_beta),
	HARDWARE("ROP", 0x02, nv3_methods_rop),
	HARDWARE("CHROMA", 0x03, nv3_methods_chroma),
	HARDWARE("PLANE", 0x04, nv3_methods_plane),
	HARDWARE("CLIP", 0x05, nv3_methods_clip),
	HARDWARE("PATTERN", 0x06, nv3_methods_pattern),
	HARDWARE("RECT", 0x07, nv3_methods_rect),
	HARDWARE("POINT", 0x08, nv3_methods_point),
	HARDWARE("LINE", 0x09, nv3_methods_line),
	HARDWARE("LIN", 0x0a, nv3_methods_line),
	HARDWARE("TRI", 0x0b, nv3_methods_tri),
	HARDWARE("GDI", 0x0c, nv3_methods_gdi),
	HARDWARE("M2MF", 0x0d, nv3_methods_m2mf),
	HARDWARE("SIFM", 0x0e, nv3_methods_sifm),
	HARDWARE("BLIT", 0x10, nv3_methods_blit),
	HARDWARE("IFC", 0x11, nv3_methods_ifc),
	HARDWARE("BITMAP", 0x12, nv3_methods_bitmap),
	HARDWARE("ITM", 0x14, nv3_methods_itm),
	HARDWARE("SIFC", 0x15, nv3_methods_sifc),
	HARDWARE("D3D", 0x17, nv3_methods_d3d),
	HARDWARE("ZPOINT", 0x18, nv3_methods_zpoint),
	HARDWARE("SURFACE", 0x1c, nv3_methods_surface),
	HARDWARE("PROGRAMS", 0x1f, nv3_methods_programs),
	/* Numbers: nv3_drm.h */
	SOFTWARE("DMA", 0x3d, no_methods),
	SOFTWARE("SEMAPHORE", 0x40, semaphore_methods),
	SOFTWARE("FLIP", 0x41, flip_methods),
	{ .name = NULL }
};

const struct nv3_class_names *nv3_names_class(uint32_t id)
{
	const struct nv3_class_names *class;

	for (class = nv3_names_classes; class->name; class++) {
		if (class->id == id)
			return class;
	}
	return NULL;
}

const struct nv3_class_names *nv3_names_find_class(const char *name)
{
	const struct nv3_class_names *class;

	for (class = nv3_names_classes; class->name; class++) {
		if (!strcasecmp(class->name, name))
			return class;
	}
	return NULL;
}

/* ---- offset to name ---- */

/*
 * Sets @index to the indices of the array element at @offset. Returns false if the array @word has
 * no element at @offset.
 */
static bool has_offset(const struct nv3_word *word, uint32_t offset, unsigned int index[2])
{
	uint32_t rest = offset - word->offset;
	unsigned int i;

	if (offset < word->offset)
		return false;
	for (i = 0; i < 2 && word->index[i].count; i++) {
		index[i] = rest / word->index[i].stride;
		rest %= word->index[i].stride;
		if (index[i] >= word->index[i].count)
			return false;
	}
	return rest == 0;
}

static const struct nv3_word *find_offset(const struct nv3_word *words, uint32_t offset)
{
	unsigned int index[2];

	for (; words->name; words++) {
		if (has_offset(words, offset, index))
			return words;
	}
	return NULL;
}

static void print_name(const struct nv3_word *word, uint32_t offset, char *text, size_t size)
{
	unsigned int index[2] = { 0, 0 };

	if (!word) {
		snprintf(text, size, "0x%04x", offset);
		return;
	}
	has_offset(word, offset, index);
	if (word->index[1].count)
		snprintf(text, size, "%s(%u,%u)", word->name, index[0], index[1]);
	else if (word->index[0].count)
		snprintf(text, size, "%s(%u)", word->name, index[0]);
	else
		snprintf(text, size, "%s", word->name);
}

/* ---- name to offset ---- */

/*
 * Parses the array indices in @text, such as "(1,2)", and sets @offset to the offset of
 * the element with these indices. Returns false if the number of indices is wrong, or if
 * an index is too large.
 */
static bool read_indices(const struct nv3_word *word, const char *text, uint32_t *offset)
{
	const char *before = "(";
	unsigned int i;

	*offset = word->offset;
	for (i = 0; i < 2 && word->index[i].count; i++) {
		unsigned long index;
		char *end;

		if (*text != *before || text[1] < '0' || text[1] > '9')
			return false;
		index = strtoul(text + 1, &end, 10);
		if (index >= word->index[i].count)
			return false;
		*offset += index * word->index[i].stride;
		text = end;
		before = ",";
	}
	return i ? !strcmp(text, ")") : !*text;
}

static bool find_name(const struct nv3_word *words, const char *name, uint32_t *offset)
{
	size_t length = strcspn(name, "(");

	for (; words->name; words++) {
		if (strlen(words->name) == length && !strncasecmp(words->name, name, length) &&
		    read_indices(words, name + length, offset))
			return true;
	}
	return false;
}

/* ---- methods and registers ---- */

const struct nv3_word *nv3_names_method(const struct nv3_class_names *class, uint32_t offset)
{
	const struct nv3_word *word = find_offset(nv3_methods_object, offset);

	if (!word && class)
		word = find_offset(class->methods, offset);
	if (!word && (!class || class->hardware))
		word = find_offset(nv3_methods_hardware, offset);
	return word;
}

bool nv3_names_find_method(const struct nv3_class_names *class, const char *name, uint32_t *offset)
{
	return find_name(nv3_methods_object, name, offset) ||
	       (class && find_name(class->methods, name, offset)) ||
	       ((!class || class->hardware) && find_name(nv3_methods_hardware, name, offset));
}

void nv3_names_print_method(const struct nv3_class_names *class, uint32_t offset, char *text,
			    size_t size)
{
	print_name(nv3_names_method(class, offset), offset, text, size);
}

const struct nv3_word *nv3_names_register(uint32_t offset)
{
	return find_offset(nv3_names_registers, offset);
}

bool nv3_names_find_register(const char *name, uint32_t *offset)
{
	return find_name(nv3_names_registers, name, offset);
}

void nv3_names_print_register(uint32_t offset, char *text, size_t size)
{
	print_name(nv3_names_register(offset), offset, text, size);
}
