/* SPDX-License-Identifier: MIT */
/*
 * The script of nv3-step: one statement per line. The script is read, and all names are resolved,
 * before the first statement is executed. A script with an error is therefore not executed at all.
 * docs/howto/stepping.md describes the statements.
 */
#ifndef NV3_STEP_SCRIPT_H
#define NV3_STEP_SCRIPT_H

#include <stdio.h>

#include "rm.h"

enum statement_kind {
	STATEMENT_CHANNEL,
	STATEMENT_SURFACE,
	STATEMENT_DMA,
	STATEMENT_OBJECT,
	STATEMENT_METHOD,
	STATEMENT_SUBMIT,
	STATEMENT_REGISTER,
	STATEMENT_WORDS,
	STATEMENT_ANSWER,
	STATEMENT_ENGINE,
	STATEMENT_RUN,
	STATEMENT_PICTURE,
};

/* When interrupts are answered */
enum answer_mode {
	ANSWER_ONCE,		/* by this statement */
	ANSWER_ALWAYS,		/* after this statement and each later statement */
	ANSWER_NEVER,
};

/* A word that is written to @count consecutive words of memory */
struct script_word {
	uint32_t value;
	uint32_t count;
};

struct statement {
	enum statement_kind kind;
	unsigned int line;
	char *text;			/* without comment */
	union {
		struct {
			uint32_t chid;
			bool dma;
		} channel;
		struct {
			uint32_t slot;
			struct rm_surface info;
		} surface;
		struct rm_dma_info dma;
		struct rm_object_info object;
		struct {
			uint32_t subch, mthd, data, times;
		} method;
		struct {
			uint32_t offset, value;
		} reg;
		struct {
			bool vram;
			uint32_t offset;
			struct script_word *words;
			unsigned int count;
		} words;
		enum answer_mode answer;
		bool engine;
		uint32_t run;
		struct {
			char *file;
			uint32_t slot;
		} picture;
	};
};

struct script {
	char *path;
	struct statement *statements;
	unsigned int count;
};

/*
 * Reads a script from @file. Messages name @path. If lines have errors, prints a message for each
 * of them and returns false.
 */
bool script_read(struct script *script, const char *path, FILE *file);
/* Reads a script from the file @path. */
bool script_read_file(struct script *script, const char *path);
void script_free(struct script *script);

#endif
