/* SPDX-License-Identifier: MIT */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "assemble.h"

#define INSN_WORDS	4
#define NAME_MAX	8
#define SWIZZLE_XYZW	{ 0, 1, 2, 3 }
#define R0_XYZW		(1 | 0x1bu << 6)	/* source field of a vertex program: R0 */

struct operand {
	char bank;		/* letter of a register; k: constant in braces; 0: no operand */
	uint32_t number;
	uint8_t swizzle[4];
	uint32_t mask;		/* write mask: bit 0 is x */
	bool negate;
	float constant[4];
};

struct insn {
	char name[NAME_MAX];
	bool saturate, expand;
	struct operand dst;
	struct operand src[3];
	uint32_t sources;
};

struct op {
	const char *name;
	uint8_t code, sources;
};

/* Opcodes of the NV2A (docs/reference/chip/programs.md). */
static const struct op vector_ops[] = {
	{ "MOV", 1, 1 }, { "MUL", 2, 2 }, { "ADD", 3, 2 }, { "MAD", 4, 3 }, { "DP3", 5, 2 },
	{ "DPH", 6, 2 }, { "DP4", 7, 2 }, { "MIN", 9, 2 }, { "MAX", 10, 2 }, { "SLT", 11, 2 },
	{ "SGE", 12, 2 }, { 0 }
};

static const struct op scalar_ops[] = {
	{ "RCP", 2, 1 }, { "RSQ", 4, 1 }, { 0 }
};

/* Opcodes of the GeForce 6 (docs/reference/chip/fragment.md). */
static const struct op fragment_ops[] = {
	{ "MOV", 0x01, 1 }, { "MUL", 0x02, 2 }, { "ADD", 0x03, 2 }, { "MAD", 0x04, 3 },
	{ "DP3", 0x05, 2 }, { "DP4", 0x06, 2 }, { "MIN", 0x08, 2 }, { "MAX", 0x09, 2 },
	{ "TEX", 0x17, 1 }, { "RCP", 0x1a, 1 }, { "RSQ", 0x1b, 1 }, { "EX2", 0x1c, 1 },
	{ "LG2", 0x1d, 1 }, { "LRP", 0x1f, 3 }, { "POW", 0x26, 2 }, { "NRM", 0x39, 1 },
	{ 0 }
};

/* ---- text ---- */

static void skip(const char **at)
{
	while (**at == ' ' || **at == '\t')
		(*at)++;
}

static bool accept(const char **at, char c)
{
	skip(at);
	if (**at != c)
		return false;
	(*at)++;
	return true;
}

/* Returns 0 to 3 for x, y, z or w, or -1 for any other character. */
static int component(char c)
{
	return c == 'w' ? 3 : c >= 'x' && c <= 'z' ? c - 'x' : -1;
}

/* Parses a write mask or a swizzle. A swizzle is extended by repeating its last component. */
static bool parse_components(const char **at, struct operand *o)
{
	uint32_t count = 0, i;

	o->mask = 0;
	for (; count < 4 && component(**at) >= 0; (*at)++) {
		o->swizzle[count++] = component(**at);
		o->mask |= 1u << component(**at);
	}
	for (i = count; count && i < 4; i++)
		o->swizzle[i] = o->swizzle[count - 1];
	return count;
}

static bool parse_constant(const char **at, struct operand *o)
{
	char *end;
	int i;

	o->bank = 'k';
	for (i = 0; i < 4; i++) {
		if (i && !accept(at, ','))
			return false;
		o->constant[i] = strtof(*at, &end);
		if (end == *at)
			return false;
		*at = end;
	}
	return accept(at, '}');
}

static bool parse_operand(const char **at, struct operand *o)
{
	char *end;

	*o = (struct operand){ .swizzle = SWIZZLE_XYZW, .mask = 0xf };
	o->negate = accept(at, '-');
	if (accept(at, '{'))
		return parse_constant(at, o);
	if (!strchr("rvcoft", **at) || !**at)
		return false;
	o->bank = *(*at)++;
	if (**at < '0' || **at > '9')
		return false;
	o->number = strtoul(*at, &end, 10);
	*at = end;
	if (**at == '.') {
		(*at)++;
		return parse_components(at, o);
	}
	return true;
}

