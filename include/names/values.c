/* SPDX-License-Identifier: MIT */
/*
 * Conversion of values to text and back. nv3_names_parse_value() restores exactly the
 * value that nv3_names_print_value() has printed. Bits outside the fields are therefore
 * printed as "rest=0x...". NaNs and infinities are printed in hexadecimal. Fractions are
 * printed with all digits that are needed to restore the value.
 */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "tables.h"

#define REST	"rest"

static uint32_t mask_of(const struct nv3_field *field)
{
	return field->bits == 32 ? UINT32_MAX : (1u << field->bits) - 1;
}

static int32_t sign_extend(const struct nv3_field *field, uint32_t value)
{
	uint32_t sign = 1u << (field->bits - 1);

	return (int32_t)((value ^ sign) - sign);
}

static bool is_single(const struct nv3_field *fields)
{
	return fields && !fields->name;
}

/* ---- printing ---- */

struct text {
	char *at;
	size_t left;
};

static void __attribute__((format(printf, 2, 3)))
append(struct text *text, const char *format, ...)
{
	va_list args;
	int length;

	va_start(args, format);
	length = vsnprintf(text->at, text->left, format, args);
	va_end(args);
	if (length < 0 || (size_t)length >= text->left)
		length = text->left ? text->left - 1 : 0;
	text->at += length;
	text->left -= length;
}

static void append_float(struct text *text, uint32_t value)
{
	float f;

	memcpy(&f, &value, sizeof(f));
	if (isfinite(f))
		append(text, "%.9g", f);
	else
		append(text, "0x%08x", value);
}

static void append_fixed(struct text *text, int32_t value, bool is_signed, unsigned int fraction)
{
	double d = ldexp(is_signed ? value : (double)(uint32_t)value, -(int)fraction);
	char digits[64];
	unsigned int n;

	for (n = 0; n <= fraction; n++) {
		snprintf(digits, sizeof(digits), "%.*f", n, d);
		if (strtod(digits, NULL) == d)
			break;
	}
	append(text, "%s", digits);
}

const char *nv3_names_value(const struct nv3_field *field, uint32_t value)
{
	const struct nv3_value_name *name;

	for (name = field->values; name->name; name++) {
		if (name->value == value)
			return name->name;
	}
	return NULL;
}

static void append_enum(struct text *text, const struct nv3_field *field, uint32_t value)
{
	const char *name = nv3_names_value(field, value);

	if (name)
		append(text, "%s", name);
	else
		append(text, "0x%x", value);
}

static void append_field(struct text *text, const struct nv3_field *field, uint32_t value)
{
	switch (field->kind) {
	case NV3_FIELD_HEX:
		append(text, "0x%x", value);
		break;
	case NV3_FIELD_UNSIGNED:
	case NV3_FIELD_FLAG:
		append(text, "%u", value);
		break;
	case NV3_FIELD_SIGNED:
		append(text, "%d", sign_extend(field, value));
		break;
	case NV3_FIELD_UFIXED:
		append_fixed(text, value, false, field->fraction);
		break;
	case NV3_FIELD_FIXED:
		append_fixed(text, sign_extend(field, value), true, field->fraction);
		break;
	case NV3_FIELD_FLOAT:
		append_float(text, value);
		break;
	case NV3_FIELD_ENUM:
		append_enum(text, field, value);
		break;
	}
}

static void append_fields(struct text *text, const struct nv3_field *fields, uint32_t value)
{
	const char *space = "";

	for (; fields->bits; fields++) {
		uint32_t part = value >> fields->shift & mask_of(fields);

		value &= ~(mask_of(fields) << fields->shift);
		if (fields->kind == NV3_FIELD_FLAG && !part)
			continue;
		append(text, "%s%s", space, fields->name);
		if (fields->kind != NV3_FIELD_FLAG) {
			append(text, "=");
			append_field(text, fields, part);
		}
		space = " ";
	}
	if (value)
		append(text, "%s" REST "=0x%x", space, value);
	else if (!*space)
		append(text, "0");
}

void nv3_names_print_value(const struct nv3_field *fields, uint32_t value, char *text, size_t size)
{
	struct text to = { text, size };

	if (!fields)
		append(&to, "0x%08x", value);
	else if (is_single(fields) && value & ~(mask_of(fields) << fields->shift))
		append(&to, "0x%08x", value);
	else if (is_single(fields))
		append_field(&to, fields, value >> fields->shift & mask_of(fields));
	else
		append_fields(&to, fields, value);
}

/* ---- reading ---- */

struct reader {
	const struct nv3_field *fields;
	uint32_t value;
	char *error;
	size_t error_size;
};

static bool __attribute__((format(printf, 2, 3)))
fail(struct reader *reader, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(reader->error, reader->error_size, format, args);
	va_end(args);
	return false;
}

static bool is_hex(const char *text)
{
	return text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
}

/*
 * Reads an integer of at most 32 bits, signed or unsigned. Returns false if @text is not such an
 * integer.
 */
static bool read_integer(const char *text, int64_t *value)
{
	char *end;

	*value = strtoll(text, &end, 0);
	return *text && !*end && *value >= INT32_MIN && *value <= UINT32_MAX;
}

static bool read_enum(const struct nv3_field *field, const char *text, int64_t *value)
{
	const struct nv3_value_name *name;

	for (name = field->values; name->name; name++) {
		if (!strcasecmp(name->name, text)) {
			*value = name->value;
			return true;
		}
	}
	return read_integer(text, value);
}

