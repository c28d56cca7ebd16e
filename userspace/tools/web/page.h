/* SPDX-License-Identifier: MIT */
/*
 * The functions that the web page calls (page/machine.js). Like nv3-step, the functions print
 * changes and state to standard output, and messages to standard error. The page receives both from
 * the C library's fd_write().
 */
#ifndef NV3_WEB_PAGE_H
#define NV3_WEB_PAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Exports a function from the WebAssembly module under its C name. */
#define PAGE_EXPORT(name)	__attribute__((export_name(#name)))

/* Values of the argument of page_show(): parts of the state */
enum page_part {
	PAGE_CACHE1,
	PAGE_RAMHT,
	PAGE_RAMFC,
	PAGE_RAMRO,
	PAGE_REGISTERS,
};

/*
 * Allocates @size bytes for a script. page_load() frees them. Returns null if memory is exhausted.
 */
char *page_text(size_t size) PAGE_EXPORT(page_text);
/*
 * Reads a script of @size bytes at @text, and makes its first statement the next to execute.
 * Returns the number of statements in the script, or 0 after messages. The messages begin with
 * "script:LINE: ".
 */
unsigned int page_load(char *text, size_t size) PAGE_EXPORT(page_load);
/* Returns the line number of a statement. */
unsigned int page_line(unsigned int statement) PAGE_EXPORT(page_line);
/* Returns the number of the next statement to execute. */
unsigned int page_next(void) PAGE_EXPORT(page_next);
/*
 * Execute the next statement, or return to the state before the last statement. Return false after
 * a message.
 */
bool page_forward(void) PAGE_EXPORT(page_forward);
bool page_back(void) PAGE_EXPORT(page_back);

/* Prints the part @part of the state. */
void page_show(enum page_part part) PAGE_EXPORT(page_show);

/*
 * Returns the size of a surface of the current channel, with the width in the lower and the height
 * in the upper 16 bits. Returns 0 if the surface does not exist.
 */
uint32_t page_surface(unsigned int slot) PAGE_EXPORT(page_surface);
/*
 * Returns the pixels of a surface, 3 bytes each, or null if memory is exhausted. The pixels are
 * valid until the next call.
 */
const uint8_t *page_pixels(unsigned int slot) PAGE_EXPORT(page_pixels);

/*
 * names.c: prints the classes that a script can use, and their methods, one per line: "class NAME
 * ID" and "method OFFSET COUNT NAME FIELD...", separated by tabs. A field is "NAME|SHIFT|BITS|KIND"
 * and the names of its values. The first class has the methods that all classes share.
 */
void page_names(void) PAGE_EXPORT(page_names);

#endif