static bool parse_name(const char **at, struct insn *insn)
{
	uint32_t length = 0;

	for (; (**at >= 'A' && **at <= 'Z') || (**at >= '0' && **at <= '9'); (*at)++) {
		if (length == NAME_MAX - 1)
			return false;
		insn->name[length++] = **at;
	}
	insn->name[length] = '\0';
	if (!strncmp(*at, "_SAT", 4)) {
		insn->saturate = true;
		*at += 4;
	} else if (!strncmp(*at, "_BX2", 4)) {
		insn->expand = true;
		*at += 4;
	}
	return length;
}

static bool ends(const char **at)
{
	skip(at);
	return **at == '\0' || **at == '\n' || **at == '#';
}

/* Parses a line that contains an instruction. */
static bool parse_line(const char **at, struct insn *insn)
{
	memset(insn, 0, sizeof(*insn));
	if (!parse_name(at, insn) || !parse_operand(at, &insn->dst))
		return false;
	while (accept(at, ',')) {
		if (insn->sources == 3 || !parse_operand(at, &insn->src[insn->sources++]))
			return false;
	}
	return ends(at);
}

static const struct op *find(const struct op *ops, const char *name)
{
	while (ops->name && strcmp(ops->name, name))
		ops++;
	return ops->name ? ops : NULL;
}

/* ---- vertex programs ---- */

/* Stores @value at bit @first of the instruction. Bit 0 is the lowest bit of the last word. */
static void put(uint32_t *words, uint32_t first, uint32_t value)
{
	uint32_t *word = &words[INSN_WORDS - 1 - first / 32];

	*word |= value << first % 32;
	if (first % 32 && value >> (32 - first % 32))
		word[-1] |= value >> (32 - first % 32);
}

static uint32_t reversed_mask(uint32_t mask)
{
	return (mask & 1) << 3 | (mask & 2) << 1 | (mask & 4) >> 1 | (mask & 8) >> 3;
}

/*
 * Stores the number of an attribute or of a constant. An instruction has one field for the number
 * of its attribute, and one for the number of its constant. @before is the number in the field, or
 * negative if the field is unused. Returns false if the field already has another number.
 */
static bool put_number(uint32_t *words, uint32_t first, uint32_t number, int32_t *before)
{
	if (*before >= 0)
		return *before == (int32_t)number;
	*before = number;
	put(words, first, number);
	return true;
}

static bool encode_vertex(const struct insn *insn, uint32_t *words)
{
	static const uint8_t first_bit[3] = { 58, 43, 28 };
	/*
	 * The source field of each operand. The initial values are those of MAD. ADD and the scalar
	 * operations use other fields.
	 */
	uint8_t place[3] = { 0, 1, 2 };
	const struct op *vector = find(vector_ops, insn->name);
	const struct op *op = vector ? vector : find(scalar_ops, insn->name);
	int32_t attribute = -1, constant = -1;
	uint32_t unused = 7, i;

	if (!op || op->sources != insn->sources || insn->saturate || insn->expand)
		return false;
	if (!vector)
		place[0] = 2;
	else if (!strcmp(op->name, "ADD"))
		place[1] = 2;
	for (i = 0; i < insn->sources; i++) {
		const struct operand *o = &insn->src[i];
		const uint32_t bit = first_bit[place[i]];

		unused &= ~(1u << place[i]);
		if (o->bank == 'r' && o->number < 12)
			put(words, bit, 1 | o->number << 2);
		else if (o->bank == 'v' && o->number < 16 &&
			 put_number(words, 73, o->number, &attribute))
			put(words, bit, 2);
		else if (o->bank == 'c' && o->number < 192 &&
			 put_number(words, 77, o->number, &constant))
			put(words, bit, 3);
		else
			return false;
		put(words, bit + 6, o->swizzle[3] | o->swizzle[2] << 2 |
		    o->swizzle[1] << 4 | o->swizzle[0] << 6);
		put(words, bit + 14, o->negate);
	}
	for (i = 0; i < 3; i++) {
		if (unused & 1u << i)
			put(words, first_bit[i], R0_XYZW);
	}
	put(words, vector ? 85 : 89, op->code);
	if (insn->dst.bank == 'o' && insn->dst.number < 19) {
		put(words, 12, reversed_mask(insn->dst.mask));
		put(words, 11, 1);
		put(words, 3, insn->dst.number);
		put(words, 2, !vector);
		return true;
	}
	put(words, 20, insn->dst.number);
	put(words, vector ? 24 : 16, reversed_mask(insn->dst.mask));
	return insn->dst.bank == 'r' && insn->dst.number < 12 && !insn->dst.negate;
}

