/* SPDX-License-Identifier: MIT */
/* Prints the tables of names as text, which the web page reads. */
#include "page.h"

#include <inttypes.h>
#include <stdio.h>

#include "nv3_names.h"
#include "nv3_regs.h"

static void print_field(const struct nv3_field *field)
{
	static const char *const kinds[] = {
		[NV3_FIELD_HEX] = "hexadecimal", [NV3_FIELD_UNSIGNED] = "unsigned",
		[NV3_FIELD_SIGNED] = "signed", [NV3_FIELD_UFIXED] = "unsigned fixed point",
		[NV3_FIELD_FIXED] = "signed fixed point", [NV3_FIELD_FLOAT] = "float",
		[NV3_FIELD_FLAG] = "flag", [NV3_FIELD_ENUM] = "one of",
	};
	const struct nv3_value_name *value;

	printf("\t%s|%u|%u|%s", field->name ? field->name : "", field->shift, field->bits,
	       kinds[field->kind]);
	for (value = field->values; value && value->name; value++)
		printf("|%s", value->name);
}

static void print_method(const struct nv3_word *word)
{
	unsigned int first = word->index[0].count ? word->index[0].count : 1;
	unsigned int second = word->index[1].count ? word->index[1].count : 1;
	const struct nv3_field *field;

	printf("method\t%04" PRIx32 "\t%u\t%s", word->offset, first * second, word->name);
	for (field = word->fields; field && field->bits; field++)
		print_field(field);
	putchar('\n');
}

/* Prints the methods that all classes share. */
static void print_shared(void)
{
	const struct nv3_word *word;
	uint32_t offset;

	printf("class\tall classes\t\n");
	for (offset = 0; offset <= NV3_FIFO_ADDR_MTHD; offset += 4) {
		word = nv3_names_method(NULL, offset);
		if (word && word->offset == offset)
			print_method(word);
	}
}

void page_names(void)
{
	const struct nv3_class_names *class;
	const struct nv3_word *word;

	print_shared();
	for (class = nv3_names_classes; class->name; class++) {
		if (!class->hardware)
			continue;
		printf("class\t%s\t%02" PRIx32 "\n", class->name, class->id);
		for (word = class->methods; word->name; word++)
			print_method(word);
	}
	fflush(stdout);
}
