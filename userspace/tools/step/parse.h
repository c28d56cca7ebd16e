/* SPDX-License-Identifier: MIT */
/* Splits lines into words for script.c, and parses each kind of statement. */
#ifndef NV3_STEP_PARSE_H
#define NV3_STEP_PARSE_H

#include "nv3_names.h"
#include "nv3_regs.h"
#include "script.h"

#define PARSE_WORDS_MAX		256
#define PARSE_ERRORS_MAX	20

/* An object that an earlier statement has created */
struct parsed_object {
	uint32_t chid, handle;
	const struct nv3_class_names *class;
};

struct parser {
	const char *path;
	unsigned int line;
	unsigned int errors;

	char *copy;			/* copy of the line, split into words */
	char *word[PARSE_WORDS_MAX];
	unsigned int words;

	struct parsed_object *objects;
	unsigned int object_count;
	bool has_channel[NV3_USER_CHANNELS];
	bool is_dma[NV3_USER_CHANNELS];
	bool any_channel;
	uint32_t chid;
	/* Class of the object bound to each subchannel of each channel */
	const struct nv3_class_names *bound[NV3_USER_CHANNELS][RM_SUBCHANNELS];
	bool has_surface[NV3_USER_CHANNELS][RM_SURFACES];
	uint32_t vram;			/* offset of the next surface */
};

void __attribute__((format(printf, 2, 3)))
parse_error(struct parser *p, const char *format, ...);
/* Splits the line into words. Returns false after a message. */
bool parse_split(struct parser *p, const char *text);
void parse_finish(struct parser *p);

void parse_channel(struct parser *p, struct statement *s);
void parse_surface(struct parser *p, struct statement *s);
void parse_dma(struct parser *p, struct statement *s);
void parse_object(struct parser *p, struct statement *s);
void parse_method(struct parser *p, struct statement *s);
void parse_submit(struct parser *p, struct statement *s);
void parse_register(struct parser *p, struct statement *s);
void parse_words(struct parser *p, struct statement *s);
void parse_answer(struct parser *p, struct statement *s);
void parse_engine(struct parser *p, struct statement *s);
void parse_run(struct parser *p, struct statement *s);
void parse_picture(struct parser *p, struct statement *s);

#endif