/* ---- fragment programs ---- */

/*
 * Returns the number of encoded words: 4, or 8 with a constant. Returns 0 for an invalid
 * instruction.
 */
static uint32_t encode_fragment(const struct insn *insn, uint32_t *words)
{
	const struct op *op = find(fragment_ops, insn->name);
	const uint32_t texture = op && !strcmp(op->name, "TEX");
	const struct operand *unit = &insn->src[1];
	int32_t input = -1;
	bool has_constant = false;
	uint32_t i, c;

	if (!op || insn->sources != op->sources + texture || insn->dst.bank != 'r' ||
	    insn->dst.number > 47 || insn->dst.negate || (insn->expand && !texture) ||
	    (texture && (unit->bank != 't' || unit->number > 15)))
		return 0;
	words[0] = (uint32_t)op->code << 24 | insn->dst.number << 1 | insn->dst.mask << 9 |
		   (texture ? unit->number << 17 : 0) | (uint32_t)insn->expand << 21 |
		   (uint32_t)insn->saturate << 31;
	words[1] = 7u << 18 | 0xe4u << 21;	/* no condition */
	for (i = 0; i < 3; i++) {
		const struct operand none = { .bank = 'f', .number = input < 0 ? 0 : input,
					      .swizzle = SWIZZLE_XYZW };
		const struct operand *o = i < op->sources ? &insn->src[i] : &none;

		if (o->bank == 'r' && o->number < 48) {
			words[1 + i] |= o->number << 2;
		} else if (o->bank == 'f' && o->number < 15 &&
			   (o == &none || input < 0 || input == (int32_t)o->number)) {
			words[1 + i] |= 1;
			input = o == &none ? input : (int32_t)o->number;
		} else if (o->bank == 'k' &&
			   (!has_constant || !memcmp(words + 4, o->constant, 16))) {
			words[1 + i] |= 2;
			has_constant = true;
			memcpy(words + 4, o->constant, sizeof(o->constant));
		} else {
			return 0;
		}
		for (c = 0; c < 4; c++)
			words[1 + i] |= (uint32_t)o->swizzle[c] << (9 + 2 * c);
		words[1 + i] |= (uint32_t)o->negate << 17;
	}
	words[0] |= (input < 0 ? 0 : input) << 13;
	return has_constant ? 2 * INSN_WORDS : INSN_WORDS;
}

/* ---- programs ---- */

static int assemble(const char *at, uint32_t *words, uint32_t max, bool fragment)
{
	uint32_t count = 0, last = 0;
	int line = 1;

	for (; *at; line++) {
		uint32_t encoded[2 * INSN_WORDS] = { 0 }, length;
		struct insn insn;

		if (!ends(&at)) {
			if (!parse_line(&at, &insn))
				return -line;
			length = fragment ? encode_fragment(&insn, encoded) :
				 encode_vertex(&insn, encoded) ? INSN_WORDS : 0;
			if (!length || length > max - count)
				return -line;
			memcpy(words + count, encoded, length * sizeof(*words));
			last = count;
			count += length;
		}
		at = strchr(at, '\n');
		if (!at)
			break;
		at++;
	}
	if (!count)
		return -line;
	/* Set the bit that marks the last instruction. */
	words[fragment ? last : last + 3] |= 1;
	return count;
}

int assemble_vertex(const char *text, uint32_t *words, uint32_t max)
{
	return assemble(text, words, max, false);
}

int assemble_fragment(const char *text, uint32_t *words, uint32_t max)
{
	return assemble(text, words, max, true);
}
