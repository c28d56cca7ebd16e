/* SPDX-License-Identifier: MIT */
/*
 * Checks the state of class PROGRAMS. The chip checks most values only when a method uses them. At
 * BEGIN_END, the chip checks the state of primitives. At CLEAR_SURFACE, it checks the targets. At
 * INDEX_BATCH, it checks the format of indices. When a method uploads a word of a program or a
 * constant, the chip checks the index to which the word is stored. This file checks the same values
 * at the same methods. It checks only values that the capture contains, because the initial values
 * of a context image are valid. docs/reference/chip/programs.md describes the values.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <nv3_class.h>
#include <nv3_names.h>
#include <nv3_programs.h>

#include "lint.h"

#define METHODS		(0x2000 / 4)
#define LIST_TEXT	32u
#define REASON_TEXT	112u

#define ARRAYS		16u
#define UNITS		16u
#define VERTEX_UNITS	4u
#define UNIT_SIZE	(NV3_PM_TEX_WORDS * 4u)

#define INSNS		512u	/* instructions of a vertex program; also the number of constants */
#define TARGET_MAX	4096u	/* pixels per side */
#define TEXTURE_MAX	4096u
#define DEPTH_MAX	512u
#define LEVELS_MAX	13u
#define COMPONENTS_MAX	4u

#define TYPE_BGRA	0u	/* of arrays */
#define TEX_LINEAR	(1u << 13)
#define TEX_SRGB	(7u << 20)
#define TEX_ON		(1u << 31)

/* The most recent argument of a method */
struct stored {
	uint32_t value;
	uint32_t batch, word;
	bool known;		/* the capture contains the method */
	bool reported;		/* a message about this value was printed */
};

struct lint_programs {
	struct stored stored[METHODS];
	bool changed;		/* a value has changed since the last primitive began */
};

/*
 * A method that uses the arguments of earlier methods, and the condition under which the chip uses
 * them
 */
struct user {
	struct lint *lint;
	struct lint_programs *programs;
	const struct stream_method *method;
	const char *condition;	/* the condition, as suffix of messages; may be empty */
};

struct lint_programs *lint_programs_new(void)
{
	return calloc(1, sizeof(struct lint_programs));
}

static const struct nv3_class_names *class_names(void)
{
	return nv3_names_class(NV3_CLASS_PROGRAMS);
}

static struct stored *stored(const struct user *u, uint32_t mthd)
{
	return &u->programs->stored[mthd / 4];
}

static bool is_known(const struct user *u, uint32_t mthd)
{
	return stored(u, mthd)->known;
}

static uint32_t value(const struct user *u, uint32_t mthd)
{
	return stored(u, mthd)->value;
}

/* ---- messages ---- */

static void print_place(const struct user *u, const struct stored *s, char *text, size_t size)
{
	if (u->lint->raw)
		snprintf(text, size, "offset %u", s->word * 4);
	else if (s->batch != u->lint->batch)
		snprintf(text, size, "batch %u, word %u", s->batch, s->word);
	else
		snprintf(text, size, "word %u", s->word);
}

/*
 * Reports the value of the method @mthd, unless it has already been reported. @format: what is
 * wrong with the value.
 */
static void __attribute__((format(printf, 3, 4)))
report(const struct user *u, uint32_t mthd, const char *format, ...)
{
	char name[NV3_NAMES_TEXT], by[NV3_NAMES_TEXT], place[48], reason[REASON_TEXT];
	struct stored *s = stored(u, mthd);
	va_list args;

	if (s->reported)
		return;
	s->reported = true;
	va_start(args, format);
	vsnprintf(reason, sizeof(reason), format, args);
	va_end(args);
	print_place(u, s, place, sizeof(place));
	nv3_names_print_method(class_names(), mthd, name, sizeof(name));
	nv3_names_print_method(class_names(), u->method->mthd, by, sizeof(by));
	lint_say_class(u->lint, LINT_ERROR, u->method->word, NV3_CLASS_PROGRAMS,
		       "%s uses %s of %s, which %s: this is DRM_NV3_FAULT_DATA%s", by, name, place,
		       reason, u->condition);
}

