/* SPDX-License-Identifier: MIT */
/*
 * Names of classes, methods, registers and their fields, for programs that print or parse these
 * names.
 *
 * The tables are in names/ and are written by hand from nv3_class.h, nv3_programs.h and nv3_regs.h.
 * A unit test of the device model (test_names.c) compares the tables with the methods and registers
 * of the model.
 *
 * The name of a method or register in an array contains the index: RECT has the methods
 * POINT(0) to POINT(15). nv3_names_print_value() prints a value as its fields, for
 * example "x=10 y=-3 clip". nv3_names_parse_value() parses this form.
 */
#ifndef NV3_NAMES_H
#define NV3_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Size of a buffer that is large enough for every name and value. */
#define NV3_NAMES_TEXT	256
/* Size of a buffer that is large enough for every message of nv3_names_parse_value(). */
#define NV3_NAMES_ERROR	512

enum nv3_field_kind {
	NV3_FIELD_HEX,
	NV3_FIELD_UNSIGNED,
	NV3_FIELD_SIGNED,
	NV3_FIELD_UFIXED,	/* fixed point, with nv3_field.fraction bits after the point */
	NV3_FIELD_FIXED,	/* fixed point with a sign */
	NV3_FIELD_FLOAT,	/* a float of 32 bits */
	NV3_FIELD_FLAG,		/* one bit, printed as its name if it is set */
	NV3_FIELD_ENUM,		/* a name from nv3_field.values, or an unsigned number */
};

struct nv3_value_name {
	const char *name;	/* null after the last one */
	uint32_t value;
};

struct nv3_field {
	const char *name;	/* null if the word has only this field */
	uint8_t shift;
	uint8_t bits;		/* 0 after the last field */
	uint8_t kind;		/* enum nv3_field_kind */
	uint8_t fraction;
	const struct nv3_value_name *values;
};

/* A method, a register, or an array of methods or registers with one or two indices. */
struct nv3_word {
	const char *name;	/* null after the last one */
	uint32_t offset;	/* offset of the first word, in bytes */
	struct {
		uint16_t count;	/* 0: no index */
		uint16_t stride;
	} index[2];
	const struct nv3_field *fields;	/* null: print the value in hexadecimal */
	bool software;		/* the chip traps on this method; the driver executes it */
};

struct nv3_class_names {
	const char *name;
	uint32_t id;
	bool hardware; /* true if the class has the common methods of PGRAPH */
	const struct nv3_word *methods;
};

/* Returns the class with number @id, or null. */
const struct nv3_class_names *nv3_names_class(uint32_t id);
/* Returns the class with the name @name, ignoring case, or null. */
const struct nv3_class_names *nv3_names_find_class(const char *name);

/*
 * Returns the method at byte @offset of a subchannel, or null. If @class is null, finds only
 * methods that are common to all classes or to all classes of PGRAPH.
 */
const struct nv3_word *nv3_names_method(const struct nv3_class_names *class, uint32_t offset);
/*
 * Sets @offset to the offset of the method @name, for example "POINT(3)". Returns false
 * if the class has no such method.
 */
bool nv3_names_find_method(const struct nv3_class_names *class, const char *name,
			   uint32_t *offset);
/*
 * Writes the name of the method at @offset to @text, or @offset in hexadecimal if the class has no
 * method at this offset.
 */
void nv3_names_print_method(const struct nv3_class_names *class, uint32_t offset, char *text,
			    size_t size);

/* The same functions for registers instead of methods. @offset is the register's offset in BAR0. */
const struct nv3_word *nv3_names_register(uint32_t offset);
bool nv3_names_find_register(const char *name, uint32_t *offset);
void nv3_names_print_register(uint32_t offset, char *text, size_t size);

/* Writes the fields of @value to @text. If @fields is null, writes @value in hexadecimal. */
void nv3_names_print_value(const struct nv3_field *fields, uint32_t value, char *text, size_t size);
/*
 * Returns the name of @value in a field of kind NV3_FIELD_ENUM, or null if the value has
 * no name.
 */
const char *nv3_names_value(const struct nv3_field *field, uint32_t value);
/*
 * Reads the text that nv3_names_print_value() writes: fields in any order, separated by
 * spaces. Fields that are missing in @text are 0. A number without a field name is the
 * whole value. If @fields has only one field, a decimal number is the value of this
 * field. In a float or fixed-point field, a number that begins with 0x gives the bits of
 * the field. Returns false and writes a message to @error if @text is invalid.
 */
bool nv3_names_parse_value(const struct nv3_field *fields, const char *text, uint32_t *value,
			   char *error, size_t error_size);

/*
 * A suffix for a message about an unknown name, under construction. If a known name is similar, the
 * suffix proposes this name, as in ": did you mean COLOR?". Otherwise the suffix lists the known
 * names, as in ": choose from COLOR, POINT(0) to POINT(15)". If not all names fit into the list,
 * the list ends with "...".
 */
struct nv3_names_hint {
	const char *unknown;
	unsigned int distance;		/* between @unknown and the most similar name */
	char nearest[NV3_NAMES_TEXT];
	char list[NV3_NAMES_TEXT];
	char text[NV3_NAMES_TEXT + 32];
};

/* Comparisons ignore an index "(...)" or a value "=..." at the end of a name. */
void nv3_names_hint_begin(struct nv3_names_hint *hint, const char *unknown);
void nv3_names_hint_add(struct nv3_names_hint *hint, const char *name);
/* Returns the suffix of the message, or an empty string if no name was added. */
const char *nv3_names_hint_text(struct nv3_names_hint *hint);

/*
 * These functions call nv3_names_hint_begin(), add the names of methods, registers or classes, and
 * return the suffix of the message.
 */
const char *nv3_names_hint_method(struct nv3_names_hint *hint, const struct nv3_class_names *class,
				  const char *unknown);
const char *nv3_names_hint_register(struct nv3_names_hint *hint, const char *unknown);
/* If @hardware is true, adds only hardware classes. */
const char *nv3_names_hint_class(struct nv3_names_hint *hint, const char *unknown, bool hardware);

/*
 * Adds @name to @list. If the name does not fit, adds "..." instead. After this, further calls have
 * no effect.
 */
void nv3_names_list_add(char *list, size_t size, const char *name);
/* Writes the names of the methods of @class to @list, except methods with nv3_word.software set. */
void nv3_names_list_methods(const struct nv3_class_names *class, char *list, size_t size);

/* All classes and all registers. The last entry of each table has a null name. */
extern const struct nv3_class_names nv3_names_classes[];
extern const struct nv3_word nv3_names_registers[];

#endif