static bool read_fraction(const struct nv3_field *field, const char *text, int64_t *value)
{
	double d;
	char *end;

	d = strtod(text, &end);
	if (!*text || *end || !isfinite(d))
		return false;
	d = round(ldexp(d, field->fraction));
	*value = d < INT32_MIN || d > UINT32_MAX ? INT64_MAX : (int64_t)d;
	return true;
}

static bool read_float(const char *text, int64_t *value)
{
	uint32_t bits;
	char *end;
	float f;

	f = strtof(text, &end);
	memcpy(&bits, &f, sizeof(bits));
	*value = bits;
	return *text && !*end;
}

static bool read_number(const struct nv3_field *field, const char *text, int64_t *value)
{
	if (field->kind == NV3_FIELD_ENUM)
		return read_enum(field, text, value);
	if (is_hex(text))
		return read_integer(text, value);
	if (field->kind == NV3_FIELD_FLOAT)
		return read_float(text, value);
	if (field->kind == NV3_FIELD_FIXED || field->kind == NV3_FIELD_UFIXED)
		return read_fraction(field, text, value);
	return read_integer(text, value);
}

/*
 * A signed field accepts a negative number either with its sign or as the unsigned number with the
 * same bits.
 */
static bool is_in_range(const struct nv3_field *field, int64_t value)
{
	bool is_signed = field->kind == NV3_FIELD_SIGNED || field->kind == NV3_FIELD_FIXED;

	return value >= (is_signed ? -(1ll << (field->bits - 1)) : 0) &&
	       value <= (int64_t)mask_of(field);
}

/* Returns the suffix of the error message for @unknown, which is not a value of @field. */
static const char *hint_value(struct nv3_names_hint *hint, const struct nv3_field *field,
			      const char *unknown)
{
	const struct nv3_value_name *name;

	nv3_names_hint_begin(hint, unknown);
	for (name = field->values; name && name->name; name++)
		nv3_names_hint_add(hint, name->name);
	return nv3_names_hint_text(hint);
}

static const char *hint_field(struct nv3_names_hint *hint, const struct nv3_field *field,
			      const char *unknown)
{
	nv3_names_hint_begin(hint, unknown);
	for (; field->bits; field++)
		nv3_names_hint_add(hint, field->name);
	return nv3_names_hint_text(hint);
}

static bool set_field(struct reader *reader, const struct nv3_field *field, const char *text)
{
	const char *name = field->name ? field->name : "the value";
	struct nv3_names_hint hint;
	int64_t value;

	if (!read_number(field, text, &value))
		return fail(reader, "%s: '%.40s' is not a value%s", name, text,
			    hint_value(&hint, field, text));
	if (!is_in_range(field, value))
		return fail(reader, "%s: '%.40s' does not fit into %u bits", name, text,
			    field->bits);
	reader->value &= ~(mask_of(field) << field->shift);
	reader->value |= ((uint32_t)value & mask_of(field)) << field->shift;
	return true;
}

static bool set_named(struct reader *reader, const char *name, const char *text)
{
	const struct nv3_field *field;
	struct nv3_names_hint hint;
	int64_t rest;

	if (text && !strcmp(name, REST)) {
		if (!read_integer(text, &rest))
			return fail(reader, REST ": '%.40s' is not a value", text);
		reader->value |= rest;
		return true;
	}
	for (field = reader->fields; field->bits; field++) {
		if (strcasecmp(field->name, name))
			continue;
		if (!text && field->kind != NV3_FIELD_FLAG)
			return fail(reader, "field %s has no value: write %s=...", name, name);
		return set_field(reader, field, text ? text : "1");
	}
	return fail(reader, "there is no field '%.40s'%s", name,
		    hint_field(&hint, reader->fields, name));
}

static bool read_word(struct reader *reader, char *word)
{
	const struct nv3_field whole = { .bits = 32, .kind = NV3_FIELD_SIGNED };
	char *equals = strchr(word, '=');
	bool number = (*word >= '0' && *word <= '9') || *word == '-' || *word == '+';

	if (!reader->fields || is_single(reader->fields)) {
		/* A hexadecimal number sets the whole word, even if the word has only one field. */
		return set_field(reader, reader->fields && !is_hex(word) ? reader->fields : &whole,
				 word);
	}
	if (number)
		return set_field(reader, &whole, word);
	if (equals)
		*equals++ = '\0';
	return set_named(reader, word, equals);
}

bool nv3_names_parse_value(const struct nv3_field *fields, const char *text, uint32_t *value,
			   char *error, size_t error_size)
{
	struct reader reader = { .fields = fields, .error = error, .error_size = error_size };
	bool single = !fields || is_single(fields);
	char copy[NV3_NAMES_TEXT], *word, *rest = copy;
	unsigned int words = 0;

	if (strlen(text) >= sizeof(copy))
		return fail(&reader, "the value has more than %zu characters", sizeof(copy) - 1);
	strcpy(copy, text);
	while ((word = strtok_r(rest, " \t", &rest))) {
		if (words++ && single)
			return fail(&reader, "one value is expected, not '%.40s' as well", word);
		if (!read_word(&reader, word))
			return false;
	}
	if (!words)
		return fail(&reader, "a value is expected");
	*value = reader.value;
	return true;
}