/* ---- enumerations ---- */

static void print_names(const struct nv3_field *field, char *text, size_t size)
{
	const struct nv3_value_name *name;

	*text = 0;
	for (name = field->values; name->name; name++)
		nv3_names_list_add(text, size, name->name);
}

/* Checks the enumerations of a method. If @halves is false, ignores bits 31:16. */
static void check_enums(const struct user *u, uint32_t mthd, bool halves)
{
	const struct nv3_word *word = nv3_names_method(class_names(), mthd);
	const struct nv3_field *field;
	char names[LIST_TEXT];

	if (!is_known(u, mthd))
		return;
	for (field = word->fields; field && field->bits; field++) {
		const uint32_t mask = field->bits == 32 ? UINT32_MAX : (1u << field->bits) - 1;
		const uint32_t part = value(u, mthd) >> field->shift & mask;

		if (field->kind != NV3_FIELD_ENUM || (field->shift >= 16 && !halves) ||
		    nv3_names_value(field, part))
			continue;
		print_names(field, names, sizeof(names));
		report(u, mthd, "has no %s%s0x%x, but %s", field->name ? field->name : "",
		       field->name ? " " : "value ", part, names);
	}
}

static void check_stencil(const struct user *u, uint32_t first)
{
	uint32_t i;

	for (i = 1; i < 7; i++)
		check_enums(u, first + i * 4, true);
}

/* ---- targets ---- */

static void check_surface(const struct user *u, const char *what, uint32_t offset, uint32_t pitch,
			  uint32_t bytes)
{
	const uint32_t h = value(u, NV3_PM_SURFACE_CLIP_HORIZONTAL);
	const uint32_t v = value(u, NV3_PM_SURFACE_CLIP_VERTICAL);
	const bool samples = value(u, NV3_PM_SURFACE_FORMAT) & NV3_PM_FORMAT_SAMPLES;
	uint32_t right = (h & 0xffff) + (h >> 16);

	/* The chip does not access the target if the rectangle is empty. */
	if (!bytes || !(h >> 16) || !(v >> 16) || (h & 0xffff) >= TARGET_MAX ||
	    (v & 0xffff) >= TARGET_MAX)
		return;
	if (right > TARGET_MAX)
		right = TARGET_MAX;
	if (pitch % bytes)
		report(u, NV3_PM_SURFACE_PITCH, "is no multiple of the %u bytes of a pixel of %s",
		       bytes, what);
	else if (pitch < right * bytes << samples)
		report(u, NV3_PM_SURFACE_PITCH, "is less than the %u bytes of a line of %s",
		       right * bytes << samples, what);
	if (is_known(u, offset) && value(u, offset) % bytes)
		report(u, offset, "is no multiple of the %u bytes of a pixel of %s", bytes, what);
}

static void check_targets(const struct user *u)
{
	static const uint8_t color_bytes[16] = { [1] = 2, 2, 2, 4, 4, [8] = 4 };
	static const uint8_t zeta_bytes[16] = { [1] = 2, 4 };
	const uint32_t format = value(u, NV3_PM_SURFACE_FORMAT);
	const uint32_t pitch = value(u, NV3_PM_SURFACE_PITCH);

	check_enums(u, NV3_PM_SURFACE_FORMAT, true);
	if (!is_known(u, NV3_PM_SURFACE_FORMAT) || !is_known(u, NV3_PM_SURFACE_PITCH))
		return;
	check_surface(u, "colour", NV3_PM_SURFACE_COLOR_OFFSET, pitch & 0xffff,
		      color_bytes[format & NV3_PM_FORMAT_COLOR]);
	check_surface(u, "zeta", NV3_PM_SURFACE_ZETA_OFFSET, pitch >> 16,
		      zeta_bytes[format >> NV3_PM_FORMAT_ZETA_SHIFT & 15]);
}

/* ---- primitives ---- */

static void check_array(const struct user *u, uint32_t i)
{
	const uint32_t mthd = NV3_PM_ARRAY_FORMAT + i * 4, format = value(u, mthd);
	const uint32_t components = format >> NV3_PM_ARRAY_SIZE_SHIFT & 15;

	if (!is_known(u, mthd) || !components)
		return;
	check_enums(u, mthd, true);
	if (components > COMPONENTS_MAX)
		report(u, mthd, "has %u components, but at most %u are possible", components,
		       COMPONENTS_MAX);
	else if ((format & NV3_PM_ARRAY_TYPE) == TYPE_BGRA && components != COMPONENTS_MAX)
		report(u, mthd, "has %u components, but type UBYTE_BGRA needs %u", components,
		       COMPONENTS_MAX);
}

static void check_side(const struct user *u, uint32_t mthd, const char *name, uint32_t size,
		       uint32_t max)
{
	if (!size || size > max)
		report(u, mthd, "has the %s %u, but 1 to %u are possible", name, size, max);
}

/* Checks the texture sizes of a texture unit whose format is valid. */
static void check_texture_size(const struct user *u, uint32_t unit, uint32_t size1)
{
	const uint32_t npot = unit + NV3_PM_TEX_NPOT_SIZE * 4;
	const uint32_t dims = value(u, unit + NV3_PM_TEX_FORMAT * 4) >> 4 & 15;

	if (is_known(u, npot)) {
		check_side(u, npot, "width", value(u, npot) >> 16, TEXTURE_MAX);
		if (dims > 1)
			check_side(u, npot, "height", value(u, npot) & 0xffff, TEXTURE_MAX);
	}
	if (dims == 3 && is_known(u, size1))
		check_side(u, size1, "depth", value(u, size1) >> 20, DEPTH_MAX);
}

static void check_texture(const struct user *drawing, uint32_t unit, uint32_t size1)
{
	struct user u = *drawing;
	const uint32_t format_mthd = unit + NV3_PM_TEX_FORMAT * 4;
	const uint32_t wrap = unit + NV3_PM_TEX_WRAP * 4;
	const uint32_t format = value(&u, format_mthd);

	if (!(value(&u, unit + NV3_PM_TEX_ENABLE * 4) & TEX_ON))
		return;
	u.condition = " if a program reads this unit";
	check_enums(&u, format_mthd, true);
	check_enums(&u, wrap, true);
	check_enums(&u, unit + NV3_PM_TEX_FILTER * 4, true);
	if (value(&u, wrap) & TEX_SRGB && (value(&u, wrap) & TEX_SRGB) != TEX_SRGB)
		report(&u, wrap, "has only some of the sRGB bits 22:20");
	if (!is_known(&u, format_mthd))
		return;
	if (!(format & TEX_LINEAR))
		report(&u, format_mthd, "lacks LINEAR");
	if ((format >> 4 & 15) < 1 || (format >> 4 & 15) > 3)
		report(&u, format_mthd, "has %u dimensions, but 1 to 3 are possible",
		       format >> 4 & 15);
	else if ((format >> 16 & 15) > LEVELS_MAX)
		report(&u, format_mthd, "has %u levels, but at most %u are possible",
		       format >> 16 & 15, LEVELS_MAX);
	else
		check_texture_size(&u, unit, size1);
}

static void check_primitive(const struct user *u)
{
	/* Methods whose enumerations the chip always checks at BEGIN_END */
	static const uint16_t enums[] = {
		NV3_PM_ALPHA_FUNC, NV3_PM_DEPTH_FUNC, NV3_PM_SHADE_MODE, NV3_PM_FRONT_POLYGON_MODE,
		NV3_PM_BACK_POLYGON_MODE, NV3_PM_CULL_FACE, NV3_PM_FRONT_FACE, NV3_PM_LOGIC_OP,
	};
	/* Methods whose bits 31:16 hold a separate value for alpha */
	static const uint16_t blend[] = {
		NV3_PM_BLEND_FUNC_SFACTOR, NV3_PM_BLEND_FUNC_DFACTOR, NV3_PM_BLEND_EQUATION,
	};
	uint32_t i;

	check_targets(u);
	for (i = 0; i < sizeof(enums) / sizeof(enums[0]); i++)
		check_enums(u, enums[i], true);
	for (i = 0; i < sizeof(blend) / sizeof(blend[0]); i++)
		check_enums(u, blend[i], value(u, NV3_PM_BLEND_SEPARATE_ALPHA));
	check_stencil(u, NV3_PM_STENCIL_MASK);
	if (value(u, NV3_PM_STENCIL_TWO_SIDE_ENABLE))
		check_stencil(u, NV3_PM_BACK_STENCIL_MASK);
	for (i = 0; i < ARRAYS; i++)
		check_array(u, i);
	for (i = 0; i < UNITS; i++)
		check_texture(u, NV3_PM_TEX + i * UNIT_SIZE, NV3_PM_TEX_SIZE1 + i * 4);
	for (i = 0; i < VERTEX_UNITS; i++)
		check_texture(u, NV3_PM_VTXTEX + i * UNIT_SIZE, NV3_PM_VTXTEX_SIZE1 + i * 4);
	if (value(u, NV3_PM_TRANSFORM_PROGRAM_START) >= INSNS)
		report(u, NV3_PM_TRANSFORM_PROGRAM_START,
		       "is %u, but a program has at most %u instructions",
		       value(u, NV3_PM_TRANSFORM_PROGRAM_START), INSNS);
}

/* ---- methods ---- */

/*
 * Checks the index to which an upload stores a word. Increments the index after the last word of an
 * instruction or constant, as the chip does.
 */
static void upload(const struct user *u, uint32_t load, const char *what)
{
	struct stored *at = stored(u, load);

	if (at->known && at->value >= INSNS)
		report(u, load, "is %u by now, but there are %u %s", at->value, INSNS, what);
	else if (u->method->mthd / 4 % 4 == 3)
		at->value++;
}

static bool is_in(uint32_t mthd, uint32_t first, uint32_t bytes)
{
	return mthd >= first && mthd < first + bytes;
}

static bool is_vertex_data(uint32_t mthd)
{
	return is_in(mthd, NV3_PM_VERTEX4F, 16) || is_in(mthd, NV3_PM_VERTEX_DATA2F, 384) ||
	       is_in(mthd, NV3_PM_VERTEX_DATA4F, 256) ||
	       is_in(mthd, NV3_PM_ARRAY_ELEMENT16, 28);
}

/*
 * Records the argument of a method. If the method sets the same value as before, keeps the position
 * of the earlier method.
 */
static void store(struct lint *l, struct lint_programs *p, const struct stream_method *m)
{
	struct stored *s = &p->stored[m->mthd / 4];

	if (m->mthd / 4 >= METHODS || is_vertex_data(m->mthd) ||
	    (s->known && s->value == m->data))
		return;
	*s = (struct stored) {
		.value = m->data, .batch = l->batch, .word = m->word, .known = true,
	};
	p->changed = true;
}

void lint_programs_method(struct lint *l, struct lint_programs *p, const struct stream_method *m)
{
	const struct user u = { .lint = l, .programs = p, .method = m, .condition = "" };

	if (m->mthd == NV3_PM_BEGIN_END) {
		if (m->data && p->changed)
			check_primitive(&u);
		p->changed &= !m->data;
	} else if (m->mthd == NV3_PM_CLEAR_SURFACE) {
		check_targets(&u);
	} else if (m->mthd == NV3_PM_INDEX_BATCH) {
		check_enums(&u, NV3_PM_IDXBUF_FORMAT, true);
	} else if (is_in(m->mthd, NV3_PM_TRANSFORM_PROGRAM, 128)) {
		upload(&u, NV3_PM_TRANSFORM_PROGRAM_LOAD, "instructions");
	} else if (is_in(m->mthd, NV3_PM_TRANSFORM_CONSTANT, 128)) {
		upload(&u, NV3_PM_TRANSFORM_CONSTANT_LOAD, "constants");
	} else {
		store(l, p, m);
	}
}
